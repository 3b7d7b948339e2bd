/* Prices in whole attojoules, from the machine's parameters. */
#include "models/energy/prices.h"

const char *const fs_energy_supplies[] = {
    [FS_SUPPLY_PLANAR] = "planar", [FS_SUPPLY_STACKED] = "stacked", NULL};

const char *const fs_energy_processes[] = {
    [FS_PROCESS_N7] = "n7", [FS_PROCESS_N16] = "n16", [FS_PROCESS_OTHER] = "other", NULL};

/* Times the price at 7 nm, low, central and high (energy.md 8). */
static const double energy_n16[FS_PRICE_ENDS] = {1.15, 1.5, 1.7}, area_n16[FS_PRICE_ENDS] = {2, 2.6, 3};

static double energy_of_process(int64_t process, fs_price_end end) {
    return process == FS_PROCESS_N7 ? 1 : process == FS_PROCESS_N16 ? energy_n16[end] : 0;
}

double fs_area_of_process(int64_t process, fs_price_end end) {
    return process == FS_PROCESS_N7 ? 1 : process == FS_PROCESS_N16 ? area_n16[end] : 0;
}

/* Of a bit and mm, 65 fJ: 32 to 150 (network_on_chip.md 1). */
static const double link_low = 0.5, link_high = 150.0 / 65;
/* Of routers' clock and leakage, network_on_chip.md 1: none, as what is known of a tile has its ports; twice a tile's. */
static const double standing_low = 0, standing_high = 2;
static const double leakage_low = 0.6, leakage_high = 1.5, least_voltage = 0.6;

double fs_energy_voltage(const fs_energy_params *p, double clock) {
    const bool stacked = p->supply == FS_SUPPLY_STACKED;
    if (p->process != FS_PROCESS_N7)
        return 1;
    const double known = stacked ? 1.85e9 : 1.33e9, v0 = stacked ? p->stacked_voltage / 100 : 1;
    const double v = v0 * (1 + p->slope / 100 * (clock / known - 1));
    return v < least_voltage ? least_voltage : v;
}

fs_energy_prices fs_energy_prices_of(const fs_energy_params *p, double clock, fs_price_end end) {
    const double v = fs_energy_voltage(p, clock), process = energy_of_process(p->process, end),
                 square = v * v * process;
    return (fs_energy_prices){
#define X(key, def, low, high, scaled, ...)                                                                  \
    .key = fs_energy_whole(p->key * fs_energy_factor(end, low, high) *                                       \
                           ((scaled)      ? square                                                           \
                            : process > 0 ? 1                                                                \
                                          : 0)),
        FS_ENERGY_PRICES(X) FS_NETWORK_PRICES(X)
#undef X
            .link = fs_energy_whole(p->wire * fs_energy_factor(end, link_low, link_high) * square),
        .router_standing =
            (uint64_t)(10 * p->router_standing * fs_energy_factor(end, standing_low, standing_high) + 0.5),
        .leakage =
            fs_energy_whole(p->leakage * fs_energy_factor(end, leakage_low, leakage_high) * square / clock)};
}
