/* foamsim scene partition and scene render as a user calls them, on a foam in a file. */
#include "registry/registry.h"
#include "tests/support/foam/small_foam.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/foam/commands/cmd_scene_input.h"
#include "workloads/foam/march/reference.h"
#include "workloads/foam/partition/partition.h"
#include "workloads/image/image.h"

#include <jansson.h>
#include <png.h>
#include <unistd.h>

enum { SITES = 400, W = 20, H = 16 };

static fs_foam foam;

static int set_up(void **state) {
    fs_error err = {0};
    if (scratch_enter(state) != 0 || fs_test_foam(SITES, 5, &foam))
        return 1;
    return fs_foam_write_ply("foam.ply", &foam, &err) ? 1 : 0;
}

static int tear_down(void **state) {
    fs_foam_free(&foam);
    return scratch_leave(state);
}

typedef fs_status (*command)(fs_command_line *call, fs_error *err);

/* Runs a line of words; what it prints goes to out.txt. */
static fs_status call(command run, const char *line, fs_error *err) {
    char text[512], *argv[32] = {0};
    int argc = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    *err = (fs_error){0};
    fflush(stdout);
    FILE *terminal = stdout, *file = fopen("out.txt", "w");
    assert_non_null(file);
    stdout = file;
    fs_status status = fs_cli_call(&fs_registry_cli, &(fs_command){.run = run}, argc, argv, err);
    stdout = terminal;
    fclose(file);
    return status;
}

TEST(the_table_has_a_row_for_each_shard) {
    fs_error err;
    assert_int_equal(
        call(fs_cmd_scene_partition, "partition foam.ply --shards 16 --csv p.csv -q --no-cache", &err),
        FS_OK);
    fs_arena *arena = test_arena();
    fs_partition p;
    const fs_partition_params params = {.shards = 16};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &foam, &params, arena, &p, &err), FS_OK);
    FILE *file = fopen("p.csv", "r");
    char line[256];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "shard,cells,neighbour_cells,adjacency,neighbour_shards,cell_bytes,"
                              "neighbour_bytes,adjacency_bytes,sram_bytes\n");
    for (uint32_t s = 0; s < 16; s++) {
        const fs_shard_size *z = &p.size[s];
        char expected[256];
        snprintf(expected, sizeof expected, "%u,%u,%u,%u,%u,%u,%u,%u,%u\n", s, z->cells, z->neighbour_cells,
                 z->adjacency, z->neighbour_shards, 24 * z->cells, 16 * z->neighbour_cells, 2 * z->adjacency,
                 24 * z->cells + 16 * z->neighbour_cells + 2 * z->adjacency);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, expected);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
}

TEST(the_json_is_that_of_the_shards) {
    fs_error err;
    assert_int_equal(call(fs_cmd_scene_partition,
                          "partition foam.ply -k octree --cap 30 -j p.json -n 16 -q --no-cache", &err),
                     FS_OK);
    fs_arena *arena = test_arena();
    fs_partition p;
    fs_partition_stats stats;
    const fs_partition_params params = {.shards = 16, .octree_cap = 30};
    assert_int_equal(fs_partition_make(&fs_partitioner_octree, &foam, &params, arena, &p, &err), FS_OK);
    fs_partition_stats_make(&p, &stats);
    assert_true(stats.of[FS_SHARD_CELLS].max <= 30 && stats.of[FS_SHARD_CELLS].sum == SITES);
    json_t *root = json_load_file("p.json", 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "kind")), "octree");
    assert_int_equal(json_integer_value(json_object_get(root, "shards")), stats.shards);
    assert_int_equal(json_integer_value(json_object_get(root, "leaves")), stats.leaves);
    assert_int_equal(json_integer_value(json_object_get(root, "pairs")), foam.faces / 2);
    assert_int_equal(json_integer_value(json_object_get(root, "cut")), stats.cut);
    for (int q = 0; q < FS_SHARD_QUANTITIES; q++) {
        const json_t *of = json_object_get(root, fs_shard_quantity_names[q]);
        uint64_t least = UINT64_MAX, most = 0, sum = 0;
        for (uint32_t s = 0; s < p.shards; s++) {
            const uint64_t x = fs_shard_quantity_of(&p.size[s], (fs_shard_quantity)q);
            least = x < least ? x : least;
            most = x > most ? x : most;
            sum += x;
        }
        assert_int_equal(json_integer_value(json_object_get(of, "min")), least);
        assert_int_equal(json_integer_value(json_object_get(of, "max")), most);
        assert_int_equal(json_integer_value(json_object_get(of, "sum")), sum);
        assert_true(fabs(json_real_value(json_object_get(of, "mean")) * stats.shards - (double)sum) < 1e-6);
    }
    json_decref(root);
}

