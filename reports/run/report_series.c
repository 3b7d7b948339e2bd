/* Series: lines and stacks over the rows of a table, an iteration, a step or a slice of the time each. */
#include "reports/read/run_series.h"
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 960, MOST_LINES = 48, MOST_PANELS = 8 };

typedef struct series {
    const fs_plan_section *section;
    fs_report_picture *picture;
    const fs_csv *table;
    size_t rows, step, lines;
    fs_lines_one line[MOST_LINES];
    bool shown[MOST_PANELS]; /* has a value */
    double total;            /* of the first panel */
    const char *const *pace; /* words of the column that splits the first panel */
    const int64_t *pace_tile;
    const char *paced; /* "tracers in 63 %" */
    const char *row;   /* what a row is: "iteration", "step" */
} series;

/* Who sets the pace, of the lines of the first panel that are split. */
static fs_status read_pace(fs_report *r, series *s, fs_error *err) {
    for (size_t i = 0; i < s->lines && s->pace == NULL; i++) {
        const char *by = s->line[i].by == NULL ? "" : s->line[i].plan->by;
        const char *tile =
            fs_arena_printf(r->arena, "%.*s_tile", (int)(strlen(by) > 5 ? strlen(by) - 5 : 0), by);
        s->pace = s->line[i].words;
        if (s->pace != NULL && fs_csv_has(s->table, tile))
            s->pace_tile = fs_csv_ints(s->table, tile, err);
    }
    return err->status;
}

/* ---- words ---- */

static bool know(void *self, const char *name, fs_fill_value *out) {
    const series *s = self;
    const char *dot = strrchr(name, '.');
    *out = (fs_fill_value){.unit = "", .whole = true};
    if (strcmp(name, "rows") == 0 || strcmp(name, "sum") == 0) {
        out->number = name[0] == 'r' ? (double)s->rows : s->total;
        return true;
    }
    if (strcmp(name, "paced") == 0) {
        out->text = s->paced;
        return s->paced != NULL;
    }
    if (dot == NULL || strcmp(dot, ".share") != 0 || s->total <= 0)
        return false;
    double sum = 0;
    for (size_t i = 0; i < s->lines; i++)
        if (s->line[i].panel == 0 && strncmp(s->line[i].column, name, (size_t)(dot - name)) == 0 &&
            s->line[i].column[dot - name] == '\0')
            sum += s->line[i].sum;
    out->number = sum / s->total;
    return true;
}

/* Who set the pace most often. */
static void find_pace(fs_report *r, series *s) {
    size_t count[FS_ROLES] = {0}, most = 0;
    for (size_t i = 0; s->pace != NULL && i < s->rows; i++)
        count[fs_roles_at(&r->roles, s->pace[i])]++;
    for (size_t k = 0; k < r->roles.count; k++)
        most = count[k] > count[most] ? k : most;
    if (s->pace != NULL && s->rows > 0)
        s->paced = fs_arena_printf(r->arena, "%s in %.0f %%", r->roles.label[most],
                                   100 * (double)count[most] / (double)s->rows);
}

/* ---- data ---- */

/* Means over pools of rows; every pool stands at its left and right edge, so that a line is a staircase.
 * Areas of a panel are cumulative. */
static fs_status write_data(fs_report *r, series *s, double *stack, double *low, fs_error *err) {
    r->text.used = 0;
    for (size_t from = 0; from < s->rows; from += s->step) {
        const size_t to = from + s->step < s->rows ? from + s->step : s->rows;
        double mean[MOST_LINES] = {0}, sum[MOST_PANELS] = {0}, device[MOST_PANELS] = {0};
        for (size_t k = 0; k < s->lines; k++) {
            const fs_lines_one *l = &s->line[k];
            for (size_t i = from; i < to; i++)
                mean[k] += fs_lines_at(l, i);
            mean[k] /= (double)(to - from);
            if (l->area) {
                sum[l->panel] += mean[k];
                device[l->panel] += l->tall ? 0 : mean[k];
                mean[k] = sum[l->panel];
            } else if (!l->told)
                device[l->panel] = fmax(device[l->panel], mean[k]);
            if (!l->told)
                stack[l->panel] = fmax(stack[l->panel], mean[k]);
        }
        for (size_t p = 0; p < MOST_PANELS; p++)
            low[p] = fmax(low[p], device[p]);
        for (size_t edge = 0; edge < 2; edge++) {
            fs_page_text_print(&r->text, "%.1f", (double)(edge == 0 ? from : to) - 0.5);
            for (size_t k = 0; k < s->lines; k++)
                fs_page_text_print(&r->text, " %.9g", mean[k]);
            fs_page_text_print(&r->text, "\n");
        }
    }
    return fs_page_text_save(&r->text, r->pictures, s->section->id, "dat", err);
}

static double scale_of(double most) {
    return most >= 1e6 ? 1e6 : most >= 1e4 ? 1e3 : 1;
}

static const char *scale_word(double scale) {
    return scale >= 1e6 ? "million " : scale >= 1e3 ? "thousand " : "";
}

