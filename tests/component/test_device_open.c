/* Open steps and rotations: transfers that come anew in each round are those of a list, and a pattern of all pairs
 * takes its closed form, at both levels of detail. */
#include "tests/support/device_bench.h"

#include "models/fabric/fabric.h"
#include "tests/support/test.h"

static fs_device_bench *bench_of(fs_device_step *step, int64_t mode, uint64_t seed) {
    fs_device_bench *b = FS_NEW(test_arena(), fs_device_bench, 1);
    uint8_t *runs = FS_NEW(test_arena(), uint8_t, TILES);
    *b = (fs_device_bench){.arena = test_arena(),
                           .machine = fs_test_small(),
                           .calls = fs_rng_stream(seed, "test/device_open"),
                           .busy = 12};
    b->machine.exchange.mode = mode;
    for (uint32_t t = 0; t < TILES; t++)
        runs[t] = (uint8_t)(1 + t % PROGRAMS);
    step->runs = runs;
    step->name = "all";
    step->calls = 1;
    b->plan = fs_plan_of_step(test_arena(), TILES, &(fs_device_programs){fs_bench_programs, PROGRAMS, runs},
                              step, 0, &(fs_host_visit){.visit = true});
    return b;
}

static void same(fs_device_record *a, fs_device_record *b) {
    if (a->status || b->status)
        fail_msg("%s; %s", a->text, b->text);
    assert_memory_equal(a, b, sizeof *a);
    free(b);
}

/* ---- open steps ---- */

static uint32_t draw(fs_transfer *list, uint32_t most, uint64_t seed) {
    fs_rng rng = fs_rng_stream(seed, "test/device_open/list");
    uint32_t count = 0;
    for (uint32_t src = 0; src < TILES && count + 3 < most; src += 1 + fs_rng_below(&rng, 6))
        for (uint32_t k = 1 + fs_rng_below(&rng, 3), dst = fs_rng_below(&rng, 9); k > 0; k--, dst += 7)
            list[count++] = (fs_transfer){src, (src + 1 + dst) % TILES, 4 + 4 * fs_rng_below(&rng, 60)};
    return count;
}

static void over_routers(fs_machine_params *m) {
    static const int64_t grid[] = {8, 12};
    m->exchange.kind = FS_FABRIC_NOC;
    m->noc = (fs_noc_options){.topology = FS_NOC_MESH,
                              .size = {(int64_t *)grid, 2},
                              .size_given = true,
                              .vcs = 4,
                              .buffer = 16,
                              .link = 1,
                              .pitch = 750,
                              .width = 4,
                              .packet = 256,
                              .header = 1};
}

/* The same tiles on two chips, or on four. */
static void over_chips(fs_machine_params *m, uint64_t seed) {
    m->chips = seed % 2 ? 2 : 4;
    m->geometry.rows = 3;
    m->geometry.columns = seed % 2 ? 4 : 2;
    m->fabric = (fs_chips_params){.kind = seed % 3 ? FS_CHIPS_LADDER : FS_CHIPS_RING,
                                  .bandwidth = 1e7 * (double)seed,
                                  .efficiency = 85,
                                  .latency = 250e-9,
                                  .sync = 15e-9};
}

TEST(an_open_step_moves_what_a_list_moves) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fs_transfer list[64];
        const uint32_t count = draw(list, 64, seed);
        fs_device_step listed = {.transfers = list, .transfer_count = count}, open = {.most_transfers = 64};
        fs_device_bench *a = bench_of(&listed, FS_EXCHANGE_DYNAMIC, seed),
                        *b = bench_of(&open, FS_EXCHANGE_DYNAMIC, seed);
        b->listed = list;
        b->listed_count = count;
        if (seed > 12) { /* and between chips */
            over_chips(&a->machine, seed);
            over_chips(&b->machine, seed);
        } else if (seed > 8) { /* the same over routers */
            over_routers(&a->machine);
            over_routers(&b->machine);
        }
        fs_device_record *expected = fs_bench_run(a, FS_DETAIL_PHASE);
        same(expected, fs_bench_run(b, FS_DETAIL_PHASE));
        same(expected, fs_bench_run(b, FS_DETAIL_EVENT));
        assert_true(expected->tile[1][list[0].src] > 0);
        free(expected);
    }
}

