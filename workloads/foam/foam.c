/* The workload `foam`: from a checked experiment to a run folder. */
#include "workloads/foam/foam.h"

#include "models/machine/device.h"
#include "models/overlay/overlay.h"
#include "sim/base/progress.h"
#include "sim/cli/run_params.h"
#include "workloads/foam/books.h"
#include "workloads/foam/congestion.h"
#include "workloads/foam/decoupled.h"
#include "workloads/foam/findings.h"
#include "workloads/foam/foam_overlay.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/foam_scene.h"
#include "workloads/foam/host_stats.h"
#include "workloads/foam/ladder.h"
#include "workloads/foam/layout.h"
#include "workloads/foam/outputs.h"
#include "workloads/foam/programs.h"
#include "workloads/foam/reference.h"
#include "workloads/foam/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All parts of one run. Heap members are freed by release(); the rest lives in the arena. */
typedef struct foam_run {
    fs_arena *arena;
    const fs_config *config;
    const fs_host_options *host;
    const fs_machine_params *machine;
    const fs_foam_params *params;
    const fs_run_params *run;
    fs_foam foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_payload payload;
    fs_camera camera[FS_POSES];
    uint32_t cameras;
    fs_overlay overlay;
    fs_layout layout;
    fs_foam_setup setup;
    fs_simulation *sim;
    fs_device *device;
    fs_foam_decoupled *decoupled; /* machine.execution: decoupled; else NULL */
    fs_foam_books books;
    fs_progress progress;
    const uint32_t *active;
    uint32_t active_count;
    fs_reference reference;
    uint8_t *rgb8;
    uint16_t *depth16;
    fs_foam_figures figures;
    fs_congestion *congestion; /* this and the next two with run.statistics full */
    fs_ladder *ladder;
    fs_findings *findings;
    fs_timeline timeline;
    fs_host_figures cost;
} foam_run;

static void release(foam_run *r) {
    fs_timeline_discard(&r->timeline);
    fs_reference_free(&r->reference);
    fs_march_scene_free(&r->scene);
    fs_foam_free(&r->foam);
    free(r->rgb8);
    free(r->depth16);
    fs_arena_free(r->arena);
}

/* ---- elaboration ---- */

static fs_status make_cameras(foam_run *r, fs_error *err) {
    const fs_camera_change_params *change = &r->params->change;
    fs_camera_params second = r->params->camera;
    r->cameras = 1;
    if (fs_camera_make(&r->params->camera, fs_config_where(r->config, "workload", "camera"), &r->camera[0],
                       err))
        return err->status;
    if (change->iteration < 0)
        return FS_OK;
    const char *where = fs_config_where(r->config, "workload", "camera_change");
    if (!change->position_given || !change->look_at_given || second.world_to_camera_given)
        return fs_fail(
            err, FS_INPUT,
            "%s: a camera change needs position and look_at, and a first camera described the same way",
            where);
    memcpy(second.position, change->position, sizeof second.position);
    memcpy(second.look_at, change->look_at, sizeof second.look_at);
    r->cameras = 2;
    return fs_camera_make(&second, where, &r->camera[1], err);
}

static fs_status make_scene(foam_run *r, fs_error *err) {
    const fs_scene_params *scene = fs_config_section(r->config, "scene");
    double begin = fs_host_wall_seconds();
    if (fs_scene_load(scene, r->host->cache_dir, r->host->threads, &r->foam, err))
        return err->status;
    r->cost.scene_seconds = fs_host_wall_seconds() - begin;
    begin = fs_host_wall_seconds();
    if (fs_partition_make(fs_partitioners[r->params->partition_kind], &r->foam, &r->params->partition,
                          r->arena, &r->partition, err) ||
        fs_partition_check_record(&r->partition, err) ||
        fs_march_scene_make(&r->foam, &r->partition, &r->scene, err))
        return err->status;
    r->cost.partition_seconds = fs_host_wall_seconds() - begin;
    r->payload = fs_payloads[r->params->payload];
    if (r->params->change.iteration >= 0 && r->params->change.policy == FS_CHANGE_POSE_IN_PAYLOAD)
        r->payload.bytes += (uint32_t)r->params->pose_bytes;
    for (uint32_t c = 0; c < r->cameras; c++)
        if (fs_payload_check_range(&r->payload, &r->foam, &r->camera[c], err))
            return err->status;
    return FS_OK;
}

