/* How often values occur: histograms of a run, of a column (counts) or as a table of counts says it
 * (distribution); of several runs their tails on one axis. */
#include "reports/sections/sections_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { PANELS = 8 };

typedef struct bars {
    const fs_plan_column *column;
    fs_counted of, other; /* other: of the column less `by` */
    fs_value_spread spread;
} bars;

typedef struct counts {
    const fs_plan_panel *panel;
    const char *title;
    size_t panels;
    bars bars[PANELS];
} counts;

static bool know(void *self, const char *name, fs_number_value *out) {
    const counts *c = self;
    const size_t length = strcspn(name, ".");
    *out = (fs_number_value){.unit = "", .whole = true};
    if (strcmp(name, "counted") == 0 && c->panels > 0) {
        out->number = (double)c->bars[0].spread.count;
        return true;
    }
    for (size_t i = 0; i < c->panels; i++)
        if (strlen(c->bars[i].column->column) == length &&
            strncmp(c->bars[i].column->column, name, length) == 0)
            return fs_spread_know(&c->bars[i].spread, name + length, out);
    return false;
}

static const fs_values *values_of(fs_show *s, const int64_t *value, size_t count) {
    return fs_values_whole(s->sheet, value, count, 1);
}

/* ---- one run ---- */

static fs_status read_bars(fs_show *s, const fs_csv *t, bool counted, bars *b, fs_error *err) {
    const fs_plan_column *c = b->column;
    if (fs_spread_read(s->arena, t, c->column, NULL, counted, &b->of, err))
        return err->status;
    fs_spread_counted(&b->spread, b->of.value, b->of.many, b->of.count);
    const int64_t *by = counted || c->by == NULL ? NULL : fs_csv_ints(t, c->by, err);
    if (by == NULL || fs_spread_read(s->arena, t, c->column, by, false, &b->other, err))
        return err->status;
    fs_value_spread spread;
    fs_spread_take(&spread, by, fs_csv_rows(t));
    b->other.count = spread.most > 0 ? b->other.count : 0;
    return FS_OK;
}

static fs_axis value_axis(fs_show *s, const bars *b, bool logarithmic) {
    const double least = (double)b->spread.least, most = (double)b->spread.most;
    const char *label = fs_arena_printf(s->arena, "%s (%smost %s)", b->column->label,
                                        logarithmic ? "logarithmic; " : "", fs_number_grouped(most));
    return logarithmic ? (fs_axis){.label = label,
                                   .low = least > 1    ? least - 0.5
                                          : least == 1 ? 0.8
                                                       : 0.33,
                                   .high = most > 1 ? most + 0.5 : 3,
                                   .log = true}
                       : (fs_axis){.label = label, .low = -0.01 * most - 0.5, .high = 1.02 * most + 0.5};
}

static void add_panel(fs_show *s, fs_chart *chart, const counts *c, const bars *b) {
    const bool logarithmic = strcmp(c->panel->form, "log") == 0;
    const char *what = c->panel->label == NULL ? "" : c->panel->label;
    fs_panel *panel = fs_chart_panel(s->sheet, chart, NULL);
    panel->x = value_axis(s, b, logarithmic);
    panel->y = (fs_axis){.label = what, .low = 0.7, .high = 8 * (double)b->spread.tallest, .log = true};
    panel->tall = c->panels == 1 ? 260 : 150;
    panel->corner = fs_arena_printf(
        s->arena, "median %s, mean %s, 99.9th percentile %s", fs_number_grouped((double)b->spread.median),
        fs_number_short(b->spread.mean, 4), fs_number_grouped((double)b->spread.late));
    fs_chart_series *one =
        fs_panel_series(s->sheet, panel, FS_DRAW_BARS, b->other.count > 0 ? "as it was" : what, NULL);
    one->colour = b->column->colour == NULL ? "role-0" : b->column->colour;
    one->x = values_of(s, b->of.value, b->of.count);
    one->y = values_of(s, b->of.many, b->of.count);
    if (b->other.count > 0) {
        fs_chart_series *other = fs_panel_series(s->sheet, panel, FS_DRAW_LINE,
                                                 b->column->hint == NULL ? "" : b->column->hint, NULL);
        other->colour = "sync";
        other->x = values_of(s, b->other.value, b->other.count);
        other->y = values_of(s, b->other.many, b->other.count);
    }
    const double at[] = {b->spread.mean, (double)b->spread.median, (double)b->spread.late};
    for (unsigned k = 0; k < 3; k++) /* a value of 0 stands at a half on a logarithmic axis */
        fs_panel_mark(s->sheet, panel,
                      (fs_chart_mark){.kind = FS_MARK_UP,
                                      .x = logarithmic && at[k] < 1 ? 0.5 : at[k],
                                      .colour = k == 0 ? "ink" : NULL,
                                      .dash = k == 0 ? 0 : 3 - k});
}

