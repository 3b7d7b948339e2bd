/* A plain renderer of 3D Gaussians: all of them in one list by depth, each on every pixel that it reaches, in double precision. No
 * tiles, no lanes, no limit of a square; its own projection. */
#pragma once

#include "workloads/scene/gaussians/gaussians.h"

#include <stdint.h>

typedef struct plain_camera {
    double eye[3], right[3], down[3], forward[3]; /* of the frame of the Gaussians' means */
    double half_angle;                            /* radians, vertical */
    uint32_t width, height;
} plain_camera;

/* From a place towards a point, z up. */
plain_camera plain_camera_at(const double eye[3], const double at[3], double half_angle, uint32_t width,
                             uint32_t height);
/* rgb: [height][width][3]. */
void plain_gaussians(const fs_splats *scene, const plain_camera *camera, uint8_t *rgb);
