/* Optics of paths in f32: mirrors, refraction, Fresnel's share by Schlick, directions around a normal. Only
 * + - * / and square roots, in a written order, so that vectors of eight give the same bits. Directions are
 * of length one; `normal` is on the side that the direction `in` comes from, unless said otherwise. */
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct fs_vec3f {
    float x, y, z;
} fs_vec3f;

static inline fs_vec3f fs_vec3f_add(fs_vec3f a, fs_vec3f b) {
    return (fs_vec3f){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline fs_vec3f fs_vec3f_sub(fs_vec3f a, fs_vec3f b) {
    return (fs_vec3f){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline fs_vec3f fs_vec3f_mul(fs_vec3f a, fs_vec3f b) {
    return (fs_vec3f){a.x * b.x, a.y * b.y, a.z * b.z};
}
static inline fs_vec3f fs_vec3f_scale(fs_vec3f a, float by) {
    return (fs_vec3f){a.x * by, a.y * by, a.z * by};
}
/* x + y + z, from the left. */
static inline float fs_vec3f_dot(fs_vec3f a, fs_vec3f b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline fs_vec3f fs_vec3f_cross(fs_vec3f a, fs_vec3f b) {
    return (fs_vec3f){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* Of length one; of no length at all not a number. */
static inline fs_vec3f fs_vec3f_unit(fs_vec3f a) {
    return fs_vec3f_scale(a, 1.0f / sqrtf(fs_vec3f_dot(a, a)));
}

/* in - 2 (in . n) n: the same for a normal of either side. */
static inline fs_vec3f fs_reflect(fs_vec3f in, fs_vec3f normal) {
    return fs_vec3f_sub(in, fs_vec3f_scale(normal, 2.0f * fs_vec3f_dot(in, normal)));
}

/* Snell's law; ratio: index of the side that the ray comes from over that of the other. False at total
 * reflection: *out is not set. */
static inline bool fs_refract(fs_vec3f in, fs_vec3f normal, float ratio, fs_vec3f *out) {
    const float cosine = -fs_vec3f_dot(in, normal), k = 1.0f - ratio * ratio * (1.0f - cosine * cosine);
    if (!(k > 0.0f))
        return false;
    *out = fs_vec3f_add(fs_vec3f_scale(in, ratio), fs_vec3f_scale(normal, ratio * cosine - sqrtf(k)));
    return true;
}

/* The share of light that a boundary of `ratio` reflects (Schlick, An Inexpensive BRDF Model, 1994); cosine:
 * of the angle on the side of the lower index. */
static inline float fs_schlick(float cosine, float ratio) {
    const float r = (1.0f - ratio) / (1.0f + ratio), r0 = r * r, c = 1.0f - cosine, c2 = c * c;
    return r0 + (1.0f - r0) * (c2 * c2 * c);
}

/* Two directions that make a right-handed basis with the normal (Duff and others: Building an Orthonormal
 * Basis, Revisited, 2017). */
static inline void fs_basis(fs_vec3f normal, fs_vec3f *along, fs_vec3f *across) {
    const float sign = normal.z < 0.0f ? -1.0f : 1.0f, a = -1.0f / (sign + normal.z),
                b = normal.x * normal.y * a;
    *along = (fs_vec3f){1.0f + sign * normal.x * normal.x * a, sign * b, -sign * normal.x};
    *across = (fs_vec3f){b, sign + normal.y * normal.y * a, -normal.y};
}

/* Cosine of 2 pi u to the left and sine to the right, u in [0, 1): polynomials over an eighth of a turn,
 * error below 4e-7; the same bits everywhere. */
static inline void fs_turn(float u, float *cosine, float *sine) {
    const float eighths = u * 8.0f;
    const int octant = (int)eighths; /* 0 ... 7 */
    const int odd = octant & 1;
    const float part = eighths - (float)octant, t = odd ? 1.0f - part : part; /* both exact */
    const float x = t * 0.785398163397448310f, x2 = x * x;
    const float s = x * (1.0f + x2 * (-0.166666666f + x2 * (8.33333310e-3f + x2 * -1.98395e-4f)));
    const float c = 1.0f + x2 * (-0.5f + x2 * (4.16666418e-2f + x2 * (-1.38888e-3f + x2 * 2.43904e-5f)));
    const bool swap = ((octant + 1) & 2) != 0; /* octants 1, 2, 5, 6 */
    const float near = swap ? s : c, far = swap ? c : s;
    *cosine = octant >= 2 && octant <= 5 ? -near : near;
    *sine = octant >= 4 ? -far : far;
}

/* A direction around the normal with density cosine / pi, from two uniform numbers in [0, 1): a disc of
 * radius sqrt(u) lifted to the hemisphere (Malley). */
static inline fs_vec3f fs_cosine_direction(fs_vec3f normal, float u, float turn) {
    float cosine, sine;
    fs_vec3f along, across;
    fs_turn(turn, &cosine, &sine);
    fs_basis(normal, &along, &across);
    const float radius = sqrtf(u), height = sqrtf(1.0f - u);
    return fs_vec3f_add(
        fs_vec3f_add(fs_vec3f_scale(along, radius * cosine), fs_vec3f_scale(across, radius * sine)),
        fs_vec3f_scale(normal, height));
}
