#include "workloads/scene/files/gaussian_ply.h"

#include "sim/base/detmath.h"

#include <math.h>
#include <string.h>

static const char *const names[FS_GAUSSIAN_COLUMNS] = {"x",      "y",       "z",       "f_dc_0",  "f_dc_1",
                                                       "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2",
                                                       "rot_0",  "rot_1",   "rot_2",   "rot_3"};

fs_status fs_ply_check_finite(const fs_ply *ply, const float *values, uint32_t count, const char *name,
                              fs_error *err) {
    const bool logit = strcmp(name, "opacity") == 0;
    char where[128];
    for (uint32_t i = 0; i < count; i++)
        if (logit ? isnan(values[i]) : !isfinite(values[i]))
            return fs_fail(err, FS_INPUT, "%s: %s: %s is not finite: %g", ply->path,
                           fs_ply_where(ply, "vertex", i, where, sizeof where), name, (double)values[i]);
    return FS_OK;
}

fs_status fs_ply_check_rotation(const fs_ply *ply, uint32_t i, double square, fs_error *err) {
    char where[128];
    return square >= 1e-24 ? FS_OK
                           : fs_fail(err, FS_INPUT, "%s: %s: the rotation is zero", ply->path,
                                     fs_ply_where(ply, "vertex", i, where, sizeof where));
}

fs_status fs_ply_gaussians(fs_ply *ply, uint32_t count, float *const at[FS_GAUSSIAN_COLUMNS], fs_error *err) {
    fs_ply_column columns[FS_GAUSSIAN_COLUMNS];
    for (uint32_t c = 0; c < FS_GAUSSIAN_COLUMNS; c++)
        columns[c] = (fs_ply_column){names[c], FS_PLY_F32, at[c], 1};
    fs_status status = fs_ply_read(ply, "vertex", columns, FS_GAUSSIAN_COLUMNS, err);
    for (uint32_t c = 0; status == FS_OK && c < FS_GAUSSIAN_COLUMNS; c++)
        status = fs_ply_check_finite(ply, at[c], count, names[c], err);
    return status;
}

double fs_gaussian_opacity(double logit) {
    return 1 / (1 + fs_exp(logit > 500 ? -500 : logit < -500 ? 500 : -logit));
}
