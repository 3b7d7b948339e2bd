/* Columns of closed notes, and the files that are made of them alone. */
#include "models/ipu/tables/tables.h"

#include "sim/results/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- iterations ---- */

enum { ITERATION, START, CYCLES, COMPUTE, SYNC, EXCHANGE, HOST };

static const fs_iteration *iteration_at(const fs_books_iteration_rows *rows, uint64_t row) {
    return (const fs_iteration *)(const void *)((const char *)rows->first + row * rows->stride);
}

static int64_t time_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_iteration *i = iteration_at(self, row);
    const uint64_t value[] = {[ITERATION] = i->number, [START] = i->start, [CYCLES] = fs_iteration_cycles(i),
                              [COMPUTE] = i->compute,  [SYNC] = i->sync,   [EXCHANGE] = i->exchange,
                              [HOST] = i->host};
    return (int64_t)value[which];
}

void fs_books_time_columns(const fs_books_iteration_rows *rows, fs_column *out) {
    static const char *const names[FS_BOOKS_TIME_COLUMNS] = {"iteration", "start",    "cycles", "compute",
                                                             "sync",      "exchange", "host"};
    for (uint32_t c = 0; c < FS_BOOKS_TIME_COLUMNS; c++)
        out[c] = (fs_column){.name = names[c],
                             .unit = c == ITERATION ? "" : "cycles",
                             .integer = time_cell,
                             .self = rows,
                             .arg = c};
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

void fs_books_pace_columns(const fs_books_iteration_rows *rows, fs_column *out) {
    out[0] = (fs_column){.name = "pace_role", .unit = "", .word = pace_role, .self = rows};
    out[1] = (fs_column){.name = "pace_tile", .unit = "", .integer = pace_tile, .self = rows};
}

/* ---- tiles ---- */

enum { COLUMN, ROW, SUB };

static int64_t tile_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)self;
    (void)arg;
    return (int64_t)row;
}

static const char *role_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    return fs_books_role(((const fs_books_tile_rows *)self)->labels, (uint32_t)row);
}

static int64_t level_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_books_labels *labels = ((const fs_books_tile_rows *)self)->labels;
    return labels->level == NULL ? 0 : labels->level[row];
}

void fs_books_name_columns(const fs_books_tile_rows *rows, fs_column *out) {
    out[0] = (fs_column){.name = "tile", .unit = "", .integer = tile_cell, .self = rows};
    out[1] = (fs_column){.name = "role", .unit = "", .word = role_cell, .self = rows};
    out[2] = (fs_column){.name = "level", .unit = "", .integer = level_cell, .self = rows};
}

static int64_t place_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_position at =
        fs_geometry_position(&((const fs_books_tile_rows *)self)->machine->geometry, (uint32_t)row);
    return which == COLUMN ? at.column : which == ROW ? at.row : at.sub;
}

void fs_books_place_columns(const fs_books_tile_rows *rows, fs_column *out) {
    static const char *const names[FS_BOOKS_PLACE_COLUMNS] = {"column", "row", "sub"};
    for (uint32_t c = 0; c < FS_BOOKS_PLACE_COLUMNS; c++)
        out[c] = (fs_column){.name = names[c], .unit = "", .integer = place_cell, .self = rows, .arg = c};
}

enum { BUSY, WAITING, IDLE, OWN, BYTES_IN, BYTES_OUT, BUSY_IN, BUSY_OUT, WAITING_OUT };

static int64_t of_workers(const fs_books_tile_rows *n, const uint64_t *cycles, uint64_t tile) {
    const uint64_t workers = (uint64_t)fs_machine_most_workers(n->machine);
    uint64_t sum = 0;
    for (uint64_t w = tile * workers; w < (tile + 1) * workers; w++)
        sum += cycles[w];
    return (int64_t)sum;
}

