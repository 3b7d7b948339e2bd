/* The approximation `reserve` of net.h: a packet holds a link for as many cycles as it has flits, and waits at a router
 * for as long as the next one is held. Buffers have no end, channels there are none. */
#include "models/noc/engine.h"

enum { HORIZON = FS_NOC_RESERVE_SLOTS };

static void come(fs_noc_net *net, uint32_t number, uint64_t cycle) {
    uint32_t *slot = &net->due[cycle % HORIZON];
    net->packets[number].next = *slot;
    *slot = number;
}

/* A packet takes a port, and its head (its tail, where it leaves) is on its way. */
static void hold(fs_noc_net *net, uint32_t number, uint32_t o) {
    fs_noc_packet *p = &net->packets[number];
    const fs_noc_out_port *port = fs_noc_out_at(net, o);
    net->until[o] = net->now + p->flits;
    net->holder[o] = number;
    p->sent = port->leaves ? FS_NOC_NONE : o;
    come(net, number, net->now + port->latency + (port->leaves ? p->flits - 1 : 0));
}

static void take_ports(fs_noc_net *net) {
    for (uint32_t w = 0; w <= net->outs / 64; w++)
        for (uint64_t bits = net->queued[w]; bits != 0; bits &= bits - 1) {
            const uint32_t o = w * 64 + (uint32_t)__builtin_ctzll(bits), number = net->queue_first[o];
            fs_noc_out_port *port = fs_noc_out_at(net, o);
            if (net->until[o] > net->now) {
                port->lost++;
                continue;
            }
            net->queue_first[o] = net->packets[number].next;
            if (net->queue_first[o] == FS_NOC_NONE)
                net->queued[w] &= ~(bits & -bits);
            net->use[o].flits += net->packets[number].flits;
            net->hops += net->packets[number].flits;
            hold(net, number, o);
        }
}

static void send(fs_noc_net *net) {
    for (uint32_t w = 0; w <= net->graph->ends / 64; w++)
        for (uint64_t bits = net->sending[w]; bits != 0; bits &= bits - 1) {
            const uint32_t e = w * 64 + (uint32_t)__builtin_ctzll(bits), number = net->sources[e].first;
            fs_noc_packet *p = &net->packets[number];
            if (net->until[net->outs + e] > net->now)
                continue;
            net->sources[e].first = p->next;
            if (p->next == FS_NOC_NONE)
                net->sending[w] &= ~(bits & -bits);
            p->injected = net->now;
            net->sent += p->flits;
            hold(net, number, net->outs + e);
        }
}

/* A packet that comes to a held port: the two take turns on the link, so that the tail of the former comes later, too. */
static void share(fs_noc_net *net, uint32_t o, uint32_t flits) {
    const uint64_t next = net->now + 1, rest = net->until[o] > next ? net->until[o] - next : 0;
    if (rest > 0)
        net->packets[net->holder[o]].lag += (uint32_t)(rest < flits ? rest : flits);
}

/* A head at a router: behind those that wait for the same port. */
static void wait_for_port(fs_noc_net *net, uint32_t number) {
    const fs_noc_graph *g = net->graph;
    fs_noc_packet *p = &net->packets[number];
    const uint32_t r = fs_noc_in_at(net, p->sent)->router;
    const fs_noc_hop hop = g->rule(g, r, net->of_kind, &p->header);
    const uint32_t o = g->out_at[r] + hop.port;
    p->routers++;
    share(net, o, p->flits);
    p->next = FS_NOC_NONE;
    if (net->queue_first[o] == FS_NOC_NONE)
        net->queue_first[o] = number;
    else
        net->packets[net->queue_last[o]].next = number;
    net->queue_last[o] = number;
    net->queued[o / 64] |= (uint64_t)1 << o % 64;
}

const fs_noc_arrival *fs_noc_step_reserve(fs_noc_net *net, uint32_t *count) {
    uint32_t *slot = &net->due[net->now % HORIZON];
    *count = 0;
    take_ports(net);
    send(net);
    for (uint32_t number = *slot, next; number != FS_NOC_NONE; number = next) {
        next = net->packets[number].next;
        fs_noc_packet *p = &net->packets[number];
        const uint32_t lag = p->lag;
        if (p->sent == FS_NOC_NONE && (lag > 0 || *count == net->graph->ends)) {
            const uint32_t most = HORIZON - 1, later = lag < 1 ? 1 : lag > most ? most : lag;
            p->lag = lag > later ? lag - later : 0;
            come(net, number, net->now + later);
        } else if (p->sent == FS_NOC_NONE) {
            net->taken += p->flits;
            net->arrivals[(*count)++] = fs_noc_arrive(net, number);
        } else {
            wait_for_port(net, number);
        }
    }
    *slot = FS_NOC_NONE;
    net->now++;
    return net->arrivals;
}
