/* Private to the exchange: the static plan, made once at elaboration. */
#ifndef FOAMSIM_MODELS_EXCHANGE_SCHEDULE_H
#define FOAMSIM_MODELS_EXCHANGE_SCHEDULE_H

#include "models/exchange/exchange.h"

#include <stdint.h>

/* Transfers as the planner sees them: a bipartite multigraph of senders and receivers. */
typedef struct fs_schedule_job {
    uint32_t tiles;
    uint32_t count;
    const fs_transfer *transfers; /* [count] */
    const uint64_t *cycles;       /* [count] port time; 0: no transfer */
    const uint32_t *latency;      /* [count] cycles */
} fs_schedule_job;

#define FS_NO_COLOUR UINT32_MAX

/* Proper edge colouring with as many colours as the busiest port has transfers (Koenig's theorem): transfers
 * of one colour share no sender and no receiver. colour: [count], FS_NO_COLOUR for transfers of 0 cycles.
 * Returns the number of colours. */
uint32_t fs_schedule_colour(const fs_schedule_job *job, uint32_t *colour);

/* Starts of all transfers, [count] cycles from the beginning of the schedule. */
void fs_schedule_plan(const fs_schedule_job *job, uint64_t *start);

/* Cycles of the busiest port: the lower bound of any plan. */
uint64_t fs_schedule_bound(const fs_schedule_job *job);

/* Private to the exchange: a binary heap of (time, id), smallest first, lower id first at equal times. Works
 * in memory that the caller gives; allocates nothing. */
typedef struct fs_heap_item {
    uint64_t time; /* cycles */
    uint32_t id;
} fs_heap_item;

typedef struct fs_event_heap {
    fs_heap_item *item; /* [room for the most items at a time] */
    uint32_t count;
} fs_event_heap;

void fs_heap_push(fs_event_heap *heap, uint64_t time, uint32_t id);
fs_heap_item fs_heap_pop(fs_event_heap *heap); /* count > 0 */

#endif
