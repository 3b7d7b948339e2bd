/* What the page of a run shows: where a request's cycles go, what the queue loses, what that does to the
 * hits. */
#include "workloads/hierarchy/hierarchy.h"

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"units", "machine.traversal.units"}, {"queue", "machine.traversal.queue"}};
static const char *const questions[] = {"scene", "workload.rays", "workload.source", NULL};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("rays a second", "{rays.per_second|short}", .more = "{rays.count} rays in {device.seconds}"),
    FS_PAGE_CARD("requests of a ray", "{requests.per_ray|.1}",
                 .more = "{requests.nodes_per_ray|.1} nodes, {requests.leaves_per_ray|.1} leaves, "
                         "{requests.bytes_per_ray}"),
    FS_PAGE_CARD("cycles of a request", "{requests.cycles|.1}",
                 .more = "{requests.grant|.1} before the arbiter, {requests.memory|.1} in memory"),
    FS_PAGE_CARD("rays that lost entries", "{queue.rays_with_loss|%1}",
                 .more = "{queue.lost} entries; at most {queue.peak} held"),
    FS_PAGE_CARD("hits that are the nearest", "{hits.nearest|%1}",
                 .more = "of {hits.checked} rays; {hits.missed|%1} of the hits not found"),
    FS_PAGE_CARD("memory's bus at work", "{memory.bus_busy|%1}",
                 .more = "{memory.bytes} moved, {memory.bandwidth_used|%1} of the bandwidth"),
    FS_PAGE_CARD("board over processor", "{cpu.rays_ratio|.2}",
                 .more =
                     "the paper's processor would visit {cpu.visits_per_ray|short} nodes and leaves a ray"),
    FS_PAGE_CARD("device", "{resources.registers|%}",
                 .more = "of the registers, {resources.luts|%} of the look-up tables, "
                         "{resources.block_ram|%} of the block RAM"),
};

/* ---- pictures ---- */

static const fs_plan_panel image_panels[] = {
    FS_PAGE_PICTURE(
        "image", "What the engine hit", "image.png",
        .caption =
            "Brightness is the cosine between ray and triangle; {hits.share|%1} of the rays hit something.",
        .compared = "{hits.nearest|%1} of the hits are the nearest"),
    FS_PAGE_PICTURE("reference", "Nearest hits", "reference.png", .caption = "The nearest hits."),
    FS_PAGE_PICTURE("wrong", "Wrong hits", "wrong.png",
                    .caption = "Red: another triangle than the nearest. Yellow: nothing, where there is "
                               "something. {hits.wrong|%2} of the rays."),
};
static const fs_plan_section images =
    FS_PAGE_SECTION("images", "images", "Pictures", NULL, NULL, "wrong", image_panels);

/* ---- a request ---- */

static const fs_plan_column stage_columns[] = {
    FS_PAGE_COLUMN("stage", "stage", .form = "text"),
    FS_PAGE_COLUMN("cycles", "cycles of a request", .form = "bar", .unit = "cycles"),
    FS_PAGE_COLUMN("share", "share", .form = "share"),
};
static const fs_plan_section stages =
    FS_PAGE_ONE("table", "stages", "A request", "stages.csv",
                "Mean over all requests: from an entry out of the queue, through the arbiter, until the "
                "first byte, the last byte, and the last box or triangle out of its pipeline.",
                "request", stage_columns, .title = "Where a request's cycles go.",
                .compared = "Where a request's cycles go");

/* ---- over time: slices of two runs are of different lengths, so that no comparison shows them ---- */

static const fs_plan_column places[] = {
    FS_PAGE_COLUMN("busy", "units at work", .unit = "cycles", .colour = "compute"),
    FS_PAGE_COLUMN("grant", "before the arbiter", .unit = "cycles", .colour = "sync"),
    FS_PAGE_COLUMN("answer", "waiting for an answer", .unit = "cycles", .colour = "exchange"),
};
static const fs_plan_column shared[] = {
    FS_PAGE_COLUMN("bus", "memory's bus", .unit = "cycles", .colour = "role-0"),
    FS_PAGE_COLUMN("box", "box pipeline", .unit = "cycles", .colour = "role-1"),
    FS_PAGE_COLUMN("triangle", "triangle pipeline", .unit = "cycles", .colour = "role-2"),
};
static const fs_plan_panel time_panels[] = {
    FS_PAGE_PANEL("units", places,
                  .title = "What units do: {units.answer|%} of their cycles they wait for an answer, "
                           "{units.grant|%} for a grant",
                  .caption = "Cycles of all ray places in each slice of the run.",
                  .label = "{@scale}cycles of units", .form = "stacked"),
    FS_PAGE_PANEL("shared", shared, .label = "{@scale}cycles at work"),
};
static const fs_plan_section over_time =
    FS_PAGE_SECTION("series", "time", "Units over time", "time.csv", NULL, "limit", time_panels);

