/* The figures of a view set: of each view in views.csv; mean, worst and which view is the worst in
 * summary.json. */
#include "sim/base/numbers.h"
#include "sim/stats/drawn.h"
#include "sim/workload/run_request.h"

#include <math.h>
#include <string.h>

enum { FIXED = 8 };
static const char *const fixed[FIXED] = {"view", "name", "x", "y", "z", "look_x", "look_y", "look_z"};

typedef struct figures {
    const fs_workload *workload;
    const fs_stat *row; /* [rows] of the workload's table */
    size_t rows;
    const fs_view *views;
    size_t count, of;  /* views; of the set that they were drawn from */
    double *value;     /* [rows][count]; flags 0 or 1; NAN: not applicable, or a text */
    const char **text; /* [rows]: of a text row, that of all views; NULL where they differ */
} figures;

/* ---- reading ---- */

static void take(figures *f, fs_arena *arena, size_t view, const json_t *summary) {
    for (size_t i = 0; i < f->rows; i++) {
        const json_t *value = fs_results_json_get(summary, f->row[i].name);
        double *number = &f->value[i * f->count + view];
        *number = json_is_number(value) ? json_number_value(value) : NAN;
        if (json_is_boolean(value))
            *number = json_is_true(value) ? 1 : 0;
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        if (view == 0)
            f->text[i] = fs_arena_strdup(arena, text);
        else if (f->text[i] != NULL && strcmp(f->text[i], text) != 0)
            f->text[i] = NULL;
    }
}

/* The caller's; NULL with an error. */
static json_t *summary_of(fs_results *results, size_t view, fs_error *err) {
    char name[64];
    snprintf(name, sizeof name, "view-%zu/summary.json", view);
    const char *path = fs_results_path(results, name);
    json_error_t error;
    json_t *summary = json_load_file(path, 0, &error);
    return summary != NULL ? summary : FS_FAIL_NULL(err, FS_IO, "%s: %s", path, error.text);
}

/* The rows that runs of this machine have: those of the first summary. */
static fs_status choose_rows(figures *f, fs_stat *row, fs_results *results, fs_error *err) {
    json_t *summary = summary_of(results, 0, err);
    for (size_t i = 0; i < fs_stats_count(f->workload->stats) && summary != NULL; i++) {
        row[f->rows] = fs_stats_row(f->workload->stats, i);
        f->rows += fs_results_json_get(summary, row[f->rows].name) != NULL;
    }
    json_decref(summary);
    return err->status;
}

static fs_status read_all(figures *f, fs_arena *arena, fs_results *results, fs_error *err) {
    for (size_t v = 0; v < f->count; v++) {
        json_t *summary = summary_of(results, v, err);
        if (summary == NULL)
            return err->status;
        take(f, arena, v, summary);
        json_decref(summary);
    }
    return FS_OK;
}

/* ---- mean and worst ---- */

/* Mean and worst over the views. The worst is the greatest value, or the least where more is better; a null
 * that stands for infinity is worse than all others where less is better. */
typedef struct summary {
    double mean, worst; /* NAN: in no view applicable; worst: INFINITY too */
    double half_width;  /* of the interval around the mean; NAN: none is known */
    size_t worst_view;  /* the first of them */
    bool same;          /* in all views */
} summary;

/* Of the mean over all views of the set, when these were drawn from it. */
static double half_width(const figures *f, const double *value) {
    fs_drawn drawn = {.of = f->of};
    for (size_t v = 0; v < f->count; v++)
        fs_drawn_add(&drawn, value[v]);
    const double half = fs_drawn_half_width(&drawn);
    return isfinite(half) ? half : NAN;
}

