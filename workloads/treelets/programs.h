/* The program of a tile of treelets: the events of a path tracer's walk, and those of rays that wait and travel. */
#ifndef FOAMSIM_WORKLOADS_TREELETS_PROGRAMS_H
#define FOAMSIM_WORKLOADS_TREELETS_PROGRAMS_H

#include "workloads/paths/walk/walk.h"
#include "workloads/treelets/params.h"
#include "workloads/treelets/traffic/travel.h"

/* Events of the program, behind those of the walk. */
typedef enum fs_treelets_event {
    FS_TREELETS_TOP = FS_WALK_EVENTS,
    FS_TREELETS_TAKE,
    FS_TREELETS_ASIDE,
    FS_TREELETS_PACK,
    FS_TREELETS_UNPACK,
    FS_TREELETS_ROUTE,
    FS_TREELETS_EVENTS
} fs_treelets_event;

/* With the prices of the payload and the order; code_bytes 0. Memory from the arena. */
const fs_program *fs_treelets_program(const fs_treelets_params *params, fs_arena *arena);

/* What a worker counted in a step, as occurrences of the program's events. smooth: the mesh has normals. */
void fs_treelets_counts(const uint32_t row[FS_TRAVEL_EVENTS], bool smooth,
                        uint32_t counts[FS_TREELETS_EVENTS]);

#endif
