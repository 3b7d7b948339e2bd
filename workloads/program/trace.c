/* Steps from a trace: a table of events (step, tile, event, count) and one of transfers (step, source,
 * destination, bytes). Rows of a step stand together, steps ascend from 0. */
#include "sim/host/file.h"
#include "workloads/program/private.h"

#include "sim/base/arith.h"
#include "sim/base/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100000, COLUMNS = 4 };

/* One table while it is read. */
typedef struct table {
    const char *file;
    fs_csv_lines text;
} table;

/* One row: the step, and three cells. */
typedef struct row {
    uint64_t step;
    char *cell[COLUMNS];
} row;

static fs_status open_table(fs_superstep_reader *r, const char *file, table *t, fs_error *err) {
    char *text = fs_file_table(r->arena, file, err);
    if (text == NULL)
        return err->status;
    *t = (table){.file = file, .text = fs_csv_begin(text)};
    return FS_OK;
}

static fs_status wrong(const table *t, const char *column, const char *expected, const char *found,
                       fs_error *err) {
    return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": %s: expected %s, found \"%.60s\"", t->file, t->text.line,
                   column, expected, found);
}

static bool whole(const char *text, uint64_t most, uint64_t *out) {
    char *end;
    errno = 0;
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    *out = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *out <= most;
}

static fs_status read_head(table *t, const char *const columns[COLUMNS], fs_error *err) {
    char *cell[COLUMNS + 1] = {0};
    const size_t n = fs_csv_record(&t->text, cell, COLUMNS + 1);
    for (size_t c = 0; c < COLUMNS; c++)
        if (n != COLUMNS || cell[c] == NULL || strcmp(cell[c], columns[c]) != 0)
            return fs_fail(err, FS_INPUT, "%s:1: expected the columns %s,%s,%s,%s", t->file, columns[0],
                           columns[1], columns[2], columns[3]);
    return FS_OK;
}

/* The next row, or *more = false. Steps ascend. */
static fs_status next_row(table *t, const char *const columns[COLUMNS], uint64_t least, row *out, bool *more,
                          fs_error *err) {
    char *cell[COLUMNS + 1];
    const size_t n = fs_csv_record(&t->text, cell, COLUMNS + 1);
    *more = n > 0;
    if (!*more)
        return FS_OK;
    if (n != COLUMNS)
        return fs_fail(err, FS_INPUT, "%s:%" PRIu64 ": expected %d cells, found %zu", t->file, t->text.line,
                       COLUMNS, n);
    memcpy(out->cell, cell, sizeof out->cell);
    if (!whole(cell[0], MOST_STEPS - 1, &out->step))
        return wrong(t, columns[0], "the number of a step below 100,000", cell[0], err);
    if (out->step < least)
        return wrong(t, columns[0], "steps that ascend", cell[0], err);
    return FS_OK;
}

/* ---- events ---- */

/* The events of a trace: those of the file's one kernel, or an event for each operation. */
static const fs_program *kernel_of(fs_superstep_reader *r, const fs_node *node) {
    if (r->kernels.count > 1) {
        fs_yaml_wrong(r->yaml, node,
                      "expected at most one kernel, whose events the trace counts; found %" PRIu32,
                      r->kernels.count);
        return NULL;
    }
    if (r->kernels.count == 1)
        return r->kernels.item;
    fs_event *events = FS_NEW(r->arena, fs_event, FS_OP_COUNT);
    for (uint32_t op = 0; op < FS_OP_COUNT; op++) {
        events[op] = (fs_event){.name = fs_superstep_operations[op], .doc = "", .source = r->file};
        events[op].op[op] = 1;
    }
    fs_program *kernel = fs_superstep_add(r->arena, &r->kernels, sizeof *kernel);
    *kernel = (fs_program){.name = "trace", .segments = 1, .events = events, .event_count = FS_OP_COUNT};
    return kernel;
}

