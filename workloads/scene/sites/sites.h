/* Sites on their way to a foam: points with colour and density, in lists, and what every maker of them does. */
#pragma once

#include "sim/base/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- points ---- */

typedef struct fs_v3 {
    double x, y, z;
} fs_v3;

static inline fs_v3 fs_v3_add(fs_v3 a, fs_v3 b) {
    return (fs_v3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline fs_v3 fs_v3_sub(fs_v3 a, fs_v3 b) {
    return (fs_v3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline fs_v3 fs_v3_scale(fs_v3 a, double s) {
    return (fs_v3){a.x * s, a.y * s, a.z * s};
}
static inline fs_v3 fs_v3_along(fs_v3 p, fs_v3 direction, double t) { /* p + t direction */
    return fs_v3_add(p, fs_v3_scale(direction, t));
}
static inline double fs_v3_dot(fs_v3 a, fs_v3 b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
static inline double fs_v3_length(fs_v3 a) {
    return __builtin_sqrt(fs_v3_dot(a, a));
}
static inline fs_v3 fs_v3_unit(fs_v3 a) {
    return fs_v3_scale(a, 1.0 / fs_v3_length(a));
}
static inline fs_v3 fs_v3_cross(fs_v3 a, fs_v3 b) {
    return (fs_v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* An even point of a box. Draws x, y, z in turn: arguments and initialisers have no order of their own, so
 * two draws never stand in one. */
fs_v3 fs_v3_random(fs_rng *rng, fs_v3 lo, fs_v3 hi);
fs_v3 fs_v3_direction(fs_rng *rng); /* an even unit vector */

/* ---- lists of sites ---- */

/* The most opaque that a site with an opacity becomes: beyond it the density would have no bound. */
#define FS_OPACITY_MOST 0.995

/* Sites without adjacency: what generators and importers make and the mesher takes. */
typedef struct fs_sites {
    uint32_t count;
    float *x, *y, *z, *density;
    uint8_t *rgb;  /* [count][3] */
    float *normal; /* NULL but in the importer (clouds/cloud.h), whose points no order moves */
    /* density rule: > 0 as it is; an importer may store opacity in (0, 1) here and set density_is_opacity,
     * then the density becomes -ln(1 - min(a, FS_OPACITY_MOST)) / w, w = half the mean distance to the
     * Delaunay neighbours (scenes.md 3, step 4) once the mesh is known. 0 is an empty site either way. */
    bool density_is_opacity;
    uint32_t merged; /* duplicate positions merged on import */
} fs_sites;
void fs_sites_free(fs_sites *sites);
fs_sites fs_sites_create(uint32_t room); /* count 0, arrays of `room` */
void fs_sites_push(fs_sites *sites, fs_v3 p, double density, const uint8_t rgb[3]);
/* Sites [first, first + count) of another list; there is room for them. */
void fs_sites_append(fs_sites *sites, const fs_sites *from, uint32_t first, uint32_t count);
/* Reorders along a Morton curve: neighbours in space become neighbours in memory, equal keys keep their order. came, [count] or NULL:
 * where each site was. */
void fs_sites_order(fs_sites *sites, uint32_t *came);
/* Finds two equal positions; false if there are none, else the lowest repeated index and the earlier one. */
bool fs_points_repeated(const float *x, const float *y, const float *z, uint32_t count, uint32_t *first,
                        uint32_t *second);
/* Flags the first site of each position with 1, repeated ones with 0; returns how many are repeated. */
uint32_t fs_points_flag_first(const float *x, const float *y, const float *z, uint32_t count, uint8_t *flag);
/* Keeps the sites whose flag is set, in their order. */
void fs_sites_keep(fs_sites *sites, const uint8_t *flag);

/* Nearest points among many: a k-d tree over positions that the caller keeps. Answers depend on the points
 * alone: equal distances are ordered by index. */
enum { FS_NEAREST_MAX = 16 };

typedef struct fs_nearby fs_nearby;

/* Positions [count], not copied: they must outlive the tree. Owner: the caller. */
fs_nearby *fs_nearby_create(const float *x, const float *y, const float *z, uint32_t count);
void fs_nearby_free(fs_nearby *tree);

/* The k <= FS_NEAREST_MAX points nearest to p, nearest first, without the point `except` (UINT32_MAX: none).
 * Fills index and squared distance; returns how many there are. */
uint32_t fs_nearby_nearest(const fs_nearby *tree, const double p[3], uint32_t except, uint32_t k,
                           uint32_t index[], double distance2[]);
/* Whether a point but `except` lies nearer to p than `radius`. */
bool fs_nearby_any(const fs_nearby *tree, const double p[3], uint32_t except, double radius);
