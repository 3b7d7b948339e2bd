/* What one call of a tile does under decoupled execution: which rays it takes, where they go, which events it
 * counts. */
#include "workloads/foam/kernels/decoupled/decoupled_internal.h"
#include "workloads/foam/kernels/programs.h"

#include <string.h>

/* ---- the own lane of a ray ---- */

static uint32_t shortest_queue(const fs_foam_decoupled *f, const uint32_t *lane, uint32_t choices) {
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t c = 0; c < choices; c++) {
        uint32_t queued = fs_decoupled_queued(&f->ends[lane[c]]);
        if (queued < least) {
            least = queued;
            best = c;
        }
    }
    return best;
}

/* The lane by which a ray leaves `tile`: that of its route, or one of several by the overlay's policy. */
static uint32_t own_lane(const fs_foam_decoupled *f, uint32_t tile, fs_handle handle) {
    const fs_overlay *o = f->overlay;
    const uint32_t *out = o->out_lane + o->out_start[tile];
    uint32_t port = 0, choices = fs_overlay_out_degree(o, tile);
    if (o->route_start[tile] >= 0) {
        port = o->route[o->route_start[tile] + handle.wants];
        choices = o->lanes[out[port]].choices;
    }
    if (choices <= 1)
        return out[port];
    switch (o->dispatch) {
    case FS_DISPATCH_HASH:
        return out[port +
                   fs_pixel_hash(fs_pixel_of(f->sim, handle.ray & FS_RAY_ID), o->level[tile]) % choices];
    case FS_DISPATCH_ROUND_ROBIN:
        return out[port + f->tile[tile].turn % choices];
    default:
        return out[port + shortest_queue(f, out + port, choices)];
    }
}

/* ---- rays of a call ---- */

/* Numbers the rays that a call takes: ray n is worker n mod W's. */
typedef struct taking {
    uint32_t *row; /* of the worker whose ray is next */
    uint32_t *counts, *end;
    uint32_t taken, blocked;
} taking;

static taking begin_taking(const fs_foam_decoupled *f, uint32_t *counts) {
    return (taking){
        .row = counts, .counts = counts, .end = counts + (size_t)f->sim->setup.workers * FS_MAX_EVENTS};
}

static void next_worker(taking *t) {
    t->taken++;
    t->row = t->row + FS_MAX_EVENTS == t->end ? t->counts : t->row + FS_MAX_EVENTS;
}

static uint32_t found(uint32_t taken, uint32_t blocked) {
    return (taken > 0 ? (uint32_t)FS_CALL_BEGUN : 0) | (blocked > 0 ? (uint32_t)FS_CALL_BLOCKED : 0);
}

/* The ray ends in this call; `delivery` lanes since it was marched. */
static void end_ray(fs_foam_decoupled *f, uint32_t tile, uint32_t id, int64_t waited, uint32_t delivery) {
    foam_tile *t = &f->tile[tile];
    f->times[id].waited = waited;
    f->times[id].delivery = delivery;
    f->times[id].next = FS_NO_RAY;
    if (t->ended_count++ == 0)
        t->ended = id;
    else
        f->times[t->ended_last].next = id;
    t->ended_last = id;
    fs_decoupled_finish(f->engine);
}

/* ---- router ---- */

/* As it leaves: one router further, moved as a whole. */
static inline fs_handle forwarded(const fs_handle *handle) {
    const fs_handle one = {.routed = 1};
    uint64_t whole, step;
    memcpy(&step, &one, sizeof step);
    memcpy(&whole, handle, sizeof whole);
    whole += step;
    fs_handle out;
    memcpy(&out, &whole, sizeof out);
    return out;
}

/* Takes the rays of an in lane that have room in the lane of their route; how many are left. */
static uint32_t forward_lane(fs_foam_decoupled *f, uint32_t tile, uint32_t in, uint32_t waiting) {
    const fs_overlay *o = f->overlay;
    const uint32_t *out = o->out_lane + o->out_start[tile];
    const uint8_t *route = o->route + o->route_start[tile];
    const ray_queue q = f->queue[in];
    const int64_t now = (int64_t)f->now;
    ray_queue *const queue = f->queue;
    fs_decoupled_queue *const ends = f->ends;
    uint32_t left = 0;
    for (uint32_t i = 0; i < waiting; i++) {
        queued_ray *from = queued_at(&q, i);
        const uint32_t lane = out[route[from->handle.wants]];
        if (__builtin_expect(ends[lane].room == 0, 0)) {
            *queued_at(&q, left++) = *from;
            continue;
        }
        queued_ray *to = decoupled_place(&queue[lane]);
        const int64_t waited = from->waited;
        to->handle = forwarded(&from->handle);
        to->waited = waited + now;
        fs_decoupled_put(&ends[lane]);
    }
    return left;
}

