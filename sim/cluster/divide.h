/* Which points one task of a job array runs. */
#ifndef FOAMSIM_SIM_CLUSTER_DIVIDE_H
#define FOAMSIM_SIM_CLUSTER_DIVIDE_H

#include "sim/cluster/cluster.h"

typedef struct fs_cluster_chunk {
    fs_store_point *work; /* [count] read from its file: key, label, layer keys and resolved */
    size_t count;
} fs_cluster_chunk;

/* Divides points into chunks. `point` [count] are indices into points, in the sweep's order; those of one
 * geometry and traffic are put together. No chunk is expected to take more than options->chunk_seconds (but
 * for one whose only point does), unless array_limit asks for larger ones; with tasks_at_once no fewer chunks
 * than tasks, where the points allow. seconds [count]: expected of each
 * after another of its geometry, whose recording it may use; alone [count]: as the first of its geometry in
 * a chunk, as every chunk makes its own recordings. */
void fs_cluster_divide(fs_arena *arena, const fs_store_point *points, const size_t *point,
                       const double *seconds, const double *alone, size_t count,
                       const fs_cluster_options *options, fs_cluster_chunk **chunks, size_t *chunk_count);

#endif
