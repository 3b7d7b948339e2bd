#include "models/noc/net.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Numbering: `in` is an input port among all, `out` an output port among all (links and ways out to end points of
 * routers first, then one for each end point: its way in); channel v of a port p is p * channels + v. */
typedef struct packet {
    fs_noc_header header;
    uint32_t flits, sent, tag, routers;
    bool fixed; /* takes the first channel of those that it may take */
    uint64_t offered, injected;
    uint32_t next; /* in its source's queue, or among the free ones */
} packet;

/* A flit is its packet's number, and whether it is the last one. */
#define FLIT(packet, tail) ((packet) << 1 | (uint32_t)(tail))

typedef struct in_channel {
    uint32_t out;         /* the port it goes to */
    uint32_t channel;     /* the output channel given to it; FS_NOC_NONE: it waits for one */
    uint64_t since;       /* cycle since which it has a flit and no credit */
    uint16_t pointer;     /* of rule 2, over the channels of the router's outputs */
    uint8_t first, count; /* of the channels that it may be given */
    uint8_t head, flits;  /* in the buffer */
    bool starved;
} in_channel;

typedef struct out_channel {
    uint32_t owner;   /* input channel; an end point for ways in; FS_NOC_NONE: free */
    uint16_t pointer; /* of rule 2, over the channels of the router's inputs */
    uint16_t credits;
} out_channel;

typedef struct in_port {
    uint16_t waiting, ready; /* channels: a head without an output channel; a flit, a channel and a credit */
    uint8_t channel;         /* pointers of rule 3: over its channels, over outputs */
    uint8_t output;
    uint16_t latency;  /* of a credit's way back, and 2 */
    uint32_t upstream; /* output port */
} in_port;

typedef struct out_port {
    uint32_t to;      /* input port; end point */
    uint16_t latency; /* of a flit's way, and 2 */
    uint8_t pointer;  /* of rule 3, over inputs */
    bool leaves;
} out_port;

typedef struct event {
    uint32_t where, flit;
} event;

/* Events of a cycle to come. */
typedef struct slot {
    event *flits, *taken; /* into input channels; out to end points */
    uint32_t *credits;    /* output channels */
    uint32_t flit_count, taken_count, credit_count;
} slot;

typedef struct source {
    uint32_t first, last; /* packets */
    uint32_t channel;     /* of the packet under way; FS_NOC_NONE: none has begun */
    uint8_t latest;       /* channel of the packet before */
} source;

struct fs_noc_net {
    const fs_noc_graph *graph;
    uint32_t channels, depth, of_kind; /* of_kind: channels of each kind of message */
    uint64_t now, under_way;           /* cycle; flits, credits and packets that are not over */
    packet *packets;
    fs_arena *arena;
    uint32_t packet_count, packet_room, packet_free, numbers;
    source *sources;
    uint64_t *sending; /* bit for each end point that has something to send */
    in_channel *in;
    out_channel *out;
    in_port *in_ports;
    out_port *out_ports;
    uint32_t *flits;                       /* [input channels][depth] */
    uint64_t *waiting_ports, *ready_ports; /* [routers] bits of input ports */
    uint32_t *router_of;                   /* [input ports] */
    uint64_t *active;                      /* bit for each router */
    uint32_t outs;                         /* output ports of routers */
    slot *wheel;
    uint32_t slots; /* a power of two */
    fs_noc_use *uses;
    uint32_t *use_of; /* [output ports of routers] */
    fs_noc_arrival *arrivals;
    uint64_t sent, taken, hops;
    void *block;
};

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
    const size_t ins = g->in_at[g->routers], outs = g->out_at[g->routers], v = net->channels;
    net->sources = part(p, g->ends, sizeof *net->sources);
    net->sending = part(p, g->ends / 64 + 1, 8);
    net->in = part(p, ins * v, sizeof *net->in);
    net->out = part(p, (outs + g->ends) * v, sizeof *net->out);
    net->in_ports = part(p, ins, sizeof *net->in_ports);
    net->out_ports = part(p, outs + g->ends, sizeof *net->out_ports);
    net->flits = part(p, ins * v * net->depth, sizeof *net->flits);
    net->waiting_ports = part(p, g->routers, 8);
    net->ready_ports = part(p, g->routers, 8);
    net->router_of = part(p, ins, sizeof *net->router_of);
    net->active = part(p, g->routers / 64 + 1, 8);
    net->wheel = part(p, net->slots, sizeof *net->wheel);
    for (uint32_t s = 0; s < net->slots; s++) {
        event *flits = part(p, ins, sizeof(event)), *taken = part(p, g->ends, sizeof(event));
        uint32_t *credits = part(p, ins + g->ends, sizeof(uint32_t));
        if (p->block != NULL)
            net->wheel[s] = (slot){.flits = flits, .taken = taken, .credits = credits};
    }
    net->uses = part(p, (size_t)g->links + g->ends, sizeof *net->uses);
    net->use_of = part(p, outs, sizeof *net->use_of);
    net->arrivals = part(p, g->ends, sizeof *net->arrivals);
}

