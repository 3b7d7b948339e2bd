/* A run of the path tracer: what its files share. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_RUN_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_RUN_H

#include "models/ipu/tables/chip_run.h"
#include "sim/workload/workload.h"
#include "workloads/smallpaint/figures.h"
#include "workloads/smallpaint/forecast.h"

typedef struct fs_smallpaint_run {
    fs_chip_run of; /* without a host a point is priced */
    const fs_smallpaint_params *params;
    fs_primitives scene;
    fs_paint_activity *activity;
    fs_paint_forecast forecast;
    uint32_t first_tile, tiles; /* of the picture, on the chip whose books are kept */
    const fs_program *const *programs;
    fs_paint_step step;
    uint32_t *active;
    fs_smallpaint_figures figures;
} fs_smallpaint_run;

/* Sections and programs of a run that has arena and configuration. */
void fs_smallpaint_begin(fs_smallpaint_run *r);
/* SRAM of the tiles of a chip. NULL with FS_INPUT when a tile does not hold what it needs. */
fs_ledger *fs_smallpaint_ledger(const fs_smallpaint_run *r, uint32_t chip, fs_error *err);
/* From the activity: forecast, the plan of the chip that is last, its device; runs it; figures. */
fs_status fs_smallpaint_run_device(fs_smallpaint_run *r, fs_error *err);

/* ---- recordings (record.c) ---- */

/* Writes the activity; FS_IO. */
fs_status fs_smallpaint_record(const char *path, const fs_config *config, const fs_paint_activity *activity,
                               fs_error *err);
/* Into a created activity. FS_IO when it is damaged. */
fs_status fs_smallpaint_replay(const fs_recording *recording, fs_paint_activity *activity, fs_error *err);
extern const fs_workload_prices fs_smallpaint_prices;

/* Steps of fs_run_steps. Findings: sampling (what was drawn, and how well it is known), clipped, bounce (what a
 * path's slots go to), workers (the slowest of a tile), barriers (what one after each sample would cost), numbers,
 * picture; then the machine's. */
fs_status fs_smallpaint_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_smallpaint_write(void *run, fs_results *results, fs_error *err);

#endif
