/* Scenes: PLY files and entries of the cache. */
#include "sim/config/config.h"
#include "tests/support/fuzz/targets.h"
#include "workloads/hierarchy/work.h"
#include "workloads/image/camera_file.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/foam/scene_file.h"
#include "workloads/scene/mesh/files_private.h"
#include "workloads/scene/mesh/mesh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool lists(const fs_foam *foam, uint32_t i, uint32_t j) {
    for (uint64_t k = fs_foam_begin(foam, i); k < foam->adjacency_end[i]; k++)
        if (foam->adjacency[k] == j)
            return true;
    return false;
}

/* A foam that was read is one. */
static void assert_foam(const fs_foam *foam) {
    for (uint32_t i = 0; i < foam->sites; i++) {
        if (foam->adjacency_end[i] < fs_foam_begin(foam, i) || foam->adjacency_end[i] > foam->faces)
            abort();
        for (uint64_t k = fs_foam_begin(foam, i); k < foam->adjacency_end[i]; k++)
            if (foam->adjacency[k] >= foam->sites || foam->adjacency[k] == i)
                abort();
    }
    for (uint32_t i = 0; i < foam->sites; i++)
        for (uint64_t k = fs_foam_begin(foam, i); k < foam->adjacency_end[i]; k++)
            if (!lists(foam, foam->adjacency[k], i))
                abort();
}

void fuzz_foam(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_foam foam;
    fuzz_check(fs_foam_read_ply(fuzz_file("foam.ply", data, size), &foam, &err), &err);
    assert_foam(&foam);
    fs_foam_free(&foam);
}

void fuzz_cloud(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_sites sites = {0};
    fs_arena *arena = fs_arena_create();
    fs_scene_params params;
    fs_params_default(arena, &fs_foam_scene_table, &params);
    if (fs_scene_import(fuzz_file("cloud.ply", data, size), &params.import, &sites, &err) == FS_OK)
        fs_sites_free(&sites);
    fuzz_check(err.status, &err);
    fs_arena_free(arena);
}

/* The first byte says which format. What was read is a scene: every index in range, every number finite. */
void fuzz_mesh(const uint8_t *data, size_t size) {
    static const char *const names[] = {"mesh.glb", "mesh.dae", "mesh.obj", "mesh.ply"};
    if (size == 0)
        return;
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene_params params;
    fs_mesh_scene scene;
    fs_params_default(arena, &fs_mesh_scene_table, &params);
    params.file = fuzz_file(names[data[0] % 4], data + 1, size - 1);
    fs_status status = fs_mesh_scene_load(&params, arena, &scene, &err);
    fuzz_check(status, &err);
    for (uint32_t i = 0; status == FS_OK && i < scene.triangles; i++)
        for (int k = 0; k < 3; k++)
            if (scene.triangle[i][k] >= scene.vertices || scene.mesh_of[i] >= scene.meshes ||
                !isfinite(scene.vertex[scene.triangle[i][k]][k]))
                abort();
    for (uint32_t m = 0; status == FS_OK && m < scene.meshes; m++)
        if (scene.mesh[m].material >= scene.materials)
            abort();
    fs_arena_free(arena);
}

/* The first byte says which format, as above; what passes is asked for its camera and materials. */
void fuzz_format(const uint8_t *data, size_t size) {
    if (size < 2)
        return;
    static fs_error err;
    err = (fs_error){.status = FS_OK};
    fs_mesh_source file = {.path = fuzz_path("mesh"), .format = (fs_mesh_format)(data[0] % 4)};
    fs_mesh_append(&file.bytes, (const char *)data + 1, size - 1);
    const fs_status status = fs_mesh_check(&file, &err);
    fuzz_check(status, &err);
    fs_mesh_camera camera;
    fs_mesh_dae_camera seen;
    fs_material material[2] = {{{0}, {0}, 1, FS_MATERIAL_DIFFUSE}};
    bool found;
    if (status == FS_OK && file.format == FS_MESH_GLB) {
        fuzz_check(fs_mesh_glb_camera(file.path, &file.bytes, &camera, &found, &err), &err);
        fs_mesh_glb_materials(&file.bytes, material, 2);
    } else if (status == FS_OK && file.format == FS_MESH_DAE) {
        fuzz_check(fs_mesh_find_dae_camera(file.path, &file.bytes, &seen, &err), &err);
    }
    free(file.bytes.data);
    free(file.side.data);
}