static void connect(fs_noc_net *net) {
    const fs_noc_graph *g = net->graph;
    net->outs = g->out_at[g->routers];
    for (uint32_t l = 0; l < g->links; l++) {
        const fs_noc_link *link = &g->link[l];
        const uint32_t out = g->out_at[link->from] + link->from_port, in = g->in_at[link->to] + link->to_port;
        net->out_ports[out] = (out_port){.to = in, .latency = (uint16_t)(link->latency + 2)};
        net->in_ports[in].upstream = out;
        net->in_ports[in].latency = (uint16_t)(link->latency + 2);
        net->use_of[out] = l;
    }
    for (uint32_t e = 0; e < g->ends; e++) {
        const fs_noc_end *end = &g->end[e];
        const uint32_t out = g->out_at[end->router] + end->out_port,
                       in = g->in_at[end->router] + end->in_port;
        net->out_ports[out] = (out_port){.to = e, .latency = (uint16_t)(end->latency + 2), .leaves = true};
        net->out_ports[net->outs + e] = (out_port){.to = in, .latency = (uint16_t)(end->latency + 1)};
        net->in_ports[in].upstream = net->outs + e;
        net->in_ports[in].latency = (uint16_t)(end->latency + 2);
        net->use_of[out] = g->links + e;
        net->sources[e] = (source){.first = FS_NOC_NONE, .last = FS_NOC_NONE, .channel = FS_NOC_NONE};
    }
    for (uint32_t r = 0; r < g->routers; r++)
        for (uint32_t in = g->in_at[r]; in < g->in_at[r + 1]; in++)
            net->router_of[in] = r;
    for (uint32_t o = 0; o < (net->outs + g->ends) * net->channels; o++)
        net->out[o] = (out_channel){.owner = FS_NOC_NONE, .credits = (uint16_t)net->depth};
    for (uint32_t i = 0; i < g->in_at[g->routers] * net->channels; i++)
        net->in[i].channel = FS_NOC_NONE;
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
        return FS_FAIL_NULL(err, FS_INPUT, "%u virtual channels, 1 to %d are allowed", params->channels,
                            FS_NOC_MOST_CHANNELS);
    if (params->buffer < 1 || params->buffer > FS_NOC_MOST_DEPTH)
        return FS_FAIL_NULL(err, FS_INPUT, "a buffer of %u flits a channel, 1 to %d are allowed",
                            params->buffer, FS_NOC_MOST_DEPTH);
    const uint32_t kinds = params->kinds == 0 ? 1 : params->kinds;
    if (params->channels < kinds * graph->classes)
        return FS_FAIL_NULL(err, FS_INPUT, "%u virtual channels, at least %u are allowed: %s%s",
                            params->channels, kinds * graph->classes, graph->why,
                            kinds > 1 ? ", for requests and for answers" : "");
    fs_noc_net *net = memory_of(params->arena, 1, sizeof *net);
    net->arena = params->arena;
    net->packet_room = params->packets > 64 ? params->packets : 64;
    net->packets = memory_of(params->arena, net->packet_room, sizeof *net->packets);
    net->graph = graph;
    net->channels = params->channels;
    net->depth = params->buffer;
    net->of_kind = params->channels / kinds;
    net->packet_free = FS_NOC_NONE;
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
    packet *more = memory_of(net->arena, 2 * (size_t)net->packet_room, sizeof *more);
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
    net->packets[number] = (packet){
        .header = {.src = src, .dst = dst, .number = net->numbers++, .kind = kind & (FS_NOC_FIXED - 1)},
        .flits = flits,
        .tag = tag,
        .fixed = (kind & FS_NOC_FIXED) != 0,
        .offered = net->now,
        .next = FS_NOC_NONE};
    source *s = &net->sources[src];
    if (s->first == FS_NOC_NONE)
        s->first = number;
    else
        net->packets[s->last].next = number;
    s->last = number;
    net->sending[src / 64] |= (uint64_t)1 << src % 64;
    net->under_way++;
}

