/* Recordings of activity: what every worker did in every drawn sample, so that other networks, machines,
 * samples and memories are priced without a path being walked. */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_RECORD_H
#define FOAMSIM_WORKLOADS_PATHTRACE_RECORD_H

#include "sim/results/recording.h"
#include "workloads/pathtrace/setup.h"
#include "workloads/pathtrace/trace.h"

#include <jansson.h>

/* Everything of a recording. Occurrences fit 16 bits; what does not is not recorded. */
typedef struct fs_pathtrace_activity {
    fs_pathtrace_scene scene;
    fs_pathtrace_paths paths;
    uint16_t *count; /* [batches][n][workers][FS_WALK_EVENTS]; heap */
    bool wide;       /* some count does not fit */
} fs_pathtrace_activity;

void fs_pathtrace_activity_create(fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                  const fs_pathtrace_params *params);
void fs_pathtrace_activity_free(fs_pathtrace_activity *activity);
/* A batch's rows, as fs_pathtrace_trace has them, in and out. */
void fs_pathtrace_activity_keep(fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                uint64_t drawn, uint64_t batch, fs_pathtrace_row *rows);
void fs_pathtrace_activity_rows(const fs_pathtrace_activity *activity, const fs_pathtrace_layout *layout,
                                uint64_t drawn, uint64_t batch, fs_pathtrace_row *rows);

/* FS_INPUT for counts that do not fit, FS_IO. */
fs_status fs_pathtrace_record(const char *path, const fs_config *config, const fs_pathtrace_setup *setup,
                              const fs_pathtrace_activity *activity, fs_error *err);
/* Opens the recording of a configuration and reads all of it into `activity` (heap). FS_INPUT for one of
 * another configuration or layer; FS_IO for a damaged one. */
fs_status fs_pathtrace_recorded(const char *path, const fs_config *config, fs_pathtrace_activity *activity,
                                fs_error *err);

/* fs_workload.price */
fs_status fs_pathtrace_price(const fs_config *const *configs, size_t count, const char *activity_file,
                             void (*result)(void *self, size_t point, const json_t *summary,
                                            const fs_error *err),
                             void *self, fs_error *err);

#endif
