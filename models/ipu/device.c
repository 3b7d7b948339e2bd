/* The device as its client sees it. */
#include "models/ipu/device_internal.h"

#include <inttypes.h>

static bool samples(const fs_machine_params *machine) {
    const fs_fabric_chip chip = fs_machine_fabric(machine, fs_machine_tiles(machine));
    return fs_fabric_samples(&chip);
}

/* Its phase is known at the end of the run alone, where the network is sampled. */
static bool may_be_sampled(const fs_device_step *step) {
    return !fs_step_is_local(step) && !step->whole;
}

/* Branches of the stage that exchange something; *sampled: in phases that may be sampled, some of them. */
static uint32_t exchanging(const fs_device_stage *stage, bool *sampled) {
    uint32_t count = 0;
    for (const fs_device_branch *b = stage->branches; b < stage->branches + stage->branch_count; b++) {
        bool exchanges = false;
        for (uint32_t i = 0; i < b->step_count; i++) {
            exchanges = exchanges || !fs_step_is_local(&b->steps[i]);
            *sampled = *sampled || may_be_sampled(&b->steps[i]);
        }
        count += exchanges;
    }
    return count;
}

/* Branches of a stage exchange whenever each is ready. Ports do not care; a network would be in both phases, and
 * which branch takes longest has to be known when the stage ends. */
static fs_status check_stages(const fs_machine_params *machine, const fs_device_plan *plan, fs_error *err) {
    for (uint32_t s = 0; s < plan->stage_count && machine->exchange.kind != FS_FABRIC_PORTS; s++) {
        bool sampled = false;
        if (plan->stages[s].branch_count == 1)
            continue;
        if (exchanging(&plan->stages[s], &sampled) > 1)
            return fs_fail(
                err, FS_INPUT,
                "machine.exchange.kind: this workload has groups of tiles that exchange beside each "
                "other, each when it is ready, which phases over one network are not; expected ports");
        if (sampled && samples(machine))
            return fs_fail(err, FS_INPUT,
                           "machine.exchange.noc.detail: groups of tiles work beside each other, and which "
                           "takes longest is known with all phases alone; expected flits, found sampled");
    }
    for (uint32_t s = 0; s < plan->stage_count && fs_machine_chips(machine) > 1; s++)
        if (plan->stages[s].branch_count > 1)
            return fs_fail(
                err, FS_INPUT,
                "machine.chips: this workload has groups of tiles that exchange beside each other, and "
                "chips meet as a whole; expected 1, found %u",
                fs_machine_chips(machine));
    return FS_OK;
}

/* What a step moves anew in each round is not planned, and a rotation is. */
static fs_status check_open(const fs_machine_params *machine, const fs_device_plan *plan, fs_error *err) {
    const bool plans = fs_fabric_plans(&machine->exchange);
    for (uint32_t i = 0; i < fs_plan_steps(plan); i++) {
        const fs_device_step *s = fs_plan_step(plan, i);
        if (s->most_transfers > 0 && (plans || machine->exchange.kind == FS_FABRIC_CIRCUIT))
            return fs_fail(
                err, FS_INPUT,
                "machine.exchange.mode: what moves is known in each step alone, so no exchange can be "
                "planned for it; expected dynamic, of kind ports or noc");
        if (s->whole && !plans && machine->exchange.kind != FS_FABRIC_NOC)
            return fs_fail(err, FS_INPUT,
                           "machine.exchange.mode: what moves is the same in every round; expected static of "
                           "kind ports, or kind noc");
        if (s->rotation > 0 && fs_machine_tiles(machine) > UINT16_MAX)
            return fs_fail(err, FS_INPUT, "device: a rotation over %" PRIu32 " tiles; expected at most %d",
                           fs_machine_tiles(machine), UINT16_MAX);
        if (s->rotation > 0 && fs_machine_chips(machine) > 1)
            return fs_fail(
                err, FS_INPUT,
                "machine.chips: a rotation is a planned exchange over the ports of one chip; expected 1, "
                "found %" PRIu32,
                fs_machine_chips(machine));
        if (s->most_transfers > 0 && fs_machine_chips(machine) > 2 && machine->fabric.kind == FS_CHIPS_PAIRS)
            return fs_fail(
                err, FS_INPUT,
                "machine.fabric.kind: any tile may send to any other, and pairs joins two chips alone; "
                "expected ladder, ring or all");
        if (s->rotation > 0 && !plans)
            return fs_fail(
                err, FS_INPUT,
                "machine.exchange.mode: a rotation is a planned exchange over ports; expected static "
                "of kind ports");
    }
    return FS_OK;
}

