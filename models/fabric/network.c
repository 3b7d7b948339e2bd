/* Kind noc: tiles are end points of a network, messages become packets.
 *
 * A message of b bytes is as many packets as exchange.noc.packet says, each of exchange.noc.header flits and then
 * its data, exchange.noc.width bytes a flit. All messages of a phase are offered in its first cycle, those of a
 * tile in the order of their lanes, and a tile sends a flit a cycle.
 *
 * The network has a clock of its own, which stands while it is idle; `ahead` is what the caller's has more. */
#include "models/fabric/network_internal.h"
#include "models/fabric/places.h"
#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef fs_network network;
typedef fs_network_fabric noc;
typedef fs_network_message message;

static const noc *noc_of(const fs_fabric *f) {
    return (const noc *)f;
}

/* ---- messages as packets ---- */

uint64_t fs_network_message_flits(const fs_noc_options *o, uint64_t bytes) {
    const uint64_t rest = bytes % (uint64_t)o->packet;
    return bytes / (uint64_t)o->packet * fs_network_flits(o, (uint64_t)o->packet) +
           (rest > 0 ? fs_network_flits(o, rest) : 0);
}

static uint64_t port_cycles(const fs_fabric *f, uint64_t bytes) {
    return fs_network_message_flits(f->chip.noc, bytes);
}

static uint32_t bytes_of(const fs_fabric *f, uint32_t transfer, uint32_t occupied) {
    const fs_noc_options *o = f->chip.noc;
    FS_ASSERT(occupied <= noc_of(f)->transfers[transfer].bytes, "lane %u holds %u bytes in a buffer of %u",
              transfer, occupied, noc_of(f)->transfers[transfer].bytes);
    return occupied + fs_network_packets(o, occupied) * (uint32_t)(o->header * o->width);
}

/* ---- alone ---- */

static fs_noc_way way_between(const fs_fabric *f, uint32_t src, uint32_t dst) {
    const fs_fabric_network *n = &noc_of(f)->network->of;
    return fs_noc_way_of(n->graph, (uint32_t)f->chip.noc->vcs, n->end_of[src], n->end_of[dst], 0, NULL, 0);
}

static fs_noc_params params_of(const fs_noc_options *o) {
    return (fs_noc_params){
        .channels = (uint32_t)o->vcs, .buffer = (uint32_t)o->buffer, .free = o->routers == FS_NOC_FREE};
}

/* A flit that follows others on that way arrives so long after its source sent it. */
static uint32_t trip(const fs_fabric *f, const fs_noc_way *way, uint32_t src, uint32_t dst, bool free) {
    const fs_fabric_network *n = &noc_of(f)->network->of;
    return (uint32_t)fs_noc_alone_first(n->graph, way, n->end_of[src], n->end_of[dst], free) - 1;
}

static uint32_t latency(const fs_fabric *f, uint32_t src, uint32_t dst) {
    const fs_noc_way way = way_between(f, src, dst);
    return trip(f, &way, src, dst, f->chip.noc->routers == FS_NOC_FREE);
}

static uint64_t broadcast(const fs_fabric *f, uint32_t src, uint64_t bytes) {
    uint32_t farthest = 0;
    for (uint32_t t = 0; t < f->chip.tiles && bytes > 0; t++) {
        const uint32_t to = t == src ? 0 : latency(f, src, t);
        farthest = to > farthest ? to : farthest;
    }
    return port_cycles(f, bytes) + farthest;
}

/* ---- messages under way ---- */

static uint32_t new_message(network *n, message of) {
    uint32_t number = n->message_free;
    if (number == FS_NOC_NONE) {
        n->messages = fs_arena_grow(n->arena, n->messages, n->message_count, sizeof *n->messages);
        number = n->message_count++;
    } else {
        n->message_free = n->messages[number].next;
    }
    n->messages[number] = of;
    return number;
}

void fs_network_count_message(network *n, const fs_noc_options *o, uint32_t bytes) {
    const uint64_t packets = fs_network_packets(o, bytes);
    n->of.traffic.messages++;
    n->of.traffic.packets += packets;
    n->of.traffic.header_flits += packets * (uint64_t)o->header;
    n->of.traffic.bytes += bytes;
}

