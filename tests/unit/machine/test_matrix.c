/* The matrix unit: its closed form against an event-level play and measured kernels; splits of layers; and
 * streaming memory and pods, by hand. */
#include "models/dram/dram.h"
#include "models/ipu/machine.h"
#include "models/matrix/plan.h"
#include "tests/support/test.h"

enum { WORKERS = 6 };
static const fs_matrix_params vendor = {.units = 16, .load_bytes = 16, .kernel = FS_AMP_VERTEX, .panel = 170};

/* ---- a second definition: every issue and every cycle of the f16 vertex is played ---- */

/* Cycles until all workers are through: the pipeline turns round, each worker issues once a turn. */
static uint64_t play_workers(const uint64_t issues[WORKERS]) {
    uint64_t left[WORKERS], cycles = 0;
    for (int w = 0; w < WORKERS; w++)
        left[w] = issues[w];
    for (bool busy = true; busy;) {
        busy = false;
        for (int w = 0; w < WORKERS; w++)
            busy = busy || left[w] > 0;
        for (int w = 0; busy && w < WORKERS; w++, cycles++)
            left[w] -= left[w] > 0;
    }
    return cycles;
}

/* neural_path_tracing.md 4: what a worker with so many rows issues in a pass. */
static uint64_t issues_of(uint32_t rows) {
    uint64_t issues = rows == 0 ? 15 : rows == 1 ? 26 : rows == 2 ? 35 : 31;
    for (uint32_t r = 3; r < rows; r++)
        issues += 4;
    return issues;
}

static uint64_t play_pass(uint32_t rows) {
    uint64_t issues[WORKERS];
    uint32_t share[WORKERS] = {0};
    for (uint32_t r = 0; r < rows; r++)
        share[r % WORKERS]++;
    for (int w = 0; w < WORKERS; w++)
        issues[w] = issues_of(share[w]);
    uint64_t cycles = 25; /* the supervisor, and then the coefficients, 16 B at a time */
    for (uint32_t bytes = 0; bytes < 16 * 16 * 2; bytes += 16)
        cycles++;
    return cycles + play_workers(issues);
}

static uint64_t play_vertex(uint32_t rows, uint32_t gi, uint32_t go) {
    uint64_t cycles = 105;
    for (uint32_t i = 0; i < gi; i++) {
        cycles += i + 1 < gi ? 33 : 11;
        for (uint32_t o = 0; o < go; o++)
            cycles += play_pass(rows);
    }
    return cycles;
}

TEST(the_closed_form_is_the_play) {
    for (uint32_t rows = 0; rows <= 64; rows++)
        for (uint32_t gi = 1; gi <= 8; gi++)
            for (uint32_t go = 1; go <= 8; go++)
                assert_int_equal(
                    fs_amp_cycles(&vendor, WORKERS, (fs_amp_product){FS_AMP_F16, rows, 16 * gi, 16 * go}),
                    play_vertex(rows, gi, go));
    /* Rows filled up to whole groups; nothing to do takes no time. */
    assert_int_equal(fs_amp_cycles(&vendor, WORKERS, (fs_amp_product){FS_AMP_F16, 48, 33, 17}),
                     play_vertex(48, 3, 2));
    assert_int_equal(fs_amp_cycles(&vendor, WORKERS, (fs_amp_product){FS_AMP_F16, 48, 0, 16}), 0);
}

TEST(endless_rows_reach_the_peak) {
    static const struct {
        fs_amp_type type;
        double clock, tera; /* operations a second of 1,472 tiles */
    } peaks[] = {{FS_AMP_F16, 1.33e9, 250.6}, {FS_AMP_F32, 1.33e9, 62.6}, {FS_AMP_F16, 1.85e9, 348.6}};
    for (size_t i = 0; i < 3; i++) {
        const double peak = 1472 * peaks[i].clock * 2e-12 * (double)fs_amp_peak(&vendor, peaks[i].type);
        assert_true(fabs(peak - peaks[i].tera) < 0.06);
        const fs_amp_product wide = {peaks[i].type, 6000000, 64 * fs_amp_inputs(peaks[i].type), 16};
        const double macs = (double)wide.rows * wide.inputs * wide.outputs,
                     reached = macs / (double)fs_amp_cycles(&vendor, WORKERS, wide) /
                               (double)fs_amp_peak(&vendor, peaks[i].type);
        assert_true(reached > 0.98 && reached <= 1.0);
    }
    assert_int_equal(fs_amp_peak(&vendor, FS_AMP_F8), 128);
}

