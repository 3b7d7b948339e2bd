/* The configuration system on files that are right: units, defaults, references, bases, --set, places, and
 * the round trip through resolved.yaml. Mistakes are in tests/system/test_bad_config.c. */
#include "sim/base/rng.h"
#include "sim/config/paths.h"
#include "sim/config/quantity.h"
#include "tests/support/config_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CAMERA "workload: { camera: { width: 64 } }\n"

static int begin(void **state) {
    (void)state;
    toy_folder_begin();
    return 0;
}

static int end(void **state) {
    (void)state;
    toy_folder_end();
    return 0;
}

static fs_config *load(fs_arena *arena, const char *const sets[4]) {
    static const char *const none[4] = {NULL};
    fs_error err = {.status = FS_OK};
    fs_config *config = toy_load(arena, sets == NULL ? none : sets, &err);
    if (config == NULL)
        fail_msg("%s", err.text);
    assert_int_equal(err.status, FS_OK);
    return config;
}

static fs_config *load_text(fs_arena *arena, const char *text) {
    toy_file("x.yaml", text);
    return load(arena, NULL);
}

static uint64_t bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static void assert_same(double a, double b) {
    assert_int_equal(bits(a), bits(b));
}

/* ---- quantities ---- */

static void units_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fs_unit unit;
        double value;
    } rows[] = {
        {"624 KiB", FS_UNIT_BYTES, 638976},
        {"624KiB", FS_UNIT_BYTES, 638976},
        {"1.5 kB", FS_UNIT_BYTES, 1500},
        {"1.1 GB", FS_UNIT_BYTES, 1100000000},
        {"0.5 MiB", FS_UNIT_BYTES, 524288},
        {"2 GiB", FS_UNIT_BYTES, 2147483648.0},
        {"1.33 GHz", FS_UNIT_HZ, 1330000000.0},
        {"0.001 kHz", FS_UNIT_HZ, 1},
        {"3e2 MHz", FS_UNIT_HZ, 3e8},
        {"7 B/cycle", FS_UNIT_BYTES_PER_CYCLE, 7},
        {"7 GB/s", FS_UNIT_BYTES_PER_SECOND, 7e9},
        {"1 MiB/s", FS_UNIT_BYTES_PER_SECOND, 1048576},
        {"60 %", FS_UNIT_PERCENT, 60},
        {"-3 cycles", FS_UNIT_CYCLES, -3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double real;
        int64_t integer;
        assert_int_equal(fs_quantity_real(rows[i].text, rows[i].unit, &real), FS_QUANTITY_OK);
        assert_int_equal(fs_quantity_int(rows[i].text, rows[i].unit, &integer), FS_QUANTITY_OK);
        assert_same(real, rows[i].value);
        assert_int_equal(integer, (int64_t)rows[i].value);
    }
    double x;
    /* decimal prefixes are part of the decimal number: one rounding */
    assert_int_equal(fs_quantity_real("5.3 us", FS_UNIT_SECONDS, &x), FS_QUANTITY_OK);
    assert_same(x, 5.3e-6);
    assert_int_equal(fs_quantity_real("7 ns", FS_UNIT_SECONDS, &x), FS_QUANTITY_OK);
    assert_same(x, 7e-9);
    assert_int_equal(fs_quantity_real("3.141592653589793 rad", FS_UNIT_DEGREES, &x), FS_QUANTITY_OK);
    assert_true(x > 180 - 1e-12 && x < 180 + 1e-12);
}

