/* The rays of a run, in the order in which they go to the board. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_RAYS_H
#define FOAMSIM_WORKLOADS_HIERARCHY_RAYS_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "workloads/hierarchy/params.h"
#include "workloads/hierarchy/walk/walk.h"
#include "workloads/scene/mesh/mesh.h"

typedef struct fs_hierarchy_rays {
    fs_unit_walk_ray *ray; /* [rays] directions of length one */
    uint32_t *given;       /* [rays] its number before ordering: of a camera, row x width + column */
    uint32_t rays;
    uint32_t width, height; /* pixels; 0: no picture */
} fs_hierarchy_rays;

/* Makes or reads them. low, high: the box around the scene. FS_INPUT with file, line and column for a file
 * that is none of rays; FS_IO. Memory of the arena. */
fs_status fs_hierarchy_rays_make(const fs_hierarchy_params *params, const fs_mesh_camera *camera,
                                 const float low[3], const float high[3], fs_arena *arena,
                                 fs_hierarchy_rays *out, fs_error *err);

/* Reads a file of rays: a line each of six numbers with blanks between them, origin before direction; #
 * begins a remark. */
fs_status fs_hierarchy_rays_read(const char *path, fs_arena *arena, fs_hierarchy_rays *out, fs_error *err);

#endif
