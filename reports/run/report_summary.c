/* What comes first on a run's page: findings, and the figures that an architect asks for. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

/* ---- findings ---- */

static const char *figure_words(fs_report *r, const fs_figure *f) {
    char *name = fs_arena_strdup(r->arena, f->name);
    for (char *c = name; (c = strchr(c, '_')) != NULL;)
        *c = ' ';
    return fs_sheet_marked(r->sheet, "%s %s", name,
                           f->kind != FS_FIGURE_NUMBER ? (f->text == NULL ? "" : f->text)
                           : isnan(f->value)           ? FS_NO_NUMBER
                                                       : fs_number_short(f->value, 4));
}

/* Where the page shows what a finding says. */
static const char *links_of(fs_report *r, const char *key) {
    const size_t length = strlen(key);
    const char *links = "";
    for (size_t i = 0; i < r->plan->section_count; i++) {
        const fs_plan_section *s = r->plan->sections[i];
        for (const char *at = s->findings; at != NULL && *at != '\0';
             at += strcspn(at, " "), at += strspn(at, " "))
            if (strcspn(at, " ") == length && strncmp(at, key, length) == 0)
                links = fs_arena_printf(
                    r->arena, "%s%s", links,
                    fs_sheet_marked(r->sheet, " <a class=\"see\" href=\"#%s\">%s</a>", s->id, s->title));
    }
    return links;
}

/* The settings that place a run: machine, overlay, scene. */
static fs_status put_head(fs_report *r, fs_error *err) {
    size_t count = 0;
    const fs_setting *settings = fs_folder_settings(r->run, &count, err);
    if (settings == NULL && err->status != FS_OK)
        return err->status;
    const char *text = fs_sheet_marked(r->sheet, "A run of foamsim %s", fs_folder_note(r->run, "foamsim"));
    for (size_t i = 0; i < r->plan->setting_count; i++) {
        const fs_plan_setting *part = &r->plan->settings[i];
        const char *value = part->key == NULL ? NULL : fs_folder_setting(r->run, part->key);
        char *plain = fs_arena_strdup(r->arena, value == NULL ? "" : value + (value[0] == '"'));
        plain[strcspn(plain, "\"")] = '\0';
        const char *slash = strrchr(plain, '/'); /* of a path the file */
        plain = slash == NULL || slash[1] == '\0' ? plain : plain + (slash + 1 - plain);
        if (plain[0] != '\0')
            text = fs_arena_printf(r->arena, "%s%s", text,
                                   fs_sheet_marked(r->sheet, " · %s <b>%s</b>", part->label, plain));
    }
    const char *chips = fs_folder_setting(r->run, "machine.chips");
    if (chips != NULL && strcmp(chips, "1") != 0)
        text =
            fs_arena_printf(r->arena, "%s%s", text, fs_sheet_marked(r->sheet, " · <b>%s chips</b>", chips));
    const char *digest = fs_folder_note(r->run, "config_sha256");
    if (digest[0] != '\0')
        text = fs_arena_printf(
            r->arena, "%s%s", text,
            fs_sheet_marked(
                r->sheet, " · configuration <code title=\"SHA-256 of all parameters\">%.12s</code>", digest));
    fs_sheet_put(r->sheet, "note", NULL, text);
    return FS_OK;
}

static void put_finding(fs_report *r, const fs_read_finding *f) {
    const char *text = fs_arena_printf(r->arena, "%s%s", fs_sheet_marked(r->sheet, "%s", f->text),
                                       fs_folder_views(r->run) == 0 ? links_of(r, f->key) : "");
    for (size_t k = 0; k < f->count; k++)
        text = fs_arena_printf(r->arena, "%s%s%s", text,
                               k > 0 ? " · " : " <details class=\"figures\"><summary>figures</summary>",
                               figure_words(r, &f->figures[k]));
    fs_sheet_put(r->sheet, "item", fs_arena_printf(r->arena, "finding-%s", f->key),
                 f->count > 0 ? fs_arena_printf(r->arena, "%s</details>", text) : text);
}

