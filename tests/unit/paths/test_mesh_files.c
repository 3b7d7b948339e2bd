/* Mesh files as others write them: the same square in many spellings is the same scene, cameras see what their format says, and
 * what the library would take for something else is refused with its place. */
#include "sim/base/arith.h"
#include "sim/config/config.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/paths/tree/tree.h"
#include "workloads/paths/walk/walk.h"
#include "workloads/scene/mesh/mesh.h"

static fs_arena *arena;

static fs_mesh_scene_params params_of(const char *path) {
    fs_mesh_scene_params p;
    fs_params_default(arena, &fs_mesh_scene_table, &p);
    p.file = path;
    return p;
}

static fs_mesh_scene load(const char *path) {
    const fs_mesh_scene_params p = params_of(path);
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    assert_ok(fs_mesh_scene_load(&p, arena, &scene, &err), &err);
    return scene;
}

static void refuse(const char *path, const char *words) {
    const fs_mesh_scene_params p = params_of(path);
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    assert_int_equal(fs_mesh_scene_load(&p, arena, &scene, &err), FS_INPUT);
    assert_says(err.text, words);
}

static void same_scene(const fs_mesh_scene *a, const fs_mesh_scene *b, const char *which) {
    if (strcmp(a->digest, b->digest) != 0)
        fail_msg("%s: another scene, of %u triangles and %u vertices", which, (unsigned)a->triangles,
                 (unsigned)a->vertices);
}

/* ---- OBJ ---- */

#define CORNERS "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n"

static int end(void **state) {
    fs_arena_free(arena);
    return scratch_leave(state);
}

static int begin(void **state) {
    arena = fs_arena_create();
    return scratch_enter(state);
}

TEST_IN(obj_is_read_however_it_is_spelt, begin, end) {
    static const char library[] = "newmtl wall\nKd 0.2 0.4 0.6\n", indented[] = "\xef\xbb\xbf# a library\r\n"
                                                                                "newmtl wall   # its name\r\n"
                                                                                "\tKd 0.2 0.4 0.6 # blue\r\n";
    static const char *const spelt[] = {
        "mtllib room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib ./room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib .\\room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib ROOM2.MTL # the same\n" CORNERS "usemtl wall # blue\nf 1 2 3 4\n",
        "mtllib my room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib other.mtl room.txt\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib other.mtl\nmtllib room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "\xef\xbb\xbfmtllib room.mtl\n" CORNERS "usemtl wall\nf 1 2 3 4\n",
        "mtllib room.mtl\r\nv -1 -1 0\r\nv 1 -1 0\r\nv 1 1 0\r\nv -1 1 0\r\nusemtl wall\r\nf 1 2 3 4\r\n",
        "mtllib room.mtl\rv -1 -1 0\rv 1 -1 0\rv 1 1 0\rv -1 1 0\rusemtl wall\rf 1 2 3 4\r",
        "mtllib room.mtl\n  v -1 -1 0\n\tv\t1 -1 0\nv 1 1 0 # far\nv -1 1 0\nusemtl wall\n  f 1 2 3 4 # wall",
        "# kept in c:\\walls\\\nmtllib room.mtl\n" CORNERS "# walls\\\nusemtl wall\nf 1 2 3 4\n",
        "mtllib room.mtl\n" CORNERS "usemtl wall\nf 1 2 \\\n  3 4\nbevel on\nlod 2\n",
        "mtllib room.mtl\n" CORNERS "usemtl wall\nf -4 -3 -2 -1\n",
        "mtllib room.mtl\nv -1e0 -1. 0\nv +1 -1.0E+00 0\nv 1 1 0\nv -.1e1 1 0\nusemtl wall\nf 1 2 3 4\n",
        "usemtl wall\n" CORNERS "f 1 2 3 4\nmtllib room.mtl\n",
    };
    scratch_put("room.mtl", library, sizeof library - 1);
    scratch_put("my room.mtl", library, sizeof library - 1);
    scratch_put("room.txt", library, sizeof library - 1);
    scratch_put("ROOM2.MTL", indented, sizeof indented - 1);
    scratch_put("other.mtl", "newmtl red\nKd 1 0 0\n", 20);
    fs_mesh_scene first = {0};
    for (size_t i = 0; i < FS_COUNT(spelt); i++) {
        scratch_put("a.obj", spelt[i], strlen(spelt[i]));
        const fs_mesh_scene scene = load("a.obj");
        const fs_material *m = &scene.material[fs_mesh_material_of(&scene, 0)];
        if (scene.triangles != 2 || m->albedo[0] != 0.2f || m->albedo[2] != 0.6f)
            fail_msg("spelling %zu: %u triangles, red %g", i, (unsigned)scene.triangles,
                     (double)m->albedo[0]);
        if (i == 0)
            first = scene;
        assert_memory_equal(scene.vertex, first.vertex, 4 * sizeof *first.vertex);
        assert_memory_equal(scene.triangle, first.triangle, 2 * sizeof *first.triangle);
    }
    scratch_put("UPPER.OBJ", spelt[0], strlen(spelt[0]));
    const fs_mesh_scene upper = load("UPPER.OBJ");
    same_scene(&upper, &first, "UPPER.OBJ");
}

