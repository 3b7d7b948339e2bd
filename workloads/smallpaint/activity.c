#include "workloads/smallpaint/forecast.h"

#include "sim/base/fp16.h"
#include "sim/host/progress.h"
#include "sim/host/signals.h"
#include "sim/stats/drawn.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is drawn ---- */

static bool alike(const fs_image_tiles *tiles, uint32_t a, uint32_t b) {
    const fs_image_tile x = fs_paint_tile_of(tiles, a), y = fs_paint_tile_of(tiles, b);
    return x.width == y.width && x.height == y.height;
}

/* The drawn tile of the same size that is nearest in the order of tiles; UINT32_MAX where there is none. */
static uint32_t nearest_drawn(const fs_image_tiles *tiles, const bool *drawn, uint32_t tile) {
    for (uint32_t far = 1; far < tiles->count; far++) {
        if (tile >= far && drawn[tile - far] && alike(tiles, tile, tile - far))
            return tile - far;
        if (tile + far < tiles->count && drawn[tile + far] && alike(tiles, tile, tile + far))
            return tile + far;
    }
    return UINT32_MAX;
}

static void draw_tiles(fs_paint_activity *a, uint32_t draw, uint64_t seed) {
    uint64_t *which = fs_malloc(draw * sizeof *which);
    bool *drawn = fs_calloc(a->tiles.count, sizeof *drawn);
    fs_drawn_choose(fs_rng_stream(seed, "smallpaint/tiles"), a->tiles.count, draw, which);
    for (uint32_t i = 0; i < draw; i++)
        drawn[which[i]] = true;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        const uint32_t other = drawn[t] ? t : nearest_drawn(&a->tiles, drawn, t);
        a->stand_in[t] = other == UINT32_MAX ? t : other;
        a->traced += a->stand_in[t] == t;
    }
    free(which);
    free(drawn);
}

void fs_paint_activity_create(fs_paint_activity *a, const fs_smallpaint_params *p,
                              const fs_machine_params *machine, uint64_t seed) {
    const fs_image_tiles tiles = fs_paint_tiles(p, machine);
    *a = (fs_paint_activity){.tiles = tiles,
                             .workers = (uint32_t)machine->tile.workers,
                             .samples = (uint64_t)p->samples,
                             .drawn = fs_paint_drawn(p)};
    a->sample = fs_malloc(a->drawn * sizeof *a->sample);
    a->stand_in = fs_malloc(tiles.count * sizeof *a->stand_in);
    a->counts = fs_calloc((size_t)tiles.count * a->drawn * a->workers * FS_PAINT_COUNTS, sizeof *a->counts);
    a->picture = fs_calloc((size_t)tiles.width * tiles.height * 3, sizeof *a->picture);
    fs_drawn_choose(fs_rng_stream(seed, "smallpaint/samples"), a->samples, a->drawn, a->sample);
    draw_tiles(a, p->drawn_tiles == 0 ? tiles.count : (uint32_t)p->drawn_tiles, seed);
    for (uint64_t m = 2; m <= a->drawn && a->checkpoints < FS_PAINT_CHECKPOINTS; m *= 2)
        a->convergence[a->checkpoints++].samples = m;
}

void fs_paint_activity_free(fs_paint_activity *a) {
    free(a->sample);
    free(a->stand_in);
    free(a->counts);
    free(a->picture);
}

/* ---- one tile ---- */

typedef struct tracer {
    fs_paint_activity *activity;
    const fs_smallpaint_params *params;
    fs_paint_rules rules;
    double *square; /* [tiles][FS_PAINT_CHECKPOINTS] sums of squared errors */
    atomic_uint_fast64_t saturated, done;
} tracer;

/* The frame buffer of a tile, and what the host has added up of it. */
typedef struct buffers {
    size_t values;   /* 3 a point */
    float *light;    /* of a sample */
    float *device;   /* the frame buffer */
    double *host;    /* the sum of steps */
    double *half[2]; /* sums of every other sample */
} buffers;

static buffers buffers_of(const fs_image_tile *tile) {
    const size_t values = (size_t)tile->width * tile->height * 3;
    return (buffers){.values = values,
                     .light = fs_malloc(values * sizeof(float)),
                     .device = fs_calloc(values, sizeof(float)),
                     .host = fs_calloc(values, sizeof(double)),
                     .half = {fs_calloc(values, sizeof(double)), fs_calloc(values, sizeof(double))}};
}

static void buffers_free(buffers *b) {
    free(b->light);
    free(b->device);
    free(b->host);
    free(b->half[0]);
    free(b->half[1]);
}

/* A sample's light in a frame buffer; how many values it could not hold. */
static uint64_t add_sample(buffers *b, uint64_t place, bool half) {
    uint64_t saturated = 0;
    double *sum = b->half[place % 2];
    for (size_t i = 0; i < b->values; i++) {
        sum[i] += (double)b->light[i];
        const float value = b->device[i] + b->light[i];
        saturated += half && value > FS_F16_MAX;
        b->device[i] = half ? fs_f16_round(value) : value;
    }
    return saturated;
}

static void read_back(buffers *b) {
    for (size_t i = 0; i < b->values; i++) {
        b->host[i] += (double)b->device[i];
        b->device[i] = 0.0f;
    }
}

