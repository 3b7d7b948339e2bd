/* What the page of a path tracer's run shows. */
#include "models/ipu/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/pathtrace/pathtrace.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"chips", "machine.chips"}, {"rays a worker", "workload.rays_per_worker"}};
static const char *const questions[] = {"scene.",           "workload.width",     "workload.height",
                                        "workload.samples", "workload.sampling.", NULL};

static const fs_plan_card cards[] = {
    {.label = "rate",
     .value = "{device.paths_per_second}",
     .more = "95 %: {device.paths_per_second_low} to {device.paths_per_second_high}",
     .otherwise = "one drawn sample: no interval"},
    {.label = "time of the frame", .value = "{device.seconds}", .more = "{paths.count} paths"},
    {.label = "slowest worker",
     .value = "{device.imbalance|.2}",
     .more = "times the mean worker's walks; all others wait for it"},
    {.label = "a batch and sample",
     .value = "{device.cycles_per_batch_sample|whole}",
     .more = "cycles; a worker walks {device.walk_mean|whole} on average"},
    {.label = "network",
     .value = "{nif.parameters}",
     .more = "numbers; {nif.cycles|whole} cycles, matrix units at {nif.peak_share|%}",
     .when = "nif.parameters"},
    {.label = "a path",
     .value = "{paths.segments_mean|.2}",
     .more = "segments of {paths.nodes_per_segment|.1} nodes; {paths.escaped|%} leave the scene"},
    {.label = "streaming",
     .value = "{stream.seconds}",
     .more = "save and load of a batch; hidden from {stream.hidden_from|.0} samples on"},
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_role tile_roles[] = {{"io", "input and output", "i"},
                                          {"render", "rendering tiles", NULL}};

/* ---- pictures ---- */

static const fs_plan_panel picture_panels[] = {
    {.name = "render",
     .label = "Picture",
     .file = "render.png",
     .caption = "Mean of the drawn samples, with bright light compressed.",
     .compared = "Mean of the drawn samples"},
    {.name = "nodes",
     .label = "Nodes",
     .file = "nodes.png",
     .caption = "Nodes that the paths of a pixel visit; white is the most of any pixel.",
     .compared = "Nodes that the paths of a pixel visit"},
    {.name = "tests",
     .label = "Tests",
     .file = "tests.png",
     .caption = "Primitives that the paths of a pixel are tested against; triangles in a mesh.",
     .compared = "Primitives that the paths of a pixel are tested against"},
    {.name = "segments",
     .label = "Segments",
     .file = "segments.png",
     .caption = "Segments of the paths of a pixel.",
     .compared = "Segments of the paths of a pixel"}};
static const fs_plan_section pictures = {.kind = "images",
                                         .id = "images",
                                         .title = "Picture, and what it cost",
                                         .panels = picture_panels,
                                         .panel_count = COUNT(picture_panels)};

/* ---- workers ---- */

static const fs_plan_column batch_columns[] = {
    {.column = "batch", .label = "batch", .form = "text"},
    {.column = "slowest", .label = "slowest worker", .form = "bar", .unit = "cycles a sample"},
    {.column = "mean", .label = "mean worker", .form = "whole", .unit = "cycles a sample"},
    {.column = "imbalance", .label = "slowest over mean", .form = "short"}};
static const fs_plan_panel batch_panels[] = {
    {.name = "batches",
     .title = "How long workers wait for the slowest, batch by batch.",
     .compared = "Slowest and mean worker, batch by batch.",
     .columns = batch_columns,
     .column_count = COUNT(batch_columns)}};
static const fs_plan_section batches = {.kind = "table",
                                        .id = "batches",
                                        .title = "Workers",
                                        .file = "batches.csv",
                                        .words =
                                            "A batch's samples are over when its slowest worker is through: "
                                            "with a network after each sample, without one after all.",
                                        .findings = "balance sampling",
                                        .panels = batch_panels,
                                        .panel_count = COUNT(batch_panels)};

/* ---- time ---- */

static const fs_plan_panel phase_panels[] = {
    FS_MACHINE_PHASES_PANEL("batches of the drawn samples alone wait")};
static const fs_plan_section phases = {
    .kind = "series",
    .id = "iterations",
    .title = "Batches on the timeline",
    .file = "iterations.csv",
    .words = "An iteration is a batch with its drawn samples, beside the streams of its neighbours, and the "
             "copies between both groups of tiles behind it.",
    .findings = "time pod",
    .panels = phase_panels,
    .panel_count = COUNT(phase_panels)};

static const fs_plan_column step_columns[] = {
    {.column = "name", .label = "step", .form = "text"},
    {.column = "rounds", .label = "rounds", .form = "whole"},
    {.column = "cycles", .label = "cycles", .form = "bar", .unit = "cycles"},
    {.column = "compute", .label = "compute", .form = "whole", .unit = "cycles"},
    {.column = "sync", .label = "sync", .form = "whole", .unit = "cycles"},
    {.column = "exchange", .label = "exchange", .form = "whole", .unit = "cycles"},
    {.column = "bytes", .label = "bytes exchanged", .form = "short", .unit = "B"}};
static const fs_plan_panel step_panels[] = {
    {.name = "steps",
     .title = "Walks, layers of the network, streams and copies, in all drawn samples.",
     .compared = "Where the time goes, step by step.",
     .columns = step_columns,
     .column_count = COUNT(step_columns)}};
static const fs_plan_section steps = {.kind = "table",
                                      .id = "steps",
                                      .title = "Steps",
                                      .file = "steps.csv",
                                      .findings = "network",
                                      .panels = step_panels,
                                      .panel_count = COUNT(step_panels)};

static const fs_plan_column roof_columns[] = {
    {.column = "samples", .label = "samples", .form = "text"},
    {.column = "rate", .label = "rate", .form = "bar", .unit = "paths a second"},
    {.column = "share", .label = "of the limit", .form = "percent"}};
static const fs_plan_panel roof_panels[] = {
    {.name = "roofline",
     .title = "Rate over samples a pixel: streaming limits the left end.",
     .compared = "Rate over samples a pixel.",
     .columns = roof_columns,
     .column_count = COUNT(roof_columns)}};
static const fs_plan_section roofline = {.kind = "table",
                                         .id = "roofline",
                                         .title = "Roofline over samples",
                                         .file = "roofline.csv",
                                         .words =
                                             "The same walks with other numbers of samples; the limit is "
                                             "rendering alone.",
                                         .findings = "streaming",
                                         .panels = roof_panels,
                                         .panel_count = COUNT(roof_panels)};

static const fs_plan_column network_columns[] = {
    {.column = "hidden", .label = "width H", .form = "text"},
    {.column = "layers_2", .label = "2 layers", .form = "bar", .unit = "paths a second"},
    {.column = "layers_4", .label = "4 layers", .form = "bar", .unit = "paths a second"},
    {.column = "layers_6", .label = "6 layers", .form = "bar", .unit = "paths a second"},
    {.column = "layers_8", .label = "8 layers", .form = "bar", .unit = "paths a second"}};
static const fs_plan_panel network_panels[] = {{.name = "networks",
                                                .title = "Rate over the network's width and depth.",
                                                .compared = "Rate over the network's width and depth.",
                                                .columns = network_columns,
                                                .column_count = COUNT(network_columns)}};
static const fs_plan_section networks = {
    .kind = "table",
    .id = "networks",
    .title = "Other networks",
    .file = "networks.csv",
    .words = "The same walks with other networks, each planned, split and priced "
             "as a run would; a sweep over workload.rays_per_worker has the "
             "rate against the rays of a worker.",
    .panels = network_panels,
    .panel_count = COUNT(network_panels)};

static const fs_plan_column cycles[] = {{.column = "i0", .label = "compute", .unit = "cycles"}};
static const fs_plan_panel matrix_panels[] = {{.name = "compute",
                                               .label = "Compute",
                                               .form = "decades",
                                               .title = "What each tile computes in each batch",
                                               .columns = cycles,
                                               .column_count = COUNT(cycles),
                                               .compared = "What each tile computes"}};
static const fs_plan_section matrix = {.kind = "matrix",
                                       .id = "tiles",
                                       .title = "Tiles by batch",
                                       .file = "cycles.csv",
                                       .panels = matrix_panels,
                                       .panel_count = COUNT(matrix_panels)};

static const fs_plan_clause verdict[] = {
    {.text = "{device.seconds} a frame ({device.frames_per_second|3} frames/s, "
             "{device.paths_per_second|si}paths/s)"},
    {"rendering waits for streaming memory in {device.share.waiting|%0} of it", "device.share.waiting", 0.25},
    {"workers wait for the slowest, which walks {device.imbalance|.2} times the mean", "device.imbalance",
     1.2},
};
static const fs_plan_column chart[] = {
    {.column = "device.share.walk", .label = "walks", .colour = "compute"},
    {.column = "device.share.network", .label = "network, barriers", .colour = "role-1"},
    {.column = "device.share.waiting", .label = "waiting for memory", .colour = "sync"},
    {.column = "device.share.copies", .label = "copies", .colour = "exchange"},
    {.column = "device.share.ends", .label = "upload, first and last batch", .colour = "host"}};

static const fs_plan_section *const sections[] = {&fs_page_findings, &fs_page_summary,
                                                  &pictures,         &batches,
                                                  &phases,           &steps,
                                                  &roofline,         &networks,
                                                  &matrix,           FS_MACHINE_CHIP_SECTIONS,
                                                  &fs_page_ladder,   &fs_page_memory,
                                                  &fs_page_settings, &fs_page_files};

const fs_page_plan fs_pathtrace_page = {.workload = "pathtrace",
                                        .subject = "the frame",
                                        .questions = questions,
                                        .thumbnail = "render.png",
                                        .settings = settings,
                                        .setting_count = COUNT(settings),
                                        .cards = cards,
                                        .card_count = COUNT(cards),
                                        .roles = tile_roles,
                                        .role_count = COUNT(tile_roles),
                                        .verdict = verdict,
                                        .verdict_count = COUNT(verdict),
                                        .chart = chart,
                                        .chart_count = COUNT(chart),
                                        .rungs = fs_machine_rungs,
                                        .rung_count = FS_MACHINE_RUNGS,
                                        .sections = sections,
                                        .section_count = COUNT(sections)};
