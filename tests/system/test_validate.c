/* `foamsim validate` from end to end on small scenes: runs, replays and prices, the second time from the
 * store, draws of what no source fixes, and an expectation that is kept or broken. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <jansson.h>
#include <sys/stat.h>

static void write_standin(int number) {
    char path[64], text[700];
    snprintf(path, sizeof path, "v/standins/small-%d.yaml", number);
    snprintf(
        text, sizeof text,
        "# A garden of 8,000 cells, seed %d.\n"
        "machine: gc200-small\nscene: { generate: { kind: garden, cells: 8000, seed: %d } }\n"
        "workload:\n  kind: foam\n"
        "  camera: { position: [1.7, -3.6, 1.5], look_at: [0.1, 0.2, 0.6], up: [0, 0, 1], fov_y: 50 deg, "
        "width: 80, height: 60 }\n"
        "  partition: { kind: kd, shards: 64 }\n  batching: { order: rows, per_batch: 2, idle: 10 }\n",
        number, number);
    cli_write(path, text);
}

static void write_case(double published) {
    char text[1200];
    snprintf(
        text, sizeof text,
        "title: Rows\nsource: Tab. 1\nabout: Times.\nensemble: small\nscored: true\norder: device.seconds\n"
        "sets: { run.coverage: 0.99 }\n"
        "axes:\n  - { key: workload.batching.per_batch, values: [1, 2], names: [1 row, 2 rows] }\n"
        "figures:\n"
        "  - { name: first, variant: 1 row, figure: device.seconds, published: %.9f, use: calibrate }\n"
        "  - { name: time, figure: device.seconds, published: [%.9f, %.9f], use: predict }\n"
        "  - { name: tracers, figure: overlay.tracers, published: [64, 64], use: structure }\n"
        "relations:\n"
        "  - { name: more rays at once spill more, figure: rays.generated, above: 0, variant: 2 rows }\n",
        published, published, published);
    cli_write("v/cases/rows.yaml", text);
}

/* The usual paper, few of whose draws are made. */
static void write_paper(void) {
    cli_write(
        "v/papers/radiant-foam.yaml",
        "tag: RF\ntitle: A paper\nauthors: Somebody\nwhere: here\nyear: 2001\nheading: Times\n"
        "document: validation\ngoals: { aim: 7 %, stretch: 5 %, order: 90 % }\n"
        "measures: [{ figure: device.seconds, name: times, one: time of a frame, priced: true }]\n"
        "draws: { count: 8, seed: 3 }\npriors:\n"
        "  - { key: machine.host.launch, prior: log, low: 0.1 ms, high: 1.0 ms, source: S }\n"
        "  - { key: machine.cost.scale, low: 70 %, high: 130 %, source: S }\n"
        "  - { key: copies, prior: list, values: [{}, { machine.exchange.copies: serial }], source: S }\n"
        "  - { key: standin, prior: list, source: S }\n");
}