static bool know_scale(void *self, const char *name, fs_fill_value *out) {
    *out = (fs_fill_value){.number = NAN, .unit = "", .text = self};
    return strcmp(name, "scale") == 0;
}

/* What the script is told of its panels and their lines, all panels in one list. */
typedef struct told {
    size_t panels, lines;
    const char *panel_name[MOST_PANELS], *panel_label[MOST_PANELS], *panel_cut[MOST_PANELS];
    double panel_top[MOST_PANELS], panel_scale[MOST_PANELS], panel_from[MOST_PANELS],
        panel_areas[MOST_PANELS], panel_lines[MOST_PANELS];
    const char *line_label[MOST_LINES], *line_colour[MOST_LINES];
    double line_at[MOST_LINES];
} told;

static void tell_panel(fs_report *r, const series *s, size_t at, double whole, double device, told *t) {
    const fs_plan_panel *panel = &s->section->panels[at];
    const bool cut = whole > 2 * 1.08 * device && device > 0;
    const double top = cut ? 1.5 * 1.08 * device : 1.04 * fmax(whole, 1e-9),
                 scale = scale_of(fmin(top, whole));
    const size_t n = t->panels++, before = t->lines;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = s->lines; k-- > 0;) { /* from the back to the front, the top of the stack
                                               first; what is 0 throughout is not drawn */
            const size_t i = pass == 0 ? k : s->lines - 1 - k;
            const fs_lines_one *l = &s->line[i];
            if (l->panel != at || l->told || !(l->sum > 0) || l->area != (pass == 0))
                continue;
            t->line_label[t->lines] = l->label;
            t->line_colour[t->lines] = l->shades > 0 ? fs_plot_shade(r->arena, l->colour, l->shade, l->shades)
                                                     : fs_plot_colour(l->colour);
            t->line_at[t->lines++] = (double)i + 2;
            t->panel_areas[n] += pass == 0;
        }
    t->panel_name[n] = panel->name;
    t->panel_label[n] =
        fs_fill(r->arena, r->run, panel->label, know_scale, (void *)(uintptr_t)scale_word(scale));
    t->panel_cut[n] =
        cut ? fs_arena_printf(r->arena, "cut: up to %.1f %s", whole / scale, scale_word(scale)) : "";
    t->panel_top[n] = top / scale;
    t->panel_scale[n] = scale;
    t->panel_from[n] = (double)before;
    t->panel_lines[n] = (double)(t->lines - before);
}

static void set_panels(fs_report *r, const told *t) {
    fs_report_set_texts(r, "plot_name", t->panel_name, t->panels);
    fs_report_set_texts(r, "plot_label", t->panel_label, t->panels);
    fs_report_set_texts(r, "plot_cut", t->panel_cut, t->panels);
    fs_report_set_numbers(r, "plot_top", t->panel_top, t->panels);
    fs_report_set_numbers(r, "plot_scale", t->panel_scale, t->panels);
    fs_report_set_numbers(r, "plot_from", t->panel_from, t->panels);
    fs_report_set_numbers(r, "plot_areas", t->panel_areas, t->panels);
    fs_report_set_numbers(r, "plot_lines", t->panel_lines, t->panels);
    fs_report_set_texts(r, "line_label", t->line_label, t->lines);
    fs_report_set_texts(r, "line_colour", t->line_colour, t->lines);
    fs_report_set_numbers(r, "line_at", t->line_at, t->lines);
}

static fs_status write_script(fs_report *r, series *s, const double *whole, const double *device,
                              fs_error *err) {
    const fs_plan_panel *first = &s->section->panels[0];
    bool compute = false;
    for (size_t i = 0; i < s->lines; i++)
        compute |= first->column_count > 0 && strcmp(s->line[i].column, first->columns[0].column) == 0 &&
                   s->line[i].sum > 0;
    fs_plan_panel named = *first;
    named.name = s->section->id;
    s->picture = fs_report_begin(r, &named, !compute, know, s);
    told t = {0};
    for (size_t p = 0; p < s->section->panel_count && p < MOST_PANELS; p++)
        if (s->shown[p])
            tell_panel(r, s, p, whole[p], device[p], &t);
    set_panels(r, &t);
    const char *mark[FS_REPORT_PARTS];
    double end[FS_REPORT_PARTS];
    size_t marks = 0;
    for (size_t p = 1; p < r->parts; p++)
        if (r->plan->parts[p - 1].mark != NULL && r->part_end[p] > 0 && r->part_end[p] < s->rows) {
            mark[marks] = r->plan->parts[p - 1].mark;
            end[marks++] = (double)r->part_end[p];
        }
    fs_page_text_print(&r->text, "data = '%s.dat'; panels = %zu; iterations = %zu; marks = %zu; row = %s\n",
                       s->section->id, t.panels, s->rows, marks, fs_plot_quoted(r->arena, s->row));
    fs_report_set_texts(r, "mark_text", mark, marks);
    fs_report_set_numbers(r, "mark_at", end, marks);
    return fs_report_end(r, s->section->id, "series.gp", err);
}

