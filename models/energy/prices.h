/* What events cost: one table of energies and one of areas, each price with the range that its source leaves
 * (docs/facts/energy.md). A price is a parameter, machine.energy.KEY or machine.area.KEY, whose value is the
 * central one; its range moves with it, as factors of it.
 *
 * Energy is counted in attojoules, in whole numbers of 128 bits, so that sums are the same in any order. A
 * price is rounded to a whole attojoule once.
 *
 * Voltage. Prices hold for a GC200 at 1.33 GHz. What switches or leaks on the chip goes with the square of
 * the voltage; the voltage follows the clock on a line through a known point of the supply,
 *     voltage = v0 x (1 + slope x (clock / clock0 - 1)), at least 0.6 of a GC200's:
 *   planar    the GC200: clock0 = 1.33 GHz, v0 = 1 (another process: its own clock, of which nothing is
 * known) stacked   Bow, whose second wafer holds the voltage up: clock0 = 1.85 GHz, v0 = stacked_voltage
 */
#pragma once

#include "sim/config/param.h"

#include <stdint.h>

/* Attojoules of a run: 1e-18 J each. */
__extension__ typedef unsigned __int128 fs_attojoules;

static inline double fs_joules(fs_attojoules energy) {
    return (double)energy * 1e-18;
}

/* key, default, low and high as factors of the central value, whether it goes with the voltage, text, source,
 * confidence */
#define FS_ENERGY_PRICES(X)                                                                                  \
    X(slot, "12 pJ", 0.5, 1.4, 1,                                                                            \
      "an issue slot: 8 B of instructions read, decoding, registers (uncertain: 6 to 17 pJ)", "energy.md 2", \
      'A')                                                                                                   \
    X(int_op, "0.1 pJ", 0.3, 5, 1,                                                                           \
      "an integer operation of 32 bits, adds and some multiplies (uncertain: 0.03 to 0.5 pJ)",               \
      "energy.md 1, TPU", 'I')                                                                               \
    X(f32_add, "0.38 pJ", 0.8, 1.25, 1, "f32 add, compare or cast", "energy.md 1, TPU", 'P')                 \
    X(f32_mul, "1.31 pJ", 0.8, 1.25, 1, "f32 multiply", "energy.md 1, TPU", 'P')                             \
    X(f16_op, "0.25 pJ", 0.64, 1.36, 1,                                                                      \
      "f16 add or multiply: the mean of 0.16 and 0.34 pJ, which are the range", "energy.md 1, TPU", 'I')     \
    X(sram_32, "5 pJ", 0.5, 1.5, 1,                                                                          \
      "access of 32 bits to an element of tile memory (uncertain: 2.5 to 7.5 pJ)", "energy.md 2", 'A')       \
    X(sram_64, "8 pJ", 0.5, 1.25, 1, "access of 64 bits (uncertain: 4 to 10 pJ)", "energy.md 1, TPU", 'I')   \
    X(sram_128, "16 pJ", 0.5, 1.25, 1, "access of 128 bits, of two elements (uncertain: 8 to 20 pJ)",        \
      "energy.md 1, TPU", 'I')                                                                               \
    X(mac_f16, "1.44 pJ", 0.5, 1.25, 1,                                                                      \
      "f16 multiply-add of the matrix unit with its registers (fitted: the share of arithmetic, 60 % of "    \
      "300 W; uncertain: 0.72, the bare operations, to 1.8 pJ)",                                             \
      "energy.md 2, HC33", 'I')                                                                              \
    X(mac_f32, "3.38 pJ", 0.5, 1.25, 1,                                                                      \
      "f32 multiply-add of the matrix unit: twice the bare operations, as in f16", "energy.md 2", 'A')       \
    X(mac_f8, "0.72 pJ", 0.5, 1.5, 1, "f8 multiply-add of the matrix unit: half of f16", "energy.md 2", 'A') \
    X(wire, "65 fJ", 0.5, 2, 1, "a bit of the exchange, each millimetre of its way (uncertain: 32 to 130)",  \
      "energy.md 2", 'A')                                                                                    \
    X(sync, "10 pJ", 0.2, 5, 1, "a tile's part in a barrier (uncertain: 2 to 50 pJ)", "energy.md 2", 'A')    \
    X(host_bit, "10 pJ", 0.5, 2, 0, "a bit over the host link, both ends (uncertain: 5 to 20 pJ)",           \
      "energy.md 2", 'A')                                                                                    \
    X(dram_bit, "20.3 pJ", 0.5, 1.5, 0, "a bit of streaming memory: 1,300 pJ for 64 (uncertain: 10 to 30)",  \
      "energy.md 1, TPU", 'P')                                                                               \
    X(clock, "9 pJ", 0.6, 1.6, 1, "a tile's clock in a cycle, whatever it does (uncertain: 5.4 to 14.4 pJ)", \
      "energy.md 3", 'I')

