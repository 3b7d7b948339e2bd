/* Overlay files: their lines of tiles and lanes, checked one by one. */
#include "models/overlay/kinds/file_text.h"

#include <inttypes.h>

/* ---- tiles ---- */

static const char *const roles[] = {"tracer", "router", "generator", NULL};
static const fs_role role_of[] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};

/* One entry of the list, before its tiles are known to be free. */
typedef struct tile_entry {
    uint32_t *tile, count;
    int64_t role, level;
    bool table;
} tile_entry;

static bool check_entry(const fs_yaml *y, const fs_node *node, void *self, void *item) {
    (void)self;
    tile_entry *e = item;
    const fs_node *level = fs_tree_get(node, "level"), *table = fs_tree_get(node, "table");
    e->role = role_of[e->role];
    if (level != NULL && e->role != FS_ROLE_ROUTER)
        return fs_yaml_wrong(y, level,
                             "only routers have levels: tracers are on level 0, the generator is above all");
    if (table != NULL && e->role == FS_ROLE_ROUTER)
        return fs_yaml_wrong(y, table, "routers always have one");
    e->table |= e->role == FS_ROLE_ROUTER;
    return true;
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

void fs_overlay_file_read_tiles(fs_file_text *t) {
    t->role = FS_NEW(t->arena, uint8_t, t->tiles);
    t->level = FS_NEW(t->arena, uint8_t, t->tiles);
    t->table = FS_NEW(t->arena, bool, t->tiles);
    t->tracer_tile = FS_NEW(t->arena, uint32_t, t->tiles);
#define FS_ROWS_OF tile_entry
    const fs_yaml_row rows[] = {
        FS_YAML_RANGES("tiles", tile, count, t->tiles - 1, NULL),
        FS_YAML_WORD("role", role, roles, NULL),
        FS_YAML_INT("level", level, NONE, 1, FS_MAX_ROUTER_LEVELS, "1"),
        FS_YAML_BOOL("table", table, "false"),
    };
    const fs_yaml_shape entry = FS_YAML_SHAPE(rows, sizeof(tile_entry), check_entry);
#undef FS_ROWS_OF
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "tiles", true);
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        tile_entry e = {0};
        if (!fs_yaml_fill(t->yaml, list->items[i], &entry, NULL, &e))
            continue;
        for (uint32_t n = 0; n < e.count; n++) {
            if (t->role[e.tile[n]] != FS_ROLE_SPARE) {
                fs_yaml_wrong(t->yaml, list->items[i], "tile %" PRIu32 " is a %s already", e.tile[n],
                              fs_role_names[t->role[e.tile[n]]]);
                break;
            }
            give_role(t, &e, e.tile[n]);
        }
    }
    if (!fs_yaml_good(t->yaml))
        return;
    if (t->generators != 1)
        fs_yaml_wrong(t->yaml, list, "expected one generator, found %" PRIu32, t->generators);
    if (t->tracers == 0)
        fs_yaml_wrong(t->yaml, list, "expected tracers, found none");
    t->level[t->generator_tile] = (uint8_t)(t->levels + 1);
}
