/* Overlays from files: the networks in configs/ against the kinds that build the same, tables of one's own,
 * shares, and every mistake with its place. */
#include "models/overlay/kinds/kinds.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/overlay_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static fs_machine_params small, gc200;

static int setup(void **state) {
    (void)state;
    small = fs_test_small();
    gc200 = fs_test_gc200();
    return 0;
}

static fs_file_params params_of(fs_arena *arena, const char *path) {
    fs_file_params p;
    fs_params_default(arena, &fs_overlay_file_table, &p);
    p.file = path;
    return p;
}

static fs_overlay_site site_of(const fs_machine_params *machine, uint32_t shards) {
    return (fs_overlay_site){.machine = machine, .shards = shards, .payload_bytes = 20};
}

static fs_overlay plan_file(fs_arena *arena, const char *path, const fs_machine_params *machine,
                            uint32_t shards) {
    const fs_file_params p = params_of(arena, path);
    const fs_overlay_site site = site_of(machine, shards);
    const fs_overlay o = overlay_plan(&fs_overlay_file, &p, &site, arena);
    overlay_passes(&o, path);
    return o;
}

TEST(two_roots_are_a_fat_tree) {
    fs_arena *arena = test_arena();
    const fs_overlay file = plan_file(arena, "configs/overlays/networks/two-roots-64.yaml", &small, 64);
    static const int64_t widths[] = {1, 1, 2};
    fs_fat_tree_params p;
    fs_params_default(arena, &fs_overlay_fat_tree_table, &p);
    p.widths = (fs_int_list){widths, 3};
    p.widths_given = true;
    p.generator.tile = 86;
    const fs_overlay_site site = site_of(&small, 64);
    const fs_overlay fat = overlay_plan(&fs_overlay_fat_tree, &p, &site, arena);
    overlay_equal(&file, &fat, "two roots");
}

/* Rays from the first subtree take the root that the tables name; the ways stay shortest. */
TEST(own_tables_are_followed) {
    fs_arena *arena = test_arena();
    const fs_overlay o = plan_file(arena, "configs/overlays/networks/odd-roots-64.yaml", &small, 64);
    overlay_is_shortest(&o, "odd roots");
    for (uint32_t tile = 80; tile < 84; tile++)
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t port = o.route[o.route_start[tile] + i];
            const fs_lane *lane = &o.lanes[o.out_lane[o.out_start[tile] + port]];
            assert_int_equal(lane->dst, i / 16 == tile - 80 ? 64 + i / 4 : i < 32 ? 84 : 85);
            assert_true(lane->choices <= 1);
        }
}

TEST(torus_distances) {
    fs_arena *arena = test_arena();
    const fs_overlay o = plan_file(arena, "configs/overlays/networks/torus-64.yaml", &small, 64);
    overlay_is_shortest(&o, "torus");
    assert_int_equal(o.levels, 0);
    for (uint32_t a = 0; a < 64; a++)
        for (uint32_t b = 0; b < 64; b++) {
            const uint32_t x = (a - b) % 8, y = (a / 8 - b / 8) % 8;
            assert_int_equal(fs_overlay_distance(&o, a, b),
                             (x < 8 - x ? x : 8 - x) + (y < 8 - y ? y : 8 - y));
        }
}

#define TORUS                                                                                                \
    "tiles: [{tiles: 0-63, role: tracer, table: true}, {tiles: 64, role: generator}]\n"                      \
    "lanes: [{grid: [8, 8], tiles: 0-63, wrap: true}, {from: 36, to: 64}]\n"

/* One line for the twelve of the committed torus. */
TEST(a_grid_is_its_lanes) {
    fs_arena *arena = test_arena();
    scratch_write("g.yaml", TORUS);
    const fs_overlay torus = plan_file(arena, "configs/overlays/networks/torus-64.yaml", &small, 64),
                     grid = plan_file(arena, "g.yaml", &small, 64);
    overlay_equal(&torus, &grid, "torus");
    assert_int_equal(remove("g.yaml"), 0);
}

