/* The device: a frame is an iteration of route, blend and exchange, each an engine call of its own with a barrier behind it. */
#include "workloads/gaussians/run.h"

#include "sim/config/config.h"

#include <string.h>

enum { MATRICES = 136, COUNTS = 4, COUNTERS = 20, VIEW_WORDS = 28, LISTED = 160, WORD = 4 };

/* Of a slot of the store: as in lanes on the mesh, packed where nothing else is said. */
static uint64_t store_bytes(const fs_gaussians_params *p) {
    return p->method == FS_GAUSSIANS_MESH ? fs_gaussians_slot_bytes(p) : FS_GAUSSIANS_BYTES;
}

/* ---- the overlay ---- */

/* Bytes of a tile beside its lanes for a share of the scene. */
static uint64_t tile_bytes(const fs_gaussians_run *r, uint64_t share) {
    const uint64_t slots = share + (uint64_t)r->params->extra;
    return slots * (store_bytes(r->params) + LISTED + WORD) +
           fs_gaussians_picture_bytes(r) / fs_gaussians_grid_of(r->params).tiles + MATRICES + VIEW_WORDS +
           r->programs[FS_GAUSSIANS_P_ROUTE]->code_bytes + r->programs[FS_GAUSSIANS_P_BLEND]->code_bytes;
}

/* Lanes take what a tile has left beside MOST_SHARE Gaussians of the scene, whichever scene it is. */
static fs_status plan_overlay(fs_gaussians_run *r, fs_error *err) {
    enum { MOST_SHARE = 100 };
    const fs_gaussians_grid grid = fs_gaussians_grid_of(r->params);
    const fs_memory_params *memory = &r->of.machine->memory;
    const uint64_t usable = (uint64_t)(memory->sram - memory->reserved), taken = tile_bytes(r, MOST_SHARE);
    const uint64_t code = r->programs[FS_GAUSSIANS_P_ROUTE]->code_bytes;
    uint64_t *free_bytes = FS_NEW(r->of.run.arena, uint64_t, grid.tiles);
    for (uint32_t t = 0; t < grid.tiles; t++)
        free_bytes[t] = usable > taken ? usable - taken : 0;
    const fs_overlay_site site = {.machine = r->of.machine,
                                  .shards = grid.tiles,
                                  .payload_bytes = FS_GAUSSIANS_BYTES,
                                  .free_tracer = free_bytes,
                                  .free_router = usable - code,
                                  .free_generator = usable - code,
                                  .config = r->of.run.config};
    if (fs_overlay_plan(&site, r->of.run.arena, &r->overlay, err))
        return err->status;
    r->over = &r->overlay;
    return FS_OK;
}

fs_status fs_gaussians_begin(fs_gaussians_run *r, fs_error *err) {
    const fs_config *config = r->of.run.config;
    r->of.machine = fs_config_section(config, "machine");
    r->of.run.how = fs_config_section(config, "run");
    r->params = fs_config_section(config, "workload");
    r->programs = fs_gaussians_programs(r->params, r->of.run.arena);
    for (uint32_t i = 0; i < FS_GAUSSIANS_PROGRAMS; i++)
        if (fs_program_price(r->programs[i], &r->of.machine->tile, &r->priced[i], err))
            return err->status;
    return r->params->method == FS_GAUSSIANS_OVERLAY ? plan_overlay(r, err) : FS_OK;
}

/* ---- memory ---- */

static const char *role_of(const void *self, uint32_t tile) {
    const fs_gaussians_run *r = self;
    if (r->over != NULL)
        return fs_role_names[r->over->role[tile]];
    return tile < fs_gaussians_grid_of(r->params).tiles ? "tile" : "spare";
}

