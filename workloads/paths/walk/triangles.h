/* Tests of triangles in lanes, a text of search.h. */
#ifndef FOAMSIM_WORKLOADS_PATHS_WALK_TRIANGLES_H
#define FOAMSIM_WORKLOADS_PATHS_WALK_TRIANGLES_H

#include "workloads/optics/lanes.h"
#include "workloads/paths/walk/step.h"

/* What the test of a triangle asks of a ray. */
typedef struct turned_ray {
    float origin[3], t; /* along kx, ky, kz; the nearest hit so far */
    float shear[3];     /* of x, y, and the scale of z */
    uint32_t kz;
} turned_ray;
_Static_assert(sizeof(turned_ray) == 32, "two turns of four numbers");

typedef enum triangle_end { AT_EDGE, BEHIND, TOO_NEAR, MET, TRIANGLE_ENDS } triangle_end;

static inline turned_ray turned_for(const fs_walk_ray *ray, float nearest) {
    return (turned_ray){.origin = {ray->origin[ray->kx], ray->origin[ray->ky], ray->origin[ray->kz]},
                        .t = nearest,
                        .shear = {ray->shear[0], ray->shear[1], ray->shear[2]},
                        .kz = ray->kz};
}

/* Rays in the frames of their triangle tests. */
typedef struct rays {
    columns origin, shear; /* w: t and kz */
    ints is_x, is_y;       /* kz */
} rays;

/* of: turned_ray. */
LANES_INLINE rays rays_of(const float *const of[LANE_COUNT]) {
    rays ray = {.origin = turned(of, 0), .shear = turned(of, 4)};
    ray.is_x = (ints)ray.shear.w == 0;
    ray.is_y = (ints)ray.shear.w == 1;
    return ray;
}

/* A corner in the sheared frame of each ray. */
LANES_INLINE vec3 sheared(const rays *r, columns p) {
    const floats x = pick(r->is_x, p.y, pick(r->is_y, p.z, p.x)) - r->origin.x,
                 y = pick(r->is_x, p.z, pick(r->is_y, p.x, p.y)) - r->origin.y,
                 z = pick(r->is_x, p.x, pick(r->is_y, p.y, p.z)) - r->origin.z;
    return (vec3){x + r->shear.x * z, y + r->shear.y * z, z};
}

LANES_INLINE floats largest(floats a, floats b, floats c) {
    return larger(larger(magnitude(a), magnitude(b)), magnitude(c));
}

/* Watertight: Woop, Benthin and Wald, 2013, as in PBRT 3, section 3.6.2, without its second try in double
 * precision. Distances, ends of the tests, and how much of a hit is each corner's. */
LANES_INLINE floats test_triangles(const rays *ray, const float *const record[LANE_COUNT], ints *ends,
                                   floats share[3]) {
    const vec3 p = sheared(ray, turned(record, 0)), q = sheared(ray, turned(record, 4)),
               r = sheared(ray, turned(record, 8));
    const floats e0 = q.x * r.y - q.y * r.x, e1 = r.x * p.y - r.y * p.x, e2 = p.x * q.y - p.y * q.x;
    const floats det = e0 + e1 + e2, scale = ray->shear.z;
    const ints below = (e0 < 0.0f) | (e1 < 0.0f) | (e2 < 0.0f),
               above = (e0 > 0.0f) | (e1 > 0.0f) | (e2 > 0.0f), aside = (below & above) | (det == 0.0f);
    const floats pz = p.z * scale, qz = q.z * scale, rz = r.z * scale, scaled = e0 * pz + e1 * qz + e2 * rz;
    const ints behind = ((det < 0.0f) & (scaled >= 0.0f)) | ((det > 0.0f) & (scaled <= 0.0f));
    const floats inverse = 1.0f / det, t = scaled * inverse;
    const floats z = largest(pz, qz, rz), x = largest(p.x, q.x, r.x), y = largest(p.y, q.y, r.y),
                 e = largest(e0, e1, e2);
    const floats delta_z = FS_WALK_GAMMA(3) * z, delta_x = FS_WALK_GAMMA(5) * (x + z),
                 delta_y = FS_WALK_GAMMA(5) * (y + z);
    const floats delta_e = 2.0f * (FS_WALK_GAMMA(2) * x * y + delta_y * x + delta_x * y);
    const floats delta_t = 3.0f * (FS_WALK_GAMMA(3) * e * z + delta_e * z + delta_z * e) * magnitude(inverse);
    *ends = pick_ints(t > delta_t, all_ints(MET), all_ints(TOO_NEAR));
    *ends = pick_ints(aside, all_ints(AT_EDGE), pick_ints(behind, all_ints(BEHIND), *ends));
    share[0] = e0 * inverse;
    share[1] = e1 * inverse;
    share[2] = e2 * inverse;
    return t;
}

#endif
