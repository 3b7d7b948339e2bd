/* Hierarchies over triangles, as the engine reads them: nodes of `width` boxes and references, and
 * the triangles of the leaves one after the other.
 *
 * A tree is built in two steps. A builder cuts the triangles in two until a leaf holds at most `leaf` of
 * them:
 *     sah      at one of 7 planes between 8 bins of centres along their longest axis, where surface area
 *              times triangles is least: the host's builder (fpga_engine.md 2, LUX)
 *     median   at the middle one of the centres along their longest axis
 *     kd       cells of space are cut by such planes, triangles go to every cell that they touch
 * Then every second, third or fourth level is kept (width 4, 8, 16), which is how the paper makes a QBVH of a
 * binary tree (fpga_engine.md 2, FHR). Children stand in the order of the binary tree, nodes and leaves in
 * that of a visit depth first. A leaf begins at a whole group of slots, so that groups of four may be read as
 * quads; what is left of a group holds no triangle and is never hit. The same triangles give the same tree,
 * whatever the threads.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* References of the engine: what stands in a node for a child, and in a queue for what is left to visit
 * (fpga_engine.md 2, FHR). Bits are numbered from 1: bit 32 says primitives; of a node 31 bits of number; of
 * a leaf bits 31 to 28 for its primitives less one, and 27 bits for the first of them. The root is node 0. */

#define FS_REFERENCE_PRIMITIVES ((uint32_t)1 << 31)
#define FS_REFERENCE_NODES      ((uint32_t)1 << 31) /* nodes that can be told apart */
#define FS_REFERENCE_SLOTS      ((uint32_t)1 << 27) /* primitives that can be told apart */
#define FS_REFERENCE_ROOT       ((uint32_t)0)
/* A child that is not there: all ones (fpga_engine.md 2, LUX). No leaf: it would reach beyond the last slot. */
#define FS_REFERENCE_EMPTY UINT32_MAX
enum { FS_REFERENCE_LEAF = 16 }; /* most primitives of a leaf */

/* id < FS_REFERENCE_NODES. */
static inline uint32_t fs_encoded_node(uint32_t id) {
    return id;
}

/* first + count <= FS_REFERENCE_SLOTS, count in [1, FS_REFERENCE_LEAF]. */
static inline uint32_t fs_encoded_leaf(uint32_t first, uint32_t count) {
    return FS_REFERENCE_PRIMITIVES | ((count - 1) << 27) | first;
}

static inline bool fs_encoded_is_leaf(uint32_t reference) {
    return (reference & FS_REFERENCE_PRIMITIVES) != 0;
}

static inline uint32_t fs_encoded_id(uint32_t reference) {
    return reference & (FS_REFERENCE_NODES - 1);
}

static inline uint32_t fs_encoded_first(uint32_t reference) {
    return reference & (FS_REFERENCE_SLOTS - 1);
}

static inline uint32_t fs_encoded_count(uint32_t reference) {
    return ((reference >> 27) & (FS_REFERENCE_LEAF - 1)) + 1;
}

enum { FS_HIERARCHY_WIDTH = 16, FS_HIERARCHY_BINS = 8 };
enum { FS_HIERARCHY_PADS = 8 }; /* slots after the last, so that eight can be read anywhere */

typedef enum fs_hierarchy_kind { FS_HIERARCHY_SAH, FS_HIERARCHY_MEDIAN, FS_HIERARCHY_KD } fs_hierarchy_kind;
extern const char *const fs_hierarchy_kinds[]; /* "sah", "median", "kd", NULL */

typedef float fs_corners[3][3]; /* a triangle: corner, axis */

/* Values of a triangle as the pipeline takes them: corner 0 and the edges from it to corners 1 and 2. */
enum { FS_EDGE_CORNER = 0, FS_EDGE_FIRST = 3, FS_EDGE_SECOND = 6, FS_EDGE_ROWS = 9 };

typedef struct fs_hierarchy {
    uint32_t width;         /* children of a node: 2, 4, 8 or 16 */
    uint32_t nodes;         /* at least 1: the root */
    uint32_t slots;         /* triangles of all leaves; more than there are where a kd-tree repeats them */
    uint32_t leaves, depth; /* depth: nodes from the root to the deepest leaf */
    const float *box;       /* [nodes][6][width] lower x, y, z, upper x, y, z; lower above upper: no child */
    const uint32_t *child;  /* [nodes][width] */
    const uint32_t *triangle;        /* [slots] its number in the scene; UINT32_MAX: none */
    const float *edge[FS_EDGE_ROWS]; /* each [slots + FS_HIERARCHY_PADS] */
    const float (*cell)[6];          /* kd: [slots] the cell of the leaf that begins there; else NULL */
    float low[3], high[3];           /* of all triangles */
} fs_hierarchy;

typedef struct fs_hierarchy_shape {
    fs_hierarchy_kind kind;
    uint32_t width; /* 2, 4, 8 or 16 */
    uint32_t leaf;  /* most triangles of a leaf: 1 to FS_REFERENCE_LEAF */
    uint32_t group; /* slots: 1 or 4 */
} fs_hierarchy_shape;

/* Builds a tree over `count` triangles, all finite, at least one. All of it in the arena. FS_INPUT (with
 * `where` in front) for more triangles than references can tell apart. */
fs_status fs_hierarchy_build(const fs_corners *corner, uint32_t count, const fs_hierarchy_shape *shape,
                             const char *where, fs_arena *arena, fs_hierarchy *out, fs_error *err);
