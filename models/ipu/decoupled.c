/* Decoupled execution: calls, slices, and the run from the first visit of the host to the last. */
#include "models/ipu/decoupled.h"

#include "models/ipu/decoupled_internal.h"
#include "sim/host/signals.h"

#include <stdio.h>
#include <string.h>

static const uint64_t never = FS_NEVER;

/* ---- calls ---- */

static void begin_call(fs_decoupled *d, tile_state *t) {
    t->blocked = false;
    if (d->stopping || (!decoupled_look(d, t->tile) && t->tile != d->source))
        return;
    memset(d->counts, 0, (size_t)d->device->workers * d->device->width * sizeof *d->counts);
    d->caller = t;
    d->delay = 0;
    t->finished = t->rays = 0;
    uint32_t found = d->client->begin(d->client->self, t->tile, d->now, d->counts);
    t->blocked = (found & FS_CALL_BLOCKED) != 0;
    if ((found & FS_CALL_BEGUN) == 0)
        return;
    uint8_t class = d->device->steps[0].class_of[t->tile];
    fs_tile_times_closed(&d->device->priced[class], d->counts, &t->times);
    fs_energy_call(&d->device->energy, t->tile, class, d->counts, 1);
    t->computing = true;
    t->call_begin = d->now;
    t->call_end = d->now + d->delay + t->times.cycles;
    decoupled_due(d, t->call_end);
    d->totals.calls++;
    d->totals.cycles_calls += t->times.cycles;
    d->totals.cycles_fixed += d->fixed[class];
}

/* The workers were idle while the host read. */
static void add_delay(const fs_decoupled *d, tile_state *t) {
    uint64_t delay = t->call_end - t->call_begin - t->times.cycles;
    t->times.cycles += delay;
    for (uint32_t w = 0; w < d->device->workers; w++)
        t->times.idle[w] += delay;
}

static void end_call(fs_decoupled *d, tile_state *t) {
    add_delay(d, t);
    fs_books_call(d->books, t->tile, &t->times);
    t->slice_busy += t->call_end - (t->call_begin > d->slice_begin ? t->call_begin : d->slice_begin);
    t->computing = false;
    d->totals.ray_cycles_calls += t->rays * (t->call_end - t->call_begin);
    for (uint32_t i = d->out_start[t->tile]; i < d->out_start[t->tile + 1]; i++) {
        lane_state *l = &d->lanes[d->out_lane[i]];
        const uint32_t promised = l->ends->promised;
        l->ends->promised = 0;
        l->out += promised;
        t->queued += promised;
    }
    if (t->finished > 0)
        decoupled_window_return(d, t->tile, t->finished);
    d->client->end(d->client->self, t->tile, d->now);
}

void fs_decoupled_finish(fs_decoupled *d) {
    d->caller->finished++;
}

void fs_decoupled_read_out(fs_decoupled *d, uint64_t bytes) {
    const fs_machine_params *m = d->device->machine;
    uint64_t start = d->host_free_at > d->now ? d->host_free_at : d->now;
    d->host_free_at = start + (uint64_t)m->sync.external + fs_host_launch_cycles(&m->host, m->clock) +
                      fs_host_transfer_cycles(&m->host, m->clock, bytes);
    d->delay = d->host_free_at - d->now;
    d->totals.read_outs++;
    fs_energy_host(&d->device->energy, bytes, 0);
}

/* ---- tiles ---- */

void decoupled_wake(fs_decoupled *d, tile_state *t, uint64_t time) {
    if (time >= t->woken)
        return;
    t->woken = time;
    fs_kernel_wake(d->kernel, t->process, time - d->now);
}

/* When the tile has to be looked at again if nobody else wakes it. */
static uint64_t next_look(fs_decoupled *d, const tile_state *t) {
    uint64_t next = decoupled_send_next(d, t), other = never;
    if (t->computing)
        other = t->call_end;
    else if (t->tile != d->source)
        other = decoupled_next_arrival(d, t->tile);
    else if (t->blocked)
        other = decoupled_window_next(d);
    return other < next ? other : next;
}

static void tile_wakes(void *self) {
    tile_state *t = self;
    fs_decoupled *d = t->d;
    if (d->stopped_at != never)
        return; /* the host reads: what is under way stays as it was */
    d->now = fs_kernel_now(d->kernel);
    t->woken = never;
    if (t->computing && t->call_end <= d->now)
        end_call(d, t);
    decoupled_send(d, t);
    if (!t->computing)
        begin_call(d, t);
    uint64_t next = d->stopping ? never : next_look(d, t);
    if (next != never)
        decoupled_wake(d, t, next);
}

/* ---- slices ---- */

static void end_run(fs_decoupled *d, fs_status status) {
    d->device->status = status;
    fs_kernel_stop(d->kernel);
}

