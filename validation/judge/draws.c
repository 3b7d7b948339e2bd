/* Draws of what no source fixes: the scored figures at each, as points of the sweep; those that contradict what was
 * published; and how the figures move with each prior. */
#include "sim/base/quantile.h"
#include "sim/base/rng.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

struct fs_draws {
    size_t count;
    const double *place; /* [count][priors of the paper] */
    size_t **point;      /* [variants of all cases] points [count]; NULL: it is not drawn */
};

/* ---- what is drawn ---- */

static bool is_drawn(const fs_validation_case *c, const fs_claim *f) {
    return c->scored && !c->left_aside && f->use == FS_USE_PREDICT && f->relation == NULL;
}

static bool variant_drawn(const fs_validation_case *c, size_t variant) {
    for (size_t i = 0; i < c->claim_count; i++)
        if (is_drawn(c, &c->claims[i]) && c->claims[i].variant_index == variant)
            return true;
    return false;
}

static bool is_standin(const fs_prior *p) {
    return strcmp(p->u.key, FS_PRIOR_STANDIN) == 0;
}

static bool is_of(const fs_prior *p, const fs_validation_case *c) {
    bool of = p->case_count == 0;
    for (size_t i = 0; i < p->case_count; i++)
        of = of || fs_case_is_of(c, p->cases[i]);
    return of;
}

/* What a case's runs are set to at a draw: settings, and which stand-in. */
typedef struct setting {
    fs_config_over *overs; /* [count] */
    size_t count;
    const fs_standin *standin;
} setting;

static void add_overs(fs_arena *arena, setting *s, const fs_config_over *overs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        s->overs = fs_arena_grow(arena, s->overs, s->count, sizeof *s->overs);
        s->overs[s->count++] = overs[i];
    }
}

static setting setting_of(const fs_validation *v, const fs_validation_case *c, const fs_draws *d,
                          size_t draw) {
    static const fs_source none = {.name = "priors", .dir = "", .real = ""};
    const fs_mark mark = {.source = &none};
    const fs_paper *paper = v->paper;
    setting s = {.standin = c->standins[draw % c->standin_count]};
    for (size_t p = 0; p < paper->prior_count; p++) {
        const fs_prior *prior = &paper->priors[p];
        const double place = d->place[draw * paper->prior_count + p];
        if (is_standin(prior))
            s.standin = c->standins[(size_t)(place * (double)c->standin_count)];
        else if (is_of(prior, c) && prior->u.kind == FS_PRIOR_LIST) {
            const fs_prior_value *value = &prior->values[fs_uncertain_value(&prior->u, place)];
            add_overs(v->arena, &s, value->overs, value->count);
        } else if (is_of(prior, c)) {
            const char *text = fs_uncertain_at(v->arena, &prior->u, place);
            const fs_config_over one = {prior->u.key, fs_tree_scalar(v->arena, mark, text)};
            add_overs(v->arena, &s, &one, 1);
        }
    }
    return s;
}

static fs_status add_case(const fs_validation *v, const fs_validation_case *c, fs_case_points *list,
                          const fs_draws *d, size_t **point, fs_error *err) {
    for (size_t i = 0; i < c->variant_count; i++)
        point[i] = variant_drawn(c, i) ? FS_NEW(v->arena, size_t, d->count) : NULL;
    for (size_t draw = 0; draw < d->count; draw++) {
        const setting s = setting_of(v, c, d, draw);
        for (size_t i = 0; i < c->variant_count; i++) {
            const char *label =
                fs_arena_printf(v->arena, "%s, %s, draw %zu", c->name, c->variants[i].name, draw + 1);
            if (point[i] != NULL && fs_case_points_add(list, s.standin, &c->variants[i], s.overs, s.count,
                                                       label, &point[i][draw], err))
                return err->status;
        }
    }
    return FS_OK;
}

fs_status fs_draws_add(fs_validation *v, fs_case_points *list, fs_draws **out, fs_error *err) {
    const fs_paper *paper = v->paper;
    size_t variants = 0;
    if (paper->prior_count == 0)
        return FS_OK;
    for (size_t i = 0; i < v->case_count; i++)
        variants += v->cases[i].variant_count;
    fs_draws *d = *out = FS_NEW(v->arena, fs_draws, 1);
    double *place = FS_NEW(v->arena, double, (size_t)paper->draws * paper->prior_count + 1);
    fs_hypercube(v->arena, fs_rng_stream((uint64_t)paper->seed, "validation/draws"), paper->prior_count,
                 (size_t)paper->draws, place);
    *d = (fs_draws){(size_t)paper->draws, place, FS_NEW(v->arena, size_t *, variants + 1)};
    size_t **next = d->point;
    for (size_t i = 0; i < v->case_count; next += v->cases[i++].variant_count)
        if (add_case(v, &v->cases[i], list, d, next, err))
            return err->status;
    return FS_OK;
}

