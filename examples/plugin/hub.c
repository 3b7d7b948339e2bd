/* A network that foamsim does not have, as a plug-in: all shards on one ring of routers.
 *
 *     cc -shared -fPIC $(pkg-config --cflags foamsim-plugin) hub.c -o hub.so
 *     foamsim --plugin ./hub.so run first-look --set overlay.kind=hub --set overlay.group=64
 *
 * `group` shards hang on each router, the last group may be smaller; routers stand in a ring, the generator
 * hangs on the first. Rays take the shorter way round, the way up where both are equal: at most routers / 2 +
 * 2 lanes.
 */
#include "models/overlay/plan.h"
#include "registry/plugin.h"

typedef struct hub_params {
    int64_t group, router_buffer, tracer_buffer;
    fs_plan_generator generator;
} hub_params;

static const fs_param rows[] = {
    FS_PARAM_INT("group", hub_params, group, NONE, "16", 1, FS_MAX_PORTS - 3, "shards of a router", TRAFFIC),
    FS_PLAN_BUFFER_ROWS(hub_params, "shared equally among them", "one in and one out"),
    FS_PLAN_GENERATOR_ROWS(hub_params),
};
static const fs_param_table table =
    FS_PARAM_TABLE("overlay/hub", "groups of shards on a ring of routers", rows, sizeof(hub_params));

/* Router r is tile shards + r; its ports: its shards, the next router, the one before (where there are
 * three). */
typedef struct ring {
    uint32_t shards, group, routers;
} ring;

static uint32_t shards_of(const ring *g, uint32_t router) {
    const uint32_t rest = g->shards - router * g->group;
    return rest < g->group ? rest : g->group;
}

/* Port of router `at` towards router `to`. The order of joins is the order of ports: router r joins r + 1 in
 * turn, so every router but the first hears of the one before first. */
static uint32_t towards(const ring *g, uint32_t at, uint32_t to) {
    const uint32_t up = (to + g->routers - at) % g->routers;
    const int next = up <= g->routers - up || g->routers == 2;
    const uint32_t first = shards_of(g, at);
    if (g->routers == 2)
        return first;
    return at == 0 ? first + (next ? 0 : 1) : first + (next ? 1 : 0);
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const hub_params *p = params;
    if (site->shards == 0)
        return fs_fail(err, FS_INPUT, "overlay hub: expected at least one shard, found none");
    const ring g = {site->shards, (uint32_t)p->group, (site->shards - 1) / (uint32_t)p->group + 1};
    uint32_t tile = 0;
    if (fs_overlay_plan_place_generator("hub", site, (uint64_t)g.shards + g.routers, p->generator.tile, arena,
                                        &tile, err))
        return err->status;
    fs_plan hub = fs_overlay_plan_begin("hub", site, g.shards + g.routers + 1, arena, out);
    fs_overlay_plan_tracers(&hub);
    fs_overlay_plan_generate(&hub, tile, &p->generator, 1);
    for (uint32_t r = 0; r < g.routers; r++) {
        out->role[g.shards + r] = FS_ROLE_ROUTER;
        out->level[g.shards + r] = 1;
        fs_overlay_plan_table_at(&hub, g.shards + r);
    }
    for (uint32_t s = 0; s < g.shards; s++)
        fs_overlay_plan_join(&hub, g.shards + s / g.group, s);
    for (uint32_t r = 0; r + 1 < g.routers; r++)
        fs_overlay_plan_join(&hub, g.shards + r, g.shards + r + 1);
    if (g.routers > 2)
        fs_overlay_plan_join(&hub, g.shards + g.routers - 1, g.shards);
    fs_overlay_plan_join(&hub, g.shards, tile);
    if (fs_overlay_plan_finish(
            &hub, &(fs_plan_buffers){p->tracer_buffer, p->router_buffer, p->generator.buffer}, err))
        return err->status;
    for (uint32_t r = 0; r < g.routers; r++)
        for (uint32_t goal = 0; goal < g.shards; goal++)
            fs_overlay_plan_table(out, g.shards + r)[goal] =
                (uint8_t)(goal / g.group == r ? goal % g.group : towards(&g, r, goal / g.group));
    return FS_OK;
}

static const fs_overlay_kind hub = {.abi = FS_OVERLAY_ABI,
                                    .name = "hub",
                                    .summary = "groups of shards on a ring of routers",
                                    .table = &table,
                                    .plan = plan};
static const fs_overlay_kind *const overlays[] = {&hub, NULL};
FS_PLUGIN(.overlays = overlays);
