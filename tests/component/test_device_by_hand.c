/* Plans of several steps by hand: local runs, groups, the pace, and what a plan must not be. */
#include "tests/support/device_bench.h"
#include "tests/support/test.h"

/* The calls of `by hand`: tiles 0 and 1 issue 100 and 10 slots a worker in step 0, 10 and 100 in step 1. */
static fs_status crosswise(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                           fs_error *err) {
    fs_device_bench *b = self;
    (void)err;
    *count = 0;
    for (uint32_t t = 0; t < 2 && at.step < 2; t++) {
        uint32_t *row = fs_device_counts(b->device, t);
        for (uint32_t w = 0; w < WORKERS; w++)
            row[w * FS_MAX_EVENTS] = at.step == t ? 100 : 10;
        fs_device_done(b->device, t);
        b->active[(*count)++] = t;
    }
    *active = b->active;
    return FS_OK;
}

static fs_status at_once(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)self;
    (void)iteration;
    (void)visit;
    (void)err;
    *stop = true;
    return FS_OK;
}

static fs_device_totals replay(fs_device_bench *b, fs_device_client client) {
    static fs_device_record r;
    fs_error err = {0};
    client.self = b;
    b->record = &r;
    b->device = fs_device_create(b->arena, &b->machine, &b->plan, FS_DETAIL_PHASE, &err);
    assert_int_equal(err.status, FS_OK);
    assert_int_equal(fs_device_replay(b->device, &client, &err), FS_OK);
    return fs_device_totals_of(b->device);
}

static fs_device_bench *by_hand(fs_arena *arena, const fs_device_stage *stages, uint32_t count) {
    fs_device_bench *b = FS_NEW(arena, fs_device_bench, 1);
    *b = (fs_device_bench){.arena = arena, .machine = fs_test_small()};
    b->plan = (fs_device_plan){.tiles = TILES,
                               .program = fs_bench_programs,
                               .programs = PROGRAMS,
                               .stages = stages,
                               .stage_count = count};
    return b;
}

/* A call of n slots a worker takes 23 + 6 n cycles; a barrier of all tiles 76 + 5 rows + 4 x 1 column. */
TEST(local_runs_by_hand) {
    static const uint8_t runs[TILES] = {1, 1};
    static const fs_device_step steps[] = {{.runs = runs}, {.runs = runs}};
    static const fs_device_branch branch = {.steps = steps, .step_count = 2};
    static const fs_device_stage stage = {&branch, 1};
    const fs_device_client client = {.compute = crosswise, .decide = at_once};
    fs_arena *arena = test_arena();
    fs_device_bench *b = by_hand(arena, &stage, 1);
    fs_device_totals t = replay(b, client);
    assert_int_equal(t.cycles_compute, 2 * 23 + 6 * 110);
    assert_int_equal(t.cycles_sync, 85);
    assert_int_equal(t.cycles_exchange, 2 * 50);
    assert_int_equal(t.step[0].compute, 23 + 600); /* tile 0 sets the pace, by its number */
    assert_int_equal(t.step[1].compute, 23 + 60);
    assert_int_equal(t.step[1].sync, 85);
    assert_int_equal(fs_device_tile_cycles(b->device, 1, 1), 23 + 600);
    assert_int_equal(fs_device_step_times(b->device, 1).compute, 23 + 60);
    assert_int_equal(fs_device_step_times(b->device, 1).start, t.cycles_first);
    assert_int_equal(fs_device_step_times(b->device, 1).sync, 85);
    assert_int_equal(fs_device_step_times(b->device, 1).exchange, 2 * 50);
    assert_int_equal(t.idle[2 * WORKERS], 2 * 23 + 6 * 110); /* a tile without a program */
    b->machine.sync.local = FS_SYNC_LOCAL_EACH;
    t = replay(b, client);
    assert_int_equal(t.cycles_compute, 2 * (23 + 600));
    assert_int_equal(t.cycles_sync, 2 * 85);
    assert_int_equal(t.cycles_exchange, 2 * 50);
    assert_int_equal(t.idle[0], 23 + 23 + 540);
    assert_int_equal(fs_device_step_times(b->device, 1).start, t.cycles_first + 623 + 85 + 50);
    assert_int_equal(fs_device_step_times(b->device, 0).exchange, 50);
}