/* A tile of the picture. */
static void add_tile(const fs_gaussians_run *r, fs_ledger *ledger, uint32_t tile, uint64_t store,
                     uint64_t list) {
    const fs_gaussians_params *p = r->params;
    if (p->method == FS_GAUSSIANS_MESH) {
        fs_ledger_add(ledger, tile, "in lanes", (uint64_t)FS_GAUSSIANS_SIDES * (uint64_t)p->lane);
        fs_ledger_add(ledger, tile, "out lanes", (uint64_t)FS_GAUSSIANS_SIDES * (uint64_t)p->lane);
    }
    if (p->method == FS_GAUSSIANS_GATHER)
        fs_ledger_add(ledger, tile, "rows",
                      2 * (uint64_t)p->gather_nearest * FS_GAUSSIANS_BYTES +
                          WORD * (uint64_t)p->gather_nearest);
    fs_ledger_add(ledger, tile, "store", store * store_bytes(p));
    fs_ledger_add(ledger, tile, "list", list * LISTED);
    fs_ledger_add(ledger, tile, "stack of the sort", list * WORD);
    fs_ledger_add(ledger, tile, "picture", (uint64_t)p->tile_width * (uint64_t)p->tile_height * WORD);
    fs_ledger_add(ledger, tile, "matrices", MATRICES);
    fs_ledger_add(ledger, tile, "numbers", VIEW_WORDS);
    fs_ledger_add(ledger, tile, "code",
                  r->programs[FS_GAUSSIANS_P_ROUTE]->code_bytes +
                      r->programs[FS_GAUSSIANS_P_BLEND]->code_bytes);
}

static void add_overlay(const fs_gaussians_run *r, fs_ledger *ledger) {
    const fs_overlay *o = r->over;
    for (uint32_t t = 0; t < o->tiles; t++)
        if (o->role[t] == FS_ROLE_ROUTER)
            fs_ledger_add(ledger, t, "code", r->programs[FS_GAUSSIANS_P_ROUTE]->code_bytes);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        const uint64_t bytes =
            (uint64_t)fs_lane_capacity(&o->lanes[l], FS_GAUSSIANS_BYTES) * FS_GAUSSIANS_BYTES;
        fs_ledger_add(ledger, o->lanes[l].src, "out lanes", bytes);
        fs_ledger_add(ledger, o->lanes[l].dst, "in lanes", bytes);
    }
}

fs_ledger *fs_gaussians_ledger(const fs_gaussians_run *r, uint32_t gaussians, fs_error *err) {
    const fs_gaussians_params *p = r->params;
    const fs_gaussians_grid grid = fs_gaussians_grid_of(p);
    const uint64_t share = (gaussians + grid.tiles - 1) / grid.tiles, extra = (uint64_t)p->extra;
    fs_ledger *ledger =
        fs_ledger_create(r->of.run.arena, fs_machine_tiles(r->of.machine), &r->of.machine->memory);
    for (uint32_t t = 0; t < grid.tiles; t++) {
        const uint32_t place = r->over != NULL ? r->over->tracer_tile[fs_gaussians_tracer(&grid, t)] : t;
        if (p->method == FS_GAUSSIANS_GATHER)
            add_tile(r, ledger, place, share, (uint64_t)p->gather_nearest);
        else
            add_tile(r, ledger, place, share + extra, share + extra);
    }
    if (r->over != NULL)
        add_overlay(r, ledger);
    return fs_ledger_check(ledger, role_of, r, err) ? NULL : ledger;
}

/* ---- the host ---- */

uint64_t fs_gaussians_picture_bytes(const fs_gaussians_run *r) {
    return (uint64_t)r->params->width * (uint64_t)r->params->height * WORD;
}

/* Offsets and counts where the host makes lists. */
uint64_t fs_gaussians_down(const fs_gaussians_run *r) {
    const uint64_t lists =
        (uint64_t)fs_gaussians_grid_of(r->params).tiles * ((uint64_t)r->params->gather_nearest + 1) * WORD;
    return MATRICES + (r->params->method == FS_GAUSSIANS_GATHER ? lists : 0);
}

/* ---- the plan ---- */

static fs_transfer *mesh_transfers(const fs_gaussians_run *r, uint32_t *count, uint64_t *own) {
    const fs_gaussians_grid grid = fs_gaussians_grid_of(r->params);
    fs_transfer *list = FS_NEW(r->of.run.arena, fs_transfer, (size_t)4 * grid.tiles);
    *count = 0;
    for (uint32_t t = 0; t < grid.tiles; t++)
        for (int side = 0; side < FS_GAUSSIANS_SIDES; side++) {
            const uint32_t to = fs_gaussians_neighbour(&grid, t, side);
            if (to != t)
                list[(*count)++] = (fs_transfer){t, to, (uint32_t)r->params->lane};
            else if (own != NULL)
                own[t] += (uint64_t)r->params->lane;
        }
    return list;
}

