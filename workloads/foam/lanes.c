#include "workloads/foam/lanes.h"

fs_lane_state *fs_lanes_create(fs_arena *arena, const fs_overlay *overlay, const uint32_t *capacity) {
    size_t slots = 0;
    for (uint32_t l = 0; l < overlay->lane_count; l++)
        slots += 2 * (size_t)capacity[l];
    fs_lane_state *lanes = FS_NEW(arena, fs_lane_state, overlay->lane_count);
    fs_handle *next = FS_NEW(arena, fs_handle, slots);
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        lanes[l].capacity = capacity[l];
        lanes[l].out = next;
        lanes[l].in = next + capacity[l];
        next += 2 * (size_t)capacity[l];
    }
    return lanes;
}