/* The mean of two halves has a quarter of the squared difference of their means as squared error. */
static double square_of(const buffers *b, uint64_t samples) {
    double sum = 0.0;
    for (size_t i = 0; i < b->values; i++) {
        const double apart = (b->half[0][i] - b->half[1][i]) / (0.5 * (double)samples);
        sum += 0.25 * apart * apart;
    }
    return sum;
}

static void show(const fs_paint_activity *a, const fs_image_tile *tile, const buffers *b) {
    for (uint32_t row = 0; row < tile->height; row++)
        for (uint32_t v = 0; v < 3 * tile->width; v++)
            a->picture[((size_t)(tile->top + row) * a->tiles.width + tile->left) * 3 + v] =
                (float)(b->host[(size_t)row * tile->width * 3 + v] / (double)a->drawn);
}

static void trace_tile(tracer *tr, uint32_t t) {
    fs_paint_activity *a = tr->activity;
    const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
    const uint64_t step = fs_paint_step_samples(tr->params);
    const bool half = tr->params->framebuffer == FS_NUMBER_F16;
    buffers b = buffers_of(&tile);
    uint32_t *row_worker = fs_malloc(tile.height * sizeof *row_worker), checkpoint = 0;
    for (uint32_t row = 0; row < tile.height; row++)
        row_worker[row] = fs_paint_row_worker(row, tile.height, a->workers);
    for (uint64_t k = 0; k < a->drawn && !fs_interrupted(); k++) {
        const fs_paint_job job = {.left = tile.left,
                                  .top = tile.top,
                                  .width = tile.width,
                                  .height = tile.height,
                                  .row_worker = row_worker,
                                  .sample = a->sample[k],
                                  .counts =
                                      a->counts + ((size_t)t * a->drawn + k) * a->workers * FS_PAINT_COUNTS,
                                  .light = b.light};
        fs_paint(&tr->rules, &job);
        tr->saturated += add_sample(&b, k, half);
        if ((k + 1) % step == 0 || k + 1 == a->drawn)
            read_back(&b);
        if (checkpoint < a->checkpoints && k + 1 == a->convergence[checkpoint].samples)
            tr->square[(size_t)t * FS_PAINT_CHECKPOINTS + checkpoint++] = square_of(&b, k + 1);
    }
    show(a, &tile, &b);
    buffers_free(&b);
    free(row_worker);
}

/* ---- all ---- */

/* Sums in the order of tiles, whichever thread worked them out. */
static void converge(fs_paint_activity *a, const double *square) {
    double values = 0.0;
    for (uint32_t t = 0; t < a->tiles.count; t++) {
        const fs_image_tile tile = fs_paint_tile_of(&a->tiles, t);
        values += a->stand_in[t] == t ? 3.0 * tile.width * tile.height : 0.0;
    }
    for (uint32_t c = 0; c < a->checkpoints; c++) {
        double sum = 0.0;
        for (uint32_t t = 0; t < a->tiles.count; t++)
            sum += square[(size_t)t * FS_PAINT_CHECKPOINTS + c];
        a->convergence[c].square = sum / values;
    }
}

static void copy_stand_ins(fs_paint_activity *a) {
    const size_t each = (size_t)a->drawn * a->workers * FS_PAINT_COUNTS;
    for (uint32_t t = 0; t < a->tiles.count; t++)
        if (a->stand_in[t] != t)
            memcpy(a->counts + t * each, a->counts + a->stand_in[t] * each, each * sizeof *a->counts);
}

fs_status fs_paint_activity_trace(fs_paint_activity *a, const fs_smallpaint_params *p,
                                  const fs_primitives *scene, uint64_t seed, fs_error *err) {
    tracer tr = {.activity = a,
                 .params = p,
                 .rules = {.scene = scene,
                           .width = a->tiles.width,
                           .height = a->tiles.height,
                           .cap = (uint32_t)p->cap,
                           .roulette_depth = (uint32_t)p->roulette_depth,
                           .stop = (float)p->stop,
                           .noise = (float)p->noise,
                           .half_numbers = p->number_type == FS_NUMBER_F16,
                           .half_rays = p->ray_type == FS_NUMBER_F16,
                           .stream = fs_rng_stream(seed, "smallpaint/paths")}};
    tr.square = fs_calloc((size_t)a->tiles.count * FS_PAINT_CHECKPOINTS, sizeof *tr.square);
    fs_progress progress;
    fs_progress_begin(&progress, "tiles", a->traced);
#pragma omp parallel for schedule(dynamic)
    for (uint32_t t = 0; t < a->tiles.count; t++)
        if (a->stand_in[t] == t && !fs_interrupted()) {
            trace_tile(&tr, t);
            const uint64_t done = ++tr.done;
#pragma omp critical
            fs_progress_update(&progress, done);
        }
    fs_progress_end(&progress);
    a->saturated = tr.saturated;
    copy_stand_ins(a);
    converge(a, tr.square);
    free(tr.square);
    return fs_interrupted() ? fs_fail(err, FS_RUN, "interrupted after %llu of %u tiles",
                                      (unsigned long long)tr.done, a->traced)
                            : FS_OK;
}
