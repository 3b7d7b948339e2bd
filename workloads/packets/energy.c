/* What a run of the network alone takes: energy by what its links carried, area of its routers. */
#include "models/energy/books.h"
#include "models/ipu/power/power.h"
#include "sim/base/arith.h"
#include "workloads/packets/run.h"

#include <math.h>

static double joules(const fs_packets_run *r, const fs_moved *moved, fs_price_end end) {
    const fs_energy_prices p = fs_energy_prices_of(&r->machine->energy, r->machine->clock, end);
    return fs_joules(fs_energy_of_wires(&p, moved));
}

/* Clocks and leakage of the routers in the measured cycles. */
static double standing(const fs_packets_run *r, fs_price_end end) {
    const fs_energy_prices p = fs_energy_prices_of(&r->machine->energy, r->machine->clock, end);
    fs_attojoules out[FS_ENERGY_PARTS] = {0};
    fs_energy_of_network(&p, fs_machine_network_area(r->machine, r->graph), r->window, out);
    return fs_joules(out[FS_ENERGY_CLOCK] + out[FS_ENERGY_LEAKAGE]);
}

void fs_packets_energy_of(fs_packets_run *r) {
    fs_packets_energy *e = &r->figures.energy;
    const double none = (double)NAN;
    if (r->machine->energy.process == FS_PROCESS_OTHER) {
        *e = (fs_packets_energy){.joules = none,
                                 .low = none,
                                 .high = none,
                                 .routers = none,
                                 .links = none,
                                 .ends = none,
                                 .standing = none,
                                 .watts = none,
                                 .each = none,
                                 .area = none,
                                 .limits = {.area_chip = none, .watts = none}};
        return;
    }
    const uint64_t width = (uint64_t)r->machine->noc.width;
    const fs_noc_work work = fs_noc_work_of(r->graph, r->flow->uses);
    const fs_moved all = fs_energy_of_flits(work, width), ports = {.ports = all.ports},
                   links = {.links = all.links}, ends = {.ends = all.ends};
    const fs_area_network network = fs_area_network_of(r->graph, &r->machine->noc);
    *e = (fs_packets_energy){
        .joules = joules(r, &all, FS_PRICE_CENTRAL) + standing(r, FS_PRICE_CENTRAL),
        .low = joules(r, &all, FS_PRICE_LOW) + standing(r, FS_PRICE_LOW),
        .high = joules(r, &all, FS_PRICE_HIGH) + standing(r, FS_PRICE_HIGH),
        .routers = joules(r, &ports, FS_PRICE_CENTRAL),
        .links = joules(r, &links, FS_PRICE_CENTRAL),
        .ends = joules(r, &ends, FS_PRICE_CENTRAL),
        .standing = standing(r, FS_PRICE_CENTRAL),
        .area = fs_area_of_network(&r->machine->area, &network, FS_PRICE_CENTRAL) *
                fs_area_of_process(r->machine->energy.process, FS_PRICE_CENTRAL),
    };
    e->watts = e->joules / ((double)r->window / r->machine->clock);
    const fs_limits_params *limits = &r->machine->limits;
    const double area = fs_power_area_of(r->machine, r->graph);
    e->limits = (fs_energy_figures){.watts = e->watts,
                                    .area_chip = area,
                                    .of_area = limits->area > 0 ? area / limits->area : 0,
                                    .of_power = limits->power > 0 ? e->watts / limits->power : 0};
    e->each = r->callers > 0 ? none : fs_ratio(e->joules * fs_flow_mean_flits(&r->setup), (double)work.taken);
}
