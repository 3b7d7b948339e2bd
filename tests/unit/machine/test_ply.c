/* Foam PLY: what is written is read back to the bit; every damaged file is refused with its place. */
#include "tests/support/foam/small_foam.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/foam/scene_file.h"

#include <sys/stat.h>

/* ---- a good file, and changes to it ---- */

/* Four corners of a tetrahedron: each is a neighbour of all others. */
#include <unistd.h>

static fs_foam tetrahedron(void) {
    static const float xyz[3][4] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    static const float density[4] = {0, 1.5f, 1e-3f, 300};
    static const uint32_t adjacency[12] = {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2};
    fs_foam f = {.sites = 4, .faces = 12};
    float **axis[3] = {&f.x, &f.y, &f.z};
    for (int a = 0; a < 3; a++)
        *axis[a] = memcpy(malloc(sizeof xyz[a]), xyz[a], sizeof xyz[a]);
    f.density = memcpy(malloc(sizeof density), density, sizeof density);
    f.rgb = malloc(12);
    for (int i = 0; i < 12; i++)
        f.rgb[i] = (uint8_t)(i * 21);
    f.adjacency = memcpy(malloc(sizeof adjacency), adjacency, sizeof adjacency);
    f.adjacency_end = malloc(4 * sizeof *f.adjacency_end);
    for (uint32_t i = 0; i < 4; i++)
        f.adjacency_end[i] = 3 * (i + 1);
    fs_foam_seal(&f);
    return f;
}

static const char header[] =
    "ply\nformat %s\nelement vertex %s\nproperty float x\nproperty float y\n"
    "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
    "property float density\nproperty uint adjacency_offset\nelement adjacency %s\n"
    "property uint adjacency\nend_header\n";
static const char vertices[] =
    "0 0 0 10 20 30 0 3\n1 0 0 10 20 30 1 6\n0 1 0 10 20 30 2 9\n0 0 1 10 20 30 3 12\n";
static const char adjacencies[] = "1\n2\n3\n0\n2\n3\n0\n1\n3\n0\n1\n2\n";

static void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static char *get_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *data = malloc(1 << 20);
    *size = fread(data, 1, 1 << 20, file);
    fclose(file);
    return data;
}

