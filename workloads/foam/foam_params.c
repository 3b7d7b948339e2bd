#include "workloads/foam/foam_params.h"

#include "workloads/foam/march/payload.h"

#define P          fs_foam_params
#define FS_ROWS_OF P

static const char *const orders[] = {"rows", "columns", NULL};
static const char *const framebuffers[] = {"screen", "local", NULL};
static const char *const pixels[] = {"written", "not_black", NULL};
static const char *const judged[] = {"this", "previous", NULL};
static const char *const routers[] = {"kernel", "hardware", NULL};
static const char *const versions[] = {"counted", "2025-09-02", "2025-09-11", NULL};
static const char *const compiled[] = {"best", "lower", "upper", NULL};
static const char *const copies[] = {"words", "bytes", NULL};
static const char *const policies[] = {"immediate", "drain", "pose_in_payload", NULL};

static const fs_param rows[] = {
    FS_INT(camera.width, NONE, "640", 1, 16384, "pixels across", GEOMETRY, .from = {"RF section 5", '-'}),
    FS_INT(camera.height, NONE, "480", 1, 16384, "pixels down", GEOMETRY, .from = {"RF section 5", '-'}),
    FS_VEC3(camera.position, NONE, "none", -1e30, 1e30, "where the camera is, scene units", GEOMETRY),
    FS_VEC3(camera.look_at, NONE, "none", -1e30, 1e30, "a point on its axis", GEOMETRY),
    FS_VEC3(camera.up, NONE, "none", -1e30, 1e30, "a direction that is up in the picture; z if absent",
            GEOMETRY),
    FS_REAL(camera.fov_y, DEGREES, "50 deg", 0.01, 179.0, "vertical field of view", GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.fx", P, camera.intrinsics_fx, NONE, "0", 0, 1e9,
                  "focal length in pixels, with world_to_camera; 0: not given", GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.fy", P, camera.intrinsics_fy, NONE, "0", 0, 1e9, "as fx, vertically",
                  GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.cx", P, camera.intrinsics_cx, NONE, "0", -1e9, 1e9,
                  "principal point in pixels", GEOMETRY),
    FS_PARAM_REAL("camera.intrinsics.cy", P, camera.intrinsics_cy, NONE, "0", -1e9, 1e9, "as cx, vertically",
                  GEOMETRY),
    FS_MAT4(camera.world_to_camera, "none",
            "four rows; x right, y down, z forward (COLMAP); instead of position and look_at", GEOMETRY,
            .from = {"scenes.md 1", '-'}),

    FS_PARAM_ENUM("partition.kind", P, partition_kind, "kd", fs_partitioner_names,
                  "how the scene is cut into shards", GEOMETRY, .from = {"RF section 4.2", '-'}),
    FS_INT(partition.shards, NONE, "1024", 1, 65534,
           "shards, one for each tracer; an octree's may be fewer, and the other tracers have no cells",
           GEOMETRY, .from = {"RF section 4.2", '-'}),
    FS_VEC3(partition.ground_normal, NONE, "none", -1e30, 1e30,
            "kd, octree: rotate this direction to z before cutting; absent: cut as it is", GEOMETRY,
            .from = {"scenes.md 2", '-'}),
    FS_PARTITION_ROWS(P, partition),
    FS_ENUM(payload, "half", fs_payload_names, "what a ray carries over a lane", GEOMETRY,
            .from = {"RF Tab. 1, 4", '-'}),
    FS_PARAM_ENUM("batching.order", P, order, "rows", orders, "the generator scans rows or columns", TRAFFIC,
                  .from = {"RF section 4.6", '-'}),
    FS_PARAM_INT("batching.per_batch", P, per_batch, NONE, "1", 1, 16384, "rows or columns in a batch",
                 TRAFFIC, .from = {"RF Tab. 3, 5", '-'}),
    FS_PARAM_INT("batching.idle", P, idle, NONE, "200", 0, 1000000,
                 "empty iterations after the last batch of a frame", TRAFFIC,
                 .from = {"RF section 5.3; ipu.md 7", '-'}),
    FS_ENUM(framebuffer, "screen", framebuffers,
            "finished rays go to the owner of their pixel, or stay where they end", TRAFFIC,
            .from = {"RF section 4.7", '-'}),
    FS_INT(local_buffer, BYTES, "96 KiB", 12, 1048576,
           "buffer of a tile with framebuffer local; the host reads it before it can overflow", TRAFFIC,
           .from = {"RF section 4.7", 'A'}),
    FS_INT(repeat, NONE, "20", 1, 65534, "iterations between host visits", TRAFFIC,
           .from = {"RF section 4.8; ipu.md 7", '-'}),

    FS_PARAM_ENUM("judging.pixels", P, pixels, "written", pixels,
                  "which pixels run.coverage counts; not_black: whose grey value, of 8 bits, is not 0",
                  TRAFFIC, .from = {"radiant_foam_program.md 3", '-'}),
    FS_PARAM_ENUM("judging.visit", P, judged, "this", judged,
                  "which picture the host judges at a visit; previous: that of the visit before", TRAFFIC,
                  .from = {"radiant_foam_program.md 3", '-'}),
    FS_PARAM_INT("judging.give_up", P, give_up, NONE, "0", 0, 65534,
                 "the run fails where at the pace of so many sweeps of a stream it would not be done by "
                 "run.max_iterations; 0: never",
                 TRAFFIC),

    FS_PARAM_INT("harmonics.degree", P, kernels.harmonics, NONE, "0", 0, 3,
                 "of the spherical harmonics by which a cell's colour depends on the ray's direction; 0: one "
                 "colour; above it a file needs color_sh_*, a generated scene gets a gloss",
                 GEOMETRY, .from = {"scenes.md 1", '-'}),
    FS_PARAM_ENUM("harmonics.store", P, kernels.store, "f16", fs_march_store_names,
                  "how tiles store each coefficient; u8: in steps from an offset, of each shard its own",
                  GEOMETRY, .from = {"RF section 4.1", 'A'}, .only = "workload.harmonics.degree=1|2|3"),

    FS_BOOL(
        upload, "false",
        "the run begins with the upload of the shards to the tiles; false: they are on the tiles before it",
        PRICE, .from = {"ipu.md 7, RFC (its clock starts before the scene is written)", '-'}),

    FS_PARAM_INTS("replicas.shards", P, replicas, NONE, "none", 0, 65533,
                  "shards that several tracers own; a ray takes one of them by its pixel", TRAFFIC),
    FS_PARAM_INT("replicas.copies", P, owners, NONE, "2", 1, 64, "tracers that own each of replicas.shards",
                 TRAFFIC),
    FS_PARAM_INT(
        "replicas.camera", P, camera_owners, NONE, "1", 1, 64,
        "tracers that own the camera's shard; where replicas.shards names it too, the larger number holds",
        TRAFFIC),
    FS_BOOL(infinite_buffers, "false",
            "what if lanes held as many rays as come; SRAM and a static exchange keep the real sizes",
            TRAFFIC),
    FS_ROLE_CODE_ROWS(P, kernels.code),
    FS_ENUM(kernels.router, "kernel", routers,
            "what if hardware forwarded the rays of a router, without workers, launch or fixed cost", PRICE),
    FS_INT(kernels.router_cycles, CYCLES, "1 cycles", 0, 1000000,
           "of hardware for a ray, one ray after another; 0: routers are free", PRICE),
    FS_ENUM(kernels.version, "counted", versions,
            "counted: the hand count of the facts sheet; else the public program of that day as its compiler "
            "leaves it: without depth, or with its code in each cell",
            PRICE, .from = {"ipu.md 8, compiler.md 2, radiant_foam_program.md 2", '-'}),
    FS_ENUM(kernels.compiled, "best", compiled,
            "which count of a dated program: the best one, or the lower or upper bound of every event", PRICE,
            .from = {"compiler.md 2", 'I'}),
    FS_BOOL(
        kernels.float_pairs, "true",
        "a dated program loads and computes neighbouring floats in pairs, and harmonics of f32 in pairs, of "
        "f16 in fours; false: one by one",
        PRICE, .from = {"compiler.md 2, compiler.md 4, LLI", 'I'}),
    FS_ENUM(kernels.generator_copies, "words", copies,
            "how the generator copies a ray; bytes: one by one, as counted each copy (those of the ring "
            "twice), of a dated program the library's, of rays of the ring and returned ones",
            PRICE, .from = {"radiant_foam_program.md 3, compiler.md 2", 'A'}),
    FS_BOOL(kernels.router_statistics, "true", "the serial statistics pass of a router and its sums", PRICE,
            .from = {"ipu.md 8.2", '-'}),
    FS_INT(kernels.generator_workers, NONE, "1", 1, FS_MAX_WORKERS,
           "what if so many workers shared the rays of the generator", PRICE, .from = {"ipu.md 8.3", '-'}),
    FS_BOOL(kernels.fixed_cost, "true",
            "the cost of a call beside its rays: launch, prologues, totals, offsets, sums, barriers", PRICE,
            .from = {"ipu.md 8", '-'}),

    FS_REAL(march.threshold, NONE, "0.01", 0, 1, "transmittance under which a ray ends", GEOMETRY,
            .from = {"ipu.md 7, RFC", 'R'}),
    FS_BOOL(march.hull_opaque, "false",
            "the unbounded cells at the hull absorb a ray entirely instead of adding nothing", GEOMETRY,
            .from = {"scenes.md 1, radiant_foam_program.md 3", '-'}),
    FS_INT(march.step_limit, NONE, "1000000", 1e6, 1e9,
           "cells of one visit beyond which a ray is taken to go round in a circle, a defect: at least as "
           "many as the longest way through a scene",
           NOTHING),

    FS_PARAM_INT("camera_change.iteration", P, change.iteration, NONE, "-1", -1, 65534,
                 "a second camera comes at the first host visit after it; -1: never", GEOMETRY,
                 .from = {"RF section 5.6", '-'}),
    FS_PARAM_ENUM("camera_change.policy", P, change.policy, "immediate", policies,
                  "at once, after a drain, or with the pose in the payload", GEOMETRY,
                  .from = {"RF section 5.6", '-'}),
    FS_PARAM_VEC3("camera_change.position", P, change.position, NONE, "none", -1e30, 1e30,
                  "where the second camera is", GEOMETRY),
    FS_PARAM_VEC3("camera_change.look_at", P, change.look_at, NONE, "none", -1e30, 1e30,
                  "a point on its axis", GEOMETRY),
    FS_PARAM_INT("camera_change.pose_bytes", P, pose_bytes, BYTES, "28 B", 4, 256,
                 "bytes that pose_in_payload adds to each ray: f32 position and rotation quaternion", TRAFFIC,
                 .from = {"RF section 5.6", 'A'}),
};

const fs_param_table fs_foam_table =
    FS_PARAM_TABLE("workload/foam", "the Radiant Foam renderer", rows, sizeof(fs_foam_params));

#define R fs_foam_run_params
static const fs_param run_rows[] = {
    FS_RUN_SEED,
    FS_RUN_DETAIL,
    FS_PARAM_INT("frames", R, frames, NONE, "1", 1, 10000, "frames that the run counts", TRAFFIC),
    FS_PARAM_BOOL("stream", R, stream, "false",
                  "keep wrapping to the next frame without clearing the framebuffer", TRAFFIC,
                  .from = {"ipu.md 7", '-'}),
    FS_PARAM_REAL("coverage", R, coverage, NONE, "1.0", 1e-9, 1,
                  "part of the pixels that must be written for a frame to be done", TRAFFIC,
                  .from = {"ipu.md 7", '-'}),
    FS_RUN_PATH(R, path),
    FS_RUN_MAX_ITERATIONS,
    FS_RUN_STATISTICS,
    FS_RUN_OUTPUTS,
};
const fs_param_table fs_foam_run_table =
    FS_PARAM_TABLE("run", "what is run, and for how long", run_rows, sizeof(R));
