/* What the page of a path tracer's run shows. */
#include "models/ipu/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/smallpaint/smallpaint.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"chips", "machine.chips"}, {"scene", "scene.kind"}};
static const char *const questions[] = {"scene", "workload.image", "workload.samples", NULL};

static const fs_plan_card cards[] = {
    {.label = "time on the device",
     .value = "{device.seconds}",
     .more = "{sampling.seconds_low} to {sampling.seconds_high} (95 %)"},
    {.label = "paths a second",
     .value = "{device.paths_per_second}",
     .more = "{paths.count} paths, on {picture.chips} chips"},
    {.label = "a path",
     .value = "{device.cycles_per_path|whole} cycles",
     .more = "{paths.slots_mean|whole} slots, {paths.bounces_mean|.2} bounces"},
    {.label = "workers busy",
     .value = "{use.workers_busy|%}",
     .more = "of the compute phases; slowest tile {use.imbalance|.2} of the mean"},
    {.label = "picture",
     .value = "{picture.psnr_db|.1} dB",
     .more = "{picture.decibels_per_doubling|.2} dB a doubling"},
    {FS_MACHINE_MEMORY_CARD},
};

/* ---- picture ---- */

static const fs_plan_panel image_panels[] = {
    {.name = "image",
     .label = "Picture",
     .file = "image.png",
     .caption = "The mean of the traced samples, cut at white: {picture.psnr_db|.1} dB of what it goes to.",
     .otherwise = "The mean of the traced samples, cut at white.",
     .compared = "PSNR {picture.psnr_db|.1} dB"}};
static const fs_plan_section images = {.kind = "images",
                                       .id = "images",
                                       .title = "Picture",
                                       .findings = "picture",
                                       .panels = image_panels,
                                       .panel_count = COUNT(image_panels)};

static const fs_plan_column convergence_columns[] = {
    {.column = "samples", .label = "samples", .form = "text"},
    {.column = "error", .label = "error of a value", .form = "bar"},
    {.column = "psnr", .label = "PSNR", .form = "short", .unit = "dB"}};
static const fs_plan_panel convergence_panels[] = {
    {.name = "convergence",
     .title = "Error and PSNR after so many samples.",
     .compared = "How the picture converges, after so many samples.",
     .columns = convergence_columns,
     .column_count = COUNT(convergence_columns)}};
static const fs_plan_section convergence = {
    .kind = "table",
    .id = "convergence",
    .title = "Convergence",
    .file = "convergence.csv",
    .words = "The error is worked out from two halves of the samples; white is 255.",
    .findings = "picture sampling",
    .panels = convergence_panels,
    .panel_count = COUNT(convergence_panels)};

/* ---- tiles of the picture ---- */

static const fs_plan_column time_maps[] = {
    {.column = "path_cycles", .label = "a path on its tile", .unit = "cycles"},
    {.column = "bounces", .label = "bounces", .unit = "bounces"}};
static const fs_plan_column balance_maps[] = {
    {.column = "balance", .label = "mean worker over the slowest", .unit = "thousandths"}};
static const fs_plan_panel map_panels[] = {
    {.name = "time",
     .title = "What a path takes on each tile: {@path_cycles.mean|whole} cycles in the mean, "
              "{@path_cycles.most|whole} at most",
     .caption = "A dot is a rectangle of the picture, at its place. Bright: its paths take long; right: its "
                "bounces in a sample.",
     .compared = "What a path takes on each tile",
     .columns = time_maps,
     .column_count = COUNT(time_maps)},
    {.name = "balance",
     .title = "How evenly the rows of a rectangle keep its workers busy",
     .caption = "1,000: all workers are busy to the end.",
     .compared = "How evenly rows keep the workers busy",
     .columns = balance_maps,
     .column_count = COUNT(balance_maps)}};
static const fs_plan_section maps = {.kind = "pixels",
                                     .id = "maps",
                                     .title = "Time a tile",
                                     .file = "image_tiles.csv",
                                     .findings = "pace",
                                     .panels = map_panels,
                                     .panel_count = COUNT(map_panels)};