TEST(the_picture_is_the_reference) {
    fs_error err;
    assert_int_equal(call(fs_cmd_scene_render,
                          "render foam.ply -p 0.8,-0.9,0.7 -l 0,0,0 --fov 60 --size 20x16 -o a.png -d d.png "
                          "--threads 2 -q --no-cache",
                          &err),
                     FS_OK);
    const fs_camera_params view = {.width = W,
                                   .height = H,
                                   .position = {0.8, -0.9, 0.7},
                                   .position_given = true,
                                   .look_at_given = true,
                                   .fov_y = 60};
    const fs_march_params rules = {.threshold = 0.01, .step_limit = 1000000};
    const fs_partition_params params = {.shards = 1};
    fs_arena *arena = test_arena();
    fs_partition p;
    fs_march_scene scene;
    fs_camera camera;
    fs_reference r;
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &foam, &params, arena, &p, &err), FS_OK);
    assert_int_equal(fs_march_scene_make(&foam, &p, &scene, &err), FS_OK);
    assert_int_equal(fs_camera_make(&view, "test", &camera, &err), FS_OK);
    assert_int_equal(fs_reference_render(&scene, &p, &camera, &rules, &r, &err), FS_OK);
    uint8_t expected[3 * W * H], found[3 * W * H];
    fs_image_rgb8(r.rgb, W * H, expected);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, "a.png") != 0);
    assert_true(image.width == W && image.height == H);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, found, 0, NULL) != 0);
    assert_memory_equal(found, expected, sizeof found);
    assert_true(scratch_there("d.png"));
    fs_reference_free(&r);
    fs_march_scene_free(&scene);
}

/* Each view of the sheet is the picture that `scene render` draws of the camera that is printed with it; the
 * printed `up` points to the top of the picture. */
TEST(a_sheet_has_six_pictures) {
    enum { SHEET_W = 3 * W + 8, SHEET_H = 2 * H + 4, PIPS = 10 };
    fs_error err;
    assert_int_equal(call(fs_cmd_scene_contact, "contact foam.ply -o sheet.png -s 20x16 -q --no-cache", &err),
                     FS_OK);
    static uint8_t sheet[3 * SHEET_W * SHEET_H], found[3 * W * H];
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, "sheet.png") != 0);
    assert_true(image.width == SHEET_W && image.height == SHEET_H);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, sheet, 0, NULL) != 0);
    assert_int_equal(rename("out.txt", "views.txt"), 0);
    FILE *views = fopen("views.txt", "r");
    assert_non_null(views);
    int count = 0, number;
    char axis[3];
    double p[3], l[3], u[3];
    while (fscanf(views,
                  "# view %d: up is %2s camera: { position: [%lf, %lf, %lf], look_at: [%lf, %lf, %lf], up: "
                  "[%lf, %lf, %lf], fov_y: 50 deg } ",
                  &number, axis, &p[0], &p[1], &p[2], &l[0], &l[1], &l[2], &u[0], &u[1], &u[2]) == 11) {
        assert_int_equal(number, count + 1);
        assert_true(u[axis[1] - 'x'] * (axis[0] == '-' ? -1 : 1) == 1);
        assert_true((p[0] - l[0]) * u[0] + (p[1] - l[1]) * u[1] + (p[2] - l[2]) * u[2] > 0); /* from above */
        for (uint32_t i = 0; i < foam.sites; i++) /* and from outside of all that there is to see */
            assert_true(foam.density[i] <= 0 ||
                        hypot(hypot(foam.x[i] - l[0], foam.y[i] - l[1]), foam.z[i] - l[2]) <
                            hypot(hypot(p[0] - l[0], p[1] - l[1]), p[2] - l[2]));
        /* the middle of the sign, 3 dots right and 4 down of the black field's corner, is white for a plus and a
         * minus; the dot above it for a plus only */
        const uint8_t *corner = sheet + 3 * ((count / 3) * (H + 4) * SHEET_W + (count % 3) * (W + 4));
        assert_int_equal(corner[3 * (4 * SHEET_W + 3)], 255);
        assert_int_equal(corner[3 * (3 * SHEET_W + 3)], axis[0] == '+' ? 255 : 0);
        char line[400];
        snprintf(line, sizeof line,
                 "render foam.ply -p %g,%g,%g -l %g,%g,%g -u %g,%g,%g --fov 50 --size 20x16 -o v.png -q "
                 "--no-cache",
                 p[0], p[1], p[2], l[0], l[1], l[2], u[0], u[1], u[2]);
        assert_int_equal(call(fs_cmd_scene_render, line, &err), FS_OK);
        image = (png_image){.version = PNG_IMAGE_VERSION};
        assert_true(png_image_begin_read_from_file(&image, "v.png") != 0);
        image.format = PNG_FORMAT_RGB;
        assert_true(png_image_finish_read(&image, NULL, found, 0, NULL) != 0);
        for (int y = PIPS; y < H; y++) /* below the marks */
            assert_memory_equal(found + 3 * y * W,
                                sheet + 3 * (((count / 3) * (H + 4) + y) * SHEET_W + (count % 3) * (W + 4)),
                                3 * W);
        count++;
    }
    fclose(views);
    assert_int_equal(count, 6);
}

