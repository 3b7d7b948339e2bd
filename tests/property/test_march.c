/* The march: against the definition read straight off the foam, bit for bit, and bundles of rays, plain and
 * vector code, against that; ties and limits. test_march_light.c has what light must do. */
#include "sim/base/detmath.h"
#include "sim/base/rng.h"
#include "tests/support/foam/march_case.h"
#include "tests/support/test.h"
#include "workloads/foam/march/bundle.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t seed = 20260206;

/* ---- the definition of march.h, over the foam's own lists ---- */

typedef struct outcome {
    fs_march_exit exit;
    uint32_t site;
    fs_ray_state ray;
    fs_march_counts counts;
} outcome;

static uint32_t exit_by_definition(const fs_foam *foam, uint32_t site, const beam *b, float *t_out,
                                   fs_march_counts *counts) {
    uint32_t best = UINT32_MAX;
    for (uint64_t f = fs_foam_begin(foam, site); f < foam->adjacency_end[site]; f++) {
        float n[3], along[3], above[3];
        for (int k = 0; k < 3; k++) {
            float p = coordinate(foam, site, k), q = coordinate(foam, foam->adjacency[f], k);
            n[k] = q - p;
            along[k] = n[k] * b->direction[k];
            above[k] = ((p + q) * 0.5f - b->origin[k]) * n[k];
        }
        float dn = (along[0] + along[1]) + along[2], t = ((above[0] + above[1]) + above[2]) / dn;
        counts->faces++;
        counts->front += dn > 0;
        if (dn > 0 && t > 0 && t < (best == UINT32_MAX ? INFINITY : *t_out)) {
            counts->nearest++;
            best = foam->adjacency[f];
            *t_out = t;
        }
    }
    return best;
}

static void last_cell(const float colour[3], fs_ray_state *ray, fs_march_counts *counts) {
    ray->r += ray->T * colour[0];
    ray->g += ray->T * colour[1];
    ray->b += ray->T * colour[2];
    if (ray->T >= 0.5f && ray->depth == 0) {
        ray->depth = ray->t;
        counts->depth_marks++;
    }
    ray->T = 0;
}

static outcome march_by_definition(const world *w, const fs_march_params *params, const beam *b,
                                   uint32_t begin, uint32_t end, uint32_t site, fs_ray_state ray) {
    outcome o = {.site = site, .ray = ray};
    fs_ray_state *r = &o.ray;
    for (;;) {
        float t_out = 0, density = w->foam.density[o.site];
        const uint8_t *rgb = &w->foam.rgb[3 * o.site];
        const float colour[3] = {(float)rgb[0] / 255, (float)rgb[1] / 255, (float)rgb[2] / 255};
        o.counts.cells++;
        uint32_t next = exit_by_definition(&w->foam, o.site, b, &t_out, &o.counts);
        if (next == UINT32_MAX) {
            if (params->hull_opaque)
                last_cell(colour, r, &o.counts);
            o.exit = FS_EXIT_HULL;
            return o;
        }
        float dt = t_out - r->t;
        dt = dt > 0 ? dt : 0;
        float alpha = 1 - fs_expf_neg(-density * dt), before = r->T, weight = before * alpha;
        r->r += weight * colour[0];
        r->g += weight * colour[1];
        r->b += weight * colour[2];
        r->T = before * (1 - alpha);
        if (before >= 0.5f && r->T < 0.5f && r->depth == 0) {
            r->depth = r->t + (float)(fs_log(2.0 * (double)before) / (double)density);
            o.counts.depth_marks++;
        }
        r->t = t_out > r->t ? t_out : r->t;
        if (r->T < (float)params->threshold) {
            o.exit = FS_EXIT_OPAQUE;
            return o;
        }
        o.site = next;
        if (w->partition.place[next] < begin || w->partition.place[next] >= end) {
            o.exit = FS_EXIT_CROSSED;
            return o;
        }
    }
}

static void same_outcome(const world *w, const outcome *expected, const fs_march_params *params,
                         const beam *b, uint32_t begin, uint32_t end, uint32_t site, fs_ray_state ray) {
    fs_march_counts counts = {0};
    uint32_t cell = w->partition.place[site];
    fs_march_exit exit =
        fs_march(&w->scene, params, b->origin, b->direction, begin, end, &cell, &ray, &counts);
    assert_int_equal(exit, expected->exit);
    assert_int_equal(w->partition.order[cell], expected->site);
    assert_memory_equal(&ray, &expected->ray, sizeof ray);
    assert_memory_equal(&counts, &expected->counts, sizeof counts);
}

