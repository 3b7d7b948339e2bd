/* A trace of calls: what processors of tiles did on a network, to be done again. docs/traffic.md has its columns. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_CALLS_H
#define FOAMSIM_WORKLOADS_PACKETS_CALLS_H

#include "workloads/packets/agents.h"

/* The network that its places and names are of. */
typedef struct fs_calls_network {
    const fs_noc_graph *graph;
    uint32_t planes; /* NOC_0 ... NOC_(planes - 1) */
    bool wraps;      /* rectangles may go round an edge: a torus */
    uint64_t issue;  /* cycles of a call that lie in the time to the next one */
} fs_calls_network;

typedef struct fs_calls {
    uint32_t count;        /* processors */
    const uint32_t *node;  /* [count] */
    const uint32_t *first; /* [count + 1] */
    const fs_call *calls;  /* of processor i: first[i] ... first[i + 1] - 1, a wait for each barrier */
    uint64_t bytes;        /* of data, of all calls */
} fs_calls;

/* Reads one. A place names a router by its column and row, and means that router's first end point. Events that are
 * neither calls nor barriers give the time between calls; those that nothing is known of are named once. FS_INPUT with
 * file, line and column: a place without a router, a network that the machine lacks, a number that is none. */
fs_status fs_calls_read(fs_arena *arena, const char *path, const fs_calls_network *network, fs_calls *out,
                        fs_error *err);

#endif
