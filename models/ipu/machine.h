/* A machine: the parameters of all its parts in one struct and one table (configs/machines/NAME.yaml). */
#ifndef FOAMSIM_MODELS_IPU_MACHINE_H
#define FOAMSIM_MODELS_IPU_MACHINE_H

#include "models/chip/geometry.h"
#include "models/dram/remote.h"
#include "models/energy/prices.h"
#include "models/exchange/exchange.h"
#include "models/host/host.h"
#include "models/ipu/pod.h"
#include "models/matrix/amp.h"
#include "models/memory/ledger.h"
#include "models/sync/sync.h"
#include "models/tile/tile.h"
#include "sim/config/param.h"

/* Barriers between phases, or tiles that start when their input arrives (decoupled.h). */
enum { FS_EXECUTION_BSP, FS_EXECUTION_DECOUPLED };

typedef struct fs_machine_params {
    const char *name;            /* label: "gc200" */
    double clock;                /* Hz */
    fs_geometry_params geometry; /* keys geometry.columns, geometry.rows, geometry.tiles_per_supertile */
    fs_tile_params tile;         /* keys tile.*, cost.<op>, cost.pairing, cost.scale */
    fs_memory_params memory;     /* keys memory.* */
    fs_exchange_params exchange; /* keys exchange.* */
    fs_sync_params sync;         /* keys sync.* */
    fs_host_params host;         /* keys host.* */
    int64_t execution;           /* FS_EXECUTION_* */
    int64_t decoupled_window;    /* rays in flight; 0: the largest that cannot stand still */
    int64_t decoupled_slice;     /* cycles for each row of a decoupled run's tables */
    int64_t chips;               /* in a pod: 1 ... FS_POD_MOST_CHIPS */
    fs_energy_params energy;     /* keys energy.* */
    fs_area_params area;         /* keys area.* */
    fs_matrix_params matrix;     /* keys matrix.* */
    fs_remote_params remote;     /* keys remote.* */
} fs_machine_params;

extern const fs_param_table fs_machine_table; /* "machine" */
/* The same struct without the rows of pods, matrix unit and streaming memory: what workloads of one chip that
 * have neither read. Others than the defaults are refused there, with their place. */
extern const fs_param_table fs_machine_chip_table;
/* The rows of a chip and its matrix unit: for workloads of one chip that have products. */
extern const fs_param_table fs_machine_matrix_table;

#endif
