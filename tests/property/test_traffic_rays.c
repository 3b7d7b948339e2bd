/* The rays of the traffic workload by themselves, over random overlays, patterns and buffers: none is lost or
 * made up, each goes the way of the routes to where it wanted, alone in as many iterations as that has lanes;
 * lanes never move more than they hold; sources and patterns offer what they should. */
#include "models/overlay/overlay.h"
#include "registry/registry.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/traffic/books.h"
#include "workloads/traffic/rays.h"

#include <omp.h>

static const fs_machine_params gc200 = {
    .name = "gc200", .geometry = {16, 23, 4}, .memory = {.sram = 638976, .reserved = 1104}};

/* ---- a random network ---- */

typedef struct world {
    fs_arena *arena;
    fs_overlay overlay;
    fs_pattern pattern;
    uint32_t *slots;
    fs_traffic_setup setup;
    fs_traffic_rays *rays;
    uint64_t *sent, *received; /* [tracers] as the rays themselves say */
    bool unbounded;
    uint32_t longest;
} world;

static const fs_overlay_kind *overlay_named(const char *name) {
    size_t k = 0;
    while (strcmp(fs_overlay_kinds[k]->name, name) != 0)
        k++;
    return fs_overlay_kinds[k];
}

static void draw_overlay(world *w, fs_rng *rng) {
    static const char *const kinds[] = {"quadtree", "tree", "mesh", "fat_tree"};
    static const uint32_t powers[] = {4, 16, 64, 256};
    uint32_t k = fs_rng_below(rng, 4), entry = 0;
    uint32_t shards = k == 1 || k == 2 ? 3 + fs_rng_below(rng, 120) : powers[fs_rng_below(rng, 4)];
    const fs_overlay_kind *kind = overlay_named(kinds[k]);
    void *params = fs_arena_alloc(w->arena, 1, kind->table->size);
    uint64_t *left = FS_NEW(w->arena, uint64_t, shards);
    for (uint32_t s = 0; s < shards; s++)
        left[s] = 400000;
    fs_params_default(w->arena, kind->table, params);
    fs_overlay_site site = {.machine = &gc200,
                            .shards = shards,
                            .payload_bytes = 20,
                            .free_tracer = left,
                            .free_router = 600000,
                            .free_generator = 600000,
                            .neighbour_start = FS_NEW(w->arena, uint32_t, (size_t)shards + 1),
                            .neighbour = &entry,
                            .entry = &entry,
                            .entries = 1};
    fs_error err = {0};
    if (kind->plan(params, &site, w->arena, &w->overlay, &err) || fs_overlay_check(&w->overlay, &err))
        fail_msg("%s of %u: %s", kinds[k], shards, err.text);
    w->overlay.dispatch = (fs_dispatch)fs_rng_below(rng, 3);
    uint32_t twice = fs_rng_below(rng, shards);
    if (k == 1 && fs_rng_below(rng, 2) && fs_overlay_replicate(&w->overlay, &twice, 1, 2, w->arena, &err))
        fail_msg("%s", err.text);
}

static void draw_pattern(world *w, fs_rng *rng) {
    uint32_t n = w->overlay.tracers, hots = 1 + fs_rng_below(rng, 2), *hot = FS_NEW(w->arena, uint32_t, hots);
    fs_pattern_kind kind = (fs_pattern_kind)fs_rng_below(rng, FS_PATTERN_TRANSPOSE + 1);
    fs_error err = {0};
    for (uint32_t h = 0; h < hots; h++)
        hot[h] = (fs_rng_below(rng, n / 2) + h * n / 2) % n;
    if (fs_pattern_make(kind, n, hot, hots, fs_rng_unit(rng), "here", w->arena, &w->pattern, &err) == FS_OK)
        return;
    assert_int_equal(kind, FS_PATTERN_TRANSPOSE); /* not every number is a square */
    assert_int_equal(err.status, FS_INPUT);
    assert_int_equal(
        fs_pattern_make(FS_PATTERN_UNIFORM, n, NULL, 0, 0, "here", w->arena, &w->pattern, &(fs_error){0}),
        FS_OK);
}

