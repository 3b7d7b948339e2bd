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

/* Where `may`, the input channel may move. */
INLINE void make_ready(fs_noc_net *net, uint32_t shift, uint32_t i, bool may) {
    uint16_t *ready = &net->ready[i >> shift];
    net->active[net->active_count] = i >> shift;
    net->active_count += may & (*ready == 0);
    *ready |= (uint16_t)(may << channel_of(shift, i));
}

/* The input channel has a flit and an output channel from now on: it may move, or waits for a credit. */
INLINE void may_move(fs_noc_net *net, uint32_t shift, uint32_t i) {
    fs_noc_in_channel *c = &net->in[i];
    const bool credit = net->out[c->channel].credits > 0;
    c->starved = !credit;
    c->since = (uint32_t)net->now;
    make_ready(net, shift, i, credit);
}

/* The input channel's head waits for an output channel. */
INLINE void wait(fs_noc_net *net, uint32_t i) {
    net->in[i].waits = true;
    net->waiting[net->waiting_count++] = i;
}

/* The head of the next packet stands at the front: where it goes. */
INLINE void ask(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t packet) {
    fs_noc_in_channel *c = &net->in[i];
    const fs_noc_in_port *port = &net->in_ports[i >> shift];
    fs_noc_packet *p = &net->packets[packet];
    c->packet = packet;
    c->whole = true;
    c->left = (uint16_t)p->flits;
    const fs_noc_hop hop = net->graph->rule(net->graph, port->router, net->of_kind, &p->header);
    p->routers++;
    c->out = (uint8_t)hop.port;
    c->next_out = (uint8_t)(hop.port + 1u == port->outs ? 0 : hop.port + 1u);
    c->first = (uint8_t)(hop.first + p->header.kind * net->of_kind);
    c->count = p->fixed && !net->out_ports[port->first_out + hop.port].leaves ? 1 : hop.count;
    wait(net, i);
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

/* Credits matter at once where a channel had none: these are picked without a branch that nobody can foresee, then looked at. */
INLINE void take_credits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t none = 0;
    for (uint32_t k = 0; k < s->credit_count; k++) {
        if (k + AHEAD < s->credit_count)
            __builtin_prefetch(&net->out[s->credits[k + AHEAD]], 1);
        const uint32_t o = s->credits[k];
        s->credits[none] = o;
        none += net->out[o].credits++ == 0;
    }
    for (uint32_t k = 0; k < none; k++) {
        const uint32_t o = s->credits[k], owner = net->out[o].owner;
        if (o >= net->outs << shift) {
            clear(net->stalled, (o >> shift) - net->outs);
            continue;
        }
        if (owner == FS_NOC_NONE || !net->in[owner].starved)
            continue;
        net->in[owner].starved = false;
        net->waits[o >> shift].no_credit += (uint32_t)net->now - net->in[owner].since;
        make_ready(net, shift, owner, true);
    }
    net->under_way -= s->credit_count;
    s->credit_count = 0;
}

/* Of body flits those matter that come into an empty buffer, which are picked as credits are. */
INLINE void take_flits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t alone = 0;
    for (uint32_t k = 0; k < s->flit_count; k++) {
        if (k + AHEAD < s->flit_count)
            __builtin_prefetch(&net->in[s->flits[k + AHEAD].where], 1);
        const uint32_t i = s->flits[k].where, packet = s->flits[k].flit;
        const bool first = net->in[i].flits++ == 0;
        if (packet == FS_NOC_NONE) {
            s->flits[alone].where = i;
            alone += first;
        } else if (first) {
            ask(net, shift, i, packet);
        } else {
            stand_behind(net, i, packet);
        }
    }
    for (uint32_t k = 0; k < alone; k++)
        may_move(net, shift, s->flits[k].where);
    for (uint32_t k = 0; k < net->again_count; k++)
        may_move(net, shift, net->again[k]);
    s->flit_count = net->again_count = 0;
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
        if (o == FS_NOC_NONE) {
            set(net->stalled, e);
            return;
        }
        s->channel = o;
        s->latest = (uint8_t)(channel_of(shift, o) % net->of_kind);
        net->out[o].owner = e;
        p->injected = net->now;
    }
    fs_noc_out_channel *out = &net->out[s->channel];
    if (out->credits == 0) {
        set(net->stalled, e);
        return;
    }
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
        for (uint64_t bits = net->sending[w] & ~net->stalled[w]; bits != 0; bits &= bits - 1)
            send_from(net, shift, w * 64 + (uint32_t)__builtin_ctzll(bits));
}

/* How far behind a pointer a place of a circle lies. */
INLINE uint32_t behind(uint32_t at, uint32_t pointer, uint32_t of) {
    return at >= pointer ? at - pointer : at + of - pointer;
}

/* Rule 2: the free channel that a head picks, FS_NOC_NONE: there is none. */
INLINE uint32_t pick(const fs_noc_net *net, uint32_t shift, uint32_t port, uint32_t place,
                     const fs_noc_in_channel *c) {
    const uint32_t free = net->out_ports[port].free & ((1u << c->count) - 1) << c->first;
    if (free == 0)
        return FS_NOC_NONE;
    const bool here = (uint32_t)c->pointer >> shift == place;
    return (port << shift) + first_from(free, here ? channel_of(shift, c->pointer) : 0);
}

