/* What carries data between nodes over networks: writes, which are answered; reads, whose data are the answer; data sent
 * without an answer; multicasts. Whoever uses it, programs of processors or tasks, begins transfers and hears of their ends.
 *
 * A write sends its bytes in packets of at most `packet` bytes, each with `header` flits before its data, and is over when
 * the last of them has been answered by one flit; a read sends one flit and is over when the last data have come back.
 *
 * A multicast goes to a group along the tree of its ways, which routers copy it into. Each of its packets first reserves
 * its tree: an empty message goes to the farthest of the group and comes back. Then its flits leave, one a cycle, and
 * arrive at each of the group as alone: nothing waits on a reserved way. Each of the group answers. Of multicasts one
 * at a time holds a tree in a network, so that none waits for another while it holds links: they can't stand still.
 * What is not modelled: other packets do not wait for the links of a reserved tree, nor hold its reservation up but by
 * what they cost the empty message.
 *
 * A node sends what it is given and what it answers in the order of time, one packet after another; its source gets the
 * next packet when it has sent the one before, so that transfers of any size take little room. */
#pragma once

#include "models/noc/net.h"

/* A network. */
typedef struct fs_carrier_plane {
    fs_noc_net *net; /* with two kinds of messages */
    const fs_noc_graph *graph;
    uint32_t channels; /* of a kind of messages, for the ways of multicasts */
} fs_carrier_plane;

/* Costs of a node's way into a network. */
typedef struct fs_carrier_costs {
    uint32_t width;  /* bytes of a flit */
    uint64_t packet; /* data bytes of a packet */
    uint32_t header; /* flits */
    bool fixed;      /* writes take the first channel of their class */
} fs_carrier_costs;

/* Nodes of a multicast. */
typedef struct fs_group {
    uint32_t members;
    uint32_t node[];
} fs_group;

typedef enum fs_load_kind { FS_LOAD_WRITE, FS_LOAD_READ, FS_LOAD_POST, FS_LOAD_CAST } fs_load_kind;

/* What is carried. */
typedef struct fs_load {
    fs_load_kind kind;
    bool answer; /* of data without an answer: they travel as answers do */
    bool quiet;  /* of a multicast: nobody answers */
    uint32_t plane, from, to;
    uint64_t bytes;
    uint64_t packet; /* data bytes of a packet, where these are fewer than the costs'; 0: they are not */
    const fs_group *group; /* of a multicast, kept until it is over */
    uint64_t owner;        /* the caller's, given back */
} fs_load;

/* Whoever uses it. */
typedef struct fs_carrier_user {
    void *self;
    void (*advance)(void *self); /* begins what can begin in this cycle */
    uint64_t (*next)(
        void *self); /* the next cycle in which something of its own happens; UINT64_MAX: it waits */
    bool (*done)(const void *self);
    void (*there)(void *self, uint64_t owner); /* all data of a write are where they go; NULL: nobody asks */
    void (*over)(void *self, uint64_t owner);  /* and they are answered */
} fs_carrier_user;

typedef struct fs_carrier fs_carrier;

/* plane: [planes], kept. */
fs_carrier *fs_carrier_create(const fs_carrier_plane *plane, uint32_t planes, const fs_carrier_costs *costs,
                              const fs_carrier_user *user);
void fs_carrier_free(fs_carrier *carrier); /* NULL is allowed */

/* Begins a transfer in this cycle; false: a multicast, whose network another one holds. */
bool fs_carrier_begin(fs_carrier *carrier, const fs_load *load);
/* Cycle by cycle until the user is done, to cycle `until`, or until the process is asked to end. */
void fs_carrier_run(fs_carrier *carrier, uint64_t until);

uint64_t fs_carrier_now(const fs_carrier *carrier);   /* cycle */
uint64_t fs_carrier_open(const fs_carrier *carrier);  /* transfers that are not over */
uint64_t fs_carrier_moved(const fs_carrier *carrier); /* bytes of data that have arrived */
/* Flits of multicasts so far through the links and ways out of a plane, [links + ends], beside the network's own. */
const uint64_t *fs_carrier_copied(const fs_carrier *carrier, uint32_t plane);
