/* Tiles that are not the IPU's, each rule by a sum on paper: issue width, pipes, lanes, SRAM ports. That they
 * hold together, test_tile.c steps cycle by cycle. */
#include "models/tile/tile.h"
#include "tests/support/test.h"

static fs_tile_params bare_tile(void) { /* no launch: times are those of the segments */
    return (fs_tile_params){.workers = 6,
                            .pairing = 100,
                            .scale = 100,
                            .cost = {
#define COST(op, key, slots, pipe, doc, source, confidence) [FS_OP_##op] = slots,
                                FS_OP_TABLE(COST)
#undef COST
                            }};
}

static fs_priced_program price(const fs_program *program, const fs_tile_params *params) {
    fs_priced_program priced;
    fs_error err = {0};
    assert_int_equal(fs_program_price(program, params, &priced, &err), FS_OK);
    return priced;
}

static uint64_t cycles_of(const fs_program *program, const fs_tile_params *params, const uint32_t *counts) {
    const fs_priced_program priced = price(program, params);
    fs_tile_times times;
    fs_tile_times_closed(&priced, counts, &times);
    return times.cycles;
}

static uint32_t slots_of(const fs_event *event, const fs_tile_params *params) {
    const fs_program program = {.name = "one", .segments = 1, .events = event, .event_count = 1};
    return price(&program, params).slots[0];
}

/* Six workers of 100 slots: a turn of ceil(6 / width) cycles; more contexts share the same slots. */
TEST(a_turn_is_workers_by_width) {
    static const struct {
        int64_t workers, width;
        uint64_t cycles;
    } cases[] = {{6, 0, 600}, {6, 1, 600}, {6, 2, 300},   {6, 3, 200},  {6, 4, 200},
                 {6, 5, 200}, {6, 6, 100}, {12, 1, 1200}, {12, 2, 600}, {16, 16, 100}};
    const fs_event work = {.name = "work", .op[FS_OP_INT] = 100};
    const fs_program program = {.name = "test", .segments = 1, .events = &work, .event_count = 1};
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {{0}};
    for (uint32_t w = 0; w < FS_MAX_WORKERS; w++)
        counts[w][0] = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fs_tile_params params = bare_tile();
        params.workers = cases[i].workers;
        params.issue_width = cases[i].width;
        assert_int_equal(cycles_of(&program, &params, counts[0]), cases[i].cycles);
    }
    fs_tile_params params = bare_tile();
    params.issue_width = 7;
    fs_priced_program priced;
    fs_error err = {0};
    assert_fails(fs_program_price(&program, &params, &priced, &err), FS_INPUT, &err,
                 "machine.tile.issue_width");
}

/* Slots 10, 20, 30 with reuse on a width of two: 10 rounds of three workers, 2 cycles each, then 10 of two
 * and 10 of one, 1 cycle each. */
TEST(rounds_shrink_with_their_workers) {
    const fs_event work = {.name = "work", .op[FS_OP_INT] = 10};
    const fs_program program = {
        .name = "test", .segments = 1, .workers = 3, .events = &work, .event_count = 1};
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS] = {{3}, {1}, {2}};
    fs_tile_params params = bare_tile();
    params.issue_width = 2;
    params.reuse_idle_slots = true;
    const fs_priced_program priced = price(&program, &params);
    fs_tile_times times;
    fs_tile_times_closed(&priced, counts[0], &times);
    assert_int_equal(times.cycles, 40);
    assert_int_equal(times.busy[0], 40);
    assert_int_equal(times.busy[1], 20);
    assert_int_equal(times.busy[2], 30);
}

/* 9 loads, 4 integers and a division of 3 slots: main 13, aux 3, two of them paired in the code. */
TEST(pipes_pair_as_they_are_told) {
    fs_event event = {.name = "e", .op = {[FS_OP_LOAD] = 9, [FS_OP_INT] = 4, [FS_OP_DIV] = 1}, .paired = 2};
    fs_tile_params params = bare_tile();
    assert_int_equal(slots_of(&event, &params), 14);
    params.dual_issue = FS_DUAL_NONE;
    assert_int_equal(slots_of(&event, &params), 16);
    params.dual_issue = FS_DUAL_FULL;
    assert_int_equal(slots_of(&event, &params), 13);
    event.op[FS_OP_DIV] = 6; /* aux 18: the longer pipe decides */
    assert_int_equal(slots_of(&event, &params), 18);
}

