/* Spherical harmonics of a cell's colour: functions against their definition in 26 directions, a hand-made cell
 * for each of them, what a quarter turn does, how tiles round coefficients, and what these take of SRAM. */
#include "tests/support/foam/march_case.h"
#include "tests/support/foam/naive_harmonics.h"
#include "tests/support/test.h"

enum { DIRECTIONS = 26, FUNCTIONS = FS_HARMONICS_MOST, MIDDLE = 2 + 2 * EDGE + 2 * EDGE * EDGE };

/* To faces, edges and corners of a cube. */
static void direction_of(int n, double d[3], float f[3]) {
    const int at = n < 13 ? n : n + 1;
    const double x = at % 3 - 1, y = at / 3 % 3 - 1, z = at / 9 - 1, length = sqrt(x * x + y * y + z * z);
    const double unit[3] = {x / length, y / length, z / length};
    for (int a = 0; a < 3; a++) {
        d[a] = unit[a];
        f[a] = (float)unit[a];
    }
}

TEST(functions_are_their_definition) {
    for (int n = 0; n < DIRECTIONS; n++) {
        double d[3];
        float f[3], y[FUNCTIONS];
        direction_of(n, d, f);
        for (uint32_t degree = 1; degree <= FS_HARMONICS_DEGREE; degree++) {
            memset(y, 0xff, sizeof y);
            fs_harmonics_basis(degree, f, y);
            for (uint32_t k = 0; k < fs_harmonics_functions(degree); k++)
                assert_true(fabs((double)y[k] - naive_harmonic((int)k + 1, d)) < 1e-6);
        }
    }
    assert_int_equal(fs_harmonics_coefficients(0), 0);
    assert_int_equal(fs_harmonics_coefficients(1), 9);
    assert_int_equal(fs_harmonics_coefficients(2), 24);
    assert_int_equal(fs_harmonics_coefficients(3), 45);
}

/* A quarter turn about z takes (x, y, z) to (-y, x, z): each function becomes another one or itself, with a sign. */
TEST(a_quarter_turn_permutes) {
    static const int becomes[FUNCTIONS] = {2, 1, 0, 3, 6, 5, 4, 7, 14, 9, 12, 11, 10, 13, 8};
    static const int sign[FUNCTIONS] = {1, 1, -1, -1, 1, 1, -1, -1, -1, -1, 1, 1, -1, -1, 1};
    for (int n = 0; n < DIRECTIONS; n++) {
        double d[3];
        float f[3], y[FUNCTIONS], turned[FUNCTIONS];
        direction_of(n, d, f);
        const float g[3] = {-f[1], f[0], f[2]};
        fs_harmonics_basis(3, f, y);
        fs_harmonics_basis(3, g, turned);
        for (int k = 0; k < FUNCTIONS; k++)
            assert_true(fabsf(turned[k] - (float)sign[k] * y[becomes[k]]) < 1e-6f);
    }
}

