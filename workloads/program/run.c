/* What a step runs: kernels on tiles, with their counts. */
#include "workloads/program/private.h"

#include "sim/base/arith.h"

#include <inttypes.h>
#include <stdlib.h>

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

enum { MOST_COUNT = 1000000000 };

/* What one entry of `run:` gives a tile. */
typedef struct work {
    uint32_t kernel, events, workers;
    uint64_t *count;  /* [events] shared evenly */
    uint64_t *worker; /* [workers of the tile][events] of each */
    uint64_t *row;    /* [events] of a row, where rows are dealt */
} work;

/* `each:` of an event as a list: a number for each worker. */
static bool read_list(fs_superstep_reader *r, const fs_node *list, uint32_t e, work *w) {
    if (list->count != w->workers)
        return fs_yaml_wrong(r->yaml, list,
                             "expected a number, or one for each of %" PRIu32 " workers, found %s",
                             w->workers, fs_yaml_found(r->yaml, list));
    for (size_t i = 0; i < list->count; i++) {
        int64_t n;
        if (!fs_yaml_int(r->yaml, list->items[i], FS_UNIT_NONE, 0, MOST_COUNT, &n))
            return false;
        w->worker[i * w->events + e] += (uint64_t)n;
    }
    return true;
}

/* `count:` or `each:`: occurrences by event, `times` of what stands there to `count`. */
static bool read_counts(fs_superstep_reader *r, const fs_node *node, uint64_t times, uint64_t *count, work *w,
                        bool listed) {
    const fs_program *kernel = (const fs_program *)r->kernels.item + w->kernel;
    const char **names = FS_NEW(r->arena, const char *, kernel->event_count + 1);
    for (uint32_t e = 0; e < kernel->event_count; e++)
        names[e] = kernel->events[e].name;
    if (!fs_yaml_mapping(r->yaml, node, names))
        return false;
    for (size_t i = 0; i < node->count; i++) {
        const fs_node *value = node->entries[i].value;
        const uint32_t e = (uint32_t)FS_WORD_PLACE(names, kernel->event_count, node->entries[i].key);
        int64_t n = 0;
        if (listed && value->kind == FS_NODE_LIST) {
            if (!read_list(r, value, e, w))
                return false;
        } else if (!fs_yaml_int(r->yaml, value, FS_UNIT_NONE, 0, MOST_COUNT, &n)) {
            return false;
        }
        count[e] += (uint64_t)n * times;
    }
    return true;
}

/* `rows` (of each tile, or a list of them) or `rows_of_all` (the first tiles take one more): [on->count], NULL
 * without. */
static bool read_rows(fs_superstep_reader *r, const fs_node *item, const fs_superstep_group *on,
                      uint64_t **out) {
    const fs_node *rows = fs_yaml_get(r->yaml, item, "rows", false),
                  *all = fs_yaml_get(r->yaml, item, "rows_of_all", false);
    int64_t n = 0;
    *out = NULL;
    if (rows == NULL && all == NULL)
        return true;
    if (rows != NULL && all != NULL)
        return fs_yaml_wrong(r->yaml, all, "expected `rows` or `rows_of_all`, found both");
    uint64_t *of = FS_NEW(r->arena, uint64_t, on->count);
    const bool listed = rows != NULL && rows->kind == FS_NODE_LIST;
    if (listed && rows->count != on->count)
        return fs_yaml_wrong(r->yaml, rows,
                             "expected a number, or one for each of %" PRIu32 " tiles, found %s", on->count,
                             fs_yaml_found(r->yaml, rows));
    if (!listed && !fs_yaml_int(r->yaml, rows != NULL ? rows : all, FS_UNIT_NONE, 0, MOST_COUNT, &n))
        return false;
    for (uint32_t i = 0; i < on->count; i++) {
        if (listed && !fs_yaml_int(r->yaml, rows->items[i], FS_UNIT_NONE, 0, MOST_COUNT, &n))
            return false;
        of[i] = all != NULL ? (uint64_t)(n / on->count + (i < n % on->count)) : (uint64_t)n;
    }
    *out = of;
    return true;
}

static void put(fs_superstep_reader *r, fs_superstep_list *calls, const fs_superstep_group *on,
                fs_superstep_call call) {
    call.tile = ascending(r->arena, on, r->tiles);
    call.tiles = on->count;
    *(fs_superstep_call *)fs_superstep_add(r->arena, calls, sizeof call) = call;
}

/* The tiles that are dealt `rows` rows: whole ones to their workers, the first taking one more. */
static bool put_rows(fs_superstep_reader *r, const fs_node *item, const fs_superstep_group *on, const work *w,
                     uint64_t rows, fs_superstep_list *calls) {
    uint64_t *worker = FS_NEW(r->arena, uint64_t, (size_t)r->workers * w->events);
    for (uint32_t k = 0; k < w->workers; k++)
        for (uint32_t e = 0; e < w->events; e++) {
            const uint64_t dealt = rows / w->workers + (k < rows % w->workers);
            worker[k * w->events + e] = w->worker[k * w->events + e] + dealt * w->row[e];
            if (worker[k * w->events + e] > MOST_COUNT)
                return fs_yaml_wrong(r->yaml, item, "expected at most %d of an event on a worker",
                                     MOST_COUNT);
        }
    put(r, calls, on, (fs_superstep_call){.kernel = w->kernel, .count = w->count, .worker = worker});
    return true;
}

