/* Recordings of geometry and of activity, and prices from the latter. */
#include "workloads/treelets/run.h"

#include "sim/config/config.h"
#include "sim/workload/recorded.h"
#include "workloads/treelets/treelets.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define G               fs_treelets_geometry
#define NUMBER(n, m)    FS_RECORDED(n, G, m, 0, 0)
#define LEAST(n, m, lo) FS_RECORDED(n, G, m, lo, 0)
static const fs_recorded_number geometry_rows[] = {
    LEAST("nodes", nodes, 1),
    NUMBER("triangles", triangles),
    NUMBER("vertices", vertices),
    FS_RECORDED("materials", G, materials, 0, UINT32_MAX),
    NUMBER("triangles without area", degenerate),
    FS_RECORDED("normals", G, smooth, 0, 1),
    FS_RECORDED("treelets", G, treelets, 1, FS_TREELETS_MOST),
    FS_RECORDED("bytes of the top", G, top_bytes, 0, UINT32_MAX),
    LEAST("bytes of treelets", treelet_bytes, 1),
    LEAST("bytes of the largest treelet", most_bytes, 1),
    LEAST("paths", paths, 1),
    LEAST("segments", segments, 1),
    NUMBER("hits", hits),
    NUMBER("escapes", escapes),
    NUMBER("paths that stopped", stopped),
    NUMBER("visits", visits),
    NUMBER("visits that found", found),
    NUMBER("nodes of paths", path_nodes),
    NUMBER("leaves of paths", leaves),
    NUMBER("nodes of the top", top_nodes),
    NUMBER("shadow rays", shadows),
    NUMBER("shadow rays that met something", blocked),
    NUMBER("entries of a stack", deepest_stack),
    NUMBER("visits of half", half),
    NUMBER("visits of 95 %", most_of_20),
    NUMBER("visits of 99 %", most_of_100),
};
#undef NUMBER
#undef G
#define T            fs_treelets_traffic
#define NUMBER(n, m) FS_RECORDED(n, T, m, 0, 0)
static const fs_recorded_number traffic_rows[] = {
    FS_RECORDED("copies", T, copies, 1, UINT32_MAX),
    FS_RECORDED("most copies", T, most_copies, 1, UINT32_MAX),
    NUMBER("moves", moves),
    NUMBER("hops", hops),
    NUMBER("refusals", refused),
    NUMBER("rings", turned),
    FS_RECORDED("units", T, units, 1, 0),
    NUMBER("deepest", deepest),
    NUMBER("deepest tile", deepest_tile),
};
#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static uint64_t pixels_of(const fs_treelets_run *r) {
    return (uint64_t)r->params->width * (uint64_t)r->params->height;
}

/* ---- geometry ---- */

static fs_status add_geometry(fs_recording_writer *w, const fs_treelets_run *r, fs_error *err) {
    const fs_recorded_section rows[] = {{"treelets", r->cut.of, r->cut.treelets * sizeof *r->cut.of},
                                        {"picture", r->shown.rgb, 3 * pixels_of(r)}};
    return fs_recorded_add_numbers(w, "geometry", geometry_rows, COUNT(geometry_rows), &r->geometry, err) ||
                   fs_recorded_add(w, rows, COUNT(rows), err) || fs_itineraries_add(w, &r->its, err)
               ? err->status
               : FS_OK;
}

fs_status fs_treelets_record_geometry(const fs_treelets_run *r, const char *path, fs_error *err) {
    fs_recording_writer *w = fs_recorded_create(path, FS_RECORDING_ITINERARY, r->of.run.config, err);
    return w == NULL ? err->status : fs_recorded_end(w, add_geometry(w, r, err), err);
}

/* Checksums are right, but whose numbers are they? */
static fs_status check_geometry(const fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    const fs_treelets_geometry *g = &r->geometry;
    if (g->paths != fs_treelets_paths(r->params) || g->hits + g->escapes != g->segments)
        return fs_recording_damaged(
            rec, err, "%" PRIu64 " paths, %" PRIu64 " segments of %" PRIu64 " hits and %" PRIu64 " escapes",
            g->paths, g->segments, g->hits, g->escapes);
    return FS_OK;
}

