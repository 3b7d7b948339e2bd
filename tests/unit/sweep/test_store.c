/* The store: what goes in comes out, a point is done or not there, one writes at a time, old stores are
 * brought up to date, and what is no store or damaged is told. */
#include "sim/store/store.h"
#include "tests/support/scratch.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define KEY(digit) digit "23456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"

static fs_error err;

static void must(fs_status status) {
    if (status != FS_OK)
        fail_msg("%s", err.text);
}

static fs_store *open_store(const char *path, fs_store_mode mode) {
    fs_store *store = NULL;
    err = (fs_error){0};
    must(fs_store_open(path, mode, &store, &err));
    return store;
}

static void must_refuse(const char *path, fs_store_mode mode, fs_status status, const char *words) {
    fs_store *store = NULL;
    err = (fs_error){0};
    assert_int_equal(fs_store_open(path, mode, &store, &err), status);
    assert_null(store);
    if (strstr(err.text, words) == NULL)
        fail_msg("expected \"%s\", found \"%s\"", words, err.text);
    err = (fs_error){0};
}

/* ---- a sweep of three points over two axes ---- */

static const char *const axes[] = {"overlay.kind", "workload.batching.idle"};
static const fs_store_objective objectives[] = {{"device.seconds", false}, {"rays.generated", true}};
static const fs_store_constraint constraints[] = {
    {.figure = "memory.fits", .op = FS_STORE_EQUALS, .number = 1},
    {.figure = "image.psnr_db", .op = FS_STORE_AT_LEAST, .number = 40}};
static const fs_store_parameter parameters[] = {{"machine.clock", "1.33 GHz", 1.33e9, "Hz"},
                                                {"overlay.kind", "mesh", NAN, ""}};
static const fs_store_setting settings[3][2] = {
    {{"mesh", NAN}, {"10", 10}}, {{"tree", NAN}, {NULL, NAN}}, {{"direct", NAN}, {"20", 20}}};

static void put_three(fs_store *store) {
    static const char *const keys[] = {KEY("a"), KEY("b"), KEY("c")}, *const labels[] = {"one", "two",
                                                                                         "three"};
    fs_store_point points[3];
    for (int i = 0; i < 3; i++)
        points[i] = (fs_store_point){.key = keys[i],
                                     .label = labels[i],
                                     .geometry_key = KEY("0"),
                                     .traffic_key = KEY("1"),
                                     .resolved = "name: x\n",
                                     .settings = settings[i],
                                     .parameters = parameters,
                                     .parameter_count = i == 2 ? 0 : 2,
                                     .status = i == 2 ? "failed" : "pending",
                                     .error = i == 2 ? "x.yaml:1:1: wrong" : ""};
    const fs_store_sweep sweep = {.name = "three",
                                  .text = "name: three\n",
                                  .axes = axes,
                                  .axis_count = 2,
                                  .objectives = objectives,
                                  .objective_count = 2,
                                  .constraints = constraints,
                                  .constraint_count = 2,
                                  .points = points,
                                  .point_count = 3};
    must(fs_store_put_sweep(store, &sweep, &err));
}

static json_t *result_of(const char *key, double seconds, double psnr) {
    json_t *r = json_pack(
        "{s:s, s:s, s:s, s:{s:{s:f, s:I}, s:{s:b}, s:{s:f, s:n, s:s}}, s:{s:s, s:s, s:i, s:f}}", "key", key,
        "status", "done", "layer", "run", "summary", "device", "seconds", seconds, "cycles",
        (json_int_t)9007199254740991, "memory", "fits", 1, "image", "psnr_db", psnr, "ssim", "note", "a, b",
        "host", "name", "h", "version", "0", "model_version", 1, "wall_seconds", 2.5);
    assert_non_null(r);
    return r;
}

static void finish(fs_store *store, const char *key, double seconds, double psnr) {
    json_t *r = result_of(key, seconds, psnr);
    must(fs_store_finish(store, r, &err));
    json_decref(r);
}

static char *export_of(fs_store *store) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    must(fs_store_export(store, memory, &err));
    assert_int_equal(fclose(memory), 0);
    return text;
}

