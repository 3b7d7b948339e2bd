/* The YAML file of a scene of primitives: every mistake with its place, all of them at once. */
#include "workloads/scene/primitives/private.h"

#include "sim/config/yaml.h"

#include <math.h>
#include <string.h>

static const char *const material_kinds[] = {
    [FS_SURFACE_DIFFUSE] = "diffuse", [FS_SURFACE_MIRROR] = "mirror", [FS_SURFACE_GLASS] = "glass", NULL};

typedef struct reader {
    const fs_yaml *yaml;
    fs_arena *arena;
    fs_surface *material;
    uint32_t materials;
    fs_primitive *object;
    uint32_t objects;
} reader;

/* Three numbers of [least, most]; false, and reported, for anything else. */
static bool read_three(const reader *r, const fs_node *node, double least, double most, fs_vec3f *out) {
    double value[3];
    if (node->kind != FS_NODE_LIST || node->count != 3) {
        if (node->kind != FS_NODE_BAD)
            fs_yaml_wrong(r->yaml, node, "expected three numbers [x, y, z], found %s",
                          fs_yaml_found(r->yaml, node));
        return false;
    }
    bool good = true;
    for (size_t i = 0; i < 3; i++)
        good = fs_yaml_real(r->yaml, node->items[i], FS_UNIT_NONE, least, most, &value[i]) && good;
    if (good)
        *out = (fs_vec3f){(float)value[0], (float)value[1], (float)value[2]};
    return good;
}

static bool three_of(const reader *r, const fs_node *mapping, const char *name, bool required, double least,
                     double most, fs_vec3f *out) {
    const fs_node *node = fs_yaml_get(r->yaml, mapping, name, required);
    return node == NULL ? !required : read_three(r, node, least, most, out);
}

/* ---- materials ---- */

static void read_material(reader *r, const char *name, const fs_node *node) {
    static const char *const keys[] = {"kind", "colour", "emission", "index", NULL};
    fs_surface *m = &r->material[r->materials++]; /* its name is known whatever else is wrong with it */
    *m = (fs_surface){.name = name, .index = 1.5f};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    const fs_node *index = fs_yaml_get(r->yaml, node, "index", false);
    int64_t word = FS_SURFACE_DIFFUSE;
    double ratio;
    if (!fs_yaml_word_in((fs_yaml_in){r->yaml, node}, "kind", true, material_kinds, &word))
        return;
    m->kind = (fs_surface_kind)word;
    three_of(r, node, "colour", m->kind == FS_SURFACE_DIFFUSE, 0.0, 1e4, &m->colour);
    three_of(r, node, "emission", false, 0.0, 1e6, &m->emission);
    m->emits = m->emission.x > 0 || m->emission.y > 0 || m->emission.z > 0;
    if (index != NULL && m->kind != FS_SURFACE_GLASS)
        fs_yaml_wrong(r->yaml, index, "only glass refracts; expected kind glass, found %s",
                      material_kinds[m->kind]);
    else if (index != NULL && fs_yaml_real(r->yaml, index, FS_UNIT_NONE, 1.0, 10.0, &ratio))
        m->index = (float)ratio;
}

static void read_materials(reader *r, const fs_node *node) {
    if (node->kind != FS_NODE_MAPPING || node->count == 0 || node->count > FS_SURFACES_MOST) {
        if (node->kind != FS_NODE_BAD)
            fs_yaml_wrong(r->yaml, node, "expected 1 to %d materials by name, found %s", FS_SURFACES_MOST,
                          fs_yaml_found(r->yaml, node));
        return;
    }
    r->material = FS_NEW(r->arena, fs_surface, node->count);
    for (size_t i = 0; i < node->count; i++)
        read_material(r, node->entries[i].key, node->entries[i].value);
}

/* ---- objects ---- */

static void read_material_of(const reader *r, const fs_node *node, fs_primitive *p) {
    const fs_node *name = fs_yaml_get(r->yaml, node, "material", true);
    const char *word, *known = "";
    if (name == NULL || !fs_yaml_text(r->yaml, name, &word))
        return;
    for (uint32_t m = 0; m < r->materials; m++) {
        if (strcmp(r->material[m].name, word) == 0) {
            p->material = m;
            return;
        }
        known = fs_arena_printf(r->arena, "%s%s%s", known, m > 0 ? ", " : "", r->material[m].name);
    }
    fs_yaml_wrong(r->yaml, name,
                  "unknown material: expected one of `materials` (%s), "
                  "found %s",
                  known, fs_yaml_found(r->yaml, name));
}

