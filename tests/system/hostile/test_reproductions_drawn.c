/* Findings about what is drawn, each as it was found: foreign texts in what gnuplot reads, links, names,
 * numbers. docs/security.md has the list; $FOAMSIM names another program to be tried. */
#include "tests/support/cli.h"
#include "tests/support/foreign/foreign_case.h"
#include "tests/support/hostile/shell.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep/store_case.h"
#include "tests/support/test.h"

static int setup(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    shell_begin();
    cli_write("x.yaml",
              "name: x\nmachine: gc200-small\noverlay: { kind: quadtree }\n"
              "scene: { generate: { kind: garden, cells: 1000, seed: 7 } }\n"
              "run: { max_iterations: 2000, statistics: full }\n"
              "workload:\n  kind: foam\n"
              "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 24, height: 18 }\n"
              "  partition: { kind: kd, shards: 16 }\n  payload: half\n"
              "  batching: { order: rows, per_batch: 2, idle: 10 }\n");
    cli_write("s.yaml", "name: s\nbase: x.yaml\naxes: [{ key: workload.batching.idle, values: [5, 10] }]\n");
    cli_must("run", "x.yaml", "-q", "--out", "clean", NULL);
    foreign_copy("clean", "open");
    foreign_unseal("open");
    cli_must("sweep", "s.yaml", "-q", "--store", "clean.db", NULL);
    return 0;
}

static void must_draw(void) {
    if (!have_program("gnuplot"))
        skip();
}

/* Every command in these tests makes a file of this name. */
static void nothing_was_run(void) {
    shell_must("test -z \"$(find . -name 'pwned*' -print -delete)\"");
}

/* ---- F1: commands in texts ---- */

TEST(f1a_roles_of_a_run) {
    must_draw();
    foreign_copy("open", "evil");
    shell_must("cd evil && sed -i '2,$s/,tracer,/,`touch pwned`,/' tiles.csv occupancy.csv cycles.csv");
    shell_must("\"$PROGRAM\" report evil");
    nothing_was_run();
}

TEST(f1b_distributions_of_a_run) {
    must_draw();
    foreign_copy("open", "evil");
    shell_must("cd evil && sed -i 's/^alive,/a`touch pwned`,/' distributions.csv");
    assert_in_range(shell("\"$PROGRAM\" report evil"), 0, 2);
    nothing_was_run();
}

TEST(f1c_names_of_a_store) {
    must_draw();
    static const char *const changes[] = {"UPDATE axes SET name = '`touch pwned`' WHERE axis = 0",
                                          "UPDATE objectives SET figure = '`touch pwned`'",
                                          "UPDATE statistics SET unit = '`touch pwned`'"};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        shell_must("cp clean.db s.db");
        store_sql("s.db", changes[i]);
        assert_in_range(shell("\"$PROGRAM\" report s.db"), 0, 2);
        nothing_was_run();
    }
}

TEST(f1d_points_of_a_sweep) {
    must_draw();
    cli_write("named.yaml", "name: named\nbase: x.yaml\naxes:\n  - points:\n"
                            "      - { name: \"`touch pwned`\", set: { workload.batching.idle: 5 } }\n"
                            "      - { name: \"b`touch pwned`\", set: { workload.batching.idle: 10 } }\n");
    shell_must("\"$PROGRAM\" sweep named.yaml -q --store named.db --report named.html");
    assert_true(scratch_there("named.html"));
    nothing_was_run();
}

/* The usual paper with one prior, and more. */
static void write_paper(const char *more) {
    char text[800];
    snprintf(
        text, sizeof text,
        "tag: T\ntitle: T\nauthors: A\nwhere: here\nyear: 2001\nheading: H\ndocument: d\n"
        "goals: { aim: 7 %%, stretch: 5 %%, order: 90 %% }\n"
        "measures: [{ figure: device.seconds, name: times, one: time, priced: true }]\ndraws: { count: 6 }\n"
        "priors:\n  - { key: machine.host.launch, low: 0.1 ms, high: 1 ms, source: S }\n%s",
        more);
    shell_must("mkdir -p v/papers");
    cli_write("v/papers/radiant-foam.yaml", text);
}