TEST_IN(obj_is_refused_with_its_line, begin, end) {
    static const char *const wrong[][2] = {
        {CORNERS "f 1 2 9\n", "a.obj:5: a face names vertex 9; the file has 4"},
        {CORNERS "f 1 2 -5\n", "a.obj:5: \"f 1 2 -5\""},
        {CORNERS "f 0 1 2\n", "a.obj:5: \"f 0 1 2\""},
        {CORNERS "f 1 2\n", "a.obj:5: \"f 1 2\""},
        {CORNERS "f 1//1 2//1 3//1\n", "a.obj:5: a face names normal 1; the file has 0"},
        {CORNERS "f 1 2 three\n", "a.obj:5: \"f 1 2 three\""},
        {"v 1 2\n", "a.obj:1: \"v 1 2\"; expected numbers"},
        {"v nan 1 2\n", "a.obj:1: \"v nan 1 2\""},
        {"v -1,0 1,0 2,0\n", "a.obj:1: \"v -1,0 1,0 2,0\""},
        {"vn 0 0\n", "a.obj:1: \"vn 0 0\""},
        {CORNERS "\ncstype bezier\n", "a.obj:6: \"cstype bezier\"; expected polygons"},
        {CORNERS "call other.obj\n", "a.obj:5: \"call other.obj\"; expected a statement"},
        {"usemtl\n", "a.obj:1: \"usemtl\"; expected a name"},
        {"mtllib spectral.mtl\n", "spectral.mtl:2: \"Kd spectral a.rfl\""},
        {"mtllib none.mtl\n", "a.obj:1: mtllib: none.mtl"},
        {"mtllib ../room.mtl\n", "a.obj:1: mtllib \"../room.mtl\"; a material library lies in the folder"},
        {"mtllib /etc/passwd\n", "a.obj:1: mtllib"},
    };
    scratch_put("spectral.mtl", "newmtl a\nKd spectral a.rfl\n", 27);
    for (size_t i = 0; i < FS_COUNT(wrong); i++) {
        scratch_put("a.obj", wrong[i][0], strlen(wrong[i][0]));
        refuse("a.obj", wrong[i][1]);
    }
}

/* ---- PLY ---- */