/* ---- a cycle ---- */

static inline uint32_t ones(uint32_t bits) {
    return (uint32_t)__builtin_popcount(bits);
}

static inline slot *slot_at(fs_noc_net *net, uint64_t cycle) {
    return &net->wheel[cycle & (net->slots - 1)];
}

static inline void give_credit(fs_noc_net *net, uint32_t channel, uint64_t cycle) {
    slot *s = slot_at(net, cycle);
    s->credits[s->credit_count++] = channel;
}

static inline void wake(fs_noc_net *net, uint32_t in) {
    const uint32_t r = net->router_of[in];
    net->active[r / 64] |= (uint64_t)1 << r % 64;
}

static inline uint64_t port_bit(const fs_noc_net *net, uint32_t in) {
    return (uint64_t)1 << (in - net->graph->in_at[net->router_of[in]]);
}

/* The input channel has a flit and an output channel: it may move, or waits for a credit. */
static inline void make_ready(fs_noc_net *net, uint32_t i, uint32_t in, uint32_t v) {
    in_channel *c = &net->in[i];
    if (net->out[c->channel].credits > 0) {
        net->in_ports[in].ready |= (uint16_t)(1u << v);
        net->ready_ports[net->router_of[in]] |= port_bit(net, in);
        wake(net, in);
    } else {
        c->starved = true;
        c->since = net->now;
    }
}

/* A head stands at the front: where it goes. */
static inline void ask(fs_noc_net *net, uint32_t i, uint32_t in, uint32_t v) {
    const fs_noc_graph *g = net->graph;
    in_channel *c = &net->in[i];
    packet *p = &net->packets[net->flits[i * net->depth + c->head] >> 1];
    const uint32_t r = net->router_of[in];
    const fs_noc_hop hop = g->rule(g, r, in - g->in_at[r], net->of_kind, &p->header);
    p->routers++;
    c->out = g->out_at[r] + hop.port;
    c->first = (uint8_t)(hop.first + p->header.kind * net->of_kind);
    c->count = p->fixed && !net->out_ports[c->out].leaves ? 1 : hop.count;
    net->in_ports[in].waiting |= (uint16_t)(1u << v);
    net->waiting_ports[r] |= port_bit(net, in);
    wake(net, in);
}

static void take_credits(fs_noc_net *net, slot *s) {
    for (uint32_t k = 0; k < s->credit_count; k++) {
        const uint32_t o = s->credits[k];
        out_channel *out = &net->out[o];
        if (out->credits++ > 0 || out->owner == FS_NOC_NONE || o >= net->outs * net->channels)
            continue;
        in_channel *c = &net->in[out->owner];
        if (!c->starved)
            continue;
        c->starved = false;
        net->uses[net->use_of[c->out]].no_credit += net->now - c->since;
        make_ready(net, out->owner, out->owner / net->channels, out->owner % net->channels);
    }
    net->under_way -= s->credit_count;
    s->credit_count = 0;
}

static void take_flits(fs_noc_net *net, slot *s) {
    for (uint32_t k = 0; k < s->flit_count; k++) {
        const uint32_t i = s->flits[k].where;
        in_channel *c = &net->in[i];
        uint32_t at = (uint32_t)c->head + c->flits;
        at -= at >= net->depth ? net->depth : 0;
        net->flits[i * net->depth + at] = s->flits[k].flit;
        if (c->flits++ > 0)
            continue;
        const uint32_t in = i / net->channels, v = i - in * net->channels;
        if (c->channel == FS_NOC_NONE)
            ask(net, i, in, v);
        else
            make_ready(net, i, in, v);
    }
    s->flit_count = 0;
}

