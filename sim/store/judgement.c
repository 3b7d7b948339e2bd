/* Texts of JSON in a store: what was judged of a sweep as a whole, and what points come to where something
 * uncertain is otherwise than in their configuration. */
#include "sim/base/alloc.h"
#include "sim/store/private.h"

#include <stdlib.h>

static char *text_of(const json_t *json) {
    char *text = json_dumps(json, JSON_COMPACT);
    if (text == NULL)
        fs_no_memory();
    return text;
}

/* The JSON that a statement (NULL after an error) selects, the caller's; NULL without a row, and where it is
 * none: *damaged. */
static fs_status json_of(fs_store *store, sqlite3_stmt *s, json_t **json, bool *damaged, fs_error *err) {
    bool row = false;
    *json = NULL;
    *damaged = false;
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    const char *text = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (text != NULL)
        *json = json_loads(text, 0, NULL);
    *damaged = text != NULL && *json == NULL;
    sqlite3_reset(s);
    return FS_OK;
}

/* ---- judgements ---- */

fs_status fs_store_put_judgement(fs_store *store, const char *sweep, const char *kind,
                                 const json_t *judgement, fs_error *err) {
    int64_t id = 0;
    if (FS_STORE_WHOLE(store, err, &id, "SELECT id FROM experiments WHERE name = ?", "t", sweep))
        return err->status;
    if (id == 0)
        return fs_fail(err, FS_INPUT, "%s holds no sweep \"%s\"", store->path, sweep);
    char *text = text_of(judgement);
    FS_STORE_RUN(store, err, "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?)", "itt", id, kind, text);
    free(text);
    return err->status;
}

fs_status fs_store_judgement(fs_store *store, const char *sweep, const char *kind, json_t **judgement,
                             fs_error *err) {
    bool damaged;
    sqlite3_stmt *s =
        fs_store_bind(store, err,
                      "SELECT coalesce(j.text, '') FROM judgements j JOIN experiments e ON e.id = "
                      "j.experiment WHERE e.name = ? AND j.kind = ?",
                      "tt", sweep, kind);
    json_of(store, s, judgement, &damaged, err);
    return damaged ? fs_fail(err, FS_IO, "%s is damaged: its judgement \"%s\" of the sweep %s is no JSON",
                             store->path, kind, sweep)
                   : err->status;
}

/* ---- prices ---- */

fs_status fs_store_put_price(fs_store *store, const char *point, const char *key, const json_t *figures,
                             fs_error *err) {
    char *text = text_of(figures);
    FS_STORE_RUN(store, err, "INSERT OR REPLACE INTO prices SELECT ?, id, ? FROM points WHERE key = ?", "ttt",
                 key, text, point);
    free(text);
    return err->status;
}

fs_status fs_store_price(fs_store *store, const char *key, json_t **figures, fs_error *err) {
    bool damaged;
    sqlite3_stmt *s =
        fs_store_bind(store, err, "SELECT coalesce(figures, '') FROM prices WHERE key = ?", "t", key);
    json_of(store, s, figures, &damaged, err);
    if (*figures != NULL && !json_is_object(*figures)) {
        json_decref(*figures);
        *figures = NULL;
        damaged = true;
    }
    return damaged ? fs_fail(err, FS_IO, "%s is damaged: its price %.12s is no JSON object", store->path, key)
                   : err->status;
}
