/* Whole frames on random small cases: nothing is lost, the image is that of a ray followed alone, visits are
 * those of its path, and rounding stays within its analytic bound. */
#include "tests/support/foam/foam_case.h"
#include "tests/support/test.h"

static uint64_t seed_base;

/* ---- one ray, followed alone ---- */

typedef struct path {
    fs_ray_state end;
    uint32_t cells, tracers, routers, delivery, shortest;
    double bound; /* of the error of a colour channel that rounding at hand-overs can make */
} path;

/* Half the distance between neighbouring halves at x. */
static double half_unit(double x) {
    double unit = 0x1p-24;
    while (unit * 2048.0 <= fabs(x))
        unit *= 2.0;
    return unit / 2.0;
}

/* What one hand-over may add to a channel's error (the payload's rounding): half a
 * unit of the colour and of T, and what a shift of t by half a unit can absorb in the next cell. */
static double hand_over(const fs_payload *payload, const fs_ray_state *ray, double density) {
    double bound = 0;
    if (payload->half_rgb)
        bound += half_unit(fmax(ray->r, fmax(ray->g, ray->b)));
    if (payload->half_t)
        bound += half_unit(ray->T) + ray->T * fmin(1.0, density * half_unit(ray->t));
    return bound;
}

/* Follows pixel (i, j) cell by cell, the shards only looked at, not marched by; `payload` NULL: never
 * rounded. */
static path follow(const fs_case *c, uint32_t i, uint32_t j, const fs_payload *payload,
                   const fs_payload *bound_for) {
    path p = {.end = {.T = 1.0f}, .tracers = 1, .shortest = 1};
    float direction[3];
    fs_camera_direction(&c->camera, i, j, direction);
    uint32_t cell = fs_march_nearest(&c->scene, &c->partition, c->camera.origin);
    uint32_t shard = c->scene.cell[cell].shard;
    p.routers = fs_case_levels(c->overlay.tracers);
    p.shortest += p.routers + 1;
    for (;;) {
        fs_march_counts counts = {0};
        fs_march_exit exit = fs_march(&c->scene, &c->setup.march, c->camera.origin, direction, cell, cell + 1,
                                      &cell, &p.end, &counts);
        p.cells += counts.cells;
        if (exit != FS_EXIT_CROSSED)
            break;
        uint32_t next = c->scene.cell[cell].shard;
        if (next == shard)
            continue;
        uint32_t hops = fs_case_tree_distance(shard, next);
        p.tracers++;
        p.routers += hops - 1;
        p.shortest += hops;
        if (bound_for != NULL)
            p.bound += hand_over(bound_for, &p.end, c->scene.cell[cell].density);
        if (payload != NULL)
            fs_payload_round(payload, &p.end);
        shard = next;
    }
    if (bound_for != NULL)
        p.bound += hand_over(bound_for, &p.end, 0);
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c->sim);
    if (!c->setup.local_framebuffer) {
        if (payload != NULL)
            fs_payload_round(payload, &p.end);
        p.delivery = fs_case_tree_distance(shard, fs_framebuffer_owner(fb, i, j));
        p.shortest += p.delivery;
    }
    return p;
}

/* ---- the properties ---- */

/* Identities after every iteration (in fs_case_run), and complete frames unless rays were dropped. */
static void check_end(const fs_case *c) {
    fs_foam_totals t = fs_foam_simulation_totals(c->sim);
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c->sim);
    uint64_t pixels = (uint64_t)fb->width * fb->height;
    assert_int_equal(t.in_flight, 0);
    assert_int_equal(t.generated, pixels * c->setup.frames);
    assert_int_equal(t.misrouted, t.spilled);
    for (uint32_t f = 0; f < c->setup.frames; f++)
        assert_true(fb->written[f] <= pixels);
    assert_int_equal(fs_foam_simulation_complete(c->sim),
                     fb->written[c->setup.frames - 1] == pixels && fb->written[0] == pixels);
    if (t.dropped == 0)
        assert_true(fs_foam_simulation_complete(c->sim));
}

