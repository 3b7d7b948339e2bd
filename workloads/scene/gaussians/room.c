/* A room of Gaussians that needs no file: flat ones on floor, walls, a table and balls. */
#include "workloads/scene/gaussians/gaussians.h"

#include "sim/base/detmath.h"
#include "sim/base/rng.h"

#include <math.h>
#include <stddef.h>

/* A rectangle: a corner, two sides; or a ball: its middle and radius. Colour, and that of the other squares of its chequers. */
typedef struct part {
    double corner[3], side[2][3];
    double radius; /* 0: a rectangle */
    double colour[3], other[3];
    double squares; /* of a unit; 0: plain */
    double share;   /* of the room's Gaussians */
} part;

static const part parts[] = {
    {{-2, 0, 0}, {{4, 0, 0}, {0, 4, 0}}, 0, {0.75, 0.7, 0.6}, {0.3, 0.22, 0.18}, 2, 0.27},
    {{-2, 4, 0}, {{4, 0, 0}, {0, 0, 2.5}}, 0, {0.55, 0.62, 0.7}, {0.5, 0.57, 0.66}, 4, 0.2},
    {{-2, 0, 0}, {{0, 4, 0}, {0, 0, 2.5}}, 0, {0.7, 0.3, 0.25}, {0.66, 0.27, 0.22}, 4, 0.15},
    {{2, 0, 0}, {{0, 4, 0}, {0, 0, 2.5}}, 0, {0.3, 0.55, 0.35}, {0.27, 0.5, 0.32}, 4, 0.15},
    {{-0.9, 1.6, 0.8}, {{1.8, 0, 0}, {0, 1.0, 0}}, 0, {0.5, 0.33, 0.18}, {0.44, 0.28, 0.15}, 5, 0.06},
    {{-0.45, 2.0, 1.05}, {{0}}, 0.25, {0.85, 0.75, 0.2}, {0.2, 0.2, 0.25}, 6, 0.02},
    {{0.35, 2.1, 1.0}, {{0}}, 0.2, {0.25, 0.4, 0.85}, {0.9, 0.9, 0.95}, 6, 0.015},
    {{1.2, 3.1, 0.5}, {{0}}, 0.5, {0.85, 0.85, 0.82}, {0.6, 0.2, 0.5}, 4, 0.045},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* The shortest turn of the z axis onto a direction of length one. */
static void turn_to(const double n[3], float rotation[4]) {
    if (n[2] < -0.9999) {
        rotation[0] = 0.0f, rotation[1] = 1.0f, rotation[2] = rotation[3] = 0.0f;
        return;
    }
    const double length = sqrt(2.0 * (1.0 + n[2]));
    rotation[0] = (float)((1.0 + n[2]) / length);
    rotation[1] = (float)(-n[1] / length);
    rotation[2] = (float)(n[0] / length);
    rotation[3] = 0.0f;
}

static void place_on_rectangle(const part *p, fs_rng *rng, double at[3], double n[3]) {
    const double u = fs_rng_unit(rng), v = fs_rng_unit(rng);
    for (int k = 0; k < 3; k++)
        at[k] = p->corner[k] + u * p->side[0][k] + v * p->side[1][k];
    for (int k = 0; k < 3; k++)
        n[k] = p->side[0][(k + 1) % 3] * p->side[1][(k + 2) % 3] -
               p->side[0][(k + 2) % 3] * p->side[1][(k + 1) % 3];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

static void place_on_ball(const part *p, fs_rng *rng, double at[3], double n[3]) {
    const double up = fs_rng_range(rng, -1, 1), around = fs_rng_range(rng, 0, FS_TURN),
                 flat = sqrt(1 - up * up);
    n[0] = flat * fs_cos(around), n[1] = flat * fs_sin(around), n[2] = up;
    for (int k = 0; k < 3; k++)
        at[k] = p->corner[k] + p->radius * n[k];
}

void fs_splats_room(fs_splat *item, uint32_t count, uint64_t seed) {
    fs_rng rng = fs_rng_stream(seed, "scene/gaussians/room");
    /* Spacing of flat Gaussians on about 30 square units: deviations of a third of it overlap. */
    const double size = fs_log(0.8 * sqrt(40.0 / count));
    for (uint32_t i = 0; i < count; i++) {
        double draw = fs_rng_unit(&rng), at[3], n[3];
        size_t which = 0;
        while (which + 1 < PARTS && draw >= parts[which].share)
            draw -= parts[which++].share;
        const part *p = &parts[which];
        (p->radius > 0 ? place_on_ball : place_on_rectangle)(p, &rng, at, n);
        int64_t squares = 0;
        for (int k = 0; k < 3; k++)
            squares += (int64_t)floor(at[k] * p->squares + 0.001);
        const double *colour = p->squares > 0 && squares % 2 != 0 ? p->other : p->colour;
        const double shade = 0.9 + 0.1 * fs_rng_unit(&rng) - 0.15 * (n[2] < 0);
        fs_splat *g = &item[i];
        for (int k = 0; k < 3; k++) {
            g->mean[k] = (float)at[k];
            g->colour[k] = (float)(colour[k] * shade);
        }
        for (int k = 0; k < 2; k++)
            g->scale[k] = (float)(size + 0.3 * fs_rng_normal(&rng) - (p->radius > 0 ? 0.8 : 0.0));
        g->scale[2] = (float)(size - 2.0);
        g->opacity = (float)fs_rng_range(&rng, 0.6, 0.98);
        turn_to(n, g->rotation);
    }
}
