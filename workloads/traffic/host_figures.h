/* What the struct of a traffic run begins with: the frame's, and what only traffic adds to host.json. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H
#define FOAMSIM_WORKLOADS_TRAFFIC_HOST_FIGURES_H

#include "sim/workload/run.h"

typedef struct fs_traffic_host_figures {
    fs_run run;
    double outlook_seconds;
} fs_traffic_host_figures;

#endif
