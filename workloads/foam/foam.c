/* The workload `foam`: from a checked experiment to a run folder. */
#include "workloads/foam/foam_run.h"

#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fs_foam_sections(fs_foam_run *r) {
    const fs_config *config = r->of.run.config;
    r->of.machine = fs_config_section(config, "machine");
    r->params = fs_config_section(config, "workload");
    r->pictures = fs_config_section(config, "run");
    r->of.run.how = &r->pictures->all;
}

static void close_run(void *run) {
    fs_foam_run *r = run;
    fs_timeline_discard(&r->timeline);
    fs_reference_free(&r->reference);
    fs_foam_recorded_rays_free(&r->rays);
    fs_activity_free(&r->activity);
    fs_activity_recorder_free(r->recorder);
    fs_march_scene_free(&r->scene);
    fs_foam_free(&r->foam);
    free(r->rgb8);
    free(r->frames8);
    free(r->depth16);
}

/* ---- elaboration ---- */

/* A camera for each frame of a path. */
static fs_status make_path(fs_foam_run *r, fs_error *err) {
    const fs_view *views;
    size_t count;
    if (fs_views_make(r->of.run.config, r->of.run.arena, &views, &count, err))
        return err->status;
    r->cameras = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        const fs_camera_params camera = fs_foam_camera_of(&r->params->camera, &views[i]);
        if (fs_camera_make(&camera, fs_config_where(r->of.run.config, "views", ""), &r->camera[i], err))
            return err->status;
    }
    return FS_OK;
}

fs_status fs_foam_make_cameras(fs_foam_run *r, fs_error *err) {
    const fs_camera_change_params *change = &r->params->change;
    fs_camera_params second = r->params->camera;
    r->cameras = 1;
    if (r->pictures->path.in_flight > 0)
        return make_path(r, err);
    if (fs_camera_make(&r->params->camera, fs_config_where(r->of.run.config, "workload", "camera"),
                       &r->camera[0], err))
        return err->status;
    if (change->iteration < 0)
        return FS_OK;
    const char *where = fs_config_where(r->of.run.config, "workload", "camera_change");
    memcpy(second.position, change->position, sizeof second.position);
    memcpy(second.look_at, change->look_at, sizeof second.look_at);
    r->cameras = 2;
    return fs_camera_make(&second, where, &r->camera[1], err);
}

static fs_status check_execution(const fs_foam_run *r, fs_error *err) {
    if (r->of.machine->execution != FS_EXECUTION_DECOUPLED)
        return FS_OK;
    const char *where = fs_config_where(r->of.run.config, "machine", "execution");
    if (r->of.run.host->record_activity != NULL)
        return fs_fail(
            err, FS_INPUT,
            "%s: what decoupled tiles do depends on every price, so there is no activity that could "
            "be priced anew; expected bsp beside --record-activity (--record holds the rays' paths)",
            where);
    return FS_OK;
}

/* What the exchange may be given to move: lanes without end hold any number of rays. A static schedule keeps
 * the real sizes, which is all that it moves. */
static const fs_transfer *transfers_of(const fs_foam_run *r) {
    if (!r->params->infinite_buffers || fs_fabric_plans(&r->of.machine->exchange))
        return r->layout.transfers;
    fs_transfer *unbounded = FS_NEW(r->of.run.arena, fs_transfer, r->overlay.lane_count);
    for (uint32_t l = 0; l < r->overlay.lane_count; l++) {
        unbounded[l] = r->layout.transfers[l];
        unbounded[l].bytes = UINT32_MAX;
    }
    return unbounded;
}

fs_status fs_foam_make_device(fs_foam_run *r, fs_error *err) {
    r->programs = fs_foam_programs(&r->overlay, &r->params->kernels, r->of.run.arena);
    const uint32_t ahead = r->setup.in_flight < r->setup.frames ? r->setup.in_flight : r->setup.frames;
    const uint64_t cameras = FS_CAMERA_BYTES * (uint64_t)(ahead > 0 ? ahead : 1);
    const fs_host_visit first = {.visit = true,
                                 .bytes_to_device = cameras + r->setup.upload_bytes,
                                 .broadcast_bytes = cameras,
                                 .streams = r->setup.upload_streams};
    if (r->of.machine->execution == FS_EXECUTION_DECOUPLED) {
        r->decoupled = fs_foam_decoupled_create(r->of.run.arena, &r->setup, r->sim, r->of.machine,
                                                &r->programs, r->layout.transfers, &first, err);
        r->of.device = r->decoupled ? fs_foam_decoupled_device(r->decoupled) : NULL;
    } else {
        r->of.plan =
            fs_overlay_device_plan(&r->overlay, &r->programs, transfers_of(r), &first, r->of.run.arena);
        return fs_chip_run_make(&r->of, err);
    }
    return r->of.device ? FS_OK : fs_machine_placed(r->of.run.config, r->of.run.arena, err);
}

