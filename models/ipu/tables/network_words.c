/* What findings say of a network on chip: the link, the cut, the wait, the channel. */
#include "models/ipu/tables/network_figures.h"

#include <stdio.h>

const char *fs_links_name(const fs_noc_graph *g, const fs_noc_options *o, uint32_t link,
                          char out[FS_LINKS_NAME]) {
    const fs_noc_link *l = &g->link[link];
    const fs_noc_place *from = &g->place[l->from], *to = &g->place[l->to];
    if (fs_noc_is_grid(o) && o->size.count <= 2)
        snprintf(out, FS_LINKS_NAME, "(%g,%g)->(%g,%g)", from->x, from->y, to->x, to->y);
    else
        snprintf(out, FS_LINKS_NAME, "router %u -> router %u", l->from, l->to);
    return out;
}

static void find_link(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_summary *s, const char *of,
                      fs_findings *out) {
    char name[FS_LINKS_NAME];
    FS_FIND(out, "link",
            "The busiest link, {@link}, carries flits in {share|share} {@of}, {balance|3} times as many as "
            "the mean link; the busiest hundredth of the links carries {top|share} of all.",
            FS_IS("from", s->busiest_from), FS_IS("to", s->busiest_to), FS_IS("share", s->busiest_share),
            FS_IS("balance", s->balance), FS_IS("top", s->top_share), FS_IS("@of", of),
            FS_IS("@link", fs_links_name(g, o, (uint32_t)s->busiest, name)));
}

/* Links that no packet takes, wherever it goes: of a graph from a file. */
static void find_idle(const fs_noc_graph *g, fs_findings *out) {
    if (g->idle > 0)
        FS_FIND(out, "idle_links",
                "{idle|whole} of {links|whole} links lie on no way between end points: no packet takes them "
                "(`ways` and `routes` of machine.exchange.noc.file).",
                FS_IS("idle", g->idle), FS_IS("links", g->links));
}

/* The busiest cut of a grid; in the middle it is a bisection. */
static void find_cut(const fs_noc_options *o, const fs_noc_summary *s, const char *of, fs_findings *out) {
    static const char *const axis[] = {"x", "y", "z"};
    if (!(s->cut_share > 0) || s->cut_dimension > 2)
        return;
    FS_FIND(out, "cut",
            "In dimension order, packets fill [@middle?the bisection|the cut] between {@axis} = {place|.0} "
            "and {@axis} = {behind|.0} most: its links carry flits in {share|share} {@of}.",
            FS_IS("share", s->cut_share), FS_IS("dimension", s->cut_dimension), FS_IS("place", s->cut_place),
            FS_IS("behind", s->cut_place + 1), FS_IS("@axis", axis[s->cut_dimension]), FS_IS("@of", of),
            FS_IS("@middle", 2 * (s->cut_place + 1) == (uint64_t)o->size.item[s->cut_dimension]));
}

/* What flits wait for most, where most, and the key that would change it. */
static void find_waits(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_summary *s,
                       const fs_noc_use *uses, fs_findings *out) {
    static const struct {
        const char *what, *key;
    } causes[] = {{"for room in the channel behind the link", "machine.exchange.noc.buffer"},
                  {"for a free channel of the link", "machine.exchange.noc.vcs"},
                  {"for another channel's flit at the switch", "machine.exchange.noc.width"}};
    const double each[] = {s->no_credit, s->no_channel, s->lost}, all = each[0] + each[1] + each[2];
    const int most = each[0] >= each[1] && each[0] >= each[2] ? 0 : each[1] >= each[2] ? 1 : 2;
    const fs_noc_use *u = &uses[s->waits[most]];
    const uint64_t there = most == 0 ? u->no_credit : most == 1 ? u->no_channel : u->lost;
    char name[FS_LINKS_NAME];
    if (all < 0.05 || o->vcs == 0) /* circuits have no channels */
        return;
    FS_FIND(out, "waits",
            "A flit waits {waits|2} cycles before a link, {share|share} of it {@what} ({@key}); channels "
            "stand longest before {@link}: {there|whole} channel-cycles for {flits|whole} flits.",
            FS_IS("waits", all), FS_IS("share", each[most] / all), FS_IS("there", there),
            FS_IS("flits", u->flits), FS_IS("no_credit", each[0]), FS_IS("no_channel", each[1]),
            FS_IS("lost", each[2]), FS_IS("@what", causes[most].what), FS_IS("@key", causes[most].key),
            FS_IS("@link", fs_links_name(g, o, (uint32_t)s->waits[most], name)));
}

/* A channel whose buffer is shorter than the way of a credit can't keep its link busy by itself. */
static void find_reach(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_summary *s,
                       fs_findings *out) {
    uint32_t longest = 0;
    for (uint32_t l = 1; l < g->links; l++)
        longest = g->link[l].latency > g->link[longest].latency ? l : longest;
    const uint32_t cycles = g->link[longest].latency,
                   trip = 2 * cycles + 5; /* a flit's way, rule 3, a credit's way: net.h */
    char name[FS_LINKS_NAME];
    if (o->vcs == 0 || o->buffer >= trip || s->no_credit < 0.05)
        return;
    FS_FIND(out, "reach",
            "A channel of {buffer|.0} flits reaches {buffer|.0} of the {trip|.0} cycles of a credit's way: "
            "one packet alone can't keep a link of {@cycles} {@cycles|cycle/cycles}, such as {@link}, busy "
            "(machine.exchange.noc.buffer).",
            FS_IS("buffer", o->buffer), FS_IS("trip", trip), FS_IS("@cycles", cycles),
            FS_IS("@link", fs_links_name(g, o, longest, name)));
}

void fs_links_find(const fs_noc_graph *g, const fs_noc_options *o, const fs_noc_summary *s,
                   const fs_noc_use *uses, const char *of, fs_findings *out) {
    if (g->links == 0 || !(s->busiest_share > 0))
        return;
    find_link(g, o, s, of, out);
    find_idle(g, out);
    find_cut(o, s, of, out);
    find_waits(g, o, s, uses, out);
    find_reach(g, o, s, out);
}

static void find_sampled(const fs_links_figures *n, fs_findings *out) {
    if (n->phases == 0)
        return;
    FS_FIND(out, "sampled",
            "Of {phases|whole} phases of the exchange {simulated|whole} are simulated flit by "
            "flit[interval?, the others follow from their links' flits and from simulated neighbours: the "
            "exchange is known to {interval|%1} (machine.exchange.noc.error)]; the slowest packet and the "
            "longest phase are those of the simulated ones.",
            FS_IS("phases", n->phases), FS_IS("simulated", n->simulated),
            FS_IS("interval", n->interval / 100));
}

void fs_links_find_run(const fs_device *device, const fs_links_figures *n, fs_findings *out) {
    fs_fabric_links l;
    if (!fs_fabric_links_of(fs_device_fabric(device, 0), &l) || n->packets == 0)
        return;
    fs_links_find(
        l.graph, &l.options, &n->links, l.uses,
        fs_device_totals_of(device).cycles_exchange > 0 ? "of the exchange's cycles" : "of the cycles", out);
    FS_FIND(out, "packets",
            "A packet takes {latency|3} cycles: {queue|3} at its source behind others, {network|3} in the "
            "network over {hops|3} routers, {serial|3} for the flits behind its head; the slowest takes "
            "{slowest|whole}.",
            FS_IS("latency", n->latency), FS_IS("queue", n->queue), FS_IS("network", n->network),
            FS_IS("serial", n->serial), FS_IS("hops", n->routers), FS_IS("slowest", n->longest));
    find_sampled(n, out);
}
