/* Recordings of activity, and prices from them. */
#include "workloads/smallpaint/run.h"

#include "sim/workload/recorded.h"
#include "workloads/smallpaint/smallpaint.h"

#include <inttypes.h>
#include <math.h>

static void check_counts(fs_recorded *f, const fs_paint_activity *a) {
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
        for (uint64_t k = 0; k < a->drawn; k++)
            for (uint32_t w = 0; w < a->workers; w++) {
                const uint32_t *counts = fs_paint_counts_of(a, t, k) + (size_t)w * FS_PAINT_COUNTS;
                const uint32_t paths = fs_paint_tile_share(tile.height, w, a->workers) * tile.width;
                if (counts[FS_PAINT_PATH] != paths)
                    fs_recorded_wrong(f,
                                      "worker %" PRIu32 " of tile %" PRIu32 " has %" PRIu32
                                      " paths, its rows have %" PRIu32,
                                      w, t, counts[FS_PAINT_PATH], paths);
            }
    }
}

static void check(fs_recorded *f, fs_paint_activity *a, size_t values) {
    a->traced = 0;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        if (a->stand_in[a->stand_in[t]] != a->stand_in[t])
            fs_recorded_wrong(f, "tile %" PRIu32 " does what tile %" PRIu32 " does", t, a->stand_in[t]);
        a->traced += a->stand_in[t] == t;
    }
    check_counts(f, a);
    for (size_t i = 0; i < values; i++)
        if (!(a->picture[i] >= 0.0f && isfinite(a->picture[i])))
            fs_recorded_wrong(f, "value %zu of the picture is %g", i, (double)a->picture[i]);
    for (uint32_t c = 0; c < a->checkpoints; c++)
        if (!(a->convergence[c].square >= 0.0 && isfinite(a->convergence[c].square)))
            fs_recorded_wrong(f, "an error of its picture is %g", a->convergence[c].square);
}

/* Their sizes follow from the configuration. */
static void sections(fs_recorded *f, void *self) {
    fs_paint_activity *a = self;
    double square[FS_PAINT_CHECKPOINTS] = {0};
    const size_t counts = (size_t)a->tiles.count * a->drawn * a->workers * FS_PAINT_COUNTS,
                 values = (size_t)a->tiles.width * a->tiles.height * 3;
    for (uint32_t c = 0; c < a->checkpoints; c++)
        square[c] = a->convergence[c].square;
    fs_recorded_bytes(f, "samples", a->sample, a->drawn * sizeof *a->sample);
    fs_recorded_bytes(f, "stand_ins", a->stand_in, a->tiles.count * sizeof *a->stand_in);
    fs_recorded_bytes(f, "counts", a->counts, counts * sizeof *a->counts);
    fs_recorded_bytes(f, "picture", a->picture, values * sizeof *a->picture);
    fs_recorded_bytes(f, "convergence", square, a->checkpoints * sizeof *square);
    fs_recorded_bytes(f, "saturated", &a->saturated, sizeof a->saturated);
    for (uint32_t c = 0; c < a->checkpoints; c++)
        a->convergence[c].square = square[c];
    FS_RECORDED_HOLD(f, "samples", a->sample, a->drawn,
                     FS_RECORDED_ITEM("place", uint64_t, 0, a->samples - 1, FS_ORDER_CLIMBS));
    FS_RECORDED_HOLD(f, "stand_ins", a->stand_in, a->tiles.count,
                     FS_RECORDED_ITEM("tile", uint32_t, 0, a->tiles.count - 1, FS_ORDER_ANY));
    if (fs_recorded_reads(f))
        check(f, a, values);
}

fs_status fs_smallpaint_record(const char *path, const fs_config *config, fs_paint_activity *a,
                               fs_error *err) {
    return fs_recorded_write(path, FS_RECORDING_ACTIVITY, config, sections, a, err);
}

fs_status fs_smallpaint_replay(const fs_recording *rec, fs_paint_activity *a, fs_error *err) {
    return fs_recorded_read(rec, NULL, sections, a, err);
}

/* ---- prices ---- */

typedef struct kept {
    fs_paint_activity activity;
    bool made;
} kept;

static fs_status make_activity(kept *k, const fs_recording *rec, const fs_smallpaint_run *r, fs_error *err) {
    if (k->made)
        return FS_OK;
    fs_paint_activity_create(&k->activity, r->params, r->of.machine, (uint64_t)r->of.run.how->seed);
    k->made = fs_smallpaint_replay(rec, &k->activity, err) == FS_OK;
    if (!k->made)
        fs_paint_activity_free(&k->activity);
    return k->made ? FS_OK : err->status;
}

static fs_status price_point(void *self, const fs_recording *rec, const fs_config *config, json_t *summary,
                             const fs_price_view *view, fs_error *err) {
    kept *k = self;
    fs_arena *arena = fs_arena_create();
    fs_smallpaint_run r = {.of.run = {.arena = arena, .config = config}};
    fs_smallpaint_begin(&r);
    r.activity = &k->activity;
    fs_status status = fs_primitives_load(fs_config_section(config, "scene"), arena, &r.scene, err);
    if (status == FS_OK)
        status = make_activity(k, rec, &r, err);
    if (status == FS_OK)
        status = fs_smallpaint_run_device(&r, err);
    if (status == FS_OK) {
        fs_results_stats_json(&fs_smallpaint_stats, &r.figures, summary);
        status = fs_chip_run_view(&r.of, fs_smallpaint_conclude, true, view, err);
    }
    fs_arena_free(arena);
    return status;
}

static void forget(void *self) {
    kept *k = self;
    if (k->made)
        fs_paint_activity_free(&k->activity);
}

const fs_workload_prices fs_smallpaint_prices = {.size = sizeof(kept), .point = price_point, .close = forget};
