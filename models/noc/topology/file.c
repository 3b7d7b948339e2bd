/* A graph from a YAML file, in the words of overlay files: routers, links between them, end points, routes. */
#include "models/noc/topology/topology.h"
#include "sim/config/yaml.h"

#include <inttypes.h>

enum {
    MOST = 4096, /* routers, end points: a table has an entry for each two */
    LENGTH = 100000000
};

typedef struct text {
    const fs_yaml *yaml;
    fs_arena *arena;
    fs_noc_plan *plan;
    const fs_noc_options *options;
    uint32_t routers, columns, ends, links;
    fs_noc_graph *graph; /* once it is whole, for routes */
    fs_noc_routes *table;
    int64_t ways; /* fs_noc_shortest */
    bool *told;   /* [routers] has an entry in routes */
} text;

static const char *const ways_names[] = {
    [FS_NOC_FASTEST] = "fastest", [FS_NOC_FEWEST] = "fewest", [FS_NOC_FIRST] = "first", NULL};

#define FS_ROWS_OF text
static const fs_yaml_row rows[] = {
    FS_YAML_INT("routers", routers, NONE, 1, MOST, NULL),
    FS_YAML_INT("columns", columns, NONE, 1, MOST, FS_YAML_MAY),
    FS_YAML_KEY("links", FS_YAML_MAY),
    FS_YAML_KEY("ends", FS_YAML_MAY),
    FS_YAML_WORD("ways", ways, ways_names, "fastest"),
    FS_YAML_KEY("routes", FS_YAML_MAY),
};
static const fs_yaml_shape shape = FS_YAML_SHAPE(rows, sizeof(text));
#undef FS_ROWS_OF

static void place_routers(text *t) {
    while (fs_tree_get(t->yaml->root, "columns") == NULL && t->columns * t->columns < t->routers)
        t->columns++;
    t->plan = fs_noc_plan_begin(t->arena, "file", t->routers);
    for (uint32_t r = 0; r < t->routers; r++) {
        const uint32_t x = r % t->columns, y = r / t->columns;
        fs_noc_plan_place(t->plan, r, x, y);
    }
}

/* ---- links ---- */

enum { MATCH_EACH, MATCH_BLOCKS };
static const char *const matches[] = {"each", "blocks", NULL};

typedef struct link_entry {
    uint32_t *from, *to, from_count, to_count;
    int64_t match, latency, length;
    bool one_way;
} link_entry;

static bool check_link(const fs_yaml *y, const fs_node *node, void *self, void *item) {
    (void)self;
    const link_entry *e = item;
    return e->match != MATCH_BLOCKS || e->from_count % e->to_count == 0 || e->to_count % e->from_count == 0 ||
           fs_yaml_wrong(y, node,
                         "match: blocks gives each router of the shorter side as many of the longer one; "
                         "%" PRIu32 " and %" PRIu32 " routers don't divide",
                         e->from_count, e->to_count);
}

static bool read_link_entry(const text *t, const fs_node *node, link_entry *e) {
#define FS_ROWS_OF link_entry
    const fs_yaml_row link_rows[] = {
        FS_YAML_RANGES("from", from, from_count, t->routers - 1, NULL),
        FS_YAML_RANGES("to", to, to_count, t->routers - 1, NULL),
        FS_YAML_WORD("match", match, matches, "each"),
        FS_YAML_INT("latency", latency, CYCLES, 1, FS_NOC_MOST_LATENCY, FS_YAML_MAY),
        FS_YAML_INT("length", length, NONE, 1, LENGTH, FS_YAML_MAY),
        FS_YAML_BOOL("one_way", one_way, "false"),
    };
    const fs_yaml_shape link = FS_YAML_SHAPE(link_rows, sizeof(link_entry), check_link);
#undef FS_ROWS_OF
    *e = (link_entry){.latency = fs_noc_link_cycles(t->options, 1), .length = t->options->pitch};
    return fs_yaml_fill(t->yaml, node, &link, NULL, e);
}

