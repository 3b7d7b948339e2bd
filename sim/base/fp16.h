/* IEEE 754 binary16 as uint16_t. One rounding: to nearest, ties to even. */
#ifndef FOAMSIM_SIM_BASE_FP16_H
#define FOAMSIM_SIM_BASE_FP16_H

#include <stdint.h>

#define FS_F16_MAX 65504.0f /* largest finite half */

/* Nearest half of x; values beyond the range saturate to +-65504 instead of becoming infinite
 * (design.md section 6, Payload); NaN becomes 0. Integer arithmetic only. */
uint16_t fs_f16_from_f32(float x);
float fs_f32_from_f16(uint16_t h); /* exact */

/* x after a trip through a half: what a lane does to a field that its payload stores as fp16. */
float fs_f16_round(float x);

#endif