/* Tile s issues 100 (s + 1) slots a worker in step s, so the second phase is the longer one. */
static fs_status growing(void *self, fs_moment at, const uint32_t **active, uint32_t *count, fs_error *err) {
    fs_device_bench *b = self;
    (void)err;
    fs_device_counts(b->device, at.step)[0] = 100 * (at.step + 1);
    fs_device_done(b->device, at.step);
    b->active[0] = at.step;
    *active = b->active;
    *count = 1;
    return FS_OK;
}

static void note_pace(void *self, const fs_iteration *i) {
    ((const fs_device_bench *)self)->record->iteration[0][3] = i->pace_tile;
}

/* Over the steps of a branch as over stages. */
TEST(the_longest_phase_sets_the_pace) {
    static const uint8_t runs[TILES] = {1, 1};
    static const fs_device_step steps[] = {{.runs = runs}, {.runs = runs}};
    static const fs_device_branch both = {.steps = steps, .step_count = 2},
                                  first = {.steps = steps, .step_count = 1},
                                  second = {.steps = steps + 1, .step_count = 1};
    static const fs_device_stage together = {&both, 1}, apart[] = {{&first, 1}, {&second, 1}};
    const fs_device_client client = {.compute = growing, .decide = at_once, .finished = note_pace};
    for (uint32_t stages = 1; stages <= 2; stages++) {
        fs_arena *arena = test_arena();
        fs_device_bench *b = by_hand(arena, stages == 1 ? &together : apart, stages);
        b->machine.sync.local = FS_SYNC_LOCAL_EACH;
        const fs_device_totals t = replay(b, client);
        assert_int_equal(t.cycles_compute, 2 * 23 + 6 * 300);
        assert_int_equal(b->record->iteration[0][3], 1);
        assert_int_equal(t.paced[0], 1);
        assert_int_equal(t.paced[1], 1);
    }
}

/* 100,000 rounds cost no more memory than one where only sums count. */
TEST(long_loops) {
    static const uint8_t runs[TILES] = {1, 1};
    static const fs_device_step step = {.runs = runs, .times = 100000};
    static const fs_device_branch branch = {.steps = &step, .step_count = 1};
    static const fs_device_stage stage = {&branch, 1};
    fs_arena *arena = test_arena();
    fs_device_bench *b = by_hand(arena, &stage, 1);
    const fs_device_totals t = replay(b, (fs_device_client){.decide = at_once});
    assert_int_equal(t.cycles_compute, 100000 * 23);
    assert_int_equal(t.cycles_sync, 85);
    assert_int_equal(t.step[0].rounds, 100000);
    fs_error err = {0};
    assert_null(fs_device_create(arena, &b->machine, &b->plan, FS_DETAIL_EVENT, &err));
    assert_non_null(strstr(err.text, "run.detail: event"));
}

/* Tile 0 alone takes 623 cycles and its barrier has no skew; tile 1 takes 683 in two steps. A stage takes the
 * greater branch, and who was faster was apart. */
