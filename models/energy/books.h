/* Energy of a device's run: events are counted as they happen, and priced when an iteration is over.
 *
 * Three accounts that must agree to the attojoule (fs_energy_settle): by part and phase, iteration by
 * iteration; by part, from the events of the whole run; by tile, with what belongs to no tile beside. The
 * first is at central prices alone, the second at both ends of the ranges too.
 *
 * What a tile pays: its calls, its products, accesses of its memory by the exchange, the ways that it sends
 * on, its part in barriers, clock and leakage. What no tile pays: host link, streaming memory, wires of a
 * broadcast. The supervisor's own instructions are in none.
 */
#pragma once

#include "models/chip/geometry.h"
#include "models/energy/prices.h"
#include "models/fabric/fabric.h"
#include "models/matrix/amp.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"

#include <stdbool.h>

/* Ways of transfers over the exchange in micrometres, and what a phase of a static exchange moves.
 *
 * Of a multicast of an exchange with ports its first transfer pays what the sender's words go once, each
 * receiver the rows from the spine to it. */
/* Bytes, and bytes times micrometres, over the exchange; of a network on chip, whose flits are counted instead of
 * ways, words of 32 bits. */
typedef struct fs_moved {
    uint64_t bytes, way;
    uint64_t links; /* of a network: bytes of flits times micrometres of links */
    uint64_t ports; /* words times the ports of the routers that they passed, each's beyond one */
    uint64_t ends;  /* words into the network, and out of it */
} fs_moved;
static inline void fs_moved_add(fs_moved *to, const fs_moved *m) {
    to->bytes += m->bytes;
    to->way += m->way;
    to->links += m->links;
    to->ports += m->ports;
    to->ends += m->ends;
}
/* Energy of what moved, without the memories at both ends. */
fs_attojoules fs_energy_of_wires(const fs_energy_prices *prices, const fs_moved *moved);
/* What a network's flits of so many bytes did, but for `bytes`. */
fs_moved fs_energy_of_flits(fs_noc_work work, uint64_t width);

typedef struct fs_energy_routes {
    const fs_transfer *transfers; /* [count] borrowed */
    uint32_t count;
    const fs_fabric *network; /* NULL: the fabric is none, and the next are not used */
    fs_noc_work *flit;        /* [count] what a flit of each does */
    uint64_t width;           /* of it, B */
    uint32_t *way;            /* [count] um; of a network 0 */
    uint8_t *again;           /* [count] of a multicast that another transfer leads */
    fs_moved whole; /* all messages with whole buffers: a phase of a static exchange, or known in advance */
    uint64_t more;  /* B that further receivers of its multicasts take in */
    uint64_t *rotated;        /* [tiles] um of all that a tile sends in a rotation; NULL: none */
    uint32_t tiles, rotation; /* of it; bytes of a pair */
} fs_energy_routes;

/* fabric: of these transfers. */
fs_energy_routes fs_energy_routes_make(const fs_geometry_params *geometry, const fs_fabric *fabric,
                                       const fs_transfer *transfers, uint32_t count, fs_arena *arena);

/* A transfer of so many bytes, headers included: what its words do on their way. */
fs_moved fs_energy_of_transfer(const fs_energy_routes *routes, uint32_t transfer, uint64_t bytes);

/* Of a rotation of so many bytes a pair over ports. */
fs_energy_routes fs_energy_routes_rotated(const fs_geometry_params *geometry, uint32_t tiles, uint32_t bytes,
                                          fs_arena *arena);

/* Energies of a program's events: operations by class, accesses of tile memory by width, issue slots. */
/* What the energy of a call goes into. */
typedef enum fs_call_part { FS_CALL_ISSUE, FS_CALL_ARITHMETIC, FS_CALL_SRAM, FS_CALL_PARTS } fs_call_part;

/* aJ; `of` a call whatever it counts (prologues, barriers), and of one occurrence of each event. Slots are
 * those that the machine's cost.* give them; cost.scale stretches them as it does in time. */