/* A 16 x 16 mesh and torus as one line each: distances in both, lanes counted. */
TEST_IN(grids_have_their_distances, scratch_enter, scratch_leave) {
    for (uint32_t wrap = 0; wrap < 2; wrap++) {
        char text[256];
        snprintf(text, sizeof text,
                 "tiles: [{tiles: 0-255, role: tracer, table: true}, {tiles: 256, role: generator}]\n"
                 "lanes: [{grid: [16, 16], tiles: 0-255, wrap: %s}, {from: 136, to: 256}]\n",
                 wrap ? "true" : "false");
        scratch_write("g.yaml", text);
        fs_arena *arena = test_arena();
        const fs_overlay o = plan_file(arena, "g.yaml", &gc200, 256);
        assert_int_equal(o.lane_count, 2 * ((wrap ? 2 * 256 : 2 * 15 * 16) + 1));
        for (uint32_t a = 0; a < 256; a++)
            for (uint32_t b = 0; b < 256; b++) {
                const uint32_t x = (uint32_t)abs((int)(a % 16) - (int)(b % 16)),
                               y = (uint32_t)abs((int)(a / 16) - (int)(b / 16));
                assert_int_equal(fs_overlay_distance(&o, a, b),
                                 (wrap && x > 8 ? 16 - x : x) + (wrap && y > 8 ? 16 - y : y));
            }
    }
}

/* Rings of two and one tiles have no second lane; every fourth tile by a step. */
TEST_IN(narrow_grids_and_steps, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    scratch_write("g.yaml",
                  "tiles: [{tiles: 0-20/4, role: tracer, table: true}, {tiles: 1, role: generator}]\n"
                  "lanes: [{grid: [2, 3], tiles: [0 - 12 / 4, 16-20/4], wrap: true, share: 40 B}, "
                  "{from: 0, to: 1}]\n");
    const fs_overlay o = plan_file(arena, "g.yaml", &small, 6);
    assert_int_equal(o.lane_count, 2 * (3 + 4 + 2 + 1));
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(o.tracer_tile[i], 4 * i);
    assert_int_equal(o.lanes[0].src_share, 40);
}

TEST_IN(six_lines_are_the_quadtree, scratch_enter, scratch_leave) {
    scratch_write("q.yaml", "tiles:\n"
                            "  - { tiles: 0-1023, role: tracer }\n"
                            "  - { tiles: 1024-1279, role: router, level: 1 }\n"
                            "  - { tiles: 1280-1343, role: router, level: 2 }\n"
                            "  - { tiles: 1344-1359, role: router, level: 3 }\n"
                            "  - { tiles: [1360-1363], role: router, level: 4 }\n"
                            "  - { tiles: 1364, role: router, level: 5 }\n"
                            "  - { tiles: 1460, role: generator }\n"
                            "lanes:\n"
                            "  - { from: 0-1023, to: 1024-1279, match: blocks }\n"
                            "  - { from: 1024-1279, to: 1280-1343, match: blocks }\n"
                            "  - { from: 1280-1343, to: 1344-1359, match: blocks }\n"
                            "  - { from: 1344-1359, to: 1360-1363, match: blocks }\n"
                            "  - { from: [1360, 1361 - 1363], to: 1364 }\n"
                            "  - { from: 1364, to: 1460 }\n");
    fs_arena *arena = test_arena();
    const fs_overlay file = plan_file(arena, "q.yaml", &gc200, 1024);
    fs_quadtree_params p;
    fs_params_default(arena, &fs_overlay_quadtree_table, &p);
    const fs_overlay_site site = site_of(&gc200, 1024);
    const fs_overlay quad = overlay_plan(&fs_overlay_quadtree, &p, &site, arena);
    overlay_equal(&file, &quad, "quadtree");
}

