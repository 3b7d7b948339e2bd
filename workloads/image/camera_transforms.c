/* transforms.json: frames with a matrix from the camera to the world, y up and z backward. */
#include "workloads/image/camera_file.h"

#include "sim/base/detmath.h"

#include <jansson.h>
#include <string.h>

typedef struct reader {
    const char *path;
    const json_t *root, *frame;
    size_t number;
    fs_error *err;
} reader;

static fs_status wrong(const reader *r, const char *key, const char *what) {
    return fs_fail(r->err, FS_INPUT, "%s: frames[%zu].%s: %s", r->path, r->number, key, what);
}

/* A number of the frame, or of the top; false: in neither. */
static bool number_of(const reader *r, const char *key, double *out) {
    const json_t *value = json_object_get(r->frame, key);
    if (value == NULL)
        value = json_object_get(r->root, key);
    if (!json_is_number(value))
        return false;
    *out = json_number_value(value);
    return true;
}

/* Columns y and z turn round, and the rotation's inverse is its transpose. */
static fs_status read_matrix(const reader *r, double out[16]) {
    const json_t *matrix = json_object_get(r->frame, "transform_matrix");
    double m[3][4];
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++) {
            const json_t *value = json_array_get(json_array_get(matrix, i), j);
            if (!json_is_number(value))
                return wrong(r, "transform_matrix", "expected three or four rows of four numbers");
            m[i][j] = json_number_value(value) * (j == 1 || j == 2 ? -1 : 1);
        }
    memset(out, 0, 16 * sizeof *out);
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            out[4 * i + j] = m[j][i];
            out[4 * i + 3] -= m[j][i] * m[j][3];
        }
    out[15] = 1;
    return FS_OK;
}

static fs_status read_lens(const reader *r, fs_camera_params *p) {
    double width = 0, height = 0, angle = 0;
    if (!number_of(r, "w", &width) || !number_of(r, "h", &height))
        return wrong(r, "w", "expected w and h, the pixels of the picture, here or at the top");
    if (!(width >= 1 && width <= 65535 && height >= 1 && height <= 65535) || width != (double)(int)width ||
        height != (double)(int)height)
        return wrong(r, "w", "expected whole numbers of pixels from 1 to 65535 as w and h");
    p->width = (int64_t)width;
    p->height = (int64_t)height;
    if (!number_of(r, "fl_x", &p->intrinsics_fx)) {
        if (!number_of(r, "camera_angle_x", &angle) || !(angle > 0 && angle < 3.14))
            return wrong(r, "fl_x", "expected fl_x, pixels, or camera_angle_x, radians above 0 and below pi");
        p->intrinsics_fx = 0.5 * width / fs_tan(0.5 * angle);
    }
    if (!number_of(r, "fl_y", &p->intrinsics_fy))
        p->intrinsics_fy = p->intrinsics_fx;
    if (!(p->intrinsics_fx > 0 && p->intrinsics_fy > 0))
        return wrong(r, "fl_x", "expected focal lengths of more than 0 pixels as fl_x and fl_y");
    number_of(r, "cx", &p->intrinsics_cx);
    number_of(r, "cy", &p->intrinsics_cy);
    return FS_OK;
}

static bool is_distorted(const reader *r) {
    static const char *const keys[] = {"k1", "k2", "k3", "k4", "p1", "p2"};
    double value = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (number_of(r, keys[i], &value) && value != 0)
            return true;
    return false;
}

static fs_status read_frame(reader *r, fs_arena *arena, fs_named_camera *out) {
    const char *name = json_string_value(json_object_get(r->frame, "file_path"));
    const char *where = fs_arena_printf(arena, "%s: frames[%zu]", r->path, r->number);
    *out = (fs_named_camera){.name = name != NULL ? fs_arena_strdup(arena, name)
                                                  : fs_arena_printf(arena, "%zu", r->number),
                             .params.world_to_camera_given = true,
                             .distorted = is_distorted(r)};
    if (read_matrix(r, out->params.world_to_camera) || read_lens(r, &out->params))
        return r->err->status;
    return fs_cameras_check(out, where, r->err);
}

fs_status fs_cameras_transforms(const char *path, fs_arena *arena, fs_camera_list *out, fs_error *err) {
    size_t size;
    const char *bytes = fs_cameras_bytes(path, arena, &size, err);
    json_error_t why;
    if (bytes == NULL)
        return err->status;
    json_t *root = json_loadb(bytes, size, 0, &why);
    if (root == NULL)
        return fs_fail(err, FS_INPUT, "%s:%d:%d: no JSON: %s", path, why.line, why.column, why.text);
    const json_t *frames = json_object_get(root, "frames");
    out->count = json_array_size(frames);
    fs_status status = FS_OK;
    if (out->count == 0 || out->count > FS_MOST_CAMERAS)
        status = fs_fail(err, FS_INPUT, "%s: expected a list of 1 to %d frames", path, FS_MOST_CAMERAS);
    else
        out->camera = FS_NEW(arena, fs_named_camera, out->count);
    for (size_t i = 0; status == FS_OK && i < out->count; i++) {
        reader r = {.path = path, .root = root, .frame = json_array_get(frames, i), .number = i, .err = err};
        status = read_frame(&r, arena, &out->camera[i]);
    }
    json_decref(root);
    return status;
}
