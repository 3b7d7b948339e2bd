#include "workloads/scene/gaussians/gaussians.h"

#include "sim/base/alloc.h"
#include "sim/config/config.h"
#include "workloads/scene/files/captured.h"
#include "workloads/scene/files/gaussian_ply.h"

#include <stdlib.h>

#define FS_ROWS_OF fs_splats_params
static const char *const builtins[] = {"room", NULL};

static const fs_param rows[] = {
    FS_PATH(file, "", "PLY file of 3D Gaussians, in place of a built-in scene", GEOMETRY),
    FS_ENUM(builtin, "room", builtins, "a scene that needs no file; room: walls, a table and balls, z up",
            GEOMETRY),
    FS_INT(count, NONE, "24000", 1, FS_SPLATS_MOST, "Gaussians of a built-in scene", GEOMETRY),
    FS_INT(seed, NONE, "1", 0, 9007199254740991.0, "of a built-in scene", GEOMETRY),
};
static void check(const void *params, fs_check *check) {
    fs_check_file(check, "scene.file", ((const fs_splats_params *)params)->file, FS_SCENE_CAPTURED);
}
const fs_param_table fs_splats_table = FS_PARAM_TABLE("scene/gaussians", "3D Gaussians, as they are drawn",
                                                      rows, sizeof(fs_splats_params), .check = check);

static fs_status convert(const fs_ply *ply, float *const at[FS_GAUSSIAN_COLUMNS], fs_splats *out,
                         fs_error *err) {
    for (uint32_t i = 0; i < out->count; i++) {
        fs_splat *g = &out->item[i];
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const float colour = 0.5f + (float)FS_GAUSSIAN_BAND_0 * at[FS_GAUSSIAN_COLOUR + k][i];
            g->mean[k] = at[FS_GAUSSIAN_MEAN + k][i];
            g->colour[k] = colour > 0.0f ? colour : 0.0f;
            g->scale[k] = at[FS_GAUSSIAN_SCALE + k][i];
        }
        for (int k = 0; k < 4; k++) {
            g->rotation[k] = at[FS_GAUSSIAN_ROTATION + k][i];
            square += (double)g->rotation[k] * (double)g->rotation[k];
        }
        g->opacity = (float)fs_gaussian_opacity((double)at[FS_GAUSSIAN_OPACITY][i]);
        if (fs_ply_check_rotation(ply, i, square, err))
            return err->status;
    }
    return FS_OK;
}

static fs_status read_file(const char *path, fs_splats *out, fs_error *err) {
    fs_ply ply;
    uint64_t count = 0;
    if (fs_ply_open(path, &ply, err))
        return err->status;
    float *memory = NULL, *at[FS_GAUSSIAN_COLUMNS];
    fs_status status = fs_ply_count(&ply, "vertex", FS_SPLATS_MOST, &count, err);
    if (status == FS_OK && count == 0)
        status = fs_fail(err, FS_INPUT, "%s: expected at least one Gaussian, found no vertex", path);
    if (status == FS_OK) {
        memory = fs_malloc(count * FS_GAUSSIAN_COLUMNS * sizeof *memory);
        for (uint32_t c = 0; c < FS_GAUSSIAN_COLUMNS; c++)
            at[c] = memory + c * count;
        out->count = (uint32_t)count;
        out->item = fs_malloc(count * sizeof *out->item);
        status = fs_ply_gaussians(&ply, out->count, at, err);
    }
    if (status == FS_OK)
        status = convert(&ply, at, out, err);
    free(memory);
    fs_ply_close(&ply);
    return status;
}

/* Takes the middle of the means' box away. */
static void centre(fs_splats *g) {
    for (int k = 0; k < 3; k++) {
        float least = g->item[0].mean[k], most = least;
        for (uint32_t i = 1; i < g->count; i++) {
            const float v = g->item[i].mean[k];
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        g->middle[k] = (least + most) / 2.0f;
        g->half[k] = (most - least) / 2.0f;
        for (uint32_t i = 0; i < g->count; i++)
            g->item[i].mean[k] -= g->middle[k];
    }
}

fs_status fs_splats_load(const fs_splats_params *params, fs_splats *out, fs_error *err) {
    *out = (fs_splats){0};
    if (params->file[0] != '\0' && read_file(params->file, out, err)) {
        fs_splats_free(out);
        return err->status;
    }
    if (params->file[0] == '\0') {
        out->count = (uint32_t)params->count;
        out->item = fs_malloc(out->count * sizeof *out->item);
        fs_splats_room(out->item, out->count, (uint64_t)params->seed);
    }
    centre(out);
    return FS_OK;
}

void fs_splats_free(fs_splats *g) {
    free(g->item);
    *g = (fs_splats){0};
}
