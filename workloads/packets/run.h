/* Private to workloads/packets: a run of the network alone, what its files share. */
#pragma once

#include "models/energy/figures.h"
#include "models/ipu/machine.h"
#include "models/ipu/tables/network_figures.h"
#include "sim/workload/workload.h"
#include "workloads/packets/calls/calls.h"
#include "workloads/packets/flow.h"

enum { FS_PACKETS_PLANES = 4 };
enum { FS_PACKETS_KNEE = 3 }; /* times the latency alone: where a curve's knee is said to be */
enum { FS_PACKETS_WHOLE, FS_PACKETS_RESERVE }; /* workload.network */
/* workload.source */
enum { FS_PACKETS_OPEN, FS_PACKETS_STREAM, FS_PACKETS_TRACE, FS_PACKETS_CLOSED, FS_PACKETS_TASKS };
enum { FS_PACKETS_GAPS, FS_PACKETS_STAMPS };                      /* workload.trace.timing */
enum { FS_PACKETS_WRITE, FS_PACKETS_READ, FS_PACKETS_MULTICAST }; /* workload.stream.op */
enum { FS_PACKETS_TURN, FS_PACKETS_ROUND };                       /* workload.stream.order */

/* The workload section of a fabric experiment. */
typedef struct fs_packets_params {
    int64_t network; /* FS_PACKETS_WHOLE ... */
    int64_t pattern; /* fs_goal_kind */
    fs_int_list hotspot;
    bool hotspot_given;
    double hotspot_share;            /* of the packets, 0 ... 1 */
    const char *near;                /* what of another tool's file is only near here; "" */
    const char *permutation, *table; /* files of these patterns */
    int64_t flits;                   /* of a packet */
    fs_int_list sizes, shares;       /* flits of packets of several sizes, and how many of each */
    bool sizes_given, shares_given;
    int64_t window; /* packets of a node under way, of a closed loop */
    double load;    /* flits a cycle and node; FS_WORD_VALUE: where the knee is */
    struct {
        double on, off; /* cycles; on 0: none */
    } burst;
    int64_t warmup, measure, drain; /* cycles */
    int64_t max_packets;            /* under way */
    int64_t source;                 /* FS_PACKETS_OPEN ... */
    struct {
        int64_t op;            /* FS_PACKETS_WRITE ... */
        fs_int_list from, to;  /* nodes */
        fs_int_list rectangle; /* column, row of two corners */
        bool from_given, to_given, rectangle_given;
        int64_t bytes;        /* of a transaction */
        int64_t transactions; /* of a node to each destination; 0: on and on */
        int64_t order;        /* FS_PACKETS_TURN, FS_PACKETS_ROUND */
    } stream;
    const char *file;   /* of another tool: says who sends */
    const char *format; /* of it; "": by its bytes */
    bool lenient;
    struct {
        const char *network; /* file */
        int64_t timing;      /* FS_PACKETS_GAPS, FS_PACKETS_STAMPS */
        const char *topology, *processor;
        int64_t chip, stamp; /* FS_WORD_VALUE: all; by the file */
    } trace;
    struct {
        double pace, latency, each; /* B/cycle, cycles, cycles a byte */
    } edge;
    struct {
        int64_t region, from, to; /* FS_WORD_VALUE: all; to 0: all */
        bool gaps;
    } netrace;
} fs_packets_params;

/* Of the measured cycles, without tiles; NAN: the chip's process has no prices. */
typedef struct fs_packets_energy {
    double joules, low, high;
    double routers, links, ends, standing; /* J, of joules */
    double watts, each;                    /* each: J a packet, of an open loop */
    double area;                           /* mm2 of the routers */
    fs_energy_figures
        limits; /* of it what is held to the machine's limits: the chip's area, the network's power */
} fs_packets_energy;

/* Of a file of another tool: what it moves, and what its processors took, simulated and recorded. NAN: it has no such. */
typedef struct fs_packets_trace {
    double packets, bytes, hops, transfers, chips;
    double sends, send_bytes, send_hops,
        edge_share; /* to other chips; share: cycles in which the busiest edge was held */
    double recorded, reads, reads_recorded, sent, sent_recorded; /* cycles: see their rows */
    double waits, waits_recorded, longest, longest_recorded;
    double calls, link,
        port; /* cycles that these alone take: the longest processor\'s calls, the busiest link, way out */
    double first_order;                     /* cycles by the first-order model of first_order.h */
    double held, latency, slack, published; /* of tasks: sends, cycles, cycles; what the file's author says */
} fs_packets_trace;

