/* The quadtree for every size that fits: what must hold of any overlay, distances against arithmetic on shard
 * numbers, the Radiant Foam paper's roles and capacities, refusals; and that the check finds what is broken.
 */
#include "models/overlay/kinds/kinds.h"
#include "models/overlay/overlay.h"

#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/test.h"

static const fs_quadtree_params paper = {.router_buffer = 576000,
                                         .tracer_buffer = 115200,
                                         .generator.buffer = 115200,
                                         .generator.ring = 5760,
                                         .generator.tile = -1};
static const fs_machine_params gc200 = {.name = "gc200", .geometry = {16, 23, 4}};
static const fs_machine_params small = {.name = "gc200-small", .geometry = {4, 6, 4}};
static const uint32_t sizes[] = {4, 16, 64, 256, 1024};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static fs_overlay plan(fs_arena *arena, const fs_machine_params *machine, uint32_t shards) {
    fs_overlay overlay;
    fs_error err = {0};
    if (fs_overlay_quadtree.plan(&paper, &(fs_overlay_site){.machine = machine, .shards = shards}, arena,
                                 &overlay, &err))
        fail_msg("%s", err.text);
    return overlay;
}

TEST(sizes_pass_the_check) {
    static const uint32_t routers[SIZES] = {1, 5, 21, 85, 341};
    for (uint32_t i = 0; i < SIZES; i++) {
        fs_arena *arena = test_arena();
        fs_overlay o = plan(arena, &gc200, sizes[i]);
        fs_error err = {0};
        if (fs_overlay_check(&o, &err))
            fail_msg("%u tracers: %s", sizes[i], err.text);
        assert_int_equal(o.tracers, sizes[i]);
        assert_int_equal(o.routers, routers[i]);
        assert_int_equal(o.generators, 1);
        assert_int_equal(o.spares, 1472 - sizes[i] - routers[i] - 1);
        assert_int_equal(o.levels, i + 1);
        assert_int_equal(o.lane_count, 2 * (sizes[i] + routers[i]));
        assert_int_equal(o.generator_tile, 1460);
        assert_int_equal(o.generator_ring, 5760);
    }
}

/* Routers follow the tracers level by level, the leaf level first (ipu.md 7). */
TEST(tiles_of_the_paper) {
    fs_arena *arena = fs_arena_create();
    fs_overlay o = plan(arena, &gc200, 1024);
    static const uint32_t level_end[] = {1024, 1280, 1344, 1360, 1364, 1365};
    for (uint32_t t = 0, level = 0; t < 1365; t++) {
        level += t == level_end[level];
        assert_int_equal(o.level[t], level);
        assert_int_equal(o.role[t], level == 0 ? FS_ROLE_TRACER : FS_ROLE_ROUTER);
    }
    for (uint32_t t = 1365; t < 1472; t++)
        assert_int_equal(o.role[t], t == 1460 ? FS_ROLE_GENERATOR : FS_ROLE_SPARE);
    const fs_lane *first = &o.lanes[o.out_lane[o.out_start[1460]]];
    assert_int_equal(first->dst, 1364);
    assert_int_equal(first->dst_port, 4);
    fs_arena_free(arena);

    arena = fs_arena_create();
    o = plan(arena, &small, 64);
    assert_int_equal(o.generator_tile, 85); /* 96 - 12 = 84 is the root */
    assert_int_equal(o.spares, 10);
    fs_arena_free(arena);
}

/* Up to the smallest subtree that holds both shards and down again. */
static uint32_t tree_distance(uint32_t a, uint32_t b) {
    uint32_t levels = 1;
    for (a /= 4, b /= 4; a != b; a /= 4, b /= 4)
        levels++;
    return 2 * levels;
}

TEST(distances_are_the_trees) {
    for (uint32_t i = 0; i < SIZES; i++) {
        fs_arena *arena = test_arena();
        fs_overlay o = plan(arena, &gc200, sizes[i]);
        uint32_t worst = 0;
        for (uint32_t a = 0; a < o.tracers; a++) {
            assert_int_equal(fs_overlay_distance(&o, UINT32_MAX, a), o.levels + 1);
            for (uint32_t b = 0; b < o.tracers; b++) {
                uint32_t hops = fs_overlay_distance(&o, a, b);
                if (hops != tree_distance(a, b)) /* cmocka's assertions are slow a million times */
                    fail_msg("%u to %u: %u hops, %u expected", a, b, hops, tree_distance(a, b));
                worst = hops > worst ? hops : worst;
            }
        }
        assert_int_equal(worst, 2 * (i + 1)); /* 10 at 1,024: the published worst way */
    }
}

