/* The page of a comparison: verdict first, then what was set, what came out, and what the plan compares of
 * its sections. */
#include "reports/compare/compare_page.h"
#include "reports/plot/plot.h"
#include "reports/sections/sections.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"

#include <math.h>

/* ---- views ---- */

/* The view in which a run differs most from the base is what the sections show; a table of all views comes
 * first. */
static fs_status put_views(const fs_compare *c, fs_show *s, fs_error *err) {
    const size_t n = fs_folder_views(s->run[0]);
    size_t chosen = 0;
    double widest = -1;
    for (size_t i = 0; i < s->count; i++)
        if (n == 0 || fs_folder_views(s->run[i]) != n)
            return FS_OK;
    fs_rows_column columns[2 * FS_SHOW_RUNS + 1];
    const size_t count = fs_compare_columns(c, "view", columns, s->count);
    fs_sheet_section(s->sheet, "views", "View by view", "the time of each view");
    fs_rows *to = fs_sheet_table_of(s->sheet, "Time on the device of each view.", columns, count);
    for (size_t v = 0; v < n; v++) {
        double base = NAN;
        fs_rows_add(to);
        fs_cell(to, fs_arena_printf(c->arena, "%zu", v));
        for (size_t i = 0; i < s->count; i++) {
            const fs_folder *view = fs_folder_view(s->run[i], v, err);
            if (view == NULL)
                return err->status;
            const double seconds = fs_folder_number(view, "device.seconds");
            base = i == 0 ? seconds : base;
            const double percent = fs_compare_percent(NULL, base, seconds);
            fs_cell_number(to, fs_text_seconds(c->arena, seconds), seconds);
            if (i > 0)
                fs_cell_number(to, fs_number_change(percent / 100), percent);
            if (fabs(percent) > widest) {
                widest = fabs(percent);
                chosen = v;
            }
        }
    }
    fs_sheet_note(
        s->sheet,
        "What follows is of view %zu, in which the runs differ most; figures above are means over the views.",
        chosen);
    for (size_t i = 0; i < s->count; i++)
        s->run[i] = fs_folder_view(s->run[i], chosen, err);
    return FS_OK;
}

/* ---- the page ---- */

static fs_status put_sections(fs_compare *c, fs_sheet *sheet, fs_error *err) {
    fs_show s = {.arena = c->arena,
                 .sheet = sheet,
                 .plan = c->plan,
                 .roles = &c->runs[c->base].roles,
                 .count = c->count < FS_SHOW_RUNS ? c->count : FS_SHOW_RUNS};
    for (size_t i = 0; i < s.count; i++) {
        s.run[i] = c->runs[fs_compare_place(c, i)].folder;
        s.label[i] = fs_compare_label(c, i);
    }
    if (put_views(c, &s, err))
        return err->status;
    if (s.count < c->count)
        fs_sheet_note(sheet, "Pictures are of the first %d of %zu runs.", FS_SHOW_RUNS, c->count);
    for (size_t i = 0; i < s.plan->section_count; i++)
        if (fs_show_put(&s, s.plan->sections[i], err))
            return err->status;
    if (s.plan->section_count == 0)
        fs_sheet_note(
            sheet,
            "%s has no page.json: an earlier foamsim wrote it, and what its tables show is not known. Run it "
            "again for pictures: foamsim run %s/resolved.yaml --output again.",
            c->runs[c->base].label, fs_folder_label(s.run[0]));
    return FS_OK;
}

static void put_all_figures(const fs_compare *c, fs_sheet *sheet) {
    fs_sheet_section(sheet, "all-figures", "All figures", "every figure of the runs by its name");
    fs_compare_all_rows(c, sheet, NULL);
}

static fs_sheet *sheet_of(fs_compare *c, fs_error *err) {
    fs_sheet *sheet = fs_sheet_create(
        c->count == 2
            ? fs_arena_printf(c->arena, "%s against %s", fs_compare_label(c, 1), fs_compare_label(c, 0))
            : fs_arena_printf(c->arena, "%zu runs against %s", c->count - 1, fs_compare_label(c, 0)));
    fs_compare_put_verdict(c, sheet);
    if (c->matrix != NULL) {
        fs_sheet_section(sheet, "matrix", "Row by row", NULL);
        fs_compare_matrix_rows(c, sheet);
        fs_compare_column_rows(c, sheet);
        fs_sheet_section(sheet, "configuration", "What was set", "the parameters that differ");
        fs_compare_class_rows(c, sheet, false);
        fs_compare_class_rows(c, sheet, true);
        return sheet;
    }
    fs_sheet_section(sheet, "configuration", "What was set", "the parameters that differ");
    if (c->setting_count == 0)
        fs_sheet_note(sheet, "The same value in every parameter.");
    else
        fs_compare_setting_rows(c, sheet, FS_COMPARE_BESIDE);
    if (fs_compare_foreign_settings(c) > 0)
        fs_sheet_note(sheet, "And %zu parameters that not all of the workloads and machines have.",
                      fs_compare_foreign_settings(c));
    fs_sheet_section(sheet, "figures", "What came out", "the main figures and their differences");
    if (c->count > FS_COMPARE_BESIDE)
        fs_sheet_note(sheet, "The first %d of %zu runs.", FS_COMPARE_BESIDE, c->count);
    fs_compare_main_rows(c, sheet);
    if (put_sections(c, sheet, err)) {
        fs_sheet_free(sheet);
        return NULL;
    }
    put_all_figures(c, sheet);
    return sheet;
}

fs_status fs_compare_write_page(fs_compare *c, const char *path, bool plots, fs_error *err) {
    fs_sheet *sheet = sheet_of(c, err);
    const char *beside = fs_plot_beside(c->arena, path);
    fs_status status = sheet == NULL ? err->status : fs_sheet_write(sheet, path, err);
    if (status == FS_OK && plots)
        status = fs_sheet_plot(sheet, beside, FS_PLOT_PNG | FS_PLOT_SVG, NULL, 0, err);
    fs_sheet_free(sheet);
    if (status == FS_OK)
        fs_say(plots ? "comparison: %s; its charts with their scripts: %s" : "comparison: %s", path, beside);
    return status;
}
