/* Trees and fat trees of all sizes and random widths: structure against closed forms and the rule by which
 * replicas are joined, distances against a search of the graph, buffers within what was given; with widths 1
 * and arity 4 they are the quadtree, lane for lane. */
#include "models/overlay/kinds/kinds.h"
#include "models/overlay/plan.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/overlay_case.h"
#include "tests/support/test.h"

static fs_machine_params gc200, small;

static int setup(void **state) {
    (void)state;
    gc200 = fs_test_gc200();
    small = fs_test_small();
    return 0;
}

static fs_fat_tree_params fat(fs_arena *arena, const int64_t *widths, size_t count) {
    fs_fat_tree_params p;
    fs_params_default(arena, &fs_overlay_fat_tree_table, &p);
    p.widths = (fs_int_list){widths, count};
    p.widths_given = widths != NULL;
    return p;
}

static fs_overlay_tree_params tree(fs_arena *arena, int64_t arity) {
    fs_overlay_tree_params p;
    fs_params_default(arena, &fs_overlay_tree_table, &p);
    p.arity = arity;
    return p;
}

/* ---- the quadtree, spelled out: the plain reference ---- */

enum { CHILDREN = 4, PARENT_PORT = CHILDREN };

/* Routers follow the tracers level by level; router i has the children 4 i ... 4 i + 3 of the level below. */
static void plan_routers(fs_plan *plan) {
    fs_overlay *o = plan->overlay;
    uint32_t below = 0, first = o->tracers, count = o->tracers;
    for (uint32_t level = 1; level <= o->levels; level++) {
        count /= CHILDREN;
        for (uint32_t i = 0; i < count; i++) {
            o->role[first + i] = FS_ROLE_ROUTER;
            o->level[first + i] = (uint8_t)level;
            fs_overlay_plan_table_at(plan, first + i);
            for (uint32_t c = 0; c < CHILDREN; c++)
                fs_overlay_plan_join(plan, first + i, below + i * CHILDREN + c);
        }
        below = first;
        first += count;
    }
    fs_overlay_plan_join(plan, below, o->generator_tile);
}

/* Router i of a level serves `width` shards from i * width on: those go to the child that has them, all
 * others to the parent. */
static void route(const fs_overlay *o) {
    uint32_t router = o->tracers;
    for (uint32_t width = CHILDREN; width <= o->tracers; width *= CHILDREN)
        for (uint32_t i = 0; i < o->tracers / width; i++, router++) {
            uint8_t *port = fs_overlay_plan_table(o, router);
            memset(port, PARENT_PORT, o->tracers);
            for (uint32_t c = 0; c < CHILDREN; c++)
                memset(port + (size_t)i * width + (size_t)c * (width / CHILDREN), (int)c, width / CHILDREN);
        }
}

static void plan_plainly(const fs_quadtree_params *p, const fs_overlay_site *site, fs_arena *arena,
                         fs_overlay *out) {
    fs_error err = {.status = FS_OK};
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    const uint32_t routers = (site->shards - 1) / (CHILDREN - 1); /* shards / 4 + shards / 16 + ... + 1 */
    uint32_t levels = 0, tile = 0;
    for (uint32_t power = 1; power < site->shards; power *= CHILDREN)
        levels++;
    assert_int_equal(fs_overlay_plan_place_generator("quadtree", site, (uint64_t)site->shards + routers,
                                                     p->generator.tile, arena, &tile, &err),
                     FS_OK);
    fs_plan plan = fs_overlay_plan_begin("quadtree", site, site->shards + routers, arena, out);
    fs_overlay_plan_tracers(&plan);
    fs_overlay_plan_generate(&plan, tile, &p->generator, levels);
    plan_routers(&plan);
    assert_int_equal(fs_overlay_plan_finish(&plan, &buffers, &err), FS_OK);
    route(out);
}