/* A lane's own share comes off the tile's buffer; the rest is split among the others. */
TEST_IN(shares_are_kept, scratch_enter, scratch_leave) {
    scratch_write("s.yaml", "tiles:\n"
                            "  - { tiles: 0-2, role: tracer }\n"
                            "  - { tiles: 3, role: router }\n"
                            "  - { tiles: 4, role: generator }\n"
                            "lanes:\n"
                            "  - { from: 0-1, to: 3 }\n"
                            "  - { from: 2, to: 3, share: 10 kB }\n"
                            "  - { from: 3, to: 4 }\n");
    fs_arena *arena = test_arena();
    const fs_overlay o = plan_file(arena, "s.yaml", &small, 3);
    for (uint32_t l = 0; l < o.lane_count; l++) {
        const fs_lane *lane = &o.lanes[l];
        const bool own = lane->src == 2 || lane->dst == 2;
        const uint32_t share = lane->src == 3 ? lane->src_share : lane->dst_share;
        assert_int_equal(share, own ? 10000 : (576000 - 20000) / 6 / 4 * 4);
        if (own)
            assert_int_equal(lane->src_share, lane->dst_share);
    }
}

#define TILES "tiles: [{tiles: 0-3, role: tracer}, {tiles: 4-5, role: router}, {tiles: 6, role: generator}]\n"
#define LANES "lanes: [{from: 0-3, to: 4-5}, {from: 4-5, to: 6}]\n"

