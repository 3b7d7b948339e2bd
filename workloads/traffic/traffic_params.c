/* The rows of the traffic workload. */
#include "workloads/traffic/traffic_params.h"

#include "workloads/traffic/pattern.h"
#include "workloads/traffic/traffic.h"

#define P fs_traffic_params
#define ROW(key, member, unit, def, lo, hi, doc)                                                             \
    FS_PARAM_INT(key, P, member, unit, def, lo, hi, doc, "", '-', FS_TOUCHES_TRAFFIC)

static const char *const routers[] = {"ideal", "fixed", NULL};
static const char *const buffers[] = {"infinite", "overlay", "slots", NULL};

static const fs_param rows[] = {
    ROW("tracers", tracers, FS_UNIT_NONE, "1024", 2, 65534, "tracers, each a source and a sink of rays"),
    FS_PARAM_ENUM("pattern", P, pattern, "uniform", fs_pattern_names,
                  "where rays go: to any other tracer alike; a share to the hotspots; to the next tracer; to "
                  "tracer N - 1 - i; row and column exchanged",
                  "", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_INTS("hotspot", P, hotspot, hotspot_given, FS_UNIT_NONE, "none", 0, 65533,
                  "tracers that get the share of pattern hotspot; absent: the middle one", "", '-',
                  FS_TOUCHES_TRAFFIC),
    FS_PARAM_REAL("hotspot_share", P, hotspot_share, FS_UNIT_NONE, "0.2", 0, 1,
                  "part of the rays that goes to the hotspots, the rest is uniform", "", '-',
                  FS_TOUCHES_TRAFFIC),
    FS_PARAM_REAL("load", P, load, FS_UNIT_NONE, "0", 0, 1e6,
                  "offered load, rays per kilocycle and source: an iteration brings what fell into the last; "
                  "0: rate rules",
                  "", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_REAL("rate", P, rate, FS_UNIT_NONE, "1", 0, 1e6,
                  "offered rays per iteration and source, fractions by coin; not used when load is above 0",
                  "", '-', FS_TOUCHES_TRAFFIC),
    ROW("burst", burst, FS_UNIT_NONE, "64", 1, 1e6,
        "most rays that a source makes in an iteration, less those that wait on its tile; further ones are "
        "refused"),
    ROW("warmup", warmup, FS_UNIT_NONE, "100", 0, 65534, "iterations before the measurement"),
    ROW("measure", measure, FS_UNIT_NONE, "1000", 1, 65534,
        "iterations in which throughput is measured and measured rays are made"),
    ROW("drain", drain, FS_UNIT_NONE, "1000", 0, 65534,
        "iterations without new rays, at most: the run ends when the last ray has arrived"),
    ROW("payload_bytes", payload_bytes, FS_UNIT_BYTES, "20 B", 4, 4096,
        "bytes of a ray in a lane, a multiple of 4"),
    FS_PARAM_ENUM("router", P, router, "ideal", routers,
                  "what handling a ray costs a tile: nothing, or router_cycles", "", '-', FS_TOUCHES_PRICE),
    ROW("router_cycles", router_cycles, FS_UNIT_CYCLES, "70 cycles", 1, 60000,
        "cycles a ray at a tile whose workers are all busy: a ray takes so many issue slots of one worker"),
    FS_PARAM_ENUM(
        "buffers", P, buffers, "infinite", buffers,
        "what a lane moves in an iteration: all, what the overlay's buffers hold, or lane_slots rays; "
        "the rest waits in a queue of the lane at its source",
        "", '-', FS_TOUCHES_TRAFFIC),
    ROW("lane_slots", lane_slots, FS_UNIT_NONE, "1024", 1, 1e6, "rays that a lane moves with buffers: slots"),
    ROW("max_rays", max_rays, FS_UNIT_NONE, "8000000", 1, 1e8,
        "rays in flight at which the run is given up: the load is above what the network carries"),
    FS_ROLE_CODE_ROWS(P, code),
};

const fs_param_table fs_traffic_table = {.name = "workload/traffic",
                                         .doc = "synthetic rays without a scene: latency against load",
                                         .rows = rows,
                                         .count = sizeof rows / sizeof rows[0],
                                         .size = sizeof(fs_traffic_params)};
