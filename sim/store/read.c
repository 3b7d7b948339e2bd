/* What comes out of a store: sweeps with everything that is known of their points. */
#include "sim/store/private.h"

#include <math.h>
#include <string.h>

/* Reads an element from the current row. */
typedef void reader(fs_arena *arena, sqlite3_stmt *row, void *element);

/* The rows of a statement (NULL: none) as an array of the arena, [*count] of `size` bytes each; errors in err. */
static void *read_rows(fs_store *store, fs_arena *arena, sqlite3_stmt *s, size_t size, reader *read,
                       size_t *count, fs_error *err) {
    char *all = NULL;
    *count = 0;
    for (bool row = s != NULL; row && fs_store_step(store, s, &row, err) == FS_OK && row; ++*count) {
        all = fs_arena_grow(arena, all, *count, size);
        read(arena, s, all + *count * size);
    }
    return all;
}

/* A column that the schema keeps from being null; a store made by hand may have it so: then empty. */
static const char *text_of(fs_arena *arena, sqlite3_stmt *row, int column) {
    const char *text = fs_store_text(arena, row, column);
    return text == NULL ? "" : text;
}

static void read_name(fs_arena *arena, sqlite3_stmt *row, void *element) {
    *(const char **)element = text_of(arena, row, 0);
}

fs_status fs_store_sweeps(fs_store *store, fs_arena *arena, const char *const **names, size_t *count,
                          fs_error *err) {
    sqlite3_stmt *s = fs_store_bind(store, err, "SELECT name FROM experiments ORDER BY entered DESC", "");
    *names = read_rows(store, arena, s, sizeof **names, read_name, count, err);
    return err->status;
}

/* ---- heads ---- */

static void read_flag(fs_arena *arena, sqlite3_stmt *row, void *element) {
    (void)arena;
    *(bool *)element = sqlite3_column_int(row, 0) != 0;
}

static void read_objective(fs_arena *arena, sqlite3_stmt *row, void *element) {
    *(fs_store_objective *)element = (fs_store_objective){
        .figure = text_of(arena, row, 0), .larger = strcmp(text_of(arena, row, 1), "larger") == 0};
}

static void read_constraint(fs_arena *arena, sqlite3_stmt *row, void *element) {
    const char *op = text_of(arena, row, 1);
    *(fs_store_constraint *)element =
        (fs_store_constraint){.figure = text_of(arena, row, 0),
                              .op = strcmp(op, "equals") == 0     ? FS_STORE_EQUALS
                                    : strcmp(op, "at_least") == 0 ? FS_STORE_AT_LEAST
                                                                  : FS_STORE_AT_MOST,
                              .number = fs_store_real(row, 2),
                              .text = fs_store_text(arena, row, 3)};
}

fs_status fs_store_read_heads(fs_store *store, fs_arena *arena, int64_t id, fs_store_sweep *sweep,
                              fs_error *err) {
    sqlite3_stmt *s =
        fs_store_bind(store, err, "SELECT name FROM axes WHERE experiment = ? ORDER BY axis", "i", id);
    sweep->axes = read_rows(store, arena, s, sizeof(char *), read_name, &sweep->axis_count, err);
    s = fs_store_bind(store, err, "SELECT condition FROM axes WHERE experiment = ? ORDER BY axis", "i", id);
    sweep->conditions = read_rows(store, arena, s, sizeof(bool), read_flag, &(size_t){0}, err);
    s = fs_store_bind(
        store, err, "SELECT figure, better FROM objectives WHERE experiment = ? ORDER BY position", "i", id);
    sweep->objectives =
        read_rows(store, arena, s, sizeof *sweep->objectives, read_objective, &sweep->objective_count, err);
    s = fs_store_bind(
        store, err, "SELECT figure, op, number, text FROM constraints WHERE experiment = ? ORDER BY position",
        "i", id);
    sweep->constraints = read_rows(store, arena, s, sizeof *sweep->constraints, read_constraint,
                                   &sweep->constraint_count, err);
    return err->status;
}

/* ---- points ---- */

