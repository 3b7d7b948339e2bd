/* Paths of the published program (poplar_path_tracer.md 1), point by point.
 *
 * Noise    two numbers of a bell curve (the sum of four bytes, deviation 1, at most 3.46) shift a point in
 * its pixel by `noise` pixels each; the curve's cut is an assumption. Ray      from the origin along (x, y,
 * -1), 45 degrees to half the width, of length one; as f16 where `half_rays`. Path     while it lives: from
 * `roulette_depth` bounces on a number below `stop` ends it, and what lives on weighs 1 / (1 - stop); all
 * objects are tested in their order, the nearest hit beyond FS_PAINT_NEAR counts; a miss adds the sky and
 * ends it. A light adds an entry and the path goes on. Then the material adds one: diffuse, a direction
 * uniform over the hemisphere of weight cosine x 0.1 (two numbers); mirror; glass, reflected with Schlick's
 * share (one number). A path whose entries reach `cap` ends. Light    the entries are popped from the last: a
 * light adds its emission, a diffuse hit multiplies by colour and weight, mirror and glass by weight. A path
 * that met no light is cleared. Numbers  uniform in [0, 1), of 11 bits where `half_numbers`, else of 24; path
 * p of sample s draws from the generator of (seed, p, s), its first number is the noise.
 *
 * Four paths at a time, on hosts with AVX2 eight: one text (core.h), the same bits.
 */
#pragma once

#include "sim/base/rng.h"
#include "workloads/scene/primitives/primitives.h"

#include <stdbool.h>
#include <stdint.h>

#define FS_PAINT_NEAR 1e-4f /* a hit nearer than this is the surface that the ray left */

enum { FS_PAINT_CAP = 20 }; /* most entries of a path (PTP) */

/* What a worker counts; those up to FS_PAINT_EVENTS are events of its program. */
typedef enum fs_paint_count {
    FS_PAINT_PATH,
    FS_PAINT_BOUNCE,
    FS_PAINT_ROULETTE, /* throws */
    FS_PAINT_PLANE,
    FS_PAINT_SPHERE_BEHIND,
    FS_PAINT_SPHERE_MISSED,
    FS_PAINT_SPHERE_ENTERED,
    FS_PAINT_DISC_AWAY,
    FS_PAINT_DISC_TOWARDS,
    FS_PAINT_NEARER, /* the nearest hit so far */
    FS_PAINT_DIFFUSE,
    FS_PAINT_MIRROR,
    FS_PAINT_GLASS,
    FS_PAINT_POPPED,
    FS_PAINT_EVENTS,
    FS_PAINT_PUSHED = FS_PAINT_EVENTS,
    FS_PAINT_CLEARED,
    FS_PAINT_NUMBERS, /* uniform numbers used */
    FS_PAINT_STOPPED, /* ends: by roulette, */
    FS_PAINT_ESCAPED, /* by a miss, */
    FS_PAINT_FULL,    /* by the cap */
    FS_PAINT_COUNTS
} fs_paint_count;

typedef struct fs_paint_rules {
    const fs_primitives *scene;
    uint32_t width, height; /* of the picture, pixels */
    uint32_t cap;           /* most entries, 1 ... FS_PAINT_CAP */
    uint32_t roulette_depth;
    float stop;  /* (0, 1) */
    float noise; /* pixels */
    bool half_numbers, half_rays;
    fs_rng stream; /* of the seed */
} fs_paint_rules;

/* Points of one image tile that one sample traces. */
typedef struct fs_paint_job {
    uint32_t left, top, width, height; /* pixels */
    const uint32_t *row_worker;        /* [height] whose row it is */
    uint64_t sample;
    uint32_t *counts; /* [workers][FS_PAINT_COUNTS] are added to */
    float *light;     /* [height][width][3] of this sample, written */
} fs_paint_job;

/* All paths of a job: four at a time; eight, on hosts with AVX2 alone; as the host can. Pure but for `counts`
 * and `light`; any thread. */
void fs_paint_plain(const fs_paint_rules *rules, const fs_paint_job *job);
void fs_paint_avx2(const fs_paint_rules *rules, const fs_paint_job *job);
void fs_paint(const fs_paint_rules *rules, const fs_paint_job *job);
