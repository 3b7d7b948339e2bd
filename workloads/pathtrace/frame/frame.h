/* The time of a frame in closed form: what the device's steps take (models/ipu/plan.h), drawn samples grown
 * to all samples, batches on a pod of chips. A run's device is held to it cycle by cycle; re-pricing is this
 * alone.
 *
 *     upload | load 0, copies | batch 0 beside load 1 | copies | batch 1 beside save 0, load 2 | ... | save
 *
 * A batch without a network: all samples of a ray inside one walk, so the slowest worker is that of the sums.
 * With a network: a walk for each sample, with a barrier behind it, so the slowest worker is that of each
 * sample.
 */
#ifndef FOAMSIM_WORKLOADS_PATHTRACE_FRAME_FRAME_H
#define FOAMSIM_WORKLOADS_PATHTRACE_FRAME_FRAME_H

#include "sim/stats/drawn.h"
#include "workloads/pathtrace/frame/steps.h"

/* Cycles that do not depend on paths. */
typedef struct fs_pathtrace_fixed {
    fs_priced_program walk;
    uint32_t render_tiles, workers;
    bool each;                         /* a walk for each sample */
    uint64_t drawn, samples;           /* n, S */
    uint64_t part[FS_PATHTRACE_PARTS]; /* compute of a sample beside the walk; TRACE: 0 */
    uint64_t sync, overhead;           /* of the rendering tiles' barrier; of the supervisor's program */
    uint32_t steps;                    /* of a sample */
    uint64_t arrivals;                 /* of a sample's exchanges, beside the supervisor's program */
    bool merged; /* a sample's last step and the next one's first have no barrier between */
    uint64_t load, save,
        both;        /* a batch from streaming memory, to it (and to the host), both beside each other */
    uint64_t stream; /* barrier and supervisor's program of the tiles of input and output */
    uint64_t copies; /* between the two groups, barrier included */
    uint64_t upload; /* scene and weights, and what reads the scene on each tile */
} fs_pathtrace_fixed;

typedef struct fs_pathtrace_sizes {
    uint64_t scene, weights; /* B: on each tile; of the chip */
} fs_pathtrace_sizes;

/* FS_INPUT when a program cannot be priced or the exchange refuses its parameters. */
fs_status fs_pathtrace_fixed_of(const fs_machine_params *machine, const fs_pathtrace_params *params,
                                const fs_pathtrace_layout *layout, const fs_pathtrace_steps *steps,
                                const fs_program *walk, fs_pathtrace_sizes sizes, fs_arena *arena,
                                fs_pathtrace_fixed *out, fs_error *err);

/* The walk of one batch. */
typedef struct fs_pathtrace_batch {
    double mean,
        slowest;   /* cycles a sample: a worker's on average; the slowest one's, as all samples have it */
    double walk;   /* cycles of the walk over all S samples */
    uint64_t run;  /* cycles of the walk over the n samples as the device runs them */
    double *value; /* [n] each: that of one sample; looped: `walk` without that sample */
    /* Looped, not all drawn: slots of a sample, of all drawn ones and without each [n]; and how far `walk`
     * may be off between its bounds, cycles. */
    fs_drawn_greatest drawn, *without;
    double doubt;
} fs_pathtrace_batch;

/* slots: [n][render_tiles * workers] of the walk, before cost.scale. */
void fs_pathtrace_batch_of(const fs_pathtrace_fixed *fixed, const uint64_t *slots, fs_arena *arena,
                           fs_pathtrace_batch *out);
/* All batches of the picture are there: those that are looped are told of all samples, from what all of them
 * say of how far chance chooses the slowest. */
void fs_pathtrace_batches_grow(const fs_pathtrace_fixed *fixed, fs_pathtrace_batch *batch, uint64_t count);

/* Rendering of a batch over `samples` samples whose walks take `walk` cycles together. */
double fs_pathtrace_render(const fs_pathtrace_fixed *fixed, double walk, double samples);
/* The stage of a batch as the device runs it: the longer of rendering n samples and streaming. */
uint64_t fs_pathtrace_stage_run(const fs_pathtrace_fixed *fixed, const fs_pathtrace_batch *batch, bool first,
                                bool last);

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
    uint64_t dummies;              /* batches of the pod that fill up */
} fs_pathtrace_frame;

/* batch: [layout->batches]. */
fs_pathtrace_frame fs_pathtrace_frame_of(const fs_pathtrace_fixed *fixed, const fs_pathtrace_layout *layout,
                                         const fs_pathtrace_batch *batch, fs_pathtrace_free is_free);

#endif
