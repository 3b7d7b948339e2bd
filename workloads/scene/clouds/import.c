/* Gaussians and point clouds to sites (scenes.md 3). */
#include "workloads/scene/clouds/import.h"

#include "sim/base/alloc.h"
#include "sim/base/detmath.h"
#include "sim/base/quantile.h"
#include "sim/host/voice.h"
#include "workloads/scene/clouds/cloud.h"
#include "workloads/scene/files/gaussian_ply.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const fs_import_formats[] = {"auto", "foam", "gaussians", "points", NULL};
const char *const fs_import_densities[] = {"cell", "gaussian", NULL};

static const double bell = 2.5066282746310002; /* sqrt(2 pi): the area under a Gaussian of deviation 1 */
static const double alone = 1.7; /* times the distance of its neighbours from theirs: a point in mid air */
enum { GREY = 160 };             /* of points without colour */
enum { DENSITY_CELL, DENSITY_GAUSSIAN };

/* ---- clouds ---- */

fs_sites fs_cloud_create(uint32_t room) {
    fs_sites cloud = fs_sites_create(room);
    cloud.normal = fs_calloc((size_t)room * 3, sizeof *cloud.normal);
    return cloud;
}

/* ---- reading ---- */

static fs_status sniff(const fs_ply *ply, int64_t *format, fs_error *err) {
    const fs_ply_element *v = fs_ply_element_named(ply, "vertex");
    if (v == NULL)
        return fs_fail(err, FS_INPUT, "%s: the header has no element `vertex`", ply->path);
    if (fs_ply_element_named(ply, "adjacency") != NULL ||
        fs_ply_property_named(v, "adjacency_offset") != NULL)
        *format = FS_IMPORT_FOAM;
    else if (fs_ply_property_named(v, "f_dc_0") != NULL && fs_ply_property_named(v, "opacity") != NULL)
        *format = FS_IMPORT_GAUSSIANS;
    else if (fs_ply_property_named(v, "x") != NULL)
        *format = FS_IMPORT_POINTS;
    else
        return fs_fail(
            err, FS_INPUT,
            "%s: neither a foam (element adjacency), nor Gaussians (f_dc_0, opacity), nor points (x y z)",
            ply->path);
    return FS_OK;
}

fs_status fs_scene_sniff(const char *path, int64_t *format, fs_error *err) {
    fs_ply ply;
    if (fs_ply_open(path, &ply, err))
        return err->status;
    sniff(&ply, format, err);
    fs_ply_close(&ply);
    return err->status;
}

typedef struct gaussians { /* as in the file */
    float *colour[3], *opacity, *scale[3], *rotation[4];
} gaussians;

