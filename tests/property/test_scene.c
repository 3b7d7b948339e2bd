/* Scenes: generated ones hold what they promise, the cache never lies. Imports: test_scene_import.c. */
#include "sim/base/alloc.h"
#include "sim/base/rng.h"
#include "sim/host/voice.h"
#include "tests/support/foam/scene_case.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "workloads/foam/march/reference.h"
#include "workloads/scene/foam/foam_scene.h"
#include "workloads/scene/sites/sites.h"

#include <dirent.h>
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

static fs_error err;

/* ---- generated scenes ---- */

static fs_sites generate(int64_t kind, int64_t cells, int64_t seed) {
    fs_generate_params params = {.kind = kind, .cells = cells, .seed = seed, .trained = fs_trained_defaults};
    fs_sites sites;
    assert_int_equal(fs_scene_generate(&params, &sites, &err), FS_OK);
    return sites;
}

TEST(generated_sites) {
    static const int64_t cells[] = {1000, 1001, 7777, 20000};
    for (int64_t kind = 0; fs_generate_kinds[kind] != NULL; kind++)
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++) {
            omp_set_num_threads(1);
            fs_sites a = generate(kind, cells[c], 1);
            omp_set_num_threads(2 + (int)c); /* stretches of random numbers meet the attempts of one thread */
            fs_sites b = generate(kind, cells[c], 1), other = generate(kind, cells[c], 2);
            uint32_t first, second, empty = 0;
            assert_int_equal(a.count, cells[c]);
            assert_int_equal(other.count, cells[c]);
            assert_true(scene_same_sites(&a, &b));
            assert_false(scene_same_sites(&a, &other));
            assert_false(fs_points_repeated(a.x, a.y, a.z, a.count, &first, &second));
            for (uint32_t i = 0; i < a.count; i++) {
                assert_true(fabsf(a.x[i]) < 100 && fabsf(a.y[i]) < 100 && fabsf(a.z[i]) < 100);
                assert_true(a.density[i] >= 0 && a.density[i] < 65504);
                empty += a.density[i] <= 0;
            }
            if (empty < a.count / 8 || empty > a.count * 7 / 8)
                fail_msg("%s, %d cells: %u are empty", fs_generate_kinds[kind], (int)cells[c], empty);
            fs_sites_free(&a);
            fs_sites_free(&b);
            fs_sites_free(&other);
        }
}

/* Compilers, optimisation and machines must not matter: a changed digest is a changed scene, and
 * SCENE_VERSION of scene_load.c has to be raised with it. */
TEST(generated_digests) {
    static const char *const expected[7] = {"2334313d170211d1", "dbebf7db202cceb0", "abb36e808555ee8a",
                                            "38846757e24203cd", "7ff1444bb4dd6815", "0a8e91a33d7cb1bd",
                                            "19a7073be839d4e2"};
    for (int64_t kind = 0; kind < 7; kind++) {
        fs_sites s = generate(kind, 5000, 3);
        char hex[FS_DIGEST_HEX];
        fs_digest d;
        fs_digest_begin(&d);
        fs_digest_add(&d, s.x, s.count * sizeof *s.x);
        fs_digest_add(&d, s.y, s.count * sizeof *s.y);
        fs_digest_add(&d, s.z, s.count * sizeof *s.z);
        fs_digest_add(&d, s.density, s.count * sizeof *s.density);
        fs_digest_add(&d, s.rgb, (size_t)s.count * 3);
        fs_digest_end(&d, hex);
        if (strncmp(hex, expected[kind], 16) != 0)
            fail_msg("%s: sha256 %.16s, expected %s", fs_generate_kinds[kind], hex, expected[kind]);
        fs_sites_free(&s);
    }
}

TEST(generated_range) {
    static const int64_t bad[] = {999, 5000001, -1, 0};
    fs_sites sites;
    for (size_t i = 0; i < 4; i++) {
        err = (fs_error){.status = FS_OK};
        fs_generate_params params = {.cells = bad[i]};
        assert_int_equal(fs_scene_generate(&params, &sites, &err), FS_INPUT);
    }
    err = (fs_error){.status = FS_OK};
}

