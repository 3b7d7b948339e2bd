#include "validation/results/verdict.h"
#include "sim/base/arith.h"
#include "sim/base/numbers.h"
#include "validation/cases/words.h"

#include <math.h>
#include <string.h>

enum { MOST_SENTENCES = 15, MOST_NAMED = 3 };

typedef struct verdict {
    const fs_validation *v;
    fs_arena *arena;
    const char **sentence;
    size_t count;
} verdict;

static void say(verdict *d, const char *sentence) {
    FS_ASSERT(d->count < MOST_SENTENCES, "more sentences than the verdict has room for");
    d->sentence[d->count++] = sentence;
}

static const char *share(const verdict *d, double value) {
    return fs_words_share(d->arena, value);
}

/* ---- over all figures ---- */

typedef bool (*figure_filter)(const fs_claim *figure);

static size_t count_figures(const fs_validation *v, figure_filter wanted) {
    size_t count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t j = 0; j < v->cases[i].claim_count; j++)
            count += wanted(&v->cases[i].claims[j]);
    return count;
}

/* "a; b; c and 4 more" of the figures that are wanted, named by `name`. */
static const char *named(const verdict *d, figure_filter wanted) {
    const char *text = "";
    size_t count = 0, all = count_figures(d->v, wanted);
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count && count < MOST_NAMED; j++) {
            const fs_claim *c = &d->v->cases[i].claims[j];
            if (!wanted(c))
                continue;
            text = fs_arena_printf(d->arena, "%s%s%s", text, count > 0 ? "; " : "", c->name);
            count++;
        }
    return all > count ? fs_arena_printf(d->arena, "%s; and %zu more", text, all - count) : text;
}

static bool differs(const fs_claim *c) {
    return c->use == FS_USE_STRUCTURE && !(fs_claim_there(c) && c->reached);
}

static bool fails(const fs_claim *c) {
    return c->use == FS_USE_BEHAVIOUR && !c->reached;
}

static bool missing(const fs_claim *c) {
    return c->use != FS_USE_BEHAVIOUR && !fs_claim_there(c) && !c->failed;
}

static bool failed(const fs_claim *c) {
    return c->failed && !c->again;
}

/* ---- errors ---- */

/* Mean |error| of what is predicted: of one statistic in the cases that count, or of all in those that are left
 * aside (figure NULL). NAN: there is none. */
static double mean_error_of(const fs_validation *v, const char *figure) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t j = 0; j < v->cases[i].claim_count; j++) {
            const fs_claim *c = &v->cases[i].claims[j];
            if (figure == NULL ? v->cases[i].left_aside && c->use == FS_USE_PREDICT
                               : fs_claim_scored(&v->cases[i], c) && strcmp(c->figure, figure) == 0) {
                sum += fs_claim_miss(c);
                count++;
            }
        }
    return count == 0 ? (double)NAN : sum / (double)count;
}

/* ---- sentences ---- */

/* What says something without a model. */
static void say_baselines(verdict *d) {
    const fs_paper *paper = d->v->paper;
    const fs_scores *v = &d->v->scores;
    if (isnan(v->baseline_error))
        return;
    const char *ranks = fs_paper_baselines(d->arena, paper, true);
    say(d, fs_arena_printf(
               d->arena, "The baseline without a model is: %s%s.", fs_paper_baselines(d->arena, paper, false),
               isnan(v->baseline_order) ? ""
                                        : fs_arena_printf(d->arena, "; it puts %s of the pairs in order (%s)",
                                                          share(d, v->baseline_order), ranks)));
}

static void say_error(verdict *d) {
    const fs_paper *paper = d->v->paper;
    const fs_scores *v = &d->v->scores;
    const char *measures = fs_paper_measures(d->arena, paper);
    if (isnan(v->mean_error)) {
        say(d, fs_arena_printf(d->arena,
                               "None of the %s that were held out has been simulated: there is no error to "
                               "report.",
                               measures));
        return;
    }
    const char *aim = share(d, paper->aim), *stretch = share(d, paper->stretch);
    const char *against =
        v->mean_error <= paper->stretch ? fs_arena_printf(d->arena, "stretch: %s, reached", stretch)
        : v->mean_error <= paper->aim
            ? fs_arena_printf(d->arena, "aim: %s, reached; stretch: %s, missed", aim, stretch)
            : fs_arena_printf(d->arena, "aim: %s, missed", aim);
    const char *baseline =
        isnan(v->baseline_error)
            ? ""
            : fs_arena_printf(d->arena, "; without a model it is %s on the same figures: %s",
                              share(d, v->baseline_error), fs_words_winner(v->mean_error, v->baseline_error));
    say(d, fs_arena_printf(
               d->arena, "The average error of predicted %s is %s (%s), and %s%s.", measures,
               share(d, v->mean_error), against,
               v->failed == 0 ? "no figure failed"
                              : fs_arena_printf(d->arena, "%zu of %zu figures failed, each counted as 100 %%",
                                                v->failed, v->predicted),
               baseline));
    say_baselines(d);
    if (!isnan(v->mean_error_plain) && !isnan(v->mean_error_saturated) && paper->saturated[0] != '\0')
        say(d,
            fs_arena_printf(d->arena, "Cases in which %s are off by %s, all others by %s.", paper->saturated,
                            share(d, v->mean_error_saturated), share(d, v->mean_error_plain)));
}

