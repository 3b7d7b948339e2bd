/* The frame as the machine's device runs it: one iteration a batch, all batches of the frame on one chip. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_DEVICE_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_DEVICE_H

#include "models/ipu/device.h"
#include "workloads/pathtrace/frame/frame.h"

/* Stage 0: the tiles of input and output stream beside the samples of the rendering tiles, n rounds of all
 * steps, or one without a network. Stage 1: the copies between both. */
typedef struct fs_pathtrace_device_plan {
    fs_device_plan plan;
    uint32_t rounds, copies; /* of a sample's steps; the copies' number */
    uint32_t *io, *render;   /* [layout's io_tiles, render_tiles] ascending */
} fs_pathtrace_device_plan;
enum { FS_PATHTRACE_STEP_STREAM, FS_PATHTRACE_STEP_TRACE }; /* their numbers; the sample's others follow */

fs_pathtrace_device_plan fs_pathtrace_device_plan_of(const fs_pathtrace_layout *layout,
                                                     const fs_pathtrace_steps *steps, const fs_program *walk,
                                                     const fs_pathtrace_fixed *fixed,
                                                     fs_pathtrace_sizes sizes, fs_arena *arena);

/* Counts of a round of a step that is not the walk, on all of its tiles; `stream`: cycles of the stream. */
void fs_pathtrace_device_count(const fs_pathtrace_device_plan *plan, const fs_pathtrace_layout *layout,
                               const fs_pathtrace_steps *steps, fs_device *device, uint32_t step,
                               uint64_t stream);

#endif
