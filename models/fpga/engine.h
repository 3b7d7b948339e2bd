/* The traversal engine: communication, traversal, intersection and memory controller serve the requests of an
 * itinerary (docs/design/engine.md), as far as fpga_engine.md 1
 * says it and by stated rules beyond.
 *
 * Three ways to the same cycles and figures: `event` plays every part on SystemC, a process for each that has
 * something to do; `cycle` goes register by register and clock edge by clock edge; `phase` is the closed loop
 * of a machine whose parts have no state but latency and interval (no cache, no DRAM banks).
 *
 *     fs_engine_results results;
 *     if (fs_engine_run(machine, &itinerary, detail, NULL, arena, &results, err)) ...
 */
#pragma once

#include "models/fpga/machine.h"
#include "models/part/part.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/config.h"

#include <stdbool.h>
#include <stdint.h>

/* The itinerary: what rays ask a traversal engine for, in the order in which they ask. A unit keeps a ray to
 * its end and reads constant data, so a ray's list does not depend on time: one itinerary serves every
 * machine whose queues lose the same entries. A workload makes it, the machine reads it (engine.h). */
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

typedef enum fs_engine_detail { FS_ENGINE_PHASE, FS_ENGINE_EVENT, FS_ENGINE_CYCLE } fs_engine_detail;

/* Where the cycles of a request go, one after the other: in the unit (queue, request, answer, spill to block
 * RAM), before the grant, until the first byte, until the last byte, until the last item is out; and what
 * entries that go to memory and back take in between. */
enum {
    FS_REQUEST_UNIT,
    FS_REQUEST_GRANT,
    FS_REQUEST_MEMORY,
    FS_REQUEST_BUS,
    FS_REQUEST_PIPELINE,
    FS_REQUEST_SPILL,
    FS_REQUEST_STAGES
};
extern const char
    *const fs_request_stages[]; /* "unit", "grant", "memory", "bus", "pipeline", "spill", NULL */

/* Lines of the series over time: ray places of units by what they do, bus and pipelines at work. */
enum {
    FS_ENGINE_LINE_BUSY,
    FS_ENGINE_LINE_GRANT,
    FS_ENGINE_LINE_ANSWER,
    FS_ENGINE_LINE_BUS,
    FS_ENGINE_LINE_BOX,
    FS_ENGINE_LINE_TRIANGLE,
    FS_ENGINE_LINES
};

enum { FS_ENGINE_OCCUPANCIES = 4096 }; /* of a queue that are told apart */

/* What a run counted. Arrays belong to the arena of the run. */
typedef struct fs_engine_results {
    uint64_t cycles; /* from the first ray's way to the board to the last result's end at the host */
    uint64_t rays, hits, requests, nodes, leaves, boxes, triangles;
    uint64_t bytes;                    /* that requests asked for */
    uint64_t bus_bytes;                /* that memory moved for them and for spilled entries */
    uint64_t stage[FS_REQUEST_STAGES]; /* cycles of all requests */
    uint64_t granted;                  /* requests, and accesses for spilled entries */
    uint64_t longest_wait;             /* for a grant */

    uint32_t units, places;    /* ray places: units x rays of a unit */
    fs_part_use *unit;         /* [units]: input: its answer is awaited; output: its request is not granted */
    fs_part_use arbiter;       /* busy: a grant; output: requests stand and none may go */
    fs_part_use memory;        /* busy: data on the bus; input: accesses are in it, no data yet */
    fs_part_use box, triangle; /* fs_pipeline.use */
    fs_part_use link_in, link_out; /* busy: bytes on the wire; output: the board's store of rays is full */

    uint64_t inserted, extracted, lost, left; /* queue entries */
    uint64_t lossy_rays;                      /* that lost one */
    uint64_t peak;                            /* of a queue's entries */
    uint64_t *occupancy; /* [FS_ENGINE_OCCUPANCIES] answers that left so many entries; the last: or more */
    uint64_t spilled, refilled; /* entries that went out of the registers and came back */
    uint64_t spill_accesses;    /* of memory */

    uint64_t cache_hits, cache_misses;
    fs_dram_use dram;
    const fs_dram_bank_use *banks; /* [bank_count]; NULL: memory has no banks */
    uint32_t bank_count;
    uint64_t link_bytes_in, link_bytes_out; /* payload of rays and results */
    uint64_t upload_cycles; /* of nodes and primitives, once, before the rays; not in cycles */
    uint64_t activations;   /* of processes; 0 without a kernel */
    fs_series *series;
} fs_engine_results;

/* A request that has been served; which of two is reported first depends on the detail. */
typedef struct fs_engine_span {
    uint64_t ray, request; /* the request's number in the itinerary */
    uint32_t place;        /* unit = place / rays of a unit */
    bool leaf, cached;
    uint64_t raised, granted, first, last, answered; /* cycles */
} fs_engine_span;

/* Hears of every request; may be NULL as a whole, and so each member. */
typedef struct fs_engine_listener {
    void *self;
    const fs_config *config; /* of the machine: what is refused then has its place */
    void (*served)(void *self, const fs_engine_span *span);
    void (*progress)(void *self, uint64_t rays_done);
} fs_engine_listener;

/* What a workload checks of an experiment before anything is made, by bytes of its nodes and primitives:
 * bursts that do not divide them, a cache without room for a set, `phase` of a machine with state. Reports at
 * machine.memory.burst, machine.cache.size and run.detail. */
void fs_engine_check(const fs_fpga_params *machine, uint32_t node_bytes, uint32_t primitive_bytes,
                     fs_engine_detail detail, fs_check *check);

/* Runs the itinerary on the machine. FS_INPUT: the tree is larger than the memory, an address is beyond it, a
 * spilled queue has no room, or `phase` is asked of a machine with state, with the key's place in front; FS_BROKEN:
 * an identity fails (fs_engine_check); FS_RUN: interrupted, or a second kernel in one process. */
fs_status fs_engine_run(const fs_fpga_params *machine, const fs_engine_itinerary *itinerary,
                        fs_engine_detail detail, const fs_engine_listener *listener, fs_arena *arena,
                        fs_engine_results *results, fs_error *err);
