/* The tables of a traffic run's folder. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_OUTPUTS_H
#define FOAMSIM_WORKLOADS_TRAFFIC_OUTPUTS_H

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
    bool summary;                 /* run.outputs: figures and findings only */
    bool full;                    /* tables of congestion too: levels, distributions, findings */
    const fs_ledger *ledger;      /* NULL: no lane has a place in SRAM */
} fs_traffic_outputs;

/* Every file but host.json. */
fs_status fs_traffic_outputs_write(const fs_traffic_outputs *outputs, fs_results *results, fs_error *err);
/* findings.json alone; called by the above. */
fs_status fs_traffic_findings_write(const fs_traffic_outputs *outputs, fs_results *results, fs_error *err);

#endif
