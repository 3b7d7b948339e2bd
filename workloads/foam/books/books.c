/* The foam's notes of each iteration and of the parts of a run, and the figures out of them. */
#include "workloads/foam/books/books.h"

#include "sim/base/arith.h"
#include "workloads/foam/books/ladder.h"

#include <math.h>
#include <string.h>

static void place_tiles(fs_foam_books *books, fs_arena *arena) {
    const fs_overlay *overlay = books->overlay;
    books->column = FS_NEW(arena, uint32_t, overlay->tiles);
    books->tile_of = FS_NEW(arena, uint32_t, overlay->tiles);
    books->idle_of = FS_NEW(arena, uint32_t, overlay->tiles);
    for (uint32_t t = 0; t < overlay->tiles; t++) {
        uint64_t idle = fs_device_idle_cycles(books->device, 0, t), *most = &books->idle[overlay->role[t]];
        *most = idle > *most ? idle : *most;
        books->column[t] = UINT32_MAX;
        if (overlay->role[t] == FS_ROLE_SPARE)
            continue;
        FS_ASSERT(idle <= UINT32_MAX, "an idle tile takes %llu cycles", (unsigned long long)idle);
        books->tile_of[books->used] = t;
        books->idle_of[books->used] = (uint32_t)idle;
        books->column[t] = books->used++;
    }
}

void fs_foam_books_create(fs_foam_books *books, fs_arena *arena, const fs_overlay *overlay,
                          fs_foam_simulation *sim, const fs_device *device, const fs_foam_books_plan *plan) {
    *books = (fs_foam_books){.overlay = overlay,
                             .sim = sim,
                             .device = device,
                             .note = FS_NEW(arena, fs_iteration_note, plan->max_iterations),
                             .camera_tile = plan->camera_tile,
                             .full = plan->full,
                             .looks = plan->full || plan->looks,
                             .last_ray = plan->rays};
    place_tiles(books, arena);
    const size_t cells = (size_t)plan->max_iterations * books->used;
    if (!plan->sums) {
        books->held = FS_NEW(arena, uint32_t, cells);
        books->visits = FS_NEW(arena, uint64_t, overlay->tiles);
        books->peak = FS_NEW(arena, uint32_t, overlay->tiles);
        fs_prefer_huge_pages(books->held, cells * sizeof *books->held);
    }
    if (books->full && plan->sums)
        books->tops = fs_shard_tops_create(books, plan->max_iterations, arena);
    if (books->full) {
        books->cycles = FS_NEW(arena, uint32_t, plan->sums ? books->used : cells);
        fs_prefer_huge_pages(books->cycles, (plan->sums ? books->used : cells) * sizeof *books->cycles);
        books->hops = FS_NEW(arena, fs_dist, FS_DISTRIBUTIONS);
    }
    for (int p = 0; p < FS_PARTS; p++)
        books->lane_part[p] = FS_NEW(arena, fs_lane_counts, overlay->lane_count);
}

/* ---- parts ---- */

static fs_lane_counts counts_of(const fs_lane_state *lane) {
    return (fs_lane_counts){.rays = lane->rays,
                            .spilled = lane->spilled,
                            .turned_away = lane->turned_away,
                            .used = lane->used,
                            .stalled = lane->stalled,
                            .full = lane->full,
                            .peak = lane->part_peak};
}

/* The part that runs ends before iteration `end`. */
static void end_part(fs_foam_books *books, uint64_t end) {
    const fs_lane_state *lanes = fs_foam_simulation_lanes(books->sim);
    for (uint32_t l = 0; l < books->overlay->lane_count; l++)
        books->lane_part[books->part][l] = counts_of(&lanes[l]);
    books->part_end[books->part++] = end;
    fs_foam_simulation_begin_part(books->sim);
}

/* Occupancy of the lanes that hold rays; all others are empty. */
static void look_at_lanes(fs_foam_books *books, const uint32_t *active, uint32_t active_count) {
    const fs_overlay *o = books->overlay;
    const fs_lane_state *lanes = fs_foam_simulation_lanes(books->sim);
    for (uint32_t i = 0; i < active_count; i++) {
        const bool traces = o->role[active[i]] == FS_ROLE_TRACER;
        for (uint32_t p = o->out_start[active[i]]; p < o->out_start[active[i] + 1]; p++) {
            const fs_lane_state *lane = &lanes[o->out_lane[p]];
            if (lane->out_rays == 0)
                continue;
            uint64_t *fill = traces || o->role[o->lanes[o->out_lane[p]].dst] == FS_ROLE_TRACER
                                 ? books->fill_tracer
                                 : books->fill_router;
            fill[lane->capacity < UINT32_MAX / 100
                     ? 100 * lane->out_rays / lane->capacity /* the cheaper one */
                     : (uint64_t)100 * lane->out_rays / lane->capacity]++;
        }
    }
}

