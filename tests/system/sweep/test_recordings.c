/* Recordings from the command line: a replayed run's folder is that of the run itself, whatever the traffic
 * and the prices; a recording of something else, or a damaged one, is refused in one sentence.
 *
 * FOAMSIM_RECORDING_CASES: how many random configurations are tried (6; CI tries 200). */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

enum { MOST_SETS = 40, TEXT = 160 };

typedef struct words {
    const char *word[2 * MOST_SETS + 16];
    char text[MOST_SETS][TEXT];
    size_t count, texts;
} words;

static void add(words *w, const char *word) {
    w->word[w->count++] = word;
    w->word[w->count] = NULL;
}

static void set(words *w, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(w->text[w->texts], TEXT, format, args);
    va_end(args);
    add(w, "--set");
    add(w, w->text[w->texts++]);
}

/* After a copy: the words are those of the copy's texts. */
static void own_texts(words *w) {
    for (size_t i = 0; i < w->texts; i++)
        w->word[2 * i + 1] = w->text[i];
}

static const char *experiment = "x.yaml";

/* `run x.yaml OPTIONS` with the settings of `with`, to folder `out`; the last option is NULL. */
static cli_result run(const words *with, const char *out, const char *const *options) {
    words w = {.count = 0};
    for (const char *const *o =
             (const char *const[]){"run", experiment, "-f", "-q", "-t", "1", "-o", out, NULL};
         *o != NULL; o++)
        add(&w, *o);
    for (; *options != NULL; options++)
        add(&w, *options);
    for (size_t i = 0; i < with->count; i++)
        add(&w, with->word[i]);
    return cli_words(w.word, 0);
}
#define RUN(with, out, ...) run(with, out, (const char *const[]){__VA_ARGS__, NULL})

static void must(cli_result r, const words *with) {
    if (r.status == 0)
        return;
    for (size_t i = 0; i < with->count; i++)
        print_error("%s ", with->word[i]);
    fail_msg("\n%s", r.err);
}

/* ---- random configurations ---- */

static uint32_t below(fs_rng *d, uint32_t n) {
    return fs_rng_below(d, n);
}
#define PICK(d, ...)                                                                                         \
    ((const char *const[]){                                                                                  \
        __VA_ARGS__})[below(d, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))]

static void random_geometry(words *w, fs_rng *d) {
    set(w, "workload.payload=%s", PICK(d, "full", "mixed", "half", "baseline"));
    set(w, "workload.camera.width=%u", 17 + below(d, 32));
    set(w, "workload.camera.height=%u", 9 + below(d, 24));
    set(w, "workload.march.threshold=%s", PICK(d, "0.01", "0.05", "0.3"));
}

/* The second camera comes while rays are in flight. */
static void random_change(words *w, fs_rng *d) {
    set(w, "workload.camera_change.iteration=%u", 5 + below(d, 30));
    set(w, "workload.camera_change.position=[1.9, -2.7, 1.6]");
    set(w, "workload.camera_change.look_at=[0.1, 0.2, 0.5]");
    set(w, "workload.camera_change.policy=%s", PICK(d, "immediate", "drain", "pose_in_payload"));
}

static void random_overlay(words *w, fs_rng *d) {
    switch (below(d, 5)) {
    case 0:
        set(w, "overlay.kind=quadtree");
        break;
    case 1:
        set(w, "overlay.kind=fat_tree");
        set(w, "overlay.widths=[1, %u, %u]", 1 + below(d, 2), 1 + below(d, 3));
        set(w, "overlay.dispatch=%s", PICK(d, "hash", "round_robin", "least_occupied"));
        break;
    case 2:
        set(w, "overlay.kind=mesh");
        break;
    case 3:
        set(w, "overlay.kind=tree");
        set(w, "overlay.arity=%u", below(d, 2) ? 4 : 8);
        break;
    default:
        set(w, "overlay.kind=quadtree");
        set(w, "workload.replicas.camera=%u", 1 + below(d, 3));
    }
}

