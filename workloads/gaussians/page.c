/* What the page of a run of Gaussians shows. */
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/gaussians/gaussians.h"

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"scene", "scene.kind"}, {"method", "workload.method"}};
static const char *const questions[] = {"scene", "workload.method", "workload.slot", "workload.path", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("a frame", "{frame.seconds}", .more = "{frame.rate|3} frames a second, without the host"),
    FS_PAGE_CARD("route", "{frame.route}",
                 .more = "the slowest tile takes {route.imbalance|.2} times the mean"),
    FS_PAGE_CARD("blend", "{frame.blend}",
                 .more = "longest list {lists.longest} entries, on tile {lists.longest_tile|.0}"),
    FS_PAGE_CARD("exchange", "{frame.exchange}", .more = "{lanes.useful|%} of its bytes are a Gaussian's",
                 .otherwise = "straight from tile to tile"),
    FS_PAGE_CARD("Gaussians at home", "{gaussians.anchored|whole}",
                 .more = "and {gaussians.copies|whole} copies, of {gaussians.count|whole}"),
    FS_PAGE_CARD("failed sends a frame", "{sends.failed|whole}", .more = "{store.lost|whole} Gaussians lost"),
    FS_PAGE_CARD("picture", "{picture.psnr_db|.1} dB", .more = "{picture.holes|%} of the pixels wrong"),
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_panel image_panels[] = {
    FS_PAGE_PICTURE("image", "Picture", "image.png",
                    .caption = "The last frame; {picture.psnr_db|.1} dB PSNR against the same Gaussians "
                               "without lanes and full stores.",
                    .otherwise = "The last frame.", .compared = "PSNR {picture.psnr_db|.1} dB"),
    FS_PAGE_PICTURE("reference", "Without lanes", "reference.png",
                    .caption = "What the last frame were without lanes and full stores.",
                    .compared = "Without lanes"),
};
static const fs_plan_section images =
    FS_PAGE_SECTION("images", "images", "Picture", NULL, NULL, "holes settled", image_panels);

static const fs_plan_column held[] = {FS_PAGE_COLUMN("anchored", "at home", .unit = "Gaussians"),
                                      FS_PAGE_COLUMN("received", "received", .unit = "Gaussians")};
static const fs_plan_column drawn[] = {FS_PAGE_COLUMN("blended", "entries to blend", .unit = "entries")};
static const fs_plan_column times[] = {FS_PAGE_COLUMN("receive", "receiving", .unit = "cycles"),
                                       FS_PAGE_COLUMN("store", "its store", .unit = "cycles")};
static const fs_plan_column blends[] = {FS_PAGE_COLUMN("blend", "blending", .unit = "cycles")};
static const fs_plan_panel map_panels[] = {
    FS_PAGE_PANEL(
        "held", held, .label = "tile",
        .title =
            "Gaussians at home on each tile: {@anchored.mean|.1} in the mean, {@anchored.most|whole} at most",
        .caption = "A dot is a tile at its place in the picture. Right: what it receives in a step.",
        .compared = "Gaussians at home on each tile"),
    FS_PAGE_PANEL(
        "drawn", drawn, .label = "tile",
        .title =
            "Entries that each tile blends: {@blended.mean|.1} in the mean, {@blended.most|whole} at most",
        .compared = "Entries that each tile blends"),
    FS_PAGE_PANEL("times", times, .label = "tile",
                  .title = "What receiving takes on each tile: {@receive.mean|whole} cycles in the mean, "
                           "{@receive.most|whole} at most",
                  .caption = "Right: routing what it stores.",
                  .compared = "What receiving takes on each tile"),
    FS_PAGE_PANEL("blends", blends, .label = "tile",
                  .title = "What blending takes on each tile: {@blend.mean|whole} cycles in the mean, "
                           "{@blend.most|whole} at most",
                  .compared = "What blending takes on each tile"),
};
static const fs_plan_section maps =
    FS_PAGE_SECTION("pixels", "maps", "Tile by tile", "gaussians_tiles.csv", NULL, "list tile_0", map_panels);

static const fs_plan_column step_entries[] = {
    FS_PAGE_COLUMN("entries", "entries of the lists", .unit = "entries", .colour = "role-0"),
    FS_PAGE_COLUMN("received", "received", .unit = "Gaussians", .colour = "role-1")};
static const fs_plan_column step_failed[] = {
    FS_PAGE_COLUMN("failed", "failed sends", .unit = "sends", .colour = "role-0"),
    FS_PAGE_COLUMN("moved", "come to another tile", .unit = "Gaussians", .colour = "role-1")};
static const fs_plan_panel step_panels[] = {
    FS_PAGE_PANEL("entries", step_entries, .form = "lines", .label = "{@scale}a step",
                  .title = "What lists and lanes hold, step by step",
                  .caption = "Steps before the first frame settle the picture; they are not priced.",
                  .compared = "What lists and lanes hold, step by step"),
    FS_PAGE_PANEL("failed", step_failed, .form = "lines", .label = "{@scale}a step",
                  .title = "Sends that failed and Gaussians that moved, step by step",
                  .compared = "Sends that failed, step by step"),
};
static const fs_plan_section lanes = FS_PAGE_SECTION("series", "lanes", "Step by step", "gaussians_steps.csv",
                                                     NULL, "lanes churn", step_panels);

static const fs_plan_column event_columns[] = {
    FS_PAGE_COLUMN("program", "program", .form = "text"),
    FS_PAGE_COLUMN("event", "event", .form = "text"),
    FS_PAGE_COLUMN("count", "times", .form = "whole"),
    FS_PAGE_COLUMN("slots_each", "slots each", .form = "whole"),
    FS_PAGE_COLUMN("slots", "slots", .form = "bar"),
    FS_PAGE_COLUMN("share", "share", .form = "share"),
};
static const fs_plan_section events = FS_PAGE_ONE(
    "table", "events", "What the slowest tiles do", "gaussians_events.csv",
    "Of the last frame: one worker routes, the first of all blends.", "route search", event_columns,
    .title = "Events of the slowest tile of each program, and their share of its slots.",
    .compared = "What the slowest tiles do.");

static const fs_plan_section phases = FS_MACHINE_PHASES_SECTION(
    "Frames", "An iteration is a frame: route, blend, exchange, and a visit of the host.", "time");
static const fs_plan_section device_steps =
    FS_MACHINE_STEPS_SECTION(NULL, "step pace", "Where the time goes, step by step of a frame.");

static const fs_plan_clause verdict[] = {
    {.text = "{frame.seconds} a frame ({frame.rate|3} frames/s), {sends.failed|whole} failed sends"},
    {.text = "the slowest tile routes {route.imbalance|.1} times as long as the average one",
     .when = "route.imbalance",
     .from = 1.2}};
static const fs_plan_rung rungs[] = {
    FS_MACHINE_EXCHANGE_RUNGS,
    FS_MACHINE_SYNC_RUNG,
    FS_MACHINE_HOST_RUNG("workload.readback=nothing"),
    FS_MACHINE_BALANCED_RUNG(NULL),
    FS_PAGE_RUNG("map", "places found by a table", NULL, "a table of places on each tile"),
    FS_PAGE_RUNG("f32_radius", "radii in f32", NULL, "suffixes in the source"),
    FS_PAGE_RUNG("route_workers", "routing by all workers", NULL, "a routing kernel of several workers"),
    FS_PAGE_RUNG("box_test", "entries tested by their square", NULL,
                 "a test of the square before the pixel's loop"),
    FS_PAGE_RUNG("without_tile_0", "nothing gathered on tile 0", NULL,
                 "Gaussians beside the picture dropped"),
};

static const fs_plan_column views[] = {{.column = "frame.seconds", .label = "a frame"},
                                       {.column = "frame.route", .label = "route"},
                                       {.column = "frame.blend", .label = "blend"},
                                       {.column = "lists.longest", .label = "longest list"},
                                       {.column = "sends.failed", .label = "failed sends"}};

static const fs_plan_section *const sections[] =
    FS_PAGE_SECTIONS(&images, &phases, &maps, &lanes, &events, &device_steps, FS_MACHINE_CHIP_SECTIONS);

const fs_page_plan fs_gaussians_page = {.workload = "gaussians",
                                        .subject = "the frame",
                                        .questions = questions,
                                        .thumbnail = "image.png",
                                        FS_PAGE_LIST(views, view_count, views),
                                        FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
