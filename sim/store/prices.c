/* Prices of points where something uncertain is otherwise than in their configuration. */
#include "sim/base/alloc.h"
#include "sim/store/private.h"

#include <stdlib.h>

fs_status fs_store_put_price(fs_store *store, const char *point, const char *key, const json_t *figures,
                             fs_error *err) {
    char *text = json_dumps(figures, JSON_COMPACT);
    if (text == NULL)
        fs_no_memory();
    FS_STORE_RUN(store, err, "INSERT OR REPLACE INTO prices SELECT ?, id, ? FROM points WHERE key = ?", "ttt",
                 key, text, point);
    free(text);
    return err->status;
}

fs_status fs_store_price(fs_store *store, const char *key, json_t **figures, fs_error *err) {
    bool row = false;
    *figures = NULL;
    sqlite3_stmt *s =
        fs_store_bind(store, err, "SELECT coalesce(figures, '') FROM prices WHERE key = ?", "t", key);
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    const char *text = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (text != NULL) {
        *figures = json_loads(text, 0, NULL);
        if (!json_is_object(*figures)) {
            json_decref(*figures);
            *figures = NULL;
            fs_fail(err, FS_IO, "%s is damaged: its price %.12s is no JSON object", store->path, key);
        }
    }
    sqlite3_reset(s);
    return err->status;
}
