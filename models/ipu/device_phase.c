/* Phase detail: each phase passes in one closed form, on SystemC or, in a replay, one after the other. */
#include "models/ipu/device_internal.h"
#include "sim/host/signals.h"

#include <omp.h>
#include <string.h>

/* A tile is priced as soon as its kernel has run, so counts live no longer than that: one block a thread
 * stays in the nearest cache. */
typedef struct phase_state {
    uint32_t *counts; /* [threads][workers][width], zero between calls */
} phase_state;

static void *create(fs_device *d, fs_arena *arena, fs_error *err) {
    (void)err;
    phase_state *s = FS_NEW(arena, phase_state, 1);
    s->counts = FS_NEW(arena, uint32_t, (size_t)omp_get_max_threads() * d->workers * d->width);
    return s;
}

static uint32_t *counts(fs_device *d, uint32_t tile) {
    (void)tile;
    const phase_state *s = d->level_state;
    return s->counts + (size_t)omp_get_thread_num() * d->workers * d->width;
}

static void elaborate(fs_device *d) {
    (void)d;
}

static void pass(fs_branch *b, uint64_t cycles) {
    fs_kernel_wake(b->device->kernel, b->process, cycles);
}

static void multiply(fs_tile_times *t, uint32_t workers, uint64_t times) {
    t->cycles *= times;
    for (uint32_t w = 0; w < workers; w++) {
        t->busy[w] *= times;
        t->waiting[w] *= times;
        t->idle[w] *= times;
    }
}

static void done(fs_device *d, uint32_t tile, uint32_t *counted, uint32_t calls) {
    fs_step *s = d->now;
    const fs_priced_program *program = &d->priced[s->class_of[tile]];
    fs_tile_times times;
    fs_tile_times_closed(program, counted, &times);
    if (calls != 1)
        multiply(&times, d->workers, calls);
    fs_books_call(&d->books, tile, &times);
    if (s->weight > 1)
        fs_books_calls(&d->books, tile, &times, s->weight - 1);
    s->compute[tile] += times.cycles;
    memset(counted, 0, (size_t)d->workers * program->width * sizeof *counted);
}

static void collect(fs_branch *b, fs_step *s) {
    uint64_t *sum = b->device->sum;
    for (uint32_t i = 0; i < b->tile_count; i++) {
        const uint32_t t = b->tiles[i];
        const uint64_t cycles = s->done[t] == s->round ? s->compute[t] : s->idle[s->class_of[t]].cycles;
        sum[t] += cycles;
        s->sum[t] += cycles;
    }
}

static void compute(fs_branch *b) {
    uint32_t tile;
    pass(b, fs_branch_longest(b, &tile));
}

static void sync(fs_branch *b) {
    pass(b, b->sync_cycles);
}

uint64_t fs_phase_exchange_cycles(fs_branch *b) {
    fs_device *d = b->device;
    fs_step *s = b->step;
    const uint64_t overhead = (uint64_t)d->machine->exchange.program_overhead;
    if (fs_step_is_local(s->plan))
        return b->rounds * overhead + s->plan->beyond;
    const bool planned = fs_fabric_is_planned(s->fabric);
    s->planned_phases += planned ? b->weight : 0;
    const uint64_t cycles = fs_fabric_phase(s->fabric, s->held, planned ? NULL : &d->books.port_counters);
    if (d->samples != NULL && !planned)
        fs_samples_phase(b, cycles - overhead);
    return (b->rounds - 1) * overhead + s->plan->beyond + cycles;
}

static void exchange(fs_branch *b) {
    pass(b, fs_phase_exchange_cycles(b));
}

static void meet(fs_branch *b) {
    pass(b, fs_external_sync(b->device));
}

static void external(fs_branch *b) {
    pass(b, b->step->external->cycles);
}

uint64_t fs_phase_host_cycles(const fs_device *d, const fs_host_work *work) {
    const fs_host_params *p = &d->machine->host;
    uint64_t call = (uint64_t)d->machine->sync.external + fs_host_launch_cycles(p, d->machine->clock);
    uint64_t cycles = work->programs * call;
    if (work->visit)
        cycles += call + fs_host_streams_cycles(p, d->machine->clock, work->streams) +
                  fs_host_transfer_cycles(p, d->machine->clock, work->busiest_bytes) +
                  fs_fabric_broadcast(d->steps[0].fabric, d->plan->host_tile, work->broadcast_bytes);
    return cycles;
}

static void host(fs_device *d) {
    fs_kernel_wake(d->kernel, d->sequencer, fs_phase_host_cycles(d, &d->work));
}

const fs_device_level fs_phase_level = {create, elaborate, counts, done,     collect, compute,
                                        sync,   exchange,  meet,   external, host};

/* ---- without SystemC: what prices need, where nothing waits for an event ---- */

static uint64_t exchange_cycles(fs_branch *b) {
    const fs_device *d = b->device;
    return d->given_exchange != NULL ? d->given_exchange[d->iteration.number] : fs_phase_exchange_cycles(b);
}

/* A branch from the cycle `start` on. */
static fs_status run_branch(fs_branch *b, uint64_t start, fs_error *err) {
    const fs_device *d = b->device;
    fs_branch_begin(b);
    while (b->more) {
        fs_status status = fs_branch_ask(b, err);
        if (status)
            return status;
        uint32_t tile;
        const uint64_t longest = fs_branch_longest(b, &tile);
        if (fs_branch_book_compute(b, start + fs_branch_cycles(b), longest, tile, err))
            return err->status;
        fs_branch_book_sync(b, b->weight * b->sync_cycles);
        if (d->given_exchange == NULL && (status = fs_branch_ask_exchange(b, err)) != FS_OK)
            return status;
        fs_branch_book_exchange(b, b->weight * exchange_cycles(b));
        if (b->step->external == NULL)
            continue;
        fs_branch_book_meet(b, b->weight * fs_external_sync(d));
        fs_external_begin(b);
        fs_branch_book_external(b, b->weight * b->step->external->cycles);
    }
    return FS_OK;
}

static fs_status iterate(fs_device *d, fs_error *err) {
    fs_device_begin_iteration(d, d->cycles);
    for (uint32_t i = 0; i < d->plan->stage_count; i++) {
        const fs_stage_run *stage = &d->stages[i];
        if (fs_device_skips(d, i))
            continue;
        for (uint32_t b = 0; b < stage->branch_count; b++) {
            fs_status status = run_branch(&stage->branches[b], d->cycles, err);
            if (status)
                return status;
        }
        d->cycles += fs_device_book_stage(d, stage);
    }
    fs_status status = fs_device_decide(d, err);
    if (status)
        return status;
    if (d->work.visit || d->work.programs > 0)
        d->iteration.host = fs_phase_host_cycles(d, &d->work);
    d->cycles += d->iteration.host;
    fs_device_end_iteration(d);
    return FS_OK;
}

fs_status fs_device_replay(fs_device *d, const fs_device_client *client, fs_error *err) {
    FS_ASSERT(d->level == &fs_phase_level, "a replay has no events");
    if (fs_device_plan_phases(d, err))
        return err->status;
    d->client = client;
    d->work = fs_device_work_of(d, &d->plan->first, false);
    d->first = d->host = d->cycles = fs_phase_host_cycles(d, &d->work);
    while (!d->stop) {
        if (fs_interrupted())
            return fs_fail(err, FS_RUN, "interrupted after %llu iterations",
                           (unsigned long long)d->iteration.number);
        fs_status status = iterate(d, err);
        if (status)
            return status;
    }
    return fs_device_settle(d, err);
}
