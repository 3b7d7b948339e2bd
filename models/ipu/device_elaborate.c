/* Elaboration of a device: programs are priced once, each step gets its fabric, each branch its tiles. */
#include "models/ipu/device_internal.h"

#include <string.h>

_Static_assert((int)FS_MACHINE_ROLES == (int)FS_ENERGY_KINDS,
               "each role is a kind of tile of the energy's books");

/* The tile that runs a program: the machine's, or that of its role. A program is priced once, so all tiles
 * that run it have to be alike. */
static fs_status tile_of(const fs_device *d, uint32_t class, fs_tile_params *tile, fs_error *err) {
    bool found = false;
    *tile = d->machine->tile;
    for (uint32_t s = 0; d->plan->role_of != NULL && s < d->step_count; s++) {
        const uint8_t *runs = fs_plan_step(d->plan, s)->runs;
        for (uint32_t t = 0; runs != NULL && t < d->tiles; t++) {
            if (runs[t] != class)
                continue;
            const uint32_t role = d->plan->role_of[t];
            FS_ASSERT(role < FS_MACHINE_ROLES, "tile %u has role %u", t, role);
            const int64_t workers = fs_machine_workers(d->machine, role),
                          clock = fs_machine_clock_permille(d->machine, role);
            if (found && (workers != tile->workers || clock != tile->clock_permille))
                return fs_fail(err, FS_INPUT,
                               "device: tiles of two roles that differ in workers or clock run one program");
            tile->workers = workers;
            tile->clock_permille = clock;
            found = true;
        }
    }
    return FS_OK;
}

static fs_status price_programs(fs_device *d, fs_arena *arena, fs_error *err) {
    const fs_device_plan *plan = d->plan;
    d->classes = plan->programs + 1;
    d->width = FS_MAX_EVENTS;
    d->priced = FS_NEW(arena, fs_priced_program, d->classes);
    d->idle = FS_NEW(arena, fs_tile_times, d->classes);
    d->no_idle = FS_NEW(arena, fs_tile_times, d->classes);
    for (uint32_t c = 1; c < d->classes; c++) {
        fs_tile_params tile;
        if (tile_of(d, c, &tile, err) || fs_program_price(plan->program[c - 1], &tile, &d->priced[c], err))
            return err->status;
        d->priced[c].tile_workers = d->workers; /* rows of books have the most; a tile's others are idle */
        fs_tile_times_closed(&d->priced[c], NULL, &d->idle[c]);
        d->width = d->priced[c].width > d->width ? d->priced[c].width : d->width;
    }
    return FS_OK;
}

static bool in_branch(const fs_branch *b, uint32_t tile) {
    const uint32_t group = b->device->plan->group_of != NULL ? b->device->plan->group_of[tile] : 0;
    for (uint32_t i = 0; i < b->group_count; i++)
        if (b->groups[i] == group)
            return true;
    return false;
}

/* Tiles of its groups, and how long a barrier over them takes. */
static void find_tiles(fs_branch *b, fs_arena *arena) {
    fs_device *d = b->device;
    b->group_count = b->plan->groups != NULL ? b->plan->group_count : d->groups;
    b->groups = FS_NEW(arena, uint32_t, b->group_count);
    for (uint32_t i = 0; i < b->group_count; i++)
        b->groups[i] = b->plan->groups != NULL ? b->plan->groups[i] : i;
    b->tiles = FS_NEW(arena, uint32_t, d->tiles);
    uint32_t skew = 0;
    for (uint32_t t = 0; t < d->tiles; t++) {
        if (!in_branch(b, t))
            continue;
        const uint32_t own = fs_sync_skew(&d->machine->sync, &d->machine->geometry, t);
        skew = own > skew ? own : skew;
        b->tiles[b->tile_count++] = t;
    }
    b->sync_cycles = (uint64_t)d->machine->sync.base + skew;
}

/* [tiles] of other branches, which exchange as they like; NULL: there are none. */
static const uint8_t *apart_of(const fs_branch *b, fs_arena *arena) {
    const uint32_t tiles = b->device->tiles;
    if (b->tile_count == tiles)
        return NULL;
    uint8_t *apart = FS_NEW(arena, uint8_t, tiles);
    memset(apart, 1, tiles);
    for (uint32_t i = 0; i < b->tile_count; i++)
        apart[b->tiles[i]] = 0;
    return apart;
}

