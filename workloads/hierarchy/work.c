/* From a scene to what each ray asks for. */
#include "workloads/hierarchy/work.h"

#include "sim/base/host.h"
#include "sim/host/signals.h"
#include "sim/host/voice.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { QUAD = 4 };

/* What lives while rays are walked. */
typedef struct geometry {
    fs_arena *arena;
    fs_mesh_scene scene;
    fs_corners *corner;
    fs_hierarchy tree;
    fs_hierarchy_rays rays;
} geometry;

static fs_status load(const fs_hierarchy_params *p, const fs_mesh_scene_params *scene, const char *where,
                      geometry *g, fs_error *err) {
    const fs_hierarchy_shape shape = {.kind = (fs_hierarchy_kind)p->builder,
                                      .width = (uint32_t)p->tree_width,
                                      .leaf = (uint32_t)p->leaf,
                                      .group = p->primitive == FS_PRIMITIVE_QUAD ? QUAD : 1};
    g->arena = fs_arena_create();
    if (fs_mesh_scene_load(scene, g->arena, &g->scene, err))
        return err->status;
    if (g->scene.triangles == 0)
        return fs_fail(err, FS_INPUT,
                       "%s: expected triangles, which are all that the engine tests; found none", where);
    g->corner = fs_arena_alloc(g->arena, g->scene.triangles, sizeof *g->corner);
    for (uint32_t t = 0; t < g->scene.triangles; t++)
        for (int k = 0; k < 3; k++)
            memcpy(g->corner[t][k], g->scene.vertex[g->scene.triangle[t][k]], sizeof g->corner[t][k]);
    if (fs_hierarchy_build((const fs_corners *)g->corner, g->scene.triangles, &shape, where, g->arena,
                           &g->tree, err))
        return err->status;
    return fs_hierarchy_rays_make(p, &g->scene.camera, g->tree.low, g->tree.high, g->arena, &g->rays, err);
}

/* ---- the right hits ---- */

/* Every `step`-th ray. */
static void find_nearest(const fs_hierarchy_params *p, const geometry *g, fs_hierarchy_work *out) {
    const uint32_t rays = g->rays.rays,
                   wanted = p->checked == 0 || p->checked > rays ? rays : (uint32_t)p->checked;
    if (p->reference == FS_NEAREST_NONE || wanted == 0)
        return;
    out->step = rays / wanted;
    FS_ASSERT(out->step > 0, "%" PRIu32 " of %" PRIu32 " rays are checked", wanted, rays);
    out->checked = (rays + out->step - 1) / out->step;
    fs_unit_walk_ray *some = fs_malloc(out->checked * sizeof *some);
    for (uint32_t i = 0; i < out->checked; i++)
        some[i] = g->rays.ray[(size_t)i * out->step];
    out->nearest = fs_malloc(out->checked * sizeof *out->nearest);
    if (p->reference == FS_NEAREST_BRUTE_FORCE)
        fs_unit_walk_brute(&g->tree, some, out->checked, false, out->nearest);
    else
        fs_unit_walk_depth_first(&g->tree, some, out->checked, false, out->nearest, &out->visits);
    free(some);
}

/* ---- the picture ---- */

static uint8_t shade_of(const geometry *g, uint32_t ray, const fs_unit_walk_hit *hit) {
    if (hit->triangle == FS_UNIT_WALK_MISS)
        return 0;
    const float *d = g->rays.ray[ray].direction;
    float(*v)[3] = g->corner[hit->triangle];
    double e[3], f[3], along = 0, square = 0;
    for (int a = 0; a < 3; a++) {
        e[a] = (double)v[1][a] - (double)v[0][a];
        f[a] = (double)v[2][a] - (double)v[0][a];
    }
    for (int a = 0; a < 3; a++) {
        const double n = e[(a + 1) % 3] * f[(a + 2) % 3] - e[(a + 2) % 3] * f[(a + 1) % 3];
        along += n * (double)d[a];
        square += n * n;
    }
    const double cosine = square > 0 ? fabs(along) / sqrt(square) : 0;
    return (uint8_t)(1 + 254 * (cosine < 1 ? cosine : 1));
}

static void shade(const geometry *g, fs_hierarchy_work *out) {
    if (out->width == 0)
        return;
    out->shade = fs_malloc(g->rays.rays);
    for (uint32_t r = 0; r < g->rays.rays; r++)
        out->shade[r] = shade_of(g, r, &out->walks.end[r].hit);
    if (out->checked == 0)
        return;
    out->right = fs_malloc(out->checked);
    for (uint32_t i = 0; i < out->checked; i++)
        out->right[i] = shade_of(g, i * out->step, &out->nearest[i]);
}

