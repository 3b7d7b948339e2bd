/* Programs of supersteps are read as they are written: patterns, loops, timelines, traces, and every mistake
 * with its place. */
#include "tests/support/chip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/program/supersteps.h"

static fs_machine_params small;

static int setup(void **state) {
    small = fs_test_small();
    return scratch_enter(state);
}

static fs_status read_text(fs_arena *arena, const char *text, fs_supersteps *out, fs_error *err) {
    scratch_write("p.yaml", text);
    return fs_supersteps_read("p.yaml", &small, arena, out, err);
}

static fs_supersteps must_read(fs_arena *arena, const char *text) {
    fs_supersteps p;
    static fs_error err;
    err = (fs_error){0};
    assert_ok(read_text(arena, text, &p, &err), &err);
    assert_int_equal(fs_plan_check(&p.plan, fs_geometry_tiles(&small.geometry), &err), FS_OK);
    return p;
}

/* ---- patterns ---- */

static bool sends(const fs_superstep *s, uint32_t src, uint32_t dst, uint32_t bytes) {
    for (uint32_t i = 0; i < s->transfer_count; i++)
        if (s->transfers[i].src == src && s->transfers[i].dst == dst)
            return s->transfers[i].bytes == bytes && s->bytes[i] == bytes;
    return false;
}

#define SPACE                                                                                                \
    "{ pattern: halo, on: 0-26, columns: 3, planes: 3, bytes: 4 B, bytes_column: 8 B, bytes_plane: 12 B, "   \
    "edges: 16 B, "                                                                                          \
    "corners: 20 B }"