static void quantities_print_the_nicest_exact_unit(void **state) {
    (void)state;
    static const struct {
        fs_unit unit;
        int64_t value;
        const char *text;
    } integers[] = {
        {FS_UNIT_BYTES, 638976, "624 KiB"},
        {FS_UNIT_BYTES, 1000, "1 kB"},
        {FS_UNIT_BYTES, 1023, "1023 B"},
        {FS_UNIT_BYTES, 0, "0 B"},
        {FS_UNIT_CYCLES, 200, "200 cycles"},
        {FS_UNIT_NONE, -7, "-7"},
        {FS_UNIT_NONE, INT64_MIN, "-9223372036854775808"},
    };
    static const struct {
        fs_unit unit;
        double value;
        const char *text;
    } reals[] = {
        {FS_UNIT_HZ, 1.33e9, "1.33 GHz"},     {FS_UNIT_SECONDS, 5e-6, "5 us"},
        {FS_UNIT_SECONDS, 0, "0 s"},          {FS_UNIT_NONE, 0.1, "0.1"},
        {FS_UNIT_NONE, 1e-7, "1e-7"},         {FS_UNIT_NONE, 20, "20"},
        {FS_UNIT_NONE, -0.0, "-0"},           {FS_UNIT_DEGREES, 50, "50 deg"},
        {FS_UNIT_NONE, 1.25e300, "1.25e300"},
    };
    char text[FS_QUANTITY_TEXT];
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        fs_quantity_print_int(text, integers[i].unit, integers[i].value);
        assert_string_equal(text, integers[i].text);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        fs_quantity_print_real(text, reals[i].unit, reals[i].value);
        assert_string_equal(text, reals[i].text);
    }
}

static double any_double(fs_rng *rng) {
    for (;;) {
        uint64_t b = fs_rng_u64(rng);
        double x;
        memcpy(&x, &b, sizeof x);
        if (x - x == 0)
            return x;
    }
}

static void printed_quantities_read_back_the_same(void **state) {
    (void)state;
    const uint64_t seed = 20;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/quantity");
    char text[FS_QUANTITY_TEXT];
    for (int i = 0; i < 50000; i++) {
        fs_unit unit = (fs_unit)fs_rng_below(&rng, FS_UNIT_PERCENT + 1);
        double x = any_double(&rng), y;
        if (i % 2 == 0) /* the sizes that people write */
            x = (double)fs_rng_below(&rng, 100000) / (i % 4 == 0 ? 1 : 1e6);
        fs_quantity_print_real(text, unit, x);
        assert_int_equal(fs_quantity_real(text, unit, &y), FS_QUANTITY_OK);
        assert_same(x, y);
        int64_t n = (int64_t)(fs_rng_u64(&rng) >> fs_rng_below(&rng, 64)), m;
        fs_quantity_print_int(text, unit, n);
        assert_int_equal(fs_quantity_int(text, unit, &m), FS_QUANTITY_OK);
        assert_int_equal(n, m);
    }
}

static void nearest_words(void **state) {
    (void)state;
    static const char *const words[] = {"quadtree", "fat_tree", "mesh", "direct", "tree", NULL};
    assert_string_equal(fs_nearest_word("quad_tree", words), "quadtree");
    assert_string_equal(fs_nearest_word("fattree", words), "fat_tree");
    assert_string_equal(fs_nearest_word("mseh", words), "mesh");
    assert_string_equal(fs_nearest_word("Direct", words), "direct");
    assert_null(fs_nearest_word("photon", words));
    assert_null(fs_nearest_word("", words));
}

/* ---- defaults, references, bases, --set ---- */

static void what_is_not_named_is_default(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    fs_config *config = load_text(arena, CAMERA);
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
    assert_same(m->clock, 1.33e9);
    assert_int_equal(m->sram, 624 * 1024);
    assert_same(m->latency, 5e-6);
    assert_string_equal(fs_config_kind(config, "overlay"), "quadtree");
    assert_string_equal(fs_config_kind(config, "machine"), "");
    assert_string_equal(fs_config_name(config), "x");
    fs_arena_free(arena);
}

static char *written(fs_arena *arena, const fs_config *config, bool canonical);

