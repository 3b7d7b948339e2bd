/* Routers for free (params.free of net.h): a bound of what routers, channels and buffers cost. A packet takes the cycles of
 * its links alone; routers and links between them carry all that comes. A source sends a flit a cycle, an end point
 * takes one, packets in the order in which their heads come. */
#include "models/noc/engine.h"

enum { HORIZON = FS_NOC_RESERVE_SLOTS, HEAD = 0, TAIL = 1 };

/* At `cycle`, or as near to it as slots reach: `lag` is what is left then. */
static void come(fs_noc_net *net, uint32_t number, uint64_t cycle) {
    const uint64_t most = net->now + HORIZON - 1, at = cycle < most ? cycle : most;
    uint32_t *slot = &net->due[at % HORIZON];
    net->packets[number].lag = (uint32_t)(cycle - at);
    net->packets[number].next = *slot;
    *slot = number;
}

/* Along the packet's way: counts its flits on each link. Cycles from its source to its end point. */
static uint64_t follow(fs_noc_net *net, fs_noc_packet *p) {
    const fs_noc_graph *g = net->graph;
    const fs_noc_end *from = &g->end[p->header.src], *to = &g->end[p->header.dst];
    uint32_t router = from->router;
    uint64_t cycles = (uint64_t)from->latency + to->latency;
    for (;;) {
        const fs_noc_hop hop = g->rule(g, router, net->of_kind, &p->header);
        const uint32_t o = g->out_at[router] + hop.port, l = g->out_of[o];
        p->routers++;
        net->use[o].flits += p->flits;
        net->hops += p->flits;
        if (l == FS_NOC_NONE)
            return cycles;
        cycles += g->link[l].latency;
        router = g->link[l].to;
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
            net->until[net->outs + e] = net->now + p->flits;
            p->sent = HEAD;
            come(net, number, net->now + follow(net, p));
        }
}

/* What waits for this cycle, in the order in which it came: the slots hold it backwards. */
static uint32_t due_now(fs_noc_net *net) {
    uint32_t *slot = &net->due[net->now % HORIZON], turned = FS_NOC_NONE;
    for (uint32_t number = *slot, next; number != FS_NOC_NONE; number = next) {
        next = net->packets[number].next;
        net->packets[number].next = turned;
        turned = number;
    }
    *slot = FS_NOC_NONE;
    return turned;
}

const fs_noc_arrival *fs_noc_step_free(fs_noc_net *net, uint32_t *count) {
    *count = 0;
    send(net);
    for (uint32_t number = due_now(net), next; number != FS_NOC_NONE; number = next) {
        fs_noc_packet *p = &net->packets[number];
        next = p->next;
        if (p->lag > 0) {
            come(net, number, net->now + p->lag);
            continue;
        }
        if (p->sent == HEAD) {
            const fs_noc_end *end = &net->graph->end[p->header.dst];
            uint64_t *until = &net->until[net->graph->out_at[end->router] + end->out_port];
            const uint64_t begin = *until > net->now ? *until : net->now;
            *until = begin + p->flits;
            p->sent = TAIL;
            if (*until - 1 > net->now) {
                come(net, number, *until - 1);
                continue;
            }
        }
        net->taken += p->flits;
        net->arrivals[(*count)++] = fs_noc_arrive(net, number);
    }
    net->now++;
    return net->arrivals;
}
