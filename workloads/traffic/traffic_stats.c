/* The statistics of a traffic run; those that every workload has stand with the part of the machine that
 * counts them. */
#include "workloads/traffic/run.h"
#include "workloads/traffic/traffic.h"

#define F                fs_traffic_figures
#define COUNT(n, m, ...) FS_STAT_COUNT(n, F, m, __VA_ARGS__)
#define VALUE(n, m, ...) FS_STAT_VALUE(n, F, m, __VA_ARGS__)
#define WORD(n, m, ...)  FS_STAT_WORD(n, F, m, __VA_ARGS__)

static const fs_stat rows[] = {
    VALUE("load.offered", offered, .unit = "rays/kilocycle",
          .doc =
              "rays that a source wanted to send, refused ones included; loads are those of the measurement"),
    VALUE("load.accepted", accepted,
          .changed = "Each source delivers {new} instead of {old} rays per 1,000 cycles.",
          .unit = "rays/kilocycle", .better = FS_BETTER_MORE, .label = "load accepted", .place = 10,
          .doc = "rays delivered for each source"),
    VALUE("load.accepted_all", accepted_all, .unit = "rays/kilocycle", .better = FS_BETTER_MORE,
          .doc = "rays delivered in all"),
    VALUE("load.bound", bound,
          .changed = "By the routes the busiest port and tile allow {new} instead of {old} rays a kilocycle.",
          .unit = "rays/kilocycle", .better = FS_BETTER_MORE, .label = "load bound", .place = 11,
          .doc = "of a source: what the busiest port carries and the busiest tile handles by the routes, one "
                 "after the other, were neither ever idle"),
    VALUE("load.bound_share", bound_share, .says = FS_SAYS_SHARE, .label = "accepted of the bound",
          .place = 12, .doc = "accepted over bound"),
    VALUE("latency.mean", latency_mean, .unit = "cycles", .better = FS_BETTER_LESS, .label = "mean latency",
          .place = 1, .doc = "from a ray's birth to its tracer: the rays born in the measurement"),
    COUNT("latency.p50", latency_p50, .unit = "cycles", .better = FS_BETTER_LESS,
          .doc = "half of the rays are no slower"),
    COUNT("latency.p99", latency_p99,
          .changed = "99 % of the rays take {new} instead of {old} cycles at most.", .unit = "cycles",
          .better = FS_BETTER_LESS, .label = "latency of 99 %", .place = 2,
          .doc = "99 % of the rays are no slower"),
    COUNT("latency.max", latency_max, .unit = "cycles", .better = FS_BETTER_LESS, .label = "longest latency",
          .place = 3, .doc = "the slowest ray"),
    VALUE("latency.zero_load", latency_zero,
          .changed = "A ray alone on the chip takes {new} instead of {old} cycles.", .unit = "cycles",
          .better = FS_BETTER_LESS, .label = "latency of a ray alone", .place = 4,
          .doc = "mean of a ray alone on the chip, from routes, hop costs and the latency by position"),
    VALUE("latency.iterations_mean", alive_mean, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "the latency in iterations"),
    COUNT("latency.iterations_p50", alive_p50, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "half of the rays are no slower; told up to 4,095"),
    COUNT("latency.iterations_p99", alive_p99, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "99 % of the rays are no slower; told up to 4,095"),
    COUNT("latency.iterations_max", alive_max, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "the slowest ray"),
    VALUE("hops.mean", hops_mean, .changed = "A ray goes through {new} instead of {old} lanes.",
          .unit = "hops", .better = FS_BETTER_LESS, .label = "lanes of a ray", .place = 14,
          .doc = "lanes that a measured ray went through"),
    VALUE("hops.expected", hops_expected, .unit = "hops", .better = FS_BETTER_LESS,
          .doc = "the same from pattern and routes"),
    COUNT("hops.max", hops_max, .unit = "hops", .better = FS_BETTER_LESS,
          .doc = "the longest way of a measured ray"),
    COUNT("rays.made", made, .unit = "rays", .doc = "by all sources in the whole run"),
    COUNT("rays.refused", refused, .changed = "Sources are refused {new} rays instead of {old}.",
          .unit = "rays", .better = FS_BETTER_LESS, .label = "rays refused", .place = 13,
          .doc = "offered beyond workload.burst: not made"),
    COUNT("rays.delivered", delivered, .unit = "rays", .better = FS_BETTER_MORE,
          .doc = "arrived at their tracer"),
    COUNT("rays.in_flight", in_flight, .unit = "rays", .better = FS_BETTER_LESS,
          .doc = "still on the machine at the end"),
    COUNT("rays.measured", measured, .unit = "rays", .doc = "made in the measurement"),
    COUNT("rays.measured_delivered", measured_delivered, .unit = "rays", .better = FS_BETTER_MORE,
          .doc = "of them, delivered before the end"),
    COUNT("rays.hops", hops, .unit = "hops", .better = FS_BETTER_LESS,
          .doc = "transfers of a ray over a lane"),
    VALUE("waiting.mean", waiting_mean,
          .changed = "Lanes without room leave {new} instead of {old} rays waiting in an iteration.",
          .unit = "rays", .better = FS_BETTER_LESS, .label = "rays waiting, mean", .place = 15,
          .doc = "rays that lanes without room left in their queues, mean of the measured iterations"),
    COUNT("waiting.peak", waiting_peak, .unit = "rays", .better = FS_BETTER_LESS,
          .label = "rays waiting before a lane, most", .place = 16,
          .doc = "most rays left in the queue of one lane"),
    COUNT("lanes.peak", lane_peak, .unit = "rays", .doc = "most rays that one lane moved in an iteration"),
    VALUE("ports.expected_rays", port_rays, .unit = "rays", .better = FS_BETTER_LESS,
          .doc = "through the busiest port by the routes when every source sends one"),
    VALUE("ports.busiest_share", port_share,
          .changed = "The busiest port moves words in {new} instead of {old} of the exchange phases.",
          .says = FS_SAYS_SHARE, .label = "busiest port busy", .place = 17,
          .doc = "part of the exchange cycles of the run in which the busiest port moved words"),
    COUNT("ports.busiest_tile", port_tile, .says = FS_SAYS_LABEL, .doc = "the tile of that port"),
    WORD("ports.busiest_role", port_role, .doc = "its role"),
    COUNT("ports.busiest_level", port_level, .says = FS_SAYS_LABEL, .doc = "its level"),
    WORD("ports.busiest_side", port_side, .doc = "in or out"),
};
static const fs_stat_table network_table = FS_STAT_TABLE("network", rows);