static void what_goes_in_comes_out(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    fs_store *store = open_store("runs/deep/a.db", FS_STORE_WRITE);
    put_three(store);
    finish(store, KEY("a"), 0.1, 50);
    finish(store, KEY("b"), 0.05, 30);
    const int64_t cycles[] = {5, INT64_MAX, INT64_MIN, 0};
    must(fs_store_put_series(store, KEY("a"), "cycles", "cycles", cycles, 4, &err));
    fs_store_close(store);

    assert_true(fs_store_is("runs/deep/a.db"));
    store = open_store("runs/deep/a.db", FS_STORE_READ);
    fs_store_sweep s;
    must(fs_store_read(store, arena, NULL, &s, &err));
    assert_string_equal(s.name, "three");
    assert_string_equal(s.text, "name: three\n");
    assert_int_equal(s.axis_count, 2);
    assert_string_equal(s.axes[1], axes[1]);
    assert_int_equal(s.objective_count, 2);
    assert_true(s.objectives[1].larger && !s.objectives[0].larger);
    assert_int_equal(s.constraint_count, 2);
    assert_int_equal(s.constraints[1].op, FS_STORE_AT_LEAST);
    assert_int_equal(s.point_count, 3);
    const fs_store_point *p = s.points;
    assert_string_equal(p[0].status, "done");
    assert_string_equal(p[2].status, "failed");
    assert_string_equal(p[2].error, "x.yaml:1:1: wrong");
    assert_true(p[0].feasible);
    assert_false(p[1].feasible); /* 30 dB */
    assert_true(fs_store_number_of(&p[0], "device.seconds") == 0.1);
    assert_true(fs_store_number_of(&p[0], "device.cycles") == 9007199254740991.0);
    assert_true(isnan(fs_store_number_of(&p[0], "image.ssim")));
    assert_string_equal(fs_store_figure_of(&p[0], "image.note")->text, "a, b");
    assert_null(fs_store_figure_of(&p[0], "image.none"));
    assert_null(p[1].settings[1].value);
    assert_string_equal(p[0].settings[1].value, "10");
    assert_true(p[0].settings[1].number == 10);
    assert_true(fs_store_parameter_of(&p[0], "machine.clock")->number == 1.33e9);
    assert_string_equal(p[0].host, "h");
    assert_true(p[0].wall_seconds == 2.5);
    const char *full, *yaml;
    must(fs_store_resolved(store, arena, "a2", &full, &yaml, &err));
    assert_string_equal(full, KEY("a"));
    int64_t *values;
    size_t count;
    must(fs_store_series(store, arena, KEY("a"), "cycles", &values, &count, &err));
    assert_int_equal(count, 4);
    assert_memory_equal(values, cycles, sizeof cycles);
    assert_int_equal(fs_store_read(store, arena, "none", &s, &err), FS_INPUT);
    assert_non_null(strstr(err.text, "\"three\""));
    fs_store_close(store);
    fs_arena_free(arena);
}

/* An exact picture has no PSNR that could be written, and is good enough for every constraint on it. */
static void an_exact_picture_is_good_enough(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    fs_store *store = open_store("exact.db", FS_STORE_WRITE);
    put_three(store);
    for (int exact = 0; exact < 2; exact++) {
        json_t *r = result_of(exact ? KEY("a") : KEY("b"), 0.1, 0);
        json_t *image = json_object_get(json_object_get(r, "summary"), "image");
        json_object_set_new(image, "psnr_db", json_null());
        json_object_set_new(image, "exact", json_boolean(exact));
        must(fs_store_finish(store, r, &err));
        json_decref(r);
    }
    fs_store_sweep s;
    must(fs_store_read(store, arena, NULL, &s, &err));
    assert_true(s.points[0].feasible);
    assert_false(s.points[1].feasible);
    fs_store_close(store);
    assert_int_equal(
        system("test \"$(sqlite3 exact.db 'SELECT label FROM feasible' 2>/dev/null || echo one)\" = one"), 0);
    fs_arena_free(arena);
}

static void one_line_queries_answer(void **state) {
    (void)state;
    fs_store *store = open_store("q.db", FS_STORE_WRITE);
    put_three(store);
    finish(store, KEY("a"), 0.1, 50);
    finish(store, KEY("b"), 0.05, 30);
    fs_store_close(store);
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open("q.db", &db), SQLITE_OK);
    static const char *const questions[][2] = {
        {"SELECT label FROM best WHERE figure = 'device.seconds' AND rank = 1", "one"},
        {"SELECT count(*) FROM feasible", "1"},
        {"SELECT error FROM failures", "x.yaml:1:1: wrong"},
        {"SELECT \"device.seconds\" FROM wide WHERE \"overlay.kind\" = 'tree'", "0.05"},
        {"SELECT \"workload.batching.idle\" + 1 FROM wide_three WHERE position = 0", "11.0"},
        {"SELECT value FROM choices WHERE label = 'two'", "tree"},
        {"SELECT value FROM figures WHERE label = 'one' AND name = 'memory.fits'", "1"},
        {"SELECT group_concat(status) FROM results", "done,done,failed"},
    };
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        if (sqlite3_prepare_v2(db, questions[i][0], -1, &s, NULL) != SQLITE_OK ||
            sqlite3_step(s) != SQLITE_ROW)
            fail_msg("%s: %s", questions[i][0], sqlite3_errmsg(db));
        assert_string_equal((const char *)sqlite3_column_text(s, 0), questions[i][1]);
        sqlite3_finalize(s);
    }
    sqlite3_close(db);
}

