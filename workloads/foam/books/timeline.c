/* A trace of chosen tiles, roles and phases. */
#include "workloads/foam/books/timeline.h"

#include "models/ipu/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEVICE = 1, ROLES, TILES }; /* processes */
enum { NAME_BYTES = 64 };

/* ---- which tiles ---- */

static void add(fs_timeline *t, uint32_t tile) {
    for (uint32_t i = 0; i < t->tiles; i++)
        if (t->tile[i] == tile)
            return;
    if (t->tiles < FS_TIMELINE_TILES)
        t->tile[t->tiles++] = tile;
}

static fs_status parse_tiles(fs_timeline *t, const char *list, const fs_overlay *overlay, fs_error *err) {
    static const uint8_t role_of[] = {FS_ROLE_TRACER, FS_ROLE_ROUTER, FS_ROLE_GENERATOR};
    const char *const roles[] = {fs_role_names[FS_ROLE_TRACER], fs_role_names[FS_ROLE_ROUTER],
                                 fs_role_names[FS_ROLE_GENERATOR], NULL};
    const fs_trace_tiles of = {.tiles = overlay->tiles,
                               .most = FS_TIMELINE_TILES,
                               .roles = roles,
                               .role_of = role_of,
                               .role = overlay->role,
                               .spare = FS_ROLE_SPARE};
    t->chosen = true;
    return fs_trace_pick(list, &of, t->tile, &t->tiles, err);
}

static void add_hottest(const fs_foam_books *books, fs_timeline *t) {
    const uint32_t tiles = books->overlay->tiles;
    uint64_t *paced = fs_calloc(tiles, sizeof *paced);
    for (uint64_t k = 0; k < books->iterations; k++)
        paced[books->note[k].times.pace_tile]++;
    for (uint32_t i = 0; i < t->tiles; i++)
        paced[t->tile[i]] = 0;
    uint32_t hottest[FS_BOOKS_TIMELINE_HOTTEST];
    const uint32_t count = fs_books_timeline_hottest(paced, tiles, hottest);
    for (uint32_t i = 0; i < count; i++)
        add(t, hottest[i]);
    free(paced);
}

static void choose_tiles(const fs_foam_books *books, fs_timeline *t) {
    const fs_overlay *o = books->overlay;
    for (uint32_t u = 0; u < books->used; u++)
        if (o->role[books->tile_of[u]] == FS_ROLE_GENERATOR)
            add(t, books->tile_of[u]);
    for (uint32_t u = 0; u < books->used && t->tiles < FS_TIMELINE_TILES / 2; u++) {
        const uint32_t tile = books->tile_of[u];
        if (o->role[tile] == FS_ROLE_ROUTER && o->level[tile] == o->levels)
            add(t, tile);
    }
    add(t, books->camera_tile);
    add_hottest(books, t);
}

/* ---- device ---- */

static void write_phases(const fs_foam_books *b, bool slices, fs_trace *trace) {
    const fs_track track = {DEVICE, 1};
    fs_trace_track(trace, track, slices ? "slices" : "iterations");
    if (b->iterations > 0 && b->note[0].times.start > 0)
        fs_trace_span(trace, track, "first host visit", 0, b->note[0].times.start, NULL, 0);
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_iteration *i = &b->note[k].times;
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%s %" PRIu64, slices ? "slice" : "iteration", k);
        fs_trace_span(trace, track, name, i->start, fs_note_cycles(&b->note[k]), "rays_in_flight",
                      b->note[k].step.in_flight);
        if (!slices)
            fs_books_timeline_phases(i, track, trace);
    }
}

/* A counter is written when it changes. */
static void count(fs_trace *trace, const char *name, uint64_t at, uint64_t value, uint64_t *last) {
    if (value != *last)
        fs_trace_counter(trace, DEVICE, name, "rays", at, value);
    *last = value;
}

static void write_counters(const fs_foam_books *b, fs_trace *trace) {
    uint64_t in_flight = UINT64_MAX, backlog = UINT64_MAX, spills = UINT64_MAX;
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_iteration_note *n = &b->note[k];
        const uint64_t end = n->times.start + fs_note_cycles(n);
        count(trace, "rays in flight", end, n->step.in_flight, &in_flight);
        count(trace, "backlog", end, n->step.backlog, &backlog);
        count(trace, "spills", n->times.start, n->step.spilled, &spills);
    }
}

/* ---- roles ---- */

/* Tracks of the roles, as rays come: the generator, routers from the root down, tracers. */
static uint32_t role_track(const fs_overlay *o, uint32_t tile) {
    switch (o->role[tile]) {
    case FS_ROLE_GENERATOR:
        return 1;
    case FS_ROLE_ROUTER:
        return 2 + o->levels - o->level[tile];
    default:
        return 2 + o->levels;
    }
}

