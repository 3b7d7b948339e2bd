/* Rays without a scene on an overlay: sources, queues, routers, arrivals. */
#include "workloads/traffic/rays.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ROOM = 16,       /* rays that a queue has room for once it is used */
    TILES_AT_A_TIME = 16,  /* that a thread takes from the list */
    WORTH_THREADS = 20000, /* rays in flight under which one thread is faster than waking others */
    KILO = 1000,
};

/* Measured rays that were delivered: what they took in cycles is known when the clock is (fs_traffic_clock). */
typedef struct sunk_rays {
    uint64_t count;
    fs_dist iterations, hops;
    uint32_t *
        *lives; /* [iterations][room], on the heap: rays delivered in it, by the iterations that they lived */
    uint32_t *room; /* [iterations] */
} sunk_rays;

struct fs_traffic_rays {
    fs_traffic_setup setup;
    const fs_overlay *overlay;
    fs_traffic_lane *lanes; /* [lanes] */
    fs_traffic_tile *tiles; /* [tiles] */
    uint32_t *active;       /* [active_count] */
    uint32_t active_count;
    uint64_t *level_rays; /* [levels + 2] of this iteration */
    uint32_t *moved;      /* [lanes] bytes */
    sunk_rays *sunk;      /* [threads] */
    uint32_t threads;
    uint64_t *start; /* [iterations + 1] cycle in which an iteration begins, counted from iteration 0 */
    uint32_t iteration;
    double offered; /* rays of a source in this iteration */
    fs_traffic_step step;
    fs_traffic_totals totals;
};

/* ---- elaboration ---- */

static uint32_t iterations_of(const fs_traffic_setup *s) {
    return s->warmup + s->measure + s->drain;
}

fs_traffic_rays *fs_traffic_rays_create(fs_arena *arena, const fs_traffic_setup *setup) {
    fs_traffic_rays *n = FS_NEW(arena, fs_traffic_rays, 1);
    const fs_overlay *o = setup->overlay;
    n->setup = *setup;
    n->overlay = o;
    n->lanes = FS_NEW(arena, fs_traffic_lane, o->lane_count);
    n->tiles = FS_NEW(arena, fs_traffic_tile, o->tiles);
    n->active = FS_NEW(arena, uint32_t, o->tiles);
    n->level_rays = FS_NEW(arena, uint64_t, o->levels + 2);
    n->moved = FS_NEW(arena, uint32_t, o->lane_count);
    n->threads = (uint32_t)omp_get_max_threads();
    n->sunk = FS_NEW(arena, sunk_rays, n->threads);
    for (uint32_t i = 0; i < n->threads; i++) {
        n->sunk[i].lives = FS_NEW(arena, uint32_t *, iterations_of(setup));
        n->sunk[i].room = FS_NEW(arena, uint32_t, iterations_of(setup));
    }
    n->start = FS_NEW(arena, uint64_t, (size_t)iterations_of(setup) + 1);
    for (uint32_t l = 0; l < o->lane_count; l++)
        n->lanes[l].slots = setup->slots[l];
    for (uint32_t t = 0; t < o->tracers; t++)
        n->tiles[o->tracer_tile[t]].rng =
            fs_rng_sub(fs_rng_stream(setup->seed, "workload/traffic/source"), t);
    return n;
}

void fs_traffic_rays_free(fs_traffic_rays *n) {
    for (uint32_t l = 0; n != NULL && l < n->overlay->lane_count; l++) {
        free(n->lanes[l].queue);
        free(n->lanes[l].in);
    }
    for (uint32_t i = 0; n != NULL && i < n->threads; i++)
        for (uint32_t k = 0; k < iterations_of(&n->setup); k++)
            free(n->sunk[i].lives[k]);
}

/* ---- compute ---- */

static void make_room(fs_traffic_lane *lane) {
    if (lane->head > 0 && lane->head >= lane->count) {
        memcpy(lane->queue, lane->queue + lane->head, lane->count * sizeof *lane->queue);
    } else {
        uint32_t room = lane->room ? 2 * lane->room : LEAST_ROOM;
        fs_traffic_ray *queue = fs_malloc(room * sizeof *queue);
        if (lane->count > 0)
            memcpy(queue, lane->queue + lane->head, lane->count * sizeof *queue);
        free(lane->queue);
        lane->queue = queue;
        lane->room = room;
    }
    lane->head = 0;
}

static void push(fs_traffic_lane *lane, const fs_traffic_ray *ray) {
    if (lane->head + lane->count == lane->room)
        make_room(lane);
    lane->queue[lane->head + lane->count++] = *ray;
    lane->fresh++;
}

