/* Histograms: how often each value of a column occurs (counts), or as a table of counts says it
 * (distribution). */
#include "reports/read/run_spread.h"
#include "reports/run/report_private.h"
#include "sim/base/arith.h"

#include <string.h>

enum { PANELS = 8, BOXES = 400 }; /* more values than BOXES are drawn as lines */

typedef struct bars {
    const fs_plan_column *column;
    fs_counted of, other; /* other: of the column less `by` */
    fs_value_spread spread;
} bars;

typedef struct counts {
    const fs_plan_panel *panel;
    fs_report_picture *picture;
    size_t panels;
    bars bars[PANELS];
} counts;

static fs_status read_bars(fs_report *r, const fs_csv *t, bool counted, bars *b, fs_error *err) {
    const fs_plan_column *c = b->column;
    if (fs_spread_read(r->arena, t, c->column, NULL, counted, &b->of, err))
        return err->status;
    fs_spread_counted(&b->spread, b->of.value, b->of.many, b->of.count);
    const int64_t *by = counted || c->by == NULL ? NULL : fs_csv_ints(t, c->by, err);
    if (by == NULL || fs_spread_read(r->arena, t, c->column, by, false, &b->other, err))
        return err->status;
    fs_value_spread s;
    fs_spread_take(&s, by, fs_csv_rows(t));
    b->other.count = s.most > 0 ? b->other.count : 0;
    return FS_OK;
}

static bool know(void *self, const char *name, fs_fill_value *out) {
    const counts *c = self;
    const size_t length = strcspn(name, ".");
    *out = (fs_fill_value){.unit = "", .whole = true};
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

static fs_status save_bars(fs_report *r, const char *name, const fs_counted *c, fs_error *err) {
    r->text.used = 0;
    for (size_t i = 0; i < c->count; i++)
        fs_page_text_print(&r->text, "%lld %lld\n", (long long)c->value[i], (long long)c->many[i]);
    return fs_page_text_save(&r->text, r->pictures, name, "dat", err);
}

static fs_status draw(fs_report *r, counts *c, fs_error *err) {
    enum { MEAN, MEDIAN, LATE, MOST, LEAST, TALLEST, OTHER, NUMBERS };
    static const char *const numbers[NUMBERS] = {"mean",  "median",  "late", "most",
                                                 "least", "tallest", "other"};
    double number[NUMBERS][PANELS] = {{0}};
    const char *label[PANELS], *colour[PANELS], *word[PANELS], *other[PANELS];
    bool many = false;
    for (size_t i = 0; i < c->panels; i++) {
        const bars *b = &c->bars[i];
        const double all[NUMBERS] = {b->spread.mean,          (double)b->spread.median,
                                     (double)b->spread.late,  (double)b->spread.most,
                                     (double)b->spread.least, (double)b->spread.tallest,
                                     (double)b->other.count};
        for (size_t k = 0; k < NUMBERS; k++)
            number[k][i] = all[k];
        label[i] = b->column->label;
        colour[i] = fs_plot_colour(b->column->colour == NULL ? "role-0" : b->column->colour);
        word[i] = b->column->column;
        other[i] = b->column->hint == NULL ? "" : b->column->hint;
        many |= b->of.count > BOXES;
        if (save_bars(r, fs_arena_printf(r->arena, "%s-%zu", c->panel->name, i + 1), &b->of, err) ||
            save_bars(r, fs_arena_printf(r->arena, "%s-%zu-other", c->panel->name, i + 1), &b->other, err))
            return err->status;
    }
    c->picture = fs_report_begin(r, c->panel, false, know, c);
    fs_report_set_text(r, "axis", c->panel->label);
    fs_report_set_texts(r, "label_of", label, c->panels);
    fs_report_set_texts(r, "colour", colour, c->panels);
    fs_report_set_texts(r, "word", word, c->panels);
    fs_report_set_texts(r, "other_word", other, c->panels);
    for (size_t k = 0; k < NUMBERS; k++)
        fs_report_set_numbers(r, numbers[k], number[k], c->panels);
    fs_page_text_print(&r->text, "panels = %zu; logarithmic = %d; narrow = %d\n", c->panels,
                       strcmp(c->panel->form, "log") == 0, many);
    return fs_report_end(r, c->panel->name, "counts.gp", err);
}

static fs_status prepare_by(fs_report *r, const fs_plan_section *s, bool counted, void **own, fs_error *err) {
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    if (t == NULL)
        return err->status;
    counts *c = FS_NEW(r->arena, counts, s->panel_count + 1);
    size_t drawn = 0;
    for (size_t k = 0; k < s->panel_count; k++) {
        counts *one = &c[drawn];
        one->panel = &s->panels[k];
        for (size_t i = 0; i < one->panel->column_count && one->panels < PANELS; i++) {
            bars *b = &one->bars[one->panels];
            b->column = &one->panel->columns[i];
            if (read_bars(r, t, counted, b, err))
                return err->status;
            one->panels += b->spread.count > 0 && b->spread.most > 0; /* nothing to see when all are 0 */
            if (b->spread.most == 0)
                *b = (bars){0};
        }
        if (one->panels == 0)
            continue;
        if (draw(r, one, err))
            return err->status;
        drawn++;
    }
    c[drawn].panels = 0;
    *own = drawn > 0 ? c : NULL;
    return FS_OK;
}

static fs_status prepare_counts(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    return prepare_by(r, s, false, own, err);
}

static fs_status prepare_distribution(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    return prepare_by(r, s, true, own, err);
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const counts *c = self;
    for (size_t i = 0; i < c->panels; i++) {
        const bars *b = &c->bars[i];
        if (strcmp(b->column->column, panel->name) != 0)
            continue;
        json_t *at = json_array(), *many = json_array();
        for (size_t k = 0; k < b->of.count; k++) {
            json_array_append_new(at, json_integer(b->of.value[k]));
            json_array_append_new(many, json_integer(b->of.many[k]));
        }
        return json_pack("{s:s, s:s, s:o, s:[{s:s, s:s, s:o}]}", "kind", "bars", "x", b->column->label, "at",
                         at, "layers", "what", c->panel->label == NULL ? "" : c->panel->label, "unit", "",
                         "values", many);
    }
    return NULL;
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)s;
    for (counts *c = own; c->panels > 0; c++) {
        if (fs_report_figure(r, c->picture, err))
            return err->status;
        fs_report_hover(r, c->picture, show, c);
    }
    return FS_OK;
}

const fs_report_kind fs_report_kind_counts = {"counts", prepare_counts, put};
const fs_report_kind fs_report_kind_distribution = {"distribution", prepare_distribution, put};