/* Whatever the first byte of the data is: a place of a corner has each of 256 in turn. */
TEST_IN(ply_is_read_whatever_its_first_byte, begin, end) {
    static const char *const ends[] = {"\n", "\r\n"};
    for (int e = 0; e < 2; e++)
        for (unsigned byte = 0; byte < (e == 0 ? 256 : 16); byte++) {
            char head[512], body[48 + 26];
            const char *n = ends[e];
            const int length = snprintf(
                head, sizeof head,
                "ply%sformat binary_little_endian 1.0%selement vertex 4%sproperty float x%sproperty float y%s"
                "property float z%selement face 2%sproperty list uchar int vertex_indices%send_header%s",
                n, n, n, n, n, n, n, n, n);
            float corner[4][3] = {{0, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
            const uint32_t bits = 0xbf800000u | byte;
            const int32_t face[2][3] = {{0, 1, 2}, {0, 2, 3}};
            memcpy(&corner[0][0], &bits, sizeof bits);
            memcpy(body, corner, sizeof corner);
            for (int f = 0; f < 2; f++) {
                body[48 + 13 * f] = 3;
                memcpy(body + 48 + 13 * f + 1, face[f], sizeof face[f]);
            }
            FILE *file = fopen("a.ply", "wb");
            assert_non_null(file);
            fwrite(head, 1, (size_t)length, file);
            fwrite(body, 1, sizeof body, file);
            assert_int_equal(fclose(file), 0);
            const fs_mesh_scene scene = load("a.ply");
            assert_int_equal(scene.triangles, 2);
            assert_memory_equal(scene.vertex, corner, sizeof corner);
        }
}

TEST_IN(a_cut_ply_says_so, begin, end) {
    static const char cut[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "20 bytes of 50 follow";
    scratch_put("a.ply", cut, sizeof cut - 2);
    refuse("a.ply", "the file is cut: its elements take at least 50 bytes, and 20 follow the header");
}

/* ---- GLB ---- */

#define PARTS                                                                                                \
    "\"buffers\":[{\"byteLength\":60}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12},{\"buffer\":0,"     \
    "\"byteOffset\":12,\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5123,"         \
    "\"count\":6,"                                                                                           \
    "\"type\":\"SCALAR\"},{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]"
#define SQUARE "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"indices\":0}]}]," PARTS

/* The square as a GLB with the rest of its JSON. */
static void put_glb(const char *rest) {
    static const uint16_t index[6] = {0, 1, 2, 0, 2, 3};
    static const float corner[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    char json[4096];
    int length = snprintf(json, sizeof json, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,%s}", rest);
    while (length % 4 != 0)
        json[length++] = ' ';
    const uint32_t text = (uint32_t)length,
                   head[] = {0x46546c67, 2, 12 + 8 + text + 8 + 60, text, 0x4e4f534a},
                   chunk[] = {60, 0x004e4942};
    FILE *file = fopen("a.glb", "wb");
    assert_non_null(file);
    fwrite(head, 1, sizeof head, file);
    fwrite(json, 1, text, file);
    fwrite(chunk, 1, sizeof chunk, file);
    fwrite(index, 1, sizeof index, file);
    fwrite(corner, 1, sizeof corner, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_camera(const fs_mesh_camera *c, const double at[3], const double forward[3], double fov) {
    for (int a = 0; a < 3; a++)
        if (fabs((double)c->position[a] - at[a]) > 1e-5 || fabs((double)c->forward[a] - forward[a]) > 1e-5)
            fail_msg("at %g %g %g, looks along %g %g %g", (double)c->position[0], (double)c->position[1],
                     (double)c->position[2], (double)c->forward[0], (double)c->forward[1],
                     (double)c->forward[2]);
    assert_true(fabs((double)c->fov - fov) < 1e-5);
}

#define YFOV                                                                                                 \
    "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1.0,\"aspectRatio\":2,\"znear\":0.1}}" \
    "],"

TEST_IN(cameras_of_glb_stand_where_their_nodes_say, begin, end) {
    static const struct {
        const char *scene;
        double at[3], forward[3];
    } cases[] = {
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"camera\":0,\"translation\":[0,0,4]}],",
         {0, 0, 4},
         {0, 0, -1}},
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"camera\":0,\"matrix\":[1,0,0,0,0,1,0,0,0,"
         "0,1,0,0,0,4,1]}],",
         {0, 0, 4},
         {0, 0, -1}},
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"children\":[2],\"translation\":[0,0,1]},{"
         "\"camera\":0,\"translation\":[0,0,3]}],",
         {0, 0, 4},
         {0, 0, -1}},
        /* turned by a quarter about y: its -z looks along -x; above it a scale of 2 */
        {"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"children\":[2],\"scale\":[2,2,2]},{"
         "\"camera\":0,\"translation\":[2,0,0],\"rotation\":[0,0.70710678,0,0.70710678]}],",
         {4, 0, 0},
         {-1, 0, 0}},
        /* the first of two, and one in a scene that is not shown */
        {"\"scenes\":[{\"nodes\":[0,1,2]},{\"nodes\":[3]}],\"nodes\":[{\"mesh\":0},{\"name\":"
         "\"a\",\"camera\":0,\"translation\":[1,2,5]},{\"name\":\"b\",\"camera\":0},{\"camera\":0}],",
         {1, 2, 5},
         {0, 0, -1}},
    };
    for (size_t i = 0; i < FS_COUNT(cases); i++) {
        char rest[3000];
        snprintf(rest, sizeof rest, "%s" YFOV SQUARE, cases[i].scene);
        put_glb(rest);
        const fs_mesh_scene scene = load("a.glb");
        expect_camera(&scene.camera, cases[i].at, cases[i].forward, 1);
        assert_false(scene.camera.across);
    }
    put_glb("\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"camera\":0,\"scale\":[-1,1,1]}]," YFOV
                SQUARE);
    refuse("a.glb", "a node mirrors its camera");
    put_glb("\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"camera\":0}],\"cameras\":[{\"type\":"
            "\"orthographic\","
            "\"orthographic\":{\"xmag\":2,\"ymag\":2,\"znear\":0,\"zfar\":9}}]," SQUARE);
    refuse("a.glb", "its camera is no perspective; give scene.camera");
    fs_mesh_scene_params own = params_of("a.glb");
    own.position_given = own.look_at_given = true;
    own.position[2] = 4;
    own.fov = 60;
    fs_mesh_scene scene;
    fs_error err = {.status = FS_OK};
    assert_int_equal(fs_mesh_scene_load(&own, arena, &scene, &err), FS_OK);
    assert_true(scene.camera.across);
}

#define SHOWN "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0%s}],%s"

TEST_IN(glb_is_refused_where_the_library_passes_over, begin, end) {
    static const char *const wrong[][3] = {
        {"", "\"extensionsRequired\":[\"ACME_geometry\"]," SQUARE,
         "extensionsRequired[0]: \"ACME_geometry\" is not read"},
        {"", "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]," SQUARE, "KHR_draco_mesh_compression"},
        {",\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}", SQUARE, "nodes[0] has EXT_mesh_gpu_instancing"},
        {",\"extensions\":{\"KHR_node_visibility\":{\"visible\":false}}", SQUARE, "nodes[0] is hidden"},
        {",\"skin\":0", SQUARE, "nodes[0] has a skin"},
        {",\"weights\":[0,0.5]", SQUARE, "nodes[0].weights[1] is 0.5"},
        {"",
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2},\"indices\":0}]}],\"buffers\":[{"
         "\"byteLength\":60}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":60}],\"accessors\":[{"
         "\"bufferView\":0,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},{\"bufferView\":0,"
         "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":5122,"
         "\"count\":4,\"type\":\"VEC3\"}]",
         "attributes.POSITION is VEC3 of component type 5122"},
        {"",
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1,\"NORMAL\":2},\"indices\":0}]}],"
         "\"buffers\":[{\"byteLength\":60}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":60}],\"accessors\":"
         "[{\"bufferView\":0,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"},{\"bufferView\":0,"
         "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":5120,"
         "\"count\":4,\"type\":\"VEC3\"}]",
         "attributes.NORMAL is VEC3 of component type 5120"},
    };
    for (size_t i = 0; i < FS_COUNT(wrong); i++) {
        char rest[3000];
        snprintf(rest, sizeof rest, SHOWN, wrong[i][0], wrong[i][1]);
        put_glb(rest);
        refuse("a.glb", wrong[i][2]);
    }
    put_glb("\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"extensionsRequired\":[\"KHR_materials_"
            "unlit\"]," SQUARE);
    assert_int_equal(load("a.glb").triangles, 2);
}

