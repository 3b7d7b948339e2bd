/* A heap of nodes or treelets, by numbers, by a key, the greatest on top; of equals the least number. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_cut_entry {
    double key;
    uint32_t node;
} fs_cut_entry;

typedef struct fs_cut_heap {
    fs_cut_entry *entry; /* [count], heap memory, freed by who has it */
    uint32_t count, room;
} fs_cut_heap;

static inline bool fs_cut_before(const fs_cut_entry *a, const fs_cut_entry *b) {
    return a->key > b->key || (a->key == b->key && a->node < b->node);
}
FS_HEAP(fs_cut_entries, fs_cut_entry, fs_cut_before)

static inline void fs_cut_push(fs_cut_heap *h, double key, uint32_t node) {
    if (h->count == h->room) {
        h->room = 2 * h->room + 64;
        h->entry = fs_realloc(h->entry, h->room * sizeof *h->entry);
    }
    fs_cut_entries_put(h->entry, &h->count, (fs_cut_entry){key, node});
}

static inline fs_cut_entry fs_cut_pop(fs_cut_heap *h) {
    return fs_cut_entries_take(h->entry, &h->count);
}
