/* Kind circuit: tiles are places of a grid, transfers static ways of colours; a phase takes what its messages take one
 * after another, in the order of their lanes. Bulk alone: nothing is stepped. */
#include "models/circuit/circuit.h"

#include "models/fabric/kind.h"
#include "sim/base/arith.h"

enum { WORD = 4 }; /* bytes of a word */

typedef struct circuits {
    fs_fabric fabric;
    fs_circuit *circuit;
    uint32_t *place;              /* [tiles] */
    const fs_transfer *transfers; /* [count] the caller's */
    fs_circuit_message *messages; /* [count] */
    uint32_t count;
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

static uint64_t phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters) {
    circuits *c = (circuits *)f;
    for (uint32_t i = 0; i < c->count; i++) {
        fs_circuit_message *m = &c->messages[i];
        m->words = port_cycles(f, occupied[i]);
        if (counters == NULL)
            continue;
        const fs_transfer *t = &c->transfers[i];
        counters->bytes_out[t->src] += occupied[i];
        counters->bytes_in[t->dst] += occupied[i];
        counters->busy_out[t->src] += m->words;
        counters->busy_in[t->dst] += m->words;
    }
    return (uint64_t)f->chip.exchange->program_overhead + fs_circuit_run(c->circuit, c->messages, c->count);
}

static const fs_fabric_kind kind = {.latency = latency,
                                    .port_cycles = port_cycles,
                                    .broadcast = broadcast,
                                    .message = message,
                                    .phase = phase};

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
                    .circuit = fs_circuit_create(arena, columns, rows, (uint32_t)o->ramp),
                    .place = FS_NEW(arena, uint32_t, chip->tiles),
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
    return fs_circuit_colour(c->circuit, c->messages, c->count, (uint32_t)o->colours, err) ? NULL
                                                                                           : &c->fabric;
}
