/* Primary hits and normals of the walk against Embree's (NPT Tab. 3), where libembree-dev is there to build
 * with. */
#include "tests/support/foam/lone_ray.h"

#include "sim/config/config.h"
#include "tests/support/test.h"

#if __has_include(<embree3/rtcore.h>)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <embree3/rtcore.h>
#pragma GCC diagnostic pop

typedef struct oracle {
    RTCDevice device;
    RTCScene scene;
} oracle;

static float *points_of(RTCGeometry geometry, enum RTCBufferType type, uint32_t count, uint32_t numbers) {
    const enum RTCFormat format = numbers == 4 ? RTC_FORMAT_FLOAT4 : RTC_FORMAT_FLOAT3;
    return rtcSetNewGeometryBuffer(geometry, type, 0, format, numbers * sizeof(float), count);
}

static void attach(oracle *o, RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(o->scene, geometry);
    rtcReleaseGeometry(geometry);
}

static void add_triangles(oracle *o, const fs_mesh_scene *s) {
    if (s->triangles == 0)
        return;
    RTCGeometry g = rtcNewGeometry(o->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    memcpy(points_of(g, RTC_BUFFER_TYPE_VERTEX, s->vertices, 3), s->vertex, s->vertices * sizeof *s->vertex);
    memcpy(rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof *s->triangle,
                                   s->triangles),
           s->triangle, s->triangles * sizeof *s->triangle);
    attach(o, g);
}

