/* Mesh, ruche (a mesh with express links along its first dimension) and torus of up to six dimensions; one end point a
 * router. Packets go in the order of the dimensions, the first one first; of a torus that is a second plane the last first. The class of a ring's channels is chosen
 * where a packet turns into it: crossing the last link or not; of rings of one way it changes behind that link. */
#include "models/noc/topology/topology.h"

#include <string.h>

enum { MOST_DIMENSIONS = 6, NO_PORT = 0xff };

typedef struct shape {
    uint32_t dimensions, routers, express, cycles; /* cycles: of a link */
    int one_way;
    bool last_first; /* packets pass the last dimension first */
    uint32_t size[MOST_DIMENSIONS];
    const uint16_t *at;   /* [routers][dimensions] */
    const uint8_t *ports; /* [routers][dimensions][2] out of a router: downwards, upwards */
    const uint8_t *far;   /* [routers][2] of express links */
} shape;

fs_status fs_noc_product(const char *kind, const fs_noc_options *o, uint32_t *product, fs_error *err) {
    uint64_t n = 1;
    for (size_t i = 0; i < o->size.count; i++) {
        n *= (uint64_t)o->size.item[i];
        if (n > FS_NOC_MOST_ROUTERS)
            return fs_fail(err, FS_INPUT, "%s: expected at most %d routers, found more", kind,
                           FS_NOC_MOST_ROUTERS);
    }
    *product = (uint32_t)n;
    return FS_OK;
}

/* Down or up the dimension d: the port, of an express link where the way is long enough. */
static uint32_t port_of(const shape *s, uint32_t router, uint32_t d, bool up, uint32_t distance) {
    if (d == 0 && s->express > 0 && distance >= s->express && s->far[2 * router + up] != NO_PORT)
        return s->far[2 * router + up];
    return s->ports[2 * (router * s->dimensions + d) + up];
}

static fs_noc_hop leave(const fs_noc_graph *graph, uint32_t dst, uint32_t channels) {
    return fs_noc_any(graph->end[dst].out_port, channels);
}

static fs_noc_hop by_mesh(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                          fs_noc_header *header) {
    const shape *s = graph->shape;
    const uint16_t *here = s->at + (size_t)router * s->dimensions,
                   *there = s->at + (size_t)header->dst *
                                        s->dimensions; /* end points are numbered as their routers */
    for (uint32_t d = 0; d < s->dimensions; d++)
        if (here[d] != there[d]) {
            const bool up = there[d] > here[d];
            return fs_noc_any(
                port_of(s, router, d, up, (uint32_t)(up ? there[d] - here[d] : here[d] - there[d])),
                channels);
        }
    return leave(graph, header->dst, channels);
}

/* The class of a ring's channels: with two ways that of the whole turn, crossing the last link or not; with one
 * way that of the hop, the second one from the crossing on. state: dimension + 1, upwards, class. */
static fs_noc_hop by_torus(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                           fs_noc_header *header) {
    const shape *s = graph->shape;
    const uint16_t *here = s->at + (size_t)router * s->dimensions,
                   *there = s->at + (size_t)header->dst * s->dimensions;
    uint32_t d = s->dimensions, up, class;
    for (uint32_t i = 0; i < s->dimensions && d == s->dimensions; i++) {
        const uint32_t next = s->last_first ? s->dimensions - 1 - i : i;
        d = here[next] != there[next] ? next : d;
    }
    if (d == s->dimensions)
        return leave(graph, header->dst, channels);
    if (header->state >> 2 == d + 1) {
        up = header->state >> 1 & 1;
        class = header->state & 1;
    } else {
        const uint32_t k = s->size[d], ahead = (there[d] + k - here[d]) % k;
        up = s->one_way != 0 ? s->one_way > 0 : 2 * ahead == k ? fs_noc_toss(header, d, 2) : 2 * ahead < k;
        class = s->one_way == 0 && (up ? there[d] < here[d] : there[d] > here[d]);
    }
    if (s->one_way != 0 && here[d] == (up ? s->size[d] - 1 : 0))
        class = 1;
    header->state = (d + 1) << 2 | up << 1 | class;
    const uint32_t half = channels / 2;
    if (half == 0) /* of a network that is refused */
        return fs_noc_any(s->ports[2 * (router * s->dimensions + d) + up], channels);
    return (fs_noc_hop){.port = s->ports[2 * (router * s->dimensions + d) + up],
                        .first = (uint8_t)(class ? half : 0),
                        .count = (uint8_t)(class ? channels - half : half)};
}

static uint32_t stride(const shape *s, uint32_t d) {
    uint32_t step = 1;
    for (uint32_t i = 0; i < d; i++)
        step *= s->size[i];
    FS_ASSERT(step > 0, "a dimension of no routers");
    return step;
}

/* Joins a router to the one `by` places up its dimension: both directions, or the one that one_way names. Their
 * out-ports: up that of `r`, down that of `to`. */
