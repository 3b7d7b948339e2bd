/* What a run of the workload foam reports. */
#include "workloads/foam/books/books.h"
#include "workloads/foam/foam_run.h"

#include "sim/base/detmath.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char fs_foam_coarse_note[] =
    "t as fp16 is coarse against the cells here (half a unit of t is more than a twentieth of the mean path "
    "in a cell): cells are fine for how far they are from the camera; payload full shows the loss";

/* fp16 t is coarse where the scene is fine: says so when half a unit of t at the mean depth is more than a
 * twentieth of the mean path in a cell, where a step can move a ray's samples by a visible part of a cell. */
static void judge_precision(fs_foam_run *r) {
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
        f->note = fs_foam_coarse_note;
}

static void judge_image(fs_foam_run *r) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
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

/* The pictures of a path. */
static void make_frames(fs_foam_run *r) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    const size_t pixels = (size_t)fb->width * fb->height;
    r->frames8 = fs_malloc(3 * pixels * fb->frames);
    for (uint32_t f = 0; f < fb->frames; f++) {
        float *rgb = fs_foam_simulation_frame(r->sim, f);
        fs_image_rgb8(rgb, pixels, r->frames8 + 3 * pixels * f);
        free(rgb);
    }
}

static void judge_scene(fs_foam_run *r) {
    fs_foam_figures *f = &r->figures;
    f->memory_tiles = r->overlay.tiles - r->overlay.spares;
    f->memory_sram = 0;
    for (uint32_t t = 0; t < r->overlay.tiles; t++)
        if (r->overlay.role[t] != FS_ROLE_SPARE)
            f->memory_sram += (uint64_t)fs_machine_sram(r->of.machine, r->overlay.role[t]);
    f->memory_router_lanes = r->layout.router_lanes;
    f->memory_tracer_data = r->layout.tracer_data;
    f->memory_shard_data = r->layout.shard_data;
    f->memory_tracer_lanes = r->layout.tracer_lanes;
    f->memory_slice = r->layout.slice;
    f->memory_harmonics = r->layout.harmonics;
    f->memory_cells_fit = r->layout.cells_fit;
    f->plain_psnr = r->facts.degree > 0 ? r->facts.colour.psnr : (double)NAN;
    f->lit_per_ray = r->facts.degree > 0
                         ? (double)r->facts.colour.lit / ((double)r->camera[0].width * r->camera[0].height)
                         : 0;
    f->scene_cells = r->facts.cells;
    f->scene_faces = r->facts.faces;
    f->scene_digest = r->facts.digest;
    fs_partition_stats shards;
    fs_partition_stats_make(&r->partition, &shards);
    f->shard_cells_max = shards.of[FS_SHARD_CELLS].max;
    f->shard_neighbours_max = shards.of[FS_SHARD_NEIGHBOUR_CELLS].max;
    f->shard_adjacency_max = shards.of[FS_SHARD_ADJACENCY].max;
    f->shard_shards_max = shards.of[FS_SHARD_NEIGHBOUR_SHARDS].max;
    const double cells = (double)f->shard_cells_max;
    f->scene_degree = (double)f->scene_faces / (double)f->scene_cells;
    f->shard_neighbours_scaled = (double)f->shard_neighbours_max / fs_pow(cells, 2.0 / 3.0);
    f->shard_adjacency_scaled = (double)f->shard_adjacency_max / cells;
    if (fs_fabric_plans(&r->of.machine->exchange))
        f->static_cycles = (uint64_t)r->of.machine->exchange.program_overhead +
                           fs_fabric_plan_of(fs_device_fabric(r->of.device, 0)).arrival;
}

static void judge_overlay(fs_foam_run *r) {
    fs_foam_figures *f = &r->figures;
    f->overlay = fs_overlay_figures_of(&r->overlay);
    f->lane_rays_min = f->lane_rays_max = r->layout.capacity[0];
    for (uint32_t l = 1; l < r->overlay.lane_count; l++) {
        const uint64_t rays = r->layout.capacity[l];
        f->lane_rays_min = rays < f->lane_rays_min ? rays : f->lane_rays_min;
        f->lane_rays_max = rays > f->lane_rays_max ? rays : f->lane_rays_max;
    }
}

