/* A traffic run: what its files share. */
#pragma once

#include "models/overlay/load_tables.h"
#include "models/overlay/overlay.h"
#include "sim/config/param.h"
#include "workloads/traffic/books.h"

#include <stdbool.h>
#include <stdint.h>

/* The workload section of a traffic experiment. */
enum { FS_TRAFFIC_IDEAL, FS_TRAFFIC_FIXED };                        /* router */
enum { FS_TRAFFIC_INFINITE, FS_TRAFFIC_OVERLAY, FS_TRAFFIC_SLOTS }; /* buffers */

typedef struct fs_traffic_params {
    int64_t tracers;
    int64_t pattern; /* fs_pattern_kind */
    fs_int_list hotspot;
    bool hotspot_given;
    double hotspot_share; /* of the rays, 0 ... 1 */
    double load;          /* rays per kilocycle and source; 0: `rate` rules */
    double rate;          /* rays per iteration and source */
    int64_t burst;        /* most rays of a source in an iteration, those waiting on its tile included */
    int64_t warmup, measure, drain; /* iterations */
    int64_t payload_bytes;
    int64_t router;        /* FS_TRAFFIC_IDEAL, FS_TRAFFIC_FIXED */
    int64_t router_cycles; /* issue slots of a ray with `fixed` */
    int64_t buffers;       /* FS_TRAFFIC_INFINITE ... */
    int64_t lane_slots;    /* rays, with `slots` */
    int64_t max_rays;      /* in flight */
    fs_role_code code;     /* bytes of each role's program */
} fs_traffic_params;

/* The rules between the values of an experiment (fs_section_rules.check). */
struct fs_config;
void fs_traffic_check_config(const struct fs_config *config, fs_check *check);

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
    fs_traffic_rays *rays;
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
