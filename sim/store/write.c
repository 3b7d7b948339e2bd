/* What goes into a store: sweeps with their points, states, results. */
#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/results/results.h"
#include "sim/store/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const op_words[] = {"equals", "at_least", "at_most"};

/* Ends the transaction that a public call began. */
static fs_status end(fs_store *store, fs_error *err) {
    if (err->status == FS_OK)
        return fs_store_commit(store, err);
    fs_store_undo(store);
    return err->status;
}

/* ---- sweeps ---- */

static fs_status put_heads(fs_store *store, const fs_store_sweep *sweep, int64_t id, fs_error *err) {
    for (size_t i = 0; i < sweep->axis_count && err->status == FS_OK; i++)
        FS_STORE_RUN(store, err, "INSERT INTO axes VALUES (?, ?, ?, ?)", "iiti", id, (int64_t)i,
                     sweep->axes[i], (int64_t)(sweep->conditions != NULL && sweep->conditions[i]));
    for (size_t i = 0; i < sweep->objective_count && err->status == FS_OK; i++) {
        const fs_store_objective *o = &sweep->objectives[i];
        FS_STORE_RUN(store, err, "INSERT INTO objectives VALUES (?, ?, ?, ?)", "iitt", id, (int64_t)i,
                     o->figure, o->larger ? "larger" : "smaller");
    }
    for (size_t i = 0; i < sweep->constraint_count && err->status == FS_OK; i++) {
        const fs_store_constraint *c = &sweep->constraints[i];
        FS_STORE_RUN(store, err, "INSERT INTO constraints VALUES (?, ?, ?, ?, ?, ?)", "iittrt", id,
                     (int64_t)i, c->figure, op_words[c->op], c->text == NULL ? c->number : (double)NAN,
                     c->text);
    }
    return err->status;
}

static fs_status put_parameters(fs_store *store, const fs_store_point *p, int64_t id, fs_error *err) {
    for (size_t i = 0; i < p->parameter_count && err->status == FS_OK; i++) {
        const fs_store_parameter *q = &p->parameters[i];
        FS_STORE_RUN(store, err, "INSERT INTO parameters VALUES (?, ?, ?, ?, ?)", "ittrt", id, q->name,
                     q->value, q->number, q->unit);
    }
    return err->status;
}

/* The row of a point, or 0 when it is not known. */
static fs_status point_id(fs_store *store, const char *key, int64_t *id, fs_error *err) {
    return FS_STORE_WHOLE(store, err, id, "SELECT id FROM points WHERE key = ?", "t", key);
}

/* The point's row, made when it is new. One whose configuration is wrong is failed from the start. */
static fs_status put_point(fs_store *store, const fs_store_point *p, int64_t *id, fs_error *err) {
    if (point_id(store, p->key, id, err) || *id != 0)
        return err->status;
    bool failed = p->status != NULL && strcmp(p->status, "failed") == 0;
    if (FS_STORE_RUN(store, err,
                     "INSERT INTO points (key, geometry_key, traffic_key, status, error, resolved) VALUES "
                     "(?, ?, ?, ?, ?, ?)",
                     "tttttt", p->key, p->geometry_key, p->traffic_key, failed ? "failed" : "pending",
                     failed ? p->error : "", p->resolved))
        return err->status;
    *id = sqlite3_last_insert_rowid(store->db);
    return put_parameters(store, p, *id, err);
}

static fs_status put_member(fs_store *store, const fs_store_sweep *sweep, size_t i, int64_t experiment,
                            fs_error *err) {
    const fs_store_point *p = &sweep->points[i];
    int64_t point = 0;
    if (put_point(store, p, &point, err) ||
        FS_STORE_RUN(store, err, "INSERT INTO members VALUES (?, ?, ?, ?)", "iiit", experiment, (int64_t)i,
                     point, p->label))
        return err->status;
    for (size_t a = 0; a < sweep->axis_count; a++) {
        if (p->settings[a].value == NULL)
            continue;
        if (FS_STORE_RUN(store, err, "INSERT INTO settings VALUES (?, ?, ?, ?, ?)", "iiitr", experiment,
                         (int64_t)i, (int64_t)a, p->settings[a].value, p->settings[a].number))
            return err->status;
    }
    return FS_OK;
}

fs_status fs_store_put_sweep(fs_store *store, const fs_store_sweep *sweep, fs_error *err) {
    if (fs_store_begin(store, err))
        return err->status;
    fs_status bad = FS_STORE_RUN(store, err, "DELETE FROM experiments WHERE name = ?", "t", sweep->name);
    sqlite3_stmt *s =
        bad ? NULL
            : fs_store_bind(store, err,
                            "INSERT INTO experiments (name, entered, text, base) SELECT ?, "
                            "coalesce(max(entered), 0) + 1, ?, ? FROM experiments",
                            "ttt", sweep->name, sweep->text, sweep->base == NULL ? "" : sweep->base);
    if (s == NULL || fs_store_do(store, s, err))
        return end(store, err);
    int64_t id = sqlite3_last_insert_rowid(store->db);
    bad = put_heads(store, sweep, id, err);
    for (size_t i = 0; i < sweep->point_count && !bad; i++)
        bad = put_member(store, sweep, i, id, err);
    if (!bad)
        fs_store_put_views(store, sweep, id, err);
    return end(store, err);
}

/* ---- states ---- */

