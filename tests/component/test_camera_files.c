/* Cameras of other programs: points on the rays of pixels, projected by what the file says, are those pixels.
 * Text and bytes say the same; what is malformed is told with its place. */
#include "registry/registry.h"
#include "sim/config/config.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/foam_params.h"
#include "workloads/image/camera_file.h"

#include <sys/stat.h>
#include <unistd.h>

/* Two lenses, three pictures; the quaternions have other lengths than 1. */
typedef struct shot {
    double q[4], t[3];
    int camera;
    const char *name;
} shot;
static const shot shots[3] = {{{1, 0, 0, 0}, {0.5, -0.25, 2}, 7, "a.jpg"},
                              {{0.8, 0.1, -0.5, 0.3}, {1, 2, 3}, 2, "deep/b c.png"},
                              {{-0.3, 2, 0.7, 0.1}, {-4, 0, 0.5}, 7, "d.jpg"}};
static const double pinhole[4] = {500, 510, 320.5, 235.25}, simple[3] = {300, 200, 150};

static void write_colmap_text(const char *folder) {
    char path[64], text[2000];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/cameras.txt", folder);
    scratch_write(path,
                  "# Camera list\n2 SIMPLE_PINHOLE 400 300 300 200 150\r\n7 PINHOLE 640 480 500 510 320.5 "
                  "235.25\n");
    size_t n = (size_t)snprintf(text, sizeof text, "# Image list\n\n");
    for (int i = 0; i < 3; i++) {
        const shot *s = &shots[i];
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %d %s\n%s\n", i + 1, s->q[0],
                              s->q[1], s->q[2], s->q[3], s->t[0], s->t[1], s->t[2], s->camera, s->name,
                              i == 1 ? "" : "10.5 20.25 -1 7 8 42");
    }
    snprintf(path, sizeof path, "%s/images.txt", folder);
    scratch_write(path, text);
}

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
} bytes;
static void put(bytes *b, const void *data, size_t size) {
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

static void write_colmap_bytes(const char *folder, bytes out[2]) {
    char path[64];
    mkdir(folder, 0777);
    bytes *c = &out[0], *m = &out[1];
    c->size = m->size = 0;
    put(c, &(uint64_t){2}, 8);
    put(c, &(int32_t){2}, 4);
    put(c, &(int32_t){0}, 4);
    put(c, (uint64_t[]){400, 300}, 16);
    put(c, simple, sizeof simple);
    put(c, &(int32_t){7}, 4);
    put(c, &(int32_t){1}, 4);
    put(c, (uint64_t[]){640, 480}, 16);
    put(c, pinhole, sizeof pinhole);
    put(m, &(uint64_t){3}, 8);
    for (uint32_t i = 0; i < 3; i++) {
        const unsigned char points[24] = {0};
        put(m, &(uint32_t){i + 1}, 4);
        put(m, shots[i].q, sizeof shots[i].q);
        put(m, shots[i].t, sizeof shots[i].t);
        put(m, &(uint32_t){(uint32_t)shots[i].camera}, 4);
        put(m, shots[i].name, strlen(shots[i].name) + 1);
        put(m, &(uint64_t){i == 1}, 8);
        put(m, points, i == 1 ? 24 : 0);
    }
    snprintf(path, sizeof path, "%s/cameras.bin", folder);
    scratch_put(path, c->data, c->size);
    snprintf(path, sizeof path, "%s/images.bin", folder);
    scratch_put(path, m->data, m->size);
}

/* v turned by a quaternion of any length: v + 2 r x (r x v + w v). */
static void turn(const double q[4], const double v[3], double out[3]) {
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double w = q[0] / n, r[3] = {q[1] / n, q[2] / n, q[3] / n};
    double a[3], b[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        a[i] = r[j] * v[k] - r[k] * v[j] + w * v[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        b[i] = r[j] * a[k] - r[k] * a[j];
        out[i] = v[i] + 2 * b[i];
    }
}

/* A point on the ray of a pixel's middle, `away` from the camera. */
static void point_of(const fs_camera *c, uint32_t i, uint32_t j, double away, double out[3]) {
    float d[3];
    fs_camera_direction(c, i, j, d);
    for (int k = 0; k < 3; k++)
        out[k] = (double)c->origin[k] + away * (double)d[k];
}

static const uint32_t pixels[][2] = {{0, 0}, {399, 299}, {200, 150}, {17, 260}};

TEST(points_of_colmap_are_their_pixels) {
    write_colmap_text("text");
    fs_arena *arena = test_arena();
    fs_camera_list list;
    fs_error err = {0};
    assert_int_equal(fs_cameras_read("text", arena, &list, &err), FS_OK);
    assert_int_equal(list.count, 3);
    for (size_t s = 0; s < 3; s++) {
        const double f[4] = {300, 300, 200, 150}, *lens = shots[s].camera == 7 ? pinhole : f;
        fs_camera c;
        assert_string_equal(list.camera[s].name, shots[s].name);
        assert_false(list.camera[s].distorted);
        assert_int_equal(fs_camera_make(&list.camera[s].params, "test", &c, &err), FS_OK);
        assert_int_equal(c.width, shots[s].camera == 7 ? 640 : 400);
        for (size_t p = 0; p < sizeof pixels / sizeof pixels[0]; p++) {
            double world[3], seen[3];
            point_of(&c, pixels[p][0], pixels[p][1], 1 + (double)p, world);
            turn(shots[s].q, world, seen);
            for (int k = 0; k < 3; k++)
                seen[k] += shots[s].t[k];
            assert_true(seen[2] > 0);
            assert_true(fabs(lens[0] * seen[0] / seen[2] + lens[2] - (pixels[p][0] + 0.5)) < 2e-3);
            assert_true(fabs(lens[1] * seen[1] / seen[2] + lens[3] - (pixels[p][1] + 0.5)) < 2e-3);
        }
    }
}

TEST(bytes_say_what_text_says) {
    static bytes files[2];
    write_colmap_text("text");
    write_colmap_bytes("bytes", files);
    fs_arena *arena = test_arena();
    fs_camera_list a, b;
    fs_error err = {0};
    assert_int_equal(fs_cameras_read("text", arena, &a, &err), FS_OK);
    assert_int_equal(fs_cameras_read("bytes", arena, &b, &err), FS_OK);
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++) {
        assert_string_equal(a.camera[i].name, b.camera[i].name);
        assert_memory_equal(a.camera[i].params.world_to_camera, b.camera[i].params.world_to_camera,
                            sizeof a.camera[i].params.world_to_camera);
        assert_true(a.camera[i].params.intrinsics_cy == b.camera[i].params.intrinsics_cy);
    }
    /* Cut off anywhere, either file is refused with the byte. */
    for (size_t f = 0; f < 2; f++)
        for (size_t cut = 0; cut < files[f].size; cut += 3) {
            scratch_put(f == 0 ? "bytes/cameras.bin" : "bytes/images.bin", files[f].data, cut);
            err = (fs_error){0};
            assert_fails(fs_cameras_read("bytes", arena, &b, &err), FS_INPUT, &err,
                         f == 0 ? "bytes/" : "images.bin: byte ");
            scratch_put(f == 0 ? "bytes/cameras.bin" : "bytes/images.bin", files[f].data, files[f].size);
        }
}

/* Camera to world by rows: right (0.6, 0.8, 0), up (0, 0, 1), back (0.8, -0.6, 0), at (1, 2, 3). */
#define POSE "[[0.6, 0, 0.8, 1], [0.8, 0, -0.6, 2], [0, 1, 0, 3], [0, 0, 0, 1]]"

TEST(points_of_transforms_are_their_pixels) {
    scratch_write("transforms.json",
                  "{\"w\": 400, \"h\": 300, \"camera_angle_x\": 1.2, \"cy\": 140,\n"
                  " \"frames\": [{\"file_path\": \"./a\", \"transform_matrix\": " POSE "},\n"
                  "  {\"transform_matrix\": " POSE
                  ", \"fl_x\": 350, \"fl_y\": 360, \"cx\": 190, \"k1\": 0.1}]}");
    fs_arena *arena = test_arena();
    fs_camera_list list;
    fs_error err = {0};
    assert_int_equal(fs_cameras_read("transforms.json", arena, &list, &err), FS_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.camera[0].name, "./a");
    assert_false(list.camera[0].distorted);
    assert_true(list.camera[1].distorted);
    static const double right[3] = {0.6, 0.8, 0}, up[3] = {0, 0, 1}, back[3] = {0.8, -0.6, 0},
                        at[3] = {1, 2, 3};
    for (size_t n = 0; n < 2; n++) {
        const double angle = 200 / tan(0.6), fx = n == 0 ? angle : 350, fy = n == 0 ? angle : 360,
                     cx = n == 0 ? 200 : 190, cy = 140;
        fs_camera c;
        assert_int_equal(fs_camera_make(&list.camera[n].params, "test", &c, &err), FS_OK);
        for (size_t p = 0; p < sizeof pixels / sizeof pixels[0]; p++) {
            double world[3], x = 0, y = 0, z = 0;
            point_of(&c, pixels[p][0], pixels[p][1], 2, world);
            for (int k = 0; k < 3; k++) {
                x += right[k] * (world[k] - at[k]);
                y += up[k] * (world[k] - at[k]);
                z += back[k] * (world[k] - at[k]);
            }
            assert_true(z < 0); /* OpenGL looks along -z */
            assert_true(fabs(cx + fx * x / -z - (pixels[p][0] + 0.5)) < 2e-3);
            assert_true(fabs(cy - fy * y / -z - (pixels[p][1] + 0.5)) < 2e-3);
        }
    }
}

static void refused(const char *path, const char *told) {
    fs_arena *arena = test_arena();
    fs_camera_list list;
    fs_error err = {0};
    const fs_status status = fs_cameras_read(path, arena, &list, &err);
    if ((status != FS_INPUT && status != FS_IO) || strstr(err.text, told) == NULL)
        fail_msg("%s: status %d, \"%s\"", told, status, err.text);
}

TEST(what_is_malformed_has_its_place) {
    static const struct {
        const char *cameras, *images, *told;
    } colmap[] = {
        {"1 PINHOLE 4 3 1 1 2\n", "",
         "wrong/cameras.txt:1: expected WIDTH HEIGHT and the 4 numbers of a PINHOLE"},
        {"#\n1 PINHOL 4 3 1 1 2 1\n", "", "wrong/cameras.txt:2: no camera model \"PINHOL\""},
        {"x PINHOLE 4 3 1 1 2 1\n", "", "wrong/cameras.txt:1: expected CAMERA_ID MODEL"},
        {"1 PINHOLE 0 3 1 1 2 1\n", "", "wrong/cameras.txt:1: expected a picture of 1 to 65535"},
        {"1 PINHOLE 4 3 -1 1 2 1\n", "", "wrong/cameras.txt:1: expected focal lengths above 0"},
        {"1 PINHOLE 4 3 1 1 2 nan\n", "", "wrong/cameras.txt:1: expected WIDTH HEIGHT"},
        {"1 PINHOLE 4 3 1 1 2 1\n", "", "wrong/images.txt: expected images, found none"},
        {"1 PINHOLE 4 3 1 1 2 1\n", "1 1 0 0 0 0 0 0 2 a.jpg\n\n",
         "wrong/images.txt:1: image \"a.jpg\" has camera 2, which does not exist"},
        {"1 PINHOLE 4 3 1 1 2 1\n", "# x\n1 1 0 0 0 0 0 0 1\n", "wrong/images.txt:2: expected IMAGE_ID QW"},
        {"1 PINHOLE 4 3 1 1 2 1\n", "1 0 0 0 0 0 0 0 1 a\n",
         "wrong/images.txt:1: the quaternion is no rotation"},
    };
    mkdir("wrong", 0777);
    for (size_t i = 0; i < sizeof colmap / sizeof colmap[0]; i++) {
        scratch_write("wrong/cameras.txt", colmap[i].cameras);
        scratch_write("wrong/images.txt", colmap[i].images);
        refused("wrong", colmap[i].told);
    }
    static const struct {
        const char *text, *told;
    } json[] = {
        {"{", "wrong.json:1:1: no JSON"},
        {"{}", "wrong.json: expected a list of 1 to 100000 frames"},
        {"{\"frames\": [{}]}", "wrong.json: frames[0].transform_matrix: expected three or four rows"},
        {"{\"frames\": [{\"transform_matrix\": " POSE "}]}", "frames[0].w: expected w and h"},
        {"{\"w\": 4, \"h\": 3.5, \"frames\": [{\"transform_matrix\": " POSE "}]}",
         "frames[0].w: expected whole"},
        {"{\"w\": 4, \"h\": 3, \"frames\": [{\"transform_matrix\": " POSE "}]}",
         "frames[0].fl_x: expected fl_x"},
        {"{\"w\": 4, \"h\": 3, \"fl_x\": 0, \"frames\": [{\"transform_matrix\": " POSE "}]}",
         "frames[0].fl_x: expected focal lengths"},
        {"{\"w\": 4, \"h\": 3, \"fl_x\": 5, \"frames\": [{\"transform_matrix\": [[2, 0, 0, 0], [0, 1, 0, 0], "
         "[0, 0, 1, 0]]}]}",
         "wrong.json: frames[0]: world_to_camera is no rotation"},
    };
    for (size_t i = 0; i < sizeof json / sizeof json[0]; i++) {
        scratch_write("wrong.json", json[i].text);
        refused("wrong.json", json[i].told);
    }
    refused("nothing", "nothing: cannot be read");
    refused("wrong/images.txt", "expected a folder with COLMAP's cameras");
    mkdir("empty", 0777);
    refused("empty", "expected cameras.txt and images.txt, or");
}

/* What is printed is a camera of an experiment, in half the size too. */
TEST(lines_can_be_pasted) {
    write_colmap_text("text");
    char *argv[] = {(char *)"cameras", (char *)"text", (char *)"--name=c.png", (char *)"--width=200", NULL};
    fs_error err = {0};
    fflush(stdout);
    FILE *terminal = stdout, *file = fopen("x.yaml", "w");
    assert_non_null(file);
    fputs("workload:\n  kind: foam\n  ", file);
    stdout = file;
    const fs_status status =
        fs_cli_call(&fs_registry_cli, &(fs_command){.run = fs_cmd_scene_cameras}, 4, argv, &err);
    stdout = terminal;
    fclose(file);
    assert_int_equal(status, FS_OK);
    char text[2000] = "";
    file = fopen("x.yaml", "r");
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(size > 0);
    char *line = strstr(text, "\ncamera:"); /* behind the comment with the name */
    assert_non_null(line);
    assert_non_null(strstr(text, "# 'deep/b c.png'"));
    assert_null(strstr(line + 1, "\ncamera:"));
    char pasted[2000];
    snprintf(pasted, sizeof pasted, "workload:\n  kind: foam\n  %s", line + 1);
    scratch_write("y.yaml", pasted);
    fs_arena *arena = test_arena();
    const fs_config *config = fs_config_load(arena, "y.yaml", fs_registry_sections,
                                             fs_registry_all.section_count, NULL, 0, fs_configs_dir(), &err);
    assert_got(config, &err);
    const fs_foam_params *p = fs_config_section(config, "workload");
    fs_camera_list list;
    assert_int_equal(fs_cameras_read("text", arena, &list, &err), FS_OK);
    assert_int_equal(p->camera.width, 200);
    assert_int_equal(p->camera.height, 150);
    assert_true(p->camera.intrinsics_fx == 150 && p->camera.intrinsics_cx == 100 &&
                p->camera.intrinsics_cy == 75);
    for (int i = 0; i < 16; i++)
        assert_true(fabs(p->camera.world_to_camera[i] - list.camera[1].params.world_to_camera[i]) < 1e-11);
}

/* Each image finds its lens among many, and no number is two lenses'. */
TEST(many_lenses_are_found_soon) {
    enum { MANY = 100000 };
    fs_camera_list list;
    fs_error err = {0};
    mkdir("many", 0777);
    FILE *cameras = fopen("many/cameras.txt", "w"), *images = fopen("many/images.txt", "w");
    for (int i = MANY; i-- > 0;) {
        fprintf(cameras, "%d SIMPLE_PINHOLE %d 300 300 200 150\n", i, 1 + i % 60000);
        fprintf(images, "%d 1 0 0 0 0 0 2 %d %d\n\n", i, i, i);
    }
    fclose(cameras);
    fclose(images);
    alarm(5);
    assert_int_equal(fs_cameras_read("many", test_arena(), &list, &err), FS_OK);
    alarm(0);
    assert_int_equal(list.count, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(list.camera[i].params.width, 1 + (MANY - 1 - i) % 60000);
    scratch_write("many/cameras.txt", "5 SIMPLE_PINHOLE 40 30 30 20 15\n7 SIMPLE_PINHOLE 40 30 30 20 15\n"
                                      "5 SIMPLE_PINHOLE 41 30 30 20 15\n");
    assert_fails(fs_cameras_read("many", test_arena(), &list, &err), FS_INPUT, &err,
                 "many/cameras.txt: two cameras 5");
}

RUN_TESTS(scratch_enter, scratch_leave)
