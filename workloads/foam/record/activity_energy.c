#include "workloads/foam/record/activity.h"

#include <stdlib.h>

/* The calls of the active tiles. */
static void place_calls(const fs_activity *a, const fs_device_programs *programs, uint64_t *next,
                        fs_activity_sums *out) {
    size_t i = 0;
    for (uint64_t k = 0; k < a->iterations; k++)
        for (const size_t end = i + a->iteration[k].active; i < end; i++) {
            const uint32_t group = programs->of_tile[a->active[i]] - 1U;
            out->row[(k * out->groups + group) * FS_SUM_ROW]++;
            out->call[i] = (uint32_t)next[group]++;
        }
}

/* Counts of an iteration's calls, which lie side by side. */
static uint64_t sum_counts(const fs_activity_plane *plane, const unsigned char *at, uint64_t calls) {
    const uint16_t *wide = (const uint16_t *)(const void *)at;
    uint64_t sum = 0;
    if (plane->wide)
        for (uint64_t c = 0; c < calls; c++)
            sum += wide[c];
    else
        for (uint64_t c = 0; c < calls; c++)
            sum += at[c];
    return sum;
}

static void add_plane(const fs_activity *a, const fs_activity_plane *plane, fs_activity_sums *out) {
    const unsigned char *at = a->counts + plane->at;
    uint64_t *row = out->row + (size_t)plane->group * FS_SUM_ROW;
    for (uint64_t k = 0; k < a->iterations; k++, row += (size_t)out->groups * FS_SUM_ROW) {
        row[1 + plane->event] += sum_counts(plane, at, row[0]) << plane->shift;
        at += row[0] << plane->wide;
    }
}

/* Every lane's rays, iteration by iteration. */
static void add_moves(const fs_activity *a, const fs_overlay *o, const fs_geometry_params *geometry,
                      uint32_t payload_bytes, fs_arena *arena, fs_activity_sums *out) {
    uint32_t *way = fs_malloc((size_t)(o->lane_count + 1) * sizeof *way);
    for (uint32_t l = 0; l < o->lane_count; l++)
        way[l] = fs_exchange_way(geometry, o->lanes[l].src, o->lanes[l].dst);
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
    place_calls(a, programs, next, out);
    for (size_t p = 0; p < a->planes; p++)
        add_plane(a, &a->plane[p], out);
    if (a->moved != NULL)
        add_moves(a, overlay, geometry, payload_bytes, arena, out);
}
