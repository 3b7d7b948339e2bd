/* Event detail: compute, sync and host phases as events of tiles, workers, barrier and host. */
#include "models/machine/device_event.h"

#include <stdio.h>
#include <string.h>

static uint32_t *counts(fs_device *d, uint32_t tile) {
    return event_state_of(d)->counts + (size_t)tile * d->workers * FS_MAX_EVENTS;
}

static void *create(fs_device *d, fs_arena *arena) {
    event_state *s = FS_NEW(arena, event_state, 1);
    d->level_state = s;
    s->counts = FS_NEW(arena, uint32_t, (size_t)d->tiles * d->workers * FS_MAX_EVENTS);
    s->tiles = FS_NEW(arena, event_tile, d->tiles);
    s->times = FS_NEW(arena, fs_tile_times, d->tiles);
    for (uint32_t t = 0; t < d->tiles; t++) {
        uint32_t c = d->class_of[t];
        event_tile_create(&s->tiles[t], d, c > 0 ? &d->priced[c] : NULL, counts(d, t), &s->times[t], arena);
    }
    s->groups = FS_NEW(arena, event_tile, d->classes);
    for (uint32_t c = 0; c < d->classes; c++)
        event_tile_create(&s->groups[c], d, c > 0 ? &d->priced[c] : NULL, NULL, &d->idle[c], arena);
    s->ports = event_ports_create(d, arena);
    return s;
}

static void tile_done(fs_device *d, uint32_t tile) {
    (void)d;
    (void)tile; /* the times come out of the events */
}

static void forget(fs_device *d) {
    for (uint32_t i = 0; i < d->active_count; i++)
        memset(counts(d, d->active[i]), 0, (size_t)d->workers * FS_MAX_EVENTS * sizeof(uint32_t));
}

static void compute(fs_device *d) {
    event_state *s = event_state_of(d);
    s->running = d->active_count;
    for (uint32_t i = 0; i < d->active_count; i++)
        event_tile_compute(&s->tiles[d->active[i]]);
    for (uint32_t c = 1; c < d->classes; c++)
        if (d->idle_tiles[c] > 0) {
            s->running++;
            event_tile_compute(&s->groups[c]);
        }
    if (s->running == 0)
        fs_device_phase_done(d);
}

void event_tile_ready(fs_device *d) {
    event_state *s = event_state_of(d);
    if (--s->running > 0)
        return;
    for (uint32_t i = 0; i < d->active_count; i++)
        fs_books_tile(d, d->active[i], &s->times[d->active[i]]);
    fs_device_phase_done(d);
}

/* All are ready and the barrier's base time has passed: the release runs out over the chip. */
static void sync_wakes(void *self) {
    fs_device *d = self;
    event_state *s = event_state_of(d);
    s->on_the_way = d->tiles;
    for (uint32_t t = 0; t < d->tiles; t++) {
        s->tiles[t].state = TILE_RELEASED;
        fs_kernel_wake(d->kernel, s->tiles[t].process,
                       fs_sync_skew(&d->machine->sync, &d->machine->geometry, t));
    }
}

static void sync(fs_device *d) {
    fs_kernel_wake(d->kernel, event_state_of(d)->sync, (uint64_t)d->machine->sync.base);
}

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
    fs_device_phase_done(d);
}

/* The last word has left the generator's tile and is on its way to all others. */
static void spread_broadcast(fs_device *d) {
    event_state *s = event_state_of(d);
    uint32_t src = d->overlay->generator_tile;
    s->on_the_way = d->tiles - 1;
    for (uint32_t t = 0; t < d->tiles; t++) {
        if (t == src)
            continue;
        s->tiles[t].state = TILE_BROADCAST;
        fs_kernel_wake(d->kernel, s->tiles[t].process, fs_exchange_latency(d->exchange, src, t));
    }
}

/* A tile was reached by a release or a broadcast; the last one ends the phase or the visit. */
void event_tile_reached(fs_device *d) {
    event_state *s = event_state_of(d);
    if (--s->on_the_way > 0)
        return;
    if (s->host_step == HOST_BROADCAST)
        host_calls(d);
    else
        fs_device_phase_done(d);
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
               fs_host_transfer_cycles(&d->machine->host, d->machine->clock, d->work.link_bytes));
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
            host_waits(d, HOST_BROADCAST, fs_exchange_port_cycles(d->exchange, d->work.broadcast_bytes));
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

static void elaborate(fs_device *d) {
    event_state *s = event_state_of(d);
    char name[64];
    s->sync = fs_kernel_process(d->kernel, "sync", sync_wakes, d);
    s->host = fs_kernel_process(d->kernel, "host", host_wakes, d);
    for (uint32_t t = 0; t < d->tiles; t++) {
        snprintf(name, sizeof name, "tile%u", t);
        event_tile_elaborate(&s->tiles[t], name);
    }
    for (uint32_t c = 0; c < d->classes; c++) {
        snprintf(name, sizeof name, "idle_class%u", c);
        event_tile_elaborate(&s->groups[c], name);
    }
    event_ports_elaborate(d);
}

const fs_device_level fs_event_level = {
    create, elaborate, counts, tile_done, forget, compute, sync, event_ports_exchange, host,
};
