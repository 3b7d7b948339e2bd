/* Activity recordings: watching a run. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/record/activity.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CALLS = 4096, FIRST_ITERATIONS = 1024, ALIGNMENT = 64, PLANES = FS_MAX_EVENTS * FS_MAX_WORKERS };

/* The calls of the tiles that run one program. */
typedef struct group {
    uint64_t calls, room;
    uint16_t *low[PLANES], *high[PLANES]; /* [event * workers + worker] -> [room]; NULL: all 0 so far */
} group;

typedef struct list {
    void *item;
    size_t count, room, size;
} list;

struct fs_activity_recorder {
    const fs_overlay *overlay;
    const uint8_t *group_of; /* [tiles] 1 + group */
    uint32_t workers, groups;
    uint32_t *counts; /* [tiles][workers][FS_MAX_EVENTS] of this iteration */
    group *group;
    list iteration, active, held, moved;
};

static void *append(list *l, size_t count) {
    if (l->count + count > l->room) {
        l->room = 2 * l->room > l->count + count ? 2 * l->room : l->count + count + FIRST_ITERATIONS;
        l->item = fs_realloc(l->item, l->room * l->size);
    }
    l->count += count;
    return (char *)l->item + (l->count - count) * l->size;
}

fs_activity_recorder *fs_activity_recorder_create(const fs_overlay *overlay,
                                                  const fs_device_programs *programs, uint32_t workers) {
    fs_activity_recorder *r = fs_calloc(1, sizeof *r);
    *r = (fs_activity_recorder){.overlay = overlay,
                                .group_of = programs->of_tile,
                                .workers = workers,
                                .groups = programs->count,
                                .iteration = {.size = sizeof(fs_activity_iteration)},
                                .active = {.size = sizeof(uint32_t)},
                                .held = {.size = sizeof(uint32_t)},
                                .moved = {.size = sizeof(uint32_t)}};
    r->counts = fs_calloc((size_t)overlay->tiles * workers * FS_MAX_EVENTS, sizeof *r->counts);
    r->group = fs_calloc(r->groups, sizeof *r->group);
    return r;
}

void fs_activity_recorder_free(fs_activity_recorder *r) {
    if (r == NULL)
        return;
    for (uint32_t g = 0; g < r->groups; g++)
        for (int p = 0; p < PLANES; p++) {
            free(r->group[g].low[p]);
            free(r->group[g].high[p]);
        }
    free(r->group);
    free(r->counts);
    free(r->iteration.item);
    free(r->active.item);
    free(r->held.item);
    free(r->moved.item);
    free(r);
}

static uint32_t *counts_of(const fs_activity_recorder *r, uint32_t tile) {
    return r->counts + (size_t)tile * r->workers * FS_MAX_EVENTS;
}

/* Which worker of the generator handles which ray is a matter of its kernel: the sums stay. */
static void add_up_workers(const fs_activity_recorder *r, uint32_t *counts) {
    for (uint32_t w = 1; w < r->workers; w++)
        for (uint32_t e = 0; e < FS_GENERATOR_EVENTS; e++) {
            counts[e] += counts[w * FS_MAX_EVENTS + e];
            counts[w * FS_MAX_EVENTS + e] = 0;
        }
}

void fs_activity_count(fs_activity_recorder *r, uint32_t tile, const uint32_t *counts) {
    uint32_t *to = counts_of(r, tile);
    memcpy(to, counts, (size_t)r->workers * FS_MAX_EVENTS * sizeof *to);
    if (r->overlay->role[tile] == FS_ROLE_GENERATOR)
        add_up_workers(r, to);
}

static uint16_t *grown(uint16_t *plane, uint64_t had, uint64_t room) {
    if (plane == NULL)
        return NULL;
    plane = fs_realloc(plane, (size_t)room * sizeof *plane);
    memset(plane + had, 0, (size_t)(room - had) * sizeof *plane);
    return plane;
}

static void put(group *g, uint16_t **plane, uint16_t value) {
    if (value == 0)
        return;
    if (*plane == NULL)
        *plane = fs_calloc((size_t)g->room, sizeof **plane);
    (*plane)[g->calls] = value;
}

static void note_call(fs_activity_recorder *r, uint32_t tile) {
    group *g = &r->group[r->group_of[tile] - 1];
    const uint32_t *counts = counts_of(r, tile);
    if (g->calls == g->room) {
        const uint64_t room = g->room ? 2 * g->room : FIRST_CALLS;
        for (int p = 0; p < PLANES; p++) {
            g->low[p] = grown(g->low[p], g->room, room);
            g->high[p] = grown(g->high[p], g->room, room);
        }
        g->room = room;
    }
    for (uint32_t w = 0; w < r->workers; w++)
        for (uint32_t e = 0; e < FS_MAX_EVENTS; e++) {
            const uint32_t n = counts[w * FS_MAX_EVENTS + e], p = e * r->workers + w;
            put(g, &g->low[p], (uint16_t)n);
            put(g, &g->high[p], (uint16_t)(n >> 16));
        }
    g->calls++;
}

void fs_activity_note(fs_activity_recorder *r, const fs_foam_simulation *sim, const uint32_t *active,
                      uint32_t active_count, const uint32_t *occupied, uint32_t payload_bytes) {
    const fs_overlay *o = r->overlay;
    const uint32_t *held = fs_foam_simulation_held(sim);
    fs_activity_iteration *i = append(&r->iteration, 1);
    memset(i, 0, sizeof *i);
    i->step = *fs_foam_simulation_step(sim);
    i->active = active_count;
    if (active_count == 0)
        return;
    memcpy(append(&r->active, active_count), active, active_count * sizeof *active);
    uint32_t *held_to = append(&r->held, active_count);
    for (uint32_t a = 0; a < active_count; a++) {
        const uint32_t tile = active[a], first = o->out_start[tile], lanes = o->out_start[tile + 1] - first;
        uint32_t *moved = append(&r->moved, lanes);
        held_to[a] = held[tile];
        for (uint32_t p = 0; p < lanes; p++)
            moved[p] = occupied[o->out_lane[first + p]] / payload_bytes;
        note_call(r, tile);
    }
}

