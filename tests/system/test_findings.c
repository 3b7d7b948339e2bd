/* What a run's findings.json says: sentences, whose figures follow from its tables. */
#include "tests/support/cli.h"
#include "tests/support/foam/congestion_case.h"
#include "tests/support/test.h"

/* ---- sentences hold to their figures ---- */

/* Percentages that are no figures: the tail that a sentence speaks of. */
static bool is_of_the_words(const char *text, const char *at) {
    static const char *const words[] = {"The last 1 %", "99 % of", "would gain 1 %"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(text, words[i]);
        if (found != NULL && at >= found && at < found + strlen(words[i]))
            return true;
    }
    return false;
}

/* The figure is that percentage as sentences write it; `under`: "under 0.1 %", "less than 0.1 %". */
static bool is_that(const char *name, const json_t *figure, double percent, bool under) {
    const char *ending = strstr(name, "_percent");
    if (!json_is_number(figure))
        return false;
    const double value = json_number_value(figure) * (ending != NULL ? 1 : 100);
    if (under)
        return value > 0 && value < 0.05;
    return fabs(value - percent) <= (percent < 1 ? 0.0500001 : 0.5000001);
}

/* Every percentage of a sentence is one of its figures, in their order. */
static void hold_to_figures(const char *text, const json_t *figures) {
    void *at_figure = json_object_iter((json_t *)(uintptr_t)figures);
    for (const char *at = text; (at = strchr(at, '%')) != NULL; at++) {
        const char *begin = at;
        while (begin > text && strchr("0123456789. ", begin[-1]) != NULL)
            begin--;
        begin += strspn(begin, " ");
        if (is_of_the_words(text, begin))
            continue;
        const double percent = strtod(begin, NULL);
        const bool under = begin - text >= 6 &&
                           (strncmp(begin - 6, "under ", 6) == 0 || strncmp(begin - 5, "than ", 5) == 0);
        while (at_figure != NULL &&
               !is_that(json_object_iter_key(at_figure), json_object_iter_value(at_figure), percent, under))
            at_figure = json_object_iter_next((json_t *)(uintptr_t)figures, at_figure);
        if (at_figure == NULL)
            fail_msg("\"%s\": no figure from there on is %.*s", text, (int)(at + 1 - begin), begin);
        at_figure = json_object_iter_next((json_t *)(uintptr_t)figures, at_figure);
    }
}

/* A sentence: a capital or a digit first, one full stop, at its end, no blanks too many, nothing that printf
 * left. */
static void is_a_sentence(const char *text) {
    const size_t length = strlen(text);
    assert_true(length > 20 && text[length - 1] == '.');
    assert_true(strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", text[0]) != NULL);
    static const char *const never[] = {"  ", " .",  " ,",   " ;",     ". ", "..",
                                        ";.", "nan", "inf ", "(null)", "%%", "{"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strstr(text, never[i]) != NULL)
            fail_msg("\"%s\" holds \"%s\"", text, never[i]);
    int open = 0;
    for (const char *c = text; *c != '\0'; c++) {
        open += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        assert_true(open >= 0);
    }
    assert_int_equal(open, 0);
}

static size_t check_findings(const char *folder) {
    json_t *root = run_json(folder, "findings.json");
    const json_t *list = json_object_get(root, "findings");
    const size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i), *figures = json_object_get(item, "figures");
        const char *text = json_string_value(json_object_get(item, "text"));
        const char *key = json_string_value(json_object_get(item, "key"));
        assert_true(key != NULL && text != NULL && json_object_size(figures) > 0);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(key, json_string_value(json_object_get(json_array_get(list, k), "key")));
        is_a_sentence(text);
        hold_to_figures(text, figures);
    }
    return count;
}

TEST(findings_are_sentences) {
    for (int f = 0; f <= FOLDERS; f++) {
        const char *folder = f < FOLDERS ? case_folder[f] : "decoupled";
        assert_true(check_findings(folder) >= 5);
        json_t *root = run_json(folder, "findings.json");
        const char *first =
            json_string_value(json_object_get(json_array_get(json_object_get(root, "findings"), 0), "key"));
        assert_string_equal(first, f == LOSING ? "loss" : "pace");
    }
}

/* The same of synthetic traffic: below what the network carries, far above it, and with lanes of few slots. */
TEST(findings_of_traffic_are_sentences) {
    static const char *const load[] = {"workload.load=0.05", "workload.load=5", "workload.rate=2"};
    static const char *const buffers[] = {"workload.buffers=infinite", "workload.buffers=infinite",
                                          "workload.buffers=slots"};
    cli_write("t.yaml", "machine: { base: gc200-small, exchange: { mode: dynamic } }\noverlay: "
                        "quadtree\nworkload: { kind: traffic, tracers: 64, warmup: 5, "
                        "measure: 40, drain: 40, lane_slots: 4 }\n");
    for (size_t i = 0; i < 3; i++) {
        cli_must("run", "t.yaml", "--quiet", "--force", "--out", "traffic", "--set", load[i], "--set",
                 buffers[i], NULL);
        assert_true(check_findings("traffic") >= (i == 2 ? 4 : 3));
    }
}

static double finding_figure(const json_t *root, const char *key, const char *name) {
    const json_t *list = json_object_get(root, "findings");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (strcmp(json_string_value(json_object_get(item, "key")), key) == 0)
            return json_number_value(json_object_get(json_object_get(item, "figures"), name));
    }
    fail_msg("no finding %s", key);
    return NAN;
}

