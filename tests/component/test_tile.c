/* The tile against closed forms worked out by hand, and against a round-robin pipeline stepped cycle by
 * cycle. */
#include "models/tile/tile.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

enum { LAUNCH = 23 }; /* 11 + 6 + 6 cycles, ipu.md 3 */

static fs_tile_params gc200_tile(void) {
    return (fs_tile_params){.workers = 6,
                            .vertex_overhead = 11,
                            .runall = 6,
                            .join = 6,
                            .pairing = 100,
                            .scale = 100,
                            .cost = {
#define COST(op, key, slots, pipe, doc, source, confidence) [FS_OP_##op] = slots,
                                FS_OP_TABLE(COST)
#undef COST
                            }};
}

/* An event of `slots` integer operations. */
static fs_event int_event(uint8_t segment, uint16_t slots) {
    return (fs_event){.name = "work", .segment = segment, .op[FS_OP_INT] = slots};
}

static fs_priced_program price(const fs_program *program, const fs_tile_params *params) {
    fs_priced_program priced;
    fs_error err = {0};
    assert_int_equal(fs_program_price(program, params, &priced, &err), FS_OK);
    return priced;
}

/* ---- prices ---- */

TEST(prices_follow_the_cost_table) {
    fs_event every = {.name = "one of each", .paired = 4};
    for (int op = 0; op < FS_OP_COUNT; op++)
        every.op[op] = 1;
    fs_program program = {.name = "test", .segments = 1, .events = &every, .event_count = 1};
    /* load 1, store 1, half store 5, add 1, mul 1, div 3, sqrt 5, exp 3, compare 1, cast 1, int 1, int
     * division 265, division by a constant 5, branch 1: 294 slots; wide loads and stores 1, 1, 1, 2, vectors
     * 1, 1, 1, random 1, reciprocals 3 and 4, log, tanh, sigmoid 6 each, pairs of f16 2 each, sine with
     * cosine 1,639, in double precision 2,300: 3,979 more; instructions of several accesses 3, multiply-adds of vectors 2, a run
     * of a copy 10, the aux pipe without arithmetic 1: 3,995 more; then what pairing saves of 4 bundles */
    enum { MORE = 3995 };
    static const struct {
        double pairing;
        uint32_t slots;
    } cases[] = {{100, 290},  {50, 292},   {0, 294},    {75, 291},
                 {62.5, 291}, {62.4, 292}, {12.5, 293}, {12.49, 294}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fs_tile_params params = gc200_tile();
        params.pairing = cases[i].pairing;
        assert_int_equal(price(&program, &params).slots[0], MORE + cases[i].slots);
    }
    fs_tile_params dearer = gc200_tile();
    dearer.cost[FS_OP_DIV] += 10;
    assert_int_equal(price(&program, &dearer).slots[0], MORE + 300);
}

TEST(impossible_prices_are_refused) {
    fs_tile_params params = gc200_tile();
    fs_priced_program priced;
    fs_event event = {.name = "too well paired", .op[FS_OP_ADD] = 2, .paired = 3};
    fs_program program = {.name = "tracer", .segments = 1, .events = &event, .event_count = 1};
    fs_error err = {0};
    assert_fails(fs_program_price(&program, &params, &priced, &err), FS_INPUT, &err, "too well paired");
    assert_non_null(strstr(err.text, "tracer"));

    fs_event huge = {.name = "huge", .op[FS_OP_INT_DIV] = 60000};
    program.events = &huge;
    params.cost[FS_OP_INT_DIV] = 100000;
    err = (fs_error){0};
    assert_fails(fs_program_price(&program, &params, &priced, &err), FS_INPUT, &err, "huge");

    program.workers = 7;
    err = (fs_error){0};
    assert_fails(fs_program_price(&program, &params, &priced, &err), FS_INPUT, &err, "workers");
}

/* ---- times by hand ---- */

TEST(the_slowest_worker_sets_the_time) {
    fs_event work = int_event(0, 1);
    fs_program program = {.name = "test", .segments = 1, .events = &work, .event_count = 1};
    fs_tile_params params = gc200_tile();
    fs_priced_program priced = price(&program, &params);
    static const uint32_t load[6] = {17, 3, 99, 0, 250, 41};
    uint32_t counts[6][FS_MAX_EVENTS] = {{0}};
    for (int w = 0; w < 6; w++)
        counts[w][0] = load[w];
    fs_tile_times times = {0};
    fs_tile_times_closed(&priced, counts[0], &times);
    assert_int_equal(times.cycles, 250 * 6 + LAUNCH);
    for (int w = 0; w < 6; w++) {
        assert_int_equal(times.busy[w], load[w] * 6);
        assert_int_equal(times.waiting[w], 0);
        assert_int_equal(times.idle[w], (250 - load[w]) * 6 + LAUNCH);
    }
}

