/* A packet alone. */
#include "models/noc/net.h"

#include <stdlib.h>

/* Cycles from a flit's move over a link, or a way in or out, until its credit is back where it moved from. */
static uint32_t loop_of(uint32_t latency, bool end) {
    return 2 * latency + (end ? 3 : 4);
}

/* Cycles of flits behind the head. loop: [routers + 1] of the way in, of links, of the way out.
 *
 * Flit k + buffer leaves a place no sooner than the credit of flit k is back there, which closes a loop of the link, and
 * `buffer` flits follow from it. The last flit waits for the dearest chain of such loops: from the place that the head
 * has come to, having waited a cycle for a channel at each router, back link by link to the slowest one, and there again
 * and again. */
static uint64_t behind(const uint32_t *loop, uint32_t routers, uint32_t flits, uint32_t buffer) {
    const int64_t turns = (flits - 1) / buffer, rest = flits - 1 - turns * buffer;
    int64_t best = flits - 1;
    for (uint32_t s = 0; s <= routers && turns > 0; s++) {
        const int64_t whole = turns * loop[s] + rest;
        int64_t other = 0; /* what links behind the slowest one are faster */
        for (uint32_t m = s + 1; whole > best && m <= routers + 1 && m - s <= turns; m++) {
            other += m - 1 > s ? (int64_t)loop[m - 1] - loop[s] : 0;
            if (m - 1 > s && loop[m - 1] > loop[s])
                break; /* that one is the slowest */
            const int64_t all = whole + other - (m < routers ? routers - m : 0);
            best = all > best ? all : best;
        }
    }
    return (uint64_t)best;
}

uint64_t fs_noc_alone_first(const fs_noc_graph *g, const fs_noc_way *way, uint32_t src, uint32_t dst,
                            bool free) {
    const uint64_t links = (uint64_t)g->end[src].latency + g->end[dst].latency + way->latency;
    return free ? links : 3 * (uint64_t)way->routers + 1 + links;
}

uint64_t fs_noc_alone(const fs_noc_graph *g, const fs_noc_params *params, uint32_t src, uint32_t dst,
                      uint32_t number, uint32_t flits) {
    const uint32_t kinds = params->kinds == 0 ? 1 : params->kinds, channels = params->channels / kinds;
    const fs_noc_way way = fs_noc_way_of(g, channels, src, dst, number, NULL, 0);
    const uint64_t head = fs_noc_alone_first(g, &way, src, dst, params->free);
    if (params->free || params->reserve || flits <= params->buffer)
        return head + flits - 1;
    uint32_t *loop = fs_malloc((way.routers + 1) * sizeof *loop), router = g->end[src].router;
    fs_noc_header header = {.src = src, .dst = dst, .number = number};
    loop[0] = loop_of(g->end[src].latency, true);
    for (uint32_t r = 1; r < way.routers; r++) {
        const fs_noc_link *link =
            &g->link[g->out_of[g->out_at[router] + g->rule(g, router, channels, &header).port]];
        loop[r] = loop_of(link->latency, false);
        router = link->to;
    }
    loop[way.routers] = loop_of(g->end[dst].latency, true);
    const uint64_t rest = behind(loop, way.routers, flits, params->buffer);
    free(loop);
    return head + rest;
}
