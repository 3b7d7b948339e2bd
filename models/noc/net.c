/* Networks made, offered packets, and counted up. */
#include "models/noc/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

/* Parts of one block of memory: once to add up, once to hand out. */
typedef struct parts {
    char *block;
    size_t bytes;
} parts;

static void *part(parts *p, size_t count, size_t size) {
    void *at = p->block == NULL ? NULL : p->block + p->bytes;
    p->bytes += (count * size + 63) & ~(size_t)63;
    return at;
}

static void lay_out(fs_noc_net *net, parts *p) {
    const fs_noc_graph *g = net->graph;
    const size_t ins = g->in_at[g->routers], outs = g->out_at[g->routers], ways = outs + g->ends,
                 v = (size_t)1 << net->shift;
    net->sources = part(p, g->ends, sizeof *net->sources);
    net->sending = part(p, g->ends / 64 + 1, 8);
    net->senders = part(p, g->ends, sizeof *net->senders);
    net->in = part(p, 2 * ways * v, sizeof *net->in);
    net->out = part(p, 2 * ways * v, sizeof *net->out);
    net->in_way = part(p, ins, sizeof *net->in_way);
    net->front = part(p, ways * v, sizeof *net->front);
    net->queue = part(p, ways * v * net->depth, sizeof *net->queue);
    net->use = part(p, ways, sizeof *net->use);
    net->stands = part(p, outs, sizeof *net->stands);
    net->waiting = part(p, ins * v, sizeof *net->waiting);
    net->active = part(p, ins + 1, sizeof *net->active);
    net->one = part(p, ins + 1, sizeof *net->one);
    net->more = part(p, ins + 1, sizeof *net->more);
    net->channels_given = part(p, ins * v, sizeof *net->channels_given);
    net->moves = part(p, ins, sizeof *net->moves);
    net->wheel = part(p, net->slots, sizeof *net->wheel);
    for (uint32_t s = 0; s < net->slots; s++) {
        uint32_t *flits = part(p, ins, sizeof *flits), *credits = part(p, ins + g->ends, sizeof *credits);
        fs_noc_event *heads = part(p, ins, sizeof *heads), *taken = part(p, g->ends, sizeof *taken);
        if (p->block != NULL)
            net->wheel[s] = (fs_noc_slot){.flits = flits, .credits = credits, .heads = heads, .taken = taken};
    }
    net->uses = part(p, (size_t)g->links + g->ends, sizeof *net->uses);
    net->port_of = part(p, (size_t)g->links + g->ends, sizeof *net->port_of);
    net->arrivals = part(p, g->ends, sizeof *net->arrivals);
    if (!net->reserve)
        return;
    net->until = part(p, outs + g->ends, 8);
    net->holder = part(p, outs + g->ends, sizeof *net->holder);
    net->queue_first = part(p, outs, sizeof *net->queue_first);
    net->queue_last = part(p, outs, sizeof *net->queue_last);
    net->queued = part(p, outs / 64 + 1, 8);
    net->due = part(p, FS_NOC_RESERVE_SLOTS, sizeof *net->due);
}

/* Where ports lie among a router's; the pointers of all arbiters are at the first. */
static void place_ports(fs_noc_net *net) {
    const fs_noc_graph *g = net->graph;
    for (uint32_t r = 0; r < g->routers; r++) {
        const uint32_t ins = g->in_at[r + 1] - g->in_at[r], outs = g->out_at[r + 1] - g->out_at[r];
        for (uint32_t k = 0; k < ins; k++) {
            fs_noc_in_port *port = fs_noc_in_at(net, net->in_way[g->in_at[r] + k]);
            port->router = r;
            port->place = (uint8_t)k;
            port->ins = (uint8_t)ins;
            port->outs = (uint8_t)outs;
            port->channel = (uint8_t)(net->channels - 1);
            port->won = (outs - 1) * FS_NOC_OUT;
        }
        for (uint32_t o = g->out_at[r]; o < g->out_at[r + 1]; o++) {
            fs_noc_out_at(net, o)->place = (uint8_t)(ins - 1);
            fs_noc_out_at(net, o)->free = (uint16_t)((1u << net->channels) - 1);
            net->stands[o] = FS_NOC_NONE;
        }
    }
}

/* A way into an input port: cycles of a flit, and of a credit back. */
static void lead(fs_noc_net *net, uint32_t way, uint32_t in, uint32_t there, uint32_t back) {
    net->in_way[in] = way;
    fs_noc_out_at(net, way)->latency = (uint16_t)there;
    fs_noc_in_at(net, way)->latency = (uint16_t)back;
}

