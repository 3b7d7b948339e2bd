/* The rows of the traffic workload, and what holds between them. */
#include "workloads/traffic/run.h"

#include "models/ipu/machine.h"
#include "sim/config/config.h"
#include "sim/workload/run_params.h"
#include "workloads/traffic/pattern.h"
#include "workloads/traffic/traffic.h"

#define P          fs_traffic_params
#define FS_ROWS_OF P

static const char *const routers[] = {"ideal", "fixed", NULL};
static const char *const buffers[] = {"infinite", "overlay", "slots", NULL};

static const fs_param rows[] = {
    FS_INT(tracers, NONE, "1024", 2, 65534, "tracers, each a source and a sink of rays", TRAFFIC),
    FS_ENUM(pattern, "uniform", fs_pattern_names,
            "where rays go: to any other tracer alike; a share to the hotspots; to the next tracer; to "
            "tracer N - 1 - i; row and column exchanged",
            TRAFFIC),
    FS_INTS(hotspot, NONE, "none", 0, 65533,
            "tracers that get the share of pattern hotspot; absent: the middle one", TRAFFIC),
    FS_REAL(hotspot_share, NONE, "0.2", 0, 1,
            "part of the rays that goes to the hotspots, the rest is uniform", TRAFFIC),
    FS_REAL(load, NONE, "0", 0, 1e6,
            "offered load, rays per kilocycle and source: an iteration brings what fell into the last; 0: "
            "rate rules",
            TRAFFIC),
    FS_REAL(rate, NONE, "1", 0, 1e6,
            "offered rays per iteration and source, fractions by coin; not used when load is above 0",
            TRAFFIC),
    FS_INT(burst, NONE, "64", 1, 1e6,
           "most rays that a source makes in an iteration, less those that wait on its tile; further ones "
           "are refused",
           TRAFFIC),
    FS_INT(warmup, NONE, "100", 0, 65534, "iterations before the measurement", TRAFFIC),
    FS_INT(measure, NONE, "1000", 1, 65534,
           "iterations in which throughput is measured and measured rays are made", TRAFFIC),
    FS_INT(drain, NONE, "1000", 0, 65534,
           "iterations without new rays, at most: the run ends when the last ray has arrived", TRAFFIC),
    FS_INT(payload_bytes, BYTES, "20 B", 4, 4096, "bytes of a ray in a lane, a multiple of 4", TRAFFIC),
    FS_ENUM(router, "ideal", routers, "what handling a ray costs a tile: nothing, or router_cycles", PRICE),
    FS_INT(router_cycles, CYCLES, "70 cycles", 1, 60000,
           "cycles a ray at a tile whose workers are all busy: a ray takes so many issue slots of one worker",
           TRAFFIC),
    FS_ENUM(buffers, "infinite", buffers,
            "what a lane moves in an iteration: all, what the overlay's buffers hold, or lane_slots rays; "
            "the rest waits in a queue of the lane at its source",
            TRAFFIC),
    FS_INT(lane_slots, NONE, "1024", 1, 1e6, "rays that a lane moves with buffers: slots", TRAFFIC),
    FS_INT(max_rays, NONE, "8000000", 1, 1e8,
           "rays in flight at which the run is given up: the load is above what the network carries",
           TRAFFIC),
    FS_ROLE_CODE_ROWS(P, code),
};

const fs_param_table fs_traffic_table =
    FS_PARAM_TABLE("workload/traffic", "synthetic rays without a scene: latency against load", rows,
                   sizeof(fs_traffic_params));

/* ---- rules ---- */

enum { WORD = 4 }; /* bytes; exchange granularity, ipu.md 4 */

void fs_traffic_check_config(const fs_config *config, fs_check *check) {
    const fs_traffic_params *p = fs_config_section(config, "workload");
    const fs_machine_params *machine = fs_config_section(config, "machine");
    const fs_run_params *run = fs_config_section(config, "run");
    const int64_t iterations = p->warmup + p->measure + p->drain;
    if (machine->execution != FS_EXECUTION_BSP)
        fs_check_wrong(check, "machine.execution",
                       "traffic is made iteration by iteration; expected bsp, found decoupled");
    if (machine->exchange.kind == FS_FABRIC_NOC && machine->noc.detail == FS_NOC_SAMPLED && p->load > 0)
        fs_check_wrong(
            check, "machine.exchange.noc.detail",
            "with workload.load rays are made by the clock, which samples know at the end alone; expected "
            "flits, or workload.rate, found sampled");
    if (!(p->load > 0) && !(p->rate > 0))
        fs_check_wrong(check, "workload.load", "no rays: load or rate has to be above 0");
    if (p->payload_bytes % WORD != 0)
        fs_check_wrong(check, "workload.payload_bytes", "expected a multiple of %d B, found %lld B", WORD,
                       (long long)p->payload_bytes);
    if (iterations > run->max_iterations)
        fs_check_wrong(check, "workload.measure",
                       "warmup + measure + drain are %lld iterations, run.max_iterations is %lld",
                       (long long)iterations, (long long)run->max_iterations);
    if (p->buffers == FS_TRAFFIC_INFINITE && fs_fabric_plans(&machine->exchange))
        fs_check_wrong(check, "workload.buffers",
                       "a static exchange moves whole buffers, and infinite ones have no whole: set "
                       "machine.exchange.mode to dynamic, or buffers to overlay or slots");
}