/* TB/s of 1,216 tiles at 1.6 GHz whose six workers read a buffer of a tile once by loads of one width. */
static double read_rate(const fs_tile_params *params, fs_op load, uint32_t width, uint32_t buffer) {
    fs_event events[] = {{.name = "load"}, int_event(0, 12)};
    events[0].op[load] = 1;
    const fs_program program = {.name = "read", .segments = 1, .events = events, .event_count = 2};
    const fs_priced_program priced = price(&program, params);
    uint32_t counts[6][FS_MAX_EVENTS] = {{0}};
    for (uint32_t w = 0; w < 6; w++) {
        counts[w][0] = buffer / width / 6 + (w < buffer / width % 6);
        counts[w][1] = 1;
    }
    fs_tile_times times = {0};
    fs_tile_times_closed(&priced, counts[0], &times);
    return 1216 * 1.6e9 * buffer / (double)times.cycles * 1e-12;
}

/* Measured: 30.7 of 31.1 TB/s in assembly, a quarter of the peak by compiled loops (measurements.md 1 and 4).
 * A memory that gives 16 B a cycle gives as much, one of half the width half. */
TEST(loads_reach_what_was_measured) {
    fs_tile_params params = gc200_tile();
    const double peak = 1216 * 1.6e9 * 16 * 1e-12;
    for (uint32_t kib = 64; kib <= 192; kib += 16) {
        params.sram_ports = 0;
        const double wide = read_rate(&params, FS_OP_LOAD128, 16, kib * 1024);
        print_message("loads of 128 bits over %u KiB: %.2f TB/s, measured 30.7\n", kib, wide);
        assert_true(wide > 0.99 * 30.7 && wide < 1.01 * 30.7 && wide < peak);
        assert_true(read_rate(&params, FS_OP_LOAD, 4, kib * 1024) > 0.99 * peak / 4);
        assert_true(read_rate(&params, FS_OP_LOAD, 4, kib * 1024) < peak / 4);
        params.sram_ports = 1;
        params.sram_width = 16;
        assert_true(read_rate(&params, FS_OP_LOAD128, 16, kib * 1024) == wide);
        params.sram_width = 8;
        assert_true(read_rate(&params, FS_OP_LOAD128, 16, kib * 1024) < 0.51 * peak);
    }
}

/* NPT: 522 issue slots of a worker take 3,132 cycles, whether the others work or not (ipu.md 3). */
TEST(a_lone_worker_runs_at_a_sixth) {
    fs_event work = int_event(0, 522);
    fs_tile_params params = gc200_tile();
    uint32_t counts[6][FS_MAX_EVENTS] = {{1}};
    fs_tile_times lone = {0}, one_of_six = {0}, full = {0};
    fs_program single = {.name = "single", .segments = 1, .workers = 1, .events = &work, .event_count = 1};
    fs_priced_program priced = price(&single, &params);
    fs_tile_times_closed(&priced, counts[0], &lone);
    assert_int_equal(lone.cycles, 3132 + LAUNCH);
    assert_int_equal(lone.busy[0], 3132);
    for (int w = 1; w < 6; w++)
        assert_int_equal(lone.idle[w], 3132 + LAUNCH);

    fs_program six = {.name = "six", .segments = 1, .events = &work, .event_count = 1};
    priced = price(&six, &params);
    fs_tile_times_closed(&priced, counts[0], &one_of_six);
    assert_memory_equal(&lone, &one_of_six, sizeof lone);
    for (int w = 1; w < 6; w++)
        counts[w][0] = 1;
    fs_tile_times_closed(&priced, counts[0], &full);
    assert_int_equal(full.cycles, lone.cycles);
    assert_int_equal(full.busy[5], 3132);

    params.reuse_idle_slots = true;
    priced = price(&single, &params);
    fs_tile_times_closed(&priced, counts[0], &lone);
    assert_int_equal(lone.cycles, 522 + LAUNCH);
    priced = price(&six, &params);
    fs_tile_times_closed(&priced, counts[0], &full);
    assert_int_equal(full.cycles, 3132 + LAUNCH); /* a full tile has no slots to give */
    assert_int_equal(full.busy[0], 3132);
}

/* Three segments drawn on paper. Slots of the workers:
 *   segment 0: 10 20 30 40 50 60, barrier 7 -> 67 x 6 = 402 cycles
 *   segment 1: 100 on worker 0,   barrier 7 -> 107 x 6 = 642
 *   segment 2: 5 each, worker 3: 9          -> 9 x 6 = 54 */
