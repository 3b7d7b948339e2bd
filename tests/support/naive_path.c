#include "tests/support/naive_path.h"

#include "sim/base/detmath.h"
#include "workloads/optics/optics.h"
#include "workloads/optics/random.h"

#include <math.h>
#include <string.h>

typedef struct ray {
    float o[3], d[3];
} ray;

static const float eps = 0x1p-24f;

static float gamma_of(int n) {
    return (float)n * eps / (1.0f - (float)n * eps);
}

static float largest3(float a, float b, float c) {
    const float m = a > b ? a : b;
    return m > c ? m : c;
}

static float absolute3(const float v[3]) {
    return largest3(fabsf(v[0]), fabsf(v[1]), fabsf(v[2]));
}

/* ---- primitives ---- */

/* Corners in a frame whose z axis is the ray (Woop and others, 2013). */
static float hit_triangle(const float *const corner[3], const ray *r, uint32_t *n, float share[3]) {
    const float x = fabsf(r->d[0]), y = fabsf(r->d[1]), z = fabsf(r->d[2]);
    const int kz = x > y ? (x > z ? 0 : 2) : (y > z ? 1 : 2), kx = (kz + 1) % 3, ky = (kx + 1) % 3;
    const float sx = -r->d[kx] / r->d[kz], sy = -r->d[ky] / r->d[kz], sz = 1.0f / r->d[kz];
    float px[3], py[3], pz[3], e[3], zs[3];
    n[FS_WALK_SHEAR]++;
    for (int i = 0; i < 3; i++) {
        pz[i] = corner[i][kz] - r->o[kz];
        px[i] = (corner[i][kx] - r->o[kx]) + sx * pz[i];
        py[i] = (corner[i][ky] - r->o[ky]) + sy * pz[i];
    }
    bool below = false, above = false;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        e[i] = px[j] * py[k] - py[j] * px[k];
        below = below || e[i] < 0;
        above = above || e[i] > 0;
    }
    const float det = e[0] + e[1] + e[2];
    if ((below && above) || det == 0) {
        n[FS_WALK_EDGE_EXIT]++;
        return INFINITY;
    }
    for (int i = 0; i < 3; i++)
        zs[i] = pz[i] * sz;
    const float scaled = e[0] * zs[0] + e[1] * zs[1] + e[2] * zs[2];
    if (det < 0 ? scaled >= 0 : scaled <= 0) {
        n[FS_WALK_RANGE_EXIT]++;
        return INFINITY;
    }
    n[FS_WALK_TRIANGLE]++;
    const float inverse = 1.0f / det, t = scaled * inverse;
    const float mz = absolute3(zs), mx = absolute3(px), my = absolute3(py), me = absolute3(e);
    const float dz = gamma_of(3) * mz, dx = gamma_of(5) * (mx + mz), dy = gamma_of(5) * (my + mz);
    const float de = 2.0f * (gamma_of(2) * mx * my + dy * mx + dx * my);
    const float dt = 3.0f * (gamma_of(3) * me * mz + de * mz + dz * me) * fabsf(inverse);
    for (int i = 0; i < 3; i++)
        share[i] = e[i] * inverse;
    return t > dt ? t : INFINITY;
}

static float hit_sphere(const fs_sphere *s, const ray *r, uint32_t *n) {
    float f[3], l[3];
    for (int a = 0; a < 3; a++)
        f[a] = s->centre[a] - r->o[a];
    const float by = 1.0f / (r->d[0] * r->d[0] + r->d[1] * r->d[1] + r->d[2] * r->d[2]);
    const float middle = (f[0] * r->d[0] + f[1] * r->d[1] + f[2] * r->d[2]) * by;
    for (int a = 0; a < 3; a++)
        l[a] = f[a] - r->d[a] * middle;
    const float aside = l[0] * l[0] + l[1] * l[1] + l[2] * l[2], square = s->radius * s->radius;
    n[FS_WALK_SPHERE]++;
    if (middle < 0 || aside > square)
        return INFINITY;
    n[FS_WALK_SPHERE_ROOT]++;
    const float half = sqrtf(square - aside) * by;
    float t = middle - half;
    if (t < 0)
        t = middle + half;
    return t > 0 ? t : INFINITY;
}

