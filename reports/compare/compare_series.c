/* What the pictures of series and of tails draw. */
#include "reports/compare/compare_page.h"
#include "reports/read/run_spread.h"

#include "sim/base/arith.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 1200, MOST_LINES = 48 }; /* pooled iterations of a line; lines of a run */

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

static const fs_lines_one *line_of(const fs_lines_one *lines, size_t count, const char *label) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(lines[i].label, label) == 0)
            return &lines[i];
    return NULL;
}

/* The lines of the runs, and those that some run has, from the bottom of the stack up: none that is told under
 * the pointer only, or drawn over a stack. */
static fs_status find_lines(fs_comparison_page *p, fs_compared_series *s, fs_error *err) {
    const fs_plan_panel *panel = &s->section->panels[s->panel];
    for (size_t i = 0; i < p->shown; i++) {
        fs_folder *folder = p->run[i].folder;
        const fs_csv *t =
            fs_folder_has(folder, s->section->file) ? fs_folder_table(folder, s->section->file, err) : NULL;
        s->of[i] = FS_NEW(p->c->arena, fs_lines_one, MOST_LINES);
        if (t != NULL)
            fs_lines_read(p->c->arena, p->roles, t, s->section, s->panel, s->of[i], &s->count[i], MOST_LINES,
                          err);
        if (err->status != FS_OK)
            return err->status;
    }
    for (size_t k = 0; k < panel->column_count; k++)
        for (size_t i = 0; i < p->shown; i++)
            for (size_t n = 0; n < s->count[i]; n++) {
                const fs_lines_one *l = &s->of[i][n];
                if (l->plan == &panel->columns[k] && !l->told && l->area == s->stacked &&
                    s->lines < FS_STACK && line_of(s->line, s->lines, l->label) == NULL)
                    s->line[s->lines++] = *l;
            }
    return FS_OK;
}

/* Seconds of a cycle of the i-th run shown; NAN: not known. */
static double cycle_of(const fs_comparison_page *p, size_t i) {
    const fs_folder *run = p->run[i].folder;
    return fs_folder_number(run, "device.seconds") / fs_folder_number(run, "device.cycles");
}

/* Cycles of different clocks stand on no common axis: they are drawn as time. */
static void choose_unit(const fs_comparison_page *p, fs_compared_series *s) {
    const fs_plan_column *first = &s->section->panels[s->panel].columns[0];
    s->unit = first->unit;
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
    const fs_lines_one *own[FS_STACK] = {NULL};
    const size_t place = (size_t)(s - p->series);
    if (!fs_folder_has(r->folder, s->section->file))
        return FS_OK;
    const fs_csv *t = fs_folder_table(r->folder, s->section->file, err);
    if (t == NULL)
        return err->status;
    for (size_t k = 0; k < s->lines; k++)
        own[k] = line_of(s->of[at], s->count[at], s->line[k].label);
    const size_t n = fs_csv_rows(t), every = n / MOST_STEPS + 1;
    const double scale = fs_compare_series_scale(p, s, at);
    for (size_t i = 0; i < n; i += every) {
        double mean[FS_STACK] = {0}, count = 0, low = 0, sum = 0;
        for (size_t k = i; k < n && k < i + every; k++, count++)
            for (size_t l = 0; l < s->lines; l++)
                mean[l] += own[l] == NULL ? 0 : scale * fs_lines_at(own[l], k);
        for (size_t l = 0; l < s->lines; l++) {
            mean[l] /= count;
            low = s->stacked ? low + (s->line[l].tall ? 0 : mean[l]) : fmax(low, mean[l]);
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
