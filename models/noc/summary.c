#include "models/noc/summary.h"

#include "models/noc/kinds.h"
#include "sim/base/arith.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- links ---- */

bool fs_noc_is_grid(const fs_noc_options *o) {
    return fs_noc_kind_of(o)->grid;
}

bool fs_noc_goes_round(const fs_noc_graph *g, uint32_t link) {
    const fs_noc_place *from = &g->place[g->link[link].from], *to = &g->place[g->link[link].to];
    return strcmp(g->kind, "torus") == 0 && fabs(to->x - from->x) + fabs(to->y - from->y) > 1.5;
}

const char *fs_noc_heading(const fs_noc_graph *g, uint32_t link) {
    const fs_noc_place *from = &g->place[g->link[link].from], *to = &g->place[g->link[link].to];
    double x = to->x - from->x, y = to->y - from->y;
    if (strcmp(g->kind, "fat_tree") == 0)
        return y > 0 ? "up" : "down";
    if (fs_noc_goes_round(g, link)) {
        x = -x;
        y = -y;
    }
    if (fabs(x) >= fabs(y))
        return x > 0 ? "east" : x < 0 ? "west" : "aside";
    return y > 0 ? "south" : "north";
}

static int by_flits(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of all flits on links, those on the busiest hundredth of them. */
static double top_share(const fs_noc_graph *g, const fs_noc_use *uses, uint64_t sum) {
    uint64_t *flits = fs_malloc((g->links + 1) * sizeof *flits), top = 0;
    for (uint32_t l = 0; l < g->links; l++)
        flits[l] = uses[l].flits;
    qsort(flits, g->links, sizeof *flits, by_flits);
    for (uint32_t l = 0; l < (g->links + 99) / 100; l++)
        top += flits[l];
    free(flits);
    return fs_ratio((double)top, (double)sum);
}

/* The place of a router of a grid in a dimension. */
static uint32_t place(const fs_noc_options *o, uint32_t router, uint32_t dimension) {
    for (uint32_t d = 0; d < dimension; d++)
        router /= (uint32_t)o->size.item[d];
    return router % (uint32_t)o->size.item[dimension];
}

/* What crosses a cut of a dimension, forward and back. */
typedef struct crossing {
    uint64_t flits[2], links[2];
} crossing;

/* A link counts at each cut between its ends: it begins to at the first, and ends to behind the last (numbers wrap). */
static void count_crossings(crossing *at, const fs_noc_graph *g, const fs_noc_options *o,
                            const fs_noc_use *uses, uint32_t d) {
    for (uint32_t l = 0; l < g->links; l++) {
        const uint32_t from = place(o, g->link[l].from, d), to = place(o, g->link[l].to, d);
        const int back = from > to;
        crossing *first = &at[back ? to : from], *behind = &at[back ? from : to];
        first->flits[back] += uses[l].flits;
        first->links[back]++;
        behind->flits[back] -= uses[l].flits;
        behind->links[back]--;
    }
}

static void find_cut(fs_noc_summary *s, const fs_noc_graph *g, const fs_noc_options *o,
                     const fs_noc_use *uses, uint64_t cycles) {
    for (uint32_t d = 0; d < o->size.count; d++) {
        crossing *all = fs_calloc((size_t)o->size.item[d], sizeof *all), sum = {0};
        count_crossings(all, g, o, uses, d);
        for (uint32_t at = 0; at + 1 < o->size.item[d]; at++)
            for (int back = 1; back >= 0; back--) {
                const uint64_t flits = sum.flits[back] += all[at].flits[back],
                               links = sum.links[back] += all[at].links[back];
                const double share = links == 0 ? 0 : (double)flits / (double)links / (double)cycles;
                if (share > s->cut_share) {
                    s->cut_share = share;
                    s->cut_dimension = d;
                    s->cut_place = at;
                }
            }
        free(all);
    }
}

static uint64_t wait_of(const fs_noc_use *u, int cause) {
    return cause == 0 ? u->no_credit : cause == 1 ? u->no_channel : u->lost;
}

fs_noc_summary fs_noc_summary_of(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_use *uses,
                                 uint64_t cycles) {
    fs_noc_summary s = {.links = g->links};
    uint64_t sum = 0;
    fs_noc_use all = {0};
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const fs_noc_use *u = &uses[l];
        all = (fs_noc_use){all.flits + u->flits, all.no_credit + u->no_credit, all.no_channel + u->no_channel,
                           all.lost + u->lost};
        if (l >= g->links)
            continue;
        sum += u->flits;
        s.busiest = u->flits > uses[s.busiest].flits ? l : s.busiest;
        for (int c = 0; c < 3; c++)
            s.waits[c] = wait_of(u, c) > wait_of(&uses[s.waits[c]], c) ? l : s.waits[c];
    }
    s.no_credit = fs_ratio((double)all.no_credit, (double)all.flits);
    s.no_channel = fs_ratio((double)all.no_channel, (double)all.flits);
    s.lost = fs_ratio((double)all.lost, (double)all.flits);
    if (g->links == 0 || cycles == 0)
        return s;
    s.busiest_share = (double)uses[s.busiest].flits / (double)cycles;
    s.mean_share = (double)sum / (double)cycles / g->links;
    s.balance = fs_ratio(s.busiest_share, s.mean_share);
    s.busiest_from = g->link[s.busiest].from;
    s.busiest_to = g->link[s.busiest].to;
    s.top_share = top_share(g, uses, sum);
    if (fs_noc_is_grid(o))
        find_cut(&s, g, o, uses, cycles);
    return s;
}

