/* Several kernels on a tile in one step: the vertices of one compute set, dealt to the tile's workers. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <string.h>

/* Calls of one tile: numbers in the step's list, ascending. */
typedef struct parts {
    uint32_t *call;
    uint32_t count;
} parts;

static const fs_program *kernel_of(const fs_superstep_reader *r, const fs_superstep_call *call) {
    return (const fs_program *)r->kernels.item + call->kernel;
}

static uint32_t workers_of(const fs_superstep_reader *r, const fs_program *kernel) {
    return kernel->workers > 0 ? kernel->workers : r->workers;
}

/* What cannot be dealt: kernels whose workers wait for each other, products of the matrix unit, calls that count
 * their own launch beside others. */
static bool fits(fs_superstep_reader *r, const fs_node *node, uint32_t tile, const parts *p,
                 const fs_superstep_call *calls) {
    uint32_t events = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const fs_superstep_call *call = &calls[p->call[i]];
        const fs_program *kernel = kernel_of(r, call);
        events += kernel->event_count;
        if (kernel->segments > 1 || kernel->free_launch || call->product.rows > 0)
            return fs_yaml_wrong(r->yaml, node,
                                 "tile %" PRIu32
                                 " runs %s beside another kernel: expected kernels of one segment, "
                                 "with a launch, on the workers",
                                 tile, kernel->name);
    }
    return events <= FS_MOST_EVENTS ||
           fs_yaml_wrong(r->yaml, node, "expected at most %d events on tile %" PRIu32 ", found %" PRIu32,
                         FS_MOST_EVENTS, tile, events);
}

/* Adds a part's events to the kernel, and what each worker of the tile counts of them; what a part always has its
 * workers count. */
static void add_part(fs_superstep_reader *r, const fs_superstep_call *call, uint32_t first, fs_event *events,
                     uint32_t from, uint32_t width, uint64_t *worker) {
    const fs_program *kernel = kernel_of(r, call);
    const uint32_t workers = workers_of(r, kernel), n = kernel->event_count;
    for (uint32_t e = 0; e < n; e++) {
        const fs_event *event = &kernel->events[e];
        events[from + e] = *event;
        events[from + e].always_each = events[from + e].always_first = 0;
        for (uint32_t w = 0; w < workers; w++)
            worker[(first + w) % r->workers * width + from + e] +=
                call->count[e] / workers + (w < call->count[e] % workers) + event->always_each +
                (w == 0 ? event->always_first : 0) + (call->worker != NULL ? call->worker[w * n + e] : 0);
    }
}

static fs_superstep_call together(fs_superstep_reader *r, const parts *p, const fs_superstep_call *calls) {
    uint32_t width = 0, from = 0, first = 0;
    const char *name = "";
    uint32_t *kernels = FS_NEW(r->arena, uint32_t, p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        const fs_program *kernel = kernel_of(r, &calls[p->call[i]]);
        width += kernel->event_count;
        kernels[i] = calls[p->call[i]].kernel;
        name = fs_arena_printf(r->arena, "%s%s%s", name, i > 0 ? " + " : "", kernel->name);
    }
    fs_event *events = FS_NEW(r->arena, fs_event, width);
    uint64_t *worker = FS_NEW(r->arena, uint64_t, (size_t)r->workers * width);
    for (uint32_t i = 0; i < p->count; i++) {
        const fs_program *kernel = kernel_of(r, &calls[p->call[i]]);
        add_part(r, &calls[p->call[i]], first, events, from, width, worker);
        from += kernel->event_count;
        first = (first + workers_of(r, kernel)) % r->workers;
    }
    *(fs_program *)fs_superstep_add(r->arena, &r->kernels, sizeof(fs_program)) =
        (fs_program){.name = name, .segments = 1, .events = events, .event_count = width};
    return (fs_superstep_call){.kernel = r->kernels.count - 1,
                               .parts = kernels,
                               .part_count = p->count,
                               .count = FS_NEW(r->arena, uint64_t, width),
                               .worker = worker};
}

static parts *parts_of(const fs_superstep_reader *r, const fs_superstep_list *list) {
    const fs_superstep_call *calls = list->item;
    parts *of = FS_NEW(r->arena, parts, r->tiles);
    for (uint32_t c = 0; c < list->count; c++)
        for (uint32_t i = 0; i < calls[c].tiles; i++)
            of[calls[c].tile[i]].count++;
    for (uint32_t t = 0; t < r->tiles; t++) {
        of[t].call = FS_NEW(r->arena, uint32_t, of[t].count + 1);
        of[t].count = 0;
    }
    for (uint32_t c = 0; c < list->count; c++)
        for (uint32_t i = 0; i < calls[c].tiles; i++) {
            parts *p = &of[calls[c].tile[i]];
            p->call[p->count++] = c;
        }
    return of;
}

static bool alike(const parts *a, const parts *b) {
    return a->count == b->count && memcmp(a->call, b->call, a->count * sizeof *a->call) == 0;
}

void fs_superstep_join_calls(fs_superstep_reader *r, const fs_node *node, fs_superstep_list *list) {
    const fs_superstep_call *calls = list->item;
    parts *of = parts_of(r, list);
    fs_superstep_list joined = {0};
    for (uint32_t t = 0; t < r->tiles; t++) {
        const parts p = of[t];
        if (p.count == 0)
            continue;
        if (p.count > 1 && !fits(r, node, t, &p, calls))
            return;
        fs_superstep_call call = p.count > 1 ? together(r, &p, calls) : calls[p.call[0]];
        uint32_t *tile = FS_NEW(r->arena, uint32_t, r->tiles);
        call.tile = tile;
        call.tiles = 0;
        for (uint32_t k = t; k < r->tiles; k++)
            if (alike(&of[k], &p)) {
                tile[call.tiles++] = k;
                of[k].count = 0;
            }
        *(fs_superstep_call *)fs_superstep_add(r->arena, &joined, sizeof call) = call;
    }
    *list = joined;
}
