/* A cycle of a network, by the rules of net.h. */
#include "models/noc/engine.h"

#include <string.h>

/* Into the cycles at the end, so that the usual ones know their sizes as constants. shift: as of the net. */
#define INLINE static inline __attribute__((always_inline))

enum { AHEAD = 8 }; /* heads whose state is fetched before its turn */

INLINE fs_noc_slot *slot_at(fs_noc_net *net, uint64_t cycle) {
    return &net->wheel[cycle & (net->slots - 1)];
}

INLINE void give_credit(fs_noc_slot *s, uint32_t channel) {
    s->credits[s->credit_count++] = channel;
}

/* Where `may`, the input channel may move. */
INLINE void make_ready(fs_noc_net *net, uint32_t shift, uint32_t i, bool may) {
    fs_noc_in_port *port = fs_noc_in_of(net->in, shift, i);
    net->active[net->active_count] = fs_noc_block(shift, i);
    net->active_count += may & (port->ready == 0);
    port->ready |= (uint16_t)(may << fs_noc_among(shift, i));
}

/* The input channel has a flit and an output channel from now on: it may move, or waits for a credit. */
INLINE void may_move(fs_noc_net *net, uint32_t shift, uint32_t i) {
    *fs_noc_since(net, shift, i) = (uint32_t)net->now;
    make_ready(net, shift, i, net->out[net->in[i].to].credits > 0);
}

/* The input channel's head waits for an output channel. */
INLINE void wait(fs_noc_net *net, uint32_t shift, uint32_t i) {
    net->front[fs_noc_front_at(shift, i)].waits = true;
    net->waiting[net->waiting_count++] = i;
}

/* The head of the next packet stands at the front: where it goes. */
INLINE void ask(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t packet) {
    const uint32_t router = fs_noc_in_of(net->in, shift, i)->router;
    fs_noc_front *front = &net->front[fs_noc_front_at(shift, i)];
    fs_noc_packet *p = &net->packets[packet];
    const fs_noc_hop hop = net->graph->rule(net->graph, router, net->of_kind, &p->header);
    const bool leaves = fs_noc_out_at(net, net->graph->out_at[router] + hop.port)->leaves;
    p->routers++;
    net->in[i].state = (net->in[i].state & FS_NOC_ALL_FLITS) + p->flits * FS_NOC_LEFT +
                       (leaves ? 0 : FS_NOC_STAYS) + hop.port * FS_NOC_OUT;
    front->packet = packet;
    front->first = (uint8_t)(hop.first + p->header.kind * net->of_kind);
    front->count = p->fixed && !leaves ? 1 : hop.count;
    wait(net, shift, i);
}

/* A packet whose head stands behind others. */
INLINE void stand_behind(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t packet) {
    fs_noc_front *front = &net->front[fs_noc_front_at(shift, i)];
    uint32_t at = (uint32_t)front->head + front->behind++;
    at -= at >= net->depth ? net->depth : 0;
    net->queue[fs_noc_front_at(shift, i) * net->depth + at] = packet;
}

INLINE uint32_t next_packet(fs_noc_net *net, uint32_t shift, uint32_t i) {
    fs_noc_front *front = &net->front[fs_noc_front_at(shift, i)];
    const uint32_t packet = net->queue[fs_noc_front_at(shift, i) * net->depth + front->head];
    front->head = (uint8_t)(front->head + 1u == net->depth ? 0 : front->head + 1);
    front->behind--;
    return packet;
}

/* A way has a credit again: where a source waits for one it goes on. */
INLINE void resume(fs_noc_net *net, uint32_t way) {
    if (way < net->outs || !net->sources[way - net->outs].stalled)
        return;
    net->sources[way - net->outs].stalled = false;
    net->senders[net->sender_count++] = way - net->outs;
}

