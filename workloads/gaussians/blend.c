#include "workloads/gaussians/activity.h"

#include "sim/base/alloc.h"
#include "sim/base/detmath.h"

#include <math.h>
#include <stdlib.h>

/* A tile's pixels while its list goes by. */
typedef struct canvas {
    fs_gaussians_box box;
    uint32_t width, height, workers;
    float *through; /* [pixels] of the light behind; below 0: the pixel has stopped */
    float *rgb;     /* [pixels][3] */
    uint32_t alive[FS_GAUSSIANS_WORKERS];
} canvas;

/* Adds an entry to a pixel: whether it did. Below 1/255 nothing is added; a pixel that would be opaque stops without it. */
static bool add(canvas *c, uint32_t x, uint32_t y, const fs_gaussians_seen *s) {
    const uint32_t at = y * c->width + x;
    const float dx = s->x - (c->box.x0 + (float)x), dy = s->y - (c->box.y0 + (float)y),
                power = -0.5f * (s->conic[0] * dx * dx + s->conic[2] * dy * dy) - s->conic[1] * dx * dy;
    if (power > 0.0f || c->through[at] < 0.0f)
        return false;
    const float strength = s->opacity * fs_expf_neg(power), alpha = strength < 0.99f ? strength : 0.99f;
    if (alpha < 1.0f / 255.0f)
        return false;
    const float through = c->through[at] * (1.0f - alpha);
    if (through < 0.0001f) {
        c->through[at] = -1.0f;
        c->alive[y % c->workers]--;
        return false;
    }
    for (int k = 0; k < 3; k++)
        c->rgb[3 * at + (uint32_t)k] += s->colour[k] * alpha * c->through[at];
    c->through[at] = through;
    return true;
}

/* Pixels of a side that an entry can add to. Beyond 3.33 deviations an alpha is under 1/255, and the radius is three of the largest,
 * rounded up; a square of 0 is flat and reaches everywhere. */
static void range(float centre, float radius, bool flat, float from, uint32_t size, uint32_t out[2]) {
    const float reach = flat ? INFINITY : 1.15f * radius + 2.0f, least = centre - reach - from,
                most = centre + reach - from;
    out[0] = least > 0.0f ? (least < (float)size ? (uint32_t)least : size) : 0;
    out[1] = most < (float)(size - 1) ? (most >= 0.0f ? (uint32_t)most + 1 : 0) : size;
}

static void blend_one(canvas *c, const fs_gaussians_seen *s, fs_gaussians_blend_work *work) {
    const bool flat = s->conic[0] == 0.0f && s->conic[1] == 0.0f && s->conic[2] == 0.0f;
    uint32_t x[2], y[2];
    for (uint32_t w = 0; w < c->workers; w++)
        work->looked[w] += c->alive[w];
    if (s->opacity == 0.0f)
        return;
    range(s->x, s->radius, flat, c->box.x0, c->width, x);
    range(s->y, s->radius, flat, c->box.y0, c->height, y);
    for (uint32_t j = y[0]; j < y[1]; j++)
        for (uint32_t i = x[0]; i < x[1]; i++) {
            work->boxed[j % c->workers] += c->through[j * c->width + i] >= 0.0f;
            work->added[j % c->workers] += add(c, i, j, s);
        }
}

static uint8_t byte_of(float v) {
    const float scaled = 255.0f * v;
    return (uint8_t)(scaled > 0.0f ? (scaled < 255.0f ? scaled : 255.0f) : 0.0f);
}

void fs_gaussians_blend(const fs_gaussians_grid *g, uint32_t workers, uint32_t tile, const uint32_t *list,
                        uint32_t count, const fs_gaussians_seen *seen, uint8_t *rgb,
                        fs_gaussians_blend_work *work) {
    const uint32_t pixels = g->tile_width * g->tile_height;
    float *memory = fs_calloc((size_t)pixels * 4, sizeof *memory);
    canvas c = {.box = fs_gaussians_tile(g, tile),
                .width = g->tile_width,
                .height = g->tile_height,
                .workers = workers,
                .through = memory,
                .rgb = memory + pixels};
    *work = (fs_gaussians_blend_work){0};
    for (uint32_t p = 0; p < pixels; p++)
        c.through[p] = 1.0f;
    for (uint32_t w = 0; w < workers; w++)
        c.alive[w] = fs_gaussians_rows_of(g, workers, w) * g->tile_width;
    for (uint32_t i = 0; i < count; i++)
        blend_one(&c, &seen[list[i] - 1], work);
    for (uint32_t p = 0; p < pixels; p++) {
        const size_t x = (size_t)c.box.x0 + p % g->tile_width, y = (size_t)c.box.y0 + p / g->tile_width;
        for (uint32_t k = 0; k < 3; k++)
            rgb[(y * g->width + x) * 3 + k] = byte_of(c.rgb[3 * (size_t)p + k]);
    }
    free(memory);
}

/* ---- without lanes ---- */

void fs_gaussians_ideal(const fs_gaussians_grid *g, const fs_gaussians_seen *seen, uint32_t count,
                        uint8_t *rgb) {
    uint64_t *start = fs_calloc(g->tiles + 2, sizeof *start);
    uint32_t *list = NULL;
    for (int pass = 0; pass < 2;
         pass++) { /* count, then fill: start[t + 1] goes from the beginning of tile t to its end */
        for (uint32_t i = 0; i < count; i++) {
            int64_t c[2], r[2];
            if (!fs_gaussians_reach(g, &seen[i], c, r))
                continue;
            for (int64_t y = r[0]; y <= r[1]; y++)
                for (int64_t x = c[0]; x <= c[1]; x++) {
                    const uint64_t t = (uint64_t)y * g->columns + (uint64_t)x;
                    if (pass == 0)
                        start[t + 2]++;
                    else
                        list[start[t + 1]++] = i + 1;
                }
        }
        if (pass == 1)
            break;
        for (uint32_t t = 2; t < g->tiles + 2; t++)
            start[t] += start[t - 1];
        list = fs_malloc((start[g->tiles + 1] + 1) * sizeof *list);
    }
#pragma omp parallel for schedule(dynamic, 16)
    for (uint32_t t = 0; t < g->tiles; t++) {
        uint32_t event[FS_GAUSSIANS_ROUTE_EVENTS] = {0};
        fs_gaussians_blend_work work;
        const uint32_t n = (uint32_t)(start[t + 1] - start[t]);
        fs_gaussians_sort(list + start[t], n, seen, event);
        fs_gaussians_blend(g, 1, t, list + start[t], n, seen, rgb, &work);
    }
    free(start);
    free(list);
}