/* The same where routes leave a choice, which may depend on what was taken before. */
static uint32_t forward_choosing(fs_foam_decoupled *f, uint32_t tile, uint32_t in, uint32_t waiting) {
    const ray_queue *q = &f->queue[in];
    uint32_t left = 0;
    for (uint32_t i = 0; i < waiting; i++) {
        queued_ray r = *queued_at(q, i);
        const uint32_t lane = own_lane(f, tile, r.handle);
        if (f->ends[lane].room == 0) {
            *queued_at(q, left++) = r;
            continue;
        }
        f->tile[tile].turn++;
        r.handle.routed++;
        decoupled_put(f, lane, r.handle, r.waited + (int64_t)f->now);
    }
    return left;
}

uint32_t decoupled_forward(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    const fs_overlay *o = f->overlay;
    const uint32_t workers = f->sim->setup.workers;
    uint32_t taken = 0, blocked = 0;
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++) {
        const uint32_t in = o->in_lane[p], waiting = f->ends[in].waiting;
        if (waiting == 0)
            continue;
        const uint32_t left = f->sim->chooses[tile] ? forward_choosing(f, tile, in, waiting)
                                                    : forward_lane(f, tile, in, waiting);
        decoupled_close_gap(f, in, waiting, left);
        taken += waiting - left;
        blocked += left;
    }
    for (uint32_t w = 0; w < workers; w++) {
        uint32_t *row = counts + (size_t)w * FS_MAX_EVENTS;
        row[FS_ROUTER_COUNT] = row[FS_ROUTER_FORWARD] = fs_share(taken, workers, w);
    }
    counts[FS_ROUTER_STATISTICS] = taken;
    f->tile[tile].held += taken;
    f->sim->totals.hops_in += taken;
    f->sim->totals.hops_out += taken;
    return found(taken, blocked);
}

/* ---- tracer ---- */

/* The last leg of the visit that begins at `leg`. */
static const fs_leg *last_leg(const fs_foam_simulation *sim, uint32_t leg) {
    const fs_leg *at = fs_itinerary_leg(&sim->itinerary, leg);
    while (at->next == FS_LEG_MORE)
        at = fs_itinerary_leg(&sim->itinerary, leg += FS_LEG_STRIDE);
    return at;
}

/* What a ray will be when this tile has dealt with it: the handle to send on, or one that stays here. A
 * tracer that routes passes on what wants others. */
static fs_handle after_visit(const fs_foam_decoupled *f, uint32_t tracer, bool routes, fs_handle handle) {
    const fs_foam_simulation *sim = f->sim;
    const fs_handle stays = {.ray = FS_RAY_CONSUMED};
    if (handle.wants != tracer) {
        FS_ASSERT(routes, "a ray that wants tracer %u is at tracer %u", handle.wants, tracer);
        handle.routed++;
        return handle;
    }
    if (handle.ray & FS_RAY_ENDED)
        return stays;
    handle.routed = 0;
    const fs_leg *leg = last_leg(sim, sim->pool.course[handle.ray].leg);
    if (leg->next != FS_LEG_ENDS) {
        handle.wants = fs_next_tracer(sim, leg->next, handle.ray);
        return handle;
    }
    if (sim->setup.local_framebuffer)
        return stays;
    const fs_ray *ray = &sim->pool.ray[handle.ray];
    handle.wants = (uint16_t)fs_framebuffer_owner(&sim->framebuffer, ray->x, ray->y);
    handle.ray |= FS_RAY_ENDED;
    return routes && handle.wants == tracer ? stays : handle;
}

/* The events of a visit at the tracer that a ray wanted; the ray's record as it is after it. Lanes that it
 * has travelled since it was marched, if it ends here. */
