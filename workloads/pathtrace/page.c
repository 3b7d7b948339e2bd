/* What the page of a path tracer's run shows. */
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "workloads/pathtrace/pathtrace.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"},
                                           {"rays a worker", "workload.rays_per_worker"}};
static const char *const questions[] = {"scene.",           "workload.width",     "workload.height",
                                        "workload.samples", "workload.sampling.", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("rate", "{device.paths_per_second|si}paths/s",
                 .more = "95 %: {device.paths_per_second_low|si}to {device.paths_per_second_high|si}paths/s",
                 .otherwise = "one drawn sample: no interval"),
    FS_PAGE_CARD("time of the frame", "{device.seconds}", .more = "{paths.count} paths"),
    FS_PAGE_CARD("slowest worker", "{device.imbalance|.2}",
                 .more = "times as long as the average one; all others wait"),
    FS_PAGE_CARD("a batch and sample", "{device.cycles_per_batch_sample|whole}",
                 .more = "cycles; a worker walks {device.walk_mean|whole} on average"),
    FS_PAGE_CARD("network", "{nif.parameters}",
                 .more = "parameters; {nif.cycles|whole} cycles, matrix units at {nif.peak_share|%}",
                 .when = "nif.parameters"),
    FS_PAGE_CARD("a path", "{paths.segments_mean|.2}",
                 .more = "segments of {paths.nodes_per_segment|.1} nodes; {paths.escaped|%} leave the scene"),
    FS_PAGE_CARD("streaming", "{stream.seconds}",
                 .more = "save and load of a batch; hidden from {stream.hidden_from|.0} samples on"),
    {FS_MACHINE_MEMORY_CARD},
};

static const fs_plan_role tile_roles[] = {{"io", "input and output", "i"},
                                          {"render", "rendering tiles", NULL}};

/* ---- pictures ---- */

static const fs_plan_panel picture_panels[] = {
    FS_PAGE_PICTURE("render", "Picture", "render.png",
                    .caption = "Mean of the drawn samples, with bright light compressed.",
                    .compared = "Mean of the drawn samples"),
    FS_PAGE_PICTURE("nodes", "Nodes", "nodes.png",
                    .caption = "Nodes that the paths of a pixel visit; white is the most of any pixel.",
                    .compared = "Nodes that the paths of a pixel visit"),
    FS_PAGE_PICTURE("tests", "Tests", "tests.png",
                    .caption =
                        "Primitives that the paths of a pixel are tested against; triangles in a mesh.",
                    .compared = "Primitives that the paths of a pixel are tested against"),
    FS_PAGE_PICTURE("segments", "Segments", "segments.png", .caption = "Segments of the paths of a pixel.",
                    .compared = "Segments of the paths of a pixel"),
};
static const fs_plan_section pictures =
    FS_PAGE_SECTION("images", "images", "Picture, and what it cost", NULL, NULL, NULL, picture_panels);

/* ---- workers ---- */

static const fs_plan_column batch_columns[] = {
    FS_PAGE_COLUMN("slowest_all", "slowest worker", .unit = "cycles", .colour = "sync"),
    FS_PAGE_COLUMN("mean_all", "average worker", .unit = "cycles", .colour = "compute"),
};
static const fs_plan_section batches = FS_PAGE_ONE(
    "series", "batches", "Workers", "batches.csv",
    "A batch waits for its slowest worker: with a network after each sample, without one after all samples.",
    "balance batches sampling", batch_columns, .form = "lines", .label = "{@scale}cycles, all samples",
    .title = "How long workers wait for the slowest: {@rows} batches",
    .compared = "Slowest and average worker, batch by batch.");

/* ---- time ---- */

static const fs_plan_section phases = FS_MACHINE_PHASES_SECTION(
    "Batches on the timeline",
    "An iteration is a batch with all of its samples, beside the streams of its neighbours, "
    "and the copies between both groups of tiles after it.",
    "time pod");

