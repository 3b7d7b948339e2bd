/* Programs that move data over a network on chip: processors on nodes that write, read and wait, each a closed loop.
 *
 * A processor makes one call after another. A call takes `issue` cycles of its processor, `other` where its destination is
 * not that of the call before; a wait ends `call` cycles after the last of the transfers that it waits for is over: the
 * way from its program to the network and back. What transfers and multicasts are: carrier.h; sends to other chips: below. */
#pragma once

#include "workloads/packets/calls/carrier.h"

/* Edges between chips: what a processor sends to another chip goes over the network of its own to an ethernet core, over an
 * edge, over the next chip's network, and so on. An edge is serial: it takes a send's bytes at its pace, one send after
 * another, and they are on the other side a latency later.
 *
 *     cycles of an edge   held for bytes / pace; over max(that, latency + each x bytes) after it was begun */

/* A way on a chip, between end points of one of all networks. */
typedef struct fs_ways_leg {
    uint32_t plane, from, to;
    uint32_t edge;   /* behind it; FS_NOC_NONE: it ends here */
    uint32_t parent; /* the leg whose edge leads here; of the first its own number */
} fs_ways_leg;

/* A send: the first leg is its caller's. */
typedef struct fs_ways {
    uint64_t bytes; /* over each edge, and on the legs behind the first */
    uint32_t legs;
    fs_ways_leg leg[];
} fs_ways;

typedef struct fs_edge_costs {
    double pace, latency, each; /* B/cycle, cycles, cycles a byte */
} fs_edge_costs;

typedef struct fs_edges fs_edges;

fs_edges *fs_edges_create(const fs_edge_costs *costs, uint32_t count);
void fs_edges_free(fs_edges *edges); /* NULL is allowed */
/* The data of a leg are where it ends, in cycle `now`. */
void fs_edges_come(fs_edges *edges, uint64_t now, const fs_ways *ways, uint32_t leg);
/* Begins on `carrier` what has come over edges; the owners of its transfers have FS_EDGES_OWN set. */
#define FS_EDGES_OWN ((uint64_t)1 << 63)
void fs_edges_advance(fs_edges *edges, fs_carrier *carrier);
void fs_edges_over(fs_edges *edges, uint64_t now, uint64_t owner); /* of such a transfer */
uint64_t fs_edges_next(const fs_edges *edges);        /* the next cycle in which something comes */
uint64_t fs_edges_last(const fs_edges *edges);        /* cycle in which the last came to its end */
bool fs_edges_done(const fs_edges *edges);            /* nothing is under way */
const uint64_t *fs_edges_held(const fs_edges *edges); /* [count] cycles */

typedef enum fs_call_kind {
    FS_CALL_WRITE,
    FS_CALL_READ,
    FS_CALL_MULTICAST,
    FS_CALL_WAIT,
    FS_CALL_SEND
} fs_call_kind;

enum {
    FS_CALL_READS = 1,
    FS_CALL_WRITES = 2,
    FS_CALL_ALL = 3,
    FS_CALL_COUNTED = 4,
    FS_CALL_ENDED = 8,
    FS_CALL_WHOLE = 16
};

/* A call, `gap` cycles after the one before it could begin (after a wait: after its end, but for FS_CALL_WHOLE). */
typedef struct fs_call {
    uint64_t bytes, gap;
    union {
        const fs_group *group; /* of a multicast, kept until it is over */
        const fs_ways *ways;   /* of a send */
    };
    uint32_t to;    /* node */
    uint16_t plane; /* of the networks */
    uint8_t kind;   /* fs_call_kind */
    uint8_t
        waits; /* of a wait: FS_CALL_READS, _WRITES; _COUNTED: its time is among those that are counted; _ENDED: its end was recorded; _WHOLE:
                       the next call's gap counts from this one, and holds what was waited */
} fs_call;

/* Costs of a node's way into the network, cycles and bytes. */
typedef struct fs_agent_costs {
    fs_carrier_costs carrier;
    uint64_t issue, other, call;
    uint64_t stamp; /* of a recorded processor, before what its stamp is of: counted with a wait */
    uint64_t most;  /* calls under way at which a run ends; 0: any number */
    fs_edge_costs edge;
    uint32_t edges; /* between chips */
} fs_agent_costs;

typedef struct fs_agents fs_agents;

/* The next call of processor `agent` into *call; false: it has none any more. */
typedef bool fs_agent_program(void *self, uint32_t agent, fs_call *call);

/* When a processor did what is measured. UINT64_MAX: never. */
typedef struct fs_agent_times {
    uint64_t read, waited; /* its first read; the end of its last counted wait for reads */
    uint64_t sent, done;   /* its first send; its last call of 4 B or less behind that: a semaphore's */
    uint64_t waits, waiting, longest; /* counted waits for reads; their cycles, and of the longest */
} fs_agent_times;

/* plane: [planes], the caller's, kept. node: [count] of each processor, kept. */
fs_agents *fs_agents_create(const fs_carrier_plane *plane, uint32_t planes, const uint32_t *node,
                            uint32_t count, const fs_agent_costs *costs, fs_agent_program *program,
                            void *self);
void fs_agents_free(fs_agents *agents); /* NULL is allowed */

/* Runs to the end of all programs, or to cycle `until`; ends early when calls pile up or the process is asked to end. */
void fs_agents_run(fs_agents *agents, uint64_t until);
bool fs_agents_piled(const fs_agents *agents);   /* more calls than costs.most are under way */
bool fs_agents_done(const fs_agents *agents);    /* all programs are at their end */
uint64_t fs_agents_end(const fs_agents *agents); /* cycle at which the last program ended */
uint64_t
fs_agents_over(const fs_agents *agents); /* and at which all that was sent to other chips was there */
const fs_agent_times *fs_agents_times(const fs_agents *agents); /* [count] */
const uint64_t *fs_agents_edges(const fs_agents *agents);       /* [costs.edges] cycles held */
const fs_carrier *fs_agents_carrier(const fs_agents *agents);   /* what moved, and how long */
