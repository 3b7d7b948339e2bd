/* What a reader wants to know beside the figures: what set the pace, and how like the scenes are. */
#include "sim/base/quantile.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

/* ---- pace ---- */

/* The stand-in whose first priced figure is the middle one of the variant's; SIZE_MAX when none ran. */
static size_t middle_standin(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant) {
    double *times = FS_NEW(v->arena, double, c->standin_count + 1);
    const char *figure = fs_paper_priced(v->paper)->figure;
    size_t best = SIZE_MAX;
    for (size_t s = 0; s < c->standin_count; s++)
        times[s] = fs_variant_value(c, variant, s, figure);
    const double median = fs_median(times, c->standin_count);
    for (size_t s = 0; s < c->standin_count; s++)
        if (isfinite(times[s]) && (best == SIZE_MAX || fabs(times[s] - median) < fabs(times[best] - median)))
            best = s;
    return best;
}

/* The figures of a list of parts. */
static double *values_of(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant,
                         size_t standin, const fs_pace_part *parts, size_t count) {
    double *values = FS_NEW(v->arena, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = fs_variant_value(c, variant, standin, parts[i].figure);
        if (parts[i].less != NULL)
            values[i] -= fs_variant_value(c, variant, standin, parts[i].less);
    }
    return values;
}

/* "garden-2: other tracers were last in 70 % of the iterations, tile 17 alone in 12 %." */
static const char *words_of(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant,
                            size_t standin, const double *shares) {
    const fs_pace_terms *terms = &v->paper->pace;
    size_t most = 0;
    for (size_t i = 1; i < terms->share_count; i++)
        most = shares[i] > shares[most] ? i : most;
    const char *words =
        fs_arena_printf(v->arena, "%s: last most often: %s, in %.0f %% of the iterations",
                        c->standins[standin]->name, terms->shares[most].name, 100 * shares[most]);
    if (terms->hottest == NULL)
        return words;
    return fs_arena_printf(v->arena, "%s; tile %.0f alone in %.0f %%", words,
                           fs_variant_value(c, variant, standin, terms->hottest),
                           100 * fs_variant_value(c, variant, standin, terms->hottest_share));
}

static fs_pace pace_of(const fs_validation *v, const fs_validation_case *c, const fs_variant *variant) {
    const fs_pace_terms *terms = &v->paper->pace;
    const size_t s = middle_standin(v, c, variant);
    const double *shares = values_of(v, c, variant, s, terms->shares, terms->share_count);
    return (fs_pace){.variant = variant->name,
                     .shares = shares,
                     .means = values_of(v, c, variant, s, terms->means, terms->mean_count),
                     .words = words_of(v, c, variant, s, shares)};
}

void fs_describe_paces(fs_validation *v) {
    for (size_t k = 0; k < v->case_count; k++) {
        fs_validation_case *c = &v->cases[k];
        c->pace_count = 0;
        if (!c->scored || v->paper->pace.share_count == 0)
            continue;
        c->paces = FS_NEW(v->arena, fs_pace, c->variant_count + 1);
        for (size_t i = 0; i < c->variant_count; i++)
            if (middle_standin(v, c, &c->variants[i]) != SIZE_MAX)
                c->paces[c->pace_count++] = pace_of(v, c, &c->variants[i]);
    }
}

/* ---- stand-ins ---- */

/* Scene statistics: what may be used to calibrate and is moved by no price. */
static bool of_scene(const fs_claim *f) {
    return f->use == FS_USE_CALIBRATE && !fs_claim_priced(f);
}

static bool of_ensemble(const fs_validation_case *c, const char *ensemble) {
    for (size_t s = 0; s < c->standin_count; s++)
        if (strcmp(c->standins[s]->ensemble, ensemble) == 0)
            return true;
    return false;
}

static double value_on(const fs_validation_case *c, const fs_claim *f, const fs_standin *standin) {
    for (size_t s = 0; s < c->standin_count; s++)
        if (c->standins[s] == standin)
            return f->simulated[s];
    return (double)NAN;
}

void fs_describe_standins(fs_validation *v) {
    for (size_t i = 0; i < v->standin_count; i++) {
        fs_standin *standin = &v->standins[i];
        size_t room = 0;
        for (size_t k = 0; k < v->case_count; k++)
            room += v->cases[k].claim_count;
        standin->likeness = FS_NEW(v->arena, fs_likeness, room + 1);
        standin->likeness_count = 0;
        for (size_t k = 0; k < v->case_count; k++)
            for (size_t n = 0; n < v->cases[k].claim_count; n++) {
                const fs_validation_case *c = &v->cases[k];
                const fs_claim *f = &c->claims[n];
                if (of_scene(f) && of_ensemble(c, standin->ensemble))
                    standin->likeness[standin->likeness_count++] =
                        (fs_likeness){f->name, f->unit, f->published, value_on(c, f, standin)};
            }
    }
}
