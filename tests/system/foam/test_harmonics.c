/* Runs whose colours depend on the ray's direction: the traffic stays, the picture and the price change, recordings
 * give the run again, and what does not fit is refused with the cells that would. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

enum { PIXELS = 80 * 60 };

static void run(const char *out, const char *degree, const char *store) {
    char degree_set[64], store_set[64];
    snprintf(degree_set, sizeof degree_set, "workload.harmonics.degree=%s", degree);
    snprintf(store_set, sizeof store_set, "workload.harmonics.store=%s", store);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", out, "--set", degree_set, "--set", store_set,
             NULL);
}

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return -1;
    cli_must("run", "x.yaml", "--quiet", "--out", "plain", NULL);
    run("zero", "0", "u8");
    run("three", "3", "u8");
    return 0;
}

TEST(degree_0_is_no_harmonics) {
    same_file("plain", "zero", "stats.csv");
    same_file("plain", "zero", "image.png");
    assert_true(run_figure("zero", "cells.lit_per_ray_mean") == 0);
    assert_true(run_figure("zero", "memory.harmonics_bytes") == 0);
}

TEST(the_traffic_stays) {
    static const char *const same[] = {"device.iterations",   "device.cycles_exchange", "device.cycles_sync",
                                       "rays.finished",       "rays.crossings",         "rays.hops",
                                       "cells.per_ray_mean",  "faces.per_ray_mean",     "hops.alive_mean",
                                       "hops.router_all_mean"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(run_figure("plain", same[i]) == run_figure("three", same[i]));
    assert_true(run_figure("three", "device.cycles_compute") > run_figure("plain", "device.cycles_compute"));
    const double lit = run_figure("three", "cells.lit_per_ray_mean");
    assert_true(lit > 0.5 && lit < run_figure("three", "cells.per_ray_mean"));
    assert_false(files_equal("plain/image.png", "three/image.png"));
    assert_true(files_equal("plain/depth.png", "three/depth.png"));
    const double differs = run_figure("three", "image.harmonics_psnr_db");
    assert_true(differs > 10 && differs < 50);
}

/* All tracers together take the slots of their visits and of their lit cells more, times the turn; workers
 * that wait for the slowest make it no less than a worker's share. */
TEST(the_price_is_of_cells_and_visits) {
    const double cells = run_figure("three", "cells.lit_per_ray_mean") * PIXELS,
                 visits = run_figure("three", "hops.tracer_mean") * PIXELS,
                 slots = cells * (135 + 9) + visits * 232,
                 more = run_figure("three", "work.tracer_cycles") - run_figure("plain", "work.tracer_cycles");
    assert_true(more >= slots);     /* six workers, each every sixth cycle: a slot a cycle at best */
    assert_true(more <= 6 * slots); /* one worker alone */
}

TEST(recordings_give_the_run) {
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "again", "--set", "workload.harmonics.degree=3",
             "--set", "workload.harmonics.store=u8", "--record", "rays.fsr", "--record-activity", "acts.fsr",
             NULL);
    assert_same_run("three", "again", SAME_SETTINGS);
    static const char *const recordings[] = {"rays.fsr", "acts.fsr"};
    for (int r = 0; r < 2; r++) {
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "replayed", "--set",
                 "workload.harmonics.degree=3", "--set", "workload.harmonics.store=u8", "--replay",
                 recordings[r], NULL);
        assert_same_run("three", "replayed", SAME_SETTINGS);
    }
    cli_refuses("harmonics", "run", "x.yaml", "--quiet", "--force", "--out", "other", "--set",
                "workload.harmonics.degree=2", "--replay", "rays.fsr", NULL);
}

/* Tiles without barriers march the same cells. */
TEST(decoupled_tiles_pay_too) {
    static const char *const degrees[] = {"workload.harmonics.degree=0", "workload.harmonics.degree=3"};
    for (int d = 0; d < 2; d++)
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", d == 0 ? "loose0" : "loose3", "--set",
                 "machine.execution=decoupled", "--set", "machine.exchange.mode=dynamic", "--set", degrees[d],
                 NULL);
    assert_true(run_figure("loose3", "cells.lit_per_ray_mean") ==
                run_figure("three", "cells.lit_per_ray_mean"));
    assert_true(run_figure("loose3", "work.tracer_cycles") > run_figure("loose0", "work.tracer_cycles"));
}

/* The sentence names degree, store and cells, and these do fit. */
TEST(what_does_not_fit_is_refused) {
    const cli_result r =
        cli("run", "x.yaml", "--quiet", "--check", CLI_NARROW, "--set", "machine.roles.tracer.sram=52 kB",
            "--set", "workload.harmonics.degree=3", "--set", "workload.harmonics.store=f32", NULL);
    cli_refused(&r, "workload.harmonics: degree 3 in f32; expected at most about ");
    assert_non_null(strstr(r.err, "found 8000"));
    unsigned long long fit, plain;
    assert_int_equal(sscanf(strstr(r.err, "at most about "),
                            "at most about %llu cells cut like these (%llu with", &fit, &plain),
                     2);
    assert_true(fit < 8000 && fit > 1000 && plain > 8000);
    cli_must("run", "x.yaml", "--quiet", "--check", CLI_NARROW, "--set", "machine.roles.tracer.sram=52 kB",
             NULL);
}

TEST(files_without_them_are_refused) {
    cli_must("scene", "generate", "uniform", "--cells", "1000", "-o", "bare.ply", "--quiet", NULL);
    cli_refuses("bare.ply: 0 properties color_sh_*: expected 9", "run", "x.yaml", "--quiet", "--force",
                "--out", "bare", "--set", "scene.file=bare.ply", "--set", "workload.harmonics.degree=1",
                NULL);
}

RUN_TESTS(begin, cli_leave)