fs_status fs_store_mark(fs_store *store, const char *key, const char *status, const char *why,
                        fs_error *err) {
    return FS_STORE_RUN(store, err,
                        "UPDATE points SET status = ?2, error = ?3 WHERE key = ?1 AND status <> 'done'",
                        "ttt", key, status, why);
}

fs_status fs_store_reset_running(fs_store *store, fs_error *err) {
    return FS_STORE_RUN(store, err,
                        "UPDATE points SET status = 'pending', error = '' WHERE status = 'running'", "");
}

/* ---- results ---- */

void fs_store_units(fs_store *store, const fs_stat_table *const *tables) {
    store->units = tables;
}

typedef struct target {
    fs_store *store;
    int64_t point;
    const fs_stat_table
        *own[2]; /* of the point's workload, NULL-terminated: a name may have another unit elsewhere */
} target;

/* The table that is called as the point's workload. */
static fs_status find_own(target *t, fs_error *err) {
    sqlite3_stmt *s = fs_store_bind(t->store, err,
                                    "SELECT value FROM parameters WHERE point = ? AND name = 'workload.kind'",
                                    "i", t->point);
    bool row = false;
    if (s == NULL || fs_store_step(t->store, s, &row, err))
        return err->status;
    const char *kind = row ? (const char *)sqlite3_column_text(s, 0) : "";
    for (const fs_stat_table *const *of = t->store->units; of != NULL && *of != NULL; of++)
        if (strcmp((*of)->name, kind) == 0)
            t->own[0] = *of;
    sqlite3_reset(s);
    return FS_OK;
}

static fs_status put_figure(void *self, const char *name, const json_t *value, fs_error *err) {
    const target *t = self;
    fs_store *store = t->store;
    const int64_t point = t->point;
    static const char sql[] = "INSERT INTO statistics VALUES (?, ?, ?, ?, ?)";
    fs_stat row;
    const bool known = fs_stats_find_in(t->own, name, &row) || fs_stats_find_in(store->units, name, &row);
    const char *unit = known && row.unit != NULL ? row.unit : "";
    const char *null_is = known && row.null_is != NULL && json_is_null(value) ? row.null_is : "";
    sqlite3_stmt *s;
    if (json_is_integer(value) || json_is_boolean(value))
        s = fs_store_bind(store, err, sql, "ittit", point, name, unit,
                          (int64_t)(json_is_true(value) ? 1 : json_integer_value(value)), null_is);
    else if (json_is_real(value))
        s = fs_store_bind(store, err, sql, "ittrt", point, name, unit, json_real_value(value), null_is);
    else
        s = fs_store_bind(store, err, sql, "itttt", point, name, unit, json_string_value(value), null_is);
    return fs_store_do(store, s, err);
}

static fs_status put_provenance(fs_store *store, int64_t point, const json_t *result, fs_error *err) {
    const json_t *host = json_object_get(result, "host"), *summary = json_object_get(result, "summary");
    char hex[FS_DIGEST_HEX] = "";
    if (summary != NULL) {
        char *text = json_dumps(summary, JSON_SORT_KEYS | JSON_COMPACT);
        if (text == NULL)
            fs_no_memory();
        fs_digest_memory(text, strlen(text), hex);
        free(text);
    }
    sqlite3_stmt *s = fs_store_bind(
        store, err, "INSERT OR REPLACE INTO provenance VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "ititttrr", point,
        fs_json_text(host, "version"), (int64_t)json_integer_value(json_object_get(host, "model_version")),
        fs_json_text(result, "layer"), hex, fs_json_text(host, "name"), fs_json_real(host, "wall_seconds"),
        fs_json_real(host, "peak_rss_bytes"));
    return fs_store_do(store, s, err);
}

static fs_status put_result(fs_store *store, int64_t point, bool done, const json_t *result, fs_error *err) {
    const char *error = done ? "" : fs_json_text(result, "error");
    fs_status bad = FS_STORE_RUN(store, err, "UPDATE points SET status = ?, error = ? WHERE id = ?", "tti",
                                 done ? "done" : "failed", error, point);
    if (!bad)
        bad = FS_STORE_RUN(store, err, "DELETE FROM statistics WHERE point = ?", "i", point);
    target t = {.store = store, .point = point};
    if (!bad && done)
        bad = find_own(&t, err);
    if (!bad && done)
        bad = fs_results_json_each(json_object_get(result, "summary"), put_figure, &t, err);
    return bad ? bad : put_provenance(store, point, result, err);
}

fs_status fs_store_finish(fs_store *store, const json_t *result, fs_error *err) {
    const char *key = fs_json_text(result, "key"), *status = fs_json_text(result, "status"), *now = NULL;
    bool done = strcmp(status, "done") == 0;
    if (key[0] == '\0' || (!done && strcmp(status, "failed") != 0) ||
        (done && !json_is_object(json_object_get(result, "summary"))))
        return fs_fail(err, FS_INPUT, "no result of a point: expected key, status done or failed, summary");
    if (fs_store_state(store, key, &now, err))
        return err->status;
    if (now == NULL)
        return fs_fail(err, FS_INPUT, "%s has no point %.12s", store->path, key);
    if (strcmp(now, "done") == 0)
        return FS_OK;
    int64_t point = 0;
    if (fs_store_begin(store, err))
        return err->status;
    if (point_id(store, key, &point, err) == FS_OK)
        put_result(store, point, done, result, err);
    return end(store, err);
}
