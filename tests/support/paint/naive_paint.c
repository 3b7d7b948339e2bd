#include "tests/support/paint/naive_paint.h"

#include "sim/base/fp16.h"
#include "workloads/optics/random.h"

#include <math.h>
#include <string.h>

typedef struct ray {
    double from[3], to[3]; /* `to`: direction */
} ray;

typedef struct state {
    const fs_paint_rules *rules;
    fs_path_random random;
    naive_path out;
} state;

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static void copy(fs_vec3f v, double out[3]) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}
static void to_unit(double *v) {
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

static double draw(state *s) {
    s->out.numbers++;
    const uint32_t word = fs_paths_u32(&s->random);
    return s->rules->half_numbers ? floor(word / 2097152.0) / 2048.0 : floor(word / 256.0) / 16777216.0;
}

/* The smallest way beyond the surface itself, or -1. */
static double meet(const fs_primitive *o, const ray *r) {
    double c[3], n[3], off[3];
    copy(o->centre, c);
    copy(o->normal, n);
    for (int i = 0; i < 3; i++)
        off[i] = r->from[i] - c[i];
    if (o->kind == FS_SPHERE) {
        const double size = (double)o->size, b = dot(off, r->to), q = b * b - dot(off, off) + size * size;
        if (q < 0)
            return -1;
        const double near = -b - sqrt(q), far = -b + sqrt(q);
        return near > 1e-4 ? near : far > 1e-4 ? far : -1;
    }
    const double slope = dot(n, r->to);
    if (o->kind == FS_PLANE) {
        const double t = -(dot(n, r->from) + (double)o->size) / slope;
        return t > 1e-4 ? t : -1;
    }
    if (slope >= 0)
        return -1;
    const double t = -dot(n, off) / slope;
    double apart = 0;
    for (int i = 0; i < 3; i++)
        apart += (off[i] + t * r->to[i]) * (off[i] + t * r->to[i]);
    return t > 1e-4 && apart < (double)o->size * (double)o->size ? t : -1;
}

static void around(const double *n, double height, double turn, double out[3]) {
    const double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]), b = n[0] * n[1] * a,
                 radius = sqrt(1 - height * height);
    const double x = radius * cos(6.283185307179586 * turn), y = radius * sin(6.283185307179586 * turn);
    const double u[3] = {1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]},
                 v[3] = {b, sign + n[1] * n[1] * a, -n[1]};
    for (int i = 0; i < 3; i++)
        out[i] = u[i] * x + v[i] * y + n[i] * height;
}

static void bounce_off(const double *n, const double *in, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = in[i] - 2 * dot(in, n) * n[i];
}

static void glass(state *s, const double *n, const double *in, double ratio, double out[3]) {
    const double u = draw(s), c = -dot(in, n), k = 1 - ratio * ratio * (1 - c * c),
                 r = (1 - ratio) / (1 + ratio), share = r * r + (1 - r * r) * pow(1 - c, 5);
    bounce_off(n, in, out);
    if (k > 0 && u >= share)
        for (int i = 0; i < 3; i++)
            out[i] = ratio * in[i] + (ratio * c - sqrt(k)) * n[i];
}

static void follow(state *s, ray r, int depth, double light[3]) {
    const fs_primitives *scene = s->rules->scene;
    double weight = 1, best = INFINITY, n[3], onward[3], later[3];
    const fs_primitive *hit = NULL;
    memset(light, 0, 3 * sizeof *light);
    if (depth >= (int)s->rules->roulette_depth) {
        if (draw(s) < (double)s->rules->stop)
            return;
        weight = 1 / (1 - (double)s->rules->stop);
    }
    s->out.bounces++;
    for (uint32_t i = 0; i < scene->objects; i++) {
        const double t = meet(&scene->object[i], &r);
        if (t > 0 && t < best) {
            best = t;
            hit = &scene->object[i];
        }
    }
    if (hit == NULL) {
        double sky[3];
        copy(scene->sky, sky);
        for (int i = 0; i < 3; i++)
            light[i] = sky[i] * weight;
        s->out.entries += scene->has_sky;
        return;
    }
    const fs_surface *m = &scene->material[hit->material];
    double emission[3], colour[3];
    copy(m->emission, emission);
    copy(m->colour, colour);
    for (int i = 0; i < 3; i++)
        light[i] = emission[i] * weight;
    s->out.entries += m->emits;
    if (s->out.entries >= (int)s->rules->cap)
        return;
    ray next;
    copy(hit->normal, n);
    double centre[3];
    copy(hit->centre, centre);
    for (int i = 0; i < 3; i++) {
        next.from[i] = r.from[i] + best * r.to[i];
        if (hit->kind == FS_SPHERE)
            n[i] = (next.from[i] - centre[i]) / (double)hit->size;
    }
    const bool entering = dot(n, r.to) < 0;
    for (int i = 0; i < 3; i++)
        n[i] = entering ? n[i] : -n[i];
    double share[3] = {weight, weight, weight};
    if (m->kind == FS_SURFACE_DIFFUSE) {
        const double height = draw(s), turn = draw(s);
        around(n, height, turn, onward);
        for (int i = 0; i < 3; i++)
            share[i] = colour[i] * height * 0.1 * weight;
    } else if (m->kind == FS_SURFACE_MIRROR)
        bounce_off(n, r.to, onward);
    else
        glass(s, n, r.to, entering ? 1 / (double)m->index : (double)m->index, onward);
    to_unit(onward);
    memcpy(next.to, onward, sizeof next.to);
    if (++s->out.entries >= (int)s->rules->cap)
        return;
    follow(s, next, depth + 1, later);
    for (int i = 0; i < 3; i++)
        light[i] += share[i] * later[i];
}

/* A bell of four bytes, as f16. */
static double bell(uint32_t word) {
    double sum = -510;
    for (int i = 0; i < 4; i++)
        sum += (double)(word >> (8 * i) & 255);
    return (double)fs_f16_round((float)(sum / 147.80054));
}

naive_path naive_paint(const fs_paint_rules *rules, uint32_t column, uint32_t row, uint64_t sample) {
    state s = {.rules = rules,
               .random = fs_paths_random_of(rules->stream, (uint64_t)row * rules->width + column, sample)};
    ray r = {{0, 0, 0}, {0, 0, -1}};
    const double right = bell(fs_paths_u32(&s.random)), down = bell(fs_paths_u32(&s.random)),
                 noise = (double)rules->noise;
    r.to[0] = 2 * (column + 0.5 + noise * right) / rules->width - 1;
    r.to[1] = (rules->height - 2 * (row + 0.5 + noise * down)) / rules->width;
    to_unit(r.to);
    for (int i = 0; i < 3 && rules->half_rays; i++)
        r.to[i] = (double)fs_f16_round((float)r.to[i]);
    to_unit(r.to);
    double light[3];
    follow(&s, r, 0, light);
    memcpy(s.out.light, light, sizeof light);
    return s.out;
}
