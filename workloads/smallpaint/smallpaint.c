/* The workload: trace or read what the samples did, forecast, run the device of the last chip, write. */
#include "workloads/smallpaint/smallpaint.h"

#include "sim/base/numbers.h"
#include "workloads/smallpaint/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static fs_status elaborate(void *self, fs_error *err) {
    fs_smallpaint_run *r = self;
    fs_smallpaint_begin(r);
    if (fs_primitives_load(fs_config_section(r->of.run.config, "scene"), r->of.run.arena, &r->scene, err) ||
        fs_smallpaint_ledger(r, 0, err) == NULL)
        return err->status;
    const fs_image_tiles tiles = fs_paint_tiles(r->params, r->of.machine);
    fs_run_say(&r->of.run, "fits: %" PRIu32 " rectangles of %" PRIu32 "x%" PRIu32 " points", tiles.count,
               tiles.tile_width, tiles.tile_height);
    return FS_OK;
}

/* What the drawn samples did is read from a recording, or traced. */
static fs_status simulate(void *self, fs_error *err) {
    fs_smallpaint_run *r = self;
    const fs_run *run = &r->of.run;
    const uint64_t seed = (uint64_t)run->how->seed;
    r->activity = FS_NEW(run->arena, fs_paint_activity, 1);
    fs_paint_activity_create(r->activity, r->params, r->of.machine, seed);
    if ((run->replay != NULL ? fs_smallpaint_replay(run->replay, r->activity, err)
                             : fs_paint_activity_trace(r->activity, r->params, &r->scene, seed, err)) ||
        fs_smallpaint_run_device(r, err))
        return err->status;
    return run->host->record_activity == NULL
               ? FS_OK
               : fs_smallpaint_record(run->host->record_activity, run->config, r->activity, err);
}

static fs_status report(void *self, fs_error *err) {
    (void)err;
    fs_smallpaint_run *r = self;
    const fs_smallpaint_figures *f = &r->figures;
    r->of.run.figures = f;
    const bool millions = f->paths_per_second >= 1e6;
    char interval[32] = "";
    if (f->half_width > 0)
        snprintf(interval, sizeof interval, " ± %s %% (95 %%)", fs_number_short(100.0 * f->half_width, 2));
    fs_run_say(&r->of.run, "%s%s for %s paths (%s%s paths/s); a path takes %s cycles and %.2f bounces",
               fs_number_seconds(f->chip.device.seconds), interval, fs_number_grouped((double)f->paths),
               fs_number_short((millions ? 1e-6 : 1) * f->paths_per_second, 4), millions ? " M" : "",
               fs_number_grouped(f->cycles_per_path), f->bounces);
    return FS_OK;
}

static void close_run(void *self) {
    fs_smallpaint_run *r = self;
    if (r->activity != NULL)
        fs_paint_activity_free(r->activity);
}

/* Host seconds on one core of a common PC: 2 M paths a second, and 100 ns a tile and drawn sample priced. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, path = 0.5e-6, price = 100e-9;
    const double points = point->number(point->self, "workload.image.width", 1920) *
                          point->number(point->self, "workload.image.height", 2160),
                 samples = point->number(point->self, "workload.samples", 200),
                 drawn = point->number(point->self, "workload.sampling.drawn", 0),
                 traced = drawn > 0 ? drawn : samples,
                 tiles = points / (point->number(point->self, "workload.tile.width", 48) *
                                   point->number(point->self, "workload.tile.height", 30)),
                 steps = samples / point->number(point->self, "workload.samples_per_step", 200);
    seconds[FS_LAYER_PRICE] = process + price * tiles * traced * (1 + steps);
    seconds[FS_LAYER_RUN] = seconds[FS_LAYER_PRICE] + path * points * traced;
    seconds[FS_LAYER_REPLAY] = (double)NAN;
}

static const char *const machines[] = {"ipu", NULL}, *const scenes[] = {"primitives", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_pod_table},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "scene", .keys = "scene."},
    {.what = "picture", .keys = "workload.image.width workload.image.height"},
    {.what = "samples a pixel", .keys = "workload.samples"},
    {.what = "bounces before roulette", .keys = "workload.roulette.depth"},
    {.what = "probability of roulette", .keys = "workload.roulette.probability"},
    {.what = "bounces at most", .keys = "workload.cap"},
    {.what = "paths", .figures = "paths.count", .unit = "path"},
    {.what = "rays", .figures = "paths.count paths.bounces_mean", .unit = "ray"},
};

const fs_workload fs_workload_smallpaint = {
    .abi = FS_ABI,
    .kind = "smallpaint",
    .summary = "a path tracer on Poplar: a rectangle of the picture on each tile, nothing exchanged",
    .rules = {.uses = uses,
              .check = fs_smallpaint_check,
              .no_work = "its scenes are spheres and planes, without meshes"},
    .steps = {.size = sizeof(fs_smallpaint_run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = report,
              .conclude = fs_smallpaint_conclude,
              .write = fs_smallpaint_write,
              .trace = fs_chip_run_trace,
              .close = close_run},
    .prices = &fs_smallpaint_prices,
    .traces = true,
    .recorder = {[FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .stats = &fs_smallpaint_stats,
    .time = "device.seconds",
    .page = &fs_smallpaint_page,
    FS_WORK(work)};