/* Steps 0 ... last exist, those that no row names too. */
static fs_superstep *step_at(fs_superstep_reader *r, uint64_t number) {
    while (r->definitions.count <= number) {
        fs_superstep *step = fs_superstep_add(r->arena, &r->definitions, sizeof *step);
        *step = (fs_superstep){.name = fs_arena_printf(r->arena, "step %" PRIu32, r->definitions.count - 1)};
    }
    return (fs_superstep *)r->definitions.item + number;
}

/* What the tiles of one step count. */
typedef struct counting {
    uint64_t **of; /* [tiles] counts of a tile that has any, else NULL */
    uint32_t tiles;
} counting;

/* Tiles of the step as calls of one tile each. */
static void close_step(fs_superstep_reader *r, counting *c, uint64_t step) {
    fs_superstep_call *calls = FS_NEW(r->arena, fs_superstep_call, c->tiles);
    uint32_t n = 0;
    for (uint32_t t = 0; t < r->tiles; t++)
        if (c->of[t] != NULL) {
            uint32_t *tile = FS_NEW(r->arena, uint32_t, 1);
            *tile = t;
            calls[n++] = (fs_superstep_call){.tile = tile, .tiles = 1, .count = c->of[t]};
            c->of[t] = NULL;
        }
    fs_superstep *s = step_at(r, step);
    s->calls = calls;
    s->call_count = n;
    c->tiles = 0;
    uint32_t twice;
    fs_superstep_note_runs(r, s, &twice); /* a tile has one call */
}

static fs_status read_event_row(fs_superstep_reader *r, const table *t, const fs_program *kernel,
                                const row *line, counting *c, fs_error *err) {
    uint64_t tile, count;
    if (!whole(line->cell[1], r->tiles - 1, &tile))
        return wrong(t, "tile", fs_arena_printf(r->arena, "a tile below %" PRIu32, r->tiles), line->cell[1],
                     err);
    const size_t e = FS_PLACE(kernel->events, kernel->event_count, name, line->cell[2]);
    if (e == kernel->event_count)
        return wrong(t, "event", "an event of the kernel, or an operation where the program has no kernel",
                     line->cell[2], err);
    if (!whole(line->cell[3], FS_SUPERSTEP_COUNT, &count))
        return wrong(t, "count", "a whole number up to 4,000,000,000", line->cell[3], err);
    if (c->of[tile] == NULL) {
        c->of[tile] = FS_NEW(r->arena, uint64_t, kernel->event_count);
        c->tiles++;
    }
    c->of[tile][e] += count;
    if (c->of[tile][e] > FS_SUPERSTEP_COUNT)
        return wrong(t, "count", "at most 4,000,000,000 of an event on a tile in a step", line->cell[3], err);
    return FS_OK;
}

static fs_status read_events(fs_superstep_reader *r, const char *file, const fs_program *kernel,
                             fs_error *err) {
    static const char *const columns[COLUMNS] = {"step", "tile", "event", "count"};
    table t;
    row line = {0};
    bool more = true;
    if (open_table(r, file, &t, err) || read_head(&t, columns, err))
        return err->status;
    counting c = {.of = FS_NEW(r->arena, uint64_t *, r->tiles)};
    uint64_t step = 0;
    while (true) {
        if (next_row(&t, columns, step, &line, &more, err))
            return err->status;
        if (c.tiles > 0 && (!more || line.step != step))
            close_step(r, &c, step);
        if (!more)
            return FS_OK;
        step = line.step;
        if (read_event_row(r, &t, kernel, &line, &c, err))
            return err->status;
    }
}

/* ---- transfers ---- */

static fs_status close_transfers(fs_superstep_reader *r, const table *t, fs_superstep_list *list,
                                 uint64_t step, fs_error *err) {
    if (!fs_superstep_give_transfers(r, step_at(r, step), list))
        return fs_fail(err, FS_INPUT,
                       "%s: step %" PRIu64 ": expected less than 4 GiB from one tile to another", t->file,
                       step);
    *list = (fs_superstep_list){0};
    return FS_OK;
}