/* What arrives at end points; credits go back. */
static uint32_t take_out(fs_noc_net *net, slot *s) {
    uint32_t arrived = 0;
    for (uint32_t k = 0; k < s->taken_count; k++) {
        const uint32_t number = s->taken[k].flit >> 1, o = s->taken[k].where;
        const out_port *port = &net->out_ports[o / net->channels];
        give_credit(net, o, net->now + port->latency - 1u);
        net->under_way++;
        net->taken++;
        if ((s->taken[k].flit & 1) == 0)
            continue;
        packet *p = &net->packets[number];
        net->arrivals[arrived++] = (fs_noc_arrival){.src = p->header.src,
                                                    .dst = p->header.dst,
                                                    .flits = p->flits,
                                                    .kind = p->header.kind,
                                                    .tag = p->tag,
                                                    .routers = p->routers,
                                                    .offered = p->offered,
                                                    .injected = p->injected,
                                                    .arrived = net->now};
        p->next = net->packet_free;
        net->packet_free = number;
        net->under_way--;
    }
    s->taken_count = 0;
    return arrived;
}

/* The channel of a way in that a packet begins on: free and with room, after the one of the packet before. */
static inline uint32_t begin_on(fs_noc_net *net, const source *s, uint32_t e) {
    const uint32_t kind = net->packets[s->first].header.kind;
    const uint32_t first = (net->outs + e) * net->channels + kind * net->of_kind;
    for (uint32_t k = 1; k <= net->of_kind; k++) {
        const uint32_t o = first + (s->latest + k) % net->of_kind;
        if (net->out[o].owner == FS_NOC_NONE && net->out[o].credits > 0)
            return o;
    }
    return FS_NOC_NONE;
}

static void send_from(fs_noc_net *net, uint32_t e) {
    source *s = &net->sources[e];
    packet *p = &net->packets[s->first];
    if (s->channel == FS_NOC_NONE) {
        const uint32_t o = begin_on(net, s, e);
        if (o == FS_NOC_NONE)
            return;
        s->channel = o;
        s->latest = (uint8_t)(o % net->channels % net->of_kind);
        net->out[o].owner = e;
        p->injected = net->now;
    }
    out_channel *out = &net->out[s->channel];
    if (out->credits == 0)
        return;
    out->credits--;
    const out_port *port = &net->out_ports[net->outs + e];
    slot *to = slot_at(net, net->now + port->latency);
    const bool tail = ++p->sent == p->flits;
    to->flits[to->flit_count++] =
        (event){port->to * net->channels + s->channel % net->channels, FLIT(s->first, tail)};
    net->sent++;
    if (!tail)
        return;
    out->owner = FS_NOC_NONE;
    s->channel = FS_NOC_NONE;
    s->first = p->next;
    if (s->first == FS_NOC_NONE)
        net->sending[e / 64] &= ~((uint64_t)1 << e % 64);
}

