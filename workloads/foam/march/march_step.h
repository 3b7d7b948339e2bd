/* What every march does with a cell once its exit is known. Private to march_*.c. */
#pragma once

#include "sim/base/detmath.h"
#include "workloads/foam/march/march.h"

/* rgb: 0 ... 1, with harmonics >= 0 without an upper bound. y: fs_harmonics_basis of the ray, where colours
 * have a degree. */
static inline void fs_march_colour(const fs_march_cell *cell, const fs_march_colours *colours, const float *y,
                                   float rgb[3]) {
    for (int channel = 0; channel < 3; channel++)
        rgb[channel] = (float)cell->rgb[channel] / 255.0f;
    if (colours->degree == 0)
        return;
    const float *c = colours->of + (size_t)cell->site * colours->stride;
    const uint32_t functions = fs_harmonics_functions(colours->degree);
    for (int channel = 0; channel < 3; channel++) {
        const float sum = fs_harmonics_sum(functions, rgb[channel], c + channel, y);
        rgb[channel] = sum > 0.0f ? sum : 0.0f;
    }
}

/* Whether a cell that a ray crosses from t to t_out loads its coefficients. */
static inline bool fs_march_lit(float density, float t, float t_out) {
    return density > FS_HARMONICS_DENSITY && t_out - t > 0.0f;
}

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

/* hull: opaque. The last cell, of colour rgb, takes what is left of the light. */
static inline void fs_march_hull(const float rgb[3], fs_ray_state *ray, uint32_t *depth_marks) {
    ray->r += ray->T * rgb[0];
    ray->g += ray->T * rgb[1];
    ray->b += ray->T * rgb[2];
    if (ray->T >= 0.5f && ray->depth == 0.0f) {
        ray->depth = ray->t;
        ++*depth_marks;
    }
    ray->T = 0.0f;
}

_Noreturn void fs_march_lost(const fs_march_params *params); /* the step limit */
