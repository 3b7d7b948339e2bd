/* Programs of supersteps on the machine: closed forms by hand, sums, equal ways to say the same, both levels
 * of detail. */
#include "sim/host/places.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

/* Of a gc200-small (docs/parameters.md): a launch costs 11 + 6 + 6 cycles, a worker issues once in 6 cycles,
 * a step ends with the supervisor's program of 50. */
enum { LAUNCH = 23, TURN = 6, SUPERVISOR = 50 };

/* Runs the program in `text` into folder `out`, with one more setting or NULL. */
static void run(const char *out, const char *text, const char *set) {
    cli_write("p.yaml", text);
    cli_write("x.yaml", "machine: gc200-small\nworkload: { kind: program, file: p.yaml }\n");
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, "--set", set == NULL ? "run.seed=1" : set,
             NULL);
}

static int64_t step_figure(const char *dir, size_t step, const char *column) {
    struct table t = table_read(dir, "steps.csv");
    const int64_t value = table_int(&t, step, column);
    return value;
}

TEST(a_step_costs_its_slots) {
    /* 600 loads and 600 adds on a tile are 200 issue slots of each worker; 601 loads give one worker one
     * more; paired they are issued together. */
    static const struct {
        const char *run;
        int64_t slots;
    } cases[] = {
        {"operations: { load: 600, f32_add: 600 }", 200},
        {"operations: { load: 601, f32_add: 600 }", 201},
        {"kernel: k, count: { both: 600 }", 100},
        {"kernel: one, count: { both: 600 }", 1200},
        {"kernel: k, each: { both: 7 }", 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "kernels:\n  k: { events: { both: { load: 1, f32_add: 1, paired: 1 } } }\n"
                 "  one: { workers: 1, events: { both: { load: 1, f32_add: 1 } } }\n"
                 "steps:\n  - { name: x, run: [{ on: 3-5, %s }] }\n",
                 cases[i].run);
        run("one", text, NULL);
        assert_int_equal(step_figure("one", 0, "compute"), LAUNCH + TURN * cases[i].slots);
        assert_int_equal(step_figure("one", 0, "exchange"), SUPERVISOR);
        run("event", text, "run.detail=event");
        assert_same_run("one", "event", OTHER_SETTINGS);
    }
}

/* Cycles beside the workers come behind the slowest of them, one occurrence after another; a product takes
 * what the measured kernel's closed form says: 4 x 4 passes of 4 x 60 cycles and 100 more each. */
TEST(cycles_beside_the_workers_come_behind_them) {
    static const struct {
        const char *run;
        int64_t cycles;
    } cases[] = {
        {"kernel: k, count: { load: 600, clock: 3 }", LAUNCH + TURN * 100 + 3 * 84},
        {"kernel: bare, count: { load: 60, clock: 1 }", TURN * 10 + 7},
        {"matrix: { type: f16, rows: 60, inputs: 64, outputs: 50 }", 16 * (4 * 60 + 100)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "kernels:\n  k: { events: { load: { load: 1 }, clock: { cycles: 84 cycles } } }\n"
                 "  bare: { launch: false, events: { load: { load: 1 }, clock: { cycles: 7 cycles } } }\n"
                 "steps:\n  - { name: x, run: [{ on: 3, %s }] }\n",
                 cases[i].run);
        cli_write("m.yaml", "base: gc200-small\nname: m\nmatrix: { kernel: panels, panel: 100 cycles }\n");
        run("unit", text, "machine=m.yaml");
        assert_int_equal(step_figure("unit", 0, "compute"), cases[i].cycles);
    }
}

TEST(an_exchange_costs_the_busiest_port_and_the_way) {
    static const char text[] =
        "steps:\n  - { name: x, exchange: [{ pattern: gather, from: 1-3, to: 0, bytes: 4000 "
        "B }] }\n";
    run("near", text, NULL);
    run("free", text, "machine.exchange.latency_base=1000 cycles");
    /* The way is longer by 1,000 - 52 cycles, and nothing else. */
    assert_int_equal(step_figure("free", 0, "exchange") - step_figure("near", 0, "exchange"), 1000 - 52);
    run("wide", text, "machine.exchange.bytes_per_cycle=8B/cycle");
    assert_int_equal(step_figure("near", 0, "exchange") - step_figure("wide", 0, "exchange"), 3000 - 1500);
    assert_int_equal(step_figure("near", 0, "bytes"), 12000);
    assert_int_equal(run_figure("near", "use.port_tile"), 0);
}

