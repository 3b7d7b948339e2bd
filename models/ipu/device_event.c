/* Event detail: compute, sync and host phases as events of tiles, workers, barrier and host. */
#include "models/ipu/device_event.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 }; /* of counts of calls that wait to be played */

event_branch *event_branch_of(const fs_branch *b) {
    const event_state *s = event_state_of(b->device);
    return &s->branches[b->stage][b->slot];
}

/* ---- elaboration ---- */

/* Workers of the tile's programs at most. */
static uint32_t workers_of(const fs_device *d, uint32_t tile) {
    uint32_t workers = 0;
    for (uint32_t s = 0; s < d->step_count; s++) {
        const fs_priced_program *p = fs_device_program(d, s, tile);
        workers = p != NULL && p->workers > workers ? p->workers : workers;
    }
    return workers;
}

static void create_branch(event_branch *eb, fs_branch *b, fs_arena *arena) {
    fs_device *d = b->device;
    eb->branch = b;
    eb->groups = FS_NEW(arena, event_tile, d->classes);
    for (uint32_t c = 0; c < d->classes; c++) {
        event_tile_create(&eb->groups[c], d, UINT32_MAX, d->priced[c].workers, 1, arena);
        eb->groups[c].class = c;
    }
}

static void *create(fs_device *d, fs_arena *arena, fs_error *err) {
    const uint64_t bytes = (uint64_t)d->tiles * d->most_calls * d->workers * d->width * sizeof(uint32_t);
    if (bytes > MOST_BYTES)
        return FS_FAIL_NULL(err, FS_INPUT,
                            "run.detail: event plays each call by itself, and %" PRIu32
                            " calls of a tile without an exchange between them take %" PRIu64
                            " MiB; expected at most %d MiB, or detail phase",
                            d->most_calls, bytes >> 20, MOST_BYTES >> 20);
    event_state *s = FS_NEW(arena, event_state, 1);
    d->level_state = s;
    s->tiles = FS_NEW(arena, event_tile, d->tiles);
    for (uint32_t t = 0; t < d->tiles; t++)
        event_tile_create(&s->tiles[t], d, t, workers_of(d, t), d->most_calls, arena);
    s->branches = FS_NEW(arena, event_branch *, d->plan->stage_count);
    for (uint32_t i = 0; i < d->plan->stage_count; i++) {
        s->branches[i] = FS_NEW(arena, event_branch, d->stages[i].branch_count);
        for (uint32_t b = 0; b < d->stages[i].branch_count; b++)
            create_branch(&s->branches[i][b], &d->stages[i].branches[b], arena);
    }
    s->ports = event_ports_create(d, arena);
    event_chips_create(d, arena);
    return s;
}

/* ---- compute ---- */

static uint32_t *counts(fs_device *d, uint32_t tile) {
    event_tile *t = &event_state_of(d)->tiles[tile];
    FS_ASSERT(t->call_count < d->most_calls, "tile %u: more calls than its step's `calls`", tile);
    return t->counts + (size_t)t->call_count * d->workers * d->width;
}

static void add_call(event_tile *t, fs_step *s, const uint32_t *counted, uint32_t times) {
    const fs_priced_program *program = &t->device->priced[s->class_of[t->tile]];
    t->calls[t->call_count++] =
        (event_call){.step = s, .program = program, .counts = counted, .times = times};
}

static void done(fs_device *d, uint32_t tile, uint32_t *counted, uint32_t times) {
    event_tile *t = &event_state_of(d)->tiles[tile];
    add_call(t, d->now, counted, times);
}

/* In a merged run tiles without work play their calls one by one too. */
static void collect(fs_branch *b, fs_step *s) {
    for (uint32_t i = 0; i < b->tile_count; i++) {
        const uint32_t t = b->tiles[i];
        if (s->done[t] != s->round && s->class_of[t] > 0 && !s->plan->only_active)
            add_call(&event_state_of(b->device)->tiles[t], s, NULL, 1);
    }
}

