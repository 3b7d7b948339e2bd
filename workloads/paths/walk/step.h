/* A path step by step, for who stops and goes on between the steps: rays, boxes, hits, the end of a segment and the
 * next ray. Hits are searched for many at a time (search.h); lists of whole paths go through fs_walk_paths.
 *
 *     fs_walk_begin(&lens, key, &state, row);            // row[FS_WALK_EVENTS]: zeros at first
 *     do {
 *         hit = ...                                      // the nearest of state.ray, of equals the lower leaf
 *     } while (!fs_walk_end_segment(&walk, &params, &hit, &state, &path, row));
 */
#pragma once

#include "workloads/optics/random.h"
#include "workloads/paths/walk/walk.h"

/* ---- the scene ---- */

/* The tree for walking: since the order of children never changes, a subtree that is missed, or done, is
 * followed by the same node always, and no stack is needed to find it. A node's first child is the next one, its
 * second child the first one's `skip`; a subtree is the nodes from its root to the root's `skip`. One node more
 * ends the array. */
typedef struct fs_walk_node {
    float low[3];
    uint32_t skip; /* after the subtree */
    float high[3];
    uint32_t leaf; /* FS_WALK_NO_LEAF: inner */
} fs_walk_node;
_Static_assert(sizeof(fs_walk_node) == 32, "half a cache line");
#define FS_WALK_NO_LEAF UINT32_MAX

typedef enum fs_walk_shape { FS_WALK_IS_TRIANGLE, FS_WALK_IS_SPHERE, FS_WALK_IS_DISC } fs_walk_shape;

/* A primitive with all that a test or a hit asks for. */
typedef struct fs_walk_leaf {
    float a[3];      /* corner; centre */
    uint32_t shape;  /* fs_walk_shape */
    float b[3];      /* corner; radius in [0], its square in [1] */
    uint32_t smooth; /* 1: the mesh has normals */
    float c[3];      /* corner */
    uint32_t index;  /* of the triangle, sphere or disc */
    float normal[3]; /* of a triangle by its corners; of a disc */
    uint32_t material;
} fs_walk_leaf;
_Static_assert(sizeof(fs_walk_leaf) == 64, "a cache line");

/* ---- a segment ---- */

/* Bounds of rounding: eps = 2^-24, gamma(n) = n eps / (1 - n eps) (PBRT 3, section 3.9.1; IRL). */
#define FS_WALK_EPS      0x1p-24f
#define FS_WALK_GAMMA(n) ((float)(n)*FS_WALK_EPS / (1.0f - (float)(n)*FS_WALK_EPS))
#define FS_WALK_WIDEN    (1.0f + 2.0f * FS_WALK_GAMMA(3)) /* of a slab's far end: no hit is missed */

typedef struct fs_walk_ray {
    float origin[3], direction[3], inverse[3]; /* direction of length one: a sphere's roots count on it */
    uint32_t kx, ky, kz;                       /* axes of the sheared frame: kz of the largest component */
    float shear[3];                            /* of x, y, and the scale of z */
} fs_walk_ray;

typedef struct fs_walk_hit {
    float t;        /* infinite: none */
    uint32_t leaf;  /* fs_walk_scene.leaf, numbered in the order of nodes; FS_WALK_NO_LEAF: none */
    float share[3]; /* of a triangle: how much of the hit is each corner's */
} fs_walk_hit;

/* What a segment needs beside its origin and direction: all the rest of the ray. */
void fs_walk_aim(fs_walk_ray *ray);
/* Where the hit is, and the surface's normal there, of length one and of either side. */
void fs_walk_surface(const fs_walk_scene *walk, const fs_walk_ray *ray, const fs_walk_hit *hit,
                     float point[3], float normal[3]);
/* Moves the origin off a surface to the side that the direction leads to. */
void fs_walk_offset(fs_walk_ray *ray, const float normal[3]);
/* Does the ray meet the node's box not behind `nearest`? *entry: where, 0 from inside; adds the slabs tested (1 ... 3)
 * to *axes. */
static inline bool fs_walk_meets_box(const fs_walk_node *node, const fs_walk_ray *ray, float nearest,
                                     float *entry, uint32_t *axes) {
    float t0 = 0, t1 = nearest;
    for (int a = 0; a < 3; a++) {
        const float one = (node->low[a] - ray->origin[a]) * ray->inverse[a],
                    two = (node->high[a] - ray->origin[a]) * ray->inverse[a];
        const float near = one < two ? one : two, far = (one > two ? one : two) * FS_WALK_WIDEN;
        t0 = near > t0 ? near : t0;
        t1 = far < t1 ? far : t1;
        ++*axes;
        if (t0 > t1)
            return false;
    }
    *entry = t0;
    return true;
}
/* Distance to a sphere or disc, infinite for none, counting the events of its test. */
float fs_walk_test_round(const fs_walk_leaf *leaf, const fs_walk_ray *ray, uint32_t *counts);

/* ---- a path ---- */

/* The camera of a picture, worked out once. */
typedef struct fs_walk_lens {
    float scale_x, offset_x, scale_y, offset_y; /* picture to the plane at distance one */
    uint32_t width;
    float jitter;
    fs_rng stream;
} fs_walk_lens;

fs_walk_lens fs_walk_lens_of(const fs_walk_scene *walk, const fs_walk_params *params);

typedef struct fs_walk_state {
    fs_walk_ray ray;
    fs_path_random random;
    float throughput[3], emitted[3];
    uint32_t hits;
} fs_walk_state;

/* Sets out from the camera. */
void fs_walk_begin(const fs_walk_lens *lens, fs_walk_key key, fs_walk_state *state, uint32_t *counts);
/* Ends a segment with what was found: true when the path is at its end, *path written then; else the ray is
 * the next segment's. */
bool fs_walk_end_segment(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_hit *hit,
                         fs_walk_state *state, fs_walk_path *path, uint32_t *counts);
