/* Scenes of meshes: put together, checked, moved. */
#include "sim/base/digest.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- growing ---- */

#define GROW(array, count, room)                                                                             \
    do {                                                                                                     \
        if ((count) == (room)) {                                                                             \
            (room) = (room) == 0 ? 64 : 2 * (room);                                                          \
            (array) = fs_realloc((array), (size_t)(room) * sizeof *(array));                                 \
        }                                                                                                    \
    } while (0)

uint32_t fs_mesh_add_material(fs_mesh_builder *b, const fs_material *material) {
    GROW(b->scene.material, b->scene.materials, b->room_material);
    b->scene.material[b->scene.materials] = *material;
    return b->scene.materials++;
}

void fs_mesh_begin(fs_mesh_builder *b, uint32_t material) {
    fs_mesh_scene *s = &b->scene;
    GROW(s->mesh, s->meshes, b->room_mesh);
    s->mesh[s->meshes++] =
        (fs_mesh){.first_vertex = s->vertices, .first_triangle = s->triangles, .material = material};
}

uint32_t fs_mesh_add_vertex(fs_mesh_builder *b, const float at[3], const float *normal) {
    fs_mesh_scene *s = &b->scene;
    GROW(s->vertex, s->vertices, b->room_vertex);
    if (normal != NULL) {
        GROW(s->normal, s->vertices, b->room_normal);
        memcpy(s->normal[s->vertices], normal, sizeof *s->normal);
    }
    memcpy(s->vertex[s->vertices], at, sizeof *s->vertex);
    s->mesh[s->meshes - 1].vertices++;
    return s->vertices++;
}

void fs_mesh_add_triangle(fs_mesh_builder *b, uint32_t i, uint32_t j, uint32_t k) {
    fs_mesh_scene *s = &b->scene;
    GROW(s->triangle, s->triangles, b->room_triangle);
    s->triangle[s->triangles][0] = i;
    s->triangle[s->triangles][1] = j;
    s->triangle[s->triangles][2] = k;
    s->triangles++;
    s->mesh[s->meshes - 1].triangles++;
}

void fs_mesh_add_room(fs_mesh_builder *b, uint32_t vertices, uint32_t triangles, float (**vertex)[3],
                      uint32_t (**triangle)[3]) {
    fs_mesh_scene *s = &b->scene;
    b->room_vertex = s->vertices + vertices;
    b->room_triangle = s->triangles + triangles;
    s->vertex = fs_realloc(s->vertex, (size_t)b->room_vertex * sizeof *s->vertex);
    s->triangle = fs_realloc(s->triangle, (size_t)b->room_triangle * sizeof *s->triangle);
    *vertex = s->vertex + s->vertices;
    *triangle = s->triangle + s->triangles;
    s->vertices += vertices;
    s->triangles += triangles;
    s->mesh[s->meshes - 1].vertices += vertices;
    s->mesh[s->meshes - 1].triangles += triangles;
}

void fs_mesh_add_sphere(fs_mesh_builder *b, const float centre[3], float radius, uint32_t material) {
    GROW(b->scene.sphere, b->scene.spheres, b->room_sphere);
    fs_sphere *sphere = &b->scene.sphere[b->scene.spheres++];
    *sphere = (fs_sphere){.radius = radius, .material = material};
    memcpy(sphere->centre, centre, sizeof sphere->centre);
}

void fs_mesh_add_disc(fs_mesh_builder *b, const float centre[3], const float normal[3], float radius,
                      uint32_t material) {
    GROW(b->scene.disc, b->scene.discs, b->room_disc);
    fs_disc *disc = &b->scene.disc[b->scene.discs++];
    *disc = (fs_disc){.radius = radius, .material = material};
    memcpy(disc->centre, centre, sizeof disc->centre);
    memcpy(disc->normal, normal, sizeof disc->normal);
}

