/* The wide views: one row a point, one column for what was chosen, what came out, and whether it is feasible. */
#include "sim/base/alloc.h"
#include "sim/store/private.h"

#include <ctype.h>
#include <string.h>

enum { NAME_BYTES = 256 };

/* Numbers of an axis in its base unit, whole ones as integers; words as they were written. */
static void add_axis(sqlite3_str *sql, int axis, const char *name) {
    sqlite3_str_appendf(sql,
                        ", (SELECT CASE WHEN s.number IS NULL THEN s.value WHEN s.number = CAST(s.number AS "
                        "INTEGER) THEN CAST(s.number AS INTEGER) ELSE s.number END FROM settings s WHERE "
                        "s.experiment = m.experiment AND s.position = m.position AND s.axis = %d) AS \"%w\"",
                        axis, name);
}

/* A view of one row a point: what was chosen, the figures that objectives and constraints speak of. */
static fs_status put_view(fs_store *store, const fs_store_sweep *sweep, int64_t id, const char *name,
                          fs_error *err) {
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendf(sql, "DROP VIEW IF EXISTS \"%w\"; CREATE VIEW \"%w\" AS SELECT m.position", name,
                        name);
    for (size_t a = 0; a < sweep->axis_count; a++)
        add_axis(sql, (int)a, sweep->axes[a]);
    sqlite3_str_appendf(sql,
                        ", p.status, CASE p.status WHEN 'done' THEN EXISTS (SELECT 1 FROM feasible f WHERE "
                        "f.sweep = %Q AND f.position = m.position) END AS feasible",
                        sweep->name);
    for (size_t i = 0; i < sweep->objective_count + sweep->constraint_count; i++) {
        const char *figure = fs_store_wanted(sweep, i);
        bool again = false;
        for (size_t k = 0; k < i && !again; k++)
            again = strcmp(figure, fs_store_wanted(sweep, k)) == 0;
        if (!again)
            sqlite3_str_appendf(
                sql, ", (SELECT t.value FROM statistics t WHERE t.point = m.point AND t.name = %Q) AS \"%w\"",
                figure, figure);
    }
    sqlite3_str_appendf(sql,
                        ", substr(p.key, 1, 12) AS short FROM members m JOIN points p ON p.id = m.point "
                        "WHERE m.experiment = %lld",
                        (long long)id);
    char *text = sqlite3_str_finish(sql);
    if (text == NULL)
        fs_no_memory();
    fs_store_exec(store, text, err);
    sqlite3_free(text);
    return err->status;
}

fs_status fs_store_put_views(fs_store *store, const fs_store_sweep *sweep, int64_t id, fs_error *err) {
    char name[NAME_BYTES] = "wide_";
    size_t n = strlen(name);
    for (const char *at = sweep->name; *at != '\0' && n + 1 < sizeof name; at++)
        name[n++] = (char)(isalnum((unsigned char)*at) ? *at : '_');
    name[n] = '\0';
    fs_status bad = put_view(store, sweep, id, name, err);
    return bad ? bad : put_view(store, sweep, id, "wide", err);
}

/* ---- of a store that an older foamsim made ---- */

fs_status fs_store_renew_views(fs_store *store, fs_error *err) {
    const char *const *name = NULL;
    size_t count = 0;
    fs_arena *arena = fs_arena_create();
    fs_store_sweeps(store, arena, &name, &count, err);
    for (size_t i = count; i-- > 0 && err->status == FS_OK;) { /* `wide` is of the latest */
        fs_store_sweep sweep = {.name = name[i]};
        int64_t id = 0;
        if (FS_STORE_WHOLE(store, err, &id, "SELECT id FROM experiments WHERE name = ?", "t", name[i]) ==
                FS_OK &&
            id != 0 && fs_store_read_heads(store, arena, id, &sweep, err) == FS_OK)
            fs_store_put_views(store, &sweep, id, err);
    }
    fs_arena_free(arena);
    return err->status;
}