TEST(narrow_trees_are_the_quadtree) {
    static const int64_t ones[6] = {1, 1, 1, 1, 1, 1};
    for (uint32_t levels = 1, shards = 4; levels <= 5; levels++, shards *= 4) {
        fs_arena *arena = test_arena();
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        fs_quadtree_params q;
        fs_params_default(arena, &fs_overlay_quadtree_table, &q);
        const fs_fat_tree_params f = fat(arena, ones, levels);
        const fs_overlay_tree_params t = tree(arena, 4);
        const fs_overlay quad = overlay_plan(&fs_overlay_quadtree, &q, &site, arena);
        const fs_overlay of_fat = overlay_plan(&fs_overlay_fat_tree, &f, &site, arena);
        const fs_overlay of_tree = overlay_plan(&fs_overlay_tree, &t, &site, arena);
        fs_overlay plain;
        plan_plainly(&q, &site, arena, &plain);
        overlay_equal(&plain, &quad, "the quadtree, plainly");
        overlay_equal(&quad, &of_fat, "fat tree of width 1");
        overlay_equal(&quad, &of_tree, "tree of arity 4");
    }
}

TEST(default_widths_take_376_routers) {
    static const uint32_t routers[] = {1, 5, 16 + 4 + 2, 64 + 16 + 4 * 2 + 4, 376};
    for (uint32_t levels = 1, shards = 4; levels <= 5; levels++, shards *= 4) {
        fs_arena *arena = test_arena();
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        const fs_fat_tree_params p = fat(arena, NULL, 0);
        const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
        overlay_passes(&o, "default fat tree");
        overlay_is_shortest(&o, "default fat tree");
        assert_int_equal(o.routers, routers[levels - 1]);
        assert_int_equal(o.levels, levels);
        assert_int_equal(o.generator_tile, 1460);
        assert_int_equal(o.spares, 1472 - shards - o.routers - 1);
        assert_int_equal(o.dispatch, FS_DISPATCH_HASH);
    }
}

/* `top` counts from the root: 4^levels shards have 4^(levels - l) groups at level l, the leaf level one router each. */
TEST(top_widths_fit_any_number_of_shards) {
    static const int64_t top[] = {2, 4};
    static const uint32_t routers[] = {1, 4 + 4, 16 + 4 * 2 + 4, 64 + 16 + 4 * 2 + 4,
                                       256 + 64 + 16 + 4 * 2 + 4};
    for (uint32_t levels = 1, shards = 4; levels <= 5; levels++, shards *= 4) {
        fs_arena *arena = test_arena();
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        fs_fat_tree_params p = fat(arena, NULL, 0);
        p.top = (fs_int_list){top, 2};
        p.top_given = true;
        const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
        overlay_passes(&o, "fat tree by its top");
        assert_int_equal(o.routers, routers[levels - 1]);
        p.widths = p.top;
        p.widths_given = true;
        overlay_refused(&fs_overlay_fat_tree, &p, &site, levels == 2 ? "expected one of the two" : "widths");
    }
}

/* Any arity over any number of shards, any widths: what must hold of every overlay holds, routers are those
 * of the groups, and of width 1 the tree is the tree. */
TEST(fat_trees_of_any_shape) {
    fs_rng rng = fs_rng_stream(test_seed(5), "test/overlay/shapes");
    for (int n = 0; n < 60; n++) {
        fs_arena *arena = test_arena();
        const uint32_t shards = 1 + (uint32_t)fs_rng_below(&rng, 300),
                       arity = 2 + (uint32_t)fs_rng_below(&rng, 9);
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        int64_t widths[16], ones[16];
        uint32_t levels = 0, routers = 0;
        for (uint32_t groups = shards; groups > 1 || levels == 0; levels++) {
            groups = (groups + arity - 1) / arity;
            widths[levels] = 1 + (int64_t)fs_rng_below(&rng, 3);
            ones[levels] = 1;
            routers += groups * (uint32_t)widths[levels];
        }
        fs_fat_tree_params p = fat(arena, widths, levels), narrow = fat(arena, ones, levels);
        const fs_overlay_tree_params plain = tree(arena, arity);
        p.arity = narrow.arity = arity;
        p.router_buffer = p.tracer_buffer = p.generator.buffer = 400000;
        if (shards + routers < 1472) {
            const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
            overlay_passes(&o, "fat tree of any shape");
            overlay_is_shortest(&o, "fat tree of any shape");
            assert_int_equal(o.routers, routers);
        }
        const fs_overlay of_fat = overlay_plan(&fs_overlay_fat_tree, &narrow, &site, arena);
        const fs_overlay of_tree = overlay_plan(&fs_overlay_tree, &plain, &site, arena);
        overlay_equal(&of_tree, &of_fat, "fat tree of width 1");
    }
}

