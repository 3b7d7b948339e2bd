/* The YAML file of a scene of primitives: every mistake with its place, all of them at once. */
#include "workloads/scene/primitives/primitives.h"

#include "sim/config/yaml.h"

#include <math.h>
#include <string.h>

static const char *const material_kinds[] = {
    [FS_SURFACE_DIFFUSE] = "diffuse", [FS_SURFACE_MIRROR] = "mirror", [FS_SURFACE_GLASS] = "glass", NULL};

/* ---- materials ---- */

static bool check_material(const fs_yaml *yaml, const fs_node *node, void *self, void *item) {
    (void)self;
    fs_surface *m = item;
    const fs_node *index = fs_tree_get(node, "index");
    m->emits = m->emission.x > 0 || m->emission.y > 0 || m->emission.z > 0;
    if (index != NULL && m->kind != FS_SURFACE_GLASS)
        return fs_yaml_wrong(yaml, index, "only glass refracts; expected kind glass, found %s",
                             material_kinds[m->kind]);
    return m->kind != FS_SURFACE_DIFFUSE || fs_yaml_get(yaml, node, "colour", true) != NULL;
}

#define FS_ROWS_OF fs_surface
static const fs_yaml_row material_rows[] = {
    FS_YAML_NAME(name),
    FS_YAML_WORD("kind", kind, material_kinds, NULL),
    FS_YAML_VEC3("colour", colour, 0, 1e4, FS_YAML_MAY),
    FS_YAML_VEC3("emission", emission, 0, 1e6, FS_YAML_MAY),
    FS_YAML_REAL("index", index, NONE, 1, 10, "1.5"),
};
static const fs_yaml_shape material = FS_YAML_SHAPE(material_rows, sizeof(fs_surface), check_material);
#undef FS_ROWS_OF

/* ---- objects ---- */

/* The number of the material of that name; `self` is the scene, whose materials are read. */
static bool read_material_of(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    const fs_primitives *scene = self;
    const char *word, *known = "";
    if (!fs_yaml_text(yaml, node, &word) || scene->materials == 0) /* without any the file is wrong already */
        return false;
    for (uint32_t m = 0; m < scene->materials; m++) {
        if (strcmp(scene->material[m].name, word) == 0) {
            *(uint32_t *)member = m;
            return true;
        }
        known = fs_arena_printf(yaml->arena, "%s%s%s", known, m > 0 ? ", " : "", scene->material[m].name);
    }
    return fs_yaml_wrong(yaml, node, "unknown material: expected one of `materials` (%s), found %s", known,
                         fs_yaml_found(yaml, node));
}

static bool read_normal(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    (void)self;
    static const fs_param row = {.type = FS_TYPE_VEC3, .min = -1e6, .max = 1e6};
    double n[3];
    if (!fs_yaml_bind(yaml, node, &row, n))
        return false;
    const double x = (double)(float)n[0], y = (double)(float)n[1], z = (double)(float)n[2],
                 length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-6))
        return fs_yaml_wrong(yaml, node, "expected a direction, found one without length");
    *(fs_vec3f *)member = (fs_vec3f){(float)(x / length), (float)(y / length), (float)(z / length)};
    return true;
}

enum { SPHERE = 1 << FS_SPHERE, PLANE = 1 << FS_PLANE, DISC = 1 << FS_DISC };

#define FS_ROWS_OF fs_primitive
static const fs_yaml_row object_rows[] = {
    FS_YAML_VEC3("centre", centre, -1e6, 1e6, NULL, .of = SPHERE | DISC),
    FS_YAML_READ("normal", normal, read_normal, NULL, .of = PLANE | DISC),
    FS_YAML_REAL("radius", size, NONE, 1e-6, 1e6, NULL, .of = SPHERE | DISC),
    FS_YAML_REAL("offset", size, NONE, -1e6, 1e6, NULL, .of = PLANE),
    FS_YAML_READ("material", material, read_material_of, NULL),
};
static const fs_yaml_shape object = FS_YAML_SHAPE(object_rows, sizeof(fs_primitive));
#undef FS_ROWS_OF

/* `sphere: { ... }`, and so each kind. */
static bool read_object(const fs_yaml *yaml, const fs_node *node, void *self, void *member) {
    static const char *const kinds[] = {
        [FS_SPHERE] = "sphere", [FS_PLANE] = "plane", [FS_DISC] = "disc", NULL};
    fs_primitive *p = member;
    int found;
    if (!fs_yaml_mapping(yaml, node, kinds))
        return false;
    const size_t kind = fs_yaml_which(node, kinds, &found);
    if (found != 1)
        return fs_yaml_wrong(yaml, node, "expected one of sphere, plane, disc, found %d", found);
    p->kind = (fs_primitive_kind)kind;
    return fs_yaml_fill_as(yaml, node->entries[0].value, &object, UINT32_C(1) << kind, self, p);
}

/* ---- the whole ---- */

static const fs_yaml_shape objects = FS_YAML_EACH(fs_primitive, read_object);

/* Materials first: objects name them. */
#define FS_ROWS_OF fs_primitives
static const fs_yaml_row rows[] = {
    FS_YAML_VEC3("sky", sky, 0, 1e6, FS_YAML_MAY),
    FS_YAML_MAP("materials", material, materials, &material, NULL, .item = "material", .least = 1,
                .most = FS_SURFACES_MOST),
    FS_YAML_LIST("objects", object, objects, &objects, NULL, .item = "object", .least = 1,
                 .most = FS_PRIMITIVES_MOST),
};
static const fs_yaml_shape scene = FS_YAML_SHAPE(rows, sizeof(fs_primitives));

fs_status fs_primitives_read(const char *file, fs_arena *arena, fs_primitives *out, fs_error *err) {
    const fs_yaml *yaml = fs_yaml_open(arena, file);
    *out = (fs_primitives){0};
    if (yaml->root != NULL)
        fs_yaml_fill(yaml, yaml->root, &scene, out, out);
    out->has_sky = out->sky.x > 0 || out->sky.y > 0 || out->sky.z > 0;
    return fs_yaml_finish(yaml, err);
}
