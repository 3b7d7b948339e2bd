/* Overlays whose tracers route: meshes of all sizes against distances in the grid, direct overlays over
 * random graphs of shards against a search of the graph; buffers within what is given or left; refusals. */
#include "models/overlay/kinds/kinds.h"
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
    gc200.memory.exchange_code_per_message = small.memory.exchange_code_per_message = 8;
    return 0;
}

/* A site with memory left on every tile and random shards that touch: a chain in random order, which joins
 * them all, and further pairs. */
static fs_overlay_site site_of(fs_arena *arena, uint32_t shards, fs_rng *rng, uint32_t more) {
    bool *touch = FS_NEW(arena, bool, (size_t)shards *shards);
    uint32_t *chain = FS_NEW(arena, uint32_t, shards), *start = FS_NEW(arena, uint32_t, shards + 1);
    for (uint32_t i = 0; i < shards; i++) {
        const uint32_t j = fs_rng_below(rng, i + 1);
        chain[i] = chain[j];
        chain[j] = i;
    }
    for (uint32_t i = 0; i + 1 < shards + more; i++) {
        const uint32_t a = i + 1 < shards ? chain[i] : fs_rng_below(rng, shards);
        const uint32_t b = i + 1 < shards ? chain[i + 1] : fs_rng_below(rng, shards);
        if (a != b)
            touch[(size_t)a * shards + b] = touch[(size_t)b * shards + a] = true;
    }
    uint32_t *neighbour = FS_NEW(arena, uint32_t, 2 * (shards + more)), n = 0;
    uint64_t *left = FS_NEW(arena, uint64_t, shards);
    for (uint32_t a = 0; a < shards; a++) {
        left[a] = 20000 + fs_rng_below(rng, 400000);
        start[a] = n;
        for (uint32_t b = 0; b < shards; b++)
            if (touch[(size_t)a * shards + b])
                neighbour[n++] = b;
    }
    start[shards] = n;
    return (fs_overlay_site){.machine = &gc200,
                             .shards = shards,
                             .payload_bytes = 20,
                             .free_tracer = left,
                             .free_router = 500000,
                             .free_generator = 600000,
                             .neighbour_start = start,
                             .neighbour = neighbour};
}

static uint32_t degree(const fs_overlay *o, uint32_t tile) {
    return o->out_start[tile + 1] - o->out_start[tile];
}

/* Tracers share what is left among all lanes evenly; nothing is given twice. */
static void buffers_are_what_is_left(const fs_overlay *o, const fs_overlay_site *site, fs_arena *arena) {
    const uint64_t *bytes = overlay_buffer_bytes(o, arena);
    assert_int_equal(o->end_overhead, 8);
    for (uint32_t s = 0; s < o->tracers; s++) {
        const uint64_t ends = 2 * degree(o, s);
        assert_int_equal(bytes[s], (site->free_tracer[s] - 8 * ends) / ends / 4 * 4 * ends);
    }
}

static void roles_are_tracers_and_generator(const fs_overlay *o, uint32_t shards) {
    assert_int_equal(o->tracers, shards);
    assert_int_equal(o->routers, 0);
    assert_int_equal(o->levels, 0);
    assert_int_equal(o->level[o->generator_tile], 1);
    assert_int_equal(o->spares, o->tiles - shards - 1);
}

static fs_mesh_params mesh(fs_arena *arena, int64_t columns) {
    fs_mesh_params p;
    fs_params_default(arena, &fs_overlay_mesh_table, &p);
    p.columns = columns;
    return p;
}

/* Column and row of a shard: each cut halves the longer side of the rectangle that is left, x first. */
static void place_of(uint32_t shard, uint32_t shards, uint32_t columns, uint32_t *x, uint32_t *y) {
    *x = shard % columns;
    *y = shard / columns;
    if ((shards & (shards - 1)) != 0 || (columns & (columns - 1)) != 0)
        return;
    uint32_t wide = columns, high = shards / columns;
    *x = *y = 0;
    for (uint32_t half = shards / 2; half > 0; half /= 2) { /* a cut: is the shard in its upper half? */
        if (wide >= high) {
            wide /= 2;
            *x += shard % (2 * half) / half * wide;
        } else {
            high /= 2;
            *y += shard % (2 * half) / half * high;
        }
    }
}

