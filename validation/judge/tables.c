/* Table by table: each table is predicted from the paper's other tables, and so is what knows nothing of the machine.
 *
 * A draw weighs as much as it gives the published figures of the other tables: a Gaussian in the relative error with the
 * stated discrepancy, FS_DISCREPANCY, and no other fit. What is predicted is the weighted draws, each with the same
 * discrepancy about it. A baseline is one number, fitted on the same tables, and that discrepancy. No figure has a part in its
 * own prediction, and none of the table that it is of in the model's. */
#include "sim/base/arith.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "validation/cases/quotient.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

enum { STEPS = 15 }; /* equal parts of the discrepancy's distribution */

/* A figure that is predicted: of a case, in a table. */
typedef struct figure {
    const fs_validation_case *c;
    fs_claim *f;
    const char *table;
} figure;

typedef struct figures {
    const fs_validation *v;
    figure *all; /* [count] */
    size_t count;
    double step[STEPS]; /* 1 + discrepancy at the middle of each part */
} figures;

static figures figures_of(const fs_validation *v) {
    figures s = {.v = v};
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t i = 0; i < v->cases[k].claim_count; i++) {
            const fs_validation_case *c = &v->cases[k];
            fs_claim *f = &v->cases[k].claims[i];
            if (!c->scored || c->left_aside || f->drawn == NULL || !fs_claim_counts(c, f) ||
                f->published == 0)
                continue;
            s.all = fs_arena_grow(v->arena, s.all, s.count, sizeof *s.all);
            s.all[s.count++] = (figure){c, f, fs_case_table(c)};
        }
    for (size_t i = 0; i < STEPS; i++)
        s.step[i] = 1 + FS_DISCREPANCY * fs_normal_quantile(((double)i + 0.5) / STEPS);
    return s;
}

/* ---- the baseline ---- */

/* What a baseline is fitted on, for which figure: all tables but its own, or (`all`) all of them. */
typedef struct fitting {
    const figures *s;
    const figure *of;
    bool all;
} fitting;

static double baseline_of(const fitting *fit, const fs_claim *f);

/* The baseline of another statistic of the same run. */
static double part_of(void *self, const char *name) {
    const fitting *fit = self;
    const fs_validation_case *c = fit->of->c;
    for (size_t i = 0; i < c->claim_count; i++)
        if (c->claims[i].relation == NULL && strcmp(c->claims[i].figure, name) == 0 &&
            c->claims[i].variant_index == fit->of->f->variant_index)
            return baseline_of(fit, &c->claims[i]);
    return (double)NAN;
}

/* The median of what figures like it leave of their work: of the other tables; of its own table alone where no other has
 * one, which is more than the model is given. NAN. */
static double constant_of(const fitting *fit, const fs_claim *f) {
    const figures *s = fit->s;
    double *left = FS_NEW(s->v->arena, double, s->count + 1);
    for (int own = 0; own < 2; own++) {
        size_t n = 0;
        for (size_t i = 0; i < s->count; i++) {
            const fs_claim *g = s->all[i].f;
            const bool other = strcmp(s->all[i].table, fit->of->table) != 0;
            if ((fit->all || (own ? !other && g != f : other)) && !isnan(g->work) &&
                strcmp(f->like, g->like) == 0)
                left[n++] = g->plus ? g->published - g->work : g->published / g->work;
        }
        if (n > 0)
            return fs_median(left, n);
    }
    return (double)NAN;
}

static double baseline_of(const fitting *fit, const fs_claim *f) {
    if (isnan(f->work) && strstr(f->figure, " / ") != NULL)
        return fs_quotient_value(f->figure, part_of, (void *)(uintptr_t)fit);
    return f->plus ? f->work + constant_of(fit, f) : f->work * constant_of(fit, f);
}

void fs_tables_baselines(fs_validation *v) {
    const figures s = figures_of(v);
    for (size_t i = 0; i < s.count; i++)
        s.all[i].f->baseline = baseline_of(&(fitting){&s, &s.all[i], true}, s.all[i].f);
}

/* ---- the draws ---- */

static bool moves(const fs_prior *p, const fs_claim *f) {
    bool on = p->on_count == 0;
    for (size_t i = 0; i < p->on_count; i++)
        on = on || strcmp(p->on[i], f->figure) == 0;
    return on;
}

/* One says something of the other: a prior, other than which stand-in it is, moves both; or the paper has no such. */
static bool linked(const fs_paper *paper, const fs_claim *a, const fs_claim *b) {
    bool any = false;
    for (size_t i = 0; i < paper->prior_count; i++) {
        const fs_prior *p = &paper->priors[i];
        const bool key = strcmp(p->u.key, FS_PRIOR_STANDIN) != 0;
        if (key && moves(p, a) && moves(p, b))
            return true;
        any = any || key;
    }
    return !any;
}

