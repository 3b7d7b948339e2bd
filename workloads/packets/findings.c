/* The sentences of findings.json of a fabric run. */
#include "sim/base/numbers.h"
#include "workloads/packets/run.h"

#include <math.h>

static void find_throughput(const fs_packets_run *r, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    const fs_packets_figures *f = &r->figures;
    fs_finding *o = fs_finding_begin(out, "throughput");
    if (f->accepted >= kept_up * f->offered)
        fs_finding_say(
            o,
            "Each of %s nodes offers %s flits a cycle and gets them through: %s of the %s at which the "
            "busiest link saturates.",
            fs_number_grouped(f->nodes), fs_number_short(f->offered, 3), FS_PERCENT(f->bound_share),
            fs_number_short(f->bound, 3));
    else if (!fs_flow_is_full(r->flow))
        fs_finding_say(
            o,
            "Each of %s nodes offers %s flits a cycle and gets %s through in the measurement; its %s "
            "packets are too few to say whether the network is full.",
            fs_number_grouped(f->nodes), fs_number_short(f->offered, 3), fs_number_short(f->accepted, 3),
            fs_number_grouped((double)f->measured));
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

/* A measurement that begins before the first packets have arrived. */
static void find_warmup(const fs_packets_run *r, fs_findings *out) {
    const double warmup = (double)r->setup.warmup, alone = r->figures.alone;
    if (warmup >= alone)
        return;
    fs_finding *o = fs_finding_begin(out, "warmup");
    fs_finding_say(
        o,
        "The warm-up of %s cycles is shorter than the %s cycles that a packet alone takes: the measurement "
        "begins before the network carries its load (workload.warmup).",
        fs_number_grouped(warmup), fs_number_short(alone, 4));
    FS_FINDING_FIGURES(o, {"warmup", warmup}, {"zero_load", alone});
}

/* The search for a knee that does not exist. */
static void find_knee(const fs_packets_run *r, fs_findings *out) {
    if (r->knee == NULL || r->knee->found)
        return;
    fs_finding *o = fs_finding_begin(out, "knee");
    fs_finding_say(
        o,
        "The curve has no knee: at %s flits a cycle and node, the most that nodes make, a packet takes %s "
        "cycles, below %d times the %s cycles of one alone.",
        fs_number_short(r->knee->load, 3), fs_number_short(r->figures.latency, 4), FS_PACKETS_KNEE,
        fs_number_short(r->figures.alone, 4));
    FS_FINDING_FIGURES(o, {"load", r->knee->load}, {"latency", r->figures.latency});
}

/* What calls came to. */
static void find_calls(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_figures *f = &r->figures;
    fs_finding *o = fs_finding_begin(out, "calls");
    fs_finding_say(o, "%s calling %s %s in %s cycles: %s bytes a cycle each.", fs_number_grouped(r->callers),
                   fs_plural(r->callers, "node moves", "nodes move"),
                   fs_number_bytes((double)f->stream_bytes), fs_number_grouped((double)r->window),
                   fs_number_short(f->stream_rate, 3));
    FS_FINDING_FIGURES(o, {"callers", r->callers}, {"cycles", (double)r->window}, {"rate", f->stream_rate});
}

/* What the network takes, and where. */
static void find_energy(const fs_packets_run *r, fs_findings *out) {
    const fs_packets_energy *e = &r->figures.energy;
    if (!(e->joules > 0))
        return;
    fs_finding *o = fs_finding_begin(out, "energy");
    fs_finding_say(o, "The network takes %s (%s to %s over the ranges of all prices)",
                   fs_number_watts(e->watts), fs_number_watts(e->watts * e->low / e->joules),
                   fs_number_watts(e->watts * e->high / e->joules));
    if (isfinite(e->each)) {
        fs_finding_say(o, ", %s for each packet", fs_number_joules(e->each));
        fs_finding_figure(o, "joules_each", e->each);
    }
    fs_finding_say(o, ": %s in routers, %s in links, %s on the ways in and out, %s in clocks and leakage.",
                   FS_PERCENT(e->routers / e->joules), FS_PERCENT(e->links / e->joules),
                   FS_PERCENT(e->ends / e->joules), FS_PERCENT(e->standing / e->joules));
    FS_FINDING_FIGURES(o, {"watts", e->watts}, {"watts_low", e->watts * e->low / e->joules},
                       {"watts_high", e->watts * e->high / e->joules}, {"routers", e->routers / e->joules},
                       {"links", e->links / e->joules}, {"interfaces", e->ends / e->joules},
                       {"standing", e->standing / e->joules});
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

/* Where the approximation does not hold. */
static void find_reserve(const fs_packets_run *r, fs_findings *out) {
    const double right = 0.3; /* of the busiest link: docs/facts/network_on_chip.md 3 */
    if (!r->setup.net.reserve || r->figures.links.busiest_share <= right)
        return;
    fs_finding *o = fs_finding_begin(out, "approximation");
    fs_finding_say(
        o,
        "The busiest link carries flits in %s of the cycles: above %s packets that reserve links "
        "are too fast, and "
        "get 25 %% to 90 %% more through than channels and buffers allow (workload.network: fabric).",
        FS_PERCENT(r->figures.links.busiest_share), FS_PERCENT(right));
    FS_FINDING_FIGURES(o, {"share", r->figures.links.busiest_share}, {"right", right}, {"least", 0.25},
                       {"most", 0.9});
}

fs_status fs_packets_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_packets_run *r = run;
    if (r->callers > 0) {
        find_calls(r, out->findings);
    } else {
        find_throughput(r, out->findings);
        find_knee(r, out->findings);
        find_warmup(r, out->findings);
    }
    fs_links_find(r->graph, &r->machine->noc, &r->figures.links, r->flow->uses, "of the cycles",
                  out->findings);
    find_latency(&r->figures, out->findings);
    find_reserve(r, out->findings);
    find_energy(r, out->findings);
    fs_energy_find_limits(&r->figures.energy.limits, out->findings);
    return FS_OK;
}