static void put(noc *x, uint32_t transfer, uint32_t bytes, uint32_t tag) {
    network *n = x->network;
    const fs_noc_options *o = x->fabric.chip.noc;
    const fs_transfer *t = &x->transfers[transfer];
    const uint32_t src = n->of.end_of[t->src], dst = n->of.end_of[t->dst];
    const uint32_t packets = fs_network_packets(o, bytes),
                   number = new_message(n, (message){transfer, tag, packets, 0});
    for (uint32_t done = 0; done < bytes; done += (uint32_t)fs_least((uint64_t)o->packet, bytes - done)) {
        const uint32_t flits = fs_network_flits(o, fs_least((uint64_t)o->packet, bytes - done));
        fs_noc_offer(n->net, src, dst, flits, 0, number);
        n->sent += flits;
        n->flits[t->src] += flits;
    }
    fs_network_count_message(n, o, bytes);
    n->sending[src / 64] |= (uint64_t)1 << src % 64;
    n->message_at[src] = number;
}

/* Between messages the network's clock stands. */
static void set_clock(network *n, uint64_t cycle) {
    if (fs_noc_is_idle(n->net))
        n->ahead = cycle - fs_noc_now(n->net);
}

static void offer(fs_fabric *f, uint64_t cycle, uint32_t transfer, uint32_t bytes, uint32_t tag) {
    set_clock(noc_of(f)->network, cycle);
    put((noc *)f, transfer, bytes, tag);
}

static uint64_t next(const fs_fabric *f) {
    const network *n = noc_of(f)->network;
    return fs_noc_is_idle(n->net) ? UINT64_MAX : fs_noc_now(n->net) + n->ahead;
}

/* Sources that have sent all that they had. */
static uint32_t note_sent(network *n) {
    const uint64_t *still = fs_noc_sending(n->net);
    uint32_t count = 0;
    for (uint64_t w = 0; w < n->words; w++) {
        for (uint64_t bits = n->sending[w] & ~still[w]; bits != 0; bits &= bits - 1) {
            const message *m = &n->messages[n->message_at[w * 64 + (uint64_t)__builtin_ctzll(bits)]];
            n->events[count++] = (fs_fabric_event){m->transfer, m->tag, false};
        }
        n->sending[w] &= still[w];
    }
    return count;
}

static void note_arrival(noc *x, const fs_noc_arrival *a) {
    network *n = x->network;
    const message *m = &n->messages[a->tag];
    const uint32_t src = x->transfers[m->transfer].src;
    n->hops += (uint64_t)a->flits * x->routers[m->transfer];
    n->of.traffic.flits += a->flits;
    n->of.traffic.hops += (uint64_t)a->flits * a->routers;
    fs_noc_packets_add(&n->of.packets, a);
    n->over = a->arrived;
    if (a->injected >= n->last[src]) {
        n->last[src] = a->injected;
        n->last_flits[src] = a->flits;
    }
}

/* The network makes a cycle. */
static const fs_noc_arrival *make_cycle(network *n, uint32_t *count) {
    if (n->of.film != NULL && fs_noc_now(n->net) >= n->of.film->next)
        fs_noc_film_note(n->of.film, fs_noc_now(n->net), fs_noc_uses(n->net));
    return fs_noc_step(n->net, count);
}

static const fs_fabric_event *step(fs_fabric *f, uint32_t *count) {
    noc *x = (noc *)f;
    network *n = x->network;
    uint32_t arrivals, events;
    const fs_noc_arrival *a = make_cycle(n, &arrivals);
    events = note_sent(n);
    for (uint32_t i = 0; i < arrivals; i++) {
        message *m = &n->messages[a[i].tag];
        note_arrival(x, &a[i]);
        if (--m->left > 0)
            continue;
        n->events[events++] = (fs_fabric_event){m->transfer, m->tag, true};
        m->next = n->message_free;
        n->message_free = a[i].tag;
    }
    *count = events;
    return n->events;
}

/* ---- phases ---- */

static uint32_t open_phase(fs_fabric *f, uint64_t cycle, const uint32_t *occupied) {
    noc *x = (noc *)f;
    network *n = x->network;
    set_clock(n, cycle);
    memset(n->flits, 0, f->chip.tiles * sizeof *n->flits);
    memset(n->last, 0, f->chip.tiles * sizeof *n->last);
    x->occupied = occupied;
    x->begun = fs_noc_now(n->net);
    uint32_t messages = 0;
    for (uint32_t i = 0; i < x->count; i++)
        if (occupied[x->order[i]] > 0) {
            put(x, x->order[i], occupied[x->order[i]], messages);
            messages++;
        }
    return messages;
}

/* Flits of a message if they had twice the width. */
static uint64_t wide_flits(const fs_noc_options *o, uint64_t bytes) {
    fs_noc_options wide = *o;
    wide.width *= 2;
    return fs_network_message_flits(&wide, bytes);
}

