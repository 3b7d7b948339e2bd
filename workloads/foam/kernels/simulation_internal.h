/* State that the kernels share. Private to workloads/foam's kernels: tracer.c, router.c, generator.c,
 * simulation.c. */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/base/error.h"
#include "workloads/foam/kernels/deal.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation.h"
#include "workloads/foam/march/itinerary.h"

#include <stdbool.h>
#include <stdint.h>

/* Frames that can never complete, told early.
 *
 * What the machine does in an iteration follows from its state alone: what lies in which slot of which lane
 * and of the ring, and where the generator is in its sweep. Prices, host visits and the names of rays have no
 * part in it. So a state that was there before comes again for ever, with all that happened in between: what
 * pixels were not written by then never will be. A state can only come again at the same place of the sweep,
 * so one state a sweep is looked at (a generator that has finished is at one place for good). By Brent's
 * method one earlier state is kept, as 128 bits of a digest, and exchanged for the present one after 1, 2, 4,
 * 8 ... looks.
 *
 * While no lane is too small for its rays and none is lost, no ray is in another's way: where each is then
 * does not depend on the order of those that share a lane. So between two looks without a spill and without a
 * loss states are compared by what each lane holds, in any order.
 */

struct fs_foam_simulation;

typedef struct fs_recurrence {
    uint64_t kept[2];      /* digest of the state that is waited for, */
    uint64_t any_order[2]; /* and of what its lanes hold, in any order */
    uint64_t outline;      /* of that state: cheap, and another one for most others */
    uint64_t in_flight;    /* rays in that state */
    uint64_t trouble;      /* spills and losses when it was kept */
    uint64_t looks, until; /* since it was kept; when it is exchanged */
    bool any;              /* one is kept */
    uint64_t *written;     /* [setup.give_up] pixels of counted frames at the ends of the last sweeps */
    uint64_t sweeps;       /* that ended */
    uint64_t brought;      /* new pixels of the last setup.give_up of them */
    bool given_up;         /* for these are too few */
} fs_recurrence;

/* After the exchange of every iteration: whether the state is one that was there before, so that what has not
 * happened by now never will. False where something else than the state decides: another camera that is
 * still to come, a lane chosen by the iteration's number, frames before the last that is counted in flight, a
 * framebuffer that is read when it is full; and where the next visit of the host will end the run by itself.
 */
bool fs_recurrence_look(fs_recurrence *r, const struct fs_foam_simulation *sim);

/* The same by experience instead of proof: were every sweep to come as good as the last setup.give_up on
 * average, the frame would not be done by setup.max_iterations; also where these brought nothing at all.
 * Sweeps that are nearly alike lose the same rays each time, and no state comes again. A frame that is given
 * up would be done after all only if its sweeps brought more pixels later than before. */
bool fs_recurrence_gives_up(fs_recurrence *r, const struct fs_foam_simulation *sim);

/* FS_RUN: why a run ends without being done (`over`: at max_iterations), and how far it came. */
fs_status fs_recurrence_tell(const struct fs_foam_simulation *sim, bool over, fs_error *err);

/* Picking among equals: which of several lanes or owners of a shard a ray takes. */

/* A fixed mix of a pixel's number (row by row) and a salt: multiplications by 2654435769, the odd number next
 * to 2^32 over the golden ratio, which spread neighbours far apart, and shifts that bring high bits down.
 * Salt: 0 where a shard has several owners, else the level of the tile that picks; without it a ray that took
 * the left lane on one level would take the left one on all, and half of a wide level would stay empty. */
static inline uint32_t fs_pixel_hash(uint32_t pixel, uint32_t salt) {
    const uint32_t golden = UINT32_C(2654435769);
    uint32_t h = pixel + salt * golden;
    h = (h ^ h >> 16) * golden;
    h = (h ^ h >> 16) * golden;
    return h ^ h >> 16;
}

/* The tracer that a ray of that pixel wants when it enters a shard. */
static inline uint32_t fs_shard_tracer(const fs_overlay *overlay, uint32_t shard, uint32_t pixel) {
    uint32_t first = overlay->owner_start[shard], owners = overlay->owner_start[shard + 1] - first;
    return owners == 1 ? overlay->owner[first] : overlay->owner[first + fs_pixel_hash(pixel, 0) % owners];
}

