/* The wide views: one row a point, one column for what was chosen, what came out, and whether it is feasible. */
#include "sim/base/alloc.h"
#include "sim/store/private.h"

#include <ctype.h>
#include <stdlib.h>
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
        const size_t c = i - sweep->objective_count;
        const char *figure =
            i < sweep->objective_count ? sweep->objectives[i].figure : sweep->constraints[c].figure;
        bool again = false;
        for (size_t k = 0; k < i && !again; k++)
            again = strcmp(figure, k < sweep->objective_count
                                       ? sweep->objectives[k].figure
                                       : sweep->constraints[k - sweep->objective_count].figure) == 0;
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

/* The texts of a query's first column: [*count]. */
static const char **texts(fs_store *store, fs_arena *arena, const char *sql, int64_t id, size_t *count,
                          fs_error *err) {
    const char **list = NULL;
    size_t room = 0;
    sqlite3_stmt *s = fs_store_bind(store, err, sql, "i", id);
    *count = 0;
    for (bool row = s != NULL; row;) {
        if (fs_store_step(store, s, &row, err) || !row)
            break;
        if (*count == room) {
            const char **wider = FS_NEW(arena, const char *, 2 * room + 8);
            if (*count > 0)
                memcpy(wider, list, *count * sizeof *list);
            list = wider;
            room = 2 * room + 8;
        }
        list[(*count)++] = fs_store_text(arena, s, 0);
    }
    return list;
}

static fs_status renew(fs_store *store, fs_arena *arena, const char *name, int64_t id, fs_error *err) {
    size_t axes = 0, goals = 0, limits = 0;
    const char **axis =
        texts(store, arena, "SELECT name FROM axes WHERE experiment = ? ORDER BY axis", id, &axes, err);
    const char **goal =
        texts(store, arena, "SELECT figure FROM objectives WHERE experiment = ? ORDER BY position", id,
              &goals, err);
    const char **limit =
        texts(store, arena, "SELECT figure FROM constraints WHERE experiment = ? ORDER BY position", id,
              &limits, err);
    if (err->status)
        return err->status;
    fs_store_objective *objective = FS_NEW(arena, fs_store_objective, goals + 1);
    fs_store_constraint *constraint = FS_NEW(arena, fs_store_constraint, limits + 1);
    for (size_t i = 0; i < goals; i++)
        objective[i].figure = goal[i] == NULL ? "" : goal[i];
    for (size_t i = 0; i < limits; i++)
        constraint[i].figure = limit[i] == NULL ? "" : limit[i];
    const fs_store_sweep sweep = {.name = name,
                                  .axes = axis,
                                  .axis_count = axes,
                                  .objectives = objective,
                                  .objective_count = goals,
                                  .constraints = constraint,
                                  .constraint_count = limits};
    return fs_store_put_views(store, &sweep, id, err);
}

fs_status fs_store_renew_views(fs_store *store, fs_error *err) {
    size_t count = 0, ids = 0;
    fs_arena *arena = fs_arena_create();
    const char **name =
        texts(store, arena, "SELECT name FROM experiments WHERE ? = 0 ORDER BY entered", 0, &count, err);
    const char **id =
        texts(store, arena, "SELECT id FROM experiments WHERE ? = 0 ORDER BY entered", 0, &ids, err);
    for (size_t i = 0; i < count && i < ids && err->status == FS_OK; i++)
        if (name[i] != NULL && id[i] != NULL)
            renew(store, arena, name[i], strtoll(id[i], NULL, 10), err);
    fs_arena_free(arena);
    return err->status;
}