typedef struct fs_program_energy {
    uint64_t call[FS_CALL_PARTS];
    uint64_t event[FS_MOST_EVENTS][FS_CALL_PARTS];
} fs_program_energy;

void fs_energy_of_program(const fs_priced_program *program, const fs_energy_prices *prices,
                          fs_program_energy *out);

typedef enum fs_energy_part {
    FS_ENERGY_ISSUE,
    FS_ENERGY_ARITHMETIC,
    FS_ENERGY_SRAM,
    FS_ENERGY_MATRIX,
    FS_ENERGY_EXCHANGE,
    FS_ENERGY_SYNC,
    FS_ENERGY_HOST,
    FS_ENERGY_DRAM,
    FS_ENERGY_CLOCK,
    FS_ENERGY_LEAKAGE,
    FS_ENERGY_PARTS
} fs_energy_part;
extern const char *const fs_energy_part_names[]; /* "issue", ..., NULL */

typedef enum fs_energy_phase {
    FS_ENERGY_IN_COMPUTE,
    FS_ENERGY_IN_SYNC,
    FS_ENERGY_IN_EXCHANGE,
    FS_ENERGY_IN_HOST,
    FS_ENERGY_PHASES
} fs_energy_phase;

/* What happened beside calls of programs. */
typedef struct fs_energy_flow {
    fs_moved moved;                 /* over the exchange; a multicast's bytes once */
    uint64_t more;                  /* B that its further receivers take in */
    uint64_t barriers;              /* tiles x barriers */
    uint64_t macs[FS_AMP_TYPES];    /* of the matrix unit, as wide as the products are */
    uint64_t host, broadcast, dram; /* B */
    uint64_t chips;                 /* B over links to other chips */
    uint64_t cycles[FS_ENERGY_PHASES];
} fs_energy_flow;

/* Of one class of tiles, those that run one program: what all of their calls counted. */
typedef struct fs_energy_class {
    const fs_priced_program *priced;
    uint32_t at,
        places;       /* where a row of counts has it: occurrences of the events, calls, and what is spare */
    uint32_t *row_of; /* [tiles] its row + 1; 0: the tile never runs it */
    uint64_t *rows;   /* [rows][places] of each tile; NULL: not kept */
    fs_program_energy energy; /* at central prices */
} fs_energy_class;

/* The place of the calls in a class's part of a row: behind its events. */
static inline uint32_t fs_energy_calls_at(const fs_energy_class *class) {
    return class->priced->program->event_count;
}

/* Tiles of a kind, in thousandths of what the machine's tile has. */
typedef struct fs_energy_tile {
    uint32_t clock, leakage;
} fs_energy_tile;
enum { FS_ENERGY_KINDS = 8 };

typedef struct fs_energy_time {
    double joules[FS_ENERGY_PARTS];
    uint64_t start, cycles;
} fs_energy_time;

enum { FS_ENERGY_LINE = 8 }; /* counts in a line of the cache: no two threads share one, nor two tiles */
enum { FS_ENERGY_CHUNK = 1024, FS_ENERGY_CHUNKS = 256 }; /* iterations that are kept one by one */

