/* The tables of a device's run: columns that a workload may put its own between, and whole files.
 *
 * iterations.csv   a row is an iteration: phases, pace
 * steps.csv        a row is a step of the plan over the run
 * tiles.csv        a row is a tile: workers, ports, pace, SRAM
 * cycles.csv       a row is a tile in use: compute cycles in each iteration (active calls)
 * memory.csv       a row is an allocation
 * docs/run-folder.md has their columns.
 */
#pragma once

#include "models/ipu/tables/notes.h"
#include "sim/results/columns.h"
#include "sim/trace/trace.h"

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
/* Of them compute alone, which a price knows, too */
fs_column *fs_books_own_columns(const fs_books_tile_rows *rows, fs_column *out);
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

/* The timeline of a device's run from its notes (sim/trace/trace.h has the format), for any workload.
 *
 *   device   each iteration, and in it the steps of the plan with their phases; a track for each branch
 *   tiles    compute of the tiles that set the pace most often, or of chosen ones, iteration by iteration
 */
enum { FS_BOOKS_TIMELINE_TILES = 64, FS_BOOKS_TIMELINE_HOTTEST = 8 };

/* Reads a list of tiles, "0,5,412", each once. FS_INPUT, naming the option, for what is no tile of the
 * machine, or more than FS_BOOKS_TIMELINE_TILES. */
fs_status fs_books_timeline_tiles(const char *text, uint32_t tiles, uint32_t *out, uint32_t *count,
                                  fs_error *err);

/* Writes the file. tile: [count] the chosen ones; count 0: the FS_BOOKS_TIMELINE_HOTTEST that set the pace most
 * often. Needs closed notes. FS_IO. */
fs_status fs_books_timeline_write(const fs_books_notes *notes, const char *path, const uint32_t *tile,
                                  uint32_t count, fs_error *err);

/* Parts of it, for a workload that writes a timeline of its own. The phases of an iteration, one after the
 * other, within its span on the track. */
void fs_books_timeline_phases(const fs_iteration *iteration, fs_track track, fs_trace *trace);
/* The tiles that set the pace most often, at most FS_BOOKS_TIMELINE_HOTTEST. paced: [tiles] how often each did;
 * those taken are 0 after it. Returns how many. */
uint32_t fs_books_timeline_hottest(uint64_t *paced, uint32_t tiles, uint32_t *out);