static void send(fs_noc_net *net) {
    for (uint32_t w = 0; w <= net->graph->ends / 64; w++)
        for (uint64_t bits = net->sending[w]; bits != 0; bits &= bits - 1)
            send_from(net, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* How far behind a pointer a place of a circle lies. */
static inline uint32_t behind(uint32_t at, uint32_t pointer, uint32_t of) {
    return at >= pointer ? at - pointer : at + of - pointer;
}

typedef struct grant {
    uint32_t in, out; /* channels; of rule 3: input channel and output port */
} grant;

/* Rule 2: which output channels are given to whom, [count] into `grants`. */
static uint32_t allocate(fs_noc_net *net, uint32_t r, grant *grants) {
    const fs_noc_graph *g = net->graph;
    const uint32_t v = net->channels, first_in = g->in_at[r] * v, first_out = g->out_at[r] * v;
    const uint32_t ins = (g->in_at[r + 1] - g->in_at[r]) * v, outs = (g->out_at[r + 1] - g->out_at[r]) * v;
    uint32_t count = 0;
    for (uint64_t ports = net->waiting_ports[r]; ports != 0; ports &= ports - 1) {
        const uint32_t in = g->in_at[r] + (uint32_t)__builtin_ctzll(ports);
        for (uint32_t bits = net->in_ports[in].waiting; bits != 0; bits &= bits - 1) {
            const uint32_t i = in * v + (uint32_t)__builtin_ctz(bits);
            const in_channel *c = &net->in[i];
            uint32_t best = FS_NOC_NONE, least = UINT32_MAX;
            for (uint32_t k = c->first; k < (uint32_t)c->first + c->count; k++) {
                const uint32_t o = c->out * v + k, far = behind(o - first_out, c->pointer, outs);
                if (net->out[o].owner == FS_NOC_NONE && far < least) {
                    least = far;
                    best = o;
                }
            }
            if (best == FS_NOC_NONE) {
                net->uses[net->use_of[c->out]].no_channel++;
                continue;
            }
            uint32_t k = 0;
            while (k < count && grants[k].out != best)
                k++;
            if (k == count) {
                grants[count++] = (grant){i, best};
            } else {
                const uint32_t pointer = net->out[best].pointer;
                const bool wins =
                    behind(i - first_in, pointer, ins) < behind(grants[k].in - first_in, pointer, ins);
                grants[k].in = wins ? i : grants[k].in;
                net->uses[net->use_of[c->out]].no_channel++;
            }
        }
    }
    return count;
}

static void give_channels(fs_noc_net *net, uint32_t r, const grant *grants, uint32_t count) {
    const fs_noc_graph *g = net->graph;
    const uint32_t v = net->channels, first_in = g->in_at[r] * v, first_out = g->out_at[r] * v;
    const uint32_t ins = (g->in_at[r + 1] - g->in_at[r]) * v, outs = (g->out_at[r + 1] - g->out_at[r]) * v;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = grants[k].in, in = i / v, channel = i - in * v;
        in_channel *c = &net->in[i];
        out_channel *o = &net->out[grants[k].out];
        o->owner = i;
        const uint32_t next_in = i - first_in + 1, next_out = grants[k].out - first_out + 1;
        o->pointer = (uint16_t)(next_in == ins ? 0 : next_in);
        c->pointer = (uint16_t)(next_out == outs ? 0 : next_out);
        c->channel = grants[k].out;
        net->in_ports[in].waiting &= (uint16_t) ~(1u << channel);
        if (net->in_ports[in].waiting == 0)
            net->waiting_ports[r] &= ~port_bit(net, in);
        make_ready(net, i, in, channel);
    }
}

/* The candidate of an input port: of its channels that may move, the first behind its pointer for each output;
 * of these the first output behind its pointer. */
static inline uint32_t candidate(const fs_noc_net *net, uint32_t in, uint32_t first_out, uint32_t outs) {
    const in_port *port = &net->in_ports[in];
    const uint32_t v = net->channels, bits = port->ready;
    if ((bits & (bits - 1)) == 0)
        return in * v + (uint32_t)__builtin_ctz(bits);
    const uint32_t turned = (bits >> port->channel | bits << (v - port->channel)) & ((1u << v) - 1);
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t rest = turned; rest != 0; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest) + port->channel;
        k -= k >= v ? v : 0;
        const uint32_t far = behind(net->in[in * v + k].out - first_out, port->output, outs);
        if (far < least) {
            least = far;
            best = in * v + k;
        }
    }
    return best;
}

/* Rule 3: [count] input channels, and the output port that each has won. */
static uint32_t arbitrate(fs_noc_net *net, uint32_t r, grant *grants) {
    const fs_noc_graph *g = net->graph;
    const uint32_t v = net->channels, first_in = g->in_at[r], ins = g->in_at[r + 1] - first_in;
    const uint32_t first_out = g->out_at[r], outs = g->out_at[r + 1] - first_out;
    uint32_t count = 0;
    uint64_t taken = 0;
    uint8_t at[FS_NOC_MOST_PORTS];
    for (uint64_t ports = net->ready_ports[r]; ports != 0; ports &= ports - 1) {
        const uint32_t in = first_in + (uint32_t)__builtin_ctzll(ports);
        const uint32_t i = candidate(net, in, first_out, outs), out = net->in[i].out;
        const uint32_t rivals = ones(net->in_ports[in].ready) - 1;
        if (rivals > 0)
            net->uses[net->use_of[out]].lost += rivals;
        const uint32_t o = out - first_out;
        if ((taken >> o & 1) == 0) {
            taken |= (uint64_t)1 << o;
            at[o] = (uint8_t)count;
            grants[count++] = (grant){i, out};
            continue;
        }
        grant *before = &grants[at[o]];
        const uint32_t pointer = net->out_ports[out].pointer;
        if (behind(in - first_in, pointer, ins) < behind(before->in / v - first_in, pointer, ins))
            before->in = i;
        net->uses[net->use_of[out]].lost++;
    }
    return count;
}