TEST(steps_add_up_to_the_run) {
    run("sum",
        "steps:\n  - repeat: 7\n    steps:\n"
        "      - { name: a, run: [{ on: 0-9, operations: { load: 999 } }], exchange: [{ pattern: "
        "shift, on: 0-9, bytes: 64 B }] }\n"
        "      - { name: b, repeat: 3, run: [{ on: 2, operations: { int_div: 5 } }], exchange: [{ "
        "pattern: broadcast, from: 2, to: 0-9, bytes: 64 B }] }\n",
        NULL);
    struct table steps = table_read("sum", "steps.csv"), tiles = table_read("sum", "tiles.csv"),
                 cycles = table_read("sum", "cycles.csv"), passes = table_read("sum", "iterations.csv");
    const int64_t all = (int64_t)run_figure("sum", "device.cycles"),
                  host = (int64_t)run_figure("sum", "device.cycles_host");
    assert_int_equal(table_sum(&steps, "cycles"), all - host);
    assert_int_equal(table_sum(&steps, "rounds"), 7 + 21);
    assert_int_equal(table_sum(&steps, "compute"), (int64_t)run_figure("sum", "device.cycles_compute"));
    assert_int_equal(table_sum(&steps, "exchange"), (int64_t)run_figure("sum", "device.cycles_exchange"));
    assert_int_equal(passes.rows, 7);
    assert_int_equal(table_sum(&passes, "compute"), table_sum(&steps, "compute"));
    assert_int_equal(table_sum(&tiles, "bytes_in"), table_sum(&steps, "bytes"));
    /* Every tile is either computing by its kernel or not in use: what the matrix counts is what it computed. */
    int64_t in_matrix = 0;
    for (size_t row = 0; row < cycles.rows; row++)
        for (int k = 0; k < 7; k++) {
            char column[8];
            snprintf(column, sizeof column, "i%d", k);
            in_matrix += table_int(&cycles, row, column);
        }
    assert_int_equal(in_matrix, table_sum(&tiles, "compute"));
}

/* Loops, traces and repeats are ways to say the same. */
TEST(the_same_said_otherwise_costs_the_same) {
    static const char step[] =
        "{ name: a, run: [{ on: 0-9, operations: { load: 999 } }], exchange: [{ pattern: "
        "shift, on: 0-9, bytes: 64 B }] }";
    char text[1024];
    snprintf(text, sizeof text, "steps: [{ repeat: 5, steps: [%s] }]\n", step);
    run("loop", text, NULL);
    snprintf(text, sizeof text, "steps: [%s]\n", step);
    run("repeat", text, "workload.repeat=5");
    snprintf(text, sizeof text, "steps: [%s, %s, %s, %s, %s]\n", step, step, step, step, step);
    run("written", text, NULL);
    const double cycles = run_figure("loop", "device.cycles");
    assert_true(cycles == run_figure("repeat", "device.cycles"));
    assert_true(cycles == run_figure("written", "device.cycles"));
    /* A trace has kernels by another name: an event for each operation, counted alike. */
    FILE *events = fopen("e.csv", "w"), *transfers = fopen("t.csv", "w");
    fputs("step,tile,event,count\n", events);
    fputs("step,source,destination,bytes\n", transfers);
    for (int s = 0; s < 5; s++)
        for (int t = 0; t < 10; t++) {
            fprintf(events, "%d,%d,load,999\n", s, t);
            fprintf(transfers, "%d,%d,%d,64\n", s, t, (t + 1) % 10);
        }
    fclose(events);
    fclose(transfers);
    run("trace", "trace: { events: e.csv, transfers: t.csv }\n", NULL);
    assert_true(cycles == run_figure("trace", "device.cycles"));
}

#define ONE "{ name: one, run: [{ on: 0, operations: { load: 600 } }, { on: 1, operations: { load: 60 } }] }"
#define TWO "{ name: two, run: [{ on: 0, operations: { load: 60 } }, { on: 1, operations: { load: 900 } }] }"
#define MOVE                                                                                                 \
    "{ name: move, run: [{ on: 1-2, operations: { load: 300 } }], exchange: [{ pattern: shift, on: 0-9, "    \
    "bytes: 64 B }] }"

