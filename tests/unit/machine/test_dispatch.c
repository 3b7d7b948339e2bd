/* Picking among equals by hand: the hash's values, how evenly it spreads, that its levels are strangers to
 * each other, and that a generator with several lanes fills them as its policy says; and where rays go whose lane is full. */
#include "tests/support/foam/foam_case.h"
#include "tests/support/test.h"
#include "workloads/foam/kernels/simulation_internal.h"

enum { PIXELS = 640 * 480, MOST = 8 };

/* Worked out by hand, in arithmetic modulo 2^32, from the sentence above fs_pixel_hash. */
TEST(known_values) {
    assert_int_equal(fs_pixel_hash(0, 0), 0);
    assert_int_equal(fs_pixel_hash(1, 0), 643454404u);
    assert_int_equal(fs_pixel_hash(PIXELS - 1, 0), 2505837298u);
    assert_int_equal(fs_pixel_hash(12345, 3), 30458784u);
    assert_int_equal(fs_pixel_hash(0, 6), 1410204137u);
}

/* Over a VGA picture each of 2 ... 8 choices gets its part within four standard deviations, on every level. */
TEST(choices_get_equal_parts) {
    for (uint32_t level = 0; level < 6; level++)
        for (uint32_t choices = 2; choices <= MOST; choices++) {
            uint32_t count[MOST] = {0};
            for (uint32_t p = 0; p < PIXELS; p++)
                count[fs_pixel_hash(p, level) % choices]++;
            for (uint32_t c = 0; c < choices; c++) {
                double mean = (double)PIXELS / choices, off = (double)count[c] - mean;
                assert_true(off * off < 16 * mean);
            }
        }
}

/* A ray that takes the left of two lanes on one level is no likelier to take it on another. */
TEST(levels_pick_anew) {
    for (uint32_t a = 0; a < 6; a++)
        for (uint32_t b = 0; b < a; b++) {
            uint32_t count[4] = {0};
            for (uint32_t p = 0; p < PIXELS; p++)
                count[2 * (fs_pixel_hash(p, a) % 2) + fs_pixel_hash(p, b) % 2]++;
            for (uint32_t c = 0; c < 4; c++)
                assert_in_range(count[c], PIXELS / 4 - PIXELS / 100, PIXELS / 4 + PIXELS / 100);
        }
}

/* Four shards under three equal roots: the generator has a lane to each. 20 rays a batch in 9 batches: in
 * turn, iteration k begins at lane k mod 3, and 20 = 7 + 7 + 6; by occupancy the first two lanes get 7. */
TEST(a_generator_spreads_its_rays) {
    static const uint64_t expected[3][3] = {
        [FS_DISPATCH_ROUND_ROBIN] = {60, 60, 60}, [FS_DISPATCH_LEAST_OCCUPIED] = {63, 63, 54}};
    for (uint32_t d = 0; d < 3; d++) {
        const fs_case_spec spec = {
            .sites = 200,
            .shards = 4,
            .seed = 5,
            .width = 20,
            .height = 9,
            .payload = 2,
            .per_batch = 1,
            .frames = 1,
            .repeat = 5,
            .workers = 6,
            .ring = 10,
            .overlay = {.kind = FS_CASE_FAT_TREE, .widths = {3}, .dispatch = (fs_dispatch)d}};
        fs_case c;
        fs_error err = {0};
        fs_case_make(&c, &spec);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        assert_int_equal(fs_foam_simulation_totals(c.sim).spilled, 0);
        const fs_overlay *o = &c.overlay;
        uint64_t by_hash[3] = {0};
        for (uint32_t p = 0; p < 180; p++)
            by_hash[fs_pixel_hash(p, 2) % 3]++;
        assert_int_equal(fs_overlay_out_degree(o, o->generator_tile), 3);
        for (uint32_t port = 0; port < 3; port++) {
            const uint32_t lane = o->out_lane[o->out_start[o->generator_tile] + port];
            assert_int_equal(fs_foam_simulation_lanes(c.sim)[lane].rays,
                             d == FS_DISPATCH_HASH ? by_hash[port] : expected[d][port]);
        }
        fs_case_free(&c);
    }
}

/* ---- what a full lane turns away ---- */

/* Rays [first, first + count) that want `tracer`, as they come over a lane of a router. */
static void arrive(fs_lane_state *lane, fs_handle *slots, uint32_t first, uint32_t count, uint16_t tracer) {
    for (uint32_t i = 0; i < count; i++)
        slots[i] = (fs_handle){.ray = first + i, .wants = tracer};
    lane->in = slots;
    lane->in_extent = count;
    lane->in_plain = true;
}

static void holds(const fs_lane_state *lane, const uint32_t *rays, uint32_t count) {
    assert_int_equal(lane->out_extent, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(lane->out[i].ray & FS_RAY_ID, rays[i]);
}

/* A root with lanes of four slots to four tracers and back to the generator, six workers, by the rules of RFC (docs/facts/ipu.md 8)
 * worked out by hand. The generator's lane brings rays 0 ... 17, ray i to worker i mod 6, which all want tracer 1; tracer 2 brings
 * 18, 19, 20 for tracer 0, to workers 0, 1, 2.
 *   lane 1   the three rays of worker 0, then one of worker 1's: 0 6 12 1
 *   beyond   worker 1: 7 13; worker 2: 2 8 14; worker 3: 3 9 15; worker 4: 4 10 16; worker 5: 5 11 17: 14 rays, in that order
 *   free     one slot of lane 0, four of lanes 2 and 3; then the lane back, after all four others
 *   at the head of a lane stand the rays that were turned away, behind them its own */
TEST(a_full_lane_by_hand) {
    static fs_handle from_generator[18], from_tracer[3];
    const fs_case_spec spec = {.sites = 200,
                               .shards = 4,
                               .seed = 5,
                               .width = 20,
                               .height = 9,
                               .payload = 2,
                               .per_batch = 1,
                               .frames = 1,
                               .repeat = 5,
                               .workers = 6,
                               .ring = 10,
                               .lane_slots = 4};
    fs_case c;
    fs_case_make(&c, &spec);
    const fs_overlay *o = &c.overlay;
    const uint32_t root = o->lanes[o->out_lane[o->out_start[o->generator_tile]]].dst;
    uint32_t counts[6 * FS_MAX_EVENTS] = {0};
    for (uint32_t i = 0; i < 24; i++)
        fs_rays_take(&c.sim->pool, 0);
    arrive(fs_in_lane(c.sim, root, 4), from_generator, 0, 18, 1);
    arrive(fs_in_lane(c.sim, root, 2), from_tracer, 18, 3, 0);
    fs_router_run(c.sim, root, &c.sim->stores[0], counts);
    holds(fs_out_lane(c.sim, root, 0), (const uint32_t[]){7, 18, 19, 20}, 4);
    holds(fs_out_lane(c.sim, root, 1), (const uint32_t[]){0, 6, 12, 1}, 4);
    holds(fs_out_lane(c.sim, root, 2), (const uint32_t[]){13, 2, 8, 14}, 4);
    holds(fs_out_lane(c.sim, root, 3), (const uint32_t[]){3, 9, 15, 4}, 4);
    holds(fs_out_lane(c.sim, root, 4), (const uint32_t[]){10, 16, 5, 11}, 4);
    assert_int_equal(c.sim->work[root].dropped, 1); /* ray 17 has no slot anywhere */
    assert_int_equal(fs_out_lane(c.sim, root, 1)->out_turned, 14);
    fs_case_free(&c);
}

RUN_TESTS(NULL, NULL)
