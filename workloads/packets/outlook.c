/* What the ways of a pattern's packets say before any run. */
#include "workloads/packets/flow.h"

#include "models/noc/loads.h"
#include "sim/host/signals.h"

enum { MOST_PAIRS = 1 << 22 }; /* of nodes: a second on one core */

/* Destinations are looked at in a scattered order of which any beginning is a fair sample: n of them by steps that have
 * no divisor in common with their number. */
static uint32_t step_through(uint32_t nodes) {
    uint32_t step = (uint32_t)(nodes * 0.6180339887) | 1;
    for (uint32_t a = nodes, b = step;; step += 2, a = nodes, b = step) {
        while (b != 0) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
}

/* Each node's own list of goals: a permutation, a table. */
static void add_listed(const fs_flow_setup *s, fs_noc_loads *l) {
    const fs_goals *g = s->goals;
    for (uint32_t src = 0; src < g->nodes && !fs_interrupted(); src++)
        if (g->goal != NULL) {
            const double all = 1;
            fs_noc_loads_add(l, g->goal[src], 1, &src, &all);
        } else {
            for (uint32_t i = g->first[src]; i < g->first[src + 1]; i++) {
                const double rate = g->part[i] * g->weight[src];
                fs_noc_loads_add(l, g->to[i], 1, &src, &rate);
            }
        }
}

/* All nodes' packets to the hotspots and to `count` destinations, which stand for all. */
static void add_all(const fs_flow_setup *s, fs_noc_loads *l, uint32_t count, double *rate) {
    const fs_goals *g = s->goals;
    const uint32_t step = step_through(g->nodes);
    for (uint32_t h = 0; h < g->hots; h++) {
        for (uint32_t src = 0; src < g->nodes; src++)
            rate[src] = g->share / g->hots;
        fs_noc_loads_add(l, g->hot[h], g->nodes, NULL, rate);
    }
    for (uint32_t k = 0; k < count && g->nodes > 0 && !fs_interrupted(); k++) {
        const uint32_t dst = (uint32_t)((uint64_t)k * step % g->nodes);
        for (uint32_t src = 0; src < g->nodes; src++)
            rate[src] = (double)g->nodes / count * fs_goal_even(g, src, dst);
        fs_noc_loads_add(l, dst, g->nodes, NULL, rate);
    }
}

/* The busiest link of a grid with packets from every node to every node, own ones or not: a packet passes the dimensions
 * one after another, so that a link of a dimension has what one line of nodes puts on it. */
static double busiest_of_lines(const fs_flow_setup *s, fs_noc_sizes grid, fs_arena *arena, double *rate) {
    const double others =
        s->goals->kind == FS_GOAL_ALL_TO_ALL ? (double)s->goals->nodes / (s->goals->nodes - 1) : 1;
    double busiest = 1; /* the way out of each node */
    for (uint32_t d = 0, stride = 1; d < grid.count; stride *= grid.of[d++]) {
        fs_noc_loads *l = fs_noc_loads_begin(arena, s->graph, &s->net, 1);
        uint32_t *line = FS_NEW(arena, uint32_t, grid.of[d]);
        for (uint32_t i = 0; i < grid.of[d]; i++) {
            line[i] = i * stride;
            rate[i] = others / grid.of[d];
        }
        for (uint32_t i = 0; i < grid.of[d] && !fs_interrupted(); i++)
            fs_noc_loads_add(l, line[i], grid.of[d], line, rate);
        for (uint32_t k = 0; k < s->graph->links; k++)
            busiest = l->through[k] > busiest ? l->through[k] : busiest;
        fs_noc_loads_end(l);
    }
    return busiest;
}

/* Of all links and ways out; ways out of destinations that stand for others are as full as the shares say. */
static double busiest_of(const fs_flow_setup *s, const double *through, bool sampled) {
    const fs_noc_graph *g = s->graph;
    const fs_goals *goals = s->goals;
    double busiest =
        sampled && goals->hots > 0 ? 1 - goals->share + goals->share * goals->nodes / goals->hots : sampled;
    for (uint32_t l = 0; l < g->links + (sampled ? 0 : g->ends); l++)
        busiest = through[l] > busiest ? through[l] : busiest;
    return busiest;
}

fs_flow_outlook fs_flow_look(const fs_flow_setup *s, fs_noc_sizes grid, fs_arena *arena) {
    const fs_goals *g = s->goals;
    const uint32_t most = 1 + MOST_PAIRS / g->nodes, count = g->nodes <= most ? g->nodes : most;
    const bool listed = !fs_goals_anywhere(g), sampled = !listed && count < g->nodes;
    const bool lines = sampled && grid.count > 0 && g->kind != FS_GOAL_HOTSPOT;
    double *rate = FS_NEW(arena, double, g->nodes);
    fs_flow_outlook out = {.sampled = sampled ? count : 0, .busiest_sampled = sampled && !lines};
    for (uint32_t i = 0; i < (s->sizes == NULL ? 1 : s->size_count); i++) {
        fs_noc_loads *l =
            fs_noc_loads_begin(arena, s->graph, &s->net, s->sizes == NULL ? s->flits : s->sizes[i].flits);
        if (listed)
            add_listed(s, l);
        else
            add_all(s, l, count, rate);
        out.latency += (s->sizes == NULL ? 1 : s->sizes[i].part) * l->latency / l->rate;
        out.routers = l->routers / l->rate;
        out.busiest = busiest_of(s, l->through, sampled);
        fs_noc_loads_end(l);
    }
    if (lines)
        out.busiest = busiest_of_lines(s, grid, arena, rate);
    return out;
}
