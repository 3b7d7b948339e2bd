/* The exchange fabric: each tile sends and receives `bytes_per_cycle`, full duplex; there is no contention
 * inside the fabric (ipu.md section 4), so transfers that share a sender or a receiver serialise and nothing
 * else does.
 *
 * `static` (Poplar-like): the transfer list is fixed at compile time and every lane moves its whole buffer in
 * every iteration, occupied or not. The plan gives each transfer a start; no port is in two transfers at a
 * time. With equal lanes it is a proper edge colouring with as many rounds as the busiest port has lanes
 * (Koenig), so its length is exactly that port's bytes over bytes_per_cycle. One constant for a
 * configuration.
 *
 * `dynamic`: each lane with rays sends a header and the occupied bytes. A sender sends its lanes in the order
 * of their numbers, one at a time; a receiver takes one transfer at a time, requests in the order (time of
 * request, sender tile).
 *
 * Multicast: transfers that are `sent_with` one another are one message of a static exchange, sent once, that
 * all its receivers take in the same cycles. A dynamic exchange sends each by itself.
 *
 * Pairs: tiles 2 k and 2 k + 1 share their ports. A double-width message moves twice the bytes a cycle and
 * holds the sending ports of both tiles of its sender's pair; it goes to whole pairs, not to the sender's, and
 * has 512 B at least (ipu.md 4). A schedule is planned with and without them, and the shorter plan holds.
 *
 * Rotation: in round r of a static exchange tile t sends to tile (t + r) mod T, r = 1 ... T - 1, each pair the same bytes:
 * no port is in two transfers at a time and none waits, so it takes (T - 1) ceil(b / bytes_per_cycle) cycles to the
 * last end of sending. A pattern and not a list: its transfer t (T - 1) + r - 1 is worked out where it is asked for.
 *
 * Moving b bytes holds both ports for ceil(b / bytes_per_cycle) cycles. A transfer that ends sending at time
 * e has arrived at e + latency(src, dst). Phase time: program_overhead + the last arrival (no transfer:
 * program_overhead).
 */
#pragma once

#include "models/chip/geometry.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_EXCHANGE_STATIC = 0, FS_EXCHANGE_DYNAMIC = 1 };
enum { FS_EXCHANGE_PAIR_SHARED = 0, FS_EXCHANGE_PAIR_IDLE = 1, FS_EXCHANGE_PAIR_OFF = 2 };
enum { FS_EXCHANGE_MERGED = 0, FS_EXCHANGE_SERIAL = 1, FS_EXCHANGE_PAIRS = 2 };

enum { FS_EXCHANGE_LEAST_WIDE = 512 }; /* B of a double-width message: 64 items of 64 bits (ipu.md 4, IS) */

/* Folded columns of the table of ipu.md 4, and half-cycles that its farther ones add. */
enum { FS_EXCHANGE_KNOWN_COLUMNS = 8, FS_EXCHANGE_COLUMN_STEP = 12 };

typedef struct fs_exchange_params {
    int64_t kind; /* of the fabric (models/fabric/fabric.h); what follows is of ports */
    int64_t mode;
    int64_t copies;          /* of a static exchange: merged into one phase; one after the other; by pairs */
    int64_t bytes_per_cycle; /* each direction of a tile: 4 */
    int64_t pair_receive;    /* double-width: multicasts to whole pairs; also beside idle tiles; never */
    int64_t header;          /* bytes of a dynamic message's header */
    int64_t latency_base;    /* cycles: 52 (52 ... 60) */
    int64_t latency_row;     /* cycles for each row of sender and of receiver: 1 */
    /* half-cycles for |folded column difference| 0, 1, 2, ..., same half and other half: the X of ipu.md 4,
     * doubled. One number for each folded column of the machine (columns / 2, rounded up), or at least the
     * known ones: after the last number each column adds FS_EXCHANGE_COLUMN_STEP, as from the third column
     * of that table on. Else FS_INPUT from fs_exchange_create. The `given` flags tell whether the user wrote
     * the list. */
    fs_int_list column_same, column_other;
    bool column_same_given, column_other_given;
    int64_t program_overhead; /* cycles of supervisor program between two steps: 50 (20 ... 150) */
} fs_exchange_params;

/* Whether there are double-width messages. */
static inline bool fs_exchange_has_pairs(const fs_exchange_params *params) {
    return params->mode == FS_EXCHANGE_STATIC && params->pair_receive != FS_EXCHANGE_PAIR_OFF;
}

typedef struct fs_transfer { /* one lane as the fabric sees it */
    uint32_t src, dst;       /* tiles */
    uint32_t bytes;          /* of the whole buffer; a multiple of 4 */
} fs_transfer;

typedef struct fs_exchange fs_exchange;

/* What if the bulk copies of a static exchange were not merged: copy after copy, each with a schedule of its
 * own that begins `between` cycles after the last arrival of the one before it. */
typedef struct fs_exchange_copies {
    const uint32_t *of; /* [transfers] 0 ... count - 1 */
    uint32_t count;
    uint64_t between; /* cycles of a barrier and of the supervisor's program */
} fs_exchange_copies;

/* What an exchange moves. Kept (not copied), but copies. */
typedef struct fs_exchange_lanes {
    const fs_transfer *transfers; /* [count]; index = lane number; lanes of 0 bytes never send */
    uint32_t count;
    /* [count] multicasts: the first transfer of the message that each belongs to, itself for one that leads or
     * is alone. Those of a message have one source, one number of bytes, receivers that differ, and one copy.
     * NULL: no multicasts. */
    const uint32_t *sent_with;
    const uint8_t *apart;             /* [tiles] do something else, their ports are not lent; NULL: none */
    const fs_exchange_copies *copies; /* NULL: all in one schedule */
    uint32_t
        rotation; /* bytes that each tile sends to each other in a static exchange without a list; 0: none */
    uint32_t
        room;   /* transfers of a dynamic exchange that fs_exchange_set brings at most; 0: those above stay */
    bool whole; /* every phase moves all of them whole, which a network then knows in advance (fabric.h) */
} fs_exchange_lanes;

