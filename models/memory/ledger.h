/* SRAM ledger: named allocations for each tile, checked against the tile's size before the run. An allocation
 * may take sram - reserved bytes; `reserved` is not an allocation and not in the sums. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/stats/stats.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FS_MEMORY_ERROR = 0, FS_MEMORY_WARN = 1 };

typedef struct fs_memory_params {
    int64_t sram;                      /* bytes of a tile: 624 KiB, ipu.md 2 */
    int64_t reserved;                  /* bytes not loadable, ipu.md 2: 0x450 */
    int64_t exchange_code_per_message; /* bytes for each end of a message, ipu.md 4 */
    int64_t vertex_state;              /* bytes of vertex state and camera */
    int64_t check;                     /* FS_MEMORY_ERROR, FS_MEMORY_WARN */
} fs_memory_params;

typedef struct fs_ledger fs_ledger;

/* For `tiles` tiles of params->sram bytes; memory from the arena. */
fs_ledger *fs_ledger_create(fs_arena *arena, uint32_t tiles, const fs_memory_params *params);
/* A tile of another size. */
void fs_ledger_size(fs_ledger *ledger, uint32_t tile, int64_t sram);
int64_t fs_ledger_sram(const fs_ledger *ledger, uint32_t tile); /* its bytes */
/* Adds an allocation. `name` is kept, not copied (string constants without commas: "in lane: child 0",
 * "shard cells", ...). */
void fs_ledger_add(fs_ledger *ledger, uint32_t tile, const char *name, uint64_t bytes);
uint64_t fs_ledger_used(const fs_ledger *ledger, uint32_t tile); /* bytes: the sum of all allocations */
uint64_t fs_ledger_bytes(const fs_ledger *ledger, uint32_t tile,
                         const char *name);        /* sum under that name; 0 if none */
uint32_t fs_ledger_worst(const fs_ledger *ledger); /* fullest tile; lowest number on a tie */
uint64_t fs_ledger_peak(const fs_ledger *ledger);  /* bytes of the fullest tile */
uint32_t fs_ledger_over(const fs_ledger *ledger);  /* tiles whose allocations do not fit */

/* Every tile fits, else FS_INPUT with the worst tile's ledger, line by line (check: warn says it and returns
 * FS_OK). role_of(tile) names the role for the message. */
fs_status fs_ledger_check(const fs_ledger *ledger, const char *(*role_of)(const void *self, uint32_t tile),
                          const void *self, fs_error *err);
/* Rows "tile,role,allocation,bytes", ascending by tile, in the order of adding. No header line. */
void fs_ledger_write_csv(const fs_ledger *ledger, const char *(*role_of)(const void *self, uint32_t tile),
                         const void *self, FILE *out);

/* What the ledger has to say of a run: figures of summary.json. */
typedef struct fs_memory_figures {
    uint64_t peak, over, worst_tile;
    bool fits;
} fs_memory_figures;
extern const fs_stat_table fs_memory_stats;

/* ledger NULL: nothing has a place in SRAM; then 0 bytes, which fit. */
fs_memory_figures fs_sram_figures_of(const fs_ledger *ledger);
