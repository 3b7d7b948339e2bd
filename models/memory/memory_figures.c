/* Figures of SRAM out of a ledger. */
#include "models/memory/memory_figures.h"

#define F fs_memory_figures

static const fs_stat rows[] = {
    FS_STAT_COUNT("memory.peak_bytes", F, peak, .changed = "The fullest tile holds {new} instead of {old}.",
                  .unit = "B", .better = FS_BETTER_LESS, .label = "SRAM of the fullest tile", .place = 150,
                  .doc = "SRAM of the fullest tile; 0 where nothing has a place in it"),
    FS_STAT_FLAG("memory.fits", F, fits, .better = FS_BETTER_MORE,
                 .doc = "every tile's allocations fit its SRAM; false only with machine.memory.check warn"),
    FS_STAT_COUNT("memory.tiles_over", F, over, .unit = "tiles", .better = FS_BETTER_LESS,
                  .doc = "tiles whose allocations do not fit"),
    FS_STAT_COUNT("memory.worst_tile", F, worst_tile, .says = FS_SAYS_LABEL, .doc = "the fullest tile"),
};
const fs_stat_table fs_memory_stats = FS_STAT_TABLE("memory", rows);

fs_memory_figures fs_sram_figures_of(const fs_ledger *ledger) {
    if (ledger == NULL)
        return (fs_memory_figures){.fits = true};
    const uint64_t over = fs_ledger_over(ledger);
    return (fs_memory_figures){.peak = fs_ledger_peak(ledger),
                               .over = over,
                               .worst_tile = fs_ledger_worst(ledger),
                               .fits = over == 0};
}
