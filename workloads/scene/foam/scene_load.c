/* The scene section of an experiment, and the cache of foams: an entry (scene_cache.c) is named by the digest
 * of all that shaped it; one that is not whole is made again. */
#include "sim/base/alloc.h"
#include "sim/base/progress.h"
#include "sim/cli/cli.h"
#include "workloads/foam/scene_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Raised when import, generation or meshing give other foams for the same parameters. */
enum { SCENE_VERSION = 1, FORMAT_FOAM = 1 };

#define S fs_scene_params
#define TRAINED(name, member, unit, def, lo, hi, doc)                                                        \
    FS_PARAM_REAL("generate." name, S, generate.trained.member, unit, def, lo, hi, doc, "", '-',             \
                  FS_TOUCHES_GEOMETRY)
static const fs_param rows[] = {
    FS_PARAM_PATH("file", S, file, "",
                  "PLY of a foam, of Gaussians or of points; without it a scene is generated",
                  "scenes.md 1, SOURCES.md", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_ENUM("import.format", S, import.format, "auto", fs_import_formats,
                  "what the file holds; auto looks at its properties", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("import.max_sites", S, import.max_sites, FS_UNIT_NONE, "0", 0, 500e6,
                 "occupied sites kept, a random subset; 0: all", "SOURCES.md, foam step 3", '-',
                 FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("import.sites_per_point", S, import.sites_per_point, FS_UNIT_NONE, "1", 1, 64,
                 "points of a cloud become so many sites each, on the ways to their neighbours", "", '-',
                 FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("import.min_opacity", S, import.min_opacity, FS_UNIT_NONE, "0.1", 0, 1,
                  "Gaussians of less opacity are dropped", "SOURCES.md, foam step 1", '-',
                  FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("import.point_opacity", S, import.point_opacity, FS_UNIT_NONE, "0.9", 0.001, 0.999,
                  "opacity given to points, which have none", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_ENUM(
        "import.density", S, import.density, "cell", fs_import_densities,
        "extinction so that a ray through the cell, or through the Gaussian itself, meets the opacity",
        "SOURCES.md, foam step 4", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_BOOL("import.empty_sites", S, import.empty_sites, "true",
                  "add empty sites beside the others and in free space", "SOURCES.md, foam step 5", '-',
                  FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("import.scatter", S, import.scatter, FS_UNIT_PERCENT, "50 %", 0, 50,
                  "empty sites scattered in free space, in per cent of the occupied ones",
                  "SOURCES.md, foam step 5", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("import.seed", S, import.seed, FS_UNIT_NONE, "1", 0, 1e15,
                 "of the subset and the scattered empty sites", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_MAT4(
        "import.transform", S, import.transform, import.transform_given, "none",
        "the file's frame into the scene's: rows [s R, t], R a rotation and s > 0, and 0 0 0 1; shards "
        "are cut along the scene's axes",
        "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_ENUM("generate.kind", S, generate.kind, "garden", fs_generate_kinds, "synthetic scene", "", '-',
                  FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("generate.cells", S, generate.cells, FS_UNIT_NONE, "200000", 1000, 5e6,
                 "cells of a synthetic scene", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("generate.seed", S, generate.seed, FS_UNIT_NONE, "1", 0, 1e15, "of a synthetic scene", "",
                 '-', FS_TOUCHES_GEOMETRY),
    TRAINED("opacity", opacity, FS_UNIT_NONE, "1", 0.01, 100,
            "yard, grove, street: extinction of all that is opaque, relative; how deep rays go"),
    TRAINED("scatter", scatter, FS_UNIT_NONE, "0.05", 0.001, 10,
            "yard, grove, street: thickness of the layer of sites on a surface, scene units"),
    TRAINED("tail", tail, FS_UNIT_NONE, "1", 0.1, 10,
            "yard, grove, street: sites thin out as (1 + distance / thickness)^-(1 + tail)"),
    TRAINED("air", air, FS_UNIT_PERCENT, "8 %", 0, 90, "yard, grove, street: share of sites in free space"),
    TRAINED("vegetation", vegetation, FS_UNIT_PERCENT, "25 %", 0, 90,
            "yard, grove, street: share of sites in trees and bushes"),
    TRAINED("background", background, FS_UNIT_PERCENT, "12 %", 1, 90,
            "yard, grove, street: share of sites in the far background"),
    TRAINED("deep", deep, FS_UNIT_NONE, "4", 2, 100,
            "yard, grove, street: spacing and depth of empty sites deep under the ground, scene units"),
    TRAINED("things", things, FS_UNIT_PERCENT, "20 %", 0, 90,
            "yard, grove, street: share of sites on things; the ground takes the rest"),
};
#undef TRAINED
#undef S

const fs_param_table fs_scene_table = {
    .name = "scene",
    .doc = "the foam: read from a file, imported, or generated",
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .size = sizeof(fs_scene_params),
};

/* ---- making ---- */

static fs_status make(const fs_scene_params *params, int threads, fs_foam *out, fs_error *err) {
    fs_sites sites;
    fs_status status;
    if (params->file[0] != '\0') {
        status = fs_scene_import(params->file, &params->import, &sites, err);
    } else {
        fs_say("generating %s, %" PRId64 " cells", fs_generate_kinds[params->generate.kind],
               params->generate.cells);
        status = fs_scene_generate(&params->generate, &sites, err);
    }
    if (status != FS_OK)
        return status;
    fs_say("meshing %" PRIu32 " sites", sites.count);
    status = fs_scene_mesh(&sites, threads, out, err);
    return status;
}

/* ---- the cache ---- */

static fs_status key_of(const fs_scene_params *p, char key[FS_DIGEST_HEX], fs_error *err) {
    char text[1024], file[FS_DIGEST_HEX] = "";
    int length;
    if (p->file[0] != '\0') {
        fs_status status = fs_digest_file(p->file, file, err);
        if (status != FS_OK)
            return status;
        const fs_import_params *i = &p->import;
        length = snprintf(text, sizeof text,
                          "scene %d import %s %" PRId64 " %" PRId64 " %.17g %.17g %" PRId64 " %d %" PRId64
                          " x%" PRId64 " %.17g",
                          SCENE_VERSION, file, i->format, i->max_sites, i->min_opacity, i->point_opacity,
                          i->density, i->empty_sites, i->seed, i->sites_per_point, i->scatter);
        for (int k = 0; k < 12 && i->transform_given; k++)
            length += snprintf(text + length, sizeof text - (size_t)length, " %.17g", i->transform[k]);
    } else {
        length = snprintf(text, sizeof text, "scene %d generate %s %" PRId64 " %" PRId64, SCENE_VERSION,
                          fs_generate_kinds[p->generate.kind], p->generate.cells, p->generate.seed);
        const fs_trained_params *t = &p->generate.trained;
        if (fs_generate_is_trained(p->generate.kind))
            length += snprintf(text + length, sizeof text - (size_t)length,
                               " %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g", t->opacity, t->scatter,
                               t->tail, t->air, t->vegetation, t->background, t->things, t->deep);
    }
    fs_digest_memory(text, (size_t)length, key);
    return FS_OK;
}

/* Makes a folder and those above it; an error shows when the file in it can't be written. */
static void make_folders(char *path) {
    for (char *at = path + 1; *at != '\0'; at++)
        if (*at == '/') {
            *at = '\0';
            mkdir(path, 0777);
            *at = '/';
        }
    mkdir(path, 0777);
}

static char *entry_path(const char *cache_dir, const char *key) {
    size_t size = strlen(cache_dir) + FS_DIGEST_HEX + 32;
    char *path = fs_malloc(size);
    snprintf(path, size, "%s/scenes", cache_dir);
    make_folders(path);
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
        fs_status status = format == 0 ? fs_scene_sniff(params->file, &format, err) : FS_OK;
        if (status != FS_OK)
            return status;
        if (format == FORMAT_FOAM)
            return fs_foam_read_ply(params->file, out, err);
    }
    if (cache_dir == NULL)
        return make(params, threads, out, err);
    char key[FS_DIGEST_HEX];
    fs_status status = key_of(params, key, err);
    if (status != FS_OK)
        return status;
    char *path = entry_path(cache_dir, key);
    if (!read_entry(path, out)) {
        status = make(params, threads, out, err);
        fs_error unwritten = {.status = FS_OK};
        if (status == FS_OK && fs_foam_write_cached(path, out, &unwritten) != FS_OK)
            fs_say("the scene is not cached: %s", unwritten.text); /* the run can go on without */
    }
    free(path);
    return status;
}
