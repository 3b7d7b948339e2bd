/* Packets through a network on chip: an open loop, in which nodes make packets whatever became of those before, or a
 * closed one, in which each node has so many under way and makes the next one when one has arrived.
 *
 * Open, each node makes a packet in a cycle with the probability load / flits, and only while it is on where it comes
 * in bursts. Packets made in the measured cycles are measured; nodes go on making packets until all of these have
 * arrived, at most `drain` cycles. What is accepted are the flits that nodes take in the measured cycles. */
#pragma once

#include "models/noc/net.h"
#include "models/noc/noc.h"
#include "models/noc/summary.h"
#include "sim/base/rng.h"
#include "sim/stats/latency.h"

/* Where a node of a network sends: patterns over the nodes' places. */

/* A node's number in digits: its place in each dimension of a grid, its branch at each level of a tree. */
typedef enum fs_goal_kind {
    FS_GOAL_UNIFORM,        /* every node alike, itself too */
    FS_GOAL_HOTSPOT,        /* a share to the hotspots, the rest uniform */
    FS_GOAL_NEIGHBOUR,      /* the next one in each digit */
    FS_GOAL_TORNADO,        /* nearly half way round in each digit */
    FS_GOAL_BIT_COMPLEMENT, /* node N - 1 - i */
    FS_GOAL_BIT_REVERSAL,   /* the bits of the number backwards */
    FS_GOAL_TRANSPOSE,      /* row and column exchanged */
    FS_GOAL_PERMUTATION,    /* as a file says */
    FS_GOAL_ALL_TO_ALL,     /* to all others in turn, beginning with the next one */
    FS_GOAL_TABLE,          /* as often as a file says, a node to as many as it names */
} fs_goal_kind;
extern const char *const fs_goal_names[]; /* NULL-terminated */

typedef struct fs_goals {
    fs_goal_kind kind;
    uint32_t nodes, hots;
    const uint32_t *hot;  /* [hots] */
    double share;         /* of the hotspots, 0 ... 1 */
    const uint32_t *goal; /* [nodes] of a pattern that leaves nothing to chance; NULL: of the others */
    /* Of a table: lines of a node stand together, as wanted by the node's packets: */
    const uint32_t *first, *to; /* [nodes + 1], [lines] */
    const double *part;         /* [lines] of the node's packets, 0 ... 1 */
    const double *weight;       /* [nodes] what a node offers, against the mean of all; NULL: all alike */
    double most_weight;         /* the greatest of them; 1 where all are alike */
} fs_goals;

/* The files of patterns permutation and table; "" where there is none. */
typedef struct fs_goal_files {
    const char *permutation; /* a line "node,goal" for each node */
    const char *table; /* lines "node,goal" or "node,goal,rate": any number of a node; rates are relative to
                                each other, 1 where none stands */
} fs_goal_files;

/* digits: [digit_count] sizes, the lowest first; their product is `nodes`. FS_INPUT, beginning with the key or the
 * place in the file: a pattern that does not go with the number of nodes, a hotspot that is no node, a file that is
 * no permutation or no table. */
fs_status fs_goals_make(fs_arena *arena, fs_goal_kind kind, fs_noc_sizes digits, const fs_int_list *hot,
                        double share, fs_goal_files files, fs_goals *out, fs_error *err);
/* Of the nth packet of a node, from 0. */
uint32_t fs_goal_draw(const fs_goals *goals, uint32_t node, uint64_t nth, fs_rng *rng);
/* What a node offers, against the mean of all nodes. */
double fs_goal_weight(const fs_goals *goals, uint32_t node);
/* The part of a node's packets that goes to another as to every node alike, 0 ... 1; the rest goes to the hotspots. Of
 * patterns without lists. */
double fs_goal_even(const fs_goals *goals, uint32_t node, uint32_t to);
/* A node's packets may go to any node, and no list says to which. */
bool fs_goals_anywhere(const fs_goals *goals);

/* A size of packets. */
typedef struct fs_flow_size {
    uint32_t flits;
    double part; /* of the packets, 0 ... 1; those of a list add up to 1 */
} fs_flow_size;

typedef struct fs_flow_setup {
    const fs_noc_graph *graph;
    fs_noc_params net;
    const fs_goals *goals;
    uint32_t flits;            /* of a packet, where all have as many */
    const fs_flow_size *sizes; /* [size_count] else; NULL */
    uint32_t size_count;
    double load;                     /* flits a cycle and node, the mean of all, of an open loop */
    double on, off;                  /* mean cycles of a burst and between two; on 0: no bursts */
    uint64_t window;                 /* packets of a node under way, of a closed one; 0: it is open */
    uint64_t warmup, measure, drain; /* cycles */
    uint64_t most;                   /* packets under way at which the run is given up */
    uint64_t seed;
    /* Hears of every cycle, and of the flits times links so far; false ends the flow with FS_RUN. NULL: nobody. */
    bool (*progress)(void *self, uint64_t cycles);
    void *self;
} fs_flow_setup;