/* ---- workers and bounces ---- */

static const fs_plan_column worker_columns[] = {
    {.column = "worker", .label = "worker", .form = "text"},
    {.column = "paths", .label = "paths a sample", .form = "short"},
    {.column = "bounces", .label = "bounces", .form = "short"},
    {.column = "cycles", .label = "a sample", .form = "bar", .unit = "cycles"},
    {.column = "share", .label = "of the slowest", .form = "part"}};
static const fs_plan_panel worker_panels[] = {
    {.name = "workers",
     .title = "What the workers of a tile do in a sample.",
     .compared = "What the workers of a tile do in a sample, worker by worker.",
     .columns = worker_columns,
     .column_count = COUNT(worker_columns)}};
static const fs_plan_section workers = {.kind = "table",
                                        .id = "workers",
                                        .title = "Workers",
                                        .file = "workers.csv",
                                        .words = "Means over tiles and traced samples.",
                                        .findings = "workers barriers",
                                        .panels = worker_panels,
                                        .panel_count = COUNT(worker_panels)};

static const fs_plan_column event_columns[] = {
    {.column = "event", .label = "event", .form = "text"},
    {.column = "per_path", .label = "a path", .form = "short"},
    {.column = "per_bounce", .label = "a bounce", .form = "short"},
    {.column = "slots_each", .label = "slots each", .form = "whole"},
    {.column = "slots", .label = "slots a path", .form = "bar"},
    {.column = "share", .label = "share", .form = "share"}};
static const fs_plan_panel event_panels[] = {
    {.name = "events",
     .title = "Events of a path and of a bounce, and their share of the slots.",
     .compared = "What a bounce costs.",
     .columns = event_columns,
     .column_count = COUNT(event_columns)}};
static const fs_plan_section events = {.kind = "table",
                                       .id = "events",
                                       .title = "What a bounce costs",
                                       .file = "events.csv",
                                       .findings = "bounce numbers",
                                       .panels = event_panels,
                                       .panel_count = COUNT(event_panels)};

/* ---- the machine ---- */

static const fs_plan_panel phase_panels[] = {FS_MACHINE_PHASES_PANEL("the picture waits")};
static const fs_plan_section phases = {.kind = "series",
                                       .id = "iterations",
                                       .title = "Steps",
                                       .file = "iterations.csv",
                                       .words = "A step is the samples between two visits of the host.",
                                       .findings = "time step",
                                       .panels = phase_panels,
                                       .panel_count = COUNT(phase_panels)};

static const fs_plan_clause verdict[] = {{.text = "{device.seconds} a picture ({device.frames_per_second|3} "
                                                  "frames/s, {device.paths_per_second|si}paths/s)"},
                                         FS_MACHINE_PACE_CLAUSE};
static const fs_plan_rung rungs[] = {
    {"free_exchange", "an exchange of no cycles"},
    {"free_sync", "barriers of no cycles"},
    {"free_host", "host visits of no cycles"},
    {"balanced", "work spread evenly over the tiles"},
    {"balanced_workers", "paths spread evenly over a tile's workers"},
    {"free_sine", "sines and cosines of no slots"},
};

static const fs_plan_section *const sections[] = {&fs_page_findings,
                                                  &fs_page_summary,
                                                  &images,
                                                  &convergence,
                                                  &maps,
                                                  &workers,
                                                  &events,
                                                  &phases,
                                                  FS_MACHINE_CHIP_SECTIONS,
                                                  &fs_page_ladder,
                                                  &fs_page_memory,
                                                  &fs_page_settings,
                                                  &fs_page_files};

const fs_page_plan fs_smallpaint_page = {.workload = "smallpaint",
                                         .subject = "the picture",
                                         .questions = questions,
                                         .settings = settings,
                                         .setting_count = COUNT(settings),
                                         .cards = cards,
                                         .card_count = COUNT(cards),
                                         .verdict = verdict,
                                         .verdict_count = COUNT(verdict),
                                         .rungs = rungs,
                                         .rung_count = COUNT(rungs),
                                         .sections = sections,
                                         .section_count = COUNT(sections)};
