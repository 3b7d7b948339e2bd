/* What packets put on links and take alone, counted by their ways before anything runs: the mean over all ways that
 * the rule's tosses may choose. A link saturates when its load is a flit a cycle, so that no network carries more
 * than 1 / the greatest load.
 *
 *     fs_noc_loads *l = fs_noc_loads_begin(arena, graph, &params, flits);
 *     for (uint32_t dst = 0; dst < graph->ends; dst++)
 *         fs_noc_loads_add(l, dst, graph->ends, NULL, rate); // rate: [sources] to dst
 *     ... l->through, l->routers / l->rate, l->latency / l->rate
 *     fs_noc_loads_end(l);
 *
 * A destination costs a few ten nanoseconds a router whose packets come by, whatever number of sources it has. */
#pragma once

#include "models/noc/net.h"

typedef struct fs_noc_loads {
    double *through; /* [links + ends] the sums of rates that go through; of the arena */
    double rate;     /* of all packets */
    /* Sums of rate times a packet's mean: routers that it passes, cycles of a packet alone (fs_noc_alone). Of links
     * of several latencies with buffers shallower than their credits' ways, and tosses, the latter is the mean of 16
     * packets. */
    double routers, latency;
    struct fs_noc_loads_work *work; /* private */
} fs_noc_loads;

/* For packets of so many flits on such a network. The graph and the parameters are kept. */
fs_noc_loads *fs_noc_loads_begin(fs_arena *arena, const fs_noc_graph *graph, const fs_noc_params *params,
                                 uint32_t flits);
/* Adds `count` sources' packets to dst: src [count], NULL: end points 0 ... count - 1; rate [count], of any unit. */
void fs_noc_loads_add(fs_noc_loads *loads, uint32_t dst, uint32_t count, const uint32_t *src,
                      const double *rate);
/* Frees what only adding needs. */
void fs_noc_loads_end(fs_noc_loads *loads);
