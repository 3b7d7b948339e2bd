/* The mesh: tracers that route, in rows and columns. */
#include "models/overlay/kinds/mesh.h"

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

enum { LEFT, RIGHT, UP, DOWN, WAYS };

/* Where shards lie; place p is column p mod columns of row p / columns. */
typedef struct grid {
    uint32_t shards, columns, rows;
    uint32_t *place;    /* [shards] */
    uint32_t *shard_at; /* [shards] of a place */
    uint8_t *port;      /* [shards * WAYS] of a place */
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
              .place = FS_NEW(arena, uint32_t, shards),
              .shard_at = FS_NEW(arena, uint32_t, shards),
              .port = FS_NEW(arena, uint8_t, (size_t)shards * WAYS)};
    const bool morton = power_of_two(shards) && power_of_two(columns);
    for (uint32_t s = 0; s < shards; s++) {
        g.place[s] = morton ? morton_place(&g, s) : s;
        g.shard_at[g.place[s]] = s;
    }
    return g;
}

/* The way from one place to another, x first. In a short last row the way along x may end: then up first. */
static uint32_t way(const grid *g, uint32_t from, uint32_t to) {
    const uint32_t x = from % g->columns, y = from / g->columns, to_x = to % g->columns,
                   to_y = to / g->columns;
    if (to_x < x)
        return LEFT;
    if (to_x > x)
        return from + 1 < g->shards ? RIGHT : UP;
    return to_y < y ? UP : DOWN;
}

static void join(fs_plan *plan, grid *g, uint32_t from, uint32_t to, int there, int back) {
    const uint32_t a = g->shard_at[from], b = g->shard_at[to];
    g->port[(size_t)from * WAYS + (size_t)there] = (uint8_t)plan->degree[a];
    g->port[(size_t)to * WAYS + (size_t)back] = (uint8_t)plan->degree[b];
    fs_overlay_plan_join(plan, a, b);
}

/* Ports of a tile, as far as it has them: left, right, up, down, generator. */
static void join_all(fs_plan *plan, grid *g) {
    for (uint32_t p = 0; p + 1 < g->shards; p++)
        if ((p + 1) % g->columns != 0)
            join(plan, g, p, p + 1, RIGHT, LEFT);
    for (uint32_t p = 0; p + g->columns < g->shards; p++)
        join(plan, g, p, p + g->columns, DOWN, UP);
}

static void route(const fs_overlay *o, const grid *g) {
    for (uint32_t s = 0; s < o->tracers; s++) {
        uint8_t *port = fs_overlay_plan_table(o, s);
        for (uint32_t goal = 0; goal < o->tracers; goal++)
            if (goal != s)
                port[goal] = g->port[(size_t)g->place[s] * WAYS + way(g, g->place[s], g->place[goal])];
    }
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
    fs_status status = check_params(p, site, arena, err);
    if (!status)
        status = fs_overlay_plan_place_generator("mesh", site, shards, p->generator.tile, arena, &tile, err);
    if (status)
        return status;
    grid g = make_grid(shards, p->columns > 0 ? (uint32_t)p->columns : squarest(shards), arena);
    fs_plan mesh = fs_overlay_plan_begin("mesh", site, 2 * shards + 1, arena, out);
    fs_overlay_plan_tracers(&mesh);
    fs_overlay_plan_generate(&mesh, tile, &p->generator, 0);
    for (uint32_t s = 0; s < shards; s++)
        fs_overlay_plan_table_at(&mesh, s);
    join_all(&mesh, &g);
    fs_overlay_plan_join(&mesh, entry_of(p, site, &g), tile);
    status = fs_overlay_plan_finish(&mesh, &(fs_plan_buffers){p->buffer, 0, p->generator.buffer}, err);
    if (!status)
        route(out, &g);
    return status;
}

const fs_overlay_kind fs_overlay_mesh = {
    .abi = FS_OVERLAY_ABI,
    .name = "mesh",
    .summary = "grid of tiles that trace and route, x first: no routers, lanes live beside the shard",
    .table = &fs_overlay_mesh_table,
    .plan = plan,
};
