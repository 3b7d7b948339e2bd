#include "workloads/foam/march_step.h"

fs_march_fn fs_march_best(void) {
    return fs_march_has_avx2() ? fs_march_avx2 : fs_march_plain;
}

const char *fs_march_best_name(void) {
    return fs_march_has_avx2() ? "avx2" : "plain";
}

_Noreturn void fs_march_lost(const fs_march_params *params) {
    fs_panic(__FILE__, __LINE__, "a ray crossed more than %lld cells: it goes round in a circle",
             (long long)params->step_limit);
}

typedef struct nearest {
    double distance2;
    uint32_t site, place;
} nearest;

static nearest nearer(nearest a, nearest b) {
    bool take_b = b.distance2 < a.distance2 || (b.distance2 == a.distance2 && b.site < a.site);
    return take_b ? b : a;
}

/* Below this waking the threads takes longer than the search. */
enum { PARALLEL_FROM = 10000 };

uint32_t fs_march_nearest(const fs_march_scene *scene, const fs_partition *partition, const float point[3]) {
    nearest best = {__builtin_inf(), UINT32_MAX, 0};
#pragma omp parallel if (scene->cells >= PARALLEL_FROM)
    {
        nearest mine = {__builtin_inf(), UINT32_MAX, 0};
#pragma omp for nowait
        for (uint32_t place = 0; place < scene->cells; place++) {
            const fs_march_cell *c = &scene->cell[place];
            double x = (double)c->x - (double)point[0], y = (double)c->y - (double)point[1],
                   z = (double)c->z - (double)point[2];
            mine = nearer(mine, (nearest){(x * x + y * y) + z * z, partition->order[place], place});
        }
#pragma omp critical(fs_march_nearest)
        best = nearer(best, mine);
    }
    return best.place;
}