static void put_file(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

static void expect_refused(const char *path, const char *words) {
    static fs_error err;
    err = (fs_error){.status = FS_OK};
    fs_foam foam;
    assert_int_equal(fs_foam_read_ply(path, &foam, &err), FS_INPUT);
    if (strstr(err.text, path) != err.text || strstr(err.text, words) == NULL)
        fail_msg("expected \"%s\" about %s, found: %s", words, path, err.text);
    assert_null(foam.x);
}

/* ---- tests ---- */

static void same_foam(const fs_foam *a, const fs_foam *b) {
    assert_int_equal(a->sites, b->sites);
    assert_int_equal(a->faces, b->faces);
    assert_memory_equal(a->x, b->x, a->sites * 4);
    assert_memory_equal(a->y, b->y, a->sites * 4);
    assert_memory_equal(a->z, b->z, a->sites * 4);
    assert_memory_equal(a->density, b->density, a->sites * 4);
    assert_memory_equal(a->rgb, b->rgb, a->sites * 3);
    assert_memory_equal(a->adjacency_end, b->adjacency_end, a->sites * 8);
    assert_memory_equal(a->adjacency, b->adjacency, a->faces * 4);
    assert_string_equal(a->digest, b->digest);
}

TEST(round_trip) {
    fs_error err = {.status = FS_OK};
    fs_foam a = tetrahedron(), b;
    assert_int_equal(fs_foam_write_ply("a.ply", &a, &err), FS_OK);
    assert_int_equal(fs_foam_read_ply("a.ply", &b, &err), FS_OK);
    same_foam(&a, &b);
    fs_foam_free(&a);
    fs_foam_free(&b);
}

/* A run that was killed while it wrote leaves a file beside, which the next one that writes there takes away. */
TEST(what_killed_runs_left_goes) {
    static const char *const left[] = {"left.ply.7-0.partial", "left.foam.7-0.partial"};
    fs_error err = {.status = FS_OK};
    fs_foam a = tetrahedron();
    for (int i = 0; i < 2; i++) {
        put_file(left[i], "half", 4);
        assert_int_equal(
            (i == 0 ? fs_foam_write_ply : fs_foam_write_cached)(i == 0 ? "left.ply" : "left.foam", &a, &err),
            FS_OK);
        assert_int_not_equal(access(left[i], F_OK), 0);
    }
    fs_foam_free(&a);
}

/* Whatever byte is another one, and wherever it ends: nothing of it is believed. */
TEST(no_damaged_entry_is_believed) {
    fs_error err = {.status = FS_OK};
    fs_foam a = tetrahedron(), b, again;
    size_t size;
    assert_false(fs_foam_read_cached("a.foam", &b));
    assert_int_equal(fs_foam_write_cached("a.foam", &a, &err), FS_OK);
    assert_true(fs_foam_read_cached("a.foam", &b));
    same_foam(&a, &b);
    fs_foam_free(&b);
    char *entry = get_file("a.foam", &size);
    for (size_t i = 0; i < size; i++) {
        const char was = entry[i];
        entry[i] = (char)(was ^ 1 << i % 8);
        put_file("a.foam", entry, size);
        assert_false(fs_foam_read_cached("a.foam", &b));
        assert_null(b.x);
        entry[i] = was;
        put_file("a.foam", entry, i);
        assert_false(fs_foam_read_cached("a.foam", &b));
    }
    put_file("a.foam", entry, size + 1); /* a byte that nothing speaks of */
    assert_false(fs_foam_read_cached("a.foam", &b));
    put_file("a.foam", entry, size);
    assert_true(fs_foam_read_cached("a.foam", &b));
    same_foam(&a, &b);
    unlink("a.foam");
    assert_int_equal(mkfifo("a.foam", 0600), 0); /* a pipe is not waited for */
    alarm(20);
    assert_false(fs_foam_read_cached("a.foam", &again));
    assert_int_equal(fs_foam_write_cached("a.foam", &a, &err), FS_OK);
    assert_true(fs_foam_read_cached("a.foam", &again));
    alarm(0);
    fs_foam_free(&again);
    free(entry);
    fs_foam_free(&a);
    fs_foam_free(&b);
}

static void assert_not_believed(fs_foam *foam) {
    fs_error err = {.status = FS_OK};
    fs_foam b;
    assert_int_equal(fs_foam_write_cached("a.foam", foam, &err), FS_OK);
    assert_false(fs_foam_read_cached("a.foam", &b));
    assert_null(b.adjacency);
}

/* Checks that are right, of numbers that are no foam's. */
TEST(no_entry_of_wrong_numbers_is_believed) {
    fs_foam a = tetrahedron();
    const uint32_t last = a.sites - 1;
    for (uint64_t k = 0; k < a.faces; k++) {
        const uint32_t was = a.adjacency[k];
        a.adjacency[k] = a.sites;
        assert_not_believed(&a);
        a.adjacency[k] = UINT32_MAX;
        assert_not_believed(&a);
        a.adjacency[k] = was;
    }
    a.adjacency[fs_foam_begin(&a, last)] = last; /* its own neighbour */
    assert_not_believed(&a);
    a.adjacency[fs_foam_begin(&a, last)] = 0;
    a.faces--; /* the last one has a neighbour that does not have it */
    a.adjacency_end[last]--;
    assert_not_believed(&a);
    a.faces++;
    a.adjacency_end[last]++;
    for (uint32_t i = 0; i < a.sites; i++) {
        const uint64_t was = a.adjacency_end[i];
        a.adjacency_end[i] = a.faces + 1;
        assert_not_believed(&a);
        a.adjacency_end[i] = UINT64_MAX;
        assert_not_believed(&a);
        a.adjacency_end[i] = was;
    }
    const float density = a.density[1];
    a.density[1] = -1.0f;
    assert_not_believed(&a);
    a.density[1] = density;
    a.z[2] = __builtin_nanf("");
    assert_not_believed(&a);
    fs_foam_free(&a);
}

TEST(ascii_equals_binary) {
    fs_error err = {.status = FS_OK};
    fs_foam a, b;
    char head[1024], all[4096];
    snprintf(head, sizeof head, header, "ascii 1.0", "4", "12");
    snprintf(all, sizeof all, "%s%s%s", head, vertices, adjacencies);
    put_text("text.ply", all);
    assert_int_equal(fs_foam_read_ply("text.ply", &a, &err), FS_OK);
    assert_int_equal(fs_foam_write_ply("binary.ply", &a, &err), FS_OK);
    assert_int_equal(fs_foam_read_ply("binary.ply", &b, &err), FS_OK);
    same_foam(&a, &b);
    assert_true(b.density[3] == 3 && b.rgb[2] == 30 && b.adjacency[11] == 2);
    fs_foam_free(&a);
    fs_foam_free(&b);
}

/* A trainer's file has spherical harmonics behind the offset and lists in any order. */
TEST(harmonics_skipped_lists_sorted) {
    fs_error err = {.status = FS_OK};
    fs_foam foam;
    put_text("sh.ply",
             "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
             "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float density\n"
             "property uint adjacency_offset\nproperty float color_sh_0\nproperty float color_sh_1\n"
             "element adjacency 12\nproperty uint adjacency\nend_header\n"
             "0 0 0 1 2 3 0 3 9 9\n1 0 0 1 2 3 1 6 9 9\n0 1 0 1 2 3 2 9 9 9\n0 0 1 1 2 3 3 12 9 9\n"
             "3 1 2 2 0 3 0 1 3 2 1 0\n");
    assert_int_equal(fs_foam_read_ply("sh.ply", &foam, &err), FS_OK);
    for (uint32_t i = 0; i < 4; i++)
        for (uint64_t k = fs_foam_begin(&foam, i) + 1; k < foam.adjacency_end[i]; k++)
            assert_true(foam.adjacency[k - 1] < foam.adjacency[k]);
    fs_foam_free(&foam);
}

/* A foam of degree 3, written and read at each degree: the coefficients bit by bit, and the rest as without them. */
TEST(harmonics_read_back) {
    fs_error err = {.status = FS_OK};
    fs_foam a, b;
    const fs_test_foam_options options = {.sites = 50, .seed = 7};
    assert_int_equal(fs_test_foam_make(&options, &a), FS_OK);
    char digest[FS_DIGEST_HEX];
    assert_int_equal(fs_foam_write_ply("plain.ply", &a, &err), FS_OK);
    assert_int_equal(fs_foam_read_ply("plain.ply", &b, &err), FS_OK);
    memcpy(digest, b.digest, sizeof digest);
    fs_foam_free(&b);
    a.degree = 3;
    a.harmonics = malloc(50 * 45 * sizeof *a.harmonics);
    for (int i = 0; i < 50 * 45; i++)
        a.harmonics[i] = (float)i / 7.0f - 100.0f;
    assert_int_equal(fs_foam_write_ply("three.ply", &a, &err), FS_OK);
    for (uint32_t degree = 1; degree <= 3; degree++) {
        assert_int_equal(fs_foam_read_ply("three.ply", &b, &err), FS_OK);
        assert_string_equal(b.digest, digest);
        assert_null(b.harmonics);
        assert_int_equal(fs_foam_read_harmonics("three.ply", degree, &b, &err), FS_OK);
        const uint32_t stride = 3 * ((degree + 1) * (degree + 1) - 1);
        for (uint32_t i = 0; i < 50; i++)
            assert_memory_equal(b.harmonics + i * stride, a.harmonics + (size_t)i * 45,
                                stride * sizeof *b.harmonics);
        fs_foam_free(&b);
    }
    /* fewer coefficients than the degree wants, and one that is no number */
    a.degree = 1;
    a.harmonics[13] = NAN;
    assert_int_equal(fs_foam_write_ply("one.ply", &a, &err), FS_OK);
    assert_int_equal(fs_foam_read_ply("one.ply", &b, &err), FS_OK);
    assert_fails(fs_foam_read_harmonics("one.ply", 2, &b, &err), FS_INPUT, &err,
                 "9 properties color_sh_*: expected 24");
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_foam_read_harmonics("one.ply", 1, &b, &err), FS_INPUT);
    assert_non_null(strstr(err.text, "vertex 1 ") ? strstr(err.text, "color_sh_4 is not finite") : NULL);
    fs_foam_free(&a);
    fs_foam_free(&b);
}

