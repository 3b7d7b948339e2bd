/* What charts of a page draw and show under the pointer are the numbers of the run folders' tables: series, tiles by iteration, the
 * chip, pixels and their differences, tails; of a run and of two beside each other. */
#include "tests/support/cli.h"
#include "tests/support/pages/chart.h"
#include "tests/support/pages/page_text.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

static const char *const runs[] = {"narrow", "fat"};

/* Of both runs, and of the first. */
static char *page, *one;

static int enter(void **state) {
    const int status = cli_enter_experiment(state);
    cli_must("run", "x.yaml", CLI_NARROW, "--out", "narrow", NULL);
    cli_must("run", "x.yaml", CLI_NARROW, "--set", "overlay=fat-tree", "--out", "fat", NULL);
    cli_must("compare", "narrow", "fat", "-o", "both.html", NULL);
    cli_must("report", "narrow", "-o", "one.html", NULL);
    page = file_text("both.html");
    one = file_text("one.html");
    return status;
}

/* Values of a series are those of a column of a table, each times `scale`. */
static void same_column(const char *html, const json_t *chart, size_t panel, const char *label,
                        const char *key, const struct table *t, const char *column, double scale) {
    size_t count = 0;
    double *values = chart_values(html, chart_series(chart, panel, label), key, &count);
    assert_int_equal(count, t->rows);
    for (size_t i = 0; i < count; i++) {
        const double expected = scale * (double)table_int(t, i, column);
        if (!(fabs(values[i] - expected) <= 1e-6 * fabs(expected)))
            fail_msg("%s, row %zu: %g in the page, %g in the table", label, i, values[i], expected);
    }
}

/* Cycles as time; compute by who sets the pace, each row the one that does. */
TEST(series_by_iteration) {
    json_t *chart = chart_of(page, "phases");
    for (size_t run = 0; run < 2; run++) {
        struct table t = table_read(runs[run], "iterations.csv");
        const double scale =
            1e6 * run_figure(runs[run], "device.seconds") / run_figure(runs[run], "device.cycles");
        static const char *const roles[] = {"tracer", "router", "generator"};
        same_column(page, chart, run, "barriers", "y", &t, "sync", scale);
        same_column(page, chart, run, "exchange", "y", &t, "exchange", scale);
        same_column(page, chart, run, "host visits", "y", &t, "host", scale);
        for (size_t k = 0; k < 3; k++) {
            char label[32];
            size_t count = 0;
            snprintf(label, sizeof label, "compute: %s", roles[k]);
            double *values = chart_values(page, chart_series(chart, run, label), "y", &count);
            assert_int_equal(count, t.rows);
            for (size_t i = 0; i < count; i++) {
                const bool paces = strcmp(table_text(&t, i, "pace_role"), roles[k]) == 0;
                const double expected = paces ? scale * (double)table_int(&t, i, "compute") : 0;
                assert_true(fabs(values[i] - expected) <= 1e-6 * expected);
            }
        }
    }
}

/* Each row of the chart is a tile of the table, from the highest level down; nothing is pooled in so small a run. */
TEST(tiles_by_iteration) {
    json_t *chart = chart_of(page, "occupancy");
    const json_t *panels = json_object_get(chart, "panels");
    for (size_t run = 0; run < 2; run++) {
        struct table t = table_read(runs[run], "occupancy.csv");
        bool *seen = test_keep(calloc(t.rows, sizeof *seen));
        size_t count_seen = 0;
        for (size_t p = 0; p < json_array_size(panels); p++) {
            const json_t *series = json_array_get(json_object_get(json_array_get(panels, p), "series"), 0);
            const size_t cols = (size_t)json_integer_value(json_object_get(series, "cols")),
                         first = (size_t)json_integer_value(json_object_get(series, "row")),
                         rows = (size_t)json_integer_value(json_object_get(series, "rows"));
            size_t count = 0, labels = 0;
            double *values = chart_values(page, series, "value", &count);
            char *words = chart_words(page, series, "names", &labels), *word = words;
            /* Panels of the two runs take turns. */
            for (size_t r = 0; r < first + rows && p % 2 == run; r++, word += strlen(word) + 1) {
                char role[32];
                long tile = -1;
                if (r < first)
                    continue;
                assert_int_equal(sscanf(word, "%31s %ld", role, &tile), 2);
                size_t at = 0;
                while (at < t.rows && table_int(&t, at, "tile") != tile)
                    at++;
                assert_true(at < t.rows);
                assert_string_equal(table_text(&t, at, "role"), role);
                for (size_t i = 0; i < cols; i++)
                    assert_true(values[r * cols + i] == strtod(t.cell[(at + 1) * t.columns + 3 + i], NULL));
                assert_false(seen[at]);
                seen[at] = true;
                count_seen++;
            }
        }
        assert_int_equal(count_seen, t.rows);
    }
}

