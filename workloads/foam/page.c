/* What the page of a renderer's run shows. */
#include "models/ipu/tables/frames.h"
#include "models/ipu/tables/joined.h"
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "models/overlay/overlay_figures.h"
#include "workloads/foam/foam.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"},
                                           {"overlay", "overlay.kind"},
                                           {"scene", "scene.name"},
                                           {"execution", "run.execution"}};

static const fs_plan_card cards[] = {
    FS_MACHINE_TIME_CARD,
    FS_PAGE_CARD("frame latency", "{device.frame_latency_seconds}",
                 .more = "a frame every {device.frame_period_seconds}",
                 .otherwise = "one frame simulated, so no frame period"),
    FS_FRAMES_CARD,
    FS_MACHINE_ITERATIONS_CARD,
    FS_PAGE_CARD("rays", "{rays.finished}", .more = "{rays.dropped} dropped, {rays.spilled} spilled"),
    FS_PAGE_CARD("visits of a ray", "{hops.tracer_mean|.1} + {hops.router_mean|.1}",
                 .more = "tracers + routers, mean"),
    FS_PAGE_CARD("image", "exact", .more = "not one bit differs", .when = "image.exact"),
    FS_PAGE_CARD("image", "{image.psnr_db|.1} dB", .more = "PSNR; SSIM {image.ssim|.4}"),
    FS_PAGE_CARD("colours by direction", "{memory.harmonics_bytes} a shard",
                 .more =
                     "room for {memory.cells_fit} cells cut like these; {image.harmonics_psnr_db|.1} dB from "
                     "the picture with one colour a cell",
                 .when = "memory.harmonics_bytes"),
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
    FS_PAGE_COLUMN("device.seconds", "device time", .unit = "ms", .scale = 1e3, .form = "short"),
    FS_PAGE_COLUMN("device.iterations", "iterations", .form = "whole"),
    FS_PAGE_COLUMN("device.cycles_per_iteration", "an iteration", .unit = "cycles", .form = "whole"),
    FS_PAGE_COLUMN("pace.tracer", "pace: tracers", .unit = "%", .scale = 100, .form = "short"),
    FS_PAGE_COLUMN("pace.router", "pace: routers", .unit = "%", .scale = 100, .form = "short"),
    FS_PAGE_COLUMN("pace.hottest_share", "hottest tile's pace", .unit = "%", .scale = 100, .form = "short"),
    FS_PAGE_COLUMN("hops.tracer_mean", "tracer visits", .unit = "a ray", .form = "short"),
    FS_PAGE_COLUMN("hops.router_mean", "router visits", .unit = "a ray", .form = "short"),
    FS_PAGE_COLUMN("hops.waiting_mean", "waited", .unit = "iterations", .form = "short"),
    FS_PAGE_COLUMN("rays.spilled", "spilled", .unit = "rays", .form = "whole"),
    FS_PAGE_COLUMN("image.psnr_db", "PSNR", .unit = "dB", .form = "short"),
    FS_PAGE_COLUMN("coverage", "coverage", .unit = "%", .scale = 100, .form = "short"),
};

static const fs_plan_column summed[] = {
    {.column = "generated", .label = "rays made"},
    {.column = "finished", .label = "rays home"},
    FS_PAGE_COLUMN("in_flight", "rays in flight", .form = "mean"),
    {.column = "spilled", .label = "rays spilled"},
};
static const fs_plan_panel summary_panels[] = {
    {.name = "parts", FS_PAGE_LIST(columns, column_count, summed)}};
static const fs_plan_section summary =
    FS_PAGE_SECTION("summary", "summary", "Summary", NULL, NULL, "time", summary_panels);

/* ---- images ---- */

static const fs_plan_panel image_panels[] = {
    FS_PAGE_PICTURE("image", "Image", "image.png",
                    .caption = "As the device wrote it: {image.psnr_db|.1} dB PSNR, SSIM {image.ssim|.4} "
                               "against the full-precision render in one piece. Coverage {coverage|%2}.",
                    .otherwise =
                        "As the device wrote it: the same bits as the full-precision render in one piece.",
                    .compared = "PSNR {image.psnr_db|.1} dB, SSIM {image.ssim|.4}"),
    FS_PAGE_PICTURE("depth", "Depth", "depth.png",
                    .caption = "Where half of a ray's light is stopped; bright is near, black never. Source: "
                               "{image.depth_source}.",
                    .otherwise = "Where half of a ray's light is stopped; bright is near, black never."),
};
static const fs_plan_section images =
    FS_PAGE_SECTION("images", "images", "Images", NULL, NULL, NULL, image_panels);

/* ---- iterations ---- */