/* Whole lanes of a step, for all methods but direct; own: bytes of each tile's lanes to itself, [tiles] or NULL. */
static fs_transfer *transfers_of(const fs_gaussians_run *r, uint32_t *count, uint64_t *own) {
    fs_arena *arena = r->of.run.arena;
    if (r->params->method == FS_GAUSSIANS_MESH)
        return mesh_transfers(r, count, own);
    if (r->over != NULL) {
        fs_transfer *list = FS_NEW(arena, fs_transfer, r->over->lane_count);
        *count = r->over->lane_count;
        for (uint32_t l = 0; l < *count; l++) {
            const fs_lane *lane = &r->over->lanes[l];
            list[l] = (fs_transfer){lane->src, lane->dst,
                                    fs_lane_capacity(lane, FS_GAUSSIANS_BYTES) * FS_GAUSSIANS_BYTES};
        }
        return list;
    }
    /* Rows of a table that lies over all tiles: each tile sends as much as it takes in, here to the one half a picture on. */
    const uint32_t tiles = fs_gaussians_grid_of(r->params).tiles;
    fs_transfer *list = FS_NEW(arena, fs_transfer, tiles);
    *count = tiles > 1 ? tiles : 0;
    for (uint32_t t = 0; t < *count; t++)
        list[t] = (fs_transfer){t, (t + tiles / 2) % tiles,
                                (uint32_t)r->params->gather_nearest * FS_GAUSSIANS_BYTES};
    return list;
}

static uint8_t *runs_of(const fs_gaussians_run *r, int program, bool all) {
    const fs_gaussians_grid grid = fs_gaussians_grid_of(r->params);
    uint8_t *runs = FS_NEW(r->of.run.arena, uint8_t, fs_machine_tiles(r->of.machine));
    for (uint32_t t = 0; t < r->activity->tiles; t++)
        if (r->over == NULL ||
            (all ? r->over->role[t] != FS_ROLE_SPARE && r->over->role[t] != FS_ROLE_GENERATOR
                 : r->over->tracer_of_tile[t] < grid.tiles))
            runs[t] = (uint8_t)(program + 1);
    return runs;
}

static uint32_t most_moves(const fs_gaussians_activity *a) {
    uint64_t most = 1;
    for (uint64_t s = 0; s < a->steps; s++) {
        const uint64_t n = a->first_move[s + 1] - a->first_move[s];
        most = n > most ? n : most;
    }
    return (uint32_t)most;
}

static void label(fs_gaussians_run *r, const uint8_t *runs) {
    static const char *const roles[] = {"spare", "tile"};
    r->of.labels = (fs_books_labels){.roles = roles, .role_count = 2, .role = runs};
    if (r->over != NULL)
        r->of.labels =
            (fs_books_labels){.roles = fs_role_names, .role_count = FS_ROLE_COUNT, .role = r->over->role};
}

/* Its number is kept under what it is. */
static void add_step(fs_gaussians_run *r, fs_device_branch *branch, fs_device_step *steps, int which,
                     fs_device_step step) {
    r->step_of[which] = branch->step_count;
    step.only_active = true;
    steps[branch->step_count++] = step;
}

