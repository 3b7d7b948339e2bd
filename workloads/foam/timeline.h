/* The timeline of a run for a trace viewer, from its books: what the device did, which tile of each role was
 * the slowest, and what chosen tiles did, iteration by iteration in device time (sim/trace/trace.h has the
 * format).
 *
 *   device   each iteration with its phases; rays in flight and in the generator's ring after it, its spills
 *   roles    the slowest tile of each role (of each level, for routers) that had work, named by its number
 *   tiles    compute of a tile with the rays it read, then its waiting for the slowest; nothing where it had
 * no work
 */
#ifndef FOAMSIM_WORKLOADS_FOAM_TIMELINE_H
#define FOAMSIM_WORKLOADS_FOAM_TIMELINE_H

#include "sim/trace/trace.h"
#include "workloads/foam/books.h"

#include <stdint.h>

enum { FS_TIMELINE_TILES = 64, FS_TIMELINE_HOTTEST = 8 };

typedef struct fs_timeline_tiles {
    uint32_t tile[FS_TIMELINE_TILES];
    uint32_t count;
} fs_timeline_tiles;

/* Reads a list of --trace-tiles, "0,5,412". FS_INPUT for what is no tile in use, or too many; twice the same
 * is one.
 */
fs_status fs_timeline_tiles_parse(const char *list, const fs_overlay *overlay, fs_timeline_tiles *out,
                                  fs_error *err);
/* Without a list: generator, root routers, the tracer of the camera's shard, and the FS_TIMELINE_HOTTEST
 * others that set the pace most often. */
void fs_timeline_tiles_default(const fs_foam_books *books, fs_timeline_tiles *out);

/* Fills a trace; needs the full books (run.statistics). */
void fs_timeline_write(const fs_foam_books *books, const fs_timeline_tiles *tiles, fs_trace *trace);

#endif