/* Credits matter at once where a channel had none: these are picked without a branch that nobody can foresee, then looked at. */
INLINE void take_credits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t none = 0, *const credits = s->credits;
    fs_noc_out_channel *const out = net->out;
    for (uint32_t k = 0, count = s->credit_count; k < count; k++) {
        const uint32_t o = credits[k];
        credits[none] = o;
        none += out[o].credits++ == 0;
    }
    for (uint32_t k = 0; k < none; k++) {
        const uint32_t o = credits[k], owner = out[o].owner;
        if (owner == FS_NOC_NONE) {
            resume(net, fs_noc_way_at(shift, o));
            continue;
        }
        if ((net->in[owner].state & FS_NOC_ALL_FLITS) == 0)
            continue;
        fs_noc_out_of(net->out, shift, o)->no_credit += (uint32_t)net->now - *fs_noc_since(net, shift, owner);
        make_ready(net, shift, owner, true);
    }
    net->under_way -= s->credit_count;
    s->credit_count = 0;
}

/* Of body flits those matter that come into an empty buffer, which are picked as credits are. */
INLINE void take_flits(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t alone = 0, *const flits = s->flits;
    fs_noc_in_channel *const in = net->in;
    for (uint32_t k = 0, count = s->flit_count; k < count; k++) {
        const uint32_t i = flits[k], state = in[i].state;
        flits[alone] = i;
        in[i].state = state + FS_NOC_FLIT;
        alone += (state & FS_NOC_ALL_FLITS) == 0;
    }
    for (uint32_t k = 0; k < alone; k++)
        may_move(net, shift, flits[k]);
    for (uint32_t k = 0; k < s->head_count; k++) {
        if (k + AHEAD < s->head_count) {
            __builtin_prefetch(&net->in[s->heads[k + AHEAD].where], 1);
            __builtin_prefetch(&net->packets[s->heads[k + AHEAD].flit], 1);
        }
        const uint32_t i = s->heads[k].where, state = net->in[i].state;
        net->in[i].state = state + FS_NOC_FLIT;
        if ((state & FS_NOC_ALL_FLITS) == 0)
            ask(net, shift, i, s->heads[k].flit);
        else
            stand_behind(net, shift, i, s->heads[k].flit);
    }
    s->flit_count = s->head_count = 0;
}

/* What arrives at end points; credits go back. */
INLINE uint32_t take_out(fs_noc_net *net, uint32_t shift, fs_noc_slot *s) {
    uint32_t arrived = 0;
    for (uint32_t k = 0; k < s->taken_count; k++) {
        const uint32_t number = s->taken[k].flit >> 1, o = s->taken[k].where;
        give_credit(slot_at(net, net->now + fs_noc_out_of(net->out, shift, o)->latency - 1u), o);
        net->under_way++;
        net->taken++;
        if ((s->taken[k].flit & 1) == 0)
            continue;
        net->arrivals[arrived++] = fs_noc_arrive(net, number);
    }
    s->taken_count = 0;
    return arrived;
}

/* The channel of a way in that a packet begins on: one with room, after the one of the packet before. */
INLINE uint32_t begin_on(const fs_noc_net *net, uint32_t shift, const fs_noc_source *s, uint32_t e) {
    const uint32_t kind = net->packets[s->first].header.kind;
    const uint32_t first = fs_noc_channel(shift, net->outs + e, kind * net->of_kind);
    for (uint32_t k = 1; k <= net->of_kind; k++) {
        const uint32_t o = first + (s->latest + k) % net->of_kind;
        if (net->out[o].credits > 0)
            return o;
    }
    return FS_NOC_NONE;
}

