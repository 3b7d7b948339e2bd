#include "workloads/gaussians/view.h"

#include "sim/base/detmath.h"

#include <math.h>

/* ---- a Gaussian in a view ---- */

/* Row r of a matrix kept column by column, times (v, 1). */
static float times(const float m[16], int r, const float v[3]) {
    return m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2] + m[12 + r];
}

static float clamped(float v, float limit) {
    return v < -limit ? -limit : v > limit ? limit : v;
}

/* Nine terms of a quaternion, of any length, times the squares of the deviations: R S S R^T. */
static void covariance(const fs_splat *g, float sigma[3][3]) {
    const float w = g->rotation[0], x = g->rotation[1], y = g->rotation[2], z = g->rotation[3];
    const float turn[3][3] = {
        {1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y - w * z), 2.0f * (x * z + w * y)},
        {2.0f * (x * y + w * z), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z - w * x)},
        {2.0f * (x * z - w * y), 2.0f * (y * z + w * x), 1.0f - 2.0f * (x * x + y * y)}};
    float m[3][3];
    for (int k = 0; k < 3; k++) {
        const float deviation = (float)fs_exp((double)g->scale[k]);
        for (int r = 0; r < 3; r++)
            m[r][k] = turn[r][k] * deviation;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sigma[r][c] = m[r][0] * m[c][0] + m[r][1] * m[c][1] + m[r][2] * m[c][2];
}

/* Its covariance in the picture: J W sigma W^T J^T, 0.3 more on the diagonal. */
static void flattened(const fs_splat *g, const fs_gaussians_view *view, float a[3]) {
    float sigma[3][3], world[2][3];
    const float t[3] = {times(view->matrix, 0, g->mean), times(view->matrix, 1, g->mean),
                        times(view->matrix, 2, g->mean)};
    const float u = clamped(t[0] / t[2], 1.3f * view->tangent[0]) * t[2],
                v = clamped(t[1] / t[2], 1.3f * view->tangent[1]) * t[2];
    const float j[2][3] = {{view->focal / t[2], 0.0f, -view->focal * u / (t[2] * t[2])},
                           {0.0f, view->focal / t[2], -view->focal * v / (t[2] * t[2])}};
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++)
            world[r][c] = j[r][0] * view->matrix[4 * c] + j[r][1] * view->matrix[4 * c + 1] +
                          j[r][2] * view->matrix[4 * c + 2];
    covariance(g, sigma);
    for (int e = 0; e < 3; e++) {
        const float *left = world[e == 2], *right = world[e > 0];
        a[e] = 0.0f;
        for (int r = 0; r < 3; r++)
            a[e] += left[r] * (sigma[r][0] * right[0] + sigma[r][1] * right[1] + sigma[r][2] * right[2]);
    }
    a[0] += 0.3f;
    a[2] += 0.3f;
}

/* A number as the device's conversion to unsigned has it: what is below 0 is 0. */
static uint32_t whole(float v) {
    return v > 0.0f ? (v < 4294967296.0f ? (uint32_t)v : UINT32_MAX) : 0;
}

static fs_gaussians_seen see(const fs_splat *g, const fs_gaussians_view *view,
                             const fs_gaussians_grid *grid) {
    float clip[4], a[3];
    for (int r = 0; r < 4; r++)
        clip[r] = times(view->product, r, g->mean);
    fs_gaussians_seen s = {.x = ((clip[0] / clip[3] + 1.0f) * (float)grid->width - 1.0f) / 2.0f,
                           .y = ((clip[1] / clip[3] + 1.0f) * (float)grid->height - 1.0f) / 2.0f,
                           .z = clip[2],
                           .away = clip[3],
                           .colour = {g->colour[0], g->colour[1], g->colour[2]},
                           .opacity = g->opacity};
    flattened(g, view, a);
    const float middle = (a[0] + a[2]) / 2.0f, det = a[0] * a[2] - a[1] * a[1],
                square = middle * middle - det;
    s.radius = ceilf(3.0f * sqrtf(middle + sqrtf(square > 0.1f ? square : 0.1f)));
    if (det != 0.0f) {
        s.conic[0] = a[2] / det;
        s.conic[1] = -a[1] / det;
        s.conic[2] = a[0] / det;
    }
    /* The diagonal of its square against twelve of a tile's. */
    const float tile = sqrtf(
                    (float)(grid->tile_width * grid->tile_width + grid->tile_height * grid->tile_height)),
                side = 2.0f * s.radius;
    s.guarded = sqrtf(side * side + side * side) < 12.0f * tile;
    s.drawn = s.guarded && s.z > 0.2f;
    s.aim = whole(floorf(rintf(s.y) / (float)grid->tile_height) * (float)grid->columns +
                  floorf(rintf(s.x) / (float)grid->tile_width));
    return s;
}

void fs_gaussians_see(const fs_splats *scene, const fs_gaussians_view *view, const fs_gaussians_grid *grid,
                      fs_gaussians_seen *seen) {
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < scene->count; i++)
        seen[i] = see(&scene->item[i], view, grid);
}