TEST(what_is_not_planned_is_dynamic) {
    fs_device_step open = {.most_transfers = 4}, rotation = {.rotation = 8};
    fs_device_record *a = fs_bench_run(bench_of(&open, FS_EXCHANGE_STATIC, 1), FS_DETAIL_PHASE),
                     *b = fs_bench_run(bench_of(&rotation, FS_EXCHANGE_DYNAMIC, 1), FS_DETAIL_PHASE);
    assert_fails(a->status, FS_INPUT, a, "expected dynamic");
    assert_fails(b->status, FS_INPUT, b, "expected static");
    free(a);
    free(b);
}

/* ---- rotations ---- */

/* Each tile to each other: (T - 1) ceil(b / 4) cycles, then the last arrivals; every port is busy throughout. */
TEST(a_rotation_takes_its_closed_form) {
    for (uint32_t bytes = 4; bytes <= 220; bytes += 72) {
        fs_device_step step = {.rotation = bytes};
        fs_device_bench *b = bench_of(&step, FS_EXCHANGE_STATIC, bytes);
        fs_error err = {.status = FS_OK};
        const fs_exchange_lanes lanes = {.rotation = bytes};
        fs_exchange *x =
            fs_exchange_create(test_arena(), &b->machine.exchange, &b->machine.geometry, TILES, &lanes, &err);
        const uint64_t cycles = bytes / 4;
        uint64_t arrival = 0;
        for (uint32_t i = 0; i < TILES * (TILES - 1); i++) {
            const fs_transfer t = fs_exchange_rotated(TILES, bytes, i);
            assert_true(t.src < TILES && t.dst < TILES && t.src != t.dst);
            const uint64_t end =
                fs_exchange_static_start(x, i) + cycles + fs_exchange_latency(x, t.src, t.dst);
            arrival = end > arrival ? end : arrival;
        }
        const fs_exchange_plan plan = fs_exchange_plan_of(x);
        assert_int_equal(plan.length, (TILES - 1) * cycles);
        assert_int_equal(plan.arrival, arrival);
        fs_device_record *r = fs_bench_run(b, FS_DETAIL_PHASE);
        same(r, fs_bench_run(b, FS_DETAIL_EVENT));
        const uint64_t overhead = (uint64_t)b->machine.exchange.program_overhead;
        assert_int_equal(r->exchange, ITERATIONS * (overhead + arrival));
        for (uint32_t t = 0; t < TILES; t++) {
            assert_int_equal(r->tile[1][t], ITERATIONS * (TILES - 1) * bytes);
            assert_int_equal(r->tile[2][t], r->tile[1][t]);
            assert_int_equal(r->tile[3][t], ITERATIONS * (TILES - 1) * cycles);
        }
        free(r);
    }
}

/* A pattern moves what the list of its transfers would, for the same energy. */
TEST(a_rotation_is_its_list) {
    enum { BYTES = 56, ALL = TILES * (TILES - 1) };
    fs_transfer *list = FS_NEW(test_arena(), fs_transfer, ALL);
    for (uint32_t i = 0; i < ALL; i++)
        list[i] = fs_exchange_rotated(TILES, BYTES, i);
    const fs_machine_params m = fs_test_small();
    fs_fabric_chip chip = fs_machine_fabric(&m, TILES);
    const fs_exchange_lanes lanes = {.transfers = list, .count = ALL};
    fs_error err = {.status = FS_OK};
    const fs_fabric *f = fs_fabric_create(test_arena(), &chip, &lanes, &err);
    const fs_energy_routes a = fs_energy_routes_make(&m.geometry, f, list, ALL, test_arena()),
                           b = fs_energy_routes_rotated(&m.geometry, TILES, BYTES, test_arena());
    assert_int_equal(a.whole.bytes, b.whole.bytes);
    assert_int_equal(a.whole.way, b.whole.way);
    assert_int_equal(fs_fabric_plan_of(f).length, (TILES - 1) * BYTES / 4);
}