static bool join(text *t, const fs_node *node, const link_entry *e, uint32_t i, uint32_t j) {
    const uint32_t a = e->from[i], b = e->to[j], ways = e->one_way ? 1 : 2;
    if (a == b)
        return fs_yaml_wrong(t->yaml, node, "joins router %" PRIu32 " to itself", a);
    if ((uint64_t)t->links + ways > (uint64_t)MOST * FS_NOC_MOST_PORTS)
        return fs_yaml_wrong(t->yaml, node, "more than %d links", MOST * FS_NOC_MOST_PORTS);
    fs_noc_plan_link(t->plan, a, b, (uint32_t)e->latency, (uint32_t)e->length);
    if (!e->one_way)
        fs_noc_plan_link(t->plan, b, a, (uint32_t)e->latency, (uint32_t)e->length);
    t->links += ways;
    return true;
}

static void read_links(text *t) {
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "links", t->routers > 1);
    for (size_t n = 0; list != NULL && n < list->count; n++) {
        link_entry e;
        if (!read_link_entry(t, list->items[n], &e))
            continue;
        const bool each = e.match == MATCH_EACH;
        const uint32_t all = each                        ? e.from_count * e.to_count
                             : e.from_count > e.to_count ? e.from_count
                                                         : e.to_count;
        for (uint32_t i = 0; i < all; i++)
            if (!join(t, list->items[n], &e, each ? i / e.to_count : i / (all / e.from_count),
                      each ? i % e.to_count : i / (all / e.to_count)))
                break;
    }
}

/* ---- end points ---- */

typedef struct end_entry {
    uint32_t *router, routers, count, latency;
} end_entry;

static void read_end_entry(text *t, const fs_node *node) {
#define FS_ROWS_OF end_entry
    const fs_yaml_row end_rows[] = {
        FS_YAML_RANGES("routers", router, routers, t->routers - 1, NULL),
        FS_YAML_INT("count", count, NONE, 1, FS_NOC_MOST_PORTS, FS_YAML_MAY),
        FS_YAML_INT("latency", latency, CYCLES, 1, FS_NOC_MOST_LATENCY, FS_YAML_MAY),
    };
    const fs_yaml_shape end = FS_YAML_SHAPE(end_rows, sizeof(end_entry));
#undef FS_ROWS_OF
    end_entry e = {.count = 1, .latency = 1};
    if (!fs_yaml_fill(t->yaml, node, &end, NULL, &e))
        return;
    if (t->ends + (uint64_t)e.routers * e.count > MOST) {
        fs_yaml_wrong(t->yaml, node, "more than %d end points", MOST);
        return;
    }
    for (uint32_t i = 0; i < e.routers * e.count; i++)
        fs_noc_plan_end(t->plan, e.router[i / e.count], e.latency);
    t->ends += e.routers * e.count;
}

/* Without a list every router has one. */
static void read_ends(text *t) {
    const fs_node *list = fs_yaml_list(t->yaml, t->yaml->root, "ends", false);
    for (size_t n = 0; list != NULL && n < list->count; n++)
        read_end_entry(t, list->items[n]);
    for (uint32_t r = 0; list == NULL && r < t->routers; r++)
        fs_noc_plan_end(t->plan, r, 1);
    t->ends = list == NULL ? t->routers : t->ends;
    if (list != NULL && t->ends == 0 && fs_yaml_good(t->yaml))
        fs_yaml_wrong(t->yaml, list, "expected end points, found none");
}

/* ---- routes ---- */

