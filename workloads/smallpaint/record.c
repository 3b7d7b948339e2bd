/* Recordings of activity, and prices from them. */
#include "workloads/smallpaint/run.h"

#include "sim/workload/recorded.h"
#include "workloads/smallpaint/smallpaint.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- content ---- */

/* Their sizes follow from the configuration. square: [checkpoints]. */
enum { SECTIONS = 6 };
static void sections_of(const fs_paint_activity *a, double *square, fs_recorded_section out[SECTIONS]) {
    const size_t counts = (size_t)a->tiles.count * a->drawn * a->workers * FS_PAINT_COUNTS,
                 values = (size_t)a->tiles.width * a->tiles.height * 3;
    const fs_recorded_section rows[SECTIONS] = {
        {"samples", a->sample, a->drawn * sizeof *a->sample},
        {"stand_ins", a->stand_in, a->tiles.count * sizeof *a->stand_in},
        {"counts", a->counts, counts * sizeof *a->counts},
        {"picture", a->picture, values * sizeof *a->picture},
        {"convergence", square, a->checkpoints * sizeof *square},
        {"saturated", (void *)(uintptr_t)&a->saturated, sizeof a->saturated}};
    memcpy(out, rows, sizeof rows);
}

static fs_status add_all(fs_recording_writer *w, const fs_paint_activity *a, fs_error *err) {
    double square[FS_PAINT_CHECKPOINTS];
    fs_recorded_section rows[SECTIONS];
    for (uint32_t c = 0; c < a->checkpoints; c++)
        square[c] = a->convergence[c].square;
    sections_of(a, square, rows);
    return fs_recorded_add(w, rows, SECTIONS, err);
}

fs_status fs_smallpaint_record(const char *path, const fs_config *config, const fs_paint_activity *a,
                               fs_error *err) {
    fs_recording_writer *w = fs_recorded_create(path, FS_RECORDING_ACTIVITY, config, err);
    return w == NULL ? err->status : fs_recorded_end(w, add_all(w, a, err), err);
}

/* ---- reading: checksums are right, but whose numbers are they? ---- */

static fs_status check_places(const fs_recording *rec, fs_paint_activity *a, fs_error *err) {
    for (uint64_t k = 0; k < a->drawn; k++)
        if (a->sample[k] >= a->samples || (k > 0 && a->sample[k] <= a->sample[k - 1]))
            return fs_recording_damaged(rec, err,
                                        "drawn sample %" PRIu64 " is number %" PRIu64 " of %" PRIu64, k,
                                        a->sample[k], a->samples);
    a->traced = 0;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        if (a->stand_in[t] >= a->tiles.count || a->stand_in[a->stand_in[t]] != a->stand_in[t])
            return fs_recording_damaged(rec, err, "tile %" PRIu32 " does what tile %" PRIu32 " does", t,
                                        a->stand_in[t]);
        a->traced += a->stand_in[t] == t;
    }
    return FS_OK;
}

static fs_status check_counts(const fs_recording *rec, const fs_paint_activity *a, fs_error *err) {
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
        for (uint64_t k = 0; k < a->drawn; k++)
            for (uint32_t w = 0; w < a->workers; w++) {
                const uint32_t *counts = fs_paint_counts_of(a, t, k) + (size_t)w * FS_PAINT_COUNTS;
                const uint32_t paths = fs_paint_tile_share(tile.height, w, a->workers) * tile.width;
                if (counts[FS_PAINT_PATH] != paths)
                    return fs_recording_damaged(rec, err,
                                                "worker %" PRIu32 " of tile %" PRIu32 " has %" PRIu32
                                                " paths, its rows have %" PRIu32,
                                                w, t, counts[FS_PAINT_PATH], paths);
            }
    }
    return FS_OK;
}

static fs_status check_picture(const fs_recording *rec, const fs_paint_activity *a, fs_error *err) {
    const size_t values = (size_t)a->tiles.width * a->tiles.height * 3;
    for (size_t i = 0; i < values; i++)
        if (!(a->picture[i] >= 0.0f && isfinite(a->picture[i])))
            return fs_recording_damaged(rec, err, "value %zu of the picture is %g", i, (double)a->picture[i]);
    for (uint32_t c = 0; c < a->checkpoints; c++)
        if (!(a->convergence[c].square >= 0.0 && isfinite(a->convergence[c].square)))
            return fs_recording_damaged(rec, err, "an error of its picture is %g", a->convergence[c].square);
    return FS_OK;
}

fs_status fs_smallpaint_replay(const fs_recording *rec, fs_paint_activity *a, fs_error *err) {
    double square[FS_PAINT_CHECKPOINTS] = {0};
    fs_recorded_section rows[SECTIONS];
    sections_of(a, square, rows);
    if (fs_recorded_read(rec, rows, SECTIONS, err))
        return err->status;
    for (uint32_t c = 0; c < a->checkpoints; c++)
        a->convergence[c].square = square[c];
    if (check_places(rec, a, err) || check_counts(rec, a, err))
        return err->status;
    return check_picture(rec, a, err);
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
                             fs_error *err) {
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
    if (status == FS_OK)
        fs_results_stats_json(&fs_smallpaint_stats, &r.figures, summary);
    fs_arena_free(arena);
    return status;
}

static void forget(void *self) {
    kept *k = self;
    if (k->made)
        fs_paint_activity_free(&k->activity);
}

const fs_workload_prices fs_smallpaint_prices = {.size = sizeof(kept), .point = price_point, .close = forget};