static fs_status make_overlay(foam_run *r, fs_error *err) {
    const fs_foam_ground ground = {.config = r->config,
                                   .machine = r->machine,
                                   .params = r->params,
                                   .partition = &r->partition,
                                   .scene = &r->scene,
                                   .payload = &r->payload,
                                   .camera = r->camera,
                                   .cameras = r->cameras};
    return fs_foam_overlay_make(&ground, r->arena, &r->overlay, &r->layout, err);
}

static fs_status check_execution(const foam_run *r, fs_error *err) {
    if (r->machine->execution != FS_EXECUTION_DECOUPLED)
        return FS_OK;
    const char *where = fs_config_where(r->config, "machine", "execution");
    if (r->machine->exchange.mode != FS_EXCHANGE_DYNAMIC)
        return fs_fail(err, FS_INPUT,
                       "%s: decoupled tiles send when they have something to send; expected "
                       "machine.exchange.mode: dynamic, found static, which moves whole buffers in lockstep",
                       where);
    if (!r->machine->host.fused)
        return fs_fail(
            err, FS_INPUT,
            "%s: without a loop on the device the host is the barrier; expected machine.host.fused: "
            "true, found false",
            where);
    if (r->params->infinite_buffers)
        return fs_fail(err, FS_INPUT,
                       "%s: the lanes of a decoupled run have credits for their places; expected "
                       "workload.infinite_buffers: false, found true",
                       where);
    if (r->params->change.iteration >= 0)
        return fs_fail(err, FS_INPUT,
                       "%s: a decoupled run meets the host at its beginning and its end only; expected no "
                       "workload.camera_change, found one",
                       where);
    return FS_OK;
}

/* What the exchange may be given to move: lanes without end hold any number of rays. A static schedule keeps
 * the real sizes, which is all that it moves. */
static const fs_transfer *transfers_of(const foam_run *r) {
    if (!r->params->infinite_buffers || r->machine->exchange.mode == FS_EXCHANGE_STATIC)
        return r->layout.transfers;
    fs_transfer *unbounded = FS_NEW(r->arena, fs_transfer, r->overlay.lane_count);
    for (uint32_t l = 0; l < r->overlay.lane_count; l++) {
        unbounded[l] = r->layout.transfers[l];
        unbounded[l].bytes = UINT32_MAX;
    }
    return unbounded;
}

static fs_status make_device(foam_run *r, fs_error *err) {
    const fs_device_programs programs = fs_foam_programs(&r->overlay, &r->params->kernels, r->arena);
    const fs_host_visit first = {
        .visit = true, .bytes_to_device = FS_CAMERA_BYTES, .broadcast_bytes = FS_CAMERA_BYTES};
    if (r->machine->execution == FS_EXECUTION_DECOUPLED) {
        r->decoupled = fs_foam_decoupled_create(r->arena, &r->setup, r->sim, r->machine, &programs,
                                                r->layout.transfers, err);
        r->device = r->decoupled ? fs_foam_decoupled_device(r->decoupled) : NULL;
    } else {
        r->device =
            fs_device_create(r->arena, r->machine, &r->overlay, &programs, transfers_of(r),
                             r->run->detail == FS_RUN_EVENT ? FS_DETAIL_EVENT : FS_DETAIL_PHASE, &first, err);
    }
    return r->device ? FS_OK : err->status;
}

