/* Scene files that are damaged or wrong, from the command line: each is exit status 2 and says where. The
 * files are made here, byte by byte: a foam of 3 x 3 x 3 sites, and what can go wrong with it. */
#include "tests/support/cli.h"
#include "tests/support/pages/run_folder.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <unistd.h>

enum {
    SIDE = 3,
    SITES = SIDE * SIDE * SIDE,
    FACES = 2 * 3 * SIDE * SIDE * (SIDE - 1),
    MAX_WANTED = 4,
    RECORD = 23
};

typedef struct tiny {
    float at[SITES][3], density[SITES];
    uint32_t end[SITES], neighbour[FACES];
    uint32_t sites, faces; /* as the header says */
    const char *format, *density_type;
    int cut, extra; /* bytes missing at the end, or too many */
} tiny;

/* Sites near the points of a grid, each beside those one step away: symmetric lists in ascending order. */
static tiny whole(void) {
    tiny f = {.sites = SITES, .faces = FACES, .format = "binary_little_endian 1.0", .density_type = "float"};
    uint32_t n = 0;
    for (int i = 0; i < SITES; i++) {
        const int step[6] = {-SIDE * SIDE, -SIDE, -1, 1, SIDE, SIDE * SIDE};
        const int place[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < 3; k++)
            f.at[i][k] = (float)place[k] + 0.01f * (float)(i * (k + 3) % 7);
        f.density[i] = (float)(i % 3);
        for (int s = 0; s < 6; s++) {
            int axis = s < 3 ? 2 - s : s - 3, on = place[axis] + (s < 3 ? -1 : 1);
            if (on >= 0 && on < SIDE)
                f.neighbour[n++] = (uint32_t)(i + step[s]);
        }
        f.end[i] = n;
    }
    assert_int_equal(n, FACES);
    return f;
}

static void write_tiny(const tiny *f, const char *path) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file,
            "ply\nformat %s\nelement vertex %u\nproperty float x\nproperty float y\nproperty float z\n"
            "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty %s density\n"
            "property uint adjacency_offset\nelement adjacency %u\nproperty uint adjacency\nend_header\n",
            f->format, f->sites, f->density_type, f->faces);
    for (int i = 0; i < SITES; i++) {
        const uint8_t rgb[3] = {(uint8_t)(9 * i), 200, (uint8_t)(255 - 9 * i)};
        fwrite(f->at[i], sizeof(float), 3, file);
        fwrite(rgb, 1, 3, file);
        fwrite(&f->density[i], sizeof(float), 1, file);
        fwrite(&f->end[i], sizeof(uint32_t), 1, file);
    }
    fwrite(f->neighbour, sizeof(uint32_t), FACES, file);
    for (int i = 0; i < f->extra; i++)
        fputc('x', file);
    assert_int_equal(fflush(file), 0);
    long size = ftell(file);
    assert_int_equal(ftruncate(fileno(file), f->cut < size ? size - f->cut : 0), 0);
    assert_int_equal(fclose(file), 0);
}

/* ---- what can go wrong ---- */

static void truncated(tiny *f) {
    f->cut = 5;
}
static void cut_in_the_sites(tiny *f) {
    f->cut = 4 * FACES + 10;
}
static void empty_file(tiny *f) {
    f->cut = 1 << 20;
}
static void too_long(tiny *f) {
    f->extra = 3;
}
static void huge(tiny *f) {
    f->sites = 4000000000u;
}
static void no_sites(tiny *f) {
    f->sites = 0;
    f->faces = 0;
}
static void big_endian(tiny *f) {
    f->format = "binary_big_endian 1.0";
}
static void another_version(tiny *f) {
    f->format = "binary_little_endian 2.0";
}
static void density_in_bytes(tiny *f) {
    f->density_type = "uchar";
}
static void not_a_number(tiny *f) {
    f->at[13][1] = NAN;
}
static void infinite_density(tiny *f) {
    f->density[4] = INFINITY;
}
static void negative_density(tiny *f) {
    f->density[7] = -0.25f;
}
static void two_at_one_place(tiny *f) {
    memcpy(f->at[20], f->at[6], sizeof f->at[0]);
}
static void one_sided(tiny *f) {
    f->neighbour[0] = 26; /* site 0 lists 26 instead of 1 */
}
static void out_of_range(tiny *f) {
    f->neighbour[f->end[2]] = SITES;
}
static void its_own_neighbour(tiny *f) {
    f->neighbour[f->end[8]] = 9;
}
static void listed_twice(tiny *f) {
    f->neighbour[1] = f->neighbour[0];
}
static void offsets_fall(tiny *f) {
    f->end[5] = f->end[4] - 1;
}
static void offsets_beyond(tiny *f) {
    f->end[5] = FACES + 7;
}
static void offsets_end_early(tiny *f) {
    f->end[SITES - 1]--;
}
static void far_away(tiny *f) {
    f->at[26][0] = 70000.0f;
}

