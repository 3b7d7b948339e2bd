#include "tests/support/treelet_stage.h"

#include "sim/config/config.h"
#include "tests/support/test.h"

treelet_stage *treelet_stage_of(fs_mesh_scene scene, fs_arena *arena) {
    treelet_stage *s = FS_NEW(arena, treelet_stage, 1);
    fs_error err = {.status = FS_OK};
    s->arena = arena;
    s->scene = scene;
    assert_ok(fs_bvh_build(&s->scene, FS_TREE_NODE_HALF, arena, &s->tree, &err), &err);
    fs_walk_prepare(&s->walk, &s->scene, &s->tree, arena);
    return s;
}

treelet_stage *treelet_stage_load(const fs_mesh_scene_params *params) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    assert_ok(fs_mesh_scene_load(params, arena, &scene, &err), &err);
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
    assert_ok(fs_treelet_cut_make(&s->scene, &s->tree, &params, s->arena, &s->cut, &err), &err);
}

treelet_stage *treelet_stage_wall(uint32_t level) {
    enum { CELLS = 64, CORNERS = CELLS + 1 };
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene s = {
        .meshes = 1, .vertices = CORNERS * CORNERS, .triangles = 2 * CELLS * CELLS, .materials = 1};
    s.mesh = FS_NEW(arena, fs_mesh, 1);
    s.vertex = fs_arena_alloc(arena, s.vertices, sizeof *s.vertex);
    s.triangle = fs_arena_alloc(arena, s.triangles, sizeof *s.triangle);
    s.mesh_of = FS_NEW(arena, uint32_t, s.triangles);
    s.material = FS_NEW(arena, fs_material, 1);
    s.mesh[0] = (fs_mesh){.vertices = s.vertices, .triangles = s.triangles};
    s.material[0] = (fs_material){.albedo = {0.5f, 0.5f, 0.5f}, .kind = FS_MATERIAL_DIFFUSE};
    /* 64 wide and 64 away: half the angle has tangent 1 / 2 */
    for (uint32_t v = 0; v < s.vertices; v++) {
        s.vertex[v][0] = (float)(v % CORNERS) - CELLS / 2;
        s.vertex[v][1] = (float)(v / CORNERS) - CELLS / 2;
        s.vertex[v][2] = -CELLS;
    }
    for (uint32_t c = 0; c < CELLS * CELLS; c++) {
        const uint32_t a = c / CELLS * CORNERS + c % CELLS, b = a + 1, d = a + CORNERS, e = d + 1;
        memcpy(s.triangle[2 * c], ((uint32_t[]){a, b, e}), sizeof s.triangle[0]);
        memcpy(s.triangle[2 * c + 1], ((uint32_t[]){a, e, d}), sizeof s.triangle[0]);
    }
    s.camera = (fs_mesh_camera){.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = (float)(2 * atan(0.5))};
    for (int axis = 0; axis < 3; axis++) {
        s.low[axis] = axis < 2 ? -CELLS / 2 : -CELLS;
        s.high[axis] = axis < 2 ? CELLS / 2 : -CELLS;
    }
    treelet_stage *stage = treelet_stage_of(s, arena);
    const uint64_t side = CELLS >> level,
                   n = 2 * side * CELLS; /* strips: of equal planes the first axis' is taken */
    treelet_stage_cut(
        stage, (fs_treelet_params){.most_bytes = 24 * (2 * n - 1) + 6 * n + 12 * (side + 1) * CORNERS});
    return stage;
}

void treelet_stage_walk(const treelet_stage *s, const fs_itineraries_params *params, fs_itineraries *its,
                        fs_walk_path *paths) {
    fs_error err = {.status = FS_OK};
    assert_ok(fs_itineraries_walk(&s->walk, &s->cut, params, its, paths, &err), &err);
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
