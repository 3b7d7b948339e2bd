/* SRAM of the foam workload: published figures (published.md 1, rows marked S) and refusals. */
#include "models/overlay/device_plan.h"
#include "models/overlay/kinds/kinds.h"
#include "sim/config/config.h"
#include "tests/support/test.h"
#include "workloads/foam/foam_params.h"
#include "workloads/foam/kernels/layout.h"

enum { SHARDS = 1024, SLICE_BYTES = 20 * 15 * 8 };

/* The largest shard of the Bicycle scene on every tracer, on a GC200 with the quadtree. */
typedef struct bicycle {
    fs_arena *arena;
    fs_machine_params machine;
    fs_kernel_params kernels;
    fs_quadtree_params quadtree;
    fs_overlay overlay;
    fs_shard_size size[SHARDS];
    fs_partition partition;
    fs_foam_layout layout;
} bicycle;

static int setup(void **state) {
    static bicycle b;
    memset(&b, 0, sizeof b);
    b.arena = fs_arena_create();
    fs_foam_params foam;
    fs_params_default(b.arena, &fs_machine_table, &b.machine);
    fs_params_default(b.arena, &fs_foam_table, &foam);
    b.kernels = foam.kernels;
    fs_params_default(b.arena, fs_overlay_quadtree.table, &b.quadtree);
    for (uint32_t s = 0; s < SHARDS; s++)
        b.size[s] = (fs_shard_size){.cells = 4101,
                                    .neighbour_cells = 4322,
                                    .adjacency = 64010,
                                    .neighbour_shards = 95,
                                    .adjacency_bytes = 2};
    b.partition = (fs_partition){.shards = SHARDS, .size = b.size};
    *state = &b;
    return 0;
}

static int teardown(void **state) {
    fs_arena_free(((bicycle *)*state)->arena);
    return 0;
}

static fs_status lay_out(bicycle *b, uint32_t payload_bytes, uint64_t local_bytes, fs_error *err) {
    if (fs_overlay_quadtree.plan(&b->quadtree, &(fs_overlay_site){.machine = &b->machine, .shards = SHARDS},
                                 b->arena, &b->overlay, err))
        return err->status;
    const fs_foam_layout_needs needs = {.partition = &b->partition,
                                        .payload_bytes = payload_bytes,
                                        .slice_bytes = local_bytes > 0 ? 0 : SLICE_BYTES,
                                        .local_bytes = local_bytes,
                                        .code = b->kernels.code};
    return fs_foam_layout_make(&b->machine, &b->overlay, &needs, b->arena, &b->layout, err);
}

static uint32_t first_of(const bicycle *b, fs_role role) {
    for (uint32_t t = 0; t < b->overlay.tiles; t++)
        if (b->overlay.role[t] == role)
            return t;
    return UINT32_MAX;
}

TEST_IN(buffers_hold_what_the_paper_says, setup, teardown) {
    bicycle *b = *state;
    static const struct {
        uint32_t bytes, rays;
    } expected[] = {{48, 1200}, {28, 2057}, {24, 2400}, {20, 2880}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        fs_error err = {0};
        assert_int_equal(lay_out(b, expected[i].bytes, 0, &err), FS_OK);
        for (uint32_t l = 0; l < b->overlay.lane_count; l++)
            assert_int_equal(b->layout.capacity[l], expected[i].rays);
    }
}

TEST_IN(ten_router_buffers, setup, teardown) {
    bicycle *b = *state;
    fs_error err = {0};
    assert_int_equal(lay_out(b, 20, 0, &err), FS_OK);
    uint32_t router = first_of(b, FS_ROLE_ROUTER);
    assert_int_equal(fs_ledger_bytes(b->layout.ledger, router, "in lanes") +
                         fs_ledger_bytes(b->layout.ledger, router, "out lanes"),
                     576000);
}

TEST_IN(a_shard_of_the_bicycle, setup, teardown) {
    bicycle *b = *state;
    fs_error err = {0};
    assert_int_equal(lay_out(b, 20, 0, &err), FS_OK);
    const fs_ledger *ledger = b->layout.ledger;
    uint32_t tracer = first_of(b, FS_ROLE_TRACER);
    assert_int_equal(fs_ledger_bytes(ledger, tracer, "shard cells"), 98424);
    assert_int_equal(fs_ledger_bytes(ledger, tracer, "neighbour cells"), 69152);
    assert_int_equal(fs_ledger_bytes(ledger, tracer, "adjacency"), 128020);
    assert_int_equal(98424 + 69152 + 128020, 295596);
    assert_int_equal(fs_ledger_bytes(ledger, tracer, "framebuffer slice"), 2400);
    uint64_t data = 295596 + fs_ledger_bytes(ledger, tracer, "in lanes") +
                    fs_ledger_bytes(ledger, tracer, "out lanes") + 2400;
    assert_int_equal(data,
                     413196); /* published.md 1: 413 kB of itemised data, about 450 kB with code and stack */
    assert_in_range(fs_ledger_used(ledger, tracer), 440000, 460000);
    assert_int_equal(b->layout.shard_data, 295596); /* cells, neighbours and adjacency together */
    assert_int_equal(b->layout.tracer_data, 413196);
    assert_int_equal(b->layout.tracer_lanes, 115200);
    assert_int_equal(b->layout.slice, 2400);
    assert_int_equal(b->layout.router_lanes, 576000);
    uint32_t router = first_of(b, FS_ROLE_ROUTER); /* "nearly full" */
    assert_in_range(fs_ledger_used(ledger, router), 576000, 638976);
}

