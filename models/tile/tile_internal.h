/* Private to models/tile: prices of an event, and sums over counted events by segment and worker. */
#pragma once

#include "models/tile/tile.h"

typedef uint64_t fs_segment_table[FS_MAX_SEGMENTS][FS_MAX_WORKERS]; /* issue slots */

/* Issue slots of one occurrence: fs_program_price. */
fs_status fs_event_price(const fs_program *program, const fs_event *event, const fs_tile_params *params,
                         uint32_t *slots, fs_error *err);

/* Adds to slots[s][w] what worker w counted of the events of segment s, on a host with AVX2. */
void fs_counted_slots_avx2(const fs_priced_program *program, const uint32_t *counts, fs_segment_table slots);

/* The closed form of a call on a tile of so many workers, all at work, on a host with AVX2; no slot is scaled
 * or given away, and there is no hardware. */
enum { FS_PUBLISHED_WORKERS = 6 };
void fs_six_times_avx2(const fs_priced_program *program, const uint32_t *counts, fs_tile_times *out);
