/* The sentences of findings.json of a fabric run. */
#include "sim/base/numbers.h"
#include "workloads/traffic/fabric/run.h"

static void find_throughput(const fs_packets_figures *f, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    fs_finding *o = fs_finding_begin(out, "throughput");
    if (f->accepted >= kept_up * f->offered)
        fs_finding_say(
            o,
            "Each of %s nodes offers %s flits a cycle and gets them through: %s of the %s at which the "
            "busiest link saturates.",
            fs_number_grouped(f->nodes), fs_number_short(f->offered, 3), FS_PERCENT(f->bound_share),
            fs_number_short(f->bound, 3));
    else
        fs_finding_say(
            o,
            "The network is full: each of %s nodes offers %s flits a cycle and gets %s through, %s of the "
            "%s at which the busiest link saturates.",
            fs_number_grouped(f->nodes), fs_number_short(f->offered, 3), fs_number_short(f->accepted, 3),
            FS_PERCENT(f->bound_share), fs_number_short(f->bound, 3));
    FS_FINDING_FIGURES(o, {"nodes", f->nodes}, {"offered", f->offered}, {"accepted", f->accepted},
                       {"bound", f->bound}, {"share", f->bound_share});
}

static void find_link(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_figures *f = &r->figures;
    if (f->links == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "link");
    fs_finding_say(
        o,
        "The busiest link leads from router %llu to router %llu: it carries flits in %s of the cycles, %s "
        "times as many as the mean link.",
        (unsigned long long)f->busiest_from, (unsigned long long)f->busiest_to, FS_PERCENT(f->busiest_share),
        fs_number_short(f->balance, 2));
    FS_FINDING_FIGURES(o, {"from", (double)f->busiest_from}, {"to", (double)f->busiest_to},
                       {"share", f->busiest_share}, {"balance", f->balance});
}

static void find_latency(const fs_packets_figures *f, fs_findings *out) {
    if (f->delivered == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "latency");
    fs_finding_say(
        o,
        "A packet takes %s cycles (99 %% of them %s at most), %s times as long as alone (%s cycles): %s "
        "cycles at its source, %s in the network over %s routers.",
        fs_number_short(f->latency, 4), fs_number_grouped((double)f->p99),
        fs_number_short(f->latency / f->alone, 2), fs_number_short(f->alone, 4), fs_number_short(f->queue, 3),
        fs_number_short(f->network, 3), fs_number_short(f->hops, 3));
    FS_FINDING_FIGURES(o, {"mean", f->latency}, {"p99", (double)f->p99}, {"ratio", f->latency / f->alone},
                       {"zero_load", f->alone}, {"queue", f->queue}, {"network", f->network},
                       {"hops", f->hops});
}

/* A channel whose buffer is shorter than the way of a credit can't keep its link busy by itself. */
static void find_reach(const fs_packets_run *r, fs_findings *out) {
    uint32_t most = 1;
    for (uint32_t l = 0; l < r->graph->links; l++)
        most = r->graph->link[l].latency > most ? r->graph->link[l].latency : most;
    const uint32_t trip = 2 * most + 5; /* a flit's way, rule 3, a credit's way: net.h */
    if (r->setup.net.buffer >= trip || r->figures.no_credit < 0.05)
        return;
    fs_finding *o = fs_finding_begin(out, "reach");
    fs_finding_say(
        o,
        "A channel of %u flits reaches %u of %u cycles of a credit's way: one packet alone can't keep a "
        "link of %u cycles busy (machine.exchange.noc.buffer).",
        r->setup.net.buffer, r->setup.net.buffer, trip, most);
    FS_FINDING_FIGURES(o, {"buffer", (double)r->setup.net.buffer}, {"trip", (double)trip});
}

/* Where the approximation does not hold. */
static void find_reserve(const fs_packets_run *r, fs_findings *out) {
    const double right = 0.3; /* of the busiest link: docs/facts/network_on_chip.md 3 */
    if (!r->setup.net.reserve || r->figures.busiest_share <= right)
        return;
    fs_finding *o = fs_finding_begin(out, "approximation");
    fs_finding_say(
        o,
        "The busiest link carries flits in %s of the cycles: above %s packets that reserve links "
        "are too fast, and "
        "get 25 %% to 90 %% more through than channels and buffers allow (workload.network: fabric).",
        FS_PERCENT(r->figures.busiest_share), FS_PERCENT(right));
    FS_FINDING_FIGURES(o, {"share", r->figures.busiest_share}, {"right", right}, {"least", 0.25},
                       {"most", 0.9});
}

fs_status fs_packets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_packets_run *r = run;
    find_throughput(&r->figures, out->findings);
    find_link(r, out->findings);
    find_latency(&r->figures, out->findings);
    find_reach(r, out->findings);
    find_reserve(r, out->findings);
    return FS_OK;
}
