/* The scene section of an experiment, and the cache of foams: an entry (scene_cache.c) is named by the digest
 * of all that shaped it; one that is not whole is made again. */
#include "sim/base/alloc.h"
#include "sim/base/numbers.h"
#include "sim/config/config.h"
#include "sim/host/voice.h"
#include "workloads/scene/files/captured.h"
#include "workloads/scene/foam/grow.h"
#include "workloads/scene/foam/scene_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Raised when import, generation or meshing, or growth, give other foams for the same parameters. */
enum { SCENE_VERSION = 1, GROWTH_VERSION = 3 };

#define S          fs_scene_params
#define FS_ROWS_OF S
#define TRAINED(member, ...)                                                                                 \
    FS_PARAM_REAL("generate." #member, S, generate.trained.member, __VA_ARGS__, GEOMETRY)
static const fs_param rows[] = {
    FS_PATH(file, "", "PLY of a foam, of Gaussians or of points; without it a scene is generated", GEOMETRY,
            .from = {"scenes.md 1, scenes.md 4", '-'}),
    FS_ENUM(import.format, "auto", fs_import_formats, "what the file holds; auto looks at its properties",
            GEOMETRY),
    FS_INT(import.max_sites, NONE, "0", 0, 500e6, "occupied sites kept, a random subset; 0: all", GEOMETRY,
           .from = {"scenes.md 3, step 3", '-'}),
    FS_INT(import.sites_per_point, NONE, "1", 1, 64,
           "points of a cloud become so many sites each, on the ways to their neighbours", GEOMETRY),
    FS_REAL(import.min_opacity, NONE, "0.1", 0, 1, "Gaussians of less opacity are dropped", GEOMETRY,
            .from = {"scenes.md 3, step 1", '-'}),
    FS_REAL(import.point_opacity, NONE, "0.9", 0.001, 0.999, "opacity given to points, which have none",
            GEOMETRY),
    FS_ENUM(import.density, "cell", fs_import_densities,
            "extinction so that a ray through the cell, or through the Gaussian itself, meets the opacity",
            GEOMETRY, .from = {"scenes.md 3, step 4", '-'}),
    FS_BOOL(import.empty_sites, "true", "add empty sites beside the others and in free space", GEOMETRY,
            .from = {"scenes.md 3, step 5", '-'}),
    FS_REAL(import.scatter, PERCENT, "50 %", 0, 50,
            "empty sites scattered in free space, in per cent of the occupied ones", GEOMETRY,
            .from = {"scenes.md 3, step 5", '-'}),
    FS_INT(import.background, NONE, "0", 0, 1e6,
           "opaque sites around all points, with as many empty ones behind them: no ray meets nothing",
           GEOMETRY),
    FS_INT(import.seed, NONE, "1", 0, 1e15, "of the subset and the scattered empty sites", GEOMETRY),
    FS_INT(import.grow.sites, NONE, "0", 0, 8e6,
           "a foam is grown from the points as a trained one grows, to so many sites; 0: none grows",
           GEOMETRY, .from = {"garden_view.md 3", 'R'}),
    FS_REAL(import.grow.factor, NONE, "1.15", 1.01, 4, "sites after a round of growth over those before it",
            GEOMETRY, .from = {"garden_view.md 3", 'R'}),
    FS_REAL(import.grow.air, NONE, "0.03", 0, 10,
            "weight as parents of seen empty sites that touch no surface, over those that do", GEOMETRY,
            .from = {"garden_view.md 4", 'A'}),
    FS_PATH(import.grow.cameras, "",
            "the capture's pictures, in the frame of the points' file: a folder of COLMAP or a "
            "transforms.json; what they "
            "see through is empty. Without it pictures stand on rings",
            GEOMETRY, .from = {"garden_view.md 4", '-'}),
    FS_INT(import.grow.pictures, NONE, "8", 1, 10, "on each of three rings around the middle", GEOMETRY,
           .from = {"garden_view.md 4", 'A'}),
    FS_VEC3(import.grow.rings, NONE, "[10, 18, 26]", -89, 89,
            "the rings, degrees above the level of the middle", GEOMETRY),
    FS_VEC3(import.grow.centre, NONE, "none", -1e30, 1e30,
            "what the pictures look at; the middle of the points if absent", GEOMETRY),
    FS_VEC3(import.grow.up, NONE, "none", -1e30, 1e30, "the axis of the rings; z if absent", GEOMETRY),
    FS_REAL(import.grow.distance, NONE, "0", 0, 1e30,
            "of the pictures from the middle, scene units; 0: the median distance of the points", GEOMETRY),
    FS_MAT4(import.transform, "none",
            "the file's frame into the scene's: rows [s R, t], R a rotation and s > 0, and 0 0 0 1; shards "
            "are cut along the scene's axes",
            GEOMETRY),
    FS_ENUM(generate.kind, "garden", fs_generate_kinds, "synthetic scene", GEOMETRY),
    FS_INT(generate.cells, NONE, "200000", 1000, 5e6, "cells of a synthetic scene", GEOMETRY),
    FS_INT(generate.seed, NONE, "1", 0, 1e15, "of a synthetic scene", GEOMETRY),
    TRAINED(opacity, NONE, "1", 0.01, 100,
            "yard, grove, street: extinction of all that is opaque, relative; how deep rays go"),
    TRAINED(scatter, NONE, "0.05", 0.001, 10,
            "yard, grove, street: thickness of the layer of sites on a surface, scene units"),
    TRAINED(tail, NONE, "1", 0.1, 10,
            "yard, grove, street: sites thin out as (1 + distance / thickness)^-(1 + tail)"),
    TRAINED(air, PERCENT, "8 %", 0, 90, "yard, grove, street: share of sites in free space"),
    TRAINED(vegetation, PERCENT, "25 %", 0, 90, "yard, grove, street: share of sites in trees and bushes"),
    TRAINED(background, PERCENT, "12 %", 1, 90, "yard, grove, street: share of sites in the far background"),
    TRAINED(deep, NONE, "4", 2, 100,
            "yard, grove, street: spacing and depth of empty sites deep under the ground, scene units"),
    TRAINED(things, PERCENT, "20 %", 0, 90,
            "yard, grove, street: share of sites on things; the ground takes the rest"),
};
#undef TRAINED

/* A camera's numbers into `out`, or nowhere. */
static fs_status read_cameras(const char *path, FILE *out, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_camera_list list;
    if (!fs_carve_cameras(path, arena, &list, err) && out != NULL)
        for (size_t i = 0; i < list.count; i++) {
            const fs_camera_params *c = &list.camera[i].params;
            fprintf(out, "%" PRId64 " %" PRId64 " %a %a %a %a", c->width, c->height, c->intrinsics_fx,
                    c->intrinsics_fy, c->intrinsics_cx, c->intrinsics_cy);
            for (int k = 0; k < 12; k++)
                fprintf(out, "%c%a", k == 0 ? ':' : ' ', c->world_to_camera[k]);
            fputc('\n', out);
        }
    fs_arena_free(arena);
    return err->status;
}

static void check(const void *params, fs_check *check) {
    const fs_scene_params *scene = params;
    const fs_grow_params *grow = &scene->import.grow;
    fs_error why = {0};
    fs_check_file(check, "scene.file", scene->file, FS_SCENE_CAPTURED);
    if (grow->up_given && !(fabs(grow->up[0]) + fabs(grow->up[1]) + fabs(grow->up[2]) > 1e-30))
        fs_check_wrong(check, "scene.import.grow.up", "expected a direction, found [%g, %g, %g]", grow->up[0],
                       grow->up[1], grow->up[2]);
    if (grow->cameras[0] == '\0')
        return;
    if (grow->centre_given || grow->up_given || grow->distance > 0)
        fs_check_wrong(
            check, "scene.import.grow.cameras",
            "expected no centre, up or distance beside it: the pictures stand where the cameras are");
    if (read_cameras(grow->cameras, NULL, &why))
        fs_check_wrong(check, "scene.import.grow.cameras", "%s", why.text);
}

const fs_param_table fs_foam_scene_table =
    FS_PARAM_TABLE("scene", "the foam: read from a file, imported, or generated", rows,
                   sizeof(fs_scene_params), .check = check);

/* ---- making ---- */

static fs_status make(const fs_scene_params *params, int threads, fs_foam *out, fs_error *err) {
    fs_sites sites;
    if (params->file[0] != '\0') {
        fs_scene_import(params->file, &params->import, &sites, err);
    } else {
        fs_say("generating %s, %s cells", fs_generate_kinds[params->generate.kind],
               fs_number_grouped((double)params->generate.cells));
        fs_scene_generate(&params->generate, &sites, err);
    }
    if (err->status)
        return err->status;
    return params->file[0] != '\0' && params->import.grow.sites > 0
               ? fs_scene_grow(&sites, &params->import, threads, out, err)
               : fs_scene_mesh(&sites, threads, out, err);
}

/* ---- the cache ---- */

/* The rows that shape a foam: of an import the file's content and import.*, else generate.*. */
fs_status fs_scene_key(const fs_scene_params *p, char key[FS_DIGEST_HEX], fs_error *err) {
    const bool imports = p->file[0] != '\0';
    char file[FS_DIGEST_HEX] = "";
    if (imports && fs_digest_file(p->file, file, err))
        return err->status;
    fs_scene_params told = *p; /* cameras by what they are, not by where they lie */
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    fprintf(out, "scene %d\n", imports && p->import.grow.sites > 0 ? GROWTH_VERSION : SCENE_VERSION);
    if (imports)
        fprintf(out, "file: sha256 %s\n", file);
    if (imports && p->import.grow.cameras[0] != '\0')
        read_cameras(p->import.grow.cameras, out, err);
    told.import.grow.cameras = "";
    fs_params_write(&fs_foam_scene_table, imports ? "import" : "generate", &told, out);
    fs_digest_stream(&memory, key);
    return err->status;
}

static char *entry_path(const char *cache_dir, const char *key) {
    size_t size = strlen(cache_dir) + FS_DIGEST_HEX + 32;
    char *path = fs_malloc(size);
    snprintf(path, size, "%s/scenes/%s.foam", cache_dir, key);
    return path;
}

static bool read_entry(const char *path, fs_foam *out) {
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    if (fs_foam_read_cached(path, out))
        return true;
    fs_say("%s is damaged: making it again", path);
    return false;
}

fs_status fs_scene_load(const fs_scene_params *params, const char *cache_dir, int threads, fs_foam *out,
                        fs_error *err) {
    *out = (fs_foam){0};
    if (params->file[0] != '\0') {
        int64_t format = params->import.format;
        if (format == FS_IMPORT_AUTO && fs_scene_sniff(params->file, &format, err))
            return err->status;
        if (format == FS_IMPORT_FOAM)
            return fs_foam_read_ply(params->file, out, err);
    }
    if (cache_dir == NULL)
        return make(params, threads, out, err);
    char key[FS_DIGEST_HEX];
    if (fs_scene_key(params, key, err))
        return err->status;
    char *path = entry_path(cache_dir, key);
    fs_error unwritten = {.status = FS_OK};
    if (!read_entry(path, out) && make(params, threads, out, err) == FS_OK &&
        fs_foam_write_cached(path, out, &unwritten))
        fs_say("the scene is not cached: %s", unwritten.text); /* the run can go on without */
    free(path);
    return err->status;
}

/* ---- foams: ownership and identity ---- */

void fs_foam_free(fs_foam *foam) {
    if (foam == NULL)
        return;
    free(foam->x);
    free(foam->y);
    free(foam->z);
    free(foam->density);
    free(foam->rgb);
    free(foam->adjacency_end);
    free(foam->adjacency);
    free(foam->harmonics);
    *foam = (fs_foam){0};
}

void fs_foam_seal(fs_foam *foam) {
    fs_digest d;
    uint64_t shape[2] = {foam->sites, foam->faces};
    fs_digest_begin(&d);
    fs_digest_add(&d, shape, sizeof shape);
    fs_digest_add(&d, foam->x, foam->sites * sizeof *foam->x);
    fs_digest_add(&d, foam->y, foam->sites * sizeof *foam->y);
    fs_digest_add(&d, foam->z, foam->sites * sizeof *foam->z);
    fs_digest_add(&d, foam->density, foam->sites * sizeof *foam->density);
    fs_digest_add(&d, foam->rgb, (size_t)foam->sites * 3);
    fs_digest_add(&d, foam->adjacency_end, foam->sites * sizeof *foam->adjacency_end);
    fs_digest_add(&d, foam->adjacency, foam->faces * sizeof *foam->adjacency);
    fs_digest_end(&d, foam->digest);
}