/* The same of networks on chip: machines with machine.exchange.kind noc. The prices' flits have 32 bits; a wider one
 * is so many words. Wires cost as those of the exchange do, up to 150 fJ (fs_energy_prices.link). */
#define FS_NETWORK_PRICES(X)                                                                                 \
    X(router, "0.75 pJ", 0.5, 2, 1,                                                                          \
      "a word of 32 bits through a router, for each of its ports beyond one: 3 pJ with 5 ports, 6 pJ with "  \
      "9 (uncertain: 0.38 to 1.5 pJ)",                                                                       \
      "network_on_chip.md 1, MCH", 'P')                                                                      \
    X(interface, "0.75 pJ", 0.2, 4, 1,                                                                       \
      "a word of 32 bits into a network or out of it: as one port of a router (uncertain: 0.15 to 3 pJ)",    \
      "network_on_chip.md 1", 'A')

/* key, default, factors, text, source, confidence: mm2 */
#define FS_AREA_PRICES(X)                                                                                    \
    X(sram_kib, "442 um2", 0.71, 1.12, "a KiB of tile memory, half of it cells of 0.027 um2", "energy.md 5", \
      'I')                                                                                                   \
    X(logic, "0.09 mm2", 0.6, 1.5,                                                                           \
      "a tile's workers, supervisor and load-store (uncertain: 0.054 to 0.135)", "energy.md 5", 'I')         \
    X(matrix_unit, "3500 um2", 0.6, 1.5, "a unit of the matrix unit, of 16 a tile", "energy.md 5", 'A')      \
    X(port, "0.016 mm2", 0.5, 2, "a tile's exchange port and multiplexers", "energy.md 5", 'A')              \
    X(fixed, "112 mm2", 0.5, 1.5, "spine of the exchange, links, PCI Express, clocks", "energy.md 5", 'A')

/* The same of networks on chip, of flits of 32 bits; a wider one takes as many times that. */
#define FS_NETWORK_AREAS(X)                                                                                  \
    X(router_port, "277 um2", 0.5, 2,                                                                        \
      "a port of a router, without the buffers of its channels, which cost as tile memory does",             \
      "network_on_chip.md 1, MCH", 'I')                                                                      \
    X(router_cross, "55 um2", 0.5, 2, "where the way of a port into a router crosses one out of it",         \
      "network_on_chip.md 1, MCH", 'I')

/* Process of the chip. Prices are those of 7 nm; at 16 nm everything on the chip costs more by a factor of
 * its own range, and tiles are larger; of another process nothing is known, and nothing is priced. */
enum { FS_PROCESS_N7, FS_PROCESS_N16, FS_PROCESS_OTHER };
extern const char *const fs_energy_processes[];

enum { FS_SUPPLY_PLANAR, FS_SUPPLY_STACKED };
extern const char *const fs_energy_supplies[];

