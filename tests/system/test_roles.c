/* Tiles that differ by role: clock, workers, SRAM; both details, prices and replays; energy, area, memory. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

static int begin(void **state) {
    if (cli_enter_experiment(state) != 0)
        return 1;
    cli_must("run", "x.yaml", "--quiet", "--out", "plain", "--record-activity", "plain.activity", NULL);
    return 0;
}

/* Written out, the machine's own numbers are no roles. */
TEST(roles_that_are_alike_change_nothing) {
    cli_must("run", "x.yaml", "--quiet", "--out", "alike", "--set", "machine.roles.tracer.workers=6", "--set",
             "machine.roles.router={sram: 624 KiB, clock: 100 %}", NULL);
    static const char *const files[] = {"summary.json", "iterations.csv", "tiles.csv",
                                        "memory.csv",   "findings.json",  "image.png"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        same_file("plain", "alike", files[i]);
}

/* Routers at half the clock compute twice as long, all others as before, and no ray goes elsewhere. */
TEST(a_clock_scales_its_own_tiles) {
    cli_must("run", "x.yaml", "--quiet", "--out", "half", "--set", "machine.roles.router.clock=50 %", NULL);
    same_file("plain", "half", "occupancy.csv");
    same_file("plain", "half", "hops.csv");
    struct table a = table_read("plain", "tiles.csv"), b = table_read("half", "tiles.csv");
    size_t routers = 0;
    for (size_t r = 0; r < a.rows; r++) {
        const bool router = strcmp(table_text(&a, r, "role"), "router") == 0;
        routers += router;
        assert_int_equal(table_int(&b, r, "compute"), (router ? 2 : 1) * table_int(&a, r, "compute"));
        assert_int_equal(table_int(&b, r, "busy"), (router ? 2 : 1) * table_int(&a, r, "busy"));
    }
    assert_true(routers > 0);
}

/* What a tile's clock takes goes with its clock, what leaks with its area: 442 um2 a KiB beside 0.09 mm2 of
 * logic, 16 units of 3,500 um2 and a port of 0.016 mm2. */
TEST(energy_and_area_follow) {
    cli_must("run", "x.yaml", "--quiet", "--out", "spares", "--set",
             "machine.roles.spare={sram: 64 KiB, clock: 10 %}", NULL);
    same_file("plain", "spares", "iterations.csv");
    struct table t = table_read("plain", "tiles.csv");
    double spares = 0;
    for (size_t r = 0; r < t.rows; r++)
        spares += strcmp(table_text(&t, r, "role"), "spare") == 0;
    assert_true(spares > 0);
    const double all = 96, share = spares / all, rest = 0.09 + 16 * 0.0035 + 0.016,
                 leaks = (rest + 64 * 442e-6) / (rest + 624 * 442e-6);
    const double clock =
                     run_figure("spares", "energy.parts.clock") / run_figure("plain", "energy.parts.clock"),
                 leakage = run_figure("spares", "energy.parts.leakage") /
                           run_figure("plain", "energy.parts.leakage"),
                 area = run_figure("plain", "area.parts.sram") - run_figure("spares", "area.parts.sram");
    assert_true(fabs(clock - (1 - 0.9 * share)) < 1e-6);
    assert_true(fabs(leakage - (1 - (1 - leaks) * share)) < 1e-3 * share); /* leakage is to a thousandth */
    assert_true(fabs(area - spares * 560 * 442e-6) < 1e-9);
}

/* Every worker, barrier and clock one by one; rays recorded on one machine, moved on another; prices. */
TEST(details_and_recordings_agree) {
    static const char *const sets[] = {
        "machine.roles={tracer: {workers: 4, clock: 133.3 %}, router: {workers: 9, clock: 70.1 %}}",
        "machine={tile: {issue_width: 2, reuse_idle_slots: true}, roles: {generator: {clock: 33.3 %}}}",
        "machine={tile: {issue_width: 2}, roles: {router: {workers: 3}, generator: {workers: 2}}}",
        "machine={tile: {sram_ports: 1, sram_width: 2 B}, roles: {tracer: {clock: 250 %}}}"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "phase", "--set", sets[i], "--record",
                 "paths", "--record-activity", "rows", NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "event", "--set", sets[i], "--set",
                 "run.detail=event", NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "paths-run", "--set", sets[i], "--replay",
                 "paths", NULL);
        cli_must("run", "x.yaml", "--quiet", "--force", "--out", "rows-run", "--set", sets[i], "--replay",
                 "rows", NULL);
        static const char *const other[] = {"event", "paths-run", "rows-run"};
        for (size_t k = 0; k < 3; k++) {
            same_file("phase", other[k], "iterations.csv");
            same_file("phase", other[k], "tiles.csv");
        }
        same_file("plain", "phase", "image.png");
        same_file("phase", "paths-run", "summary.json");
        same_file("phase", "rows-run", "summary.json");
        assert_true(run_figure("phase", "device.cycles") != run_figure("plain", "device.cycles"));
    }
    /* A clock is a price: it needs no other rays. */
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "phase", "--set",
             "machine.roles.tracer.clock=87.5 %", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "rows-run", "--set",
             "machine.roles.tracer.clock=87.5 %", "--replay", "plain.activity", NULL);
    same_file("phase", "rows-run", "summary.json");
    cli_refuses("machine.roles.tracer.workers", "run", "x.yaml", "--quiet", "--force", "--out", "no", "--set",
                "machine.roles.tracer.workers=5", "--replay", "plain.activity", NULL);
}