/* ---- phases that a network knows in advance ---- */

/* Two groups: one works alone while the other exchanges, whole in every round; a round may stand for several alike. */
static fs_device_bench *beside_bench(const fs_transfer *list, uint32_t count, const uint32_t *alike,
                                     uint32_t times) {
    fs_device_bench *b = FS_NEW(test_arena(), fs_device_bench, 1);
    uint8_t *group = FS_NEW(test_arena(), uint8_t, TILES), *first = FS_NEW(test_arena(), uint8_t, TILES),
            *second = FS_NEW(test_arena(), uint8_t, TILES);
    for (uint32_t t = 0; t < TILES; t++) {
        group[t] = t >= 60;
        *(group[t] ? &second[t] : &first[t]) = 1;
    }
    static const uint32_t zero[] = {0}, one[] = {1};
    fs_device_step *work = FS_NEW(test_arena(), fs_device_step, 1),
                   *move = FS_NEW(test_arena(), fs_device_step, 1);
    *work = (fs_device_step){.name = "work", .runs = second, .calls = 1};
    *move = (fs_device_step){
        .name = "move", .runs = first, .calls = 1, .transfers = list, .transfer_count = count, .whole = true};
    fs_device_branch *branch = FS_NEW(test_arena(), fs_device_branch, 2);
    branch[0] = (fs_device_branch){.groups = one, .group_count = 1, .steps = work, .step_count = 1};
    branch[1] = (fs_device_branch){
        .groups = zero, .group_count = 1, .steps = move, .step_count = 1, .times = times, .alike = alike};
    fs_device_stage *stage = FS_NEW(test_arena(), fs_device_stage, 1);
    *stage = (fs_device_stage){branch, 2};
    *b = (fs_device_bench){.arena = test_arena(),
                           .machine = fs_test_small(),
                           .calls = fs_rng_stream(1, "test/device_open"),
                           .plan = {.tiles = TILES,
                                    .group_of = group,
                                    .groups = 2,
                                    .program = fs_bench_programs,
                                    .programs = PROGRAMS,
                                    .stages = stage,
                                    .stage_count = 1,
                                    .first = {.visit = true}}};
    b->machine.exchange.mode = FS_EXCHANGE_DYNAMIC;
    over_routers(&b->machine);
    return b;
}

TEST(rounds_known_in_advance_are_alike_at_both_details) {
    static const uint32_t alike[] = {1, 3, 1};
    fs_transfer list[40];
    for (uint32_t i = 0; i < 40; i++)
        list[i] = (fs_transfer){i, (i * 7 + 11) % 60, 40 + 36 * i};
    fs_device_record *expected = fs_bench_run(beside_bench(list, 40, NULL, 5), FS_DETAIL_PHASE);
    same(expected, fs_bench_run(beside_bench(list, 40, NULL, 5), FS_DETAIL_EVENT));
    same(expected, fs_bench_run(beside_bench(list, 40, alike, 3), FS_DETAIL_PHASE));
    same(expected, fs_bench_run(beside_bench(list, 40, alike, 3), FS_DETAIL_EVENT));
    fs_device_bench *sampled = beside_bench(list, 40, alike, 3);
    sampled->machine.noc.detail = FS_NOC_SAMPLED;
    same(expected, fs_bench_run(sampled, FS_DETAIL_PHASE));
    assert_int_equal(expected->tile[1][1], ITERATIONS * 5 * (76 + 4)); /* a header flit each */
    assert_true(expected->exchange > 0);
    free(expected);
}

/* A step that is known and one that the client says, of a sampled network: the first takes what it takes flit by flit, the
 * second about as long, and what moves costs the same. */