/* What would relieve it: run.statistics full. */
static void judge_ladder(fs_foam_run *r) {
    double *gain = r->figures.ladder;
    for (int i = 0; i < FS_RUNGS; i++)
        gain[i] = NAN;
    if (!r->books.full)
        return;
    r->ladder = FS_NEW(r->of.run.arena, fs_foam_ladder, 1);
    const fs_foam_ladder_run run = {.arena = r->of.run.arena,
                                    .clock = r->of.machine->clock,
                                    .cycles = r->figures.chip.device.cycles,
                                    .setup = &r->setup,
                                    .pixels = fs_foam_simulation_framebuffer(r->sim),
                                    .decoupled = r->decoupled != NULL,
                                    .path = r->setup.in_flight > 0,
                                    .send = r->layout.shard_data /
                                            (uint64_t)r->of.machine->exchange.bytes_per_cycle};
    fs_foam_ladder_make(&r->books, &run, r->ladder);
    for (int i = 0; i < FS_RUNGS; i++)
        gain[i] = r->ladder->rung[i].gain_percent;
}

/* Frames of a path, where the run has one. */
static void judge_path(fs_foam_run *r) {
    const fs_run_path *path = &r->pictures->path;
    const uint32_t frames = path->in_flight > 0 ? fs_foam_books_frames(&r->books, r->frame) : 0;
    r->figures.path = fs_frames_figures_of(path, r->frame, frames, r->of.machine->clock);
}

/* Energy of what the run was for. */
static void judge_rates(fs_foam_figures *f) {
    const double frame = isnan(f->frame_period_seconds) ? f->frame_latency_seconds : f->frame_period_seconds;
    f->frames_per_second = frame > 0 ? 1 / frame : (double)NAN;
    f->rays_per_second =
        f->chip.device.seconds > 0 ? (double)f->rays.finished / f->chip.device.seconds : (double)NAN;
}

static void judge_energy(fs_foam_run *r) {
    const fs_framebuffer *pixels = fs_foam_simulation_framebuffer(r->sim);
    const double joules = r->figures.chip.power.energy.joules;
    uint32_t frames = 0;
    while (frames < pixels->frames && pixels->done[frames] != UINT64_MAX)
        frames++;
    r->figures.joules_per_frame = frames > 0 ? joules / frames : (double)NAN;
    r->figures.joules_per_ray =
        r->figures.rays.finished > 0 ? joules / (double)r->figures.rays.finished : (double)NAN;
}

void fs_foam_make_figures(fs_foam_run *r) {
    fs_foam_books_figures(&r->books, r->of.machine->clock, &r->figures);
    fs_chip_run_figures(&r->of);
    r->figures.chip = r->of.chip;
    r->figures.chips = fs_joined_figures_of(r->of.device, r->figures.rays.finished, r->payload.bytes);
    judge_path(r);
    judge_energy(r);
    judge_rates(&r->figures);
    fs_foam_decoupled_figures(r->decoupled, r->of.machine->clock, &r->figures);
    if (r->of.run.prices) {
        fs_foam_replay_image(r);
    } else {
        judge_image(r);
        if (r->setup.in_flight > 0)
            make_frames(r);
        judge_precision(r);
    }
    judge_scene(r);
    judge_overlay(r);
    double begin = fs_host_wall_seconds();
    judge_ladder(r);
    r->cost.statistics_seconds = fs_host_wall_seconds() - begin;
}

/* ---- host.json ---- */

#define VALUE(n, ...) FS_STAT_VALUE(#n, fs_foam_run, cost.n, .unit = "s", __VA_ARGS__)
static const fs_stat host_rows[] = {
    VALUE(scene_seconds, .doc = "loading or making the scene"),
    VALUE(partition_seconds, .doc = "shards and the march's layout"),
    VALUE(march_seconds,
          .doc = "marching every ray: the itineraries, and the reference where the cache does not have it"),
    VALUE(march_cpu_seconds, .doc = "march_seconds in time of all threads"),
    VALUE(iterations_cpu_seconds, .doc = "the iterations alone, in time of all threads"),
    VALUE(statistics_seconds, .doc = "levels, ladder and findings, after the iterations"),
    FS_STAT_WORD("march", fs_foam_run, cost.march, .doc = "implementation of the march on this processor"),
};
const fs_stat_table fs_foam_host_stats = FS_STAT_TABLE("foam host", host_rows);

