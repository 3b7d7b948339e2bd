/* Recordings of activity, and prices from them. */
#include "sim/workload/recorded.h"
#include "workloads/gaussians/gaussians.h"
#include "workloads/gaussians/run.h"

#include <inttypes.h>
#include <math.h>

static void check_counts(fs_recorded *f, const fs_gaussians_activity *a) {
    for (uint64_t s = 0; s < a->steps; s++)
        for (uint32_t t = 0; t < a->tiles; t++) {
            const fs_gaussians_blend_work *b = &fs_gaussians_counts_of(a, s, t)->blend;
            for (uint32_t w = 0; w < a->workers; w++)
                if (b->added[w] > b->looked[w])
                    fs_recorded_wrong(
                        f, "worker %" PRIu32 " of tile %" PRIu32 " adds %" PRIu32 " of %" PRIu32 " entries",
                        w, t, b->added[w], b->looked[w]);
        }
    for (uint64_t i = 0; i < a->before + a->steps; i++)
        if (!(a->total[i].hops >= 0.0 && isfinite(a->total[i].hops)))
            fs_recorded_wrong(f, "the hops of a step are %g", a->total[i].hops);
}

/* Numbers of the struct; `most` frames are those of the configuration. */
static void numbers(fs_recorded *f, fs_gaussians_activity *a) {
    const uint64_t steps = a->steps, tiles = a->tiles;
    const fs_recorded_number rows[] = {
        FS_RECORDED("Gaussians", fs_gaussians_activity, gaussians, 1, FS_SPLATS_MOST),
        FS_RECORDED("frames", fs_gaussians_activity, steps, steps, steps),
        FS_RECORDED("tiles", fs_gaussians_activity, tiles, tiles, tiles),
        FS_RECORDED("settling steps", fs_gaussians_activity, before, 0, 10000),
        FS_RECORDED("settled", fs_gaussians_activity, settled, 0, 1000000),
        FS_RECORDED("shown", fs_gaussians_activity, shown, 0, 1000000),
        FS_RECORDED("has settled", fs_gaussians_activity, has_settled, 0, 1),
        FS_RECORDED("moves", fs_gaussians_activity, moves, 0, UINT32_MAX)};
    fs_recorded_numbers(f, "numbers", rows, sizeof rows / sizeof *rows, a);
}

static void sections(fs_recorded *f, void *self) {
    fs_gaussians_activity *a = self;
    const size_t pixels = (size_t)a->grid.width * a->grid.height;
    numbers(f, a);
    if (f->err->status)
        return;
    if (fs_recorded_reads(f))
        fs_gaussians_activity_create(a);
    fs_recorded_bytes(f, "counts", a->counts, a->steps * a->tiles * sizeof *a->counts);
    fs_recorded_bytes(f, "totals", a->total, (a->before + a->steps) * sizeof *a->total);
    fs_recorded_bytes(f, "picture", a->rgb, 3 * pixels);
    fs_recorded_bytes(f, "ideal", a->ideal, 3 * pixels);
    fs_recorded_bytes(f, "first_moves", a->first_move, (a->steps + 1) * sizeof *a->first_move);
    FS_RECORDED_LIST(f, "moves", &a->move, a->moves);
    if (!fs_recorded_reads(f))
        return;
    FS_RECORDED_HOLD(f, "first_moves", a->first_move, a->steps + 1,
                     FS_RECORDED_ITEM("place", uint64_t, 0, a->moves, FS_ORDER_STARTS));
    FS_RECORDED_HOLD(f, "moves", a->move, a->moves,
                     FS_RECORDED("sender", fs_gaussians_move, src, 0, a->tiles - 1));
    FS_RECORDED_HOLD(f, "moves", a->move, a->moves,
                     FS_RECORDED("receiver", fs_gaussians_move, dst, 0, a->tiles - 1));
    FS_RECORDED_HOLD(f, "moves", a->move, a->moves,
                     FS_RECORDED("Gaussians", fs_gaussians_move, gaussians, 0, FS_SPLATS_MOST));
    check_counts(f, a);
}

fs_status fs_gaussians_record(const char *path, fs_gaussians_run *r, fs_error *err) {
    return fs_recorded_write(path, FS_RECORDING_ACTIVITY, r->of.run.config, sections, &r->own, err);
}

fs_status fs_gaussians_replay(const fs_recording *recording, fs_gaussians_run *r, fs_error *err) {
    r->own = (fs_gaussians_activity){.grid = fs_gaussians_grid_of(r->params),
                                     .steps = (uint64_t)r->params->frames,
                                     .tiles = r->over != NULL ? fs_machine_tiles(r->of.machine)
                                                              : fs_gaussians_grid_of(r->params).tiles,
                                     .workers = (uint32_t)r->of.machine->tile.workers};
    r->activity = &r->own;
    return fs_recorded_read(recording, NULL, sections, &r->own, err);
}

/* ---- prices ---- */

typedef struct kept {
    fs_gaussians_activity activity;
    bool made;
} kept;

static fs_status price_point(void *self, const fs_recording *recording, const fs_config *config,
                             json_t *summary, const fs_price_view *view, fs_error *err) {
    kept *k = self;
    fs_arena *arena = fs_arena_create();
    fs_gaussians_run r = {.of.run = {.arena = arena, .config = config}};
    fs_status status = fs_gaussians_begin(&r, err);
    if (status == FS_OK && !k->made) {
        status = fs_gaussians_replay(recording, &r, err);
        k->made = status == FS_OK;
        k->activity = r.own;
        if (!k->made)
            fs_gaussians_activity_free(&k->activity);
    }
    r.activity = &k->activity;
    if (status == FS_OK)
        status = fs_gaussians_run_device(&r, err);
    if (status == FS_OK) {
        fs_results_stats_json(&fs_gaussians_stats, &r.figures, summary);
        status = fs_chip_run_view(&r.of, fs_gaussians_conclude, true, view, err);
    }
    fs_arena_free(arena);
    return status;
}

static void forget(void *self) {
    kept *k = self;
    if (k->made)
        fs_gaussians_activity_free(&k->activity);
}

const fs_workload_prices fs_gaussians_prices = {.size = sizeof(kept), .point = price_point, .close = forget};