static float hit_disc(const fs_disc *s, const ray *r, uint32_t *n) {
    const float angle = s->normal[0] * r->d[0] + s->normal[1] * r->d[1] + s->normal[2] * r->d[2];
    n[FS_WALK_DISC]++;
    if (angle == 0)
        return INFINITY;
    const float t = (s->normal[0] * (s->centre[0] - r->o[0]) + s->normal[1] * (s->centre[1] - r->o[1]) +
                     s->normal[2] * (s->centre[2] - r->o[2])) /
                    angle;
    float square = 0;
    for (int a = 0; a < 3; a++) {
        const float aside = r->o[a] + r->d[a] * t - s->centre[a];
        square += aside * aside;
    }
    return t > eps && square < s->radius * s->radius ? t : INFINITY;
}

static float hit_any(const fs_mesh_scene *s, uint32_t p, const ray *r, uint32_t *n, float share[3]) {
    if (p >= s->triangles + s->spheres)
        return hit_disc(&s->disc[p - s->triangles - s->spheres], r, n);
    if (p >= s->triangles)
        return hit_sphere(&s->sphere[p - s->triangles], r, n);
    const float *const corner[3] = {s->vertex[s->triangle[p][0]], s->vertex[s->triangle[p][1]],
                                    s->vertex[s->triangle[p][2]]};
    const float t = hit_triangle(corner, r, n, share);
    if (t < INFINITY)
        n[s->normal != NULL ? FS_WALK_SMOOTH : FS_WALK_NORMAL]++;
    return t;
}

uint32_t naive_nearest(const fs_mesh_scene *scene, const float origin[3], const float direction[3],
                       float *t) {
    ray r;
    uint32_t best = UINT32_MAX, counts[FS_WALK_EVENTS] = {0};
    float share[3];
    memcpy(r.o, origin, sizeof r.o);
    memcpy(r.d, direction, sizeof r.d);
    *t = INFINITY;
    for (uint32_t p = 0; p < fs_mesh_primitives(scene); p++) {
        const float at = hit_any(scene, p, &r, counts, share);
        if (at < *t) {
            *t = at;
            best = p;
        }
    }
    return best;
}

/* ---- the tree ---- */

static bool hit_box(const fs_bvh_node *node, const ray *r, float most, uint32_t *n) {
    float t0 = 0, t1 = most;
    for (int a = 0; a < 3; a++) {
        const float d = fabsf(r->d[a]) < 0x1p-100f ? copysignf(0x1p-100f, r->d[a]) : r->d[a];
        const float inverse = 1.0f / d, high = node->low[a] + node->extent[a];
        float near = (node->low[a] - r->o[a]) * inverse, far = (high - r->o[a]) * inverse;
        n[FS_WALK_AXIS]++;
        if (near > far) {
            const float other = near;
            near = far;
            far = other;
        }
        far *= 1.0f + 2.0f * gamma_of(3);
        t0 = near > t0 ? near : t0;
        t1 = far < t1 ? far : t1;
        if (t0 > t1)
            return false;
    }
    return true;
}

static uint32_t nearest(const fs_mesh_scene *s, const fs_bvh *tree, const ray *r, uint32_t *n, float *t,
                        float share[3]) {
    uint32_t stack[256], held = 0, best = UINT32_MAX;
    stack[held++] = 0;
    *t = INFINITY;
    while (held > 0) {
        const uint32_t at = stack[--held];
        const fs_bvh_node *node = &tree->node[at];
        n[FS_WALK_NODE]++;
        if (!hit_box(node, r, *t, n))
            continue;
        if (node->geometry == FS_TREE_INNER) {
            n[FS_WALK_INNER]++;
            stack[held++] = node->link;
            stack[held++] = at + 1;
            continue;
        }
        float of[3] = {0, 0, 0};
        n[FS_WALK_LEAF]++;
        const float d = hit_any(s, tree->primitive[at], r, n, of);
        if (d < *t) {
            *t = d;
            best = tree->primitive[at];
            memcpy(share, of, sizeof of);
        }
    }
    return best;
}

