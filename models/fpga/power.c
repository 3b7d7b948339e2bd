/* Energy of the board: counts that the engine has anyway, times prices in whole attojoules. */
#include "models/fpga/power.h"

#include "models/energy/prices.h"
#include "models/fpga/machine.h"

#define PART(n, p, ...)                                                                                      \
    FS_STAT_VALUE(n, fs_fpga_power_figures, part[p], .unit = "J", .better = FS_BETTER_LESS, __VA_ARGS__)

static const fs_stat rows[] = {
    PART("energy.parts.luts", FS_FPGA_LUTS, .doc = "look-up tables in use, each cycle"),
    PART("energy.parts.registers", FS_FPGA_REGISTERS, .doc = "registers in use and their clock"),
    PART("energy.parts.dsps", FS_FPGA_DSPS, .doc = "multipliers in use"),
    PART("energy.parts.block_ram", FS_FPGA_BLOCK_RAM, .doc = "block RAM in use"),
    PART("energy.parts.dram", FS_FPGA_DRAM, .doc = "bytes of the board's memory"),
    PART("energy.parts.host", FS_FPGA_HOST, .doc = "rays and results over the link"),
    PART("energy.parts.leakage", FS_FPGA_LEAKAGE, .doc = "the device at rest"),
};
static const fs_stat_table own = FS_STAT_TABLE("fpga power", rows);
static const fs_stat_part parts[] = {FS_STAT_PART(&fs_energy_stats, fs_fpga_power_figures, energy),
                                     {.table = &own}};
const fs_stat_table fs_fpga_power_stats = FS_STAT_PARTS("fpga power", parts);

/* All prices at an end of their ranges. */
static fs_fpga_energy_params prices_at(const fs_fpga_params *m, fs_price_end end) {
    return (fs_fpga_energy_params){
#define X(member, key, unit, most, def, low, high, doc)                                                      \
    .member = m->energy.member * fs_energy_factor(end, low, high),
        FS_FPGA_PRICES(X)
#undef X
    };
}

static void account(const fs_fpga_params *m, const fs_engine_results *e, fs_price_end end,
                    fs_attojoules out[FS_FPGA_PARTS]) {
    fs_resource r[FS_RESOURCE_KINDS];
    fs_resources_of(m, r);
    const fs_attojoules cycles = e->cycles;
    const fs_fpga_energy_params p = prices_at(m, end);
    out[FS_FPGA_LUTS] = cycles * r[FS_RESOURCE_LUTS].used * fs_energy_whole(p.lut);
    out[FS_FPGA_REGISTERS] = cycles * r[FS_RESOURCE_REGISTERS].used * fs_energy_whole(p.reg);
    out[FS_FPGA_DSPS] = cycles * r[FS_RESOURCE_DSPS].used * fs_energy_whole(p.dsp);
    out[FS_FPGA_BLOCK_RAM] = cycles * r[FS_RESOURCE_BLOCK_RAM].used * fs_energy_whole(p.ram / 1024);
    out[FS_FPGA_DRAM] = (fs_attojoules)(8 * e->bus_bytes) * fs_energy_whole(p.dram_bit);
    out[FS_FPGA_HOST] =
        (fs_attojoules)(8 * (e->link_bytes_in + e->link_bytes_out)) * fs_energy_whole(p.link_bit);
    out[FS_FPGA_LEAKAGE] = cycles * fs_energy_whole(p.leakage / (double)m->clock);
}

static double sum_of(const fs_attojoules part[FS_FPGA_PARTS]) {
    fs_attojoules sum = 0;
    for (int p = 0; p < FS_FPGA_PARTS; p++)
        sum += part[p];
    return fs_joules(sum);
}

fs_fpga_power_figures fs_fpga_power_of(const fs_fpga_params *m, const fs_engine_results *e) {
    fs_fpga_power_figures f = {0};
    fs_attojoules part[FS_FPGA_PARTS];
    account(m, e, FS_PRICE_LOW, part);
    f.energy.joules_low = sum_of(part);
    account(m, e, FS_PRICE_HIGH, part);
    f.energy.joules_high = sum_of(part);
    account(m, e, FS_PRICE_CENTRAL, part);
    f.energy.joules = sum_of(part);
    for (int p = 0; p < FS_FPGA_PARTS; p++)
        f.part[p] = fs_joules(part[p]);
    f.energy.area = m->energy.die;
    f.energy.area_low = prices_at(m, FS_PRICE_LOW).die;
    f.energy.area_high = prices_at(m, FS_PRICE_HIGH).die;
    fs_energy_figures_close(&f.energy, (double)e->cycles / (double)m->clock, 1, &m->limits);
    f.energy.watts_peak = f.energy.watts;
    return f;
}

void fs_fpga_power_find(const fs_fpga_power_figures *f, fs_energy_each each, fs_findings *out) {
    static const char *const names[FS_FPGA_PARTS] = {"look-up tables", "registers",          "multipliers",
                                                     "block RAM",      "the board's memory", "the host link",
                                                     "leakage"};
    fs_energy_share shares[FS_FPGA_PARTS];
    for (int p = 0; p < FS_FPGA_PARTS; p++)
        shares[p] = (fs_energy_share){names[p], f->part[p]};
    fs_energy_find(&f->energy, each, shares, FS_FPGA_PARTS, out);
}
