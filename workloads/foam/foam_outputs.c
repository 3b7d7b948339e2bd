/* The tables of a foam run. */
#include "workloads/foam/foam_run.h"

#include "models/ipu/tables/tables.h"
#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdio.h>

/* Numbers of an iteration beside the device's; the first stand before the pace. */
enum { BEFORE_PACE = 5 };
static const char *const of_iteration[][2] = {
    {"compute_tracer", "cycles"}, {"compute_router", "cycles"}, {"compute_generator", "cycles"},
    {"compute_camera", "cycles"}, {"rays_camera", "rays"},      {"injecting", ""},
    {"in_flight", "rays"},        {"backlog", "rays"},          {"generated", "rays"},
    {"finished", "rays"},         {"dropped", "rays"},          {"spilled", "rays"},
    {"misrouted", "visits"},      {"written", "pixels"}};

static int64_t iteration_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_iteration_note *n = &((const fs_foam_run *)self)->books.note[row];
    const fs_foam_step *s = &n->step;
    const uint64_t values[FS_COUNT(of_iteration)] = {n->compute[FS_ROLE_TRACER],
                                                     n->compute[FS_ROLE_ROUTER],
                                                     n->compute[FS_ROLE_GENERATOR],
                                                     n->compute_camera,
                                                     n->rays_camera,
                                                     s->injecting,
                                                     s->in_flight,
                                                     s->backlog,
                                                     s->generated,
                                                     s->finished,
                                                     s->dropped,
                                                     s->spilled,
                                                     s->misrouted,
                                                     n->written};
    return (int64_t)values[which];
}

static int64_t level_cell(const void *self, uint64_t row, uint32_t level) {
    return (int64_t)((const fs_foam_run *)self)->books.note[row].step.rays[level];
}

static fs_status write_iterations(const fs_foam_run *r, fs_results *results, fs_error *err) {
    const fs_overlay_iterations rows = {.first = &r->books.note[0].times,
                                        .stride = sizeof r->books.note[0],
                                        .iterations = r->books.iterations,
                                        .paced = true,
                                        .numbers = {of_iteration, FS_COUNT(of_iteration), iteration_cell, r},
                                        .before = BEFORE_PACE,
                                        .rays = level_cell,
                                        .levels = r->overlay.levels};
    return fs_overlay_iterations_write(&r->of, &rows, results, err);
}

static const char *const of_tile[][2] = {{"visits", "rays"}, {"peak_rays", "rays"}};

static int64_t tile_cell(const void *self, uint64_t tile, uint32_t which) {
    const fs_foam_books *b = &((const fs_foam_run *)self)->books;
    return which == 0 ? (int64_t)b->visits[tile] : b->peak[tile];
}

/* ---- matrices, hops ---- */

fs_status fs_foam_write_matrix(const fs_foam_run *r, const char *name, const uint32_t *number,
                               fs_results *results, fs_error *err) {
    const fs_tile_matrix matrix = {.labels = &r->of.labels,
                                   .tile_of = r->books.tile_of,
                                   .number = number,
                                   .used = r->books.used,
                                   .iterations = r->books.iterations};
    return fs_books_matrix_write(&matrix, name, results, err);
}

static void put_hops(const void *run, fs_row_table *t) {
    const fs_foam_run *r = run;
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    for (uint32_t y = 0; y < fb->height; y++)
        for (uint32_t x = 0; x < fb->width; x++) {
            const fs_pixel_hops *h = &fb->hops[(size_t)y * fb->width + x];
            const int64_t values[] = {
                x,        y,         h->tracer_visits, h->router_visits, h->misrouted, h->delivery_hops,
                h->alive, h->waiting};
            fs_row_ints(&t->row, values, FS_COUNT(values));
            fs_row_end(&t->row);
        }
}

/* frames.csv, and a picture of each frame. */
static fs_status write_frames(const fs_foam_run *r, fs_results *results, fs_error *err) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    const size_t pixels = (size_t)fb->width * fb->height;
    const uint32_t frames = (uint32_t)r->figures.path.count;
    fs_status status =
        fs_frames_write(&r->pictures->path, r->frame, frames, r->of.machine->clock, results, err);
    for (uint32_t f = 0; f < frames && status == FS_OK; f++) {
        char name[32];
        snprintf(name, sizeof name, "frame-%02u.png", f);
        status = fs_results_png(results, name,
                                FS_PICTURE_RGB(r->frames8 + 3 * pixels * f, fb->width, fb->height), err);
    }
    return status;
}

fs_status fs_foam_write(void *run, fs_results *results, fs_error *err) {
    static const fs_row_file hops = {"hops.csv",
                                     "x, y, tracer_visits visits, router_visits visits, misrouted visits, "
                                     "delivery_hops hops, alive iterations, waiting iterations",
                                     put_hops};
    const fs_foam_run *r = run;
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(r->sim);
    const fs_overlay_numbers tiles = {of_tile, FS_COUNT(of_tile), tile_cell, r};
    if (write_iterations(r, results, err) ||
        fs_overlay_tiles_write(&r->of, &r->overlay, &tiles, true, results, err) ||
        fs_foam_write_matrix(r, "occupancy.csv", r->books.held, results, err) ||
        fs_foam_write_lanes(r, results, err) || fs_row_files_write(&hops, 1, r, results, err) ||
        fs_chip_run_write(run, results, err) || fs_joined_write(r->of.device, results, err) ||
        write_frames(r, results, err) ||
        (r->congestion != NULL && fs_foam_write_congestion(r, results, err)) ||
        fs_results_png(results, "image.png", FS_PICTURE_RGB(r->rgb8, fb->width, fb->height), err))
        return err->status;
    return fs_results_png(results, "depth.png", FS_PICTURE_GREY(r->depth16, fb->width, fb->height), err);
}
