/* Branches: rounds asked of the client, runs of local rounds, and the books of phases, stages and iterations.
 * Who lets time pass, SystemC or a replay, calls these in the same order. */
#include "models/ipu/device_internal.h"

#include "sim/base/arith.h"

#include <string.h>

/* ---- where a branch is ---- */

/* The round after `at`; false: there is none. */
static bool advance(const fs_device_branch *plan, fs_round_at *at) {
    const fs_device_step *step = &plan->steps[at->step];
    if (++at->round < fs_plan_times(step->times))
        return true;
    at->round = 0;
    if (step->loop > 0 && ++at->turn < step->turns) {
        at->step -= step->loop - 1;
        return true;
    }
    at->turn = step->loop > 0 ? 0 : at->turn;
    if (++at->step < plan->step_count)
        return true;
    at->step = 0;
    return ++at->repetition < fs_plan_times(plan->times);
}

static bool local_at(const fs_branch *b, fs_round_at at) {
    return fs_step_is_local(&b->plan->steps[at.step]);
}

/* Its run goes on from the round. */
static bool open_at(const fs_branch *b, fs_round_at at) {
    return !fs_step_meets(&b->plan->steps[at.step]);
}

static bool waits_for_none(const fs_branch *b) {
    return b->device->machine->sync.local == FS_SYNC_LOCAL_MERGED;
}

/* A round that follows a local one is of its run. */
static bool joins(const fs_branch *b, fs_round_at at) {
    return b->device->plan->at_exchanges || local_at(b, at);
}

/* The next round and the one after it are of one run. */
static bool merges(const fs_branch *b) {
    fs_round_at next = b->at;
    return waits_for_none(b) && open_at(b, b->at) && advance(b->plan, &next) && joins(b, next);
}

bool fs_branch_meets(const fs_branch *b) {
    return !b->device->plan->at_exchanges || !waits_for_none(b) || fs_step_meets(b->step->plan);
}

void fs_branch_begin(fs_branch *b) {
    b->at = (fs_round_at){0};
    b->more = true;
    b->compute = b->sync = b->exchange = b->external = b->pace_cycles = 0;
    b->phases = 0;
    for (uint32_t i = 0; i < b->plan->step_count; i++) {
        b->steps[i].asked = 0;
        b->steps[i].took = (fs_step_times){0};
    }
}

/* Runs alike that the next one stands for: what its last round's repetition says. */
static uint32_t weight_of(const fs_branch *b) {
    fs_round_at at = b->at, next = at;
    if (b->plan->alike == NULL)
        return 1;
    while (b->merged && advance(b->plan, &next) && local_at(b, next))
        at = next;
    return b->plan->alike[at.repetition];
}

/* ---- a run of rounds ---- */

/* Checks the list of active tiles and counts those of each class that are idle. */
static void look_at_active(const fs_device *d, fs_step *s) {
    memcpy(s->idle_tiles, s->class_tiles, d->classes * sizeof s->idle_tiles[0]);
    for (uint32_t i = 0; i < s->active_count; i++) {
        uint32_t tile = s->active[i];
        FS_ASSERT(tile < d->tiles && (i == 0 || s->active[i - 1] < tile), "active tile %u out of order",
                  tile);
        FS_ASSERT(s->class_of[tile] > 0, "tile %u has no program and cannot be active", tile);
        FS_ASSERT(s->done[tile] == s->round, "tile %u is active but not done", tile);
        s->idle_tiles[s->class_of[tile]]--;
    }
}

static fs_status ask_round(fs_branch *b, fs_step *s, fs_error *err) {
    fs_device *d = b->device;
    const fs_moment at = {d->iteration.number, s->number, (uint32_t)s->asked++};
    s->round++;
    s->weight = b->weight;
    s->rounds += b->weight;
    s->active_count = 0;
    s->occupied = NULL;
    d->now = s;
    if (d->client->compute != NULL) {
        fs_status status = d->client->compute(d->client->self, at, &s->active, &s->active_count, err);
        if (status)
            return status;
    }
    if (s->kept_active != NULL && s->active_count > 0) {
        memcpy(s->kept_active, s->active, s->active_count * sizeof *s->kept_active);
        s->active = s->kept_active;
    }
    look_at_active(d, s);
    for (uint32_t c = 1; !s->plan->only_active && c < d->classes; c++)
        fs_energy_idle(&d->energy, c, (uint64_t)b->weight * s->idle_tiles[c]);
    return FS_OK;
}

