/* A heap of nodes or treelets, by numbers, by a key, the greatest on top; of equals the least number. */
#ifndef FOAMSIM_WORKLOADS_TREELETS_CUT_HEAP_H
#define FOAMSIM_WORKLOADS_TREELETS_CUT_HEAP_H

#include "sim/base/alloc.h"

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

static inline bool fs_cut_before(fs_cut_entry a, fs_cut_entry b) {
    return a.key > b.key || (a.key == b.key && a.node < b.node);
}

static inline void fs_cut_push(fs_cut_heap *h, double key, uint32_t node) {
    const fs_cut_entry e = {key, node};
    if (h->count == h->room) {
        h->room = 2 * h->room + 64;
        h->entry = fs_realloc(h->entry, h->room * sizeof *h->entry);
    }
    uint32_t at = h->count++;
    while (at > 0 && fs_cut_before(e, h->entry[(at - 1) / 2])) {
        h->entry[at] = h->entry[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->entry[at] = e;
}

static inline fs_cut_entry fs_cut_pop(fs_cut_heap *h) {
    const fs_cut_entry top = h->entry[0], last = h->entry[--h->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && fs_cut_before(h->entry[child + 1], h->entry[child]))
            child++;
        if (!fs_cut_before(h->entry[child], last))
            break;
        h->entry[at] = h->entry[child];
        at = child;
    }
    h->entry[at] = last;
    return top;
}

#endif
