/* What the page of a fabric run shows: load and latency first, then the links. */
#include "models/ipu/tables/network_figures.h"
#include "sim/results/page_plan.h"
#include "workloads/packets/packets.h"
#include "workloads/packets/run.h"

static const fs_plan_setting settings[] = {{"machine", "machine.name"},
                                           {"topology", "machine.exchange.noc.topology"},
                                           {"pattern", "workload.pattern"}};

static const fs_plan_card cards[] = {
    FS_PAGE_CARD("load accepted", "{load.accepted|3} flits",
                 .more = "a cycle and node; {load.offered|3} offered, {load.bound|3} at most",
                 .otherwise = "a cycle and node"),
    FS_PAGE_CARD("latency", "{latency.mean|3}", .more = "cycles, mean; {latency.zero_load|3} when alone"),
    FS_PAGE_CARD("slowest in a hundred", "{latency.p99}", .more = "cycles; the slowest {latency.max} cycles",
                 .when = "packets.delivered"),
    FS_PAGE_CARD("way of a packet", "{hops.mean|3}", .more = "routers, mean; at most {hops.max}"),
    FS_PAGE_CARD("busiest link", "{links.busiest_share|%}",
                 .more = "of the cycles; {links.balance|2} times the mean link"),
    FS_PAGE_CARD("energy of a packet", "{energy.joules_packet}",
                 .more = "{energy.watts} for the network; {area.parts.routers|3} mm2 of routers"),
    FS_PAGE_CARD("packets", "{packets.delivered}", .more = "measured, arrived; {packets.made} made in all",
                 .when = "packets.made"),
    FS_PAGE_CARD("calling node", "{stream.rate|3} B a cycle",
                 .more = "{stream.bytes} of all, in {device.seconds}", .when = "stream.bytes"),
    FS_PAGE_CARD("by its stamps", "{trace.recorded|whole} cycles", .more = "here {stream.cycles|whole}",
                 .when = "trace.recorded"),
    FS_PAGE_CARD("bound by", "{trace.binds}",
                 .more = "the busiest link's data take {trace.link_alone|whole} cycles alone",
                 .when = "trace.bytes"),
    FS_PAGE_CARD("a first-order model", "{trace.first_order|whole} cycles",
                 .more = "by flits {stream.cycles|whole}", .when = "trace.first_order"),
};

/* ---- load ---- */

static const fs_plan_column load_columns[] = {
    FS_PAGE_COLUMN("load.offered", "offered", .colour = "plain"),
    FS_PAGE_COLUMN("load.accepted", "accepted", .colour = "good"),
    FS_PAGE_COLUMN("load.bound", "bound", .colour = "bound"),
};
static const fs_plan_column latency_parts[] = {
    FS_PAGE_COLUMN("latency.queue", "at the source", .colour = "bad"),
    FS_PAGE_COLUMN("latency.network", "in the network", .colour = "plain"),
    FS_PAGE_COLUMN("latency.serial", "flits behind the head", .colour = "good"),
    FS_PAGE_COLUMN("latency.zero_load", "all of a packet alone", .colour = "bound"),
};
static const fs_plan_column stall_columns[] = {
    FS_PAGE_COLUMN("stalls.no_credit", "no room behind the link", .colour = "bad"),
    FS_PAGE_COLUMN("stalls.no_channel", "no free channel", .colour = "plain"),
    FS_PAGE_COLUMN("stalls.lost", "another channel won", .colour = "plain"),
};
static const fs_plan_panel load_panels[] = {
    FS_PAGE_PANEL("load", load_columns,
                  .title = "Load of a node, in flits for each cycle of the measurement."),
    FS_PAGE_PANEL("where", latency_parts, .title = "Cycles of a packet, by where it spends them."),
    FS_PAGE_PANEL("stalls", stall_columns,
                  .title = "Cycles that a flit waits at each link, by what it waits for."),
};
static const fs_plan_section load = FS_PAGE_SECTION("figures", "load", "Load", NULL, NULL,
                                                    "throughput calls link cut waits reach", load_panels);

/* ---- the knee ---- */

static const fs_plan_column curve_columns[] = {
    FS_PAGE_COLUMN("load", "load", .unit = "flits a cycle and node"),
    FS_PAGE_COLUMN("latency", "latency", .unit = "cycles"),
    FS_PAGE_COLUMN("knee", "knee", .unit = ""),
};
static const fs_plan_line curve_lines[] = {
    {"across", "latency.zero_load", "a packet alone", 1},
    {"across", "latency.zero_load", "three times that", FS_PACKETS_KNEE},
    {"up", "load.bound", "bound", 1},
};
static const fs_plan_panel curve_panels[] = {
    FS_PAGE_PANEL(
        "knee", curve_columns,
        .title =
            "The knee lies at a load of {@x|3}: a packet takes {@y|3} cycles, alone {latency.zero_load|3}",
        .otherwise = "The curve has no knee: packets stay below three times their time alone",
        .compared = "Latency against load",
        .caption =
            "Loads that the search tried. The ring: the greatest one at which the mean latency is less than "
            "three times that of a packet alone; the run is at that load. The busiest link saturates at the "
            "bound.",
        FS_PAGE_LIST(lines, line_count, curve_lines)),
};
static const fs_plan_section curve = {.kind = "curve",
                                      .id = "curve",
                                      .title = "Latency against load",
                                      .file = "curve.csv",
                                      .when = "workload.load=find",
                                      FS_PAGE_LIST(panels, panel_count, curve_panels)};

