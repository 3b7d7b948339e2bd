/* What would help: the run's time again with one thing for free after another, from the books of the run
 * itself. Sums are exact: every iteration is priced anew from the cycles of its tiles.
 *
 * Iterations are kept: free routers still take one iteration for each router that a ray passes.
 */
#pragma once

#include "sim/results/ladder.h"
#include "workloads/foam/books/books.h"

#include <stdint.h>

enum {
    FS_REPLICA_SHARDS = 4, /* that a plan gives more tracers, beside those that have several already */
    FS_REPLICA_COPIES = 4, /* tracers for each of them; up to two more than the most that one has already */
    FS_PLAN_SHARDS = 2 * FS_REPLICA_SHARDS
};

/* Shards that would have `copies` tracers each, those that have several already among them. */
typedef struct fs_replica_plan {
    uint32_t shard[FS_PLAN_SHARDS];
    uint32_t count, copies; /* count 0: no set is worth its tiles */
    uint32_t tiles;         /* spare tiles that it takes */
    uint64_t saved;         /* cycles */
} fs_replica_plan;

typedef struct fs_foam_ladder {
    fs_rung rung[FS_RUNGS];
    fs_replica_plan replicas;
    uint64_t iterations_without_waiting; /* that the run would need if no ray waited */
    bool waited;                         /* a ray was spilled, dropped or sat in the generator's ring */
} fs_foam_ladder;

typedef struct fs_foam_ladder_run {
    fs_arena *arena;              /* of texts */
    double clock;                 /* Hz */
    uint64_t cycles;              /* of the device, the first visit of the host included */
    const fs_foam_setup *setup;   /* schedule of the generator, grid of the host's visits, coverage */
    const fs_framebuffer *pixels; /* hop maps of the first frame */
    bool decoupled;               /* slices of time instead of iterations */
    bool path;                    /* frames of a path, */
    uint64_t send;                /* and cycles in which the largest shard is sent to another tile */
} fs_foam_ladder_run;

/* Needs the matrix of cycles, or tops in its place, and closed books.
 *
 * A decoupled run has no iterations to price anew. Its rungs say how long the busiest tile that is left would
 * compute in all: the run would take at least that long, if the calls' work stayed the same. Exchange, sync
 * and buffers have no rung. */
void fs_foam_ladder_make(const fs_foam_books *books, const fs_foam_ladder_run *run, fs_foam_ladder *out);

/* The slowest shards of every iteration, and the work of all tracers in it; books are kept. From the matrix of
 * cycles; or row by row, [used] as in the matrix, each once the iteration's note is made. */
fs_shard_tops *fs_shard_tops_make(const fs_foam_books *books, fs_arena *arena);
fs_shard_tops *fs_shard_tops_create(const fs_foam_books *books, uint64_t most_iterations, fs_arena *arena);
void fs_shard_tops_add(fs_shard_tops *tops, const uint32_t *row);
/* The tracers' compute of iteration k spread evenly, cycles: no arrangement of the same work is faster. */
uint64_t fs_shard_tops_balanced(const fs_shard_tops *tops, uint64_t k);

/* The set of shards whose further tracers gain most, found greedily for each number of copies; a further tile
 * has to gain half a per cent of `cycles`. Cycles of a shard's tracers above those of idle ones are shared
 * equally by them. Shards that have several tracers stay in the set (more than FS_REPLICA_SHARDS of them: no
 * plan is made). */
void fs_replicas_plan(const fs_shard_tops *tops, uint64_t cycles, fs_replica_plan *out);
/* Replicas that follow the camera: for each frame of a path a plan of its own, from the iteration in which it begins
 * until the next begins; what changes is sent before. */
typedef struct fs_following {
    uint64_t saved;  /* cycles, those of sending taken off */
    uint32_t frames; /* that have a plan */
    uint32_t sent;   /* times that another plan's shards are sent */
    uint32_t tiles;  /* spare tiles, of the plan with most */
} fs_following;
void fs_replicas_follow(const fs_shard_tops *tops, const uint64_t *first, uint32_t frames, uint64_t send,
                        fs_following *out);
/* Cycles of the slowest tracer of iteration k under a plan. */
uint64_t fs_replicas_tracers(const fs_shard_tops *tops, const fs_replica_plan *plan, uint64_t k);

/* Iterations until the last counted frame is done if every ray took its shortest way: born + shortest, the
 * coverage, the grid of the host's visits. At most the iterations of the run. */
uint64_t fs_iterations_without_waiting(const fs_foam_ladder_run *run, uint64_t iterations);
