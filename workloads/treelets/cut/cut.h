/* Cuts of a tree into treelets: whole subtrees that a tile can hold, and the top above them, which every tile
 * holds (docs/design/treelets.md).
 *
 *     fs_treelet_cut cut;
 *     FS_TRY(fs_treelet_cut_make(&mesh, &tree, &params, arena, &cut, err));
 */
#ifndef FOAMSIM_WORKLOADS_TREELETS_CUT_CUT_H
#define FOAMSIM_WORKLOADS_TREELETS_CUT_CUT_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdint.h>

struct fs_bvh;        /* workloads/paths */
struct fs_mesh_scene; /* workloads/scene/mesh */

typedef enum fs_treelet_rule { FS_CUT_BYTES, FS_CUT_WORK, FS_CUT_AREA } fs_treelet_rule; /* workload.cut */

typedef struct fs_treelet_params {
    fs_treelet_rule rule;
    uint64_t most_bytes; /* of a treelet; 0: no limit, one treelet */
    uint32_t count;      /* that rule `work` opens up to; 0: by bytes alone */
} fs_treelet_params;

/* A treelet: nodes [root, end) of the tree but for what is cut out of them (rule `area` alone nests). */
typedef struct fs_treelet {
    uint32_t root, end;           /* nodes of the tree */
    uint32_t triangles, vertices; /* leaves; distinct vertices */
    uint64_t bytes;               /* node bytes x (2 n - 1) + 6 n + 12 vertices */
} fs_treelet;

typedef struct fs_treelet_cut {
    uint32_t treelets;  /* K, at most 65,534 */
    fs_treelet *of;     /* [K] in the order of their roots */
    uint32_t top;       /* inner nodes above the treelets: K - 1 */
    uint64_t top_bytes; /* of a tile's copy: (node bytes + 2) x (2 K - 1); 0 when K is 1 */
    uint16_t *at;       /* [nodes] treelet of a node; UINT16_MAX: the top */
    uint64_t bytes;     /* of all treelets */
} fs_treelet_cut;

/* FS_INPUT: a leaf alone is larger than most_bytes, more than 65,534 treelets, a treelet with more than 65,536
 * vertices where no limit stands. Memory from the arena. */
fs_status fs_treelet_cut_make(const struct fs_mesh_scene *scene, const struct fs_bvh *tree,
                              const fs_treelet_params *params, fs_arena *arena, fs_treelet_cut *out,
                              fs_error *err);
/* FS_BROKEN unless every leaf is in one treelet and each treelet's bytes are within the limit. */
fs_status fs_treelet_cut_check(const fs_treelet_cut *cut, const struct fs_bvh *tree,
                               const fs_treelet_params *params, fs_error *err);

#endif