/* Whoever is in the run for the first time has no sum yet. */
static void join_run(fs_branch *b, fs_step *s) {
    if (s->run == b->run)
        return;
    s->run = b->run;
    s->merged = b->merged;
    for (uint32_t i = 0; b->merged && i < b->tile_count; i++)
        s->sum[b->tiles[i]] = 0;
}

fs_status fs_branch_ask(fs_branch *b, fs_error *err) {
    b->merged = merges(b);
    b->weight = weight_of(b);
    b->run++;
    b->rounds = 0;
    for (uint32_t i = 0; b->merged && i < b->tile_count; i++)
        b->device->sum[b->tiles[i]] = 0;
    do {
        b->step = &b->steps[b->at.step];
        join_run(b, b->step);
        fs_status status = ask_round(b, b->step, err);
        if (status)
            return status;
        if (b->merged)
            b->device->level->collect(b, b->step);
        b->rounds++;
        b->more = advance(b->plan, &b->at);
    } while (b->merged && b->more && !fs_step_meets(b->step->plan) && joins(b, b->at));
    return FS_OK;
}

static uint32_t lowest_idle_tile(const fs_branch *b, uint64_t cycles) {
    const fs_step *s = b->step;
    for (uint32_t i = 0; i < b->tile_count; i++) {
        const uint32_t t = b->tiles[i];
        if (s->done[t] != s->round && s->idle[s->class_of[t]].cycles == cycles)
            return t;
    }
    return b->device->tiles;
}

static uint64_t longest_sum(const fs_branch *b, uint32_t *tile) {
    const uint64_t *sum = b->device->sum;
    *tile = b->tiles[0];
    for (uint32_t i = 1; i < b->tile_count; i++)
        if (sum[b->tiles[i]] > sum[*tile])
            *tile = b->tiles[i];
    return sum[*tile];
}

uint64_t fs_branch_longest(const fs_branch *b, uint32_t *tile) {
    if (b->merged)
        return longest_sum(b, tile);
    const fs_step *s = b->step;
    const uint32_t none = b->device->tiles;
    uint64_t longest = 0, idle = 0;
    *tile = none;
    for (uint32_t i = 0; i < s->active_count; i++) {
        uint64_t cycles = s->compute[s->active[i]];
        if (*tile == none || cycles > longest) {
            longest = cycles;
            *tile = s->active[i];
        }
    }
    for (uint32_t c = 0; c < b->device->classes; c++)
        if (s->idle_tiles[c] > 0 && s->idle[c].cycles > idle)
            idle = s->idle[c].cycles;
    if (idle < longest)
        return longest;
    uint32_t lowest = lowest_idle_tile(b, idle);
    if (idle > longest || lowest < *tile)
        *tile = lowest;
    return idle;
}

/* ---- books ---- */

/* A step's own part of a compute phase: in a merged run what the tile that set the pace computed in it. */
static void book_step(fs_step *s, uint64_t start, uint64_t cycles, uint32_t pace, uint32_t samples) {
    s->took.start = start;
    s->took_at = samples;
    s->took.compute += cycles;
    s->took.pace_tile = pace;
    s->totals.compute += cycles;
}

fs_status fs_branch_book_compute(fs_branch *b, uint64_t start, uint64_t longest, uint32_t pace,
                                 fs_error *err) {
    fs_device *d = b->device;
    const uint64_t cycles = b->weight * longest;
    const uint32_t samples = fs_samples_count(d);
    if (d->books.broken != 0)
        return fs_fail(
            err, FS_BROKEN,
            "iteration %llu, tile %u: busy, waiting and idle cycles of a worker are not the tile's",
            (unsigned long long)d->iteration.number, d->books.broken - 1);
    for (uint32_t i = 0; b->merged && i < b->plan->step_count; i++)
        if (b->steps[i].run == b->run)
            book_step(&b->steps[i], start, b->weight * b->steps[i].sum[pace], pace, samples);
    if (!b->merged)
        book_step(b->step, start, cycles, pace, samples);
    b->compute += cycles;
    d->books.paced[pace] += b->weight;
    if (b->phases++ == 0 || longest > b->pace_cycles) {
        b->pace_cycles = longest;
        b->pace_tile = pace;
    }
    return FS_OK;
}