TEST(buffers_are_the_papers) {
    static const struct {
        uint32_t payload, capacity;
    } tab4[] = {{48, 1200}, {28, 2057}, {24, 2400}, {20, 2880}};
    fs_arena *arena = test_arena();
    fs_overlay o = plan(arena, &gc200, 1024);
    uint64_t *bytes = FS_NEW(arena, uint64_t, o.tiles);
    for (uint32_t l = 0; l < o.lane_count; l++) {
        bytes[o.lanes[l].src] += o.lanes[l].src_share;
        bytes[o.lanes[l].dst] += o.lanes[l].dst_share;
        for (size_t i = 0; i < sizeof tab4 / sizeof tab4[0]; i++)
            assert_int_equal(fs_lane_capacity(&o.lanes[l], tab4[i].payload), tab4[i].capacity);
    }
    static const uint64_t expected[FS_ROLE_COUNT] = {0, 115200, 576000, 115200};
    for (uint32_t t = 0; t < o.tiles; t++)
        assert_int_equal(bytes[t], expected[o.role[t]]);
}

/* Random buffer sizes: shares are whole words, never more than the buffer, and the smaller end decides. */
TEST(shares_follow_the_buffers) {
    fs_rng rng = fs_rng_stream(test_seed(7), "test/overlay/shares");
    for (int i = 0; i < 50; i++) {
        fs_arena *arena = test_arena();
        fs_quadtree_params p = paper;
        p.router_buffer = 480 + fs_rng_below(&rng, 600000);
        p.tracer_buffer = 96 + fs_rng_below(&rng, 200000);
        p.generator.buffer = 96 + fs_rng_below(&rng, 200000);
        p.generator.tile = 21 + 64 + fs_rng_below(&rng, 96 - 85);
        fs_overlay o;
        fs_error err = {0};
        assert_int_equal(fs_overlay_quadtree.plan(&p, &(fs_overlay_site){.machine = &small, .shards = 64},
                                                  arena, &o, &err),
                         FS_OK);
        assert_int_equal(fs_overlay_check(&o, &err), FS_OK);
        assert_int_equal(o.generator_tile, p.generator.tile);
        int64_t share[FS_ROLE_COUNT] = {0, p.tracer_buffer / 2, p.router_buffer / 10, p.generator.buffer / 2};
        for (uint32_t l = 0; l < o.lane_count; l++) {
            const fs_lane *lane = &o.lanes[l];
            int64_t src = share[o.role[lane->src]], dst = share[o.role[lane->dst]];
            assert_true(lane->src_share <= src && lane->src_share + 4 > src && lane->src_share % 4 == 0);
            assert_true(lane->dst_share <= dst && lane->dst_share + 4 > dst && lane->dst_share % 4 == 0);
            uint32_t least = lane->src_share < lane->dst_share ? lane->src_share : lane->dst_share;
            assert_int_equal(fs_lane_capacity(lane, 28), least / 28);
            assert_true(fs_lane_capacity(lane, 48) >= 1);
        }
    }
}

static void refused(const fs_machine_params *machine, const fs_quadtree_params *params, uint32_t shards,
                    const char *told) {
    fs_arena *arena = test_arena();
    fs_overlay o;
    fs_error err = {0};
    assert_int_equal(fs_overlay_quadtree.plan(
                         params, &(fs_overlay_site){.machine = machine, .shards = shards}, arena, &o, &err),
                     FS_INPUT);
    assert_says(err.text, told);
}

TEST(what_does_not_fit_is_refused) {
    refused(&gc200, &paper, 1000, "nearest are 256 and 1024");
    refused(&gc200, &paper, 5, "nearest are 4 and 16");
    refused(&gc200, &paper, 512, "found 512");
    refused(&gc200, &paper, 0, "the smallest is 4");
    refused(&gc200, &paper, 1, "the smallest is 4");
    refused(&gc200, &paper, 4096, "4096 tracers, 1365 routers and a generator = 5462 tiles");
    refused(&small, &paper, 256, "machine \"gc200-small\" has 96");
    fs_machine_params tight = small;
    tight.geometry = (fs_geometry_params){7, 3, 4}; /* 84 tiles: 64 + 21 leave none for the generator */
    refused(&tight, &paper, 64, "= 86 tiles");
    fs_quadtree_params p = paper;
    p.generator.tile = 84;
    refused(&small, &p, 64, "overlay.generator_tile");
    p.generator.tile = 96;
    refused(&small, &p, 64, "85 ... 95");
}