TEST(patterns_send_what_they_say) {
    static const struct {
        const char *pattern;
        uint32_t count, src, dst, bytes; /* transfers in all, and one of them */
    } cases[] = {
        {"{ pattern: shift, on: 0-7, by: 3, bytes: 8 B }", 8, 6, 1, 8},
        {"{ pattern: shift, on: 0-7, by: -3, wrap: false, bytes: 8 B }", 5, 7, 4, 8},
        {"{ pattern: shift, on: 0-7, by: 8, bytes: 8 B }", 0, 0, 0, 0}, /* to itself */
        {"{ pattern: broadcast, from: 3, to: 0-7, bytes: 5 B }", 7, 3, 7, 8},
        {"{ pattern: gather, from: 0-7, to: 2, bytes: 4 B }", 7, 7, 2, 4},
        {"{ pattern: all_to_all, on: 0-7, bytes: 4 B }", 56, 7, 0, 4},
        {"{ pattern: halo, on: 0-11, columns: 4, bytes: 4 B, bytes_column: 12 B }", 34, 1, 5, 12},
        {"{ pattern: halo, on: 0-11, columns: 4, wrap: true, bytes: 4 B }", 48, 0, 3, 4},
        {"{ pattern: halo, on: 0-11, columns: 4, bytes: [4 B, 8 B, 12 B], bytes_column: [16 B, 20 B, 24 B, "
         "28 B], corners: 32 B }",
         58, 9, 10, 12},
        {"{ pattern: halo, on: 0-11, columns: 4, bytes: [4 B, 8 B, 12 B], bytes_column: [16 B, 20 B, 24 B, "
         "28 B], corners: 32 B }",
         58, 2, 6, 24},
        {"{ pattern: halo, on: 0-11, columns: 4, bytes: 4 B, corners: 32 B }", 58, 0, 5, 32},
        {SPACE, 316, 13, 14, 4},
        {SPACE, 316, 13, 16, 8},
        {SPACE, 316, 13, 4, 12},
        {SPACE, 316, 0, 10, 16},
        {SPACE, 316, 26, 13, 20},
        {"{ pattern: halo, on: 0-26, columns: 3, planes: 3, bytes: 4 B, wrap: true }", 162, 0, 18, 4},
        {"{ pattern: rows, on: 0-11, columns: 4, by: -1, bytes: 4 B }", 12, 4, 7, 4},
        {"{ pattern: columns, on: 0-11, columns: 4, wrap: false, bytes: 4 B }", 8, 2, 6, 4},
        {"{ pattern: transpose, on: 0-11, columns: 4, bytes: 4 B }", 10, 1, 3, 4},
        {"{ pattern: pairs, from: [0-3], to: [7, 6, 5, 4], bytes: 4 B }", 4, 1, 6, 4},
        {"{ pattern: blocks, from: 0-7, to: [8, 9], bytes: 4 B }", 8, 5, 9, 4},
        {"{ pattern: blocks, from: [8, 9], to: 0-7, bytes: 4 B }", 8, 9, 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        char text[512];
        snprintf(text, sizeof text, "steps:\n  - name: x\n    exchange:\n      - %s\n", cases[i].pattern);
        const fs_supersteps p = must_read(arena, text);
        if (p.steps[0].transfer_count != cases[i].count)
            fail_msg("%s: %u transfers", cases[i].pattern, p.steps[0].transfer_count);
        if (cases[i].count > 0 && !sends(&p.steps[0], cases[i].src, cases[i].dst, cases[i].bytes))
            fail_msg("%s: %u does not send %u bytes to %u", cases[i].pattern, cases[i].src, cases[i].bytes,
                     cases[i].dst);
    }
}

TEST(transfers_of_one_pair_are_one) {
    fs_arena *arena = test_arena();
    const fs_supersteps p = must_read(arena, "steps:\n  - name: x\n    exchange:\n"
                                             "      - { pattern: shift, on: 0-3, bytes: 8 B }\n"
                                             "      - { pattern: all_to_all, on: 0-3, bytes: 4 B }\n");
    assert_int_equal(p.steps[0].transfer_count, 12);
    assert_true(sends(&p.steps[0], 3, 0, 12));
    assert_true(sends(&p.steps[0], 0, 3, 4));
    for (uint32_t i = 1; i < 12; i++)
        assert_true(p.steps[0].transfers[i - 1].src < p.steps[0].transfers[i].src ||
                    p.steps[0].transfers[i - 1].dst < p.steps[0].transfers[i].dst);
}

/* ---- kernels ---- */

#define KERNEL                                                                                               \
    "kernels:\n  k:\n    code: 1 KiB\n    events:\n      late: { segment: 1, int_op: 3 }\n"                  \
    "      early: { load: 2, f32_add: 1, paired: 1 }\n    barrier: { branch: 1 }\n"

TEST(counts_are_of_a_tile_or_of_each_worker) {
    fs_arena *arena = test_arena();
    const fs_supersteps p = must_read(
        arena, KERNEL "steps:\n  - name: x\n    run:\n"
                      "      - { on: [5, 2], kernel: k, count: { early: 7 }, each: { early: 2, late: 1 } }\n"
                      "      - { on: 9, operations: { store: 4, load: 11 } }\n");
    const fs_superstep *s = &p.steps[0];
    assert_int_equal(s->call_count, 2);
    assert_int_equal(s->calls[0].tile[0], 2);
    assert_int_equal(s->calls[0].tile[1], 5);
    const fs_program *k = &p.kernels[s->calls[0].kernel];
    assert_string_equal(k->events[0].name, "early"); /* by segment */
    assert_int_equal(k->segments, 2);
    assert_int_equal(k->code_bytes, 1024);
    assert_int_equal(s->calls[0].count[0], 7 + 2 * 6);
    assert_int_equal(s->calls[0].count[1], 6);
    assert_int_equal(s->runs[2], 1 + s->calls[0].kernel);
    assert_int_equal(s->runs[9], 1 + s->calls[1].kernel);
    assert_int_equal(s->runs[3], 0);
    assert_int_equal(p.kernels[s->calls[1].kernel].events[1].op[FS_OP_LOAD], 1);
    assert_int_equal(s->calls[1].count[1], 11);
}

TEST(a_product_is_a_kernel_of_the_matrix_unit) {
    fs_arena *arena = test_arena();
    const fs_supersteps p = must_read(
        arena, "kernels: { k: { events: { clock: { cycles: 84 cycles } } } }\nsteps:\n  - name: x\n    run:\n"
               "      - { on: 3, matrix: { type: f8, rows: 57, inputs: 128, outputs: 80 } }\n"
               "      - { on: 4, kernel: k, count: { clock: 2 } }\n");
    const fs_superstep *s = &p.steps[0];
    const fs_program *product = &p.kernels[s->calls[0].kernel];
    assert_true(product->free_launch);
    assert_int_equal(product->events[0].cycles, 1);
    assert_int_equal(s->calls[0].count[0], fs_amp_cycles(&small.matrix, (uint32_t)small.tile.workers,
                                                         (fs_amp_product){FS_AMP_F8, 57, 128, 80}));
    assert_int_equal(p.kernels[s->calls[1].kernel].events[0].cycles, 84);
}

/* ---- loops and timelines ---- */

#define STEP(name) "{ name: " name ", run: [{ on: 0-3, operations: { load: 6 } }] }"

#define MOVE "{ name: m, exchange: [{ pattern: shift, on: 0-3, bytes: 4 B }] }"

TEST(loops_repeat) {
    fs_arena *arena = test_arena();
    /* The loop that is all: iterations; the one in it is written out; a step's own repeat stays. */
    fs_supersteps p = must_read(
        arena,
        "steps:\n  - repeat: 5\n    steps:\n      - " STEP(
            "a") "\n      - repeat: 3\n        steps:\n          - " STEP("b") "\n          - { name: c, "
                                                                               "repeat: 7, exchange: [{ "
                                                                               "pattern: shift, "
                                                                               "on: 0-3, bytes: 4 B }] }\n");
    assert_int_equal(p.iterations, 5);
    assert_int_equal(p.step_count, 3);
    assert_int_equal(fs_plan_steps(&p.plan), 7);
    static const char *const names[] = {"a", "b", "c", "b", "c", "b", "c"};
    for (uint32_t s = 0; s < 7; s++) {
        assert_string_equal(fs_plan_step(&p.plan, s)->name, names[s]);
        assert_string_equal(p.steps[p.step_of[s]].name, names[s]);
        assert_int_equal(fs_plan_times(fs_plan_step(&p.plan, s)->times), names[s][0] == 'c' ? 7 : 1);
    }
    /* Of a loop without an exchange each step runs as often; any other goes back from its last step. */
    p = must_read(arena, "steps:\n  - " STEP("a") "\n  - repeat: 9\n    steps: [" STEP("b") ", " STEP(
                             "c") "]\n  - repeat: 4\n    steps: [" STEP("d") ", " MOVE "]\n");
    assert_int_equal(p.iterations, 1);
    assert_int_equal(p.passes, 1);
    assert_int_equal(p.plan.stage_count, 1);
    static const uint32_t times[] = {1, 9, 9, 1, 1};
    for (uint32_t s = 0; s < 5; s++) {
        assert_int_equal(fs_plan_step(&p.plan, s)->times, times[s]);
        assert_int_equal(fs_plan_step(&p.plan, s)->loop, s == 4 ? 2 : 0);
    }
    assert_int_equal(fs_plan_step(&p.plan, 4)->turns, 4);
    /* A loop that is all and goes on without an exchange is so many passes of one iteration. */
    p = must_read(arena, "steps:\n  - repeat: 4\n    steps: [" MOVE ", " STEP("d") "]\n");
    assert_int_equal(p.iterations, 1);
    assert_int_equal(p.passes, 4);
    assert_int_equal(fs_plan_step(&p.plan, 1)->loop, 2);
}

TEST(timelines_run_beside_each_other) {
    fs_arena *arena = test_arena();
    const fs_supersteps p = must_read(
        arena,
        "timelines: { left: 0-3, right: 4-5 }\nsteps:\n  - beside:\n"
        "      - { on: left, repeat: 4, steps: [" STEP(
            "a") "] }\n"
                 "      - { on: right, steps: [{ name: b, run: [{ on: 4, operations: { load: 6 } }] }] }\n"
                 "  - { name: c, exchange: [{ pattern: pairs, from: 0, to: 4, bytes: 4 B }] }\n");
    assert_int_equal(p.plan.groups, 3);
    assert_int_equal(p.plan.group_of[3], 1);
    assert_int_equal(p.plan.group_of[5], 2);
    assert_int_equal(p.plan.group_of[6], 0);
    assert_int_equal(p.plan.stages[0].branch_count, 2);
    assert_int_equal(p.plan.stages[0].branches[0].times, 4);
    assert_int_equal(p.plan.stages[0].branches[1].groups[0], 2);
    assert_null(p.plan.stages[1].branches[0].groups);
}

/* ---- traces ---- */

TEST(a_trace_is_the_same_program) {
    fs_arena *arena = test_arena();
    scratch_write("e.csv", "step,tile,event,count\n0,2,early,4\n0,1,early,3\n0,2,early,1\n2,1,late,9\n");
    scratch_write("t.csv", "step,source,destination,bytes\n0,1,2,6\n1,2,1,4\n1,2,1,8\n1,3,3,8\n");
    const fs_supersteps p = must_read(arena, KERNEL "trace: { events: e.csv, transfers: t.csv }\n");
    assert_int_equal(p.step_count, 3);
    assert_int_equal(fs_plan_steps(&p.plan), 3);
    assert_int_equal(p.steps[0].call_count, 2);
    assert_int_equal(p.steps[0].calls[0].tile[0], 1);
    assert_int_equal(p.steps[0].calls[0].count[0], 3);
    assert_int_equal(p.steps[0].calls[1].count[0], 5);
    assert_true(sends(&p.steps[0], 1, 2, 8));
    assert_int_equal(p.steps[1].call_count, 0);
    assert_int_equal(p.steps[1].transfer_count, 1);
    assert_true(sends(&p.steps[1], 2, 1, 12));
    assert_int_equal(p.steps[2].calls[0].count[1], 9);
}

/* ---- mistakes ---- */

TEST(mistakes_are_told_with_their_place) {
    static const struct {
        const char *text, *told;
    } cases[] = {
        {"stpes: []\n", "p.yaml:1:1: stpes: unknown key"},
        {"kernels: {}\n", "steps"},
        {"steps:\n  - { run: [] }\n", "p.yaml:2:5"},
        {"steps:\n  - { name: x }\n", "expected `run` or `copy`, `exchange` or both"},
        {"steps:\n  - { name: x, run: [{ on: nowhere, operations: { load: 1 } }] }\n",
         "p.yaml:2:28: steps[0].run[0].on: expected a group (all) or numbers of tiles, found \"nowhere\""},
        {"steps:\n  - { name: x, run: [{ on: 0, operations: { laod: 1 } }] }\n", "laod: unknown key"},
        {"steps:\n  - { name: x, run: [{ on: 0, kernel: k }] }\n",
         "expected a kernel of `kernels`, found \"k\""},
        {"steps:\n  - { name: x, run: [], copy: [{ on: 0, bytes: 4 B }] }\n",
         "p.yaml:2:31: steps[0].copy: expected"},
        {"steps:\n  - { name: x, copy: [{ on: 0, bytes: 4 B, runs: 5 }] }\n",
         "steps[0].copy[0].runs: expected"},
        {"steps:\n  - { name: x, copy: [{ on: 0, runs: 5 }] }\n", "bytes"},
        {"kernels: { k: { events: { e: { load: 2, f32_add: 1, f32_div: 3, paired: 3 } } } }\nsteps: []\n",
         "p.yaml:1:73: kernels.k.events.e.paired: expected at most 2 or all: 2 operations of the main pipe "
         "and 4 of"},
        {"kernels: { k: { events: { e: { paired: 1, load: 2 } } } }\nsteps: []\n", "expected at most 0"},
        {"steps:\n  - { name: x, run: [{ on: [0, 0], operations: { load: 1 } }] }\n", "tile 0 stands twice"},
        {"steps:\n  - { name: x, run: [{ on: 0, operations: { load: 1 } }, { on: 0-2, matrix: { type: f16, "
         "rows: 1, inputs: 1, outputs: 1 } }] }\n",
         "p.yaml:2:21: steps[0].run: tile 0 runs product 2 beside another kernel"},
        {KERNEL "steps: [{ name: x, run: [{ on: 0-2, kernel: k, each: { early: [1, 2] } }] }]\n",
         "steps[0].run[0].each.early: expected a number, or one for each of 6 workers, found a list of 2"},
        {KERNEL "steps: [{ name: x, run: [{ on: 0-2, kernel: k, rows: [1, 2], count: { early: 1 } }] }]\n",
         "steps[0].run[0].rows: expected a number, or one for each of 3 tiles, found a list of 2"},
        {KERNEL "steps: [{ name: x, run: [{ on: 0-2, kernel: k, rows: 1, rows_of_all: 2 }] }]\n",
         "expected `rows` or `rows_of_all`, found both"},
        {KERNEL
         "steps: [{ name: x, run: [{ on: 0-2, kernel: k, rows: 1000000000, count: { early: 100 } }] }]\n",
         "expected at most 1000000000 of an event on a worker"},
        {"steps:\n  - { name: x, exchange: [{ pattern: shift, on: 0-3, bytes: 4 }] }\n", "bytes"},
        {"steps:\n  - { name: x, exchange: [{ pattern: halo, on: 0-6, columns: 2, bytes: 4 B }] }\n",
         "expected columns that divide the 7 tiles, found 2"},
        {"steps:\n  - { name: x, exchange: [{ pattern: halo, on: 0-7, columns: 2, planes: 3, bytes: 4 B }] "
         "}\n",
         "expected planes that divide the 8 tiles, found 3"},
        {"steps:\n  - { name: x, exchange: [{ pattern: halo, on: 0-7, columns: 2, edges: 4 B, bytes: 4 B }] "
         "}\n",
         "exchange[0].edges: expected `corners`"},
        {"steps:\n  - { name: x, exchange: [{ pattern: halo, on: 0-7, columns: 2, bytes: [4 B, 8 B] }] }\n",
         "a list for its 4 rows, found a list of 2"},
        {"steps:\n  - { name: x, exchange: [{ pattern: halo, on: 0-7, columns: 2, planes: 2, bytes: [4 B, 8 "
         "B] }] }\n",
         "a list for its 2 rows, found a list of 2"},
        {"steps:\n  - { name: x, exchange: [{ pattern: chips, on: 0-3, bytes: 4 B, links: 4, neighbours: 3 "
         "}] }\n",
         "exchange[0]: expected at most 10 links in all, found 4 to each of 3"},
        {"steps:\n  - { name: x, exchange: [{ pattern: pairs, from: 0-3, to: 4-5, bytes: 4 B }] }\n",
         "found 4 and 2"},
        {"steps:\n  - { name: x, exchange: [{ pattern: blocks, from: 0-2, to: 4-5, bytes: 4 B }] }\n",
         "found 3 and 2"},
        {"steps:\n  - { name: x, exchange: [{ pattern: ring, on: 0-2, bytes: 4 B }] }\n", "shift"},
        {"kernels: { k: { events: { e: { load: 1, segment: 2 } } } }\nsteps: [{ name: x, run: [{ on: 0, "
         "kernel: k }] }]\n",
         "a kernel of 3 segments"},
        {"timelines: { a: 0-3, b: 3-4 }\nsteps: [" STEP("x") "]\n", "tile 3 is in another timeline already"},
        {"steps:\n  - beside: [{ on: a, steps: [" STEP("x") "] }]\n", "expected a name of `timelines`"},
        {"steps:\n  - repeat: 2\n    steps:\n      - repeat: 1000000\n        steps: [" MOVE "]\n",
         "expected at most 100000 steps"},
        {"steps:\n  - " MOVE "\n  - repeat: 2\n    steps: [{ name: y, repeat: 600000000, run: [] }]\n",
         "p.yaml:3:5: steps[1]: expected at most 1000000000 rounds"},
        {"memory: [{ on: 0, name: \"a,b\", bytes: 4 B }]\nsteps: [" STEP("x") "]\n", "without commas"},
        {"steps: [" STEP("x") "]\ntrace: { events: e.csv }\n", "found both"},
        {"trace: { events: none.csv }\n", "none.csv: cannot open"},
        {"trace: { events: bad.csv }\n", "bad.csv:3: event: expected"},
        {"trace: { events: order.csv }\n", "order.csv:3: step: expected steps that ascend"},
        {"trace: { events: far.csv }\n", "far.csv:2: tile: expected a tile below"},
        {"trace: { events: much.csv }\n", "much.csv:3: count: expected at most"},
        {"steps:\n  - { name: x, run: [{ on: 0, operations: { load: 5000000000 } }] }\n", "4000000000"},
        {"steps:\n  - { name: x, run: [{ on: 0, matrix: { type: f64, rows: 1, inputs: 1, outputs: 1 } }] }\n",
         "f16"},
        {"steps:\n  - { name: x, run: [{ on: 0, matrix: { type: f8, rows: 0, inputs: 1 } }] }\n", "outputs"},
        {"steps:\n  - { name: x, run: [{ on: 0, operations: { load: 1 }, matrix: { type: f8 } }] }\n",
         "`matrix` alone"},
        {"trace: { events: head.csv }\n", "head.csv:1: expected the columns step,tile,event,count"},
    };
    scratch_write("e.csv", "step,tile,event,count\n0,2,load,4\n");
    scratch_write("bad.csv", "step,tile,event,count\n0,2,load,4\n0,2,nothing,4\n");
    scratch_write("order.csv", "step,tile,event,count\n1,2,load,4\n0,2,load,4\n");
    scratch_write("far.csv", "step,tile,event,count\n1,200000,load,4\n");
    scratch_write("much.csv", "step,tile,event,count\n0,2,load,4000000000\n0,2,load,1\n");
    scratch_write("head.csv", "step,tile,count\n1,2,4\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        static fs_error err;
        err = (fs_error){0};
        fs_supersteps p;
        if (read_text(arena, cases[i].text, &p, &err) != FS_INPUT)
            fail_msg("accepted, or another error: %s\n%s", cases[i].text, err.text);
        if (strstr(err.text, cases[i].told) == NULL)
            fail_msg("%s\nsays: %s\nwithout: %s", cases[i].text, err.text, cases[i].told);
    }
}

RUN_TESTS(setup, scratch_leave)
