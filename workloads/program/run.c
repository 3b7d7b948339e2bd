/* What a step runs: kernels on tiles, with their counts. */
#include "workloads/program/private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t *ascending(fs_arena *arena, const fs_superstep_group *g, uint32_t tiles) {
    uint8_t *has = fs_calloc(tiles, 1);
    uint32_t *tile = FS_NEW(arena, uint32_t, g->count), n = 0;
    for (uint32_t i = 0; i < g->count; i++)
        has[g->tile[i]] = 1;
    for (uint32_t t = 0; t < tiles; t++)
        if (has[t])
            tile[n++] = t;
    free(has);
    return tile;
}

/* `count:` (of a tile) or `each:` (of a worker): occurrences by event. */
static bool read_counts(fs_superstep_reader *r, const fs_node *node, const fs_program *kernel, uint64_t times,
                        uint64_t *count) {
    const char **names = FS_NEW(r->arena, const char *, kernel->event_count + 1);
    for (uint32_t e = 0; e < kernel->event_count; e++)
        names[e] = kernel->events[e].name;
    if (!fs_yaml_mapping(r->yaml, node, names))
        return false;
    for (size_t i = 0; i < node->count; i++) {
        uint32_t e = 0;
        while (strcmp(names[e], node->entries[i].key) != 0)
            e++;
        int64_t n;
        if (!fs_yaml_int(r->yaml, node->entries[i].value, FS_UNIT_NONE, 0, 1000000000, &n))
            return false;
        count[e] += (uint64_t)n * times;
    }
    return true;
}

/* The kernel and the counts of one entry of `run:`; false, and reported, when they are wrong. */
static bool read_kernel_of(fs_superstep_reader *r, const fs_node *node, fs_superstep_call *call) {
    const fs_node *ops = fs_yaml_get(r->yaml, node, "operations", false),
                  *matrix = fs_yaml_get(r->yaml, node, "matrix", false),
                  *name = fs_yaml_get(r->yaml, node, "kernel", ops == NULL && matrix == NULL),
                  *count = fs_yaml_get(r->yaml, node, "count", false),
                  *each = fs_yaml_get(r->yaml, node, "each", false);
    if (ops != NULL || matrix != NULL) {
        if (name != NULL || count != NULL || each != NULL || (ops != NULL && matrix != NULL))
            return fs_yaml_wrong(r->yaml, node,
                                 "expected `operations` alone, `matrix` alone, or `kernel` with its counts");
        uint64_t *own = NULL;
        call->kernel = ops != NULL ? fs_superstep_bare_kernel(r, ops, &own)
                                   : fs_superstep_matrix_kernel(r, matrix, &own, &call->product);
        call->count = own;
        return call->kernel != UINT32_MAX;
    }
    const char *word;
    if (name == NULL || !fs_yaml_text(r->yaml, name, &word))
        return false;
    call->kernel = fs_superstep_kernel(r, word);
    if (call->kernel == UINT32_MAX)
        return fs_yaml_wrong(r->yaml, name, "expected a kernel of `kernels`, found \"%s\"", word);
    const fs_program *kernel = (const fs_program *)r->kernels.item + call->kernel;
    const uint64_t workers = kernel->workers > 0 ? kernel->workers : r->workers;
    uint64_t *counts = FS_NEW(r->arena, uint64_t, kernel->event_count + 1);
    call->count = counts;
    return (count == NULL || read_counts(r, count, kernel, 1, counts)) &&
           (each == NULL || read_counts(r, each, kernel, workers, counts));
}

bool fs_superstep_note_runs(fs_superstep_reader *r, fs_superstep *step, uint32_t *twice) {
    step->runs = FS_NEW(r->arena, uint8_t, r->tiles);
    for (uint32_t c = 0; c < step->call_count; c++)
        for (uint32_t i = 0; i < step->calls[c].tiles; i++) {
            *twice = step->calls[c].tile[i];
            if (step->runs[*twice] != 0)
                return false;
            step->runs[*twice] = (uint8_t)(1 + step->calls[c].kernel);
        }
    return true;
}

/* One entry of `run:`. */
static bool read_kernel_call(fs_superstep_reader *r, const fs_node *item, const char *step,
                             fs_superstep_group *on, fs_superstep_call *call) {
    static const char *const keys[] = {"on", "kernel", "count", "each", "operations", "matrix", NULL};
    (void)step;
    if (!fs_yaml_mapping(r->yaml, item, keys))
        return false;
    const fs_node *where = fs_yaml_get(r->yaml, item, "on", true);
    return where != NULL && fs_superstep_tiles(r, where, on) && read_kernel_of(r, item, call);
}

typedef bool read_call(fs_superstep_reader *r, const fs_node *item, const char *step, fs_superstep_group *on,
                       fs_superstep_call *call);

static void read_calls(fs_superstep_reader *r, const fs_node *node, read_call *read, fs_superstep *step) {
    fs_superstep_call *calls = FS_NEW(r->arena, fs_superstep_call, node->count);
    for (size_t i = 0; i < node->count; i++) {
        fs_superstep_group on;
        fs_superstep_call *call = &calls[step->call_count];
        if (!read(r, node->items[i], step->name, &on, call))
            continue;
        call->tile = ascending(r->arena, &on, r->tiles);
        call->tiles = on.count;
        step->call_count++;
    }
    step->calls = calls;
    uint32_t twice;
    if (!fs_superstep_note_runs(r, step, &twice))
        fs_yaml_wrong(r->yaml, node, "tile %" PRIu32 " runs two kernels of this step", twice);
}

void fs_superstep_read_run(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    if (fs_superstep_items(r, node, "kernels", 0))
        read_calls(r, node, read_kernel_call, step);
}

void fs_superstep_read_copies(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    if (fs_superstep_items(r, node, "copies", 1))
        read_calls(r, node, fs_superstep_read_copy, step);
}
