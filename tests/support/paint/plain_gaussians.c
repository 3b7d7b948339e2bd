#include "tests/support/paint/plain_gaussians.h"

#include <math.h>
#include <stdlib.h>

typedef struct spot {
    double x, y, depth, a, b, c, reach, opacity, colour[3]; /* a, b, c: inverse of the covariance */
} spot;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void unit(double v[3]) {
    const double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

plain_camera plain_camera_at(const double eye[3], const double at[3], double half_angle, uint32_t width,
                             uint32_t height) {
    plain_camera c = {.half_angle = half_angle, .width = width, .height = height};
    for (int k = 0; k < 3; k++) {
        c.eye[k] = eye[k];
        c.forward[k] = at[k] - eye[k];
    }
    unit(c.forward);
    c.right[0] = c.forward[1];
    c.right[1] = -c.forward[0];
    c.right[2] = 0;
    unit(c.right);
    for (int k = 0; k < 3; k++)
        c.down[k] =
            c.forward[(k + 1) % 3] * c.right[(k + 2) % 3] - c.forward[(k + 2) % 3] * c.right[(k + 1) % 3];
    return c;
}

/* Turns v by the quaternion, as conjugation; of any length, which the published program does not take out. */
static void turned(const float q[4], const double v[3], double out[3]) {
    const double w = (double)q[0], u[3] = {(double)q[1], (double)q[2], (double)q[3]};
    double cross[3], again[3];
    for (int k = 0; k < 3; k++)
        cross[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        again[k] = u[(k + 1) % 3] * cross[(k + 2) % 3] - u[(k + 2) % 3] * cross[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        out[k] = v[k] + 2 * (w * cross[k] + again[k]);
}

static spot spot_of(const fs_splat *g, const plain_camera *c) {
    const double focal = c->height / (2 * tan(c->half_angle));
    double from[3], cov[3] = {0.3, 0, 0.3};
    for (int k = 0; k < 3; k++)
        from[k] = (double)g->mean[k] - c->eye[k];
    const double x = dot(from, c->right), y = dot(from, c->down), z = dot(from, c->forward);
    for (int k = 0; k < 3; k++) { /* each axis of the ellipsoid as a vector of the picture */
        double axis[3] = {0}, world[3];
        axis[k] = exp((double)g->scale[k]);
        turned(g->rotation, axis, world);
        const double dx = dot(world, c->right), dy = dot(world, c->down), dz = dot(world, c->forward);
        const double u = focal * (dx / z - x * dz / (z * z)), v = focal * (dy / z - y * dz / (z * z));
        cov[0] += u * u;
        cov[1] += u * v;
        cov[2] += v * v;
    }
    const double det = cov[0] * cov[2] - cov[1] * cov[1];
    return (spot){.x = focal * x / z + c->width / 2.0 - 0.5,
                  .y = focal * y / z + c->height / 2.0 - 0.5,
                  .depth = z,
                  .a = cov[2] / det,
                  .b = -cov[1] / det,
                  .c = cov[0] / det,
                  .reach = 3.5 * sqrt(cov[0] > cov[2] ? cov[0] : cov[2]),
                  .opacity = (double)g->opacity,
                  .colour = {(double)g->colour[0], (double)g->colour[1], (double)g->colour[2]}};
}

static int nearer(const void *a, const void *b) {
    const double x = ((const spot *)a)->depth, y = ((const spot *)b)->depth;
    return (x > y) - (x < y);
}

void plain_gaussians(const fs_splats *scene, const plain_camera *c, uint8_t *rgb) {
    const size_t pixels = (size_t)c->width * c->height;
    spot *spots = malloc(scene->count * sizeof *spots);
    double *light = calloc(pixels * 3, sizeof *light), *behind = malloc(pixels * sizeof *behind);
    for (size_t p = 0; p < pixels; p++)
        behind[p] = 1;
    for (uint32_t i = 0; i < scene->count; i++)
        spots[i] = spot_of(&scene->item[i], c);
    qsort(spots, scene->count, sizeof *spots, nearer);
    for (uint32_t i = 0; i < scene->count; i++) {
        const spot *s = &spots[i];
        if (s->depth <= 0.2)
            continue;
        for (int y = (int)fmax(0, s->y - s->reach); y < (int)c->height && y <= s->y + s->reach; y++)
            for (int x = (int)fmax(0, s->x - s->reach); x < (int)c->width && x <= s->x + s->reach; x++) {
                const size_t p = (size_t)y * c->width + (size_t)x;
                const double dx = x - s->x, dy = y - s->y,
                             strength = s->opacity *
                                        exp(-0.5 * (s->a * dx * dx + 2 * s->b * dx * dy + s->c * dy * dy));
                const double alpha = strength < 0.99 ? strength : 0.99;
                if (alpha < 1 / 255.0 || behind[p] < 0.0001)
                    continue;
                for (int k = 0; k < 3; k++)
                    light[3 * p + (size_t)k] += behind[p] * alpha * s->colour[k];
                behind[p] *= 1 - alpha;
            }
    }
    for (size_t v = 0; v < 3 * pixels; v++)
        rgb[v] = (uint8_t)fmin(255, fmax(0, 255 * light[v]));
    free(spots);
    free(light);
    free(behind);
}
