/* Walks of all batches: from what workers counted in the drawn samples to what they take over all. A run and a
 * price of its activity do the same. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_BATCHES_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_BATCHES_H

#include "workloads/pathtrace/frame/frame.h"
#include "workloads/pathtrace/walk/counts.h"

/* Rows of a batch that are kept for the device: of the workers' sums over the drawn samples, or with a network
 * of each sample. */
uint64_t fs_pathtrace_rows_kept_of(const fs_pathtrace_fixed *fixed);
/* rows: [n][render_tiles * workers] of a batch. Looped: the first [render_tiles * workers] become the sums
 * (UINT32_MAX where they would be more). */
void fs_pathtrace_sum_rows(const fs_pathtrace_fixed *fixed, fs_pathtrace_row *rows);

/* batch: [batches], each by fs_pathtrace_batch_of; counts: [batches][rows that are kept]. share: receives
 * fs_pathtrace_share. Events over 32 bits: FS_INPUT. */
fs_status fs_pathtrace_batches_close(const fs_pathtrace_fixed *fixed, uint64_t batches,
                                     const fs_walk_counts *counts, fs_pathtrace_batch *batch, double *share,
                                     fs_error *err);

#endif