/* measurements.md 1: within 10 % with one cost of a panel. */
TEST(measured_kernels) {
    static const struct {
        fs_amp_product product;
        double cycles;
    } measured[] = {
        {{FS_AMP_F8, 244, 128, 64}, 18576},  {{FS_AMP_F8, 82, 192, 160}, 29508},
        {{FS_AMP_F8, 122, 160, 128}, 26232}, {{FS_AMP_F8, 146, 96, 48}, 7122},
        {{FS_AMP_F8, 57, 128, 80}, 8124},    {{FS_AMP_F16, 81, 80, 80}, 12402},
    };
    fs_matrix_params panels = vendor;
    panels.kernel = FS_AMP_PANELS;
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        const double found = (double)fs_amp_cycles(&panels, WORKERS, measured[i].product);
        assert_true(fabs(found / measured[i].cycles - 1) < 0.10);
    }
}

/* ---- splits ---- */

TEST(a_split_holds_all_of_a_layer) {
    fs_matrix_chip chip = {
        .unit = &vendor, .tiles = 1440, .workers = WORKERS, .bytes_per_cycle = 4, .phase = 300};
    for (uint32_t wide = 16; wide <= 1024; wide *= 4)
        for (uint64_t kib = 8; kib <= 512; kib *= 8) {
            const fs_matrix_layer layer = {FS_AMP_F16, 69120, wide, wide, true};
            fs_matrix_split s;
            chip.bytes = kib * 1024;
            if (!fs_matrix_plan(&chip, &layer, &s))
                continue;
            assert_true(s.bytes <= chip.bytes);
            assert_true((uint64_t)s.row_parts * s.input_parts * s.output_parts <= chip.tiles);
            assert_true((uint64_t)s.rows * s.row_parts >= layer.rows);
            assert_true(s.inputs * s.input_parts >= wide && s.outputs * s.output_parts * s.serial >= wide);
            assert_true(s.partial == 0 || s.input_parts > 1);
            /* More room never costs more. */
            fs_matrix_chip roomy = chip;
            fs_matrix_split other;
            roomy.bytes *= 2;
            assert_true(fs_matrix_plan(&roomy, &layer, &other) && other.cycles <= s.cycles);
            /* Of one serial step, what the planner may use is a limit of its own. */
            assert_int_equal(s.working, s.coefficients + (uint64_t)s.rows * (s.inputs + s.outputs) * 2);
            roomy.working = s.working - 1;
            if (fs_matrix_plan(&roomy, &layer, &other))
                assert_true(other.working < s.working);
            roomy.working = s.working;
            assert_true(fs_matrix_plan(&roomy, &layer, &other) && other.cycles <= s.cycles);
        }
    chip.bytes = 16;
    fs_matrix_split none;
    assert_false(fs_matrix_plan(&chip, &(fs_matrix_layer){FS_AMP_F16, 69120, 1024, 1024, true}, &none));
}

/* Serial steps of products, coefficients and a phase each; inputs that lie elsewhere by the port; partial sums
 * in a phase of their own, and added by 8 B an issue, two issues each. */