static const fs_plan_section steps = FS_MACHINE_STEPS_SECTION(
    NULL, "network", "Walks, layers of the network, streams and copies, in all samples.");

static const fs_plan_column roof_columns[] = {
    FS_PAGE_COLUMN("samples", "samples", .form = "text"),
    FS_PAGE_COLUMN("rate", "rate", .form = "bar", .unit = "paths a second"),
    FS_PAGE_COLUMN("share", "of the limit", .form = "percent"),
};
static const fs_plan_section roofline =
    FS_PAGE_ONE("table", "roofline", "Roofline over samples", "roofline.csv",
                "The same walks with other numbers of samples; the limit is rendering alone.", "streaming",
                roof_columns, .title = "Rate over samples a pixel: streaming limits the left end.",
                .compared = "Rate over samples a pixel.");

static const fs_plan_column network_columns[] = {
    FS_PAGE_COLUMN("hidden", "width H", .form = "text"),
    FS_PAGE_COLUMN("layers_2", "2 layers", .form = "bar", .unit = "paths a second"),
    FS_PAGE_COLUMN("layers_4", "4 layers", .form = "bar", .unit = "paths a second"),
    FS_PAGE_COLUMN("layers_6", "6 layers", .form = "bar", .unit = "paths a second"),
    FS_PAGE_COLUMN("layers_8", "8 layers", .form = "bar", .unit = "paths a second"),
};
static const fs_plan_section networks =
    FS_PAGE_ONE("table", "networks", "Other networks", "networks.csv",
                "The same walks with other networks, each planned, split and priced as a run would; a sweep "
                "over workload.rays_per_worker has the rate against the rays of a worker.",
                NULL, network_columns, .title = "Rate over the network's width and depth.",
                .compared = "Rate over the network's width and depth.");

static const fs_plan_section matrix = FS_MACHINE_TILES_SECTION("batch", NULL, "decades");

static const fs_plan_clause verdict[] = {
    {.text = "{device.seconds} a frame ({device.frames_per_second|3} frames/s, "
             "{device.paths_per_second|si}paths/s)"},
    {"rendering waits for streaming memory in {device.share.waiting|%0} of it", "device.share.waiting", 0.25},
    {"the slowest worker takes {device.imbalance|.2} times as long as the average one", "device.imbalance",
     1.2},
};
static const fs_plan_rung rungs[] = {
    FS_PAGE_RUNG("balanced", "walks spread evenly over the workers",
                 "workload.dealing=scatter workload.sharing=queue",
                 "workers that take rays from each other, on all tiles"),
    FS_PAGE_RUNG("free_network", "free network", NULL, "matrix units that cost no cycles"),
    FS_PAGE_RUNG("free_streaming", "free streaming", NULL, "streaming memory that costs no cycles"),
    FS_MACHINE_EXCHANGE_RUNGS,
};
static const fs_plan_column chart[] = {
    FS_PAGE_COLUMN("device.share.walk", "walks", .colour = "compute"),
    FS_PAGE_COLUMN("device.share.network", "network, barriers", .colour = "role-1"),
    FS_PAGE_COLUMN("device.share.waiting", "waiting for memory", .colour = "sync"),
    FS_PAGE_COLUMN("device.share.copies", "copies", .colour = "exchange"),
    FS_PAGE_COLUMN("device.share.ends", "upload, first and last batch", .colour = "host"),
};

static const fs_plan_section *const sections[] = FS_PAGE_SECTIONS(
    &pictures, &batches, &phases, &steps, &roofline, &networks, &matrix, FS_MACHINE_CHIP_SECTIONS);

const fs_page_plan fs_pathtrace_page = {.workload = "pathtrace",
                                        .subject = "the frame",
                                        .questions = questions,
                                        .thumbnail = "render.png",
                                        FS_PAGE_LIST(roles, role_count, tile_roles),
                                        FS_PAGE_LIST(chart, chart_count, chart),
                                        FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