/* One of `choices` lanes from `first` on. A ray's tag picks anew on each level: else half of a wide level
 * would stay empty, because what went left below goes left above. */
static uint32_t choose(fs_traffic_rays *n, uint32_t tile, uint32_t first, uint32_t choices, uint32_t tag) {
    if (n->overlay->dispatch == FS_DISPATCH_HASH) {
        fs_rng pick = fs_rng_sub((fs_rng){.key = tag}, n->overlay->level[tile]);
        return first + fs_rng_below(&pick, choices);
    }
    if (n->overlay->dispatch == FS_DISPATCH_ROUND_ROBIN)
        return first + n->lanes[first].turn++ % choices;
    uint32_t best = first;
    for (uint32_t l = first + 1; l < first + choices; l++)
        if (n->lanes[l].fresh < n->lanes[best].fresh)
            best = l;
    return best;
}

/* Queues a ray for its next lane; lanes are sorted by (source, port), so choices are neighbours. */
static void send(fs_traffic_rays *n, uint32_t tile, const fs_traffic_ray *ray) {
    const fs_overlay *o = n->overlay;
    uint32_t first = o->out_start[tile], choices = fs_overlay_out_degree(o, tile);
    if (o->route_start[tile] >= 0) {
        first += o->route[o->route_start[tile] + ray->dst];
        choices = o->lanes[first].choices;
    }
    push(&n->lanes[choices > 1 ? choose(n, tile, first, choices, ray->tag) : first], ray);
    n->tiles[tile].queued++;
}

static bool measured(const fs_traffic_rays *n, uint32_t birth) {
    return birth >= n->setup.warmup && birth - n->setup.warmup < n->setup.measure;
}

static void sink(sunk_rays *sunk, uint32_t iteration, uint32_t life, uint32_t hops) {
    uint32_t **lives = &sunk->lives[iteration], *room = &sunk->room[iteration];
    if (life >= *room) {
        const uint32_t more = 2 * (life + 1);
        *lives = fs_realloc(*lives, more * sizeof **lives);
        memset(*lives + *room, 0, (more - *room) * sizeof **lives);
        *room = more;
    }
    (*lives)[life]++;
    sunk->count++;
    fs_dist_add(&sunk->iterations, life);
    fs_dist_add(&sunk->hops, hops);
}

static void deliver(fs_traffic_rays *n, uint32_t tile, const fs_traffic_ray *ray, sunk_rays *sunk) {
    n->tiles[tile].delivered++;
    if (measured(n, ray->birth))
        sink(sunk, n->iteration, n->iteration - ray->birth, ray->hops);
    if (n->setup.delivered != NULL)
        n->setup.delivered(n->setup.self, ray, n->iteration);
}

static void take_in(fs_traffic_rays *n, uint32_t tile, sunk_rays *sunk) {
    const fs_overlay *o = n->overlay;
    const uint32_t own = o->tracer_of_tile[tile];
    for (uint32_t p = o->in_start[tile]; p < o->in_start[tile + 1]; p++) {
        fs_traffic_lane *lane = &n->lanes[o->in_lane[p]];
        for (uint32_t i = 0; i < lane->in_count; i++) {
            fs_traffic_ray *ray = &lane->in[i];
            ray->hops++;
            if (ray->dst == own)
                deliver(n, tile, ray, sunk);
            else
                send(n, tile, ray);
        }
        n->tiles[tile].held += lane->in_count;
        lane->in_count = 0;
    }
}

/* A source's new rays: the whole part of what is offered, and a coin for the fraction. left: rays on its tile
 * that the last exchange did not move. */
static void make_rays(fs_traffic_rays *n, uint32_t tile, uint64_t left) {
    fs_traffic_tile *t = &n->tiles[tile];
    uint64_t whole = (uint64_t)n->offered;
    uint64_t wanted = whole + (fs_rng_unit(&t->rng) < n->offered - (double)whole);
    uint64_t may = left < n->setup.burst ? n->setup.burst - left : 0, made = 0;
    fs_traffic_ray ray = {.src = n->overlay->tracer_of_tile[tile], .birth = n->iteration};
    for (; made < wanted && made < may; made++) {
        ray.dst = fs_pattern_draw(n->setup.pattern, ray.src, &t->rng);
        if (ray.dst == FS_NO_TRACER)
            return;
        ray.tag = (uint32_t)fs_rng_u64(&t->rng);
        send(n, tile, &ray);
    }
    t->made = (uint32_t)made;
    t->refused = wanted - made;
    t->held += t->made;
}