void fs_foam_books_look(fs_foam_books *books, const uint32_t *active, uint32_t active_count) {
    if (books->part == FS_PART_INJECTION && fs_foam_simulation_step(books->sim)->finished > 0)
        end_part(books, books->iterations);
    if (books->part == FS_PART_STEADY && books->iterations > 0 &&
        fs_foam_simulation_totals(books->sim).generated >= books->last_ray &&
        !fs_foam_simulation_step(books->sim)->injecting)
        end_part(books, books->iterations);
    if (books->looks)
        look_at_lanes(books, active, active_count);
}

void fs_foam_books_close(fs_foam_books *books) {
    const fs_overlay *o = books->overlay;
    while (books->part < FS_PARTS)
        end_part(books, books->iterations);
    uint64_t lanes[2] = {0}, counted[2] = {0};
    for (uint32_t l = 0; l < o->lane_count; l++)
        lanes[o->role[o->lanes[l].src] == FS_ROLE_TRACER || o->role[o->lanes[l].dst] == FS_ROLE_TRACER]++;
    for (int bin = 0; bin < FS_FILL_BINS; bin++) {
        counted[0] += books->fill_router[bin];
        counted[1] += books->fill_tracer[bin];
    }
    books->fill_router[0] += lanes[0] * books->iterations - counted[0];
    books->fill_tracer[0] += lanes[1] * books->iterations - counted[1];
}

void fs_foam_books_part(const fs_foam_books *books, fs_part part, uint64_t *begin, uint64_t *end) {
    *begin = part == FS_PART_INJECTION || part == FS_PART_ALL ? 0 : books->part_end[part - 1];
    *end = part == FS_PART_ALL ? books->iterations : books->part_end[part];
}

fs_lane_counts fs_foam_books_lane(const fs_foam_books *books, fs_part part, uint32_t lane) {
    fs_lane_counts c = books->lane_part[part == FS_PART_ALL ? FS_PART_DRAIN : part][lane];
    if (part == FS_PART_ALL) {
        for (int p = 0; p < FS_PARTS; p++)
            c.peak = books->lane_part[p][lane].peak > c.peak ? books->lane_part[p][lane].peak : c.peak;
        return c;
    }
    if (part == FS_PART_INJECTION)
        return c;
    const fs_lane_counts *before = &books->lane_part[part - 1][lane];
    return (fs_lane_counts){.rays = c.rays - before->rays,
                            .spilled = c.spilled - before->spilled,
                            .turned_away = c.turned_away - before->turned_away,
                            .used = c.used - before->used,
                            .stalled = c.stalled - before->stalled,
                            .full = c.full - before->full,
                            .peak = c.peak};
}

/* ---- iterations ---- */

/* Rays that the tiles of the iteration read. */
static void note_held(fs_foam_books *books, const uint32_t *active, uint32_t active_count) {
    const uint32_t *held = fs_foam_simulation_held(books->sim);
    uint32_t *row = books->held + books->iterations * books->used;
    for (uint32_t i = 0; i < active_count; i++) {
        const uint32_t tile = active[i];
        row[books->column[tile]] = held[tile];
        books->visits[tile] += held[tile];
        books->peak[tile] = held[tile] > books->peak[tile] ? held[tile] : books->peak[tile];
    }
}