TEST(barriers_add_up_as_on_paper) {
    fs_event events[3] = {int_event(0, 10), int_event(1, 100), int_event(2, 1)};
    events[1].always_first = 1;
    events[2].always_each = 5;
    fs_event barrier = {.name = "barrier", .op[FS_OP_LOAD] = 6, .op[FS_OP_STORE] = 1};
    fs_program program = {
        .name = "paper", .segments = 3, .events = events, .event_count = 3, .barrier = &barrier};
    fs_tile_params params = gc200_tile();
    fs_priced_program priced = price(&program, &params);
    uint32_t counts[6][FS_MAX_EVENTS] = {{0}};
    for (uint32_t w = 0; w < 6; w++)
        counts[w][0] = w + 1;
    counts[3][2] = 4;
    fs_tile_times times = {0};
    fs_tile_times_closed(&priced, counts[0], &times);
    assert_int_equal(times.cycles, LAUNCH + 402 + 642 + 54);
    for (uint32_t w = 0; w < 6; w++) {
        uint64_t slots = 10 * (w + 1) + 7 + (w == 0 ? 107 : 7) + (w == 3 ? 9 : 5);
        assert_int_equal(times.busy[w], slots * 6);
        assert_int_equal(times.waiting[w], (50 - 10 * w) * 6 + (w == 0 ? 0 : 600));
        assert_int_equal(times.idle[w], LAUNCH + (w == 3 ? 0 : 24));
    }
    /* The same tile without work: prologues and barriers remain. */
    fs_tile_times_closed(&priced, NULL, &times);
    assert_int_equal(times.cycles, LAUNCH + 7 * 6 + 642 + 5 * 6);
}

/* ---- a pipeline stepped cycle by cycle ---- */

typedef struct pipeline {
    uint32_t segments, workers, tile_workers, width, ports;
    bool reuse;
    uint64_t launch, after;             /* cycles before and behind the segments */
    uint64_t permille, own;             /* of the chip's clock; cycles of the tile's own so far */
    uint64_t accesses[FS_MAX_SEGMENTS]; /* of the SRAM, of all workers */
    uint64_t slots[FS_MAX_SEGMENTS][FS_MAX_WORKERS]; /* barrier included */
} pipeline;

/* The tile's n-th cycle is over when the chip has made n / permille of a thousand cycles, whole ones. */
static void step_all(pipeline *p, uint32_t segment, const bool *issues, fs_tile_times *out) {
    uint64_t takes = 0;
    for (p->own++; (out->cycles + takes) * p->permille < p->own * 1000;)
        takes++;
    out->cycles += takes;
    for (uint32_t w = 0; w < p->tile_workers; w++) {
        if (issues[w])
            out->busy[w] += takes;
        else if (w < p->workers && segment + 1 < p->segments)
            out->waiting[w] += takes;
        else
            out->idle[w] += takes;
    }
}

/* Contexts take turns, `width` of them a cycle; a round ends when each has had its turn. In the barrel every
 * context of the tile has a turn; with reuse only those with something to issue. The SRAM serves so many
 * accesses a cycle, from the segment's first cycle on, and the segment waits for the last. */
static fs_tile_times run_pipeline(pipeline *p) {
    fs_tile_times out = {0};
    static const bool nobody[FS_MAX_WORKERS];
    for (uint64_t c = 0; c < p->launch; c++)
        step_all(p, p->segments, nobody, &out);
    for (uint32_t s = 0; s < p->segments; s++) {
        uint64_t left[FS_MAX_WORKERS] = {0};
        memcpy(left, p->slots[s], p->workers * sizeof left[0]);
        uint64_t queue = p->ports ? p->accesses[s] : 0, turn = 0;
        for (bool any = true; any;) {
            bool issues[FS_MAX_WORKERS] = {false};
            any = false;
            for (uint32_t w = 0; w < p->workers; w++)
                any |= issues[w] = left[w] > 0;
            turn = 0;
            for (uint32_t context = 0; any && context < p->tile_workers; context++) {
                if (issues[context])
                    left[context]--;
                else if (p->reuse)
                    continue; /* its turn is skipped, no cycle passes */
                if (turn++ % p->width == 0) {
                    step_all(p, s, issues, &out);
                    queue -= queue < p->ports ? queue : p->ports;
                }
            }
        }
        for (; queue > 0; queue -= queue < p->ports ? queue : p->ports)
            step_all(p, s, nobody, &out);
    }
    for (uint64_t c = 0; c < p->after; c++)
        step_all(p, p->segments, nobody, &out);
    return out;
}