typedef enum which { COUNTED, ASIDE } which;

/* Each scored case with its mean error, or the share of its pairs in the published order. */
static const char *by_case(const verdict *d, bool order, which wanted) {
    const char *text = "";
    for (size_t i = 0; i < d->v->case_count; i++) {
        const fs_validation_case *c = &d->v->cases[i];
        const double value = order ? c->order : c->mean_error;
        if (c->scored && c->left_aside == (wanted == ASIDE) && !isnan(value))
            text = fs_arena_printf(d->arena, "%s%s%s %s", text, text[0] == '\0' ? "" : "; ", c->title,
                                   share(d, value));
    }
    return text;
}

static void say_parts(verdict *d) {
    const fs_paper *paper = d->v->paper;
    const char *text = "";
    for (size_t i = 0; i < paper->measure_count; i++) {
        const fs_paper_figure *m = &paper->measures[i];
        const double error = mean_error_of(d->v, m->figure);
        if (isnan(error))
            return;
        text = fs_arena_printf(d->arena, "%s%s%s alone%s by %s", text, i == 0 ? "" : ", ",
                               i == 0 ? fs_words_capital(d->arena, m->name) : m->name,
                               i == 0 ? " are off" : "", share(d, error));
    }
    if (paper->measure_count > 1)
        say(d, fs_arena_printf(d->arena, "%s. By table: %s.", text, by_case(d, false, COUNTED)));
}

/* What was published, read otherwise. */
static void say_aside(verdict *d) {
    const double error = mean_error_of(d->v, NULL);
    if (!isnan(error))
        say(d, fs_arena_printf(d->arena, "Other readings, which do not count in that, are off by %s: %s.",
                               share(d, error), by_case(d, false, ASIDE)));
}

/* Each table by the paper's others. */
static void say_tables(verdict *d) {
    const fs_table *t = &d->v->all_tables;
    const char *each = "";
    if (t->figures == 0)
        return;
    for (size_t i = 0; i < d->v->table_count && d->v->table_count > 1; i++)
        each = fs_arena_printf(d->arena, "%s%s%s %s", each, i == 0 ? ": " : "; ", d->v->tables[i].name,
                               share(d, d->v->tables[i].mean_error));
    say(d,
        fs_arena_printf(
            d->arena,
            "Table by table, each predicted with the draws weighted by how well they give the others (a "
            "discrepancy of %s), they are off by %s%s; %s.",
            share(d, FS_DISCREPANCY), share(d, t->mean_error),
            isnan(t->baseline)
                ? ""
                : fs_arena_printf(d->arena, ", the baseline fitted on the same tables by %s: %s",
                                  share(d, t->baseline), fs_words_winner(t->mean_error, t->baseline)),
            fs_arena_printf(d->arena, "%s of the published values lie in the range that holds four fifths%s",
                            share(d, t->in_range), each)));
}

/* How many draws, and how many of them contradict nothing that was published. */
static void say_draws(verdict *d) {
    const fs_validation *v = d->v;
    if (v->drawn)
        say(d, fs_arena_printf(
                   d->arena, "What no source fixes was drawn %zu times from its priors (%zu of them); %s.",
                   v->draw_count, v->paper->prior_count,
                   v->kept_count == v->draw_count
                       ? "no draw contradicts that the runs completed"
                       : fs_arena_printf(d->arena, "%zu draws, in which fewest runs failed, are kept",
                                         v->kept_count)));
}

static void say_order(verdict *d) {
    const fs_validation *v = d->v;
    const double order = v->scores.order;
    if (isnan(order))
        return;
    const char *each = by_case(d, true, COUNTED);
    say(d, fs_arena_printf(d->arena,
                           "Of the pairs of cells that differ by more than %s in the paper, %s come out in "
                           "the published order (wanted: %s)%s%s.",
                           share(d, FS_PAIR_DIFFERENCE), share(d, order), share(d, v->paper->order),
                           each[0] == '\0' ? "" : ": ", each));
}

static void say_within(verdict *d) {
    const fs_scores *s = &d->v->scores;
    if (s->predicted > 0)
        say(d, s->ranged == 0
                   ? "No prediction states a range: nothing was drawn."
                   : fs_arena_printf(d->arena,
                                     "%s published values lie in the range that holds four fifths of the "
                                     "draws, of %zu predicted figures.",
                                     fs_words_ranged(d->arena, s), s->predicted));
}

