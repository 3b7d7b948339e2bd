#include "models/energy/figures.h"

#include "sim/base/arith.h"

#define FS_ROWS_OF fs_energy_figures
static const fs_stat rows[] = {
    FS_VALUE("energy.joules", joules, "J",
             "of the run, all chips: everything that switched, leaked or went over a link, at central prices",
             FS_LESS, FS_AT(140, "energy"), .changed = "The run takes {new} instead of {old}."),
    FS_VALUE("energy.joules_low", joules_low, "J", "the same with all prices at the low ends of their ranges",
             FS_LESS),
    FS_VALUE("energy.joules_high", joules_high, "J", "and at the high ends", FS_LESS),
    FS_VALUE("energy.watts", watts, "W", "of all chips: energy over the time on the device", FS_LESS,
             FS_AT(141, "power, mean")),
    FS_VALUE("energy.watts_low", watts_low, "W", "at the low ends of the ranges", FS_LESS),
    FS_VALUE("energy.watts_high", watts_high, "W", "at the high ends", FS_LESS),
    FS_VALUE("energy.watts_peak", watts_peak, "W",
             "of the iteration that takes most; of a machine without iterations the mean", FS_LESS,
             FS_AT(142, "power, peak")),
    FS_VALUE("area.mm2", area, "mm2", "of all chips", FS_LESS, FS_AT(143, "area")),
    FS_VALUE("area.mm2_low", area_low, "mm2", "at the low ends of the ranges", FS_LESS),
    FS_VALUE("area.mm2_high", area_high, "mm2", "at the high ends", FS_LESS),
    FS_VALUE("area.mm2_chip", area_chip, "mm2", "of one chip", FS_LESS, FS_AT(145, "area of a chip")),
    FS_SHARE("limits.area", of_area, "area of a chip over machine.limits.area; 0: no limit", FS_LESS,
             FS_AT(146, "area, of its limit"), .held = "area.mm2_chip", .bound = 1,
             .wrong = "a chip takes {value} of machine.limits.area"),
    FS_SHARE("limits.power", of_power, "mean power of all chips over machine.limits.power; 0: no limit",
             FS_LESS, FS_AT(147, "power, of its limit"), .held = "energy.watts", .bound = 1,
             .wrong = "the run takes {value} of machine.limits.power"),
    FS_VALUE("area.watts_per_mm2", watts_per_mm2, "W/mm2", "mean power over the area", FS_LESS,
             FS_AT(144, "power density")),
};
const fs_stat_table fs_energy_stats = FS_STAT_TABLE("energy", rows);

void fs_energy_figures_close(fs_energy_figures *f, double seconds, uint64_t chips,
                             const fs_limits_params *limits) {
    f->watts = fs_ratio(f->joules, seconds);
    f->watts_low = fs_ratio(f->joules_low, seconds);
    f->watts_high = fs_ratio(f->joules_high, seconds);
    f->watts_per_mm2 = fs_ratio(f->watts, f->area);
    f->area_chip = f->area / (double)chips;
    f->of_area = limits->area > 0 ? f->area_chip / limits->area : 0;
    f->of_power = limits->power > 0 ? f->watts / limits->power : 0;
}

void fs_energy_find_limits(const fs_energy_figures *f, fs_findings *out) {
    if (f->of_area > 1)
        FS_FIND(out, "area",
                "A chip takes {mm2|4} mm2, {of_limit|.2} times the {@limit|4} mm2 of machine.limits.area.",
                FS_IS("mm2", f->area_chip), FS_IS("of_limit", f->of_area),
                FS_IS("@limit", f->area_chip / f->of_area));
    if (f->of_power > 1)
        FS_FIND(out, "power",
                "The run takes {watts|W} on average, {of_limit|.2} times the {@limit|W} of "
                "machine.limits.power.",
                FS_IS("watts", f->watts), FS_IS("of_limit", f->of_power),
                FS_IS("@limit", f->watts / f->of_power));
}

void fs_energy_find(const fs_energy_figures *f, fs_energy_each each, const fs_energy_share *shares,
                    size_t count, fs_findings *out) {
    size_t most = 0, second = SIZE_MAX;
    fs_energy_find_limits(f, out);
    if (!(f->joules > 0) || count < 2)
        return;
    for (size_t i = 1; i < count; i++)
        most = shares[i].joules > shares[most].joules ? i : most;
    for (size_t i = 0; i < count; i++)
        if (i != most && (second == SIZE_MAX || shares[i].joules > shares[second].joules))
            second = i;
    FS_FIND(out, "energy",
            "The run takes {joules|J} ({joules_low|J} to {joules_high|J} over the ranges of all prices)[, "
            "{joules_each|J} for each {@each}], {watts|W} on average ({watts_low|W} to {watts_high|W}); most "
            "goes into {@most}, {most|share}, then {@second}, {second|share}.",
            FS_IS("joules_each", each.joules), FS_IS("joules", f->joules), FS_IS("joules_low", f->joules_low),
            FS_IS("joules_high", f->joules_high), FS_IS("watts", f->watts), FS_IS("watts_low", f->watts_low),
            FS_IS("watts_high", f->watts_high), FS_IS("most", shares[most].joules / f->joules),
            FS_IS("second", shares[second].joules / f->joules), FS_IS("@each", each.of),
            FS_IS("@most", shares[most].name), FS_IS("@second", shares[second].name));
}
