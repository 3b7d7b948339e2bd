/* A run on a chip, for workloads whose books are the machine's own (notes.h): the steps of a run
 * (sim/workload/run.h) that do not ask what runs. A workload's struct of a run begins with fs_chip_run; it fills
 * machine, plan, labels and ledger, and has as its steps those below, or its own around them.
 */
#pragma once

#include "models/ipu/device.h"
#include "models/ipu/power/power.h"
#include "models/ipu/tables/conclusions.h"
#include "models/ipu/tables/network_figures.h"
#include "models/ipu/tables/notes.h"
#include "models/ipu/tables/power_tables.h"
#include "models/memory/ledger.h"
#include "sim/workload/run.h"
#include "sim/workload/workload.h"

typedef struct fs_chip_figures {
    fs_device_figures device;
    fs_use_figures use;
    fs_peak_figures peak;
    fs_power_figures power;
    fs_links_figures network;
    fs_memory_figures memory;
} fs_chip_figures;
extern const fs_stat_table fs_chip_stats; /* all of them: a part of a workload's table */

typedef struct fs_chip_run {
    fs_run run;
    const fs_machine_params *machine;
    fs_device_plan plan;
    fs_books_labels labels;
    fs_ledger *ledger;   /* of the tiles; may be NULL */
    uint64_t chips;      /* alike, this one last: energy and area are of all; 0 is 1 */
    fs_energy_each each; /* what the run is for, from the figures on; zeroed: nothing */
    /* By fs_chip_run_make and fs_chip_run_device: */
    fs_device *device;
    const fs_device_client *client;
    fs_books_notes notes;
    fs_chip_figures chip;
} fs_chip_run;

/* The device of the plan, in the detail that the run asks for. A run without a host (a price) is worked out
 * beside the kernel, in closed form. Errors: fs_device_create. */
fs_status fs_chip_run_make(fs_chip_run *run, fs_error *err);
/* Runs it for at most `iterations`, which are noted and shown as `what`; then the machine's figures. iterations 0,
 * of a price: none is noted, and nothing is known of its use. The client's `self` is the run, and its `finished`
 * is this function's own. */
fs_status fs_chip_run_device(fs_chip_run *run, const fs_device_client *client, const char *what,
                             uint64_t iterations, fs_error *err);

/* The machine's figures, for a workload that runs its device by itself: by fs_chip_run_make, or set by it. */
void fs_chip_run_figures(fs_chip_run *run);

/* What a view of a priced point asks (NULL: nothing): rungs as `conclude` makes them where statistics are full, and with
 * `tiles` the tiles, whose own compute the device must then know of each. */
fs_status fs_chip_run_view(fs_chip_run *run,
                           fs_status (*conclude)(void *run, fs_conclusions *out, fs_error *err), bool tiles,
                           const fs_price_view *view, fs_error *err);

/* Steps of fs_run_steps. Rungs and findings of the machine (conclusions.h). */
fs_status fs_chip_run_conclude(void *run, fs_conclusions *out, fs_error *err);
/* The tables of tables.h and power_tables.h; of a run that noted nothing memory.csv and those of energy alone. */
fs_status fs_chip_run_write(void *run, fs_results *results, fs_error *err);
/* The timeline, of --trace-tiles or the hottest. FS_INPUT for what are no tiles. */
fs_status fs_chip_run_trace(void *run, fs_error *err);
