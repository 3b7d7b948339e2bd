/* How a scene of meshes is put together; of this folder alone. */
#ifndef FOAMSIM_WORKLOADS_SCENE_MESH_MESH_PRIVATE_H
#define FOAMSIM_WORKLOADS_SCENE_MESH_MESH_PRIVATE_H

#include "workloads/scene/mesh/mesh.h"

#include <stddef.h>

/* Grows on the heap until it is sealed. */
typedef struct fs_mesh_builder {
    fs_mesh_scene scene; /* arrays on the heap, [room...] */
    uint32_t room_mesh, room_vertex, room_normal, room_triangle, room_sphere, room_disc, room_material;
} fs_mesh_builder;

uint32_t fs_mesh_add_material(fs_mesh_builder *b, const fs_material *material);
/* What is added next belongs to a new mesh. */
void fs_mesh_begin(fs_mesh_builder *b, uint32_t material);
/* Numbers of vertices are the scene's. normal: NULL, or of every vertex of the scene. */
uint32_t fs_mesh_add_vertex(fs_mesh_builder *b, const float at[3], const float *normal);
void fs_mesh_add_triangle(fs_mesh_builder *b, uint32_t i, uint32_t j, uint32_t k);
/* Room for so many more of the present mesh, to be filled; *triangle's numbers of vertices are the scene's. Both
 * pointers hold until more is added. */
void fs_mesh_add_room(fs_mesh_builder *b, uint32_t vertices, uint32_t triangles, float (**vertex)[3],
                      uint32_t (**triangle)[3]);
void fs_mesh_add_sphere(fs_mesh_builder *b, const float centre[3], float radius, uint32_t material);
void fs_mesh_add_disc(fs_mesh_builder *b, const float centre[3], const float normal[3], float radius,
                      uint32_t material);
void fs_mesh_builder_free(fs_mesh_builder *b);

/* Checks numbers and ranges, counts triangles without area, and hands the scene over to the arena; the
 * builder is empty then, whatever happened. `where` is in front of what is wrong. */
fs_status fs_mesh_seal(fs_mesh_builder *b, const char *where, fs_arena *arena, fs_mesh_scene *out,
                       fs_error *err);

/* ---- builtins (builtin.c, bust.c, grove.c) ---- */

/* The Cornell box with two spheres, a disc and what stands on the short block; bust NULL: a generated one. */
void fs_mesh_build_box(fs_mesh_builder *b, const fs_mesh_scene *bust);
void fs_mesh_build_spheres(fs_mesh_builder *b);
/* A head on shoulders of 4,000 triangles, each with corners of its own, as one mesh around the origin. */
void fs_mesh_build_bust(fs_mesh_builder *b, uint32_t material);
/* One mesh of `albedo`; over the threads of the process. */
void fs_mesh_build_grove(fs_mesh_builder *b, const fs_mesh_grove *grove, double albedo);
/* Triangles whose corners are independent and uniform in the unit cube; edge > 0: equilateral ones with such edges,
 * centres uniform in it, turned at random. */
void fs_mesh_build_soup(fs_mesh_builder *b, uint32_t triangles, double edge, uint64_t seed);

/* Mesh files: what is looked at before assimp sees a byte; of this folder alone. */
enum {
    FS_MESH_FILE_MOST = 256 << 20, /* bytes of a mesh file */
    FS_MESH_SIDE_MOST = 1 << 20,   /* of a material library beside it */
};

typedef enum fs_mesh_format { FS_MESH_GLB, FS_MESH_DAE, FS_MESH_OBJ, FS_MESH_PLY } fs_mesh_format;

/* A file in memory, one zero byte after it; heap. */
typedef struct fs_mesh_bytes {
    char *data;
    size_t size;
} fs_mesh_bytes;

/* Reads a regular file of at most `most` bytes; an empty one is FS_INPUT. */
fs_status fs_mesh_slurp(const char *path, size_t most, fs_mesh_bytes *out, fs_error *err);

/* Format by the ending of the name. FS_INPUT names those that are read. */
fs_status fs_mesh_format_of(const char *path, fs_mesh_format *out, fs_error *err);

/* What must hold before a library is trusted with a file: sizes that it names are within the file, nothing
 * refers outside, every surface has a material that exists. FS_INPUT with file and line or JSON path. */
fs_status fs_mesh_check_glb(const char *path, const fs_mesh_bytes *file, fs_error *err);
fs_status fs_mesh_check_dae(const char *path, const fs_mesh_bytes *file, fs_error *err);
fs_status fs_mesh_check_ply(const char *path, const fs_mesh_bytes *file, fs_error *err);
bool fs_mesh_ply_has_materials(const fs_mesh_bytes *file);
/* Also looks into the material libraries that the file names, which must lie in its folder. */
fs_status fs_mesh_check_obj(const char *path, const fs_mesh_bytes *file, fs_error *err);

/* Path of a file named by another one, in the same folder; NULL for a name that leads elsewhere. Heap. */
char *fs_mesh_beside(const char *path, const char *name, size_t length);

/* Does `try(self)` once in a process of its own, which may fail in any way: the library asserts, and what it
 * asserts a file may break. Time and memory (of a file of `bytes` bytes) have limits there. FS_INPUT when
 * that process did not come to its end, FS_RUN when interrupted. */
typedef void (*fs_mesh_try)(void *self);
typedef struct fs_mesh_patience {
    double computing, waiting; /* seconds of the processor, of the clock: a busy host computes late */
} fs_mesh_patience;
extern const fs_mesh_patience fs_mesh_patience_usual;
fs_status fs_mesh_rehearse(const char *path, size_t bytes, const fs_mesh_patience *patience, fs_mesh_try try,
                           void *self, fs_error *err);

/* Reads a file into the builder: meshes, materials, the first camera. Meshes without a material have
 * `albedo`. */
fs_status fs_mesh_read_file(const char *path, bool normals, double albedo, fs_mesh_builder *b, fs_error *err);

#endif
