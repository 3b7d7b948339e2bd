/* Private to workloads/traffic/fabric: a run of the network alone, what its files share. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_FABRIC_RUN_H
#define FOAMSIM_WORKLOADS_TRAFFIC_FABRIC_RUN_H

#include "models/ipu/machine.h"
#include "sim/workload/run.h"
#include "workloads/traffic/fabric/flow.h"

enum { FS_FABRIC_WHOLE }; /* workload.network */

/* The workload section of a fabric experiment. */
typedef struct fs_fabric_params {
    int64_t network; /* FS_FABRIC_WHOLE */
    int64_t pattern; /* fs_goal_kind */
    fs_int_list hotspot;
    bool hotspot_given;
    double hotspot_share;           /* of the packets, 0 ... 1 */
    int64_t flits;                  /* of a packet */
    double load;                    /* flits a cycle and node; FS_WORD_VALUE: where the knee is */
    int64_t warmup, measure, drain; /* cycles */
    int64_t max_packets;            /* under way */
} fs_fabric_params;

typedef struct fs_fabric_figures {
    double nodes, offered, accepted, bound, bound_share;
    double latency, queue, network, serial, alone, hops, hops_alone;
    uint64_t p50, p99, longest, hops_most;
    uint64_t made, measured, delivered, under_way, flit_hops;
    double busiest_share, mean_share, balance, top_share;
    uint64_t links, busiest_from, busiest_to;
    double no_credit, no_channel, lost; /* channel-cycles for each flit that moved */
    double cut_share;
    uint64_t cut_dimension, cut_place;
    uint64_t cycles;
    double seconds;
    bool complete;
} fs_fabric_figures;

typedef struct fs_fabric_run {
    fs_run run;
    const fs_machine_params *machine;
    const fs_fabric_params *params;
    const fs_noc_graph *graph;
    fs_noc_sizes digits;
    fs_goals goals;
    fs_flow_setup setup;
    fs_flow_outlook outlook;
    fs_flow *flow;
    fs_fabric_figures figures;
} fs_fabric_run;

/* Everything that follows from the flow. */
void fs_fabric_figures_of(fs_fabric_run *run);
/* Steps of fs_run_steps. */
fs_status fs_fabric_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_fabric_write(void *run, fs_results *results, fs_error *err);

#endif
