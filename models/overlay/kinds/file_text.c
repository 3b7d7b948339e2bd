/* Overlay files: their lines of tiles and lanes, checked one by one. */
#include "models/overlay/kinds/file_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- tiles ---- */

static const char *const roles[] = {"tracer", "router", "generator", NULL};
static const fs_role role_of[] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};

/* One entry of the list, before its tiles are known to be free. */
typedef struct tile_entry {
    uint32_t *tile, count;
    int64_t role, level;
    bool table;
} tile_entry;

static bool read_tile_entry(const fs_file_text *t, const fs_node *node, const char *key, tile_entry *out) {
    static const char *const keys[] = {"tiles", "role", "level", "table", NULL};
    const fs_yaml *y = t->yaml;
    if (!fs_yaml_mapping(y, node, key, keys))
        return false;
    const fs_node *tiles = fs_yaml_get(y, node, key, "tiles", true),
                  *role = fs_yaml_get(y, node, key, "role", true);
    const fs_node *level = fs_yaml_get(y, node, key, "level", false);
    const fs_node *table = fs_yaml_get(y, node, key, "table", false);
    *out = (tile_entry){.level = 1};
    if (tiles == NULL || role == NULL ||
        !fs_yaml_ranges(y, tiles, fs_arena_printf(t->arena, "%s.tiles", key), t->tiles - 1, &out->tile,
                        &out->count) ||
        !fs_yaml_word(y, role, fs_arena_printf(t->arena, "%s.role", key), roles, &out->role))
        return false;
    out->role = role_of[out->role];
    if (level != NULL && out->role != FS_ROLE_ROUTER) {
        fs_yaml_wrong(y, level, fs_arena_printf(t->arena, "%s.level", key),
                      "only routers have levels: tracers are on level 0, the generator is above all");
        return false;
    }
    if (table != NULL && out->role == FS_ROLE_ROUTER) {
        fs_yaml_wrong(y, table, fs_arena_printf(t->arena, "%s.table", key), "routers always have one");
        return false;
    }
    out->table = out->role == FS_ROLE_ROUTER;
    return (level == NULL || fs_yaml_int(y, level, fs_arena_printf(t->arena, "%s.level", key), FS_UNIT_NONE,
                                         1, FS_MAX_ROUTER_LEVELS, &out->level)) &&
           (table == NULL || fs_yaml_bool(y, table, fs_arena_printf(t->arena, "%s.table", key), &out->table));
}

static void give_role(fs_file_text *t, const tile_entry *e, uint32_t tile) {
    t->role[tile] = (uint8_t)e->role;
    t->table[tile] = e->table;
    if (e->role == FS_ROLE_ROUTER)
        t->level[tile] = (uint8_t)e->level;
    if (e->role == FS_ROLE_ROUTER && e->level > t->levels)
        t->levels = (uint32_t)e->level;
    if (e->role == FS_ROLE_TRACER)
        t->tracer_tile[t->tracers++] = tile;
    if (e->role == FS_ROLE_GENERATOR) {
        t->generators++;
        t->generator_tile = tile;
    }
}

void fs_file_read_tiles(fs_file_text *t) {
    t->role = FS_NEW(t->arena, uint8_t, t->tiles);
    t->level = FS_NEW(t->arena, uint8_t, t->tiles);
    t->table = FS_NEW(t->arena, bool, t->tiles);
    t->tracer_tile = FS_NEW(t->arena, uint32_t, t->tiles);
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "", "tiles", true);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const char *key = fs_arena_printf(t->arena, "tiles[%zu]", i);
        tile_entry e;
        if (!read_tile_entry(t, list->items[i], key, &e))
            continue;
        for (uint32_t n = 0; n < e.count; n++) {
            if (t->role[e.tile[n]] != FS_ROLE_SPARE) {
                fs_yaml_wrong(t->yaml, list->items[i], key, "tile %" PRIu32 " is a %s already", e.tile[n],
                              fs_role_names[t->role[e.tile[n]]]);
                break;
            }
            give_role(t, &e, e.tile[n]);
        }
    }
    if (!fs_yaml_good(t->yaml))
        return;
    if (t->generators != 1)
        fs_yaml_wrong(t->yaml, list, "tiles", "expected one generator, found %" PRIu32, t->generators);
    if (t->tracers == 0)
        fs_yaml_wrong(t->yaml, list, "tiles", "expected tracers, found none");
    t->level[t->generator_tile] = (uint8_t)(t->levels + 1);
}

/* ---- lanes ---- */

typedef struct lane_entry {
    uint32_t *from, from_count, *to, to_count;
    int64_t match, share;
} lane_entry;

enum { MATCH_EACH, MATCH_BLOCKS };
static const char *const matches[] = {"each", "blocks", NULL};

