/* Statements, transactions and SQLite's errors in the words of the house. */
#include "sim/host/signals.h"
#include "sim/store/private.h"

#include <math.h>
#include <stdarg.h>

fs_status fs_store_damaged(const fs_store *store, const char *said, fs_error *err) {
    return fs_fail(err, FS_IO,
                   "%s is damaged (%s); what can be read of it comes out with\n"
                   "sqlite3 %s .recover | sqlite3 NEW.db\n"
                   "then run the sweep again with --store NEW.db: what is in there is not run again",
                   store->path, said, store->path);
}

fs_status fs_store_fail(fs_store *store, fs_error *err) {
    int code = store->db == NULL ? SQLITE_NOMEM : sqlite3_errcode(store->db);
    const char *said = store->db == NULL ? "no memory" : sqlite3_errmsg(store->db);
    switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return fs_fail(
            err, FS_IO,
            "%s: cannot be written: %s; what is in it is whole: make room and give the same command "
            "again",
            store->path, said);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return fs_store_damaged(store, said, err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted while waiting for the other program that uses %s",
                           store->path);
        return fs_fail(err, FS_IO, "%s: another program has kept it locked for a minute: %s", store->path,
                       said);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return fs_fail(err, FS_IO, "%s: cannot be opened or written: %s", store->path, said);
    default:
        return fs_fail(err, FS_IO, "%s: %s", store->path, said);
    }
}

static sqlite3_stmt *prepare(fs_store *store, const char *sql, fs_error *err) {
    for (size_t i = 0; i < store->prepared_count; i++)
        if (store->prepared[i].sql == sql) {
            sqlite3_reset(store->prepared[i].statement);
            sqlite3_clear_bindings(store->prepared[i].statement);
            return store->prepared[i].statement;
        }
    FS_ASSERT(store->prepared_count < FS_STORE_STATEMENTS, "too many different statements");
    sqlite3_stmt *made = NULL;
    if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL) != SQLITE_OK) {
        fs_store_fail(store, err);
        return NULL;
    }
    store->prepared[store->prepared_count].sql = sql;
    store->prepared[store->prepared_count++].statement = made;
    return made;
}

sqlite3_stmt *fs_store_bind(fs_store *store, fs_error *err, const char *sql, const char *types, ...) {
    sqlite3_stmt *s = prepare(store, sql, err);
    if (s == NULL)
        return NULL;
    va_list values;
    va_start(values, types);
    int got = SQLITE_OK;
    for (int i = 0; types[i] != '\0' && got == SQLITE_OK; i++) {
        if (types[i] == 't') {
            const char *text = va_arg(values, const char *);
            got = sqlite3_bind_text(s, i + 1, text, -1, SQLITE_TRANSIENT);
        } else if (types[i] == 'i') {
            got = sqlite3_bind_int64(s, i + 1, va_arg(values, int64_t));
        } else {
            double number = va_arg(values, double);
            got = isfinite(number) ? sqlite3_bind_double(s, i + 1, number) : sqlite3_bind_null(s, i + 1);
        }
    }
    va_end(values);
    if (got == SQLITE_OK)
        return s;
    fs_store_fail(store, err);
    return NULL;
}

fs_status fs_store_step(fs_store *store, sqlite3_stmt *s, bool *row, fs_error *err) {
    int got = sqlite3_step(s);
    *row = got == SQLITE_ROW;
    if (got == SQLITE_ROW || got == SQLITE_DONE) {
        if (got == SQLITE_DONE)
            sqlite3_reset(s);
        return FS_OK;
    }
    fs_store_fail(store, err);
    sqlite3_reset(s);
    return err->status;
}

fs_status fs_store_do(fs_store *store, sqlite3_stmt *s, fs_error *err) {
    bool row = false;
    if (s == NULL)
        return err->status;
    return fs_store_step(store, s, &row, err);
}

fs_status fs_store_whole(fs_store *store, sqlite3_stmt *s, int64_t *value, fs_error *err) {
    bool row = false;
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    *value = row ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return FS_OK;
}

fs_status fs_store_exec(fs_store *store, const char *sql, fs_error *err) {
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? FS_OK : fs_store_fail(store, err);
}

/* ---- transactions ---- */

fs_status fs_store_begin(fs_store *store, fs_error *err) {
    if (store->depth == 0 && fs_store_exec(store, "BEGIN IMMEDIATE", err))
        return err->status;
    store->depth++;
    return FS_OK;
}

fs_status fs_store_commit(fs_store *store, fs_error *err) {
    if (store->depth == 0) /* an error since has undone it */
        return fs_fail(err, FS_IO, "%s: nothing to commit: it has been undone", store->path);
    if (store->depth > 1) {
        store->depth--;
        return FS_OK;
    }
    if (fs_store_exec(store, "COMMIT", err)) {
        fs_store_undo(store);
        return err->status;
    }
    store->depth = 0;
    return FS_OK;
}

void fs_store_undo(fs_store *store) {
    if (sqlite3_get_autocommit(store->db) == 0) /* some errors have undone it already */
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    store->depth = 0;
}

/* ---- columns ---- */

const char *fs_store_text(fs_arena *arena, sqlite3_stmt *s, int column) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text == NULL ? NULL : fs_arena_strdup(arena, text);
}

double fs_store_real(sqlite3_stmt *s, int column) {
    return sqlite3_column_type(s, column) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(s, column);
}
