/* The programs of configs/programs/chip against closed forms by hand: what docs/facts/measurements.md 4 and 5
 * count, multiplied out, and not read from the files. */
#include "sim/host/places.h"
#include "tests/support/cli.h"
#include "tests/support/run_folder.h"
#include "tests/support/test.h"

/* A launch costs 11 + 6 + 6 cycles, a worker issues once in 6 cycles, a phase has the supervisor's program of
 * 50 and a barrier of 76 + 50. Programs of the public runtime count its supervisor themselves:
 * measurements.md 4 has the clock, and the call by its arguments. */
enum { LAUNCH = 23, TURN = 6, SUPERVISOR = 50, BARRIER = 126, CLOCK = 80 };

/* So many arguments are set, so many stored: the supervisor issues one instruction a cycle, one that needs
 * the last one's result after 6, one behind a branch after 6; launch and join take 6 each. */
static int64_t call_of(int64_t set, int64_t stored) {
    const int64_t call = set + 6, frame = 6 + stored, start = 6 + 6, join = 6, back = 1 + 6;
    return call + frame + start + join + back;
}
static int64_t rows_of(int64_t set, int64_t rows) {
    const int64_t entry = set + 6 + 17, before[3] = {13, 7, 7}, after[3] = {24, 24, 19}, end = 39;
    int64_t row = end;
    for (int i = 0; i < 3; i++)
        row += before[i] + after[i];
    return entry + rows * row + 2; /* the last row's branch falls through, to the way back */
}

static void run_with(const char *name, const char *machine, const char *set) {
    char experiment[4096], file[4096], on[64];
    const char *configs = fs_configs_dir();
    assert_non_null(configs);
    snprintf(experiment, sizeof experiment, "%s/experiments/program.yaml", configs);
    snprintf(file, sizeof file, "workload.file=%s/programs/chip/%s.yaml", configs, name);
    snprintf(on, sizeof on, "machine=%s", machine);
    cli_must("run", experiment, "--quiet", "--force", "--out", "r", "--set", file, "--set", on, "--set", set,
             NULL);
}

static void run(const char *name, const char *machine) {
    run_with(name, machine, "machine.cost.pairing=100%");
}

/* Compiled loops have no pairs, as in the cases. */
static void run_compiled(const char *name, const char *machine) {
    run_with(name, machine, "machine.cost.pairing=0%");
}

static int64_t of(const char *figure) {
    return (int64_t)run_figure("r", figure);
}
static int64_t rounds(int64_t things) {
    return (things + TURN - 1) / TURN;
} /* of the busiest of six workers */

/* ---- one tile ---- */

TEST(the_integral_is_one_slot_in_six_cycles) {
    run("integral-gc200", "gc200");
    assert_int_equal(of("device.cycles_compute"), LAUNCH + INT64_C(60) * 2917776 + 348);
    run("integral-bow", "bow");
    assert_int_equal(of("device.cycles_compute"), LAUNCH + INT64_C(84) * 2917776 + 342);
    run("integral-bow-2", "bow");
    assert_int_equal(of("device.cycles_compute"), LAUNCH + INT64_C(57) * 2917776 + 342);
}

/* Slots of one operation after another, and of every pair: 14 and 9, 13 and 9, 12.5 and 9 an iteration. */
TEST(the_integral_counted_lies_between_its_ends) {
    static const struct {
        const char *name;
        int64_t tenths; /* of a slot an iteration, without pairs */
    } loops[] = {{"integral-counted", 140}, {"integral-counted-2", 130}, {"integral-counted-4", 125}};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        run_compiled(loops[i].name, "bow");
        assert_int_equal(of("device.cycles_compute"), LAUNCH + TURN * (loops[i].tenths * 2917776 / 10 + 57));
        run(loops[i].name, "bow");
        assert_int_equal(of("device.cycles_compute"), LAUNCH + TURN * (INT64_C(9) * 2917776 + 57));
    }
}

TEST(kernels_are_their_bundles) {
    enum { SUM = 40 + 24 * 3, SQUARES = 57 + 48 * 6, APPLY = 81 + 48 * 12, MOMENTS = 28 + 18 };
    const struct {
        const char *name;
        int64_t supervisor, slots;
    } kernels[] = {{"add-before-576", call_of(6, 5), 18 + 48 * 9},
                   {"add-before-1728", call_of(6, 5), 18 + 144 * 9},
                   {"add-576", call_of(6, 6), 40 + 24 * 4},
                   {"add-1728", call_of(6, 6), 40 + 72 * 4},
                   {"layernorm-1", rows_of(6, 1), SUM + SQUARES + APPLY},
                   {"layernorm-3", rows_of(6, 3), 3 * (SUM + SQUARES + APPLY)},
                   {"moments", rows_of(4, 1), SUM + SQUARES + MOMENTS}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        run(kernels[i].name, "c600");
        assert_int_equal(of("device.cycles_compute"),
                         CLOCK + kernels[i].supervisor + TURN * kernels[i].slots);
    }
}

/* Passes of 16 outputs by 32 inputs in f8, 16 in f16: a row takes 4 cycles in each, and 164 stand beside
 * them. */
TEST(products_are_their_passes) {
    static const struct {
        const char *name;
        int64_t rows, passes;
    } products[] = {{"product-244-128-64", 244, 4 * 4},  {"product-82-192-160", 82, 6 * 10},
                    {"product-122-160-128", 122, 5 * 8}, {"product-146-96-48", 146, 3 * 3},
                    {"product-57-128-80", 57, 4 * 5},    {"product-81-80-80", 81, 5 * 5}};
    cli_write("measured.yaml", "base: c600\nname: measured\nmatrix: { kernel: panels, panel: 164 cycles }\n");
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        run(products[i].name, "measured.yaml");
        assert_int_equal(of("device.cycles_compute"), products[i].passes * (4 * products[i].rows + 164));
    }
}