TEST(groups_by_hand) {
    static const uint8_t group_of[TILES] = {0, [1] = 1}, one[TILES] = {1}, other[TILES] = {0, 1};
    static const uint32_t a[] = {0}, c[] = {1};
    static const fs_device_step first[] = {{.runs = one}}, second[] = {{.runs = other}, {.runs = other}};
    static const fs_device_branch apart[] = {
        {.groups = a, .group_count = 1, .steps = first, .step_count = 1},
        {.groups = c, .group_count = 1, .steps = second, .step_count = 2}};
    static const fs_device_branch alone[] = {
        {.groups = c, .group_count = 1, .steps = second, .step_count = 1}};
    static const fs_device_stage stages[] = {{apart, 2}, {alone, 1}};
    uint8_t groups[TILES];
    memcpy(groups, group_of, sizeof groups);
    fs_arena *arena = test_arena();
    fs_device_bench *b = by_hand(arena, stages, 2);
    b->plan.group_of = groups;
    b->plan.groups = 2;
    for (uint32_t t = 2; t < TILES; t++)
        groups[t] = 1;
    const fs_device_totals t = replay(b, (fs_device_client){.decide = at_once});
    /* nobody has work: calls of 23 cycles; group 0 is tiles 0 alone in row 0, group 1 all others */
    const uint64_t short_branch = 23 + 76 + 50 + 4 * 0, long_branch = 2 * 23 + 85 + 2 * 50;
    assert_int_equal(t.cycles - t.cycles_host, long_branch + 23 + 85 + 50);
    assert_int_equal(t.group[0].compute, 23);
    assert_int_equal(t.group[0].sync, 76);
    assert_int_equal(t.group[0].apart, long_branch - short_branch + 23 + 85 + 50);
    assert_int_equal(t.group[1].compute, 3 * 23);
    assert_int_equal(t.group[1].apart, 0);
    assert_int_equal(t.cycles_compute, 3 * 23);
    assert_int_equal(t.idle[0], 23);
    assert_int_equal(t.idle[2 * WORKERS], 3 * 23);
    assert_int_equal(fs_plan_code_bytes(&b->plan, 0), 100);
    assert_int_equal(fs_plan_code_bytes(&b->plan, 1), 100);
    assert_int_equal(fs_plan_code_bytes(&b->plan, 2), 0);
}

/* ---- what a plan must not be ---- */

static void refused(const fs_device_plan *plan, const char *words) {
    fs_arena *arena = test_arena();
    const fs_machine_params machine = fs_test_small();
    fs_error err = {0};
    assert_null(fs_device_create(arena, &machine, plan, FS_DETAIL_PHASE, &err));
    assert_int_equal(err.status, FS_INPUT);
    assert_says(err.text, words);
}

TEST(wrong_plans_are_refused) {
    static const uint8_t runs[TILES] = {1}, high[TILES] = {4}, group_of[TILES] = {0, 1, 1};
    static const uint32_t zero[] = {0}, seven[] = {7};
    static const fs_transfer across[] = {{0, 1, 4}};
    fs_device_step step = {.name = "give", .runs = runs};
    fs_device_branch branches[2] = {{.steps = &step, .step_count = 1},
                                    {.groups = zero, .group_count = 1, .steps = &step, .step_count = 1}};
    fs_device_stage stage = {branches, 1};
    fs_device_plan plan = {.tiles = TILES,
                           .program = fs_bench_programs,
                           .programs = PROGRAMS,
                           .stages = &stage,
                           .stage_count = 1,
                           .group_of = group_of,
                           .groups = 2};
    fs_error err = {0};
    assert_int_equal(fs_plan_check(&plan, TILES, &err), FS_OK);
    stage.branch_count = 2;
    refused(&plan, "stage 0: group 0 is in 2 branches");
    stage = (fs_device_stage){branches + 1, 1};
    step.transfers = across;
    step.transfer_count = 1;
    refused(&plan, "step \"give\": transfer 0 from tile 0 to 1 leaves");
    step.transfer_count = 0;
    branches[1].groups = seven;
    refused(&plan, "a branch of group 7, the plan has 2");
    branches[1].groups = zero;
    step.runs = high;
    refused(&plan, "tile 0 runs program 3, the plan has 3");
    step.runs = runs;
    plan.groups = 1;
    refused(&plan, "tile 1 is in group 1 of 1");
    plan.groups = 2;
    plan.host_tile = TILES;
    refused(&plan, "the host's tile is 96 of 96");
    plan.tiles = TILES - 1;
    refused(&plan, "a plan of 95 tiles, the machine has 96");
}

RUN_TESTS(NULL, NULL)
