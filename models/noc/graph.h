/* A network on chip as a graph: routers with ports, links between them, end points at them, and a rule that says
 * where a packet goes. Topologies build it (topology/, one file a kind); the engine (net.h) and the check for
 * deadlock (deadlock.c) read it. It knows no chip, no tile and no clock.
 *
 * Ports of a router are numbered from 0, those into it and those out of it apart; both directions of a
 * connection are links of their own. End points inject by a port into their router and take by a port out of
 * it; several may share a router. Source of the kinds' shapes: docs/facts/network_on_chip.md 2 and 3. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FS_NOC_MOST_PORTS = 64,     /* of a router in one direction */
    FS_NOC_MOST_CHANNELS = 16,  /* virtual channels of a link */
    FS_NOC_MOST_DEPTH = 255,    /* flits in a channel's buffer */
    FS_NOC_MOST_LATENCY = 4096, /* cycles of a link */
    FS_NOC_MOST_ROUTERS = 1 << 20
};
#define FS_NOC_NONE    UINT32_MAX
#define FS_NOC_NO_PORT UINT16_MAX

/* One direction of a connection. */
typedef struct fs_noc_link {
    uint32_t from, to;           /* routers */
    uint16_t from_port, to_port; /* out of `from`, into `to` */
    uint16_t latency;            /* cycles, at least 1 */
    uint32_t length;             /* um */
} fs_noc_link;

/* Where a packet comes in and leaves. */
typedef struct fs_noc_end {
    uint32_t router;
    uint16_t in_port, out_port; /* of the router: the end point injects into in_port, takes from out_port */
    uint16_t latency;           /* cycles of either way, at least 1 */
} fs_noc_end;

/* Where a router lies, in distances from a router to its neighbour: for pictures. */
typedef struct fs_noc_place {
    double x, y;
} fs_noc_place;

/* What a rule of routing sees of a packet, and may keep in `state`. */
typedef struct fs_noc_header {
    uint32_t src, dst; /* end points */
    uint32_t number;   /* of the packet: random ways are a hash of it, never of a shared generator */
    uint32_t state;    /* of the rule: 0 when the packet is injected, below the graph's `states` */
    uint8_t kind;      /* of the message: the engine's, which gives each kind channels of its own */
    uint8_t pick;      /* how a toss of the rule ends: 0 by the hash of number, else 1 + the choice */
    uint8_t choices;   /* from the rule: of the toss that it made; who wants to know sets 0 before */
} fs_noc_header;

/* An output port and the channels that the packet may take there: first, first + 1, ... first + count - 1. */
typedef struct fs_noc_hop {
    uint16_t port;
    uint8_t first, count;
} fs_noc_hop;

typedef struct fs_noc_graph fs_noc_graph;

/* The next hop of a packet that stands at `router`: a pure function of router and header. channels: of each link. */
typedef fs_noc_hop fs_noc_rule(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                               fs_noc_header *header);

struct fs_noc_graph {
    const char *kind; /* as machine.exchange.noc.topology names it */
    uint32_t routers, links, ends;
    const fs_noc_link *link;        /* [links] */
    const fs_noc_end *end;          /* [ends] */
    const fs_noc_place *place;      /* [routers] */
    const uint32_t *in_at, *out_at; /* [routers + 1] first port of a router among all of the graph */
    const uint32_t *into;   /* [in_at[routers]] the link that ends there; FS_NOC_NONE: an end point's */
    const uint32_t *out_of; /* [out_at[routers]] the link that begins there; FS_NOC_NONE the same */
    const uint32_t *end_in, *end_out; /* the same ports: the end point there; FS_NOC_NONE: a link's */
    fs_noc_rule *rule;
    const void *shape; /* of the kind, for the rule */
    uint32_t states;   /* of a header that the rule knows: 0 ... states - 1 */
    uint32_t classes;  /* of channels that the rule needs to be free of deadlock: at least so many channels */
    const char *why;   /* the reason, for a refusal: "a torus ring needs 2 classes" */
    uint32_t idle;     /* links that lie on no way, of routes as a table */
};

