/* How a scene of meshes is put together; of this folder alone. */
#pragma once

#include "sim/config/param.h"
#include "workloads/scene/mesh/mesh.h"

/* Grows on the heap until it is sealed. */
typedef struct fs_mesh_builder {
    fs_mesh_scene scene; /* arrays on the heap, [room...] */
    uint32_t room_mesh, room_vertex, room_normal, room_triangle, room_sphere, room_disc, room_material;
} fs_mesh_builder;

/* The material libraries that an OBJ names, for keys (fs_param.names). */
void fs_mesh_names(const char *path, fs_param_seen seen, void *self);

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

/* ---- builtins (builtin.c, grove.c) ---- */

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

/* ---- files (file.c) ---- */

/* Reads a file into the builder: meshes, materials, and with `camera` the first camera; without one, from in front of everything.
 * Meshes without a material have `albedo`. */
fs_status fs_mesh_read_file(const char *path, bool normals, bool camera, double albedo, fs_mesh_builder *b,
                            fs_error *err);
