/* The workload's descriptor: what it reads, and how it is run. */
#include "workloads/pathtrace/pathtrace.h"

#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "workloads/pathtrace/outputs.h"
#include "workloads/pathtrace/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static fs_status run_all(fs_pathtrace_run *r, fs_results *results, char *line, size_t line_size,
                         fs_error *err) {
    const double started = fs_host_wall_seconds();
    if (fs_pathtrace_elaborate(r, err))
        return err->status;
    const fs_pathtrace_setup *s = &r->setup;
    if (r->host->check_only) {
        snprintf(line, line_size, "fits: %" PRIu64 " nodes, %" PRIu64 " batches, %" PRIu64 " B of a tile",
                 s->scene.nodes, s->layout.batches, fs_ledger_peak(s->ledger));
        return FS_OK;
    }
    if (fs_pathtrace_simulate(r, err))
        return err->status;
    const fs_pathtrace_figures f =
        fs_pathtrace_figures_of(s, r->batch, &r->frame, &r->tracer.paths, r->chip.device);
    snprintf(
        line, line_size,
        "%s M paths a second (%s to %s), %s; the slowest worker takes %.2f times as long as the average one",
        fs_number_short(1e-6 * f.rate, 4), fs_number_short(1e-6 * f.rate_low, 4),
        fs_number_short(1e-6 * f.rate_high, 4), fs_number_seconds(f.device.seconds), f.imbalance);
    const double write_began = fs_host_wall_seconds();
    if (fs_pathtrace_outputs_write(r, &f, results, err))
        return err->status;
    const fs_run_end end = {.started = started,
                            .write_began = write_began,
                            .threads = r->host->threads,
                            .kernel_activations = r->notes.totals.kernel_activations,
                            .device_seconds = f.device.seconds};
    fs_run_cost_end(&r->cost, &end);
    return fs_run_cost_write(&fs_pathtrace_host_stats, &r->cost, results, err);
}

static fs_status run_pathtrace(const fs_config *config, const fs_host_options *host, fs_results *results,
                               char *line, size_t line_size, fs_error *err) {
    fs_pathtrace_run r = {.arena = fs_arena_create(), .config = config, .host = host};
    const fs_status status = run_all(&r, results, line, line_size, err);
    fs_pathtrace_run_free(&r);
    fs_arena_free(r.arena);
    return status;
}

/* Host seconds on one core of a common PC: a million and a half paths a second, ten million dealt anew, 5 ns
 * a worker and drawn sample priced. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, path = 0.7e-6, deal = 0.1e-6, price = 5e-9;
    const double pixels = point->number(point->self, "workload.width", 1440) *
                          point->number(point->self, "workload.height", 1440),
                 drawn = point->number(point->self, "workload.sampling.drawn", 16),
                 rays = point->number(point->self, "workload.rays_per_worker", 8);
    const bool queue = point->is(point->self, "workload.sharing", "queue");
    seconds[FS_LAYER_PRICE] = queue ? (double)NAN : process + price * pixels / rays * drawn;
    seconds[FS_LAYER_RUN] = process + path * pixels * drawn;
    seconds[FS_LAYER_REPLAY] = process + deal * pixels * drawn;
}

static const fs_work_row work[] = {
    {.what = "scene", .keys = "scene.kind scene.file scene.builtin scene.soup. scene.normals"},
    {.what = "view", .keys = "scene.camera."},
    {.what = "picture", .keys = "workload.width workload.height"},
    {.what = "samples a pixel", .keys = "workload.samples"},
    {.what = "segments of a path at most", .keys = "workload.most_segments"},
    {.what = "width x layers of the network", .keys = "workload.nif.layers workload.nif.hidden"},
    {.what = "paths", .figures = "paths.count", .unit = "path"},
    {.what = "rays", .figures = "paths.count paths.segments_mean", .unit = "ray"},
};

const fs_workload fs_workload_pathtrace = {
    .abi = FS_ABI,
    .kind = "pathtrace",
    .summary = "neural path tracing in SRAM: a mesh on every tile, rays from "
               "streaming memory, light from a network",
    .rules = {.uses = fs_pathtrace_uses, .check = fs_pathtrace_check},
    .run = run_pathtrace,
    .prices = &fs_pathtrace_prices,
    .recorder = {[FS_LAYER_REPLAY] = "record", [FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .traces = true,
    .stats = &fs_pathtrace_stats,
    .time = "device.seconds",
    .page = &fs_pathtrace_page,
    FS_WORK(work)};
