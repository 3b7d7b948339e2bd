/* Every kind, many sizes, with and without replicas: what the check demands, and what replicas may and may
 * not change. The kinds' own tests look at their structure. */
#include "models/overlay/kinds/kinds.h"
#include "registry/registry.h"
#include "sim/base/rng.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/overlay_case.h"
#include "tests/support/test.h"

static fs_machine_params gc200;

static int setup(void **state) {
    (void)state;
    gc200 = fs_test_gc200();
    gc200.memory.exchange_code_per_message = 8;
    return 0;
}

/* A ring of shards with a chord to the opposite side, and memory left that differs from tile to tile. */
static fs_overlay_site site_of(fs_arena *arena, uint32_t shards) {
    uint32_t *start = FS_NEW(arena, uint32_t, shards + 1), *neighbour = FS_NEW(arena, uint32_t, 4 * shards);
    uint64_t *left = FS_NEW(arena, uint64_t, shards);
    uint32_t n = 0;
    for (uint32_t s = 0; s < shards; s++) {
        left[s] = 30000 + 977 * (s % 41);
        start[s] = n;
        for (uint32_t b = 0; b < shards; b++) {
            const uint32_t apart = s > b ? s - b : b - s;
            if (apart == 1 || apart == shards - 1 || (apart == shards / 2 && apart > 0))
                if (apart > 0)
                    neighbour[n++] = b;
        }
    }
    start[shards] = n;
    return (fs_overlay_site){.machine = &gc200,
                             .shards = shards,
                             .payload_bytes = 20,
                             .free_tracer = left,
                             .free_router = 500001,
                             .free_generator = 600000,
                             .neighbour_start = start,
                             .neighbour = neighbour};
}

/* One plan of each kind: defaults where they fit, what is left where a kind can. */
typedef struct kind_case {
    const char *name;
    const fs_overlay_kind *kind;
    void (*params)(void *params);
    bool any_size; /* else powers of four */
} kind_case;

static const int64_t two_leaves[] = {2, 2, 1, 3};
static uint32_t levels_now;

static void as_they_are(void *params) {
    (void)params;
}
static void quadtree_of_what_is_left(void *params) {
    fs_quadtree_params *p = params;
    p->router_buffer = p->tracer_buffer = p->generator.buffer = 0;
}
/* Two leaf routers to each tracer: tracers with two ports. */
static void fat_leaves(void *params) {
    fs_fat_tree_params *p = params;
    p->widths = (fs_int_list){two_leaves, levels_now};
    p->widths_given = true;
}
static void arity_seven(void *params) {
    fs_overlay_tree_params *p = params;
    p->arity = 7;
    p->router_buffer = 0;
}
static void three_columns(void *params) {
    ((fs_mesh_params *)params)->columns = 3;
}
static void small_lanes(void *params) {
    ((fs_direct_params *)params)->lane_buffer = 0;
}

