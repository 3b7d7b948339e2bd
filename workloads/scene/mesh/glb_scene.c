/* What a GLB says and the library does not read rightly: where its camera stands, light, mirrors and glass. */
#include "workloads/scene/mesh/files_private.h"

#include <jansson.h>
#include <string.h>

/* The JSON chunk of a file that was looked at; owner: caller. */
static json_t *json_of(const fs_mesh_bytes *file) {
    enum { HEADER = 20 };
    const unsigned char *d = (const unsigned char *)file->data;
    const size_t length = (size_t)d[12] | (size_t)d[13] << 8 | (size_t)d[14] << 16 | (size_t)d[15] << 24;
    return json_loadb(file->data + HEADER, length, 0, NULL);
}

static double number_or(const json_t *object, const char *name, double otherwise) {
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

/* A list of `count` numbers; false: it is absent, or has another length. */
static bool numbers(const json_t *object, const char *name, size_t count, double *out) {
    const json_t *list = json_object_get(object, name);
    for (size_t i = 0; i < count && json_array_size(list) == count; i++)
        out[i] = json_number_value(json_array_get(list, i));
    return json_array_size(list) == count;
}

/* ---- the camera ---- */

/* A frame of nodes: x, y, z axis and origin, each [x, y, z]. */
typedef struct frame {
    double column[4][3];
} frame;

/* Of a node in its parent: its matrix, or scale, rotation (x, y, z, w) and translation in this order. */
static frame frame_of(const json_t *node) {
    double m[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    frame f;
    if (numbers(node, "matrix", 16, m)) {
        for (int c = 0; c < 4; c++)
            memcpy(f.column[c], m + 4 * (size_t)c, sizeof f.column[c]);
        return f;
    }
    numbers(node, "translation", 3, t);
    numbers(node, "rotation", 4, q);
    numbers(node, "scale", 3, s);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                               {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                               {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < 3; a++)
            f.column[c][a] = turn[c][a] * s[c];
    memcpy(f.column[3], t, sizeof t);
    return f;
}

static frame frame_in(const frame *outer, const frame *inner) {
    frame f;
    for (int c = 0; c < 4; c++)
        for (int a = 0; a < 3; a++) {
            f.column[c][a] = c == 3 ? outer->column[3][a] : 0;
            for (int k = 0; k < 3; k++)
                f.column[c][a] += outer->column[k][a] * inner->column[c][k];
        }
    return f;
}

/* The first node with a camera at or below this one, in the order of the file; NULL: none has one. Its frame in *at, which is that
 * of the nodes above before. The depth was looked at. */
static const json_t *node_with_camera(const json_t *nodes, const json_t *which, frame *at) {
    const json_t *node = json_array_get(nodes, (size_t)json_integer_value(which)), *found = NULL,
                 *children = json_object_get(node, "children");
    const frame own = frame_of(node), here = frame_in(at, &own);
    if (json_object_get(node, "camera") != NULL) {
        *at = here;
        return node;
    }
    for (size_t c = 0; found == NULL && c < json_array_size(children); c++) {
        frame below = here;
        found = node_with_camera(nodes, json_array_get(children, c), &below);
        if (found != NULL)
            *at = below;
    }
    return found;
}

static const json_t *camera_of(const json_t *root, frame *at) {
    static const frame world = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    const size_t shown = (size_t)number_or(root, "scene", 0);
    const json_t *nodes = json_object_get(json_array_get(json_object_get(root, "scenes"), shown), "nodes"),
                 *node = NULL;
    for (size_t n = 0; node == NULL && n < json_array_size(nodes); n++) {
        *at = world;
        node = node_with_camera(json_object_get(root, "nodes"), json_array_get(nodes, n), at);
    }
    return node == NULL
               ? NULL
               : json_array_get(json_object_get(root, "cameras"), (size_t)number_or(node, "camera", 0));
}

fs_status fs_mesh_glb_camera(const char *path, const fs_mesh_bytes *file, fs_mesh_camera *out, bool *found,
                             fs_error *err) {
    frame at;
    json_t *root = json_of(file);
    const json_t *camera = camera_of(root, &at);
    *found = camera != NULL;
    if (camera != NULL && json_object_get(camera, "perspective") == NULL) {
        fs_fail(err, FS_INPUT,
                "%s: its camera is no perspective; give scene.camera with position, look_at and fov", path);
    } else if (camera != NULL) {
        out->fov = (float)number_or(json_object_get(camera, "perspective"), "yfov", 0);
        fs_mesh_place_camera(path, at.column, out, err);
    }
    json_decref(root);
    return err->status;
}

/* ---- materials ---- */

/* Metal as smooth as this is a mirror; rougher metal scatters as the rest does. */
static const double MIRROR_ROUGHNESS = 0.1;

/* Light is emissiveFactor times its strength; what lets light pass is glass, and what is said to be smooth metal a mirror. */
static void material_of(const json_t *from, fs_material *m) {
    const json_t *extensions = json_object_get(from, "extensions"),
                 *surface = json_object_get(from, "pbrMetallicRoughness");
    const double strength =
        number_or(json_object_get(extensions, "KHR_materials_emissive_strength"), "emissiveStrength", 1);
    double light[3] = {0, 0, 0};
    numbers(from, "emissiveFactor", 3, light);
    for (int c = 0; c < 3; c++)
        m->emission[c] = (float)(light[c] * strength);
    if (number_or(json_object_get(extensions, "KHR_materials_transmission"), "transmissionFactor", 0) > 0.5) {
        m->kind = FS_MATERIAL_REFRACTIVE;
        m->ior = (float)number_or(json_object_get(extensions, "KHR_materials_ior"), "ior", 1.5);
    } else if (number_or(surface, "metallicFactor", 0) > 0.5 &&
               number_or(surface, "roughnessFactor", 1) <= MIRROR_ROUGHNESS) {
        m->kind = FS_MATERIAL_SPECULAR;
    }
}

void fs_mesh_glb_materials(const fs_mesh_bytes *file, fs_material *material, size_t count) {
    json_t *root = json_of(file);
    const json_t *materials = json_object_get(root, "materials");
    for (size_t m = 0; m < count && m < json_array_size(materials); m++)
        material_of(json_array_get(materials, m), &material[m]);
    json_decref(root);
}
