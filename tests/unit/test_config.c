/* The configuration system on files that are right: defaults, references, bases, --set and places. Mistakes
 * are in tests/system/input/test_bad_config.c, resolved.yaml in test_resolved.c. */
#include "sim/yaml/paths.h"
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

#define CAMERA "workload: { camera: { width: 64 } }\n"

TEST(what_is_not_named_is_default) {
    fs_arena *arena = test_arena();
    fs_config *config = toy_load_text(arena, CAMERA);
    for (size_t i = 0; i < TOY_SECTIONS; i++) {
        const fs_param_table *table = toy_sections[i].kinds[0].table;
        void *wanted = fs_arena_alloc(arena, 1, table->size);
        fs_params_default(arena, table, wanted);
        if (strcmp(toy_sections[i].name, "workload") == 0)
            ((toy_workload *)wanted)->width = 64;
        assert_memory_equal(fs_config_section(config, toy_sections[i].name), wanted, table->size);
    }
    const toy_machine *m = fs_config_section(config, "machine");
    const toy_scene *s = fs_config_section(config, "scene");
    assert_false(s->up_given || s->matrix_given);
    assert_real(m->clock, 1.33e9);
    assert_int_equal(m->sram, 624 * 1024);
    assert_real(m->latency, 5e-6);
    assert_string_equal(fs_config_kind(config, "overlay"), "quadtree");
    assert_string_equal(fs_config_kind(config, "machine"), "");
    assert_string_equal(fs_config_name(config), "x");
}

TEST(every_type_is_read) {
    fs_arena *arena = fs_arena_create();
    fs_config *config =
        toy_load_text(arena, "name: \"a: \\u00e9\"\n"
                             "machine:\n  exchange: { mode: dynamic, width: 8 B/cycle }\n  tile:\n"
                             "    reuse: true\n    sram: 1 MiB\n"
                             "overlay: { kind: fat_tree, widths: [], dispatch: least_occupied }\n"
                             "scene:\n  file: data/../some.ply\n  up: [0, -1, 0.5]\n"
                             "  matrix: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [0, 0, 0, 1]]\n"
                             "  points: [[0 deg, 1 deg, 2 deg], [3 deg, 4 deg, 5 deg]]\n"
                             "workload: { camera: { width: 640, fov_y: 1 rad }, label: 12 }\n"
                             "run: { offset: -9223372036854775808, idle: \"7 cycles\" }\n");
    assert_string_equal(fs_config_name(config), "a: \xc3\xa9");
    const toy_machine *m = fs_config_section(config, "machine");
    assert_int_equal(m->mode, 1);
    assert_real(m->width, 8);
    assert_true(m->reuse);
    assert_int_equal(m->sram, 1 << 20);
    assert_int_equal(m->workers, 6);
    const toy_fat_tree *f = fs_config_section(config, "overlay");
    assert_string_equal(fs_config_kind(config, "overlay"), "fat_tree");
    assert_int_equal(f->widths.count, 0);
    assert_true(f->widths_given);
    assert_int_equal(f->dispatch, 2);
    const toy_scene *s = fs_config_section(config, "scene");
    const char *here = fs_path_real(arena, ".");
    assert_int_equal(strncmp(s->file, here, strlen(here)), 0);
    assert_string_equal(s->file + strlen(here), "/some.ply");
    assert_true(s->up_given && s->matrix_given);
    assert_real(s->up[2], 0.5);
    for (int i = 0; i < 12; i++)
        assert_real(s->matrix[i], i + 1);
    assert_true(s->points_given);
    assert_int_equal(s->points.count, 2);
    for (size_t i = 0; i < 6; i++)
        assert_real(s->points.item[i / 3][i % 3], (double)i);
    config =
        toy_load_text(arena, CAMERA "scene: { points: [7 deg, 8 deg, 9 deg] }\n"); /* one point by itself */
    s = fs_config_section(config, "scene");
    assert_int_equal(s->points.count, 1);
    assert_real(s->points.item[0][2], 9);
    assert_non_null(strstr(toy_written(arena, config, true), "  points: [[7 deg, 8 deg, 9 deg]]\n"));
    config = toy_load_text(arena, CAMERA "scene: { points: [] }\n");
    s = fs_config_section(config, "scene");
    assert_true(s->points_given && s->points.count == 0);
    fs_arena_free(arena);
    arena = fs_arena_create();
    config = toy_load_text(arena, "workload: { camera: { width: 640 }, label: 12 }\n"
                                  "run: { offset: -9223372036854775808, idle: \"7 cycles\" }\n");
    const toy_workload *w = fs_config_section(config, "workload");
    assert_true(w->position_given); /* by its default */
    assert_real(w->position[2], 1);
    assert_string_equal(w->label, "12");
    const toy_run *r = fs_config_section(config, "run");
    assert_true(r->offset == INT64_MIN);
    assert_int_equal(r->idle, 7);
    fs_arena_free(arena);
}