void fs_activity_visit(fs_activity_recorder *r, const fs_foam_simulation *sim, const fs_host_visit *visit) {
    fs_activity_iteration *last = (fs_activity_iteration *)r->iteration.item + (r->iteration.count - 1);
    last->written = fs_foam_simulation_written(sim);
    last->visit = visit->visit;
    last->bytes_to_host = visit->bytes_to_host;
    last->bytes_to_device = visit->bytes_to_device;
}

/* ---- what was recorded ---- */

static uint16_t largest(const uint16_t *plane, uint64_t calls) {
    uint16_t most = 0;
    for (uint64_t c = 0; c < calls; c++)
        most = plane[c] > most ? plane[c] : most;
    return most;
}

/* Packs a plane behind the others at counts[*at]; one that is all 0 is left out. */
static void pack_plane(const group *g, const uint16_t *plane, fs_activity_plane like, list *planes,
                       list *counts) {
    const uint16_t most = plane == NULL ? 0 : largest(plane, g->calls);
    if (most == 0)
        return;
    like.wide = most > UINT8_MAX;
    like.at = counts->count;
    const size_t bytes = (size_t)g->calls * (like.wide ? 2 : 1),
                 whole = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    unsigned char *to = append(counts, whole);
    if (like.wide)
        memcpy(to, plane, bytes);
    for (uint64_t c = 0; c < g->calls && !like.wide; c++)
        to[c] = (unsigned char)plane[c];
    memset(to + bytes, 0, whole - bytes);
    memcpy(append(planes, 1), &like, sizeof like);
}

static void pack_counts(const fs_activity_recorder *r, fs_arena *arena, fs_activity *out) {
    list planes = {.size = sizeof(fs_activity_plane)}, counts = {.size = 1};
    out->calls = FS_NEW(arena, uint64_t, r->groups);
    for (uint32_t g = 0; g < r->groups; g++) {
        out->calls[g] = r->group[g].calls;
        for (uint32_t p = 0; p < FS_MAX_EVENTS * r->workers; p++) {
            fs_activity_plane like;
            memset(&like, 0, sizeof like);
            like.group = g;
            like.event = (uint8_t)(p / r->workers);
            like.worker = (uint8_t)(p % r->workers);
            pack_plane(&r->group[g], r->group[g].low[p], like, &planes, &counts);
            like.shift = 16;
            pack_plane(&r->group[g], r->group[g].high[p], like, &planes, &counts);
        }
    }
    out->planes = planes.count;
    out->plane = FS_NEW(arena, fs_activity_plane, planes.count + 1);
    if (planes.count > 0)
        memcpy(out->plane, planes.item, planes.count * planes.size);
    free(planes.item);
    out->counts = counts.item;
    out->count_bytes = counts.count;
}

static fs_activity_lane *lanes_of(const fs_foam_books *b, fs_arena *arena) {
    const fs_lane_state *lanes = fs_foam_simulation_lanes(b->sim);
    fs_activity_lane *end = FS_NEW(arena, fs_activity_lane, b->overlay->lane_count);
    for (uint32_t l = 0; l < b->overlay->lane_count; l++)
        end[l] = (fs_activity_lane){.rays = lanes[l].rays,
                                    .spilled = lanes[l].spilled,
                                    .full = lanes[l].full,
                                    .turned_away = lanes[l].turned_away,
                                    .used = lanes[l].used,
                                    .stalled = lanes[l].stalled,
                                    .peak = lanes[l].peak,
                                    .capacity = lanes[l].capacity};
    return end;
}

static uint64_t *frames_of(const fs_framebuffer *fb, fs_arena *arena) {
    const size_t n = fb->frames;
    uint64_t *frame = FS_NEW(arena, uint64_t, 3 * n);
    memcpy(frame, fb->written, n * sizeof *frame);
    memcpy(frame + n, fb->last_pixel, n * sizeof *frame);
    memcpy(frame + 2 * n, fb->done, n * sizeof *frame);
    return frame;
}

void fs_activity_close(const fs_activity_recorder *r, const fs_foam_books *b, const fs_activity_image *image,
                       fs_arena *arena, fs_activity *out) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(b->sim);
    memset(out, 0, sizeof *out); /* no byte of the file is left to chance */
    out->workers = r->workers;
    out->groups = r->groups;
    out->iterations = r->iteration.count;
    out->iteration = r->iteration.item;
    out->actives = r->active.count;
    out->active = r->active.item;
    out->held = r->held.item;
    out->moves = r->moved.count;
    out->moved = r->moved.item;
    pack_counts(r, arena, out);
    out->lane = lanes_of(b, arena);
    memcpy(out->lane_part, b->lane_part, sizeof out->lane_part);
    out->frame = frames_of(fb, arena);
    out->hops = fb->hops;
    memcpy(out->end.part_end, b->part_end, sizeof out->end.part_end);
    memcpy(out->end.fill_tracer, b->fill_tracer, sizeof out->end.fill_tracer);
    memcpy(out->end.fill_router, b->fill_router, sizeof out->end.fill_router);
    out->end.totals = fs_foam_simulation_totals(b->sim);
    out->end.complete = fs_foam_simulation_complete(b->sim);
    out->end.frames = fb->frames;
    out->end.width = fb->width;
    out->end.height = fb->height;
    out->end.image = *image;
}
