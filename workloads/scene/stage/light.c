/* Questions about the space of a stage, and the light in it. */
#include "workloads/scene/stage/stage.h"

#include <math.h>

enum { MOST_BESIDE = 64 };

/* ---- questions about space ---- */

/* The lesser of `nearest` and the distance to a solid. */
static inline double nearer(const fs_solid *s, fs_v3 p, double nearest) {
    fs_v3 d = fs_v3_sub(p, s->middle);
    double bound = nearest + s->reach;
    if (bound > 0 && fs_v3_dot(d, d) < bound * bound) {
        double distance = fs_solid_distance(s, p);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* Distance to the nearest solid, exact only where it is less than `enough`. */
double fs_stage_distance(const fs_stage *stage, fs_v3 p, double enough) {
    double nearest = enough;
    for (uint32_t i = 0; i < stage->solids; i++)
        nearest = nearer(&stage->solid[i], p, nearest);
    return nearest;
}

/* The solids that are nearer than `enough` to some point of a segment; all that a question along it has to
 * look at. */
typedef struct beside {
    const fs_solid *solid[MOST_BESIDE];
    uint32_t count;
    bool all; /* they are too many to list */
} beside;

static void look_along(const fs_stage *stage, fs_v3 from, fs_v3 direction, double far, double enough,
                       beside *out) {
    const double margin = 1e-6, step = 1 / fs_v3_dot(direction, direction);
    out->count = 0;
    out->all = false;
    for (uint32_t i = 0; i < stage->solids; i++) {
        const fs_solid *s = &stage->solid[i];
        const fs_v3 to = fs_v3_sub(s->middle, from);
        double t = fs_v3_dot(to, direction) * step;
        t = t < 0 ? 0 : t > far ? far : t;
        const fs_v3 d = fs_v3_along(to, direction, -t);
        const double bound = (enough + s->reach) * (1 + margin) + margin;
        if (fs_v3_dot(d, d) >= bound * bound)
            continue;
        if (out->count == MOST_BESIDE) {
            out->all = true;
            return;
        }
        out->solid[out->count++] = s;
    }
}

/* fs_stage_distance for a point of the segment, with the same `enough`. */
static double distance_beside(const fs_stage *stage, const beside *near, fs_v3 p, double enough) {
    if (near->all)
        return fs_stage_distance(stage, p, enough);
    double nearest = enough;
    for (uint32_t i = 0; i < near->count; i++)
        nearest = nearer(near->solid[i], p, nearest);
    return nearest;
}

double fs_stage_canopy_depth(const fs_stage *stage, fs_v3 p, const fs_canopy *but) {
    double least = 4; /* beyond two radii nothing asks */
    for (uint32_t i = 0; i < stage->canopies; i++) {
        const fs_canopy *c = &stage->canopy[i];
        fs_v3 d = {(p.x - c->at.x) / c->radii.x, (p.y - c->at.y) / c->radii.y, (p.z - c->at.z) / c->radii.z};
        double k = fs_v3_dot(d, d);
        if (k < least && c != but)
            least = k;
    }
    return sqrt(least);
}

/* ---- light ---- */

/* Share of light that passes the canopies on the way from p in direction d: falls with the chord. */
static double canopy_shade(const fs_stage *stage, fs_v3 p, fs_v3 d) {
    double light = 1;
    for (uint32_t i = 0; i < stage->canopies; i++) {
        const fs_canopy *c = &stage->canopy[i];
        fs_v3 o = {(p.x - c->at.x) / c->radii.x, (p.y - c->at.y) / c->radii.y, (p.z - c->at.z) / c->radii.z};
        fs_v3 e = {d.x / c->radii.x, d.y / c->radii.y, d.z / c->radii.z};
        double a = fs_v3_dot(e, e), b = fs_v3_dot(o, e), k = fs_v3_dot(o, o) - 1;
        double disc = b * b - a * k;
        if (disc <= 0 || (b > 0 && k > 0))
            continue;
        double chord = sqrt(disc / a); /* half, as a share of the diameter: 1 through the middle */
        light *= 1 - (1 - c->shade) * (chord < 1 ? chord : 1);
    }
    return light;
}

/* Soft shadow by stepping along the distance bound: the narrowest passage decides. */
static double sun_light(const fs_stage *stage, fs_v3 p, fs_v3 n, fs_v3 direction, double far) {
    const double softness = 18; /* widens the penumbra to about three degrees */
    double light = 1, t = 0.02;
    fs_v3 from = fs_v3_along(p, n, 0.01);
    beside near;
    look_along(stage, from, direction, far, 0.6, &near);
    for (int step = 0; step < 40 && t < far; step++) {
        double d = distance_beside(stage, &near, fs_v3_along(from, direction, t), 0.6);
        if (d < 0.002)
            return 0;
        double open = softness * d / t;
        light = open < light ? open : light;
        t += d > 0.015 ? d : 0.015;
    }
    return light * canopy_shade(stage, from, direction);
}

/* How open the surroundings are along the normal, 0 ... 1. */
static double openness(const fs_stage *stage, fs_v3 p, fs_v3 n) {
    static const double probe[4] = {0.03, 0.09, 0.22, 0.5};
    double closed = 0;
    for (int i = 0; i < 4; i++) {
        double d = fs_stage_distance(stage, fs_v3_along(p, n, probe[i]), probe[i]);
        closed += (probe[i] - (d > 0 ? d : 0)) / probe[i] * 0.25;
    }
    double leaves = fs_stage_canopy_depth(stage, fs_v3_along(p, n, 0.1), NULL);
    double near_leaves = leaves < 1.4 ? 0.55 + 0.45 * (leaves > 0.6 ? (leaves - 0.6) / 0.8 : 0) : 1;
    return (1 - 0.85 * closed) * near_leaves;
}

static fs_v3 shaded(const fs_stage *stage, fs_v3 albedo, fs_v3 n, double open, double sun) {
    const fs_light *light = &stage->light;
    double up = 0.5 + 0.5 * n.z;
    fs_v3 sum = fs_v3_add(fs_v3_scale(light->sky_colour, up * open),
                          fs_v3_scale(light->ground_colour, (1 - up) * open));
    sum = fs_v3_along(sum, light->sun_colour, sun);
    return (fs_v3){albedo.x * sum.x, albedo.y * sum.y, albedo.z * sum.z};
}

/* Direct light on a surface: sun or lamp, with its shadow. */
static double direct_light(const fs_stage *stage, fs_v3 p, fs_v3 n) {
    const fs_light *light = &stage->light;
    fs_v3 to = light->lamp ? fs_v3_sub(light->sun, p) : light->sun;
    double distance = light->lamp ? fs_v3_length(to) : 1;
    fs_v3 direction = fs_v3_scale(to, 1 / distance);
    double facing = fs_v3_dot(n, direction);
    if (facing <= 0)
        return 0;
    double far = light->lamp ? distance - 0.45 : 9; /* the lamp itself casts no shadow */
    double fall = light->lamp ? 1 / (0.6 + distance * distance) : 1;
    return facing * fall * sun_light(stage, p, n, direction, far);
}

void fs_stage_paint(const fs_stage *stage, const fs_solid *solid, const fs_surface_point *at, fs_rng *rng,
                    double *height, uint8_t rgb[3]) {
    bool glows = false;
    *height = 0;
    fs_v3 colour = fs_stage_colour(solid->paint, solid->tint, at->p, at->local, rng, height, &glows);
    if (!glows)
        colour =
            shaded(stage, colour, at->n, openness(stage, at->p, at->n), direct_light(stage, at->p, at->n));
    fs_stage_store(colour, rgb);
}

void fs_stage_paint_leaf(const fs_stage *stage, const fs_canopy *c, fs_v3 p, fs_v3 n, double depth,
                         fs_rng *rng, uint8_t rgb[3]) {
    const fs_light *light = &stage->light;
    fs_v3 leaf = fs_v3_unit(fs_v3_along(n, fs_v3_direction(rng), 0.6)); /* leaves don't lie flat */
    double height;
    bool glows = false;
    fs_v3 colour = fs_stage_colour(FS_PAINT_LEAF, c->tint, p, p, rng, &height, &glows);
    double facing =
        0.25 + 0.75 * fs_v3_dot(leaf, light->sun) / fs_v3_length(light->sun); /* leaves let light through */
    double sun = light->lamp ? direct_light(stage, p, n) : facing > 0.1 ? facing : 0.1;
    if (!light->lamp)
        sun *= sun_light(stage, fs_v3_along(p, n, 0.05), n, light->sun, 6);
    double open = 1 - 0.75 * depth / (depth + 0.25);
    fs_stage_store(shaded(stage, colour, leaf, open, sun * (1 - 0.6 * depth)), rgb);
}