TEST(defaults_are_the_papers) {
    fs_arena *arena = test_arena();
    fs_quadtree_params params;
    assert_int_equal(fs_overlay_quadtree.table->size, sizeof params);
    fs_params_default(arena, fs_overlay_quadtree.table, &params);
    fs_quadtree_params expected = paper;
    expected.router_buffer = expected.tracer_buffer = expected.generator.buffer = FS_WORD_VALUE;
    assert_memory_equal(&params, &expected, sizeof params);
    /* Left to the rule they are the paper's on its tile. */
    fs_overlay given, ruled;
    fs_error err = {.status = FS_OK};
    const fs_overlay_site site = {.machine = &gc200, .shards = 1024, .payload_bytes = 20};
    assert_int_equal(fs_overlay_quadtree.plan(&paper, &site, arena, &given, &err), FS_OK);
    assert_int_equal(fs_overlay_quadtree.plan(&params, &site, arena, &ruled, &err), FS_OK);
    assert_int_equal(given.lane_count, ruled.lane_count);
    for (uint32_t l = 0; l < given.lane_count; l++)
        assert_true(given.lanes[l].src_share == ruled.lanes[l].src_share &&
                    given.lanes[l].dst_share == ruled.lanes[l].dst_share && given.lanes[l].src_share > 0);
}

/* ---- the check finds what is broken: mutations of a sound overlay of 64 tracers ---- */

enum { LEAF_ROUTER = 64, ROOT = 84, GENERATOR = 85, SPARE = 90 };

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t t = *a;
    *a = *b;
    *b = t;
}
static void no_such_role(fs_overlay *o) {
    o->role[5] = FS_ROLE_COUNT;
}
static void tracer_turned_router(fs_overlay *o) {
    o->role[5] = FS_ROLE_ROUTER;
}
static void router_turned_spare(fs_overlay *o) {
    o->role[LEAF_ROUTER] = FS_ROLE_SPARE;
}
static void one_spare_too_many(fs_overlay *o) {
    o->spares++;
}
static void router_on_no_level(fs_overlay *o) {
    o->level[LEAF_ROUTER] = 0;
}
static void router_above_the_root(fs_overlay *o) {
    o->level[LEAF_ROUTER] = 4;
}
static void generator_elsewhere(fs_overlay *o) {
    o->generator_tile = SPARE;
}
static void generator_off_the_chip(fs_overlay *o) {
    o->generator_tile = 96;
}
static void shards_swapped(fs_overlay *o) {
    swap(&o->tracer_tile[3], &o->tracer_tile[4]);
}
static void shard_on_a_router(fs_overlay *o) {
    o->tracer_tile[3] = LEAF_ROUTER;
}
static void router_with_a_shard(fs_overlay *o) {
    o->shard_of_tile[LEAF_ROUTER] = 3;
}
static void lane_to_a_spare(fs_overlay *o) {
    o->lanes[7].dst = SPARE;
}
static void lane_to_itself(fs_overlay *o) {
    o->lanes[7].dst = o->lanes[7].src;
}
static void lane_off_the_chip(fs_overlay *o) {
    o->lanes[7].dst = 96;
}
static void lane_to_another_router(fs_overlay *o) {
    o->lanes[7].dst = LEAF_ROUTER + 5;
}
static void lane_without_sender_buffer(fs_overlay *o) {
    o->lanes[9].src_share = 0;
}
static void lane_without_receiver_buffer(fs_overlay *o) {
    o->lanes[9].dst_share = 0;
}
static void lanes_out_of_order(fs_overlay *o) {
    fs_lane t = o->lanes[10];
    o->lanes[10] = o->lanes[11];
    o->lanes[11] = t;
}
static void ports_swapped(fs_overlay *o) {
    swap(&o->in_lane[o->in_start[LEAF_ROUTER]], &o->in_lane[o->in_start[LEAF_ROUTER] + 1]);
}
static void out_lanes_swapped(fs_overlay *o) {
    swap(&o->out_lane[0], &o->out_lane[1]);
}
/* A router hears child 0 at port 1 and child 1 at port 0: every ray arrives, but answers would go astray. */
static void answers_cross(fs_overlay *o) {
    uint32_t *in = &o->in_lane[o->in_start[LEAF_ROUTER]];
    swap(&o->lanes[in[0]].dst_port, &o->lanes[in[1]].dst_port);
    swap(&in[0], &in[1]);
}
static void lost_lane(fs_overlay *o) { /* the last lane is the generator's own */
    o->lane_count--;
    for (uint32_t t = GENERATOR + 1; t <= o->tiles; t++)
        o->out_start[t]--;
}
static void routes_missing(fs_overlay *o) {
    o->route_start[ROOT] = (int64_t)o->route_count - 1;
}
static void route_to_no_port(fs_overlay *o) {
    o->route[o->route_start[ROOT] + 3] = 5;
}
static void route_to_the_generator(fs_overlay *o) {
    o->route[o->route_start[ROOT] + 3] = 4;
}
static void route_back_down(fs_overlay *o) {
    o->route[o->route_start[LEAF_ROUTER] + 63] = 0;
}

