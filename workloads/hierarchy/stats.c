/* The rows of the figures. */
#include "workloads/hierarchy/figures.h"
#include "workloads/hierarchy/hierarchy.h"
#include "workloads/hierarchy/run.h"

#define F                fs_hierarchy_figures
#define COUNT(n, m, ...) FS_STAT_COUNT(n, F, m, __VA_ARGS__)
#define VALUE(n, m, ...) FS_STAT_VALUE(n, F, m, __VA_ARGS__)
#define SHARE(n, m, ...) FS_STAT_VALUE(n, F, m, .says = FS_SAYS_SHARE, __VA_ARGS__)
#define LESS             .better = FS_BETTER_LESS
#define MORE             .better = FS_BETTER_MORE

static const fs_stat time_rows[] = {
    VALUE("device.seconds", seconds, .unit = "s", LESS, .null_is = "never", .label = "time on the board",
          .place = 1, .changed = "The rays take {new} instead of {old}.",
          .doc = "from the first ray on the link to the last result at the host"),
    VALUE("rays.per_second", rays_per_second, .unit = "rays/s", MORE, .label = "rays a second", .place = 2,
          .changed = "The board traces {new} instead of {old} rays a second.",
          .doc = "rays over device.seconds"),
    COUNT("device.cycles", cycles, .unit = "cycles", LESS, .label = "cycles", .place = 3,
          .doc = "the same time in cycles of the engine's clock"),
    VALUE("rays.unit_cycles", cycles_per_ray, .unit = "cycles", LESS,
          .doc = "cycles of a unit for a ray: device.cycles times units over rays"),
    VALUE("device.upload_seconds", upload_seconds, .unit = "s", LESS,
          .doc = "nodes and primitives to the board, once and before the rays: not in device.seconds"),
};

static const fs_stat request_rows[] = {
    COUNT("rays.count", rays, .unit = "rays", .doc = "rays that went to the board"),
    COUNT("requests.count", requests, .unit = "requests", LESS,
          .doc = "nodes and leaves asked for, of all rays"),
    VALUE("requests.per_ray", per_ray, .unit = "requests", LESS, .label = "requests of a ray", .place = 10,
          .changed = "A ray asks {new} instead of {old} times.",
          .doc = "nodes and leaves that a ray asks for, mean"),
    VALUE("requests.nodes_per_ray", nodes_per_ray, .unit = "requests", LESS, .doc = "of them nodes"),
    VALUE("requests.leaves_per_ray", leaves_per_ray, .unit = "requests", LESS, .doc = "of them leaves"),
    VALUE("requests.bytes_per_ray", bytes_per_ray, .unit = "B", LESS, .label = "bytes of a ray", .place = 11,
          .changed = "A ray reads {new} instead of {old} from memory.",
          .doc = "that a ray's requests ask for, mean"),
    VALUE("requests.cycles", request_cycles, .unit = "cycles", LESS, .label = "cycles of a request",
          .place = 12, .changed = "A request takes {new} instead of {old} cycles.",
          .doc = "from an entry out of the queue to its children in it, mean: the five below"),
    VALUE("requests.unit", stage[FS_REQUEST_UNIT], .unit = "cycles", LESS,
          .doc = "of them in the unit: queue, address, answer, spilled entries of block RAM"),
    VALUE("requests.grant", stage[FS_REQUEST_GRANT], .unit = "cycles", LESS,
          .label = "of it before the grant", .place = 13, .doc = "of them before the arbiter accepts it"),
    VALUE("requests.memory", stage[FS_REQUEST_MEMORY], .unit = "cycles", LESS,
          .doc = "of them until the first byte"),
    VALUE("requests.bus", stage[FS_REQUEST_BUS], .unit = "cycles", LESS,
          .doc = "of them until the last byte"),
    VALUE("requests.pipeline", stage[FS_REQUEST_PIPELINE], .unit = "cycles", LESS,
          .doc = "of them until the last box or triangle is tested"),
    COUNT("requests.longest_wait", longest_wait, .unit = "cycles", LESS, .doc = "before a grant, at most"),
};