static void join(fs_noc_plan *plan, const shape *s, uint32_t r, uint32_t to, const fs_noc_options *o,
                 uint32_t by, uint8_t *up, uint8_t *down) {
    const uint32_t length = (uint32_t)o->pitch * by;
    if (s->one_way >= 0)
        *up = fs_noc_plan_link(plan, r, to, s->cycles, length);
    if (s->one_way <= 0)
        *down = fs_noc_plan_link(plan, to, r, s->cycles, length);
}

/* Dimensions lie along x and y in turn: a third one repeats the grid of the first two beside it. */
static void place(fs_noc_plan *plan, const shape *s, uint32_t r, const uint16_t *at) {
    double where[2] = {0, 0}, step[2] = {1, 1};
    for (uint32_t d = 0; d < s->dimensions; d++) {
        where[d % 2] += at[d] * step[d % 2];
        step[d % 2] *= s->size[d] + 1;
    }
    fs_noc_plan_place(plan, r, where[0], where[1]);
}

/* Links of all routers, and their ports. */
static void join_all(fs_noc_plan *plan, const shape *s, const fs_noc_options *o, bool ring, uint8_t *ports,
                     uint8_t *far) {
    const uint32_t dimensions = s->dimensions;
    for (uint32_t r = 0; r < s->routers; r++)
        for (uint32_t d = 0; d < dimensions; d++) {
            const uint32_t x = s->at[r * dimensions + d], k = s->size[d], step = stride(s, d);
            if (x + 1 < k || (ring && k > 1)) {
                const uint32_t to = x + 1 < k ? r + step : r - (k - 1) * step;
                join(plan, s, r, to, o, 1, &ports[2 * (r * dimensions + d) + 1],
                     &ports[2 * (to * dimensions + d)]);
            }
            if (d == 0 && s->express > 0 && x + s->express < k)
                join(plan, s, r, r + s->express, o, s->express, &far[2 * r + 1], &far[2 * (r + s->express)]);
        }
}

/* one_way: links in the direction +1 or -1 alone; express: routers that a long link passes, 0: none. */
static fs_noc_graph *grid(fs_arena *arena, const fs_noc_options *o, bool ring, int one_way, uint32_t express,
                          fs_error *err) {
    const char *kind = fs_noc_topologies[o->topology];
    const uint32_t dimensions = (uint32_t)o->size.count;
    uint32_t routers = 0;
    if (fs_noc_product(kind, o, &routers, err))
        return NULL;
    shape *s = FS_NEW(arena, shape, 1);
    *s = (shape){.dimensions = dimensions,
                 .routers = routers,
                 .express = express,
                 .cycles = fs_noc_link_cycles(o, ring && one_way == 0 ? 2 : 1),
                 .one_way = one_way,
                 .last_first = o->last_first};
    for (uint32_t d = 0; d < dimensions; d++)
        s->size[d] = (uint32_t)o->size.item[d];
    uint16_t *at = FS_NEW(arena, uint16_t, (size_t)routers * dimensions);
    uint8_t *ports = FS_NEW(arena, uint8_t, (size_t)routers * dimensions * 2);
    uint8_t *far = FS_NEW(arena, uint8_t, (size_t)routers * 2);
    memset(ports, NO_PORT, (size_t)routers * dimensions * 2);
    memset(far, NO_PORT, (size_t)routers * 2);
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t d = 0; d < dimensions; d++)
            at[r * dimensions + d] = (uint16_t)(r / stride(s, d) % s->size[d]);
    s->at = at;
    s->ports = ports;
    s->far = far;
    fs_noc_plan *plan = fs_noc_plan_begin(arena, kind, routers);
    join_all(plan, s, o, ring, ports, far);
    for (uint32_t r = 0; r < routers; r++) {
        fs_noc_plan_end(plan, r, 1);
        place(plan, s, r, at + (size_t)r * dimensions);
    }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    g->rule = ring ? by_torus : by_mesh;
    g->shape = s;
    g->states = ring ? (dimensions + 1) << 2 : 1;
    g->classes = ring ? 2 : 1;
    g->why = ring ? "a ring needs 2 classes of channels, one for packets that cross its last link" : "";
    return g;
}

static fs_noc_graph *make_mesh(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    return grid(arena, o, false, 0, 0, err);
}

static fs_noc_graph *make_ruche(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    return grid(arena, o, false, 0, (uint32_t)o->express, err);
}

static fs_noc_graph *make_torus(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    static const int ways[] = {[FS_NOC_BOTH_WAYS] = 0, [FS_NOC_UPWARDS] = 1, [FS_NOC_DOWNWARDS] = -1};
    return grid(arena, o, true, ways[o->way], 0, err);
}

static uint32_t digit(const fs_noc_options *o, uint32_t d) {
    return d < o->size.count ? (uint32_t)o->size.item[d] : 0;
}

#define GRID(MAKE)                                                                                           \
    {                                                                                                        \
        .make = (MAKE), .sizes = "routers in each of 1 to 6 dimensions, such as [8, 8]", .least = 1,         \
        .most = MOST_DIMENSIONS, .digit = digit, .grid = true                                                \
    }
const fs_noc_kind fs_noc_mesh = GRID(make_mesh), fs_noc_ruche = GRID(make_ruche),
                  fs_noc_torus = GRID(make_torus);
