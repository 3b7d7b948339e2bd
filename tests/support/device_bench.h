/* A device under test: a machine, a plan of programs that the bench brings, and a client that draws its
 * calls, so that whoever asks again gets the same. */
#pragma once

#include "models/ipu/device.h"
#include "sim/base/rng.h"
#include "tests/support/chip.h"

enum { TILES = 96, WORKERS = 6, ITERATIONS = 2, MOST_STEPS = 32, MOST_GROUPS = 3, PROGRAMS = 3, WIDE = 41 };

typedef struct fs_device_record {
    fs_status status;
    char text[256];
    uint64_t cycles, first, compute, sync, exchange, host;
    uint64_t iteration[ITERATIONS][4]; /* compute, sync, exchange, pace tile */
    uint64_t tile[4][TILES];           /* compute, bytes out, in, port busy out */
    uint64_t worker[3][TILES * WORKERS];
    fs_device_group group[MOST_GROUPS];
    fs_device_step_totals step[MOST_STEPS];
    uint64_t last[MOST_STEPS][4]; /* start, compute, sync, exchange of the last iteration */
    uint64_t cycles_of[MOST_STEPS][TILES];
    uint64_t energy[FS_ENERGY_PARTS][2]; /* attojoules: upper and lower half; 0 when the run failed */
} fs_device_record;

/* A machine, a plan, and which calls the client makes of each round: drawn anew whoever asks. */
typedef struct fs_device_bench {
    fs_arena *arena;
    fs_machine_params machine;
    fs_device_plan plan;
    fs_rng calls;
    uint32_t busy;             /* of 16 tiles with a program, how many have work */
    uint32_t skipped;          /* bit 4 x iteration + stage: it is left out */
    const uint32_t *sample_of; /* [rounds] that decides what a round's calls are; NULL: each its own */
    /* What an open step moves, [listed_count]: the client gives those that are occupied. */
    const fs_transfer *listed;
    uint32_t listed_count;
    fs_transfer given[64];
    fs_device *device;
    uint32_t active[TILES], occupied[64]; /* of all steps: the device keeps what it needs longer */
    fs_device_record *record;
} fs_device_bench;

/* One segment; two with a barrier; one of 41 events on two workers. */
extern const fs_program *const fs_bench_programs[PROGRAMS];

/* Fills the counts of call `call` of a tile in a round; how often it is made, 0: no more calls. */
uint32_t fs_bench_call(const fs_device_bench *bench, fs_moment at, uint32_t tile, uint32_t call,
                       uint32_t *counts);

/* Runs the plan in a process of its own. Owner of the record: the caller, free(). */
fs_device_record *fs_bench_run(fs_device_bench *bench, fs_detail detail);
