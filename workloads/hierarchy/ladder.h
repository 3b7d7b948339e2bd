/* What the run would take with one thing for free after another: the requests served again. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_LADDER_H
#define FOAMSIM_WORKLOADS_HIERARCHY_LADDER_H

#include "workloads/hierarchy/outputs.h"

/* Serves the itinerary again on other machines, and with an endless queue the rays' other requests. `scene`
 * and `where` as for fs_hierarchy_walk_again. Without a clock edge of the kernel, which a process has but
 * once. *count: rungs filled; without that of the endless queue where its rays would ask for more than the host
 * should hold (fs_hierarchy_walk_again). */
fs_status fs_hierarchy_ladder(const fs_hierarchy_params *params, const fs_fpga_params *machine,
                              const fs_mesh_scene_params *scene, const char *where,
                              const fs_hierarchy_work *work, const fs_engine_itinerary *itinerary,
                              const fs_engine_results *measured, fs_rung rungs[FS_HIERARCHY_RUNGS],
                              size_t *count, fs_error *err);

#endif
