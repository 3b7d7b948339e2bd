/* foamsim scene generate, foamsim scene import: a foam PLY from parameters or from points. */
#include "sim/host/voice.h"
#include "sim/yaml/paths.h"
#include "sim/yaml/words.h"
#include "workloads/foam/commands/cmd_scene_input.h"

#include <inttypes.h>
#include <string.h>

typedef struct request {
    fs_scene_input input; /* file: KIND or points */
    const char *density;
    bool no_empty;
    fs_generate_params generate;
    fs_import_params import;
} request;

/* The index of a word in a list of choices. */
static fs_status choice(const char *what, const char *word, const char *const *words, int64_t *out,
                        fs_error *err) {
    for (int64_t i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return FS_OK;
        }
    return fs_fail(err, FS_INPUT, "%s: no \"%s\"%s", what, word, FS_MEANT(word, words));
}

static fs_status write_foam(request *r, fs_error *err) {
    const fs_foam *foam = &r->input.foam;
    if (fs_foam_write_ply(r->input.out, foam, err))
        return err->status;
    fs_say("%s: %" PRIu32 " cells, %" PRIu64 " faces, sha256 %s", r->input.out, foam->sites, foam->faces,
           foam->digest);
    return FS_OK;
}

static fs_status mesh_and_write(request *r, fs_sites *sites, fs_error *err) {
    return fs_scene_mesh(sites, r->input.host.threads, &r->input.foam, err) ? err->status
                                                                            : write_foam(r, err);
}

#define SEED_OPTION(p)                                                                                       \
    FS_OPTION_INT("seed", 's', "S", "of the random numbers (1)", &(p)->seed, 0, INT64_C(1000000000000000))

/* ---- generate ---- */

static fs_status generate(void *self, fs_error *err) {
    request *r = self;
    fs_sites sites;
    if (choice("scene kind", r->input.file, fs_generate_kinds, &r->generate.kind, err))
        return err->status;
    fs_say("generating %s, %" PRId64 " cells", r->input.file, r->generate.cells);
    return fs_scene_generate(&r->generate, &sites, err) ? err->status : mesh_and_write(r, &sites, err);
}

fs_status fs_cmd_scene_generate(fs_command_line *call, fs_error *err) {
    request r = {.generate = {.cells = 200000, .seed = 1, .trained = fs_trained_defaults}};
    const fs_option options[] = {
        FS_OPTION_INT("cells", 'n', "N", "cells, 1000 ... 5000000 (200000)", &r.generate.cells, 1000,
                      5000000),
        SEED_OPTION(&r.generate),
        FS_OPTION("output", 'o', "FILE", "foam PLY to write", &r.input.out),
    };
    static const char usage[] =
        "scene generate KIND --output FILE.ply [options]\n"
        "Makes a synthetic scene: garden, room, uniform, shell, yard, grove or street.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 1, FS_SCENE_THREADS, generate};
    return fs_cmd_input_run(&word, &r, call, err);
}

/* ---- import ---- */

static fs_status import(void *self, fs_error *err) {
    request *r = self;
    fs_sites sites;
    if (r->density != NULL && choice("--density", r->density, fs_import_densities, &r->import.density, err))
        return err->status;
    if (fs_path_ends(r->input.file, ".yaml")) /* says itself how its file is imported, grown perhaps */
        return fs_cmd_input_open(&r->input, err) ? err->status : write_foam(r, err);
    r->import.empty_sites = !r->no_empty;
    return fs_scene_import(r->input.file, &r->import, &sites, err) ? err->status
                                                                   : mesh_and_write(r, &sites, err);
}

fs_status fs_cmd_scene_import(fs_command_line *call, fs_error *err) {
    request r = {
        .import = {.min_opacity = 0.1, .scatter = 50, .point_opacity = 0.9, .seed = 1, .sites_per_point = 1}};
    fs_import_params *p = &r.import;
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE", "foam PLY to write", &r.input.out),
        FS_OPTION_INT("max-sites", 0, "N", "occupied sites kept, a random subset (0: all)", &p->max_sites, 0,
                      500000000),
        FS_OPTION_REAL("min-opacity", 0, "A", "fainter Gaussians are dropped (0.1)", &p->min_opacity, 0, 1),
        FS_OPTION_REAL("point-opacity", 0, "A", "opacity given to points (0.9)", &p->point_opacity, 0.001,
                       0.999),
        FS_OPTION_INT("sites-per-point", 0, "N",
                      "a point becomes so many sites, on the ways to its neighbours (1)", &p->sites_per_point,
                      1, 64),
        FS_OPTION("density", 0, "RULE", "opacity of the cell or of the gaussian (cell)", &r.density),
        FS_FLAG("no-empty", 0, "add no empty sites", &r.no_empty),
        SEED_OPTION(p),
    };
    static const char usage[] =
        "scene import IN.ply --output FILE.ply [options]\n"
        "Makes a foam of 3D Gaussians or of a point cloud; of IN.yaml as that scene's keys have it.";
    const fs_scene_call word = {usage, options, FS_COUNT(options), 1, FS_SCENE_THREADS, import};
    return fs_cmd_input_run(&word, &r, call, err);
}