/* A winner's flit leaves: to the next router or out to its end point, and its credit goes back. */
static inline void move(fs_noc_net *net, uint32_t r, grant won) {
    const fs_noc_graph *g = net->graph;
    const uint32_t v = net->channels, i = won.in, in = i / v, channel = i - in * v;
    const uint32_t first_in = g->in_at[r], ins = g->in_at[r + 1] - first_in;
    const uint32_t first_out = g->out_at[r], outs = g->out_at[r + 1] - first_out;
    in_channel *c = &net->in[i];
    in_port *port = &net->in_ports[in];
    out_port *to = &net->out_ports[won.out];
    out_channel *o = &net->out[c->channel];
    const uint32_t flit = net->flits[i * net->depth + c->head], next_in = in - first_in + 1;
    const uint32_t next_out = won.out - first_out + 1;
    port->channel = (uint8_t)(channel + 1 == v ? 0 : channel + 1);
    port->output = (uint8_t)(next_out == outs ? 0 : next_out);
    to->pointer = (uint8_t)(next_in == ins ? 0 : next_in);
    c->head = (uint8_t)(c->head + 1u == net->depth ? 0 : c->head + 1);
    c->flits--;
    o->credits--;
    slot *then = slot_at(net, net->now + to->latency);
    if (to->leaves)
        then->taken[then->taken_count++] = (event){c->channel, flit};
    else
        then->flits[then->flit_count++] = (event){to->to * v + (c->channel - won.out * v), flit};
    give_credit(net, port->upstream * v + channel, net->now + port->latency);
    net->under_way++;
    net->uses[net->use_of[won.out]].flits++;
    net->hops++;
    const bool tail = flit & 1;
    if (tail) {
        o->owner = FS_NOC_NONE;
        c->channel = FS_NOC_NONE;
    }
    if (tail || c->flits == 0 || o->credits == 0) {
        port->ready &= (uint16_t) ~(1u << channel);
        if (port->ready == 0)
            net->ready_ports[r] &= ~port_bit(net, in);
        if (tail && c->flits > 0)
            ask(net, i, in, channel);
        else if (!tail && c->flits > 0) {
            c->starved = true;
            c->since = net->now + 1;
        }
    }
}

static void route(fs_noc_net *net, uint32_t r) {
    grant channels[FS_NOC_MOST_PORTS * FS_NOC_MOST_CHANNELS], moves[FS_NOC_MOST_PORTS];
    const uint32_t given = net->waiting_ports[r] == 0 ? 0 : allocate(net, r, channels);
    const uint32_t moved = net->ready_ports[r] == 0 ? 0 : arbitrate(net, r, moves);
    for (uint32_t k = 0; k < moved; k++)
        move(net, r, moves[k]);
    give_channels(net, r, channels, given);
    if ((net->waiting_ports[r] | net->ready_ports[r]) == 0)
        net->active[r / 64] &= ~((uint64_t)1 << r % 64);
}

const fs_noc_arrival *fs_noc_step(fs_noc_net *net, uint32_t *count) {
    slot *s = slot_at(net, net->now);
    take_credits(net, s);
    take_flits(net, s);
    *count = take_out(net, s);
    send(net);
    for (uint32_t w = 0; w <= net->graph->routers / 64; w++)
        for (uint64_t bits = net->active[w]; bits != 0; bits &= bits - 1)
            route(net, w * 64 + (uint32_t)__builtin_ctzll(bits));
    net->now++;
    return net->arrivals;
}

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

const fs_noc_use *fs_noc_uses(const fs_noc_net *net) {
    return net->uses;
}

fs_noc_sums fs_noc_sums_of(const fs_noc_net *net) {
    fs_noc_sums sums = {
        .sent = net->sent, .taken = net->taken, .hops = net->hops, .whole = net->under_way == 0};
    for (uint32_t o = 0; o < (net->outs + net->graph->ends) * net->channels && sums.whole; o++)
        sums.whole = net->out[o].owner == FS_NOC_NONE && net->out[o].credits == net->depth;
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
    for (uint32_t i = 0; i < net->graph->in_at[net->graph->routers] * net->channels; i++)
        held += net->in[i].flits;
    for (uint32_t s = 0; s < net->slots; s++)
        held += net->wheel[s].flit_count + net->wheel[s].taken_count;
    if (net->sent != net->taken + held)
        return fs_fail(err, FS_BROKEN,
                       "%" PRIu64 " flits were sent, %" PRIu64 " taken, %" PRIu64 " are under way", net->sent,
                       net->taken, held);
    const fs_noc_sums sums = fs_noc_sums_of(net);
    return net->under_way > 0 || sums.whole
               ? FS_OK
               : fs_fail(err, FS_BROKEN, "the network is idle, and not all credits and channels came back");
}
