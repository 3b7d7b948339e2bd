/* What joins the tiles of a chip: a part with kinds (machine.exchange.kind), asked by a device and by workloads
 * that price messages alone.
 *
 *   ports   a port each way at every tile, nothing in between is shared (models/exchange)
 *   noc     a network on chip, flit by flit (models/noc); tiles are its end points
 *   circuit static ways of colours on a grid (models/circuit), in bulk alone
 *
 * In bulk a phase takes what each transfer moves and gives its cycles. Without barriers messages are offered and
 * arrive: a kind with ports knows at once when, one that is stepped (fs_fabric_is_stepped) says it in the cycle
 * in which it happens. Ports plan a static exchange ahead (fs_fabric_plans), a network knows a phase ahead whose
 * transfers always move whole (fs_fabric_plan); what asks for the plan of another one is a defect
 * (docs/design/fabric.md).
 *
 * All memory from the arena of its making. Not thread-safe. */
#pragma once

#include "models/circuit/circuit.h"
#include "models/exchange/exchange.h"
#include "models/noc/net.h"
#include "models/noc/noc.h"
#include "models/noc/summary.h"

enum { FS_FABRIC_PORTS, FS_FABRIC_NOC, FS_FABRIC_CIRCUIT }; /* machine.exchange.kind */

typedef struct fs_fabric fs_fabric;

/* The machine as a fabric sees it. The rows are kept. */
typedef struct fs_fabric_chip {
    const fs_exchange_params *exchange; /* kind, and the keys exchange.* */
    const fs_noc_options *noc;          /* exchange.noc.* */
    const fs_circuit_options *circuit;  /* exchange.circuit.* */
    const fs_geometry_params *geometry;
    uint32_t tiles;
    fs_fabric *beside; /* of the same chip, for other lanes: they share a network; NULL: none */
} fs_fabric_chip;

/* lanes: what it moves, as of an exchange (exchange.h), kept but for copies. NULL with FS_INPUT when the kind's
 * rows do not go with the chip. */
fs_fabric *fs_fabric_create(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                            fs_error *err);

/* Of a kind that plans nothing, made with lanes->room: what it moves from now on, no pair of tiles twice. Kept;
 * ascending by sender. */
void fs_fabric_set(fs_fabric *f, const fs_transfer *transfers, uint32_t count);

/* ---- a message alone ---- */

/* Cycles from the end of sending at src to the last word written at dst. */
uint32_t fs_fabric_latency(const fs_fabric *f, uint32_t src, uint32_t dst);
/* Cycles that `bytes` hold a port of a tile: of a network with the headers of their packets. */
uint64_t fs_fabric_port_cycles(const fs_fabric *f, uint64_t bytes);
/* The same of an unplanned message of so many bytes of data, its header included. */
uint64_t fs_fabric_send_cycles(const fs_fabric *f, uint64_t bytes);
/* One broadcast from tile src to all others, sent once (routers of a network copy it), over when it has arrived
 * at the farthest. Cycles, 0 for 0 bytes. */
uint64_t fs_fabric_broadcast(const fs_fabric *f, uint32_t src, uint64_t bytes);

/* ---- in bulk ---- */

/* Bytes that a transfer moves in a phase when `occupied` bytes of its buffer are held, headers included: of a
 * planned one the whole buffer; else 0 when nothing is occupied. */
uint32_t fs_fabric_message(const fs_fabric *f, uint32_t transfer, uint32_t occupied);
/* Cycles that `bytes` of a transfer hold a port: less than fs_fabric_port_cycles of a double-width message. */
uint64_t fs_fabric_transfer_cycles(const fs_fabric *f, uint32_t transfer, uint64_t bytes);
/* Cycles of a phase, the supervisor's program before it included. occupied: [lanes] bytes; NULL only where the
 * exchange is planned. counters: added to; NULL: none. */
uint64_t fs_fabric_phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters);

/* Phases of a network may be sampled (exchange.noc.detail): each gives its bound at first, and what it took is known when
 * all are there and as many are simulated as the sum needs. */
bool fs_fabric_samples(const fs_fabric_chip *chip);
/* After the last phase of all fabrics that share a network: simulates some of its phases, on all threads, the same ones
 * with the same bits whatever their number, and fills fs_fabric_sample. added: cycles of the exchange beside them, of
 * whose sum the interval is a share; counters: of the phases. FS_RUN: interrupted; FS_BROKEN. */
fs_status fs_fabric_settle(fs_fabric *f, uint64_t added, const fs_port_counters *counters, fs_error *err);

/* ---- stepped: kinds that say in each cycle what happened in it ---- */

bool fs_fabric_is_stepped(const fs_fabric *f);

/* A transfer's message of so many bytes of data, above 0, is handed over in a cycle, behind what its sender was
 * given before. Cycles are the caller's and never go back. tag: given back. */
void fs_fabric_offer(fs_fabric *f, uint64_t cycle, uint32_t transfer, uint32_t bytes, uint32_t tag);
/* The cycle that has to be stepped next; UINT64_MAX: nothing is under way. */
uint64_t fs_fabric_next(const fs_fabric *f);

typedef struct fs_fabric_event {
    uint32_t transfer, tag;
    bool arrived; /* its last word is at the receiver; false: has left the sender, whose port is free */
} fs_fabric_event;
/* Makes that cycle. What happened in it, [*count], until the next step: by tiles, then arrivals. */
const fs_fabric_event *fs_fabric_step(fs_fabric *f, uint32_t *count);

