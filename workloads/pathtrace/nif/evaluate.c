/* The network's numbers: weights that are drawn, and colours of directions. */
#include "workloads/pathtrace/nif/nif.h"

#include "sim/base/detmath.h"
#include "sim/base/fp16.h"
#include "sim/base/rng.h"

#include <math.h>

enum { ACROSS = 128, DOWN = 64 }; /* directions that are evaluated */

struct fs_network {
    float (*colour)[3]; /* [DOWN][ACROSS] */
};

typedef struct evaluation {
    const fs_nif_params *p;
    fs_nif_layer layer[FS_NIF_MOST_LAYERS];
    uint32_t layers, widest;
    float **weight, **bias; /* of each layer: [inputs][outputs], [outputs] or NULL */
    float *feature, *in, *out;
} evaluation;

/* Weights of variance 2 / inputs keep a signal's size through ReLU (He and others: Delving Deep into
 * Rectifiers, 2015). */
static void draw_layer(evaluation *e, uint32_t i, fs_rng rng, fs_arena *arena) {
    const fs_nif_layer *l = &e->layer[i];
    const double deviation = sqrt(2.0 / l->inputs);
    e->weight[i] = FS_NEW(arena, float, (size_t)l->inputs * l->outputs);
    for (size_t w = 0; w < (size_t)l->inputs * l->outputs; w++) {
        const float value = (float)(deviation * fs_rng_normal(&rng));
        e->weight[i][w] = e->p->type == FS_AMP_F32 ? value : fs_f16_round(value);
    }
    if (l->bias)
        e->bias[i] = FS_NEW(arena, float, l->outputs);
    for (uint32_t o = 0; l->bias && o < l->outputs; o++)
        e->bias[i][o] = fs_f16_round((float)(0.1 * fs_rng_normal(&rng)));
    const uint32_t wide = l->inputs > l->outputs ? l->inputs : l->outputs;
    e->widest = wide > e->widest ? wide : e->widest;
}

static void draw(evaluation *e, uint64_t seed, fs_arena *arena) {
    const fs_rng stream = fs_rng_stream(seed, "pathtrace/nif");
    e->layers = fs_nif_layers(e->p, e->layer);
    e->weight = FS_NEW(arena, float *, e->layers);
    e->bias = FS_NEW(arena, float *, e->layers);
    e->widest = (uint32_t)(4 * e->p->octaves);
    for (uint32_t i = 0; i < e->layers; i++)
        draw_layer(e, i, fs_rng_sub(stream, i), arena);
    e->feature = FS_NEW(arena, float, e->widest);
    e->in = FS_NEW(arena, float, e->widest);
    e->out = FS_NEW(arena, float, e->widest);
}

/* Sines and cosines of 2^i x 2 (x - 1): u's octaves first (neural_path_tracing.md 3). */
static void fill_features(const evaluation *e, const float uv[2]) {
    const int64_t octaves = e->p->octaves;
    for (int c = 0; c < 2; c++) {
        double octave = 1;
        for (int64_t i = 0; i < octaves; i++, octave *= 2) {
            double turns = octave * 2.0 * ((double)uv[c] - 1.0) / FS_TURN;
            turns -= floor(turns);
            e->feature[c * 2 * octaves + i] = fs_f16_round((float)fs_sin(turns * FS_TURN));
            e->feature[c * 2 * octaves + octaves + i] = fs_f16_round((float)fs_cos(turns * FS_TURN));
        }
    }
}

static void apply(const evaluation *e, uint32_t i) {
    const fs_nif_layer *l = &e->layer[i];
    for (uint32_t o = 0; o < l->outputs; o++)
        e->out[o] = l->bias ? e->bias[i][o] : 0.0f;
    for (uint32_t k = 0; k < l->inputs; k++)
        for (uint32_t o = 0; o < l->outputs; o++)
            e->out[o] += e->in[k] * e->weight[i][(size_t)k * l->outputs + o];
    for (uint32_t o = 0; o < l->outputs; o++) {
        const float x = l->relu && e->out[o] < 0.0f ? 0.0f : e->out[o];
        e->in[o] = e->p->type == FS_AMP_F32 ? x : fs_f16_round(x);
    }
}

static void evaluate(const evaluation *e, const float uv[2], float rgb[3]) {
    const uint32_t features = (uint32_t)(4 * e->p->octaves);
    fill_features(e, uv);
    for (uint32_t k = 0; k < features; k++)
        e->in[k] = e->feature[k];
    for (uint32_t i = 0; i < e->layers; i++) {
        apply(e, i);
        for (uint32_t k = 0; e->layer[i].joins && k < features; k++)
            e->in[e->layer[i].outputs + k] = e->feature[k];
    }
    for (int c = 0; c < 3; c++) { /* what the logarithm of training is undone by, bounded */
        const double x = fmin(4.0, fmax(-8.0, (double)e->in[c]));
        rgb[c] = (float)fmin(1.0, 0.5 * fs_exp(x));
    }
}

fs_network *fs_nif_create(const fs_nif_params *p, uint64_t seed, fs_arena *arena) {
    fs_network *n = FS_NEW(arena, fs_network, 1);
    evaluation e = {.p = p};
    draw(&e, seed, arena);
    n->colour = fs_arena_alloc(arena, (size_t)DOWN * ACROSS, sizeof *n->colour);
    for (uint32_t v = 0; v < DOWN; v++)
        for (uint32_t u = 0; u < ACROSS; u++) {
            const float uv[2] = {((float)v + 0.5f) / DOWN, ((float)u + 0.5f) / ACROSS};
            evaluate(&e, uv, n->colour[v * ACROSS + u]);
        }
    return n;
}

/* u runs from pole to pole, v around (fs_walk_uv). */
void fs_nif_light(const void *network, float u, float v, float rgb[3]) {
    const fs_network *n = network;
    const float y = fminf(fmaxf(u * DOWN - 0.5f, 0.0f), DOWN - 1.0f), x = v * ACROSS - 0.5f + ACROSS;
    const uint32_t y0 = (uint32_t)y, y1 = y0 + 1 < DOWN ? y0 + 1 : y0, x0 = (uint32_t)x % ACROSS,
                   x1 = (x0 + 1) % ACROSS;
    const float fy = y - (float)y0, fx = x - (float)(uint32_t)x;
    for (int c = 0; c < 3; c++) {
        const float low = n->colour[y0 * ACROSS + x0][c] * (1 - fx) + n->colour[y0 * ACROSS + x1][c] * fx,
                    high = n->colour[y1 * ACROSS + x0][c] * (1 - fx) + n->colour[y1 * ACROSS + x1][c] * fx;
        rgb[c] = low * (1 - fy) + high * fy;
    }
}
