/* sweep --robust: jointly re-priced points are those that are run, what is said follows from the data, and a
 * parameter that a point does not take stays as it is there. */
#include "sim/store/store.h"
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <time.h>

static const char sweep[] =
    "name: few\nbase:\n  machine: gc200-small\n  scene: { generate: { kind: garden, cells: 2000, seed: 7 } "
    "}\n"
    "  workload:\n    kind: foam\n    camera: { position: [2.1, -2.9, 1.7], look_at: [0.1, 0.2, 0.6], width: "
    "24, "
    "height: 18 }\n    partition: { kind: kd, shards: 64 }\n    batching: { per_batch: 3, idle: 10 }\n"
    "axes:\n"
    "  - { key: overlay.kind, values: [quadtree, mesh] }\n"
    "  - { key: machine.exchange.mode, values: [static, dynamic] }\n"
    "  - { key: machine.clock, values: [1 GHz, 1.01 GHz] }\n"
    "objectives: [{ figure: device.seconds }, { figure: memory.peak_bytes }]\n"
    "constraints: [{ figure: image.psnr_db, at_least: 30 }]\n";

/* A dynamic exchange does not take copies: serial; the clock is an axis; the last one changes the rays'
 * traffic. */
static const char uncertain[] = "parameters:\n"
                                "  - { key: machine.host.launch, low: 0.1 ms, high: 1 ms }\n"
                                "  - { key: machine.sync.base, low: 20 cycles, high: 126 cycles }\n"
                                "  - { key: machine.cost.scale, low: 70 %, high: 130 % }\n"
                                "  - { key: machine.cost.f32_div, low: 1 slots, high: 3 slots }\n"
                                "  - { key: machine.exchange.copies, low: merged, high: serial }\n"
                                "  - { key: machine.clock, low: 1 GHz, high: 2 GHz }\n"
                                "  - { key: workload.batching.per_batch, low: 1, high: 3 }\n";

static json_t *judgement_of(const char *path, fs_store_sweep *s, fs_arena *arena) {
    fs_error err = {.status = FS_OK};
    fs_store *store = NULL;
    json_t *judgement = NULL;
    assert_ok(fs_store_open(path, FS_STORE_READ, &store, &err) ||
                  fs_store_read(store, arena, NULL, s, &err) ||
                  fs_store_judgement(store, s->name, "robust", &judgement, &err),
              &err);
    fs_store_close(store);
    assert_non_null(judgement);
    return judgement;
}

static const fs_store_point *best_of(const fs_store_sweep *s, const json_t *goal) {
    for (size_t p = 0; p < s->point_count; p++)
        if (strcmp(s->points[p].key, json_string_value(json_object_get(goal, "best"))) == 0)
            return &s->points[p];
    fail_msg("the best point is not in the store");
    return NULL;
}

/* Runs the point with what a draw sets, from nothing. */
static double run_at(const fs_store_point *point, const json_t *parameters, const json_t *draw) {
    enum { WORDS = 40 };
    const char *words[WORDS] = {"run", "point.yaml", "--quiet", "--force", "--out", "at"};
    static char sets[WORDS][96];
    const bool dynamic = strcmp(fs_store_parameter_of(point, "machine.exchange.mode")->value, "dynamic") == 0;
    size_t n = 6, u;
    const json_t *value;
    cli_write("point.yaml", point->resolved);
    json_array_foreach(draw, u, value) {
        const char *key = json_string_value(json_object_get(json_array_get(parameters, u), "key"));
        if (dynamic && strcmp(key, "machine.exchange.copies") == 0)
            continue;
        snprintf(sets[u], sizeof sets[u], "%s=%s", key, json_string_value(value));
        words[n++] = "--set";
        words[n++] = sets[u];
    }
    const cli_result r = cli_words(words, 0);
    if (r.status != 0)
        fail_msg("%s", r.err);
    json_t *summary = json_load_file("at/summary.json", 0, NULL);
    const double seconds = json_number_value(json_object_get(json_object_get(summary, "device"), "seconds"));
    json_decref(summary);
    return seconds;
}

TEST(joint_prices_are_those_of_runs) {
    cli_must("sweep", "few.yaml", "--store", "a.db", "--jobs", "2", "--quiet", "--robust", "--uncertain",
             "u.yaml", "--draws", "24", NULL);
    fs_arena *arena = test_arena();
    fs_store_sweep s;
    json_t *j = judgement_of("a.db", &s, arena);
    const json_t *goal = json_array_get(json_object_get(j, "goals"), 0), *draws = json_object_get(j, "draws");
    const json_t *values = json_object_get(goal, "values");
    const fs_store_point *best = best_of(&s, goal);
    assert_int_equal(json_array_size(draws), 24);
    assert_int_equal(json_array_size(json_object_get(j, "parameters")), 5);
    assert_int_equal(json_array_size(json_object_get(j, "left_out")), 2);
    for (size_t d = 0; d < 24; d += 8) {
        const double run = run_at(best, json_object_get(j, "parameters"), json_array_get(draws, d));
        assert_true(run == json_number_value(json_array_get(values, d)));
    }
    /* No draw is lost, and the sentence says what the counts say. */
    const json_t *points = json_object_get(goal, "points"), *one;
    size_t i, stays = 0;
    json_array_foreach(points, i, one) {
        assert_int_equal(json_integer_value(json_object_get(one, "infeasible")), 0);
        assert_int_equal(json_integer_value(json_object_get(one, "draws")), 24); /* all are within reach */
        if (strcmp(json_string_value(json_object_get(one, "key")), best->key) == 0)
            stays = (size_t)json_integer_value(json_object_get(one, "best"));
    }
    const char *sentence = json_string_value(json_object_get(goal, "sentence"));
    char said[64];
    snprintf(said, sizeof said,
             stays == 24 ? "in all of the ranges (24 joint draws"
                         : "in %.3g %% of the ranges (24 joint draws",
             100.0 * (double)stays / 24);
    if (strstr(sentence, said) == NULL || strncmp(sentence, best->label, strlen(best->label)) != 0)
        fail_msg("%s: %s", said, sentence);
    assert_int_equal((size_t)json_integer_value(json_object_get(goal, "turned")), 24 - stays);
    const char *safest = json_string_value(json_object_get(goal, "safest"));
    double least = INFINITY, safe = NAN;
    json_array_foreach(points, i, one) {
        const double regret = json_number_value(json_object_get(one, "regret_most"));
        least = fmin(least, regret);
        safe = strcmp(json_string_value(json_object_get(one, "key")), safest) == 0 ? regret : safe;
    }
    assert_true(safe == least);
    json_decref(j);
}

