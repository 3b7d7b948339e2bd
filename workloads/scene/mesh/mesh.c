#include "workloads/scene/mesh/mesh.h"

#include "sim/base/detmath.h"
#include "sim/base/host.h"
#include "sim/base/numbers.h"
#include "sim/config/config.h"
#include "sim/host/voice.h"
#include "workloads/scene/files/captured.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <math.h>

static const char *const builtins[] = {"none", "box", "spheres", "grove", NULL};

#define GROVE_ALONE "scene.builtin=grove"

#define S          fs_mesh_scene_params
#define FS_ROWS_OF S
static const fs_param rows[] = {
    FS_PATH(file, "",
            "GLB, Collada, OBJ or PLY; with builtin: box what stands on the short block instead of a bust "
            "that is made up",
            GEOMETRY, .from = {"neural_path_tracing.md 2", '-'}, .names = fs_mesh_names),
    FS_ENUM(builtin, "none", builtins,
            "a scene that needs no file: the paper's box or its spheres; a grove of any size", GEOMETRY,
            .from = {"neural_path_tracing.md 2", '-'}),
    FS_INT(grove.k, NONE, "1", 1, 64, "of a grove: 315,392 k^2 triangles", GEOMETRY, .only = GROVE_ALONE),
    FS_BOOL(grove.closed, "false", "of a grove: a box around it, which no ray leaves", GEOMETRY,
            .only = GROVE_ALONE),
    FS_INT(grove.ground, NONE, "256", 1, 1024, "of a grove: quads of its ground a side, times k", GEOMETRY,
           .only = GROVE_ALONE),
    FS_INT(grove.shrubs, NONE, "3", 1, 64, "of a grove: shrubs a side, times k", GEOMETRY,
           .only = GROVE_ALONE),
    FS_INT(grove.level, NONE, "5", 0, 8, "of a grove: a shrub has 20 x 4^level triangles", GEOMETRY,
           .only = GROVE_ALONE),
    FS_PARAM_INT("soup.triangles", S, soup_triangles, NONE, "0", 0, 16777216,
                 "random triangles, corners independent and uniform in the unit cube; 0: no soup", GEOMETRY,
                 .from = {"fpga_engine.md 2", '-'}),
    FS_PARAM_REAL(
        "soup.edge", S, soup_edge, NONE, "0", 0, 1e6,
        "of a soup: all its triangles equilateral with edges so long, their centres uniform in the unit "
        "cube, turned at random; 0: corners independent",
        GEOMETRY, .from = {"fpga_engine.md 4", 'A'}),
    FS_PARAM_INT("soup.seed", S, soup_seed, NONE, "1", 0, 1e15, "of a soup", GEOMETRY),
    FS_BOOL(normals, "false", "keep the normals of the file; false: each triangle has its own", GEOMETRY,
            .from = {"neural_path_tracing.md 2", '-'}),
    FS_BOOL(as_wound, "false",
            "diffuse surfaces of the file scatter to the side of their winding, as in the public program; "
            "false: to the side that a ray came from",
            GEOMETRY, .from = {"neural_path_tracing.md 2", '-'}),
    FS_REAL(albedo, NONE, "0.75", 0, 1, "of meshes without a material, and of a grove", GEOMETRY),
    FS_PARAM_VEC3("camera.position", S, position, NONE, "none", -1e15, 1e15,
                  "where the camera is; absent: the scene's", GEOMETRY),
    FS_PARAM_VEC3("camera.look_at", S, look_at, NONE, "none", -1e15, 1e15,
                  "a point on its axis, with position", GEOMETRY),
    FS_PARAM_VEC3("camera.up", S, up, NONE, "none", -1e15, 1e15,
                  "a direction that is up in the picture, with position; y if absent", GEOMETRY),
    FS_PARAM_REAL("camera.fov", S, fov, DEGREES, "0 deg", 0, 170,
                  "angle of view across the picture's width; 0: the scene's", GEOMETRY,
                  .from = {"neural_path_tracing.md 2", '-'}),
};