#define PAINTED                                                                                              \
    "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"   \
    "\"POSITION\":1},"                                                                                       \
    "\"indices\":0,\"material\":0}]}]," PARTS ",\"materials\":[%s]"

TEST_IN(materials_of_glb_are_what_it_says, begin, end) {
    static const struct {
        const char *json;
        fs_material_kind kind;
        double light;
    } cases[] = {
        {"{\"emissiveFactor\":[0.1,0.1,0.1],\"pbrMetallicRoughness\":{\"roughnessFactor\":0.5}}",
         FS_MATERIAL_DIFFUSE, 0.1},
        {"{\"emissiveFactor\":[0.1,0.1,0.1],\"pbrMetallicRoughness\":{\"roughnessFactor\":1}}",
         FS_MATERIAL_DIFFUSE, 0.1},
        {"{\"emissiveFactor\":[0.1,0.1,0.1],\"extensions\":{\"KHR_materials_emissive_strength\":{"
         "\"emissiveStrength\":5}}}",
         FS_MATERIAL_DIFFUSE, 0.5},
        {"{\"extensions\":{\"KHR_materials_transmission\":{\"transmissionFactor\":1},\"KHR_materials_ior\":{"
         "\"ior\":1.33}}}",
         FS_MATERIAL_REFRACTIVE, 0},
        {"{\"pbrMetallicRoughness\":{\"metallicFactor\":1,\"roughnessFactor\":0}}", FS_MATERIAL_SPECULAR, 0},
        {"{\"pbrMetallicRoughness\":{\"metallicFactor\":1,\"roughnessFactor\":0.6}}", FS_MATERIAL_DIFFUSE, 0},
    };
    for (size_t i = 0; i < FS_COUNT(cases); i++) {
        char rest[3000];
        snprintf(rest, sizeof rest, PAINTED, cases[i].json);
        put_glb(rest);
        const fs_mesh_scene scene = load("a.glb");
        const fs_material *m = &scene.material[fs_mesh_material_of(&scene, 0)];
        if (m->kind != cases[i].kind || fabs((double)m->emission[0] - cases[i].light) > 1e-6)
            fail_msg("material %zu: kind %d, light %g", i, (int)m->kind, (double)m->emission[0]);
        if (m->kind == FS_MATERIAL_REFRACTIVE)
            assert_true(fabs((double)m->ior - 1.33) < 1e-6);
    }
}

