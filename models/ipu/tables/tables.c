/* Columns of closed notes, and the files that are made of them alone. */
#include "models/ipu/tables/tables.h"

#include "sim/base/arith.h"
#include "sim/results/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- iterations ---- */

static const fs_iteration *iteration_at(const fs_books_iteration_rows *rows, uint64_t row) {
    return (const fs_iteration *)(const void *)((const char *)rows->first + row * rows->stride);
}

static const char *const of_iteration[][2] = {
    {"iteration", ""},  {"start", "cycles"},    {"cycles", "cycles"}, {"compute", "cycles"},
    {"sync", "cycles"}, {"exchange", "cycles"}, {"host", "cycles"}};

static int64_t time_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_iteration *i = iteration_at(self, row);
    const uint64_t value[] = {i->number,   i->start, fs_iteration_cycles(i), i->compute, i->sync,
                              i->exchange, i->host};
    return (int64_t)value[which];
}

fs_column *fs_books_time_columns(const fs_books_iteration_rows *rows, fs_column *out) {
    return fs_columns_integers(out, of_iteration, 0, FS_COUNT(of_iteration), time_cell, rows);
}

static const char *pace_role(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_books_iteration_rows *r = self;
    return r->paced ? fs_books_role(r->labels, iteration_at(r, row)->pace_tile) : "none";
}

static int64_t pace_tile(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    return iteration_at(self, row)->pace_tile;
}

fs_column *fs_books_pace_columns(const fs_books_iteration_rows *rows, fs_column *out) {
    *out++ = (fs_column){.name = "pace_role", .unit = "", .word = pace_role, .self = rows};
    *out++ = (fs_column){.name = "pace_tile", .unit = "", .integer = pace_tile, .self = rows};
    return out;
}

/* ---- tiles ---- */

enum { TILE, LEVEL, COLUMN, ROW, SUB, BUSY, WAITING, IDLE, OWN, BYTES_IN, BYTES_OUT };
enum { BUSY_IN = BYTES_OUT + 1, BUSY_OUT, WAITING_OUT, PACED, SRAM, TILE_NUMBERS };
static const char *const of_tile[TILE_NUMBERS][2] = {{"tile", ""},
                                                     {"level", ""},
                                                     {"column", ""},
                                                     {"row", ""},
                                                     {"sub", ""},
                                                     {"busy", "cycles"},
                                                     {"waiting", "cycles"},
                                                     {"idle", "cycles"},
                                                     {"compute", "cycles"},
                                                     {"bytes_in", "B"},
                                                     {"bytes_out", "B"},
                                                     {"port_busy_in", "cycles"},
                                                     {"port_busy_out", "cycles"},
                                                     {"port_waiting_out", "cycles"},
                                                     {"paced", "iterations"},
                                                     {"sram", "B"}};

static int64_t of_workers(const fs_books_tile_rows *n, const uint64_t *cycles, uint64_t tile) {
    const uint64_t workers = (uint64_t)fs_machine_most_workers(n->machine);
    uint64_t sum = 0;
    for (uint64_t w = tile * workers; w < (tile + 1) * workers; w++)
        sum += cycles[w];
    return (int64_t)sum;
}

static int64_t place_cell(const fs_books_tile_rows *n, uint64_t tile, uint32_t which) {
    const fs_position at = fs_geometry_position(&n->machine->geometry, (uint32_t)tile);
    const int64_t before =
        fs_geometry_chip(&n->machine->geometry, (uint32_t)tile) * n->machine->geometry.columns;
    return which == COLUMN ? at.column + before : which == ROW ? at.row : at.sub;
}