static void every_type_is_read(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    fs_config *config =
        load_text(arena, "name: \"a: \\u00e9\"\n"
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
    assert_same(m->width, 8);
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
    assert_same(s->up[2], 0.5);
    for (int i = 0; i < 12; i++)
        assert_same(s->matrix[i], i + 1);
    assert_true(s->points_given);
    assert_int_equal(s->points.count, 2);
    for (size_t i = 0; i < 6; i++)
        assert_same(s->points.item[i / 3][i % 3], (double)i);
    config = load_text(arena, CAMERA "scene: { points: [7 deg, 8 deg, 9 deg] }\n"); /* one point by itself */
    s = fs_config_section(config, "scene");
    assert_int_equal(s->points.count, 1);
    assert_same(s->points.item[0][2], 9);
    assert_non_null(strstr(written(arena, config, true), "  points: [[7 deg, 8 deg, 9 deg]]\n"));
    config = load_text(arena, CAMERA "scene: { points: [] }\n");
    s = fs_config_section(config, "scene");
    assert_true(s->points_given && s->points.count == 0);
    fs_arena_free(arena);
    arena = fs_arena_create();
    config = load_text(arena, "workload: { camera: { width: 640 }, label: 12 }\n"
                              "run: { offset: -9223372036854775808, idle: \"7 cycles\" }\n");
    const toy_workload *w = fs_config_section(config, "workload");
    assert_true(w->position_given); /* by its default */
    assert_same(w->position[2], 1);
    assert_string_equal(w->label, "12");
    const toy_run *r = fs_config_section(config, "run");
    assert_true(r->offset == INT64_MIN);
    assert_int_equal(r->idle, 7);
    fs_arena_free(arena);
}

static void write_parts(void) {
    toy_file("configs/machines/gc200.yaml", "name: gc200\ntile:\n  workers: 5\n  sram: 100 KiB\n");
    toy_file("configs/machines/bow.yaml", "base: gc200\nclock: 1.85 GHz\ntile: { sram: 200 KiB }\n");
    toy_file("configs/scenes/garden.yaml", "file: ply/garden.ply\n");
    toy_file("e/own/bow.yaml", "base: ../../configs/machines/bow.yaml\nname: mine\n");
    toy_file("e/machines/bow.yaml", "name: nearer\n");
}

static void parts_by_name_and_by_path(void **state) {
    (void)state;
    write_parts();
    fs_arena *arena = fs_arena_create();
    const toy_machine *m = fs_config_section(load_text(arena, CAMERA "machine: bow\n"), "machine");
    assert_string_equal(m->name, "gc200"); /* from two files down */
    assert_same(m->clock, 1.85e9);
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
    fs_arena_free(arena);
}

static void a_base_is_changed_only_where_named(void **state) {
    (void)state;
    write_parts();
    fs_arena *arena = fs_arena_create();
    fs_config *config = load_text(arena, CAMERA "machine:\n  base: bow\n  tile: { workers: 3 }\n");
    const toy_machine *m = fs_config_section(config, "machine");
    assert_int_equal(m->workers, 3);
    assert_int_equal(m->sram, 200 * 1024);
    assert_same(m->clock, 1.85e9);
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
    fs_arena_free(arena);
}

static void experiments_have_bases_too(void **state) {
    (void)state;
    write_parts();
    toy_file("configs/experiments/first.yaml",
             CAMERA "name: first\nmachine: bow\nrun: { seed: 4, gain: 2 }\n");
    fs_arena *arena = fs_arena_create();
    fs_config *config =
        load_text(arena, "base: first\nmachine: { tile: { workers: 2 } }\nrun: { seed: 5 }\n");
    const toy_machine *m = fs_config_section(config, "machine");
    const toy_run *r = fs_config_section(config, "run");
    assert_int_equal(m->workers, 2);
    assert_same(m->clock, 1.85e9);
    assert_int_equal(r->seed, 5);
    assert_same(r->gain, 2);
    assert_string_equal(fs_config_name(config), "first");
    fs_arena_free(arena);
}

static void set_comes_last(void **state) {
    (void)state;
    write_parts();
    fs_arena *arena = fs_arena_create();
    toy_file("x.yaml", CAMERA "name: ''\nmachine: bow\n");
    const char *const sets[4] = {"machine.tile.workers=2", "overlay={kind: fat_tree, widths: [3, 4]}",
                                 "machine.name='a b'", "scene.file=s.ply"};
    fs_config *config = load(arena, sets);
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
    config = load(arena, other);
    m = fs_config_section(config, "machine");
    assert_same(m->clock, 1.33e9); /* bow is gone */
    assert_int_equal(m->workers, 8);
    assert_string_equal(fs_config_name(config), "n");
    fs_arena_free(arena);
}

static void a_part_by_itself(void **state) {
    (void)state;
    write_parts();
    fs_arena *arena = fs_arena_create();
    fs_error err = {.status = FS_OK};
    const char *kind = NULL, *set = "machine.tile.workers=9";
    const toy_machine *m = fs_config_load_section(arena, "configs/machines/bow.yaml", &toy_sections[0], &set,
                                                  1, "configs", &kind, &err);
    assert_non_null(m);
    assert_string_equal(kind, "");
    assert_int_equal(m->workers, 9);
    assert_int_equal(m->sram, 200 * 1024);
    fs_arena_free(arena);
}

/* ---- resolved.yaml ---- */

static void same_member(const fs_param *row, const void *a, const void *b) {
    const char *pa = (const char *)a + row->offset, *pb = (const char *)b + row->offset;
    switch (row->type) {
    case FS_TYPE_STRING:
    case FS_TYPE_PATH:
        assert_string_equal(*(const char *const *)pa, *(const char *const *)pb);
        break;
    case FS_TYPE_INT_LIST: {
        const fs_int_list *la = (const void *)pa, *lb = (const void *)pb;
        assert_int_equal(la->count, lb->count);
        assert_memory_equal(la->item, lb->item, la->count * sizeof *la->item);
        break;
    }
    case FS_TYPE_VEC3_LIST: {
        const fs_vec3_list *la = (const void *)pa, *lb = (const void *)pb;
        assert_int_equal(la->count, lb->count);
        if (la->count > 0)
            assert_memory_equal(la->item, lb->item, la->count * sizeof *la->item);
        break;
    }
    case FS_TYPE_BOOL:
        assert_int_equal(*(const bool *)pa, *(const bool *)pb);
        break;
    default:
        assert_memory_equal(pa, pb, row->type == FS_TYPE_VEC3 ? 24 : row->type == FS_TYPE_MAT4 ? 128 : 8);
    }
    if (row->given != SIZE_MAX)
        assert_int_equal(*((const bool *)a + row->given), *((const bool *)b + row->given));
}

static void same_config(const fs_config *a, const fs_config *b) {
    assert_string_equal(fs_config_name(a), fs_config_name(b));
    for (size_t s = 0; s < TOY_SECTIONS; s++) {
        const fs_section *section = &toy_sections[s];
        assert_string_equal(fs_config_kind(a, section->name), fs_config_kind(b, section->name));
        for (size_t k = 0; k < section->count; k++)
            if (strcmp(section->kinds[k].kind, fs_config_kind(a, section->name)) == 0)
                for (size_t i = 0; i < section->kinds[k].table->count; i++)
                    same_member(&section->kinds[k].table->rows[i], fs_config_section(a, section->name),
                                fs_config_section(b, section->name));
    }
}

static char *written(fs_arena *arena, const fs_config *config, bool canonical) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (canonical)
        fs_config_write_canonical(config, out);
    else
        fs_config_write_resolved(config, out, NULL, NULL);
    fclose(out);
    char *copy = fs_arena_strdup(arena, text);
    free(text);
    return copy;
}

