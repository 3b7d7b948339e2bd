/* The tables of a traffic run's folder. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_OUTPUTS_H
#define FOAMSIM_WORKLOADS_TRAFFIC_OUTPUTS_H

#include "sim/results/findings.h"
#include "sim/results/results.h"
#include "workloads/traffic/books.h"

typedef struct fs_traffic_outputs {
    const fs_machine_params *machine;
    const fs_overlay *overlay;
    const fs_device *device;
    const fs_traffic_network *network;
    const fs_traffic_books *books;
    const fs_traffic_figures *figures;
    const fs_latency *latency;
    const fs_transfer *transfers; /* [lanes] */
    bool full;                    /* tables of congestion too: levels, distributions */
    const fs_ledger *ledger;      /* NULL: no lane has a place in SRAM */
} fs_traffic_outputs;

/* Tables. FS_IO. */
fs_status fs_traffic_outputs_write(const fs_traffic_outputs *outputs, fs_results *results, fs_error *err);
/* Findings, most important first. */
void fs_traffic_find(const fs_traffic_outputs *outputs, fs_findings *out);

#endif