/* ---- queues ---- */

static const fs_plan_column queue_columns[] = {
    FS_PAGE_COLUMN("held", "entries in a queue after an answer", .unit = "answers", .colour = "role-0"),
    FS_PAGE_COLUMN("lost", "entries that a ray lost", .unit = "rays", .colour = "sync"),
    FS_PAGE_COLUMN("requests", "requests of a ray", .unit = "rays", .colour = "role-1"),
};
static const fs_plan_section queues = FS_PAGE_ONE(
    "distribution", "queues", "Queues", "distributions.csv", NULL, "loss", queue_columns,
    .label = "how often", .form = "log",
    .title = "How full queues are: {@held.mean|.1} entries in the mean, at most {@held.most}; "
             "{queue.rays_with_loss|%1} of the rays lost some",
    .caption = "Counts of answers and of rays, logarithmic. The last bar holds all values from 4,095 on.",
    .compared = "How full queues are");

static const fs_plan_column work_maps[] = {
    FS_PAGE_COLUMN("requests", "requests", .unit = "requests"),
    FS_PAGE_COLUMN("most", "entries held", .unit = "entries"),
};
static const fs_plan_column wrong_maps[] = {
    FS_PAGE_COLUMN("lost", "entries lost", .unit = "entries"),
    FS_PAGE_COLUMN("wrong", "wrong", .form = "told"),
};
static const fs_plan_panel pixel_panels[] = {
    FS_PAGE_PANEL(
        "work", work_maps,
        .title = "Where rays are long: {@requests.mean|.1} requests in the mean, at most {@requests.most}",
        .caption = "Requests of each pixel's ray, and the most entries that its queue held. Colours stop at "
                   "the 99.5th percentile.",
        .compared = "Where rays are long"),
    FS_PAGE_PANEL("lost", wrong_maps, .title = "Where queues lose entries",
                  .otherwise = "No queue loses an entry", .key = "lost",
                  .caption = "Entries that each pixel's ray lost."),
};
static const fs_plan_section pixels =
    FS_PAGE_SECTION("pixels", "pixels", "Pixels", "pixels.csv", NULL, NULL, pixel_panels);

/* ---- parts ---- */

static const fs_plan_column part_columns[] = {
    FS_PAGE_COLUMN("part", "part", .form = "text"),
    FS_PAGE_COLUMN("number", "number", .form = "whole"),
    FS_PAGE_COLUMN("busy input output idle", "work input output idle", .form = "stack", .unit = "cycles",
                   .colour = "compute exchange sync idle",
                   .hint = "cycles at work; waiting for input; waiting for output; idle"),
    FS_PAGE_COLUMN("share", "at work", .form = "share"),
};
static const fs_plan_section parts =
    FS_PAGE_ONE("table", "parts", "Parts", "units.csv",
                "For a unit, input is waiting for the memory's answer and output waiting for the arbiter. "
                "The four add up to the run.",
                NULL, part_columns, .title = "What each part does with its cycles.",
                .compared = "What each part does with its cycles");

static const fs_plan_column bank_columns[] = {
    FS_PAGE_COLUMN("bank", "bank", .form = "whole"),
    FS_PAGE_COLUMN("hits misses conflicts", "hits misses conflicts", .form = "stack", .unit = "bursts",
                   .colour = "good exchange bad",
                   .hint = "bursts that found their row open; no row open; another row open"),
    FS_PAGE_COLUMN("bursts", "bursts", .form = "bar", .unit = "bursts"),
};
static const fs_plan_section banks =
    FS_PAGE_ONE("table", "banks", "Memory", "banks.csv", NULL, "memory", bank_columns,
                .title = "Rows of the memory's banks.", .compared = "Rows of the memory's banks");

static const fs_plan_column resource_columns[] = {
    FS_PAGE_COLUMN("resource", "resource", .form = "text"),
    FS_PAGE_COLUMN("used", "used", .form = "short"),
    FS_PAGE_COLUMN("available", "of", .form = "short"),
    FS_PAGE_COLUMN("share", "share", .form = "share"),
};
static const fs_plan_section resources =
    FS_PAGE_ONE("table", "resources", "Device", "resources.csv",
                "Resource use, modelled as linear in units and queue entries; block RAM in bytes.", NULL,
                resource_columns, .title = "What the engine takes of its device.");

/* ---- other machines ---- */

