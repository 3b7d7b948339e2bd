/* Depth first from each source; a stop is in the order once all that its legs lead to are. */
#include "models/noc/tour.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 12 }; /* routers of a circle that a refusal names */

fs_noc_tour *fs_noc_tour_create(const fs_noc_graph *graph, uint32_t channels) {
    fs_noc_tour *t = fs_calloc(1, sizeof *t);
    *t = (fs_noc_tour){.graph = graph, .channels = channels};
    const size_t nodes = (size_t)graph->routers * graph->states;
    t->stop_of = fs_malloc(nodes * sizeof *t->stop_of + 1);
    memset(t->stop_of, 0xff, nodes * sizeof *t->stop_of);
    return t;
}

void fs_noc_tour_free(fs_noc_tour *t) {
    free(t->stop);
    free(t->leg);
    free(t->order);
    free(t->stop_of);
    free(t->way);
    free(t->done);
    free(t);
}

void fs_noc_tour_to(fs_noc_tour *t, uint32_t dst) {
    for (uint32_t s = 0; s < t->stops; s++)
        t->stop_of[t->stop[s].node] = FS_NOC_NONE;
    t->stops = t->legs = t->ordered = 0;
    t->dst = dst;
}

static void make_room(fs_noc_tour *t) {
    t->room = t->room == 0 ? 256 : 2 * t->room;
    t->stop = fs_realloc(t->stop, t->room * sizeof *t->stop);
    t->order = fs_realloc(t->order, t->room * sizeof *t->order);
    t->way = fs_realloc(t->way, 2 * (size_t)t->room * sizeof *t->way);
    t->done = fs_realloc(t->done, t->room);
}

/* Where a hop leads: to which node, FS_NOC_NONE out of the network. */
static fs_status take_hop(const fs_noc_tour *t, uint32_t router, fs_noc_hop hop, uint32_t state,
                          fs_noc_leg *leg, fs_error *err) {
    const fs_noc_graph *g = t->graph;
    const uint32_t at = g->out_at[router] + hop.port;
    if (hop.port >= g->out_at[router + 1] - g->out_at[router])
        return fs_fail(err, FS_INPUT,
                       "no way from router %" PRIu32 " to end point %" PRIu32 ", where packets from %" PRIu32
                       " come by",
                       router, t->dst, t->src);
    if (g->out_of[at] == FS_NOC_NONE && g->end_out[at] != t->dst)
        return fs_fail(err, FS_INPUT,
                       "router %" PRIu32 " sends packets to end point %" PRIu32 " out at end point %" PRIu32,
                       router, t->dst, g->end_out[at]);
    *leg = (fs_noc_leg){g->links + t->dst, FS_NOC_NONE, hop.first, hop.count};
    if (g->out_of[at] != FS_NOC_NONE) {
        leg->link = g->out_of[at];
        leg->to = g->link[leg->link].to * g->states + state;
    }
    return FS_OK;
}

/* A new stop with its legs, which lead to nodes as yet. */
static fs_status open_stop(fs_noc_tour *t, uint32_t node, fs_error *err) {
    const fs_noc_graph *g = t->graph;
    if (t->stops == t->room)
        make_room(t);
    if (t->legs + FS_NOC_MOST_PORTS > t->leg_room) {
        t->leg_room = 2 * t->leg_room + 4 * FS_NOC_MOST_PORTS;
        t->leg = fs_realloc(t->leg, t->leg_room * sizeof *t->leg);
    }
    fs_noc_stop *s = &t->stop[t->stops];
    *s = (fs_noc_stop){.node = node, .first = t->legs};
    t->done[t->stops] = 0;
    t->stop_of[node] = t->stops++;
    uint32_t choices = 1;
    for (uint32_t pick = 1; pick <= choices; pick++) {
        fs_noc_header header = {.dst = t->dst, .state = node % g->states, .pick = (uint8_t)pick};
        const fs_noc_hop hop = g->rule(g, node / g->states, t->channels, &header);
        choices = header.choices > 0 ? header.choices : 1;
        if (take_hop(t, node / g->states, hop, header.state, &t->leg[t->legs], err))
            return err->status;
        t->legs++;
        s->legs++;
    }
    return FS_OK;
}

static fs_status goes_round(const fs_noc_tour *t, uint32_t length, uint32_t stop, fs_error *err) {
    fs_memory text;
    FILE *out = fs_memory_open(&text);
    uint32_t begin = 0;
    while (t->way[2 * begin] != stop)
        begin++;
    for (uint32_t i = begin; i < length && i < begin + NAMED; i++)
        fprintf(out, "%" PRIu32 " -> ", t->stop[t->way[2 * i]].node / t->graph->states);
    fprintf(out, "%s%" PRIu32, length > begin + NAMED ? "... -> " : "",
            t->stop[stop].node / t->graph->states);
    char *ring = fs_memory_close(&text);
    fs_fail(err, FS_INPUT, "packets to end point %" PRIu32 " go in circles, routers %s", t->dst, ring);
    free(ring);
    return FS_INPUT;
}

fs_status fs_noc_tour_add(fs_noc_tour *t, uint32_t src, fs_error *err) {
    const uint32_t node = t->graph->end[src].router * t->graph->states;
    uint32_t depth = 0, next = node;
    if (t->stop_of[node] != FS_NOC_NONE)
        return FS_OK;
    t->src = src;
    do {
        if (next != FS_NOC_NONE) {
            if (open_stop(t, next, err))
                return err->status;
            t->way[2 * depth] = t->stops - 1;
            t->way[2 * depth++ + 1] = 0;
            next = FS_NOC_NONE;
        }
        const uint32_t here = t->way[2 * depth - 2], k = t->way[2 * depth - 1]++;
        if (k == t->stop[here].legs) {
            t->done[here] = 1;
            t->order[t->ordered++] = here;
            depth--;
            continue;
        }
        fs_noc_leg *leg = &t->leg[t->stop[here].first + k];
        if (leg->to == FS_NOC_NONE)
            continue;
        const uint32_t known = t->stop_of[leg->to];
        if (known == FS_NOC_NONE)
            next = leg->to;
        else if (t->done[known] == 0)
            return goes_round(t, depth, known, err);
        leg->to = known == FS_NOC_NONE ? t->stops : known;
    } while (depth > 0);
    return FS_OK;
}

uint32_t fs_noc_tour_from(const fs_noc_tour *t, uint32_t src) {
    return t->stop_of[t->graph->end[src].router * t->graph->states];
}