/* A phase in steps: every message is offered; then fs_fabric_step until all have arrived; then it is closed.
 * Messages of the phase; 0: there is nothing to step and to close. */
uint32_t fs_fabric_open(fs_fabric *f, uint64_t cycle, const uint32_t *occupied);
void fs_fabric_close(fs_fabric *f, const fs_port_counters *counters);

/* FS_BROKEN when the network lost something: flits offered, sent and taken differ or, while it is idle, a credit
 * is missing, or links carried other flits than the transfers' ways say. */
fs_status fs_fabric_check(const fs_fabric *f, fs_error *err);

/* What a network did so far. */
typedef struct fs_fabric_traffic {
    uint64_t messages, packets, flits, header_flits, bytes; /* bytes: of data */
    uint64_t hops;                                          /* flits times routers that they passed */
} fs_fabric_traffic;
/* Bounds of its phases in bulk, cycles of the sum: none takes less, whatever is won by that means. With channels in which
 * no flit waits a phase takes as long as its busiest link, port or longest message; with routers for free as its busiest
 * port or message; with flits of twice the width half of the former. */
typedef struct fs_fabric_floors {
    uint64_t cycles; /* as they were, from the first message offered to the last one's arrival */
    uint64_t endless, free, twice;
} fs_fabric_floors;
/* A phase with messages. */
typedef struct fs_fabric_phase_row {
    uint64_t bound;  /* cycles that its busiest link, its busiest port and its longest message leave it */
    uint64_t cycles; /* that it took, or takes as simulated neighbours do (sim/stats/strata.h) */
    bool simulated;
} fs_fabric_phase_row;
typedef struct fs_fabric_sample {
    const fs_fabric_phase_row *row; /* [count] in their order; NULL: every phase is simulated as it comes */
    uint32_t count, simulated;
    double half; /* cycles: of the 95 % interval of their sum */
} fs_fabric_sample;
/* Of all fabrics that share it. NULL: a kind without one. Figures and pages read the links from it. */
typedef struct fs_fabric_network {
    const fs_noc_graph *graph;
    const fs_noc_net *net;
    const uint32_t *end_of; /* [tiles] end points */
    fs_fabric_traffic traffic;
    fs_noc_packets packets; /* that arrived */
    fs_noc_film *film;      /* NULL: of too many links there is none */
    fs_fabric_floors floors;
    fs_fabric_sample sample;
} fs_fabric_network;
const fs_fabric_network *fs_fabric_network_of(const fs_fabric *f);

/* What links did so far, of kinds that have some: of a network, or of circuits, whose words are flits and whose
 * messages packets. */
typedef struct fs_fabric_links {
    const fs_noc_graph *graph;
    fs_noc_options options; /* that say how routers lie; of circuits a mesh */
    const fs_noc_use *uses; /* [links + ends] */
    const fs_noc_packets *packets;
    uint64_t flit_hops;
} fs_fabric_links;
/* false: a kind without links, or circuits on more than 65,536 crossings. */
bool fs_fabric_links_of(const fs_fabric *f, fs_fabric_links *out);
/* Of a network alone: bytes of a flit; flits of a message of so many bytes, headers included (fs_fabric_message); and
 * the way of a message. */
uint32_t fs_fabric_flit(const fs_fabric *f);
uint64_t fs_fabric_flits(const fs_fabric *f, uint64_t message);
/* What a phase would be to simulate: flits times routers, by the ways alone. occupied: [lanes] bytes; NULL, of lanes that are
 * `whole`: theirs. 0: no network. */
uint64_t fs_fabric_flit_hops(const fs_fabric *f, const uint32_t *occupied);
fs_noc_way fs_fabric_way_of(const fs_fabric *f, uint32_t src, uint32_t dst);

/* ---- planned: ports with a static exchange (exchange.h says what each is), and phases of a network that are the same
 * in every round ---- */

/* Whether a machine with these rows plans all that it moves. */
static inline bool fs_fabric_plans(const fs_exchange_params *params) {
    return params->kind == FS_FABRIC_PORTS && params->mode == FS_EXCHANGE_STATIC;
}
/* Whether it knows its phase in advance: by a plan of ports, or over a network by lanes that are `whole`. */
bool fs_fabric_is_planned(const fs_fabric *f);
/* Simulates the phases of those fabrics of a network that know theirs in advance and are not planned yet: each once, flit by
 * flit, on all threads, the same bits whatever their number; of those with the same messages one. Their phases then take
 * what that one took, and count with fs_fabric_count_planned. All are of the same rows and tiles, if not of one network: a plan
 * may be that of an earlier fabric, whose arena is then kept. Ports have their plan from the beginning. FS_RUN: interrupted. */
fs_status fs_fabric_plan(fs_fabric *const *fabrics, uint32_t count, fs_error *err);
uint64_t fs_fabric_static_start(const fs_fabric *f, uint32_t transfer); /* of ports alone */
/* Of a network `bound` is that of its links, ports and longest message, and `length` is to the last arrival. */
fs_exchange_plan fs_fabric_plan_of(const fs_fabric *f);
/* So many phases, for a caller who gave them no counters. Of a network links and packets, too. */
void fs_fabric_count_planned(const fs_fabric *f, uint64_t phases, const fs_port_counters *counters);
/* The first transfer of its multicast; itself where there are none. */
uint32_t fs_fabric_sent_with(const fs_fabric *f, uint32_t transfer);
/* Bytes that tiles take in by double-width messages in a phase; 0 where there are none. */
uint64_t fs_fabric_wide_bytes(const fs_fabric *f);