/* A random real with all its digits, whatever its size, inside [lo, hi]. */
static double random_real(fs_rng *rng, double lo, double hi) {
    return fs_rng_below(rng, 3) == 0 ? (double)(int64_t)fs_rng_range(rng, lo, hi) : fs_rng_range(rng, lo, hi);
}

static const char *const awkward[] = {"",       "plain",       "true",    "null",     "~",
                                      "12",     "1.5 GHz",     "a: b",    "#x",       "\\\"",
                                      "\\n\\t", "\\u2028",     "\\x07",   "\\u0085",  "{",
                                      "- a",    "\\U0001F600", "\\uFEFF", "\xc3\xa9", " lead and trail ",
                                      "\\e[1m"};

/* An experiment with about half of all keys, in random order of magnitude. */
static void random_experiment(fs_rng *rng, FILE *out) {
    const size_t texts = sizeof awkward / sizeof *awkward;
    fprintf(out, "name: \"%s\"\n", awkward[fs_rng_below(rng, (uint32_t)texts)]);
    fprintf(out, "workload:\n  label: \"%s\"\n  camera:\n    width: %u\n    fov_y: %.17g deg\n",
            awkward[fs_rng_below(rng, (uint32_t)texts)], 1 + fs_rng_below(rng, 10000),
            random_real(rng, 1, 179));
    if (fs_rng_below(rng, 2))
        fprintf(out, "    position: [%.17g, %.17g, -0.0]\n", any_double(rng) * 1e-280,
                random_real(rng, -9, 9));
    fprintf(out, "machine:\n  clock: %.17g Hz\n", random_real(rng, 1e6, 1e10));
    if (fs_rng_below(rng, 2))
        fprintf(out, "  tile: { workers: %u, sram: %u B, reuse: true }\n", 1 + fs_rng_below(rng, 64),
                1024u << fs_rng_below(rng, 20));
    fprintf(out, "  host: { rate: %.17g MiB/s, latency: %.17g us }\n", random_real(rng, 0, 1e9),
            random_real(rng, 0, 1e7));
    if (fs_rng_below(rng, 2)) {
        fprintf(out, "overlay:\n  kind: fat_tree\n  widths: [");
        for (uint32_t n = fs_rng_below(rng, 9), i = 0; i < n; i++)
            fprintf(out, "%s%u", i ? ", " : "", 1 + fs_rng_below(rng, 999));
        fprintf(out, "]\n");
    }
    if (fs_rng_below(rng, 2))
        fprintf(out,
                "scene: { file: \"a b/\\\"%u.ply\", up: [%.17g, 1, 0], points: [[1 rad, %.17g deg, -0 deg], "
                "[2 deg, 3 deg, 4 deg]] }\n",
                fs_rng_below(rng, 99), random_real(rng, -1, 1), random_real(rng, -360, 360));
    fprintf(out, "run:\n  gain: %.17g\n  threshold: %.17g\n  launch: %.17g slots\n", any_double(rng) / 2,
            fs_rng_unit(rng), random_real(rng, 0, 1e6));
    fprintf(out, "  offset: %lld\n", (long long)fs_rng_u64(rng));
}

