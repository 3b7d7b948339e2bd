/* A network on chip, flit by flit: routers with virtual channels and credits. It has no clock of its own: a caller
 * steps it from cycle to cycle, or skips to the next one in which something happens. Every step reads the state
 * of the cycle before, so that the order in which routers are looked at does not matter; routers that have
 * nothing to move cost nothing.
 *
 * The router, cycle by cycle (docs/facts/network_on_chip.md 3). Three of its details move the throughput of a
 * network by 3 to 16 % each and are held by tests: the pointer of rule 2, the candidates of rule 3, pointers
 * that move on a grant alone.
 *
 * 1. Cycle t: flits that have arrived stand in the buffer of their channel; credits that are due count. A head
 *    at the front asks for the output port that the graph's rule names, and for one of its channels.
 * 2. t: channels are given, on the state before this cycle: each waiting channel picks one that is free, from a
 *    pointer of its own over all channels of the router's outputs; each output channel picks one of those that
 *    picked it, by a pointer over all channels of the inputs. Winners may move from t + 1 on.
 * 3. t: the switch is given, on the same state: each input port has one candidate for each output, by a pointer
 *    over its channels; picks one output, by a pointer over outputs; each output picks one input, by a pointer
 *    over inputs. Pointers move behind what won, and on a grant alone.
 * 4. A flit that won arrives at the next router at t + 2 + latency of the link; its credit is of use upstream at
 *    t + 2 + latency of the link it came by. A tail frees its output channel for rule 2 of t + 1.
 * 5. A source has one packet under way at a time and sends a flit a cycle, which arrives at its router at
 *    t + 1 + latency; an end point takes what arrives at once.
 *
 * Without other traffic a packet takes 4 cycles a router, 2, one for each flit behind the head, and what links
 * are longer than a cycle.
 *
 * Not thread-safe; two networks may be stepped beside each other. Nothing is allocated by a step; an offer grows
 * the pool of packets when more are under way than ever before. */
#pragma once

#include "models/noc/graph.h"
#include "sim/base/rng.h"

typedef struct fs_noc_params {
    uint32_t channels; /* of each link: 1 to 16 */
    uint32_t buffer;   /* flits of a channel: 1 to 255 */
    uint32_t kinds;    /* of messages that share no channel, such as requests and answers: each has channels /
                          kinds of a link; 0 is 1 */
    uint32_t packets;  /* under way at a time for which there is room from the beginning */
    fs_arena *arena;   /* of the network's memory, which ends with it; NULL: the heap */
    /* An approximation in place of the rules above: a packet holds each link for as many cycles as it has flits,
     * without channels, buffers and credits. Exact for a packet alone; throughput is 25 to 90 % too high, latency
     * right up to three tenths of the busiest link (docs/facts/network_on_chip.md 3). `lost` of a use counts
     * cycles in which some packet waited. */
    bool reserve;
    /* Routers for free, to tell what they cost: a packet takes the cycles of its links alone, without channels, buffers and
     * a switch, and links carry all that comes; a source sends a flit a cycle, an end point takes one. */
    bool free;
} fs_noc_params;

/* Cycles of a packet alone, from the offer to its last flit, on the way of that number: for its head 4 a router, 2, and
 * what links are longer than a cycle; behind it a flit a cycle, or as many as a buffer holds in the time that a credit
 * takes to come back: 2 latency + 4 cycles of a link, 2 latency + 3 of an end point's. */
uint64_t fs_noc_alone(const fs_noc_graph *graph, const fs_noc_params *params, uint32_t src, uint32_t dst,
                      uint32_t number, uint32_t flits);
/* The same of a packet's first flit, whose way is known; free: with routers for free. */
uint64_t fs_noc_alone_first(const fs_noc_graph *graph, const fs_noc_way *way, uint32_t src, uint32_t dst,
                            bool free);

enum { FS_NOC_FIXED = 1 << 8 };
typedef struct fs_noc_net fs_noc_net;