static int64_t work_cell(const void *self, uint64_t row, uint32_t which) {
    const fs_books_tile_rows *n = self;
    const fs_device_totals *t = &n->totals;
    const uint64_t *const of_tile[] = {
        [OWN] = t->compute,          [BYTES_IN] = t->bytes_in,      [BYTES_OUT] = t->bytes_out,
        [BUSY_IN] = t->port_busy_in, [BUSY_OUT] = t->port_busy_out, [WAITING_OUT] = t->port_waiting_out};
    if (which == BUSY)
        return of_workers(n, t->busy, row);
    if (which == WAITING)
        return of_workers(n, t->waiting, row);
    if (which == IDLE)
        return of_workers(n, t->idle, row);
    return (int64_t)of_tile[which][row];
}

void fs_books_work_columns(const fs_books_tile_rows *rows, fs_column *out) {
    static const char *const names[FS_BOOKS_WORK_COLUMNS] = {
        "busy",      "waiting",      "idle",          "compute",         "bytes_in",
        "bytes_out", "port_busy_in", "port_busy_out", "port_waiting_out"};
    for (uint32_t c = 0; c < FS_BOOKS_WORK_COLUMNS; c++)
        out[c] = (fs_column){.name = names[c],
                             .unit = c == BYTES_IN || c == BYTES_OUT ? "B" : "cycles",
                             .integer = work_cell,
                             .self = rows,
                             .arg = c};
}

static int64_t paced_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_books_tile_rows *n = self;
    return n->paced ? (int64_t)n->totals.paced[row] : 0;
}

fs_column fs_books_paced_column(const fs_books_tile_rows *rows) {
    return (fs_column){.name = "paced", .unit = "iterations", .integer = paced_cell, .self = rows};
}

static int64_t sram_cell(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    const fs_books_tile_rows *n = self;
    return n->ledger == NULL ? 0 : (int64_t)fs_ledger_used(n->ledger, (uint32_t)row);
}

fs_column fs_books_sram_column(const fs_books_tile_rows *rows) {
    return (fs_column){.name = "sram", .unit = "B", .integer = sram_cell, .self = rows};
}

/* ---- steps ---- */

/* A step of the plan with its totals. */
typedef struct step_row {
    const char *name;
    uint32_t stage, branch;
    const fs_device_step_totals *totals;
    uint64_t bytes; /* of all transfers in a round */
} step_row;

enum { NUMBER, STAGE, BRANCH, ROUNDS, STEP_COMPUTE, STEP_SYNC, STEP_EXCHANGE, STEP_CYCLES, STEP_BYTES };

static int64_t step_cell(const void *self, uint64_t row, uint32_t which) {
    const step_row *s = (const step_row *)self + row;
    const uint64_t value[] = {[NUMBER] = row,
                              [STAGE] = s->stage,
                              [BRANCH] = s->branch,
                              [ROUNDS] = s->totals->rounds,
                              [STEP_COMPUTE] = s->totals->compute,
                              [STEP_SYNC] = s->totals->sync,
                              [STEP_EXCHANGE] = s->totals->exchange,
                              [STEP_CYCLES] = s->totals->compute + s->totals->sync + s->totals->exchange,
                              [STEP_BYTES] = s->bytes * s->totals->rounds};
    return (int64_t)value[which];
}

/* Names are the user's: what separates cells is taken out. */
static const char *step_name(const void *self, uint64_t row, uint32_t arg) {
    (void)arg;
    return ((const step_row *)self)[row].name;
}

static char *plain_name(const char *name) {
    char *text = fs_strdup(name == NULL || name[0] == '\0' ? "step" : name);
    for (char *c = text; *c != '\0'; c++)
        if (strchr(",\"\n\r", *c) != NULL)
            *c = ' ';
    return text;
}

