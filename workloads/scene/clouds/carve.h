/* Where a point cloud leaves space empty: what pictures on rings around the scene's middle see through. */
#ifndef FOAMSIM_WORKLOADS_SCENE_CLOUDS_CARVE_H
#define FOAMSIM_WORKLOADS_SCENE_CLOUDS_CARVE_H

#include "workloads/scene/clouds/import.h"

/* Pictures of the points, each a map of depth without holes, from rings that look at the middle. */
typedef struct fs_carve fs_carve;

enum { FS_CARVE_PICTURES = 30 }; /* at most: a bit each */

/* What the pictures know of a place, a bit a picture. */
typedef struct fs_carve_sight {
    uint32_t framed;  /* the place is within the picture */
    uint32_t through; /* and nearer than what is seen there */
    float pixels;     /* of `through`: those that an area of 1 would fill there, square scene units */
} fs_carve_sight;

/* Looks at the points, which are in the scene's frame, of those pictures; `up` has a length. Owner: the caller. */
fs_carve *fs_carve_make(const fs_sites *points, const fs_grow_params *params);
void fs_carve_free(fs_carve *carve); /* NULL is allowed */

/* Thread-safe. */
fs_carve_sight fs_carve_look(const fs_carve *carve, float x, float y, float z);

/* Whether a place is empty: at least two pictures see through it. */
bool fs_carve_empty(fs_carve_sight sight);

#endif
