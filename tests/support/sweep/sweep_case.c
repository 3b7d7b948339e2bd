#include "tests/support/sweep/sweep_case.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *key_of(fs_arena *arena, size_t i) {
    return fs_arena_printf(arena, "%08zx%056zx", i * 2654435761u % 4294967296u, i);
}

sweep_case *sweep_case_cross(fs_arena *arena, const size_t *levels, size_t axes,
                             sweep_case_figure *const *figures, size_t objectives) {
    sweep_case *c = FS_NEW(arena, sweep_case, 1);
    size_t points = 1, at[8] = {0};
    const char **axis = FS_NEW(arena, const char *, axes + 1);
    fs_store_objective *objective = FS_NEW(arena, fs_store_objective, objectives + 1);
    for (size_t a = 0; a < axes; a++) {
        points *= levels[a];
        axis[a] = fs_arena_printf(arena, "x.%c", (char)('a' + a));
    }
    for (size_t k = 0; k < objectives; k++)
        objective[k].figure = fs_arena_printf(arena, "f%zu", k);
    c->point = FS_NEW(arena, fs_store_point, points + 1);
    c->setting = FS_NEW(arena, fs_store_setting, points * axes + 1);
    c->figure = FS_NEW(arena, fs_store_figure, points * objectives + 1);
    for (size_t p = 0; p < points; p++) {
        size_t rest = p;
        for (size_t a = axes; a-- > 0; rest /= levels[a])
            at[a] = rest % levels[a];
        for (size_t a = 0; a < axes; a++)
            c->setting[p * axes + a] =
                (fs_store_setting){fs_arena_printf(arena, "%zu", at[a]), (double)at[a]};
        for (size_t k = 0; k < objectives; k++)
            c->figure[p * objectives + k] =
                (fs_store_figure){.name = objective[k].figure, .unit = "s", .number = figures[k](at)};
        c->point[p] = (fs_store_point){.key = key_of(arena, p),
                                       .label = fs_arena_printf(arena, "point %zu", p),
                                       .settings = c->setting + p * axes,
                                       .status = "done",
                                       .error = "",
                                       .layer = "run",
                                       .version = "",
                                       .host = "",
                                       .figures = c->figure + p * objectives,
                                       .figure_count = objectives,
                                       .feasible = true};
    }
    c->sweep = (fs_store_sweep){.name = "cross",
                                .text = "",
                                .axes = axis,
                                .axis_count = axes,
                                .objectives = objective,
                                .objective_count = objectives,
                                .points = c->point,
                                .point_count = points};
    return c;
}

/* ---- a store ---- */

enum { KINDS = 5, WIDTHS = 4, PAYLOADS = 2, BATCHES = 5 };

static const char *const kinds[KINDS] = {"quadtree", "fat_tree", "tree", "mesh", "direct"};
static const char *const widths[WIDTHS] = {"1", "2", "4", "8"};
static const char *const payloads[PAYLOADS] = {"fp32", "fp16"};
static const char *const batches[BATCHES] = {"1", "2", "4", "8", "16"};

static double seconds(size_t kind, double width, bool half, double batch, double idle) {
    static const double base[KINDS] = {3.1e-3, 2.4e-3, 4.4e-3, 6.1e-3, 5.2e-3};
    static const double wide[KINDS] = {0.25, 0.1, 0.5, 0.05, 0};
    double crowd = batch / width;
    return base[kind] * (1 + wide[kind] / width) * (half ? 0.92 : 1) * (0.8 + 0.9 / batch + 0.06 * crowd) +
           1e-6 * idle;
}

static json_t *result(const char *key, size_t kind, double width, bool half, double batch, double idle) {
    double bytes =
        (kind == 3 ? 420e3 : 300e3) + 14e3 * width * (half ? 0.6 : 1) * (kind == 4 ? 2 : 1) + 9e3 * batch;
    return json_pack("{s:s, s:s, s:s, s:{s:{s:f}, s:{s:f, s:b}, s:{s:f}}, s:{s:s, s:s, s:i, s:f}}", "key",
                     key, "status", "done", "layer",
                     idle > 0   ? "price"
                     : kind < 3 ? "replay"
                                : "run",
                     "summary", "device", "seconds", seconds(kind, width, half, batch, idle), "memory",
                     "peak_bytes", bytes, "fits", bytes < 500e3, "image", "psnr_db", half ? 41.5 : 62.0,
                     "host", "name", "host-a", "version", "0.1.0", "model_version", 1, "wall_seconds", 1.5);
}

