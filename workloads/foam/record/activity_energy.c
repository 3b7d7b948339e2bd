#include "workloads/foam/record/activity_energy.h"

#include <stdlib.h>

/* The calls of the active tiles, and of each call its iteration: heap. */
static uint32_t *place_calls(const fs_activity *a, const fs_device_programs *programs, uint64_t *next,
                             fs_activity_sums *out) {
    uint32_t *iteration = fs_malloc((a->actives + 1) * sizeof *iteration);
    size_t i = 0;
    for (uint64_t k = 0; k < a->iterations; k++)
        for (const size_t end = i + a->iteration[k].active; i < end; i++) {
            const uint32_t group = programs->of_tile[a->active[i]] - 1U;
            out->row[(k * out->groups + group) * FS_SUM_ROW]++;
            iteration[next[group]] = (uint32_t)k;
            out->call[i] = (uint32_t)next[group]++;
        }
    return iteration;
}

static void add_plane(const fs_activity *a, const fs_activity_plane *plane, const uint32_t *iteration,
                      fs_activity_sums *out) {
    const unsigned char *at = a->counts + plane->at;
    uint64_t *to = out->row + (size_t)plane->group * FS_SUM_ROW + 1 + plane->event;
    const size_t stride = (size_t)out->groups * FS_SUM_ROW;
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
    out->row = FS_NEW(arena, uint64_t, (size_t)a->iterations * a->groups * FS_SUM_ROW);
    out->call = FS_NEW(arena, uint32_t, a->actives);
    uint64_t *next = FS_NEW(arena, uint64_t, a->groups + 1);
    for (uint32_t g = 0; g < a->groups; g++)
        next[g + 1] = next[g] + a->calls[g];
    uint32_t *iteration = place_calls(a, programs, next, out);
    for (size_t p = 0; p < a->planes; p++) /* next: now where the next group begins */
        add_plane(a, &a->plane[p], iteration + next[a->plane[p].group] - a->calls[a->plane[p].group], out);
    free(iteration);
    if (a->moved != NULL)
        add_moves(a, overlay, geometry, payload_bytes, arena, out);
}