/* Returns the workers of a tile. */
static uint32_t random_traffic(words *w, fs_rng *d) {
    const uint32_t workers = 1 + below(d, 8);
    random_overlay(w, d);
    set(w, "workload.batching.order=%s", PICK(d, "rows", "columns"));
    set(w, "workload.batching.per_batch=%u", 1 + below(d, 3));
    set(w, "workload.batching.idle=%u", 5 + below(d, 30));
    set(w, "workload.repeat=%u", 1 + below(d, 25));
    set(w, "machine.tile.workers=%u", workers);
    if (below(d, 3) == 0)
        set(w, "workload.framebuffer=local");
    if (below(d, 4) == 0)
        set(w, "run.frames=%u", 2 + below(d, 2));
    if (below(d, 6) == 0)
        set(w, "run.stream=true");
    if (below(d, 6) == 0)
        set(w, "run.coverage=0.9");
    if (below(d, 8) == 0)
        set(w, "workload.infinite_buffers=true");
    return workers;
}

static void random_prices(words *w, fs_rng *d, uint32_t workers) {
    set(w, "machine.clock=%u MHz", 800 + below(d, 1200));
    if (below(d, 3) == 0) {
        set(w, "machine.exchange={kind: noc, mode: dynamic, noc: {topology: %s, size: [8, 12]}}",
            PICK(d, "mesh", "torus"));
        set(w, "machine.exchange.noc.vcs=%u", 2 + below(d, 6));
        set(w, "machine.exchange.noc.buffer=%u", 2 + below(d, 12));
        set(w, "machine.exchange.noc.width=%u B", 4 << below(d, 4));
    } else {
        set(w, "machine.exchange.mode=%s", PICK(d, "static", "dynamic"));
        set(w, "machine.exchange.bytes_per_cycle=%u B/cycle", 1 + below(d, 16));
        set(w, "machine.exchange.latency_base=%u cycles", 52 + below(d, 20));
    }
    set(w, "machine.sync.base=%u cycles", below(d, 200));
    set(w, "machine.host.fused=%s", PICK(d, "true", "false"));
    set(w, "machine.cost.%s=%u slots", PICK(d, "load", "f32_div", "int_op", "branch", "store"), below(d, 9));
    set(w, "machine.cost.pairing=%u %%", below(d, 101));
    set(w, "machine.cost.scale=%u %%", 50 + below(d, 151));
    set(w, "machine.tile.reuse_idle_slots=%s", PICK(d, "true", "false"));
    set(w, "workload.kernels.router=%s", PICK(d, "kernel", "hardware"));
    set(w, "workload.kernels.router_statistics=%s", PICK(d, "true", "false"));
    set(w, "workload.kernels.version=%s", PICK(d, "counted", "2025-09-02", "2025-09-11"));
    set(w, "workload.kernels.fixed_cost=%s", PICK(d, "true", "false"));
    if (workers > 1)
        set(w, "workload.kernels.generator_workers=%u", 1 + below(d, workers));
    set(w, "run.statistics=%s", PICK(d, "full", "full", "basic"));
    if (below(d, 6) == 0)
        set(w, "run.detail=event");
}

static uint64_t cases(void) {
    return test_number("FOAMSIM_RECORDING_CASES", 6);
}

/* An itinerary recorded under one traffic is replayed under another. */
TEST(itineraries_replayed_are_the_run) {
    for (uint64_t c = 0; c < cases(); c++) {
        fs_rng d = fs_rng_stream(9000 + c, "recordings");
        words one = {.count = 0};
        random_geometry(&one, &d);
        if (below(&d, 4) == 0)
            random_change(&one, &d);
        words other = one;
        own_texts(&other);
        random_prices(&one, &d, random_traffic(&one, &d));
        random_prices(&other, &d, random_traffic(&other, &d));
        print_message("seed %llu\n", 9000 + (unsigned long long)c);
        must(RUN(&one, "recorded", "--record", "rays"), &one);
        must(RUN(&one, "replayed", "--replay", "rays"), &one);
        assert_same_run("recorded", "replayed", SAME_SETTINGS);
        must(RUN(&other, "run", "--threads=1"), &other);
        must(RUN(&other, "replayed", "--replay", "rays"), &other);
        assert_same_run("run", "replayed", SAME_SETTINGS);
    }
}