/* Cells a ray passes, and the share of rays that end on something, for a look at each kind. */
static void look(const fs_foam *foam, const double position[3], const double look_at[3], double *cells,
                 double *opaque) {
    fs_arena *arena = test_arena();
    fs_partition partition;
    const fs_partition_params shards = {.shards = 64};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, foam, &shards, arena, &partition, &err), FS_OK);
    fs_march_scene scene;
    assert_int_equal(fs_march_scene_make(foam, &partition, &scene, &err), FS_OK);
    fs_camera_params params = {.width = 96,
                               .height = 72,
                               .fov_y = 50,
                               .up = {0, 0, 1},
                               .position_given = true,
                               .look_at_given = true,
                               .up_given = true};
    memcpy(params.position, position, sizeof params.position);
    memcpy(params.look_at, look_at, sizeof params.look_at);
    fs_camera camera;
    fs_reference picture;
    assert_int_equal(fs_camera_make(&params, "camera", &camera, &err), FS_OK);
    const fs_march_params march = {.threshold = 0.01, .step_limit = 1000000};
    assert_int_equal(fs_reference_render(&scene, &partition, &camera, &march, &picture, &err), FS_OK);
    *cells = *opaque = 0;
    for (uint32_t i = 0; i < 96 * 72; i++) {
        *cells += picture.cells[i] / (96.0 * 72);
        *opaque += (picture.depth[i] > 0) / (96.0 * 72);
    }
    fs_reference_free(&picture);
    fs_march_scene_free(&scene);
}

/* Mean degree as in trained foams (15.17, scenes.md), and tens of cells on a ray's way. */
TEST(generated_foams) {
    static const struct {
        double position[3], look_at[3], least_opaque;
    } view[7] = {
        {{1.7, -3.6, 1.9}, {0.1, 0.2, 0.6}, 0.99},      {{2.3, -2.0, 1.62}, {-0.75, 0.8, 0.75}, 0.99},
        {{1.15, -1.32, 0.85}, {-0.1, 0.15, -0.1}, 0.8}, {{0.95, -1.75, 0.9}, {0, 0, 0}, 0.5},
        {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99}, {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99},
        {{-1.3, -3.1, 1.45}, {0.13, 0.27, 0.55}, 0.99}};
    for (int64_t kind = 0; kind < 7; kind++) {
        fs_sites sites = generate(kind, 20000, 1);
        fs_foam foam;
        assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_OK);
        double degree = (double)foam.faces / foam.sites, cells, opaque;
        look(&foam, view[kind].position, view[kind].look_at, &cells, &opaque);
        print_message("%s: degree %.2f, %.1f cells a ray, %.3f half opaque\n", fs_generate_kinds[kind],
                      degree, cells, opaque);
        assert_true(degree > 14.6 && degree < 15.6);
        assert_true(cells > 8 && cells < 50);
        assert_true(opaque >= view[kind].least_opaque);
        fs_foam_free(&foam);
    }
}

/* ---- nearest points ---- */

TEST(tree_equals_search) {
    enum { N = 1500 };
    static float x[N], y[N], z[N];
    fs_rng rng = fs_rng_stream(31, "test/tree");
    for (int i = 0; i < N; i++) { /* a coarse grid: many equal distances, and equal points */
        x[i] = (float)fs_rng_below(&rng, 12);
        y[i] = (float)fs_rng_below(&rng, 12);
        z[i] = i % 3 == 0 ? 0 : (float)fs_rng_unit(&rng);
    }
    fs_nearby *tree = fs_nearby_create(x, y, z, N);
    for (int round = 0; round < 300; round++) {
        const double p[3] = {fs_rng_range(&rng, -1, 13), (double)fs_rng_below(&rng, 12), fs_rng_unit(&rng)};
        uint32_t except = fs_rng_below(&rng, N), index[FS_NEAREST_MAX];
        double d2[FS_NEAREST_MAX];
        uint32_t k = 1 + fs_rng_below(&rng, FS_NEAREST_MAX);
        assert_int_equal(fs_nearby_nearest(tree, p, except, k, index, d2), k);
        bool taken[N] = {false};
        for (uint32_t m = 0; m < k; m++) { /* the nearest of those not taken, by plain search */
            uint32_t best = N;
            double least = 1e300;
            for (uint32_t i = 0; i < N; i++) {
                double dx = (double)x[i] - p[0], dy = (double)y[i] - p[1], dz = (double)z[i] - p[2];
                double d = (dx * dx + dy * dy) + dz * dz;
                if (i != except && !taken[i] && d < least) {
                    least = d;
                    best = i;
                }
            }
            taken[best] = true;
            assert_int_equal(index[m], best);
            assert_true(d2[m] == least);
        }
        assert_true(fs_nearby_any(tree, p, except, sqrt(d2[0]) * 1.0001 + 1e-9));
        assert_false(fs_nearby_any(tree, p, except, sqrt(d2[0]) * 0.9999));
    }
    fs_nearby_free(tree);
}

