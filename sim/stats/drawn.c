#include "sim/stats/drawn.h"

#include <math.h>

/* A number is taken with the chance that the rest still needs it (Knuth, volume 2, algorithm S). */
void fs_drawn_choose(fs_rng rng, uint64_t of, uint64_t draw, uint64_t *out) {
    uint64_t taken = 0;
    for (uint64_t i = 0; taken < draw; i++)
        if (fs_rng_unit(&rng) * (double)(of - i) < (double)(draw - taken))
            out[taken++] = i;
}

void fs_drawn_add(fs_drawn *drawn, double value) {
    const double before = value - drawn->mean;
    drawn->count++;
    drawn->mean += before / (double)drawn->count;
    drawn->squares += before * (value - drawn->mean);
}

double fs_drawn_variance(const fs_drawn *drawn) {
    return drawn->count > 1 ? drawn->squares / (double)(drawn->count - 1) : 0.0;
}

double fs_drawn_error(const fs_drawn *drawn) {
    if (drawn->count >= drawn->of)
        return 0.0;
    if (drawn->count < 2)
        return INFINITY;
    const double unseen = 1.0 - (double)drawn->count / (double)drawn->of;
    return sqrt(fs_drawn_variance(drawn) / (double)drawn->count * unseen);
}

double fs_drawn_half_width(const fs_drawn *drawn) {
    const double error = fs_drawn_error(drawn);
    return drawn->count > 1 && error > 0.0 ? error * fs_drawn_student(drawn->count - 1) : error;
}

double fs_drawn_student(uint64_t degrees) {
    static const double first[] = {12.706205, 4.302653, 3.182446, 2.776445, 2.570582,
                                   2.446912,  2.364624, 2.306004, 2.262157, 2.228139};
    enum { FIRST = sizeof first / sizeof *first };
    if (degrees <= FIRST)
        return first[degrees - 1];
    /* From the normal's 1.96 by powers of 1 / degrees (Abramowitz and Stegun, 26.7.5). */
    const double z = 1.959963985, z2 = z * z, v = (double)degrees;
    const double g1 = z * (z2 + 1.0) / 4.0, g2 = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
                 g3 = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    return z + (g1 + (g2 + g3 / v) / v) / v;
}

double fs_drawn_shrinkage(double seen, double noise) {
    return noise < seen ? sqrt(1.0 - noise / seen) : 0.0;
}

double fs_drawn_left(const fs_drawn_greatest *g, double drawn, double of) {
    const double far = g->most - g->mean, kept = g->chosen - g->mean;
    const double c = !(kept > 0.0) ? 0.0 : kept < far ? kept / far : 1.0;
    return sqrt(c + (1.0 - c) * drawn / of);
}
