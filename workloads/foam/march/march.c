/* The march as its definition reads: one face after another. */
#include "workloads/foam/march/march_step.h"

_Noreturn void fs_march_lost(const fs_march_params *params) {
    fs_panic(__FILE__, __LINE__,
             "a ray crossed more than workload.march.step_limit = %lld cells: it goes round in a circle",
             (long long)params->step_limit);
}

typedef struct exit_face {
    float t; /* infinity: none */
    uint32_t cell;
} exit_face;

static exit_face find_exit(const fs_march_scene *scene, const fs_march_cell *p, const float o[3],
                           const float d[3], fs_march_counts *counts) {
    exit_face exit = {__builtin_inff(), 0};
    counts->faces += p->faces;
    for (uint32_t f = 0; f < p->faces; f++) {
        uint32_t place = scene->place[scene->adjacency[p->list + f]];
        const fs_march_cell *q = &scene->cell[place];
        float nx = q->x - p->x, ny = q->y - p->y, nz = q->z - p->z;
        float mx = (p->x + q->x) * 0.5f, my = (p->y + q->y) * 0.5f, mz = (p->z + q->z) * 0.5f;
        float dn = (nx * d[0] + ny * d[1]) + nz * d[2];
        if (!(dn > 0.0f))
            continue;
        counts->front++;
        float num = ((mx - o[0]) * nx + (my - o[1]) * ny) + (mz - o[2]) * nz;
        float t = num / dn;
        if (t > 0.0f && t < exit.t) {
            exit = (exit_face){t, place};
            counts->nearest++;
        }
    }
    return exit;
}

fs_march_exit fs_march(const fs_march_scene *scene, const fs_march_params *params, const float origin[3],
                       const float direction[3], uint32_t begin, uint32_t end, uint32_t *cell,
                       fs_ray_state *ray, fs_march_counts *counts) {
    const fs_march_colours *colours = &scene->stored;
    float threshold = (float)params->threshold, y[FS_HARMONICS_MOST], rgb[3];
    fs_harmonics_basis(colours->degree, direction, y);
    for (int64_t steps = 1;; steps++) {
        if (steps > params->step_limit)
            fs_march_lost(params);
        const fs_march_cell *p = &scene->cell[*cell];
        counts->cells++;
        exit_face exit = find_exit(scene, p, origin, direction, counts);
        if (!(exit.t < __builtin_inff())) {
            if (params->hull_opaque) {
                fs_march_colour(p, colours, y, rgb);
                fs_march_hull(rgb, ray, &counts->depth_marks);
                counts->lit += colours->degree > 0;
            }
            return FS_EXIT_HULL;
        }
        const bool lit = fs_march_lit(p->density, ray->t, exit.t);
        float weight = fs_march_absorb(p->density, exit.t, ray, &counts->depth_marks);
        if (lit || colours->degree == 0) {
            fs_march_colour(p, colours, y, rgb);
            ray->r += weight * rgb[0];
            ray->g += weight * rgb[1];
            ray->b += weight * rgb[2];
            counts->lit += colours->degree > 0;
        }
        if (ray->T < threshold)
            return FS_EXIT_OPAQUE;
        *cell = exit.cell;
        if (exit.cell < begin || exit.cell >= end)
            return FS_EXIT_CROSSED;
    }
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
