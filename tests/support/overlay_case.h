/* What tests of overlay kinds share: plans that must succeed or be refused, and distances and buffers counted
 * without the overlay's own functions. Failures are cmocka's. */
#pragma once

#include "models/overlay/overlay.h"

fs_overlay overlay_plan(const fs_overlay_kind *kind, const void *params, const fs_overlay_site *site,
                        fs_arena *arena);
void overlay_refused(const fs_overlay_kind *kind, const void *params, const fs_overlay_site *site,
                     const char *told);

/* fs_overlay_check passes. */
void overlay_passes(const fs_overlay *o, const char *what);
/* Every distance that the routes give is that of a breadth-first search over lanes, in which only tiles with
 * a routing table pass rays on; every fourth goal when there are many. */
void overlay_is_shortest(const fs_overlay *o, const char *what);
/* [tiles] bytes of both ends' buffers. */
uint64_t *overlay_buffer_bytes(const fs_overlay *o, fs_arena *arena);
/* Both overlays have the same tiles, lanes and routes. */
void overlay_equal(const fs_overlay *a, const fs_overlay *b, const char *what);