static const struct {
    const char *name;
    void (*spoil)(tiny *f);
    const char *wanted[MAX_WANTED];
} mistakes[] = {
    {"truncated",
     truncated,
     {"bad.ply:", "element adjacency: 108 records do not fit", "the file is truncated"}},
    {"cut in the sites", cut_in_the_sites, {"bad.ply:", "the file is truncated"}},
    {"empty file", empty_file, {"bad.ply:1: not a PLY file"}},
    {"too long", too_long, {"bad.ply: 3 bytes follow the last element"}},
    {"a count beyond the file", huge, {"4000000000 records do not fit", "the file is truncated"}},
    {"no sites", no_sites, {"bad.ply: the scene is empty"}},
    {"big endian", big_endian, {"bad.ply:2:", "binary_big_endian"}},
    {"another version", another_version, {"bad.ply:2:", "2.0"}},
    {"density in bytes", density_in_bytes, {"vertex.density: expected type float, found uchar"}},
    {"NaN", not_a_number, {"vertex 13 (byte ", "y is not finite"}},
    {"infinite density", infinite_density, {"vertex 4 (byte ", "density is not finite"}},
    {"negative density", negative_density, {"vertex 7 (byte ", "density -0.25 is negative"}},
    {"two sites at one place", two_at_one_place, {"vertex 20 (byte ", "same position as vertex 6"}},
    {"one-sided adjacency", one_sided, {"the adjacency is not symmetric", "site"}},
    {"neighbour out of range", out_of_range, {"neighbour 27 of site 3 is out of range: there are 27 sites"}},
    {"its own neighbour", its_own_neighbour, {"site 9 is its own neighbour"}},
    {"a neighbour twice", listed_twice, {"vertex 0: neighbour 1 is listed twice"}},
    {"falling offsets", offsets_fall, {"vertex 5 (byte ", "is out of order"}},
    {"offsets beyond the list", offsets_beyond, {"vertex 5 (byte ", "is out of order"}},
    {"offsets that end early", offsets_end_early, {"the last adjacency_offset is 107, but there are 108"}},
    {"beyond fp16", far_away, {"too large for payload half", "t can reach 70002", "payload full"}},
};

static cli_result run(const char *scene, const char *set, const char *out) {
    char file[64];
    snprintf(file, sizeof file, "scene.file=%s", scene);
    return cli("run", "x.yaml", "--quiet", "--set", file, "--set", set, "--out", out, NULL);
}

/* Without a fault the same file runs, so that each fault is the reason of its error. */
TEST(the_whole_file_runs) {
    tiny f = whole();
    write_tiny(&f, "good.ply");
    cli_result r = run("good.ply", "workload.payload=full", "good");
    if (r.status != 0)
        fail_msg("%s", r.err);
    json_t *summary = run_json("good", "summary.json");
    assert_true(json_is_true(figure_json(summary, "image.exact")));
    assert_int_equal(figure_int(summary, "scene.cells"), SITES);
    assert_int_equal(figure_int(summary, "scene.faces"), FACES);
    cli_must("scene", "info", "good.ply", NULL);
}

static bool told(const cli_result *r, const char *const *wanted) {
    bool good = r->status == 2;
    for (int w = 0; w < MAX_WANTED && wanted[w] != NULL; w++)
        good = good && strstr(r->err, wanted[w]) != NULL;
    return good;
}

