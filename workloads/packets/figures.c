/* The figures of a fabric run, and their rows. */
#include "sim/base/arith.h"
#include "workloads/packets/packets.h"
#include "workloads/packets/run.h"

#include <math.h>
#include <stdlib.h>

/* What the nodes that offer anything get through: the least, that of one in a hundred, the most. */
static void take_sources(fs_packets_run *r) {
    fs_packets_figures *f = &r->figures;
    f->source_least = f->source_p1 = f->source_most = (double)NAN;
    double *rate = FS_NEW(r->run.arena, double, r->graph->ends);
    size_t count = 0;
    for (uint32_t n = 0; n < r->graph->ends && r->flow->source != NULL; n++)
        if (fs_goal_weight(&r->goals, n) > 0)
            rate[count++] = (double)r->flow->source[n].accepted / (double)r->window;
    if (count == 0)
        return;
    qsort(rate, count, sizeof *rate, fs_by_real);
    f->source_least = rate[0];
    f->source_p1 = rate[(count + 99) / 100 - 1];
    f->source_most = rate[count - 1];
}

void fs_packets_figures_of(fs_packets_run *r) {
    fs_packets_figures *f = &r->figures;
    const fs_flow *w = r->flow;
    const double cycles = (double)r->window, nodes = r->graph->ends, count = (double)w->arrived;
    const bool any = w->arrived > 0, open = r->callers == 0; /* a pattern's packets, and no calls */
    const uint64_t stream_cycles = f->stream_cycles, stream_bytes = f->stream_bytes;
    const fs_packets_trace trace = f->trace;
    const uint64_t chips =
        r->spots == NULL
            ? 1
            : fs_most(1, fs_spots_chips(r->spots)); /* links of a network stand for those of all */
    *f = (fs_packets_figures){.nodes = nodes,
                              .stream_cycles = stream_cycles,
                              .stream_bytes = stream_bytes,
                              .trace = trace,
                              .stream_rate = r->callers == 0 || r->source == FS_PACKETS_TASKS
                                                 ? (double)NAN
                                                 : (double)stream_bytes / cycles / r->callers,
                              .offered = open ? (double)w->offered / cycles / nodes : (double)NAN,
                              .accepted = (double)w->taken / cycles / nodes,
                              .bound = open ? 1 / r->outlook.busiest : (double)NAN,
                              .latency = any ? fs_latency_mean(&w->latency) : (double)NAN,
                              .queue = any ? (double)w->queue / count : (double)NAN,
                              .network = any ? (double)w->network / count : (double)NAN,
                              .serial = any ? (double)w->serial / count : (double)NAN,
                              .alone = open ? r->outlook.latency : (double)NAN,
                              .hops = any ? (double)w->routers / count : (double)NAN,
                              .hops_alone = open ? r->outlook.routers : (double)NAN,
                              .p50 = fs_latency_percentile(&w->latency, 50),
                              .p99 = fs_latency_percentile(&w->latency, 99),
                              .longest = w->latency.max,
                              .hops_most = w->most_routers,
                              .made = w->made,
                              .measured = w->measured,
                              .delivered = w->arrived,
                              .flit_hops = w->sums.hops,
                              .cycles = w->cycles,
                              .seconds = (double)w->cycles / r->machine->clock,
                              .links =
                                  fs_noc_summary_of(r->graph, &r->machine->noc, w->uses, r->window * chips),
                              .complete = w->whole};
    f->binds = fs_packets_bound(r);
    f->bound_share = f->accepted / f->bound;
    take_sources(r);
    fs_packets_energy_of(r);
}

#define FS_ROWS_OF fs_packets_figures