static uint32_t degree(const fs_overlay *o, uint32_t tile) {
    return o->out_start[tile + 1] - o->out_start[tile];
}

/* 1,024 shards, widths 1, 1, 2, 4, 8: four children; two parents from level 2 on; the root's replicas have
 * the generator instead. Rays towards another subtree may take both parents. */
TEST(default_degrees) {
    fs_arena *arena = test_arena();
    const fs_overlay_site site = {.machine = &gc200, .shards = 1024, .payload_bytes = 20};
    const fs_fat_tree_params p = fat(arena, NULL, 0);
    const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
    static const uint32_t of_level[] = {1, 5, 6, 6, 6, 5, 8};
    uint32_t of_each[7] = {0};
    for (uint32_t t = 0; t < o.tiles; t++) {
        if (o.role[t] == FS_ROLE_SPARE)
            continue;
        assert_int_equal(degree(&o, t), of_level[o.level[t]]);
        of_each[o.level[t]]++;
        for (uint32_t port = 0; port < degree(&o, t); port++) {
            const fs_lane *lane = &o.lanes[o.out_lane[o.out_start[t] + port]];
            const bool up = o.level[lane->dst] > o.level[t];
            const bool two = up && o.level[t] >= 2 && o.level[t] <= 4 && port == 4;
            assert_int_equal(lane->choices, two ? 2 : 0);
            assert_int_equal(up, o.role[t] == FS_ROLE_TRACER || (o.role[t] == FS_ROLE_ROUTER && port >= 4));
        }
    }
    static const uint32_t tiles[7] = {1024, 256, 64, 32, 16, 8, 1};
    assert_memory_equal(of_each, tiles, sizeof tiles);
    /* 576,000 B over twelve lane ends against ten. */
    assert_int_equal(o.lanes[o.out_lane[o.out_start[1024]]].src_share, 57600);
    assert_int_equal(o.lanes[o.out_lane[o.out_start[1024 + 256]]].src_share, 48000);
}

/* The lanes of a random fat tree are those that the rule names, and no others. */
static void check_rule(const fs_overlay *o, const int64_t *widths) {
    uint32_t first = 0, below = 0, groups = o->tracers, lanes = 0;
    int64_t under = 1;
    first = o->tracers;
    for (uint32_t l = 0; l < o->levels; l++) {
        const int64_t least = widths[l] < under ? widths[l] : under;
        groups /= 4;
        for (uint32_t g = 0; g < groups; g++)
            for (int64_t i = 0; i < widths[l]; i++)
                for (uint32_t c = 0; c < 4; c++)
                    for (int64_t j = 0; j < under; j++) {
                        const uint32_t parent = first + g * (uint32_t)widths[l] + (uint32_t)i;
                        const uint32_t child = below + (4 * g + c) * (uint32_t)under + (uint32_t)j;
                        uint32_t found = 0;
                        for (uint32_t e = o->out_start[child]; e < o->out_start[child + 1]; e++)
                            found += o->lanes[o->out_lane[e]].dst == parent;
                        if (found != (i % least == j % least))
                            fail_msg("level %u: replica %d and child %d are joined %u times", l + 1, (int)i,
                                     (int)j, found);
                        lanes += 2 * found;
                    }
        below = first;
        first += groups * (uint32_t)widths[l];
        under = widths[l];
    }
    assert_int_equal(lanes + 2 * under, o->lane_count);
    assert_int_equal(degree(o, o->generator_tile), under);
    assert_int_equal(first, o->tracers + o->routers);
}

