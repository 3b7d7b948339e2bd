#include "workloads/packets/calls/spots.h"

#include "sim/base/arith.h"

#include <stdlib.h>

enum { MOST_PLACES = 1 << 24, MOST_PLANES = 4, KEPT = 1024, LISTED = 1 << 14 };

/* What a plane is to carry. */
typedef struct carried {
    uint64_t transfers, packets, bytes, hops, local;
    double *link; /* [links + ends] bytes; NULL: nothing yet */
} carried;

/* A rectangle that was asked for. */
typedef struct kept {
    fs_place from, to;
    uint32_t sender;
    const fs_group *group;
} kept;

struct fs_spots {
    fs_arena *arena;
    fs_spots_network of;
    uint32_t columns, rows;
    uint32_t *end; /* [rows][columns] the first end point there; FS_NOC_NONE: no router */
    uint32_t chips, chip[FS_SPOTS_CHIPS];
    carried carried[FS_SPOTS_CHIPS * MOST_PLANES];
    double *through; /* [links + ends] of a way */
    kept kept[KEPT];
    fs_spots_transfer *transfer; /* the first LISTED of `listed` */
    size_t listed;
};

/* ---- places ---- */

/* Sorts; the number of different ones, which come first. */
static uint32_t distinct(double *values, uint32_t count) {
    uint32_t different = 0;
    qsort(values, count, sizeof *values, fs_by_real);
    for (uint32_t i = 0; i < count; i++)
        if (different == 0 || values[i] > values[different - 1])
            values[different++] = values[i];
    return different;
}

static uint32_t rank(double value, const double *values, uint32_t count) {
    const double *found = bsearch(&value, values, count, sizeof *values, fs_by_real);
    return (uint32_t)(found - values);
}

fs_spots *fs_spots_create(fs_arena *arena, const fs_spots_network *network, fs_error *err) {
    const fs_noc_graph *g = network->graph[0];
    double *x = FS_NEW(arena, double, g->ends), *y = FS_NEW(arena, double, g->ends);
    fs_spots *s = FS_NEW(arena, fs_spots, 1);
    for (uint32_t e = 0; e < g->ends; e++) {
        x[e] = g->place[g->end[e].router].x;
        y[e] = g->place[g->end[e].router].y;
    }
    *s = (fs_spots){
        .arena = arena, .of = *network, .columns = distinct(x, g->ends), .rows = distinct(y, g->ends)};
    s->through = FS_NEW(arena, double, (size_t)g->links + g->ends);
    if ((uint64_t)s->columns * s->rows > MOST_PLACES)
        return FS_FAIL_NULL(err, FS_INPUT, "the network's routers lie in no grid of at most %d places",
                            MOST_PLACES);
    s->end = FS_NEW(arena, uint32_t, (size_t)s->columns * s->rows);
    memset(s->end, 0xff, (size_t)s->columns * s->rows * sizeof *s->end);
    for (uint32_t e = 0; e < g->ends; e++) {
        const fs_noc_place p = g->place[g->end[e].router];
        uint32_t *end = &s->end[rank(p.y, y, s->rows) * s->columns + rank(p.x, x, s->columns)];
        if (*end != FS_NOC_NONE && g->end[*end].router != g->end[e].router)
            return FS_FAIL_NULL(
                err, FS_INPUT,
                "a trace names places by column and row; expected each router with end points at a place "
                "of its own, found %u and %u at one",
                g->end[*end].router, g->end[e].router);
        *end = *end == FS_NOC_NONE ? e : *end;
    }
    return s;
}

const char *fs_spot_end(fs_spots *s, fs_place p, uint32_t *end) {
    if (p.y == FS_PLACE_END) {
        *end = p.x;
        return p.x < s->of.graph[0]->ends
                   ? NULL
                   : fs_arena_printf(s->arena, "expected end points, 0 ... %u, found %u",
                                     s->of.graph[0]->ends - 1, p.x);
    }
    *end = p.x < s->columns && p.y < s->rows ? s->end[p.y * s->columns + p.x] : FS_NOC_NONE;
    return *end != FS_NOC_NONE
               ? NULL
               : fs_arena_printf(s->arena,
                                 "expected a place of the network, columns 0 ... %u, rows 0 ... %u, found "
                                 "%u,%u",
                                 s->columns - 1, s->rows - 1, p.x, p.y);
}