void fs_branch_book_sync(fs_branch *b, uint64_t cycles) {
    if (!fs_branch_meets(b))
        return;
    fs_energy_barrier(&b->device->energy, b->tile_count, b->weight);
    b->barriers += b->weight;
    b->sync += cycles;
    b->step->took.sync += cycles;
    b->step->totals.sync += cycles;
}

fs_status fs_branch_ask_exchange(fs_branch *b, fs_error *err) {
    fs_device *d = b->device;
    fs_step *s = b->step;
    const fs_moment at = {d->iteration.number, s->number, (uint32_t)s->asked - 1};
    if (fs_step_is_local(s->plan))
        return FS_OK;
    if (d->client->exchange != NULL) {
        fs_status status = d->client->exchange(d->client->self, at, &s->occupied, err);
        if (status)
            return status;
    }
    if (s->plan->most_transfers > 0)
        s->occupied = s->open_bytes;
    FS_ASSERT(s->occupied || fs_fabric_is_planned(s->fabric), "a dynamic exchange needs the occupied bytes");
    if (s->kept_occupied != NULL && s->occupied != NULL && s->plan->most_transfers == 0) {
        memcpy(s->kept_occupied, s->occupied, s->plan->transfer_count * sizeof *s->kept_occupied);
        s->occupied = s->kept_occupied;
    }
    s->held =
        s->external == NULL ? s->occupied : fs_external_held(s->external, s->occupied, s->transfer_count);
    return FS_OK;
}

/* What the phase moved. A phase whose cycles were given counts here too, where it is not always the same. */
static void book_moved(fs_branch *b) {
    fs_device *d = b->device;
    fs_step *s = b->step;
    if (fs_step_is_local(s->plan))
        return;
    if (fs_fabric_is_planned(s->fabric)) {
        fs_energy_move_all(&d->energy, &s->routes, b->weight);
        s->static_phases += b->weight;
    } else {
        const bool open = s->plan->most_transfers > 0;
        for (uint32_t i = 0; s->occupied != NULL && i < s->transfer_count; i++)
            if (s->occupied[i] > 0 && open)
                fs_energy_move_over(&d->energy, &d->machine->geometry, s->fabric, &s->transfers[i],
                                    fs_step_message(d, s, i));
            else if (s->occupied[i] > 0)
                fs_energy_move(&d->energy, &s->routes, i, fs_step_message(d, s, i));
    }
}

void fs_branch_book_exchange(fs_branch *b, uint64_t cycles) {
    book_moved(b);
    fs_energy_chips(&b->device->energy, b->weight * b->step->plan->beyond_bytes);
    b->exchange += cycles;
    b->step->took.exchange += cycles;
    b->step->totals.exchange += cycles;
}

void fs_branch_book_meet(fs_branch *b, uint64_t cycles) {
    fs_branch_book_sync(b, cycles);
    b->external += cycles;
}

void fs_branch_book_external(fs_branch *b, uint64_t cycles) {
    fs_external_end(b);
    b->external += cycles;
    b->exchange += cycles;
    b->step->took.exchange += cycles;
    b->step->totals.exchange += cycles;
}

/* ---- stages and iterations ---- */

void fs_device_begin_iteration(fs_device *d, uint64_t start) {
    d->iteration = (fs_iteration){.number = d->iteration.number, .start = start};
    d->phases = 0;
    d->pace_cycles = 0;
    d->stage = 0;
}

/* The phases of the stage are those of the branch that took longest. */
static void book_critical(fs_device *d, const fs_branch *b) {
    d->iteration.compute += b->compute;
    d->iteration.sync += b->sync;
    d->iteration.exchange += b->exchange;
    d->external += b->external;
    if (d->phases == 0 || b->pace_cycles > d->pace_cycles) {
        d->pace_cycles = b->pace_cycles;
        d->iteration.pace_tile = b->pace_tile;
    }
    d->phases += b->phases;
}

