/* Shards joined to their neighbours: no routers, rays go on from shard to shard. */
#include "models/overlay/kinds/kinds.h"

#include <inttypes.h>

#define FS_ROWS_OF fs_direct_params
static const fs_param rows[] = {
    FS_INT(lane_buffer, BYTES, "57600 B", 0, 1e9,
           "SRAM that a tracer gives each end of a lane; 0 B: what is left, shared equally among its lanes; "
           "shared: what is left as one queue in and one out, which any lane may fill (needs execution "
           "decoupled)",
           TRAFFIC, .from = {"RF section 5.5 (the quadtree tracer's)", 'A'}, .word = "shared"),
    FS_INT(entry, NONE, "-1", -1, 1e9,
           "shard that the generator sends to; -1: those of the cameras, else the middle one", TRAFFIC),
    FS_PLAN_GENERATOR_ROWS(fs_direct_params),
};

const fs_param_table fs_overlay_direct_table = FS_PARAM_TABLE(
    "overlay/direct", "a lane between every two shards that touch", rows, sizeof(fs_direct_params));

static fs_status check_params(const fs_direct_params *p, const fs_overlay_site *site, fs_arena *arena,
                              fs_error *err) {
    if (site->shards == 0)
        return fs_fail(err, FS_INPUT, "overlay direct: expected at least one shard, found none");
    if (site->neighbour_start == NULL)
        return fs_fail(err, FS_INPUT,
                       "overlay direct: joins shards that touch, and the workload does not say which do; use "
                       "another overlay");
    if (p->entry >= site->shards)
        return fs_fail(err, FS_INPUT, "%s: expected a shard (0 ... %" PRIu32 ") or -1, found %" PRId64,
                       fs_overlay_plan_key(site, arena, "entry"), site->shards - 1, p->entry);
    if (p->lane_buffer == FS_WORD_VALUE && site->machine->execution != FS_EXECUTION_DECOUPLED)
        return fs_fail(err, FS_INPUT,
                       "%s: between barriers nobody says how much of a shared queue others fill in the same "
                       "exchange; expected a number of bytes, or machine.execution decoupled, whose window "
                       "is no larger than a queue; found shared",
                       fs_overlay_plan_key(site, arena, "lane_buffer"));
    if (p->lane_buffer > 0 && p->lane_buffer < site->payload_bytes)
        return fs_fail(err, FS_INPUT,
                       "%s: expected 0 B or at least a ray of %" PRIu32 " B, found %" PRId64 " B",
                       fs_overlay_plan_key(site, arena, "lane_buffer"), site->payload_bytes, p->lane_buffer);
    return FS_OK;
}

/* Joins the generator to the entry shards, each once, in ascending order. */
static void join_generator(fs_plan *plan, const fs_direct_params *p, uint32_t generator) {
    const fs_overlay_site *site = plan->site;
    bool *entry = FS_NEW(plan->arena, bool, site->shards);
    if (p->entry >= 0 || site->entries == 0)
        entry[p->entry >= 0 ? (uint32_t)p->entry : site->shards / 2] = true;
    else
        for (uint32_t i = 0; i < site->entries; i++)
            entry[site->entry[i]] = true;
    for (uint32_t s = 0; s < site->shards; s++)
        if (entry[s])
            fs_overlay_plan_join(plan, s, generator);
    if (plan->degree[generator] > 1)
        fs_overlay_plan_table_at(plan, generator);
}

/* Ports of a tracer: its neighbours in ascending order, then the generator. */
static void join_shards(fs_plan *plan) {
    const fs_overlay_site *site = plan->site;
    for (uint32_t s = 0; s < site->shards; s++) {
        fs_overlay_plan_table_at(plan, s);
        for (uint32_t i = site->neighbour_start[s]; i < site->neighbour_start[s + 1]; i++)
            if (site->neighbour[i] > s)
                fs_overlay_plan_join(plan, s, site->neighbour[i]);
    }
}

static void give_lanes(fs_overlay *o, int64_t bytes) {
    const uint32_t share = (uint32_t)(bytes / FS_PLAN_WORD * FS_PLAN_WORD);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        fs_lane *lane = &o->lanes[l];
        lane->src_share = o->role[lane->src] == FS_ROLE_TRACER ? share : 0;
        lane->dst_share = o->role[lane->dst] == FS_ROLE_TRACER ? share : 0;
    }
}

/* Lanes go both ways: shards from which all reach the first one all reach one another. */
static fs_status check_chains(const fs_overlay *o, fs_arena *arena, fs_error *err) {
    uint32_t *hops = FS_NEW(arena, uint32_t, o->tiles), *queue = FS_NEW(arena, uint32_t, o->tiles);
    fs_overlay_plan_hops(o, 0, hops, queue);
    for (uint32_t t = 0; t < o->tiles; t++)
        if (o->route_start[t] >= 0 && hops[t] == UINT32_MAX)
            return fs_fail(err, FS_INPUT,
                           "overlay direct: no chain of shards that touch leads from shard %" PRIu32
                           " to shard 0",
                           o->shard_of_tile[t]);
    return FS_OK;
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_direct_params *p = params;
    uint32_t tile = 0;
    if (check_params(p, site, arena, err) ||
        fs_overlay_plan_place_generator("direct", site, site->shards, p->generator.tile, arena, &tile, err))
        return err->status;
    const uint32_t pairs = site->neighbour_start[site->shards] / 2 + site->shards;
    fs_plan direct = fs_overlay_plan_begin("direct", site, pairs, arena, out);
    fs_overlay_plan_tracers(&direct);
    fs_overlay_plan_generate(&direct, tile, &p->generator, 0);
    join_shards(&direct);
    join_generator(&direct, p, tile);
    out->shares_queues = p->lane_buffer == FS_WORD_VALUE;
    if (p->lane_buffer > 0)
        give_lanes(out, p->lane_buffer);
    if (fs_overlay_plan_finish(&direct, &(fs_plan_buffers){0, 0, p->generator.buffer}, err) ||
        check_chains(out, arena, err))
        return err->status;
    fs_overlay_plan_ways(out, arena, NULL);
    return FS_OK;
}

const fs_overlay_kind fs_overlay_direct = {
    .abi = FS_OVERLAY_ABI,
    .name = "direct",
    .summary = "a lane between every two shards that touch: no routers, many small lanes",
    .table = &fs_overlay_direct_table,
    .by_neighbours = true,
    .plan = plan,
};
