/* What a frame has to say: findings in sentences, and its time with one thing for free after another. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FINDINGS_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FINDINGS_H

#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "workloads/pathtrace/figures.h"

/* Keys: time, balance, network, streaming, sram, pod, sampling. */
void fs_pathtrace_findings(const fs_pathtrace_setup *setup, const fs_pathtrace_figures *figures,
                           fs_findings *out);

/* measured; balanced, free_network, free_streaming, free_exchange, all. Bounds: nothing of them changes which
 * paths are walked. */
enum { FS_PATHTRACE_RUNGS = 6 };
void fs_pathtrace_ladder(const fs_pathtrace_setup *setup, const fs_pathtrace_batch *batch,
                         fs_rung out[FS_PATHTRACE_RUNGS]);

#endif
