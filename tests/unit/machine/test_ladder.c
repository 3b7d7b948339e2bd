/* The ladder and the measures of unevenness, on books small enough to be worked out by hand. */
#include "sim/base/rng.h"
#include "tests/support/test.h"
#include "workloads/foam/books/books.h"
#include "workloads/foam/books/ladder.h"

enum { MOST_TILES = 64, MOST_ITERATIONS = 16 };

/* Tiles: `tracers` tracers, one router, one generator, then spare ones. */
typedef struct hand {
    fs_arena *arena;
    fs_overlay overlay;
    fs_foam_books books;
} hand;

static void make(hand *h, uint32_t tracers, uint32_t spares, uint32_t iterations) {
    memset(h, 0, sizeof *h);
    h->arena = fs_arena_create();
    fs_overlay *o = &h->overlay;
    const uint32_t tiles = tracers + 2 + spares;
    fs_overlay_begin(o, tiles, tracers, h->arena);
    o->routers = o->generators = o->levels = 1;
    o->spares = spares;
    o->generator_tile = tracers + 1;
    for (uint32_t t = 0; t < tracers; t++) {
        o->role[t] = FS_ROLE_TRACER;
        o->tracer_tile[t] = o->shard_of_tile[t] = t;
    }
    o->role[tracers] = FS_ROLE_ROUTER;
    o->role[tracers + 1] = FS_ROLE_GENERATOR;
    o->level[tracers] = 1;
    o->level[tracers + 1] = 2;
    fs_foam_books *b = &h->books;
    b->overlay = o;
    b->used = tracers + 2;
    b->iterations = iterations;
    b->note = FS_NEW(h->arena, fs_iteration_note, iterations);
    b->cycles = FS_NEW(h->arena, uint32_t, (size_t)iterations * b->used);
    b->column = FS_NEW(h->arena, uint32_t, tiles);
    b->tile_of = FS_NEW(h->arena, uint32_t, tiles);
    b->idle_of = FS_NEW(h->arena, uint32_t, tiles);
    for (uint32_t u = 0; u < b->used; u++) {
        b->column[u] = b->tile_of[u] = u;
        b->idle_of[u] = 10;
    }
}

/* Fills the notes from the matrix; every iteration takes so many cycles beside compute. */
static void note(hand *h, uint64_t sync, uint64_t exchange, uint64_t host) {
    fs_foam_books *b = &h->books;
    for (uint64_t k = 0; k < b->iterations; k++) {
        fs_iteration_note *n = &b->note[k];
        for (uint32_t u = 0; u < b->used; u++) {
            uint64_t cycles = fs_foam_books_tile_cycles(b, k, u), *most = &n->compute[b->overlay->role[u]];
            *most = cycles > *most ? cycles : *most;
            n->times.compute = cycles > n->times.compute ? cycles : n->times.compute;
        }
        n->times.sync = sync;
        n->times.exchange = exchange;
        n->times.host = host;
    }
}

static void set_row(hand *h, uint64_t k, const uint32_t *cycles) {
    memcpy(h->books.cycles + k * h->books.used, cycles, h->books.used * sizeof *cycles);
}

static void plan_of(const hand *h, uint64_t cycles, fs_replica_plan *plan) {
    fs_replicas_plan(fs_shard_tops_make(&h->books, h->arena), cycles, plan);
}

static const fs_foam_setup whole_image = {.per_batch = 1, .frames = 1, .coverage = 1, .repeat = 1};

/* ---- unevenness ---- */

TEST(gini_of_known_cases) {
    uint64_t equal[] = {7, 7, 7, 7}, one[] = {0, 0, 5, 0}, line[] = {3, 1, 2}, none[] = {0, 0};
    assert_true(fabs(fs_gini(equal, 4)) < 1e-15);
    assert_true(fabs(fs_gini(one, 4) - 0.75) < 1e-15); /* (n - 1) / n */
    assert_true(fabs(fs_gini(line, 3) - 2.0 / 9) < 1e-15);
    assert_true(fabs(fs_gini(none, 2)) < 1e-15);
    assert_true(fabs(fs_imbalance(one, 4) - 4) < 1e-15);
    assert_true(fabs(fs_imbalance(equal, 4) - 1) < 1e-15);
    assert_true(isnan(fs_imbalance(none, 2)));
}

/* Half the mean difference of all pairs, over the mean. */
TEST(gini_is_the_mean_difference) {
    const uint64_t seed = 4711;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "gini");
    for (int round = 0; round < 50; round++) {
        uint64_t x[40];
        const size_t n = 2 + (size_t)(fs_rng_u64(&rng) % 38);
        double sum = 0, pairs = 0;
        for (size_t i = 0; i < n; i++)
            x[i] = fs_rng_u64(&rng) % (round % 3 == 0 ? 5 : 1000000);
        for (size_t i = 0; i < n; i++) {
            sum += (double)x[i];
            for (size_t j = 0; j < n; j++)
                pairs += fabs((double)x[i] - (double)x[j]);
        }
        const double expected = sum > 0 ? pairs / (2.0 * (double)n * sum) : 0;
        assert_true(fabs(fs_gini(x, n) - expected) < 1e-12);
    }
}

