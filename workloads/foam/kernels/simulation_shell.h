/* A simulation without rays: what was seen of one, shown again to those who only look (books, tables,
 * ladder). */
#ifndef FOAMSIM_WORKLOADS_FOAM_KERNELS_SIMULATION_SHELL_H
#define FOAMSIM_WORKLOADS_FOAM_KERNELS_SIMULATION_SHELL_H

#include "workloads/foam/kernels/simulation.h"

/* What is true at the end, and shown from the beginning. */
typedef struct fs_shell_end {
    const fs_lane_state *lanes; /* [lanes], kept */
    fs_foam_totals totals;
    fs_framebuffer framebuffer; /* hops, written, last_pixel and done */
    bool complete;
} fs_shell_end;

fs_foam_simulation *fs_shell_create(fs_arena *arena, const fs_foam_setup *setup, const fs_shell_end *end);
/* The next iteration: its step, and the rays that its active tiles read. written: pixels of the first frame
 * so far. */
void fs_shell_show(fs_foam_simulation *shell, const fs_foam_step *step, const uint32_t *active,
                   const uint32_t *held, uint32_t count, uint64_t written);

#endif
