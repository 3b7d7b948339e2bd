#include "workloads/foam/books.h"

#include <math.h>

void fs_foam_books_create(fs_foam_books *books, fs_arena *arena, const fs_overlay *overlay,
                          const fs_simulation *sim, const fs_device *device, uint32_t max_iterations,
                          uint32_t camera_tile) {
    *books = (fs_foam_books){.overlay = overlay,
                             .sim = sim,
                             .device = device,
                             .note = FS_NEW(arena, fs_iteration_note, max_iterations),
                             .column = FS_NEW(arena, uint32_t, overlay->tiles),
                             .visits = FS_NEW(arena, uint64_t, overlay->tiles),
                             .peak = FS_NEW(arena, uint32_t, overlay->tiles),
                             .camera_tile = camera_tile};
    for (uint32_t t = 0; t < overlay->tiles; t++) {
        uint64_t idle = fs_device_idle_cycles(device, t), *most = &books->idle[overlay->role[t]];
        *most = idle > *most ? idle : *most;
    }
    for (uint32_t t = 0; t < overlay->tiles; t++)
        books->column[t] = overlay->role[t] == FS_ROLE_SPARE ? UINT32_MAX : books->used++;
    books->held = FS_NEW(arena, uint16_t, (size_t)max_iterations * books->used);
}

void fs_foam_books_note(fs_foam_books *books, const fs_iteration *times, const uint32_t *active,
                        uint32_t active_count) {
    const fs_overlay *overlay = books->overlay;
    const uint16_t *held = fs_simulation_held(books->sim);
    fs_iteration_note *note = &books->note[books->iterations];
    uint16_t *row = books->held + books->iterations * books->used;
    *note = (fs_iteration_note){.times = *times,
                                .step = *fs_simulation_step(books->sim),
                                .rays_camera = held[books->camera_tile],
                                .compute_camera = fs_device_tile_cycles(books->device, books->camera_tile),
                                .written = fs_simulation_framebuffer(books->sim)->written[0]};
    for (uint32_t r = FS_ROLE_TRACER; r < FS_ROLE_COUNT; r++)
        note->compute[r] = books->idle[r];
    for (uint32_t i = 0; i < active_count; i++) {
        uint32_t tile = active[i];
        uint64_t cycles = fs_device_tile_cycles(books->device, tile);
        uint64_t *slowest = &note->compute[overlay->role[tile]];
        *slowest = cycles > *slowest ? cycles : *slowest;
        row[books->column[tile]] = held[tile];
        books->visits[tile] += held[tile];
        books->peak[tile] = held[tile] > books->peak[tile] ? held[tile] : books->peak[tile];
    }
    books->iterations++;
}

static uint64_t end_of(const fs_iteration_note *note) {
    return note->times.start + note->times.compute + note->times.sync + note->times.exchange +
           note->times.host;
}

static double mean(double sum, double count) {
    return count > 0 ? sum / count : NAN;
}

/* Means and extremes over the pixels of the first frame. */
static void hop_figures(const fs_framebuffer *fb, fs_foam_figures *out) {
    uint64_t n = 0, tracer = 0, router = 0, delivery = 0, misrouted = 0, alive = 0, waiting = 0;
    for (size_t p = 0; p < (size_t)fb->width * fb->height; p++) {
        const fs_pixel_hops *h = &fb->hops[p];
        if (h->alive < 0)
            continue;
        n++;
        tracer += (uint64_t)h->tracer_visits;
        router += (uint64_t)h->router_visits;
        delivery += (uint64_t)h->delivery_hops;
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
    out->tracer_mean = mean((double)tracer, count);
    out->router_mean = mean((double)router, count);
    out->delivery_mean = mean((double)delivery, count);
    out->misrouted_mean = mean((double)misrouted, count);
    out->alive_mean = mean((double)alive, count);
    out->waiting_mean = mean((double)waiting, count);
}

/* Nearest-rank percentile of the iterations alive: a counting pass over iterations. */
static uint64_t alive_percentile(const fs_framebuffer *fb, double percent) {
    static fs_dist distribution; /* one run to a process */
    distribution = (fs_dist){0};
    for (size_t p = 0; p < (size_t)fb->width * fb->height; p++)
        if (fb->hops[p].alive >= 0)
            fs_dist_add(&distribution, (uint64_t)fb->hops[p].alive);
    return fs_dist_percentile(&distribution, percent);
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
    out->pace_tracer = mean((double)by_role[FS_ROLE_TRACER], all);
    out->pace_router = mean((double)by_role[FS_ROLE_ROUTER], all);
    out->pace_generator = mean((double)by_role[FS_ROLE_GENERATOR], all);
    out->pace_camera = mean((double)camera, all);
    out->injecting_iterations = injecting;
    out->cycles_mean = mean((double)out->cycles, all);
    out->cycles_injecting_mean = mean((double)injecting_cycles, (double)injecting);
    out->cycles_draining_mean = mean((double)(out->cycles - injecting_cycles), draining);
    out->camera_tile_mean = mean((double)camera_cycles, (double)injecting);
    out->camera_rays_mean = mean((double)camera_rays, (double)injecting);
}

/* Latency: until the first frame is done. Period: between frames, from the first to the last counted one. */
static void frame_figures(const fs_foam_books *books, double clock, fs_foam_figures *out) {
    const fs_framebuffer *fb = fs_simulation_framebuffer(books->sim);
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
    out->complete = fs_simulation_complete(books->sim);
    out->coverage = (double)fb->written[0] / ((double)fb->width * (double)fb->height);
}

void fs_foam_books_figures(const fs_foam_books *books, double clock, fs_foam_figures *out) {
    fs_device_totals device = fs_device_totals_of(books->device);
    fs_foam_totals rays = fs_simulation_totals(books->sim);
    const fs_framebuffer *fb = fs_simulation_framebuffer(books->sim);
    *out = (fs_foam_figures){.cycles = device.cycles,
                             .cycles_compute = device.cycles_compute,
                             .cycles_sync = device.cycles_sync,
                             .cycles_exchange = device.cycles_exchange,
                             .cycles_host = device.cycles_host,
                             .iterations = device.iterations,
                             .seconds = (double)device.cycles / clock,
                             .generated = rays.generated,
                             .finished = rays.finished,
                             .dropped = rays.dropped,
                             .in_flight = rays.in_flight,
                             .spilled = rays.spilled,
                             .misrouted = rays.misrouted,
                             .crossings = rays.crossings,
                             .ray_hops = rays.hops_out,
                             .psnr = NAN,
                             .psnr_float = NAN,
                             .ssim = NAN};
    double ended = (double)rays.finished, marched = (double)(rays.crossings + rays.generated);
    out->cells_per_ray = mean((double)rays.cells, ended);
    out->faces_per_ray = mean((double)rays.faces, ended);
    out->cells_per_visit = mean((double)rays.cells, marched);
    hop_figures(fb, out);
    out->alive_p99 = alive_percentile(fb, 99.0);
    frame_figures(books, clock, out);
    pace_figures(books, out);
}
