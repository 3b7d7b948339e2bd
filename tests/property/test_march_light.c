/* The cells and the light of a ray against an integration in double over all sites; crossings, paths and
 * nearest sites against plain searches. */
#include "tests/support/foam/march_case.h"
#include "tests/support/foam/naive_harmonics.h"
#include "tests/support/test.h"

static const uint64_t seed = 20260206;

typedef struct light {
    double t, tau, rgb[3], depth; /* optical depth; colour and depth as the integral gives them */
    uint32_t last, crossings;
} light;

static double colour_of(const fs_foam *foam, uint32_t site, int channel, const beam *b) {
    const double plain = foam->rgb[3 * site + (uint32_t)channel] / 255.0,
                 d[3] = {(double)b->direction[0], (double)b->direction[1], (double)b->direction[2]};
    return foam->degree == 0
               ? plain
               : naive_colour(
                     (int)fs_harmonics_functions(foam->degree), plain,
                     foam->harmonics + (size_t)site * fs_harmonics_coefficients(foam->degree) + channel, d);
}

/* Nearest site to the ray's origin, then the next bisector among all sites, in double. */
static light integrate(const fs_foam *foam, const beam *b, uint32_t site) {
    light l = {.last = site};
    for (;;) {
        double t_out = INFINITY;
        uint32_t next = UINT32_MAX;
        for (uint32_t q = 0; q < foam->sites; q++) {
            double dn = 0, num = 0;
            for (int k = 0; k < 3; k++) {
                double p = (double)coordinate(foam, l.last, k), c = (double)coordinate(foam, q, k);
                dn += (c - p) * (double)b->direction[k];
                num += (0.5 * (p + c) - (double)b->origin[k]) * (c - p);
            }
            if (dn > 0 && num / dn < t_out) {
                t_out = num / dn;
                next = q;
            }
        }
        if (next == UINT32_MAX)
            return l;
        double dt = t_out > l.t ? t_out - l.t : 0, step = (double)foam->density[l.last] * dt;
        for (int k = 0; k < 3; k++)
            l.rgb[k] += exp(-l.tau) * -expm1(-step) * colour_of(foam, l.last, k, b);
        if (l.tau <= log(2.0) && l.tau + step > log(2.0))
            l.depth = l.t + (log(2.0) - l.tau) / (double)foam->density[l.last];
        l.tau += step;
        l.t += dt;
        l.last = next;
        l.crossings++;
    }
}

static uint32_t nearest_by_force(const fs_foam *foam, const float point[3]) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < foam->sites; i++) {
        double d = 0;
        for (int k = 0; k < 3; k++) {
            double x = (double)coordinate(foam, i, k) - (double)point[k];
            d += x * x;
        }
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}

static void give_harmonics(world *w, fs_rng *rng, uint32_t degree) {
    const uint32_t count = w->foam.sites * fs_harmonics_coefficients(degree);
    w->foam.degree = degree;
    w->foam.harmonics = fs_malloc(count * sizeof(float));
    for (uint32_t i = 0; i < count; i++)
        w->foam.harmonics[i] = (float)fs_rng_range(rng, -0.3, 0.3);
    fs_march_scene_colour(&w->scene, &w->foam, degree, FS_MARCH_F32);
}

/* Every fourth world has one colour a cell, the others harmonics of degree 1 to 3. */
TEST(light_is_the_integral_over_all_sites) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "light");
    const fs_march_params params = {.threshold = 0, .step_limit = 1000000};
    uint32_t rays = 0, same_path = 0;
    for (int n = 0; n < 12; n++) {
        world w;
        random_world(&w, &rng, 50 + fs_rng_below(&rng, 400), 0.4);
        if (n % 4 != 0)
            give_harmonics(&w, &rng, (uint32_t)n % 4);
        for (int ray = 0; ray < 40; ray++) {
            beam b = random_beam(&w, &rng);
            uint32_t cell = fs_march_nearest(&w.scene, &w.partition, b.origin);
            uint32_t first = nearest_by_force(&w.foam, b.origin);
            assert_int_equal(w.partition.order[cell], first);
            light l = integrate(&w.foam, &b, first);
            fs_ray_state r = {.T = 1};
            fs_march_counts counts = {0};
            fs_march_exit exit =
                fs_march(&w.scene, &params, b.origin, b.direction, 0, w.scene.cells, &cell, &r, &counts);
            assert_int_equal(exit, FS_EXIT_HULL); /* a threshold of 0 is never passed */
            assert_true(fabs((double)r.T - exp(-l.tau)) < 2e-4);
            assert_true(fabs((double)r.r - l.rgb[0]) < 2e-4 && fabs((double)r.g - l.rgb[1]) < 2e-4 &&
                        fabs((double)r.b - l.rgb[2]) < 2e-4);
            if (fabs(l.tau - log(2.0)) > 1e-3)
                assert_true(fabs((double)r.depth - l.depth) <= 1e-3 * (l.depth + (double)w.size));
            /* A ray through an edge between cells may take either side in float. */
            same_path += counts.cells == l.crossings + 1 && w.partition.order[cell] == l.last;
            rays++;
        }
        end_world(&w);
    }
    print_message("%u of %u rays cross the same cells in float and in double\n", same_path, rays);
    assert_true(same_path >= rays - rays / 50);
}