/* One opaque cell of a lattice, seen from its own middle: its colour is what arrives. */
TEST(a_cell_of_each_function) {
    const fs_march_params params = {.threshold = 0.01, .step_limit = 1000};
    world w;
    lattice_world(&w, 3);
    w.foam.degree = 3;
    w.foam.harmonics = calloc((size_t)w.foam.sites * 45, sizeof(float));
    const uint32_t place = w.partition.place[MIDDLE];
    w.scene.cell[place].density = 1000;
    memset(w.scene.cell[place].rgb, 128, 3);
    fs_march_scene_colour(&w.scene, &w.foam, 3, FS_MARCH_F32);
    for (int k = 1; k <= FUNCTIONS; k++)
        for (int n = 0; n < DIRECTIONS; n++) {
            static const float strength[3] = {0.5f, -1.0f,
                                              2.0f}; /* the last two are held above 0 somewhere */
            const float origin[3] = {2, 2, 2};
            double d[3];
            float f[3];
            fs_ray_state ray = {.T = 1};
            fs_march_counts counts = {0};
            uint32_t cell = place;
            memset(w.foam.harmonics, 0, (size_t)w.foam.sites * 45 * sizeof(float));
            memcpy(w.foam.harmonics + (size_t)MIDDLE * 45 + 3 * (k - 1), strength, sizeof strength);
            direction_of(n, d, f);
            assert_int_equal(fs_march(&w.scene, &params, origin, f, 0, w.scene.cells, &cell, &ray, &counts),
                             FS_EXIT_OPAQUE);
            const float *colour = &ray.r;
            for (int channel = 0; channel < 3; channel++) {
                const double sum = 128 / 255.0 + naive_harmonic(k, d) * (double)strength[channel];
                assert_true(fabs((double)colour[channel] - (sum > 0 ? sum : 0)) < 2e-6);
            }
            assert_int_equal(counts.lit, 1);
        }
    /* nearly empty: no colour, and nothing loaded */
    w.scene.cell[place].density = FS_HARMONICS_DENSITY;
    fs_ray_state ray = {.T = 1};
    fs_march_counts counts = {0};
    uint32_t cell = place;
    const float origin[3] = {2, 2, 2}, along[3] = {1, 0, 0};
    fs_march(&w.scene, &params, origin, along, place, place + 1, &cell, &ray, &counts);
    assert_true(ray.r == 0 && ray.T < 1.0f && counts.lit == 0);
    end_world(&w);
}

/* f16 as the host rounds; u8 within half a step, or a step where fp16 holds offset and step badly. */
TEST(tiles_round_coefficients) {
    fs_rng rng = fs_rng_stream(20260206, "round");
    world w;
    random_world(&w, &rng, 400, 0.3);
    w.foam.degree = 3;
    w.foam.harmonics = calloc((size_t)w.foam.sites * 45, sizeof(float));
    for (uint32_t i = 0; i < w.foam.sites * 45; i++)
        w.foam.harmonics[i] = (float)fs_rng_range(&rng, -0.5, 0.5);
    for (uint32_t degree = 1; degree <= 3; degree++) {
        const uint32_t stride = fs_harmonics_coefficients(degree);
        double worst = 0;
        fs_march_scene_colour(&w.scene, &w.foam, degree, FS_MARCH_F32);
        assert_ptr_equal(w.scene.stored.of, w.foam.harmonics);
        fs_march_scene_colour(&w.scene, &w.foam, degree, FS_MARCH_U8);
        for (uint32_t site = 0; site < w.foam.sites; site++)
            for (uint32_t k = 0; k < stride; k++) {
                const double error = fabs((double)w.scene.stored.of[(size_t)site * stride + k] -
                                          (double)w.foam.harmonics[(size_t)site * 45 + k]);
                worst = error > worst ? error : worst;
            }
        assert_true(worst > 1e-4 && worst < 1.0 / 255);
        free(w.scene.rounded);
        fs_march_scene_colour(&w.scene, &w.foam, degree, FS_MARCH_F16);
        for (uint32_t site = 0; site < w.foam.sites; site++)
            for (uint32_t k = 0; k < stride; k++)
                assert_true(fabs((double)w.scene.stored.of[(size_t)site * stride + k] -
                                 (double)w.foam.harmonics[(size_t)site * 45 + k]) <= 0x1p-13);
        free(w.scene.rounded);
        w.scene.rounded = NULL;
    }
    end_world(&w);
}

