/* What a run rests on: its configuration with the confidence behind each number, and the files to go on with. */
#include "reports/run/report_private.h"
#include "sim/base/numbers.h"

#include <string.h>

static const struct {
    char letter;
    const char *word, *meaning;
} confidence[] = {
    {'P', "published", "published by the vendor"},
    {'M', "measured", "measured by a third party"},
    {'R', "reverse-engineered", "reverse-engineered or derived from the vendor's software or constants"},
    {'I', "inferred", "inferred from published, measured or derived facts"},
    {'A', "assumed", "assumed, no source was found: vary it before relying on what depends on it"},
    {'Y', "yours",
     "changed in the experiment, and its line states no source, as `clock: 1.5 GHz # [P] a data sheet` does"},
};

static const char *confidence_word(const char *letter) {
    for (size_t i = 0; i < sizeof confidence / sizeof *confidence; i++)
        if (letter[0] == confidence[i].letter)
            return confidence[i].word;
    return "";
}

static void put_row(fs_rows *t, const fs_setting *s, bool marked, bool full) {
    fs_rows_add(t);
    fs_rows_look(t, marked ? "changed" : "setting");
    fs_cell_say(t, "<code>%s.%s</code>", s->section, s->key);
    fs_cell_add(t, (fs_cell_more){.hint = s->description});
    fs_cell(t, s->value);
    if (full) {
        fs_cell(t, s->standard);
        fs_cell(t, s->origin);
        fs_cell(t, confidence_word(s->confidence));
        fs_cell(t, s->source);
        fs_cell(t, s->description);
    }
}

static fs_rows *begin_table(fs_report *r, const char *caption, bool full) {
    static const fs_rows_column columns[] = {{"parameter", NULL, false, NULL},  {"value", NULL, false, NULL},
                                             {"default", NULL, false, NULL},    {"set in", NULL, false, NULL},
                                             {"confidence", NULL, false, NULL}, {"source", NULL, false, NULL},
                                             {"what it is", NULL, false, NULL}};
    return fs_sheet_table_of(r->sheet, caption, columns, full ? FS_COUNT(columns) : 2);
}

static void put_confidence(fs_report *r, const fs_setting *s, size_t count) {
    fs_rows *t = fs_sheet_table(r->sheet, "How sure the parameters of this run are.", "confidence",
                                "what it means", "#parameters", "#of these changed", NULL);
    for (size_t i = 0; i < FS_COUNT(confidence); i++) {
        size_t all = 0, changed = 0;
        for (size_t k = 0; k < count; k++)
            if (s[k].confidence[0] == confidence[i].letter) {
                all++;
                changed += s[k].changed;
            }
        fs_rows_add(t);
        fs_cell_head(t, "%s <span class=\"badge\">%c</span>", confidence[i].word, confidence[i].letter);
        fs_cell(t, confidence[i].meaning);
        fs_cell_number(t, fs_number_grouped((double)all), (double)all);
        fs_cell_number(t, fs_number_grouped((double)changed), (double)changed);
    }
}

/* The parameters that the user changed from a sourced default without a source, in a sentence. */
static void put_yours(fs_report *r, const fs_setting *s, size_t count) {
    enum { NAMED = 6 };
    size_t yours = 0;
    const char *names = "";
    for (size_t i = 0; i < count; i++)
        if (s[i].confidence[0] == 'Y' && yours++ < NAMED)
            names = fs_arena_append(r->arena, names, ", ", "%s.%s = %s", s[i].section, s[i].key, s[i].value);
    if (yours > 0)
        fs_sheet_note(r->sheet, "%zu %s whose default has a source %s without one: %s%s.", yours,
                      yours == 1 ? "parameter" : "parameters", yours == 1 ? "was changed" : "were changed",
                      names, yours > NAMED ? ", ..." : "");
}

enum { CHANGED, ASSUMED, ALL };

/* Those that were changed, those that are assumed, or all, in which the changed ones stand out. */
static void put_parameters(fs_report *r, const fs_setting *s, size_t count, const char *caption, int which,
                           bool full) {
    fs_rows *t = begin_table(r, caption, full);
    for (size_t i = 0; i < count; i++)
        if (which == ALL || (which == CHANGED ? s[i].changed : s[i].confidence[0] == 'A'))
            put_row(t, &s[i], which != CHANGED && full && s[i].changed, full);
}