/* A head that no free channel may take stands until one of its output is free. */
INLINE void stand(fs_noc_net *net, uint32_t i, uint32_t out) {
    net->in[i].since = (uint32_t)net->now;
    net->in[i].waits = false;
    net->in[i].next = net->stands[out];
    net->stands[out] = i;
}

/* From the next cycle on; those whose channel is another one stand again. */
INLINE void wake(fs_noc_net *net, uint32_t out) {
    for (uint32_t i = net->stands[out]; i != FS_NOC_NONE; i = net->in[i].next) {
        net->waits[out].no_channel += (uint32_t)net->now + 1 - net->in[i].since;
        wait(net, i);
    }
    net->stands[out] = FS_NOC_NONE;
}

/* Rule 2 of a head that waits; how many grants of output channels there are then. A channel that is free has its grant as its
 * owner until it is given. */
INLINE uint32_t ask_for_channel(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t count) {
    fs_noc_grant *grants = net->channels_given;
    const fs_noc_in_port *port = &net->in_ports[i >> shift];
    const fs_noc_in_channel *c = &net->in[i];
    const uint32_t o = c->out, out = port->first_out + o, best = pick(net, shift, out, o, c);
    if (best == FS_NOC_NONE) {
        stand(net, i, out);
        return count;
    }
    fs_noc_out_channel *given = &net->out[best];
    const uint32_t far = behind(channel_of(shift, i) + ((uint32_t)port->place << shift), given->pointer,
                                (uint32_t)port->ins << shift);
    if (given->owner == FS_NOC_NONE) {
        given->owner = count;
        grants[count] = (fs_noc_grant){i, best, far};
        return count + 1;
    }
    if (far < grants[given->owner].far)
        grants[given->owner] = (fs_noc_grant){i, best, far};
    net->waits[out].no_channel++;
    return count;
}

/* Rule 2: which output channels are given to whom; how many. */
INLINE uint32_t allocate(fs_noc_net *net, uint32_t shift) {
    uint32_t count = 0, left = 0;
    for (uint32_t k = 0; k < net->waiting_count; k++) {
        const uint32_t i = net->waiting[k];
        if (net->in[i].waits)
            count = ask_for_channel(net, shift, i, count);
        net->waiting[left] = i;
        left += net->in[i].waits;
    }
    net->waiting_count = left;
    return count;
}

INLINE void give_channels(fs_noc_net *net, uint32_t shift, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->channels_given[k].in, to = net->channels_given[k].out;
        fs_noc_in_channel *c = &net->in[i];
        const fs_noc_in_port *port = &net->in_ports[i >> shift];
        fs_noc_out_port *out = &net->out_ports[to >> shift];
        const uint32_t next_in = ((uint32_t)port->place << shift) + channel_of(shift, i) + 1;
        const uint32_t next_out = to - (port->first_out << shift) + 1;
        net->out[to].owner = i;
        net->out[to].pointer = (uint16_t)(next_in == (uint32_t)port->ins << shift ? 0 : next_in);
        out->free &= (uint16_t) ~(1u << channel_of(shift, to));
        c->pointer = (uint16_t)(next_out == (uint32_t)port->outs << shift ? 0 : next_out);
        c->channel = to;
        c->next = out->leaves ? FS_NOC_NONE : (out->to << shift) + channel_of(shift, to);
        c->waits = false;
        may_move(net, shift, i);
    }
}

/* Rule 3: of a port's channels that are ready, more than one, its candidate. All channels are looked at, so that nothing
 * branches on which are ready. */
INLINE uint32_t candidate(const fs_noc_in_port *port, const fs_noc_in_channel *channels, uint32_t shift,
                          uint32_t ready) {
    uint64_t wanted = 0;
    for (uint32_t v = 0; v < 1u << shift; v++)
        wanted |= (uint64_t)(ready >> v & 1) << channels[v].out;
    const uint32_t o = first_from(wanted, port->output);
    uint32_t of = 0;
    for (uint32_t v = 0; v < 1u << shift; v++)
        of |= (uint32_t)(channels[v].out == o) << v;
    return first_from(ready & of, port->channel);
}

/* Rule 3: the output's pointer comes to the port before it comes to the other one. */
INLINE bool nearer(const fs_noc_net *net, const fs_noc_in_port *port, const fs_noc_out_port *to,
                   uint32_t other) {
    return behind(port->place, to->pointer, port->ins) <
           behind(net->in_ports[other].place, to->pointer, port->ins);
}

/* Rule 3: the candidate of a port, of those that are ready there, asks for its output; how many have won one. A port with
 * others that are ready stays among the active ones. */