static const fs_stat queue_rows[] = {
    COUNT("queue.inserted", inserted, .unit = "entries",
          .doc = "put into the queues of all rays behind their roots: extracted + lost + left"),
    COUNT("queue.extracted", extracted, .unit = "entries", .doc = "taken out and asked for"),
    COUNT("queue.lost", lost, .unit = "entries", LESS, .label = "entries lost", .place = 20,
          .changed = "Queues lose {new} instead of {old} entries.", .doc = "pushed out of full queues"),
    COUNT("queue.left", left, .unit = "entries", .doc = "still in them when their rays ended"),
    SHARE("queue.rays_with_loss", rays_with_loss, LESS, .label = "rays that lost entries", .place = 21,
          .changed = "{new} instead of {old} of the rays lose entries.",
          .wrong = "{value} of the rays lose queue entries, and hits with them: longer queues "
                   "(machine.traversal.queue) would keep them",
          .doc = "rays that lost at least one entry"),
    VALUE("queue.lost_per_ray", lost_per_ray, .unit = "entries", LESS,
          .doc = "entries that a ray lost, mean"),
    COUNT("queue.peak", peak, .unit = "entries", .doc = "in one queue at a time, at most"),
    COUNT("queue.spilled", spilled, .unit = "entries", LESS, .doc = "kept outside the registers"),
};

static const fs_stat hit_rows[] = {
    SHARE("hits.share", hits, .label = "rays that hit", .place = 22, .doc = "rays that end with a hit"),
    SHARE("hits.nearest", nearest, MORE, .label = "hits that are the nearest", .place = 23,
          .changed = "{new} instead of {old} of the hits are the nearest.",
          .doc = "of the hits of checked rays those of the triangle that the ray meets first; null: none was "
                 "checked"),
    SHARE("hits.missed", missed, LESS, .label = "hits not found", .place = 24,
          .doc = "of the checked rays that meet a triangle those that the engine says hit none"),
    SHARE("hits.wrong", wrong, LESS,
          .wrong = "{value} of the checked rays end with a wrong hit: queues that lose nothing and "
                   "workload.stop = nearest find the nearest one",
          .doc = "checked rays with another hit, or another miss, than the right one"),
    COUNT("hits.checked", checked, .unit = "rays", .doc = "rays whose right hit was found"),
};

static const fs_stat part_rows[] = {
    SHARE("units.busy", units_busy, .label = "units at work", .place = 110,
          .doc = "part of the units' cycles in which they work: queue, address, answer"),
    SHARE("units.grant", units_grant, LESS, .label = "units before the arbiter", .place = 111,
          .doc = "in which they wait for a grant"),
    SHARE("units.answer", units_answer, LESS, .label = "units waiting for an answer", .place = 112,
          .doc = "in which their answer is on its way"),
    SHARE("units.idle", units_idle, LESS, .doc = "in which they have no ray"),
    SHARE("memory.bus_busy", bus_busy, .label = "memory's bus at work", .place = 113,
          .changed = "The memory's bus moves data in {new} instead of {old} of the time.",
          .doc = "part of the run in which data move on the memory's bus"),
    SHARE("memory.bandwidth_used", bandwidth_used,
          .doc = "bytes moved over those of the whole run's bandwidth"),
    COUNT("memory.bytes", memory_bytes, .unit = "B", LESS, .doc = "moved by the memory, whole bursts"),
    SHARE("memory.row_hits", row_hits, MORE, .label = "row hits", .place = 114,
          .doc = "bursts whose row was open; null: the memory has no banks"),
    SHARE("memory.row_conflicts", row_conflicts, LESS, .doc = "bursts whose bank had another row open"),
    COUNT("memory.refreshes", refreshes, .doc = "refreshes of a rank"),
    COUNT("memory.rank_switches", rank_switches, LESS, .doc = "changes of the rank on the bus"),
    SHARE("cache.hits", cache_hits, MORE, .label = "nodes from the cache", .place = 115,
          .doc = "nodes that were in the cache; null: there is none"),
    SHARE("pipelines.box", box_busy, .doc = "part of the run in which a box enters its pipeline"),
    SHARE("pipelines.triangle", triangle_busy,
          .doc = "part of the run in which a triangle enters its pipeline"),
    SHARE("arbiter.busy", arbiter_busy, .doc = "part of the run with a grant"),
    SHARE("link.in", link_in_busy, .doc = "part of the run in which rays are on the link"),
    SHARE("link.out", link_out_busy, .doc = "part of the run in which results are on it"),
};

