/* Random plans of several steps: groups, stages, local runs, against a model that walks the rules of plan.h
 * one tile after the other, and both levels of detail against each other. */
#include "tests/support/device_bench.h"
#include "tests/support/test.h"

/* ---- random plans ---- */

static bool in_branch(const fs_device_plan *plan, const fs_device_branch *b, uint32_t tile) {
    for (uint32_t i = 0; b->groups != NULL && i < b->group_count; i++)
        if (b->groups[i] == plan->group_of[tile])
            return true;
    return b->groups == NULL;
}

/* Transfers that follow one another are sent together now and then, some of them to both tiles of pairs. */
static void draw_multicasts(fs_device_bench *b, fs_device_step *step, fs_transfer *t, fs_rng *rng) {
    uint32_t *with = FS_NEW(b->arena, uint32_t, step->transfer_count);
    for (uint32_t i = 0; i < step->transfer_count; i++) {
        with[i] = i > 0 && fs_rng_below(rng, 2) ? with[i - 1] : i;
        for (uint32_t k = with[i]; k < i; k++)
            if (t[k].dst == t[i].dst)
                with[i] = i;
        t[i].src = t[with[i]].src;
        t[i].bytes = with[i] == i ? 4 * fs_rng_below(rng, 300) : t[with[i]].bytes;
    }
    step->sent_with = with;
}

static void draw_step(fs_device_bench *b, const fs_device_branch *branch, fs_device_step *step, fs_rng *rng) {
    uint8_t *runs = FS_NEW(b->arena, uint8_t, TILES);
    uint32_t *tiles = FS_NEW(b->arena, uint32_t, TILES), count = 0;
    for (uint32_t t = 0; t < TILES; t++)
        if (in_branch(&b->plan, branch, t)) {
            runs[t] = (uint8_t)fs_rng_below(rng, PROGRAMS + 1);
            tiles[count++] = t;
        }
    *step = (fs_device_step){.name = "drawn",
                             .runs = fs_rng_below(rng, 6) ? runs : NULL,
                             .times = fs_rng_below(rng, 4),
                             .calls = 1 + fs_rng_below(rng, 2),
                             .only_active = fs_rng_below(rng, 4) == 0};
    step->meets = b->plan.at_exchanges && fs_rng_below(rng, 4) == 0;
    if (fs_rng_below(rng, 2))
        return;
    step->transfer_count = 1 + fs_rng_below(rng, 30);
    fs_transfer *transfers = FS_NEW(b->arena, fs_transfer, step->transfer_count);
    for (uint32_t i = 0; i < step->transfer_count; i++)
        transfers[i] = (fs_transfer){tiles[fs_rng_below(rng, count)], tiles[fs_rng_below(rng, count)],
                                     4 * fs_rng_below(rng, 50)};
    step->transfers = transfers;
    if (fs_rng_below(rng, 2))
        draw_multicasts(b, step, transfers, rng);
}

static void draw_branch(fs_device_bench *b, fs_device_branch *branch, fs_rng *rng) {
    branch->step_count = 1 + fs_rng_below(rng, 3);
    fs_device_step *steps = FS_NEW(b->arena, fs_device_step, branch->step_count);
    branch->times = fs_rng_below(rng, 3);
    for (uint32_t i = 0; i < branch->step_count; i++) {
        draw_step(b, branch, &steps[i], rng);
        if (fs_step_meets(&steps[i]) && fs_rng_below(rng, 2)) { /* of it, and maybe of those before it */
            steps[i].loop = 1 + fs_rng_below(rng, i + 1);
            steps[i].turns = 1 + fs_rng_below(rng, 3);
            for (uint32_t s = i + 1 - steps[i].loop; s < i; s++)
                steps[i].loop = steps[s].loop > 0 ? i - s : steps[i].loop;
        }
    }
    branch->steps = steps;
}