static void make_plan(fs_gaussians_run *r) {
    fs_arena *arena = r->of.run.arena;
    const int64_t method = r->params->method;
    const bool gathers = method == FS_GAUSSIANS_GATHER;
    fs_device_step *steps = FS_NEW(arena, fs_device_step, 4);
    fs_device_branch *branch = FS_NEW(arena, fs_device_branch, 1);
    fs_device_stage *stage = FS_NEW(arena, fs_device_stage, 1);
    const uint8_t *route = runs_of(r, FS_GAUSSIANS_P_ROUTE, true);
    r->own_bytes = FS_NEW(arena, uint64_t, r->activity->tiles);
    if (method != FS_GAUSSIANS_DIRECT)
        r->transfers = transfers_of(r, &r->transfer_count, r->own_bytes);
    fs_device_step exchange = {.name = gathers ? "pin" : "exchange",
                               .runs =
                                   method == FS_GAUSSIANS_MESH ? runs_of(r, FS_GAUSSIANS_P_COPY, true) : NULL,
                               .transfers = r->transfers,
                               .transfer_count = r->transfer_count,
                               .most_transfers = method == FS_GAUSSIANS_DIRECT ? most_moves(r->activity) : 0};
    memset(r->step_of, 0xff, sizeof r->step_of);
    branch->steps = steps;
    if (gathers) { /* the rows, and the copy that pins them: an exchange each */
        add_step(r, branch, steps, FS_GAUSSIANS_S_GATHER,
                 (fs_device_step){.name = "gather",
                                  .runs = runs_of(r, FS_GAUSSIANS_P_FIND, true),
                                  .transfers = r->transfers,
                                  .transfer_count = r->transfer_count});
        add_step(r, branch, steps, FS_GAUSSIANS_S_EXCHANGE, exchange);
    }
    add_step(r, branch, steps, FS_GAUSSIANS_S_ROUTE,
             (fs_device_step){.name = gathers ? "project" : "route", .runs = route, .meets = true});
    add_step(
        r, branch, steps, FS_GAUSSIANS_S_BLEND,
        (fs_device_step){.name = "blend", .runs = runs_of(r, FS_GAUSSIANS_P_BLEND, false), .meets = true});
    if (!gathers)
        add_step(r, branch, steps, FS_GAUSSIANS_S_EXCHANGE, exchange);
    *stage = (fs_device_stage){.branches = branch, .branch_count = 1};
    r->of.plan = (fs_device_plan){
        .tiles = fs_machine_tiles(r->of.machine),
        .program = r->programs,
        .programs = FS_GAUSSIANS_PROGRAMS,
        .stages = stage,
        .stage_count = 1,
        .first = {.visit = true, .bytes_to_device = fs_gaussians_down(r), .broadcast_bytes = MATRICES}};
    label(r, route);
}

/* ---- the device's client ---- */

static void count_tile(fs_gaussians_run *r, fs_moment at, uint32_t tile, const uint64_t *own) {
    const fs_gaussians_counts *c = fs_gaussians_counts_of(r->activity, at.iteration, tile);
    uint32_t *rows = fs_device_counts(r->of.device, tile);
    if (at.step == r->step_of[FS_GAUSSIANS_S_ROUTE])
        fs_gaussians_route_counts(r->params, &c->work, rows);
    else if (at.step == r->step_of[FS_GAUSSIANS_S_BLEND])
        fs_gaussians_blend_counts(r->activity, &c->blend, false, r->programs[FS_GAUSSIANS_P_BLEND], rows);
    else {
        const int program =
            at.step == r->step_of[FS_GAUSSIANS_S_GATHER] ? FS_GAUSSIANS_P_FIND : FS_GAUSSIANS_P_COPY;
        const uint64_t all =
            program == FS_GAUSSIANS_P_FIND ? c->work.event[FS_GAUSSIANS_OFFSET] : own[tile] / 8;
        for (uint32_t w = 0; w < r->activity->workers; w++)
            rows[(size_t)w * fs_program_width(r->programs[program])] =
                (uint32_t)((all + r->activity->workers - 1 - w) / r->activity->workers);
    }
    fs_device_done(r->of.device, tile);
}

static bool has_work(const fs_gaussians_run *r, fs_moment at, uint32_t tile, const uint64_t *own) {
    if (at.step == r->step_of[FS_GAUSSIANS_S_EXCHANGE])
        return own[tile] > 0;
    if (at.step == r->step_of[FS_GAUSSIANS_S_GATHER])
        return r->params->gather_bound == FS_GAUSSIANS_OFFSETS;
    return r->over == NULL ||
           (at.step == r->step_of[FS_GAUSSIANS_S_BLEND]
                ? r->over->role[tile] == FS_ROLE_TRACER
                : r->over->role[tile] == FS_ROLE_TRACER || r->over->role[tile] == FS_ROLE_ROUTER);
}