/* Every written pixel has the bits of the ray followed alone with the same roundings: neither order, nor
 * spills, nor waiting change a picture. */
static void check_picture(const fs_case *c) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c->sim);
    for (uint32_t j = 0; j < fb->height; j++)
        for (uint32_t i = 0; i < fb->width; i++) {
            size_t pixel = (size_t)j * fb->width + i;
            if (fb->newest[pixel] < 0)
                continue;
            path p = follow(c, i, j, &c->payload, NULL);
            assert_memory_equal(&fb->rgb[3 * pixel], &p.end.r, 3 * sizeof(float));
            assert_memory_equal(&fb->depth[pixel], &p.end.depth, sizeof(float));
        }
}

/* Visits of the path plus those that misrouting added; without spills exactly those of the path. */
static void check_visits(const fs_case *c) {
    const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c->sim);
    bool spilled = fs_foam_simulation_totals(c->sim).spilled > 0;
    for (uint32_t j = 0; j < fb->height; j++)
        for (uint32_t i = 0; i < fb->width; i++) {
            const fs_pixel_hops *h = &fb->hops[(size_t)j * fb->width + i];
            if (h->alive < 0)
                continue;
            path p = follow(c, i, j, &c->payload, NULL);
            assert_int_equal(h->alive - h->waiting, p.shortest);
            assert_true(h->waiting >= 0);
            if (spilled) {
                assert_true(h->router_visits >= (int32_t)p.routers &&
                            h->delivery_hops >= (int32_t)p.delivery);
                continue;
            }
            assert_int_equal(h->tracer_visits, p.tracers);
            assert_int_equal(h->router_visits, p.routers);
            assert_int_equal(h->delivery_hops, p.delivery);
            assert_int_equal(h->misrouted, 0);
        }
}

TEST(random_frames) {
    enum { CASES = 250 };
    uint32_t with_spills = 0, with_drops = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        fs_case_spec spec = fs_case_random(seed_base + k);
        spec.partition = (uint32_t)(k % 3);
        fs_case c;
        fs_error err = {0};
        fs_case_make(&c, &spec);
        if (fs_case_run(&c, &err))
            fail_msg("seed %llu: %s", (unsigned long long)(seed_base + k), err.text);
        fs_foam_totals t = fs_foam_simulation_totals(c.sim);
        with_spills += t.spilled > 0;
        with_drops += t.dropped > 0;
        check_end(&c);
        check_picture(&c);
        check_visits(&c);
        fs_case_free(&c);
    }
    print_message("%d cases, %u with spills, %u with drops\n", CASES, with_spills, with_drops);
    assert_true(with_spills > CASES / 10 && with_drops > CASES / 20);
}

/* A ray alone is alive for exactly its visits: generator, routers, tracers, delivery, owner. */
TEST(one_ray_alone) {
    for (uint64_t k = 0; k < 30; k++) {
        fs_case_spec spec = {.seed = seed_base + k,
                             .sites = 900,
                             .shards = 64,
                             .width = 1,
                             .height = 1,
                             .payload = 2,
                             .per_batch = 1,
                             .frames = 1,
                             .repeat = 1,
                             .workers = 6,
                             .ring = 10};
        fs_case c;
        fs_error err = {0};
        fs_case_make(&c, &spec);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        const fs_pixel_hops *h = fs_foam_simulation_framebuffer(c.sim)->hops;
        assert_int_equal(h->waiting, 0);
        assert_int_equal(h->alive, 1 + h->router_visits + h->tracer_visits + h->delivery_hops);
        assert_int_equal(c.iterations, h->alive);
        fs_case_free(&c);
    }
}