/* ---- what the comparisons have met with ---- */

static struct { uint64_t opaque, hull, crossed, wide, marks, bundles, continued, longer, lit; } met;

/* One ray, shard after shard, both; `whole` in one go must give the same. */
static void follow(const world *w, const fs_march_params *params, const beam *b) {
    uint32_t first = w->partition.order[fs_march_nearest(&w->scene, &w->partition, b->origin)];
    outcome whole = march_by_definition(w, params, b, 0, w->scene.cells, first, (fs_ray_state){.T = 1});
    same_outcome(w, &whole, params, b, 0, w->scene.cells, first, (fs_ray_state){.T = 1});
    outcome part = {.exit = FS_EXIT_CROSSED, .site = first, .ray = {.T = 1}};
    fs_march_counts sum = {0};
    while (part.exit == FS_EXIT_CROSSED) {
        uint32_t shard = w->scene.cell[w->partition.place[part.site]].shard;
        uint32_t begin = w->scene.shard_start[shard], end = w->scene.shard_start[shard + 1], site = part.site;
        fs_ray_state ray = part.ray;
        part = march_by_definition(w, params, b, begin, end, site, ray);
        same_outcome(w, &part, params, b, begin, end, site, ray);
        sum.cells += part.counts.cells;
        sum.faces += part.counts.faces;
        sum.front += part.counts.front;
        sum.nearest += part.counts.nearest;
        sum.depth_marks += part.counts.depth_marks;
        met.crossed += part.exit == FS_EXIT_CROSSED;
    }
    assert_int_equal(part.exit, whole.exit);
    assert_int_equal(part.site, whole.site);
    assert_memory_equal(&part.ray, &whole.ray, sizeof part.ray);
    assert_memory_equal(&sum, &whole.counts, sizeof sum);
    met.opaque += whole.exit == FS_EXIT_OPAQUE;
    met.hull += whole.exit == FS_EXIT_HULL;
    met.marks += whole.counts.depth_marks;
}

/* ---- bundles ---- */

/* Hand-overs of a ray of a bundle, visit by visit with fs_march and fs_payload_round. */
static void ray_is_marched_alone(const world *w, const fs_journey *j, const beam *b, uint32_t cell,
                                 const fs_bundle *bundle, uint32_t ray) {
    fs_march_scene scene = w->scene;
    fs_ray_state state = {.T = 1};
    uint32_t leg = 0;
    if (j->payload == NULL)
        scene.stored = scene.exact;
    for (bool crosses = true; crosses;) {
        const uint32_t shard = w->scene.cell[cell].shard;
        const uint32_t begin = j->payload ? w->scene.shard_start[shard] : 0;
        const uint32_t end = j->payload ? w->scene.shard_start[shard + 1] : w->scene.cells;
        fs_march_counts counts = {0}, sum = {0};
        crosses = fs_march(&scene, j->march, b->origin, b->direction, begin, end, &cell, &state, &counts) ==
                  FS_EXIT_CROSSED;
        if (j->payload && (crosses || j->round_at_end))
            fs_payload_round(j->payload, &state);
        for (bool more = true; more; leg++) {
            assert_true(leg < bundle->legs[ray]);
            const fs_leg *l = &bundle->leg[leg * FS_BUNDLE_RAYS + ray];
            sum.cells += l->cells;
            sum.faces += l->faces;
            sum.front += l->front;
            sum.nearest += l->nearest & (FS_LEG_DEPTH - 1);
            sum.depth_marks += l->nearest / FS_LEG_DEPTH;
            sum.lit += scene.exact.degree > 0 ? bundle->lit[leg * FS_BUNDLE_RAYS + ray] : 0;
            more = l->next == FS_LEG_MORE;
            met.continued += more;
            if (!more)
                assert_int_equal(l->next, crosses ? w->scene.cell[cell].shard : FS_LEG_ENDS);
        }
        assert_memory_equal(&sum, &counts, sizeof sum);
        met.lit += sum.lit;
    }
    assert_int_equal(leg, bundle->legs[ray]);
    assert_memory_equal(&state, &bundle->state[ray], sizeof state);
}

/* The same ray in the scene that is not cut. */
static void ray_is_marched_whole(const world *w, const fs_march_params *params, const beam *b, uint32_t cell,
                                 const fs_bundle *bundle, uint32_t ray) {
    fs_march_scene scene = w->scene;
    fs_ray_state state = {.T = 1};
    fs_march_counts counts = {0};
    scene.stored = scene.exact;
    fs_march(&scene, params, b->origin, b->direction, 0, w->scene.cells, &cell, &state, &counts);
    assert_memory_equal(&state, &bundle->whole[ray], sizeof state);
    assert_int_equal(counts.cells, bundle->whole_cells[ray]);
}