TEST_IN(mistakes_are_told_with_their_place, scratch_enter, scratch_leave) {
    static const struct {
        const char *text, *told[3];
    } wrong[] = {
        {"", {"x.yaml:1:1: expected a mapping"}},
        {"tiles: []\nlanes: []\n", {"x.yaml:1:8: tiles: expected one generator, found 0"}},
        {"lanes: []\n", {"x.yaml:1:1: tiles: missing"}},
        {"tiles: 7\n", {"x.yaml:1:8: tiles: expected a list, found \"7\""}},
        {TILES LANES "route: []\n",
         {"x.yaml:3:1: route: unknown key; expected one of tiles, lanes or routes"}},
        {"tiles:\n- 5\n- {tile: 3, role: tracer}\n- {tiles: 3, role: racer}\n- {tiles: 9-3, role: tracer}\n",
         {"x.yaml:2:3: tiles[0]: expected a mapping with tiles, role, level and table, found \"5\"",
          "x.yaml:3:4: tiles[1].tile: unknown key; expected one of tiles, role, level or table; did you mean "
          "\"tiles\"?",
          "x.yaml:4:20: tiles[2].role: expected one of tracer, router or generator, found \"racer\""}},
        {"tiles:\n- {tiles: 9-3, role: tracer}\n- {tiles: [1, 96], role: tracer}\n- {role: tracer}\n",
         {"x.yaml:2:11: tiles[0].tiles: expected a number from 0 to 95, a range such as 0-95, one with a "
          "step such as 0-95/2, or a list of these, found \"9-3\"",
          "x.yaml:3:15: tiles[1].tiles[1]: expected a number from 0 to 95",
          "x.yaml:4:3: tiles[2].tiles: missing"}},
        {"tiles: [{tiles: 1, role: tracer, level: 2}, {tiles: 2, role: router, table: true},\n"
         "{tiles: 3, role: router, level: 0}, {tiles: [], role: tracer}]\n",
         {"x.yaml:1:41: tiles[0].level: only routers have levels",
          "x.yaml:1:77: tiles[1].table: routers always have one",
          "x.yaml:2:33: tiles[2].level: expected an integer from 1 to 14, found \"0\""}},
        {"tiles: [{tiles: 0-3, role: tracer}, {tiles: 4-5, role: router, level: 15}]\n",
         {"x.yaml:1:71: tiles[1].level: expected an integer from 1 to 14, found \"15\""}},
        {"tiles:\n- {tiles: 0-3, role: tracer}\n- {tiles: 3-5, role: router}\n",
         {"x.yaml:3:3: tiles[1]: tile 3 is a tracer already"}},
        {"tiles:\n- {tiles: 0-3, role: tracer}\n- {tiles: 4-5, role: generator}\n",
         {"tiles: expected one generator, found 2"}},
        {"tiles:\n- {tiles: 0, role: generator}\n", {"x.yaml:2:1: tiles: expected tracers, found none"}},
        {"tiles:\n- {tiles: 0-2, role: tracer}\n- {tiles: 4, role: generator}\n",
         {"x.yaml:1:1: tiles: the workload has 4 shards; expected as many tracers, found 3"}},
        {TILES, {"lanes: missing"}},
        {TILES "lanes:\n- {from: 0, to: 0}\n- {from: 0, to: 9}\n- {from: 0-3, to: 4-5}\n- {from: 5, to: 2}\n",
         {"x.yaml:3:3: lanes[0]: joins tile 0 to itself", "x.yaml:4:3: lanes[1]: tile 9 has no role in tiles",
          "x.yaml:6:3: lanes[3]: tiles 5 and 2 are joined already"}},
        {TILES "lanes:\n- {from: 0-2, to: 4-5, match: blocks}\n- {from: 0, to: 4, match: each one}\n"
               "- {from: 0, to: 4, share: 19 B}\n",
         {"x.yaml:3:3: lanes[0]: match: blocks gives each tile of the shorter side",
          "x.yaml:4:27: lanes[1].match: expected one of each or blocks, found \"each one\"",
          "x.yaml:5:27: lanes[2].share: expected a quantity from 20 B to 1 GB, found \"19 B\""}},
        {TILES "lanes: [{from: 0-3, to: 4}, {from: 4, to: 6}]\n", {"lanes: tile 5, a router, has none"}},
        {TILES "lanes:\n- {grid: [2, 3], tiles: 0-3}\n- {grid: 4, tiles: 0-3}\n- {grid: [2, 2]}\n",
         {"x.yaml:3:25: lanes[0].tiles: a grid of 2 columns and 3 rows has 6 tiles, found 4",
          "x.yaml:4:10: lanes[1].grid: expected columns and rows, [16, 16], found \"4\"",
          "x.yaml:5:3: lanes[2].tiles: missing"}},
        {TILES "lanes:\n- {grid: [2, 2], tiles: 0-3, from: 1}\n- {grid: [0, 2], tiles: 0-3}\n"
               "- {grid: [2, 2], tiles: 0-3, wrap: perhaps}\n",
         {"x.yaml:3:30: lanes[0].from: unknown key; expected one of grid, tiles, wrap or share",
          "x.yaml:4:11: lanes[1].grid[0]: expected an integer from 1 to 96, found \"0\"",
          "x.yaml:5:36: lanes[2].wrap: expected"}},
        {TILES "lanes:\n- {grid: [2, 2], tiles: 0-3}\n- {from: 0, to: 1}\n- {grid: [2, 1], tiles: [8, 9]}\n",
         {"x.yaml:4:3: lanes[1]: tiles 0 and 1 are joined already",
          "x.yaml:5:3: lanes[2]: tile 8 has no role in tiles"}},
        {TILES "lanes: [{from: 0-3/0, to: 4}, {from: 0-3/x, to: 4}, {from: 0/2, to: 4}]\n",
         {"x.yaml:2:16: lanes[0].from: expected a number from 0 to 95, a range such as 0-95, one with a step "
          "such as 0-95/2",
          "x.yaml:2:38: lanes[1].from: expected a number", "x.yaml:2:60: lanes[2].from: expected a number"}},
        {TILES LANES
         "routes:\n- {tiles: 0, default: 4}\n- {tiles: 4, default: 7}\n- {tiles: 4, default: 0}\n",
         {"x.yaml:4:11: routes[0].tiles: tile 0, a tracer, has no table",
          "x.yaml:5:23: routes[1].default: no lane joins tiles 4 and 7",
          "x.yaml:6:11: routes[2].tiles: tile 4 has routes already"}},
        {TILES LANES "routes:\n- {tiles: 4, ways: [{to: 0-4, via: 0}, {to: 0, via: 0}, {to: 0, via: 1}]}\n",
         {"x.yaml:4:26: routes[0].ways[0].to: expected a number from 0 to 3",
          "x.yaml:4:62: routes[0].ways[2].to: tracer 0 has a way from tile 4 already"}},
        {TILES LANES
         "routes:\n- {tiles: 4, ways: [{to: 0-2, via: [0, 2]}]}\n- {tiles: 5, ways: [{to: 0, via: "
         "0}]}\n- {tiles: 5}\n",
         {"x.yaml:4:36: routes[0].ways[0].via: choices must be listed one after the other",
          "x.yaml:5:3: routes[1]: no way from tile 5 to tracer 1, and no default",
          "x.yaml:6:11: routes[2].tiles: tile 5 has routes already"}},
        {TILES LANES "routes:\n- {tiles: 5}\n", {"x.yaml:4:3: routes[0].ways: missing"}},
        {TILES LANES "routes:\n- {tiles: 5, ways: [{to: 0, via: 0}]}\n",
         {"x.yaml:4:3: routes[0]: no way from tile 5 to tracer 1, and no default"}},
        {TILES LANES "routes:\n- {tiles: 5, default: [0-1], ways: [{to: 0, via: 0}]}\n",
         {"tile 5 has ways that begin at tile 0 with 1 and with 2 choices"}},
        /* what fs_overlay_check finds is the file's mistake too */
        {TILES LANES "routes:\n- {tiles: 5, default: 6}\n",
         {"x.yaml:1:1: overlay: tracer 0 (tile 0) is not reached"}},
        {TILES "lanes: [{from: 0-1, to: 4}, {from: 2-3, to: 5}, {from: 4-5, to: 6}]\n",
         {"x.yaml:1:1: overlay: tracer 0 (tile 0) is not reached from tile"}},
        {TILES "lanes: [{from: 0-3, to: 4}, {from: 4, to: 5}, {from: 4-5, to: 6}]\n",
         {"may send a ray for tracer 0 on ways of 2 and of 3 lanes"}},
        {"tiles: [{tiles: 0-3, role: tracer}, {tiles: 4-5, role: router}\n", {"x.yaml:2:1:"}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fs_arena *arena = test_arena();
        scratch_write("x.yaml", wrong[i].text);
        const fs_file_params p = params_of(arena, "x.yaml");
        const fs_overlay_site site = site_of(&small, 4);
        for (size_t w = 0; w < 3 && wrong[i].told[w] != NULL; w++)
            overlay_refused(&fs_overlay_file, &p, &site, wrong[i].told[w]);
    }
}

TEST_IN(sound_small_files_pass, scratch_enter, scratch_leave) {
    static const char *const sound[] = {
        TILES LANES,
        TILES LANES "routes:\n- {tiles: 4-5, ways: [{to: 0, via: 0}, {to: [1, 2-3], via: [1]}]}\n",
        TILES "lanes: [{from: 0-3, to: 4-5}, {from: 4, to: 6}]\nroutes: []\n",
    };
    fs_arena *arena = test_arena();
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        scratch_write("x.yaml", sound[i]);
        const fs_file_params p = params_of(arena, "x.yaml");
        const fs_overlay_site site = site_of(&small, 4);
        if (i == 1) /* both routers send tracers 2 and 3 to tracer 1, which passes nothing on */
            overlay_refused(&fs_overlay_file, &p, &site, "the routes end elsewhere");
        else
            plan_file(arena, "x.yaml", &small, 4);
    }
}

/* Figures by level have room for so many, whoever planned the overlay. */
TEST(levels_have_one_limit) {
    fs_arena *arena = test_arena();
    fs_overlay o = plan_file(arena, "configs/overlays/networks/two-roots-64.yaml", &small, 64);
    const uint32_t more[] = {FS_MAX_ROUTER_LEVELS, FS_MAX_ROUTER_LEVELS + 1, 200};
    for (size_t i = 0; i < 3; i++) {
        fs_error err = {0};
        o.levels = more[i];
        o.level[o.generator_tile] = (uint8_t)(more[i] + 1);
        fs_status status = fs_overlay_check(&o, &err);
        assert_int_equal(status, i == 0 ? FS_OK : FS_INPUT);
        assert_true(i == 0 || strstr(err.text, "levels of routers; at most 14 are allowed") != NULL);
    }
}

TEST_IN(a_file_that_is_not_there, scratch_enter, scratch_leave) {
    fs_arena *arena = test_arena();
    const fs_file_params p = params_of(arena, "nowhere.yaml");
    const fs_overlay_site site = site_of(&small, 4);
    overlay_refused(&fs_overlay_file, &p, &site, "can't open \"nowhere.yaml\"");
}

RUN_TESTS(setup, NULL)
