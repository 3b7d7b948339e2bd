/* Overlay files: the lanes between their tiles, one by one, in blocks and as grids. */
#include "models/overlay/kinds/file_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct lane_entry {
    uint32_t *from, from_count, *to, to_count; /* of a grid: from its tiles, row by row */
    int64_t match, share;
    uint32_t columns, rows; /* of a grid; 0: none */
    bool wrap;
} lane_entry;

enum { MATCH_EACH, MATCH_BLOCKS };
static const char *const matches[] = {"each", "blocks", NULL};

/* Bytes that each end of a lane gives it: at least a ray. */
static bool read_share(const fs_file_text *t, const fs_node *node, int64_t *out) {
    const fs_node *share = fs_yaml_get(t->yaml, node, "share", false);
    return share == NULL || fs_yaml_int(t->yaml, share, FS_UNIT_BYTES,
                                        t->payload_bytes > 4 ? t->payload_bytes : 4, 1000000000, out);
}

/* `grid: [columns, rows]`, into the entry. */
static bool read_extent(const fs_file_text *t, const fs_node *grid, lane_entry *out) {
    const fs_yaml *y = t->yaml;
    if (grid->kind != FS_NODE_LIST || grid->count != 2)
        return fs_yaml_wrong(y, grid, "expected columns and rows, [16, 16], found %s",
                             fs_yaml_found(y, grid));
    int64_t extent[2];
    for (size_t i = 0; i < 2; i++)
        if (!fs_yaml_int(y, grid->items[i], FS_UNIT_NONE, 1, t->tiles, &extent[i]))
            return false;
    out->columns = (uint32_t)extent[0];
    out->rows = (uint32_t)extent[1];
    return true;
}

static bool read_grid_entry(const fs_file_text *t, const fs_node *node, lane_entry *out) {
    static const char *const keys[] = {"grid", "tiles", "wrap", "share", NULL};
    const fs_yaml *y = t->yaml;
    *out = (lane_entry){.match = MATCH_EACH};
    if (!fs_yaml_mapping(y, node, keys))
        return false;
    const fs_node *grid = fs_yaml_get(y, node, "grid", true), *tiles = fs_yaml_get(y, node, "tiles", true),
                  *wrap = fs_yaml_get(y, node, "wrap", false);
    if (grid == NULL || tiles == NULL || !read_extent(t, grid, out) ||
        !fs_yaml_ranges(y, tiles, t->tiles - 1, &out->from, &out->from_count) ||
        (wrap != NULL && !fs_yaml_bool(y, wrap, &out->wrap)) || !read_share(t, node, &out->share))
        return false;
    if ((uint64_t)out->columns * out->rows != out->from_count)
        return fs_yaml_wrong(y, tiles,
                             "a grid of %" PRIu32 " columns and %" PRIu32 " rows has %" PRIu64
                             " tiles, found %" PRIu32,
                             out->columns, out->rows, (uint64_t)out->columns * out->rows, out->from_count);
    return true;
}

static bool read_lane_entry(const fs_file_text *t, const fs_node *node, lane_entry *out) {
    static const char *const keys[] = {"from", "to", "match", "share", "grid", NULL};
    const fs_yaml *y = t->yaml;
    if (node->kind == FS_NODE_MAPPING && fs_yaml_get(y, node, "grid", false) != NULL)
        return read_grid_entry(t, node, out);
    if (!fs_yaml_mapping(y, node, keys))
        return false;
    const fs_node *from = fs_yaml_get(y, node, "from", true), *to = fs_yaml_get(y, node, "to", true);
    const fs_node *match = fs_yaml_get(y, node, "match", false);
    *out = (lane_entry){.match = MATCH_EACH};
    if (from == NULL || to == NULL || !fs_yaml_ranges(y, from, t->tiles - 1, &out->from, &out->from_count) ||
        !fs_yaml_ranges(y, to, t->tiles - 1, &out->to, &out->to_count) ||
        (match != NULL && !fs_yaml_word(y, match, matches, &out->match)) || !read_share(t, node, &out->share))
        return false;
    if (out->match == MATCH_BLOCKS && out->from_count % out->to_count != 0 &&
        out->to_count % out->from_count != 0)
        return fs_yaml_wrong(
            y, node,
            "match: blocks gives each tile of the shorter side as many of the longer one; %" PRIu32
            " and %" PRIu32 " tiles don't divide",
            out->from_count, out->to_count);
    return true;
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
    const uint32_t columns = g->of->columns, rows = g->of->rows, all = columns * rows;
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
    if (e->columns > 0) {
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
        if (read_lane_entry(t, list->items[i], &e))
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
