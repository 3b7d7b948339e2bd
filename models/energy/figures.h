/* What energy and area have to say of a run: figures that every workload has. */
#pragma once

#include "models/energy/prices.h"
#include "sim/results/findings.h"
#include "sim/stats/stats.h"

/* Of any machine: energy.joules, energy.watts, area.mm2 with their ranges. */
typedef struct fs_energy_figures {
    double joules, joules_low, joules_high;
    double watts, watts_low, watts_high, watts_peak;
    double area, area_low, area_high, watts_per_mm2;
    double area_chip, of_area, of_power; /* of one chip; of the limits: shares, 0 without one */
} fs_energy_figures;
extern const fs_stat_table fs_energy_stats;

/* seconds: of the run. joules, joules_low, joules_high, watts_peak and the areas of all `chips` are set; the rest
 * follows. */
void fs_energy_figures_close(fs_energy_figures *figures, double seconds, uint64_t chips,
                             const fs_limits_params *limits);

/* What a die costs, and its memory: area.mm2_sram, cost.die, limits.sram, limits.cost. Of a chip. */
typedef struct fs_die_figures {
    double sram, of_sram; /* mm2; of the limit */
    double yield;         /* share of dies without a killing defect */
    double cost, of_cost; /* dollars of a good die; of the limit. NAN: too large for a wafer */
} fs_die_figures;
extern const fs_stat_table fs_die_stats;

/* area, sram: of one chip, mm2. */
fs_die_figures fs_die_figures_of(double area, double sram, const fs_fab_params *fab,
                                 const fs_limits_params *limits);
/* The findings "sram" and "cost" where a limit is exceeded. */
void fs_die_find_limits(const fs_die_figures *figures, fs_findings *out);

/* The findings "area" and "power" where a limit is exceeded. */
void fs_energy_find_limits(const fs_energy_figures *figures, fs_findings *out);

/* One part of the energy, for people. */
typedef struct fs_energy_share {
    const char *name;
    double joules;
} fs_energy_share;
/* What a run is for: "ray", and the joules of one; NAN: nothing was done. */
typedef struct fs_energy_each {
    const char *of;
    double joules;
} fs_energy_each;
/* These and "energy": how much, for each, of what most, and how sure. Nothing for a run without energy. */
void fs_energy_find(const fs_energy_figures *figures, fs_energy_each each, const fs_energy_share *shares,
                    size_t count, fs_findings *out);
