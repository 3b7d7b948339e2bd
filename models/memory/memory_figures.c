/* Figures of SRAM out of a ledger. */
#include "models/memory/ledger.h"

#define F          fs_memory_figures
#define FS_ROWS_OF F

static const fs_stat rows[] = {
    FS_WHOLE("memory.peak_bytes", peak, "B", "SRAM of the fullest tile; 0 where nothing has a place in it",
             FS_LESS, FS_AT(150, "SRAM of the fullest tile"),
             .changed = "The fullest tile holds {new} instead of {old}."),
    FS_STAT_FLAG("memory.fits", F, fits, .better = FS_BETTER_MORE,
                 .doc = "every tile's allocations fit its SRAM; false only with machine.memory.check warn"),
    FS_WHOLE("memory.tiles_over", over, "tiles", "tiles whose allocations do not fit", FS_LESS),
    FS_WHOLE("memory.worst_tile", worst_tile, NULL, "the fullest tile", .says = FS_SAYS_LABEL),
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
