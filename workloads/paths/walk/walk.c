/* What a path does between the searches for its hits (core.h), and lists of paths over threads. */
#include "sim/base/host.h"
#include "workloads/paths/walk/walk_private.h"

#include <string.h>

/* ---- the scene made ready ---- */

static void write_corners(const fs_mesh_scene *mesh, uint32_t t, fs_walk_leaf *leaf) {
    memcpy(leaf->a, mesh->vertex[mesh->triangle[t][0]], sizeof leaf->a);
    memcpy(leaf->b, mesh->vertex[mesh->triangle[t][1]], sizeof leaf->b);
    memcpy(leaf->c, mesh->vertex[mesh->triangle[t][2]], sizeof leaf->c);
    const fs_vec3f a = {leaf->a[0], leaf->a[1], leaf->a[2]}, b = {leaf->b[0], leaf->b[1], leaf->b[2]},
                   c = {leaf->c[0], leaf->c[1], leaf->c[2]};
    const fs_vec3f n = fs_vec3f_unit(fs_vec3f_cross(fs_vec3f_sub(b, a), fs_vec3f_sub(c, a)));
    leaf->normal[0] = n.x;
    leaf->normal[1] = n.y;
    leaf->normal[2] = n.z;
}

static fs_walk_leaf leaf_of(const fs_mesh_scene *mesh, uint32_t primitive) {
    fs_walk_leaf leaf = {.material = fs_mesh_material_of(mesh, primitive)};
    if (primitive < mesh->triangles) {
        leaf.shape = FS_WALK_IS_TRIANGLE;
        leaf.index = primitive;
        leaf.smooth = mesh->normal != NULL;
        write_corners(mesh, primitive, &leaf);
        return leaf;
    }
    leaf.index = primitive - mesh->triangles;
    float radius;
    if (leaf.index < mesh->spheres) {
        leaf.shape = FS_WALK_IS_SPHERE;
        memcpy(leaf.a, mesh->sphere[leaf.index].centre, sizeof leaf.a);
        radius = mesh->sphere[leaf.index].radius;
    } else {
        leaf.index -= mesh->spheres;
        leaf.shape = FS_WALK_IS_DISC;
        memcpy(leaf.a, mesh->disc[leaf.index].centre, sizeof leaf.a);
        memcpy(leaf.normal, mesh->disc[leaf.index].normal, sizeof leaf.normal);
        radius = mesh->disc[leaf.index].radius;
    }
    leaf.b[0] = radius;
    leaf.b[1] = radius * radius;
    return leaf;
}

/* The node of the tree in `at` becomes one of the walk in `to`, which may be the same place. */
static void turn_node(const fs_bvh *tree, uint32_t n, uint32_t leaf, const void *at, void *to) {
    fs_bvh_node from;
    memcpy(&from, at, sizeof from);
    fs_walk_node node = {.skip = tree->skip[n], .leaf = leaf};
    for (int a = 0; a < 3; a++) {
        node.low[a] = from.low[a];
        node.high[a] = from.low[a] + from.extent[a];
    }
    memcpy(to, &node, sizeof node);
}

static void prepare(fs_walk_scene *walk, const fs_mesh_scene *mesh, const fs_bvh *tree, void *nodes,
                    fs_arena *arena) {
    _Static_assert(sizeof(fs_walk_node) == sizeof(fs_bvh_node), "one takes the other's place");
    *walk = (fs_walk_scene){
        .mesh = mesh, .nodes = tree->nodes, .node = nodes, .leaf = FS_NEW(arena, fs_walk_leaf, tree->leaves)};
    for (uint32_t n = 0; n < tree->nodes; n++) {
        const uint32_t primitive = tree->primitive[n];
        const bool inner = primitive == UINT32_MAX;
        turn_node(tree, n, inner ? FS_WALK_NO_LEAF : walk->leaves, &tree->node[n],
                  (char *)nodes + n * sizeof(fs_walk_node));
        if (!inner)
            walk->leaf[walk->leaves++] = leaf_of(mesh, primitive);
    }
    walk->node[tree->nodes] = (fs_walk_node){.skip = tree->nodes, .leaf = FS_WALK_NO_LEAF};
}

