/* A run's notes as spans of a timeline. */
#include "models/ipu/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEVICE = 1, TILES = 2, NAME_BYTES = 96 };

fs_status fs_books_timeline_tiles(const char *text, uint32_t tiles, uint32_t *out, uint32_t *count,
                                  fs_error *err) {
    const fs_trace_tiles of = {.tiles = tiles, .most = FS_BOOKS_TIMELINE_TILES, .spare = -1};
    return fs_trace_pick(text, &of, out, count, err);
}

/* ---- device ---- */

static void phase(fs_trace *trace, fs_track track, const char *name, uint64_t *at, uint64_t cycles) {
    if (cycles > 0)
        fs_trace_span(trace, track, name, *at, cycles, NULL, 0);
    *at += cycles;
}

/* Rounds of a step within an iteration need not follow one another, so a step's phases are drawn as sums from
 * its last run of rounds on only where the plan runs each step once; else the iteration's sums are drawn. */
static bool steps_stand_alone(const fs_books_notes *n) {
    for (uint32_t g = 0; g < n->plan->stage_count; g++)
        for (uint32_t b = 0; b < n->plan->stages[g].branch_count; b++) {
            const fs_device_branch *branch = &n->plan->stages[g].branches[b];
            if (fs_plan_times(branch->times) > 1)
                return false;
            for (uint32_t s = 0; s < branch->step_count; s++)
                if (fs_plan_times(branch->steps[s].times) > 1 || branch->steps[s].loop > 0 ||
                    fs_step_is_local(&branch->steps[s]))
                    return false;
        }
    return n->step != NULL;
}

void fs_books_timeline_phases(const fs_iteration *i, fs_track track, fs_trace *trace) {
    uint64_t at = i->start;
    phase(trace, track, "compute", &at, i->compute);
    phase(trace, track, "sync", &at, i->sync);
    phase(trace, track, "exchange", &at, i->exchange);
    phase(trace, track, "host", &at, i->host);
}

/* The steps of iteration k, each on the track of its branch. */
static void write_steps(const fs_books_notes *n, uint64_t k, fs_trace *trace) {
    uint32_t s = 0;
    for (uint32_t g = 0; g < n->plan->stage_count; g++)
        for (uint32_t b = 0; b < n->plan->stages[g].branch_count; b++)
            for (uint32_t i = 0; i < n->plan->stages[g].branches[b].step_count; i++, s++) {
                const fs_step_times *t = &n->step[k * n->steps + s];
                const fs_track track = {DEVICE, 2 + b};
                const char *name = fs_plan_step(n->plan, s)->name;
                uint64_t at = t->start;
                if (t->compute + t->sync + t->exchange > 0)
                    fs_trace_span(trace, track, name == NULL ? "step" : name, at,
                                  t->compute + t->sync + t->exchange, NULL, 0);
                phase(trace, track, "compute", &at, t->compute);
                phase(trace, track, "sync", &at, t->sync);
                phase(trace, track, "exchange", &at, t->exchange);
            }
}

static void write_device(const fs_books_notes *n, fs_trace *trace) {
    const bool steps = steps_stand_alone(n);
    uint32_t branches = 0;
    for (uint32_t g = 0; g < n->plan->stage_count; g++)
        if (n->plan->stages[g].branch_count > branches)
            branches = n->plan->stages[g].branch_count;
    fs_trace_process(trace, DEVICE, "device");
    fs_trace_track(trace, (fs_track){DEVICE, 1}, "iterations");
    for (uint32_t b = 0; steps && b < branches; b++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "steps of branch %" PRIu32, b);
        fs_trace_track(trace, (fs_track){DEVICE, 2 + b}, name);
    }
    if (n->iterations > 0 && n->iteration[0].start > 0)
        fs_trace_span(trace, (fs_track){DEVICE, 1}, "first host visit", 0, n->iteration[0].start, NULL, 0);
    for (uint64_t k = 0; k < n->iterations; k++) {
        const fs_iteration *i = &n->iteration[k];
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "iteration %" PRIu64, k);
        fs_trace_span(trace, (fs_track){DEVICE, 1}, name, i->start, fs_iteration_cycles(i), NULL, 0);
        if (steps)
            write_steps(n, k, trace);
        else
            fs_books_timeline_phases(i, (fs_track){DEVICE, 1}, trace);
    }
}

/* ---- tiles ---- */

uint32_t fs_books_timeline_hottest(uint64_t *paced, uint32_t tiles, uint32_t *out) {
    uint32_t count = 0;
    while (count < FS_BOOKS_TIMELINE_HOTTEST) {
        uint32_t best = 0;
        for (uint32_t t = 1; t < tiles; t++)
            if (paced[t] > paced[best])
                best = t;
        if (paced[best] == 0)
            break;
        paced[best] = 0;
        out[count++] = best;
    }
    return count;
}

static void write_tile(const fs_books_notes *n, uint32_t tile, fs_track track, fs_trace *trace) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "tile %" PRIu32 ": %s", tile, fs_books_role(&n->labels, tile));
    fs_trace_track(trace, track, name);
    uint32_t u = 0;
    while (u < n->used && n->tile_of[u] != tile)
        u++;
    for (uint64_t k = 0; u < n->used && k < n->iterations; k++) {
        const uint64_t cycles = n->cycles[k * n->used + u];
        if (cycles > 0)
            fs_trace_span(trace, track, "compute", n->iteration[k].start, cycles, NULL, 0);
    }
}

fs_status fs_books_timeline_write(const fs_books_notes *n, const char *path, const uint32_t *tile,
                                  uint32_t count, fs_error *err) {
    uint32_t own[FS_BOOKS_TIMELINE_TILES];
    fs_trace *trace = fs_trace_open(path, n->machine->clock, err);
    if (trace == NULL)
        return err->status;
    if (count == 0) {
        uint64_t *paced = fs_calloc(n->plan->tiles, sizeof *paced);
        for (uint32_t t = 0; t < n->plan->tiles; t++)
            paced[t] = n->totals.paced[t];
        count = fs_books_timeline_hottest(paced, n->plan->tiles, own);
        tile = own;
        free(paced);
    }
    write_device(n, trace);
    fs_trace_process(trace, TILES, "tiles: compute of an iteration, all of it from its beginning");
    for (uint32_t i = 0; i < count && n->cycles != NULL; i++)
        write_tile(n, tile[i], (fs_track){TILES, i + 1}, trace);
    return fs_trace_close(trace, err);
}
