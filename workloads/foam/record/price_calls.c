/* Calls of programs priced in bulk: planes of counts times prices, as wide as they need. */
#include "workloads/foam/record/activity.h"

#include <string.h>

enum { BLOCK = 512 }; /* calls: sums of all workers stay in the nearest cache */

/* Of a block of calls: slots of each worker in a segment, and accesses of the SRAM in it. */
typedef struct sums {
    uint32_t slots[FS_MAX_WORKERS][BLOCK], accesses[BLOCK];
} sums;

static uint16_t largest8(const uint8_t *count, uint64_t calls) {
    uint8_t most = 0;
    for (uint64_t c = 0; c < calls; c++)
        most = count[c] > most ? count[c] : most;
    return most;
}

static uint16_t largest16(const uint16_t *count, uint64_t calls) {
    uint16_t most = 0;
    for (uint64_t c = 0; c < calls; c++)
        most = count[c] > most ? count[c] : most;
    return most;
}

uint16_t *fs_price_largest(const fs_activity *a) {
    uint16_t *largest = fs_calloc(a->planes + 1, sizeof *largest);
    for (size_t p = 0; p < a->planes; p++) {
        const fs_activity_plane *plane = &a->plane[p];
        const unsigned char *at = a->counts + plane->at;
        const uint64_t calls = a->calls[plane->group];
        largest[p] = plane->wide ? largest16((const uint16_t *)(const void *)at, calls) : largest8(at, calls);
    }
    return largest;
}

/* No sum, nor a call's cycles, is more than 32 bits hold by the largest counts. */
static bool fits(const fs_activity *a, const uint16_t *largest, uint32_t group, const fs_priced_program *p) {
    const double turn = (double)p->cycles_per_slot * (double)p->workers, port = p->sram_ports > 0 ? 1 : 0;
    double most = (double)p->before + (double)p->after;
    for (uint32_t s = 0; s < p->program->segments; s++)
        most +=
            (double)(p->fixed_first[s] > p->fixed_other[s] ? p->fixed_first[s] : p->fixed_other[s]) * turn +
            (double)p->fixed_accesses[s] * port;
    for (size_t i = a->plane_start[group]; i < a->plane_start[group + 1]; i++) {
        const fs_activity_plane *plane = &a->plane[i];
        const double count = (double)((uint64_t)largest[i] << plane->shift);
        most += count * ((double)p->slots[plane->event] * turn + (double)p->accesses[plane->event] * port +
                         (double)p->cycles[plane->event]);
    }
    most *= p->permille > 1000 ? p->permille / 1000.0 : 1;
    return most * (p->clock_permille < 1000 ? 1000.0 / p->clock_permille : 1) < (double)UINT32_MAX;
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
    target static void name##_order(uint32_t *restrict less, uint32_t *restrict more) {                      \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) {                                           \
            const uint32_t a = less[i], b = more[i];                                                         \
            less[i] = a < b ? a : b;                                                                         \
            more[i] = a < b ? b : a;                                                                         \
        }                                                                                                    \
    }                                                                                                        \
    target static void name##_scale(uint32_t *restrict to, const uint32_t *restrict n, uint32_t by) {        \
        _Pragma("omp simd") for (uint32_t i = 0; i < BLOCK; i++) to[i] += n[i] * by;                         \
    }

typedef struct loops {
    void (*add8)(uint32_t *restrict sum, const uint8_t *restrict n, uint32_t price);
    void (*add16)(uint32_t *restrict sum, const uint16_t *restrict n, uint32_t price);
    void (*max)(uint32_t *restrict most, const uint32_t *restrict sum);
    void (*order)(uint32_t *restrict less, uint32_t *restrict more);
    void (*scale)(uint32_t *restrict to, const uint32_t *restrict n, uint32_t by);
} loops;

LOOPS(plain, )
static const loops plain = {plain_add8, plain_add16, plain_max, plain_order, plain_scale};
#if defined(__x86_64__)
LOOPS(avx2, FAST_TARGET)
static const loops avx2 = {avx2_add8, avx2_add16, avx2_max, avx2_order, avx2_scale};
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