INLINE uint32_t ask_for_output(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t count) {
    const uint32_t p = i >> shift;
    fs_noc_out_port *to = &net->out_ports[net->in[i].channel >> shift];
    net->ready[p] &= (uint16_t) ~(1u << channel_of(shift, i));
    if (to->asked == 0) {
        net->moves[count] = i;
        to->asked = ++count;
    } else {
        uint32_t *winner = &net->moves[to->asked - 1], loser = i;
        to->lost++;
        if (nearer(net, &net->in_ports[p], to, *winner >> shift)) {
            loser = *winner;
            *winner = i;
        }
        make_ready(net, shift, loser, true);
    }
    return count;
}

/* Rule 3: input channels that have each won an output port, and are no more ready; how many. Ports with one that is ready
 * come first, without a branch on how many there are. */
INLINE uint32_t arbitrate(fs_noc_net *net, uint32_t shift) {
    uint32_t count = 0, one = 0, more = 0;
    for (uint32_t k = 0; k < net->active_count; k++) {
        const uint32_t p = net->active[k], ready = net->ready[p];
        const bool alone = (ready & (ready - 1)) == 0;
        net->one[one] = (p << shift) + (uint32_t)__builtin_ctz(ready);
        one += alone;
        net->more[more] = p;
        more += !alone;
    }
    net->active_count = 0;
    for (uint32_t k = 0; k < one; k++)
        count = ask_for_output(net, shift, net->one[k], count);
    for (uint32_t k = 0; k < more; k++) {
        const uint32_t p = net->more[k], ready = net->ready[p],
                       i = (p << shift) + candidate(&net->in_ports[p], &net->in[p << shift], shift, ready);
        net->out_ports[net->in[i].channel >> shift].lost += ones(ready) - 1;
        net->active[net->active_count++] = p;
        count = ask_for_output(net, shift, i, count);
    }
    return count;
}

/* The last flit of a packet has left: its channel is free, and the next packet asks. */
INLINE void end_packet(fs_noc_net *net, uint32_t shift, uint32_t i) {
    fs_noc_in_channel *c = &net->in[i];
    net->out[c->channel].owner = FS_NOC_NONE;
    net->out_ports[c->channel >> shift].free |= (uint16_t)(1u << channel_of(shift, c->channel));
    wake(net, c->channel >> shift);
    if (c->flits > 0)
        ask(net, shift, i, next_packet(net, i));
}

/* Winners' flits leave: to the next router or out to their end point, and credits go back. Channels that have another flit of
 * the packet are looked at again in the next cycle, when its credits have come. */
INLINE void move(fs_noc_net *net, uint32_t shift, uint32_t channels, bool alike, uint32_t count) {
    fs_noc_slot *const usual = slot_at(net, net->now + net->alike + 2);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->moves[k], v = channel_of(shift, i);
        fs_noc_in_channel *c = &net->in[i];
        fs_noc_in_port *port = &net->in_ports[i >> shift];
        fs_noc_out_port *to = &net->out_ports[c->channel >> shift];
        fs_noc_out_channel *o = &net->out[c->channel];
        port->channel = (uint8_t)(v + 1 == channels ? 0 : v + 1);
        port->output = c->next_out;
        to->pointer = port->next;
        to->asked = 0;
        to->flits++;
        const uint32_t left = c->left - 1u, flits = c->flits - 1u;
        c->left = (uint16_t)left;
        c->flits = (uint8_t)flits;
        o->credits--;
        fs_noc_slot *then = alike ? usual : slot_at(net, net->now + to->latency);
        if (c->next == FS_NOC_NONE)
            then->taken[then->taken_count++] = (fs_noc_event){c->channel, FLIT(c->packet, left == 0)};
        else
            then->flits[then->flit_count++] = (fs_noc_event){c->next, c->whole ? c->packet : FS_NOC_NONE};
        c->whole = false;
        if (!alike)
            then = slot_at(net, net->now + port->latency);
        then->credits[then->credit_count++] = port->upstream + v;
        net->again[net->again_count] = i;
        net->again_count += (left > 0) & (flits > 0);
        if (left == 0)
            end_packet(net, shift, i);
    }
}

INLINE void make_cycle(fs_noc_net *whole, uint32_t shift, uint32_t channels, bool alike, uint32_t *count) {
    fs_noc_net of = *whole, *const net = &of;
    fs_noc_slot *s = slot_at(net, net->now);
    take_credits(net, shift, s);
    take_flits(net, shift, s);
    *count = take_out(net, shift, s);
    send(net, shift);
    const uint32_t given = allocate(net, shift), moves = arbitrate(net, shift);
    move(net, shift, channels, alike, moves);
    give_channels(net, shift, given);
    net->under_way += moves;
    net->hops += moves;
    net->now++;
    *whole = of;
}

const fs_noc_arrival *fs_noc_step(fs_noc_net *net, uint32_t *count) {
    enum { USUAL_SHIFT = 2, USUAL_CHANNELS = 4 };
    if (net->reserve)
        return net->free ? fs_noc_step_free(net, count) : fs_noc_step_reserve(net, count);
    if (net->channels == USUAL_CHANNELS && net->alike > 0)
        make_cycle(net, USUAL_SHIFT, USUAL_CHANNELS, true, count);
    else
        make_cycle(net, net->shift, net->channels, net->alike > 0, count);
    return net->arrivals;
}