/* Activity recorded under one set of prices is priced under another. */
TEST(activity_priced_anew_is_the_run) {
    for (uint64_t c = 0; c < cases(); c++) {
        fs_rng d = fs_rng_stream(7000 + c, "recordings");
        words one = {.count = 0};
        random_geometry(&one, &d);
        if (below(&d, 6) == 0)
            random_change(&one, &d);
        const uint32_t workers = random_traffic(&one, &d);
        words other = one;
        own_texts(&other);
        random_prices(&one, &d, workers);
        random_prices(&other, &d, workers);
        print_message("seed %llu\n", 7000 + (unsigned long long)c);
        must(RUN(&one, "recorded", "--record-activity", "activity"), &one);
        must(RUN(&one, "priced", "--replay", "activity"), &one);
        assert_same_run("recorded", "priced", SAME_SETTINGS);
        must(RUN(&other, "run", "--threads=1"), &other);
        must(RUN(&other, "priced", "--replay", "activity"), &other);
        assert_same_run("run", "priced", SAME_SETTINGS);
    }
}

/* All of a GC200: 1,024 shards, two threads. */
TEST(the_whole_machine_replays) {
    words w = {.count = 0}, priced = {.count = 0};
    set(&priced, "machine.clock=1 GHz");
    set(&priced, "machine.exchange.mode=dynamic");
    cli_write("whole.yaml",
              "name: whole\n"
              "machine: gc200\n"
              "overlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 8000, seed: 7 } }\n"
              "workload:\n"
              "  kind: foam\n"
              "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 160, height: 60 }\n"
              "  partition: { kind: kd, shards: 1024 }\n"
              "  batching: { order: rows, per_batch: 1, idle: 10 }\n");
    experiment = "whole.yaml";
    must(RUN(&w, "run", "--threads=2", "--record", "rays", "--record-activity", "activity"), &w);
    must(RUN(&w, "replayed", "--threads=2", "--replay", "rays"), &w);
    assert_same_run("run", "replayed", SAME_SETTINGS);
    must(RUN(&w, "replayed", "--threads=2", "--replay", "activity"), &w);
    assert_same_run("run", "replayed", SAME_SETTINGS);
    must(RUN(&priced, "run", "--replay", "rays"), &priced);
    must(RUN(&priced, "replayed", "--replay", "activity"), &priced);
    assert_same_run("run", "replayed", SAME_SETTINGS);
    experiment = "x.yaml";
}

TEST(decoupled_runs_replay) {
    words w = {.count = 0};
    set(&w, "machine.execution=decoupled");
    set(&w, "machine.exchange.mode=dynamic");
    must(RUN(&w, "run", "--record", "rays"), &w);
    must(RUN(&w, "replayed", "--replay", "rays"), &w);
    assert_same_run("run", "replayed", SAME_SETTINGS);
}

TEST(equal_runs_write_equal_recordings) {
    words w = {.count = 0}, more = {.count = 0};
    set(&more, "workload.batching.order=columns");
    must(RUN(&w, "run", "--record", "rays", "--record-activity", "activity"), &w);
    must(RUN(&more, "run", "--record", "again", "--threads=2"), &more);
    assert_true(files_equal("rays", "again"));
    must(RUN(&w, "run", "--replay", "rays", "--record-activity", "again", "--threads=2"), &w);
    assert_true(files_equal("activity", "again"));
}

/* run.outputs: summary leaves tables and pictures out and changes nothing else. */
TEST(a_summary_has_the_figures_alone) {
    words w = {.count = 0}, less = {.count = 0};
    set(&less, "run.outputs=summary");
    must(RUN(&w, "run", "--threads=1"), &w);
    must(RUN(&less, "less", "--threads=1"), &less);
    static const char *const kept[] = {"summary.json", "stats.csv", "ladder.csv", "findings.json"};
    static const char *const gone[] = {"iterations.csv", "tiles.csv",  "lanes.csv",        "occupancy.csv",
                                       "cycles.csv",     "hops.csv",   "image.png",        "depth.png",
                                       "levels.csv",     "memory.csv", "distributions.csv"};
    char a[64], b[64];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        snprintf(a, sizeof a, "run/%s", kept[i]);
        snprintf(b, sizeof b, "less/%s", kept[i]);
        assert_true(files_equal(a, b));
    }
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        snprintf(b, sizeof b, "less/%s", gone[i]);
        assert_true(!scratch_there(b));
    }
    assert_whole_run("less");
}

