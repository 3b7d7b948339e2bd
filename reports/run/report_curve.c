/* A curve of few points: the second column of a panel over its first, as a line; rows whose third column is not 0 have a
 * ring. */
#include "reports/read/run_measured.h"
#include "reports/run/report_private.h"

#include <math.h>
#include <string.h>

typedef struct curve {
    fs_report *r;
    const fs_plan_panel *panel;
    fs_report_picture *picture;
    const double *x, *y, *ring; /* [count] */
    size_t count, at;           /* at: the row with a ring */
} curve;

static bool stands(const curve *c, size_t i) {
    return isfinite(c->x[i]) && isfinite(c->y[i]);
}

static bool know(void *self, const char *name, fs_fill_value *out) {
    const curve *c = self;
    *out = (fs_fill_value){.unit = ""};
    if (c->at == c->count || (strcmp(name, "x") != 0 && strcmp(name, "y") != 0))
        return false;
    out->number = name[0] == 'x' ? c->x[c->at] : c->y[c->at];
    return true;
}

static fs_status read_curve(curve *c, const fs_csv *t, fs_error *err) {
    const double *column[3] = {NULL};
    for (size_t i = 0; i < 3; i++)
        if ((column[i] = fs_csv_reals(t, c->panel->columns[i].column, err)) == NULL)
            return err->status;
    c->count = c->at = fs_csv_rows(t);
    c->x = column[0];
    c->y = column[1];
    c->ring = column[2];
    for (size_t i = 0; i < c->count; i++)
        c->at = stands(c, i) && c->ring[i] > 0 ? i : c->at;
    return FS_OK;
}

static fs_status draw(curve *c, fs_error *err) {
    fs_report *r = c->r;
    r->text.used = 0;
    for (size_t i = 0; i < c->count; i++)
        if (stands(c, i))
            fs_page_text_print(&r->text, "%.9g %.9g %d\n", c->x[i], c->y[i], i == c->at);
    if (fs_page_text_save(&r->text, r->pictures, c->panel->name, "dat", err))
        return err->status;
    c->picture = fs_report_begin(r, c->panel, c->at == c->count, know, c);
    for (size_t i = 0; i < 2; i++) {
        const fs_plan_column *of = &c->panel->columns[i];
        fs_report_set_text(r, i == 0 ? "x_name" : "y_name",
                           fs_arena_printf(r->arena, "%s, %s", of->label, of->unit));
    }
    return fs_report_end(r, c->panel->name, "curve.gp", err);
}

static fs_status prepare(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    curve *c = FS_NEW(r->arena, curve, 1);
    const fs_csv *t = fs_folder_table(r->run, s->file, err);
    *c = (curve){.r = r, .panel = s->panels};
    if (t == NULL || s->panel_count == 0 || s->panels[0].column_count < 3)
        return err->status;
    if (read_curve(c, t, err) || c->count < 2 || draw(c, err))
        return err->status;
    *own = c;
    return FS_OK;
}

static json_t *show(const fs_plot_panel *panel, void *self) {
    const curve *c = self;
    (void)panel;
    return json_pack("{s:s, s:b, s:s}", "kind", "dots", "own", 1, "data",
                     fs_arena_printf(c->r->arena, "%s-points", c->panel->name));
}

static fs_status put(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    curve *c = own;
    const fs_plan_column *of = c->panel->columns;
    (void)s;
    if (fs_report_figure(r, c->picture, err))
        return err->status;
    json_t *x = json_array(), *y = json_array(), *labels = json_array(), *values = json_array();
    for (size_t i = 0; i < c->count; i++) {
        if (!stands(c, i))
            continue;
        json_array_append_new(x, json_real(c->x[i]));
        json_array_append_new(y, json_real(c->y[i]));
        json_array_append_new(values, json_real(c->y[i]));
        json_array_append_new(labels, json_sprintf("%s %g", of[0].label, c->x[i]));
    }
    fs_page_json(r->page, fs_arena_printf(r->arena, "%s-points", c->panel->name), 6,
                 json_pack("{s:o, s:o, s:o, s:[{s:s, s:s, s:o}]}", "x", x, "y", y, "labels", labels, "layers",
                           "what", of[1].label, "unit", of[1].unit, "values", values));
    fs_report_hover(r, c->picture, show, c);
    return FS_OK;
}

const fs_report_kind fs_report_kind_curve = {"curve", prepare, put};
