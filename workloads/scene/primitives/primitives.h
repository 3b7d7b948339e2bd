/* Scenes of primitives: spheres, planes and discs, each with a material; scene.kind: primitives. A scene is
 * built in or a YAML file:
 *
 *     sky: [0.2, 0.3, 0.5]                  # light of what hits nothing; none unless it is written
 *     materials:
 *       wall: { kind: diffuse, colour: [9, 9, 9] }
 *       lamp: { kind: diffuse, colour: [0, 0, 0], emission: [8000, 8000, 8000] }
 *       pane: { kind: glass, index: 1.5 }
 *     objects:                              # tested in this order
 *       - sphere: { centre: [0, 0, -3], radius: 1, material: pane }
 *       - plane: { normal: [0, 1, 0], offset: 2.5, material: wall }     # normal . x + offset = 0
 *       - disc: { centre: [0, 2, -3], normal: [0, -1, 0], radius: 0.5, material: lamp }
 *
 * The built-in room is the one that a published path tracer holds in its code (poplar_path_tracer.md 1), caustics
 * that of a branch of its library (section 4).
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/config/param.h"
#include "workloads/optics/optics.h"

#include <stdbool.h>
#include <stdint.h>

enum { FS_PRIMITIVES_MOST = 1024, FS_SURFACES_MOST = 256 };

typedef enum fs_surface_kind { FS_SURFACE_DIFFUSE, FS_SURFACE_MIRROR, FS_SURFACE_GLASS } fs_surface_kind;

typedef struct fs_surface {
    const char *name;
    fs_surface_kind kind;
    fs_vec3f colour;   /* of diffuse ones: a hit's weight is colour x cosine x 0.1 (PTP) */
    fs_vec3f emission; /* of each channel, >= 0 */
    float index;       /* of refraction, of glass */
    bool emits;        /* some channel of `emission` is above 0 */
} fs_surface;

typedef enum fs_primitive_kind { FS_SPHERE, FS_PLANE, FS_DISC } fs_primitive_kind;

typedef struct fs_primitive {
    fs_primitive_kind kind;
    fs_vec3f centre; /* of spheres and discs */
    fs_vec3f normal; /* of planes and discs, of length one */
    float size;      /* radius > 0; of a plane its offset */
    uint32_t material;
} fs_primitive;

typedef struct fs_primitives {
    const fs_primitive *object; /* [objects] at least one, in the order of tests */
    uint32_t objects;
    const fs_surface *material; /* [materials] at least one */
    uint32_t materials;
    fs_vec3f sky;
    bool has_sky; /* some channel of `sky` is above 0 */
} fs_primitives;

typedef struct fs_primitives_params {
    const char *file; /* "": the built-in one */
    int64_t builtin;
} fs_primitives_params;

extern const fs_param_table fs_primitives_table; /* "scene/primitives" */

/* The scene of a section; memory from the arena. FS_INPUT with all that is wrong, each with its place; FS_IO. */
fs_status fs_primitives_load(const fs_primitives_params *params, fs_arena *arena, fs_primitives *out,
                             fs_error *err);

/* Private to the scenes of primitives. */

/* A scene file. As fs_primitives_load. */
fs_status fs_primitives_read(const char *file, fs_arena *arena, fs_primitives *out, fs_error *err);
