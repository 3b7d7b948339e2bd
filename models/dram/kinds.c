/* Modules by the rows of their standards: times in cycles of the memory's clock, ns rounded up. */
#include "models/dram/dram.h"

#include <stddef.h>

/* Members of a row that are read together: what the module is built of; times in cycles. */
#define BUILT(...) __VA_ARGS__
#define TIMES(...) __VA_ARGS__

const fs_dram_kind fs_dram_kinds[FS_DRAM_KINDS] = {
    /* 150 MHz is what two ranks leave the controller of the paper's board (fpga_engine.md 2). DDR2-667D chips
     * of 1 Gbit x 8 at 6.67 ns: tRCD, tRP 15 ns, tRAS 45 ns, tRC 60 ns, tRRD 7.5 ns, tFAW 37.5 ns, tWTR and
     * tRTP 7.5 ns, tWR 15 ns, tREFI 7.8 us, tRFC 127.5 ns. */
    {.name = "ddr2-300",
     .summary = "DDR2 of two ranks at 150 MHz: 2.4 GB/s",
     .source = "JD2",
     BUILT(.clock = 150000000, .bus_bytes = 8, .burst_beats = 4, .channels = 1, .ranks = 2, .banks = 8,
           .page_bytes = 8192),
     TIMES(.rcd = 3, .rp = 3, .cl = 3, .ras = 7, .rc = 9, .rrd = 2, .faw = 6, .wtr = 2, .rtp = 2, .wr = 3,
           .rank_switch = 1, .refi = 1170, .rfc = 20)},
    /* The same chips, one rank, at 4 ns. */
    {.name = "ddr2-500",
     .summary = "DDR2 of one rank at 250 MHz: 4 GB/s",
     .source = "JD2",
     BUILT(.clock = 250000000, .bus_bytes = 8, .burst_beats = 4, .channels = 1, .ranks = 1, .banks = 8,
           .page_bytes = 8192),
     TIMES(.rcd = 4, .rp = 4, .cl = 4, .ras = 12, .rc = 15, .rrd = 2, .faw = 10, .wtr = 2, .rtp = 2, .wr = 4,
           .rank_switch = 1, .refi = 1950, .rfc = 32)},
    /* DDR3-1600K, 2 Gbit x 8: 13.75 ns, tRAS 35 ns, tRC 48.75 ns, tRRD 6 ns, tFAW 30 ns, tRFC 160 ns. */
    {.name = "ddr3-1600",
     .summary = "DDR3-1600K, one rank: 12.8 GB/s",
     .source = "JD3",
     BUILT(.clock = 800000000, .bus_bytes = 8, .burst_beats = 8, .channels = 1, .ranks = 1, .banks = 8,
           .page_bytes = 8192),
     TIMES(.rcd = 11, .rp = 11, .cl = 11, .ras = 28, .rc = 39, .rrd = 5, .faw = 24, .wtr = 6, .rtp = 6,
           .wr = 12, .rank_switch = 2, .refi = 6240, .rfc = 128)},
    /* DDR4-3200AA, 8 Gbit x 8: 13.75 ns, tRAS 32 ns, tRRD_L 4.9 ns, tFAW 21 ns, tRFC 350 ns; bursts that
     * follow each other take turns between bank groups, so that tCCD_S holds. */
    {.name = "ddr4-3200",
     .summary = "DDR4-3200AA, one rank: 25.6 GB/s",
     .source = "JD4",
     BUILT(.clock = 1600000000, .bus_bytes = 8, .burst_beats = 8, .channels = 1, .ranks = 1, .banks = 16,
           .page_bytes = 8192),
     TIMES(.rcd = 22, .rp = 22, .cl = 22, .ras = 52, .rc = 74, .rrd = 8, .faw = 34, .wtr = 12, .rtp = 12,
           .wr = 24, .rank_switch = 2, .refi = 12480, .rfc = 560)},
    /* A stack of eight channels of 128 bits at 2 Gbit/s a pin: 14 ns, tRAS 33 ns, tFAW 16 ns, tRFC 350 ns. */
    {.name = "hbm2",
     .summary = "HBM2, one stack of eight channels: 256 GB/s",
     .source = "JHB",
     BUILT(.clock = 1000000000, .bus_bytes = 16, .burst_beats = 4, .channels = 8, .ranks = 1, .banks = 16,
           .page_bytes = 2048),
     TIMES(.rcd = 14, .rp = 14, .cl = 14, .ras = 33, .rc = 47, .rrd = 4, .faw = 16, .wtr = 8, .rtp = 5,
           .wr = 16, .rank_switch = 0, .refi = 3900, .rfc = 350)},
};

const char *const fs_dram_schedulers[] = {
    [FS_DRAM_IN_ORDER] = "in_order", [FS_DRAM_FR_FCFS] = "fr_fcfs", [FS_DRAM_ONE] = "one", NULL};