static const fs_stat rows[] = {
    FS_VALUE("load.offered", offered, "flits/cycle", "flits that a node made in a cycle of the measurement"),
    FS_VALUE("load.accepted", accepted, "flits/cycle", "flits that a node took in a cycle of the measurement",
             FS_MORE, FS_AT(10, "load accepted"),
             .changed = "Each node takes {new} instead of {old} flits a cycle."),
    FS_VALUE("load.bound", bound, "flits/cycle",
             "of a node: what the busiest link carries by the ways alone, were it never idle", FS_MORE,
             FS_AT(11, "load bound"),
             .changed = "By the ways the busiest link allows {new} instead of {old} flits a cycle and node."),
    FS_SHARE("load.bound_share", bound_share, "accepted over bound", FS_AT(12, "accepted of the bound")),
    FS_VALUE("latency.mean", latency, "cycles",
             "from making a packet to its last flit: packets made in the measurement", FS_LESS,
             FS_AT(1, "mean latency"), .alone = "latency.zero_load", .knee = FS_PACKETS_KNEE),
    FS_VALUE("latency.queue", queue, "cycles", "of it at the source, before the head is sent", FS_LESS,
             FS_AT(5, "latency at the source")),
    FS_VALUE("latency.network", network, "cycles", "of it in the network", FS_LESS,
             FS_AT(6, "latency in the network")),
    FS_VALUE("latency.serial", serial, "cycles", "of it for the flits behind the head", FS_LESS),
    FS_WHOLE("latency.p50", p50, "cycles", "half of the packets are no slower", FS_LESS),
    FS_WHOLE("latency.p99", p99, "cycles", "99 % of the packets are no slower", FS_LESS,
             FS_AT(2, "latency of 99 %"),
             .changed = "99 % of the packets take {new} instead of {old} cycles at most."),
    FS_WHOLE("latency.max", longest, "cycles", "the slowest packet", FS_LESS, FS_AT(3, "longest latency")),
    FS_VALUE("latency.zero_load", alone, "cycles", "mean of a packet alone, in closed form", FS_LESS,
             FS_AT(4, "latency of a packet alone"),
             .changed = "A packet alone takes {new} instead of {old} cycles."),
    FS_VALUE("hops.mean", hops, "routers", "routers that a measured packet passed, the last one included",
             FS_LESS, FS_AT(14, "routers of a packet"),
             .changed = "A packet passes {new} instead of {old} routers."),
    FS_VALUE("hops.expected", hops_alone, "routers", "the same from pattern and ways", FS_LESS),
    FS_WHOLE("hops.max", hops_most, "routers", "the longest way of a measured packet", FS_LESS),
    FS_WHOLE("packets.made", made, "packets", "by all nodes in the whole run"),
    FS_WHOLE("packets.measured", measured, "packets", "made in the measurement"),
    FS_WHOLE("packets.delivered", delivered, "packets", "of these, arrived before the end", FS_MORE),
    FS_WHOLE("network.flit_hops", flit_hops, "flits", "flits times links and ways out, of the whole run",
             FS_LESS),
    FS_VALUE("network.nodes", nodes, "nodes", "end points of the network"),
};
static const fs_stat_table first_table = FS_STAT_TABLE("packets", rows);