/* RF section 4.1: 45 coefficients a cell do not fit 624 KiB at the paper's 4,101 cells a tile; in bytes they do. */
TEST(the_published_sentence) {
    const uint64_t sram = 624 * 1024;
    assert_int_equal(fs_march_store_bytes(3, FS_MARCH_F32, 4101), 738180);
    assert_int_equal(fs_march_store_bytes(3, FS_MARCH_F32, 4101) + UINT64_C(4101) * 3 * 4, 787392);
    assert_true(fs_march_store_bytes(3, FS_MARCH_F32, 4101) > sram);
    assert_int_equal(fs_march_store_bytes(3, FS_MARCH_F16, 4101), 369090);
    assert_int_equal(fs_march_store_bytes(3, FS_MARCH_U8, 4101), 184545 + 45 * 4);
    assert_int_equal(fs_march_store_bytes(2, FS_MARCH_F16, 10), 480);
    assert_int_equal(fs_march_store_bytes(1, FS_MARCH_U8, 0), 0);
    for (int64_t store = FS_MARCH_F32; store <= FS_MARCH_U8; store++)
        assert_int_equal(fs_march_store_bytes(0, store, 4101), 0);
}

/* Millions of cells on 1,024 tiles at the paper's shards, where 486,464 B are left for cells of 59.0 B each. */
TEST(what_a_chip_holds) {
    static const double millions[4][3] = {{8.4, 8.4, 8.4}, {5.2, 6.5, 7.3}, {3.2, 4.7, 6.0}, {2.1, 3.3, 4.8}};
    for (uint32_t degree = 0; degree <= 3; degree++)
        for (int64_t store = FS_MARCH_F32; store <= FS_MARCH_U8; store++) {
            uint64_t cells = 0;
            while (59 * (cells + 1) + fs_march_store_bytes(degree, store, cells + 1) <= 486464)
                cells++;
            assert_true(fabs(1024e-6 * (double)cells - millions[degree][store]) < 0.06);
        }
}

/* The eighth power of a cosine, up to degree 3: (2 l + 1) / 2 times the integral of x^8 P_l over 0 ... 1, summed here in thin slices,
 * spread over the functions of degree l as the direction that degree 1 says. */
static void hold_lobe(const float *c, const uint8_t *rgb) {
    enum { SLICES = 2000 };
    const double pi = 3.14159265358979323846, colour = 1.2 * (0.5 + 0.5 * rgb[0] / 255),
                 to[3] = {-(double)c[6], -(double)c[0], (double)c[3]},
                 length = sqrt(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]),
                 towards[3] = {to[0] / length, to[1] / length, to[2] / length};
    for (int k = 1; k <= FUNCTIONS; k++) {
        const int l = k < 4 ? 1 : k < 9 ? 2 : 3;
        double lobe = 0;
        for (int i = 0; i < SLICES; i++) {
            const double x = (i + 0.5) / SLICES;
            lobe += pow(x, 8) * naive_legendre(l, 0, x) / SLICES;
        }
        const double wanted = colour * 2 * pi * lobe * naive_harmonic(k, towards);
        assert_true(fabs((double)c[3 * (k - 1)] - wanted) < 2e-5);
    }
}

/* A generated scene's gloss of a lower degree is the beginning of that of a higher one; empty sites have none. */
TEST(gloss_by_degrees) {
    fs_rng rng = fs_rng_stream(20260206, "gloss");
    world w;
    random_world(&w, &rng, 600, 0.5);
    fs_harmonics_gloss(3, &w.foam);
    float *three = w.foam.harmonics;
    fs_harmonics_gloss(1, &w.foam);
    uint32_t shiny = 0;
    for (uint32_t site = 0; site < w.foam.sites; site++) {
        if (three[(size_t)site * 45] != 0.0f)
            hold_lobe(&three[(size_t)site * 45], &w.foam.rgb[3 * (size_t)site]);
        const float *one = &w.foam.harmonics[(size_t)site * 9];
        assert_memory_equal(one, &three[(size_t)site * 45], 9 * sizeof(float));
        shiny += one[0] != 0.0f;
        assert_true(w.foam.density[site] > 0 || one[0] == 0.0f);
    }
    assert_true(shiny > 50);
    free(three);
    end_world(&w);
}

RUN_TESTS(NULL, NULL)
