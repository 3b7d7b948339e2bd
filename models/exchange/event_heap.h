/* Private to the exchange: a binary heap of (time, id), smallest first, lower id first at equal times. Works
 * in memory that the caller gives; allocates nothing. */
#ifndef FOAMSIM_MODELS_EXCHANGE_EVENT_HEAP_H
#define FOAMSIM_MODELS_EXCHANGE_EVENT_HEAP_H

#include <stdint.h>

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
