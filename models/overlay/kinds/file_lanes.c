/* Overlay files: the lanes between their tiles, one by one, in blocks and as grids. */
#include "models/overlay/kinds/file_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* Columns and rows of a grid; no columns: no grid. */
typedef struct extent {
    int64_t columns, rows;
} extent;

typedef struct lane_entry {
    uint32_t *from, from_count, *to, to_count; /* of a grid: from its tiles, row by row */
    int64_t match, share;
    extent grid;
    bool wrap;
} lane_entry;

enum { MATCH_EACH, MATCH_BLOCKS };
static const char *const matches[] = {"each", "blocks", NULL};
enum { LANES = 1, GRID }; /* kinds of entries */

static bool read_extent(const fs_yaml *y, const fs_node *grid, void *self, void *member) {
    const fs_file_text *t = self;
    extent *e = member;
    if (grid->kind != FS_NODE_LIST || grid->count != 2)
        return fs_yaml_wrong(y, grid, "expected columns and rows, [16, 16], found %s",
                             fs_yaml_found(y, grid));
    return fs_yaml_int(y, grid->items[0], FS_UNIT_NONE, 1, t->tiles, &e->columns) &&
           fs_yaml_int(y, grid->items[1], FS_UNIT_NONE, 1, t->tiles, &e->rows);
}

static bool check_entry(const fs_yaml *y, const fs_node *node, void *self, void *item) {
    (void)self;
    const lane_entry *e = item;
    const int64_t all = e->grid.columns * e->grid.rows;
    if (e->grid.columns > 0)
        return all == e->from_count || fs_yaml_wrong(y, fs_tree_get(node, "tiles"),
                                                     "a grid of %" PRId64 " columns and %" PRId64
                                                     " rows has %" PRId64 " tiles, found %" PRIu32,
                                                     e->grid.columns, e->grid.rows, all, e->from_count);
    return e->match != MATCH_BLOCKS || e->from_count % e->to_count == 0 || e->to_count % e->from_count == 0 ||
           fs_yaml_wrong(y, node,
                         "match: blocks gives each tile of the shorter side as many of the longer one; "
                         "%" PRIu32 " and %" PRIu32 " tiles don't divide",
                         e->from_count, e->to_count);
}

/* Each end of a lane gives it room for a ray at least. */
static bool read_entry(fs_file_text *t, const fs_node *node, lane_entry *out) {
    const uint32_t last = t->tiles - 1, ray = t->payload_bytes > 4 ? t->payload_bytes : 4;
#define FS_ROWS_OF lane_entry
    const fs_yaml_row rows[] = {
        FS_YAML_RANGES("from", from, from_count, last, NULL, .of = LANES),
        FS_YAML_RANGES("to", to, to_count, last, NULL, .of = LANES),
        FS_YAML_WORD("match", match, matches, "each", .of = LANES),
        FS_YAML_READ("grid", grid, read_extent, FS_YAML_MAY),
        FS_YAML_RANGES("tiles", from, from_count, last, NULL, .of = GRID),
        FS_YAML_BOOL("wrap", wrap, "false", .of = GRID),
        FS_YAML_INT("share", share, BYTES, ray, 1000000000, FS_YAML_MAY),
    };
    const fs_yaml_shape entry = FS_YAML_SHAPE(rows, sizeof(lane_entry), check_entry);
#undef FS_ROWS_OF
    *out = (lane_entry){0};
    return fs_yaml_fill_as(t->yaml, node, &entry, fs_tree_get(node, "grid") != NULL ? GRID : LANES, t, out);
}

static void add_pair(fs_file_text *t, uint32_t a, uint32_t b, int64_t share) {
    t->pairs = fs_arena_grow(t->arena, t->pairs, t->pair_count, sizeof *t->pairs);
    t->pairs[t->pair_count++] = (fs_file_pair){a, b, (uint32_t)(share / 4 * 4)};
}

