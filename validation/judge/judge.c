/* From runs to verdicts: medians, ranges, errors, orders of pairs, relations, scores. */
#include "sim/base/quantile.h"
#include "validation/cases/words.h"
#include "validation/judge/private.h"

#include <math.h>
#include <string.h>

/* Of a variant's stand-ins, those whose run failed. */
static size_t failed_of(const fs_validation_case *c, const fs_variant *variant) {
    size_t failed = 0;
    for (size_t s = 0; variant->points != NULL && s < c->standin_count; s++)
        failed += variant->points[s] == NULL;
    return failed;
}

/* So many stand-ins failed that the middle one of all may be among them. */
static bool mostly_failed(const fs_validation_case *c, const fs_variant *variant) {
    const size_t failed = failed_of(c, variant);
    return failed > 0 && 2 * failed >= c->standin_count;
}

/* Median and range over the stand-ins. */
static void spread(fs_claim *f, size_t standins) {
    f->median = fs_median(f->simulated, standins);
    f->low = f->high = (double)NAN;
    for (size_t s = 0; s < standins; s++) {
        const double x = f->simulated[s];
        if (!isfinite(x))
            continue;
        f->low = !(f->low <= x) ? x : f->low;
        f->high = !(f->high >= x) ? x : f->high;
    }
}

static void judge_figure(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    for (size_t s = 0; s < c->standin_count; s++)
        f->simulated[s] = fs_variant_value(c, &c->variants[f->variant_index], s, f->figure);
    if (f->drawn != NULL)
        fs_claim_spread(v, c, f);
    else {
        spread(f, c->standin_count);
        f->failed = mostly_failed(c, &c->variants[f->variant_index]);
    }
    if (f->failed)
        f->median = (double)NAN;
    f->error = f->published != 0 ? f->median / f->published - 1 : f->median == 0 ? 0 : (double)INFINITY;
    if (!isfinite(f->median))
        f->error = (double)NAN;
    f->missing = isfinite(f->median) ? NULL : c->variants[f->variant_index].failed;
    if (!isfinite(f->median) && f->missing == NULL)
        f->missing = "the runs have no such figure";
    f->within = f->low <= f->published && f->published <= f->high;
    f->reached = fabs(f->error) <= f->tolerance;
    if (f->use == FS_USE_STRUCTURE && f->tolerance == 0) /* on every stand-in */
        f->reached = f->low == f->published && f->high == f->published;
}

/* ---- relations ---- */

static double term_value(const fs_validation_case *c, const fs_term *term, size_t standin) {
    double sum = 0;
    for (size_t i = 0; i < term->count; i++)
        sum += fs_variant_value(c, &c->variants[term->variant], standin, term->figures[i]);
    return sum;
}

/* Whether a relation holds on a stand-in; *value is the factor that says by how much. */
static bool holds(const fs_validation_case *c, const fs_relation *r, size_t standin, double *value) {
    const double first = term_value(c, &r->terms[0], standin);
    double last = r->count > 1 ? term_value(c, &r->terms[r->count - 1], standin) : first;
    if (r->kind == FS_RELATION_ABOVE) {
        *value = first;
        return first > r->factor && first <= r->most;
    }
    if (r->kind == FS_RELATION_SMALLER) {
        *value = last / first;
        if (isfinite(r->most))
            return last >= r->factor * first && last <= r->most * first;
        return r->factor == 1 ? last > first : last >= r->factor * first;
    }
    *value = first / last;
    bool falling = last < first;
    double before = first, step = 0, first_step = 0;
    for (size_t i = 1; i < r->count; i++) {
        const double now = term_value(c, &r->terms[i], standin);
        falling = falling && now <= before;
        step = before - now;
        first_step = i == 1 ? step : first_step;
        before = now;
    }
    return falling && (!r->flattens || step < first_step);
}

static size_t smallest(const double *values, size_t count) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && (best == SIZE_MAX || values[i] < values[best]))
            best = i;
    return best;
}

/* Steps from the published best to the best of `values`. */
static double steps(const fs_relation *r, const double *values) {
    const size_t found = smallest(values, r->count);
    return found == SIZE_MAX ? (double)NAN : (double)found - (double)smallest(r->published, r->count);
}

/* The median of a variant's figure; NAN. */
static double median_of(const fs_validation_case *c, const fs_term *term) {
    for (size_t i = 0; i < c->claim_count; i++)
        if (c->claims[i].relation == NULL && c->claims[i].variant_index == term->variant &&
            strcmp(c->claims[i].figure, term->figures[0]) == 0)
            return c->claims[i].median;
    return (double)NAN;
}