fs_status sweep_case_store(const char *path, const char *resolved, size_t idles, size_t open, fs_error *err) {
    static const char *const axes[] = {"overlay.kind", "overlay.widths", "workload.payload",
                                       "workload.batching.per_batch", "workload.batching.idle"};
    static const fs_store_objective objectives[] = {{"device.seconds", false}, {"memory.peak_bytes", false}};
    static const fs_store_constraint constraints[] = {
        {.figure = "memory.fits", .op = FS_STORE_EQUALS, .number = 1},
        {.figure = "image.psnr_db", .op = FS_STORE_AT_LEAST, .number = 40}};
    fs_arena *arena = fs_arena_create();
    size_t count = KINDS * WIDTHS * PAYLOADS * BATCHES * idles;
    fs_store_point *point = FS_NEW(arena, fs_store_point, count);
    fs_store_setting *setting = FS_NEW(arena, fs_store_setting, count * 5);
    size_t *at = FS_NEW(arena, size_t, count * 5);
    for (size_t i = 0; i < count; i++) {
        fs_store_setting *s = &setting[5 * i];
        size_t *k = &at[5 * i];
        k[0] = i / (idles * BATCHES * PAYLOADS * WIDTHS), k[1] = i / (idles * BATCHES * PAYLOADS) % WIDTHS;
        k[2] = i / (idles * BATCHES) % PAYLOADS, k[3] = i / idles % BATCHES, k[4] = i % idles;
        s[0] = (fs_store_setting){kinds[k[0]], (double)NAN};
        s[1] = (fs_store_setting){widths[k[1]], strtod(widths[k[1]], NULL)};
        s[2] = (fs_store_setting){payloads[k[2]], (double)NAN};
        s[3] = (fs_store_setting){batches[k[3]], strtod(batches[k[3]], NULL)};
        s[4] = (fs_store_setting){fs_arena_printf(arena, "%zu", 10 * k[4]), 10 * (double)k[4]};
        bool wrong = k[0] == 4 && k[1] == 3; /* too many lanes */
        point[i] = (fs_store_point){
            .key = key_of(arena, i),
            .label =
                fs_arena_printf(arena, "overlay.kind=%s overlay.widths=%s payload=%s per_batch=%s idle=%s",
                                s[0].value, s[1].value, s[2].value, s[3].value, s[4].value),
            .geometry_key = wrong ? "" : key_of(arena, 1),
            .traffic_key = wrong ? "" : key_of(arena, 2),
            .resolved = wrong ? "" : resolved,
            .settings = s,
            .status = wrong ? "failed" : "pending",
            .error =
                wrong ? fs_arena_printf(arena, "overlay direct: %zu lanes of <tile> 3, at most 240", 260 + i)
                      : ""};
    }
    const fs_store_sweep sweep = {
        .name = "overlays",
        .text = "name: overlays\nbase: demo\naxes:\n  - { key: overlay.kind, values: [quadtree, "
                "fat_tree, tree, mesh, direct] }\n",
        .axes = axes,
        .axis_count = 5,
        .objectives = objectives,
        .objective_count = 2,
        .constraints = constraints,
        .constraint_count = 2,
        .points = point,
        .point_count = count};
    fs_store *store = NULL;
    fs_status status = fs_store_open(path, FS_STORE_WRITE, &store, err);
    if (status == FS_OK) {
        fs_store_units(store, fs_registry_stats);
        status = fs_store_begin(store, err);
    }
    if (status == FS_OK)
        status = fs_store_put_sweep(store, &sweep, err);
    for (size_t i = 0; i + open < count && status == FS_OK; i++) {
        const size_t *k = &at[5 * i];
        if (strcmp(point[i].status, "failed") == 0)
            continue;
        json_t *r = result(point[i].key, k[0], strtod(widths[k[1]], NULL), k[2] == 1,
                           strtod(batches[k[3]], NULL), 10 * (double)k[4]);
        status = fs_store_finish(store, r, err);
        json_decref(r);
    }
    if (status == FS_OK)
        status = fs_store_commit(store, err);
    fs_store_close(store);
    fs_arena_free(arena);
    return status;
}