typedef struct fs_energy_params {
#define X(key, ...) double key; /* J */
    FS_ENERGY_PRICES(X)
    FS_NETWORK_PRICES(X)
#undef X
    double leakage;                /* W a tile */
    double router_standing;        /* percent */
    int64_t process;               /* FS_PROCESS_* */
    int64_t supply;                /* FS_SUPPLY_* */
    double slope, stacked_voltage; /* percent */
} fs_energy_params;

typedef struct fs_area_params {
#define X(key, ...) double key; /* mm2 */
    FS_AREA_PRICES(X)
    FS_NETWORK_AREAS(X)
#undef X
    int64_t spare_rows;
} fs_area_params;

/* Rows of a machine's table, with members `energy` and `area` of its struct S. */
#define FS_ENERGY_ROW_(S, key, def, doc, source, confidence)                                                 \
    FS_PARAM_REAL("energy." #key, S, energy.key, JOULES, def, 0, 1e-6, doc, PRICE,                           \
                  .from = {source, confidence}),
#define FS_AREA_ROW_(S, key, def, doc, source, confidence)                                                   \
    FS_PARAM_REAL("area." #key, S, area.key, SQUARE_MM, def, 0, 1e5, doc, PRICE,                             \
                  .from = {source, confidence}),
/* Of a machine with a fabric alone. */
#define FS_NETWORK_ROW_(S, key, def, doc, source, confidence)                                                \
    FS_PARAM_REAL("energy." #key, S, energy.key, JOULES, def, 0, 1e-6, doc, PRICE,                           \
                  .from = {source, confidence}, .only = "machine.exchange.kind=noc"),
#define FS_NETWORK_AREA_ROW_(S, key, def, doc, source, confidence)                                           \
    FS_PARAM_REAL("area." #key, S, area.key, SQUARE_MM, def, 0, 1e5, doc, PRICE,                             \
                  .from = {source, confidence}, .only = "machine.exchange.kind=noc"),
#define FS_ENERGY_OTHER_ROWS(S)                                                                              \
    FS_PARAM_REAL("energy.leakage", S, energy.leakage, WATTS, "20 mW", 0, 100,                               \
                  "a tile's leakage (uncertain: 12 to 30 mW)", PRICE, .from = {"energy.md 3", 'I'}),         \
        FS_PARAM_REAL("energy.router_standing", S, energy.router_standing, PERCENT, "100 %", 0, 1000,        \
                      "clock and leakage of routers for their area, of a tile's for its (uncertain: 0 to "   \
                      "200 %)",                                                                              \
                      PRICE, .from = {"network_on_chip.md 1", 'A'}, .only = "machine.exchange.kind=noc"),    \
        FS_PARAM_ENUM("energy.process", S, energy.process, "n7", fs_energy_processes,                        \
                      "process of the chip: prices are those of 7 nm; 16 nm by a stated factor; another "    \
                      "one is not priced",                                                                   \
                      PRICE, .from = {"energy.md 8", 'I'}),                                                  \
        FS_PARAM_ENUM("energy.supply", S, energy.supply, "planar", fs_energy_supplies,                       \
                      "which known point voltages go through: a GC200's, or Bow's, whose second wafer "      \
                      "holds the voltage up",                                                                \
                      PRICE, .from = {"energy.md 4", 'I'}),                                                  \
        FS_PARAM_REAL("energy.slope", S, energy.slope, PERCENT, "50 %", 0, 100,                              \
                      "of a change of the clock, the change of the voltage (uncertain: 30 to 100 %)", PRICE, \
                      .from = {"energy.md 4", 'A'}),                                                         \
        FS_PARAM_REAL("energy.stacked_voltage", S, energy.stacked_voltage, PERCENT, "94 %", 50, 150,         \
                      "Bow's voltage at 1.85 GHz, a GC200's at 1.33 GHz being 100 % (fitted: the published " \
                      "performance a watt of Bow, 360 W at full rate)",                                      \
                      PRICE, .from = {"energy.md 4", 'I'}),                                                  \
        FS_PARAM_INT("area.spare_rows", S, area.spare_rows, NONE, "1", 0, 64,                                \
                     "rows of tiles that are built and not used", PRICE,                                     \
                     .from = {"ipu.md 1, GR and HC33", 'R'}),