static void connect(fs_noc_net *net) {
    const fs_noc_graph *g = net->graph;
    net->ins = g->in_at[g->routers];
    net->outs = g->out_at[g->routers];
    for (uint32_t l = 0; l < g->links; l++) {
        const fs_noc_link *link = &g->link[l];
        net->port_of[l] = g->out_at[link->from] + link->from_port;
        lead(net, net->port_of[l], g->in_at[link->to] + link->to_port, link->latency + 2u,
             link->latency + 2u);
    }
    for (uint32_t e = 0; e < g->ends; e++) {
        const fs_noc_end *end = &g->end[e];
        fs_noc_out_port *out = fs_noc_out_at(net, g->out_at[end->router] + end->out_port);
        out->latency = (uint16_t)(end->latency + 2);
        out->leaves = true;
        net->port_of[g->links + e] = g->out_at[end->router] + end->out_port;
        lead(net, net->outs + e, g->in_at[end->router] + end->in_port, end->latency + 1u, end->latency + 2u);
        net->sources[e] = (fs_noc_source){.first = FS_NOC_NONE, .last = FS_NOC_NONE, .channel = FS_NOC_NONE};
    }
    place_ports(net);
    for (uint32_t w = 0; w < net->outs + g->ends; w++)
        for (uint32_t v = 0; v < net->channels; v++)
            net->out[fs_noc_channel(net->shift, w, v)] =
                (fs_noc_out_channel){.owner = FS_NOC_NONE, .credits = (uint16_t)net->depth};
    for (uint32_t o = 0; o < net->outs && net->reserve; o++)
        net->queue_first[o] = FS_NOC_NONE;
    for (uint32_t s = 0; s < FS_NOC_RESERVE_SLOTS && net->reserve; s++)
        net->due[s] = FS_NOC_NONE;
}

/* The latency of all links and ways to end points; 0: they differ. */
static uint32_t only_latency(const fs_noc_graph *g) {
    const uint32_t latency = g->ends > 0 ? g->end[0].latency : 0;
    for (uint32_t l = 0; l < g->links; l++)
        if (g->link[l].latency != latency)
            return 0;
    for (uint32_t e = 0; e < g->ends; e++)
        if (g->end[e].latency != latency)
            return 0;
    return latency;
}

static uint32_t longest(const fs_noc_graph *g) {
    uint32_t most = 1;
    for (uint32_t l = 0; l < g->links; l++)
        most = g->link[l].latency > most ? g->link[l].latency : most;
    for (uint32_t e = 0; e < g->ends; e++)
        most = g->end[e].latency > most ? g->end[e].latency : most;
    return most;
}

static void *memory_of(fs_arena *arena, size_t count, size_t size) {
    return arena != NULL ? fs_arena_alloc(arena, count, size) : fs_calloc(count, size);
}

fs_noc_net *fs_noc_net_create(const fs_noc_graph *graph, const fs_noc_params *params, fs_error *err) {
    if (params->channels < 1 || params->channels > FS_NOC_MOST_CHANNELS)
        return FS_FAIL_NULL(err, FS_INPUT, "expected 1 to %d virtual channels, found %u",
                            FS_NOC_MOST_CHANNELS, params->channels);
    if (params->buffer < 1 || params->buffer > FS_NOC_MOST_DEPTH)
        return FS_FAIL_NULL(err, FS_INPUT, "a buffer of %u flits a channel, 1 to %d are allowed",
                            params->buffer, FS_NOC_MOST_DEPTH);
    const uint32_t kinds = params->kinds == 0 ? 1 : params->kinds;
    if (params->channels < kinds * graph->classes)
        return FS_FAIL_NULL(err, FS_INPUT, "expected at least %u virtual channels, found %u: %s%s",
                            kinds * graph->classes, params->channels, graph->why,
                            kinds > 1 ? ", for requests and for answers" : "");
    fs_noc_net *net = memory_of(params->arena, 1, sizeof *net);
    net->arena = params->arena;
    net->packet_room = params->packets > 64 ? params->packets : 64;
    net->packets = memory_of(params->arena, net->packet_room, sizeof *net->packets);
    net->graph = graph;
    net->channels = params->channels;
    for (net->shift = FS_NOC_LEAST_SHIFT; 1u << net->shift < net->channels;)
        net->shift++;
    net->depth = params->buffer;
    net->of_kind = params->channels / kinds;
    net->packet_free = FS_NOC_NONE;
    net->reserve = params->reserve || params->free;
    net->free = params->free;
    net->alike = only_latency(graph);
    for (net->slots = 4; net->slots < longest(graph) + 4;)
        net->slots *= 2;
    parts p = {NULL, 0};
    lay_out(net, &p);
    net->block = memory_of(net->arena, p.bytes + 64, 1);
    p = (parts){(char *)(((uintptr_t)net->block + 63) & ~(uintptr_t)63), 0};
    lay_out(net, &p);
    connect(net);
    return net;
}

