#include "models/ipu/tables/network_figures.h"

#include "sim/base/arith.h"

#include <math.h>

#define FS_ROWS_OF fs_noc_summary
static const fs_stat link_rows[] = {
    FS_WHOLE("links.count", links, "links", "each direction by itself"),
    FS_SHARE(
        "links.busiest_share", busiest_share,
        "part of the cycles (measured ones, or those of the exchange) in which the busiest link carried a "
        "flit",
        FS_LESS, FS_AT(174, "busiest link busy"),
        .changed = "The busiest link carries flits in {new} instead of {old} of the cycles."),
    FS_SHARE("links.mean_share", mean_share, "the same of all links, the mean",
             FS_AT(175, "links busy, mean")),
    FS_VALUE("links.balance", balance, "", "busiest over mean", FS_LESS,
             FS_AT(176, "busiest link over the mean")),
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
             FS_AT(177, "stalls without a credit")),
    FS_VALUE("stalls.no_channel", no_channel, "cycles", "a head was given no channel, for each flit and link",
             FS_LESS, FS_AT(178, "stalls without a channel")),
    FS_VALUE("stalls.lost", lost, "cycles", "another channel won the switch, for each flit and link", FS_LESS,
             FS_AT(179, "stalls at the switch")),
};
const fs_stat_table fs_links_stats = FS_STAT_TABLE("links", link_rows);

#undef FS_ROWS_OF
#define FS_ROWS_OF fs_links_figures
static const fs_stat packet_rows[] = {
    FS_WHOLE("network.packets", packets, "packets", "that messages of tiles became"),
    FS_WHOLE("network.flit_hops", flit_hops, "flits", "flits times links and ways out, of the whole run",
             FS_LESS),
    FS_VALUE(
        "network.latency.mean", latency, "cycles",
        "of a packet, from the beginning of its phase (without barriers: from its sending) to its last flit",
        FS_LESS, FS_AT(170, "latency of a packet"),
        .changed = "A packet takes {new} instead of {old} cycles through the network."),
    FS_VALUE("network.latency.queue", queue, "cycles",
             "of it at the source, behind what its tile sent before", FS_LESS,
             FS_AT(171, "latency at the source")),
    FS_VALUE("network.latency.network", network, "cycles", "of it in the network", FS_LESS,
             FS_AT(172, "latency in the network")),
    FS_VALUE("network.latency.serial", serial, "cycles", "of it for the flits behind the head", FS_LESS),
    FS_WHOLE("network.latency.max", longest, "cycles", "the slowest packet", FS_LESS),
    FS_VALUE("network.hops.mean", routers, "routers", "routers that a packet passed, the last one included",
             FS_LESS, FS_AT(173, "routers of a packet"),
             .changed = "A packet passes {new} instead of {old} routers."),
    FS_WHOLE("network.hops.max", most_routers, "routers", "the longest way of a packet", FS_LESS),
};
static const fs_stat_table packets_table = FS_STAT_TABLE("network", packet_rows);
static const fs_stat sampled_rows[] = {
    FS_WHOLE("network.sampled.phases", simulated, "phases",
             "of the exchange that were simulated; the others follow from their links' flits and from "
             "simulated neighbours"),
    FS_VALUE("network.sampled.interval", interval, "%",
             "half of the 95 % interval of device.cycles_exchange, of it; 0: all phases were simulated",
             FS_LESS, FS_AT(180, "exchange known to")),
};
static const fs_stat_table sampled_table = FS_STAT_TABLE("network", sampled_rows);
static bool is_sampled(const void *figures) {
    return ((const fs_links_figures *)figures)->phases > 0;
}
static const fs_stat_part parts[] = {{.table = &packets_table},
                                     {.table = &sampled_table, .has = is_sampled},
                                     FS_STAT_PART(&fs_links_stats, fs_links_figures, links)};
const fs_stat_table fs_links_run_stats = FS_STAT_PARTS("network", parts);

bool fs_links_has(const void *figures) {
    return ((const fs_links_figures *)figures)->has;
}

fs_links_figures fs_links_figures_of(const fs_device *device) {
    fs_fabric_links l;
    if (!fs_fabric_links_of(fs_device_fabric(device, 0), &l))
        return (fs_links_figures){.has = false};
    const fs_noc_packets *p = l.packets;
    const double count = (double)p->count;
    fs_noc_summary links = fs_noc_summary_of(l.graph, &l.options, l.uses, fs_device_network_cycles(device));
    if (l.options.vcs == 0) /* circuits: nothing stands on its way */
        links.no_credit = links.no_channel = links.lost = (double)NAN;
    const fs_fabric_network *n = fs_fabric_network_of(fs_device_fabric(device, 0));
    const fs_fabric_sample sample = n != NULL ? n->sample : (fs_fabric_sample){0};
    return (fs_links_figures){
        .has = true,
        .phases = sample.count,
        .simulated = sample.simulated,
        .interval =
            sample.count > 0 ? 100 * sample.half / (double)fs_device_totals_of(device).cycles_exchange : 0,
        .links = links,
        .packets = p->count,
        .flit_hops = l.flit_hops,
        .longest = p->longest,
        .most_routers = p->most_routers,
        .latency = fs_ratio((double)p->latency, count),
        .queue = fs_ratio((double)p->queue, count),
        .network = fs_ratio((double)(p->latency - p->queue - p->serial), count),
        .serial = fs_ratio((double)p->serial, count),
        .routers = fs_ratio((double)p->routers, count)};
}
