/* The page of a validation: the verdict first, then what it rests on. */
#include "validation/page/page.h"

#include "validation/cases/words.h"
#include "validation/page/sheet.h"
#include "validation/page/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdict ---- */

/* The paper's reference; a page has no links, so an address goes without its scheme. */
static const char *reference_of(fs_arena *arena, const fs_paper *paper) {
    const char *text = fs_paper_reference(arena, paper), *scheme = strstr(text, "://");
    const char *from = scheme;
    while (from != NULL && from > text && from[-1] != ' ')
        from--;
    return scheme == NULL ? text : fs_arena_printf(arena, "%.*s%s", (int)(from - text), text, scheme + 3);
}

static void put_verdict(fs_validation_sheet *p) {
    size_t count = 0;
    const char *const *sentence = fs_validation_verdict(p->v, p->arena, &count);
    fs_page_section(p->page, "verdict", "Verdict");
    fs_page_put(p->page, "<p>%s</p>\n", reference_of(p->arena, p->v->paper));
    if (count > 0) {
        fs_page_headline(p->page, sentence[0]);
        fs_page_put(
            p->page,
            "<details class=\"sentences\"><summary>%zu more sentences: what was held out, what failed, how "
            "sure it is</summary>\n<ol class=\"findings\">\n",
            count - 1);
        for (size_t i = 1; i < count; i++)
            fs_page_put(p->page, "<li>%s</li>\n", sentence[i]);
        fs_page_put(p->page, "</ol>\n</details>\n");
    }
    fs_page_put(p->page, "<div class=\"cards\">\n");
    const fs_score *score = fs_validation_scores(p->v, p->arena, &count);
    for (size_t i = 0; i < count; i++)
        fs_page_put(p->page, "<div class=\"card\"><span>%s</span><b>%s</b><span>%s</span></div>\n",
                    score[i].name, score[i].value,
                    score[i].baseline[0] == '\0' ? score[i].aim
                                                 : fs_arena_printf(p->arena, "%s; without a model %s",
                                                                   score[i].aim, score[i].baseline));
    fs_page_put(p->page, "</div>\n");
}

/* ---- pictures ---- */

/* What lies under the pointer in a picture: a map's pixels, boxes, or dots. */
typedef struct shown {
    fs_validation_sheet *p;
    const fs_validation_picture *q;
} shown;

static json_t *show(const fs_plot_panel *panel, void *self) {
    fs_validation_sheet *p = ((const shown *)self)->p;
    const fs_validation_picture *q = ((const shown *)self)->q;
    (void)panel;
    const char *id = fs_arena_printf(p->arena, "%s-data", q->name);
    if (q->values != NULL) {
        fs_page_values(p->page, id, FS_PAGE_U8, q->values, q->width * q->height);
        return json_pack("{s:s, s:s, s:s, s:I, s:I, s:[{s:s, s:s, s:s, s:i}]}", "kind", "matrix", "x",
                         "pixel x", "y", "y", "cols", (json_int_t)q->width, "rows", (json_int_t)q->height,
                         "layers", "what", "visits", "unit", "", "values", id, "none", 0);
    }
    fs_page_json(p->page, id, 6, json_incref(q->data));
    if (q->half[0] > 0)
        return json_pack("{s:s, s:[f,f], s:s}", "kind", "points", "half", q->half[0], q->half[1], "data", id);
    return json_pack("{s:s, s:b, s:s}", "kind", "dots", "own", 1, "data", id);
}

static fs_status put_picture(fs_validation_sheet *p, const fs_validation_picture *q, fs_error *err) {
    const char *path = fs_arena_printf(p->arena, "%s/%s.svg", p->d->folder, q->name);
    const char *id = fs_arena_printf(p->arena, "plot-%s", q->name);
    fs_page_figure(p->page, q->name, q->title, false);
    if (fs_page_svg(p->page, path, id, q->title, err))
        return err->status;
    fs_page_figure_end(p->page, "%s", q->caption);
    fs_plot_hover(p->page, id, &q->plot, 6, show, &(shown){p, q});
    return FS_OK;
}

/* All pictures of a kind and case, each a figure with what the pointer shows; *count, unless NULL, receives
 * how many there were. */
static fs_status put_pictures(fs_validation_sheet *p, fs_picture_kind kind, const fs_validation_case *of,
                              size_t *count, fs_error *err) {
    size_t found = 0;
    for (const fs_validation_picture *q = NULL; (q = fs_validation_next(p->d, kind, of, q)) != NULL; found++)
        if (put_picture(p, q, err))
            return err->status;
    if (count != NULL)
        *count = found;
    return FS_OK;
}

