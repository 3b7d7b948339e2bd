/* Gaussians and point clouds from PLY files, as sites. */
#pragma once

#include "sim/base/error.h"
#include "workloads/scene/sites/sites.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum fs_import_format {
    FS_IMPORT_AUTO, /* what the properties of its vertices say */
    FS_IMPORT_FOAM,
    FS_IMPORT_GAUSSIANS,
    FS_IMPORT_POINTS,
} fs_import_format;

/* How a foam is grown from points as a trained one grows (workloads/scene/foam/grow.h). */
typedef struct fs_grow_params {
    int64_t sites; /* that it grows to; 0: none grows */
    double factor; /* sites after a round over those before it: 1.15 */
    double air;    /* weight of seen empty sites that touch no surface: 0.03 */
    /* Of the capture's pictures, which carve the space: a file or folder (camera_file.h) in the points' frame; "": rings. */
    const char *cameras;
    int64_t pictures; /* on each of three rings: 8 */
    double rings[3];  /* degrees above the level of the middle */
    double centre[3]; /* what they look at, scene units; else the middle of the points */
    double up[3];     /* else z */
    double distance;  /* from it, scene units; 0: the median distance of the points */
    bool rings_given, centre_given, up_given;
} fs_grow_params;

typedef struct fs_import_params {
    int64_t format;          /* fs_import_format */
    int64_t max_sites;       /* of occupied sites, a random subset; 0: all */
    int64_t sites_per_point; /* of a point cloud: a point becomes so many sites: 1 */
    double min_opacity;      /* Gaussians below are dropped: 0.1 */
    double point_opacity;    /* opacity given to points without density: 0.9 */
    int64_t density;         /* index into fs_import_densities */
    bool empty_sites;        /* add empty sites (scenes.md 3, step 5): true */
    double scatter;          /* of them in free space: tried so many for each site, percent: 50 */
    int64_t background;      /* opaque sites that close the far background: 0 */
    int64_t seed;
    fs_grow_params grow;
    double transform[16]; /* of the file's frame into the scene's, rows [s R, t] and 0 0 0 1: R a rotation, s
                             > 0 */
    bool transform_given; /* false: the file's frame is the scene's */
} fs_import_params;
extern const char *const fs_import_formats[]; /* the words of fs_import_format, and NULL */
extern const char
    *const fs_import_densities[]; /* "cell": from the opacity once the cells are known (scenes.md 3,
                                     step 4); "gaussian": from the Gaussian's own size; NULL */
/* Reads a Gaussian or point-cloud PLY and makes sites, empty ones included; of a foam that is to grow the points alone, in
 * the scene's frame. FS_INPUT as for a foam. */
/* A foam needs no import: FS_INPUT. Says on stderr what was dropped, merged and added. */
fs_status fs_scene_import(const char *path, const fs_import_params *params, fs_sites *out, fs_error *err);
/* What kind of PLY it is, by its properties: 1 foam, 2 gaussians, 3 points; FS_INPUT otherwise. */
fs_status fs_scene_sniff(const char *path, int64_t *format, fs_error *err);
