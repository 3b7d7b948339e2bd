/* The mesher against the definition: two sites are neighbours exactly if a sphere through both, and through
 * two others, has no site inside. */
#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/base/rng.h"
#include "sim/workload/host_options.h"
#include "tests/support/test.h"
#include "workloads/scene/foam/scene_file.h"
#include "workloads/scene/stage/stage.h"

#include <sys/stat.h>

static const uint8_t grey[3] = {128, 128, 128};

static fs_sites random_sites(uint64_t seed, uint32_t n, double flat) {
    fs_rng rng = fs_rng_stream(seed, "test/mesh");
    fs_sites s = fs_sites_create(n);
    for (uint32_t i = 0; i < n; i++) {
        fs_v3 p = {fs_rng_unit(&rng), fs_rng_unit(&rng), flat * fs_rng_unit(&rng)};
        fs_sites_push(&s, p, fs_rng_unit(&rng), grey);
    }
    return s;
}

/* Determinant of three rows. */
static double volume(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Centre (relative to p[0]) and squared radius of the sphere through four points. */
static double circumsphere(double p[4][3], double centre[3]) {
    double row[3][3], half[3];
    for (int i = 0; i < 3; i++) {
        half[i] = 0;
        for (int k = 0; k < 3; k++) {
            row[i][k] = p[i + 1][k] - p[0][k];
            half[i] += row[i][k] * row[i][k] / 2;
        }
    }
    double det = volume(row[0], row[1], row[2]), square = 0;
    for (int k = 0; k < 3; k++) { /* Cramer's rule */
        double m[3][3];
        memcpy(m, row, sizeof m);
        for (int i = 0; i < 3; i++)
            m[i][k] = half[i];
        centre[k] = volume(m[0], m[1], m[2]) / det;
        square += centre[k] * centre[k];
    }
    return square;
}

/* Marks the edges of all tetrahedra whose circumsphere holds no other site. */
static void brute_force(const fs_sites *s, bool *edge) {
    uint32_t n = s->count;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++)
            for (uint32_t c = b + 1; c < n; c++)
                for (uint32_t d = c + 1; d < n; d++) {
                    const uint32_t corner[4] = {a, b, c, d};
                    double p[4][3], centre[3];
                    for (int i = 0; i < 4; i++) {
                        p[i][0] = (double)s->x[corner[i]];
                        p[i][1] = (double)s->y[corner[i]];
                        p[i][2] = (double)s->z[corner[i]];
                    }
                    double square = circumsphere(p, centre);
                    bool empty = true;
                    for (uint32_t e = 0; e < n && empty; e++) {
                        double x = (double)s->x[e] - p[0][0] - centre[0],
                               y = (double)s->y[e] - p[0][1] - centre[1],
                               z = (double)s->z[e] - p[0][2] - centre[2];
                        empty = e == a || e == b || e == c || e == d || x * x + y * y + z * z >= square;
                    }
                    for (int i = 0; empty && i < 4; i++)
                        for (int j = 0; j < 4; j++)
                            if (i != j)
                                edge[corner[i] * n + corner[j]] = true;
                }
}

TEST(mesh_is_delaunay) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const uint32_t n = seed == 4 ? 5 : 45;
        static fs_error err;
        fs_sites sites = random_sites(seed, n, 1);
        bool *edge = test_keep(calloc((size_t)n * n, sizeof *edge));
        brute_force(&sites, edge);
        fs_foam foam;
        if (fs_scene_mesh(&sites, 1, &foam, &err) != FS_OK)
            fail_msg("seed %d: %s", (int)seed, err.text);
        uint64_t edges = 0;
        for (uint32_t i = 0; i < n * n; i++)
            edges += edge[i];
        assert_int_equal(foam.faces, edges);
        for (uint32_t i = 0; i < n; i++)
            for (uint64_t k = fs_foam_begin(&foam, i); k < foam.adjacency_end[i]; k++) {
                assert_true(edge[i * n + foam.adjacency[k]]);
                if (k > fs_foam_begin(&foam, i))
                    assert_true(foam.adjacency[k - 1] < foam.adjacency[k]);
            }
        fs_foam_free(&foam);
    }
}

/* More than 20,000 sites take the parallel way with more than one thread. */
TEST(threads_do_not_matter) {
    static fs_error err;
    char digest[2][FS_DIGEST_HEX];
    const int threads[2] = {1, 3};
    for (int i = 0; i < 2; i++) {
        fs_sites sites = random_sites(9, 21000, 0.2);
        fs_foam foam;
        assert_int_equal(fs_scene_mesh(&sites, threads[i], &foam, &err), FS_OK);
        memcpy(digest[i], foam.digest, FS_DIGEST_HEX);
        fs_foam_free(&foam);
    }
    assert_string_equal(digest[0], digest[1]);
}