/* ---- no figure predicts itself ---- */

static bool same_run(const fs_validation_case *a, const fs_claim *f, const size_t *of_a,
                     const fs_validation_case *b, const fs_claim *g, const size_t *of_b) {
    for (size_t i = 0; i < a->standin_count; i++)
        for (size_t k = 0; k < b->standin_count; k++)
            if (of_a[f->variant_index * a->standin_count + i] ==
                of_b[g->variant_index * b->standin_count + k])
                return strcmp(f->figure, g->figure) == 0;
    return false;
}

static fs_status check_claim(const fs_validation *v, size_t *const *index, size_t c, const fs_claim *f,
                             fs_error *err) {
    const fs_validation_case *a = &v->cases[c];
    for (size_t o = 0; o < c; o++) {
        const fs_validation_case *b = &v->cases[o];
        for (size_t i = 0; i < b->claim_count && strcmp(fs_case_table(a), fs_case_table(b)) != 0; i++) {
            const fs_claim *g = &b->claims[i];
            if (is_drawn(b, g) && !g->again && same_run(a, f, index[c], b, g, index[o]))
                return fs_fail(err, FS_INPUT,
                               "%s: figure \"%s\" is the same run as \"%s\" of %s, by which it would be "
                               "predicted: expected its value in `again` of the axis",
                               a->path, f->name, g->name, b->path);
        }
    }
    return FS_OK;
}

fs_status fs_draws_check(const fs_validation *v, size_t *const *index, fs_error *err) {
    for (size_t c = 0; c < v->case_count; c++)
        for (size_t i = 0; i < v->cases[c].claim_count; i++) {
            const fs_claim *f = &v->cases[c].claims[i];
            if (is_drawn(&v->cases[c], f) && !f->again && check_claim(v, index, c, f, err))
                return err->status;
        }
    return FS_OK;
}

/* ---- what came out ---- */

static double value_of(const fs_paper *paper, const fs_store_point *p, const char *figure) {
    return strcmp(p->status, "done") == 0 ? fs_case_point_value(paper, p, figure) : (double)NAN;
}

/* The mean of a case's priced figures at a draw, each over its mean of all draws, less 1; NAN. */
static double change_at(const fs_validation *v, const fs_validation_case *c, size_t draw) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < c->claim_count; i++) {
        const fs_claim *f = &c->claims[i];
        double all = 0, n = 0;
        if (f->drawn == NULL || !fs_claim_priced(f))
            continue;
        for (size_t d = 0; d < v->draw_count; d++) {
            all += isnan(f->drawn[d]) ? 0 : f->drawn[d];
            n += isnan(f->drawn[d]) ? 0 : 1;
        }
        if (n > 0 && all > 0) {
            sum += f->drawn[draw] / (all / n) - 1;
            count++;
        }
    }
    return count > 0 ? sum / count : (double)NAN;
}

/* Solves for x in place: `rows` equations of as many unknowns and the right side [rows][rows + 1], positive definite. */
static void eliminate(double *a, size_t rows, double *x) {
    const size_t wide = rows + 1;
    for (size_t p = 0; p < rows; p++)
        for (size_t r = p + 1; r < rows; r++) {
            const double factor = a[r * wide + p] / a[p * wide + p];
            for (size_t k = p; k < wide; k++)
                a[r * wide + k] -= factor * a[p * wide + k];
        }
    for (size_t p = rows; p-- > 0;) {
        x[p] = a[p * wide + rows];
        for (size_t k = p + 1; k < rows; k++)
            x[p] -= a[p * wide + k] * x[k];
        x[p] /= a[p * wide + p];
    }
}

/* By how much a case's priced figures change over the whole of each prior: least squares, linear in all of their places.
 * slope: [priors + 1]; false: too few draws. */
static bool slopes_of(const fs_validation *v, const fs_validation_case *c, const fs_draws *d, double *slope) {
    const size_t rows = v->paper->prior_count + 1, wide = rows + 1;
    double *a = FS_NEW(v->arena, double, rows *wide), *row = FS_NEW(v->arena, double, wide);
    size_t used = 0;
    for (size_t draw = 0; draw < d->count; draw++) {
        row[rows - 1] = 1;
        row[rows] = change_at(v, c, draw);
        for (size_t p = 0; p + 1 < rows; p++)
            row[p] = d->place[draw * (rows - 1) + p] - 0.5;
        used += isnan(row[rows]) ? 0 : 1;
        for (size_t i = 0; i < rows * wide && !isnan(row[rows]); i++)
            a[i] += row[i / wide] * row[i % wide];
    }
    if (used > rows)
        eliminate(a, rows, slope);
    return used > rows;
}

