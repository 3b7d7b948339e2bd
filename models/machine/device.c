#include "models/machine/device_internal.h"

#include "sim/base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fs_device_phase_done(fs_device *d) {
    fs_kernel_wake(d->kernel, d->sequencer, 0);
}

static void end_run(fs_device *d, fs_status status) {
    d->status = status;
    fs_kernel_stop(d->kernel);
}

void fs_device_fail(fs_device *d, fs_status status, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    end_run(d, fs_fail(d->err, status, "%s", text));
}

void fs_device_look_at_active(fs_device *d) {
    memcpy(d->idle_tiles, d->class_tiles, d->classes * sizeof d->idle_tiles[0]);
    for (uint32_t i = 0; i < d->active_count; i++) {
        uint32_t tile = d->active[i];
        FS_ASSERT(tile < d->tiles && (i == 0 || d->active[i - 1] < tile), "active tile %u out of order",
                  tile);
        FS_ASSERT(d->class_of[tile] > 0, "tile %u has no program and cannot be active", tile);
        FS_ASSERT(d->done[tile] == d->iteration.number + 1, "tile %u is active but not done", tile);
        d->idle_tiles[d->class_of[tile]]--;
    }
}

static void begin_compute(fs_device *d) {
    if (fs_interrupted()) {
        fs_device_fail(d, FS_RUN, "interrupted after %llu iterations",
                       (unsigned long long)d->iteration.number);
        return;
    }
    d->level->forget(d);
    d->active_count = 0;
    d->iteration = (fs_iteration){.number = d->iteration.number, .start = fs_kernel_now(d->kernel)};
    d->occupied = NULL;
    d->step = FS_STEP_COMPUTE;
    fs_status status =
        d->client->compute(d->client->self, d->iteration.number, &d->active, &d->active_count, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    fs_device_look_at_active(d);
    d->level->compute(d);
}

static void end_compute(fs_device *d, uint64_t cycles) {
    d->iteration.compute = cycles;
    fs_status status = fs_books_compute(d, cycles, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    d->step = FS_STEP_SYNC;
    d->level->sync(d);
}

static void begin_exchange(fs_device *d) {
    d->step = FS_STEP_EXCHANGE;
    fs_status status = d->client->exchange(d->client->self, d->iteration.number, &d->occupied, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    FS_ASSERT(d->occupied || d->machine->exchange.mode == FS_EXCHANGE_STATIC,
              "a dynamic exchange needs the occupied bytes");
    d->level->exchange(d);
}

static void end_iteration(fs_device *d) {
    d->books.sync += d->iteration.sync;
    d->books.exchange += d->iteration.exchange;
    d->books.host += d->iteration.host;
    d->books.iterations++;
    if (d->client->finished)
        d->client->finished(d->client->self, &d->iteration);
    d->iteration.number++;
    if (d->stop)
        end_run(d, FS_OK);
    else
        begin_compute(d);
}

fs_host_work fs_device_work_of(const fs_device *d, const fs_host_visit *visit, bool launches) {
    fs_host_work work = {.visit = visit->visit};
    if (launches && !d->machine->host.fused)
        work.programs = (uint64_t)d->machine->host.programs;
    if (visit->visit) {
        work.link_bytes = visit->bytes_to_host + visit->bytes_to_device;
        work.broadcast_bytes = visit->broadcast_bytes;
    }
    return work;
}

static void decide(fs_device *d) {
    fs_host_visit visit = {0};
    fs_status status = d->client->decide(d->client->self, d->iteration.number, &visit, &d->stop, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    d->work = fs_device_work_of(d, &visit, true);
    d->step = FS_STEP_HOST;
    if (d->work.visit || d->work.programs > 0)
        d->level->host(d);
    else
        end_iteration(d);
}

static void begin_first_visit(fs_device *d) {
    d->work = fs_device_work_of(d, &d->first, false);
    d->step = FS_STEP_FIRST_VISIT;
    d->level->host(d);
}

/* Runs at the end of each phase: books it and begins the next one. */
static void sequence(void *self) {
    fs_device *d = self;
    uint64_t cycles = fs_device_since_phase_start(d);
    d->phase_start += cycles;
    switch (d->step) {
    case FS_STEP_BEGIN:
        begin_first_visit(d);
        break;
    case FS_STEP_FIRST_VISIT:
        d->books.first = cycles;
        d->books.host = cycles;
        begin_compute(d);
        break;
    case FS_STEP_COMPUTE:
        end_compute(d, cycles);
        break;
    case FS_STEP_SYNC:
        d->iteration.sync = cycles;
        begin_exchange(d);
        break;
    case FS_STEP_EXCHANGE:
        d->iteration.exchange = cycles;
        decide(d);
        break;
    case FS_STEP_HOST:
        d->iteration.host = cycles;
        end_iteration(d);
        break;
    }
}

fs_device_programs fs_device_programs_by_role(const fs_overlay *overlay, const fs_program *const *programs,
                                              fs_arena *arena) {
    const fs_program **list = FS_NEW(arena, const fs_program *, FS_ROLE_COUNT);
    uint8_t number[FS_ROLE_COUNT] = {0};
    fs_device_programs p = {.program = list, .of_tile = FS_NEW(arena, uint8_t, overlay->tiles)};
    for (int role = 0; role < FS_ROLE_COUNT; role++)
        if (programs[role] != NULL) {
            list[p.count++] = programs[role];
            number[role] = (uint8_t)p.count;
        }
    for (uint32_t t = 0; t < overlay->tiles; t++)
        p.of_tile[t] = number[overlay->role[t]];
    return p;
}

static fs_status price_programs(fs_device *d, fs_arena *arena, const fs_device_programs *programs,
                                fs_error *err) {
    d->classes = programs->count + 1;
    d->class_of = programs->of_tile;
    d->class_tiles = FS_NEW(arena, uint32_t, d->classes);
    d->idle_tiles = FS_NEW(arena, uint32_t, d->classes);
    d->priced = FS_NEW(arena, fs_priced_program, d->classes);
    d->idle = FS_NEW(arena, fs_tile_times, d->classes);
    for (uint32_t c = 1; c < d->classes; c++) {
        fs_status status = fs_program_price(programs->program[c - 1], &d->machine->tile, &d->priced[c], err);
        if (status)
            return status;
        fs_tile_times_closed(&d->priced[c], NULL, &d->idle[c]);
    }
    for (uint32_t t = 0; t < d->tiles; t++) {
        FS_ASSERT(d->class_of[t] < d->classes, "tile %u runs a program that is not there", t);
        d->class_tiles[d->class_of[t]]++;
    }
    return FS_OK;
}

/* One bulk copy for each two levels and direction: lanes up to the roots, down again, and those of the
 * generator (ipu.md 7: five up, five down, two). */
static fs_exchange_copies copies_of(const fs_device *d, fs_arena *arena) {
    const fs_overlay *o = d->overlay;
    const uint32_t levels = o->levels + 2; /* tracers 0, routers, generator */
    uint32_t *number = FS_NEW(arena, uint32_t, levels * levels);
    uint32_t *of = FS_NEW(arena, uint32_t, o->lane_count + 1);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        of[l] = o->level[o->lanes[l].src] * levels + o->level[o->lanes[l].dst];
        FS_ASSERT(of[l] < levels * levels, "lane %u between levels that are not there", l);
        number[of[l]] = 1;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < levels * levels; i++)
        number[i] = number[i] > 0 ? count++ : 0;
    for (uint32_t l = 0; l < o->lane_count; l++)
        of[l] = number[of[l]];
    return (fs_exchange_copies){.of = of,
                                .count = count,
                                .between = fs_sync_internal(&d->machine->sync, &d->machine->geometry) +
                                           (uint64_t)d->machine->exchange.program_overhead};
}

static fs_status create_exchange(fs_device *d, fs_arena *arena, const fs_transfer *transfers, fs_error *err) {
    const fs_exchange_params *p = &d->machine->exchange;
    const bool serial = p->copies == FS_EXCHANGE_SERIAL;
    if (serial && p->mode != FS_EXCHANGE_STATIC)
        return fs_fail(err, FS_INPUT,
                       "machine.exchange.copies: serial copies are of a static exchange; expected "
                       "exchange.mode static, found dynamic");
    const fs_exchange_copies copies = serial ? copies_of(d, arena) : (fs_exchange_copies){.count = 0};
    d->exchange = fs_exchange_create_serial(arena, p, &d->machine->geometry, d->tiles, transfers,
                                            d->overlay->lane_count, serial ? &copies : NULL, err);
    return d->exchange == NULL ? err->status : FS_OK;
}

fs_device *fs_device_create(fs_arena *arena, const fs_machine_params *machine, const fs_overlay *overlay,
                            const fs_device_programs *programs, const fs_transfer *transfers,
                            fs_detail detail, const fs_host_visit *first, fs_error *err) {
    uint32_t tiles = fs_geometry_tiles(&machine->geometry);
    FS_ASSERT(overlay->tiles == tiles, "an overlay of %u tiles on a machine of %u", overlay->tiles, tiles);
    fs_device *d = FS_NEW(arena, fs_device, 1);
    *d = (fs_device){.machine = machine, .overlay = overlay, .tiles = tiles, .first = *first};
    d->first.visit = true;
    d->workers = (uint32_t)machine->tile.workers;
    if (price_programs(d, arena, programs, err))
        return NULL;
    if (create_exchange(d, arena, transfers, err))
        return NULL;
    d->compute = FS_NEW(arena, uint64_t, tiles);
    d->done = FS_NEW(arena, uint64_t, tiles);
    fs_books_create(d, arena);
    d->level = detail == FS_DETAIL_PHASE ? &fs_phase_level : &fs_event_level;
    d->level_state = d->level->create(d, arena);
    return d;
}

uint32_t *fs_device_counts(fs_device *d, uint32_t tile) {
    return d->level->counts(d, tile);
}

void fs_device_done(fs_device *d, uint32_t tile) {
    FS_ASSERT(tile < d->tiles && d->class_of[tile] > 0, "tile %u runs no program", tile);
    d->done[tile] = d->iteration.number + 1;
    d->level->tile_done(d, tile);
}

fs_status fs_device_run(fs_device *d, const fs_device_client *client, fs_error *err) {
    d->kernel = fs_kernel_create(err);
    if (d->kernel == NULL)
        return FS_RUN;
    d->client = client;
    d->err = err;
    d->sequencer = fs_kernel_process(d->kernel, "sequencer", sequence, d);
    d->level->elaborate(d);
    fs_kernel_wake(d->kernel, d->sequencer, 0);
    fs_status status = fs_kernel_run(d->kernel, err);
    d->cycles = fs_kernel_now(d->kernel);
    d->activations = fs_kernel_activations(d->kernel);
    fs_kernel_free(d->kernel);
    d->kernel = NULL;
    if (status == FS_OK)
        status = d->status;
    if (status == FS_OK && !d->stop)
        status = fs_fail(err, FS_BROKEN, "the device stood still after %llu iterations",
                         (unsigned long long)d->books.iterations);
    return status ? status : fs_books_settle(d, err);
}

uint64_t fs_device_tile_cycles(const fs_device *d, uint32_t tile) {
    if (d->done[tile] == d->iteration.number + 1)
        return d->compute[tile];
    return d->idle[d->class_of[tile]].cycles;
}

uint64_t fs_device_idle_cycles(const fs_device *d, uint32_t tile) {
    return d->idle[d->class_of[tile]].cycles;
}

const fs_exchange *fs_device_exchange(const fs_device *d) {
    return d->exchange;
}
