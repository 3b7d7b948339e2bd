/* The store: what goes in comes out, a point is done or not there, one writes at a time, old stores are
 * brought up to date, and what is no store or damaged is told. */
#include "sim/store/store.h"
#include "tests/support/scratch.h"
#include "tests/support/sweep/store_case.h"
#include "tests/support/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    store_must(fs_store_finish(store, r, &store_error));
    json_decref(r);
}

static char *export_of(fs_store *store) {
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    store_must(fs_store_export(store, memory, &store_error));
    assert_int_equal(fclose(memory), 0);
    return text;
}

TEST(what_goes_in_comes_out) {
    fs_arena *arena = test_arena();
    fs_store *store = store_open("runs/deep/a.db", FS_STORE_WRITE);
    store_put_three(store);
    finish(store, STORE_KEY("a"), 0.1, 50);
    finish(store, STORE_KEY("b"), 0.05, 30);
    fs_store_close(store);

    assert_true(fs_store_is("runs/deep/a.db"));
    store = store_open("runs/deep/a.db", FS_STORE_READ);
    fs_store_sweep s;
    store_must(fs_store_read(store, arena, NULL, &s, &store_error));
    assert_string_equal(s.name, "three");
    assert_string_equal(s.text, "name: three\n");
    assert_int_equal(s.axis_count, 2);
    assert_string_equal(s.axes[1], "workload.batching.idle");
    assert_true(!s.conditions[0] && s.conditions[1]);
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
    store_must(fs_store_resolved(store, arena, "a2", &full, &yaml, &store_error));
    assert_string_equal(full, STORE_KEY("a"));
    assert_fails(fs_store_read(store, arena, "none", &s, &store_error), FS_INPUT, &store_error, "\"three\"");
    fs_store_close(store);
}

/* A null that stands for infinity, by the figure's row, is at least anything; any other null keeps nothing. */
TEST(an_infinite_figure_is_good_enough) {
    typedef struct picture {
        double psnr, other;
    } picture;
    static const fs_stat rows[] = {
        FS_STAT_VALUE("image.psnr_db", picture, psnr, .unit = "dB", .better = FS_BETTER_MORE,
                      .null_is = "exact"),
        FS_STAT_VALUE("image.other", picture, other, .unit = "dB", .better = FS_BETTER_MORE)};
    static const fs_stat_table table = FS_STAT_TABLE("picture", rows);
    static const fs_stat_table *const tables[] = {&table, NULL}, *const none[] = {NULL};
    fs_arena *arena = test_arena();
    fs_store *store = store_open("exact.db", FS_STORE_WRITE);
    store_put_three(store);
    for (int known = 0; known < 2; known++) {
        json_t *r = result_of(known ? STORE_KEY("a") : STORE_KEY("b"), 0.1, 0);
        json_t *image = json_object_get(json_object_get(r, "summary"), "image");
        json_object_set_new(image, "psnr_db", json_null());
        json_object_set_new(image, "other", json_null());
        fs_store_units(store, known ? tables : none);
        store_must(fs_store_finish(store, r, &store_error));
        json_decref(r);
    }
    fs_store_sweep s;
    store_must(fs_store_read(store, arena, NULL, &s, &store_error));
    assert_true(s.points[0].feasible);
    assert_false(s.points[1].feasible); /* nothing says that its null is infinite */
    assert_string_equal(fs_store_figure_of(&s.points[0], "image.psnr_db")->null_is, "exact");
    assert_string_equal(fs_store_figure_of(&s.points[0], "image.psnr_db")->unit, "dB");
    assert_null(fs_store_figure_of(&s.points[0], "image.other")->null_is);
    assert_null(fs_store_figure_of(&s.points[1], "image.psnr_db")->null_is);
    fs_store_close(store);
    assert_int_equal(
        system("test \"$(sqlite3 exact.db 'SELECT label FROM feasible' 2>/dev/null || echo one)\" = one"), 0);
}

/* A figure has the unit of its point's workload, whose table is not the first; of a name that this one lacks that of
 * another. */
