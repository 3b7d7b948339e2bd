/* A pod of chips of one kind that do not communicate: data parallel. Work comes in items of one size
 * (batches of rays, tiles of a picture) that are dealt like cards: item i goes to chip i mod n.
 *
 * Every chip runs as many items, so what is left over by the division is filled up with dummies, which cost
 * what an item costs and give nothing. With a rest r = items mod n that is not 0:
 *   program   r (n - 1) dummies, as a published program has it (neural_path_tracing.md 1, several chips)
 *   even      n - r dummies: the least
 */
#ifndef FOAMSIM_MODELS_IPU_POD_H
#define FOAMSIM_MODELS_IPU_POD_H

#include <stdint.h>

enum { FS_POD_MOST_CHIPS = 64 };

typedef enum fs_pod_rule { FS_POD_PROGRAM, FS_POD_EVEN } fs_pod_rule;

typedef struct fs_pod {
    uint32_t chips;     /* 1 ... FS_POD_MOST_CHIPS */
    uint64_t items;     /* that are wanted */
    uint64_t dummies;   /* that fill up */
    uint64_t of_a_chip; /* items and dummies that each chip runs: (items + dummies) / chips */
} fs_pod;

static inline fs_pod fs_pod_deal(uint64_t items, uint32_t chips, fs_pod_rule rule) {
    const uint64_t rest = items % chips;
    const uint64_t dummies = rest == 0 ? 0 : rule == FS_POD_PROGRAM ? rest * (chips - 1) : chips - rest;
    return (fs_pod){chips, items, dummies, (items + dummies) / chips};
}

/* The chip that runs item (or dummy: items, items + 1, ...) i. */
static inline uint32_t fs_pod_chip(const fs_pod *pod, uint64_t i) {
    return (uint32_t)(i % pod->chips);
}

/* Share of what runs that is wanted: 1 without dummies. */
static inline double fs_pod_useful(const fs_pod *pod) {
    return (double)pod->items / (double)(pod->items + pod->dummies);
}

#endif