uint64_t fs_network_add_floors(noc *x, const uint32_t *occupied, uint64_t links) {
    const fs_noc_options *o = x->fabric.chip.noc;
    network *n = x->network;
    uint64_t ports = 0, longest = 0, free = 0, wide = 0;
    memset(n->taken, 0, x->fabric.chip.tiles * sizeof *n->taken);
    for (uint32_t i = 0; i < x->count; i++) {
        if (occupied[i] == 0)
            continue;
        const uint64_t bytes = occupied[i], flits = fs_network_message_flits(o, bytes);
        const fs_transfer *t = &x->transfers[i];
        n->taken[t->dst] += flits;
        longest = fs_most(longest, x->trip[i] + flits - 1);
        free = fs_most(free, x->free_trip[i] + flits - 1);
        wide = fs_most(wide, x->trip[i] + wide_flits(o, bytes) - 1);
    }
    for (uint32_t t = 0; t < x->fabric.chip.tiles; t++)
        ports = fs_most(ports, fs_most(n->flits[t], n->taken[t]));
    fs_fabric_floors *floors = &n->of.floors;
    floors->endless += fs_most(fs_most(links, ports), longest);
    floors->free += fs_most(ports, free);
    floors->twice += fs_most((fs_most(links, ports) + 1) / 2, wide);
    return o->routers == FS_NOC_FREE ? fs_most(ports, free) : fs_most(fs_most(links, ports), longest);
}

/* Flits of the phase's busiest link. */
static uint64_t busiest_link(network *n) {
    const fs_noc_use *uses = fs_noc_uses(n->net);
    uint64_t links = 0;
    for (uint32_t l = 0; l < n->of.graph->links; l++) {
        links = fs_most(links, uses[l].flits - n->carried[l]);
        n->carried[l] = uses[l].flits;
    }
    return links;
}

void fs_network_count_ports(const noc *x, const uint32_t *occupied, const fs_port_counters *c) {
    for (uint32_t i = 0; c != NULL && i < x->count; i++) {
        const fs_transfer *t = &x->transfers[i];
        if (occupied[i] == 0)
            continue;
        const uint32_t bytes = bytes_of(&x->fabric, i, occupied[i]);
        fs_port_count(c->bytes_out, t->src, bytes);
        fs_port_count(c->bytes_in, t->dst, bytes);
        fs_port_count(c->busy_in, t->dst, port_cycles(&x->fabric, occupied[i]));
    }
    for (uint32_t t = 0; c != NULL && t < x->fabric.chip.tiles; t++)
        fs_port_count(c->busy_out, t, x->network->flits[t]);
}

/* What is left after the last arrival are credits. */
static void close_phase(fs_fabric *f, const fs_port_counters *c) {
    noc *x = (noc *)f;
    network *n = x->network;
    for (uint32_t count; !fs_noc_is_idle(n->net);)
        make_cycle(n, &count);
    if (n->over >= x->begun) { /* something was sent */
        fs_network_add_floors(x, x->occupied, busiest_link(n));
        n->of.floors.cycles += n->over - x->begun;
    }
    fs_network_count_ports(x, x->occupied, c);
    for (uint32_t t = 0; c != NULL && t < f->chip.tiles; t++)
        if (n->flits[t] > 0)
            fs_port_count(c->waiting_out, t, n->last[t] - x->begun - (n->flits[t] - n->last_flits[t]));
}

static uint64_t phase(fs_fabric *f, const uint32_t *occupied, const fs_port_counters *counters) {
    const uint64_t overhead = (uint64_t)f->chip.exchange->program_overhead;
    network *n = noc_of(f)->network;
    if (noc_of(f)->whole)
        return overhead + fs_network_plan_of(f).arrival;
    if (n->samples != NULL)
        return overhead + fs_network_samples_phase((noc *)f, occupied, counters);
    const uint32_t messages = open_phase(f, fs_noc_now(n->net) + n->ahead, occupied);
    if (messages == 0)
        return overhead;
    uint64_t now = 0;
    for (uint32_t left = messages, count; left > 0;) {
        now = fs_noc_now(n->net);
        const fs_fabric_event *e = step(f, &count);
        for (uint32_t i = 0; i < count; i++)
            left -= e[i].arrived;
    }
    close_phase(f, counters);
    return overhead + now - noc_of(f)->begun;
}

/* ---- what holds ---- */

