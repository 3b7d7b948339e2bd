/* The workload: trace or read what the samples did, forecast, run the device of the last chip, write. */
#include "workloads/smallpaint/smallpaint.h"

#include "sim/base/host.h"
#include "sim/config/config.h"
#include "sim/workload/recorded.h"
#include "workloads/smallpaint/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* What the drawn samples did: from a recording, or traced. */
static fs_status make_activity(fs_smallpaint_run *r, fs_error *err) {
    if (r->host->replay == NULL)
        return fs_paint_activity_trace(r->activity, r->params, &r->scene, (uint64_t)r->run->seed, err);
    fs_file_memo files = {.path = ""};
    fs_recording *recording = fs_recording_open(r->host->replay, err);
    if (recording == NULL)
        return err->status;
    fs_status status = fs_recorded_expect(recording, FS_RECORDING_ACTIVITY, err);
    if (status == FS_OK)
        status = fs_recorded_match(recording, r->config, &files, err);
    if (status == FS_OK)
        status = fs_smallpaint_replay(recording, r->activity, err);
    fs_recording_close(recording);
    return status;
}

static fs_status simulate(fs_smallpaint_run *r, fs_error *err) {
    const double begin = fs_host_wall_seconds();
    if (make_activity(r, err))
        return err->status;
    fs_progress_begin(&r->progress, "steps", (uint64_t)r->params->samples / fs_paint_step_samples(r->params));
    const fs_status status = fs_smallpaint_run_device(r, true, err);
    fs_progress_end(&r->progress);
    r->cost.simulation_seconds = fs_host_wall_seconds() - begin;
    if (status == FS_OK && r->host->record_activity != NULL)
        return fs_smallpaint_record(r->host->record_activity, r->config, r->activity, err);
    return status;
}

static fs_status write_all(fs_smallpaint_run *r, double started, fs_results *results, char *line,
                           size_t line_size, fs_error *err) {
    const fs_smallpaint_figures *f = &r->figures;
    snprintf(line, line_size,
             "%.4g s for %.3g paths (%.4g M a second), %.0f cycles a path; %.2f bounces; known to %.2g %%",
             f->device.seconds, (double)f->paths, 1e-6 * f->paths_per_second, f->cycles_per_path, f->bounces,
             100.0 * f->half_width);
    const double write_began = fs_host_wall_seconds();
    if (fs_smallpaint_outputs(r, results, err))
        return err->status;
    const fs_run_end end = {.started = started,
                            .write_began = write_began,
                            .threads = r->host->threads,
                            .kernel_activations = r->notes.totals.kernel_activations,
                            .device_seconds = f->device.seconds};
    fs_run_cost_end(&r->cost, &end);
    return fs_run_cost_write(&fs_smallpaint_host_stats, &r->cost, results, err);
}

static fs_status run_all(fs_smallpaint_run *r, fs_results *results, char *line, size_t line_size,
                         fs_error *err) {
    const double started = fs_host_wall_seconds();
    if (fs_primitives_load(fs_config_section(r->config, "scene"), r->arena, &r->scene, err) ||
        fs_smallpaint_ledger(r, 0, err) == NULL)
        return err->status;
    if (r->host->check_only) {
        const fs_image_tiles tiles = fs_paint_tiles(r->params, r->machine);
        snprintf(line, line_size, "fits: %" PRIu32 " rectangles of %" PRIu32 "x%" PRIu32 " points",
                 tiles.count, tiles.tile_width, tiles.tile_height);
        return FS_OK;
    }
    r->activity = FS_NEW(r->arena, fs_paint_activity, 1);
    fs_paint_activity_create(r->activity, r->params, r->machine, (uint64_t)r->run->seed);
    fs_status status = simulate(r, err);
    if (status == FS_OK)
        status = write_all(r, started, results, line, line_size, err);
    fs_paint_activity_free(r->activity);
    return status;
}

static fs_status smallpaint_workload(const fs_config *config, const fs_host_options *host,
                                     fs_results *results, char *line, size_t line_size, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_smallpaint_run r;
    fs_smallpaint_begin(&r, config, arena);
    r.host = host;
    const fs_status status = run_all(&r, results, line, line_size, err);
    fs_arena_free(arena);
    return status;
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
    {.section = "machine", .kinds = machines},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_run_plain_table},
    {.section = NULL},
};

const fs_workload fs_workload_smallpaint = {
    .abi = FS_ABI,
    .kind = "smallpaint",
    .summary = "a path tracer on Poplar: a rectangle of the picture on each tile, nothing exchanged",
    .rules = {.uses = uses, .check = fs_smallpaint_check},
    .run = smallpaint_workload,
    .prices = &fs_smallpaint_prices,
    .traces = true,
    .recorder = {[FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .stats = &fs_smallpaint_stats,
    .time = "device.seconds",
    .page = &fs_smallpaint_page};