/* ---- rungs ---- */

/* Two tracers, a router, the generator. */
TEST(rungs_by_hand) {
    hand h;
    make(&h, 2, 0, 3);
    set_row(&h, 0, (uint32_t[]){100, 40, 70, 30});
    set_row(&h, 1, (uint32_t[]){0, 51, 90, 20});
    set_row(&h, 2, (uint32_t[]){0, 0, 0, 80});
    note(&h, 1, 5, 3);
    const uint64_t compute = 100 + 90 + 80, first = 1000, other = 3 * (1 + 5 + 3);
    const fs_foam_ladder_run run = {
        .arena = h.arena, .clock = 1e9, .cycles = first + compute + other, .setup = &whole_image};
    fs_foam_ladder l;
    fs_foam_ladder_make(&h.books, &run, &l);
    assert_int_equal(l.rung[FS_RUNG_MEASURED].cycles, first + compute + other);
    assert_int_equal(l.rung[FS_RUNG_FREE_ROUTERS].cycles, first + 100 + 51 + 80 + other);
    assert_int_equal(l.rung[FS_RUNG_FREE_EXCHANGE].cycles, first + compute + 3 * 4);
    assert_int_equal(l.rung[FS_RUNG_FREE_SYNC].cycles, first + compute + 3 * 8);
    assert_int_equal(l.rung[FS_RUNG_FREE_HOST].cycles, compute + 3 * 6);
    assert_int_equal(l.rung[FS_RUNG_INFINITE_BUFFERS].cycles, first + compute + other);
    /* (100 + 40) / 2 = 70, as slow as the router; (10 + 51) / 2 rounds up to 31, under the router's 90. */
    assert_int_equal(l.rung[FS_RUNG_BALANCED_TRACERS].cycles, first + 70 + 90 + 80 + other);
    assert_int_equal(l.rung[FS_RUNG_REPLICATED].cycles, first + compute + other); /* no spare tile */
    assert_int_equal(l.rung[FS_RUNG_ALL].cycles, 70 + 31 + 80);
    assert_int_equal(l.replicas.count, 0);
    assert_string_equal(l.rung[FS_RUNG_INFINITE_BUFFERS].kind, "bound");
    assert_string_equal(l.rung[FS_RUNG_ALL].kind, "bound");
    assert_true(fabs(l.rung[FS_RUNG_FREE_HOST].gain_percent * (double)run.cycles -
                     100.0 * (double)(first + 9)) < 1e-6);
    fs_arena_free(h.arena);
}

/* Two shards that are equally slow in the same iterations: neither alone gains anything, both together do. */
TEST(a_pair_of_shards_is_found) {
    hand h;
    make(&h, 4, 3, 4);
    for (uint64_t k = 0; k < 4; k++)
        set_row(&h, k, (uint32_t[]){50, 210, 50, 210, 20, 20});
    note(&h, 0, 0, 0);
    fs_replica_plan plan;
    plan_of(&h, 4 * 210, &plan);
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.copies, 2);
    assert_int_equal(plan.tiles, 2);
    assert_int_equal(plan.shard[0], 1);
    assert_int_equal(plan.shard[1], 3);
    assert_int_equal(plan.saved, 4 * 100); /* 10 + 200 / 2 */
    const fs_shard_tops *tops = fs_shard_tops_make(&h.books, h.arena);
    assert_int_equal(fs_replicas_tracers(tops, &plan, 0), 110);
    assert_int_equal(fs_shard_tops_balanced(tops, 0), (50 + 210 + 50 + 210) / 4);
    h.overlay.spares = 1; /* one tile is not enough */
    plan_of(&h, 4 * 210, &plan);
    assert_int_equal(plan.count, 0);
    assert_int_equal(plan.saved, 0);
    fs_arena_free(h.arena);
}

/* Pairs of shards that gain only together: where the tiles are enough for one pair, it is the one that sets
 * the pace more often. */
TEST(the_pair_that_paces_more_often_is_found) {
    hand h;
    make(&h, 4, 2, 4);
    for (uint64_t k = 0; k < 4; k++)
        set_row(&h, k,
                k == 1 ? (uint32_t[]){210, 50, 210, 50, 20, 20} : (uint32_t[]){50, 210, 50, 210, 20, 20});
    note(&h, 0, 0, 0);
    fs_replica_plan plan;
    plan_of(&h, 4 * 210, &plan);
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.shard[0], 1);
    assert_int_equal(plan.shard[1], 3);
    assert_int_equal(plan.saved, 3 * 100);
    fs_arena_free(h.arena);
}

