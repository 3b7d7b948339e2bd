/* The figures of a fabric run, and their rows. */
#include "sim/base/arith.h"
#include "workloads/traffic/fabric/fabric.h"
#include "workloads/traffic/fabric/run.h"

#include <math.h>
#include <stdlib.h>

static int by_flits(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Links by what they carried; those to end points are no links of the network. */
static void weigh_links(fs_packets_run *r) {
    fs_packets_figures *f = &r->figures;
    const fs_noc_graph *g = r->graph;
    uint64_t *flits = fs_malloc((g->links + 1) * sizeof *flits), sum = 0, top = 0;
    uint32_t most = 0;
    fs_noc_use all = {0};
    for (uint32_t l = 0; l < g->links + g->ends; l++) {
        const fs_noc_use *u = &r->flow->uses[l];
        all = (fs_noc_use){all.flits + u->flits, all.no_credit + u->no_credit, all.no_channel + u->no_channel,
                           all.lost + u->lost};
        if (l < g->links) {
            flits[l] = u->flits;
            sum += u->flits;
            most = u->flits > r->flow->uses[most].flits ? l : most;
        }
    }
    f->links = g->links;
    f->no_credit = fs_ratio((double)all.no_credit, (double)all.flits);
    f->no_channel = fs_ratio((double)all.no_channel, (double)all.flits);
    f->lost = fs_ratio((double)all.lost, (double)all.flits);
    const double measure = (double)r->window;
    if (g->links > 0) {
        f->busiest_share = (double)flits[most] / measure;
        f->mean_share = (double)sum / measure / g->links;
        f->balance = fs_ratio(f->busiest_share, f->mean_share);
        f->busiest_from = g->link[most].from;
        f->busiest_to = g->link[most].to;
        qsort(flits, g->links, sizeof *flits, by_flits);
        const uint32_t percent = (g->links + 99) / 100;
        for (uint32_t l = 0; l < percent; l++)
            top += flits[l];
        f->top_share = fs_ratio((double)top, (double)sum);
    }
    free(flits);
}

/* The place of a router of a grid in a dimension. */
static uint32_t place(const fs_packets_run *r, uint32_t router, uint32_t dimension) {
    for (uint32_t d = 0; d < dimension; d++)
        router /= (uint32_t)r->machine->noc.size.item[d];
    return router % (uint32_t)r->machine->noc.size.item[dimension];
}

/* The busiest cut of a grid: links from places up to `at` of a dimension to those behind, one direction. */
static void find_cut(fs_packets_run *r) {
    fs_packets_figures *f = &r->figures;
    const fs_noc_options *o = &r->machine->noc;
    if (o->topology != FS_NOC_MESH && o->topology != FS_NOC_TORUS && o->topology != FS_NOC_RUCHE)
        return;
    for (uint32_t d = 0; d < o->size.count; d++)
        for (uint32_t at = 0; at + 1 < o->size.item[d]; at++)
            for (int up = 0; up <= 1; up++) {
                uint64_t flits = 0, links = 0;
                for (uint32_t l = 0; l < r->graph->links; l++) {
                    const uint32_t from = place(r, r->graph->link[l].from, d),
                                   to = place(r, r->graph->link[l].to, d);
                    const bool crosses = up ? from <= at && to > at : from > at && to <= at;
                    links += crosses;
                    flits += crosses ? r->flow->uses[l].flits : 0;
                }
                const double share = links == 0 ? 0 : (double)flits / (double)links / (double)r->window;
                if (share > f->cut_share) {
                    f->cut_share = share;
                    f->cut_dimension = d;
                    f->cut_place = at;
                }
            }
}

void fs_packets_figures_of(fs_packets_run *r) {
    fs_packets_figures *f = &r->figures;
    const fs_flow *w = r->flow;
    const double cycles = (double)r->window, nodes = r->graph->ends, count = (double)w->arrived;
    const bool any = w->arrived > 0;
    const uint64_t stream_cycles = f->stream_cycles, stream_bytes = f->stream_bytes;
    *f = (fs_packets_figures){.nodes = nodes,
                              .stream_cycles = stream_cycles,
                              .stream_bytes = stream_bytes,
                              .stream_rate =
                                  r->callers == 0 ? (double)NAN : (double)stream_bytes / cycles / r->callers,
                              .offered = (double)w->offered / cycles / nodes,
                              .accepted = (double)w->taken / cycles / nodes,
                              .bound = 1 / r->outlook.busiest,
                              .latency = any ? fs_latency_mean(&w->latency) : (double)NAN,
                              .queue = any ? (double)w->queue / count : (double)NAN,
                              .network = any ? (double)w->network / count : (double)NAN,
                              .serial = any ? (double)w->serial / count : (double)NAN,
                              .alone = r->outlook.latency,
                              .hops = any ? (double)w->routers / count : (double)NAN,
                              .hops_alone = r->outlook.routers,
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
                              .complete = w->whole};
    f->bound_share = f->accepted / f->bound;
    weigh_links(r);
    find_cut(r);
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
             FS_AT(1, "mean latency")),
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
    FS_WHOLE("links.count", links, "links", "each direction by itself"),
    FS_SHARE("links.busiest_share", busiest_share,
             "part of the measured cycles in which the busiest link carried a flit", FS_LESS,
             FS_AT(17, "busiest link busy"),
             .changed = "The busiest link carries flits in {new} instead of {old} of the cycles."),
    FS_SHARE("links.mean_share", mean_share, "the same of all links, the mean",
             FS_AT(18, "links busy, mean")),
    FS_VALUE("links.balance", balance, "", "busiest over mean", FS_LESS,
             FS_AT(19, "busiest link over the mean")),
    FS_SHARE("links.top_share", top_share,
             "part of all flits and links that the busiest hundredth of the links carries", FS_LESS),
    FS_WHOLE("links.busiest_from", busiest_from, NULL, "the router that it leads from",
             .says = FS_SAYS_LABEL),
    FS_WHOLE("links.busiest_to", busiest_to, NULL, "the router that it leads to", .says = FS_SAYS_LABEL),
    FS_SHARE("cuts.busiest_share", cut_share,
             "part of what the links of the busiest cut of a grid could carry", FS_LESS),
    FS_WHOLE("cuts.dimension", cut_dimension, NULL, "the dimension that it cuts", .says = FS_SAYS_LABEL),
    FS_WHOLE("cuts.place", cut_place, NULL, "the place before it", .says = FS_SAYS_LABEL),
    FS_VALUE("stalls.no_credit", no_credit, "cycles",
             "a flit's channel had no room behind the link, for each flit and link", FS_LESS,
             FS_AT(20, "stalls without a credit")),
    FS_VALUE("stalls.no_channel", no_channel, "cycles", "a head was given no channel, for each flit and link",
             FS_LESS, FS_AT(21, "stalls without a channel")),
    FS_VALUE("stalls.lost", lost, "cycles", "another channel won the switch, for each flit and link", FS_LESS,
             FS_AT(22, "stalls at the switch")),
    FS_WHOLE("stream.cycles", stream_cycles, "cycles",
             "of sources stream and trace: from the first call to the end of the last program", FS_LESS,
             FS_AT(7, "time of the calls")),
    FS_WHOLE("stream.bytes", stream_bytes, "B", "data that they moved in the cycles that count", FS_MORE),
    FS_VALUE("stream.rate", stream_rate, "B/cycle", "data that a calling node moved in a cycle", FS_MORE,
             FS_AT(8, "bytes a cycle and calling node")),
    FS_VALUE("energy.joules", energy.joules, "J",
             "of the network in the measured cycles: routers, links, the ways in and out; of no tile",
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
    FS_VALUE("device.seconds", seconds, "s", "of the run, at the machine's clock",
             FS_AT(101, "time on the device")),
    FS_STAT_FLAG("complete", fs_packets_figures, complete, .better = FS_BETTER_MORE,
                 .doc = "every measured packet arrived",
                 .wrong = "latencies lack the slowest packets, which the run's end left under way"),
};
const fs_stat_table fs_fabric_stats = FS_STAT_TABLE("fabric", rows);
