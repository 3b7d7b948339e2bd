/* What the page of a traffic run shows: load and latency first, then the machine. */
#include "models/ipu/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "models/overlay/overlay_page.h"
#include "workloads/traffic/traffic.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"overlay", "overlay.kind"}, {"pattern", "workload.pattern"}};

static const fs_plan_card cards[] = {
    {.label = "load accepted",
     .value = "{load.accepted|3}",
     .more = "{load.offered|3} offered; bound {load.bound|3}"},
    {.label = "latency",
     .value = "{latency.mean|whole}",
     .more = "cycles, mean; {latency.zero_load|whole} when alone"},
    {.label = "slowest in a hundred", .value = "{latency.p99}", .more = "cycles; at most {latency.max}"},
    {.label = "rays", .value = "{rays.delivered}", .more = "delivered; {rays.refused} refused"},
    {.label = "way of a ray", .value = "{hops.mean|3}", .more = "lanes, mean; at most {hops.max}"},
    {.label = "busiest port",
     .value = "{ports.busiest_share|%}",
     .more = "of the exchange; {ports.busiest_role} {ports.busiest_tile|.0}, {ports.busiest_side}"},
    FS_MACHINE_TIME_CARD,
    FS_MACHINE_ITERATIONS_CARD,
    {FS_MACHINE_MEMORY_CARD, .when = "memory.peak_bytes"},
};

static const fs_plan_part parts[] = {
    {"injection", "warm-up", "the network fills; its rays are not measured", "parts.injection_iterations",
     "measured from here", "parts.injection_cycles", "the warm-up"},
    {"steady", "measurement", "rays born here make the latency and the load", "parts.steady_iterations",
     "last rays made", "parts.steady_cycles", "the measurement"},
    {"drain", "drain", "after the last ray was made", "parts.drain_iterations", NULL, "parts.drain_cycles",
     "the drain"},
};

static const char *const questions[] = {"workload.pattern", "workload.hotspot", "workload.load",
                                        "workload.rate",    "run.seed",         NULL};

static const fs_plan_column summed[] = {
    {.column = "generated", .label = "rays made"},
    {.column = "refused", .label = "rays refused"},
    {.column = "finished", .label = "rays delivered"},
    {.column = "in_flight", .label = "rays in flight", .form = "mean"},
    {.column = "backlog", .label = "rays waiting for room", .form = "mean"}};
static const fs_plan_panel summary_panels[] = {
    {.name = "parts", .columns = summed, .column_count = COUNT(summed)}};
static const fs_plan_section summary = {.kind = "summary",
                                        .id = "summary",
                                        .title = "Summary",
                                        .panels = summary_panels,
                                        .panel_count = COUNT(summary_panels)};

/* ---- load ---- */

static const fs_plan_column load_columns[] = {
    {.column = "load.offered", .label = "offered", .colour = "plain"},
    {.column = "load.accepted", .label = "accepted", .colour = "good"},
    {.column = "load.bound", .label = "bound", .colour = "bound"}};
static const fs_plan_column ray_columns[] = {
    {.column = "rays.made", .label = "made", .colour = "plain"},
    {.column = "rays.refused", .label = "refused: their source was too far behind", .colour = "bad"},
    {.column = "rays.delivered", .label = "delivered", .colour = "good"},
    {.column = "rays.in_flight", .label = "still under way at the end", .colour = "plain"}};
static const fs_plan_panel load_panels[] = {
    {.name = "load",
     .title = "Load of a source, in rays for each thousand cycles of the measurement.",
     .columns = load_columns,
     .column_count = COUNT(load_columns)},
    {.name = "rays",
     .title = "Rays of the whole run.",
     .columns = ray_columns,
     .column_count = COUNT(ray_columns)}};
static const fs_plan_section load = {.kind = "figures",
                                     .id = "load",
                                     .title = "Load",
                                     .findings = "throughput port",
                                     .panels = load_panels,
                                     .panel_count = COUNT(load_panels)};

/* ---- latency ---- */

static const fs_plan_column latency_columns[] = {
    {.column = "latency", .label = "latency, cycles", .unit = "rays", .colour = "role-0"}};
