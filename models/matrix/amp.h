/* The matrix unit of a tile: rows x inputs by inputs x outputs, on coefficients that are loaded pass by pass.
 *
 * A pass holds a group of inputs x a group of outputs (f16: 16 x units; f32: 8 x units; f8: 32 x units) and
 * streams all rows through it, a row in 4 cycles (f32: 8). With 16 units the peak is 64 multiply-adds a cycle
 * in f16, 16 in f32, 128 in f8.
 *
 * Two programs on it:
 *   vertex   the vendor's 1 x 1 product in its library's closed form (neural_path_tracing.md 4, PL): the
 *            supervisor loads the coefficients of a pass, the workers stream their shares of the rows, and
 *            the slowest ends the pass. f8 is a what-if: the library has it for a later chip.
 *   panels   a kernel written for measurements: a pass takes its rows' bare cycles and `panel` more
 *            (measurements.md 1)
 */
#pragma once

#include <stdint.h>

typedef enum fs_amp_type { FS_AMP_F16, FS_AMP_F32, FS_AMP_F8, FS_AMP_TYPES } fs_amp_type;

enum { FS_AMP_VERTEX, FS_AMP_PANELS };

typedef struct fs_matrix_params {
    int64_t units;      /* outputs of a pass: 16 */
    int64_t load_bytes; /* coefficients loaded a cycle: 16 B (128 bits) */
    int64_t kernel;     /* FS_AMP_VERTEX, FS_AMP_PANELS */
    int64_t panel;      /* cycles of a pass beside its rows, of the measured kernel: 170 */
} fs_matrix_params;

/* A product on one tile. */
typedef struct fs_amp_product {
    fs_amp_type type;
    uint32_t rows, inputs, outputs; /* filled up to whole groups */
} fs_amp_product;

uint32_t fs_amp_inputs(fs_amp_type type); /* of a pass */
uint32_t fs_amp_bytes(fs_amp_type type);  /* of a number */
/* Multiply-adds a cycle at the most. */
uint64_t fs_amp_peak(const fs_matrix_params *p, fs_amp_type type);
/* Cycles of the product on a tile of `workers` workers; 0 without inputs or outputs. */
uint64_t fs_amp_cycles(const fs_matrix_params *p, uint32_t workers, fs_amp_product product);
