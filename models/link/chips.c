/* Routes between chips and the bytes on their edges. */
#include "models/link/chips.h"

#include "sim/base/arith.h"
#include "sim/base/error.h"

#include <inttypes.h>
#include <math.h>

const char *const fs_chips_kinds[] = {
    [FS_CHIPS_APART] = "apart", [FS_CHIPS_LADDER] = "ladder", [FS_CHIPS_PAIRS] = "pairs",
    [FS_CHIPS_RING] = "ring",   [FS_CHIPS_ALL] = "all",       NULL};

/* Edges of a chip by what they are for; of kind all one for each other chip. */
enum { LADDER_INTRA, LADDER_RUNG, LADDER_UP, LADDER_DOWN, LADDER_EDGES };
enum { RING_NEXT, RING_BEFORE, RING_EDGES };
enum { MOST_KINDS = LADDER_EDGES };

typedef struct shape {
    uint32_t edges; /* kinds of them */
    const char *name[MOST_KINDS];
    int64_t links[MOST_KINDS]; /* where none are given */
} shape;

static const shape shapes[] = {
    [FS_CHIPS_LADDER] = {LADDER_EDGES, {"partner", "across", "up", "down"}, {4, 2, 2, 2}},
    [FS_CHIPS_PAIRS] = {1, {"partner"}, {FS_CHIPS_LINKS}},
    [FS_CHIPS_RING] = {RING_EDGES, {"next", "before"}, {5, 5}},
    [FS_CHIPS_ALL] = {1, {"direct"}, {0}},
};

struct fs_chips {
    const fs_chips_params *params;
    uint32_t chips, edges, diameter;
    double clock;
    fs_chips_edge *edge; /* [edges] by chip, then kind */
    uint32_t *way_start; /* [chips^2 + 1] of the route from a to b: way[way_start[a chips + b]] ... */
    uint32_t *way;       /* edges */
    bool *joined;        /* [chips^2] */
    fs_chips_use *use;   /* [edges] */
    uint64_t *bytes;     /* [edges] of the phase */
    uint32_t farthest;   /* hops of a message of the phase */
};

const char *fs_chips_wrong(const fs_chips_params *p, uint32_t chips, fs_arena *arena, const char **key) {
    if (chips < 2)
        return NULL;
    *key = "kind";
    if (p->kind == FS_CHIPS_APART)
        return "the tiles of several chips send to each other; expected ladder, pairs, ring or all, found "
               "apart";
    const shape *s = &shapes[p->kind];
    if ((p->kind == FS_CHIPS_LADDER || p->kind == FS_CHIPS_PAIRS) && chips % 2 != 0)
        return fs_arena_printf(
            arena, "%s joins pairs of chips; expected an even number in machine.chips, found %" PRIu32,
            fs_chips_kinds[p->kind], chips);
    *key = "links";
    if (p->links_given && p->links.count != s->edges)
        return fs_arena_printf(
            arena, "%s has %" PRIu32 " %s of edges at a chip; expected as many numbers, found %zu",
            fs_chips_kinds[p->kind], s->edges, s->edges == 1 ? "kind" : "kinds", p->links.count);
    return NULL;
}

static uint32_t links_of(const fs_chips *f, uint32_t kind) {
    const fs_chips_params *p = f->params;
    if (p->links_given)
        return (uint32_t)p->links.item[kind];
    if (p->kind == FS_CHIPS_ALL && f->chips > 1)
        return f->chips > FS_CHIPS_LINKS + 1 ? 1 : FS_CHIPS_LINKS / (f->chips - 1);
    return (uint32_t)shapes[p->kind].links[kind];
}

/* ---- routes ---- */

/* The next edge on the way: its kind, and the chip that it leads to. */
typedef struct hop {
    uint32_t kind, to;
} hop;

static hop ladder_hop(uint32_t at, uint32_t from, uint32_t to) {
    if (from / 2 == to / 2)
        return (hop){LADDER_INTRA, to};
    if (at % 2 != to % 2)
        return (hop){LADDER_RUNG, at ^ 1};
    return at < to ? (hop){LADDER_UP, at + 2} : (hop){LADDER_DOWN, at - 2};
}

static hop ring_hop(uint32_t chips, uint32_t at, uint32_t to) {
    const uint32_t ahead = (to + chips - at) % chips;
    return 2 * ahead <= chips ? (hop){RING_NEXT, (at + 1) % chips}
                              : (hop){RING_BEFORE, (at + chips - 1) % chips};
}

static hop hop_of(const fs_chips *f, uint32_t at, uint32_t from, uint32_t to) {
    if (f->params->kind == FS_CHIPS_LADDER)
        return ladder_hop(at, from, to);
    if (f->params->kind == FS_CHIPS_RING)
        return ring_hop(f->chips, at, to);
    return (hop){0, to};
}

static bool has_route(const fs_chips *f, uint32_t from, uint32_t to) {
    return f->params->kind != FS_CHIPS_PAIRS || from / 2 == to / 2;
}

/* The edge from a chip by its place in a table of all that could be; kind all: one for each goal. */
static size_t place_of(const fs_chips *f, uint32_t at, hop h) {
    return f->params->kind == FS_CHIPS_ALL ? (size_t)at * f->chips + h.to : (size_t)at * MOST_KINDS + h.kind;
}

