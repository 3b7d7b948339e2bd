/* A packet that holds a channel of a link and waits for one of the next link: an arrow. Packets can wait for each
 * other for ever where arrows form a ring (Dally and Seitz 1987); a graph without one always drains. */
#include "models/noc/tour.h"

#include <stdlib.h>

enum { NAMED = 12 }; /* links of a ring that a refusal names */

typedef struct arrows {
    const fs_noc_graph *graph;
    uint32_t channels;
    const uint32_t *first; /* [links] of a link's next links among all */
    uint16_t *to; /* [first[link] + port of the next link][channels]: bits of the next link's channels */
} arrows;

static uint16_t bits_of(const fs_noc_leg *leg) {
    return (uint16_t)(((1u << leg->count) - 1) << leg->first);
}

/* From what packets hold behind a leg to what they ask for at its end. */
static void draw_arrows(const arrows *a, const fs_noc_tour *t, const fs_noc_leg *held) {
    const fs_noc_stop *next = &t->stop[held->to];
    for (uint32_t k = 0; k < next->legs; k++) {
        const fs_noc_leg *leg = &t->leg[next->first + k];
        if (leg->to == FS_NOC_NONE)
            continue;
        const uint32_t port = a->first[held->link] + a->graph->link[leg->link].from_port;
        for (uint32_t v = held->first; v < (uint32_t)held->first + held->count; v++)
            a->to[port * a->channels + v] |= bits_of(leg);
    }
}

/* All ways to an end point. */
static void walk(const arrows *a, fs_noc_tour *t, uint32_t dst) {
    fs_error err = {0};
    fs_noc_tour_to(t, dst);
    for (uint32_t src = 0; src < a->graph->ends; src++)
        FS_ASSERT(fs_noc_tour_add(t, src, &err) == FS_OK, "%s: %s", a->graph->kind, err.text);
    for (uint32_t l = 0; l < t->legs; l++)
        if (t->leg[l].to != FS_NOC_NONE)
            draw_arrows(a, t, &t->leg[l]);
}

/* The next arrow of a channel of a link after place *at, which it moves on; false: there is none. */
static bool next(const arrows *a, uint32_t node, uint32_t *at, uint32_t *to) {
    const fs_noc_graph *g = a->graph;
    const uint32_t l = node / a->channels, v = node % a->channels, r = g->link[l].to;
    const uint32_t ports = g->out_at[r + 1] - g->out_at[r];
    for (; *at < ports * a->channels; (*at)++) {
        const uint32_t port = *at / a->channels, channel = *at % a->channels;
        if ((a->to[(a->first[l] + port) * a->channels + v] >> channel & 1) == 0)
            continue;
        *to = g->out_of[g->out_at[r] + port] * a->channels + channel;
        (*at)++;
        return true;
    }
    return false;
}

/* The ring is the way from the place of `node` in it to its end. */
static fs_status refuse(const arrows *a, const uint32_t *way, uint32_t length, fs_error *err) {
    const fs_noc_graph *g = a->graph;
    fs_memory text;
    FILE *out = fs_memory_open(&text);
    for (uint32_t i = 0; i < length && i < NAMED; i++)
        fprintf(out, "%u -> ", g->link[way[i] / a->channels].from);
    if (length > NAMED)
        fprintf(out, "... -> ");
    fprintf(out, "%u", g->link[way[0] / a->channels].from);
    char *ring = fs_memory_close(&text);
    fs_fail(err, FS_INPUT,
            "%s: packets can wait for each other for ever in a ring of %u links, routers %s, with %u virtual "
            "channel%s%s%s",
            g->kind, length, ring, a->channels, a->channels == 1 ? "" : "s", g->why[0] == '\0' ? "" : ": ",
            g->why);
    free(ring);
    return FS_INPUT;
}

/* Depth first, with what is on the way marked 1 and what is done 2. */
static fs_status look_for_ring(const arrows *a, fs_error *err) {
    const uint32_t nodes = a->graph->links * a->channels;
    uint8_t *mark = fs_calloc(nodes + 1, 1);
    uint32_t *way = fs_malloc((nodes + 1) * sizeof *way), *at = fs_malloc((nodes + 1) * sizeof *at);
    fs_status status = FS_OK;
    for (uint32_t root = 0; root < nodes && status == FS_OK; root++) {
        uint32_t depth = 0, to = 0;
        if (mark[root] != 0)
            continue;
        way[0] = root;
        at[0] = 0;
        mark[root] = 1;
        for (depth = 1; depth > 0 && status == FS_OK;) {
            if (!next(a, way[depth - 1], &at[depth - 1], &to)) {
                mark[way[--depth]] = 2;
            } else if (mark[to] == 0) {
                mark[to] = 1;
                at[depth] = 0;
                way[depth++] = to;
            } else if (mark[to] == 1) {
                uint32_t begin = 0;
                while (way[begin] != to)
                    begin++;
                status = refuse(a, way + begin, depth - begin, err);
            }
        }
    }
    free(mark);
    free(way);
    free(at);
    return status;
}

fs_status fs_noc_check_deadlock(const fs_noc_graph *graph, uint32_t channels, fs_error *err) {
    uint32_t *first = fs_malloc(((size_t)graph->links + 1) * sizeof *first), ports = 0;
    for (uint32_t l = 0; l < graph->links; l++) {
        const uint32_t r = graph->link[l].to;
        first[l] = ports;
        ports += graph->out_at[r + 1] - graph->out_at[r];
    }
    const arrows a = {graph, channels, first, fs_calloc((size_t)ports * channels + 1, sizeof(uint16_t))};
    fs_noc_tour *tour = fs_noc_tour_create(graph, channels);
    fs_status status = FS_OK;
    /* A ring is mostly found by the ways to a few end points: it is looked for whenever they have become twice as
     * many. */
    for (uint32_t dst = 0; dst < graph->ends && status == FS_OK; dst++) {
        walk(&a, tour, dst);
        if ((dst & (dst + 1)) == 0 || dst + 1 == graph->ends)
            status = look_for_ring(&a, err);
    }
    fs_noc_tour_free(tour);
    free(a.to);
    free(first);
    return status;
}
