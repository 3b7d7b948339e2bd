/* The workload section of a path tracer on Poplar. */
#ifndef FOAMSIM_WORKLOADS_SMALLPAINT_PARAMS_H
#define FOAMSIM_WORKLOADS_SMALLPAINT_PARAMS_H

#include "models/ipu/machine.h"
#include "sim/config/param.h"
#include "workloads/smallpaint/image_tiles.h"
#include "workloads/smallpaint/programs.h"
#include "workloads/smallpaint/walk/paths.h"

#include <stdint.h>

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

#endif
