/* Arbiters of three policies. */
#include "models/part/part.h"

#include <stddef.h>

const char *const fs_arbiter_words[] = {[FS_ARBITER_FIXED] = "fixed",
                                        [FS_ARBITER_ROUND_ROBIN] = "round_robin",
                                        [FS_ARBITER_OLDEST] = "oldest",
                                        NULL};

void fs_arbiter_init(fs_arbiter *arbiter, int64_t policy, uint32_t ports) {
    FS_ASSERT(ports > 0 && policy >= FS_ARBITER_FIXED && policy <= FS_ARBITER_OLDEST,
              "an arbiter of nothing");
    *arbiter = (fs_arbiter){.policy = policy, .ports = ports, .last = ports - 1};
}

static uint32_t first_from(const uint64_t *since, uint64_t now, uint32_t from, uint32_t to) {
    for (uint32_t p = from; p < to; p++)
        if (since[p] <= now)
            return p;
    return FS_ARBITER_NONE;
}

static uint32_t oldest(const uint64_t *since, uint64_t now, uint32_t ports) {
    uint32_t best = FS_ARBITER_NONE;
    for (uint32_t p = 0; p < ports; p++)
        if (since[p] <= now && (best == FS_ARBITER_NONE || since[p] < since[best]))
            best = p;
    return best;
}

uint32_t fs_arbiter_pick(fs_arbiter *arbiter, const uint64_t *since, uint64_t now) {
    uint32_t port;
    if (arbiter->policy == FS_ARBITER_OLDEST) {
        port = oldest(since, now, arbiter->ports);
    } else {
        const uint32_t from = arbiter->policy == FS_ARBITER_FIXED ? 0 : arbiter->last + 1;
        port = first_from(since, now, from, arbiter->ports);
        if (port == FS_ARBITER_NONE)
            port = first_from(since, now, 0, from);
    }
    if (port != FS_ARBITER_NONE)
        arbiter->last = port;
    return port;
}
