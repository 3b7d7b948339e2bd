/* What the page of a run of treelets shows. */
#include "models/ipu/tables/joined.h"
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/treelets/treelets.h"

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"order", "workload.order"}, {"copies", "workload.copies"}};
static const char *const questions[] = {"scene.",           "workload.width", "workload.height",
                                        "workload.samples", "workload.light", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("steady rate", "{device.paths_per_second|si}paths/s",
                 .more = "{device.paths_per_second_frame|si}of the whole frame, "
                         "{device.paths_per_second_ideal|si}were all workers busy"),
    FS_PAGE_CARD("time of the frame", "{device.seconds}", .more = "{device.steps} supersteps"),
    FS_PAGE_CARD("treelets", "{treelets.count}",
                 .more = "of {scene.triangles} triangles, {treelets.copies|.1} copies each; "
                         "{scene.triangles_fit} triangles would fit"),
    FS_PAGE_CARD("a segment", "{paths.visits_per_segment|.2} treelets",
                 .more = "{paths.nodes_per_segment|.1} nodes; a path moves {paths.moves_per_path|.2} times"),
    FS_PAGE_CARD("busiest tile", "{load.tile_imbalance|.2}",
                 .more = "times the mean; the busiest treelet {load.treelet_imbalance|.1} times"),
    FS_PAGE_CARD("deepest queue", "{queue.deepest} rays",
                 .more = "on tile {queue.deepest_tile|.0}; {queue.refused} times a ray had to wait"),
    {FS_MACHINE_MEMORY_CARD},
};

/* ---- pictures ---- */

static const fs_plan_panel picture_panels[] = {
    FS_PAGE_PICTURE("render", "Picture", "render.png",
                    .caption = "Mean of the samples, with bright light compressed.",
                    .compared = "Mean of the samples"),
    FS_PAGE_PICTURE("treelets", "Treelets", "treelets.png",
                    .caption =
                        "A colour for each treelet: where what a pixel shows lies; dark where it is the sky.",
                    .compared = "Treelets of what pixels show"),
    FS_PAGE_PICTURE("visits", "Visits", "visits.png",
                    .caption = "Treelets that the paths of a pixel visit; white is the most of any pixel.",
                    .compared = "Treelets that the paths of a pixel visit"),
};
static const fs_plan_section pictures = FS_PAGE_SECTION(
    "images", "images", "Picture, treelets, visits", NULL,
    "Nobody has published measurements of such a renderer on a machine of this kind: what this page says "
    "of time is a prediction. Paths, visits and hits are exact.",
    NULL, picture_panels);

/* ---- where rays wait ---- */

static const fs_plan_column flight[] = {
    FS_PAGE_COLUMN("in_flight", "in flight", .unit = "rays", .colour = "role-0"),
    FS_PAGE_COLUMN("ended", "paths that end", .unit = "paths", .colour = "role-2"),
};
static const fs_plan_column moved[] = {
    FS_PAGE_COLUMN("moves", "moves", .unit = "rays", .colour = "exchange"),
    FS_PAGE_COLUMN("waiting", "waiting for room", .unit = "rays", .colour = "sync"),
};
static const fs_plan_column deepest[] = {
    FS_PAGE_COLUMN("deepest", "the fullest tile", .unit = "rays", .colour = "role-1"),
};
static const fs_plan_panel queue_panels[] = {
    FS_PAGE_PANEL("flight", flight, .label = "{@scale}rays", .form = "lines",
                  .title =
                      "{paths.count} paths in {device.steps} steps, {queue.deepest} rays at most on a tile",
                  .compared = "Rays in flight, step by step"),
    FS_PAGE_PANEL("moved", moved, .label = "{@scale}rays", .form = "lines",
                  .compared = "Rays that move, and that wait for room, step by step"),
    FS_PAGE_PANEL("deepest", deepest, .label = "{@scale}rays", .form = "lines",
                  .compared = "The fullest tile, step by step"),
};
static const fs_plan_section queues =
    FS_PAGE_SECTION("series", "queues", "Where rays wait", "queues.csv", NULL, "queue moves", queue_panels);

/* ---- loads ---- */