fs_device *fs_device_create(fs_arena *arena, const fs_machine_params *machine, const fs_device_plan *plan,
                            fs_detail detail, fs_error *err) {
    const uint32_t tiles = fs_machine_tiles(machine);
    if (machine->exchange.copies != FS_EXCHANGE_MERGED && !fs_fabric_plans(&machine->exchange))
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "machine.exchange.copies: serial copies and those by pairs are of a static exchange; expected "
            "exchange.mode static, found dynamic");
    if (machine->exchange.kind == FS_FABRIC_CIRCUIT && detail != FS_DETAIL_PHASE)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "run.detail: circuits are of bulk phases; expected phase, found event");
    if (detail != FS_DETAIL_PHASE && samples(machine))
        return FS_FAIL_NULL(err, FS_INPUT,
                            "machine.exchange.noc.detail: phases are sampled as a whole; expected flits, or "
                            "run.detail phase, found sampled");
    if (fs_plan_check(plan, tiles, err) || check_open(machine, plan, err) || check_stages(machine, plan, err))
        return NULL;
    fs_device *d = FS_NEW(arena, fs_device, 1);
    fs_device_plan *kept = FS_NEW(arena, fs_device_plan, 1);
    *kept = *plan;
    kept->first.visit = true;
    *d = (fs_device){.machine = machine,
                     .plan = kept,
                     .tiles = tiles,
                     .workers = (uint32_t)fs_machine_most_workers(machine),
                     .groups = fs_plan_groups(plan),
                     .step_count = fs_plan_steps(plan)};
    if (fs_device_elaborate(d, arena, err))
        return NULL;
    for (uint32_t i = 0; i < d->step_count && samples(machine); i++)
        if (d->samples == NULL && may_be_sampled(d->steps[i].plan))
            d->samples = fs_samples_create(arena, d->step_count);
    d->energy.mends = d->samples != NULL;
    fs_books_create(&d->books, tiles, d->workers, arena);
    d->level = detail == FS_DETAIL_PHASE ? &fs_phase_level : &fs_event_level;
    d->level_state = d->level->create(d, arena, err);
    return d->level_state != NULL ? d : NULL;
}

void fs_device_give_transfers(fs_device *d, const fs_transfer *transfers, uint32_t count) {
    fs_step *s = d->now;
    FS_ASSERT(count <= s->plan->most_transfers, "%u transfers of an open step of %u", count,
              s->plan->most_transfers);
    for (uint32_t i = 0; i < count; i++) {
        FS_ASSERT(transfers[i].bytes > 0 && (i == 0 || transfers[i].src >= transfers[i - 1].src),
                  "transfer %u of an open step", i);
        s->open_bytes[i] = transfers[i].bytes;
    }
    s->transfers = transfers;
    s->transfer_count = count;
    fs_fabric_set(s->fabric, transfers, count);
    if (s->external != NULL)
        fs_external_open(d, s);
}

uint32_t *fs_device_counts(fs_device *d, uint32_t tile) {
    return d->level->counts(d, tile);
}

/* The tile is active in the round that is asked for. */
static void note_active(fs_step *s, uint32_t tile) {
    if (s->done[tile] == s->round)
        return;
    s->done[tile] = s->round;
    s->active_rounds[tile] += s->weight;
    s->compute[tile] = 0;
}

void fs_device_done_times(fs_device *d, uint32_t tile, uint32_t times) {
    FS_ASSERT(tile < d->tiles && d->now->class_of[tile] > 0, "tile %u runs no program", tile);
    note_active(d->now, tile);
    uint32_t *counted = d->level->counts(d, tile);
    fs_energy_call(&d->energy, tile, d->now->class_of[tile], counted, (uint64_t)d->now->weight * times);
    d->level->done(d, tile, counted, times);
}

void fs_device_done(fs_device *d, uint32_t tile) {
    fs_device_done_times(d, tile, 1);
}

