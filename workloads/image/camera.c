/* Cameras from a view, or from a matrix and a field of view. */
#include "workloads/image/camera.h"

#include "sim/base/detmath.h"

#include <float.h>

enum { SIDE_MAX = 65535 }; /* a ray's record holds its pixel in 16 bits (ipu.md 7) */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* False when the length is 0 or not finite. */
static bool normalise(double v[3]) {
    double length = __builtin_sqrt(dot(v, v));
    if (!(length > 0.0) || length > 1e300)
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

static bool all_finite(const double *v, int count) {
    for (int i = 0; i < count; i++)
        if (!(v[i] - v[i] == 0.0))
            return false;
    return true;
}

static void set_axes(const double origin[3], const double forward[3], const double right[3],
                     const double down[3], fs_camera *out) {
    for (int k = 0; k < 3; k++) {
        out->origin[k] = (float)origin[k];
        out->forward[k] = (float)forward[k];
        out->right[k] = (float)right[k];
        out->down[k] = (float)down[k];
    }
}

static fs_status from_look_at(const fs_camera_params *p, const char *where, fs_camera *out, fs_error *err) {
    static const double z_up[3] = {0.0, 0.0, 1.0};
    const double *up = p->up_given ? p->up : z_up;
    if (!p->position_given || !p->look_at_given)
        return fs_fail(err, FS_INPUT, "%s: %s is missing beside %s", where,
                       p->position_given ? "look_at" : "position",
                       p->position_given ? "position" : "look_at");
    if (!all_finite(p->position, 3) || !all_finite(p->look_at, 3) || !all_finite(up, 3))
        return fs_fail(err, FS_INPUT, "%s: position, look_at and up must be finite", where);
    double forward[3], right[3], down[3], unit_up[3] = {up[0], up[1], up[2]};
    for (int k = 0; k < 3; k++)
        forward[k] = p->look_at[k] - p->position[k];
    if (!normalise(forward))
        return fs_fail(err, FS_INPUT, "%s: look_at equals position (%g, %g, %g)", where, p->position[0],
                       p->position[1], p->position[2]);
    if (!normalise(unit_up))
        return fs_fail(err, FS_INPUT, "%s: up is (%g, %g, %g), expected a direction", where, up[0], up[1],
                       up[2]);
    cross(forward, unit_up, right);
    if (dot(right, right) < 1e-12 || !normalise(right))
        return fs_fail(err, FS_INPUT, "%s: up is parallel to the view from position to look_at", where);
    cross(forward, right, down); /* = -(right x forward) */
    set_axes(p->position, forward, right, down, out);
    return FS_OK;
}

/* Rows of a rotation, within what a file with six decimals can say. */
static bool is_rotation(const double m[16]) {
    const double *row[3] = {m, m + 4, m + 8};
    double third[3], turned = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double error = dot(row[i], row[j]) - (i == j ? 1.0 : 0.0);
            if (error > 1e-4 || error < -1e-4)
                return false;
        }
    cross(row[0], row[1], third);
    turned = dot(third, row[2]);
    return turned > 0.0 && m[12] == 0.0 && m[13] == 0.0 && m[14] == 0.0 && m[15] == 1.0;
}

static fs_status from_matrix(const fs_camera_params *p, const char *where, fs_camera *out, fs_error *err) {
    const double *m = p->world_to_camera;
    if (!all_finite(m, 16) || !is_rotation(m))
        return fs_fail(
            err, FS_INPUT,
            "%s: world_to_camera is no rotation with translation (expected orthonormal, right-handed "
            "rows [R t] and a last row 0 0 0 1)",
            where);
    double origin[3];
    for (int k = 0; k < 3; k++) /* -R' t */
        origin[k] = -(m[k] * m[3] + m[4 + k] * m[7] + m[8 + k] * m[11]);
    set_axes(origin, m + 8, m, m + 4, out);
    return FS_OK;
}