static const fs_stat built_rows[] = {
    COUNT("engine.units", units, .unit = "units", .says = FS_SAYS_LABEL, .doc = "traversal units"),
    COUNT("engine.unit_rays", unit_rays, .unit = "rays", .says = FS_SAYS_LABEL,
          .doc = "rays that a unit holds"),
    COUNT("engine.queue", queue, .unit = "entries", .says = FS_SAYS_LABEL, .doc = "of a queue; 0: no bound"),
    COUNT("engine.box_stages", box_stages, .unit = "cycles", .says = FS_SAYS_LABEL,
          .doc = "of the box pipeline"),
    COUNT("engine.triangle_stages", triangle_stages, .unit = "cycles", .says = FS_SAYS_LABEL,
          .doc = "of the triangle pipeline"),
    VALUE("engine.bus_bytes", bus_bytes, .unit = "B/cycle", .says = FS_SAYS_LABEL,
          .doc = "of memory bandwidth to a cycle of the engine"),
    VALUE("engine.link_rays", link_rays_per_second, .unit = "rays/s", MORE,
          .doc = "that the link can bring with the headers of their packets; null: no link"),
    SHARE("resources.registers", registers, LESS, .label = "registers used", .place = 120,
          .doc = "of the device's"),
    SHARE("resources.luts", luts, LESS, .doc = "of the device's look-up tables"),
    SHARE("resources.dsps", dsps, LESS, .doc = "of the device's multipliers"),
    SHARE("resources.block_ram", block_ram, LESS, .doc = "of the device's block RAM"),
    VALUE("resources.block_ram_left", block_ram_left, .unit = "B", MORE, .doc = "room for a cache"),
};

static const fs_stat scene_rows[] = {
    COUNT("scene.triangles", triangles, .unit = "triangles", .doc = "with an area"),
    COUNT("scene.degenerate", degenerate, .unit = "triangles", .doc = "without an area, left out"),
    COUNT("scene.left_out", left_out, .doc = "spheres and discs, which the engine can't test"),
    COUNT("tree.nodes", nodes, .unit = "nodes", .doc = "of the hierarchy"),
    COUNT("tree.leaves", leaves, .unit = "leaves", .doc = "of the hierarchy"),
    COUNT("tree.depth", depth, .unit = "nodes", .doc = "from the root to the deepest leaf"),
    COUNT("tree.slots", slots, .unit = "primitives", .doc = "places of triangles in its leaves"),
    COUNT("tree.node_bytes", node_bytes, .unit = "B", .says = FS_SAYS_LABEL, .doc = "of a node"),
    COUNT("tree.bytes", tree_bytes, .unit = "B", .doc = "of nodes and primitives on the board"),
};

static const fs_stat other_rows[] = {
    VALUE("cpu.visits_per_ray", cpu_visits, .unit = "visits", LESS,
          .doc = "nodes and leaves that a processor visits depth first to find the nearest hit; null: not "
                 "counted"),
    VALUE("cpu.rays_per_second", cpu_rays_per_second, .unit = "rays/s", MORE,
          .doc = "of the paper's processor, at workload.cpu.visit a visit"),
    VALUE("gpu.rays_per_second", gpu_rays_per_second, .unit = "rays/s", MORE,
          .doc = "of the paper's graphics card, at workload.gpu.visit a visit"),
    VALUE("cpu.rays_ratio", of_cpu, MORE, .doc = "rays a second of the board over those of the processor"),
    FS_STAT_FLAG("complete", F, complete, MORE, .doc = "every ray was traced"),
};

static const fs_stat energy_rows[] = {
    VALUE("energy.joules_per_ray", joules_per_ray, .unit = "J", LESS, .label = "energy of a ray",
          .place = 205, .doc = "energy of the run over its rays"),
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