static void fill_bundle(const world *w, fs_rng *rng, beam *beams, uint32_t first, fs_bundle *bundle) {
    for (uint32_t ray = 0; ray < bundle->rays; ray++) {
        if (ray > 0) {
            const beam other = random_beam(w, rng);
            memcpy(beams[ray].origin, beams[0].origin, sizeof beams[ray].origin);
            memcpy(beams[ray].direction, other.direction, sizeof other.direction);
        }
        memcpy(bundle->direction[ray], beams[ray].direction, sizeof beams[ray].direction);
        bundle->cell[ray] = first;
        bundle->state[ray] = (fs_ray_state){.T = 1};
    }
}

/* Rays of one origin, plain and vector code: the same legs, the same states. */
static void march_bundles(const world *w, fs_rng *rng, const fs_march_params *params, beam b) {
    static beam beams[FS_BUNDLE_RAYS];
    const uint32_t payload = fs_rng_below(rng, 5), rays = 1 + fs_rng_below(rng, FS_BUNDLE_RAYS);
    const fs_journey journey = {.scene = &w->scene,
                                .march = params,
                                .payload = payload < 4 ? &fs_payloads[payload] : NULL,
                                .round_at_end = fs_rng_below(rng, 2),
                                .whole = fs_rng_below(rng, 2)};
    const uint32_t first = fs_march_nearest(&w->scene, &w->partition, b.origin);
    const fs_bundle_fn marches[2] = {fs_bundle_plain, fs_bundle_avx2};
    fs_bundle bundle;
    fs_eye eye;
    beams[0] = b;
    fs_bundle_open(&bundle);
    fs_eye_open(&eye, &w->scene, b.origin);
    bundle.rays = rays;
    fill_bundle(w, rng, beams, first, &bundle);
    fs_bundle before = bundle, plain;
    fs_bundle_open(&before);
    for (int m = 0; m < 2; m++) {
        memcpy(bundle.state, before.state, sizeof bundle.state);
        memset(bundle.whole, 0xff, sizeof bundle.whole);
        assert_true(marches[m](&journey, &eye, &bundle));
        for (uint32_t ray = 0; ray < rays; ray++) {
            ray_is_marched_alone(w, &journey, &beams[ray], first, &bundle, ray);
            if (journey.whole)
                ray_is_marched_whole(w, params, &beams[ray], first, &bundle, ray);
            for (uint32_t leg = 0; m == 1 && leg < bundle.legs[ray]; leg++)
                assert_memory_equal(&bundle.leg[leg * FS_BUNDLE_RAYS + ray],
                                    &before.leg[leg * FS_BUNDLE_RAYS + ray], sizeof *bundle.leg);
            for (uint32_t leg = 0; m == 0 && leg < bundle.legs[ray]; leg++)
                before.leg[leg * FS_BUNDLE_RAYS + ray] = bundle.leg[leg * FS_BUNDLE_RAYS + ray];
        }
        if (m == 0)
            plain = bundle;
        met.longer += journey.whole && memcmp(bundle.whole, bundle.state, rays * sizeof *bundle.whole) != 0;
        assert_memory_equal(bundle.legs, plain.legs, rays * sizeof *bundle.legs);
    }
    fs_eye_close(&eye);
    fs_bundle_close(&before);
    fs_bundle_close(&bundle);
    met.bundles++;
}

/* The bundles of a world whose colours depend on directions: fs_march, which test_march_light.c holds to an integral,
 * is what they are held to. */
static void march_coloured_bundles(world *w, fs_rng *rng) {
    const uint32_t degree = 1 + fs_rng_below(rng, FS_HARMONICS_DEGREE),
                   stride = fs_harmonics_coefficients(degree);
    w->foam.degree = degree;
    w->foam.harmonics = fs_malloc((size_t)w->foam.sites * stride * sizeof(float));
    for (uint32_t i = 0; i < w->foam.sites * stride; i++)
        w->foam.harmonics[i] = (float)fs_rng_range(rng, -0.5, 0.5);
    for (uint32_t place = 0; place < w->scene.cells; place++) /* some too thin to have a colour */
        if (w->scene.cell[place].density > 0 && fs_rng_below(rng, 8) == 0)
            w->scene.cell[place].density = 1e-6f;
    fs_march_scene_colour(&w->scene, &w->foam, degree, fs_rng_below(rng, 3));
    for (int n = 0; n < 10; n++) {
        const fs_march_params params = {.threshold = fs_rng_below(rng, 2) ? 0.01 : 0.3,
                                        .hull_opaque = fs_rng_below(rng, 2),
                                        .step_limit = 1000000};
        march_bundles(w, rng, &params, random_beam(w, rng));
    }
}