void fs_foam_books_note(fs_foam_books *books, const fs_iteration *times, const uint32_t *active,
                        uint32_t active_count) {
    const fs_overlay *overlay = books->overlay;
    const uint64_t *took = fs_device_active_cycles(books->device, 0);
    fs_iteration_note *note = &books->note[books->iterations];
    const uint64_t before = books->tops != NULL ? 0 : books->iterations;
    uint32_t *row = books->full ? books->cycles + before * books->used : NULL;
    *note = (fs_iteration_note){.times = *times,
                                .step = *fs_foam_simulation_step(books->sim),
                                .rays_camera = fs_foam_simulation_held(books->sim)[books->camera_tile],
                                .compute_camera = fs_device_tile_cycles(books->device, 0, books->camera_tile),
                                .written = fs_foam_simulation_written(books->sim)};
    for (uint32_t r = FS_ROLE_TRACER; r < FS_ROLE_COUNT; r++)
        note->compute[r] = books->idle[r];
    for (uint32_t i = 0; i < active_count; i++) {
        const uint32_t tile = active[i];
        const uint64_t cycles = took[tile];
        uint64_t *slowest = &note->compute[overlay->role[tile]];
        *slowest = cycles > *slowest ? cycles : *slowest;
        if (row != NULL)
            row[books->column[tile]] = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
    }
    if (books->held != NULL)
        note_held(books, active, active_count);
    if (books->tops != NULL && row != NULL) {
        fs_shard_tops_add(books->tops, row);
        memset(row, 0, books->used * sizeof *row);
    }
    books->iterations++;
}

static uint64_t end_of(const fs_iteration_note *note) {
    return note->times.start + fs_note_cycles(note);
}

/* Means and extremes over the pixels of the first frame. */
static void hop_figures(const fs_framebuffer *fb, fs_hop_figures *out) {
    uint64_t n = 0, tracer = 0, router = 0, delivery = 0, delivering = 0, misrouted = 0, alive = 0,
             waiting = 0;
    for (size_t p = 0; p < (size_t)fb->width * fb->height; p++) {
        const fs_pixel_hops *h = &fb->hops[p];
        if (h->alive < 0)
            continue;
        n++;
        tracer += (uint64_t)h->tracer_visits;
        router += (uint64_t)h->router_visits;
        delivery += (uint64_t)h->delivery_hops;
        delivering += h->delivery_hops > 0 ? (uint64_t)h->delivery_hops - 1 : 0;
        misrouted += (uint64_t)h->misrouted;
        alive += (uint64_t)h->alive;
        waiting += (uint64_t)h->waiting;
        out->tracer_max =
            (uint64_t)h->tracer_visits > out->tracer_max ? (uint64_t)h->tracer_visits : out->tracer_max;
        out->router_max =
            (uint64_t)h->router_visits > out->router_max ? (uint64_t)h->router_visits : out->router_max;
        out->alive_max = (uint64_t)h->alive > out->alive_max ? (uint64_t)h->alive : out->alive_max;
        out->waiting_max = (uint64_t)h->waiting > out->waiting_max ? (uint64_t)h->waiting : out->waiting_max;
    }
    double count = (double)n;
    out->tracer_mean = fs_ratio((double)tracer, count);
    out->router_mean = fs_ratio((double)router, count);
    out->router_all_mean = fs_ratio((double)(router + delivering), count);
    out->delivery_mean = fs_ratio((double)delivery, count);
    out->misrouted_mean = fs_ratio((double)misrouted, count);
    out->alive_mean = fs_ratio((double)alive, count);
    out->waiting_mean = fs_ratio((double)waiting, count);
}

static void pace_figures(const fs_foam_books *books, fs_foam_figures *out) {
    uint64_t by_role[FS_ROLE_COUNT] = {0}, camera = 0, injecting = 0, injecting_cycles = 0, camera_cycles = 0,
             camera_rays = 0;
    for (uint64_t k = 0; k < books->iterations; k++) {
        const fs_iteration_note *note = &books->note[k];
        by_role[books->overlay->role[note->times.pace_tile]]++;
        camera += note->times.pace_tile == books->camera_tile;
        if (note->step.injecting) {
            injecting++;
            injecting_cycles += end_of(note) - note->times.start;
            camera_cycles += note->compute_camera;
            camera_rays += note->rays_camera;
        }
    }
    double all = (double)books->iterations, draining = all - (double)injecting;
    out->pace = fs_pace_figures_of(by_role, books->iterations);
    out->pace_generator = fs_ratio((double)by_role[FS_ROLE_GENERATOR], all);
    out->pace_camera = fs_ratio((double)camera, all);
    out->injecting_iterations = injecting;
    out->cycles_mean = fs_ratio((double)out->chip.device.cycles, all);
    out->cycles_injecting_mean = fs_ratio((double)injecting_cycles, (double)injecting);
    out->cycles_draining_mean = fs_ratio((double)(out->chip.device.cycles - injecting_cycles), draining);
    out->camera_tile_mean = fs_ratio((double)camera_cycles, (double)injecting);
    out->camera_rays_mean = books->counted != NULL ? books->counted->camera_rays_mean
                                                   : fs_ratio((double)camera_rays, (double)injecting);
}

