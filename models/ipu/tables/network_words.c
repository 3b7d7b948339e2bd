/* What findings say of a network on chip: the link, the cut, the wait, the channel. */
#include "models/ipu/tables/network_figures.h"
#include "sim/base/numbers.h"

#include <math.h>
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
    fs_finding *f = fs_finding_begin(out, "link");
    fs_finding_say(
        f,
        "The busiest link, %s, carries flits in %s %s, %s times as many as the mean link; the busiest "
        "hundredth of the links carries %s of all.",
        fs_links_name(g, o, (uint32_t)s->busiest, name), FS_PERCENT(s->busiest_share), of,
        fs_number_short(s->balance, 3), FS_PERCENT(s->top_share));
    FS_FINDING_FIGURES(f, {"from", (double)s->busiest_from}, {"to", (double)s->busiest_to},
                       {"share", s->busiest_share}, {"balance", s->balance}, {"top", s->top_share});
}

/* Links that no packet takes, wherever it goes: of a graph from a file. */
static void find_idle(const fs_noc_graph *g, fs_findings *out) {
    if (g->idle == 0)
        return;
    fs_finding *f = fs_finding_begin(out, "idle_links");
    fs_finding_say(
        f,
        "%s of %s links lie on no way between end points: no packet takes them (`ways` and `routes` of "
        "machine.exchange.noc.file).",
        fs_number_grouped(g->idle), fs_number_grouped(g->links));
    FS_FINDING_FIGURES(f, {"idle", g->idle}, {"links", g->links});
}

/* The busiest cut of a grid; in the middle it is a bisection. */
static void find_cut(const fs_noc_options *o, const fs_noc_summary *s, const char *of, fs_findings *out) {
    static const char axis[] = "xyz";
    if (!(s->cut_share > 0) || s->cut_dimension > 2)
        return;
    const bool middle = 2 * (s->cut_place + 1) == (uint64_t)o->size.item[s->cut_dimension];
    fs_finding *f = fs_finding_begin(out, "cut");
    fs_finding_say(
        f,
        "In dimension order, packets fill %s between %c = %llu and %c = %llu most: its links carry "
        "flits in %s %s.",
        middle ? "the bisection" : "the cut", axis[s->cut_dimension], (unsigned long long)s->cut_place,
        axis[s->cut_dimension], (unsigned long long)s->cut_place + 1, FS_PERCENT(s->cut_share), of);
    FS_FINDING_FIGURES(f, {"share", s->cut_share}, {"dimension", (double)s->cut_dimension},
                       {"place", (double)s->cut_place}, {"behind", (double)s->cut_place + 1});
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
    fs_finding *f = fs_finding_begin(out, "waits");
    fs_finding_say(
        f,
        "A flit waits %s cycles before a link, %s of it %s (%s); channels stand longest before %s: "
        "%s channel-cycles for %s flits.",
        fs_number_short(all, 2), FS_PERCENT(each[most] / all), causes[most].what, causes[most].key,
        fs_links_name(g, o, (uint32_t)s->waits[most], name), fs_number_grouped((double)there),
        fs_number_grouped((double)u->flits));
    FS_FINDING_FIGURES(f, {"waits", all}, {"share", each[most] / all}, {"there", (double)there},
                       {"flits", (double)u->flits}, {"no_credit", each[0]}, {"no_channel", each[1]},
                       {"lost", each[2]});
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
    fs_finding *f = fs_finding_begin(out, "reach");
    fs_finding_say(
        f,
        "A channel of %lld flits reaches %lld of the %u cycles of a credit's way: one packet alone "
        "can't keep a link of %s, such as %s, busy (machine.exchange.noc.buffer).",
        (long long)o->buffer, (long long)o->buffer, trip,
        cycles == 1 ? "1 cycle" : fs_number_in(cycles, "cycles", 4), fs_links_name(g, o, longest, name));
    FS_FINDING_FIGURES(f, {"buffer", (double)o->buffer}, {"trip", (double)trip});
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

void fs_links_find_run(const fs_device *device, const fs_links_figures *n, fs_findings *out) {
    fs_fabric_links l;
    if (!fs_fabric_links_of(fs_device_fabric(device, 0), &l) || n->packets == 0)
        return;
    fs_links_find(
        l.graph, &l.options, &n->links, l.uses,
        fs_device_totals_of(device).cycles_exchange > 0 ? "of the exchange's cycles" : "of the cycles", out);
    fs_finding *f = fs_finding_begin(out, "packets");
    fs_finding_say(
        f,
        "A packet takes %s cycles: %s at its source behind others, %s in the network over %s routers, "
        "%s for the flits behind its head; the slowest takes %s.",
        fs_number_short(n->latency, 3), fs_number_short(n->queue, 3), fs_number_short(n->network, 3),
        fs_number_short(n->routers, 3), fs_number_short(n->serial, 3), fs_number_grouped((double)n->longest));
    FS_FINDING_FIGURES(f, {"latency", n->latency}, {"queue", n->queue}, {"network", n->network},
                       {"serial", n->serial}, {"hops", n->routers}, {"slowest", (double)n->longest});
}
