/* Arithmetic too small for files of their own, once. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
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
/* a / b, of which a part counts as a whole one; b > 0. */
static inline uint64_t fs_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}
/* The greatest that divides both; both > 0. */
uint64_t fs_common_divisor(uint64_t a, uint64_t b);
/* part / of; NAN where `of` is not above 0. */
static inline double fs_ratio(double part, double of) {
    return of > 0 ? part / of : NAN;
}

static inline bool fs_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* For qsort: numbers, or structs that begin with one; least first, infinite values too. */
#define FS_BY_(name, type)                                                                                   \
    static inline int name(const void *a, const void *b) {                                                   \
        const type x = *(const type *)a, y = *(const type *)b;                                               \
        return (x > y) - (x < y);                                                                            \
    }
FS_BY_(fs_by_u32, uint32_t)
FS_BY_(fs_by_u64, uint64_t)
FS_BY_(fs_by_i64, int64_t)
FS_BY_(fs_by_real, double)
#undef FS_BY_
/* The same for pointers to texts. */
static inline int fs_by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A heap of items, heap[*count], on top the one before all others: name_put has room for one more, name_take has one to take.
 * before(a, b) is of pointers; of two items that differ one is before the other, so that the order in which they came is none of
 * its matters. */
#define FS_HEAP(name, item, before)                                                                          \
    static inline void name##_put(item *heap, uint32_t *count, item fresh) {                                 \
        uint32_t at = (*count)++;                                                                            \
        for (; at > 0 && before(&fresh, &heap[(at - 1) / 2]); at = (at - 1) / 2)                             \
            heap[at] = heap[(at - 1) / 2];                                                                   \
        heap[at] = fresh;                                                                                    \
    }                                                                                                        \
    static inline item name##_take(item *heap, uint32_t *count) {                                            \
        const item first = heap[0], last = heap[--*count];                                                   \
        uint32_t at = 0;                                                                                     \
        for (uint32_t child; (child = 2 * at + 1) < *count; at = child) {                                    \
            child += child + 1 < *count && before(&heap[child + 1], &heap[child]);                           \
            if (!before(&heap[child], &last))                                                                \
                break;                                                                                       \
            heap[at] = heap[child];                                                                          \
        }                                                                                                    \
        heap[at] = last;                                                                                     \
        return first;                                                                                        \
    }

/* Where the first text stands that is `text`, of `count` that are `each` bytes apart; `count`: nowhere. */
size_t fs_index_of(const char *const *first, size_t count, size_t each, const char *text);
/* The same of structs by a member, of words; a list of none may be NULL. */
#define FS_PLACE(list, count, member, text)                                                                  \
    ((count) == 0 ? 0 : fs_index_of(&(list)->member, count, sizeof *(list), text))
#define FS_WORD_PLACE(words, count, text) fs_index_of(words, count, sizeof *(words), text)
/* Whether it stands there; the struct, NULL: nowhere. */
#define FS_HAS(list, count, member, text) (FS_PLACE(list, count, member, text) < (count))
#define FS_FOUND(list, count, member, text)                                                                  \
    ((count) == 0 ? NULL : fs_found(list, &(list)->member, count, sizeof *(list), text))
static inline const void *fs_found(const void *list, const char *const *first, size_t count, size_t each,
                                   const char *text) {
    const size_t at = fs_index_of(first, count, each, text);
    return at < count ? (const char *)list + at * each : NULL;
}

/* list [n] receives 0 ... n - 1 by (key, number); twice as fast where no key has more than 32 bits. */
void fs_order_by_key(const uint64_t *key, uint32_t n, uint32_t *list);

/* Bits 0, 1, 2, ... of a 21-bit number to places 0, 3, 6, ...: of three of them, shifted by 0, 1 and 2, the place
 * on a Morton curve, along which what is close in space is close. */
static inline uint64_t fs_morton_bits(uint64_t x) {
    x = (x | x << 32) & UINT64_C(0x001f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x001f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}