/* More copies of one shard until the next tile is not worth half a per cent. */
TEST(copies_stop_where_they_no_longer_pay) {
    hand h;
    make(&h, 4, 60, 2);
    set_row(&h, 0, (uint32_t[]){10 + 1200, 300, 20, 20, 20, 20});
    set_row(&h, 1, (uint32_t[]){10 + 900, 300, 20, 20, 20, 20});
    note(&h, 0, 0, 0);
    fs_replica_plan plan;
    plan_of(&h, 2120, &plan);
    /* Shard 0 with four tracers: 310 and 300 cycles, the second set by shard 1. Four for shard 1 too give 310
     * and 235: 65 cycles less for three tiles, each worth more than half a per cent. */
    assert_int_equal(plan.count, 2);
    assert_int_equal(plan.copies, 4);
    assert_int_equal(plan.saved, 2120 - 310 - 235);
    plan_of(&h, 10000, &plan); /* worth less than that: shard 0 alone */
    assert_int_equal(plan.count, 1);
    assert_int_equal(plan.shard[0], 0);
    assert_int_equal(plan.copies, 4);
    assert_int_equal(plan.saved, 2120 - 310 - 300);
    plan_of(&h, 1000000, &plan); /* the same saving of a long run is worth nothing */
    assert_int_equal(plan.count, 0);
    fs_arena_free(h.arena);
}

/* Shard 0 has two tracers already, the second on tile 4: it stays in the set, and a third one divides its
 * work by three. Two tracers as they are keep their uneven halves. */
TEST(replicas_that_are_there_stay) {
    hand h;
    make(&h, 5, 8, 2);
    fs_overlay *o = &h.overlay;
    o->shards = 4;
    o->shard_of_tile[4] = 0;
    memcpy(o->owner_start, (uint32_t[]){0, 2, 3, 4, 5}, 5 * sizeof(uint32_t));
    memcpy(o->owner, (uint32_t[]){0, 4, 1, 2, 3}, 5 * sizeof(uint32_t));
    for (uint64_t k = 0; k < 2; k++)
        set_row(&h, k, (uint32_t[]){10 + 500, 10 + 360, 20, 20, 10 + 100, 20, 20});
    note(&h, 0, 0, 0);
    fs_replica_plan plan;
    plan_of(&h, 2 * 510, &plan);
    assert_int_equal(plan.shard[0], 0);
    assert_true(plan.count >= 1 && plan.copies >= 3);
    uint32_t tiles = plan.copies - 2;
    uint64_t slowest = 10 + (600 + plan.copies - 1) / plan.copies;
    if (plan.count == 2) {
        assert_int_equal(plan.shard[1], 1);
        tiles += plan.copies - 1;
    } else {
        slowest = slowest > 370 ? slowest : 370;
    }
    assert_int_equal(plan.tiles, tiles);
    assert_int_equal(plan.saved, 2 * (510 - slowest));
    const fs_foam_ladder_run run = {.arena = h.arena, .clock = 1, .cycles = 2 * 510, .setup = &whole_image};
    fs_foam_ladder l;
    fs_foam_ladder_make(&h.books, &run, &l);
    assert_int_equal(l.rung[FS_RUNG_REPLICATED].cycles, 2 * slowest);
    assert_non_null(strstr(l.rung[FS_RUNG_REPLICATED].sets, "replicas.camera=1"));
    fs_arena_free(h.arena);
}

/* Compute cycles when these shards have so many tracers each. */
static uint64_t time_of_plan(const hand *h, const uint32_t *shard, uint32_t count, uint32_t copies) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < h->books.iterations; k++) {
        uint64_t slowest = 0;
        for (uint32_t u = 0; u < h->books.used; u++) {
            uint64_t cycles = fs_foam_books_tile_cycles(&h->books, k, u);
            for (uint32_t i = 0; i < count; i++)
                if (u == shard[i])
                    cycles = 10 + (cycles - 10 + copies - 1) / copies;
            slowest = cycles > slowest ? cycles : slowest;
        }
        sum += slowest;
    }
    return sum;
}

