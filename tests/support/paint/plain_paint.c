#include "tests/support/paint/plain_paint.h"

#include "workloads/smallpaint/walk/private.h"

#include <math.h>
#include <string.h>

typedef struct path {
    const fs_paint_rules *rules;
    uint32_t *counts;
    fs_path_random random;
    fs_vec3f origin, direction;
    fs_paint_entry entry[FS_PAINT_CAP];
    uint32_t entries;
    bool lit;
} path;

static float number(path *p) {
    const uint32_t u = fs_paths_u32(&p->random);
    p->counts[FS_PAINT_NUMBERS]++;
    return p->rules->half_numbers ? fs_paths_unit_half(u) : fs_paths_unit(u);
}

static bool push(path *p, uint32_t kind, uint32_t material, float weight) {
    p->entry[p->entries++] = (fs_paint_entry){kind, material, weight};
    p->counts[FS_PAINT_PUSHED]++;
    return p->entries < p->rules->cap;
}

/* Where the ray meets an object; at most FS_PAINT_NEAR where it does not. */
static float sphere(path *p, const fs_primitive *o) {
    const fs_vec3f from = fs_vec3f_sub(p->origin, o->centre);
    const float b = fs_vec3f_dot(from, p->direction), c = fs_vec3f_dot(from, from) - o->size * o->size;
    if (b > 0.0f && c > 0.0f) {
        p->counts[FS_PAINT_SPHERE_BEHIND]++;
        return 0.0f;
    }
    const float inside = b * b - c;
    if (!(inside >= 0.0f)) {
        p->counts[FS_PAINT_SPHERE_MISSED]++;
        return 0.0f;
    }
    p->counts[FS_PAINT_SPHERE_ENTERED]++;
    const float root = sqrtf(inside), first = -b - root;
    return first > FS_PAINT_NEAR ? first : root - b;
}

static float plane(path *p, const fs_primitive *o) {
    p->counts[FS_PAINT_PLANE]++;
    return -(fs_vec3f_dot(o->normal, p->origin) + o->size) / fs_vec3f_dot(o->normal, p->direction);
}

/* A disc has one side. */
static float disc(path *p, const fs_primitive *o) {
    const float towards = fs_vec3f_dot(o->normal, p->direction);
    if (!(towards < 0.0f)) {
        p->counts[FS_PAINT_DISC_AWAY]++;
        return 0.0f;
    }
    p->counts[FS_PAINT_DISC_TOWARDS]++;
    const fs_vec3f to = fs_vec3f_sub(o->centre, p->origin);
    const float t = fs_vec3f_dot(o->normal, to) / towards;
    const fs_vec3f off = fs_vec3f_sub(fs_vec3f_scale(p->direction, t), to);
    return fs_vec3f_dot(off, off) < o->size * o->size ? t : 0.0f;
}

/* The object that is hit first; `objects` where none is. */
static uint32_t nearest(path *p, float *distance) {
    const fs_primitives *scene = p->rules->scene;
    uint32_t hit = scene->objects;
    float best = INFINITY;
    for (uint32_t i = 0; i < scene->objects; i++) {
        const fs_primitive *o = &scene->object[i];
        const float t = o->kind == FS_SPHERE ? sphere(p, o) : o->kind == FS_PLANE ? plane(p, o) : disc(p, o);
        if (t > FS_PAINT_NEAR && t < best) {
            best = t;
            hit = i;
            p->counts[FS_PAINT_NEARER]++;
        }
    }
    *distance = best;
    return hit;
}

/* Uniform over the hemisphere around the normal; its weight is cosine x 0.1. */
static float scatter(path *p, fs_vec3f normal) {
    const float height = number(p), turn = number(p), radius = sqrtf(1.0f - height * height);
    float cosine, sine;
    fs_vec3f along, across;
    fs_turn(turn, &cosine, &sine);
    fs_basis(normal, &along, &across);
    p->direction = fs_vec3f_add(
        fs_vec3f_add(fs_vec3f_scale(along, radius * cosine), fs_vec3f_scale(across, radius * sine)),
        fs_vec3f_scale(normal, height));
    return height * 0.1f;
}