static fs_status put_one(fs_show *s, const fs_plan_section *section, bool counted, fs_error *err) {
    const fs_csv *t = fs_show_table_of(s, 0, section->file, err);
    if (t == NULL)
        return err->status;
    counts *c = FS_NEW(s->arena, counts, section->panel_count + 1);
    size_t drawn = 0;
    for (size_t k = 0; k < section->panel_count; k++) {
        counts *one = &c[drawn];
        *one = (counts){.panel = &section->panels[k]};
        for (size_t i = 0; i < one->panel->column_count && one->panels < PANELS; i++) {
            bars *b = &one->bars[one->panels];
            *b = (bars){.column = &one->panel->columns[i]};
            if (read_bars(s, t, counted, b, err))
                return err->status;
            one->panels += b->spread.count > 0 && b->spread.most > 0; /* nothing to see when all are 0 */
        }
        one->title = fs_show_title(s, one->panel, false, know, one);
        drawn += one->panels > 0;
    }
    if (drawn == 0)
        return FS_OK;
    fs_show_begin(s, section, fs_show_inside(s, c[0].title, drawn));
    for (size_t k = 0; k < drawn; k++) {
        fs_chart *chart = fs_sheet_chart(s->sheet, c[k].panel->name, c[k].title,
                                         fs_show_caption(s, c[k].panel, know, &c[k], NULL));
        for (size_t i = 0; i < c[k].panels; i++)
            add_panel(s, chart, &c[k], &c[k].bars[i]);
    }
    return FS_OK;
}

/* ---- several runs: per cent of the values that are at least so large ---- */

/* How often the column's values occur in each run; `there`: in some they do. */
static fs_status read_tails(fs_show *s, const fs_plan_section *section, const char *column, bool counted,
                            fs_counted *of, bool *there, fs_error *err) {
    *there = false;
    for (size_t r = 0; r < s->count; r++) {
        const fs_csv *t = fs_show_table_of(s, r, section->file, err);
        of[r] = (fs_counted){.count = 0};
        if (t != NULL && (counted || fs_csv_has(t, column)))
            fs_spread_read(s->arena, t, column, NULL, counted, &of[r], err);
        if (err->status != FS_OK)
            return err->status;
        *there |= of[r].count > 0;
    }
    return FS_OK;
}

static void add_tails(fs_show *s, fs_chart *chart, const fs_plan_column *column, const fs_counted *of) {
    fs_panel *panel = fs_chart_panel(s->sheet, chart, NULL);
    panel->x = (fs_axis){.label = column->label};
    panel->y = (fs_axis){.label = "% that have at least so much", .low = 0.001, .high = 110, .log = true};
    panel->tall = 265;
    for (size_t r = 0; r < s->count; r++) {
        if (of[r].count == 0)
            continue;
        fs_chart_series *one = fs_panel_series(s->sheet, panel, FS_DRAW_TAIL, s->label[r], NULL);
        one->colour = r == 0 ? "plain" : fs_arena_printf(s->arena, "series-%zu", r - 1);
        one->width = r == 0 ? 4 : 1.5;
        one->dash = r < 2 ? 0 : (unsigned)r - 1;
        one->x = values_of(s, of[r].value, of[r].count);
        one->y = values_of(s, of[r].many, of[r].count);
    }
}

static fs_status put_tails(fs_show *s, const fs_plan_section *section, bool counted, fs_error *err) {
    fs_chart *chart = NULL;
    for (size_t k = 0; k < section->panel_count; k++) {
        const fs_plan_panel *plan = &section->panels[k];
        for (size_t i = 0; i < plan->column_count && fs_show_shown(s, plan); i++) {
            const fs_plan_column *column = &plan->columns[i];
            fs_counted of[FS_SHOW_RUNS];
            bool there;
            if (read_tails(s, section, column->column, counted, of, &there, err))
                return err->status;
            if (!there || strcmp(column->form, "told") == 0)
                continue;
            if (chart == NULL) {
                fs_show_begin(s, section, "the runs on one axis");
                chart = fs_sheet_chart(
                    s->sheet, fs_arena_printf(s->arena, "tails-%.20s", section->id), plan->compared,
                    "Per cent that have at least the value: the further a curve lies to the "
                    "right, the more. The mean decides how much there is, the tail how long the "
                    "last ones take.");
            }
            add_tails(s, chart, column, of);
        }
    }
    if (chart != NULL && chart->panels > 1)
        chart->columns = 2;
    return FS_OK;
}

static fs_status put_counts(fs_show *s, const fs_plan_section *section, fs_error *err) {
    return s->count > 1 ? put_tails(s, section, false, err) : put_one(s, section, false, err);
}

static fs_status put_distribution(fs_show *s, const fs_plan_section *section, fs_error *err) {
    return s->count > 1 ? put_tails(s, section, true, err) : put_one(s, section, true, err);
}

const fs_show_kind fs_show_kind_counts = {"counts", put_counts, NULL};
const fs_show_kind fs_show_kind_distribution = {"distribution", put_distribution, NULL};
