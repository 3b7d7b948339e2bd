/* What the pictures of series and of tails draw. */
#include "reports/compare/compare_page.h"
#include "reports/read/run_spread.h"

#include "sim/base/arith.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1200 }; /* pooled iterations of a line */

/* ---- tails: per cent of the values that are at least so large ---- */

static fs_status write_tail(fs_comparison_page *p, size_t at, size_t run, fs_error *err) {
    fs_shown_run *r = &p->run[run];
    const fs_plan_section *s = p->tail_section[at];
    const bool counted = strcmp(s->kind, "distribution") == 0;
    const char *column = p->tail[at].column->column;
    fs_counted c = {.count = 0};
    double all = 0;
    const fs_csv *t = fs_folder_has(r->folder, s->file) ? fs_folder_table(r->folder, s->file, err) : NULL;
    if (t == NULL || (!counted && !fs_csv_has(t, column)) ||
        fs_spread_read(p->c->arena, t, column, NULL, counted, &c, err) || c.count == 0)
        return err->status;
    for (size_t i = 0; i < c.count; i++)
        all += (double)c.many[i];
    double left = all;
    for (size_t i = 0; i < c.count; i++) {
        fs_page_text_print(&p->data, "%lld %.6g\n", (long long)c.value[i], 100 * left / all);
        left -= (double)c.many[i];
    }
    r->tail[at] = true;
    return fs_page_text_save(&p->data, p->folder,
                             fs_arena_printf(p->c->arena, "tail-%s-%zu", p->tail[at].id, run), "count", err);
}

fs_status fs_compare_write_tails(fs_comparison_page *p, fs_error *err) {
    for (size_t at = 0; at < p->tails; at++)
        for (size_t i = 0; i < p->shown; i++)
            if (write_tail(p, at, i, err))
                return err->status;
    return FS_OK;
}

/* ---- series ---- */

static void add_line(fs_compared_series *s, const char *column, const char *label, const char *colour,
                     const char *by, const char *split) {
    for (size_t i = 0; i < s->lines; i++)
        if (strcmp(s->label[i], label) == 0)
            return;
    if (s->lines == FS_STACK)
        return;
    s->column[s->lines] = column;
    s->label[s->lines] = label;
    s->colour[s->lines] = colour;
    s->by[s->lines] = by;
    s->split[s->lines++] = split;
}

static fs_status add_split(fs_comparison_page *p, fs_compared_series *s, const fs_plan_column *c,
                           const fs_csv *t, fs_error *err) {
    const char *const *word = fs_csv_words(t, c->by, err);
    const int64_t *v = word == NULL ? NULL : fs_csv_ints(t, c->column, err);
    bool there[FS_ROLES] = {false};
    if (v == NULL)
        return err->status;
    for (size_t i = 0; i < fs_csv_rows(t); i++)
        there[fs_roles_at(p->roles, word[i])] |= v[i] > 0;
    for (size_t k = 0; k < p->roles->count; k++)
        if (there[k])
            add_line(s, c->column, fs_arena_printf(p->c->arena, "%s: %s", c->label, p->roles->name[k]),
                     fs_plot_colour(fs_roles_colour(p->roles, p->roles->name[k])), c->by, p->roles->name[k]);
    return FS_OK;
}

/* Told under the pointer only, or a line over a stack. */
static bool is_beside(const fs_compared_series *s, const fs_plan_column *c) {
    return c->form != NULL && (strcmp(c->form, "told") == 0 || (s->stacked && strcmp(c->form, "line") == 0));
}

/* The lines that some run has, from the bottom of the stack up. */
static fs_status find_lines(fs_comparison_page *p, fs_compared_series *s, fs_error *err) {
    for (size_t k = 0; k < s->panel->column_count; k++)
        for (size_t i = 0; i < p->shown; i++) {
            const fs_plan_column *c = &s->panel->columns[k];
            if (!fs_folder_has(p->run[i].folder, s->section->file) || is_beside(s, c))
                continue;
            const fs_csv *t = fs_folder_table(p->run[i].folder, s->section->file, err);
            if (t == NULL)
                return err->status;
            if (c->by != NULL && fs_csv_has(t, c->by) && fs_csv_has(t, c->column)) {
                if (add_split(p, s, c, t, err))
                    return err->status;
            } else if (strchr(c->column, '*') != NULL) {
                const int star = (int)strcspn(c->column, "*"), mark = (int)strcspn(c->label, "*");
                for (size_t n = 1; fs_csv_has(t, fs_arena_printf(p->c->arena, "%.*s%zu", star, c->column, n));
                     n++)
                    add_line(s, fs_arena_printf(p->c->arena, "%.*s%zu", star, c->column, n),
                             fs_arena_printf(p->c->arena, "%.*s%zu", mark, c->label, n),
                             fs_plot_shade(p->c->arena, c->colour == NULL ? "plain" : c->colour, n - 1, 6),
                             NULL, NULL);
            } else if (fs_csv_has(t, c->column))
                add_line(s, c->column, c->label == NULL ? c->column : c->label,
                         fs_plot_colour(c->colour == NULL ? "plain" : c->colour), NULL, NULL);
        }
    return FS_OK;
}