/* No two tiles of a chip stand at one place, and each has the value of the table. */
TEST(tiles_of_the_chip) {
    json_t *chart = chart_of(page, "chip-rays");
    for (size_t run = 0; run < 2; run++) {
        struct table t = table_read(runs[run], "tiles.csv");
        const json_t *series = chart_series(chart, run, runs[run]);
        size_t count = 0, words = 0;
        double *x = chart_values(page, series, "x", &count), *y = chart_values(page, series, "y", &count),
               *value = chart_values(page, series, "value", &count);
        char *names = chart_words(page, series, "names", &words), *name = names;
        assert_int_equal(words, count);
        for (size_t i = 0; i < count; i++, name += strlen(name) + 1) {
            char role[32];
            long tile = -1;
            assert_int_equal(sscanf(name, "%31s %ld", role, &tile), 2);
            assert_string_equal(table_text(&t, (size_t)tile, "role"), role);
            if (strcmp(role, "spare") == 0)
                assert_true(isnan(value[i]));
            else
                assert_true(value[i] == (double)table_int(&t, (size_t)tile, "visits"));
            for (size_t k = 0; k < i; k++)
                assert_true(fabs(x[i] - x[k]) > 0.9 || fabs(y[i] - y[k]) > 0.9);
        }
    }
}

/* What the chip's map plays: in each iteration the value of each tile's row of the table. */
TEST(tiles_that_play) {
    json_t *chart = chart_of(one, "chip-busy");
    const json_t *series =
        json_array_get(json_object_get(json_array_get(json_object_get(chart, "panels"), 0), "series"), 0);
    const json_t *frames = json_object_get(series, "frames");
    static const char *const files[] = {"occupancy.csv", "cycles.csv"};
    size_t words = 0, count = 0, rows = 0, seen = 0;
    char *names = chart_words(one, series, "names", &words);
    assert_int_equal(json_array_size(frames), 2);
    for (size_t f = 0; f < 2; f++) {
        const json_t *of = json_object_get(json_array_get(frames, f), "of"),
                     *matrix = json_array_get(json_object_get(of, "series"), 0);
        const size_t cols = (size_t)json_integer_value(json_object_get(matrix, "cols"));
        struct table t = table_read("narrow", files[f]);
        double *row = chart_values(one, json_array_get(frames, f), "row", &rows),
               *value = chart_values(one, matrix, "value", &count);
        assert_int_equal(rows, words);
        assert_int_equal(cols, t.columns - 3);
        const char *name = names;
        for (size_t i = 0; i < rows; i++, name += strlen(name) + 1) {
            char role[32];
            long tile = -1;
            size_t at = 0;
            assert_int_equal(sscanf(name, "%31s %ld", role, &tile), 2);
            while (at < t.rows && table_int(&t, at, "tile") != tile)
                at++;
            assert_true((at < t.rows) == (row[i] >= 0));
            for (size_t k = 0; k < cols && at < t.rows; k++, seen++)
                assert_true(value[(size_t)row[i] * cols + k] ==
                            strtod(t.cell[(at + 1) * t.columns + 3 + k], NULL));
        }
    }
    assert_true(seen > 1000);
}

