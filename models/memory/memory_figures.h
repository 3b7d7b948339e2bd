/* What the ledger has to say of a run: figures of summary.json. */
#ifndef FOAMSIM_MODELS_MEMORY_MEMORY_FIGURES_H
#define FOAMSIM_MODELS_MEMORY_MEMORY_FIGURES_H

#include "models/memory/ledger.h"
#include "sim/stats/stats.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_memory_figures {
    uint64_t peak, over, worst_tile;
    bool fits;
} fs_memory_figures;
extern const fs_stat_table fs_memory_stats;

/* ledger NULL: nothing has a place in SRAM; then 0 bytes, which fit. */
fs_memory_figures fs_sram_figures_of(const fs_ledger *ledger);

#endif
