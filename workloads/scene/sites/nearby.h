/* Nearest points among many: a k-d tree over positions that the caller keeps. Answers depend on the points
 * alone: equal distances are ordered by index. */
#ifndef FOAMSIM_WORKLOADS_SCENE_SITES_NEARBY_H
#define FOAMSIM_WORKLOADS_SCENE_SITES_NEARBY_H

#include <stdbool.h>
#include <stdint.h>

enum { FS_NEAREST_MAX = 16 };

typedef struct fs_nearby fs_nearby;

/* Positions [count], not copied: they must outlive the tree. Owner: the caller. */
fs_nearby *fs_nearby_create(const float *x, const float *y, const float *z, uint32_t count);
void fs_nearby_free(fs_nearby *tree);

/* The k <= FS_NEAREST_MAX points nearest to p, nearest first, without the point `except` (UINT32_MAX: none).
 * Fills index and squared distance; returns how many there are. */
uint32_t fs_nearby_nearest(const fs_nearby *tree, const double p[3], uint32_t except, uint32_t k,
                           uint32_t index[], double distance2[]);
/* Whether a point but `except` lies nearer to p than `radius`. */
bool fs_nearby_any(const fs_nearby *tree, const double p[3], uint32_t except, double radius);

#endif
