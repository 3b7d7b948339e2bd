/* Energy and area of a run on the board: prices of what the engine takes of the device, each cycle, and of
 * bytes that leave it. No source gives the published engine's power: all prices are assumptions with ranges
 * (docs/facts/energy.md 6). */
#pragma once

#include "models/energy/figures.h"
#include "models/fpga/engine.h"

typedef enum fs_fpga_part {
    FS_FPGA_LUTS,
    FS_FPGA_REGISTERS,
    FS_FPGA_DSPS,
    FS_FPGA_BLOCK_RAM,
    FS_FPGA_DRAM,
    FS_FPGA_HOST,
    FS_FPGA_LEAKAGE,
    FS_FPGA_PARTS
} fs_fpga_part;

typedef struct fs_fpga_power_figures {
    fs_energy_figures energy;
    double part[FS_FPGA_PARTS];
} fs_fpga_power_figures;
extern const fs_stat_table fs_fpga_power_stats;

fs_fpga_power_figures fs_fpga_power_of(const fs_fpga_params *machine, const fs_engine_results *results);
/* The finding "energy". */
void fs_fpga_power_find(const fs_fpga_power_figures *figures, fs_energy_each each, fs_findings *out);