/* What one tile did in one iteration; summed up by one thread in tile order. */
typedef struct fs_tile_work {
    uint32_t held;  /* rays read from its in buffers */
    uint32_t sent;  /* rays written to its out buffers */
    uint32_t ended; /* rays written to a pixel, or to the local buffer */
    uint32_t dropped, spilled, misrouted, crossings;
    uint32_t pixels; /* written for the first time */
    uint64_t cells, faces;
} fs_tile_work;

typedef struct fs_local_record { /* local framebuffer: what a tile keeps of a ray that ended there */
    uint16_t x, y;
    uint32_t frame;
    fs_ray_state state;
} fs_local_record;

typedef struct fs_generator {
    uint32_t frame, batch, batches; /* the next batch to emit; batches of a frame */
    uint32_t idle_left;
    uint32_t generated; /* in this iteration */
    bool finished;      /* nothing more to generate, ever */
    bool paused;        /* draining for a camera change */
    fs_handle *ring;    /* [ring_size] */
    uint32_t ring_size, ring_first, ring_count;
} fs_generator;

struct fs_foam_simulation {
    fs_foam_setup setup;
    const fs_overlay *overlay;
    fs_lane_state *lanes;
    fs_lane_store *stores; /* [threads] */
    uint32_t threads;
    fs_ray_pool pool;
    fs_framebuffer framebuffer;
    fs_generator generator;
    fs_itinerary itinerary;
    fs_itinerary_view view[FS_CAMERAS]; /* of setup.camera */
    uint32_t pose;                      /* which of them new rays are generated under */
    uint32_t granted, taken;  /* frames of a path whose camera is here, and whose picture the host has */
    fs_ray_state *turned_end; /* [pool.wrap at the camera change] of rays that went on under another camera */
    bool change_pending;

    uint64_t *active_bits; /* [(tiles + 63) / 64] tiles that will have work in the next iteration */
    uint32_t *active;      /* [tiles] those of this iteration, ascending */
    uint32_t active_count;
    fs_deal deal;                       /* of those tiles, among the threads */
    fs_tile_work *work;                 /* [tiles] */
    uint32_t *held;                     /* [tiles] */
    uint64_t visits;                    /* of all that was in `held`, in all iterations */
    uint32_t *occupied;                 /* [lanes] bytes */
    bool *chooses;                      /* [tiles] some route of the tile leaves it a choice */
    bool replicated;                    /* some shard has several owners */
    bool usual;                         /* routers may look whether their call is a usual one */
    bool vectors;                       /* the host has AVX2, tiles FS_USUAL_WORKERS, cells one colour */
    uint32_t *tracer_slots;             /* [tracers] rays that their in lanes hold, by setup.lane_capacity */
    fs_local_record **local;            /* [tracers][local_room] */
    uint32_t *local_count, *local_room; /* [tracers] records */

    uint64_t iteration;
    fs_recurrence recurrence;
    fs_foam_step step;
    fs_foam_totals totals;
    bool complete, complete_seen; /* as the host knows; by the picture of the last visit */
};

/* Of the machines that there are: what loops are compiled for. */
enum { FS_USUAL_WORKERS = 6 };

/* The kernels: one compute phase of one tile. counts: [workers][FS_MAX_EVENTS], zero on entry. Any thread,
 * with the store of that thread. */
void fs_tracer_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts);
/* Asks for the memory that a tracer's run will touch, some calls ahead of it: the courses of its rays; once
 * those are there, what they point to. */
void fs_tracer_fetch_courses(const fs_foam_simulation *sim, uint32_t tile);
void fs_tracer_fetch_legs(const fs_foam_simulation *sim, uint32_t tile);
/* The tracer's rules on one slot, which holds a ray; the handle for the out slot. row: of its worker. */
fs_handle fs_tracer_visit(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                          fs_handle handle, uint32_t *row);
/* The tracer's rules on one in lane, its workers' `slot` events apart, on a host with AVX2 and for tiles of
 * FS_USUAL_WORKERS: results go to `slots`; how many of them hold a ray. */
uint32_t fs_tracer_lane_avx2(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                             const fs_lane_state *in, fs_handle *slots, uint32_t *counts);
void fs_router_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts);
/* The router's passes over what is in the in lanes, for a tracer that routes: counts are those of the
 * router's events; the rays read are counted by the caller. */