static int64_t tile_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_books_tile_rows *n = self;
    const fs_device_totals *t = &n->totals;
    const uint64_t *const total[TILE_NUMBERS] = {[BUSY] = t->busy,
                                                 [WAITING] = t->waiting,
                                                 [IDLE] = t->idle,
                                                 [OWN] = t->compute,
                                                 [BYTES_IN] = t->bytes_in,
                                                 [BYTES_OUT] = t->bytes_out,
                                                 [BUSY_IN] = t->port_busy_in,
                                                 [BUSY_OUT] = t->port_busy_out,
                                                 [WAITING_OUT] = t->port_waiting_out,
                                                 [PACED] = t->paced};
    switch (which) {
    case TILE:
        return (int64_t)row;
    case LEVEL:
        return n->labels->level == NULL ? 0 : n->labels->level[row];
    case COLUMN:
    case ROW:
    case SUB:
        return place_cell(n, row, which);
    case BUSY:
    case WAITING:
    case IDLE:
        return of_workers(n, total[which], row);
    case SRAM:
        return n->ledger == NULL ? 0 : (int64_t)fs_ledger_used(n->ledger, (uint32_t)row);
    default:
        return which == PACED && !n->paced ? 0 : (int64_t)total[which][row];
    }
}

static const char *role_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    return fs_books_role(((const fs_books_tile_rows *)self)->labels, (uint32_t)row);
}

fs_column *fs_books_name_columns(const fs_books_tile_rows *rows, fs_column *out) {
    out = fs_columns_integers(out, of_tile, TILE, LEVEL, tile_cell, rows);
    *out++ = (fs_column){.name = "role", .unit = "", .word = role_cell, .self = rows};
    return fs_columns_integers(out, of_tile, LEVEL, COLUMN, tile_cell, rows);
}
fs_column *fs_books_place_columns(const fs_books_tile_rows *rows, fs_column *out) {
    return fs_columns_integers(out, of_tile, COLUMN, BUSY, tile_cell, rows);
}
fs_column *fs_books_work_columns(const fs_books_tile_rows *rows, fs_column *out) {
    return fs_columns_integers(out, of_tile, BUSY, PACED, tile_cell, rows);
}
fs_column *fs_books_own_columns(const fs_books_tile_rows *rows, fs_column *out) {
    return fs_columns_integers(out, of_tile, OWN, BYTES_IN, tile_cell, rows);
}
fs_column *fs_books_end_columns(const fs_books_tile_rows *rows, fs_column *out) {
    return fs_columns_integers(out, of_tile, PACED, TILE_NUMBERS, tile_cell, rows);
}

/* ---- steps ---- */

/* Names are the user's: what separates cells is taken out. */
static char *plain_name(const char *name) {
    char *text = fs_strdup(name == NULL || name[0] == '\0' ? "step" : name);
    for (char *c = text; *c != '\0'; c++)
        if (strchr(",\"\n\r", *c) != NULL)
            *c = ' ';
    return text;
}

static void put_step(fs_row_table *t, const fs_books_notes *n, uint32_t s, uint32_t stage, uint32_t branch) {
    const fs_device_step *step = fs_plan_step(n->plan, s);
    const fs_device_step_totals *of = &n->totals.step[s];
    uint64_t bytes = (uint64_t)n->plan->tiles * (n->plan->tiles - 1) * step->rotation; /* in a round */
    for (uint32_t i = 0; i < step->transfer_count; i++)
        bytes += step->transfers[i].bytes;
    char *name = plain_name(step->name);
    FS_ROW(t, s, name, stage, branch, of->rounds, of->compute + of->sync + of->exchange, of->compute,
           of->sync, of->exchange, bytes * of->rounds);
    free(name);
}

static void put_steps(const void *run, fs_row_table *t) {
    const fs_books_notes *n = run;
    for (uint32_t g = 0, s = 0; g < n->plan->stage_count; g++)
        for (uint32_t b = 0; b < n->plan->stages[g].branch_count; b++)
            for (uint32_t i = 0; i < n->plan->stages[g].branches[b].step_count; i++)
                put_step(t, n, s++, g, b);
}

/* ---- files ---- */

