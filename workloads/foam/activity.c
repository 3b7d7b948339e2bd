#include "workloads/foam/activity.h"

#include "workloads/foam/programs.h"
#include "workloads/foam/simulation_shell.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_THREADS = 24 }; /* active tiles under which one thread is faster than waking others */

/* ---- reading ---- */

static fs_status fail(const fs_recording *r, const char *what, fs_error *err) {
    return fs_fail(err, FS_IO, "%s: a damaged recording: %s; record it again", fs_recording_path(r), what);
}

/* Items of a section whose length the recording itself gives. */
static fs_status read_list(const fs_recording *r, const char *name, size_t size, fs_arena *arena, void **out,
                           size_t *count, fs_error *err) {
    const size_t bytes = fs_recording_bytes(r, name);
    if (bytes == SIZE_MAX || bytes % size != 0)
        return fail(r, "a section is missing or cut", err);
    *count = bytes / size;
    *out = fs_arena_alloc(arena, *count, size);
    return fs_recording_read(r, name, *out, bytes, err);
}

static fs_status read_iterations(const fs_recording *r, const fs_overlay *o, fs_arena *arena, fs_activity *a,
                                 fs_error *err) {
    size_t iterations = 0, held = 0;
    if (read_list(r, "iterations", sizeof *a->iteration, arena, (void **)&a->iteration, &iterations, err) ||
        read_list(r, "active", sizeof *a->active, arena, (void **)&a->active, &a->actives, err) ||
        read_list(r, "held", sizeof *a->held, arena, (void **)&a->held, &held, err))
        return err->status;
    a->iterations = iterations;
    size_t active = 0;
    for (size_t k = 0; k < iterations; k++)
        active += a->iteration[k].active;
    if (active != a->actives || held != a->actives || iterations == 0)
        return fail(r, "its iterations contradict each other", err);
    for (size_t i = 0; i < active; i++) {
        if (a->active[i] >= o->tiles)
            return fail(r, "it names a tile that is not there", err);
        a->moves += o->out_start[a->active[i] + 1] - o->out_start[a->active[i]];
    }
    return FS_OK;
}

static fs_status read_counts(const fs_recording *r, fs_arena *arena, fs_activity *a, fs_error *err) {
    size_t groups = 0;
    const size_t bytes = fs_recording_bytes(r, "counts");
    if (read_list(r, "calls", sizeof *a->calls, arena, (void **)&a->calls, &groups, err) ||
        read_list(r, "planes", sizeof *a->plane, arena, (void **)&a->plane, &a->planes, err))
        return err->status;
    a->groups = (uint32_t)groups;
    a->plane_start = FS_NEW(arena, size_t, groups + 1);
    for (size_t p = 0; p < a->planes; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        if (plane->group >= groups || (p > 0 && plane->group < plane[-1].group) ||
            plane->event >= FS_MAX_EVENTS || plane->worker >= a->workers || bytes == SIZE_MAX ||
            plane->at + a->calls[plane->group] * (plane->wide ? 2U : 1U) > bytes)
            return fail(r, "its counts contradict each other", err);
        a->plane_start[plane->group + 1] = p + 1;
    }
    for (size_t g = 0; g < groups; g++) /* groups without a plane */
        if (a->plane_start[g + 1] < a->plane_start[g])
            a->plane_start[g + 1] = a->plane_start[g];
    void *counts = NULL;
    if (bytes == SIZE_MAX || posix_memalign(&counts, 64, bytes > 0 ? bytes : 64) != 0)
        return fs_fail(err, FS_MEMORY, "%s: no memory for its counts", fs_recording_path(r));
    fs_prefer_huge_pages(counts, bytes);
    a->counts = counts;
    return fs_recording_read(r, "counts", a->counts, bytes, err);
}

static fs_status read_lanes(const fs_recording *r, const fs_overlay *o, fs_arena *arena, fs_activity *a,
                            fs_error *err) {
    static const char *const names[FS_PARTS] = {"lanes_injection", "lanes_steady", "lanes_drain"};
    const size_t count = o->lane_count;
    a->lane = FS_NEW(arena, fs_activity_lane, count);
    fs_status status = fs_recording_read(r, "lanes", a->lane, count * sizeof *a->lane, err);
    for (int p = 0; p < FS_PARTS && status == FS_OK; p++) {
        a->lane_part[p] = FS_NEW(arena, fs_lane_counts, count);
        status = fs_recording_read(r, names[p], a->lane_part[p], count * sizeof *a->lane_part[p], err);
    }
    return status;
}

