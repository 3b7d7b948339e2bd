/* The figures of a run: summary.json and host.json. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_FIGURES_H
#define FOAMSIM_WORKLOADS_HIERARCHY_FIGURES_H

#include "models/fpga/engine.h"
#include "models/fpga/machine.h"
#include "models/fpga/power.h"
#include "workloads/hierarchy/work.h"

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

#endif
