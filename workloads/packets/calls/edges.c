#include "workloads/packets/calls/agents.h"

#include "sim/base/arith.h"
#include "workloads/packets/calls/due.h"

/* A leg under way: over its edge, or on a network. */
typedef struct going {
    const fs_ways *ways;
    uint32_t leg, next; /* next: among the free ones */
} going;

struct fs_edges {
    fs_edge_costs costs;
    uint32_t count, open, going_count, going_free;
    uint64_t *until; /* [count] the cycle from which one is free */
    uint64_t *held;  /* [count] cycles */
    going *going;
    fs_due due; /* what comes over edges, by `going` */
    uint64_t number, last;
};

fs_edges *fs_edges_create(const fs_edge_costs *costs, uint32_t count) {
    fs_edges *e = fs_calloc(1, sizeof *e);
    *e = (fs_edges){.costs = *costs, .count = count, .going_free = FS_NOC_NONE};
    e->until = fs_calloc(count + 1, sizeof *e->until);
    e->held = fs_calloc(count + 1, sizeof *e->held);
    return e;
}

void fs_edges_free(fs_edges *e) {
    if (e == NULL)
        return;
    free(e->until);
    free(e->held);
    free(e->going);
    free(e->due.item);
    free(e);
}

static uint32_t keep(fs_edges *e, const fs_ways *ways, uint32_t leg) {
    uint32_t number = e->going_free;
    if (number == FS_NOC_NONE) {
        e->going = fs_grow(e->going, e->going_count, sizeof *e->going);
        number = e->going_count++;
    } else {
        e->going_free = e->going[number].next;
    }
    e->going[number] = (going){.ways = ways, .leg = leg};
    e->open++;
    return number;
}

static going drop(fs_edges *e, uint32_t number) {
    const going g = e->going[number];
    e->going[number].next = e->going_free;
    e->going_free = number;
    e->open--;
    return g;
}

void fs_edges_come(fs_edges *e, uint64_t now, const fs_ways *ways, uint32_t leg) {
    const uint32_t edge = ways->leg[leg].edge;
    if (edge == FS_NOC_NONE)
        return;
    const double bytes = (double)ways->bytes, holds = ceil(bytes / e->costs.pace);
    const uint64_t begin = fs_most(now, e->until[edge]);
    const double latency = fmax(holds, ceil(e->costs.latency + e->costs.each * bytes));
    e->until[edge] = begin + (uint64_t)holds;
    e->held[edge] += (uint64_t)holds;
    fs_due_put(&e->due, begin + (uint64_t)latency, e->number++, keep(e, ways, leg));
}

void fs_edges_advance(fs_edges *e, fs_carrier *carrier) {
    while (fs_due_next(&e->due) <= fs_carrier_now(carrier)) {
        const going g = drop(e, fs_due_take(&e->due).what);
        for (uint32_t l = 1; l < g.ways->legs; l++)
            if (g.ways->leg[l].parent == g.leg) {
                const fs_ways_leg *leg = &g.ways->leg[l];
                const fs_load load = {.kind = FS_LOAD_POST,
                                      .plane = leg->plane,
                                      .from = leg->from,
                                      .to = leg->to,
                                      .bytes = g.ways->bytes,
                                      .owner = FS_EDGES_OWN | keep(e, g.ways, l)};
                fs_carrier_begin(carrier, &load);
            }
    }
}

void fs_edges_over(fs_edges *e, uint64_t now, uint64_t owner) {
    const going g = drop(e, (uint32_t)(owner & ~FS_EDGES_OWN));
    e->last = now;
    fs_edges_come(e, now, g.ways, g.leg);
}

uint64_t fs_edges_next(const fs_edges *e) {
    return fs_due_next(&e->due);
}

bool fs_edges_done(const fs_edges *e) {
    return e->open == 0;
}

const uint64_t *fs_edges_held(const fs_edges *e) {
    return e->held;
}

uint64_t fs_edges_last(const fs_edges *e) {
    return e->last;
}