static void read_normal(const reader *r, const fs_node *node, fs_primitive *p) {
    if (!three_of(r, node, "normal", true, -1e6, 1e6, &p->normal))
        return;
    const double x = (double)p->normal.x, y = (double)p->normal.y, z = (double)p->normal.z,
                 length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-6))
        fs_yaml_wrong(r->yaml, fs_tree_get(node, "normal"), "expected a direction, found one without length");
    else
        p->normal = (fs_vec3f){(float)(x / length), (float)(y / length), (float)(z / length)};
}

static void read_radius(const reader *r, const fs_node *node, fs_primitive *p) {
    const fs_node *radius = fs_yaml_get(r->yaml, node, "radius", true);
    double size;
    if (radius != NULL && fs_yaml_real(r->yaml, radius, FS_UNIT_NONE, 1e-6, 1e6, &size))
        p->size = (float)size;
}

static void read_sphere(const reader *r, const fs_node *node, fs_primitive *p) {
    static const char *const keys[] = {"centre", "radius", "material", NULL};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    three_of(r, node, "centre", true, -1e6, 1e6, &p->centre);
    read_radius(r, node, p);
    read_material_of(r, node, p);
}

static void read_plane(const reader *r, const fs_node *node, fs_primitive *p) {
    static const char *const keys[] = {"normal", "offset", "material", NULL};
    double offset;
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    read_normal(r, node, p);
    const fs_node *value = fs_yaml_get(r->yaml, node, "offset", true);
    if (value != NULL && fs_yaml_real(r->yaml, value, FS_UNIT_NONE, -1e6, 1e6, &offset))
        p->size = (float)offset;
    read_material_of(r, node, p);
}

static void read_disc(const reader *r, const fs_node *node, fs_primitive *p) {
    static const char *const keys[] = {"centre", "normal", "radius", "material", NULL};
    if (!fs_yaml_mapping(r->yaml, node, keys))
        return;
    three_of(r, node, "centre", true, -1e6, 1e6, &p->centre);
    read_normal(r, node, p);
    read_radius(r, node, p);
    read_material_of(r, node, p);
}

static void read_object(reader *r, const fs_node *node) {
    static const char *const kinds[] = {"sphere", "plane", "disc", NULL};
    static void (*const read[])(const reader *, const fs_node *, fs_primitive *) = {
        [FS_SPHERE] = read_sphere, [FS_PLANE] = read_plane, [FS_DISC] = read_disc};
    if (!fs_yaml_mapping(r->yaml, node, kinds))
        return;
    if (node->count != 1) {
        fs_yaml_wrong(r->yaml, node, "expected one of sphere, plane, disc, found %zu", node->count);
        return;
    }
    fs_primitive *p = &r->object[r->objects++];
    for (uint32_t k = 0; kinds[k] != NULL; k++)
        if (strcmp(node->entries[0].key, kinds[k]) == 0) {
            p->kind = (fs_primitive_kind)k;
            read[k](r, node->entries[0].value, p);
        }
}

static void read_objects(reader *r, const fs_node *list) {
    if (list->count == 0 || list->count > FS_PRIMITIVES_MOST) {
        fs_yaml_wrong(r->yaml, list, "expected 1 to %d objects, found %zu", FS_PRIMITIVES_MOST, list->count);
        return;
    }
    r->object = FS_NEW(r->arena, fs_primitive, list->count);
    for (size_t i = 0; i < list->count; i++)
        read_object(r, list->items[i]);
}

fs_status fs_primitives_read(const char *file, fs_arena *arena, fs_primitives *out, fs_error *err) {
    static const char *const keys[] = {"sky", "materials", "objects", NULL};
    reader state = {.yaml = fs_yaml_open(arena, file), .arena = arena}, *r = &state;
    const fs_node *root = r->yaml->root;
    *out = (fs_primitives){0};
    if (root != NULL && fs_yaml_mapping(r->yaml, root, keys)) {
        const fs_node *materials = fs_yaml_get(r->yaml, root, "materials", true),
                      *objects = fs_yaml_list(r->yaml, root, "objects", true),
                      *sky = fs_yaml_get(r->yaml, root, "sky", false);
        if (sky != NULL)
            read_three(r, sky, 0.0, 1e6, &out->sky);
        if (materials != NULL)
            read_materials(r, materials);
        if (materials != NULL && objects != NULL)
            read_objects(r, objects);
    }
    if (fs_yaml_finish(r->yaml, err))
        return err->status;
    out->has_sky = out->sky.x > 0 || out->sky.y > 0 || out->sky.z > 0;
    out->material = r->material;
    out->materials = r->materials;
    out->object = r->object;
    out->objects = r->objects;
    return FS_OK;
}
