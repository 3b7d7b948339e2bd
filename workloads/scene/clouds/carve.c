/* Maps of depth made of points: each point a disc as wide as the way to its neighbours, the nearest one counts, and what no disc
 * covers is as far as the farthest beside it. */
#include "workloads/scene/clouds/carve.h"

#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/host/voice.h"

#include <math.h>
#include <stdlib.h>

/* A picture on a ring is one of Garden's capture at half the size in which its cameras are handed on (scenes.md 4): 648 x 420 with a
 * focal length of 481. Larger pictures are made as small. */
enum { WIDTH = 324, HEIGHT = 210, RINGS = 3, NEIGHBOURS = 6, WIDEST = 12 };
static const double focal = 240.5, nearest = 0.05;
/* The radius of a point's disc over the mean distance to its neighbours, and how much nearer than what is seen there a place
 * must be. */
static const double disc = 0.75, nearer = 0.99;
/* The trainer's pictures: a quarter of the capture's width, every second pixel of it counted, so twice as wide as these here
 * (docs/facts/garden_view.md 3). */
static const double trained_width = 648;

typedef struct picture {
    fs_v3 eye, right, down, forward;
    int width, height; /* pixels */
    double fx, fy, cx, cy;
    float *depth; /* [height][width] along `forward` */
} picture;

struct fs_carve {
    uint32_t pictures;
    picture picture[FS_CARVE_PICTURES];
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

static void place_rings(fs_carve *c, const fs_grow_params *params, fs_v3 middle, double distance, fs_v3 up) {
    c->pictures = RINGS * (uint32_t)params->pictures;
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
        *p = (picture){.width = WIDTH,
                       .height = HEIGHT,
                       .fx = focal,
                       .fy = focal,
                       .cx = WIDTH / 2.0,
                       .cy = HEIGHT / 2.0};
        p->eye = fs_v3_along(middle, out, distance);
        p->forward = fs_v3_scale(out, -1);
        p->right = fs_v3_unit(fs_v3_cross(p->forward, up));
        p->down = fs_v3_cross(p->forward, p->right);
    }
}

/* ---- those of the capture ---- */

static fs_v3 into_scene(const double m[16], fs_v3 v) {
    return (fs_v3){m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z,
                   m[8] * v.x + m[9] * v.y + m[10] * v.z};
}

/* A camera in the frame of the points' file, turned and moved with them. */
static picture picture_of(const fs_camera *camera, const fs_import_params *params) {
    static const double same[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double *m = params->transform_given ? params->transform : same;
    const uint32_t longer = camera->width > camera->height ? camera->width : camera->height;
    const double smaller = fmin(1, (double)WIDTH / longer);
    const fs_v3 eye = {(double)camera->origin[0], (double)camera->origin[1], (double)camera->origin[2]},
                right = {(double)camera->right[0], (double)camera->right[1], (double)camera->right[2]},
                down = {(double)camera->down[0], (double)camera->down[1], (double)camera->down[2]},
                forward = {(double)camera->forward[0], (double)camera->forward[1],
                           (double)camera->forward[2]};
    const double fx = smaller / (double)camera->scale_x, fy = smaller / (double)camera->scale_y;
    return (picture){.eye = fs_v3_add(into_scene(m, eye), (fs_v3){m[3], m[7], m[11]}),
                     .right = fs_v3_unit(into_scene(m, right)),
                     .down = fs_v3_unit(into_scene(m, down)),
                     .forward = fs_v3_unit(into_scene(m, forward)),
                     .width = (int)fmax(1, smaller * camera->width),
                     .height = (int)fmax(1, smaller * camera->height),
                     .fx = fx,
                     .fy = fy,
                     .cx = -(double)camera->offset_x * fx,
                     .cy = -(double)camera->offset_y * fy};
}

fs_status fs_carve_cameras(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err) {
    if (!fs_cameras_read(path, arena, out, err) && (out->count == 0 || out->count > FS_CARVE_PICTURES))
        fs_fail(err, FS_INPUT, "%s: expected 1 to %d cameras, found %zu", path, FS_CARVE_PICTURES,
                out->count);
    return err->status;
}

static void say_distorted(const char *path, const fs_camera_list *list) {
    size_t distorted = 0;
    for (size_t i = 0; i < list->count; i++)
        distorted += list->camera[i].distorted;
    if (distorted > 0)
        fs_say("%s: %zu of %zu lenses have a distortion, which is left out: cameras here are pinholes", path,
               distorted, list->count);
}

static fs_status place_cameras(fs_carve *c, const fs_import_params *params, fs_error *err) {
    const char *path = params->grow.cameras;
    fs_arena *arena = fs_arena_create();
    fs_camera_list list = {0};
    if (!fs_carve_cameras(path, arena, &list, err))
        say_distorted(path, &list);
    for (size_t i = 0; err->status == FS_OK && i < list.count; i++) {
        fs_camera camera;
        if (!fs_camera_make(&list.camera[i].params, path, &camera, err))
            c->picture[c->pictures++] = picture_of(&camera, params);
    }
    fs_arena_free(arena);
    return err->status;
}

/* ---- what they show ---- */

/* A place as a picture has it; false where it lies behind the eye. */
static bool project(const picture *p, fs_v3 at, double *u, double *v, double *depth) {
    const fs_v3 d = fs_v3_sub(at, p->eye);
    *depth = fs_v3_dot(d, p->forward);
    if (*depth < nearest)
        return false;
    *u = p->fx * fs_v3_dot(d, p->right) / *depth + p->cx;
    *v = p->fy * fs_v3_dot(d, p->down) / *depth + p->cy;
    return true;
}

static void draw_disc(const picture *p, double u, double v, double radius, float z) {
    const int top = (int)fmax(0, floor(v - radius)), bottom = (int)fmin(p->height - 1, floor(v + radius)),
              left = (int)fmax(0, floor(u - radius)), right = (int)fmin(p->width - 1, floor(u + radius));
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            const double du = i + 0.5 - u, dv = j + 0.5 - v;
            float *at = &p->depth[j * p->width + i];
            if (du * du + dv * dv <= radius * radius && (*at == 0 || z < *at))
                *at = z;
        }
}

