/* The sentences of findings.json of a fabric run. */
#include "workloads/packets/run.h"

#include <math.h>

static void find_throughput(const fs_packets_run *r, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    const fs_packets_figures *f = &r->figures;
    const bool behind = !(f->accepted >= kept_up * f->offered), full = behind && fs_flow_is_full(r->flow);
    FS_FIND(out, "throughput",
            "[@full?The network is full: each|Each] of {nodes|whole} nodes offers {offered|3} flits a cycle "
            "and gets [@few?{accepted|3} through in the measurement, whose {@packets|whole} packets are too "
            "few to say whether the network is full|[@full?{accepted|3} through,|them through:] "
            "{share|share} of the {bound|3} at which the busiest link saturates].",
            FS_IS("nodes", f->nodes), FS_IS("offered", f->offered), FS_IS("accepted", f->accepted),
            FS_IS("bound", f->bound), FS_IS("share", f->bound_share), FS_IS("@packets", f->measured),
            FS_IS("@few", behind && !full), FS_IS("@full", full));
}

/* A measurement that begins before the first packets have arrived. */
static void find_warmup(const fs_packets_run *r, fs_findings *out) {
    const double warmup = (double)r->setup.warmup, alone = r->figures.alone;
    if (warmup < alone)
        FS_FIND(out, "warmup",
                "The warm-up of {warmup|whole} cycles is shorter than the {zero_load|4} cycles that a packet "
                "alone "
                "takes: the measurement begins before the network carries its load (workload.warmup).",
                FS_IS("warmup", warmup), FS_IS("zero_load", alone));
}

/* The search for a knee that does not exist. */
static void find_knee(const fs_packets_run *r, fs_findings *out) {
    if (r->knee != NULL && !r->knee->found)
        FS_FIND(out, "knee",
                "The curve has no knee: at {load|3} flits a cycle and node, the most that nodes make, a "
                "packet takes "
                "{latency|4} cycles, below {@times|2} times the {zero_load|4} cycles of one alone.",
                FS_IS("load", r->knee->load), FS_IS("latency", r->figures.latency),
                FS_IS("zero_load", r->figures.alone), FS_IS("@times", FS_PACKETS_KNEE));
}

/* What calls came to. */
static void find_calls(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_figures *f = &r->figures;
    if (r->source == FS_PACKETS_TASKS) {
        FS_FIND(out, "tasks",
                "{tasks|whole} tasks move {@bytes|B} in {cycles|whole} cycles[@held?; {held|whole} sends "
                "wait for others beyond their own cycle].",
                FS_IS("tasks", (double)r->tasks.tasks), FS_IS("@bytes", f->stream_bytes),
                FS_IS("cycles", r->window), FS_IS("held", f->trace.held), FS_IS("@held", f->trace.held > 0));
        return;
    }
    FS_FIND(out, "calls",
            "{callers|whole} calling {callers|node moves/nodes move} {@bytes|B} in {cycles|whole} cycles: "
            "{rate|3} bytes a cycle each.",
            FS_IS("callers", r->callers), FS_IS("cycles", r->window), FS_IS("rate", f->stream_rate),
            FS_IS("@bytes", f->stream_bytes));
}

/* What the network takes, and where. */
static void find_energy(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_energy *e = &r->figures.energy;
    if (!(e->joules > 0))
        return;
    FS_FIND(out, "energy",
            "The network takes {watts|W} ({watts_low|W} to {watts_high|W} over the ranges of all prices)[, "
            "{joules_each|J} for each packet]: {routers|share} in routers, {links|share} in links, "
            "{interfaces|share} on the ways in and out, {standing|share} in clocks and leakage.",
            FS_IS("joules_each", e->each), FS_IS("watts", e->watts),
            FS_IS("watts_low", e->watts * e->low / e->joules),
            FS_IS("watts_high", e->watts * e->high / e->joules), FS_IS("routers", e->routers / e->joules),
            FS_IS("links", e->links / e->joules), FS_IS("interfaces", e->ends / e->joules),
            FS_IS("standing", e->standing / e->joules));
}