TEST(meshes_of_every_size) {
    fs_rng rng = fs_rng_stream(test_seed(17), "test/overlay/mesh");
    for (uint32_t n = 0; n < 90; n++) {
        fs_arena *arena = test_arena();
        const uint32_t shards = n < 11 ? 1u << n : n < 40 ? n - 10 : 1 + fs_rng_below(&rng, 400);
        const fs_overlay_site site = site_of(arena, shards, &rng, 0);
        const fs_mesh_params p = mesh(arena, n % 2 ? 1 + fs_rng_below(&rng, shards) : 0);
        const fs_overlay o = overlay_plan(&fs_overlay_mesh, &p, &site, arena);
        uint32_t columns = (uint32_t)p.columns;
        while (columns * columns < shards && p.columns == 0)
            columns++;
        if ((shards & (shards - 1)) == 0 && p.columns == 0)
            for (columns = 1; columns * columns < shards;)
                columns *= 2;
        char what[64];
        snprintf(what, sizeof what, "mesh of %u shards, %u columns", shards, columns);
        overlay_passes(&o, what);
        overlay_is_shortest(&o, what);
        roles_are_tracers_and_generator(&o, shards);
        buffers_are_what_is_left(&o, &site, arena);
        for (uint32_t a = 0; a < shards; a++) {
            uint32_t ax, ay, bx, by;
            place_of(a, shards, columns, &ax, &ay);
            assert_in_range(degree(&o, a), 1, 5);
            for (uint32_t b = 0; b < shards; b++) {
                place_of(b, shards, columns, &bx, &by);
                const uint32_t far = (ax > bx ? ax - bx : bx - ax) + (ay > by ? ay - by : by - ay);
                if (fs_overlay_distance(&o, a, b) != far)
                    fail_msg("%s: %u to %u is %u, not %u", what, a, b, fs_overlay_distance(&o, a, b), far);
            }
        }
        const uint32_t rows = shards / columns;
        if (rows * columns == shards)
            assert_int_equal(o.lane_count, 2 * (2 * rows * columns - rows - columns + 1));
    }
}

TEST(mesh_entries) {
    fs_arena *arena = test_arena();
    fs_rng rng = fs_rng_stream(1, "test/overlay/entry");
    fs_overlay_site site = site_of(arena, 64, &rng, 0);
    site.machine = &small;
    fs_mesh_params p = mesh(arena, 0);
    static const uint32_t camera[] = {37, 5};
    for (int n = 0; n < 3; n++) {
        const fs_overlay o = overlay_plan(&fs_overlay_mesh, &p, &site, arena);
        /* the middle of 8 x 8: column 4, row 4, bits 1 1 0 0 0 0 in turn */
        const uint32_t entry = n == 0 ? 48 : n == 1 ? 37 : 9;
        assert_int_equal(o.generator_tile, 84);
        assert_int_equal(o.lanes[o.out_lane[o.out_start[84]]].dst, entry);
        assert_int_equal(fs_overlay_distance(&o, UINT32_MAX, entry), 1);
        site.entry = camera;
        site.entries = 2;
        p.entry = n == 1 ? 9 : -1;
    }
}

static fs_direct_params direct(fs_arena *arena, int64_t lane) {
    fs_direct_params p;
    fs_params_default(arena, &fs_overlay_direct_table, &p);
    p.lane_buffer = lane;
    return p;
}

