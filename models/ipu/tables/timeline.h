/* The timeline of a device's run from its notes (sim/trace/trace.h has the format), for any workload.
 *
 *   device   each iteration, and in it the steps of the plan with their phases; a track for each branch
 *   tiles    compute of the tiles that set the pace most often, or of chosen ones, iteration by iteration
 */
#ifndef FOAMSIM_MODELS_IPU_TABLES_TIMELINE_H
#define FOAMSIM_MODELS_IPU_TABLES_TIMELINE_H

#include "models/ipu/tables/notes.h"
#include "sim/trace/trace.h"

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

#endif