TEST(parts_by_name_and_by_path) {
    toy_parts();
    fs_arena *arena = test_arena();
    const toy_machine *m = fs_config_section(toy_load_text(arena, CAMERA "machine: bow\n"), "machine");
    assert_string_equal(m->name, "gc200"); /* from two files down */
    assert_real(m->clock, 1.85e9);
    assert_int_equal(m->workers, 5);
    assert_int_equal(m->sram, 200 * 1024);
    toy_file("e/y.yaml", CAMERA "machine: own/bow.yaml\nscene: garden\n");
    fs_error err = {.status = FS_OK};
    fs_config *config =
        fs_config_load(arena, "e/y.yaml", toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err);
    assert_non_null(config);
    m = fs_config_section(config, "machine");
    assert_string_equal(m->name, "mine");
    assert_int_equal(m->sram, 200 * 1024);
    /* a path in a part is relative to the part's file */
    const toy_scene *s = fs_config_section(config, "scene");
    assert_non_null(strstr(s->file, "/configs/scenes/ply/garden.ply"));
    assert_string_equal(fs_config_name(config), "y");
    /* beside the experiment comes before the installed ones */
    toy_file("e/z.yaml", CAMERA "machine: bow\n");
    config = fs_config_load(arena, "e/z.yaml", toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err);
    assert_string_equal(((const toy_machine *)fs_config_section(config, "machine"))->name, "nearer");
}

TEST(a_base_is_changed_only_where_named) {
    toy_parts();
    fs_arena *arena = test_arena();
    fs_config *config = toy_load_text(arena, CAMERA "machine:\n  base: bow\n  tile: { workers: 3 }\n");
    const toy_machine *m = fs_config_section(config, "machine");
    assert_int_equal(m->workers, 3);
    assert_int_equal(m->sram, 200 * 1024);
    assert_real(m->clock, 1.85e9);
    /* each value keeps its own place */
    assert_string_equal(fs_config_where(config, "machine", "tile.workers"),
                        "x.yaml:4:20: machine.tile.workers");
    assert_string_equal(fs_config_where(config, "machine", "tile.sram"),
                        "configs/machines/bow.yaml:3:15: machine.tile.sram");
    assert_string_equal(fs_config_where(config, "machine", "name"),
                        "configs/machines/gc200.yaml:1:7: machine.name");
    /* a default falls back to what is around it */
    assert_string_equal(fs_config_where(config, "machine", "tile.reuse"), "x.yaml:4:9: machine.tile.reuse");
    assert_string_equal(fs_config_where(config, "machine", "host.rate"), "x.yaml:3:3: machine.host.rate");
    assert_string_equal(fs_config_where(config, "run", "seed"), "x.yaml:1:1: run.seed");
}