/* Every ray that arrives: at the tracer it wanted, over as many lanes as the routes have. */
static void arrives(void *self, const fs_traffic_ray *ray, uint32_t iteration) {
    world *w = self;
    uint32_t hops = fs_overlay_distance(&w->overlay, ray->src, ray->dst);
    assert_int_equal(ray->hops, hops);
    assert_true(iteration - ray->birth >= hops);
    assert_true(!w->unbounded || iteration - ray->birth == hops);
    assert_true(fs_pattern_share(&w->pattern, ray->src, ray->dst) > 0);
    w->sent[ray->src]++;
    w->received[ray->dst]++;
    w->longest = iteration - ray->birth > w->longest ? iteration - ray->birth : w->longest;
}

static world world_draw(fs_rng *rng) {
    world w = {.arena = fs_arena_create()};
    draw_overlay(&w, rng);
    draw_pattern(&w, rng);
    const uint32_t lanes = w.overlay.lane_count, tracers = w.overlay.tracers;
    w.unbounded = fs_rng_below(rng, 2);
    w.slots = FS_NEW(w.arena, uint32_t, lanes);
    for (uint32_t l = 0; l < lanes; l++)
        w.slots[l] = w.unbounded ? UINT32_MAX : 1 + fs_rng_below(rng, 12);
    w.sent = FS_NEW(w.arena, uint64_t, tracers);
    w.received = FS_NEW(w.arena, uint64_t, tracers);
    w.setup = (fs_traffic_setup){.slots = w.slots,
                                 .seed = fs_rng_u64(rng),
                                 .load = fs_rng_below(rng, 2) ? 20 * fs_rng_unit(rng) : 0,
                                 .rate = 3 * fs_rng_unit(rng),
                                 .burst = 1 + fs_rng_below(rng, 6),
                                 .warmup = fs_rng_below(rng, 20),
                                 .measure = 1 + fs_rng_below(rng, 60),
                                 .drain = fs_rng_below(rng, 2) ? 3000 : fs_rng_below(rng, 8),
                                 .max_rays = 1000000,
                                 .delivered = arrives};
    return w;
}

/* ---- one run of it, iterations of 100 cycles ---- */

static void check_step(const world *w) {
    const fs_overlay *o = &w->overlay;
    const fs_traffic_tile *tiles = fs_traffic_tiles(w->rays);
    uint64_t levels = 0, held = 0;
    fs_error err = {0};
    assert_ok(fs_traffic_check(w->rays, &err), &err);
    for (uint32_t l = 0; l < o->levels + 2; l++)
        levels += fs_traffic_level_rays(w->rays)[l];
    for (uint32_t t = 0; t < o->tiles; t++)
        held += tiles[t].held;
    assert_int_equal(levels, held);
}

static uint64_t play(world *w, fs_latency *latency) {
    uint64_t iteration = 0;
    w->setup.overlay = &w->overlay;
    w->setup.pattern = &w->pattern;
    w->setup.self = w;
    w->rays = fs_traffic_rays_create(w->arena, &w->setup);
    for (bool over = false; !over; iteration++) {
        const uint32_t *active, *moved;
        uint32_t count;
        fs_error err = {0};
        assert_ok(fs_traffic_compute(w->rays, iteration, &active, &count, &err), &err);
        moved = fs_traffic_exchange(w->rays, 20);
        for (uint32_t l = 0; l < w->overlay.lane_count; l++)
            assert_true(moved[l] / 20 <= w->slots[l]);
        check_step(w);
        over = fs_traffic_over(w->rays, iteration);
        fs_traffic_clock(w->rays, iteration, 100);
    }
    fs_traffic_latencies(w->rays, latency);
    return iteration;
}

