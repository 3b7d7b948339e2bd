/* The time of a frame in closed form: what the device's steps take (models/ipu/plan.h) on the chip that is
 * last. The device runs that chip and keeps the account (chip.h), and is held to this form cycle by cycle; the
 * form says which chip it is, how well its time is known, and what it would be if something were free.
 *
 *     upload | load 0, scene read | copies | batch 0 beside load 1 | copies | batch 1 beside save 0, load 2 |
 *     ... | copies | save
 *
 * Drawn samples stand for all. Without a network all samples of a ray are in one walk, so the slowest worker
 * is that of the sums: what a worker counts over all samples is drawn towards the mean worker of its batch as
 * far as chance chose the slowest (sim/stats/drawn.h). With a network each sample is a walk with a barrier
 * after it, and each drawn one is repeated, all as often but for one.
 */
#pragma once

#include "sim/stats/drawn.h"
#include "workloads/paths/walk/counts.h"
#include "workloads/pathtrace/frame/steps.h"

typedef uint32_t fs_pathtrace_row[FS_WALK_EVENTS]; /* occurrences */

/* Transfers of a step, and the fabric that moves them. */
typedef struct fs_pathtrace_moves {
    fs_transfer *transfers; /* [count] */
    uint32_t *sent_with;    /* [count] multicasts (fs_exchange_lanes); NULL: none */
    uint32_t count;         /* 0: none */
    fs_fabric *fabric;
} fs_pathtrace_moves;

/* What the tiles take in before a serial step of a product: coefficients, and inputs. Without an exchange;
 * memory from the arena. */
fs_pathtrace_moves fs_pathtrace_operands(const fs_pathtrace_layout *layout, const fs_matrix_split *split,
                                         bool inputs, fs_arena *arena);

/* Cycles that do not depend on paths. */
typedef struct fs_pathtrace_fixed {
    fs_priced_program walk;
    uint32_t render_tiles, workers;
    bool each;                         /* a walk for each sample */
    uint64_t drawn, samples;           /* n, S */
    uint64_t part[FS_PATHTRACE_PARTS]; /* compute of a sample beside the walk; TRACE: 0 */
    uint64_t sync, overhead;           /* of the rendering tiles' barrier; of the supervisor's program */
    uint32_t steps;                    /* of a sample */
    uint32_t
        barriers; /* of a sample: one a step, but none between steps without transfers (models/ipu/plan.h) */
    bool planned; /* the next, and copies, are known (fs_pathtrace_fixed_plan) */
    uint64_t arrivals; /* of a sample's exchanges, beside the supervisor's program */
    bool merged;       /* a sample's last step and the next one's first have no barrier between */
    uint64_t load, save,
        both;          /* a batch from streaming memory, to it (and to the host), both beside each other */
    uint64_t stream;   /* barrier and supervisor's program of the tiles of input and output */
    uint64_t copies;   /* between the two groups, barrier included */
    uint64_t read;     /* compute of what reads the scene on each tile, beside the first load */
    uint64_t upload;   /* scene and weights */
    uint64_t launches; /* of the host, in each batch */
    fs_pathtrace_moves *step_moves,
        copy_moves; /* [steps] of a sample; of the copies between the two groups */
} fs_pathtrace_fixed;

typedef struct fs_pathtrace_sizes {
    uint64_t scene, weights; /* B: on each tile; of the chip */
} fs_pathtrace_sizes;

/* FS_INPUT when a program cannot be priced or the exchange refuses its parameters. */
fs_status fs_pathtrace_fixed_of(const fs_machine_params *machine, const fs_pathtrace_params *params,
                                const fs_pathtrace_layout *layout, const fs_pathtrace_steps *steps,
                                const fs_program *walk, fs_pathtrace_sizes sizes, fs_arena *arena,
                                fs_pathtrace_fixed *out, fs_error *err);

/* The exchanges, which over a network are simulated, each once: after the experiment is known to fit, and before
 * a frame. Ports have theirs planned by fs_pathtrace_fixed_of. earlier: planned on the same exchange and geometry, whose
 * arena is kept, so that what is the same is not simulated again; NULL: none. FS_RUN: interrupted. */
fs_status fs_pathtrace_fixed_plan(fs_pathtrace_fixed *fixed, const fs_pathtrace_fixed *earlier,
                                  fs_error *err);

