/* Paths side by side, one to a lane; the text of plain.c and avx2.c. A lane whose path has ended takes the next
 * point of the job. */
#pragma once

#include "workloads/optics/lanes.h"
#include "workloads/optics/optics.h"
#include "workloads/smallpaint/walk/private.h"

#include <string.h>

/* The operations of workloads/optics/optics.h, one for one, in lanes. */

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

/* What is counted lane by lane; all else follows. */
typedef enum counter {
    BOUNCE,
    BEHIND,
    ENTERED,
    TOWARDS,
    NEARER,
    DIFFUSE,
    MIRROR,
    GLASS,
    NUMBERS,
    COUNTERS
} counter;
static const uint8_t event_of[COUNTERS] = {
    FS_PAINT_BOUNCE,  FS_PAINT_SPHERE_BEHIND, FS_PAINT_SPHERE_ENTERED, FS_PAINT_DISC_TOWARDS, FS_PAINT_NEARER,
    FS_PAINT_DIFFUSE, FS_PAINT_MIRROR,        FS_PAINT_GLASS,          FS_PAINT_NUMBERS};

typedef struct path_lanes {
    const fs_paint_rules *rules;
    const fs_paint_job *job;
    vec3 origin, direction;
    words random[4];
    words counted[COUNTERS];    /* of the paths so far */
    uint32_t live;              /* a bit for each lane with a path */
    uint32_t lit;               /* that met a light */
    uint32_t point[LANE_COUNT]; /* of the job */
    uint32_t entries[LANE_COUNT];
    fs_paint_entry entry[LANE_COUNT][FS_PAINT_CAP];
    uint32_t next, points;
    uint32_t of_kind[FS_DISC + 1]; /* objects of the scene */
} path_lanes;

/* ---- lanes ---- */

/* A lane's next point; it rests when there is none. */
LANES static void begin(path_lanes *l, uint32_t lane) {
    const uint32_t point = l->next++;
    if (point >= l->points) {
        l->live &= ~(1u << lane);
        return;
    }
    const fs_paint_job *job = l->job;
    const fs_paint_start start =
        fs_paint_begin(l->rules, job->left + point % job->width, job->top + point / job->width, job->sample);
    l->live |= 1u << lane;
    l->lit &= ~(1u << lane);
    l->point[lane] = point;
    l->entries[lane] = 0;
    for (int i = 0; i < 4; i++)
        each(&l->random[i])[lane] = start.random.s[i];
    set3(&l->origin, lane, (fs_vec3f){0, 0, 0});
    set3(&l->direction, lane, start.direction);
    for (int i = 0; i < COUNTERS; i++)
        each(&l->counted[i])[lane] = 0;
}

/* Its counts go to the worker of its row, its light to its pixel. */
LANES static void end(path_lanes *l, uint32_t lane, fs_paint_count how) {
    const fs_paint_job *job = l->job;
    const uint32_t point = l->point[lane], entries = l->entries[lane],
                   bounces = each(&l->counted[BOUNCE])[lane];
    const bool lit = (l->lit >> lane & 1u) != 0;
    uint32_t *counts = job->counts + (size_t)job->row_worker[point / job->width] * FS_PAINT_COUNTS;
    for (int i = 0; i < COUNTERS; i++)
        counts[event_of[i]] += each(&l->counted[i])[lane];
    counts[FS_PAINT_PATH]++;
    counts[FS_PAINT_ROULETTE] +=
        (bounces > l->rules->roulette_depth ? bounces - l->rules->roulette_depth : 0) +
        (how == FS_PAINT_STOPPED);
    counts[FS_PAINT_PLANE] += bounces * l->of_kind[FS_PLANE];
    counts[FS_PAINT_SPHERE_MISSED] +=
        bounces * l->of_kind[FS_SPHERE] - each(&l->counted[BEHIND])[lane] - each(&l->counted[ENTERED])[lane];
    counts[FS_PAINT_DISC_AWAY] += bounces * l->of_kind[FS_DISC] - each(&l->counted[TOWARDS])[lane];
    counts[FS_PAINT_PUSHED] += entries;
    counts[lit ? FS_PAINT_POPPED : FS_PAINT_CLEARED] += entries;
    counts[how]++;
    float *light = job->light + 3 * (size_t)point;
    memset(light, 0, 3 * sizeof *light);
    if (lit)
        fs_paint_accumulate(l->rules->scene, l->entry[lane], entries, light);
    begin(l, lane);
}

/* ---- tests ---- */

LANES_INLINE void count(path_lanes *l, counter which, ints mask) {
    l->counted[which] -= (words)mask;
}

