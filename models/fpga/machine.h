/* A machine of kind `fpga`: a board with a traversal engine, the parameters of all its parts in one struct
 * and one table (configs/machines/virtex5.yaml). Times are cycles of the engine's clock where nothing else is
 * said. */
#pragma once

#include "models/dram/dram.h"
#include "models/energy/prices.h"
#include "models/link/link.h"
#include "models/part/part.h"
#include "sim/config/param.h"

/* What things cost on the board: a price each, with the range that is assumed about it as factors of its
 * central value (docs/facts/energy.md 6). */
/* member, key, unit, most, default, low and high as factors of the central value, text */
#define FS_FPGA_PRICES(X)                                                                                    \
    X(lut, "energy.lut", JOULES, 1e-6, "0.3 pJ", 0.3, 3,                                                     \
      "a look-up table in use with its wires, each cycle (uncertain: 0.09 to 0.9 pJ)")                       \
    X(reg, "energy.register", JOULES, 1e-6, "0.06 pJ", 0.3, 3,                                               \
      "a register in use and its clock, each cycle (uncertain: 0.018 to 0.18 pJ)")                           \
    X(dsp, "energy.dsp", JOULES, 1e-6, "6 pJ", 0.5, 2,                                                       \
      "a multiplier in use, each cycle (uncertain: 3 to 12 pJ)")                                             \
    X(ram, "energy.block_ram", JOULES, 1e-6, "3 pJ", 0.3, 2,                                                 \
      "a KiB of block RAM in use, each cycle (uncertain: 0.9 to 6 pJ)")                                      \
    X(dram_bit, "energy.dram_bit", JOULES, 1e-6, "40 pJ", 0.5, 2,                                            \
      "a bit of the board's memory (uncertain: 20 to 80 pJ)")                                                \
    X(link_bit, "energy.link_bit", JOULES, 1e-6, "25 pJ", 0.4, 2,                                            \
      "a bit over the link, both ends (uncertain: 10 to 50 pJ)")                                             \
    X(leakage, "energy.leakage", WATTS, 1000, "3.5 W", 0.5, 1.7,                                             \
      "the device at rest (uncertain: 1.75 to 6 W)")                                                         \
    X(die, "area.die", SQUARE_MM, 1e5, "600 mm2", 0.6, 1.3, "of the device (uncertain: 360 to 780 mm2)")

/* Where entries go that a queue has no register for. */
enum { FS_SPILL_NONE, FS_SPILL_BLOCK_RAM, FS_SPILL_DRAM };
/* How many requests are between the arbiter and their answer: as many as there are, one until its last byte
 * has come from memory, one until its last item has left the pipeline. */
enum { FS_IN_FLIGHT_MANY, FS_IN_FLIGHT_CONTROLLER, FS_IN_FLIGHT_PIPELINE };
enum { FS_CACHE_NONE, FS_CACHE_DIRECT, FS_CACHE_ASSOCIATIVE };
/* The data path to memory: `memory.kind` is `fixed`, or one of fs_dram_kinds. */
enum { FS_MEMORY_FIXED };

typedef struct fs_traversal_params {
    int64_t units;
    int64_t rays;            /* that a unit holds at a time, each with a queue of its own */
    int64_t queue;           /* registers of a queue; 0: unbounded */
    int64_t request, answer; /* cycles before a request stands, and after its answer */
    int64_t spill;           /* FS_SPILL_* */
    int64_t spill_cycles;    /* an entry to or from block RAM */
    int64_t spill_entries;   /* room behind each queue */
    int64_t entry;           /* bytes of an entry */
    int64_t fifo;            /* rays that wait in block RAM */
} fs_traversal_params;

typedef struct fs_intersection_params {
    int64_t arbiter; /* FS_ARBITER_* */
    int64_t box_depth, box_interval;
    int64_t triangle_depth, triangle_interval;
} fs_intersection_params;

typedef struct fs_board_memory_params {
    int64_t kind;      /* FS_MEMORY_FIXED, or 1 + the number in fs_dram_kinds */
    int64_t in_flight; /* FS_IN_FLIGHT_* */
    double latency;    /* fixed: seconds from the grant to the first byte */
    int64_t bandwidth; /* fixed: bytes a second */
    int64_t burst;     /* fixed: bytes of which memory moves whole multiples */
    int64_t overhead;  /* kinds: cycles of the memory's clock in controller and pins, both ways together */
    int64_t scheduler; /* FS_DRAM_* */
    int64_t size;      /* bytes */
} fs_board_memory_params;

typedef struct fs_cache_params {
    int64_t kind; /* FS_CACHE_* */
    int64_t size, ways;
    int64_t latency;         /* from the grant to the first byte of a hit */
    int64_t bytes_per_cycle; /* of its port */
} fs_cache_params;

enum { FS_RESOURCES_ERROR, FS_RESOURCES_IGNORE };
/* What the device has, and how it is spent: linear rules, of which the fixed part stands for everything but
 * units and queues. */
typedef struct fs_resource_params {
    int64_t registers, luts, dsps, block_ram; /* of the device; block RAM in bytes */
    int64_t fixed_registers, fixed_luts, fixed_dsps, fixed_block_ram;
    int64_t unit_registers, unit_luts, unit_block_ram; /* each unit, without its queues */
    int64_t entry_registers, entry_luts;               /* each register entry of a queue */
    int64_t check;                                     /* FS_RESOURCES_* */
} fs_resource_params;

/* Prices of power.h. */
typedef struct fs_fpga_energy_params {
    double lut, reg, dsp; /* J each in use and cycle */
    double ram;           /* J a KiB in use and cycle */
    double dram_bit, link_bit;
    double leakage; /* W */
    double die;     /* mm2 */
} fs_fpga_energy_params;

typedef struct fs_fpga_params {
    const char *name;
    int64_t clock; /* Hz, of the engine */
    fs_traversal_params traversal;
    fs_intersection_params intersection;
    fs_board_memory_params memory;
    fs_cache_params cache;
    fs_link_params link;
    fs_resource_params resources;
    fs_fpga_energy_params energy; /* keys energy.*, area.die */
    fs_limits_params limits;      /* keys limits.* */
} fs_fpga_params;

extern const fs_param_table fs_fpga_table; /* "machine/fpga" */

/* The module of a memory with banks; NULL: `fixed`. */
const fs_dram_kind *fs_engine_memory_kind(const fs_fpga_params *machine);

/* Entries that a ray's queue holds before one is lost, 0: none ever is (unbounded, or spilled). */
uint32_t fs_engine_queue_capacity(const fs_fpga_params *machine);

/* The resource ledger: what an engine takes of its device, by linear rules (fs_resource_params). Queues are
 * registers with comparators; caches and spilled entries are block RAM. An unbounded queue is a question, not
 * hardware: it takes none. */
enum { FS_RESOURCE_REGISTERS, FS_RESOURCE_LUTS, FS_RESOURCE_DSPS, FS_RESOURCE_BLOCK_RAM, FS_RESOURCE_KINDS };
extern const char *const fs_resource_names[]; /* "registers", "look-up tables", "multipliers", "block RAM" */

typedef struct fs_resource {
    uint64_t used, available; /* block RAM in bytes */
} fs_resource;

void fs_resources_of(const fs_fpga_params *machine, fs_resource out[FS_RESOURCE_KINDS]);
/* Reports what the device has no room for, at its key, with what takes most; unless resources.check says to
 * ignore it. */
void fs_resources_check(const fs_fpga_params *machine, fs_check *check);