fs_status fs_report_findings(fs_report *r, fs_error *err) {
    size_t count = 0;
    const fs_read_finding *found = fs_folder_findings(r->run, &count, err);
    if (err->status != FS_OK)
        return err->status;
    const fs_figure *complete = fs_folder_figure(r->run, FS_STAT_COMPLETE);
    const char *warning = fs_fill(r->arena, r->run, r->plan->warning, NULL, NULL);
    if (put_head(r, err) != FS_OK)
        return err->status;
    if (complete != NULL && complete->value == 0 && warning != NULL)
        fs_sheet_say_as(r->sheet, "warning", "%s", warning);
    if (fs_folder_views(r->run) == 0 && fs_report_first_screen(r, err) != FS_OK)
        return err->status;
    if (count == 0 && fs_folder_views(r->run) > 0)
        return FS_OK; /* its views have theirs */
    if (count == 0) {
        fs_sheet_note(
            r->sheet,
            "This run folder has no findings.json; the figures and plots below speak for themselves.");
        return FS_OK;
    }
    fs_sheet_fold(r->sheet, false, "%s, the first: %s",
                  count == 1 ? "One finding" : fs_arena_printf(r->arena, "%zu findings", count),
                  found[0].text);
    fs_sheet_list(r->sheet, true, "findings");
    for (size_t i = 0; i < count; i++)
        put_finding(r, &found[i]);
    fs_sheet_end(r->sheet);
    fs_sheet_end(r->sheet);
    return FS_OK;
}

/* ---- cards: one figure each ---- */

static bool is_true(const fs_report *r, const char *name) {
    const fs_figure *f = name == NULL ? NULL : fs_folder_figure(r->run, name);
    return name == NULL || (f != NULL && f->kind != FS_FIGURE_WORD && f->value != 0 && !isnan(f->value));
}

static void put_cards(fs_report *r) {
    fs_sheet_box(r->sheet, "cards", NULL);
    for (size_t i = 0; i < r->plan->card_count; i++) {
        const fs_plan_card *c = &r->plan->cards[i];
        const char *value = fs_fill(r->arena, r->run, c->value, NULL, NULL);
        const char *more = fs_fill(r->arena, r->run, c->more, NULL, NULL);
        if (value == NULL || !is_true(r, c->when))
            continue;
        more = more == NULL ? fs_fill(r->arena, r->run, c->otherwise, NULL, NULL) : more;
        fs_sheet_card(r->sheet, c->label == NULL ? "" : c->label, value, more);
    }
    fs_sheet_end(r->sheet);
}

/* ---- every figure ---- */

static void put_all_figures(fs_report *r) {
    size_t count = 0;
    const fs_figure *f = fs_folder_figures(r->run, &count);
    fs_sheet_fold(r->sheet, false, "All figures of the run");
    fs_rows *t = fs_sheet_table(r->sheet, NULL, "figure", "#value", "unit", "what it is", NULL);
    for (size_t i = 0; i < count; i++) {
        fs_rows_add(t);
        fs_cell(t, f[i].name);
        if (f[i].kind != FS_FIGURE_NUMBER) {
            fs_cell(t, f[i].text);
            fs_cell_add(t, (fs_cell_more){.look = "number wrap"});
        } else
            fs_cell_number(t, f[i].whole ? fs_number_grouped(f[i].value) : fs_number_short(f[i].value, 6),
                           f[i].value);
        fs_cell(t, f[i].unit);
        fs_cell(t, f[i].description);
    }
    fs_sheet_end(r->sheet);
}

fs_status fs_report_summary(fs_report *r, const fs_plan_section *s, fs_error *err) {
    if (r->plan->card_count > 0)
        put_cards(r);
    if (fs_report_put_parts(r, s, err))
        return err->status;
    put_all_figures(r);
    return FS_OK;
}
