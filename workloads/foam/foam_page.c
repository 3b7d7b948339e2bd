/* What the page of a renderer's run shows. */
#include "models/ipu/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "models/overlay/overlay_page.h"
#include "workloads/foam/foam.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {{"machine", "machine.name"},
                                           {"overlay", "overlay.kind"},
                                           {"scene", "scene.name"},
                                           {"execution", "run.execution"}};

static const fs_plan_card cards[] = {
    FS_MACHINE_TIME_CARD,
    {.label = "frame latency",
     .value = "{device.frame_latency_seconds}",
     .more = "a frame every {device.frame_period_seconds}",
     .otherwise = "one frame, no period"},
    FS_MACHINE_ITERATIONS_CARD,
    {.label = "rays", .value = "{rays.finished}", .more = "{rays.dropped} dropped, {rays.spilled} spilled"},
    {.label = "visits of a ray",
     .value = "{hops.tracer_mean|.1} + {hops.router_mean|.1}",
     .more = "tracers + routers, mean"},
    {.label = "image", .value = "exact", .more = "not one bit differs", .when = "image.exact"},
    {.label = "image", .value = "{image.psnr_db|.1} dB", .more = "PSNR; SSIM {image.ssim|.4}"},
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_part parts[] = {
    {"injection", "injection", "before the first ray of the run reached its pixel: the pipeline fills",
     "parts.injection_iterations", "first ray home", "parts.injection_cycles", "filling the pipeline"},
    {"steady", "steady", "from then until the generator made its last ray", "parts.steady_iterations",
     "last rays injected", "parts.steady_cycles", "the steady part"},
    {"drain", "drain", "after the last ray was made", "parts.drain_iterations", NULL, "parts.drain_cycles",
     "the drain"},
};

/* Settings that ask for another picture, not for another machine. */
static const char *const questions[] = {"scene.",     "workload.camera.", "workload.batching.", "views.",
                                        "run.frames", "run.stream",       "run.coverage",       NULL};

static const fs_plan_column views[] = {
    {.column = "device.seconds", .label = "device time", .unit = "ms", .scale = 1e3, .form = "short"},
    {.column = "device.iterations", .label = "iterations", .form = "whole"},
    {.column = "device.cycles_per_iteration", .label = "an iteration", .unit = "cycles", .form = "whole"},
    {.column = "pace.tracer", .label = "pace: tracers", .unit = "%", .scale = 100, .form = "short"},
    {.column = "pace.router", .label = "pace: routers", .unit = "%", .scale = 100, .form = "short"},
    {.column = "pace.hottest_share",
     .label = "hottest tile's pace",
     .unit = "%",
     .scale = 100,
     .form = "short"},
    {.column = "hops.tracer_mean", .label = "tracer visits", .unit = "a ray", .form = "short"},
    {.column = "hops.router_mean", .label = "router visits", .unit = "a ray", .form = "short"},
    {.column = "hops.waiting_mean", .label = "waited", .unit = "iterations", .form = "short"},
    {.column = "rays.spilled", .label = "spilled", .unit = "rays", .form = "whole"},
    {.column = "image.psnr_db", .label = "PSNR", .unit = "dB", .form = "short"},
    {.column = "coverage", .label = "coverage", .unit = "%", .scale = 100, .form = "short"},
};

static const fs_plan_column summed[] = {{.column = "generated", .label = "rays made"},
                                        {.column = "finished", .label = "rays home"},
                                        {.column = "in_flight", .label = "rays in flight", .form = "mean"},
                                        {.column = "spilled", .label = "rays spilled"}};
static const fs_plan_panel summary_panels[] = {
    {.name = "parts", .columns = summed, .column_count = COUNT(summed)}};
static const fs_plan_section summary = {.kind = "summary",
                                        .id = "summary",
                                        .title = "Summary",
                                        .findings = "time",
                                        .panels = summary_panels,
                                        .panel_count = COUNT(summary_panels)};

/* ---- images ---- */

static const fs_plan_panel image_panels[] = {
    {.name = "image",
     .label = "Image",
     .file = "image.png",
     .caption = "As the device wrote it: {image.psnr_db|.1} dB PSNR, SSIM {image.ssim|.4} against the "
                "full-precision render in one piece. Coverage {coverage|%2}.",
     .otherwise = "As the device wrote it: the same bits as the full-precision render in one piece.",
     .compared = "PSNR {image.psnr_db|.1} dB, SSIM {image.ssim|.4}"},
    {.name = "depth",
     .label = "Depth",
     .file = "depth.png",
     .caption = "Where half of a ray's light is stopped; bright is near, black never. Source: "
                "{image.depth_source}.",
     .otherwise = "Where half of a ray's light is stopped; bright is near, black never."}};
static const fs_plan_section images = {.kind = "images",
                                       .id = "images",
                                       .title = "Images",
                                       .panels = image_panels,
                                       .panel_count = COUNT(image_panels)};

/* ---- iterations ---- */

static const fs_plan_column slowest[] = {
    FS_OVERLAY_SLOWEST_TRACER,
    FS_OVERLAY_SLOWEST_ROUTER,
    {.column = "compute_generator", .label = "slowest generator", .unit = "cycles", .colour = "role-2"},
    {.column = "compute_camera", .label = "camera's shard", .unit = "cycles", .colour = "ink"},
};
static const fs_plan_column held[] = {
    {.column = "rays_tracers", .label = "on tracers", .unit = "rays", .colour = "role-0"},
    {.column = "rays_level_*", .label = "on routers, level *", .unit = "rays", .colour = "role-1"},
    {.column = "rays_generator", .label = "on the generator", .unit = "rays", .colour = "role-2"},
    {.column = "backlog", .label = "backlog ring", .unit = "rays", .colour = "ink", .form = "line"},
    {.column = "in_flight", .label = "in flight", .unit = "rays", .form = "told"},
    {.column = "spilled", .label = "spilled", .unit = "rays", .form = "told"},
};
static const fs_plan_panel series_panels[] = {FS_MACHINE_PHASES_PANEL("the frame waits"),
                                              {.name = "slowest",
                                               .label = "slowest tile, {@scale}cycles",
                                               .columns = slowest,
                                               .column_count = COUNT(slowest)},
                                              {.name = "rays",
                                               .label = "{@scale}rays in buffers",
                                               .form = "stacked",
                                               .columns = held,
                                               .column_count = COUNT(held)}};
static const fs_plan_section series = {
    .kind = "series",
    .id = "iterations",
    .title = "Iterations",
    .file = "iterations.csv",
    .note = "The machine runs decoupled, without a barrier: what this page calls an iteration is a slice of "
            "equal length.",
    .note_when = "machine.execution=decoupled",
    .findings = "pace",
    .panels = series_panels,
    .panel_count = COUNT(series_panels)};

/* ---- tiles ---- */

static const fs_plan_column occupancy[] = {{.column = "i0", .label = "held", .unit = "rays"}};
static const fs_plan_column compute[] = {{.column = "i0", .label = "compute", .unit = "cycles"}};
static const fs_plan_panel tile_panels[] = {
    {.name = "occupancy",
     .label = "Rays held",
     .file = "occupancy.csv",
     .title = "Where rays queue: at most {@most} on one tile (tile {@tile|.0}, iteration {@when|.0})",
     .caption = "Rays held by each tile in each iteration, logarithmic. Grey: none.",
     .compared = "Where rays queue, level by level",
     .columns = occupancy,
     .column_count = COUNT(occupancy)},
    {.name = "compute",
     .label = "Compute cycles",
     .file = "cycles.csv",
     .form = "decades",
     .title = "Where the work is: at most {@most} cycles on one tile (tile {@tile|.0}, iteration {@when|.0})",
     .caption = "Compute cycles of each tile, each iteration, logarithmic over three decades. Grey: no work.",
     .columns = compute,
     .column_count = COUNT(compute)}};
static const fs_plan_section tiles = {.kind = "matrix",
                                      .id = "tiles",
                                      .title = "Tiles",
                                      .findings = "drain",
                                      .panels = tile_panels,
                                      .panel_count = COUNT(tile_panels)};

/* ---- pixels ---- */

static const fs_plan_column visit_maps[] = {
    {.column = "tracer_visits", .label = "tracer visits", .unit = "visits"},
    {.column = "router_visits", .label = "router visits", .unit = "visits"}};
static const fs_plan_column time_maps[] = {
    {.column = "alive", .label = "alive", .unit = "iterations"},
    {.column = "waiting", .label = "waiting", .unit = "iterations"},
    {.column = "misrouted", .label = "misrouted", .unit = "visits", .form = "told"}};
static const fs_plan_panel pixel_panels[] = {
    {.name = "visits",
     .title = "Where rays travel far: {@tracer_visits.mean|.1} tracer and {@router_visits.mean|.1} router "
              "visits each",
     .caption = "Visits before a ray ends, the injection included. Bright: the path crosses many shards. "
                "Colours stop at the 99.5th percentile.{@unwritten}",
     .compared = "How far rays travel",
     .columns = visit_maps,
     .column_count = COUNT(visit_maps)},
    {.name = "waiting",
     .title = "Who pays for congestion: {@waiting.some|%} of the rays waited",
     .otherwise = "No ray ever waited: each took the shortest way in iterations",
     .key = "waiting",
     .caption = "Iterations from a ray's birth to its pixel, and those beyond the shortest way. Colours stop "
                "at the 99.5th percentile.{@unwritten}",
     .compared = "How long rays take, and where they wait",
     .columns = time_maps,
     .column_count = COUNT(time_maps)}};
static const fs_plan_section pixels = {
    .kind = "pixels",
    .id = "pixels",
    .title = "Pixels",
    .file = "hops.csv",
    .words = "What the ray of each pixel of the first frame went through. Hovering shows all its figures at "
             "once, in any of the maps.",
    .panels = pixel_panels,
    .panel_count = COUNT(pixel_panels)};

static const fs_plan_column spreads[] = {
    {.column = "tracer_visits", .label = "tracer visits", .unit = "visits", .colour = "role-0"},
    {.column = "router_visits", .label = "router visits", .unit = "visits", .colour = "role-1"},
    {.column = "alive",
     .label = "iterations alive",
     .unit = "iterations",
     .colour = "compute",
     .by = "waiting",
     .hint = "without waiting"},
    {.column = "waiting", .label = "iterations waited", .unit = "iterations", .colour = "sync"}};
static const fs_plan_panel spread_panels[] = {
    {.name = "histograms",
     .label = "pixels",
     .form = "log",
     .title = "How uneven the rays are: half live at most {@alive.median} iterations, one in a thousand more "
              "than {@alive.late}",
     .caption = "Pixels of the first frame by what their ray went through; {@counted} written. Waiting: "
                "{@waiting.mean|2} iterations of the mean life of {@alive.mean|3}.",
     .compared = "The tails",
     .columns = spreads,
     .column_count = COUNT(spreads)}};
static const fs_plan_section distributions = {.kind = "counts",
                                              .id = "distributions",
                                              .title = "Distributions",
                                              .file = "hops.csv",
                                              .panels = spread_panels,
                                              .panel_count = COUNT(spread_panels)};

/* ---- lanes ---- */

static const fs_plan_column fill_columns[] = {{.column = "lane_fill_tracer",
                                               .label = "lanes into tracers: rays held, % of the capacity",
                                               .colour = "role-0"},
                                              {.column = "lane_fill_router",
                                               .label = "lanes into routers: rays held, % of the capacity",
                                               .colour = "role-1"}};
static const fs_plan_panel fill_panels[] = {
    {.name = "fills",
     .label = "lanes x iterations",
     .title = "How full lanes are: into tracers {@lane_fill_tracer.mean|.1} % on average, at most "
              "{@lane_fill_tracer.most} %",
     .caption =
         "Each lane in each iteration by the share of its capacity that it held, logarithmic counts; "
         "{@lane_fill_tracer.none|%1} of the cases of tracers are empty, {@lane_fill_tracer.full|%2} full.",
     .columns = fill_columns,
     .column_count = COUNT(fill_columns)}};
static const fs_plan_section fills = {.kind = "distribution",
                                      .id = "fills",
                                      .title = "How full lanes are",
                                      .file = "distributions.csv",
                                      .panels = fill_panels,
                                      .panel_count = COUNT(fill_panels)};

static const fs_plan_clause verdict[] = {
    {.text = "{device.seconds} a frame ({device.frames_per_second|3} frames/s, "
             "{device.rays_per_second|si}rays/s)"},
    {"{rays.dropped} rays were lost", "rays.dropped", 1},
    {"one tile sets the pace in {pace.hottest_share|%0} of the iterations", "pace.hottest_share", 0.25},
    {"routers set the pace in {pace.router|%0} of the iterations", "pace.router", 0.5},
};
static const fs_plan_rung rungs[] = {
    {"free_routers", "routers of no cycles"},
    {"free_exchange", "an exchange of no cycles"},
    {"free_sync", "barriers of no cycles"},
    {"free_host", "host visits of no cycles"},
    {"infinite_buffers", "buffers without end"},
    {"balanced_tracers", "tracing spread evenly over all tracers"},
    {"replicated", "more tracers for the hottest shards"},
};

static const fs_plan_section *const sections[] = {
    &fs_page_findings,
    &summary,
    &images,
    &series,
    &tiles,
    FS_MACHINE_CHIP_SECTIONS,
    &fs_overlay_visits,
    &pixels,
    &distributions,
    &fs_overlay_levels,
    &fs_overlay_lanes,
    &fills,
    &fs_page_ladder,
    &fs_page_memory,
    &fs_page_settings,
    &fs_page_files,
};

const fs_page_plan fs_foam_page = {
    .workload = "foam",
    .subject = "the frame",
    .warning = "The frame is not complete: coverage {coverage|%4}.",
    .questions = questions,
    .thumbnail = "image.png",
    .settings = settings,
    .setting_count = COUNT(settings),
    .cards = cards,
    .card_count = COUNT(cards),
    .parts = parts,
    .part_count = COUNT(parts),
    FS_OVERLAY_PLAN,
    .verdict = verdict,
    .verdict_count = COUNT(verdict),
    .rungs = rungs,
    .rung_count = COUNT(rungs),
    .views = views,
    .view_count = COUNT(views),
    .sections = sections,
    .section_count = COUNT(sections),
};