static fs_status make_simulation(foam_run *r, fs_error *err) {
    const fs_foam_params *p = r->params;
    r->setup = (fs_foam_setup){
        .overlay = &r->overlay,
        .scene = &r->scene,
        .partition = &r->partition,
        .camera = r->camera,
        .cameras = r->cameras,
        .march = p->march,
        .payload = &r->payload,
        .lane_capacity = r->layout.capacity,
        .workers = (uint32_t)r->machine->tile.workers,
        .infinite_buffers = p->infinite_buffers,
        .generator_workers = (uint32_t)p->kernels.generator_workers,
        .order = (uint32_t)p->order,
        .per_batch = (uint32_t)p->per_batch,
        .idle = (uint32_t)p->idle,
        .frames = (uint32_t)r->run->frames,
        .stream = r->run->stream,
        .coverage = r->run->coverage,
        .repeat = (uint32_t)p->repeat,
        .max_iterations = (uint32_t)r->run->max_iterations,
        .local_framebuffer = p->framebuffer == FS_FRAMEBUFFER_LOCAL,
        .local_records = (uint32_t)(p->local_buffer / FS_LOCAL_RECORD_BYTES),
        .change_iteration = p->change.iteration < 0 ? UINT64_MAX : (uint64_t)p->change.iteration,
        .change_policy = (uint32_t)p->change.policy,
    };
    if (p->kernels.generator_workers > r->machine->tile.workers)
        return fs_fail(err, FS_INPUT,
                       "%s: expected at most the %lld workers of a tile, "
                       "found %lld",
                       fs_config_where(r->config, "workload", "kernels.generator_workers"),
                       (long long)r->machine->tile.workers, (long long)p->kernels.generator_workers);
    double begin = fs_host_wall_seconds();
    r->sim = fs_simulation_create(r->arena, &r->setup, err);
    r->cost.march_seconds = fs_host_wall_seconds() - begin;
    if (r->sim == NULL)
        return err->status;
    if (make_device(r, err))
        return err->status;
    uint32_t camera_cell = fs_march_nearest(&r->scene, &r->partition, r->camera[0].origin);
    const fs_books_plan plan = {.max_iterations = r->setup.max_iterations,
                                .camera_tile = r->overlay.tracer_tile[r->scene.cell[camera_cell].shard],
                                .rays = r->run->stream ? UINT64_MAX
                                                       : (uint64_t)r->camera[0].width * r->camera[0].height *
                                                             r->setup.frames,
                                .full = r->run->statistics == FS_STATISTICS_FULL};
    fs_foam_books_create(&r->books, r->arena, &r->overlay, r->sim, r->device, &plan);
    return FS_OK;
}

/* ---- the device's client ---- */

static uint32_t *counts_of(void *self, uint32_t tile) {
    return fs_device_counts(((foam_run *)self)->device, tile);
}
static void tile_done(void *self, uint32_t tile) {
    fs_device_done(((foam_run *)self)->device, tile);
}

static fs_status on_compute(void *self, uint64_t iteration, const uint32_t **active, uint32_t *active_count,
                            fs_error *err) {
    (void)err;
    foam_run *r = self;
    const fs_count_sink sink = {.self = r, .counts = counts_of, .done = tile_done};
    fs_simulation_compute(r->sim, iteration, &sink, &r->active, &r->active_count);
    *active = r->active;
    *active_count = r->active_count;
    return FS_OK;
}

static fs_status on_exchange(void *self, uint64_t iteration, const uint32_t **occupied, fs_error *err) {
    (void)iteration;
    (void)err;
    foam_run *r = self;
    fs_foam_books_look(&r->books, r->active, r->active_count);
    fs_simulation_exchange(r->sim, occupied);
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    fs_foam_visit v;
    fs_status status = fs_simulation_decide(((foam_run *)self)->sim, iteration, &v, err);
    *visit = (fs_host_visit){.visit = v.visit,
                             .bytes_to_host = v.bytes_to_host,
                             .bytes_to_device = v.bytes_to_device,
                             .broadcast_bytes = v.bytes_to_device};
    *stop = v.stop;
    return status;
}

static void on_finished(void *self, const fs_iteration *iteration) {
    foam_run *r = self;
    fs_foam_books_note(&r->books, iteration, r->active, r->active_count);
    fs_progress_update(&r->progress, fs_simulation_framebuffer(r->sim)->written[0]);
}

static void look_at_slice(void *self, const uint32_t *active, uint32_t active_count) {
    foam_run *r = self;
    r->active = active;
    r->active_count = active_count;
    fs_foam_books_look(&r->books, active, active_count);
}

static fs_status run_device(foam_run *r, fs_error *err) {
    const fs_device_client client = {.self = r,
                                     .compute = on_compute,
                                     .exchange = on_exchange,
                                     .decide = on_decide,
                                     .finished = on_finished};
    const fs_foam_slices slices = {.self = r, .look = look_at_slice, .finished = on_finished};
    if (r->decoupled)
        return fs_foam_decoupled_run(r->decoupled, &slices, err);
    fs_status status = fs_device_run(r->device, &client, err);
    return status ? status : fs_simulation_check(r->sim, err);
}

static fs_status simulate(foam_run *r, fs_error *err) {
    double begin = fs_host_wall_seconds();
    fs_progress_begin(&r->progress, "pixels", (uint64_t)r->camera[0].width * r->camera[0].height);
    fs_status status = run_device(r, err);
    fs_progress_end(&r->progress);
    fs_foam_books_close(&r->books);
    r->cost.simulation_seconds = r->cost.march_seconds + fs_host_wall_seconds() - begin;
    return status;
}

