/* The workload section of a path tracer on Poplar. */
#pragma once

#include "models/ipu/machine.h"
#include "models/tile/tile.h"
#include "sim/base/alloc.h"
#include "sim/config/param.h"
#include "workloads/smallpaint/walk/paths.h"

#include <stdint.h>

/* The picture on the tiles: rectangles of points, one for each tile, in the order of rows; chip by chip where
 * there are several. A tile's rows are split over its workers as evenly as can be, the first workers taking
 * one more (PTP). Rectangles that do not divide the picture are cut at its right and lower edge. */
typedef struct fs_image_tiles {
    uint32_t width, height;           /* of the picture, points */
    uint32_t tile_width, tile_height; /* of a whole rectangle, within the picture */
    uint32_t columns, rows, count;    /* of rectangles */
    uint32_t of_chip; /* tiles of a chip: rectangle i is on chip i / of_chip, tile i % of_chip */
} fs_image_tiles;

typedef struct fs_image_tile {
    uint32_t left, top, width, height;
} fs_image_tile;

/* A rectangle larger than the picture is cut to it. */
fs_image_tiles fs_paint_tiles_make(uint32_t width, uint32_t height, uint32_t tile_width, uint32_t tile_height,
                                   uint32_t of_chip);
fs_image_tile fs_paint_tile_of(const fs_image_tiles *tiles, uint32_t i);
/* Whose row it is, of `height` rows split over `workers`. */
uint32_t fs_paint_row_worker(uint32_t row, uint32_t height, uint32_t workers);
/* How many of `count` alike things worker w takes. */
static inline uint32_t fs_paint_tile_share(uint32_t count, uint32_t w, uint32_t workers) {
    return count / workers + (w < count % workers);
}

/* The four programs of a sample, with what their events cost: noise, rays, random numbers, paths. */
enum { FS_PAINT_NOISE, FS_PAINT_RAYS, FS_PAINT_UNIFORM, FS_PAINT_TRACE, FS_PAINT_PROGRAMS };

/* Events of the programs before the last; those of paths are fs_paint_count. */
enum { FS_NOISE_FOUR, FS_UNIFORM_FOUR = 0, FS_RAYS_RAY = 0, FS_RAYS_ROW, FS_RAYS_CALL };

typedef struct fs_paint_kernel_params {
    int64_t sine;        /* FS_SINE_* */
    int64_t ray_workers; /* of rays: FS_RAYS_* */
} fs_paint_kernel_params;
enum { FS_SINE_LIBRARY, FS_SINE_DOUBLE };
enum { FS_RAYS_BY_ONE, FS_RAYS_BY_ALL };

/* [FS_PAINT_PROGRAMS] in the order of a sample; memory from the arena. */
const fs_program *const *fs_paint_programs(const fs_paint_kernel_params *params, fs_arena *arena);

enum { FS_NUMBER_F16, FS_NUMBER_F32 };
enum { FS_PAINT_LEAST_DRAWN = 4 }; /* fewer samples say too little of the slowest tile */

typedef struct fs_smallpaint_params {
    int64_t width, height;           /* of the picture, points */
    int64_t tile_width, tile_height; /* of a tile's rectangle */
    int64_t samples;                 /* of each point */
    int64_t samples_per_step;        /* between two visits of the host */
    int64_t roulette_depth;
    double stop; /* probability */
    int64_t cap;
    int64_t numbers;                            /* made in advance for a point and sample */
    int64_t number_type, ray_type, framebuffer; /* FS_NUMBER_* */
    double noise;                               /* pixels */
    int64_t drawn, drawn_tiles;                 /* 0: all */
    fs_paint_kernel_params kernels;
} fs_smallpaint_params;

extern const fs_param_table fs_smallpaint_table; /* "workload/smallpaint" */

/* The rules between the values of an experiment (fs_section_rules.check). */
struct fs_config;
void fs_smallpaint_check(const struct fs_config *config, fs_check *check);

/* What follows from the values. */
static inline uint64_t fs_paint_step_samples(const fs_smallpaint_params *p) {
    return (uint64_t)(p->samples < p->samples_per_step ? p->samples : p->samples_per_step);
}
static inline uint64_t fs_paint_drawn(const fs_smallpaint_params *p) {
    return (uint64_t)(p->drawn == 0 ? p->samples : p->drawn);
}
fs_image_tiles fs_paint_tiles(const fs_smallpaint_params *p, const fs_machine_params *machine);
static inline uint64_t fs_paint_number_bytes(int64_t type) {
    return type == FS_NUMBER_F16 ? 2 : 4;
}
