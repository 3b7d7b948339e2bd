/* Programs that move data over a network on chip: processors on nodes that write, read and wait, each a closed loop.
 *
 * A processor makes one call after another. A write sends its bytes in packets of at most `packet` bytes, each with
 * `header` flits before its data, and is over when the last of them has been answered by one flit; a read sends one
 * flit and is over when the last data have come back. A call takes `issue` cycles of its processor, `other` where
 * its destination is not that of the call before; a wait ends `call` cycles after the last of the processor's
 * transfers is over: the way from its program to the network and back. A multicast is written to each of its nodes,
 * and first reserves its way: it begins when an empty message has been to the farthest and back.
 *
 * A node sends what its processors call and what it answers in the order of time, one packet after another. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_FABRIC_AGENTS_H
#define FOAMSIM_WORKLOADS_TRAFFIC_FABRIC_AGENTS_H

#include "models/noc/net.h"

typedef enum fs_call_kind { FS_CALL_WRITE, FS_CALL_READ, FS_CALL_WAIT } fs_call_kind;

/* A call, `gap` cycles after the one before it could begin (after a wait: after its end). */
typedef struct fs_call {
    fs_call_kind kind;
    uint32_t to;    /* node */
    uint32_t plane; /* of the networks */
    uint64_t bytes, gap;
} fs_call;

/* Costs of a node's way into the network, cycles and bytes. */
typedef struct fs_agent_costs {
    uint32_t width;  /* bytes of a flit */
    uint64_t packet; /* data bytes of a packet */
    uint32_t header; /* flits */
    uint64_t issue, other, call;
    bool fixed; /* writes take the first channel of their class */
} fs_agent_costs;

typedef struct fs_agents fs_agents;

/* The next call of processor `agent` into *call; false: it has none any more. */
typedef bool fs_agent_program(void *self, uint32_t agent, fs_call *call);

/* nets: [planes], the caller's, with two kinds of messages. node: [count] of each processor, kept. */
fs_agents *fs_agents_create(fs_noc_net *const *nets, uint32_t planes, const uint32_t *node, uint32_t count,
                            const fs_agent_costs *costs, fs_agent_program *program, void *self);
void fs_agents_free(fs_agents *agents); /* NULL is allowed */

/* Runs to the end of all programs, or to cycle `until`. */
void fs_agents_run(fs_agents *agents, uint64_t until);
uint64_t fs_agents_now(const fs_agents *agents);   /* cycle */
bool fs_agents_done(const fs_agents *agents);      /* all programs are at their end */
uint64_t fs_agents_moved(const fs_agents *agents); /* bytes of data that have arrived */
uint64_t fs_agents_end(const fs_agents *agents);   /* cycle at which the last program ended */

#endif
