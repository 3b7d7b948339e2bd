/* Maps of depth made of points: each point a disc as wide as the way to its neighbours, the nearest one counts, and what no disc
 * covers is as far as the farthest beside it. */
#include "workloads/scene/clouds/carve.h"

#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The capture's pictures at half of the size in which its cameras are handed on (scenes.md 4): 648 x 420 with a focal
 * length of 481. */
enum { WIDTH = 324, HEIGHT = 210, PIXELS = WIDTH * HEIGHT, RINGS = 3, NEIGHBOURS = 6, WIDEST = 12 };
static const double focal = 240.5, nearest = 0.05;
/* The radius of a point's disc over the mean distance to its neighbours, and how much nearer than what is seen there a place
 * must be. */
static const double disc = 0.75, nearer = 0.99;

typedef struct picture {
    fs_v3 eye, right, down, forward;
} picture;

struct fs_carve {
    uint32_t pictures;
    picture picture[FS_CARVE_PICTURES];
    float *depth; /* [pictures][HEIGHT][WIDTH] along `forward` */
};

/* ---- where the pictures are taken ---- */

static fs_v3 middle_of(const fs_sites *points, const fs_grow_params *params) {
    if (params->centre_given)
        return (fs_v3){params->centre[0], params->centre[1], params->centre[2]};
    return (fs_v3){fs_quantile(points->x, points->count, 0.5), fs_quantile(points->y, points->count, 0.5),
                   fs_quantile(points->z, points->count, 0.5)};
}

static double distance_of(const fs_sites *points, const fs_grow_params *params, fs_v3 middle) {
    if (params->distance > 0)
        return params->distance;
    float *away = fs_malloc(points->count * sizeof *away);
    for (uint32_t i = 0; i < points->count; i++) {
        const fs_v3 p = {(double)points->x[i], (double)points->y[i], (double)points->z[i]};
        away[i] = (float)fs_v3_length(fs_v3_sub(p, middle));
    }
    const double median = fs_quantile(away, points->count, 0.5);
    free(away);
    return median;
}

static void place_pictures(fs_carve *c, const fs_grow_params *params, fs_v3 middle, double distance,
                           fs_v3 up) {
    const fs_v3 aside = fabs(up.x) < 0.9 ? (fs_v3){1, 0, 0} : (fs_v3){0, 1, 0};
    const fs_v3 a = fs_v3_unit(fs_v3_cross(up, aside)), b = fs_v3_cross(up, a);
    const uint32_t each = (uint32_t)params->pictures;
    for (uint32_t i = 0; i < c->pictures; i++) {
        /* a ring's pictures stand between those of the ring below */
        const uint32_t ring = i / each;
        const double height = params->rings[ring] * FS_DEGREE,
                     turn = (i % each + (double)ring / RINGS) / each * FS_TURN;
        const fs_v3 level = fs_v3_add(fs_v3_scale(a, fs_cos(turn)), fs_v3_scale(b, fs_sin(turn)));
        const fs_v3 out = fs_v3_add(fs_v3_scale(level, fs_cos(height)), fs_v3_scale(up, fs_sin(height)));
        picture *p = &c->picture[i];
        p->eye = fs_v3_along(middle, out, distance);
        p->forward = fs_v3_scale(out, -1);
        p->right = fs_v3_unit(fs_v3_cross(p->forward, up));
        p->down = fs_v3_cross(p->forward, p->right);
    }
}

/* ---- what they show ---- */

/* A place as a picture has it; false where it lies behind the eye. */
static bool project(const picture *p, fs_v3 at, double *u, double *v, double *depth) {
    const fs_v3 d = fs_v3_sub(at, p->eye);
    *depth = fs_v3_dot(d, p->forward);
    if (*depth < nearest)
        return false;
    *u = focal * fs_v3_dot(d, p->right) / *depth + WIDTH / 2.0;
    *v = focal * fs_v3_dot(d, p->down) / *depth + HEIGHT / 2.0;
    return true;
}

static void draw_disc(float *depth, double u, double v, double radius, float z) {
    const int top = (int)fmax(0, floor(v - radius)), bottom = (int)fmin(HEIGHT - 1, floor(v + radius)),
              left = (int)fmax(0, floor(u - radius)), right = (int)fmin(WIDTH - 1, floor(u + radius));
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            const double du = i + 0.5 - u, dv = j + 0.5 - v;
            float *at = &depth[j * WIDTH + i];
            if (du * du + dv * dv <= radius * radius && (*at == 0 || z < *at))
                *at = z;
        }
}