/* ---- paths ---- */

static fs_vec3f normal_at(const fs_mesh_scene *s, uint32_t p, fs_vec3f at, const float share[3]) {
    if (p >= s->triangles + s->spheres) {
        const float *n = s->disc[p - s->triangles - s->spheres].normal;
        return (fs_vec3f){n[0], n[1], n[2]};
    }
    if (p >= s->triangles) {
        const float *c = s->sphere[p - s->triangles].centre;
        return fs_vec3f_unit(fs_vec3f_sub(at, (fs_vec3f){c[0], c[1], c[2]}));
    }
    fs_vec3f corner[3], sum = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const float *v = s->vertex[s->triangle[p][i]];
        corner[i] = (fs_vec3f){v[0], v[1], v[2]};
    }
    if (s->normal == NULL)
        return fs_vec3f_unit(
            fs_vec3f_cross(fs_vec3f_sub(corner[1], corner[0]), fs_vec3f_sub(corner[2], corner[0])));
    for (int i = 0; i < 3; i++) {
        const float *n = s->normal[s->triangle[p][i]];
        const fs_vec3f part = fs_vec3f_scale((fs_vec3f){n[0], n[1], n[2]}, share[i]);
        sum = i == 0 ? part : fs_vec3f_add(sum, part);
    }
    return fs_vec3f_unit(sum);
}

static fs_vec3f leave(const fs_material *m, fs_vec3f in, fs_vec3f n, fs_path_random *random, uint32_t *counts,
                      bool *coloured) {
    *coloured = true;
    if (m->kind == FS_MATERIAL_DIFFUSE) {
        counts[FS_WALK_DIFFUSE]++;
        const float u = fs_paths_unit(fs_paths_u32(random));
        return fs_cosine_direction(n, u, fs_paths_unit(fs_paths_u32(random)));
    }
    if (m->kind == FS_MATERIAL_SPECULAR) {
        counts[FS_WALK_SPECULAR]++;
        return fs_vec3f_unit(fs_reflect(in, n));
    }
    counts[FS_WALK_REFRACTIVE]++;
    const float u = fs_paths_unit(fs_paths_u32(random));
    float ratio = 1.0f / m->ior;
    if (fs_vec3f_dot(n, in) > 0) {
        n = fs_vec3f_scale(n, -1.0f);
        ratio = m->ior;
    }
    fs_vec3f out;
    if (fs_refract(in, n, ratio, &out) && u > fs_schlick(-fs_vec3f_dot(n, in), ratio))
        return fs_vec3f_unit(out);
    *coloured = false;
    return fs_vec3f_unit(fs_reflect(in, n));
}

static ray camera_ray(const fs_mesh_scene *s, const fs_walk_params *p, uint32_t pixel,
                      fs_path_random *random) {
    float shift[2];
    for (int i = 0; i < 2; i++) {
        int sum = 0;
        for (int k = 0; k < 3; k++)
            for (uint32_t x = fs_paths_u32(random), byte = 0; byte < 4; byte++)
                sum += (int)(x >> 8 * byte & 255u);
        shift[i] = p->jitter * ((float)(sum - 1530) / 256.0f);
    }
    const float aspect = (float)p->width / (float)p->height,
                tangent = (float)(fs_tan((double)s->camera.fov / 2) *
                                  (s->camera.across ? (double)p->height / (double)p->width : 1));
    const uint32_t column = pixel % p->width, row = pixel / p->width;
    const float x = (float)column + 0.5f + shift[0], y = (float)row + 0.5f + shift[1];
    const fs_vec3f d =
        fs_vec3f_unit((fs_vec3f){x * (2.0f * aspect * tangent / (float)p->width) - aspect * tangent,
                                 y * (-2.0f * tangent / (float)p->height) + tangent, -1.0f});
    return (ray){.d = {d.x, d.y, d.z}};
}