TEST(each_crossing_raises_the_site) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "raise");
    const fs_march_params params = {.threshold = 0, .step_limit = 1000000};
    for (int n = 0; n < 10; n++) {
        world w;
        random_world(&w, &rng, 200 + fs_rng_below(&rng, 1500), 1.0);
        for (int ray = 0; ray < 100; ray++) {
            beam b = random_beam(&w, &rng);
            uint32_t cell = fs_march_nearest(&w.scene, &w.partition, b.origin), steps = 0;
            double level = -INFINITY;
            fs_march_exit exit = FS_EXIT_CROSSED;
            while (exit == FS_EXIT_CROSSED) {
                const fs_march_cell *c = &w.scene.cell[cell];
                double now = (double)c->x * (double)b.direction[0] + (double)c->y * (double)b.direction[1] +
                             (double)c->z * (double)b.direction[2];
                assert_true(now > level);
                level = now;
                fs_ray_state r = {.T = 1};
                fs_march_counts counts = {0};
                exit = fs_march(&w.scene, &params, b.origin, b.direction, cell, cell + 1, &cell, &r, &counts);
                assert_int_equal(counts.cells, 1);
                assert_true(++steps <= w.scene.cells);
            }
            assert_int_equal(exit, FS_EXIT_HULL);
        }
        end_world(&w);
    }
}

/* The shards that the ray of pixel (i, j) visits on the unpartitioned, full-precision path, from cell `first`
 * (fs_march_nearest) on, cell by cell: a second method for tests of visit counts. Returns the number of
 * visits; the first `room` of them are written to shards (a shard left and entered again counts again). */
static uint32_t path_of(const fs_march_scene *scene, const fs_camera *camera, const fs_march_params *params,
                        uint32_t first, uint32_t i, uint32_t j, uint32_t *shards, uint32_t room) {
    float direction[3];
    fs_camera_direction(camera, i, j, direction);
    fs_ray_state ray = {.T = 1.0f};
    fs_march_counts counts = {0};
    fs_march_exit exit;
    uint32_t cell = first, runs = 0, last = UINT32_MAX;
    do {
        uint32_t shard = scene->cell[cell].shard;
        if (shard != last && runs++ < room)
            shards[runs - 1] = shard;
        last = shard;
        exit = fs_march(scene, params, camera->origin, direction, cell, cell + 1, &cell, &ray, &counts);
        FS_ASSERT(counts.cells <= params->step_limit, "pixel (%u, %u): its ray goes round in a circle", i, j);
    } while (exit == FS_EXIT_CROSSED);
    return runs;
}

TEST(paths_are_the_visits) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "paths");
    const fs_march_params params = {.threshold = 0.01, .step_limit = 1000000};
    for (int n = 0; n < 10; n++) {
        world w;
        random_world(&w, &rng, 300, 0.5);
        const fs_camera_params view = {.width = 16,
                                       .height = 12,
                                       .position = {1.5 * (double)w.size, -0.7 * (double)w.size, 0},
                                       .position_given = true,
                                       .look_at_given = true,
                                       .fov_y = 60};
        fs_camera camera;
        assert_int_equal(fs_camera_make(&view, "test", &camera, NULL), FS_OK);
        uint32_t first = fs_march_nearest(&w.scene, &w.partition, camera.origin);
        for (uint32_t pixel = 0; pixel < 16 * 12; pixel++) {
            uint32_t shards[500], visits = 0, cell = first;
            uint32_t runs = path_of(&w.scene, &camera, &params, first, pixel % 16, pixel / 16, shards, 500);
            assert_true(runs <= 500);
            beam b;
            memcpy(b.origin, camera.origin, sizeof b.origin);
            fs_camera_direction(&camera, pixel % 16, pixel / 16, b.direction);
            fs_ray_state ray = {.T = 1};
            fs_march_exit exit;
            do {
                fs_march_counts counts = {0};
                uint32_t shard = w.scene.cell[cell].shard;
                assert_true(visits < runs && shards[visits] == shard);
                visits++;
                exit = fs_march(&w.scene, &params, b.origin, b.direction, w.scene.shard_start[shard],
                                w.scene.shard_start[shard + 1], &cell, &ray, &counts);
            } while (exit == FS_EXIT_CROSSED);
            assert_int_equal(visits, runs);
            uint32_t two[2] = {77777, 77777};
            assert_int_equal(path_of(&w.scene, &camera, &params, first, pixel % 16, pixel / 16, two, 1),
                             runs);
            assert_true(two[0] == shards[0] && two[1] == 77777);
        }
        end_world(&w);
    }
}

TEST(nearest_ties_go_to_the_lowest_site) {
    world w;
    lattice_world(&w, 1);
    for (uint32_t i = 0; i + 1 < EDGE * EDGE * EDGE; i++) {
        const float between[3] = {w.foam.x[i] + 0.5f, w.foam.y[i] + 0.5f, w.foam.z[i] + 0.5f};
        uint32_t site = w.partition.order[fs_march_nearest(&w.scene, &w.partition, between)];
        assert_int_equal(site, nearest_by_force(&w.foam, between));
    }
    end_world(&w);
    fs_rng rng = fs_rng_stream(seed, "nearest");
    random_world(&w, &rng, 11000, 0.5); /* enough for the threads to share the search */
    for (int n = 0; n < 200; n++) {
        beam b = random_beam(&w, &rng);
        assert_int_equal(w.partition.order[fs_march_nearest(&w.scene, &w.partition, b.origin)],
                         nearest_by_force(&w.foam, b.origin));
    }
    end_world(&w);
}

RUN_TESTS(NULL, NULL)