/* Latency: until the first frame is done. Period: between frames, from the first to the last counted one. */
static void frame_figures(const fs_foam_books *books, double clock, fs_foam_figures *out) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    out->frame_latency_seconds = out->frame_period_seconds = NAN;
    if (fb->done[0] != UINT64_MAX) {
        out->latency_iterations = fb->done[0];
        out->frame_latency_seconds = (double)end_of(&books->note[fb->done[0] - 1]) / clock;
    }
    if (fb->frames > 1 && fb->done[0] != UINT64_MAX && fb->done[fb->frames - 1] != UINT64_MAX) {
        uint64_t first = end_of(&books->note[fb->done[0] - 1]),
                 last = end_of(&books->note[fb->done[fb->frames - 1] - 1]);
        out->frame_period_seconds = (double)(last - first) / clock / (double)(fb->frames - 1);
    }
    out->last_pixel_iteration = fb->last_pixel[0] == UINT64_MAX ? 0 : fb->last_pixel[0];
    out->complete = fs_foam_simulation_complete(books->sim);
    out->coverage = (double)fb->written[0] / ((double)fb->width * (double)fb->height);
}

void fs_foam_books_figures(const fs_foam_books *books, double clock, fs_foam_figures *out) {
    fs_foam_totals rays = fs_foam_simulation_totals(books->sim);
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    *out = (fs_foam_figures){.chip.device = fs_device_figures_of(books->device, clock),
                             .rays = rays,
                             .psnr = NAN,
                             .psnr_float = NAN,
                             .ssim = NAN};
    double ended = (double)rays.finished, marched = (double)(rays.crossings + rays.generated);
    out->cells_per_ray = fs_ratio((double)rays.cells, ended);
    out->faces_per_ray = fs_ratio((double)rays.faces, ended);
    out->cells_per_visit = fs_ratio((double)rays.cells, marched);
    if (books->counted != NULL)
        out->hops = books->counted->hops;
    else
        hop_figures(fb, &out->hops);
    frame_figures(books, clock, out);
    pace_figures(books, out);
    fs_congestion_figures_make(books, out);
}

/* ---- when the frames of a path began and were done, from the notes of the iterations ---- */

static uint64_t exchanged(const fs_iteration_note *n) {
    return n->times.start + n->times.compute + n->times.sync + n->times.exchange;
}

uint32_t fs_foam_books_begins(const fs_foam_books *books, uint64_t first[FS_FRAMES_MOST]) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    const uint64_t pixels = (uint64_t)fb->width * fb->height;
    uint64_t made = 0;
    uint32_t begun = 0;
    for (uint64_t k = 0; k < books->iterations && begun < FS_FRAMES_MOST; k++) { /* a batch is of one frame */
        if (books->note[k].step.generated > 0 && made % pixels == 0)
            first[begun++] = k;
        made += books->note[k].step.generated;
    }
    return begun;
}

uint32_t fs_foam_books_frames(const fs_foam_books *books, fs_frame out[FS_FRAMES_MOST]) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(books->sim);
    const uint64_t pixels = (uint64_t)fb->width * fb->height;
    uint64_t first[FS_FRAMES_MOST] = {0}, made = 0;
    const uint32_t begun = fs_foam_books_begins(books, first);
    uint32_t taken = 0;
    for (uint64_t k = 0; k < books->iterations; k++) {
        const fs_iteration_note *n = &books->note[k];
        if (n->step.generated > 0 && made / pixels < begun)
            out[made / pixels].made = exchanged(n);
        made += n->step.generated;
    }
    for (uint32_t f = 0; f < begun; f++)
        out[f].begun = books->note[first[f]].times.start;
    for (; taken < fb->frames && fb->done[taken] != UINT64_MAX; taken++) {
        const fs_iteration_note *last = &books->note[fb->done[taken] - 1];
        const uint64_t pixel = fb->last_pixel[taken];
        out[taken].taken = last->times.start + fs_note_cycles(last);
        out[taken].iterations = (pixel < fb->done[taken] ? pixel + 1 : fb->done[taken]) - first[taken];
        out[taken].complete = pixel < fb->done[taken] ? exchanged(&books->note[pixel]) : exchanged(last);
    }
    return taken;
}
