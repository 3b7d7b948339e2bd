/* The page of a comparison: verdict first, then what was set, what came out, and the pictures side by side. */
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"
#include "sim/host/voice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A difference: its text, whether it is better or worse, in words and in colour (blue and orange, stronger up
 * to 20 %). */
void fs_compare_put_difference(const fs_compare *c, fs_page *page, const fs_compare_figure *f, size_t run) {
    const fs_figure *a = f->values[c->base], *b = f->values[run];
    double percent = a == NULL || b == NULL ? NAN : fs_compare_percent(f->row, a->value, b->value);
    fs_better better = f->row == NULL ? FS_BETTER_NEITHER : f->row->better;
    const char *words = "", *text = fs_compare_difference(c, f, run);
    if (!isnan(percent) && percent != 0 && better != FS_BETTER_NEITHER)
        words = (percent < 0) == (better == FS_BETTER_LESS) ? "better" : "worse";
    double strength = words[0] == '\0' ? 0 : 0.1 + 0.45 * fmin(1, fabs(percent) / 20);
    fs_page_put(page, "<td class=\"number\" data-value=\"%.17g\"", isnan(percent) ? 0 : percent);
    if (strength > 0)
        fs_page_put(page, " style=\"background:rgba(%s,%.2f)\"",
                    words[0] == 'b' ? "86,150,220" : "230,130,20", strength);
    fs_page_put(page, ">%s%s<span class=\"unit\">%s</span></td>", text, words[0] == '\0' ? "" : " ", words);
}

/* ---- settings ---- */

static const fs_setting *setting_of(const fs_compare_run *run, const fs_compare_setting *s) {
    for (size_t k = 0; k < run->setting_count; k++)
        if (strcmp(run->settings[k].key, s->key) == 0 && strcmp(run->settings[k].section, s->section) == 0)
            return &run->settings[k];
    return NULL;
}

static void put_settings(const fs_compare *c, fs_page *page) {
    enum { MOST = 12 };
    fs_page_folded(page, "configuration", "What was set", "the parameters that differ");
    if (c->setting_count == 0) {
        fs_page_note(page, "The same value in every parameter.");
        return;
    }
    size_t count = c->count < MOST ? c->count : MOST;
    fs_page_column *columns = FS_NEW(c->arena, fs_page_column, count + 1);
    columns[0] = (fs_page_column){.name = "parameter"};
    for (size_t i = 0; i < count; i++)
        columns[i + 1] =
            (fs_page_column){.name = i == 0 ? fs_arena_printf(c->arena, "%s (base)", fs_compare_label(c, i))
                                            : fs_compare_label(c, i)};
    fs_page_table(page, c->count > count ? "Only what differs; the first runs." : "Only what differs.",
                  columns, count + 1);
    size_t left_out = 0;
    for (size_t k = 0; k < c->setting_count; k++) {
        const fs_compare_setting *s = &c->settings[k];
        const fs_setting *known = setting_of(&c->runs[c->base], s);
        if (fs_compare_foreign(c, s)) {
            left_out++;
            continue;
        }
        for (size_t i = 1; i < c->count && known == NULL; i++)
            known = setting_of(&c->runs[fs_compare_place(c, i)], s);
        fs_page_row(page);
        fs_page_put(page, "<td title=\"%s\"><code>%s.%s</code></td>", known == NULL ? "" : known->description,
                    s->section, s->key);
        for (size_t i = 0; i < count; i++) {
            const char *value = s->values[fs_compare_place(c, i)], *base = s->values[c->base];
            bool other = (value == NULL) != (base == NULL) || (value != NULL && strcmp(value, base) != 0);
            fs_page_put(page, "<td%s>%s</td>", other ? " class=\"changed\"" : "",
                        value == NULL ? "-" : value);
        }
    }
    fs_page_table_end(page);
    if (left_out > 0)
        fs_page_note(page, "And %zu parameters that not all of the workloads and machines have.", left_out);
}

/* ---- figures ---- */

static void put_figure_row(const fs_compare *c, fs_page *page, const fs_compare_figure *f, const char *label,
                           size_t count) {
    fs_page_row(page);
    fs_page_put(page, "<td title=\"%s: %s\">%s</td>", f->name, f->description, label);
    for (size_t i = 0; i < count; i++) {
        size_t run = fs_compare_place(c, i);
        const fs_figure *value = f->values[run];
        const double number = value == NULL ? (double)NAN : value->value;
        fs_page_cell_number(page, fs_compare_cell(c, f, run),
                            isnan(number) && strcmp(fs_compare_cell(c, f, run), "-") != 0 ? 0 : number);
        if (i > 0)
            fs_compare_put_difference(c, page, f, run);
    }
}

