/* The kernels against the naive model (tests/support/foam/naive_foam.h) on random foams, machines and
 * settings: every event count of every worker in every iteration, what each tile holds, each lane's books,
 * every pixel's map and bits. */
#include "sim/base/alloc.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/foam/foam_case_overlay.h"
#include "tests/support/foam/naive_foam.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/test.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation.h"

#include <omp.h>

enum { WORLDS = 30, SETTINGS = 10 };

static uint64_t seed;

typedef struct world {
    fs_foam foam;
    fs_partition partition;
    fs_march_scene scene;
    fs_machine_params machine;
    fs_arena *arena;
} world;

/* One run of both, and the numbers that were drawn for it. */
typedef struct contest {
    uint32_t number;
    const world *world;
    fs_arena *arena;
    fs_case_overlay plan;
    fs_overlay overlay;
    fs_camera camera;
    uint32_t *capacity; /* [lanes] */
    uint32_t threads;
    fs_naive_config config;
    fs_naive_result naive;
    uint32_t *counts; /* [tiles][workers][FS_MAX_EVENTS] of the kernels, in this iteration */
    bool early;       /* the run was told that it never ends, before its limit */
    char words[640];  /* describes it in a failure */
} contest;

/* What the contests together have met with: a comparison of runs in which nothing spills proves little. */
static struct {
    uint64_t spilled, returned, backlog, dropped, passed, visits_between, limited, early, incomplete, streams,
        finished, replicas, infinite;
    uint64_t kinds[FS_CASE_KINDS][2]; /* runs, spills */
    uint64_t chosen[3];               /* runs with choices, by dispatch */
} met;

/* ---- drawing ---- */

static void begin_world(world *w, fs_rng *rng, uint32_t shards) {
    fs_error err = {0};
    memset(w, 0, sizeof *w);
    w->arena = fs_arena_create();
    fs_test_foam_options options = {.sites = (shards > 60 ? 80 : 60) +
                                             fs_rng_below(rng, fs_rng_below(rng, 2) ? 240 : 1440),
                                    .seed = fs_rng_u64(rng),
                                    .empty_share = 0.3 * fs_rng_below(rng, 3),
                                    .density_low = 0.1,
                                    .density_high = fs_rng_range(rng, 1, 30),
                                    .clusters = fs_rng_below(rng, 3)};
    assert_int_equal(fs_test_foam_make(&options, &w->foam), FS_OK);
    fs_partition_params cut = {.shards = shards};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &w->foam, &cut, w->arena, &w->partition, &err),
                     FS_OK);
    assert_int_equal(fs_march_scene_make(&w->foam, &w->partition, &w->scene, &err), FS_OK);
    fs_params_default(w->arena, &fs_machine_table, &w->machine);
    w->machine.geometry = (fs_geometry_params){4, 10, 4};
}

static void end_world(world *w) {
    fs_march_scene_free(&w->scene);
    fs_foam_free(&w->foam);
    fs_arena_free(w->arena);
}

static void draw_camera(contest *c, fs_rng *rng) {
    fs_camera_params view = {.width = 1 + fs_rng_below(rng, 16),
                             .height = 1 + fs_rng_below(rng, 14),
                             .up = {0, 0, 1},
                             .position_given = true,
                             .look_at_given = true,
                             .up_given = true,
                             .fov_y = fs_rng_range(rng, 15, 80)};
    for (uint32_t i = 0; i < 3; i++) {
        view.position[i] = fs_rng_range(rng, -1.8, 1.8);
        view.look_at[i] = fs_rng_range(rng, -0.4, 0.4);
    }
    fs_error err = {0};
    assert_int_equal(fs_camera_make(&view, "camera", &c->camera, &err), FS_OK);
}

/* One capacity for all lanes, or one for each pair of neighbours: then a router's lanes differ, but it has as
 * many slots going out as coming in. */
