/* Stores that somebody else made: what is wrong in them is told, what is theirs is read. */
#include "tests/support/scratch.h"
#include "tests/support/sweep/store_case.h"
#include "tests/support/test.h"

#include <sys/wait.h>
#include <unistd.h>

/* Numbers of a schema that is none: nothing beside the steps is run as SQL. */
TEST(a_schema_without_its_number_is_damage) {
    static const char *const numbers[] = {"-1", "-100000", "-2147483648", "0"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[64];
        fs_store_close(store_open("number.db", FS_STORE_WRITE));
        snprintf(text, sizeof text, "PRAGMA user_version = %s", numbers[i]);
        store_sql("number.db", text);
        store_must_refuse("number.db", FS_STORE_READ, FS_IO, "is damaged: its schema has the number");
        store_must_refuse("number.db", FS_STORE_WRITE, FS_IO, "is damaged: its schema has the number");
        store_shell("rm number.db*");
    }
}

/* Rows that do not fit each other are told; none of them is believed. */
TEST(rows_that_do_not_fit_are_damage) {
    static const char *const changes[] = {
        "DELETE FROM members",
        "DELETE FROM axes",
        "UPDATE settings SET position = -1 WHERE position = 0",
        "UPDATE settings SET position = 2000000000 WHERE position = 0",
        "UPDATE settings SET axis = -1 WHERE axis = 0",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fs_store *store = store_open("rows.db", FS_STORE_WRITE);
        store_put_three(store);
        fs_store_close(store);
        store_sql("rows.db", changes[i]);
        fs_arena *arena = test_arena();
        fs_store_sweep s;
        store = store_open("rows.db", FS_STORE_READ);
        if (fs_store_read(store, arena, "three", &s, &store_error) != FS_IO ||
            strstr(store_error.text, "is damaged") == NULL)
            fail_msg("%s: found \"%s\"", changes[i], store_error.text);
        fs_store_close(store);
        store_shell("rm rows.db*");
    }
}

/* Tables of the right names whose columns may be null, as somebody else's SQL makes them. */
TEST(nulls_of_a_store_made_by_hand_are_empty) {
    fs_arena *arena = test_arena();
    fs_store *store = store_open("null.db", FS_STORE_WRITE);
    store_put_three(store);
    fs_store_close(store);
    store_sql(
        "null.db",
        "CREATE TABLE o AS SELECT * FROM objectives; DROP TABLE objectives;"
        "CREATE TABLE objectives AS SELECT experiment, position, NULL AS figure, NULL AS better FROM o;"
        "CREATE TABLE q AS SELECT * FROM parameters; DROP TABLE parameters;"
        "CREATE TABLE parameters AS SELECT point, NULL AS name, NULL AS value, number, NULL AS unit FROM q;");
    store = store_open("null.db", FS_STORE_READ);
    fs_store_sweep s;
    store_must(fs_store_read(store, arena, "three", &s, &store_error));
    assert_string_equal(s.objectives[0].figure, "");
    assert_string_equal(s.points[0].parameters[0].name, "");
    fs_store_close(store);
}

/* What a schema computes, without end if its maker wishes so, is not asked for. */
TEST(a_schema_that_computes_is_refused) {
    static const char *const changes[] = {
        "CREATE TABLE was AS SELECT * FROM members; DROP TABLE members; CREATE VIEW members AS WITH "
        "RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n) SELECT 1 AS experiment, i AS "
        "position, 1 AS point, '' AS label FROM n",
        "DROP TABLE axes; CREATE VIEW axes AS SELECT 1 AS experiment, 0 AS axis, 'a' AS name",
        "DROP TABLE axes; CREATE VIRTUAL TABLE axes USING fts5(experiment, axis, name)",
        "DROP TABLE axes; CREATE TABLE axes (experiment, axis, name AS (hex(zeroblob(1000000 + axis))))",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fs_store *store = store_open("computes.db", FS_STORE_WRITE);
        store_put_three(store);
        fs_store_close(store);
        store_sql("computes.db", changes[i]);
        fs_arena *arena = test_arena();
        fs_store_sweep s;
        fs_error e = {0};
        store = NULL;
        alarm(20);
        if (fs_store_open("computes.db", FS_STORE_READ, &store, &e) == FS_OK)
            fs_store_read(store, arena, "three", &s, &e);
        alarm(0);
        if (strstr(e.text, "tables that compute") == NULL)
            fail_msg("%s: found \"%s\"", changes[i], e.text);
        fs_store_close(store);
        store_shell("rm computes.db*");
    }
}

/* A trigger does nothing; what a table demands of its values is not worked out, and a value has a limit. */
TEST(a_schema_that_acts_does_nothing) {
    fs_store *store = store_open("acts.db", FS_STORE_WRITE);
    store_put_three(store);
    fs_store_close(store);
    store_sql("acts.db", "CREATE TABLE o AS SELECT * FROM objectives; DROP TABLE objectives;"
                         "CREATE TABLE objectives (experiment, position, figure, better, "
                         "CHECK (length(hex(zeroblob(30000000))) + length(figure) > 0));"
                         "INSERT INTO objectives SELECT * FROM o; DROP TABLE o;"
                         "CREATE TRIGGER t BEFORE UPDATE ON points BEGIN DELETE FROM members; END;");
    alarm(20);
    store = store_open("acts.db", FS_STORE_WRITE);
    alarm(0);
    store_must(fs_store_mark(store, STORE_KEY("1"), "running", "", &store_error));
    fs_arena *arena = test_arena();
    fs_store_sweep s;
    store_must(fs_store_read(store, arena, "three", &s, &store_error));
    assert_int_equal(s.point_count, 3);
    assert_int_equal(s.objective_count, 2);
    fs_store_close(store);
}

/* A store in a folder that this user may not write to. */
TEST(a_store_of_another_user_is_read) {
    store_shell("mkdir -p 'their % ?' && chmod 0755 . 'their % ?'");
    fs_store *store = store_open("their % ?/s.db", FS_STORE_WRITE);
    store_put_three(store);
    fs_store_close(store);
    store_shell("chmod 0444 'their % ?/s.db' && chmod 0555 'their % ?'");
    fflush(NULL);
    pid_t other = fork();
    if (other == 0) {
        fs_arena *arena = fs_arena_create();
        fs_store_sweep s = {0};
        fs_error e = {0};
        store = NULL;
        bool fine = (geteuid() != 0 || setuid(65534) == 0) &&
                    fs_store_open("their % ?/s.db", FS_STORE_READ, &store, &e) == FS_OK &&
                    fs_store_read(store, arena, "three", &s, &e) == FS_OK && s.point_count == 3;
        if (!fine)
            fprintf(stderr, "%s\n", e.text);
        fs_store_close(store);
        _exit(fine ? 0 : 1);
    }
    int how = 1;
    assert_int_equal(waitpid(other, &how, 0), other);
    assert_int_equal(how, 0);
    store_shell("chmod 0755 'their % ?'");
}

RUN_TESTS(scratch_enter, scratch_leave)
