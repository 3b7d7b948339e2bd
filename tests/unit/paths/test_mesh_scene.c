/* Scenes of meshes and their trees: published sizes, files good and bad, the camera's frame, every half. */
#include "sim/base/fp16.h"
#include "sim/config/config.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/paths/tree/tree.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/scene/mesh/files_private.h"

#include <unistd.h>

static fs_error err;

static fs_mesh_scene_params defaults(void) {
    fs_mesh_scene_params p;
    fs_params_default(test_arena(), &fs_mesh_scene_table, &p);
    return p;
}

static fs_mesh_scene load(const fs_mesh_scene_params *p) {
    fs_mesh_scene scene;
    err = (fs_error){.status = FS_OK};
    assert_ok(fs_mesh_scene_load(p, test_arena(), &scene, &err), &err);
    return scene;
}

static fs_bvh tree_of(const fs_mesh_scene *scene, uint32_t bytes) {
    fs_bvh tree;
    err = (fs_error){.status = FS_OK};
    assert_ok(fs_bvh_build(scene, bytes, test_arena(), &tree, &err), &err);
    return tree;
}

/* ---- sizes ---- */

static void expect_tree(const fs_mesh_scene *scene, uint32_t nodes, const char *half, const char *full) {
    char text[32];
    fs_bvh tree = tree_of(scene, FS_TREE_NODE_HALF);
    assert_int_equal(tree.nodes, nodes);
    snprintf(text, sizeof text, "%.3f", (double)fs_bvh_bytes(&tree) / 1024);
    assert_string_equal(text, half);
    tree = tree_of(scene, FS_TREE_NODE_FULL);
    snprintf(text, sizeof text, "%.3f", (double)fs_bvh_bytes(&tree) / 1024);
    assert_string_equal(text, full);
}

TEST(builtins_have_the_published_sizes) {
    fs_mesh_scene_params p = defaults();
    p.builtin = FS_MESH_BUILTIN_BOX;
    fs_mesh_scene box = load(&p);
    assert_int_equal(box.triangles, 4032);
    assert_int_equal(box.spheres + box.discs, 3);
    assert_int_equal(box.degenerate, 0);
    expect_tree(&box, 8069, "189.117", "252.156");
    fs_mesh_scene_to_camera(&box);
    expect_tree(&box, 8069, "189.117", "252.156");
    p.builtin = FS_MESH_BUILTIN_SPHERES;
    const fs_mesh_scene spheres = load(&p);
    expect_tree(&spheres, 11, "0.258", "0.344");
}

static const char *shared(const char *name) {
    const char *given = getenv("FOAMSIM_SHARED");
    return fs_arena_printf(test_arena(), "%s/scenes/%s", given != NULL ? given : "../shared", name);
}

