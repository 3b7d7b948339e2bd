/* The priority queue of a traversal unit (fpga_engine.md 2, FHR): nearest first; a new entry goes before the
 * first of lower priority, so after its equals; what is pushed out of the last place is gone.
 *
 * An entry is one number, distance before reference: a signed one, since bits of distances order like the distances once
 * those of negative ones are turned over. Entries stand the other way round than in the shift register, the nearest last: what is near
 * moves most.
 */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_WALK_QUEUE_H
#define FOAMSIM_WORKLOADS_HIERARCHY_WALK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct fs_unit_queue {
    uint64_t *entry; /* [room] */
    uint32_t count, room;
    uint32_t capacity; /* UINT32_MAX: no bound; then room grows before an entry is put in */
} fs_unit_queue;

static inline uint64_t fs_queue_entry(float distance, uint32_t reference) {
    uint32_t bits;
    distance += 0.0f; /* one zero, not two */
    memcpy(&bits, &distance, sizeof bits);
    return (uint64_t)(distance < 0 ? bits ^ INT32_MAX : bits) << 32 | reference;
}

static inline float fs_queue_distance(uint64_t entry) {
    const uint32_t in = (uint32_t)(entry >> 32), bits = in > INT32_MAX ? in ^ INT32_MAX : in;
    float distance;
    memcpy(&distance, &bits, sizeof distance);
    return distance;
}

/* How many entries are farther than this one: its place. */
static inline uint32_t fs_queue_farther(const fs_unit_queue *q, uint64_t entry) {
    const int64_t equal = (int64_t)(entry | UINT32_MAX);
    uint32_t low = 0, high = q->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((int64_t)q->entry[middle] > equal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Puts an entry in at its place (fs_queue_farther); true when that pushed one out, or there was no place. */
static inline bool fs_queue_put(fs_unit_queue *q, uint64_t entry, uint32_t place) {
    if (q->count < q->capacity) {
        memmove(q->entry + place + 1, q->entry + place, (q->count - place) * sizeof *q->entry);
        q->entry[place] = entry;
        q->count++;
        return false;
    }
    if (place > 0) {
        memmove(q->entry, q->entry + 1, (place - 1) * sizeof *q->entry);
        q->entry[place - 1] = entry;
    }
    return true;
}

#endif
