/* Elementary functions with the same bits on every machine: polynomials in plain IEEE arithmetic, never libm
 * (glibc picks an implementation by CPU). sqrt is IEEE-exact and taken from the compiler. */
#ifndef FOAMSIM_SIM_BASE_DETMATH_H
#define FOAMSIM_SIM_BASE_DETMATH_H

double fs_exp(double x); /* relative error < 1e-15 against libm over [-700, 700]; 0 below, inf above */
double fs_log(double x); /* natural; x > 0; relative error < 1e-15 (absolute near 1) */
double fs_sin(double x); /* |x| <= 1e4; absolute error < 1e-15 */
double fs_cos(double x);
double fs_tan(double x); /* relative error < 2e-15 away from the poles (|cos x| > 1e-3) */
/* exp(y log x), x > 0; relative error < 2e-13, and < 1e-14 for |y log x| < 10 */
double fs_pow(double x, double y);

/* exp of a non-positive float for the march; error < 1.5 ulp over (-87, 0], 0 from -87 down and for NaN. */
float fs_expf_neg(float x);

#endif