static fs_status read_transfers(fs_superstep_reader *r, const char *file, fs_error *err) {
    static const char *const columns[COLUMNS] = {"step", "source", "destination", "bytes"};
    table t;
    row line = {0};
    bool more = true;
    if (open_table(r, file, &t, err) || read_head(&t, columns, err))
        return err->status;
    fs_superstep_list list = {0};
    uint64_t step = 0, src, dst, bytes;
    const char *tiles = fs_arena_printf(r->arena, "a tile below %" PRIu32, r->tiles);
    while (true) {
        if (next_row(&t, columns, step, &line, &more, err) ||
            (list.count > 0 && (!more || line.step != step) && close_transfers(r, &t, &list, step, err)))
            return err->status;
        if (!more)
            return FS_OK;
        step = line.step;
        if (!whole(line.cell[1], r->tiles - 1, &src))
            return wrong(&t, "source", tiles, line.cell[1], err);
        if (!whole(line.cell[2], r->tiles - 1, &dst))
            return wrong(&t, "destination", tiles, line.cell[2], err);
        if (!whole(line.cell[3], 1 << 30, &bytes))
            return wrong(&t, "bytes", "at most 1 GiB", line.cell[3], err);
        step_at(r, step);
        if (src != dst && bytes > 0)
            *(fs_superstep_send *)fs_superstep_add(r->arena, &list, sizeof(fs_superstep_send)) =
                (fs_superstep_send){.of = {(uint32_t)src, (uint32_t)dst, (uint32_t)((bytes + 3) / 4 * 4)}};
    }
}

/* ---- the section ---- */

/* A path of the program's file is relative to that file. */
static const char *beside(fs_arena *arena, const char *file, const char *path) {
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || slash == NULL)
        return path;
    return fs_arena_printf(arena, "%.*s/%s", (int)(slash - file), file, path);
}

void fs_supersteps_names(const char *path, fs_param_seen seen, void *self) {
    static const char *const keys[] = {"events", "transfers"};
    fs_arena *arena = fs_arena_create();
    const fs_yaml *yaml = fs_yaml_open(arena, path);
    const fs_node *trace =
        yaml->root == NULL || yaml->root->kind != FS_NODE_MAPPING ? NULL : fs_tree_get(yaml->root, "trace");
    for (size_t i = 0; i < FS_COUNT(keys) && trace != NULL && trace->kind == FS_NODE_MAPPING; i++) {
        const fs_node *file = fs_tree_get(trace, keys[i]);
        if (file != NULL && file->kind == FS_NODE_SCALAR)
            seen(self, beside(arena, path, file->text));
    }
    fs_arena_free(arena);
}

fs_status fs_superstep_read_trace(fs_superstep_reader *r, const fs_node *node, fs_error *err) {
    static const char *const keys[] = {"events", "transfers", NULL};
    const char *events = NULL, *transfers = NULL;
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return FS_OK;
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "events", true), &events);
    fs_yaml_text(r->yaml, fs_yaml_get(r->yaml, node, "transfers", false), &transfers);
    const fs_program *kernel = kernel_of(r, node);
    if (!fs_yaml_good(r->yaml) || kernel == NULL || events == NULL)
        return FS_OK; /* fs_yaml_finish says why */
    if (read_events(r, beside(r->arena, r->file, events), kernel, err) ||
        (transfers != NULL && read_transfers(r, beside(r->arena, r->file, transfers), err)))
        return err->status;
    if (r->definitions.count == 0)
        return fs_fail(err, FS_INPUT, "%s: expected a row for each event of a step, found none",
                       beside(r->arena, r->file, events));
    fs_superstep_stage_of_all(r, 0, r->definitions.count);
    return FS_OK;
}
