#include "models/overlay/device_plan.h"

/* In the order of fs_role, from FS_ROLE_TRACER on. */
const fs_param_role fs_overlay_param_roles[FS_ROLE_COUNT] = {{"tracer", "a tracer's tile"},
                                                             {"router", "a router's tile"},
                                                             {"generator", "the generator's tile"},
                                                             {NULL, NULL}};
/* Lanes of given sizes leave nothing for SRAM to decide but whether all fits. */
const fs_param_only fs_overlay_only[2] = {
    {"machine.memory.sram machine.memory.reserved machine.memory.exchange_code_per_message "
     "machine.memory.vertex_state",
     "overlay.router_buffer=0 B|auto?; overlay.tracer_buffer=0 B|auto?; overlay.generator_buffer=0 B|auto?"},
    {NULL, NULL}};
_Static_assert((int)FS_ROLE_COUNT <= (int)FS_MACHINE_ROLES && FS_ROLE_SPARE == 0, "0 is a spare tile's role");

/* The bulk copy of each lane: its two levels and direction, or its two levels alone. */
static uint32_t *copies_of(const fs_overlay *o, bool pairs, uint32_t *count, fs_arena *arena) {
    const uint32_t levels = o->levels + 2; /* tracers 0, routers, generator */
    uint32_t *number = FS_NEW(arena, uint32_t, levels * levels);
    uint32_t *of = FS_NEW(arena, uint32_t, o->lane_count + 1);
    for (uint32_t l = 0; l < o->lane_count; l++) {
        const uint32_t from = o->level[o->lanes[l].src], to = o->level[o->lanes[l].dst];
        of[l] = pairs && from > to ? to * levels + from : from * levels + to;
        FS_ASSERT(of[l] < levels * levels, "lane %u between levels that do not exist", l);
        number[of[l]] = 1;
    }
    *count = 0;
    for (uint32_t i = 0; i < levels * levels; i++)
        number[i] = number[i] > 0 ? (*count)++ : 0;
    for (uint32_t l = 0; l < o->lane_count; l++)
        of[l] = number[of[l]];
    return of;
}

/* Slices of the framebuffer lie on tracers, and leave by their chip's own link. */
static void count_slices(const fs_overlay *o, fs_device_plan *plan, fs_arena *arena) {
    if (o->chip_tiles == 0)
        return;
    uint32_t *on = FS_NEW(arena, uint32_t, o->tiles / o->chip_tiles);
    plan->host_parts = o->tracers;
    for (uint32_t i = 0; i < o->tracers; i++) {
        const uint32_t slices = ++on[o->tracer_tile[i] / o->chip_tiles];
        plan->host_most = slices > plan->host_most ? slices : plan->host_most;
    }
}

static fs_device_plan make(const fs_overlay *o, const fs_device_programs *programs,
                           const fs_transfer *transfers, const fs_host_visit *first, bool only_active,
                           fs_arena *arena) {
    fs_device_step step = {.name = "iteration",
                           .transfers = transfers,
                           .transfer_count = o->lane_count,
                           .only_active = only_active};
    step.copy_of = copies_of(o, false, &step.copies, arena);
    step.pair_of = copies_of(o, true, &step.pairs, arena);
    fs_device_plan plan = fs_plan_of_step(arena, o->tiles, programs, &step, o->generator_tile, first);
    plan.role_of = o->role;
    count_slices(o, &plan, arena);
    return plan;
}

fs_device_plan fs_overlay_device_plan(const fs_overlay *overlay, const fs_device_programs *programs,
                                      const fs_transfer *transfers, const fs_host_visit *first,
                                      fs_arena *arena) {
    return make(overlay, programs, transfers, first, false, arena);
}

fs_device_plan fs_overlay_decoupled_plan(const fs_overlay *overlay, const fs_device_programs *programs,
                                         const fs_transfer *transfers, const fs_host_visit *first,
                                         fs_arena *arena) {
    return make(overlay, programs, transfers, first, true, arena);
}

fs_device_programs fs_overlay_programs_by_role(const fs_overlay *overlay, const fs_program *const *programs,
                                               fs_arena *arena) {
    const fs_program **list = FS_NEW(arena, const fs_program *, FS_ROLE_COUNT);
    uint8_t number[FS_ROLE_COUNT] = {0};
    fs_device_programs p = {.program = list, .of_tile = FS_NEW(arena, uint8_t, overlay->tiles)};
    for (int role = 0; role < FS_ROLE_COUNT; role++)
        if (programs[role] != NULL) {
            list[p.count++] = programs[role];
            number[role] = (uint8_t)p.count;
        }
    for (uint32_t t = 0; t < overlay->tiles; t++)
        p.of_tile[t] = number[overlay->role[t]];
    return p;
}

/* Fewest lanes of a ring in which queues can wait for each other: routes never turn round at a router. */
static uint32_t shortest_ring(const fs_overlay *o, bool returns) {
    uint32_t ring = returns ? 2 : 4;
    for (uint32_t l = 0; l < o->lane_count; l++) {
        const uint32_t src = o->lanes[l].src, dst = o->lanes[l].dst;
        if (src == o->generator_tile || dst == o->generator_tile)
            continue;
        if (o->role[src] == FS_ROLE_TRACER && o->role[dst] == FS_ROLE_TRACER)
            return 2;
        if (o->level[src] + 1 != o->level[dst] && o->level[dst] + 1 != o->level[src])
            ring = ring < 3 ? ring : 3;
    }
    return ring;
}

uint32_t fs_overlay_safe_window(const fs_overlay *overlay, const uint32_t *capacity, bool returns) {
    const uint32_t ring = shortest_ring(overlay, returns);
    uint32_t least = UINT32_MAX / (2 * ring);
    for (uint32_t l = 0; l < overlay->lane_count; l++) {
        const fs_lane *lane = &overlay->lanes[l];
        if (lane->src != overlay->generator_tile && lane->dst != overlay->generator_tile &&
            capacity[l] < least)
            least = capacity[l];
    }
    return overlay->shares_queues ? least : 2 * ring * least - 1;
}

fs_books_labels fs_overlay_labels(const fs_overlay *overlay) {
    return (fs_books_labels){
        .roles = fs_role_names, .role_count = FS_ROLE_COUNT, .role = overlay->role, .level = overlay->level};
}