/* ---- packets ---- */

void fs_noc_packets_add(fs_noc_packets *p, const fs_noc_arrival *a) {
    const uint64_t latency = a->arrived - a->offered;
    p->count++;
    p->latency += latency;
    p->queue += a->injected - a->offered;
    p->serial += a->flits - 1;
    p->longest = fs_most(p->longest, latency);
    p->routers += a->routers;
    p->most_routers = fs_most(p->most_routers, a->routers);
    p->by_routers[a->routers < FS_NOC_WAYS ? a->routers : FS_NOC_WAYS - 1]++;
}

/* ---- a film ---- */

fs_noc_film *fs_noc_film_create(fs_arena *arena, const fs_noc_graph *graph) {
    if (graph->links > FS_NOC_FILMED)
        return NULL;
    fs_noc_film *film = FS_NEW(arena, fs_noc_film, 1);
    *film = (fs_noc_film){.links = graph->links,
                          .length = 1,
                          .next = 1,
                          .seen = FS_NEW(arena, uint64_t, graph->links + 1),
                          .flits = FS_NEW(arena, uint32_t, (size_t)graph->links * FS_NOC_FRAMES + 1)};
    return film;
}

static void add_frame(fs_noc_film *film, const fs_noc_use *uses) {
    for (uint32_t l = 0; l < film->links; l++) {
        film->flits[(size_t)l * FS_NOC_FRAMES + film->frames] = (uint32_t)(uses[l].flits - film->seen[l]);
        film->seen[l] = uses[l].flits;
    }
    film->frames++;
}

/* Two frames become one. */
static void halve(fs_noc_film *film) {
    for (uint32_t l = 0; l < film->links; l++) {
        uint32_t *frame = film->flits + (size_t)l * FS_NOC_FRAMES;
        for (uint32_t f = 0; f < FS_NOC_FRAMES / 2; f++)
            frame[f] = frame[2 * f] + frame[2 * f + 1];
    }
    film->frames = FS_NOC_FRAMES / 2;
    film->length *= 2;
}

void fs_noc_film_note(fs_noc_film *film, uint64_t now, const fs_noc_use *uses) {
    while (now >= film->next) {
        if (film->frames == FS_NOC_FRAMES)
            halve(film);
        /* Of time that was skipped the first frame has all that was carried before. */
        if ((film->frames + 1) * film->length <= now)
            add_frame(film, uses);
        film->next = (film->frames + 1) * film->length;
    }
}

void fs_noc_film_end(fs_noc_film *film, uint64_t now, const fs_noc_use *uses) {
    fs_noc_film_note(film, now, uses);
    if (now > film->frames * film->length) {
        if (film->frames == FS_NOC_FRAMES)
            halve(film);
        add_frame(film, uses);
    }
}