TEST(units_are_of_the_workload) {
    typedef struct load {
        double of, more;
    } load;
    static const fs_stat other[] = {FS_STAT_VALUE("device.seconds", load, of, .unit = "years"),
                                    FS_STAT_VALUE("image.psnr_db", load, more, .unit = "pages")},
                         own[] = {FS_STAT_VALUE("device.seconds", load, of, .unit = "s")};
    static const fs_stat_table first = FS_STAT_TABLE("other", other), second = FS_STAT_TABLE("foam", own);
    static const fs_stat_table *const tables[] = {&first, &second, NULL};
    static const char *const kinds[] = {"foam", "other", "third"}, *const wanted[] = {"s", "years", "years"};
    static const char *const keys[] = {STORE_KEY("a"), STORE_KEY("b"), STORE_KEY("c")};
    fs_store_parameter parameter[3];
    fs_store_point points[3];
    for (int i = 0; i < 3; i++) {
        parameter[i] =
            (fs_store_parameter){.name = "workload.kind", .value = kinds[i], .number = NAN, .unit = ""};
        points[i] = (fs_store_point){.key = keys[i],
                                     .label = kinds[i],
                                     .geometry_key = STORE_KEY("0"),
                                     .traffic_key = STORE_KEY("1"),
                                     .resolved = "name: x\n",
                                     .parameters = &parameter[i],
                                     .parameter_count = 1,
                                     .status = "pending",
                                     .error = ""};
    }
    const fs_store_sweep sweep = {.name = "units", .text = "", .points = points, .point_count = 3};
    fs_arena *arena = test_arena();
    fs_store *store = store_open("units.db", FS_STORE_WRITE);
    fs_store_units(store, tables);
    store_must(fs_store_put_sweep(store, &sweep, &store_error));
    for (int i = 0; i < 3; i++)
        finish(store, keys[i], 0.1, 50);
    fs_store_sweep read;
    store_must(fs_store_read(store, arena, NULL, &read, &store_error));
    for (int i = 0; i < 3; i++) {
        assert_string_equal(fs_store_figure_of(&read.points[i], "device.seconds")->unit, wanted[i]);
        assert_string_equal(fs_store_figure_of(&read.points[i], "image.psnr_db")->unit, "pages");
    }
    fs_store_close(store);
}

