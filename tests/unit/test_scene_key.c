/* What names a scene in the cache: each row of the scene's table that shapes a foam changes the key, alone. */
#include "registry/registry.h"
#include "sim/config/config.h"
#include "tests/support/free_sections.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/scene/foam/foam_scene.h"

static const void *load(fs_arena *arena, const char *const *sets, size_t count) {
    fs_error err = {0};
    const fs_config *config = fs_config_load(arena, "x.yaml", fs_test_free_sections(arena),
                                             fs_registry_all.section_count, sets, count, "", &err);
    assert_got(config, &err);
    return fs_config_section(config, "scene");
}

static void key_of(const void *params, char key[FS_DIGEST_HEX]) {
    fs_error err = {0};
    assert_ok(fs_scene_key(params, key, &err), &err);
}

/* A generated scene is shaped by the rows generate.*, one that is read by all the others. */
TEST(each_row_that_shapes_a_foam_changes_its_key) {
    const fs_param_table *table = &fs_foam_scene_table;
    size_t generated = 0, read = 0;
    for (size_t i = 0; i < table->count; i++) {
        fs_arena *arena = test_arena();
        const fs_param *row = &table->rows[i];
        const bool generates = strncmp(row->name, "generate.", 9) == 0;
        const char *sets[2] = {"scene.file=a.txt"};
        size_t count = generates ? 0 : 1;
        const void *before = load(arena, sets, count);
        const char *other = strcmp(row->name, "import.grow.cameras") == 0
                                ? "c.json"
                                : fs_test_another(arena, row, (const char *)before + row->offset);
        sets[count] = fs_arena_printf(arena, "scene.%s=%s", row->name, other);
        char a[FS_DIGEST_HEX], b[FS_DIGEST_HEX];
        key_of(before, a);
        key_of(load(arena, sets, count + 1), b);
        if (strcmp(a, b) == 0)
            fail_msg("%s does not change the key", sets[count]);
        *(generates ? &generated : &read) += 1;
    }
    assert_true(generated >= 11 && read >= 11);
}

TEST(a_file_is_its_content) {
    fs_arena *arena = test_arena();
    char a[FS_DIGEST_HEX], b[FS_DIGEST_HEX];
    key_of(load(arena, (const char *const[]){"scene.file=a.txt"}, 1), a);
    key_of(load(arena, (const char *const[]){"scene.file=copy.txt"}, 1), b);
    assert_string_equal(a, b);
}

TEST(cameras_are_their_content) {
    static const char *const names[] = {"c.json", "same.json", "moved.json"};
    char key[3][FS_DIGEST_HEX];
    fs_arena *arena = test_arena();
    for (int i = 0; i < 3; i++) {
        const char *set = fs_arena_printf(arena, "scene.import.grow.cameras=%s", names[i]);
        key_of(load(arena, (const char *const[]){"scene.file=a.txt", set}, 2), key[i]);
    }
    assert_string_equal(key[0], key[1]);
    assert_string_not_equal(key[0], key[2]);
}

TEST(wrong_keys_of_growth_have_their_place) {
    static const char *const wrong[][2] = {
        {"scene: { file: a.txt, import: { grow: { up: [0, 0, 0] } } }\n",
         "g.yaml:1:45: scene.import.grow.up: expected a direction, found [0, 0, 0]"},
        {"scene: { file: a.txt, import: { grow: { up: [0, 0, 1e-170] } } }\n",
         "g.yaml:1:45: scene.import.grow.up: expected a direction, found [0, 0, 1e-170]"},
        {"scene: { file: a.txt, import: { grow: { sites: 4000000, air: -1 } } }\n",
         "g.yaml:1:62: scene.import.grow.air: expected a number from 0 to 10, found \"-1\""},
        {"scene: { file: a.txt, import: { grow: { pictures: 11 } } }\n",
         "g.yaml:1:51: scene.import.grow.pictures: expected an integer from 1 to 10, found \"11\""},
        {"scene: { file: a.txt, import: { grow: { cameras: c.json, distance: 4 } } }\n",
         "g.yaml:1:50: scene.import.grow.cameras: expected no centre, up or distance beside it"},
        {"scene: { file: a.txt, import: { grow: { cameras: no.json } } }\n", "no.json: cannot be read: "},
        {"scene: { file: a.txt, import: { grow: { cameras: many.json } } }\n",
         "many.json: expected 1 to 192 cameras, found 193"},
        {"scene: { file: a.txt, import: { grow: { cells: 5 } } }\n",
         "g.yaml:1:41: scene.import.grow.cells: unknown key"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fs_error err = {0};
        fs_arena *arena = test_arena();
        scratch_write("g.yaml", wrong[i][0]);
        assert_null(fs_config_load(arena, "g.yaml", fs_registry_all.sections, fs_registry_all.section_count,
                                   NULL, 0, "", &err));
        assert_says(err.text, wrong[i][1]);
    }
}

static void write_cameras(const char *path, double x, int count) {
    FILE *out = fopen(path, "w");
    fprintf(out, "{\"w\": 64, \"h\": 48, \"fl_x\": 50, \"frames\": [");
    for (int i = 0; i < count; i++)
        fprintf(out,
                "%s{\"file_path\": \"a.png\", \"transform_matrix\": "
                "[[1,0,0,%g],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}",
                i > 0 ? "," : "", x);
    fprintf(out, "]}\n");
    fclose(out);
}

static int begin(void **state) {
    if (scratch_enter(state))
        return 1;
    scratch_write("x.yaml", "run: {}\n");
    scratch_write("a.txt", "a");
    scratch_write("copy.txt", "a");
    scratch_write("b.txt", "b");
    write_cameras("c.json", 0, 192);
    write_cameras("same.json", 0, 192);
    write_cameras("moved.json", 0.5, 192);
    write_cameras("many.json", 0, 193);
    return 0;
}

RUN_TESTS(begin, scratch_leave)