typedef struct numbered {
    fs_store_point point;
    int64_t id; /* of its row */
} numbered;

static void read_point(fs_arena *arena, sqlite3_stmt *row, void *element) {
    numbered *n = element;
    n->id = sqlite3_column_int64(row, 0);
    n->point = (fs_store_point){.key = text_of(arena, row, 1),
                                .label = text_of(arena, row, 2),
                                .geometry_key = text_of(arena, row, 3),
                                .traffic_key = text_of(arena, row, 4),
                                .status = text_of(arena, row, 5),
                                .error = text_of(arena, row, 6),
                                .resolved = text_of(arena, row, 7),
                                .layer = text_of(arena, row, 8),
                                .version = text_of(arena, row, 9),
                                .model_version = sqlite3_column_int64(row, 10),
                                .host = text_of(arena, row, 11),
                                .wall_seconds = fs_store_real(row, 12)};
}

static void read_parameter(fs_arena *arena, sqlite3_stmt *row, void *element) {
    *(fs_store_parameter *)element = (fs_store_parameter){.name = text_of(arena, row, 0),
                                                          .value = text_of(arena, row, 1),
                                                          .number = fs_store_real(row, 2),
                                                          .unit = text_of(arena, row, 3)};
}

static void read_figure(fs_arena *arena, sqlite3_stmt *row, void *element) {
    fs_store_figure *f = element;
    *f = (fs_store_figure){
        .name = text_of(arena, row, 0), .unit = text_of(arena, row, 1), .number = (double)NAN};
    if (sqlite3_column_type(row, 2) == SQLITE_TEXT)
        f->text = fs_store_text(arena, row, 2);
    else
        f->number = fs_store_real(row, 2);
    const char *null_is = text_of(arena, row, 3);
    f->null_is = null_is[0] == '\0' ? NULL : null_is;
}

static void read_content(fs_store *store, fs_arena *arena, int64_t id, fs_store_point *p, fs_error *err) {
    sqlite3_stmt *s = fs_store_bind(
        store, err, "SELECT name, value, number, unit FROM parameters WHERE point = ? ORDER BY name", "i",
        id);
    p->parameters =
        read_rows(store, arena, s, sizeof *p->parameters, read_parameter, &p->parameter_count, err);
    s = fs_store_bind(store, err,
                      "SELECT name, unit, value, null_is FROM statistics WHERE point = ? ORDER BY name", "i",
                      id);
    p->figures = read_rows(store, arena, s, sizeof *p->figures, read_figure, &p->figure_count, err);
}

static fs_status read_settings(fs_store *store, fs_arena *arena, int64_t experiment, size_t axes,
                               fs_store_point *points, size_t count, fs_error *err) {
    fs_store_setting *all = FS_NEW(arena, fs_store_setting, axes * count + 1);
    for (size_t i = 0; i < axes * count; i++)
        all[i].number = (double)NAN;
    for (size_t i = 0; i < count; i++)
        points[i].settings = all + i * axes;
    sqlite3_stmt *s =
        fs_store_bind(store, err, "SELECT position, axis, value, number FROM settings WHERE experiment = ?",
                      "i", experiment);
    for (bool row = s != NULL; row;) {
        if (fs_store_step(store, s, &row, err) || !row)
            break;
        const int64_t point = sqlite3_column_int64(s, 0), axis = sqlite3_column_int64(s, 1);
        if (point < 0 || point >= (int64_t)count || axis < 0 || axis >= (int64_t)axes)
            return fs_fail(
                err, FS_IO,
                "%s is damaged: it holds a setting of point %lld on axis %lld; the sweep has %zu points "
                "and %zu axes",
                store->path, (long long)point, (long long)axis, count, axes);
        all[(size_t)point * axes + (size_t)axis] =
            (fs_store_setting){.value = fs_store_text(arena, s, 2), .number = fs_store_real(s, 3)};
    }
    return err->status;
}

