/* A cycle of a network, by the rules of net.h. */
#include "models/noc/engine.h"

/* Into the two cycles at the end, so that the usual one knows its sizes as constants. shift: as of the net. */
#define INLINE static inline __attribute__((always_inline))

enum { AHEAD = 8 }; /* events whose state is fetched before its turn */

/* Of 16 bits; without an instruction of its own the compiler's is a call. Of four a table of 4 bits each. */
INLINE uint32_t ones(uint32_t bits) {
    if (bits < 16)
        return (uint32_t)(0x4332322132212110 >> 4 * bits) & 0xf;
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits + (bits >> 8)) & 0x1f;
}

INLINE fs_noc_slot *slot_at(fs_noc_net *net, uint64_t cycle) {
    return &net->wheel[cycle & (net->slots - 1)];
}

INLINE uint32_t channel_of(uint32_t shift, uint32_t channel) {
    return channel & ((1u << shift) - 1);
}

/* Round robin: of some bits, at least one, the first from a pointer on, around. */
INLINE uint32_t first_from(uint64_t bits, uint32_t pointer) {
    const uint64_t from = bits & (~(uint64_t)0 << pointer);
    return (uint32_t)__builtin_ctzll(from != 0 ? from : bits);
}

INLINE void give_credit(fs_noc_net *net, uint32_t channel, uint64_t cycle) {
    fs_noc_slot *s = slot_at(net, cycle);
    s->credits[s->credit_count++] = channel;
}

INLINE void set(uint64_t *bits, uint32_t i) {
    bits[i / 64] |= (uint64_t)1 << i % 64;
}

