/* The page of a validation: the verdict first, then what it rests on. */
#include "validation/page/page.h"

#include "validation/cases/words.h"
#include "validation/page/page_private.h"
#include "validation/results/results.h"
#include "validation/results/verdict.h"

#include <math.h>
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

/* A card of a score: its first number large, what else it says, what is wanted and the baseline's below. */
static void put_card(const fs_validation_sheet *p, const fs_score *score) {
    const size_t first = strcspn(score->value, ";");
    const char *note = score->value[first] == '\0' ? "" : score->value + first + 2;
    if (score->aim[0] != '\0')
        note = fs_arena_append(p->arena, note, "; ", "%s", score->aim);
    if (score->baseline[0] != '\0' && strcmp(score->baseline, "–") != 0)
        note = fs_arena_append(p->arena, note, "; ", "without a model %s", score->baseline);
    fs_sheet_card(p->sheet, score->name, fs_arena_printf(p->arena, "%.*s", (int)first, score->value), note);
}

static void put_verdict(fs_validation_sheet *p) {
    size_t count = 0;
    const char *const *sentence = fs_validation_verdict(p->v, p->arena, &count);
    fs_sheet_section(p->sheet, "verdict", "Verdict", NULL);
    fs_sheet_say(p->sheet, "%s", reference_of(p->arena, p->v->paper));
    if (count > 0) {
        fs_sheet_headline(p->sheet, sentence[0]);
        fs_sheet_fold(p->sheet, false, "%zu more sentences: what was held out, what failed, how sure it is",
                      count - 1);
        fs_sheet_list(p->sheet, true, "findings");
        for (size_t i = 1; i < count; i++)
            fs_sheet_item(p->sheet, NULL, "%s", sentence[i]);
        fs_sheet_end(p->sheet);
        fs_sheet_end(p->sheet);
    }
    fs_sheet_box(p->sheet, "cards", NULL);
    const fs_score *score = fs_validation_scores(p->v, p->arena, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(score[i].value, FS_NO_NUMBER) != 0) /* a paper without such figures */
            put_card(p, &score[i]);
    fs_sheet_end(p->sheet);
}

/* ---- charts ---- */

/* All charts of a kind and case; *count, unless NULL, receives how many there were. */
static fs_status put_charts(fs_validation_sheet *p, fs_validation_kind kind, const fs_validation_case *of,
                            size_t *count, fs_error *err) {
    size_t found = 0;
    for (const fs_validation_chart *q = NULL; (q = fs_validation_next(p, kind, of, q)) != NULL; found++)
        if (fs_validation_draw(p, q, err))
            return err->status;
    if (count != NULL)
        *count = found;
    return FS_OK;
}

/* The same in a grid of their own. */
fs_status fs_validation_put_grid(fs_validation_sheet *p, fs_validation_kind kind, size_t *count,
                                 fs_error *err) {
    fs_sheet_box(p->sheet, "figures-2 small", NULL);
    fs_status status = put_charts(p, kind, NULL, count, err);
    fs_sheet_end(p->sheet);
    return status;
}

static fs_status put_scatter(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_sheet_section(p->sheet, "published", "Published against simulated", NULL);
    fs_status status = fs_validation_put_grid(p, FS_VALIDATION_SCATTER, &count, err);
    if (count == 0)
        fs_sheet_note(p->sheet, "No figure has both a published and a simulated value.");
    return status;
}

/* One case with a chart: its lines, its errors, and in a sentence how well it is met. */
static fs_status put_table(fs_validation_sheet *p, const fs_validation_case *of, fs_error *err) {
    fs_sheet_say_as(p->sheet, "h3", "%s <span class=\"unit\">%s</span>", of->title, of->source);
    fs_sheet_say(p->sheet, "%s%s%s", of->about == NULL ? "" : of->about,
                 isnan(of->mean_error) ? ""
                                       : fs_arena_printf(p->arena, " Held out, it is off by %s on average.",
                                                         fs_words_share(p->arena, of->mean_error)),
                 isnan(of->order) ? ""
                                  : fs_arena_printf(p->arena, " Pairs in the published order: %s.",
                                                    fs_words_share(p->arena, of->order)));
    fs_sheet_box(p->sheet, "figures-2 small", NULL);
    if (put_charts(p, FS_VALIDATION_LINES, of, NULL, err) ||
        put_charts(p, FS_VALIDATION_ERRORS, of, NULL, err))
        return err->status;
    fs_sheet_end(p->sheet);
    return FS_OK;
}

