/* Colours that depend on the direction from which a cell is seen: real spherical harmonics of degree 1 to 3
 * beside the colour of degree 0 that every site has (scenes.md 1).
 *
 * The colour of a site in a ray's unit direction d is, for each channel, max(0, c_0 + sum over k of Y_k(d) c_k):
 * c_0 its 8-bit colour from 0 to 1, k from 1 to (degree + 1)^2 - 1, by degree and then by order. Signs are
 * those of 3D Gaussian splatting: the functions of degree 1 are -C y, C z, -C x.
 */
#pragma once

#include "workloads/scene/foam/foam_scene.h"

#include <stdint.h>

/* Functions above degree 0: 0, 3, 8, 15; and their coefficients, three channels each: 0, 9, 24, 45. */
static inline uint32_t fs_harmonics_functions(uint32_t degree) {
    return (degree + 1) * (degree + 1) - 1;
}
static inline uint32_t fs_harmonics_coefficients(uint32_t degree) {
    return 3 * fs_harmonics_functions(degree);
}

/* Y_k of a unit direction for k = 1 ... fs_harmonics_functions(degree). */
void fs_harmonics_basis(uint32_t degree, const float direction[3], float y[FS_HARMONICS_MOST]);

/* One channel before it is held above 0. c: the coefficients of a site from that channel on, three apart. */
static inline float fs_harmonics_sum(uint32_t functions, float c0, const float *c, const float *y) {
    float sum = c0;
    for (uint32_t k = 0; k < functions; k++)
        sum += y[k] * c[3 * k];
    return sum;
}

/* Below this density a cell gives no colour and loads none (scenes.md 1). */
#define FS_HARMONICS_DENSITY 1e-6f

/* Gives a foam that fs_scene_load has made its coefficients up to a degree of 1 to 3: those of the file it was
 * read from, or, of a generated scene, a gloss (docs/scenes.md). FS_INPUT where the file has none, or fewer. */
fs_status fs_scene_harmonics(const fs_scene_params *params, uint32_t degree, fs_foam *foam, fs_error *err);

/* The gloss of a generated scene, from its sites alone: a highlight of one sun on every occupied site, whose
 * normal leads to where its neighbours are empty. */
void fs_harmonics_gloss(uint32_t degree, fs_foam *foam);
