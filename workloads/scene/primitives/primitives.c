#include "workloads/scene/primitives/primitives.h"

#include "sim/config/config.h"
#include "workloads/scene/files/captured.h"

enum { ROOM, CAUSTICS };
static const char *const builtins[] = {[ROOM] = "room", [CAUSTICS] = "caustics", NULL};

static const fs_param rows[] = {
    FS_PARAM_PATH("file", fs_primitives_params, file, "",
                  "YAML file of spheres, planes, discs and materials, in place of a built-in scene",
                  GEOMETRY),
    FS_PARAM_ENUM(
        "builtin", fs_primitives_params, builtin, "room", builtins,
        "a scene that needs no file; room: 13 objects, closed; caustics: 7 objects under a black sky",
        GEOMETRY, .from = {"poplar_path_tracer.md 1 and 4", 'R'}),
};
static void check(const void *params, fs_check *check) {
    fs_check_file(check, "scene.file", ((const fs_primitives_params *)params)->file, FS_SCENE_CAPTURED);
}

const fs_param_table fs_primitives_table = FS_PARAM_TABLE("scene/primitives", "spheres, planes and discs",
                                                          rows, sizeof(fs_primitives_params), .check = check);

/* ---- the room (poplar_path_tracer.md 1: objects, materials) ---- */

#define ROOM_COLOUR(r, g, b)                                                                                 \
    { 15.0f * (r), 15.0f * (g), 15.0f * (b) }
enum { MIRROR, GLASS, BALL, LAMP_A, LAMP_B, LAMP_C, FLOOR, BACK, LEFT, RIGHT, CEILING, FRONT, LAMP };

static const fs_surface room_material[] = {
    [MIRROR] = {.name = "mirror", .kind = FS_SURFACE_MIRROR},
    [GLASS] = {.name = "glass", .kind = FS_SURFACE_GLASS, .index = 1.5f},
    [BALL] = {.name = "ball", .colour = ROOM_COLOUR(0.4f, 0.4f, 0.8f)},
    [LAMP_A] = {"red lamp", FS_SURFACE_MIRROR, {0, 0, 0}, {1000, 250, 250}, 0, true},
    [LAMP_B] = {"green lamp", FS_SURFACE_MIRROR, {0, 0, 0}, {250, 1000, 250}, 0, true},
    [LAMP_C] = {"blue lamp", FS_SURFACE_MIRROR, {0, 0, 0}, {250, 250, 1000}, 0, true},
    [FLOOR] = {.name = "floor", .colour = ROOM_COLOUR(0.8f, 0.8f, 0.8f)},
    [BACK] = {.name = "back wall", .colour = ROOM_COLOUR(0.8f, 0.8f, 0.8f)},
    [LEFT] = {.name = "left wall", .colour = ROOM_COLOUR(0.8f, 0.3f, 0.3f)},
    [RIGHT] = {.name = "right wall", .colour = ROOM_COLOUR(0.3f, 0.8f, 0.3f)},
    [CEILING] = {.name = "ceiling", .colour = ROOM_COLOUR(0.8f, 0.8f, 0.8f)},
    [FRONT] = {.name = "front wall", .colour = ROOM_COLOUR(0.8f, 0.8f, 0.8f)},
    [LAMP] = {"lamp", FS_SURFACE_DIFFUSE, {0, 0, 0}, {8000, 8000, 8000}, 0, true},
};
static const fs_primitive room_object[] = {
    {FS_SPHERE, {-0.75f, -1.45f, -4.4f}, {0, 0, 0}, 1.05f, MIRROR},
    {FS_SPHERE, {2.0f, -2.05f, -3.7f}, {0, 0, 0}, 0.5f, GLASS},
    {FS_SPHERE, {-1.75f, -1.95f, -3.1f}, {0, 0, 0}, 0.6f, BALL},
    {FS_SPHERE, {-1.12f, -2.3f, -3.5f}, {0, 0, 0}, 0.2f, LAMP_A},
    {FS_SPHERE, {-0.28f, -2.34f, -3.0f}, {0, 0, 0}, 0.2f, LAMP_B},
    {FS_SPHERE, {0.58f, -2.39f, -2.6f}, {0, 0, 0}, 0.2f, LAMP_C},
    {FS_PLANE, {0, 0, 0}, {0, 1, 0}, 2.5f, FLOOR},
    {FS_PLANE, {0, 0, 0}, {0, 0, 1}, 5.5f, BACK},
    {FS_PLANE, {0, 0, 0}, {1, 0, 0}, 2.75f, LEFT},
    {FS_PLANE, {0, 0, 0}, {-1, 0, 0}, 2.75f, RIGHT},
    {FS_PLANE, {0, 0, 0}, {0, -1, 0}, 3.0f, CEILING},
    {FS_PLANE, {0, 0, 0}, {0, 0, -1}, 0.5f, FRONT},
    {FS_DISC, {0, 2.9999f, -4.0f}, {0, -1, 0}, 0.7f, LAMP},
};

