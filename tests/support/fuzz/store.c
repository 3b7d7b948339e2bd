/* Stores: the bytes of one, and cells of a whole one's tables changed by SQLite, past the library.
 *
 * A change takes 16 bytes: table, column, row, kind; then a number, or a text of at most 12 bytes. */
#include "sim/store/store.h"
#include "registry/registry.h"
#include "reports/study/study.h"
#include "tests/support/fuzz/targets.h"
#include "tests/support/pages/run_folder.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGE = 16, MOST_CHANGES = 8, MOST_COLUMNS = 7 };

static const struct {
    const char *name, *key, *column[MOST_COLUMNS + 1];
} tables[] = {
    {"experiments", "id", {"id", "name", "entered", "text"}},
    {"axes", "experiment, axis", {"experiment", "axis", "name"}},
    {"objectives", "experiment, position", {"experiment", "position", "figure", "better"}},
    {"constraints", "experiment, position", {"experiment", "position", "figure", "op", "number", "text"}},
    {"points", "id", {"id", "key", "geometry_key", "traffic_key", "status", "error", "resolved"}},
    {"members", "experiment, position", {"experiment", "position", "point", "label"}},
    {"settings", "experiment, position, axis", {"experiment", "position", "axis", "value", "number"}},
    {"parameters", "point, name", {"point", "name", "value", "number", "unit"}},
    {"statistics", "point, name", {"point", "name", "unit", "value"}},
    {"provenance", "point", {"point", "version", "model_version", "layer", "digest", "wall_seconds"}},
    {"judgements", "experiment, kind", {"experiment", "kind", "text"}},
    {"prices", "key", {"key", "point", "figures"}},
};

/* What was judged of a sweep, and a price of it. */
static void ask_judged(fs_store *store, const char *sweep) {
    static const char *const kinds[] = {"search", "robust"};
    static const char key[] = "0000000000000000000000000000000000000000000000000000000000000000";
    static fs_error err;
    json_t *found = NULL;
    for (size_t k = 0; k < 2; k++) {
        err = (fs_error){.status = FS_OK};
        fuzz_check(fs_store_judgement(store, sweep, kinds[k], &found, &err), &err);
        json_decref(found);
    }
    err = (fs_error){.status = FS_OK};
    fuzz_check(fs_store_price(store, key, &found, &err), &err);
    json_decref(found);
}

/* Whatever is asked of a store, it answers, or says what is wrong. */
static void ask(const char *path) {
    static fs_error err;
    fs_store *store = NULL;
    err = (fs_error){.status = FS_OK};
    fs_status status = fs_store_open(path, FS_STORE_READ, &store, &err);
    fuzz_check(status, &err);
    if (status != FS_OK)
        return;
    fs_arena *arena = fs_arena_create();
    const char *const *names = NULL;
    size_t count = 0, bytes = 0;
    char *text = NULL;
    status = fs_store_sweeps(store, arena, &names, &count, &err);
    fuzz_check(status, &err);
    for (size_t i = 0; i < count && status == FS_OK; i++) {
        fs_store_sweep sweep;
        status = fs_store_read(store, arena, names[i], &sweep, &err);
        fuzz_check(status, &err);
        if (status == FS_OK && fs_study_of(&sweep, &fs_registry_all, arena) == NULL)
            abort();
        ask_judged(store, names[i]);
    }
    FILE *out = open_memstream(&text, &bytes);
    if (out == NULL)
        abort();
    err = (fs_error){.status = FS_OK};
    fuzz_check(fs_store_export(store, out, &err), &err);
    fclose(out);
    free(text);
    fs_arena_free(arena);
    fs_store_close(store);
}

void fuzz_store(const uint8_t *data, size_t size) {
    ask(fuzz_file("s.db", data, size));
}

static void bind(sqlite3_stmt *s, const uint8_t *how) {
    int64_t whole;
    double real;
    memcpy(&whole, how + 4, sizeof whole);
    memcpy(&real, how + 4, sizeof real);
    switch (how[3] % 6) {
    case 0:
        sqlite3_bind_int64(s, 1, whole);
        break;
    case 1:
        sqlite3_bind_int64(s, 1, (int8_t)how[4]);
        break;
    case 2:
        sqlite3_bind_double(s, 1, real);
        break;
    case 3:
        sqlite3_bind_blob(s, 1, how + 4, how[15] % 12, SQLITE_TRANSIENT);
        break;
    case 4:
        sqlite3_bind_text(s, 1, (const char *)how + 4, how[15] % 12, SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_null(s, 1);
    }
}

/* What the tables' own rules forbid is left out. */
static void change(sqlite3 *db, const uint8_t *how) {
    const size_t t = how[0] % (sizeof tables / sizeof *tables);
    size_t columns = 0;
    char sql[512];
    while (tables[t].column[columns] != NULL)
        columns++;
    const char *column = tables[t].column[how[1] % columns];
    if (how[3] >= 240)
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE (%s) IN (SELECT %s FROM %s LIMIT 1 OFFSET ?2)",
                 tables[t].name, tables[t].key, tables[t].key, tables[t].name);
    else
        snprintf(sql, sizeof sql, "UPDATE %s SET %s = ?1 WHERE (%s) IN (SELECT %s FROM %s LIMIT 1 OFFSET ?2)",
                 tables[t].name, column, tables[t].key, tables[t].key, tables[t].name);
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
        abort();
    }
    bind(s, how);
    sqlite3_bind_int(s, 2, how[2]);
    sqlite3_step(s);
    sqlite3_finalize(s);
}

void fuzz_rows(const uint8_t *data, size_t size) {
    static char *whole;
    static size_t bytes;
    if (whole == NULL)
        whole = file_read("tests/fuzz/seeds/store/two.db", &bytes);
    const char *path = fuzz_file("rows.db", whole, bytes);
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db,
                     "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = "
                     "ON; BEGIN",
                     NULL, NULL, NULL) != SQLITE_OK)
        abort();
    for (size_t c = 0; c < MOST_CHANGES && (c + 1) * CHANGE <= size; c++)
        change(db, data + c * CHANGE);
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        abort();
    sqlite3_close(db);
    ask(path);
}