/* By the medians; the range is that of the stand-ins by themselves. */
static void judge_best(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    const fs_relation *r = f->relation;
    double *values = FS_NEW(v->arena, double, r->count), *medians = FS_NEW(v->arena, double, r->count);
    for (size_t s = 0; s < c->standin_count; s++) {
        for (size_t i = 0; i < r->count; i++)
            values[i] = term_value(c, &r->terms[i], s);
        f->simulated[s] = steps(r, values);
    }
    spread(f, c->standin_count);
    for (size_t i = 0; i < r->count; i++)
        medians[i] = median_of(c, &r->terms[i]);
    f->median = fabs(steps(r, medians));
    f->reached = f->median <= r->factor;
    const size_t best = smallest(medians, r->count);
    f->words = best == SIZE_MAX
                   ? "no value"
                   : fs_arena_printf(v->arena, "published %s; simulated %s",
                                     c->variants[r->terms[smallest(r->published, r->count)].variant].name,
                                     c->variants[r->terms[best].variant].name);
}

/* The paper says that this variant fails; `words` keeps the reason. */
static void judge_fails(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    const fs_variant *variant = &c->variants[f->relation->terms[0].variant];
    const size_t failed = failed_of(c, variant);
    for (size_t s = 0; s < c->standin_count; s++)
        f->simulated[s] = variant->points != NULL && variant->points[s] == NULL ? 1 : 0;
    f->reached = failed == c->standin_count;
    const char *why = variant->failed == NULL ? "it runs" : variant->failed;
    f->words = fs_arena_printf(v->arena, "fails on %zu of %zu: %.*s", failed, c->standin_count,
                               (int)strcspn(why, "\n"), why);
}

/* What each variant of a relation gave by itself: there is a chart of it. */
static void spell_out(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    const fs_relation *r = f->relation;
    fs_claim *steps = FS_NEW(v->arena, fs_claim, r->count);
    const double none = (double)NAN;
    for (size_t i = 0; i < r->count; i++) {
        const fs_variant *variant = &c->variants[r->terms[i].variant];
        steps[i] = (fs_claim){.name = variant->name,
                              .variant = variant->name,
                              .figure = f->figure,
                              .unit = f->unit,
                              .use = FS_USE_BEHAVIOUR,
                              .source = f->source,
                              .published = none,
                              .error = none,
                              .saturated = variant->saturated,
                              .simulated = FS_NEW(v->arena, double, c->standin_count + 1)};
        for (size_t s = 0; s < c->standin_count; s++)
            steps[i].simulated[s] = term_value(c, &r->terms[i], s);
        spread(&steps[i], c->standin_count);
        steps[i].missing = isfinite(steps[i].median) ? NULL : variant->failed;
    }
    f->steps = steps;
    f->step_count = r->count;
}

static void judge_relation(const fs_validation *v, const fs_validation_case *c, fs_claim *f) {
    size_t good = 0;
    if (f->relation->kind == FS_RELATION_BEST) {
        judge_best(v, c, f);
        return;
    }
    if (f->relation->kind == FS_RELATION_FAILS) {
        judge_fails(v, c, f);
        return;
    }
    for (size_t s = 0; s < c->standin_count; s++)
        good += holds(c, f->relation, s, &f->simulated[s]);
    spread(f, c->standin_count);
    f->reached = good == c->standin_count;
    if (f->relation->kind == FS_RELATION_FALLS)
        spell_out(v, c, f);
    const char *times = f->relation->kind == FS_RELATION_ABOVE ? f->unit : "times";
    const char *most =
        !isfinite(f->relation->most)
            ? ""
            : fs_arena_printf(v->arena, ", at most %s wanted", fs_words_number(v->arena, f->relation->most));
    f->words =
        fs_arena_printf(v->arena, "%s%s%s%s; holds on %zu of %zu", fs_words_number(v->arena, f->median),
                        times[0] == '\0' ? "" : " ", times, most, good, c->standin_count);
}

/* ---- orders ---- */

typedef struct pairs {
    size_t all, right;
    size_t ranked, ranked_right; /* those that a baseline has an order of */
} pairs;

static bool in_order(bool less, double a, double b) {
    return isfinite(a) && isfinite(b) && less == (a < b) && (a < b || a > b);
}

