/* A run: what its files share. */
#pragma once

#include "models/fpga/engine.h"
#include "models/fpga/machine.h"
#include "models/fpga/power.h"
#include "sim/config/config.h"
#include "sim/results/recording.h"
#include "sim/trace/trace.h"
#include "sim/workload/run.h"
#include "workloads/hierarchy/work.h"

/* The figures of a run: summary.json and host.json. */
typedef struct fs_hierarchy_figures {
    fs_hierarchy_facts facts; /* of scene and tree */
    uint64_t node_bytes, tree_bytes;
    fs_engine_results engine; /* what it counted: requests, queues, memory */
    /* requests */
    double per_ray, nodes_per_ray, leaves_per_ray, bytes_per_ray, request_cycles;
    double stage[FS_REQUEST_STAGES]; /* cycles of a request */
    /* queues */
    double rays_with_loss, lost_per_ray;
    /* hits */
    double hits, nearest, missed, wrong;
    uint64_t checked;
    /* time */
    double rays_per_second, seconds, upload_seconds, cycles_per_ray;
    /* parts, shares of the run */
    double units_busy, units_grant, units_answer, units_idle;
    double bus_busy, box_busy, triangle_busy, arbiter_busy, link_in_busy, link_out_busy;
    double bandwidth_used, cache_hits, row_hits, row_conflicts;
    /* the engine as it is built */
    uint64_t units, unit_rays, queue, box_stages, triangle_stages;
    double bus_bytes, link_rays_per_second;
    double registers, luts, dsps, block_ram;
    double block_ram_left; /* bytes */
    /* the paper's other machines */
    double cpu_visits, cpu_rays_per_second, gpu_rays_per_second, of_cpu;
    fs_fpga_power_figures power;
    double joules_per_ray;
    bool complete;
} fs_hierarchy_figures;

/* What only this workload adds to host.json. */
typedef struct fs_hierarchy_host_figures {
    double walk_seconds, engine_seconds, ladder_seconds;
    double requests_walked_per_second, requests_served_per_second, cycles_per_second;
} fs_hierarchy_host_figures;

/* Whether a checked ray has its right hit: the nearest one, or none where there is none. */
bool fs_hierarchy_is_right(const fs_hierarchy_work *work, uint32_t checked);

void fs_hierarchy_figures_of(const fs_hierarchy_params *params, const fs_fpga_params *machine,
                             const fs_hierarchy_work *work, const fs_engine_itinerary *itinerary,
                             const fs_engine_results *results, fs_hierarchy_figures *out);

/* The timeline of a run: requests of the units, the memory's bus, grants. */
enum { FS_HIERARCHY_SPANS = 50000 }; /* requests that a timeline shows: the first of the run */

typedef struct fs_hierarchy_timeline {
    fs_trace *trace;
    uint32_t places;
    uint64_t spans;
} fs_hierarchy_timeline;

enum { FS_HIERARCHY_RUNGS = 7 };

typedef struct fs_hierarchy_run {
    fs_run run;
    const fs_fpga_params *machine;
    const fs_mesh_scene_params *scene;
    const fs_hierarchy_params *params;
    fs_hierarchy_work work;
    fs_engine_itinerary itinerary;
    fs_engine_results engine;
    fs_hierarchy_figures figures;
    fs_hierarchy_host_figures cost;
    fs_rung rungs[FS_HIERARCHY_RUNGS]; /* [rung_count] the first as measured, the last of all together */
    size_t rung_count;
    fs_hierarchy_timeline timeline;
} fs_hierarchy_run;

/* What the run would take with one thing for free after another: serves the itinerary again on other machines,
 * and with an endless queue the rays' other requests. Without a clock edge of the kernel, which a process has
 * but once. Fills the rungs; without that of the endless queue where its rays would ask for more than the host
 * should hold (fs_hierarchy_walk_again). */
fs_status fs_hierarchy_ladder(fs_hierarchy_run *run, fs_error *err);
/* Most important first; after the ladder. */
void fs_hierarchy_find(const fs_hierarchy_run *run, fs_findings *out);

/* Step of fs_run_steps. time.csv, stages.csv, units.csv, distributions.csv, resources.csv; banks.csv of a memory with banks;
 * of a picture pixels.csv, image.png, and of checked rays reference.png and wrong.png. */
fs_status fs_hierarchy_write(void *run, fs_results *results, fs_error *err);

/* Itinerary recordings of the workload (docs/recordings.md; sim/results/recording.h is the container): what
 * every ray asks for and hits, so that a run with another machine walks nothing. */
/* Writes one of this configuration. FS_IO. */
fs_status fs_hierarchy_record(const char *path, const fs_config *config, fs_hierarchy_work *work,
                              fs_error *err);
/* Reads one that matches the configuration. FS_IO when it is damaged, or its numbers contradict each other or
 * a queue of so many entries (0: no bound). Owner: caller (fs_hierarchy_work_free). */
fs_status fs_hierarchy_replay(const fs_recording *recording, uint32_t queue, fs_hierarchy_work *out,
                              fs_error *err);
