/* Parts that machines are put together from, each with its own cycle by cycle rules. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What became of a part's cycles: it worked, it had nothing to work on though it was asked (its input has not
 * come), it could not pass on what it has (its output is not taken), or it had nothing to do. The four add up
 * to the cycles of the run, times the places of the part where it has several. */
typedef struct fs_part_use {
    uint64_t busy, input, output, idle; /* cycles */
} fs_part_use;

static inline uint64_t fs_part_use_sum(const fs_part_use *use) {
    return use->busy + use->input + use->output + use->idle;
}

/* Clock domains on a common tick: the tick is the least common multiple of both frequencies, a clock is a
 * period in ticks, and edges of all clocks meet at tick 0. 250 and 150 MHz meet at 750 MHz: periods 3 and 5.
 */
#define FS_CLOCK_TICK_HZ 100000000000 /* a tick takes 10 ps at least */

/* Periods of two clocks in ticks. */
typedef struct fs_clock_pair {
    uint64_t a, b;
} fs_clock_pair;

/* Frequencies in Hz, > 0. false: the common tick would be shorter than 10 ps. */
bool fs_clock_pair_of(uint64_t a, uint64_t b, fs_clock_pair *pair);

/* Whole cycles at `hz` that a time of so many seconds takes, rounded up; what a multiple of the period is
 * written as (184 ns at 250 MHz: 46) stays that multiple. seconds >= 0, at most 1e18 cycles. */
uint64_t fs_clock_cycles(double seconds, uint64_t hz);

/* The first edge of a clock of period `to` that is not before edge `cycle` of one of period `from`. */
static inline uint64_t fs_clock_edge(uint64_t cycle, uint64_t from, uint64_t to) {
    return (cycle * from + to - 1) / to;
}

/* Credits: how many may be under way at a time. */
typedef struct fs_credits {
    uint32_t limit, taken;
} fs_credits;

static inline bool fs_credits_left(const fs_credits *credits) {
    return credits->taken < credits->limit;
}
static inline void fs_credits_take(fs_credits *credits) {
    FS_ASSERT(fs_credits_left(credits), "all %u credits are taken", credits->limit);
    credits->taken++;
}
static inline void fs_credits_give(fs_credits *credits) {
    FS_ASSERT(credits->taken > 0, "a credit came back that nobody took");
    credits->taken--;
}

/* A FIFO of numbers with room for so many: a ring. Offering to a full one and taking from an empty one are
 * defects of the caller, who asks first. */
typedef struct fs_fifo {
    uint64_t *item; /* [room] */
    uint32_t room, count, head;
} fs_fifo;

static inline void fs_fifo_init(fs_fifo *fifo, fs_arena *arena, uint32_t room) {
    *fifo = (fs_fifo){.item = FS_NEW(arena, uint64_t, room), .room = room};
}
static inline bool fs_fifo_full(const fs_fifo *fifo) {
    return fifo->count == fifo->room;
}
static inline void fs_fifo_put(fs_fifo *fifo, uint64_t item) {
    FS_ASSERT(!fs_fifo_full(fifo), "a FIFO of %u is full", fifo->room);
    const uint32_t at = fifo->head + fifo->count;
    fifo->item[at < fifo->room ? at : at - fifo->room] = item;
    fifo->count++;
}
/* The oldest; there must be one. */
static inline uint64_t fs_fifo_front(const fs_fifo *fifo) {
    FS_ASSERT(fifo->count > 0, "an empty FIFO has no front");
    return fifo->item[fifo->head];
}
static inline uint64_t fs_fifo_take(fs_fifo *fifo) {
    const uint64_t item = fs_fifo_front(fifo);
    fifo->head = fifo->head + 1 == fifo->room ? 0 : fifo->head + 1;
    fifo->count--;
    return item;
}

/* An arbiter: which of those that ask is served. Fixed priority takes the lowest number, round robin the
 * first after the one served last, oldest the one that asks since the earliest cycle (of equals the lowest
 * number).
 */
enum { FS_ARBITER_FIXED, FS_ARBITER_ROUND_ROBIN, FS_ARBITER_OLDEST };
extern const char *const fs_arbiter_words[]; /* by policy, NULL at the end */

#define FS_ARBITER_NONE   UINT32_MAX
#define FS_ARBITER_SILENT UINT64_MAX

typedef struct fs_arbiter {
    int64_t policy;
    uint32_t ports;
    uint32_t last; /* served last; ports - 1 at first */
} fs_arbiter;

void fs_arbiter_init(fs_arbiter *arbiter, int64_t policy, uint32_t ports);
/* The port to be served at `now`, and notes it; FS_ARBITER_NONE: nobody asks. since: [ports] the cycle from
 * which on a port asks, FS_ARBITER_SILENT: it does not. */
uint32_t fs_arbiter_pick(fs_arbiter *arbiter, const uint64_t *since, uint64_t now);

/* A pipeline: so many stages, an item in every `interval` cycles. It takes the items of a request together,
 * in the order in which requests come to it; they arrive evenly between the first and the last byte, so item
 * j of m arrives ceil(j x bytes' cycles / m) cycles after the first. Each enters when it has arrived and
 * the one before is `interval` cycles ahead. Nothing can hold what is inside: a pipeline never stalls for
 * output. */
typedef struct fs_pipeline {
    uint64_t depth, interval; /* cycles; depth >= interval > 0 */
    uint64_t free;            /* when the next item may enter */
    uint64_t items;
    fs_part_use use; /* busy: items x interval; input: a request is at it, its next item has not come */
} fs_pipeline;

/* A request at the input. */
typedef struct fs_pipeline_claim {
    uint64_t from, to; /* the cycles in which it holds the input */
    uint64_t out;      /* when its last item has left the last stage */
} fs_pipeline_claim;

void fs_pipeline_init(fs_pipeline *pipeline, int64_t depth, int64_t interval);
/* A request's items come between `first` and `last`, first < last; items > 0. Calls in ascending order of
 * `first`. */
fs_pipeline_claim fs_pipeline_offer(fs_pipeline *pipeline, uint64_t first, uint64_t last, uint32_t items);

/* A part's cycles over time: slices of equal length, which double when a run outgrows their number, so that a
 * table of any run has FS_SERIES_SLICES rows at most. What was added does not depend on the order of adding.
 */
enum { FS_SERIES_SLICES = 512, FS_SERIES_LINES = 8 };

typedef struct fs_series {
    uint64_t slice; /* cycles of a slice: a power of two */
    uint32_t shift; /* of it */
    uint32_t lines;
    uint64_t at[FS_SERIES_LINES][FS_SERIES_SLICES];
} fs_series;

/* lines: up to FS_SERIES_LINES. */
void fs_series_init(fs_series *series, uint32_t lines);
/* A line holds for the cycles from `from` to `to`, the last one not among them. */
void fs_series_add(fs_series *series, uint32_t line, uint64_t from, uint64_t to);
/* Slices that a run of so many cycles has. */
uint32_t fs_series_slices(const fs_series *series, uint64_t cycles);
