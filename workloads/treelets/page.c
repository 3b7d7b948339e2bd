/* What the page of a run of treelets shows: what came out, the picture and its cost, who does the work, where rays wait. */
#include "models/ipu/tables/joined.h"
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/treelets/treelets.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"},
                                           {"cut", "workload.cut"},
                                           {"bytes of a treelet", "workload.treelet.bytes"},
                                           {"copies", "workload.copies"},
                                           {"order", "workload.order"}};
static const char *const questions[] = {"scene.",           "workload.width", "workload.height",
                                        "workload.samples", "workload.light", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("rate, steady", "{device.paths_per_second|si}paths/s",
                 .more = "{device.paths_per_second_frame|si}paths/s over all steps; were all workers busy "
                         "{device.paths_per_second_ideal|si}paths/s"),
    FS_PAGE_CARD("time of the frame", "{device.seconds}",
                 .more = "{paths.count} paths in {device.steps} steps"),
    FS_PAGE_CARD("treelets", "{treelets.count}",
                 .more = "of {scene.triangles} triangles; {treelets.copies|.2} copies of each, at most "
                         "{treelets.copies_most}; {scene.triangles_fit} would fit"),
    FS_PAGE_CARD("visits of a segment", "{paths.visits_per_segment|.2}",
                 .more = "half have at most {paths.visits_median}, 95 % {paths.visits_p95}, 99 % "
                         "{paths.visits_p99}"),
    FS_PAGE_CARD("moves of a path", "{paths.moves_per_path|.2}",
                 .more = "of {paths.payload} each; {use.bytes} in all"),
    FS_PAGE_CARD("busiest tile", "{load.tile_imbalance|.2}",
                 .more = "times the mean; the busiest treelet {load.treelet_imbalance|.1} times"),
    FS_PAGE_CARD("deepest queue", "{queue.deepest} rays",
                 .more =
                     "on tile {queue.deepest_tile|.0}; {queue.refused} times a ray stayed for want of room"),
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_role tile_roles[] = {{"treelets", "tiles of treelets", NULL}};

/* ---- pictures ---- */

static const fs_plan_panel picture_panels[] = {
    FS_PAGE_PICTURE("render", "Picture", "render.png",
                    .caption = "Mean of the samples, with bright light compressed.",
                    .compared = "Mean of the samples"),
    FS_PAGE_PICTURE("treelets", "Treelets", "treelets.png",
                    .caption = "The treelet that holds what a pixel's first ray meets; black: nothing.",
                    .compared = "The treelet that holds what is seen"),
    FS_PAGE_PICTURE("visits", "Visits", "visits.png",
                    .caption = "Treelets that the rays of a pixel visit; white is the most of any pixel.",
                    .compared = "Treelets that the rays of a pixel visit"),
};
static const fs_plan_section pictures = {
    .kind = "images",
    .id = "images",
    .title = "Picture, treelets, visits",
    .words = "Every rate and time on this page is a prediction: nobody has published measurements of a path "
             "tracer whose scene is cut over tiles. What is checked and how: docs/treelets.md.",
    .findings = "prediction order",
    FS_PAGE_LIST(panels, panel_count, picture_panels)};

/* ---- rays ---- */

static const fs_plan_column bounce_columns[] = {
    FS_PAGE_COLUMN("bounce", "bounce", .form = "text"),
    FS_PAGE_COLUMN("segments", "segments", .form = "bar", .unit = "segments"),
    FS_PAGE_COLUMN("per_segment", "visits of a segment", .form = "bar", .unit = "visits"),
    FS_PAGE_COLUMN("none", "without a visit", .form = "whole", .unit = "segments"),
    FS_PAGE_COLUMN("half", "half have at most", .form = "whole", .unit = "visits"),
    FS_PAGE_COLUMN("most_of_95_percent", "95 % at most", .form = "whole", .unit = "visits"),
    FS_PAGE_COLUMN("most_of_99_percent", "99 % at most", .form = "whole", .unit = "visits"),
};
static const fs_plan_section bounces =
    FS_PAGE_ONE("table", "bounces", "Visits by bounce", "bounces.csv",
                "A segment visits the treelets whose boxes it meets, until what it has hit is nearer.", NULL,
                bounce_columns, .title = "Treelets that a segment visits, by its number in the path.",
                .compared = "Treelets that a segment visits, by its number in the path.");

static const fs_plan_column depth_columns[] = {
    FS_PAGE_COLUMN("deepest", "on the fullest tile", .unit = "rays", .colour = "role-0"),
};
static const fs_plan_column wait_columns[] = {
    FS_PAGE_COLUMN("moves", "moves", .unit = "rays", .colour = "exchange"),
    FS_PAGE_COLUMN("waiting", "stay for want of room", .unit = "rays", .colour = "sync"),
    FS_PAGE_COLUMN("ended", "paths that end", .unit = "paths", .colour = "role-2"),
    FS_PAGE_COLUMN("in_flight", "paths in flight", .unit = "paths", .form = "told"),
};
static const fs_plan_panel queue_panels[] = {
    FS_PAGE_PANEL(
        "depth", depth_columns, .label = "{@scale}rays",
        .title = "Where rays wait: at most {queue.deepest} on one tile, tile {queue.deepest_tile|.0}",
        .caption = "Rays on the fullest tile after each step, of which a tile holds at most "
                   "workload.queue.capacity; below it rays that move, rays that ask for a tile and stay, "
                   "paths that end. Paths start while workload.window has room."),
    FS_PAGE_PANEL("moves", wait_columns, .label = "{@scale}rays a step"),
};
static const fs_plan_section queues = FS_PAGE_SECTION("series", "queues", "Where rays wait", "queues.csv",
                                                      NULL, "window capacity moves", queue_panels);

/* ---- load ---- */

static const fs_plan_column unit_columns[] = {
    FS_PAGE_COLUMN("units", "units of work", .unit = "units", .colour = "role-0"),
};
static const fs_plan_column copy_columns[] = {
    FS_PAGE_COLUMN("copies", "copies", .unit = "copies", .colour = "role-1"),
};
static const fs_plan_panel load_panels[] = {
    FS_PAGE_PANEL("units", unit_columns, .label = "{@scale}units", .form = "stacked",
                  .title = "Work by treelet: the busiest has {load.treelet_imbalance|.1} times the mean",
                  .caption =
                      "Units of the visits of each treelet, in the tree's order (a node 1, a leaf 4 more, a "
                      "shading 8), and below them its copies."),
    FS_PAGE_PANEL("copies", copy_columns, .label = "copies", .form = "stacked"),
};
static const fs_plan_section treelets =
    FS_PAGE_SECTION("series", "treelets", "Treelets", "treelets.csv", NULL, "copies", load_panels);

static const fs_plan_column most_columns[] = {
    FS_PAGE_COLUMN("treelet", "treelet", .form = "text"),
    FS_PAGE_COLUMN("units", "work", .form = "bar", .unit = "units"),
    FS_PAGE_COLUMN("visits", "visits", .form = "whole", .unit = "visits"),
    FS_PAGE_COLUMN("copies", "copies", .form = "whole", .unit = "copies"),
    FS_PAGE_COLUMN("bytes", "bytes", .form = "whole", .unit = "B"),
};
static const fs_plan_section busiest =
    FS_PAGE_ONE("most", "busiest", "Treelets with most work a copy", "treelets.csv", NULL, NULL, most_columns,
                .key = "units", .over = "copies",
                .title = "The twelve treelets with most work for each of their copies.");

static const fs_plan_column tile_units[] = {FS_PAGE_COLUMN("units", "work", .unit = "units")};
static const fs_plan_column tile_bytes[] = {
    FS_PAGE_COLUMN("bytes", "treelets", .unit = "KiB", .scale = 1.0 / 1024)};
static const fs_plan_panel tile_panels[] = {
    FS_PAGE_PANEL("chip-units", tile_units, .label = "Work", .form = "auto",
                  .title = "Who does the work: most on {@tile}, {@most} units; least {@least}",
                  .caption = "Units of work that each tile took in the whole run.",
                  .compared = "Work by tile"),
    FS_PAGE_PANEL("chip-treelets", tile_bytes, .label = "Treelets", .form = "linear",
                  .title = "Bytes of treelets: most on {@tile}, {@most}; least {@least}",
                  .caption = "Bytes of the treelets that a tile holds."),
};
static const fs_plan_section loads =
    FS_PAGE_SECTION("chip", "loads", "Load of tiles", "loads.csv", NULL, "room", tile_panels);

/* ---- time ---- */

static const fs_plan_section phases = FS_MACHINE_PHASES_SECTION(
    "Steps on the timeline",
    "An iteration is a superstep: workers go on with rays up to their quantum, tiles meet, rays move.",
    "time quantum");
static const fs_plan_section matrix = FS_MACHINE_TILES_SECTION("step", NULL, "decades");

static const fs_plan_clause verdict[] = {
    {.text =
         "{device.paths_per_second|si}paths/s (steady), {device.paths_per_second_frame|si}paths/s over the "
         "{device.seconds_steps} of its steps; with visits of the host the frame takes {device.seconds}"},
    {"rays move in {device.share_exchange|%0} of the time", "device.share_exchange", 0.25},
    {"the busiest tile does {load.tile_imbalance|.2} times the mean", "load.tile_imbalance", 1.2},
};
static const fs_plan_rung rungs[] = {
    FS_MACHINE_EXCHANGE_RUNGS,
    FS_MACHINE_SYNC_RUNG,
    FS_MACHINE_HOST_RUNG(NULL),
    FS_MACHINE_BALANCED_RUNG("workload.treelet.bytes=112KiB"),
    FS_PAGE_RUNG("busy_workers", "workers that are always busy", "workload.quantum=256 workload.window=48",
                 "workers that take rays from each other, and a quantum in cycles"),
    FS_PAGE_RUNG("steady", "no filling and draining", NULL, "frames that follow each other without a gap"),
};

static const fs_plan_section *const sections[] =
    FS_PAGE_SECTIONS(&pictures, &phases, &queues, &bounces, &treelets, &busiest, &loads, &matrix,
                     FS_MACHINE_CHIP_SECTIONS, &fs_joined_section);

const fs_page_plan fs_treelets_page = {.workload = "treelets",
                                       .subject = "the frame",
                                       .warning = "The run is not complete: not every path has ended.",
                                       .questions = questions,
                                       .thumbnail = "render.png",
                                       FS_PAGE_LIST(roles, role_count, tile_roles),
                                       FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
