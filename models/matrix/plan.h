/* How a product of a whole chip is split over its tiles: rows x inputs x outputs in parts, outputs of a tile
 * in serial steps, so that what a tile holds at a time fits; the cheapest split of those that fit.
 *
 * A tile holds its rows' inputs, the coefficients of a serial step and its outputs; with inputs in parts the
 * sums are partial, go to the tile that owns them and are added there. Costs, in cycles:
 *   product   the matrix unit (amp.h), once a serial step
 *   moved     bytes into a tile at its port: coefficients always (they are broadcast on demand), inputs
 *             unless they lie where they are wanted, partial sums. Tiles that differ in outputs alone are
 *             neighbours: pairs share inputs where outputs are in an even number of parts, coefficients where
 *             they are in one
 *   added     partial sums, four f16 or two f32 an issue, loaded and added
 *   phases    `phase` cycles for each exchange
 */
#pragma once

#include "models/matrix/amp.h"

#include <stdbool.h>

typedef struct fs_matrix_layer {
    fs_amp_type type;
    uint64_t rows; /* of the chip */
    uint32_t inputs, outputs;
    bool local; /* the rows lie shared out to the tiles, whole */
} fs_matrix_layer;

typedef struct fs_matrix_chip {
    const fs_matrix_params *unit;
    uint32_t tiles, workers;
    uint64_t bytes;           /* of a tile that a layer may take */
    uint64_t working;         /* of these, what one serial step may: coefficients, inputs, its sums; 0: any */
    uint64_t bytes_per_cycle; /* of a tile's port */
    bool pairs;               /* of neighbouring tiles take in the same data at twice the rate (ipu.md 4) */
    uint64_t phase;           /* cycles of an exchange beside its bytes */
} fs_matrix_chip;

typedef struct fs_matrix_split {
    uint32_t row_parts, input_parts, output_parts, serial;
    uint32_t rows, inputs, outputs; /* of a tile; outputs of one serial step */
    uint64_t coefficients;          /* B into a tile in a serial step */
    uint64_t moved;                 /* B of inputs into a tile; 0: they lie there */
    uint64_t partial;               /* B of partial sums into a tile; 0: none */
    uint64_t product;               /* cycles of a serial step */
    uint64_t added;                 /* cycles */
    uint64_t cycles;                /* of all */
    uint64_t bytes;                 /* B that a tile holds at the most */
    uint64_t working;               /* of these: coefficients, inputs, and sums of one serial step */
} fs_matrix_split;

/* The cheapest split, of equals the one of fewer parts; false: none fits in `bytes` and `working`. */
bool fs_matrix_plan(const fs_matrix_chip *chip, const fs_matrix_layer *layer, fs_matrix_split *out);
