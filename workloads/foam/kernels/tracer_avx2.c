/* The usual visit of a tracer without a branch that fails: a ray that wants this tracer, came by the shortest
 * way, and crosses into another shard. Six workers' counts stay in registers, an event to a lane. Slots of
 * any other kind are noted and visited by fs_tracer_visit afterwards, in their order. */
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/kernels/simulation_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2        __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

enum {
    WORKERS = FS_USUAL_WORKERS,
    ROUNDS = 48, /* of all workers, in a pass */
    FIRST = FS_TRACER_SETUP,
};
_Static_assert(FS_TRACER_CELL == FIRST + 1 && FS_TRACER_FACE == FIRST + 2 && FS_TRACER_FRONT == FIRST + 3 &&
                   FS_TRACER_NEAREST == FIRST + 4 && FS_TRACER_DEPTH == FIRST + 5 &&
                   FS_TRACER_CROSS == FIRST + 6 && FS_TRACER_FINISH == FIRST + 7,
               "lane i of a sum is event FIRST + i");

typedef struct passage {
    const fs_foam_simulation *sim;
    fs_course *course;
    fs_leg *const *chunk;
    uint64_t here, routed; /* bits of a course and of a handle that leave this tracer */
    uint32_t tracer;
    uint32_t others;
    __m256i sum[WORKERS];
    uint16_t other[ROUNDS * WORKERS]; /* [others] slots that are left */
} passage;

/* The events of a leg that crosses: bytes 2-3 of the word are the faces, 4-5 the front faces, 6 the cells, 7
 * the nearest ones and, as its highest bit, the depth mark. */
AVX2_INLINE __m256i events_of(uint64_t leg) {
    const __m256i place = _mm256_setr_epi8(-1, -1, -1, -1, 6, -1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, /**/
                                           7, -1, -1, -1, 7, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i bits = _mm256_setr_epi32(0, 0xff, 0xffff, 0xffff, FS_LEG_DEPTH - 1, FS_LEG_DEPTH, 0, 0);
    return _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi64x((long long)leg), place), bits);
}

/* One slot. A handle and a course as words: their first member lowest. */
AVX2_INLINE void pass_slot(passage *p, const fs_handle *in, fs_handle *out, uint32_t slot, __m256i *sum) {
    uint64_t handle, course, leg = FS_LEG_ENDS;
    memcpy(&handle, &in[slot], sizeof handle);
    const uint32_t id = (uint32_t)handle;
    if (__builtin_expect(id < FS_RAY_ENDED && (uint16_t)(handle >> 32) == p->tracer, 1)) { /* no flag */
        memcpy(&course, &p->course[id], sizeof course);
        const uint32_t at = (uint32_t)course;
        memcpy(&leg, &p->chunk[at / FS_LEG_CHUNK][at % FS_LEG_CHUNK], sizeof leg);
    }
    if (__builtin_expect((uint16_t)leg >= FS_LEG_MORE, 0)) {
        p->other[p->others++] = (uint16_t)slot;
        __builtin_prefetch(&p->sim->pool.ray[id & FS_RAY_ID], 1);
        memcpy(&out[slot], &handle, sizeof handle);
        return;
    }
    *sum = _mm256_add_epi32(*sum, events_of(leg));
    course += FS_LEG_STRIDE + (handle >> 48 << 32); /* a leg and its router visits further, from here */
    course = (course & UINT64_C(0x0000ffffffffffff)) | p->here;
    memcpy(&p->course[id], &course, sizeof course);
    handle = id | (uint64_t)fs_next_tracer(p->sim, (uint16_t)leg, id) << 32 | p->routed;
    memcpy(&out[slot], &handle, sizeof handle);
}

/* Slots [0, extent), at most ROUNDS rounds of them. */
AVX2 static void pass_rounds(passage *p, const fs_handle *in, fs_handle *out, uint32_t extent) {
    __m256i a = p->sum[0], b = p->sum[1], c = p->sum[2], d = p->sum[3], e = p->sum[4], f = p->sum[5];
    uint32_t i = 0;
    p->others = 0;
    for (; i + WORKERS <= extent; i += WORKERS) { /* by hand, so that the sums stay in registers */
        pass_slot(p, in, out, i, &a);
        pass_slot(p, in, out, i + 1, &b);
        pass_slot(p, in, out, i + 2, &c);
        pass_slot(p, in, out, i + 3, &d);
        pass_slot(p, in, out, i + 4, &e);
        pass_slot(p, in, out, i + 5, &f);
    }
    p->sum[0] = a;
    p->sum[1] = b;
    p->sum[2] = c;
    p->sum[3] = d;
    p->sum[4] = e;
    p->sum[5] = f;
    for (uint32_t w = 0; i < extent; i++, w++)
        pass_slot(p, in, out, i, &p->sum[w]);
}

/* Adds what the usual visits of a worker came to. */
AVX2_INLINE void add_row(uint32_t *row, __m256i sum, uint32_t visits) {
    uint32_t events[8];
    _mm256_storeu_si256((__m256i *)events, sum);
    events[FS_TRACER_DEPTH - FIRST] /= FS_LEG_DEPTH;
    events[FS_TRACER_SETUP - FIRST] = events[FS_TRACER_CROSS - FIRST] = visits;
    for (uint32_t e = 0; e < 8; e++)
        row[FIRST + e] += events[e];
}

AVX2 uint32_t fs_tracer_lane_avx2(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                                  const fs_lane_state *in, fs_handle *slots, uint32_t *counts) {
    const uint32_t extent = in->in_extent;
    passage p = {.sim = sim,
                 .course = sim->pool.course,
                 .chunk = sim->itinerary.chunk,
                 .here = (uint64_t)tracer << 48,
                 .routed = (uint64_t)fs_routed_after_trace(routes) << 48,
                 .tracer = tracer};
    uint32_t others[WORKERS] = {0}, kept = extent, consumed = 0;
    for (uint32_t w = 0; w < WORKERS; w++)
        p.sum[w] = _mm256_setzero_si256();
    for (uint32_t begin = 0; begin < extent; begin += ROUNDS * WORKERS) {
        const uint32_t left = extent - begin;
        pass_rounds(&p, in->in + begin, slots + begin, left < ROUNDS * WORKERS ? left : ROUNDS * WORKERS);
        for (uint32_t o = 0; o < p.others; o++) {
            const uint32_t slot = begin + p.other[o], worker = p.other[o] % WORKERS;
            others[worker]++;
            if (slots[slot].ray == FS_RAY_CONSUMED)
                consumed++;
            else
                slots[slot] = fs_tracer_visit(sim, work, tracer, routes, slots[slot],
                                              counts + (size_t)worker * FS_MAX_EVENTS);
            kept -= slots[slot].ray == FS_RAY_CONSUMED;
        }
    }
    for (uint32_t w = 0; w < WORKERS; w++)
        add_row(counts + (size_t)w * FS_MAX_EVENTS, p.sum[w], fs_share(extent, WORKERS, w) - others[w]);
    work->held += extent - consumed;
    return kept;
}

#else

uint32_t fs_tracer_lane_avx2(fs_foam_simulation *sim, fs_tile_work *work, uint32_t tracer, bool routes,
                             const fs_lane_state *in, fs_handle *slots, uint32_t *counts) {
    (void)sim, (void)work, (void)tracer, (void)routes, (void)in, (void)slots, (void)counts;
    FS_ASSERT(false, "a host without AVX2");
}

#endif
