/* Sentences on where a first-order model and flits part: a reader's port that many share, and the links that its packets
 * stand on. */
#include "workloads/packets/run.h"

#include <stdlib.h>

/* The end point that most bytes go to, and how many send there. */
typedef struct hot {
    uint32_t plane, end, senders;
} hot;

/* A link that packets to the hot end point share with others, and on which heads stood longest without a channel; of those
 * without such the one that most senders share. */
typedef struct shared {
    uint32_t link;  /* FS_NOC_NONE: there is none */
    uint32_t other; /* an end point that the others go to */
    uint64_t stood;
} shared;

static uint64_t key_of(const fs_spots_transfer *t) {
    return (uint64_t)t->plane << 32 | t->to;
}

static int by_goal(const void *a, const void *b) {
    const uint64_t x = key_of(a), y = key_of(b);
    return x != y ? (x > y) - (x < y)
                  : (((const fs_spots_transfer *)a)->from > ((const fs_spots_transfer *)b)->from) -
                        (((const fs_spots_transfer *)a)->from < ((const fs_spots_transfer *)b)->from);
}

static hot hottest(const fs_packets_run *r, const fs_spots_transfer *list, uint32_t count) {
    fs_spots_transfer *t = FS_NEW(r->run.arena, fs_spots_transfer, count);
    hot found = {.end = FS_NOC_NONE};
    uint64_t most = 0;
    memcpy(t, list, count * sizeof *t);
    qsort(t, count, sizeof *t, by_goal);
    for (uint32_t i = 0, next; i < count; i = next) {
        uint64_t bytes = 0;
        uint32_t senders = 0;
        for (next = i; next < count && key_of(&t[next]) == key_of(&t[i]); next++) {
            bytes += t[next].bytes;
            senders += t[next].group == NULL && t[next].from != t[next].to &&
                       (next == i || t[next].from != t[next - 1].from);
        }
        if (senders > 1 && bytes > most) {
            most = bytes;
            found = (hot){t[i].plane, t[i].to, senders};
        }
    }
    return found;
}

static shared share_of(const fs_packets_run *r, const fs_spots_transfer *t, uint32_t count, const hot *h) {
    const fs_noc_graph *g = fs_spots_graph(r->spots, h->plane);
    const size_t links = (size_t)g->links + g->ends;
    double *to_hot = FS_NEW(r->run.arena, double, links), *way = FS_NEW(r->run.arena, double, links);
    shared found = {.link = FS_NOC_NONE};
    for (uint32_t i = 0; i < count; i++)
        if (t[i].plane == h->plane && t[i].to == h->end && t[i].group == NULL)
            fs_spots_way(r->spots, &t[i], to_hot);
    for (uint32_t i = 0; i < count; i++) {
        if (t[i].plane != h->plane || t[i].to == h->end || t[i].from == t[i].to)
            continue;
        fs_spots_way(r->spots, &t[i], way);
        for (uint32_t l = 0; l < g->links; l++)
            if (way[l] > 0 && to_hot[l] > 0 &&
                (found.link == FS_NOC_NONE || r->flow->uses[l].no_channel > found.stood))
                found = (shared){l, t[i].to, r->flow->uses[l].no_channel};
        memset(way, 0, links * sizeof *way);
    }
    return found;
}

static const char *place_of(const fs_packets_run *r, uint32_t router) {
    const fs_noc_place p = r->graph->place[router];
    return fs_arena_printf(r->run.arena, "(%g,%g)", p.x, p.y);
}

void fs_packets_find_order(const fs_packets_run *r, fs_findings *out) {
    const double told = 0.05; /* of the time */
    uint32_t count = 0;
    const fs_packets_figures *f = &r->figures;
    const double first = f->trace.first_order, took = (double)f->stream_cycles;
    const fs_spots_transfer *t = r->spots == NULL ? NULL : fs_spots_transfers(r->spots, &count);
    if (t == NULL || !(first > 0) || !(took > 0))
        return;
    FS_FIND(out, "first_order",
            "A first-order model, in which each transfer asks all its links for its full rate while it "
            "lives, says {first|whole} "
            "cycles, {off|share} [@more?more|less] than the {took|whole} of the flits.",
            FS_IS("first", first), FS_IS("off", fabs(first / took - 1)), FS_IS("@more", first > took),
            FS_IS("took", took));
    const hot h = hottest(r, t, count);
    if (h.end == FS_NOC_NONE || r->source != FS_PACKETS_TASKS || !(fabs(first / took - 1) > told))
        return;
    const shared s = share_of(r, t, count, &h);
    if (s.link == FS_NOC_NONE)
        return;
    const fs_noc_link *l = &r->graph->link[s.link];
    const fs_noc_place a = r->graph->place[l->from], b = r->graph->place[l->to];
    const bool row = fabs(a.y - b.y) < 0.5;
    FS_FIND(out, "parted",
            "The two part at {@line} {@number|whole}, which packets to {@hot} share with others: "
            "{senders|whole} senders share the port there and move a part of what the model lets them ask. "
            "[@stands?{@Line} {@number|whole} stands with no channel for {stood|whole} cycles before "
            "{@link}, held by packets to {@hot}; those to {@other} wait|Those to {@other} go by on another "
            "channel].",
            FS_IS("@line", row ? "row" : "column"), FS_IS("@number", row ? a.y : a.x),
            FS_IS("@hot", place_of(r, r->graph->end[h.end].router)), FS_IS("senders", h.senders),
            FS_IS("@stands", s.stood > 0), FS_IS("@Line", row ? "Row" : "Column"),
            FS_IS("stood", s.stood > 0 ? (double)s.stood : (double)NAN),
            FS_IS("@link", fs_arena_printf(r->run.arena, "%s->%s", place_of(r, l->from), place_of(r, l->to))),
            FS_IS("@other", place_of(r, r->graph->end[s.other].router)));
}

/* Which of the things that take time by themselves come near the whole. */
const char *fs_packets_bound(const fs_packets_run *r) {
    const double near = 0.75; /* of the time */
    const fs_packets_trace *t = &r->figures.trace;
    const double took = (double)(t->sends > 0 ? r->figures.cycles : r->figures.stream_cycles),
                 calls = isnan(t->calls) ? 0 : t->calls, most = fmax(calls, fmax(t->link, t->port));
    if (!(took > 0) || !(t->link >= 0))
        return NULL;
    return most < near * took ? "waiting and ways"
           : calls >= most    ? "calls"
           : t->port >= most  ? "one port"
                              : "one link";
}

void fs_packets_find_bound(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_trace *t = &r->figures.trace;
    const double took = (double)(t->sends > 0 ? r->figures.cycles : r->figures.stream_cycles);
    const bool calls = t->calls > 0;
    if (r->figures.binds != NULL)
        FS_FIND(out, "binds",
                "Of {took|whole} cycles [@trace?the busiest processor's calls alone take {calls|whole}, ]the "
                "busiest link's data "
                "take {link|whole} and the busiest port's {port|whole}: bound by {@what}.",
                FS_IS("took", took), FS_IS("@trace", calls), FS_IS("calls", calls ? t->calls : (double)NAN),
                FS_IS("link", t->link), FS_IS("port", t->port), FS_IS("@what", r->figures.binds));
}
