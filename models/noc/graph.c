#include "models/noc/graph.h"

#include <string.h>

struct fs_noc_plan {
    fs_arena *arena;
    fs_noc_graph graph;
    fs_noc_link *link;
    fs_noc_end *end;
    fs_noc_place *place;
    uint32_t *ins, *outs; /* [routers] ports so far */
    uint32_t slowest;     /* cycles of a link */
};

fs_noc_plan *fs_noc_plan_begin(fs_arena *arena, const char *kind, uint32_t routers) {
    fs_noc_plan *plan = fs_arena_alloc(arena, 1, sizeof *plan);
    *plan = (fs_noc_plan){.arena = arena,
                          .graph = {.kind = kind, .routers = routers, .states = 1, .classes = 1, .why = ""}};
    plan->ins = fs_arena_alloc(arena, routers, sizeof *plan->ins);
    plan->outs = fs_arena_alloc(arena, routers, sizeof *plan->outs);
    plan->place = fs_arena_alloc(arena, routers, sizeof *plan->place);
    memset(plan->ins, 0, routers * sizeof *plan->ins);
    memset(plan->outs, 0, routers * sizeof *plan->outs);
    return plan;
}

uint8_t fs_noc_plan_link(fs_noc_plan *plan, uint32_t from, uint32_t to, uint32_t latency, uint32_t length) {
    plan->slowest = latency > plan->slowest ? latency : plan->slowest;
    plan->link = fs_arena_grow(plan->arena, plan->link, plan->graph.links, sizeof *plan->link);
    plan->link[plan->graph.links++] = (fs_noc_link){.from = from,
                                                    .to = to,
                                                    .from_port = (uint16_t)plan->outs[from]++,
                                                    .to_port = (uint16_t)plan->ins[to]++,
                                                    .latency = (uint16_t)latency,
                                                    .length = length};
    return (uint8_t)plan->link[plan->graph.links - 1].from_port;
}

void fs_noc_plan_end(fs_noc_plan *plan, uint32_t router, uint32_t latency) {
    plan->end = fs_arena_grow(plan->arena, plan->end, plan->graph.ends, sizeof *plan->end);
    plan->end[plan->graph.ends++] = (fs_noc_end){.router = router,
                                                 .in_port = (uint16_t)plan->ins[router]++,
                                                 .out_port = (uint16_t)plan->outs[router]++,
                                                 .latency = (uint16_t)latency};
}

void fs_noc_plan_place(fs_noc_plan *plan, uint32_t router, double x, double y) {
    plan->place[router] = (fs_noc_place){x, y};
}

/* First port of each router among all, from the numbers of each. */
static uint32_t *sums(fs_arena *arena, const uint32_t *of, uint32_t count) {
    uint32_t *at = fs_arena_alloc(arena, (size_t)count + 1, sizeof *at);
    at[0] = 0;
    for (uint32_t i = 0; i < count; i++)
        at[i + 1] = at[i] + of[i];
    return at;
}

static uint32_t *none(fs_arena *arena, uint32_t count) {
    uint32_t *list = fs_arena_alloc(arena, count, sizeof *list);
    memset(list, 0xff, count * sizeof *list);
    return list;
}

fs_noc_graph *fs_noc_plan_done(fs_noc_plan *plan, fs_error *err) {
    fs_noc_graph *g = &plan->graph;
    if (plan->slowest > FS_NOC_MOST_LATENCY)
        return FS_FAIL_NULL(err, FS_INPUT, "%s: a link of %u cycles, at most %d are allowed", g->kind,
                            plan->slowest, FS_NOC_MOST_LATENCY);
    for (uint32_t r = 0; r < g->routers; r++) {
        const uint32_t ports = plan->ins[r] > plan->outs[r] ? plan->ins[r] : plan->outs[r];
        if (ports > FS_NOC_MOST_PORTS)
            return FS_FAIL_NULL(err, FS_INPUT, "%s: router %u has %u ports, at most %d are allowed", g->kind,
                                r, ports, FS_NOC_MOST_PORTS);
    }
    g->link = plan->link;
    g->end = plan->end;
    g->place = plan->place;
    const uint32_t *in_at = sums(plan->arena, plan->ins, g->routers);
    const uint32_t *out_at = sums(plan->arena, plan->outs, g->routers);
    uint32_t *into = none(plan->arena, in_at[g->routers]), *end_in = none(plan->arena, in_at[g->routers]);
    uint32_t *out_of = none(plan->arena, out_at[g->routers]),
             *end_out = none(plan->arena, out_at[g->routers]);
    for (uint32_t l = 0; l < g->links; l++) {
        into[in_at[g->link[l].to] + g->link[l].to_port] = l;
        out_of[out_at[g->link[l].from] + g->link[l].from_port] = l;
    }
    for (uint32_t e = 0; e < g->ends; e++) {
        end_in[in_at[g->end[e].router] + g->end[e].in_port] = e;
        end_out[out_at[g->end[e].router] + g->end[e].out_port] = e;
    }
    g->in_at = in_at;
    g->out_at = out_at;
    g->into = into;
    g->out_of = out_of;
    g->end_in = end_in;
    g->end_out = end_out;
    return g;
}

fs_noc_way fs_noc_way_of(const fs_noc_graph *graph, uint32_t channels, uint32_t src, uint32_t dst,
                         uint32_t number, double *through, double part) {
    fs_noc_header header = {.src = src, .dst = dst, .number = number};
    fs_noc_way way = {.routers = 1};
    uint32_t router = graph->end[src].router;
    for (;;) {
        const fs_noc_hop hop = graph->rule(graph, router, channels, &header);
        const uint32_t l = graph->out_of[graph->out_at[router] + hop.port];
        way.ports += fs_noc_other_ports(graph, router);
        if (through != NULL)
            through[l == FS_NOC_NONE ? graph->links + dst : l] += part;
        if (l == FS_NOC_NONE)
            return way;
        FS_ASSERT(way.routers <= graph->routers, "%s: a packet from %u to %u goes in circles", graph->kind,
                  src, dst);
        way.routers++;
        way.latency += graph->link[l].latency;
        way.length += graph->link[l].length;
        router = graph->link[l].to;
    }
}