/* A number for each lane of the mask: fs_paths_u32. */
LANES_INLINE floats number(path_lanes *l, ints mask) {
    const words *r = l->random, five = r[1] * 5u, result = (five << 7 | five >> 25) * 9u;
    const words c = r[2] ^ r[0], d = r[3] ^ r[1],
                next[4] = {r[0] ^ d, r[1] ^ c, c ^ r[1] << 9, d << 11 | d >> 21};
    for (int i = 0; i < 4; i++)
        l->random[i] = (words)pick_ints(mask, (ints)next[i], (ints)l->random[i]);
    count(l, NUMBERS, mask);
    return l->rules->half_numbers ? to_floats((ints)(result >> 21)) * 0x1p-11f
                                  : to_floats((ints)(result >> 8)) * 0x1p-24f;
}

/* Where the rays meet an object; at most FS_PAINT_NEAR where they do not. */
LANES_INLINE floats sphere(path_lanes *l, const fs_primitive *o, ints live) {
    const vec3 from = minus(l->origin, all3(o->centre));
    const floats b = dot(from, l->direction), c = dot(from, from) - o->size * o->size, inside = b * b - c;
    const ints behind = (b > 0.0f) & (c > 0.0f), entered = ~behind & (inside >= 0.0f);
    count(l, BEHIND, behind & live);
    count(l, ENTERED, entered & live);
    if (bits_of(entered & live) == 0)
        return all(0.0f);
    const floats root = root_of(inside), first = -b - root;
    return only(entered, pick(first > FS_PAINT_NEAR, first, root - b));
}

LANES_INLINE floats plane(const path_lanes *l, const fs_primitive *o) {
    const vec3 n = all3(o->normal);
    return -(dot(n, l->origin) + o->size) / dot(n, l->direction);
}

/* A disc has one side. */
LANES_INLINE floats disc(path_lanes *l, const fs_primitive *o, ints live) {
    const vec3 n = all3(o->normal), to = minus(all3(o->centre), l->origin);
    const floats slope = dot(n, l->direction), t = dot(n, to) / slope;
    const vec3 off = minus(times(l->direction, t), to);
    const ints towards = slope < 0.0f;
    count(l, TOWARDS, towards & live);
    return only(towards & (dot(off, off) < o->size * o->size), t);
}

/* The object that each lane hits first, the number of objects where none is; its distance. */
LANES_INLINE ints nearest(path_lanes *l, ints live, floats *distance) {
    const fs_primitives *scene = l->rules->scene;
    ints hit = all_ints((int32_t)scene->objects);
    floats best = all(INFINITY);
    for (uint32_t i = 0; i < scene->objects; i++) {
        const fs_primitive *o = &scene->object[i];
        const floats t = o->kind == FS_SPHERE  ? sphere(l, o, live)
                         : o->kind == FS_PLANE ? plane(l, o)
                                               : disc(l, o, live);
        const ints closer = (t > FS_PAINT_NEAR) & (t < best);
        best = pick(closer, t, best);
        hit = pick_ints(closer, all_ints((int32_t)i), hit);
        count(l, NEARER, closer & live);
    }
    *distance = best;
    return hit;
}

/* ---- hits ---- */

/* Uniform over the hemisphere around the normal; its weight is cosine x 0.1. */
LANES_INLINE floats scatter(path_lanes *l, vec3 normal, ints mask) {
    const floats height = number(l, mask), around = number(l, mask), radius = root_of(1.0f - height * height);
    floats cosine, sine;
    vec3 along, across;
    turn(around, &cosine, &sine);
    basis(normal, &along, &across);
    l->direction = pick3(
        mask, plus(plus(times(along, radius * cosine), times(across, radius * sine)), times(normal, height)),
        l->direction);
    count(l, DIFFUSE, mask);
    return height * 0.1f;
}

/* normal: on the ray's side; entering: it points out of the object. */
LANES_INLINE void pass_glass(path_lanes *l, vec3 normal, ints entering, floats index, ints mask) {
    const floats ratio = pick(entering, 1.0f / index, index), u = number(l, mask),
                 cosine = -dot(l->direction, normal), k = 1.0f - ratio * ratio * (1.0f - cosine * cosine);
    const vec3 onward = plus(times(l->direction, ratio), times(normal, ratio * cosine - root_of(k)));
    const floats r = (1.0f - ratio) / (1.0f + ratio), r0 = r * r, c = 1.0f - cosine, c2 = c * c,
                 share = r0 + (1.0f - r0) * (c2 * c2 * c);
    const vec3 way = pick3((k > 0.0f) & (u >= share), onward, reflect(l->direction, normal));
    l->direction = pick3(mask, unit(way), l->direction);
    count(l, GLASS, mask);
}

/* One entry for each lane of the mask; returns the bits of those that are full. */
LANES_INLINE uint32_t push(path_lanes *l, ints mask, ints kind, ints material, floats weight) {
    uint32_t full = 0;
    for (uint32_t rest = bits_of(mask); rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        l->entry[lane][l->entries[lane]++] =
            (fs_paint_entry){(uint32_t)kind[lane], (uint32_t)material[lane], weight[lane]};
        if (l->entries[lane] >= l->rules->cap)
            full |= 1u << lane;
    }
    return full;
}

/* What each lane has hit. */
typedef struct surfaces {
    vec3 normal, centre;
    floats index;
    ints sphere, emits, kind, material;
} surfaces;