void fs_walk_prepare(fs_walk_scene *walk, const fs_mesh_scene *mesh, const fs_bvh *tree, fs_arena *arena) {
    prepare(walk, mesh, tree, FS_NEW(arena, fs_walk_node, (size_t)tree->nodes + 1), arena);
}

void fs_walk_replace(fs_walk_scene *walk, const fs_mesh_scene *mesh, fs_bvh *tree, fs_arena *arena) {
    prepare(walk, mesh, tree, tree->node, arena);
    tree->node = NULL;
}

fs_walk_lens fs_walk_lens_of(const fs_walk_scene *walk, const fs_walk_params *params) {
    const float tangent = (float)fs_mesh_camera_tangent(&walk->mesh->camera, params->width, params->height);
    const float aspect = (float)params->width / (float)params->height;
    return (fs_walk_lens){.scale_x = 2.0f * aspect * tangent / (float)params->width,
                          .offset_x = -aspect * tangent,
                          .scale_y = -2.0f * tangent / (float)params->height,
                          .offset_y = tangent,
                          .width = params->width,
                          .jitter = params->jitter,
                          .stream = fs_rng_stream(params->seed, "pathtrace/paths")};
}

/* ---- primitives ---- */

static float test_sphere(const fs_walk_leaf *leaf, const fs_walk_ray *ray, uint32_t *counts) {
    const float *o = ray->origin, *d = ray->direction;
    const float f[3] = {leaf->a[0] - o[0], leaf->a[1] - o[1], leaf->a[2] - o[2]};
    const float by = 1.0f / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const float middle = (f[0] * d[0] + f[1] * d[1] + f[2] * d[2]) * by;
    const float l[3] = {f[0] - d[0] * middle, f[1] - d[1] * middle, f[2] - d[2] * middle};
    const float aside = l[0] * l[0] + l[1] * l[1] + l[2] * l[2];
    counts[FS_WALK_SPHERE]++;
    if (middle < 0 || aside > leaf->b[1])
        return INFINITY;
    counts[FS_WALK_SPHERE_ROOT]++;
    const float half = sqrtf(leaf->b[1] - aside) * by, first = middle - half, second = middle + half;
    const float t = first < 0 ? second : first;
    return t > 0 ? t : INFINITY;
}

static float test_disc(const fs_walk_leaf *leaf, const fs_walk_ray *ray, uint32_t *counts) {
    const float *o = ray->origin, *d = ray->direction, *n = leaf->normal;
    const float angle = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
    counts[FS_WALK_DISC]++;
    if (angle == 0)
        return INFINITY;
    const float t =
        (n[0] * (leaf->a[0] - o[0]) + n[1] * (leaf->a[1] - o[1]) + n[2] * (leaf->a[2] - o[2])) / angle;
    if (!(t > FS_WALK_EPS))
        return INFINITY;
    float square = 0;
    for (int a = 0; a < 3; a++) {
        const float aside = o[a] + d[a] * t - leaf->a[a];
        square += aside * aside;
    }
    return square < leaf->b[1] ? t : INFINITY;
}

float fs_walk_test_round(const fs_walk_leaf *leaf, const fs_walk_ray *ray, uint32_t *counts) {
    return (leaf->shape == FS_WALK_IS_SPHERE ? test_sphere : test_disc)(leaf, ray, counts);
}

/* ---- rays ---- */

void fs_walk_aim(fs_walk_ray *ray) {
    const float *d = ray->direction;
    for (int a = 0; a < 3; a++) {
        const float component = fabsf(d[a]) < FS_WALK_LEAST ? copysignf(FS_WALK_LEAST, d[a]) : d[a];
        ray->inverse[a] = 1.0f / component;
    }
    const float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);
    ray->kz = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2);
    ray->kx = ray->kz == 2 ? 0 : ray->kz + 1;
    ray->ky = ray->kx == 2 ? 0 : ray->kx + 1;
    ray->shear[0] = -d[ray->kx] / d[ray->kz];
    ray->shear[1] = -d[ray->ky] / d[ray->kz];
    ray->shear[2] = 1.0f / d[ray->kz];
}