static void resolved_reads_back_the_same(void **state) {
    (void)state;
    const uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/resolved");
    for (int i = 0; i < 400; i++) {
        fs_arena *arena = fs_arena_create();
        FILE *out = fopen("x.yaml", "w");
        assert_non_null(out);
        random_experiment(&rng, out);
        fclose(out);
        fs_config *first = load(arena, NULL);
        const char *resolved = written(arena, first, false), *canonical = written(arena, first, true);
        fs_config *second = load_text(arena, resolved);
        same_config(first, second);
        assert_string_equal(written(arena, second, true), canonical);
        /* a third time the text itself is the same but for the places */
        fs_config *third = load_text(arena, canonical);
        assert_string_equal(written(arena, third, true), canonical);
        fs_arena_free(arena);
    }
}

static const char *digest(void *self, const char *path) {
    ++*(int *)self;
    return strstr(path, "a.ply") != NULL ? "0123abcd" : NULL;
}

static void resolved_says_where_from(void **state) {
    (void)state;
    fs_arena *arena = fs_arena_create();
    toy_file("x.yaml", CAMERA "scene: { file: a.ply }\noverlay: { kind: fat_tree }\nmachine: { name: m }\n");
    const char *const sets[4] = {"run.seed=3"};
    fs_config *config = load(arena, sets);
    char *text = NULL;
    size_t size = 0;
    int asked = 0;
    FILE *out = open_memstream(&text, &size);
    fs_config_write_resolved(config, out, digest, &asked);
    fclose(out);
    assert_int_equal(asked, 1);
    assert_non_null(strstr(text, "# x.yaml:2:16, sha256 0123abcd\n"));
    assert_non_null(strstr(text, "# --set run.seed=3\n"));
    assert_non_null(strstr(text, "  kind: fat_tree "));
    assert_non_null(strstr(text, "  widths: [1, 1, 2] "));
    assert_non_null(strstr(text, "  # up: none "));
    char line[80];
    snprintf(line, sizeof line, "%-44s# default\n", "    sram: 624 KiB");
    assert_non_null(strstr(text, line));
    free(text);
    const char *canonical = written(arena, config, true);
    assert_null(strchr(canonical, '#'));
    assert_null(strstr(canonical, "name")); /* labels change no result */
    assert_non_null(strstr(canonical, "seed: 3\n"));
    fs_arena_free(arena);
}

