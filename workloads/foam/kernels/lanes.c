/* Buffers of lanes: reserved for the worst case, cut from each thread's store. */
#include "workloads/foam/kernels/lanes.h"

#include "sim/base/host.h"

fs_lane_state *fs_lanes_create(fs_arena *arena, const fs_overlay *overlay, const uint32_t *capacity) {
    fs_lane_state *lanes = FS_NEW(arena, fs_lane_state, overlay->lane_count);
    for (uint32_t l = 0; l < overlay->lane_count; l++)
        lanes[l].capacity = capacity != NULL ? capacity[l] : UINT32_MAX / 2;
    return lanes;
}

fs_status fs_lanes_check(size_t slots, fs_error *err) {
    const double bytes = (double)slots * sizeof(fs_handle), host = (double)fs_host_memory_bytes();
    if (host <= 0 || bytes <= host)
        return FS_OK;
    return fs_fail(
        err, FS_MEMORY,
        "machine.memory.sram, or the overlay's buffers: lanes for %zu rays in all are %.1f GB here, "
        "of %.1f GB that this host has; make the buffers smaller",
        slots, 1e-9 * bytes, 1e-9 * host);
}

fs_lane_store *fs_lanes_stores_create(fs_arena *arena, size_t slots, uint32_t threads, size_t scratch) {
    fs_lane_store *stores = FS_NEW(arena, fs_lane_store, threads);
    for (uint32_t t = 0; t < threads; t++) {
        for (int half = 0; half < 2; half++) {
            stores[t].half[half] = FS_NEW(arena, fs_handle, slots);
            fs_prefer_huge_pages(stores[t].half[half], slots * sizeof(fs_handle));
        }
        stores[t].slots = slots;
        stores[t].aside = FS_NEW(arena, fs_handle, FS_ASIDE);
        stores[t].lane_of = FS_NEW(arena, uint8_t, scratch);
    }
    return stores;
}