TEST(a_split_takes_its_parts) {
    const fs_matrix_chip chip = {.unit = &vendor,
                                 .tiles = 64,
                                 .workers = WORKERS,
                                 .bytes_per_cycle = 4,
                                 .phase = 300,
                                 .bytes = 100 * 1024};
    size_t cut = 0, whole = 0;
    for (uint32_t rows = 16; rows <= 4096; rows *= 4)
        for (uint32_t inputs = 64; inputs <= 4096; inputs *= 4) {
            const fs_matrix_layer layer = {FS_AMP_F16, rows, inputs, 64, true};
            fs_matrix_split s;
            if (!fs_matrix_plan(&chip, &layer, &s))
                continue;
            const uint64_t product = fs_amp_cycles(&vendor, WORKERS,
                                                   (fs_amp_product){FS_AMP_F16, s.rows, s.inputs, s.outputs}),
                           given = (uint64_t)s.inputs * s.outputs * 2 / 4,
                           moved =
                               s.input_parts * s.output_parts > 1 ? (uint64_t)s.rows * s.inputs * 2 / 4 : 0;
            uint64_t cycles = s.serial * (product + given + 300) + moved;
            if (s.input_parts > 1) {
                const uint64_t results = (uint64_t)s.rows * s.outputs * s.serial,
                               others =
                                   (results + s.input_parts - 1) / s.input_parts * (s.input_parts - 1) * 2;
                cycles += (others + 3) / 4 + 300 + 2 * ((others + 7) / 8);
            }
            assert_int_equal(s.cycles, cycles);
            cut += s.input_parts > 1;
            whole += s.input_parts == 1;
        }
    assert_true(cut > 1 && whole > 1);
}

/* ---- streaming memory and pods ---- */

TEST(lines_by_hand) {
    const fs_remote_params p = {3.52e9, 25.6e9, 4, 2e-6, 64, 256};
    /* Whole lines: bytes / 64. 100 B from 0: two lines; the next piece, from 100: 1 ... 3. */
    assert_int_equal(fs_remote_lines(&p, (fs_remote_buffer){181440, 32}), 181440 / 64 * 32);
    assert_int_equal(fs_remote_lines(&p, (fs_remote_buffer){100, 1}), 2);
    assert_int_equal(fs_remote_lines(&p, (fs_remote_buffer){100, 2}), 2 + 3);
    assert_int_equal(fs_remote_lines(&p, (fs_remote_buffer){0, 7}), 0);
    /* Batches off the lines are slower a byte by 15 to 30 %. */
    const double on = (double)fs_remote_cycles(&p, (fs_remote_buffer){181440, 32}, 2, 1, 1.33e9) / 181440,
                 off = (double)fs_remote_cycles(&p, (fs_remote_buffer){170100, 32}, 2, 1, 1.33e9) / 170100;
    assert_true(off / on > 1.15 && off / on < 1.30);
    /* The published third row, on which the rate was fitted. */
    assert_true(fabs(on * 181440 / 1.33e9 - 3.3e-3) < 0.01e-3);
    /* Chips share a memory by fours. */
    assert_true(fs_remote_rate(&p, 1) == 3.52e9 && fs_remote_rate(&p, 4) == 3.52e9);
    const fs_remote_params fast = {20e9, 25.6e9, 4, 2e-6, 64, 256};
    assert_true(fs_remote_rate(&fast, 1) == 20e9 && fs_remote_rate(&fast, 2) == 12.8e9 &&
                fs_remote_rate(&fast, 64) == 6.4e9);
}

TEST(dummies_of_pods) {
    static const struct {
        uint64_t items;
        uint32_t chips;
        uint64_t program, even; /* items and dummies */
    } pods[] = {{30, 1, 30, 30}, {30, 4, 36, 32},   {30, 16, 240, 32},
                {40, 4, 40, 40}, {40, 16, 160, 48}, {120, 16, 240, 128}};
    for (size_t i = 0; i < sizeof pods / sizeof *pods; i++) {
        const fs_pod a = fs_pod_deal(pods[i].items, pods[i].chips, FS_POD_PROGRAM),
                     b = fs_pod_deal(pods[i].items, pods[i].chips, FS_POD_EVEN);
        assert_int_equal(a.items + a.dummies, pods[i].program);
        assert_int_equal(b.items + b.dummies, pods[i].even);
        assert_int_equal(a.of_a_chip * pods[i].chips, pods[i].program);
        assert_true(fs_pod_useful(&b) >= fs_pod_useful(&a));
    }
}

RUN_TESTS(NULL, NULL)