static void draw_capacities(contest *c, fs_rng *rng) {
    const fs_overlay *o = &c->overlay;
    c->capacity = fs_calloc(o->lane_count, sizeof *c->capacity);
    uint32_t most = fs_rng_below(rng, 2) ? 50 : 6;
    uint32_t all = fs_rng_below(rng, 2) ? 1 + fs_rng_below(rng, most) : 0;
    for (uint32_t a = 0; a < o->lane_count; a++)
        for (uint32_t b = 0; b <= a; b++)
            if (o->lanes[a].src == o->lanes[b].dst && o->lanes[a].dst == o->lanes[b].src)
                c->capacity[a] = c->capacity[b] = all ? all : 1 + fs_rng_below(rng, most);
}

/* Most rays that a tracer takes in. */
static uint32_t widest_tracer(const contest *c) {
    const fs_overlay *o = &c->overlay;
    uint32_t widest = 0;
    for (uint32_t i = 0; i < o->tracers; i++) {
        uint32_t tile = o->tracer_tile[i], rays = 0;
        for (uint32_t l = o->in_start[tile]; l < o->in_start[tile + 1]; l++)
            rays += c->capacity[o->in_lane[l]];
        widest = rays > widest ? rays : widest;
    }
    return widest;
}

static void draw_overlay(contest *c, const world *w, fs_rng *rng) {
    uint32_t ring = fs_rng_below(rng, 3) ? fs_rng_below(rng, 31) : 300;
    uint32_t camera = fs_march_nearest(&w->scene, &w->partition, c->camera.origin);
    c->plan = fs_case_overlay_random(rng, w->partition.shards);
    fs_case_overlay_plan(&c->plan, &w->machine, &w->partition, w->scene.cell[camera].shard, 20, ring,
                         c->arena, &c->overlay);
}

static void draw(contest *c, const world *w, uint32_t number, fs_rng *rng) {
    static const double coverages[] = {1.0, 1.0, 0.9995, 0.9, 0.5};
    static const uint32_t repeats[] = {1, 2, 7, 20, 33};
    memset(c, 0, sizeof *c);
    c->number = number;
    c->world = w;
    c->arena = fs_arena_create();
    c->threads = number % 20 == 19 ? 2 : 1; /* two threads on one busy core wait long for each other */
    draw_camera(c, rng);
    draw_overlay(c, w, rng);
    draw_capacities(c, rng);
    c->config = (fs_naive_config){.overlay = &c->overlay,
                                  .scene = &w->scene,
                                  .partition = &w->partition,
                                  .camera = &c->camera,
                                  .march = {.threshold = fs_rng_below(rng, 4) ? 0.01 : 0.2,
                                            .hull_opaque = fs_rng_below(rng, 4) == 0,
                                            .step_limit = 100000},
                                  .payload = &fs_payloads[fs_rng_below(rng, 4)],
                                  .workers = fs_rng_below(rng, 2) ? 6 : 1 + fs_rng_below(rng, 8),
                                  .lane_capacity = c->capacity,
                                  .infinite = fs_rng_below(rng, 6) == 0,
                                  .ring = c->overlay.generator_ring,
                                  .columns = fs_rng_below(rng, 2),
                                  .per_batch = 1 + fs_rng_below(rng, 4),
                                  .idle = fs_rng_below(rng, 2) ? fs_rng_below(rng, 30) : 0,
                                  .repeat = repeats[fs_rng_below(rng, 5)],
                                  .frames = 1 + fs_rng_below(rng, 3),
                                  .stream = fs_rng_below(rng, 3) == 0,
                                  .coverage = coverages[fs_rng_below(rng, 5)],
                                  .local_framebuffer = fs_rng_below(rng, 3) == 0,
                                  .max_iterations = fs_rng_below(rng, 10) ? 400 : 1 + fs_rng_below(rng, 60)};
    c->config.generator_workers = fs_rng_below(rng, 3) ? 1 : 1 + fs_rng_below(rng, c->config.workers);
    if (c->threads == 2 && c->config.max_iterations > 100)
        c->config.max_iterations = 100;
    c->config.local_records = widest_tracer(c) + fs_rng_below(rng, 40);
    const fs_naive_config *n = &c->config;
    snprintf(c->words, sizeof c->words,
             "seed %" PRIu64 ", run %u: %s, dispatch %s, %u tracers of %u shards,%s %u cells, %ux%u pixels, "
             "payload %s, %u workers, %u threads, ring %u, "
             "%u %s a batch, idle %u, repeat %u, frames %u%s, coverage %g, %s framebuffer of %u, at most %u "
             "iterations",
             seed, number, fs_case_kind_names[c->plan.kind], fs_dispatch_names[c->overlay.dispatch],
             c->overlay.tracers, c->overlay.shards, n->infinite ? " infinite buffers," : "", w->foam.sites,
             c->camera.width, c->camera.height, n->payload->name, n->workers, c->threads, n->ring,
             n->per_batch, n->columns ? "columns" : "rows", n->idle, n->repeat, n->frames,
             n->stream ? " of a stream" : "", n->coverage, n->local_framebuffer ? "local" : "screen",
             n->local_records, n->max_iterations);
}