/* The ports of a router that lead to a neighbour: all, or the one whose number among them is given. */
static bool ports_to(const text *t, const fs_node *node, const fs_node *via, uint32_t router,
                     uint64_t *ports) {
    const fs_noc_graph *g = t->graph;
    const fs_node *which = fs_yaml_get(t->yaml, node, "link", false);
    int64_t next = 0, number = 0, links = 0;
    if (!fs_yaml_int(t->yaml, via, FS_UNIT_NONE, 0, t->routers - 1, &next) ||
        (which != NULL && !fs_yaml_int(t->yaml, which, FS_UNIT_NONE, 0, FS_NOC_MOST_PORTS - 1, &number)))
        return false;
    *ports = 0;
    for (uint32_t o = g->out_at[router]; o < g->out_at[router + 1]; o++)
        if (g->out_of[o] != FS_NOC_NONE && g->link[g->out_of[o]].to == next) {
            if (which == NULL || links == number)
                *ports |= (uint64_t)1 << (o - g->out_at[router]);
            links++;
        }
    if (links == 0)
        return fs_yaml_wrong(t->yaml, via, "no link leads from router %" PRIu32 " to router %" PRId64, router,
                             next);
    return *ports != 0 || fs_yaml_wrong(t->yaml, which,
                                        "expected one of the links from router %" PRIu32 " to router %" PRId64
                                        ", 0 ... %" PRId64 ", found %" PRId64,
                                        router, next, links - 1, number);
}

/* The hop to the neighbour `via` of an entry, with its channels; to end points at hand. */
static bool read_hop(const text *t, const fs_node *node, const fs_node *via, uint32_t router,
                     fs_noc_hop *hop) {
    const fs_yaml *y = t->yaml;
    const fs_node *channels = fs_yaml_get(y, node, "channels", false);
    uint64_t ports;
    uint32_t *list, count;
    if (!ports_to(t, node, via, router, &ports))
        return false;
    *hop = fs_noc_routes_share(t->table, router, ports);
    if (channels == NULL)
        return true;
    if (!fs_yaml_ranges(y, channels, (uint32_t)t->options->vcs - 1, &list, &count))
        return false;
    for (uint32_t i = 1; i < count; i++)
        if (list[i] != list[i - 1] + 1)
            return fs_yaml_wrong(y, channels, "expected channels that follow one another, such as 0-1");
    hop->first = (uint8_t)list[0];
    hop->count = (uint8_t)count;
    return true;
}

static bool read_way(const text *t, const fs_node *node, uint32_t router, bool *set) {
    static const char *const keys[] = {"to", "via", "link", "channels", NULL};
    const fs_yaml *y = t->yaml;
    if (!fs_yaml_mapping(y, node, keys))
        return false;
    const fs_node *to = fs_yaml_get(y, node, "to", true), *via = fs_yaml_get(y, node, "via", true);
    uint32_t *end, count;
    fs_noc_hop hop;
    if (to == NULL || via == NULL || !fs_yaml_ranges(y, to, t->ends - 1, &end, &count) ||
        !read_hop(t, node, via, router, &hop))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (t->graph->end[end[i]].router == router)
            return fs_yaml_wrong(y, to, "end point %" PRIu32 " is at router %" PRIu32 " itself", end[i],
                                 router);
        if (set[end[i]])
            return fs_yaml_wrong(y, to, "end point %" PRIu32 " has a way from router %" PRIu32 " already",
                                 end[i], router);
        set[end[i]] = true;
        *fs_noc_routes_at(t->table, router, end[i]) = hop;
    }
    return true;
}

/* The table of one router: `ways`, then `default` for all others; without one these keep the shortest way. */
static bool read_table(const text *t, const fs_node *node, uint32_t router) {
    const fs_yaml *y = t->yaml;
    const fs_node *other = fs_yaml_get(y, node, "default", false);
    const fs_node *ways = fs_yaml_list(y, node, "ways", other == NULL);
    bool *set = FS_NEW(t->arena, bool, t->ends);
    fs_noc_hop hop;
    for (size_t i = 0; ways != NULL && i < ways->count; i++)
        if (!read_way(t, ways->items[i], router, set))
            return false;
    if (other == NULL)
        return true;
    if (!read_hop(t, node, other, router, &hop))
        return false;
    for (uint32_t e = 0; e < t->ends; e++)
        if (!set[e] && t->graph->end[e].router != router)
            *fs_noc_routes_at(t->table, router, e) = hop;
    return true;
}