/* A flit of an end point that has some; whether it may have another one in the next cycle. */
INLINE bool send_from(fs_noc_net *net, uint32_t shift, uint32_t e) {
    fs_noc_source *s = &net->sources[e];
    fs_noc_packet *p = &net->packets[s->first];
    const bool begins = s->channel == FS_NOC_NONE;
    const uint32_t o = begins ? begin_on(net, shift, s, e) : s->channel;
    s->stalled = o == FS_NOC_NONE || net->out[o].credits == 0;
    if (s->stalled)
        return false;
    if (begins) {
        s->channel = o;
        s->latest = (uint8_t)(fs_noc_among(shift, o) % net->of_kind);
        p->injected = net->now;
    }
    fs_noc_slot *to = slot_at(net, net->now + fs_noc_out_of(net->out, shift, o)->latency);
    if (begins)
        to->heads[to->head_count++] = (fs_noc_event){o, s->first};
    else
        to->flits[to->flit_count++] = o;
    net->out[o].credits--;
    net->sent++;
    if (++p->sent < p->flits)
        return true;
    s->channel = FS_NOC_NONE;
    s->first = p->next;
    if (s->first == FS_NOC_NONE)
        net->sending[e / 64] &= ~((uint64_t)1 << e % 64);
    return s->first != FS_NOC_NONE;
}

INLINE void send(fs_noc_net *net, uint32_t shift) {
    uint32_t left = 0;
    for (uint32_t k = 0; k < net->sender_count; k++) {
        const uint32_t e = net->senders[k];
        net->senders[left] = e;
        left += send_from(net, shift, e);
    }
    net->sender_count = left;
}

/* How far behind a pointer a place of a circle lies. */
INLINE uint32_t behind(uint32_t at, uint32_t pointer, uint32_t of) {
    return at >= pointer ? at - pointer : at + of - pointer;
}

/* The port of the router that the packet at the front goes to. */
INLINE uint32_t out_of(uint32_t state) {
    return state / FS_NOC_OUT;
}

/* Rule 2: the free channel of a way out that a head picks, FS_NOC_NONE: there is none. */
INLINE uint32_t pick(const fs_noc_net *net, uint32_t shift, uint32_t way, uint32_t place,
                     const fs_noc_front *front) {
    const uint32_t free = fs_noc_out_at(net, way)->free & ((1u << front->count) - 1) << front->first;
    if (free == 0)
        return FS_NOC_NONE;
    const bool here = (uint32_t)front->pointer >> shift == place;
    const uint32_t from = free & ~0u << (here ? fs_noc_among(shift, front->pointer) : 0);
    return fs_noc_channel(shift, way, (uint32_t)__builtin_ctz(from != 0 ? from : free));
}

/* A head that no free channel may take stands until one of its output is free. */
INLINE void stand(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t way) {
    fs_noc_front *front = &net->front[fs_noc_front_at(shift, i)];
    *fs_noc_since(net, shift, i) = (uint32_t)net->now;
    front->waits = false;
    front->stands = net->stands[way];
    net->stands[way] = i;
}

/* From the next cycle on; those whose channel is another one stand again. */
INLINE void wake(fs_noc_net *net, uint32_t shift, uint32_t way) {
    for (uint32_t i = net->stands[way]; i != FS_NOC_NONE; i = net->front[fs_noc_front_at(shift, i)].stands) {
        net->use[way].no_channel += (uint32_t)net->now + 1 - *fs_noc_since(net, shift, i);
        wait(net, shift, i);
    }
    net->stands[way] = FS_NOC_NONE;
}

/* Rule 2 of a head that waits; how many grants of output channels there are then. A channel that is free has its grant as its
 * owner until it is given. */
INLINE uint32_t ask_for_channel(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t count) {
    fs_noc_grant *grants = net->channels_given;
    const fs_noc_in_port *port = fs_noc_in_of(net->in, shift, i);
    const uint32_t place = out_of(net->in[i].state), way = net->graph->out_at[port->router] + place,
                   best = pick(net, shift, way, place, &net->front[fs_noc_front_at(shift, i)]);
    if (best == FS_NOC_NONE) {
        stand(net, shift, i, way);
        return count;
    }
    fs_noc_out_channel *given = &net->out[best];
    const uint32_t far = behind(fs_noc_among(shift, i) + ((uint32_t)port->place << shift), given->pointer,
                                (uint32_t)port->ins << shift);
    if (given->owner == FS_NOC_NONE) {
        given->owner = count;
        grants[count] = (fs_noc_grant){i, best, far};
        return count + 1;
    }
    if (far < grants[given->owner].far)
        grants[given->owner] = (fs_noc_grant){i, best, far};
    net->use[way].no_channel++;
    return count;
}

