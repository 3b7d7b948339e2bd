/* A machine: the parameters of all its parts in one struct and one table (configs/machines/NAME.yaml). */
#pragma once

#include "models/chip/geometry.h"
#include "models/dram/dram.h"
#include "models/energy/prices.h"
#include "models/fabric/fabric.h"
#include "models/host/host.h"
#include "models/link/chips.h"
#include "models/matrix/amp.h"
#include "models/memory/ledger.h"
#include "models/sync/sync.h"
#include "models/tile/tile.h"
#include "sim/config/param.h"

#include <stdint.h>

/* A pod of chips of one kind that do not communicate: data parallel. Work comes in items of one size
 * (batches of rays, tiles of a picture) that are dealt like cards: item i goes to chip i mod n.
 *
 * Every chip runs as many items, so what is left over by the division is filled up with dummies, which cost
 * what an item costs and give nothing. With a rest r = items mod n that is not 0:
 *   program   r (n - 1) dummies, as a published program has it (neural_path_tracing.md 1, several chips)
 *   even      n - r dummies: the least
 */
enum { FS_POD_MOST_CHIPS = 64 };

typedef enum fs_pod_rule { FS_POD_PROGRAM, FS_POD_EVEN } fs_pod_rule;

typedef struct fs_pod {
    uint32_t chips;     /* 1 ... FS_POD_MOST_CHIPS */
    uint64_t items;     /* that are wanted */
    uint64_t dummies;   /* that fill up */
    uint64_t of_a_chip; /* items and dummies that each chip runs: (items + dummies) / chips */
} fs_pod;

static inline fs_pod fs_pod_deal(uint64_t items, uint32_t chips, fs_pod_rule rule) {
    const uint64_t rest = items % chips;
    const uint64_t dummies = rest == 0 ? 0 : rule == FS_POD_PROGRAM ? rest * (chips - 1) : chips - rest;
    return (fs_pod){chips, items, dummies, (items + dummies) / chips};
}

/* Share of what runs that is wanted: 1 without dummies. */
static inline double fs_pod_useful(const fs_pod *pod) {
    return (double)pod->items / (double)(pod->items + pod->dummies);
}

/* Barriers between phases, or tiles that start when their input arrives (decoupled.h). */
enum { FS_EXECUTION_BSP, FS_EXECUTION_DECOUPLED };

/* Tiles that differ by what they do. 0 is a tile that does nothing; the workload declares the others, and role
 * i + 1 is its role i (fs_section_rules.roles). */
enum { FS_MACHINE_ROLES = 8 };
typedef struct fs_role_tile {
    int64_t sram;    /* bytes; 0: memory.sram */
    int64_t workers; /* 0: tile.workers */
    double clock;    /* percent of the chip's, to a tenth; 0 is 100 */
} fs_role_tile;

typedef struct fs_machine_params {
    const char *name;            /* label: "gc200" */
    double clock;                /* Hz */
    fs_geometry_params geometry; /* keys geometry.columns, geometry.rows, geometry.tiles_per_supertile */
    fs_tile_params tile;         /* keys tile.*, cost.<op>, cost.pairing, cost.scale */
    fs_memory_params memory;     /* keys memory.* */
    fs_exchange_params exchange; /* keys exchange.* */
    fs_noc_options noc;          /* keys exchange.noc.*, of exchange.kind noc */
    fs_circuit_options circuit;  /* keys exchange.circuit.*, of exchange.kind circuit */
    fs_sync_params sync;         /* keys sync.* */
    fs_host_params host;         /* keys host.* */
    int64_t execution;           /* FS_EXECUTION_* */
    int64_t decoupled_window;    /* rays in flight; 0: the largest that cannot stand still */
    int64_t decoupled_slice;     /* cycles for each row of a decoupled run's tables */
    int64_t chips;               /* 1 ... FS_POD_MOST_CHIPS: joined by the fabric, or in a pod; not read: 0 */
    fs_chips_params fabric;      /* keys fabric.*; kind FS_CHIPS_APART where they are not read: a pod */
    fs_energy_params energy;     /* keys energy.* */
    fs_area_params area;         /* keys area.* */
    fs_limits_params limits;     /* keys limits.* */
    fs_fab_params fab;           /* keys fab.* */
    fs_matrix_params matrix;     /* keys matrix.* */
    fs_remote_params remote;     /* keys remote.* */
    fs_role_tile role[FS_MACHINE_ROLES]; /* keys roles.spare.*, roles.ROLE.* */
} fs_machine_params;

/* Gives an error of a part that begins with a key, "machine.exchange.noc.size: ...", the place of that key. Returns its
 * status. config: NULL does nothing. */
fs_status fs_machine_placed(const struct fs_config *config, fs_arena *arena, fs_error *err);

static inline fs_fabric_chip fs_machine_fabric(const fs_machine_params *m, uint32_t tiles) {
    return (fs_fabric_chip){&m->exchange, &m->noc, &m->circuit, &m->geometry, tiles, NULL};
}

/* Of a parameter's `only`: several chips. */
#define FS_MACHINE_SEVERAL_CHIPS                                                                             \
    "machine.chips="                                                                                         \
    "2|3|4|5|6|7|8|9|10|11|12|13|14|15|16|17|18|19|20|21|22|23|24|25|26|27|28|29|30|31|32|"                  \
    "33|34|35|36|37|38|39|40|41|42|43|44|45|46|47|48|49|50|51|52|53|54|55|56|57|58|59|60|61|62|63|64"

/* Chips that are joined are one device of so many tiles; of a pod it is one chip's. */
static inline uint32_t fs_machine_chips(const fs_machine_params *m) {
    return m->chips > 1 && m->fabric.kind != FS_CHIPS_APART ? (uint32_t)m->chips : 1;
}
static inline uint32_t fs_machine_tiles(const fs_machine_params *m) {
    return fs_machine_chips(m) * fs_geometry_tiles(&m->geometry);
}

extern const fs_param_table fs_machine_table; /* "machine" */
/* The same struct with fewer rows; others than the defaults are refused, with their place. Without those of
 * several chips, matrix unit and streaming memory: for workloads of one chip that have neither. */
extern const fs_param_table fs_machine_chip_table;
/* With machine.chips and machine.fabric: for workloads whose tiles may lie on several chips. */
extern const fs_param_table fs_machine_joined_table;
/* With pods, matrix unit and streaming memory. */
extern const fs_param_table fs_machine_pod_table;
/* The rows of a chip and its matrix unit: for workloads of one chip that have products. */
extern const fs_param_table fs_machine_matrix_table;

/* Of the tiles of a role: bytes, worker contexts, thousandths of the chip's clock. */
static inline int64_t fs_machine_sram(const fs_machine_params *m, uint32_t role) {
    return m->role[role].sram > 0 ? m->role[role].sram : m->memory.sram;
}
static inline int64_t fs_machine_workers(const fs_machine_params *m, uint32_t role) {
    return m->role[role].workers > 0 ? m->role[role].workers : m->tile.workers;
}
static inline uint32_t fs_machine_clock_permille(const fs_machine_params *m, uint32_t role) {
    return m->role[role].clock > 0 ? (uint32_t)(m->role[role].clock * 10 + 0.5) : 1000;
}
/* Of the tile that has most of them. */
static inline int64_t fs_machine_most_workers(const fs_machine_params *m) {
    int64_t most = m->tile.workers;
    for (uint32_t role = 0; role < FS_MACHINE_ROLES; role++)
        most = m->role[role].workers > most ? m->role[role].workers : most;
    return most;
}
