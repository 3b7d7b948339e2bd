/* The rows of the figures. */
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/run.h"

#define F          fs_hierarchy_figures
#define FS_ROWS_OF F
#define MORE       .better = FS_BETTER_MORE

static const fs_stat time_rows[] = {
    FS_VALUE("device.seconds", seconds, "s", "from the first ray on the link to the last result at the host",
             FS_LESS, FS_AT(1, "time on the board"), .null_is = "never",
             .changed = "The rays take {new} instead of {old}."),
    FS_VALUE("rays.per_second", rays_per_second, "rays/s", "rays over device.seconds", FS_MORE,
             FS_AT(2, "rays a second"), .changed = "The board traces {new} instead of {old} rays a second."),
    FS_WHOLE("device.cycles", engine.cycles, "cycles", "the same time in cycles of the engine's clock",
             FS_LESS, FS_AT(3, "cycles")),
    FS_VALUE("rays.unit_cycles", cycles_per_ray, "cycles",
             "cycles of a unit for a ray: device.cycles times units over rays", FS_LESS),
    FS_VALUE("device.upload_seconds", upload_seconds, "s",
             "nodes and primitives to the board, once and before the rays: not in device.seconds", FS_LESS),
};

static const fs_stat request_rows[] = {
    FS_WHOLE("rays.count", engine.rays, "rays", "rays that went to the board"),
    FS_WHOLE("requests.count", engine.requests, "requests", "nodes and leaves asked for, of all rays",
             FS_LESS),
    FS_VALUE("requests.per_ray", per_ray, "requests", "nodes and leaves that a ray asks for, mean", FS_LESS,
             FS_AT(10, "requests of a ray"), .changed = "A ray asks {new} instead of {old} times."),
    FS_VALUE("requests.nodes_per_ray", nodes_per_ray, "requests", "of them nodes", FS_LESS),
    FS_VALUE("requests.leaves_per_ray", leaves_per_ray, "requests", "of them leaves", FS_LESS),
    FS_VALUE("requests.bytes_per_ray", bytes_per_ray, "B", "that a ray's requests ask for, mean", FS_LESS,
             FS_AT(11, "bytes of a ray"), .changed = "A ray reads {new} instead of {old} from memory."),
    FS_VALUE("requests.cycles", request_cycles, "cycles",
             "from an entry out of the queue to its children in it, mean: the five below", FS_LESS,
             FS_AT(12, "cycles of a request"), .changed = "A request takes {new} instead of {old} cycles."),
    FS_VALUE("requests.unit", stage[FS_REQUEST_UNIT], "cycles",
             "of them in the unit: queue, address, answer, spilled entries of block RAM", FS_LESS),
    FS_VALUE("requests.grant", stage[FS_REQUEST_GRANT], "cycles", "of them before the arbiter accepts it",
             FS_LESS, FS_AT(13, "of it before the grant")),
    FS_VALUE("requests.memory", stage[FS_REQUEST_MEMORY], "cycles", "of them until the first byte", FS_LESS),
    FS_VALUE("requests.bus", stage[FS_REQUEST_BUS], "cycles", "of them until the last byte", FS_LESS),
    FS_VALUE("requests.pipeline", stage[FS_REQUEST_PIPELINE], "cycles",
             "of them until the last box or triangle is tested", FS_LESS),
    FS_WHOLE("requests.longest_wait", engine.longest_wait, "cycles", "before a grant, at most", FS_LESS),
};

static const fs_stat queue_rows[] = {
    FS_WHOLE("queue.inserted", engine.inserted, "entries",
             "put into the queues of all rays after their roots: extracted + lost + left"),
    FS_WHOLE("queue.extracted", engine.extracted, "entries", "taken out and asked for"),
    FS_WHOLE("queue.lost", engine.lost, "entries", "pushed out of full queues", FS_LESS,
             FS_AT(20, "entries lost"), .changed = "Queues lose {new} instead of {old} entries."),
    FS_WHOLE("queue.left", engine.left, "entries", "still in them when their rays ended"),
    FS_SHARE("queue.rays_with_loss", rays_with_loss, "rays that lost at least one entry", FS_LESS,
             FS_AT(21, "rays that lost entries"),
             .changed = "{new} instead of {old} of the rays lose entries.",
             .wrong = "{value} of the rays lose queue entries, and hits with them: longer queues "
                      "(machine.traversal.queue) would keep them"),
    FS_VALUE("queue.lost_per_ray", lost_per_ray, "entries", "entries that a ray lost, mean", FS_LESS),
    FS_WHOLE("queue.peak", engine.peak, "entries", "in one queue at a time, at most"),
    FS_WHOLE("queue.spilled", engine.spilled, "entries", "kept outside the registers", FS_LESS),
};

