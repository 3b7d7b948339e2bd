/* How wide a model's intervals must be: its own are too narrow, as it takes its correlations for known, and
 * points are chosen where it hopes for most. So errors of predictions before this one say what an interval
 * takes (Shafer and Vovk, A tutorial on conformal prediction, 2008), and until there are some, those of each
 * point by the others. */
#include "sim/search/private.h"

#include "sim/base/arith.h"

#include <math.h>
#include <stdlib.h>

enum { ENOUGH = 9, MOST = 60 }; /* predictions: with fewer no rank is 90 %; older ones are of another model */
static const double held = 0.9, ninety = 1.6448536; /* deviations of a normal variable that hold as much */

/* The least that is not below `held` of one more of the kind. */
static double enough_of(double *ratio, size_t count) {
    const size_t rank = (size_t)ceil(held * (double)(count + 1));
    qsort(ratio, count, sizeof *ratio, fs_by_real);
    return ratio[rank > count ? count - 1 : rank - 1];
}

double fs_search_width(const fs_search *s, size_t goal) {
    double ratio[MOST], width = ninety;
    size_t count = 0;
    for (size_t i = s->seen_count; i-- > 0 && count < MOST;) {
        const fs_search_range *r = &s->seen[i].expected[goal];
        if (!r->known || !s->seen[i].feasible)
            continue;
        const double cost = fs_search_cost_of(s, goal, r->ratios, s->seen[i].value[goal]);
        const double least = 1e-9 * (1 + fabs(r->cost)); /* where the model is certain, its last digits */
        ratio[count++] = fabs(cost - r->cost) / (r->deviation > least ? r->deviation : least);
    }
    if (count >= ENOUGH)
        return enough_of(ratio, count);
    const fs_search_model *m = &s->goal[goal];
    double *left_out = fs_calloc(m->count + 1, sizeof *left_out);
    if (m->count >= ENOUGH) {
        fs_search_left_out(m, left_out);
        width = enough_of(left_out, m->count);
    }
    free(left_out);
    return width > ninety ? width : ninety;
}
