/* Recordings of geometry and of activity, and prices from the latter. */
#include "workloads/treelets/run.h"

#include "sim/base/arith.h"
#include "sim/config/config.h"
#include "sim/workload/recorded.h"
#include "workloads/treelets/treelets.h"

#include <inttypes.h>
#include <math.h>

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

static uint64_t pixels_of(const fs_treelets_run *r) {
    return (uint64_t)r->params->width * (uint64_t)r->params->height;
}

static void geometry_numbers(fs_recorded *f, fs_treelets_run *r) {
    fs_treelets_geometry *g = &r->geometry;
    fs_recorded_numbers(f, "geometry", geometry_rows, FS_COUNT(geometry_rows), g);
    if (fs_recorded_reads(f) &&
        (g->paths != fs_treelets_paths(r->params) || g->hits + g->escapes != g->segments))
        fs_recorded_wrong(
            f, "%" PRIu64 " paths, %" PRIu64 " segments of %" PRIu64 " hits and %" PRIu64 " escapes",
            g->paths, g->segments, g->hits, g->escapes);
}

/* ---- geometry ---- */

static void check_cut(fs_recorded *f, fs_treelets_run *r) {
    const fs_treelets_geometry *g = &r->geometry;
    uint64_t bytes = 0;
    r->cut.treelets = (uint32_t)g->treelets;
    r->cut.top_bytes = g->top_bytes;
    r->cut.bytes = g->treelet_bytes;
    for (uint32_t k = 0; k < r->cut.treelets; k++)
        bytes += r->cut.of[k].bytes;
    if (bytes != g->treelet_bytes || r->its.paths != g->paths || r->its.treelets != g->treelets)
        fs_recorded_wrong(f, "%" PRIu64 " B of treelets, %" PRIu64 " paths", bytes, r->its.paths);
}

static void geometry(fs_recorded *f, void *self) {
    fs_treelets_run *r = self;
    const fs_treelets_geometry *g = &r->geometry;
    geometry_numbers(f, r);
    FS_RECORDED_LIST(f, "treelets", &r->cut.of, g->treelets);
    fs_recorded_list(f, "picture", (void **)&r->shown.rgb, pixels_of(r), 3);
    fs_itineraries_sections(f, &r->its);
    FS_RECORDED_HOLD(f, "treelets", r->cut.of, g->treelets,
                     FS_RECORDED("bytes", fs_treelet, bytes, 1, g->most_bytes));
    if (fs_recorded_reads(f))
        check_cut(f, r);
}

fs_status fs_treelets_record_geometry(fs_treelets_run *r, const char *path, fs_error *err) {
    return fs_recorded_write(path, FS_RECORDING_ITINERARY, r->of.run.config, geometry, r, err);
}

fs_status fs_treelets_read_geometry(fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    return fs_recorded_read(rec, r->of.run.arena, geometry, r, err);
}

/* ---- activity ---- */

static void what_is_shown(fs_recorded *f, fs_treelets_run *r) {
    fs_treelets_shown *s = &r->shown;
    const uint64_t n = r->geometry.treelets, pixels = pixels_of(r);
    fs_recorded_bytes(f, "bounces", s->bounce, sizeof s->bounce);
    FS_RECORDED_LIST(f, "treelet_bytes", &s->bytes_of, n);
    FS_RECORDED_LIST(f, "treelet_visits", &s->visits_of, n);
    FS_RECORDED_LIST(f, "treelet_units", &s->units_of, n);
    FS_RECORDED_LIST(f, "treelet_copies", &s->copies_of, n);
    fs_recorded_list(f, "picture", (void **)&s->rgb, pixels, 3);
    FS_RECORDED_LIST(f, "treelet_seen", &s->treelet, pixels);
    FS_RECORDED_LIST(f, "pixel_visits", &s->visits, pixels);
}

static void check_travelled(fs_recorded *f, const fs_treelets_run *r, const fs_travelled *a) {
    uint64_t ended = 0;
    for (uint64_t s = 0; s < a->steps; s++)
        ended += a->step[s].ended;
    if (a->steps == 0 || ended != r->geometry.paths)
        fs_recorded_wrong(f, "%" PRIu64 " of %" PRIu64 " paths end in %" PRIu64 " steps", ended,
                          r->geometry.paths, a->steps);
}

static void activity(fs_recorded *f, void *self) {
    fs_treelets_run *r = self;
    fs_treelets_traffic *t = &r->traffic;
    fs_travelled *a = (fs_travelled *)(uintptr_t)r->activity;
    double *const load[] = {&t->treelet_imbalance, &t->treelet_gini, &t->tile_imbalance};
    double loads[FS_COUNT(load)];
    geometry_numbers(f, r);
    fs_recorded_numbers(f, "traffic", traffic_rows, FS_COUNT(traffic_rows), t);
    for (size_t i = 0; i < FS_COUNT(load); i++)
        loads[i] = *load[i];
    fs_recorded_bytes(f, "loads", loads, sizeof loads);
    for (size_t i = 0; i < FS_COUNT(load) && fs_recorded_reads(f); i++) {
        *load[i] = loads[i];
        if (!isfinite(loads[i]))
            fs_recorded_wrong(f, "a load of %g", loads[i]);
    }
    FS_RECORDED_LIST(f, "tile_bytes", &r->tile_bytes, r->tiles);
    FS_RECORDED_LIST(f, "tile_units", &r->tile_units, r->tiles);
    what_is_shown(f, r);
    fs_travelled_sections(&(fs_recorded){.writer = f->writer, .recording = f->recording, .err = f->err}, a);
    FS_RECORDED_HOLD(f, "active", a->tile, a->active,
                     FS_RECORDED_ITEM("tile", uint32_t, 0, r->tiles - 1, FS_ORDER_ANY));
    if (fs_recorded_reads(f))
        check_travelled(f, r, a);
}

fs_status fs_treelets_record_activity(fs_treelets_run *r, const char *path, fs_error *err) {
    return fs_recorded_write(path, FS_RECORDING_ACTIVITY, r->of.run.config, activity, r, err);
}

fs_status fs_treelets_read_activity(fs_treelets_run *r, const fs_recording *rec, fs_error *err) {
    r->own = (fs_travelled){.tiles = fs_treelets_travelled(r->params, r->of.machine),
                            .workers = (uint32_t)r->of.machine->tile.workers};
    r->activity = &r->own;
    return fs_recorded_read(rec, r->of.run.arena, activity, r, err);
}

/* ---- prices ---- */

/* The first point's run, whose activity and books the others take. */
typedef struct kept {
    fs_arena *arena;
    fs_treelets_run of;
} kept;

static fs_status price_point(void *self, const fs_recording *rec, const fs_config *config, json_t *summary,
                             const fs_price_view *view, fs_error *err) {
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
    if (err->status == FS_OK && fs_treelets_run_device(&r, err) == FS_OK) {
        fs_results_stats_json(&fs_treelets_stats, &r.figures, summary);
        fs_chip_run_view(&r.of, fs_treelets_climb, true, view, err);
    }
    fs_arena_free(arena);
    return err->status;
}

static void forget(void *self) {
    kept *k = self;
    fs_travelled_free(&k->of.own);
    fs_arena_free(k->arena);
}

const fs_workload_prices fs_treelets_prices = {.size = sizeof(kept), .point = price_point, .close = forget};