/* ---- Collada ---- */

TEST_IN(cameras_of_collada_see_what_they_say, begin, end) {
    static const char whole[] =
        "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
        "version=\"1.4.1\">%s<!-- <camera id=\"cam\"><xfov>9</xfov></camera> --><library_cameras><camera "
        "id=\"far\"><optics><technique_common><perspective><xfov>5</xfov></perspective></technique_common></"
        "optics></camera><camera "
        "id=\"cam\"%s><optics><technique_common><perspective>%s<znear>0.1</znear></perspective></"
        "technique_common></optics></camera></library_cameras><library_geometries><geometry "
        "id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">-1 -1 0 1 -1 0 1 1 0 -1 1 "
        "0</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param "
        "name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "
        "type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input "
        "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"2\"><input semantic=\"VERTEX\" "
        "source=\"#v\" offset=\"0\"/><p>0 1 2 0 2 "
        "3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene "
        "id=\"s\"><node id=\"n\"><instance_geometry url=\"#g\"/></node><node id=\"up\"><translate>0 0 "
        "1</translate><node id=\"c\"><translate>0 0 3</translate><instance_camera "
        "url=\"#cam\"/></node></node><node id=\"d\"><instance_camera "
        "url=\"#far\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
        "url=\"#s\"/></scene></COLLADA>";
    static const struct {
        const char *asset, *name, *view;
        bool across, z_up;
    } cases[] = {
        {"", "", "<xfov>60</xfov>", true, false},
        {"", " name=\"Camera\"", "<xfov sid=\"xfov\">60</xfov><aspect_ratio>2</aspect_ratio>", true, false},
        {"", "", "<yfov>60</yfov>", false, false},
        {"", " name=\"Camera\"", "<yfov>60</yfov><aspect_ratio>2</aspect_ratio>", false, false},
        {"", "", "<xfov>60</xfov><yfov>32.2</yfov>", true, false},
        {"", "", "<yfov>32.2</yfov><xfov>60</xfov>", true, false},
        {"<asset><up_axis>Z_UP</up_axis></asset>", "", "<xfov>60</xfov>", true, true},
    };
    static const double at[2][3] = {{0, 0, 4}, {0, 4, 0}}, forward[2][3] = {{0, 0, -1}, {0, -1, 0}};
    for (size_t i = 0; i < FS_COUNT(cases); i++) {
        char text[4096];
        const int length = snprintf(text, sizeof text, whole, cases[i].asset, cases[i].name, cases[i].view);
        scratch_put("a.dae", text, (size_t)length);
        const fs_mesh_scene scene = load("a.dae");
        expect_camera(&scene.camera, at[cases[i].z_up], forward[cases[i].z_up], 1.0471975511965976);
        assert_int_equal(scene.camera.across, cases[i].across);
    }
    char text[4096];
    scratch_put("a.dae", text,
                (size_t)snprintf(text, sizeof text, whole, "", "", "<aspect_ratio>1</aspect_ratio>"));
    refuse("a.dae", "camera \"cam\" has no xfov or yfov");
}