TEST(mutations_are_found) {
#define MUTATION(f)                                                                                          \
    { f, #f }
    static const struct {
        void (*mutate)(fs_overlay *o);
        const char *name;
    } mutations[] = {
        MUTATION(no_such_role),
        MUTATION(tracer_turned_router),
        MUTATION(router_turned_spare),
        MUTATION(one_spare_too_many),
        MUTATION(router_on_no_level),
        MUTATION(router_above_the_root),
        MUTATION(generator_elsewhere),
        MUTATION(generator_off_the_chip),
        MUTATION(shards_swapped),
        MUTATION(shard_on_a_router),
        MUTATION(router_with_a_shard),
        MUTATION(lane_to_a_spare),
        MUTATION(lane_to_itself),
        MUTATION(lane_off_the_chip),
        MUTATION(lane_to_another_router),
        MUTATION(lane_without_sender_buffer),
        MUTATION(lane_without_receiver_buffer),
        MUTATION(lanes_out_of_order),
        MUTATION(ports_swapped),
        MUTATION(out_lanes_swapped),
        MUTATION(answers_cross),
        MUTATION(lost_lane),
        MUTATION(routes_missing),
        MUTATION(route_to_no_port),
        MUTATION(route_to_the_generator),
        MUTATION(route_back_down),
    };
#undef MUTATION
    for (size_t i = 0; i < sizeof mutations / sizeof mutations[0]; i++) {
        fs_arena *arena = test_arena();
        fs_overlay o = plan(arena, &small, 64);
        fs_error err = {0};
        assert_int_equal(fs_overlay_check(&o, &err), FS_OK);
        mutations[i].mutate(&o);
        if (fs_overlay_check(&o, &err) != FS_BROKEN || err.text[0] == '\0')
            fail_msg("%s went unnoticed", mutations[i].name);
    }
}

/* In a tree there is one way, so any other port anywhere is a loop or a dead end. */
TEST(any_wrong_route_is_found) {
    fs_rng rng = fs_rng_stream(test_seed(11), "test/overlay/routes");
    fs_arena *arena = test_arena();
    fs_overlay o = plan(arena, &small, 64);
    for (int i = 0; i < 2000; i++) {
        uint64_t at = fs_rng_below(&rng, (uint32_t)o.route_count);
        uint8_t right = o.route[at];
        o.route[at] = (uint8_t)((right + 1 + fs_rng_below(&rng, 4)) % 5);
        fs_error err = {0};
        assert_int_equal(fs_overlay_check(&o, &err), FS_BROKEN);
        o.route[at] = right;
    }
    fs_error err = {0};
    assert_int_equal(fs_overlay_check(&o, &err), FS_OK);
}

TEST(only_whole_sets_of_ports_index) {
    fs_arena *arena = test_arena();
    fs_overlay sound = plan(arena, &small, 16);
    static const struct {
        uint32_t lane, src_port, dst_port, dst;
    } bad[] = {{3, 1, 0, 17}, {0, 0, 4, 16}, {3, 0, 7, 16}, {3, 0, 3, 96}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fs_overlay o = sound;
        o.lanes = FS_NEW(arena, fs_lane, o.lane_count);
        memcpy(o.lanes, sound.lanes, o.lane_count * sizeof *o.lanes);
        fs_lane *lane = &o.lanes[bad[i].lane];
        lane->src_port = bad[i].src_port;
        lane->dst_port = bad[i].dst_port;
        lane->dst = bad[i].dst;
        fs_error err = {0};
        assert_int_equal(fs_overlay_index(&o, arena, &err), FS_BROKEN);
    }
    /* Any order of the lanes gives the same overlay. */
    fs_overlay o = sound;
    o.lanes = FS_NEW(arena, fs_lane, o.lane_count);
    for (uint32_t l = 0; l < o.lane_count; l++)
        o.lanes[l] = sound.lanes[(l * 5 + 3) % o.lane_count]; /* 5 does not divide the 42 lanes */
    fs_error err = {0};
    assert_int_equal(fs_overlay_index(&o, arena, &err), FS_OK);
    assert_memory_equal(o.lanes, sound.lanes, o.lane_count * sizeof *o.lanes);
    assert_memory_equal(o.in_lane, sound.in_lane, o.lane_count * sizeof *o.in_lane);
    assert_int_equal(fs_overlay_check(&o, &err), FS_OK);
}

RUN_TESTS(NULL, NULL)
