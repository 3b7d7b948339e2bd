/* A recorded trace on this machine: what its processors call, on nodes of the network. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_CALLS_CALLS_H
#define FOAMSIM_WORKLOADS_PACKETS_CALLS_CALLS_H

#include "formats/format.h"
#include "workloads/packets/calls/agents.h"
#include "workloads/packets/calls/spots.h"

/* A processor. */
typedef struct fs_caller {
    const char *name;
    uint32_t node, chip; /* chip: its number in the file */
    /* Recorded: stamps of its first read, the end of its last wait for reads, its first send, its semaphore's call behind
     * that; UINT64_MAX: it has none. Waits for reads, their cycles, the longest. */
    fs_agent_times recorded;
} fs_caller;

typedef struct fs_calls {
    uint32_t count;          /* processors */
    const uint32_t *node;    /* [count] */
    const uint32_t *first;   /* [count + 1] */
    const fs_call *calls;    /* of processor i: first[i] ... first[i + 1] - 1, a wait for each barrier */
    const fs_caller *caller; /* [count] */
    uint64_t bytes;          /* of data, of all calls, a multicast's for each of its group */
    uint64_t reads, writes;
    uint64_t sends, edge_bytes, edge_hops; /* to other chips: calls, their bytes once a send, edges passed */
    uint32_t edges;                        /* that they pass, 0 ... edges - 1 */
    fs_recorded_span span;
    uint64_t alone; /* cycles of the longest processor's calls, were nothing to be waited for */
    uint64_t stamp; /* cycles that a stamp was taken to cost */
} fs_calls;

/* How time is read from it. */
typedef struct fs_calls_asked {
    uint64_t issue; /* cycles of a call that lie in the time to the next one */
    int64_t
        stamp; /* cycles that a stamp costs its processor before what it is of; -1: span.step, what it can cost at most */
    bool
        stamps; /* calls are made at their stamps, and nothing is waited for; else the time between them is kept */
} fs_calls_asked;

/* Reads one in a format that has calls. Sites receive chips and what is to be moved; notes what was made of it. FS_INPUT
 * with file, line and column: a place without a router, a network that the machine lacks, whatever the format refuses. */
fs_status fs_calls_read(fs_arena *arena, const char *path, const fs_format *format,
                        const fs_format_asked *asked, const fs_calls_asked *how, fs_spots *spots,
                        fs_calls *out, fs_notes *notes, fs_error *err);

#endif