/* The unit vector of the smallest axis: a column of the rotation matrix of the quaternion (w, x, y, z). */
static fs_v3 smallest_axis(const gaussians *g, uint32_t i, double length) {
    double w = (double)g->rotation[0][i] / length, x = (double)g->rotation[1][i] / length,
           y = (double)g->rotation[2][i] / length, z = (double)g->rotation[3][i] / length;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (g->scale[k][i] < g->scale[least][i])
            least = k;
    const fs_v3 column[3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                             {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                             {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    return column[least];
}

static fs_status convert_gaussian(const fs_ply *ply, const gaussians *g, uint32_t i, bool own_density,
                                  fs_sites *cloud, fs_error *err) {
    double square = 0;
    for (int k = 0; k < 4; k++)
        square += (double)g->rotation[k][i] * (double)g->rotation[k][i];
    if (fs_ply_check_rotation(ply, i, square, err))
        return err->status;
    fs_v3 n = smallest_axis(g, i, sqrt(square));
    const float normal[3] = {(float)n.x, (float)n.y, (float)n.z};
    memcpy(cloud->normal + (size_t)i * 3, normal, sizeof normal);
    for (int k = 0; k < 3; k++) { /* degree-0 spherical harmonic to colour (scenes.md 3) */
        double c = 0.5 + FS_GAUSSIAN_BAND_0 * (double)g->colour[k][i];
        c = c < 0 ? 0 : c > 1 ? 1 : c;
        cloud->rgb[(size_t)i * 3 + (size_t)k] = (uint8_t)(255 * c);
    }
    const double a = fs_gaussian_opacity((double)g->opacity[i]);
    cloud->density[i] = (float)a;
    if (own_density) { /* keeps the optical depth of the Gaussian itself */
        double size = fs_exp(((double)g->scale[0][i] + (double)g->scale[1][i] + (double)g->scale[2][i]) / 3);
        cloud->density[i] = (float)(-fs_log(1 - (a < FS_OPACITY_MOST ? a : FS_OPACITY_MOST)) / (bell * size));
    }
    return FS_OK;
}

/* Flags of scenes.md 3, step 1, but the box: opacity and largest axis. */
static void flag_gaussians(const gaussians *g, const fs_sites *cloud, double min_opacity, uint8_t *flag) {
    double square = 0;
    const float *axis[3] = {cloud->x, cloud->y, cloud->z};
    for (int k = 0; k < 3; k++) {
        double side = fs_quantile(axis[k], cloud->count, 0.95) - fs_quantile(axis[k], cloud->count, 0.05);
        square += side * side;
    }
    double largest = fs_log(sqrt(square) / 10 + 1e-300), least = min_opacity;
    for (uint32_t i = 0; i < cloud->count; i++) {
        flag[i] = fs_gaussian_opacity((double)g->opacity[i]) >= least && (double)g->scale[0][i] <= largest &&
                  (double)g->scale[1][i] <= largest && (double)g->scale[2][i] <= largest;
    }
}

static fs_status read_gaussians(fs_ply *ply, const fs_import_params *params, fs_sites *cloud, uint8_t *flag,
                                fs_error *err) {
    size_t n = cloud->count;
    float *memory = fs_malloc(n * (FS_GAUSSIAN_COLUMNS - 3) * sizeof *memory);
    float *at[FS_GAUSSIAN_COLUMNS] = {cloud->x, cloud->y, cloud->z};
    for (uint32_t c = 3; c < FS_GAUSSIAN_COLUMNS; c++)
        at[c] = memory + (c - 3) * n;
    fs_status status = fs_ply_gaussians(ply, cloud->count, at, err);
    const gaussians g = {
        {at[3], at[4], at[5]}, at[6], {at[7], at[8], at[9]}, {at[10], at[11], at[12], at[13]}};
    for (uint32_t i = 0; status == FS_OK && i < cloud->count; i++)
        status = convert_gaussian(ply, &g, i, params->density == DENSITY_GAUSSIAN, cloud, err);
    if (status == FS_OK)
        flag_gaussians(&g, cloud, params->min_opacity, flag);
    free(memory);
    return status;
}

static fs_status read_points(fs_ply *ply, const fs_import_params *params, fs_sites *cloud, uint8_t *flag,
                             fs_error *err) {
    const fs_ply_element *v = fs_ply_element_named(ply, "vertex");
    const fs_ply_column columns[] = {
        {"x", FS_PLY_F32, cloud->x, 1},          {"y", FS_PLY_F32, cloud->y, 1},
        {"z", FS_PLY_F32, cloud->z, 1},          {"red", FS_PLY_U8, cloud->rgb, 3},
        {"green", FS_PLY_U8, cloud->rgb + 1, 3}, {"blue", FS_PLY_U8, cloud->rgb + 2, 3}};
    bool coloured = fs_ply_property_named(v, "red") != NULL;
    memset(cloud->rgb, GREY, (size_t)cloud->count * 3);
    fs_status status = fs_ply_read(ply, "vertex", columns, coloured ? 6 : 3, err);
    const float *axis[3] = {cloud->x, cloud->y, cloud->z};
    for (uint32_t k = 0; status == FS_OK && k < 3; k++)
        status = fs_ply_check_finite(ply, axis[k], cloud->count, columns[k].property, err);
    for (uint32_t i = 0; i < cloud->count; i++)
        cloud->density[i] = (float)params->point_opacity;
    memset(flag, 1, cloud->count);
    return status;
}

/* ---- choosing ---- */

/* Drops what lies outside of 1.5 times the box of the 0.5 ... 99.5 % quantiles. */
static void flag_box(const fs_sites *cloud, uint8_t *flag) {
    const float *axis[3] = {cloud->x, cloud->y, cloud->z};
    for (int k = 0; k < 3; k++) {
        double lo = fs_quantile(axis[k], cloud->count, 0.005), hi = fs_quantile(axis[k], cloud->count, 0.995);
        double middle = (lo + hi) / 2, half = 0.75 * (hi - lo);
        for (uint32_t i = 0; i < cloud->count; i++)
            flag[i] = flag[i] && fabs((double)axis[k][i] - middle) <= half;
    }
}

static uint32_t merge_equal(fs_sites *cloud) {
    uint8_t *flag = fs_malloc(cloud->count);
    uint32_t merged = fs_points_flag_first(cloud->x, cloud->y, cloud->z, cloud->count, flag);
    fs_sites_keep(cloud, flag);
    free(flag);
    return merged;
}

/* Each subset of that size is equally likely; the order stays. */
static void take_subset(fs_sites *cloud, uint32_t wanted, uint64_t seed) {
    fs_rng rng = fs_rng_stream(seed, "import/subset");
    uint8_t *flag = fs_malloc(cloud->count);
    uint32_t left = wanted;
    for (uint32_t i = 0; i < cloud->count; i++) {
        flag[i] = fs_rng_below(&rng, cloud->count - i) < left;
        left -= flag[i];
    }
    fs_sites_keep(cloud, flag);
    free(flag);
}

static void to_sites(const fs_sites *cloud, const fs_import_params *params, fs_sites *out) {
    uint32_t room = params->empty_sites ? cloud->count * 7 + cloud->count / 2 + 8 : cloud->count;
    *out = fs_sites_create(room + 2 * (uint32_t)params->background);
    for (uint32_t i = 0; i < cloud->count; i++)
        fs_sites_push(out, (fs_v3){(double)cloud->x[i], (double)cloud->y[i], (double)cloud->z[i]},
                      (double)cloud->density[i], cloud->rgb + (size_t)i * 3);
    if (params->empty_sites)
        fs_cloud_add_empty(cloud, params->scatter, (uint64_t)params->seed, out);
    fs_cloud_add_background(cloud, (uint32_t)params->background, (uint64_t)params->seed, out);
}

/* Points that a foam grows from. */
static void move_points(const fs_sites *cloud, const fs_import_params *params, fs_sites *out) {
    *out = fs_sites_create(cloud->count);
    fs_sites_append(out, cloud, 0, cloud->count);
    out->density_is_opacity = true;
    if (params->transform_given)
        fs_sites_transform(out, params->transform);
}

/* Structure from motion leaves points in mid air, in twos and threes too: hence three rounds. */
static void drop_isolated(fs_sites *cloud) {
    uint8_t *flag = fs_malloc(cloud->count);
    for (int round = 0; round < 3; round++) {
        fs_cloud_flag_isolated(cloud, alone, flag);
        fs_sites_keep(cloud, flag);
    }
    free(flag);
}

static fs_status choose(const char *path, const fs_import_params *params, fs_sites *cloud, uint8_t *flag,
                        bool points, fs_sites *out, fs_error *err) {
    uint32_t read = cloud->count;
    flag_box(cloud, flag);
    fs_sites_keep(cloud, flag);
    uint32_t merged = merge_equal(cloud);
    if (points)
        drop_isolated(cloud);
    uint32_t dropped = read - merged - cloud->count;
    if (cloud->count < 8)
        return fs_fail(err, FS_INPUT,
                       "%s: %" PRIu32 " of %" PRIu32 " points are left after dropping faint, large, far and "
                       "isolated ones: a foam needs at least 8; is "
                       "import.min_opacity too high?",
                       path, cloud->count, read);
    if (params->max_sites > 0 && cloud->count > params->max_sites)
        take_subset(cloud, (uint32_t)params->max_sites, (uint64_t)params->seed);
    if (params->grow.sites > 0) {
        move_points(cloud, params, out);
        return FS_OK;
    }
    if (points && params->sites_per_point > 1) {
        if ((uint64_t)cloud->count * (uint64_t)params->sites_per_point > 50000000)
            return fs_fail(err, FS_INPUT,
                           "%s: %" PRIu32 " points with import.sites_per_point %" PRId64
                           " are more than 50,000,000 sites",
                           path, cloud->count, params->sites_per_point);
        fs_cloud_densify(cloud, (uint32_t)params->sites_per_point, (uint64_t)params->seed);
        merge_equal(cloud);
    }
    to_sites(cloud, params, out);
    out->density_is_opacity = points || params->density == DENSITY_CELL;
    if (params->transform_given)
        fs_sites_transform(out, params->transform);
    /* an empty site, or one that was rounded anew, may fall on another one: the earlier stays */
    uint8_t *first = fs_malloc(out->count);
    fs_points_flag_first(out->x, out->y, out->z, out->count, first);
    fs_sites_keep(out, first);
    free(first);
    out->merged = merged;
    fs_say("%s: %" PRIu32 " points, %" PRIu32 " faint, large, far or isolated ones dropped, %" PRIu32
           " repeated positions merged; %" PRIu32 " sites and %" PRIu32 " empty ones",
           path, read, dropped, merged, cloud->count, out->count - cloud->count);
    fs_sites_order(out, NULL);
    return FS_OK;
}

fs_status fs_scene_import(const char *path, const fs_import_params *params, fs_sites *out, fs_error *err) {
    fs_ply ply;
    *out = (fs_sites){0};
    if ((params->transform_given && fs_transform_check(params->transform, err)) ||
        fs_ply_open(path, &ply, err))
        return err->status;
    int64_t format = params->format;
    uint64_t count = 0;
    if (format == FS_IMPORT_AUTO)
        sniff(&ply, &format, err);
    if (err->status == FS_OK && format == FS_IMPORT_FOAM)
        fs_fail(err, FS_INPUT, "%s: is a foam already: it needs no import", path);
    /* with the empty sites the whole must stay countable in 32 bits */
    if (err->status == FS_OK && fs_ply_count(&ply, "vertex", 500000000, &count, err) == FS_OK && count == 0)
        fs_fail(err, FS_INPUT, "%s: the scene is empty: element vertex has no records", path);
    if (err->status == FS_OK) {
        fs_sites cloud = fs_cloud_create((uint32_t)count);
        cloud.count = (uint32_t)count;
        uint8_t *flag = fs_malloc(count);
        if ((format == FS_IMPORT_GAUSSIANS ? read_gaussians : read_points)(&ply, params, &cloud, flag, err) ==
            FS_OK)
            choose(path, params, &cloud, flag, format == FS_IMPORT_POINTS, out, err);
        free(flag);
        fs_sites_free(&cloud);
    }
    fs_ply_close(&ply);
    return err->status;
}
