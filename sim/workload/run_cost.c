/* host.json: what a run cost the host. */
#include "sim/workload/run_cost.h"

#include "sim/base/host.h"
#include "sim/base/version.h"

#include <math.h>

#define F fs_run_cost

static const fs_stat rows[] = {
    FS_STAT_VALUE("wall_seconds", F, wall_seconds, .unit = "s",
                  .doc = "from the start of the run to the last file written"),
    FS_STAT_VALUE("cpu_seconds", F, cpu_seconds, .unit = "s",
                  .doc = "user and system time of all threads, and of programs that the run started"),
    FS_STAT_VALUE("simulation_seconds", F, simulation_seconds, .unit = "s",
                  .doc = "the iterations, and what they need once"),
    FS_STAT_VALUE("write_seconds", F, write_seconds, .unit = "s", .doc = "writing the run folder"),
    FS_STAT_COUNT("peak_rss_bytes", F, peak_rss_bytes, .unit = "B",
                  .doc = "largest resident set, of the run or of a program that it started"),
    FS_STAT_COUNT("threads", F, threads, .doc = "OpenMP threads"),
    FS_STAT_COUNT("kernel_activations", F, kernel_activations,
                  .doc = "processes run by the discrete-event kernel"),
    FS_STAT_VALUE("ray_hops_per_second", F, ray_hops_per_second, .unit = "hops/s",
                  .doc = "ray hops over simulation_seconds"),
    FS_STAT_VALUE("slowdown", F, slowdown, .doc = "wall seconds over device seconds"),
    FS_STAT_WORD("version", F, version, .doc = "foamsim's version and model version"),
    FS_STAT_WORD("compiler", F, compiler, .doc = "what foamsim was built with"),
};
const fs_stat_table fs_run_cost_stats = FS_STAT_TABLE("run cost", rows);

void fs_run_cost_end(fs_run_cost *c, const fs_run_end *end) {
    const double now = fs_host_wall_seconds();
    c->wall_seconds = now - end->started;
    c->write_seconds = now - end->write_began;
    c->cpu_seconds = fs_host_cpu_seconds();
    c->peak_rss_bytes = fs_host_peak_rss_bytes();
    c->threads = (uint64_t)end->threads;
    c->kernel_activations = end->kernel_activations;
    c->ray_hops_per_second =
        c->simulation_seconds > 0 ? (double)end->ray_hops / c->simulation_seconds : (double)NAN;
    c->slowdown = c->wall_seconds / end->device_seconds;
    c->version = FS_VERSION;
    c->compiler = __VERSION__;
}

fs_status fs_run_cost_write(const fs_stat_table *table, const void *figures, fs_results *results,
                            fs_error *err) {
    json_t *root = json_object();
    fs_results_stats_json(table, figures, root);
    const fs_status status = fs_results_json(results, "host.json", root, err);
    json_decref(root);
    return status;
}
