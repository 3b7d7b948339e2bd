#include "workloads/foam/foam_params.h"

#include "workloads/foam/payload.h"

#define P fs_foam_params

static const char *const partition_kinds[] = {"kd", NULL}; /* in the order of fs_partitioners */
static const char *const orders[] = {"rows", "columns", NULL};
static const char *const framebuffers[] = {"screen", "local", NULL};
static const char *const policies[] = {"immediate", "drain", "pose_in_payload", NULL};

static const fs_param rows[] = {
    FS_PARAM_INT("camera.width", P, camera.width, FS_UNIT_NONE, "640", 1, 16384, "pixels across", "paper 5",
                 '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("camera.height", P, camera.height, FS_UNIT_NONE, "480", 1, 16384, "pixels down", "paper 5",
                 '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("camera.position", P, camera.position, camera.position_given, FS_UNIT_NONE, "none", -1e30,
                  1e30, "where the camera is, scene units", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("camera.look_at", P, camera.look_at, camera.look_at_given, FS_UNIT_NONE, "none", -1e30,
                  1e30, "a point on its axis", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("camera.up", P, camera.up, camera.up_given, FS_UNIT_NONE, "none", -1e30, 1e30,
                  "a direction that is up in the picture; z if absent", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("camera.fov_y", P, camera.fov_y, FS_UNIT_DEGREES, "50 deg", 0.01, 179.0,
                  "vertical field of view", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.fx", P, camera.intrinsics_fx, FS_UNIT_NONE, "0", 0, 1e9,
                  "focal length in pixels, with world_to_camera; 0: not given", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.fy", P, camera.intrinsics_fy, FS_UNIT_NONE, "0", 0, 1e9,
                  "as fx, vertically", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.cx", P, camera.intrinsics_cx, FS_UNIT_NONE, "0", -1e9, 1e9,
                  "principal point in pixels", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.cy", P, camera.intrinsics_cy, FS_UNIT_NONE, "0", -1e9, 1e9,
                  "as cx, vertically", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_MAT4("camera.world_to_camera", P, camera.world_to_camera, camera.world_to_camera_given, "none",
                  "four rows; x right, y down, z forward (COLMAP); instead of position and look_at",
                  "scenes.md 1", '-', FS_TOUCHES_GEOMETRY),

    FS_PARAM_ENUM("partition.kind", P, partition_kind, "kd", partition_kinds,
                  "how the scene is cut into shards", "paper 4.2", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("partition.shards", P, partition.shards, FS_UNIT_NONE, "1024", 1, 65534,
                 "shards, one for each tracer", "paper 4.2", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("partition.ground_normal", P, partition.ground_normal, partition.rotate_given, FS_UNIT_NONE,
                  "none", -1e30, 1e30, "rotate this direction to z before cutting; absent: cut as it is",
                  "scenes.md 2", '-', FS_TOUCHES_GEOMETRY),

    FS_PARAM_ENUM("payload", P, payload, "half", fs_payload_names, "what a ray carries over a lane",
                  "paper Tab. 1, 4", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_ENUM("batching.order", P, order, "rows", orders, "the generator scans rows or columns",
                  "paper 4.6", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_INT("batching.per_batch", P, per_batch, FS_UNIT_NONE, "1", 1, 16384,
                 "rows or columns in a batch", "paper Tab. 3, 5", '-', FS_TOUCHES_TRAFFIC),
    FS_PARAM_INT("batching.idle", P, idle, FS_UNIT_NONE, "200", 0, 1000000,
                 "empty iterations after the last batch of a frame", "paper 5.3; ipu.md 7", '-',
                 FS_TOUCHES_TRAFFIC),
    FS_PARAM_ENUM("framebuffer", P, framebuffer, "screen", framebuffers,
                  "finished rays go to the owner of their pixel, or stay where they end", "paper 4.7", '-',
                  FS_TOUCHES_TRAFFIC),
    FS_PARAM_INT("local_buffer", P, local_buffer, FS_UNIT_BYTES, "96 KiB", 12, 1048576,
                 "buffer of a tile with framebuffer local; the host reads it before it can overflow",
                 "paper 4.7", 'A', FS_TOUCHES_TRAFFIC),
    FS_PARAM_INT("repeat", P, repeat, FS_UNIT_NONE, "20", 1, 65534, "iterations between host visits",
                 "paper 4.8; ipu.md 7", '-', FS_TOUCHES_TRAFFIC),

    FS_PARAM_REAL("march.threshold", P, march.threshold, FS_UNIT_NONE, "0.01", 0, 1,
                  "transmittance under which a ray ends", "ipu.md 7, RFC", 'R', FS_TOUCHES_GEOMETRY),
    FS_PARAM_BOOL("march.hull_opaque", P, march.hull_opaque, "false",
                  "the unbounded cells at the hull absorb a ray entirely instead of adding nothing",
                  "design.md 6", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("march.step_limit", P, march.step_limit, FS_UNIT_NONE, "1000000", 1, 1e9,
                 "cells of one visit beyond which the march is declared defective", "", '-',
                 FS_TOUCHES_NOTHING),

    FS_PARAM_INT("camera_change.iteration", P, change.iteration, FS_UNIT_NONE, "-1", -1, 65534,
                 "a second camera comes at the first host visit after it; -1: never", "paper 5.6", '-',
                 FS_TOUCHES_GEOMETRY),
    FS_PARAM_ENUM("camera_change.policy", P, change.policy, "immediate", policies,
                  "at once, after a drain, or with the pose in the payload", "paper 5.6", '-',
                  FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("camera_change.position", P, change.position, change.position_given, FS_UNIT_NONE, "none",
                  -1e30, 1e30, "where the second camera is", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_VEC3("camera_change.look_at", P, change.look_at, change.look_at_given, FS_UNIT_NONE, "none",
                  -1e30, 1e30, "a point on its axis", "", '-', FS_TOUCHES_GEOMETRY),
    FS_PARAM_INT("camera_change.pose_bytes", P, pose_bytes, FS_UNIT_BYTES, "28 B", 4, 256,
                 "bytes that pose_in_payload adds to each ray: f32 position and rotation quaternion",
                 "paper 5.6", 'A', FS_TOUCHES_TRAFFIC),
};

const fs_param_table fs_foam_table = {.name = "workload/foam",
                                      .doc = "the Radiant Foam renderer",
                                      .rows = rows,
                                      .count = sizeof rows / sizeof rows[0],
                                      .size = sizeof(fs_foam_params)};