static void compute_merged(fs_branch *b, event_branch *eb) {
    event_state *s = event_state_of(b->device);
    for (uint32_t i = 0; i < b->tile_count; i++)
        eb->running += s->tiles[b->tiles[i]].call_count > 0;
    for (uint32_t i = 0; i < b->tile_count; i++)
        if (s->tiles[b->tiles[i]].call_count > 0)
            event_tile_compute(&s->tiles[b->tiles[i]], b);
}

static void compute_round(fs_branch *b, event_branch *eb) {
    event_state *s = event_state_of(b->device);
    fs_step *step = b->step;
    const bool idle = !step->plan->only_active;
    eb->running = step->active_count;
    for (uint32_t i = 0; i < step->active_count; i++)
        event_tile_compute(&s->tiles[step->active[i]], b);
    for (uint32_t c = 1; c < b->device->classes && idle; c++)
        if (step->idle_tiles[c] > 0) {
            event_tile *group = &eb->groups[c];
            eb->running++;
            group->call_count = 1;
            group->calls[0] = (event_call){.step = step, .program = &b->device->priced[c], .times = 1};
            event_tile_compute(group, b);
        }
}

static void compute(fs_branch *b) {
    event_branch *eb = event_branch_of(b);
    eb->running = 0;
    if (b->merged)
        compute_merged(b, eb);
    else
        compute_round(b, eb);
    if (eb->running == 0)
        fs_branch_phase_done(b);
}

/* A call without work takes what the class's price says, to the cycle of each worker. */
static void check_idle(event_tile *t, const event_call *call) {
    fs_device *d = t->device;
    const fs_tile_times *price = &d->idle[call->step->class_of[t->tile]];
    if (memcmp(&t->times, price, sizeof *price) != 0)
        fs_device_fail(d, FS_BROKEN, "tile %u: a call without work took %llu cycles, its price is %llu",
                       t->tile, (unsigned long long)t->times.cycles, (unsigned long long)price->cycles);
}

void event_call_over(event_tile *t) {
    fs_device *d = t->device;
    const event_call *call = &t->calls[t->call];
    if (t->tile == UINT32_MAX) {
        d->idle[t->class] = t->times;
        return;
    }
    if (call->counts == NULL) {
        check_idle(t, call);
    } else {
        fs_books_call(&d->books, t->tile, &t->times);
        fs_books_calls(&d->books, t->tile, &t->times, call->step->weight - 1);
        call->step->compute[t->tile] += t->times.cycles;
    }
    if (t->branch->merged) {
        d->sum[t->tile] += t->times.cycles;
        call->step->sum[t->tile] += t->times.cycles;
    }
}

void event_tile_ready(fs_branch *b) {
    if (--event_branch_of(b)->running == 0)
        fs_branch_phase_done(b);
}

/* ---- sync ---- */

/* All are ready and the barrier's base time has passed: the release runs out over the tiles. */
static void sync_wakes(void *self) {
    event_branch *eb = self;
    const fs_branch *b = eb->branch;
    const fs_device *d = b->device;
    eb->on_the_way = b->tile_count;
    for (uint32_t i = 0; i < b->tile_count; i++) {
        event_tile *tile = &event_state_of(d)->tiles[b->tiles[i]];
        tile->state = TILE_RELEASED;
        tile->branch = eb->branch;
        fs_kernel_wake(d->kernel, tile->process,
                       fs_sync_skew(&d->machine->sync, &d->machine->geometry, b->tiles[i]));
    }
}

static void sync(fs_branch *b) {
    fs_kernel_wake(b->device->kernel, event_branch_of(b)->sync, (uint64_t)b->device->machine->sync.base);
}

/* ---- the host ---- */

static void host_waits(fs_device *d, host_step step, uint64_t cycles) {
    event_state *s = event_state_of(d);
    s->host_step = step;
    fs_kernel_wake(d->kernel, s->host, cycles);
}