/* Pixels around one, itself too. */
static uint32_t around(const picture *p, uint32_t pixel, uint32_t beside[9]) {
    const int width = p->width, i = (int)pixel % width, j = (int)pixel / width;
    uint32_t n = 0;
    for (int y = j > 0 ? j - 1 : 0; y <= j + 1 && y < p->height; y++)
        for (int x = i > 0 ? i - 1 : 0; x <= i + 1 && x < width; x++)
            beside[n++] = (uint32_t)(y * width + x);
    return n;
}

/* 0: nothing is known there. */
static float farthest_around(const picture *p, uint32_t pixel) {
    uint32_t beside[9];
    float far = 0;
    for (uint32_t n = around(p, pixel, beside); n-- > 0;)
        far = p->depth[beside[n]] > far ? p->depth[beside[n]] : far;
    return far;
}

/* What no disc covers, from its rim inwards: in each round the open pixels that lie beside known ones. */
static void fill_holes(const picture *p) {
    const uint32_t pixels = (uint32_t)(p->width * p->height);
    uint32_t *rim = fs_malloc(pixels * sizeof *rim), *next = fs_malloc(pixels * sizeof *next), count = 0;
    float *filled = fs_malloc(pixels * sizeof *filled);
    bool *listed = fs_calloc(pixels, sizeof *listed);
    for (uint32_t k = 0; k < pixels; k++)
        if (!(p->depth[k] > 0) && farthest_around(p, k) > 0) {
            rim[count++] = k;
            listed[k] = true;
        }
    while (count > 0) {
        uint32_t more = 0, beside[9];
        for (uint32_t k = 0; k < count; k++)
            filled[k] = farthest_around(p, rim[k]);
        for (uint32_t k = 0; k < count; k++)
            p->depth[rim[k]] = filled[k];
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t n = around(p, rim[k], beside); n-- > 0;)
                if (!(p->depth[beside[n]] > 0) && !listed[beside[n]]) {
                    next[more++] = beside[n];
                    listed[beside[n]] = true;
                }
        uint32_t *swap = rim;
        rim = next;
        next = swap;
        count = more;
    }
    free(listed);
    free(filled);
    free(next);
    free(rim);
}