/* ---- what is refused ---- */

static void assert_refused(cli_result r, int status, const char *sentence) {
    if (r.status != status || strstr(r.err, sentence) == NULL)
        fail_msg("expected status %d and \"%s\", found %d and\n%s", status, sentence, r.status, r.err);
    assert_true(!scratch_there("refused"));
}

/* No price ends a frame sooner: what is recorded is why it failed, and every price of it fails in the same
 * words, unless its machine is wrong in the first place. */
TEST(a_frame_that_does_not_end_is_recorded) {
    words w = {.count = 0}, wrong = {.count = 0};
    set(&w, "run.max_iterations=30");
    wrong = w;
    own_texts(&wrong);
    set(&w, "machine.clock=1 GHz");
    set(&wrong, "machine.exchange.mode=dynamic");
    set(&wrong, "machine.exchange.copies=serial");
    cli_result first = RUN(&w, "refused", "--record-activity", "endless");
    assert_refused(first, 1, "not done after run.max_iterations = 30 iterations");
    set(&w, "machine.sync.base=99 cycles");
    assert_refused(RUN(&w, "refused", "--replay", "endless"), 1, first.err);
    assert_refused(RUN(&wrong, "refused", "--replay", "endless"), 2, "serial copies");
    set(&w, "run.max_iterations=31");
    assert_refused(RUN(&w, "refused", "--replay", "endless"), 2, "run.max_iterations is 30 there, 31 here");
}

TEST(another_geometry_is_refused) {
    words w = {.count = 0}, other = {.count = 0};
    must(RUN(&w, "run", "--record", "rays"), &w);
    set(&other, "workload.camera.width=72");
    assert_refused(RUN(&other, "refused", "--replay", "rays"), 2,
                   "workload.camera.width is 80 there, 72 here");
}

/* Workers share the rays of a tile, so their number is no price. */
TEST(another_traffic_is_refused) {
    words w = {.count = 0}, other = {.count = 0}, free_running = {.count = 0};
    must(RUN(&w, "run", "--record-activity", "activity"), &w);
    set(&other, "machine.tile.workers=4");
    assert_refused(RUN(&other, "refused", "--replay", "activity"), 2,
                   "machine.tile.workers is 6 there, 4 here");
    set(&free_running, "machine.execution=decoupled");
    set(&free_running, "machine.exchange.mode=dynamic");
    assert_refused(RUN(&free_running, "refused", "--record-activity", "none"), 2, "expected bsp");
    assert_true(!scratch_there("none"));
}

TEST(foreign_and_damaged_files_are_refused) {
    words w = {.count = 0};
    must(RUN(&w, "run", "--record", "rays"), &w);
    assert_refused(RUN(&w, "refused", "--replay", "none"), 1, "cannot read");
    assert_refused(RUN(&w, "refused", "--replay", "x.yaml"), 2, "another kind of file");
    size_t size;
    char *file = file_read("rays", &size);
    fs_rng d = fs_rng_stream(77, "damage");
    for (int i = 0; i < 24; i++) {
        size_t at = i == 0 ? 8 : i == 1 ? 12 : below(&d, (uint32_t)size), keep = size;
        const int bit = 1 << below(&d, 8);
        if (i % 3 == 2)
            keep = at;
        file[at] = (char)(file[at] ^ bit);
        FILE *out = fopen("bad", "wb");
        assert_non_null(out);
        fwrite(file, 1, keep, out);
        fclose(out);
        file[at] = (char)(file[at] ^ bit);
        cli_result r = RUN(&w, "refused", "--replay", "bad");
        if (r.status != 2 && r.status != 1)
            fail_msg("byte %zu of %zu, %zu kept: status %d\n%s", at, size, keep, r.status, r.err);
        if (i < 2)
            assert_refused(r, 2, i == 0 ? "of format" : "of model version");
        assert_non_null(strstr(r.err, "bad: "));
        assert_true(!scratch_there("refused"));
    }
}

RUN_TESTS(cli_enter_experiment, cli_leave)