/* ---- results ---- */

/* fp16 t is coarse where the scene is fine: says so when half a unit of t at the mean depth is more than a
 * twentieth of the mean path in a cell, where a step can move a ray's samples by a visible part of a cell. */
static void judge_precision(foam_run *r) {
    const double worth_saying = 0.05;
    fs_foam_figures *f = &r->figures;
    double depth = 0, seen = 0;
    for (size_t p = 0; p < (size_t)r->reference.width * r->reference.height; p++) {
        depth += (double)r->reference.depth[p];
        seen += r->reference.depth[p] > 0 ? 1.0 : 0.0;
    }
    depth = seen > 0 ? depth / seen : 0;
    f->cell_length = f->cells_per_ray > 0 ? depth / f->cells_per_ray : NAN;
    f->note = "";
    if (!r->payload.half_t)
        return;
    double unit = 0x1p-24; /* of the smallest halves */
    while (unit * 2048.0 <= depth)
        unit *= 2.0;
    f->t_step = unit / 2.0;
    if (f->t_step > worth_saying * f->cell_length)
        f->note = "t as fp16 is coarse against the cells here (half a unit of t is more than a twentieth of "
                  "the mean "
                  "path in a cell): cells are fine for how far they are from the camera; payload full shows "
                  "the loss";
}

static void judge_image(foam_run *r) {
    const fs_framebuffer *fb = fs_simulation_framebuffer(r->sim);
    fs_foam_figures *f = &r->figures;
    const size_t pixels = (size_t)fb->width * fb->height;
    r->rgb8 = fs_malloc(3 * pixels);
    r->depth16 = fs_malloc(2 * pixels);
    uint8_t *reference8 = fs_malloc(3 * pixels);
    fs_image_rgb8(fb->rgb, pixels, r->rgb8);
    fs_image_rgb8(r->reference.rgb, pixels, reference8);
    f->exact = memcmp(fb->rgb, r->reference.rgb, 3 * pixels * sizeof fb->rgb[0]) == 0;
    f->psnr = fs_psnr_rgb8(r->rgb8, reference8, pixels);
    f->psnr_float = fs_psnr_float(fb->rgb, r->reference.rgb, pixels);
    f->ssim = fs_ssim_rgb8(r->rgb8, reference8, fb->width, fb->height);
    free(reference8);
    f->depth_source = r->payload.carries_depth ? "payload" : "reference";
    float near, far;
    fs_depth_grey16(r->payload.carries_depth ? fb->depth : r->reference.depth, fb->width, fb->height,
                    r->depth16, &near, &far);
}

static void judge_scene(foam_run *r) {
    fs_foam_figures *f = &r->figures;
    f->memory_peak = fs_ledger_peak(r->layout.ledger);
    f->memory_worst_tile = fs_ledger_worst(r->layout.ledger);
    f->memory_over = fs_ledger_over(r->layout.ledger);
    f->memory_fits = f->memory_over == 0;
    f->scene_cells = r->foam.sites;
    f->scene_faces = r->foam.faces;
    f->scene_digest = r->foam.digest;
    for (uint32_t s = 0; s < r->partition.shards; s++) {
        const fs_shard_size *size = &r->partition.size[s];
        f->shard_cells_max = size->cells > f->shard_cells_max ? size->cells : f->shard_cells_max;
        f->shard_neighbours_max =
            size->neighbour_cells > f->shard_neighbours_max ? size->neighbour_cells : f->shard_neighbours_max;
        f->shard_adjacency_max =
            size->adjacency > f->shard_adjacency_max ? size->adjacency : f->shard_adjacency_max;
        f->shard_shards_max =
            size->neighbour_shards > f->shard_shards_max ? size->neighbour_shards : f->shard_shards_max;
    }
    if (r->machine->exchange.mode == FS_EXCHANGE_STATIC)
        f->static_cycles = (uint64_t)r->machine->exchange.program_overhead +
                           fs_exchange_plan_of(fs_device_exchange(r->device)).arrival;
}