TEST(direct_over_random_graphs) {
    fs_rng rng = fs_rng_stream(test_seed(19), "test/overlay/direct");
    for (int n = 0; n < 60; n++) {
        fs_arena *arena = test_arena();
        const uint32_t shards = n < 5 ? (uint32_t)n + 1 : 1 + fs_rng_below(&rng, 300);
        fs_overlay_site site = site_of(arena, shards, &rng, fs_rng_below(&rng, 4 * shards));
        uint32_t camera[3];
        for (uint32_t i = 0; i < 3; i++)
            camera[i] = fs_rng_below(&rng, shards);
        camera[2] = camera[0];
        site.entry = camera;
        site.entries = (uint32_t)n % 4;
        const bool left = n % 2;
        const fs_direct_params p = direct(arena, left ? 0 : 2002);
        const fs_overlay o = overlay_plan(&fs_overlay_direct, &p, &site, arena);
        char what[64];
        snprintf(what, sizeof what, "direct over %u shards, %u lanes", shards, o.lane_count);
        overlay_passes(&o, what);
        overlay_is_shortest(&o, what);
        roles_are_tracers_and_generator(&o, shards);
        const uint32_t entries = site.entries > 1 && camera[0] != camera[1] ? 2 : 1;
        assert_int_equal(degree(&o, o.generator_tile), entries);
        assert_int_equal(o.lane_count, site.neighbour_start[shards] + 2 * entries);
        if (left)
            buffers_are_what_is_left(&o, &site, arena);
        for (uint32_t l = 0; l < o.lane_count && !left; l++)
            assert_int_equal(
                o.role[o.lanes[l].src] == FS_ROLE_TRACER ? o.lanes[l].src_share : o.lanes[l].dst_share, 2000);
        for (uint32_t s = 0; s < shards; s++)
            for (uint32_t i = site.neighbour_start[s]; i < site.neighbour_start[s + 1]; i++)
                assert_int_equal(fs_overlay_distance(&o, s, site.neighbour[i]), 1);
    }
}

TEST(refusals) {
    fs_arena *arena = test_arena();
    fs_rng rng = fs_rng_stream(1, "test/overlay/refusals");
    fs_overlay_site site = site_of(arena, 64, &rng, 100);
    site.machine = &small;
    fs_mesh_params m = mesh(arena, 65);
    overlay_refused(&fs_overlay_mesh, &m, &site, "overlay.columns: expected at most as many as shards, 64");
    m.columns = 0;
    m.entry = 64;
    overlay_refused(&fs_overlay_mesh, &m, &site,
                    "overlay.entry: expected a shard (0 ... 63) or -1, found 64");
    m.entry = -1;
    m.generator.tile = 63;
    overlay_refused(&fs_overlay_mesh, &m, &site, "overlay.generator_tile");
    m = mesh(arena, 0);
    uint64_t left[64];
    for (uint32_t s = 0; s < 64; s++)
        left[s] = s == 9 ? 200 : 100000;
    site.free_tracer = left;
    overlay_refused(&fs_overlay_mesh, &m, &site,
                    "tile 9, a tracer, has 136 B for the buffers of 8 lanes in and out (16 B each)");
    site.free_tracer = NULL;
    overlay_refused(&fs_overlay_mesh, &m, &site, "the workload does not say");
    m.buffer = 100000;
    overlay_passes(&(fs_overlay[1]){overlay_plan(&fs_overlay_mesh, &m, &site, arena)}[0], "given buffer");

    fs_direct_params d = direct(arena, 19);
    overlay_refused(&fs_overlay_direct, &d, &site,
                    "overlay.lane_buffer: expected 0 B or at least a ray of 20 B");
    d.lane_buffer = 57600;
    d.entry = 64;
    overlay_refused(&fs_overlay_direct, &d, &site, "overlay.entry");
    d.entry = -1;
    fs_overlay_site apart = site;
    static const uint32_t start[] = {0, 1, 2, 2}, other[] = {1, 0};
    apart.shards = 3;
    apart.neighbour_start = start;
    apart.neighbour = other;
    overlay_refused(&fs_overlay_direct, &d, &apart, "no chain of shards that touch leads from shard");
    site.neighbour_start = NULL;
    overlay_refused(&fs_overlay_direct, &d, &site, "the workload does not say which do");
    site.shards = 0;
    overlay_refused(&fs_overlay_direct, &d, &site, "at least one shard");
    overlay_refused(&fs_overlay_mesh, &m, &site, "at least one shard");
    site = site_of(arena, 300, &rng, 120000);
    overlay_refused(&fs_overlay_direct, &d, &site, "neighbours; at most 240 are allowed");
}

RUN_TESTS(setup, NULL)