/* ---- comparing ---- */

static void equal(const contest *c, uint64_t kernels, uint64_t naive, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void equal(const contest *c, uint64_t kernels, uint64_t naive, const char *format, ...) {
    if (kernels == naive)
        return;
    char what[256];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    fail_msg("%s: kernels %" PRIu64 ", naive model %" PRIu64 " (%s)", what, kernels, naive, c->words);
}

static uint32_t *counts_of(void *self, uint32_t tile) {
    contest *c = self;
    return &c->counts[(size_t)tile * c->config.workers * FS_MAX_EVENTS];
}

static void tile_done(void *self, uint32_t tile) {
    (void)self;
    (void)tile;
}

/* Which counts of a program make up a named event of the rules; the router counts what it skips once in each
 * pass. */
typedef struct pair {
    const char *name;
    int event, also; /* -1: none */
} pair;
static const pair tracer_pairs[] = {{"slot", FS_TRACER_SLOT, -1},
                                    {"pass", FS_TRACER_PASS, -1},
                                    {"pixel", FS_TRACER_PIXEL, -1},
                                    {"setup", FS_TRACER_SETUP, -1},
                                    {"cell", FS_TRACER_CELL, -1},
                                    {"face", FS_TRACER_FACE, -1},
                                    {"front", FS_TRACER_FRONT, -1},
                                    {"nearest", FS_TRACER_NEAREST, -1},
                                    {"depth", FS_TRACER_DEPTH, -1},
                                    {"cross", FS_TRACER_CROSS, -1},
                                    {"finish", FS_TRACER_FINISH, -1},
                                    {"wipe", FS_TRACER_WIPE, -1},
                                    {NULL, 0, 0}};
static const pair router_pairs[] = {{"count", FS_ROUTER_COUNT, -1},
                                    {"skip", FS_ROUTER_SKIP_COUNT, FS_ROUTER_SKIP_FORWARD},
                                    {"forward", FS_ROUTER_FORWARD, -1},
                                    {"spill", FS_ROUTER_SPILL, -1},
                                    {"wipe", FS_ROUTER_WIPE, -1},
                                    {"statistics", FS_ROUTER_STATISTICS, -1},
                                    {NULL, 0, 0}};
static const pair generator_pairs[] = {{"backlog", FS_GENERATOR_BACKLOG, -1},
                                       {"spill", FS_GENERATOR_SPILL, -1},
                                       {"ray", FS_GENERATOR_RAY, -1},
                                       {"wipe", FS_GENERATOR_WIPE, -1},
                                       {NULL, 0, 0}};
#define ROUTED(event) (FS_TRACER_EVENTS + (int)(event))
static const pair routing_pairs[] = {{"slot", FS_TRACER_SLOT, -1},
                                     {"pixel", FS_TRACER_PIXEL, -1},
                                     {"setup", FS_TRACER_SETUP, -1},
                                     {"cell", FS_TRACER_CELL, -1},
                                     {"face", FS_TRACER_FACE, -1},
                                     {"front", FS_TRACER_FRONT, -1},
                                     {"nearest", FS_TRACER_NEAREST, -1},
                                     {"depth", FS_TRACER_DEPTH, -1},
                                     {"cross", FS_TRACER_CROSS, -1},
                                     {"finish", FS_TRACER_FINISH, -1},
                                     {"count", ROUTED(FS_ROUTER_COUNT), -1},
                                     {"skip", ROUTED(FS_ROUTER_SKIP_COUNT), ROUTED(FS_ROUTER_SKIP_FORWARD)},
                                     {"forward", ROUTED(FS_ROUTER_FORWARD), -1},
                                     {"spill", ROUTED(FS_ROUTER_SPILL), -1},
                                     {"wipe", ROUTED(FS_ROUTER_WIPE), -1},
                                     {"statistics", ROUTED(FS_ROUTER_STATISTICS), -1},
                                     {NULL, 0, 0}};
static const pair *const pairs[FS_ROLE_COUNT] = {
    [FS_ROLE_TRACER] = tracer_pairs, [FS_ROLE_ROUTER] = router_pairs, [FS_ROLE_GENERATOR] = generator_pairs};

static void compare_worker(const contest *c, uint32_t k, uint32_t tile, uint32_t worker,
                           const uint32_t *counts) {
    uint8_t role = c->overlay.role[tile];
    uint64_t known = 0, all = 0;
    const bool routes = role == FS_ROLE_TRACER && c->overlay.route_start[tile] >= 0;
    for (const pair *p = routes ? routing_pairs : pairs[role]; p->name; p++) {
        uint32_t is = counts[p->event] + (p->also < 0 ? 0 : counts[p->also]);
        equal(c, is, fs_naive_event(&c->config, &c->naive, k, tile, worker, p->name),
              "iteration %u, %s tile %u, worker %u: %s", k, fs_role_names[role], tile, worker, p->name);
        if (p->also >= 0)
            equal(c, counts[p->event], counts[p->also], "iteration %u, tile %u, worker %u: %s in both passes",
                  k, tile, worker, p->name);
        known += is;
    }
    for (uint32_t e = 0; e < FS_MAX_EVENTS; e++)
        all += counts[e];
    equal(c, all, known, "iteration %u, %s tile %u, worker %u: events without a rule", k, fs_role_names[role],
          tile, worker);
}

static void compare_step(const contest *c, const fs_foam_simulation *sim, uint32_t k) {
    const fs_foam_step *is = fs_foam_simulation_step(sim);
    const fs_naive_iteration *want = &c->naive.iteration[k];
    const uint32_t *held = fs_foam_simulation_held(sim);
    uint64_t by_level[FS_MAX_LEVELS] = {0};
    equal(c, is->generated, want->generated, "iteration %u: generated", k);
    equal(c, is->finished, want->finished, "iteration %u: finished", k);
    equal(c, is->dropped, want->dropped, "iteration %u: dropped", k);
    equal(c, 0, want->lost, "iteration %u: lost at a router", k);
    equal(c, is->spilled, want->spilled, "iteration %u: spilled", k);
    equal(c, is->misrouted, want->misrouted, "iteration %u: misrouted", k);
    equal(c, is->in_flight, want->in_flight, "iteration %u: in flight", k);
    equal(c, is->backlog, want->backlog, "iteration %u: backlog", k);
    equal(c, is->injecting, want->injecting, "iteration %u: injecting", k);
    for (uint32_t tile = 0; tile < c->overlay.tiles; tile++) {
        uint32_t naive = c->naive.held[(size_t)k * c->naive.tiles + tile];
        equal(c, held[tile], naive, "iteration %u, tile %u: rays held", k, tile);
        by_level[c->overlay.level[tile]] += naive;
    }
    for (uint32_t level = 0; level <= c->overlay.levels + 1; level++)
        equal(c, is->rays[level], by_level[level], "iteration %u, level %u: rays", k, level);
    for (uint32_t level = 0; level < FS_MAX_LEVELS; level++) {
        equal(c, is->spilled_at[level], want->spilled_at[level], "iteration %u, level %u: spilled", k, level);
        equal(c, is->misrouted_at[level], want->misrouted_at[level], "iteration %u, level %u: misrouted", k,
              level);
    }
}

/* An iteration of the kernels, compared. True while the run goes on. */
static bool iterate(contest *c, fs_foam_simulation *sim, const fs_count_sink *sink, uint32_t k) {
    const uint32_t *active, *bytes;
    uint32_t active_count;
    memset(c->counts, 0, sizeof *c->counts * c->overlay.tiles * c->config.workers * FS_MAX_EVENTS);
    fs_foam_simulation_compute(sim, k, sink, &active, &active_count);
    for (uint32_t i = 1; i < active_count; i++)
        assert_true(active[i - 1] < active[i]);
    fs_foam_simulation_exchange(sim, &bytes);
    fs_foam_visit visit = {0};
    fs_error err = {0};
    fs_status status = fs_foam_simulation_decide(sim, k, &visit, &err);
    bool last = k + 1 == c->naive.iterations;
    for (uint32_t tile = 0; tile < c->overlay.tiles; tile++)
        for (uint32_t w = 0; c->overlay.role[tile] != FS_ROLE_SPARE && w < c->config.workers; w++)
            compare_worker(c, k, tile, w, counts_of(c, tile) + (size_t)w * FS_MAX_EVENTS);
    compare_step(c, sim, k);
    if (status == FS_RUN && !last) {
        c->early = true;
        return false;
    }
    equal(c, status, last && c->naive.limited ? FS_RUN : FS_OK, "iteration %u: status", k);
    if (status == FS_OK) {
        equal(c, visit.visit, c->naive.iteration[k].visit, "iteration %u: host visit", k);
        equal(c, visit.stop, last, "iteration %u: end", k);
    }
    return !last;
}

static uint32_t bits(float x) {
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static void compare_pixel(const contest *c, const fs_framebuffer *fb, uint32_t p) {
    const fs_naive_pixel *want = &c->naive.pixel[p];
    const fs_pixel_hops *is = &fb->hops[p];
    equal(c, fb->newest[p] >= 0, c->naive.painted[p], "pixel %u: written", p);
    if (c->naive.painted[p]) {
        for (uint32_t i = 0; i < 3; i++)
            equal(c, bits(fb->rgb[3 * p + i]), bits(c->naive.rgb[3 * p + i]), "pixel %u: bits of channel %u",
                  p, i);
        equal(c, bits(fb->depth[p]), bits(c->naive.depth[p]), "pixel %u: bits of depth", p);
    }
    if (want->written) {
        equal(c, (uint64_t)is->tracer_visits, want->tracer_visits, "pixel %u: tracer visits", p);
        equal(c, (uint64_t)is->router_visits, want->router_visits, "pixel %u: router visits", p);
        equal(c, (uint64_t)is->misrouted, want->misrouted, "pixel %u: misrouted visits", p);
        equal(c, (uint64_t)is->delivery_hops, want->delivery_hops, "pixel %u: delivery hops", p);
        equal(c, (uint64_t)is->alive, want->alive, "pixel %u: alive", p);
        equal(c, (uint64_t)is->waiting, want->waiting, "pixel %u: waiting", p);
    } else {
        equal(c,
              is->tracer_visits == -1 && is->router_visits == -1 && is->misrouted == -1 &&
                  is->delivery_hops == -1 && is->alive == -1 && is->waiting == -1,
              true, "pixel %u: all -1", p);
    }
}

static void compare_end(const contest *c, const fs_foam_simulation *sim) {
    const fs_naive_totals *want = &c->naive.total;
    fs_foam_totals is = fs_foam_simulation_totals(sim);
    equal(c, is.generated, want->generated, "generated");
    equal(c, is.finished, want->finished, "finished");
    equal(c, is.dropped, want->dropped, "dropped");
    equal(c, is.in_flight, want->in_flight, "in flight");
    equal(c, is.spilled, want->spilled, "spilled");
    equal(c, is.misrouted, want->misrouted, "misrouted");
    equal(c, is.cells, want->cells, "cells");
    equal(c, is.faces, want->faces, "faces");
    equal(c, fs_foam_simulation_complete(sim), c->naive.complete, "complete");
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(sim);
    for (uint32_t p = 0; p < c->naive.pixels; p++)
        compare_pixel(c, fb, p);
    for (uint32_t f = 0; f < c->naive.frames; f++) {
        const fs_naive_frame *frame = &c->naive.frame[f];
        equal(c, fb->written[f], frame->written, "frame %u: pixels written", f);
        equal(c, fb->last_pixel[f], frame->whole ? frame->last_pixel : UINT64_MAX, "frame %u: last pixel", f);
        equal(c, fb->done[f], frame->done ? frame->done_after : UINT64_MAX, "frame %u: done", f);
    }
    const fs_lane_state *lane = fs_foam_simulation_lanes(sim);
    uint64_t moved = 0;
    for (uint32_t l = 0; l < c->naive.lanes; l++) {
        moved += c->naive.lane[l].rays;
        equal(c, lane[l].rays, c->naive.lane[l].rays, "lane %u: rays", l);
        equal(c, lane[l].spilled, c->naive.lane[l].spilled, "lane %u: spilled", l);
        equal(c, lane[l].turned_away, c->naive.lane[l].turned_away, "lane %u: turned away", l);
        equal(c, lane[l].stalled, c->naive.lane[l].stalled, "lane %u: stalled", l);
        equal(c, lane[l].used, c->naive.lane[l].used, "lane %u: used", l);
        equal(c, lane[l].peak, c->naive.lane[l].peak, "lane %u: peak", l);
        equal(c, lane[l].full, c->naive.lane[l].full_iterations, "lane %u: full iterations", l);
    }
    equal(c, is.hops_out, moved, "hops out");
    fs_error err = {0};
    if (fs_foam_simulation_check(sim, &err))
        fail_msg("%s (%s)", err.text, c->words);
}

/* A run that was told early that it never ends: the plain model, which goes on to the limit, does not end,
 * and writes no pixel more. */
static void compare_early(const contest *c, const fs_foam_simulation *sim) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(sim);
    equal(c, c->naive.limited, true, "told early: cut short");
    for (uint32_t p = 0; p < c->naive.pixels; p++)
        equal(c, fb->newest[p] >= 0, c->naive.painted[p], "told early: pixel %u: written", p);
    for (uint32_t f = 0; f < c->naive.frames; f++) {
        equal(c, fb->written[f], c->naive.frame[f].written, "told early: frame %u: pixels written", f);
        equal(c, fb->done[f], c->naive.frame[f].done ? c->naive.frame[f].done_after : UINT64_MAX,
              "told early: frame %u: done", f);
    }
    met.early++;
}

static void note_what_was_met(const contest *c) {
    met.spilled += c->naive.total.spilled;
    met.dropped += c->naive.total.dropped;
    met.finished += c->naive.total.finished;
    met.limited += c->naive.limited;
    met.incomplete += !c->naive.complete && !c->naive.limited;
    met.streams += c->config.stream;
    met.infinite += c->config.infinite;
    met.replicas += c->overlay.tracers > c->overlay.shards;
    met.kinds[c->plan.kind][0]++;
    met.kinds[c->plan.kind][1] += c->naive.total.spilled;
    for (uint32_t l = 0; l < c->overlay.lane_count; l++)
        if (c->overlay.lanes[l].choices > 1) {
            met.chosen[c->overlay.dispatch]++;
            break;
        }
    for (uint32_t k = 0; k < c->naive.iterations; k++) {
        met.returned += fs_naive_event(&c->config, &c->naive, k, c->overlay.generator_tile, 0, "spill");
        met.backlog += fs_naive_event(&c->config, &c->naive, k, c->overlay.generator_tile, 0, "backlog");
        met.visits_between += c->naive.iteration[k].visit && (k + 1) % c->config.repeat != 0;
        for (uint32_t s = 0; s < c->overlay.tracers; s++)
            met.passed += fs_naive_event(&c->config, &c->naive, k, c->overlay.tracer_tile[s], 0, "pass");
    }
}

static void fight(contest *c) {
    const fs_naive_config *n = &c->config;
    fs_foam_setup setup = {.overlay = n->overlay,
                           .scene = n->scene,
                           .partition = n->partition,
                           .camera = n->camera,
                           .cameras = 1,
                           .march = n->march,
                           .payload = n->payload,
                           .lane_capacity = n->lane_capacity,
                           .infinite_buffers = n->infinite,
                           .generator_workers = n->generator_workers,
                           .workers = n->workers,
                           .plain = c->number % 4 == 3, /* else in one pass and with vectors, where they do */
                           .order = n->columns ? FS_ORDER_COLUMNS : FS_ORDER_ROWS,
                           .per_batch = n->per_batch,
                           .idle = n->idle,
                           .frames = n->frames,
                           .stream = n->stream,
                           .coverage = n->coverage,
                           .repeat = n->repeat,
                           .max_iterations = n->max_iterations,
                           .local_framebuffer = n->local_framebuffer,
                           .local_records = n->local_records,
                           .change_iteration = UINT64_MAX,
                           .change_policy = FS_CHANGE_IMMEDIATE};
    fs_count_sink sink = {.self = c, .counts = counts_of, .done = tile_done};
    fs_arena *arena = fs_arena_create();
    fs_error err = {0};
    omp_set_num_threads((int)c->threads);
    fs_naive_run(n, &c->naive);
    fs_foam_simulation *sim = fs_foam_simulation_create(arena, &setup, &err);
    if (!sim)
        fail_msg("%s (%s)", err.text, c->words);
    c->counts = fs_calloc((size_t)c->overlay.tiles * n->workers * FS_MAX_EVENTS, sizeof *c->counts);
    for (uint32_t k = 0; iterate(c, sim, &sink, k); k++)
        continue;
    if (c->early)
        compare_early(c, sim);
    else
        compare_end(c, sim);
    note_what_was_met(c);
    free(c->counts);
    free(c->capacity);
    fs_arena_free(c->arena);
    fs_naive_free(&c->naive);
    fs_arena_free(arena);
}

TEST(kernels_do_what_the_rules_say) {
    static const uint32_t shards[] = {4, 16, 64};
    for (uint32_t i = 0; i < WORLDS; i++) {
        fs_rng rng = fs_rng_sub(fs_rng_stream(seed, "test/kernels"), i);
        world w;
        begin_world(&w, &rng, shards[i % 3]);
        for (uint32_t j = 0; j < SETTINGS; j++) {
            contest c;
            draw(&c, &w, i * SETTINGS + j, &rng);
            fight(&c);
        }
        end_world(&w);
    }
    printf("seed %" PRIu64 ", %d runs: %" PRIu64 " rays finished, %" PRIu64 " dropped, %" PRIu64
           " spilled, %" PRIu64 " of them back at the generator, %" PRIu64 " passed on by tracers, %" PRIu64
           " through the ring; %" PRIu64 " host visits for a full buffer; %" PRIu64
           " runs cut short, %" PRIu64 " ended incomplete, %" PRIu64 " streams\n",
           seed, WORLDS * SETTINGS, met.finished, met.dropped, met.spilled, met.returned, met.passed,
           met.backlog, met.visits_between, met.limited, met.incomplete, met.streams);
    for (int kind = 0; kind < FS_CASE_KINDS; kind++) {
        printf("%s: %" PRIu64 " runs, %" PRIu64 " spills\n", fs_case_kind_names[kind], met.kinds[kind][0],
               met.kinds[kind][1]);
        assert_true(met.kinds[kind][0] > 20 && met.kinds[kind][1] > 100);
    }
    printf("runs with choices by hash %" PRIu64 ", in turn %" PRIu64 ", by occupancy %" PRIu64
           "; with replicas %" PRIu64 ", with infinite buffers %" PRIu64 "\n",
           met.chosen[0], met.chosen[1], met.chosen[2], met.replicas, met.infinite);
    assert_true(met.chosen[0] > 5 && met.chosen[1] > 5 && met.chosen[2] > 5);
    assert_true(met.replicas > 20 && met.infinite > 20);
    assert_true(met.finished > 10000 && met.spilled > 10000 && met.returned > 1000 && met.passed > 1000);
    assert_true(met.dropped > 1000 && met.backlog > 1000 && met.visits_between > 10);
    printf("runs that were told early that they never end: %" PRIu64 "\n", met.early);
    assert_true(met.early > 5);
    assert_true(met.limited > 5 && met.incomplete > 5 && met.streams > 50);
}

int main(void) {
    seed = test_seed(20240817);
    return test_run(NULL, NULL);
}
