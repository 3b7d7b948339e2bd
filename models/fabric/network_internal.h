/* Private to kind noc: what its files share. network.c makes packets of messages and steps them; network_sampled.c
 * keeps phases, and simulates as many of them as their sum needs; network_planned.c simulates a phase that is known in
 * advance, once. */
#pragma once

#include "models/fabric/kind.h"

/* A message under way. */
typedef struct fs_network_message {
    uint32_t transfer, tag;
    uint32_t left, next; /* packets that have not arrived; among the free ones */
} fs_network_message;

typedef struct fs_network_samples fs_network_samples;
typedef struct fs_network_plan fs_network_plan;

/* What fabrics of a chip share. */
typedef struct fs_network {
    fs_fabric_network of; /* what is told of it */
    fs_noc_net *net;
    fs_arena *arena;
    uint64_t ahead;
    uint64_t sent, hops; /* flits that the transfers say: offered; times routers, of messages that arrived */
    fs_network_message *messages;
    uint32_t message_count, message_free;
    uint64_t *sending;       /* bit for each end point with a message at its source */
    uint32_t *message_at;    /* [ends] that message */
    uint64_t words;          /* of such bits */
    fs_fabric_event *events; /* [2 ends] */
    /* of the phase, [tiles] */
    uint64_t *flits, *last; /* offered; cycle in which the last packet's head was sent, from the beginning */
    uint32_t *last_flits;   /* of that packet */
    uint64_t over;          /* cycle of its latest arrival */
    uint64_t *taken;        /* [tiles] flits that tiles take */
    uint64_t *carried;      /* [links] before it */
    fs_network_samples *samples; /* NULL: every phase is simulated as it comes */
    /* Of `sent` and `hops` those of planned phases, which the engine of this network did not carry. */
    uint64_t planned, planned_hops;
    fs_noc_use *planned_uses,
        *all_uses; /* [links + ends] of these phases; of all; NULL: nothing is planned */
} fs_network;

typedef struct fs_network_fabric {
    fs_fabric fabric;
    fs_network *network;
    const fs_transfer *transfers;
    uint32_t count;
    uint32_t *order;            /* [count] transfers by sender, then by number */
    uint32_t *routers;          /* [count] that a packet of each passes */
    uint32_t *trip, *free_trip; /* [count] cycles of a flit alone, and with routers for free */
    uint32_t *way,
        *way_start; /* links of each one's way, [count + 1] where they begin; of sampled phases alone */
    uint32_t way_room;
    uint32_t open_left; /* messages of the phase that have not arrived */
    uint64_t begun;     /* cycle of the network */
    const uint32_t *occupied;
    bool whole;            /* its phase is known in advance */
    fs_network_plan *plan; /* of it; NULL: not yet simulated */
} fs_network_fabric;

static inline uint32_t fs_network_packets(const fs_noc_options *o, uint64_t bytes) {
    return (uint32_t)((bytes + (uint64_t)o->packet - 1) / (uint64_t)o->packet);
}

static inline uint32_t fs_network_flits(const fs_noc_options *o, uint64_t bytes) {
    return (uint32_t)((uint64_t)o->header + (bytes + (uint64_t)o->width - 1) / (uint64_t)o->width);
}

/* So many of what a link did. */
static inline void fs_network_add_use(fs_noc_use *to, const fs_noc_use *use, uint64_t times) {
    to->flits += times * use->flits;
    to->no_credit += times * use->no_credit;
    to->no_channel += times * use->no_channel;
    to->lost += times * use->lost;
}

/* Of all packets of a message. */
uint64_t fs_network_message_flits(const fs_noc_options *options, uint64_t bytes);
/* Counts a message's packets and bytes. */
void fs_network_count_message(fs_network *network, const fs_noc_options *options, uint32_t bytes);
/* Of the phase whose transfers hold so much: no network takes less (fabric.h). Sets taken; adds to the floors but to their cycles.
 * links: flits of its busiest link. Gives the bound of the network as it is. */
uint64_t fs_network_add_floors(fs_network_fabric *fabric, const uint32_t *occupied, uint64_t links);
/* Bytes of ports and cycles in which they take flits in. */
void fs_network_count_ports(const fs_network_fabric *fabric, const uint32_t *occupied,
                            const fs_port_counters *counters);

/* A network without film and samples. FS_INPUT. */
fs_network *fs_network_create(fs_arena *arena, const fs_fabric_chip *chip, const fs_noc_graph *graph,
                              const uint32_t *end_of, const fs_transfer *transfers, uint32_t count,
                              fs_error *err);
/* What the fabric's phases hold (fs_fabric_check). */
fs_status fs_network_check(const fs_fabric *fabric, fs_error *err);

/* ---- network_planned.c: as the calls of fabric.h ---- */

bool fs_network_is_planned(const fs_fabric *fabric);
fs_status fs_network_make_plans(fs_fabric *const *fabrics, uint32_t count, fs_error *err);
fs_exchange_plan fs_network_plan_of(const fs_fabric *fabric);
void fs_network_count_planned(const fs_fabric *fabric, uint64_t phases, const fs_port_counters *counters);

/* ---- network_sampled.c ---- */

fs_network_samples *fs_network_samples_create(fs_arena *arena, const fs_noc_graph *graph,
                                              const fs_noc_options *options, const fs_noc_params *params);
/* The transfers of the fabric are others. */
void fs_network_samples_set(fs_network_fabric *fabric);
/* A phase of messages: kept, and counted by the ways alone. Its bound, cycles. */
uint64_t fs_network_samples_phase(fs_network_fabric *fabric, const uint32_t *occupied,
                                  const fs_port_counters *counters);
/* As fs_fabric_settle. */
fs_status fs_network_samples_settle(fs_network *network, uint64_t added, uint32_t tiles,
                                    const fs_port_counters *counters, fs_error *err);
/* What links did, [links + ends], stalls as far as they are known. */
const fs_noc_use *fs_network_samples_uses(const fs_network_samples *samples);