/* The next call, or the end of the phase. */
static void host_calls(fs_device *d) {
    event_state *s = event_state_of(d);
    if (s->programs_left > 0 || s->visit_left) {
        host_waits(d, HOST_SYNC, (uint64_t)d->machine->sync.external);
        return;
    }
    s->host_step = HOST_IDLE;
    fs_kernel_wake(d->kernel, d->sequencer, 0);
}

/* The last word has left the host's tile and is on its way to all others. */
static void spread_broadcast(fs_device *d) {
    event_state *s = event_state_of(d);
    uint32_t src = d->plan->host_tile;
    s->on_the_way = d->tiles - 1;
    for (uint32_t t = 0; t < d->tiles; t++) {
        if (t == src)
            continue;
        s->tiles[t].state = TILE_BROADCAST;
        fs_kernel_wake(d->kernel, s->tiles[t].process, fs_fabric_latency(d->steps[0].fabric, src, t));
    }
}

/* A tile was reached by a release or a broadcast; the last one ends the phase or the visit. */
void event_tile_reached(event_tile *t) {
    const event_tile_state by = t->state;
    t->state = TILE_RESTS;
    if (by == TILE_BROADCAST) {
        if (--event_state_of(t->device)->on_the_way == 0)
            host_calls(t->device);
    } else if (--event_branch_of(t->branch)->on_the_way == 0) {
        fs_branch_phase_done(t->branch);
    }
}

static void after_launch(fs_device *d) {
    event_state *s = event_state_of(d);
    if (s->programs_left > 0) {
        s->programs_left--;
        host_calls(d);
        return;
    }
    s->visit_left = false;
    host_waits(d, HOST_TRANSFER,
               fs_host_streams_cycles(&d->machine->host, d->machine->clock, d->work.streams) +
                   fs_host_transfer_cycles(&d->machine->host, d->machine->clock, d->work.busiest_bytes));
}

static void host_wakes(void *self) {
    fs_device *d = self;
    switch (event_state_of(d)->host_step) {
    case HOST_SYNC:
        host_waits(d, HOST_LAUNCH, fs_host_launch_cycles(&d->machine->host, d->machine->clock));
        break;
    case HOST_LAUNCH:
        after_launch(d);
        break;
    case HOST_TRANSFER:
        if (d->work.broadcast_bytes > 0)
            host_waits(d, HOST_BROADCAST, fs_fabric_port_cycles(d->steps[0].fabric, d->work.broadcast_bytes));
        else
            host_calls(d);
        break;
    case HOST_BROADCAST:
        spread_broadcast(d);
        break;
    case HOST_IDLE:
        FS_ASSERT(false, "the host was woken without a call");
    }
}

static void host(fs_device *d) {
    event_state *s = event_state_of(d);
    s->programs_left = d->work.programs;
    s->visit_left = d->work.visit;
    host_calls(d);
}

/* ---- processes ---- */

static void elaborate_branch(fs_device *d, event_branch *eb) {
    char name[64];
    snprintf(name, sizeof name, "sync%u_%u", eb->branch->stage, eb->branch->slot);
    eb->sync = fs_kernel_process(d->kernel, name, sync_wakes, eb);
    for (uint32_t c = 0; c < d->classes; c++) {
        snprintf(name, sizeof name, "idle%u_%u_class%u", eb->branch->stage, eb->branch->slot, c);
        event_tile_elaborate(&eb->groups[c], name);
    }
}

static void elaborate(fs_device *d) {
    event_state *s = event_state_of(d);
    char name[64];
    s->host = fs_kernel_process(d->kernel, "host", host_wakes, d);
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u", t);
        event_tile_elaborate(&s->tiles[t], name);
    }
    for (uint32_t i = 0; i < d->plan->stage_count; i++)
        for (uint32_t b = 0; b < d->stages[i].branch_count; b++)
            elaborate_branch(d, &s->branches[i][b]);
    event_ports_elaborate(d);
    event_chips_elaborate(d);
}

const fs_device_level fs_event_level = {
    create,
    elaborate,
    counts,
    done,
    collect,
    compute,
    sync,
    event_ports_exchange,
    event_chips_meet,
    event_chips_exchange,
    host,
};
