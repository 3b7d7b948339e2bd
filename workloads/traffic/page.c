/* What the page of a traffic run shows: load and latency first, then the machine. */
#include "models/ipu/tables/machine_page.h"
#include "models/ipu/tables/power_tables.h"
#include "models/overlay/overlay_figures.h"
#include "workloads/traffic/traffic.h"

static const fs_plan_setting settings[] = {
    {"machine", "machine.name"}, {"overlay", "overlay.kind"}, {"pattern", "workload.pattern"}};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("load accepted", "{load.accepted|3} rays",
                 .more = "per 1,000 cycles and source; {load.offered|3} offered, {load.bound|3} at most"),
    FS_PAGE_CARD("latency", "{latency.mean|whole}",
                 .more = "cycles, mean; {latency.zero_load|whole} when alone"),
    FS_PAGE_CARD("slowest in a hundred", "{latency.p99}", .more = "cycles; the slowest {latency.max} cycles"),
    FS_PAGE_CARD("rays", "{rays.delivered}", .more = "delivered; {rays.refused} refused"),
    FS_PAGE_CARD("way of a ray", "{hops.mean|3}", .more = "lanes, mean; at most {hops.max}"),
    FS_PAGE_CARD("busiest port", "{ports.busiest_share|%}",
                 .more =
                     "of the exchange; {ports.busiest_role} {ports.busiest_tile|.0}, {ports.busiest_side}"),
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
    FS_PAGE_COLUMN("in_flight", "rays in flight", .form = "mean"),
    FS_PAGE_COLUMN("backlog", "rays waiting for room", .form = "mean"),
};
static const fs_plan_panel summary_panels[] = {
    {.name = "parts", FS_PAGE_LIST(columns, column_count, summed)}};
static const fs_plan_section summary =
    FS_PAGE_SECTION("summary", "summary", "Summary", NULL, NULL, NULL, summary_panels);

/* ---- load ---- */

static const fs_plan_column load_columns[] = {
    FS_PAGE_COLUMN("load.offered", "offered", .colour = "plain"),
    FS_PAGE_COLUMN("load.accepted", "accepted", .colour = "good"),
    FS_PAGE_COLUMN("load.bound", "bound", .colour = "bound"),
};
static const fs_plan_column ray_columns[] = {
    FS_PAGE_COLUMN("rays.made", "made", .colour = "plain"),
    FS_PAGE_COLUMN("rays.refused", "refused: their source was too far behind", .colour = "bad"),
    FS_PAGE_COLUMN("rays.delivered", "delivered", .colour = "good"),
    FS_PAGE_COLUMN("rays.in_flight", "still under way at the end", .colour = "plain"),
};
static const fs_plan_panel load_panels[] = {
    FS_PAGE_PANEL("load", load_columns,
                  .title = "Load of a source, in rays for each thousand cycles of the measurement."),
    FS_PAGE_PANEL("rays", ray_columns, .title = "Rays of the whole run."),
};
static const fs_plan_section load =
    FS_PAGE_SECTION("figures", "load", "Load", NULL, NULL, "throughput port", load_panels);

/* ---- latency ---- */

static const fs_plan_column latency_columns[] = {
    FS_PAGE_COLUMN("latency", "latency, cycles", .unit = "rays", .colour = "role-0"),
};
static const fs_plan_panel latency_panels[] = {
    FS_PAGE_PANEL(
        "latency", latency_columns, .label = "rays",
        .title = "A ray takes {latency.mean|whole} cycles on average, one in a hundred more than "
                 "{latency.p99} cycles",
        .caption =
            "Rays by their cycles from birth to arrival; half take at most {@latency.median} cycles, the "
            "slowest {latency.max} cycles. Alone on the chip: {latency.zero_load|whole} cycles.",
        .compared = "How long rays are under way"),
};
static const fs_plan_section latency = FS_PAGE_SECTION("distribution", "distributions", "Latency",
                                                       "distributions.csv", NULL, "latency", latency_panels);

/* ---- iterations ---- */

static const fs_plan_column slowest[] = {
    FS_OVERLAY_SLOWEST_TRACER,
    FS_OVERLAY_SLOWEST_ROUTER,
};
static const fs_plan_column flow[] = {
    FS_PAGE_COLUMN("generated", "made", .unit = "rays", .colour = "role-0"),
    FS_PAGE_COLUMN("finished", "delivered", .unit = "rays", .colour = "role-2"),
    FS_PAGE_COLUMN("refused", "refused", .unit = "rays", .colour = "sync"),
};
static const fs_plan_column held[] = {
    FS_PAGE_COLUMN("rays_tracers", "at tracers", .unit = "rays", .colour = "role-0"),
    FS_PAGE_COLUMN("rays_level_*", "at routers, level *", .unit = "rays", .colour = "role-1"),
    FS_PAGE_COLUMN("rays_generator", "at the top", .unit = "rays", .colour = "role-2"),
    FS_PAGE_COLUMN("backlog", "waiting for room", .unit = "rays", .colour = "ink", .form = "line"),
    FS_PAGE_COLUMN("in_flight", "in flight", .unit = "rays", .form = "told"),
};
static const fs_plan_panel series_panels[] = {
    FS_MACHINE_PHASES_PANEL,
    FS_PAGE_PANEL("slowest", slowest, .label = "slowest tile, {@scale}cycles"),
    FS_PAGE_PANEL("flow", flow, .compared = "Rays made, delivered and refused, iteration by iteration",
                  .label = "{@scale}rays an iteration"),
    FS_PAGE_PANEL("rays", held, .label = "{@scale}rays in queues",
                  .compared = "Where rays are, iteration by iteration", .form = "stacked"),
};
static const fs_plan_section series =
    FS_PAGE_SECTION("series", "iterations", "Iterations", "iterations.csv", NULL, "pace", series_panels);

static const fs_plan_clause verdict[] = {
    {.text = "Each source delivers {load.accepted|3} rays per 1,000 cycles "
             "({device.rays_per_second|si}rays/s in all); "
             "a ray takes {latency.mean|whole} cycles"},
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
    FS_PAGE_LIST(parts, part_count, parts),
    FS_OVERLAY_PLAN,
    FS_PAGE_LISTS(settings, cards, verdict, fs_machine_rungs, sections)};