static json_t *figure_of(const json_t *root, const char *name) {
    size_t i;
    json_t *figure;
    json_t *figures = json_object_get(json_array_get(json_object_get(root, "cases"), 0), "figures");
    json_array_foreach(figures, i, figure) if (strcmp(json_string_value(json_object_get(figure, "name")),
                                                      name) == 0) return figure;
    fail_msg("no figure %s", name);
    return NULL;
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int enter(void **state) {
    if (cli_enter(state) != 0)
        return -1;
    mkdir("v", 0777);
    mkdir("v/cases", 0777);
    mkdir("v/papers", 0777);
    write_paper();
    mkdir("v/standins", 0777);
    for (int i = 1; i <= 3; i++)
        write_standin(i);
    write_case(0.02);
    return 0;
}

TEST(figures_are_those_of_the_runs) {
    cli_must("validate", "--from", "v", "-o", "out", "--quiet", NULL);
    json_t *root = run_json("out", "results.json");
    double seconds[3];
    for (int i = 0; i < 3; i++) { /* the same by hand */
        char path[64];
        snprintf(path, sizeof path, "v/standins/small-%d.yaml", i + 1);
        cli_must("run", path, "--set", "run.coverage=0.99", "--set", "workload.batching.per_batch=1",
                 "--quiet", "--force", "--out", "by-hand", NULL);
        json_t *summary = run_json("by-hand", "summary.json");
        seconds[i] = number_of(json_object_get(summary, "device"), "seconds");
    }
    json_t *time = figure_of(root, "time, 1 row");
    json_t *simulated = json_object_get(time, "simulated");
    assert_true(number_of(simulated, "small-1") == seconds[0]);
    assert_true(number_of(simulated, "small-3") == seconds[2]);
    /* Draws take longer where copies are apart. */
    const double low = fmin(seconds[0], fmin(seconds[1], seconds[2])),
                 high = fmax(seconds[0], fmax(seconds[1], seconds[2]));
    assert_true(number_of(time, "low") > 0.8 * low && number_of(time, "low") < high);
    assert_true(number_of(time, "high") > 1.2 * high && number_of(time, "high") > number_of(time, "median"));
    assert_true(json_is_true(json_object_get(figure_of(root, "tracers, 2 rows"), "reached")));
    json_t *first = json_array_get(json_object_get(root, "cases"), 0);
    assert_int_equal(json_array_size(json_object_get(first, "sensitivities")), 3); /* of settings */
    json_t *copies = json_array_get(json_object_get(first, "sensitivities"), 2);
    assert_true(number_of(copies, "at_low") < 0 && number_of(copies, "at_high") > 0);
    assert_true(number_of(json_object_get(root, "scores"), "draws") == 8);
    json_t *table = json_array_get(json_object_get(root, "tables"), 0);
    assert_string_equal(json_string_value(json_object_get(table, "name")), "rows");
    assert_true(number_of(table, "mean_error") >= 0 && number_of(table, "crps") > 0 &&
                number_of(table, "in_range") <= 1 && json_object_get(table, "baseline") != NULL);
}

TEST(a_second_time_everything_is_known) {
    cli_result first = cli("validate", "--from", "v", "-o", "out", NULL);
    assert_int_equal(first.status, 0);
    assert_non_null(strstr(first.err, " known, 0 run, 0 replayed, 0 priced, 0 failed"));
}

/* A figure that stands in two tables would be predicted by itself: it is refused, and `again` says that it is the same. */
TEST(a_figure_that_predicts_itself_is_refused) {
    static const char planted[] =
        "title: Idle\nsource: Tab. 2\nabout: Times.\nensemble: small\nscored: true\n"
        "sets: { run.coverage: 0.99, workload.batching.per_batch: 1 }\n"
        "axes:\n  - { key: workload.batching.idle, values: [10, 20]%s }\n"
        "figures:\n  - { name: time, figure: device.seconds, published: [0.02, 0.03], use: predict }\n";
    char text[700];
    write_case(0.02);
    snprintf(text, sizeof text, planted, "");
    cli_write("v/cases/zz.yaml", text);
    cli_refuses("v/cases/zz.yaml: figure \"time, idle 10\" is the same run as \"time, 1 row\" of "
                "v/cases/rows.yaml, by which it would be predicted",
                "validate", "--from", "v", "-o", "out", "--quick", NULL);
    snprintf(text, sizeof text, planted, ", again: [10]");
    cli_write("v/cases/zz.yaml", text);
    cli_must("validate", "--from", "v", "-o", "out", "--quick", "--quiet", NULL);
    json_t *root = run_json("out", "results.json");
    assert_int_equal(json_array_size(json_object_get(root, "tables")), 2);
    assert_true(number_of(json_object_get(root, "all_tables"), "figures") == 3);
    remove("v/cases/zz.yaml");
}

TEST(an_expectation_is_kept_or_broken) {
    write_case(0.02);
    cli_must("validate", "--from", "v", "-o", "out", "--quick", "--quiet", NULL);
    rename("out/results.csv", "expected.csv");
    cli_must("validate", "--from", "v", "-o", "out", "--quick", "--quiet", "--expect", "expected.csv", NULL);
    cli_result worse =
        cli("validate", "--from", "v", "-o", "out", "--quick", "--quiet", "--expect", "none.csv", NULL);
    assert_int_equal(worse.status, 1);
    json_t *root = run_json("out", "results.json");
    const double error = number_of(figure_of(root, "time, 1 row"), "error");
    write_case(error > 0 ? 0.018 : 0.022); /* farther away */
    worse =
        cli("validate", "--from", "v", "-o", "out", "--quick", "--quiet", "--expect", "expected.csv", NULL);
    assert_int_equal(worse.status, 1);
    assert_non_null(strstr(worse.err, "the mean error grew from"));
}

/* A prediction does not know what was published; what is compared later is what was predicted, and another run is
 * not. */
TEST(what_is_predicted_is_what_is_compared) {
    size_t size = 0;
    write_case(0.0213579);
    cli_result r =
        cli("validate", "--from", "v", "-o", "early", "-s", "out/validation.db", "--predict", "p.csv", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "p.csv: 2 predictions\n");
    assert_null(strstr(r.err, "213579"));
    assert_false(scratch_there("early/results.json") || scratch_there("early/validation.html"));
    write_case(0.9);
    cli_must("validate", "--from", "v", "-o", "early", "-s", "out/validation.db", "--predict", "q.csv", NULL);
    char *first = file_read("p.csv", &size), *second = file_read("q.csv", &size);
    assert_string_equal(first, second);
    assert_int_equal(strncmp(first, "paper,case,figure,unit,predicted,low,high,failed\n", 49), 0);
    assert_null(strstr(first, "213579"));

    cli_must("validate", "--from", "v", "-o", "out", "--quiet", NULL);
    json_t *root = run_json("out", "results.json");
    json_t *time = figure_of(root, "time, 1 row");
    const char *line = strstr(first, "radiant-foam,rows,\"time, 1 row\",s,");
    assert_non_null(line);
    double number[3];
    char failed[4];
    assert_int_equal(sscanf(line, "radiant-foam,rows,\"time, 1 row\",s,%lf,%lf,%lf,%3s", &number[0],
                            &number[1], &number[2], failed),
                     4);
    const char *const keys[] = {"median", "low", "high"};
    for (size_t i = 0; i < 3; i++)
        assert_true(number[i] == number_of(time, keys[i]));
    assert_string_equal(failed, "no");

    r = cli("validate", "--from", "v", "-o", "out", "--expect", "p.csv", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\n2 of 2 figures as they were predicted\n"));
    r = cli("validate", "--from", "v", "-o", "out", "--quick", "--standins", "small-1", "--expect", "p.csv",
            NULL);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, " of 2 figures differ; first rows, time, "));
    r = cli("validate", "--from", "v", "-o", "early", "--predict", "p.csv", "--docs", "early", NULL);
    assert_int_equal(r.status, 2);
}

