/* The sentences of findings.json, each with its figures; left out where it would have nothing to say. */
#include "sim/base/numbers.h"
#include "workloads/traffic/run.h"

static void find_throughput(const fs_traffic_figures *f, uint32_t tracers, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    fs_finding *o = fs_finding_begin(out, "throughput");
    if (f->accepted >= kept_up * f->offered)
        fs_finding_say(
            o,
            "Each of %s tracers offers %s rays per 1,000 cycles and gets them through: %s of the %s at which "
            "the busiest port or tile saturates.",
            fs_number_grouped(tracers), fs_number_short(f->offered, 3), FS_PERCENT(f->bound_share),
            fs_number_short(f->bound, 3));
    else
        fs_finding_say(
            o,
            "The network is full: each of %s tracers offers %s rays per 1,000 cycles and gets %s through, "
            "%s of the %s at which the busiest port or tile saturates.",
            fs_number_grouped(tracers), fs_number_short(f->offered, 3), fs_number_short(f->accepted, 3),
            FS_PERCENT(f->bound_share), fs_number_short(f->bound, 3));
    FS_FINDING_FIGURES(o, {"offered", f->offered}, {"accepted", f->accepted}, {"bound_share", f->bound_share},
                       {"bound", f->bound});
}

static void find_port(const fs_traffic_figures *f, fs_findings *out) {
    fs_finding *o = fs_finding_begin(out, "port");
    fs_finding_say(o,
                   "The busiest port is the %s port of tile %llu, a %s of level %llu: it moves words in "
                   "%s of the exchange; when every tracer sends one ray, %s of them pass the busiest port.",
                   f->port_side, (unsigned long long)f->port_tile, f->port_role,
                   (unsigned long long)f->port_level, FS_PERCENT(f->port_share),
                   fs_number_short(f->port_rays, 4));
    FS_FINDING_FIGURES(o, {"tile", (double)f->port_tile}, {"share", f->port_share}, {"rays", f->port_rays});
}

static void find_latency(const fs_traffic_figures *f, fs_findings *out) {
    if (f->rays.measured_delivered == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "latency");
    fs_finding_say(o,
                   "A ray takes %s cycles (99 %% of them %s at most), %s times as long as alone on the chip "
                   "(%s cycles), "
                   "over %.1f lanes; an iteration takes %s cycles.",
                   fs_number_grouped(f->latency_mean), fs_number_grouped((double)f->latency_p99),
                   fs_number_short(f->latency_mean / f->latency_zero, 2), fs_number_grouped(f->latency_zero),
                   f->hops_mean, fs_number_grouped(f->cycles_mean));
    FS_FINDING_FIGURES(o, {"mean", f->latency_mean}, {"p99", (double)f->latency_p99},
                       {"zero_load", f->latency_zero});
}

static void find_waiting(const fs_traffic_figures *f, fs_findings *out) {
    if (f->waiting_peak == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "waiting");
    fs_finding_say(
        o,
        "Full lanes leave %s rays waiting in an iteration, and up to %s before one lane: with more "
        "slots the ports alone would limit latency and throughput (workload.lane_slots).",
        fs_number_grouped(f->waiting_mean), fs_number_grouped((double)f->waiting_peak));
    FS_FINDING_FIGURES(o, {"mean", f->waiting_mean}, {"peak", (double)f->waiting_peak});
}

fs_status fs_traffic_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_traffic_run *r = run;
    const fs_traffic_figures *f = &r->figures;
    find_throughput(f, r->overlay.tracers, out->findings);
    find_port(f, out->findings);
    find_latency(f, out->findings);
    find_waiting(f, out->findings);
    fs_links_find_run(r->of.device, &f->chip.network, out->findings);
    fs_device_find_continued(r->of.machine, out->findings);
    fs_power_find(&f->chip.power, (fs_energy_each){"ray", f->joules_per_ray}, out->findings);
    return FS_OK;
}