static void move_off(ray *r, fs_vec3f at, fs_vec3f n, fs_vec3f to) {
    const float o[3] = {at.x, at.y, at.z};
    const float by = copysignf((1.0f + absolute3(o)) * (1500.0f * eps), fs_vec3f_dot(n, to));
    *r = (ray){{at.x + n.x * by, at.y + n.y * by, at.z + n.z * by}, {to.x, to.y, to.z}};
}

static fs_walk_end follow(const fs_mesh_scene *s, const fs_bvh *tree, const fs_walk_params *p, ray *r,
                          fs_path_random *random, fs_walk_path *path, uint32_t *counts) {
    for (uint32_t i = 0; i < p->most_segments; i++) {
        float t, share[3];
        counts[FS_WALK_SEGMENT]++;
        path->segments++;
        const uint32_t hit = nearest(s, tree, r, counts, &t, share);
        if (hit == UINT32_MAX) {
            counts[FS_WALK_ESCAPE]++;
            return FS_WALK_ESCAPED;
        }
        const fs_material *m = &s->material[fs_mesh_material_of(s, hit)];
        const fs_vec3f in = {r->d[0], r->d[1], r->d[2]};
        const fs_vec3f at = fs_vec3f_add((fs_vec3f){r->o[0], r->o[1], r->o[2]}, fs_vec3f_scale(in, t));
        const fs_vec3f wound = normal_at(s, hit, at, share);
        const bool turn = s->faces_rays && m->kind == FS_MATERIAL_DIFFUSE && fs_vec3f_dot(wound, in) > 0;
        const fs_vec3f n = turn ? fs_vec3f_scale(wound, -1.0f) : wound;
        bool coloured;
        counts[FS_WALK_HIT]++;
        counts[FS_WALK_EMISSION] += m->emission[0] > 0 || m->emission[1] > 0 || m->emission[2] > 0;
        for (int c = 0; c < 3; c++)
            path->emitted[c] += path->throughput[c] * m->emission[c];
        const fs_vec3f to = leave(m, in, n, random, counts, &coloured);
        for (int c = 0; c < 3; c++)
            path->throughput[c] *= coloured ? m->albedo[c] : 1.0f;
        if (i > p->roulette_above) {
            const float keep = largest3(path->throughput[0], path->throughput[1], path->throughput[2]);
            counts[FS_WALK_ROULETTE]++;
            const float u = fs_paths_unit(fs_paths_u32(random));
            memcpy(r->d, &to, sizeof r->d);
            if (keep == 0 || u > keep)
                return FS_WALK_STOPPED;
            for (int c = 0; c < 3; c++)
                path->throughput[c] *= 1.0f / keep;
        }
        move_off(r, at, n, to);
    }
    return FS_WALK_FULL;
}

void naive_path(const fs_mesh_scene *scene, const fs_bvh *tree, const fs_walk_params *params, fs_walk_key key,
                fs_walk_path *path, uint32_t counts[FS_WALK_EVENTS]) {
    fs_path_random random =
        fs_paths_random_of(fs_rng_stream(params->seed, "pathtrace/paths"), key.pixel, key.sample);
    ray r = camera_ray(scene, params, key.pixel, &random);
    memset(counts, 0, FS_WALK_EVENTS * sizeof *counts);
    *path = (fs_walk_path){.throughput = {1, 1, 1}};
    counts[FS_WALK_CAMERA]++;
    counts[FS_WALK_END]++;
    path->end = (uint16_t)follow(scene, tree, params, &r, &random, path, counts);
    memcpy(path->direction, r.d, sizeof r.d);
}
