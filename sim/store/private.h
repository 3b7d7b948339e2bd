/* Shared by the files of sim/store only. */
#pragma once

#include "sim/store/store.h"

#include <sqlite3.h>

enum { FS_STORE_STATEMENTS = 64, FS_STORE_APPLICATION = 0x666f616d }; /* "foam" */

struct fs_store {
    sqlite3 *db;
    char *path;
    int lock;  /* of STORE.lock; -1: reading */
    int depth; /* of fs_store_begin */
    const fs_stat_table *const *units;
    struct {
        const char *sql; /* compared by address: texts are literals */
        sqlite3_stmt *statement;
    } prepared[FS_STORE_STATEMENTS];
    size_t prepared_count;
};

/* The SQL that leads from version i to i + 1, [fs_store_version]. */
extern const char *const fs_store_migrations[];
extern const int fs_store_version;

/* The views `wide` and `wide_NAME` of a sweep with that id (views.c). */
fs_status fs_store_put_views(fs_store *store, const fs_store_sweep *sweep, int64_t id, fs_error *err);
/* Those of all sweeps, made anew from the tables. */
fs_status fs_store_renew_views(fs_store *store, fs_error *err);

/* What SQLite says, as an error with the store's path and what to do; and that it is damaged, as `said`. */
fs_status fs_store_fail(fs_store *store, fs_error *err);
fs_status fs_store_damaged(const fs_store *store, const char *said, fs_error *err);

/* A statement, reset and with its values bound: one letter of `types` for each: t text (NULL: null), i
 * int64_t, r double (not finite: null). Kept prepared; `sql` is a literal. NULL after an error. */
sqlite3_stmt *fs_store_bind(fs_store *store, fs_error *err, const char *sql, const char *types, ...);
/* Runs a statement without rows. */
fs_status fs_store_do(fs_store *store, sqlite3_stmt *statement, fs_error *err);
/* Binds it and runs it: `...` from sql on. */
#define FS_STORE_RUN(store, err, ...) fs_store_do(store, fs_store_bind(store, err, __VA_ARGS__), err)
/* The next row: *row false at the end. */
fs_status fs_store_step(fs_store *store, sqlite3_stmt *statement, bool *row, fs_error *err);
/* The whole number that a statement (NULL after an error) selects; 0: no row. Its arguments from sql on. */
fs_status fs_store_whole(fs_store *store, sqlite3_stmt *statement, int64_t *value, fs_error *err);
#define FS_STORE_WHOLE(store, err, value, ...)                                                               \
    fs_store_whole(store, fs_store_bind(store, err, __VA_ARGS__), value, err)
/* Several statements, without values. */
fs_status fs_store_exec(fs_store *store, const char *sql, fs_error *err);

/* A column of the current row; texts are copied, NULL where the value is null. */
const char *fs_store_text(fs_arena *arena, sqlite3_stmt *statement, int column);
double fs_store_real(sqlite3_stmt *statement, int column); /* NAN where the value is null */

/* Axes, objectives and constraints of the sweep with that id (read.c). */
fs_status fs_store_read_heads(fs_store *store, fs_arena *arena, int64_t id, fs_store_sweep *sweep,
                              fs_error *err);