static fs_status set_field_of_view(const fs_camera_params *p, const char *where, fs_camera *out,
                                   fs_error *err) {
    if (!(p->fov_y > 0.0) || !(p->fov_y < 180.0))
        return fs_fail(err, FS_INPUT, "%s: fov_y is %g degrees, expected more than 0 and less than 180",
                       where, p->fov_y);
    double tangent = fs_tan(0.5 * p->fov_y * FS_DEGREE), w = (double)p->width, h = (double)p->height;
    out->scale_x = out->scale_y = (float)(2.0 * tangent / h);
    out->offset_x = (float)(-tangent * (w / h));
    out->offset_y = (float)-tangent;
    return FS_OK;
}

static fs_status set_intrinsics(const fs_camera_params *p, const char *where, fs_camera *out, fs_error *err) {
    double all[4] = {p->intrinsics_fx, p->intrinsics_fy, p->intrinsics_cx, p->intrinsics_cy};
    if (!all_finite(all, 4) || !(all[0] > 0.0) || all[1] < 0.0)
        return fs_fail(err, FS_INPUT, "%s: focal lengths are %g and %g pixels, expected positive numbers",
                       where, all[0], all[1]);
    double fx = all[0], fy = all[1] > 0.0 ? all[1] : fx;
    double cx = all[2] != 0.0 ? all[2] : 0.5 * (double)p->width;
    double cy = all[3] != 0.0 ? all[3] : 0.5 * (double)p->height;
    out->scale_x = (float)(1.0 / fx);
    out->offset_x = (float)(-cx / fx);
    out->scale_y = (float)(1.0 / fy);
    out->offset_y = (float)(-cy / fy);
    return FS_OK;
}

/* What pixels and rays are reckoned with: numbers that are finite in single precision too, and steps from pixel to pixel. */
static bool is_within(const fs_camera *c) {
    const double all[] = {(double)c->origin[0], (double)c->origin[1], (double)c->origin[2],
                          (double)c->scale_x,   (double)c->scale_y,   (double)c->offset_x,
                          (double)c->offset_y};
    return all_finite(all, sizeof all / sizeof all[0]) && c->scale_x >= FLT_MIN && c->scale_y >= FLT_MIN;
}

fs_status fs_camera_make(const fs_camera_params *p, const char *where, fs_camera *out, fs_error *err) {
    bool look_at = p->position_given || p->look_at_given;
    bool intrinsics = p->intrinsics_fx != 0.0 || p->intrinsics_fy != 0.0 || p->intrinsics_cx != 0.0 ||
                      p->intrinsics_cy != 0.0;
    if (p->width < 1 || p->width > SIDE_MAX || p->height < 1 || p->height > SIDE_MAX)
        return fs_fail(err, FS_INPUT, "%s: an image of %lld x %lld pixels, expected 1 to %d a side", where,
                       (long long)p->width, (long long)p->height, SIDE_MAX);
    if (look_at && p->world_to_camera_given)
        return fs_fail(err, FS_INPUT, "%s: position and look_at, or world_to_camera, but not both", where);
    if (!look_at && !p->world_to_camera_given)
        return fs_fail(err, FS_INPUT, "%s: expected position and look_at, or world_to_camera with intrinsics",
                       where);
    if (p->up_given && p->world_to_camera_given)
        return fs_fail(err, FS_INPUT, "%s: up has no meaning beside world_to_camera", where);
    if (intrinsics && !p->world_to_camera_given)
        return fs_fail(err, FS_INPUT,
                       "%s: intrinsics need world_to_camera (position and look_at go with fov_y)", where);
    *out = (fs_camera){.width = (uint32_t)p->width, .height = (uint32_t)p->height};
    fs_status status = look_at ? from_look_at(p, where, out, err) : from_matrix(p, where, out, err);
    if (status || (intrinsics ? set_intrinsics(p, where, out, err) : set_field_of_view(p, where, out, err)))
        return err->status;
    if (!is_within(out))
        return fs_fail(err, FS_INPUT,
                       "%s: a position, focal length, middle or field of view beyond single precision",
                       where);
    return FS_OK;
}