/* ---- the cache ---- */

/* The one file in cache/scenes. */
static void only_entry(char path[512]) {
    DIR *folder = opendir("cache/scenes");
    assert_non_null(folder);
    int found = 0;
    for (struct dirent *e; (e = readdir(folder)) != NULL;)
        if (e->d_name[0] != '.') {
            snprintf(path, 512, "cache/scenes/%.400s", e->d_name);
            found++;
        }
    closedir(folder);
    assert_int_equal(found, 1);
}

TEST(cache) {
    fs_scene_params params = {
        .file = "", .import = scene_usual_import(), .generate = {.kind = 2, .cells = 2000, .seed = 4}};
    fs_foam bare, foam;
    char path[512];
    struct stat made, used;
    assert_int_equal(fs_scene_load(&params, NULL, 1, &bare, &err), FS_OK);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    fs_foam_free(&foam);
    only_entry(path);
    assert_int_equal(stat(path, &made), 0);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    assert_int_equal(stat(path, &used), 0);
    assert_true(made.st_ino == used.st_ino); /* read, not made again */
    fs_foam_free(&foam);
    for (int damage = 0; damage < 3; damage++) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, damage == 0 ? made.st_size / 3 : 0, SEEK_SET);
        if (damage == 0) { /* one bit of a coordinate or colour */
            int c = getc(file);
            fseek(file, made.st_size / 3, SEEK_SET);
            putc(c ^ 1, file);
        }
        fclose(file);
        if (damage > 0)
            assert_int_equal(truncate(path, damage == 1 ? made.st_size - 1 : 0), 0);
        assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
        assert_string_equal(foam.digest, bare.digest);
        fs_foam_free(&foam);
        assert_int_equal(stat(path, &used), 0);
        assert_int_equal(used.st_size, made.st_size);
    }
    FILE *file = fopen(path, "r+b"); /* a format that is no more: the head's digit */
    assert_non_null(file);
    fseek(file, 6, SEEK_SET);
    fputc('0', file);
    fclose(file);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_string_equal(foam.digest, bare.digest);
    assert_int_equal(stat(path, &made), 0);
    fs_foam_free(&foam);
    assert_int_equal(fs_scene_load(&params, "cache", 1, &foam, &err), FS_OK);
    assert_memory_equal(foam.adjacency, bare.adjacency, bare.faces * sizeof *bare.adjacency);
    assert_memory_equal(foam.adjacency_end, bare.adjacency_end, bare.sites * sizeof *bare.adjacency_end);
    assert_memory_equal(foam.density, bare.density, bare.sites * sizeof *bare.density);
    assert_memory_equal(foam.rgb, bare.rgb, 3 * (size_t)bare.sites);
    assert_memory_equal(foam.x, bare.x, bare.sites * sizeof *bare.x);
    assert_memory_equal(foam.y, bare.y, bare.sites * sizeof *bare.y);
    assert_memory_equal(foam.z, bare.z, bare.sites * sizeof *bare.z);
    assert_int_equal(stat(path, &used), 0);
    assert_true(made.st_ino == used.st_ino);
    fs_foam_free(&foam);
    fs_foam_free(&bare);
}

int main(void) {
    fs_say_quiet(true);
    return test_run(scratch_enter, scratch_leave);
}