bool fs_device_skips(fs_device *d, uint32_t stage) {
    const fs_stage_run *s = &d->stages[stage];
    if (d->client->skips == NULL || !d->client->skips(d->client->self, d->iteration.number, stage))
        return false;
    for (uint32_t b = 0; b < s->branch_count; b++)
        fs_branch_begin(&s->branches[b]); /* its steps took nothing */
    return true;
}

uint64_t fs_device_book_stage(fs_device *d, const fs_stage_run *stage) {
    const fs_branch *critical = stage->branches;
    for (const fs_branch *b = stage->branches; b < stage->branches + stage->branch_count; b++)
        if (fs_branch_cycles(b) > fs_branch_cycles(critical))
            critical = b;
    book_critical(d, critical);
    const uint64_t cycles = fs_branch_cycles(critical);
    for (uint32_t g = 0; g < d->groups; g++)
        d->group[g].apart += cycles;
    for (const fs_branch *b = stage->branches; b < stage->branches + stage->branch_count; b++)
        for (uint32_t i = 0; i < b->group_count; i++) {
            fs_device_group *g = &d->group[b->groups[i]];
            g->compute += b->compute;
            g->sync += b->sync;
            g->exchange += b->exchange;
            g->apart -= fs_branch_cycles(b);
        }
    return cycles;
}

/* Over the links of all chips: each gets the broadcast. */
static uint64_t link_bytes(const fs_device *d, const fs_host_visit *visit) {
    const uint64_t more = d->chips != NULL ? fs_chips_count(d->chips) - 1 : 0;
    return visit->bytes_to_host + visit->bytes_to_device + more * visit->broadcast_bytes;
}

fs_host_work fs_device_work_of(const fs_device *d, const fs_host_visit *visit, bool launches) {
    fs_host_work work = {.visit = visit->visit};
    if (launches && !d->machine->host.fused)
        work.programs = (uint64_t)d->machine->host.programs;
    if (visit->visit) {
        work.broadcast_bytes = visit->broadcast_bytes;
        work.busiest_bytes = visit->bytes_to_host + visit->bytes_to_device;
        work.link_bytes = link_bytes(d, visit);
        if (d->chips != NULL && d->plan->host_parts > 0 && work.busiest_bytes > work.broadcast_bytes) {
            const uint64_t own = work.busiest_bytes - work.broadcast_bytes;
            work.busiest_bytes = work.broadcast_bytes + fs_up(own * d->plan->host_most, d->plan->host_parts);
        }
        work.streams = visit->streams;
    }
    return work;
}

fs_status fs_device_decide(fs_device *d, fs_error *err) {
    fs_host_visit visit = {0};
    if (fs_fabric_check(d->steps[0].fabric, err))
        return err->status;
    fs_status status = d->client->decide(d->client->self, d->iteration.number, &visit, &d->stop, err);
    d->work = fs_device_work_of(d, &visit, true);
    return status;
}

void fs_device_end_iteration(fs_device *d) {
    d->compute += d->iteration.compute;
    d->sync += d->iteration.sync;
    d->exchange += d->iteration.exchange;
    d->host += d->iteration.host;
    d->iterations++;
    const uint64_t cycles[FS_ENERGY_PHASES] = {[FS_ENERGY_IN_COMPUTE] = d->iteration.compute,
                                               [FS_ENERGY_IN_SYNC] = d->iteration.sync,
                                               [FS_ENERGY_IN_EXCHANGE] = d->iteration.exchange,
                                               [FS_ENERGY_IN_HOST] = d->iteration.host};
    fs_energy_host(&d->energy, d->work.link_bytes, d->work.broadcast_bytes);
    fs_energy_book(&d->energy, d->iteration.start, cycles, true);
    if (d->client->finished)
        d->client->finished(d->client->self, &d->iteration);
    if (d->samples != NULL)
        fs_samples_iteration(d);
    d->iteration.number++;
}

/* ---- the end ---- */

