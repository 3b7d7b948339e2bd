/* Keys: each parameter of each kind of each section, changed alone, changes exactly the keys of the layers
 * that it touches and of those above; nothing else changes any. */
#include "registry/registry.h"
#include "sim/config/key.h"
#include "tests/support/free_sections.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

enum { LAYERS = 3 };
typedef char keys[LAYERS][FS_DIGEST_HEX];

static const char *digest_of(void *self, const fs_param *row, const char *path) {
    fs_error err = {0};
    return fs_key_digest(row, path, self, &err) ? NULL : self;
}

static void keys_of(const fs_config *config, keys out) {
    char hex[FS_DIGEST_HEX];
    for (int layer = 0; layer < LAYERS; layer++)
        fs_config_key(config, (fs_key_layer)layer, digest_of, hex, out[layer]);
}

static fs_config *load(fs_arena *arena, const char *const *sets, size_t count) {
    fs_error err = {0};
    fs_config *config = fs_config_load(arena, "x.yaml", fs_test_free_sections(arena),
                                       fs_registry_all.section_count, sets, count, fs_configs_dir(), &err);
    assert_got(config, &err);
    return config;
}

static void try_row(const char *const base[], size_t base_count, const char *section, const fs_param *row,
                    size_t *tried) {
    fs_arena *arena = test_arena();
    const char *sets[16];
    memcpy(sets, base, base_count * sizeof *sets);
    const fs_config *before = load(arena, sets, base_count);
    const char *value = fs_test_another(arena, row, fs_config_value(before, section, row->name));
    if (value != NULL) {
        sets[base_count] = fs_arena_printf(arena, "%s.%s=%s", section, row->name, value);
        keys a, b;
        keys_of(before, a);
        keys_of(load(arena, sets, base_count + 1), b);
        for (int layer = 0; layer < LAYERS; layer++)
            if ((strcmp(a[layer], b[layer]) != 0) != ((int)row->touches <= layer))
                fail_msg("%s: layer %d", sets[base_count], layer);
        ++*tried;
    }
}

TEST(a_parameter_changes_the_keys_that_it_touches) {
    size_t tried = 0;
    fs_arena *tables = test_arena();
    const fs_section *sections = fs_test_free_sections(tables);
    for (size_t s = 0; s < fs_registry_all.section_count; s++)
        for (size_t k = 0; k < sections[s].count; k++) {
            const fs_section *section = &sections[s];
            const fs_param_table *table = section->kinds[k].table;
            fs_arena *arena = test_arena();
            const char *base[16];
            size_t count = 0;
            if (section->kinds[k].kind[0] != '\0')
                base[count++] = fs_arena_printf(arena, "%s.kind=%s", section->name, section->kinds[k].kind);
            for (size_t r = 0; r < table->count; r++)
                if (table->rows[r].def == NULL)
                    base[count++] =
                        fs_arena_printf(arena, "%s.%s=%s", section->name, table->rows[r].name,
                                        table->rows[r].type == FS_TYPE_PATH        ? "a.txt"
                                        : table->rows[r].type == FS_TYPE_VEC3      ? "[1, 2, 3]"
                                        : table->rows[r].type == FS_TYPE_VEC3_LIST ? "[[1, 2, 3], [4, 5, 6]]"
                                                                                   : "2");
            for (size_t r = 0; r < table->count; r++)
                try_row(base, count, section->name, &table->rows[r], &tried);
        }
    assert_true(tried > 150);
}

TEST(a_file_is_its_content) {
    fs_arena *arena = test_arena();
    keys a, b, c;
    const char *set = fs_arena_printf(arena, "scene.file=%s", "a.txt");
    keys_of(load(arena, &set, 1), a);
    set = fs_arena_printf(arena, "scene.file=%s", "copy of a.txt");
    keys_of(load(arena, &set, 1), b);
    scratch_write("copy of a.txt", "changed");
    keys_of(load(arena, &set, 1), c);
    assert_string_equal(a[FS_TOUCHES_GEOMETRY], b[FS_TOUCHES_GEOMETRY]);
    assert_string_not_equal(a[FS_TOUCHES_GEOMETRY], c[FS_TOUCHES_GEOMETRY]);
}

TEST(names_are_no_part_of_a_key) {
    fs_arena *arena = test_arena();
    keys a, b;
    keys_of(load(arena, NULL, 0), a);
    scratch_write("x.yaml", "name: other\nrun: { seed: 1 } # the default\n");
    keys_of(load(arena, NULL, 0), b);
    scratch_write("x.yaml", "run: {}\n");
    for (int layer = 0; layer < LAYERS; layer++)
        assert_string_equal(a[layer], b[layer]);
}

/* The layers' texts grow, one within the next. */
TEST(the_first_difference_is_named) {
    fs_arena *arena = test_arena();
    const char *a = "model 1\nmachine.clock: 1 GHz\nrun.seed: 1\nrun.x: none\n";
    assert_string_equal(fs_key_difference(arena, a, "here", a, "there"), "");
    assert_string_equal(
        fs_key_difference(arena, a, "here", "model 2\nmachine.clock: 1 GHz\nrun.seed: 1\n", "there"),
        "model 1 here, model 2 there");
    assert_string_equal(fs_key_difference(arena, a, "here",
                                          "model 1\nmachine.clock: 1 GHz\nrun.seed: 11\nrun.x: none\n",
                                          "there"),
                        "run.seed is 1 here, 11 there");
    assert_string_equal(
        fs_key_difference(arena, a, "here", "model 1\nmachine.clock: 1 GHz\nrun.x: none\n", "there"),
        "run.seed is 1 here, absent there");
    assert_string_equal(
        fs_key_difference(arena, "model 1\na.b: 2\n", "here", "model 1\na.b: 2\na.c: 1\n", "there"),
        "some parameter is absent here");
}

static int begin(void **state) {
    fs_configs_dir(); /* before the folder changes */
    if (scratch_enter(state))
        return 1;
    scratch_write("x.yaml", "run: {}\n");
    scratch_write("a.txt", "a");
    scratch_write("copy of a.txt", "a");
    scratch_write("b.txt", "b");
    return 0;
}

RUN_TESTS(begin, scratch_leave)