static void check_run(const world *w, uint64_t iterations, const fs_latency *latency) {
    const fs_traffic_totals t = fs_traffic_totals_of(w->rays);
    const fs_traffic_tile *tiles = fs_traffic_tiles(w->rays);
    uint64_t last = (uint64_t)w->setup.warmup + w->setup.measure + w->setup.drain;
    assert_true(iterations <= last && (iterations == last || t.in_flight == 0));
    assert_int_equal(t.made, t.delivered + t.in_flight);
    assert_int_equal(latency->count, t.measured_delivered);
    assert_true(t.measured_delivered <= t.measured &&
                (t.in_flight > 0 || t.measured == t.measured_delivered));
    for (uint32_t i = 0; i < w->overlay.tracers; i++) {
        const fs_traffic_tile *tile = &tiles[w->overlay.tracer_tile[i]];
        assert_int_equal(tile->sunk, w->received[i]);
        assert_true(tile->sourced >= w->sent[i]);
        assert_true(tile->sourced == w->sent[i] || t.in_flight > 0);
    }
    /* Iterations of 100 cycles: the two ways of counting a life are one. */
    assert_int_equal(latency->sum, 100 * latency->iterations.sum);
    assert_int_equal(latency->max, 100 * latency->iterations.max);
    assert_true(latency->iterations.max <= w->longest);
}

TEST(rays_are_kept) {
    uint64_t seed = 20261121, delivered = 0, refused = 0, waited = 0;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/traffic");
    static fs_latency latency;
    omp_set_num_threads(1); /* `arrives` counts without care */
    for (int round = 0; round < 150; round++) {
        world w = world_draw(&rng);
        uint64_t iterations = play(&w, &latency);
        check_run(&w, iterations, &latency);
        delivered += fs_traffic_totals_of(w.rays).delivered;
        refused += fs_traffic_totals_of(w.rays).refused;
        waited += latency.iterations.sum > latency.hops.sum;
        fs_traffic_rays_free(w.rays);
        fs_arena_free(w.arena);
    }
    print_message("%llu rays delivered, %llu refused; rays waited in %llu rounds\n",
                  (unsigned long long)delivered, (unsigned long long)refused, (unsigned long long)waited);
    assert_true(delivered > 100000 && refused > 1000 && waited > 20);
}

/* ---- patterns: what is drawn is what fs_pattern_share says, which adds up to one ---- */

TEST(patterns_draw_their_shares) {
    enum { TRACERS = 16, DRAWS = 20000 };
    static const uint32_t hot[] = {3, 9};
    fs_rng rng = fs_rng_stream(5, "test/patterns");
    fs_arena *arena = test_arena();
    for (int kind = 0; kind <= FS_PATTERN_TRANSPOSE; kind++) {
        fs_pattern p;
        fs_error err = {0};
        assert_int_equal(
            fs_pattern_make((fs_pattern_kind)kind, TRACERS, hot, 2, 0.4, "here", arena, &p, &err), FS_OK);
        for (uint32_t src = 0; src < TRACERS; src++) {
            uint32_t count[TRACERS] = {0}, silent = 0;
            double sum = 0;
            for (int i = 0; i < DRAWS; i++) {
                uint32_t dst = fs_pattern_draw(&p, src, &rng);
                if (dst == FS_NO_TRACER)
                    silent++;
                else
                    count[dst]++;
            }
            for (uint32_t dst = 0; dst < TRACERS; dst++) {
                double share = fs_pattern_share(&p, src, dst), deviation = sqrt(share * (1 - share) / DRAWS);
                assert_true(fabs((double)count[dst] / DRAWS - share) <= 5 * deviation);
                sum += share;
            }
            assert_int_equal(count[src], 0);
            assert_true(fabs(sum - (silent > 0 ? 0 : 1)) < 1e-12);
            assert_true(silent == 0 || silent == DRAWS);
        }
    }
}

