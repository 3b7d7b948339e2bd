/* A scene cut into treelets, ready to be walked. */
#pragma once

#include "workloads/paths/tree/tree.h"
#include "workloads/treelets/cut/cut.h"
#include "workloads/treelets/walk/walk.h"

typedef struct treelet_stage {
    fs_arena *arena;
    fs_mesh_scene scene; /* in the camera's frame */
    fs_bvh tree;
    fs_walk_scene walk;
    fs_treelet_cut cut;
} treelet_stage;

/* Loads and builds; freed with its arena. Fails the test at an error. */
treelet_stage *treelet_stage_load(const fs_mesh_scene_params *params);
/* The grove of so many parts (workloads/scene/mesh/mesh.h), albedo 0.75. */
treelet_stage *treelet_stage_grove(fs_mesh_grove grove);
treelet_stage *treelet_stage_of(fs_mesh_scene scene, fs_arena *arena);
void treelet_stage_cut(treelet_stage *stage, fs_treelet_params params);

/* A wall of 64 x 64 cells of two triangles that fills a square picture, cut into 2^level strips, level 0 ... 6: all the same
 * but for where they lie. Without jitter a picture of 128 x 128 pixels or more by powers of two has each path meet one
 * treelet, and all treelets as many paths, with counts that are the same but for rounding. */
treelet_stage *treelet_stage_wall(uint32_t level);

/* All paths of the parameters; paths may be NULL. */
void treelet_stage_walk(const treelet_stage *stage, const fs_itineraries_params *params, fs_itineraries *its,
                        fs_walk_path *paths);

/* What all pieces count, as the walk's events; *visits: how many, if it is not NULL. */
void treelet_stage_sum(const treelet_stage *stage, const fs_itineraries *its, uint64_t counts[FS_WALK_EVENTS],
                       uint64_t *visits);