/* A call for all tiles that are dealt as many rows; those that have theirs are struck out. */
static void put_dealt(fs_superstep_reader *r, const fs_node *item, const fs_superstep_group *on,
                      const work *w, uint64_t *rows, fs_superstep_list *calls) {
    enum { MOST_CALLS = UINT8_MAX };
    const uint64_t had = UINT64_MAX;
    for (uint32_t i = 0; i < on->count; i++) {
        const uint64_t alike = rows[i];
        if (alike == had)
            continue;
        if (calls->count == MOST_CALLS) {
            fs_yaml_wrong(r->yaml, item, "expected at most %d different numbers of rows", MOST_CALLS);
            return;
        }
        fs_superstep_group some = {.tile = FS_NEW(r->arena, uint32_t, on->count)};
        for (uint32_t k = i; k < on->count; k++)
            if (rows[k] == alike) {
                some.tile[some.count++] = on->tile[k];
                rows[k] = had;
            }
        if (!put_rows(r, item, &some, w, alike, calls))
            return;
    }
}

static void read_kernel_call(fs_superstep_reader *r, const fs_node *item, const fs_superstep_group *on,
                             const fs_node *name, fs_superstep_list *calls) {
    const fs_node *count = fs_yaml_get(r->yaml, item, "count", false),
                  *each = fs_yaml_get(r->yaml, item, "each", false);
    const char *word;
    uint64_t *rows;
    if (!fs_yaml_text(r->yaml, name, &word) || !read_rows(r, item, on, &rows))
        return;
    work w = {.kernel = fs_superstep_kernel(r, word)};
    if (w.kernel == UINT32_MAX) {
        fs_yaml_wrong(r->yaml, name, "expected a kernel of `kernels`, found \"%s\"", word);
        return;
    }
    const fs_program *kernel = (const fs_program *)r->kernels.item + w.kernel;
    w.events = kernel->event_count;
    w.workers = kernel->workers > 0 ? kernel->workers : r->workers;
    w.count = FS_NEW(r->arena, uint64_t, w.events + 1);
    w.row = FS_NEW(r->arena, uint64_t, w.events + 1);
    w.worker = FS_NEW(r->arena, uint64_t, (size_t)r->workers * w.events + 1);
    if ((count != NULL && !read_counts(r, count, 1, rows != NULL ? w.row : w.count, &w, false)) ||
        (each != NULL && !read_counts(r, each, w.workers, w.count, &w, true)))
        return;
    if (rows != NULL)
        put_dealt(r, item, on, &w, rows, calls);
    else
        put(r, calls, on, (fs_superstep_call){.kernel = w.kernel, .count = w.count, .worker = w.worker});
}

/* One entry of `run:`. */
static void read_entry(fs_superstep_reader *r, const fs_node *item, fs_superstep_list *calls) {
    static const char *const keys[] = {"on",          "kernel",     "count",  "each", "rows",
                                       "rows_of_all", "operations", "matrix", NULL};
    fs_superstep_group on;
    if (!fs_yaml_mapping(r->yaml, item, keys))
        return;
    const fs_node *where = fs_yaml_get(r->yaml, item, "on", true),
                  *ops = fs_yaml_get(r->yaml, item, "operations", false),
                  *matrix = fs_yaml_get(r->yaml, item, "matrix", false),
                  *name = fs_yaml_get(r->yaml, item, "kernel", ops == NULL && matrix == NULL);
    if (where == NULL || !fs_superstep_tiles(r, where, &on))
        return;
    if (ops == NULL && matrix == NULL) {
        if (name != NULL)
            read_kernel_call(r, item, &on, name, calls);
        return;
    }
    if (item->count != 2) {
        fs_yaml_wrong(r->yaml, item,
                      "expected `operations` alone, `matrix` alone, or `kernel` with its counts");
        return;
    }
    fs_superstep_call call = {0};
    uint64_t *own = NULL;
    call.kernel = ops != NULL ? fs_superstep_bare_kernel(r, ops, &own)
                              : fs_superstep_matrix_kernel(r, matrix, &own, &call.product);
    call.count = own;
    if (call.kernel != UINT32_MAX)
        put(r, calls, &on, call);
}

static void read_copy(fs_superstep_reader *r, const fs_node *item, const char *step,
                      fs_superstep_list *calls) {
    fs_superstep_group on;
    fs_superstep_call call;
    if (fs_superstep_read_copy(r, item, step, &on, &call))
        put(r, calls, &on, call);
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

/* Gives the step its calls; tiles that are in several run them together. */
static void give_calls(fs_superstep_reader *r, const fs_node *node, fs_superstep_list *calls,
                       fs_superstep *step) {
    if (!fs_yaml_good(r->yaml))
        return;
    fs_superstep_join_calls(r, node, calls);
    step->calls = calls->item;
    step->call_count = calls->count;
    uint32_t twice;
    fs_superstep_note_runs(r, step, &twice); /* a tile has one call */
}

void fs_superstep_read_run(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    fs_superstep_list calls = {0};
    if (!fs_superstep_items(r, node, "kernels", 0))
        return;
    for (size_t i = 0; i < node->count; i++)
        read_entry(r, node->items[i], &calls);
    give_calls(r, node, &calls, step);
}

void fs_superstep_read_copies(fs_superstep_reader *r, const fs_node *node, fs_superstep *step) {
    fs_superstep_list calls = {0};
    if (!fs_superstep_items(r, node, "copies", 1))
        return;
    for (size_t i = 0; i < node->count; i++)
        read_copy(r, node->items[i], step->name, &calls);
    give_calls(r, node, &calls, step);
}