/* ---- done or not there ---- */

static void what_is_done_stays(void **state) {
    (void)state;
    const char *status;
    fs_store *store = open_store("d.db", FS_STORE_WRITE);
    put_three(store);
    finish(store, KEY("a"), 0.1, 50);
    char *before = export_of(store);
    finish(store, KEY("a"), 0.2, 60); /* again: passed over */
    must(fs_store_mark(store, KEY("a"), "running", "", &err));
    must(fs_store_mark(store, KEY("b"), "running", "", &err));
    must(fs_store_reset_running(store, &err));
    put_three(store); /* the sweep once more */
    char *after = export_of(store);
    assert_string_equal(before, after);
    must(fs_store_state(store, KEY("b"), &status, &err));
    assert_string_equal(status, "pending");
    must(fs_store_state(store, KEY("9"), &status, &err));
    assert_null(status);
    finish(store, KEY("c"), 0.3, 60); /* a failed one may succeed */
    must(fs_store_state(store, KEY("c"), &status, &err));
    assert_string_equal(status, "done");
    json_t *odd = result_of(KEY("9"), 1, 1);
    assert_int_equal(fs_store_finish(store, odd, &err), FS_INPUT);
    json_decref(odd);
    err = (fs_error){0};
    odd = json_pack("{s:s}", "key", KEY("b"));
    assert_int_equal(fs_store_finish(store, odd, &err), FS_INPUT);
    json_decref(odd);
    fs_store_close(store);
    free(before);
    free(after);
}

static void what_is_not_committed_is_not_there(void **state) {
    (void)state;
    fs_store *store = open_store("u.db", FS_STORE_WRITE);
    put_three(store);
    char *before = export_of(store);
    must(fs_store_begin(store, &err));
    finish(store, KEY("a"), 0.1, 50);
    fs_store_close(store);
    pid_t child = fork(); /* killed in the middle of a transaction */
    if (child == 0) {
        store = open_store("u.db", FS_STORE_WRITE);
        must(fs_store_begin(store, &err));
        finish(store, KEY("b"), 0.1, 50);
        raise(SIGKILL);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    store = open_store("u.db", FS_STORE_WRITE);
    char *after = export_of(store);
    assert_string_equal(before, after);
    fs_store_close(store);
    free(before);
    free(after);
}

/* Waits for its turn behind the one that made the file `go`, then adds its point. */
static _Noreturn void second_writer(void) {
    const struct timespec nap = {.tv_nsec = 5000000};
    while (!scratch_there("go"))
        nanosleep(&nap, NULL);
    fs_store *reader = NULL, *mine = NULL;
    bool bad = fs_store_open("t.db", FS_STORE_READ, &reader, &err) != FS_OK; /* readers do not wait */
    fs_store_close(reader);
    bad |= fs_store_open("t.db", FS_STORE_WRITE, &mine, &err) != FS_OK;
    bad |= !scratch_there("over");
    json_t *r = result_of(KEY("b"), 0.3, 45);
    bad |= fs_store_finish(mine, r, &err) != FS_OK;
    fs_store_close(mine);
    _exit(bad);
}

static void two_writers_take_turns(void **state) {
    (void)state;
    int how;
    const struct timespec nap = {.tv_nsec = 200000000};
    pid_t child = fork(); /* before the store is open: neither locks nor databases survive a fork */
    if (child == 0)
        second_writer();
    fs_store *store = open_store("t.db", FS_STORE_WRITE);
    put_three(store);
    assert_int_equal(system(": > go"), 0);
    nanosleep(&nap, NULL);
    assert_int_equal(waitpid(child, &how, WNOHANG), 0);
    finish(store, KEY("a"), 0.1, 50);
    assert_int_equal(system(": > over"), 0);
    fs_store_close(store);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    store = open_store("t.db", FS_STORE_READ);
    const char *a, *b;
    must(fs_store_state(store, KEY("a"), &a, &err));
    must(fs_store_state(store, KEY("b"), &b, &err));
    assert_string_equal(a, "done");
    assert_string_equal(b, "done");
    fs_store_close(store);
}

/* ---- files of all kinds ---- */

static void shell(const char *command) {
    assert_int_equal(system(command), 0);
}

static void sql(const char *path, const char *text) {
    sqlite3 *db;
    char *said = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, text, NULL, NULL, &said) != SQLITE_OK)
        fail_msg("%s", said);
    sqlite3_close(db);
}

