/* Shadow rays: where a hit on a diffuse surface asks for light, and what that brings if nothing is in the way. */
#include "workloads/treelets/walk/walk_private.h"

#include "sim/base/alloc.h"
#include "workloads/optics/optics.h"

#include <math.h>
#include <stdlib.h>

static const float PI = 3.14159265f;

/* ---- emitters ---- */

static float length_of(fs_vec3f a) {
    return sqrtf(fs_vec3f_dot(a, a));
}

static fs_vec3f vector_of(const float v[3]) {
    return (fs_vec3f){v[0], v[1], v[2]};
}

static float surface_of(const fs_walk_leaf *leaf) {
    const float radius = leaf->b[0];
    if (leaf->shape == FS_WALK_IS_SPHERE)
        return 4 * PI * radius * radius;
    if (leaf->shape == FS_WALK_IS_DISC)
        return PI * radius * radius;
    const fs_vec3f a = vector_of(leaf->a);
    return 0.5f * length_of(fs_vec3f_cross(fs_vec3f_sub(vector_of(leaf->b), a),
                                           fs_vec3f_sub(vector_of(leaf->c), a)));
}

fs_emitters fs_emitters_of(const fs_walk_scene *walk) {
    fs_emitters all = {.count = 0};
    uint32_t room = 0;
    for (uint32_t l = 0; l < walk->leaves; l++) {
        const float *e = walk->mesh->material[walk->leaf[l].material].emission;
        const double weight =
            (double)surface_of(&walk->leaf[l]) * ((double)e[0] + (double)e[1] + (double)e[2]);
        if (!(weight > 0))
            continue;
        if (all.count == room) {
            room = 2 * room + 16;
            all.leaf = fs_realloc(all.leaf, room * sizeof *all.leaf);
            all.up_to = fs_realloc(all.up_to, room * sizeof *all.up_to);
        }
        all.up_to[all.count] = (all.count > 0 ? all.up_to[all.count - 1] : 0) + weight;
        all.leaf[all.count++] = l;
    }
    return all;
}

void fs_emitters_free(fs_emitters *emitters) {
    free(emitters->leaf);
    free(emitters->up_to);
}

/* The first whose sum is above. */
static uint32_t pick(const fs_emitters *e, double sum) {
    uint32_t low = 0, high = e->count - 1;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (e->up_to[middle] > sum)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* A point of the leaf's surface, all alike, and the normal there. */
static fs_vec3f point_on(const fs_walk_leaf *leaf, float u, float v, fs_vec3f *normal) {
    const fs_vec3f a = vector_of(leaf->a);
    float cosine, sine;
    fs_vec3f along, across;
    *normal = vector_of(leaf->normal);
    if (leaf->shape == FS_WALK_IS_TRIANGLE) {
        const float root = sqrtf(u);
        const fs_vec3f b = fs_vec3f_scale(fs_vec3f_sub(vector_of(leaf->b), a), root * (1 - v)),
                       c = fs_vec3f_scale(fs_vec3f_sub(vector_of(leaf->c), a), root * v);
        return fs_vec3f_add(a, fs_vec3f_add(b, c));
    }
    fs_turn(v, &cosine, &sine);
    if (leaf->shape == FS_WALK_IS_SPHERE) {
        const float z = 1 - 2 * u, r = sqrtf(1 - z * z > 0 ? 1 - z * z : 0);
        *normal = (fs_vec3f){r * cosine, r * sine, z};
        return fs_vec3f_add(a, fs_vec3f_scale(*normal, leaf->b[0]));
    }
    const float r = leaf->b[0] * sqrtf(u);
    fs_basis(*normal, &along, &across);
    return fs_vec3f_add(a, fs_vec3f_add(fs_vec3f_scale(along, r * cosine), fs_vec3f_scale(across, r * sine)));
}

/* ---- a shadow ray ---- */

typedef struct surface {
    float point[3], normal[3], seen; /* seen: cosine of the ray that hit */
    const float *throughput, *albedo;
} surface;

/* Towards a direction of length one, with light[3] over pi and cosine; false: behind the surface. */
static bool send(const surface *s, const float direction[3], const float light[3], fs_shadow *out) {
    const float *n = s->normal, facing = n[0] * direction[0] + n[1] * direction[1] + n[2] * direction[2];
    if (!(facing * s->seen < 0)) /* on the other side of the surface */
        return false;
    for (int c = 0; c < 3; c++) {
        out->lit[c] = s->throughput[c] * s->albedo[c] * fabsf(facing) * light[c];
        out->ray.origin[c] = s->point[c];
        out->ray.direction[c] = direction[c];
    }
    fs_walk_offset(&out->ray, n);
    fs_walk_aim(&out->ray);
    return true;
}

static bool ask_emitter(const fs_itineraries_list *list, const surface *s, fs_path_random *random,
                        fs_shadow *out) {
    static const float before = 0.999f; /* of the way: the emitter itself is not in it */
    const fs_emitters *e = list->emitters;
    if (e->count == 0)
        return false;
    const double all = e->up_to[e->count - 1];
    const uint32_t k = pick(e, (double)fs_paths_unit(fs_paths_u32(random)) * all);
    const float u = fs_paths_unit(fs_paths_u32(random)), v = fs_paths_unit(fs_paths_u32(random));
    const fs_walk_leaf *leaf = &list->walk->leaf[e->leaf[k]];
    const float *emission = list->walk->mesh->material[leaf->material].emission;
    fs_vec3f normal;
    const fs_vec3f to = fs_vec3f_sub(point_on(leaf, u, v, &normal), vector_of(s->point));
    const float distance = length_of(to);
    const fs_vec3f d = fs_vec3f_scale(to, 1.0f / distance);
    const double share = (e->up_to[k] - (k > 0 ? e->up_to[k - 1] : 0)) / all;
    const float times = (float)((double)surface_of(leaf) / share) * fabsf(fs_vec3f_dot(d, normal)) /
                        (PI * distance * distance);
    const float light[3] = {emission[0] * times, emission[1] * times, emission[2] * times};
    out->reach = distance * before;
    return distance > 0 && send(s, (const float[3]){d.x, d.y, d.z}, light, out);
}

bool fs_shadow_of(const fs_itineraries_list *list, const fs_walk_hit *hit, const fs_walk_ray *in,
                  const float throughput[3], fs_path_random *random, fs_shadow *out) {
    const fs_itineraries_params *params = list->params;
    const fs_walk_leaf *leaf = &list->walk->leaf[hit->leaf];
    const fs_material *material = &list->walk->mesh->material[leaf->material];
    if (params->light == FS_SHADOW_NONE || material->kind != FS_MATERIAL_DIFFUSE)
        return false;
    surface s = {.throughput = throughput, .albedo = material->albedo};
    fs_walk_surface(list->walk, in, hit, s.point, s.normal);
    for (int a = 0; a < 3; a++)
        s.seen += s.normal[a] * in->direction[a];
    out->reach = INFINITY;
    return params->light == FS_SHADOW_SUN ? send(&s, params->to_sun, params->from_sun, out)
                                          : ask_emitter(list, &s, random, out);
}
