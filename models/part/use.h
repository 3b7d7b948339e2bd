/* What became of a part's cycles: it worked, it had nothing to work on though it was asked (its input has not
 * come), it could not pass on what it has (its output is not taken), or it had nothing to do. The four add up
 * to the cycles of the run, times the places of the part where it has several. */
#ifndef FOAMSIM_MODELS_PART_USE_H
#define FOAMSIM_MODELS_PART_USE_H

#include <stdint.h>

typedef struct fs_part_use {
    uint64_t busy, input, output, idle; /* cycles */
} fs_part_use;

static inline uint64_t fs_part_use_sum(const fs_part_use *use) {
    return use->busy + use->input + use->output + use->idle;
}

#endif