static const kind_case cases[] = {
    {"quadtree", &fs_overlay_quadtree, as_they_are, false},
    {"quadtree of what is left", &fs_overlay_quadtree, quadtree_of_what_is_left, false},
    {"fat tree", &fs_overlay_fat_tree, as_they_are, false},
    {"fat tree with fat leaves", &fs_overlay_fat_tree, fat_leaves, false},
    {"tree", &fs_overlay_tree, as_they_are, true},
    {"tree of arity 7", &fs_overlay_tree, arity_seven, true},
    {"mesh", &fs_overlay_mesh, as_they_are, true},
    {"mesh of three columns", &fs_overlay_mesh, three_columns, true},
    {"direct", &fs_overlay_direct, as_they_are, true},
    {"direct of what is left", &fs_overlay_direct, small_lanes, true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static fs_overlay plan_case(const kind_case *c, uint32_t shards, fs_arena *arena) {
    void *params = fs_arena_alloc(arena, 1, c->kind->table->size);
    fs_params_default(arena, c->kind->table, params);
    levels_now = 0;
    for (uint32_t n = 1; n < shards; n *= 4)
        levels_now++;
    c->params(params);
    const fs_overlay_site site = site_of(arena, shards);
    return overlay_plan(c->kind, params, &site, arena);
}

static uint32_t size_of(const kind_case *c, uint32_t n, fs_rng *rng) {
    return c->any_size ? 4 + fs_rng_below(rng, 160) : 4u << 2 * (n % 4);
}

static bool among(uint32_t word, const uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (words[i] == word)
            return true;
    return false;
}

/* Shards keep their owners and get the new ones behind them; new tracers sit on the lowest spare tiles. */
static void owners_follow(const fs_overlay *before, const fs_overlay *after, const uint32_t *hot,
                          uint32_t count, uint32_t copies) {
    uint32_t spare = 0, tracer = before->tracers;
    assert_int_equal(after->shards, before->shards);
    assert_int_equal(after->tracers, before->tracers + count * (copies - 1));
    assert_int_equal(after->owner_start[after->shards], after->tracers);
    assert_int_equal(after->spares + after->tracers, before->spares + before->tracers);
    for (uint32_t h = 0; h < count; h++)
        for (uint32_t c = 1; c < copies; c++, spare++, tracer++) {
            while (before->role[spare] != FS_ROLE_SPARE)
                spare++;
            assert_int_equal(after->tracer_tile[tracer], spare);
            assert_int_equal(after->shard_of_tile[spare], hot[h]);
            assert_true(among(tracer, after->owner + after->owner_start[hot[h]],
                              after->owner_start[hot[h] + 1] - after->owner_start[hot[h]]));
        }
    for (uint32_t s = 0; s < before->shards; s++) {
        const uint32_t had = before->owner_start[s + 1] - before->owner_start[s];
        const uint32_t has = after->owner_start[s + 1] - after->owner_start[s];
        assert_int_equal(has, had + (among(s, hot, count) ? copies - 1 : 0));
        assert_memory_equal(after->owner + after->owner_start[s], before->owner + before->owner_start[s],
                            had * sizeof(uint32_t));
    }
}

/* A replica is as far as its owner, a lane more where the owner routes; all other ways are as they were. */
static void distances_follow(const fs_overlay *before, const fs_overlay *after, const char *what) {
    for (uint32_t to = 0; to < after->tracers; to++) {
        const uint32_t shard = after->shard_of_tile[after->tracer_tile[to]];
        const bool routes = before->route_start[before->tracer_tile[shard]] >= 0,
                   replica = to >= before->tracers;
        for (uint32_t from = 0; from <= before->tracers; from++) {
            const uint32_t start = from == before->tracers ? UINT32_MAX : from;
            const uint32_t owner = fs_overlay_distance(before, start, replica ? shard : to);
            const uint32_t want = owner + (replica && routes);
            if (fs_overlay_distance(after, start, to) != want)
                fail_msg("%s: tracer %u to %u takes %u lanes, not %u", what, from, to,
                         fs_overlay_distance(after, start, to), want);
        }
    }
}

/* No tile gives more than before, and access tiles share evenly. */
static void buffers_follow(const fs_overlay *before, const fs_overlay *after, fs_arena *arena) {
    const uint64_t *had = overlay_buffer_bytes(before, arena), *has = overlay_buffer_bytes(after, arena);
    for (uint32_t t = 0; t < before->tiles; t++) {
        const uint32_t ends = 2 * fs_overlay_in_degree(after, t);
        const uint32_t more = ends - 2 * fs_overlay_in_degree(before, t);
        if (before->role[t] == FS_ROLE_SPARE)
            continue;
        if (more == 0)
            assert_int_equal(has[t], had[t]);
        else
            assert_int_equal(has[t], (had[t] - more * before->end_overhead) / ends / 4 * 4 * ends);
    }
}

TEST(replicas_of_every_kind) {
    fs_rng rng = fs_rng_stream(test_seed(23), "test/overlay/replicas");
    for (uint32_t n = 0; n < 8 * CASES; n++) {
        const kind_case *c = &cases[n % CASES];
        fs_arena *arena = test_arena();
        const uint32_t shards = size_of(c, n / CASES, &rng);
        const fs_overlay before = plan_case(c, shards, arena);
        char what[64];
        snprintf(what, sizeof what, "%s of %u shards", c->name, shards);
        overlay_passes(&before, what);
        uint32_t hot[6], count = 0;
        for (uint32_t i = 0; i < 6; i++) {
            const uint32_t s = fs_rng_below(&rng, shards);
            if (!among(s, hot, count))
                hot[count++] = s;
        }
        const uint32_t copies = 2 + fs_rng_below(&rng, 4);
        fs_overlay after = before;
        fs_error err = {0};
        if (fs_overlay_replicate(&after, hot, count, copies, arena, &err))
            fail_msg("%s: %s", what, err.text);
        overlay_passes(&after, what);
        overlay_passes(&before, "the overlay before"); /* its arrays were left alone */
        overlay_is_shortest(&after, what);
        owners_follow(&before, &after, hot, count, copies);
        distances_follow(&before, &after, what);
        buffers_follow(&before, &after, arena);
        fs_overlay again = after;
        if (fs_overlay_replicate(&again, hot, 1, 2, arena, &err))
            fail_msg("%s again: %s", what, err.text);
        overlay_passes(&again, what);
        owners_follow(&after, &again, hot, 1, 2);
        buffers_follow(&after, &again, arena);
    }
}

/* Every kind that the registry lists, as it is when nobody sets a key: where it takes the number of shards,
 * its plan is sound, its routes are shortest, its buffers are within the tile, and replicas can hang on it. A
 * kind may refuse sizes (powers of four alone), but with a sentence that names
 * it. */
/* Places on chips move tiles: each keeps its role, its shard, its way to every other; shards lie in equal runs; with
 * `subtree` a router whose children are on one chip lies there too. */
TEST(chips_move_tiles_and_no_ways) {
    fs_rng rng = fs_rng_stream(test_seed(26), "test/overlay/chips");
    for (uint32_t round = 0; round < 60; round++) {
        fs_arena *arena = fs_arena_create();
        const kind_case *c = &cases[fs_rng_below(&rng, CASES)];
        fs_machine_params m = gc200;
        fs_error err = {0};
        m.geometry = (fs_geometry_params){8, 6, 4};
        m.chips = 2 << fs_rng_below(&rng, 3);
        m.fabric.kind = FS_CHIPS_LADDER;
        const uint32_t shards = size_of(c, round, &rng);
        if (shards > 192 * (uint32_t)m.chips / 2) {
            fs_arena_free(arena);
            continue;
        }
        const fs_machine_params whole = gc200;
        gc200 = m;
        fs_overlay a = plan_case(c, shards, arena), b = plan_case(c, shards, arena);
        gc200 = whole;
        b.placed = round % 2 ? FS_PLACED_SUBTREE : FS_PLACED_SPREAD;
        if (fs_overlay_place_on_chips(&b, &m, arena, &err))
            fail_msg("%s, %u shards: %s", c->name, shards, err.text);
        overlay_passes(&b, c->name);
        assert_int_equal(b.tiles, 192 * m.chips);
        assert_int_equal(b.chip_tiles, 192);
        for (uint32_t i = 0; i < shards; i++) {
            assert_int_equal(b.tracer_tile[i] / 192, (uint64_t)i * (uint64_t)m.chips / shards);
            assert_int_equal(fs_overlay_distance(&b, UINT32_MAX, i), fs_overlay_distance(&a, UINT32_MAX, i));
            const uint32_t to = fs_rng_below(&rng, shards);
            assert_int_equal(fs_overlay_distance(&b, i, to), fs_overlay_distance(&a, i, to));
        }
        for (uint32_t t = 0; t < b.tiles && b.placed == FS_PLACED_SUBTREE; t++) {
            uint32_t chip = UINT32_MAX;
            bool one = true;
            for (uint32_t p = 0; b.role[t] == FS_ROLE_ROUTER && p < fs_overlay_out_degree(&b, t); p++) {
                const uint32_t other = fs_overlay_neighbour(&b, t, p);
                one = one && (b.level[other] >= b.level[t] || chip == UINT32_MAX || chip == other / 192);
                chip = b.level[other] < b.level[t] ? other / 192 : chip;
            }
            assert_true(chip == UINT32_MAX || t / 192 == (one ? chip : 0));
        }
        fs_arena_free(arena);
    }
}

TEST(every_listed_kind_with_its_defaults) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 16, 31, 32, 33, 64, 100, 128, 256, 511, 512, 1000, 1024};
    for (const fs_overlay_kind *const *k = fs_overlay_kinds; *k != NULL; k++) {
        uint32_t planned = 0;
        if (strcmp((*k)->name, "file") == 0)
            continue; /* is nothing without a file; its own tests have some */
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            fs_arena *arena = test_arena();
            void *params = fs_arena_alloc(arena, 1, (*k)->table->size);
            fs_params_default(arena, (*k)->table, params);
            const fs_overlay_site site = site_of(arena, sizes[i]);
            fs_overlay o;
            fs_error err = {0};
            char what[64];
            snprintf(what, sizeof what, "%s of %u shards", (*k)->name, sizes[i]);
            if ((*k)->plan(params, &site, arena, &o, &err)) {
                assert_int_equal(err.status, FS_INPUT);
                if (strstr(err.text, "overlay") == NULL)
                    fail_msg("%s: refused without a word about the overlay: %s", what, err.text);
            } else {
                const uint32_t hot = sizes[i] / 2;
                planned++;
                overlay_passes(&o, what);
                overlay_is_shortest(&o, what);
                if (o.spares > 0 && fs_overlay_replicate(&o, &hot, 1, 2, arena, &err))
                    fail_msg("%s: %s", what, err.text);
                overlay_passes(&o, what);
            }
        }
        printf("%s: %u of %zu sizes\n", (*k)->name, planned, sizeof sizes / sizeof sizes[0]);
        if (planned < 4)
            fail_msg("%s takes %u sizes only", (*k)->name, planned);
    }
}

