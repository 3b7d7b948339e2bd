/* DRAM by the rows of its standard: channels, ranks, banks, open rows, the times between commands, refresh.
 * A state machine without a clock: an access is offered, next_due says when there is something to decide, a
 * step decides and says when the data move. Times are cycles of the memory's clock.
 *
 * Rules. An access is so many whole bursts, one after the other. A row that is open is read at once (hit); a
 * bank without one is activated (miss: tRCD); a bank with another is closed before (conflict: tRP + tRCD).
 * Activates keep tRC of the bank, tRRD and tFAW of the rank; a precharge keeps tRAS, tRTP after a read, tWR
 * after the data of a write. Data follow the column command by CL (writes: CL - 1) without gaps where the
 * bus is free; a change of rank leaves `rank_switch` cycles, a read after a write tWTR. Rows are prepared as
 * soon as an access arrives, so the time between accesses is not lost; the command bus is never the limit.
 * Every tREFI a rank refreshes for tRFC with all rows closed, after the access that it meets. Pages lie
 * channel by channel, then bank by bank, rank by rank: page / channels is a page of the channel, its bank is
 * page % banks. An access that goes beyond its page stays in its channel. */
#pragma once

#include "sim/base/alloc.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_DRAM_IN_ORDER, FS_DRAM_FR_FCFS, FS_DRAM_ONE };
extern const char *const fs_dram_schedulers[]; /* "in_order", "fr_fcfs", "one", NULL */
#define FS_DRAM_NEVER UINT64_MAX

/* A module. Times in cycles of its clock. */
typedef struct fs_dram_kind {
    const char *name, *summary, *source;
    uint64_t clock;                              /* Hz; data move twice a cycle */
    uint32_t bus_bytes, burst_beats;             /* of a channel */
    uint32_t channels, ranks, banks, page_bytes; /* of a channel; of a rank; of a row over the rank */
    uint32_t rcd, rp, cl, ras, rc, rrd, faw, wtr, rtp, wr, rank_switch, refi, rfc;
} fs_dram_kind;

enum { FS_DRAM_KINDS = 5 };
extern const fs_dram_kind fs_dram_kinds[FS_DRAM_KINDS]; /* ddr2-300, ddr2-500, ddr3-1600, ddr4-3200, hbm2 */

static inline uint32_t fs_dram_burst_bytes(const fs_dram_kind *kind) {
    return kind->bus_bytes * kind->burst_beats;
}
static inline uint32_t fs_dram_burst_cycles(const fs_dram_kind *kind) {
    return kind->burst_beats / 2;
}
/* Bytes a second of all channels. */
static inline uint64_t fs_dram_bandwidth(const fs_dram_kind *kind) {
    return 2 * kind->clock * kind->bus_bytes * kind->channels;
}

/* What a bank has done. Every burst is a hit, a miss or a conflict. */
typedef struct fs_dram_bank_use {
    uint64_t hits, misses, conflicts;
} fs_dram_bank_use;

typedef struct fs_dram_use {
    uint64_t accesses, bursts, hits, misses, conflicts;
    uint64_t refreshes, rank_switches;
    uint64_t busy; /* cycles of the memory's clock in which data move, over all channels */
} fs_dram_use;

typedef struct fs_dram fs_dram;

/* room: accesses that may wait at a time in all. */
fs_dram *fs_dram_create(fs_arena *arena, const fs_dram_kind *kind, int64_t scheduler, uint32_t room);

typedef struct fs_dram_access {
    uint64_t address;
    uint32_t bytes; /* > 0 */
    uint32_t tag;   /* the caller's */
    bool write;
} fs_dram_access;

/* Offers an access that arrives at `now`, in ascending order of it. There must be room. */
void fs_dram_offer(fs_dram *dram, uint64_t now, const fs_dram_access *access);
/* The next cycle in which a waiting access can be chosen; FS_DRAM_NEVER: nothing waits. */
uint64_t fs_dram_next_due(const fs_dram *dram);

/* A chosen access: its data move from cycle `first` on, and are all there at `last`. */
typedef struct fs_dram_data {
    uint32_t tag;
    uint64_t first, last;
} fs_dram_data;

/* Chooses one access that is due at `now`; false: none is. To be called until it is false. */
bool fs_dram_step(fs_dram *dram, uint64_t now, fs_dram_data *data);

fs_dram_use fs_dram_use_of(const fs_dram *dram);
/* Of bank b of rank r of channel c: [(c x ranks + r) x banks + b]. */
const fs_dram_bank_use *fs_dram_banks(const fs_dram *dram);

/* Remote buffers: streaming memory beside the chips, met by the tiles of input and output in whole batches.
 *
 * A batch lies in pieces, one for each of those tiles, one after the other. A piece moves in packets of
 * `packet` bytes (the last may be shorter), and the memory reads and writes whole lines of `line` bytes: a
 * packet that does not begin on a line touches one line more than it fills. So a buffer's alignment has a
 * price: pieces whose size is a multiple of a line touch bytes / line lines, pieces of 3,780 or 170,100 B
 * touch nearly five lines a packet in place of four (neural_path_tracing.md 6).
 *
 * Rate: `bandwidth` is a chip's, both directions together; `shared_bandwidth` is that of the memory which
 * `sharers` chips have in common, so n chips of a pod, filled up from the first memory on, have each at most
 * shared_bandwidth / min(n, sharers).
 */
typedef struct fs_remote_params {
    double bandwidth;        /* B/s of a chip, both directions together: 3.52e9 */
    double shared_bandwidth; /* B/s of a memory: 25.6e9 */
    int64_t sharers;         /* chips that share a memory: 4 */
    double latency;          /* seconds from the request to the first line: 2e-6 */
    int64_t line;            /* B that the memory reads or writes at once: 64 */
    int64_t packet;          /* B of a packet: 256 */
} fs_remote_params;

/* A buffer of `pieces` of `bytes` each, one after the other from a line's beginning on. */
typedef struct fs_remote_buffer {
    uint64_t bytes;  /* of a piece */
    uint32_t pieces; /* one for each tile of input and output */
} fs_remote_buffer;

/* Lines that moving the buffer once touches. */
uint64_t fs_remote_lines(const fs_remote_params *p, fs_remote_buffer buffer);
/* B/s of a chip in a pod of `chips`: of lines, both directions together. */
double fs_remote_rate(const fs_remote_params *p, uint32_t chips);
/* Cycles of a clock of `hz`, rounded up, until `directions` (1 or 2: load, save, both beside each other)
 * moves of the buffer are over. */
uint64_t fs_remote_cycles(const fs_remote_params *p, fs_remote_buffer buffer, uint32_t directions,
                          uint32_t chips, double hz);
