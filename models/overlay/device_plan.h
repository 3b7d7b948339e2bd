/* An overlay as a device's plan: one step for all tiles, a transfer for each lane, the generator's tile as
 * the host's end of the chip. What the device does not know (roles, levels, routes) stays here. */
#pragma once

#include "models/ipu/plan.h"
#include "models/ipu/tables/notes.h"
#include "models/overlay/overlay.h"

/* programs: which tile runs which. transfers: [overlay->lane_count] whole-buffer bytes of each lane. first:
 * bytes of the visit before iteration 0. What is pointed to is kept; memory from the arena. Bulk copies,
 * where they are serial: one for each two levels and direction (ipu.md 7: five up, five down, two of the
 * generator). */
fs_device_plan fs_overlay_device_plan(const fs_overlay *overlay, const fs_device_programs *programs,
                                      const fs_transfer *transfers, const fs_host_visit *first,
                                      fs_arena *arena);
/* The same for decoupled execution: a tile without work runs nothing. */
fs_device_plan fs_overlay_decoupled_plan(const fs_overlay *overlay, const fs_device_programs *programs,
                                         const fs_transfer *transfers, const fs_host_visit *first,
                                         fs_arena *arena);

/* One program for each role, [FS_ROLE_COUNT], NULL for roles that run nothing. */
fs_device_programs fs_overlay_programs_by_role(const fs_overlay *overlay, const fs_program *const *programs,
                                               fs_arena *arena);

/* For the rules of a workload on an overlay (fs_section_rules): its roles, and where sizes of SRAM count. */
extern const fs_param_role fs_overlay_param_roles[FS_ROLE_COUNT];
extern const fs_param_only fs_overlay_only[2];
#define FS_OVERLAY_RULES .roles = fs_overlay_param_roles, .only = fs_overlay_only

/* What people call the tiles of an overlay: their roles and levels. Borrows the overlay. */
fs_books_labels fs_overlay_labels(const fs_overlay *overlay);

/* The largest window of rays in flight with which no decoupled run can stand still, whatever the routes:
 * 2 k c - 1 with c the smallest capacity of a lane between two tiles that are not the generator, and k the
 * fewest lanes that full queues can wait for each other round: 2 where two tracers are neighbours or
 * `returns`, else 4 where all lanes join neighbouring levels, as in trees, else 3. capacity: [lanes] rays.
 * returns: so many rays may come back to the tracer that they have just left, by way of its router, that they
 * could fill a lane. Where lanes share queues, what the smallest holds. docs/design/decoupled.md has the proof. */
uint32_t fs_overlay_safe_window(const fs_overlay *overlay, const uint32_t *capacity, bool returns);