/* The mean of what a source makes is what is offered: by iteration, or by cycle. */
TEST(sources_offer_their_load) {
    static fs_latency latency;
    fs_rng rng = fs_rng_stream(9, "test/load");
    for (int by_load = 0; by_load < 2; by_load++) {
        world w = {.unbounded = true};
        do { /* one that is large enough */
            fs_arena_free(w.arena);
            w = world_draw(&rng);
        } while (w.overlay.tracers < 60 || w.pattern.kind != FS_PATTERN_UNIFORM || !w.unbounded);
        w.setup.load = by_load ? 13.7 : 0; /* 1.37 in 100 cycles */
        w.setup.rate = 1.37;
        w.setup.burst = 10;
        w.setup.warmup = 1; /* before iteration 0 no time has passed */
        w.setup.measure = 400;
        w.setup.drain = 1000;
        play(&w, &latency);
        double n = 400.0 * w.overlay.tracers, made = (double)fs_traffic_totals_of(w.rays).measured;
        assert_true(fabs(made / n - 1.37) < 5 * sqrt(0.37 * 0.63 / n));
        assert_int_equal(fs_traffic_totals_of(w.rays).refused, 0);
        fs_traffic_rays_free(w.rays);
        fs_arena_free(w.arena);
    }
}

/* ---- latencies in bins ---- */

TEST(bins_hold_their_values) {
    static fs_latency l;
    fs_rng rng = fs_rng_stream(11, "test/bins");
    for (uint32_t b = 1; b < FS_LATENCY_BINS; b++)
        assert_true(fs_latency_bin_begin(b) > fs_latency_bin_begin(b - 1));
    for (int i = 0; i < 300; i++) {
        memset(&l.bin, 0, sizeof l.bin);
        l.count = 0;
        uint64_t value = fs_rng_u64(&rng) >> fs_rng_below(&rng, 64);
        fs_latency_add(&l, value, 1, 1);
        uint64_t found = fs_latency_percentile(&l, 50);
        assert_true(found <= value && value - found <= value / 1024);
        assert_true(value >= 2048 || found == value);
    }
}

/* Four tracers in a square want the first: three rays go into its port, two of them alone, and its own one goes to
 * any of the others. Ways are 1, 1, 2 and 4/3 lanes long. */
TEST(an_outlook_by_hand) {
    fs_arena *arena = test_arena();
    const fs_overlay_kind *kind = overlay_named("mesh");
    void *params = fs_arena_alloc(arena, 1, kind->table->size);
    uint64_t left[4] = {400000, 400000, 400000, 400000};
    uint32_t none[5] = {0}, entry = 3;
    fs_overlay o;
    fs_pattern p;
    fs_error err = {0};
    const fs_overlay_site site = {.machine = &gc200,
                                  .shards = 4,
                                  .payload_bytes = 20,
                                  .free_tracer = left,
                                  .free_router = 600000,
                                  .free_generator = 600000,
                                  .neighbour_start = none,
                                  .neighbour = none,
                                  .entry = &entry,
                                  .entries = 1};
    fs_params_default(arena, kind->table, params);
    assert_int_equal(kind->plan(params, &site, arena, &o, &err), FS_OK);
    const uint32_t hot = 0;
    assert_int_equal(fs_pattern_make(FS_PATTERN_HOTSPOT, 4, &hot, 1, 1.0, "here", arena, &p, &err), FS_OK);
    const fs_hop_cost cost = {.fixed = 100};
    const fs_outlook out = fs_outlook_make(&o, &p, &cost);
    assert_true(fabs(out.hops - 4.0 / 3) < 1e-12 && out.hops_max == 2);
    assert_true(fabs(out.cycles - 400.0 / 3) < 1e-9);
    assert_true(out.port_in && out.port_tile == o.tracer_tile[0] && fabs(out.port_rays - 3) < 1e-12);
    assert_true(fabs(out.tile_rays - 4) < 1e-12); /* its own as well */
    assert_true(fabs(out.lane_rays - 2) < 1e-12 && o.lanes[out.lane].dst == o.tracer_tile[0]);
}

RUN_TESTS(NULL, NULL)