/* Plans the static schedule when mode is static. All memory from the arena. NULL with FS_INPUT when a latency list
 * is too short for the machine's columns or would make a latency negative. */
fs_exchange *fs_exchange_create(fs_arena *arena, const fs_exchange_params *params,
                                const fs_geometry_params *geometry, uint32_t tiles,
                                const fs_exchange_lanes *lanes, fs_error *err);

/* Dynamic mode, made with room: what it moves from now on. Kept; ascending by sender. */
void fs_exchange_set(fs_exchange *x, const fs_transfer *transfers, uint32_t count);

/* Transfer i of a rotation of so many bytes over so many tiles. */
static inline fs_transfer fs_exchange_rotated(uint32_t tiles, uint32_t bytes, uint32_t i) {
    const uint32_t src = i / (tiles - 1), to = src + 1 + i % (tiles - 1);
    return (fs_transfer){src, to < tiles ? to : to - tiles, bytes};
}

/* Cycles from the end of sending at src to the last word written at dst: latency_base + latency_row x (row of
 * src + row of dst) + X of the columns, half a cycle rounded up. */
uint32_t fs_exchange_latency(const fs_exchange *x, uint32_t src, uint32_t dst);

/* Bytes that lane `transfer` moves in a phase: static: the whole buffer; dynamic: header + occupied, or 0
 * when nothing is occupied. More occupied bytes than the buffer has is a defect. */
uint32_t fs_exchange_message(const fs_exchange *x, uint32_t transfer, uint32_t occupied);
/* Cycles that `bytes` hold a port. */
uint64_t fs_exchange_port_cycles(const fs_exchange *x, uint64_t bytes);
/* The same of a transfer, which may be of a double-width message. */
uint64_t fs_exchange_transfer_cycles(const fs_exchange *x, uint32_t transfer, uint64_t bytes);
/* Bytes that tiles take in by double-width messages in a phase; 0 in dynamic mode. */
uint64_t fs_exchange_wide_bytes(const fs_exchange *x);
/* Static mode: the first transfer of its message. */
uint32_t fs_exchange_sent_with(const fs_exchange *x, uint32_t transfer);

/* Per-tile counters of one phase, [tiles] each; NULL members are skipped. Added to, not set. */
typedef struct fs_port_counters {
    uint64_t *bytes_out, *bytes_in; /* B, headers included; of a multicast out once, in at each receiver */
    uint64_t *busy_out, *busy_in;   /* cycles the port was moving words */
    uint64_t *waiting_out;          /* cycles a sender with something left to send waited for a receiver */
} fs_port_counters;

/* One member's rule: those that are NULL are not counted. */
static inline void fs_port_count(uint64_t *member, uint32_t tile, uint64_t by) {
    if (member != NULL)
        member[tile] += by;
}

/* Closed form of one phase in cycles. occupied: [count] bytes that hold rays in each lane (0: nothing to
 * send); ignored in static mode (may be NULL). Allocates nothing; not thread-safe. */
uint64_t fs_exchange_phase(fs_exchange *x, const uint32_t *occupied, const fs_port_counters *counters);

/* Static mode: counts the ports of so many phases, which are all alike; for a caller who gave the phases
 * themselves no counters. */
void fs_exchange_count_planned(const fs_exchange *x, uint64_t phases, const fs_port_counters *counters);

/* Static mode: start of each transfer in its phase, cycles from the beginning of the schedule (which follows
 * program_overhead); used by the event level. */
uint64_t fs_exchange_static_start(const fs_exchange *x, uint32_t transfer);

/* Static mode: quality of the plan. */
typedef struct fs_exchange_plan {
    uint64_t bound;    /* cycles the busiest port needs: no plan is shorter */
    uint64_t length;   /* cycles from the first start to the last end of sending */
    uint64_t arrival;  /* cycles to the last arrival */
    double efficiency; /* bound / length, 1 with nothing to send */
} fs_exchange_plan;
fs_exchange_plan fs_exchange_plan_of(const fs_exchange *x);

/* One broadcast from tile src to all others: sent once, over when it has arrived at the farthest. Cycles, 0
 * for 0 bytes. */
uint64_t fs_exchange_broadcast(const fs_exchange *x, uint32_t src, uint64_t bytes);

/* Whether one of the two lists of column distances, column_same or column_other, goes with a chip; else
 * *why says what is wrong with it, in the arena. fs_exchange_create refuses what does not. */
bool fs_exchange_columns_fit(const fs_exchange_params *params, const fs_geometry_params *geometry,
                             const fs_int_list *list, fs_arena *arena, const char **why);

/* Ways in um: along the row to the spine, along it, and out again: rows of sender and receiver from the spine,
 * folded columns between them, twice the height of a row more to the other half (energy.md 2). In parts: to the
 * spine, and along it over the folded columns from `least` to `most`; from the spine to a receiver. */
uint32_t fs_exchange_way(const fs_geometry_params *geometry, uint32_t from, uint32_t to);
uint32_t fs_exchange_way_in(const fs_position *from, uint32_t least, uint32_t most);
uint32_t fs_exchange_way_out(const fs_position *from, const fs_position *to);
/* The ways of a chip's whole width and height: what a broadcast pays. */
uint32_t fs_exchange_span(const fs_geometry_params *geometry);

/* Folded columns of a chip whose latency is continued beyond the shorter list. */
uint32_t fs_exchange_continued(const fs_exchange_params *params, const fs_geometry_params *geometry);
