#include "workloads/foam/host_stats.h"

#define F                    fs_host_figures
#define COUNT(n, m, u, g, d) FS_STAT_COUNT(n, F, m, u, FS_MERGE_##g, d)
#define VALUE(n, m, u, g, d) FS_STAT_VALUE(n, F, m, u, FS_MERGE_##g, d)

static const fs_stat rows[] = {
    VALUE("wall_seconds", run.wall_seconds, "s", SUM, "from the start of the run to the last file written"),
    VALUE("cpu_seconds", run.cpu_seconds, "s", SUM,
          "user and system time of all threads, the mesher included"),
    VALUE("scene_seconds", scene_seconds, "s", SUM, "loading or making the scene"),
    VALUE("partition_seconds", partition_seconds, "s", SUM, "shards and the march's layout"),
    VALUE("march_seconds", march_seconds, "s", SUM,
          "marching every ray: the itineraries, and the reference where the cache does not have it"),
    VALUE("simulation_seconds", run.simulation_seconds, "s", SUM, "the itineraries and the iterations"),
    VALUE("march_cpu_seconds", march_cpu_seconds, "s", SUM, "march_seconds in time of all threads"),
    VALUE("iterations_cpu_seconds", iterations_cpu_seconds, "s", SUM,
          "the iterations alone, in time of all threads"),
    VALUE("statistics_seconds", statistics_seconds, "s", SUM,
          "levels, ladder and findings, after the iterations"),
    VALUE("write_seconds", run.write_seconds, "s", SUM, "writing the run folder"),
    COUNT("peak_rss_bytes", run.peak_rss_bytes, "B", MAX,
          "largest resident set, of the run or of the mesher"),
    COUNT("threads", run.threads, "", SAME, "OpenMP threads"),
    COUNT("kernel_activations", run.kernel_activations, "", SUM,
          "processes run by the discrete-event kernel"),
    VALUE("ray_hops_per_second", run.ray_hops_per_second, "hops/s", MEAN, "ray hops over simulation_seconds"),
    VALUE("slowdown", run.slowdown, "", MEAN, "wall seconds over device seconds"),
    FS_STAT_WORD("version", F, run.version, "foamsim's version and model version"),
    FS_STAT_WORD("compiler", F, run.compiler, "what foamsim was built with"),
    FS_STAT_WORD("march", F, march, "implementation of the march on this processor"),
};

const fs_stat_table fs_foam_host_stats = {
    .name = "host", .rows = rows, .count = sizeof rows / sizeof rows[0]};
