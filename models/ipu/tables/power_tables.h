/* Energy in the run folder, and what a page shows of it.
 *
 * energy.csv        a row is a part: nanojoules of the run, share of it
 * watts.csv         a row is an iteration: start, cycles, milliwatts of each part
 * energy_tiles.csv  a row is a tile: its place, nanojoules of the parts that tiles pay
 * docs/run-folder.md has their columns.
 */
#pragma once

#include "models/ipu/device.h"
#include "models/ipu/power/power.h"
#include "models/ipu/tables/network_figures.h"
#include "models/ipu/tables/notes.h"
#include "models/memory/ledger.h"
#include "sim/results/page_plan.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"

/* The speed of light: what a run took of the machine's parts, in parts of what they could do in its time.
 * Counts are those of the accounts of energy, so that runs priced from a recording have them too. */
/* Parts of the peak, 0 to 1; NAN: the machine has no such part, or nothing is known of it. */
typedef struct fs_peak_figures {
    double issue, sram_ports, matrix, exchange, sram, sram_fullest, host_link, dram;
} fs_peak_figures;
extern const fs_stat_table fs_peak_stats;

/* What ran. */
typedef struct fs_peak_counts {
    double cycles;
    double tiles;                 /* each as its own clock goes */
    double slots, accesses;       /* of the workers: issued, and accesses of tile memory among them */
    double macs[FS_AMP_TYPES];    /* of the matrix units */
    double exchanged, host, dram; /* B */
} fs_peak_counts;

/* Adds so many calls of a program that counted `events` [event_count] beside what every call does. */
void fs_peak_count_calls(fs_peak_counts *counts, const fs_priced_program *program, const fs_tile_params *tile,
                         double calls, const double *events);
/* After the run of a device. ledger: of its tiles, NULL: no figure of memory. */
fs_peak_figures fs_peak_figures_of(const fs_device *device, const fs_machine_params *machine,
                                   const fs_ledger *ledger);

/* The section "speed of light" of a page. */
extern const fs_plan_section fs_peak_section;

/* figures: of the run, all chips, whose parts are written; the other two tables are of the device, the chip that is
 * last where there are several. FS_IO. */
fs_status fs_power_tables_write(const fs_power_figures *figures, const fs_device *device,
                                const fs_machine_params *machine, const fs_books_labels *labels,
                                fs_results *results, fs_error *err);

/* Sections of a page: energy by part, watts over the iterations, energy by tile. */
extern const fs_plan_section fs_power_parts_section, fs_power_time_section, fs_power_chip_section;
/* What every page of a device shows of the chip and of its energy, in this order (with machine_page.h). */
#define FS_MACHINE_CHIP_SECTIONS                                                                             \
    &fs_peak_section, &fs_machine_chip, FS_LINKS_SECTIONS, &fs_power_parts_section, &fs_power_time_section,  \
        &fs_power_chip_section