static void take(picture *p, const fs_sites *points, const float *spacing) {
    p->depth = fs_calloc((size_t)p->width * (size_t)p->height, sizeof *p->depth);
    for (uint32_t i = 0; i < points->count; i++) {
        double u, v, z;
        const fs_v3 at = {(double)points->x[i], (double)points->y[i], (double)points->z[i]};
        if (project(p, at, &u, &v, &z))
            draw_disc(p, u, v, fmin(WIDEST, fmax(1, disc * (double)spacing[i] * p->fx / z)), (float)z);
    }
    fill_holes(p);
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

static void place_around(fs_carve *c, const fs_sites *points, const fs_grow_params *params) {
    const fs_v3 up =
        params->up_given ? (fs_v3){params->up[0], params->up[1], params->up[2]} : (fs_v3){0, 0, 1};
    const fs_v3 middle = middle_of(points, params);
    place_rings(c, params, middle, distance_of(points, params, middle), fs_v3_unit(up));
}

fs_carve *fs_carve_make(const fs_sites *points, const fs_import_params *params, fs_error *err) {
    fs_carve *c = fs_calloc(1, sizeof *c);
    if (params->grow.cameras[0] == '\0') {
        place_around(c, points, &params->grow);
    } else if (place_cameras(c, params, err)) {
        free(c);
        return NULL;
    }
    float *spacing = spacing_of(points);
#pragma omp parallel for schedule(dynamic)
    for (uint32_t i = 0; i < c->pictures; i++)
        take(&c->picture[i], points, spacing);
    free(spacing);
    return c;
}

void fs_carve_free(fs_carve *carve) {
    for (uint32_t i = 0; carve != NULL && i < carve->pictures; i++)
        free(carve->picture[i].depth);
    free(carve);
}

/* ---- looking ---- */

fs_carve_sight fs_carve_look(const fs_carve *carve, float x, float y, float z) {
    fs_carve_sight sight = {0};
    for (uint32_t i = 0; i < carve->pictures; i++) {
        const picture *p = &carve->picture[i];
        double u, v, depth;
        if (!project(p, (fs_v3){(double)x, (double)y, (double)z}, &u, &v, &depth) || u < 0 || v < 0 ||
            u >= p->width || v >= p->height)
            continue;
        const uint64_t bit = UINT64_C(1) << i % 64;
        sight.framed.word[i / 64] |= bit;
        if (depth < nearer * (double)p->depth[(size_t)v * (size_t)p->width + (size_t)u])
            sight.through.word[i / 64] |= bit;
    }
    return sight;
}

fs_carve_count fs_carve_pixels(const fs_carve *carve, const float at[3], double across,
                               const fs_carve_set *set) {
    fs_carve_count sum = {0};
    for (uint32_t k = 0; k < FS_CARVE_WORDS; k++)
        for (uint64_t left = set->word[k]; left != 0; left &= left - 1) {
            const picture *p = &carve->picture[64 * k + (uint32_t)__builtin_ctzll(left)];
            const fs_v3 d = fs_v3_sub((fs_v3){(double)at[0], (double)at[1], (double)at[2]}, p->eye);
            const double depth = fmax(nearest, fs_v3_dot(d, p->forward)),
                         wide = trained_width / p->width * p->fx * across / depth, pixels = wide * wide;
            sum.counted += pixels / sqrt(1 + pixels);
            sum.most = fmax(sum.most, pixels);
        }
    return sum;
}

/* ---- sets ---- */

static int count_of(const fs_carve_set *set) {
    int n = 0;
    for (int k = 0; k < FS_CARVE_WORDS; k++)
        n += __builtin_popcountll(set->word[k]);
    return n;
}

bool fs_carve_empty(const fs_carve_sight *sight) {
    const int through = count_of(&sight->through);
    return through >= 2 && 12 * through >= count_of(&sight->framed);
}

fs_carve_set fs_carve_over(const fs_carve_sight *opaque, const fs_carve_sight *empty) {
    fs_carve_set see;
    for (int k = 0; k < FS_CARVE_WORDS; k++)
        see.word[k] = empty->through.word[k] & opaque->framed.word[k] & ~opaque->through.word[k];
    return see;
}

bool fs_carve_none(const fs_carve_set *set) {
    return count_of(set) == 0;
}

void fs_carve_unite(fs_carve_set *set, const fs_carve_set *with) {
    for (int k = 0; k < FS_CARVE_WORDS; k++)
        set->word[k] |= with->word[k];
}