/* All groups together, or each for itself, the first of three left out now and then. */
static void draw_stage(fs_device_bench *b, fs_device_stage *stage, fs_rng *rng) {
    const uint32_t groups = b->plan.groups, first = groups == 3 && fs_rng_below(rng, 2);
    const bool apart = fs_rng_below(rng, 3) > 0;
    stage->branch_count = apart ? groups - first : 1;
    fs_device_branch *branches = FS_NEW(b->arena, fs_device_branch, stage->branch_count);
    for (uint32_t i = 0; i < stage->branch_count; i++) {
        uint32_t *group = FS_NEW(b->arena, uint32_t, 1);
        *group = first + i;
        branches[i] = (fs_device_branch){.groups = apart ? group : NULL, .group_count = apart};
        draw_branch(b, &branches[i], rng);
    }
    stage->branches = branches;
}

static fs_device_bench *draw(fs_arena *arena, fs_rng *rng) {
    fs_device_bench *b = FS_NEW(arena, fs_device_bench, 1);
    *b = (fs_device_bench){
        .arena = arena, .machine = fs_test_small(), .calls = fs_rng_sub(*rng, 7), .busy = 12};
    b->machine.sync.local = fs_rng_below(rng, 2) ? FS_SYNC_LOCAL_MERGED : FS_SYNC_LOCAL_EACH;
    b->machine.exchange.pair_receive = fs_rng_below(rng, 3);
    b->machine.exchange.mode = fs_rng_below(rng, 2) ? FS_EXCHANGE_STATIC : FS_EXCHANGE_DYNAMIC;
    b->machine.tile.reuse_idle_slots = fs_rng_below(rng, 5) == 0;
    b->machine.host.launch = 1e-6;
    uint8_t *group_of = FS_NEW(arena, uint8_t, TILES);
    b->plan = (fs_device_plan){.tiles = TILES,
                               .group_of = group_of,
                               .groups = 1 + fs_rng_below(rng, MOST_GROUPS),
                               .program = fs_bench_programs,
                               .programs = PROGRAMS,
                               .stage_count = 1 + fs_rng_below(rng, 3),
                               .at_exchanges = fs_rng_below(rng, 2),
                               .host_tile = fs_rng_below(rng, TILES),
                               .first = {.bytes_to_device = 100, .broadcast_bytes = 100}};
    for (uint32_t t = 0; t < TILES; t++)
        group_of[t] = (uint8_t)fs_rng_below(rng, b->plan.groups);
    fs_device_stage *stages = FS_NEW(arena, fs_device_stage, b->plan.stage_count);
    for (uint32_t i = 0; i < b->plan.stage_count; i++)
        draw_stage(b, &stages[i], rng);
    b->plan.stages = stages;
    const uint32_t some = fs_rng_below(rng, 256), others = fs_rng_below(rng, 256);
    b->skipped = some & others;
    return b;
}

static void check_sums(const fs_device_bench *b, const fs_device_record *r) {
    assert_int_equal(r->compute + r->sync + r->exchange + r->host, r->cycles);
    for (uint32_t g = 0; g < fs_plan_groups(&b->plan); g++)
        assert_int_equal(r->group[g].compute + r->group[g].sync + r->group[g].exchange + r->group[g].apart +
                             r->group[g].host,
                         r->cycles);
    for (uint32_t t = 0; t < TILES; t++)
        for (uint32_t w = t * WORKERS; w < (t + 1) * WORKERS; w++)
            assert_int_equal(r->worker[0][w] + r->worker[1][w] + r->worker[2][w],
                             r->group[b->plan.group_of[t]].compute);
}

TEST(details_agree_on_random_plans) {
    fs_rng rng = fs_rng_stream(1, "test/device_plans");
    for (int round = 0; round < 60; round++) {
        fs_arena *arena = test_arena();
        fs_device_bench *b = draw(arena, &rng);
        fs_device_record *phase = fs_bench_run(b, FS_DETAIL_PHASE), *event = fs_bench_run(b, FS_DETAIL_EVENT);
        if (phase->status || event->status)
            fail_msg("round %d: phase: %s; event: %s", round, phase->text, event->text);
        check_sums(b, phase);
        if (memcmp(phase, event, sizeof *phase) != 0)
            fail_msg("round %d: the levels of detail differ: %llu and %llu cycles", round,
                     (unsigned long long)phase->cycles, (unsigned long long)event->cycles);
        free(phase);
        free(event);
    }
}

