/* Two levels of detail of time, closed forms and every event: the same folders, over random configurations. */
#include "sim/base/rng.h"
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { RUNS = 16, MAX_SETS = 32 };

static uint64_t seed;

typedef struct choice {
    char set[MAX_SETS][64];
    int sets;
} choice;

static void set(choice *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set(choice *c, const char *format, ...) {
    assert_true(c->sets < MAX_SETS);
    va_list values;
    va_start(values, format);
    vsnprintf(c->set[c->sets++], sizeof c->set[0], format, values);
    va_end(values);
}

static const char *one_of(fs_rng *rng, const char *const *words, uint32_t count) {
    return words[fs_rng_below(rng, count)];
}

/* Everything that prices depend on is drawn; run i spills when i is odd, and every fourth one drops too. */
static choice draw(fs_rng rng, int i) {
    static const char *const payloads[] = {"full", "mixed", "half", "baseline"};
    static const char *const orders[] = {"rows", "columns"};
    static const char *const kinds[] = {"garden", "room", "shell", "uniform"};
    static const char *const flags[] = {"true", "false"};
    static const char *const policies[] = {"immediate", "drain", "pose_in_payload"};
    choice c = {.sets = 0};
    set(&c, "scene.generate.kind=%s", one_of(&rng, kinds, 4));
    set(&c, "workload.camera.width=%u", 20 + fs_rng_below(&rng, 40));
    set(&c, "workload.camera.height=%u", 16 + fs_rng_below(&rng, 30));
    set(&c, "workload.partition.shards=%u", 4u << 2 * fs_rng_below(&rng, 3));
    set(&c, "workload.payload=%s", one_of(&rng, payloads, 4));
    set(&c, "workload.batching.order=%s", one_of(&rng, orders, 2));
    set(&c, "workload.batching.per_batch=%u", 1 + fs_rng_below(&rng, 8));
    set(&c, "workload.batching.idle=%u", fs_rng_below(&rng, 30));
    set(&c, "workload.repeat=%u", 1 + fs_rng_below(&rng, 25));
    set(&c, "run.frames=%u", 1 + fs_rng_below(&rng, 2));
    set(&c, "run.stream=%s", one_of(&rng, flags, 2));
    set(&c, "machine.exchange.mode=%s", i % 4 < 2 ? "dynamic" : "static");
    if (i % 4 == 1) {
        set(&c, "machine.exchange.kind=noc");
        set(&c, "machine.exchange.noc.size=[8, 12]");
        set(&c, "machine.exchange.noc.width=%u B", 4u << fs_rng_below(&rng, 4));
    }
    if (i % 4 == 2)
        set(&c, "machine.exchange.copies=%s", i % 8 == 2 ? "serial" : "pairs");
    if (i % 4 != 1 && i % 3 == 0) {
        static const char *const joins[] = {"ladder", "ring", "all"};
        set(&c, "machine.chips=%u", 2u << fs_rng_below(&rng, 4));
        set(&c, "machine.fabric.kind=%s", one_of(&rng, joins, 3));
        set(&c, "machine.fabric.bandwidth=%u MB/s", 10 + fs_rng_below(&rng, 16000));
        set(&c, "overlay.chips=%s", i % 2 ? "spread" : "subtree");
    }
    set(&c, "machine.cost.scale=%u %%", 50 + fs_rng_below(&rng, 151));
    set(&c, "machine.exchange.header=%u B", fs_rng_below(&rng, 13));
    const uint32_t workers = 1 + fs_rng_below(&rng, 8);
    static const char *const pipes[] = {"counted", "none", "full"};
    set(&c, "machine.tile.workers=%u", workers);
    if (i % 2 == 0) {
        set(&c, "machine.tile.issue_width=%u", 1 + fs_rng_below(&rng, workers));
        set(&c, "machine.tile.dual_issue=%s", one_of(&rng, pipes, 3));
        set(&c, "machine.tile.sram_ports=%u", fs_rng_below(&rng, 2));
    }
    set(&c, "machine.tile.reuse_idle_slots=%s", one_of(&rng, flags, 2));
    set(&c, "machine.host.fused=%s", one_of(&rng, flags, 2));
    set(&c, "machine.sync.skew_column=%u cycles", fs_rng_below(&rng, 30));
    set(&c, "machine.memory.check=warn"); /* scenes of four shards are larger than a tile */
    if (i % 5 == 4) {
        set(&c, "workload.framebuffer=local");
        set(&c, "workload.local_buffer=%u B", 150000 + fs_rng_below(&rng, 30000));
    }
    if (i % 2 == 1) {
        set(&c, "overlay.router_buffer=%u B", i % 4 == 1 ? 12000 + fs_rng_below(&rng, 8000) : 3000u);
        set(&c, "overlay.tracer_buffer=%u B", i % 4 == 1 ? 3000 + fs_rng_below(&rng, 3000) : 1000u);
        set(&c, "overlay.generator_ring=%u", i % 4 == 1 ? 5760u : 50u);
    }
    if (i % 3 == 2) {
        set(&c, "workload.camera_change.iteration=%u", fs_rng_below(&rng, 20));
        set(&c, "workload.camera_change.policy=%s", one_of(&rng, policies, 3));
    }
    return c;
}

static cli_result run(const choice *c, const char *detail, const char *out) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, "--set", detail, NULL);
    for (int i = 0; i < c->sets; i++)
        fs_process_option(&w, "--set", c->set[i]);
    return cli_words(w.word, 0);
}