/* Local steps: times add up on each tile, and no tile waits for another where nothing is exchanged. */
TEST(a_compute_set_alone_has_no_barrier) {
    static const char text[] = "steps: [" ONE ", " TWO "]\n";
    run("merged", text, NULL);
    run("each", text, "machine.sync.local=each");
    assert_int_equal(run_figure("merged", "device.cycles_sync"), 0);
    assert_true(run_figure("each", "device.cycles_sync") > 0);
    assert_int_equal(run_figure("merged", "device.cycles_compute"), 2 * LAUNCH + TURN * 160);
    assert_int_equal(run_figure("each", "device.cycles_compute"), 2 * LAUNCH + TURN * 250);
    assert_int_equal(run_figure("merged", "device.cycles_exchange"), 2 * SUPERVISOR);
}

/* The step whose exchange follows takes local steps in: each tile's times add up, one barrier for all. */
TEST(an_exchange_has_one_barrier) {
    run("alone", "steps: [" MOVE "]\n", NULL);
    run("behind", "steps: [" ONE ", " TWO ", " MOVE "]\n", NULL);
    const double barrier = run_figure("alone", "device.cycles_sync");
    assert_true(barrier > 0);
    assert_true(run_figure("behind", "device.cycles_sync") == barrier);
    assert_int_equal(run_figure("behind", "device.cycles_compute"), 3 * LAUNCH + TURN * (10 + 150 + 50));
    assert_int_equal(run_figure("behind", "device.cycles_exchange") - 2 * SUPERVISOR,
                     run_figure("alone", "device.cycles_exchange"));
    run("empty", "steps: [" ONE ", " TWO ", { name: none, exchange: [] }, " ONE "]\n", NULL);
    assert_true(run_figure("empty", "device.cycles_sync") == barrier);
    assert_int_equal(step_figure("behind", 0, "sync"), 0);
    assert_int_equal(step_figure("behind", 2, "sync"), (int64_t)barrier);
}

/* However a loop is written, its steps cost the same: over its back edge, and into what stands around it. */
TEST(spellings_of_a_loop_have_one_price) {
    static const char *const same[][3] = {
        {"{ repeat: 1000, steps: [" ONE "] }",
         "{ repeat: 1000, name: one, run: [{ on: 0, operations: { load: 600 } }, { on: 1, operations: { "
         "load: 60 } }] }",
         "{ repeat: 10, steps: [{ repeat: 100, steps: [" ONE "] }] }"},
        {"{ repeat: 4, steps: [" ONE ", " TWO "] }",
         ONE ", " ONE ", " ONE ", " ONE ", { repeat: 4, steps: [" TWO "] }",
         ONE ", { repeat: 3, steps: [" TWO ", " ONE "] }, " TWO},
        {"{ repeat: 3, steps: [" ONE ", " MOVE ", " TWO "] }",
         ONE ", " MOVE ", " TWO ", " ONE ", " MOVE ", " TWO ", " ONE ", " MOVE ", " TWO,
         ONE ", " MOVE ", { repeat: 2, steps: [" TWO ", " ONE ", " MOVE "] }, " TWO},
        {TWO ", { repeat: 3, steps: [" ONE ", " MOVE "] }",
         TWO ", " ONE ", " MOVE ", " ONE ", " MOVE ", " ONE ", " MOVE,
         "{ repeat: 1, steps: [" TWO "] }, " ONE ", { repeat: 2, steps: [" MOVE ", " ONE "] }, " MOVE},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char text[2][4096];
        for (int k = 0; k < 3; k++) {
            snprintf(text[k > 0], sizeof text[0], "steps: [%s]\n", same[i][k]);
            run(k > 0 ? "other" : "loop", text[k > 0], NULL);
            if (k > 0 &&
                (run_figure("loop", "device.cycles") != run_figure("other", "device.cycles") ||
                 run_figure("loop", "device.cycles_sync") != run_figure("other", "device.cycles_sync")))
                fail_msg("two prices:\n%s%s", text[0], text[1]);
        }
        run("event", text[1], "run.detail=event");
        assert_same_run("other", "event", OTHER_SETTINGS);
    }
}