TEST(published_files_have_the_published_sizes) {
    static const struct {
        const char *file, *half, *full;
        uint32_t triangles, vertices, nodes, degenerate, builtin;
    } cases[] = {
        {"pathtrace/hdri_test.dae", "265.102", "353.469", 5656, 3697, 11311, 0, FS_MESH_BUILTIN_NONE},
        {"pathtrace/test_scene.dae", "397.195", "529.594", 8474, 5870, 16947, 236, FS_MESH_BUILTIN_NONE},
        {"pathtrace/monkey_bust.glb", "189.117", "252.156", 4032, 11984, 8069, 0, FS_MESH_BUILTIN_BOX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fs_mesh_scene_params p = defaults();
        p.file = shared(cases[i].file);
        p.builtin = cases[i].builtin;
        FILE *file = fopen(p.file, "rb");
        if (file == NULL) {
            print_message("%s is not there: skipped\n", p.file);
            skip();
        }
        fclose(file);
        fs_mesh_scene scene = load(&p);
        fs_mesh_scene_to_camera(&scene);
        assert_int_equal(scene.triangles, cases[i].triangles);
        assert_int_equal(scene.vertices, cases[i].vertices);
        assert_int_equal(scene.degenerate, cases[i].degenerate);
        expect_tree(&scene, cases[i].nodes, cases[i].half, cases[i].full);
    }
}

/* ---- halves ---- */

TEST(a_half_is_never_below) {
    for (uint32_t h = 0; h < 0x7c00; h++) { /* all that are finite and not negative */
        const float exact = fs_f32_from_f16((uint16_t)h);
        assert_int_equal(fs_bvh_half_not_below(exact), h);
        if (h == 0x7bff)
            continue;
        const float next = fs_f32_from_f16((uint16_t)(h + 1)),
                    between[] = {nextafterf(exact, INFINITY), 0.5f * (exact + next), nextafterf(next, 0)};
        for (int i = 0; i < 3; i++)
            assert_int_equal(fs_bvh_half_not_below(between[i]), h + 1);
    }
}

/* ---- soups and limits ---- */

TEST(soups_are_random_and_repeat) {
    fs_mesh_scene_params p = defaults();
    p.soup_triangles = 2000;
    const fs_mesh_scene one = load(&p), again = load(&p);
    p.soup_seed = 2;
    const fs_mesh_scene other = load(&p);
    assert_string_equal(one.digest, again.digest);
    assert_string_not_equal(one.digest, other.digest);
    double mean = 0;
    for (uint32_t v = 0; v < one.vertices; v++)
        for (int a = 0; a < 3; a++) {
            assert_true(one.vertex[v][a] >= 0 && one.vertex[v][a] < 1);
            mean += (double)one.vertex[v][a];
        }
    mean /= 3.0 * one.vertices;
    assert_true(fabs(mean - 0.5) < 0.01); /* deviation 0.289 / sqrt(18000) = 0.002 */
    expect_tree(&one, 3999, "93.727", "124.969");
}

/* Of one size: every edge has the length, normals have no direction. */
TEST(even_soups_have_one_size) {
    fs_mesh_scene_params p = defaults();
    p.soup_triangles = 2000;
    p.soup_edge = 0.66;
    const fs_mesh_scene s = load(&p);
    double up = 0, middle = 0;
    for (uint32_t t = 0; t < 2000; t++) {
        double side[3][3], square[3] = {0};
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++) {
                side[i][a] = (double)s.vertex[3 * t + (uint32_t)(i + 1) % 3][a] -
                             (double)s.vertex[3 * t + (uint32_t)i][a];
                square[i] += side[i][a] * side[i][a];
                middle += (double)s.vertex[3 * t + (uint32_t)i][a] / 18000;
            }
        for (int i = 0; i < 3; i++)
            assert_true(fabs(sqrt(square[i]) - 0.66) < 1e-6);
        up += fabs(side[0][0] * side[1][1] - side[0][1] * side[1][0]) / (0.66 * 0.66 * sqrt(0.75)) / 2000;
    }
    assert_true(fabs(middle - 0.5) < 0.015);
    assert_true(fabs(up - 0.5) <
                0.03); /* of directions uniform on the sphere; deviation 0.289 / sqrt(2000) = 0.0065 */
}

TEST(limits_are_told) {
    fs_bvh tree;
    fs_mesh_scene_params p = defaults();
    p.soup_triangles = 21846; /* 65,538 vertices, beyond u16 */
    fs_mesh_scene scene = load(&p);
    tree_of(&scene, FS_TREE_NODE_FULL);
    for (uint32_t v = 0; v < scene.vertices; v++)
        scene.vertex[v][1] *= 1e5f;
    scene.high[1] *= 1e5f;
    assert_fails(fs_bvh_build(&scene, FS_TREE_NODE_HALF, test_arena(), &tree, &err), FS_INPUT, &err,
                 "nodes of 32 B");
    tree_of(&scene, FS_TREE_NODE_FULL);
}