static size_t figure_columns(const fs_compare *c, fs_page_column *columns, size_t count) {
    size_t n = 0;
    columns[n++] = (fs_page_column){.name = "figure"};
    for (size_t i = 0; i < count; i++) {
        columns[n++] =
            (fs_page_column){.name = i == 0 ? fs_arena_printf(c->arena, "%s (base)", fs_compare_label(c, i))
                                            : fs_compare_label(c, i),
                             .number = true};
        if (i > 0)
            columns[n++] = (fs_page_column){.name = "difference", .number = true};
    }
    return n;
}

static void put_figures(const fs_compare *c, fs_page *page) {
    enum { MOST = 8 };
    size_t count = c->count < MOST ? c->count : MOST;
    fs_page_column columns[2 * MOST + 1];
    size_t n = figure_columns(c, columns, count);
    fs_page_folded(page, "figures", "What came out",
                   "the main figures and their differences, and all figures");
    if (count < c->count)
        fs_page_note(page, "The first %zu of %zu runs.", count, c->count);
    fs_page_table(
        page,
        "The main figures. Differences are against the base, in per cent of its value where it is not "
        "said otherwise; pointing at a name says what is counted.",
        columns, n);
    for (size_t k = 0; k < c->main_count; k++)
        if (fs_compare_known(c, c->main[k]))
            put_figure_row(c, page, c->main[k], c->main[k]->label, count);
    fs_page_table_end(page);
    fs_page_fold(page, "All figures");
    fs_page_table(page, NULL, columns, n);
    for (size_t k = 0; k < c->figure_count; k++)
        put_figure_row(c, page, &c->figures[k], c->figures[k].name, count);
    fs_page_table_end(page);
    fs_page_fold_end(page);
}

/* ---- rendered pictures ---- */

/* How two renders differ: pixels with another colour, and the greatest step of a channel. */
static fs_status put_render(const fs_comparison_page *p, const char *file, size_t i, const uint8_t *base,
                            uint32_t width, uint32_t height, fs_error *err) {
    fs_folder *folder = p->run[i].folder;
    uint32_t w = 0, h = 0;
    uint8_t *rgb = fs_folder_png_rgb(folder, file, &w, &h, err);
    if (rgb == NULL)
        return err->status;
    size_t differing = 0;
    int most = 0;
    for (size_t k = 0; w == width && h == height && k < (size_t)w * h; k++) {
        bool other = false;
        for (size_t channel = 0; channel < 3; channel++) {
            int gap = abs(rgb[3 * k + channel] - base[3 * k + channel]);
            other |= gap > 0;
            most = gap > most ? gap : most;
        }
        differing += other;
    }
    free(rgb);
    if (w != width || h != height)
        fs_page_note(p->page, "%s renders %u x %u pixels, the base %u x %u.", p->c->runs[p->run[i].run].label,
                     w, h, width, height);
    else if (differing == 0) {
        fs_page_note(p->page, "%s renders the same picture as the base, bit for bit.",
                     p->c->runs[p->run[i].run].label);
        return FS_OK;
    } else
        fs_page_note(p->page,
                     "%s: %zu of %zu pixels have another colour than in the base, by at most %d of 255.",
                     p->c->runs[p->run[i].run].label, differing, (size_t)w * h, most);
    return FS_OK;
}

/* The first picture of the section, of the base; the others' differences from it in words. */
static fs_status put_renders(const fs_comparison_page *p, const fs_plan_section *s, fs_error *err) {
    fs_folder *base = p->run[0].folder;
    const char *file = s->panel_count > 0 ? s->panels[0].file : NULL;
    if (file == NULL || !fs_folder_has(base, file))
        return FS_OK;
    fs_page_folded(p->page, "image", "What was rendered",
                   "the rendered picture, and how the others differ from it");
    uint32_t width = 0, height = 0;
    uint8_t *rgb = fs_folder_png_rgb(base, file, &width, &height, err);
    if (rgb == NULL)
        return err->status;
    fs_page_put(p->page, "<div class=\"pictures\">\n");
    fs_page_figure(p->page, "render", p->c->runs[p->run[0].run].label, false);
    fs_status status = fs_page_png(p->page, fs_arena_printf(p->c->arena, "%s/%s", fs_folder_path(base), file),
                                   "the picture that the base renders", NULL, err);
    fs_page_figure_end(p->page, "%u x %u pixels.", width, height);
    fs_page_put(p->page, "</div>\n");
    for (size_t i = 1; i < p->shown && status == FS_OK; i++)
        if (fs_folder_has(p->run[i].folder, file))
            status = put_render(p, file, i, rgb, width, height, err);
    free(rgb);
    return status;
}