static void add_sensitivities(const fs_validation *v, fs_validation_case *c, const fs_draws *d) {
    double *slope = FS_NEW(v->arena, double, v->paper->prior_count + 1);
    c->sensitivities = FS_NEW(v->arena, fs_sensitivity, v->paper->prior_count + 1);
    c->sensitivity_count = 0;
    if (!slopes_of(v, c, d, slope))
        return;
    for (size_t p = 0; p < v->paper->prior_count; p++) {
        const fs_prior *prior = &v->paper->priors[p];
        if (is_of(prior, c) && !is_standin(prior))
            c->sensitivities[c->sensitivity_count++] =
                (fs_sensitivity){prior->u.key, fs_prior_end(v->arena, prior, false),
                                 fs_prior_end(v->arena, prior, true), -slope[p] / 2, slope[p] / 2};
    }
}

void fs_draws_take(fs_validation *v, const fs_draws *d, const fs_case_points *list) {
    size_t **next = d->point;
    for (size_t k = 0; k < v->case_count; next += v->cases[k++].variant_count) {
        fs_validation_case *c = &v->cases[k];
        for (size_t i = 0; i < c->claim_count; i++) {
            fs_claim *f = &c->claims[i];
            if (!is_drawn(c, f))
                continue;
            double *values = FS_NEW(v->arena, double, d->count);
            for (size_t draw = 0; draw < d->count; draw++)
                values[draw] = value_of(v->paper, &list->points[next[f->variant_index][draw]], f->figure);
            f->drawn = values;
        }
    }
    v->draw_count = d->count;
    v->drawn = true;
    for (size_t k = 0; k < v->case_count; k++)
        if (v->cases[k].scored && !v->cases[k].left_aside)
            add_sensitivities(v, &v->cases[k], d);
}

void fs_draws_of_standins(fs_validation *v) {
    v->draw_count = 0;
    for (size_t k = 0; k < v->case_count; k++)
        if (v->draw_count < v->cases[k].standin_count)
            v->draw_count = v->cases[k].standin_count;
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t i = 0; i < v->cases[k].claim_count; i++) {
            const fs_validation_case *c = &v->cases[k];
            fs_claim *f = &v->cases[k].claims[i];
            const fs_variant *variant = f->relation == NULL ? &c->variants[f->variant_index] : NULL;
            f->drawn = NULL;
            if (!is_drawn(c, f) || variant->points == NULL || c->standin_count == 0)
                continue;
            double *values = FS_NEW(v->arena, double, v->draw_count);
            for (size_t d = 0; d < v->draw_count; d++) {
                const fs_store_point *p = variant->points[d % c->standin_count];
                values[d] = p == NULL ? (double)NAN : fs_case_point_value(v->paper, p, f->figure);
            }
            f->drawn = values;
        }
}

void fs_draws_keep(fs_validation *v) {
    size_t *failed = FS_NEW(v->arena, size_t, v->draw_count + 1), least = SIZE_MAX;
    bool *kept = FS_NEW(v->arena, bool, v->draw_count + 1);
    for (size_t d = 0; d < v->draw_count; d++) {
        for (size_t k = 0; k < v->case_count; k++)
            for (size_t i = 0; i < v->cases[k].claim_count; i++) {
                const fs_claim *f = &v->cases[k].claims[i];
                failed[d] += f->drawn != NULL && !f->again && isnan(f->drawn[d]);
            }
        least = failed[d] < least ? failed[d] : least;
    }
    v->kept_count = 0;
    for (size_t d = 0; d < v->draw_count; d++) {
        kept[d] = !v->drawn || failed[d] == least;
        v->kept_count += kept[d];
    }
    v->kept = kept;
}

double fs_failed_value(const fs_claim *f) {
    return f->measured != NULL && f->measured->more ? 0 : (double)INFINITY;
}

void fs_claim_spread(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    fs_weighted *sample = FS_NEW(v->arena, fs_weighted, v->draw_count + 1);
    size_t failed = 0, runs_failed = 0;
    for (size_t d = 0; d < v->draw_count; d++) {
        const bool none = isnan(f->drawn[d]);
        sample[d] = (fs_weighted){none ? fs_failed_value(f) : f->drawn[d], v->kept[d]};
        failed += none && v->kept[d];
    }
    for (size_t s = 0; s < c->standin_count; s++)
        runs_failed += c->variants[f->variant_index].points[s] == NULL;
    fs_weighted_sort(sample, v->draw_count);
    const bool mostly = failed > 0 && 2 * failed >= v->kept_count;
    f->failed = mostly && (failed < v->kept_count || runs_failed > 0);
    f->median = mostly ? (double)NAN : fs_weighted_quantile(sample, v->draw_count, 0.5);
    for (size_t d = 0; d < v->draw_count; d++)
        if (sample[d].value == fs_failed_value(f))
            sample[d].weight = 0; /* the range is that of the values */
    f->low = fs_weighted_quantile(sample, v->draw_count, 0.1);
    f->high = fs_weighted_quantile(sample, v->draw_count, 0.9);
}