TEST(lanes_shrink_operations_on_vectors) {
    static const struct {
        int64_t f32, f16;
        uint32_t pairs, fours, twos; /* of 5 operations each */
    } cases[] = {{0, 0, 5, 5, 5},  {2, 4, 5, 5, 5},   {4, 8, 3, 3, 5},
                 {8, 16, 2, 2, 5}, {1, 2, 10, 10, 5}, {3, 1, 4, 20, 10}};
    const fs_event pairs = {.name = "f32", .op[FS_OP_F32X2] = 5}, fours = {.name = "4", .op[FS_OP_F16X4] = 5},
                   twos = {.name = "2", .op[FS_OP_F16X2] = 5};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fs_tile_params params = bare_tile();
        params.lanes_f32 = cases[i].f32;
        params.lanes_f16 = cases[i].f16;
        assert_int_equal(slots_of(&pairs, &params), cases[i].pairs);
        assert_int_equal(slots_of(&fours, &params), cases[i].fours);
        assert_int_equal(slots_of(&twos, &params), cases[i].twos);
    }
}

/* A face of the tracer: 4 loads, 12 integers, 5 adds, 3 multiplies, 1 compare, 6 paired: 19 slots. */
TEST(vectorised_code_has_fewer_operations) {
    const fs_event face = {
        .name = "face",
        .op = {[FS_OP_LOAD] = 4, [FS_OP_INT] = 12, [FS_OP_ADD] = 5, [FS_OP_MUL] = 3, [FS_OP_CMP] = 1},
        .paired = 6};
    fs_tile_params params = bare_tile();
    params.lanes_f32 = 4;
    assert_int_equal(slots_of(&face, &params), 19); /* scalar code: lanes do nothing */
    params.vectorised = 100;                        /* 2 + 1 + 1 on aux, no more pairs than these 4 */
    assert_int_equal(slots_of(&face, &params), 16);
    params.vectorised = 50; /* 3, 2 and 1 of them: 2 + 1, 1 + 1, 1: aux 6, all of them paired */
    assert_int_equal(slots_of(&face, &params), 16);
    params.dual_issue = FS_DUAL_NONE;
    assert_int_equal(slots_of(&face, &params), 16 + 6);
}

/* Six workers, each 10 loads of 16 B and a store of 8 B in segment 0, one load of 4 B in segment 1; a barrier
 * of one store. Slots: 12 and 1; 6 x 12 and 6 x 1 cycles without ports. */
TEST(ports_are_a_floor_of_a_segment) {
    const fs_event events[2] = {{.name = "a", .op = {[FS_OP_LOAD128] = 10, [FS_OP_STORE64] = 1}},
                                {.name = "b", .segment = 1, .op[FS_OP_LOAD] = 1}};
    const fs_event barrier = {.name = "barrier", .op[FS_OP_STORE] = 1};
    const fs_program program = {
        .name = "test", .segments = 2, .events = events, .event_count = 2, .barrier = &barrier};
    uint32_t counts[6][FS_MAX_EVENTS] = {{0}};
    for (uint32_t w = 0; w < 6; w++)
        counts[w][0] = counts[w][1] = 1;
    static const struct {
        int64_t ports, width;
        uint64_t first, second;
    } cases[] = {{0, 0, 72, 6},  /* not counted */
                 {1, 16, 72, 6}, /* an access a slot: as many as are issued */
                 {1, 8, 132, 6}, /* 6 x (20 + 1 + 1) */
                 {1, 4, 258, 6}, /* 6 x (40 + 2 + 1) */
                 {2, 4, 129, 6}, {3, 4, 86, 6}, {1, 1, 6 * 172, 24}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fs_tile_params params = bare_tile();
        params.sram_ports = cases[i].ports;
        params.sram_width = cases[i].width;
        const fs_priced_program priced = price(&program, &params);
        fs_tile_times times;
        fs_tile_times_closed(&priced, counts[0], &times);
        assert_int_equal(times.cycles, cases[i].first + cases[i].second);
        for (uint32_t w = 0; w < 6; w++) {
            assert_int_equal(times.busy[w], 78);
            assert_int_equal(times.waiting[w], cases[i].first - 72);
            assert_int_equal(times.idle[w], cases[i].second - 6);
        }
    }
}

/* 100 slots of six workers, 600 cycles of a tile at a third (to a thousandth) and at twice the chip's clock;
 * of 7 cycles in all a tile at 300 % takes ceil(7 / 3). */
TEST(a_clock_of_its_own) {
    const fs_event work = {.name = "work", .op[FS_OP_INT] = 1};
    const fs_program program = {.name = "test", .segments = 1, .events = &work, .event_count = 1};
    uint32_t counts[6][FS_MAX_EVENTS] = {{100}};
    fs_tile_params params = bare_tile();
    params.clock_permille = 333;
    assert_int_equal(cycles_of(&program, &params, counts[0]), 1802); /* 600,000 / 333 = 1,801.8 */
    params.clock_permille = 2000;
    assert_int_equal(cycles_of(&program, &params, counts[0]), 300);
    params.clock_permille = 3000;
    params.join = 1;
    counts[0][0] = 1;
    assert_int_equal(cycles_of(&program, &params, counts[0]), 3);
}

RUN_TESTS(NULL, NULL)
