/* One ray, hop by hop: what the tile that had it did in each iteration, where it went, what it waited for.
 * Looks at a run of barriers between its phases and changes nothing.
 *
 *     fs_follow *f = fs_follow_create(arena, &overlay, x, y, payload_bytes);
 *     in each iteration   fs_follow_look(f, sim, iteration);      between compute and exchange
 *                         fs_follow_note(f, device, &iteration);  when it is over
 *     json_t *story = fs_follow_story(f, sim, rgb8);
 */
#pragma once

#include "models/ipu/device.h"
#include "workloads/foam/kernels/simulation.h"

#include <jansson.h>
#include <stdio.h>

typedef struct fs_follow fs_follow;

/* "320,100" as --pixel has it. FS_INPUT. */
fs_status fs_follow_pixel(const char *text, uint32_t *x, uint32_t *y, fs_error *err);
/* The ray of pixel (x, y) of the first frame. overlay: borrowed. bytes: that a hop moves. */
fs_follow *fs_follow_create(fs_arena *arena, const fs_overlay *overlay, uint32_t x, uint32_t y,
                            uint32_t bytes);
void fs_follow_look(fs_follow *follow, const fs_foam_simulation *sim, uint64_t iteration);
void fs_follow_note(fs_follow *follow, const fs_device *device, const fs_iteration *iteration);

/* After the run: {"pixel", "hops": [...], "value", "cycles", ...} (docs/run-folder.md). rgb8: the picture,
 * [height][width][3]. Owner: caller. */
json_t *fs_follow_story(const fs_follow *follow, const fs_foam_simulation *sim, const uint8_t *rgb8);
/* The same for people. */
void fs_follow_tell(const json_t *story, FILE *out);