fs_status fs_network_check(const fs_fabric *f, fs_error *err) {
    const network *n = noc_of(f)->network;
    if (n->samples != NULL && fs_noc_now(n->net) == 0)
        return FS_OK; /* a phase is checked where it is simulated */
    if (fs_noc_check(n->net, err))
        return err->status;
    if (!fs_noc_is_idle(n->net) || n->samples != NULL)
        return FS_OK;
    const fs_noc_sums sums = fs_noc_sums_of(n->net);
    const fs_fabric_traffic *t = &n->of.traffic;
    if (sums.sent + n->planned != n->sent || sums.taken != sums.sent || t->flits != n->sent)
        return fs_fail(err, FS_BROKEN,
                       "%" PRIu64 " flits of messages, %" PRIu64 " were sent, %" PRIu64 " taken", n->sent,
                       sums.sent + n->planned, sums.taken + n->planned);
    if (sums.hops + n->planned_hops != n->hops || t->hops != n->hops)
        return fs_fail(err, FS_BROKEN,
                       "links carried %" PRIu64 " flits, the ways of the messages say %" PRIu64,
                       sums.hops + n->planned_hops, n->hops);
    const uint64_t room = (t->flits - t->header_flits) * (uint64_t)f->chip.noc->width;
    return room >= t->bytes ? FS_OK
                            : fs_fail(err, FS_BROKEN, "%" PRIu64 " B of messages in flits of %" PRIu64 " B",
                                      t->bytes, room);
}

static uint64_t flit_hops(const fs_fabric *f, const uint32_t *occupied) {
    const noc *x = noc_of(f);
    uint64_t hops = 0;
    for (uint32_t i = 0; i < x->count; i++)
        hops += port_cycles(f, occupied != NULL ? occupied[i] : x->transfers[i].bytes) * x->routers[i];
    return hops;
}

static const fs_fabric_network *network_of(const fs_fabric *f) {
    return &noc_of(f)->network->of;
}

static void set_transfers(noc *x, const fs_transfer *transfers, uint32_t count) {
    const fs_fabric *f = &x->fabric;
    x->transfers = transfers;
    x->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const fs_transfer *t = &transfers[i];
        const fs_noc_way way = way_between(f, t->src, t->dst);
        x->routers[i] = way.routers;
        x->trip[i] = trip(f, &way, t->src, t->dst, f->chip.noc->routers == FS_NOC_FREE);
        x->free_trip[i] = trip(f, &way, t->src, t->dst, true);
    }
    if (x->network->samples != NULL && !x->whole)
        fs_network_samples_set(x);
}

/* They ascend by sender. */
static void set(fs_fabric *f, const fs_transfer *transfers, uint32_t count) {
    noc *x = (noc *)f;
    for (uint32_t i = 0; i < count; i++)
        x->order[i] = i;
    set_transfers(x, transfers, count);
}

static const fs_noc_use *uses_of(const network *n) {
    const fs_noc_use *own = n->samples != NULL ? fs_network_samples_uses(n->samples) : fs_noc_uses(n->net);
    if (n->planned_uses == NULL)
        return own;
    for (uint32_t l = 0; l < n->of.graph->links + n->of.graph->ends; l++) {
        n->all_uses[l] = own[l];
        fs_network_add_use(&n->all_uses[l], &n->planned_uses[l], 1);
    }
    return n->all_uses;
}

static bool links_of(const fs_fabric *f, fs_fabric_links *out) {
    const fs_fabric_network *n = network_of(f);
    *out = (fs_fabric_links){.graph = n->graph,
                             .options = *f->chip.noc,
                             .uses = uses_of(noc_of(f)->network),
                             .packets = &n->packets,
                             .flit_hops = n->traffic.hops};
    return true;
}

static fs_status settle(fs_fabric *f, uint64_t added, const fs_port_counters *counters, fs_error *err) {
    network *n = noc_of(f)->network;
    return n->samples == NULL ? FS_OK : fs_network_samples_settle(n, added, f->chip.tiles, counters, err);
}

static const fs_fabric_kind kind = {.latency = latency,
                                    .port_cycles = port_cycles,
                                    .broadcast = broadcast,
                                    .message = bytes_of,
                                    .phase = phase,
                                    .set = set,
                                    .offer = offer,
                                    .next = next,
                                    .step = step,
                                    .open = open_phase,
                                    .close = close_phase,
                                    .check = fs_network_check,
                                    .network = network_of,
                                    .links = links_of,
                                    .settle = settle,
                                    .flit_hops = flit_hops,
                                    .is_planned = fs_network_is_planned,
                                    .make_plans = fs_network_make_plans,
                                    .plan = fs_network_plan_of,
                                    .count_planned = fs_network_count_planned,
                                    .way_of = way_between};