static void explain(const choice *c, int i) {
    print_message("seed %llu, run %d:", (unsigned long long)seed, i);
    for (int s = 0; s < c->sets; s++)
        print_message(" %s", c->set[s]);
    print_message("\n");
}

TEST(closed_forms_are_what_events_give) {
    double spilled = 0, dropped = 0;
    int whole = 0;
    for (int i = 0; i < RUNS; i++) {
        choice c = draw(fs_rng_sub(fs_rng_stream(seed, "test/detail"), (uint64_t)i), i);
        explain(&c, i); /* before the comparison, which ends the test at a difference */
        cli_result phase = run(&c, "run.detail=phase", "phase"), event = run(&c, "run.detail=event", "event");
        assert_int_equal(phase.status, event.status);
        assert_string_equal(phase.err, event.err);
        if (phase.status != 0) { /* a run that is not done in time fails alike */
            assert_int_equal(phase.status, 1);
            print_message("  %s", phase.err);
            continue;
        }
        assert_same_run("phase", "event", OTHER_SETTINGS);
        spilled += run_figure("phase", "rays.spilled");
        dropped += run_figure("phase", "rays.dropped");
        whole++;
    }
    print_message("%d runs, %.0f spills, %.0f drops\n", whole, spilled, dropped);
    assert_true(whole >= 12 && spilled > 0 && dropped > 0);
}

/* The event level runs a process for each worker, transfer and release; the other one a handful an iteration. */
TEST(the_event_level_does_play_events) {
    double activations[2];
    static const char *const details[] = {"run.detail=phase", "run.detail=event"};
    for (int d = 0; d < 2; d++) {
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "run", "--set", details[d], NULL);
        json_t *host = run_json("run", "host.json");
        activations[d] = figure(host, "kernel_activations");
    }
    double iterations = run_figure("run", "device.iterations");
    assert_true(activations[0] < 20 * iterations);
    assert_true(activations[1] > 200 * iterations);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write("x.yaml", "name: detail\n"
                        "machine: gc200-small\n"
                        "scene: { generate: { cells: 3000, seed: 7 } }\n"
                        "workload:\n"
                        "  camera: { position: [1.3, -1.9, 1.2], look_at: [0.1, 0.2, 0.6] }\n"
                        "  partition: { shards: 64 }\n"
                        "  camera_change: { position: [-1.5, -1.7, 1.4], look_at: [0, 0.2, 0.5] }\n"
                        "run: { max_iterations: 3000 }\n");
    seed = test_seed(20250211);
    return 0;
}

RUN_TESTS(begin, cli_leave)
