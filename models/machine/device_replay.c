/* Phase detail without SystemC: the same closed forms one after the other. What a replay of recorded activity
 * needs, where nothing waits for an event. */
#include "models/machine/device_internal.h"

#include "sim/base/progress.h"

static fs_status compute(fs_device *d, fs_error *err) {
    d->active_count = 0;
    fs_status status =
        d->client->compute(d->client->self, d->iteration.number, &d->active, &d->active_count, err);
    if (status)
        return status;
    fs_device_look_at_active(d);
    uint32_t tile;
    d->iteration.compute = fs_device_longest(d, &tile);
    return fs_books_compute(d, d->iteration.compute, err);
}

static fs_status exchange(fs_device *d, fs_error *err) {
    d->occupied = NULL;
    if (d->told_exchange != NULL) {
        d->iteration.exchange = d->told_exchange[d->iteration.number];
        return FS_OK;
    }
    fs_status status = d->client->exchange(d->client->self, d->iteration.number, &d->occupied, err);
    if (status)
        return status;
    FS_ASSERT(d->occupied || d->machine->exchange.mode == FS_EXCHANGE_STATIC,
              "a dynamic exchange needs the occupied bytes");
    d->iteration.exchange = fs_phase_exchange_cycles(d);
    return FS_OK;
}

static fs_status iterate(fs_device *d, fs_error *err) {
    fs_host_visit visit = {0};
    fs_iteration *i = &d->iteration;
    *i = (fs_iteration){.number = i->number, .start = d->cycles};
    fs_status status = compute(d, err);
    if (status)
        return status;
    i->sync = fs_sync_internal(&d->machine->sync, &d->machine->geometry);
    status = exchange(d, err);
    if (status == FS_OK)
        status = d->client->decide(d->client->self, i->number, &visit, &d->stop, err);
    if (status)
        return status;
    d->work = fs_device_work_of(d, &visit, true);
    i->host = d->work.visit || d->work.programs > 0 ? fs_phase_host_cycles(d, &d->work) : 0;
    d->cycles += i->compute + i->sync + i->exchange + i->host;
    d->books.sync += i->sync;
    d->books.exchange += i->exchange;
    d->books.host += i->host;
    d->books.iterations++;
    if (d->client->finished)
        d->client->finished(d->client->self, i);
    i->number++;
    return FS_OK;
}

void fs_device_tell(fs_device *d, uint32_t tile, uint64_t cycles) {
    d->told = true;
    d->done[tile] = d->iteration.number + 1;
    d->compute[tile] = cycles;
    d->books.tile_compute[tile] += cycles;
    d->books.active_iterations[tile]++;
}

void fs_device_tell_exchange(fs_device *d, const uint64_t *cycles) {
    d->told_exchange = cycles;
}

const fs_priced_program *fs_device_program(const fs_device *d, uint32_t tile) {
    return d->class_of[tile] > 0 ? &d->priced[d->class_of[tile]] : NULL;
}

/* The idle tiles' compute, where no worker is booked. */
static fs_status settle_tiles(fs_device *d) {
    for (uint32_t t = 0; t < d->tiles; t++)
        d->books.tile_compute[t] +=
            (d->books.iterations - d->books.active_iterations[t]) * d->idle[d->class_of[t]].cycles;
    return FS_OK;
}

fs_status fs_device_replay(fs_device *d, const fs_device_client *client, fs_error *err) {
    FS_ASSERT(d->level == &fs_phase_level, "a replay has no events");
    d->client = client;
    d->work = fs_device_work_of(d, &d->first, false);
    d->books.first = d->books.host = d->cycles = fs_phase_host_cycles(d, &d->work);
    while (!d->stop) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted after %llu iterations",
                           (unsigned long long)d->iteration.number);
        fs_status status = iterate(d, err);
        if (status)
            return status;
    }
    return d->told ? settle_tiles(d) : fs_books_settle(d, err);
}
