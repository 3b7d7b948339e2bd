/* Other ways to read the paper, and the other fit: cases run once more, judged like the case itself. */
#include "sim/base/quantile.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

typedef struct way {
    fs_validation_case copy;
    size_t *index; /* points */
} way;

struct fs_ways {
    way *choices; /* of all cases, in order */
    way *fits;    /* [case_count] with the other fit; NULL: nothing was fitted */
};

/* A case with further settings over each variant. */
static fs_validation_case copy_of(const fs_validation *v, const fs_validation_case *c,
                                  const fs_config_over *overs, size_t count) {
    fs_validation_case copy = *c;
    copy.variants = FS_NEW(v->arena, fs_variant, c->variant_count + 1);
    copy.claims = FS_NEW(v->arena, fs_claim, c->claim_count + 1);
    memcpy(copy.claims, c->claims, c->claim_count * sizeof *c->claims);
    for (size_t i = 0; i < c->variant_count; i++) {
        fs_variant *variant = &copy.variants[i];
        *variant = c->variants[i];
        variant->points = NULL;
        variant->failed = NULL;
        fs_config_over *all = FS_NEW(v->arena, fs_config_over, variant->over_count + count + 1);
        if (variant->over_count > 0)
            memcpy(all, variant->overs, variant->over_count * sizeof *all);
        if (count > 0)
            memcpy(all + variant->over_count, overs, count * sizeof *all);
        variant->overs = all;
        variant->over_count += count;
    }
    return copy;
}

static fs_status add_choices(const fs_validation *v, fs_case_points *list, way *next, fs_error *err) {
    for (size_t i = 0; i < v->case_count; i++) {
        const fs_validation_case *c = &v->cases[i];
        for (size_t k = 0; k < c->choice_count; k++, next++) {
            next->copy = copy_of(v, c, c->choices[k].overs, c->choices[k].over_count);
            if (fs_case_add_points(v, &next->copy, c->choices[k].name, list, &next->index, err))
                return err->status;
        }
    }
    return FS_OK;
}

static fs_status add_fits(const fs_validation *v, fs_case_points *list, way *fits, fs_error *err) {
    const char *name = v->fitted_by_default ? "unfitted" : "fitted";
    const fs_calibrated *below = list->below;
    const size_t below_count = list->below_count;
    list->below = v->calibrated;
    list->below_count = v->fitted_by_default ? 0 : v->calibrated_count;
    for (size_t i = 0; i < v->case_count; i++) {
        fits[i].copy = copy_of(v, &v->cases[i], NULL, 0);
        if (v->cases[i].scored && fs_case_add_points(v, &fits[i].copy, name, list, &fits[i].index, err))
            return err->status;
    }
    list->below = below;
    list->below_count = below_count;
    return FS_OK;
}

fs_status fs_ways_add(const fs_validation *v, fs_case_points *list, fs_ways **out, fs_error *err) {
    size_t choices = 0;
    for (size_t i = 0; i < v->case_count; i++)
        choices += v->cases[i].choice_count;
    fs_ways *ways = *out = FS_NEW(v->arena, fs_ways, 1);
    ways->choices = FS_NEW(v->arena, way, choices + 1);
    if (v->calibrated_count > 0)
        ways->fits = FS_NEW(v->arena, way, v->case_count + 1);
    if (add_choices(v, list, ways->choices, err))
        return err->status;
    return ways->fits == NULL ? FS_OK : add_fits(v, list, ways->fits, err);
}

/* Mean relative change of the medians that prices move. */
static double change_of(const fs_validation *v, const fs_validation_case *c,
                        const fs_validation_case *other) {
    double sum = 0, count = 0;
    double *a = FS_NEW(v->arena, double, c->standin_count + 1);
    double *b = FS_NEW(v->arena, double, c->standin_count + 1);
    for (size_t i = 0; i < c->claim_count; i++) {
        const fs_claim *f = &c->claims[i];
        if (!fs_claim_priced(f))
            continue;
        for (size_t s = 0; s < c->standin_count; s++) {
            a[s] = fs_variant_value(c, &c->variants[f->variant_index], s, f->figure);
            b[s] = fs_variant_value(other, &other->variants[f->variant_index], s, f->figure);
        }
        const double change = fs_median(b, c->standin_count) / fs_median(a, c->standin_count) - 1;
        if (!isfinite(change))
            continue;
        sum += change;
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

void fs_ways_take(fs_validation *v, const fs_ways *ways, const fs_case_points *list) {
    way *next = ways->choices;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].choice_count; k++, next++) {
            fs_choice *choice = &v->cases[i].choices[k];
            fs_case_take_points(v, &next->copy, list, next->index);
            fs_case_judge(v, &next->copy, v->fitted_by_default);
            choice->mean_error = next->copy.mean_error;
            choice->mean_change = change_of(v, &v->cases[i], &next->copy);
        }
    if (ways->fits == NULL)
        return;
    fs_validation_case *cases = FS_NEW(v->arena, fs_validation_case, v->case_count + 1);
    for (size_t i = 0; i < v->case_count; i++) {
        cases[i] = ways->fits[i].copy;
        if (cases[i].scored)
            fs_case_take_points(v, &cases[i], list, ways->fits[i].index);
        fs_case_judge(v, &cases[i], !v->fitted_by_default);
        for (size_t k = 0; cases[i].scored && k < cases[i].claim_count; k++) {
            v->cases[i].claims[k].other = cases[i].claims[k].median;
            v->cases[i].claims[k].other_error = cases[i].claims[k].error;
        }
    }
    *(v->fitted_by_default ? &v->unfitted : &v->fitted) = fs_scores_of(cases, v->case_count);
}
