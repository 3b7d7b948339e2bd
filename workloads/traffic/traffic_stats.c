/* The statistics of a traffic run; those that every workload has stand with the part of the machine that
 * counts them. */
#include "workloads/traffic/run.h"
#include "workloads/traffic/traffic.h"

#define F               fs_traffic_figures
#define FS_ROWS_OF      F
#define WORD(n, m, ...) FS_STAT_WORD(n, F, m, __VA_ARGS__)

static const fs_stat rows[] = {
    FS_VALUE("load.offered", offered, "rays/kilocycle",
             "rays that a source wanted to send, refused ones included; loads are those of the measurement"),
    FS_VALUE("load.accepted", accepted, "rays/kilocycle", "rays delivered for each source", FS_MORE,
             FS_AT(10, "load accepted"),
             .changed = "Each source delivers {new} instead of {old} rays per 1,000 cycles."),
    FS_VALUE("load.accepted_all", accepted_all, "rays/kilocycle", "rays delivered in all", FS_MORE),
    FS_VALUE("load.bound", bound, "rays/kilocycle",
             "of a source: what the busiest port carries and the busiest tile handles by the routes, one "
             "after the other, were neither ever idle",
             FS_MORE, FS_AT(11, "load bound"),
             .changed =
                 "By the routes the busiest port and tile allow {new} instead of {old} rays a kilocycle."),
    FS_SHARE("load.bound_share", bound_share, "accepted over bound", FS_AT(12, "accepted of the bound")),
    FS_VALUE("latency.mean", latency_mean, "cycles",
             "from a ray's birth to its tracer: the rays born in the measurement", FS_LESS,
             FS_AT(1, "mean latency")),
    FS_WHOLE("latency.p50", latency_p50, "cycles", "half of the rays are no slower", FS_LESS),
    FS_WHOLE("latency.p99", latency_p99, "cycles", "99 % of the rays are no slower", FS_LESS,
             FS_AT(2, "latency of 99 %"),
             .changed = "99 % of the rays take {new} instead of {old} cycles at most."),
    FS_WHOLE("latency.max", latency_max, "cycles", "the slowest ray", FS_LESS, FS_AT(3, "longest latency")),
    FS_VALUE("latency.zero_load", latency_zero, "cycles",
             "mean of a ray alone on the chip, from routes, hop costs and the latency by position", FS_LESS,
             FS_AT(4, "latency of a ray alone"),
             .changed = "A ray alone on the chip takes {new} instead of {old} cycles."),
    FS_VALUE("latency.iterations_mean", alive_mean, "iterations", "the latency in iterations", FS_LESS),
    FS_WHOLE("latency.iterations_p50", alive_p50, "iterations",
             "half of the rays are no slower; counted up to 4,095", FS_LESS),
    FS_WHOLE("latency.iterations_p99", alive_p99, "iterations",
             "99 % of the rays are no slower; counted up to 4,095", FS_LESS),
    FS_WHOLE("latency.iterations_max", alive_max, "iterations", "the slowest ray", FS_LESS),
    FS_VALUE("hops.mean", hops_mean, "hops", "lanes that a measured ray went through", FS_LESS,
             FS_AT(14, "lanes of a ray"), .changed = "A ray goes through {new} instead of {old} lanes."),
    FS_VALUE("hops.expected", hops_expected, "hops", "the same from pattern and routes", FS_LESS),
    FS_WHOLE("hops.max", hops_max, "hops", "the longest way of a measured ray", FS_LESS),
    FS_WHOLE("rays.made", rays.made, "rays", "by all sources in the whole run"),
    FS_WHOLE("rays.refused", rays.refused, "rays", "offered beyond workload.burst: not made", FS_LESS,
             FS_AT(13, "rays refused"), .changed = "Sources are refused {new} rays instead of {old}."),
    FS_WHOLE("rays.delivered", rays.delivered, "rays", "arrived at their tracer", FS_MORE),
    FS_WHOLE("rays.in_flight", rays.in_flight, "rays", "still on the machine at the end", FS_LESS),
    FS_WHOLE("rays.measured", rays.measured, "rays", "made in the measurement"),
    FS_WHOLE("rays.measured_delivered", rays.measured_delivered, "rays", "of them, delivered before the end",
             FS_MORE),
    FS_WHOLE("rays.hops", rays.hops, "hops", "transfers of a ray over a lane", FS_LESS),
    FS_VALUE("waiting.mean", waiting_mean, "rays",
             "rays that lanes without room left in their queues, mean of the measured iterations", FS_LESS,
             FS_AT(15, "rays waiting, mean"),
             .changed = "Lanes without room leave {new} instead of {old} rays waiting in an iteration."),
    FS_WHOLE("waiting.peak", waiting_peak, "rays", "most rays left in the queue of one lane", FS_LESS,
             FS_AT(16, "rays waiting before a lane, most")),
    FS_WHOLE("lanes.peak", lane_peak, "rays", "most rays that one lane moved in an iteration"),
    FS_VALUE("ports.expected_rays", port_rays, "rays",
             "through the busiest port by the routes when every source sends one", FS_LESS),
    FS_SHARE("ports.busiest_share", port_share,
             "part of the exchange cycles of the run in which the busiest port moved words",
             FS_AT(17, "busiest port busy"),
             .changed = "The busiest port moves words in {new} instead of {old} of the exchange phases."),
    FS_WHOLE("ports.busiest_tile", port_tile, NULL, "the tile of that port", .says = FS_SAYS_LABEL),
    WORD("ports.busiest_role", port_role, .doc = "its role"),
    FS_WHOLE("ports.busiest_level", port_level, NULL, "its level", .says = FS_SAYS_LABEL),
    WORD("ports.busiest_side", port_side, .doc = "in or out"),
};
static const fs_stat_table network_table = FS_STAT_TABLE("network", rows);

static const fs_stat mean_rows[] = {
    FS_VALUE("device.rays_per_second", rays_per_second, "rays/s", "rays delivered over device.seconds",
             FS_MORE, FS_AT(104, "rays a second")),
    FS_VALUE("device.cycles_per_iteration", cycles_mean, "cycles", "mean over the measurement", FS_LESS,
             FS_AT(108, "cycles an iteration")),
};
static const fs_stat_table mean_table = FS_STAT_TABLE("measurement", mean_rows);

static const fs_stat energy_rows[] = {
    FS_VALUE("energy.joules_per_ray", joules_per_ray, "J",
             "energy of the run over the rays delivered; a ray's work is what workload.router_cycles says",
             FS_LESS, FS_AT(205, "energy of a ray")),
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
    FS_LINKS_PART(F, chip.network),
    {.table = &energy_table},
    {.table = &end_table},
};
const fs_stat_table fs_traffic_stats = FS_STAT_PARTS("traffic", parts);

static const fs_stat host_rows[] = {
    FS_STAT_VALUE("outlook_seconds", fs_traffic_run, outlook_seconds, .unit = "s",
                  .doc = "following the routes of every pair of tracers"),
};
const fs_stat_table fs_traffic_host_stats = FS_STAT_TABLE("traffic host", host_rows);
