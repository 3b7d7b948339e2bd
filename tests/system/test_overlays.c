/* Whole runs on every overlay kind, from the command line: the picture is the rays' alone, networks that are
 * the same run the same, and what does not fit is told. */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { MAX_SETS = 5 };

static cli_result run_with(const char *out, const char *const set[MAX_SETS]) {
    fs_process_words w = {.arena = test_arena()};
    fs_process_add(&w, "run", "x.yaml", "--quiet", "--force", "--out", out, NULL);
    fs_process_sets(&w, set, MAX_SETS);
    return cli_words(w.word, 0);
}

static void run(const char *out, const char *const set[MAX_SETS]) {
    cli_result result = run_with(out, set);
    if (result.status != 0)
        fail_msg("%s: exit status %d\n%s", set[0], result.status, result.err);
}

TEST(every_kind_draws_the_same_picture) {
    static const char *const kinds[][MAX_SETS] = {
        {"overlay.kind=fat_tree"},
        {"overlay.kind=fat_tree", "overlay.widths=[1, 2, 2]", "overlay.dispatch=round_robin"},
        {"overlay.kind=fat_tree", "overlay.widths=[1, 1, 4]", "overlay.dispatch=least_occupied",
         "overlay.router_buffer=16 kB", "overlay.tracer_buffer=4 kB"},
        {"overlay.kind=tree", "overlay.arity=9"},
        {"overlay.kind=mesh"},
        {"overlay.kind=mesh", "overlay.columns=3", "overlay.buffer=20 kB"},
        {"overlay.kind=direct", "overlay.lane_buffer=0 B"},
        {"overlay.kind=file", "overlay.file=tree.yaml", "overlay.router_buffer=0 B"},
        {"overlay.kind=file", "overlay.file=ring.yaml", "overlay.tracer_buffer=0 B"},
        {"overlay.router_buffer=0 B", "overlay.tracer_buffer=0 B", "overlay.generator_buffer=0 B"},
    };
    run("tree", (const char *const[MAX_SETS]){"overlay.kind=quadtree"});
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run("other", kinds[i]);
        if (!files_equal("tree/image.png", "other/image.png") ||
            !files_equal("tree/depth.png", "other/depth.png"))
            fail_msg("case %zu, %s: another picture", i, kinds[i][0]);
        assert_true(run_figure("other", "rays.dropped") == 0);
        assert_true(run_figure("other", "rays.in_flight") == 0);
        /* The march is the same whatever lies between the shards. */
        assert_true(run_figure("other", "cells.per_ray_mean") == run_figure("tree", "cells.per_ray_mean"));
        assert_whole_run("other");
    }
}

/* The same network planned by three kinds and by a file: the same run, byte for byte. */
TEST(equal_networks_run_equally) {
    static const char *const files[] = {"iterations.csv", "tiles.csv",     "lanes.csv", "levels.csv",
                                        "hops.csv",       "occupancy.csv", "image.png"};
    static const char *const kinds[][MAX_SETS] = {
        {"overlay.kind=fat_tree", "overlay.widths=[1, 1, 1]"},
        {"overlay.kind=tree", "overlay.arity=4"},
        {"overlay.kind=file", "overlay.file=tree.yaml"},
    };
    run("tree", (const char *const[MAX_SETS]){"overlay.kind=quadtree"});
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        run("other", kinds[i]);
        for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
            char want[64], have[64];
            snprintf(want, sizeof want, "tree/%s", files[f]);
            snprintf(have, sizeof have, "other/%s", files[f]);
            if (!files_equal(want, have))
                fail_msg("%s: another %s", kinds[i][0], files[f]);
        }
    }
}

/* resolved.yaml names the network by its absolute path and runs again. */
TEST(a_file_overlay_runs_again) {
    static const char *const set[MAX_SETS] = {"overlay.kind=file", "overlay.file=ring.yaml",
                                              "overlay.tracer_buffer=0 B"};
    run("once", set);
    cli_must("run", "once/resolved.yaml", "--quiet", "--force", "--out", "twice", NULL);
    assert_same_run("once", "twice", SAME_SETTINGS);
}

TEST(what_does_not_fit_is_told) {
    static const struct {
        const char *set[MAX_SETS], *told[2];
    } wrong[] = {
        {{"overlay.kind=fat_tree", "overlay.widths=[1, 1]"},
         {"overlay.widths: 64 shards have 3 levels of routers", "found 2"}},
        {{"overlay.kind=fat_tree", "overlay.widths=[1, 4, 8]"},
         {"64 tracers, 40 routers and a generator = 105 tiles, machine \"gc200-small\" has 96",
          "widths [1, 1, 8] would fit"}},
        {{"overlay.kind=fat_tree", "overlay.widths=[1, 0, 8]"}, {"overlay.widths[1]: expected an integer"}},
        {{"overlay.kind=tree", "overlay.arity=1"}, {"overlay.arity: expected an integer from 2 to 64"}},
        {{"overlay.kind=mesh", "overlay.columns=65"}, {"overlay.columns: expected at most as many"}},
        {{"overlay.kind=direct"}, {"do not fit in SRAM", "(tracer)"}},
        {{"overlay.kind=direct", "overlay.lane_buffer=0 B", "machine.memory.sram=85 KiB"},
         {"overlay direct: tile ", "a tracer, has "}},
        {{"overlay.kind=file"}, {"overlay.file: missing"}},
        {{"overlay.kind=file", "overlay.file=nowhere.yaml"}, {"can't open \"", "nowhere.yaml\""}},
        {{"overlay.kind=file", "overlay.file=ring.yaml", "workload.partition.shards=16"},
         {"ring.yaml:1:1: tiles: the workload has 16 shards", "found 64"}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_result result = run_with("none", wrong[i].set);
        for (int w = 0; w < 2 && wrong[i].told[w] != NULL; w++)
            if (result.status != 2 || strstr(result.err, wrong[i].told[w]) == NULL)
                fail_msg("case %zu: exit status %d, not said: %s\n%s", i, result.status, wrong[i].told[w],
                         result.err);
    }
}

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_write("tree.yaml", "tiles:\n"
                           "  - { tiles: 0-63, role: tracer }\n"
                           "  - { tiles: 64-79, role: router, level: 1 }\n"
                           "  - { tiles: 80-83, role: router, level: 2 }\n"
                           "  - { tiles: 84, role: router, level: 3 }\n"
                           "  - { tiles: 85, role: generator }\n"
                           "lanes:\n"
                           "  - { from: 0-63, to: 64-79, match: blocks }\n"
                           "  - { from: 64-79, to: 80-83, match: blocks }\n"
                           "  - { from: 80-83, to: 84 }\n"
                           "  - { from: 84, to: 85 }\n");
    cli_write("ring.yaml", "tiles:\n"
                           "  - { tiles: 0-63, role: tracer, table: true }\n"
                           "  - { tiles: 64, role: generator }\n"
                           "lanes:\n"
                           "  - { from: 0-62, to: 1-63, match: blocks }\n"
                           "  - { from: 63, to: 0 }\n"
                           "  - { from: 20, to: 64 }\n");
    return 0;
}

RUN_TESTS(begin, cli_leave)