static const fs_plan_column slowest[] = {
    FS_OVERLAY_SLOWEST_TRACER,
    FS_OVERLAY_SLOWEST_ROUTER,
    FS_PAGE_COLUMN("compute_generator", "slowest generator", .unit = "cycles", .colour = "role-2"),
    FS_PAGE_COLUMN("compute_camera", "camera's shard", .unit = "cycles", .colour = "ink"),
};
static const fs_plan_column held[] = {
    FS_PAGE_COLUMN("rays_tracers", "on tracers", .unit = "rays", .colour = "role-0"),
    FS_PAGE_COLUMN("rays_level_*", "on routers, level *", .unit = "rays", .colour = "role-1"),
    FS_PAGE_COLUMN("rays_generator", "on the generator", .unit = "rays", .colour = "role-2"),
    FS_PAGE_COLUMN("backlog", "backlog ring", .unit = "rays", .colour = "ink", .form = "line"),
    FS_PAGE_COLUMN("in_flight", "in flight", .unit = "rays", .form = "told"),
    FS_PAGE_COLUMN("spilled", "spilled", .unit = "rays", .form = "told"),
};
static const fs_plan_panel series_panels[] = {
    FS_MACHINE_PHASES_PANEL,
    FS_PAGE_PANEL("slowest", slowest, .label = "slowest tile, {@scale}cycles"),
    FS_PAGE_PANEL("rays", held, .label = "{@scale}rays in buffers", .form = "stacked"),
};
static const fs_plan_section series = {.kind = "series",
                                       .id = "iterations",
                                       .title = "Iterations",
                                       .file = "iterations.csv",
                                       .note = "The machine runs decoupled, without a barrier: what this "
                                               "page calls an iteration is a slice of equal length.",
                                       .note_when = "machine.execution=decoupled",
                                       .findings = "pace",
                                       FS_PAGE_LIST(panels, panel_count, series_panels)};

/* ---- tiles ---- */

static const fs_plan_column occupancy[] = {FS_PAGE_COLUMN("i0", "held", .unit = "rays")};
static const fs_plan_column compute[] = {FS_PAGE_COLUMN("i0", "compute", .unit = "cycles")};
static const fs_plan_panel tile_panels[] = {
    FS_PAGE_PANEL("occupancy", occupancy, .label = "Rays held", .file = "occupancy.csv",
                  .title =
                      "Where rays queue: at most {@most} on one tile (tile {@tile|.0}, iteration {@when|.0})",
                  .caption = "Rays held by each tile in each iteration, logarithmic. Grey: none.",
                  .compared = "Where rays queue, level by level"),
    FS_PAGE_PANEL(
        "compute", compute, .label = "Compute cycles", .file = "cycles.csv", .form = "decades",
        .title =
            "Where the work is: at most {@most} cycles on one tile (tile {@tile|.0}, iteration {@when|.0})",
        .caption =
            "Compute cycles of each tile, each iteration, logarithmic over three decades. Grey: no work."),
};
static const fs_plan_section tiles =
    FS_PAGE_SECTION("matrix", "tiles", "Tiles", NULL, NULL, "drain", tile_panels);

/* ---- pixels ---- */

static const fs_plan_column visit_maps[] = {
    FS_PAGE_COLUMN("tracer_visits", "tracer visits", .unit = "visits"),
    FS_PAGE_COLUMN("router_visits", "router visits", .unit = "visits"),
};
static const fs_plan_column time_maps[] = {
    FS_PAGE_COLUMN("alive", "alive", .unit = "iterations"),
    FS_PAGE_COLUMN("waiting", "waiting", .unit = "iterations"),
    FS_PAGE_COLUMN("misrouted", "misrouted", .unit = "visits", .form = "told"),
};
static const fs_plan_panel pixel_panels[] = {
    FS_PAGE_PANEL("visits", visit_maps,
                  .title = "Where rays travel far: {@tracer_visits.mean|.1} tracer and "
                           "{@router_visits.mean|.1} router visits each",
                  .caption = "Visits before a ray ends, the injection included. Bright: the path crosses "
                             "many shards. Colours stop at the 99.5th percentile.{@unwritten}",
                  .compared = "How far rays travel"),
    FS_PAGE_PANEL(
        "waiting", time_maps, .title = "Who pays for congestion: {@waiting.some|%} of the rays waited",
        .otherwise = "No ray ever waited: each took the shortest way in iterations", .key = "waiting",
        .caption = "Iterations from a ray's birth to its pixel, and those beyond the shortest way. Colours "
                   "stop at the 99.5th percentile.{@unwritten}",
        .compared = "How long rays take, and where they wait"),
};
static const fs_plan_section pixels =
    FS_PAGE_SECTION("pixels", "pixels", "Pixels", "hops.csv",
                    "What the ray of each pixel of the first frame went through. Hovering shows all its "
                    "figures at once, in any of the maps.",
                    NULL, pixel_panels);

