/* The frame with other networks: the same walks, another light. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_NETWORKS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_NETWORKS_H

#include "sim/results/results.h"
#include "workloads/pathtrace/setup.h"

/* networks.csv: a row for each width H, with the rate of each depth L, null where some layer does not fit;
 * paths a second as a run of that network has them. Nothing without a network: its walks have no barriers.
 * FS_IO. */
fs_status fs_pathtrace_networks_write(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch,
                                      fs_results *results, fs_error *err);

#endif
