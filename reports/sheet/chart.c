/* Charts of a sheet while they are made, and the values that they show. */
#include "reports/sheet/sheet_private.h"

#include <math.h>
#include <string.h>

/* ---- values ---- */

static fs_values *add(fs_sheet *s, fs_values values) {
    fs_values *v = FS_NEW(s->arena, fs_values, 1);
    *v = values;
    v->before = s->values;
    s->values = v;
    s->value_count++;
    return v;
}

fs_values *fs_values_reals(fs_sheet *s, const double *at, size_t count) {
    return add(s, (fs_values){.kind = FS_VALUES_REAL, .real = at, .count = count});
}

fs_values *fs_values_whole(fs_sheet *s, const int64_t *at, size_t count, double scale) {
    return add(s, (fs_values){.kind = FS_VALUES_WHOLE, .whole = at, .count = count, .scale = scale});
}

fs_values *fs_values_steps(fs_sheet *s, double first, double step, size_t count) {
    return add(s, (fs_values){.kind = FS_VALUES_STEPS, .first = first, .step = step, .count = count});
}

fs_values *fs_values_words(fs_sheet *s, const char *const *at, size_t count) {
    return add(s, (fs_values){.kind = FS_VALUES_WORDS, .word = at, .count = count});
}

fs_values *fs_values_less(fs_sheet *s, const fs_values *of, const fs_values *less) {
    FS_ASSERT(of->count == less->count, "%zu values less %zu", of->count, less->count);
    return add(s, (fs_values){.of = of, .less = less, .count = of->count});
}

fs_values *fs_values_where(fs_sheet *s, const fs_values *of, const fs_values *words, const char *word) {
    FS_ASSERT(words->kind == FS_VALUES_WORDS && words->count == of->count, "%zu words of %zu values",
              words->count, of->count);
    return add(
        s, (fs_values){.of = of, .where = words, .is = fs_arena_strdup(s->arena, word), .count = of->count});
}

const char *fs_values_word(const fs_values *v, size_t i) {
    return v->kind != FS_VALUES_WORDS || v->word[i] == NULL ? "" : v->word[i];
}

double fs_values_at(const fs_values *v, size_t i) {
    if (v->of != NULL && v->where != NULL && strcmp(fs_values_word(v->where, i), v->is) != 0)
        return 0;
    if (v->of != NULL)
        return fs_values_at(v->of, i) - (v->less == NULL ? 0 : fs_values_at(v->less, i));
    switch (v->kind) {
    case FS_VALUES_REAL:
        return v->real[i];
    case FS_VALUES_WHOLE:
        return v->whole[i] < 0 ? (double)NAN : v->scale * (double)v->whole[i];
    case FS_VALUES_STEPS:
        return v->first + (double)i * v->step;
    default:
        return NAN;
    }
}

/* ---- charts ---- */

fs_chart *fs_sheet_chart(fs_sheet *s, const char *id, const char *title, const char *caption) {
    fs_chart *chart = FS_NEW(s->arena, fs_chart, 1);
    chart->id = fs_arena_strdup(s->arena, id);
    chart->title = fs_arena_strdup(s->arena, title);
    chart->caption = fs_arena_strdup(s->arena, caption == NULL ? "" : caption);
    fs_item_add(s, FS_ITEM_CHART, NULL, NULL, NULL)->chart = chart;
    return chart;
}

void fs_sheet_small(fs_sheet *s, const char *id, const char *title, const fs_panel *panel) {
    fs_item_add(s, FS_ITEM_SMALL, id, NULL, fs_arena_strdup(s->arena, title))->panel = panel;
}

fs_panel *fs_chart_panel(fs_sheet *s, fs_chart *chart, const char *title) {
    fs_panel *panel = FS_NEW(s->arena, fs_panel, 1);
    chart->panel = fs_arena_grow(s->arena, chart->panel, chart->panels, sizeof *chart->panel);
    chart->panel[chart->panels++] = panel;
    panel->title = title == NULL ? NULL : fs_arena_strdup(s->arena, title);
    return panel;
}

fs_chart_series *fs_panel_series(fs_sheet *s, fs_panel *panel, fs_draw as, const char *label,
                                 const char *unit) {
    fs_chart_series *series = FS_NEW(s->arena, fs_chart_series, 1);
    FS_ASSERT(panel->count < FS_PANEL_SERIES, "more than %d series", FS_PANEL_SERIES);
    *series = (fs_chart_series){.as = as,
                                .label = label == NULL ? NULL : fs_arena_strdup(s->arena, label),
                                .unit = unit == NULL ? NULL : fs_arena_strdup(s->arena, unit)};
    panel->series[panel->count++] = series;
    return series;
}

void fs_panel_mark(fs_sheet *s, fs_panel *panel, fs_chart_mark mark) {
    panel->mark = fs_arena_grow(s->arena, panel->mark, panel->marks, sizeof *panel->mark);
    mark.text = mark.text == NULL ? NULL : fs_arena_strdup(s->arena, mark.text);
    panel->mark[panel->marks++] = mark;
}

fs_chart_points *fs_sheet_points(fs_sheet *s, const char *id, const fs_values *names, fs_panel **told) {
    fs_chart_points *points = FS_NEW(s->arena, fs_chart_points, 1);
    *points = (fs_chart_points){.id = fs_arena_strdup(s->arena, id), .names = names, .before = s->points};
    points->panel = *told = FS_NEW(s->arena, fs_panel, 1);
    s->points = points;
    return points;
}