/* ---- latency ---- */

static const fs_plan_column latency_columns[] = {
    FS_PAGE_COLUMN("latency", "latency, cycles", .unit = "packets", .colour = "role-0"),
};
static const fs_plan_column router_columns[] = {
    FS_PAGE_COLUMN("routers", "routers", .unit = "packets", .colour = "role-1"),
};
static const fs_plan_panel latency_panels[] = {
    FS_PAGE_PANEL("latency", latency_columns, .label = "packets",
                  .title = "A packet takes {latency.mean|3} cycles on average, one in a hundred more than "
                           "{latency.p99} cycles",
                  .caption =
                      "Packets by their cycles from making to the last flit; half take at most {latency.p50} "
                      "cycles, the slowest {latency.max} cycles. Alone: {latency.zero_load|3} cycles.",
                  .compared = "How long packets are under way"),
    FS_PAGE_PANEL("routers", router_columns, .label = "packets",
                  .title = "A packet passes {hops.mean|3} routers",
                  .caption = "Packets by the routers that they pass, the last one included.",
                  .compared = "How many routers packets pass"),
};
static const fs_plan_section latency = FS_PAGE_SECTION("distribution", "distributions", "Latency",
                                                       "distributions.csv", NULL, "latency", latency_panels);

/* ---- links ---- */

static const fs_plan_column link_columns[] = {
    FS_PAGE_COLUMN("name", "link", .form = "text"),
    FS_PAGE_COLUMN("flits", "flits", .form = "bar"),
    FS_PAGE_COLUMN("no_credit", "cycles without a credit", .form = ""),
    FS_PAGE_COLUMN("no_channel", "cycles without a channel", .form = ""),
    FS_PAGE_COLUMN("lost", "cycles lost at the switch", .form = ""),
};
static const fs_plan_section links =
    FS_PAGE_ONE("most", "links", "Links", "links.csv", NULL, "link", link_columns, .key = "flits",
                .title = "The busiest links, in the cycles of the measurement.");

/* ---- sources ---- */

static const fs_plan_column source_columns[] = {
    FS_PAGE_COLUMN("node", "node", .form = "text"),
    FS_PAGE_COLUMN("offered", "offered, flits a cycle", .form = "short"),
    FS_PAGE_COLUMN("accepted", "accepted, flits a cycle", .form = "bar"),
    FS_PAGE_COLUMN("packets", "packets", .form = ""),
    FS_PAGE_COLUMN("arrived", "arrived", .form = ""),
    FS_PAGE_COLUMN("longest", "longest, cycles", .form = ""),
    FS_PAGE_COLUMN("latency", "latency, cycles", .form = "short"),
};
static const fs_plan_section sources =
    FS_PAGE_ONE("most", "sources", "Sources", "sources.csv", NULL, NULL, source_columns, .key = "latency",
                .title = "The nodes whose packets take longest.");

static const fs_plan_panel map_panels[] = {FS_LINKS_MAPS};
static const fs_plan_section map =
    FS_PAGE_SECTION("links", "map", "The network", "links.csv", NULL, NULL, map_panels);

static const fs_plan_panel times_panels[] = {FS_LINKS_TIMES("of the run, the warm-up at its beginning")};
static const fs_plan_section times =
    FS_PAGE_SECTION("matrix", "times", "Links over the time", "link_times.csv", NULL, NULL, times_panels);

static const fs_plan_clause verdict[] = {
    {.text = "Each node gets {load.accepted|3} flits a cycle through, at most {load.bound|3}; a packet takes "
             "{latency.mean|3} cycles over {hops.mean|3} routers"},
    {"the busiest link carries flits in {links.busiest_share|%0} of the cycles", "links.busiest_share", 0},
};

static const char *const questions[] = {"workload.pattern", "workload.load", "workload.flits", "run.seed",
                                        NULL};

static const fs_plan_section *const sections[] = {
    &fs_page_findings, &fs_page_summary, &curve, &load, &map, &times, &latency, &sources, &links,
    &fs_page_settings, &fs_page_files,
};

const fs_page_plan fs_packets_page = {
    .workload = "fabric",
    .subject = "the packets",
    .warning = "The run is not complete: not every measured packet arrived before its end.",
    .questions = questions,
    FS_PAGE_LIST(settings, setting_count, settings),
    FS_PAGE_LIST(cards, card_count, cards),
    FS_PAGE_LIST(verdict, verdict_count, verdict),
    FS_PAGE_LIST(sections, section_count, sections)};
