/* Points on their way from a file to sites, and the empty sites that go with them. Private to
 * workloads/scene/clouds. */
#pragma once

#include "sim/base/error.h"
#include "workloads/scene/sites/sites.h"

/* A list of points: `density` is an opacity of 0 ... 1, with the rule "gaussian" a density; `normal`, [count][3],
 * the direction of the thinnest extent, unit, 0 0 0 where it is not known. Count 0, arrays of `room`. */
fs_sites fs_cloud_create(uint32_t room);

/* Flags with 0 the points whose nearest neighbours are more than `times` as far as those of the neighbours
 * themselves (median), the others with 1; returns how many. Structure from motion leaves such points in mid
 * air, and their cells would hide everything behind them. */
uint32_t fs_cloud_flag_isolated(const fs_sites *cloud, double times, uint8_t *flag);

/* Makes each point `per_point` points: itself, and others on the ways to its nearest neighbours, a quarter of
 * their distance off the line at most, coloured between the two. The cloud's memory is replaced. */
void fs_cloud_densify(fs_sites *cloud, uint32_t per_point, uint64_t seed);

/* Adds empty sites to `sites`, which holds the cloud's points and has room for eight times as many
 * (scenes.md 3, step 5): beside each point, where there is room, and a sparse scatter, `scatter` percent
 * of the points. */
void fs_cloud_add_empty(const fs_sites *cloud, double scatter, uint64_t seed, fs_sites *sites);

/* Closes the far background: `count` sites of the highest opacity, grey as an overcast sky, evenly at random
 * on the ellipsoid through the corners of the box of nearly all points, and as many empty ones behind them,
 * so that the cells of the first have an end. `sites` has room for them. */
void fs_cloud_add_background(const fs_sites *cloud, uint32_t count, uint64_t seed, fs_sites *sites);

/* ---- frames (transform.c) ---- */

/* A similarity m (rows [s R, t], R a rotation, s > 0, and 0 0 0 1): FS_INPUT for anything else, which would
 * bend cells. */
fs_status fs_transform_check(const double m[16], fs_error *err);
/* Moves all sites by m; extinctions, which are per scene unit, shrink by its scale, opacities stay. */
void fs_sites_transform(fs_sites *sites, const double m[16]);