static void run_tile(fs_traffic_rays *n, uint32_t tile, bool making, sunk_rays *sunk) {
    fs_traffic_tile *t = &n->tiles[tile];
    const fs_overlay *o = n->overlay;
    const uint64_t left = t->queued;
    if (t->held > 0) /* what it did in the last iteration */
        for (uint32_t l = o->out_start[tile]; l < o->out_start[tile + 1]; l++)
            n->lanes[l].fresh = n->lanes[l].turn = 0;
    t->held = t->made = t->delivered = 0;
    t->refused = 0;
    if (t->coming > 0)
        take_in(n, tile, sunk);
    t->coming = 0;
    if (making && o->role[tile] == FS_ROLE_TRACER)
        make_rays(n, tile, left);
}

/* Adds up what the tiles did, in tile order, and lists those that handled rays. */
static void sum_up(fs_traffic_rays *n) {
    fs_traffic_step *s = &n->step;
    fs_traffic_totals *totals = &n->totals;
    *s = (fs_traffic_step){0};
    n->active_count = 0;
    memset(n->level_rays, 0, (n->overlay->levels + 2) * sizeof *n->level_rays);
    for (uint32_t tile = 0; tile < n->overlay->tiles; tile++) {
        fs_traffic_tile *t = &n->tiles[tile];
        s->refused += t->refused;
        if (t->held == 0)
            continue;
        n->active[n->active_count++] = tile;
        n->level_rays[n->overlay->level[tile]] += t->held;
        s->made += t->made;
        s->delivered += t->delivered;
        totals->hops += t->held - t->made;
        t->visits += t->held;
        t->sourced += t->made;
        t->sunk += t->delivered;
        t->peak = t->held > t->peak ? t->held : t->peak;
    }
    totals->made += s->made;
    totals->refused += s->refused;
    totals->delivered += s->delivered;
    totals->in_flight = totals->in_flight + s->made - s->delivered;
    totals->measured += measured(n, n->iteration) ? s->made : 0;
    s->in_flight = totals->in_flight;
}

fs_status fs_traffic_compute(fs_traffic_rays *n, uint64_t iteration, const uint32_t **active,
                             uint32_t *active_count, fs_error *err) {
    const fs_traffic_setup *s = &n->setup;
    n->iteration = (uint32_t)iteration;
    bool making = fs_traffic_part_of(n, iteration) != FS_PART_DRAIN;
    n->offered = s->rate;
    if (s->load > 0)
        n->offered =
            iteration == 0 ? 0 : s->load / KILO * (double)(n->start[iteration] - n->start[iteration - 1]);
#pragma omp parallel num_threads(n->threads) if (n->totals.in_flight >= WORTH_THREADS)
    {
        sunk_rays *sunk = &n->sunk[omp_get_thread_num()];
#pragma omp for schedule(dynamic, TILES_AT_A_TIME)
        for (uint32_t tile = 0; tile < n->overlay->tiles; tile++)
            run_tile(n, tile, making, sunk);
    }
    sum_up(n);
    *active = n->active;
    *active_count = n->active_count;
    if (n->totals.in_flight > s->max_rays)
        return fs_fail(err, FS_RUN,
                       "%llu rays in flight after %llu iterations, more than workload.max_rays = %llu: the "
                       "load is above what the network carries; lower load, rate or burst",
                       (unsigned long long)n->totals.in_flight, (unsigned long long)iteration + 1,
                       (unsigned long long)s->max_rays);
    return FS_OK;
}

/* ---- exchange ---- */

static void move(fs_traffic_lane *lane, uint32_t rays) {
    if (rays == lane->count && lane->head == 0) {
        fs_traffic_ray *in = lane->in;
        uint32_t room = lane->in_room;
        lane->in = lane->queue;
        lane->in_room = lane->room;
        lane->queue = in;
        lane->room = room;
    } else {
        if (lane->in_room < rays) {
            uint32_t room = lane->in_room ? lane->in_room : LEAST_ROOM;
            while (room < rays)
                room *= 2;
            free(lane->in);
            lane->in = fs_malloc(room * sizeof *lane->in);
            lane->in_room = room;
        }
        memcpy(lane->in, lane->queue + lane->head, rays * sizeof *lane->in);
        lane->head += rays;
    }
    lane->in_count = rays;
    lane->count -= rays;
    lane->head = lane->count == 0 ? 0 : lane->head;
}

static void note_load(fs_traffic_load *load, uint32_t rays, uint32_t left, uint32_t slots) {
    load->rays += rays;
    load->waiting += left;
    load->peak = rays > load->peak ? rays : load->peak;
    load->waiting_peak = left > load->waiting_peak ? left : load->waiting_peak;
    load->used += rays > 0;
    load->full += rays == slots;
    load->held_back += left > 0;
}