/* What does not fit is refused before the run, with the worst tile's ledger; or, asked to, run all the same. */
TEST_IN(too_much_is_refused, setup, teardown) {
    bicycle *b = *state;
    fs_error err = {0};
    b->size[77].cells = 12000;
    b->size[77].adjacency = 200000;
    assert_fails(lay_out(b, 20, 0, &err), FS_INPUT, &err, "tile 77");
    assert_non_null(strstr(err.text, "shard cells"));
    assert_non_null(strstr(err.text, "288000"));
    b->machine.memory.check = FS_MEMORY_WARN;
    fs_error again = {0};
    assert_int_equal(lay_out(b, 20, 0, &again), FS_OK);
    assert_int_equal(fs_ledger_worst(b->layout.ledger), 77);
}

TEST_IN(a_local_framebuffer_takes_its_place, setup, teardown) {
    bicycle *b = *state;
    fs_error err = {0};
    assert_int_equal(lay_out(b, 20, 98304, &err), FS_OK);
    uint32_t tracer = first_of(b, FS_ROLE_TRACER);
    assert_int_equal(fs_ledger_bytes(b->layout.ledger, tracer, "local framebuffer"), 98304);
    assert_int_equal(fs_ledger_bytes(b->layout.ledger, tracer, "framebuffer slice"), 0);
}

/* What an overlay is told is left is what the ledger leaves, lanes and their exchange code apart. */
TEST_IN(the_site_is_what_the_ledger_leaves, setup, teardown) {
    bicycle *b = *state;
    static const uint64_t local[] = {0, 147456};
    for (size_t i = 0; i < 2; i++) {
        fs_error err = {0};
        assert_int_equal(lay_out(b, 20, local[i], &err), FS_OK);
        const fs_foam_layout_needs needs = {.partition = &b->partition,
                                            .payload_bytes = 20,
                                            .slice_bytes = local[i] > 0 ? 0 : SLICE_BYTES,
                                            .local_bytes = local[i],
                                            .code = b->kernels.code};
        fs_overlay_site site = {0};
        fs_foam_layout_site(&b->machine, &needs, b->arena, &site);
        const uint32_t tiles[] = {first_of(b, FS_ROLE_TRACER), first_of(b, FS_ROLE_ROUTER),
                                  first_of(b, FS_ROLE_GENERATOR)};
        const uint64_t said[] = {site.free_tracer[0], site.free_router, site.free_generator};
        for (size_t t = 0; t < 3; t++) {
            const fs_ledger *ledger = b->layout.ledger;
            uint64_t lanes = fs_ledger_bytes(ledger, tiles[t], "in lanes") +
                             fs_ledger_bytes(ledger, tiles[t], "out lanes") +
                             fs_ledger_bytes(ledger, tiles[t], "exchange code") +
                             fs_ledger_bytes(ledger, tiles[t], "backlog ring");
            assert_int_equal(said[t], (uint64_t)(b->machine.memory.sram - b->machine.memory.reserved) -
                                          (fs_ledger_used(ledger, tiles[t]) - lanes));
        }
    }
    b->size[3].cells = 40000; /* more than there is */
    fs_overlay_site site = {0};
    fs_foam_layout_needs needs = {.partition = &b->partition, .payload_bytes = 20, .local_bytes = 12000};
    fs_foam_layout_site(&b->machine, &needs, b->arena, &site);
    assert_int_equal(site.free_tracer[0], 2 * 500 * 20); /* half of a thousand records, in and out */
    needs.local_bytes = 0;
    fs_foam_layout_site(&b->machine, &needs, b->arena, &site);
    assert_int_equal(site.free_tracer[3], 0);
}

/* The code of a tile in the ledger is that of the programs that the device runs there. */
TEST_IN(programs_bring_their_code, setup, teardown) {
    bicycle *b = *state;
    fs_error err = {0};
    assert_int_equal(lay_out(b, 20, 0, &err), FS_OK);
    const fs_device_programs programs = fs_foam_programs(&b->overlay, &b->kernels, b->arena);
    const fs_device_plan plan =
        fs_overlay_device_plan(&b->overlay, &programs, b->layout.transfers, &(fs_host_visit){0}, b->arena);
    for (uint32_t t = 0; t < b->overlay.tiles; t++)
        assert_int_equal(fs_plan_code_bytes(&plan, t),
                         fs_ledger_bytes(b->layout.ledger, t, "code and stacks"));
    assert_int_equal(fs_plan_code_bytes(&plan, first_of(b, FS_ROLE_ROUTER)), 40960);
    assert_int_equal(fs_plan_code_bytes(&plan, first_of(b, FS_ROLE_TRACER)), 32768);
}

RUN_TESTS(NULL, NULL)