void fs_walk_offset(fs_walk_ray *ray, const float normal[3]) {
    const float size[3] = {fabsf(ray->origin[0]), fabsf(ray->origin[1]), fabsf(ray->origin[2])};
    const float along =
        normal[0] * ray->direction[0] + normal[1] * ray->direction[1] + normal[2] * ray->direction[2];
    const float by = copysignf((1.0f + fs_walk_largest(size)) * FS_WALK_OFFSET, along);
    for (int a = 0; a < 3; a++)
        ray->origin[a] += normal[a] * by;
}

/* ---- hits ---- */

static fs_vec3f vector_of(const float v[3]) {
    return (fs_vec3f){v[0], v[1], v[2]};
}

/* By the mesh's normals at the corners. */
static fs_vec3f smooth_normal(const fs_mesh_scene *mesh, uint32_t triangle, const float share[3]) {
    const uint32_t *at = mesh->triangle[triangle];
    float n[3];
    for (int a = 0; a < 3; a++)
        n[a] = mesh->normal[at[0]][a] * share[0] + mesh->normal[at[1]][a] * share[1] +
               mesh->normal[at[2]][a] * share[2];
    return fs_vec3f_unit(vector_of(n));
}

/* `to` is where the hit is. */
static fs_vec3f normal_of(const fs_walk_scene *walk, const fs_walk_hit *hit, fs_vec3f to) {
    const fs_walk_leaf *leaf = &walk->leaf[hit->leaf];
    if (leaf->shape == FS_WALK_IS_SPHERE)
        return fs_vec3f_unit(fs_vec3f_sub(to, vector_of(leaf->a)));
    return leaf->smooth ? smooth_normal(walk->mesh, leaf->index, hit->share) : vector_of(leaf->normal);
}

void fs_walk_surface(const fs_walk_scene *walk, const fs_walk_ray *ray, const fs_walk_hit *hit,
                     float point[3], float normal[3]) {
    const fs_vec3f to =
        fs_vec3f_add(vector_of(ray->origin), fs_vec3f_scale(vector_of(ray->direction), hit->t));
    fs_vec3f n = normal_of(walk, hit, to);
    if (walk->mesh->faces_rays &&
        walk->mesh->material[walk->leaf[hit->leaf].material].kind == FS_MATERIAL_DIFFUSE &&
        fs_vec3f_dot(n, vector_of(ray->direction)) > 0)
        n = fs_vec3f_scale(n, -1.0f);
    memcpy(point, (const float[3]){to.x, to.y, to.z}, 3 * sizeof *point);
    memcpy(normal, (const float[3]){n.x, n.y, n.z}, 3 * sizeof *normal);
}

/* True: refracted, and coloured. */
static bool pass_glass(float ior, fs_vec3f in, fs_vec3f normal, float random, fs_vec3f *out) {
    const bool inside = fs_vec3f_dot(normal, in) > 0;
    const fs_vec3f facing = inside ? fs_vec3f_scale(normal, -1.0f) : normal;
    const float ratio = inside ? ior : 1.0f / ior, cosine = -fs_vec3f_dot(facing, in);
    if (fs_refract(in, facing, ratio, out) && random > fs_schlick(cosine, ratio)) {
        *out = fs_vec3f_unit(*out);
        return true;
    }
    *out = fs_vec3f_unit(fs_reflect(in, facing));
    return false;
}

static void scatter(const fs_material *material, fs_vec3f normal, fs_walk_state *s, uint32_t *counts) {
    const fs_vec3f in = vector_of(s->ray.direction);
    fs_vec3f out;
    bool coloured = true;
    if (material->kind == FS_MATERIAL_DIFFUSE) {
        const float u = fs_paths_unit(fs_paths_u32(&s->random)), v = fs_paths_unit(fs_paths_u32(&s->random));
        out = fs_cosine_direction(normal, u, v);
        counts[FS_WALK_DIFFUSE]++;
    } else if (material->kind == FS_MATERIAL_SPECULAR) {
        out = fs_vec3f_unit(fs_reflect(in, normal));
        counts[FS_WALK_SPECULAR]++;
    } else {
        const float u = fs_paths_unit(fs_paths_u32(&s->random));
        coloured = pass_glass(material->ior, in, normal, u, &out);
        counts[FS_WALK_REFRACTIVE]++;
    }
    for (int c = 0; c < 3 && coloured; c++)
        s->throughput[c] *= material->albedo[c];
    s->ray.direction[0] = out.x;
    s->ray.direction[1] = out.y;
    s->ray.direction[2] = out.z;
}