TEST(experiments_have_bases_too) {
    toy_parts();
    toy_file("configs/experiments/first.yaml",
             CAMERA "name: first\nmachine: bow\nrun: { seed: 4, gain: 2 }\n");
    fs_arena *arena = test_arena();
    fs_config *config =
        toy_load_text(arena, "base: first\nmachine: { tile: { workers: 2 } }\nrun: { seed: 5 }\n");
    const toy_machine *m = fs_config_section(config, "machine");
    const toy_run *r = fs_config_section(config, "run");
    assert_int_equal(m->workers, 2);
    assert_real(m->clock, 1.85e9);
    assert_int_equal(r->seed, 5);
    assert_real(r->gain, 2);
    assert_string_equal(fs_config_name(config), "first");
}

TEST(set_comes_last) {
    toy_parts();
    fs_arena *arena = test_arena();
    toy_file("x.yaml", CAMERA "name: ''\nmachine: bow\n");
    const char *const sets[4] = {"machine.tile.workers=2", "overlay={kind: fat_tree, widths: [3, 4]}",
                                 "machine.name='a b'", "scene.file=s.ply"};
    fs_config *config = toy_must_load(arena, sets);
    const toy_machine *m = fs_config_section(config, "machine");
    assert_int_equal(m->workers, 2);
    assert_int_equal(m->sram, 200 * 1024); /* the part stays under what is set */
    assert_string_equal(m->name, "a b");
    const toy_fat_tree *f = fs_config_section(config, "overlay");
    assert_int_equal(f->widths.count, 2);
    assert_int_equal(f->widths.item[1], 4);
    assert_string_equal(fs_config_name(config), "x");
    assert_string_equal(fs_config_where(config, "machine", "tile.workers"),
                        "--set machine.tile.workers=2: machine.tile.workers");
    const char *const other[4] = {"machine=gc200", "machine.tile.workers=7", "machine.tile.workers=8",
                                  "name=n"};
    config = toy_must_load(arena, other);
    m = fs_config_section(config, "machine");
    assert_real(m->clock, 1.33e9); /* bow is gone */
    assert_int_equal(m->workers, 8);
    assert_string_equal(fs_config_name(config), "n");
}

TEST(a_part_by_itself) {
    toy_parts();
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    const char *kind = NULL, *set = "machine.tile.workers=9";
    const toy_machine *m = fs_config_load_section(arena, "configs/machines/bow.yaml", &toy_sections[0], &set,
                                                  1, "configs", &kind, &err);
    assert_non_null(m);
    assert_string_equal(kind, "");
    assert_int_equal(m->workers, 9);
    assert_int_equal(m->sram, 200 * 1024);
}

/* A bare word is one of the installed experiments, unless a file has that name; a folder of the name is no
 * file. */
TEST(an_experiment_by_name) {
    toy_parts();
    toy_file("configs/experiments/named.yaml",
             "machine: gc200\nscene: { file: a.ply }\noverlay: { kind: fat_tree }\n"
             "workload: { camera: { width: 64 } }\n");
    toy_file("named/inside.yaml", "no experiment\n");
    fs_arena *arena = test_arena();
    fs_error err = {.status = FS_OK};
    fs_config *config = fs_config_load(arena, "named", toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err);
    assert_got(config, &err);
    assert_string_equal(fs_config_name(config), "named");
    toy_file("other", "name: beside\nmachine: gc200\nscene: { file: a.ply }\noverlay: { kind: fat_tree }\n"
                      "workload: { camera: { width: 64 } }\n");
    toy_file("configs/experiments/other.yaml", "nothing: here\n");
    config = fs_config_load(arena, "other", toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err);
    assert_got(config, &err);
    assert_string_equal(fs_config_name(config), "beside");
    assert_null(fs_config_load(arena, "nobody", toy_sections, TOY_SECTIONS, NULL, 0, "configs", &err));
    assert_non_null(strstr(err.text, "nobody: found \"nobody\", but no such file in experiments"));
}

RUN_TESTS(toy_enter, toy_leave)
