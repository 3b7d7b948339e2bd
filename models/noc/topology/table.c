/* Routes as a table: for each router and end point the port that a packet takes, and its channels. */
#include "models/noc/topology/topology.h"
#include "models/noc/tour.h"

#include <stdlib.h>
#include <string.h>

static fs_noc_hop by_table(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                           fs_noc_header *header) {
    const fs_noc_hop *table = graph->shape;
    const fs_noc_hop hop = table[(size_t)router * graph->ends + header->dst];
    return hop.count > 0 ? hop : fs_noc_any(hop.port, channels);
}

fs_status fs_noc_route_by_table(fs_noc_graph *g, const fs_noc_hop *table, fs_error *err) {
    g->rule = by_table;
    g->shape = table;
    g->classes = 1;
    for (size_t i = 0; i < (size_t)g->routers * g->ends; i++) {
        const uint32_t last = (uint32_t)table[i].first + table[i].count;
        g->classes = last > g->classes ? last : g->classes;
    }
    if (g->classes > 1)
        g->why = "so many are named by routes";
    fs_noc_tour *tour = fs_noc_tour_create(g, FS_NOC_MOST_CHANNELS);
    fs_status status = FS_OK;
    for (uint32_t dst = 0; dst < g->ends && status == FS_OK; dst++) {
        fs_noc_tour_to(tour, dst);
        for (uint32_t src = 0; src < g->ends && status == FS_OK; src++)
            status = fs_noc_tour_add(tour, src, err);
    }
    fs_noc_tour_free(tour);
    return status;
}

/* Routers from each to `goal`, breadth first against the links; UINT32_MAX: no way. */
static void measure(const fs_noc_graph *g, uint32_t goal, uint32_t *distance, uint32_t *queue) {
    uint32_t first = 0, last = 0;
    memset(distance, 0xff, g->routers * sizeof *distance);
    distance[goal] = 0;
    queue[last++] = goal;
    while (first < last) {
        const uint32_t r = queue[first++];
        for (uint32_t in = g->in_at[r]; in < g->in_at[r + 1]; in++) {
            const uint32_t from = g->into[in] == FS_NOC_NONE ? r : g->link[g->into[in]].from;
            if (distance[from] != UINT32_MAX)
                continue;
            distance[from] = distance[r] + 1;
            queue[last++] = from;
        }
    }
}

fs_noc_hop *fs_noc_shortest_ways(fs_arena *arena, const fs_noc_graph *g) {
    fs_noc_hop *table = fs_arena_alloc(arena, (size_t)g->routers * g->ends, sizeof *table);
    uint32_t *distance = fs_malloc((g->routers + 1) * sizeof *distance);
    uint32_t *queue = fs_malloc((g->routers + 1) * sizeof *queue);
    for (uint32_t e = 0; e < g->ends; e++) {
        measure(g, g->end[e].router, distance, queue);
        for (uint32_t r = 0; r < g->routers; r++) {
            uint16_t port = r == g->end[e].router ? g->end[e].out_port : FS_NOC_NO_PORT;
            for (uint32_t o = g->out_at[r]; o < g->out_at[r + 1] && port == FS_NOC_NO_PORT; o++)
                if (distance[r] != UINT32_MAX && g->out_of[o] != FS_NOC_NONE &&
                    distance[g->link[g->out_of[o]].to] == distance[r] - 1)
                    port = (uint16_t)(o - g->out_at[r]);
            table[(size_t)r * g->ends + e] = (fs_noc_hop){.port = port};
        }
    }
    free(distance);
    free(queue);
    return table;
}
