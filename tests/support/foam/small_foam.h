/* Foams for tests, without the mesher: random sites and their exact Delaunay adjacency. */
#pragma once

#include "workloads/scene/foam/foam_scene.h"

#include <stdint.h>

typedef struct fs_test_foam_options {
    uint32_t sites; /* 5 ... a few hundred thousand (2,000 take 30 ms, 200,000 about ten seconds) */
    uint64_t seed;
    double empty_share;               /* of the sites have density 0 */
    double density_low, density_high; /* of the others, uniform; extinction per scene unit */
    int scale_exponent;               /* sites fill the cube [-s, s]^3, s = 2^scale_exponent; -100 ... 100 */
    uint32_t
        clusters; /* 0: uniform sites; n: half of them in n dense balls (uneven degrees and cell sizes) */
} fs_test_foam_options;

/* Sites are multiples of 2^-19 s, so that orientation and in-sphere tests are integers and the adjacency is
 * exactly that of the float positions. Colours are random. Heap-owned: fs_foam_free. */
fs_status fs_test_foam_make(const fs_test_foam_options *options, fs_foam *out);

/* Uniform sites in [-1, 1]^3, half of them empty, densities 0.5 ... 20: rays pass tens of cells. */
fs_status fs_test_foam(uint32_t sites, uint64_t seed, fs_foam *out);