/* The first schema, as its foamsim wrote it, with a finished point. */
static const char old_store[] =
    "CREATE TABLE experiments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entered INTEGER NOT NULL, "
    "text "
    "TEXT NOT NULL);"
    "CREATE TABLE axes (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, axis INTEGER "
    "NOT "
    "NULL, name TEXT NOT NULL, PRIMARY KEY (experiment, axis)) WITHOUT ROWID;"
    "CREATE TABLE objectives (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, position "
    "INTEGER NOT NULL, figure TEXT NOT NULL, better TEXT NOT NULL, PRIMARY KEY (experiment, position)) "
    "WITHOUT "
    "ROWID;"
    "CREATE TABLE constraints (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, "
    "position "
    "INTEGER NOT NULL, figure TEXT NOT NULL, op TEXT NOT NULL, number REAL, text TEXT, PRIMARY KEY "
    "(experiment, "
    "position)) WITHOUT ROWID;"
    "CREATE TABLE points (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, geometry_key TEXT NOT NULL, "
    "traffic_key TEXT NOT NULL, status TEXT NOT NULL, error TEXT NOT NULL DEFAULT '', resolved TEXT NOT "
    "NULL);"
    "CREATE TABLE members (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, position "
    "INTEGER "
    "NOT NULL, point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE, label TEXT NOT NULL, PRIMARY KEY "
    "(experiment, position)) WITHOUT ROWID;"
    "CREATE TABLE settings (experiment INTEGER NOT NULL, position INTEGER NOT NULL, axis INTEGER NOT NULL, "
    "value "
    "TEXT NOT NULL, number REAL, PRIMARY KEY (experiment, position, axis), FOREIGN KEY (experiment, "
    "position) "
    "REFERENCES members ON DELETE CASCADE, FOREIGN KEY (experiment, axis) REFERENCES axes ON DELETE CASCADE) "
    "WITHOUT ROWID;"
    "CREATE TABLE parameters (point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE, name TEXT NOT "
    "NULL, "
    "value TEXT NOT NULL, number REAL, unit TEXT NOT NULL, PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE statistics (point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE, name TEXT NOT "
    "NULL, "
    "unit TEXT NOT NULL, value, PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE provenance (point INTEGER PRIMARY KEY REFERENCES points ON DELETE CASCADE, version TEXT "
    "NOT "
    "NULL, model_version INTEGER NOT NULL, layer TEXT NOT NULL, digest TEXT NOT NULL, host TEXT NOT NULL, "
    "wall_seconds REAL, peak_bytes INTEGER);"
    "INSERT INTO experiments VALUES (1, 'old', 1, 'name: old');"
    "INSERT INTO points VALUES (1, '" KEY(
        "a") "', '', '', 'done', '', 'name: old');"
             "INSERT INTO members VALUES (1, 0, 1, 'first');"
             "INSERT INTO statistics VALUES (1, 'device.seconds', 's', 0.25);"
             "PRAGMA user_version = 1; PRAGMA application_id = 1718575469;";

static void an_older_store_is_brought_up_to_date(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    sql("old.db", old_store);
    fs_store *store = open_store("old.db", FS_STORE_READ);
    fs_store_sweep s;
    must(fs_store_read(store, arena, "old", &s, &err));
    assert_int_equal(s.point_count, 1);
    assert_true(fs_store_number_of(&s.points[0], "device.seconds") == 0.25);
    fs_store_close(store);
    store = open_store("old.db", FS_STORE_WRITE);
    put_three(store);
    const int64_t one = 1;
    must(fs_store_put_series(store, KEY("a"), "cycles", "", &one, 1, &err));
    fs_store_close(store);
    fs_arena_free(arena);
}

