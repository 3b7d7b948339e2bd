/* What the page of a run shows: where a request's cycles go, what the queue loses, what that does to the
 * hits. */
#include "workloads/hierarchy/hierarchy.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"units", "machine.traversal.units"}, {"queue", "machine.traversal.queue"}};
static const char *const questions[] = {"scene", "workload.rays", "workload.source", NULL};

static const fs_plan_card cards[] = {
    {.label = "rays a second",
     .value = "{rays.per_second|short}",
     .more = "{rays.count} rays in {device.seconds}"},
    {.label = "requests of a ray",
     .value = "{requests.per_ray|.1}",
     .more =
         "{requests.nodes_per_ray|.1} nodes, {requests.leaves_per_ray|.1} leaves, {requests.bytes_per_ray}"},
    {.label = "cycles of a request",
     .value = "{requests.cycles|.1}",
     .more = "{requests.grant|.1} before the grant, {requests.memory|.1} in memory"},
    {.label = "rays that lost entries",
     .value = "{queue.rays_with_loss|%1}",
     .more = "{queue.lost} entries; at most {queue.peak} held"},
    {.label = "hits that are the nearest",
     .value = "{hits.nearest|%1}",
     .more = "of {hits.checked} rays; {hits.missed|%1} of the hits not found"},
    {.label = "memory's bus at work",
     .value = "{memory.bus_busy|%1}",
     .more = "{memory.bytes} moved, {memory.bandwidth_used|%1} of the bandwidth"},
    {.label = "board over processor",
     .value = "{cpu.rays_ratio|.2}",
     .more = "the paper's processor would visit {cpu.visits_per_ray|short} nodes and leaves a ray"},
    {.label = "device",
     .value = "{resources.registers|%}",
     .more = "of the registers, {resources.luts|%} of the "
             "look-up tables, {resources.block_ram|%} of "
             "the block RAM"},
};

/* ---- pictures ---- */

static const fs_plan_panel image_panels[] = {
    {.name = "image",
     .label = "What the engine hit",
     .file = "image.png",
     .caption =
         "Brightness is the cosine between ray and triangle; {hits.share|%1} of the rays hit something.",
     .compared = "{hits.nearest|%1} of the hits are the nearest"},
    {.name = "reference", .label = "What there is", .file = "reference.png", .caption = "The nearest hits."},
    {.name = "wrong",
     .label = "Wrong hits",
     .file = "wrong.png",
     .caption = "Red: another triangle than the nearest. Yellow: nothing, where there is something. "
                "{hits.wrong|%2} of the rays."}};
static const fs_plan_section images = {.kind = "images",
                                       .id = "images",
                                       .title = "Pictures",
                                       .findings = "wrong",
                                       .panels = image_panels,
                                       .panel_count = COUNT(image_panels)};

/* ---- a request ---- */

static const fs_plan_column stage_columns[] = {
    {.column = "stage", .label = "stage", .form = "text"},
    {.column = "cycles", .label = "cycles of a request", .form = "bar", .unit = "cycles"},
    {.column = "share", .label = "share", .form = "share"}};
static const fs_plan_panel stage_panels[] = {{.name = "stages",
                                              .title = "Where a request's cycles go.",
                                              .compared = "Where a request's cycles go",
                                              .columns = stage_columns,
                                              .column_count = COUNT(stage_columns)}};
static const fs_plan_section stages = {.kind = "table",
                                       .id = "stages",
                                       .title = "A request",
                                       .file = "stages.csv",
                                       .words =
                                           "Mean over all requests: from an entry out of the queue, through "
                                           "the arbiter, until the first byte, the "
                                           "last byte, and the last box or triangle out of its pipeline.",
                                       .findings = "request",
                                       .panels = stage_panels,
                                       .panel_count = COUNT(stage_panels)};

/* ---- over time: slices of two runs are of different lengths, so that no comparison shows them ---- */