TEST(random_widths) {
    fs_rng rng = fs_rng_stream(test_seed(3), "test/overlay/fat");
    for (int n = 0; n < 60; n++) {
        fs_arena *arena = test_arena();
        int64_t widths[5];
        const uint32_t levels = 1 + fs_rng_below(&rng, 4), shards = 1u << (2 * levels);
        uint32_t routers = 0, groups = shards;
        for (uint32_t l = 0; l < levels; l++) {
            groups /= 4;
            widths[l] = 1 + fs_rng_below(&rng, shards > 64 ? 6 : 9);
            routers += groups * (uint32_t)widths[l];
        }
        fs_fat_tree_params p = fat(arena, widths, levels);
        p.dispatch = fs_rng_below(&rng, 3);
        p.router_buffer = 20000 + fs_rng_below(&rng, 600000);
        p.tracer_buffer = 2000 + fs_rng_below(&rng, 200000);
        p.generator.buffer = 2000 + fs_rng_below(&rng, 200000);
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
        char what[64];
        snprintf(what, sizeof what, "fat tree %d of %u shards", n, shards);
        overlay_passes(&o, what);
        overlay_is_shortest(&o, what);
        assert_int_equal(o.routers, routers);
        assert_int_equal(o.dispatch, p.dispatch);
        check_rule(&o, widths);
        const uint64_t *bytes = overlay_buffer_bytes(&o, arena);
        const int64_t given[FS_ROLE_COUNT] = {0, p.tracer_buffer, p.router_buffer, p.generator.buffer};
        for (uint32_t t = 0; t < o.tiles; t++) {
            const int64_t loss = 4 * 2 * degree(&o, t); /* less than a word for each end */
            assert_true((int64_t)bytes[t] <= given[o.role[t]] &&
                        (int64_t)bytes[t] + loss > given[o.role[t]] - (loss == 0));
        }
    }
}

TEST(trees_of_every_size) {
    fs_rng rng = fs_rng_stream(test_seed(5), "test/overlay/tree");
    for (int n = 0; n < 120; n++) {
        fs_arena *arena = test_arena();
        const uint32_t shards = n < 20 ? (uint32_t)n + 1 : 1 + fs_rng_below(&rng, 500);
        const fs_overlay_tree_params p = tree(arena, n % 3 == 0 ? 2 : 2 + fs_rng_below(&rng, 63));
        const fs_overlay_site site = {.machine = &gc200, .shards = shards, .payload_bytes = 20};
        const fs_overlay o = overlay_plan(&fs_overlay_tree, &p, &site, arena);
        char what[64];
        snprintf(what, sizeof what, "tree of arity %d over %u shards", (int)p.arity, shards);
        overlay_passes(&o, what);
        overlay_is_shortest(&o, what);
        uint32_t routers = 0, levels = 0, arity = (uint32_t)p.arity;
        for (uint32_t left = shards; levels == 0 || left > 1; levels++)
            routers += left = (left + arity - 1) / arity;
        assert_int_equal(o.routers, routers);
        assert_int_equal(o.levels, levels);
        assert_int_equal(o.lane_count, 2 * (shards + routers));
        for (uint32_t t = 0; t < o.tiles; t++)
            assert_true(degree(&o, t) <= arity + 1);
    }
}