/* normal: on the ray's side; entering: it points out of the object. */
static void pass_glass(path *p, fs_vec3f normal, bool entering, float index) {
    const float ratio = entering ? 1.0f / index : index, u = number(p);
    fs_vec3f onward;
    const float cosine = -fs_vec3f_dot(p->direction, normal);
    if (fs_refract(p->direction, normal, ratio, &onward) && u >= fs_schlick(cosine, ratio))
        p->direction = fs_vec3f_unit(onward);
    else
        p->direction = fs_vec3f_unit(fs_reflect(p->direction, normal));
}

/* The hit's entries and the way on; false when the path is full. */
static bool shade(path *p, const fs_primitive *o, float distance, float weight) {
    const fs_surface *m = &p->rules->scene->material[o->material];
    const fs_vec3f at = fs_vec3f_add(p->origin, fs_vec3f_scale(p->direction, distance));
    fs_vec3f normal = o->normal;
    if (o->kind == FS_SPHERE)
        normal = fs_vec3f_unit(fs_vec3f_sub(at, o->centre));
    const bool entering = fs_vec3f_dot(normal, p->direction) < 0.0f;
    if (!entering)
        normal = fs_vec3f_scale(normal, -1.0f);
    p->origin = at;
    if (m->emits) {
        p->lit = true;
        if (!push(p, FS_ENTRY_LIGHT, o->material, weight))
            return false;
    }
    switch (m->kind) {
    case FS_SURFACE_DIFFUSE:
        p->counts[FS_PAINT_DIFFUSE]++;
        return push(p, FS_ENTRY_DIFFUSE, o->material, scatter(p, normal) * weight);
    case FS_SURFACE_MIRROR:
        p->counts[FS_PAINT_MIRROR]++;
        p->direction = fs_vec3f_unit(fs_reflect(p->direction, normal));
        return push(p, FS_ENTRY_WEIGHT, o->material, weight);
    case FS_SURFACE_GLASS:
        p->counts[FS_PAINT_GLASS]++;
        pass_glass(p, normal, entering, m->index);
        return push(p, FS_ENTRY_WEIGHT, o->material, weight);
    }
    return false;
}

static void trace(path *p) {
    const fs_paint_rules *rules = p->rules;
    const float survivor = 1.0f / (1.0f - rules->stop);
    for (uint32_t depth = 0;; depth++) {
        const bool dice = depth >= rules->roulette_depth;
        p->counts[FS_PAINT_ROULETTE] += dice;
        if (dice && number(p) < rules->stop) {
            p->counts[FS_PAINT_STOPPED]++;
            return;
        }
        const float weight = dice ? survivor : 1.0f;
        float distance;
        p->counts[FS_PAINT_BOUNCE]++;
        const uint32_t hit = nearest(p, &distance);
        if (hit == rules->scene->objects) {
            p->counts[FS_PAINT_ESCAPED]++;
            p->lit = p->lit || rules->scene->has_sky;
            if (rules->scene->has_sky)
                push(p, FS_ENTRY_LIGHT, rules->scene->materials, weight);
            return;
        }
        if (!shade(p, &rules->scene->object[hit], distance, weight)) {
            p->counts[FS_PAINT_FULL]++;
            return;
        }
    }
}

void plain_paint(const fs_paint_rules *rules, const fs_paint_job *job) {
    for (uint32_t row = 0; row < job->height; row++)
        for (uint32_t column = 0; column < job->width; column++) {
            const fs_paint_start start =
                fs_paint_begin(rules, job->left + column, job->top + row, job->sample);
            float *light = job->light + 3 * ((size_t)row * job->width + column);
            path p = {.rules = rules,
                      .counts = job->counts + (size_t)job->row_worker[row] * FS_PAINT_COUNTS,
                      .random = start.random,
                      .direction = start.direction};
            p.counts[FS_PAINT_PATH]++;
            trace(&p);
            p.counts[p.lit ? FS_PAINT_POPPED : FS_PAINT_CLEARED] += p.entries;
            memset(light, 0, 3 * sizeof *light);
            if (p.lit)
                fs_paint_accumulate(rules->scene, p.entry, p.entries, light);
        }
}
