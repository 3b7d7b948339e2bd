#include "models/energy/figures.h"

#include "sim/base/arith.h"
#include "sim/base/numbers.h"

#include <math.h>

#define VALUE(n, m, ...) FS_STAT_VALUE(n, fs_energy_figures, m, __VA_ARGS__)
#define LESS             .better = FS_BETTER_LESS

static const fs_stat rows[] = {
    VALUE("energy.joules", joules, .unit = "J", LESS, .label = "energy", .place = 140,
          .changed = "The run takes {new} instead of {old}.",
          .doc = "of the run, all chips: everything that switched, leaked or went over a link, at central "
                 "prices"),
    VALUE("energy.joules_low", joules_low, .unit = "J", LESS,
          .doc = "the same with all prices at the low ends of their ranges"),
    VALUE("energy.joules_high", joules_high, .unit = "J", LESS, .doc = "and at the high ends"),
    VALUE("energy.watts", watts, .unit = "W", LESS, .label = "power, mean", .place = 141,
          .doc = "of all chips: energy over the time on the device"),
    VALUE("energy.watts_low", watts_low, .unit = "W", LESS, .doc = "at the low ends of the ranges"),
    VALUE("energy.watts_high", watts_high, .unit = "W", LESS, .doc = "at the high ends"),
    VALUE("energy.watts_peak", watts_peak, .unit = "W", LESS, .label = "power, peak", .place = 142,
          .doc = "of the iteration that takes most; of a machine without iterations the mean"),
    VALUE("area.mm2", area, .unit = "mm2", LESS, .label = "area", .place = 143, .doc = "of all chips"),
    VALUE("area.mm2_low", area_low, .unit = "mm2", LESS, .doc = "at the low ends of the ranges"),
    VALUE("area.mm2_high", area_high, .unit = "mm2", LESS, .doc = "at the high ends"),
    VALUE("area.mm2_chip", area_chip, .unit = "mm2", LESS, .label = "area of a chip", .place = 145,
          .doc = "of one chip"),
    VALUE("limits.area", of_area, .says = FS_SAYS_SHARE, LESS, .label = "area, of its limit", .place = 146,
          .held = "area.mm2_chip", .bound = 1, .wrong = "a chip takes {value} of machine.limits.area",
          .doc = "area of a chip over machine.limits.area; 0: no limit"),
    VALUE("limits.power", of_power, .says = FS_SAYS_SHARE, LESS, .label = "power, of its limit", .place = 147,
          .held = "energy.watts", .bound = 1, .wrong = "the run takes {value} of machine.limits.power",
          .doc = "mean power of all chips over machine.limits.power; 0: no limit"),
    VALUE("area.watts_per_mm2", watts_per_mm2, .unit = "W/mm2", LESS, .label = "power density", .place = 144,
          .doc = "mean power over the area"),
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

static void find_limits(const fs_energy_figures *f, fs_findings *out) {
    if (f->of_area > 1) {
        fs_finding *area = fs_finding_begin(out, "area");
        fs_finding_say(area, "A chip takes %.0f mm2, %.2f times the %.0f mm2 of machine.limits.area.",
                       f->area_chip, f->of_area, f->area_chip / f->of_area);
        fs_finding_figure(area, "mm2", f->area_chip);
        fs_finding_figure(area, "of_limit", f->of_area);
    }
    if (f->of_power > 1) {
        fs_finding *power = fs_finding_begin(out, "power");
        fs_finding_say(power, "The run takes %s on average, %.2f times the %s of machine.limits.power.",
                       fs_number_watts(f->watts), f->of_power, fs_number_watts(f->watts / f->of_power));
        fs_finding_figure(power, "watts", f->watts);
        fs_finding_figure(power, "of_limit", f->of_power);
    }
}

void fs_energy_find(const fs_energy_figures *f, fs_energy_each each, const fs_energy_share *shares,
                    size_t count, fs_findings *out) {
    size_t most = 0, second = SIZE_MAX;
    find_limits(f, out);
    if (!(f->joules > 0) || count < 2)
        return;
    for (size_t i = 1; i < count; i++)
        most = shares[i].joules > shares[most].joules ? i : most;
    for (size_t i = 0; i < count; i++)
        if (i != most && (second == SIZE_MAX || shares[i].joules > shares[second].joules))
            second = i;
    fs_finding *finding = fs_finding_begin(out, "energy");
    fs_finding_say(finding, "The run takes %s (%s to %s over the ranges of all prices)",
                   fs_number_joules(f->joules), fs_number_joules(f->joules_low),
                   fs_number_joules(f->joules_high));
    if (isfinite(each.joules)) {
        fs_finding_say(finding, ", %s for each %s", fs_number_joules(each.joules), each.of);
        fs_finding_figure(finding, "joules_each", each.joules);
    }
    fs_finding_say(finding, ", %s on average (%s to %s); most goes into %s, %s, then %s, %s.",
                   fs_number_watts(f->watts), fs_number_watts(f->watts_low), fs_number_watts(f->watts_high),
                   shares[most].name, FS_PERCENT(shares[most].joules / f->joules), shares[second].name,
                   FS_PERCENT(shares[second].joules / f->joules));
    fs_finding_figure(finding, "joules", f->joules);
    fs_finding_figure(finding, "joules_low", f->joules_low);
    fs_finding_figure(finding, "joules_high", f->joules_high);
    fs_finding_figure(finding, "watts", f->watts);
    fs_finding_figure(finding, "watts_low", f->watts_low);
    fs_finding_figure(finding, "watts_high", f->watts_high);
    fs_finding_figure(finding, "most", shares[most].joules / f->joules);
    fs_finding_figure(finding, "second", shares[second].joules / f->joules);
}
