/* Energy of every workload: parts and phases add up to the run, tiles to what tiles pay, ranges hold the
 * central figures, all find what it goes into, and priced anew from a recording it is that of a run with
 * those prices. */
#include "sim/host/process.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

static const char *const parts[] = {"issue", "arithmetic", "sram",  "matrix",  "exchange", "sync",
                                    "host",  "dram",       "clock", "leakage", NULL},
                         *const phases[] = {"compute", "sync", "exchange", "host", NULL},
                         *const board[] = {"luts", "registers", "dsps",    "block_ram",
                                           "dram", "host",      "leakage", NULL},
                         *const none[] = {NULL};

static const struct {
    const char *name, *text, *record; /* the option that records what is priced; NULL: it has none */
    const char *const *parts, *const *phases;
    const char *price; /* another price */
    bool tiles;        /* energy_tiles.csv is of the whole run */
} workloads[] = {
    {"foam",
     "machine: gc200-small\nscene: { generate: { kind: garden, cells: 2000, seed: 7 } }\nworkload:\n  kind: "
     "foam\n"
     "  camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: 24, height: 18 }\n"
     "  partition: { kind: kd, shards: 64 }\n",
     "--record-activity", parts, phases, "machine.energy.slot=7 pJ", true},
    {"traffic",
     "machine: { base: gc200-small, exchange: { mode: dynamic } }\noverlay: { kind: mesh }\n"
     "workload: { kind: traffic, tracers: 64, warmup: 5, measure: 20, drain: 200 }\n",
     NULL, parts, phases, NULL, true},
    {"program", "machine: gc200-small\nworkload: { kind: program, file: p.yaml }\n", NULL, parts, phases,
     NULL, true},
    {"pathtrace",
     "machine: gc200-small\nscene: { kind: mesh, builtin: spheres }\nworkload: { kind: pathtrace, width: "
     "48, height: 40, samples: 2, rays_per_worker: 1, sampling: { drawn: 2 } }\n",
     "--record-activity", parts, phases, "machine.energy.slot=7 pJ", true},
    {"smallpaint",
     "machine: gc200-small\nscene: { kind: primitives, builtin: room }\nworkload:\n  kind: smallpaint\n"
     "  image: { width: 96, height: 60 }\n  tile: { width: 8, height: 8 }\n  samples: 4\n  samples_per_step: "
     "4\n",
     "--record-activity", parts, phases, "machine.energy.slot=7 pJ", true},
    {"hierarchy",
     "machine: virtex5\nscene: { kind: mesh, soup: { triangles: 1500, seed: 3 } }\n"
     "workload: { kind: hierarchy, rays: 300 }\nrun: { detail: phase }\n",
     "--record", board, none, "machine.energy.lut=0.4 pJ", false},
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static double sum_of(const char *folder, const char *group, const char *const *names) {
    double sum = 0;
    char name[64];
    for (size_t i = 0; names[i] != NULL; i++) {
        snprintf(name, sizeof name, "energy.%s.%s", group, names[i]);
        sum += run_figure(folder, name);
    }
    return sum;
}

static void assert_equal(const char *what, double a, double b) {
    if (!(fabs(a - b) <= 1e-9 * fabs(b)))
        fail_msg("%s: %.12g, and %.12g", what, a, b);
}

static void run(size_t w, const char *out, const char *option, const char *file, const char *set) {
    char path[64];
    fs_process_words words = {.arena = test_arena()};
    snprintf(path, sizeof path, "%s.yaml", workloads[w].name);
    cli_write(path, workloads[w].text);
    fs_process_add(&words, "run", path, "--quiet", "--force", "--out", out, NULL);
    if (option != NULL)
        fs_process_option(&words, option, file);
    fs_process_option(&words, "--set", set);
    cli_must_words(words.word);
}

static void check_sums(size_t w) {
    const char *of = workloads[w].name;
    const double joules = run_figure(of, "energy.joules"), watts = run_figure(of, "energy.watts");
    assert_true(joules > 0 && run_figure(of, "area.mm2") > 0);
    assert_equal(of, sum_of(of, "parts", workloads[w].parts), joules);
    if (workloads[w].phases[0] != NULL)
        assert_equal(of, sum_of(of, "phases", workloads[w].phases), joules);
    assert_true(run_figure(of, "energy.joules_low") < joules &&
                joules < run_figure(of, "energy.joules_high"));
    assert_true(run_figure(of, "area.mm2_low") < run_figure(of, "area.mm2") &&
                run_figure(of, "area.mm2") < run_figure(of, "area.mm2_high"));
    assert_equal(of, run_figure(of, "area.watts_per_mm2"), watts / run_figure(of, "area.mm2"));
    assert_true(run_figure(of, "energy.watts_peak") >= watts * (1 - 1e-12));
    size_t size;
    char path[64];
    snprintf(path, sizeof path, "%s/findings.json", of);
    char *findings = file_read(path, &size);
    assert_non_null(strstr(findings, "\"energy\""));
    assert_non_null(strstr(findings, "over the ranges of all prices"));
    assert_non_null(strstr(findings, " for each "));
}

/* What no tile pays is host link, streaming memory and wires of broadcasts. Tables are in whole nanojoules. */
static void check_tiles(size_t w) {
    const char *of = workloads[w].name;
    struct table t = table_read(of, "energy_tiles.csv");
    double sum = 0;
    for (size_t i = 0; i < t.rows; i++)
        sum += 1e-9 * (double)table_int(&t, i, "energy");
    const double all = run_figure(of, "energy.joules"), rounded = 1e-9 * (double)t.rows,
                 off = run_figure(of, "energy.parts.host") + run_figure(of, "energy.parts.dram");
    if (sum > all - off + rounded || sum < all - off - run_figure(of, "energy.parts.exchange") - rounded)
        fail_msg("%s: tiles %.12g of %.12g J, %.12g on none", of, sum, all, off);
}

/* Of paths on several chips energy, power and area are those of all chips, and a path has its part. */
TEST(several_chips_are_all_of_them) {
    for (size_t w = 0; w < WORKLOADS; w++) {
        const char *of = workloads[w].name;
        double area[2];
        if (strcmp(of, "pathtrace") != 0 && strcmp(of, "smallpaint") != 0)
            continue;
        for (int i = 0; i < 2; i++) {
            run(w, of, NULL, NULL, NULL);
            if (i > 0 && strcmp(of, "pathtrace") == 0)
                run(w, of, NULL, NULL, "machine.chips=2");
            else if (i > 0) /* twice as many tiles of the picture, on twice as many of chips */
                cli_must("run", "smallpaint.yaml", "--quiet", "--force", "--out", of, "--set",
                         "machine.chips=2", "--set", "workload.image.width=192", NULL);
            check_sums(w);
            area[i] = run_figure(of, "area.mm2");
            assert_equal(of, run_figure(of, "energy.joules"),
                         run_figure(of, "energy.joules_per_path") * run_figure(of, "paths.count"));
            assert_equal(of, run_figure(of, "energy.watts") * run_figure(of, "device.seconds"),
                         run_figure(of, "energy.joules"));
        }
        assert_equal(of, area[1], 2 * area[0]);
        assert_equal(of, run_figure(of, "area.mm2_chip"), area[0]);
    }
}

/* A run beyond a limit says so; 0 is none. */
TEST(limits_are_told) {
    static const struct {
        const char *set, *figure, *words;
    } cases[] = {{"machine.limits.area=20 mm2", "limits.area", "of machine.limits.area"},
                 {"machine.limits.power=1 mW", "limits.power", "of machine.limits.power"},
                 /* of a machine that is designed here */
                 {"machine.limits.sram=1 mm2", "limits.sram", "of machine.limits.sram"},
                 {"machine.limits.cost=20", "limits.cost", "of machine.limits.cost"}};
    for (size_t w = 0; w < WORKLOADS; w++)
        for (int i = 0; i < (strcmp(workloads[w].name, "hierarchy") == 0 ? 2 : 4); i++) {
            char path[64];
            size_t size;
            const char *of = workloads[w].name;
            snprintf(path, sizeof path, "%s/findings.json", of);
            run(w, of, NULL, NULL, NULL);
            char *before = file_read(path, &size);
            assert_null(strstr(before, cases[i].words));
            run(w, of, NULL, NULL, cases[i].set);
            char *after = file_read(path, &size);
            assert_non_null(strstr(after, cases[i].words));
            assert_true(run_figure(of, cases[i].figure) > 1);
        }
}

/* From a recording with another price, and run with it. */
static void check_priced(size_t w) {
    static const char *const names[] = {"energy.joules", "energy.joules_low", "energy.joules_high",
                                        "energy.watts",  "energy.watts_peak", "energy.parts.leakage",
                                        "area.mm2"};
    run(w, "first", workloads[w].record, "recording", NULL);
    run(w, "priced", "--replay", "recording", workloads[w].price);
    run(w, "again", NULL, NULL, workloads[w].price);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(run_figure("priced", names[i]) == run_figure("again", names[i]));
    assert_true(run_figure("first", "energy.joules") != run_figure("again", "energy.joules"));
}

TEST(energy_adds_up) {
    for (size_t w = 0; w < WORKLOADS; w++) {
        run(w, workloads[w].name, NULL, NULL, NULL);
        check_sums(w);
        if (workloads[w].tiles)
            check_tiles(w);
    }
}

/* Rows of numbers of a file of HotSpot: the product of the first two of each line (a unit's area), or the sum of all (watts). */
static double sum_of_rows(const char *path, bool areas) {
    size_t size;
    char *text = file_read(path, &size), *rest = NULL;
    double sum = 0;
    strtok_r(text, "\n", &rest); /* a remark, or the names */
    for (char *line; (line = strtok_r(NULL, "\n", &rest)) != NULL;) {
        char *at = areas ? strchr(line, '\t') : line, *stop = at;
        double value[2] = {0};
        for (int i = 0; (value[i > 0] = strtod(at, &stop)) > 0 && stop != at; at = stop, i++)
            if (!areas || i == 1)
                sum += areas ? value[0] * value[1] : value[i > 0];
    }
    return sum;
}

/* Units of a floor plan are the whole die, and their watts over the time the energy of the run: of one chip, and of two that are joined. */
TEST(a_plan_for_hotspot_is_the_chip_and_its_energy) {
    for (int chips = 1; chips <= 2; chips++) {
        double joules = 0;
        run(0, "heat", NULL, NULL, chips == 1 ? NULL : "machine.chips=2");
        cli_must("export", "heat", "--as", "hotspot", "--force", "-o", "hot", NULL);
        for (int chip = 0; chip < chips; chip++) {
            char path[64];
            size_t size;
            snprintf(path, sizeof path, chips == 1 ? "hot/heat.flp" : "hot/heat-chip-%d.flp", chip);
            const double off = sum_of_rows(path, true) * 1e6 / run_figure("heat", "area.mm2_chip") - 1;
            if (fabs(off) > 1e-4)
                fail_msg("%s: units are %g off the chip's area", path, off);
            strcpy(strrchr(path, '.'), ".config");
            char *config = file_read(path, &size);
            const double interval = strtod(strstr(config, "intvl") + 6, NULL);
            strcpy(strrchr(path, '.'), ".ptrace");
            joules += interval * sum_of_rows(path, false);
        }
        if (fabs(joules / run_figure("heat", "energy.joules") - 1) > 1e-3)
            fail_msg("%d chips: %g of %g J", chips, joules, run_figure("heat", "energy.joules"));
    }
}

TEST(priced_is_run) {
    for (size_t w = 0; w < WORKLOADS; w++)
        if (workloads[w].record != NULL)
            check_priced(w);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write("p.yaml",
              "kernels:\n  add:\n    code: 256 B\n    events:\n"
              "      pair: { load_64: 2, f32x2_op: 2, store_64: 1, doc: two elements }\n"
              "steps:\n  - name: add\n    run:\n      - { on: all, kernel: add, count: { pair: 600 } }\n");
    return 0;
}

RUN_TESTS(begin, cli_leave)