fs_status fs_report_settings(fs_report *r, fs_error *err) {
    size_t count = 0, changed = 0;
    const fs_setting *s = fs_folder_settings(r->run, &count, err);
    if (err->status != FS_OK)
        return err->status;
    bool full = fs_folder_has(r->run, "parameters.csv");
    for (size_t i = 0; i < count; i++)
        changed += s[i].changed;
    if (full) {
        put_parameters(
            r, s, count,
            fs_arena_printf(r->arena, "%zu of %zu parameters differ from their defaults.", changed, count),
            CHANGED, full);
        put_yours(r, s, count);
        put_confidence(r, s, count);
        fs_sheet_fold(r->sheet, false, "The assumed parameters");
        put_parameters(r, s, count, NULL, ASSUMED, full);
        fs_sheet_end(r->sheet);
    } else
        fs_sheet_note(
            r->sheet,
            "This run folder has no parameters.csv: what differs from the defaults is in the comments of "
            "resolved.yaml.");
    if (count > 0) {
        fs_sheet_fold(r->sheet, false, "All parameters");
        put_parameters(r, s, count, NULL, ALL, full);
        fs_sheet_end(r->sheet);
    }
    return FS_OK;
}

/* ---- files ---- */

/* What every run has, and what its sections are made from. */
static const char *words_of(const fs_report *r, const char *name) {
    static const char *const known[][2] = {
        {"summary.json", "every figure of the run"},
        {"stats.csv", "the same with units and descriptions"},
        {"findings.json", "the sentences on top of this page with their figures"},
        {"resolved.yaml", "every parameter; running it gives the same bits"},
        {"parameters.csv", "every parameter with default, origin, confidence and source"},
        {"page.json", "what this page shows"},
        {"ladder_simulated.csv", "what would help, run"},
        {"views.csv", "a row for each view"},
        {"manifest.json", "columns, units and digests of all files"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i][0], name) == 0)
            return known[i][1];
    for (size_t i = 0; i < r->plan->section_count; i++) {
        const fs_plan_section *s = r->plan->sections[i];
        for (size_t p = 0; p < s->panel_count; p++)
            if (s->panels[p].file != NULL && strcmp(s->panels[p].file, name) == 0)
                return s->panels[p].label == NULL ? s->title : s->panels[p].label;
        if (s->file != NULL && strcmp(s->file, name) == 0)
            return s->title;
    }
    return "";
}

/* By its settings the run wrote less than it could. */
static bool is_short(const fs_report *r) {
    static const char *const key[] = {"run.statistics", "run.outputs"};
    bool less = false;
    for (size_t i = 0; i < 2; i++) {
        const char *value = fs_folder_setting(r->run, key[i]);
        less |= value != NULL && strcmp(value, "full") != 0;
    }
    return less;
}

static void put_left_out(fs_report *r) {
    const char *names = "";
    for (size_t i = 0; i < r->left_out_count; i++)
        names = fs_arena_printf(r->arena, "%s%s%s (%s)", names, i > 0 ? ", " : "", r->left_out[i]->title,
                                r->left_out[i]->file);
    if (r->left_out_count > 0)
        fs_sheet_note(r->sheet, "Left out, as the run wrote no table for it: %s.%s", names,
                      is_short(r)
                          ? fs_arena_printf(r->arena,
                                            " The whole run: foamsim run %s/resolved.yaml --set "
                                            "run.statistics=full --set run.outputs=full --output %s-full",
                                            fs_folder_label(r->run), fs_folder_label(r->run))
                          : "");
    if (!fs_folder_has(r->run, "page.json"))
        fs_sheet_note(
            r->sheet,
            "This run folder has no page.json, so that what its tables show is not known. A workload says "
            "it in the plan of its page (fs_workload.page, docs/how-to/workload.md); a run of an earlier "
            "foamsim gets it when it is run again: foamsim run %s/resolved.yaml -o again.",
            fs_folder_label(r->run));
}

void fs_report_files(fs_report *r) {
    const char *label = fs_folder_label(r->run);
    put_left_out(r);
    fs_sheet_say_as(r->sheet, "pre",
                    "foamsim run %s/resolved.yaml --output again    # the same bits\n"
                    "tools/compare-runs %s again                  # proves it\n"
                    "foamsim report again                         # this page\n"
                    "foamsim report %s --plots                    # its charts as files, with their scripts",
                    label, label, label);
    fs_sheet_note(r->sheet,
                  "Names are relative to the run folder <code>%s</code>, in which this page stands as "
                  "pictures/report.html unless it was written elsewhere; then the links lead nowhere.",
                  label);
    fs_sheet_list(r->sheet, false, "files");
    size_t count = 0;
    const char *const *name = fs_folder_files(r->run, &count);
    for (size_t i = 0; i < count; i++)
        fs_sheet_item(r->sheet, NULL, "<a href=\"../%s\">%s</a> <span class=\"note\">%s</span>", name[i],
                      name[i], words_of(r, name[i]));
    fs_sheet_end(r->sheet);
}
