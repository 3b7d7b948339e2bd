/* Energy of a frame in closed form, all samples of all batches on all chips of the pod: a run and a price say
 * the same. What was drawn stands for all samples; a dummy is like the batch that it repeats.
 *
 * Exchanges between the steps of the network pay the ways of a ring, since who sends is not said there. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_POWER_H
#define FOAMSIM_WORKLOADS_PATHTRACE_POWER_H

#include "models/ipu/power/power.h"
#include "models/ipu/tables/peak_figures.h"
#include "workloads/pathtrace/setup.h"
#include "workloads/pathtrace/trace.h"

/* Area: of all chips. Peak: the mean. */
fs_power_figures fs_pathtrace_power(const fs_pathtrace_setup *setup, const fs_pathtrace_frame *frame,
                                    const fs_pathtrace_paths *paths);
/* And in parts of the peak (peak.c). */
fs_peak_figures fs_pathtrace_peak(const fs_pathtrace_setup *setup, const fs_pathtrace_frame *frame,
                                  const fs_pathtrace_paths *paths);

#endif
