/* Elementary functions with the same bits on every machine: polynomials in plain IEEE arithmetic, never libm
 * (glibc picks an implementation by CPU). sqrt is IEEE-exact and taken from the compiler. */
#pragma once

#define FS_PI     3.14159265358979323846
#define FS_TURN   6.28318530717958648  /* 2 pi */
#define FS_DEGREE 0x1.1df46a2529d39p-6 /* pi / 180, rounded once */
#define FS_GOLDEN_ANGLE                                                                                      \
    2.399963 /* of a sunflower's seeds: (3 - sqrt 5) pi, to the digits that scenes are made with */

double fs_exp(double x); /* relative error < 1e-15 against libm over [-700, 700]; 0 below, inf above */
double fs_log(double x); /* natural; x > 0; relative error < 1e-15 (absolute near 1) */
double fs_sin(double x); /* |x| <= 1e4; absolute error < 1e-15 */
double fs_cos(double x);
double fs_tan(double x);             /* relative error < 2e-15 away from the poles (|cos x| > 1e-3) */
double fs_atan2(double y, double x); /* finite; -pi ... pi, 0 for (0, 0); error < 1e-15 */
double fs_acos(double x);            /* |x| <= 1; 0 ... pi; error < 1e-15 */
/* exp(y log x), x > 0; relative error < 2e-13, and < 1e-14 for |y log x| < 10 */
double fs_pow(double x, double y);

/* exp of a non-positive float for the march; error < 1.5 ulp over (-87, 0], 0 from -87 down and for NaN. */
float fs_expf_neg(float x);