bool fs_store_keeps(const fs_store_point *point, const fs_store_constraint *c) {
    const fs_store_figure *f = fs_store_figure_of(point, c->figure);
    if (f == NULL)
        return false;
    if (c->op == FS_STORE_AT_LEAST && f->null_is != NULL)
        return true;
    if (c->op == FS_STORE_EQUALS && c->text != NULL)
        return f->text != NULL && strcmp(f->text, c->text) == 0;
    return c->op == FS_STORE_EQUALS     ? f->number == c->number
           : c->op == FS_STORE_AT_LEAST ? f->number >= c->number
                                        : f->number <= c->number;
}

#define POINT_COLUMNS                                                                                        \
    "p.geometry_key, p.traffic_key, p.status, p.error, p.resolved, v.layer, v.version, v.model_version, "    \
    "v.host, v.wall_seconds"

static bool is_feasible(const fs_store_point *point, const fs_store_sweep *sweep) {
    bool feasible = strcmp(point->status, "done") == 0;
    for (size_t c = 0; c < sweep->constraint_count && feasible; c++)
        feasible = fs_store_keeps(point, &sweep->constraints[c]);
    return feasible;
}

/* The points that a statement selects, each with all that is known of it; feasible by the sweep's
 * constraints. */
static fs_store_point *read_points(fs_store *store, fs_arena *arena, const fs_store_sweep *sweep,
                                   sqlite3_stmt *s, size_t *count, fs_error *err) {
    const numbered *found = read_rows(store, arena, s, sizeof *found, read_point, count, err);
    fs_store_point *points = FS_NEW(arena, fs_store_point, *count + 1);
    for (size_t i = 0; i < *count && err->status == FS_OK; i++) {
        points[i] = found[i].point;
        read_content(store, arena, found[i].id, &points[i], err);
        points[i].feasible = is_feasible(&points[i], sweep);
    }
    return points;
}

fs_status fs_store_read_point(fs_store *store, fs_arena *arena, const char *key, const fs_store_sweep *sweep,
                              fs_store_point *point, fs_error *err) {
    size_t count = 0;
    sqlite3_stmt *s = fs_store_bind(store, err,
                                    "SELECT p.id, p.key, '', " POINT_COLUMNS
                                    " FROM points p LEFT JOIN provenance v ON v.point = p.id WHERE p.key = ?",
                                    "t", key);
    *point = read_points(store, arena, sweep, s, &count, err)[0];
    return count == 1 ? err->status : fs_fail(err, FS_INPUT, "%s has no point %s", store->path, key);
}

static fs_status read_members(fs_store *store, fs_arena *arena, int64_t id, fs_store_sweep *sweep,
                              fs_error *err) {
    sqlite3_stmt *s = fs_store_bind(
        store, err,
        "SELECT p.id, p.key, m.label, " POINT_COLUMNS
        " FROM members m JOIN points p ON p.id = m.point LEFT JOIN provenance v ON v.point = p.id "
        "WHERE m.experiment = ? ORDER BY m.position",
        "i", id);
    fs_store_point *points = read_points(store, arena, sweep, s, &sweep->point_count, err);
    sweep->points = points;
    return err->status ? err->status
                       : read_settings(store, arena, id, sweep->axis_count, points, sweep->point_count, err);
}

static fs_status no_such_sweep(fs_store *store, fs_arena *arena, const char *name, fs_error *err) {
    const char *const *names = NULL, *list = "";
    size_t count = 0;
    if (fs_store_sweeps(store, arena, &names, &count, err))
        return err->status;
    for (size_t i = 0; names != NULL && i < count; i++)
        list = fs_arena_append(arena, list, ", ", "\"%s\"", names[i]);
    if (count == 0)
        return fs_fail(err, FS_INPUT, "%s holds no sweep", store->path);
    return fs_fail(err, FS_INPUT, "%s holds no sweep \"%s\"; it holds %s", store->path, name, list);
}

