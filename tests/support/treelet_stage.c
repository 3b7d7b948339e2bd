#include "tests/support/treelet_stage.h"

#include "sim/config/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

treelet_stage *treelet_stage_of(fs_mesh_scene scene, fs_arena *arena) {
    treelet_stage *s = FS_NEW(arena, treelet_stage, 1);
    fs_error err = {.status = FS_OK};
    s->arena = arena;
    s->scene = scene;
    if (fs_bvh_build(&s->scene, FS_TREE_NODE_HALF, arena, &s->tree, &err))
        fail_msg("%s", err.text);
    fs_walk_prepare(&s->walk, &s->scene, &s->tree, arena);
    return s;
}

treelet_stage *treelet_stage_load(const fs_mesh_scene_params *params) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    if (fs_mesh_scene_load(params, arena, &scene, &err))
        fail_msg("%s", err.text);
    fs_mesh_scene_to_camera(&scene);
    return treelet_stage_of(scene, arena);
}

treelet_stage *treelet_stage_grove(fs_mesh_grove grove) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene_params p;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = FS_MESH_BUILTIN_GROVE;
    p.grove = grove;
    treelet_stage *s = treelet_stage_load(&p);
    fs_arena_free(arena);
    return s;
}

void treelet_stage_cut(treelet_stage *s, fs_treelet_params params) {
    fs_error err = {.status = FS_OK};
    if (fs_treelet_cut_make(&s->scene, &s->tree, &params, s->arena, &s->cut, &err))
        fail_msg("%s", err.text);
}

void treelet_stage_walk(const treelet_stage *s, const fs_itineraries_params *params, fs_itineraries *its,
                        fs_walk_path *paths) {
    fs_error err = {.status = FS_OK};
    if (fs_itineraries_walk(&s->walk, &s->cut, params, its, paths, &err))
        fail_msg("%s", err.text);
}

void treelet_stage_sum(const treelet_stage *s, const fs_itineraries *its, uint64_t counts[FS_WALK_EVENTS],
                       uint64_t *visits) {
    memset(counts, 0, FS_WALK_EVENTS * sizeof *counts);
    uint64_t met = 0;
    for (uint64_t i = 0; i < its->first[its->paths]; i++) {
        const fs_piece *piece = &its->piece[i];
        fs_piece_count(piece, s->scene.normal != NULL, counts);
        met += piece->treelet != FS_PIECE_ANYWHERE && (piece->does & FS_PIECE_CONTINUES) == 0;
    }
    if (visits != NULL)
        *visits = met;
}