static const fs_stat hit_rows[] = {
    FS_SHARE("hits.share", hits, "rays that end with a hit", FS_AT(22, "rays that hit")),
    FS_SHARE(
        "hits.nearest", nearest,
        "of the hits of checked rays those of the triangle that the ray meets first; null: none was checked",
        FS_MORE, FS_AT(23, "hits that are the nearest"),
        .changed = "{new} instead of {old} of the hits are the nearest."),
    FS_SHARE("hits.missed", missed,
             "of the checked rays that meet a triangle those that the engine says hit none", FS_LESS,
             FS_AT(24, "hits not found")),
    FS_SHARE("hits.wrong", wrong, "checked rays with another hit, or another miss, than the right one",
             FS_LESS,
             .wrong = "{value} of the checked rays end with a wrong hit: queues that lose nothing and "
                      "workload.stop = nearest find the nearest one"),
    FS_WHOLE("hits.checked", checked, "rays", "rays whose right hit was found"),
};

static const fs_stat part_rows[] = {
    FS_SHARE("units.busy", units_busy, "part of the units' cycles in which they work: queue, address, answer",
             FS_AT(110, "units at work")),
    FS_SHARE("units.grant", units_grant, "in which they wait for a grant", FS_LESS,
             FS_AT(111, "units before the arbiter")),
    FS_SHARE("units.answer", units_answer, "in which their answer is on its way", FS_LESS,
             FS_AT(112, "units waiting for an answer")),
    FS_SHARE("units.idle", units_idle, "in which they have no ray", FS_LESS),
    FS_SHARE("memory.bus_busy", bus_busy, "part of the run in which data move on the memory's bus",
             FS_AT(113, "memory's bus at work"),
             .changed = "The memory's bus moves data in {new} instead of {old} of the time."),
    FS_SHARE("memory.bandwidth_used", bandwidth_used, "bytes moved over those of the whole run's bandwidth"),
    FS_WHOLE("memory.bytes", engine.bus_bytes, "B", "moved by the memory, whole bursts", FS_LESS),
    FS_SHARE("memory.row_hits", row_hits, "bursts whose row was open; null: the memory has no banks", FS_MORE,
             FS_AT(114, "row hits")),
    FS_SHARE("memory.row_conflicts", row_conflicts, "bursts whose bank had another row open", FS_LESS),
    FS_WHOLE("memory.refreshes", engine.dram.refreshes, NULL, "refreshes of a rank"),
    FS_WHOLE("memory.rank_switches", engine.dram.rank_switches, NULL, "changes of the rank on the bus",
             FS_LESS),
    FS_SHARE("cache.hits", cache_hits, "nodes that were in the cache; null: there is none", FS_MORE,
             FS_AT(115, "nodes from the cache")),
    FS_SHARE("pipelines.box", box_busy, "part of the run in which a box enters its pipeline"),
    FS_SHARE("pipelines.triangle", triangle_busy, "part of the run in which a triangle enters its pipeline"),
    FS_SHARE("arbiter.busy", arbiter_busy, "part of the run with a grant"),
    FS_SHARE("link.in", link_in_busy, "part of the run in which rays are on the link"),
    FS_SHARE("link.out", link_out_busy, "part of the run in which results are on it"),
};

static const fs_stat built_rows[] = {
    FS_WHOLE("engine.units", units, "units", "traversal units", .says = FS_SAYS_LABEL),
    FS_WHOLE("engine.unit_rays", unit_rays, "rays", "rays that a unit holds", .says = FS_SAYS_LABEL),
    FS_WHOLE("engine.queue", queue, "entries", "of a queue; 0: no bound", .says = FS_SAYS_LABEL),
    FS_WHOLE("engine.box_stages", box_stages, "cycles", "of the box pipeline", .says = FS_SAYS_LABEL),
    FS_WHOLE("engine.triangle_stages", triangle_stages, "cycles", "of the triangle pipeline",
             .says = FS_SAYS_LABEL),
    FS_VALUE("engine.bus_bytes", bus_bytes, "B/cycle", "of memory bandwidth to a cycle of the engine",
             .says = FS_SAYS_LABEL),
    FS_VALUE("engine.link_rays", link_rays_per_second, "rays/s",
             "that the link can bring with the headers of their packets; null: no link", FS_MORE),
    FS_SHARE("resources.registers", registers, "of the device's", FS_LESS, FS_AT(120, "registers used")),
    FS_SHARE("resources.luts", luts, "of the device's look-up tables", FS_LESS),
    FS_SHARE("resources.dsps", dsps, "of the device's multipliers", FS_LESS),
    FS_SHARE("resources.block_ram", block_ram, "of the device's block RAM", FS_LESS),
    FS_VALUE("resources.block_ram_left", block_ram_left, "B", "room for a cache", FS_MORE),
};