fs_status fs_treelets_read_geometry(fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    fs_treelets_geometry *g = &r->geometry;
    if (fs_recorded_read_numbers(rec, "geometry", geometry_rows, COUNT(geometry_rows), g, err) ||
        check_geometry(r, rec, err) ||
        FS_RECORDED_TAKE(rec, "treelets", g->treelets, r->of.run.arena, &r->cut.of, err) ||
        fs_recorded_take(rec, "picture", pixels_of(r), 3, r->of.run.arena, (void **)&r->shown.rgb, err) ||
        fs_itineraries_read(rec, &r->its, err))
        return err->status;
    r->cut.treelets = (uint32_t)g->treelets;
    r->cut.top_bytes = g->top_bytes;
    r->cut.bytes = g->treelet_bytes;
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < r->cut.treelets; k++) {
        if (r->cut.of[k].bytes == 0 || r->cut.of[k].bytes > g->most_bytes)
            return fs_recording_damaged(rec, err, "treelet %" PRIu32 " has %" PRIu64 " B", k,
                                        r->cut.of[k].bytes);
        bytes += r->cut.of[k].bytes;
    }
    return bytes == g->treelet_bytes && r->its.paths == g->paths && r->its.treelets == g->treelets
               ? FS_OK
               : fs_recording_damaged(rec, err, "%" PRIu64 " B of treelets, %" PRIu64 " paths", bytes,
                                      r->its.paths);
}

/* ---- what is shown ---- */

static fs_status add_shown(fs_recording_writer *w, const fs_treelets_run *r, fs_error *err) {
    fs_treelets_shown shown = r->shown;
    const uint64_t n = r->geometry.treelets, pixels = pixels_of(r);
    const fs_recorded_section rows[] = {{"bounces", shown.bounce, sizeof shown.bounce},
                                        {"treelet_bytes", shown.bytes_of, n * sizeof *shown.bytes_of},
                                        {"treelet_visits", shown.visits_of, n * sizeof *shown.visits_of},
                                        {"treelet_units", shown.units_of, n * sizeof *shown.units_of},
                                        {"treelet_copies", shown.copies_of, n * sizeof *shown.copies_of},
                                        {"picture", shown.rgb, 3 * pixels},
                                        {"treelet_seen", shown.treelet, pixels * sizeof *shown.treelet},
                                        {"pixel_visits", shown.visits, pixels * sizeof *shown.visits}};
    return fs_recorded_add(w, rows, COUNT(rows), err);
}

static fs_status read_shown(fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    fs_arena *arena = r->of.run.arena;
    fs_treelets_shown *shown = &r->shown;
    const uint64_t n = r->geometry.treelets, pixels = pixels_of(r);
    const fs_recorded_section bounces = {"bounces", shown->bounce, sizeof shown->bounce};
    return fs_recorded_read(rec, &bounces, 1, err) ||
                   FS_RECORDED_TAKE(rec, "treelet_bytes", n, arena, &shown->bytes_of, err) ||
                   FS_RECORDED_TAKE(rec, "treelet_visits", n, arena, &shown->visits_of, err) ||
                   FS_RECORDED_TAKE(rec, "treelet_units", n, arena, &shown->units_of, err) ||
                   FS_RECORDED_TAKE(rec, "treelet_copies", n, arena, &shown->copies_of, err) ||
                   fs_recorded_take(rec, "picture", pixels, 3, arena, (void **)&shown->rgb, err) ||
                   FS_RECORDED_TAKE(rec, "treelet_seen", pixels, arena, &shown->treelet, err) ||
                   FS_RECORDED_TAKE(rec, "pixel_visits", pixels, arena, &shown->visits, err)
               ? err->status
               : FS_OK;
}

/* ---- activity ---- */

enum { LOADS = 3 };

static fs_status add_activity(fs_recording_writer *w, const fs_treelets_run *r, fs_error *err) {
    double loads[LOADS] = {r->traffic.treelet_imbalance, r->traffic.treelet_gini, r->traffic.tile_imbalance};
    const fs_recorded_section rows[] = {
        {"loads", loads, sizeof loads},
        {"tile_bytes", (void *)(uintptr_t)r->tile_bytes, r->tiles * sizeof *r->tile_bytes},
        {"tile_units", (void *)(uintptr_t)r->tile_units, r->tiles * sizeof *r->tile_units}};
    return fs_recorded_add_numbers(w, "geometry", geometry_rows, COUNT(geometry_rows), &r->geometry, err) ||
                   fs_recorded_add_numbers(w, "traffic", traffic_rows, COUNT(traffic_rows), &r->traffic,
                                           err) ||
                   fs_recorded_add(w, rows, COUNT(rows), err) || add_shown(w, r, err) ||
                   fs_travelled_write(w, r->activity, err)
               ? err->status
               : FS_OK;
}

