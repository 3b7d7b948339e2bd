/* When a frame is done: which pixels count, which visit is judged, when a run is given up; on small frames,
 * against what follows from their pictures. */
#include "tests/support/foam/foam_case.h"
#include "tests/support/test.h"

enum { CASES = 12, REPEAT = 5, IDLE = 7, WIDTH = 32, HEIGHT = 24, PIXELS = WIDTH * HEIGHT };

static fs_case_spec spec_of(uint64_t seed) {
    return (fs_case_spec){.sites = 100,
                          .shards = 16,
                          .seed = seed,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .payload = 2,
                          .per_batch = 1,
                          .idle = IDLE,
                          .frames = 1,
                          .repeat = REPEAT,
                          .workers = 6,
                          .stream = true,
                          .ring = 512};
}

/* The simulation anew, after the setup was changed. */
static void begin_again(fs_case *c) {
    fs_error err = {.status = FS_OK};
    c->sim = fs_foam_simulation_create(c->arena, &c->setup, &err);
    assert_got(c->sim, &err);
}

TEST(a_visit_that_judges_the_picture_before_comes_one_later) {
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        fs_case c;
        fs_error err = {.status = FS_OK};
        const fs_case_spec spec = spec_of(seed);
        fs_case_make(&c, &spec);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        const uint64_t usual = c.iterations;
        c.setup.previous = true;
        begin_again(&c);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        assert_int_equal(c.iterations, usual + REPEAT);
        assert_int_equal(fs_foam_simulation_framebuffer(c.sim)->done[0], usual); /* it was done before */
        fs_case_free(&c);
    }
}

/* By doubles, where the framebuffer counts in whole numbers. */
static bool is_dark(const float *rgb) {
    double byte[3];
    for (int k = 0; k < 3; k++)
        byte[k] = floor(fmin(255, fmax(0, 255 * (double)rgb[k])));
    return 0.299 * byte[0] + 0.587 * byte[1] + 0.114 * byte[2] < 0.5 - 1e-9;
}

TEST(black_pixels_do_not_count_where_they_should_not) {
    size_t some = 0;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        fs_case c;
        fs_error err = {.status = FS_OK};
        const fs_case_spec spec = spec_of(seed);
        fs_case_make(&c, &spec);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        const fs_framebuffer *fb = fs_foam_simulation_framebuffer(c.sim);
        uint64_t light = 0;
        for (size_t p = 0; p < PIXELS; p++)
            light += !is_dark(&fb->rgb[3 * p]);
        some += light > 0 && light < PIXELS;
        c.setup.not_black = true;
        c.setup.coverage = ((double)light - 0.5) / PIXELS; /* all that are not black are enough */
        begin_again(&c);
        assert_int_equal(fs_case_run(&c, &err), FS_OK);
        assert_true(fs_foam_simulation_framebuffer(c.sim)->written[0] == light);
        if (light < PIXELS) {
            c.setup.coverage = ((double)light + 0.5) / PIXELS; /* one more there is not */
            begin_again(&c);
            assert_int_equal(fs_case_run(&c, &err), FS_RUN);
            assert_says(err.text, "never done: the state after");
            assert_true(fs_foam_simulation_framebuffer(c.sim)->written[0] == light);
        }
        fs_case_free(&c);
    }
    assert_true(some > 3);
}

/* Lanes of a few slots lose rays in each sweep: the run is given up at the end of one, when the last ones
 * were too slow to fill the picture in time. Whatever is given up would indeed not have been done in time,
 * and what is done is done as if nobody had looked. */
TEST(a_run_is_given_up_where_it_would_not_be_done_in_time) {
    enum { SWEEPS = 2, SWEEP = HEIGHT + IDLE, MOST = 3000 };
    size_t given_up = 0, slow = 0, done = 0;
    for (uint64_t seed = 1; seed <= 2 * CASES; seed++) {
        fs_case c;
        fs_error err = {.status = FS_OK};
        fs_case_spec spec = spec_of(seed);
        spec.lane_slots = 12 + (uint32_t)seed;
        spec.ring = 8;
        fs_case_make(&c, &spec);
        c.setup.give_up = SWEEPS;
        c.setup.max_iterations = MOST;
        begin_again(&c);
        const bool ended = fs_case_run(&c, &err) == FS_OK;
        const uint64_t iterations = c.iterations;
        const uint64_t written = fs_foam_simulation_framebuffer(c.sim)->written[0];
        const bool by_pace = !ended && strstr(err.text, "given up after") != NULL;
        c.setup.give_up = 0;
        begin_again(&c);
        fs_error without = {.status = FS_OK};
        assert_int_equal(fs_case_run(&c, &without) == FS_OK, ended);
        done += ended;
        if (ended)
            assert_int_equal(c.iterations, iterations);
        if (by_pace) {
            unsigned long long after = 0;
            assert_int_equal(sscanf(err.text, "given up after %llu iterations", &after), 1);
            assert_int_equal(after % SWEEP, 0);
            assert_true(after < MOST && written < PIXELS);
            c.setup.max_iterations = (uint32_t)after - SWEEPS * SWEEP;
            begin_again(&c);
            assert_int_equal(fs_case_run(&c, &err), FS_RUN);
            const uint64_t before = fs_foam_simulation_framebuffer(c.sim)->written[0];
            const double sweeps = (double)(MOST - after) / SWEEP;
            assert_true((double)(written - before) / SWEEPS * sweeps <
                        c.setup.coverage * PIXELS - (double)written);
            given_up++;
            slow += written > before;
        }
        fs_case_free(&c);
    }
    assert_true(given_up > 0 && slow > 0 && done > 0);
}

RUN_TESTS(NULL, NULL)
