/* Elementary functions as polynomials over reduced arguments. */
#include "sim/base/detmath.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Nearest integer for |x| < 2^51, ties to even: adding 1.5 * 2^52 pushes the fraction out of the mantissa. */
static double nearest(double x) {
    double shifted = x + 0x1.8p52;
    return shifted - 0x1.8p52;
}

static const double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33; /* sum = ln 2 */

/* exp(r) for |r| <= ln2 / 2: Taylor to the 13th power, remainder below 2^-57. */
static double exp_reduced(double r) {
    static const double c[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                               1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                               1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5};
    double sum = c[0];
    for (unsigned i = 1; i < sizeof c / sizeof c[0]; i++)
        sum = sum * r + c[i];
    return 1.0 + (r + r * r * sum);
}

double fs_exp(double x) {
    if (!(x >= -700.0))
        return x < -700.0 ? 0.0 : x; /* NaN stays NaN */
    if (x > 700.0)
        return from_bits(UINT64_C(0x7ff0000000000000));
    double k = nearest(x * 0x1.71547652b82fep0); /* 1 / ln 2 */
    double r = (x - k * ln2_high) - k * ln2_low;
    return exp_reduced(r) * from_bits((uint64_t)((int64_t)k + 1023) << 52);
}

/* log(x) = e ln 2 + 2 atanh(s), s = (m - 1) / (m + 1), m in [sqrt(1/2), sqrt(2)): odd series to s^21. */
double fs_log(double x) {
    uint64_t bits = to_bits(x);
    int64_t exponent = (int64_t)(bits >> 52) - 1023;
    if (exponent == -1023) { /* subnormal */
        bits = to_bits(x * 0x1p54);
        exponent = (int64_t)(bits >> 52) - 1023 - 54;
    }
    double m = from_bits((bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000));
    if (m > 0x1.6a09e667f3bcdp0) {
        m *= 0.5;
        exponent++;
    }
    double f = m - 1.0, s = f / (m + 1.0), s2 = s * s, sum = 0.0;
    for (int n = 21; n >= 3; n -= 2)
        sum = (sum + 1.0 / (double)n) * s2;
    double e = (double)exponent;
    return e * ln2_high + (2.0 * s + (2.0 * s * sum + e * ln2_low));
}

/* pi / 2 in three parts (33 + 33 + 53 bits), so that n times the first two is exact for |n| < 2^20. */
static const double pio2_1 = 0x1.921fb544p0, pio2_2 = 0x1.0b4611a6p-34, pio2_3 = 0x1.3198a2e037073p-69;

static double sin_reduced(double r) {
    static const double c[] = {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
                               -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
    double r2 = r * r, sum = 1.0 / 355687428096000.0;
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++)
        sum = sum * r2 + c[i];
    return r + r * r2 * sum;
}

static double cos_reduced(double r) {
    static const double c[] = {-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                               1.0 / 40320.0,        -1.0 / 720.0,      1.0 / 24.0};
    double r2 = r * r, sum = 1.0 / 20922789888000.0;
    for (unsigned i = 0; i < sizeof c / sizeof c[0]; i++)
        sum = sum * r2 + c[i];
    return (1.0 - 0.5 * r2) + r2 * r2 * sum;
}

static double quarter_turns(double x, double *r) {
    double n = nearest(x * 0x1.45f306dc9c883p-1); /* 2 / pi */
    *r = ((x - n * pio2_1) - n * pio2_2) - n * pio2_3;
    return n;
}

/* The sine of x and so many quarter turns. */
static double sine(double x, uint64_t quarters) {
    double r, n = quarter_turns(x, &r);
    switch (((uint64_t)(int64_t)n + quarters) & 3u) {
    case 0:
        return sin_reduced(r);
    case 1:
        return cos_reduced(r);
    case 2:
        return -sin_reduced(r);
    default:
        return -cos_reduced(r);
    }
}

double fs_sin(double x) {
    return sine(x, 0);
}

double fs_cos(double x) {
    return sine(x, 1);
}

double fs_tan(double x) {
    return fs_sin(x) / fs_cos(x);
}

/* 0 <= x <= 1: the angle is halved twice, tan(a / 2) = t / (1 + sqrt(1 + t^2)), so that 0.199 is left at most
 * and the odd series to the 23rd power is exact to 2^-60. */
static double atan_reduced(double x) {
    double t = x / (1.0 + sqrt(1.0 + x * x)), sum = 0.0;
    t = t / (1.0 + sqrt(1.0 + t * t));
    const double t2 = t * t;
    for (int n = 23; n >= 3; n -= 2)
        sum = (sum + (n % 4 == 1 ? 1.0 : -1.0) / (double)n) * t2;
    return 4.0 * (t + t * sum);
}

double fs_atan2(double y, double x) {
    const double across = y < 0 ? -y : y, along = x < 0 ? -x : x;
    if (across == 0 && along == 0)
        return 0.0;
    const double part = atan_reduced(across < along ? across / along : along / across);
    const double first = across < along ? part : FS_PI / 2 - part, angle = x < 0 ? FS_PI - first : first;
    return y < 0 ? -angle : angle;
}

double fs_acos(double x) {
    return fs_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}

double fs_pow(double x, double y) {
    return fs_exp(y * fs_log(x));
}

float fs_expf_neg(float x) {
    if (!(x > -87.0f))
        return 0.0f;
    float k = x * 0x1.715476p0f + 0x1.8p23f; /* nearest integer in the low bits; |k| < 2^22 */
    k -= 0x1.8p23f;
    float r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f; /* ln 2 in two parts */
    /* 1 + r + r^2 q(r), q through (exp(r) - 1 - r) / r^2 at five Chebyshev points of |r| <= ln 2 / 2: off by
     * at most 1.1e-8 of exp(r), a fifth of half a unit in the last place */
    float p = 0x1.6d117cp-10f;
    p = p * r + 0x1.120be2p-7f;
    p = p * r + 0x1.555518p-5f;
    p = p * r + 0x1.5554dcp-3f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    uint32_t bits = (uint32_t)((int32_t)k + 127) << 23;
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return p * scale;
}
