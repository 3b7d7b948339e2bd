/* Rungs of the ladder that a network on chip has: bounds from its phases, each with the setting that makes it a run. */
#include "models/ipu/tables/network_figures.h"

#define BUFFERS "machine.exchange.noc.buffer=255"
_Static_assert(FS_NOC_MOST_DEPTH == 255, "as texts say");

size_t fs_links_rungs(const fs_device *device, const fs_machine_params *machine, fs_arena *arena,
                      fs_rung out[FS_LINKS_RUNGS]) {
    const fs_fabric_network *n = fs_fabric_network_of(fs_device_fabric(device, 0));
    const fs_device_totals t = fs_device_totals_of(device);
    if (n == NULL || n->floors.cycles == 0 || t.cycles_exchange < n->floors.cycles ||
        machine->noc.routers == FS_NOC_FREE)
        return 0;
    const fs_fabric_floors *f = &n->floors;
    const fs_rung rungs[FS_LINKS_RUNGS] = {
        {.name = "endless_network_buffers",
         .detail =
             "Channels of the network hold 255 flits; no phase is shorter than its busiest link, port or "
             "longest message.",
         .sets = machine->noc.buffer < FS_NOC_MOST_DEPTH ? BUFFERS : NULL,
         .cycles = f->endless},
        {.name = "free_network_routers",
         .detail =
             "Packets take the cycles of their links alone, which carry all that comes; no phase is shorter "
             "than its busiest port or longest message.",
         .sets = "machine.exchange.noc.routers=free",
         .cycles = f->free},
        {.name = "twice_the_network_links",
         .detail = "Flits carry twice the bytes; no phase is shorter than half the flits of its busiest link "
                   "or port.",
         .sets =
             fs_arena_printf(arena, "machine.exchange.noc.width=%lldB", 2 * (long long)machine->noc.width),
         .cycles = f->twice},
    };
    for (size_t i = 0; i < FS_LINKS_RUNGS; i++) {
        out[i] = rungs[i];
        out[i].kind = "bound";
        fs_ladder_time(&out[i], (double)(t.cycles - (f->cycles - rungs[i].cycles)), (double)t.cycles,
                       machine->clock);
    }
    return FS_LINKS_RUNGS;
}