/* ---- rules ---- */

enum { MOST_TRIANGLES = 1 << 30 };

static void check_grove(const fs_mesh_scene_params *p, fs_check *check) {
    const fs_mesh_grove *g = &p->grove;
    if (p->builtin != FS_MESH_BUILTIN_GROVE) {
        if (g->k != 1 || g->closed || g->ground != 256 || g->shrubs != 3 || g->level != 5)
            fs_check_wrong(check, "scene.grove", "counts with builtin: grove alone, found %s",
                           builtins[p->builtin]);
        return;
    }
    if (fs_mesh_grove_triangles(g) > MOST_TRIANGLES)
        fs_check_wrong(check, "scene.grove.k", "%s triangles; expected at most %s",
                       fs_number_grouped(fs_mesh_grove_triangles(g)), fs_number_grouped(MOST_TRIANGLES));
}

static void check(const void *params, fs_check *check) {
    const fs_mesh_scene_params *p = params;
    const bool filled = p->file[0] != '\0' && p->builtin != FS_MESH_BUILTIN_BOX;
    const int sources = (p->builtin != FS_MESH_BUILTIN_NONE) + (p->soup_triangles > 0) + filled;
    if (sources != 1)
        fs_check_wrong(check, "scene", "%s; expected one of file, builtin and soup.triangles",
                       sources == 0 ? "no source of the scene is given"
                                    : "two sources of the scene are given");
    if (p->soup_edge > 0 && p->soup_triangles == 0)
        fs_check_wrong(check, "scene.soup.edge", "expected a soup; soup.triangles is 0");
    if (p->as_wound && !filled)
        fs_check_wrong(check, "scene.as_wound", "counts with a file alone, found none");
    check_grove(p, check);
    fs_check_file(check, "scene.file", p->file, FS_SCENE_CAPTURED);
    if (p->position_given != p->look_at_given)
        fs_check_wrong(check, p->position_given ? "scene.camera.position" : "scene.camera.look_at",
                       "camera.position and camera.look_at come together");
    if (p->up_given && !p->position_given)
        fs_check_wrong(check, "scene.camera.up", "camera.up comes with camera.position and camera.look_at");
    const double *a = p->position, *l = p->look_at, *u = p->up;
    const double f[3] = {l[0] - a[0], l[1] - a[1], l[2] - a[2]};
    const double up[3] = {p->up_given ? u[0] : 0, p->up_given ? u[1] : 1, p->up_given ? u[2] : 0};
    const double c[3] = {f[1] * up[2] - f[2] * up[1], f[2] * up[0] - f[0] * up[2],
                         f[0] * up[1] - f[1] * up[0]};
    if (p->position_given && p->look_at_given && c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 0)
        fs_check_wrong(check, "scene.camera.look_at",
                       "the camera looks along its up direction or at its own place");
}

const fs_param_table fs_mesh_scene_table = FS_PARAM_TABLE(
    "scene/mesh",
    "triangles, spheres and discs with materials: read from a file, built in, or a soup of random triangles",
    rows, sizeof(fs_mesh_scene_params), .check = check);

/* ---- the camera ---- */

static void unit(const double v[3], float out[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int a = 0; a < 3; a++)
        out[a] = (float)(v[a] / length);
}

