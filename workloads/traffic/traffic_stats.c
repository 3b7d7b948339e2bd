/* The statistics of a traffic run: name, unit, how runs merge, what is counted. */
#include "workloads/traffic/books.h"
#include "workloads/traffic/host_figures.h"
#include "workloads/traffic/traffic.h"

#define F                    fs_traffic_figures
#define COUNT(n, m, u, g, d) FS_STAT_COUNT(n, F, m, u, FS_MERGE_##g, d)
#define VALUE(n, m, u, g, d) FS_STAT_VALUE(n, F, m, u, FS_MERGE_##g, d)

static const fs_stat rows[] = {
    VALUE("load.offered", offered, "rays/kilocycle", MEAN,
          "rays that a source wanted to send, refused ones included; loads are those of the measurement"),
    VALUE("load.accepted", accepted, "rays/kilocycle", MEAN, "rays delivered for each source"),
    VALUE("load.accepted_all", accepted_all, "rays/kilocycle", SUM, "rays delivered in all"),
    VALUE("load.bound", bound, "rays/kilocycle", MEAN,
          "of a source: what the busiest port carries and the busiest tile handles by the routes, one after "
          "the "
          "other, were neither ever idle"),
    VALUE("load.bound_share", bound_share, "", MEAN, "accepted over bound"),

    VALUE("latency.mean", latency_mean, "cycles", MEAN,
          "from a ray's birth to its tracer: the rays born in the measurement"),
    COUNT("latency.p50", latency_p50, "cycles", MAX, "half of the rays are no slower"),
    COUNT("latency.p99", latency_p99, "cycles", MAX, "99 % of the rays are no slower"),
    COUNT("latency.max", latency_max, "cycles", MAX, "the slowest ray"),
    VALUE("latency.zero_load", latency_zero, "cycles", MEAN,
          "mean of a ray alone on the chip, from routes, hop costs and the latency by position"),
    VALUE("latency.iterations_mean", alive_mean, "iterations", MEAN, "the latency in iterations"),
    COUNT("latency.iterations_p50", alive_p50, "iterations", MAX,
          "half of the rays are no slower; told up to 4,095"),
    COUNT("latency.iterations_p99", alive_p99, "iterations", MAX,
          "99 % of the rays are no slower; told up to 4,095"),
    COUNT("latency.iterations_max", alive_max, "iterations", MAX, "the slowest ray"),

    VALUE("hops.mean", hops_mean, "hops", MEAN, "lanes that a measured ray went through"),
    VALUE("hops.expected", hops_expected, "hops", MEAN, "the same from pattern and routes"),
    COUNT("hops.max", hops_max, "hops", MAX, "the longest way of a measured ray"),

    COUNT("rays.made", made, "rays", SUM, "by all sources in the whole run"),
    COUNT("rays.refused", refused, "rays", SUM, "offered beyond workload.burst: not made"),
    COUNT("rays.delivered", delivered, "rays", SUM, "arrived at their tracer"),
    COUNT("rays.in_flight", in_flight, "rays", SUM, "still on the machine at the end"),
    COUNT("rays.measured", measured, "rays", SUM, "made in the measurement"),
    COUNT("rays.measured_delivered", measured_delivered, "rays", SUM, "of them, delivered before the end"),
    COUNT("rays.hops", hops, "hops", SUM, "transfers of a ray over a lane"),

    VALUE("waiting.mean", waiting_mean, "rays", MEAN,
          "rays that lanes without room left in their queues, mean of the measured iterations"),
    COUNT("waiting.peak", waiting_peak, "rays", MAX, "most rays left in the queue of one lane"),
    COUNT("lanes.peak", lane_peak, "rays", MAX, "most rays that one lane moved in an iteration"),
    VALUE("ports.expected_rays", port_rays, "rays", MEAN,
          "through the busiest port by the routes when every source sends one"),
    VALUE("ports.busiest_share", port_share, "", MAX,
          "part of the exchange cycles of the run in which the busiest port moved words"),
    COUNT("ports.busiest_tile", port_tile, "", SAME, "the tile of that port"),
    FS_STAT_WORD("ports.busiest_role", F, port_role, "its role"),
    COUNT("ports.busiest_level", port_level, "", SAME, "its level"),
    FS_STAT_WORD("ports.busiest_side", F, port_side, "in or out"),

    COUNT("device.cycles", cycles, "cycles", SUM, "device time of the run: compute + sync + exchange + host"),
    VALUE("device.seconds", seconds, "s", SUM, "the same at the machine's clock"),
    COUNT("device.iterations", iterations, "iterations", SUM, "supersteps run"),
    COUNT("device.cycles_compute", cycles_compute, "cycles", SUM,
          "compute phases: the slowest tile of each iteration; 0 with ideal routers"),
    COUNT("device.cycles_sync", cycles_sync, "cycles", SUM, "barriers inside the device"),
    COUNT("device.cycles_exchange", cycles_exchange, "cycles", SUM, "exchange phases"),
    COUNT("device.cycles_host", cycles_host, "cycles", SUM, "the first visit; unfused launches"),
    VALUE("device.cycles_per_iteration", cycles_mean, "cycles", MEAN, "mean over the measurement"),
    COUNT("parts.injection_iterations", part_iterations[FS_PART_WARMUP], "iterations", SUM, "of the warm-up"),
    COUNT("parts.steady_iterations", part_iterations[FS_PART_MEASURE], "iterations", SUM,
          "of the measurement"),
    COUNT("parts.drain_iterations", part_iterations[FS_PART_DRAIN], "iterations", SUM,
          "from the last new ray to the end"),
    COUNT("parts.injection_cycles", part_cycles[FS_PART_WARMUP], "cycles", SUM, "of the warm-up"),
    COUNT("parts.steady_cycles", part_cycles[FS_PART_MEASURE], "cycles", SUM, "of the measurement"),
    COUNT("parts.drain_cycles", part_cycles[FS_PART_DRAIN], "cycles", SUM,
          "from the last new ray to the end"),

    COUNT("memory.peak_bytes", memory_peak, "B", MAX,
          "SRAM of the fullest tile with buffers: overlay, else 0: queues are no SRAM"),
    COUNT("memory.worst_tile", memory_worst_tile, "", SAME, "that tile"),
    VALUE("pace.tracer", pace_tracer, "", MEAN,
          "share of iterations in which a tracer was the slowest tile; 0 with ideal routers"),
    VALUE("pace.router", pace_router, "", MEAN, "the same for a router"),
    FS_STAT_FLAG("complete", F, complete, FS_MERGE_MIN, "every ray was delivered"),
};