/* Walks all routes: marks the edges that they use, or with their numbers in `number` lists them. */
static void walk(fs_chips *f, uint32_t *number, hop *mark, bool list) {
    uint32_t ways = 0;
    for (uint32_t a = 0; a < f->chips; a++)
        for (uint32_t b = 0; b < f->chips; b++) {
            const uint32_t pair = a * f->chips + b, first = ways;
            for (uint32_t at = a; has_route(f, a, b) && at != b; ways++) {
                const hop h = hop_of(f, at, a, b);
                const size_t place = place_of(f, at, h);
                if (list)
                    f->way[ways] = number[place];
                number[place] = list ? number[place] : 1;
                mark[place] = h;
                at = h.to;
            }
            f->way_start[pair + 1] = ways;
            f->joined[pair] = has_route(f, a, b);
            f->diameter = ways - first > f->diameter ? ways - first : f->diameter;
        }
}

fs_chips *fs_chips_create(fs_arena *arena, const fs_chips_params *params, uint32_t chips, double clock) {
    fs_chips *f = FS_NEW(arena, fs_chips, 1);
    const size_t width = params->kind == FS_CHIPS_ALL ? chips : MOST_KINDS;
    *f = (fs_chips){.params = params, .chips = chips, .clock = clock};
    f->way_start = FS_NEW(arena, uint32_t, (size_t)chips * chips + 1);
    f->joined = FS_NEW(arena, bool, (size_t)chips *chips);
    uint32_t *number = FS_NEW(arena, uint32_t, chips * width);
    hop *mark = FS_NEW(arena, hop, chips * width);
    walk(f, number, mark, false);
    f->edge = FS_NEW(arena, fs_chips_edge, chips * width);
    for (size_t i = 0; i < chips * width; i++)
        if (number[i] > 0) {
            number[i] = f->edges;
            f->edge[f->edges++] = (fs_chips_edge){.from = (uint32_t)(i / width),
                                                  .to = mark[i].to,
                                                  .links = links_of(f, mark[i].kind),
                                                  .name = shapes[params->kind].name[mark[i].kind]};
        }
    f->way = FS_NEW(arena, uint32_t, f->way_start[(size_t)chips * chips] + 1);
    walk(f, number, mark, true);
    f->use = FS_NEW(arena, fs_chips_use, f->edges + 1);
    f->bytes = FS_NEW(arena, uint64_t, f->edges + 1);
    return f;
}

uint32_t fs_chips_count(const fs_chips *f) {
    return f->chips;
}

uint32_t fs_chips_edges(const fs_chips *f) {
    return f->edges;
}

fs_chips_edge fs_chips_edge_of(const fs_chips *f, uint32_t edge) {
    return f->edge[edge];
}

uint32_t fs_chips_route(const fs_chips *f, uint32_t from, uint32_t to, const uint32_t **edges) {
    const uint32_t pair = from * f->chips + to;
    *edges = f->way + f->way_start[pair];
    return f->joined[pair] ? f->way_start[pair + 1] - f->way_start[pair] : UINT32_MAX;
}

/* Whole cycles; what a product of rows is too much by is none. */
static uint64_t cycles_of(const fs_chips *f, double seconds) {
    return (uint64_t)ceil(seconds * f->clock * (1 - 1e-12));
}

uint64_t fs_chips_sync(const fs_chips *f) {
    const uint32_t hops = f->params->kind == FS_CHIPS_LADDER ? 1 + f->chips / 2 / 2 : f->diameter;
    return cycles_of(f, 2 * f->params->sync * hops);
}

/* ---- a phase ---- */

void fs_chips_begin(fs_chips *f) {
    for (uint32_t e = 0; e < f->edges; e++)
        f->bytes[e] = 0;
    f->farthest = 0;
}

void fs_chips_send(fs_chips *f, uint32_t from, uint32_t to, uint64_t bytes) {
    const uint32_t *edge;
    const uint32_t hops = fs_chips_route(f, from, to, &edge);
    FS_ASSERT(hops != UINT32_MAX, "no route from chip %u to %u", from, to);
    for (uint32_t i = 0; i < hops; i++)
        f->bytes[edge[i]] += bytes;
    if (bytes > 0 && hops > f->farthest)
        f->farthest = hops;
}

uint64_t fs_chips_busy(const fs_chips *f, uint32_t edge) {
    const double rate = f->edge[edge].links * f->params->bandwidth * (f->params->efficiency / 100);
    return cycles_of(f, (double)f->bytes[edge] / rate);
}

uint64_t fs_chips_longest(const fs_chips *f, uint64_t *latency) {
    uint64_t longest = 0;
    for (uint32_t e = 0; e < f->edges; e++)
        longest = fs_most(longest, fs_chips_busy(f, e));
    *latency = cycles_of(f, f->farthest * f->params->latency);
    return longest;
}

uint64_t fs_chips_end(fs_chips *f, uint64_t times) {
    uint64_t bytes = 0;
    for (uint32_t e = 0; e < f->edges; e++) {
        f->use[e].bytes += times * f->bytes[e];
        f->use[e].busy += times * fs_chips_busy(f, e);
        bytes += f->bytes[e];
    }
    return bytes;
}

fs_chips_use fs_chips_use_of(const fs_chips *f, uint32_t edge) {
    return f->use[edge];
}