TEST(bad_headers) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", ":1: not a PLY file"},
        {"solid cube\n", ":1: not a PLY file"},
        {"ply\n", ":2: the header ends early"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 4\n", ":4: the header ends early"},
        {"ply\nformat binary_big_endian 1.0\nend_header\n", ":2: expected format"},
        {"ply\nformat ascii 2.0\nend_header\n", ":2: expected version 1.0"},
        {"ply\nend_header\n", "no `format` line"},
        {"ply\nformat ascii 1.0\nelement vertex four\nend_header\n", ":3: expected a number of records"},
        {"ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", ":3: expected a number of records"},
        {"ply\nformat ascii 1.0\nproperty float x\nend_header\n", ":3: a property before any element"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\nend_header\n", ":4: expected a type"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\nend_header\n",
         ":5: a property of that name"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\nend_header\n",
         ":4: an element of that name"},
        {"ply\nformat ascii 1.0\nvertex 1\nend_header\n", ":3: expected format, element"},
        {"ply\nformat ascii 1.0\nelement points 1\nproperty float x\nend_header\n1\n", "no element `vertex`"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
         "no element `adjacency`"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty list uchar int x\n"
         "element adjacency 0\nproperty uint adjacency\nend_header\n",
         "list property"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        put_text("bad.ply", cases[i].text);
        expect_refused("bad.ply", cases[i].words);
    }
}

