/* Geometry: cameras of a run, and a scene's Gaussians in one of them (gaussians.md 2, 3 and 10). All f32, products and sums one
 * by one, as the tiles work it out. */
#pragma once

#include "sim/base/error.h"
#include "workloads/gaussians/params.h"
#include "workloads/scene/gaussians/gaussians.h"

/* A camera: x right, y down, z forward. */
typedef struct fs_gaussians_view {
    float matrix[16];  /* column by column */
    float product[16]; /* projection times it: to clip space */
    float tangent[2];  /* of the half angles, x and y */
    float focal;       /* pixels */
} fs_gaussians_view;

/* A Gaussian in a view. */
typedef struct fs_gaussians_seen {
    float x, y, z;  /* centre in pixels, whole numbers being pixel centres; clip z, which is the depth */
    float away;     /* in front of the camera: view z */
    float radius;   /* pixels, whole */
    float conic[3]; /* inverse of the covariance: xx, xy, yy */
    float colour[3], opacity;
    uint32_t aim; /* tile that it is sent to, maybe none of the picture's */
    bool guarded; /* small enough to be spread and drawn */
    bool drawn;   /* guarded, and z > 0.2 */
} fs_gaussians_seen;

/* The view of a frame of the run's path, 0 ... . FS_INPUT: a camera that looks at itself or along its up direction. */
fs_status fs_gaussians_view_of(const fs_gaussians_params *params, const fs_splats *scene, uint64_t frame,
                               fs_gaussians_view *out, fs_error *err);
/* Whether the frames of two numbers have the same view without looking. */
bool fs_gaussians_same_view(const fs_gaussians_params *params, uint64_t frame, uint64_t before);

/* seen: [scene->count]. */
void fs_gaussians_see(const fs_splats *scene, const fs_gaussians_view *view, const fs_gaussians_grid *grid,
                      fs_gaussians_seen *seen);

/* Sides of a tile, and what a Gaussian does at them: bits of 1 << side. */
enum { FS_GAUSSIANS_RIGHT, FS_GAUSSIANS_LEFT, FS_GAUSSIANS_UP, FS_GAUSSIANS_DOWN, FS_GAUSSIANS_NO_SIDE };

/* A tile's pixels, x0 ... x1 - 1 and y0 ... y1 - 1, of any tile number. */
typedef struct fs_gaussians_box {
    float x0, y0, x1, y1;
} fs_gaussians_box;
fs_gaussians_box fs_gaussians_tile(const fs_gaussians_grid *grid, uint32_t tile);
bool fs_gaussians_contains(const fs_gaussians_box *box, const fs_gaussians_seen *seen);
unsigned fs_gaussians_crosses(const fs_gaussians_box *box, const fs_gaussians_seen *seen);
/* The side towards the aimed tile, rows first; FS_GAUSSIANS_NO_SIDE: it is that tile. */
int fs_gaussians_direction(const fs_gaussians_grid *grid, const fs_gaussians_box *from, uint32_t aim);
/* Pixels between the middles of two tiles, along x and y. */
float fs_gaussians_distance(const fs_gaussians_grid *grid, const fs_gaussians_box *from, uint32_t aim);

/* Tiles of the picture, columns c[0] ... c[1] and rows r[0] ... r[1], that the square of a drawn Gaussian reaches from the tile
 * that it aims at, as the sides that it crosses say (one more than it needs where it ends in the last pixel). False: none. */
bool fs_gaussians_reach(const fs_gaussians_grid *grid, const fs_gaussians_seen *seen, int64_t c[2],
                        int64_t r[2]);

/* What moved between two views: of Gaussians in the picture in both those whose tile is another, and by how many tiles. */
typedef struct fs_gaussians_churn {
    uint64_t visible, both, moved, entered;
    double hops;      /* mean of those that moved; 0 when none did */
    uint64_t hops_95; /* that 95 % of them do not exceed */
} fs_gaussians_churn;
fs_gaussians_churn fs_gaussians_moved(const fs_gaussians_grid *grid, const fs_gaussians_seen *before,
                                      const fs_gaussians_seen *now, uint32_t count);