/* A step that fails leaves the old store as it was. */
static void a_failed_step_changes_nothing(void **state) {
    (void)state;
    sql("hurt.db", old_store);
    sql("hurt.db", "CREATE TABLE point_artefacts (odd);"); /* the next schema's own name */
    must_refuse("hurt.db", FS_STORE_WRITE, FS_IO, "point_artefacts");
    sql("hurt.db", "DROP TABLE point_artefacts; CREATE TABLE series (left_alone);"); /* not made half way */
    sql("hurt.db", "DROP TABLE series");
    fs_store_close(open_store("hurt.db", FS_STORE_WRITE));
}

static void what_is_no_store_is_refused(void **state) {
    (void)state;
    must_refuse("none.db", FS_STORE_READ, FS_INPUT, "no such store");
    must_refuse(".", FS_STORE_WRITE, FS_INPUT, "is a folder");
    shell("echo 'name: x, not a store' > text.db");
    must_refuse("text.db", FS_STORE_WRITE, FS_INPUT, "is no store");
    assert_false(fs_store_is("text.db"));
    shell(": > empty.db");
    must_refuse("empty.db", FS_STORE_READ, FS_INPUT, "is empty");
    fs_store_close(open_store("empty.db", FS_STORE_WRITE));
    sql("other.db", "CREATE TABLE music (title); PRAGMA user_version = 3;");
    must_refuse("other.db", FS_STORE_WRITE, FS_INPUT, "no store of foamsim");
    fs_store_close(open_store("new.db", FS_STORE_WRITE));
    sql("new.db", "PRAGMA user_version = 1000");
    must_refuse("new.db", FS_STORE_READ, FS_INPUT, "newer foamsim");
}

static void damage_is_told(void **state) {
    (void)state;
    fs_store *store = open_store("whole.db", FS_STORE_WRITE);
    put_three(store);
    finish(store, KEY("a"), 0.1, 50);
    fs_store_close(store);
    shell("cp whole.db torn.db; head -c 9000 whole.db > short.db");
    shell("dd if=/dev/urandom of=torn.db bs=1 seek=4096 count=20000 conv=notrunc 2>/dev/null");
    must_refuse("torn.db", FS_STORE_WRITE, FS_IO, "is damaged");
    must_refuse("torn.db", FS_STORE_READ, FS_IO, ".recover");
    must_refuse("short.db", FS_STORE_READ, FS_IO, "is damaged");
}

/* A disk of a megabyte: writing fails, is told, and what was there stays. */
static void a_full_disk_is_told(void **state) {
    (void)state;
    if (geteuid() != 0 || system("mkdir tiny && mount -t tmpfs -o size=1m tmpfs tiny 2>/dev/null") != 0) {
        print_message("a full disk: skipped, as no small file system can be mounted here\n");
        skip();
    }
    fs_store *store = open_store("tiny/s.db", FS_STORE_WRITE);
    put_three(store);
    finish(store, KEY("a"), 0.1, 50);
    char *before = export_of(store);
    int filled = system("head -c 2000000 /dev/zero > tiny/rest 2>/dev/null");
    (void)filled;
    fs_status status = FS_OK;
    for (int i = 0; i < 4000 && status == FS_OK; i++) {
        int64_t noise[512];
        for (int k = 0; k < 512; k++)
            noise[k] = (int64_t)(((uint64_t)i * 512 + (uint64_t)k + 1) * 0x9e3779b97f4a7c15u);
        char name[32];
        snprintf(name, sizeof name, "series-%d", i);
        status = fs_store_put_series(store, KEY("a"), name, "", noise, 512, &err);
    }
    assert_int_equal(status, FS_IO);
    assert_non_null(strstr(err.text, "make room"));
    fs_store_close(store);
    shell("rm tiny/rest");
    store = open_store("tiny/s.db", FS_STORE_WRITE);
    char *after = export_of(store);
    assert_string_equal(before, after);
    finish(store, KEY("b"), 0.1, 50);
    fs_store_close(store);
    shell("umount tiny");
    free(before);
    free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(an_exact_picture_is_good_enough),
        cmocka_unit_test(one_line_queries_answer),
        cmocka_unit_test(what_is_done_stays),
        cmocka_unit_test(what_is_not_committed_is_not_there),
        cmocka_unit_test(two_writers_take_turns),
        cmocka_unit_test(an_older_store_is_brought_up_to_date),
        cmocka_unit_test(a_failed_step_changes_nothing),
        cmocka_unit_test(what_is_no_store_is_refused),
        cmocka_unit_test(damage_is_told),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
