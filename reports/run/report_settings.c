/* What a run rests on: its configuration with the confidence behind each number, and the files to go on with.
 */
#include "reports/report_private.h"

#include <stdio.h>
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
};

static const char *confidence_word(const char *letter) {
    for (size_t i = 0; i < sizeof confidence / sizeof *confidence; i++)
        if (letter[0] == confidence[i].letter)
            return confidence[i].word;
    return "";
}

static void put_row(fs_report *r, const fs_setting *s, bool marked, bool full) {
    char key[160];
    snprintf(key, sizeof key, "%s.%s", s->section, s->key);
    fs_page_put(r->page, "<tr class=\"%s\">", marked ? "changed" : "setting");
    fs_page_put(r->page, "<td title=\"%s\"><code>%s</code></td><td>%s</td>", s->description, key, s->value);
    if (full) {
        fs_page_cell(r->page, s->standard);
        fs_page_cell(r->page, s->origin);
        fs_page_cell(r->page, confidence_word(s->confidence));
        fs_page_cell(r->page, s->source);
        fs_page_cell(r->page, s->description);
    }
    fs_page_put(r->page, "</tr>\n");
}

static void put_confidence(fs_report *r, const fs_setting *s, size_t count) {
    static const fs_page_column columns[] = {{"confidence", NULL, false, NULL},
                                             {"what it means", NULL, false, NULL},
                                             {"parameters", NULL, true, NULL},
                                             {"of these changed", NULL, true, NULL}};
    fs_page_table(r->page, "What the numbers behind this run rest on.", columns, 4);
    for (size_t i = 0; i < sizeof confidence / sizeof *confidence; i++) {
        size_t all = 0, changed = 0;
        for (size_t k = 0; k < count; k++)
            if (s[k].confidence[0] == confidence[i].letter) {
                all++;
                changed += s[k].changed;
            }
        fs_page_row(r->page);
        fs_page_put(r->page, "<th scope=\"row\">%s <span class=\"badge\">%c</span></th>", confidence[i].word,
                    confidence[i].letter);
        fs_page_cell(r->page, confidence[i].meaning);
        fs_page_cell_number(r->page, fs_number_grouped((double)all), (double)all);
        fs_page_cell_number(r->page, fs_number_grouped((double)changed), (double)changed);
    }
    fs_page_table_end(r->page);
}

/* What no source stands behind, to be varied. */
static void put_assumed(fs_report *r, const fs_setting *s, size_t count, const fs_page_column *columns,
                        size_t width) {
    fs_page_fold(r->page, "The assumed parameters");
    fs_page_table(r->page, NULL, columns, width);
    for (size_t i = 0; i < count; i++)
        if (s[i].confidence[0] == 'A')
            put_row(r, &s[i], s[i].changed, true);
    fs_page_table_end(r->page);
    fs_page_fold_end(r->page);
}

fs_status fs_report_settings(fs_report *r, fs_error *err) {
    static const fs_page_column columns[] = {{"parameter", NULL, false, NULL},  {"value", NULL, false, NULL},
                                             {"default", NULL, false, NULL},    {"set in", NULL, false, NULL},
                                             {"confidence", NULL, false, NULL}, {"source", NULL, false, NULL},
                                             {"what it is", NULL, false, NULL}};
    size_t count = 0, changed = 0;
    const fs_setting *s = fs_folder_settings(r->run, &count, err);
    if (err->status != FS_OK)
        return err->status;
    bool full = fs_folder_has(r->run, "parameters.csv");
    size_t width = full ? sizeof columns / sizeof *columns : 2;
    for (size_t i = 0; i < count; i++)
        changed += s[i].changed;
    fs_page_section(r->page, "configuration", "Configuration");
    if (full) {
        char caption[96];
        snprintf(caption, sizeof caption, "%zu of %zu parameters differ from their defaults.", changed,
                 count);
        fs_page_table(r->page, caption, columns, width);
        for (size_t i = 0; i < count; i++)
            if (s[i].changed)
                put_row(r, &s[i], false, full);
        fs_page_table_end(r->page);
        put_confidence(r, s, count);
        put_assumed(r, s, count, columns, width);
    } else
        fs_page_note(
            r->page,
            "This run folder has no parameters.csv: what differs from the defaults is in the comments of "
            "resolved.yaml.");
    if (count > 0) {
        fs_page_fold(r->page, "All parameters");
        fs_page_table(r->page, NULL, columns, width);
        for (size_t i = 0; i < count; i++)
            put_row(r, &s[i], full && s[i].changed, full);
        fs_page_table_end(r->page);
        fs_page_fold_end(r->page);
    }
    return FS_OK;
}

/* ---- files ---- */

fs_status fs_report_files(fs_report *r, fs_error *err) {
    static const struct {
        const char *name, *what;
    } file[] = {
        {"summary.json", "every figure of the run"},
        {"stats.csv", "the same with units and descriptions"},
        {"findings.json", "the sentences on top of this page with their figures"},
        {"resolved.yaml", "every parameter; running it gives the same bits"},
        {"parameters.csv", "every parameter with default, origin, confidence and source"},
        {"iterations.csv", "a row for each iteration: cycles by phase, pace, rays"},
        {"levels.csv", "a row for each part of the run and level of the overlay"},
        {"lanes.csv", "a row for each lane"},
        {"tiles.csv", "a row for each tile"},
        {"occupancy.csv", "rays held, tile by iteration"},
        {"cycles.csv", "compute cycles, tile by iteration"},
        {"hops.csv", "a row for each pixel of the first frame"},
        {"distributions.csv", "histograms"},
        {"ladder.csv", "what would help, and how much"},
        {"ladder_simulated.csv", "the same, run"},
        {"memory.csv", "every allocation of every tile"},
        {"views.csv", "a row for each view"},
        {"manifest.json", "columns, units and digests of all files"},
        {"image.png", "the frame"},
        {"depth.png", "its depth, 16 bits"},
    };
    (void)err;
    fs_page_section(r->page, "files", "Files");
    const char *label = fs_folder_label(r->run);
    fs_page_put(r->page,
                "<pre>foamsim run %s/resolved.yaml --out again    # the same bits\n"
                "tools/compare-runs %s again                  # proves it\n"
                "foamsim report again                         # this page\n",
                label, label);
    if (r->plots > 0)
        fs_page_put(
            r->page,
            "cd %s/pictures; gnuplot phases.gp             # one plot, after a change of its script\n",
            label);
    fs_page_put(r->page,
                "</pre>\n<p class=\"note\">Names are relative to the run folder <code>%s</code>, in which "
                "this page stands as "
                "pictures/report.html unless it was written elsewhere; then the links lead nowhere.</p>\n<ul "
                "class=\"files\">\n",
                label);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        if (fs_folder_has(r->run, file[i].name))
            fs_page_put(r->page, "<li><a href=\"../%s\">%s</a> <span class=\"note\">%s</span></li>\n",
                        file[i].name, file[i].name, file[i].what);
    fs_page_put(r->page, "</ul>\n");
    return FS_OK;
}