TEST(f1e_titles_of_a_case) {
    must_draw();
    shell_must("mkdir -p v/cases v/standins && sed '/^name:/d; 1s/^/# A garden.\\n/' x.yaml "
               ">v/standins/small-1.yaml");
    cli_write("v/cases/rows.yaml",
              "title: T `touch pwned`\nsource: Tab. 1 `touch pwned`\nabout: Times.\nensemble: small\n"
              "scored: true\norder: device.seconds\n"
              "axes:\n  - { key: workload.batching.per_batch, values: [1, 2], names: [\"`touch pwned`\", 2 "
              "rows] }\n"
              "figures:\n"
              "  - { name: time, figure: device.seconds, published: [0.02, 0.02], use: predict }\n");
    write_paper("  - { key: machine.clock, low: 1 GHz, high: 2 GHz, source: S }\n");
    shell_must("\"$PROGRAM\" validate --from v -q -o val");
    shell_must("find val -name '*.html' | grep -q .");
    nothing_was_run();
}

/* Not of the list: gnuplot 5.4 crashes at a plot of one label that has no place. */
TEST(one_uncertain_parameter_is_drawn) {
    must_draw();
    write_paper("");
    shell_must("\"$PROGRAM\" validate --from v -q -o val");
}

/* ---- the others ---- */

TEST(f4_a_sweep_over_per_cent) {
    must_draw();
    cli_write("cent.yaml", "name: cent\nbase: x.yaml\n"
                           "axes: [{ key: machine.cost.pairing, values: [50 %, 80 %, 100 %] }]\n");
    shell_must("\"$PROGRAM\" sweep cent.yaml -q --store cent.db --report cent.html");
    assert_true(scratch_there("cent.html"));
}

TEST(f5_links_in_a_run) {
    must_draw();
    static const char *const names[] = {"tracer_visits.map", "style.gp.partial", "run.gp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char command[256];
        foreign_copy("open", "evil");
        snprintf(command, sizeof command,
                 "echo precious >victim && mkdir -p evil/pictures && ln -sf ../../victim evil/pictures/%s",
                 names[i]);
        shell_must(command);
        assert_in_range(shell("\"$PROGRAM\" report evil"), 0, 2);
        if (shell("test \"$(cat victim)\" = precious") != 0)
            fail_msg("written through %s", names[i]);
    }
    foreign_copy("open", "evil");
    shell_must("rm -rf evil/pictures && mkdir elsewhere && ln -s ../elsewhere evil/pictures");
    assert_in_range(shell("\"$PROGRAM\" report evil"), 0, 2);
    shell_must("test -z \"$(ls elsewhere)\"");
}

TEST(f11_two_reports_at_once) {
    must_draw();
    foreign_copy("clean", "both");
    shell_must("\"$PROGRAM\" report both & one=$!; \"$PROGRAM\" report both && wait $one");
    assert_true(scratch_there("both/pictures/report.html"));
}

TEST(f13_names_of_runs) {
    must_draw();
    static const char *const names[] = {"x=1", "b\\t", "./-n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("NAME", names[i], 1);
        shell_must("cp -R clean \"./$NAME\" && \"$PROGRAM\" report \"$NAME\"");
    }
}

TEST(f13_what_is_read_is_replaced) {
    must_draw();
    foreign_copy("clean", "kept");
    assert_int_not_equal(shell("cp x.yaml own.yaml && \"$PROGRAM\" run own.yaml -q -o own --record own.yaml"),
                         0);
    shell_must("cmp -s x.yaml own.yaml");
    assert_int_not_equal(shell("\"$PROGRAM\" report kept -o kept/summary.json"), 0);
    shell_must("cmp -s clean/summary.json kept/summary.json");
}

TEST(f15_a_large_number) {
    must_draw();
    foreign_copy("open", "evil");
    shell_must("cd evil && sed -i '2s/^\\([0-9]*,[0-9]*\\),[0-9]*/\\1,1000000000000/' hops.csv && "
               "grep -q ',1000000000000' hops.csv");
    assert_in_range(shell("\"$PROGRAM\" report evil"), 0, 2);
    assert_int_equal(foreign_processes(), 1);
}

RUN_TESTS(setup, cli_leave)
