#include "workloads/treelets/run.h"

#include "workloads/treelets/treelets.h"

#define F          fs_treelets_figures
#define FS_ROWS_OF F

static const fs_stat own_rows[] = {
    FS_VALUE("device.paths_per_second", rate, "paths/s",
             "steady: paths that ended in the second and third quarter of them, over the time between",
             FS_MORE, FS_AT(201, "paths a second")),
    FS_VALUE(
        "device.paths_per_second_frame", rate_frame, "paths/s",
        "all paths over device.seconds_steps: filling and draining included, visits of the host left out",
        FS_MORE, FS_AT(202, "paths a second of all steps")),
    FS_VALUE("device.seconds_steps", seconds_steps, "s", "of all steps: the frame without visits of the host",
             FS_LESS),
    FS_VALUE("device.paths_per_second_ideal", ideal, "paths/s",
             "if all workers of all tiles of treelets were busy with the paths' slots throughout", FS_MORE),
    FS_WHOLE("device.steps", steps, "steps", "supersteps", FS_LESS, FS_AT(203, "steps")),
    FS_SHARE("device.share_compute", share_compute, "of the time tiles compute", FS_MORE),
    FS_SHARE("device.share_exchange", share_exchange, "of the time rays move", FS_LESS),
    FS_SHARE("device.share_sync", share_sync, "of the time tiles meet", FS_LESS),
    FS_WHOLE("treelets.count", geometry.treelets, "treelets", "that the tree was cut into",
             .label = "treelets"),
    FS_VALUE("treelets.bytes_mean", bytes_mean, "B", "of a treelet"),
    FS_WHOLE("treelets.bytes_most", geometry.most_bytes, "B", "of the largest"),
    FS_SHARE("treelets.fill", fill, "mean bytes of a treelet over workload.treelet.bytes"),
    FS_VALUE("treelets.copies", copies_mean, "copies", "of a treelet, mean", FS_MORE,
             FS_AT(211, "copies of a treelet")),
    FS_WHOLE("treelets.copies_most", traffic.most_copies, "copies", "of the treelet with most"),
    FS_WHOLE("top.bytes", geometry.top_bytes, "B", "above the treelets, on each tile", FS_LESS),
    FS_WHOLE("scene.triangles", geometry.triangles, "triangles", "of the scene"),
    FS_WHOLE("scene.triangles_fit", triangles_fit, "triangles",
             "that would fit, one copy each, did treelets of as many bytes a triangle fill the tiles",
             FS_MORE),
    FS_WHOLE("paths.count", geometry.paths, "paths", "pixels times samples", .label = "paths"),
    FS_WHOLE("paths.segments", geometry.segments, "segments", "rays of all paths, shadow rays left out"),
    FS_WHOLE("paths.hits", geometry.hits, "hits", "segments that met something"),
    FS_WHOLE("paths.escapes", geometry.escapes, "segments", "that left the scene"),
    FS_SHARE("paths.stopped", stopped, "ended by roulette"),
    FS_WHOLE("paths.nodes", geometry.path_nodes, "nodes", "tested, of top and treelets", FS_LESS),
    FS_WHOLE("paths.top_nodes", geometry.top_nodes, "nodes", "of them, of the top", FS_LESS),
    FS_WHOLE("paths.leaves", geometry.leaves, "leaves", "tested", FS_LESS),
    FS_WHOLE("paths.visits", geometry.visits, "visits", "of treelets", FS_LESS),
    FS_WHOLE("paths.visits_found", geometry.found, "visits", "of them, that found a nearer hit"),
    FS_VALUE("paths.visits_per_segment", visits_per_segment, "visits",
             "of treelets by a segment or shadow ray", FS_LESS, FS_AT(220, "visits a segment")),
    FS_WHOLE("paths.visits_median", geometry.half, "visits", "that half of the segments do not exceed",
             FS_LESS),
    FS_WHOLE("paths.visits_p95", geometry.most_of_20, "visits", "that 95 % of the segments do not exceed",
             FS_LESS),
    FS_WHOLE("paths.visits_p99", geometry.most_of_100, "visits", "that 99 % of the segments do not exceed",
             FS_LESS),
    FS_WHOLE("paths.shadows", geometry.shadows, "rays", "towards the sun"),
    FS_WHOLE("paths.shadows_blocked", geometry.blocked, "rays", "of them, that met something"),
    FS_WHOLE("paths.deepest_stack", geometry.deepest_stack, "entries", "most top nodes that a ray keeps"),
    FS_VALUE("paths.segments_mean", segments_per_path, "segments", "of a path"),
    FS_VALUE("paths.nodes_per_segment", nodes_per_segment, "nodes", "tested by a segment"),
    FS_VALUE("paths.slots_mean", slots_per_path, "slots", "issue slots of a path, by the program's events",
             FS_LESS),
    FS_WHOLE("paths.moves", traffic.moves, "moves", "rays that left for another tile", FS_LESS),
    FS_VALUE("paths.moves_per_path", moves_per_path, "moves", "of a path from tile to tile", FS_LESS,
             FS_AT(221, "moves a path")),
    FS_WHOLE("paths.payload", payload, "B", "of a ray that moves", FS_LESS),
    FS_VALUE("load.treelet_imbalance", traffic.treelet_imbalance, NULL,
             "units of visits at the busiest treelet over the mean"),
    FS_VALUE("load.gini", traffic.treelet_gini, NULL,
             "of those units over the treelets: 0 alike, 1 one alone"),
    FS_VALUE("load.tile_imbalance", traffic.tile_imbalance, NULL,
             "units that the busiest tile took over the mean", FS_LESS, FS_AT(222, "busiest tile over mean")),
    FS_WHOLE("queue.deepest", traffic.deepest, "rays", "most on a tile after a step", FS_LESS,
             FS_AT(223, "deepest queue")),
    FS_WHOLE("queue.deepest_tile", traffic.deepest_tile, NULL, "the tile, the first of equals",
             .says = FS_SAYS_LABEL),
    FS_WHOLE("queue.refused", traffic.refused, "times",
             "that a ray asked for a tile and stayed, as that or its slots were full", FS_LESS),
    FS_WHOLE("queue.rings", traffic.turned, "rings", "of full tiles that were turned", FS_LESS),
    FS_VALUE("energy.joules_per_path", joules_per_path, "J", "energy of the run over its paths", FS_LESS,
             FS_AT(205, "energy of a path")),
    FS_STAT_FLAG("complete", F, complete, .better = FS_BETTER_MORE, .doc = "all paths have ended"),
};
static const fs_stat_table own_stats = FS_STAT_TABLE("treelets", own_rows);
static const fs_stat_part parts[] = {
    {.table = &own_stats}, FS_STAT_PART(&fs_chip_stats, F, chip), FS_STAT_PART(&fs_joined_stats, F, chips)};
