#include "workloads/pathtrace/frame/frame.h"

#include <string.h>

static uint64_t workers_of(const fs_pathtrace_fixed *f) {
    return (uint64_t)f->render_tiles * f->workers;
}

uint64_t fs_pathtrace_rows_kept_of(const fs_pathtrace_fixed *fixed) {
    return workers_of(fixed) * (fixed->each ? fixed->drawn : 1);
}

void fs_pathtrace_sum_rows(const fs_pathtrace_fixed *fixed, fs_pathtrace_row *rows) {
    const uint64_t workers = workers_of(fixed);
    for (uint64_t i = workers; !fixed->each && i < fixed->drawn * workers; i++)
        for (int e = 0; e < FS_WALK_EVENTS; e++) {
            uint32_t *sum = &rows[i % workers][e];
            *sum = rows[i][e] > UINT32_MAX - *sum ? UINT32_MAX : *sum + rows[i][e];
        }
}

/* ---- all samples ---- */

/* An event of workers side by side: what fs_pathtrace_grow makes of it, its slots, the sum over all. */
typedef struct growth {
    double by, mean; /* grown: by x count + mean, rounded */
    uint64_t price;  /* slots of one */
} growth;

#define GROW(TYPE)                                                                                           \
    uint64_t sum = 0;                                                                                        \
    for (uint64_t r = 0; r < count; r++) {                                                                   \
        const uint32_t grown = (uint32_t)(TYPE)(g->by * (double)(TYPE)n[r] + g->mean + 0.5);                 \
        sum += grown;                                                                                        \
        slots[r] += grown * g->price;                                                                        \
    }                                                                                                        \
    return sum

static uint64_t grow(const growth *g, const uint32_t *restrict n, uint64_t count, uint64_t *restrict slots) {
    GROW(uint32_t);
}

/* Of counts that are less than 2^31, which processors convert several at a time. */
#if defined(__x86_64__)
__attribute__((target("avx2")))
#endif
static uint64_t
grow_small(const growth *g, const uint32_t *restrict n, uint64_t count, uint64_t *restrict slots) {
    GROW(int32_t);
}

/* No count is more; all bits of all of them are found sooner than the most. */
static uint32_t bound_of(const uint32_t *n, uint64_t count) {
    uint32_t bits = 0;
    for (uint64_t r = 0; r < count; r++)
        bits |= n[r];
    return bits;
}

static bool too_many(const growth *g, const uint32_t *n, uint64_t count) {
    for (uint64_t r = 0; r < count; r++)
        if (g->by * (double)n[r] + g->mean + 0.5 > UINT32_MAX)
            return true;
    return false;
}

/* Workers [first, first + count) of all rows; most: the most slots of one so far. */
static fs_status close_workers(const fs_pathtrace_fixed *f, const fs_walk_counts *counts, uint64_t first,
                               uint64_t count, const growth *growths, fs_pathtrace_batch *batch,
                               uint64_t *most, fs_error *err) {
    fs_walk_columns n;
    uint64_t slots[FS_WALK_CHUNK] = {0};
    fs_walk_counts_columns(counts, first, count, n);
    for (int e = 0; e < FS_WALK_EVENTS; e++) {
        const growth *g = &growths[e];
        const uint32_t bound = bound_of(n[e], count);
        const double largest = g->by * bound + g->mean + 0.5;
        if (largest < 1) /* none */
            continue;
        if (bound < INT32_MAX && largest < INT32_MAX && f->walk.vectors)
            batch->event[e] += grow_small(g, n[e], count, slots);
        else if (too_many(g, n[e], count))
            return fs_pathtrace_too_many(f, err);
        else
            batch->event[e] += grow(g, n[e], count, slots);
    }
    for (uint64_t r = 0; r < count; r++)
        *most = slots[r] > *most ? slots[r] : *most;
    return FS_OK;
}

/* As fs_pathtrace_grow does row by row. */
static fs_status close_looped(const fs_pathtrace_fixed *f, const fs_walk_counts *counts, uint64_t first,
                              double share, fs_pathtrace_batch *batch, fs_error *err) {
    const uint64_t workers = workers_of(f);
    const double all = (double)f->samples / (double)f->drawn;
    uint64_t sum[FS_WALK_EVENTS], most = 0;
    growth growths[FS_WALK_EVENTS];
    fs_walk_counts_sum(counts, first, workers, sum);
    for (int e = 0; e < FS_WALK_EVENTS; e++)
        growths[e] = (growth){.by = all * share,
                              .mean = all * (1 - share) * (double)sum[e] / (double)workers,
                              .price = f->walk.slots[e]};
    for (uint64_t w = 0; w < workers; w += FS_WALK_CHUNK)
        if (close_workers(f, counts, first + w, workers - w < FS_WALK_CHUNK ? workers - w : FS_WALK_CHUNK,
                          growths, batch, &most, err))
            return err->status;
    batch->walk = fs_pathtrace_walk_cycles(f, most);
    return FS_OK;
}

static void close_each(const fs_pathtrace_fixed *f, const fs_walk_counts *counts, uint64_t first,
                       fs_pathtrace_batch *batch) {
    const uint64_t workers = workers_of(f);
    for (uint64_t s = 0; s < f->drawn; s++) {
        const uint32_t weight = fs_pathtrace_weight(f, s);
        uint64_t sum[FS_WALK_EVENTS];
        fs_walk_counts_sum(counts, first + s * workers, workers, sum);
        batch->walk += weight * (uint64_t)batch->value[s];
        for (int e = 0; e < FS_WALK_EVENTS; e++)
            batch->event[e] += weight * sum[e];
    }
}

fs_status fs_pathtrace_batches_close(const fs_pathtrace_fixed *fixed, uint64_t batches,
                                     const fs_walk_counts *counts, fs_pathtrace_batch *batch, double *share,
                                     fs_error *err) {
    const uint64_t kept = fs_pathtrace_rows_kept_of(fixed);
    *share = fs_pathtrace_share(fixed, batch, batches);
    for (uint64_t b = 0; b < batches; b++) {
        batch[b].walk = 0;
        memset(batch[b].event, 0, sizeof batch[b].event);
        if (fixed->each)
            close_each(fixed, counts, b * kept, &batch[b]);
        else if (close_looped(fixed, counts, b * kept, *share, &batch[b], err))
            return err->status;
    }
    return FS_OK;
}
