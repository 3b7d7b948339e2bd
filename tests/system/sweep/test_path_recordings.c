/* Recordings of paths: a replay's folder is that of the run, byte for byte, whatever is dealt or priced anew;
 * what a recording does not hold is refused.
 *
 * FOAMSIM_RECORDING_CASES: how many random configurations are replayed (4; CI tries more). */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"

#include "sim/base/rng.h"
#include "tests/support/test.h"

/* A small picture of the spheres on a chip of 96 tiles, 64 of which render. */
static const char small[] =
    "machine: gc200-small\n"
    "scene: { kind: mesh, builtin: spheres }\n"
    "workload: { kind: pathtrace, width: 48, height: 40, samples: 6, rays_per_worker: 1,\n"
    "  sampling: { drawn: 6 } }\n";

static void write_small(void) {
    cli_write("x.yaml", small);
}

/* Runs x.yaml into `out` with up to four settings, the rest NULL. */
static void run(const char *out, const char *const sets[4]) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, NULL);
    fs_process_sets(&w, sets, 4);
    cli_must_words(w.word);
}
#define RUN(out, ...) run(out, (const char *const[4]){__VA_ARGS__})

/* The same with three drawn samples, from a recording. */
static void replay(const char *out, const char *recording, const char *const sets[3]) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, "--replay", recording, "--set",
                   "workload.sampling.drawn=3", NULL);
    fs_process_sets(&w, sets, 3);
    cli_must_words(w.word);
}

/* An itinerary serves every dealing, machine, network and number of samples to be spoken of; activity those
 * of its traffic: the whole folder of the run, byte for byte. */
TEST(a_replay_is_the_run) {
    write_small();
    RUN("a", "workload.sampling.drawn=3");
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "b", "--set", "workload.sampling.drawn=3",
             "--record", "paths", "--record-activity", "rows", NULL);
    assert_same_run("a", "b", SAME_SETTINGS);
    static const struct {
        const char *set[3];
        bool price; /* nothing but prices differ */
    } cases[] = {{{"machine.clock=1.85 GHz", "workload.samples=50"}, true},
                 {{"workload.nif.layers=3", "workload.nif.hidden=64"}, true},
                 {{"workload.dummies=even", "run.detail=event"}, true},
                 {{"workload.dummies=even", "machine.chips=2"}, false},
                 {{"workload.dealing=scatter", "workload.rays_per_worker=2"}, false},
                 {{"workload.sharing=queue", "workload.nif.layers=2", "workload.nif.hidden=64"}, false},
                 {{"workload.sharing=queue", "machine.cost.load=3 slots"}, false},
                 {{"workload.io_tiles=16", "workload.rays_per_tile=9", "machine.cost.scale=90 %"}, false},
                 {{"machine.tile.workers=4", "machine.geometry.rows=2", "workload.io_tiles=8"}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *set = cases[i].set;
        const char *const of[] = {"paths", "rows"};
        RUN("a", "workload.sampling.drawn=3", set[0], set[1], set[2]);
        for (size_t k = 0; k < (cases[i].price ? 2 : 1); k++) {
            replay("b", of[k], set);
            assert_same_run("a", "b", SAME_SETTINGS);
        }
    }
}

/* One itinerary, random dealings and prices: replayed from it; with its activity priced anew; and run. */
TEST(random_replays_are_their_runs) {
    const uint64_t cases = test_number("FOAMSIM_RECORDING_CASES", 4);
    write_small();
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "a", "--set", "workload.sampling.drawn=3",
             "--record", "paths", NULL);
    for (uint64_t c = 0; c < cases; c++) {
        fs_rng d = fs_rng_stream(4000 + c, "pathtrace/recordings");
        const bool queue = fs_rng_below(&d, 4) == 0;
        char traffic[400], prices[2][400];
        snprintf(traffic, sizeof traffic,
                 "dealing: %s, sharing: %s, io_tiles: %u, rays_per_worker: %u, sampling: { drawn: 3 }",
                 fs_rng_below(&d, 2) ? "rows" : "scatter", queue ? "queue" : "fixed",
                 1 + fs_rng_below(&d, 80), 1 + fs_rng_below(&d, 2));
        for (int i = 0; i < 2; i++)
            snprintf(prices[i], sizeof prices[i],
                     "samples: %u, nif: { layers: %u, hidden: %u, type: %s } }\n"
                     "machine: { cost: { load: %u slots, scale: %u %% }, sync: { base: %u cycles } }\n"
                     "run: { detail: %s }\n",
                     3 + fs_rng_below(&d, 60), 2 * fs_rng_below(&d, 3), 48 + 16 * fs_rng_below(&d, 3),
                     fs_rng_below(&d, 2) ? "f16" : "f32", fs_rng_below(&d, 4), 50 + fs_rng_below(&d, 151),
                     fs_rng_below(&d, 200), fs_rng_below(&d, 4) == 0 ? "event" : "phase");
        print_message("seed %llu: %s\n", 4000 + (unsigned long long)c, traffic);
        for (int i = 0; i < 2; i++) {
            char all[2048];
            snprintf(all, sizeof all, "base: ./x.yaml\nworkload: { %s, %s", traffic, prices[i]);
            cli_write("y.yaml", all);
            cli_must("run", "y.yaml", "--quiet", "--force", "--out", "a", NULL);
            if (i == 0 && !queue)
                cli_must("run", "y.yaml", "--quiet", "--force", "--out", "b", "--replay", "paths",
                         "--record-activity", "rows", NULL);
            else
                cli_must("run", "y.yaml", "--quiet", "--force", "--out", "b", "--replay",
                         queue ? "paths" : "rows", NULL);
            assert_same_run("a", "b", SAME_SETTINGS);
        }
    }
}