/* The same in a grid of their own. */
fs_status fs_validation_put_grid(fs_validation_sheet *p, fs_picture_kind kind, size_t *count, fs_error *err) {
    fs_page_put(p->page, "<div class=\"figures-2 small\">\n");
    fs_status status = put_pictures(p, kind, NULL, count, err);
    fs_page_put(p->page, "</div>\n");
    return status;
}

static fs_status put_scatter(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_page_section(p->page, "published", "Published against simulated");
    fs_status status = fs_validation_put_grid(p, FS_PICTURE_SCATTER, &count, err);
    if (count == 0)
        fs_page_note(p->page, "No figure has both a published and a simulated value.");
    return status;
}

/* One case with a chart: its lines, its errors, and in a sentence how well it is met. */
static fs_status put_table(fs_validation_sheet *p, const fs_validation_case *of, fs_error *err) {
    fs_page_put(p->page, "<h3>%s <span class=\"unit\">%s</span></h3>\n<p>%s", of->title, of->source,
                of->about == NULL ? "" : of->about);
    if (!isnan(of->mean_error))
        fs_page_put(p->page, " Held out, it is off by %s on average.",
                    fs_words_share(p->arena, of->mean_error));
    if (!isnan(of->order))
        fs_page_put(p->page, " Pairs in the published order: %s.", fs_words_share(p->arena, of->order));
    fs_page_put(p->page, "</p>\n");
    fs_page_put(p->page, "<div class=\"figures-2 small\">\n");
    if (put_pictures(p, FS_PICTURE_CHART, of, NULL, err) || put_pictures(p, FS_PICTURE_ERRORS, of, NULL, err))
        return err->status;
    fs_page_put(p->page, "</div>\n");
    return FS_OK;
}

static fs_status put_tables(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_page_folded(p->page, "tables", "Each table and trend", "a chart for each published table and trend");
    for (size_t i = 0; i < p->v->case_count; i++)
        if (fs_validation_next(p->d, FS_PICTURE_CHART, &p->v->cases[i], NULL) != NULL) {
            count++;
            if (put_table(p, &p->v->cases[i], err))
                return err->status;
        }
    if (count == 0)
        fs_page_note(p->page, "No case has a chart.");
    return FS_OK;
}

static fs_status put_sensitivities(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_page_folded(p->page, "sensitivity", "What the times depend on",
                   "what each uncertain parameter does to the times");
    fs_page_put(
        p->page,
        "<p>Parameters that their sources leave uncertain, each taken alone to the ends of its stated "
        "range. A bar that reaches the dashed line could explain the case's mean error; a short one "
        "could not, whatever its true value is.</p>\n");
    fs_status status = fs_validation_put_grid(p, FS_PICTURE_TORNADO, &count, err);
    if (count == 0)
        fs_page_note(p->page, "Sensitivities were not priced in this validation.");
    return status;
}

/* ---- decisions and calibration ---- */

static void put_decisions(fs_validation_sheet *p) {
    size_t count = 0;
    fs_page_folded(p->page, "decisions", "Where the paper is silent",
                   "where the paper is silent, what was chosen, and what else could be");
    for (size_t i = 0; i < p->v->case_count; i++) {
        const fs_validation_case *of = &p->v->cases[i];
        bool open = of->open != NULL && of->open[0] != '\0';
        if (!open && of->choice_count == 0)
            continue;
        if (count++ == 0)
            fs_page_heads(p->page, NULL, "case", "what is open, what was decided", "read another way",
                          "#times [change]|mean over the timed figures",
                          "#mean error [then]|of what is predicted", "#mean error [as decided]", NULL);
        for (size_t k = 0; k < of->choice_count || k == 0; k++) {
            const fs_choice *c = k < of->choice_count ? &of->choices[k] : NULL;
            fs_page_row(p->page);
            fs_page_put(p->page, "<th scope=\"row\">%s</th><td class=\"words\">%s</td>",
                        k == 0 ? of->title : "", k == 0 && open ? of->open : "");
            if (c == NULL) {
                fs_page_put(p->page, "<td></td><td></td><td></td><td></td>");
                continue;
            }
            fs_page_put(p->page, "<td class=\"words\">%s<br><code>%s</code></td>", c->name,
                        c->sets == NULL ? "" : c->sets);
            fs_page_cell_number(p->page, fs_words_change(p->arena, c->mean_change), c->mean_change);
            fs_page_cell_number(p->page, fs_words_share(p->arena, c->mean_error), c->mean_error);
            fs_page_cell_number(p->page, fs_words_share(p->arena, of->mean_error), of->mean_error);
        }
    }
    if (count > 0)
        fs_page_table_end(p->page);
    else
        fs_page_note(p->page, "No case names an open question.");
}

