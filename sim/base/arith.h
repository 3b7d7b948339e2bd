/* Arithmetic too small for files of their own, once. */
#ifndef FOAMSIM_SIM_BASE_ARITH_H
#define FOAMSIM_SIM_BASE_ARITH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Elements of an array; not of a pointer. */
#define FS_COUNT(array) (sizeof(array) / sizeof *(array))

static inline uint64_t fs_most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}
static inline uint64_t fs_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}
/* a / b, rounded up; b above 0. */
static inline uint64_t fs_divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}
/* part / of; NAN where `of` is not above 0. */
static inline double fs_ratio(double part, double of) {
    return of > 0 ? part / of : NAN;
}

/* For qsort: the values themselves, or structs that begin with one; least first. */
static inline int fs_by_u64(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
static inline int fs_by_u32(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
static inline int fs_by_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline bool fs_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

#endif