static const fs_stat more_rows[] = {
    FS_VALUE("sources.accepted_min", source_least, "flits/cycle",
             "flits that the node which gets least through gets through in a cycle: of packets that arrived "
             "in the measurement",
             FS_MORE, FS_AT(13, "the least that a node gets through"),
             .changed =
                 "The node that gets least through gets {new} instead of {old} flits a cycle through."),
    FS_VALUE("sources.accepted_p1", source_p1, "flits/cycle", "one node in a hundred gets no more through",
             FS_MORE),
    FS_VALUE("sources.accepted_max", source_most, "flits/cycle", "the node that gets most through", FS_MORE),
    FS_WHOLE("stream.cycles", stream_cycles, "cycles",
             "of sources stream and trace: from the first call to the end of the last program", FS_LESS,
             FS_AT(7, "time of the calls"), .changed = "The calls take {new} instead of {old} cycles."),
    FS_WHOLE("stream.bytes", stream_bytes, "B", "data that they moved in the cycles that count", FS_MORE),
    FS_VALUE("stream.rate", stream_rate, "B/cycle", "data that a calling node moved in a cycle", FS_MORE,
             FS_AT(8, "bytes a cycle and calling node")),
    FS_VALUE("energy.joules", energy.joules, "J",
             "of the network in the measured cycles: routers, links, the ways in and out, clocks and leakage "
             "of routers; of no tile",
             FS_LESS, FS_AT(140, "energy of the network"),
             .changed = "The network takes {new} instead of {old}."),
    FS_VALUE("energy.joules_low", energy.low, "J", "the same at the low ends of the prices' ranges", FS_LESS),
    FS_VALUE("energy.joules_high", energy.high, "J", "and at the high ends", FS_LESS),
    FS_VALUE("energy.watts", energy.watts, "W", "of the network: that energy over the measured cycles",
             FS_LESS, FS_AT(141, "power of the network")),
    FS_VALUE("energy.joules_packet", energy.each, "J", "for each packet of an open loop", FS_LESS,
             FS_AT(142, "energy of a packet"), .changed = "A packet takes {new} instead of {old}."),
    FS_VALUE("energy.parts.routers", energy.routers, "J", "of it in routers", FS_LESS),
    FS_VALUE("energy.parts.links", energy.links, "J", "of it in wires between routers", FS_LESS),
    FS_VALUE("energy.parts.interfaces", energy.ends, "J", "of it on the ways in and out", FS_LESS),
    FS_VALUE("energy.parts.standing", energy.standing, "J", "of it in clocks and leakage of routers",
             FS_LESS),
    FS_VALUE("area.parts.routers", energy.area, "mm2", "all routers with their buffers", FS_LESS,
             FS_AT(143, "area of the routers")),
    FS_VALUE("area.mm2_chip", energy.limits.area_chip, "mm2",
             "of the machine's chip: all its tiles, and the routers in place of ports", FS_LESS,
             FS_AT(145, "area of the chip")),
    FS_SHARE("limits.area", energy.limits.of_area, "area of the chip over machine.limits.area; 0: no limit",
             FS_LESS, FS_AT(146, "area, of its limit"), .held = "area.mm2_chip", .bound = 1,
             .wrong = "a chip takes {value} of machine.limits.area"),
    FS_SHARE("limits.power", energy.limits.of_power,
             "power of the network alone over machine.limits.power; 0: no limit", FS_LESS,
             FS_AT(147, "power, of its limit"), .held = "energy.watts", .bound = 1,
             .wrong = "the network alone takes {value} of machine.limits.power"),
    FS_WHOLE("network.cycles", cycles, "cycles", "of the run"),
    FS_VALUE("device.seconds", seconds, "s", "of the run, at the machine's clock", FS_LESS,
             FS_AT(100, "time on the device"), .null_is = "never"),
    FS_STAT_FLAG("complete", fs_packets_figures, complete, .better = FS_BETTER_MORE,
                 .doc = "every measured packet arrived",
                 .wrong = "latencies lack the slowest packets, which the run's end left under way"),
};
/* Of a file of another tool. */
static const fs_stat trace_rows[] = {
    FS_VALUE("trace.packets", trace.packets, "packets",
             "of a file of another tool: packets of its data, as the machine cuts them"),
    FS_VALUE("trace.bytes", trace.bytes, "B", "of it: data that it moves, a multicast's once"),
    FS_VALUE("trace.hops", trace.hops, "links", "links of the data's ways, summed over transfers", FS_LESS),
    FS_VALUE("trace.transfers", trace.transfers, "transfers", "reads, writes and sends of the file"),
    FS_VALUE("trace.chips", trace.chips, "chips", "that it names"),
    FS_VALUE("trace.sends", trace.sends, "sends", "calls that send to other chips"),
    FS_VALUE("trace.send_bytes", trace.send_bytes, "B", "their data, once a send"),
    FS_VALUE("trace.send_hops", trace.send_hops, "edges", "edges between chips that sends pass, the sum"),
    FS_SHARE("trace.edge_share", trace.edge_share, "cycles in which the busiest edge between chips was held",
             FS_LESS),
    FS_VALUE("trace.recorded", trace.recorded, "cycles",
             "from the first to the last stamp of a recorded trace"),
    FS_VALUE("trace.reads_cycles", trace.reads, "cycles",
             "from a processor's first read to the end of its last wait for reads: the mean of those that "
             "workload.trace.chip and processor name",
             FS_LESS, FS_AT(20, "from the first read to the last wait's end")),
    FS_VALUE("trace.reads_recorded", trace.reads_recorded, "cycles", "the same by the stamps"),
    FS_VALUE("trace.sends_cycles", trace.sent, "cycles",
             "from a processor's first send to another chip to the call of the semaphore behind it: the mean "
             "of these",
             FS_LESS, FS_AT(19, "from the first send to the semaphore")),
    FS_VALUE("trace.sends_recorded", trace.sent_recorded, "cycles", "the same by the stamps"),
    FS_VALUE("trace.waits", trace.waits, "cycles", "of these processors' waits for reads, the sum", FS_LESS),
    FS_VALUE("trace.waits_recorded", trace.waits_recorded, "cycles", "the same by the stamps"),
    FS_VALUE("trace.wait_max", trace.longest, "cycles", "the longest of these waits", FS_LESS),
    FS_VALUE("trace.wait_max_recorded", trace.longest_recorded, "cycles", "the same by the stamps"),
    FS_VALUE("trace.calls_alone", trace.calls, "cycles",
             "what the calls of the busiest processor take by themselves, were nothing to be waited for: no "
             "network makes it less",
             FS_LESS, FS_AT(16, "calls of a processor alone")),
    FS_VALUE("trace.link_alone", trace.link, "cycles",
             "what the data over the busiest link take by themselves", FS_LESS,
             FS_AT(17, "data of the busiest link alone")),
    FS_VALUE("trace.port_alone", trace.port, "cycles",
             "what the data by the busiest way out to an end point take by themselves", FS_LESS,
             FS_AT(18, "data of the busiest port alone")),
    FS_STAT_WORD(
        "trace.binds", fs_packets_figures, binds, FS_AT(15, "bound by"),
        .doc = "what comes near the whole by itself: calls, one link, one port; or none: waiting and ways"),
    FS_VALUE("trace.first_order", trace.first_order, "cycles",
             "what a first-order model says of the same file: each transfer asks all its links for its full "
             "rate while it lives"),
    FS_VALUE("trace.published", trace.published, "cycles", "what the file says that it took"),
    FS_VALUE("tasks.held", trace.held, "sends", "sends that waited for others beyond their own cycle",
             FS_LESS),
    FS_VALUE("tasks.latency", trace.latency, "cycles", "from a send's own cycle to its arrival, the mean",
             FS_LESS),
    FS_VALUE("tasks.slack", trace.slack, "cycles",
             "by which what a send waits for was over before its cycle, the mean", FS_MORE),
};
static const fs_stat_table trace_table = FS_STAT_TABLE("trace", trace_rows);
static const fs_stat_table more_table = FS_STAT_TABLE("network", more_rows);
static const fs_stat_part parts[] = {{.table = &first_table},
                                     FS_STAT_PART(&fs_links_stats, fs_packets_figures, links),
                                     {.table = &more_table},
                                     {.table = &trace_table}};
const fs_stat_table fs_fabric_stats = FS_STAT_PARTS("fabric", parts);