/* ---- spheres with caustics (poplar_path_tracer.md 4) ---- */

enum { MIRROR_BALL, GLASS_BALL, RED_BALL, GREEN_BALL, COAT, GROUND, SUN };
static const fs_surface caustics_material[] = {
    [MIRROR_BALL] = {.name = "mirror", .kind = FS_SURFACE_MIRROR},
    [GLASS_BALL] = {.name = "glass", .kind = FS_SURFACE_GLASS, .index = 1.5f},
    [RED_BALL] = {.name = "red ball", .colour = {20, 6, 8}},
    [GREEN_BALL] = {.name = "green ball", .colour = {2, 20, 10}},
    [COAT] = {.name = "coat", .kind = FS_SURFACE_GLASS, .index = 1.5f},
    [GROUND] = {.name = "ground", .colour = {10, 10, 10}},
    [SUN] = {"lamp", FS_SURFACE_DIFFUSE, {0, 0, 0}, {10000, 12000, 15000}, 0, true},
};
/* Normals: (0, 1.4, 1), and from the lamp to the glass ball, of length one. */
static const fs_primitive caustics_object[] = {
    {FS_SPHERE, {-3.0f, -0.7f, -5.0f}, {0, 0, 0}, 1.1f, MIRROR_BALL},
    {FS_SPHERE, {1.0f, -1.2f, -4.4f}, {0, 0, 0}, 1.3f, GLASS_BALL},
    {FS_SPHERE, {1.0f, -1.2f, -4.4f}, {0, 0, 0}, 0.25f, RED_BALL},
    {FS_SPHERE, {-1.0f, 1.6f, -8.0f}, {0, 0, 0}, 1.4999f, GREEN_BALL},
    {FS_SPHERE, {-1.0f, 1.6f, -8.0f}, {0, 0, 0}, 1.5f, COAT},
    {FS_PLANE, {0, 0, 0}, {0, 0.813733471f, 0.581238194f}, 4.5f, GROUND},
    {FS_DISC, {10.0f, 0.4f, -1.0f}, {-0.922797881f, -0.164052957f, -0.348612533f}, 1.5f, SUN},
};

static const fs_primitives builtin[] = {
    [ROOM] = {.object = room_object,
              .objects = sizeof room_object / sizeof *room_object,
              .material = room_material,
              .materials = sizeof room_material / sizeof *room_material},
    [CAUSTICS] = {.object = caustics_object,
                  .objects = sizeof caustics_object / sizeof *caustics_object,
                  .material = caustics_material,
                  .materials = sizeof caustics_material / sizeof *caustics_material},
};

fs_status fs_primitives_load(const fs_primitives_params *params, fs_arena *arena, fs_primitives *out,
                             fs_error *err) {
    if (params->file[0] != '\0')
        return fs_primitives_read(params->file, arena, out, err);
    *out = builtin[params->builtin];
    return FS_OK;
}
