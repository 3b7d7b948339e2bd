/* The workload's section of an experiment, and what of the run's section it reads. */
#ifndef FOAMSIM_WORKLOADS_HIERARCHY_PARAMS_H
#define FOAMSIM_WORKLOADS_HIERARCHY_PARAMS_H

#include "sim/config/config.h"
#include "sim/config/param.h"

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
    int64_t ray_bytes, hit_bytes;
    int64_t reference;           /* FS_NEAREST_... */
    int64_t checked;             /* rays; 0: all */
    double cpu_visit, gpu_visit; /* seconds */
} fs_hierarchy_params;

/* Rules between rows and sections: fs_section_rules.check. */
void fs_hierarchy_check(const fs_config *config, fs_check *check);

/* The rows of fs_run_params that it reads, with a level of detail more: fs_engine_detail. */
extern const fs_param_table fs_hierarchy_run_table;

#endif