/* A run is ten slots and a word of eight bytes one, shared by six workers; its buffer is in the tile's memory. */
TEST(a_copy_is_its_runs_and_words) {
    static const char text[] =
        "steps:\n  - { name: rows, copy: [{ on: 3-5, bytes: 8196 B, runs: 13 }, { on: 6, bytes: "
        "8 B }] }\n";
    run("copy", text, NULL);
    assert_int_equal(step_figure("copy", 0, "compute"),
                     LAUNCH + TURN * (3 * 10 + 171)); /* 13 and 1,025 in six */
    struct table memory = table_read("copy", "memory.csv");
    int64_t held = 0;
    for (size_t row = 0; row < memory.rows; row++)
        if (table_int(&memory, row, "tile") == 4)
            held += table_int(&memory, row, "bytes");
    assert_int_equal(held, 8196);
    run("event", text, "run.detail=event");
    assert_same_run("copy", "event", OTHER_SETTINGS);
    /* Each word is read and written: 8 pJ each. */
    const double words = 3 * 1025 + 1;
    assert_true(fabs(run_figure("copy", "energy.parts.sram") / (words * 16e-12) - 1) < 1e-9);
}

/* The copies that the price was fitted on: rows of a stencil with and without their border, in two types. */
TEST(copies_are_near_the_measured_ones) {
    static const struct {
        int bytes, runs, measured;
    } sets[] = {{22344, 294, 5741}, {44688, 294, 8279}, {16920, 282, 4826}, {33840, 282, 6954}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char text[256];
        snprintf(text, sizeof text, "steps: [{ name: x, copy: [{ on: 0, bytes: %d B, runs: %d }] }]\n",
                 sets[i].bytes, sets[i].runs);
        run("copy", text, NULL);
        assert_true(fabs((double)step_figure("copy", 0, "compute") / sets[i].measured - 1) < 0.04);
    }
}

/* An instruction of two loads, a store and arithmetic is one slot with three accesses. */
TEST(a_bundle_is_one_slot) {
    static const char text[] =
        "kernels: { k: { events: { two: { load_2x64_store_64: 1, f32x2_mac: 1, paired: 1 } } } }\n"
        "steps: [{ name: x, run: [{ on: 3, kernel: k, count: { two: 600 } }] }]\n";
    run("bundle", text, NULL);
    assert_int_equal(step_figure("bundle", 0, "compute"), LAUNCH + TURN * 100);
    assert_true(fabs(run_figure("bundle", "energy.parts.sram") / (600 * 3 * 8e-12) - 1) < 1e-9);
    assert_true(
        fabs(run_figure("bundle", "energy.parts.arithmetic") / (600 * 2 * (0.38e-12 + 1.31e-12)) - 1) < 1e-9);
    assert_true(run_figure("bundle", "peak.sram_ports") == run_figure("bundle", "peak.issue"));
    run("ports", text, "machine.tile.sram_ports=1");
    assert_int_equal(step_figure("ports", 0, "compute"), LAUNCH + 3 * 600);
}

#define KINDS                                                                                                \
    "kernels:\n  k: { code: 1 KiB, events: { cell: { load: 1 }, start: { int_op: 2, every_call: 1 } } }\n"   \
    "  lone: { code: 2 KiB, workers: 1, events: { item: { load: 1 }, start: { int_op: 5, first_worker: 1 } " \
    "} }\n"                                                                                                  \
    "  two: { workers: 2, events: { item: { load: 3 } } }\n"

