/* The march as its definition reads: one face after another. */
#include "workloads/foam/march_step.h"

typedef struct exit_face {
    float t;
    uint32_t cell;
} exit_face;

static void test_face(const fs_face_block *block, uint32_t lane, const fs_march_cell *p, const float o[3],
                      const float d[3], exit_face *exit, fs_march_counts *counts) {
    float qx = block->x[lane], qy = block->y[lane], qz = block->z[lane];
    float nx = qx - p->x, ny = qy - p->y, nz = qz - p->z;
    float mx = (p->x + qx) * 0.5f, my = (p->y + qy) * 0.5f, mz = (p->z + qz) * 0.5f;
    float dn = (nx * d[0] + ny * d[1]) + nz * d[2];
    if (!(dn > 0.0f))
        return;
    counts->front++;
    float num = ((mx - o[0]) * nx + (my - o[1]) * ny) + (mz - o[2]) * nz;
    float t = num / dn;
    if (t > 0.0f && t < exit->t) {
        *exit = (exit_face){t, block->cell[lane]};
        counts->nearest++;
    }
}

static exit_face find_exit(const fs_march_scene *scene, uint32_t at, const float o[3], const float d[3],
                           fs_march_counts *counts) {
    const fs_march_cell *p = &scene->cell[at];
    const fs_face_block *near = &scene->near[2 * (size_t)at], *more = &scene->more[p->more];
    exit_face exit = {__builtin_inff(), 0};
    uint32_t blocks = p->faces <= 16 ? 2 : (p->faces + 7u) / 8u, left = p->faces;
    for (uint32_t lane = 0; left > 0; lane++)
        for (uint32_t b = 0; b < blocks && left > 0; b++, left--)
            test_face(b < 2 ? near + b : more + (b - 2), lane, p, o, d, &exit, counts);
    return exit;
}

fs_march_exit fs_march_plain(const fs_march_scene *scene, const fs_march_params *params,
                             const float origin[3], const float direction[3], uint32_t begin, uint32_t end,
                             uint32_t *cell, fs_ray_state *ray, fs_march_counts *counts) {
    float threshold = (float)params->threshold;
    for (int64_t steps = 1;; steps++) {
        if (steps > params->step_limit)
            fs_march_lost(params);
        const fs_march_cell *p = &scene->cell[*cell];
        counts->cells++;
        counts->faces += p->faces;
        exit_face exit = find_exit(scene, *cell, origin, direction, counts);
        if (!(exit.t < __builtin_inff())) {
            if (params->hull_opaque)
                fs_march_hull(p, ray, &counts->depth_marks);
            return FS_EXIT_HULL;
        }
        float weight = fs_march_absorb(p->density, exit.t, ray, &counts->depth_marks);
        ray->r += weight * ((float)p->rgb[0] / 255.0f);
        ray->g += weight * ((float)p->rgb[1] / 255.0f);
        ray->b += weight * ((float)p->rgb[2] / 255.0f);
        if (ray->T < threshold)
            return FS_EXIT_OPAQUE;
        *cell = exit.cell;
        if (exit.cell < begin || exit.cell >= end)
            return FS_EXIT_CROSSED;
    }
}
