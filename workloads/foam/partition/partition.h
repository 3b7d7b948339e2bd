/* Cutting a foam into shards. A partitioner orders the sites and says where each shard begins; the rest
 * follows from it. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/scene/foam/foam_scene.h"

#include <stdbool.h>
#include <stdint.h>

/* The quantities of RF Fig. 11 for one shard, which fix its SRAM. */
typedef struct fs_shard_size {
    uint32_t cells;            /* local cells */
    uint32_t neighbour_cells;  /* cells of other shards that touch it, each once */
    uint32_t adjacency;        /* entries of its adjacency lists */
    uint32_t neighbour_shards; /* other shards that own a neighbour cell */
    uint32_t adjacency_bytes;  /* of one entry: 2, or 4 when cells + neighbour_cells >= 65,536 */
} fs_shard_size;

typedef struct fs_partition {
    uint32_t shards;
    uint32_t leaves;       /* that the partitioner made, those without a cell too; as many as shards but in an
                              octree */
    uint64_t cut;          /* pairs of touching cells in different shards */
    uint32_t *shard_start; /* [shards + 1] into order */
    uint32_t *order; /* [sites] site of each place: cells of a shard are contiguous; the local index of a cell
                        is its place - shard_start; within a shard in the partitioner's order (k-d: the order
                        left by the last split, i.e. by (coordinate, site); octree: along the Morton curve;
                        metis and a single shard of kd: by site) */
    uint32_t *place; /* [sites] inverse of order */
    fs_shard_size *size; /* [shards] */
    /* CSR over shards: shards that own a neighbour cell of shard s, ascending. */
    uint32_t *neighbour_start, *neighbour;
} fs_partition;

/* What METIS gives each shard equally much of. */
enum { FS_BALANCE_CELLS, FS_BALANCE_WORK };
extern const char *const fs_balance_names[]; /* in that order, NULL-terminated */

typedef struct fs_partition_params {
    int64_t shards; /* 1,024 */
    bool ground_normal_given;
    double ground_normal[3]; /* kd, octree: rotate this direction to z before splitting (RFC does so with a
                                fitted plane); absent: none */
    int64_t octree_cap;      /* most cells of a leaf; 0: by the number of leaves */
    int64_t octree_leaves;   /* leaves at which splitting ends; 0: as many as shards */
    int64_t metis_ufactor;   /* a half may be heavier than its share by so many thousandths */
    int64_t metis_balance;   /* FS_BALANCE_* */
    const uint32_t *work;    /* [sites] metis: what FS_BALANCE_WORK balances (partition_work.c); borrowed */
    /* For a run: one shard for each of `shards` tracers. Fewer are made up with shards without cells; more
     * are FS_INPUT, with what would fit. */
    bool exact;
} fs_partition_params;

typedef struct fs_partitioner {
    const char *name; /* "kd" */
    const char *summary;
    /* Why no scene can be cut so, or NULL; about `shards` alone. NULL: any number will do. Arena-owned. */
    const char *(*refuses)(const fs_partition_params *params, fs_arena *arena);
    /* Whether params->work has to be there (partition_work.c). NULL: never. */
    bool (*wants_work)(const fs_partition_params *params);
    /* Fills out->order, which is there, and makes out->shards, out->leaves and out->shard_start. */
    fs_status (*run)(const fs_foam *foam, const fs_partition_params *params, fs_arena *arena,
                     fs_partition *out, fs_error *err);
} fs_partitioner;
extern const fs_partitioner fs_partitioner_kd, fs_partitioner_octree, fs_partitioner_metis;
/* All of them, NULL-terminated, and their names in the same order (partition.c). */
extern const fs_partitioner *const fs_partitioners[];
extern const char *const fs_partitioner_names[];

/* Rows of the partitioners' own parameters, for the table of a struct S whose member m they are in. */
#define FS_PARTITION_ROWS(S, m)                                                                              \
    FS_PARAM_INT("partition.octree.cap", S, m.octree_cap, NONE, "0", 0, 65534,                               \
                 "split every leaf with more cells; 0: split the fullest until there are octree.leaves",     \
                 GEOMETRY, .from = {"RF App. B.1", '-'}),                                                    \
        FS_PARAM_INT("partition.octree.leaves", S, m.octree_leaves, NONE, "0", 0, 10000000,                  \
                     "leaves, those without a cell counted too; 0: as many as shards", GEOMETRY,             \
                     .from = {"RF App. B.2", '-'}),                                                          \
        FS_PARAM_INT("partition.metis.ufactor", S, m.metis_ufactor, NONE, "1", 1, 1000,                      \
                     "thousandths by which a half may be heavier than its share, at each bisection",         \
                     GEOMETRY, .from = {"METIS 5.1", '-'}),                                                  \
        FS_PARAM_ENUM(                                                                                       \
            "partition.metis.balance", S, m.metis_balance, "cells", fs_balance_names,                        \
            "what shards have equally much of: cells, or also cells on the ways of the camera's rays",       \
            GEOMETRY)

/* Runs the partitioner, fills everything. More shards than cells is FS_INPUT. Memory
 * from the arena. The result does not depend on the number of threads. */
fs_status fs_partition_make(const fs_partitioner *partitioner, const fs_foam *foam,
                            const fs_partition_params *params, fs_arena *arena, fs_partition *out,
                            fs_error *err);

/* SRAM of a shard's data (paper 5.2; ipu.md 7): cells * 24 + neighbour_cells * 16 + adjacency * 2 or 4 bytes. */
uint64_t fs_shard_cell_bytes(const fs_shard_size *size);
uint64_t fs_shard_neighbour_bytes(const fs_shard_size *size);
uint64_t fs_shard_adjacency_bytes(const fs_shard_size *size);
uint64_t fs_shard_bytes(const fs_shard_size *size); /* the three together */

/* FS_INPUT when a ray's record can't name every shard and every cell of a shard: two 16-bit numbers, of which
 * 0xFFFE and 0xFFFF are marks (ipu.md 7). For runs on tiles; the unpartitioned march does not need it. */
fs_status fs_partition_check_record(const fs_partition *partition, fs_error *err);

/* ---- what partitioners share (partition_sort.c) ---- */

/* Coordinates of the sites along three axes, [sites] each, ground_normal turned to z where it is given; never
 * -0, so that equal numbers have equal bits. FS_INPUT when ground_normal is no direction. */
fs_status fs_partition_coordinates(const fs_foam *foam, const fs_partition_params *params,
                                   double *const axis[3], fs_error *err);

/* What a partition's shards need: the quantities of RF Fig. 11, and their bytes in SRAM. */
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