static fs_status read_pixels(const fs_recording *r, bool pictures, fs_arena *arena, fs_activity *a,
                             fs_error *err) {
    const size_t pixels = (size_t)a->end.width * a->end.height, frames = 3 * (size_t)a->end.frames;
    a->frame = FS_NEW(arena, uint64_t, frames);
    a->hops = FS_NEW(arena, fs_pixel_hops, pixels);
    if (fs_recording_read(r, "frames", a->frame, frames * sizeof *a->frame, err) ||
        fs_recording_read(r, "hops", a->hops, pixels * sizeof *a->hops, err))
        return err->status;
    if (!pictures)
        return FS_OK;
    a->rgb8 = fs_malloc(3 * pixels);
    a->depth16 = fs_malloc(pixels * sizeof *a->depth16);
    fs_status status = fs_recording_read(r, "image", a->rgb8, 3 * pixels, err);
    return status ? status : fs_recording_read(r, "depth", a->depth16, pixels * sizeof *a->depth16, err);
}

/* The reason why the recorded run failed, if it did. */
static fs_status read_unfinished(const fs_recording *r, fs_arena *arena, fs_activity *a, fs_error *err) {
    const size_t bytes = fs_recording_bytes(r, "unfinished");
    if (bytes == SIZE_MAX)
        return FS_OK;
    char *why = FS_NEW(arena, char, bytes + 1);
    a->unfinished = why;
    return fs_recording_read(r, "unfinished", why, bytes, err);
}

fs_status fs_activity_read(const fs_recording *r, const fs_overlay *overlay, uint32_t workers,
                           fs_activity_wants wants, fs_arena *arena, fs_activity *out, fs_error *err) {
    *out = (fs_activity){.workers = workers};
    if (read_unfinished(r, arena, out, err) || out->unfinished != NULL)
        return err->status;
    if (fs_recording_read(r, "end", &out->end, sizeof out->end, err) ||
        read_iterations(r, overlay, arena, out, err) || read_counts(r, arena, out, err) ||
        read_lanes(r, overlay, arena, out, err) || read_pixels(r, wants.pictures, arena, out, err))
        return err->status;
    if (!wants.moved)
        return FS_OK;
    out->moved = FS_NEW(arena, uint32_t, out->moves);
    return fs_recording_read(r, "moved", out->moved, out->moves * sizeof *out->moved, err);
}

void fs_activity_free(fs_activity *a) {
    free(a->counts);
    free(a->rgb8);
    free(a->depth16);
    *a = (fs_activity){0};
}

/* ---- replaying ---- */

fs_simulation *fs_activity_shell(const fs_activity *a, const fs_foam_setup *setup, fs_arena *arena) {
    const uint32_t lanes = setup->overlay->lane_count, frames = a->end.frames;
    fs_lane_state *lane = FS_NEW(arena, fs_lane_state, lanes);
    for (uint32_t l = 0; l < lanes; l++)
        lane[l] = (fs_lane_state){.rays = a->lane[l].rays,
                                  .spilled = a->lane[l].spilled,
                                  .full = a->lane[l].full,
                                  .turned_away = a->lane[l].turned_away,
                                  .used = (uint32_t)a->lane[l].used, /* at most one an iteration */
                                  .stalled = a->lane[l].stalled,
                                  .peak = a->lane[l].peak,
                                  .capacity = a->lane[l].capacity};
    uint64_t *frame = FS_NEW(arena, uint64_t, 3 * (size_t)frames);
    memcpy(frame, a->frame, 3 * (size_t)frames * sizeof *frame);
    const fs_shell_end end = {.lanes = lane,
                              .totals = a->end.totals,
                              .complete = a->end.complete != 0,
                              .framebuffer = {.width = a->end.width,
                                              .height = a->end.height,
                                              .hops = a->hops,
                                              .frames = frames,
                                              .written = frame,
                                              .last_pixel = frame + frames,
                                              .done = frame + 2 * (size_t)frames}};
    return fs_shell_create(arena, setup, &end);
}

void fs_activity_begin(fs_activity_cursor *c, const fs_activity *a, fs_simulation *shell,
                       const fs_device_programs *programs, const fs_foam_setup *setup, fs_arena *arena) {
    FS_ASSERT(programs->count == a->groups, "%u programs, %u recorded", programs->count, a->groups);
    *c =
        (fs_activity_cursor){.activity = a,
                             .shell = shell,
                             .call = FS_NEW(arena, uint64_t, a->groups),
                             .call_of = FS_NEW(arena, uint64_t, setup->overlay->tiles),
                             .overlay = setup->overlay,
                             .group_of = programs->of_tile,
                             .generator_workers = setup->generator_workers > 1 ? setup->generator_workers : 1,
                             .payload_bytes = setup->payload->bytes,
                             .occupied = FS_NEW(arena, uint32_t, setup->overlay->lane_count)};
}