fs_status fs_store_read(fs_store *store, fs_arena *arena, const char *name, fs_store_sweep *sweep,
                        fs_error *err) {
    *sweep = (fs_store_sweep){.name = name};
    bool row = false;
    /* All in one transaction: the picture of one moment, whatever a writer adds meanwhile. */
    if (fs_store_exec(store, "SAVEPOINT reading", err))
        return err->status;
    sqlite3_stmt *s = fs_store_bind(
        store, err,
        "SELECT id, coalesce(name, ''), coalesce(text, ''), coalesce(base, '') FROM experiments "
        "WHERE ?1 IS NULL OR name = ?1 ORDER BY entered "
        "DESC LIMIT 1",
        "t", name);
    if (s != NULL && fs_store_step(store, s, &row, err) == FS_OK) {
        if (!row) {
            no_such_sweep(store, arena, name == NULL ? "" : name, err);
        } else {
            int64_t id = sqlite3_column_int64(s, 0);
            sweep->name = fs_store_text(arena, s, 1);
            sweep->text = fs_store_text(arena, s, 2);
            sweep->base = fs_store_text(arena, s, 3);
            sqlite3_reset(s);
            if (fs_store_read_heads(store, arena, id, sweep, err) == FS_OK)
                read_members(store, arena, id, sweep, err);
        }
    }
    fs_error ignored = {0};
    fs_store_exec(store, "RELEASE reading", &ignored);
    return err->status;
}

fs_status fs_store_state(fs_store *store, const char *key, const char **status, fs_error *err) {
    static const char *const words[] = {"pending", "running", "done", "failed"};
    bool row = false;
    *status = NULL;
    sqlite3_stmt *s = fs_store_bind(store, err, "SELECT status FROM points WHERE key = ?", "t", key);
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    const char *found = row ? (const char *)sqlite3_column_text(s, 0) : NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(found == NULL ? "" : found, words[i]) == 0)
            *status = words[i];
    sqlite3_reset(s);
    return FS_OK;
}

fs_status fs_store_resolved(fs_store *store, fs_arena *arena, const char *key, const char **full,
                            const char **yaml, fs_error *err) {
    bool row = false;
    *full = *yaml = NULL;
    sqlite3_stmt *s =
        fs_store_bind(store, err,
                      "SELECT key, coalesce(resolved, '') FROM points WHERE substr(key, 1, length(?1)) = ?1 "
                      "LIMIT 2",
                      "t", key);
    if (s == NULL || fs_store_step(store, s, &row, err))
        return err->status;
    if (!row || key[0] == '\0')
        return fs_fail(err, FS_INPUT, "%s has no point whose key begins with \"%s\"", store->path, key);
    *full = fs_store_text(arena, s, 0);
    *yaml = fs_store_text(arena, s, 1);
    if (fs_store_step(store, s, &row, err))
        return err->status;
    sqlite3_reset(s);
    if (row)
        return fs_fail(err, FS_INPUT, "%s has several points whose key begins with \"%s\": give more of it",
                       store->path, key);
    return FS_OK;
}

/* ---- looking things up ---- */

const char *fs_store_wanted(const fs_store_sweep *sweep, size_t i) {
    return i < sweep->objective_count ? sweep->objectives[i].figure
                                      : sweep->constraints[i - sweep->objective_count].figure;
}

const fs_store_figure *fs_store_figure_of(const fs_store_point *point, const char *name) {
    size_t low = 0, high = point->figure_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(point->figures[middle].name, name);
        if (order == 0)
            return &point->figures[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

double fs_store_number_of(const fs_store_point *point, const char *name) {
    const fs_store_figure *figure = fs_store_figure_of(point, name);
    return figure == NULL ? (double)NAN : figure->number;
}

const fs_store_parameter *fs_store_parameter_of(const fs_store_point *point, const char *name) {
    return FS_FOUND(point->parameters, point->parameter_count, name, name);
}

bool fs_store_better(const fs_store_objective *objective, double a, double b) {
    if (isnan(a) || isnan(b))
        return !isnan(a) && isnan(b);
    return objective->larger ? a > b : a < b;
}

size_t fs_store_best(const fs_store_sweep *sweep, const fs_store_objective *objective, const bool *over) {
    size_t best = SIZE_MAX;
    double most = (double)NAN;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const double value = fs_store_number_of(&sweep->points[i], objective->figure);
        if (over[i] || !fs_store_better(objective, value, most))
            continue;
        best = i;
        most = value;
    }
    return best;
}