/* ---- time ---- */

/* Time by phase: the first panel of a series, whose sums over the run are figures device.cycles_COLUMN. */
static void put_time(const fs_comparison_page *p, const fs_plan_section *s) {
    enum { PHASES = 8 };
    const fs_plan_panel *panel = &s->panels[0];
    const size_t count = panel->column_count < PHASES ? panel->column_count : PHASES;
    const char *name[PHASES], *key[PHASES], *colour[PHASES], *all = "";
    double longest = 0;
    fs_page_column columns[PHASES + 3] = {{.name = "run"}, {.name = "time", .number = true}};
    for (size_t k = 0; k < count; k++) {
        const fs_plan_column *c = &panel->columns[k];
        name[k] = c->label;
        colour[k] = c->colour == NULL ? "plain" : c->colour;
        key[k] = fs_arena_printf(p->c->arena, "device.cycles_%s", c->column);
        all = fs_arena_printf(p->c->arena, "%s%s%s", all, k > 0 ? ", " : "", name[k]);
        columns[k + 3] = (fs_page_column){.name = name[k], .number = true};
    }
    columns[2] = (fs_page_column){.name = fs_arena_printf(p->c->arena, "%s on one axis", all)};
    for (size_t i = 0; i < p->shown; i++)
        longest = fmax(longest, fs_folder_number(p->run[i].folder, "device.seconds"));
    fs_page_section(p->page, "time", "Where the time goes");
    fs_page_put(p->page, "<div class=\"legend\">");
    for (size_t k = 0; k < count; k++)
        fs_page_put(p->page, "<span><i class=\"key %s\"></i>%s</span>", colour[k], name[k]);
    fs_page_put(p->page, "</div>\n");
    fs_page_table(p->page, NULL, columns, count + 3);
    for (size_t i = 0; i < p->shown; i++) {
        double share[PHASES], cycles = fs_folder_number(p->run[i].folder, "device.cycles");
        const double seconds = fs_folder_number(p->run[i].folder, "device.seconds");
        for (size_t k = 0; k < count; k++) {
            double part = fs_folder_number(p->run[i].folder, key[k]);
            share[k] = part > 0 && cycles > 0 && longest > 0 ? part / cycles * seconds / longest : 0;
        }
        fs_page_row(p->page);
        fs_page_cell(p->page, p->c->runs[p->run[i].run].label);
        fs_page_cell_number(p->page, fs_text_seconds(p->c->arena, seconds), seconds);
        fs_page_cell_stack(p->page, share, name, colour, count);
        for (size_t k = 0; k < count; k++) {
            double part = fs_folder_number(p->run[i].folder, key[k]);
            fs_page_cell_number(p->page,
                                fs_arena_printf(p->c->arena, "%s (%s)",
                                                fs_text_seconds(p->c->arena, part / cycles * seconds),
                                                fs_number_percent(fabs(part / cycles))),
                                cycles > 0 ? part / cycles * seconds : (double)NAN);
        }
    }
    fs_page_table_end(p->page);
}

/* ---- the page ---- */

/* The view in which a run differs most from the base: what the pictures show. A table of all views comes
 * first. FS_OK without views. */
static fs_status put_views(fs_comparison_page *p, fs_error *err) {
    size_t n = fs_folder_views(p->run[0].folder), chosen = 0;
    double widest = -1;
    for (size_t i = 0; i < p->shown; i++)
        if (fs_folder_views(p->run[i].folder) != n)
            n = 0;
    if (n == 0)
        return FS_OK;
    fs_page_column columns[2 * FS_SHOWN + 1];
    size_t count = figure_columns(p->c, columns, p->shown);
    columns[0].name = "view";
    fs_page_folded(p->page, "views", "View by view", "the time of each view");
    fs_page_table(p->page, "Time on the device of each view.", columns, count);
    for (size_t v = 0; v < n; v++) {
        double base = NAN;
        fs_page_row(p->page);
        fs_page_cell_number(p->page, fs_arena_printf(p->c->arena, "%zu", v), (double)v);
        for (size_t i = 0; i < p->shown; i++) {
            const fs_folder *view = fs_folder_view(p->run[i].folder, v, err);
            if (view == NULL)
                return err->status;
            double seconds = fs_folder_number(view, "device.seconds");
            base = i == 0 ? seconds : base;
            double percent = fs_compare_percent(NULL, base, seconds);
            fs_page_cell_number(p->page, fs_text_seconds(p->c->arena, seconds), seconds);
            if (i > 0)
                fs_page_cell_number(p->page, fs_number_change(percent / 100), percent);
            if (fabs(percent) > widest) {
                widest = fabs(percent);
                chosen = v;
            }
        }
    }
    fs_page_table_end(p->page);
    fs_page_note(
        p->page,
        "What follows is of view %zu, in which the runs differ most; figures above are means over the "
        "views.",
        chosen);
    for (size_t i = 0; i < p->shown; i++)
        p->run[i].folder = fs_folder_view(p->run[i].folder, chosen, err);
    return FS_OK;
}