/* Of the rounds in which a tile was not active it has the idle price. */
static void settle_tile(fs_device *d, const fs_step *s, uint32_t tile) {
    const uint8_t class = s->class_of[tile];
    const uint64_t rounds = s->rounds - s->active_rounds[tile];
    fs_books_calls(&d->books, tile, &s->idle[class], rounds);
    if (!s->plan->only_active)
        fs_energy_idle_tile(&d->energy, tile, class, rounds);
}

static void settle_step(fs_device *d, fs_step *s) {
    s->totals.rounds = s->rounds;
    d->step_totals[s->number] = s->totals;
    if (s->planned_phases > 0)
        fs_fabric_count_planned(s->fabric, s->planned_phases, &d->books.port_counters);
    fs_energy_phase_tiles(&d->energy, &s->routes, s->static_phases);
    for (uint32_t t = 0; t < d->tiles; t++)
        if (s->class_of[t] > 0)
            settle_tile(d, s, t);
}

/* The first visit of the host belongs to no iteration. */
static void book_first_visit(fs_device *d) {
    const uint64_t cycles[FS_ENERGY_PHASES] = {[FS_ENERGY_IN_HOST] = d->first};
    const fs_host_visit *first = &d->plan->first;
    fs_energy_host(&d->energy, link_bytes(d, first), first->broadcast_bytes);
    fs_energy_book(&d->energy, 0, cycles, false);
}

/* What a network's links carried costs what the ways of the messages say, to the attojoule. */
static fs_status check_network(const fs_device *d, fs_error *err) {
    const fs_fabric_network *n = fs_fabric_network_of(d->steps[0].fabric);
    fs_fabric_links l;
    if (n == NULL || n->traffic.messages == 0 || !fs_noc_is_idle(n->net) ||
        !fs_fabric_links_of(d->steps[0].fabric, &l))
        return FS_OK;
    const fs_moved links =
        fs_energy_of_flits(fs_noc_work_of(n->graph, l.uses), fs_fabric_flit(d->steps[0].fabric));
    const fs_attojoules by_links = fs_energy_of_wires(&d->energy.price, &links),
                        by_ways = fs_energy_of_wires(&d->energy.price, &d->energy.total.moved);
    return by_links == by_ways
               ? FS_OK
               : fs_fail(err, FS_BROKEN,
                         "energy of the network: %g J by its links, %g J by the messages' ways",
                         fs_joules(by_links), fs_joules(by_ways));
}

fs_status fs_device_settle(fs_device *d, fs_error *err) {
    if (d->samples != NULL && fs_samples_settle(d, err))
        return err->status;
    book_first_visit(d);
    for (uint32_t s = 0; s < d->step_count; s++)
        settle_step(d, &d->steps[s]);
    for (const fs_stage_run *s = d->stages; s < d->stages + d->plan->stage_count; s++)
        for (const fs_branch *b = s->branches; b < s->branches + s->branch_count; b++)
            fs_energy_barrier_tiles(&d->energy, b->tiles, b->tile_count, b->barriers);
    for (uint32_t t = 0; t < d->tiles && !d->given; t++) {
        const uint32_t group = d->plan->group_of != NULL ? d->plan->group_of[t] : 0;
        fs_status status = fs_books_settle(&d->books, t, d->group[group].compute, err);
        if (status)
            return status;
    }
    for (uint32_t g = 0; g < d->groups; g++) {
        fs_device_group *group = &d->group[g];
        group->host = d->host;
        const uint64_t sum = group->compute + group->sync + group->exchange + group->apart + group->host;
        if (sum != d->cycles)
            return fs_fail(err, FS_BROKEN, "group %u: its phases add up to %llu cycles, the device ran %llu",
                           g, (unsigned long long)sum, (unsigned long long)d->cycles);
    }
    uint64_t phases = d->compute + d->sync + d->exchange + d->host;
    if (phases != d->cycles)
        return fs_fail(err, FS_BROKEN, "the phases add up to %llu cycles, the device ran %llu",
                       (unsigned long long)phases, (unsigned long long)d->cycles);
    return fs_energy_settle(&d->energy, err) || check_network(d, err) || fs_external_check(d, err)
               ? err->status
               : FS_OK;
}