/* `joined` holds a bit for each two tiles. */
static bool join(fs_file_text *t, const fs_node *node, uint8_t *joined, uint32_t a, uint32_t b,
                 int64_t share) {
    const uint64_t bit = a < b ? (uint64_t)a * t->tiles + b : (uint64_t)b * t->tiles + a;
    const uint32_t spare = t->role[a] == FS_ROLE_SPARE ? a : b;
    if (a == b)
        fs_yaml_wrong(t->yaml, node, "joins tile %" PRIu32 " to itself", a);
    else if (t->role[spare] == FS_ROLE_SPARE)
        fs_yaml_wrong(t->yaml, node, "tile %" PRIu32 " has no role in tiles", spare);
    else if (joined[bit / 8] >> bit % 8 & 1)
        fs_yaml_wrong(t->yaml, node, "tiles %" PRIu32 " and %" PRIu32 " are joined already", a, b);
    else {
        joined[bit / 8] |= (uint8_t)(1 << bit % 8);
        add_pair(t, a, b, share);
        return true;
    }
    return false;
}

/* What a grid's lanes are joined by. */
typedef struct grid_lanes {
    fs_file_text *text;
    const fs_node *node;
    uint8_t *joined;
    const lane_entry *of;
} grid_lanes;

static bool join_places(const grid_lanes *g, uint32_t a, uint32_t b) {
    return join(g->text, g->node, g->joined, g->of->from[a], g->of->from[b], g->of->share);
}

/* Rows first, then where they close; columns likewise. A ring of two tiles has its lane already. */
static bool join_grid(const grid_lanes *g) {
    const uint32_t columns = (uint32_t)g->of->grid.columns, rows = (uint32_t)g->of->grid.rows,
                   all = columns * rows;
    bool good = true;
    for (uint32_t i = 0; i + 1 < all && good; i++)
        if ((i + 1) % columns != 0)
            good = join_places(g, i, i + 1);
    for (uint32_t y = 0; y < rows && g->of->wrap && columns > 2 && good; y++)
        good = join_places(g, y * columns, (y + 1) * columns - 1);
    for (uint32_t i = 0; i + columns < all && good; i++)
        good = join_places(g, i, i + columns);
    for (uint32_t x = 0; x < columns && g->of->wrap && rows > 2 && good; x++)
        good = join_places(g, all - columns + x, x);
    return good;
}

static void join_entry(fs_file_text *t, const fs_node *node, uint8_t *joined, const lane_entry *e) {
    if (e->grid.columns > 0) {
        join_grid(&(grid_lanes){t, node, joined, e});
        return;
    }
    if (e->match == MATCH_EACH) {
        for (uint32_t i = 0; i < e->from_count; i++)
            for (uint32_t j = 0; j < e->to_count; j++)
                if (!join(t, node, joined, e->from[i], e->to[j], e->share))
                    return;
        return;
    }
    const uint32_t all = e->from_count > e->to_count ? e->from_count : e->to_count;
    FS_ASSERT(e->from_count > 0 && e->to_count > 0, "lanes between no tiles");
    for (uint32_t i = 0; i < all; i++)
        if (!join(t, node, joined, e->from[i / (all / e->from_count)], e->to[i / (all / e->to_count)],
                  e->share))
            return;
}

void fs_overlay_file_read_lanes(fs_file_text *t) {
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "lanes", true);
    uint8_t *joined = fs_calloc((size_t)t->tiles * t->tiles / 8 + 1, 1);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        lane_entry e;
        if (read_entry(t, list->items[i], &e))
            join_entry(t, list->items[i], joined, &e);
    }
    free(joined);
    bool *has = FS_NEW(t->arena, bool, t->tiles);
    for (uint32_t p = 0; p < t->pair_count; p++)
        has[t->pairs[p].a] = has[t->pairs[p].b] = true;
    for (uint32_t tile = 0; tile < t->tiles && fs_yaml_good(t->yaml); tile++)
        if (t->role[tile] != FS_ROLE_SPARE && !has[tile])
            fs_yaml_wrong(t->yaml, list, "tile %" PRIu32 ", a %s, has none", tile,
                          fs_role_names[t->role[tile]]);
}
