/* Where a point cloud leaves space empty: what a capture's pictures see through. */
#pragma once

#include "workloads/image/camera_file.h"
#include "workloads/scene/clouds/import.h"

/* Pictures of the points, each a map of depth without holes: the capture's own, or on rings that look at the middle. */
typedef struct fs_carve fs_carve;

enum { FS_CARVE_WORDS = 3, FS_CARVE_PICTURES = 64 * FS_CARVE_WORDS }; /* at most: a bit each */

typedef struct fs_carve_set {
    uint64_t word[FS_CARVE_WORDS];
} fs_carve_set;

/* A capture's cameras, as fs_cameras_read has them; FS_INPUT too where they are more than FS_CARVE_PICTURES or none. */
fs_status fs_carve_cameras(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err);

/* What the pictures know of a place. */
typedef struct fs_carve_sight {
    fs_carve_set framed;  /* the place is within the picture */
    fs_carve_set through; /* and nearer than what is seen there */
} fs_carve_sight;

/* Looks at the points, which are in the scene's frame, of those pictures; `up` has a length. Says of how many lenses the distortion
 * is left out. Owner: the caller. NULL where fs_carve_cameras has none: FS_INPUT. */
fs_carve *fs_carve_make(const fs_sites *points, const fs_import_params *params, fs_error *err);
void fs_carve_free(fs_carve *carve); /* NULL is allowed */

/* Thread-safe. */
fs_carve_sight fs_carve_look(const fs_carve *carve, float x, float y, float z);

/* Pixels that a thing of size `across`, scene units, fills at a place in those pictures of a set that have the place before them. */
typedef struct fs_carve_count {
    /* As the trainer's gradients add up (docs/facts/garden_view.md 4): N in one picture add N / sqrt(1 + N). */
    double counted;
    double most; /* in one picture */
} fs_carve_count;
fs_carve_count fs_carve_pixels(const fs_carve *carve, const float at[3], double across,
                               const fs_carve_set *set);

/* Whether a place is empty: a twelfth of the pictures that have it within them see through it, and two at least. */
bool fs_carve_empty(const fs_carve_sight *sight);

/* Pictures that see an opaque place over an empty one beside it: they look through that one and have the first within them. */
fs_carve_set fs_carve_over(const fs_carve_sight *opaque, const fs_carve_sight *empty);
bool fs_carve_none(const fs_carve_set *set);
void fs_carve_unite(fs_carve_set *set, const fs_carve_set *with);