/* Sizes of a kind: [count] numbers, as machine.exchange.noc.size. */
typedef struct fs_noc_sizes {
    const uint32_t *of;
    uint32_t count;
} fs_noc_sizes;

/* ---- for topologies: a graph is put together link by link ---- */

typedef struct fs_noc_plan fs_noc_plan;

/* All memory from the arena. */
fs_noc_plan *fs_noc_plan_begin(fs_arena *arena, const char *kind, uint32_t routers);
/* One direction; its ports are the next free ones of both routers. Returns that of `from`. */
uint8_t fs_noc_plan_link(fs_noc_plan *plan, uint32_t from, uint32_t to, uint32_t latency, uint32_t length);
/* The next end point, at the next free ports of its router. */
void fs_noc_plan_end(fs_noc_plan *plan, uint32_t router, uint32_t latency);
void fs_noc_plan_place(fs_noc_plan *plan, uint32_t router, double x, double y);
/* FS_INPUT: a router has more ports, or a link more cycles, than there may be. */
fs_noc_graph *fs_noc_plan_done(fs_noc_plan *plan, fs_error *err);

/* ---- routes as a table ---- */

/* Which of the ways to an end point packets take. Where several ports begin such a way packets share them, each by the
 * hash of its number and the router. */
typedef enum fs_noc_shortest {
    FS_NOC_FASTEST, /* the fewest cycles of links and routers, all such ways */
    FS_NOC_FEWEST,  /* over the fewest routers, all such ways */
    FS_NOC_FIRST,   /* of the fastest ways those to the neighbour whose link is the first */
} fs_noc_shortest;

typedef struct fs_noc_routes fs_noc_routes;
/* Of a router to each end point; of the arena. Where there is no way the port is FS_NOC_NO_PORT. */
fs_noc_routes *fs_noc_routes_shortest(fs_arena *arena, const fs_noc_graph *graph, fs_noc_shortest ways);
/* The hop of a router's packets to an end point, to be changed: a port, channels; count 0 for any channel. */
fs_noc_hop *fs_noc_routes_at(const fs_noc_routes *routes, uint32_t router, uint32_t end);
/* The hop by any of some ports of a router, bits; 0: there is none. */
fs_noc_hop fs_noc_routes_share(fs_noc_routes *routes, uint32_t router, uint64_t ports);
/* They become the graph's rule, and are kept. FS_INPUT: packets that would come to a router that has no way for them, leave
 * at another end point or go in circles (the routers are named). */
fs_status fs_noc_route_by_table(fs_noc_graph *graph, const fs_noc_routes *routes, fs_error *err);

/* ---- what can be said of a graph without running it ---- */

/* Routers that a packet passes, the first and the last included, and cycles of the links between them. */
typedef struct fs_noc_way {
    uint32_t routers, latency, length; /* routers; cycles; um, both without the end points' links */
    uint32_t ports; /* of these routers beyond the one that it came by: fs_noc_other_ports */
} fs_noc_way;
/* The router that a link leaves, or from graph->links on the way out to an end point. */
static inline uint32_t fs_noc_begin_of(const fs_noc_graph *graph, uint32_t link) {
    return link < graph->links ? graph->link[link].from : graph->end[link - graph->links].router;
}
/* Ports of a router beyond one: what a flit's energy there goes by. Ports: the ways out of it, to end points
 * too. */
static inline uint32_t fs_noc_other_ports(const fs_noc_graph *graph, uint32_t router) {
    return graph->out_at[router + 1] - graph->out_at[router] - 1;
}
/* number: of the packet (kinds with random ways). through: [links + ends] to which `part` is added along the way,
 * the way out to the end point included; NULL: none. */
fs_noc_way fs_noc_way_of(const fs_noc_graph *graph, uint32_t channels, uint32_t src, uint32_t dst,
                         uint32_t number, double *through, double part);

/* FS_INPUT when packets could wait for each other in a circle: names the ring of links and what would break it.
 * Every pair of end points is walked. */
fs_status fs_noc_check_deadlock(const fs_noc_graph *graph, uint32_t channels, fs_error *err);
