/* Programs that move data over a network on chip: processors on nodes that write, read and wait, each a closed loop.
 *
 * A processor makes one call after another. A write sends its bytes in packets of at most `packet` bytes, each with
 * `header` flits before its data, and is over when the last of them has been answered by one flit; a read sends one
 * flit and is over when the last data have come back. A call takes `issue` cycles of its processor, `other` where
 * its destination is not that of the call before; a wait ends `call` cycles after the last of the processor's
 * transfers is over: the way from its program to the network and back.
 *
 * A multicast goes to a group along the tree of its ways, which routers copy it into. Each of its packets first reserves
 * its tree: an empty message goes to the farthest of the group and comes back. Then its flits leave, one a cycle, and
 * arrive at each of the group as alone: nothing waits on a reserved way. Each of the group answers. Of multicasts one
 * at a time holds a tree in a network, so that none waits for another while it holds links: they can't stand still.
 * What is not modelled: other packets do not wait for the links of a reserved tree, nor hold its reservation up but by
 * what they cost the empty message.
 *
 * A node sends what its processors call and what it answers in the order of time, one packet after another; its source
 * gets the next packet when it has sent the one before, so that calls of any size take little room. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_AGENTS_H
#define FOAMSIM_WORKLOADS_PACKETS_AGENTS_H

#include "models/noc/net.h"

typedef enum fs_call_kind { FS_CALL_WRITE, FS_CALL_READ, FS_CALL_MULTICAST, FS_CALL_WAIT } fs_call_kind;

/* A call, `gap` cycles after the one before it could begin (after a wait: after its end). */
typedef struct fs_call {
    fs_call_kind kind;
    uint32_t to;    /* node */
    uint32_t plane; /* of the networks */
    uint64_t bytes, gap;
    const uint32_t *group; /* [members] nodes of a multicast, kept until it is over */
    uint32_t members;
} fs_call;

/* Costs of a node's way into the network, cycles and bytes. */
typedef struct fs_agent_costs {
    uint32_t width;  /* bytes of a flit */
    uint64_t packet; /* data bytes of a packet */
    uint32_t header; /* flits */
    uint64_t issue, other, call;
    bool fixed;    /* writes take the first channel of their class */
    uint64_t most; /* calls under way at which a run ends; 0: any number */
} fs_agent_costs;

typedef struct fs_agents fs_agents;

/* A network of its processors. */
typedef struct fs_agent_plane {
    fs_noc_net *net; /* with two kinds of messages */
    const fs_noc_graph *graph;
    uint32_t channels; /* of a kind of messages, for the ways of multicasts */
} fs_agent_plane;

/* The next call of processor `agent` into *call; false: it has none any more. */
typedef bool fs_agent_program(void *self, uint32_t agent, fs_call *call);

/* plane: [planes], the caller's, kept. node: [count] of each processor, kept. */
fs_agents *fs_agents_create(const fs_agent_plane *plane, uint32_t planes, const uint32_t *node,
                            uint32_t count, const fs_agent_costs *costs, fs_agent_program *program,
                            void *self);
void fs_agents_free(fs_agents *agents); /* NULL is allowed */

/* Runs to the end of all programs, or to cycle `until`; ends early when calls pile up or the process is asked to end. */
void fs_agents_run(fs_agents *agents, uint64_t until);
bool fs_agents_piled(const fs_agents *agents);     /* more calls than costs.most are under way */
uint64_t fs_agents_now(const fs_agents *agents);   /* cycle */
bool fs_agents_done(const fs_agents *agents);      /* all programs are at their end */
uint64_t fs_agents_moved(const fs_agents *agents); /* bytes of data that have arrived */
uint64_t fs_agents_end(const fs_agents *agents);   /* cycle at which the last program ended */
/* Flits of multicasts so far through the links and ways out of a plane, [links + ends], beside the network's own. */
const uint64_t *fs_agents_copied(const fs_agents *agents, uint32_t plane);

#endif