static const fs_plan_column treelet_columns[] = {
    FS_PAGE_COLUMN("treelet", "treelet", .form = "text"),
    FS_PAGE_COLUMN("bytes", "bytes", .form = "whole", .unit = "B"),
    FS_PAGE_COLUMN("visits", "visits", .form = "whole"),
    FS_PAGE_COLUMN("units", "work", .form = "bar", .unit = "units"),
    FS_PAGE_COLUMN("copies", "copies", .form = "whole"),
};
static const fs_plan_section treelets =
    FS_PAGE_ONE("most", "treelets", "Busiest treelets", "treelets.csv", NULL, "copies size", treelet_columns,
                .key = "units", .title = "The treelets with most work: node 1, leaf 4 more, shading 8 units.",
                .compared = "The treelets with most work.");

static const fs_plan_column tile_columns[] = {
    FS_PAGE_COLUMN("tile", "tile", .form = "text"),
    FS_PAGE_COLUMN("bytes", "of them", .form = "whole", .unit = "B"),
    FS_PAGE_COLUMN("units", "work", .form = "bar", .unit = "units"),
};
static const fs_plan_section tiles =
    FS_PAGE_ONE("most", "loads", "Busiest tiles", "loads.csv", NULL, "quantum", tile_columns, .key = "units",
                .title = "The tiles with most work.", .compared = "The tiles with most work.");

static const fs_plan_column bounce_columns[] = {
    FS_PAGE_COLUMN("bounce", "bounce", .form = "text"),
    FS_PAGE_COLUMN("segments", "segments", .form = "whole"),
    FS_PAGE_COLUMN("per_segment", "treelets a segment", .form = "bar"),
    FS_PAGE_COLUMN("none", "segments without any", .form = "whole"),
    FS_PAGE_COLUMN("most_of_95_percent", "at most, of 95 %", .form = "whole", .unit = "treelets"),
};
static const fs_plan_section bounces =
    FS_PAGE_ONE("table", "bounces", "Visits by bounce", "bounces.csv", "Bounce 0 are the camera's rays.",
                "visits", bounce_columns, .title = "Treelets that a segment visits, bounce by bounce.",
                .compared = "Treelets that a segment visits, bounce by bounce.");

/* ---- the machine ---- */

static const fs_plan_section phases = FS_MACHINE_PHASES_SECTION(
    "Supersteps", "A step: tiles work on their rays until each worker's quantum, then rays move.", "time");
static const fs_plan_section matrix = FS_MACHINE_TILES_SECTION("step", NULL, "decades");

static const fs_plan_clause verdict[] = {
    {.text =
         "{device.paths_per_second|si}paths/s through {treelets.count} treelets ({device.seconds} a frame)"},
    {"the busiest tile does {load.tile_imbalance|.2} times the mean", "load.tile_imbalance", 2},
    {"moving rays takes {device.share_exchange|%0} of it", "device.share_exchange", 0.2},
    {"workers are busy for {use.workers_busy|%0} of the compute phases", "use.workers_busy", 0},
};
static const fs_plan_rung rungs[] = {
    {"free_exchange", "free exchange", "machine.exchange.bytes_per_cycle=8B/cycle", "wider ports"},
    {"free_sync", "free barriers", NULL, "a barrier that costs no cycles"},
    {"free_host", "free host", NULL, "visits of the host that cost no cycles"},
    {"balanced", "work spread evenly over the tiles", "workload.window=48",
     "tiles that take work from each other"},
    {"busy_workers", "all workers busy throughout", "workload.quantum=256",
     "workers that stop by cycles, and tiles that never run out of rays"},
};

static const fs_plan_section *const sections[] = {&fs_page_findings,
                                                  &fs_page_summary,
                                                  &pictures,
                                                  &phases,
                                                  &queues,
                                                  &bounces,
                                                  &treelets,
                                                  &tiles,
                                                  &matrix,
                                                  &fs_joined_section,
                                                  FS_MACHINE_CHIP_SECTIONS,
                                                  &fs_page_ladder,
                                                  &fs_page_memory,
                                                  &fs_page_settings,
                                                  &fs_page_files};

const fs_page_plan fs_treelets_page = {.workload = "treelets",
                                       .subject = "the frame",
                                       .questions = questions,
                                       .thumbnail = "render.png",
                                       FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