fs_status fs_treelets_record_activity(const fs_treelets_run *r, const char *path, fs_error *err) {
    fs_recording_writer *w = fs_recorded_create(path, FS_RECORDING_ACTIVITY, r->of.run.config, err);
    return w == NULL ? err->status : fs_recorded_end(w, add_activity(w, r, err), err);
}

static fs_status check_activity(const fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    const fs_travelled *a = &r->own;
    uint64_t ended = 0;
    for (uint64_t s = 0; s < a->steps; s++)
        ended += a->step[s].ended;
    if (a->steps == 0 || ended != r->geometry.paths)
        return fs_recording_damaged(rec, err, "%" PRIu64 " of %" PRIu64 " paths end in %" PRIu64 " steps",
                                    ended, r->geometry.paths, a->steps);
    for (uint64_t k = 0; k < a->active; k++)
        if (a->tile[k] >= r->tiles)
            return fs_recording_damaged(rec, err, "tile %" PRIu32 " works, and holds no treelets",
                                        a->tile[k]);
    return FS_OK;
}

fs_status fs_treelets_read_activity(fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    const uint32_t all = fs_treelets_travelled(r->params, r->of.machine);
    double loads[LOADS];
    uint64_t *bytes = FS_NEW(r->of.run.arena, uint64_t, r->tiles),
             *units = FS_NEW(r->of.run.arena, uint64_t, r->tiles);
    const fs_recorded_section rows[] = {{"loads", loads, sizeof loads},
                                        {"tile_bytes", bytes, r->tiles * sizeof *bytes},
                                        {"tile_units", units, r->tiles * sizeof *units}};
    r->own.tiles = all;
    r->own.workers = (uint32_t)r->of.machine->tile.workers;
    if (fs_recorded_read_numbers(rec, "geometry", geometry_rows, COUNT(geometry_rows), &r->geometry, err) ||
        fs_recorded_read_numbers(rec, "traffic", traffic_rows, COUNT(traffic_rows), &r->traffic, err) ||
        fs_recorded_read(rec, rows, COUNT(rows), err) || check_geometry(r, rec, err) ||
        read_shown(r, rec, err) || fs_travelled_read(rec, &r->own, err) || check_activity(r, rec, err))
        return err->status;
    for (int i = 0; i < LOADS; i++)
        if (!isfinite(loads[i]))
            return fs_recording_damaged(rec, err, "a load of %g", loads[i]);
    r->traffic.treelet_imbalance = loads[0];
    r->traffic.treelet_gini = loads[1];
    r->traffic.tile_imbalance = loads[2];
    r->tile_bytes = bytes;
    r->tile_units = units;
    r->activity = &r->own;
    return FS_OK;
}

/* ---- prices ---- */

/* The first point's run, whose activity and books the others take. */
typedef struct kept {
    fs_arena *arena;
    fs_treelets_run of;
} kept;

static fs_status price_point(void *self, const fs_recording *rec, const fs_config *config, json_t *summary,
                             fs_error *err) {
    kept *k = self;
    fs_arena *arena = fs_arena_create();
    fs_treelets_run r = {.of.run = {.arena = arena, .config = config}};
    fs_treelets_begin(&r);
    if (k->arena == NULL) {
        k->arena = fs_arena_create();
        k->of = r;
        k->of.of.run.arena = k->arena;
        if (fs_treelets_read_activity(&k->of, rec, err)) {
            fs_travelled_free(&k->of.own);
            fs_arena_free(k->arena);
            k->arena = NULL;
        }
    }
    if (err->status == FS_OK) {
        r.geometry = k->of.geometry;
        r.traffic = k->of.traffic;
        r.tile_bytes = k->of.tile_bytes;
        r.tile_units = k->of.tile_units;
        r.activity = &k->of.own;
    }
    if (err->status == FS_OK && fs_treelets_run_device(&r, err) == FS_OK)
        fs_results_stats_json(&fs_treelets_stats, &r.figures, summary);
    fs_arena_free(arena);
    return err->status;
}

static void forget(void *self) {
    kept *k = self;
    fs_travelled_free(&k->of.own);
    fs_arena_free(k->arena);
}

const fs_workload_prices fs_treelets_prices = {.size = sizeof(kept), .point = price_point, .close = forget};