/* ---- the line ---- */

/* How a decoupled run went: it has calls, not iterations. */
static void describe_calls(fs_foam_run *r, const char *quality) {
    const fs_foam_figures *f = &r->figures;
    fs_run_say(&r->of.run,
               "%s%s on the device without barriers (%s slices); %.2f M calls of %.1f rays, fixed cost "
               "%.0f %% of their cycles; the busiest tile computed in %.0f %% of the time; a ray visits %.1f "
               "tracers and %.1f routers; %s%s%s",
               f->complete ? "" : "INCOMPLETE: ", fs_number_seconds(f->chip.device.seconds),
               fs_number_grouped((double)f->chip.device.iterations), (double)f->decoupled_calls / 1e6,
               f->decoupled_batch, 100.0 * f->decoupled_fixed_share, 100.0 * f->decoupled_busy_share,
               f->hops.tracer_mean, f->hops.router_mean, quality, f->note[0] != '\0' ? "\nnote: " : "",
               f->note);
}

static void describe(fs_foam_run *r) {
    const fs_foam_figures *f = &r->figures;
    char quality[64] = "image exact";
    if (!f->exact)
        snprintf(quality, sizeof quality, "PSNR %.1f dB, SSIM %.4f", f->psnr, f->ssim);
    if (r->decoupled) {
        describe_calls(r, quality);
        return;
    }
    fs_run_say(
        &r->of.run,
        "%s%s iterations, %s on the device (%.2f M cycles an iteration, %.2f M while injecting); pace: "
        "tracers %.0f %%, routers %.0f %%, generator %.0f %%; a ray visits %.1f tracers and %.1f routers; "
        "%s spills, %s drops; %s%s%s%s",
        f->complete ? "" : "INCOMPLETE: ", fs_number_grouped((double)f->chip.device.iterations),
        fs_number_seconds(f->chip.device.seconds), f->cycles_mean / 1e6, f->cycles_injecting_mean / 1e6,
        100.0 * f->pace.tracer, 100.0 * f->pace.router, 100.0 * f->pace_generator, f->hops.tracer_mean,
        f->hops.router_mean, fs_number_grouped((double)f->rays.spilled),
        fs_number_grouped((double)f->rays.dropped), quality, f->note[0] != '\0' ? "\nnote: " : "", f->note,
        r->params->infinite_buffers
            ? "\nnote: what if run: lanes held as many rays as came (workload.infinite_buffers); SRAM and a "
              "static exchange are those of the real sizes"
            : "");
}

/* ---- the steps ---- */

fs_status fs_foam_report(void *run, fs_error *err) {
    fs_foam_run *r = run;
    fs_foam_make_figures(r);
    r->of.run.figures = &r->figures;
    r->of.run.ray_hops = r->figures.rays.hops_out;
    r->cost.march = fs_bundle_best_name();
    describe(r);
    return fs_foam_write_activity(r, err);
}

fs_status fs_foam_climb(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_foam_run *r = run;
    fs_rung *rungs = FS_NEW(r->of.run.arena, fs_rung, FS_RUNGS + FS_LINKS_RUNGS);
    memcpy(rungs, r->ladder->rung, sizeof r->ladder->rung);
    out->rung_count =
        FS_RUNGS + fs_links_rungs(r->of.device, r->of.machine, r->of.run.arena, rungs + FS_RUNGS);
    fs_ladder_energy(rungs, out->rung_count, r->figures.chip.power.energy.joules,
                     fs_power_standing(&r->figures.chip.power));
    out->rungs = rungs;
    return FS_OK;
}

fs_status fs_foam_conclude(void *run, fs_conclusions *out, fs_error *err) {
    fs_foam_run *r = run;
    const double begin = fs_host_wall_seconds();
    r->congestion = FS_NEW(r->of.run.arena, fs_congestion, 1);
    fs_congestion_make(&r->books, r->congestion);
    fs_foam_find(r, out->findings);
    if (fs_foam_climb(run, out, err))
        return err->status;
    r->cost.statistics_seconds += fs_host_wall_seconds() - begin;
    return FS_OK;
}