/* Which end of the ranges: all prices at once. */
typedef enum fs_price_end { FS_PRICE_LOW, FS_PRICE_CENTRAL, FS_PRICE_HIGH, FS_PRICE_ENDS } fs_price_end;

/* Times the central value; low, high: of the price's row. */
static inline double fs_energy_factor(fs_price_end end, double low, double high) {
    return end == FS_PRICE_LOW ? low : end == FS_PRICE_HIGH ? high : 1;
}

/* J to aJ, rounded. */
static inline uint64_t fs_energy_whole(double joules) {
    return (uint64_t)(joules * 1e18 + 0.5);
}

typedef struct fs_energy_prices {
#define X(key, ...) uint64_t key; /* aJ */
    FS_ENERGY_PRICES(X)
    FS_NETWORK_PRICES(X)
#undef X
    uint64_t link;            /* aJ a bit and mm of a network's links: as `wire`, with a wider range */
    uint64_t leakage;         /* aJ a tile and cycle */
    uint64_t router_standing; /* thousandths of a tile's clock and leakage, for routers of a tile's area */
} fs_energy_prices;

/* By how much tiles of a process are larger than those of 7 nm, at an end of its range. */
double fs_area_of_process(int64_t process, fs_price_end end);

/* Voltage at a clock (Hz), a GC200's at 1.33 GHz being 1. */
double fs_energy_voltage(const fs_energy_params *params, double clock);
fs_energy_prices fs_energy_prices_of(const fs_energy_params *params, double clock, fs_price_end end);

/* What a chip's area and a run's power are held to: keys limits.* of every kind of machine; memory and cost of
 * a machine that is designed here. */
typedef struct fs_limits_params {
    double area, power; /* mm2 of a chip; W of all chips, mean; 0: no limit */
    double sram, cost;  /* mm2 of a chip's SRAM; dollars of a good die; 0: no limit */
} fs_limits_params;

/* What a die costs to make: keys fab.*. */
typedef struct fs_fab_params {
    double wafer, defects; /* dollars of a wafer of 300 mm; killing defects a cm2 */
} fs_fab_params;

/* Rows of a machine's table; S: the struct of its parameters, which has a member `limits`. */
#define FS_LIMITS_ROWS(S)                                                                                    \
    FS_PARAM_REAL("limits.area", S, limits.area, SQUARE_MM, "858 mm2", 0, 1e6,                               \
                  "area that a chip may have, by default a reticle of 26 mm x 33 mm; 0: any", PRICE,         \
                  .from = {"energy.md 5", 'A'}),                                                             \
        FS_PARAM_REAL("limits.power", S, limits.power, WATTS, "0 W", 0, 1e6,                                 \
                      "power that all chips of a run may take together on average; 0: any", PRICE),

/* The same, with members `limits` and `fab`, of a machine whose die is designed here. */
#define FS_FAB_ROWS(S)                                                                                       \
    FS_PARAM_REAL("limits.sram", S, limits.sram, SQUARE_MM, "0 mm2", 0, 1e6,                                 \
                  "area that the SRAM of a chip may take; 0: any", PRICE),                                   \
        FS_PARAM_REAL("limits.cost", S, limits.cost, NONE, "0", 0, 1e9,                                      \
                      "dollars that a good die may cost; 0: any", PRICE),                                    \
        FS_PARAM_REAL("fab.wafer", S, fab.wafer, NONE, "9346", 0, 1e9,                                       \
                      "dollars of a wafer of 300 mm, of 7 nm unless said otherwise", PRICE,                  \
                      .from = {"energy.md 5, CHA", 'A'}),                                                    \
        FS_PARAM_REAL("fab.defects", S, fab.defects, NONE, "0.09", 0, 100,                                   \
                      "defects a cm2 that kill a die (uncertain: 0.05 to 0.2)", PRICE,                       \
                      .from = {"energy.md 5, CHA", 'A'}),