static summary summarise(const figures *f, size_t row) {
    const double *value = f->value + row * f->count;
    summary s = {.mean = NAN, .worst = NAN, .half_width = NAN, .same = true};
    const bool less = f->row[row].better == FS_BETTER_MORE;
    const bool endless = f->row[row].better == FS_BETTER_LESS && f->row[row].null_is != NULL;
    double sum = 0, n = 0;
    for (size_t v = 0; v < f->count; v++) {
        const double one = isnan(value[v]) && endless ? INFINITY : value[v];
        if (isnan(one))
            continue;
        if (!isinf(one)) {
            sum += one;
            n += 1;
        }
        if (isnan(s.worst) || (less ? one < s.worst : one > s.worst)) {
            s.same = s.same && isnan(s.worst);
            s.worst = one;
            s.worst_view = v;
        } else {
            s.same = s.same && one >= s.worst && one <= s.worst;
        }
    }
    if (n > 0)
        s.mean = sum / n;
    s.half_width = n < (double)f->count ? NAN : half_width(f, value);
    return s;
}

static json_t *number_json(const fs_stat *row, double value, bool whole) {
    if (!isfinite(value))
        return json_null();
    if (row->type == FS_STAT_BOOL)
        return json_boolean(value > 0);
    return row->type == FS_STAT_U64 && whole ? json_integer((json_int_t)value) : json_real(value);
}

/* What was drawn, and for each figure the interval that holds its mean over all views with the stated chance. */
static void write_sample(const figures *f, json_t *root) {
    json_t *sample = json_object(), *numbers = json_array(), *low = json_object(), *high = json_object();
    for (size_t v = 0; v < f->count; v++)
        json_array_append_new(numbers, json_integer(f->views[v].number));
    for (size_t i = 0; i < f->rows; i++) {
        const fs_stat *row = &f->row[i];
        if (row->type == FS_STAT_TEXT || row->type == FS_STAT_BOOL || row->says == FS_SAYS_LABEL)
            continue;
        const summary s = summarise(f, i);
        fs_results_json_set(low, row->name, number_json(row, s.mean - s.half_width, false));
        fs_results_json_set(high, row->name, number_json(row, s.mean + s.half_width, false));
    }
    json_object_set_new(sample, "of", json_integer((json_int_t)f->of));
    json_object_set_new(sample, "share", json_real((double)f->count / (double)f->of));
    json_object_set_new(sample, "stated", json_real(FS_VIEWS_STATED));
    json_object_set_new(sample, "views", numbers);
    json_object_set_new(root, "sample", sample);
    json_object_set_new(root, "low", low);
    json_object_set_new(root, "high", high);
}

static fs_status write_summary(const figures *f, fs_results *results, fs_error *err) {
    json_t *root = json_object(), *worst = json_object(), *which = json_object();
    json_object_set_new(root, "views", json_integer((json_int_t)f->count));
    for (size_t i = 0; i < f->rows; i++) {
        const fs_stat *row = &f->row[i];
        if (row->type == FS_STAT_TEXT) {
            fs_results_json_set(root, row->name, f->text[i] == NULL ? json_null() : json_string(f->text[i]));
            continue;
        }
        summary s = summarise(f, i);
        if (row->says == FS_SAYS_LABEL) { /* a tile's number is no quantity */
            fs_results_json_set(root, row->name, s.same ? number_json(row, s.worst, true) : json_null());
            continue;
        }
        /* a flag has no mean: the worst view decides for all */
        double mean = row->type == FS_STAT_BOOL ? s.worst : s.mean;
        fs_results_json_set(root, row->name, number_json(row, mean, s.same));
        fs_results_json_set(worst, row->name, number_json(row, s.worst, true));
        fs_results_json_set(which, row->name,
                            isnan(s.worst) ? json_null() : json_integer((json_int_t)s.worst_view));
    }
    json_object_set_new(root, "worst", worst);
    json_object_set_new(root, "worst_view", which);
    if (f->of > f->count)
        write_sample(f, root);
    fs_status status = fs_results_json(results, "summary.json", root, err);
    json_decref(root);
    return status;
}

/* ---- views.csv ---- */

static void write_real(double value, FILE *out) {
    fprintf(out, ",%s", FS_REAL_WORD(value));
}

static void write_number(const fs_stat *row, double value, FILE *out) {
    if (isnan(value))
        fputs(",null", out);
    else if (row->type == FS_STAT_BOOL)
        fputs(value > 0 ? ",true" : ",false", out);
    else if (row->type == FS_STAT_U64)
        fprintf(out, ",%.0f", value);
    else
        write_real(value, out);
}