TEST(replicas_refused) {
    fs_arena *arena = test_arena();
    fs_overlay o = plan_case(&cases[0], 1024, arena);
    const fs_overlay before = o;
    static const struct {
        uint32_t shard[2], copies;
        const char *told;
    } wrong[] = {{{3, 1024}, 2, "different shards from 0 to 1023, found 1024"},
                 {{3, 3}, 2, "found 3 twice"},
                 {{3, 4}, 55, "2 shards with 55 tracers each need 108 spare tiles, the overlay leaves 106"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fs_error err = {0};
        assert_int_equal(fs_overlay_replicate(&o, wrong[i].shard, 2, wrong[i].copies, arena, &err), FS_INPUT);
        assert_says(err.text, wrong[i].told);
        assert_memory_equal(&o, &before, sizeof o);
    }
    fs_error err = {0};
    assert_int_equal(fs_overlay_replicate(&o, NULL, 0, 9, arena, &err), FS_OK);
    assert_int_equal(fs_overlay_replicate(&o, wrong[0].shard, 2, 1, arena, &err), FS_OK);
    assert_memory_equal(&o, &before, sizeof o);
    /* 53 + 53 more lanes at one router: within its ports. Ports run out on a small tree before tiles do. */
    assert_int_equal(fs_overlay_replicate(&o, wrong[2].shard, 1, 107, arena, &err), FS_OK);
    overlay_passes(&o, "106 replicas");
    o = plan_case(&cases[4], 16, arena);
    assert_fails(fs_overlay_replicate(&o, wrong[2].shard, 1, 237, arena, &err), FS_INPUT, &err,
                 "241 neighbours; at most 240");
}

/* ---- the check finds what is broken in overlays with choices and routing tracers ---- */

enum { LEAF = 64, LEVEL_2 = 64 + 16, ROOT = 64 + 16 + 4, GENERATOR = 1460 };

static fs_lane *lane_of(fs_overlay *o, uint32_t tile, uint32_t port) {
    return &o->lanes[o->out_lane[o->out_start[tile] + port]];
}
static uint8_t *route_of(fs_overlay *o, uint32_t tile, uint32_t tracer) {
    return &o->route[o->route_start[tile] + tracer];
}
/* One of two ways up may come down again. */
static void choice_that_loops(fs_overlay *o) {
    lane_of(o, ROOT + 1, 0)->choices = 0;
    *route_of(o, ROOT + 1, 63) = 0; /* the second root sends subtree 3 down to subtree 0 */
}
static void choice_too_many(fs_overlay *o) {
    lane_of(o, LEVEL_2, 4)->choices = 3;
}
static void choice_beyond_counting(fs_overlay *o) {
    lane_of(o, LEVEL_2, 4)->choices = UINT32_MAX;
}
/* Children 0 and 1 of a router as choices for shards of child 0. */
static void choice_of_another_child(fs_overlay *o) {
    lane_of(o, LEAF, 0)->choices = 2;
}
/* The second root is the generator's second choice and has lost its way. */
static void generator_spreads_to_nowhere(fs_overlay *o) {
    *route_of(o, ROOT + 1, 5) = 4;
}
static void uneven_pair(fs_overlay *o) {
    lane_of(o, LEAF, 2)->dst_share -= 20;
}
static void uneven_pair_of_roots(fs_overlay *o) {
    lane_of(o, ROOT, 4)->src_share = 20;
}

TEST(mutations_of_choices_are_found) {
    void (*const mutations[])(fs_overlay * o) = {choice_that_loops,
                                                 choice_too_many,
                                                 choice_beyond_counting,
                                                 choice_of_another_child,
                                                 generator_spreads_to_nowhere,
                                                 uneven_pair,
                                                 uneven_pair_of_roots};
    static const char *const told[] = {
        "loop",          "more ports than it has",  "more ports than it has", "end elsewhere",
        "end elsewhere", "both must hold the same", "both must hold the same"};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        fs_arena *arena = test_arena();
        fs_overlay o = plan_case(&cases[2], 64, arena);
        assert_int_equal(o.lanes[o.out_lane[o.out_start[LEVEL_2] + 4]].choices, 2);
        assert_int_equal(o.generator_tile, GENERATOR);
        fs_error err = {0};
        overlay_passes(&o, "sound");
        mutations[i](&o);
        if (fs_overlay_check(&o, &err) != FS_BROKEN)
            fail_msg("mutation %zu (\"%s\") went unnoticed", i, told[i]);
        assert_says(err.text, told[i]);
    }
}