static step_row *step_rows(const fs_books_notes *n) {
    step_row *rows = fs_calloc(n->steps + 1, sizeof *rows);
    uint32_t s = 0;
    for (uint32_t g = 0; g < n->plan->stage_count; g++)
        for (uint32_t b = 0; b < n->plan->stages[g].branch_count; b++)
            for (uint32_t i = 0; i < n->plan->stages[g].branches[b].step_count; i++, s++) {
                const fs_device_step *step = fs_plan_step(n->plan, s);
                rows[s] = (step_row){
                    .name = plain_name(step->name), .stage = g, .branch = b, .totals = &n->totals.step[s]};
                for (uint32_t t = 0; t < step->transfer_count; t++)
                    rows[s].bytes += step->transfers[t].bytes;
            }
    return rows;
}

static fs_status write_steps(const fs_books_notes *n, fs_results *results, fs_error *err) {
    step_row *rows = step_rows(n);
    const fs_column columns[] = {
        {.name = "step", .unit = "", .integer = step_cell, .self = rows, .arg = NUMBER},
        {.name = "name", .unit = "", .word = step_name, .self = rows},
        {.name = "stage", .unit = "", .integer = step_cell, .self = rows, .arg = STAGE},
        {.name = "branch", .unit = "", .integer = step_cell, .self = rows, .arg = BRANCH},
        {.name = "rounds", .unit = "", .integer = step_cell, .self = rows, .arg = ROUNDS},
        {.name = "cycles", .unit = "cycles", .integer = step_cell, .self = rows, .arg = STEP_CYCLES},
        {.name = "compute", .unit = "cycles", .integer = step_cell, .self = rows, .arg = STEP_COMPUTE},
        {.name = "sync", .unit = "cycles", .integer = step_cell, .self = rows, .arg = STEP_SYNC},
        {.name = "exchange", .unit = "cycles", .integer = step_cell, .self = rows, .arg = STEP_EXCHANGE},
        {.name = "bytes", .unit = "B", .integer = step_cell, .self = rows, .arg = STEP_BYTES}};
    fs_status status =
        fs_columns_write(results, "steps.csv", columns, sizeof columns / sizeof *columns, n->steps, err);
    for (uint32_t s = 0; s < n->steps; s++)
        free((char *)(uintptr_t)rows[s].name); /* rows own their names */
    free(rows);
    return status;
}

/* ---- files ---- */

static fs_status write_iterations(const fs_books_notes *n, fs_results *results, fs_error *err) {
    fs_column columns[FS_BOOKS_TIME_COLUMNS + FS_BOOKS_PACE_COLUMNS];
    fs_books_time_columns(&n->iteration_rows, columns);
    fs_books_pace_columns(&n->iteration_rows, columns + FS_BOOKS_TIME_COLUMNS);
    return fs_columns_write(results, "iterations.csv", columns, sizeof columns / sizeof *columns,
                            n->iterations, err);
}

static fs_status write_tiles(const fs_books_notes *n, fs_results *results, fs_error *err) {
    enum { WORK = FS_BOOKS_NAME_COLUMNS + FS_BOOKS_PLACE_COLUMNS, ALL = WORK + FS_BOOKS_WORK_COLUMNS };
    fs_column columns[ALL + 2];
    fs_books_name_columns(&n->tile_rows, columns);
    fs_books_place_columns(&n->tile_rows, columns + FS_BOOKS_NAME_COLUMNS);
    fs_books_work_columns(&n->tile_rows, columns + WORK);
    columns[ALL] = fs_books_paced_column(&n->tile_rows);
    columns[ALL + 1] = fs_books_sram_column(&n->tile_rows);
    return fs_columns_write(results, "tiles.csv", columns, ALL + 2, n->plan->tiles, err);
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

static const char *role_of(const void *self, uint32_t tile) {
    return fs_books_role(self, tile);
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
    fs_ledger_write_csv(ledger, role_of, labels, file);
    return fs_results_close(results, file, err);
}

fs_status fs_books_tables_write(const fs_books_notes *n, bool full, fs_results *results, fs_error *err) {
    if (write_iterations(n, results, err) || write_steps(n, results, err) || write_tiles(n, results, err) ||
        fs_books_memory_write(n->ledger, &n->labels, results, err))
        return err->status;
    return full && n->cycles != NULL ? write_cycles(n, results, err) : FS_OK;
}
