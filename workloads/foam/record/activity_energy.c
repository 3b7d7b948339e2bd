#include "workloads/foam/record/activity_energy.h"

#include <stdlib.h>

/* [calls] of each group: the iteration that a call is in. */
static uint32_t **iterations_of(const fs_activity *a, const fs_device_programs *programs) {
    uint32_t **of = fs_calloc(a->groups + 1, sizeof *of);
    uint64_t *next = fs_calloc(a->groups + 1, sizeof *next);
    for (uint32_t g = 0; g < a->groups; g++)
        of[g] = fs_malloc((size_t)(a->calls[g] + 1) * sizeof **of);
    const uint32_t *tile = a->active;
    for (uint64_t k = 0; k < a->iterations; tile += a->iteration[k++].active)
        for (uint32_t i = 0; i < a->iteration[k].active; i++) {
            const uint32_t g = programs->of_tile[tile[i]] - 1U;
            of[g][next[g]++] = (uint32_t)k;
        }
    free(next);
    return of;
}

static void add_plane(const fs_activity *a, const fs_activity_plane *plane, const uint32_t *iteration,
                      fs_activity_sums *out) {
    const unsigned char *at = a->counts + plane->at;
    uint64_t *to = out->count + (size_t)plane->group * FS_MAX_EVENTS + plane->event;
    const size_t stride = (size_t)out->groups * FS_MAX_EVENTS;
    for (uint64_t c = 0; c < a->calls[plane->group]; c++) {
        const uint64_t n = plane->wide ? ((const uint16_t *)(const void *)at)[c] : at[c];
        to[iteration[c] * stride] += n << plane->shift;
    }
}

/* Every lane's rays, iteration by iteration. */
static void add_moves(const fs_activity *a, const fs_overlay *o, const fs_geometry_params *geometry,
                      uint32_t payload_bytes, fs_arena *arena, fs_activity_sums *out) {
    uint32_t *way = fs_malloc((size_t)(o->lane_count + 1) * sizeof *way);
    for (uint32_t l = 0; l < o->lane_count; l++)
        way[l] = fs_energy_way(geometry, o->lanes[l].src, o->lanes[l].dst);
    out->message = FS_NEW(arena, fs_moved, a->iterations);
    out->payload = FS_NEW(arena, fs_moved, a->iterations);
    const uint32_t *tile = a->active, *moved = a->moved;
    for (uint64_t k = 0; k < a->iterations; tile += a->iteration[k++].active)
        for (uint32_t i = 0; i < a->iteration[k].active; i++)
            for (uint32_t p = o->out_start[tile[i]]; p < o->out_start[tile[i] + 1]; p++) {
                const uint32_t lane = o->out_lane[p];
                const uint64_t bytes = (uint64_t)*moved++ * payload_bytes;
                out->message[k].bytes += bytes > 0;
                out->message[k].way += bytes > 0 ? way[lane] : 0;
                out->payload[k].bytes += bytes;
                out->payload[k].way += bytes * way[lane];
            }
    free(way);
}

void fs_activity_sums_make(const fs_activity *a, const fs_overlay *overlay,
                           const fs_device_programs *programs, const fs_geometry_params *geometry,
                           uint32_t payload_bytes, fs_arena *arena, fs_activity_sums *out) {
    *out = (fs_activity_sums){.groups = a->groups};
    out->count = FS_NEW(arena, uint64_t, (size_t)a->iterations * a->groups * FS_MAX_EVENTS);
    uint32_t **iteration = iterations_of(a, programs);
    for (size_t p = 0; p < a->planes; p++)
        add_plane(a, &a->plane[p], iteration[a->plane[p].group], out);
    for (uint32_t g = 0; g < a->groups; g++)
        free(iteration[g]);
    free(iteration);
    if (a->moved != NULL)
        add_moves(a, overlay, geometry, payload_bytes, arena, out);
}
