/* Mesh, ruche and torus of any number of dimensions: dimension order. */
#include "models/noc/topology/topology.h"

#include <string.h>

enum { MOST_DIMENSIONS = 6 };

typedef struct shape {
    uint32_t dimensions, express;
    int one_way;
    uint32_t size[MOST_DIMENSIONS];
    const uint16_t *at;   /* [routers][dimensions] */
    const uint8_t *ports; /* [routers][dimensions][2] out of a router: downwards, upwards */
    const uint8_t *far;   /* [routers][2] of express links */
} shape;

fs_status fs_noc_product(const char *kind, fs_noc_sizes size, uint32_t least, uint32_t most,
                         uint32_t *product, fs_error *err) {
    uint64_t n = 1;
    if (size.count < least || size.count > most)
        return fs_fail(err, FS_INPUT, "%s: expected %u to %u sizes, found %u", kind, least, most, size.count);
    for (uint32_t i = 0; i < size.count; i++) {
        if (size.of[i] == 0)
            return fs_fail(err, FS_INPUT, "%s: size %u is 0, at least 1 is allowed", kind, i + 1);
        n *= size.of[i];
        if (n > FS_NOC_MOST_ROUTERS)
            return fs_fail(err, FS_INPUT, "%s: expected at most %d routers, found more", kind,
                           FS_NOC_MOST_ROUTERS);
    }
    *product = (uint32_t)n;
    return FS_OK;
}

/* Down or up the dimension d: the port, of an express link where the way is long enough. */
static uint32_t port_of(const shape *s, uint32_t router, uint32_t d, bool up, uint32_t distance) {
    if (d == 0 && s->express > 0 && distance >= s->express && s->far[2 * router + up] != 0xff)
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
                   *there = s->at + (size_t)graph->end[header->dst].router * s->dimensions;
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
                   *there = s->at + (size_t)graph->end[header->dst].router * s->dimensions;
    uint32_t d = 0;
    while (d < s->dimensions && here[d] == there[d])
        d++;
    if (d == s->dimensions)
        return leave(graph, header->dst, channels);
    uint32_t up, class;
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

/* Joins a router to the one `by` places up the dimension; ring: the end to the beginning, too. Both directions,
 * or the one that one_way names; their out-ports are noted in `ports`, [routers] x 2 x `every` from `first` on. */
static void join(fs_noc_plan *plan, const shape *s, const uint32_t r, uint32_t to, fs_noc_wires wires,
                 uint32_t by, uint8_t *up, uint8_t *down, uint8_t *used) {
    if (s->one_way >= 0) {
        fs_noc_plan_link(plan, r, to, wires.latency, wires.pitch * by);
        *up = used[r]++;
    }
    if (s->one_way <= 0) {
        fs_noc_plan_link(plan, to, r, wires.latency, wires.pitch * by);
        *down = used[to]++;
    }
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

static fs_noc_graph *grid(fs_arena *arena, const char *kind, fs_noc_sizes size, fs_noc_wires wires, bool ring,
                          int one_way, uint32_t express, fs_error *err) {
    uint32_t routers = 0;
    if (fs_noc_product(kind, size, 1, MOST_DIMENSIONS, &routers, err))
        return NULL;
    shape *s = fs_arena_alloc(arena, 1, sizeof *s);
    *s = (shape){.dimensions = size.count, .express = express, .one_way = one_way};
    memcpy(s->size, size.of, size.count * sizeof *size.of);
    uint16_t *at = fs_arena_alloc(arena, (size_t)routers * size.count, sizeof *at);
    uint8_t *ports = fs_arena_alloc(arena, (size_t)routers * size.count * 2, 1);
    uint8_t *far = fs_arena_alloc(arena, (size_t)routers * 2, 1), *used = fs_arena_alloc(arena, routers, 1);
    memset(ports, 0xff, (size_t)routers * size.count * 2);
    memset(far, 0xff, (size_t)routers * 2);
    memset(used, 0, routers);
    fs_noc_plan *plan = fs_noc_plan_begin(arena, kind, routers);
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t d = 0; d < size.count; d++)
            at[r * size.count + d] = (uint16_t)(r / stride(s, d) % size.of[d]);
    for (uint32_t r = 0; r < routers; r++)
        for (uint32_t d = 0; d < size.count; d++) {
            const uint32_t x = at[r * size.count + d], k = size.of[d], step = stride(s, d);
            if (x + 1 < k || (ring && k > 1)) {
                const uint32_t to = x + 1 < k ? r + step : r - (k - 1) * step;
                join(plan, s, r, to, wires, 1, &ports[2 * (r * size.count + d) + 1],
                     &ports[2 * (to * size.count + d)], used);
            }
            if (d == 0 && express > 0 && x + express < k)
                join(plan, s, r, r + express, wires, express, &far[2 * r + 1], &far[2 * (r + express)], used);
        }
    for (uint32_t r = 0; r < routers; r++) {
        fs_noc_plan_end(plan, r, 1);
        place(plan, s, r, at + (size_t)r * size.count);
    }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    s->at = at;
    s->ports = ports;
    s->far = far;
    g->rule = ring ? by_torus : by_mesh;
    g->shape = s;
    g->classes = ring ? 2 : 1;
    g->states = ring ? (size.count + 1) << 2 : 1;
    g->why = ring ? "a ring needs 2 classes of channels, one for packets that cross its last link" : "";
    return g;
}

fs_noc_graph *fs_noc_mesh(fs_arena *arena, fs_noc_sizes size, fs_noc_wires wires, uint32_t express,
                          fs_error *err) {
    return grid(arena, express > 0 ? "ruche" : "mesh", size, wires, false, 0, express, err);
}

fs_noc_graph *fs_noc_torus(fs_arena *arena, fs_noc_sizes size, fs_noc_wires wires, int one_way,
                           fs_error *err) {
    return grid(arena, "torus", size, wires, true, one_way, 0, err);
}
