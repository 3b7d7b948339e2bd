/* parameters.csv: what was set, what was left, and where it was said. */
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

static int begin(void **state) {
    (void)state;
    toy_folder_begin();
    toy_file("configs/machines/m.yaml", "tile:\n  workers: 6\n  sram: 0.5 MiB\n");
    return 0;
}

static int end(void **state) {
    (void)state;
    toy_folder_end();
    return 0;
}

static char *rows_of(const fs_config *config) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fs_config_write_parameters(config, out);
    fclose(out);
    char *rows = strdup(text);
    free(text);
    return rows;
}

static void assert_row(const char *text, const char *row) {
    const char *at = strstr(text, row);
    if (at == NULL || (at != text && at[-1] != '\n'))
        fail_msg("no row \"%s\" in\n%s", row, text);
}

TEST(a_row_says_value_default_and_place) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    toy_file("x.yaml", "machine: m\n"
                       "overlay:\n"
                       "  kind: fat_tree\n"
                       "  dispatch: hash\n"
                       "scene: { file: a.ply, up: [0, 0, 1] }\n"
                       "workload: { camera: { width: 64 }, label: \"a, \\\"b\\\"\" }\n");
    const char *const sets[4] = {"run.threshold=0.010", "run.seed=2"};
    fs_config *config = toy_load(arena, sets, &err);
    assert_non_null(config);
    char *text = rows_of(config);
    /* said, but it is the default; the unit of the value is the nicest, the column has the base unit */
    assert_row(text, "machine,tile.workers,6,,6,no,m.yaml:2,P,sheet 1,traffic,worker contexts\n");
    assert_row(text, "machine,tile.sram,512 KiB,B,624 KiB,yes,m.yaml:3,Y,,traffic,memory of a tile\n");
    assert_row(text, "machine,clock,1.33 GHz,Hz,1.33 GHz,no,default,P,sheet 1,price,tile clock\n");
    /* a kind reaches as far as its parameters */
    assert_row(text, "overlay,kind,fat_tree,,quadtree,yes,x.yaml:3,-,,traffic,a fat tree\n");
    assert_row(text,
               "overlay,widths,\"[1, 1, 2]\",,\"[1, 1, 2]\",no,default,-,,traffic,replicas for each level\n");
    assert_row(text, "overlay,dispatch,hash,,hash,no,x.yaml:4,-,,traffic,which replica\n");
    assert_row(text, "scene,up,\"[0, 0, 1]\",,none,yes,x.yaml:5,-,,geometry,ground normal\n");
    assert_row(text, "scene,matrix,none,,none,no,default,-,,geometry,placing\n");
    assert_row(text, "workload,kind,foam,,foam,no,default,-,,geometry,a foam\n");
    assert_row(text, "workload,camera.width,64,,required,yes,x.yaml:6,-,,geometry,pixels across\n");
    assert_row(
        text,
        "workload,label,\"\"\"a, \\\"\"b\\\"\"\"\"\",,\"\"\"\"\"\",yes,x.yaml:6,-,,nothing,free text\n");
    assert_row(text, "run,threshold,0.01,,0.01,no,--set,-,,geometry,end of a march\n");
    assert_row(text, "run,seed,2,,1,yes,--set,-,,geometry,of all streams\n");
    free(text);
}

/* A changed number is the user's, unless its line states a source; what is written of it states it again. */
TEST(a_changed_number_has_the_source_of_its_line) {
    static const struct {
        const char *line, *row;
    } cases[] = {
        {"sram: 1 MiB", "1 MiB,B,624 KiB,yes,y.yaml:3,Y,,"},
        {"sram: 1 MiB # [P] a sheet, page 2", "1 MiB,B,624 KiB,yes,y.yaml:3,P,\"a sheet, page 2\","},
        {"sram: \"1 MiB\"   # of a friend [M] his letter", "1 MiB,B,624 KiB,yes,y.yaml:3,M,his letter,"},
        {"sram: 1 MiB # [Q] no such letter", "1 MiB,B,624 KiB,yes,y.yaml:3,Y,,"},
        {"sram: 1 MiB # [P]", "1 MiB,B,624 KiB,yes,y.yaml:3,Y,,"},
        {"sram: 624 KiB # [M] another sheet", "624 KiB,B,624 KiB,no,y.yaml:3,P,sheet 1,"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        toy_file("configs/machines/y.yaml",
                 fs_arena_printf(arena, "tile:\n  workers: 6\n  %s\n", cases[i].line));
        toy_file("x.yaml", "machine: y\noverlay: { kind: fat_tree }\nscene: { file: a.ply }\n"
                           "workload: { camera: { width: 64 } }\n");
        static const char *const none[4] = {NULL};
        fs_config *config = toy_load(arena, none, &err);
        assert_got(config, &err);
        char *text = rows_of(config), *resolved = NULL;
        assert_row(text, fs_arena_printf(arena, "machine,tile.sram,%s", cases[i].row));
        free(text);
        size_t size = 0;
        FILE *out = open_memstream(&resolved, &size);
        assert_non_null(out);
        fs_config_write_resolved(config, out, NULL, NULL);
        fclose(out);
        const char *stated = strstr(cases[i].line, "[P] a sheet");
        assert_true(stated == NULL || strstr(resolved, ", [P] a sheet, page 2\n") != NULL);
        free(resolved);
    }
}

/* One row for each parameter of the chosen kinds, and for the two kinds, each as wide as the header. */
TEST(every_parameter_has_one_row) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    toy_file("x.yaml", "workload: { camera: { width: 64 } }\n");
    const char *const sets[4] = {NULL};
    fs_config *config = toy_load(arena, sets, &err);
    assert_non_null(config);
    size_t expected = 2, found = 0;
    for (size_t s = 0; s < TOY_SECTIONS; s++)
        expected += toy_sections[s].kinds[0].table->count;
    char *text = rows_of(config);
    for (const char *at = text; *at != '\0'; at++)
        found += *at == '\n';
    assert_int_equal(found, expected);
    free(text);
}

/* Structs are equal when every part of every value is. */
TEST(equal_to_the_last_part) {
    typedef struct toy {
        double at[3], view[16];
        bool at_given, view_given;
        int64_t count;
        bool flag;
        double real;
    } toy;
    static const fs_param rows[] = {
        FS_PARAM_VEC3("at", toy, at, NONE, NULL, -9, 9, "", PRICE),
        FS_PARAM_MAT4("view", toy, view, NULL, "", PRICE),
        FS_PARAM_INT("count", toy, count, NONE, "1", 0, 9, "", PRICE),
        FS_PARAM_REAL("real", toy, real, NONE, "1", 0, 9, "", PRICE),
    };
    static const fs_param_table table = {.name = "toy", .rows = rows, .count = 4, .size = sizeof(toy)};
    const toy one = {
        .at = {1, 2, 3}, .view = {1}, .at_given = true, .view_given = true, .count = 4, .real = 5};
    toy other = one;
    assert_true(fs_params_equal(&table, "", &one, &other));
    double *const parts[] = {&other.at[0], &other.at[2], &other.view[0], &other.view[15], &other.real};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        *parts[i] += 1;
        assert_false(fs_params_equal(&table, "", &one, &other));
        *parts[i] -= 1;
    }
    other.count++;
    assert_false(fs_params_equal(&table, "", &one, &other));
}

RUN_TESTS(begin, end)