/* A file of sites by another ending is read as what it is, a name that is no file is a scene of configs/scenes. */
TEST(a_scene_is_a_file_before_it_is_a_name) {
    fs_error err;
    assert_int_equal(link("foam.ply", "cloud.foam"), 0);
    assert_int_equal(
        call(fs_cmd_scene_contact, "contact cloud.foam -o c.png -s 20x16 -q --no-cache --inside", &err),
        FS_OK);
    char text[4096] = "";
    FILE *views = fopen("out.txt", "r");
    assert_true(fread(text, 1, sizeof text - 1, views) > 0);
    fclose(views);
    assert_non_null(strstr(text, "fov_y: 80 deg")); /* from the middle outwards */
    assert_fails(call(fs_cmd_scene_contact, "contact cloud.fom -o c.png -q --no-cache", &err), FS_INPUT, &err,
                 "cloud.fom");
}

TEST(wrong_words_are_named) {
    static const struct {
        command run;
        const char *line, *word;
    } wrong[] = {
        {fs_cmd_scene_partition, "partition", "FILE"},
        {fs_cmd_scene_partition, "partition foam.ply -q --no-cache", "1024 shards of a scene with 400 cells"},
        {fs_cmd_scene_partition, "partition foam.ply --kind kdd -q", "did you mean \"kd\"?"},
        {fs_cmd_scene_partition, "partition foam.ply -k octree --cap 0 -q", "cap"},
        {fs_cmd_scene_partition, "partition foam.ply -n 16 -q --no-cache --plot foam.ply",
         "a file; pictures go"},
        {fs_cmd_scene_partition, "partition foam.ply --shard 4x -q", "4x"},
        {fs_cmd_scene_partition, "partition no.ply -q --no-cache", "no.ply"},
        {fs_cmd_scene_contact, "contact foam.ply", "--out"},
        {fs_cmd_scene_contact, "contact -o x.png", "FILE"},
        {fs_cmd_scene_contact, "contact foam.ply -o x.png -s 5000x5 -q --no-cache", "at most 4000"},
        {fs_cmd_scene_render, "render foam.ply -p 0,0,0 -l 1,0,0", "--out"},
        {fs_cmd_scene_render, "render -o a.png -p 0,0,0 -l 1,0,0", "which scene"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0 -l 1,0,0",
         "--position: expected three numbers"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0,0", "look_at is missing"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0,0 -l 1,0,0 --size 64", "--size: expected WxH"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0,0 -l 1,0,0 --size 0x64", "size"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0,0 -l 1,0,0 --fov 190", "fov"},
        {fs_cmd_scene_render, "render foam.ply -o x.png -p 0,0,0 -l 0,0,1", "parallel"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fs_error err;
        fs_status status = call(wrong[i].run, wrong[i].line, &err);
        if (fs_exit_status(status) == 0 || strstr(err.text, wrong[i].word) == NULL)
            fail_msg("%s: status %d, \"%s\"", wrong[i].line, status, err.text);
        assert_false(scratch_there("x.png"));
    }
}

RUN_TESTS(set_up, tear_down)
