/* A run of the path tracer: what its files share. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_RUN_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_RUN_H

#include "models/ipu/tables/notes.h"
#include "sim/config/config.h"
#include "sim/host/progress.h"
#include "sim/results/recording.h"
#include "sim/workload/host_options.h"
#include "sim/workload/run_cost.h"
#include "sim/workload/run_params.h"
#include "sim/workload/workload.h"
#include "workloads/smallpaint/figures.h"
#include "workloads/smallpaint/forecast.h"

typedef struct fs_smallpaint_run {
    fs_arena *arena;
    const fs_config *config;
    const fs_host_options *host; /* NULL: a point is priced, without a host's files */
    const fs_machine_params *machine;
    const fs_smallpaint_params *params;
    const fs_run_params *run;
    fs_primitives scene;
    fs_paint_activity *activity;
    fs_paint_forecast forecast;
    uint32_t first_tile, tiles; /* of the picture, on the chip whose books are kept */
    const fs_program *const *programs;
    fs_device_plan plan;
    fs_ledger *ledger;
    fs_device *device;
    fs_paint_step step;
    uint32_t *active;
    fs_run_labels labels;
    fs_run_notes notes;
    fs_run_cost cost;
    fs_progress progress;
    fs_smallpaint_figures figures;
} fs_smallpaint_run;

void fs_smallpaint_begin(fs_smallpaint_run *r, const fs_config *config, fs_arena *arena);
/* SRAM of the tiles of a chip. NULL with FS_INPUT when a tile does not hold what it needs. */
fs_ledger *fs_smallpaint_ledger(const fs_smallpaint_run *r, uint32_t chip, fs_error *err);
/* From the activity: forecast, the plan of the chip that is last, its device; runs it; figures. on_kernel: on
 * SystemC, once in a process. */
fs_status fs_smallpaint_run_device(fs_smallpaint_run *r, bool on_kernel, fs_error *err);

/* ---- recordings (record.c) ---- */

/* Writes the activity; FS_IO. */
fs_status fs_smallpaint_record(const char *path, const fs_config *config, const fs_paint_activity *activity,
                               fs_error *err);
/* Into a created activity. FS_IO when it is damaged. */
fs_status fs_smallpaint_replay(const fs_recording *recording, fs_paint_activity *activity, fs_error *err);
extern const fs_workload_prices fs_smallpaint_prices;

/* Tables, pictures, findings, ladder and timeline (outputs.c). */
fs_status fs_smallpaint_outputs(const fs_smallpaint_run *r, fs_results *results, fs_error *err);

#endif
