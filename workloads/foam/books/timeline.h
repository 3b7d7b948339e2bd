/* The timeline of a run for a trace viewer, from its books: what the device did, which tile of each role was
 * the slowest, and what chosen tiles did, iteration by iteration in device time (sim/trace/trace.h has the
 * format).
 *
 * A decoupled run has slices of equal length instead: a span tells how much of a slice a tile computed, not
 * when in it.
 *
 *   device   each iteration with its phases; rays in flight and in the generator's ring after it, its spills
 *   roles    the slowest tile of each role (of each level, for routers) that had work, named by its number
 *   tiles    compute of a tile with the rays it read, then its waiting for the slowest; nothing where it had
 * no work
 */
#pragma once

#include "sim/trace/trace.h"
#include "sim/workload/host_options.h"
#include "workloads/foam/books/books.h"

#include <stdint.h>

enum { FS_TIMELINE_TILES = 64 };

typedef struct fs_timeline {
    fs_trace *trace; /* NULL: none was asked for */
    bool slices;     /* a decoupled run: iterations are slices of time, see below */
    bool chosen;     /* by --trace-tiles; else by the books, at the end */
    uint32_t tile[FS_TIMELINE_TILES];
    uint32_t tiles;
} fs_timeline;

/* Before the run, so that hours later nothing is wrong with the options: opens the file of --trace and reads
 * --trace-tiles, "0,5,412" (twice the same is one). FS_INPUT for what is no tile in use, or too
 * many; FS_IO. Without --trace nothing happens, here and below. */
fs_status fs_timeline_open(fs_timeline *timeline, const fs_host_options *host,
                           const fs_machine_params *machine, const fs_overlay *overlay, fs_error *err);
/* After the run: writes everything and closes. Tiles that nobody chose: generator, root routers, the tracer
 * of the camera's shard, and the FS_BOOKS_TIMELINE_HOTTEST others that set the pace most often. Needs the full
 * books (run.statistics). */
fs_status fs_timeline_write(fs_timeline *timeline, const fs_foam_books *books, fs_error *err);
/* Of a run that failed: the file goes. */
void fs_timeline_discard(fs_timeline *timeline);
