/* The sentences of findings.json, each with its figures. */
#include "workloads/traffic/run.h"

static void find_network(const fs_traffic_figures *f, uint32_t tracers, fs_findings *out) {
    const double kept_up = 0.97; /* of what is offered, noise apart */
    FS_FIND(out, "throughput",
            "[@full?The network is full: each|Each] of {@tracers|whole} tracers offers {offered|3} rays per "
            "1,000 cycles and gets [@full?{accepted|3} through,|them through:] {bound_share|share} of the "
            "{bound|3} at which the busiest port or tile saturates.",
            FS_IS("offered", f->offered), FS_IS("accepted", f->accepted),
            FS_IS("bound_share", f->bound_share), FS_IS("bound", f->bound), FS_IS("@tracers", tracers),
            FS_IS("@full", !(f->accepted >= kept_up * f->offered)));
    FS_FIND(out, "port",
            "The busiest port is the {@side} port of tile {tile|.0}, a {@role} of level {@level|.0}: it "
            "moves words in {share|share} of the exchange; when every tracer sends one ray, {rays|4} of them "
            "pass the busiest port.",
            FS_IS("tile", f->port_tile), FS_IS("share", f->port_share), FS_IS("rays", f->port_rays),
            FS_IS("@side", f->port_side), FS_IS("@role", f->port_role), FS_IS("@level", f->port_level));
    if (f->rays.measured_delivered > 0)
        FS_FIND(out, "latency",
                "A ray takes {mean|whole} cycles (99 % of them {p99|whole} at most), {@ratio|2} times as "
                "long as alone on the chip ({zero_load|whole} cycles), over {@hops|.1} lanes; an iteration "
                "takes {@iteration|whole} cycles.",
                FS_IS("mean", f->latency_mean), FS_IS("p99", f->latency_p99),
                FS_IS("zero_load", f->latency_zero), FS_IS("@ratio", f->latency_mean / f->latency_zero),
                FS_IS("@hops", f->hops_mean), FS_IS("@iteration", f->cycles_mean));
    if (f->waiting_peak > 0)
        FS_FIND(out, "waiting",
                "Full lanes leave {mean|whole} rays waiting in an iteration, and up to {peak|whole} before "
                "one lane: with more slots the ports alone would limit latency and throughput "
                "(workload.lane_slots).",
                FS_IS("mean", f->waiting_mean), FS_IS("peak", f->waiting_peak));
}

fs_status fs_traffic_conclude(void *run, fs_conclusions *out, fs_error *err) {
    (void)err;
    const fs_traffic_run *r = run;
    const fs_traffic_figures *f = &r->figures;
    find_network(f, r->overlay.tracers, out->findings);
    fs_links_find_run(r->of.device, &f->chip.network, out->findings);
    fs_device_find_continued(r->of.machine, out->findings);
    fs_power_find(&f->chip.power, (fs_energy_each){"ray", f->joules_per_ray}, out->findings);
    return FS_OK;
}
