/* Kind circuit: tiles are places of a grid, transfers static ways of colours; a phase takes what its messages take one
 * after another, in the order of their lanes. Bulk alone: nothing is stepped. */
#include "models/circuit/circuit.h"

#include "models/fabric/kind.h"
#include "sim/base/arith.h"

#include <string.h>

enum { WORD = 4, MOST_TOLD = 65536 }; /* bytes of a word; crossings */

/* What is told of the links, of all circuits of a chip together. */
typedef struct told {
    const fs_noc_graph *graph; /* a mesh of the crossings */
    uint64_t *carried;         /* [crossings][FS_CIRCUIT_LINKS] words */
    fs_noc_use *uses;          /* [links + ends] */
    fs_noc_packets packets;    /* messages */
} told;

typedef struct circuits {
    fs_fabric fabric;
    fs_circuit *circuit;
    uint32_t *place;              /* [tiles] */
    const fs_transfer *transfers; /* [count] the caller's */
    fs_circuit_message *messages; /* [count] */
    uint64_t *sent;               /* [tiles] cycle of the phase from which a tile can send again */
    uint32_t count;
    told *told; /* NULL: there are too many links */
} circuits;

static const circuits *circuits_of(const fs_fabric *f) {
    return (const circuits *)f;
}

static uint32_t hops(const fs_fabric *f, uint32_t src, uint32_t dst) {
    const circuits *c = circuits_of(f);
    return fs_circuit_hops(c->circuit, c->place[src], c->place[dst]);
}

static uint32_t latency(const fs_fabric *f, uint32_t src, uint32_t dst) {
    return 2 * (uint32_t)f->chip.circuit->ramp + hops(f, src, dst);
}

static uint64_t port_cycles(const fs_fabric *f, uint64_t bytes) {
    (void)f;
    return fs_up(bytes, WORD);
}

static uint64_t broadcast(const fs_fabric *f, uint32_t src, uint64_t bytes) {
    uint32_t farthest = 0;
    for (uint32_t t = 0; t < f->chip.tiles && bytes > 0; t++)
        farthest = latency(f, src, t) > farthest ? latency(f, src, t) : farthest;
    return port_cycles(f, bytes) + farthest;
}

static uint32_t message(const fs_fabric *f, uint32_t transfer, uint32_t occupied) {
    (void)f;
    (void)transfer;
    return occupied;
}

/* Messages of the phase: as packets, that wait until their way is free. */
static void note_messages(circuits *c) {
    const uint64_t *began = fs_circuit_began(c->circuit);
    for (uint32_t i = 0; i < c->count; i++) {
        const fs_circuit_message *m = &c->messages[i];
        const uint32_t hops_of = fs_circuit_hops(c->circuit, m->src, m->dst);
        if (m->words > 0)
            fs_noc_packets_add(&c->told->packets,
                               &(fs_noc_arrival){.flits = (uint32_t)m->words,
                                                 .routers = hops_of + 1,
                                                 .injected = began[i],
                                                 .arrived = began[i] +
                                                            2 * (uint64_t)c->fabric.chip.circuit->ramp +
                                                            hops_of + m->words + 1});
    }
}

/* What senders waited for their ways, one message after another. */
static void count_waits(circuits *c, const fs_port_counters *counters) {
    const uint64_t *began = fs_circuit_began(c->circuit);
    memset(c->sent, 0, c->fabric.chip.tiles * sizeof *c->sent);
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t src = c->transfers[i].src;
        if (c->messages[i].words == 0)
            continue;
        fs_port_count(counters->waiting_out, src, began[i] - c->sent[src]);
        c->sent[src] = began[i] + c->messages[i].words;
    }
}

static uint64_t phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters) {
    circuits *c = (circuits *)f;
    for (uint32_t i = 0; i < c->count; i++) {
        fs_circuit_message *m = &c->messages[i];
        m->words = port_cycles(f, occupied[i]);
        if (counters == NULL)
            continue;
        const fs_transfer *t = &c->transfers[i];
        fs_port_count(counters->bytes_out, t->src, occupied[i]);
        fs_port_count(counters->bytes_in, t->dst, occupied[i]);
        fs_port_count(counters->busy_out, t->src, m->words);
        fs_port_count(counters->busy_in, t->dst, m->words);
    }
    const uint64_t cycles = fs_circuit_run(c->circuit, c->messages, c->count);
    if (counters != NULL)
        count_waits(c, counters);
    if (c->told != NULL)
        note_messages(c);
    return (uint64_t)f->chip.exchange->program_overhead + cycles;
}

