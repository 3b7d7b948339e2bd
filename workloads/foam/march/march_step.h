/* What every march does with a cell once its exit is known. Private to march_*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_MARCH_STEP_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_MARCH_STEP_H

#include "sim/base/detmath.h"
#include "workloads/foam/march/march.h"

static inline float fs_march_depth(float t, float T, float density) {
    return t + (float)(fs_log(2.0 * (double)T) / (double)density);
}

/* Light that the cell sends along the ray from t to t_out: updates t, T and depth and returns the weight
 * T * alpha of its colour. Density 0 and dt 0 give exp(-0) = 1, alpha 0 and the same T: no need to work it
 * out. */
static inline float fs_march_absorb(float density, float t_out, fs_ray_state *ray, uint32_t *depth_marks) {
    float t = ray->t, dt = t_out - t;
    if (!(dt > 0.0f))
        return 0.0f;
    ray->t = t_out;
    if (!(density > 0.0f))
        return 0.0f;
    float alpha = 1.0f - fs_expf_neg(-density * dt);
    float before = ray->T;
    ray->T = before * (1.0f - alpha);
    if (ray->T < 0.5f && before >= 0.5f && ray->depth == 0.0f) {
        ray->depth = fs_march_depth(t, before, density);
        ++*depth_marks;
    }
    return before * alpha;
}

/* hull: opaque. The last cell takes what is left of the light. */
static inline void fs_march_hull(const fs_march_cell *cell, fs_ray_state *ray, uint32_t *depth_marks) {
    ray->r += ray->T * ((float)cell->rgb[0] / 255.0f);
    ray->g += ray->T * ((float)cell->rgb[1] / 255.0f);
    ray->b += ray->T * ((float)cell->rgb[2] / 255.0f);
    if (ray->T >= 0.5f && ray->depth == 0.0f) {
        ray->depth = ray->t;
        ++*depth_marks;
    }
    ray->T = 0.0f;
}

_Noreturn void fs_march_lost(const fs_march_params *params); /* the step limit */

#endif