/* Cycles that each tile computed in the slice, and the lowest of those that computed longest. */
static void measure_slice(fs_decoupled *d, fs_iteration *slice) {
    fs_device *dev = d->device;
    uint64_t longest = 0;
    slice->pace_tile = 0;
    for (uint32_t i = 0; i < d->device->tiles; i++) {
        tile_state *t = &d->tiles[i];
        uint64_t busy = t->slice_busy;
        if (t->computing)
            busy += d->now - (t->call_begin > d->slice_begin ? t->call_begin : d->slice_begin);
        t->slice_busy = 0;
        dev->steps[0].compute[i] = busy;
        dev->steps[0].done[i] = dev->steps[0].round;
        if (busy > longest) {
            longest = busy;
            slice->pace_tile = i;
        }
    }
    d->books->paced[slice->pace_tile]++;
}

static void end_slice(fs_decoupled *d, uint64_t host) {
    fs_device *dev = d->device;
    fs_iteration *slice = &dev->iteration;
    slice->start = d->slice_begin;
    slice->compute = d->now - d->slice_begin;
    slice->host = host;
    measure_slice(d, slice);
    const uint64_t cycles[FS_ENERGY_PHASES] = {
        [FS_ENERGY_IN_COMPUTE] = slice->compute, [FS_ENERGY_IN_HOST] = host};
    fs_energy_book(&dev->energy, slice->start, cycles, true);
    decoupled_book_stalls(d);
    dev->iterations++;
    d->slice_begin = d->now;
    d->client->finished(d->client->self, slice);
    decoupled_next_lanes(d);
    slice->number++;
}

static uint64_t visit_cycles(fs_decoupled *d, const fs_host_visit *visit) {
    fs_host_visit made = *visit;
    made.visit = true;
    const fs_host_work work = fs_device_work_of(d->device, &made, false);
    return fs_phase_host_cycles(d->device, &work);
}

static void check_progress(fs_decoupled *d) {
    fs_device *dev = d->device;
    if (fs_interrupted()) {
        fs_fail(dev->err, FS_RUN, "interrupted after %llu slices", (unsigned long long)dev->iteration.number);
    } else if (d->latest < d->now) {
        fs_fail(dev->err, FS_RUN,
                "the machine stands still with %u rays in flight: full queues wait for each other in a ring; "
                "up to machine.decoupled_window = %u that cannot happen, found %u",
                d->in_flight, d->setup.safe_window, d->window);
    } else if (dev->iteration.number >= d->setup.max_slices) {
        fs_fail(dev->err, FS_RUN,
                "not done after run.max_iterations = %u slices of %llu cycles: %u rays in flight; a longer "
                "machine.decoupled_slice covers more time with as many rows",
                d->setup.max_slices, (unsigned long long)d->setup.slice, d->in_flight);
    } else {
        fs_kernel_wake(d->kernel, d->clock, d->setup.slice);
        return;
    }
    end_run(d, FS_RUN);
}

/* The visit has passed: the source may begin. */
static void open_run(fs_decoupled *d) {
    d->first_visit_over = true;
    d->run_begin = d->slice_begin = d->window_folded = d->latest = d->now;
    d->device->first = d->now;
    decoupled_wake(d, &d->tiles[d->source], d->now);
    decoupled_due(d, d->now);
    fs_kernel_wake(d->kernel, d->clock, d->setup.slice);
}

/* Ends with the last visit; what tiles were doing is cut off. */
static void close_run(fs_decoupled *d) {
    fs_host_visit visit = {0};
    d->client->last_visit(d->client->self, &visit);
    uint64_t host = visit_cycles(d, &visit);
    fs_energy_host(&d->device->energy, visit.bytes_to_host + visit.bytes_to_device, visit.broadcast_bytes);
    d->stopped_at = d->now;
    d->device->host = d->device->first + host;
    d->device->compute = d->stopped_at - d->run_begin;
    end_slice(d, host);
    d->run_end = d->stopped_at + host;
    fs_kernel_wake(d->kernel, d->clock, host);
}

static void clock_ticks(void *self) {
    fs_decoupled *d = self;
    d->now = fs_kernel_now(d->kernel);
    if (!d->first_visit_over) {
        open_run(d);
    } else if (!d->stopping) {
        end_slice(d, 0);
        check_progress(d);
    } else if (d->stopped_at == never) {
        close_run(d);
    } else if (d->now < d->run_end) { /* a tick of a slice that ended where the run did */
        fs_kernel_wake(d->kernel, d->clock, d->run_end - d->now);
    } else {
        d->device->stop = true;
        end_run(d, FS_OK);
    }
}

void fs_decoupled_stop(fs_decoupled *d) {
    d->stopping = true;
    fs_kernel_wake(d->kernel, d->clock, 0);
}

/* ---- elaboration and the run ---- */

