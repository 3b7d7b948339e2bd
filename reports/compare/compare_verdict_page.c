/* What comes first on a comparison's page: the verdict, run by run, and why in a few words. */
#include "reports/compare/compare_page.h"

#include <math.h>
#include <string.h>

static const char *label_at(const fs_compare *c, size_t i) {
    return c->runs[fs_compare_place(c, i)].label;
}

static void put_sentences(fs_page *page, const fs_verdict *verdict) {
    if (verdict->count == 0)
        return;
    fs_page_put(page, "<ol class=\"findings\">\n");
    for (size_t i = 0; i < verdict->count; i++)
        fs_page_put(page, "<li>%s</li>\n", verdict->sentences[i].text);
    fs_page_put(page, "</ol>\n");
}

/* In a few words: iterations, and the phase of the device whose cycles changed most. */
static const char *why(const fs_compare *c, size_t run) {
    static const char *const phases[] = {"compute", "exchange", "sync", "host"};
    const char *text = "";
    double most = 0, percent = 0;
    const char *phase = NULL;
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        const char *name = fs_arena_printf(c->arena, "device.cycles_%s", phases[k]);
        const double a = fs_compare_number(c, c->base, name), b = fs_compare_number(c, run, name);
        if (fabs(b - a) > most && a > 0) {
            most = fabs(b - a);
            percent = 100 * (b / a - 1);
            phase = phases[k];
        }
    }
    const double a = fs_compare_number(c, c->base, "device.iterations"),
                 b = fs_compare_number(c, run, "device.iterations");
    if (b > a || b < a)
        text = fs_arena_printf(c->arena, "iterations %s", fs_text_change(c->arena, 100 * (b / a - 1)));
    if (phase != NULL)
        text = fs_arena_printf(c->arena, "%s%smost in %s: %s", text, text[0] == '\0' ? "" : "; ", phase,
                               fs_text_change(c->arena, percent));
    return text[0] == '\0' ? "the same in every phase" : text;
}

/* Run, time, change, why: the sentences stand behind a fold. */
static void put_verdict_table(const fs_compare *c, fs_page *page) {
    const fs_compare_figure *f = fs_compare_decides(c);
    const fs_page_column columns[] = {
        {"run", NULL, false, NULL},
        {f == NULL ? "" : f->label, NULL, true, NULL},
        {"change", NULL, true, "against the base"},
        {"why", NULL, false, "iterations, and the phase whose cycles changed most"}};
    if (f == NULL)
        return;
    fs_page_table(page, NULL, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < c->count; i++) {
        const size_t run = fs_compare_place(c, i);
        const double value = fs_compare_number(c, run, f->name);
        fs_page_row(page);
        fs_page_put(page, "<th scope=\"row\">%s%s</th>", label_at(c, i), i == 0 ? " (base)" : "");
        fs_page_cell_number(page, isnan(value) ? "-" : fs_compare_decided(c, value),
                            isnan(value) ? 0 : value);
        if (i == 0)
            fs_page_put(page, "<td class=\"number\"></td><td></td>");
        else {
            fs_compare_put_difference(c, page, f, run);
            fs_page_cell(page, why(c, run));
        }
    }
    fs_page_table_end(page);
}

void fs_compare_put_verdict(const fs_compare *c, fs_page *page) {
    fs_page_section(page, "verdict", "Verdict");
    const fs_verdict *said = &c->verdicts[c->base];
    if (said->count == 0 && c->count == 2)
        said = &c->verdicts[fs_compare_place(c, 1)];
    if (said->count > 0)
        fs_page_headline(page, said->sentences[0].text);
    if (c->matrix == NULL) {
        put_verdict_table(c, page);
        fs_page_put(page, "<details class=\"sentences\"><summary>Why, in sentences: %s</summary>\n",
                    c->count == 2 ? "iterations, phases, tiles, what moved" : "run by run");
    }
    put_sentences(page, &c->verdicts[c->base]);
    for (size_t i = 1; i < c->count && c->matrix == NULL; i++) {
        const fs_verdict *verdict = &c->verdicts[fs_compare_place(c, i)];
        if (c->count > 2 && verdict->count > 0)
            fs_page_put(page, "<h3>%s</h3>\n", label_at(c, i));
        put_sentences(page, verdict);
    }
    if (c->matrix == NULL)
        fs_page_put(page, "</details>\n");
}