static bool lists(const fs_foam *foam, uint32_t site, uint32_t neighbour) {
    for (uint64_t k = fs_foam_begin(foam, site); k < foam->adjacency_end[site]; k++)
        if (foam->adjacency[k] == neighbour)
            return true;
    return false;
}

/* A lattice is as cospherical as can be: the mesh must still be symmetric, connected and repeatable. */
TEST(lattice) {
    static fs_error err;
    char digest[2][FS_DIGEST_HEX];
    for (int round = 0; round < 2; round++) {
        fs_sites sites = fs_sites_create(216);
        for (int i = 0; i < 216; i++)
            fs_sites_push(&sites, (fs_v3){i % 6, i / 6 % 6, i / 36}, 1, grey);
        fs_foam foam;
        assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_OK);
        for (uint32_t i = 0; i < 216; i++)
            for (uint64_t k = fs_foam_begin(&foam, i); k < foam.adjacency_end[i]; k++)
                assert_true(lists(&foam, foam.adjacency[k], i));
        for (uint32_t i = 0; i + 1 < 216; i++) /* neighbours along x share a face in any Delaunay mesh */
            if (i % 6 != 5)
                assert_true(lists(&foam, i, i + 1));
        memcpy(digest[round], foam.digest, FS_DIGEST_HEX);
        fs_foam_free(&foam);
    }
    assert_string_equal(digest[0], digest[1]);
}

/* ---- rounds ---- */

/* A site of the next round: on a lattice, which is as cospherical as can be, or anywhere; in the first round of a flat scene in a plane. */
typedef struct making {
    uint32_t sites, lattice; /* lattice: its side, 0 for none */
    bool flat;
    int threads;
} making;

static fs_v3 draw_site(const making *m, fs_rng *rng, bool first) {
    fs_v3 p = fs_v3_random(rng, (fs_v3){0, 0, 0}, (fs_v3){1, 1, 1});
    if (m->lattice > 0)
        p = (fs_v3){floor(p.x * m->lattice), floor(p.y * m->lattice), floor(p.z * m->lattice)};
    return m->flat && first ? (fs_v3){p.x, p.y, 0} : p;
}

/* Some of the sites of the foam in another order, the number that each had, and new ones among them. */
static fs_sites draw_round(const making *m, fs_rng *rng, const fs_foam *old, uint32_t *before) {
    fs_sites s = fs_sites_create(old->sites + m->sites);
    for (uint32_t i = old->sites; i-- > 0;)
        if (fs_rng_unit(rng) < 0.9) {
            before[s.count] = i;
            fs_sites_push(&s, (fs_v3){(double)old->x[i], (double)old->y[i], (double)old->z[i]}, 1, grey);
        }
    for (uint32_t i = 0; i < (old->sites == 0 ? m->sites : m->sites / 7); i++) {
        before[s.count] = FS_MESHER_FRESH;
        fs_sites_push(&s, draw_site(m, rng, old->sites == 0), 1, grey);
    }
    uint8_t *flag = fs_malloc(s.count);
    uint32_t kept = 0;
    fs_points_flag_first(s.x, s.y, s.z, s.count, flag);
    for (uint32_t i = 0; i < s.count; i++)
        if (flag[i])
            before[kept++] = before[i];
    fs_sites_keep(&s, flag);
    free(flag);
    return s;
}

static fs_sites copy_of(const fs_sites *s) {
    fs_sites copy = fs_sites_create(s->count);
    fs_sites_append(&copy, s, 0, s->count);
    return copy;
}

/* Sites that come and go leave what is meshed at once. */
TEST(rounds_mesh_what_one_would) {
    static const making cases[] = {{.sites = 300, .threads = 1},
                                   {.sites = 400, .lattice = 9, .threads = 1},
                                   {.sites = 400, .lattice = 9, .threads = 3},
                                   {.sites = 60, .flat = true, .threads = 1},
                                   {.sites = 21000, .threads = 3}};
    for (size_t c = 0; c < FS_COUNT(cases); c++) {
        const making *m = &cases[c];
        static fs_error err;
        fs_rng rng = fs_rng_stream(c, "test/rounds");
        fs_mesher *mesher = fs_mesher_start(m->threads, &err);
        assert_non_null(mesher);
        fs_foam foam = {0};
        for (int round = 0; round < (m->sites < 1000 ? 6 : 2); round++) {
            uint32_t *before = fs_malloc((foam.sites + m->sites) * sizeof *before);
            fs_sites sites = draw_round(m, &rng, &foam, before), same = copy_of(&sites);
            fs_foam anew;
            fs_foam_free(&foam);
            if (fs_mesher_connect(mesher, &sites, before, &foam, &err) ||
                fs_scene_connect(&same, 1, &anew, &err))
                fail_msg("case %zu, round %d: %s", c, round, err.text);
            assert_int_equal(foam.faces, anew.faces);
            assert_memory_equal(foam.adjacency_end, anew.adjacency_end,
                                foam.sites * sizeof *foam.adjacency_end);
            assert_memory_equal(foam.adjacency, anew.adjacency, foam.faces * sizeof *foam.adjacency);
            fs_foam_free(&anew);
            free(before);
        }
        fs_foam_free(&foam);
        fs_mesher_end(mesher);
    }
}

