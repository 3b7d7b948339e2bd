/* The verdict on the model: scores, and the sentences that say what they are worth. */
#include "validation/words.h"

#include <math.h>
#include <string.h>

enum { MOST_SENTENCES = 11, MOST_NAMED = 3 };

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
    return c->use != FS_USE_BEHAVIOUR && !fs_claim_there(c);
}

/* ---- other readings ---- */

/* Mean |error| of the predicted figures of the cases that are left aside; NAN: there are none. */
static double error_aside(const fs_validation *v) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t j = 0; v->cases[i].left_aside && j < v->cases[i].claim_count; j++) {
            const fs_claim *c = &v->cases[i].claims[j];
            if (c->use == FS_USE_PREDICT && isfinite(c->error)) {
                sum += fabs(c->error);
                count++;
            }
        }
    return count == 0 ? (double)NAN : sum / (double)count;
}

/* ---- sentences ---- */

static void say_error(verdict *d) {
    const fs_validation *v = d->v;
    if (isnan(v->mean_error)) {
        say(d, "No time and no iteration count that was held out has been simulated: there is no error to "
               "report.");
        return;
    }
    const char *aim = share(d, FS_VALIDATION_AIM), *stretch = share(d, FS_VALIDATION_STRETCH);
    const char *against =
        v->mean_error <= FS_VALIDATION_STRETCH
            ? fs_arena_printf(d->arena, "within the stretch of %s, and so within the aim of %s", stretch, aim)
        : v->mean_error <= FS_VALIDATION_AIM
            ? fs_arena_printf(d->arena, "within the aim of %s, above the stretch of %s", aim, stretch)
            : fs_arena_printf(d->arena, "above the aim of %s", aim);
    say(d, fs_arena_printf(d->arena, "Times and iterations that were held out are off by %s on average: %s.",
                           share(d, v->mean_error), against));
    if (!isnan(v->mean_error_plain) && !isnan(v->mean_error_saturated))
        say(d, fs_arena_printf(d->arena,
                               "Cases in which lanes saturate (four and five columns) are off by %s, all "
                               "others by %s.",
                               share(d, v->mean_error_saturated), share(d, v->mean_error_plain)));
}

/* Mean |error| of the scored figures of one statistic; NAN. */
static double mean_error_of(const fs_validation *v, const char *figure) {
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t j = 0; j < v->cases[i].claim_count; j++) {
            const fs_claim *c = &v->cases[i].claims[j];
            if (fs_claim_scored(&v->cases[i], c) && fs_claim_there(c) && strcmp(c->figure, figure) == 0) {
                sum += fabs(c->error);
                count++;
            }
        }
    return count == 0 ? (double)NAN : sum / (double)count;
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
    const double seconds = mean_error_of(d->v, "device.seconds");
    const double iterations = mean_error_of(d->v, "device.iterations");
    if (!isnan(seconds) && !isnan(iterations))
        say(d, fs_arena_printf(d->arena, "Iterations alone are off by %s, times alone by %s. By table: %s.",
                               share(d, iterations), share(d, seconds), by_case(d, false, COUNTED)));
}

/* What was published, read otherwise. */
static void say_aside(verdict *d) {
    const double error = error_aside(d->v);
    if (!isnan(error))
        say(d, fs_arena_printf(d->arena, "Other readings, which do not count in that, are off by %s: %s.",
                               share(d, error), by_case(d, false, ASIDE)));
}

/* What fitting would change, or did. */
static void say_fit(verdict *d) {
    const fs_validation *v = d->v;
    if (isnan(v->unfitted.mean_error) || isnan(v->fitted.mean_error))
        return;
    say(d, v->fitted_by_default
               ? fs_arena_printf(d->arena, "One scalar is fitted (%s); without it they are off by %s.",
                                 v->calibration, share(d, v->unfitted.mean_error))
               : fs_arena_printf(d->arena, "Nothing is fitted in that; fitted, they would be off by %s.",
                                 share(d, v->fitted.mean_error)));
}

static void say_order(verdict *d) {
    const fs_validation *v = d->v;
    if (isnan(v->order))
        return;
    const char *each = by_case(d, true, COUNTED);
    say(d, fs_arena_printf(d->arena,
                           "Of the pairs of cells that differ by more than 2 %% in the paper, %s come out in "
                           "the published order (wanted: %s)%s%s.",
                           share(d, v->order), share(d, FS_VALIDATION_ORDER), each[0] == '\0' ? "" : ": ",
                           each));
}

static void say_within(verdict *d) {
    if (!isnan(d->v->within))
        say(d, fs_arena_printf(d->arena,
                               "%s of the published values lie within the range over the stand-in scenes.",
                               share(d, d->v->within)));
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
                               fs_words_number(d->arena, worst[k]->median, worst[k]->unit),
                               fs_words_value(d->arena, worst[k]->published, worst[k]->unit),
                               fs_words_change(d->arena, worst[k]->error));
    if (text[0] != '\0')
        say(d, fs_arena_printf(d->arena, "Farthest off: %s.", text));
}

static void say_counts(verdict *d) {
    const fs_validation *v = d->v;
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
    say_fit(&d);
    say_order(&d);
    say_within(&d);
    say_farthest(&d);
    say_counts(&d);
    *count = d.count;
    return d.sentence;
}

/* ---- scores ---- */

static const char *part_of(fs_arena *arena, size_t part, size_t whole) {
    return whole == 0 ? "–" : fs_arena_printf(arena, "%zu / %zu", part, whole);
}

const fs_score *fs_validation_scores(const fs_validation *v, fs_arena *arena, size_t *count) {
    fs_score *s = FS_NEW(arena, fs_score, 8);
    const double aside = error_aside(v);
    size_t n = 0;
    s[n++] = (fs_score){"mean error, held out", fs_words_share(arena, v->mean_error),
                        fs_arena_printf(arena, "aim %s, stretch %s", fs_words_share(arena, FS_VALIDATION_AIM),
                                        fs_words_share(arena, FS_VALIDATION_STRETCH))};
    s[n++] = (fs_score){"without saturated cases", fs_words_share(arena, v->mean_error_plain), ""};
    s[n++] = (fs_score){"saturated cases alone", fs_words_share(arena, v->mean_error_saturated), ""};
    if (!isnan(aside))
        s[n++] = (fs_score){"other readings, not counted above", fs_words_share(arena, aside), ""};
    s[n++] = (fs_score){"pairs in published order", fs_words_share(arena, v->order),
                        fs_arena_printf(arena, "wanted %s", fs_words_share(arena, FS_VALIDATION_ORDER))};
    s[n++] = (fs_score){"published within range", fs_words_share(arena, v->within), ""};
    s[n++] = (fs_score){"structure exact", part_of(arena, v->structure_exact, v->structure_count), "all"};
    s[n++] = (fs_score){"behaviours seen", part_of(arena, v->behaviour_holds, v->behaviour_count), "all"};
    *count = n;
    return s;
}