void fs_mesh_builder_free(fs_mesh_builder *b) {
    free(b->scene.mesh);
    free(b->scene.vertex);
    free(b->scene.normal);
    free(b->scene.triangle);
    free(b->scene.sphere);
    free(b->scene.disc);
    free(b->scene.material);
    *b = (fs_mesh_builder){0};
}

/* ---- asking ---- */

uint32_t fs_mesh_geometry_of(const fs_mesh_scene *scene, uint32_t primitive) {
    return primitive < scene->triangles ? scene->mesh_of[primitive]
                                        : scene->meshes + (primitive - scene->triangles);
}

uint32_t fs_mesh_material_of(const fs_mesh_scene *scene, uint32_t primitive) {
    if (primitive < scene->triangles)
        return scene->mesh[scene->mesh_of[primitive]].material;
    const uint32_t i = primitive - scene->triangles;
    return i < scene->spheres ? scene->sphere[i].material : scene->disc[i - scene->spheres].material;
}

static void around(const float centre[3], float radius, float low[3], float high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = centre[a] - radius;
        high[a] = centre[a] + radius;
    }
}

/* Numbers are finite: no call for the sake of one that is not. */
static float least(float a, float b) {
    return a < b ? a : b;
}
static float most(float a, float b) {
    return a > b ? a : b;
}

void fs_mesh_bounds_of(const fs_mesh_scene *scene, uint32_t primitive, float low[3], float high[3]) {
    if (primitive >= scene->triangles) {
        const uint32_t i = primitive - scene->triangles;
        if (i < scene->spheres)
            around(scene->sphere[i].centre, scene->sphere[i].radius, low, high);
        else
            around(scene->disc[i - scene->spheres].centre, scene->disc[i - scene->spheres].radius, low, high);
        return;
    }
    const uint32_t *corner = scene->triangle[primitive];
    for (int a = 0; a < 3; a++) {
        const float x = scene->vertex[corner[0]][a], y = scene->vertex[corner[1]][a],
                    z = scene->vertex[corner[2]][a];
        low[a] = least(x, least(y, z));
        high[a] = most(x, most(y, z));
    }
}

static void find_bounds(fs_mesh_scene *scene) {
    for (int a = 0; a < 3; a++) {
        scene->low[a] = INFINITY;
        scene->high[a] = -INFINITY;
    }
    for (uint32_t p = 0; p < fs_mesh_primitives(scene); p++) {
        float low[3], high[3];
        fs_mesh_bounds_of(scene, p, low, high);
        for (int a = 0; a < 3; a++) {
            scene->low[a] = least(scene->low[a], low[a]);
            scene->high[a] = most(scene->high[a], high[a]);
        }
    }
}

/* ---- sealing ---- */

static fs_status check_materials(const fs_mesh_scene *s, const char *where, fs_error *err) {
    for (uint32_t m = 0; m < s->materials; m++)
        for (int c = 0; c < 3; c++) {
            const fs_material *material = &s->material[m];
            if (!(material->albedo[c] >= 0 && material->albedo[c] <= 1))
                return fs_fail(err, FS_INPUT, "%s: material %" PRIu32 ": albedo %g; allowed is 0 to 1", where,
                               m, (double)material->albedo[c]);
            if (!(material->emission[c] >= 0 && material->emission[c] <= 1e30f))
                return fs_fail(err, FS_INPUT, "%s: material %" PRIu32 ": emission %g; allowed is 0 to 1e30",
                               where, m, (double)material->emission[c]);
            if (!(material->ior >= 1 && material->ior <= 10))
                return fs_fail(err, FS_INPUT,
                               "%s: material %" PRIu32 ": index of refraction %g; allowed is 1 to 10", where,
                               m, (double)material->ior);
        }
    return FS_OK;
}

/* Coordinates above 1e15 leave no room for the products of the tests in f32. */
static bool is_coordinate(float x) {
    return x >= -1e15f && x <= 1e15f;
}

