/* Sizes of neural path tracing that follow from closed forms or stand in the paper: parameters, batches,
 * rays, what a batch is dealt to, what is read at the start (docs/facts/neural_path_tracing.md). */
#include "models/ipu/machine.h"
#include "registry/registry.h"
#include "sim/base/arith.h"
#include "sim/config/config.h"
#include "tests/support/chip.h"
#include "tests/support/test.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/pathtrace/frame/frame.h"

typedef struct settings {
    const fs_machine_params *machine;
    const fs_pathtrace_params *params;
    fs_pathtrace_layout layout;
} settings;

/* The box without a network on one GC200, with more settings. */
static settings of(const char *const *sets, size_t count) {
    const char *all[16] = {"machine.chips=1", "machine.clock=1.33GHz"};
    static fs_error err;
    err = (fs_error){.status = FS_OK};
    for (size_t i = 0; i < count; i++)
        all[2 + i] = sets[i];
    const char *path = fs_arena_printf(test_arena(), "%s/experiments/box.yaml", fs_configs_dir());
    const fs_config *config =
        fs_config_load(test_arena(), path, fs_registry_sections, fs_registry_all.section_count, all,
                       2 + count, fs_configs_dir(), &err);
    assert_got(config, &err);
    settings s = {.machine = fs_config_section(config, "machine"),
                  .params = fs_config_section(config, "workload")};
    s.layout = fs_pathtrace_layout_of(s.params, s.machine);
    return s;
}
#define OF(...)                                                                                              \
    of((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* h = L / 2: (2 h - 1) H^2 + 4 H + 12, of F features F (H - F) + H^2 + 4 H + 12 with h = 1. */
TEST(parameters_are_the_closed_form) {
    for (int64_t wide = 32; wide <= 1024; wide += 32)
        for (int64_t layers = 2; layers <= 10; layers++) {
            const int64_t octaves = wide > 40 ? 10 : 5, f = 4 * octaves, h = layers / 2; /* F below H */
            const fs_nif_params p = {.hidden = wide, .layers = layers, .octaves = octaves};
            const int64_t expected =
                (h == 1 ? f * (wide - f) + wide * wide : (2 * h - 1) * wide * wide) + 4 * wide + 12;
            assert_int_equal(fs_nif_parameters(&p), expected);
        }
    static const int64_t known[][3] = {{64, 2, 5324},    {128, 4, 49676},    {128, 5, 49676},
                                       {256, 4, 197644}, {1024, 8, 7344140}, {0, 0, 0}};
    for (size_t i = 0; known[i][0] > 0; i++) {
        const fs_nif_params p = {.hidden = known[i][0], .layers = known[i][1], .octaves = 10};
        assert_int_equal(fs_nif_parameters(&p), known[i][2]);
    }
}

TEST(batches_are_those_of_the_paper) {
    static const struct {
        const char *width, *height;
        uint64_t batches;
    } pictures[] = {{"workload.width=360", "workload.height=360", 2},
                    {"workload.width=720", "workload.height=720", 8},
                    {"workload.width=1440", "workload.height=1440", 30},
                    {"workload.width=2880", "workload.height=2880", 120},
                    {"workload.width=5760", "workload.height=5760", 480},
                    {"workload.width=7680", "workload.height=4320", 480}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        const settings s = OF(pictures[i].width, pictures[i].height);
        assert_int_equal(s.layout.batches, pictures[i].batches);
        assert_int_equal(s.layout.ray, 84);
        assert_int_equal(s.layout.batch * s.layout.ray, 5806080);
        assert_int_equal(s.layout.render_tiles, 1440);
    }
    const settings older = OF("workload.width=720", "workload.height=720", "workload.rays_per_tile=45");
    assert_int_equal(older.layout.batch * older.layout.ray, 5443200);
    const settings six = OF("workload.width=1440", "workload.height=1440", "workload.rays_per_worker=6");
    assert_int_equal(six.layout.batches, 40);
    const settings eight = OF("workload.width=7680", "workload.height=4320", "workload.rays_per_worker=1");
    assert_int_equal(eight.layout.batches, 3840); /* NPT 3.1.2: 3840 x 6 x 1440 */
    assert_int_equal(eight.layout.pixels % eight.layout.batch, 0);
}

/* Each pixel has one place, however a batch is dealt; the last batch is filled up. */
TEST(every_pixel_is_dealt_once) {
    const settings s = OF("workload.width=500", "workload.height=333");
    const fs_pathtrace_layout *l = &s.layout;
    for (int64_t dealing = FS_PATHTRACE_ROWS; dealing <= FS_PATHTRACE_SCATTER; dealing++) {
        unsigned char *seen = test_keep(calloc(l->pixels, 1));
        uint64_t dealt = 0;
        for (uint64_t place = 0; place < l->batches * l->batch; place++) {
            const uint64_t pixel = fs_pathtrace_pixel(l, dealing, place / l->batch, place % l->batch);
            if (pixel == UINT64_MAX)
                continue;
            assert_true(pixel < l->pixels && seen[pixel] == 0);
            seen[pixel] = 1;
            dealt++;
        }
        assert_int_equal(dealt, l->pixels);
    }
}

/* Dealt one by one; what fills up is the last batch, by the program's rule 14 x 15 times for 30 batches on 16 chips. */
TEST(dummies_are_the_last_batch) {
    const settings s = OF("workload.width=1440", "workload.height=1440", "machine.chips=16");
    const fs_pathtrace_layout *l = &s.layout;
    uint64_t times[30] = {0};
    for (uint32_t chip = 0; chip < l->pod.chips; chip++)
        for (uint64_t i = 0; i < l->pod.of_a_chip; i++)
            times[fs_pathtrace_batch_at(l, chip, i)]++;
    for (uint64_t b = 0; b < 29; b++)
        assert_int_equal(times[b], 1);
    assert_int_equal(times[29], 1 + 14 * 15);
    assert_int_equal(fs_pathtrace_batch_at(l, 3, 1), 19);
}

/* What the tiles read before the first batch: 522 issues of one worker of six. */
TEST(the_scene_is_read_in_3132_cycles) {
    const settings s = OF("workload.width=1440", "workload.height=1440");
    const fs_machine_params *m = s.machine;
    static fs_error err;
    static const fs_nif_plan none = {.steps = 1};
    const fs_pathtrace_steps steps = fs_pathtrace_steps_of(&s.layout, s.params, &none, test_arena());
    fs_pathtrace_fixed fixed;
    err = (fs_error){.status = FS_OK};
    assert_ok(fs_pathtrace_fixed_of(m, s.params, &s.layout, &steps, &fs_walk_program, (fs_pathtrace_sizes){0},
                                    test_arena(), &fixed, &err),
              &err);
    const fs_exchange *x =
        fs_test_exchange(test_arena(), &m->exchange, &m->geometry, s.layout.tiles, NULL, 0, &err);
    assert_non_null(x);
    const uint64_t rest = (uint64_t)m->sync.external + fs_host_launch_cycles(&m->host, m->clock) +
                          fs_host_transfer_cycles(&m->host, m->clock, 0) + fs_exchange_broadcast(x, 0, 0);
    assert_int_equal(fixed.upload, rest);
    assert_int_equal(fixed.read, 3132);
}

/* Bytes of a ray move the streams and the copies, and no walk. */
TEST(smaller_rays_stream_sooner) {
    static const fs_nif_plan none = {.steps = 1};
    static fs_error err;
    uint64_t both[2], copies[2];
    const settings s[] = {OF("workload.width=1440", "workload.height=1440"),
                          OF("workload.width=1440", "workload.height=1440", "workload.ray_bytes=40 B")};
    err = (fs_error){.status = FS_OK};
    for (size_t i = 0; i < 2; i++) {
        fs_pathtrace_fixed f;
        const fs_pathtrace_steps steps =
            fs_pathtrace_steps_of(&s[i].layout, s[i].params, &none, test_arena());
        assert_ok(fs_pathtrace_fixed_of(s[i].machine, s[i].params, &s[i].layout, &steps, &fs_walk_program,
                                        (fs_pathtrace_sizes){0}, test_arena(), &f, &err),
                  &err);
        both[i] = f.both;
        copies[i] = f.copies;
    }
    const double ratio = (double)both[1] / (double)both[0];
    assert_true(ratio > 40.0 / 84 - 0.01 && ratio < 40.0 / 84 + 0.02); /* a latency stays */
    assert_true(copies[1] < copies[0]);
}

/* Around two layers' products, one of three serial steps: the library's calls by name, a slice before each serial step and
 * its outputs behind it; copies by the planner's regression. */
TEST(calls_are_those_of_the_library) {
    const settings s = OF("workload.nif.layers=2", "workload.nif.hidden=64");
    fs_nif_plan plan = {.layers = 2, .steps = 1, .rows = (uint64_t)48 * s.layout.render_tiles};
    plan.layer[0] = (fs_nif_layer){.inputs = 40, .outputs = 24, .relu = true, .joins = true};
    plan.layer[1] = (fs_nif_layer){.inputs = 64, .outputs = 3, .bias = true};
    for (int i = 0; i < 2; i++)
        plan.split[i] = (fs_matrix_split){.row_parts = s.layout.render_tiles,
                                          .input_parts = 1,
                                          .output_parts = 1,
                                          .serial = i == 0 ? 3 : 1,
                                          .rows = 48,
                                          .inputs = 48,
                                          .outputs = 16,
                                          .coefficients = 1536};
    static const char *const names[] = {"trace",
                                        "coordinates",
                                        "normalised",
                                        "powers",
                                        "products",
                                        "products in f16",
                                        "cosines",
                                        "sines",
                                        "sines in f32",
                                        "cosines in f32",
                                        "features in f16",
                                        "features",
                                        "slice of layer 1",
                                        "layer 1",
                                        "outputs of layer 1",
                                        "slice of layer 1",
                                        "layer 1",
                                        "outputs of layer 1",
                                        "slice of layer 1",
                                        "layer 1",
                                        "outputs of layer 1",
                                        "activation of layer 1",
                                        "features joined to layer 1",
                                        "layer 2",
                                        "bias of layer 2",
                                        "colours in f32",
                                        "colours scaled",
                                        "means",
                                        "means added",
                                        "exponentials",
                                        "light"};
    const fs_pathtrace_steps steps = fs_pathtrace_steps_of(&s.layout, s.params, &plan, test_arena());
    assert_int_equal(steps.count, sizeof names / sizeof names[0]);
    for (uint32_t i = 0; i < steps.count; i++)
        assert_string_equal(steps.step[i].name, names[i]);
    assert_int_equal(steps.step[6].count[FS_PATHTRACE_CALL_SINE], 48 * 2 * 10);
    assert_int_equal(steps.step[1].bytes, 48 * 8);       /* u and v go to other tiles */
    assert_int_equal(steps.step[10].bytes, 48 * 40 * 2); /* so do features */
    assert_int_equal(steps.step[11].count[FS_PATHTRACE_CALL_COPIED],
                     587 + 3200 * 48 * 80 / 1024); /* 20 B runs */
    assert_int_equal(steps.step[14].count[FS_PATHTRACE_CALL_SLICED], 48 * 16 * 2 / 8);
    assert_int_equal(fs_pathtrace_copy_cycles(1024, 16, 100), 587 + 451);
    assert_int_equal(fs_pathtrace_copy_cycles(1024, 6, 100), 587 + 5271);
    assert_int_equal(fs_pathtrace_copy_cycles(1024, 4, 200), 2 * (587 + 3200));
}

/* Operands of products as they are split over 1,440 tiles. Each tile takes in its block of coefficients once,
 * each sender's part in the same cycles as all others; inputs to pairs come at 8 B a cycle where the outputs
 * are in an even number of parts, coefficients where all tiles use the same. */
TEST(operands_are_sent_once) {
    static const struct {
        fs_matrix_split split;
        bool inputs;
        uint64_t least, most, single; /* cycles of the plan; without double-width messages */
    } cases[] = {
        {{.row_parts = 720,
          .input_parts = 1,
          .output_parts = 2,
          .serial = 32,
          .coefficients = 32768,
          .moved = 196608},
         true,
         24576 + 8192,
         24576 + 8192,
         49152 + 8192},
        {{.row_parts = 720, .input_parts = 1, .output_parts = 2, .serial = 32, .coefficients = 32768},
         false,
         8192,
         8192,
         8192},
        {{.row_parts = 1440,
          .input_parts = 1,
          .output_parts = 1,
          .serial = 16,
          .coefficients = 131072,
          .moved = 98304},
         false,
         16384 + 1024,
         16384 + 2048,
         32768}, /* a sender's partner takes 4 B a cycle */
        {{.row_parts = 1440, .input_parts = 1, .output_parts = 1, .serial = 1, .coefficients = 8192},
         false,
         2048,
         2048,
         2048}, /* 6 B on a tile: too few to be double-width */
        {{.row_parts = 360,
          .input_parts = 4,
          .output_parts = 1,
          .serial = 1,
          .coefficients = 8192,
          .moved = 98304},
         true,
         24576 + 2048,
         24576 + 2048,
         24576 + 2048},
    };
    const settings s = OF("workload.width=1440", "workload.height=1440");
    fs_exchange_params off = s.machine->exchange;
    fs_error err = {0};
    off.pair_receive = FS_EXCHANGE_PAIR_OFF;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const fs_matrix_split *split = &cases[i].split;
        const fs_pathtrace_moves m = fs_pathtrace_operands(&s.layout, split, cases[i].inputs, test_arena());
        fs_pathtrace_layout without = s.layout;
        without.pairs = false;
        const fs_pathtrace_moves n = fs_pathtrace_operands(&without, split, cases[i].inputs, test_arena());
        const fs_exchange_lanes lanes = {m.transfers, m.count, .sent_with = m.sent_with},
                                others = {n.transfers, n.count, .sent_with = n.sent_with};
        const fs_exchange *x = fs_exchange_create(test_arena(), &s.machine->exchange, &s.machine->geometry,
                                                  s.layout.tiles, &lanes, &err),
                          *y = fs_exchange_create(test_arena(), &off, &s.machine->geometry, s.layout.tiles,
                                                  &others, &err);
        assert_in_range(fs_exchange_plan_of(x).length, cases[i].least, cases[i].most);
        assert_int_equal(fs_exchange_plan_of(y).length, cases[i].single);
        uint64_t *in = test_keep(calloc(s.layout.tiles, sizeof *in)),
                 *out = test_keep(calloc(s.layout.tiles, sizeof *out));
        fs_exchange_count_planned(x, 1, &(fs_port_counters){.bytes_in = in, .bytes_out = out});
        const uint64_t most = split->coefficients + (cases[i].inputs ? split->moved : 0),
                       part = split->coefficients / 16;
        uint64_t sent = 0;
        for (uint32_t t = 0; t < s.layout.tiles; t++) {
            sent += out[t];
            if (t < s.layout.io_tiles)
                assert_int_equal(in[t] + out[t], 0);
            else
                assert_true(in[t] == most || in[t] == most - part); /* of 16 senders each has its own */
        }
        fs_pathtrace_layout over = without; /* routers: each message goes to one tile, whatever it sends */
        over.multicasts = false;
        const fs_pathtrace_moves r = fs_pathtrace_operands(&over, split, cases[i].inputs, test_arena());
        const uint64_t own = fs_up(fs_up(split->coefficients, 4), fs_up(split->row_parts, split->serial)) * 4;
        memset(in, 0, s.layout.tiles * sizeof *in);
        memset(out, 0, s.layout.tiles * sizeof *out);
        for (uint32_t k = 0; k < r.count; k++) {
            in[r.transfers[k].dst] += r.transfers[k].bytes;
            out[r.transfers[k].src] += r.transfers[k].bytes;
        }
        for (uint32_t t = s.layout.io_tiles; t < s.layout.tiles; t++) {
            assert_in_range(in[t], most - own, most);
            assert_true(out[t] <= own * (split->row_parts - 1) +
                                      (cases[i].inputs ? split->output_parts * split->moved : 0));
        }
        const uint64_t blocks = split->input_parts * split->output_parts,
                       groups = cases[i].inputs ? split->input_parts * split->row_parts : 0;
        const bool apart = cases[i].least < cases[i].single && !cases[i].inputs; /* 16 more go to partners */
        assert_int_equal(sent, blocks * split->coefficients * (apart ? 2 : 1) + groups * split->moved);
    }
}

RUN_TESTS(NULL, NULL)
