/* What comes first on a run's page: findings, the figures that an architect asks for, the pictures. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- findings ---- */

static void put_figure(fs_report *r, const fs_figure *f) {
    char name[96];
    snprintf(name, sizeof name, "%s", f->name);
    for (char *c = name; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    if (f->kind == FS_FIGURE_NUMBER)
        fs_page_put(r->page, "%s %s", name, isnan(f->value) ? FS_NO_NUMBER : fs_number_short(f->value, 4));
    else
        fs_page_put(r->page, "%s %s", name, f->text == NULL ? "" : f->text);
}

/* Where the page shows what a finding says. */
static void put_link(fs_report *r, const char *key) {
    const size_t length = strlen(key);
    for (size_t i = 0; i < r->plan->section_count; i++) {
        const fs_plan_section *s = r->plan->sections[i];
        for (const char *at = s->findings; at != NULL && *at != '\0';
             at += strcspn(at, " "), at += strspn(at, " "))
            if (strcspn(at, " ") == length && strncmp(at, key, length) == 0)
                fs_page_put(r->page, " <a class=\"see\" href=\"#%s\">%s</a>", s->id, s->title);
    }
}

/* The settings that place a run: machine, overlay, scene. */
static fs_status put_head(fs_report *r, fs_error *err) {
    size_t count = 0;
    const fs_setting *settings = fs_folder_settings(r->run, &count, err);
    if (settings == NULL && err->status != FS_OK)
        return err->status;
    fs_page_put(r->page, "<p class=\"note\">A run of foamsim %s", fs_folder_note(r->run, "foamsim"));
    for (size_t i = 0; i < r->plan->setting_count; i++) {
        const fs_plan_setting *part = &r->plan->settings[i];
        const char *value = part->key == NULL ? NULL : fs_folder_setting(r->run, part->key);
        char *plain = fs_arena_strdup(r->arena, value == NULL ? "" : value + (value[0] == '"'));
        plain[strcspn(plain, "\"")] = '\0';
        const char *slash = strrchr(plain, '/'); /* of a path the file */
        plain = slash == NULL || slash[1] == '\0' ? plain : plain + (slash + 1 - plain);
        if (plain[0] != '\0')
            fs_page_put(r->page, " · %s <b>%s</b>", part->label, plain);
    }
    const char *digest = fs_folder_note(r->run, "config_sha256");
    if (digest[0] != '\0')
        fs_page_put(r->page, " · configuration <code title=\"SHA-256 of all parameters\">%.12s</code>",
                    digest);
    fs_page_put(r->page, "</p>\n");
    return FS_OK;
}

static fs_status put_findings(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)s, (void)own;
    size_t count = 0;
    const fs_read_finding *found = fs_folder_findings(r->run, &count, err);
    if (err->status != FS_OK)
        return err->status;
    const fs_figure *complete = fs_folder_figure(r->run, FS_STAT_COMPLETE);
    const char *warning = fs_fill(r->arena, r->run, r->plan->warning, NULL, NULL);
    if (put_head(r, err) != FS_OK)
        return err->status;
    if (complete != NULL && complete->value == 0 && warning != NULL)
        fs_page_put(r->page, "<p class=\"warning\">%s</p>\n", warning);
    if (fs_folder_views(r->run) == 0 && fs_report_first_screen(r, err) != FS_OK)
        return err->status;
    if (count == 0 && fs_folder_views(r->run) > 0)
        return FS_OK; /* its views have theirs */
    if (count == 0) {
        fs_page_note(
            r->page,
            "This run folder has no findings.json; the figures and plots below speak for themselves.");
        return FS_OK;
    }
    fs_page_put(r->page, "<details class=\"sentences\"><summary>%s, the first: %s</summary>\n",
                count == 1 ? "One finding" : fs_arena_printf(r->arena, "%zu findings", count), found[0].text);
    fs_page_put(r->page, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < count; i++) {
        fs_page_put(r->page, "<li id=\"finding-%s\">%s", found[i].key, found[i].text);
        if (fs_folder_views(r->run) == 0)
            put_link(r, found[i].key);
        if (found[i].count > 0) {
            fs_page_put(r->page, " <details class=\"figures\"><summary>figures</summary>");
            for (size_t k = 0; k < found[i].count; k++) {
                fs_page_put(r->page, k > 0 ? " · " : "");
                put_figure(r, &found[i].figures[k]);
            }
            fs_page_put(r->page, "</details>");
        }
        fs_page_put(r->page, "</li>\n");
    }
    fs_page_put(r->page, "</ol>\n</details>\n");
    return FS_OK;
}