/* Flits of a packet, the mean. */
double fs_flow_mean_flits(const fs_flow_setup *setup);
/* Packets that the busiest node makes in a cycle for a load of 1: nodes make one at most. */
double fs_flow_most_packets(const fs_flow_setup *setup);

/* What became of one node's packets. */
typedef struct fs_flow_source {
    uint64_t offered, accepted; /* flits made, and arrived, in the measured cycles */
    uint64_t measured, arrived; /* packets made in them; of these arrived */
    uint64_t latency, longest;  /* cycles of those that arrived: the sum, the greatest */
} fs_flow_source;

typedef struct fs_flow {
    uint64_t cycles;                  /* in all */
    uint64_t made, measured, arrived; /* packets; of them made in the measured cycles; of these arrived */
    uint64_t offered, taken;          /* flits made, taken in the measured cycles */
    /* Cycles of the measured packets: at their source, in the network, of the flits behind the head; their sum is
     * that of latency. */
    uint64_t queue, network, serial;
    uint64_t routers, most_routers; /* that measured packets passed */
    /* Packets made and over in each half of the measured cycles: queues grow where fewer are over in both. */
    uint64_t half_made[2], half_over[2];
    fs_latency latency; /* of the measured packets */
    fs_noc_sums sums;
    fs_noc_use *uses;       /* [links + ends] in the measured cycles; free() */
    fs_flow_source *source; /* [nodes]; free() */
    fs_noc_film *film;      /* of all cycles, the caller's; NULL: none is made */
    bool whole;             /* all measured packets arrived, credits and flits add up */
    bool piled;             /* more packets than setup->most were under way: the run was given up */
} fs_flow;

/* Runs it; of *out film alone is read. FS_RUN: more packets under way than setup->most, or progress ended it, when cycles
 * and sums are those until then; FS_BROKEN:
 * flits or credits were lost. Ends with fs_flow_free, also after an error. */
fs_status fs_flow_run(const fs_flow_setup *setup, fs_flow *out, fs_error *err);
void fs_flow_free(fs_flow *flow);

/* Queues grow: both halves of the measured cycles make more packets than come to their end, by more than so few
 * packets scatter, and less than 97 % of what is offered gets through. */
bool fs_flow_is_full(const fs_flow *flow);

/* A load that the search for the knee tried: means of its measured packets that arrived. */
typedef struct fs_flow_probe {
    double load, accepted; /* flits a cycle and node */
    double latency;        /* cycles; NAN: none arrived */
} fs_flow_probe;
enum { FS_FLOW_PROBES = 7, FS_FLOW_MOST_PROBES = 32 };

/* The knee of the curve: the greatest load at which the mean latency is below `times` that of a packet alone. */
typedef struct fs_flow_knee {
    double load;
    bool
        found; /* false: latency stays below at every load that nodes can make; load is the greatest of them */
    uint32_t probes;
    fs_flow_probe probe[FS_FLOW_MOST_PROBES]; /* [probes] the loads that were tried, as they came */
} fs_flow_knee;

/* Finds it by bisection to a part in 128 of `bound`, the load at which the busiest link saturates. alone: cycles of
 * a packet alone. FS_RUN: no load keeps below, with the least that was tried. */
fs_status fs_flow_find(const fs_flow_setup *setup, double times, double alone, double bound,
                       fs_flow_knee *out, fs_error *err);

/* What the ways alone say, before any run. */
typedef struct fs_flow_outlook {
    double latency;   /* cycles of a packet alone, the mean of the pattern */
    double routers;   /* that it passes */
    double busiest;   /* flits through the busiest link when every node has sent one flit */
    uint32_t sampled; /* destinations that stand for all in latency and routers, and in busiest where
                         busiest_sampled; 0: all were looked at */
    bool busiest_sampled;
} fs_flow_outlook;
/* Of every pair of nodes that the pattern has, the mean over the ways that packets may take; of more than 2^26 pairs a
 * sample of destinations. grid: nodes lie in a grid with these sizes, whose dimensions packets pass one after another, so
 * that its links are exact at any size; count 0: they do not. Ends early when the process is asked to end. */
fs_flow_outlook fs_flow_look(const fs_flow_setup *setup, fs_noc_sizes grid, fs_arena *arena);
