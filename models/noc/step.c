/* A cycle of a network, by the rules of net.h. */
#include "models/noc/engine.h"

static inline uint32_t ones(uint32_t bits) {
    return (uint32_t)__builtin_popcount(bits);
}

static inline fs_noc_slot *slot_at(fs_noc_net *net, uint64_t cycle) {
    return &net->wheel[cycle & (net->slots - 1)];
}

static inline uint32_t channel_of(const fs_noc_net *net, uint32_t channel) {
    return channel & ((1u << net->shift) - 1);
}

static inline void give_credit(fs_noc_net *net, uint32_t channel, uint64_t cycle) {
    fs_noc_slot *s = slot_at(net, cycle);
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
    fs_noc_in_channel *c = &net->in[i];
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
    fs_noc_in_channel *c = &net->in[i];
    fs_noc_packet *p = &net->packets[c->front >> 1];
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

static void take_credits(fs_noc_net *net, fs_noc_slot *s) {
    for (uint32_t k = 0; k < s->credit_count; k++) {
        const uint32_t o = s->credits[k];
        fs_noc_out_channel *out = &net->out[o];
        if (out->credits++ > 0 || out->owner == FS_NOC_NONE || o >= net->outs << net->shift)
            continue;
        fs_noc_in_channel *c = &net->in[out->owner];
        if (!c->starved)
            continue;
        c->starved = false;
        net->uses[net->use_of[c->out]].no_credit += net->now - c->since;
        make_ready(net, out->owner, out->owner >> net->shift, channel_of(net, out->owner));
    }
    net->under_way -= s->credit_count;
    s->credit_count = 0;
}

static void take_flits(fs_noc_net *net, fs_noc_slot *s) {
    for (uint32_t k = 0; k < s->flit_count; k++) {
        const uint32_t i = s->flits[k].where;
        fs_noc_in_channel *c = &net->in[i];
        if (c->flits++ > 0) {
            uint32_t at = (uint32_t)c->head + c->flits - 2;
            at -= at >= net->depth ? net->depth : 0;
            net->flits[i * net->depth + at] = s->flits[k].flit;
            continue;
        }
        c->front = s->flits[k].flit;
        const uint32_t in = i >> net->shift, v = channel_of(net, i);
        if (c->channel == FS_NOC_NONE)
            ask(net, i, in, v);
        else
            make_ready(net, i, in, v);
    }
    s->flit_count = 0;
}

fs_noc_arrival fs_noc_arrive(fs_noc_net *net, uint32_t number) {
    fs_noc_packet *p = &net->packets[number];
    p->next = net->packet_free;
    net->packet_free = number;
    net->under_way--;
    return (fs_noc_arrival){.src = p->header.src,
                            .dst = p->header.dst,
                            .flits = p->flits,
                            .kind = p->header.kind,
                            .tag = p->tag,
                            .routers = p->routers,
                            .offered = p->offered,
                            .injected = p->injected,
                            .arrived = net->now};
}

/* What arrives at end points; credits go back. */
static uint32_t take_out(fs_noc_net *net, fs_noc_slot *s) {
    uint32_t arrived = 0;
    for (uint32_t k = 0; k < s->taken_count; k++) {
        const uint32_t number = s->taken[k].flit >> 1, o = s->taken[k].where;
        const fs_noc_out_port *port = &net->out_ports[o >> net->shift];
        give_credit(net, o, net->now + port->latency - 1u);
        net->under_way++;
        net->taken++;
        if ((s->taken[k].flit & 1) == 0)
            continue;
        net->arrivals[arrived++] = fs_noc_arrive(net, number);
    }
    s->taken_count = 0;
    return arrived;
}

/* The channel of a way in that a packet begins on: free and with room, after the one of the packet before. */
static inline uint32_t begin_on(fs_noc_net *net, const fs_noc_source *s, uint32_t e) {
    const uint32_t kind = net->packets[s->first].header.kind;
    const uint32_t first = ((net->outs + e) << net->shift) + kind * net->of_kind;
    for (uint32_t k = 1; k <= net->of_kind; k++) {
        const uint32_t o = first + (s->latest + k) % net->of_kind;
        if (net->out[o].owner == FS_NOC_NONE && net->out[o].credits > 0)
            return o;
    }
    return FS_NOC_NONE;
}

static void send_from(fs_noc_net *net, uint32_t e) {
    fs_noc_source *s = &net->sources[e];
    fs_noc_packet *p = &net->packets[s->first];
    if (s->channel == FS_NOC_NONE) {
        const uint32_t o = begin_on(net, s, e);
        if (o == FS_NOC_NONE)
            return;
        s->channel = o;
        s->latest = (uint8_t)(channel_of(net, o) % net->of_kind);
        net->out[o].owner = e;
        p->injected = net->now;
    }
    fs_noc_out_channel *out = &net->out[s->channel];
    if (out->credits == 0)
        return;
    out->credits--;
    const fs_noc_out_port *port = &net->out_ports[net->outs + e];
    fs_noc_slot *to = slot_at(net, net->now + port->latency);
    const bool tail = ++p->sent == p->flits;
    to->flits[to->flit_count++] =
        (fs_noc_event){(port->to << net->shift) + channel_of(net, s->channel), FLIT(s->first, tail)};
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
    const uint32_t shift = net->shift, first_in = g->in_at[r] << shift, first_out = g->out_at[r] << shift;
    const uint32_t ins = (g->in_at[r + 1] << shift) - first_in,
                   outs = (g->out_at[r + 1] << shift) - first_out;
    uint32_t count = 0;
    for (uint64_t ports = net->waiting_ports[r]; ports != 0; ports &= ports - 1) {
        const uint32_t in = g->in_at[r] + (uint32_t)__builtin_ctzll(ports);
        for (uint32_t bits = net->in_ports[in].waiting; bits != 0; bits &= bits - 1) {
            const uint32_t i = (in << shift) + (uint32_t)__builtin_ctz(bits);
            const fs_noc_in_channel *c = &net->in[i];
            uint32_t best = FS_NOC_NONE, least = UINT32_MAX;
            for (uint32_t k = c->first; k < (uint32_t)c->first + c->count; k++) {
                const uint32_t o = (c->out << shift) + k, far = behind(o - first_out, c->pointer, outs);
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
    const uint32_t shift = net->shift, first_in = g->in_at[r] << shift, first_out = g->out_at[r] << shift;
    const uint32_t ins = (g->in_at[r + 1] << shift) - first_in,
                   outs = (g->out_at[r + 1] << shift) - first_out;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = grants[k].in, in = i >> shift, channel = channel_of(net, i);
        fs_noc_in_channel *c = &net->in[i];
        fs_noc_out_channel *o = &net->out[grants[k].out];
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
    const fs_noc_in_port *port = &net->in_ports[in];
    const uint32_t v = net->channels, bits = port->ready, first = in << net->shift;
    if ((bits & (bits - 1)) == 0)
        return first + (uint32_t)__builtin_ctz(bits);
    const uint32_t turned = (bits >> port->channel | bits << (v - port->channel)) & ((1u << v) - 1);
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t rest = turned; rest != 0; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest) + port->channel;
        k -= k >= v ? v : 0;
        const uint32_t far = behind(net->in[first + k].out - first_out, port->output, outs);
        if (far < least) {
            least = far;
            best = first + k;
        }
    }
    return best;
}

/* Rule 3: [count] input channels, and the output port that each has won. */
static uint32_t arbitrate(fs_noc_net *net, uint32_t r, grant *grants) {
    const fs_noc_graph *g = net->graph;
    const uint32_t first_in = g->in_at[r], ins = g->in_at[r + 1] - first_in;
    const uint32_t first_out = g->out_at[r], outs = g->out_at[r + 1] - first_out;
    uint32_t count = 0;
    uint64_t taken = 0;
    uint8_t at[FS_NOC_MOST_PORTS];
    for (uint64_t ports = net->ready_ports[r]; ports != 0; ports &= ports - 1) {
        const uint32_t in = first_in + (uint32_t)__builtin_ctzll(ports);
        const uint32_t i = candidate(net, in, first_out, outs), out = net->in[i].out;
        const uint32_t ready = net->in_ports[in].ready, rivals = ready & (ready - 1);
        if (rivals != 0)
            net->uses[net->use_of[out]].lost += ones(rivals);
        const uint32_t o = out - first_out;
        if ((taken >> o & 1) == 0) {
            taken |= (uint64_t)1 << o;
            at[o] = (uint8_t)count;
            grants[count++] = (grant){i, out};
            continue;
        }
        grant *before = &grants[at[o]];
        const uint32_t pointer = net->out_ports[out].pointer;
        if (behind(in - first_in, pointer, ins) < behind((before->in >> net->shift) - first_in, pointer, ins))
            before->in = i;
        net->uses[net->use_of[out]].lost++;
    }
    return count;
}

/* A winner's flit leaves: to the next router or out to its end point, and its credit goes back. */
static inline void move(fs_noc_net *net, uint32_t r, grant won) {
    const fs_noc_graph *g = net->graph;
    const uint32_t shift = net->shift, i = won.in, in = i >> shift, channel = channel_of(net, i);
    const uint32_t first_in = g->in_at[r], ins = g->in_at[r + 1] - first_in;
    const uint32_t first_out = g->out_at[r], outs = g->out_at[r + 1] - first_out;
    fs_noc_in_channel *c = &net->in[i];
    fs_noc_in_port *port = &net->in_ports[in];
    fs_noc_out_port *to = &net->out_ports[won.out];
    fs_noc_out_channel *o = &net->out[c->channel];
    const uint32_t flit = c->front, next_in = in - first_in + 1;
    const uint32_t next_out = won.out - first_out + 1;
    port->channel = (uint8_t)(channel + 1 == net->channels ? 0 : channel + 1);
    port->output = (uint8_t)(next_out == outs ? 0 : next_out);
    to->pointer = (uint8_t)(next_in == ins ? 0 : next_in);
    if (--c->flits > 0) {
        c->front = net->flits[i * net->depth + c->head];
        c->head = (uint8_t)(c->head + 1u == net->depth ? 0 : c->head + 1);
    }
    o->credits--;
    fs_noc_slot *then = slot_at(net, net->now + to->latency);
    if (to->leaves)
        then->taken[then->taken_count++] = (fs_noc_event){c->channel, flit};
    else
        then->flits[then->flit_count++] =
            (fs_noc_event){(to->to << shift) + channel_of(net, c->channel), flit};
    give_credit(net, (port->upstream << shift) + channel, net->now + port->latency);
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
    if (net->reserve)
        return net->free ? fs_noc_step_free(net, count) : fs_noc_step_reserve(net, count);
    fs_noc_slot *s = slot_at(net, net->now);
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
