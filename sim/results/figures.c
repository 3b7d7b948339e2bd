/* Figures as JSON: dotted names are nested objects. Set, get, and all of them one after the other. */
#include "sim/results/results.h"

#include "sim/base/alloc.h"

#include <stdlib.h>
#include <string.h>

static json_t *stat_json(const fs_stat *row, const void *values) {
    const fs_stat_value value = fs_stats_value(row, values);
    return row->type == FS_STAT_U64    ? json_integer((json_int_t)value.u64)
           : row->type == FS_STAT_REAL ? fs_json_number(value.real)
           : row->type == FS_STAT_BOOL ? json_boolean(value.flag)
           : value.text == NULL        ? json_null()
                                       : json_string(value.text);
}

void fs_results_json_set(json_t *root, const char *name, json_t *value) {
    json_t *object = root;
    const char *at = name;
    for (const char *dot; (dot = strchr(at, '.')) != NULL; at = dot + 1) {
        char level[64];
        FS_ASSERT((size_t)(dot - at) < sizeof level, "%s: a level of a name is too long", name);
        memcpy(level, at, (size_t)(dot - at));
        level[dot - at] = '\0';
        json_t *inner = json_object_get(object, level);
        if (inner == NULL) {
            inner = json_object();
            json_object_set_new(object, level, inner);
        }
        object = inner;
    }
    FS_ASSERT(json_is_object(object) && json_object_get(object, at) == NULL, "%s exists already", name);
    json_object_set_new(object, at, value);
}

const json_t *fs_results_json_get(const json_t *root, const char *name) {
    const char *at = name;
    for (const char *dot; root != NULL && (dot = strchr(at, '.')) != NULL; at = dot + 1)
        root = json_object_getn(root, at, (size_t)(dot - at));
    return json_object_get(root, at);
}

/* `name` grows by a level a call; jansson limits how deep a file may nest, so this ends. */
typedef struct walk {
    fs_results_figure_fn *each;
    void *self;
    char *name;
    size_t room;
} walk;

static fs_status below(walk *w, size_t length, const char *key, const json_t *value, fs_error *err);

static fs_status visit(walk *w, size_t length, const json_t *value, fs_error *err) {
    char place[24];
    fs_status status = FS_OK;
    if (json_is_object(value)) {
        json_t *borrowed =
            (json_t *)(uintptr_t)value; /* jansson's iterators want it writable; it is only read */
        for (void *at = json_object_iter(borrowed); at != NULL && status == FS_OK;
             at = json_object_iter_next(borrowed, at))
            status = below(w, length, json_object_iter_key(at), json_object_iter_value(at), err);
        return status;
    }
    if (!json_is_array(value))
        return w->each(w->self, w->name, value, err);
    for (size_t i = 0; i < json_array_size(value) && status == FS_OK; i++) {
        snprintf(place, sizeof place, "%zu", i);
        status = below(w, length, place, json_array_get(value, i), err);
    }
    return status;
}

static fs_status below(walk *w, size_t length, const char *key, const json_t *value, fs_error *err) {
    const size_t more = strlen(key);
    if (length + more + 2 > w->room) {
        w->room = 2 * (length + more + 2);
        w->name = fs_realloc(w->name, w->room);
    }
    size_t end = length;
    if (length > 0)
        w->name[end++] = '.';
    memcpy(w->name + end, key, more + 1);
    const fs_status status = visit(w, end + more, value, err);
    w->name[length] = '\0';
    return status;
}

fs_status fs_results_json_each(const json_t *root, fs_results_figure_fn *each, void *self, fs_error *err) {
    walk w = {.each = each, .self = self, .name = fs_calloc(1, 64), .room = 64};
    const fs_status status = visit(&w, 0, root, err);
    free(w.name);
    return status;
}

void fs_results_stats_json(const fs_stat_table *table, const void *values, json_t *root) {
    const size_t count = fs_stats_count(table);
    for (size_t i = 0; i < count; i++) {
        const fs_stat row = fs_stats_row(table, i);
        if (fs_stats_has(table, i, values))
            fs_results_json_set(root, row.name, stat_json(&row, values));
    }
}

fs_status fs_results_figures(fs_results *results, const fs_stat_table *table, const void *values,
                             fs_error *err) {
    static const char *const units[FS_STATS_COLUMNS] = {"", "", "", "", "", "", "", "", "", ""};
    FILE *file = fs_results_create(results, "stats.csv", fs_stats_columns, units, FS_STATS_COLUMNS, err);
    if (file == NULL)
        return err->status;
    fs_stats_write_csv(table, values, file);
    if (fs_results_close(results, file, err))
        return err->status;
    json_t *root = json_object();
    fs_results_stats_json(table, values, root);
    fs_status status = fs_results_json(results, "summary.json", root, err);
    json_decref(root);
    return status;
}
