/* A curve of few points: the second column of a panel over its first, as a line; rows whose third column
 * is not 0 have a ring. */
#include "reports/sections/sections_private.h"

#include <math.h>
#include <string.h>

typedef struct curve {
    const fs_plan_panel *panel;
    double *x, *y;    /* [count]: rows that have both */
    size_t count, at; /* at: the row with a ring */
} curve;

static bool know(void *self, const char *name, fs_number_value *out) {
    const curve *c = self;
    *out = (fs_number_value){.unit = ""};
    if (c->at == c->count || (strcmp(name, "x") != 0 && strcmp(name, "y") != 0))
        return false;
    out->number = name[0] == 'x' ? c->x[c->at] : c->y[c->at];
    return true;
}

static fs_status read_curve(fs_show *s, curve *c, const fs_csv *t, fs_error *err) {
    const double *column[3] = {NULL};
    for (size_t i = 0; i < 3; i++)
        if ((column[i] = fs_csv_reals(t, c->panel->columns[i].column, err)) == NULL)
            return err->status;
    c->x = FS_NEW(s->arena, double, fs_csv_rows(t) + 1);
    c->y = FS_NEW(s->arena, double, fs_csv_rows(t) + 1);
    size_t ring = SIZE_MAX;
    for (size_t i = 0; i < fs_csv_rows(t); i++) {
        if (!isfinite(column[0][i]) || !isfinite(column[1][i]))
            continue;
        ring = column[2][i] > 0 ? c->count : ring;
        c->x[c->count] = column[0][i];
        c->y[c->count++] = column[1][i];
    }
    c->at = ring == SIZE_MAX ? c->count : ring;
    return FS_OK;
}

static void add_curve(fs_show *s, fs_panel *panel, const curve *c, const char *label, size_t run) {
    const fs_plan_column *of = c->panel->columns;
    fs_chart_series *line = fs_panel_series(s->sheet, panel, FS_DRAW_LINE, NULL, of[1].unit),
                    *dots = fs_panel_series(s->sheet, panel, FS_DRAW_DOTS, label, of[1].unit);
    line->colour = dots->colour = fs_arena_printf(s->arena, "series-%zu", run);
    line->x = dots->x = fs_values_reals(s->sheet, c->x, c->count);
    line->y = dots->y = fs_values_reals(s->sheet, c->y, c->count);
    if (c->at < c->count)
        fs_panel_mark(
            s->sheet, panel,
            (fs_chart_mark){.kind = FS_MARK_RING, .x = c->x[c->at], .y = c->y[c->at], .colour = "series-1"});
}

/* The range of x: that of the curves, widened to a line that stands up in it. */
static void widen(fs_axis *axis, double x) {
    axis->low = fmin(axis->low, x);
    axis->high = fmax(axis->high, 1.02 * x);
}

/* The lines of the plan, where the first run has their figures: what a curve is held against. */
static void add_lines(fs_show *s, fs_panel *panel, const fs_plan_panel *plan) {
    for (size_t i = 0; i < plan->line_count; i++) {
        const fs_plan_line *line = &plan->lines[i];
        const double value = fs_folder_number(s->run[0], line->figure) * (line->scale > 0 ? line->scale : 1);
        const bool up = strcmp(line->way, "up") == 0;
        if (!isfinite(value))
            continue;
        fs_panel_mark(s->sheet, panel,
                      (fs_chart_mark){.kind = up ? FS_MARK_UP : FS_MARK_ACROSS,
                                      .x = up ? value : 0,
                                      .y = up ? 0 : value,
                                      .text = line->text,
                                      .dash = 1,
                                      .side = up ? -1 : 0});
        if (up)
            widen(&panel->x, value);
    }
}

static fs_status put_curve(fs_show *s, const fs_plan_section *section, fs_error *err) {
    curve runs[FS_SHOW_RUNS] = {{0}};
    const fs_plan_panel *plan = section->panels;
    size_t most = 0;
    if (section->panel_count == 0 || !fs_show_shown(s, plan) || plan->column_count < 3)
        return FS_OK;
    for (size_t i = 0; i < s->count; i++) {
        const fs_csv *t = fs_show_table_of(s, i, section->file, err);
        runs[i].panel = plan;
        if (err->status != FS_OK || (t != NULL && read_curve(s, &runs[i], t, err)))
            return err->status;
        most = runs[i].count > most ? runs[i].count : most;
    }
    if (most < 2)
        return FS_OK;
    const char *compared =
        plan->line_count == 0 ? NULL : fs_arena_printf(s->arena, "Dashed lines: of %s.", s->label[0]);
    const char *title = fs_show_title(s, plan, runs[0].at == runs[0].count, know, &runs[0]);
    fs_show_begin(s, section, title);
    fs_chart *chart =
        fs_sheet_chart(s->sheet, plan->name, title, fs_show_caption(s, plan, know, &runs[0], compared));
    fs_panel *panel = fs_chart_panel(s->sheet, chart, NULL);
    const fs_plan_column *of = plan->columns;
    chart->half = s->count == 1;
    panel->x = (fs_axis){.label = fs_arena_printf(s->arena, "%s, %s", of[0].label, of[0].unit),
                         .low = INFINITY,
                         .high = -INFINITY};
    panel->y = (fs_axis){.label = fs_arena_printf(s->arena, "%s, %s", of[1].label, of[1].unit), .log = true};
    panel->tall = 270;
    add_lines(s, panel, plan);
    for (size_t i = 0; i < s->count; i++)
        for (size_t k = 0; k < runs[i].count; k++)
            widen(&panel->x, runs[i].x[k]);
    for (size_t i = 0; i < s->count; i++)
        if (runs[i].count > 0)
            add_curve(s, panel, &runs[i], s->count > 1 ? s->label[i] : of[1].label, i);
    return FS_OK;
}

const fs_show_kind fs_show_kind_curve = {"curve", put_curve, NULL};
