/* What things cost on the board: a price each, with the range that is assumed about it as factors of its
 * central value (docs/facts/energy.md 6). */
#ifndef FOAMSIM_MODELS_FPGA_PRICES_H
#define FOAMSIM_MODELS_FPGA_PRICES_H

/* member, key, unit, most, default, low and high as factors of the central value, text */
#define FS_FPGA_PRICES(X)                                                                                    \
    X(lut, "energy.lut", JOULES, 1e-6, "0.3 pJ", 0.3, 3,                                                     \
      "a look-up table in use with its wires, each cycle (uncertain: 0.09 to 0.9 pJ)")                       \
    X(reg, "energy.register", JOULES, 1e-6, "0.06 pJ", 0.3, 3,                                               \
      "a register in use and its clock, each cycle (uncertain: 0.018 to 0.18 pJ)")                           \
    X(dsp, "energy.dsp", JOULES, 1e-6, "6 pJ", 0.5, 2,                                                       \
      "a multiplier in use, each cycle (uncertain: 3 to 12 pJ)")                                             \
    X(ram, "energy.block_ram", JOULES, 1e-6, "3 pJ", 0.3, 2,                                                 \
      "a KiB of block RAM in use, each cycle (uncertain: 0.9 to 6 pJ)")                                      \
    X(dram_bit, "energy.dram_bit", JOULES, 1e-6, "40 pJ", 0.5, 2,                                            \
      "a bit of the board's memory (uncertain: 20 to 80 pJ)")                                                \
    X(link_bit, "energy.link_bit", JOULES, 1e-6, "25 pJ", 0.4, 2,                                            \
      "a bit over the link, both ends (uncertain: 10 to 50 pJ)")                                             \
    X(leakage, "energy.leakage", WATTS, 1000, "3.5 W", 0.5, 1.7,                                             \
      "the device at rest (uncertain: 1.75 to 6 W)")                                                         \
    X(die, "area.die", SQUARE_MM, 1e5, "600 mm2", 0.6, 1.3, "of the device (uncertain: 360 to 780 mm2)")

#endif
