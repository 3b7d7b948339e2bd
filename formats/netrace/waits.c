#include "formats/netrace/waits.h"

#include "sim/base/alloc.h"

#include <stdlib.h>

enum { PAGES = 1 << 16, PAGE_WORDS = (1 << 16) / 64, FIRST_BUCKETS = 1 << 10 };

void fs_netrace_waits_free(fs_netrace_waits *w) {
    for (uint32_t p = 0; w->seen != NULL && p < PAGES; p++)
        free(w->seen[p]);
    free(w->seen);
    free(w->item);
    free(w->bucket);
    *w = (fs_netrace_waits){.item = NULL};
}

static uint32_t *bucket_of(const fs_netrace_waits *w, uint32_t id) {
    return &w->bucket[id * 2654435761u & (w->buckets - 1)];
}

/* Twice as many buckets, all items sorted in again. */
static void widen(fs_netrace_waits *w) {
    const uint32_t count = w->buckets == 0 ? FIRST_BUCKETS : 2 * w->buckets;
    uint32_t *old = w->bucket, olds = w->buckets;
    w->bucket = fs_calloc(count, sizeof *w->bucket);
    w->buckets = count;
    for (uint32_t b = 0; b < olds; b++)
        for (uint32_t i = old[b], next; i != 0; i = next) {
            uint32_t *into = bucket_of(w, w->item[i - 1].id);
            next = w->item[i - 1].next;
            w->item[i - 1].next = *into;
            *into = i;
        }
    free(old);
}

bool fs_netrace_waits_add(fs_netrace_waits *w, const fs_netrace_wait *wait) {
    if (w->count == FS_NETRACE_MOST_WAITS)
        return false;
    if (w->count >= w->buckets)
        widen(w);
    uint32_t i = w->free;
    if (i != 0) {
        w->free = w->item[i - 1].next;
    } else {
        w->item = fs_grow(w->item, w->items, sizeof *w->item);
        i = ++w->items;
    }
    uint32_t *into = bucket_of(w, wait->id);
    w->item[i - 1] = *wait;
    w->item[i - 1].next = *into;
    *into = i;
    w->count++;
    return true;
}

size_t fs_netrace_waits_take(fs_netrace_waits *w, uint32_t id, fs_netrace_wait **out, size_t *room) {
    size_t count = 0;
    if (w->count == 0)
        return 0;
    for (uint32_t *at = bucket_of(w, id); *at != 0;) {
        fs_netrace_wait *item = &w->item[*at - 1];
        if (item->id != id) {
            at = &item->next;
            continue;
        }
        if (count == *room)
            *out = fs_grow(*out, (*room)++, sizeof **out);
        (*out)[count++] = *item;
        const uint32_t taken = *at;
        *at = item->next;
        item->next = w->free;
        w->free = taken;
        w->count--;
    }
    return count;
}

/* ---- ids that were read ---- */

bool fs_netrace_waits_saw(const fs_netrace_waits *w, uint32_t id) {
    const uint64_t *page = w->seen == NULL ? NULL : w->seen[id >> 16];
    return page != NULL && (page[(id & 0xffff) / 64] >> id % 64 & 1) != 0;
}

bool fs_netrace_waits_see(fs_netrace_waits *w, uint32_t id) {
    if (fs_netrace_waits_saw(w, id))
        return false;
    if (w->seen == NULL)
        w->seen = fs_calloc(PAGES, sizeof *w->seen);
    if (w->seen[id >> 16] == NULL)
        w->seen[id >> 16] = fs_calloc(PAGE_WORDS, sizeof **w->seen);
    w->seen[id >> 16][(id & 0xffff) / 64] |= (uint64_t)1 << id % 64;
    return true;
}

const fs_netrace_wait *fs_netrace_waits_left(const fs_netrace_waits *w) {
    const fs_netrace_wait *left = NULL;
    for (uint32_t b = 0; b < w->buckets; b++)
        for (uint32_t i = w->bucket[b]; i != 0; i = w->item[i - 1].next)
            if (left == NULL || w->item[i - 1].record < left->record)
                left = &w->item[i - 1];
    return left;
}