/* A call is 20 slots and 14 for each row of the busiest worker. */
TEST(copies_are_their_rows) {
    static const struct {
        const char *name;
        int64_t calls, rounds;
    } copies[] = {{"copy-qkv-1", 18, 18 * 13},
                  {"copy-qkv-2", 9, 9 * 13},
                  {"copy-qkv-4", 7, 2 * (7 + 6 + 13) + 7},
                  {"copy-qkv-8", 6, 3 + 1 + 12 + 10 + 3 + 1},
                  {"copy-qkv-16", 3, 2 + 13 + 1},
                  {"copy-qkv-32", 2, 6 + 2},
                  {"copy-up-1", 24, 24 * 14},
                  {"copy-up-2", 12, 12 * 14},
                  {"copy-up-4", 6, 6 * 14},
                  {"copy-up-8", 3, 3 * 14},
                  {"copy-up-16", 2, 14 + 7},
                  {"copy-up-32", 2, 4 + 7}};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        run(copies[i].name, "c600");
        assert_int_equal(of("device.cycles_compute"), CLOCK + copies[i].calls * (call_of(6, 6) + TURN * 20) +
                                                          TURN * copies[i].rounds * 14);
    }
}

/* ---- steps ---- */

TEST(a_phase_is_its_schedule_and_the_barrier) {
    static const int schedules[] = {17939, 19126, 7573, 17799, 36105, 14357};
    run("phase", "c600");
    assert_int_equal(of("program.pass_cycles"), CLOCK + BARRIER + SUPERVISOR);
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++) {
        char name[32];
        snprintf(name, sizeof name, "phase-%d", schedules[i]);
        run(name, "c600");
        assert_int_equal(of("program.pass_cycles"), CLOCK + BARRIER + SUPERVISOR + schedules[i]);
    }
}

/* Words of an exchange arrive one by one, the last after a way of 23 to 128 cycles. */
static void exchanges_take(int64_t times, int64_t steps, int64_t words) {
    const int64_t ways = of("device.cycles_exchange") - times * (steps * SUPERVISOR + words);
    assert_true(ways >= times * 23 && ways <= 2 * times * 128);
}

TEST(qr_is_its_columns) {
    for (int64_t n = 32; n <= 512; n *= 2) {
        char name[16];
        snprintf(name, sizeof name, "qr-%d", (int)n);
        run(name, "bow");                              /* the pairs that its loops have */
        const int64_t pairs = rounds((n + 2 + 3) / 4); /* the mean of n/2, n/2, n/2 - 1, ... upwards */
        const int64_t vector = (3 + 4) * rounds(n / 4) + 28 + 45, dot = 2 * pairs + 19, sum = 8 + 21,
                      update = 3 * pairs + 24;
        assert_int_equal(of("device.cycles_compute"),
                         (n - 1) * (4 * LAUNCH + TURN * (vector + dot + sum + update)));
        assert_int_equal(of("device.cycles_sync"), (n - 1) * BARRIER);
        exchanges_take(n - 1, 7, n + 1);
    }
}

TEST(jacobi_is_its_rounds) {
    for (int64_t n = 32; n <= 256; n *= 2) {
        char name[16];
        snprintf(name, sizeof name, "jacobi-%d", (int)n);
        run_compiled(name, "bow");
        const int64_t angle = 11 * rounds(n / 2) + 86, rows = 42 * rounds(n / 4) + 34,
                      vectors = 11 * rounds(n / 2) + 32, times = 6 * (n - 1);
        const int64_t updates = rows > vectors ? rows : vectors;
        assert_int_equal(of("device.cycles_compute"), times * (2 * LAUNCH + TURN * (angle + updates)));
        assert_int_equal(of("device.cycles_sync"), times * 2 * BARRIER);
        /* A tile of the first group sends its two words to the second group besides. */
        exchanges_take(times, 2, 2 * n + 2 + 2 + 2 * (n + 2));
    }
}

TEST(the_stencil_is_its_pixels) {
    static const struct {
        const char *name;
        int64_t slots, bytes; /* of a pixel */
    } kinds[] = {{"stencil-half4", 27, 8}, {"stencil-float2", 48, 16}, {"stencil-float", 90, 16}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run_compiled(kinds[i].name, "mk1");
        assert_int_equal(of("device.cycles_compute"), LAUNCH + TURN * (376 * kinds[i].slots + 17));
        assert_int_equal(of("device.cycles_sync"), 76 + 18 + 4 * 7); /* 19 rows, 8 folded columns */
        exchanges_take(
            1, 1, (2 * (47 + 55) + 4) * kinds[i].bytes / 4); /* borders of the workers' blocks, corners */
    }
}

TEST(the_wafer_is_butterflies_and_its_middle_link) {
    for (int64_t n = 32, log = 5; n <= 512; n *= 2, log++) {
        char name[16];
        snprintf(name, sizeof name, "fft-%d", (int)n);
        run(name, "cs2");
        assert_int_equal(of("program.pass_cycles"), 3 * 10 * n / 2 * log + 2 * (n * n / 4 * 2));
    }
}

TEST(a_call_of_the_host_has_its_work_in_it) {
    run("handshakes", "c600");
    assert_true(llabs(of("device.cycles_compute") - 12836406) < TURN + LAUNCH);
    /* Two visits of 0.2 ms and 600 cycles, the bytes at 5.5 GB/s, at 1.5 GHz. */
    const double bytes = 859608 / 5.5e9 * 1.5e9;
    assert_true(llabs(of("device.cycles_host") - (int64_t)(2 * 300000 + 2 * 600 + bytes)) < 10);
}

RUN_TESTS(cli_enter, cli_leave)