static void refused(const char *told, const char *file, const char *set) {
    cli_result r = cli("run", file, "--quiet", "--out", "no", "--set", set, NULL);
    if (r.status != 2 || strstr(r.err, told) == NULL)
        fail_msg("%s: status %d, \"%s\"", set, r.status, r.err);
    assert_true(!scratch_there("no"));
}

/* Half the SRAM: what does not fit is refused, with the role's own size; buffers that are what is left fit. */
TEST(memory_is_that_of_the_role) {
    cli_refuses("319488 B of SRAM less 1104 B", "run", "x.yaml", "--quiet", "--out", "no", "--set",
                "machine.roles.router.sram=312 KiB", "--set", "overlay.router_buffer=576000 B", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "small", "--set",
             "machine.roles.router.sram=312 KiB", "--set", "overlay.router_buffer=0 B", NULL);
    cli_must("run", "x.yaml", "--quiet", "--force", "--out", "large", "--set", "overlay.router_buffer=0 B",
             NULL);
    struct table a = table_read("small", "memory.csv"), b = table_read("large", "memory.csv");
    int64_t most[2] = {0};
    const struct table *tables[2] = {&a, &b};
    for (size_t i = 0; i < 2; i++)
        for (size_t r = 0; r < tables[i]->rows; r++)
            if (strcmp(table_text(tables[i], r, "role"), "router") == 0 &&
                strstr(table_text(tables[i], r, "allocation"), "lanes") != NULL)
                most[i] =
                    table_int(tables[i], r, "bytes") > most[i] ? table_int(tables[i], r, "bytes") : most[i];
    assert_true(most[0] > 0 && most[0] < most[1]);
}

TEST(what_goes_wrong_has_its_place) {
    refused("machine.roles.router.workers: expected at least machine.tile.issue_width, 4, found 2", "x.yaml",
            "machine={tile: {issue_width: 4}, roles: {router: {workers: 2}}}");
    refused("machine.roles.spare.sram: expected more than machine.memory.reserved", "x.yaml",
            "machine.roles.spare.sram=1000 B");
    refused("machine.roles.router.clock: expected", "x.yaml", "machine.roles.router.clock=0 %");
    refused(
        "--set machine.roles.ruoter.clock=50 %: machine.roles.ruoter: unknown key; expected one of tracer, "
        "router, generator or spare; did you mean \"router\"?",
        "x.yaml", "machine.roles.ruoter.clock=50 %");
    cli_write("p.yaml", "machine: { base: gc200, roles: { router: { clock: 50 % } } }\n"
                        "workload: { kind: pathtrace }\nscene: { kind: mesh }\n");
    refused("p.yaml:1:44: machine.roles.router.clock: the workload pathtrace has no roles", "p.yaml",
            "run.seed=1");
    cli_write("p.yaml", "machine: { roles: { reader: { clock: 50 % }, spare: { clock: 10 % } } }\n"
                        "workload: { kind: pathtrace }\nscene: { kind: mesh }\n");
    refused("p.yaml:1:21: machine.roles.reader: unknown key; expected none", "p.yaml", "run.seed=1");
    refused("machine.roles.spare.clock: the workload pathtrace has no roles", "p.yaml", "run.seed=1");
}

/* What an experiment of another workload brings, or says nothing but defaults, is left out with a line. */
TEST(roles_of_another_workload_are_left_out) {
    cli_write("b.yaml",
              "machine: { base: gc200-small, roles: { router: { clock: 50 % }, tracer: { sram: 0 B } } }\n");
    cli_write("t.yaml", "base: ./b.yaml\nworkload: { kind: program }\n");
    cli_result r = cli("config", "show", "t.yaml", NULL);
    assert_non_null(strstr(r.err, "the workload program does not read machine.roles.router.clock: left out"));
    assert_non_null(strstr(r.err, "the workload program does not read machine.roles.tracer.sram: left out"));
    assert_null(strstr(r.out, "roles:"));
}

/* Each workload's own, in what is printed of the tables. */
TEST(params_list_the_roles_of_each_workload) {
    cli_result r = cli("params", "machine.roles.router", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "  roles.router.sram: integer"));
    assert_non_null(strstr(r.out, "worker contexts of a router's tile (foam, traffic); 0: tile.workers"));
    assert_null(strstr(r.out, "tracer"));
}

RUN_TESTS(begin, cli_leave)
