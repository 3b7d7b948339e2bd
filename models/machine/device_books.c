/* The device's books: what each tile did in the compute phases, and the identities that must hold. */
#include "models/machine/device_internal.h"

void fs_books_create(fs_device *d, fs_arena *arena) {
    fs_device_books *b = &d->books;
    size_t workers = (size_t)d->tiles * d->workers;
    b->busy = FS_NEW(arena, uint64_t, workers);
    b->waiting = FS_NEW(arena, uint64_t, workers);
    b->idle = FS_NEW(arena, uint64_t, workers);
    b->tile_compute = FS_NEW(arena, uint64_t, d->tiles);
    b->paced = FS_NEW(arena, uint64_t, d->tiles);
    b->active_iterations = FS_NEW(arena, uint64_t, d->tiles);
    for (int i = 0; i < 5; i++)
        d->ports[i] = FS_NEW(arena, uint64_t, d->tiles);
    d->port_counters = (fs_port_counters){d->ports[0], d->ports[1], d->ports[2], d->ports[3], d->ports[4]};
}

static uint32_t lowest_idle_tile(const fs_device *d, uint64_t cycles) {
    for (uint32_t t = 0; t < d->tiles; t++)
        if (d->done[t] != d->iteration.number + 1 && d->idle[d->class_of[t]].cycles == cycles)
            return t;
    return d->tiles;
}

uint64_t fs_device_longest(const fs_device *d, uint32_t *tile) {
    uint64_t longest = 0;
    *tile = d->tiles;
    for (uint32_t i = 0; i < d->active_count; i++) {
        uint64_t cycles = d->compute[d->active[i]];
        if (*tile == d->tiles || cycles > longest) {
            longest = cycles;
            *tile = d->active[i];
        }
    }
    uint64_t idle = 0;
    for (uint32_t c = 0; c < d->classes; c++)
        if (d->idle_tiles[c] > 0 && d->idle[c].cycles > idle)
            idle = d->idle[c].cycles;
    if (idle < longest)
        return longest;
    uint32_t lowest = lowest_idle_tile(d, idle);
    if (idle > longest || lowest < *tile)
        *tile = lowest;
    return idle;
}

void fs_books_tile(fs_device *d, uint32_t tile, const fs_tile_times *times) {
    fs_device_books *b = &d->books;
    const size_t first = (size_t)tile * d->workers;
    bool adds_up = true;
    for (uint32_t w = 0; w < d->workers; w++) {
        adds_up = adds_up && times->busy[w] + times->waiting[w] + times->idle[w] == times->cycles;
        b->busy[first + w] += times->busy[w];
        b->waiting[first + w] += times->waiting[w];
        b->idle[first + w] += times->idle[w];
    }
    if (!adds_up)
        __atomic_store_n(&b->broken, tile + 1, __ATOMIC_RELAXED);
    b->tile_compute[tile] += times->cycles;
    b->active_iterations[tile]++;
    d->compute[tile] = times->cycles;
}

fs_status fs_books_compute(fs_device *d, uint64_t phase, fs_error *err) {
    uint64_t longest = fs_device_longest(d, &d->iteration.pace_tile);
    if (longest != phase)
        return fs_fail(err, FS_BROKEN,
                       "iteration %llu: the compute phase took %llu cycles, its slowest tile %u took %llu",
                       (unsigned long long)d->iteration.number, (unsigned long long)phase,
                       d->iteration.pace_tile, (unsigned long long)longest);
    if (d->books.broken != 0)
        return fs_fail(
            err, FS_BROKEN,
            "iteration %llu, tile %u: busy, waiting and idle cycles of a worker are not the tile's",
            (unsigned long long)d->iteration.number, d->books.broken - 1);
    d->books.compute += phase;
    d->books.paced[d->iteration.pace_tile]++;
    return FS_OK;
}

/* Adds the iterations in which the tile was idle, and to its workers' idle time what it waited for slower
 * tiles. */
static void settle_tile(fs_device *d, uint32_t tile) {
    fs_device_books *b = &d->books;
    const fs_tile_times *t = &d->idle[d->class_of[tile]];
    uint64_t times = b->iterations - b->active_iterations[tile];
    b->tile_compute[tile] += times * t->cycles;
    for (uint32_t w = 0; w < d->workers; w++) {
        size_t at = (size_t)tile * d->workers + w;
        b->busy[at] += times * t->busy[w];
        b->waiting[at] += times * t->waiting[w];
        b->idle[at] += times * t->idle[w] + (b->compute - b->tile_compute[tile]);
    }
}

fs_status fs_books_settle(fs_device *d, fs_error *err) {
    const fs_device_books *b = &d->books;
    if (d->planned_phases > 0)
        fs_exchange_count_planned(d->exchange, d->planned_phases, &d->port_counters);
    for (uint32_t tile = 0; tile < d->tiles; tile++) {
        settle_tile(d, tile);
        for (uint32_t w = 0; w < d->workers; w++) {
            size_t at = (size_t)tile * d->workers + w;
            uint64_t sum = b->busy[at] + b->waiting[at] + b->idle[at];
            if (sum != b->compute)
                return fs_fail(
                    err, FS_BROKEN,
                    "tile %u, worker %u: busy + waiting + idle are %llu cycles, the compute phases "
                    "%llu",
                    tile, w, (unsigned long long)sum, (unsigned long long)b->compute);
        }
    }
    uint64_t phases = b->compute + b->sync + b->exchange + b->host;
    if (phases != d->cycles)
        return fs_fail(err, FS_BROKEN, "the phases add up to %llu cycles, the device ran %llu",
                       (unsigned long long)phases, (unsigned long long)d->cycles);
    return FS_OK;
}

fs_device_totals fs_device_totals_of(const fs_device *d) {
    const fs_device_books *b = &d->books;
    return (fs_device_totals){
        .cycles = d->cycles,
        .cycles_compute = b->compute,
        .cycles_sync = b->sync,
        .cycles_exchange = b->exchange,
        .cycles_host = b->host,
        .cycles_first = b->first,
        .iterations = b->iterations,
        .busy = b->busy,
        .waiting = b->waiting,
        .idle = b->idle,
        .compute = b->tile_compute,
        .bytes_out = d->ports[0],
        .bytes_in = d->ports[1],
        .port_busy_out = d->ports[2],
        .port_busy_in = d->ports[3],
        .port_waiting_out = d->ports[4],
        .paced = b->paced,
        .kernel_activations = d->activations,
    };
}