static fs_status on_compute(void *self, fs_moment at, const uint32_t **active, uint32_t *count,
                            fs_error *err) {
    (void)err;
    fs_gaussians_run *r = self;
    *active = r->active;
    *count = 0;
    for (uint32_t t = 0; t < r->activity->tiles; t++)
        if (has_work(r, at, t, r->own_bytes))
            r->active[(*count)++] = t;
#pragma omp parallel for schedule(static)
    for (uint32_t i = 0; i < *count; i++)
        count_tile(r, at, r->active[i], r->own_bytes);
    return FS_OK;
}

/* What lanes hold, of a dynamic exchange. */
static void fill_lanes(fs_gaussians_run *r, uint64_t step) {
    const fs_gaussians_activity *a = r->activity;
    for (uint32_t i = 0; i < r->transfer_count; i++)
        r->occupied[i] = r->transfers[i].bytes;
    if (r->over != NULL)
        for (uint64_t m = a->first_move[step]; m < a->first_move[step + 1]; m++)
            r->occupied[m - a->first_move[step]] = a->move[m].gaussians * FS_GAUSSIANS_BYTES;
}

static fs_status on_exchange(void *self, fs_moment at, const uint32_t **occupied, fs_error *err) {
    (void)err;
    fs_gaussians_run *r = self;
    const fs_gaussians_activity *a = r->activity;
    *occupied = NULL;
    if (r->params->method != FS_GAUSSIANS_DIRECT) {
        fill_lanes(r, at.iteration);
        *occupied = r->occupied;
        return FS_OK;
    }
    uint32_t n = 0;
    for (uint64_t m = a->first_move[at.iteration]; m < a->first_move[at.iteration + 1]; m++)
        r->moves[n++] =
            (fs_transfer){a->move[m].src, a->move[m].dst, a->move[m].gaussians * FS_GAUSSIANS_BYTES};
    fs_device_give_transfers(r->of.device, r->moves, n);
    return FS_OK;
}

static fs_status on_decide(void *self, uint64_t iteration, fs_host_visit *visit, bool *stop, fs_error *err) {
    (void)err;
    fs_gaussians_run *r = self;
    for (int s = 0; s < 4; s++)
        if (r->step_of[s] != UINT32_MAX) {
            const fs_step_times took = fs_device_step_times(r->of.device, r->step_of[s]);
            r->cycles_of[s] += took.compute + took.sync + took.exchange;
        }
    *stop = iteration + 1 == r->activity->steps;
    if (r->params->readback == FS_GAUSSIANS_NOTHING)
        return FS_OK;
    *visit = (fs_host_visit){
        .visit = true,
        .bytes_to_host = (uint64_t)r->activity->grid.tiles * (COUNTS + COUNTERS) +
                         (r->params->readback == FS_GAUSSIANS_PICTURE ? fs_gaussians_picture_bytes(r) : 0),
        .bytes_to_device = *stop ? 0 : fs_gaussians_down(r),
        .broadcast_bytes = *stop ? 0 : MATRICES};
    return FS_OK;
}

fs_status fs_gaussians_run_device(fs_gaussians_run *r, fs_error *err) {
    const fs_device_client client = {
        .self = r, .compute = on_compute, .exchange = on_exchange, .decide = on_decide};
    fs_arena *arena = r->of.run.arena;
    r->of.ledger = fs_gaussians_ledger(r, r->activity->gaussians, err);
    if (r->of.ledger == NULL)
        return err->status;
    make_plan(r);
    r->active = FS_NEW(arena, uint32_t, r->activity->tiles);
    r->occupied = FS_NEW(arena, uint32_t, r->transfer_count + 1);
    r->moves = FS_NEW(arena, fs_transfer, most_moves(r->activity));
    if (fs_chip_run_make(&r->of, err) ||
        fs_chip_run_device(&r->of, &client, "frames", r->activity->steps, err))
        return err->status;
    fs_gaussians_figures_make(r);
    return FS_OK;
}