static bool read_lane_entry(const fs_file_text *t, const fs_node *node, const char *key, lane_entry *out) {
    static const char *const keys[] = {"from", "to", "match", "share", NULL};
    const fs_yaml *y = t->yaml;
    if (!fs_yaml_mapping(y, node, key, keys))
        return false;
    const fs_node *from = fs_yaml_get(y, node, key, "from", true),
                  *to = fs_yaml_get(y, node, key, "to", true);
    const fs_node *match = fs_yaml_get(y, node, key, "match", false);
    const fs_node *share = fs_yaml_get(y, node, key, "share", false);
    *out = (lane_entry){.match = MATCH_EACH};
    if (from == NULL || to == NULL ||
        !fs_yaml_ranges(y, from, fs_arena_printf(t->arena, "%s.from", key), t->tiles - 1, &out->from,
                        &out->from_count) ||
        !fs_yaml_ranges(y, to, fs_arena_printf(t->arena, "%s.to", key), t->tiles - 1, &out->to,
                        &out->to_count) ||
        (match != NULL &&
         !fs_yaml_word(y, match, fs_arena_printf(t->arena, "%s.match", key), matches, &out->match)) ||
        (share != NULL && !fs_yaml_int(y, share, fs_arena_printf(t->arena, "%s.share", key), FS_UNIT_BYTES,
                                       t->payload_bytes > 4 ? t->payload_bytes : 4, 1000000000, &out->share)))
        return false;
    if (out->match == MATCH_BLOCKS && out->from_count % out->to_count != 0 &&
        out->to_count % out->from_count != 0) {
        fs_yaml_wrong(y, node, key,
                      "match: blocks gives each tile of the shorter side as many of the longer one; %" PRIu32
                      " and %" PRIu32 " tiles don't divide",
                      out->from_count, out->to_count);
        return false;
    }
    return true;
}

static void add_pair(fs_file_text *t, uint32_t a, uint32_t b, int64_t share) {
    if (t->pair_count == t->pair_room) {
        t->pair_room = t->pair_room == 0 ? 64 : 2 * t->pair_room;
        fs_file_pair *pairs = FS_NEW(t->arena, fs_file_pair, t->pair_room);
        if (t->pair_count > 0)
            memcpy(pairs, t->pairs, t->pair_count * sizeof *pairs);
        t->pairs = pairs;
    }
    t->pairs[t->pair_count++] = (fs_file_pair){a, b, (uint32_t)(share / 4 * 4)};
}

/* `joined` holds a bit for each two tiles. */
static bool join(fs_file_text *t, const fs_node *node, const char *key, uint8_t *joined, uint32_t a,
                 uint32_t b, int64_t share) {
    const uint64_t bit = a < b ? (uint64_t)a * t->tiles + b : (uint64_t)b * t->tiles + a;
    const uint32_t spare = t->role[a] == FS_ROLE_SPARE ? a : b;
    if (a == b)
        fs_yaml_wrong(t->yaml, node, key, "joins tile %" PRIu32 " to itself", a);
    else if (t->role[spare] == FS_ROLE_SPARE)
        fs_yaml_wrong(t->yaml, node, key, "tile %" PRIu32 " has no role in tiles", spare);
    else if (joined[bit / 8] >> bit % 8 & 1)
        fs_yaml_wrong(t->yaml, node, key, "tiles %" PRIu32 " and %" PRIu32 " are joined already", a, b);
    else {
        joined[bit / 8] |= (uint8_t)(1 << bit % 8);
        add_pair(t, a, b, share);
        return true;
    }
    return false;
}

static void join_entry(fs_file_text *t, const fs_node *node, const char *key, uint8_t *joined,
                       const lane_entry *e) {
    if (e->match == MATCH_EACH) {
        for (uint32_t i = 0; i < e->from_count; i++)
            for (uint32_t j = 0; j < e->to_count; j++)
                if (!join(t, node, key, joined, e->from[i], e->to[j], e->share))
                    return;
        return;
    }
    const uint32_t all = e->from_count > e->to_count ? e->from_count : e->to_count;
    for (uint32_t i = 0; i < all; i++)
        if (!join(t, node, key, joined, e->from[i / (all / e->from_count)], e->to[i / (all / e->to_count)],
                  e->share))
            return;
}

void fs_file_read_lanes(fs_file_text *t) {
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "", "lanes", true);
    uint8_t *joined = fs_calloc((size_t)t->tiles * t->tiles / 8 + 1, 1);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const char *key = fs_arena_printf(t->arena, "lanes[%zu]", i);
        lane_entry e;
        if (read_lane_entry(t, list->items[i], key, &e))
            join_entry(t, list->items[i], key, joined, &e);
    }
    free(joined);
    bool *has = FS_NEW(t->arena, bool, t->tiles);
    for (uint32_t p = 0; p < t->pair_count; p++)
        has[t->pairs[p].a] = has[t->pairs[p].b] = true;
    for (uint32_t tile = 0; tile < t->tiles && fs_yaml_good(t->yaml); tile++)
        if (t->role[tile] != FS_ROLE_SPARE && !has[tile])
            fs_yaml_wrong(t->yaml, list, "lanes", "tile %" PRIu32 ", a %s, has none", tile,
                          fs_role_names[t->role[tile]]);
}