static const fs_plan_column places[] = {
    {.column = "busy", .label = "units at work", .unit = "cycles", .colour = "compute"},
    {.column = "grant", .label = "before the arbiter", .unit = "cycles", .colour = "sync"},
    {.column = "answer", .label = "waiting for an answer", .unit = "cycles", .colour = "exchange"}};
static const fs_plan_column shared[] = {
    {.column = "bus", .label = "memory's bus", .unit = "cycles", .colour = "role-0"},
    {.column = "box", .label = "box pipeline", .unit = "cycles", .colour = "role-1"},
    {.column = "triangle", .label = "triangle pipeline", .unit = "cycles", .colour = "role-2"}};
static const fs_plan_panel time_panels[] = {
    {.name = "units",
     .title = "What units do: {units.answer|%} of their cycles they "
              "wait for an answer, {units.grant|%} for a grant",
     .caption = "Cycles of all ray places in each slice of the run.",
     .label = "{@scale}cycles of units",
     .form = "stacked",
     .columns = places,
     .column_count = COUNT(places)},
    {.name = "shared", .label = "{@scale}cycles at work", .columns = shared, .column_count = COUNT(shared)}};
static const fs_plan_section over_time = {.kind = "series",
                                          .id = "time",
                                          .title = "Units over time",
                                          .file = "time.csv",
                                          .findings = "limit",
                                          .panels = time_panels,
                                          .panel_count = COUNT(time_panels)};

/* ---- queues ---- */

static const fs_plan_column queue_columns[] = {
    {.column = "held", .label = "entries in a queue behind an answer", .unit = "answers", .colour = "role-0"},
    {.column = "lost", .label = "entries that a ray lost", .unit = "rays", .colour = "sync"},
    {.column = "requests", .label = "requests of a ray", .unit = "rays", .colour = "role-1"}};
static const fs_plan_panel queue_panels[] = {
    {.name = "queues",
     .label = "how often",
     .form = "log",
     .title = "How full queues are: {@held.mean|.1} entries in the mean, at most {@held.most}; "
              "{queue.rays_with_loss|%1} "
              "of the rays lost some",
     .caption = "Counts of answers and of rays, logarithmic. Values from 4,095 on count as 4,095.",
     .compared = "How full queues are",
     .columns = queue_columns,
     .column_count = COUNT(queue_columns)}};
static const fs_plan_section queues = {.kind = "distribution",
                                       .id = "queues",
                                       .title = "Queues",
                                       .file = "distributions.csv",
                                       .findings = "loss",
                                       .panels = queue_panels,
                                       .panel_count = COUNT(queue_panels)};

static const fs_plan_column work_maps[] = {{.column = "requests", .label = "requests", .unit = "requests"},
                                           {.column = "most", .label = "entries held", .unit = "entries"}};
static const fs_plan_column wrong_maps[] = {{.column = "lost", .label = "entries lost", .unit = "entries"},
                                            {.column = "wrong", .label = "wrong", .form = "told"}};
static const fs_plan_panel pixel_panels[] = {
    {.name = "work",
     .title = "Where rays are long: {@requests.mean|.1} requests in the mean, at most {@requests.most}",
     .caption =
         "Requests of each pixel's ray, and the most entries that its queue held. Colours stop at the 99.5th "
         "percentile.",
     .compared = "Where rays are long",
     .columns = work_maps,
     .column_count = COUNT(work_maps)},
    {.name = "lost",
     .title = "Where queues lose entries",
     .otherwise = "No queue loses an entry",
     .key = "lost",
     .caption = "Entries that each pixel's ray lost.",
     .columns = wrong_maps,
     .column_count = COUNT(wrong_maps)}};
static const fs_plan_section pixels = {.kind = "pixels",
                                       .id = "pixels",
                                       .title = "Pixels",
                                       .file = "pixels.csv",
                                       .panels = pixel_panels,
                                       .panel_count = COUNT(pixel_panels)};