static void find_latency(const fs_packets_figures *f, fs_findings *out) {
    if (f->delivered == 0)
        return;
    FS_FIND(out, "latency",
            "A packet takes {mean|4} cycles (99 % of them {p99|whole} at most), {ratio|2} times as long as "
            "alone ({zero_load|4} cycles): {queue|3} cycles at its source, {network|3} in the network over "
            "{hops|3} routers.",
            FS_IS("mean", f->latency), FS_IS("p99", f->p99), FS_IS("ratio", f->latency / f->alone),
            FS_IS("zero_load", f->alone), FS_IS("queue", f->queue), FS_IS("network", f->network),
            FS_IS("hops", f->hops));
}

/* Where the approximation does not hold. */
static void find_reserve(const fs_packets_run *r, fs_findings *out) {
    const double right = 0.3; /* of the busiest link: docs/facts/network_on_chip.md 3 */
    if (!r->setup.net.reserve || r->figures.links.busiest_share <= right)
        return;
    FS_FIND(out, "approximation",
            "The busiest link carries flits in {share|share} of the cycles: above {right|share} packets that "
            "reserve links are too fast, and get {least|share} to {most|share} more through than channels "
            "and buffers allow (workload.network: fabric).",
            FS_IS("share", r->figures.links.busiest_share), FS_IS("right", right), FS_IS("least", 0.25),
            FS_IS("most", 0.9));
}

/* A recorded trace beside its stamps. */
static void find_recorded(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_trace *t = &r->figures.trace;
    const double took = (double)r->figures.stream_cycles;
    if (t->recorded > 0 && t->waits_recorded > 0)
        FS_FIND(
            out, "recorded",
            "The trace's stamps span {recorded|whole} cycles; here its calls take {took|whole}, {off|share} "
            "[@slower?more|less]. Its waits for reads took {waits_recorded|whole} cycles together, here "
            "{waits|whole}.",
            FS_IS("recorded", t->recorded), FS_IS("took", took), FS_IS("off", fabs(took / t->recorded - 1)),
            FS_IS("@slower", took > t->recorded), FS_IS("waits_recorded", t->waits_recorded),
            FS_IS("waits", t->waits));
    else if (t->reads > 0 && t->reads_recorded > 0)
        FS_FIND(out, "recorded",
                "From its first read to the end of its last wait a processor took {reads_recorded|whole} "
                "cycles by its stamps, and takes {reads|whole} here: the mean of those that were recorded.",
                FS_IS("reads_recorded", t->reads_recorded), FS_IS("reads", t->reads));
}

/* Edges between chips. */
static void find_edges(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_trace *t = &r->figures.trace;
    if (t->sends > 0)
        FS_FIND(
            out, "edges",
            "{sends|whole} sends pass {hops|whole} edges between chips, the busiest of which is held in "
            "{share|share} of the "
            "cycles, at {pace|3} bytes a cycle and {latency|3} cycles, which are assumed (workload.edge).",
            FS_IS("sends", t->sends), FS_IS("hops", t->send_hops), FS_IS("share", t->edge_share),
            FS_IS("pace", r->params->edge.pace), FS_IS("latency", r->params->edge.latency));
}

/* What another tool's file asks that this machine has not: of an experiment made of it, and of a file that it names. */
static void find_near(const fs_packets_run *r, fs_findings *out) {
    const char *words = r->params->near;
    for (size_t i = 0; i < r->notes.count; i++)
        if (r->notes.item[i].kind == FS_NOTE_NEAR)
            words = fs_arena_printf(r->run.arena, "%s%s%s: %s", words, words[0] == '\0' ? "" : "; ",
                                    r->notes.item[i].what, r->notes.item[i].words);
    if (words[0] != '\0')
        FS_FIND(out, "near", "The file asks what this machine has only something near of: {@near}.",
                FS_IS("@near", words));
}

fs_status fs_packets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_packets_run *r = run;
    if (r->callers > 0) {
        find_calls(r, out->findings);
        find_recorded(r, out->findings);
        find_edges(r, out->findings);
        fs_packets_find_bound(r, out->findings);
        fs_packets_find_order(r, out->findings);
    } else {
        find_throughput(r, out->findings);
        find_knee(r, out->findings);
        find_warmup(r, out->findings);
    }
    fs_links_find(r->graph, &r->machine->noc, &r->figures.links, r->flow->uses, "of the cycles",
                  out->findings);
    find_latency(&r->figures, out->findings);
    find_near(r, out->findings);
    find_reserve(r, out->findings);
    find_energy(r, out->findings);
    fs_energy_find_limits(&r->figures.energy.limits, out->findings);
    return FS_OK;
}
