/* A k-ary n-tree: arity^levels end points under routers that all have `arity` ports down and as many up. Packets go up
 * by the hash of packet and level, down by the destination. */
#include "models/noc/topology/topology.h"

typedef struct shape {
    uint32_t arity, levels, row; /* routers a level */
    const uint8_t *down, *up;    /* [routers][arity] out-ports */
    const uint32_t *span;        /* [levels + 1] end points under a router of a level, the top one first */
} shape;

static fs_noc_hop by_ancestor(const fs_noc_graph *graph, uint32_t router, uint32_t channels,
                              fs_noc_header *header) {
    const shape *s = graph->shape;
    const uint32_t level = router / s->row, place = router % s->row;
    const uint32_t span = s->span[level], first = place / (span / s->arity) * span;
    if (header->dst < first || header->dst >= first + span)
        return fs_noc_any(s->up[router * s->arity + fs_noc_toss(header, level, s->arity)], channels);
    if (level == s->levels - 1)
        return fs_noc_any(graph->end[header->dst].out_port, channels);
    return fs_noc_any(s->down[router * s->arity + (header->dst - first) / s->span[level + 1]], channels);
}

/* End points under a router of each level, the top one first; 1 under the lowest one's ports. */
static uint32_t *spans(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    const uint32_t k = (uint32_t)o->size.item[0], n = (uint32_t)o->size.item[1];
    if (k < 2 || 2 * k > FS_NOC_MOST_PORTS)
        return FS_FAIL_NULL(err, FS_INPUT, "fat_tree: expected an arity of 2 to %d, found %u",
                            FS_NOC_MOST_PORTS / 2, k);
    uint64_t ends = 1;
    for (uint32_t level = 0; level < n && ends <= FS_NOC_MOST_ROUTERS; level++)
        ends *= k;
    if (ends > FS_NOC_MOST_ROUTERS || n * (ends / k) > FS_NOC_MOST_ROUTERS)
        return FS_FAIL_NULL(err, FS_INPUT, "fat_tree: expected at most %d end points and routers, found more",
                            FS_NOC_MOST_ROUTERS);
    uint32_t *span = FS_NEW(arena, uint32_t, (size_t)n + 1);
    span[n] = 1;
    for (uint32_t level = n; level > 0; level--)
        span[level - 1] = span[level] * k;
    return span;
}

static fs_noc_graph *make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    const uint32_t *span = spans(arena, o, err);
    if (span == NULL)
        return NULL;
    const uint32_t k = (uint32_t)o->size.item[0], n = (uint32_t)o->size.item[1];
    const uint32_t row = span[1], routers = n * row, cycles = fs_noc_link_cycles(o, 1);
    fs_noc_plan *plan = fs_noc_plan_begin(arena, "fat_tree", routers);
    uint8_t *down = FS_NEW(arena, uint8_t, (size_t)routers * k),
            *up = FS_NEW(arena, uint8_t, (size_t)routers * k);
    for (uint32_t e = 0; e < span[0]; e++)
        fs_noc_plan_end(plan, (n - 1) * row + e / k, 1);
    for (uint32_t r = 0; r < routers; r++) {
        const uint32_t below = n - 1 - r / row;
        fs_noc_plan_place(plan, r, r % row, below * ((double)row / 8 + 1));
    }
    /* The parents of a router are those above it whose place agrees but for the digit of the level. A wire goes
     * half the width of what the parent spans. */
    for (uint32_t level = 0; level + 1 < n; level++)
        for (uint32_t place = 0; place < row; place++)
            for (uint32_t port = 0; port < k; port++) {
                const uint32_t narrow = span[level + 1] >= k ? span[level + 1] / k : 1, wide = narrow * k,
                               base = place / wide * wide;
                const uint32_t parent = level * row + place, inner = place % narrow;
                const uint32_t child = (level + 1) * row + base + port * narrow + inner;
                const uint32_t length = (uint32_t)o->pitch * (span[level] / 2 > 0 ? span[level] / 2 : 1);
                down[parent * k + port] = fs_noc_plan_link(plan, parent, child, cycles, length);
                up[child * k + place % wide / narrow] = fs_noc_plan_link(plan, child, parent, cycles, length);
            }
    fs_noc_graph *g = fs_noc_plan_done(plan, err);
    if (g == NULL)
        return NULL;
    shape *s = fs_arena_alloc(arena, 1, sizeof *s);
    *s = (shape){.arity = k, .levels = n, .row = row, .down = down, .up = up, .span = span};
    g->rule = by_ancestor;
    g->shape = s;
    return g;
}

/* The branch at each level. */
static uint32_t digit(const fs_noc_options *o, uint32_t d) {
    return d < o->size.item[1] ? (uint32_t)o->size.item[0] : 0;
}

const fs_noc_kind fs_noc_fat_tree = {
    .make = make, .sizes = "[arity, levels], at least [2, 1]", .least = 2, .most = 2, .digit = digit};
