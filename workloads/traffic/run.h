/* A traffic run: what its files share. */
#ifndef FOAMSIM_WORKLOADS_TRAFFIC_RUN_H
#define FOAMSIM_WORKLOADS_TRAFFIC_RUN_H

#include "models/overlay/load_tables.h"
#include "workloads/traffic/books.h"
#include "workloads/traffic/traffic_params.h"

/* All parts of one run; memory in the arena but for the network's queues. */
typedef struct fs_traffic_run {
    fs_chip_run of;
    double outlook_seconds; /* of host.json */
    const fs_traffic_params *params;
    fs_overlay overlay;
    fs_pattern pattern;
    uint32_t *slots;        /* [lanes] */
    fs_transfer *transfers; /* [lanes] */
    fs_event event;         /* of the program of `router: fixed` */
    fs_program program;
    fs_traffic_network *network;
    fs_outlook outlook;
    fs_traffic_books books;
    fs_traffic_figures figures;
    fs_latency *latency;
    const uint32_t *active;
    uint32_t active_count;
} fs_traffic_run;

/* Steps of fs_run_steps: findings, most important first; tables. */
fs_status fs_traffic_conclude(void *run, fs_conclusions *out, fs_error *err);
fs_status fs_traffic_write(void *run, fs_results *results, fs_error *err);

#endif
