/* Arithmetic too small for files of their own, once. */
#ifndef FOAMSIM_SIM_BASE_ARITH_H
#define FOAMSIM_SIM_BASE_ARITH_H

#include <math.h>
#include <stdint.h>

/* Elements of an array; not of a pointer. */
#define FS_COUNT(array) (sizeof(array) / sizeof *(array))

static inline uint64_t fs_most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}
/* part / of; NAN where `of` is not above 0. */
static inline double fs_ratio(double part, double of) {
    return of > 0 ? part / of : NAN;
}

/* For qsort: numbers, or structs that begin with one; least first. */
static inline int fs_by_u64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

#endif
