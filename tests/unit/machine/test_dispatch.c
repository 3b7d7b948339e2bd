/* Picking among equals by hand: the hash's values, how evenly it spreads, that its levels are strangers to
 * each other, and that a generator with several lanes fills them as its policy says. */
#include "tests/support/foam/foam_case.h"
#include "workloads/foam/kernels/dispatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PIXELS = 640 * 480, MOST = 8 };

/* Worked out by hand, in arithmetic modulo 2^32, from the sentence above fs_pixel_hash. */
static void known_values(void **state) {
    (void)state;
    assert_int_equal(fs_pixel_hash(0, 0), 0);
    assert_int_equal(fs_pixel_hash(1, 0), 643454404u);
    assert_int_equal(fs_pixel_hash(PIXELS - 1, 0), 2505837298u);
    assert_int_equal(fs_pixel_hash(12345, 3), 30458784u);
    assert_int_equal(fs_pixel_hash(0, 6), 1410204137u);
}

/* Over a VGA picture each of 2 ... 8 choices gets its part within four standard deviations, on every level. */
static void choices_get_equal_parts(void **state) {
    (void)state;
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
static void levels_pick_anew(void **state) {
    (void)state;
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
static void a_generator_spreads_its_rays(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(choices_get_equal_parts),
        cmocka_unit_test(levels_pick_anew),
        cmocka_unit_test(a_generator_spreads_its_rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
