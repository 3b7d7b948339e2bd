/* Energy in the run folder, and what a page shows of it.
 *
 * energy.csv        a row is a part: nanojoules of the run, share of it
 * watts.csv         a row is an iteration: start, cycles, milliwatts of each part
 * energy_tiles.csv  a row is a tile: its place, nanojoules of the parts that tiles pay
 * docs/run-folder.md has their columns.
 */
#ifndef FOAMSIM_MODELS_IPU_TABLES_POWER_TABLES_H
#define FOAMSIM_MODELS_IPU_TABLES_POWER_TABLES_H

#include "models/ipu/power/power.h"
#include "models/ipu/tables/notes.h"
#include "models/ipu/tables/peak_figures.h"
#include "sim/results/page_plan.h"
#include "sim/results/results.h"

/* figures: of the run, all chips, whose parts are written; the other two tables are of the device, the chip that is
 * last where there are several. FS_IO. */
fs_status fs_power_tables_write(const fs_power_figures *figures, const fs_device *device,
                                const fs_machine_params *machine, const fs_books_labels *labels,
                                fs_results *results, fs_error *err);

/* Sections of a page: energy by part, watts over the iterations, energy by tile. */
extern const fs_plan_section fs_power_parts_section, fs_power_time_section, fs_power_chip_section;
/* What every page of a device shows of the chip and of its energy, in this order (with machine_page.h). */
#define FS_MACHINE_CHIP_SECTIONS                                                                             \
    &fs_peak_section, &fs_machine_chip, &fs_power_parts_section, &fs_power_time_section,                     \
        &fs_power_chip_section

#endif
