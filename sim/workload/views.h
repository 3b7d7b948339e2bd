/* The views section of an experiment: several cameras, one run each. A kind's parameters say where the
 * cameras are; everything else of the camera (lens, size, up) is the workload's own. */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FS_MAX_VIEWS = 1000 };
/* The chance that is stated for the interval of a drawn set's mean. It is Student's of 95 %, which holds for
 * figures that are spread normally over the views; those of real sets are not, and the difference is kept in
 * hand. */
#define FS_VIEWS_STATED 0.9

/* Of every kind: how many of its views are run. */
typedef struct fs_views_draw {
    int64_t sample; /* drawn without replacement; 0: all are */
    int64_t seed;   /* of the drawing */
} fs_views_draw;

typedef struct fs_views_list_params {
    fs_views_draw draw;              /* first in each of the three */
    fs_vec3_list positions, look_at; /* look_at: none, one for all, or one each; scene units */
    bool positions_given, look_at_given;
} fs_views_list_params;

/* Cameras on a circle about the z axis through `centre`, the first at the angle `start` from x towards y. */
typedef struct fs_views_orbit_params {
    fs_views_draw draw;
    int64_t count;
    double centre[3], look_at[3]; /* look_at: the centre when not given; scene units */
    double radius, height;        /* height: of the circle over the centre, along z */
    double start;                 /* degrees */
    bool centre_given, look_at_given;
} fs_views_orbit_params;

/* Cameras at equal distances along the line through the waypoints, both ends included. */
typedef struct fs_views_path_params {
    fs_views_draw draw;
    int64_t count;
    fs_vec3_list waypoints, look_at; /* look_at: none, one for all, or one for each waypoint */
    bool waypoints_given, look_at_given;
} fs_views_path_params;

/* views/none, views/list, views/orbit, views/path; views/none has no rows. */
extern const fs_param_table fs_views_none_table, fs_views_list_table, fs_views_orbit_table,
    fs_views_path_table;

typedef struct fs_view {
    double position[3], look_at[3]; /* scene units */
    bool look_at_given;             /* false: that of the workload's camera holds */
    uint32_t number, of;            /* its place in the set, and how many views the set has */
} fs_view;

/* The views of a loaded experiment, those that its section draws, ascending in the set, in *views [return
 * value], arena-owned; none (an experiment without views, or a registry without the section): *count 0.
 * FS_INPUT, with the place: too many or no views, as many look_at as nothing fits, waypoints that all are one
 * point, a camera that looks at itself, more views drawn than the set has. */
fs_status fs_views_make(const fs_config *config, fs_arena *arena, const fs_view **views, size_t *count,
                        fs_error *err);

/* Whether they are frames of one run instead: the section `run` has path.in_flight above 0 (run_params.h). */
bool fs_views_are_frames(const fs_config *config);