/* Rule 2: which output channels are given to whom; how many. */
INLINE uint32_t allocate(fs_noc_net *net, uint32_t shift) {
    uint32_t count = 0, left = 0;
    for (uint32_t k = 0; k < net->waiting_count; k++) {
        const uint32_t i = net->waiting[k];
        const bool *waits = &net->front[fs_noc_front_at(shift, i)].waits;
        if (*waits)
            count = ask_for_channel(net, shift, i, count);
        net->waiting[left] = i;
        left += *waits;
    }
    net->waiting_count = left;
    return count;
}

INLINE void give_channels(fs_noc_net *net, uint32_t shift, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = net->channels_given[k].in, o = net->channels_given[k].out;
        const fs_noc_in_port *port = fs_noc_in_of(net->in, shift, i);
        fs_noc_front *front = &net->front[fs_noc_front_at(shift, i)];
        const uint32_t next_in = ((uint32_t)port->place << shift) + fs_noc_among(shift, i) + 1,
                       next_out = (out_of(net->in[i].state) << shift) + fs_noc_among(shift, o) + 1;
        net->out[o].owner = i;
        net->out[o].pointer = (uint16_t)(next_in == (uint32_t)port->ins << shift ? 0 : next_in);
        fs_noc_out_of(net->out, shift, o)->free &= (uint16_t) ~(1u << fs_noc_among(shift, o));
        front->pointer = (uint16_t)(next_out == (uint32_t)port->outs << shift ? 0 : next_out);
        front->waits = false;
        net->in[i].to = o;
        may_move(net, shift, i);
    }
}

/* Of four channels at a time. */
typedef uint32_t four __attribute__((vector_size(16)));
typedef int32_t signed_four __attribute__((vector_size(16)));
#define ONES_OF_FOUR 0x4332322132212110 /* in so many bits, 4 bits each */

/* Below 2 to the power of 31. */
INLINE four least(four a, four b) {
    const four less = (four)((signed_four)a < (signed_four)b);
    return (a & less) | (b & ~less);
}

/* Rule 3: of the channels of a block that are ready its candidate, by the first output behind the one that won last, then the
 * first channel behind: both as numbers that go around. Those that are not ready come last, so that nothing branches on which
 * are. *others: how many are ready besides. */
INLINE uint32_t candidate(const fs_noc_net *net, uint32_t shift, uint32_t block, uint32_t *others) {
    const fs_noc_in_port *port = fs_noc_in_of(net->in, shift, block);
    const fs_noc_in_channel *channels = &net->in[block + (1u << shift)];
    const uint32_t after = (port->won & FS_NOC_ALL_OUT) + FS_NOC_OUT, next = port->channel + 1u,
                   ready = port->ready;
    four best = {INT32_MAX};
    *others = UINT32_MAX;
    for (uint32_t v = 0; v < 1u << shift; v += 4) {
        const four places = {v, v + 1, v + 2, v + 3}, bits = {1, 2, 4, 8};
        four first, second; /* the words of two channels each */
        memcpy(&first, &channels[v], sizeof first);
        memcpy(&second, &channels[v + 2], sizeof second);
        const four state = __builtin_shufflevector(first, second, 1, 3, 5, 7),
                   behind = ((state - after) & FS_NOC_ALL_OUT) | (places - next) % FS_NOC_MOST_CHANNELS << 1,
                   none = (four)((bits & ready >> v) == 0), key = (behind | none) >> 1,
                   pair = least(key, __builtin_shufflevector(key, key, 2, 3, 2, 3));
        best = least(best, least(pair, __builtin_shufflevector(pair, pair, 1, 1, 1, 1)));
        *others += ONES_OF_FOUR >> 4 * (ready >> v & 15) & 15;
    }
    return block + (1u << shift) + (best[0] + next) % FS_NOC_MOST_CHANNELS;
}

