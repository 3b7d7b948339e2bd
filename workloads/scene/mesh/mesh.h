/* A scene of triangles, spheres and discs with materials and a camera: read from a GLB, Collada, OBJ or PLY
 * file, built in, or a soup of random triangles (scene.kind mesh).
 *
 * Geometries are numbered meshes first, then spheres, then discs; primitives likewise: all triangles, mesh by
 * mesh, then spheres, then discs. Coordinates are those of the file (or of the builtin) until
 * fs_mesh_scene_to_camera.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/digest.h"
#include "sim/base/error.h"
#include "sim/config/param.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- the scene in memory ---- */

typedef enum fs_material_kind {
    FS_MATERIAL_DIFFUSE,
    FS_MATERIAL_SPECULAR,   /* a mirror */
    FS_MATERIAL_REFRACTIVE, /* glass */
} fs_material_kind;

typedef struct fs_material {
    float albedo[3];   /* 0 ... 1 */
    float emission[3]; /* >= 0 */
    float ior;         /* index of refraction; matters for refractive ones */
    fs_material_kind kind;
} fs_material;

/* What of the arrays of a scene is a mesh's. */
typedef struct fs_mesh {
    uint32_t first_vertex, vertices;
    uint32_t first_triangle, triangles;
    uint32_t material;
} fs_mesh;

typedef struct fs_sphere {
    float centre[3], radius; /* > 0 */
    uint32_t material;
} fs_sphere;

typedef struct fs_disc {
    float centre[3], normal[3], radius; /* normal of length one */
    uint32_t material;
} fs_disc;

/* Looks along `forward`; right, up and forward of length one and at right angles. */
typedef struct fs_mesh_camera {
    float position[3], forward[3], up[3];
    float fov;   /* radians, the whole angle of view of one side of the picture */
    bool across; /* that side is its width; else its height, as the public program (IRL) and GLB have it */
} fs_mesh_camera;

/* Tangent of half the angle that the height of a picture of `width` x `height` sees; its width sees width / height times it. */
double fs_mesh_camera_tangent(const fs_mesh_camera *camera, uint32_t width, uint32_t height);

typedef struct fs_mesh_scene {
    uint32_t meshes, spheres, discs, materials;
    uint32_t vertices, triangles;
    fs_mesh *mesh;           /* [meshes] */
    float (*vertex)[3];      /* [vertices] */
    float (*normal)[3];      /* [vertices] of length one; NULL: each triangle has its own */
    uint32_t (*triangle)[3]; /* [triangles] vertices, counted from the first of the scene */
    uint32_t *mesh_of;       /* [triangles] */
    fs_sphere *sphere;       /* [spheres] */
    fs_disc *disc;           /* [discs] */
    fs_material *material;   /* [materials] */
    fs_mesh_camera camera;
    bool
        faces_rays; /* diffuse surfaces scatter to the side that a ray came from; false: to that of their winding */
    uint32_t degenerate;        /* triangles without area: no ray meets them */
    float low[3], high[3];      /* bounds of all */
    char digest[FS_DIGEST_HEX]; /* of the content, as it was loaded */
} fs_mesh_scene;

static inline uint32_t fs_mesh_geometries(const fs_mesh_scene *scene) {
    return scene->meshes + scene->spheres + scene->discs;
}
static inline uint32_t fs_mesh_primitives(const fs_mesh_scene *scene) {
    return scene->triangles + scene->spheres + scene->discs;
}
/* Of a primitive, 0 ... fs_mesh_primitives - 1. */
uint32_t fs_mesh_geometry_of(const fs_mesh_scene *scene, uint32_t primitive);
uint32_t fs_mesh_material_of(const fs_mesh_scene *scene, uint32_t primitive);
/* Bounds of a primitive; a disc's are those of the sphere around it, as the public program has them (IRL). */
void fs_mesh_bounds_of(const fs_mesh_scene *scene, uint32_t primitive, float low[3], float high[3]);

/* Moves everything so that the camera is at the origin, looks along -z and has +y up: the frame in which the
 * public program builds its tree and traces (IRL). Bounds follow; the digest stays. */
void fs_mesh_scene_to_camera(fs_mesh_scene *scene);

/* ---- the section ---- */

enum { FS_MESH_BUILTIN_NONE, FS_MESH_BUILTIN_BOX, FS_MESH_BUILTIN_SPHERES, FS_MESH_BUILTIN_GROVE };

/* Of the builtin grove: a ground of (ground k)^2 quads under (shrubs k)^2 shrubs of 20 x 4^level triangles. */
typedef struct fs_mesh_grove {
    int64_t k;
    int64_t ground, shrubs, level;
    bool closed; /* a box around it */
} fs_mesh_grove;
double fs_mesh_grove_triangles(const fs_mesh_grove *grove);

/* What the scene is: a file, a builtin, or a soup; for the box a file is what stands on its short block. */
typedef struct fs_mesh_scene_params {
    const char *file;       /* absolute, "" for none */
    int64_t builtin;        /* FS_MESH_BUILTIN_... */
    int64_t soup_triangles; /* 0: no soup */
    double soup_edge;       /* 0: corners independent */
    int64_t soup_seed;
    fs_mesh_grove grove;
    bool as_wound; /* diffuse surfaces of a file scatter to the side of their winding */
    bool normals;  /* keep the normals of a file; false: each triangle has its own */
    double albedo; /* of meshes without a material, and of the grove */
    double position[3], look_at[3], up[3], fov; /* of the camera; fov in degrees, 0: the scene's */
    bool position_given, look_at_given, up_given;
} fs_mesh_scene_params;
extern const fs_param_table fs_mesh_scene_table; /* "scene/mesh" */

/* Loads or makes the scene of a section into the arena. Every number of it is finite, every index in range,
 * every albedo within 0 ... 1; triangles without area stay and are counted. FS_INPUT names the file, the
 * place in it, what was found and what is allowed; FS_IO. One thread at a time (assimp). */
fs_status fs_mesh_scene_load(const fs_mesh_scene_params *params, fs_arena *arena, fs_mesh_scene *out,
                             fs_error *err);