const fs_stat_table fs_traffic_stats = {
    .name = "traffic", .rows = rows, .count = sizeof rows / sizeof rows[0]};

#define H fs_traffic_host_figures

static const fs_stat host_rows[] = {
    FS_STAT_VALUE("wall_seconds", H, run.wall_seconds, "s", FS_MERGE_SUM,
                  "from the start of the run to the last file written"),
    FS_STAT_VALUE("cpu_seconds", H, run.cpu_seconds, "s", FS_MERGE_SUM,
                  "user and system time of all threads"),
    FS_STAT_VALUE("outlook_seconds", H, outlook_seconds, "s", FS_MERGE_SUM,
                  "following the routes of every pair of tracers"),
    FS_STAT_VALUE("simulation_seconds", H, run.simulation_seconds, "s", FS_MERGE_SUM, "the iterations"),
    FS_STAT_VALUE("write_seconds", H, run.write_seconds, "s", FS_MERGE_SUM, "writing the run folder"),
    FS_STAT_COUNT("peak_rss_bytes", H, run.peak_rss_bytes, "B", FS_MERGE_MAX, "largest resident set"),
    FS_STAT_COUNT("threads", H, run.threads, "", FS_MERGE_SAME, "OpenMP threads"),
    FS_STAT_COUNT("kernel_activations", H, run.kernel_activations, "", FS_MERGE_SUM,
                  "processes run by the discrete-event kernel"),
    FS_STAT_VALUE("ray_hops_per_second", H, run.ray_hops_per_second, "hops/s", FS_MERGE_MEAN,
                  "ray hops over simulation_seconds"),
    FS_STAT_VALUE("slowdown", H, run.slowdown, "", FS_MERGE_MEAN, "wall seconds over device seconds"),
    FS_STAT_WORD("version", H, run.version, "foamsim's version"),
    FS_STAT_WORD("compiler", H, run.compiler, "what foamsim was built with"),
};

const fs_stat_table fs_traffic_host_stats = {
    .name = "traffic host", .rows = host_rows, .count = sizeof host_rows / sizeof host_rows[0]};
