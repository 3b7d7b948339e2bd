/* What a traffic run cost the host: host.json. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H
#define FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H

#include <stdint.h>

typedef struct fs_traffic_host_figures {
    double wall_seconds, cpu_seconds, outlook_seconds, simulation_seconds, write_seconds;
    uint64_t peak_rss_bytes, threads, kernel_activations;
    double ray_hops_per_second, slowdown;
    const char *version, *compiler;
} fs_traffic_host_figures;

#endif