void fs_device_give(fs_device *d, const uint32_t *tiles, const uint32_t *cycles, uint32_t count) {
    fs_step *s = d->now;
    FS_ASSERT(s->weight == 1, "cycles are given of rounds that stand for themselves");
    d->given = true;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = tiles[i];
        s->done[t] = s->round;
        s->active_rounds[t]++;
        s->compute[t] = cycles[i];
        d->books.compute[t] += cycles[i];
    }
}

void fs_device_give_tiles(fs_device *d, uint32_t tile, uint64_t cycles, uint32_t tiles) {
    fs_step *s = d->now;
    d->given = true;
    note_active(s, tile);
    fs_energy_given(&d->energy, s->class_of[tile], (uint64_t)s->weight * tiles);
    s->compute[tile] += cycles;
    d->books.compute[tile] += s->weight * cycles;
}

void fs_device_give_counts(fs_device *d, uint32_t program, const uint64_t *row) {
    fs_energy_give(&d->energy, program + 1, row);
}

void fs_device_give_moved(fs_device *d, fs_moved moved) {
    fs_energy_give_moved(&d->energy, moved);
}

void fs_device_multiplied(fs_device *d, uint32_t tile, fs_amp_type type, uint64_t macs) {
    fs_energy_multiply(&d->energy, tile, type, d->now->weight * macs);
}

void fs_device_streamed(fs_device *d, uint64_t bytes) {
    fs_energy_dram(&d->energy, d->now->weight * bytes);
}

void fs_device_linked(fs_device *d, uint64_t bytes) {
    fs_energy_host(&d->energy, d->now->weight * bytes, 0);
}

const fs_energy_books *fs_device_energy(const fs_device *d) {
    return &d->energy;
}

void fs_device_give_exchange(fs_device *d, const uint64_t *cycles) {
    FS_ASSERT(d->step_count == 1, "cycles of exchange phases are given to a plan of one step");
    d->given_exchange = cycles;
}

const fs_priced_program *fs_device_program(const fs_device *d, uint32_t step, uint32_t tile) {
    const uint8_t class = d->steps[step].class_of[tile];
    return class > 0 ? &d->priced[class] : NULL;
}

fs_step_times fs_device_step_times(const fs_device *d, uint32_t step) {
    return d->steps[step].took;
}

uint64_t fs_device_tile_cycles(const fs_device *d, uint32_t step, uint32_t tile) {
    const fs_step *s = &d->steps[step];
    if (s->merged)
        return s->sum[tile];
    return s->done[tile] == s->round ? s->compute[tile] : s->idle[s->class_of[tile]].cycles;
}

const uint64_t *fs_device_active_cycles(const fs_device *d, uint32_t step) {
    const fs_step *s = &d->steps[step];
    return s->merged ? s->sum : s->compute;
}

uint64_t fs_device_idle_cycles(const fs_device *d, uint32_t step, uint32_t tile) {
    const fs_step *s = &d->steps[step];
    return s->idle[s->class_of[tile]].cycles;
}

const fs_chips *fs_device_chips(const fs_device *d) {
    return d->chips;
}

uint64_t fs_device_between_chips(const fs_device *d) {
    return d->chip_held;
}

const fs_fabric *fs_device_fabric(const fs_device *d, uint32_t step) {
    return d->steps[step].fabric;
}

fs_device_totals fs_device_totals_of(const fs_device *d) {
    const fs_books *b = &d->books;
    return (fs_device_totals){
        .cycles = d->cycles,
        .cycles_compute = d->compute,
        .cycles_sync = d->sync,
        .cycles_exchange = d->exchange,
        .cycles_host = d->host,
        .cycles_external = d->external,
        .cycles_first = d->first,
        .iterations = d->iterations,
        .busy = b->busy,
        .waiting = b->waiting,
        .idle = b->idle,
        .compute = b->compute,
        .bytes_out = b->ports[0],
        .bytes_in = b->ports[1],
        .port_busy_out = b->ports[2],
        .port_busy_in = b->ports[3],
        .port_waiting_out = b->ports[4],
        .paced = b->paced,
        .group = d->group,
        .step = d->step_totals,
        .kernel_activations = d->activations,
    };
}
