/* A flattened butterfly of two dimensions: every router is joined to all of its row and of its column, and has a
 * block of end points around it. */
#include "models/noc/topology/topology.h"

#include <stdlib.h>
#include <string.h>

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

fs_noc_graph *fs_noc_flattened_butterfly(fs_arena *arena, fs_noc_sizes size, fs_noc_wires wires,
                                         fs_error *err) {
    uint32_t ends = 0;
    if (fs_noc_product("flattened_butterfly", size, 4, 4, &ends, err))
        return NULL;
    const uint32_t x = size.of[0], y = size.of[1], cx = size.of[2], cy = size.of[3], routers = x * y;
    FS_ASSERT(x > 0 && y > 0 && cx > 0 && cy > 0, "a flattened butterfly of no routers");
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "flattened_butterfly", routers);
    uint8_t *row = fs_arena_alloc(arena, (size_t)routers * x, 1),
            *column = fs_arena_alloc(arena, (size_t)routers * y, 1);
    uint8_t *used = fs_arena_alloc(arena, routers, 1);
    memset(used, (int)(cx * cy), routers);
    for (uint32_t e = 0; e < ends; e++) {
        const uint32_t ex = e % (x * cx), ey = e / (x * cx);
        fs_noc_plan_end(plan, ey / cy * x + ex / cx, 1 + beyond(ex % cx, cx) + beyond(ey % cy, cy));
    }
    for (uint32_t r = 0; r < routers; r++) {
        const uint32_t at_x = r % x * cx, at_y = r / x * cy;
        fs_noc_plan_place(plan, r, at_x, at_y);
        for (uint32_t i = 0; i < x; i++)
            if (i != r % x) {
                const uint32_t places = cx * (uint32_t)abs((int)i - (int)(r % x));
                fs_noc_plan_link(plan, r, r - r % x + i, wires.latency * places, wires.pitch * places);
                row[r * x + i] = used[r]++;
            }
        for (uint32_t j = 0; j < y; j++)
            if (j != r / x) {
                const uint32_t places = cy * (uint32_t)abs((int)j - (int)(r / x));
                fs_noc_plan_link(plan, r, j * x + r % x, wires.latency * places, wires.pitch * places);
                column[r * y + j] = used[r]++;
            }
    }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    shape *s = fs_arena_alloc(arena, 1, sizeof *s);
    *s = (shape){.x = x, .y = y, .row = row, .column = column};
    g->rule = by_row;
    g->shape = s;
    return g;
}
