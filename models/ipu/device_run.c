/* The run on SystemC: a sequencer for the host, and one for each branch, woken at the end of each phase. */
#include "models/ipu/device_internal.h"
#include "sim/host/signals.h"

#include <stdio.h>

static void end_run(fs_device *d, fs_status status) {
    d->ended = true;
    d->status = status;
    fs_kernel_stop(d->kernel);
}

void fs_device_fail(fs_device *d, fs_status status, const char *format, ...) {
    char text[1024];
    FS_VARIADIC(args, format, vsnprintf(text, sizeof text, format, args));
    if (!d->ended)
        end_run(d, fs_fail(d->err, status, "%s", text));
}

void fs_branch_phase_done(fs_branch *b) {
    fs_kernel_wake(b->device->kernel, b->process, 0);
}

/* ---- branches ---- */

static void end_stage(fs_device *d);
static void end_stages(fs_device *d);

static void begin_run(fs_branch *b) {
    fs_device *d = b->device;
    fs_status status = fs_branch_ask(b, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    b->phase = FS_PHASE_COMPUTE;
    d->level->compute(b);
}

static void end_compute(fs_branch *b, uint64_t cycles) {
    uint32_t pace;
    const uint64_t longest = fs_branch_longest(b, &pace);
    if (longest * b->weight != cycles) {
        fs_device_fail(b->device, FS_BROKEN,
                       "iteration %llu: the compute phase took %llu cycles, its slowest tile %u took %llu",
                       (unsigned long long)b->device->iteration.number, (unsigned long long)cycles, pace,
                       (unsigned long long)longest);
        return;
    }
    fs_status status = fs_branch_book_compute(b, b->phase_start - cycles, longest, pace, b->device->err);
    if (status) {
        end_run(b->device, status);
        return;
    }
    b->phase = FS_PHASE_SYNC;
    if (fs_branch_meets(b))
        b->device->level->sync(b);
    else
        fs_branch_phase_done(b);
}

static void end_sync(fs_branch *b, uint64_t cycles) {
    fs_branch_book_sync(b, cycles);
    fs_status status = fs_branch_ask_exchange(b, b->device->err);
    if (status) {
        end_run(b->device, status);
        return;
    }
    b->phase = FS_PHASE_EXCHANGE;
    b->device->level->exchange(b);
}

static void end_round(fs_branch *b) {
    if (b->more)
        begin_run(b);
    else if (--b->device->running == 0)
        end_stage(b->device);
}

static void end_exchange(fs_branch *b, uint64_t cycles) {
    fs_branch_book_exchange(b, cycles);
    if (b->step->external == NULL) {
        end_round(b);
        return;
    }
    b->phase = FS_PHASE_MEET;
    b->device->level->meet(b);
}

static void end_meet(fs_branch *b, uint64_t cycles) {
    fs_branch_book_meet(b, cycles);
    fs_external_begin(b);
    b->phase = FS_PHASE_EXTERNAL;
    b->device->level->external(b);
}

static void end_external(fs_branch *b, uint64_t cycles) {
    fs_branch_book_external(b, cycles);
    end_round(b);
}

/* At the end of each phase of a branch: books it and begins the next one. */
static void branch_wakes(void *self) {
    fs_branch *b = self;
    if (b->device->ended)
        return;
    const uint64_t now = fs_kernel_now(b->device->kernel), cycles = now - b->phase_start;
    b->again = b->weight > 1 && !b->again;
    if (b->again) { /* one of the runs alike has passed: the others do */
        fs_kernel_wake(b->device->kernel, b->process, (b->weight - 1) * cycles);
        return;
    }
    b->phase_start = now;
    switch (b->phase) {
    case FS_PHASE_COMPUTE:
        end_compute(b, cycles);
        break;
    case FS_PHASE_SYNC:
        end_sync(b, cycles);
        break;
    case FS_PHASE_EXCHANGE:
        end_exchange(b, cycles);
        break;
    case FS_PHASE_MEET:
        end_meet(b, cycles);
        break;
    case FS_PHASE_EXTERNAL:
        end_external(b, cycles);
        break;
    }
}

/* ---- stages and iterations ---- */

/* False: no stage is left. */
static bool begin_stage(fs_device *d) {
    while (d->stage < d->plan->stage_count && fs_device_skips(d, d->stage))
        d->stage++;
    if (d->stage == d->plan->stage_count)
        return false;
    const fs_stage_run *stage = &d->stages[d->stage];
    d->running = stage->branch_count;
    for (fs_branch *b = stage->branches; b < stage->branches + stage->branch_count && !d->ended; b++) {
        fs_branch_begin(b);
        b->phase_start = fs_kernel_now(d->kernel);
        begin_run(b);
    }
    return true;
}

static void begin_iteration(fs_device *d) {
    if (fs_interrupted()) {
        fs_device_fail(d, FS_RUN, "interrupted after %llu iterations",
                       (unsigned long long)d->iteration.number);
        return;
    }
    fs_device_begin_iteration(d, fs_kernel_now(d->kernel));
    if (!begin_stage(d))
        end_stages(d);
}

static void end_iteration(fs_device *d) {
    fs_device_end_iteration(d);
    if (d->stop)
        end_run(d, FS_OK);
    else
        begin_iteration(d);
}

static void end_stage(fs_device *d) {
    fs_device_book_stage(d, &d->stages[d->stage]);
    d->stage++;
    if (!begin_stage(d))
        end_stages(d);
}

static void end_stages(fs_device *d) {
    fs_status status = fs_device_decide(d, d->err);
    if (status) {
        end_run(d, status);
        return;
    }
    if (!d->work.visit && d->work.programs == 0) {
        end_iteration(d);
        return;
    }
    d->host_start = fs_kernel_now(d->kernel);
    d->level->host(d);
}

/* Begins the run, and goes on after a host phase. */
static void sequence(void *self) {
    fs_device *d = self;
    const uint64_t cycles = fs_kernel_now(d->kernel) - d->host_start;
    if (!d->begun) {
        d->begun = true;
        d->work = fs_device_work_of(d, &d->plan->first, false);
        d->level->host(d);
    } else if (!d->opened) {
        d->opened = true;
        d->first = d->host = cycles;
        begin_iteration(d);
    } else {
        d->iteration.host = cycles;
        end_iteration(d);
    }
}

static void register_processes(fs_device *d) {
    char name[32];
    d->sequencer = fs_kernel_process(d->kernel, "sequencer", sequence, d);
    for (uint32_t i = 0; i < d->plan->stage_count; i++)
        for (fs_branch *b = d->stages[i].branches; b < d->stages[i].branches + d->stages[i].branch_count;
             b++) {
            snprintf(name, sizeof name, "stage%u_branch%u", i, b->slot);
            b->process = fs_kernel_process(d->kernel, name, branch_wakes, b);
        }
    d->level->elaborate(d);
}

fs_status fs_device_run(fs_device *d, const fs_device_client *client, fs_error *err) {
    if (fs_device_plan_phases(d, err))
        return err->status;
    d->kernel = fs_kernel_create(err);
    if (d->kernel == NULL)
        return FS_RUN;
    d->client = client;
    d->err = err;
    register_processes(d);
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
                         (unsigned long long)d->iterations);
    return status ? status : fs_device_settle(d, err);
}
