/* Batches, places and pixels. */
#include "workloads/pathtrace/frame/layout.h"

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Near the golden section, so that neighbours land far apart. */
static uint64_t stride_of(uint64_t batch) {
    uint64_t stride = batch * 618 / 1000 | 1;
    while (common_divisor(stride, batch) != 1)
        stride++;
    return stride;
}

fs_pathtrace_layout fs_pathtrace_layout_of(const fs_pathtrace_params *params,
                                           const fs_machine_params *machine) {
    fs_pathtrace_layout l = {.tiles = (uint32_t)fs_geometry_tiles(&machine->geometry),
                             .io_tiles = (uint32_t)params->io_tiles,
                             .workers = (uint32_t)machine->tile.workers,
                             .ray = (uint32_t)params->ray_bytes,
                             .multicasts = machine->exchange.kind == FS_FABRIC_PORTS,
                             .pairs = machine->exchange.kind == FS_FABRIC_PORTS &&
                                      fs_exchange_has_pairs(&machine->exchange),
                             .pixels = (uint64_t)params->width * (uint64_t)params->height};
    l.render_tiles = l.tiles - l.io_tiles;
    l.rays = params->rays_per_tile > 0 ? (uint32_t)params->rays_per_tile
                                       : (uint32_t)params->rays_per_worker * l.workers;
    l.batch = (uint64_t)l.rays * l.render_tiles;
    l.batches = (l.pixels + l.batch - 1) / l.batch;
    l.stride = stride_of(l.batch);
    l.pod = fs_pod_deal(l.batches, (uint32_t)machine->chips, (fs_pod_rule)params->dummies);
    return l;
}

uint64_t fs_pathtrace_pixel(const fs_pathtrace_layout *layout, int64_t dealing, uint64_t batch,
                            uint64_t place) {
    const uint64_t in_batch =
        dealing == FS_PATHTRACE_SCATTER ? place * layout->stride % layout->batch : place;
    const uint64_t pixel = batch * layout->batch + in_batch;
    return pixel < layout->pixels ? pixel : UINT64_MAX;
}

uint64_t fs_pathtrace_batch_at(const fs_pathtrace_layout *layout, uint32_t chip, uint64_t iteration) {
    const uint64_t number = chip + iteration * layout->pod.chips;
    return number < layout->batches ? number : layout->batches - 1;
}

fs_remote_buffer fs_pathtrace_buffer(const fs_pathtrace_layout *layout) {
    const uint64_t of_a_tile = (uint64_t)layout->rays * layout->ray,
                   tiles = (layout->render_tiles + layout->io_tiles - 1) / layout->io_tiles;
    return (fs_remote_buffer){.bytes = tiles * of_a_tile, .pieces = layout->io_tiles};
}

fs_transfer *fs_pathtrace_ring(const fs_pathtrace_layout *layout, uint64_t bytes, fs_arena *arena) {
    fs_transfer *ring = FS_NEW(arena, fs_transfer, layout->render_tiles);
    for (uint32_t t = 0; t < layout->render_tiles; t++)
        ring[t] = (fs_transfer){.src = layout->io_tiles + (t + 1) % layout->render_tiles,
                                .dst = layout->io_tiles + t,
                                .bytes = layout->render_tiles > 1 ? (uint32_t)bytes : 0};
    return ring;
}

fs_transfer *fs_pathtrace_copies(const fs_pathtrace_layout *layout, fs_arena *arena, uint32_t *count) {
    fs_transfer *copies = FS_NEW(arena, fs_transfer, 2 * (size_t)layout->render_tiles);
    const uint32_t bytes = layout->rays * layout->ray;
    for (uint32_t t = 0; t < layout->render_tiles; t++) {
        const uint32_t io = t % layout->io_tiles, tile = layout->io_tiles + t;
        copies[2 * t] = (fs_transfer){.src = tile, .dst = io, .bytes = bytes};
        copies[2 * t + 1] = (fs_transfer){.src = io, .dst = tile, .bytes = bytes};
    }
    *count = 2 * layout->render_tiles;
    return copies;
}
