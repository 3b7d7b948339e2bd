/* Least, mean and most of what shards hold. */
#include "workloads/foam/partition/partition.h"

const char *const fs_shard_quantity_names[FS_SHARD_QUANTITIES] = {
    [FS_SHARD_CELLS] = "cells",
    [FS_SHARD_NEIGHBOUR_CELLS] = "neighbour_cells",
    [FS_SHARD_ADJACENCY] = "adjacency",
    [FS_SHARD_NEIGHBOUR_SHARDS] = "neighbour_shards",
    [FS_SHARD_CELL_BYTES] = "cell_bytes",
    [FS_SHARD_NEIGHBOUR_BYTES] = "neighbour_bytes",
    [FS_SHARD_ADJACENCY_BYTES] = "adjacency_bytes",
    [FS_SHARD_SRAM_BYTES] = "sram_bytes",
};

const char *const fs_shard_quantity_units[FS_SHARD_QUANTITIES] = {
    [FS_SHARD_CELLS] = "cells",       [FS_SHARD_NEIGHBOUR_CELLS] = "cells",
    [FS_SHARD_ADJACENCY] = "entries", [FS_SHARD_NEIGHBOUR_SHARDS] = "shards",
    [FS_SHARD_CELL_BYTES] = "B",      [FS_SHARD_NEIGHBOUR_BYTES] = "B",
    [FS_SHARD_ADJACENCY_BYTES] = "B", [FS_SHARD_SRAM_BYTES] = "B",
};

uint64_t fs_shard_quantity_of(const fs_shard_size *size, fs_shard_quantity quantity) {
    switch (quantity) {
    case FS_SHARD_CELLS:
        return size->cells;
    case FS_SHARD_NEIGHBOUR_CELLS:
        return size->neighbour_cells;
    case FS_SHARD_ADJACENCY:
        return size->adjacency;
    case FS_SHARD_NEIGHBOUR_SHARDS:
        return size->neighbour_shards;
    case FS_SHARD_CELL_BYTES:
        return fs_shard_cell_bytes(size);
    case FS_SHARD_NEIGHBOUR_BYTES:
        return fs_shard_neighbour_bytes(size);
    case FS_SHARD_ADJACENCY_BYTES:
        return fs_shard_adjacency_bytes(size);
    case FS_SHARD_SRAM_BYTES:
        return fs_shard_bytes(size);
    case FS_SHARD_QUANTITIES:
        break;
    }
    FS_ASSERT(false, "quantity %d of a shard", (int)quantity);
    return 0;
}

void fs_partition_stats_make(const fs_partition *p, fs_partition_stats *out) {
    *out = (fs_partition_stats){.shards = p->shards, .leaves = p->leaves, .cut = p->cut};
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++) {
        fs_spread *of = &out->of[q];
        of->min = UINT64_MAX;
        for (uint32_t s = 0; s < p->shards; s++) {
            const uint64_t x = fs_shard_quantity_of(&p->size[s], (fs_shard_quantity)q);
            of->min = x < of->min ? x : of->min;
            of->max = x > of->max ? x : of->max;
            of->sum += x;
        }
        of->mean = (double)of->sum / p->shards;
    }
}
