/* The speed of light: what a run took of the machine's parts, in parts of what they could do in its time.
 * Counts are those of the accounts of energy, so that runs priced from a recording have them too. */
#ifndef FOAMSIM_MODELS_IPU_TABLES_PEAK_FIGURES_H
#define FOAMSIM_MODELS_IPU_TABLES_PEAK_FIGURES_H

#include "models/ipu/device.h"
#include "models/memory/ledger.h"
#include "sim/results/page_plan.h"
#include "sim/stats/stats.h"

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

#endif