static uint64_t shard_bytes(const fs_foam_run *r) {
    const fs_kernel_params *k = &r->params->kernels;
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < r->partition.shards; s++)
        bytes += fs_shard_bytes(&r->partition.size[s]) +
                 fs_march_store_bytes((uint32_t)k->harmonics, k->store, r->partition.size[s].cells);
    return bytes;
}

void fs_foam_make_setup(fs_foam_run *r) {
    const fs_foam_params *p = r->params;
    r->setup = (fs_foam_setup){
        .overlay = &r->overlay,
        .scene = r->marches ? &r->scene : NULL,
        .partition = r->marches ? &r->partition : NULL,
        .camera = r->camera,
        .cameras = r->cameras,
        .march = p->march,
        .payload = &r->payload,
        .lane_capacity = r->layout.capacity,
        .workers = (uint32_t)fs_machine_most_workers(r->of.machine),
        .tracer_workers = (uint32_t)fs_machine_workers(r->of.machine, FS_ROLE_TRACER),
        .router_workers = (uint32_t)fs_machine_workers(r->of.machine, FS_ROLE_ROUTER),
        .infinite_buffers = p->infinite_buffers,
        .generator_workers = (uint32_t)p->kernels.generator_workers,
        .order = (uint32_t)p->order,
        .per_batch = (uint32_t)p->per_batch,
        .in_flight = (uint32_t)r->pictures->path.in_flight,
        .idle = r->pictures->path.in_flight > 0 ? 0 : (uint32_t)p->idle,
        .frames = r->pictures->path.in_flight > 0 ? r->cameras : (uint32_t)r->pictures->frames,
        .stream = r->pictures->stream,
        .coverage = r->pictures->coverage,
        .not_black = p->pixels == FS_PIXELS_NOT_BLACK,
        .previous = p->judged == FS_JUDGED_PREVIOUS,
        .give_up = (uint32_t)p->give_up,
        .repeat = (uint32_t)p->repeat,
        .max_iterations = (uint32_t)r->of.run.how->max_iterations,
        .local_framebuffer = p->framebuffer == FS_FRAMEBUFFER_LOCAL,
        .local_records = (uint32_t)(p->local_buffer / FS_LOCAL_RECORD_BYTES),
        .upload_bytes = p->upload ? shard_bytes(r) : 0,
        .upload_streams = p->upload ? FS_SHARD_STREAMS * (uint64_t)r->partition.shards : 0,
        .change_iteration = p->change.iteration < 0 ? UINT64_MAX : (uint64_t)p->change.iteration,
        .change_policy = (uint32_t)p->change.policy,
    };
}

void fs_foam_make_books(fs_foam_run *r, uint32_t iterations) {
    const fs_foam_books_plan plan = {
        .max_iterations = iterations,
        .camera_tile = r->overlay.tracer_tile[r->facts.entry[0]],
        .rays = r->pictures->stream ? UINT64_MAX
                                    : (uint64_t)r->camera[0].width * r->camera[0].height * r->setup.frames,
        .full = r->of.run.how->statistics == FS_STATISTICS_FULL,
        .sums = r->of.run.host == NULL,
        .looks = r->of.run.host != NULL && r->of.run.host->record_activity != NULL};
    fs_foam_books_create(&r->books, r->of.run.arena, &r->overlay, r->sim, r->of.device, &plan);
}

static fs_status make_simulation(fs_foam_run *r, fs_error *err) {
    fs_foam_make_setup(r);
    double begin = fs_host_wall_seconds(), cpu = fs_host_cpu_seconds();
    if (r->of.run.prices) {
        if (fs_foam_make_shell(r, err))
            return err->status;
    } else {
        if (fs_foam_make_rays(r, err))
            return err->status;
        r->sim = fs_foam_simulation_create(r->of.run.arena, &r->setup, err);
    }
    r->cost.march_seconds = fs_host_wall_seconds() - begin;
    r->cost.march_cpu_seconds = fs_host_cpu_seconds() - cpu;
    r->of.run.cost.simulation_seconds = r->cost.march_seconds;
    if (r->sim == NULL)
        return err->status;
    fs_foam_keep_reference(r, r->setup.reference);
    if (fs_foam_make_device(r, err))
        return err->status;
    fs_foam_make_books(r, r->setup.max_iterations);
    if (r->of.run.host->record_activity != NULL && !r->of.run.prices)
        r->recorder = fs_activity_recorder_create(&r->overlay, &r->programs, r->setup.workers);
    return FS_OK;
}

