/* Packets through a network on chip: an open loop, in which nodes make packets whatever became of those before, or a
 * closed one, in which each node has so many under way and makes the next one when one has arrived.
 *
 * Open, each node makes a packet in a cycle with the probability load / flits. Packets made in the measured cycles are
 * measured; nodes go on making packets until all of these have arrived, at most `drain` cycles. What is accepted
 * are the flits that nodes take in the measured cycles. */
#ifndef FOAMSIM_WORKLOADS_PACKETS_FLOW_H
#define FOAMSIM_WORKLOADS_PACKETS_FLOW_H

#include "models/noc/net.h"
#include "models/noc/summary.h"
#include "sim/stats/latency.h"
#include "workloads/packets/goals.h"

typedef struct fs_flow_setup {
    const fs_noc_graph *graph;
    fs_noc_params net;
    const fs_goals *goals;
    uint32_t flits;                  /* of a packet */
    double load;                     /* flits a cycle and node, of an open loop */
    uint64_t window;                 /* packets of a node under way, of a closed one; 0: it is open */
    uint64_t warmup, measure, drain; /* cycles */
    uint64_t most;                   /* packets under way at which the run is given up */
    uint64_t seed;
    /* Told of the cycles done; false ends the flow. NULL: nobody is. */
    bool (*progress)(void *self, uint64_t cycles);
    void *self;
} fs_flow_setup;

typedef struct fs_flow {
    uint64_t cycles;                  /* in all */
    uint64_t made, measured, arrived; /* packets; of them made in the measured cycles; of these arrived */
    uint64_t offered, taken;          /* flits made, taken in the measured cycles */
    uint64_t queue, network,
        serial;                     /* cycles of the measured packets: at their source, in the network, of the
                                              flits behind the head; their sum is that of latency */
    uint64_t routers, most_routers; /* that measured packets passed */
    fs_latency latency;             /* of the measured packets */
    fs_noc_sums sums;
    fs_noc_use *uses;  /* [links + ends] in the measured cycles; free() */
    fs_noc_film *film; /* of all cycles, the caller's; NULL: none is made */
    bool whole;        /* all measured packets arrived, credits and flits add up */
} fs_flow;

/* Runs it; of *out film alone is read. FS_RUN: more packets under way than setup->most; FS_BROKEN: flits or credits were lost. out->uses is the
 * caller's to free, also after an error. */
fs_status fs_flow_run(const fs_flow_setup *setup, fs_flow *out, fs_error *err);

/* A load that the search for the knee tried: means of its measured packets that arrived. */
typedef struct fs_flow_probe {
    double load, accepted; /* flits a cycle and node */
    double latency;        /* cycles; NAN: none arrived */
} fs_flow_probe;
enum { FS_FLOW_PROBES = 7 };

/* The load at which the mean latency is `times` that of a packet alone, `alone` cycles, by bisection to a part in
 * 128 of the greatest load: the knee of the curve. probes: the loads that were tried; NULL: nobody asks. */
fs_status fs_flow_find(const fs_flow_setup *setup, double times, double alone, double most, double *load,
                       fs_flow_probe probes[FS_FLOW_PROBES], fs_error *err);

/* What the ways alone say, before any run. */
typedef struct fs_flow_outlook {
    double latency; /* cycles of a packet alone, the mean of the pattern */
    double routers; /* that it passes */
    double busiest; /* flits through the busiest link when every node has sent one flit */
    uint32_t link;  /* that link; from graph->links on the way out to an end point */
} fs_flow_outlook;
/* Every pair of nodes that the pattern has; of kinds with random ways one way each. */
fs_flow_outlook fs_flow_look(const fs_flow_setup *setup, fs_arena *arena);

#endif