/* With reuse of idle slots: slots of the workers become cycles of the segment, in slots[0]. Of n that still
 * have slots each issues once in a round; so the cycles are a sum of the ordered slots, each as often as its
 * worker makes the round longer. */
static void share_slots(const loops *l, const fs_priced_program *p, sums *sum) {
    const uint32_t n = p->workers;
    for (uint32_t end = n; p->issue_width > 1 && end > 1; end--) /* the largest of them to their end */
        for (uint32_t w = 0; w + 1 < end; w++)
            l->order(sum->slots[w], sum->slots[w + 1]);
    for (uint32_t w = 0; w < n; w++) {
        const uint32_t each = (uint32_t)(fs_issue_round(p, n - w) - fs_issue_round(p, n - w - 1));
        if (w > 0 && each > 0)
            l->scale(sum->slots[0], sum->slots[w], each);
        else if (w == 0 && each == 0)
            fill(sum->slots[0], 0);
    }
}

/* Cycles of a segment whose workers take slots[0] turns: its accesses may take longer. */
static void wait_for_ports(const fs_priced_program *p, uint32_t each, sums *sum) {
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t issue = sum->slots[0][i] * each,
                       port = (sum->accesses[i] + p->sram_ports - 1) / p->sram_ports;
        sum->slots[0][i] = issue > port ? issue : port;
    }
}

static void price_segment(const loops *l, const fs_activity *a, uint32_t group, const fs_priced_program *p,
                          uint32_t segment, uint64_t first, sums *sum, uint32_t *cycles) {
    const uint64_t calls = a->calls[group];
    uint32_t each = p->reuse_idle_slots ? 1 : p->cycles_per_slot;
    FS_ASSERT(p->workers > 0, "a program without workers");
    for (uint32_t w = 0; w < p->workers; w++)
        fill(sum->slots[w], w == 0 ? p->fixed_first[segment] : p->fixed_other[segment]);
    fill(sum->accesses, (uint32_t)p->fixed_accesses[segment]);
    for (size_t i = a->plane_start[group]; i < a->plane_start[group + 1]; i++) {
        const fs_activity_plane *plane = &a->plane[i];
        const uint32_t event = plane->event;
        if (p->program->events[event].segment != segment)
            continue;
        if (p->slots[event] > 0)
            add_plane(l, a, plane, first, calls, p->slots[event] << plane->shift, sum->slots[plane->worker]);
        if (p->sram_ports > 0 && p->accesses[event] > 0)
            add_plane(l, a, plane, first, calls, p->accesses[event] << plane->shift, sum->accesses);
    }
    for (uint32_t w = 0; p->reuse_idle_slots && w < p->workers; w++)
        take(sum->slots[w], p);
    if (p->reuse_idle_slots)
        share_slots(l, p, sum);
    for (uint32_t w = 1; !p->reuse_idle_slots && w < p->workers; w++)
        l->max(sum->slots[0], sum->slots[w]);
    if (!p->reuse_idle_slots) /* the slowest stays the slowest */
        take(sum->slots[0], p);
    if (p->sram_ports > 0) {
        wait_for_ports(p, each, sum);
        each = 1;
    }
    l->scale(cycles, sum->slots[0], each);
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
            price_segment(l, a, group, p, s, first, &sum, block);
        for (size_t i = a->plane_start[group]; p->hardware && i < a->plane_start[group + 1]; i++) {
            const fs_activity_plane *plane = &a->plane[i];
            if (p->cycles[plane->event] > 0)
                add_plane(l, a, plane, first, calls, p->cycles[plane->event] << plane->shift, block);
        }
        for (uint32_t i = 0; p->clock_permille != 1000 && i < BLOCK; i++)
            block[i] = (uint32_t)fs_tile_chip_cycles(p, block[i]);
        memcpy(cycles + first, block,
               (size_t)(calls - first < BLOCK ? calls - first : BLOCK) * sizeof *cycles);
    }
    return true;
}