static fs_status put_tables(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_sheet_section(p->sheet, "tables", "Each table and trend",
                     "a chart for each published table and trend");
    for (size_t i = 0; i < p->v->case_count; i++)
        if (fs_validation_next(p, FS_VALIDATION_LINES, &p->v->cases[i], NULL) != NULL) {
            count++;
            if (put_table(p, &p->v->cases[i], err))
                return err->status;
        }
    if (count == 0)
        fs_sheet_note(p->sheet, "No case has a chart.");
    return FS_OK;
}

static fs_status put_sensitivities(fs_validation_sheet *p, fs_error *err) {
    size_t count = 0;
    fs_sheet_section(p->sheet, "sensitivity", "What the times depend on",
                     "what each uncertain parameter does to the times");
    fs_sheet_say(p->sheet, "Parameters that their sources leave uncertain, each taken alone to the ends of "
                           "its prior, by a plane through "
                           "all draws. A bar that reaches the dashed line could explain the case's mean "
                           "error; a short one could not, "
                           "whatever its true value is.");
    fs_status status = fs_validation_put_grid(p, FS_VALIDATION_TORNADO, &count, err);
    if (count == 0)
        fs_sheet_note(p->sheet, "Nothing was drawn in this validation.");
    return status;
}

/* ---- draws and decisions ---- */

static void put_decisions(fs_validation_sheet *p) {
    fs_rows *t = NULL;
    fs_sheet_section(p->sheet, "decisions", "Where the paper is silent",
                     "where the paper is silent, and what was chosen");
    for (size_t i = 0; i < p->v->case_count; i++) {
        const fs_validation_case *of = &p->v->cases[i];
        if (of->open == NULL || of->open[0] == '\0')
            continue;
        if (t == NULL)
            t = fs_sheet_table(p->sheet, NULL, "case", "what is open, what was decided", NULL);
        fs_rows_add(t);
        fs_cell_head(t, "%s", of->title);
        fs_cell(t, of->open);
        fs_cell_add(t, (fs_cell_more){.look = "words"});
    }
    if (t == NULL)
        fs_sheet_note(p->sheet, "No case names an open question.");
}

/* Each table by the others, and what was drawn. */
static void put_held(fs_validation_sheet *p) {
    fs_sheet_section(p->sheet, "held", "Table by table",
                     "each table predicted from the paper's others, and what was drawn");
    if (fs_validation_put_tables(p->v, p->sheet) == NULL)
        fs_sheet_note(p->sheet, "No figure is predicted.");
    fs_validation_put_priors(p->v, p->sheet);
}

static void put_origin(fs_validation_sheet *p) {
    fs_sheet_section(p->sheet, "origin", "Where it comes from", "versions, commits and hosts");
    fs_sheet_say(
        p->sheet,
        "%s. Made by <code>foamsim validate</code>: each case is a file that names its experiment, the "
        "published figures, their source and what they may be used for.",
        p->v->version == NULL ? "foamsim" : p->v->version);
    fs_sheet_list(p->sheet, false, "");
    for (size_t i = 0; i < p->v->case_count; i++)
        fs_sheet_item(p->sheet, NULL, "%s: <code>%s</code>", p->v->cases[i].title,
                      fs_words_path(p->arena, p->v->cases[i].path));
    fs_sheet_end(p->sheet);
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
    put_held(p);
    put_decisions(p);
    put_origin(p);
    return FS_OK;
}

fs_status fs_validation_page(const fs_validation *v, const char *folder, fs_error *err) {
    fs_arena *arena = fs_arena_create();
    fs_validation_sheet p = fs_validation_sheet_of(v, arena, v->paper->heading);
    fs_status status = put_all(&p, err);
    if (status == FS_OK)
        status = fs_sheet_write(p.sheet, fs_arena_printf(arena, "%s/validation.html", folder), err);
    fs_sheet_free(p.sheet);
    fs_arena_free(arena);
    return status;
}

fs_status fs_validations_overview(const fs_validation *v, size_t count, const char *folder, fs_error *err) {
    fs_sheet *sheet = fs_sheet_create("Papers, predicted and measured against");
    fs_sheet_section(sheet, "papers", "Papers", NULL);
    fs_validations_put(v, count, sheet);
    const fs_status status =
        fs_sheet_write(sheet, fs_arena_printf(fs_sheet_arena(sheet), "%s/validation.html", folder), err);
    fs_sheet_free(sheet);
    return status;
}
