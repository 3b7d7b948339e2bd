/* What a traffic run cost the host: host.json. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H
#define FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H

#include "sim/workload/run_cost.h"

typedef struct fs_traffic_host_figures {
    fs_run_cost run;
    double outlook_seconds;
} fs_traffic_host_figures;

#endif
