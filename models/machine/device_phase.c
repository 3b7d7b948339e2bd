/* Phase detail: each phase passes in one closed form, in a process of its own. */
#include "models/machine/device_internal.h"

#include <omp.h>
#include <string.h>

typedef enum part { PART_COMPUTE, PART_SYNC, PART_EXCHANGE, PART_HOST, PART_COUNT } part;

/* A tile is priced as soon as its kernel has run, so counts live no longer than that: one block a thread
 * stays in the nearest cache. */
typedef struct phase_state {
    fs_process_id process[PART_COUNT];
    uint32_t *counts; /* [threads][workers][FS_MAX_EVENTS], zero between tiles */
} phase_state;

static void *create(fs_device *d, fs_arena *arena) {
    phase_state *s = FS_NEW(arena, phase_state, 1);
    s->counts = FS_NEW(arena, uint32_t, (size_t)omp_get_max_threads() * d->workers * FS_MAX_EVENTS);
    return s;
}

static uint32_t *counts(fs_device *d, uint32_t tile) {
    (void)tile;
    const phase_state *s = d->level_state;
    return s->counts + (size_t)omp_get_thread_num() * d->workers * FS_MAX_EVENTS;
}

/* A part's time has passed. */
static void part_over(void *self) {
    fs_device_phase_done(self);
}

static void elaborate(fs_device *d) {
    static const char *const names[PART_COUNT] = {"compute", "sync", "exchange", "host"};
    phase_state *s = d->level_state;
    for (int p = 0; p < PART_COUNT; p++)
        s->process[p] = fs_kernel_process(d->kernel, names[p], part_over, d);
}

static void pass(fs_device *d, part p, uint64_t cycles) {
    const phase_state *s = d->level_state;
    fs_kernel_wake(d->kernel, s->process[p], cycles);
}

static void tile_done(fs_device *d, uint32_t tile) {
    uint32_t *counted = counts(d, tile);
    fs_tile_times times;
    fs_tile_times_closed(&d->priced[d->class_of[tile]], counted, &times);
    fs_books_tile(d, tile, &times);
    memset(counted, 0, (size_t)d->workers * FS_MAX_EVENTS * sizeof *counted);
}

static void forget(fs_device *d) {
    (void)d;
}

static void compute(fs_device *d) {
    uint32_t tile;
    pass(d, PART_COMPUTE, fs_device_longest(d, &tile));
}

static void sync(fs_device *d) {
    pass(d, PART_SYNC, fs_sync_internal(&d->machine->sync, &d->machine->geometry));
}

uint64_t fs_phase_exchange_cycles(fs_device *d) {
    const bool planned = d->machine->exchange.mode == FS_EXCHANGE_STATIC;
    d->planned_phases += planned;
    return fs_exchange_phase(d->exchange, d->occupied, planned ? NULL : &d->port_counters);
}

static void exchange(fs_device *d) {
    pass(d, PART_EXCHANGE, fs_phase_exchange_cycles(d));
}

uint64_t fs_phase_host_cycles(const fs_device *d, const fs_host_work *work) {
    const fs_host_params *p = &d->machine->host;
    uint64_t call = (uint64_t)d->machine->sync.external + fs_host_launch_cycles(p, d->machine->clock);
    uint64_t cycles = work->programs * call;
    if (work->visit)
        cycles += call + fs_host_transfer_cycles(p, d->machine->clock, work->link_bytes) +
                  fs_exchange_broadcast(d->exchange, d->overlay->generator_tile, work->broadcast_bytes);
    return cycles;
}

static void host(fs_device *d) {
    pass(d, PART_HOST, fs_phase_host_cycles(d, &d->work));
}

const fs_device_level fs_phase_level = {create,  elaborate, counts,   tile_done, forget,
                                        compute, sync,      exchange, host};
