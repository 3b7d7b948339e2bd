/* What was judged of a sweep as a whole: a text of JSON beside it. */
#include "sim/base/alloc.h"
#include "sim/store/private.h"

#include <stdlib.h>

static fs_status experiment_of(fs_store *store, const char *sweep, int64_t *id, fs_error *err) {
    bool row = false;
    sqlite3_stmt *s = fs_store_bind(store, err, "SELECT id FROM experiments WHERE name = ?", "t", sweep);
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    *id = row ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_reset(s);
    return row ? FS_OK : fs_fail(err, FS_INPUT, "%s holds no sweep \"%s\"", store->path, sweep);
}

fs_status fs_store_put_judgement(fs_store *store, const char *sweep, const char *kind,
                                 const json_t *judgement, fs_error *err) {
    int64_t id = 0;
    if (experiment_of(store, sweep, &id, err))
        return err->status;
    char *text = json_dumps(judgement, JSON_COMPACT);
    if (text == NULL)
        fs_no_memory();
    FS_STORE_RUN(store, err, "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?)", "itt", id, kind, text);
    free(text);
    return err->status;
}

fs_status fs_store_judgement(fs_store *store, const char *sweep, const char *kind, json_t **judgement,
                             fs_error *err) {
    bool row = false;
    *judgement = NULL;
    sqlite3_stmt *s =
        fs_store_bind(store, err,
                      "SELECT coalesce(j.text, '') FROM judgements j JOIN experiments e ON e.id = "
                      "j.experiment WHERE e.name = ? AND j.kind = ?",
                      "tt", sweep, kind);
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    const char *text = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (text != NULL) {
        *judgement = json_loads(text, 0, NULL);
        if (*judgement == NULL)
            fs_fail(err, FS_IO, "%s is damaged: its judgement \"%s\" of the sweep %s is no JSON", store->path,
                    kind, sweep);
    }
    sqlite3_reset(s);
    return err->status;
}
