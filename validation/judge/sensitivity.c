/* How far uncertain parameters move what prices move: every such run priced anew at both ends of each range,
 * one parameter at a time.
 *
 * Intervals of a median take all parameters together as independent: the root of the sum of the squares of
 * what each does by itself, upwards and downwards.
 */
#include "sim/base/quantile.h"
#include "sim/robust/robust.h"
#include "sim/yaml/paths.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

/* What a parameter's end does to a claim: points of the stand-ins. */
struct fs_sensitivities {
    const fs_uncertain *parameters; /* [count] */
    size_t count;
    size_t **point; /* [claims of all cases] of those that prices move [count * 2 * standins]; else NULL */
};

/* ---- reading ---- */

static fs_status read_uncertain(const fs_validation *v, fs_sensitivities *s, fs_error *err) {
    const char *path = v->paper->uncertain == NULL
                           ? NULL
                           : fs_arena_printf(v->arena, "%s/%s", v->folder, v->paper->uncertain);
    if (path == NULL || !fs_path_is_file(path))
        return FS_OK; /* nothing is uncertain */
    return fs_uncertain_read(v->arena, path, &s->parameters, &s->count, err);
}

/* ---- points ---- */

static bool priced(const fs_validation_case *c, const fs_claim *f) {
    return c->scored && fs_claim_priced(f);
}

static fs_status add_claim(const fs_validation *v, const fs_validation_case *c, const fs_claim *f,
                           fs_sensitivities *s, fs_case_points *list, size_t *point, fs_error *err) {
    for (size_t p = 0; p < s->count; p++)
        for (int e = 0; e < 2; e++) {
            const fs_config_over over = {s->parameters[p].key, s->parameters[p].end[e]};
            const char *label =
                fs_arena_printf(v->arena, "%s, %s, %s=%s", c->name, c->variants[f->variant_index].name,
                                over.key, fs_sweep_value_text(v->arena, over.value));
            for (size_t k = 0; k < c->standin_count; k++)
                if (fs_case_points_add(list, c, c->standins[k], &c->variants[f->variant_index], &over, label,
                                       point++, err))
                    return err->status;
        }
    return FS_OK;
}

fs_status fs_sensitivities_add(const fs_validation *v, fs_case_points *list, fs_sensitivities **out,
                               fs_error *err) {
    size_t claims = 0, claim = 0;
    fs_sensitivities *s = *out = FS_NEW(v->arena, fs_sensitivities, 1);
    for (size_t i = 0; i < v->case_count; i++)
        claims += v->cases[i].claim_count;
    s->point = FS_NEW(v->arena, size_t *, claims + 1);
    if (read_uncertain(v, s, err))
        return err->status;
    for (size_t i = 0; i < v->case_count; i++)
        for (size_t k = 0; k < v->cases[i].claim_count; k++, claim++) {
            const fs_validation_case *c = &v->cases[i];
            if (!priced(c, &c->claims[k]))
                continue;
            s->point[claim] = FS_NEW(v->arena, size_t, s->count * 2 * c->standin_count + 1);
            if (add_claim(v, c, &c->claims[k], s, list, s->point[claim], err))
                return err->status;
        }
    return FS_OK;
}

/* ---- judging ---- */

/* Relative change of a claim's median at one end. */
static double change(const fs_validation *v, const fs_validation_case *c, const fs_claim *f,
                     const fs_case_points *list, const size_t *point) {
    double *values = FS_NEW(v->arena, double, c->standin_count + 1);
    double *usual = FS_NEW(v->arena, double, c->standin_count + 1);
    for (size_t k = 0; k < c->standin_count; k++) {
        values[k] = fs_case_point_value(c->paper, &list->points[point[k]], f->figure);
        usual[k] = fs_variant_value(c, &c->variants[f->variant_index], k, f->figure);
    }
    return fs_median(values, c->standin_count) / fs_median(usual, c->standin_count) - 1;
}

/* What was fitted is no longer uncertain in that way. */
static bool is_fitted(const fs_validation *v, const fs_validation_case *c, const char *key) {
    for (size_t i = 0; v->fitted_by_default && i < v->calibrated_count; i++)
        if (strcmp(v->calibrated[i].over.key, key) == 0 &&
            (v->calibrated[i].of == NULL || fs_case_is_of(c, v->calibrated[i].of)))
            return true;
    return false;
}

static void judge_claim(const fs_validation *v, const fs_validation_case *c, fs_claim *f,
                        const fs_sensitivities *s, const fs_case_points *list, const size_t *point,
                        fs_sensitivity *sums) {
    double up = 0, down = 0;
    for (size_t p = 0; p < s->count; p++) {
        const double low = change(v, c, f, list, point + 2 * p * c->standin_count);
        const double high = change(v, c, f, list, point + (2 * p + 1) * c->standin_count);
        const double most = fmax(0, fmax(low, high)), least = fmin(0, fmin(low, high));
        const bool free = !is_fitted(v, c, s->parameters[p].key);
        up += free ? most * most : 0;
        down += free ? least * least : 0;
        sums[p].at_low += low;
        sums[p].at_high += high;
    }
    f->uncertain_up = sqrt(up);
    f->uncertain_down = sqrt(down);
}

void fs_sensitivities_take(fs_validation *v, const fs_sensitivities *s, const fs_case_points *list) {
    size_t claim = 0;
    for (size_t i = 0; i < v->case_count; i++) {
        fs_validation_case *c = &v->cases[i];
        fs_sensitivity *sums = FS_NEW(v->arena, fs_sensitivity, s->count + 1);
        size_t judged = 0;
        for (size_t k = 0; k < c->claim_count; k++, claim++)
            if (s->point[claim] != NULL) {
                judge_claim(v, c, &c->claims[k], s, list, s->point[claim], sums);
                judged++;
            }
        for (size_t p = 0; p < s->count && judged > 0; p++) {
            sums[p].key = s->parameters[p].key;
            sums[p].low = fs_sweep_value_text(v->arena, s->parameters[p].end[0]);
            sums[p].high = fs_sweep_value_text(v->arena, s->parameters[p].end[1]);
            sums[p].at_low /= (double)judged;
            sums[p].at_high /= (double)judged;
        }
        c->sensitivities = sums;
        c->sensitivity_count = judged > 0 ? s->count : 0;
    }
}
