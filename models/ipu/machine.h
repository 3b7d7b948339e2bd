/* A machine: the parameters of all its parts in one struct and one table (configs/machines/NAME.yaml). */
#ifndef FOAMSIM_MODELS_MACHINE_MACHINE_H
#define FOAMSIM_MODELS_MACHINE_MACHINE_H

#include "models/exchange/exchange.h"
#include "models/host/host.h"
#include "models/machine/geometry.h"
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
} fs_machine_params;

extern const fs_param_table fs_machine_table; /* "machine" */

#endif