TEST(flat_sites) {
    static fs_error err;
    fs_sites sites = random_sites(3, 50, 0);
    fs_foam foam;
    assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_OK);
    assert_true(foam.faces > 2 * 2 * 50 && foam.faces <= 2 * (3 * 50 - 6)); /* a planar graph */
    fs_foam_free(&foam);
}

/* -ln(1 - a) / w with w half the mean neighbour distance; in a regular simplex all distances are equal. */
TEST(density_from_opacity) {
    static fs_error err;
    static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    static const double opacity[4] = {0.5, 0.995, 0.9999, 0};
    fs_sites sites = fs_sites_create(4);
    for (int i = 0; i < 4; i++)
        fs_sites_push(&sites, (fs_v3){corner[i][0], corner[i][1], corner[i][2]}, opacity[i], grey);
    sites.density_is_opacity = true;
    fs_foam foam;
    assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_OK);
    const double w = sqrt(8) / 2;
    assert_true(fabs((double)foam.density[0] * w - log(2)) < 1e-6);
    assert_true(fabs((double)foam.density[1] * w - log(200)) < 1e-5);
    assert_true(foam.density[2] == foam.density[1]); /* capped at 0.995 */
    assert_true(foam.density[3] == 0);
    fs_foam_free(&foam);
}

TEST(refused) {
    static fs_error err;
    fs_foam foam;
    fs_sites sites = random_sites(5, 100, 1);
    sites.x[80] = sites.x[7];
    sites.y[80] = sites.y[7];
    sites.z[80] = sites.z[7];
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_scene_mesh(&sites, 1, &foam, &err), FS_INPUT, &err,
                 "sites 7 and 80 have the same position");
    assert_null(sites.x);
    sites = random_sites(5, 1, 1);
    err = (fs_error){.status = FS_OK};
    assert_int_equal(fs_scene_mesh(&sites, 1, &foam, &err), FS_INPUT);
    sites = random_sites(5, 100, 1);
    sites.z[3] = NAN;
    err = (fs_error){.status = FS_OK};
    assert_fails(fs_scene_mesh(&sites, 1, &foam, &err), FS_RUN, &err, "not finite");
}

/* A mesher that is not there, dies, says nothing or speaks another language is an error, never a hang. */
TEST(broken_mesher) {
    static const struct {
        const char *program, *words;
    } cases[] = {
        {"/nowhere/foamsim-delaunay", "build it with `make`"},
        {"/bin/false", "ended with status 1"},
        {"/bin/true", "broke off"},
        {"/bin/cat", ""}, /* echoes what it is told */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static fs_error err;
        err = (fs_error){.status = FS_OK};
        fs_sites sites = random_sites(5, 100, 1);
        fs_foam foam;
        setenv("FOAMSIM_DELAUNAY", cases[i].program, 1);
        assert_fails(fs_scene_mesh(&sites, 1, &foam, &err), FS_RUN, &err, cases[i].words);
        assert_null(foam.adjacency);
    }
    unsetenv("FOAMSIM_DELAUNAY");
}

/* What the mesher says of its progress stands before its answer and leaves no trace in it. */
TEST(progress_is_not_the_answer) {
    enum { SITES = 100 };
    static fs_error err;
    char path[] = "/tmp/foamsim-mesher-XXXXXX";
    FILE *script = fdopen(mkstemp(path), "w");
    assert_non_null(script);
    char mesher[4096];
    assert_true(fs_helper_find("foamsim-delaunay", mesher, sizeof mesher));
    fprintf(script, "#!/bin/sh\nprintf 'FSPLACED\\001\\000\\000\\000FSPLACED\\143\\000\\000\\000'\nexec %s\n",
            mesher);
    assert_int_equal(fclose(script), 0);
    assert_int_equal(chmod(path, 0700), 0);
    fs_foam plain, told;
    fs_sites sites = random_sites(5, SITES, 1), same = random_sites(5, SITES, 1);
    assert_int_equal(fs_scene_mesh(&sites, 1, &plain, &err), FS_OK);
    setenv("FOAMSIM_DELAUNAY", path, 1);
    fs_status status = fs_scene_mesh(&same, 1, &told, &err);
    unsetenv("FOAMSIM_DELAUNAY");
    remove(path);
    if (status != FS_OK)
        fail_msg("%s", err.text);
    assert_string_equal(plain.digest, told.digest);
    fs_foam_free(&plain);
    fs_foam_free(&told);
}

RUN_TESTS(NULL, NULL)