const fs_stat_table fs_treelets_stats = FS_STAT_PARTS("treelets", parts);

/* The first step after which so many paths have ended, and how many had. */
static uint64_t step_of(const fs_travelled *a, uint64_t paths, uint64_t *ended) {
    uint64_t s = 0;
    for (*ended = a->step[0].ended; s + 1 < a->steps && *ended < paths;)
        *ended += a->step[++s].ended;
    return s;
}

/* Between the ends of the first and of the third quarter of the paths; of a run too short for that, of all. */
static double steady_rate(const fs_treelets_run *r, double clock, double whole) {
    uint64_t before, after;
    const uint64_t first = step_of(r->activity, (r->geometry.paths + 3) / 4, &before),
                   last = step_of(r->activity, (3 * r->geometry.paths + 3) / 4, &after);
    return last > first ? (double)(after - before) / (double)(r->end_of[last] - r->end_of[first]) * clock
                        : whole;
}

static double slots_of(const fs_treelets_run *r) {
    const fs_priced_program *p = fs_device_program(r->of.device, 0, 0);
    double slots = 0;
    for (uint32_t e = 0; e < FS_TREELETS_EVENTS; e++)
        slots += (double)r->totals[e] * p->slots[e];
    return slots;
}

void fs_treelets_figures_make(fs_treelets_run *r) {
    F *f = &r->figures;
    const fs_treelets_geometry *g = &r->geometry;
    const fs_device_figures *d = &r->of.chip.device;
    const double clock = r->of.machine->clock, paths = (double)g->paths, segments = (double)g->segments;
    const fs_priced_program *p = fs_device_program(r->of.device, 0, 0);
    *f = (F){.geometry = *g, .traffic = r->traffic, .chip = r->of.chip};
    f->bytes_mean = (double)g->treelet_bytes / (double)g->treelets;
    f->fill = r->params->treelet_bytes > 0 ? f->bytes_mean / (double)r->params->treelet_bytes : 1;
    f->stopped = (double)f->geometry.stopped / (double)fs_most(f->geometry.paths, 1);
    f->copies_mean = (double)r->traffic.copies / (double)g->treelets;
    f->visits_per_segment = (double)g->visits / (segments + (double)g->shadows);
    f->segments_per_path = segments / paths;
    f->nodes_per_segment = (double)g->path_nodes / segments;
    f->moves_per_path = (double)r->traffic.moves / paths;
    f->slots_per_path = slots_of(r) / paths;
    f->seconds_steps = (double)(d->cycles - d->cycles_host) / clock;
    f->rate_frame = paths * clock / (double)(d->cycles - d->cycles_host);
    f->rate = steady_rate(r, clock, f->rate_frame);
    f->ideal = (double)r->tiles * p->workers / p->cycles_per_slot * clock / f->slots_per_path;
    f->share_compute = (double)d->cycles_compute / (double)d->cycles;
    f->share_exchange = (double)d->cycles_exchange / (double)d->cycles;
    f->share_sync = (double)d->cycles_sync / (double)d->cycles;
    f->steps = r->activity->steps;
    f->payload = fs_treelets_payload(r->params);
    f->joules_per_path = r->of.chip.power.energy.joules / paths;
    f->chips = fs_joined_figures_of(r->of.device, g->paths, (uint32_t)f->payload);
    f->triangles_fit =
        (uint64_t)((double)fs_treelets_room(r) * r->tiles * (double)g->triangles / (double)g->treelet_bytes);
    f->complete = true;
    r->of.each = (fs_energy_each){"path", f->joules_per_path};
    r->of.run.figures = f;
}