TEST(plans_save_what_they_say) {
    const uint64_t seed = 99;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "plans");
    for (int round = 0; round < 30; round++) {
        hand h;
        make(&h, 12, (uint32_t)(fs_rng_u64(&rng) % 13), MOST_ITERATIONS);
        for (uint64_t k = 0; k < MOST_ITERATIONS; k++)
            for (uint32_t u = 0; u < h.books.used; u++)
                h.books.cycles[k * h.books.used + u] =
                    fs_rng_u64(&rng) % 4 == 0 ? 0
                                              : 10 + (uint32_t)(fs_rng_u64(&rng) % (u % 3 == 0 ? 900 : 200));
        note(&h, 0, 0, 0);
        const uint64_t measured = time_of_plan(&h, NULL, 0, 1);
        fs_replica_plan plan;
        plan_of(&h, measured, &plan);
        assert_true(plan.count <= FS_REPLICA_SHARDS && plan.tiles <= h.overlay.spares);
        assert_int_equal(plan.tiles, plan.count * (plan.copies - 1));
        assert_int_equal(measured - plan.saved, time_of_plan(&h, plan.shard, plan.count, plan.copies));
        for (uint32_t s = 0; s < 12 && h.overlay.spares > 0; s++) /* no single shard does much better */
            assert_true(measured - plan.saved <= time_of_plan(&h, &s, 1, 2) + measured / 200 + 1);
        const fs_foam_ladder_run run = {
            .arena = h.arena, .clock = 1e9, .cycles = measured, .setup = &whole_image};
        fs_foam_ladder l;
        fs_foam_ladder_make(&h.books, &run, &l);
        for (int i = 0; i < FS_RUNG_FOLLOWING; i++) {
            assert_true(l.rung[i].cycles <= measured);
            assert_true(l.rung[FS_RUNG_ALL].cycles <= l.rung[i].cycles);
        }
        fs_arena_free(h.arena);
    }
}

/* ---- waiting ---- */

/* A 2 x 3 image, a row a batch, visits every 4 iterations: the last ray of row 2 leaves in iteration 2 and
 * takes 5, so 7 iterations, the second visit. */
TEST(the_end_without_waiting) {
    fs_pixel_hops hops[6];
    for (int p = 0; p < 6; p++)
        hops[p] = (fs_pixel_hops){.alive = 9, .waiting = 4};
    const fs_framebuffer pixels = {.width = 2, .height = 3, .hops = hops};
    fs_foam_setup setup = {.per_batch = 1, .frames = 1, .coverage = 1, .repeat = 4};
    const fs_foam_ladder_run run = {.setup = &setup, .pixels = &pixels};
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 8);
    assert_int_equal(fs_iterations_without_waiting(&run, 7), 7); /* never longer than the run */
    setup.repeat = 1;
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 7);
    setup.coverage = 4.0 / 6;
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 6); /* without row 2 */
    setup.coverage = 1;
    setup.order = FS_ORDER_COLUMNS;
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 6); /* two columns */
    setup.frames = 3;
    setup.idle = 10;
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 6 + 2 * (2 + 10));
    hops[5] = (fs_pixel_hops){.alive = -1, .waiting = -1}; /* a lost ray is left out */
    assert_int_equal(fs_iterations_without_waiting(&run, 100), 6 + 2 * (2 + 10));
}

/* A spill anywhere makes the rung an estimate that ends earlier. */
TEST(waiting_makes_an_estimate) {
    hand h;
    make(&h, 2, 0, 4);
    for (uint64_t k = 0; k < 4; k++)
        set_row(&h, k, (uint32_t[]){100, 40, 70, 30});
    note(&h, 0, 0, 0);
    h.books.note[1].step.spilled = 1;
    fs_pixel_hops hops = {.alive = 4, .waiting = 1};
    const fs_framebuffer pixels = {.width = 1, .height = 1, .hops = &hops};
    const fs_foam_ladder_run run = {
        .arena = h.arena, .clock = 1, .cycles = 400, .setup = &whole_image, .pixels = &pixels};
    fs_foam_ladder l;
    fs_foam_ladder_make(&h.books, &run, &l);
    assert_true(l.waited);
    assert_int_equal(l.iterations_without_waiting, 3);
    /* 90 cycles of each iteration are the rays', 10 an idle iteration's, of which one falls away. */
    assert_int_equal(l.rung[FS_RUNG_INFINITE_BUFFERS].cycles, 4 * 90 + 3 * 10);
    assert_int_equal(l.rung[FS_RUNG_ALL].cycles, 4 * 60 + 3 * 10);
    assert_string_equal(l.rung[FS_RUNG_INFINITE_BUFFERS].kind, "estimate");
    assert_string_equal(l.rung[FS_RUNG_ALL].kind, "estimate");
    h.books.note[2].step.finished =
        8; /* a fifth of the rays lost: a quarter more work than that of the rest */
    h.books.note[3].step.dropped = 2;
    fs_foam_ladder_make(&h.books, &run, &l);
    assert_int_equal(l.rung[FS_RUNG_INFINITE_BUFFERS].cycles, 450 + 3 * 10);
    assert_true(fabs(l.rung[FS_RUNG_INFINITE_BUFFERS].gain_percent + 20) < 1e-9);
    fs_arena_free(h.arena);
}

RUN_TESTS(NULL, NULL)
