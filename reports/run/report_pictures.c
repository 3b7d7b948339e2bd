/* Pictures of a run's page: script and data in a drawing, then a figure with the values behind it. */
#include "reports/run/report_private.h"

#include <math.h>
#include <stdlib.h>

const char *fs_report_file(const fs_plan_section *s, const fs_plan_panel *panel) {
    return panel != NULL && panel->file != NULL ? panel->file : s->file;
}

void fs_report_set_text(fs_report *r, const char *name, const char *text) {
    fs_plot_put_text(&r->text, r->arena, name, text == NULL ? "" : text);
}

void fs_report_set_texts(fs_report *r, const char *name, const char *const *texts, size_t count) {
    fs_page_text_print(&r->text, "array %s[%zu]\n", name, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&r->text, "%s[%zu] = %s\n", name, i + 1,
                           fs_plot_quoted(r->arena, texts[i] == NULL ? "" : texts[i]));
}

void fs_report_set_numbers(fs_report *r, const char *name, const double *numbers, size_t count) {
    fs_page_text_print(&r->text, "array %s[%zu] = [", name, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++)
        fs_page_text_print(&r->text, "%s%.9g", i > 0 ? ", " : "", isnan(numbers[i]) ? 0 : numbers[i]);
    fs_page_text_print(&r->text, "%s]\n", count > 0 ? "" : "0");
}

fs_report_picture *fs_report_begin(fs_report *r, const fs_plan_panel *panel, bool otherwise,
                                   fs_fill_lookup *lookup, void *self) {
    FS_ASSERT(r->plots < FS_REPORT_PICTURES, "more than %d pictures", FS_REPORT_PICTURES);
    fs_report_picture *p = &r->picture[r->plots];
    p->title = otherwise ? NULL : fs_fill(r->arena, r->run, panel->title, lookup, self);
    if (p->title == NULL)
        p->title = fs_fill(r->arena, r->run, panel->otherwise, lookup, self);
    if (p->title == NULL)
        p->title = panel->label == NULL ? panel->name : panel->label;
    p->caption = fs_fill(r->arena, r->run, panel->caption, lookup, self);
    p->caption = p->caption == NULL ? "" : p->caption;
    r->text.used = 0;
    fs_page_text_print(&r->text, "load 'style.gp'\n");
    fs_report_set_text(r, "file", panel->name);
    fs_report_set_text(r, "words", p->title);
    fs_report_set_text(r, "more", fs_arena_printf(r->arena, "%s: %s", fs_folder_name(r->run), p->caption));
    return p;
}

fs_status fs_report_end(fs_report *r, const char *name, const char *kind, fs_error *err) {
    fs_page_text_print(&r->text, "load '%s'\n", kind);
    r->name[r->plots] = name;
    r->picture[r->plots].plot = &r->plot[r->plots];
    r->plots++;
    return fs_page_text_save(&r->text, r->pictures, name, "gp", err);
}

fs_status fs_report_figure(fs_report *r, const fs_report_picture *picture, fs_error *err) {
    const char *name = picture->plot->name;
    fs_page_figure(r->page, name, picture->title, true);
    fs_status status = fs_page_svg(r->page, fs_arena_printf(r->arena, "%s/%s.svg", r->pictures, name),
                                   fs_arena_printf(r->arena, "plot-%s", name), picture->title, err);
    fs_page_figure_end(r->page, "%s", picture->caption);
    return status;
}

void fs_report_hover(fs_report *r, const fs_report_picture *picture, fs_plot_show *show, void *self) {
    fs_plot_hover(r->page, fs_arena_printf(r->arena, "plot-%s", picture->plot->name), picture->plot, 9, show,
                  self);
}

json_t *fs_report_layer(const char *what, const char *unit, const char *values, double scale) {
    return json_pack("{s:s, s:s, s:s, s:f}", "what", what, "unit", unit, "values", values, "scale", scale);
}

void fs_report_values16(fs_report *r, const char *id, const int64_t *values, size_t count, double scale) {
    uint16_t *small = fs_malloc((count + 1) * sizeof *small);
    for (size_t i = 0; i < count; i++) {
        double v = (double)values[i] / scale + 0.5;
        small[i] = values[i] < 0 ? UINT16_MAX : v > UINT16_MAX - 1 ? UINT16_MAX - 1 : (uint16_t)v;
    }
    fs_page_values(r->page, id, FS_PAGE_U16, small, count);
    free(small);
}