static fs_status check_vertices(const fs_mesh_scene *s, const char *where, fs_error *err) {
    for (uint32_t m = 0; m < s->meshes; m++)
        for (uint32_t v = s->mesh[m].first_vertex; v < s->mesh[m].first_vertex + s->mesh[m].vertices; v++)
            for (int a = 0; a < 3; a++) {
                if (!is_coordinate(s->vertex[v][a]))
                    return fs_fail(
                        err, FS_INPUT,
                        "%s: mesh %" PRIu32 ", vertex %" PRIu32 ": %c is %g; allowed is -1e15 to 1e15", where,
                        m, v - s->mesh[m].first_vertex, "xyz"[a], (double)s -> vertex[v][a]);
                if (s->normal != NULL && !(fabsf(s->normal[v][a]) <= 1.01f))
                    return fs_fail(
                        err, FS_INPUT,
                        "%s: mesh %" PRIu32 ", normal %" PRIu32 ": %c is %g; a normal has length 1", where, m,
                        v - s->mesh[m].first_vertex, "xyz"[a], (double)s -> normal[v][a]);
            }
    return FS_OK;
}

static bool has_area(const fs_mesh_scene *s, const uint32_t corner[3]) {
    const float *a = s->vertex[corner[0]], *b = s->vertex[corner[1]], *c = s->vertex[corner[2]];
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
    }
    return u[1] * v[2] - u[2] * v[1] != 0 || u[2] * v[0] - u[0] * v[2] != 0 || u[0] * v[1] - u[1] * v[0] != 0;
}

/* They stay: the public program has them in its tree, too, and no ray meets them. */
static void count_degenerate(fs_mesh_scene *s) {
    for (uint32_t m = 0; m < s->meshes; m++)
        for (uint32_t t = s->mesh[m].first_triangle; t < s->mesh[m].first_triangle + s->mesh[m].triangles;
             t++) {
            s->mesh_of[t] = m;
            s->degenerate += !has_area(s, s->triangle[t]);
        }
}

static void digest_scene(fs_mesh_scene *s) {
    const uint32_t shape[] = {s->meshes,   s->spheres,   s->discs,         s->materials,
                              s->vertices, s->triangles, s->normal != NULL};
    fs_digest d;
    fs_digest_begin(&d);
    fs_digest_add(&d, shape, sizeof shape);
    fs_digest_add(&d, s->mesh, s->meshes * sizeof *s->mesh);
    fs_digest_add(&d, s->vertex, s->vertices * sizeof *s->vertex);
    if (s->normal != NULL)
        fs_digest_add(&d, s->normal, s->vertices * sizeof *s->normal);
    fs_digest_add(&d, s->triangle, s->triangles * sizeof *s->triangle);
    fs_digest_add(&d, s->sphere, s->spheres * sizeof *s->sphere);
    fs_digest_add(&d, s->disc, s->discs * sizeof *s->disc);
    fs_digest_add(&d, s->material, s->materials * sizeof *s->material);
    fs_digest_add(&d, &s->camera, offsetof(fs_mesh_camera, across));
    if (s->camera.across)
        fs_digest_add(&d, "across", 6);
    fs_digest_end(&d, s->digest);
}

static void *kept_in(fs_arena *arena, const void *array, size_t count, size_t size) {
    void *copy = fs_arena_alloc(arena, count == 0 ? 1 : count, size);
    if (count > 0)
        memcpy(copy, array, count * size);
    return copy;
}

/* Single precision keeps steps of reach / 2^23 at the most; fewer of them across a scene than this would bend it. */
enum { LEAST_STEPS = 4096 };

static fs_status check_steps(const fs_mesh_scene *s, const char *where, fs_error *err) {
    double reach = 0, extent = 0;
    for (int a = 0; a < 3; a++) {
        const double low = (double)s->low[a], high = (double)s->high[a];
        reach = fmax(reach, fmax(fabs(low), fabs(high)));
        extent = fmax(extent, high - low);
    }
    const double step = reach / (1 << 23);
    if (s->triangles == 0 || extent >= LEAST_STEPS * step || (extent == 0 && reach < LEAST_STEPS))
        return FS_OK;
    return fs_fail(err, FS_INPUT,
                   "%s: coordinates reach %g and differ by %g at the most; single precision keeps steps of "
                   "%.2g there: move the mesh to the origin",
                   where, reach, extent, step);
}