/* Each pixel, and the difference of the two. */
TEST(pixels) {
    json_t *chart = chart_of(page, "alive");
    struct table a = table_read("narrow", "hops.csv"), b = table_read("fat", "hops.csv");
    same_column(page, chart, 0, "narrow", "value", &a, "alive", 1);
    same_column(page, chart, 1, "fat", "value", &b, "alive", 1);
    same_column(page, chart, 0, "fat", "value", &b, "alive", 1); /* told beside it */
    size_t count = 0;
    double *less = chart_values(page, chart_series(chart, 2, "difference"), "value", &count);
    assert_int_equal(count, a.rows);
    for (size_t i = 0; i < count; i++)
        assert_true(less[i] == (double)(table_int(&b, i, "alive") - table_int(&a, i, "alive")));
}

/* How often each value of a column of hops.csv occurs, as a series has it. */
static void same_counts(const char *html, const json_t *series, const char *run, const char *column) {
    struct table t = table_read(run, "hops.csv");
    size_t count = 0;
    double *value = chart_values(html, series, "x", &count), *many = chart_values(html, series, "y", &count),
           all = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        for (size_t k = 0; k < t.rows; k++)
            n += (double)table_int(&t, k, column) == value[i];
        assert_true((double)n == many[i]);
        all += many[i];
    }
    assert_true(all == (double)t.rows);
}

TEST(tails) {
    json_t *chart = chart_of(page, "tails-distributions");
    for (size_t run = 0; run < 2; run++)
        same_counts(page, chart_series(chart, 2, runs[run]), runs[run], "alive");
}

/* The page of a run: every panel in the table's own units. */
TEST(a_run) {
    json_t *chart = chart_of(one, "iterations");
    struct table t = table_read("narrow", "iterations.csv"), hops = table_read("narrow", "hops.csv");
    same_column(one, chart, 0, "host visits", "y", &t, "host", 1);
    same_column(one, chart, 1, "slowest router", "y", &t, "compute_router", 1);
    same_column(one, chart, 2, "on routers, level 2", "y", &t, "rays_level_2", 1);
    same_column(one, chart, 2, "in flight", "value", &t, "in_flight", 1);
    chart = chart_of(one, "waiting");
    same_column(one, chart, 1, "waiting", "value", &hops, "waiting", 1);
    same_column(one, chart, 1, "tracer visits", "value", &hops, "tracer_visits", 1); /* under the pointer */
    chart = chart_of(one, "histograms");
    same_counts(one, chart_series(chart, 1, "pixels"), "narrow", "router_visits");
}

/* The roofline: each part at the work for each of its bytes, both over their peaks, below the lower of the two roofs. */
TEST(roofs) {
    json_t *chart = chart_of(one, "roofline");
    static const struct {
        const char *label, *figure;
    } parts[] = {{"tile memory ports", "peak.sram_ports"},
                 {"exchange ports", "peak.exchange"},
                 {"host link", "peak.host_link"}};
    const json_t *all = json_object_get(json_array_get(json_object_get(chart, "panels"), 0), "series");
    const double issue = run_figure("narrow", "peak.issue");
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        const double x = issue / run_figure("narrow", parts[i].figure);
        const json_t *dot = json_array_get(all, 1 + 2 * i), *gap = json_array_get(all, 2 + 2 * i);
        assert_string_equal(json_string_value(json_object_get(dot, "label")), parts[i].label);
        double *value[3] = {chart_values(one, dot, "x", &count), chart_values(one, dot, "y", &count),
                            chart_values(one, gap, "high", &count)};
        assert_true(fabs(value[0][0] - x) <= 1e-5 * x);
        assert_true(fabs(value[1][0] - 100 * issue) <= 1e-5 * value[1][0]);
        assert_true(fabs(value[2][0] - 100 * fmin(1, x)) <= 1e-5 * value[2][0]);
    }
    assert_int_equal(json_array_size(all), 7); /* nothing streams, and the machine has no matrix units */
}

RUN_TESTS(enter, cli_leave)
