/* Books of busy cycles: calls of programs, summed for each tile. */
#include "models/ipu/device_internal.h"

void fs_books_create(fs_books *b, uint32_t tiles, uint32_t workers, fs_arena *arena) {
    const size_t all = (size_t)tiles * workers;
    *b = (fs_books){.tiles = tiles, .workers = workers};
    b->busy = FS_NEW(arena, uint64_t, all);
    b->waiting = FS_NEW(arena, uint64_t, all);
    b->idle = FS_NEW(arena, uint64_t, all);
    b->compute = FS_NEW(arena, uint64_t, tiles);
    b->paced = FS_NEW(arena, uint64_t, tiles);
    for (int i = 0; i < 5; i++)
        b->ports[i] = FS_NEW(arena, uint64_t, tiles);
    b->port_counters = (fs_port_counters){b->ports[0], b->ports[1], b->ports[2], b->ports[3], b->ports[4]};
}

void fs_books_call(fs_books *b, uint32_t tile, const fs_tile_times *times) {
    const size_t first = (size_t)tile * b->workers;
    bool adds_up = true;
    for (uint32_t w = 0; w < b->workers; w++) {
        adds_up = adds_up && times->busy[w] + times->waiting[w] + times->idle[w] == times->cycles;
        b->busy[first + w] += times->busy[w];
        b->waiting[first + w] += times->waiting[w];
        b->idle[first + w] += times->idle[w];
    }
    if (!adds_up)
        __atomic_store_n(&b->broken, tile + 1, __ATOMIC_RELAXED);
    b->compute[tile] += times->cycles;
}

void fs_books_calls(fs_books *b, uint32_t tile, const fs_tile_times *times, uint64_t calls) {
    b->compute[tile] += calls * times->cycles;
    for (uint32_t w = 0; w < b->workers; w++) {
        const size_t at = (size_t)tile * b->workers + w;
        b->busy[at] += calls * times->busy[w];
        b->waiting[at] += calls * times->waiting[w];
        b->idle[at] += calls * times->idle[w];
    }
}

fs_status fs_books_settle(fs_books *b, uint32_t tile, uint64_t compute, fs_error *err) {
    for (uint32_t w = 0; w < b->workers; w++) {
        const size_t at = (size_t)tile * b->workers + w;
        b->idle[at] += compute - b->compute[tile];
        const uint64_t sum = b->busy[at] + b->waiting[at] + b->idle[at];
        if (sum != compute)
            return fs_fail(err, FS_BROKEN,
                           "tile %u, worker %u: busy + waiting + idle are %llu cycles, the compute phases "
                           "%llu",
                           tile, w, (unsigned long long)sum, (unsigned long long)compute);
    }
    return FS_OK;
}