/* How well a draw gives the other tables: the logarithm of its likelihood. */
static double likelihood(const figures *s, const figure *of, size_t draw) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const figure *g = &s->all[i];
        if (strcmp(g->table, of->table) == 0 || !linked(s->v->paper, of->f, g->f))
            continue;
        const double x = g->f->drawn[draw], error = isnan(x) ? 1 : x / g->f->published - 1;
        sum -= error * error / (2 * FS_DISCREPANCY * FS_DISCREPANCY);
    }
    return sum;
}

static double *weights_of(const figures *s, const figure *of) {
    const fs_validation *v = s->v;
    double *weight = FS_NEW(v->arena, double, v->draw_count + 1), most = -INFINITY;
    for (size_t d = 0; d < v->draw_count; d++) {
        weight[d] = v->kept[d] ? likelihood(s, of, d) : -INFINITY;
        most = fmax(most, weight[d]);
    }
    for (size_t d = 0; d < v->draw_count; d++)
        weight[d] = v->kept[d] ? fs_exp(weight[d] - most) : 0;
    return weight;
}

/* A forecast: values [count], of which NAN failed, with their weights. */
static fs_held judge(const figures *s, const fs_claim *f, const double *value, const double *weight,
                     size_t count) {
    fs_weighted *sample = FS_NEW(s->v->arena, fs_weighted, STEPS * count + 1);
    const double published = f->published;
    double failed = 0, all = 0;
    for (size_t d = 0; d < count; d++) {
        const double worst = fs_failed_value(f) > 0 ? 2 * published : 0; /* all of it off */
        for (size_t i = 0; i < STEPS; i++)
            sample[d * STEPS + i] =
                (fs_weighted){isnan(value[d]) ? worst : value[d] * s->step[i], weight[d] / STEPS};
        failed += isnan(value[d]) ? weight[d] : 0;
        all += weight[d];
    }
    const double none = (double)NAN;
    if (!(2 * failed < all))
        return (fs_held){none, none, none, 1, 1, false};
    count *= STEPS;
    fs_weighted_sort(sample, count);
    fs_held h = {.median = fs_weighted_quantile(sample, count, 0.5),
                 .low = fs_weighted_quantile(sample, count, 0.1),
                 .high = fs_weighted_quantile(sample, count, 0.9),
                 .crps = fs_weighted_crps(sample, count, published) / fabs(published)};
    h.miss = fabs(h.median / published - 1);
    h.in_range = h.low <= published && published <= h.high;
    return h;
}

/* ---- scores ---- */

static void add(fs_table *t, const fs_claim *f) {
    const fs_held *h = &f->held, *b = &f->held_baseline;
    t->figures++;
    t->failed += isnan(h->median) ? 1 : 0;
    t->mean_error += h->miss;
    t->in_range += h->in_range;
    t->crps += h->crps;
    t->baseline += b->miss;
    t->baseline_in_range += b->in_range;
    t->baseline_crps += b->crps;
}

/* Sums to means; there is no baseline where it says nothing of any of the paper's figures. */
static void finish(fs_table *t, bool baseline) {
    double *const each[] = {&t->mean_error, &t->in_range,          &t->crps,
                            &t->baseline,   &t->baseline_in_range, &t->baseline_crps};
    for (size_t i = 0; i < FS_COUNT(each); i++)
        *each[i] = t->figures == 0 || (i >= 3 && !baseline) ? (double)NAN : *each[i] / (double)t->figures;
}

static fs_table *table_of(fs_table *tables, size_t *count, const char *name) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    tables[*count] = (fs_table){.name = name};
    return &tables[(*count)++];
}

void fs_tables_judge(fs_validation *v) {
    const figures s = figures_of(v);
    fs_table *tables = FS_NEW(v->arena, fs_table, v->case_count + 1);
    bool baseline = false;
    v->table_count = 0;
    v->all_tables = (fs_table){.name = NULL};
    for (size_t i = 0; i < s.count; i++) {
        fs_claim *f = s.all[i].f;
        const double guess = baseline_of(&(fitting){&s, &s.all[i], false}, f), one = 1;
        f->held = judge(&s, f, f->drawn, weights_of(&s, &s.all[i]), v->draw_count);
        f->held_baseline = judge(&s, f, &guess, &one, 1);
        baseline = baseline || !isnan(f->baseline);
        add(table_of(tables, &v->table_count, s.all[i].table), f);
        add(&v->all_tables, f);
    }
    for (size_t i = 0; i < v->table_count; i++)
        finish(&tables[i], baseline);
    finish(&v->all_tables, baseline);
    v->tables = tables;
}
