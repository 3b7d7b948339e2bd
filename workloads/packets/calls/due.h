/* What comes in which cycle: the least cycle first, of those of one cycle the one with the least number. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_CALLS_DUE_H
#define FOAMSIM_WORKLOADS_PACKETS_CALLS_DUE_H

#include "sim/base/alloc.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct fs_due_item {
    uint64_t cycle, number;
    uint32_t what; /* the caller's */
} fs_due_item;

/* A heap; all zero to begin with, freed by free(item). */
typedef struct fs_due {
    fs_due_item *item; /* [count] */
    uint32_t count, room;
} fs_due;

static inline bool fs_due_before(const fs_due_item *a, const fs_due_item *b) {
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->number < b->number;
}

static inline void fs_due_put(fs_due *due, uint64_t cycle, uint64_t number, uint32_t what) {
    const fs_due_item new = {cycle, number, what};
    if (due->count == due->room) {
        due->room = due->room == 0 ? 64 : 2 * due->room;
        due->item = fs_realloc(due->item, due->room * sizeof *due->item);
    }
    uint32_t at = due->count++;
    for (; at > 0 && fs_due_before(&new, &due->item[(at - 1) / 2]); at = (at - 1) / 2)
        due->item[at] = due->item[(at - 1) / 2];
    due->item[at] = new;
}

/* The cycle of the first one; UINT64_MAX: there is none. */
static inline uint64_t fs_due_next(const fs_due *due) {
    return due->count == 0 ? UINT64_MAX : due->item[0].cycle;
}

/* Takes the first one out; there is one. */
static inline fs_due_item fs_due_take(fs_due *due) {
    const fs_due_item first = due->item[0], last = due->item[--due->count];
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < due->count; at = child) {
        child += child + 1 < due->count && fs_due_before(&due->item[child + 1], &due->item[child]);
        if (!fs_due_before(&due->item[child], &last))
            break;
        due->item[at] = due->item[child];
    }
    if (due->count > 0)
        due->item[at] = last;
    return first;
}

#endif
