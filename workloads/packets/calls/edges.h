/* Edges between chips: what a processor sends to another chip goes over the network of its own to an ethernet core, over an
 * edge, over the next chip's network, and so on. An edge is serial: it takes a send's bytes at its pace, one send after
 * another, and they are on the other side a latency later.
 *
 *     cycles of an edge   held for bytes / pace; over max(that, latency + each x bytes) after it was begun */
#ifndef FOAMSIM_WORKLOADS_PACKETS_CALLS_EDGES_H
#define FOAMSIM_WORKLOADS_PACKETS_CALLS_EDGES_H

#include "workloads/packets/calls/carrier.h"

/* A way on a chip, between end points of one of all networks. */
typedef struct fs_ways_leg {
    uint32_t plane, from, to;
    uint32_t edge;   /* behind it; FS_NOC_NONE: it ends here */
    uint32_t parent; /* the leg whose edge leads here; of the first its own number */
} fs_ways_leg;

/* A send: the first leg is its caller's. */
typedef struct fs_ways {
    uint64_t bytes; /* over each edge, and on the legs behind the first */
    uint32_t legs;
    fs_ways_leg leg[];
} fs_ways;

typedef struct fs_edge_costs {
    double pace, latency, each; /* B/cycle, cycles, cycles a byte */
} fs_edge_costs;

/* What an edge did. */
typedef struct fs_edge_use {
    uint64_t sends, bytes, busy, waited; /* busy: cycles held; waited: cycles of sends before it */
} fs_edge_use;

typedef struct fs_edges fs_edges;

fs_edges *fs_edges_create(const fs_edge_costs *costs, uint32_t count);
void fs_edges_free(fs_edges *edges); /* NULL is allowed */
/* The data of a leg are where it ends, in cycle `now`. */
void fs_edges_come(fs_edges *edges, uint64_t now, const fs_ways *ways, uint32_t leg);
/* Begins on `carrier` what has come over edges; the owners of its transfers have FS_EDGES_OWN set. */
#define FS_EDGES_OWN ((uint64_t)1 << 63)
void fs_edges_advance(fs_edges *edges, fs_carrier *carrier);
void fs_edges_over(fs_edges *edges, uint64_t now, uint64_t owner); /* of such a transfer */
uint64_t fs_edges_next(const fs_edges *edges);           /* the next cycle in which something comes */
uint64_t fs_edges_last(const fs_edges *edges);           /* cycle in which the last came to its end */
bool fs_edges_done(const fs_edges *edges);               /* nothing is under way */
const fs_edge_use *fs_edges_uses(const fs_edges *edges); /* [count] */

#endif