/* ---- all ---- */

/* The height of a picture sees tan(fov / 2) where the angle is of its height, and so much of it as the height is of the width
 * where it is of the width. */
TEST_IN(angles_are_of_the_side_that_is_said, begin, end) {
    const fs_mesh_camera across = {.fov = 1.0471976f, .across = true}, down = {.fov = 1.0471976f};
    static const uint32_t size[3][2] = {{64, 64}, {128, 64}, {64, 128}};
    for (int i = 0; i < 3; i++) {
        const double high = fs_mesh_camera_tangent(&across, size[i][0], size[i][1]);
        assert_true(fabs(high * size[i][0] / size[i][1] - 0.57735027) < 1e-6);
        assert_true(fabs(fs_mesh_camera_tangent(&down, size[i][0], size[i][1]) - 0.57735027) < 1e-6);
    }
}

TEST_IN(places_that_single_precision_bends_are_refused, begin, end) {
    static const char far[] =
        "v 4499999.9 649999.9 100\nv 4500000.1 649999.9 100\nv 4500000.1 650000.1 100\nf 1 2 3\n",
                      wide[] = "v 4490000 649000 100\nv 4500000 649000 100\nv 4500000 659000 100\nf 1 2 3\n";
    scratch_put("a.obj", far, sizeof far - 1);
    refuse("a.obj", "single precision keeps steps of 0.54");
    scratch_put("a.obj", wide, sizeof wide - 1);
    assert_int_equal(load("a.obj").triangles, 1);
}

/* Segments of 1,024 paths from within a cube, whose faces are wound as said. */
static uint64_t segments_within(bool outwards, bool as_wound) {
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    FILE *file = fopen("cube.obj", "w");
    assert_non_null(file);
    for (int v = 0; v < 8; v++)
        fprintf(file, "v %d %d %d\n", v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1);
    for (int f = 0; f < 6; f++)
        for (int i = 0; i < 4; i++)
            fprintf(file, "%s%d%s", i == 0 ? "f " : "", face[f][outwards ? i : 3 - i] + 1,
                    i == 3 ? "\n" : " ");
    assert_int_equal(fclose(file), 0);
    fs_mesh_scene_params p = params_of("cube.obj");
    p.as_wound = as_wound;
    p.position_given = p.look_at_given = true;
    p.look_at[2] = -1;
    p.fov = 90;
    fs_mesh_scene scene;
    fs_bvh tree;
    fs_walk_scene walk;
    fs_error err = {.status = FS_OK};
    assert_int_equal(fs_mesh_scene_load(&p, arena, &scene, &err), FS_OK);
    fs_mesh_scene_to_camera(&scene);
    assert_int_equal(fs_bvh_build(&scene, FS_TREE_NODE_FULL, arena, &tree, &err), FS_OK);
    fs_walk_prepare(&walk, &scene, &tree, arena);
    const fs_walk_params how = {
        .width = 32, .height = 32, .most_segments = 6, .roulette_above = 6, .seed = 1};
    static fs_walk_key list[1024];
    static fs_walk_path paths[1024];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 1024; i++)
        list[i] = (fs_walk_key){i, 0};
    fs_walk_paths(&walk, &how, list, 1024, paths, NULL);
    for (int i = 0; i < 1024; i++)
        sum += paths[i].segments;
    return sum;
}

/* No path leaves a closed cube, whichever way its faces are wound; with as_wound all leave one that is wound outwards. */
TEST_IN(surfaces_scatter_to_the_side_that_is_seen, begin, end) {
    assert_int_equal(segments_within(false, false), 6 * 1024);
    assert_int_equal(segments_within(true, false), 6 * 1024);
    assert_int_equal(segments_within(false, true), 6 * 1024);
    assert_int_equal(segments_within(true, true), 2 * 1024);
}

RUN_TESTS(NULL, NULL)