/* The scored figures that are farthest off. */
static void say_farthest(verdict *d) {
    const fs_claim *worst[MOST_NAMED] = {NULL};
    for (size_t i = 0; i < d->v->case_count; i++)
        for (size_t j = 0; j < d->v->cases[i].claim_count; j++) {
            const fs_claim *c = &d->v->cases[i].claims[j];
            for (size_t k = 0; k < MOST_NAMED && fs_claim_scored(&d->v->cases[i], c) && fs_claim_there(c);
                 k++)
                if (worst[k] == NULL || fabs(c->error) > fabs(worst[k]->error)) {
                    memmove(&worst[k + 1], &worst[k], (MOST_NAMED - 1 - k) * sizeof *worst);
                    worst[k] = c;
                    break;
                }
        }
    const char *text = "";
    for (size_t k = 0; k < MOST_NAMED && worst[k] != NULL; k++)
        text = fs_arena_printf(d->arena, "%s%s%s (%s for %s, %s)", text, k > 0 ? "; " : "", worst[k]->name,
                               fs_words_number(d->arena, worst[k]->median),
                               fs_words_value(d->arena, worst[k]->published, worst[k]->unit),
                               fs_words_change(d->arena, worst[k]->error));
    if (text[0] != '\0')
        say(d, fs_arena_printf(d->arena, "Farthest off: %s.", text));
}

static void say_counts(verdict *d) {
    const fs_validation *v = d->v;
    if (count_figures(v, failed) > 0)
        say(d, fs_arena_printf(d->arena,
                               "Failed on at least half of the stand-ins, other readings included: %s.",
                               named(d, failed)));
    if (v->structure_count > 0)
        say(d, v->structure_exact == v->structure_count
                   ? fs_arena_printf(d->arena, "All %zu structural figures are exact.", v->structure_count)
                   : fs_arena_printf(d->arena, "%zu of %zu structural figures are exact; not: %s.",
                                     v->structure_exact, v->structure_count, named(d, differs)));
    if (v->behaviour_count > 0)
        say(d, v->behaviour_holds == v->behaviour_count
                   ? fs_arena_printf(d->arena, "All %zu behaviours that the paper describes are seen.",
                                     v->behaviour_count)
                   : fs_arena_printf(d->arena,
                                     "%zu of %zu behaviours that the paper describes are seen; not: %s.",
                                     v->behaviour_holds, v->behaviour_count, named(d, fails)));
    size_t gone = count_figures(v, missing);
    if (gone > 0)
        say(d, fs_arena_printf(d->arena, "%s no simulated value: %s.",
                               gone == 1 ? "One figure has"
                                         : fs_arena_printf(d->arena, "%zu figures have", gone),
                               named(d, missing)));
}

const char *const *fs_validation_verdict(const fs_validation *v, fs_arena *arena, size_t *count) {
    verdict d = {v, arena, FS_NEW(arena, const char *, MOST_SENTENCES), 0};
    say_error(&d);
    say_parts(&d);
    say_aside(&d);
    say_tables(&d);
    say_draws(&d);
    say_order(&d);
    say_within(&d);
    say_farthest(&d);
    say_counts(&d);
    *count = d.count;
    return d.sentence;
}

/* ---- scores ---- */

static const char *part_of(fs_arena *arena, size_t part, size_t whole) {
    return whole == 0 ? FS_NO_NUMBER : fs_arena_printf(arena, "%zu / %zu", part, whole);
}

