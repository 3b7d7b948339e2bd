/* What the page of a path tracer's run shows. */
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/smallpaint/smallpaint.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"}, {"scene", "scene.kind"}};
static const char *const questions[] = {"scene", "workload.image", "workload.samples", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("time on the device", "{device.seconds}",
                 .more = "{sampling.seconds_low} to {sampling.seconds_high} (95 %)"),
    FS_PAGE_CARD("paths a second", "{device.paths_per_second}",
                 .more = "{paths.count} paths, on {picture.chips} chips"),
    FS_PAGE_CARD("a path", "{device.cycles_per_path|whole} cycles",
                 .more = "{paths.slots_mean|whole} slots, {paths.bounces_mean|.2} bounces"),
    FS_PAGE_CARD("workers busy", "{use.workers_busy|%}",
                 .more = "of the compute phases; the slowest tile takes {use.imbalance|.2} times as long as "
                         "the average one"),
    FS_PAGE_CARD("picture", "{picture.psnr_db|.1} dB",
                 .more = "{picture.decibels_per_doubling|.2} dB a doubling"),
    {FS_MACHINE_MEMORY_CARD},
};

/* ---- picture ---- */

static const fs_plan_panel image_panels[] = {
    FS_PAGE_PICTURE("image", "Picture", "image.png",
                    .caption = "The mean of the traced samples, clipped at white; {picture.psnr_db|.1} dB "
                               "PSNR against the converged picture.",
                    .otherwise = "The mean of the traced samples, cut at white.",
                    .compared = "PSNR {picture.psnr_db|.1} dB"),
};
static const fs_plan_section images =
    FS_PAGE_SECTION("images", "images", "Picture", NULL, NULL, "picture", image_panels);

static const fs_plan_column convergence_columns[] = {
    FS_PAGE_COLUMN("samples", "samples", .form = "text"),
    FS_PAGE_COLUMN("error", "error of a value", .form = "bar"),
    FS_PAGE_COLUMN("psnr", "PSNR", .form = "short", .unit = "dB"),
};
static const fs_plan_section convergence =
    FS_PAGE_ONE("table", "convergence", "Convergence", "convergence.csv",
                "The error is worked out from two halves of the samples; white is 255.", "picture sampling",
                convergence_columns, .title = "Error and PSNR after so many samples.",
                .compared = "How the picture converges, after so many samples.");

/* ---- tiles of the picture ---- */

static const fs_plan_column time_maps[] = {
    FS_PAGE_COLUMN("path_cycles", "a path on its tile", .unit = "cycles"),
    FS_PAGE_COLUMN("bounces", "bounces", .unit = "bounces"),
};
static const fs_plan_column balance_maps[] = {
    FS_PAGE_COLUMN("balance", "mean worker over the slowest", .unit = "thousandths"),
};
static const fs_plan_panel map_panels[] = {
    FS_PAGE_PANEL("time", time_maps, .label = "rectangle",
                  .title = "What a path takes on each tile: {@path_cycles.mean|whole} cycles in the mean, "
                           "{@path_cycles.most|whole} at most",
                  .caption = "A dot is a rectangle of the picture, at its place. Bright: its paths take "
                             "long; right: its bounces in a sample.",
                  .compared = "What a path takes on each tile"),
    FS_PAGE_PANEL("balance", balance_maps, .label = "rectangle",
                  .title = "How evenly the rows of a rectangle keep its workers busy",
                  .caption = "1,000: all workers are busy to the end.",
                  .compared = "How evenly rows keep the workers busy"),
};
static const fs_plan_section maps =
    FS_PAGE_SECTION("pixels", "maps", "Time a tile", "image_tiles.csv", NULL, "pace", map_panels);

/* ---- workers and bounces ---- */

static const fs_plan_column worker_columns[] = {
    FS_PAGE_COLUMN("worker", "worker", .form = "text"),
    FS_PAGE_COLUMN("paths", "paths a sample", .form = "short"),
    FS_PAGE_COLUMN("bounces", "bounces", .form = "short"),
    FS_PAGE_COLUMN("cycles", "a sample", .form = "bar", .unit = "cycles"),
    FS_PAGE_COLUMN("share", "of the slowest", .form = "part"),
};
static const fs_plan_section workers =
    FS_PAGE_ONE("table", "workers", "Workers", "workers.csv", "Means over tiles and traced samples.",
                "workers barriers", worker_columns, .title = "What the workers of a tile do in a sample.",
                .compared = "What the workers of a tile do in a sample, worker by worker.");

static const fs_plan_column event_columns[] = {
    FS_PAGE_COLUMN("event", "event", .form = "text"),
    FS_PAGE_COLUMN("per_path", "a path", .form = "short"),
    FS_PAGE_COLUMN("per_bounce", "a bounce", .form = "short"),
    FS_PAGE_COLUMN("slots_each", "slots each", .form = "whole"),
    FS_PAGE_COLUMN("slots", "slots a path", .form = "bar"),
    FS_PAGE_COLUMN("share", "share", .form = "share"),
};
static const fs_plan_section events =
    FS_PAGE_ONE("table", "events", "What a bounce costs", "events.csv", NULL, "bounce numbers", event_columns,
                .title = "Events of a path and of a bounce, and their share of the slots.",
                .compared = "What a bounce costs.");

/* ---- the machine ---- */

static const fs_plan_section phases =
    FS_MACHINE_PHASES_SECTION("Steps", "A step is the samples between two visits of the host.", "time step");

static const fs_plan_clause verdict[] = {{.text = "{device.seconds} a picture ({device.frames_per_second|3} "
                                                  "frames/s, {device.paths_per_second|si}paths/s)"},
                                         FS_MACHINE_PACE_CLAUSE};
static const fs_plan_rung rungs[] = {
    FS_MACHINE_EXCHANGE_RUNGS,
    FS_MACHINE_SYNC_RUNG,
    FS_MACHINE_HOST_RUNG(NULL),
    FS_MACHINE_BALANCED_RUNG(NULL),
    FS_PAGE_RUNG("balanced_workers", "paths spread evenly over a tile's workers", NULL,
                 "workers that take paths from each other"),
    FS_PAGE_RUNG("free_sine", "free sine and cosine", NULL, "a unit for sine and cosine"),
};

static const fs_plan_section *const sections[] =
    FS_PAGE_SECTIONS(&images, &convergence, &maps, &workers, &events, &phases, FS_MACHINE_CHIP_SECTIONS);

const fs_page_plan fs_smallpaint_page = {.workload = "smallpaint",
                                         .subject = "the picture",
                                         .questions = questions,
                                         FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