/* ---- cards: one figure each ---- */

static bool is_true(const fs_report *r, const char *name) {
    const fs_figure *f = name == NULL ? NULL : fs_folder_figure(r->run, name);
    return name == NULL || (f != NULL && f->kind != FS_FIGURE_WORD && f->value != 0 && !isnan(f->value));
}

static void put_cards(fs_report *r) {
    fs_page_put(r->page, "<div class=\"cards\">\n");
    for (size_t i = 0; i < r->plan->card_count; i++) {
        const fs_plan_card *c = &r->plan->cards[i];
        const char *value = fs_fill(r->arena, r->run, c->value, NULL, NULL);
        const char *more = fs_fill(r->arena, r->run, c->more, NULL, NULL);
        if (value == NULL || !is_true(r, c->when))
            continue;
        more = more == NULL ? fs_fill(r->arena, r->run, c->otherwise, NULL, NULL) : more;
        fs_page_put(r->page, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n",
                    c->label == NULL ? "" : c->label, value, more == NULL ? "" : more);
    }
    fs_page_put(r->page, "</div>\n");
}

/* ---- every figure ---- */

static void put_all_figures(fs_report *r) {
    size_t count = 0;
    const fs_figure *f = fs_folder_figures(r->run, &count);
    fs_page_fold(r->page, "All figures of the run");
    fs_page_heads(r->page, NULL, "figure", "#value", "unit", "what it is", NULL);
    for (size_t i = 0; i < count; i++) {
        fs_page_row(r->page);
        fs_page_cell(r->page, f[i].name);
        if (f[i].kind != FS_FIGURE_NUMBER)
            fs_page_put(r->page, "<td class=\"number wrap\">%s</td>", f[i].text);
        else
            fs_page_cell_number(r->page,
                                f[i].whole ? fs_number_grouped(f[i].value) : fs_number_short(f[i].value, 6),
                                f[i].value);
        fs_page_cell(r->page, f[i].unit);
        fs_page_cell(r->page, f[i].description);
    }
    fs_page_table_end(r->page);
    fs_page_fold_end(r->page);
}

static fs_status put_summary(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    if (r->plan->card_count > 0)
        put_cards(r);
    if (fs_report_put_parts(r, s, err))
        return err->status;
    put_all_figures(r);
    return FS_OK;
}

/* ---- pictures that the run made ---- */

static fs_status prepare_images(fs_report *r, const fs_plan_section *s, void **own, fs_error *err) {
    (void)err;
    for (size_t i = 0; i < s->panel_count; i++)
        if (s->panels[i].file != NULL && fs_folder_has(r->run, s->panels[i].file))
            *own = r;
    return FS_OK;
}

static fs_status put_images(fs_report *r, const fs_plan_section *s, void *own, fs_error *err) {
    (void)own;
    fs_page_put(r->page, "<div class=\"pictures\">\n");
    for (size_t i = 0; i < s->panel_count; i++) {
        const fs_plan_panel *panel = &s->panels[i];
        if (panel->file == NULL || !fs_folder_has(r->run, panel->file))
            continue;
        const char *title = panel->label == NULL ? panel->name : panel->label;
        fs_page_put(r->page, "<figure id=\"%s\"><h3>%s</h3>\n", panel->name, title);
        if (fs_page_png(r->page, fs_arena_printf(r->arena, "%s/%s", fs_folder_path(r->run), panel->file),
                        title, r->beside ? fs_arena_printf(r->arena, "../%s", panel->file) : "", err))
            return err->status;
        const char *caption = fs_fill(r->arena, r->run, panel->caption, NULL, NULL);
        caption = caption == NULL ? fs_fill(r->arena, r->run, panel->otherwise, NULL, NULL) : caption;
        fs_page_figure_end(r->page, "%s", caption == NULL ? "" : caption);
    }
    fs_page_put(r->page, "</div>\n");
    return FS_OK;
}

const fs_report_kind fs_report_kind_findings = {"findings", NULL, put_findings};
const fs_report_kind fs_report_kind_summary = {"summary", NULL, put_summary};
const fs_report_kind fs_report_kind_images = {"images", prepare_images, put_images};