/* The walk of one batch. */
typedef struct fs_pathtrace_batch {
    double mean;                    /* cycles a sample: a worker's on average */
    uint64_t walk;                  /* cycles over all S samples */
    uint64_t event[FS_WALK_EVENTS]; /* occurrences over all S samples and workers */
    double *value;                  /* [n] each: that of one sample; looped: `walk` without that sample */
    /* Looped, not all drawn: slots of a sample, of all drawn ones and without each [n]; and how far `walk`
     * may be off between its bounds, cycles. */
    fs_drawn_greatest drawn, *without;
    double doubt;
} fs_pathtrace_batch;

/* How often drawn sample s stands for one of all S: S / n times, rounded so that they add up. */
static inline uint32_t fs_pathtrace_weight(const fs_pathtrace_fixed *f, uint64_t s) {
    return (uint32_t)((s + 1) * f->samples / f->drawn - s * f->samples / f->drawn);
}

/* What the drawn slots say: mean, values, bounds. slots: [n][render_tiles * workers] of the walk, before
 * cost.scale. */
void fs_pathtrace_batch_of(const fs_pathtrace_fixed *fixed, const uint64_t *slots, fs_arena *arena,
                           fs_pathtrace_batch *out);
/* All batches of the picture are there. The share of its distance from the mean worker that a worker of a
 * looped walk keeps: 1 where all samples were drawn, and with a network. */
double fs_pathtrace_share(const fs_pathtrace_fixed *fixed, fs_pathtrace_batch *batch, uint64_t count);
/* Looped: sums over the drawn samples become those over all. rows: [render_tiles * workers] of a batch.
 * FS_INPUT when an event happens more than 2^32 times on a worker. */
fs_status fs_pathtrace_grow(const fs_pathtrace_fixed *fixed, double share, fs_pathtrace_row *rows,
                            fs_error *err);
fs_status fs_pathtrace_too_many(const fs_pathtrace_fixed *fixed, fs_error *err);
/* Cycles of a call of the walk whose slowest worker counts so many slots. */
uint64_t fs_pathtrace_walk_cycles(const fs_pathtrace_fixed *fixed, uint64_t slots);

/* ---- all batches, alike in a run and a price of its activity (batches.c) ---- */

/* Rows of a batch that are kept for the device: of the workers' sums over the drawn samples, or with a network
 * of each sample. */
uint64_t fs_pathtrace_rows_kept_of(const fs_pathtrace_fixed *fixed);
/* rows: [n][render_tiles * workers] of a batch. Looped: the first [render_tiles * workers] become the sums
 * (UINT32_MAX where they would be more). */
void fs_pathtrace_sum_rows(const fs_pathtrace_fixed *fixed, fs_pathtrace_row *rows);

/* batch: [batches], each by fs_pathtrace_batch_of; counts: [batches][rows that are kept]. share: receives
 * fs_pathtrace_share. Events over 32 bits: FS_INPUT. */
fs_status fs_pathtrace_batches_close(const fs_pathtrace_fixed *fixed, uint64_t batches,
                                     const fs_walk_counts *counts, fs_pathtrace_batch *batch, double *share,
                                     fs_error *err);

/* ---- the frame ---- */

/* Rendering of a batch over all samples whose walks take `walk` cycles together. */
double fs_pathtrace_render(const fs_pathtrace_fixed *fixed, double walk);

/* What is for free, for the ladder. */
typedef struct fs_pathtrace_free {
    bool balance, network, streaming, exchange;
} fs_pathtrace_free;

typedef struct fs_pathtrace_frame {
    double cycles;                 /* of the slowest chip */
    double half;                   /* of its interval of 95 % */
    uint32_t chip;                 /* the slowest */
    double upload, ends, copies;   /* cycles of it: before, first load and last save, copies */
    double walk, network, waiting; /* walks; the rest of rendering; rendering that waits for streaming */
} fs_pathtrace_frame;

/* batch: [layout->batches], closed. */
fs_pathtrace_frame fs_pathtrace_frame_of(const fs_pathtrace_fixed *fixed, const fs_pathtrace_layout *layout,
                                         const fs_pathtrace_batch *batch, fs_pathtrace_free is_free);