/* Of `rays` events that begin with the call's ray number `first`, those of the generator's worker w. */
static uint32_t share(uint32_t first, uint32_t rays, uint32_t workers, uint32_t w) {
    const uint32_t end = first + rays;
    return (end + workers - 1 - w) / workers - (first + workers - 1 - w) / workers;
}

static void share_out(uint32_t workers, uint32_t *counts) {
    static const int events[] = {FS_GENERATOR_BACKLOG, FS_GENERATOR_SPILL, FS_GENERATOR_RAY};
    uint32_t number = 0;
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        const uint32_t rays = counts[events[i]];
        for (uint32_t w = 0; w < workers; w++)
            counts[w * FS_MAX_EVENTS + (uint32_t)events[i]] = share(number, rays, workers, w);
        number += rays;
    }
}

void fs_activity_call(const fs_activity_cursor *c, uint32_t tile, uint64_t call, uint32_t *out) {
    const fs_activity *a = c->activity;
    const uint32_t group = c->group_of[tile] - 1U;
    for (size_t p = a->plane_start[group]; p < a->plane_start[group + 1]; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        const unsigned char *at = a->counts + plane->at;
        const uint32_t n = plane->wide ? ((const uint16_t *)(const void *)at)[call] : at[call];
        out[plane->worker * FS_MAX_EVENTS + plane->event] |= n << plane->shift;
    }
    if (tile == c->overlay->generator_tile)
        share_out(c->generator_workers, out);
}

void fs_activity_compute(fs_activity_cursor *c, const fs_count_sink *sink, const uint32_t **active,
                         uint32_t *active_count) {
    const fs_activity *a = c->activity;
    const fs_activity_iteration *i = &a->iteration[c->iteration];
    const uint32_t *tiles = a->active + c->active;
    *active = tiles;
    *active_count = i->active;
    fs_shell_show(c->shell, &i->step, tiles, a->held + c->active, i->active, i->written);
    for (uint32_t t = 0; t < i->active; t++)
        c->call_of[t] = c->call[c->group_of[tiles[t]] - 1U]++;
    if (sink == NULL)
        return;
#pragma omp parallel for schedule(static) if (i->active >= WORTH_THREADS)
    for (uint32_t t = 0; t < i->active; t++) {
        fs_activity_call(c, tiles[t], c->call_of[t], sink->counts(sink->self, tiles[t]));
        sink->done(sink->self, tiles[t]);
    }
}

void fs_activity_exchange(fs_activity_cursor *c, const uint32_t **occupied) {
    const fs_activity *a = c->activity;
    const fs_overlay *o = c->overlay;
    const uint32_t *tiles = a->active + c->active, count = a->iteration[c->iteration].active;
    if (occupied == NULL || a->moved == NULL)
        return;
    memset(c->occupied, 0, o->lane_count * sizeof *c->occupied);
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t p = o->out_start[tiles[t]]; p < o->out_start[tiles[t] + 1]; p++)
            c->occupied[o->out_lane[p]] = a->moved[c->moved++] * c->payload_bytes;
    *occupied = c->occupied;
}

void fs_activity_decide(fs_activity_cursor *c, fs_host_visit *visit, bool *stop) {
    const fs_activity_iteration *i = &c->activity->iteration[c->iteration];
    *visit = (fs_host_visit){.visit = i->visit != 0,
                             .bytes_to_host = i->bytes_to_host,
                             .bytes_to_device = i->bytes_to_device,
                             .broadcast_bytes = i->bytes_to_device};
    c->active += i->active;
    *stop = ++c->iteration == c->activity->iterations;
}

void fs_activity_close_books(const fs_activity *a, fs_foam_books *b) {
    memcpy(b->part_end, a->end.part_end, sizeof b->part_end);
    memcpy(b->fill_tracer, a->end.fill_tracer, sizeof b->fill_tracer);
    memcpy(b->fill_router, a->end.fill_router, sizeof b->fill_router);
    for (int p = 0; p < FS_PARTS; p++)
        b->lane_part[p] = a->lane_part[p];
    b->part = FS_PARTS;
}
