/* What an overlay has to say of a run: figures of summary.json. */
#pragma once

#include "models/overlay/overlay.h"
#include "sim/results/findings.h"
#include "sim/results/page_plan.h"
#include "sim/stats/stats.h"

#include <stdint.h>

/* Its size. */
typedef struct fs_overlay_figures {
    uint64_t tracers, routers, generators, levels, longest;
} fs_overlay_figures;
extern const fs_stat_table fs_overlay_stats;
fs_overlay_figures fs_overlay_figures_of(const fs_overlay *overlay);

/* Which role set the pace of an iteration, being the slowest tile: shares of the iterations. */
typedef struct fs_pace_figures {
    double tracer, router;
} fs_pace_figures;
extern const fs_stat_table fs_pace_stats;
/* by_role: iterations that a tile of the role was the slowest in, of `iterations`; no iterations: NAN. */
fs_pace_figures fs_pace_figures_of(const uint64_t by_role[FS_ROLE_COUNT], uint64_t iterations);

/* The finding "idle": tracers or routers whose busiest tile computes in less than a twentieth of the run, while a tile
 * of another role computes in half of it or more. compute: [tiles] cycles of each tile, of `cycles` of the run. */
void fs_overlay_find_idle(const fs_overlay *overlay, const uint64_t *compute, uint64_t cycles,
                          fs_findings *out);

/* What an overlay gives to a page, whatever its rays are: parts of a plan (sim/results/page_plan.h). */
enum { FS_OVERLAY_ROLES = 3 };
extern const fs_plan_role fs_overlay_roles[FS_OVERLAY_ROLES]; /* tracers, routers, the generator */

/* Columns of iterations.csv: the slowest tile of the two roles that rays go through. */
#define FS_OVERLAY_SLOWEST_TRACER                                                                            \
    { .column = "compute_tracer", .label = "slowest tracer", .unit = "cycles", .colour = "role-0" }
#define FS_OVERLAY_SLOWEST_ROUTER                                                                            \
    { .column = "compute_router", .label = "slowest router", .unit = "cycles", .colour = "role-1" }
/* A plan's roles, and its reasons. */
#define FS_OVERLAY_PLAN                                                                                      \
    .roles = fs_overlay_roles, .role_count = FS_OVERLAY_ROLES, .reasons = fs_overlay_reasons,                \
    .reason_count = FS_OVERLAY_REASONS
enum { FS_OVERLAY_REASONS = 1 };
extern const fs_plan_reason fs_overlay_reasons[FS_OVERLAY_REASONS]; /* where lanes are full */

extern const fs_plan_section fs_overlay_visits; /* rays that each tile handled, on the chip */
extern const fs_plan_section fs_overlay_levels; /* levels.csv */
extern const fs_plan_section fs_overlay_lanes;  /* lanes.csv, and how full lanes were */
