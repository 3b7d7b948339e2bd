/* The statistics of a foam run, by what they tell; those that every workload has stand with the part of the
 * machine that counts them. */
#include "workloads/foam/books/books.h"

#define F               fs_foam_figures
#define FS_ROWS_OF      F
#define FLAG(n, m, ...) FS_STAT_FLAG(n, F, m, __VA_ARGS__)
#define WORD(n, m, ...) FS_STAT_WORD(n, F, m, __VA_ARGS__)
#define PACE_LEVEL(n)                                                                                        \
    FS_SHARE("pace.router_level_" #n, congestion.pace_level[(n)-1],                                          \
             "the same for a router of level " #n "; null if there is no such level")

static const fs_stat time_rows[] = {
    FS_VALUE("device.frame_latency_seconds", frame_latency_seconds, "s",
             "start of the run to the visit that finds the first frame done; null if it never is", FS_LESS,
             .null_is = "never"),
    FS_VALUE("device.frame_period_seconds", frame_period_seconds, "s",
             "time between frames from the first to the last counted one; null with one frame", FS_LESS,
             FS_AT(200, "time between frames")),
    FS_VALUE("device.frames_per_second", frames_per_second, "frames/s",
             "one over the time between frames, or of one frame over its latency; null if it is never done",
             FS_MORE, FS_AT(101, "frames a second")),
    FS_VALUE("device.rays_per_second", rays_per_second, "rays/s",
             "rays written to their pixels over device.seconds", FS_MORE, FS_AT(104, "rays a second")),
    FS_WHOLE("device.frame_latency_iterations", latency_iterations, "iterations", "the latency in iterations",
             FS_LESS),
    FS_WHOLE("device.last_pixel_iteration", last_pixel_iteration, "iterations",
             "iteration in which the first frame got its last pixel; 0 if some are missing", FS_LESS),
    FS_WHOLE("device.injecting_iterations", injecting_iterations, "iterations",
             "iterations in which the generator made rays", FS_LESS),
    FS_VALUE("device.cycles_per_iteration", cycles_mean, "cycles", "mean over all iterations, host included",
             FS_LESS, FS_AT(108, "cycles an iteration")),
    FS_VALUE("device.cycles_per_injecting_iteration", cycles_injecting_mean, "cycles",
             "mean over the injecting iterations", FS_LESS),
    FS_VALUE("device.cycles_per_draining_iteration", cycles_draining_mean, "cycles", "mean over the others",
             FS_LESS),
    FS_WHOLE("device.static_exchange_cycles", static_cycles, "cycles", "one static exchange; 0 when dynamic",
             FS_LESS, .changed = "A static exchange takes {new} instead of {old} cycles."),
};

static const fs_stat energy_rows[] = {
    FS_VALUE("energy.joules_per_frame", joules_per_frame, "J",
             "energy of the run over the frames that are done", FS_LESS, FS_AT(205, "energy of a frame"),
             .null_is = "never"),
    FS_VALUE("energy.joules_per_ray", joules_per_ray, "J", "and over the rays written to their pixels",
             FS_LESS, FS_AT(206, "energy of a ray")),
};

static const fs_stat rays_rows[] = {
    FS_WHOLE("rays.generated", rays.generated, "rays", "made by the generator"),
    FS_WHOLE("rays.finished", rays.finished, "rays", "written to their pixel", FS_MORE,
             FS_AT(201, "rays finished")),
    FS_WHOLE("rays.dropped", rays.dropped, "rays", "lost: output and ring of the generator were full",
             FS_LESS, FS_AT(202, "rays dropped"), .changed = "It loses {new} rays instead of {old}.",
             .wrong = "{value} were lost, as the generator's ring was full: larger lanes or smaller batches "
                      "(workload.batching.per_batch) would keep them"),
    FS_WHOLE("rays.in_flight", rays.in_flight, "rays", "still on the machine at the end", FS_LESS),
    FS_WHOLE("rays.spilled", rays.spilled, "rays", "spills: a router put a ray in another lane than its own",
             FS_LESS, FS_AT(203, "spills"),
             .changed = "Full lanes send rays astray {new} times instead of {old}."),
    FS_WHOLE("rays.misrouted", rays.misrouted, "visits", "visits that follow a spill", FS_LESS,
             FS_AT(204, "misrouted visits")),
    FS_WHOLE("rays.crossings", rays.crossings, "rays", "rays leaving one shard for another", FS_LESS),
    FS_WHOLE("rays.hops", rays.hops_out, "hops", "transfers of a ray over a lane", FS_LESS),
    FS_VALUE("hops.tracer_mean", hops.tracer_mean, "visits", "tracer visits of a ray before its termination",
             FS_LESS, FS_AT(210, "tracer visits of a ray"),
             .changed = "A ray makes {new} instead of {old} tracer visits."),
    FS_VALUE("hops.router_mean", hops.router_mean, "visits",
             "router visits of a ray before its termination, injection included", FS_LESS,
             FS_AT(211, "router visits of a ray"),
             .changed = "A ray makes {new} instead of {old} router visits."),
    FS_VALUE("hops.router_all_mean", hops.router_all_mean, "visits",
             "router visits of a ray to its pixel: those of the delivery included"),
    FS_VALUE("hops.delivery_mean", hops.delivery_mean, "hops",
             "lanes from the tracer where a ray ends to the owner of its pixel", FS_LESS,
             FS_AT(212, "delivery hops of a ray")),
    FS_VALUE("hops.misrouted_mean", hops.misrouted_mean, "visits", "misrouted visits of a ray"),
    FS_VALUE("hops.alive_mean", hops.alive_mean, "iterations", "from a ray's generation to its pixel",
             FS_LESS, FS_AT(213, "iterations alive, mean")),
    FS_VALUE("hops.waiting_mean", hops.waiting_mean, "iterations",
             "alive beyond the shortest its path allows", FS_LESS, FS_AT(215, "iterations waiting, mean"),
             .changed = "A ray waits {new} instead of {old} iterations beyond its shortest way."),
    FS_WHOLE("hops.tracer_max", hops.tracer_max, "visits", "most tracer visits of a ray"),
    FS_WHOLE("hops.router_max", hops.router_max, "visits", "most router visits of a ray"),
    FS_WHOLE("hops.tracer_p50", hops.tracer.p50, "visits", "half of the rays have no more tracer visits"),
    FS_WHOLE("hops.tracer_p99", hops.tracer.p99, "visits", "99 % have no more"),
    FS_WHOLE("hops.router_p50", hops.router.p50, "visits", "half of the rays have no more router visits"),
    FS_WHOLE("hops.router_p99", hops.router.p99, "visits", "99 % have no more"),
    FS_WHOLE("hops.alive_p50", hops.alive.p50, "iterations", "half of the rays are alive no longer"),
    FS_WHOLE("hops.alive_p90", hops.alive.p90, "iterations", "90 % of the rays are alive no longer"),
    FS_WHOLE("hops.waiting_p50", hops.waiting.p50, "iterations", "half of the rays wait no longer"),
    FS_WHOLE("hops.waiting_p90", hops.waiting.p90, "iterations", "90 % of the rays wait no longer"),
    FS_WHOLE("hops.waiting_p99", hops.waiting.p99, "iterations", "99 % of the rays wait no longer"),
    FS_WHOLE("hops.alive_p99", hops.alive.p99, "iterations", "99 % of the rays are alive no longer", FS_LESS,
             FS_AT(214, "iterations alive, 99 %")),
    FS_WHOLE("hops.alive_max", hops.alive_max, "iterations", "longest life of a ray"),
    FS_WHOLE("hops.waiting_max", hops.waiting_max, "iterations", "longest waiting of a ray", FS_LESS,
             FS_AT(216, "iterations waiting, most")),
    FS_VALUE("cells.per_ray_mean", cells_per_ray, "cells", "cells that a ray visits"),
    FS_VALUE("cells.per_visit_mean", cells_per_visit, "cells", "cells marched in one tracer visit"),
    FS_VALUE("cells.length_mean", cell_length, "scene units",
             "mean path length in a cell, to the mean depth"),
    FS_VALUE("faces.per_ray_mean", faces_per_ray, "faces", "faces tested for a ray"),
    FS_VALUE("cells.lit_per_ray_mean", lit_per_ray, "cells",
             "of the first camera's rays: cells whose harmonics are loaded; 0 with degree 0"),
};

static const fs_stat image_rows[] = {
    FLAG("image.exact", exact, .better = FS_BETTER_MORE,
         .doc = "equal to the unpartitioned full-precision render, bit for bit"),
    FS_VALUE("image.psnr_db", psnr, "dB", "against the reference, 8-bit; null when equal", FS_MORE,
             FS_AT(221, "PSNR"), .changed = "Held against the reference the picture is {new}, not {old}.",
             .says = FS_SAYS_DECIBEL, .null_is = "exact"),
    FS_VALUE("image.psnr_float_db", psnr_float, "dB", "the same before quantising; null when equal", FS_MORE,
             .says = FS_SAYS_DECIBEL, .null_is = "exact"),
    FS_VALUE("image.harmonics_psnr_db", plain_psnr, "dB",
             "the reference without harmonics against that with them, before quantising; null when equal, "
             "and with degree 0",
             .says = FS_SAYS_DECIBEL),
    FS_VALUE("image.ssim", ssim, NULL, "structural similarity of luma, 8-bit", FS_MORE),
    WORD("image.depth_source", depth_source, .doc = "where depth.png comes from: payload or reference"),
    FS_VALUE("image.fp16_t_half_unit", t_step, "scene units",
             "half a unit in the last place of t as fp16 at the mean depth; 0 when t is f32"),
    WORD("image.note", note, .doc = "what to know about the image's precision"),
};

static const fs_stat memory_rows[] = {
    FS_WHOLE("memory.router_lanes_bytes", memory_router_lanes, "B",
             "buffers of all lanes of a router, of the one with most"),
    FS_WHOLE("memory.tracer_data_bytes", memory_tracer_data, "B",
             "shard, buffers of lanes and framebuffer slice of a tracer, of the one with most"),
    FS_WHOLE("memory.tracer_lanes_bytes", memory_tracer_lanes, "B",
             "buffers of all lanes of a tracer, of the one with most"),
    FS_WHOLE("memory.slice_bytes", memory_slice, "B",
             "framebuffer of a tracer, its slice or a local one, of the one with most"),
    FS_WHOLE("memory.shard_bytes", memory_shard_data, "B",
             "cells, neighbour cells, adjacency and harmonics of a shard, of the one with most"),
    FS_WHOLE("memory.harmonics_bytes", memory_harmonics, "B",
             "of it, coefficients of degree 1 and above; 0 with degree 0"),
    FS_WHOLE("memory.cells_fit", memory_cells_fit, "cells",
             "cells that a scene cut like this one may have beside the lanes as they are, at the bytes that "
             "a cell takes here",
             FS_MORE),
    FS_WHOLE("memory.tiles", memory_tiles, "tiles", "tiles with a role: tracers, routers, the generator"),
    FS_WHOLE("memory.sram_bytes", memory_sram, "B",
             "SRAM of these tiles, filled or not: what a chip for this run must have"),
};

static const fs_stat pace_rows[] = {
    FS_SHARE("pace.generator", pace_generator, "the same for the generator",
             FS_AT(132, "pace set by the generator"),
             .changed = "The generator sets the pace in {new} instead of {old} of the iterations."),
    FS_SHARE("pace.camera_tile", pace_camera, "the same for the tracer of the camera's shard",
             FS_AT(133, "pace set by the camera's shard"),
             .changed = "The tracer of the camera's shard alone sets the pace in {new} instead of {old}."),
    FS_VALUE("pace.camera_tile_cycles", camera_tile_mean, "cycles",
             "compute of the camera's tracer, mean over the injecting iterations", FS_LESS),
    FS_VALUE("pace.camera_tile_rays", camera_rays_mean, "rays", "rays that it reads in them", FS_LESS),
    PACE_LEVEL(1),
    PACE_LEVEL(2),
    PACE_LEVEL(3),
    PACE_LEVEL(4),
    PACE_LEVEL(5),
    PACE_LEVEL(6),
    FS_WHOLE("pace.hottest_tile", congestion.hottest_tile, NULL,
             "tile that was the slowest in most iterations; lowest number on a tie", .says = FS_SAYS_LABEL),
    FS_VALUE("pace.hottest_shard", congestion.hottest_shard, NULL, "its shard; null if it owns none",
             .says = FS_SAYS_LABEL),
    FS_SHARE("pace.hottest_share", congestion.hottest_share, "share of iterations in which it was"),
};

static const fs_stat part_rows[] = {
    FS_VALUE("parts.injection_cycles_mean", congestion.injection_mean, "cycles",
             "mean over the iterations of the injection", FS_LESS),
    FS_VALUE("parts.steady_cycles_mean", congestion.steady_mean, "cycles",
             "mean over the iterations of the steady part; null if it has none", FS_LESS),
    FS_VALUE("parts.drain_cycles_mean", congestion.drain_mean, "cycles",
             "mean over the iterations of the drain; null if it has none", FS_LESS),
    FS_WHOLE("parts.last_percent_iterations", congestion.last_percent_iterations, "iterations",
             "that the last 1 % of the finished rays needed, after the others were at their pixels", FS_LESS),
    FS_WHOLE("parts.last_percent_cycles", congestion.last_percent_cycles, "cycles", "of those iterations",
             FS_LESS),
};

static const fs_stat congestion_rows[] = {
    FS_SHARE("congestion.lanes_full_share", congestion.lanes_full_share,
             "lanes in which every slot held a ray in some iteration, of all lanes"),
    FS_SHARE("congestion.stalled_share", congestion.stalled_share,
             "share of lanes and iterations in which a ray was turned away", FS_LESS),
    FS_SHARE("congestion.peak_fill", congestion.peak_fill,
             "most rays of a lane over its capacity, of the fullest lane"),
    FS_WHOLE("congestion.ring_peak", congestion.ring_peak, "rays",
             "most rays in the generator's ring after an iteration"),
    FS_VALUE("congestion.imbalance_tracers", congestion.imbalance_tracers, NULL,
             "compute cycles of the busiest tracer over the mean of all"),
    FS_VALUE("congestion.gini_tracers", congestion.gini_tracers, NULL,
             "Gini coefficient of the tracers' compute cycles: 0 when all are equal"),
    FS_WHOLE("work.tracer_cycles", congestion.tracer_cycles, "cycles",
             "compute of all tracers, summed over tiles and iterations, idle calls included"),
    FS_WHOLE("work.tracer_critical", congestion.tracer_critical, "cycles",
             "compute of the slowest tracer, summed over iterations"),
    FS_WHOLE("work.router_cycles", congestion.router_cycles, "cycles", "compute of all routers"),
    FS_WHOLE("work.router_critical", congestion.router_critical, "cycles",
             "compute of the slowest router, summed over iterations"),
    FS_WHOLE("work.generator_cycles", congestion.generator_cycles, "cycles", "compute of the generator"),
    FS_WHOLE("work.generator_critical", congestion.generator_critical, "cycles",
             "compute of the slowest generator, summed over iterations"),
};

static const fs_stat ladder_rows[] = {
    FS_VALUE("ladder.free_routers", ladder[FS_RUNG_FREE_ROUTERS], "%",
             "time that routers would gain at most if they took no cycles; null with run.statistics basic, "
             "as all of these"),
    FS_VALUE("ladder.free_exchange", ladder[FS_RUNG_FREE_EXCHANGE], "%", "the same for the exchange"),
    FS_VALUE("ladder.free_sync", ladder[FS_RUNG_FREE_SYNC], "%", "the same for the barriers"),
    FS_VALUE("ladder.free_host", ladder[FS_RUNG_FREE_HOST], "%", "the same for the host"),
    FS_VALUE("ladder.infinite_buffers", ladder[FS_RUNG_INFINITE_BUFFERS], "%",
             "gain if no ray found a lane full: 0 if none did, else an estimate"),
    FS_VALUE("ladder.balanced_tracers", ladder[FS_RUNG_BALANCED_TRACERS], "%",
             "most to gain from spreading the tracers' work evenly in each iteration"),
    FS_VALUE("ladder.replicated", ladder[FS_RUNG_REPLICATED], "%",
             "estimated gain of more tracers for the hottest shards (ladder.csv says which)"),
    FS_VALUE("ladder.all", ladder[FS_RUNG_ALL], "%", "all of them together"),
    FS_VALUE("ladder.following", ladder[FS_RUNG_FOLLOWING], "%",
             "of a path: estimated gain of more tracers for each frame's own hottest shards, sent when it "
             "begins; not in ladder.all; null without a path"),
};

static const fs_stat decoupled_rows[] = {
    FS_WHOLE("decoupled.calls", decoupled_calls, "calls", "calls of tiles; 0 in bsp, as all of these"),
    FS_VALUE("decoupled.batch_mean", decoupled_batch, "rays", "rays that a call takes; null in bsp", FS_MORE),
    FS_SHARE("decoupled.fixed_cycles_share", decoupled_fixed_share,
             "share of the calls' cycles that calls without work would have taken; null in bsp"),
    FS_SHARE("decoupled.busiest_tile_share", decoupled_busy_share,
             "part of the time between the host's visits in which the busiest tile computed; null in bsp"),
    FS_VALUE("decoupled.alive_mean", decoupled_alive, "cycles",
             "from the call that makes a ray to the end of the one that writes its pixel; null in bsp"),
    FS_VALUE("decoupled.waiting_mean", decoupled_waiting, "cycles",
             "of it, in queues of lanes, for a call, a port or a credit; null in bsp"),
    FS_WHOLE("decoupled.messages", decoupled_messages, "messages", "messages between tiles"),
    FS_VALUE("decoupled.message_rays_mean", decoupled_message_rays, "rays", "rays of a message; null in bsp",
             FS_MORE),
    FS_WHOLE("decoupled.stalled_cycles", decoupled_stalled_cycles, "cycles",
             "cycles in which a lane had rays to send and no credit, summed over the lanes"),
    FS_WHOLE("decoupled.window", decoupled_window, "rays", "rays that may be in flight at a time"),
    FS_WHOLE("decoupled.in_flight_max", decoupled_in_flight_max, "rays", "most rays that were"),
    FS_WHOLE("decoupled.read_outs", decoupled_read_outs, "visits",
             "visits of the host to one tile whose local framebuffer was full"),
};

static const fs_stat frame_rows[] = {
    FLAG("complete", complete, .better = FS_BETTER_MORE, .doc = "every counted frame is done",
         .wrong = "pixels are missing, as the frame is not done"),
    FS_SHARE("coverage", coverage, "share of the first frame's pixels that are written", FS_MORE,
             FS_AT(220, "pixels written"), .changed = "{new} instead of {old} of the pixels are written."),
};

static const fs_stat scene_rows[] = {
    FS_WHOLE("lanes.capacity_min", lane_rays_min, "rays", "rays that the smallest lane holds", FS_MORE),
    FS_WHOLE("lanes.capacity_max", lane_rays_max, "rays", "rays that the largest lane holds"),
    FS_WHOLE("scene.cells", scene_cells, "cells", "Voronoi cells"),
    FS_WHOLE("scene.faces", scene_faces, "faces", "directed adjacencies"),
    WORD("scene.digest", scene_digest, .doc = "SHA-256 of the foam's content"),
    FS_WHOLE("shards.cells_max", shard_cells_max, "cells", "most cells of a shard"),
    FS_WHOLE("shards.neighbour_cells_max", shard_neighbours_max, "cells", "most neighbour cells of a shard"),
    FS_WHOLE("shards.adjacency_max", shard_adjacency_max, "entries", "longest adjacency of a shard"),
    FS_VALUE("scene.degree_mean", scene_degree, "faces", "faces of a cell"),
    FS_VALUE("shards.neighbour_cells_scaled", shard_neighbours_scaled, NULL,
             "most neighbour cells over most cells of a shard to the power of 2/3: the same for scenes of "
             "any size"),
    FS_VALUE("shards.adjacency_scaled", shard_adjacency_scaled, NULL,
             "longest adjacency over most cells of a shard: the same for scenes of any size"),
    FS_WHOLE("shards.neighbour_shards_max", shard_shards_max, "shards",
             "most neighbouring shards of a shard"),
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
    FS_STAT_PART(&fs_frames_stats, F, path),
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
    FS_LINKS_PART(F, chip.network),
    {.table = &energy_table},
    FS_STAT_PART(&fs_overlay_stats, F, overlay),
    FS_STAT_PART(&fs_joined_stats, F, chips),
    {.table = &scene_table},
};

const fs_stat_table fs_foam_stats = FS_STAT_PARTS("foam", parts);