static const fs_plan_column spreads[] = {
    FS_PAGE_COLUMN("tracer_visits", "tracer visits", .unit = "visits", .colour = "role-0"),
    FS_PAGE_COLUMN("router_visits", "router visits", .unit = "visits", .colour = "role-1"),
    FS_PAGE_COLUMN("alive", "iterations alive", .unit = "iterations", .colour = "compute", .by = "waiting",
                   .hint = "without waiting"),
    FS_PAGE_COLUMN("waiting", "iterations waited", .unit = "iterations", .colour = "sync"),
};
static const fs_plan_panel spread_panels[] = {
    FS_PAGE_PANEL("histograms", spreads, .label = "pixels", .form = "log",
                  .title = "How uneven the rays are: half live at most {@alive.median} iterations, one in a "
                           "thousand more than {@alive.late}",
                  .caption = "Pixels of the first frame by what their ray went through; {@counted} written. "
                             "Waiting: {@waiting.mean|2} iterations of the mean life of {@alive.mean|3}.",
                  .compared = "The tails"),
};
static const fs_plan_section distributions =
    FS_PAGE_SECTION("counts", "distributions", "Distributions", "hops.csv", NULL, NULL, spread_panels);

/* ---- lanes ---- */

static const fs_plan_column fill_columns[] = {
    FS_PAGE_COLUMN("lane_fill_tracer", "lanes into tracers: rays held, % of the capacity",
                   .colour = "role-0"),
    FS_PAGE_COLUMN("lane_fill_router", "lanes into routers: rays held, % of the capacity",
                   .colour = "role-1"),
};
static const fs_plan_section fills = FS_PAGE_ONE(
    "distribution", "fills", "How full lanes are", "distributions.csv", NULL, NULL, fill_columns,
    .label = "lanes x iterations",
    .title = "How full lanes are: into tracers {@lane_fill_tracer.mean|.1} % on average, at most "
             "{@lane_fill_tracer.most} %",
    .caption =
        "Each lane in each iteration by the share of its capacity that it held, logarithmic counts; "
        "{@lane_fill_tracer.none|%1} of the cases of tracers are empty, {@lane_fill_tracer.full|%2} full.");

static const fs_plan_clause verdict[] = {
    {.text = "{device.seconds} a frame ({device.frames_per_second|3} frames/s, "
             "{device.rays_per_second|si}rays/s)"},
    {"{rays.dropped} rays were lost", "rays.dropped", 1},
    {"one tile sets the pace in {pace.hottest_share|%0} of the iterations", "pace.hottest_share", 0.25},
    {"routers set the pace in {pace.router|%0} of the iterations", "pace.router", 0.5},
};
static const fs_plan_rung rungs[] = {
    FS_PAGE_RUNG("free_routers", "free routers", NULL, "routers of silicon"),
    FS_MACHINE_EXCHANGE_RUNGS,
    {.name = "free_sync",
     .said = "free barriers",
     .near = "machine.exchange.mode=dynamic machine.execution=decoupled",
     .build = "a barrier that costs no cycles",
     .when = "machine.chips=1 machine.exchange.kind=ports|noc machine.exchange.noc.detail=flits "
             "run.path.in_flight=0"},
    FS_MACHINE_SYNC_RUNG,
    FS_MACHINE_HOST_RUNG(NULL),
    FS_PAGE_RUNG("infinite_buffers", "unbounded buffers", NULL, "more SRAM for lanes"),
    FS_PAGE_RUNG("balanced_tracers", "tracing spread evenly over all tracers",
                 "workload.partition.kind=metis workload.partition.metis.balance=work",
                 "tracers that take rays from each other"),
    FS_PAGE_RUNG("replicated", "more tracers for the hottest shards", NULL, "spare tiles for tracers"),
    FS_PAGE_RUNG("following", "more tracers that follow the camera", NULL,
                 "spare tiles that take the shards of the next frame"),
};

static const fs_plan_section *const sections[] = {
    &fs_page_findings,
    &summary,
    &images,
    &fs_frames_section,
    &fs_frames_intervals,
    &series,
    &tiles,
    FS_MACHINE_CHIP_SECTIONS,
    &fs_joined_section,
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

const fs_page_plan fs_foam_page = {.workload = "foam",
                                   .subject = "the frame",
                                   .warning = "The frame is not complete: coverage {coverage|%4}.",
                                   .questions = questions,
                                   .thumbnail = "image.png",
                                   FS_PAGE_LIST(parts, part_count, parts),
                                   FS_OVERLAY_PLAN,
                                   FS_PAGE_LIST(views, view_count, views),
                                   FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
