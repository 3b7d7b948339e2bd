/* The statistics of a run of foam: one row for each member of fs_foam_figures that is reported. */
#ifndef FOAMSIM_WORKLOADS_FOAM_BOOKS_FOAM_STATS_H
#define FOAMSIM_WORKLOADS_FOAM_BOOKS_FOAM_STATS_H

#include "sim/stats/stats.h"

extern const fs_stat_table fs_foam_stats; /* summary.json, stats.csv */

#endif
