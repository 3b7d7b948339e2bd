/* foamsim scene generate, foamsim scene import: a foam PLY from parameters or from points. */
#include "sim/cli/options.h"
#include "sim/host/voice.h"
#include "sim/yaml/words.h"
#include "workloads/foam/commands/cmd_scene.h"
#include "workloads/scene/foam/foam_scene.h"

#include <inttypes.h>
#include <omp.h>
#include <string.h>

typedef struct request {
    const char *in; /* KIND or file */
    const char *out, *density;
    bool no_empty, help;
    int64_t threads;
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

static fs_status mesh_and_write(const request *r, fs_sites *sites, fs_error *err) {
    fs_foam foam;
    fs_status status = fs_scene_mesh(sites, (int)r->threads, &foam, err);
    if (status != FS_OK)
        return status;
    status = fs_foam_write_ply(r->out, &foam, err);
    if (status == FS_OK)
        fs_say("%s: %" PRIu32 " cells, %" PRIu64 " faces, sha256 %s", r->out, foam.sites, foam.faces,
               foam.digest);
    fs_foam_free(&foam);
    return status;
}

/* ---- generate ---- */

#define SEED_OPTION(p)                                                                                       \
    FS_OPTION_INT("seed", 's', "S", "of the random numbers (1)", &(p)->seed, 0, INT64_C(1000000000000000))
#define THREADS_OPTION(r)                                                                                    \
    FS_OPTION_INT("threads", 't', "N", "host threads (all cores)", &(r)->threads, 1, 1024)

/* Options, and the one word that both commands take. */
static fs_status parse_one(const fs_cli *cli, const char *usage, const fs_option *options, size_t count,
                           int argc, char **argv, request *r, fs_error *err) {
    int args = 0;
    const fs_status status =
        fs_options_parse(cli, usage, options, count, argc, argv, 1, 1, &args, &r->help, err);
    if (status || r->help)
        return status;
    r->in = argv[0];
    return r->out != NULL ? FS_OK : fs_fail(err, FS_INPUT, "expected --output FILE.ply: where the foam goes");
}

static fs_status parse_generate(const fs_cli *cli, int argc, char **argv, request *r, fs_generate_params *p,
                                fs_error *err) {
    const fs_option options[] = {
        FS_OPTION_INT("cells", 'n', "N", "cells, 1000 ... 5000000 (200000)", &p->cells, 1000, 5000000),
        SEED_OPTION(p),
        FS_OPTION("output", 'o', "FILE", "foam PLY to write", &r->out),
        THREADS_OPTION(r),
    };
    return parse_one(cli,
                     "scene generate KIND --output FILE.ply [options]\n"
                     "Makes a synthetic scene: garden, room, uniform, shell, yard, grove or street.",
                     options, sizeof options / sizeof options[0], argc, argv, r, err);
}

fs_status fs_cmd_scene_generate(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    request r = {.threads = omp_get_max_threads()};
    fs_generate_params params = {.cells = 200000, .seed = 1, .trained = fs_trained_defaults};
    fs_sites sites;
    if (parse_generate(cli, argc, argv, &r, &params, err) || r.help ||
        choice("scene kind", r.in, fs_generate_kinds, &params.kind, err))
        return err->status;
    fs_say("generating %s, %" PRId64 " cells", r.in, params.cells);
    if (fs_scene_generate(&params, &sites, err))
        return err->status;
    return mesh_and_write(&r, &sites, err);
}

/* ---- import ---- */

static fs_status parse_import(const fs_cli *cli, int argc, char **argv, request *r, fs_import_params *p,
                              fs_error *err) {
    const fs_option options[] = {
        FS_OPTION("output", 'o', "FILE", "foam PLY to write", &r->out),
        FS_OPTION_INT("max-sites", 0, "N", "occupied sites kept, a random subset (0: all)", &p->max_sites, 0,
                      500000000),
        FS_OPTION_REAL("min-opacity", 0, "A", "fainter Gaussians are dropped (0.1)", &p->min_opacity, 0, 1),
        FS_OPTION_REAL("point-opacity", 0, "A", "opacity given to points (0.9)", &p->point_opacity, 0.001,
                       0.999),
        FS_OPTION_INT("sites-per-point", 0, "N",
                      "a point becomes so many sites, on the ways to its neighbours (1)", &p->sites_per_point,
                      1, 64),
        FS_OPTION("density", 0, "RULE", "opacity of the cell or of the gaussian (cell)", &r->density),
        FS_FLAG("no-empty", 0, "add no empty sites", &r->no_empty),
        SEED_OPTION(p),
        THREADS_OPTION(r),
    };
    return parse_one(cli,
                     "scene import IN.ply --output FILE.ply [options]\n"
                     "Makes a foam of 3D Gaussians or of a point cloud.",
                     options, sizeof options / sizeof options[0], argc, argv, r, err);
}

fs_status fs_cmd_scene_import(const fs_cli *cli, int argc, char **argv, fs_error *err) {
    request r = {.threads = omp_get_max_threads()};
    fs_import_params params = {
        .min_opacity = 0.1, .scatter = 50, .point_opacity = 0.9, .seed = 1, .sites_per_point = 1};
    fs_sites sites;
    if (parse_import(cli, argc, argv, &r, &params, err) || r.help ||
        (r.density != NULL && choice("--density", r.density, fs_import_densities, &params.density, err)))
        return err->status;
    params.empty_sites = !r.no_empty;
    if (fs_scene_import(r.in, &params, &sites, err))
        return err->status;
    return mesh_and_write(&r, &sites, err);
}
