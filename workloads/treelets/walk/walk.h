/* The walk that gives itineraries: all paths of a picture through the top and the treelets of a cut, many at a time.
 *
 *     const fs_itineraries_params params = {.walk = {...}, .samples = 2, .order = FS_ORDER_NEAR};
 *     fs_walk_path *paths = fs_calloc(pixels * 2, sizeof *paths);
 *     FS_TRY(fs_itineraries_walk(&walk, &cut, &params, &its, paths, err));
 *
 * Rules (docs/design/treelets.md, Order). The top: each inner node met tests its two children; `near` goes on with the
 * nearer one, the first of equals, and keeps the other with its entry distance; what was kept and is farther than the
 * hit when its turn comes is dropped. `sorted` walks the whole top first, whatever the hit, and visits the treelets met
 * by (entry distance, number), as long as none begins behind the hit. `fixed` takes nodes in the tree's order. A
 * treelet's root is tested above it, and again by its visit in `near` and `sorted`; in `fixed` the test of a root that
 * is met counts there alone. One treelet is visited by every segment. Hits and paths are the same for all of them.
 */
#pragma once

#include "workloads/treelets/record/itinerary.h"

typedef enum fs_itineraries_order { FS_ORDER_NEAR, FS_ORDER_SORTED, FS_ORDER_FIXED } fs_itineraries_order;

/* Shadow rays from hits on diffuse surfaces. */
typedef enum fs_itineraries_light {
    FS_SHADOW_NONE,
    FS_SHADOW_SUN, /* where the surface, on the ray's side, faces the sun */
    FS_SHADOW_EMITTERS, /* to a point of what gives light, drawn anew for each hit; what a path then hits by chance gives
                           none */
} fs_itineraries_light;

typedef struct fs_itineraries_params {
    fs_walk_params walk;
    uint32_t samples; /* of a pixel */
    fs_itineraries_order order;
    fs_itineraries_light light;
    float to_sun[3];   /* of length one, in the camera's frame */
    float from_sun[3]; /* light on a surface that faces it, over pi: what a white one sends on */
} fs_itineraries_params;

/* What a walk of all paths will take, about, from a few of them: for who says so before it begins. */
typedef struct fs_itineraries_expected {
    uint64_t paths;
    double pieces;  /* of the itineraries */
    double bytes;   /* of memory at the most, beside the scene */
    double seconds; /* of the host, with the threads that there are */
} fs_itineraries_expected;
fs_itineraries_expected fs_itineraries_expect(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                                              const fs_itineraries_params *params);

/* Walks all paths over the OpenMP threads of the process: the same bits with any number of them. its: heap, pieces of
 * path = pixel * samples + sample; paths[the same], what they bring, may be NULL. FS_RUN: interrupted, with nothing
 * in its. */
fs_status fs_itineraries_walk(const fs_walk_scene *walk, const fs_treelet_cut *cut,
                              const fs_itineraries_params *params, fs_itineraries *its, fs_walk_path *paths,
                              fs_error *err);