fs_decoupled *fs_decoupled_create(fs_arena *arena, const fs_decoupled_setup *setup, fs_error *err) {
    if (fs_fabric_plans(&setup->machine->exchange))
        return FS_FAIL_NULL(
            err, FS_INPUT,
            "machine.execution: decoupled tiles send when they have something to send, which a static "
            "exchange cannot; it needs machine.exchange.mode: dynamic");
    const fs_device_step *step = fs_plan_step(setup->plan, 0);
    FS_ASSERT(fs_plan_steps(setup->plan) == 1 && step->only_active && setup->window > 0,
              "decoupled tiles run one program each, and only with work");
    fs_decoupled *d = FS_NEW(arena, fs_decoupled, 1);
    fs_device *dev = fs_device_create(arena, setup->machine, setup->plan, FS_DETAIL_PHASE, err);
    if (dev == NULL)
        return NULL;
    *d = (fs_decoupled){.setup = *setup,
                        .device = dev,
                        .books = &dev->books,
                        .fabric = dev->steps[0].fabric,
                        .step = step,
                        .lane_count = step->transfer_count,
                        .source = setup->plan->host_tile,
                        .window = setup->window,
                        .stopped_at = never};
    d->setup.plan = dev->plan;
    d->stepped = fs_fabric_is_stepped(d->fabric);
    d->fixed = FS_NEW(arena, uint64_t, dev->classes);
    for (uint32_t c = 0; c < dev->classes; c++)
        d->fixed[c] = dev->idle[c].cycles;
    d->counts = FS_NEW(arena, uint32_t, (size_t)dev->workers * dev->width);
    decoupled_lanes_create(d, arena);
    d->tiles = FS_NEW(arena, tile_state, dev->tiles);
    for (uint32_t t = 0; t < dev->tiles; t++)
        d->tiles[t] = (tile_state){.d = d, .tile = t, .sending = UINT32_MAX, .woken = never};
    return d;
}

/* What was running when the run stopped is counted up to then. */
static void cut_call(fs_decoupled *d, tile_state *t) {
    uint64_t ran = d->stopped_at - t->call_begin;
    add_delay(d, t);
    for (uint32_t w = 0; w < d->device->workers; w++) {
        uint64_t busy = t->times.busy[w] < ran ? t->times.busy[w] : ran;
        uint64_t waiting = t->times.waiting[w] < ran - busy ? t->times.waiting[w] : ran - busy;
        t->times.busy[w] = busy;
        t->times.waiting[w] = waiting;
        t->times.idle[w] = ran - busy - waiting;
    }
    t->times.cycles = ran;
    fs_books_call(d->books, t->tile, &t->times);
}

static fs_status settle(fs_decoupled *d, fs_error *err) {
    fs_device *dev = d->device;
    for (uint32_t t = 0; t < dev->tiles; t++)
        if (d->tiles[t].computing)
            cut_call(d, &d->tiles[t]);
    if (d->books->broken != 0)
        return fs_fail(err, FS_BROKEN,
                       "tile %u: busy, waiting and idle cycles of a worker are not its call's",
                       d->books->broken - 1);
    dev->group[0].compute = dev->compute;
    fs_status status = fs_device_settle(dev, err);
    if (status == FS_OK)
        status = fs_fabric_check(d->fabric, err);
    return status ? status : decoupled_check_lanes(d, err);
}

fs_status fs_decoupled_run(fs_decoupled *d, const fs_decoupled_client *client, fs_error *err) {
    fs_device *dev = d->device;
    char name[32];
    d->kernel = fs_kernel_create(err);
    if (d->kernel == NULL)
        return FS_RUN;
    d->client = client;
    dev->err = err;
    for (uint32_t t = 0; t < dev->tiles; t++) {
        snprintf(name, sizeof name, "tile%u", t);
        d->tiles[t].process = fs_kernel_process(d->kernel, name, tile_wakes, &d->tiles[t]);
    }
    if (d->stepped)
        d->network = fs_kernel_process(d->kernel, "network", decoupled_network_wakes, d);
    d->clock = fs_kernel_process(d->kernel, "clock", clock_ticks, d);
    fs_kernel_wake(d->kernel, d->clock, visit_cycles(d, &d->setup.plan->first));
    fs_status status = fs_kernel_run(d->kernel, err);
    dev->cycles = fs_kernel_now(d->kernel);
    dev->activations = fs_kernel_activations(d->kernel);
    fs_kernel_free(d->kernel);
    d->kernel = NULL;
    if (status == FS_OK)
        status = dev->status;
    return status ? status : settle(d, err);
}

fs_device *fs_decoupled_device(const fs_decoupled *d) {
    return d->device;
}

fs_decoupled_totals fs_decoupled_totals_of(const fs_decoupled *d) {
    fs_decoupled_totals totals = d->totals;
    totals.window = d->window;
    totals.most_in_flight = d->most_in_flight;
    return totals;
}

const uint32_t *fs_decoupled_slice_touched(const fs_decoupled *d, uint32_t *count) {
    *count = d->touched_count;
    return d->touched;
}

const fs_decoupled_lane *fs_decoupled_slice_lanes(const fs_decoupled *d) {
    return d->lane_slice;
}