static const fs_stat scene_rows[] = {
    FS_WHOLE("scene.triangles", facts.triangles, "triangles", "with an area"),
    FS_WHOLE("scene.degenerate", facts.degenerate, "triangles", "without an area, left out"),
    FS_WHOLE("scene.left_out", facts.others, NULL, "spheres and discs, which the engine can't test"),
    FS_WHOLE("tree.nodes", facts.nodes, "nodes", "of the hierarchy"),
    FS_WHOLE("tree.leaves", facts.leaves, "leaves", "of the hierarchy"),
    FS_WHOLE("tree.depth", facts.depth, "nodes", "from the root to the deepest leaf"),
    FS_WHOLE("tree.slots", facts.slots, "primitives", "places of triangles in its leaves"),
    FS_WHOLE("tree.node_bytes", node_bytes, "B", "of a node", .says = FS_SAYS_LABEL),
    FS_WHOLE("tree.bytes", tree_bytes, "B", "of nodes and primitives on the board"),
};

static const fs_stat other_rows[] = {
    FS_VALUE(
        "cpu.visits_per_ray", cpu_visits, "visits",
        "nodes and leaves that a processor visits depth first to find the nearest hit; null: not counted",
        FS_LESS),
    FS_VALUE("cpu.rays_per_second", cpu_rays_per_second, "rays/s",
             "of the paper's processor, at workload.cpu.visit a visit", FS_MORE),
    FS_VALUE("gpu.rays_per_second", gpu_rays_per_second, "rays/s",
             "of the paper's graphics card, at workload.gpu.visit a visit", FS_MORE),
    FS_VALUE("cpu.rays_ratio", of_cpu, NULL, "rays a second of the board over those of the processor",
             FS_MORE),
    FS_STAT_FLAG("complete", F, complete, MORE, .doc = "every ray was traced"),
};

static const fs_stat energy_rows[] = {
    FS_VALUE("energy.joules_per_ray", joules_per_ray, "J", "energy of the run over its rays", FS_LESS,
             FS_AT(205, "energy of a ray")),
};

static const fs_stat_table time_table = FS_STAT_TABLE("hierarchy time", time_rows),
                           request_table = FS_STAT_TABLE("requests", request_rows),
                           queue_table = FS_STAT_TABLE("queues", queue_rows),
                           hit_table = FS_STAT_TABLE("hits", hit_rows),
                           part_table = FS_STAT_TABLE("parts", part_rows),
                           built_table = FS_STAT_TABLE("engine", built_rows),
                           scene_table = FS_STAT_TABLE("tree", scene_rows),
                           energy_table = FS_STAT_TABLE("hierarchy energy", energy_rows),
                           other_table = FS_STAT_TABLE("other machines", other_rows);
static const fs_stat_part parts[] = {{.table = &time_table},   {.table = &request_table},
                                     {.table = &queue_table},  {.table = &hit_table},
                                     {.table = &part_table},   {.table = &built_table},
                                     {.table = &scene_table},  FS_STAT_PART(&fs_fpga_power_stats, F, power),
                                     {.table = &energy_table}, {.table = &other_table}};
const fs_stat_table fs_hierarchy_stats = FS_STAT_PARTS("hierarchy", parts);

#define H fs_hierarchy_run
static const fs_stat host_rows[] = {
    FS_STAT_VALUE("walk_seconds", H, cost.walk_seconds, .unit = "s",
                  .doc = "scene, tree, walk and right hits, or reading them from a recording"),
    FS_STAT_VALUE("engine_seconds", H, cost.engine_seconds, .unit = "s", .doc = "serving the requests"),
    FS_STAT_VALUE("ladder_seconds", H, cost.ladder_seconds, .unit = "s",
                  .doc = "serving them again for the ladder"),
    FS_STAT_VALUE("requests_walked_per_second", H, cost.requests_walked_per_second, .unit = "requests/s",
                  .doc = "requests over walk_seconds"),
    FS_STAT_VALUE("requests_served_per_second", H, cost.requests_served_per_second, .unit = "requests/s",
                  .doc = "requests over engine_seconds"),
    FS_STAT_VALUE("cycles_per_second", H, cost.cycles_per_second, .unit = "cycles/s",
                  .doc = "device.cycles over engine_seconds"),
};
const fs_stat_table fs_hierarchy_host_stats = FS_STAT_TABLE("hierarchy host", host_rows);