/* Eight balls side by side and one far off: splitting the far one off costs the surface of eight times eight; splitting the first
 * one off, of a box over all, would cost less were the side on the right not weighed by what is in it. */
TEST(a_split_weighs_both_sides) {
    fs_sphere ball[9];
    fs_material grey = {.albedo = {0.5f, 0.5f, 0.5f}};
    for (int i = 0; i < 9; i++)
        ball[i] = (fs_sphere){.centre = {i < 8 ? (float)i : 20, 0, 0}, .radius = 0.5f};
    const fs_mesh_scene scene = {.spheres = 9, .sphere = ball, .materials = 1, .material = &grey};
    const fs_bvh tree = tree_of(&scene, FS_TREE_NODE_FULL);
    assert_true(fabsf(tree.node[0].extent[0] - 21) < 1e-3f);
    assert_true(fabsf(tree.node[1].extent[0] - 8) < 1e-3f);
    assert_true(fabsf(tree.node[tree.node[0].link].extent[0] - 1) < 1e-3f);
}

/* ---- files ---- */

static const char cube_obj[] =
    "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nusemtl clear_glass\nf 1 2 3\n"
    "usemtl white\nf 1 2 4\nf 1 1 2\n";
static const char cube_mtl[] =
    "newmtl clear_glass\nKd 0.5 0.6 0.7\nNi 1.4\nnewmtl white\nKd 1 1 1\nKe 2 0 0\n";

TEST_IN(materials_follow_the_rules_of_names, scratch_enter, scratch_leave) {
    fs_mesh_scene_params p = defaults();
    p.file = "a.obj";
    scratch_put("a.obj", cube_obj, strlen(cube_obj));
    scratch_put("a.mtl", cube_mtl, strlen(cube_mtl));
    const fs_mesh_scene scene = load(&p);
    assert_int_equal(scene.triangles, 3);
    assert_int_equal(scene.degenerate, 1);
    const fs_material *glass = &scene.material[fs_mesh_material_of(&scene, 0)],
                      *white = &scene.material[fs_mesh_material_of(&scene, 1)];
    assert_int_equal(glass->kind, FS_MATERIAL_REFRACTIVE);
    assert_true(glass->ior == 1.4f && glass->albedo[1] == 0.6f);
    assert_int_equal(white->kind, FS_MATERIAL_DIFFUSE);
    assert_true(white->emission[0] > 0 && white->emission[1] == 0);
}

