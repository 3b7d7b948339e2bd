/* A heap of events by time, ties by number. */
#include "models/exchange/schedule.h"

#include <stdbool.h>

static bool before(const fs_heap_item *a, const fs_heap_item *b) {
    return a->time != b->time ? a->time < b->time : a->id < b->id;
}

void fs_heap_push(fs_event_heap *heap, uint64_t time, uint32_t id) {
    fs_heap_item fresh = {time, id};
    uint32_t at = heap->count++;
    for (; at > 0 && before(&fresh, &heap->item[(at - 1) / 2]); at = (at - 1) / 2)
        heap->item[at] = heap->item[(at - 1) / 2];
    heap->item[at] = fresh;
}

fs_heap_item fs_heap_pop(fs_event_heap *heap) {
    fs_heap_item first = heap->item[0], last = heap->item[--heap->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && before(&heap->item[child + 1], &heap->item[child]))
            child++;
        if (!before(&heap->item[child], &last))
            break;
        heap->item[at] = heap->item[child];
        at = child;
    }
    heap->item[at] = last;
    return first;
}