/* Their figures follow from the tables. */
TEST(findings_are_true) {
    for (int f = 0; f < FOLDERS; f++) {
        json_t *root = run_json(case_folder[f], "findings.json");
        struct table t = table_read(case_folder[f], "tiles.csv"),
                     k = table_read(case_folder[f], "iterations.csv"),
                     l = table_read(case_folder[f], "ladder.csv");
        size_t hottest = 0;
        int64_t spare = 0, most_sram = 0, finished = 0, last = 0, cycles = 0;
        for (size_t i = 0; i < t.rows; i++) {
            hottest = table_int(&t, i, "paced") > table_int(&t, hottest, "paced") ? i : hottest;
            spare += strcmp(table_text(&t, i, "role"), "spare") == 0;
            if (strcmp(table_text(&t, i, "role"), "router") == 0)
                most_sram = larger(most_sram, table_int(&t, i, "sram"));
        }
        assert_true(about(finding_figure(root, "pace", "tile"), (double)hottest));
        assert_true(about(finding_figure(root, "pace", "share"),
                          (double)table_int(&t, hottest, "paced") / (double)k.rows));
        assert_true(about(finding_figure(root, "sram", "spare_tiles"), (double)spare));
        assert_true(about(finding_figure(root, "sram", "router_bytes"), (double)most_sram));
        assert_true(about(finding_figure(root, "time", "exchange"),
                          (double)table_sum(&k, "exchange") / run_figure(case_folder[f], "device.cycles")));
        assert_true(
            about(finding_figure(root, "waiting", "spilled"), run_figure(case_folder[f], "rays.spilled")));
        assert_true(about(finding_figure(root, "next", "free_routers_percent"),
                          table_real(&l, rung(&l, "free_routers"), "gain_percent")));
        for (size_t i = 0; i < k.rows && finished < table_sum(&k, "finished"); i++) {
            const bool tail = 100 * finished >= 99 * table_sum(&k, "finished");
            last += tail;
            cycles += tail ? table_int(&k, i, "cycles") : 0;
            finished += table_int(&k, i, "finished");
        }
        if (last > 0) /* else there is nothing to say */
            assert_true(about(finding_figure(root, "drain", "iterations"), (double)last));
        assert_int_equal(last, run_figure(case_folder[f], "parts.last_percent_iterations"));
        assert_int_equal(cycles, run_figure(case_folder[f], "parts.last_percent_cycles"));
    }
}

static bool has_finding(const char *folder, const char *key) {
    json_t *root = run_json(folder, "findings.json");
    const json_t *list = json_object_get(root, "findings");
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        found |= strcmp(json_string_value(json_object_get(json_array_get(list, i), "key")), key) == 0;
    return found;
}

static double run_with(const char *file, const char *folder, const char *set, const char *more) {
    cli_must("run", file, "--quiet", "--force", "--out", folder, "--set", set, "--set", more, NULL);
    assert_true(check_findings(folder) >= 5);
    return run_figure(folder, "device.cycles_compute");
}

/* Twelve workers take turns of 12 cycles and gain nothing; where two issue at a time a turn is the IPU's again. */
TEST(workers_that_lengthen_a_turn_are_found) {
    const double six = run_figure("run", "device.cycles_compute"),
                 twelve =
                     run_with("x.yaml", "twelve", "machine.tile.workers=12", "machine.tile.issue_width=1");
    assert_true(twelve > six);
    assert_int_equal(run_figure("twelve", "device.turn"), 12);
    assert_true(has_finding("twelve", "turn"));
    run_with("x.yaml", "two", "machine.tile.workers=12", "machine.tile.issue_width=2");
    assert_int_equal(run_figure("two", "device.turn"), 6);
    assert_false(has_finding("two", "turn"));
    assert_false(has_finding("run", "turn"));
}

/* Routers that cost nothing idle while tracers work: by tiles.csv under a twentieth of the run against half of it. */
TEST(a_role_that_idles_is_found) {
    cli_write("wide.yaml", "base: x.yaml\nworkload: { camera: { width: 320 } }\n");
    run_with("wide.yaml", "idle", "machine.exchange.mode=dynamic", "workload.kernels.router=hardware");
    run_with("wide.yaml", "works", "machine.exchange.mode=dynamic", "workload.kernels.router=kernel");
    const char *const folders[] = {"idle", "works"};
    for (int f = 0; f < 2; f++) {
        struct table t = table_read(folders[f], "tiles.csv");
        int64_t router = 0, tracer = 0;
        for (size_t i = 0; i < t.rows; i++) {
            int64_t *most = strcmp(table_text(&t, i, "role"), "router") == 0 ? &router : &tracer;
            *most = larger(*most, table_int(&t, i, "compute"));
        }
        const double cycles = run_figure(folders[f], "device.cycles");
        assert_true(2 * (double)tracer >= cycles);
        assert_true((20 * (double)router < cycles) == (f == 0));
        assert_true(has_finding(folders[f], "idle") == (f == 0));
    }
}

/* Of packets on a network; links reserved as a whole say so where they are no longer right, flits never. */
TEST(an_approximation_says_where_it_fails) {
    static const char *const load[] = {"workload.load=0.1", "workload.load=0.3"};
    static const char *const network[] = {"workload.network=fabric", "workload.network=reserve"};
    cli_write("n.yaml",
              "machine: { base: gc200, exchange: { kind: noc, mode: dynamic, noc: { size: [8, 8] } } }\n"
              "workload: { kind: fabric, measure: 2000 cycles }\n");
    for (int i = 0; i < 2; i++)
        for (int n = 0; n < 2; n++) {
            cli_must("run", "n.yaml", "--quiet", "--force", "--out", "net", "--set", load[i], "--set",
                     network[n], NULL);
            assert_true(check_findings("net") >= 3);
            assert_true((run_figure("net", "links.busiest_share") > 0.3) == (i == 1));
            assert_true(has_finding("net", "approximation") == (i == 1 && n == 1));
        }
}

RUN_TESTS(congestion_begin, cli_leave)