typedef struct fs_energy_books {
    fs_arena *arena;
    const fs_energy_params *params;
    const fs_geometry_params *geometry;
    fs_energy_prices price; /* central */
    double clock;
    uint32_t tiles, classes, row; /* row: places of all classes */
    const uint8_t *kind_of;       /* [tiles]; NULL: all of kind 0 */
    fs_energy_tile kind[FS_ENERGY_KINDS];
    uint64_t tiles_of[FS_ENERGY_KINDS];
    uint64_t routers;           /* area of a network's, in thousandths of a tile's; 0: no network */
    fs_noc_work tree;           /* of a flit of a broadcast over it */
    fs_energy_class *class;     /* [classes]; of 0 nothing */
    uint64_t *thread;           /* [threads][row] of the iteration */
    uint64_t *sum;              /* [row] of the run */
    uint64_t *thread_macs;      /* [threads][FS_ENERGY_LINE] of the iteration */
    fs_energy_flow flow, total; /* of the iteration; of the run */
    uint64_t *macs[FS_AMP_TYPES], *barriers; /* [tiles] */
    fs_moved *moved;                         /* [tiles] bytes of both ends, the rest of what they send */
    fs_attojoules account[FS_ENERGY_PARTS][FS_ENERGY_PHASES];
    fs_attojoules tile_sum, off_tile; /* once settled */
    bool given;                       /* tiles were not counted */
    bool mends; /* iterations are kept though tiles are not counted: fs_energy_mend comes */
    fs_energy_time *time[FS_ENERGY_CHUNKS];
    uint64_t iterations;
    double peak; /* W of the iteration that took most */
} fs_energy_books;

/* priced: [classes], kept; class_of: of each of `steps` steps, [tiles] its class. All memory from the arena. */
typedef struct fs_energy_setup {
    const fs_energy_params *params;
    const fs_geometry_params *geometry;
    double clock;
    uint32_t tiles, classes;
    const fs_priced_program *priced;
    /* [tiles] kinds of tiles, and [kind_count] what they have; NULL: all tiles are alike */
    const uint8_t *kind_of;
    const fs_energy_tile *kinds;
    uint32_t kind_count;
} fs_energy_setup;
void fs_energy_create(fs_energy_books *books, const fs_energy_setup *setup, fs_arena *arena);
/* Before the run, of a machine with a network: what its routers take in all, in thousandths of a tile's area, clocked and
 * leaking beside the tiles; and what a flit of a broadcast passes, which copies of it share. */
void fs_energy_network(fs_energy_books *books, uint64_t thousandths, fs_noc_work tree);
/* The same alone: their clock and leakage over so many cycles, added to those parts. */
void fs_energy_of_network(const fs_energy_prices *prices, uint64_t thousandths, uint64_t cycles,
                          fs_attojoules out[FS_ENERGY_PARTS]);
/* Before the run: the tiles that run programs of a step; class_of: [tiles]. */
void fs_energy_uses(fs_energy_books *books, const uint8_t *class_of);
/* After all of them: tiles get their accounts. */
void fs_energy_ready(fs_energy_books *books);

/* ---- counting, in an iteration ---- */

/* `times` calls of a tile alike; any thread, different tiles at a time. counts: [workers][width]. */
void fs_energy_call(fs_energy_books *books, uint32_t tile, uint32_t class, const uint32_t *counts,
                    uint64_t times);
/* Calls without work of so many tiles. */
void fs_energy_idle(fs_energy_books *books, uint32_t class, uint64_t calls);
/* The same of one tile, over the run: for the tile's account only. */
void fs_energy_idle_tile(fs_energy_books *books, uint32_t tile, uint32_t class, uint64_t calls);
/* Calls whose counts come later by fs_energy_give: the number of calls, then a row [1 + events] with the number of
 * further calls of the iteration and what all of them counted. Tiles have no accounts then. One thread. */
void fs_energy_given(fs_energy_books *books, uint32_t class, uint64_t calls);
void fs_energy_give(fs_energy_books *books, uint32_t class, const uint64_t *row);
/* Multiply-adds of a tile's matrix unit; any thread, different tiles at a time. */
void fs_energy_multiply(fs_energy_books *books, uint32_t tile, fs_amp_type type, uint64_t macs);
/* A transfer's bytes; over whole buffers of a static phase: fs_energy_move_all. */
void fs_energy_move(fs_energy_books *books, const fs_energy_routes *routes, uint32_t transfer,
                    uint64_t bytes);
/* A transfer's bytes over a fabric whose transfers change. */
void fs_energy_move_over(fs_energy_books *books, const fs_geometry_params *geometry, const fs_fabric *fabric,
                         const fs_transfer *transfer, uint64_t bytes);