TEST(what_does_not_fit_is_refused) {
    fs_arena *arena = test_arena();
    static const int64_t wide[] = {1, 1, 2, 4, 8}, wider[] = {2, 2, 2, 4, 8}, most[] = {1, 240, 240};
    fs_overlay_site site = {.machine = &gc200, .shards = 1024, .payload_bytes = 20};
    const fs_fat_tree_params four = fat(arena, wide, 4), twice = fat(arena, wider, 5);
    overlay_refused(&fs_overlay_fat_tree, &four, &site, "overlay.widths: 1024 shards have 5 levels");
    overlay_refused(&fs_overlay_fat_tree, &twice, &site,
                    "widths [2, 2, 2, 4, 8] need 1024 tracers, 696 routers and a generator = 1721 tiles, "
                    "machine \"gc200\" has 1472; widths [1, 2, 2, 4, 8] would fit");
    const fs_fat_tree_params plain = fat(arena, NULL, 0), ports = fat(arena, most, 3);
    site.shards = 64;
    overlay_refused(&fs_overlay_fat_tree, &ports, &site, "at most 240 are allowed");
    site.shards = 0;
    overlay_refused(&fs_overlay_fat_tree, &plain, &site, "at least one shard");
    site.shards = 256;
    site.machine = &small;
    overlay_refused(&fs_overlay_fat_tree, &plain, &site, "not even widths [1, 1, 1, 1] would fit");
    const fs_overlay_tree_params binary = tree(arena, 2);
    site.shards = 0;
    overlay_refused(&fs_overlay_tree, &binary, &site, "at least one shard");
    site.shards = 64;
    overlay_refused(&fs_overlay_tree, &binary, &site, "64 tracers, 63 routers and a generator = 128 tiles");
    fs_overlay_tree_params tight = tree(arena, 4);
    tight.router_buffer = 199;
    overlay_refused(&fs_overlay_tree, &tight, &site, "10 lanes in and out (16 B each); a ray takes 20 B");
    tight.generator.tile = 84;
    overlay_refused(&fs_overlay_tree, &tight, &site, "(85 ... 95) or -1, found 84");
}

/* 0 B: the lanes of a tile take what is left of its SRAM, less the exchange code of each end and, on the
 * generator, the ring. */
TEST(zero_takes_what_is_left) {
    fs_arena *arena = test_arena();
    fs_machine_params machine = small;
    machine.memory.exchange_code_per_message = 8;
    uint64_t free_tracer[64];
    for (uint32_t s = 0; s < 64; s++)
        free_tracer[s] = 1000 + 137 * s;
    fs_overlay_site site = {.machine = &machine, .shards = 64, .payload_bytes = 20};
    fs_fat_tree_params p = fat(arena, NULL, 0);
    p.router_buffer = p.tracer_buffer = p.generator.buffer = 0;
    p.generator.ring = 100;
    overlay_refused(&fs_overlay_fat_tree, &p, &site, "the workload does not say what is");
    site.free_tracer = free_tracer;
    site.free_router = 300001;
    site.free_generator = 2000;
    overlay_refused(&fs_overlay_fat_tree, &p, &site, "exchange code and the backlog ring alone take 2032 B");
    site.free_generator = 40000;
    const fs_overlay o = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
    overlay_passes(&o, "what is left");
    assert_int_equal(o.end_overhead, 8);
    const uint64_t *bytes = overlay_buffer_bytes(&o, arena);
    for (uint32_t t = 0; t < o.tiles; t++) {
        const uint64_t ends = 2 * degree(&o, t);
        const uint64_t left = o.role[t] == FS_ROLE_TRACER   ? free_tracer[t] - 8 * ends
                              : o.role[t] == FS_ROLE_ROUTER ? 300001 - 8 * ends
                                                            : 40000 - 8 * ends - 2000;
        if (o.role[t] != FS_ROLE_SPARE)
            assert_int_equal(bytes[t], left / ends / 4 * 4 * ends);
    }
    free_tracer[7] = 0;
    overlay_refused(&fs_overlay_fat_tree, &p, &site, "on tile 7 nothing is left");
}

RUN_TESTS(setup, NULL)