/* ---- tiles ---- */

fs_gaussians_box fs_gaussians_tile(const fs_gaussians_grid *g, uint32_t tile) {
    const uint32_t row = tile / g->columns;
    const float x = (float)(tile % g->columns * g->tile_width), y = (float)row * (float)g->tile_height;
    return (fs_gaussians_box){x, y, x + (float)g->tile_width, y + (float)g->tile_height};
}

/* With whole bounds: ceil(v) >= x0 is v > x0 - 1, floor(v) < x1 is v < x1. */
bool fs_gaussians_contains(const fs_gaussians_box *b, const fs_gaussians_seen *s) {
    return s->x > b->x0 - 1.0f && s->x < b->x1 && s->y > b->y0 - 1.0f && s->y < b->y1;
}

unsigned fs_gaussians_crosses(const fs_gaussians_box *b, const fs_gaussians_seen *s) {
    return (unsigned)(s->x - s->radius < b->x0) << FS_GAUSSIANS_LEFT |
           (unsigned)(s->x + s->radius > b->x1 - 1.0f) << FS_GAUSSIANS_RIGHT |
           (unsigned)(s->y - s->radius < b->y0) << FS_GAUSSIANS_UP |
           (unsigned)(s->y + s->radius > b->y1 - 1.0f) << FS_GAUSSIANS_DOWN;
}

int fs_gaussians_direction(const fs_gaussians_grid *g, const fs_gaussians_box *from, uint32_t aim) {
    const fs_gaussians_box to = fs_gaussians_tile(g, aim);
    return to.y0 > from->y0   ? FS_GAUSSIANS_DOWN
           : to.y0 < from->y0 ? FS_GAUSSIANS_UP
           : to.x0 > from->x0 ? FS_GAUSSIANS_RIGHT
           : to.x0 < from->x0 ? FS_GAUSSIANS_LEFT
                              : FS_GAUSSIANS_NO_SIDE;
}

float fs_gaussians_distance(const fs_gaussians_grid *g, const fs_gaussians_box *from, uint32_t aim) {
    const fs_gaussians_box to = fs_gaussians_tile(g, aim);
    return fabsf((from->x0 + from->x1) / 2.0f - (to.x0 + to.x1) / 2.0f) +
           fabsf((from->y0 + from->y1) / 2.0f - (to.y0 + to.y1) / 2.0f);
}

bool fs_gaussians_reach(const fs_gaussians_grid *g, const fs_gaussians_seen *s, int64_t c[2], int64_t r[2]) {
    if (!s->drawn || !(fabsf(s->x) < 1e6f && fabsf(s->y) < 1e6f))
        return false;
    const float w = (float)g->tile_width, h = (float)g->tile_height, x = rintf(s->x), y = rintf(s->y);
    c[0] = (int64_t)fminf(floorf(floorf(s->x - s->radius) / w), floorf(x / w));
    c[1] = (int64_t)fmaxf(floorf(ceilf(s->x + s->radius) / w), floorf(x / w));
    r[0] = (int64_t)fminf(floorf(floorf(s->y - s->radius) / h), floorf(y / h));
    r[1] = (int64_t)fmaxf(floorf(ceilf(s->y + s->radius) / h), floorf(y / h));
    c[0] = c[0] < 0 ? 0 : c[0];
    r[0] = r[0] < 0 ? 0 : r[0];
    c[1] = c[1] < (int64_t)g->columns ? c[1] : (int64_t)g->columns - 1;
    r[1] = r[1] < (int64_t)g->rows ? r[1] : (int64_t)g->rows - 1;
    return c[0] <= c[1] && r[0] <= r[1];
}

/* ---- what moved ---- */

static bool visible(const fs_gaussians_grid *g, const fs_gaussians_seen *s) {
    return s->away > 0.2f && s->x >= 0.0f && s->y >= 0.0f && s->x < (float)g->width &&
           s->y < (float)g->height;
}

static uint64_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

fs_gaussians_churn fs_gaussians_moved(const fs_gaussians_grid *g, const fs_gaussians_seen *before,
                                      const fs_gaussians_seen *now, uint32_t count) {
    enum { MOST = 4096 };
    fs_gaussians_churn c = {0};
    uint64_t far[MOST] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!visible(g, &now[i]))
            continue;
        c.visible++;
        if (!visible(g, &before[i])) {
            c.entered++;
            continue;
        }
        c.both++;
        const uint64_t hops = apart(before[i].aim % g->columns, now[i].aim % g->columns) +
                              apart(before[i].aim / g->columns, now[i].aim / g->columns);
        c.moved += hops > 0;
        sum += hops;
        far[hops < MOST ? hops : MOST - 1] += hops > 0;
    }
    if (c.moved == 0)
        return c;
    c.hops = (double)sum / (double)c.moved;
    const uint64_t place = (uint64_t)(0.95 * (double)(c.moved - 1));
    for (uint64_t seen = 0; seen <= place; c.hops_95++)
        seen += far[c.hops_95];
    c.hops_95--;
    return c;
}