static void move_from(fs_traffic_rays *n, uint32_t tile, uint32_t payload_bytes) {
    const fs_overlay *o = n->overlay;
    fs_traffic_part part = fs_traffic_part_of(n, n->iteration);
    for (uint32_t l = o->out_start[tile]; l < o->out_start[tile + 1]; l++) {
        fs_traffic_lane *lane = &n->lanes[l];
        uint32_t rays = lane->count < lane->slots ? lane->count : lane->slots;
        if (rays == 0)
            continue;
        n->moved[l] = rays * payload_bytes;
        n->tiles[tile].queued -= rays;
        n->tiles[o->lanes[l].dst].coming += rays;
        move(lane, rays);
        n->step.waiting += lane->count;
        note_load(&lane->load[part], rays, lane->count, lane->slots);
    }
}

const uint32_t *fs_traffic_exchange(fs_traffic_rays *n, uint32_t payload_bytes) {
    memset(n->moved, 0, n->overlay->lane_count * sizeof *n->moved);
    for (uint32_t tile = 0; tile < n->overlay->tiles; tile++)
        if (n->tiles[tile].queued > 0)
            move_from(n, tile, payload_bytes);
    return n->moved;
}

void fs_traffic_clock(fs_traffic_rays *n, uint64_t iteration, uint64_t cycles) {
    n->start[iteration + 1] = n->start[iteration] + cycles;
}

bool fs_traffic_over(const fs_traffic_rays *n, uint64_t iteration) {
    uint64_t made = (uint64_t)n->setup.warmup + n->setup.measure;
    if (iteration + 1 < made)
        return false;
    return n->totals.in_flight == 0 || iteration + 1 == iterations_of(&n->setup);
}

/* ---- what others may look at ---- */

fs_traffic_part fs_traffic_part_of(const fs_traffic_rays *n, uint64_t iteration) {
    if (iteration < n->setup.warmup)
        return FS_PART_WARMUP;
    return iteration - n->setup.warmup < n->setup.measure ? FS_PART_MEASURE : FS_PART_DRAIN;
}
const fs_traffic_step *fs_traffic_step_of(const fs_traffic_rays *n) {
    return &n->step;
}
const uint64_t *fs_traffic_level_rays(const fs_traffic_rays *n) {
    return n->level_rays;
}
fs_traffic_totals fs_traffic_totals_of(const fs_traffic_rays *n) {
    fs_traffic_totals totals = n->totals;
    for (uint32_t i = 0; i < n->threads; i++)
        totals.measured_delivered += n->sunk[i].count;
    return totals;
}
const fs_traffic_tile *fs_traffic_tiles(const fs_traffic_rays *n) {
    return n->tiles;
}
const fs_traffic_lane *fs_traffic_lanes(const fs_traffic_rays *n) {
    return n->lanes;
}
void fs_traffic_latencies(const fs_traffic_rays *n, fs_latency *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < n->threads; i++) {
        const sunk_rays *s = &n->sunk[i];
        for (uint32_t k = 0; k < iterations_of(&n->setup); k++)
            for (uint32_t life = 0; life < s->room[k]; life++)
                if (s->lives[k][life] > 0)
                    fs_latency_add_cycles(out, n->start[k] - n->start[k - life], s->lives[k][life]);
        fs_dist_merge(&out->iterations, &s->iterations);
        fs_dist_merge(&out->hops, &s->hops);
    }
}

fs_status fs_traffic_check(const fs_traffic_rays *n, fs_error *err) {
    const fs_traffic_totals *t = &n->totals;
    uint64_t seen = 0, carried = 0;
    for (uint32_t l = 0; l < n->overlay->lane_count; l++) {
        seen += (uint64_t)n->lanes[l].count + n->lanes[l].in_count;
        carried -= n->lanes[l].in_count; /* moved, but nobody has taken them yet */
        for (int p = 0; p < FS_PART_COUNT; p++)
            carried += n->lanes[l].load[p].rays;
    }
    if (t->made != t->delivered + t->in_flight || t->in_flight != seen)
        return fs_fail(err, FS_BROKEN,
                       "rays: %llu made, but %llu delivered + %llu in flight, and %llu in queues and lanes",
                       (unsigned long long)t->made, (unsigned long long)t->delivered,
                       (unsigned long long)t->in_flight, (unsigned long long)seen);
    if (carried != t->hops)
        return fs_fail(err, FS_BROKEN, "hops: %llu rays left lanes, but %llu hops were counted",
                       (unsigned long long)carried, (unsigned long long)t->hops);
    return FS_OK;
}
