/* Elementary functions with the same bits on every machine: polynomials in plain IEEE arithmetic, never libm
 * (glibc picks an implementation by CPU). sqrt is IEEE-exact and taken from the compiler. */
#ifndef FOAMSIM_SIM_BASE_DETMATH_H
#define FOAMSIM_SIM_BASE_DETMATH_H

double fs_exp(double x); /* relative error < 1e-15 against libm over [-700, 700]; 0 below, inf above */
double fs_log(double x); /* natural; x > 0; relative error < 1e-15 (absolute near 1) */
double fs_sin(double x); /* |x| <= 1e4; absolute error < 1e-15 */
double fs_cos(double x);
double fs_tan(double x);
double fs_pow(double x, double y); /* exp(y log x), x > 0; relative error < 1e-13 */

/* exp of a non-positive float for the march; relative error < 2 ulp over [-87, 0], 0 below. */
float fs_expf_neg(float x);

#endif