/* What the scores are without and with what was fitted. */
static void put_fits(fs_validation_sheet *p) {
    const fs_scores *const scores[] = {&p->v->unfitted, &p->v->fitted};
    static const char *const name[] = {"nothing fitted", "fitted"};
    if (isnan(scores[0]->mean_error) || isnan(scores[1]->mean_error))
        return;
    fs_page_heads(p->page, "The scores both ways.", "", "#mean error [held out]", "#without saturated cases",
                  "#saturated cases", "#within range", "#published order", NULL);
    for (size_t i = 0; i < 2; i++) {
        const double value[] = {scores[i]->mean_error, scores[i]->mean_error_plain,
                                scores[i]->mean_error_saturated, scores[i]->within, scores[i]->order};
        fs_page_row(p->page);
        fs_page_put(p->page, "<th scope=\"row\">%s%s</th>", name[i],
                    (i == 1) == p->v->fitted_by_default ? " (all else here)" : "");
        for (size_t k = 0; k < 5; k++)
            fs_page_cell_number(p->page, fs_words_share(p->arena, value[k]), value[k]);
    }
    fs_page_table_end(p->page);
}

static void put_calibration(fs_validation_sheet *p) {
    size_t count = 0;
    fs_page_folded(p->page, "calibration", "Calibration", "what was fitted, on which figures");
    fs_page_put(p->page, "<p>%s</p>\n",
                p->v->calibration == NULL || p->v->calibration[0] == '\0'
                    ? "No scalar of the cost model was fitted: all parameters come from their sources."
                    : p->v->calibration);
    put_fits(p);
    for (size_t i = 0; i < p->v->case_count; i++)
        for (size_t j = 0; j < p->v->cases[i].claim_count; j++) {
            const fs_claim *c = &p->v->cases[i].claims[j];
            if (c->use != FS_USE_CALIBRATE)
                continue;
            if (count++ == 0)
                fs_page_heads(p->page,
                              "Figures that scenes and scalars may be fitted on. They count in no score.",
                              "figure", "#published", "#simulated", "#error", "source", NULL);
            fs_page_row(p->page);
            fs_page_cell(p->page, c->name);
            fs_page_cell_number(p->page, fs_words_value(p->arena, c->published, c->unit), c->published);
            fs_page_cell_number(p->page, fs_words_value(p->arena, c->median, c->unit), c->median);
            fs_page_cell_number(p->page, fs_words_change(p->arena, c->error), c->error);
            fs_page_cell(p->page, c->source);
        }
    if (count > 0)
        fs_page_table_end(p->page);
}

static void put_origin(fs_validation_sheet *p) {
    fs_page_folded(p->page, "origin", "Where it comes from", "versions, commits and hosts");
    fs_page_put(
        p->page,
        "<p>%s. Made by <code>foamsim validate</code>: each case is a file that names its experiment, "
        "the published figures, their source and what they may be used for. The pictures' scripts and "
        "data stand in <code>pictures/</code> beside this page.</p>\n<ul>\n",
        p->v->version == NULL ? "foamsim" : p->v->version);
    for (size_t i = 0; i < p->v->case_count; i++)
        fs_page_put(p->page, "<li>%s: <code>%s</code></li>\n", p->v->cases[i].title,
                    fs_words_path(p->arena, p->v->cases[i].path));
    fs_page_put(p->page, "</ul>\n");
}

/* ---- the page ---- */

static fs_status put_all(fs_validation_sheet *p, fs_error *err) {
    put_verdict(p);
    if (put_scatter(p, err) || put_tables(p, err) || put_sensitivities(p, err))
        return err->status;
    fs_validation_put_pace(p);
    if (fs_validation_put_scenes(p, err) || fs_validation_put_maps(p, err))
        return err->status;
    fs_validation_put_behaviours(p);
    if (fs_validation_put_checks(p, err))
        return err->status;
    fs_validation_put_claims(p);
    put_decisions(p);
    put_calibration(p);
    put_origin(p);
    return FS_OK;
}

fs_status fs_validation_page(const fs_validation *v, const char *folder, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_validation_drawing d = {
        .v = v, .arena = arena, .target = fs_arena_printf(arena, "%s/pictures", folder)};
    fs_validation_sheet p = {v, arena, fs_page_create(v->paper->heading), &d};
    fs_status status = fs_validation_draw(&d, FS_PLOT_SVG, err);
    if (status == FS_OK)
        status = put_all(&p, err);
    if (status == FS_OK)
        status = fs_page_write(p.page, fs_arena_printf(arena, "%s/validation.html", folder), err);
    fs_status closed = fs_validation_drawing_end(&d, status == FS_OK, err);
    fs_page_free(p.page);
    fs_arena_free(arena);
    return status ? status : closed;
}
