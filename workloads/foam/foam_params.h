/* The workload section of a foam experiment (design.md section 4). */
#ifndef FOAMSIM_WORKLOADS_FOAM_PARAMS_H
#define FOAMSIM_WORKLOADS_FOAM_PARAMS_H

#include "sim/config/param.h"
#include "workloads/foam/camera.h"
#include "workloads/foam/march.h"
#include "workloads/foam/partition.h"
#include "workloads/foam/programs.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_FRAMEBUFFER_SCREEN, FS_FRAMEBUFFER_LOCAL };

/* A camera that replaces the first at a host visit (paper 5.6, Fig. 16); size and lens stay. */
typedef struct fs_camera_change_params {
    int64_t iteration; /* at the first visit after it; -1: no change */
    int64_t policy;    /* FS_CHANGE_* of simulation.h */
    double position[3], look_at[3];
    bool position_given, look_at_given;
} fs_camera_change_params;

typedef struct fs_foam_params {
    fs_camera_params camera;
    int64_t partition_kind; /* index into fs_partitioners */
    fs_partition_params partition;
    int64_t payload; /* index into fs_payloads */
    int64_t order;   /* FS_ORDER_* of simulation.h */
    int64_t per_batch, idle;
    int64_t framebuffer;  /* FS_FRAMEBUFFER_* */
    int64_t local_buffer; /* bytes of a tile's buffer with framebuffer local */
    int64_t repeat;
    int64_t pose_bytes; /* added to the payload by pose_in_payload */
    bool upload;        /* the time begins with the scene's way to the tiles */
    bool infinite_buffers;
    fs_int_list replicas; /* shards with `owners` tracers */
    bool replicas_given;
    int64_t owners, camera_owners; /* tracers of each of them; of the camera's shard */
    fs_kernel_params kernels;
    fs_march_params march;
    fs_camera_change_params change;
} fs_foam_params;

extern const fs_param_table fs_foam_table; /* "workload/foam" */

#endif