void fs_router_pass_on(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts);
/* The same for a usual call; false, with nothing done, where it is not one. */
bool fs_router_usual(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts);
void fs_generator_run(fs_foam_simulation *sim, uint32_t tile, fs_lane_store *store, uint32_t *counts);

/* Elaboration of the generator; whether it has work of its own (beside its in buffer) in the next iteration. */
void fs_generator_create(fs_foam_simulation *sim, fs_arena *arena);
bool fs_generator_pending(const fs_foam_simulation *sim);

/* Cameras (poses.c): at elaboration, with the framebuffer there; at a visit of the host, a second camera that is
 * due; at a visit, the frames of a path that are complete are taken and the next ones granted: whether all are taken. */
void fs_poses_begin(fs_foam_simulation *sim, fs_arena *arena);
fs_status fs_poses_change(fs_foam_simulation *sim, uint64_t iteration, fs_error *err);
bool fs_poses_take(fs_foam_simulation *sim, uint64_t iteration, fs_foam_visit *visit);

static inline uint32_t fs_ports(const fs_foam_simulation *sim, uint32_t tile) {
    return fs_overlay_out_degree(sim->overlay, tile);
}
static inline fs_lane_state *fs_in_lane(const fs_foam_simulation *sim, uint32_t tile, uint32_t port) {
    return &sim->lanes[sim->overlay->in_lane[sim->overlay->in_start[tile] + port]];
}
static inline fs_lane_state *fs_out_lane(const fs_foam_simulation *sim, uint32_t tile, uint32_t port) {
    return &sim->lanes[sim->overlay->out_lane[sim->overlay->out_start[tile] + port]];
}

/* Takes the mark of a spill off a handle that has arrived and books the misrouted visit. */
static inline void fs_arrive_spilled(fs_foam_simulation *sim, fs_tile_work *work, fs_handle *handle) {
    handle->ray = (handle->ray & ~FS_RAY_SPILLED) | FS_RAY_DETOURED;
    sim->pool.ray[handle->ray & FS_RAY_ID].misrouted++;
    work->misrouted++;
}

/* handle.routed of a ray that leaves a tracer. A tile that routes what it has traced visits the ray once: its
 * forward pass makes this 0. */
static inline uint16_t fs_routed_after_trace(bool routes) {
    return routes ? UINT16_MAX : 0;
}

/* The payload of a finished ray. */
static inline const fs_ray_state *fs_ray_end(const fs_foam_simulation *sim, uint32_t id) {
    const fs_ray *ray = &sim->pool.ray[id];
    if (ray->turned)
        return &sim->turned_end[id];
    return &sim->view[ray->pose].end[(size_t)ray->y * sim->framebuffer.width + ray->x];
}

/* Of a ray, from one of its legs to another. */
static inline uint32_t fs_legs_between(uint32_t first, uint32_t leg) {
    return (leg - first) / FS_LEG_STRIDE;
}

static inline uint32_t fs_pixel_of(const fs_foam_simulation *sim, uint32_t id) {
    return sim->pool.ray[id].y * sim->framebuffer.width + sim->pool.ray[id].x;
}

/* A ray has been marched to its end, and its course is after its last leg. */
static inline void fs_ray_ends(fs_foam_simulation *sim, fs_handle *handle) {
    const uint32_t id = handle->ray & FS_RAY_ID;
    fs_ray *ray = &sim->pool.ray[id];
    fs_course *course = &sim->pool.course[id];
    ray->tracer_visits = (uint16_t)(ray->tracer_visits + fs_legs_between(ray->first, course->leg));
    course->leg = fs_pixel_of(sim, id);
    handle->ray |= FS_RAY_ENDED;
}

