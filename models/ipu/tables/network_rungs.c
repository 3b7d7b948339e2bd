/* Rungs of the ladder that a network on chip has: bounds from its phases, each with the setting that makes it a run. */
#include "models/ipu/tables/network_figures.h"

#include <stdio.h>

size_t fs_links_rungs(const fs_device *device, const fs_machine_params *machine,
                      fs_rung out[FS_LINKS_RUNGS]) {
    const fs_fabric_network *n = fs_fabric_network_of(fs_device_fabric(device, 0));
    const fs_device_totals t = fs_device_totals_of(device);
    if (n == NULL || n->floors.cycles == 0 || t.cycles_exchange < n->floors.cycles ||
        machine->noc.routers == FS_NOC_FREE)
        return 0;
    const fs_fabric_floors *f = &n->floors;
    const struct {
        const char *name, *detail;
        uint64_t floor;
    } rungs[FS_LINKS_RUNGS] = {
        {"endless_network_buffers",
         "Channels of the network hold 255 flits; no phase is shorter than its busiest link, port or longest "
         "message.",
         f->endless},
        {"free_network_routers",
         "Packets take the cycles of their links alone, which carry all that comes; no phase is shorter than "
         "its "
         "busiest port or longest message.",
         f->free},
        {"twice_the_network_links",
         "Flits carry twice the bytes; no phase is shorter than half the flits of its busiest link or port.",
         f->twice},
    };
    for (size_t i = 0; i < FS_LINKS_RUNGS; i++) {
        const uint64_t cycles = t.cycles - (f->cycles - rungs[i].floor);
        out[i] = (fs_rung){.name = rungs[i].name,
                           .kind = "bound",
                           .cycles = cycles,
                           .seconds = (double)cycles / machine->clock,
                           .gain_percent = 100.0 * (double)(t.cycles - cycles) / (double)t.cycles};
        snprintf(out[i].detail, FS_RUNG_TEXT, "%s", rungs[i].detail);
    }
    if (machine->noc.buffer < FS_NOC_MOST_DEPTH)
        snprintf(out[0].sets, FS_RUNG_TEXT, "machine.exchange.noc.buffer=%d", FS_NOC_MOST_DEPTH);
    snprintf(out[1].sets, FS_RUNG_TEXT, "machine.exchange.noc.routers=free");
    snprintf(out[2].sets, FS_RUNG_TEXT, "machine.exchange.noc.width=%lldB",
             2 * (long long)machine->noc.width);
    return FS_LINKS_RUNGS;
}
