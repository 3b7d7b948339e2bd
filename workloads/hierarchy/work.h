/* What a run works with: its tree and rays, what each ray asks for, and its right hit. */
#pragma once

#include "models/fpga/engine.h"
#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/config.h"
#include "sim/config/param.h"
#include "workloads/hierarchy/walk/walk.h"
#include "workloads/scene/mesh/mesh.h"

/* The workload's section of an experiment, and what of the run's section it reads. */
enum { FS_RAYS_RANDOM, FS_RAYS_CAMERA, FS_RAYS_FILE };
enum { FS_RAYS_AS_GIVEN, FS_RAYS_COHERENT, FS_RAYS_SHUFFLED };
enum { FS_PRIMITIVE_TRIANGLE, FS_PRIMITIVE_QUAD };
enum { FS_NEAREST_DEPTH_FIRST, FS_NEAREST_BRUTE_FORCE, FS_NEAREST_NONE };

typedef struct fs_hierarchy_params {
    int64_t rays;          /* of source random */
    int64_t source;        /* FS_RAYS_RANDOM ... */
    const char *file;      /* of source file */
    int64_t width, height; /* pixels of source camera */
    double spread;         /* of random origins, in sizes of the scene's box */
    int64_t order;         /* FS_RAYS_AS_GIVEN ... */
    int64_t seed;
    int64_t builder; /* fs_hierarchy_kind */
    int64_t tree_width, leaf;
    int64_t primitive;       /* FS_PRIMITIVE_... */
    int64_t primitive_bytes; /* of one */
    int64_t stop;            /* fs_unit_walk_stop */
    int64_t behind;          /* what lies behind the origin: missed, hit */
    int64_t ray_bytes, hit_bytes;
    int64_t reference;           /* FS_NEAREST_... */
    int64_t checked;             /* rays; 0: all */
    double cpu_visit, gpu_visit; /* seconds */
} fs_hierarchy_params;

/* Rules between rows and sections: fs_section_rules.check. */
void fs_hierarchy_check(const fs_config *config, fs_check *check);

/* The rows of fs_run_params that it reads, with a level of detail more: fs_engine_detail. */
extern const fs_param_table fs_hierarchy_run_table;

/* The rays of a run, in the order in which they go to the board. */
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

/* Facts of scene and tree that a run reports. */
typedef struct fs_hierarchy_facts {
    uint64_t triangles, degenerate, others; /* others: spheres and discs, which the engine can't test */
    uint64_t nodes, slots, leaves, depth;   /* of the tree (tree.h) */
} fs_hierarchy_facts;

/* Geometry, which no machine but its queue changes: what an itinerary recording keeps. */
typedef struct fs_hierarchy_work {
    fs_hierarchy_facts facts;
    fs_unit_walks walks;        /* heap */
    uint64_t requests;          /* of all rays: walks.first[rays] */
    fs_unit_walk_hit *nearest;  /* heap [checked] of rays 0, step, 2 step, ...; NULL: none was looked for */
    uint32_t checked, step;     /* rays */
    fs_unit_walk_visits visits; /* of the checked rays; 0 of brute force */
    uint32_t *given;            /* heap [rays] (fs_hierarchy_rays.given) */
    uint32_t width, height;     /* of the picture; 0: none */
    /* heap, of a picture: how bright the engine's hit of each ray is, and the nearest one of each checked
     * ray: 1 ... 255 by the cosine between ray and triangle, 0 of a miss. NULL: no picture. */
    uint8_t *shade, *right;
} fs_hierarchy_work;

/* Loads the scene, builds the tree, makes the rays and walks them; queue: entries of a unit's queue, 0: no
 * bound. look_only: a thousand rays are walked, not all, and no hit is checked. FS_INPUT: a scene without
 * triangles, more than references tell apart, a wrong file of rays, more than the host has memory for.
 * FS_RUN: interrupted. */
fs_status fs_hierarchy_work_make(const fs_hierarchy_params *params, const fs_mesh_scene_params *scene,
                                 uint32_t queue, bool look_only, const char *where, fs_hierarchy_work *out,
                                 fs_error *err);
/* Rays that three quarters of the host's memory hold, of `per_ray` requests each. */
double fs_hierarchy_rays_borne(double per_ray);
void fs_hierarchy_work_free(fs_hierarchy_work *work);

/* Walks the same rays with another queue: what the ladder asks. too_many: the rays ask for more than
 * `most_requests`, or hold more than 16,384 entries at a time; then `out` is empty. Owner of `out`: caller
 * (fs_unit_walks_free). */
fs_status fs_hierarchy_walk_again(const fs_hierarchy_params *params, const fs_mesh_scene_params *scene,
                                  uint32_t queue, uint64_t most_requests, const char *where,
                                  fs_unit_walks *out, bool *too_many, fs_error *err);

/* Bytes of a node: lower and upper corner of each child, and its reference (fpga_engine.md 2, LUX: 112 B of
 * four). */
uint32_t fs_hierarchy_node_bytes(const fs_hierarchy_params *params);

/* The same for the machine: addresses, bytes and items of every request. Memory of the arena. */
void fs_hierarchy_itinerary(const fs_hierarchy_params *params, const fs_hierarchy_facts *facts,
                            const fs_unit_walks *walks, uint32_t queue, fs_arena *arena,
                            fs_engine_itinerary *out);
