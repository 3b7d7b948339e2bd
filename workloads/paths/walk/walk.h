/* Paths through a scene, and what a tile's worker executes for each: counts of events, priced by the profiles
 * of fs_walk_program. A path depends on (seed, pixel, sample) alone: never on tile, batch, clock, thread or
 * on whether eight are walked at a time.
 *
 *     fs_walk_scene walk;
 *     fs_walk_prepare(&walk, &mesh, &tree, arena);                // mesh in the camera's frame
 *     fs_walk_paths(&walk, &params, list, count, paths, counts);  // counts[count][FS_WALK_EVENTS]
 *     fs_walk_radiance(&paths[i], 0, fs_walk_sky, NULL, rgb);     // what the sample adds to its pixel
 */
#pragma once

#include "models/tile/tile.h"
#include "workloads/paths/tree/tree.h"

#include <stdint.h>

/* What a worker does along a path (IRL: TraceCodelets, CompactBvh, Mesh, Primitives, BxDF). X(NAME, what) */
#define FS_WALK_EVENT_TABLE(X)                                                                               \
    X(CAMERA, "camera ray with its Gaussian shift")                                                          \
    X(SEGMENT, "start of a segment: offset, reciprocals, root pushed")                                       \
    X(NODE, "node popped and its header read")                                                               \
    X(AXIS, "slab of one axis tested")                                                                       \
    X(INNER, "box of an inner node hit: two children pushed")                                                \
    X(LEAF, "box of a leaf hit: primitive looked up, virtual call, result compared")                         \
    X(SHEAR, "permutation and shear of the ray for one triangle")                                            \
    X(EDGE_EXIT, "triangle test that ends at the edges")                                                     \
    X(RANGE_EXIT, "triangle test that ends behind the origin")                                               \
    X(TRIANGLE, "triangle test all the way through")                                                         \
    X(NORMAL, "normal of a triangle that was hit, from its corners")                                         \
    X(SMOOTH, "normal of a triangle that was hit, from the mesh's normals")                                  \
    X(SPHERE, "sphere tested up to its distance")                                                            \
    X(SPHERE_ROOT, "sphere met: square root and both distances")                                             \
    X(DISC, "disc tested")                                                                                   \
    X(HIT, "segment that hit: point, normal, material")                                                      \
    X(EMISSION, "emission of a hit added")                                                                   \
    X(DIFFUSE, "diffuse direction drawn")                                                                    \
    X(SPECULAR, "mirror direction")                                                                          \
    X(REFRACTIVE, "dielectric: reflected or refracted")                                                      \
    X(ROULETTE, "roulette")                                                                                  \
    X(ESCAPE, "segment that hit nothing: flag set")                                                          \
    X(END, "end of the path: colour and throughput stored")                                                  \
    X(PROLOGUE, "every call, on each worker: arrays of the serialised scene wrapped; never counted here")

typedef enum fs_walk_event {
#define X(name, what) FS_WALK_##name,
    FS_WALK_EVENT_TABLE(X)
#undef X
        FS_WALK_EVENTS
} fs_walk_event;

/* The program of a rendering tile: one segment, its events in the order above, so that a worker's row of
 * counts (models/tile/tile.h) is a sum of rows of fs_walk_paths. With a network, uv and light are programs of
 * their own. */
extern const fs_program fs_walk_program;

typedef struct fs_walk_params {
    uint32_t width, height;  /* pixels */
    uint64_t seed;           /* of the random numbers */
    uint32_t most_segments;  /* 10 */
    uint32_t roulette_above; /* hits with a greater number, from 0, draw for their end: 3 */
    float jitter;            /* standard deviation of the camera ray's shift, pixels: 0.25 */
} fs_walk_params;

typedef struct fs_walk_key {
    uint32_t pixel, sample; /* pixel = row * width + column, row 0 on top */
} fs_walk_key;

typedef enum fs_walk_end {
    FS_WALK_ESCAPED, /* left the scene: the light of its direction is still to be added */
    FS_WALK_STOPPED, /* by roulette */
    FS_WALK_FULL,    /* at most_segments */
} fs_walk_end;

typedef struct fs_walk_path {
    float emitted[3];    /* what the emitters on the way gave */
    float throughput[3]; /* at the end */
    float direction[3];  /* of the last segment, in the camera's frame; length one */
    uint16_t segments;   /* hits, and one more for an escape */
    uint16_t end;        /* fs_walk_end */
} fs_walk_path;

/* A scene ready to be walked: plain data that points into scene and arena, which outlive it. */
typedef struct fs_walk_scene {
    const fs_mesh_scene *mesh;
    uint32_t nodes, leaves;    /* of the tree */
    struct fs_walk_node *node; /* [nodes + 1] boxes by their corners, step.h */
    struct fs_walk_leaf
        *leaf; /* [leaves] corners of triangles, spheres, discs, in the order of their nodes */
} fs_walk_scene;

/* The scene is in the camera's frame (fs_mesh_scene_to_camera), the tree is of it. `prepare` leaves the tree as it
 * is; `replace` puts its own nodes in place of the tree's, which has none afterwards (node NULL): 64 B less of the
 * host a triangle. */
void fs_walk_prepare(fs_walk_scene *walk, const fs_mesh_scene *mesh, const fs_bvh *tree, fs_arena *arena);
void fs_walk_replace(fs_walk_scene *walk, const fs_mesh_scene *mesh, fs_bvh *tree, fs_arena *arena);

/* Walks list[count] into paths[count] and counts[count][FS_WALK_EVENTS], over the OpenMP threads of the
 * process, some at a time: the same bits on any host. counts may be NULL. */
void fs_walk_paths(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_key *list,
                   uint64_t count, fs_walk_path *paths, uint32_t (*counts)[FS_WALK_EVENTS]);

/* ---- light ---- */

/* What a network gives: the colour of (u, v), each 0 ... 1. self: the caller's. */
typedef void (*fs_walk_light)(const void *self, float u, float v, float rgb[3]);

/* (acos(d_y) / pi, (atan2(d_z, d_x) + azimuth) / 2 pi, brought into 0 ... 1) of a direction of length one
 * (neural_path_tracing.md 3; IRL); azimuth in radians. */
void fs_walk_uv(const float direction[3], float azimuth, float uv[2]);

/* A clear sky with a sun over dark ground: an analytic light of the network's interface, so that pictures
 * are real. self is not used. */
void fs_walk_sky(const void *self, float u, float v, float rgb[3]);

/* The same without the sun's disc, for who asks the sun by rays of its own. The disc covers pi / 100 of solid angle: a
 * white surface that faces it sends on (0.16, 0.145, 0.12). */
void fs_walk_sky_without_sun(const void *self, float u, float v, float rgb[3]);

/* What a path adds to its pixel: emitted, and throughput x light where it escaped. */
void fs_walk_radiance(const fs_walk_path *path, float azimuth, fs_walk_light light, const void *self,
                      float rgb[3]);