TEST(one_line_queries_answer) {
    fs_store *store = store_open("q.db", FS_STORE_WRITE);
    store_put_three(store);
    finish(store, STORE_KEY("a"), 0.1, 50);
    finish(store, STORE_KEY("b"), 0.05, 30);
    fs_store_close(store);
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open("q.db", &db), SQLITE_OK);
    static const char *const questions[][2] = {
        {"SELECT label FROM best WHERE figure = 'device.seconds' AND rank = 1", "one"},
        {"SELECT count(*) FROM feasible", "1"},
        {"SELECT error FROM failures", "x.yaml:1:1: wrong"},
        {"SELECT \"device.seconds\" FROM wide WHERE \"overlay.kind\" = 'tree'", "0.05"},
        {"SELECT \"workload.batching.idle\" + 1 FROM wide_three WHERE position = 0", "11"},
        {"SELECT typeof(\"workload.batching.idle\") FROM wide WHERE position = 0", "integer"},
        {"SELECT group_concat(coalesce(feasible, 'null')) FROM wide", "1,0,null"},
        {"SELECT count(*) FROM units WHERE name = 'device.seconds'", "1"},
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

/* Of the same cost in one goal only the cheapest in the other is in a front, all of equal ones are; larger may be better. */
TEST(a_front_has_what_nothing_beats) {
    enum { COUNT = 7 };
    static const double value[COUNT][2] = {{4, 9}, {2, 7}, {3, 7}, {1, 5}, {2, 7}, {NAN, 10}, {0, 11}};
    fs_arena *arena = test_arena();
    fs_store_figure figure[COUNT][2];
    fs_store_point point[COUNT];
    memset(point, 0, sizeof point);
    for (int i = 0; i < COUNT; i++) {
        figure[i][0] = (fs_store_figure){.name = "a", .number = value[i][0]};
        figure[i][1] = (fs_store_figure){.name = "b", .number = value[i][1]};
        point[i].figures = figure[i];
        point[i].figure_count = 2;
        point[i].feasible = i != 6;
    }
    const fs_store_sweep sweep = {.points = point, .point_count = COUNT};
    const fs_store_objective less = {.figure = "a"}, more = {.figure = "b", .larger = true};
    size_t count = 0;
    const size_t *front = fs_store_front(arena, &sweep, &less, &more, NULL, &count);
    const size_t wanted[] = {3, 1, 4, 0};
    assert_int_equal(count, 4);
    assert_memory_equal(front, wanted, sizeof wanted);
}

TEST(what_is_done_stays) {
    const char *status;
    fs_store *store = store_open("d.db", FS_STORE_WRITE);
    store_put_three(store);
    finish(store, STORE_KEY("a"), 0.1, 50);
    char *before = export_of(store);
    finish(store, STORE_KEY("a"), 0.2, 60); /* again: passed over */
    store_must(fs_store_mark(store, STORE_KEY("a"), "running", "", &store_error));
    store_must(fs_store_mark(store, STORE_KEY("b"), "running", "", &store_error));
    store_must(fs_store_reset_running(store, &store_error));
    store_put_three(store); /* the sweep once more */
    char *after = export_of(store);
    assert_string_equal(before, after);
    store_must(fs_store_state(store, STORE_KEY("b"), &status, &store_error));
    assert_string_equal(status, "pending");
    store_must(fs_store_state(store, STORE_KEY("9"), &status, &store_error));
    assert_null(status);
    finish(store, STORE_KEY("c"), 0.3, 60); /* a failed one may succeed */
    store_must(fs_store_state(store, STORE_KEY("c"), &status, &store_error));
    assert_string_equal(status, "done");
    json_t *odd = result_of(STORE_KEY("9"), 1, 1);
    assert_int_equal(fs_store_finish(store, odd, &store_error), FS_INPUT);
    json_decref(odd);
    store_error = (fs_error){0};
    odd = json_pack("{s:s}", "key", STORE_KEY("b"));
    assert_int_equal(fs_store_finish(store, odd, &store_error), FS_INPUT);
    json_decref(odd);
    fs_store_close(store);
    free(before);
    free(after);
}

TEST(what_is_not_committed_is_not_there) {
    fs_store *store = store_open("u.db", FS_STORE_WRITE);
    store_put_three(store);
    char *before = export_of(store);
    store_must(fs_store_begin(store, &store_error));
    finish(store, STORE_KEY("a"), 0.1, 50);
    fs_store_close(store);
    pid_t child = fork(); /* killed in the middle of a transaction */
    if (child == 0) {
        store = store_open("u.db", FS_STORE_WRITE);
        store_must(fs_store_begin(store, &store_error));
        finish(store, STORE_KEY("b"), 0.1, 50);
        raise(SIGKILL);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    store = store_open("u.db", FS_STORE_WRITE);
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
    bool bad = fs_store_open("t.db", FS_STORE_READ, &reader, &store_error) != FS_OK; /* readers do not wait */
    fs_store_close(reader);
    bad |= fs_store_open("t.db", FS_STORE_WRITE, &mine, &store_error) != FS_OK;
    bad |= !scratch_there("over");
    json_t *r = result_of(STORE_KEY("b"), 0.3, 45);
    bad |= fs_store_finish(mine, r, &store_error) != FS_OK;
    fs_store_close(mine);
    _exit(bad);
}

TEST(two_writers_take_turns) {
    int how;
    const struct timespec nap = {.tv_nsec = 200000000};
    pid_t child = fork(); /* before the store is open: neither locks nor databases survive a fork */
    if (child == 0)
        second_writer();
    fs_store *store = store_open("t.db", FS_STORE_WRITE);
    store_put_three(store);
    assert_int_equal(system(": > go"), 0);
    nanosleep(&nap, NULL);
    assert_int_equal(waitpid(child, &how, WNOHANG), 0);
    finish(store, STORE_KEY("a"), 0.1, 50);
    assert_int_equal(system(": > over"), 0);
    fs_store_close(store);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    store = store_open("t.db", FS_STORE_READ);
    const char *a, *b;
    store_must(fs_store_state(store, STORE_KEY("a"), &a, &store_error));
    store_must(fs_store_state(store, STORE_KEY("b"), &b, &store_error));
    assert_string_equal(a, "done");
    assert_string_equal(b, "done");
    fs_store_close(store);
}

/* ---- files of all kinds ---- */

/* The first schema, as its foamsim wrote it, with a finished point. */
static const char old_store[] =
    "CREATE TABLE experiments (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entered INTEGER NOT NULL, "
    "text TEXT NOT NULL);CREATE TABLE axes (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE "
    "CASCADE, axis INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (experiment, axis)) WITHOUT "
    "ROWID;CREATE TABLE objectives (experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE, "
    "position INTEGER NOT NULL, figure TEXT NOT NULL, better TEXT NOT NULL, PRIMARY KEY (experiment, "
    "position)) WITHOUT ROWID;CREATE TABLE constraints (experiment INTEGER NOT NULL REFERENCES experiments "
    "ON DELETE CASCADE, position INTEGER NOT NULL, figure TEXT NOT NULL, op TEXT NOT NULL, number REAL, "
    "text TEXT, PRIMARY KEY (experiment, position)) WITHOUT ROWID;CREATE TABLE points (id INTEGER PRIMARY "
    "KEY, key TEXT NOT NULL UNIQUE, geometry_key TEXT NOT NULL, traffic_key TEXT NOT NULL, status TEXT NOT "
    "NULL, error TEXT NOT NULL DEFAULT '', resolved TEXT NOT NULL);CREATE TABLE members (experiment INTEGER "
    "NOT NULL REFERENCES experiments ON DELETE CASCADE, position INTEGER NOT NULL, point INTEGER NOT NULL "
    "REFERENCES points ON DELETE CASCADE, label TEXT NOT NULL, PRIMARY KEY (experiment, position)) WITHOUT "
    "ROWID;CREATE TABLE settings (experiment INTEGER NOT NULL, position INTEGER NOT NULL, axis INTEGER NOT "
    "NULL, value TEXT NOT NULL, number REAL, PRIMARY KEY (experiment, position, axis), FOREIGN KEY "
    "(experiment, position) REFERENCES members ON DELETE CASCADE, FOREIGN KEY (experiment, axis) REFERENCES "
    "axes ON DELETE CASCADE) WITHOUT ROWID;CREATE TABLE parameters (point INTEGER NOT NULL REFERENCES "
    "points ON DELETE CASCADE, name TEXT NOT NULL, value TEXT NOT NULL, number REAL, unit TEXT NOT NULL, "
    "PRIMARY KEY (point, name)) WITHOUT ROWID;CREATE TABLE statistics (point INTEGER NOT NULL REFERENCES "
    "points ON DELETE CASCADE, name TEXT NOT NULL, unit TEXT NOT NULL, value, PRIMARY KEY (point, name)) "
    "WITHOUT ROWID;CREATE TABLE provenance (point INTEGER PRIMARY KEY REFERENCES points ON DELETE CASCADE, "
    "version TEXT NOT NULL, model_version INTEGER NOT NULL, layer TEXT NOT NULL, digest TEXT NOT NULL, host "
    "TEXT NOT NULL, wall_seconds REAL, peak_bytes INTEGER);INSERT INTO experiments VALUES (1, 'old', 1, "
    "'name: old');"
    "INSERT INTO points VALUES (1, '" STORE_KEY(
        "a") "', '', '', 'done', '', 'name: old');"
             "INSERT INTO members VALUES (1, 0, 1, 'first');"
             "INSERT INTO statistics VALUES (1, 'device.seconds', 's', 0.25);"
             "INSERT INTO statistics VALUES (1, 'image.psnr_db', 'dB', NULL);"
             "INSERT INTO statistics VALUES (1, 'image.exact', '', 1);"
             "INSERT INTO statistics VALUES (1, 'image.ssim', '', NULL);"
             "PRAGMA user_version = 1; PRAGMA application_id = 1718575469;";

TEST(an_older_store_is_brought_up_to_date) {
    fs_arena *arena = test_arena();
    store_sql("old.db", old_store);
    fs_store *store = store_open("old.db", FS_STORE_READ);
    fs_store_sweep s;
    store_must(fs_store_read(store, arena, "old", &s, &store_error));
    assert_int_equal(s.point_count, 1);
    assert_true(fs_store_number_of(&s.points[0], "device.seconds") == 0.25);
    assert_string_equal(fs_store_figure_of(&s.points[0], "image.psnr_db")->null_is, "exact");
    assert_null(fs_store_figure_of(&s.points[0], "image.ssim")->null_is);
    fs_store_close(store);
    store = store_open("old.db", FS_STORE_WRITE);
    store_put_three(store);
    fs_store_close(store);
}

/* A step that fails leaves the old store as it was. */
TEST(a_failed_step_changes_nothing) {
    store_sql("hurt.db", old_store);
    store_sql("hurt.db", "CREATE TABLE point_artefacts (odd);"); /* the next schema's own name */
    store_must_refuse("hurt.db", FS_STORE_WRITE, FS_IO, "point_artefacts");
    store_sql("hurt.db",
              "DROP TABLE point_artefacts; CREATE TABLE series (left_alone);"); /* not made half way */
    store_sql("hurt.db", "DROP TABLE series");
    fs_store_close(store_open("hurt.db", FS_STORE_WRITE));
}

TEST(what_is_no_store_is_refused) {
    store_must_refuse("none.db", FS_STORE_READ, FS_INPUT, "no such store");
    store_must_refuse(".", FS_STORE_WRITE, FS_INPUT, "is a folder");
    store_shell("echo 'name: x, not a store' > text.db");
    store_must_refuse("text.db", FS_STORE_WRITE, FS_INPUT, "is no store");
    assert_false(fs_store_is("text.db"));
    store_shell(": > empty.db");
    store_must_refuse("empty.db", FS_STORE_READ, FS_INPUT, "is empty");
    fs_store_close(store_open("empty.db", FS_STORE_WRITE));
    store_sql("other.db", "CREATE TABLE music (title); PRAGMA user_version = 3;");
    store_must_refuse("other.db", FS_STORE_WRITE, FS_INPUT, "no store of foamsim");
    fs_store_close(store_open("new.db", FS_STORE_WRITE));
    store_sql("new.db", "PRAGMA user_version = 1000");
    store_must_refuse("new.db", FS_STORE_READ, FS_INPUT, "newer foamsim");
}

TEST(damage_is_told) {
    fs_store *store = store_open("whole.db", FS_STORE_WRITE);
    store_put_three(store);
    finish(store, STORE_KEY("a"), 0.1, 50);
    fs_store_close(store);
    store_shell("cp whole.db torn.db; head -c 9000 whole.db > short.db");
    store_shell("dd if=/dev/urandom of=torn.db bs=1 seek=4096 count=20000 conv=notrunc 2>/dev/null");
    store_must_refuse("torn.db", FS_STORE_WRITE, FS_IO, "is damaged");
    store_must_refuse("torn.db", FS_STORE_READ, FS_IO, ".recover");
    store_must_refuse("short.db", FS_STORE_READ, FS_IO, "is damaged");
}

/* A disk of a megabyte: writing fails, is told, and what was there stays. */
TEST(a_full_disk_is_told) {
    if (geteuid() != 0 || system("mkdir tiny && mount -t tmpfs -o size=1m tmpfs tiny 2>/dev/null") != 0) {
        print_message("a full disk: skipped, as no small file system can be mounted here\n");
        skip();
    }
    fs_store *store = store_open("tiny/s.db", FS_STORE_WRITE);
    store_put_three(store);
    finish(store, STORE_KEY("a"), 0.1, 50);
    char *before = export_of(store);
    int filled = system("head -c 2000000 /dev/zero > tiny/rest 2>/dev/null");
    (void)filled;
    fs_status status = FS_OK;
    for (int i = 0; i < 4000 && status == FS_OK; i++) {
        char why[4096];
        memset(why, 'a' + i % 26, sizeof why - 1);
        why[sizeof why - 1] = '\0';
        snprintf(why, sizeof why, "%d", i);
        why[strlen(why)] = ' ';
        status = fs_store_mark(store, STORE_KEY("b"), "failed", why, &store_error);
    }
    assert_int_equal(status, FS_IO);
    assert_non_null(strstr(store_error.text, "make room"));
    fs_store_close(store);
    store_shell("rm tiny/rest");
    store = store_open("tiny/s.db", FS_STORE_WRITE);
    char *after = export_of(store);
    assert_string_equal(before, after);
    finish(store, STORE_KEY("b"), 0.1, 50);
    fs_store_close(store);
    store_shell("umount tiny");
    free(before);
    free(after);
}

RUN_TESTS(scratch_enter, scratch_leave)
