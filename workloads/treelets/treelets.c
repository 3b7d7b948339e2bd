/* The workload: walk or read itineraries, place treelets, let rays travel, run the device, write. */
#include "workloads/treelets/treelets.h"

#include "sim/base/numbers.h"
#include "workloads/treelets/run.h"

#include <inttypes.h>

static fs_status elaborate(void *self, fs_error *err) {
    fs_treelets_run *r = self;
    fs_run *run = &r->of.run;
    fs_treelets_begin(r);
    if (run->prices)
        return fs_treelets_read_activity(r, run->replay, err);
    if (run->replay != NULL ? fs_treelets_read_geometry(r, run->replay, err) : fs_treelets_load(r, err))
        return err->status;
    if (fs_treelets_place(r, NULL, err))
        return err->status;
    fs_run_say(run, "fits: %" PRIu64 " triangles in %" PRIu64 " treelets of %s B, top of %s B",
               r->geometry.triangles, r->geometry.treelets,
               fs_number_grouped((double)r->geometry.treelet_bytes / (double)r->geometry.treelets),
               fs_number_grouped((double)r->geometry.top_bytes));
    return FS_OK;
}

static fs_status simulate(void *self, fs_error *err) {
    fs_treelets_run *r = self;
    const fs_run *run = &r->of.run;
    if (!run->prices) {
        if (run->replay == NULL && fs_treelets_walk(r, err))
            return err->status;
        fs_treelets_show(r);
        if (fs_treelets_place(r, &r->its, err) || fs_treelets_travel(r, err))
            return err->status;
    }
    if (fs_treelets_run_device(r, err) ||
        (run->host->record != NULL && fs_treelets_record_geometry(r, run->host->record, err)) ||
        (run->host->record_activity != NULL &&
         fs_treelets_record_activity(r, run->host->record_activity, err)))
        return err->status;
    return FS_OK;
}

static fs_status report(void *self, fs_error *err) {
    (void)err;
    fs_treelets_run *r = self;
    const fs_treelets_figures *f = &r->figures;
    const bool millions = f->rate >= 1e6;
    fs_run_say(&r->of.run,
               "%s%s paths/s through %" PRIu64 " treelets, %.1f copies each; %s for the frame in %" PRIu64
               " steps; the busiest tile does %.2f times the mean",
               fs_number_short((millions ? 1e-6 : 1) * f->rate, 4), millions ? " M" : "",
               f->geometry.treelets, f->copies_mean, fs_number_seconds(f->chip.device.seconds), f->steps,
               f->traffic.tile_imbalance);
    return FS_OK;
}

static void close_run(void *self) {
    fs_treelets_run *r = self;
    fs_itineraries_free(&r->its);
    fs_travelled_free(&r->own);
}

/* Host seconds on one core of a common PC: 0.4 M paths a second walked, 2.5 M dealt anew, 3 M priced. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, path = 2.5e-6, deal = 0.4e-6, price = 0.3e-6;
    const double paths = point->number(point->self, "workload.width", 640) *
                         point->number(point->self, "workload.height", 360) *
                         point->number(point->self, "workload.samples", 2);
    seconds[FS_LAYER_PRICE] = process + price * paths;
    seconds[FS_LAYER_REPLAY] = seconds[FS_LAYER_PRICE] + deal * paths;
    seconds[FS_LAYER_RUN] = seconds[FS_LAYER_REPLAY] + path * paths;
}

static const char *const machines[] = {"ipu", NULL}, *const scenes[] = {"mesh", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_joined_table},
    {.section = "scene", .kinds = scenes},
    {.section = "run", .table = &fs_run_table},
    {.section = NULL},
};

static const fs_work_key keys[] = {
    {.own = "light", .must = "none"}, /* a work has no shadow rays */
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
    {.what = "scene", .keys = "scene.kind scene.file scene.builtin scene.grove. scene.soup. scene.normals"},
    {.what = "view", .keys = "scene.camera."},
    {.what = "picture", .keys = "workload.width workload.height"},
    {.what = "samples a pixel", .keys = "workload.samples"},
    {.what = "segments of a path at most", .keys = "workload.most_segments"},
    {.what = "shadow rays", .keys = "workload.light"},
    {.what = "paths", .figures = "paths.count", .unit = "path"},
    {.what = "rays", .figures = "paths.segments", .unit = "ray"},
};

const fs_workload fs_workload_treelets = {
    .abi = FS_ABI,
    .kind = "treelets",
    .summary =
        "a scene larger than a tile: its tree cut into treelets that lie on tiles, and rays that travel",
    .rules = {.uses = uses, .check = fs_treelets_check, .work = keys},
    .steps = {.size = sizeof(fs_treelets_run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = report,
              .conclude = fs_treelets_conclude,
              .write = fs_treelets_write,
              .trace = fs_chip_run_trace,
              .close = close_run},
    .prices = &fs_treelets_prices,
    .traces = true,
    .recorder = {[FS_LAYER_REPLAY] = "record", [FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .stats = &fs_treelets_stats,
    .time = "device.seconds",
    .page = &fs_treelets_page,
    FS_WORK(work)};
