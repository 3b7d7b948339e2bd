/* An arbiter: which of those that ask is served. Fixed priority takes the lowest number, round robin the
 * first after the one served last, oldest the one that asks since the earliest cycle (of equals the lowest
 * number).
 */
#ifndef FOAMSIM_MODELS_PART_ARBITER_H
#define FOAMSIM_MODELS_PART_ARBITER_H

#include <stdint.h>

enum { FS_ARBITER_FIXED, FS_ARBITER_ROUND_ROBIN, FS_ARBITER_OLDEST };
extern const char *const fs_arbiter_words[]; /* by policy, NULL at the end */

#define FS_ARBITER_NONE   UINT32_MAX
#define FS_ARBITER_SILENT UINT64_MAX

typedef struct fs_arbiter {
    int64_t policy;
    uint32_t ports;
    uint32_t last; /* served last; ports - 1 at first */
} fs_arbiter;

void fs_arbiter_init(fs_arbiter *arbiter, int64_t policy, uint32_t ports);
/* The port to be served at `now`, and notes it; FS_ARBITER_NONE: nobody asks. since: [ports] the cycle from
 * which on a port asks, FS_ARBITER_SILENT: it does not. */
uint32_t fs_arbiter_pick(fs_arbiter *arbiter, const uint64_t *since, uint64_t now);

#endif