LANES_INLINE vec3 gather3(const fs_vec3f *from, ints at) {
    return (vec3){(floats)gather(&from->x, at), (floats)gather(&from->y, at), (floats)gather(&from->z, at)};
}

LANES_INLINE surfaces look_up(const fs_primitives *scene, ints hit) {
    const fs_primitive *o = scene->object;
    const fs_surface *m = scene->material;
    const ints object = hit * (int32_t)(sizeof *o / 4), material = gather(&o->material, object),
               surface = material * (int32_t)(sizeof *m / 4);
    return (surfaces){.normal = gather3(&o->normal, object),
                      .centre = gather3(&o->centre, object),
                      .index = (floats)gather(&m->index, surface),
                      .sphere = gather(&o->kind, object) == FS_SPHERE,
                      .emits = (gather(&m->emits, surface) & 1) == 1, /* a bool and the pad behind it */
                      .kind = gather(&m->kind, surface),
                      .material = material};
}

/* What each lane's material does, and its entry. Returns the bits of lanes that are full. */
LANES_INLINE uint32_t shade(path_lanes *l, const surfaces *s, vec3 normal, ints entering, floats weight,
                            ints mask) {
    const ints diffuse = mask & (s->kind == FS_SURFACE_DIFFUSE),
               mirror = mask & (s->kind == FS_SURFACE_MIRROR), glass = mask & (s->kind == FS_SURFACE_GLASS);
    if (bits_of(diffuse) != 0)
        weight = pick(diffuse, scatter(l, normal, diffuse) * weight, weight);
    if (bits_of(mirror) != 0) {
        l->direction = pick3(mirror, unit(reflect(l->direction, normal)), l->direction);
        count(l, MIRROR, mirror);
    }
    if (bits_of(glass) != 0)
        pass_glass(l, normal, entering, s->index, glass);
    return push(l, mask, pick_ints(diffuse, all_ints(FS_ENTRY_DIFFUSE), all_ints(FS_ENTRY_WEIGHT)),
                s->material, weight);
}

/* Lanes that hit something: where they are, their lights and materials. Returns the bits of those that are
 * full. */
LANES_INLINE uint32_t strike(path_lanes *l, ints hit, floats distance, floats weight, ints struck) {
    const surfaces s = look_up(l->rules->scene, hit & struck); /* the others look up object 0 */
    const vec3 at = plus(l->origin, times(l->direction, distance));
    vec3 normal = s.normal;
    if (bits_of(s.sphere & struck) != 0)
        normal = pick3(s.sphere, unit(minus(at, s.centre)), normal);
    const ints entering = dot(normal, l->direction) < 0.0f, shining = s.emits & struck;
    normal = pick3(entering, normal, times(normal, all(-1.0f)));
    l->origin = pick3(struck, at, l->origin);
    uint32_t full = 0;
    if (bits_of(shining) != 0) {
        l->lit |= bits_of(shining);
        full = push(l, shining, all_ints(FS_ENTRY_LIGHT), s.material, weight);
    }
    return full | shade(l, &s, normal, entering, weight, struck & ~lanes_of(full));
}

/* ---- a job ---- */

LANES static void bounce(path_lanes *l, float survivor) {
    const fs_primitives *scene = l->rules->scene;
    const ints alive = lanes_of(l->live),
               dice = alive & ((ints)l->counted[BOUNCE] >= (int32_t)l->rules->roulette_depth);
    ints stopped = all_ints(0);
    if (bits_of(dice) != 0)
        stopped = dice & (number(l, dice) < l->rules->stop);
    const floats weight = pick(dice, all(survivor), all(1.0f));
    const ints live = alive & ~stopped;
    floats distance;
    count(l, BOUNCE, live);
    const ints hit = nearest(l, live, &distance), gone = live & (hit == (int32_t)scene->objects);
    const uint32_t full = strike(l, hit, distance, weight, live & ~gone), stop = bits_of(stopped),
                   escaped = bits_of(gone);
    if (escaped != 0 && scene->has_sky) {
        l->lit |= escaped;
        push(l, gone, all_ints(FS_ENTRY_LIGHT), all_ints((int32_t)scene->materials), weight);
    }
    for (uint32_t rest = stop | escaped | full; rest != 0; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest), its = 1u << lane;
        end(l, lane,
            (stop & its) != 0      ? FS_PAINT_STOPPED
            : (escaped & its) != 0 ? FS_PAINT_ESCAPED
                                   : FS_PAINT_FULL);
    }
}

LANES_INLINE void paint(const fs_paint_rules *rules, const fs_paint_job *job) {
    path_lanes l;
    memset(&l, 0, sizeof l);
    l.rules = rules;
    l.job = job;
    l.points = job->width * job->height;
    for (uint32_t i = 0; i < rules->scene->objects; i++)
        l.of_kind[rules->scene->object[i].kind]++;
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
        begin(&l, lane);
    while (l.live != 0)
        bounce(&l, 1.0f / (1.0f - rules->stop));
}