static void write_roles(const fs_foam_books *b, fs_trace *trace) {
    enum { MOST = FS_MAX_LEVELS + 3 };
    const fs_overlay *o = b->overlay;
    const uint32_t tracks = 2 + o->levels;
    fs_trace_track(trace, (fs_track){ROLES, 1}, "generator");
    for (uint32_t level = o->levels; level >= 1; level--) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "routers of level %" PRIu32, level);
        fs_trace_track(trace, (fs_track){ROLES, 2 + o->levels - level}, name);
    }
    fs_trace_track(trace, (fs_track){ROLES, tracks}, "tracers");
    for (uint64_t k = 0; k < b->iterations; k++) {
        uint32_t cycles[MOST] = {0}, slowest[MOST] = {0}, rays[MOST] = {0};
        for (uint32_t u = 0; u < b->used; u++) {
            const uint32_t t = role_track(o, b->tile_of[u]), c = b->cycles[k * b->used + u];
            if (c > cycles[t]) {
                cycles[t] = c;
                slowest[t] = b->tile_of[u];
                rays[t] = b->held[k * b->used + u];
            }
        }
        for (uint32_t t = 1; t <= tracks; t++) {
            char name[NAME_BYTES];
            snprintf(name, sizeof name, "tile %" PRIu32, slowest[t]);
            if (cycles[t] > 0)
                fs_trace_span(trace, (fs_track){ROLES, t}, name, b->note[k].times.start, cycles[t], "rays",
                              rays[t]);
        }
    }
}

/* ---- tiles ---- */

static void name_tile(const fs_foam_books *b, uint32_t tile, char name[NAME_BYTES]) {
    const fs_overlay *o = b->overlay;
    const char *camera = tile == b->camera_tile ? ", the camera's" : "";
    if (o->role[tile] == FS_ROLE_ROUTER)
        snprintf(name, NAME_BYTES, "tile %" PRIu32 ": router of level %u", tile, o->level[tile]);
    else if (o->role[tile] == FS_ROLE_TRACER)
        snprintf(name, NAME_BYTES, "tile %" PRIu32 ": tracer of shard %" PRIu32 "%s", tile,
                 o->shard_of_tile[tile], camera);
    else
        snprintf(name, NAME_BYTES, "tile %" PRIu32 ": %s", tile, fs_role_names[o->role[tile]]);
}

static void write_tile(const fs_foam_books *b, bool slices, uint32_t tile, fs_track track, fs_trace *trace) {
    const uint32_t u = b->column[tile];
    char name[NAME_BYTES];
    name_tile(b, tile, name);
    fs_trace_track(trace, track, name);
    for (uint64_t k = 0; k < b->iterations; k++) {
        const fs_iteration *i = &b->note[k].times;
        const uint64_t cycles = b->cycles[k * b->used + u];
        if (cycles == 0)
            continue;
        fs_trace_span(trace, track, "compute", i->start, cycles, "rays", b->held[k * b->used + u]);
        if (cycles < i->compute && !slices)
            fs_trace_span(trace, track, "waiting", i->start + cycles, i->compute - cycles, NULL, 0);
    }
}

/* ---- the whole ---- */

fs_status fs_timeline_open(fs_timeline *timeline, const fs_host_options *host,
                           const fs_machine_params *machine, const fs_overlay *overlay, fs_error *err) {
    *timeline = (fs_timeline){.slices = machine->execution == FS_EXECUTION_DECOUPLED};
    if (host->trace == NULL)
        return FS_OK;
    if (host->trace_tiles != NULL && parse_tiles(timeline, host->trace_tiles, overlay, err))
        return err->status;
    timeline->trace = fs_trace_open(host->trace, machine->clock, err);
    return timeline->trace == NULL ? err->status : FS_OK;
}

fs_status fs_timeline_write(fs_timeline *timeline, const fs_foam_books *books, fs_error *err) {
    fs_trace *trace = timeline->trace;
    if (trace == NULL)
        return FS_OK;
    FS_ASSERT(books->full, "a timeline needs the full books");
    if (!timeline->chosen)
        choose_tiles(books, timeline);
    fs_trace_process(trace, DEVICE, "device");
    write_phases(books, timeline->slices, trace);
    write_counters(books, trace);
    fs_trace_process(trace, ROLES, "roles: the slowest tile");
    write_roles(books, trace);
    fs_trace_process(trace, TILES, "tiles");
    for (uint32_t i = 0; i < timeline->tiles; i++)
        write_tile(books, timeline->slices, timeline->tile[i], (fs_track){TILES, i + 1}, trace);
    timeline->trace = NULL;
    return fs_trace_close(trace, err);
}

void fs_timeline_discard(fs_timeline *timeline) {
    fs_trace_discard(timeline->trace);
    timeline->trace = NULL;
}
