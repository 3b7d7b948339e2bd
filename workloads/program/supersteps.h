/* A program of supersteps as a user writes it, without C: kernels by counts of operations, transfers by
 * pattern, loops, tiles that run beside each other; from a YAML file, or from a trace in two CSV tables.
 * docs/programs.md has the format.
 *
 * A superstep is a compute phase (each tile runs one kernel or none), a barrier, and an exchange (transfers
 * or none). A step is defined once and may stand in several places of the plan.
 */
#pragma once

#include "models/ipu/plan.h"
#include "models/ipu/tables/notes.h"
#include "models/matrix/amp.h"
#include "models/memory/ledger.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdint.h>

enum { FS_SUPERSTEPS_MOST = 100000 }; /* places of steps in a plan, inner loops written out */

/* A kernel on some tiles in a step. */
typedef struct fs_superstep_call {
    uint32_t kernel;      /* in fs_supersteps.kernels */
    const uint32_t *tile; /* [tiles], ascending */
    uint32_t tiles;
    const uint32_t *parts; /* [part_count] kernels that the kernel is made of; NULL: itself */
    uint32_t part_count;
    fs_amp_product product; /* of the matrix unit; no rows: none */
    const uint64_t *count; /* [events of the kernel] occurrences on each of these tiles, over all its workers:
                              shared evenly, the first workers take one more each */
    const uint64_t
        *worker; /* [workers of the tile][events of the kernel] occurrences of each worker beside those;
                               NULL: none */
} fs_superstep_call;

typedef struct fs_superstep {
    const char *name;
    const fs_superstep_call *calls; /* [call_count]; no tile is in two of them */
    uint32_t call_count;
    uint8_t *runs;                /* [tiles of the machine] 1 + kernel, 0: none; NULL without calls */
    const fs_transfer *transfers; /* [transfer_count] ascending by (src, dst), no pair twice but
                                      by a multicast, no 0 bytes */
    uint32_t transfer_count;
    const uint32_t *sent_with;     /* [transfer_count] fs_exchange_lanes; NULL: no multicasts */
    uint64_t beyond, beyond_bytes; /* cycles and bytes of links to other chips */
    bool meets;                    /* it has an exchange, be it of nothing */
    const uint32_t *bytes;         /* [transfer_count] of each: all are worth moving */
} fs_superstep;

/* SRAM that some tiles give their data. */
typedef struct fs_superstep_memory {
    const char *name;
    const uint32_t *tile; /* [tiles] */
    uint32_t tiles;
    uint64_t bytes; /* of each */
} fs_superstep_memory;

typedef struct fs_supersteps {
    const fs_program *kernels; /* [kernel_count] */
    uint32_t kernel_count;
    const fs_superstep *steps; /* [step_count] definitions */
    uint32_t step_count;
    fs_device_plan plan;               /* of one pass; host_tile 0 */
    const uint32_t *step_of;           /* [steps of the plan] the definition that stands there */
    uint64_t iterations;               /* of the device in one run of the file */
    uint64_t passes;                   /* through the loop that is the whole program, else 1: a multiple */
    const fs_superstep_memory *memory; /* [memory_count] */
    uint32_t memory_count;
    uint64_t upload, download; /* bytes over the host link before the first step, after the last */
} fs_supersteps;

/* The tables of a `trace:` that the file names, for keys (fs_param.names). */
void fs_supersteps_names(const char *path, fs_param_seen seen, void *self);

/* Reads the program of a YAML file for a machine: its tiles, their workers, their matrix unit. Memory from
 * the arena. FS_INPUT with a line for each error (file:line:column, key, found, allowed), FS_IO. */
fs_status fs_supersteps_read(const char *file, const fs_machine_params *machine, fs_arena *arena,
                             fs_supersteps *out, fs_error *err);

/* What tiles are called: the first kernel that they run, or "spare". Memory from the arena; names are the
 * program's. */
fs_books_labels fs_supersteps_labels(const fs_supersteps *program, fs_arena *arena);

/* The SRAM that a program takes of each tile: code of its kernels, exchange code, its memory entries. Memory
 * from the arena. NULL with FS_INPUT and the worst tile's list when a tile is too small (memory.check). */
fs_ledger *fs_supersteps_ledger(const fs_supersteps *program, const fs_memory_params *memory,
                                const fs_books_labels *labels, fs_arena *arena, fs_error *err);
