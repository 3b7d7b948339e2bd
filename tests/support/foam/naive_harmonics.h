/* Real spherical harmonics by their definition, in double, for tests: associated Legendre polynomials by their
 * sums, longitude by sine and cosine. Signs of 3D Gaussian splatting: those with the phase (-1)^m. */
#pragma once

#include <math.h>

static inline double naive_factorial(int n) {
    return n <= 1 ? 1 : n * naive_factorial(n - 1);
}

/* P_l^m(x) without the phase: (1 - x^2)^(m/2) times the m-th derivative of P_l. */
static inline double naive_legendre(int l, int m, double x) {
    double sum = 0;
    for (int k = 0; 2 * k <= l - m; k++)
        sum += (k % 2 ? -1 : 1) * naive_factorial(2 * l - 2 * k) /
               (naive_factorial(k) * naive_factorial(l - k) * naive_factorial(l - m - 2 * k)) *
               pow(x, l - m - 2 * k);
    return pow(1 - x * x, 0.5 * m) * sum / pow(2, l);
}

/* k = 1 ... 15: by degree, then by order from -l to l. */
static inline double naive_harmonic(int k, const double d[3]) {
    const double pi = 3.14159265358979323846;
    const int l = k < 4 ? 1 : k < 9 ? 2 : 3, m = k - l * l - l, n = m < 0 ? -m : m;
    const double phi = atan2(d[1], d[0]),
                 norm = sqrt((2 * l + 1) / (4 * pi) * naive_factorial(l - n) / naive_factorial(l + n)),
                 turn = m == 0  ? 1
                        : m < 0 ? sqrt(2.0) * sin(n * phi)
                                : sqrt(2.0) * cos(n * phi);
    const double z = d[2] > 1 ? 1 : d[2] < -1 ? -1 : d[2];
    return (n % 2 ? -1 : 1) * norm * turn * naive_legendre(l, n, z);
}

/* One channel of a site's colour: c0, and its coefficients three apart. */
static inline double naive_colour(int functions, double c0, const float *c, const double d[3]) {
    double sum = c0;
    for (int k = 1; k <= functions; k++)
        sum += naive_harmonic(k, d) * (double)c[3 * (k - 1)];
    return sum > 0 ? sum : 0;
}
