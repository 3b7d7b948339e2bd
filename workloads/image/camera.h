/* Pinhole cameras (scenes.md 1). Pixel (i, j): i to the right, j down, centres at +1/2. */
#pragma once

#include "sim/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fs_camera_params {
    int64_t width, height; /* pixels */
    double position[3], look_at[3], up[3];
    bool position_given, look_at_given, up_given;
    double fov_y;                                                      /* degrees */
    double intrinsics_fx, intrinsics_fy, intrinsics_cx, intrinsics_cy; /* pixels; 0: not given */
    double world_to_camera[16];                                        /* rows; x right, y down, z forward */
    bool world_to_camera_given;
} fs_camera_params;

/* direction(i, j) = norm(forward + (i + 1/2) * step_x ... ) worked out in float as
 *   u = (i + 0.5f) * scale_x + offset_x;  v = (j + 0.5f) * scale_y + offset_y
 *   d = forward + u * right + v * down;   direction = d / sqrtf(d . d)
 * the same for reference and tiles. */
typedef struct fs_camera {
    uint32_t width, height;
    float origin[3];
    float forward[3], right[3], down[3];
    float scale_x, offset_x, scale_y, offset_y;
} fs_camera;

/* Checks and converts. Either position and look_at (up: +z when not given) with fov_y, or world_to_camera
 * with intrinsics (fy: as fx, cx and cy: the middle, where not given) or fov_y. FS_INPUT (with `where` in
 * front) for look_at equal to position, up parallel to the view, a matrix that is no rotation with
 * translation, numbers that are not finite or out of range, both or neither description given. */
fs_status fs_camera_make(const fs_camera_params *params, const char *where, fs_camera *out, fs_error *err);

static inline void fs_camera_direction(const fs_camera *c, uint32_t i, uint32_t j, float d[3]) {
    float u = ((float)i + 0.5f) * c->scale_x + c->offset_x;
    float v = ((float)j + 0.5f) * c->scale_y + c->offset_y;
    float x = c->forward[0] + u * c->right[0] + v * c->down[0];
    float y = c->forward[1] + u * c->right[1] + v * c->down[1];
    float z = c->forward[2] + u * c->right[2] + v * c->down[2];
    float length = __builtin_sqrtf(x * x + y * y + z * z);
    d[0] = x / length;
    d[1] = y / length;
    d[2] = z / length;
}
