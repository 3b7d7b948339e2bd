/* Energy and area of a device's run: figures, tables and what a page shows of them. */
#pragma once

#include "models/energy/books.h"
#include "models/energy/figures.h"
#include "models/ipu/device.h"

/* The figures of fs_energy_stats, and their parts on this machine. */
typedef struct fs_power_figures {
    fs_energy_figures energy;
    fs_die_figures die;
    double part[FS_ENERGY_PARTS];
    double phase[FS_ENERGY_PHASES];
    double area[FS_AREA_PARTS];
} fs_power_figures;
extern const fs_stat_table fs_power_stats;

/* After the run of a device, which is one of `chips` alike: the one that is last, for whose time all are on. Energy,
 * power and area are those of all chips. */
fs_power_figures fs_power_figures_of(const fs_device *device, const fs_machine_params *machine,
                                     uint64_t chips);

/* One chip, mm2, with the network of `graph` in place of ports; NAN: its process has no prices. */
double fs_power_area_of(const fs_machine_params *machine, const fs_noc_graph *graph);

/* Of the run's energy what is paid as long as it runs: clocks and leakage. */
double fs_power_standing(const fs_power_figures *figures);

/* The finding "energy". */
void fs_power_find(const fs_power_figures *figures, fs_energy_each each, fs_findings *out);