/* A visit of ray `id` at the tracer that it wanted, after so many routers: the events of its legs; its last leg. */
static inline __attribute__((always_inline)) const fs_leg *
fs_visit_legs(fs_foam_simulation *sim, uint32_t id, uint16_t routed, bool routes, uint32_t *row) {
    fs_course *course = &sim->pool.course[id];
    course->router_visits = (uint16_t)(course->router_visits + routed);
    row[FS_TRACER_SETUP]++;
    for (;;) {
        const fs_leg *leg = fs_itinerary_leg(&sim->itinerary, course->leg);
        if (__builtin_expect(sim->itinerary.lit != NULL, 0))
            row[fs_tracer_lit_event(routes)] += fs_itinerary_lit(&sim->itinerary, course->leg);
        course->leg += FS_LEG_STRIDE;
        row[FS_TRACER_CELL] += leg->cells;
        row[FS_TRACER_FACE] += leg->faces;
        row[FS_TRACER_FRONT] += leg->front;
        row[FS_TRACER_NEAREST] += leg->nearest & (FS_LEG_DEPTH - 1);
        row[FS_TRACER_DEPTH] += leg->nearest / FS_LEG_DEPTH;
        if (__builtin_expect(leg->next != FS_LEG_MORE, 1))
            return leg;
        sim->pool.ray[id].tracer_visits--; /* modulo 2^16: a leg that is no visit of its own */
    }
}

/* The tracer that a ray wants when it enters a shard. */
static inline uint16_t fs_next_tracer(const fs_foam_simulation *sim, uint16_t shard, uint32_t id) {
    if (__builtin_expect(!sim->replicated, 1))
        return shard; /* tracer i owns shard i */
    return (uint16_t)fs_shard_tracer(sim->overlay, shard, fs_pixel_of(sim, id));
}

/* A ray is lost. */
static inline void fs_drop(fs_foam_simulation *sim, fs_tile_work *work, fs_handle handle) {
    fs_ray_free(&sim->pool.ray[handle.ray & FS_RAY_ID], (uint32_t)sim->iteration);
    work->dropped++;
}

/* A new ray, record `id`, of pixel (x, y) under the present camera; its handle on the way to its first tracer. */
static inline fs_handle fs_new_ray(fs_foam_simulation *sim, uint32_t id, uint32_t x, uint32_t y) {
    const fs_itinerary_view *view = &sim->view[sim->pose];
    const uint32_t pixel = y * sim->framebuffer.width + x;
    sim->pool.ray[id] = (fs_ray){.first = view->first[pixel],
                                 .x = (uint16_t)x,
                                 .y = (uint16_t)y,
                                 .frame = (uint16_t)sim->generator.frame,
                                 .born = (uint16_t)sim->iteration,
                                 .free_from = FS_RAY_BUSY,
                                 .pose = (uint8_t)sim->pose};
    sim->pool.course[id] = (fs_course){.leg = view->first[pixel], .from = FS_FROM_GENERATOR};
    return (fs_handle){.ray = id, .wants = (uint16_t)fs_shard_tracer(sim->overlay, view->shard, pixel)};
}

/* Lines that the generator goes through, and pixels of each: rows, or columns. */
static inline uint32_t fs_lines(const fs_foam_setup *s) {
    return s->order == FS_ORDER_ROWS ? s->camera->height : s->camera->width;
}
static inline uint32_t fs_line_length(const fs_foam_setup *s) {
    return s->order == FS_ORDER_ROWS ? s->camera->width : s->camera->height;
}

/* The present batch has been made: on to the next one. True: it was a frame's last. */
static inline bool fs_batch_ends(fs_foam_simulation *sim) {
    fs_generator *g = &sim->generator;
    if (++g->batch < g->batches)
        return false;
    g->batch = 0;
    g->frame++;
    g->finished = !sim->setup.stream && g->frame == sim->setup.frames;
    if (sim->setup.in_flight > 0 && !g->finished)
        sim->pose = g->frame;
    return true;
}

/* Workers of a tracer's or a router's tile. */
static inline uint32_t fs_workers_of(const fs_foam_simulation *sim, fs_role role) {
    const fs_foam_setup *setup = &sim->setup;
    const uint32_t own = role == FS_ROLE_TRACER ? setup->tracer_workers : setup->router_workers;
    return own > 0 ? own : setup->workers;
}

static inline bool fs_workers_are_usual(const fs_foam_simulation *sim) {
    return fs_workers_of(sim, FS_ROLE_ROUTER) == FS_USUAL_WORKERS &&
           fs_workers_of(sim, FS_ROLE_TRACER) == FS_USUAL_WORKERS;
}

/* Slots i of [0, n) with i mod workers == worker. */
static inline uint32_t fs_share(uint32_t n, uint32_t workers, uint32_t worker) {
    return (n + workers - 1 - worker) / workers;
}
