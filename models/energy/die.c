/* What a die costs to make, by its area alone, and what it is held to. */
#include "models/energy/figures.h"

#include "sim/base/numbers.h"

#include <math.h>

#define FS_ROWS_OF fs_die_figures
static const fs_stat rows[] = {
    FS_VALUE("area.mm2_sram", sram, "mm2", "SRAM of one chip", FS_LESS, FS_AT(148, "SRAM of a chip")),
    FS_SHARE("limits.sram", of_sram, "SRAM of a chip over machine.limits.sram; 0: no limit", FS_LESS,
             FS_AT(149, "SRAM, of its limit"), .held = "area.mm2_sram", .bound = 1,
             .wrong = "a chip's SRAM takes {value} of machine.limits.sram"),
    FS_SHARE("cost.yield", yield, "of the dies of a wafer, those without a killing defect", FS_MORE),
    FS_VALUE("cost.die", cost, "USD",
             "a wafer's price over its good dies: no package, no test, nothing repaired; null: too large for "
             "a wafer",
             FS_LESS, FS_AT(151, "cost of a good die")),
    FS_SHARE("limits.cost", of_cost, "cost of a good die over machine.limits.cost; 0: no limit", FS_LESS,
             FS_AT(152, "cost, of its limit"), .held = "cost.die", .bound = 1,
             .wrong = "a good die costs {value} of machine.limits.cost"),
};
const fs_stat_table fs_die_stats = FS_STAT_TABLE("die", rows);

/* Defects in clusters: the negative binomial rule (energy.md 5, CHA). */
static double yield_of(double area, double defects) {
    enum { CLUSTERS = 10 };
    const double once = 1 + area / 100 * defects / CLUSTERS;
    double all = 1;
    for (int i = 0; i < CLUSTERS; i++)
        all *= once;
    return 1 / all;
}

/* Square dies with their scribe lane, less what a round wafer's edge cuts (energy.md 5, CHA); 0 and less: none fits. */
static double dies_of_wafer(double area) {
    const double across = 300 - 2 * 5.0, lane = 0.2, side = sqrt(area) + lane, pi = 3.14159265358979323846;
    return pi * (across / 2) * (across / 2) / (side * side) - pi * across / (sqrt(2.0) * side);
}

fs_die_figures fs_die_figures_of(double area, double sram, const fs_fab_params *fab,
                                 const fs_limits_params *limits) {
    fs_die_figures f = {.sram = sram, .yield = yield_of(area, fab->defects)};
    const double dies = dies_of_wafer(area);
    f.cost = dies > 0 ? fab->wafer / (dies * f.yield) : (double)NAN;
    f.of_sram = limits->sram > 0 ? sram / limits->sram : 0;
    f.of_cost = limits->cost > 0 ? f.cost / limits->cost : 0;
    return f;
}

void fs_die_find_limits(const fs_die_figures *f, fs_findings *out) {
    if (f->of_sram > 1)
        FS_FIND(out, "sram",
                "The SRAM of a chip takes {mm2|4} mm2, {of_limit|.2} times the {@limit|4} mm2 of "
                "machine.limits.sram.",
                FS_IS("mm2", f->sram), FS_IS("of_limit", f->of_sram), FS_IS("@limit", f->sram / f->of_sram));
    if (f->of_cost > 1)
        FS_FIND(out, "cost",
                "A good die costs {dollars|3} dollars, {of_limit|.2} times the {@limit|3} of "
                "machine.limits.cost; {@good} of the dies are good.",
                FS_IS("dollars", f->cost), FS_IS("of_limit", f->of_cost), FS_IS("yield", f->yield),
                FS_IS("@limit", f->cost / f->of_cost), FS_IS("@good", fs_number_share(f->yield)));
}
