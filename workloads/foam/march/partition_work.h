/* The work of cells as a camera's rays meet them, for a partition that shares it out evenly. */
#ifndef FOAMSIM_WORKLOADS_FOAM_MARCH_PARTITION_WORK_H
#define FOAMSIM_WORKLOADS_FOAM_MARCH_PARTITION_WORK_H

#include "workloads/foam/march/march.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"

/* Follows about 4,800 rays, evenly spread over the picture (all of a smaller one). *work [sites], from the
 * arena, receives how many of them visit each cell. Errors are those of fs_march_scene_make. */
fs_status fs_partition_work(const fs_foam *foam, const fs_camera *camera, const fs_march_params *march,
                            fs_arena *arena, uint32_t **work, fs_error *err);

#endif