static fs_status create_fabric(fs_branch *b, fs_step *s, fs_arena *arena, fs_error *err) {
    fs_device *d = b->device;
    const fs_exchange_params *p = &d->machine->exchange;
    const bool serial = p->copies != FS_EXCHANGE_MERGED && s->plan->copy_of != NULL,
               pairs = p->copies == FS_EXCHANGE_PAIRS && s->plan->pair_of != NULL;
    const fs_exchange_copies copies = {.of = pairs ? s->plan->pair_of : s->plan->copy_of,
                                       .count = pairs ? s->plan->pairs : s->plan->copies,
                                       .between = fs_sync_internal(&d->machine->sync, &d->machine->geometry) +
                                                  (uint64_t)p->program_overhead};
    s->fabric = s->plan->fabric;
    if (fs_external_make(d, s->plan, arena, &s->external, err))
        return err->status;
    const fs_exchange_lanes lanes = {.transfers =
                                         s->external != NULL ? s->external->inside : s->plan->transfers,
                                     .count = s->plan->transfer_count,
                                     .sent_with = s->plan->sent_with,
                                     .apart = apart_of(b, arena),
                                     .rotation = s->plan->rotation,
                                     .room = s->plan->most_transfers,
                                     .whole = s->plan->whole,
                                     .copies = serial ? &copies : NULL};
    fs_fabric_chip chip = fs_machine_fabric(d->machine, d->tiles);
    chip.beside = d->beside;
    if (s->fabric == NULL)
        s->fabric = fs_fabric_create(arena, &chip, &lanes, err);
    d->beside = d->beside == NULL ? s->fabric : d->beside;
    return s->fabric == NULL ? err->status : FS_OK;
}

static fs_status create_step(fs_branch *b, fs_step *s, fs_arena *arena, fs_error *err) {
    fs_device *d = b->device;
    if (d->stages[b->stage].branch_count > 1) {
        s->kept_active = FS_NEW(arena, uint32_t, d->tiles);
        s->kept_occupied = FS_NEW(arena, uint32_t, s->plan->transfer_count);
    }
    s->class_of = s->plan->runs != NULL ? s->plan->runs : FS_NEW(arena, uint8_t, d->tiles);
    s->class_tiles = FS_NEW(arena, uint32_t, d->classes);
    s->idle_tiles = FS_NEW(arena, uint32_t, d->classes);
    for (uint32_t i = 0; i < b->tile_count; i++)
        s->class_tiles[s->class_of[b->tiles[i]]]++;
    s->idle = s->plan->only_active ? d->no_idle : d->idle;
    s->compute = FS_NEW(arena, uint64_t, d->tiles);
    s->done = FS_NEW(arena, uint64_t, d->tiles);
    s->active_rounds = FS_NEW(arena, uint64_t, d->tiles);
    if (fs_step_is_local(s->plan) || d->plan->at_exchanges)
        s->sum = FS_NEW(arena, uint64_t, d->tiles);
    fs_energy_uses(&d->energy, s->class_of);
    if (create_fabric(b, s, arena, err))
        return err->status;
    s->transfers = s->plan->transfers;
    s->transfer_count = s->plan->rotation > 0 ? d->tiles * (d->tiles - 1) : s->plan->transfer_count;
    s->open_bytes = FS_NEW(arena, uint32_t, s->plan->most_transfers);
    s->routes = s->plan->rotation > 0
                    ? fs_energy_routes_rotated(&d->machine->geometry, d->tiles, s->plan->rotation, arena)
                    : fs_energy_routes_make(&d->machine->geometry, s->fabric, s->plan->transfers,
                                            s->plan->transfer_count, arena);
    return FS_OK;
}

