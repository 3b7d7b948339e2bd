/* Calls of programs priced in bulk: planes of counts times prices, as wide as they need. */
#include "workloads/foam/record/price_calls.h"

#include <string.h>

enum { BLOCK = 512 }; /* calls: sums of all workers stay in the nearest cache */

typedef uint32_t sums[FS_MAX_WORKERS][BLOCK];

uint16_t *fs_price_largest(const fs_activity *a) {
    uint16_t *largest = fs_calloc(a->planes + 1, sizeof *largest);
    for (size_t p = 0; p < a->planes; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        const unsigned char *at = a->counts + plane->at;
        for (uint64_t c = 0; c < a->calls[plane->group]; c++) {
            const uint16_t n = plane->wide ? ((const uint16_t *)(const void *)at)[c] : at[c];
            largest[p] = n > largest[p] ? n : largest[p];
        }
    }
    return largest;
}

/* Sums of slots are all that is asked for, and no sum, nor a call's cycles, is more than 32 bits hold by the
 * largest counts. */
static bool fits(const fs_activity *a, const uint16_t *largest, uint32_t group, const fs_priced_program *p) {
    double most = (double)p->before + (double)p->after;
    if (p->sram_ports > 0 || p->clock_permille != 1000 || (p->reuse_idle_slots && p->issue_width > 1))
        return false; /* a segment is more than its slots: calls are priced one by one */
    for (uint32_t s = 0; s < p->program->segments; s++)
        most += (double)(p->fixed_first[s] > p->fixed_other[s] ? p->fixed_first[s] : p->fixed_other[s]) *
                (double)p->cycles_per_slot * (double)p->workers;
    for (size_t i = a->plane_start[group]; i < a->plane_start[group + 1]; i++) {
        const fs_activity_plane *plane = &a->plane[i];
        const double count = (double)((uint64_t)largest[i] << plane->shift);
        most += count * ((double)p->slots[plane->event] * (double)p->cycles_per_slot * (double)p->workers +
                         (double)p->cycles[plane->event]);
    }
    return most * (p->permille > 1000 ? p->permille / 1000.0 : 1) < (double)UINT32_MAX;
}

#if defined(__x86_64__)
#define FAST_TARGET __attribute__((target("avx2")))
#else
#define FAST_TARGET
#endif

#if defined(__clang__) /* which says where it leaves a loop as it is: at -O1, and under sanitizers */
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/* The loops of a block, once for each target. */
#define LOOPS(name, target)                                                                                  \
    target static void name##_add8(uint32_t *restrict sum, const uint8_t *restrict n, uint32_t price) {      \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) sum[i] += n[i] * price;                     \
    }                                                                                                        \
    target static void name##_add16(uint32_t *restrict sum, const uint16_t *restrict n, uint32_t price) {    \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) sum[i] += n[i] * price;                     \
    }                                                                                                        \
    target static void name##_max(uint32_t *restrict most, const uint32_t *restrict sum) {                   \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) most[i] =                                   \
            sum[i] > most[i] ? sum[i] : most[i];                                                             \
    }                                                                                                        \
    target static void name##_scale(uint32_t *restrict to, const uint32_t *restrict n, uint32_t by) {        \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) to[i] += n[i] * by;                         \
    }

typedef struct loops {
    void (*add8)(uint32_t *restrict sum, const uint8_t *restrict n, uint32_t price);
    void (*add16)(uint32_t *restrict sum, const uint16_t *restrict n, uint32_t price);
    void (*max)(uint32_t *restrict most, const uint32_t *restrict sum);
    void (*scale)(uint32_t *restrict to, const uint32_t *restrict n, uint32_t by);
} loops;

LOOPS(plain, )
static const loops plain = {plain_add8, plain_add16, plain_max, plain_scale};
#if defined(__x86_64__)
LOOPS(avx2, FAST_TARGET)
static const loops avx2 = {avx2_add8, avx2_add16, avx2_max, avx2_scale};
#endif

static const loops *best(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return &avx2;
#endif
    return &plain;
}

/* A block of a plane; the last one of a group is shorter, and filled up with zeros. */
static void add_plane(const loops *l, const fs_activity *a, const fs_activity_plane *plane, uint64_t first,
                      uint64_t calls, uint32_t price, uint32_t *sum) {
    const size_t width = plane->wide ? 2 : 1;
    const unsigned char *at = a->counts + plane->at + first * width;
    _Alignas(64) unsigned char rest[2 * BLOCK];
    if (calls - first < BLOCK) {
        memset(rest, 0, sizeof rest);
        memcpy(rest, at, (size_t)(calls - first) * width);
        at = rest;
    }
    if (plane->wide)
        l->add16(sum, (const uint16_t *)(const void *)at, price);
    else
        l->add8(sum, at, price);
}

static void fill(uint32_t *to, uint32_t value) {
    for (uint32_t i = 0; i < BLOCK; i++)
        to[i] = value;
}

/* Taken slots for counted ones, in place. */
static void take(uint32_t *slots, const fs_priced_program *p) {
    for (uint32_t i = 0; i < BLOCK && p->permille != 1000; i++)
        slots[i] = (uint32_t)fs_slots_taken(p, slots[i]);
}

static void price_segment(const loops *l, const fs_activity *a, uint32_t group, const fs_priced_program *p,
                          uint32_t segment, uint64_t first, sums sum, uint32_t *cycles) {
    const uint64_t calls = a->calls[group];
    FS_ASSERT(p->workers > 0, "a program without workers");
    for (uint32_t w = 0; w < p->workers; w++)
        fill(sum[w], w == 0 ? p->fixed_first[segment] : p->fixed_other[segment]);
    for (size_t i = a->plane_start[group]; i < a->plane_start[group + 1]; i++) {
        const fs_activity_plane *plane = &a->plane[i];
        if (p->program->events[plane->event].segment == segment && p->slots[plane->event] > 0)
            add_plane(l, a, plane, first, calls, p->slots[plane->event] << plane->shift, sum[plane->worker]);
    }
    for (uint32_t w = 0; p->reuse_idle_slots && w < p->workers; w++)
        take(sum[w], p);
    for (uint32_t w = 1; w < p->workers; w++) {
        if (p->reuse_idle_slots)
            l->scale(sum[0], sum[w], 1);
        else
            l->max(sum[0], sum[w]);
    }
    if (!p->reuse_idle_slots) /* the slowest stays the slowest */
        take(sum[0], p);
    l->scale(cycles, sum[0], p->reuse_idle_slots ? 1 : p->cycles_per_slot);
}

bool fs_price_calls(const fs_activity *a, const uint16_t *largest, uint32_t group, const fs_priced_program *p,
                    uint32_t *cycles) {
    const uint64_t calls = a->calls[group];
    const loops *l = best();
    _Alignas(64) sums sum;
    _Alignas(64) uint32_t block[BLOCK];
    if (!fits(a, largest, group, p))
        return false;
    for (uint64_t first = 0; first < calls; first += BLOCK) {
        fill(block, p->before + p->after);
        for (uint32_t s = 0; s < p->program->segments; s++)
            price_segment(l, a, group, p, s, first, sum, block);
        for (size_t i = a->plane_start[group]; p->hardware && i < a->plane_start[group + 1]; i++) {
            const fs_activity_plane *plane = &a->plane[i];
            if (p->cycles[plane->event] > 0)
                add_plane(l, a, plane, first, calls, p->cycles[plane->event] << plane->shift, block);
        }
        memcpy(cycles + first, block,
               (size_t)(calls - first < BLOCK ? calls - first : BLOCK) * sizeof *cycles);
    }
    return true;
}