static void add_shapes(oracle *o, const fs_mesh_scene *s) {
    if (s->spheres > 0) {
        RTCGeometry g = rtcNewGeometry(o->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
        float *v = points_of(g, RTC_BUFFER_TYPE_VERTEX, s->spheres, 4);
        for (uint32_t i = 0; i < s->spheres; i++)
            memcpy(v + 4 * (size_t)i, s->sphere[i].centre, 4 * sizeof *v); /* centre and radius */
        attach(o, g);
    }
    if (s->discs > 0) {
        RTCGeometry g = rtcNewGeometry(o->device, RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT);
        float *v = points_of(g, RTC_BUFFER_TYPE_VERTEX, s->discs, 4),
              *n = points_of(g, RTC_BUFFER_TYPE_NORMAL, s->discs, 3);
        for (uint32_t i = 0; i < s->discs; i++) {
            memcpy(v + 4 * (size_t)i, s->disc[i].centre, 3 * sizeof *v);
            v[4 * (size_t)i + 3] = s->disc[i].radius;
            memcpy(n + 3 * (size_t)i, s->disc[i].normal, 3 * sizeof *n);
        }
        attach(o, g);
    }
}

static oracle open_oracle(const fs_mesh_scene *s) {
    oracle o = {.device = rtcNewDevice("threads=1")};
    assert_non_null(o.device);
    o.scene = rtcNewScene(o.device);
    rtcSetSceneFlags(o.scene, RTC_SCENE_FLAG_ROBUST);
    add_triangles(&o, s);
    add_shapes(&o, s);
    rtcCommitScene(o.scene);
    return o;
}

/* Distance, infinite for none, and the normal as Embree has it. */
static float ask(const oracle *o, const fs_walk_ray *ray, float normal[3]) {
    struct RTCIntersectContext context;
    struct RTCRayHit hit = {.ray = {.dir_x = ray->direction[0],
                                    .dir_y = ray->direction[1],
                                    .dir_z = ray->direction[2],
                                    .tfar = INFINITY,
                                    .mask = UINT32_MAX},
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcInitIntersectContext(&context);
    rtcIntersect1(o->scene, &context, &hit);
    const fs_vec3f n = fs_vec3f_unit((fs_vec3f){hit.hit.Ng_x, hit.hit.Ng_y, hit.hit.Ng_z});
    normal[0] = n.x;
    normal[1] = n.y;
    normal[2] = n.z;
    return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? INFINITY : hit.ray.tfar;
}

static void normal_of(const fs_walk_leaf *leaf, const fs_walk_ray *ray, float t, float out[3]) {
    memcpy(out, leaf->normal, sizeof leaf->normal);
    if (leaf->shape != FS_WALK_IS_SPHERE)
        return;
    const fs_vec3f n =
        fs_vec3f_unit((fs_vec3f){ray->direction[0] * t - leaf->a[0], ray->direction[1] * t - leaf->a[1],
                                 ray->direction[2] * t - leaf->a[2]});
    out[0] = n.x;
    out[1] = n.y;
    out[2] = n.z;
}

/* Mean squared errors, the worst of x, y and z, of the hits and of the normals up to their side. */
static void compare(const char *name, const fs_mesh_scene_params *params, double most_hit,
                    double most_normal) {
    fs_arena *arena = fs_arena_create();
    fs_mesh_scene scene;
    fs_bvh tree;
    fs_walk_scene walk;
    fs_error err = {.status = FS_OK};
    assert_ok(fs_mesh_scene_load(params, arena, &scene, &err), &err);
    fs_mesh_scene_to_camera(&scene);
    assert_ok(fs_bvh_build(&scene, FS_TREE_NODE_HALF, arena, &tree, &err), &err);
    fs_walk_prepare(&walk, &scene, &tree, arena);
    const fs_walk_params view = {
        .width = 300, .height = 300, .seed = 1, .most_segments = 10, .roulette_above = 3};
    const fs_walk_lens lens = fs_walk_lens_of(&walk, &view);
    const oracle o = open_oracle(&scene);
    double hit_error[3] = {0}, normal_error[3] = {0};
    uint32_t both = 0, one = 0;
    for (uint32_t pixel = 0; pixel < view.width * view.height; pixel++) {
        uint32_t counts[FS_WALK_EVENTS] = {0};
        float theirs[3], ours[3];
        fs_walk_state state;
        fs_walk_begin(&lens, (fs_walk_key){pixel, 0}, &state, counts);
        const fs_walk_hit hit = lone_ray_nearest(&walk, &state.ray);
        const float t = ask(&o, &state.ray, theirs);
        if (!(t < INFINITY) || !(hit.t < INFINITY)) {
            one += (t < INFINITY) != (hit.t < INFINITY);
            continue;
        }
        both++;
        normal_of(&walk.leaf[hit.leaf], &state.ray, hit.t, ours);
        const float side = ours[0] * theirs[0] + ours[1] * theirs[1] + ours[2] * theirs[2] < 0 ? -1.0f : 1.0f;
        for (int a = 0; a < 3; a++) {
            const double apart = (double)(state.ray.direction[a] * (hit.t - t)),
                         tilt = (double)(ours[a] - side * theirs[a]);
            hit_error[a] += apart * apart;
            normal_error[a] += tilt * tilt;
        }
    }
    const double worst_hit = fmax(hit_error[0], fmax(hit_error[1], hit_error[2])) / both,
                 worst_normal = fmax(normal_error[0], fmax(normal_error[1], normal_error[2])) / both;
    print_message("%s: %u hits, %u of one alone, MSE of hits %.2g, of normals %.2g\n", name, both, one,
                  worst_hit, worst_normal);
    assert_true(both > 10000);
    assert_true(one <= both / 10000);
    assert_true(worst_hit <= most_hit);
    assert_true(worst_normal <= most_normal);
    rtcReleaseScene(o.scene);
    rtcReleaseDevice(o.device);
    fs_arena_free(arena);
}

TEST(hits_are_embree_s) {
    fs_arena *arena = test_arena();
    fs_mesh_scene_params p;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.builtin = FS_MESH_BUILTIN_BOX;
    compare("box", &p, 1e-7, 1e-5);
    p.builtin = FS_MESH_BUILTIN_SPHERES;
    compare("spheres", &p, 1e-12, 1e-5);
    p.builtin = FS_MESH_BUILTIN_NONE;
    const char *given = getenv("FOAMSIM_SHARED"), *const names[] = {"hdri_test.dae", "test_scene.dae"};
    for (int i = 0; i < 2; i++) {
        p.file =
            fs_arena_printf(arena, "%s/scenes/pathtrace/%s", given != NULL ? given : "../shared", names[i]);
        FILE *file = fopen(p.file, "rb");
        if (file == NULL) {
            print_message("%s is not there: not compared\n", p.file);
            continue;
        }
        fclose(file);
        compare(names[i], &p, 1e-12, 1e-5);
    }
}

#else

TEST(hits_are_embree_s) {
    print_message("libembree-dev is not there: skipped\n");
    skip();
}

#endif

RUN_TESTS(NULL, NULL)