/* ---- parts ---- */

static const fs_plan_column part_columns[] = {
    {.column = "part", .label = "part", .form = "text"},
    {.column = "number", .label = "number", .form = "whole"},
    {.column = "busy input output idle",
     .label = "work input output idle",
     .form = "stack",
     .unit = "cycles",
     .colour = "compute exchange sync idle",
     .hint = "cycles at work; waiting for input; waiting for output; idle"},
    {.column = "share", .label = "at work", .form = "share"}};
static const fs_plan_panel part_panels[] = {{.name = "parts",
                                             .title = "What each part does with its cycles.",
                                             .compared = "What each part does with its cycles",
                                             .columns = part_columns,
                                             .column_count = COUNT(part_columns)}};
static const fs_plan_section parts = {
    .kind = "table",
    .id = "parts",
    .title = "Parts",
    .file = "units.csv",
    .words =
        "A unit's input is its answer, its output a request that is not granted. The four add up to the run.",
    .panels = part_panels,
    .panel_count = COUNT(part_panels)};

static const fs_plan_column bank_columns[] = {
    {.column = "bank", .label = "bank", .form = "whole"},
    {.column = "hits misses conflicts",
     .label = "hits misses conflicts",
     .form = "stack",
     .unit = "bursts",
     .colour = "good exchange bad",
     .hint = "bursts that found their row open; no row open; another row open"},
    {.column = "bursts", .label = "bursts", .form = "bar", .unit = "bursts"}};
static const fs_plan_panel bank_panels[] = {{.name = "banks",
                                             .title = "Rows of the memory's banks.",
                                             .compared = "Rows of the memory's banks",
                                             .columns = bank_columns,
                                             .column_count = COUNT(bank_columns)}};
static const fs_plan_section banks = {.kind = "table",
                                      .id = "banks",
                                      .title = "Memory",
                                      .file = "banks.csv",
                                      .findings = "memory",
                                      .panels = bank_panels,
                                      .panel_count = COUNT(bank_panels)};

static const fs_plan_column resource_columns[] = {{.column = "resource", .label = "resource", .form = "text"},
                                                  {.column = "used", .label = "used", .form = "short"},
                                                  {.column = "available", .label = "of", .form = "short"},
                                                  {.column = "share", .label = "share", .form = "share"}};
static const fs_plan_panel resource_panels[] = {{.name = "resources",
                                                 .title = "What the engine takes of its device.",
                                                 .columns = resource_columns,
                                                 .column_count = COUNT(resource_columns)}};
static const fs_plan_section resources = {
    .kind = "table",
    .id = "resources",
    .title = "Device",
    .file = "resources.csv",
    .words = "By linear rules in units and entries of queues; block RAM in bytes.",
    .panels = resource_panels,
    .panel_count = COUNT(resource_panels)};

/* ---- other machines ---- */

static const fs_plan_column rate_columns[] = {
    {.column = "rays.per_second", .label = "this board", .colour = "good"},
    {.column = "cpu.rays_per_second", .label = "the paper's processor", .colour = "plain"},
    {.column = "gpu.rays_per_second", .label = "the paper's graphics card", .colour = "plain"},
    {.column = "engine.link_rays", .label = "what the link can bring", .colour = "bound"}};
static const fs_plan_panel rate_panels[] = {{.name = "rates",
                                             .title = "Rays a second.",
                                             .columns = rate_columns,
                                             .column_count = COUNT(rate_columns)}};
static const fs_plan_section rates = {.kind = "figures",
                                      .id = "rates",
                                      .title = "Beside other machines",
                                      .findings = "others scene",
                                      .panels = rate_panels,
                                      .panel_count = COUNT(rate_panels)};