void fs_noc_net_free(fs_noc_net *net) {
    if (net == NULL || net->arena != NULL)
        return;
    free(net->packets);
    free(net->block);
    free(net);
}

/* ---- offers ---- */

/* Room for twice as many packets under way. */
static void make_room(fs_noc_net *net) {
    fs_noc_packet *more = memory_of(net->arena, 2 * (size_t)net->packet_room, sizeof *more);
    memcpy(more, net->packets, net->packet_count * sizeof *more);
    if (net->arena == NULL)
        free(net->packets);
    net->packets = more;
    net->packet_room *= 2;
}

void fs_noc_offer(fs_noc_net *net, uint32_t src, uint32_t dst, uint32_t flits, uint32_t kind, uint32_t tag) {
    FS_ASSERT(src < net->graph->ends && dst < net->graph->ends && flits > 0,
              "a packet from %u to %u of %u flits", src, dst, flits);
    uint32_t number = net->packet_free;
    if (number == FS_NOC_NONE) {
        if (net->packet_count == net->packet_room)
            make_room(net);
        number = net->packet_count++;
    } else {
        net->packet_free = net->packets[number].next;
    }
    net->packets[number] =
        (fs_noc_packet){.header = {.src = src, .dst = dst, .number = net->numbers++, .kind = (uint8_t)kind},
                        .flits = flits,
                        .tag = tag,
                        .fixed = (kind & FS_NOC_FIXED) != 0,
                        .offered = net->now,
                        .next = FS_NOC_NONE};
    fs_noc_source *s = &net->sources[src];
    if (s->first != FS_NOC_NONE) {
        net->packets[s->last].next = number;
    } else {
        s->first = number;
        if (!net->reserve)
            net->senders[net->sender_count++] = src;
    }
    s->last = number;
    net->sending[src / 64] |= (uint64_t)1 << src % 64;
    net->under_way++;
}

/* A pointer of rule 2, over the channels of so many ports. */
static uint16_t any_channel(const fs_noc_net *net, fs_rng *rng, uint32_t ports) {
    const uint32_t at = fs_rng_below(rng, ports * net->channels);
    return (uint16_t)((at / net->channels << net->shift) + at % net->channels);
}

/* What won last by rule 3: the one before a place of a circle. */
static uint8_t any_last(fs_rng *rng, uint32_t of) {
    return (uint8_t)((fs_rng_below(rng, of) + of - 1) % of);
}

void fs_noc_rest(fs_noc_net *net, fs_rng rng, uint32_t number) {
    FS_ASSERT(net->under_way == 0, "a network that is not idle does not rest");
    net->numbers = number;
    for (uint32_t in = 0; in < net->ins; in++) {
        const uint32_t w = net->in_way[in];
        fs_noc_in_port *port = fs_noc_in_at(net, w);
        port->channel = any_last(&rng, net->channels);
        port->won = any_last(&rng, port->outs) * FS_NOC_OUT;
        for (uint32_t v = 0; v < net->channels; v++)
            net->front[(w << net->shift) + v].pointer = any_channel(net, &rng, port->outs);
    }
    const fs_noc_graph *g = net->graph;
    for (uint32_t r = 0; r < g->routers; r++) {
        const uint32_t ins = g->in_at[r + 1] - g->in_at[r];
        for (uint32_t o = g->out_at[r]; o < g->out_at[r + 1]; o++) {
            fs_noc_out_at(net, o)->place = any_last(&rng, ins);
            for (uint32_t v = 0; v < net->channels; v++)
                net->out[fs_noc_channel(net->shift, o, v)].pointer = any_channel(net, &rng, ins);
        }
    }
    for (uint32_t e = 0; e < g->ends; e++)
        net->sources[e].latest = (uint8_t)fs_rng_below(&rng, net->of_kind);
}

/* ---- what is so far ---- */

uint64_t fs_noc_now(const fs_noc_net *net) {
    return net->now;
}

bool fs_noc_is_idle(const fs_noc_net *net) {
    return net->under_way == 0;
}

