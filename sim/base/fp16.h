/* IEEE 754 binary16 as uint16_t. One rounding: to nearest, ties to even. */
#pragma once

#include <stdint.h>
#include <string.h>

#define FS_F16_MAX 65504.0f /* largest finite half */

/* Nearest half of x; values beyond the range saturate to +-65504 instead of becoming infinite;
 * NaN becomes 0. Integer arithmetic only. */
uint16_t fs_f16_from_f32(float x);
float fs_f32_from_f16(uint16_t h); /* exact */

/* x after a trip through a half: what a lane does to a field that its payload stores as fp16. */
static inline float fs_f16_round(float x) {
    uint32_t bits, magnitude;
    memcpy(&bits, &x, sizeof bits);
    magnitude = bits & 0x7fffffffu;
    /* Normal halves keep float's exponent: the 13 surplus bits are rounded away in place. */
    if (magnitude - 0x38800000u < 0x477ff000u - 0x38800000u) {
        bits += 0x0fffu + ((bits >> 13) & 1u);
        bits &= ~0x1fffu;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    return magnitude == 0 ? x : fs_f32_from_f16(fs_f16_from_f32(x));
}