/* The graph is kept; fs_noc_check_deadlock is the caller's. FS_INPUT: channels or buffer out of range, or fewer
 * channels than the graph has classes. Freed by fs_noc_net_free, unless it lives in an arena. */
fs_noc_net *fs_noc_net_create(const fs_noc_graph *graph, const fs_noc_params *params, fs_error *err);
void fs_noc_net_free(fs_noc_net *net); /* NULL is allowed */

/* A packet of so many flits (1 to 65535) from end point src to dst, which may be the same: its way leads through
 * the router. It waits behind what its source has been offered before. kind: of the message, below params.kinds, and
 * FS_NOC_FIXED for one that takes the first channel of those that it may take, wherever it is. tag: the caller's, given back. Offered in the cycle that the next step makes. */
void fs_noc_offer(fs_noc_net *net, uint32_t src, uint32_t dst, uint32_t flits, uint32_t kind, uint32_t tag);

/* Of an idle network: what packets before left behind is forgotten. Pointers of all arbiters stand wherever the
 * stream puts them and the next packet has that number, so that what follows depends on nothing that was before. */
void fs_noc_rest(fs_noc_net *net, fs_rng rng, uint32_t number);

/* A packet whose last flit arrived. */
typedef struct fs_noc_arrival {
    uint32_t src, dst, flits, kind, tag;
    uint32_t routers;                    /* that it passed */
    uint64_t offered, injected, arrived; /* cycles: offered, head sent by the source, tail taken */
} fs_noc_arrival;

/* Makes one cycle. The packets that arrived in it, [*count], until the next step. */
const fs_noc_arrival *fs_noc_step(fs_noc_net *net, uint32_t *count);

uint64_t fs_noc_now(const fs_noc_net *net); /* the cycle that the next step makes */
bool fs_noc_is_idle(const fs_noc_net *net); /* no flit, no credit under way, nothing offered */
/* Lets time pass to `cycle`, not before now, while the network is idle. */
void fs_noc_skip(fs_noc_net *net, uint64_t cycle);

/* What a link, or the way out to an end point, did: [links], then [ends]. */
typedef struct fs_noc_use {
    uint64_t flits;
    uint64_t no_credit;  /* channel-cycles with a flit and no room behind the link */
    uint64_t no_channel; /* channel-cycles of heads that no free channel was given */
    uint64_t lost;       /* channel-cycles with flit and credit that another one won */
} fs_noc_use;
const fs_noc_use *fs_noc_uses(const fs_noc_net *net); /* as they are now */
/* What energy is counted by, of all links and ways out together. */
typedef struct fs_noc_work {
    uint64_t ports; /* flits times the ports of each router that they left, beyond one (fs_noc_other_ports) */
    uint64_t length; /* flits times um of links */
    uint64_t taken;  /* flits that left by the ways out */
} fs_noc_work;
/* uses: [links + ends]. */
fs_noc_work fs_noc_work_of(const fs_noc_graph *graph, const fs_noc_use *uses);
/* Of one flit from end point src that routers copy on its way to each of `count` ends: the tree of these ways, as a
 * packet of that number goes. */
fs_noc_work fs_noc_work_of_tree(const fs_noc_graph *graph, uint32_t channels, uint32_t number, uint32_t src,
                                const uint32_t *ends, uint32_t count);
/* A bit for each end point that has not sent all that it was offered. */
const uint64_t *fs_noc_sending(const fs_noc_net *net);

/* What holds at any time: flits sent by sources, taken by end points, under way; and when the network is idle,
 * that every credit is back. */
typedef struct fs_noc_sums {
    uint64_t sent, taken, hops; /* flits; flits times links and ways out */
    bool whole;                 /* idle: every credit is back, every channel free */
} fs_noc_sums;
fs_noc_sums fs_noc_sums_of(const fs_noc_net *net);
uint64_t fs_noc_taken(const fs_noc_net *net); /* flits taken by end points so far */
/* FS_BROKEN: flits that were sent are neither taken nor in a buffer or on a link; or the network is idle and a
 * credit or a channel did not come back. */
fs_status fs_noc_check(const fs_noc_net *net, fs_error *err);
