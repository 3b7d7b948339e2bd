/* The mesh: tracers that route, in rows and columns. */
#include "models/overlay/kinds/kinds.h"

#include <inttypes.h>

#define FS_ROWS_OF fs_mesh_params
static const fs_param rows[] = {
    FS_INT(columns, NONE, "0", 0, 1e9, "tiles across; 0: as square as possible", TRAFFIC),
    FS_INT(buffer, BYTES, "0 B", 0, 1e9,
           "SRAM of a tile for its lanes, shared equally among them; 0 B: what is left beside its shard",
           TRAFFIC),
    FS_INT(entry, NONE, "-1", -1, 1e9,
           "shard at whose tile the generator hangs; -1: the camera's, else the one in the middle", TRAFFIC),
    FS_PLAN_GENERATOR_ROWS(fs_mesh_params),
};

const fs_param_table fs_overlay_mesh_table = FS_PARAM_TABLE(
    "overlay/mesh", "two-dimensional mesh of tracers that route", rows, sizeof(fs_mesh_params));

/* Where shards lie; place p is column p mod columns of row p / columns. */
typedef struct grid {
    uint32_t shards, columns, rows;
    uint32_t *shard_at; /* [shards] of a place */
} grid;

static bool power_of_two(uint32_t n) {
    return n != 0 && (n & (n - 1)) == 0;
}

static uint32_t log2_of(uint32_t power) {
    uint32_t bits = 0;
    while (power >>= 1)
        bits++;
    return bits;
}

static uint32_t squarest(uint32_t shards) {
    if (power_of_two(shards))
        return UINT32_C(1) << (log2_of(shards) + 1) / 2;
    uint32_t columns = 1;
    while ((uint64_t)columns * columns < shards)
        columns++;
    return columns;
}

/* Bits of the shard from the highest on, dealt to the axis that still wants more of them, x first. */
static uint32_t morton_place(const grid *g, uint32_t shard) {
    uint32_t bits = log2_of(g->shards), x_bits = log2_of(g->columns), y_bits = bits - x_bits, x = 0, y = 0;
    while (bits-- > 0) {
        const uint32_t bit = shard >> bits & 1;
        if (x_bits >= y_bits) {
            x = x << 1 | bit;
            x_bits--;
        } else {
            y = y << 1 | bit;
            y_bits--;
        }
    }
    return y * g->columns + x;
}

static grid make_grid(uint32_t shards, uint32_t columns, fs_arena *arena) {
    grid g = {.shards = shards,
              .columns = columns,
              .rows = (shards - 1) / columns + 1,
              .shard_at = FS_NEW(arena, uint32_t, shards)};
    const bool morton = power_of_two(shards) && power_of_two(columns);
    for (uint32_t s = 0; s < shards; s++)
        g.shard_at[morton ? morton_place(&g, s) : s] = s;
    return g;
}

/* Ports of a tile, as far as it has them: left, right, up, down, generator. So the lowest port of a shortest way goes
 * along x first; in a short last row, where the way along x may end, up first. */
static void join_all(fs_plan *plan, const grid *g) {
    for (uint32_t p = 0; p + 1 < g->shards; p++)
        if ((p + 1) % g->columns != 0)
            fs_overlay_plan_join(plan, g->shard_at[p], g->shard_at[p + 1]);
    for (uint32_t p = 0; p + g->columns < g->shards; p++)
        fs_overlay_plan_join(plan, g->shard_at[p], g->shard_at[p + g->columns]);
}

static fs_status check_params(const fs_mesh_params *p, const fs_overlay_site *site, fs_arena *arena,
                              fs_error *err) {
    const uint32_t shards = site->shards;
    if (shards == 0)
        return fs_fail(err, FS_INPUT, "overlay mesh: expected at least one shard, found none");
    if (p->columns > shards)
        return fs_fail(err, FS_INPUT, "%s: expected at most as many as shards, %" PRIu32 ", found %" PRId64,
                       fs_overlay_plan_key(site, arena, "columns"), shards, p->columns);
    if (p->entry >= shards)
        return fs_fail(err, FS_INPUT, "%s: expected a shard (0 ... %" PRIu32 ") or -1, found %" PRId64,
                       fs_overlay_plan_key(site, arena, "entry"), shards - 1, p->entry);
    return FS_OK;
}

static uint32_t entry_of(const fs_mesh_params *p, const fs_overlay_site *site, const grid *g) {
    if (p->entry >= 0)
        return (uint32_t)p->entry;
    if (site->entries > 0)
        return site->entry[0];
    const uint32_t middle = g->rows / 2 * g->columns + g->columns / 2;
    return g->shard_at[middle < g->shards ? middle : g->shards - 1];
}

static fs_status plan(const void *params, const fs_overlay_site *site, fs_arena *arena, fs_overlay *out,
                      fs_error *err) {
    const fs_mesh_params *p = params;
    const uint32_t shards = site->shards;
    uint32_t tile = 0;
    if (check_params(p, site, arena, err) ||
        fs_overlay_plan_place_generator("mesh", site, shards, p->generator.tile, arena, &tile, err))
        return err->status;
    const grid g = make_grid(shards, p->columns > 0 ? (uint32_t)p->columns : squarest(shards), arena);
    fs_plan mesh = fs_overlay_plan_begin("mesh", site, 2 * shards + 1, arena, out);
    fs_overlay_plan_tracers(&mesh);
    fs_overlay_plan_generate(&mesh, tile, &p->generator, 0);
    for (uint32_t s = 0; s < shards; s++)
        fs_overlay_plan_table_at(&mesh, s);
    join_all(&mesh, &g);
    fs_overlay_plan_join(&mesh, entry_of(p, site, &g), tile);
    if (fs_overlay_plan_finish(&mesh, &(fs_plan_buffers){p->buffer, 0, p->generator.buffer}, err))
        return err->status;
    fs_overlay_plan_ways(out, arena, NULL);
    return FS_OK;
}

const fs_overlay_kind fs_overlay_mesh = {
    .abi = FS_OVERLAY_ABI,
    .name = "mesh",
    .summary = "grid of tiles that trace and route, x first: no routers, lanes live beside the shard",
    .table = &fs_overlay_mesh_table,
    .plan = plan,
};