static void set_camera(const fs_mesh_scene_params *p, fs_mesh_camera *camera) {
    if (p->fov > 0) {
        camera->fov = (float)(p->fov * FS_DEGREE);
        camera->across = true;
    }
    if (!p->position_given)
        return;
    const double up[3] = {p->up_given ? p->up[0] : 0, p->up_given ? p->up[1] : 1, p->up_given ? p->up[2] : 0};
    double forward[3], across[3], over[3];
    for (int a = 0; a < 3; a++) {
        forward[a] = p->look_at[a] - p->position[a];
        camera->position[a] = (float)p->position[a];
    }
    for (int a = 0; a < 3; a++)
        across[a] = forward[(a + 1) % 3] * up[(a + 2) % 3] - forward[(a + 2) % 3] * up[(a + 1) % 3];
    for (int a = 0; a < 3; a++)
        over[a] = across[(a + 1) % 3] * forward[(a + 2) % 3] - across[(a + 2) % 3] * forward[(a + 1) % 3];
    unit(forward, camera->forward);
    unit(over, camera->up);
}

double fs_mesh_camera_tangent(const fs_mesh_camera *camera, uint32_t width, uint32_t height) {
    const double half = fs_tan((double)camera->fov / 2);
    return camera->across ? half * height / width : half;
}

/* ---- loading ---- */

/* What stands in the box: a file's meshes, or nothing for the bust that is made up. */
static fs_status fill_box(const fs_mesh_scene_params *p, fs_mesh_builder *b, fs_error *err) {
    fs_mesh_builder bust = {0};
    if (p->file[0] != '\0' && fs_mesh_read_file(p->file, false, false, p->albedo, &bust, err) == FS_OK)
        fs_mesh_build_box(b, &bust.scene);
    else if (err->status == FS_OK)
        fs_mesh_build_box(b, NULL);
    fs_mesh_builder_free(&bust);
    return err->status;
}

/* Of the host a triangle from nothing to its place in a BVH that is ready to be walked: bytes at the most at once,
 * seconds of a core of a common PC. */
static const double GROVE_BYTES = 170, GROVE_SECONDS = 1e-6;
enum { LARGE = 1000000 }; /* triangles that are announced */

static void make_grove(const fs_mesh_scene_params *p, fs_mesh_builder *b, fs_error *err) {
    const double triangles = fs_mesh_grove_triangles(&p->grove), bytes = GROVE_BYTES * triangles,
                 host = (double)fs_host_memory_bytes();
    if (bytes > 0.75 * host) {
        fs_fail(err, FS_INPUT,
                "scene.grove.k: %s triangles take about %.1f GB of the host, which has %.1f; expected fewer",
                fs_number_grouped(triangles), 1e-9 * bytes, 1e-9 * host);
        return;
    }
    if (triangles >= LARGE)
        fs_say("a grove of %s triangles takes about %.1f GB of the host and %s of an idle core",
               fs_number_grouped(triangles), 1e-9 * bytes, fs_number_seconds(GROVE_SECONDS * triangles));
    fs_mesh_build_grove(b, &p->grove, p->albedo);
}

fs_status fs_mesh_scene_load(const fs_mesh_scene_params *params, fs_arena *arena, fs_mesh_scene *out,
                             fs_error *err) {
    fs_mesh_builder b = {0};
    const char *where = params->file[0] != '\0' ? params->file : "scene";
    if (params->builtin == FS_MESH_BUILTIN_BOX)
        fill_box(params, &b, err);
    else if (params->builtin == FS_MESH_BUILTIN_SPHERES)
        fs_mesh_build_spheres(&b);
    else if (params->builtin == FS_MESH_BUILTIN_GROVE)
        make_grove(params, &b, err);
    else if (params->soup_triangles > 0)
        fs_mesh_build_soup(&b, (uint32_t)params->soup_triangles, params->soup_edge,
                           (uint64_t)params->soup_seed);
    else
        fs_mesh_read_file(params->file, params->normals, !params->position_given || params->fov == 0,
                          params->albedo, &b, err);
    if (err->status != FS_OK) {
        fs_mesh_builder_free(&b);
        return err->status;
    }
    b.scene.faces_rays =
        params->builtin == FS_MESH_BUILTIN_NONE && params->soup_triangles == 0 && !params->as_wound;
    set_camera(params, &b.scene.camera);
    return fs_mesh_seal(&b, where, arena, out, err);
}