/* ---- the rules, one tile after the other ---- */

static uint64_t tile_round(const fs_device_bench *b, fs_moment at, const fs_device_step *step,
                           uint32_t tile) {
    fs_priced_program priced;
    fs_tile_times times;
    fs_error err = {0};
    uint64_t cycles = 0;
    uint32_t calls = 0, counts[WORKERS * FS_MOST_EVENTS] = {0};
    if (step->runs == NULL || step->runs[tile] == 0)
        return 0;
    assert_int_equal(
        fs_program_price(fs_bench_programs[step->runs[tile] - 1], &b->machine.tile, &priced, &err), FS_OK);
    for (uint32_t n; (n = fs_bench_call(b, at, tile, calls, counts)) > 0; calls++) {
        fs_tile_times_closed(&priced, counts, &times);
        memset(counts, 0, sizeof counts);
        cycles += n * times.cycles;
    }
    if (calls == 0 && !step->only_active) {
        fs_tile_times_closed(&priced, NULL, &times);
        cycles = times.cycles;
    }
    return cycles;
}

/* Barrier, and the supervisor's program of so many rounds. */
static uint64_t local_end(const fs_device_bench *b, const fs_device_branch *branch, uint64_t rounds) {
    uint32_t skew = 0;
    for (uint32_t t = 0; t < TILES; t++) {
        const uint32_t own = fs_sync_skew(&b->machine.sync, &b->machine.geometry, t);
        skew = in_branch(&b->plan, branch, t) && own > skew ? own : skew;
    }
    return (uint64_t)b->machine.sync.base + skew + rounds * (uint64_t)b->machine.exchange.program_overhead;
}

static uint64_t greatest(const uint64_t *of) {
    uint64_t most = 0;
    for (uint32_t t = 0; t < TILES; t++)
        most = of[t] > most ? of[t] : most;
    return most;
}

/* Arrival of a static exchange, planned anew. */
static uint64_t moved(const fs_device_bench *b, const fs_device_branch *branch, const fs_device_step *step) {
    uint8_t apart[TILES];
    fs_error err = {0};
    for (uint32_t t = 0; t < TILES; t++)
        apart[t] = !in_branch(&b->plan, branch, t);
    const fs_exchange_lanes lanes = {.transfers = step->transfers,
                                     .count = step->transfer_count,
                                     .sent_with = step->sent_with,
                                     .apart = apart};
    const fs_exchange *x =
        fs_exchange_create(b->arena, &b->machine.exchange, &b->machine.geometry, TILES, &lanes, &err);
    return fs_exchange_plan_of(x).arrival;
}

static uint64_t branch_cycles(const fs_device_bench *b, const fs_device_branch *branch, uint64_t iteration,
                              uint32_t first) {
    const bool each = b->machine.sync.local == FS_SYNC_LOCAL_EACH, late = b->plan.at_exchanges && !each;
    uint64_t sum[TILES] = {0}, cycles = 0, run = 0;
    uint32_t asked[MOST_STEPS] = {0}, order[64], length = 0;
    for (uint32_t s = 0; s < branch->step_count; s++) {
        const uint32_t loop = branch->steps[s].loop;
        order[length++] = s;
        for (uint32_t i = 0; loop > 0 && i < loop * (branch->steps[s].turns - 1); i++, length++)
            order[length] = order[length - loop];
    }
    for (uint32_t k = 0; k < fs_plan_times(branch->times) * length; k++) {
        const uint32_t s = order[k % length];
        for (uint32_t i = 0; i < fs_plan_times(branch->steps[s].times); i++) {
            const fs_device_step *step = &branch->steps[s];
            const bool local = step->transfer_count == 0;
            if (run > 0 && ((!local && !late) || each)) {
                cycles += greatest(sum) + local_end(b, branch, run);
                memset(sum, 0, sizeof sum);
                run = 0;
            }
            const fs_moment at = {iteration, first + s, asked[s]++};
            for (uint32_t t = 0; t < TILES; t++)
                sum[t] += tile_round(b, at, step, t);
            run++;
            if (!local) {
                cycles += greatest(sum) + local_end(b, branch, run) + moved(b, branch, step);
                memset(sum, 0, sizeof sum);
                run = 0;
            } else if (step->meets && !each) {
                cycles += greatest(sum) + local_end(b, branch, run);
                memset(sum, 0, sizeof sum);
                run = 0;
            }
        }
    }
    if (run == 0)
        return cycles;
    return cycles + greatest(sum) +
           (late ? run * (uint64_t)b->machine.exchange.program_overhead : local_end(b, branch, run));
}

