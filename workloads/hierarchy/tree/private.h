/* Private to workloads/hierarchy/tree: the binary tree between builders and collapse. */
#pragma once

#include "workloads/hierarchy/tree/tree.h"

#include <stdbool.h>

typedef struct fs_bounds {
    float low[3], high[3];
} fs_bounds;

/* An inner node has two children; a leaf has triangles of `order`. */
typedef struct fs_binary_node {
    fs_bounds bounds;
    uint32_t child[2];
    uint32_t first, count; /* count 0: an inner node */
} fs_binary_node;

typedef struct fs_binary {
    fs_binary_node *node; /* heap, [room]; the root is the first */
    uint32_t nodes, room;
    uint32_t *order; /* heap, [slots] numbers of triangles */
    uint32_t slots, slot_room;
} fs_binary;

typedef struct fs_hierarchy_job {
    const fs_corners *corner; /* [count] */
    const fs_bounds *bounds;  /* [count] of the triangles */
    uint32_t count;
    const fs_hierarchy_shape *shape;
    const char *where;
} fs_hierarchy_job;

fs_bounds fs_bounds_none(void);
void fs_bounds_add(fs_bounds *to, const fs_bounds *more);
float fs_bounds_area(const fs_bounds *b); /* half of the surface; 0 of none */

/* A new node; its number. Moves the nodes. */
uint32_t fs_binary_add(fs_binary *tree);

/* Cuts lists of triangles (sah, median). */
void fs_binary_objects(const fs_hierarchy_job *job, bool sah, fs_binary *out);
/* Cuts space. FS_INPUT when leaves repeat triangles beyond FS_REFERENCE_SLOTS. */
fs_status fs_binary_kd(const fs_hierarchy_job *job, fs_binary *out, fs_error *err);
