/* What a step moves between chips: a barrier of all chips, then edges and ports of tiles, each for itself. */
#include "models/ipu/device_internal.h"

#include "sim/base/arith.h"

static uint32_t chip_of(const fs_device *d, uint32_t tile) {
    return fs_geometry_chip(&d->machine->geometry, tile);
}

static bool leaves(const fs_device *d, const fs_transfer *t) {
    return d->chips != NULL && chip_of(d, t->src) != chip_of(d, t->dst);
}

static fs_status check(const fs_device *d, const fs_device_step *step, uint32_t i, fs_error *err) {
    const fs_transfer *t = &step->transfers[i];
    const uint32_t from = chip_of(d, t->src), to = chip_of(d, t->dst), *route;
    const char *name = step->name != NULL ? step->name : "nameless";
    if (step->sent_with != NULL && step->sent_with[i] != i)
        return fs_fail(
            err, FS_INPUT,
            "device: step \"%s\": transfer %u from tile %u to %u is of a multicast over chips %u and %u; "
            "a multicast ends at its chip",
            name, i, t->src, t->dst, from, to);
    if (fs_chips_route(d->chips, from, to, &route) == UINT32_MAX)
        return fs_fail(
            err, FS_INPUT,
            "machine.fabric.kind: tile %u of chip %u sends to tile %u of chip %u, and %s has no way from one "
            "to the other; expected ladder, ring or all",
            t->src, from, t->dst, to, fs_chips_kinds[d->machine->fabric.kind]);
    return FS_OK;
}

/* The port of a tile, which gets one where it has none yet. */
static uint32_t port_of(fs_external *x, uint32_t tile, bool out) {
    uint32_t *known = &x->known[out][tile];
    if (*known == 0) {
        x->port[x->ports] = (fs_external_port){.tile = tile, .out = out};
        *known = ++x->ports;
    }
    return *known - 1;
}

/* The transfers of the step that leave a chip. */
static void find(const fs_device *d, fs_external *x, const fs_transfer *transfers, uint32_t count) {
    for (uint32_t p = 0; p < x->ports; p++)
        x->known[x->port[p].out][x->port[p].tile] = 0;
    x->count = x->ports = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!leaves(d, &transfers[i]))
            continue;
        const uint32_t tile[2] = {transfers[i].src, transfers[i].dst};
        for (int end = 0; end < 2; end++) {
            x->chip[end][x->count] = chip_of(d, tile[end]);
            x->at[end][x->count] = port_of(x, tile[end], end == 0);
        }
        x->transfer[x->count++] = i;
    }
}

fs_status fs_external_make(const fs_device *d, const fs_device_step *step, fs_arena *arena, fs_external **out,
                           fs_error *err) {
    const uint32_t all = step->transfer_count, room = all > step->most_transfers ? all : step->most_transfers;
    bool any = step->most_transfers > 0;
    *out = NULL;
    for (uint32_t i = 0; i < all && d->chips != NULL; i++)
        if (leaves(d, &step->transfers[i])) {
            any = true;
            if (check(d, step, i, err))
                return err->status;
        }
    if (d->chips == NULL || !any)
        return FS_OK;
    fs_external *x = FS_NEW(arena, fs_external, 1);
    x->transfer = FS_NEW(arena, uint32_t, room);
    x->most_ports = 2 * (room < d->tiles ? room : d->tiles);
    x->port = FS_NEW(arena, fs_external_port, x->most_ports);
    x->inside = FS_NEW(arena, fs_transfer, all);
    x->occupied = FS_NEW(arena, uint32_t, room);
    for (int end = 0; end < 2; end++) {
        x->chip[end] = FS_NEW(arena, uint32_t, room);
        x->at[end] = FS_NEW(arena, uint32_t, room);
        x->known[end] = FS_NEW(arena, uint32_t, d->tiles);
    }
    find(d, x, step->transfers, all);
    for (uint32_t i = 0; i < all; i++) {
        x->inside[i] = step->transfers[i];
        x->inside[i].bytes = leaves(d, &step->transfers[i]) ? 0 : x->inside[i].bytes;
    }
    *out = x;
    return FS_OK;
}