TEST(jobs_do_not_matter_and_the_page_says_it) {
    cli_must("sweep", "few.yaml", "--store", "b.db", "--jobs", "1", "--quiet", "--robust", "--uncertain",
             "u.yaml", "--draws", "24", NULL);
    fs_arena *arena = test_arena();
    fs_store_sweep s, t;
    json_t *a = judgement_of("a.db", &s, arena), *b = judgement_of("b.db", &t, arena);
    assert_true(json_equal(a, b));
    size_t size;
    cli_must("report", "a.db", "-o", "a.html", NULL);
    char *page = file_read("a.html", &size);
    const json_t *goal = json_array_get(json_object_get(a, "goals"), 0);
    assert_non_null(strstr(page, "<section id=\"robust\""));
    assert_non_null(strstr(page, json_string_value(json_object_get(goal, "sentence"))));
    assert_non_null(strstr(page, "<h1>"));
    assert_non_null(strstr(strstr(page, "<h1>"), "; it stays the best in "));
    assert_non_null(strstr(page, "<figure id=\"tornado-0\""));
    assert_non_null(strstr(page, "machine.clock stays as it is: the points differ in it."));
    assert_non_null(strstr(page, "workload.batching.per_batch stays as it is: it changes more than prices."));
    json_decref(a);
    json_decref(b);
}

/* The number of prices in a store; 0 while there is none. */
static size_t prices_in(const char *path, bool change) {
    sqlite3 *db = NULL;
    sqlite3_stmt *s = NULL;
    size_t count = 0;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(db, 10000);
        if (change) /* nobody but the store can know of these */
            sqlite3_exec(db, "UPDATE prices SET figures = json_set(figures, '$.\"device.seconds\"', 1e-9)",
                         NULL, NULL, NULL);
        if (sqlite3_prepare_v2(db, "SELECT count(*) FROM prices", -1, &s, NULL) == SQLITE_OK &&
            sqlite3_step(s) == SQLITE_ROW)
            count = (size_t)sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    sqlite3_close(db);
    return count;
}

TEST(a_kill_loses_no_price) {
    const char *const words[] = {"sweep",    "few.yaml",    "--store", "k.db",    "--jobs", "1", "--quiet",
                                 "--robust", "--uncertain", "u.yaml",  "--draws", "24",     NULL};
    const struct timespec nap = {.tv_nsec = 5000000};
    const pid_t process = cli_start(words, 0);
    while (!cli_ended(process) && (!fs_store_is("k.db") || prices_in("k.db", false) == 0))
        nanosleep(&nap, NULL);
    kill(process, SIGKILL);
    cli_finish(process);
    const size_t priced = prices_in("k.db", false);
    assert_true(priced > 0);
    cli_must("sweep", "few.yaml", "--store", "k.db", "--jobs", "2", "--quiet", "--robust", "--uncertain",
             "u.yaml", "--draws", "24", NULL);
    fs_arena *arena = test_arena();
    fs_store_sweep s, t;
    json_t *a = judgement_of("a.db", &s, arena), *k = judgement_of("k.db", &t, arena);
    assert_true(json_equal(a, k));
    json_decref(k);
    /* What the store has is taken from it. */
    print_message("%zu prices at the kill, %zu in all\n", priced, prices_in("k.db", true));
    cli_must("sweep", "few.yaml", "--store", "k.db", "--jobs", "2", "--quiet", "--robust", "--uncertain",
             "u.yaml", "--draws", "24", NULL);
    k = judgement_of("k.db", &t, arena);
    json_t *values = json_object_get(json_array_get(json_object_get(k, "goals"), 0), "values");
    size_t i;
    json_t *value;
    json_array_foreach(values, i, value) assert_true(json_number_value(value) == 1e-9);
    json_decref(a);
    json_decref(k);
}

TEST(wrong_words_are_told) {
    cli_result r = cli("sweep", "few.yaml", "--store", "c.db", "--draws", "9", NULL);
    cli_refused(&r, "--draws: expected --robust beside it");
    cli_write("bad.yaml", "parameters:\n  - { key: machine.sync.base, low: 20 cycles }\n");
    cli_refuses("bad.yaml:2:5: parameters[0].high", "sweep", "few.yaml", "--store", "a.db", "--robust",
                "--uncertain", "bad.yaml", NULL);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write("few.yaml", sweep);
    cli_write("u.yaml", uncertain);
    return 0;
}

RUN_TESTS(begin, cli_leave)