void fuzz_raylist(const uint8_t *data, size_t size) {
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_hierarchy_rays rays;
    fuzz_check(fs_hierarchy_rays_read(fuzz_file("rays.txt", data, size), arena, &rays, &err), &err);
    fs_arena_free(arena);
}

void fuzz_cache(const uint8_t *data, size_t size) {
    fs_foam foam;
    if (fs_foam_read_cached(fuzz_file("a.foam", data, size), &foam))
        assert_foam(&foam);
    fs_foam_free(&foam);
}

/* Takes `bytes` bytes of the data, then zeros. */
static void *take(const uint8_t **data, size_t *size, size_t bytes) {
    uint8_t *to = calloc(bytes + 1, 1);
    const size_t there = *size < bytes ? *size : bytes;
    if (to == NULL)
        abort();
    if (there > 0)
        memcpy(to, *data, there);
    *data += there;
    *size -= there;
    return to;
}

void fuzz_entry(const uint8_t *data, size_t size) {
    if (size < 2)
        return;
    fs_error err = {0};
    const uint32_t n = data[0] % 32u, faces = data[1];
    data += 2;
    size -= 2;
    fs_foam foam = {.sites = n, .faces = faces}, back;
    foam.adjacency_end = take(&data, &size, n * sizeof *foam.adjacency_end);
    foam.adjacency = take(&data, &size, faces * sizeof *foam.adjacency);
    foam.x = take(&data, &size, n * sizeof *foam.x);
    foam.y = take(&data, &size, n * sizeof *foam.y);
    foam.z = take(&data, &size, n * sizeof *foam.z);
    foam.density = take(&data, &size, n * sizeof *foam.density);
    foam.rgb = take(&data, &size, 3 * (size_t)n);
    memset(foam.digest, 'a', FS_DIGEST_HEX - 1);
    fuzz_check(fs_foam_write_cached(fuzz_path("entry.foam"), &foam, &err), &err);
    if (fs_foam_read_cached(fuzz_path("entry.foam"), &back))
        assert_foam(&back);
    fs_foam_free(&back);
    fs_foam_free(&foam);
}

/* A file of cameras, in COLMAP's folders beside a right one. */
void fuzz_cameras(const uint8_t *data, size_t size) {
    static const char lens[] = "1 PINHOLE 640 480 500 500 320 240\n", image[] = "1 1 0 0 0 0 0 2 1 a.jpg\n\n";
    /* One camera, of number 1: SIMPLE_PINHOLE, 640 x 480, focal length 1. An image of it at (0, 0, 0), with
     * an empty name and no points; its words are those of an unaligned file. */
    static const uint64_t lenses[] = {1, 1, 640, 480, 0x3ff0000000000000, 0, 0},
                          images[] = {1, 1, 0x3ff00000, 0, 0, 0, 0, 0, 0x100000000, 0, 0};
    static const struct {
        const char *name, *beside;
        const void *right;
        size_t bytes;
    } files[] = {{"cameras/transforms.json", NULL, NULL, 0},
                 {"cameras/cameras.txt", "cameras/images.txt", image, sizeof image - 1},
                 {"cameras/images.txt", "cameras/cameras.txt", lens, sizeof lens - 1},
                 {"cameras/cameras.bin", "cameras/images.bin", images, 8 + 4 + 56 + 4 + 1 + 8},
                 {"cameras/images.bin", "cameras/cameras.bin", lenses, sizeof lenses}};
    const unsigned which = size > 0 ? data[0] % 5U : 0;
    fs_error err = {0};
    fs_arena *arena = fs_arena_create();
    fs_camera_list list = {0};
    fuzz_clear("cameras");
    if (mkdir(fuzz_path("cameras"), 0700) != 0 && errno != EEXIST)
        abort();
    if (files[which].beside != NULL)
        fuzz_file(files[which].beside, files[which].right, files[which].bytes);
    const char *path = fuzz_file(files[which].name, data + (size > 0), size - (size > 0));
    fuzz_check(fs_cameras_read(which == 0 ? path : fuzz_path("cameras"), arena, &list, &err), &err);
    for (size_t i = 0; err.status == FS_OK && i < list.count; i++) {
        fs_camera made;
        fs_error none = {0};
        if (list.camera[i].name == NULL || fs_camera_make(&list.camera[i].params, "it", &made, &none))
            abort();
    }
    fs_arena_free(arena);
}