/* Rows are dealt whole, to tiles and to workers; a list says what each worker does. */
TEST(uneven_work_is_that_of_the_busiest) {
    static const struct {
        const char *run;
        int64_t slots[3]; /* of tiles 3, 4, 5 */
    } cases[] = {
        {"rows: 13, count: { cell: 10 }", {32, 32, 32}},
        {"rows: [13, 12, 25], count: { cell: 10 }", {32, 22, 52}},
        {"rows_of_all: 38, count: { cell: 10 }", {32, 32, 22}},
        {"rows: 6, count: { cell: 10 }, each: { cell: 4 }", {16, 16, 16}},
        {"each: { cell: [26, 25, 26, 25, 27, 25] }", {29, 29, 29}},
        {"each: { cell: [1, 2, 3, 4, 5, 6] }, count: { cell: 9 }", {9, 9, 9}}, /* 2 2 2 1 1 1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, KINDS "steps: [{ name: x, run: [{ on: 3-5, kernel: k, %s }] }]\n",
                 cases[i].run);
        run("rows", text, NULL);
        struct table tiles = table_read("rows", "tiles.csv");
        for (size_t row = 0; row < tiles.rows; row++) {
            const int64_t t = table_int(&tiles, row, "tile");
            if (t >= 3 && t <= 5)
                assert_int_equal(table_int(&tiles, row, "compute"), LAUNCH + TURN * cases[i].slots[t - 3]);
        }
        run("event", text, "run.detail=event");
        assert_same_run("rows", "event", OTHER_SETTINGS);
    }
}

/* Kernels of one step on a tile are one launch; their workers are dealt to the tile's, one after the other. */
TEST(kernels_of_a_step_share_the_workers) {
    static const struct {
        const char *others;
        int64_t slots;
    } cases[] = {
        {"", 2 + 10},
        {", { on: 0, kernel: lone, count: { item: 40 } }",
         2 + 10 + 5 + 40}, /* after six comes the first again */
        {", { on: 0, kernel: two, count: { item: 10 } }", 2 + 10 + 15},
        /* the first, then the second and third, then the fourth */
        {", { on: 0, kernel: lone, count: { item: 4 } }, { on: 0, kernel: two, count: { item: 10 } }, { on: "
         "0, kernel: lone, count: { item: 11 } }",
         2 + 10 + 5 + 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 KINDS "steps:\n  - { name: x, run: [{ on: 0-1, kernel: k, count: { cell: 60 } }%s] }\n"
                       "  - { name: y, run: [{ on: 0, kernel: k }] }\n",
                 cases[i].others);
        run("both", text, NULL);
        assert_int_equal(step_figure("both", 0, "compute"), LAUNCH + TURN * cases[i].slots);
        assert_int_equal(run_figure("both", "memory.peak_bytes"), i == 1 || i == 3 ? 3072 : 1024);
        run("event", text, "run.detail=event");
        assert_same_run("both", "event", OTHER_SETTINGS);
    }
}

/* A multicast leaves its tile once, whatever takes it in, and arrives at the farthest. */
TEST(a_multicast_is_sent_once) {
    run("one", "steps: [{ name: x, exchange: [{ pattern: pairs, from: 0, to: 95, bytes: 4000 B }] }]\n",
        NULL);
    run("all", "steps: [{ name: x, exchange: [{ pattern: multicast, from: 0, to: 1-95, bytes: 4000 B }] }]\n",
        "machine.exchange.pair_receive=off");
    run("each",
        "steps: [{ name: x, exchange: [{ pattern: broadcast, from: 0, to: 1-95, bytes: 4000 B }] }]\n", NULL);
    const int64_t ways = step_figure("all", 0, "exchange") - step_figure("one", 0, "exchange");
    assert_true(ways >= 0 && ways < 128);
    assert_int_equal((step_figure("each", 0, "exchange") - SUPERVISOR) / 1000, 95);
    struct table tiles = table_read("all", "tiles.csv");
    assert_int_equal(table_sum(&tiles, "bytes_out"), 4000);
    assert_int_equal(table_sum(&tiles, "bytes_in"), 95 * 4000);
    run("both",
        "steps: [{ name: x, exchange: [{ pattern: multicast, from: [0, 1], to: 0-9, bytes: 400 B }, { "
        "pattern: pairs, from: 0, to: 1, bytes: 40 B }] }]\n",
        NULL);
    run("event",
        "steps: [{ name: x, exchange: [{ pattern: multicast, from: [0, 1], to: 0-9, bytes: 400 B }, { "
        "pattern: pairs, from: 0, to: 1, bytes: 40 B }] }]\n",
        "run.detail=event");
    assert_same_run("both", "event", OTHER_SETTINGS);
    tiles = table_read("both", "tiles.csv");
    assert_int_equal(table_sum(&tiles, "bytes_out"), 2 * 400 + 40);
}

/* A barrier of all chips in place of the own one, the way, and the slower of links and ports. */
TEST(bytes_go_to_other_chips) {
    static const struct {
        const char *keys;
        int64_t cycles, bytes; /* beside what is always there */
    } cases[] = {
        {"bytes: 1 MiB", 51273, 1048576}, /* 27.2 GB/s at 1.33 GHz */
        {"bytes: 1 MiB, links: 4, neighbours: 2, bandwidth: 16 GB/s", 21791, 2097152},
        {"bytes: 0 B, latency: 0 s", -333, 0},
    };
    run("none", "steps: [{ name: x, exchange: [] }]\n", NULL);
    const int64_t barrier = (int64_t)run_figure("none", "device.cycles_sync");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "steps: [" ONE ", { name: x, exchange: [{ pattern: chips, on: 0-95, %s }] }]\n",
                 cases[i].keys);
        run("chips", text, NULL);
        assert_int_equal(run_figure("chips", "device.cycles_sync"), barrier);
        assert_int_equal(step_figure("chips", 1, "exchange"),
                         2 * SUPERVISOR + 600 - barrier + 333 + cases[i].cycles);
        assert_true(fabs(run_figure("chips", "energy.parts.host") - (double)cases[i].bytes * 80e-12) < 1e-15);
        run("event", text, "run.detail=event");
        assert_same_run("chips", "event", OTHER_SETTINGS);
    }
    /* One tile has them all: its port is slower than the links. */
    run("port", "steps: [{ name: x, exchange: [{ pattern: chips, on: 5, bytes: 1 MiB }] }]\n", NULL);
    assert_int_equal(step_figure("port", 0, "exchange"), SUPERVISOR + 600 - barrier + 333 + 262144);
}