/* ---- the device's client ---- */

static uint32_t *counts_of(void *self, uint32_t tile) {
    return fs_device_counts(((fs_foam_run *)self)->of.device, tile);
}
static void tile_done(void *self, uint32_t tile) {
    fs_foam_run *r = self;
    if (r->recorder != NULL)
        fs_activity_count(r->recorder, tile, fs_device_counts(r->of.device, tile));
    fs_device_done(r->of.device, tile);
}

fs_count_sink fs_foam_sink(fs_foam_run *r) {
    return (fs_count_sink){.self = r, .counts = counts_of, .done = tile_done};
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)err;
    fs_foam_run *r = self;
    const fs_count_sink sink = fs_foam_sink(r);
    fs_foam_simulation_compute(r->sim, at.iteration, &sink, &r->active, &r->active_count);
    *active = r->active;
    *active_count = r->active_count;
    return FS_OK;
}

static fs_status on_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)err;
    fs_foam_run *r = self;
    fs_foam_books_look(&r->books, r->active, r->active_count);
    if (r->follow != NULL)
        fs_follow_look(r->follow, r->sim, at.iteration);
    const bool asked = r->recorder != NULL || fs_foam_asks_lanes(r);
    fs_foam_simulation_exchange(r->sim, asked ? occupied : NULL);
    if (r->recorder != NULL)
        fs_activity_note(r->recorder, r->sim, r->active, r->active_count, *occupied, r->payload.bytes);
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    fs_foam_run *r = self;
    fs_foam_visit v;
    fs_status status = fs_foam_simulation_decide(r->sim, iteration, &v, err);
    *visit = (fs_host_visit){.visit = v.visit,
                             .bytes_to_host = v.bytes_to_host,
                             .bytes_to_device = v.bytes_to_device,
                             .broadcast_bytes = v.bytes_to_device};
    *stop = v.stop;
    if (r->recorder != NULL && v.limited)
        fs_foam_write_unfinished(r, err->text);
    else if (r->recorder != NULL)
        fs_activity_visit(r->recorder, r->sim, visit);
    return status;
}

/* Least time of a run that takes minutes, by how fast rays are made between its first seconds; iterations grow until as many rays
 * end as are made, and those that end a frame make none. */
static void say_time(fs_foam_run *r) {
    static const double looks_at = 2.5, said_at = 5, said_from = 60; /* host seconds */
    const double now = fs_host_wall_seconds(), spent = now - r->began;
    if (!(r->began > 0) || spent < looks_at)
        return;
    const uint64_t made = fs_foam_simulation_totals(r->sim).generated,
                   all = (uint64_t)r->camera[0].width * r->camera[0].height;
    if (r->looked == 0) {
        r->looked = now;
        r->made = made;
    }
    if (spent < said_at)
        return;
    r->began = 0;
    const double pace = made > r->made ? (now - r->looked) / (double)(made - r->made) : 0,
                 least = spent + (made < all ? (double)(all - made) * pace : 0);
    if (least >= said_from)
        fs_say("the frame takes at least %s of this host, by its first seconds: %.1f %% of the rays are made",
               fs_number_seconds(least), 100 * (double)made / (double)all);
}

static void on_finished(void *self, const fs_iteration *iteration) {
    fs_foam_run *r = self;
    say_time(r);
    fs_foam_books_note(&r->books, iteration, r->active, r->active_count);
    if (r->follow != NULL)
        fs_follow_note(r->follow, r->of.device, iteration);
    fs_progress_update(&r->of.run.progress, fs_foam_simulation_written(r->sim));
}

static void on_settled(void *self, const fs_iteration *iteration) {
    fs_foam_run *r = self;
    r->books.note[iteration->number].times = *iteration;
}

static void look_at_slice(void *self, const uint32_t *active, uint32_t active_count, const uint32_t *sources,
                          uint32_t source_count) {
    fs_foam_run *r = self;
    r->active = active;
    r->active_count = active_count;
    fs_foam_books_look(&r->books, sources, source_count);
}

