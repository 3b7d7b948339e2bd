/* GLB looked at: chunks, and that what the JSON speaks of lies in the file. */
#include "sim/base/arith.h"
#include "workloads/scene/mesh/files_private.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static uint32_t u32_at(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Number of a member, 0 where it is absent; false: it is none, or not in 0 ... most. */
static bool number_of(const json_t *object, const char *name, uint64_t most, uint64_t *out) {
    const json_t *value = json_object_get(object, name);
    *out = 0;
    if (value == NULL)
        return true;
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static uint64_t size_of_component(uint64_t type) {
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : 4;
}

static uint64_t components_of(const char *type) {
    static const struct {
        const char *name;
        uint64_t count;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4},
                 {"MAT2", 4},   {"MAT3", 9}, {"MAT4", 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (type != NULL && strcmp(type, types[i].name) == 0)
            return types[i].count;
    return 0;
}

typedef struct glb {
    const char *path;
    const json_t *root;
    uint64_t file, binary; /* bytes of the file, of its binary chunk */
} glb;

static fs_status check_buffers(const glb *g, fs_error *err) {
    const json_t *buffers = json_object_get(g->root, "buffers");
    for (size_t i = 0; i < json_array_size(buffers); i++) {
        const json_t *buffer = json_array_get(buffers, i);
        uint64_t bytes;
        if (json_object_get(buffer, "uri") != NULL || i > 0)
            return fs_fail(err, FS_INPUT,
                           "%s: buffers[%zu] is another file; a GLB's one buffer is its binary chunk",
                           g->path, i);
        if (!number_of(buffer, "byteLength", g->binary, &bytes))
            return fs_fail(err, FS_INPUT,
                           "%s: buffers[0].byteLength is not 0 to %" PRIu64 ", the size of the binary chunk",
                           g->path, g->binary);
    }
    return FS_OK;
}

static fs_status check_views(const glb *g, fs_error *err) {
    const json_t *views = json_object_get(g->root, "bufferViews");
    for (size_t i = 0; i < json_array_size(views); i++) {
        const json_t *view = json_array_get(views, i);
        uint64_t buffer, offset, bytes, stride;
        if (!number_of(view, "buffer", 0, &buffer) || !number_of(view, "byteOffset", g->binary, &offset) ||
            !number_of(view, "byteLength", g->binary - offset, &bytes) ||
            !number_of(view, "byteStride", 252, &stride))
            return fs_fail(err, FS_INPUT,
                           "%s: bufferViews[%zu] reaches out of the binary chunk of %" PRIu64 " bytes",
                           g->path, i, g->binary);
    }
    return FS_OK;
}

static fs_status check_accessors(const glb *g, fs_error *err) {
    const json_t *accessors = json_object_get(g->root, "accessors"),
                 *views = json_object_get(g->root, "bufferViews");
    for (size_t i = 0; i < json_array_size(accessors); i++) {
        const json_t *accessor = json_array_get(accessors, i);
        uint64_t view, offset, count, type, stride, bytes;
        const uint64_t parts = components_of(json_string_value(json_object_get(accessor, "type")));
        if (json_object_get(accessor, "sparse") != NULL)
            return fs_fail(err, FS_INPUT, "%s: accessors[%zu] is sparse; such are not read", g->path, i);
        if (json_object_get(accessor, "bufferView") == NULL || parts == 0 ||
            !number_of(accessor, "bufferView", json_array_size(views) - 1, &view) ||
            json_array_size(views) == 0 || !number_of(accessor, "byteOffset", g->binary, &offset) ||
            !number_of(accessor, "count", g->binary, &count) || count == 0 ||
            !number_of(accessor, "componentType", 5126, &type) || type < 5120)
            return fs_fail(err, FS_INPUT,
                           "%s: accessors[%zu] lacks a bufferView, type, componentType or count that fits",
                           g->path, i);
        const json_t *from = json_array_get(views, view);
        number_of(from, "byteStride", 252, &stride);
        number_of(from, "byteLength", g->binary, &bytes);
        const uint64_t element = parts * size_of_component(type), step = stride == 0 ? element : stride;
        if (offset + (count - 1) * step + element > bytes)
            return fs_fail(err, FS_INPUT,
                           "%s: accessors[%zu] needs %" PRIu64 " bytes of bufferViews[%" PRIu64
                           "], which has %" PRIu64,
                           g->path, i, offset + (count - 1) * step + element, view, bytes);
    }
    return FS_OK;
}

/* The library copies the bytes of an accessor, whatever their type: what it reads as floats has to be floats. */
static fs_status check_attribute(const glb *g, size_t m, size_t p, const char *name, const json_t *accessor,
                                 fs_error *err) {
    static const char *const read[] = {"POSITION", "NORMAL", "TEXCOORD_0"}, *const types[] = {"VEC3", "VEC3",
                                                                                              "VEC2"};
    uint64_t component;
    const char *type = json_string_value(json_object_get(accessor, "type"));
    number_of(accessor, "componentType", 5126, &component);
    for (size_t i = 0; i < FS_COUNT(read); i++)
        if (strcmp(name, read[i]) == 0 && (component != 5126 || strcmp(type, types[i]) != 0))
            return fs_fail(err, FS_INPUT,
                           "%s: meshes[%zu].primitives[%zu].attributes.%s is %s of component type %" PRIu64
                           "; %s of floats (5126) is read: export it without quantisation or compression",
                           g->path, m, p, name, type, component, types[i]);
    return FS_OK;
}

static fs_status check_primitive(const glb *g, const json_t *primitive, size_t m, size_t p, fs_error *err) {
    const json_t *accessors = json_object_get(g->root, "accessors"), *value;
    const size_t most = json_array_size(accessors),
                 materials = json_array_size(json_object_get(g->root, "materials"));
    uint64_t index;
    const char *name;
    if (json_object_get(primitive, "material") != NULL &&
        (materials == 0 || !number_of(primitive, "material", materials - 1, &index)))
        return fs_fail(err, FS_INPUT,
                       "%s: meshes[%zu].primitives[%zu].material is none of the file's %zu materials",
                       g->path, m, p, materials);
    if (most == 0 || !number_of(primitive, "indices", most - 1, &index))
        return fs_fail(err, FS_INPUT, "%s: meshes[%zu].primitives[%zu].indices is no accessor", g->path, m,
                       p);
    json_t *attributes = json_object_get(primitive, "attributes");
    json_object_foreach(attributes, name, value) {
        if (!number_of(attributes, name, most - 1, &index))
            return fs_fail(err, FS_INPUT, "%s: meshes[%zu].primitives[%zu].attributes.%.40s is no accessor",
                           g->path, m, p, name);
        if (check_attribute(g, m, p, name, json_array_get(accessors, index), err))
            return err->status;
    }
    return FS_OK;
}

static fs_status check_meshes(const glb *g, fs_error *err) {
    const json_t *meshes = json_object_get(g->root, "meshes"), *weight;
    for (size_t m = 0; m < json_array_size(meshes); m++) {
        size_t w;
        json_array_foreach(json_object_get(json_array_get(meshes, m), "weights"), w, weight) {
            if (json_number_value(weight) != 0)
                return fs_fail(err, FS_INPUT,
                               "%s: meshes[%zu].weights[%zu] is %g; morphed meshes are not read", g->path, m,
                               w, json_number_value(weight));
        }
        const json_t *primitives = json_object_get(json_array_get(meshes, m), "primitives");
        for (size_t p = 0; p < json_array_size(primitives); p++)
            if (check_primitive(g, json_array_get(primitives, p), m, p, err))
                return err->status;
    }
    return FS_OK;
}

/* ---- extensions ---- */

/* What a file may require: they change materials, pictures on surfaces and lamps, and no place of a triangle. */
static const char *const harmless[] = {"KHR_materials_", "KHR_texture_",        "EXT_texture_",
                                       "MSFT_texture_",  "KHR_lights_punctual", "KHR_xmp"};

static fs_status check_extensions(const glb *g, fs_error *err) {
    const json_t *required = json_object_get(g->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        bool known = false;
        for (size_t k = 0; name != NULL && k < FS_COUNT(harmless); k++)
            known |= strncmp(name, harmless[k], strlen(harmless[k])) == 0;
        if (!known)
            return fs_fail(err, FS_INPUT,
                           "%s: extensionsRequired[%zu]: \"%.80s\" is not read, and the file requires it",
                           g->path, i, name == NULL ? "" : name);
    }
    return FS_OK;
}

/* What moves, copies or hides the mesh of a node and the library passes over. */
static fs_status check_node(const glb *g, size_t n, const json_t *node, fs_error *err) {
    const json_t *extensions = json_object_get(node, "extensions"),
                 *seen = json_object_get(json_object_get(extensions, "KHR_node_visibility"), "visible"),
                 *weight;
    size_t w;
    if (json_object_get(extensions, "EXT_mesh_gpu_instancing") != NULL)
        return fs_fail(err, FS_INPUT,
                       "%s: nodes[%zu] has EXT_mesh_gpu_instancing; copies of a mesh are nodes of their own",
                       g->path, n);
    if (json_is_false(seen))
        return fs_fail(err, FS_INPUT, "%s: nodes[%zu] is hidden by KHR_node_visibility; all nodes are read",
                       g->path, n);
    if (json_object_get(node, "skin") != NULL && json_object_get(node, "mesh") != NULL)
        return fs_fail(err, FS_INPUT, "%s: nodes[%zu] has a skin; skinned meshes are not read", g->path, n);
    json_array_foreach(json_object_get(node, "weights"), w, weight) {
        if (json_number_value(weight) != 0)
            return fs_fail(err, FS_INPUT, "%s: nodes[%zu].weights[%zu] is %g; morphed meshes are not read",
                           g->path, n, w, json_number_value(weight));
    }
    return FS_OK;
}

/* ---- nodes ---- */

/* Importers go down the nodes by recursion and copy a mesh for every node that has it. */
enum { MOST_DEPTH = 256, MOST_COPIED = 3 << 24 };

/* Corners of all primitives of a mesh. */
static uint64_t corners_of(const glb *g, uint64_t mesh) {
    const json_t *accessors = json_object_get(g->root, "accessors"),
                 *primitives =
                     json_object_get(json_array_get(json_object_get(g->root, "meshes"), mesh), "primitives");
    uint64_t sum = 0, index, count;
    for (size_t p = 0; p < json_array_size(primitives); p++) {
        const json_t *primitive = json_array_get(primitives, p);
        const bool listed = json_object_get(primitive, "indices") != NULL;
        number_of(listed ? primitive : json_object_get(primitive, "attributes"),
                  listed ? "indices" : "POSITION", UINT32_MAX, &index);
        number_of(json_array_get(accessors, index), "count", g->binary, &count);
        sum += count;
    }
    return sum;
}

/* Writes the parent of each child of a node; a node that has one already, or that is none, is refused. */
static fs_status name_children(const glb *g, size_t nodes, size_t parent, uint32_t *parent_of,
                               fs_error *err) {
    const json_t *children =
        json_object_get(json_array_get(json_object_get(g->root, "nodes"), parent), "children");
    for (size_t c = 0; c < json_array_size(children); c++) {
        const json_t *child = json_array_get(children, c);
        const json_int_t n = json_is_integer(child) ? json_integer_value(child) : -1;
        if (n < 0 || (uint64_t)n >= nodes || parent_of[n] != UINT32_MAX)
            return fs_fail(err, FS_INPUT,
                           "%s: nodes[%zu].children[%zu] is no node, or the child of another one as well",
                           g->path, parent, c);
        parent_of[n] = (uint32_t)parent;
    }
    return FS_OK;
}

static fs_status check_depth(const glb *g, size_t nodes, const uint32_t *parent_of, fs_error *err) {
    for (size_t n = 0; n < nodes; n++) {
        size_t depth = 0;
        for (uint32_t at = (uint32_t)n; at != UINT32_MAX && depth <= MOST_DEPTH; at = parent_of[at])
            depth++;
        if (depth > MOST_DEPTH)
            return fs_fail(err, FS_INPUT, "%s: nodes[%zu] is more than %d deep, or below itself", g->path, n,
                           MOST_DEPTH);
    }
    return FS_OK;
}

static fs_status check_copies(const glb *g, size_t nodes, fs_error *err) {
    const json_t *list = json_object_get(g->root, "nodes");
    const size_t meshes = json_array_size(json_object_get(g->root, "meshes"));
    uint64_t corners = 0, mesh;
    for (size_t n = 0; n < nodes && corners <= MOST_COPIED; n++) {
        const json_t *node = json_array_get(list, n);
        if (check_node(g, n, node, err))
            return err->status;
        if (json_object_get(node, "mesh") == NULL)
            continue;
        if (meshes == 0 || !number_of(node, "mesh", meshes - 1, &mesh))
            return fs_fail(err, FS_INPUT, "%s: nodes[%zu].mesh is no mesh; the file has %zu of them", g->path,
                           n, meshes);
        corners += corners_of(g, mesh);
    }
    if (corners > MOST_COPIED)
        return fs_fail(err, FS_INPUT, "%s: its nodes show more than %d triangles", g->path, MOST_COPIED / 3);
    return FS_OK;
}

static fs_status check_nodes(const glb *g, fs_error *err) {
    const size_t nodes = json_array_size(json_object_get(g->root, "nodes"));
    uint32_t *parent_of = fs_malloc((nodes + 1) * sizeof *parent_of);
    memset(parent_of, 0xff, nodes * sizeof *parent_of);
    for (size_t n = 0; n < nodes && err->status == FS_OK; n++)
        name_children(g, nodes, n, parent_of, err);
    if (err->status == FS_OK && check_depth(g, nodes, parent_of, err) == FS_OK)
        check_copies(g, nodes, err);
    free(parent_of);
    return err->status;
}

static fs_status check_json(glb *g, const char *text, size_t bytes, fs_error *err) {
    json_error_t why;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    if (root == NULL || !json_is_object(root)) {
        fs_fail(err, FS_INPUT, "%s: JSON chunk, line %d: %s", g->path, root == NULL ? why.line : 1,
                root == NULL ? why.text : "not an object");
        json_decref(root);
        return err->status;
    }
    g->root = root;
    if (check_extensions(g, err) == FS_OK && check_buffers(g, err) == FS_OK && check_views(g, err) == FS_OK &&
        check_accessors(g, err) == FS_OK && check_meshes(g, err) == FS_OK)
        check_nodes(g, err);
    json_decref(root);
    return err->status;
}

fs_status fs_mesh_check_glb(const char *path, const fs_mesh_bytes *file, fs_error *err) {
    enum { HEADER = 12, CHUNK = 8 };
    const char *d = file->data;
    glb g = {.path = path, .file = file->size};
    if (file->size < HEADER + CHUNK || memcmp(d, "glTF", 4) != 0 || u32_at(d + 4) != 2)
        return fs_fail(err, FS_INPUT, "%s: not a GLB file of version 2", path);
    if (u32_at(d + 8) != file->size)
        return fs_fail(err, FS_INPUT, "%s: byte 8: the file says %" PRIu32 " bytes and has %zu: it is cut",
                       path, u32_at(d + 8), file->size);
    const uint64_t json = u32_at(d + HEADER), binary_at = HEADER + CHUNK + json;
    if (memcmp(d + HEADER + 4, "JSON", 4) != 0 || binary_at > file->size)
        return fs_fail(err, FS_INPUT, "%s: byte 12: expected a JSON chunk within the file", path);
    if (binary_at + CHUNK <= file->size) {
        g.binary = u32_at(d + binary_at);
        if (memcmp(d + binary_at + 4, "BIN\0", 4) != 0 || binary_at + CHUNK + g.binary > file->size)
            return fs_fail(err, FS_INPUT, "%s: byte %" PRIu64 ": expected a binary chunk within the file",
                           path, binary_at);
    }
    return check_json(&g, d + HEADER + CHUNK, json, err);
}
