/* Routes as a table: for each router and end point the port that a packet takes, and its channels. */
#include "models/noc/topology/topology.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 12 }; /* routers of a circle that a refusal names */

static fs_noc_hop by_table(const fs_noc_graph *graph, uint32_t router, uint32_t in_port, uint32_t channels,
                           fs_noc_header *header) {
    (void)in_port;
    const fs_noc_hop *table = graph->shape;
    const fs_noc_hop hop = table[(size_t)router * graph->ends + header->dst];
    return hop.count > 0 ? hop : fs_noc_any(hop.port, channels);
}

/* Ways to one end point. */
typedef struct tour {
    const fs_noc_graph *graph;
    const fs_noc_hop *table;
    uint32_t *way;  /* [routers] that are passed */
    uint8_t *state; /* [routers] 1: on the way, 2: its packets arrive */
} tour;

static fs_status goes_round(const tour *t, uint32_t length, uint32_t to, uint32_t dst, fs_error *err) {
    fs_memory text;
    FILE *out = fs_memory_open(&text);
    uint32_t begin = 0;
    while (t->way[begin] != to)
        begin++;
    for (uint32_t i = begin; i < length && i < begin + NAMED; i++)
        fprintf(out, "%" PRIu32 " -> ", t->way[i]);
    fprintf(out, "%s%" PRIu32, length > begin + NAMED ? "... -> " : "", to);
    char *ring = fs_memory_close(&text);
    fs_fail(err, FS_INPUT, "packets to end point %" PRIu32 " go in circles, routers %s", dst, ring);
    free(ring);
    return FS_INPUT;
}

static fs_status follow(const tour *t, uint32_t src, uint32_t dst, fs_error *err) {
    const fs_noc_graph *g = t->graph;
    uint32_t length = 0, router = g->end[src].router;
    while (t->state[router] == 0) {
        const fs_noc_hop hop = t->table[(size_t)router * g->ends + dst];
        const uint32_t ports = g->out_at[router + 1] - g->out_at[router];
        if (hop.port >= ports)
            return fs_fail(err, FS_INPUT,
                           "no way from router %" PRIu32 " to end point %" PRIu32
                           ", where packets from %" PRIu32 " come by",
                           router, dst, src);
        const uint32_t at = g->out_at[router] + hop.port, link = g->out_of[at];
        if (link == FS_NOC_NONE && g->end_out[at] != dst)
            return fs_fail(err, FS_INPUT,
                           "router %" PRIu32 " sends packets to end point %" PRIu32
                           " out at end point %" PRIu32,
                           router, dst, g->end_out[at]);
        t->state[router] = 1;
        t->way[length++] = router;
        if (link == FS_NOC_NONE)
            break;
        router = g->link[link].to;
        if (t->state[router] == 1)
            return goes_round(t, length, router, dst, err);
    }
    for (uint32_t i = 0; i < length; i++)
        t->state[t->way[i]] = 2;
    return FS_OK;
}

fs_status fs_noc_route_by_table(fs_noc_graph *g, const fs_noc_hop *table, fs_error *err) {
    const tour t = {g, table, fs_malloc((g->routers + 1) * sizeof(uint32_t)), fs_malloc(g->routers + 1)};
    fs_status status = FS_OK;
    for (uint32_t dst = 0; dst < g->ends && status == FS_OK; dst++) {
        memset(t.state, 0, g->routers);
        for (uint32_t src = 0; src < g->ends && status == FS_OK; src++)
            status = follow(&t, src, dst, err);
    }
    free(t.way);
    free(t.state);
    g->rule = by_table;
    g->shape = table;
    g->why = "";
    g->classes = 1;
    for (size_t i = 0; i < (size_t)g->routers * g->ends; i++) {
        const uint32_t last = (uint32_t)table[i].first + table[i].count;
        g->classes = last > g->classes ? last : g->classes;
    }
    if (g->classes > 1)
        g->why = "so many are named by routes";
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