fs_device_client fs_foam_client(fs_foam_run *r) {
    return (fs_device_client){.self = r,
                              .compute = on_compute,
                              .exchange = on_exchange,
                              .decide = on_decide,
                              .finished = on_finished,
                              .settled = on_settled};
}

static fs_status run_device(fs_foam_run *r, fs_error *err) {
    const fs_device_client client = fs_foam_client(r);
    const fs_foam_slices slices = {.self = r, .look = look_at_slice, .finished = on_finished};
    if (r->decoupled)
        return fs_foam_decoupled_run(r->decoupled, &slices, err);
    fs_status status = fs_device_run(r->of.device, &client, err);
    return status ? status : fs_foam_simulation_check(r->sim, err);
}

static fs_status simulate(void *run, fs_error *err) {
    fs_foam_run *r = run;
    const double cpu = fs_host_cpu_seconds();
    r->began = fs_host_wall_seconds();
    fs_progress_begin(&r->of.run.progress, "pixels", (uint64_t)r->camera[0].width * r->camera[0].height);
    fs_status status = r->of.run.prices ? fs_foam_replay_activity(r, err) : run_device(r, err);
    fs_progress_end(&r->of.run.progress);
    if (!r->of.run.prices)
        fs_foam_books_close(&r->books);
    r->cost.iterations_cpu_seconds = fs_host_cpu_seconds() - cpu;
    return status;
}

/* ---- the run ---- */

static fs_status open_timeline(fs_foam_run *r, fs_error *err) {
    if (r->of.run.host->trace != NULL && r->of.run.how->statistics != FS_STATISTICS_FULL)
        return fs_fail(err, FS_INPUT, "%s: --trace needs the full statistics",
                       fs_config_where(r->of.run.config, "run", "statistics"));
    return fs_timeline_open(&r->timeline, r->of.run.host, r->of.machine, &r->overlay, err);
}

static fs_status elaborate(void *run, fs_error *err) {
    fs_foam_run *r = run;
    fs_foam_sections(r);
    if (check_execution(r, err) || fs_foam_make_cameras(r, err) || fs_foam_make_scene(r, err) ||
        fs_foam_make_overlay(r, err) || open_timeline(r, err) || make_simulation(r, err))
        return err->status;
    const fs_ledger *ledger = r->of.ledger;
    const uint32_t worst = fs_ledger_worst(ledger);
    fs_run_say(&r->of.run, "%s: the fullest of %u tiles, tile %u, holds %llu of %lld bytes of SRAM",
               fs_ledger_over(ledger) == 0 ? "fits" : "does not fit", r->overlay.tiles, worst,
               (unsigned long long)fs_ledger_peak(ledger),
               (long long)fs_machine_sram(r->of.machine, r->overlay.role[worst]));
    return FS_OK;
}

static fs_status write_timeline(void *run, fs_error *err) {
    fs_foam_run *r = run;
    return fs_timeline_write(&r->timeline, &r->books, err);
}

/* ---- one ray ---- */

static fs_status check_follow(const fs_config *config, uint32_t x, uint32_t y, fs_error *err) {
    fs_foam_run r = {.of.run.config = config};
    fs_foam_sections(&r);
    if (r.of.machine->execution == FS_EXECUTION_DECOUPLED)
        return fs_fail(err, FS_INPUT, "%s: a ray is followed from barrier to barrier: expected bsp",
                       fs_config_where(config, "machine", "execution"));
    if (r.of.machine->exchange.kind == FS_FABRIC_NOC && r.of.machine->noc.detail == FS_NOC_SAMPLED)
        return fs_fail(err, FS_INPUT,
                       "%s: a ray is followed through phases that are simulated: expected flits",
                       fs_config_where(config, "machine", "exchange.noc.detail"));
    if (fs_foam_make_cameras(&r, err))
        return err->status;
    return x < r.camera[0].width && y < r.camera[0].height
               ? FS_OK
               : fs_fail(err, FS_INPUT, "--pixel: expected X below %u and Y below %u, found %u,%u",
                         r.camera[0].width, r.camera[0].height, x, y);
}

static fs_status follow(fs_foam_run *r, uint32_t x, uint32_t y, json_t **story, fs_error *err) {
    if (r->of.run.prices)
        return fs_fail(err, FS_INPUT,
                       "--replay: %s holds activity, which has no rays; expected an itinerary recording",
                       r->of.run.host->replay);
    r->follow = fs_follow_create(r->of.run.arena, &r->overlay, x, y, r->payload.bytes);
    if (simulate(r, err))
        return err->status;
    fs_foam_make_figures(r);
    *story = fs_follow_story(r->follow, r->sim, r->rgb8);
    return FS_OK;
}