/* Two papers: a folder, a page's place and scores of its own for each, one store; --paper picks one; --quiet
 * is silent. */
TEST(each_paper_has_its_own_results) {
    mkdir("v/papers", 0777);
    cli_write("v/papers/other.yaml",
              "tag: XY\ntitle: Other\nauthors: A. Nonymous\nwhere: a journal\nyear: 2001\nheading: Other\n"
              "document: other\ngoals: { aim: 10 %, stretch: 1 %, order: 60 % }\n"
              "measures:\n  - { figure: device.iterations, name: rounds, one: rounds }\n");
    cli_write("v/cases/other.yaml",
              "paper: other\ntitle: T\nsource: Tab. 1\nabout: A\nensemble: small\n"
              "scored: true\nsets: { run.coverage: 0.99 }\nfigures:\n"
              "  - { name: n, figure: device.iterations, use: predict, published: 60 }\n");
    cli_result r = cli("validate", "--from", "v", "-o", "two", "--quick", NULL);
    assert_int_equal(r.status, 0);
    const char *first = strstr(r.out, "\nmean error of predicted figures  "); /* of each paper */
    assert_non_null(first);
    assert_non_null(strstr(first, " %\nwithout a model  –\nfailed figures  0\n"));
    assert_non_null(strstr(first + 1, "\nmean error of predicted figures  "));
    size_t size = 0;
    char *results = file_read("two/other/results.json", &size);
    assert_non_null(strstr(results, "\"mean error of predicted figures  "));
    assert_non_null(strstr(results, "\"failed figures  0\""));
    assert_non_null(strstr(r.out, "\nother  "));
    assert_non_null(strstr(r.out, "\nradiant-foam  "));
    assert_true(scratch_there("two/other/results.csv") && scratch_there("two/radiant-foam/results.csv"));
    assert_true(scratch_there("two/validation.db") && !scratch_there("two/results.csv"));
    cli_refuses("--expect compares one paper, and 2 have cases: --paper NAME", "validate", "--from", "v",
                "-o", "two", "--quick", "--expect", "two/other/results.csv", NULL);
    r = cli("validate", "--from", "v", "-o", "one", "--quick", "--quiet", "--paper", "other", "--expect",
            "two/other/results.csv", NULL);
    assert_int_equal(r.status, 0);
    assert_string_equal(r.out, "");
    assert_string_equal(r.err, "");
    assert_true(scratch_there("one/results.csv"));
    cli_refuses("did you mean \"other\"?", "validate", "--from", "v", "--paper", "othr", NULL);
    remove("v/cases/other.yaml");
    remove("v/papers/other.yaml");
}