TEST(random_plans_take_what_the_rules_say) {
    fs_rng rng = fs_rng_stream(2, "test/device_plans");
    for (int round = 0; round < 25; round++) {
        fs_arena *arena = test_arena();
        fs_device_bench *b = draw(arena, &rng);
        b->machine.exchange.mode = FS_EXCHANGE_STATIC;
        fs_device_record *r = fs_bench_run(b, FS_DETAIL_PHASE);
        assert_int_equal(r->status, FS_OK);
        uint64_t expected = 0;
        for (uint64_t k = 0; k < ITERATIONS; k++) {
            uint32_t first = 0;
            for (uint32_t i = 0; i < b->plan.stage_count; i++) {
                uint64_t longest = 0;
                for (uint32_t j = 0; j < b->plan.stages[i].branch_count; j++) {
                    const fs_device_branch *branch = &b->plan.stages[i].branches[j];
                    const uint64_t cycles = branch_cycles(b, branch, k, first);
                    longest = cycles > longest ? cycles : longest;
                    first += branch->step_count;
                }
                expected += b->skipped >> (4 * k + i) & 1 ? 0 : longest;
            }
        }
        assert_int_equal(r->cycles - r->host, expected);
        free(r);
    }
}

/* ---- repetitions alike ---- */

/* Every branch exchanges, and repeats its steps, each of one round. */
static bool repeats(fs_device_bench *b, uint32_t times, const uint32_t *alike) {
    b->plan.at_exchanges = false;
    for (uint32_t i = 0; i < b->plan.stage_count; i++)
        for (uint32_t j = 0; j < b->plan.stages[i].branch_count; j++) {
            fs_device_branch *branch = (fs_device_branch *)&b->plan.stages[i].branches[j];
            uint32_t exchanges = 0;
            branch->times = times;
            branch->alike = alike;
            for (uint32_t s = 0; s < branch->step_count; s++) {
                ((fs_device_step *)branch->steps)[s].times = 1;
                ((fs_device_step *)branch->steps)[s].loop = 0;
                ((fs_device_step *)branch->steps)[s].meets = false;
                exchanges += !fs_step_is_local(&branch->steps[s]);
            }
            if (exchanges == 0)
                return false;
        }
    return true;
}

/* Two, one and four repetitions of three samples, run one by one and together: every number is the same. */
TEST(repetitions_alike_are_those_repetitions) {
    static const uint32_t all[] = {0, 0, 1, 2, 2, 2, 2}, some[] = {0, 0, 1, 2, 2, 2},
                          alike[] = {1, 1, 1, 1, 2, 1};
    fs_rng rng = fs_rng_stream(3, "test/device_plans");
    for (int tried = 0; tried < 30;) {
        fs_arena *arena = test_arena();
        fs_device_bench *b = draw(arena, &rng);
        b->machine.exchange.mode = FS_EXCHANGE_STATIC;
        if (repeats(b, 7, NULL)) {
            tried++;
            b->sample_of = all;
            fs_device_record *whole = fs_bench_run(b, FS_DETAIL_PHASE);
            repeats(b, 6, alike);
            b->sample_of = some;
            fs_device_record *phase = fs_bench_run(b, FS_DETAIL_PHASE),
                             *event = fs_bench_run(b, FS_DETAIL_EVENT);
            if (whole->status || phase->status || event->status)
                fail_msg("%s; %s; %s", whole->text, phase->text, event->text);
            assert_memory_equal(whole, phase, sizeof *whole);
            assert_memory_equal(phase, event, sizeof *phase);
            free(whole);
            free(phase);
            free(event);
        }
    }
}

RUN_TESTS(NULL, NULL)