/* Where it was congested and what would relieve it: run.statistics full. */
static void judge_congestion(foam_run *r) {
    fs_ladder_figures *f = &r->figures.ladder;
    *f = (fs_ladder_figures){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (!r->books.full)
        return;
    r->congestion = FS_NEW(r->arena, fs_congestion, 1);
    r->ladder = FS_NEW(r->arena, fs_ladder, 1);
    r->findings = FS_NEW(r->arena, fs_findings, 1);
    const fs_ladder_run run = {.clock = r->machine->clock,
                               .cycles = r->figures.cycles,
                               .setup = &r->setup,
                               .pixels = fs_simulation_framebuffer(r->sim),
                               .decoupled = r->decoupled != NULL};
    const fs_findings_source source = {.books = &r->books,
                                       .figures = &r->figures,
                                       .congestion = r->congestion,
                                       .ladder = r->ladder,
                                       .layout = &r->layout,
                                       .sram = (uint64_t)r->machine->memory.sram};
    fs_congestion_make(&r->books, r->congestion);
    fs_ladder_make(&r->books, &run, r->ladder);
    fs_ladder_figures_of(r->ladder, f);
    fs_findings_make(&source, r->findings);
}

static fs_status make_figures(foam_run *r, fs_error *err) {
    if (fs_reference_cached(&r->scene, &r->partition, &r->foam, &r->camera[0], &r->params->march,
                            r->host->cache_dir, &r->reference, &r->cost.reference_seconds, err))
        return err->status;
    fs_foam_books_figures(&r->books, r->machine->clock, &r->figures);
    fs_foam_decoupled_figures(r->decoupled, r->machine->clock, &r->figures);
    judge_image(r);
    judge_precision(r);
    judge_scene(r);
    double begin = fs_host_wall_seconds();
    judge_congestion(r);
    r->cost.statistics_seconds = fs_host_wall_seconds() - begin;
    return FS_OK;
}

static fs_status write_host(foam_run *r, double started, double write_began, fs_results *results,
                            fs_error *err) {
    fs_host_figures *c = &r->cost;
    double now = fs_host_wall_seconds();
    c->wall_seconds = now - started;
    c->write_seconds = now - write_began;
    c->cpu_seconds = fs_host_cpu_seconds();
    c->peak_rss_bytes = fs_host_peak_rss_bytes();
    c->threads = (uint64_t)r->host->threads;
    c->kernel_activations = fs_device_totals_of(r->device).kernel_activations;
    c->ray_hops_per_second =
        c->simulation_seconds > 0 ? (double)r->figures.ray_hops / c->simulation_seconds : NAN;
    c->slowdown = c->wall_seconds / r->figures.seconds;
    c->version = FS_VERSION;
    c->compiler = __VERSION__;
    c->march = fs_march_best_name();
    json_t *root = json_object();
    fs_results_stats_json(&fs_foam_host_stats, c, root);
    fs_status status = fs_results_json(results, "host.json", root, err);
    json_decref(root);
    return status;
}

/* How a decoupled run went: it has calls, not iterations. */
static void describe_calls(const foam_run *r, const char *quality, char *line, size_t size) {
    const fs_foam_figures *f = &r->figures;
    snprintf(line, size,
             "%s%.3f s on the device without barriers (%llu slices); %.2f M calls of %.1f rays, fixed cost "
             "%.0f %% of their cycles; the busiest tile computed in %.0f %% of the time; a ray visits %.1f "
             "tracers and %.1f routers; %s%s%s",
             f->complete ? "" : "INCOMPLETE: ", f->seconds, (unsigned long long)f->iterations,
             (double)f->decoupled_calls / 1e6, f->decoupled_batch, 100.0 * f->decoupled_fixed_share,
             100.0 * f->decoupled_busy_share, f->tracer_mean, f->router_mean, quality,
             f->note[0] != '\0' ? "\nnote: " : "", f->note);
}

static void describe(const foam_run *r, char *line, size_t size) {
    const fs_foam_figures *f = &r->figures;
    char quality[64] = "image exact";
    if (!f->exact)
        snprintf(quality, sizeof quality, "PSNR %.1f dB, SSIM %.4f", f->psnr, f->ssim);
    if (r->decoupled) {
        describe_calls(r, quality, line, size);
        return;
    }
    snprintf(
        line, size,
        "%s%llu iterations, %.3f s on the device (%.2f M cycles an iteration, %.2f M while injecting); pace: "
        "tracers %.0f %%, routers %.0f %%, generator %.0f %%; a ray visits %.1f tracers and %.1f routers; "
        "%llu spills, %llu drops; %s%s%s",
        f->complete ? "" : "INCOMPLETE: ", (unsigned long long)f->iterations, f->seconds,
        f->cycles_mean / 1e6, f->cycles_injecting_mean / 1e6, 100.0 * f->pace_tracer, 100.0 * f->pace_router,
        100.0 * f->pace_generator, f->tracer_mean, f->router_mean, (unsigned long long)f->spilled,
        (unsigned long long)f->dropped, quality, f->note[0] != '\0' ? "\nnote: " : "", f->note);
    const size_t used = strlen(line);
    if (r->params->infinite_buffers && used < size)
        snprintf(
            line + used, size - used,
            "\nnote: what if run: lanes held as many rays as came (workload.infinite_buffers); SRAM and a "
            "static exchange are those of the real sizes");
}

/* How many findings there are, and how to read them: behind the line. */
static void count_findings(const foam_run *r, fs_results *results, char *line, size_t size) {
    const char *path = fs_results_path(results, "");
    const size_t used = strlen(line), tail = strlen(".partial/");
    if (r->findings == NULL || r->findings->count == 0 || strlen(path) <= tail)
        return;
    snprintf(line + used, size - used, "\n%u %s: foamsim report %.*s", r->findings->count,
             r->findings->count == 1 ? "finding" : "findings", (int)(strlen(path) - tail), path);
}

static fs_status open_timeline(foam_run *r, fs_error *err) {
    if (r->host->trace != NULL && r->run->statistics != FS_STATISTICS_FULL)
        return fs_fail(err, FS_INPUT, "%s: --trace needs the full statistics",
                       fs_config_where(r->config, "run", "statistics"));
    return fs_timeline_open(&r->timeline, r->host, r->machine, &r->overlay, err);
}

static fs_status run_all(foam_run *r, fs_results *results, char *line, size_t line_size, fs_error *err) {
    double started = fs_host_wall_seconds();
    if (check_execution(r, err) || make_cameras(r, err) || make_scene(r, err) || make_overlay(r, err))
        return err->status;
    if (r->host->check_only) {
        snprintf(line, line_size, "%s: the fullest of %u tiles, tile %u, holds %llu of %lld bytes of SRAM",
                 fs_ledger_over(r->layout.ledger) == 0 ? "fits" : "does not fit", r->overlay.tiles,
                 fs_ledger_worst(r->layout.ledger), (unsigned long long)fs_ledger_peak(r->layout.ledger),
                 (long long)r->machine->memory.sram);
        return FS_OK;
    }
    if (open_timeline(r, err) || make_simulation(r, err))
        return err->status;
    if (simulate(r, err) || make_figures(r, err))
        return err->status;
    describe(r, line, line_size);
    count_findings(r, results, line, line_size);
    double write_began = fs_host_wall_seconds();
    const fs_outputs outputs = {.machine = r->machine,
                                .overlay = &r->overlay,
                                .layout = &r->layout,
                                .device = r->device,
                                .sim = r->sim,
                                .books = &r->books,
                                .figures = &r->figures,
                                .congestion = r->congestion,
                                .ladder = r->ladder,
                                .findings = r->findings,
                                .rgb8 = r->rgb8,
                                .depth16 = r->depth16};
    if (fs_outputs_write(&outputs, results, err) || fs_timeline_write(&r->timeline, &r->books, err))
        return err->status;
    return write_host(r, started, write_began, results, err);
}

static fs_status foam_workload(const fs_config *config, const fs_host_options *host, fs_results *results,
                               char *line, size_t line_size, fs_error *err) {
    foam_run *r = fs_calloc(1, sizeof *r);
    r->arena = fs_arena_create();
    r->config = config;
    r->host = host;
    r->machine = fs_config_section(config, "machine");
    r->params = fs_config_section(config, "workload");
    r->run = fs_config_section(config, "run");
    fs_status status = run_all(r, results, line, line_size, err);
    release(r);
    free(r);
    return status;
}

const fs_workload fs_workload_foam = {
    .abi = FS_ABI,
    .kind = "foam",
    .summary = "the Radiant Foam renderer: rays travel between shards of a Voronoi scene",
    .run = foam_workload,
    .camera = {.position = "camera.position",
               .look_at = "camera.look_at",
               .instead = "camera.world_to_camera"},
    .traces = true,
    .stats = &fs_foam_stats,
    .good = (const char *const[]){"image.psnr_db", "image.psnr_float_db", "image.ssim",
                                  "decoupled.batch_mean", "decoupled.message_rays_mean", NULL},
    .labels = (const char *const[]){"memory.worst_tile", "pace.hottest_tile", "pace.hottest_shard", NULL}};