/* Any change of one route of a mesh is a loop, a dead end or a detour: the first two are found. A detour is
 * no mistake, and then distances tell. */
TEST(wrong_routes_of_a_mesh_are_found) {
    fs_rng rng = fs_rng_stream(test_seed(29), "test/overlay/mesh routes");
    fs_arena *arena = test_arena();
    fs_overlay o = plan_case(&cases[6], 64, arena);
    uint32_t found = 0;
    for (int i = 0; i < 1000; i++) {
        const uint32_t tile = fs_rng_below(&rng, 64), goal = fs_rng_below(&rng, 64);
        uint8_t *route = route_of(&o, tile, goal), right = *route;
        *route = (uint8_t)((right + 1 + fs_rng_below(&rng, fs_overlay_in_degree(&o, tile) - 1)) %
                           fs_overlay_in_degree(&o, tile));
        fs_error err = {0};
        const bool broken = fs_overlay_check(&o, &err) == FS_BROKEN;
        found += broken;
        const uint32_t hops = fs_overlay_distance(&o, tile, goal);
        if (tile != goal)
            assert_true(broken == (hops == UINT32_MAX));
        *route = right;
    }
    assert_true(found > 300);
    overlay_passes(&o, "mended");
}

/* A detour that only one of two choices takes. */
TEST(unequal_choices_are_found) {
    fs_arena *arena = test_arena();
    fs_overlay o = plan_case(&cases[6], 64, arena); /* 8 x 8: the corner has ports right 0, down 1 */
    /* From corner 0 to its right neighbour, tile 2: by the lower neighbour it takes three lanes. */
    assert_int_equal(fs_overlay_distance(&o, 0, 2), 1);
    assert_int_equal(fs_overlay_distance(&o, 0, 3), 2);
    fs_overlay_check(&o, NULL);
    lane_of(&o, 0, 0)->choices = 2; /* right, or down first */
    fs_error err = {0};
    assert_fails(fs_overlay_check(&o, &err), FS_BROKEN, &err, "all choices must be equally far");
}

RUN_TESTS(setup, NULL)
