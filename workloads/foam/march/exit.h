/* The exit of a cell. Private to bundle_core.h. */
#pragma once

#include "workloads/foam/march/eye.h"
#include "workloads/optics/lanes.h"

typedef struct exit_face {
    uint32_t key, cell, front, nearest;
} exit_face;

/* t as an integer that sorts like it: its bits less one. No candidate is above the largest finite t: 0
 * becomes the highest integer, what is negative, infinite or no number is high already. */
#define NO_EXIT 0x7f7fffff

#if defined(LANES_ARE_AVX2)
#include "workloads/foam/march/exit_avx2.h"
#else

enum { FEW_BLOCKS = 4 };

/* Face by face in their order. d: a ray's direction, FS_EYE_LANES apart. */
static inline exit_face exit_of_any(const fs_eye_cell *c, const float *d) {
    exit_face exit = {.key = NO_EXIT};
    const uint32_t *places = fs_eye_places(c);
    exit.cell = places[0];
    for (uint32_t lane = 0, face = 0; lane < FS_EYE_LANES; lane++)
        for (uint32_t b = 0; b < c->blocks; b++, face++) {
            const fs_eye_block *block = &c->block[b];
            const float dn = (block->x[lane] * d[0] + block->y[lane] * d[FS_EYE_LANES]) +
                             block->z[lane] * d[2 * FS_EYE_LANES];
            if (!(dn > 0.0f))
                continue;
            const float t = block->ahead[lane] / dn;
            uint32_t key;
            memcpy(&key, &t, sizeof key);
            exit.front++;
            if (key - 1 < exit.key) {
                exit.key = key - 1;
                exit.cell = places[face];
                exit.nearest++;
            }
        }
    return exit;
}

static inline exit_face exit_of_few(const unsigned char *memory, const fs_eye_cell *c, const float *d) {
    (void)memory;
    return exit_of_any(c, d);
}

#endif
