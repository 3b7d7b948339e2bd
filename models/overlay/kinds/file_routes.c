/* Routes of an overlay file: shortest ways, then what the file says otherwise. */
#include "models/overlay/kinds/file_text.h"
#include "models/overlay/plan.h"

#include <inttypes.h>
#include <string.h>

static const uint32_t unknown = UINT32_MAX;

/* ---- what the file says ---- */

typedef struct reading {
    const fs_file_text *text;
    const fs_overlay *o;
    uint8_t *run;     /* [tiles * FS_MAX_PORTS] choices of the lane at a port; 0: no route names it */
    bool *told, *set; /* [tiles] has an entry; [tracers] of the tile at hand has a way */
} reading;

/* The neighbours of a `via`: neighbouring ports of the tile, their first. */
static bool read_via(const reading *r, const fs_node *node, uint32_t tile, uint32_t *port) {
    const fs_yaml *y = r->text->yaml;
    uint32_t *via, count, low = unknown, high = 0;
    if (!fs_yaml_ranges(y, node, r->o->tiles - 1, &via, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = 0;
        while (p < fs_overlay_out_degree(r->o, tile) && fs_overlay_neighbour(r->o, tile, p) != via[i])
            p++;
        if (p == fs_overlay_out_degree(r->o, tile))
            return fs_yaml_wrong(y, node, "no lane joins tiles %" PRIu32 " and %" PRIu32, tile, via[i]);
        low = p < low ? p : low;
        high = p > high ? p : high;
    }
    if (high - low + 1 != count)
        return fs_yaml_wrong(
            y, node,
            "choices must be listed one after the other, once, among the lanes of tile %" PRIu32
            "; between tiles %" PRIu32 " and %" PRIu32 " stand others",
            tile, fs_overlay_neighbour(r->o, tile, low), fs_overlay_neighbour(r->o, tile, high));
    uint8_t *run = r->run + (size_t)tile * FS_MAX_PORTS + low;
    if (*run != 0 && *run != count)
        return fs_yaml_wrong(y, node,
                             "tile %" PRIu32 " has ways that begin at tile %" PRIu32
                             " with %u and with %" PRIu32 " choices; a lane has one number of them",
                             tile, fs_overlay_neighbour(r->o, tile, low), *run, count);
    *run = (uint8_t)count;
    *port = low;
    return true;
}

static void read_way(const reading *r, const fs_node *node, uint32_t tile) {
    static const char *const keys[] = {"to", "via", NULL};
    const fs_yaml *y = r->text->yaml;
    if (!fs_yaml_mapping(y, node, keys))
        return;
    const fs_node *to = fs_yaml_get(y, node, "to", true), *via = fs_yaml_get(y, node, "via", true);
    uint32_t *tracer, count, port;
    if (to == NULL || via == NULL || !fs_yaml_ranges(y, to, r->o->tracers - 1, &tracer, &count) ||
        !read_via(r, via, tile, &port))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (r->set[tracer[i]]) {
            fs_yaml_wrong(y, to, "tracer %" PRIu32 " has a way from tile %" PRIu32 " already", tracer[i],
                          tile);
            return;
        }
        r->set[tracer[i]] = true;
        fs_overlay_plan_table(r->o, tile)[tracer[i]] = (uint8_t)port;
    }
}

/* The table of one tile: `ways`, then `default` for all others. */
static void read_table(const reading *r, const fs_node *node, uint32_t tile) {
    const fs_yaml *y = r->text->yaml;
    const fs_node *other = fs_yaml_get(y, node, "default", false);
    const fs_node *ways = fs_yaml_list(y, node, "ways", other == NULL);
    const size_t before = fs_report_count(y->report);
    uint32_t port = 0;
    memset(r->set, 0, r->o->tracers * sizeof *r->set);
    memset(r->run + (size_t)tile * FS_MAX_PORTS, 0, FS_MAX_PORTS);
    if (r->o->tracer_of_tile[tile] != unknown)
        r->set[r->o->tracer_of_tile[tile]] = true; /* delivers to itself */
    for (size_t i = 0; ways != NULL && i < ways->count; i++)
        read_way(r, ways->items[i], tile);
    const bool all_read = fs_report_count(y->report) == before;
    if ((other != NULL && !read_via(r, other, tile, &port)) || !all_read)
        return;
    for (uint32_t i = 0; i < r->o->tracers; i++) {
        if (!r->set[i] && other == NULL) {
            fs_yaml_wrong(y, node, "no way from tile %" PRIu32 " to tracer %" PRIu32 ", and no default", tile,
                          i);
            return;
        }
        if (!r->set[i])
            fs_overlay_plan_table(r->o, tile)[i] = (uint8_t)port;
    }
}

static void read_entry(const reading *r, const fs_node *node) {
    static const char *const keys[] = {"tiles", "default", "ways", NULL};
    const fs_yaml *y = r->text->yaml;
    uint32_t *tile, count;
    if (!fs_yaml_mapping(y, node, keys))
        return;
    const fs_node *tiles = fs_yaml_get(y, node, "tiles", true);
    if (tiles == NULL || !fs_yaml_ranges(y, tiles, r->o->tiles - 1, &tile, &count))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (r->o->route_start[tile[i]] < 0) {
            fs_yaml_wrong(y, tiles, "tile %" PRIu32 ", a %s, has no table", tile[i],
                          fs_role_names[r->o->role[tile[i]]]);
            return;
        }
        if (r->told[tile[i]]) {
            fs_yaml_wrong(y, tiles, "tile %" PRIu32 " has routes already", tile[i]);
            return;
        }
        r->told[tile[i]] = true;
        read_table(r, node, tile[i]);
    }
}

void fs_overlay_file_read_routes(const fs_file_text *text, fs_overlay *o) {
    reading r = {.text = text,
                 .o = o,
                 .run = FS_NEW(text->arena, uint8_t, (size_t)o->tiles * FS_MAX_PORTS),
                 .told = FS_NEW(text->arena, bool, o->tiles),
                 .set = FS_NEW(text->arena, bool, o->tracers)};
    fs_overlay_plan_ways(o, text->arena, r.run);
    const fs_node *list = fs_yaml_list(text->yaml, text->yaml->root, "routes", false);
    for (size_t i = 0; list != NULL && i < list->count; i++)
        read_entry(&r, list->items[i]);
    for (uint32_t t = 0; t < o->tiles; t++)
        for (uint32_t p = 0; p < fs_overlay_out_degree(o, t); p++)
            if (r.run[(size_t)t * FS_MAX_PORTS + p] > 1)
                fs_overlay_plan_choices(o, t, p, r.run[(size_t)t * FS_MAX_PORTS + p]);
}