/* The good ascii file with its counts, vertices and adjacencies replaced. */
TEST(bad_contents) {
    static const struct {
        const char *counts[2], *vertices, *adjacencies, *words;
    } cases[] = {
        {{"0", "0"}, "", "", "the scene is empty"},
        {{"5", "12"}, NULL, NULL, "vertex 4"},
        {{"18446744073709551615", "12"}, NULL, NULL, "truncated"},
        {{"4000000000", "12"}, NULL, NULL, "truncated"},
        {{"99999999999999999999", "12"}, NULL, NULL, ":3: expected a number of records"},
        {{"4", "4294967295"}, NULL, NULL, "truncated"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\nnan 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 1: x is not finite"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 inf 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 1: y is not finite"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 0 0 1 2 3 inf 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 1: density is not finite"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 0 1e39 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 1: z is not finite"},
        {{"4", "12"},
         "0 0 0 1 2 3 -0.5 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 0: density -0.5 is negative"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 0 0 1 2 3 1 6\n-0 0 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 2 has the same position as vertex 0"},
        {{"4", "12"},
         "0 0 0 1 2 300 0 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 0: blue: expected a whole number from 0 to 255"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 -3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 0: adjacency_offset: expected a whole number"},
        {{"4", "12"},
         "0 0 zero 1 2 3 0 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 0: z: expected a number"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 6\n1 0 0 1 2 3 1 3\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 12\n",
         NULL,
         "vertex 1: adjacency_offset 3 is out of order"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 13\n",
         NULL,
         "vertex 3: adjacency_offset 13 is out of order"},
        {{"4", "12"},
         "0 0 0 1 2 3 0 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 11\n",
         NULL,
         "the last adjacency_offset is 11"},
        {{"4", "12"},
         NULL,
         "1\n2\n4\n0\n2\n3\n0\n1\n3\n0\n1\n2\n",
         "adjacency 2: neighbour 4 of site 0 is out of range"},
        {{"4", "12"},
         NULL,
         "1\n2\n0\n0\n2\n3\n0\n1\n3\n0\n1\n2\n",
         "adjacency 2: site 0 is its own neighbour"},
        {{"4", "12"}, NULL, "1\n2\n2\n0\n2\n3\n0\n1\n3\n0\n1\n2\n", "neighbour 2 is listed twice"},
        {{"4", "11"},
         "0 0 0 1 2 3 0 3\n1 0 0 1 2 3 1 6\n0 1 0 1 2 3 2 9\n0 0 1 1 2 3 3 11\n",
         "1\n2\n3\n0\n2\n3\n0\n1\n3\n0\n1\n",
         "not symmetric: site 2 lists 3, but site 3 does not list 2"},
        {{"4", "12"},
         NULL,
         "1\n2\n3\n0\n2\n3\n0\n1\n3\n0\n1\n",
         "adjacency 11: adjacency: expected a number"},
        {{"4", "12"}, NULL, "1\n2\n3\n0\n2\n3\n0\n1\n3\n0\n1\n2\n7\n", "text follows the last element"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[1024], all[4096];
        snprintf(head, sizeof head, header, "ascii 1.0", cases[i].counts[0], cases[i].counts[1]);
        snprintf(all, sizeof all, "%s%s%s", head, cases[i].vertices != NULL ? cases[i].vertices : vertices,
                 cases[i].adjacencies != NULL ? cases[i].adjacencies : adjacencies);
        put_text("bad.ply", all);
        expect_refused("bad.ply", cases[i].words);
    }
}

TEST(bad_binary) {
    fs_error err = {.status = FS_OK};
    fs_foam foam = tetrahedron();
    assert_int_equal(fs_foam_write_ply("good.ply", &foam, &err), FS_OK);
    size_t size;
    char *data = get_file("good.ply", &size);
    char *body = strstr(data, "end_header\n") + strlen("end_header\n");
    size_t start = (size_t)(body - data);
    for (size_t cut = 0; cut < size;
         cut += cut < start ? 37 : 1) { /* every length of the body is too short */
        put_file("cut.ply", data, cut);
        expect_refused("cut.ply", cut < start ? "" : "truncated");
    }
    char saved[23];
    memcpy(saved, body + 23, sizeof saved);
    const uint32_t not_a_number = UINT32_C(0x7fc00000);
    memcpy(body + 23, &not_a_number, 4);
    put_file("nan.ply", data, size);
    char where[64];
    snprintf(where, sizeof where, "vertex 1 (byte %zu): x is not finite", start + 23);
    expect_refused("nan.ply", where);
    memcpy(body + 23, saved, sizeof saved);
    data[size] = 'x';
    put_file("long.ply", data, size + 1);
    expect_refused("long.ply", "1 bytes follow the last element");
    free(data);
    fs_foam_free(&foam);
}

/* Wrong types and missing properties, each named with the line that declares it. */
TEST(bad_properties) {
    static const struct {
        const char *from, *to, *words;
    } cases[] = {
        {"property uchar red", "property float red", ":7: vertex.red: expected type uchar, found float"},
        {"property float y", "property int y", ":5: vertex.y: expected type float, found int"},
        {"property float density\n", "", "element vertex has no property `density`"},
        {"property uint adjacency_offset", "property uint offset", "no property `adjacency_offset`"},
        {"property uint adjacency\n", "property uint neighbour\n",
         "element adjacency has no property `adjacency`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char head[1024], all[4096], *at;
        snprintf(head, sizeof head, header, "ascii 1.0", "4", "12");
        at = strstr(head, cases[i].from);
        snprintf(all, sizeof all, "%.*s%s%s%s%s", (int)(at - head), head, cases[i].to,
                 at + strlen(cases[i].from), vertices, adjacencies);
        put_text("bad.ply", all);
        expect_refused("bad.ply", cases[i].words);
    }
}

TEST(missing_and_unwritable) {
    static fs_error err;
    fs_foam foam;
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_foam_read_ply("nowhere.ply", &foam, &err), FS_INPUT);
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_foam_read_ply(".", &foam, &err), FS_INPUT);
    foam = tetrahedron();
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_foam_write_ply("no/such/folder/a.ply", &foam, &err), FS_IO, &err, "no/such/folder/a.ply");
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_foam_write_ply("/dev/full", &foam, &err), FS_IO, &err, "No space left");
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode)); /* written to, not replaced */
    fs_foam_free(&foam);
}

RUN_TESTS(scratch_enter, scratch_leave)