/* By the first column, unless rows are iterations. Of a run without iterations, rows that say where they start are slices
 * of its time. */
static fs_status name_row(fs_report *r, series *s, fs_error *err) {
    s->row = fs_csv_has(s->table, "iteration") ? "iteration" : fs_csv_column(s->table, 0);
    if (r->part_end[0] > 0 || s->rows < 2 || !fs_csv_has(s->table, "start"))
        return FS_OK;
    const int64_t *start = fs_csv_ints(s->table, "start", err);
    if (start == NULL)
        return err->status;
    s->row =
        fs_arena_printf(r->arena, "slice of %s cycles", fs_number_grouped((double)(start[1] - start[0])));
    return FS_OK;
}

static fs_status prepare(fs_report *r, const fs_plan_section *section, void **own, fs_error *err) {
    series *s = FS_NEW(r->arena, series, 1);
    s->section = section;
    s->table = fs_folder_table(r->run, section->file, err);
    if (s->table == NULL)
        return err->status;
    s->rows = fs_csv_rows(s->table);
    s->step = (s->rows + WIDEST - 1) / WIDEST;
    if (s->rows == 0)
        return FS_OK;
    if (name_row(r, s, err))
        return err->status;
    for (size_t p = 0; p < section->panel_count && p < MOST_PANELS; p++)
        if (fs_lines_read(r->arena, &r->roles, s->table, section, p, s->line, &s->lines, MOST_LINES, err))
            return err->status;
    if (read_pace(r, s, err))
        return err->status;
    for (size_t i = 0; i < s->lines; i++) {
        s->shown[s->line[i].panel] |= s->line[i].sum > 0 && !s->line[i].told;
        s->total += s->line[i].panel == 0 ? s->line[i].sum : 0;
    }
    find_pace(r, s);
    bool any = false;
    for (size_t p = 0; p < MOST_PANELS; p++)
        any |= s->shown[p];
    if (!any) /* nothing but 0 */
        return FS_OK;
    double whole[MOST_PANELS] = {0}, device[MOST_PANELS] = {0};
    if (write_data(r, s, whole, device, err) || write_script(r, s, whole, device, err))
        return err->status;
    *own = s;
    return FS_OK;
}

/* ---- the page ---- */

static json_t *show(const fs_plot_panel *panel, void *self) {
    const series *s = self;
    json_t *layers = json_array();
    size_t at = 0;
    for (size_t p = 0; p < s->section->panel_count; p++)
        at = strcmp(s->section->panels[p].name, panel->name) == 0 ? p : at;
    const fs_plan_panel *plan = &s->section->panels[at];
    for (size_t i = s->lines; i-- > 0;) {
        const fs_lines_one *l = &s->line[i];
        char id[128];
        if (l->panel != at ||
            (l->by != NULL && i > 0 && s->line[i - 1].by != NULL && s->line[i - 1].panel == at))
            continue;
        snprintf(id, sizeof id, "%s-%s", s->section->id, l->column);
        const char *label = l->by != NULL ? plan->columns[0].label : l->label;
        json_array_append_new(layers, fs_report_layer(label, l->unit, id, 1));
    }
    json_t *shown = json_pack("{s:s, s:s, s:o}", "kind", "series", "x", s->row, "layers", layers);
    if (at == 0 && s->pace != NULL) {
        char id[64];
        snprintf(id, sizeof id, "%s-pace", s->section->id);
        json_object_set_new(shown, "words", json_string(id));
    }
    return shown;
}

/* "pace: router 1364" for each row. */
static void put_pace(fs_report *r, const series *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < s->rows; i++) {
        char words[96];
        int used = snprintf(words, sizeof words, "pace: %.60s", s->pace[i]);
        if (s->pace_tile != NULL)
            snprintf(words + used, sizeof words - (size_t)used, " %lld", (long long)s->pace_tile[i]);
        json_array_append_new(list, json_string(words));
    }
    fs_page_json(r->page, fs_arena_printf(r->arena, "%s-pace", s->section->id), 6, list);
}

static fs_status put(fs_report *r, const fs_plan_section *section, void *own, fs_error *err) {
    series *s = own;
    (void)section;
    if (fs_report_figure(r, s->picture, err))
        return err->status;
    for (size_t i = 0; i < s->lines; i++) {
        if (!fs_lines_first(s->line, i)) /* it holds its values for all of them */
            continue;
        int32_t *narrow = fs_malloc((s->rows + 1) * sizeof *narrow);
        for (size_t k = 0; k < s->rows; k++)
            narrow[k] = s->line[i].values[k] > INT32_MAX ? INT32_MAX : (int32_t)s->line[i].values[k];
        fs_page_values(r->page, fs_arena_printf(r->arena, "%s-%s", s->section->id, s->line[i].column),
                       FS_PAGE_I32, narrow, s->rows);
        free(narrow);
    }
    if (s->pace != NULL)
        put_pace(r, s);
    fs_report_hover(r, s->picture, show, s);
    return FS_OK;
}

const fs_report_kind fs_report_kind_series = {"series", prepare, put};
