/* What a network did, told from its links and packets: of the engine's counters for figures and pages, and a film of
 * the links over the time. Kept beside the engine, by whoever steps it.
 *
 *     fs_noc_film *film = fs_noc_film_create(arena, graph);
 *     if (fs_noc_now(net) >= film->next)              // before each step
 *         fs_noc_film_note(film, fs_noc_now(net), fs_noc_uses(net));
 *     const fs_noc_arrival *a = fs_noc_step(net, &count);
 *     fs_noc_packets_add(&packets, &a[i]);            // of each arrival
 */
#pragma once

#include "models/noc/net.h"
#include "models/noc/noc.h"

/* ---- links ---- */

/* Of the links between routers; shares are of the cycles. Stalls are channel-cycles for each flit that went through a
 * link or a way out. */
typedef struct fs_noc_summary {
    uint64_t links, busiest;
    uint64_t busiest_from, busiest_to; /* routers of the busiest link */
    double busiest_share, mean_share, balance,
        top_share; /* top: of all flits, on the busiest hundredth of links */
    double no_credit, no_channel, lost;
    uint64_t waits[3]; /* links before which flits waited longest: for room, for a channel, at the switch */
    /* The busiest cut of a grid: links from places up to `place` of a dimension to those behind, one direction. */
    double cut_share;
    uint64_t cut_dimension, cut_place;
} fs_noc_summary;

/* uses: [links + ends], in so many cycles. */
fs_noc_summary fs_noc_summary_of(const fs_noc_graph *graph, const fs_noc_options *options,
                                 const fs_noc_use *uses, uint64_t cycles);

/* Its routers lie in a grid: a mesh, a torus, a mesh with express links. */
bool fs_noc_is_grid(const fs_noc_options *options);

/* A link of a torus from one edge to the other. */
bool fs_noc_goes_round(const fs_noc_graph *graph, uint32_t link);
/* Where a link leads: "east", "west", "south", "north", of a torus round the ring, too; of two routers at one place
 * "aside"; of a fat tree "up", to the roots, or "down". */
const char *fs_noc_heading(const fs_noc_graph *graph, uint32_t link);

/* ---- packets ---- */

enum { FS_NOC_WAYS = 256 }; /* routers of a way that are told apart */

/* Of packets that arrived. Latency is queue, network and serial: cycles at the source behind others, of the head in
 * the network, of the flits behind it. */
typedef struct fs_noc_packets {
    uint64_t count, latency, queue, serial, longest; /* cycles */
    uint64_t routers, most_routers;
    uint64_t by_routers[FS_NOC_WAYS]; /* the last: of so many or more */
} fs_noc_packets;

void fs_noc_packets_add(fs_noc_packets *packets, const fs_noc_arrival *arrival);

/* ---- a film ---- */

enum { FS_NOC_FRAMES = 128, FS_NOC_FILMED = 16384 }; /* links of a network that is filmed, at most */

/* Flits of each link in frames of equal length. With twice the cycles frames are twice as long, so that there are
 * FS_NOC_FRAMES / 2 to FS_NOC_FRAMES of them. Cycles count from the first one. */
typedef struct fs_noc_film {
    uint32_t links, frames;
    uint64_t length; /* cycles of a frame */
    uint64_t next;   /* the cycle in which a frame is over */
    uint64_t *seen;  /* [links] flits up to the frame */
    uint32_t *flits; /* [links][FS_NOC_FRAMES] */
} fs_noc_film;

/* NULL: there are too many links. */
fs_noc_film *fs_noc_film_create(fs_arena *arena, const fs_noc_graph *graph);
/* Before the step of a cycle from film->next on: uses are those of the cycles before. */
void fs_noc_film_note(fs_noc_film *film, uint64_t now, const fs_noc_use *uses);
/* Closes the last frame, which may be a shorter one. */
void fs_noc_film_end(fs_noc_film *film, uint64_t now, const fs_noc_use *uses);