const char *fs_spot_plane(fs_spots *s, uint32_t chip, uint32_t number, uint32_t *plane) {
    uint32_t at = 0;
    if (number >= s->of.planes)
        return fs_arena_printf(s->arena,
                               "expected %s, or machine.exchange.noc.planes of at least %u; found \"NOC_%u\"",
                               s->of.planes == 1 ? "NOC_0" : "one of its planes", number + 1, number);
    while (at < s->chips && s->chip[at] != chip)
        at++;
    if (at == FS_SPOTS_CHIPS)
        return fs_arena_printf(s->arena, "expected at most %d chips", FS_SPOTS_CHIPS);
    s->chip[at] = chip;
    s->chips += at == s->chips;
    *plane = at * s->of.planes + number;
    return NULL;
}

uint32_t fs_spots_chips(const fs_spots *s) {
    return s->chips;
}

uint32_t fs_spots_chip(const fs_spots *s, uint32_t index) {
    return s->chip[index];
}

static bool lies_between(uint32_t at, uint32_t from, uint32_t to, bool wraps) {
    return from <= to ? at >= from && at <= to : wraps && (at >= from || at <= to);
}

/* Nodes in a rectangle but for the sender; counted, and written where there is room. */
static uint32_t collect(const fs_spots *s, fs_place from, fs_place to, uint32_t sender, uint32_t *into) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->columns * s->rows; i++) {
        const uint32_t end = s->end[i];
        if (end == FS_NOC_NONE || end == sender || (s->of.tile != NULL && !s->of.tile[end]) ||
            !lies_between(i % s->columns, from.x, to.x, s->of.wraps) ||
            !lies_between(i / s->columns, from.y, to.y, s->of.wraps))
            continue;
        if (into != NULL)
            into[count] = end;
        count++;
    }
    return count;
}

const char *fs_spot_group(fs_spots *s, fs_place from, fs_place to, uint32_t sender, const fs_group **out) {
    uint32_t ignored;
    kept *k = &s->kept[(from.x * 31 + from.y * 17 + to.x * 7 + to.y * 3 + sender) % KEPT];
    const char *why = fs_spot_end(s, from, &ignored);
    if (why != NULL || (why = fs_spot_end(s, to, &ignored)) != NULL)
        return why;
    if (k->group == NULL || k->sender != sender || memcmp(&k->from, &from, sizeof from) != 0 ||
        memcmp(&k->to, &to, sizeof to) != 0) {
        const uint32_t count = collect(s, from, to, sender, NULL);
        fs_group *group = fs_arena_alloc(s->arena, 1, sizeof *group + (count + 1) * sizeof *group->node);
        group->members = collect(s, from, to, sender, group->node);
        *k = (kept){from, to, sender, group};
    }
    *out = k->group;
    return k->group->members > 0
               ? NULL
               : fs_arena_printf(s->arena, "expected a rectangle with other tiles in it, found none%s",
                                 s->of.wraps ? "" : "; only a torus has one that goes round an edge");
}

/* ---- what is to be moved ---- */

static carried *carried_of(fs_spots *s, uint32_t plane) {
    const fs_noc_graph *g = s->of.graph[0];
    carried *c = &s->carried[plane];
    if (c->link == NULL)
        c->link = FS_NEW(s->arena, double, (size_t)g->links + g->ends);
    return c;
}

static uint64_t packets_of(const fs_spots *s, uint64_t bytes, uint64_t packet) {
    const uint64_t most = packet > 0 && packet < s->of.packet ? packet : s->of.packet;
    return fs_most(1, fs_up(bytes, most));
}