static fs_status put_section(fs_comparison_page *p, const fs_plan_section *s, fs_error *err) {
    const char *kind = s->kind;
    if (strcmp(kind, "images") == 0)
        return put_renders(p, s, err);
    if (strcmp(kind, "table") == 0)
        return fs_compare_put_table(p, s, err);
    if (strcmp(kind, "ladder") == 0)
        return fs_compare_put_ladder(p, s, err);
    if (strcmp(kind, "series") == 0 && s->panel_count > 0 && s->panels[0].compared != NULL)
        put_time(p, s);
    return fs_compare_put_section(p, s, err);
}

static fs_status put_runs(fs_comparison_page *p, fs_error *err) {
    p->shown = p->c->count < FS_SHOWN ? p->c->count : FS_SHOWN;
    for (size_t i = 0; i < p->shown; i++) {
        p->run[i].run = fs_compare_place(p->c, i);
        p->run[i].folder = p->c->runs[p->run[i].run].folder;
    }
    fs_compare_choose(p);
    fs_status status = put_views(p, err);
    if (status == FS_OK)
        status = fs_compare_write_data(p, err);
    if (status == FS_OK)
        status = fs_compare_draw(p, err);
    if (p->shown < p->c->count)
        fs_page_note(p->page, "Pictures are of the first %d of %zu runs.", FS_SHOWN, p->c->count);
    for (size_t i = 0; i < p->plan->section_count && status == FS_OK; i++)
        status = put_section(p, p->plan->sections[i], err);
    if (status == FS_OK && p->plan->section_count == 0)
        fs_page_note(p->page,
                     "%s has no page.json: an earlier foamsim wrote it, and what its tables show is not "
                     "known. Run it again "
                     "for pictures: foamsim run %s/resolved.yaml --output again.",
                     p->c->runs[p->c->base].label, fs_folder_label(p->run[0].folder));
    return status;
}

fs_status fs_compare_write_page(fs_compare *c, const char *path, fs_error *err) {
    fs_comparison_page *p = FS_NEW(c->arena, fs_comparison_page, 1);
    const char *title =
        c->count == 2
            ? fs_arena_printf(c->arena, "%s against %s", fs_compare_label(c, 1), fs_compare_label(c, 0))
            : fs_arena_printf(c->arena, "%zu runs against %s", c->count - 1, fs_compare_label(c, 0));
    p->c = c;
    p->page = fs_page_create(title);
    p->plan = c->plan;
    p->roles = &c->runs[c->base].roles;
    fs_status status = FS_OK;
    fs_compare_put_verdict(c, p->page);
    if (c->matrix != NULL)
        fs_compare_put_matrix(c, p->page);
    if (c->matrix != NULL) {
        fs_page_folded(p->page, "configuration", "What was set", "the parameters that differ");
        fs_compare_put_classes(c, p->page, false);
        fs_compare_put_classes(c, p->page, true);
    } else {
        put_settings(c, p->page);
        put_figures(c, p->page);
        p->drawing = fs_drawing_open(fs_drawing_beside(c->arena, path), "compare", err);
        p->folder = p->drawing == NULL ? NULL : fs_drawing_folder(p->drawing);
        status = p->drawing == NULL ? err->status : put_runs(p, err);
    }
    if (status == FS_OK)
        status = fs_page_write(p->page, path, err);
    const bool drew = p->drawing != NULL;
    fs_status closed = fs_drawing_close(p->drawing, status == FS_OK, err);
    status = status ? status : closed;
    if (status == FS_OK && drew)
        fs_say("comparison: %s; its plots with their scripts: %s", path, fs_drawing_beside(c->arena, path));
    else if (status == FS_OK)
        fs_say("comparison: %s", path);
    fs_page_free(p->page);
    return status;
}
