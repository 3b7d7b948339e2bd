/* A tile's compute phase in events: launch, segments, barriers, exits, join. */
#include "models/ipu/device_event.h"

#include <stdio.h>
#include <string.h>

static uint64_t now_of(const event_tile *tile) {
    return fs_kernel_now(tile->device->kernel);
}

static void wake(const event_tile *tile, fs_process_id process, uint64_t delay) {
    fs_kernel_wake(tile->device->kernel, process, delay);
}

/* Wakes a process of the tile at a cycle of the call's own. */
static void wake_at(const event_tile *tile, fs_process_id process, uint64_t own) {
    wake(tile, process, tile->start + fs_tile_chip_cycles(tile->program, own) - now_of(tile));
}

static const uint32_t *counted(const event_tile *tile) {
    return tile->calls[tile->call].counts;
}

static bool last_segment(const event_worker *w) {
    return w->segment + 1 == w->tile->program->program->segments;
}

static void begin_segment(event_worker *w) {
    event_tile *tile = w->tile;
    uint64_t slots = fs_segment_slots(tile->program, counted(tile), w->number, w->segment);
    if (!last_segment(w))
        slots += tile->program->barrier_slots;
    slots = fs_slots_taken(tile->program, slots);
    w->state = WORKER_WORKS;
    w->since = now_of(tile);
    if (!tile->program->reuse_idle_slots) {
        w->end = tile->segment_at + slots * tile->program->cycles_per_slot;
        wake_at(tile, w->process, w->end);
        return;
    }
    w->pending = slots;
    w->issuing = true;
    wake(tile, tile->process, 0); /* all begin in one round: the issue port sees them together */
}

/* The last worker is through: the segment ends with it, or when the SRAM's ports are through with what was
 * asked of them. */
static void end_segment(event_tile *tile, uint32_t segment) {
    const uint64_t ports = tile->segment_at + fs_segment_port_cycles(tile->program, counted(tile), segment);
    tile->segment_at = tile->segment_end > ports ? tile->segment_end : ports;
}

static void exit_program(event_worker *w) {
    event_tile *tile = w->tile;
    w->state = WORKER_EXITED;
    if (++tile->exited < tile->program->workers)
        return;
    end_segment(tile, w->segment);
    tile->state = TILE_JOINS;
    wake_at(tile, tile->process,
            tile->segment_at + fs_hardware_cycles(tile->program, counted(tile)) + tile->program->after);
}

static void arrive_at_barrier(event_worker *w) {
    event_tile *tile = w->tile;
    w->state = WORKER_AT_BARRIER;
    if (++tile->arrived < tile->program->workers)
        return;
    tile->arrived = 0;
    end_segment(tile, w->segment);
    for (uint32_t i = 0; i < tile->program->workers; i++)
        wake_at(tile, tile->workers[i].process, tile->segment_at);
}

static void worker_wakes(void *self) {
    event_worker *w = self;
    fs_tile_times *times = &w->tile->times;
    uint64_t now = now_of(w->tile), passed = now - w->since;
    w->since = now;
    switch (w->state) {
    case WORKER_START:
        times->idle[w->number] += passed;
        begin_segment(w);
        break;
    case WORKER_WORKS:
        times->busy[w->number] += passed;
        w->tile->segment_end = w->end > w->tile->segment_end ? w->end : w->tile->segment_end;
        if (last_segment(w))
            exit_program(w);
        else
            arrive_at_barrier(w);
        break;
    case WORKER_AT_BARRIER: /* released */
        times->waiting[w->number] += passed;
        w->segment++;
        begin_segment(w);
        break;
    case WORKER_EXITED:
        FS_ASSERT(false, "worker %u was woken after its exit", w->number);
    }
}

/* With reuse_idle_slots the workers that still have slots to issue take turns, issue_width of them a cycle:
 * in a round each issues once. The process wakes when the next one has issued its last. */
static void share_issue_port(event_tile *tile) {
    const uint64_t at = tile->sharing ? tile->next_turn : tile->segment_at;
    uint64_t least = UINT64_MAX,
             issued = tile->sharing ? (at - tile->turn) / fs_issue_round(tile->program, tile->sharing) : 0;
    tile->turn = at;
    tile->sharing = 0;
    for (uint32_t i = 0; i < tile->program->workers; i++) {
        event_worker *w = &tile->workers[i];
        if (!w->issuing)
            continue;
        w->pending -= issued;
        if (w->pending == 0) {
            w->issuing = false;
            w->end = at;
            wake(tile, w->process, 0);
            continue;
        }
        tile->sharing++;
        least = w->pending < least ? w->pending : least;
    }
    if (tile->sharing == 0)
        return;
    tile->next_turn = at + least * fs_issue_round(tile->program, tile->sharing);
    wake_at(tile, tile->process, tile->next_turn);
}

