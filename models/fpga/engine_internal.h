/* Private to the engine: what its details share. Parts of it that have no clock (the queue of a ray, the ways
 * of rays and results, cache, DRAM) are the same for all; how time passes is each detail's own. */
#pragma once

#include "models/fpga/engine.h"
#include "models/part/part.h"
#include "sim/base/alloc.h"
#include "sim/base/arith.h"

#include <stdbool.h>
#include <stdint.h>

/* The node cache: a line holds a node, a set is chosen by the node's number, direct-mapped or associative
 * with the line that was used longest ago replaced. A line is valid once the last byte of its node has come
 * from memory; a node that is asked for again until then is read again. */
typedef struct fs_node_cache {
    uint64_t *line; /* [sets][ways] node + 1, most recently used first; 0: empty */
    uint64_t sets;
    uint32_t ways;
    uint64_t hits, misses;
} fs_node_cache;

/* A cache of `lines` lines, ways at most as many; lines that fill no set are left out. */
void fs_fpga_cache_init(fs_node_cache *cache, fs_arena *arena, uint64_t lines, uint32_t ways);
/* Looks a node up; counts and marks it as used. */
bool fs_fpga_cache_look(fs_node_cache *cache, uint64_t node);
/* A node has come. */
void fs_fpga_cache_fill(fs_node_cache *cache, uint64_t node);

#define ENGINE_NEVER UINT64_MAX
enum { ENGINE_LOOK = 1024 }; /* rays between two looks at signals */

/* What a place asks memory for: a request of its ray, or entries of its queue to or from memory. */
typedef struct engine_access {
    uint64_t address;
    uint32_t bytes, items; /* items: 0 of spilled entries, which no pipeline sees */
    bool leaf, write;
} engine_access;

/* Room for one ray in a unit, with its queue. */
typedef struct engine_place {
    uint64_t ray, at, end;             /* its request now, and the end of its list */
    uint64_t held, registers, spilled; /* entries of the queue: all, in registers, behind them */
    uint64_t lost;
    engine_access access;                  /* the one that is asked for or under way */
    uint64_t raised, granted, first, last; /* of it, cycles */
    bool cached;
} engine_place;

typedef struct engine {
    const fs_fpga_params *machine;
    const fs_engine_itinerary *itinerary;
    const fs_engine_listener *listener; /* may be NULL */
    fs_arena *arena;
    fs_engine_results *results;
    fs_error *err;
    bool failed;

    uint32_t places, rays_of_unit;
    engine_place *place;        /* [places] */
    uint64_t request, answer;   /* cycles */
    uint64_t latency;           /* fixed: cycles from the grant to the first byte, at least 1 */
    uint64_t bus_a, bus_b;      /* fixed: bytes x a / b are cycles on the bus */
    uint64_t bus_free;          /* fixed: when the bus is */
    const fs_dram_kind *module; /* NULL: fixed */
    fs_dram *dram;
    fs_clock_pair clocks; /* a: of the engine, b: of the memory; 1 and 1 without a module */
    fs_node_cache *cache; /* NULL: none */
    uint64_t cache_free;  /* when its port is */
    fs_pipeline box, triangle;
    fs_arbiter arbiter;

    fs_link_lane rays_in, results_out;
    fs_fifo arrivals; /* cycles in which rays that are sent will be there */
    uint64_t rays_sent, rays_dealt, rays_done;
    uint64_t over; /* when the last result is at the host */
} engine;

/* The place of a machine's or run's key, for what is refused. */
const char *engine_where(const engine *e, const char *section, const char *key);

/* What the answer to a request does to its ray. */
typedef enum engine_next { ENGINE_ASKS, ENGINE_SPILLS, ENGINE_ENDS } engine_next;

/* ---- communication.c: rays in, results out ---- */

void communication_start(engine *e);
/* When the next untaken ray arrives; ENGINE_NEVER: all are dealt. */
uint64_t communication_arrival(const engine *e);
/* Takes that ray at `now`, so that another can be sent. Returns its number. */
uint64_t communication_take(engine *e, uint64_t now);
/* A ray has ended at `now`, in ascending order. Looks at signals now and then. */
void communication_result(engine *e, uint64_t now);

/* ---- traversal.c: the ray of a place, without time ---- */

/* A ray begins with its root. */
void traversal_begin(engine *e, engine_place *p, uint64_t ray);
/* The answer to the place's request: entries go into the queue, the next request comes out of it and stands
 * in p->access; ENGINE_SPILLS: an access of memory comes before it, and stands there. *moved: entries to or
 * from block RAM. */
engine_next traversal_answer(engine *e, engine_place *p, uint64_t *moved);
/* The spilled entries have moved: the request stands in p->access. */
void traversal_moved(engine *e, engine_place *p);

/* ---- unit.c: the time of a place, by intervals (event and phase) ---- */

void unit_begin(engine *e, uint32_t place, uint64_t ray, uint64_t now); /* p->raised is the request's */
void unit_granted(engine *e, uint32_t place, uint64_t now);
/* The answer; true: the ray goes on, p->raised is its next request's; false: it ends at *end. */
bool unit_answered(engine *e, uint32_t place, uint64_t now, uint64_t *end);
/* Tells the listener about the request of a place, which is answered now. */
void unit_tell(const engine *e, uint32_t place, uint64_t now);

/* ---- memory.c ---- */

/* Bytes that memory moves for an access. */
uint64_t memory_bytes(const engine *e, const engine_access *access);
/* Cycles of them on the bus of `fixed`. */
uint64_t memory_bus_cycles(const engine *e, const engine_access *access);
/* Whether the cache has it: first and last byte of the hit then stand in p->first and p->last. */
bool memory_cached(engine *e, engine_place *p, uint64_t now);
/* The last byte of an access that was no hit has come. */
void memory_fill(engine *e, const engine_place *p);
/* Offers an access to the module; and when its choice has been made: first and last byte in cycles. */
void memory_offer(engine *e, uint32_t place, uint64_t now);
void memory_chosen(const engine *e, engine_place *p, const fs_dram_data *data);

/* ---- details ---- */

static inline fs_pipeline *engine_pipeline(engine *e, const engine_place *p) {
    return p->access.leaf ? &e->triangle : &e->box;
}
/* Has the signal or a fault ended the run? */
static inline bool engine_goes_on(const engine *e) {
    return !e->failed && e->rays_done < e->itinerary->rays;
}

void engine_phase(engine *e);
void engine_event(engine *e);
void engine_cycle(engine *e);

/* ---- engine_check.c ---- */

/* What must hold of any run; FS_BROKEN with the identity that does not. */
fs_status engine_identities(const engine *e, fs_error *err);