TEST(every_march_is_the_definition) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "march");
    memset(&met, 0, sizeof met);
    for (int n = 0; n < 60; n++) {
        world w;
        random_world(&w, &rng, 5 + fs_rng_below(&rng, n % 3 == 0 ? 20 : 1500), 0.3 * fs_rng_below(&rng, 3));
        for (uint32_t i = 0; i < w.scene.cells; i++)
            met.wide += w.scene.cell[i].faces > 24;
        for (int ray = 0; ray < 60; ray++) {
            const fs_march_params params = {.threshold = fs_rng_below(&rng, 2) ? 0.01 : 0.3,
                                            .hull_opaque = fs_rng_below(&rng, 2),
                                            .step_limit = 1000000};
            beam b = random_beam(&w, &rng);
            follow(&w, &params, &b);
            if (ray % 6 == 0)
                march_bundles(&w, &rng, &params, b);
        }
        march_coloured_bundles(&w, &rng);
        end_world(&w);
    }
    print_message("%" PRIu64 " bundles, %" PRIu64 " visits in several legs\n", met.bundles, met.continued);
    print_message("%" PRIu64 " opaque, %" PRIu64 " at the hull, %" PRIu64 " crossings, %" PRIu64
                  " cells with more than 24 faces, %" PRIu64 " depths\n",
                  met.opaque, met.hull, met.crossed, met.wide, met.marks);
    assert_true(met.opaque > 100 && met.hull > 100 && met.crossed > 1000 && met.wide > 100 &&
                met.marks > 100 && met.longer > 100 && met.lit > 10000);
}

/* ---- ties: a lattice, and rays along its diagonals ---- */

TEST(ties_go_to_the_first_in_the_list) {
    static const float starts[4][3] = {{1, 1, 1}, {2, 3, 2}, {2.5f, 2.5f, 2.5f}, {0.5f, 0, 0}};
    const fs_march_params params = {.threshold = 0.01, .step_limit = 1000};
    fs_rng rng = fs_rng_stream(seed, "ties");
    for (int reach = 1; reach <= 3; reach++) {
        world w;
        lattice_world(&w, reach);
        for (int n = 0; n < 27 * 4; n++) {
            beam b = {.direction = {(float)(n % 3 - 1), (float)(n / 3 % 3 - 1), (float)(n / 9 % 3 - 1)}};
            memcpy(b.origin, starts[n / 27], sizeof b.origin);
            follow(&w, &params, &b); /* direction (0, 0, 0) among them: no face faces it */
            march_bundles(&w, &rng, &params, b);
        }
        end_world(&w);
    }
}

/* ---- limits ---- */

/* `way` 0: fs_march; 1 and 2: bundles, plain and vector code. */
static void march_two_cells(const world *w, int way, int cells_to_hull) {
    const fs_march_params params = {.threshold = 0.01, .step_limit = 2};
    const fs_journey journey = {.scene = &w->scene, .march = &params};
    const beam b = {.origin = {(float)(EDGE - cells_to_hull), 1, 1}, .direction = {1, 0, 0}};
    uint32_t cell = w->partition.place[(EDGE - cells_to_hull) + EDGE + EDGE * EDGE], cells = 0;
    fs_bundle bundle = {.rays = 1, .direction = {{1, 0, 0}}, .cell = {cell}, .state = {{.T = 1}}};
    fs_ray_state ray = {.T = 1};
    fs_march_counts counts = {0};
    fs_eye eye;
    fs_eye_open(&eye, &w->scene, b.origin);
    fs_bundle_open(&bundle);
    if (way == 0) {
        fs_march(&w->scene, &params, b.origin, b.direction, 0, w->scene.cells, &cell, &ray, &counts);
        cells = counts.cells;
    } else {
        (way == 1 ? fs_bundle_plain : fs_bundle_avx2)(&journey, &eye, &bundle);
        cells = bundle.leg[0].cells;
    }
    _exit(cells == 2 ? 0 : 1);
}