fs_status fs_mesh_seal(fs_mesh_builder *b, const char *where, fs_arena *arena, fs_mesh_scene *out,
                       fs_error *err) {
    const fs_mesh_scene *s = &b->scene;
    if (fs_mesh_primitives(s) == 0)
        fs_fail(err, FS_INPUT, "%s: no triangle; a scene has at least one", where);
    else if (check_materials(s, where, err) == FS_OK)
        check_vertices(s, where, err);
    if (err->status == FS_OK) {
        *out = *s;
        out->mesh = kept_in(arena, s->mesh, s->meshes, sizeof *s->mesh);
        out->vertex = kept_in(arena, s->vertex, s->vertices, sizeof *s->vertex);
        out->normal = s->normal == NULL ? NULL : kept_in(arena, s->normal, s->vertices, sizeof *s->normal);
        out->triangle = kept_in(arena, s->triangle, s->triangles, sizeof *s->triangle);
        out->mesh_of = FS_NEW(arena, uint32_t, s->triangles + 1);
        out->sphere = kept_in(arena, s->sphere, s->spheres, sizeof *s->sphere);
        out->disc = kept_in(arena, s->disc, s->discs, sizeof *s->disc);
        out->material = kept_in(arena, s->material, s->materials, sizeof *s->material);
        count_degenerate(out);
        find_bounds(out);
        digest_scene(out);
        if (check_steps(out, where, err) == FS_OK && fs_mesh_primitives(out) == out->degenerate)
            fs_fail(err, FS_INPUT, "%s: none of %" PRIu32 " triangles has an area", where, out->degenerate);
    }
    fs_mesh_builder_free(b);
    return err->status;
}

/* ---- the camera's frame ---- */

typedef struct frame {
    float position[3], axis[3][3]; /* right, up, backward */
} frame;

static void turn(const frame *f, float v[3]) {
    float out[3];
    for (int i = 0; i < 3; i++)
        out[i] = f->axis[i][0] * v[0] + f->axis[i][1] * v[1] + f->axis[i][2] * v[2];
    memcpy(v, out, sizeof out);
}

static void move(const frame *f, float v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] -= f->position[i];
    turn(f, v);
}

void fs_mesh_scene_to_camera(fs_mesh_scene *scene) {
    fs_mesh_camera *c = &scene->camera;
    frame f;
    memcpy(f.position, c->position, sizeof f.position);
    f.axis[0][0] = c->forward[1] * c->up[2] - c->forward[2] * c->up[1];
    f.axis[0][1] = c->forward[2] * c->up[0] - c->forward[0] * c->up[2];
    f.axis[0][2] = c->forward[0] * c->up[1] - c->forward[1] * c->up[0];
    for (int a = 0; a < 3; a++) {
        f.axis[1][a] = c->up[a];
        f.axis[2][a] = -c->forward[a];
    }
    for (uint32_t v = 0; v < scene->vertices; v++)
        move(&f, scene->vertex[v]);
    for (uint32_t v = 0; scene->normal != NULL && v < scene->vertices; v++)
        turn(&f, scene->normal[v]);
    for (uint32_t i = 0; i < scene->spheres; i++)
        move(&f, scene->sphere[i].centre);
    for (uint32_t i = 0; i < scene->discs; i++) {
        move(&f, scene->disc[i].centre);
        turn(&f, scene->disc[i].normal);
    }
    *c = (fs_mesh_camera){.forward = {0, 0, -1}, .up = {0, 1, 0}, .fov = c->fov, .across = c->across};
    find_bounds(scene);
}
