/* A dragonfly: groups of routers that are all joined to each other, and every two groups by a link. Packets take the
 * shortest way, over at most three links. */
#include "models/noc/topology/topology.h"

typedef struct shape {
    uint32_t group, groups, far; /* routers of a group; groups; links of a router to other groups */
    const uint8_t *port; /* [routers][group + far] out-ports: to each router of the group, then far ones */
} shape;

/* Link k of a group's leads to the group k + 1 places on. */
static uint32_t link_to(const shape *s, uint32_t from, uint32_t to) {
    return (to + s->groups - from - 1) % s->groups;
}

/* To the router of the group that has the link, over it, to the destination. state: 1 behind that link, where a
 * packet takes the second class of channels. */
static fs_noc_hop by_groups(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                            fs_noc_header *header) {
    const shape *s = graph->shape;
    const uint32_t there = graph->end[header->dst].router, here = router / s->group;
    const uint8_t *port = s->port + (size_t)router * (s->group + s->far);
    if (there == router)
        return fs_noc_any(graph->end[header->dst].out_port, channels);
    uint32_t next = there % s->group;
    if (there / s->group != here) {
        const uint32_t link = link_to(s, here, there / s->group);
        if (link / s->far == router % s->group) {
            header->state = 1;
            return fs_noc_any(port[s->group + link % s->far], channels);
        }
        next = link / s->far;
    }
    const uint32_t half = channels / 2;
    if (half == 0) /* of a network that is refused */
        return fs_noc_any(port[next], channels);
    return (fs_noc_hop){.port = port[next],
                        .first = (uint8_t)(header->state != 0 ? half : 0),
                        .count = (uint8_t)(header->state != 0 ? channels - half : half)};
}

static uint32_t apart(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

/* A link of as many places as its routers lie apart, along rows and columns. */
static uint8_t join(fs_noc_plan *plan, const fs_noc_place *at, uint32_t from, uint32_t to,
                    const fs_noc_options *o) {
    const uint32_t places =
        apart((uint32_t)at[from].x, (uint32_t)at[to].x) + apart((uint32_t)at[from].y, (uint32_t)at[to].y);
    return fs_noc_plan_link(plan, from, to, fs_noc_link_cycles(o, 1) * places, (uint32_t)o->pitch * places);
}

/* Groups stand in a square of squares. */
static fs_noc_place *places(fs_arena *arena, fs_noc_plan *plan, const shape *s) {
    uint32_t side = 1, row = 1;
    while (side * side < s->group)
        side++;
    while (row * row < s->groups)
        row++;
    fs_noc_place *at = fs_arena_alloc(arena, (size_t)s->group * s->groups, sizeof *at);
    for (uint32_t r = 0; r < s->group * s->groups; r++) {
        const uint32_t g = r / s->group, i = r % s->group;
        const uint32_t x = g % row * side + i % side, y = g / row * side + i / side;
        at[r] = (fs_noc_place){x, y};
        fs_noc_plan_place(plan, r, x, y);
    }
    return at;
}

static fs_status check(const fs_noc_options *o, fs_error *err) {
    const uint64_t group = (uint64_t)o->size.item[0], groups = (uint64_t)o->size.item[1],
                   far = (uint64_t)o->size.item[2], each = (uint64_t)o->concentration;
    if (groups < 2)
        return fs_fail(err, FS_INPUT, "dragonfly: expected at least 2 groups, found %llu",
                       (unsigned long long)groups);
    if (group * far + 1 < groups)
        return fs_fail(err, FS_INPUT,
                       "dragonfly: %llu routers of a group with %llu links each to others join %llu groups; "
                       "expected at most so many, found %llu: not every two would be joined",
                       (unsigned long long)group, (unsigned long long)far,
                       (unsigned long long)(group * far + 1), (unsigned long long)groups);
    if (group * groups * each > FS_NOC_MOST_ROUTERS)
        return fs_fail(err, FS_INPUT, "dragonfly: more than %d end points", FS_NOC_MOST_ROUTERS);
    if (group - 1 + far + each > FS_NOC_MOST_PORTS)
        return fs_fail(err, FS_INPUT, "dragonfly: a router has %llu ports, at most %d are allowed",
                       (unsigned long long)(group - 1 + far + each), FS_NOC_MOST_PORTS);
    return FS_OK;
}

static fs_noc_graph *make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    if (check(o, err))
        return NULL;
    shape *s = FS_NEW(arena, shape, 1);
    *s = (shape){.group = (uint32_t)o->size.item[0],
                 .groups = (uint32_t)o->size.item[1],
                 .far = (uint32_t)o->size.item[2]};
    const uint32_t routers = s->group * s->groups, each = (uint32_t)o->concentration, row = s->group + s->far;
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "dragonfly", routers);
    const fs_noc_place *at = places(arena, plan, s);
    uint8_t *port = FS_NEW(arena, uint8_t, (size_t)routers * row);
    for (uint32_t e = 0; e < routers * each; e++)
        fs_noc_plan_end(plan, e / each, 1);
    for (uint32_t r = 0; r < routers; r++) {
        const uint32_t here = r / s->group, i = r % s->group;
        for (uint32_t j = 0; j < s->group; j++)
            if (j != i)
                port[r * row + j] = join(plan, at, r, here * s->group + j, o);
        for (uint32_t k = i * s->far; k < (i + 1) * s->far && k + 1 < s->groups; k++) {
            const uint32_t there = (here + k + 1) % s->groups, back = link_to(s, there, here);
            port[r * row + s->group + k % s->far] = join(plan, at, r, there * s->group + back / s->far, o);
        }
    }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    s->port = port;
    g->rule = by_groups;
    g->shape = s;
    g->states = 2;
    g->classes = 2;
    g->why = "a group's links need 2 classes of channels, one for packets that come from another group";
    return g;
}

const fs_noc_kind fs_noc_dragonfly = {
    .make = make,
    .sizes = "[routers of a group, groups, links of a router to other groups], at least [1, 2, 1]",
    .least = 3,
    .most = 3};
