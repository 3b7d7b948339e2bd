/* Rows of what the host spends. */
#include "workloads/foam/books/host_stats.h"

#define F                fs_host_figures
#define VALUE(n, m, ...) FS_STAT_VALUE(n, F, m, __VA_ARGS__)

static const fs_stat rows[] = {
    VALUE("scene_seconds", scene_seconds, .unit = "s", .doc = "loading or making the scene"),
    VALUE("partition_seconds", partition_seconds, .unit = "s", .doc = "shards and the march's layout"),
    VALUE("march_seconds", march_seconds, .unit = "s",
          .doc = "marching every ray: the itineraries, and the reference where the cache does not have it"),
    VALUE("march_cpu_seconds", march_cpu_seconds, .unit = "s", .doc = "march_seconds in time of all threads"),
    VALUE("iterations_cpu_seconds", iterations_cpu_seconds, .unit = "s",
          .doc = "the iterations alone, in time of all threads"),
    VALUE("statistics_seconds", statistics_seconds, .unit = "s",
          .doc = "levels, ladder and findings, after the iterations"),
    FS_STAT_WORD("march", F, march, .doc = "implementation of the march on this processor"),
};
static const fs_stat_table own = FS_STAT_TABLE("foam host", rows);

static const fs_stat_part parts[] = {FS_STAT_PART(&fs_run_cost_stats, F, run), {.table = &own}};
const fs_stat_table fs_foam_host_stats = FS_STAT_PARTS("host", parts);