const fs_score *fs_validation_scores(const fs_validation *v, fs_arena *arena, size_t *count) {
    fs_score *s = FS_NEW(arena, fs_score, 13 + v->reading_count);
    const fs_paper *paper = v->paper;
    const fs_scores *shown = &v->scores;
    const fs_table *t = &v->all_tables;
    const double aside = mean_error_of(v, NULL);
    size_t n = 0;
    s[n++] = (fs_score){"mean error of predicted figures", fs_words_share(arena, shown->mean_error),
                        fs_arena_printf(arena, "aim %s, stretch %s", fs_words_share(arena, paper->aim),
                                        fs_words_share(arena, paper->stretch)),
                        fs_words_share(arena, shown->baseline_error)};
    s[n++] = (fs_score){"failed figures", part_of(arena, shown->failed, shown->predicted), "none", ""};
    if (paper->saturated[0] != '\0') {
        s[n++] =
            (fs_score){"without saturated cases", fs_words_share(arena, shown->mean_error_plain), "", ""};
        s[n++] =
            (fs_score){"saturated cases alone", fs_words_share(arena, shown->mean_error_saturated), "", ""};
    }
    if (!isnan(aside))
        s[n++] = (fs_score){"other readings, not counted above", fs_words_share(arena, aside), "", ""};
    for (size_t i = 0; i < v->reading_count; i++) {
        const fs_scores *r = &v->readings[i].scores;
        const char *error = fs_words_share(arena, r->mean_error), *order = fs_words_share(arena, r->order);
        s[n++] = (fs_score){fs_arena_printf(arena, "%s, not counted above", v->readings[i].name),
                            fs_arena_printf(arena, "%s; failed %zu / %zu; in order %s", error, r->failed,
                                            r->predicted, order),
                            "", fs_words_share(arena, r->baseline_error)};
    }
    s[n++] = (fs_score){"pairs in published order", fs_words_share(arena, shown->order),
                        fs_arena_printf(arena, "wanted %s", fs_words_share(arena, paper->order)),
                        fs_words_share(arena, shown->baseline_order)};
    s[n++] = (fs_score){"published comparisons that come out", part_of(arena, v->compared_right, v->compared),
                        "", ""};
    s[n++] = (fs_score){"published within four fifths of the draws",
                        part_of(arena, shown->in_range, shown->ranged), "", ""};
    s[n++] = (fs_score){"table by table", fs_words_share(arena, t->mean_error),
                        fs_arena_printf(arena, "aim %s", fs_words_share(arena, paper->aim)),
                        fs_words_share(arena, t->baseline)};
    s[n++] = (fs_score){"published within four fifths, table by table", fs_words_share(arena, t->in_range),
                        "wanted 80 %", fs_words_share(arena, t->baseline_in_range)};
    s[n++] = (fs_score){"ranked probability score, table by table", fs_words_share(arena, t->crps), "",
                        fs_words_share(arena, t->baseline_crps)};
    s[n++] = (fs_score){"structure exact", part_of(arena, v->structure_exact, v->structure_count), "all", ""};
    s[n++] = (fs_score){"behaviours seen", part_of(arena, v->behaviour_holds, v->behaviour_count), "all", ""};
    *count = n;
    return s;
}

fs_rows *fs_validation_put_scores(const fs_validation *v, fs_sheet *sheet) {
    size_t count = 0;
    const fs_score *score = fs_validation_scores(v, fs_sheet_arena(sheet), &count);
    fs_rows *t = fs_sheet_table(sheet, NULL, "score", "#reached", "#wanted", "#without a model", NULL);
    for (size_t i = 0; i < count; i++) {
        fs_rows_add(t);
        fs_cell(t, score[i].name);
        fs_cell(t, score[i].value);
        fs_cell(t, score[i].aim);
        fs_cell(t, score[i].baseline);
    }
    return t;
}

fs_rows *fs_validation_put_tables(const fs_validation *v, fs_sheet *sheet) {
    if (v->all_tables.figures == 0)
        return NULL;
    fs_arena *arena = fs_sheet_arena(sheet);
    fs_rows *rows = fs_sheet_table(
        sheet, "Each table predicted from the others, the baseline fitted on the same.", "table", "#figures",
        "#failed", "#mean error", "#baseline",
        "#in range|published values in the range that holds four fifths", "#baseline in range",
        "#score|continuous ranked probability score, over the published value", "#baseline's score", NULL);
    for (size_t i = 0; i <= v->table_count; i++) {
        const fs_table *t = i < v->table_count ? &v->tables[i] : &v->all_tables;
        const double value[] = {t->mean_error,        t->baseline, t->in_range,
                                t->baseline_in_range, t->crps,     t->baseline_crps};
        fs_rows_add(rows);
        fs_cell_head(rows, "%s", t->name == NULL ? "all" : t->name);
        fs_cell_number(rows, fs_arena_printf(arena, "%zu", t->figures), (double)t->figures);
        fs_cell_number(rows, fs_arena_printf(arena, "%zu", t->failed), (double)t->failed);
        for (size_t k = 0; k < FS_COUNT(value); k++)
            fs_cell_number(rows, fs_words_share(arena, value[k]), value[k]);
    }
    return rows;
}

void fs_validation_put_priors(const fs_validation *v, fs_sheet *sheet) {
    const fs_paper *paper = v->paper;
    if (!v->drawn)
        return;
    fs_rows *t =
        fs_sheet_table(sheet, "What no source fixes, and how it is drawn.", "what", "prior", "from", NULL);
    for (size_t i = 0; i < paper->prior_count; i++) {
        fs_rows_add(t);
        fs_cell_head(t, "%s", paper->priors[i].u.key);
        fs_cell(t, fs_prior_text(fs_sheet_arena(sheet), &paper->priors[i]));
        fs_cell(t, paper->priors[i].source);
        fs_cell_add(t, (fs_cell_more){.look = "words"});
    }
}
