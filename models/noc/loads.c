/* Loads of links, and packets alone, by the ways. */
#include "models/noc/loads.h"

#include "models/noc/tour.h"

#include <stdlib.h>

enum { SAMPLE = 16 }; /* packets of a pair, where a mean is not counted exactly */

/* Of a stop of the tour: what packets there have before them. */
typedef struct ahead {
    double rate;    /* that comes by */
    double routers; /* this one included */
    double cycles;  /* of a head: 3 a router and its links, with routers for free the links alone */
} ahead;

struct fs_noc_loads_work {
    const fs_noc_graph *graph;
    fs_noc_params params;
    uint32_t flits;
    fs_noc_tour *tour;
    ahead *ahead; /* [room] */
    uint32_t room;
    bool shallow; /* flits wait for credits, even alone */
    bool alike;   /* all links have a latency, and all ways in and out */
    uint64_t
        *behind; /* [routers + 1] of links that are alike: cycles behind the head by routers; 0: unknown */
};
typedef struct fs_noc_loads_work work;

static void look_at_links(work *w) {
    const fs_noc_graph *g = w->graph;
    uint32_t slowest = 0;
    w->alike = true;
    for (uint32_t l = 0; l < g->links; l++) {
        slowest = g->link[l].latency > slowest ? g->link[l].latency : slowest;
        w->alike &= g->link[l].latency == g->link[0].latency;
    }
    for (uint32_t e = 0; e < g->ends; e++) {
        slowest = g->end[e].latency > slowest ? g->end[e].latency : slowest;
        w->alike &= g->end[e].latency == g->end[0].latency;
    }
    w->shallow = !w->params.free && !w->params.reserve && w->flits > w->params.buffer &&
                 2 * slowest + 4 > w->params.buffer;
}

fs_noc_loads *fs_noc_loads_begin(fs_arena *arena, const fs_noc_graph *graph, const fs_noc_params *params,
                                 uint32_t flits) {
    const uint32_t kinds = params->kinds == 0 ? 1 : params->kinds;
    fs_noc_loads *l = FS_NEW(arena, fs_noc_loads, 1);
    l->through = FS_NEW(arena, double, (size_t)graph->links + graph->ends);
    l->work = FS_NEW(arena, work, 1);
    *l->work = (work){.graph = graph,
                      .params = *params,
                      .flits = flits,
                      .tour = fs_noc_tour_create(graph, params->channels / kinds),
                      .behind = FS_NEW(arena, uint64_t, (size_t)graph->routers + 1)};
    look_at_links(l->work);
    return l;
}

/* From the end point back: each stop after those that its legs lead to. */
static void look_ahead(work *w) {
    const fs_noc_tour *t = w->tour;
    const fs_noc_graph *g = w->graph;
    for (uint32_t i = 0; i < t->ordered; i++) {
        const fs_noc_stop *s = &t->stop[t->order[i]];
        ahead *a = &w->ahead[t->order[i]];
        *a = (ahead){0, 0, 0};
        for (uint32_t k = 0; k < s->legs; k++) {
            const fs_noc_leg *leg = &t->leg[s->first + k];
            const bool out = leg->to == FS_NOC_NONE;
            const ahead rest = out ? (ahead){0, 0, 0} : w->ahead[leg->to];
            a->routers += 1 + rest.routers;
            a->cycles += (w->params.free ? 0 : 3) + rest.cycles +
                         (out ? g->end[t->dst].latency : g->link[leg->link].latency);
        }
        if (s->legs > 1) {
            a->routers /= s->legs;
            a->cycles /= s->legs;
        }
    }
}

/* Cycles of the flits behind the head, the mean of a pair. */
static double behind(work *w, uint32_t src, const ahead *a) {
    const fs_noc_graph *g = w->graph;
    const uint32_t dst = w->tour->dst, routers = (uint32_t)a->routers;
    const double head = (w->params.free ? 0 : 1) + g->end[src].latency + a->cycles;
    if (!w->shallow)
        return w->flits - 1;
    const bool counted = w->alike && routers <= g->routers;
    if (counted && w->behind[routers] > 0)
        return (double)w->behind[routers];
    const uint32_t packets = counted || w->tour->legs == w->tour->stops ? 1 : SAMPLE;
    double cycles = 0;
    for (uint32_t number = 0; number < packets; number++)
        cycles += (double)fs_noc_alone(g, &w->params, src, dst, number, w->flits);
    const double rest = cycles / packets - head;
    if (counted)
        w->behind[routers] = (uint64_t)rest;
    return rest;
}

/* From the sources on: each stop before those that its legs lead to. */
static void carry(const work *w, double *through) {
    const fs_noc_tour *t = w->tour;
    for (uint32_t i = t->ordered; i-- > 0;) {
        const fs_noc_stop *s = &t->stop[t->order[i]];
        const double part = w->ahead[t->order[i]].rate / s->legs;
        for (uint32_t k = 0; k < s->legs; k++) {
            const fs_noc_leg *leg = &t->leg[s->first + k];
            through[leg->link] += part;
            if (leg->to != FS_NOC_NONE)
                w->ahead[leg->to].rate += part;
        }
    }
}

void fs_noc_loads_add(fs_noc_loads *l, uint32_t dst, uint32_t count, const uint32_t *src,
                      const double *rate) {
    work *w = l->work;
    fs_noc_tour *t = w->tour;
    fs_error err = {0};
    fs_noc_tour_to(t, dst);
    for (uint32_t i = 0; i < count; i++)
        if (rate[i] > 0)
            FS_ASSERT(fs_noc_tour_add(t, src == NULL ? i : src[i], &err) == FS_OK, "%s", err.text);
    if (t->stops > w->room) {
        w->room = 2 * t->stops;
        w->ahead = fs_realloc(w->ahead, w->room * sizeof *w->ahead);
    }
    look_ahead(w);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = src == NULL ? i : src[i];
        if (!(rate[i] > 0))
            continue;
        ahead *a = &w->ahead[fs_noc_tour_from(t, from)];
        a->rate += rate[i];
        l->rate += rate[i];
        l->routers += rate[i] * a->routers;
        l->latency += rate[i] * ((w->params.free ? 0 : 1) + w->graph->end[from].latency + a->cycles +
                                 behind(w, from, a));
    }
    carry(w, l->through);
}

void fs_noc_loads_end(fs_noc_loads *l) {
    fs_noc_tour_free(l->work->tour);
    free(l->work->ahead);
    l->work->tour = NULL;
    l->work->ahead = NULL;
}