/* Rule 3: the output's pointer comes to the port before it comes to the other one. */
INLINE bool nearer(const fs_noc_in_port *port, const fs_noc_in_port *other, const fs_noc_out_port *to) {
    return behind(port->place, to->place + 1u, port->ins) < behind(other->place, to->place + 1u, port->ins);
}

/* Rule 3: the candidate of a port asks for its output; how many have won one. A port that loses stays among the active ones. */
INLINE uint32_t ask_for_output(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t *moves, uint32_t count) {
    fs_noc_out_port *to = fs_noc_out_of(net->out, shift, net->in[i].to);
    if (to->asked == 0) {
        moves[count] = i;
        to->asked = count + 1;
        return count + 1;
    }
    uint32_t *winner = &moves[to->asked - 1], loser = i;
    to->lost++;
    if (nearer(fs_noc_in_of(net->in, shift, i), fs_noc_in_of(net->in, shift, *winner), to)) {
        loser = *winner;
        *winner = i;
    }
    net->active[net->active_count++] = fs_noc_block(shift, loser);
    return count;
}

/* Rule 3: input channels that have each won an output port; how many. Ports with one that is ready come first, without a
 * branch on how many there are. */
INLINE uint32_t arbitrate(fs_noc_net *net, uint32_t shift, uint32_t *moves) {
    uint32_t count = 0, one = 0, more = 0;
    uint32_t *const alone = net->one, *const several = net->more;
    const uint32_t active = net->active_count;
    for (uint32_t k = 0; k < active; k++) {
        const uint32_t block = net->active[k], ready = fs_noc_in_of(net->in, shift, block)->ready;
        alone[one] = block + (1u << shift) + (uint32_t)__builtin_ctz(ready);
        several[more] = block;
        more += (ready & (ready - 1)) != 0;
        one = k + 1 - more;
    }
    net->active_count = 0;
    for (uint32_t k = 0; k < one; k++)
        count = ask_for_output(net, shift, alone[k], moves, count);
    for (uint32_t k = 0; k < more; k++) {
        uint32_t others;
        const uint32_t i = candidate(net, shift, several[k], &others);
        fs_noc_out_of(net->out, shift, net->in[i].to)->lost += others;
        count = ask_for_output(net, shift, i, moves, count);
    }
    return count;
}

/* The last flit of a packet has left: its channel is free, and the next packet asks. */
INLINE void end_packet(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t o) {
    net->use[fs_noc_way_at(shift, o)].flits +=
        net->packets[net->front[fs_noc_front_at(shift, i)].packet].flits;
    net->out[o].owner = FS_NOC_NONE;
    fs_noc_out_of(net->out, shift, o)->free |= (uint16_t)(1u << fs_noc_among(shift, o));
    wake(net, shift, fs_noc_way_at(shift, o));
    if ((net->in[i].state & FS_NOC_ALL_FLITS) != 0)
        ask(net, shift, i, next_packet(net, shift, i));
}

/* A flit goes that is a packet's first or last one, or leaves the network: few do, so that this stays out of the way of others. */
static __attribute__((noinline)) void move_rare(fs_noc_net *net, uint32_t shift, uint32_t i, uint32_t o,
                                                uint32_t state, fs_noc_slot *then) {
    const bool tail = (state & FS_NOC_ALL_LEFT) == 0;
    const uint32_t packet = net->front[fs_noc_front_at(shift, i)].packet;
    net->in[i].state = state | FS_NOC_BODY;
    if ((state & FS_NOC_STAYS) == 0)
        then->taken[then->taken_count++] = (fs_noc_event){o, FLIT(packet, tail)};
    else if ((state & FS_NOC_BODY) == 0)
        then->heads[then->head_count++] = (fs_noc_event){o, packet};
    else
        then->flits[then->flit_count++] = o;
    if (tail)
        end_packet(net, shift, i, o);
}

