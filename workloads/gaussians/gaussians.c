/* The workload: move Gaussians, or read what moved; run the device; write. */
#include "workloads/gaussians/gaussians.h"

#include "sim/base/numbers.h"
#include "sim/config/config.h"
#include "workloads/gaussians/run.h"

#include <inttypes.h>
#include <math.h>

/* The first frame's camera, with its place. */
static fs_status check_camera(const fs_gaussians_run *r, fs_error *err) {
    fs_gaussians_view view;
    fs_error why;
    fs_error_clear(&why);
    return fs_gaussians_view_of(r->params, &r->scene, 0, &view, &why) == FS_OK
               ? FS_OK
               : fs_fail(err, why.status, "%s: %s", fs_config_where(r->of.run.config, "workload", "camera"),
                         why.text);
}

static fs_status elaborate(void *self, fs_error *err) {
    fs_gaussians_run *r = self;
    fs_run *run = &r->of.run;
    if (fs_gaussians_begin(r, err))
        return err->status;
    if (run->replay != NULL)
        return FS_OK;
    if (fs_splats_load(fs_config_section(run->config, "scene"), &r->scene, err) || check_camera(r, err) ||
        fs_gaussians_ledger(r, r->scene.count, err) == NULL)
        return err->status;
    const fs_gaussians_grid g = fs_gaussians_grid_of(r->params);
    fs_run_say(run, "fits: %s Gaussians on %" PRIu32 " tiles of %" PRIu32 "x%" PRIu32 " pixels",
               fs_number_grouped((double)r->scene.count), g.tiles, g.tile_width, g.tile_height);
    return FS_OK;
}

static fs_status simulate(void *self, fs_error *err) {
    fs_gaussians_run *r = self;
    const fs_run *run = &r->of.run;
    r->activity = &r->own;
    if ((run->replay != NULL
             ? fs_gaussians_replay(run->replay, r, err)
             : fs_gaussians_activity_make(&r->own, r->params, &r->scene, r->over, r->of.machine, err)) ||
        fs_gaussians_run_device(r, err))
        return err->status;
    return run->host->record_activity == NULL ? FS_OK
                                              : fs_gaussians_record(run->host->record_activity, r, err);
}

static fs_status report(void *self, fs_error *err) {
    (void)err;
    fs_gaussians_run *r = self;
    const fs_gaussians_figures *f = &r->figures;
    r->of.run.figures = f;
    fs_run_say(&r->of.run,
               "%s a frame (%s frames/s): route %s, blend %s, exchange %s; %s entries of %s Gaussians, %s "
               "failed sends a frame",
               fs_number_seconds(f->frame), fs_number_short(f->rate, 3), fs_number_seconds(f->route),
               fs_number_seconds(f->blend), fs_number_seconds(f->exchange), fs_number_grouped(f->entries),
               fs_number_grouped((double)f->gaussians), fs_number_grouped(f->failed));
    return FS_OK;
}

static void close_run(void *self) {
    fs_gaussians_run *r = self;
    fs_splats_free(&r->scene);
    fs_gaussians_activity_free(&r->own);
}

/* Host seconds on one core of a common PC: 25 ms a step of the lanes, 150 ms a frame blended, 3 ms one priced. */
static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    static const double process = 0.1, step = 0.025, blend = 0.15, price = 0.003, settles = 100;
    const double frames = point->number(point->self, "workload.frames", 1);
    seconds[FS_LAYER_PRICE] = process + price * frames;
    seconds[FS_LAYER_RUN] = seconds[FS_LAYER_PRICE] + (step + blend) * frames + step * settles;
    seconds[FS_LAYER_REPLAY] = (double)NAN;
}

static const char *const machines[] = {"ipu", NULL}, *const scenes[] = {"gaussians", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_chip_table},
    {.section = "overlay"},
    {.section = "scene", .kinds = scenes},
    {.section = "views"},
    {.section = "run", .table = &fs_run_seedless_table},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "scene", .keys = "scene."},
    {.what = "view", .keys = "workload.camera. views."},
    {.what = "path", .keys = "workload.path. workload.frames"},
    {.what = "picture", .keys = "workload.width workload.height"},
    {.what = "frames", .figures = "device.iterations", .unit = "frame"},
};

const fs_workload fs_workload_gaussians = {
    .abi = FS_ABI,
    .kind = "gaussians",
    .summary = "3D Gaussians that find the tiles of the picture over lanes between neighbours",
    .rules = {.uses = uses,
              .check = fs_gaussians_check,
              .no_work = "its scenes are Gaussians, without meshes"},
    .steps = {.size = sizeof(fs_gaussians_run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = report,
              .conclude = fs_gaussians_conclude,
              .write = fs_gaussians_write,
              .trace = fs_chip_run_trace,
              .close = close_run},
    .prices = &fs_gaussians_prices,
    .camera = {.position = "camera.position", .look_at = "camera.look_at", .instead = "camera.view"},
    .follow = {.option = "gaussian", .form = "N", .story = fs_gaussians_story, .tell = fs_gaussians_tell},
    .traces = true,
    .recorder = {[FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .stats = &fs_gaussians_stats,
    .time = "device.seconds",
    .page = &fs_gaussians_page,
    FS_WORK(work)};