static uint32_t visit(fs_foam_decoupled *f, fs_handle handle, bool stays, bool routes, uint32_t *row) {
    fs_foam_simulation *sim = f->sim;
    if (handle.ray & FS_RAY_ENDED) {
        row[FS_TRACER_PIXEL]++;
        return handle.routed + 1u;
    }
    const uint32_t cells = row[FS_TRACER_CELL], faces = row[FS_TRACER_FACE];
    const fs_leg *leg = fs_visit_legs(sim, handle.ray, handle.routed, routes, row);
    sim->totals.cells += row[FS_TRACER_CELL] - cells;
    sim->totals.faces += row[FS_TRACER_FACE] - faces;
    if (leg->next != FS_LEG_ENDS) {
        row[FS_TRACER_CROSS]++;
        sim->totals.crossings++;
        return 0;
    }
    fs_ray_ends(sim, &handle);
    row[stays ? FS_TRACER_PIXEL : FS_TRACER_FINISH]++;
    return 0;
}

/* Local framebuffer: when the records that are left are fewer than the rays at hand the host reads the tile's
 * buffer first. */
static void make_room(fs_foam_decoupled *f, uint32_t tile, uint32_t tracer) {
    fs_foam_simulation *sim = f->sim;
    const fs_overlay *o = f->overlay;
    uint32_t waiting = 0;
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++)
        waiting += f->ends[o->in_lane[p]].waiting;
    if (sim->local_count[tracer] + waiting <= sim->setup.local_records)
        return;
    fs_decoupled_read_out(f->engine, (uint64_t)sim->local_count[tracer] * FS_LOCAL_RECORD_BYTES);
    sim->local_count[tracer] = 0;
}

/* A call of a tracer. */
typedef struct tracing {
    taking t;
    uint32_t tile, tracer;
    bool routes, local;
    uint32_t sent;
} tracing;

/* Takes a ray if there is room where it goes next. */
static bool trace_ray(fs_foam_decoupled *f, tracing *c, queued_ray r, uint32_t back) {
    const fs_handle next = after_visit(f, c->tracer, c->routes, r.handle);
    const bool stays = next.ray == FS_RAY_CONSUMED;
    uint32_t lane = stays ? UINT32_MAX : c->routes ? own_lane(f, c->tile, next) : back;
    if (!stays && f->ends[lane].room == 0)
        return false;
    if (c->local && c->t.taken == 0)
        make_room(f, c->tile, c->tracer);
    uint32_t *row = c->t.row, delivery = 0;
    row[FS_TRACER_SLOT]++;
    r.waited += (int64_t)f->now;
    if (r.handle.wants == c->tracer)
        delivery = visit(f, r.handle, stays, c->routes, row);
    if (stays) {
        end_ray(f, c->tile, r.handle.ray & FS_RAY_ID, r.waited, delivery);
        if (c->local)
            f->sim->local_count[c->tracer]++;
    } else {
        if (c->routes) {
            f->tile[c->tile].turn++;
            row[FS_TRACER_EVENTS + (int)FS_ROUTER_COUNT]++;
            row[FS_TRACER_EVENTS + (int)FS_ROUTER_FORWARD]++;
        }
        decoupled_put(f, lane, next, r.waited);
        c->sent++;
    }
    next_worker(&c->t);
    return true;
}

/* Asks for the courses of all waiting rays, then for the legs that those point to: they lie far apart, and a
 * ray's visit needs one after the other. */
static void fetch_rays(const fs_foam_decoupled *f, uint32_t tile) {
    const fs_overlay *o = f->overlay;
    const fs_course *course = f->sim->pool.course;
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++)
        for (uint32_t i = 0; i < f->ends[o->in_lane[p]].waiting; i++)
            __builtin_prefetch(&course[queued_at(&f->queue[o->in_lane[p]], i)->handle.ray & FS_RAY_ID]);
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++)
        for (uint32_t i = 0; i < f->ends[o->in_lane[p]].waiting; i++) {
            const fs_handle handle = queued_at(&f->queue[o->in_lane[p]], i)->handle;
            if ((handle.ray & FS_RAY_ENDED) == 0)
                __builtin_prefetch(fs_itinerary_leg(&f->sim->itinerary, course[handle.ray].leg));
        }
}

