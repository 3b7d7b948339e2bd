/* Links between chips: a graph of directed edges, each a bundle of links, and one fixed route for each ordered pair of
 * chips (docs/design/chips.md). A phase is told its messages, and takes
 *
 *     max over edges of bytes / (links x bandwidth x efficiency) + latency x hops of the farthest message
 *
 * because edges stream: a message is on all edges of its route at once, and its last byte is behind by a latency
 * for each. It knows no tile and no chip's inside. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/config/param.h"

/* FS_CHIPS_APART: chips that do not communicate. */
enum { FS_CHIPS_APART, FS_CHIPS_LADDER, FS_CHIPS_PAIRS, FS_CHIPS_RING, FS_CHIPS_ALL };
extern const char *const fs_chips_kinds[]; /* "apart", "ladder", ..., NULL */

enum { FS_CHIPS_LINKS = 10 }; /* of a chip: ipu.md 5, PL */

typedef struct fs_chips_params {
    int64_t kind;
    fs_int_list
        links; /* of the edges of a chip, in the order of the design's table; not given: its defaults */
    bool links_given;
    double bandwidth;  /* B/s of a link, one way: 16 GB/s */
    double efficiency; /* percent of it that is reached: 85 (70 ... 100) */
    double latency;    /* s for each edge of a route: 250 ns (100 ... 600) */
    double sync;       /* s for each hop of a barrier, one way: 15 ns */
} fs_chips_params;

/* What the rows say that does not go with so many chips; NULL: nothing. key: receives that of the row. */
const char *fs_chips_wrong(const fs_chips_params *params, uint32_t chips, fs_arena *arena, const char **key);

typedef struct fs_chips_edge {
    uint32_t from, to; /* chips */
    uint32_t links;
    const char *name; /* "up": the kind of edge */
} fs_chips_edge;

/* Of an edge over the run. */
typedef struct fs_chips_use {
    uint64_t bytes;
    uint64_t busy; /* cycles in which it carried them */
} fs_chips_use;

typedef struct fs_chips fs_chips;

/* Chips of a clock of so many Hz; the rows are right (fs_chips_wrong) and kept. Memory from the arena. */
fs_chips *fs_chips_create(fs_arena *arena, const fs_chips_params *params, uint32_t chips, double clock);

uint32_t fs_chips_count(const fs_chips *chips);
uint32_t fs_chips_edges(const fs_chips *chips);
fs_chips_edge fs_chips_edge_of(const fs_chips *chips, uint32_t edge);
/* Hops of the route, and its edges; 0 for a chip to itself, UINT32_MAX without a route. */
uint32_t fs_chips_route(const fs_chips *chips, uint32_t from, uint32_t to, const uint32_t **edges);
/* Cycles of a barrier over all chips beyond sync.external. */
uint64_t fs_chips_sync(const fs_chips *chips);

/* ---- a phase ---- */

void fs_chips_begin(fs_chips *chips);
/* A message between two chips that have a route. */
void fs_chips_send(fs_chips *chips, uint32_t from, uint32_t to, uint64_t bytes);
/* Cycles for which an edge carries what was sent since the beginning. */
uint64_t fs_chips_busy(const fs_chips *chips, uint32_t edge);
/* The most of them; latency: cycles from there to the last arrival. */
uint64_t fs_chips_longest(const fs_chips *chips, uint64_t *latency);
/* Counts the phase, so many times, to what edges did. Bytes times the hops that they went, of one. */
uint64_t fs_chips_end(fs_chips *chips, uint64_t times);

fs_chips_use fs_chips_use_of(const fs_chips *chips, uint32_t edge);
