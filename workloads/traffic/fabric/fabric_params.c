/* The rows of the fabric workload. */
#include "workloads/traffic/fabric/fabric.h"
#include "workloads/traffic/fabric/run.h"

#define FS_ROWS_OF fs_fabric_params

static const char *const networks[] = {[FS_FABRIC_WHOLE] = "fabric", NULL};

static const fs_param rows[] = {
    FS_ENUM(network, "fabric", networks, "what packets go through: the machine's fabric, flit by flit",
            TRAFFIC),
    FS_ENUM(pattern, "uniform", fs_goal_names,
            "where packets go: to any node alike, the own one too; a share to the hotspots; to the next node "
            "in each dimension; nearly half way round in each dimension; to node N - 1 - i; to the node with "
            "the bits backwards; row and column exchanged",
            TRAFFIC),
    FS_INTS(hotspot, NONE, "none", 0, FS_NOC_MOST_ROUTERS,
            "nodes that get the share of pattern hotspot; absent: the middle one", TRAFFIC,
            .only = "workload.pattern=hotspot"),
    FS_REAL(hotspot_share, NONE, "0.2", 0, 1, "part of the packets that goes to the hotspots", TRAFFIC,
            .only = "workload.pattern=hotspot"),
    FS_INT(flits, NONE, "1", 1, 65535, "flits of a packet, its head included", TRAFFIC),
    FS_REAL(
        load, NONE, "0.1", 0, 1000,
        "flits that a node offers in a cycle; find: the load at which a packet takes three times as long as "
        "alone, by bisection",
        TRAFFIC, .word = "find"),
    FS_INT(warmup, CYCLES, "3000 cycles", 0, 1e9, "cycles before the measurement", TRAFFIC),
    FS_INT(measure, CYCLES, "10000 cycles", 1, 1e9,
           "cycles in which throughput is measured and measured packets are made", TRAFFIC),
    FS_INT(drain, CYCLES, "100000 cycles", 0, 1e9,
           "cycles behind them, at most: the run ends when the last measured packet has arrived", TRAFFIC),
    FS_INT(max_packets, NONE, "4000000", 1, 1e8, "packets under way at which the run is given up", TRAFFIC),
};

const fs_param_table fs_fabric_table =
    FS_PARAM_TABLE("workload/fabric", "packets straight on the network of a chip: latency against load", rows,
                   sizeof(fs_fabric_params));
