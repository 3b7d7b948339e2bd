/* The operations of workloads/optics/optics.h, one for one, in lanes. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_WALK_OPTICS_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_WALK_OPTICS_H

#include "workloads/optics/lanes.h"
#include "workloads/optics/optics.h"

LANES_INLINE vec3 all3(fs_vec3f a) {
    return (vec3){all(a.x), all(a.y), all(a.z)};
}
LANES_INLINE void set3(vec3 *a, uint32_t lane, fs_vec3f to) {
    each(&a->x)[lane] = to.x;
    each(&a->y)[lane] = to.y;
    each(&a->z)[lane] = to.z;
}
LANES_INLINE vec3 pick3(ints mask, vec3 yes, vec3 no) {
    return (vec3){pick(mask, yes.x, no.x), pick(mask, yes.y, no.y), pick(mask, yes.z, no.z)};
}
LANES_INLINE vec3 plus(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
LANES_INLINE vec3 minus(vec3 a, vec3 b) {
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
LANES_INLINE vec3 times(vec3 a, floats b) {
    return (vec3){a.x * b, a.y * b, a.z * b};
}
LANES_INLINE vec3 unit(vec3 a) {
    return times(a, 1.0f / root_of(dot(a, a)));
}
LANES_INLINE vec3 reflect(vec3 in, vec3 normal) {
    return minus(in, times(normal, 2.0f * dot(in, normal)));
}

LANES_INLINE void basis(vec3 n, vec3 *along, vec3 *across) {
    const floats sign = pick(n.z < 0.0f, all(-1.0f), all(1.0f)), a = -1.0f / (sign + n.z), b = n.x * n.y * a;
    *along = (vec3){1.0f + sign * n.x * n.x * a, sign * b, -sign * n.x};
    *across = (vec3){b, sign + n.y * n.y * a, -n.y};
}

LANES_INLINE void turn(floats u, floats *cosine, floats *sine) {
    const floats eighths = u * 8.0f;
    const ints octant = __builtin_convertvector(eighths, ints);
    const floats part = eighths - to_floats(octant), t = pick((octant & 1) == 1, 1.0f - part, part);
    const floats x = t * 0.785398163397448310f, x2 = x * x;
    const floats s = x * (1.0f + x2 * (-0.166666666f + x2 * (8.33333310e-3f + x2 * -1.98395e-4f)));
    const floats c = 1.0f + x2 * (-0.5f + x2 * (4.16666418e-2f + x2 * (-1.38888e-3f + x2 * 2.43904e-5f)));
    const ints swap = ((octant + 1) & 2) == 2;
    const floats near = pick(swap, s, c), far = pick(swap, c, s);
    *cosine = pick((octant >= 2) & (octant <= 5), -near, near);
    *sine = pick(octant >= 4, -far, far);
}

#endif