typedef struct random_case {
    fs_event events[FS_MAX_EVENTS];
    fs_event barrier;
    fs_program program;
    fs_tile_params params;
    uint32_t counts[FS_MAX_WORKERS][FS_MAX_EVENTS];
} random_case;

static void random_program(random_case *c, fs_rng *rng) {
    *c = (random_case){.params = gc200_tile()};
    c->params.workers = 1 + fs_rng_below(rng, 8);
    c->params.issue_width = fs_rng_below(rng, 2) ? 1 + fs_rng_below(rng, (uint32_t)c->params.workers) : 0;
    c->params.reuse_idle_slots = fs_rng_below(rng, 2);
    c->params.sram_ports = fs_rng_below(rng, 2) ? 1 + fs_rng_below(rng, 3) : 0;
    c->params.sram_width = 1 + fs_rng_below(rng, 8);
    c->params.dual_issue = fs_rng_below(rng, 3);
    c->params.clock_permille = fs_rng_below(rng, 2) ? 100 + fs_rng_below(rng, 3000) : 0;
    c->params.vertex_overhead = fs_rng_below(rng, 20);
    c->params.pairing = fs_rng_below(rng, 101);
    c->params.scale = fs_rng_below(rng, 3) == 0 ? 100 : (500 + fs_rng_below(rng, 1501)) / 10.0;
    uint32_t segments = 1 + fs_rng_below(rng, FS_MAX_SEGMENTS);
    uint32_t event_count = 1 + fs_rng_below(rng, FS_MAX_EVENTS);
    for (uint32_t e = 0; e < event_count; e++) {
        fs_event *event = &c->events[e];
        *event = (fs_event){.name = "random", .segment = (uint8_t)fs_rng_below(rng, segments)};
        event->op[FS_OP_LOAD] = (uint16_t)(1 + fs_rng_below(rng, 3));
        event->op[FS_OP_ADD] = (uint16_t)fs_rng_below(rng, 4);
        event->paired = (uint16_t)fs_rng_below(rng, 2);
        event->always_each = (uint16_t)(fs_rng_below(rng, 4) == 0);
        event->always_first = (uint16_t)(fs_rng_below(rng, 4) == 0);
        event->cycles = fs_rng_below(rng, 4) == 0 ? fs_rng_below(rng, 5) : 0;
        for (uint32_t w = 0; w < FS_MAX_WORKERS; w++)
            c->counts[w][e] = fs_rng_below(rng, 3) ? fs_rng_below(rng, 20) : 0;
    }
    c->barrier = (fs_event){.name = "barrier", .op[FS_OP_INT] = (uint16_t)fs_rng_below(rng, 9)};
    c->program = (fs_program){.name = "random",
                              .segments = segments,
                              .workers = fs_rng_below(rng, (uint32_t)c->params.workers + 1),
                              .events = c->events,
                              .event_count = event_count,
                              .barrier = segments > 1 ? &c->barrier : NULL,
                              .free_launch = fs_rng_below(rng, 4) == 0};
}

/* The slots of every worker and segment, from profiles and counts alone. */
static pipeline pipeline_of(const random_case *c) {
    pipeline p = {.segments = c->program.segments,
                  .workers = c->program.workers ? c->program.workers : (uint32_t)c->params.workers,
                  .tile_workers = (uint32_t)c->params.workers,
                  .width = c->params.issue_width ? (uint32_t)c->params.issue_width : 1,
                  .ports = (uint32_t)c->params.sram_ports,
                  .reuse = c->params.reuse_idle_slots,
                  .permille = c->params.clock_permille ? (uint64_t)c->params.clock_permille : 1000,
                  .launch = c->program.free_launch ? 0 : (uint64_t)c->params.vertex_overhead + 6,
                  .after = c->program.free_launch ? 0 : 6};
    for (uint32_t w = 0; w < p.workers; w++) {
        for (uint32_t e = 0; e < c->program.event_count; e++) {
            const fs_event *event = &c->events[e];
            uint64_t n = c->counts[w][e] + event->always_each + (w == 0 ? event->always_first : 0u);
            uint64_t loads = event->op[FS_OP_LOAD], adds = event->op[FS_OP_ADD];
            uint64_t saved = event->paired && c->params.pairing >= 50; /* 0 or 1 bundle, half up */
            if (c->params.dual_issue == FS_DUAL_NONE)
                saved = 0;
            else if (c->params.dual_issue == FS_DUAL_FULL)
                saved = loads < adds ? loads : adds;
            for (int64_t byte = 0; byte < 4; byte += c->params.sram_width)
                p.accesses[event->segment] += n * loads;
            p.after +=
                (uint64_t)c->counts[w][e] * event->cycles; /* hardware: workers idle, as in the launch */
            p.slots[event->segment][w] += n * (loads + adds - saved);
        }
        for (uint32_t s = 0; s + 1 < p.segments; s++)
            p.slots[s][w] += c->barrier.op[FS_OP_INT];
        for (uint32_t s = 0; s < p.segments; s++) /* thousandths, half up */
            p.slots[s][w] = (p.slots[s][w] * (uint64_t)(c->params.scale * 10 + 0.5) + 500) / 1000;
    }
    return p;
}

