/* The columns of a PLY file of 3D Gaussians. */
#pragma once

#include "workloads/scene/files/ply.h"

/* x y z, f_dc_0 ... 2, opacity, scale_0 ... 2, rot_0 ... 3, in this order. */
enum {
    FS_GAUSSIAN_MEAN,
    FS_GAUSSIAN_COLOUR = 3,
    FS_GAUSSIAN_OPACITY = 6,
    FS_GAUSSIAN_SCALE = 7,
    FS_GAUSSIAN_ROTATION = 10,
    FS_GAUSSIAN_COLUMNS = 14
};

/* Reads them as they stand into at[column][count], all finite but opacities, which are logits. FS_INPUT with the place. */
fs_status fs_ply_gaussians(fs_ply *ply, uint32_t count, float *const at[FS_GAUSSIAN_COLUMNS], fs_error *err);

/* FS_INPUT with the place of the first value of a column that is not finite; an opacity may be infinite. */
fs_status fs_ply_check_finite(const fs_ply *ply, const float *values, uint32_t count, const char *name,
                              fs_error *err);

/* FS_INPUT: the rotation of Gaussian i has no length, as its square says. */
fs_status fs_ply_check_rotation(const fs_ply *ply, uint32_t i, double square, fs_error *err);

/* 0.5 + that times the first coefficient is a colour: 1 / (2 sqrt pi), the harmonic of degree 0. */
#define FS_GAUSSIAN_BAND_0 0.28209479177387814
/* What a logit stands for, 0 ... 1. */
double fs_gaussian_opacity(double logit);
