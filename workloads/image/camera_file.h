/* Cameras that somebody else's program has written, turned into the convention of camera.h: world to camera,
 * x right, y down, z forward; pixel (0, 0) has its centre at (1/2, 1/2).
 *
 * COLMAP: a folder with cameras.txt and images.txt, or cameras.bin and images.bin (little endian). An image
 * has a quaternion (w, x, y, z) and a translation from the world to the camera, in the axes of camera.h.
 *
 * NeRF: a file transforms.json, whose frames have a matrix from the camera to the world with the axes of
 * OpenGL: x right, y up, z backward. Focal lengths are fl_x and fl_y, or from camera_angle_x, radians across
 * the width; each may stand in the frame instead of at the top.
 *
 * Facts and sources: docs/facts/scenes.md 5.
 */
#pragma once

#include "sim/base/alloc.h"
#include "workloads/image/camera.h"

#include <stddef.h>

enum { FS_MOST_CAMERAS = 100000 };

typedef struct fs_named_camera {
    const char *name;        /* of its picture */
    fs_camera_params params; /* world_to_camera and intrinsics */
    bool distorted;          /* its lens is no pinhole: the rest of it is left out here */
} fs_named_camera;

typedef struct fs_camera_list {
    fs_named_camera *camera; /* [count] in the order of the file */
    size_t count;
} fs_camera_list;

/* Reads a folder or a .json file; all memory from the arena. FS_INPUT, with file and line, byte or frame, for
 * what is malformed or cannot be read, a camera that does not exist, a matrix that is no rotation, numbers that are not
 * finite. */
fs_status fs_cameras_read(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err);

/* ---- private to workloads/image ---- */

fs_status fs_cameras_colmap(const char *folder, fs_arena *arena, fs_camera_list *out, fs_error *err);
fs_status fs_cameras_transforms(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err);
/* A whole file, at most 1 GB, with a 0 after it. NULL: err says why. */
char *fs_cameras_bytes(const char *path, fs_arena *arena, size_t *size, fs_error *err);
/* Whether fs_camera_make takes it; `where` in front of what it says. */
fs_status fs_cameras_check(const fs_named_camera *camera, const char *where, fs_error *err);