/* What an itinerary's replay records is what the run records. */
TEST(recordings_of_a_replay_are_those_of_the_run) {
    write_small();
    const char *const deal[] = {"--set", "workload.dealing=scatter"};
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "a", "--record", "paths", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "a", deal[0], deal[1], "--record", "others",
             "--record-activity", "rows", NULL);
    assert_true(files_equal("paths", "others"));
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "b", deal[0], deal[1], "--replay", "paths",
             "--record-activity", "again", NULL);
    assert_true(files_equal("rows", "again"));
}

/* What a recording does not hold is refused. */
TEST(recordings_do_not_guess) {
    write_small();
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "a", "--set", "run.outputs=summary", "--record",
             "paths", "--record-activity", "rows", NULL);
    static const struct {
        const char *replay, *set, *option, *file, *words;
    } cases[] = {
        {"paths", "workload.samples=7", "--quiet", NULL, "paths: it holds no picture, since its run had"},
        {"paths", "workload.seed=2", "--quiet", NULL, "workload.seed is 1 there, 2 here"},
        {"rows", "workload.dealing=scatter", "--quiet", NULL, "workload.dealing is rows there, scatter here"},
        {"rows", "run.outputs=summary", "--record", "no", "rows holds activity, from which neither is made"},
        {"paths", "run.outputs=summary", "--record", "no", "is an itinerary recording of this run already"},
        {NULL, "workload.sharing=queue", "--record-activity", "no", "a queue's order depends on prices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[16] = {"run", "x.yaml", "--force", "--out", "no", "--set", cases[i].set};
        size_t n = 7;
        words[n++] = cases[i].option;
        if (cases[i].file != NULL)
            words[n++] = cases[i].file;
        if (cases[i].replay != NULL) {
            words[n++] = "--replay";
            words[n++] = cases[i].replay;
        }
        const cli_result r = cli_words(words, 0);
        assert_int_equal(r.status, 2);
        assert_says(r.err, cases[i].words);
    }
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "a", "--set", "workload.light=network", "--set",
             "workload.nif.layers=2", "--set", "workload.nif.hidden=64", "--record", "paths", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "b", "--set", "workload.light=network", "--set",
             "workload.nif.layers=2", "--set", "workload.nif.hidden=64", "--replay", "paths", NULL);
    assert_same_run("a", "b", SAME_SETTINGS);
    const cli_result r =
        cli("run", "x.yaml", "--quiet", "--force", "--out", "b", "--set", "workload.light=network", "--set",
            "workload.nif.layers=2", "--set", "workload.nif.hidden=128", "--replay", "paths", NULL);
    cli_refused(&r, "its picture is lit by a network of H 64, L 2, here of H 128, L 2");
}

/* What a run says of other networks is what their runs say; of those that fit nowhere it says nothing. */
TEST(other_networks_are_their_runs) {
    write_small();
    RUN("a", "workload.nif.layers=2", "workload.nif.hidden=64", "machine.memory.sram=128 KiB");
    RUN("b", "workload.nif.layers=4", "workload.nif.hidden=128", "machine.memory.sram=128 KiB");
    struct table t = table_read("a", "networks.csv");
    assert_string_equal(table_text(&t, 1, "hidden"), "128");
    assert_true(strtod(table_text(&t, 1, "layers_4"), NULL) == run_figure("b", "device.paths_per_second"));
    assert_true(strtod(table_text(&t, 0, "layers_2"), NULL) == run_figure("a", "device.paths_per_second"));
    assert_string_equal(table_text(&t, 6, "hidden"), "1024");
    assert_string_equal(table_text(&t, 6, "layers_8"), "null");
}

RUN_TESTS(cli_enter, cli_leave)
