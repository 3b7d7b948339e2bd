/* The common books: what a device's run leaves to read, whatever it runs. A workload creates them beside its
 * device, notes each finished iteration, closes them, and writes tables, findings, ladder and timeline
 * (tables.h, plain_findings.h, plain_ladder.h, plain_timeline.h) without code of its own.
 *
 *     fs_books_notes_create(&notes, arena, &plan, machine, device, &labels, iterations);
 *     static void finished(void *self, const fs_iteration *i) { fs_books_notes_add(&me->notes, i); }
 *     fs_device_run(device, &client, err);
 *     fs_books_notes_close(&notes, ledger);
 */
#pragma once

#include "models/ipu/device.h"
#include "models/memory/ledger.h"
#include "sim/base/alloc.h"

#include <stdint.h>

/* What people call the tiles. Borrowed. */
typedef struct fs_books_labels {
    const char *const *roles; /* [role_count]; number 0 is that of tiles that run nothing: "spare" */
    uint32_t role_count;
    const uint8_t *role;  /* [tiles] */
    const uint8_t *level; /* [tiles]; NULL: all of level 0 */
} fs_books_labels;

/* Iterations as rows of a table: the times stand alone, or in larger notes of a workload. Borrowed. */
typedef struct fs_books_iteration_rows {
    const fs_iteration *first;
    size_t stride; /* bytes from one to the next */
    const fs_books_labels *labels;
    bool paced; /* tiles run programs; else no tile sets a pace */
} fs_books_iteration_rows;

/* Tiles as rows of a table, after the run. Borrowed. */
typedef struct fs_books_tile_rows {
    const fs_machine_params *machine;
    const fs_books_labels *labels;
    fs_device_totals totals;
    const fs_ledger *ledger; /* may be NULL */
    uint32_t tiles;
    bool paced; /* as above */
} fs_books_tile_rows;

enum {
    FS_BOOKS_ITERATIONS = 1000000, /* most that can be noted */
    FS_BOOKS_STEP_ROWS = 4000000,  /* steps x iterations that are kept one by one */
    FS_BOOKS_TILE_CELLS = 16000000 /* tiles x iterations of the matrix of cycles */
};

typedef struct fs_books_notes {
    const fs_device *device;
    const fs_device_plan *plan;
    const fs_machine_params *machine;
    fs_books_labels labels;
    fs_iteration *iteration; /* [iterations] */
    uint64_t iterations, room;
    uint32_t steps;      /* of the plan */
    fs_step_times *step; /* [iterations][steps]; NULL: more than FS_BOOKS_STEP_ROWS */
    uint32_t *tile_of;   /* [used] tiles that run a program in some step */
    uint32_t used;
    uint32_t *cycles; /* [iterations][used] compute cycles of the tile; NULL: more than FS_BOOKS_TILE_CELLS */
    uint64_t *before; /* [used] compute cycles of the tile up to the iteration before */
    /* Once closed. */
    fs_device_totals totals;
    const fs_ledger *ledger; /* may be NULL */
    fs_books_iteration_rows iteration_rows;
    fs_books_tile_rows tile_rows;
} fs_books_notes;

/* iterations: that the run may have at most, up to FS_BOOKS_ITERATIONS. All memory from the arena. */
void fs_books_notes_create(fs_books_notes *notes, fs_arena *arena, const fs_device_plan *plan,
                           const fs_machine_params *machine, const fs_device *device,
                           const fs_books_labels *labels, uint64_t iterations);
/* In the client's `finished`. */
void fs_books_notes_add(fs_books_notes *notes, const fs_iteration *iteration);
/* Of the device's client as well (device.h): the times of an iteration that was added. */
void fs_books_notes_settle(fs_books_notes *notes, const fs_iteration *iteration);
/* After the run. ledger: of the tiles, or NULL. The notes stay where they are from here on. */
void fs_books_notes_close(fs_books_notes *notes, const fs_ledger *ledger);

/* Name of a tile's role; self: fs_books_labels, so that it is a ledger's role_of too. */
static inline const char *fs_books_role(const void *self, uint32_t tile) {
    const fs_books_labels *labels = self;
    return labels->roles[labels->role[tile]];
}
/* Cycles of a noted iteration, host included. */
static inline uint64_t fs_iteration_cycles(const fs_iteration *i) {
    return i->compute + i->sync + i->exchange + i->host;
}
