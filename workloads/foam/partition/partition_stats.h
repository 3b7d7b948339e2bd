/* What a partition's shards need: the quantities of RF Fig. 11, and their bytes in SRAM. */
#ifndef FOAMSIM_WORKLOADS_FOAM_PARTITION_PARTITION_STATS_H
#define FOAMSIM_WORKLOADS_FOAM_PARTITION_PARTITION_STATS_H

#include "workloads/foam/partition/partition.h"

typedef enum fs_shard_quantity {
    FS_SHARD_CELLS,            /* local cells */
    FS_SHARD_NEIGHBOUR_CELLS,  /* cells of other shards that touch it */
    FS_SHARD_ADJACENCY,        /* entries of its adjacency lists */
    FS_SHARD_NEIGHBOUR_SHARDS, /* shards that own a neighbour cell */
    FS_SHARD_CELL_BYTES,       /* SRAM for the first three, */
    FS_SHARD_NEIGHBOUR_BYTES,
    FS_SHARD_ADJACENCY_BYTES,
    FS_SHARD_SRAM_BYTES, /* and their sum */
    FS_SHARD_QUANTITIES
} fs_shard_quantity;

extern const char *const fs_shard_quantity_names[FS_SHARD_QUANTITIES]; /* "cells", as columns are named */
extern const char *const fs_shard_quantity_units[FS_SHARD_QUANTITIES];
uint64_t fs_shard_quantity_of(const fs_shard_size *size, fs_shard_quantity quantity);

typedef struct fs_spread { /* over the shards, those without cells too */
    uint64_t min, max, sum;
    double mean;
} fs_spread;

typedef struct fs_partition_stats {
    uint32_t shards;
    uint32_t leaves; /* of an octree, those without cells too; else as many as shards */
    uint64_t cut;    /* pairs of touching cells in different shards: the edge cut */
    fs_spread of[FS_SHARD_QUANTITIES];
} fs_partition_stats;

/* partition: made by fs_partition_make, or read from a recording (which has no leaves and no cut: 0). */
void fs_partition_stats_make(const fs_partition *partition, fs_partition_stats *out);

#endif