/* What is put in order of a case: its own figures, or (`fresh`) no pair of which another table has both. */
static bool is_pair(const fs_validation_case *c, const fs_claim *a, const fs_claim *b, bool fresh) {
    if (a->relation != NULL || b->relation != NULL || strcmp(a->figure, c->order_of) != 0 ||
        strcmp(b->figure, c->order_of) != 0)
        return false;
    const double less = a->published < b->published ? a->published : b->published;
    return fabs(a->published - b->published) > FS_PAIR_DIFFERENCE * less && !(fresh && a->again && b->again);
}

static void count_pair(const fs_validation_case *c, const fs_claim *a, const fs_claim *b, bool fresh,
                       pairs *p) {
    if (!is_pair(c, a, b, fresh))
        return;
    const bool less = a->published < b->published, ranked = isfinite(a->rank) && isfinite(b->rank);
    p->all++;
    p->right += in_order(less, a->median, b->median);
    p->ranked += ranked;
    p->ranked_right += ranked && in_order(less, a->rank, b->rank);
}

/* Published pairs that differ by more than FS_PAIR_DIFFERENCE, and those of them in the same order here. */
static pairs pairs_of(const fs_validation_case *c, bool fresh) {
    pairs p = {0};
    for (size_t i = 0; c->order_of != NULL && i < c->claim_count; i++)
        for (size_t k = i + 1; k < c->claim_count; k++)
            count_pair(c, &c->claims[i], &c->claims[k], fresh, &p);
    return p;
}

/* The pairs of which a case has one, and a case before it, of the same table, the other. */
static void add_pairs_between(const fs_validation_case *cases, size_t k, pairs *p) {
    const fs_validation_case *c = &cases[k];
    for (size_t j = 0; c->table != NULL && c->order_of != NULL && j < k; j++) {
        const bool same = cases[j].table != NULL && cases[j].order_of != NULL &&
                          strcmp(cases[j].table, c->table) == 0 &&
                          strcmp(cases[j].order_of, c->order_of) == 0;
        if (!same)
            continue;
        for (size_t i = 0; i < cases[j].claim_count * c->claim_count; i++)
            count_pair(c, &cases[j].claims[i / c->claim_count], &c->claims[i % c->claim_count], true, p);
    }
}

static double share(size_t part, size_t whole) {
    return whole == 0 ? (double)NAN : (double)part / (double)whole;
}

/* ---- scores ---- */

typedef struct sum {
    double sum;
    size_t count;
} sum;

static void add(sum *s, double value) {
    if (!isfinite(value))
        return;
    s->sum += value;
    s->count++;
}

static double mean(const sum *s) {
    return s->count == 0 ? (double)NAN : s->sum / (double)s->count;
}

bool fs_claim_counts(const fs_validation_case *c, const fs_claim *f) {
    return f->use == FS_USE_PREDICT && !f->again && c->variants[f->variant_index].points != NULL;
}

static void score_case(fs_validation_case *c) {
    sum errors = {0};
    const pairs p = pairs_of(c, false);
    for (size_t i = 0; i < c->claim_count; i++)
        if (fs_claim_counts(c, &c->claims[i]))
            add(&errors, fs_claim_miss(&c->claims[i]));
    c->mean_error = mean(&errors);
    c->order = share(p.right, p.all);
}

bool fs_claim_priced(const fs_claim *claim) {
    return claim->relation == NULL && claim->measured != NULL && claim->measured->priced;
}

/* Whether other cases are scored, so that those aside are not. */
static bool has_main(const fs_validation_case *cases, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (cases[k].scored && !cases[k].aside)
            return true;
    return false;
}

