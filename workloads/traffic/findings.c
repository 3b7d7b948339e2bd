/* The sentences of findings.json, each with its figures; left out where it would have nothing to say. */
#include "sim/results/findings.h"
#include "workloads/traffic/outputs.h"

static void find_throughput(const fs_traffic_figures *f, uint32_t tracers, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    fs_finding *o = fs_finding_begin(out, "throughput");
    if (f->accepted >= kept_up * f->offered)
        fs_finding_say(
            o,
            "Each of %u tracers offers %.3g rays a kilocycle and gets them through: %s of the %.3g "
            "that the busiest port and tile allow by the routes.",
            tracers, f->offered, FS_PERCENT(f->bound_share), f->bound);
    else
        fs_finding_say(
            o,
            "The network is full: each of %u tracers offers %.3g rays a kilocycle and gets %.3g through, "
            "%s of the %.3g that the busiest port and tile allow by the routes.",
            tracers, f->offered, f->accepted, FS_PERCENT(f->bound_share), f->bound);
    fs_finding_figure(o, "offered", f->offered);
    fs_finding_figure(o, "accepted", f->accepted);
    fs_finding_figure(o, "bound_share", f->bound_share);
    fs_finding_figure(o, "bound", f->bound);
}

static void find_port(const fs_traffic_figures *f, fs_findings *out) {
    fs_finding *o = fs_finding_begin(out, "port");
    fs_finding_say(o,
                   "The busiest port is the %s port of tile %llu, a %s of level %llu: it moves words in "
                   "%s of the exchange; by the routes the busiest port takes %.4g rays when every "
                   "tracer sends one.",
                   f->port_side, (unsigned long long)f->port_tile, f->port_role,
                   (unsigned long long)f->port_level, FS_PERCENT(f->port_share), f->port_rays);
    fs_finding_figure(o, "tile", (double)f->port_tile);
    fs_finding_figure(o, "share", f->port_share);
    fs_finding_figure(o, "rays", f->port_rays);
}

static void find_latency(const fs_traffic_figures *f, fs_findings *out) {
    if (f->measured_delivered == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "latency");
    fs_finding_say(o,
                   "A ray takes %.0f cycles (99 %% of them %llu at most), %.2g times what it takes alone on "
                   "the chip (%.0f), over %.1f lanes; an iteration takes %.0f.",
                   f->latency_mean, (unsigned long long)f->latency_p99, f->latency_mean / f->latency_zero,
                   f->latency_zero, f->hops_mean, f->cycles_mean);
    fs_finding_figure(o, "mean", f->latency_mean);
    fs_finding_figure(o, "p99", (double)f->latency_p99);
    fs_finding_figure(o, "zero_load", f->latency_zero);
}

static void find_waiting(const fs_traffic_figures *f, fs_findings *out) {
    if (f->waiting_peak == 0)
        return;
    fs_finding *o = fs_finding_begin(out, "waiting");
    fs_finding_say(o,
                   "Lanes without room leave %.0f rays waiting in an iteration, and up to %llu before one "
                   "lane: with more slots latency and throughput would be those of the ports.",
                   f->waiting_mean, (unsigned long long)f->waiting_peak);
    fs_finding_figure(o, "mean", f->waiting_mean);
    fs_finding_figure(o, "peak", (double)f->waiting_peak);
}

void fs_traffic_find(const fs_traffic_outputs *o, fs_findings *found) {
    find_throughput(o->figures, o->overlay->tracers, found);
    find_port(o->figures, found);
    find_latency(o->figures, found);
    find_waiting(o->figures, found);
    fs_device_find_continued(o->machine, found);
    fs_power_find(&o->figures->power, (fs_energy_each){"ray", o->figures->joules_per_ray}, found);
}