static fs_status write_views(const figures *f, fs_arena *arena, fs_results *results, fs_error *err) {
    const char **columns = FS_NEW(arena, const char *, FIXED + f->rows);
    const char **units = FS_NEW(arena, const char *, FIXED + f->rows);
    size_t count = FIXED;
    for (size_t i = 0; i < FIXED; i++) {
        columns[i] = fixed[i];
        units[i] = i < 2 ? "" : "scene units";
    }
    for (size_t i = 0; i < f->rows; i++)
        if (f->row[i].type != FS_STAT_TEXT) {
            columns[count] = f->row[i].name;
            units[count++] = f->row[i].unit == NULL ? "" : f->row[i].unit;
        }
    FILE *file = fs_results_create(results, "views.csv", columns, units, count, err);
    if (file == NULL)
        return err->status;
    for (size_t v = 0; v < f->count; v++) {
        fprintf(file, "%zu,view-%zu", v, v);
        for (int k = 0; k < 3; k++)
            write_real(f->views[v].position[k], file);
        for (int k = 0; k < 3; k++)
            write_real(f->views[v].look_at[k], file);
        for (size_t i = 0; i < f->rows; i++)
            if (f->row[i].type != FS_STAT_TEXT)
                write_number(&f->row[i], f->value[i * f->count + v], file);
        fputc('\n', file);
    }
    return fs_results_close(results, file, err);
}

/* ---- words for the person ---- */

static void describe(const figures *f, char *line, size_t size) {
    const bool drawn = f->of > f->count;
    const size_t used = drawn ? (size_t)snprintf(line, size, "%zu of %zu views", f->count, f->of)
                              : (size_t)snprintf(line, size, "%zu views", f->count);
    for (size_t i = 0; i < f->rows && f->workload->time != NULL && used < size; i++) {
        if (strcmp(f->row[i].name, f->workload->time) != 0)
            continue;
        const summary s = summarise(f, i);
        const char *mean = fs_number_in(s.mean, "s", 4);
        if (drawn)
            snprintf(line + used, size - used, "; %s: mean %s, over all views %s ... %s (%.0f %%)",
                     f->row[i].name, mean, fs_number_in(s.mean - s.half_width, "s", 4),
                     fs_number_in(s.mean + s.half_width, "s", 4), 100 * FS_VIEWS_STATED);
        else
            snprintf(line + used, size - used, "; %s: mean %s, worst %s (view %zu)", f->row[i].name, mean,
                     fs_number_in(s.worst, "s", 4), s.worst_view);
        return;
    }
}

const char *fs_view_time(const fs_workload *workload, fs_results *results, size_t view, fs_arena *arena) {
    json_t *root = summary_of(results, view, &(fs_error){.status = FS_OK});
    const json_t *value = workload->time == NULL ? NULL : fs_results_json_get(root, workload->time);
    const char *text =
        json_is_number(value) ? fs_arena_strdup(arena, fs_number_in(json_number_value(value), "s", 4)) : "";
    json_decref(root);
    return text;
}

fs_status fs_views_figures(const fs_workload *workload, const fs_view *views, size_t count,
                           fs_results *results, char *line, size_t line_size, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    const size_t rows = fs_stats_count(workload->stats);
    fs_stat *row = FS_NEW(arena, fs_stat, rows + 1);
    figures f = {.workload = workload,
                 .row = row,
                 .views = views,
                 .count = count,
                 .of = count > 0 && views[0].of > count ? views[0].of : count,
                 .value = FS_NEW(arena, double, rows *count),
                 .text = FS_NEW(arena, const char *, rows)};
    if (choose_rows(&f, row, results, err) == FS_OK && read_all(&f, arena, results, err) == FS_OK &&
        write_views(&f, arena, results, err) == FS_OK && write_summary(&f, results, err) == FS_OK)
        describe(&f, line, line_size);
    fs_arena_free(arena);
    return err->status;
}