/* ---- what the host bears ---- */

/* Bytes of a ray, those of its check and order included, and of a request: as walked, and for the machine. */
enum { REQUEST_BYTES = sizeof(fs_unit_walk_request) + sizeof(fs_engine_request) };
enum {
    RAY_BYTES = 3 * sizeof(fs_unit_walk_ray) + 2 * sizeof(uint32_t) + sizeof(uint64_t) +
                sizeof(fs_unit_walk_end) + sizeof(fs_unit_walk_hit)
};

double fs_hierarchy_rays_borne(double per_ray) {
    return 0.75 * (double)fs_host_memory_bytes() / (RAY_BYTES + per_ray * REQUEST_BYTES);
}

static fs_unit_walk_rules rules_of(const fs_hierarchy_params *p, uint32_t queue) {
    return (fs_unit_walk_rules){.queue = queue, .stop = (fs_unit_walk_stop)p->stop, .behind = p->behind != 0};
}

/* Some rays in even steps over all are walked first: what they ask for is about what all will. */
static fs_status look_ahead(const fs_hierarchy_params *p, const geometry *g, uint32_t queue,
                            fs_unit_walks *some, fs_error *err) {
    enum { LOOK = 1024 };
    static const char *const keys[] = {
        [FS_RAYS_RANDOM] = "rays", [FS_RAYS_CAMERA] = "camera.width and height", [FS_RAYS_FILE] = "file"};
    const uint32_t rays = g->rays.rays, count = rays < LOOK ? rays : LOOK;
    const fs_unit_walk_rules rules = rules_of(p, queue);
    fs_unit_walk_ray *ray = fs_malloc(((size_t)count + 1) * sizeof *ray);
    for (uint32_t i = 0; i < count; i++)
        ray[i] = g->rays.ray[(size_t)i * rays / count];
    const double began = fs_host_cpu_seconds();
    const bool whole = fs_unit_walk_all(&g->tree, ray, count, &rules, some);
    const double seconds = (fs_host_cpu_seconds() - began) / (count + 1) * rays;
    free(ray);
    if (!whole)
        return fs_fail(err, FS_RUN, "interrupted");
    const double per_ray = (double)some->first[count] / (count + 1e-9),
                 most = fs_hierarchy_rays_borne(per_ray),
                 gigabytes = 1e-9 * rays * (RAY_BYTES + per_ray * REQUEST_BYTES);
    if (rays > most)
        return fs_fail(err, FS_INPUT,
                       "workload.%s: %" PRIu32
                       " rays, which ask about %.1f times each, would take %.1f GB of the host; "
                       "expected at most %.0f rays",
                       keys[p->source], rays, per_ray, gigabytes, most);
    if (gigabytes > 1 || seconds > 60)
        fs_say("%" PRIu32
               " rays ask about %.1f times each: %.1f GB of the host, about %.0f s to walk on one core",
               rays, per_ray, gigabytes, seconds);
    return FS_OK;
}

/* ---- all of it ---- */

static fs_status walk_all(const fs_hierarchy_params *p, const geometry *g, uint32_t queue,
                          fs_hierarchy_work *out, fs_error *err) {
    fs_progress progress;
    fs_unit_walk_rules rules = rules_of(p, queue);
    rules.progress = &progress;
    out->given = fs_malloc(g->rays.rays * sizeof *out->given);
    memcpy(out->given, g->rays.given, g->rays.rays * sizeof *out->given);
    fs_unit_walks_free(&out->walks);
    fs_progress_begin(&progress, "rays walked", g->rays.rays);
    const bool whole = fs_unit_walk_all(&g->tree, g->rays.ray, g->rays.rays, &rules, &out->walks);
    fs_progress_end(&progress);
    if (whole)
        find_nearest(p, g, out);
    if (!whole || fs_interrupted())
        return fs_fail(err, FS_RUN, "interrupted");
    shade(g, out);
    return FS_OK;
}

