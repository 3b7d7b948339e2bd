/* Groups of neighbouring shards on routers that are all joined to one another: `group` shards hang on each
 * router, the last group may be smaller, and the generator hangs on one of the routers.
 *
 * Invariants: ceil(shards / group) routers, all of level 1; one shortest way between any two tiles, two lanes
 * between tracers of one group and three between others; a router has as many neighbours as tracers in its
 * group and other routers together, and one more where the generator hangs.
 */
#include "models/overlay/overlay.h"
#include "models/overlay/plan.h"

#include <inttypes.h>

typedef struct fs_clique_params {
    int64_t group;         /* tracers of a router */
    int64_t router_buffer; /* bytes of a router for all its lanes; 0: what is left */
    int64_t tracer_buffer; /* bytes of a tracer for its two lanes; 0: what is left */
    int64_t entry;         /* shard at whose router the generator hangs; -1: the camera's, else the middle */
    fs_plan_generator generator;
} fs_clique_params;

#define FS_ROWS_OF fs_clique_params
static const fs_param rows[] = {
    FS_INT(group, NONE, "32", 1, FS_MAX_PORTS - 1, "shards of a router", TRAFFIC),
    FS_PLAN_BUFFER_ROWS(fs_clique_params, "shared equally among them", "one in and one out"),
    FS_INT(entry, NONE, "-1", -1, 1e9,
           "shard at whose router the generator hangs; -1: the camera's, else the middle router's", TRAFFIC),
    FS_PLAN_GENERATOR_ROWS(fs_clique_params),
};

const fs_param_table fs_overlay_clique_table =
    FS_PARAM_TABLE("overlay/clique", "groups of shards on routers that are all joined to one another", rows,
                   sizeof(fs_clique_params));

/* Router r is tile shards + r and has the shards from r * group on. */
typedef struct groups {
    uint32_t shards, group, routers;
} groups;

static uint32_t size_of(const groups *g, uint32_t router) {
    const uint32_t rest = g->shards - router * g->group;
    return rest < g->group ? rest : g->group;
}

static fs_status check_params(const fs_clique_params *p, const fs_overlay_site *site, const groups *g,
                              fs_arena *arena, fs_error *err) {
    if (p->entry >= site->shards)
        return fs_fail(err, FS_INPUT, "%s: expected a shard (0 ... %" PRIu32 ") or -1, found %" PRId64,
                       fs_overlay_plan_key(site, arena, "entry"), site->shards - 1, p->entry);
    if (g->routers > FS_MAX_PORTS || size_of(g, 0) + g->routers > FS_MAX_PORTS)
        return fs_fail(err, FS_INPUT,
                       "%s: expected at most %d neighbours of a router, found %" PRIu32 " shards, %" PRIu32
                       " other routers and the generator; a group near the square root of %" PRIu32
                       " shards has the fewest",
                       fs_overlay_plan_key(site, arena, "group"), FS_MAX_PORTS, size_of(g, 0), g->routers - 1,
                       site->shards);
    return FS_OK;
}

static uint32_t entry_router(const fs_clique_params *p, const fs_overlay_site *site, const groups *g) {
    if (p->entry >= 0)
        return (uint32_t)p->entry / g->group;
    return site->entries > 0 ? site->entry[0] / g->group : g->routers / 2;
}

/* Ports of a router: its tracers, the other routers in their order, the generator. */
static void join_all(fs_plan *plan, const groups *g) {
    for (uint32_t s = 0; s < g->shards; s++)
        fs_overlay_plan_join(plan, g->shards + s / g->group, s);
    for (uint32_t a = 0; a < g->routers; a++)
        for (uint32_t b = a + 1; b < g->routers; b++)
            fs_overlay_plan_join(plan, g->shards + a, g->shards + b);
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_clique_params *p = params;
    if (site->shards == 0)
        return fs_fail(err, FS_INPUT, "overlay clique: expected at least one shard, found none");
    const uint32_t group = (uint32_t)p->group;
    const groups g = {site->shards, group, (site->shards - 1) / group + 1};
    uint32_t tile = 0;
    if (check_params(p, site, &g, arena, err) ||
        fs_overlay_plan_place_generator("clique", site, (uint64_t)g.shards + g.routers, p->generator.tile,
                                        arena, &tile, err))
        return err->status;
    fs_plan clique =
        fs_overlay_plan_begin("clique", site, g.shards + g.routers * (g.routers - 1) / 2 + 1, arena, out);
    fs_overlay_plan_tracers(&clique);
    fs_overlay_plan_generate(&clique, tile, &p->generator, 1);
    for (uint32_t r = 0; r < g.routers; r++) {
        out->role[g.shards + r] = FS_ROLE_ROUTER;
        out->level[g.shards + r] = 1;
        fs_overlay_plan_table_at(&clique, g.shards + r);
    }
    join_all(&clique, &g);
    fs_overlay_plan_join(&clique, g.shards + entry_router(p, site, &g), tile);
    const fs_plan_buffers buffers = {p->tracer_buffer, p->router_buffer, p->generator.buffer};
    if (fs_overlay_plan_finish(&clique, &buffers, err))
        return err->status;
    fs_overlay_plan_ways(out, arena, NULL);
    return FS_OK;
}

const fs_overlay_kind fs_overlay_clique = {
    .abi = FS_OVERLAY_ABI,
    .name = "clique",
    .summary =
        "groups of shards on routers all joined to one another: at most three lanes between two shards",
    .table = &fs_overlay_clique_table,
    .plan = plan,
};