static const fs_plan_column rate_columns[] = {
    FS_PAGE_COLUMN("rays.per_second", "this board", .colour = "good"),
    FS_PAGE_COLUMN("cpu.rays_per_second", "the paper's processor", .colour = "plain"),
    FS_PAGE_COLUMN("gpu.rays_per_second", "the paper's graphics card", .colour = "plain"),
    FS_PAGE_COLUMN("engine.link_rays", "what the link can bring", .colour = "bound"),
};
static const fs_plan_section rates = FS_PAGE_ONE("figures", "rates", "Beside other machines", NULL, NULL,
                                                 "others scene", rate_columns, .title = "Rays a second.");

static const fs_plan_column energy_columns[] = {
    {.column = "energy.parts.luts", .label = "look-up tables"},
    {.column = "energy.parts.registers", .label = "registers"},
    {.column = "energy.parts.dsps", .label = "multipliers"},
    {.column = "energy.parts.block_ram", .label = "block RAM"},
    {.column = "energy.parts.dram", .label = "the board's memory"},
    {.column = "energy.parts.host", .label = "the link"},
    {.column = "energy.parts.leakage", .label = "the device at rest"},
};
static const fs_plan_section energy = FS_PAGE_ONE(
    "figures", "energy", "Energy", NULL, NULL, "energy", energy_columns,
    .title = "Energy of the run: {energy.joules}, {energy.watts} on average, between {energy.watts_low} and "
             "{energy.watts_high} over the ranges of all prices, which are assumed.");

static const fs_plan_column peak_columns[] = {
    FS_PAGE_COLUMN("units.busy", "traversal units", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("arbiter.busy", "arbiter", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("pipelines.box", "box pipeline", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("pipelines.triangle", "triangle pipeline", .form = "share", .colour = "compute"),
    FS_PAGE_COLUMN("memory.bus_busy", "memory's bus", .form = "share", .colour = "exchange"),
    FS_PAGE_COLUMN("memory.bandwidth_used", "bandwidth of the memory", .form = "share", .colour = "exchange"),
    FS_PAGE_COLUMN("link.in", "link, rays in", .form = "share", .colour = "host"),
    FS_PAGE_COLUMN("link.out", "link, results out", .form = "share", .colour = "host"),
    FS_PAGE_COLUMN("resources.block_ram", "block RAM held", .form = "share", .colour = "role-2"),
};
static const fs_plan_section peak = FS_PAGE_ONE(
    "figures", "peak", "Speed of light", NULL, NULL, NULL, peak_columns,
    .label = "how much of each part's peak the run used",
    .title = "What the run took of each part, in per cent of what it could do in the run's time.");

static const fs_plan_clause verdict[] = {
    {.text = "{rays.per_second|si}rays/s ({device.seconds} for {rays.count} rays)"},
    {"{hits.wrong|%1} of the rays end with a wrong hit", "hits.wrong", 0.01},
    {"units wait for the arbiter in {units.grant|%0} of their time", "units.grant", 0.5},
    {"units wait for answers in {units.answer|%0} of their time", "units.answer", 0.5},
};
static const fs_plan_rung rungs[] = {
    FS_PAGE_RUNG("free_memory", "memory that answers at once", NULL, "a memory on the chip"),
    FS_PAGE_RUNG("free_pipelines", "pipelines of one stage", NULL, "shallower pipelines"),
    FS_PAGE_RUNG("endless_queue", "unbounded queues", NULL, "larger queues"),
    FS_PAGE_RUNG("endless_units", "256 units", NULL, "a larger device"),
    FS_PAGE_RUNG("free_arbiter", "more than one memory request in flight", NULL,
                 "a memory port that takes several requests"),
};
static const fs_plan_column chart[] = {
    FS_PAGE_COLUMN("units.busy", "units at work", .colour = "compute"),
    FS_PAGE_COLUMN("units.grant", "waiting for the arbiter", .colour = "sync"),
    FS_PAGE_COLUMN("units.answer", "waiting for the answer", .colour = "exchange"),
    FS_PAGE_COLUMN("units.idle", "without a ray", .colour = "idle"),
};

static const fs_plan_section *const sections[] = {&fs_page_findings,
                                                  &fs_page_summary,
                                                  &images,
                                                  &stages,
                                                  &over_time,
                                                  &queues,
                                                  &pixels,
                                                  &peak,
                                                  &parts,
                                                  &banks,
                                                  &rates,
                                                  &resources,
                                                  &energy,
                                                  &fs_page_ladder,
                                                  &fs_page_settings,
                                                  &fs_page_files};

const fs_page_plan fs_hierarchy_page = {.workload = "hierarchy",
                                        .subject = "the rays",
                                        .questions = questions,
                                        FS_PAGE_LIST(chart, chart_count, chart),
                                        FS_PAGE_LISTS(settings, cards, verdict, rungs, sections)};