TEST(closed_form_equals_the_pipeline) {
    fs_rng rng = fs_rng_stream(test_seed(20240), "test/tile");
    for (int i = 0; i < 1000; i++) {
        random_case c;
        random_program(&c, &rng);
        fs_priced_program priced = price(&c.program, &c.params);
        pipeline p = pipeline_of(&c);
        fs_tile_times expected = run_pipeline(&p), times = {0};
        fs_tile_times_closed(&priced, c.counts[0], &times);
        assert_memory_equal(&times, &expected, sizeof times);
        for (uint32_t w = 0; w < p.tile_workers; w++)
            assert_int_equal(times.busy[w] + times.waiting[w] + times.idle[w], times.cycles);
        for (uint32_t w = 0; w < p.workers; w++)
            for (uint32_t s = 0; s < p.segments; s++)
                assert_int_equal(fs_slots_taken(&priced, fs_segment_slots(&priced, c.counts[0], w, s) +
                                                             (s + 1 < p.segments ? priced.barrier_slots : 0)),
                                 p.slots[s][w]);
        fs_priced_program plain = priced;
        plain.vectors = false;
        fs_tile_times plainly = {0};
        fs_tile_times_closed(&plain, c.counts[0], &plainly);
        assert_memory_equal(&times, &plainly, sizeof times);
        /* No tile issues more than its width. */
        uint64_t issued = 0;
        for (uint32_t w = 0; w < p.workers; w++)
            for (uint32_t s = 0; s < p.segments; s++)
                issued += p.slots[s][w];
        assert_true(p.own >= p.launch + p.after + (issued + p.width - 1) / p.width);
        /* Giving slots away never makes a tile slower. */
        fs_priced_program other = priced;
        other.reuse_idle_slots = !priced.reuse_idle_slots;
        fs_tile_times otherwise = {0};
        fs_tile_times_closed(&other, c.counts[0], &otherwise);
        assert_true(priced.reuse_idle_slots ? times.cycles <= otherwise.cycles
                                            : times.cycles >= otherwise.cycles);
    }
}

/* The tracers' calls, most of all: one segment, six workers; prices and counts of any size. */
TEST(six_workers_by_vectors_are_the_same) {
    fs_rng rng = fs_rng_stream(20241, "test/tile/six");
    for (int i = 0; i < 300; i++) {
        fs_event events[FS_MAX_EVENTS] = {0};
        const uint32_t many = 1 + fs_rng_below(&rng, FS_MAX_EVENTS);
        for (uint32_t e = 0; e < many; e++) {
            events[e] = (fs_event){.name = "e", .doc = "", .source = ""};
            events[e].op[FS_OP_INT] = (uint16_t)fs_rng_below(&rng, 3000);
            events[e].always_each = (uint16_t)fs_rng_below(&rng, 2);
            events[e].always_first = (uint16_t)fs_rng_below(&rng, 2);
        }
        const fs_program program = {.name = "six", .segments = 1, .events = events, .event_count = many};
        fs_tile_params params = {.workers = 6, .vertex_overhead = 30, .pairing = 100, .scale = 100};
        params.cost[FS_OP_INT] = 1;
        uint32_t counts[6][FS_MAX_EVENTS] = {{0}};
        for (uint32_t w = 0; w < 6; w++)
            for (uint32_t e = 0; e < many; e++)
                counts[w][e] = (uint32_t)fs_rng_below(&rng, i % 3 ? 50 : UINT32_MAX);
        fs_priced_program priced = price(&program, &params), plain = priced;
        plain.vectors = false;
        fs_tile_times times = {0}, plainly = {0};
        fs_tile_times_closed(&priced, counts[0], &times);
        fs_tile_times_closed(&plain, counts[0], &plainly);
        assert_memory_equal(&times, &plainly, sizeof times);
    }
}

RUN_TESTS(NULL, NULL)