void fs_external_open(const fs_device *d, fs_step *s) {
    find(d, s->external, s->transfers, s->transfer_count);
}

const uint32_t *fs_external_held(fs_external *x, const uint32_t *occupied, uint32_t transfers) {
    if (occupied == NULL)
        return NULL;
    for (uint32_t i = 0; i < transfers; i++)
        x->occupied[i] = occupied[i];
    for (uint32_t i = 0; i < x->count; i++)
        x->occupied[x->transfer[i]] = 0;
    return x->occupied;
}

/* The bytes of a transfer between chips: a planned buffer whole, else what it holds behind a header. */
static uint32_t message(const fs_device *d, const fs_step *s, uint32_t transfer) {
    if (fs_fabric_plans(&d->machine->exchange))
        return s->transfers[transfer].bytes;
    const uint32_t held = s->occupied != NULL ? s->occupied[transfer] : 0;
    return held > 0 ? held + (uint32_t)d->machine->exchange.header : 0;
}

uint32_t fs_step_message(const fs_device *d, const fs_step *s, uint32_t transfer) {
    if (s->external != NULL && leaves(d, &s->transfers[transfer]))
        return message(d, s, transfer);
    return fs_fabric_message(s->fabric, transfer, s->occupied != NULL ? s->occupied[transfer] : 0);
}

uint64_t fs_external_sync(const fs_device *d) {
    return (uint64_t)d->machine->sync.external + fs_chips_sync(d->chips);
}

uint64_t fs_external_port_cycles(const fs_device *d, const fs_external_port *port) {
    return fs_up(port->bytes, (uint64_t)d->machine->exchange.bytes_per_cycle);
}

void fs_external_begin(fs_branch *b) {
    fs_device *d = b->device;
    const fs_step *s = b->step;
    fs_external *x = s->external;
    fs_chips_begin(d->chips);
    for (uint32_t p = 0; p < x->ports; p++)
        x->port[p].bytes = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        const uint32_t bytes = message(d, s, x->transfer[i]), *route;
        fs_chips_send(d->chips, x->chip[0][i], x->chip[1][i], bytes);
        x->port[x->at[0][i]].bytes += bytes;
        x->port[x->at[1][i]].bytes += bytes;
        d->chip_held += s->occupied != NULL ? (uint64_t)b->weight * s->occupied[x->transfer[i]] : 0;
        d->chip_bytes +=
            (uint64_t)b->weight * bytes * fs_chips_route(d->chips, x->chip[0][i], x->chip[1][i], &route);
    }
    uint64_t longest = fs_chips_longest(d->chips, &x->latency);
    for (uint32_t p = 0; p < x->ports; p++)
        longest = fs_most(longest, fs_external_port_cycles(d, &x->port[p]));
    x->cycles = (uint64_t)d->machine->exchange.program_overhead + longest + x->latency;
}

void fs_external_end(fs_branch *b) {
    fs_device *d = b->device;
    const fs_external *x = b->step->external;
    const fs_port_counters *c = &d->books.port_counters;
    for (uint32_t p = 0; p < x->ports; p++) {
        const fs_external_port *port = &x->port[p];
        (port->out ? c->bytes_out : c->bytes_in)[port->tile] += b->weight * port->bytes;
        (port->out ? c->busy_out : c->busy_in)[port->tile] += b->weight * fs_external_port_cycles(d, port);
    }
    fs_energy_chips(&d->energy, b->weight * fs_chips_end(d->chips, b->weight));
}

fs_status fs_external_check(const fs_device *d, fs_error *err) {
    uint64_t carried = 0;
    for (uint32_t e = 0; d->chips != NULL && e < fs_chips_edges(d->chips); e++)
        carried += fs_chips_use_of(d->chips, e).bytes;
    return carried == d->chip_bytes
               ? FS_OK
               : fs_fail(err, FS_BROKEN,
                         "links between chips carried %llu bytes, the routes of what was sent say %llu",
                         (unsigned long long)carried, (unsigned long long)d->chip_bytes);
}
