/* Itineraries and machines for tests of the traversal engine. */
#pragma once

#include "models/fpga/engine.h"
#include "sim/base/rng.h"

enum { ENGINE_NODE_BYTES = 112, ENGINE_TRIANGLE_BYTES = 48 };

/* The default board without a link: what closed forms by hand speak of. */
fs_fpga_params engine_board(fs_arena *arena);

/* `rays` rays, each a root and then `leaves` leaves of `triangles` triangles, of which the last is hit. */
fs_engine_itinerary engine_rays(fs_arena *arena, uint64_t rays, uint32_t leaves, uint32_t triangles);
/* Rays of up to `most` requests by a queue of so many entries, 0: unbounded. */
fs_engine_itinerary engine_random_rays(fs_arena *arena, fs_rng *rng, uint64_t rays, uint32_t most,
                                       uint32_t queue);

/* Any machine: of all kinds, policies, clocks and sizes, small enough to wait for each other. */
fs_fpga_params engine_random_machine(fs_arena *arena, fs_rng *rng);

/* The name of the first figure that differs; NULL: all are equal. */
const char *engine_difference(const fs_engine_results *a, const fs_engine_results *b);

/* Runs it in a process of its own, as a kernel lives once: cycles, or 0 with the error printed. */
uint64_t engine_event_cycles(const fs_fpga_params *machine, const fs_engine_itinerary *itinerary);
