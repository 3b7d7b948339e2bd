/* Prices in whole attojoules, from the machine's parameters. */
#include "models/energy/prices.h"

const char *const fs_energy_supplies[] = {
    [FS_SUPPLY_PLANAR] = "planar", [FS_SUPPLY_STACKED] = "stacked", [FS_SUPPLY_STACKED + 1] = NULL};

static const double leakage_low = 0.6, leakage_high = 1.5, least_voltage = 0.6;

double fs_energy_voltage(const fs_energy_params *p, double clock) {
    const bool stacked = p->supply == FS_SUPPLY_STACKED;
    const double known = stacked ? 1.85e9 : 1.33e9, v0 = stacked ? p->stacked_voltage / 100 : 1;
    const double v = v0 * (1 + p->slope / 100 * (clock / known - 1));
    return v < least_voltage ? least_voltage : v;
}

static uint64_t whole(double joules) {
    return (uint64_t)(joules * 1e18 + 0.5);
}

static double factor(fs_price_end end, double low, double high) {
    return end == FS_PRICE_LOW ? low : end == FS_PRICE_HIGH ? high : 1;
}

fs_energy_prices fs_energy_prices_of(const fs_energy_params *p, double clock, fs_price_end end) {
    const double v = fs_energy_voltage(p, clock), square = v * v;
    return (fs_energy_prices){
#define X(key, def, low, high, scaled, ...)                                                                  \
    .key = whole(p->key * factor(end, low, high) * ((scaled) ? square : 1)),
        FS_ENERGY_PRICES(X)
#undef X
            .leakage = whole(p->leakage * factor(end, leakage_low, leakage_high) * square / clock)};
}
