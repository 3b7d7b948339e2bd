/* A simulation without kernels: shows what a recording says. */
#include "workloads/foam/kernels/simulation.h"

#include "workloads/foam/kernels/simulation_internal.h"

#include <string.h>

fs_foam_simulation *fs_shell_create(fs_arena *arena, const fs_foam_setup *setup, const fs_shell_end *end) {
    fs_foam_simulation *sim = FS_NEW(arena, fs_foam_simulation, 1);
    const fs_overlay *overlay = setup->overlay;
    sim->setup = *setup;
    sim->overlay = overlay;
    sim->lanes = FS_NEW(arena, fs_lane_state, overlay->lane_count);
    memcpy(sim->lanes, end->lanes, overlay->lane_count * sizeof *sim->lanes);
    sim->framebuffer = end->framebuffer;
    sim->totals = end->totals;
    sim->complete = end->complete;
    sim->held = FS_NEW(arena, uint32_t, overlay->tiles);
    sim->active = FS_NEW(arena, uint32_t, overlay->tiles);
    return sim;
}

void fs_shell_show(fs_foam_simulation *sim, const fs_foam_step *step, const uint32_t *active,
                   const uint32_t *held, uint32_t count, uint64_t written) {
    for (uint32_t i = 0; i < sim->active_count; i++)
        sim->held[sim->active[i]] = 0;
    for (uint32_t i = 0; i < count; i++) {
        sim->active[i] = active[i];
        sim->held[active[i]] = held[i];
    }
    sim->active_count = count;
    sim->step = *step;
    sim->framebuffer.written[0] = written;
}
