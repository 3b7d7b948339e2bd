/* What a page shows of any run on this machine: constant data. */
#include "models/ipu/machine_page.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const fs_plan_column fs_machine_phases[FS_MACHINE_PHASES] = {
    {.column = "compute", .label = "compute", .unit = "cycles", .by = "pace_role", .colour = "compute"},
    {.column = "sync", .label = "sync", .unit = "cycles", .colour = "sync"},
    {.column = "exchange", .label = "exchange", .unit = "cycles", .colour = "exchange"},
    {.column = "host", .label = "host", .unit = "cycles", .colour = "host", .form = "tall"},
};

const fs_plan_rung fs_machine_rungs[FS_MACHINE_RUNGS] = {
    {"free_exchange", "an exchange of no cycles"}, {"free_sync", "barriers of no cycles"},
    {"free_host", "host visits of no cycles"},     {"balanced", "work spread evenly over the tiles"},
    {"free_routers", "routers of no cycles"},
};

static const fs_plan_column busy[] = {{.column = "busy",
                                       .of = "busy waiting idle",
                                       .label = "busy",
                                       .unit = "% of compute phases",
                                       .scale = 100}};
static const fs_plan_column bytes[] = {
    {.column = "bytes_in bytes_out", .label = "sent and received", .unit = "MB", .scale = 1e-6}};
static const fs_plan_column sram[] = {
    {.column = "sram", .label = "SRAM", .unit = "KiB", .scale = 1.0 / 1024}};

static const fs_plan_panel chip[] = {
    {.name = "chip-busy",
     .label = "Busy cycles",
     .form = "log",
     .title = "Where the chip works: the busiest tile, {@tile}, works {@most|.1} % of its time",
     .caption = "Worker cycles in kernels, of all in compute phases, logarithmic. Means: {@means}.",
     .compared = "Which tiles work",
     .columns = busy,
     .column_count = COUNT(busy)},
    {.name = "chip-bytes",
     .label = "Bytes",
     .form = "auto",
     .title = "Where bytes move: most through {@tile}, {@most} MB; least {@least} MB",
     .caption = "Bytes over the exchange in the whole run, both directions.",
     .columns = bytes,
     .column_count = COUNT(bytes)},
    {.name = "chip-sram",
     .label = "SRAM",
     .form = "linear",
     .title = "Where memory is short: the fullest tile, {@tile}, holds {@most|.1} KiB",
     .caption = "Bytes of all allocations of a tile; memory.csv names them.",
     .columns = sram,
     .column_count = COUNT(sram)},
};

const fs_plan_section fs_machine_chip = {.kind = "chip",
                                         .id = "chip",
                                         .title = "Chip",
                                         .file = "tiles.csv",
                                         .panels = chip,
                                         .panel_count = COUNT(chip)};
