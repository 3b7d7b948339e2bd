/* Private to formats/netrace: packets that are waited for, while those that wait have not been read, and ids that were. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_NETRACE_MOST_WAITS = 1 << 24 }; /* at a time */

/* A packet that another one, with the id, waits for. */
typedef struct fs_netrace_wait {
    uint32_t id, next;
    uint64_t task, stamp;  /* of the packet that is waited for: its number among the tasks, its cycle */
    uint64_t record, byte; /* of it in the file */
} fs_netrace_wait;

typedef struct fs_netrace_waits {
    fs_netrace_wait *item; /* [items] of which some are free */
    uint32_t *bucket;      /* [buckets] by id: one more than the first item; 0: none */
    uint32_t buckets, items, free, count;
    uint64_t **seen; /* [65536] bits of ids that were read, by their upper halves */
} fs_netrace_waits;

/* All zero to begin with; freed with it. */
void fs_netrace_waits_free(fs_netrace_waits *waits);
/* The packet with the id waits for that one. false: too many do. */
bool fs_netrace_waits_add(fs_netrace_waits *waits, const fs_netrace_wait *wait);
/* Those that the packet with the id waits for, which are taken out, into `out`; returns how many. */
size_t fs_netrace_waits_take(fs_netrace_waits *waits, uint32_t id, fs_netrace_wait **out, size_t *room);
/* Notes that an id was read. false: for the second time. */
bool fs_netrace_waits_see(fs_netrace_waits *waits, uint32_t id);
bool fs_netrace_waits_saw(const fs_netrace_waits *waits, uint32_t id);
/* One that nobody took: of the packet that stands first in the file; NULL: none. */
const fs_netrace_wait *fs_netrace_waits_left(const fs_netrace_waits *waits);