static void read_routes(text *t) {
    static const char *const keys[] = {"routers", "default", "link", "ways", NULL};
    const fs_yaml *y = t->yaml;
    const fs_node *list = fs_yaml_list(y, y->root, "routes", false);
    t->told = FS_NEW(t->arena, bool, t->routers);
    for (size_t n = 0; list != NULL && n < list->count; n++) {
        const fs_node *node = list->items[n];
        uint32_t *router, count;
        if (!fs_yaml_mapping(y, node, keys))
            continue;
        const fs_node *of = fs_yaml_get(y, node, "routers", true);
        if (of == NULL || !fs_yaml_ranges(y, of, t->routers - 1, &router, &count))
            continue;
        for (uint32_t i = 0; i < count; i++) {
            if (t->told[router[i]]) {
                fs_yaml_wrong(y, of, "router %" PRIu32 " has routes already", router[i]);
                break;
            }
            t->told[router[i]] = true;
            if (!read_table(t, node, router[i]))
                break;
        }
    }
}

/* An error of a sentence alone gets a place: that of a part of the file, or of all of it. */
static fs_noc_graph *wrong(const text *t, const char *part, const fs_error *why, fs_error *err) {
    const fs_node *node = fs_tree_get(t->yaml->root, part);
    fs_yaml_wrong(t->yaml, node != NULL ? node : t->yaml->root, "%s", why->text);
    fs_yaml_finish(t->yaml, err);
    return NULL;
}

/* By the shortest ways of that kind, and what `routes` say. Errors of the file are in its report; else FS_INPUT: packets
 * that do not arrive, or could wait for each other. */
static fs_status route(text *t, fs_noc_shortest ways, fs_error *why) {
    t->table = fs_noc_routes_shortest(t->arena, t->graph, ways);
    read_routes(t);
    if (!fs_yaml_good(t->yaml) || fs_noc_route_by_table(t->graph, t->table, why))
        return FS_INPUT;
    const char *classes = t->graph->why;
    t->graph->why =
        "routes break it that no ring closes (ways: first; via), or that give packets other channels behind "
        "a link of it (channels: 0 before it and 1 behind it, with 2 or more vcs)";
    const fs_status status = fs_noc_check_deadlock(t->graph, (uint32_t)t->options->vcs, why);
    t->graph->why = classes;
    return status;
}

/* Without a word for them the fastest ways are shared where packets then drain, else the first ones are taken. */
static fs_status route_all(text *t, fs_error *why) {
    const bool given = fs_tree_get(t->yaml->root, "ways") != NULL;
    if (!route(t, (fs_noc_shortest)t->ways, why) || given || !fs_yaml_good(t->yaml))
        return why->status;
    fs_error_clear(why);
    return route(t, FS_NOC_FIRST, why);
}

static fs_noc_graph *make(fs_arena *arena, const fs_noc_options *o, fs_error *err) {
    if (o->file[0] == '\0')
        return FS_FAIL_NULL(err, FS_INPUT,
                            "machine.exchange.noc.file: expected a file of routers and links, found none");
    text t = {.yaml = fs_yaml_open(arena, o->file), .arena = arena, .options = o, .columns = 1};
    fs_error why = {0};
    if (t.yaml->root != NULL && fs_yaml_fill(t.yaml, t.yaml->root, &shape, NULL, &t)) {
        place_routers(&t);
        read_links(&t);
        read_ends(&t);
    }
    if (fs_yaml_finish(t.yaml, err))
        return NULL;
    t.graph = fs_noc_plan_done(t.plan, &why);
    if (t.graph == NULL)
        return wrong(&t, "links", &why, err);
    if (route_all(&t, &why) && why.status != FS_OK)
        return wrong(&t, "routes", &why, err);
    return fs_yaml_finish(t.yaml, err) ? NULL : t.graph;
}

const fs_noc_kind fs_noc_file = {.make = make};