/* What no disc covers, from its rim inwards. */
static void fill_holes(float *depth) {
    float *filled = fs_malloc(PIXELS * sizeof *filled);
    for (bool open = true, any = true; open && any;) {
        open = any = false;
        memcpy(filled, depth, PIXELS * sizeof *filled);
        for (int j = 0; j < HEIGHT; j++)
            for (int i = 0; i < WIDTH; i++) {
                float far = depth[j * WIDTH + i];
                if (far > 0)
                    continue;
                for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < HEIGHT; y++)
                    for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < WIDTH; x++)
                        far = fmaxf(far, depth[y * WIDTH + x]);
                filled[j * WIDTH + i] = far;
                open = true;
                any = any || far > 0;
            }
        memcpy(depth, filled, PIXELS * sizeof *filled);
    }
    free(filled);
}

static void take(const picture *p, const fs_sites *points, const float *spacing, float *depth) {
    for (uint32_t i = 0; i < points->count; i++) {
        double u, v, z;
        const fs_v3 at = {(double)points->x[i], (double)points->y[i], (double)points->z[i]};
        if (project(p, at, &u, &v, &z))
            draw_disc(depth, u, v, fmin(WIDEST, fmax(1, disc * (double)spacing[i] * focal / z)), (float)z);
    }
    fill_holes(depth);
}

static float *spacing_of(const fs_sites *points) {
    float *spacing = fs_malloc(points->count * sizeof *spacing);
    fs_nearby *tree = fs_nearby_create(points->x, points->y, points->z, points->count);
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < points->count; i++) {
        uint32_t near[NEIGHBOURS];
        double d2[NEIGHBOURS], sum = 0;
        const double at[3] = {(double)points->x[i], (double)points->y[i], (double)points->z[i]};
        const uint32_t n = fs_nearby_nearest(tree, at, i, NEIGHBOURS, near, d2);
        for (uint32_t k = 0; k < n; k++)
            sum += sqrt(d2[k]);
        spacing[i] = (float)(sum / n);
    }
    fs_nearby_free(tree);
    return spacing;
}

fs_carve *fs_carve_make(const fs_sites *points, const fs_grow_params *params) {
    const fs_v3 up =
        params->up_given ? (fs_v3){params->up[0], params->up[1], params->up[2]} : (fs_v3){0, 0, 1};
    fs_carve *c = fs_calloc(1, sizeof *c);
    c->pictures = RINGS * (uint32_t)params->pictures;
    c->depth = fs_calloc((size_t)c->pictures * PIXELS, sizeof *c->depth);
    const fs_v3 middle = middle_of(points, params);
    place_pictures(c, params, middle, distance_of(points, params, middle), fs_v3_unit(up));
    float *spacing = spacing_of(points);
#pragma omp parallel for schedule(dynamic)
    for (uint32_t i = 0; i < c->pictures; i++)
        take(&c->picture[i], points, spacing, c->depth + (size_t)i * PIXELS);
    free(spacing);
    return c;
}

void fs_carve_free(fs_carve *carve) {
    if (carve != NULL)
        free(carve->depth);
    free(carve);
}

/* ---- looking ---- */

fs_carve_sight fs_carve_look(const fs_carve *carve, float x, float y, float z) {
    fs_carve_sight sight = {0};
    double pixels = 0;
    for (uint32_t i = 0; i < carve->pictures; i++) {
        double u, v, depth;
        if (!project(&carve->picture[i], (fs_v3){(double)x, (double)y, (double)z}, &u, &v, &depth) || u < 0 ||
            v < 0 || u >= WIDTH || v >= HEIGHT)
            continue;
        sight.framed |= 1u << i;
        if (depth >= nearer * (double)carve->depth[(size_t)i * PIXELS + (size_t)v * WIDTH + (size_t)u])
            continue;
        sight.through |= 1u << i;
        pixels += focal / depth * (focal / depth);
    }
    sight.pixels = (float)pixels;
    return sight;
}

bool fs_carve_empty(fs_carve_sight sight) {
    return __builtin_popcount(sight.through) >= 2;
}