static fs_status write_iterations(const fs_books_notes *n, fs_results *results, fs_error *err) {
    fs_column columns[FS_BOOKS_ITERATION_COLUMNS];
    fs_books_pace_columns(&n->iteration_rows, fs_books_time_columns(&n->iteration_rows, columns));
    return fs_columns_write(results, "iterations.csv", columns, FS_COUNT(columns), n->iterations, err);
}

static fs_status write_tiles(const fs_books_notes *n, fs_results *results, fs_error *err) {
    fs_column columns[FS_BOOKS_TILE_COLUMNS], *c = fs_books_name_columns(&n->tile_rows, columns);
    c = fs_books_work_columns(&n->tile_rows, fs_books_place_columns(&n->tile_rows, c));
    fs_books_end_columns(&n->tile_rows, c);
    return fs_columns_write(results, "tiles.csv", columns, FS_COUNT(columns), n->plan->tiles, err);
}

/* The header is written here because its width is the run's. */
fs_status fs_books_matrix_write(const fs_tile_matrix *m, const char *name, fs_results *results,
                                fs_error *err) {
    FILE *file = fs_results_create(results, name, NULL, NULL, 0, err);
    if (file == NULL)
        return err->status;
    fs_row row;
    fs_row_begin(&row, file);
    fs_row_word(&row, "tile");
    fs_row_word(&row, "role");
    fs_row_word(&row, "level");
    for (uint64_t k = 0; k < m->iterations; k++) {
        char column[24];
        snprintf(column, sizeof column, "i%llu", (unsigned long long)k);
        fs_row_word(&row, column);
    }
    fs_row_end(&row);
    int64_t *numbers = fs_malloc((m->iterations + 1) * sizeof *numbers);
    for (uint32_t u = 0; u < m->used; u++) {
        const uint32_t tile = m->tile_of[u];
        fs_row_int(&row, tile);
        fs_row_word(&row, fs_books_role(m->labels, tile));
        fs_row_int(&row, m->labels->level == NULL ? 0 : m->labels->level[tile]);
        for (uint64_t k = 0; k < m->iterations; k++)
            numbers[k] = m->number[(size_t)k * m->used + u];
        fs_row_ints(&row, numbers, m->iterations);
        fs_row_end(&row);
    }
    free(numbers);
    fs_row_flush(&row);
    return fs_results_close(results, file, err);
}

static fs_status write_cycles(const fs_books_notes *n, fs_results *results, fs_error *err) {
    const fs_tile_matrix matrix = {.labels = &n->labels,
                                   .tile_of = n->tile_of,
                                   .number = n->cycles,
                                   .used = n->used,
                                   .iterations = n->iterations};
    return fs_books_matrix_write(&matrix, "cycles.csv", results, err);
}

fs_status fs_books_memory_write(const fs_ledger *ledger, const fs_books_labels *labels, fs_results *results,
                                fs_error *err) {
    static const char *const columns[] = {"tile", "role", "allocation", "bytes"};
    static const char *const units[] = {"", "", "", "B"};
    if (ledger == NULL)
        return FS_OK;
    FILE *file = fs_results_create(results, "memory.csv", columns, units, 4, err);
    if (file == NULL)
        return err->status;
    fs_ledger_write_csv(ledger, fs_books_role, labels, file);
    return fs_results_close(results, file, err);
}

fs_status fs_books_tables_write(const fs_books_notes *n, bool full, fs_results *results, fs_error *err) {
    static const fs_row_file steps = {"steps.csv",
                                      "step, name, stage, branch, rounds, cycles cycles, compute cycles, "
                                      "sync cycles, exchange cycles, bytes B",
                                      put_steps};
    if (write_iterations(n, results, err) || fs_row_files_write(&steps, 1, n, results, err) ||
        write_tiles(n, results, err) || fs_books_memory_write(n->ledger, &n->labels, results, err))
        return err->status;
    return full && n->cycles != NULL ? write_cycles(n, results, err) : FS_OK;
}