static void tables_print_for_people(void **state) {
    (void)state;
    for (size_t s = 0; s < TOY_SECTIONS; s++)
        for (size_t k = 0; k < toy_sections[s].count; k++) {
            const fs_param_table *table = toy_sections[s].kinds[k].table;
            char *plain = NULL, *markdown = NULL;
            size_t size = 0, lines = 0;
            FILE *out = open_memstream(&plain, &size);
            fs_params_print(table, out);
            fclose(out);
            out = open_memstream(&markdown, &size);
            fs_params_print_markdown(table, out);
            fclose(out);
            for (size_t i = 0; i < table->count; i++) {
                assert_non_null(strstr(plain, table->rows[i].name));
                assert_non_null(strstr(plain, table->rows[i].doc));
                assert_non_null(strstr(markdown, table->rows[i].name));
            }
            for (const char *c = markdown; *c != '\0'; c++)
                lines += *c == '\n';
            assert_int_equal(lines, table->count + 6); /* title, sentence, two heads, two empty lines */
            free(plain);
            free(markdown);
        }
}

/* ---- anything at all ---- */

static const char whole[] = "name: fuzz\n"
                            "machine:\n  base: gc200\n  tile: { workers: 3, sram: 624 KiB }\n"
                            "overlay: { kind: fat_tree, widths: [1, 2, 30], dispatch: hash }\n"
                            "scene: { file: \"a b.ply\", up: [0, 1, -0.5] }\n"
                            "workload:\n  kind: foam\n  camera:\n    width: 640\n    fov_y: 50 deg\n"
                            "    position: [1.5, -2e3, 4]\n  payload: 'half'\n"
                            "run: { seed: 1, idle: 200 cycles, threshold: 0.01 }\n";

static void mutations_never_crash(void **state) {
    (void)state;
    write_parts();
    const uint64_t seed = 47;
    print_message("seed %llu\n", (unsigned long long)seed);
    static const char spice[] = "{}[]:,-#&*!|>'\"%@`?~ \n\t\\.=<0\x00\xff\xc3\xef";
    fs_rng rng = fs_rng_stream(seed, "test/mutations");
    int refused = 0, taken = 0;
    for (int i = 0; i < 4000; i++) {
        char text[2 * sizeof whole];
        size_t size = sizeof whole - 1;
        memcpy(text, whole, size);
        for (uint32_t n = 1 + fs_rng_below(&rng, 4); n > 0 && size > 1; n--) {
            size_t at = fs_rng_below(&rng, (uint32_t)size);
            char c = fs_rng_below(&rng, 2) ? spice[fs_rng_below(&rng, sizeof spice - 1)]
                                           : (char)fs_rng_below(&rng, 256);
            switch (fs_rng_below(&rng, 4)) {
            case 0:
                text[at] = c;
                break;
            case 1:
                memmove(text + at + 1, text + at, size - at);
                text[at] = c;
                size++;
                break;
            case 2:
                memmove(text + at, text + at + 1, size - at - 1);
                size--;
                break;
            default:
                size = at + 1;
            }
        }
        toy_bytes("x.yaml", text, size);
        fs_arena *arena = fs_arena_create();
        fs_error err = {.status = FS_OK};
        const char *const none[4] = {NULL};
        fs_config *config = toy_load(arena, none, &err);
        if (config == NULL) {
            assert_int_equal(err.status, FS_INPUT);
            assert_true(strstr(err.text, "x.yaml") != NULL);
            refused++;
        } else {
            assert_int_equal(err.status, FS_OK);
            same_config(config, load_text(arena, written(arena, config, false)));
            taken++;
        }
        fs_arena_free(arena);
    }
    assert_true(refused > 1000 && taken > 100); /* both ways were tried */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_exact),
        cmocka_unit_test(quantities_print_the_nicest_exact_unit),
        cmocka_unit_test(printed_quantities_read_back_the_same),
        cmocka_unit_test(nearest_words),
        cmocka_unit_test(what_is_not_named_is_default),
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(parts_by_name_and_by_path),
        cmocka_unit_test(a_base_is_changed_only_where_named),
        cmocka_unit_test(experiments_have_bases_too),
        cmocka_unit_test(set_comes_last),
        cmocka_unit_test(a_part_by_itself),
        cmocka_unit_test(resolved_reads_back_the_same),
        cmocka_unit_test(resolved_says_where_from),
        cmocka_unit_test(tables_print_for_people),
        cmocka_unit_test(mutations_never_crash),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