/* True: the path stops. */
static bool roulette(fs_walk_state *s, uint32_t *counts) {
    const float p = fs_walk_largest(s->throughput), u = fs_paths_unit(fs_paths_u32(&s->random));
    counts[FS_WALK_ROULETTE]++;
    if (p == 0 || u > p)
        return true;
    const float by = 1.0f / p;
    for (int c = 0; c < 3; c++)
        s->throughput[c] *= by;
    return false;
}

/* ---- paths ---- */

void fs_walk_begin(const fs_walk_lens *lens, fs_walk_key key, fs_walk_state *s, uint32_t *counts) {
    s->random = fs_paths_random_of(lens->stream, key.pixel, key.sample);
    const fs_vec3f d = fs_walk_camera(lens, key.pixel, &s->random);
    s->ray = (fs_walk_ray){.direction = {d.x, d.y, d.z}};
    fs_walk_aim(&s->ray);
    for (int c = 0; c < 3; c++) {
        s->throughput[c] = 1;
        s->emitted[c] = 0;
    }
    s->hits = 0;
    counts[FS_WALK_CAMERA]++;
    counts[FS_WALK_SEGMENT]++;
}

static bool finish(const fs_walk_state *s, fs_walk_end end, fs_walk_path *path, uint32_t *counts) {
    memcpy(path->emitted, s->emitted, sizeof path->emitted);
    memcpy(path->throughput, s->throughput, sizeof path->throughput);
    memcpy(path->direction, s->ray.direction, sizeof path->direction);
    path->segments = (uint16_t)(s->hits + (end == FS_WALK_ESCAPED));
    path->end = (uint16_t)end;
    counts[FS_WALK_END]++;
    return true;
}

bool fs_walk_end_segment(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_hit *hit,
                         fs_walk_state *s, fs_walk_path *path, uint32_t *counts) {
    if (!(hit->t < INFINITY)) {
        counts[FS_WALK_ESCAPE]++;
        return finish(s, FS_WALK_ESCAPED, path, counts);
    }
    const fs_walk_leaf *leaf = &walk->leaf[hit->leaf];
    const fs_material *material = &walk->mesh->material[leaf->material];
    const float *e = material->emission;
    float to[3], normal[3];
    fs_walk_surface(walk, &s->ray, hit, to, normal);
    counts[FS_WALK_HIT]++;
    if (e[0] > 0 || e[1] > 0 || e[2] > 0) {
        counts[FS_WALK_EMISSION]++;
        for (int c = 0; c < 3; c++)
            s->emitted[c] += s->throughput[c] * e[c];
    }
    scatter(material, vector_of(normal), s, counts);
    const uint32_t number = s->hits++;
    if (number > params->roulette_above && roulette(s, counts))
        return finish(s, FS_WALK_STOPPED, path, counts);
    if (s->hits >= params->most_segments)
        return finish(s, FS_WALK_FULL, path, counts);
    memcpy(s->ray.origin, to, sizeof to);
    fs_walk_offset(&s->ray, normal);
    fs_walk_aim(&s->ray);
    counts[FS_WALK_SEGMENT]++;
    return false;
}

/* ---- lists ---- */

enum { CHUNK = 2048 }; /* paths that a thread takes at once */

void fs_walk_paths(const fs_walk_scene *walk, const fs_walk_params *params, const fs_walk_key *list,
                   uint64_t count, fs_walk_path *paths, uint32_t (*counts)[FS_WALK_EVENTS]) {
    const fs_walk_lens lens = fs_walk_lens_of(walk, params);
    const uint64_t chunks = (count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(dynamic)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t first = c * CHUNK, rest = count - first;
        const fs_walk_list chunk = {.params = params,
                                    .lens = &lens,
                                    .key = list + first,
                                    .count = rest < CHUNK ? rest : CHUNK,
                                    .paths = paths + first,
                                    .counts = counts == NULL ? NULL : counts + first};
        (fs_host_has_avx2() ? fs_walk_list_avx2 : fs_walk_list_plain)(walk, &chunk);
    }
}
