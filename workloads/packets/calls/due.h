/* What comes in which cycle: the least cycle first, of those of one cycle the one with the least number. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"

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

FS_HEAP(fs_due_heap, fs_due_item, fs_due_before)

static inline void fs_due_put(fs_due *due, uint64_t cycle, uint64_t number, uint32_t what) {
    if (due->count == due->room) {
        due->room = due->room == 0 ? 64 : 2 * due->room;
        due->item = fs_realloc(due->item, due->room * sizeof *due->item);
    }
    fs_due_heap_put(due->item, &due->count, (fs_due_item){cycle, number, what});
}

/* The cycle of the first one; UINT64_MAX: there is none. */
static inline uint64_t fs_due_next(const fs_due *due) {
    return due->count == 0 ? UINT64_MAX : due->item[0].cycle;
}

/* Takes the first one out; there is one. */
static inline fs_due_item fs_due_take(fs_due *due) {
    return fs_due_heap_take(due->item, &due->count);
}
