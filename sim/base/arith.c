/* A common divisor; an order by 64-bit keys, from their lowest digit on. */
#include "sim/base/arith.h"

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdlib.h>

uint64_t fs_common_divisor(uint64_t a, uint64_t b) {
    FS_ASSERT(a > 0 && b > 0, "divisors of 0");
    while (a % b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return b;
}

size_t fs_index_of(const char *const *first, size_t count, size_t each, const char *text) {
    const char *at = (const char *)first;
    size_t i = 0;
    while (i < count && strcmp(*(const char *const *)(at + i * each), text) != 0)
        i++;
    return i;
}

enum { DIGIT = 11, VALUES = 1 << DIGIT };

/* Where each value of a digit begins, from how often it comes; false when all have the same. */
static bool starts(uint32_t start[VALUES], uint32_t n) {
    uint32_t sum = 0;
    for (int v = 0; v < VALUES; v++) {
        const uint32_t count = start[v];
        if (count == n)
            return false;
        start[v] = sum;
        sum += count;
    }
    return true;
}

/* Keys of 32 bits, each in one word with its place: stable from the lowest digit on. */
static void sort_packed(uint64_t *from, uint64_t *to, uint32_t n, uint32_t *list) {
    enum { PASSES = 3 };
    static const unsigned shift[PASSES] = {32, 32 + DIGIT, 32 + 2 * DIGIT};
    uint32_t(*start)[VALUES] = fs_calloc(PASSES, sizeof *start);
    for (uint32_t i = 0; i < n; i++)
        for (int p = 0; p < PASSES; p++)
            start[p][from[i] >> shift[p] & (VALUES - 1)]++;
    for (int p = 0; p < PASSES; p++) {
        if (!starts(start[p], n))
            continue;
        for (uint32_t i = 0; i < n; i++)
            to[start[p][from[i] >> shift[p] & (VALUES - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = (uint32_t)from[i];
    free(start);
}

typedef struct keyed {
    uint64_t key;
    uint32_t place;
} keyed;

static void sort_wide(keyed *from, keyed *to, uint32_t n, uint32_t *list) {
    for (unsigned shift = 0; shift < 64; shift += DIGIT) {
        uint32_t start[VALUES] = {0};
        for (uint32_t i = 0; i < n; i++)
            start[from[i].key >> shift & (VALUES - 1)]++;
        if (!starts(start, n))
            continue;
        for (uint32_t i = 0; i < n; i++)
            to[start[from[i].key >> shift & (VALUES - 1)]++] = from[i];
        keyed *swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < n; i++)
        list[i] = from[i].place;
}

void fs_order_by_key(const uint64_t *key, uint32_t n, uint32_t *list) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < n; i++)
        all |= key[i];
    if (all <= UINT32_MAX) {
        uint64_t *from = fs_malloc(n * sizeof *from), *to = fs_malloc(n * sizeof *to);
        for (uint32_t i = 0; i < n; i++)
            from[i] = key[i] << 32 | i;
        sort_packed(from, to, n, list);
        free(from);
        free(to);
    } else {
        keyed *from = fs_malloc(n * sizeof *from), *to = fs_malloc(n * sizeof *to);
        for (uint32_t i = 0; i < n; i++)
            from[i] = (keyed){key[i], i};
        sort_wide(from, to, n, list);
        free(from);
        free(to);
    }
}
