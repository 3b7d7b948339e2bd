/* From what was counted to the figures. */
#include "workloads/hierarchy/run.h"

#include "sim/base/arith.h"

#include <math.h>

/* ---- hits ---- */

bool fs_hierarchy_is_right(const fs_hierarchy_work *w, uint32_t checked) {
    return w->walks.end[(size_t)checked * w->step].hit.triangle == w->nearest[checked].triangle;
}

/* Of the checked rays: those that hit something, by the engine and in truth. */
static void take_hits(const fs_hierarchy_work *w, fs_hierarchy_figures *f) {
    uint64_t hits = 0, engine_hits = 0, truth_hits = 0, right = 0, lost = 0;
    for (uint32_t r = 0; r < w->walks.rays; r++)
        hits += w->walks.end[r].hit.triangle != FS_UNIT_WALK_MISS;
    for (uint32_t i = 0; i < w->checked; i++) {
        const bool hit = w->walks.end[(size_t)i * w->step].hit.triangle != FS_UNIT_WALK_MISS,
                   in_truth = w->nearest[i].triangle != FS_UNIT_WALK_MISS;
        engine_hits += hit;
        truth_hits += in_truth;
        right += hit && fs_hierarchy_is_right(w, i);
        lost += in_truth && !hit;
    }
    f->checked = w->checked;
    f->hits = fs_ratio((double)hits, w->walks.rays);
    f->nearest = fs_ratio((double)right, (double)engine_hits);
    f->missed = fs_ratio((double)lost, (double)truth_hits);
    f->wrong = fs_ratio((double)(engine_hits - right + lost), w->checked);
}

/* ---- parts ---- */

static void take_units(const fs_engine_results *e, fs_hierarchy_figures *f) {
    fs_part_use sum = {0};
    for (uint32_t u = 0; u < e->units; u++) {
        sum.busy += e->unit[u].busy;
        sum.input += e->unit[u].input;
        sum.output += e->unit[u].output;
        sum.idle += e->unit[u].idle;
    }
    const double all = (double)fs_part_use_sum(&sum);
    f->units_busy = fs_ratio((double)sum.busy, all);
    f->units_grant = fs_ratio((double)sum.output, all);
    f->units_answer = fs_ratio((double)sum.input, all);
    f->units_idle = fs_ratio((double)sum.idle, all);
}

static double busy(const fs_part_use *use) {
    return fs_ratio((double)use->busy, (double)fs_part_use_sum(use));
}

static void take_memory(const fs_fpga_params *m, const fs_engine_results *e, fs_hierarchy_figures *f) {
    const fs_dram_kind *kind = fs_engine_memory_kind(m);
    const double bandwidth = kind == NULL ? (double)m->memory.bandwidth : (double)fs_dram_bandwidth(kind);
    f->bus_busy = busy(&e->memory);
    f->bus_bytes = bandwidth / (double)m->clock;
    f->bandwidth_used = fs_ratio((double)e->bus_bytes, bandwidth * f->seconds);
    f->cache_hits = fs_ratio((double)e->cache_hits, (double)(e->cache_hits + e->cache_misses));
    f->row_hits = fs_ratio((double)e->dram.hits, (double)e->dram.bursts);
    f->row_conflicts = fs_ratio((double)e->dram.conflicts, (double)e->dram.bursts);
}

static void take_engine(const fs_hierarchy_params *p, const fs_fpga_params *m, fs_hierarchy_figures *f) {
    fs_resource r[FS_RESOURCE_KINDS];
    fs_resources_of(m, r);
    f->units = (uint64_t)m->traversal.units;
    f->unit_rays = (uint64_t)m->traversal.rays;
    f->queue = (uint64_t)m->traversal.queue;
    f->box_stages = (uint64_t)m->intersection.box_depth;
    f->triangle_stages = (uint64_t)m->intersection.triangle_depth;
    f->registers =
        fs_ratio((double)r[FS_RESOURCE_REGISTERS].used, (double)r[FS_RESOURCE_REGISTERS].available);
    f->luts = fs_ratio((double)r[FS_RESOURCE_LUTS].used, (double)r[FS_RESOURCE_LUTS].available);
    f->dsps = fs_ratio((double)r[FS_RESOURCE_DSPS].used, (double)r[FS_RESOURCE_DSPS].available);
    f->block_ram =
        fs_ratio((double)r[FS_RESOURCE_BLOCK_RAM].used, (double)r[FS_RESOURCE_BLOCK_RAM].available);
    f->block_ram_left = (double)r[FS_RESOURCE_BLOCK_RAM].available - (double)r[FS_RESOURCE_BLOCK_RAM].used;
    /* A packet has its header: 128 B of payload travel as 148 B (fpga_engine.md 2). */
    const double packets = (double)p->ray_bytes / (double)m->link.payload;
    f->link_rays_per_second =
        m->link.kind == FS_LINK_NONE
            ? (double)NAN
            : (double)fs_link_bandwidth(&m->link) / ((double)p->ray_bytes + packets * (double)m->link.header);
}

/* ---- all ---- */

static void take_requests(const fs_hierarchy_work *w, const fs_engine_results *e, fs_hierarchy_figures *f) {
    const double rays = (double)e->rays, requests = (double)e->requests;
    f->per_ray = requests / rays;
    f->nodes_per_ray = (double)e->nodes / rays;
    f->leaves_per_ray = (double)e->leaves / rays;
    f->bytes_per_ray = (double)e->bytes / rays;
    f->request_cycles = 0;
    for (int s = 0; s < FS_REQUEST_STAGES; s++) {
        f->stage[s] = (double)e->stage[s] / requests;
        f->request_cycles += f->stage[s];
    }
    f->rays_with_loss = (double)e->lossy_rays / rays;
    f->lost_per_ray = (double)e->lost / rays;
    take_hits(w, f);
}

void fs_hierarchy_figures_of(const fs_hierarchy_params *p, const fs_fpga_params *m,
                             const fs_hierarchy_work *w, const fs_engine_itinerary *itinerary,
                             const fs_engine_results *e, fs_hierarchy_figures *f) {
    const uint64_t visits = w->visits.nodes + w->visits.leaves;
    *f = (fs_hierarchy_figures){.facts = w->facts,
                                .node_bytes = itinerary->node_bytes,
                                .tree_bytes = itinerary->tree_bytes,
                                .engine = *e,
                                .complete = true};
    f->seconds = (double)e->cycles / (double)m->clock;
    f->upload_seconds = (double)e->upload_cycles / (double)m->clock;
    f->rays_per_second = (double)e->rays / f->seconds;
    f->cycles_per_ray = (double)e->cycles * (double)e->units / (double)e->rays;
    take_requests(w, e, f);
    take_units(e, f);
    f->arbiter_busy = busy(&e->arbiter);
    f->box_busy = busy(&e->box);
    f->triangle_busy = busy(&e->triangle);
    f->link_in_busy = busy(&e->link_in);
    f->link_out_busy = busy(&e->link_out);
    take_memory(m, e, f);
    take_engine(p, m, f);
    f->cpu_visits = visits == 0 ? (double)NAN : (double)visits / w->checked;
    f->cpu_rays_per_second = 1 / (f->cpu_visits * p->cpu_visit);
    f->gpu_rays_per_second = 1 / (f->cpu_visits * p->gpu_visit);
    f->power = fs_fpga_power_of(m, e);
    f->joules_per_ray = f->power.energy.joules / (double)e->rays;
    f->of_cpu = f->rays_per_second / f->cpu_rays_per_second;
}