TEST(known_and_sampled_phases_follow_each_other) {
    fs_transfer list[64];
    fs_device_record *of[2];
    const uint32_t count = draw(list, 64, 3);
    for (int k = 0; k < 2; k++) {
        fs_device_step *step = FS_NEW(test_arena(), fs_device_step, 2);
        fs_device_branch *branch = FS_NEW(test_arena(), fs_device_branch, 1);
        fs_device_stage *stage = FS_NEW(test_arena(), fs_device_stage, 1);
        *step = (fs_device_step){.transfers = list, .transfer_count = count};
        fs_device_bench *b = bench_of(step, FS_EXCHANGE_DYNAMIC, 3);
        step[1] = step[0];
        step[0].whole = true;
        *branch = (fs_device_branch){.steps = step, .step_count = 2};
        *stage = (fs_device_stage){branch, 1};
        b->plan.stages = stage;
        over_routers(&b->machine);
        b->machine.noc.detail = k == 0 ? FS_NOC_FLITS : FS_NOC_SAMPLED;
        of[k] = fs_bench_run(b, FS_DETAIL_PHASE);
        assert_int_equal(of[k]->status, FS_OK);
    }
    assert_int_equal(of[0]->step[0].exchange, of[1]->step[0].exchange);
    assert_true(fabs((double)of[1]->step[1].exchange / (double)of[0]->step[1].exchange - 1) < 0.1);
    assert_memory_equal(of[0]->energy[FS_ENERGY_EXCHANGE], of[1]->energy[FS_ENERGY_EXCHANGE],
                        sizeof of[0]->energy[0]);
    assert_memory_equal(of[0]->tile[1], of[1]->tile[1], sizeof of[0]->tile[1]);
    free(of[0]);
    free(of[1]);
}

/* One of two groups exchanges what the client says, while the other works alone. */
TEST(a_network_is_shared_with_tiles_that_exchange_nothing) {
    fs_transfer list[40];
    fs_device_record *of[2];
    for (uint32_t i = 0; i < 40; i++)
        list[i] = (fs_transfer){i, (i * 7 + 11) % 60, 40 + 36 * i};
    for (int k = 0; k < 2; k++) {
        fs_device_bench *b = beside_bench(list, 40, NULL, 5);
        ((fs_device_step *)(uintptr_t)b->plan.stages[0].branches[1].steps)->whole = false;
        of[k] = fs_bench_run(b, k == 0 ? FS_DETAIL_PHASE : FS_DETAIL_EVENT);
    }
    same(of[0], of[1]);
    assert_true(of[0]->exchange > 0 && of[0]->tile[1][1] < ITERATIONS * 5 * (76 + 4));
    free(of[0]);
}

static void refused(fs_device_bench *b, const char *expected) {
    fs_device_record *r = fs_bench_run(b, FS_DETAIL_PHASE);
    assert_int_equal(r->status, FS_INPUT);
    assert_says(r->text, expected);
    free(r);
}

/* Two phases on one network are no two phases; which branch takes longest is not known before all phases are. */
TEST(groups_beside_each_other_share_no_network) {
    static const fs_transfer near[] = {{0, 1, 40}}, far[] = {{60, 61, 40}};
    fs_device_bench *b = beside_bench(near, 1, NULL, 1);
    fs_device_step *step[] = {(fs_device_step *)(uintptr_t)b->plan.stages[0].branches[0].steps,
                              (fs_device_step *)(uintptr_t)b->plan.stages[0].branches[1].steps};
    step[0]->transfers = far;
    step[0]->transfer_count = 1;
    step[0]->whole = true;
    refused(b, "exchange beside each other");
    step[0]->transfer_count = 0;
    step[1]->whole = false;
    b->machine.noc.detail = FS_NOC_SAMPLED;
    refused(b, "machine.exchange.noc.detail: groups of tiles work beside each other");
    b->machine = fs_test_small();
    b->machine.exchange.mode = FS_EXCHANGE_DYNAMIC;
    step[1]->whole = true;
    refused(b, "machine.exchange.mode: what moves is the same in every round");
}

RUN_TESTS(NULL, NULL)