static void refuse(const char *name, const void *data, size_t size, const char *words) {
    fs_mesh_scene scene;
    fs_mesh_scene_params p = defaults();
    p.file = name;
    scratch_put(name, data, size);
    err = (fs_error){.status = FS_OK};
    if (fs_mesh_scene_load(&p, test_arena(), &scene, &err) != FS_INPUT)
        fail_msg("%s with \"%s\" is taken", name, words);
    if (strstr(err.text, name) == NULL || strstr(err.text, words) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", name, err.text, words);
}

static void refuse_text(const char *name, const char *text, const char *words) {
    refuse(name, text, strlen(text), words);
}

TEST_IN(texts_are_refused_with_their_place, scratch_enter, scratch_leave) {
    refuse_text("e.obj", "", "empty");
    refuse_text("e.stl", "x", "expected .glb, .dae, .obj or .ply");
    refuse_text("n.obj", "v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n", "n.obj:2: ");
    refuse_text("d.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "none of 1 triangles has an area");
    refuse_text("m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl gone\nf 1 2 3\n",
                "m.obj:4: no material \"gone\"");
    refuse_text("l.obj", "mtllib ../other/x.mtl\n", "l.obj:1: mtllib");
    refuse_text("f.obj", "mtllib none.mtl\n", "none.mtl");
    refuse_text("a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n",
                "a.ply:3: element");
    refuse_text("b.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "no end_header");
    refuse_text("c.ply",
                "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\n"
                "property list int int vertex_indices\nend_header\n0\n0\n",
                "c.ply:6: property");
    refuse_text("x.dae", "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b \"cccc\">]>\n<COLLADA/>",
                "x.dae:2: ");
    refuse_text("y.dae", "<COLLADA>\n<float_array count=\"4000000000\">0</float_array></COLLADA>",
                "y.dae:2: count");
    refuse_text("z.dae", "<COLLADA>\n<triangles count=\"1\"></triangles></COLLADA>", "File came out empty");
    refuse_text("z.dae", "<COLLADA>\n<material id=\"m\"/>\n<triangles count=\"1\"></triangles></COLLADA>",
                "z.dae:3: a surface without material in a file that has 1");
    refuse_text("w.dae", "<COLLADA>\n<triangles material=\"m\" count=\"1\"></triangles></COLLADA>",
                "w.dae:2: no material \"m\"");
    refuse_text("u.dae", "<COLLADA>\n<node>\n<instance_node url=\"#a\"/></node></COLLADA>",
                "u.dae:3: an instance");
    char *deep = test_keep(calloc(1, 3000));
    for (int i = 0; i < 300; i++)
        memcpy(deep + 4 * (size_t)i, "<a>\n", 5);
    refuse_text("q.dae", deep, "q.dae:257: elements more than 256 deep");
    refuse_text("v.dae", "<COLLADA>\n<triangles", "v.dae:2: a tag without end");
}

/* A GLB of that JSON and `binary` zero bytes; heap. */
static char *glb_of(const char *json, uint32_t binary, size_t *size) {
    const size_t length = strlen(json), text = (length + 3) / 4 * 4;
    const uint32_t total = (uint32_t)(12 + 8 + text + 8 + binary);
    char *out = calloc(1, total);
    assert_non_null(out);
    const uint32_t head[] = {0x46546c67, 2, total, (uint32_t)text, 0x4e4f534a},
                   chunk[] = {binary, 0x004e4942};
    memcpy(out, head, sizeof head);
    for (size_t i = 0; i < text; i++)
        out[20 + i] = i < length ? json[i] : ' ';
    memcpy(out + 20 + text, chunk, sizeof chunk);
    *size = total;
    return out;
}

static void refuse_glb(const char *json, uint32_t binary, const char *words) {
    size_t size;
    char *data = glb_of(json, binary, &size);
    refuse("a.glb", data, size, words);
    free(data);
}

#define ASSET "{\"asset\":{\"version\":\"2.0\"},"

TEST_IN(glb_files_are_refused_with_their_place, scratch_enter, scratch_leave) {
    size_t size;
    char *data = glb_of(ASSET "\"meshes\":[]}", 16, &size);
    refuse("t.glb", data, size - 1, "it is cut");
    refuse("t.glb", data, 11, "not a GLB");
    data[12] = (char)0xff; /* the JSON chunk reaches behind the file */
    data[13] = (char)0xff;
    refuse("t.glb", data, size, "JSON chunk within the file");
    free(data);
    refuse_glb("{", 4, "JSON chunk, line 1");
    refuse_glb(ASSET "\"buffers\":[{\"uri\":\"/etc/passwd\",\"byteLength\":4}]}", 4,
               "buffers[0] is another file");
    refuse_glb(ASSET "\"buffers\":[{\"byteLength\":5}]}", 4, "buffers[0].byteLength");
    refuse_glb(ASSET "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":3,\"byteLength\":2}]}", 4,
               "bufferViews[0] reaches out");
    refuse_glb(ASSET "\"bufferViews\":[{\"buffer\":0,\"byteLength\":4}],\"accessors\":[{\"bufferView\":0,"
                     "\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}]}",
               4, "accessors[0] needs 8 bytes");
    refuse_glb(ASSET "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", 4,
               "nodes[0] is more than 256 deep");
    refuse_glb(ASSET "\"nodes\":[{\"children\":[1]},{},{\"children\":[1]}]}", 4, "nodes[2].children[0]");
    refuse_glb(ASSET "\"nodes\":[{\"mesh\":0}]}", 4, "nodes[0].mesh is no mesh");
    refuse_glb(ASSET "\"meshes\":[{\"primitives\":[{\"attributes\":{},\"material\":0}]}]}", 4,
               "primitives[0].material is none of the file's 0 materials");
}

/* A mesh without a material has `albedo`, beside one that has its own too; both formats allow it. */
TEST_IN(meshes_without_a_material_have_the_albedo, scratch_enter, scratch_leave) {
    static const char json[] = ASSET
        "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0,\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":2},"
        "{\"attributes\":{\"POSITION\":1},\"indices\":2,\"material\":0}]}],"
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,0.125,1]}}],"
        "\"buffers\":[{\"byteLength\":80}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":6}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}]}";
    static const float corner[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
    static const uint16_t index[3] = {0, 1, 2};
    size_t size;
    char *glb = glb_of(json, 80, &size);
    memcpy(glb + size - 80, corner, sizeof corner);
    memcpy(glb + size - 8, index, sizeof index);
    scratch_put("bare.glb", glb, size);
    free(glb);
    fs_mesh_scene_params p = defaults();
    p.file = "bare.glb";
    p.albedo = 0.625;
    fs_mesh_scene scene = load(&p);
    assert_int_equal(scene.triangles, 2);
    const fs_material *bare = &scene.material[fs_mesh_material_of(&scene, 0)],
                      *own = &scene.material[fs_mesh_material_of(&scene, 1)];
    if (bare->albedo[0] != 0.625f) { /* meshes come in the library's order */
        const fs_material *other = bare;
        bare = own;
        own = other;
    }
    for (int c = 0; c < 3; c++)
        assert_true(bare->albedo[c] == 0.625f && own->albedo[c] == 0.5f / (float)(1 << c));
    static const char dae[] =
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
        "id=\"a\" count=\"9\">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source=\"#a\" "
        "count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input "
        "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" "
        "source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>"
        "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node>"
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";
    scratch_put("bare.dae", dae, sizeof dae - 1);
    p.file = "bare.dae";
    scene = load(&p);
    assert_true(scene.material[fs_mesh_material_of(&scene, 0)].albedo[2] == 0.625f);
}

