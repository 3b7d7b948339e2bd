/* Whole frames on overlays of every kind, with replicas and every dispatch: with room for all, the same
 * picture and the same path through the shards whatever the overlay, and nobody waits; with little room
 * nothing is lost but at the generator, and what arrives has the same bits. */
#include "tests/support/foam/foam_case.h"
#include "tests/support/test.h"

enum { CASES = 24, OVERLAYS = 4 };

static uint64_t seed_base;

static fs_case run(const fs_case_spec *spec) {
    fs_case c;
    fs_error err = {0};
    fs_case_make(&c, spec);
    if (fs_case_run(&c, &err))
        fail_msg("seed %llu, %s: %s", (unsigned long long)spec->seed, fs_case_kind_names[spec->overlay.kind],
                 err.text);
    return c;
}

static fs_case_spec draw(uint64_t k) {
    fs_case_spec spec = fs_case_random(seed_base + k);
    spec.frames = 1;
    spec.lane_slots = 0;
    spec.ring = 0;
    spec.infinite = true;
    return spec;
}

/* Lanes that a ray took in all, the generator's iteration left out. */
static int32_t lanes_of(const fs_pixel_hops *h) {
    return h->tracer_visits + h->router_visits + h->delivery_hops;
}

TEST(room_for_all) {
    uint32_t seen[FS_CASE_KINDS] = {0};
    for (uint64_t k = 0; k < CASES; k++) {
        fs_case_spec spec = draw(k);
        fs_rng rng = fs_rng_stream(seed_base + k, "tests/any_overlay");
        fs_case tree = run(&spec);
        const fs_framebuffer *a = fs_foam_simulation_framebuffer(tree.sim);
        const size_t pixels = (size_t)a->width * a->height;
        for (int i = 0; i < OVERLAYS; i++) {
            spec.overlay = fs_case_overlay_random(&rng, spec.shards);
            seen[spec.overlay.kind]++;
            fs_case other = run(&spec);
            const fs_framebuffer *b = fs_foam_simulation_framebuffer(other.sim);
            const fs_foam_totals t = fs_foam_simulation_totals(other.sim);
            assert_true(fs_foam_simulation_complete(other.sim));
            assert_int_equal(t.finished, pixels);
            assert_int_equal(t.spilled + t.dropped + t.misrouted, 0);
            assert_memory_equal(a->rgb, b->rgb, 3 * pixels * sizeof(float));
            assert_memory_equal(a->depth, b->depth, pixels * sizeof(float));
            for (size_t p = 0; p < pixels; p++) {
                assert_int_equal(b->hops[p].tracer_visits, a->hops[p].tracer_visits);
                assert_int_equal(b->hops[p].waiting, 0);
                /* one visit in each iteration: the generator's, then one at the end of each lane */
                assert_int_equal(b->hops[p].alive, 1 + lanes_of(&b->hops[p]));
            }
            fs_case_free(&other);
        }
        fs_case_free(&tree);
    }
    for (int kind = 0; kind < FS_CASE_KINDS; kind++)
        assert_true(seen[kind] > 5);
}

TEST(little_room) {
    uint32_t with_spills = 0, with_drops = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        fs_case_spec spec = draw(k);
        fs_rng rng = fs_rng_stream(seed_base + k, "tests/any_overlay/little");
        fs_case free_run = run(&spec);
        const fs_framebuffer *a = fs_foam_simulation_framebuffer(free_run.sim);
        spec.infinite = false;
        for (int i = 0; i < OVERLAYS; i++) {
            spec.overlay = fs_case_overlay_random(&rng, spec.shards);
            spec.lane_slots = 1 + fs_rng_below(&rng, 30);
            spec.ring = fs_rng_below(&rng, 2) ? 1000 : fs_rng_below(&rng, 20);
            fs_case c = run(&spec);
            const fs_framebuffer *b = fs_foam_simulation_framebuffer(c.sim);
            const fs_foam_totals t = fs_foam_simulation_totals(c.sim);
            assert_int_equal(t.generated, t.finished + t.dropped);
            assert_int_equal(t.misrouted, t.spilled);
            if (spec.ring == 1000) /* all rays there are fit the ring: nothing can be lost */
                assert_int_equal(t.dropped, 0);
            with_spills += t.spilled > 0;
            with_drops += t.dropped > 0;
            for (size_t p = 0; p < (size_t)b->width * b->height; p++) {
                if (b->newest[p] < 0)
                    continue;
                assert_memory_equal(&a->rgb[3 * p], &b->rgb[3 * p], 3 * sizeof(float));
                assert_true(b->hops[p].waiting >= 0);
            }
            fs_case_free(&c);
        }
        fs_case_free(&free_run);
    }
    print_message("%d runs, %u with spills, %u with drops\n", CASES * OVERLAYS, with_spills, with_drops);
    assert_true(with_spills > CASES && with_drops > CASES / 4);
}

int main(void) {
    seed_base = test_seed(4711);
    return test_run(NULL, NULL);
}