/* ---- what is told of it ---- */

/* A mesh of the crossings. */
#define MESH_OF(sizes) .topology = FS_NOC_MESH, .size = (sizes), .size_given = true

static uint32_t way_of(const fs_noc_graph *g, uint32_t link) {
    static const char *const headings[FS_CIRCUIT_LINKS] = {"east", "west", "south", "north"};
    const char *heading = fs_noc_heading(g, link);
    uint32_t way = 0;
    while (way + 1 < FS_CIRCUIT_LINKS && strcmp(headings[way], heading) != 0)
        way++;
    return way;
}

static bool links_of(const fs_fabric *f, fs_fabric_links *out) {
    const circuits *c = circuits_of(f);
    told *t = c->told;
    if (t == NULL)
        return false;
    uint64_t words = 0;
    for (uint32_t l = 0; l < t->graph->links; l++) {
        t->uses[l].flits =
            t->carried[(size_t)t->graph->link[l].from * FS_CIRCUIT_LINKS + way_of(t->graph, l)];
        words += t->uses[l].flits;
    }
    *out = (fs_fabric_links){.graph = t->graph,
                             .options = {MESH_OF(f->chip.circuit->size)},
                             .uses = t->uses,
                             .packets = &t->packets,
                             .flit_hops = words};
    return true;
}

static told *make_told(fs_arena *arena, const fs_int_list *size, fs_error *err) {
    const uint32_t columns = (uint32_t)size->item[0], rows = (uint32_t)size->item[1];
    if ((uint64_t)columns * rows > MOST_TOLD)
        return NULL;
    told *t = FS_NEW(arena, told, 1);
    t->graph = fs_noc_make(arena, &(fs_noc_options){MESH_OF(*size), .vcs = 1, .link = 1, .pitch = 1}, err);
    if (t->graph == NULL)
        return NULL;
    t->carried = FS_NEW(arena, uint64_t, (size_t)columns * rows * FS_CIRCUIT_LINKS);
    t->uses = FS_NEW(arena, fs_noc_use, (size_t)t->graph->links + t->graph->ends);
    return t;
}

static const fs_fabric_kind kind = {.latency = latency,
                                    .port_cycles = port_cycles,
                                    .broadcast = broadcast,
                                    .message = message,
                                    .phase = phase,
                                    .links = links_of};

fs_fabric *fs_fabric_circuits(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                              fs_error *err) {
    const fs_circuit_options *o = chip->circuit;
    const uint32_t columns = (uint32_t)o->size.item[0], rows = (uint32_t)o->size.item[1];
    if (chip->tiles > columns * rows)
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "machine.exchange.circuit.size: expected a place for each of the %u tiles, found %u", chip->tiles,
            columns * rows);
    circuits *c = FS_NEW(arena, circuits, 1);
    *c = (circuits){.fabric = {.kind = &kind, .chip = *chip},
                    .circuit = fs_circuit_create(arena, columns, rows, (uint32_t)o->ramp, lanes->count),
                    .place = FS_NEW(arena, uint32_t, chip->tiles),
                    .sent = FS_NEW(arena, uint64_t, chip->tiles),
                    .messages = FS_NEW(arena, fs_circuit_message, lanes->count + 1),
                    .transfers = lanes->transfers,
                    .count = lanes->count};
    const fs_geometry_params *g = chip->geometry;
    const bool fits = columns >= 2 * g->columns && rows >= 2 * g->rows;
    for (uint32_t t = 0; t < chip->tiles; t++) {
        const fs_position p = fs_geometry_position(g, t);
        c->place[t] = fits ? (2 * p.row + p.sub / 2) * columns + 2 * p.column + p.sub % 2 : t;
    }
    for (uint32_t i = 0; i < lanes->count; i++) {
        const fs_transfer *t = &lanes->transfers[i];
        c->messages[i] = (fs_circuit_message){c->place[t->src], c->place[t->dst], FS_CIRCUIT_NONE, 0};
    }
    c->told = chip->beside != NULL ? circuits_of(chip->beside)->told : make_told(arena, &o->size, err);
    if (err->status != FS_OK)
        return NULL;
    fs_circuit_count(c->circuit, c->told == NULL ? NULL : c->told->carried);
    return fs_circuit_colour(c->circuit, c->messages, c->count, (uint32_t)o->colours, err) ? NULL
                                                                                           : &c->fabric;
}
