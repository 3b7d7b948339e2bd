/* Cuts of a tree into treelets: whole subtrees that a tile can hold, and the top above them, which every tile
 * holds (docs/design/treelets.md).
 *
 *     fs_treelet_cut cut;
 *     FS_TRY(fs_treelet_cut_make(&mesh, &tree, &params, arena, &cut, err));
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct fs_bvh;        /* workloads/paths/tree */
struct fs_mesh_scene; /* workloads/scene/mesh */

typedef enum fs_treelet_rule { FS_CUT_BYTES, FS_CUT_WORK, FS_CUT_AREA } fs_treelet_rule; /* workload.cut */

typedef struct fs_treelet_params {
    fs_treelet_rule rule;
    uint64_t most_bytes; /* of a treelet; 0: no limit, one treelet (unless `count` asks for more) */
    uint32_t count;      /* that rule `work` opens up to; 0: by bytes alone */
} fs_treelet_params;

/* A treelet: nodes [root, end) of the tree but for what is cut out of them (rule `area` alone nests). */
typedef struct fs_treelet {
    uint32_t root, end;           /* nodes of the tree */
    uint32_t triangles, vertices; /* n of its leaves; their distinct vertices, which u16 indices reach */
    uint64_t bytes; /* node bytes x (2 leaves - 1) + 6 n + 12 vertices (neural_path_tracing.md 2); with
                                     normals 12 more a vertex, spheres 16 and discs 28, and
 node bytes + 2 for each root that nests in it */
} fs_treelet;

typedef struct fs_treelet_cut {
    uint32_t treelets; /* K, at most 65,534 */
    fs_treelet *of;    /* [K] in the order of their roots */
    uint32_t top;      /* inner nodes above the treelets: K - 1 for whole subtrees */
    bool nests; /* rule `area`: no top; a treelet's nodes are those of its subtree that are in no other */
    uint64_t top_bytes; /* of a tile's copy: (node bytes + 2) x (2 K - 1); 0 when K is 1 */
    uint16_t *at;       /* [nodes] treelet of a node; UINT16_MAX: the top */
    uint64_t bytes;     /* of all treelets */
} fs_treelet_cut;

enum { FS_TREELETS_MOST = 65534, FS_TREELET_MOST_VERTICES = 65536, FS_TREELET_TOP = UINT16_MAX };

/* FS_INPUT: a leaf alone is larger than most_bytes, more than FS_TREELETS_MOST treelets, a treelet with more
 * than FS_TREELET_MOST_VERTICES where no limit stands (a limit's subtree of more vertices is opened). Memory from
 * the arena. */
fs_status fs_treelet_cut_make(const struct fs_mesh_scene *scene, const struct fs_bvh *tree,
                              const fs_treelet_params *params, fs_arena *arena, fs_treelet_cut *out,
                              fs_error *err);
/* FS_BROKEN unless every leaf is in one treelet and each treelet's bytes are within the limit. */
fs_status fs_treelet_cut_check(const fs_treelet_cut *cut, const struct fs_bvh *tree,
                               const fs_treelet_params *params, fs_error *err);