static const fs_plan_panel latency_panels[] = {
    {.name = "latency",
     .label = "rays",
     .title = "How long a ray is under way: {@latency.mean|whole} cycles in the mean, one in a hundred more "
              "than {@latency.late}",
     .caption =
         "Rays by their cycles from birth to arrival; half take at most {@latency.median}, the slowest "
         "{@latency.most}. Alone on the chip: {latency.zero_load|whole}.",
     .compared = "How long rays are under way",
     .columns = latency_columns,
     .column_count = COUNT(latency_columns)}};
static const fs_plan_section latency = {.kind = "distribution",
                                        .id = "distributions",
                                        .title = "Latency",
                                        .file = "distributions.csv",
                                        .findings = "latency",
                                        .panels = latency_panels,
                                        .panel_count = COUNT(latency_panels)};

/* ---- iterations ---- */

static const fs_plan_column slowest[] = {FS_OVERLAY_SLOWEST_TRACER, FS_OVERLAY_SLOWEST_ROUTER};
static const fs_plan_column flow[] = {
    {.column = "generated", .label = "made", .unit = "rays", .colour = "role-0"},
    {.column = "finished", .label = "delivered", .unit = "rays", .colour = "role-2"},
    {.column = "refused", .label = "refused", .unit = "rays", .colour = "sync"}};
static const fs_plan_column held[] = {
    {.column = "rays_tracers", .label = "at tracers", .unit = "rays", .colour = "role-0"},
    {.column = "rays_level_*", .label = "at routers, level *", .unit = "rays", .colour = "role-1"},
    {.column = "rays_generator", .label = "at the top", .unit = "rays", .colour = "role-2"},
    {.column = "backlog", .label = "waiting for room", .unit = "rays", .colour = "ink", .form = "line"},
    {.column = "in_flight", .label = "in flight", .unit = "rays", .form = "told"}};
static const fs_plan_panel series_panels[] = {
    FS_MACHINE_PHASES_PANEL("the rays wait"),
    {.name = "slowest",
     .label = "slowest tile, {@scale}cycles",
     .columns = slowest,
     .column_count = COUNT(slowest)},
    {.name = "flow",
     .compared = "Rays made, delivered and refused, iteration by iteration",
     .label = "{@scale}rays an iteration",
     .columns = flow,
     .column_count = COUNT(flow)},
    {.name = "rays",
     .label = "{@scale}rays in queues",
     .compared = "Where rays are, iteration by iteration",
     .form = "stacked",
     .columns = held,
     .column_count = COUNT(held)}};
static const fs_plan_section series = {.kind = "series",
                                       .id = "iterations",
                                       .title = "Iterations",
                                       .file = "iterations.csv",
                                       .findings = "pace",
                                       .panels = series_panels,
                                       .panel_count = COUNT(series_panels)};

static const fs_plan_clause verdict[] = {
    {.text =
         "{load.accepted|3} rays a thousand cycles and source arrive ({device.rays_per_second|si}rays/s), "
         "{latency.mean|whole} cycles after their birth"},
    {"{rays.refused} rays were refused", "rays.refused", 1},
    {"the busiest port moves words in {ports.busiest_share|%0} of the exchange", "ports.busiest_share", 0.5},
};

static const fs_plan_section *const sections[] = {
    &fs_page_findings,
    &summary,
    &load,
    &latency,
    &series,
    FS_MACHINE_CHIP_SECTIONS,
    &fs_overlay_visits,
    &fs_overlay_levels,
    &fs_overlay_lanes,
    &fs_page_memory,
    &fs_page_settings,
    &fs_page_files,
};

const fs_page_plan fs_traffic_page = {
    .workload = "traffic",
    .subject = "the rays",
    .warning = "The run is not complete: not every ray was delivered before its end.",
    .questions = questions,
    .settings = settings,
    .setting_count = COUNT(settings),
    .cards = cards,
    .card_count = COUNT(cards),
    .parts = parts,
    .part_count = COUNT(parts),
    FS_OVERLAY_PLAN,
    .verdict = verdict,
    .verdict_count = COUNT(verdict),
    .rungs = fs_machine_rungs,
    .rung_count = FS_MACHINE_RUNGS,
    .sections = sections,
    .section_count = COUNT(sections),
};