fs_status fs_hierarchy_work_make(const fs_hierarchy_params *p, const fs_mesh_scene_params *scene,
                                 uint32_t queue, bool look_only, const char *where, fs_hierarchy_work *out,
                                 fs_error *err) {
    geometry g = {0};
    *out = (fs_hierarchy_work){0};
    fs_status status = load(p, scene, where, &g, err);
    if (status == FS_OK)
        status = look_ahead(p, &g, queue, &out->walks, err);
    if (status == FS_OK) {
        out->facts = (fs_hierarchy_facts){.triangles = g.scene.triangles,
                                          .degenerate = g.scene.degenerate,
                                          .others = g.scene.spheres + g.scene.discs,
                                          .nodes = g.tree.nodes,
                                          .slots = g.tree.slots,
                                          .leaves = g.tree.leaves,
                                          .depth = g.tree.depth};
        out->width = g.rays.width;
        out->height = g.rays.height;
        if (!look_only)
            status = walk_all(p, &g, queue, out, err);
        if (status == FS_OK)
            out->requests = out->walks.first[out->walks.rays];
    }
    fs_arena_free(g.arena);
    return status;
}

void fs_hierarchy_work_free(fs_hierarchy_work *work) {
    fs_unit_walks_free(&work->walks);
    free(work->nearest);
    free(work->given);
    free(work->shade);
    free(work->right);
    *work = (fs_hierarchy_work){0};
}

fs_status fs_hierarchy_walk_again(const fs_hierarchy_params *p, const fs_mesh_scene_params *scene,
                                  uint32_t queue, uint64_t most_requests, const char *where,
                                  fs_unit_walks *out, bool *too_many, fs_error *err) {
    geometry g = {0};
    fs_unit_walk_rules rules = rules_of(p, queue);
    rules.most_requests = most_requests;
    rules.most_held = 16384;
    fs_status status = load(p, scene, where, &g, err);
    if (status == FS_OK)
        *too_many = !fs_unit_walk_all(&g.tree, g.rays.ray, g.rays.rays, &rules, out);
    fs_arena_free(g.arena);
    return status == FS_OK && fs_interrupted() ? fs_fail(err, FS_RUN, "interrupted") : status;
}

/* ---- for the machine ---- */

uint32_t fs_hierarchy_node_bytes(const fs_hierarchy_params *p) {
    enum { CHILD = 28 }; /* six numbers and a reference */
    return (uint32_t)p->tree_width * CHILD;
}

static fs_engine_request request_of(const fs_hierarchy_params *p, uint64_t primitives, uint32_t node_bytes,
                                    const fs_unit_walk_request *r) {
    fs_engine_request out = {.inserted = r->inserted, .lost = r->lost};
    if (!fs_encoded_is_leaf(r->reference)) {
        out.address = (uint64_t)fs_encoded_id(r->reference) * node_bytes;
        out.bytes = node_bytes;
        out.items = (uint8_t)p->tree_width;
        return out;
    }
    const uint32_t group = p->primitive == FS_PRIMITIVE_QUAD ? QUAD : 1,
                   count = (fs_encoded_count(r->reference) + group - 1) / group;
    out.leaf = true;
    out.address = primitives + fs_encoded_first(r->reference) / group * (uint64_t)p->primitive_bytes;
    out.bytes = count * (uint32_t)p->primitive_bytes;
    out.items = (uint8_t)(count * group);
    return out;
}

void fs_hierarchy_itinerary(const fs_hierarchy_params *p, const fs_hierarchy_facts *facts,
                            const fs_unit_walks *walks, uint32_t queue, fs_arena *arena,
                            fs_engine_itinerary *out) {
    const uint32_t node_bytes = fs_hierarchy_node_bytes(p),
                   group = p->primitive == FS_PRIMITIVE_QUAD ? QUAD : 1;
    const uint64_t primitives = facts->nodes * node_bytes, requests = walks->first[walks->rays];
    fs_engine_request *request = FS_NEW(arena, fs_engine_request, requests);
    bool *hit = FS_NEW(arena, bool, walks->rays);
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < requests; i++)
        request[i] = request_of(p, primitives, node_bytes, &walks->request[i]);
    for (uint32_t r = 0; r < walks->rays; r++)
        hit[r] = walks->end[r].hit.triangle != FS_UNIT_WALK_MISS;
    *out =
        (fs_engine_itinerary){.request = request,
                              .first = walks->first,
                              .hit = hit,
                              .rays = walks->rays,
                              .tree_bytes = primitives + facts->slots / group * (uint64_t)p->primitive_bytes,
                              .node_bytes = node_bytes,
                              .ray_in = (uint32_t)p->ray_bytes,
                              .ray_out = (uint32_t)p->hit_bytes,
                              .queue = queue};
}
