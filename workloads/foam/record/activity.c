/* Activity recordings: replaying. */
#include "workloads/foam/record/activity.h"

#include "workloads/foam/kernels/programs.h"

#include <string.h>

enum { WORTH_THREADS = 24 }; /* active tiles under which one thread is faster than waking others */

fs_foam_simulation *fs_activity_shell(const fs_activity *a, const fs_foam_setup *setup, fs_arena *arena) {
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

void fs_activity_begin(fs_activity_cursor *c, const fs_activity *a, fs_foam_simulation *shell,
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
    fs_shell_show(c->shell, &i->step, tiles, a->held + c->active, c->sums ? 0 : i->active, i->written);
    if (sink == NULL)
        return;
    for (uint32_t t = 0; t < i->active; t++)
        c->call_of[t] = c->call[c->group_of[tiles[t]] - 1U]++;
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
