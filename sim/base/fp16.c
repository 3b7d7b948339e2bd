/* fp16 by integer arithmetic, rounding to the nearest even. */
#include "sim/base/fp16.h"

uint16_t fs_f16_from_f32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint16_t sign = (uint16_t)((bits >> 16) & 0x8000u);
    uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return 0; /* NaN */
    if (magnitude >= 0x477ff000u)
        return (uint16_t)(sign | 0x7bffu); /* 65520 and above would round to infinity: saturate */
    if (magnitude < 0x38800000u) {         /* below 2^-14: subnormal half, unit 2^-24 */
        uint32_t exponent = magnitude >> 23;
        if (exponent < 102) /* below 2^-25: rounds to zero; exactly 2^-25 ties to even, zero */
            return sign;
        uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        uint32_t shift = 126 - exponent; /* 14 for 2^-14 ... 24 for 2^-25 */
        uint32_t half = mantissa >> shift;
        uint32_t rest = mantissa & ((1u << shift) - 1u), tie = 1u << (shift - 1);
        half += rest > tie || (rest == tie && (half & 1u));
        return (uint16_t)(sign | half);
    }
    uint32_t rebased = magnitude - 0x38000000u; /* exponent bias 127 to 15 */
    uint32_t half = rebased >> 13, rest = rebased & 0x1fffu;
    half += rest > 0x1000u || (rest == 0x1000u && (half & 1u));
    return (uint16_t)(sign | half);
}

float fs_f32_from_f16(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16, exponent = (h >> 10) & 31u, mantissa = h & 0x3ffu, bits;
    if (exponent == 0) {
        float magnitude = (float)mantissa * 0x1p-24f;
        memcpy(&bits, &magnitude, sizeof bits);
        bits |= sign;
    } else if (exponent == 31) {
        bits = sign | 0x7f800000u | mantissa << 13;
    } else {
        bits = sign | (exponent + 112u) << 23 | mantissa << 13;
    }
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
