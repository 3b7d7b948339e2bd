/* Routes as a table: for each router and end point the port that a packet takes, or ports that packets share, and
 * channels. */
#include "models/noc/topology/topology.h"
#include "models/noc/tour.h"

#include <stdlib.h>
#include <string.h>

/* Ports of a router that packets share: a hop with the port FIRST_SHARED + n names set n of its router. */
enum { FIRST_SHARED = FS_NOC_MOST_PORTS };

struct fs_noc_routes {
    fs_arena *arena;
    const fs_noc_graph *graph;
    fs_noc_hop *hop;   /* [routers][ends] */
    uint64_t **shared; /* [routers] sets of ports, bits */
    uint32_t *sets;    /* [routers] how many */
};

static fs_noc_hop by_table(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                           fs_noc_header *header) {
    const fs_noc_routes *routes = graph->shape;
    fs_noc_hop hop = routes->hop[(size_t)router * graph->ends + header->dst];
    if (hop.port >= FIRST_SHARED && hop.port != FS_NOC_NO_PORT) {
        uint64_t ports = routes->shared[router][hop.port - FIRST_SHARED];
        for (uint32_t k = fs_noc_toss(header, router, (uint32_t)__builtin_popcountll(ports)); k > 0; k--)
            ports &= ports - 1;
        hop.port = (uint16_t)__builtin_ctzll(ports);
    }
    return hop.count > 0 ? hop : fs_noc_any(hop.port, channels);
}

fs_noc_hop fs_noc_routes_share(fs_noc_routes *r, uint32_t router, uint64_t ports) {
    uint32_t set = 0;
    if (ports == 0)
        return (fs_noc_hop){.port = FS_NOC_NO_PORT};
    if ((ports & (ports - 1)) == 0)
        return (fs_noc_hop){.port = (uint16_t)__builtin_ctzll(ports)};
    while (set < r->sets[router] && r->shared[router][set] != ports)
        set++;
    FS_ASSERT(FIRST_SHARED + set < FS_NOC_NO_PORT, "router %u: too many sets of ports", router);
    if (set == r->sets[router]) {
        r->shared[router] = fs_arena_grow(r->arena, r->shared[router], set, sizeof **r->shared);
        r->shared[router][r->sets[router]++] = ports;
    }
    return (fs_noc_hop){.port = (uint16_t)(FIRST_SHARED + set)};
}

fs_noc_hop *fs_noc_routes_at(const fs_noc_routes *r, uint32_t router, uint32_t end) {
    return &r->hop[(size_t)router * r->graph->ends + end];
}

/* ---- shortest ways ---- */

/* Of a link: 1, or the cycles of a packet's head over it and through a router. */
static uint32_t cost_of(const fs_noc_link *link, bool cycles) {
    return cycles ? link->latency + 3u : 1;
}

/* Cost from each router to `goal`, against the links. UINT32_MAX: no way. queue: [routers]. */
static void measure(const fs_noc_graph *g, uint32_t goal, bool cycles, uint32_t *cost, uint32_t *queue) {
    uint32_t first = 0, waiting = 1;
    bool *in_queue = fs_calloc(g->routers, sizeof *in_queue);
    memset(cost, 0xff, g->routers * sizeof *cost);
    cost[goal] = 0;
    queue[0] = goal;
    for (; waiting > 0; waiting--) {
        const uint32_t r = queue[first];
        first = (first + 1) % g->routers;
        in_queue[r] = false;
        for (uint32_t in = g->in_at[r]; in < g->in_at[r + 1]; in++) {
            if (g->into[in] == FS_NOC_NONE)
                continue;
            const fs_noc_link *l = &g->link[g->into[in]];
            const uint32_t by = cost[r] + cost_of(l, cycles);
            if (by >= cost[l->from])
                continue;
            cost[l->from] = by;
            if (!in_queue[l->from])
                queue[(first + waiting++ - 1) % g->routers] = l->from;
            in_queue[l->from] = true;
        }
    }
    free(in_queue);
}

/* Ports of a router that lead on a way of the least cost; first: to the neighbour that its first one leads to alone. */
static uint64_t ports_of(const fs_noc_graph *g, uint32_t r, const uint32_t *cost, fs_noc_shortest ways) {
    uint64_t ports = 0;
    uint32_t neighbour = FS_NOC_NONE;
    for (uint32_t o = g->out_at[r]; o < g->out_at[r + 1] && cost[r] != UINT32_MAX; o++) {
        if (g->out_of[o] == FS_NOC_NONE)
            continue;
        const fs_noc_link *l = &g->link[g->out_of[o]];
        if (cost[l->to] == UINT32_MAX || cost[l->to] + cost_of(l, ways != FS_NOC_FEWEST) != cost[r])
            continue;
        if (ways != FS_NOC_FIRST || neighbour == FS_NOC_NONE || neighbour == l->to)
            ports |= (uint64_t)1 << (o - g->out_at[r]);
        neighbour = neighbour == FS_NOC_NONE ? l->to : neighbour;
    }
    return ports;
}

fs_noc_routes *fs_noc_routes_shortest(fs_arena *arena, const fs_noc_graph *g, fs_noc_shortest ways) {
    fs_noc_routes *routes = FS_NEW(arena, fs_noc_routes, 1);
    *routes = (fs_noc_routes){.arena = arena,
                              .graph = g,
                              .hop = FS_NEW(arena, fs_noc_hop, (size_t)g->routers * g->ends),
                              .shared = FS_NEW(arena, uint64_t *, g->routers),
                              .sets = FS_NEW(arena, uint32_t, g->routers)};
    uint32_t *cost = fs_malloc((g->routers + 1) * sizeof *cost);
    uint32_t *queue = fs_malloc((g->routers + 1) * sizeof *queue);
    for (uint32_t e = 0; e < g->ends; e++) {
        const uint32_t goal = g->end[e].router;
        if (e == 0 || g->end[e - 1].router != goal)
            measure(g, goal, ways != FS_NOC_FEWEST, cost, queue);
        for (uint32_t r = 0; r < g->routers; r++)
            *fs_noc_routes_at(routes, r, e) =
                r == goal ? (fs_noc_hop){.port = g->end[e].out_port}
                          : fs_noc_routes_share(routes, r, ports_of(g, r, cost, ways));
    }
    free(cost);
    free(queue);
    return routes;
}

/* ---- the rule ---- */

fs_status fs_noc_route_by_table(fs_noc_graph *g, const fs_noc_routes *routes, fs_error *err) {
    g->rule = by_table;
    g->shape = routes;
    g->classes = 1;
    for (size_t i = 0; i < (size_t)g->routers * g->ends; i++) {
        const uint32_t last = (uint32_t)routes->hop[i].first + routes->hop[i].count;
        g->classes = last > g->classes ? last : g->classes;
    }
    if (g->classes > 1)
        g->why = "so many are named by routes";
    fs_noc_tour *tour = fs_noc_tour_create(g, FS_NOC_MOST_CHANNELS);
    bool *used = fs_calloc((size_t)g->links + g->ends, sizeof *used);
    fs_status status = FS_OK;
    for (uint32_t dst = 0; dst < g->ends && status == FS_OK; dst++) {
        fs_noc_tour_to(tour, dst);
        for (uint32_t src = 0; src < g->ends && status == FS_OK; src++)
            status = fs_noc_tour_add(tour, src, err);
        for (uint32_t l = 0; l < tour->legs; l++)
            used[tour->leg[l].link] = true;
    }
    g->idle = 0;
    for (uint32_t l = 0; l < g->links; l++)
        g->idle += !used[l];
    free(used);
    fs_noc_tour_free(tour);
    return status;
}