static const fs_plan_column energy_columns[] = {
    {.column = "energy.parts.luts", .label = "look-up tables"},
    {.column = "energy.parts.registers", .label = "registers"},
    {.column = "energy.parts.dsps", .label = "multipliers"},
    {.column = "energy.parts.block_ram", .label = "block RAM"},
    {.column = "energy.parts.dram", .label = "the board's memory"},
    {.column = "energy.parts.host", .label = "the link"},
    {.column = "energy.parts.leakage", .label = "the device at rest"}};
static const fs_plan_panel energy_panels[] = {
    {.name = "energy",
     .title = "Energy of the run: {energy.joules}, {energy.watts} on average, between {energy.watts_low} and "
              "{energy.watts_high} over the ranges of all prices, which are assumed.",
     .columns = energy_columns,
     .column_count = COUNT(energy_columns)}};
static const fs_plan_section energy = {.kind = "figures",
                                       .id = "energy",
                                       .title = "Energy",
                                       .findings = "energy",
                                       .panels = energy_panels,
                                       .panel_count = COUNT(energy_panels)};

static const fs_plan_column peak_columns[] = {
    {.column = "units.busy", .label = "traversal units", .form = "share", .colour = "compute"},
    {.column = "arbiter.busy", .label = "arbiter", .form = "share", .colour = "compute"},
    {.column = "pipelines.box", .label = "box pipeline", .form = "share", .colour = "compute"},
    {.column = "pipelines.triangle", .label = "triangle pipeline", .form = "share", .colour = "compute"},
    {.column = "memory.bus_busy", .label = "memory's bus", .form = "share", .colour = "exchange"},
    {.column = "memory.bandwidth_used",
     .label = "bandwidth of the memory",
     .form = "share",
     .colour = "exchange"},
    {.column = "link.in", .label = "link, rays in", .form = "share", .colour = "host"},
    {.column = "link.out", .label = "link, results out", .form = "share", .colour = "host"},
    {.column = "resources.block_ram", .label = "block RAM held", .form = "share", .colour = "role-2"}};
static const fs_plan_panel peak_panels[] = {
    {.name = "peak",
     .label = "how much of each part's peak the run used",
     .title = "What the run took of each part, in per cent of what it could do in the run's time.",
     .columns = peak_columns,
     .column_count = COUNT(peak_columns)}};
static const fs_plan_section peak = {.kind = "figures",
                                     .id = "peak",
                                     .title = "Speed of light",
                                     .panels = peak_panels,
                                     .panel_count = COUNT(peak_panels)};

static const fs_plan_clause verdict[] = {
    {.text = "{rays.per_second|si}rays/s ({device.seconds} for {rays.count} rays)"},
    {"{hits.wrong|%1} of the rays end with a wrong hit", "hits.wrong", 0.01},
    {"units wait for the grant in {units.grant|%0} of their time", "units.grant", 0.5},
    {"units wait for answers in {units.answer|%0} of their time", "units.answer", 0.5},
};
static const fs_plan_rung rungs[] = {
    {"free_memory", "memory that answers at once"},
    {"free_pipelines", "pipelines of one stage"},
    {"endless_queue", "queues without end"},
    {"endless_units", "256 units"},
    {"free_arbiter", "as many requests under way as units ask for"},
};
static const fs_plan_column chart[] = {
    {.column = "units.busy", .label = "units at work", .colour = "compute"},
    {.column = "units.grant", .label = "waiting for the grant", .colour = "sync"},
    {.column = "units.answer", .label = "waiting for the answer", .colour = "exchange"},
    {.column = "units.idle", .label = "without a ray", .colour = "idle"}};

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
                                        .settings = settings,
                                        .setting_count = COUNT(settings),
                                        .cards = cards,
                                        .card_count = COUNT(cards),
                                        .verdict = verdict,
                                        .verdict_count = COUNT(verdict),
                                        .rungs = rungs,
                                        .rung_count = COUNT(rungs),
                                        .chart = chart,
                                        .chart_count = COUNT(chart),
                                        .sections = sections,
                                        .section_count = COUNT(sections)};
