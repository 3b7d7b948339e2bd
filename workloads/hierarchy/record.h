/* Itinerary recordings of the workload (docs/recordings.md; sim/results/recording.h is the container): what
 * every ray asks for and hits, so that a run with another machine walks nothing. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_RECORD_H
#define FOAMSIM_WORKLOADS_HIERARCHY_RECORD_H

#include "sim/config/config.h"
#include "sim/results/recording.h"
#include "workloads/hierarchy/work.h"

/* Writes one of this configuration. FS_IO. */
fs_status fs_hierarchy_record(const char *path, const fs_config *config, const fs_hierarchy_work *work,
                              fs_error *err);
/* Reads one that matches the configuration. FS_IO when it is damaged, or its numbers contradict each other or
 * a queue of so many entries (0: no bound). Owner: caller (fs_hierarchy_work_free). */
fs_status fs_hierarchy_replay(const fs_recording *recording, uint32_t queue, fs_hierarchy_work *out,
                              fs_error *err);

#endif