INLINE void clear(uint64_t *bits, uint32_t i) {
    bits[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* The input channel has a flit and an output channel: it may move, or waits for a credit. */
INLINE void make_ready(fs_noc_net *net, uint32_t i, uint32_t in, uint32_t v) {
    fs_noc_in_channel *c = &net->in[i];
    fs_noc_in_port *port = &net->in_ports[in];
    if (net->out[c->channel].credits > 0) {
        port->ready |= (uint16_t)(1u << v);
        port->wanted |= (uint64_t)1 << c->out;
        net->wants[in * net->most_outs + c->out] |= (uint16_t)(1u << v);
        set(net->ready, in);
    } else {
        c->starved = true;
        c->since = net->now;
    }
}

/* The channel was ready for an output, and is no more. */
INLINE void make_unready(fs_noc_net *net, uint32_t in, uint32_t out, uint32_t v) {
    fs_noc_in_port *port = &net->in_ports[in];
    uint16_t *wants = &net->wants[in * net->most_outs + out];
    *wants &= (uint16_t) ~(1u << v);
    if (*wants == 0)
        port->wanted &= ~((uint64_t)1 << out);
    port->ready &= (uint16_t) ~(1u << v);
    if (port->ready == 0)
        clear(net->ready, in);
}

/* The head of the next packet stands at the front: where it goes. */
INLINE void ask(fs_noc_net *net, uint32_t i, uint32_t in, uint32_t v, uint32_t packet) {
    fs_noc_in_channel *c = &net->in[i];
    fs_noc_in_port *port = &net->in_ports[in];
    fs_noc_packet *p = &net->packets[packet];
    c->packet = packet;
    c->whole = true;
    c->left = (uint16_t)p->flits;
    const fs_noc_hop hop = net->graph->rule(net->graph, port->router, net->of_kind, &p->header);
    p->routers++;
    c->out = (uint8_t)hop.port;
    c->first = (uint8_t)(hop.first + p->header.kind * net->of_kind);
    c->count = p->fixed && !net->out_ports[port->first_out + c->out].leaves ? 1 : hop.count;
    port->waiting |= (uint16_t)(1u << v);
    set(net->waiting, in);
}

/* A packet whose head stands behind others. */
INLINE void stand_behind(fs_noc_net *net, uint32_t i, uint32_t packet) {
    fs_noc_in_channel *c = &net->in[i];
    uint32_t at = (uint32_t)c->head + c->behind++;
    at -= at >= net->depth ? net->depth : 0;
    net->queue[i * net->depth + at] = packet;
}

INLINE uint32_t next_packet(fs_noc_net *net, uint32_t i) {
    fs_noc_in_channel *c = &net->in[i];
    const uint32_t packet = net->queue[i * net->depth + c->head];
    c->head = (uint8_t)(c->head + 1u == net->depth ? 0 : c->head + 1);
    c->behind--;
    return packet;
}

INLINE void take_credits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    for (uint32_t k = 0; k < s->credit_count; k++) {
        const uint32_t o = s->credits[k];
        if (k + AHEAD < s->credit_count)
            __builtin_prefetch(&net->out[s->credits[k + AHEAD]], 1);
        fs_noc_out_channel *out = &net->out[o];
        if (out->credits++ > 0 || out->owner == FS_NOC_NONE || o >= net->outs << shift)
            continue;
        fs_noc_in_channel *c = &net->in[out->owner];
        if (!c->starved)
            continue;
        c->starved = false;
        net->out_ports[o >> shift].use.no_credit += net->now - c->since;
        make_ready(net, out->owner, out->owner >> shift, channel_of(shift, out->owner));
    }
    net->under_way -= s->credit_count;
    s->credit_count = 0;
}

INLINE void take_flits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    for (uint32_t k = 0; k < s->flit_count; k++) {
        if (k + AHEAD < s->flit_count)
            __builtin_prefetch(&net->in[s->flits[k + AHEAD].where], 1);
        const uint32_t i = s->flits[k].where, in = i >> shift, v = channel_of(shift, i);
        const uint32_t packet = s->flits[k].flit;
        fs_noc_in_channel *c = &net->in[i];
        const bool first = c->flits++ == 0, head = packet != FS_NOC_NONE;
        if (first && head)
            ask(net, i, in, v, packet);
        else if (first)
            make_ready(net, i, in, v);
        else if (head)
            stand_behind(net, i, packet);
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
INLINE uint32_t take_out(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t arrived = 0;
    for (uint32_t k = 0; k < s->taken_count; k++) {
        const uint32_t number = s->taken[k].flit >> 1, o = s->taken[k].where;
        const fs_noc_out_port *port = &net->out_ports[o >> shift];
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
INLINE uint32_t begin_on(fs_noc_net *net, uint32_t shift, const fs_noc_source *s, uint32_t e) {
    const uint32_t kind = net->packets[s->first].header.kind;
    const uint32_t first = ((net->outs + e) << shift) + kind * net->of_kind;
    for (uint32_t k = 1; k <= net->of_kind; k++) {
        const uint32_t o = first + (s->latest + k) % net->of_kind;
        if (net->out[o].owner == FS_NOC_NONE && net->out[o].credits > 0)
            return o;
    }
    return FS_NOC_NONE;
}

INLINE void send_from(fs_noc_net *net, uint32_t shift, uint32_t e) {
    fs_noc_source *s = &net->sources[e];
    fs_noc_packet *p = &net->packets[s->first];
    if (s->channel == FS_NOC_NONE) {
        const uint32_t o = begin_on(net, shift, s, e);
        if (o == FS_NOC_NONE)
            return;
        s->channel = o;
        s->latest = (uint8_t)(channel_of(shift, o) % net->of_kind);
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
    to->flits[to->flit_count++] = (fs_noc_event){(port->to << shift) + channel_of(shift, s->channel),
                                                 p->sent == 1 ? s->first : FS_NOC_NONE};
    net->sent++;
    if (!tail)
        return;
    out->owner = FS_NOC_NONE;
    s->channel = FS_NOC_NONE;
    s->first = p->next;
    if (s->first == FS_NOC_NONE)
        net->sending[e / 64] &= ~((uint64_t)1 << e % 64);
}

INLINE void send(fs_noc_net *net, uint32_t shift) {
    for (uint32_t w = 0; w <= net->graph->ends / 64; w++)
        for (uint64_t bits = net->sending[w]; bits != 0; bits &= bits - 1)
            send_from(net, shift, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* How far behind a pointer a place of a circle lies. */
INLINE uint32_t behind(uint32_t at, uint32_t pointer, uint32_t of) {
    return at >= pointer ? at - pointer : at + of - pointer;
}

/* Rule 2: the free channel that a head picks, FS_NOC_NONE: there is none. */
INLINE uint32_t pick(const fs_noc_net *net, uint32_t shift, uint32_t port, const fs_noc_in_channel *c) {
    const uint32_t free = net->out_ports[port].free & ((1u << c->count) - 1) << c->first;
    if (free == 0)
        return FS_NOC_NONE;
    const bool here = c->pointer >> shift == c->out;
    return (port << shift) + first_from(free, here ? channel_of(shift, c->pointer) : 0);
}

/* Rule 2: which output channels are given to whom; how many. A channel that is free has its grant as its owner until
 * it is given. */
INLINE uint32_t allocate(fs_noc_net *net, uint32_t shift) {
    fs_noc_grant *grants = net->channels_given;
    uint32_t count = 0;
    for (uint32_t w = 0; w <= net->ins / 64; w++)
        for (uint64_t ports = net->waiting[w]; ports != 0; ports &= ports - 1) {
            const uint32_t in = w * 64 + (uint32_t)__builtin_ctzll(ports);
            const fs_noc_in_port *port = &net->in_ports[in];
            const uint32_t first_in = (in - port->place) << shift, ins = (uint32_t)port->ins << shift;
            for (uint32_t bits = port->waiting; bits != 0; bits &= bits - 1) {
                const uint32_t i = (in << shift) + (uint32_t)__builtin_ctz(bits);
                const fs_noc_in_channel *c = &net->in[i];
                const uint32_t out = port->first_out + c->out, best = pick(net, shift, out, c);
                if (best == FS_NOC_NONE) {
                    net->out_ports[out].use.no_channel++;
                    continue;
                }
                fs_noc_out_channel *o = &net->out[best];
                const uint32_t far = behind(i - first_in, o->pointer, ins);
                if (o->owner == FS_NOC_NONE) {
                    o->owner = count;
                    grants[count++] = (fs_noc_grant){i, best, far};
                } else {
                    if (far < grants[o->owner].far)
                        grants[o->owner] = (fs_noc_grant){i, best, far};
                    net->out_ports[out].use.no_channel++;
                }
            }
        }
    return count;
}

INLINE void give_channels(fs_noc_net *net, uint32_t shift, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->channels_given[k].in, to = net->channels_given[k].out;
        const uint32_t in = i >> shift, v = channel_of(shift, i);
        fs_noc_in_channel *c = &net->in[i];
        fs_noc_in_port *port = &net->in_ports[in];
        const uint32_t next_in = i - ((in - port->place) << shift) + 1;
        const uint32_t next_out = to - (port->first_out << shift) + 1;
        net->out[to].owner = i;
        net->out[to].pointer = (uint16_t)(next_in == (uint32_t)port->ins << shift ? 0 : next_in);
        net->out_ports[to >> shift].free &= (uint16_t) ~(1u << channel_of(shift, to));
        c->pointer = (uint16_t)(next_out == (uint32_t)port->outs << shift ? 0 : next_out);
        c->channel = to;
        port->waiting &= (uint16_t) ~(1u << v);
        if (port->waiting == 0)
            clear(net->waiting, in);
        make_ready(net, i, in, v);
    }
}

/* Rule 3: input channels, and the output port that each has won; how many. */
INLINE uint32_t arbitrate(fs_noc_net *net, uint32_t shift) {
    fs_noc_grant *grants = net->moves;
    uint32_t count = 0;
    for (uint32_t w = 0; w <= net->ins / 64; w++)
        for (uint64_t ports = net->ready[w]; ports != 0; ports &= ports - 1) {
            const uint32_t in = w * 64 + (uint32_t)__builtin_ctzll(ports);
            const fs_noc_in_port *port = &net->in_ports[in];
            const uint32_t o = first_from(port->wanted, port->output), out = port->first_out + o;
            const uint32_t v = first_from(net->wants[in * net->most_outs + o], port->channel);
            fs_noc_out_port *to = &net->out_ports[out];
            const uint32_t far = behind(port->place, to->pointer, port->ins);
            const bool first = to->asked == 0;
            const uint32_t k = first ? count : to->asked - 1;
            const bool wins = first | (far < grants[k].far);
            grants[k].in = wins ? (in << shift) + v : grants[k].in;
            grants[k].far = wins ? far : grants[k].far;
            grants[k].out = out;
            to->asked = k + 1;
            to->use.lost += ones(port->ready) - first;
            count += first;
        }
    return count;
}

/* Winners' flits leave: to the next router or out to their end point, and credits go back. How many of them have nothing
 * more to move, into `ended`. */
INLINE uint32_t move(fs_noc_net *net, uint32_t shift, uint32_t channels, uint32_t count) {
    uint32_t ended = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->moves[k].in, in = i >> shift, v = channel_of(shift, i);
        fs_noc_in_channel *c = &net->in[i];
        fs_noc_in_port *port = &net->in_ports[in];
        fs_noc_out_port *to = &net->out_ports[net->moves[k].out];
        fs_noc_out_channel *o = &net->out[c->channel];
        const uint32_t next_in = port->place + 1u, next_out = c->out + 1u;
        port->channel = (uint8_t)(v + 1 == channels ? 0 : v + 1);
        port->output = (uint8_t)(next_out == port->outs ? 0 : next_out);
        to->pointer = (uint8_t)(next_in == port->ins ? 0 : next_in);
        to->asked = 0;
        to->use.flits++;
        c->left--;
        c->flits--;
        o->credits--;
        fs_noc_slot *then = slot_at(net, net->now + to->latency);
        if (to->leaves)
            then->taken[then->taken_count++] = (fs_noc_event){c->channel, FLIT(c->packet, c->left == 0)};
        else
            then->flits[then->flit_count++] = (fs_noc_event){
                (to->to << shift) + channel_of(shift, c->channel), c->whole ? c->packet : FS_NOC_NONE};
        c->whole = false;
        give_credit(net, (port->upstream << shift) + v, net->now + port->latency);
        net->ended[ended] = i;
        ended += (c->left == 0) | (c->flits == 0) | (o->credits == 0);
    }
    return ended;
}

/* Channels whose packet has left, that are empty or without a credit. */
INLINE void end_moves(fs_noc_net *net, uint32_t shift, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->ended[k], in = i >> shift, v = channel_of(shift, i);
        fs_noc_in_channel *c = &net->in[i];
        make_unready(net, in, c->out, v);
        if (c->left == 0) {
            net->out[c->channel].owner = FS_NOC_NONE;
            net->out_ports[c->channel >> shift].free |= (uint16_t)(1u << channel_of(shift, c->channel));
            c->channel = FS_NOC_NONE;
            if (c->flits > 0)
                ask(net, i, in, v, next_packet(net, i));
        } else if (c->flits > 0) {
            c->starved = true;
            c->since = net->now + 1;
        }
    }
}

INLINE void make_cycle(fs_noc_net *net, uint32_t shift, uint32_t channels, uint32_t *count) {
    fs_noc_slot *s = slot_at(net, net->now);
    take_credits(net, shift, s);
    take_flits(net, shift, s);
    *count = take_out(net, shift, s);
    send(net, shift);
    const uint32_t given = allocate(net, shift), moves = arbitrate(net, shift);
    end_moves(net, shift, move(net, shift, channels, moves));
    give_channels(net, shift, given);
    net->under_way += moves;
    net->hops += moves;
    net->now++;
}

const fs_noc_arrival *fs_noc_step(fs_noc_net *net, uint32_t *count) {
    enum { USUAL_SHIFT = 2, USUAL_CHANNELS = 4 };
    if (net->reserve)
        return net->free ? fs_noc_step_free(net, count) : fs_noc_step_reserve(net, count);
    if (net->channels == USUAL_CHANNELS)
        make_cycle(net, USUAL_SHIFT, USUAL_CHANNELS, count);
    else
        make_cycle(net, net->shift, net->channels, count);
    return net->arrivals;
}
