/* What a configuration is written as: resolved.yaml reads back the same, whatever the values, says where they
 * come from, and tables print for people; random changes of a file never crash. */
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

#define CAMERA "workload: { camera: { width: 64 } }\n"

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
    if (row->given != 0)
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
        fprintf(out, "    position: [%.17g, %.17g, -0.0]\n", any_real(rng) * 1e-280, random_real(rng, -9, 9));
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
    fprintf(out, "run:\n  gain: %.17g\n  threshold: %.17g\n  launch: %.17g slots\n", any_real(rng) / 2,
            fs_rng_unit(rng), random_real(rng, 0, 1e6));
    fprintf(out, "  offset: %lld\n", (long long)fs_rng_u64(rng));
}

TEST(resolved_reads_back_the_same) {
    const uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/resolved");
    for (int i = 0; i < 400; i++) {
        fs_arena *arena = test_arena();
        FILE *out = fopen("x.yaml", "w");
        assert_non_null(out);
        random_experiment(&rng, out);
        fclose(out);
        fs_config *first = toy_must_load(arena, NULL);
        const char *resolved = toy_written(arena, first, false), *canonical = toy_written(arena, first, true);
        fs_config *second = toy_load_text(arena, resolved);
        same_config(first, second);
        assert_string_equal(toy_written(arena, second, true), canonical);
        /* a third time the text itself is the same but for the places */
        fs_config *third = toy_load_text(arena, canonical);
        assert_string_equal(toy_written(arena, third, true), canonical);
    }
}

static const char *digest(void *self, const fs_param *row, const char *path) {
    (void)row;
    ++*(int *)self;
    return strstr(path, "a.ply") != NULL ? "0123abcd" : NULL;
}

TEST(resolved_says_where_from) {
    fs_arena *arena = test_arena();
    toy_file("x.yaml", CAMERA "scene: { file: a.ply }\noverlay: { kind: fat_tree }\nmachine: { name: m }\n");
    const char *const sets[4] = {"run.seed=3"};
    fs_config *config = toy_must_load(arena, sets);
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
    const char *canonical = toy_written(arena, config, true);
    assert_null(strchr(canonical, '#'));
    assert_null(strstr(canonical, "name")); /* labels change no result */
    assert_non_null(strstr(canonical, "seed: 3\n"));
}

TEST(tables_print_for_people) {
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

TEST(mutations_never_crash) {
    toy_parts();
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
        fs_arena *arena = test_arena();
        fs_error err = {.status = FS_OK};
        const char *const none[4] = {NULL};
        fs_config *config = toy_load(arena, none, &err);
        if (config == NULL) {
            assert_int_equal(err.status, FS_INPUT);
            assert_true(strstr(err.text, "x.yaml") != NULL);
            refused++;
        } else {
            assert_int_equal(err.status, FS_OK);
            same_config(config, toy_load_text(arena, toy_written(arena, config, false)));
            taken++;
        }
    }
    assert_true(refused > 1000 && taken > 100); /* both ways were tried */
}

RUN_TESTS(toy_enter, toy_leave)