TEST(a_ray_that_does_not_end_ends_the_process) {
    world w;
    lattice_world(&w, 1);
    for (int way = 0; way < 3; way++)
        for (int cells = 2; cells <= 3; cells++) {
            pid_t child = fork();
            if (child == 0) {
                signal(SIGABRT, SIG_DFL); /* cmocka's own would report a failure */
                if (freopen("/dev/null", "w", stderr) != NULL)
                    march_two_cells(&w, way, cells);
                _exit(2);
            }
            int status;
            assert_int_equal(waitpid(child, &status, 0), child);
            if (cells == 2)
                assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            else
                assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        }
    end_world(&w);
}

/* ---- a cell with so many faces that its counts fill legs by themselves ---- */

/* Site 0 in the middle of a crowded sphere, all of which it sees; the others see it and each other. */
static void star_world(world *w, fs_rng *rng, uint32_t sites) {
    fs_foam *f = &w->foam;
    *f = (fs_foam){.sites = sites, .x = fs_calloc(sites, sizeof *f->x), .y = fs_calloc(sites, sizeof *f->y)};
    f->z = fs_calloc(sites, sizeof *f->z);
    f->density = fs_calloc(sites, sizeof *f->density);
    f->rgb = fs_calloc(sites, 3);
    f->adjacency_end = fs_malloc(sites * sizeof *f->adjacency_end);
    f->adjacency = fs_malloc((size_t)sites * sites * sizeof *f->adjacency);
    for (uint32_t i = 0; i < sites; i++) {
        double d[3] = {fs_rng_normal(rng), fs_rng_normal(rng), fs_rng_normal(rng)};
        double length =
            sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (i == 0 ? 0.0 : 4.0 - 3.0 * i / sites);
        f->x[i] = i == 0 ? 0.0f : (float)(d[0] / length);
        f->y[i] = i == 0 ? 0.0f : (float)(d[1] / length);
        f->z[i] = i == 0 ? 0.0f : (float)(d[2] / length);
        f->density[i] = 0.2f;
        for (uint32_t q = 0; q < sites; q++)
            if (q != i)
                f->adjacency[f->faces++] = q;
        f->adjacency_end[i] = f->faces;
    }
    w->size = 1;
    cut_world(w, 4);
}

TEST(cells_with_hundreds_of_faces) {
    print_message("seed %" PRIu64 "\n", seed);
    fs_rng rng = fs_rng_stream(seed, "star");
    const fs_march_params params = {.threshold = 0.01, .step_limit = 1000};
    memset(&met, 0, sizeof met);
    for (uint32_t sites = 60; sites <= 960; sites *= 2) {
        world w;
        star_world(&w, &rng, sites);
        for (int n = 0; n < 4; n++) {
            beam b = random_beam(&w, &rng);
            march_bundles(&w, &rng, &params, b);
        }
        end_world(&w);
    }
    print_message("%" PRIu64 " visits in several legs\n", met.continued);
}

TEST(lists_too_long_for_the_layout_are_refused) {
    enum { NEIGHBOURS = 65536 };
    float *zeros = test_keep(fs_calloc(NEIGHBOURS + 1, sizeof *zeros));
    fs_foam foam = {.sites = NEIGHBOURS + 1, .faces = 2 * NEIGHBOURS, .x = zeros, .y = zeros, .z = zeros};
    foam.density = zeros;
    foam.rgb = fs_calloc(NEIGHBOURS + 1, 3);
    foam.adjacency = fs_calloc(2 * NEIGHBOURS, sizeof *foam.adjacency);
    foam.adjacency_end = fs_calloc(NEIGHBOURS + 1, sizeof *foam.adjacency_end);
    for (uint32_t i = 0; i <= NEIGHBOURS; i++) {
        foam.adjacency_end[i] = NEIGHBOURS + i; /* a star: site 0 sees all */
        if (i < NEIGHBOURS)
            foam.adjacency[i] = i + 1;
    }
    fs_error err = {0};
    fs_arena *arena = test_arena();
    fs_partition partition;
    fs_march_scene scene;
    const fs_partition_params params = {.shards = 1};
    assert_int_equal(fs_partition_make(&fs_partitioner_kd, &foam, &params, arena, &partition, &err), FS_OK);
    assert_fails(fs_march_scene_make(&foam, &partition, &scene, &err), FS_INPUT, &err,
                 "site 0 has 65536 neighbours");
    assert_null(scene.cell);
    free(foam.rgb);
    free(foam.adjacency);
    free(foam.adjacency_end);
}

RUN_TESTS(NULL, NULL)