/* ---- making ---- */

/* Packets under way when all lanes are full, as far as a pool of them may be laid out ahead. */
static uint32_t most_packets(const fs_fabric_chip *chip, const fs_transfer *transfers, uint32_t count) {
    enum { MOST = 1 << 20 };
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most += fs_network_packets(chip->noc, transfers[i].bytes);
    return most < MOST ? (uint32_t)most : MOST;
}

network *fs_network_create(fs_arena *arena, const fs_fabric_chip *chip, const fs_noc_graph *graph,
                           const uint32_t *end_of, const fs_transfer *transfers, uint32_t count,
                           fs_error *err) {
    fs_noc_params params = params_of(chip->noc);
    params.packets = most_packets(chip, transfers, count);
    params.arena = arena;
    network *n = FS_NEW(arena, network, 1);
    *n = (network){.net = fs_noc_net_create(graph, &params, err),
                   .arena = arena,
                   .message_free = FS_NOC_NONE,
                   .words = graph->ends / 64 + 1};
    if (n->net == NULL)
        return NULL;
    n->of = (fs_fabric_network){.graph = graph, .net = n->net, .end_of = end_of};
    n->sending = FS_NEW(arena, uint64_t, n->words);
    n->message_at = FS_NEW(arena, uint32_t, graph->ends);
    n->events = FS_NEW(arena, fs_fabric_event, 2 * (size_t)graph->ends);
    n->flits = FS_NEW(arena, uint64_t, chip->tiles);
    n->last = FS_NEW(arena, uint64_t, chip->tiles);
    n->last_flits = FS_NEW(arena, uint32_t, chip->tiles);
    n->taken = FS_NEW(arena, uint64_t, chip->tiles);
    n->carried = FS_NEW(arena, uint64_t, graph->links + 1);
    return n;
}

static network *make_network(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                             fs_error *err) {
    if (chip->noc->planes > 1)
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "machine.exchange.noc.planes: messages of tiles go over one network; expected 1, found "
            "%" PRId64,
            chip->noc->planes);
    const fs_noc_graph *graph = fs_noc_make(arena, chip->noc, err);
    const uint32_t *end_of = graph == NULL ? NULL : fs_fabric_places(arena, chip, graph, err);
    if (end_of == NULL)
        return NULL;
    network *n = fs_network_create(arena, chip, graph, end_of, lanes->transfers, lanes->count, err);
    if (n == NULL)
        return NULL;
    if (chip->noc->detail == FS_NOC_SAMPLED) {
        const fs_noc_params params = params_of(chip->noc);
        n->samples = fs_network_samples_create(arena, graph, chip->noc, &params);
    } else {
        n->of.film = fs_noc_film_create(arena, graph);
    }
    return n;
}

/* Transfers by sender, in the order of their numbers. */
static uint32_t *order_of(fs_arena *arena, uint32_t tiles, uint32_t most, const fs_exchange_lanes *lanes) {
    uint32_t *order = FS_NEW(arena, uint32_t, most + 1), *first = fs_calloc(tiles + 1, sizeof *first);
    for (uint32_t i = 0; i < lanes->count; i++)
        first[lanes->transfers[i].src + 1]++;
    for (uint32_t t = 0; t < tiles; t++)
        first[t + 1] += first[t];
    for (uint32_t i = 0; i < lanes->count; i++)
        order[first[lanes->transfers[i].src]++] = i;
    free(first);
    return order;
}

fs_fabric *fs_fabric_noc(fs_arena *arena, const fs_fabric_chip *chip, const fs_exchange_lanes *lanes,
                         fs_error *err) {
    noc *x = FS_NEW(arena, noc, 1);
    const uint32_t most = lanes->count > lanes->room ? lanes->count : lanes->room;
    *x = (noc){.fabric = {.kind = &kind, .chip = *chip},
               .network = chip->beside != NULL ? noc_of(chip->beside)->network
                                               : make_network(arena, chip, lanes, err),
               .whole = lanes->whole};
    if (x->network == NULL)
        return NULL;
    if (x->whole)
        x->network->of.film = NULL; /* its phases are no frames of a time */
    x->order = order_of(arena, chip->tiles, most, lanes);
    x->routers = FS_NEW(arena, uint32_t, most + 1);
    x->trip = FS_NEW(arena, uint32_t, most + 1);
    x->free_trip = FS_NEW(arena, uint32_t, most + 1);
    x->way_start = FS_NEW(arena, uint32_t, most + 1);
    set_transfers(x, lanes->transfers, lanes->count);
    return &x->fabric;
}