static void start_workers(event_tile *tile) {
    tile->state = TILE_RUNS;
    for (uint32_t i = 0; i < tile->program->workers; i++)
        wake(tile, tile->workers[i].process, 0);
}

static void begin_call(event_tile *tile) {
    tile->program = tile->calls[tile->call].program;
    tile->times = (fs_tile_times){0};
    tile->state = TILE_LAUNCHES;
    tile->start = now_of(tile);
    tile->arrived = tile->exited = tile->sharing = 0;
    tile->segment_at = tile->segment_end = tile->program->before;
    for (uint32_t i = 0; i < tile->program->workers; i++) {
        event_worker *w = &tile->workers[i];
        w->segment = 0;
        w->state = WORKER_START;
        w->since = tile->start;
        w->issuing = false;
    }
    wake_at(tile, tile->process, tile->segment_at);
}

/* The counts of calls that are over are zero again. */
static void end_calls(event_tile *tile) {
    const fs_device *d = tile->device;
    for (uint32_t i = 0; i < tile->call_count && tile->counts != NULL; i++) {
        const size_t row = (size_t)d->workers * d->width;
        memset(tile->counts + i * row, 0, row * sizeof *tile->counts);
    }
    tile->call_count = 0;
    event_tile_ready(tile->branch);
}

/* The call again, the next one, or the end. */
static void go_on(event_tile *tile) {
    if (--tile->times_left == 0) {
        if (++tile->call == tile->call_count) {
            end_calls(tile);
            return;
        }
        tile->times_left = tile->calls[tile->call].times;
    }
    begin_call(tile);
}

static void join_workers(event_tile *tile) {
    uint64_t now = now_of(tile);
    tile->state = TILE_RESTS;
    tile->times.cycles = now - tile->start;
    for (uint32_t i = 0; i < tile->program->workers; i++)
        tile->times.idle[i] += now - tile->workers[i].since;
    for (uint32_t i = tile->program->workers; i < tile->program->tile_workers; i++)
        tile->times.idle[i] = now - tile->start;
    event_call_over(tile);
    go_on(tile);
}

static void tile_wakes(void *self) {
    event_tile *tile = self;
    switch (tile->state) {
    case TILE_LAUNCHES:
        start_workers(tile);
        break;
    case TILE_RUNS:
        share_issue_port(tile);
        break;
    case TILE_JOINS:
        join_workers(tile);
        break;
    case TILE_RELEASED:
    case TILE_BROADCAST:
        event_tile_reached(tile);
        break;
    case TILE_RESTS:
        FS_ASSERT(false, "a resting tile was woken");
    }
}

void event_tile_compute(event_tile *tile, fs_branch *branch) {
    tile->branch = branch;
    tile->call = 0;
    tile->times_left = tile->calls[0].times;
    begin_call(tile);
}

void event_tile_create(event_tile *tile, fs_device *device, uint32_t number, uint32_t workers, uint32_t calls,
                       fs_arena *arena) {
    *tile = (event_tile){.device = device, .tile = number, .worker_count = workers};
    if (workers == 0)
        return;
    if (number != UINT32_MAX)
        tile->counts = FS_NEW(arena, uint32_t, (size_t)calls * device->workers * device->width);
    tile->calls = FS_NEW(arena, event_call, calls);
    tile->workers = FS_NEW(arena, event_worker, workers);
    for (uint32_t i = 0; i < workers; i++)
        tile->workers[i] = (event_worker){.tile = tile, .number = i};
}

void event_tile_elaborate(event_tile *tile, const char *name) {
    char worker[80];
    tile->process = fs_kernel_process(tile->device->kernel, name, tile_wakes, tile);
    for (uint32_t i = 0; i < tile->worker_count; i++) {
        snprintf(worker, sizeof worker, "%s_worker%u", name, i);
        tile->workers[i].process =
            fs_kernel_process(tile->device->kernel, worker, worker_wakes, &tile->workers[i]);
    }
}