/* Counted pairs, a share of them, and all: a run says the two ends. */
TEST(pairs_are_a_range) {
    static const char text[] =
        "kernels:\n  k: { events: { e: { load: 3, f32_add: 2, int_op: 1, paired: %s } } }\n"
        "steps: [{ name: x, run: [{ on: 3, kernel: k, count: { e: 600 } }] }]\n";
    static const struct {
        const char *pairs, *set;
        int64_t slots;
    } cases[] = {{"1", NULL, 5},
                 {"0", NULL, 6},
                 {"all", NULL, 4},
                 {"all", "machine.cost.pairing=50%", 5},
                 {"1", "machine.tile.dual_issue=full", 4},
                 {"2", "machine.tile.dual_issue=none", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char with[512];
        snprintf(with, sizeof with, text, cases[i].pairs);
        run("pairs", with, cases[i].set);
        assert_int_equal(step_figure("pairs", 0, "compute"), LAUNCH + TURN * 100 * cases[i].slots);
        assert_int_equal(run_figure("pairs", "program.paired_cycles"), LAUNCH + TURN * 400 + SUPERVISOR);
    }
}

TEST(what_does_not_fit_is_refused) {
    cli_write("p.yaml", "memory: [{ on: 7, name: table, bytes: 1 MiB }]\nsteps: [{ name: x, run: [{ on: 0, "
                        "operations: { load: 1 } }] }]\n");
    cli_write("x.yaml", "machine: gc200-small\nworkload: { kind: program, file: p.yaml }\n");
    cli_result result = cli("run", "x.yaml", "--quiet", "--out", "full", NULL);
    cli_refused(&result, "tile 7");
    assert_non_null(strstr(result.err, "table"));
    result = cli("run", "x.yaml", "--quiet", "--out", "full", "--check", NULL);
    assert_int_equal(result.status, 2);
    cli_write("y.yaml", "workload: { kind: program }\n");
    cli_refuses("workload.file", "run", "y.yaml", "--quiet", "--out", "none", NULL);
}

/* Most of a short program's time is the host's, and the line of the run says so. */
TEST(the_line_names_the_host) {
    cli_write("p.yaml", "steps: [{ name: x, run: [{ on: 0-9, operations: { load: 600 } }] }]\n");
    cli_write("x.yaml", "machine: gc200-small\nworkload: { kind: program, file: p.yaml }\n");
    const cli_result result = cli("run", "x.yaml", "--force", "--out", "line", NULL);
    char says[64];
    const double host = run_figure("line", "device.cycles_host") / run_figure("line", "device.cycles");
    assert_true(host > 0.5);
    snprintf(says, sizeof says, "host visits %.0f %%;", 100 * host);
    if (strstr(result.err, says) == NULL || strstr(result.err, " us") != NULL)
        fail_msg("expected \"%s\" and no \"us\": %s", says, result.err);
}

TEST(the_examples_run) {
    static const char *const names[] = {"saxpy", "dot", "stencil", "transpose", "matmul", "trace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char file[4096], experiment[4096];
        snprintf(file, sizeof file, "workload.file=%s/programs/%s.yaml", fs_configs_dir(), names[i]);
        snprintf(experiment, sizeof experiment, "%s/experiments/program.yaml", fs_configs_dir());
        cli_must("run", experiment, "--quiet", "--force", "--set", file, "--out", "example", NULL);
        assert_true(run_figure("example", "program.pass_cycles") > 0);
        assert_whole_run("example");
    }
}

RUN_TESTS(cli_enter, cli_leave)