uint32_t decoupled_trace(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    const fs_overlay *o = f->overlay;
    tracing c = {.t = begin_taking(f, counts),
                 .tile = tile,
                 .tracer = o->tracer_of_tile[tile],
                 .routes = o->route_start[tile] >= 0,
                 .local = f->sim->setup.local_framebuffer};
    fetch_rays(f, tile);
    for (uint32_t p = 0; p < fs_overlay_in_degree(o, tile); p++) {
        const uint32_t in = o->in_lane[o->in_start[tile] + p], back = o->out_lane[o->out_start[tile] + p];
        const uint32_t waiting = f->ends[in].waiting;
        const ray_queue *q = &f->queue[in];
        uint32_t left = 0;
        for (uint32_t i = 0; i < waiting; i++) {
            const queued_ray r = *queued_at(q, i);
            if (!trace_ray(f, &c, r, back))
                *queued_at(q, left++) = r;
        }
        decoupled_close_gap(f, in, waiting, left);
        c.t.blocked += left;
    }
    if (c.routes)
        counts[FS_TRACER_EVENTS + (int)FS_ROUTER_STATISTICS] = c.sent;
    f->tile[tile].held += c.t.taken;
    f->sim->totals.hops_in += c.t.taken;
    f->sim->totals.hops_out += c.sent;
    return found(c.t.taken, c.t.blocked);
}

/* ---- generator ---- */

/* The pixel of the next ray. */
static void next_pixel(const fs_foam_decoupled *f, uint32_t *x, uint32_t *y) {
    const fs_foam_setup *s = &f->sim->setup;
    const uint32_t length = fs_line_length(s), i = f->made % length,
                   line = f->sim->generator.batch * s->per_batch + f->made / length;
    *x = s->order == FS_ORDER_ROWS ? i : line;
    *y = s->order == FS_ORDER_ROWS ? line : i;
}

/* Rays of the present batch. */
static uint32_t batch_size(const fs_foam_decoupled *f) {
    const fs_foam_setup *s = &f->sim->setup;
    const uint32_t left = fs_lines(s) - f->sim->generator.batch * s->per_batch;
    return fs_line_length(s) * (left < s->per_batch ? left : s->per_batch);
}

/* Makes the next ray unless its lane is full. */
static bool make_ray(fs_foam_decoupled *f, uint32_t tile) {
    fs_foam_simulation *sim = f->sim;
    uint32_t x, y;
    next_pixel(f, &x, &y);
    const uint32_t id = fs_rays_take(&sim->pool, 0);
    const fs_handle handle = fs_new_ray(sim, id, x, y);
    uint32_t lane = own_lane(f, tile, handle);
    if (f->ends[lane].room == 0) {
        fs_ray_free(&sim->pool.ray[id], UINT32_MAX); /* free from iteration 0 on: at once */
        sim->pool.in_flight--;
        sim->pool.cursor = id;
        return false;
    }
    f->tile[tile].turn++;
    f->times[id].born = f->now;
    fs_decoupled_inject(f->engine);
    decoupled_put(f, lane, handle, 0);
    f->made++;
    return true;
}

/* A call makes at most what is left of the present batch. Frames follow each other without a pause. */
uint32_t decoupled_generate(fs_foam_decoupled *f, uint32_t tile, uint32_t *counts) {
    fs_foam_simulation *sim = f->sim;
    fs_generator *g = &sim->generator;
    if (g->finished)
        return 0;
    uint32_t allowed = fs_decoupled_allowance(f->engine), size = batch_size(f), made = 0;
    while (made < allowed && f->made < size && make_ray(f, tile))
        made++;
    bool blocked = f->made < size;
    if (!blocked) {
        f->made = 0;
        fs_batch_ends(sim);
    }
    const uint32_t workers = sim->setup.generator_workers > 0 ? sim->setup.generator_workers : 1;
    for (uint32_t w = 0; w < workers; w++)
        counts[(size_t)w * FS_MAX_EVENTS + FS_GENERATOR_RAY] = fs_share(made, workers, w);
    g->generated += made;
    sim->totals.generated += made;
    sim->totals.hops_out += made;
    return (made > 0 ? (uint32_t)FS_CALL_BEGUN : 0) | (blocked ? (uint32_t)FS_CALL_BLOCKED : 0);
}
