/* A flattened butterfly of two dimensions: every router is joined to all of its row and of its column, and has a
 * block of end points around it. */
#include "models/noc/topology/topology.h"

typedef struct shape {
    uint32_t x, y;
    const uint8_t *row, *column; /* [routers][x], [routers][y] out-ports */
} shape;

static fs_noc_hop by_row(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                         fs_noc_header *header) {
    const shape *s = graph->shape;
    const uint32_t there = graph->end[header->dst].router;
    if (there == router)
        return fs_noc_any(graph->end[header->dst].out_port, channels);
    if (there % s->x != router % s->x)
        return fs_noc_any(s->row[router * s->x + there % s->x], channels);
    return fs_noc_any(s->column[router * s->y + there / s->x], channels);
}

/* Places beyond the first beside a router in the middle of a block of so many. */
static uint32_t beyond(uint32_t i, uint32_t of) {
    const uint32_t half = of / 2;
    const uint32_t away = of % 2 == 1 ? (i > half ? i - half : half - i) : i < half ? half - i : i - half + 1;
    return away > 1 ? away - 1 : 0;
}

/* End points of a router along either axis. */
static uint32_t side_of(const fs_noc_options *o) {
    uint32_t side = 1;
    while (side * side < o->concentration)
        side++;
    return side;
}

static fs_status check(const fs_noc_options *o, uint32_t *routers, fs_error *err) {
    const uint64_t side = side_of(o), each = side * side;
    if (each != (uint64_t)o->concentration)
        return fs_fail(err, FS_INPUT,
                       "machine.exchange.noc.concentration: expected a square number, found %lld",
                       (long long)o->concentration);
    if (fs_noc_product("flattened_butterfly", o, routers, err))
        return err->status;
    const uint64_t ports = (uint64_t)o->size.item[0] - 1 + (uint64_t)o->size.item[1] - 1 + each;
    if (ports > FS_NOC_MOST_PORTS)
        return fs_fail(
            err, FS_INPUT,
            "flattened_butterfly: a router has %llu ports, to all of its row and column and to its end "
            "points; at most %d are allowed",
            (unsigned long long)ports, FS_NOC_MOST_PORTS);
    return FS_OK;
}

/* Both directions are links of their routers: this one's to the other `away` routers along an axis. */
static uint8_t join(fs_noc_plan *plan, const fs_noc_options *o, uint32_t from, uint32_t to, uint32_t away) {
    const uint32_t places = side_of(o) * away;
    return fs_noc_plan_link(plan, from, to, fs_noc_link_cycles(o, 1) * places, (uint32_t)o->pitch * places);
}

static fs_noc_graph *make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    uint32_t routers = 0;
    if (check(o, &routers, err))
        return NULL;
    const uint32_t x = (uint32_t)o->size.item[0], y = (uint32_t)o->size.item[1], c = side_of(o);
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "flattened_butterfly", routers);
    uint8_t *row = FS_NEW(arena, uint8_t, (size_t)routers * x),
            *column = FS_NEW(arena, uint8_t, (size_t)routers * y);
    for (uint32_t e = 0; e < routers * c * c; e++) {
        const uint32_t ex = e % (x * c), ey = e / (x * c);
        fs_noc_plan_end(plan, ey / c * x + ex / c, 1 + beyond(ex % c, c) + beyond(ey % c, c));
    }
    for (uint32_t r = 0; r < routers; r++) {
        const uint32_t at_x = r % x, at_y = r / x;
        fs_noc_plan_place(plan, r, at_x * c, at_y * c);
        for (uint32_t i = 0; i < x; i++)
            if (i != at_x)
                row[r * x + i] = join(plan, o, r, r - at_x + i, i > at_x ? i - at_x : at_x - i);
        for (uint32_t j = 0; j < y; j++)
            if (j != at_y)
                column[r * y + j] = join(plan, o, r, j * x + at_x, j > at_y ? j - at_y : at_y - j);
    }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    shape *s = FS_NEW(arena, shape, 1);
    *s = (shape){.x = x, .y = y, .row = row, .column = column};
    g->rule = by_row;
    g->shape = s;
    return g;
}

/* The place of an end point among all in x, in y. */
static uint32_t digit(const fs_noc_options *o, uint32_t d) {
    return d < o->size.count ? (uint32_t)o->size.item[d] * side_of(o) : 0;
}

const fs_noc_kind fs_noc_flattened_butterfly = {
    .make = make, .sizes = "routers in x and in y, such as [4, 4]", .least = 2, .most = 2, .digit = digit};
