/* What trades against what: the points that no other beats in both of two objectives. */
#include "sim/store/store.h"

#include <math.h>
#include <stdlib.h>

typedef struct member {
    double a, b; /* less is better */
    size_t place;
} member;

static int by_cost(const void *p, const void *q) {
    const member *x = p, *y = q;
    if (x->a < y->a || x->a > y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b < y->b || x->b > y->b)
        return x->b < y->b ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static double cost(const fs_store_point *point, const fs_store_objective *o) {
    const double value = fs_store_number_of(point, o->figure);
    return o->larger ? -value : value;
}

size_t *fs_store_front(fs_arena *arena, const fs_store_sweep *sweep, const fs_store_objective *a,
                       const fs_store_objective *b, const bool *over, size_t *count) {
    member *all = FS_NEW(arena, member, sweep->point_count + 1);
    size_t *front = FS_NEW(arena, size_t, sweep->point_count + 1), n = 0, last = 0;
    for (size_t i = 0; i < sweep->point_count; i++) {
        const member m = {cost(&sweep->points[i], a), cost(&sweep->points[i], b), i};
        if (sweep->points[i].feasible && isfinite(m.a) && isfinite(m.b) && (over == NULL || !over[i]))
            all[n++] = m;
    }
    qsort(all, n, sizeof *all, by_cost);
    /* From the best in a on, a point is in the front if it is better in b than all before, or their equal. */
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (*count == 0 || all[i].b < all[last].b || (all[i].b <= all[last].b && all[i].a <= all[last].a)) {
            front[(*count)++] = all[i].place;
            last = i;
        }
    return front;
}
