/* The itinerary: what rays ask a traversal engine for, in the order in which they ask. A unit keeps a ray to
 * its end and reads constant data, so a ray's list does not depend on time: one itinerary serves every
 * machine whose queues lose the same entries. A workload makes it, the machine reads it (engine.h). */
#ifndef FOAMSIM_MODELS_FPGA_ITINERARY_H
#define FOAMSIM_MODELS_FPGA_ITINERARY_H

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* One read of the hierarchy, of a node (its boxes go through the box pipeline) or a leaf (its triangles go
 * through the triangle pipeline). The first of a ray is the root, every later one was taken out of the queue.
 */
typedef struct fs_engine_request {
    uint64_t address; /* of its first byte in the board's memory */
    uint32_t bytes;   /* > 0 */
    bool leaf;
    uint8_t items;    /* boxes or triangles that enter the pipeline, > 0 */
    uint8_t inserted; /* entries that its answer put into the queue, those that were lost among them */
    uint8_t lost;     /* entries that fell off the queue's end thereby */
} fs_engine_request;

typedef struct fs_engine_itinerary {
    const fs_engine_request *request; /* [first[rays]] */
    const uint64_t *first; /* [rays + 1] ray r asks for first[r] ... first[r + 1] - 1, at least one */
    const bool *hit;       /* [rays] whether it ends at a leaf with a hit */
    uint64_t rays;
    uint64_t tree_bytes;      /* nodes and primitives from address 0 on: sent to the board once */
    uint32_t node_bytes;      /* a node, and the line of a node cache; nodes stand at its multiples */
    uint32_t ray_in, ray_out; /* bytes of a ray and of its result over the link */
    /* Entries that a queue held when they were made, 0: unbounded. Of a machine with a queue of its own it is
     * fs_engine_queue_capacity. */
    uint32_t queue;
} fs_engine_itinerary;

/* Whether lists are whole: requests within the tree, no ray empty, no more taken out than put in, nothing
 * left of a ray that hit nothing, and losses occur only at a full queue. FS_BROKEN with the ray. */
fs_status fs_engine_itinerary_check(const fs_engine_itinerary *itinerary, fs_error *err);

#endif
