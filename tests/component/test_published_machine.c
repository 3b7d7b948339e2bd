/* The machine against figures that others measured or published: none of them is a parameter. The table is
 * printed; what is reached is held to 10 %, what is not to the value that follows from the facts. */
#include "tests/support/test.h"
#include "validation/machine/checks.h"

enum { CHECKS = 11 };
static fs_machine_check checks[CHECKS];

static int simulate(void **state) {
    (void)state;
    fs_error err = {0};
    if (fs_machine_checks_ipu.count != CHECKS || fs_machine_checks_ipu.simulate(checks, &err) != FS_OK)
        print_error("%s\n", err.text);
    return err.status != FS_OK || fs_machine_checks_ipu.count != CHECKS;
}

static const fs_machine_check *named(const char *name) {
    for (size_t i = 0; i < CHECKS; i++)
        if (strcmp(checks[i].name, name) == 0)
            return &checks[i];
    fail_msg("no check \"%s\"", name);
    return NULL;
}

static void assert_near(double found, double expected) {
    if (fabs(found - expected) > 1e-9)
        fail_msg("expected %.12g, found %.12g", expected, found);
}

static void print_published(const fs_machine_check *c, char *text, size_t size) {
    if (c->published_low < c->published_high)
        snprintf(text, size, "%.6g to %.6g", c->published_low, c->published_high);
    else
        snprintf(text, size, "%.6g", c->published_low);
}

TEST(table) {
    print_message("%-38s %-6s %12s %10s %8s\n", "figure", "unit", "published", "simulated", "error");
    for (size_t i = 0; i < CHECKS; i++) {
        char text[32];
        print_published(&checks[i], text, sizeof text);
        print_message("%-38s %-6s %12s %10.4f %+7.1f %%  %s\n", checks[i].name, checks[i].unit, text,
                      checks[i].simulated, 100 * fs_measured_error(&checks[i]), checks[i].source);
        assert_true(checks[i].published_low > 0 && checks[i].published_low <= checks[i].published_high);
        assert_true(checks[i].source[0] != '\0' && checks[i].note[0] != '\0');
    }
}

TEST(reached_within_a_tenth) {
    static const char *const reached[] = {"trivial call and a further rendezvous",
                                          "522 issues of a lone worker",
                                          "SRAM, all tiles",
                                          "exchange, all tiles",
                                          "exchange latency, mean of all pairs",
                                          "exchange latency, farthest pair",
                                          "exchange phase less its schedule",
                                          "the same, all tiles ending together",
                                          "internal sync, slowest"};
    for (size_t i = 0; i < sizeof reached / sizeof reached[0]; i++) {
        double error = fs_measured_error(named(reached[i]));
        if (fabs(error) > 0.1)
            fail_msg("%s: %+.1f %%", reached[i], 100 * error);
    }
}

/* The same figures by hand. */
TEST(as_worked_out_on_paper) {
    /* vertex overhead 11, runall 6, 21 slots of six workers, join 6, program 50: 31 % under the measured 288,
     * which with one more rendezvous of a slot is missed by 3 % */
    const int call = 11 + 6 + 21 * 6 + 6 + 50, rendezvous = 11 + 6 + 6 + 6 + 50;
    assert_near(named("trivial call of six workers")->simulated, call);
    assert_near(named("trivial call and a further rendezvous")->simulated, call + rendezvous);
    assert_near(named("522 issues of a lone worker")->simulated, 3132 + 23);
    /* 24 B x 1,472 tiles x 1.33 GHz, less the launch of 23 cycles; 2,777 issues of each worker */
    assert_near(named("SRAM, all tiles")->simulated, 24e-12 * 1472 * 1.33e9 * (6.0 * 2777) / (6 * 2777 + 23));
    /* 72,000 cycles of words; barrier 126, program 50, and a latency of at most 128 */
    const double most = 1e-12 * 1472 * 288000 * 1.33e9 / (72000 + 126 + 50 + 23);
    const double least = 1e-12 * 1472 * 288000 * 1.33e9 / (72000 + 126 + 50 + 128);
    assert_true(named("exchange, all tiles")->simulated < most);
    assert_true(named("exchange, all tiles")->simulated > least);
    /* barrier 126, program 50, the latency of the last message: of all the farthest, or of any */
    assert_true(named("the same, all tiles ending together")->simulated > 126 + 50 + 100);
    assert_true(named("the same, all tiles ending together")->simulated <= 126 + 50 + 116);
    assert_true(named("exchange phase less its schedule")->simulated >= 126 + 50 + 26);
    /* 52 - 26.5, rounded up: same column, same half, row 0; the farthest corners: rows 22, columns 0 and 7 */
    assert_near(named("exchange latency, nearest pair")->simulated, 26);
    assert_near(named("exchange latency, farthest pair")->simulated, 52 + 2 * 22 + 20);
}

TEST(errors_are_against_the_nearer_end) {
    fs_machine_check c = {.published_low = 200, .published_high = 250, .simulated = 220};
    assert_near(fs_measured_error(&c), 0);
    c.simulated = 190;
    assert_near(fs_measured_error(&c), -0.05);
    c.simulated = 275;
    assert_near(fs_measured_error(&c), 0.1);
}

TEST(the_same_again) {
    fs_machine_check again[CHECKS];
    fs_error err = {0};
    assert_int_equal(fs_machine_checks_ipu.simulate(again, &err), FS_OK);
    assert_memory_equal(again, checks, sizeof checks);
}

/* The traversal engine: what is published follows from its parts; the link's headers leave 54 of 55 million
 * rays. */
TEST(a_board_as_published) {
    fs_machine_check board[16];
    fs_error err = {0};
    assert_true(fs_machine_checks_fpga.count <= 16);
    assert_int_equal(fs_machine_checks_fpga.simulate(board, &err), FS_OK);
    for (size_t i = 0; i < fs_machine_checks_fpga.count; i++) {
        const double error = fs_measured_error(&board[i]);
        print_message("%-38s %-8s %10.4f %10.4f %+7.2f %%\n", board[i].name, board[i].unit,
                      board[i].published_low, board[i].simulated, 100 * error);
        if (fabs(error) > (strcmp(board[i].name, "rays over the link") == 0 ? 0.02 : 1e-4))
            fail_msg("%s: %+.2f %%", board[i].name, 100 * error);
    }
}

RUN_TESTS(simulate, NULL)