static fs_status follow_story(const fs_config *config, const fs_host_options *host, const char *which,
                              json_t **story, fs_error *err) {
    uint32_t x = 0, y = 0;
    if (fs_follow_pixel(which, &x, &y, err) || check_follow(config, x, y, err))
        return err->status;
    fs_run *run = fs_run_begin(&fs_workload_foam, config, host, err);
    if (run == NULL)
        return err->status;
    const fs_status status = follow((fs_foam_run *)run, x, y, story, err);
    fs_run_close(&fs_workload_foam, run);
    return status;
}

/* ---- what a point of the foam costs the host, and which layers it has ---- */

/* Host seconds for a ray of a frame, and for a process, by layer; measured on one core of a common PC. */
static const double per_ray[FS_LAYERS] = {8e-6, 1.5e-6, 0}, per_process[FS_LAYERS] = {0.15, 0.1, 0.06};

static void expect(const fs_point *point, double seconds[FS_LAYERS]) {
    const double rays = point->number(point->self, "workload.camera.width", 640) *
                        point->number(point->self, "workload.camera.height", 480) *
                        point->number(point->self, "run.frames", 1) *
                        point->number(point->self, "views.count", 1);
    for (int layer = 0; layer < FS_LAYERS; layer++)
        seconds[layer] = per_process[layer] + per_ray[layer] * rays;
    /* An itinerary holds one view, activity one run; what decoupled tiles do depends on every price. */
    const bool path = point->number(point->self, "run.path.in_flight", 0) > 0;
    if (!point->is(point->self, "views.kind", "none"))
        seconds[FS_LAYER_REPLAY] = (double)NAN;
    if (!point->is(point->self, "views.kind", "none") && !path)
        seconds[FS_LAYER_PRICE] = (double)NAN;
    if (!point->is(point->self, "machine.execution", "bsp"))
        seconds[FS_LAYER_PRICE] = (double)NAN;
}

/* ---- the descriptor ---- */

static const char *const machines[] = {"ipu", NULL}, *const scenes[] = {"foam", NULL};
static const fs_section_use uses[] = {
    {.section = "machine", .kinds = machines, .table = &fs_machine_joined_table},
    {.section = "overlay"},
    {.section = "scene", .kinds = scenes},
    {.section = "views"},
    {.section = "run"},
    {.section = NULL},
};

static const fs_work_row work[] = {
    {.what = "scene", .figures = "scene.digest"},
    {.what = "picture", .keys = "workload.camera.width workload.camera.height"},
    {.what = "view",
     .keys = "workload.camera.position workload.camera.look_at workload.camera.up workload.camera.fov_y "
             "workload.camera.intrinsics. workload.camera.world_to_camera workload.camera_change. views."},
    {.what = "frames", .keys = "run.frames"},
    {.what = "share of the pixels asked for", .keys = "run.coverage"},
    {.what = "transmittance at a ray's end", .keys = "workload.march.threshold"},
    {.what = "lost rays", .figures = "rays.dropped"},
    {.what = "rays", .figures = "rays.finished", .unit = "ray"},
};

const fs_workload fs_workload_foam = {
    .abi = FS_ABI,
    .kind = "foam",
    .summary = "the Radiant Foam renderer: rays travel between shards of a Voronoi scene",
    .rules = {.uses = uses,
              .check = fs_foam_check_config,
              .no_work = "it marches through the cells of a foam, without meshes",
              FS_OVERLAY_RULES},
    .steps = {.size = sizeof(fs_foam_run),
              .elaborate = elaborate,
              .simulate = simulate,
              .figures = fs_foam_report,
              .conclude = fs_foam_conclude,
              .write = fs_foam_write,
              .trace = write_timeline,
              .close = close_run},
    .prices = &fs_foam_prices,
    .camera = {.position = "camera.position",
               .look_at = "camera.look_at",
               .instead = "camera.world_to_camera"},
    .traces = true,
    .follow = {.option = "pixel", .form = "X,Y", .story = follow_story, .tell = fs_follow_tell},
    .recorder = {[FS_LAYER_REPLAY] = "record", [FS_LAYER_PRICE] = "record-activity"},
    .expect = expect,
    .stats = &fs_foam_stats,
    .host_stats = &fs_foam_host_stats,
    .time = "device.seconds",
    .page = &fs_foam_page,
    FS_WORK(work)};