static void list(fs_spots *s, fs_spots_transfer transfer) {
    if (s->listed++ >= LISTED)
        return;
    s->transfer = fs_arena_grow(s->arena, s->transfer, s->listed - 1, sizeof *s->transfer);
    s->transfer[s->listed - 1] = transfer;
}

const fs_spots_transfer *fs_spots_transfers(const fs_spots *s, uint32_t *count) {
    *count = (uint32_t)fs_least(s->listed, LISTED);
    return s->listed > LISTED ? NULL : s->transfer;
}

const fs_noc_graph *fs_spots_graph(const fs_spots *s, uint32_t plane) {
    return s->of.graph[plane % s->of.planes];
}

void fs_spots_way(const fs_spots *s, const fs_spots_transfer *t, double *through) {
    const fs_noc_graph *g = fs_spots_graph(s, t->plane);
    for (uint32_t i = 0; i < (t->group == NULL ? 1 : t->group->members); i++)
        fs_noc_way_of(g, s->of.channels, t->from, t->group == NULL ? t->to : t->group->node[i], 0, through,
                      1);
}

/* Links of a way alone, with what goes over them. */
static void add_way(fs_spots *s, uint32_t plane, uint32_t from, uint32_t to, uint64_t bytes) {
    carried *c = carried_of(s, plane);
    const fs_noc_graph *g = s->of.graph[plane % s->of.planes];
    const fs_noc_way way = fs_noc_way_of(g, s->of.channels, from, to, 0, c->link, (double)bytes);
    c->hops += way.routers - 1;
}

void fs_spots_add(fs_spots *s, uint64_t begins, uint32_t plane, uint32_t from, uint32_t to, uint64_t bytes,
                  uint64_t packet) {
    carried *c = carried_of(s, plane);
    c->transfers++;
    c->packets += packets_of(s, bytes, packet);
    c->bytes += bytes;
    c->local += from == to;
    list(s, (fs_spots_transfer){begins, bytes, plane, from, to, NULL});
    if (from != to)
        add_way(s, plane, from, to, bytes);
}

void fs_spots_add_group(fs_spots *s, uint64_t begins, uint32_t plane, uint32_t from, const fs_group *to,
                        uint64_t bytes, uint64_t packet) {
    carried *c = carried_of(s, plane);
    const fs_noc_graph *g = s->of.graph[plane % s->of.planes];
    const size_t links = g->links;
    list(s, (fs_spots_transfer){begins, bytes, plane, from, to->node[0], to});
    c->transfers++;
    c->packets += packets_of(s, bytes, packet);
    c->bytes += bytes;
    for (uint32_t i = 0; i < to->members; i++)
        fs_noc_way_of(g, s->of.channels, from, to->node[i], 0, s->through, 1);
    for (size_t l = 0; l < links + g->ends; l++) {
        c->hops += l < links && s->through[l] > 0;
        c->link[l] += s->through[l] > 0 ? (double)bytes : 0;
        s->through[l] = 0;
    }
}

fs_spots_load fs_spots_load_of(const fs_spots *s, uint32_t number) {
    fs_spots_load sum = {.link = FS_NOC_NONE};
    double most = 0, port = 0;
    for (uint32_t p = 0; p < s->chips * s->of.planes; p++) {
        const carried *c = &s->carried[p];
        if (number != UINT32_MAX && p % s->of.planes != number)
            continue;
        sum.transfers += c->transfers;
        sum.packets += c->packets;
        sum.bytes += c->bytes;
        sum.hops += c->hops;
        sum.local += c->local;
        for (uint32_t l = 0; c->link != NULL && l < s->of.graph[0]->links; l++)
            if (c->link[l] > most) {
                most = c->link[l];
                sum.link = l;
                sum.plane = p;
            }
        for (uint32_t e = 0; c->link != NULL && e < s->of.graph[0]->ends; e++)
            port = fmax(port, c->link[s->of.graph[0]->links + e]);
    }
    sum.port = (uint64_t)(port + 0.5);
    sum.busiest = (uint64_t)(most + 0.5);
    return sum;
}
