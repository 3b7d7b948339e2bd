#include "sim/cli/run_cost.h"

#include "sim/base/host.h"
#include "sim/base/version.h"

#include <math.h>

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