#define PLY(faces)                                                                                           \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"        \
    "element face 1\nproperty list uchar int vertex_indices\n" faces

/* The same mesh without a material is the same scene as PLY and as OBJ; a material of its own stays. */
TEST_IN(ply_has_the_albedo_as_obj_has, scratch_enter, scratch_leave) {
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                      ply[] = PLY("end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
                      own[] = PLY("property int material_index\nelement material 1\nproperty float "
                                  "diffuse_red\nproperty float diffuse_green\nproperty float "
                                  "diffuse_blue\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 0\n0.5 0.25 "
                                  "0.125\n");
    scratch_put("bare.obj", obj, sizeof obj - 1);
    scratch_put("bare.ply", ply, sizeof ply - 1);
    scratch_put("own.ply", own, sizeof own - 1);
    fs_mesh_scene_params p = defaults();
    for (int i = 0; i < 2; i++) {
        p.albedo = i == 0 ? 0.75 : 0.2;
        fs_material of[3];
        for (int k = 0; k < 3; k++) {
            p.file = ((const char *const[]){"bare.obj", "bare.ply", "own.ply"})[k];
            const fs_mesh_scene scene = load(&p);
            of[k] = scene.material[fs_mesh_material_of(&scene, 0)];
        }
        assert_memory_equal(&of[1], &of[0], sizeof *of);
        for (int c = 0; c < 3; c++)
            assert_true(of[1].albedo[c] == (float)p.albedo && of[2].albedo[c] == 0.5f / (float)(1 << c));
    }
}

TEST_IN(albedo_above_one_is_refused, scratch_enter, scratch_leave) {
    scratch_put("h.mtl", "newmtl a\nKd 1.5 0 0\n", 20);
    refuse_text("h.obj", "mtllib h.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n", "albedo 1.5");
}

/* ---- the program of a tile ---- */

/* Slots are those of neural_path_tracing.md 4; the triangle's operations are published, of all of its 289 issues. */
TEST(events_cost_what_was_counted) {
    fs_tile_params p = {.workers = 6, .pairing = 100, .scale = 100};
#define X(name, key, slots, pipe, doc, source, confidence) p.cost[FS_OP_##name] = slots;
    FS_OP_TABLE(X)
#undef X
    static const uint32_t known[][2] = {
        {FS_WALK_CAMERA, 64},    {FS_WALK_SEGMENT, 102},    {FS_WALK_NODE, 25},
        {FS_WALK_AXIS, 24},      {FS_WALK_INNER, 12},       {FS_WALK_LEAF, 43},
        {FS_WALK_SHEAR, 82},     {FS_WALK_EDGE_EXIT, 121},  {FS_WALK_RANGE_EXIT, 168},
        {FS_WALK_TRIANGLE, 264}, {FS_WALK_NORMAL, 50},      {FS_WALK_SMOOTH, 55},
        {FS_WALK_SPHERE, 52},    {FS_WALK_SPHERE_ROOT, 21}, {FS_WALK_DISC, 54},
        {FS_WALK_HIT, 104},      {FS_WALK_EMISSION, 14},    {FS_WALK_DIFFUSE, 163},
        {FS_WALK_SPECULAR, 43},  {FS_WALK_REFRACTIVE, 92},  {FS_WALK_ROULETTE, 30},
        {FS_WALK_ESCAPE, 13},    {FS_WALK_END, 30},         {FS_WALK_PROLOGUE, 120}};
    fs_priced_program priced;
    assert_int_equal(fs_program_price(&fs_walk_program, &p, &priced, &err), FS_OK);
    assert_int_equal(sizeof known / sizeof known[0], FS_WALK_EVENTS);
    for (size_t i = 0; i < FS_WALK_EVENTS; i++)
        assert_int_equal(priced.slots[known[i][0]], known[i][1]);
    const uint16_t *op = fs_walk_program.events[FS_WALK_TRIANGLE].op;
    assert_int_equal(op[FS_OP_LOAD] + op[FS_OP_STORE] + op[FS_OP_LOAD64] + op[FS_OP_STORE64], 71);
    assert_int_equal(op[FS_OP_LOAD64] + op[FS_OP_STORE64], 20);
    assert_int_equal(op[FS_OP_ADD] + op[FS_OP_MUL] + op[FS_OP_DIV] + 2 * op[FS_OP_F32X2], 67);
    assert_int_equal(2 * op[FS_OP_F32X2], 20);
}

static void waits(void *self) {
    (void)self;
    for (;;)
        pause();
}

static void computes(void *self) {
    for (volatile const bool *always = self; *always;) {
    }
}

static void ends(void *self) {
    (void)self;
}

/* A library that hangs is ended, whether it computes or waits. */
TEST(a_rehearsal_ends) {
    bool always = true;
    const fs_mesh_patience little = {.computing = 1, .waiting = 0.2}, soon = {.computing = 1, .waiting = 100};
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_mesh_rehearse("a.glb", 1, &little, waits, NULL, &err), FS_INPUT, &err,
                 "a.glb: assimp cannot read it: it is not done after");
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_mesh_rehearse("a.glb", 1, &soon, computes, &always, &err), FS_INPUT, &err,
                 "it ends at this file (signal");
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_mesh_rehearse("a.glb", 1, &fs_mesh_patience_usual, ends, NULL, &err), FS_OK);
}

RUN_TESTS(NULL, NULL)
