/* What an overlay gives to a page, whatever its rays are: parts of a plan (sim/results/page_plan.h). */
#ifndef FOAMSIM_MODELS_OVERLAY_OVERLAY_PAGE_H
#define FOAMSIM_MODELS_OVERLAY_OVERLAY_PAGE_H

#include "sim/results/page_plan.h"

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

#endif