TEST(each_fault_is_told) {
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        tiny f = whole();
        mistakes[i].spoil(&f);
        write_tiny(&f, "bad.ply");
        cli_result r = run("bad.ply", "workload.payload=half", "out");
        bool good = told(&r, mistakes[i].wanted) && !scratch_there("out") && !scratch_there("out.partial");
        if (!good)
            print_error("%s: exit status %d, signal %d\n%s\n", mistakes[i].name, r.status, r.signal, r.err);
        wrong += !good;
        if (mistakes[i].spoil == far_away)
            continue; /* a scene is as large as it likes; what carries its t is not */
        r = cli("scene", "info", "bad.ply", NULL);
        if (r.status != 2)
            print_error("%s: scene info ends with status %d\n", mistakes[i].name, r.status);
        wrong += r.status != 2;
    }
    assert_int_equal(wrong, 0);
}

TEST(what_fp16_cannot_hold_f32_can) {
    tiny f = whole();
    far_away(&f);
    write_tiny(&f, "far.ply");
    cli_result r = run("far.ply", "workload.payload=full", "far");
    if (r.status != 0)
        fail_msg("%s", r.err);
    json_t *summary = run_json("far", "summary.json");
    assert_true(json_is_true(figure_json(summary, "image.exact")));
}

TEST(more_shards_than_cells_is_an_error) {
    cli_result r = run("good.ply", "workload.partition.shards=64", "out");
    cli_refused(&r, "64");
    assert_non_null(strstr(r.err, "27"));
    assert_false(scratch_there("out"));
}

TEST(a_file_that_is_not_there_is_named) {
    static const char *const paths[] = {"nowhere.ply", "no/such/folder/a.ply", "."};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        cli_result r = run(paths[i], "run.seed=1", "out");
        assert_int_equal(r.status, 2);
        if (paths[i][0] == 'n')
            assert_non_null(strstr(r.err, paths[i]));
        assert_false(scratch_there("out"));
    }
}

/* The same in an experiment: the line, the key, the file, how to name another, and where such files are from. */
TEST(a_missing_file_of_an_experiment_has_its_place) {
    static const char *const lines[] = {"base: x.yaml\nscene: { file: far/away.ply }\n",
                                        "base: large\nscene: { file: far/away.dae }\n",
                                        "base: poplar-room\nscene: { file: far/away.yaml }\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_write("away.yaml", lines[i]);
        cli_result r = cli("run", "away.yaml", "--check", NULL);
        cli_refused(&r, "away.yaml:2:16: scene.file: no file \"");
        assert_non_null(strstr(r.err, "/far/away."));
        assert_non_null(strstr(r.err,
                               "`--set scene.file=FILE` names another. Captured scenes are not part of "
                               "foamsim; docs/scenes.md names their sources"));
    }
}

/* Random damage: one byte of a good file changed. Either the file is still a foam, or it is refused; never a
 * crash. */
TEST(a_changed_byte_never_crashes) {
    tiny f = whole();
    write_tiny(&f, "good.ply");
    size_t size, refused = 0;
    char *bytes = file_read("good.ply", &size);
    for (size_t i = 0; i < 40; i++) {
        size_t place = i * 7919 % size;
        char before = bytes[place];
        bytes[place] = (char)(before ^ (1 << i % 8));
        FILE *file = fopen("changed.ply", "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        assert_int_equal(fclose(file), 0);
        bytes[place] = before;
        cli_result r = cli("scene", "info", "changed.ply", NULL);
        if (r.status != 0 && r.status != 2)
            fail_msg("byte %zu, bit %zu: exit status %d, signal %d\n%s", place, i % 8, r.status, r.signal,
                     r.err);
        refused += r.status == 2;
    }
    print_message("%zu of 40 changed files refused\n", refused);
    assert_true(refused > 10);
}

static int begin(void **state) {
    if (cli_enter(state) != 0)
        return 1;
    cli_write("x.yaml", "name: tiny\n"
                        "machine: gc200-small\n"
                        "workload:\n"
                        "  camera: { position: [-2, 1.1, 1.3], look_at: [1, 1, 1], width: 24, height: 18 }\n"
                        "  partition: { shards: 4 }\n"
                        "  batching: { per_batch: 4, idle: 5 }\n");
    return 0;
}

RUN_TESTS(begin, cli_leave)