static const fs_stat mean_rows[] = {
    VALUE("device.rays_per_second", rays_per_second, .unit = "rays/s", .better = FS_BETTER_MORE,
          .label = "rays a second", .place = 104, .doc = "rays delivered over device.seconds"),
    VALUE("device.cycles_per_iteration", cycles_mean, .unit = "cycles", .better = FS_BETTER_LESS,
          .label = "cycles an iteration", .place = 108, .doc = "mean over the measurement"),
};
static const fs_stat_table mean_table = FS_STAT_TABLE("measurement", mean_rows);

static const fs_stat energy_rows[] = {
    VALUE("energy.joules_per_ray", joules_per_ray, .unit = "J", .better = FS_BETTER_LESS,
          .label = "energy of a ray", .place = 205,
          .doc =
              "energy of the run over the rays delivered; a ray's work is what workload.router_cycles says"),
};
static const fs_stat_table energy_table = FS_STAT_TABLE("traffic/energy", energy_rows);

static const fs_stat end_rows[] = {
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE, .doc = "every ray was delivered",
                 .wrong = "latencies lack the slowest rays, which the run's end left undelivered"),
};
static const fs_stat_table end_table = FS_STAT_TABLE("end", end_rows);

static const fs_stat_part parts[] = {
    {.table = &network_table},
    FS_STAT_PART(&fs_device_stats, F, chip.device),
    {.table = &mean_table},
    FS_STAT_PART(&fs_parts_stats, F, parts),
    FS_STAT_PART(&fs_memory_stats, F, chip.memory),
    FS_STAT_PART(&fs_pace_stats, F, pace),
    FS_STAT_PART(&fs_peak_stats, F, chip.peak),
    FS_STAT_PART(&fs_power_stats, F, chip.power),
    {.table = &energy_table},
    {.table = &end_table},
};
const fs_stat_table fs_traffic_stats = FS_STAT_PARTS("traffic", parts);

static const fs_stat host_rows[] = {
    FS_STAT_VALUE("outlook_seconds", fs_traffic_run, outlook_seconds, .unit = "s",
                  .doc = "following the routes of every pair of tracers"),
};
const fs_stat_table fs_traffic_host_stats = FS_STAT_TABLE("traffic host", host_rows);
