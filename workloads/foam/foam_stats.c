/* The statistics of a foam run: name, unit, how runs merge, what is counted. */
#include "workloads/foam/books.h"
#include "workloads/foam/foam.h"

#define F                    fs_foam_figures
#define COUNT(n, m, u, g, d) FS_STAT_COUNT(n, F, m, u, FS_MERGE_##g, d)
#define VALUE(n, m, u, g, d) FS_STAT_VALUE(n, F, m, u, FS_MERGE_##g, d)

static const fs_stat rows[] = {
    COUNT("device.cycles", cycles, "cycles", SUM, "device time of the run: compute + sync + exchange + host"),
    VALUE("device.seconds", seconds, "s", SUM, "the same at the machine's clock"),
    COUNT("device.iterations", iterations, "iterations", SUM, "supersteps run"),
    COUNT("device.cycles_compute", cycles_compute, "cycles", SUM,
          "compute phases: the slowest tile of each iteration"),
    COUNT("device.cycles_sync", cycles_sync, "cycles", SUM, "barriers inside the device"),
    COUNT("device.cycles_exchange", cycles_exchange, "cycles", SUM, "exchange phases"),
    COUNT("device.cycles_host", cycles_host, "cycles", SUM,
          "host visits: external sync, launch, readback, camera broadcast; unfused launches"),
    VALUE("device.frame_latency_seconds", frame_latency_seconds, "s", MEAN,
          "start of the run to the visit that finds the first frame done; null if it never is"),
    VALUE("device.frame_period_seconds", frame_period_seconds, "s", MEAN,
          "time between frames from the first to the last counted one; null with one frame"),
    COUNT("device.frame_latency_iterations", latency_iterations, "iterations", MAX,
          "the latency in iterations"),
    COUNT("device.last_pixel_iteration", last_pixel_iteration, "iterations", MAX,
          "iteration in which the first frame got its last pixel; 0 if some are missing"),
    COUNT("device.injecting_iterations", injecting_iterations, "iterations", SUM,
          "iterations in which the generator made rays"),
    VALUE("device.cycles_per_iteration", cycles_mean, "cycles", MEAN,
          "mean over all iterations, host included"),
    VALUE("device.cycles_per_injecting_iteration", cycles_injecting_mean, "cycles", MEAN,
          "mean over the injecting iterations"),
    VALUE("device.cycles_per_draining_iteration", cycles_draining_mean, "cycles", MEAN,
          "mean over the others"),
    COUNT("device.static_exchange_cycles", static_cycles, "cycles", SAME,
          "one static exchange; 0 when dynamic"),

    COUNT("rays.generated", generated, "rays", SUM, "made by the generator"),
    COUNT("rays.finished", finished, "rays", SUM, "written to their pixel"),
    COUNT("rays.dropped", dropped, "rays", SUM, "lost: output and ring of the generator were full"),
    COUNT("rays.in_flight", in_flight, "rays", SUM, "still on the machine at the end"),
    COUNT("rays.spilled", spilled, "rays", SUM, "spills: a router put a ray in another lane than its own"),
    COUNT("rays.misrouted", misrouted, "visits", SUM, "visits that follow a spill"),
    COUNT("rays.crossings", crossings, "rays", SUM, "rays leaving one shard for another"),
    COUNT("rays.hops", ray_hops, "hops", SUM, "transfers of a ray over a lane"),

    VALUE("hops.tracer_mean", tracer_mean, "visits", MEAN, "tracer visits of a ray before its termination"),
    VALUE("hops.router_mean", router_mean, "visits", MEAN,
          "router visits of a ray before its termination, injection included"),
    VALUE("hops.delivery_mean", delivery_mean, "hops", MEAN,
          "lanes from the tracer where a ray ends to the owner of its pixel"),
    VALUE("hops.misrouted_mean", misrouted_mean, "visits", MEAN, "misrouted visits of a ray"),
    VALUE("hops.alive_mean", alive_mean, "iterations", MEAN, "from a ray's generation to its pixel"),
    VALUE("hops.waiting_mean", waiting_mean, "iterations", MEAN, "alive beyond the shortest its path allows"),
    COUNT("hops.tracer_max", tracer_max, "visits", MAX, "most tracer visits of a ray"),
    COUNT("hops.router_max", router_max, "visits", MAX, "most router visits of a ray"),
    COUNT("hops.alive_p99", alive_p99, "iterations", MAX, "99 % of the rays are alive no longer"),
    COUNT("hops.alive_max", alive_max, "iterations", MAX, "longest life of a ray"),
    COUNT("hops.waiting_max", waiting_max, "iterations", MAX, "longest waiting of a ray"),

    VALUE("cells.per_ray_mean", cells_per_ray, "cells", MEAN, "cells that a ray visits"),
    VALUE("cells.per_visit_mean", cells_per_visit, "cells", MEAN, "cells marched in one tracer visit"),
    VALUE("cells.length_mean", cell_length, "scene units", MEAN,
          "mean path length in a cell, to the mean depth"),
    VALUE("faces.per_ray_mean", faces_per_ray, "faces", MEAN, "faces tested for a ray"),

    FS_STAT_FLAG("image.exact", F, exact, FS_MERGE_MIN,
                 "equal to the unpartitioned full-precision render, bit for bit"),
    VALUE("image.psnr_db", psnr, "dB", MEAN, "against the reference, 8-bit; null when equal"),
    VALUE("image.psnr_float_db", psnr_float, "dB", MEAN, "the same before quantising; null when equal"),
    VALUE("image.ssim", ssim, "", MEAN, "structural similarity of luma, 8-bit"),
    FS_STAT_WORD("image.depth_source", F, depth_source, "where depth.png comes from: payload or reference"),
    VALUE("image.fp16_t_half_unit", t_step, "scene units", MEAN,
          "half a unit in the last place of t as fp16 at the mean depth; 0 when t is f32"),
    FS_STAT_WORD("image.note", F, note, "what to know about the image's precision"),

    COUNT("memory.peak_bytes", memory_peak, "B", MAX, "SRAM of the fullest tile"),
    COUNT("memory.worst_tile", memory_worst_tile, "", SAME, "that tile"),

    VALUE("pace.tracer", pace_tracer, "", MEAN, "share of iterations in which a tracer was the slowest tile"),
    VALUE("pace.router", pace_router, "", MEAN, "the same for a router"),
    VALUE("pace.generator", pace_generator, "", MEAN, "the same for the generator"),
    VALUE("pace.camera_tile", pace_camera, "", MEAN, "the same for the tracer of the camera's shard"),
    VALUE("pace.camera_tile_cycles", camera_tile_mean, "cycles", MEAN,
          "compute of the camera's tracer, mean over the injecting iterations"),
    VALUE("pace.camera_tile_rays", camera_rays_mean, "rays", MEAN, "rays that it reads in them"),

    FS_STAT_FLAG("complete", F, complete, FS_MERGE_MIN, "every counted frame is done"),
    VALUE("coverage", coverage, "", MIN, "share of the first frame's pixels that are written"),

    COUNT("scene.cells", scene_cells, "cells", SAME, "Voronoi cells"),
    COUNT("scene.faces", scene_faces, "faces", SAME, "directed adjacencies"),
    FS_STAT_WORD("scene.digest", F, scene_digest, "SHA-256 of the foam's content"),
    COUNT("shards.cells_max", shard_cells_max, "cells", SAME, "most cells of a shard"),
    COUNT("shards.neighbour_cells_max", shard_neighbours_max, "cells", SAME,
          "most neighbour cells of a shard"),
    COUNT("shards.adjacency_max", shard_adjacency_max, "entries", SAME, "longest adjacency of a shard"),
    COUNT("shards.neighbour_shards_max", shard_shards_max, "shards", SAME,
          "most neighbouring shards of a shard"),
};

const fs_stat_table fs_foam_stats = {.name = "foam", .rows = rows, .count = sizeof rows / sizeof rows[0]};
