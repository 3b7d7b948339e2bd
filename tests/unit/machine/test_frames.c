/* Frames of a path: their figures by hand. */
#include "models/ipu/tables/frames.h"
#include "tests/support/test.h"

static const double clock_hz = 1000; /* a cycle is a millisecond */

/* Begun every 30 cycles, under way for 40 and taken 5 later, but the third, which takes 100 more. */
static const fs_frame frame[4] = {
    {0, 30, 40, 45, 0}, {30, 60, 70, 75, 0}, {60, 90, 200, 205, 0}, {90, 120, 130, 235, 0}};

TEST(figures_by_hand) {
    const fs_run_path wait = {.in_flight = 4, .budget = 0.033}, drop = {4, 0.033, FS_LATE_DROP};
    fs_frames_figures f = fs_frames_figures_of(&wait, frame, 4, clock_hz);
    assert_int_equal(f.count, 4);
    assert_int_equal(f.shown, 4);
    assert_int_equal(f.over_budget, 2); /* 45 and 130 ms after what was before; 30 and 30 are in time */
    assert_true(fabs(f.interval - 0.19 / 3) < 1e-12 && fabs(f.per_second - 3 / 0.19) < 1e-9);
    assert_true(fabs(f.latency_p50 - 0.045) < 1e-12 && fabs(f.latency_max - 0.145) < 1e-12);
    assert_true(fabs(f.latency_p95 - 0.145) < 1e-12);
    assert_true(fabs(f.overlap - (10.0 + 10 + 40) / 235) < 1e-12); /* 30 to 40, 60 to 70, 90 to 130 */
    f = fs_frames_figures_of(&drop, frame, 4, clock_hz);
    assert_int_equal(f.shown, 2);
    assert_true(fabs(f.per_second - 1.5 / 0.19) < 1e-9);
}

/* Under way from 0 to 40, 10 to 50 and 20 to 60: two or three at once from 10 to 50. A fourth, from 100 on, is alone. */
TEST(three_at_once) {
    static const fs_frame many[4] = {
        {0, 30, 40, 40, 0}, {10, 40, 50, 50, 0}, {20, 50, 60, 60, 0}, {100, 110, 120, 120, 0}};
    const fs_run_path wait = {.in_flight = 3, .budget = 1};
    assert_true(fabs(fs_frames_figures_of(&wait, many, 3, clock_hz).overlap - 40.0 / 60) < 1e-12);
    assert_true(fabs(fs_frames_figures_of(&wait, many, 4, clock_hz).overlap - 40.0 / 120) < 1e-12);
    /* the first is the last to be complete: the others are beside it all the time */
    static const fs_frame slow[3] = {{0, 30, 100, 100, 0}, {20, 50, 60, 101, 0}, {40, 70, 80, 102, 0}};
    assert_true(fabs(fs_frames_figures_of(&wait, slow, 3, clock_hz).overlap - 60.0 / 102) < 1e-12);
}

TEST(one_frame_and_none) {
    const fs_run_path wait = {.in_flight = 1, .budget = 0.1};
    fs_frames_figures f = fs_frames_figures_of(&wait, frame, 1, clock_hz);
    assert_true(f.count == 1 && f.over_budget == 0 && f.overlap == 0);
    assert_true(fabs(f.per_second - 1 / 0.045) < 1e-9 && fabs(f.latency_p95 - 0.045) < 1e-12);
    f = fs_frames_figures_of(&wait, frame, 0, clock_hz);
    assert_true(f.count == 0 && isnan(f.per_second) && isnan(f.latency_max) && isnan(f.budget));
}

RUN_TESTS(NULL, NULL)