typedef struct fs_packets_figures {
    double nodes, offered, accepted, bound, bound_share;
    double latency, queue, network, serial, alone, hops, hops_alone;
    uint64_t p50, p99, longest, hops_most;
    uint64_t made, measured, delivered, under_way, flit_hops;
    fs_noc_summary links;
    uint64_t cycles;
    double seconds;
    double source_least, source_p1, source_most; /* flits a cycle that nodes get through */
    uint64_t stream_cycles, stream_bytes;
    const char *binds; /* of a file: what binds its run; NULL: it is none */
    double stream_rate;
    fs_packets_trace trace;
    fs_packets_energy energy;
    bool complete;
} fs_packets_figures;

typedef struct fs_packets_run {
    fs_run run;
    const fs_machine_params *machine;
    const fs_packets_params *params;
    const fs_noc_graph *graph;
    fs_noc_sizes digits;
    fs_goals goals;
    fs_flow_setup setup;
    fs_flow_outlook outlook;
    fs_flow *flow;
    fs_flow_knee *knee;      /* of a run that finds its load; else NULL */
    int64_t source;          /* FS_PACKETS_OPEN ...: of a file as its format says */
    const fs_format *format; /* of workload.file or workload.trace.network; NULL: nothing is read */
    fs_format_asked asked;
    const fs_noc_graph *plane[FS_PACKETS_PLANES]; /* [machine->noc.planes] */
    fs_spots *spots;                              /* of a file */
    fs_notes notes;                               /* what was made of it */
    fs_calls trace;                               /* of source trace */
    fs_tasks_told tasks;                          /* of source tasks */
    double published;                             /* cycles that its file says; 0: none */
    uint32_t callers;                             /* processors of a stream or trace; 0: an open loop */
    uint64_t window;                              /* cycles that uses and rates are of */
    fs_packets_figures figures;
} fs_packets_run;

/* Nodes make packets, in an open or a closed loop; else processors of tiles call. */
static inline bool fs_packets_flow(const fs_packets_params *params) {
    return params->file[0] == '\0' &&
           (params->source == FS_PACKETS_OPEN || params->source == FS_PACKETS_CLOSED);
}

/* The rules of an experiment (fs_section_rules.check), and host seconds that it takes (fs_workload.expect). */
void fs_packets_check(const fs_config *config, fs_check *check);
void fs_packets_expect(const fs_point *point, double seconds[FS_LAYERS]);

/* Everything that follows from the flow. */
void fs_packets_figures_of(fs_packets_run *run);
/* And what it takes. */
void fs_packets_energy_of(fs_packets_run *run);
/* The closed loop of source stream or trace: processors of tiles, by agents.h, in place of the flow. Uses and sums
 * go into r->flow. FS_INPUT: nodes that there are not; FS_RUN: more calls under way than workload.max_packets. */
fs_status fs_packets_loop(fs_packets_run *run, fs_error *err);

/* Reads the file of workload.file or workload.trace.network, whose format says which of the two it is. FS_INPUT with its place. */
fs_status fs_packets_read(fs_packets_run *run, fs_error *err);
/* A source of its tasks; its close is the caller's. */
fs_status fs_packets_tasks(fs_packets_run *run, fs_task_source *out, fs_error *err);
/* Figures of what was read, and what the run made of it (agents NULL: of tasks). */
void fs_packets_trace_of(fs_packets_run *run, const fs_agents *agents, const fs_tasks *tasks);

/* What a first-order model says of a file, and where flits part from it (findings_order.c). */
void fs_packets_find_order(const fs_packets_run *run, fs_findings *out);
/* What of a file binds its run, in a few words (NULL: no file); and as a sentence. */
const char *fs_packets_bound(const fs_packets_run *run);
void fs_packets_find_bound(const fs_packets_run *run, fs_findings *out);

/* Steps of fs_run_steps. */
fs_status fs_packets_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_packets_write(void *run, fs_results *results, fs_error *err);
