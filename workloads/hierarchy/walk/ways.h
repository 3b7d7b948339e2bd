/* Private to workloads/hierarchy/walk: what threads walk with, and the ways of one ray (core.h). */
#pragma once

#include "workloads/hierarchy/walk/walk.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The priority queue of a traversal unit (fpga_engine.md 2, FHR): nearest first; a new entry goes before the
 * first of lower priority, so after its equals; what is pushed out of the last place is gone.
 *
 * An entry is one number, distance before reference: a signed one, since bits of distances order like the distances once
 * those of negative ones are turned over. Entries stand the other way round than in the shift register, the nearest last: what is near
 * moves most.
 */

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

enum { FS_UNIT_WALK_QUEUE_PAD = 4 }; /* entries behind a queue that vectors may read */

/* What a thread walks with. */
typedef struct fs_unit_walk_desk {
    fs_unit_queue queue;
    uint32_t *stack;               /* [depth x width] */
    fs_unit_walk_request *request; /* [request_room] heap: of the rays walked so far, one after the other */
    size_t requests, request_room;
    struct fs_unit_walk_watch *watch; /* of all threads */
} fs_unit_walk_desk;

/* Whether the walk ends here: somebody asked the process to, or it takes more than its rules bear. Asked each
 * FS_UNIT_WALK_LOOK requests of a thread. */
enum { FS_UNIT_WALK_LOOK = 1024 };
bool fs_unit_walk_over(const fs_unit_walk_desk *desk);

/* Ways of one ray. */
typedef struct fs_unit_walk_ways {
    void (*walk)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, const fs_unit_walk_rules *rules,
                 fs_unit_walk_desk *desk, fs_unit_walk_end *end);
    void (*depth_first)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, uint32_t *stack,
                        fs_unit_walk_hit *hit, fs_unit_walk_visits *visits);
    void (*brute)(const fs_hierarchy *tree, const fs_unit_walk_ray *ray, fs_unit_walk_hit *hit);
} fs_unit_walk_ways;
extern const fs_unit_walk_ways fs_unit_walk_plain,
    fs_unit_walk_avx2; /* the latter: on hosts with AVX2 alone */