/* `full` is the unrounded ray bit for bit; half and mixed stay within the bound of their hand-overs. */
TEST(rounding_within_bound) {
    uint64_t pixels = 0, ended_elsewhere = 0;
    double worst = 0;
    for (uint64_t k = 0; k < 40; k++) {
        for (uint32_t payload = 0; payload < 4; payload++) {
            fs_case_spec spec = {.seed = seed_base + k,
                                 .sites = 400,
                                 .shards = 16,
                                 .width = 12,
                                 .height = 9,
                                 .payload = payload,
                                 .per_batch = 2,
                                 .frames = 1,
                                 .repeat = 5,
                                 .workers = 6,
                                 .ring = 100};
            fs_case c;
            fs_error err = {0};
            fs_case_make(&c, &spec);
            assert_int_equal(fs_case_run(&c, &err), FS_OK);
            const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c.sim);
            for (uint32_t j = 0; j < fb->height; j++)
                for (uint32_t i = 0; i < fb->width; i++) {
                    const float *rgb = &fb->rgb[3 * ((size_t)j * fb->width + i)];
                    path exact = follow(&c, i, j, NULL, &c.payload),
                         rounded = follow(&c, i, j, &c.payload, NULL);
                    if (!c.payload.half_t && !c.payload.half_rgb) {
                        assert_memory_equal(rgb, &exact.end.r, 3 * sizeof(float));
                        continue;
                    }
                    bool elsewhere = exact.cells != rounded.cells;
                    /* 1 %: the bound's own T, t and colour are the exact ray's; 1e-5: float arithmetic of the
                     * sums */
                    double bound = 1.01 * exact.bound + 1e-5 + (elsewhere ? 0.01 : 0.0);
                    double error = fmax(fabs((double)rgb[0] - (double)exact.end.r),
                                        fmax(fabs((double)rgb[1] - (double)exact.end.g),
                                             fabs((double)rgb[2] - (double)exact.end.b)));
                    if (error > bound)
                        fail_msg("seed %llu payload %s pixel %u,%u: error %g over the bound %g",
                                 (unsigned long long)spec.seed, c.payload.name, i, j, error, bound);
                    worst = fmax(worst, error / bound);
                    pixels++;
                    ended_elsewhere += elsewhere;
                }
            fs_case_free(&c);
        }
    }
    print_message("%llu pixels, %llu ended in another cell, worst error %.2f of its bound\n",
                  (unsigned long long)pixels, (unsigned long long)ended_elsewhere, worst);
    assert_true(worst > 0.05); /* the bound is a bound, not a blank cheque */
}

/* Streaming goes on until the counted frames are done, and later sweeps fill in what earlier ones dropped. */
TEST(streaming_fills_in) {
    uint32_t filled = 0;
    for (uint64_t k = 0; k < 20; k++) {
        fs_case_spec spec = {.seed = seed_base + k,
                             .sites = 500,
                             .shards = 16,
                             .width = 20,
                             .height = 15,
                             .payload = 2,
                             .per_batch = 1,
                             .idle = 3,
                             .frames = 1,
                             .repeat = 5,
                             .workers = 6,
                             .lane_slots = 21,
                             .ring = 3,
                             .stream = true};
        fs_case c;
        fs_error err = {0};
        fs_case_make(&c, &spec);
        c.setup.coverage = 0.95;
        c.setup.max_iterations = 2000;
        c.sim = fs_foam_simulation_create(c.arena, &c.setup, &err);
        assert_non_null(c.sim);
        fs_status status = fs_case_run(&c, &err);
        fs_foam_totals t = fs_foam_simulation_totals(c.sim);
        assert_int_equal(t.generated, t.finished + t.dropped + t.in_flight);
        if (status == FS_OK) {
            assert_true(fs_foam_simulation_complete(c.sim));
            filled += t.dropped > 0 && t.generated > 300;
        } else {
            assert_int_equal(status, FS_RUN); /* some pixel's ray is dropped in every sweep */
        }
        fs_case_free(&c);
    }
    assert_true(filled > 0);
}

int main(void) {
    seed_base = test_seed(20240);
    return test_run(NULL, NULL);
}