/* Winners' flits leave: to the next router or out to their end point, and credits go back. A channel that has another flit of
 * the packet and a credit is ready in the next cycle; credits that come then are looked at first. alike: all ways have one latency,
 * `same` is the slot of its cycle, and the channels that moved are its credits as they stand. */
INLINE void move(fs_noc_net *net, uint32_t shift, fs_noc_slot *same, bool alike, const uint32_t *moves,
                 uint32_t count) {
    enum { USUAL = FS_NOC_BODY | FS_NOC_STAYS };
    fs_noc_in_channel *const in = net->in;
    fs_noc_out_channel *const out = net->out;
    const uint32_t next = (uint32_t)net->now + 1;
    uint32_t *const active = net->active, active_count = net->active_count;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = moves[k], v = fs_noc_among(shift, i), o = in[i].to,
                       state = in[i].state - FS_NOC_FLIT - FS_NOC_LEFT;
        fs_noc_in_port *const port = fs_noc_in_of(in, shift, i);
        fs_noc_out_port *const to = fs_noc_out_of(out, shift, o);
        fs_noc_slot *const then = alike ? same : slot_at(net, net->now + to->latency);
        bool over = (--out[o].credits == 0) | ((state & FS_NOC_ALL_FLITS) == 0);
        in[i].state = state;
        to->place = port->place;
        to->asked = 0;
        port->since[v] = next;
        port->channel = (uint8_t)v;
        port->won = state;
        if (!alike)
            give_credit(slot_at(net, net->now + port->latency), i);
        if ((state & (FS_NOC_ALL_LEFT | USUAL)) > USUAL) {
            then->flits[then->flit_count++] = o;
        } else {
            over |= (state & FS_NOC_ALL_LEFT) == 0;
            move_rare(net, shift, i, o, state, then);
        }
        const uint32_t ready = port->ready - ((uint32_t)over << v);
        port->ready = (uint16_t)ready;
        active[active_count] = fs_noc_block(shift, i);
        active_count += ready != 0;
    }
    net->active_count = active_count;
}

INLINE void make_cycle(fs_noc_net *net, uint32_t shift, bool alike, uint32_t *arrived) {
    fs_noc_slot *s = slot_at(net, net->now);
    take_credits(net, shift, s);
    take_flits(net, shift, s);
    *arrived = take_out(net, shift, s);
    send(net, shift);
    fs_noc_slot *same = slot_at(net, net->now + net->alike + 2);
    uint32_t *moves = alike ? same->credits : net->moves;
    const uint32_t given = allocate(net, shift), count = arbitrate(net, shift, moves);
    move(net, shift, same, alike, moves, count);
    same->credit_count = alike ? count : same->credit_count;
    give_channels(net, shift, given);
    net->under_way += count;
    net->hops += count;
    net->now++;
}

const fs_noc_arrival *fs_noc_step(fs_noc_net *net, uint32_t *count) {
    enum { UPTO_4 = FS_NOC_LEAST_SHIFT, UPTO_8 };
    const bool alike = net->alike > 0;
    if (net->reserve)
        return net->free ? fs_noc_step_free(net, count) : fs_noc_step_reserve(net, count);
    if (net->shift == UPTO_4 && alike)
        make_cycle(net, UPTO_4, true, count);
    else if (net->shift == UPTO_4)
        make_cycle(net, UPTO_4, false, count);
    else if (net->shift == UPTO_8 && alike)
        make_cycle(net, UPTO_8, true, count);
    else
        make_cycle(net, net->shift, alike, count);
    return net->arrivals;
}
