#include "workloads/foam/lanes.h"

fs_lane_state *fs_lanes_create(fs_arena *arena, const fs_overlay *overlay, const uint32_t *capacity) {
    fs_lane_state *lanes = FS_NEW(arena, fs_lane_state, overlay->lane_count);
    for (uint32_t l = 0; l < overlay->lane_count; l++)
        lanes[l].capacity = capacity != NULL ? capacity[l] : UINT32_MAX / 2;
    return lanes;
}

fs_lane_store *fs_lane_stores_create(fs_arena *arena, size_t slots, uint32_t threads, size_t scratch) {
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
