/* What a page shows of any overlay: constant data. */
#include "models/overlay/overlay_figures.h"

const fs_plan_role fs_overlay_roles[FS_OVERLAY_ROLES] = {
    {.name = "tracer", .label = "tracers"},
    {.name = "router", .label = "routers", .mark = "level"},
    {.name = "generator", .label = "generators", .mark = "G"},
};

const fs_plan_reason fs_overlay_reasons[FS_OVERLAY_REASONS] = {
    {.file = "levels.csv",
     .column = "turned_away",
     .most = "Rays find their lane full mostly towards {where}.",
     .none = "No ray ever waits for a full lane in either of the two: another overlay can only change how "
             "far rays travel and what a step costs.",
     .when = "overlay",
     .bound = "{More} full lanes hardly change the time, as tracers set the pace in {new} and {old} of the "
              "iterations.",
     .figure = "pace.tracer"},
};

/* ---- the chip ---- */

static const fs_plan_column visits[] = {FS_PAGE_COLUMN("visits", "rays handled", .unit = "rays")};
static const fs_plan_panel visit_panels[] = {
    FS_PAGE_PANEL("chip-rays", visits, .label = "Rays", .form = "log",
                  .title = "Which tiles rays pass: most {@tile}, {@most|whole} rays",
                  .caption = "Rays that each tile handled over the run, logarithmic. Means: {@means}.",
                  .compared = "Which tiles rays pass"),
};
const fs_plan_section fs_overlay_visits =
    FS_PAGE_SECTION("chip", "chip-visits", "Rays on the chip", "tiles.csv", NULL, NULL, visit_panels);

/* ---- levels ---- */

static const fs_plan_column level_columns[] = {
    FS_PAGE_COLUMN("level", "level", .form = "level",
                   .hint = "0: tracers; then routers from the leaves up; the generator on top"),
    FS_PAGE_COLUMN("tiles", "tiles", .form = "whole"),
    FS_PAGE_COLUMN("rays_per_iteration", "rays an iteration", .form = "bar",
                   .hint = "visits at this level, mean over the iterations of the part"),
    FS_PAGE_COLUMN("rays_max", "most in one", .form = "whole", .hint = "visits in the busiest iteration"),
    FS_PAGE_COLUMN("slots", "slots", .form = "whole", .hint = "rays that the in lanes of the level hold"),
    FS_PAGE_COLUMN("utilisation", "utilisation", .form = "share", .hint = "rays an iteration over slots"),
    FS_PAGE_COLUMN("compute_slowest", "slowest tile", .unit = "Mcycles", .form = "bar", .scale = 1e-6,
                   .hint = "cycles of the level's slowest tile, summed over iterations: the critical path"),
    FS_PAGE_COLUMN("paced_share", "share of pace", .form = "share",
                   .hint = "iterations in which one of its tiles was the slowest of all"),
    FS_PAGE_COLUMN("imbalance", "imbalance", .unit = "max/mean", .form = "bar",
                   .hint = "compute of the busiest tile over the average one of the level"),
    FS_PAGE_COLUMN("gini", "Gini", .form = "part",
                   .hint = "0: all tiles compute the same; 1: one does it all"),
    FS_PAGE_COLUMN("spilled", "spilled", .unit = "rays", .form = "whole",
                   .hint = "rays that its tiles put in another lane than their own"),
    FS_PAGE_COLUMN("turned_away", "turned away", .unit = "rays", .form = "whole",
                   .hint = "the same rays, at the level whose lane was full"),
    FS_PAGE_COLUMN("misrouted", "misrouted", .unit = "visits", .form = "whole",
                   .hint = "visits at this level of rays just spilled"),
};
const fs_plan_section fs_overlay_levels = FS_PAGE_ONE(
    "table", "levels", "Levels", "levels.csv", NULL, "imbalance", level_columns, .form = "parts down",
    .title = "{@paced_share.role} of level {@paced_share.level} set the pace in {@paced_share.most|%} of the "
             "iterations; the lanes into {@utilisation.role} of level {@utilisation.level} are the fullest: "
             "{@utilisation.most|%} of their slots on average.",
    .compared = "Over the whole run; bars of a column share one scale.");

/* ---- lanes ---- */

static const fs_plan_column lane_columns[] = {
    FS_PAGE_COLUMN("src", "from", .form = "place"),
    FS_PAGE_COLUMN("dst", "to", .form = "place"),
    FS_PAGE_COLUMN("capacity", "capacity", .unit = "rays", .form = "whole"),
    FS_PAGE_COLUMN("all_peak", "peak", .of = "capacity", .unit = "of capacity", .form = "share",
                   .colour = "exchange", .hint = "most rays in one iteration"),
    FS_PAGE_COLUMN("all_rays", "carried", .unit = "rays", .form = "whole"),
    FS_PAGE_COLUMN("all_used all_stalled all_idle", "used stalled idle", .form = "stack",
                   .colour = "exchange bad idle",
                   .hint = "iterations with rays; with rays turned away because it was full; with none"),
    FS_PAGE_COLUMN("all_stalled", "stalled", .unit = "iterations", .form = "whole"),
    FS_PAGE_COLUMN("all_full", "full", .unit = "iterations", .form = "whole"),
    FS_PAGE_COLUMN("all_turned_away", "turned away", .unit = "rays", .form = "whole"),
};
static const fs_plan_panel lane_panels[] = {
    FS_PAGE_PANEL("stalled", lane_columns, .key = "all_stalled",
                  .title = "The lanes that stalled longest: where a wider lane would help first.",
                  .otherwise = "No lane turned a ray away: buffers do not limit this run."),
    FS_PAGE_PANEL("fullest", lane_columns, .key = "all_peak", .over = "capacity",
                  .title = "The fullest lanes: the peak over the capacity."),
};
const fs_plan_section fs_overlay_lanes = FS_PAGE_SECTION(
    "most", "lanes", "Lanes", "lanes.csv",
    "Of {@rows} lanes {@all_stalled.some} turned rays away at least once, {@all_rays.none} carried none.",
    "waiting", lane_panels);
