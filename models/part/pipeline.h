/* A pipeline: so many stages, an item in every `interval` cycles. It takes the items of a request together,
 * in the order in which requests come to it; they arrive evenly between the first and the last byte, so item
 * j of m arrives ceil(j x bytes' cycles / m) cycles after the first. Each enters when it has arrived and
 * the one before is `interval` cycles ahead. Nothing can hold what is inside: a pipeline never stalls for
 * output. */
#ifndef FOAMSIM_MODELS_PART_PIPELINE_H
#define FOAMSIM_MODELS_PART_PIPELINE_H

#include "models/part/use.h"

#include <stdint.h>

typedef struct fs_pipeline {
    uint64_t depth, interval; /* cycles; depth >= interval > 0 */
    uint64_t free;            /* when the next item may enter */
    uint64_t items;
    fs_part_use use; /* busy: items x interval; input: a request is at it, its next item has not come */
} fs_pipeline;

/* A request at the input. */
typedef struct fs_pipeline_claim {
    uint64_t from, to; /* the cycles in which it holds the input */
    uint64_t out;      /* when its last item has left the last stage */
} fs_pipeline_claim;

void fs_pipeline_init(fs_pipeline *pipeline, int64_t depth, int64_t interval);
/* A request's items come between `first` and `last`, first < last; items > 0. Calls in ascending order of
 * `first`. */
fs_pipeline_claim fs_pipeline_offer(fs_pipeline *pipeline, uint64_t first, uint64_t last, uint32_t items);

#endif
