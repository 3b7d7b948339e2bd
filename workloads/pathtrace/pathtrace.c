/* The workload's descriptor: what it reads, and how it is run. */
#include "workloads/pathtrace/pathtrace.h"

#include "sim/base/numbers.h"
#include "workloads/pathtrace/run.h"

#include <math.h>
#include <stdio.h>

static fs_status report(void *run, fs_error *err) {
    (void)err;
    fs_pathtrace_run *r = run;
    fs_run *of = &r->chip.of.run;
    fs_pathtrace_figures *f = &r->figures;
    *f = fs_pathtrace_figures_of(&r->chip, &r->frame, &r->tracer.paths);
    of->figures = f;
    const bool millions = f->rate_low >= 1e6;
    const double of_them = millions ? 1e-6 : 1;
    char interval[64] = "";
    if (f->rate_high > f->rate_low)
        snprintf(interval, sizeof interval, " (%s to %s, 95 %%)", fs_number_short(of_them * f->rate_low, 4),
                 fs_number_short(of_them * f->rate_high, 4));
    fs_run_say(of,
               "%s a frame, %s%s paths/s%s; the slowest worker takes %.2f times as long as the average one",
               fs_number_seconds(f->chip.device.seconds), fs_number_short(of_them * f->rate, 4),
               millions ? " M" : "", interval, f->imbalance);
    return FS_OK;
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

static const fs_work_key keys[] = {
    {.own = "nif.layers", .must = "0"}, /* light is not of the work */
    {.work = "width", .own = "width"},
    {.work = "height", .own = "height"},
    {.work = "seed", .own = "seed"},
    {.work = "segments", .own = "most_segments"},
    {.work = "samples", .own = "samples"},
    {.work = "jitter", .own = "jitter"},
    {.work = "roulette_above", .own = "roulette_above"},
    {.work = NULL},
};

static const fs_work_row work[] = {
    {.what = "scene", .keys = "scene.kind scene.file scene.builtin scene.soup. scene.grove. scene.normals"},
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
    .rules = {.uses = fs_pathtrace_uses, .check = fs_pathtrace_check, .work = keys},
    .steps = {.size = sizeof(fs_pathtrace_run),
              .elaborate = fs_pathtrace_elaborate,
              .simulate = fs_pathtrace_simulate,
              .figures = report,
              .conclude = fs_pathtrace_conclude,
              .write = fs_pathtrace_write,
              .trace = fs_chip_run_trace,
              .close = fs_pathtrace_close},
    .prices = &fs_pathtrace_prices,
    .recorder = {[FS_LAYER_REPLAY] = "record", [FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .traces = true,
    .stats = &fs_pathtrace_stats,
    .time = "device.seconds",
    .page = &fs_pathtrace_page,
    FS_WORK(work)};
