/* A path step by step; of this folder alone. */
#ifndef FOAMSIM_WORKLOADS_PATHS_WALK_WALK_PRIVATE_H
#define FOAMSIM_WORKLOADS_PATHS_WALK_WALK_PRIVATE_H

#include "workloads/paths/optics.h"
#include "workloads/paths/random.h"
#include "workloads/paths/walk/walk.h"

#include <math.h>

/* The tree for walking: since the order of children never changes, a subtree that is missed, or done, is
 * followed by the same node always, and no stack is needed to find it. One node more ends the array. */
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

/* Bounds of rounding: eps = 2^-24, gamma(n) = n eps / (1 - n eps) (PBRT 3, section 3.9.1; IRL). */
#define FS_WALK_EPS      0x1p-24f
#define FS_WALK_GAMMA(n) ((float)(n)*FS_WALK_EPS / (1.0f - (float)(n)*FS_WALK_EPS))
#define FS_WALK_WIDEN    (1.0f + 2.0f * FS_WALK_GAMMA(3)) /* of a slab's far end: no hit is missed */
#define FS_WALK_OFFSET   (1500.0f * FS_WALK_EPS)          /* neural_path_tracing.md 2 */
#define FS_WALK_LEAST    0x1p-100f /* stands for a component of 0: no product with its reciprocal is NaN */

typedef struct fs_walk_ray {
    float origin[3], direction[3], inverse[3]; /* direction of length one: a sphere's roots count on it */
    uint32_t kx, ky, kz;                       /* axes of the sheared frame: kz of the largest component */
    float shear[3];                            /* of x, y, and the scale of z */
} fs_walk_ray;

typedef struct fs_walk_hit {
    float t;        /* infinite: none */
    uint32_t leaf;  /* fs_walk_scene.leaf */
    float share[3]; /* of a triangle: how much of the hit is each corner's */
} fs_walk_hit;

/* The camera of a picture, worked out once. */
typedef struct fs_walk_lens {
    float scale_x, offset_x, scale_y, offset_y; /* picture to the plane at distance one */
    uint32_t width;
    float jitter;
    fs_rng stream;
} fs_walk_lens;

fs_walk_lens fs_walk_lens_of(const fs_walk_scene *walk, const fs_walk_params *params);

/* ---- pieces ---- */

static inline float fs_walk_largest(const float v[3]) {
    const float m = v[0] > v[1] ? v[0] : v[1];
    return m > v[2] ? m : v[2];
}

/* Near to standard normal: twelve bytes of three numbers, summed; mean 0, deviation 1, in steps of 1 / 256. */
static inline float fs_walk_normal(fs_path_random *random) {
    int32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        const uint32_t x = fs_paths_u32(random);
        sum += (int32_t)((x & 255u) + (x >> 8 & 255u) + (x >> 16 & 255u) + (x >> 24));
    }
    return (float)(sum - 1530) * 0x1p-8f;
}

/* Direction of the pixel's camera ray with its Gaussian shift; its origin is 0. */
static inline fs_vec3f fs_walk_camera(const fs_walk_lens *lens, uint32_t pixel, fs_path_random *random) {
    const float dx = lens->jitter * fs_walk_normal(random), dy = lens->jitter * fs_walk_normal(random);
    const uint32_t column = pixel % lens->width, row = pixel / lens->width;
    const float x = (float)column + 0.5f + dx, y = (float)row + 0.5f + dy;
    return fs_vec3f_unit(
        (fs_vec3f){x * lens->scale_x + lens->offset_x, y * lens->scale_y + lens->offset_y, -1.0f});
}

/* What a segment needs of its direction. */
static inline void fs_walk_aim(fs_walk_ray *ray) {
    const float *d = ray->direction;
    for (int a = 0; a < 3; a++) {
        const float component = fabsf(d[a]) < FS_WALK_LEAST ? copysignf(FS_WALK_LEAST, d[a]) : d[a];
        ray->inverse[a] = 1.0f / component;
    }
    const float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
    ray->kz = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    ray->kx = ray->kz == 2 ? 0 : ray->kz + 1;
    ray->ky = ray->kx == 2 ? 0 : ray->kx + 1;
    ray->shear[0] = -d[ray->kx] / d[ray->kz];
    ray->shear[1] = -d[ray->ky] / d[ray->kz];
    ray->shear[2] = 1.0f / d[ray->kz];
}

/* Moves the origin off a surface to the side that the direction leads to. */
static inline void fs_walk_offset(fs_walk_ray *ray, const float normal[3]) {
    const float size[3] = {fabsf(ray->origin[0]), fabsf(ray->origin[1]), fabsf(ray->origin[2])};
    const float along =
        normal[0] * ray->direction[0] + normal[1] * ray->direction[1] + normal[2] * ray->direction[2];
    const float by = copysignf((1.0f + fs_walk_largest(size)) * FS_WALK_OFFSET, along);
    for (int a = 0; a < 3; a++)
        ray->origin[a] += normal[a] * by;
}

/* Distance to a sphere or disc, infinite for none, counting the events of its test. */
float fs_walk_test_round(const fs_walk_leaf *leaf, const fs_walk_ray *ray, uint32_t *counts);

/* ---- a path ---- */

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

/* ---- lists ---- */

typedef struct fs_walk_list {
    const fs_walk_params *params;
    const fs_walk_lens *lens;
    const fs_walk_key *key; /* [count] */
    uint64_t count;
    fs_walk_path *paths;                /* [count] written */
    uint32_t (*counts)[FS_WALK_EVENTS]; /* [count] written; NULL: nobody asks */
} fs_walk_list;

/* core.h: four paths at a time on any host; eight, on hosts with AVX2 alone. */
void fs_walk_list_plain(const fs_walk_scene *walk, const fs_walk_list *list);
void fs_walk_list_avx2(const fs_walk_scene *walk, const fs_walk_list *list);

#endif
