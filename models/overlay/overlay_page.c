/* What a page shows of any overlay: constant data. */
#include "models/overlay/overlay_page.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

static const fs_plan_column visits[] = {{.column = "visits", .label = "rays handled", .unit = "rays"}};
static const fs_plan_panel visit_panels[] = {
    {.name = "chip-rays",
     .label = "Rays",
     .form = "log",
     .title = "Which tiles rays pass: most {@tile}, {@most|whole}",
     .caption = "Rays that each tile handled over the run, logarithmic. Means: {@means}.",
     .compared = "Which tiles rays pass",
     .columns = visits,
     .column_count = COUNT(visits)}};
const fs_plan_section fs_overlay_visits = {.kind = "chip",
                                           .id = "chip-visits",
                                           .title = "Rays on the chip",
                                           .file = "tiles.csv",
                                           .panels = visit_panels,
                                           .panel_count = COUNT(visit_panels)};

/* ---- levels ---- */

static const fs_plan_column level_columns[] = {
    {.column = "level",
     .label = "level",
     .form = "level",
     .hint = "0: tracers; then routers from the leaves up; the generator on top"},
    {.column = "tiles", .label = "tiles", .form = "whole"},
    {.column = "rays_per_iteration",
     .label = "rays an iteration",
     .form = "bar",
     .hint = "visits at this level, mean over the iterations of the part"},
    {.column = "rays_max",
     .label = "most in one",
     .form = "whole",
     .hint = "visits in the busiest iteration"},
    {.column = "slots",
     .label = "slots",
     .form = "whole",
     .hint = "rays that the in lanes of the level hold"},
    {.column = "utilisation",
     .label = "utilisation",
     .form = "share",
     .hint = "rays an iteration over slots"},
    {.column = "compute_slowest",
     .label = "slowest tile",
     .unit = "Mcycles",
     .form = "bar",
     .scale = 1e-6,
     .hint = "cycles of the level's slowest tile, summed over iterations: the critical path"},
    {.column = "paced_share",
     .label = "share of pace",
     .form = "share",
     .hint = "iterations in which one of its tiles was the slowest of all"},
    {.column = "imbalance",
     .label = "imbalance",
     .unit = "max/mean",
     .form = "bar",
     .hint = "compute of the busiest tile over the mean of the level"},
    {.column = "gini",
     .label = "Gini",
     .form = "part",
     .hint = "0: all tiles compute the same; 1: one does it all"},
    {.column = "spilled",
     .label = "spilled",
     .unit = "rays",
     .form = "whole",
     .hint = "rays that its tiles put in another lane than their own"},
    {.column = "turned_away",
     .label = "turned away",
     .unit = "rays",
     .form = "whole",
     .hint = "the same rays, at the level whose lane was full"},
    {.column = "misrouted",
     .label = "misrouted",
     .unit = "visits",
     .form = "whole",
     .hint = "visits at this level of rays just spilled"},
};
static const fs_plan_panel level_panels[] = {
    {.name = "levels",
     .form = "parts down",
     .title =
         "{@paced_share.role} of level {@paced_share.level} set the pace in {@paced_share.most|%} of the "
         "iterations; the lanes into {@utilisation.role} of level {@utilisation.level} are the fullest: "
         "{@utilisation.most|%} of their slots on average.",
     .compared = "Over the whole run; bars of a column share one scale.",
     .columns = level_columns,
     .column_count = COUNT(level_columns)}};
const fs_plan_section fs_overlay_levels = {.kind = "table",
                                           .id = "levels",
                                           .title = "Levels",
                                           .file = "levels.csv",
                                           .findings = "imbalance",
                                           .panels = level_panels,
                                           .panel_count = COUNT(level_panels)};

/* ---- lanes ---- */

static const fs_plan_column lane_columns[] = {
    {.column = "src", .label = "from", .form = "place"},
    {.column = "dst", .label = "to", .form = "place"},
    {.column = "capacity", .label = "capacity", .unit = "rays", .form = "whole"},
    {.column = "all_peak",
     .of = "capacity",
     .label = "peak",
     .unit = "of capacity",
     .form = "share",
     .colour = "exchange",
     .hint = "most rays in one iteration"},
    {.column = "all_rays", .label = "carried", .unit = "rays", .form = "whole"},
    {.column = "all_used all_stalled all_idle",
     .label = "used stalled idle",
     .form = "stack",
     .colour = "exchange bad idle",
     .hint = "iterations with rays; with rays turned away because it was full; with none"},
    {.column = "all_stalled", .label = "stalled", .unit = "iterations", .form = "whole"},
    {.column = "all_full", .label = "full", .unit = "iterations", .form = "whole"},
    {.column = "all_turned_away", .label = "turned away", .unit = "rays", .form = "whole"},
};
static const fs_plan_panel lane_panels[] = {
    {.name = "stalled",
     .key = "all_stalled",
     .title = "The lanes that stalled longest: where a wider lane would help first.",
     .otherwise = "No lane ever turned a ray away: buffers are not what limits this run.",
     .columns = lane_columns,
     .column_count = COUNT(lane_columns)},
    {.name = "fullest",
     .key = "all_peak",
     .over = "capacity",
     .title = "The fullest lanes: the peak over the capacity.",
     .columns = lane_columns,
     .column_count = COUNT(lane_columns)},
};
const fs_plan_section fs_overlay_lanes = {
    .kind = "most",
    .id = "lanes",
    .title = "Lanes",
    .file = "lanes.csv",
    .words =
        "Of {@rows} lanes {@all_stalled.some} turned rays away at least once, {@all_rays.none} carried none.",
    .findings = "waiting",
    .panels = lane_panels,
    .panel_count = COUNT(lane_panels)};
