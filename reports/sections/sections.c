/* The kinds of sections, and what they share. */
#include "reports/sections/sections.h"
#include "reports/sections/sections_private.h"
#include "sim/base/arith.h"

#include <math.h>
#include <string.h>

static const fs_show_kind *const kinds[] = {
    &fs_show_kind_images, &fs_show_kind_series, &fs_show_kind_matrix,  &fs_show_kind_chip,
    &fs_show_kind_links,  &fs_show_kind_pixels, &fs_show_kind_counts,  &fs_show_kind_distribution,
    &fs_show_kind_table,  &fs_show_kind_most,   &fs_show_kind_figures, &fs_show_kind_curve,
    &fs_show_kind_ladder, &fs_show_kind_memory};

fs_status fs_show_put(fs_show *s, const fs_plan_section *section, fs_error *err) {
    for (size_t i = 0; i < FS_COUNT(kinds); i++)
        if (strcmp(kinds[i]->name, section->kind) == 0)
            return fs_show_has_file(s, section) ? kinds[i]->put(s, section, err) : FS_OK;
    return FS_OK; /* of a later foamsim */
}

fs_status fs_show_sight(fs_show *s, fs_error *err) {
    for (size_t k = 0; k < FS_COUNT(kinds); k++)
        for (size_t i = 0; i < s->plan->section_count && kinds[k]->sight != NULL && s->sight == NULL; i++) {
            const fs_plan_section *section = s->plan->sections[i];
            if (strcmp(section->kind, kinds[k]->name) == 0 && fs_show_has_file(s, section) &&
                kinds[k]->sight(s, section, err))
                return err->status;
        }
    return FS_OK;
}

static bool some_run_has(const fs_show *s, const char *file) {
    for (size_t i = 0; i < s->count; i++)
        if (fs_folder_has(s->run[i], file))
            return true;
    return false;
}

bool fs_show_has_file(const fs_show *s, const fs_plan_section *section) {
    bool wanted = section->file != NULL, found = wanted && some_run_has(s, section->file);
    for (size_t i = 0; i < section->panel_count; i++)
        if (section->panels[i].file != NULL) {
            wanted = true;
            found |= some_run_has(s, section->panels[i].file);
        }
    return !wanted || found;
}

/* ---- parts ---- */

void fs_show_find_parts(fs_show *s) {
    const double iterations = fs_folder_number(s->run[0], "device.iterations");
    s->parts = 1;
    s->part_end[0] = iterations > 0 ? (size_t)iterations : 0;
    for (size_t i = 0; i < s->plan->part_count && s->parts < FS_SHOW_PARTS; i++) {
        const char *figure = s->plan->parts[i].figure;
        const double n = figure == NULL ? NAN : fs_folder_number(s->run[0], figure);
        const size_t begin = i == 0 ? 0 : s->part_end[i];
        if (!(n >= 0) ||
            n > (double)(s->part_end[0] - begin)) { /* a figure is missing, or the parts do not fit */
            s->parts = 1;
            return;
        }
        s->part_begin[i + 1] = begin;
        s->part_end[i + 1] = begin + (size_t)n;
        s->parts = i + 2;
    }
}

/* ---- headings ---- */

static const char *note_of(const fs_show *s, const fs_plan_section *section) {
    const char *when = section->note_when;
    const size_t length = when == NULL ? 0 : strcspn(when, "=");
    if (section->note == NULL || length == 0 || when[length] != '=')
        return NULL;
    const char *value = fs_folder_setting(s->run[0], fs_arena_printf(s->arena, "%.*s", (int)length, when));
    return value != NULL && strcmp(value, when + length + 1) == 0 ? section->note : NULL;
}

static bool is_plain(const char *text) {
    return text != NULL && strchr(text, '{') == NULL;
}

/* Of a table without words its first columns; of pictures what they are. */
static const char *labels_of(fs_show *s, const fs_plan_panel *panel) {
    enum { NAMED = 4 };
    const char *text = "";
    if (panel->label != NULL)
        return panel->label;
    for (size_t i = 0; i < panel->column_count && i < NAMED; i++)
        text = fs_arena_append(s->arena, text, ", ", "%s", panel->columns[i].label);
    return panel->column_count > NAMED ? fs_arena_printf(s->arena, "%s, ...", text) : text;
}

static const char *words_of(fs_show *s, const fs_plan_section *section) {
    const char *text = "";
    if (is_plain(section->words))
        return section->words;
    for (size_t i = 0; i < section->panel_count; i++) {
        const fs_plan_panel *panel = &section->panels[i];
        const bool sentence = is_plain(panel->title);
        text = fs_arena_printf(s->arena, "%s%s%s", text,
                               text[0] == '\0' ? ""
                               : sentence      ? " "
                                               : ", ",
                               sentence ? panel->title : labels_of(s, panel));
    }
    return text;
}

void fs_show_begin(fs_show *s, const fs_plan_section *section, const char *inside) {
    const char *note = s->count == 1 ? note_of(s, section) : NULL;
    fs_sheet_section(s->sheet, section->id, section->title, inside != NULL ? inside : words_of(s, section));
    if (note != NULL)
        fs_sheet_note(s->sheet, "%s", note);
}

const char *fs_show_inside(fs_show *s, const char *title, size_t charts) {
    return charts < 2 ? title : fs_arena_printf(s->arena, "%s; %zu more", title, charts - 1);
}

/* ---- folders ---- */

const fs_csv *fs_show_table_of(fs_show *s, size_t i, const char *file, fs_error *err) {
    return file != NULL && fs_folder_has(s->run[i], file) ? fs_folder_table(s->run[i], file, err) : NULL;
}

const char *fs_show_file(const fs_plan_section *section, const fs_plan_panel *panel) {
    return panel != NULL && panel->file != NULL ? panel->file : section->file;
}

bool fs_show_shown(const fs_show *s, const fs_plan_panel *panel) {
    return panel->column_count > 0 && (s->count == 1 || panel->compared != NULL);
}

const char *fs_show_run(const fs_show *s, size_t i) {
    return s->count == 1 ? NULL : fs_arena_printf(s->arena, "%s%s", s->label[i], i == 0 ? " (base)" : "");
}

/* ---- charts ---- */

const char *fs_show_label(const fs_plan_panel *panel) {
    return panel->label == NULL ? panel->name : panel->label;
}

const char *fs_show_title(fs_show *s, const fs_plan_panel *panel, bool otherwise, fs_number_lookup *know,
                          void *self) {
    if (s->count > 1)
        return panel->compared;
    const char *title = otherwise ? NULL : fs_fill(s->arena, s->run[0], panel->title, know, self);
    if (title == NULL)
        title = fs_fill(s->arena, s->run[0], panel->otherwise, know, self);
    return title == NULL ? fs_show_label(panel) : title;
}

const char *fs_show_caption(fs_show *s, const fs_plan_panel *panel, fs_number_lookup *know, void *self,
                            const char *compared) {
    const char *caption = s->count > 1 ? compared : fs_fill(s->arena, s->run[0], panel->caption, know, self);
    return caption == NULL ? "" : caption;
}
