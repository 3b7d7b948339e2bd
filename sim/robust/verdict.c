/* What the draws do to the order of the points. */
#include "sim/robust/robust.h"

#include <math.h>
#include <stdlib.h>

static bool better(const fs_robust_cases *c, double a, double b) {
    return c->larger ? a > b : a < b;
}

double fs_robust_regret(bool larger, double value, double best) {
    const double worse = larger ? best - value : value - best;
    return worse > 0 && fabs(best) > 0 ? worse / fabs(best) : 0;
}

/* The best of some values; the first of equal ones. */
static size_t best_of(const fs_robust_cases *c, const double *value) {
    size_t best = SIZE_MAX;
    for (size_t p = 0; p < c->points; p++)
        if (!isnan(value[p]) && (best == SIZE_MAX || better(c, value[p], value[best])))
            best = p;
    return best;
}

static bool is_at(const fs_robust_cases *c, size_t draw, size_t point) {
    return (draw < c->first || c->within == NULL || c->within[point]) &&
           (c->failed == NULL || !c->failed[draw * c->points + point]);
}

static void add_draw(const fs_robust_cases *c, size_t draw, double best, fs_robust_point *point) {
    const double *value = c->value + draw * c->points;
    for (size_t p = 0; p < c->points; p++) {
        fs_robust_point *q = &point[p];
        if (!is_at(c, draw, p))
            continue;
        q->draws++;
        if (isnan(value[p])) {
            q->infeasible++;
            continue;
        }
        const double regret = fs_robust_regret(c->larger, value[p], best);
        q->best += !better(c, best, value[p]);
        q->low = value[p] < q->low ? value[p] : q->low;
        q->high = value[p] > q->high ? value[p] : q->high;
        q->regret_mean += regret; /* a sum until all are in */
        q->regret_most = regret > q->regret_most ? regret : q->regret_most;
    }
}

/* How near a point comes to the best. */
static double nearest(const fs_robust_cases *c, size_t point) {
    double least = (double)INFINITY;
    for (size_t d = 0; d <= c->first; d++) {
        const double *value = d == c->first ? c->nominal : c->value + d * c->points;
        const size_t best = best_of(c, value);
        if (isnan(value[point]) || best == SIZE_MAX)
            continue;
        const double regret = fs_robust_regret(c->larger, value[point], value[best]);
        least = regret < least ? regret : least;
    }
    return least;
}

void fs_robust_reach(const fs_robust_cases *c, size_t count, bool *within) {
    double *near = fs_calloc(c->points + 1, sizeof *near);
    bool *told = fs_calloc(c->points + 1, sizeof *told);
    for (size_t p = 0; p < c->points; p++)
        near[p] = nearest(c, p);
    for (size_t n = 0; n < count && n < c->points; n++) {
        size_t next = SIZE_MAX;
        for (size_t p = 0; p < c->points; p++)
            if (!told[p] && (next == SIZE_MAX || near[p] < near[next]))
                next = p;
        told[next] = true;
        within[next] = true;
    }
    free(near);
    free(told);
}

/* Whether p is a safer choice than q: feasible at more draws, less behind at the worst, on average, as things are. */
static bool safer(const fs_robust_cases *c, const fs_robust_point *point, size_t p, size_t q) {
    const fs_robust_point *a = &point[p], *b = &point[q];
    if (a->infeasible != b->infeasible)
        return a->infeasible < b->infeasible;
    if (a->regret_most < b->regret_most || a->regret_most > b->regret_most)
        return a->regret_most < b->regret_most;
    if (a->regret_mean < b->regret_mean || a->regret_mean > b->regret_mean)
        return a->regret_mean < b->regret_mean;
    return better(c, c->nominal[p], c->nominal[q]);
}

void fs_robust_judge(fs_arena *arena, const fs_robust_cases *c, fs_robust_verdict *v) {
    fs_robust_point *point = FS_NEW(arena, fs_robust_point, c->points + 1);
    bool *turned = FS_NEW(arena, bool, c->draws + 1);
    size_t *wins = FS_NEW(arena, size_t, c->points + 1); /* where the nominally best is beaten */
    *v = (fs_robust_verdict){
        .best = best_of(c, c->nominal), .next = SIZE_MAX, .safe = SIZE_MAX, .point = point, .turned = turned};
    for (size_t p = 0; p < c->points; p++) {
        point[p].low = (double)INFINITY;
        point[p].high = (double)-INFINITY;
    }
    for (size_t d = 0; d < c->draws; d++) {
        const double *value = c->value + d * c->points;
        const size_t best = best_of(c, value);
        add_draw(c, d, best == SIZE_MAX ? (double)NAN : value[best], point);
        if (best == SIZE_MAX)
            continue;
        turned[d] = v->best != SIZE_MAX && is_at(c, d, v->best) &&
                    (isnan(value[v->best]) || better(c, value[best], value[v->best]));
        wins[best] += turned[d];
    }
    for (size_t p = 0; p < c->points; p++) {
        const size_t had = point[p].draws - point[p].infeasible;
        point[p].regret_mean = had == 0 ? (double)NAN : point[p].regret_mean / (double)had;
        if (point[p].draws == c->draws && had > 0 && !isnan(c->nominal[p]) &&
            (v->safe == SIZE_MAX || safer(c, point, p, v->safe)))
            v->safe = p;
        if (wins[p] > 0 && (v->next == SIZE_MAX || wins[p] > wins[v->next]))
            v->next = p;
    }
}