/* Bytes and ways of a phase whose sums the caller has. */
void fs_energy_give_moved(fs_energy_books *books, fs_moved moved);
void fs_energy_move_all(fs_energy_books *books, const fs_energy_routes *routes, uint64_t phases);
/* The same for the tiles' accounts, all phases at once, at the end of the run. */
void fs_energy_phase_tiles(fs_energy_books *books, const fs_energy_routes *routes, uint64_t phases);
/* Barriers over so many tiles; and, at the end of the run, all of those tiles' for their accounts. */
void fs_energy_barrier(fs_energy_books *books, uint32_t tiles, uint64_t times);
void fs_energy_barrier_tiles(fs_energy_books *books, const uint32_t *tiles, uint32_t count, uint64_t times);
void fs_energy_host(fs_energy_books *books, uint64_t link_bytes, uint64_t broadcast_bytes);
void fs_energy_dram(fs_energy_books *books, uint64_t bytes);
void fs_energy_chips(fs_energy_books *books, uint64_t bytes);
/* The iteration (or the first visit) is over. keep: it is an iteration that has a row. */
void fs_energy_book(fs_energy_books *books, uint64_t start, const uint64_t cycles[FS_ENERGY_PHASES],
                    bool keep);

/* After the run: iterations took other cycles than they were booked with, [iterations] each, kept ones in FS_ENERGY_IN_EXCHANGE
 * alone: begun at `start`, `more` cycles longer. */
void fs_energy_mend(fs_energy_books *books, uint64_t iteration, uint64_t start, uint64_t more);

/* Energy of a flow that does not depend on the chip: no broadcast, no cycles. Added to out. */
void fs_energy_price_flow(const fs_energy_prices *prices, const fs_energy_flow *flow,
                          fs_attojoules out[FS_ENERGY_PHASES][FS_ENERGY_PARTS]);

/* ---- the run ---- */

/* FS_BROKEN when the accounts differ. */
fs_status fs_energy_settle(fs_energy_books *books, fs_error *err);
/* Energy of the run by part at an end of the ranges. */
void fs_energy_at(const fs_energy_books *books, fs_price_end end, fs_attojoules out[FS_ENERGY_PARTS]);
/* Energy of a tile by part; the run is settled and nothing was given. */
void fs_energy_of_tile(const fs_energy_books *books, uint32_t tile, fs_attojoules out[FS_ENERGY_PARTS]);

/* Area of a chip by its parts, mm2. */
typedef enum fs_area_part {
    FS_AREA_SRAM,
    FS_AREA_LOGIC,
    FS_AREA_MATRIX,
    FS_AREA_PORTS,
    FS_AREA_FIXED,
    FS_AREA_PARTS
} fs_area_part;

/* What is built of each tile. */
typedef struct fs_area_tile {
    uint64_t sram;  /* B */
    uint64_t units; /* of the matrix unit */
    int64_t more;   /* B that tiles of roles have more than that, over the chip; less: negative */
} fs_area_tile;

/* What is built of a network's routers. */
typedef struct fs_area_network {
    double ports, crossings; /* of all routers: ports out; their squares */
    double buffers;          /* B of all channels */
    double words;            /* of 32 bits of a flit */
} fs_area_network;
fs_area_network fs_area_network_of(const fs_noc_graph *graph, const fs_noc_options *options);
/* Without a process's factor. */
double fs_area_of_network(const fs_area_params *params, const fs_area_network *network, fs_price_end end);

/* The same in thousandths of a tile's. */
uint64_t fs_area_in_tiles(const fs_area_params *params, const fs_area_tile *tile,
                          const fs_area_network *network);

/* Spare rows and all. */
void fs_area_of(const fs_area_params *params, const fs_geometry_params *geometry, const fs_area_tile *tile,
                fs_price_end end, double out[FS_AREA_PARTS]);
