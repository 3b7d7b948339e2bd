/* What a page shows of any run on this machine: constant data. */
#include "models/ipu/tables/machine_page.h"

const fs_plan_column fs_machine_phases[FS_MACHINE_PHASES] = {
    FS_PAGE_COLUMN("compute", "compute", .unit = "cycles", .by = "pace_role", .colour = "compute"),
    FS_PAGE_COLUMN("sync", "barriers", .unit = "cycles", .colour = "sync"),
    FS_PAGE_COLUMN("exchange", "exchange", .unit = "cycles", .colour = "exchange"),
    FS_PAGE_COLUMN("host", "host visits", .unit = "cycles", .colour = "host", .form = "tall"),
};

const fs_plan_column fs_machine_steps[FS_MACHINE_STEP_COLUMNS] = {
    FS_PAGE_COLUMN("name", "step", .form = "text"),
    FS_PAGE_COLUMN("rounds", "rounds", .form = "whole"),
    FS_PAGE_COLUMN("cycles", "cycles", .form = "bar", .unit = "cycles"),
    FS_PAGE_COLUMN("compute", "compute", .form = "whole", .unit = "cycles"),
    FS_PAGE_COLUMN("sync", "barriers", .form = "whole", .unit = "cycles"),
    FS_PAGE_COLUMN("exchange", "exchange", .form = "whole", .unit = "cycles"),
    FS_PAGE_COLUMN("bytes", "bytes exchanged", .form = "short", .unit = "B"),
};

const fs_plan_column fs_machine_compute[1] = {FS_PAGE_COLUMN("i0", "compute", .unit = "cycles")};

const fs_plan_rung fs_machine_rungs[FS_MACHINE_RUNGS] = {
    FS_MACHINE_EXCHANGE_RUNGS,
    FS_MACHINE_SYNC_RUNG,
    FS_MACHINE_HOST_RUNG(NULL),
    FS_MACHINE_BALANCED_RUNG(NULL),
};

static const fs_plan_column busy[] = {
    FS_PAGE_COLUMN("busy", "busy", .of = "busy waiting idle", .unit = "% of compute phases", .scale = 100),
};
static const fs_plan_column bytes[] = {
    FS_PAGE_COLUMN("bytes_in bytes_out", "sent and received", .unit = "MB", .scale = 1e-6),
};
static const fs_plan_column sram[] = {FS_PAGE_COLUMN("sram", "SRAM", .unit = "KiB", .scale = 1.0 / 1024)};

static const fs_plan_panel chip[] = {
    FS_PAGE_PANEL("chip-busy", busy, .label = "Busy cycles", .form = "log",
                  .title = "Where the chip works: the busiest tile, {@tile}, works {@most|.1} % of its time",
                  .caption =
                      "Worker cycles in kernels, of all in compute phases, logarithmic. Means: {@means}.",
                  .compared = "Which tiles work"),
    FS_PAGE_PANEL("chip-bytes", bytes, .label = "Bytes", .form = "auto",
                  .title = "Where bytes move: most through {@tile}, {@most}; least {@least}",
                  .caption = "Bytes over the exchange in the whole run, both directions."),
    FS_PAGE_PANEL("chip-sram", sram, .label = "SRAM", .form = "linear",
                  .title = "Where memory is short: the fullest tile, {@tile}, holds {@most}",
                  .caption = "Bytes of all allocations of a tile; memory.csv names them."),
};

const fs_plan_section fs_machine_chip =
    FS_PAGE_SECTION("chip", "chip", "Chip", "tiles.csv", NULL, NULL, chip);
