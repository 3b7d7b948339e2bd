/* What a path tracer's run has to say: findings and rungs of the ladder beyond the machine's. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_FINDINGS_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_FINDINGS_H

#include "sim/results/findings.h"
#include "sim/results/ladder.h"
#include "workloads/smallpaint/run.h"

/* Keys: sampling (what was drawn, and how well it is known), clipped, bounce (what a path's slots go to),
 * workers (the slowest of a tile), barriers (what one after each sample would cost), numbers, picture. */
void fs_smallpaint_find(const fs_smallpaint_run *run, fs_findings *out);

/* balanced_workers: each worker of a tile takes their mean; free_sine: sines and cosines take no issue slots. */
enum { FS_SMALLPAINT_RUNGS = 2 };
void fs_smallpaint_rungs(const fs_smallpaint_run *run, fs_rung out[FS_SMALLPAINT_RUNGS]);

#endif
