/* The workload section of a foam experiment. */
#pragma once

#include "sim/config/param.h"
#include "sim/workload/run_params.h"
#include "sim/workload/views.h"
#include "workloads/foam/kernels/programs.h"
#include "workloads/foam/march/march.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/camera.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_FRAMEBUFFER_SCREEN, FS_FRAMEBUFFER_LOCAL };
enum { FS_PIXELS_WRITTEN, FS_PIXELS_NOT_BLACK };
enum { FS_JUDGED_THIS, FS_JUDGED_PREVIOUS };

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
    int64_t pixels;     /* FS_PIXELS_*: which count for coverage */
    int64_t judged;     /* FS_JUDGED_*: what the host looks at in a visit */
    int64_t give_up;    /* sweeps by whose pace a run is given up; 0: never */
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

/* The camera of a view: the workload's, elsewhere. */
fs_camera_params fs_foam_camera_of(const fs_camera_params *camera, const fs_view *view);

/* The rules between the values of an experiment (fs_section_rules.check): foam_check.c. */
struct fs_config;
void fs_foam_check_config(const struct fs_config *config, fs_check *check);

/* The section `run` of the foam: what all workloads read, and pictures. */
typedef struct fs_foam_run_params {
    fs_run_params all;
    int64_t frames;
    bool stream;     /* frames follow each other without clearing the framebuffer */
    double coverage; /* part of the pixels that ends a frame, (0, 1] */
    fs_run_path path;
} fs_foam_run_params;