/* Most calls that the client may price for a tile before time passes. */
static uint32_t most_calls(const fs_device *d, const fs_device_branch *plan) {
    const bool merged = d->machine->sync.local == FS_SYNC_LOCAL_MERGED;
    uint64_t most = 1, run = 0, all = 0;
    bool local = true, again = false;
    for (uint32_t pass = 0; pass < 2; pass++) /* a run may go on from the last step to the first */
        for (uint32_t i = 0; i < plan->step_count; i++) {
            const fs_device_step *s = &plan->steps[i];
            const uint64_t calls = fs_plan_times(s->calls), rounds = fs_plan_times(s->times);
            const bool joins = merged && !fs_step_meets(s);
            run = joins ? run + calls * rounds : (d->plan->at_exchanges ? run : 0) + calls;
            all += pass == 0 ? calls * rounds : 0;
            local = local && joins;
            most = run > most ? run : most;
            run = joins ? run : 0;
            if (s->loop > 0) { /* and from the last step of a loop to its first */
                again = !again;
                i -= again ? s->loop : 0;
            }
        }
    most = local ? all * fs_plan_times(plan->times) : most;
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static fs_status create_branch(fs_branch *b, fs_arena *arena, fs_error *err) {
    fs_device *d = b->device;
    const uint32_t calls = most_calls(d, b->plan);
    d->most_calls = calls > d->most_calls ? calls : d->most_calls;
    find_tiles(b, arena);
    if (b->tile_count == 0)
        return fs_fail(err, FS_INPUT, "device: a branch whose groups have no tile");
    for (uint32_t i = 0; i < b->plan->step_count; i++)
        if (create_step(b, &b->steps[i], arena, err))
            return err->status;
    return FS_OK;
}

uint64_t fs_machine_network_area(const fs_machine_params *m, const fs_noc_graph *graph) {
    const fs_area_network network = fs_area_network_of(graph, &m->noc);
    const fs_area_tile tile = {.sram = (uint64_t)m->memory.sram,
                               .units = m->matrix.units > 0 ? (uint64_t)m->matrix.units : 16};
    return fs_area_in_tiles(&m->area, &tile, &network);
}

/* What a tile of a role has of the machine's tile: clock, and leakage as its area goes. */
static fs_energy_tile energy_tile_of(const fs_machine_params *m, uint32_t role) {
    const double units = m->matrix.units > 0 ? (double)m->matrix.units : 16,
                 rest = m->area.logic + m->area.port + units * m->area.matrix_unit,
                 usual = rest + (double)m->memory.sram / 1024 * m->area.sram_kib,
                 own = rest + (double)fs_machine_sram(m, role) / 1024 * m->area.sram_kib;
    return (fs_energy_tile){.clock = fs_machine_clock_permille(m, role),
                            .leakage = usual > 0 ? (uint32_t)(1000 * own / usual + 0.5) : 1000};
}

fs_status fs_device_elaborate(fs_device *d, fs_arena *arena, fs_error *err) {
    const fs_device_plan *plan = d->plan;
    fs_energy_tile kinds[FS_MACHINE_ROLES];
    for (uint32_t r = 0; r < FS_MACHINE_ROLES; r++)
        kinds[r] = energy_tile_of(d->machine, r);
    if (price_programs(d, arena, err))
        return err->status;
    const fs_energy_setup energy = {.params = &d->machine->energy,
                                    .geometry = &d->machine->geometry,
                                    .clock = d->machine->clock,
                                    .tiles = d->tiles,
                                    .kind_of = plan->role_of,
                                    .kinds = kinds,
                                    .kind_count = FS_MACHINE_ROLES,
                                    .classes = d->classes,
                                    .priced = d->priced};
    fs_energy_create(&d->energy, &energy, arena);
    if (fs_machine_chips(d->machine) > 1)
        d->chips =
            fs_chips_create(arena, &d->machine->fabric, fs_machine_chips(d->machine), d->machine->clock);
    d->sum = FS_NEW(arena, uint64_t, d->tiles);
    d->group = FS_NEW(arena, fs_device_group, d->groups);
    d->steps = FS_NEW(arena, fs_step, d->step_count);
    d->step_totals = FS_NEW(arena, fs_device_step_totals, d->step_count);
    d->stages = FS_NEW(arena, fs_stage_run, plan->stage_count);
    for (uint32_t i = 0; i < d->step_count && d->beside == NULL; i++)
        d->beside = fs_plan_step(plan, i)->fabric;
    uint32_t number = 0;
    for (uint32_t i = 0; i < plan->stage_count; i++) {
        fs_stage_run *stage = &d->stages[i];
        stage->branch_count = plan->stages[i].branch_count;
        stage->branches = FS_NEW(arena, fs_branch, stage->branch_count);
        for (uint32_t slot = 0; slot < stage->branch_count; slot++) {
            fs_branch *b = &stage->branches[slot];
            *b = (fs_branch){.device = d,
                             .plan = &plan->stages[i].branches[slot],
                             .stage = i,
                             .slot = slot,
                             .steps = &d->steps[number]};
            for (uint32_t s = 0; s < b->plan->step_count; s++, number++)
                d->steps[number] = (fs_step){.plan = &b->plan->steps[s], .number = number};
            if (create_branch(b, arena, err))
                return err->status;
        }
    }
    const fs_fabric_network *network = fs_fabric_network_of(d->steps[0].fabric);
    if (network != NULL)
        fs_energy_network(&d->energy, fs_machine_network_area(d->machine, network->graph),
                          fs_noc_work_of_tree(network->graph, (uint32_t)d->machine->noc.vcs, 0,
                                              network->end_of[plan->host_tile], network->end_of, d->tiles));
    fs_energy_ready(&d->energy);
    return FS_OK;
}

fs_status fs_device_plan_phases(const fs_device *d, fs_error *err) {
    fs_fabric **fabric = fs_malloc(d->step_count * sizeof *fabric);
    for (uint32_t i = 0; i < d->step_count; i++)
        fabric[i] = d->steps[i].fabric;
    const fs_status status = fs_fabric_plan(fabric, d->step_count, err);
    free(fabric);
    return status;
}
