/* Credits: how many may be under way at a time. */
#ifndef FOAMSIM_MODELS_PART_CREDITS_H
#define FOAMSIM_MODELS_PART_CREDITS_H

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_credits {
    uint32_t limit, taken;
} fs_credits;

static inline bool fs_credits_left(const fs_credits *credits) {
    return credits->taken < credits->limit;
}
static inline void fs_credits_take(fs_credits *credits) {
    FS_ASSERT(fs_credits_left(credits), "all %u credits are taken", credits->limit);
    credits->taken++;
}
static inline void fs_credits_give(fs_credits *credits) {
    FS_ASSERT(credits->taken > 0, "a credit came back that nobody took");
    credits->taken--;
}

#endif