void fs_noc_skip(fs_noc_net *net, uint64_t cycle) {
    FS_ASSERT(net->under_way == 0 && cycle >= net->now, "a network that is not idle was skipped");
    net->now = cycle;
}

/* Flits of packets that hold a channel of a way and are not over there. */
static uint64_t flits_under_way(const fs_noc_net *net, uint32_t way) {
    uint64_t flits = 0;
    for (uint32_t v = 0; v < net->channels; v++) {
        const uint32_t i = net->out[fs_noc_channel(net->shift, way, v)].owner;
        if (i != FS_NOC_NONE)
            flits += net->packets[net->front[fs_noc_front_at(net->shift, i)].packet].flits -
                     (net->in[i].state & FS_NOC_ALL_LEFT);
    }
    return flits;
}

const fs_noc_use *fs_noc_uses(const fs_noc_net *net) {
    for (uint32_t l = 0; l < net->graph->links + net->graph->ends; l++) {
        const uint32_t o = net->port_of[l];
        net->uses[l] = net->use[o];
        net->uses[l].flits += flits_under_way(net, o);
        net->uses[l].no_credit = fs_noc_out_at(net, o)->no_credit;
        net->uses[l].lost = fs_noc_out_at(net, o)->lost;
        for (uint32_t i = net->stands[o]; i != FS_NOC_NONE;
             i = net->front[fs_noc_front_at(net->shift, i)].stands)
            net->uses[l].no_channel += (uint32_t)net->now - *fs_noc_since(net, net->shift, i);
    }
    return net->uses;
}

fs_noc_work fs_noc_work_of(const fs_noc_graph *g, const fs_noc_use *uses) {
    fs_noc_work work = {0};
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const bool out = l >= g->links;
        const uint32_t router = fs_noc_begin_of(g, l);
        work.ports += uses[l].flits * fs_noc_other_ports(g, router);
        work.length += out ? 0 : uses[l].flits * g->link[l].length;
        work.taken += out ? uses[l].flits : 0;
    }
    return work;
}

fs_noc_work fs_noc_work_of_tree(const fs_noc_graph *g, uint32_t channels, uint32_t number, uint32_t src,
                                const uint32_t *ends, uint32_t count) {
    double *through = fs_calloc((size_t)g->links + g->ends, sizeof *through);
    fs_noc_use *uses = fs_calloc((size_t)g->links + g->ends, sizeof *uses);
    for (uint32_t i = 0; i < count; i++)
        fs_noc_way_of(g, channels, src, ends[i], number, through, 1);
    for (uint32_t l = 0; l < g->links + g->ends; l++)
        uses[l].flits = through[l] > 0;
    const fs_noc_work work = fs_noc_work_of(g, uses);
    free(through);
    free(uses);
    return work;
}

fs_noc_sums fs_noc_sums_of(const fs_noc_net *net) {
    fs_noc_sums sums = {
        .sent = net->sent, .taken = net->taken, .hops = net->hops, .whole = net->under_way == 0};
    for (uint32_t w = 0; w < net->outs + net->graph->ends && sums.whole; w++)
        for (uint32_t v = 0; v < net->channels && sums.whole; v++) {
            const fs_noc_out_channel *c = &net->out[fs_noc_channel(net->shift, w, v)];
            sums.whole = c->owner == FS_NOC_NONE && c->credits == net->depth;
        }
    return sums;
}

const uint64_t *fs_noc_sending(const fs_noc_net *net) {
    return net->sending;
}

uint64_t fs_noc_taken(const fs_noc_net *net) {
    return net->taken;
}

fs_status fs_noc_check(const fs_noc_net *net, fs_error *err) {
    uint64_t held = 0;
    for (uint32_t w = 0; w < net->outs + net->graph->ends; w++)
        for (uint32_t v = 0; v < net->channels; v++)
            held += fs_noc_flits(net->in[fs_noc_channel(net->shift, w, v)].state);
    for (uint32_t s = 0; s < net->slots; s++)
        held += net->wheel[s].flit_count + net->wheel[s].head_count + net->wheel[s].taken_count;
    if (net->sent != net->taken + held && !(net->reserve && net->under_way > 0))
        return fs_fail(err, FS_BROKEN,
                       "%" PRIu64 " flits were sent, %" PRIu64 " taken, %" PRIu64 " are under way", net->sent,
                       net->taken, held);
    const fs_noc_sums sums = fs_noc_sums_of(net);
    return net->under_way > 0 || sums.whole
               ? FS_OK
               : fs_fail(err, FS_BROKEN, "the network is idle, and not all credits and channels came back");
}
