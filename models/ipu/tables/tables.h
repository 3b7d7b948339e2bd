/* The tables of a device's run: columns that a workload may put its own between, and whole files.
 *
 * iterations.csv   a row is an iteration: phases, pace
 * steps.csv        a row is a step of the plan over the run
 * tiles.csv        a row is a tile: workers, ports, pace, SRAM
 * cycles.csv       a row is a tile in use: compute cycles in each iteration (active calls)
 * memory.csv       a row is an allocation
 * docs/run-folder.md has their columns.
 */
#ifndef FOAMSIM_MODELS_IPU_TABLES_TABLES_H
#define FOAMSIM_MODELS_IPU_TABLES_TABLES_H

#include "models/ipu/tables/notes.h"
#include "sim/results/columns.h"

/* Columns, which come back with what is after the last of them; `out` has room. Rows are iterations: */
enum { FS_BOOKS_ITERATION_COLUMNS = 9 }; /* all of them */
/* iteration, start, cycles, compute, sync, exchange, host */
fs_column *fs_books_time_columns(const fs_books_iteration_rows *rows, fs_column *out);
/* pace_role ("none" where none is set), pace_tile */
fs_column *fs_books_pace_columns(const fs_books_iteration_rows *rows, fs_column *out);
/* Rows are tiles: */
enum { FS_BOOKS_TILE_COLUMNS = 17 }; /* all of them */
/* tile, role, level */
fs_column *fs_books_name_columns(const fs_books_tile_rows *rows, fs_column *out);
/* column, row, sub */
fs_column *fs_books_place_columns(const fs_books_tile_rows *rows, fs_column *out);
/* busy, waiting, idle (of all workers), compute, bytes_in, bytes_out, port_busy_in, port_busy_out,
 * port_waiting_out */
fs_column *fs_books_work_columns(const fs_books_tile_rows *rows, fs_column *out);
/* paced; sram (0 without a ledger) */
fs_column *fs_books_end_columns(const fs_books_tile_rows *rows, fs_column *out);

/* Whole files, of the columns above. full: cycles.csv too, where it was kept. FS_IO. */
fs_status fs_books_tables_write(const fs_books_notes *notes, bool full, fs_results *results, fs_error *err);
/* memory.csv alone; nothing without a ledger. */
fs_status fs_books_memory_write(const fs_ledger *ledger, const fs_books_labels *labels, fs_results *results,
                                fs_error *err);
/* A matrix, tile by iteration: columns tile, role, level, i0, i1, ...; a row for each of tile_of[used], its
 * numbers from number[iterations][used]. */
typedef struct fs_tile_matrix {
    const fs_books_labels *labels;
    const uint32_t *tile_of, *number;
    uint32_t used;
    uint64_t iterations;
} fs_tile_matrix;
fs_status fs_books_matrix_write(const fs_tile_matrix *matrix, const char *file, fs_results *results,
                                fs_error *err);

#endif
