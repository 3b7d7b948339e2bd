/* The statistics of a foam run, by what they tell; those that every workload has stand with the part of the
 * machine that counts them. */
#include "workloads/foam/books/books.h"

#define F                fs_foam_figures
#define COUNT(n, m, ...) FS_STAT_COUNT(n, F, m, __VA_ARGS__)
#define VALUE(n, m, ...) FS_STAT_VALUE(n, F, m, __VA_ARGS__)
#define FLAG(n, m, ...)  FS_STAT_FLAG(n, F, m, __VA_ARGS__)
#define WORD(n, m, ...)  FS_STAT_WORD(n, F, m, __VA_ARGS__)
#define PACE_LEVEL(n)                                                                                        \
    VALUE("pace.router_level_" #n, congestion.pace_level[(n)-1], .says = FS_SAYS_SHARE,                      \
          .doc = "the same for a router of level " #n "; null if there is no such level")

static const fs_stat time_rows[] = {
    VALUE("device.frame_latency_seconds", frame_latency_seconds, .unit = "s", .better = FS_BETTER_LESS,
          .null_is = "never",
          .doc = "start of the run to the visit that finds the first frame done; null if it never is"),
    VALUE("device.frame_period_seconds", frame_period_seconds, .unit = "s", .better = FS_BETTER_LESS,
          .label = "time between frames", .place = 200,
          .doc = "time between frames from the first to the last counted one; null with one frame"),
    VALUE("device.frames_per_second", frames_per_second, .unit = "frames/s", .better = FS_BETTER_MORE,
          .label = "frames a second", .place = 101,
          .doc =
              "one over the time between frames, or of one frame over its latency; null if it is never done"),
    VALUE("device.rays_per_second", rays_per_second, .unit = "rays/s", .better = FS_BETTER_MORE,
          .label = "rays a second", .place = 104, .doc = "rays written to their pixels over device.seconds"),
    COUNT("device.frame_latency_iterations", latency_iterations, .unit = "iterations",
          .better = FS_BETTER_LESS, .doc = "the latency in iterations"),
    COUNT("device.last_pixel_iteration", last_pixel_iteration, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "iteration in which the first frame got its last pixel; 0 if some are missing"),
    COUNT("device.injecting_iterations", injecting_iterations, .unit = "iterations", .better = FS_BETTER_LESS,
          .doc = "iterations in which the generator made rays"),
    VALUE("device.cycles_per_iteration", cycles_mean, .unit = "cycles", .better = FS_BETTER_LESS,
          .label = "cycles an iteration", .place = 108, .doc = "mean over all iterations, host included"),
    VALUE("device.cycles_per_injecting_iteration", cycles_injecting_mean, .unit = "cycles",
          .better = FS_BETTER_LESS, .doc = "mean over the injecting iterations"),
    VALUE("device.cycles_per_draining_iteration", cycles_draining_mean, .unit = "cycles",
          .better = FS_BETTER_LESS, .doc = "mean over the others"),
    COUNT("device.static_exchange_cycles", static_cycles,
          .changed = "A static exchange takes {new} instead of {old} cycles.", .unit = "cycles",
          .better = FS_BETTER_LESS, .doc = "one static exchange; 0 when dynamic"),
};

static const fs_stat energy_rows[] = {
    VALUE("energy.joules_per_frame", joules_per_frame, .unit = "J", .better = FS_BETTER_LESS,
          .label = "energy of a frame", .place = 205, .null_is = "never",
          .doc = "energy of the run over the frames that are done"),
    VALUE("energy.joules_per_ray", joules_per_ray, .unit = "J", .better = FS_BETTER_LESS,
          .label = "energy of a ray", .place = 206, .doc = "and over the rays written to their pixels"),
};

static const fs_stat rays_rows[] = {
    COUNT("rays.generated", generated, .unit = "rays", .doc = "made by the generator"),
    COUNT("rays.finished", finished, .unit = "rays", .better = FS_BETTER_MORE, .label = "rays finished",
          .place = 201, .doc = "written to their pixel"),
    COUNT("rays.dropped", dropped, .changed = "It loses {new} rays instead of {old}.", .unit = "rays",
          .better = FS_BETTER_LESS, .label = "rays dropped", .place = 202,
          .doc = "lost: output and ring of the generator were full",
          .wrong = "{value} were lost, as the generator's ring was full: larger lanes or smaller batches "
                   "(workload.batching.per_batch) would keep them"),
    COUNT("rays.in_flight", in_flight, .unit = "rays", .better = FS_BETTER_LESS,
          .doc = "still on the machine at the end"),
    COUNT("rays.spilled", spilled, .changed = "Full lanes send rays astray {new} times instead of {old}.",
          .unit = "rays", .better = FS_BETTER_LESS, .label = "spills", .place = 203,
          .doc = "spills: a router put a ray in another lane than its own"),
    COUNT("rays.misrouted", misrouted, .unit = "visits", .better = FS_BETTER_LESS,
          .label = "misrouted visits", .place = 204, .doc = "visits that follow a spill"),
    COUNT("rays.crossings", crossings, .unit = "rays", .better = FS_BETTER_LESS,
          .doc = "rays leaving one shard for another"),
    COUNT("rays.hops", ray_hops, .unit = "hops", .better = FS_BETTER_LESS,
          .doc = "transfers of a ray over a lane"),
    VALUE("hops.tracer_mean", hops.tracer_mean,
          .changed = "A ray makes {new} instead of {old} tracer visits.", .unit = "visits",
          .better = FS_BETTER_LESS, .label = "tracer visits of a ray", .place = 210,
          .doc = "tracer visits of a ray before its termination"),
    VALUE("hops.router_mean", hops.router_mean,
          .changed = "A ray makes {new} instead of {old} router visits.", .unit = "visits",
          .better = FS_BETTER_LESS, .label = "router visits of a ray", .place = 211,
          .doc = "router visits of a ray before its termination, injection included"),
    VALUE("hops.router_all_mean", hops.router_all_mean, .unit = "visits",
          .doc = "router visits of a ray to its pixel: those of the delivery included"),
    VALUE("hops.delivery_mean", hops.delivery_mean, .unit = "hops", .better = FS_BETTER_LESS,
          .label = "delivery hops of a ray", .place = 212,
          .doc = "lanes from the tracer where a ray ends to the owner of its pixel"),
    VALUE("hops.misrouted_mean", hops.misrouted_mean, .unit = "visits", .doc = "misrouted visits of a ray"),
    VALUE("hops.alive_mean", hops.alive_mean, .unit = "iterations", .better = FS_BETTER_LESS,
          .label = "iterations alive, mean", .place = 213, .doc = "from a ray's generation to its pixel"),
    VALUE("hops.waiting_mean", hops.waiting_mean,
          .changed = "A ray waits {new} instead of {old} iterations beyond its shortest way.",
          .unit = "iterations", .better = FS_BETTER_LESS, .label = "iterations waiting, mean", .place = 215,
          .doc = "alive beyond the shortest its path allows"),
    COUNT("hops.tracer_max", hops.tracer_max, .unit = "visits", .doc = "most tracer visits of a ray"),
    COUNT("hops.router_max", hops.router_max, .unit = "visits", .doc = "most router visits of a ray"),
    COUNT("hops.tracer_p50", hops.tracer.p50, .unit = "visits",
          .doc = "half of the rays have no more tracer visits"),
    COUNT("hops.tracer_p99", hops.tracer.p99, .unit = "visits", .doc = "99 % have no more"),
    COUNT("hops.router_p50", hops.router.p50, .unit = "visits",
          .doc = "half of the rays have no more router visits"),
    COUNT("hops.router_p99", hops.router.p99, .unit = "visits", .doc = "99 % have no more"),
    COUNT("hops.alive_p50", hops.alive.p50, .unit = "iterations",
          .doc = "half of the rays are alive no longer"),
    COUNT("hops.alive_p90", hops.alive.p90, .unit = "iterations",
          .doc = "90 % of the rays are alive no longer"),
    COUNT("hops.waiting_p50", hops.waiting.p50, .unit = "iterations",
          .doc = "half of the rays wait no longer"),
    COUNT("hops.waiting_p90", hops.waiting.p90, .unit = "iterations",
          .doc = "90 % of the rays wait no longer"),
    COUNT("hops.waiting_p99", hops.waiting.p99, .unit = "iterations",
          .doc = "99 % of the rays wait no longer"),
    COUNT("hops.alive_p99", hops.alive.p99, .unit = "iterations", .better = FS_BETTER_LESS,
          .label = "iterations alive, 99 %", .place = 214, .doc = "99 % of the rays are alive no longer"),
    COUNT("hops.alive_max", hops.alive_max, .unit = "iterations", .doc = "longest life of a ray"),
    COUNT("hops.waiting_max", hops.waiting_max, .unit = "iterations", .better = FS_BETTER_LESS,
          .label = "iterations waiting, most", .place = 216, .doc = "longest waiting of a ray"),
    VALUE("cells.per_ray_mean", cells_per_ray, .unit = "cells", .doc = "cells that a ray visits"),
    VALUE("cells.per_visit_mean", cells_per_visit, .unit = "cells",
          .doc = "cells marched in one tracer visit"),
    VALUE("cells.length_mean", cell_length, .unit = "scene units",
          .doc = "mean path length in a cell, to the mean depth"),
    VALUE("faces.per_ray_mean", faces_per_ray, .unit = "faces", .doc = "faces tested for a ray"),
};

static const fs_stat image_rows[] = {
    FLAG("image.exact", exact, .better = FS_BETTER_MORE,
         .doc = "equal to the unpartitioned full-precision render, bit for bit"),
    VALUE("image.psnr_db", psnr, .changed = "Held against the reference the picture is {new}, not {old}.",
          .unit = "dB", .better = FS_BETTER_MORE, .says = FS_SAYS_DECIBEL, .label = "PSNR", .place = 221,
          .null_is = "exact", .doc = "against the reference, 8-bit; null when equal"),
    VALUE("image.psnr_float_db", psnr_float, .unit = "dB", .better = FS_BETTER_MORE, .says = FS_SAYS_DECIBEL,
          .null_is = "exact", .doc = "the same before quantising; null when equal"),
    VALUE("image.ssim", ssim, .better = FS_BETTER_MORE, .doc = "structural similarity of luma, 8-bit"),
    WORD("image.depth_source", depth_source, .doc = "where depth.png comes from: payload or reference"),
    VALUE("image.fp16_t_half_unit", t_step, .unit = "scene units",
          .doc = "half a unit in the last place of t as fp16 at the mean depth; 0 when t is f32"),
    WORD("image.note", note, .doc = "what to know about the image's precision"),
};

static const fs_stat memory_rows[] = {
    COUNT("memory.router_lanes_bytes", memory_router_lanes, .unit = "B",
          .doc = "buffers of all lanes of a router, of the one with most"),
    COUNT("memory.tracer_data_bytes", memory_tracer_data, .unit = "B",
          .doc = "shard, buffers of lanes and framebuffer slice of a tracer, of the one with most"),
    COUNT("memory.tracer_lanes_bytes", memory_tracer_lanes, .unit = "B",
          .doc = "buffers of all lanes of a tracer, of the one with most"),
    COUNT("memory.slice_bytes", memory_slice, .unit = "B",
          .doc = "framebuffer of a tracer, its slice or a local one, of the one with most"),
    COUNT("memory.shard_bytes", memory_shard_data, .unit = "B",
          .doc = "cells, neighbour cells and adjacency of a shard, of the one with most"),
    COUNT("memory.tiles", memory_tiles, .unit = "tiles",
          .doc = "tiles with a role: tracers, routers, the generator"),
    COUNT("memory.sram_bytes", memory_sram, .unit = "B",
          .doc = "SRAM of these tiles, filled or not: what a chip for this run must have"),
};

static const fs_stat pace_rows[] = {
    VALUE("pace.generator", pace_generator,
          .changed = "The generator sets the pace in {new} instead of {old} of the iterations.",
          .says = FS_SAYS_SHARE, .label = "pace set by the generator", .place = 132,
          .doc = "the same for the generator"),
    VALUE("pace.camera_tile", pace_camera,
          .changed = "The tracer of the camera's shard alone sets the pace in {new} instead of {old}.",
          .says = FS_SAYS_SHARE, .label = "pace set by the camera's shard", .place = 133,
          .doc = "the same for the tracer of the camera's shard"),
    VALUE("pace.camera_tile_cycles", camera_tile_mean, .unit = "cycles", .better = FS_BETTER_LESS,
          .doc = "compute of the camera's tracer, mean over the injecting iterations"),
    VALUE("pace.camera_tile_rays", camera_rays_mean, .unit = "rays", .better = FS_BETTER_LESS,
          .doc = "rays that it reads in them"),
    PACE_LEVEL(1),
    PACE_LEVEL(2),
    PACE_LEVEL(3),
    PACE_LEVEL(4),
    PACE_LEVEL(5),
    PACE_LEVEL(6),
    COUNT("pace.hottest_tile", congestion.hottest_tile, .says = FS_SAYS_LABEL,
          .doc = "tile that was the slowest in most iterations; lowest number on a tie"),
    VALUE("pace.hottest_shard", congestion.hottest_shard, .says = FS_SAYS_LABEL,
          .doc = "its shard; null if it owns none"),
    VALUE("pace.hottest_share", congestion.hottest_share, .says = FS_SAYS_SHARE,
          .doc = "share of iterations in which it was"),
};

static const fs_stat part_rows[] = {
    VALUE("parts.injection_cycles_mean", congestion.injection_mean, .unit = "cycles",
          .better = FS_BETTER_LESS, .doc = "mean over the iterations of the injection"),
    VALUE("parts.steady_cycles_mean", congestion.steady_mean, .unit = "cycles", .better = FS_BETTER_LESS,
          .doc = "mean over the iterations of the steady part; null if it has none"),
    VALUE("parts.drain_cycles_mean", congestion.drain_mean, .unit = "cycles", .better = FS_BETTER_LESS,
          .doc = "mean over the iterations of the drain; null if it has none"),
    COUNT("parts.last_percent_iterations", congestion.last_percent_iterations, .unit = "iterations",
          .better = FS_BETTER_LESS,
          .doc = "that the last 1 % of the finished rays needed, after the others were at their pixels"),
    COUNT("parts.last_percent_cycles", congestion.last_percent_cycles, .unit = "cycles",
          .better = FS_BETTER_LESS, .doc = "of those iterations"),
};

static const fs_stat congestion_rows[] = {
    VALUE("congestion.lanes_full_share", congestion.lanes_full_share, .says = FS_SAYS_SHARE,
          .doc = "lanes in which every slot held a ray in some iteration, of all lanes"),
    VALUE("congestion.stalled_share", congestion.stalled_share, .better = FS_BETTER_LESS,
          .says = FS_SAYS_SHARE, .doc = "share of lanes and iterations in which a ray was turned away"),
    VALUE("congestion.peak_fill", congestion.peak_fill, .says = FS_SAYS_SHARE,
          .doc = "most rays of a lane over its capacity, of the fullest lane"),
    COUNT("congestion.ring_peak", congestion.ring_peak, .unit = "rays",
          .doc = "most rays in the generator's ring after an iteration"),
    VALUE("congestion.imbalance_tracers", congestion.imbalance_tracers,
          .doc = "compute cycles of the busiest tracer over the mean of all"),
    VALUE("congestion.gini_tracers", congestion.gini_tracers,
          .doc = "Gini coefficient of the tracers' compute cycles: 0 when all are equal"),
    COUNT("work.tracer_cycles", congestion.tracer_cycles, .unit = "cycles",
          .doc = "compute of all tracers, summed over tiles and iterations, idle calls included"),
    COUNT("work.tracer_critical", congestion.tracer_critical, .unit = "cycles",
          .doc = "compute of the slowest tracer, summed over iterations"),
    COUNT("work.router_cycles", congestion.router_cycles, .unit = "cycles", .doc = "compute of all routers"),
    COUNT("work.router_critical", congestion.router_critical, .unit = "cycles",
          .doc = "compute of the slowest router, summed over iterations"),
    COUNT("work.generator_cycles", congestion.generator_cycles, .unit = "cycles",
          .doc = "compute of the generator"),
    COUNT("work.generator_critical", congestion.generator_critical, .unit = "cycles",
          .doc = "compute of the slowest generator, summed over iterations"),
};

static const fs_stat ladder_rows[] = {
    VALUE("ladder.free_routers", ladder[FS_RUNG_FREE_ROUTERS], .unit = "%",
          .doc = "time that routers would gain at most if they took no cycles; null with run.statistics "
                 "basic, as all of these"),
    VALUE("ladder.free_exchange", ladder[FS_RUNG_FREE_EXCHANGE], .unit = "%",
          .doc = "the same for the exchange"),
    VALUE("ladder.free_sync", ladder[FS_RUNG_FREE_SYNC], .unit = "%", .doc = "the same for the barriers"),
    VALUE("ladder.free_host", ladder[FS_RUNG_FREE_HOST], .unit = "%", .doc = "the same for the host"),
    VALUE("ladder.infinite_buffers", ladder[FS_RUNG_INFINITE_BUFFERS], .unit = "%",
          .doc = "gain if no ray found a lane full: 0 if none did, else an estimate"),
    VALUE("ladder.balanced_tracers", ladder[FS_RUNG_BALANCED_TRACERS], .unit = "%",
          .doc = "most to gain from spreading the tracers' work evenly in each iteration"),
    VALUE("ladder.replicated", ladder[FS_RUNG_REPLICATED], .unit = "%",
          .doc = "estimated gain of more tracers for the hottest shards (ladder.csv says which)"),
    VALUE("ladder.all", ladder[FS_RUNG_ALL], .unit = "%", .doc = "all of them together"),
};

static const fs_stat decoupled_rows[] = {
    COUNT("decoupled.calls", decoupled_calls, .unit = "calls",
          .doc = "calls of tiles; 0 in bsp, as all of these"),
    VALUE("decoupled.batch_mean", decoupled_batch, .unit = "rays", .better = FS_BETTER_MORE,
          .doc = "rays that a call takes; null in bsp"),
    VALUE("decoupled.fixed_cycles_share", decoupled_fixed_share, .says = FS_SAYS_SHARE,
          .doc = "share of the calls' cycles that calls without work would have taken; null in bsp"),
    VALUE("decoupled.busiest_tile_share", decoupled_busy_share, .says = FS_SAYS_SHARE,
          .doc =
              "part of the time between the host's visits in which the busiest tile computed; null in bsp"),
    VALUE("decoupled.alive_mean", decoupled_alive, .unit = "cycles",
          .doc = "from the call that makes a ray to the end of the one that writes its pixel; null in bsp"),
    VALUE("decoupled.waiting_mean", decoupled_waiting, .unit = "cycles",
          .doc = "of it, in queues of lanes, for a call, a port or a credit; null in bsp"),
    COUNT("decoupled.messages", decoupled_messages, .unit = "messages", .doc = "messages between tiles"),
    VALUE("decoupled.message_rays_mean", decoupled_message_rays, .unit = "rays", .better = FS_BETTER_MORE,
          .doc = "rays of a message; null in bsp"),
    COUNT("decoupled.stalled_cycles", decoupled_stalled_cycles, .unit = "cycles",
          .doc = "cycles in which a lane had rays to send and no credit, summed over the lanes"),
    COUNT("decoupled.window", decoupled_window, .unit = "rays",
          .doc = "rays that may be in flight at a time"),
    COUNT("decoupled.in_flight_max", decoupled_in_flight_max, .unit = "rays", .doc = "most rays that were"),
    COUNT("decoupled.read_outs", decoupled_read_outs, .unit = "visits",
          .doc = "visits of the host to one tile whose local framebuffer was full"),
};

static const fs_stat frame_rows[] = {
    FLAG("complete", complete, .better = FS_BETTER_MORE, .doc = "every counted frame is done",
         .wrong = "pixels are missing, as the frame is not done"),
    VALUE("coverage", coverage, .changed = "{new} instead of {old} of the pixels are written.",
          .better = FS_BETTER_MORE, .says = FS_SAYS_SHARE, .label = "pixels written", .place = 220,
          .doc = "share of the first frame's pixels that are written"),
};

static const fs_stat scene_rows[] = {
    COUNT("lanes.capacity_min", lane_rays_min, .unit = "rays", .better = FS_BETTER_MORE,
          .doc = "rays that the smallest lane holds"),
    COUNT("lanes.capacity_max", lane_rays_max, .unit = "rays", .doc = "rays that the largest lane holds"),
    COUNT("scene.cells", scene_cells, .unit = "cells", .doc = "Voronoi cells"),
    COUNT("scene.faces", scene_faces, .unit = "faces", .doc = "directed adjacencies"),
    WORD("scene.digest", scene_digest, .doc = "SHA-256 of the foam's content"),
    COUNT("shards.cells_max", shard_cells_max, .unit = "cells", .doc = "most cells of a shard"),
    COUNT("shards.neighbour_cells_max", shard_neighbours_max, .unit = "cells",
          .doc = "most neighbour cells of a shard"),
    COUNT("shards.adjacency_max", shard_adjacency_max, .unit = "entries",
          .doc = "longest adjacency of a shard"),
    VALUE("scene.degree_mean", scene_degree, .unit = "faces", .doc = "faces of a cell"),
    VALUE("shards.neighbour_cells_scaled", shard_neighbours_scaled,
          .doc = "most neighbour cells over most cells of a shard to the power of 2/3: the same for scenes "
                 "of any size"),
    VALUE("shards.adjacency_scaled", shard_adjacency_scaled,
          .doc = "longest adjacency over most cells of a shard: the same for scenes of any size"),
    COUNT("shards.neighbour_shards_max", shard_shards_max, .unit = "shards",
          .doc = "most neighbouring shards of a shard"),
};

#define OWN(name) static const fs_stat_table name##_table = FS_STAT_TABLE("foam " #name, name##_rows)
OWN(time);
OWN(rays);
OWN(image);
OWN(memory);
OWN(pace);
OWN(part);
OWN(congestion);
OWN(ladder);
OWN(decoupled);
OWN(frame);
OWN(scene);
OWN(energy);

static const fs_stat_part parts[] = {
    FS_STAT_PART(&fs_device_stats, F, chip.device),
    {.table = &time_table},
    {.table = &rays_table},
    {.table = &image_table},
    FS_STAT_PART(&fs_memory_stats, F, chip.memory),
    {.table = &memory_table},
    FS_STAT_PART(&fs_pace_stats, F, pace),
    {.table = &pace_table},
    FS_STAT_PART(&fs_parts_stats, F, parts),
    {.table = &part_table},
    {.table = &congestion_table},
    {.table = &ladder_table},
    {.table = &decoupled_table},
    {.table = &frame_table},
    FS_STAT_PART(&fs_peak_stats, F, chip.peak),
    FS_STAT_PART(&fs_power_stats, F, chip.power),
    {.table = &energy_table},
    FS_STAT_PART(&fs_overlay_stats, F, overlay),
    {.table = &scene_table},
};

const fs_stat_table fs_foam_stats = FS_STAT_PARTS("foam", parts);