static fs_scores scores_of(const fs_validation *v, const fs_validation_case *cases, size_t count) {
    sum all = {0}, plain = {0}, saturated = {0}, baseline = {0};
    bool has_baseline = false;
    fs_scores s = {0};
    pairs order = {0};
    const bool leave_aside = has_main(cases, count);
    for (size_t k = 0; k < count; k++) {
        const fs_validation_case *c = &cases[k];
        if (c->aside && leave_aside)
            continue;
        pairs p = pairs_of(c, true);
        add_pairs_between(cases, k, &p);
        order.all += p.all;
        order.right += p.right;
        order.ranked += p.ranked;
        order.ranked_right += p.ranked_right;
        for (size_t i = 0; i < c->claim_count; i++) {
            const fs_claim *f = &c->claims[i];
            if (!c->scored || !fs_claim_counts(c, f))
                continue;
            const bool guessed = isfinite(f->baseline), ranged = v->drawn && f->low < f->high;
            s.predicted++;
            s.failed += isfinite(f->error) ? 0 : 1;
            s.ranged += ranged;
            s.in_range += ranged && f->within;
            has_baseline = has_baseline || guessed;
            add(&baseline, guessed ? fabs(f->baseline / f->published - 1) : 1);
            add(&all, fs_claim_miss(f));
            add(f->saturated ? &saturated : &plain, fs_claim_miss(f));
        }
    }
    s.mean_error = mean(&all);
    s.mean_error_plain = mean(&plain);
    s.mean_error_saturated = mean(&saturated);
    s.pairs = order.all;
    s.pairs_right = order.right;
    s.order = share(order.right, order.all);
    s.baseline_error = has_baseline ? mean(&baseline) : (double)NAN;
    s.baseline_order = share(order.ranked_right, order.ranked);
    return s;
}

static void count_claims(fs_validation *v) {
    v->structure_count = v->structure_exact = v->behaviour_count = v->behaviour_holds = 0;
    v->compared = v->scores.pairs;
    v->compared_right = v->scores.pairs_right;
    for (size_t k = 0; k < v->case_count; k++)
        for (size_t i = 0; i < v->cases[k].claim_count; i++) {
            const fs_claim *f = &v->cases[k].claims[i];
            const fs_relation_kind kind = f->relation == NULL ? FS_RELATION_ABOVE : f->relation->kind;
            const bool between =
                kind == FS_RELATION_SMALLER || kind == FS_RELATION_FALLS || kind == FS_RELATION_BEST;
            v->structure_count += f->use == FS_USE_STRUCTURE;
            v->structure_exact += f->use == FS_USE_STRUCTURE && f->reached;
            v->behaviour_count += f->use == FS_USE_BEHAVIOUR;
            v->behaviour_holds += f->use == FS_USE_BEHAVIOUR && f->reached;
            v->compared += between && !v->cases[k].left_aside;
            v->compared_right += between && !v->cases[k].left_aside && f->reached;
        }
}

/* Claims, order and mean error of one case; a relation looks at figures. */
static void judge_case(const fs_validation *v, fs_validation_case *c) {
    for (int relations = 0; relations < 2; relations++)
        for (size_t i = 0; i < c->claim_count; i++) {
            fs_claim *f = &c->claims[i];
            if ((f->relation != NULL) != (relations == 1))
                continue;
            f->simulated = FS_NEW(v->arena, double, c->standin_count + 1);
            if (f->relation != NULL)
                judge_relation(v, c, f);
            else
                judge_figure(v, c, f);
        }
    score_case(c);
}

/* The scores of each reading, as if its cases were the paper's only ones. */
static void score_readings(fs_validation *v) {
    fs_reading *readings = FS_NEW(v->arena, fs_reading, v->case_count + 1);
    fs_validation_case *alike = FS_NEW(v->arena, fs_validation_case, v->case_count + 1);
    v->readings = readings;
    v->reading_count = 0;
    for (size_t k = 0; k < v->case_count; k++) {
        const char *name = v->cases[k].left_aside ? v->cases[k].reading : NULL;
        bool known = name == NULL;
        for (size_t r = 0; r < v->reading_count && !known; r++)
            known = strcmp(readings[r].name, name) == 0;
        if (known)
            continue;
        size_t count = 0;
        for (size_t i = k; i < v->case_count; i++)
            if (v->cases[i].reading != NULL && strcmp(v->cases[i].reading, name) == 0)
                alike[count++] = v->cases[i];
        readings[v->reading_count++] = (fs_reading){name, scores_of(v, alike, count)};
    }
}

void fs_leave_aside(fs_validation *v) {
    const bool leave_aside = has_main(v->cases, v->case_count);
    for (size_t k = 0; k < v->case_count; k++)
        v->cases[k].left_aside = v->cases[k].aside && leave_aside;
}

void fs_validation_judge(fs_validation *v) {
    fs_leave_aside(v);
    if (!v->drawn)
        fs_draws_of_standins(v);
    fs_draws_keep(v);
    fs_tables_baselines(v);
    for (size_t k = 0; k < v->case_count; k++)
        judge_case(v, &v->cases[k]);
    score_readings(v);
    v->scores = scores_of(v, v->cases, v->case_count);
    count_claims(v);
    fs_tables_judge(v);
    fs_describe_paces(v);
    fs_describe_standins(v);
}
