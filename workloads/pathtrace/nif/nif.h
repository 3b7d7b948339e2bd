/* The neural environment light: a network that gives a colour for a direction (neural_path_tracing.md 3).
 *
 * Input (u, v), sines and cosines of `octaves` octaves of each: F = 4 octaves features. With h = L / 2: h - 1
 * layers of H, one of H - F, the features joined again, h - 1 layers of H and one of H with bias, three
 * outputs with bias, 3 x 3 colours.
 */
#pragma once

#include "models/ipu/machine.h"
#include "models/matrix/plan.h"
#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_NIF_MOST_LAYERS = 66 };

typedef struct fs_nif_params {
    int64_t hidden, layers; /* H, L; L = 0: no network */
    int64_t octaves;        /* F = 4 octaves */
    int64_t type;           /* fs_amp_type */
    int64_t limit;          /* most rays of a step; 0: as many as fit */
    double
        share; /* percent of a tile's SRAM that a serial step of a layer may take (neural_path_tracing.md 3) */
    double copies; /* percent of what the vendor's regression gives for a copy on a tile */
} fs_nif_params;

typedef struct fs_nif_layer {
    uint32_t inputs, outputs;
    bool bias, relu;
    bool joins; /* the features are joined to its outputs */
} fs_nif_layer;

/* Layers into out[FS_NIF_MOST_LAYERS]; their number, 0 without a network. */
uint32_t fs_nif_layers(const fs_nif_params *p, fs_nif_layer *out);
/* Numbers that are trained or fixed: (2 h - 1) H^2 + 4 H + 12 for h >= 2. */
uint64_t fs_nif_parameters(const fs_nif_params *p);
/* Multiply-adds of a ray. */
uint64_t fs_nif_macs(const fs_nif_params *p);

/* How the network of a batch runs on the rendering tiles: in `steps` alike, of `rows` rays each. */
typedef struct fs_nif_plan {
    uint32_t layers, steps;
    uint64_t rows;
    fs_nif_layer layer[FS_NIF_MOST_LAYERS];
    fs_matrix_split split[FS_NIF_MOST_LAYERS];
    uint64_t bytes;   /* B of a tile that the layer with the most takes */
    uint64_t weights; /* B of a tile: its share of all parameters */
} fs_nif_plan;

/* What the network runs on. */
typedef struct fs_nif_chip {
    const fs_machine_params *machine;
    uint32_t tiles; /* that render */
    uint64_t batch; /* rays: whole rays a tile */
    uint64_t free;  /* B of a tile that nothing else takes, its weights included */
    uint64_t phase; /* cycles of an exchange beside its bytes */
} fs_nif_chip;

/* Steps: the first divisor of the batch not below batch / limit (neural_path_tracing.md 3, IRL); without a
 * limit the first with which every layer fits. False when none does: *worst is the layer, *needed the bytes
 * of the smallest split with one ray a tile. */
bool fs_nif_plan_make(const fs_nif_params *p, const fs_nif_chip *chip, fs_nif_plan *out);
/* The greatest hidden size of the same layers that fits; 0: none. */
uint32_t fs_nif_largest(const fs_nif_params *p, const fs_nif_chip *chip);

/* ---- evaluation, with weights that are drawn and not trained ---- */

typedef struct fs_network fs_network;

/* Weights of the right sizes from a seed, rounded to the network's type. */
fs_network *fs_nif_create(const fs_nif_params *p, uint64_t seed, fs_arena *arena);
/* fs_walk_light: the colour of (u, v), by interpolation between evaluated directions. */
void fs_nif_light(const void *network, float u, float v, float rgb[3]);