/* A frame that cannot complete counts as 100 %, and so does a figure without a baseline: both on the same two
 * figures, in two lines; a prediction states a range. */
TEST(failures_and_the_baseline_are_counted) {
    cli_write(
        "v/papers/toy.yaml",
        "tag: XY\ntitle: Toy\nauthors: A. Nonymous\nwhere: a journal\nyear: 2001\nheading: Toy\n"
        "document: toy\ngoals: { aim: 10 %, stretch: 1 %, order: 60 % }\n"
        "draws: { count: 8 }\npriors: [{ key: machine.cost.scale, low: 70 %, high: 130 %, source: S }]\n"
        "measures:\n  - { figure: device.seconds, name: times, one: time, priced: true, baseline: 21 ms }\n");
    cli_write("v/cases/toy.yaml",
              "paper: toy\ntitle: T\nsource: Tab. 1\nabout: A\nensemble: small\nscored: true\n"
              "sets: { run.coverage: 0.99 }\n"
              "variants: [{ name: whole }, { name: cut, sets: { run.max_iterations: 2 } }]\nfigures:\n"
              "  - { name: a, variant: whole, figure: device.seconds, use: predict, published: 0.02, "
              "baseline: 1 }\n"
              "  - { name: b, variant: cut, figure: device.seconds, use: predict, published: 0.02 }\n");
    cli_result r = cli("validate", "--from", "v", "-o", "out", "--paper", "toy", NULL);
    assert_int_equal(r.status, 0);
    json_t *root = run_json("out", "results.json");
    json_t *whole = figure_of(root, "a");
    json_t *scores = json_object_get(root, "scores");
    const double error = fabs(number_of(whole, "error")), low = number_of(whole, "low"),
                 high = number_of(whole, "high");
    assert_true(isfinite(error) && isnan(number_of(figure_of(root, "b"), "error")));
    assert_true(fabs(number_of(scores, "mean_error") - (error + 1) / 2) < 1e-12);
    assert_true(fabs(number_of(scores, "baseline_error") - 0.5) < 1e-12);
    assert_true(low < high && number_of(scores, "ranged_figures") == 1);
    assert_true(number_of(scores, "in_range_figures") == (low <= 0.02 && 0.02 <= high));
    const char *mean = strstr(r.out, "\nmean error of predicted figures  ");
    assert_non_null(mean);
    assert_non_null(strstr(mean, " %, 1 of 2 failed, each counted as 100 %\n"
                                 "without a model  50 % on the same figures: the baseline wins (21 ms)\n"
                                 "failed figures  1\npublished values in their predicted range  "));
    assert_non_null(strstr(mean, " of 1\ntable by table  "));
    rename("out/results.csv", "expected.csv"); /* a figure that failed then counts there, too */
    r = cli("validate", "--from", "v", "-o", "out", "--paper", "toy", "--expect", "expected.csv", NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "\nmean error of 2 predicted figures: "));
    remove("v/cases/toy.yaml");
    remove("v/papers/toy.yaml");
}

TEST(wrong_words_are_refused) {
    cli_result r = cli("validate", "--from", "v", "--cases", "row", NULL);
    cli_refused(&r, "--cases: expected one of rows, found \"row\"; did you mean \"rows\"?");
    r = cli("validate", "--from", "nowhere", NULL);
    assert_int_equal(r.status, 2);
    cli_write("v/cases/other.yaml", "title: T\nsource: S\nabout: A\nensemble: small\nsets: { run.sede: 1 }\n"
                                    "relations:\n  - { name: r, figure: rays.generated, above: 0 }\n");
    for (int fresh = 0; fresh < 2; fresh++) {
        r = cli("validate", "--from", "v", "-o", fresh ? "none" : "out", "--quiet", NULL);
        cli_refused(&r, "v/cases/other.yaml:5:");
        assert_non_null(strstr(r.err, "run.sede"));
        assert_false(scratch_there("none"));
    }
    remove("v/cases/other.yaml");
}

RUN_TESTS(enter, cli_leave)