static bool is_tall(const fs_compared_series *s, size_t line) {
    for (size_t k = 0; k < s->panel->column_count; k++)
        if (s->panel->columns[k].column != NULL && strcmp(s->panel->columns[k].column, s->column[line]) == 0)
            return s->panel->columns[k].form != NULL && strcmp(s->panel->columns[k].form, "tall") == 0;
    return false;
}

/* Seconds of a cycle of the i-th run shown; NAN: not known. */
static double cycle_of(const fs_comparison_page *p, size_t i) {
    const fs_folder *run = p->run[i].folder;
    return fs_folder_number(run, "device.seconds") / fs_folder_number(run, "device.cycles");
}

/* Cycles of different clocks stand on no common axis: they are drawn as time. */
static void choose_unit(const fs_comparison_page *p, fs_compared_series *s) {
    s->unit = s->panel->columns[0].unit == NULL ? "" : s->panel->columns[0].unit;
    s->timed = strcmp(s->unit, "cycles") == 0;
    for (size_t i = 0; i < p->shown && s->timed; i++)
        s->timed = cycle_of(p, i) > 0;
    if (s->timed)
        s->unit = "µs";
}

double fs_compare_series_scale(const fs_comparison_page *p, const fs_compared_series *s, size_t i) {
    return s->timed ? 1e6 * cycle_of(p, i) : 1;
}

/* Each row stands at its left and its right edge, so that areas are steps; long runs are pooled to means. */
static fs_status write_run(fs_comparison_page *p, fs_compared_series *s, size_t at, fs_error *err) {
    fs_shown_run *r = &p->run[at];
    const int64_t *v[FS_STACK] = {NULL};
    const char *const *word[FS_STACK] = {NULL};
    const size_t place = (size_t)(s - p->series);
    if (!fs_folder_has(r->folder, s->section->file))
        return FS_OK;
    const fs_csv *t = fs_folder_table(r->folder, s->section->file, err);
    for (size_t k = 0; t != NULL && k < s->lines; k++) {
        if (fs_csv_has(t, s->column[k]) && (v[k] = fs_csv_ints(t, s->column[k], err)) == NULL)
            return err->status;
        if (s->by[k] != NULL && fs_csv_has(t, s->by[k]) && (word[k] = fs_csv_words(t, s->by[k], err)) == NULL)
            return err->status;
    }
    if (t == NULL)
        return err->status;
    const size_t n = fs_csv_rows(t), every = n / MOST_STEPS + 1;
    const double scale = fs_compare_series_scale(p, s, at);
    for (size_t i = 0; i < n; i += every) {
        double mean[FS_STACK] = {0}, count = 0, low = 0, sum = 0;
        for (size_t k = i; k < n && k < i + every; k++, count++)
            for (size_t l = 0; l < s->lines; l++)
                if (v[l] != NULL && (word[l] == NULL || strcmp(word[l][k], s->split[l]) == 0))
                    mean[l] += scale * (double)v[l][k];
        for (size_t l = 0; l < s->lines; l++) {
            mean[l] /= count;
            low = s->stacked ? low + (is_tall(s, l) ? 0 : mean[l]) : fmax(low, mean[l]);
            sum += mean[l];
            mean[l] = s->stacked ? sum : mean[l];
        }
        s->top = fmax(s->top, low);
        for (size_t edge = 0; edge < 2; edge++) {
            fs_page_text_print(&p->data, "%.6g", (double)i - 0.5 + (double)edge * count);
            for (size_t l = 0; l < s->lines; l++)
                fs_page_text_print(&p->data, " %.9g", mean[l]);
            fs_page_text_print(&p->data, "\n");
        }
    }
    r->series[place] = n > 0;
    fs_page_text_print(&p->settings, "rows_of_%zu_%zu = %zu\n", place, at, n);
    return fs_page_text_save(&p->data, p->folder, fs_arena_printf(p->c->arena, "series-%s-%zu", s->id, at),
                             "dat", err);
}

fs_status fs_compare_write_series(fs_comparison_page *p, fs_error *err) {
    for (size_t k = 0; k < p->serieses; k++) {
        choose_unit(p, &p->series[k]);
        if (find_lines(p, &p->series[k], err))
            return err->status;
        for (size_t i = 0; i < p->shown && p->series[k].lines > 0; i++)
            if (write_run(p, &p->series[k], i, err))
                return err->status;
    }
    return FS_OK;
}
