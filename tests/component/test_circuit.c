/* Circuits (models/circuit): reduces of 1,024 tiles in a row against the published formula of a wafer
 * (docs/facts/network_on_chip.md 1, CSR), T = max(C, E / N + L) + (2 T_R + 1) D, and colours that are refused. C: words
 * that the busiest tile takes in; E: words times links; N: links; L: the longest chain of hops; D: messages one behind
 * the other. */
#include "models/circuit/circuit.h"
#include "tests/support/test.h"

enum { P = 1024, RAMP = 2, LEVELS = 10 };

static double formula(double c, double e, double l, double d) {
    return fmax(c, e / (P - 1) + l) + (2 * RAMP + 1) * d;
}

static void reduces(const fs_circuit_message *m, uint32_t count, double expected) {
    fs_arena *arena = test_arena();
    fs_error err = {0};
    fs_circuit *c = fs_circuit_create(arena, P, 1, RAMP, P);
    assert_int_equal(fs_circuit_colour(c, m, count, 24, &err), FS_OK);
    const double cycles = (double)fs_circuit_run(c, m, count);
    if (fabs(cycles / expected - 1) > 0.01)
        fail_msg("%.0f cycles, by the formula %.1f", cycles, expected);
}

/* Each takes in its neighbour's words, adds its own and sends them on. */
TEST(a_chain_follows_the_formula) {
    for (uint32_t words = 1; words <= 4096; words *= 4) {
        fs_circuit_message m[P - 1];
        for (uint32_t i = 0; i < P - 1; i++)
            m[i] = (fs_circuit_message){P - 1 - i, P - 2 - i, i > 0 ? i - 1 : FS_CIRCUIT_NONE, words};
        reduces(m, P - 1, formula(words, (double)words * (P - 1), P - 1, P - 1));
    }
}

/* All to the first, which takes a word a cycle: from 2 words on its ramp is what binds. With one word the formula's
 * energy term says half as much again as a row without a standing word takes. */
TEST(a_star_follows_the_formula) {
    for (uint32_t words = 2; words <= 2048; words *= 4) {
        fs_circuit_message m[P - 1];
        for (uint32_t i = 0; i < P - 1; i++)
            m[i] = (fs_circuit_message){i + 1, 0, FS_CIRCUIT_NONE, words};
        reduces(m, P - 1, formula((double)words * (P - 1), words * (P - 1) * (double)P / 2, P - 1, 1));
    }
}

/* In level k every other one of those left sends over 2^k places. */
static void make_tree(fs_circuit_message *m, uint32_t words) {
    uint32_t latest[P], count = 0;
    memset(latest, 0xff, sizeof latest);
    for (uint32_t step = 1; step < P; step *= 2)
        for (uint32_t at = step; at < P; at += 2 * step) {
            m[count] = (fs_circuit_message){at, at - step, latest[at], words};
            latest[at - step] = count++;
        }
}

/* Between 4 and 512 words neither the words nor the way bind alone, and the formula is up to 4 % above, up to 9 % below: it
 * takes the larger of two sums over levels. A level takes the larger of its words and its way, and that is the sum. */
TEST(a_tree_takes_its_levels_one_by_one) {
    fs_circuit_message m[P - 1];
    for (uint32_t words = 1; words <= 4096; words *= 2) {
        double expected = 0;
        for (uint32_t level = 0; level < LEVELS; level++)
            expected += fmax(words, (1 << level) + 2 * RAMP + 1);
        make_tree(m, words);
        fs_arena *arena = test_arena();
        const double cycles = (double)fs_circuit_run(fs_circuit_create(arena, P, 1, RAMP, P), m, P - 1);
        if (fabs(cycles - expected) > 2 * RAMP + 2) /* the way to the first crossing, the last word */
            fail_msg("%u words: %.0f cycles, level by level %.0f", words, cycles, expected);
    }
}

TEST(a_tree_follows_the_formula) {
    static const uint32_t sizes[] = {1, 2, 1024, 4096};
    for (uint32_t s = 0; s < 4; s++) {
        fs_circuit_message m[P - 1];
        make_tree(m, sizes[s]);
        reduces(m, P - 1,
                formula((double)sizes[s] * LEVELS, (double)sizes[s] * P / 2 * LEVELS, P - 1, LEVELS));
    }
}

/* All to all in a row: the middle has ways to every tile. */
TEST(too_many_colours_are_refused) {
    for (uint32_t n = 24; n <= 25; n++) {
        fs_arena *arena = test_arena();
        fs_error err = {0};
        fs_circuit *c = fs_circuit_create(arena, n, 2, RAMP, 0);
        fs_circuit_message m[25 * 25];
        uint32_t count = 0;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                if (a != b)
                    m[count++] = (fs_circuit_message){n + a, n + b, FS_CIRCUIT_NONE, 1};
        const fs_status status = fs_circuit_colour(c, m, count, 24, &err);
        assert_int_equal(status, n == 24 ? FS_OK : FS_INPUT);
        if (n == 25)
            assert_non_null(strstr(err.text, "row 1 has ways to 25 tiles"));
        fs_error_clear(&err);
    }
}

/* Two that share a link one after another; two that do not, beside each other. */
TEST(a_link_carries_a_word_a_cycle) {
    fs_arena *arena = test_arena();
    fs_circuit *c = fs_circuit_create(arena, 4, 4, RAMP, 2);
    const fs_circuit_message together[] = {{0, 2, FS_CIRCUIT_NONE, 100}, {1, 3, FS_CIRCUIT_NONE, 100}};
    const fs_circuit_message beside[] = {{0, 2, FS_CIRCUIT_NONE, 100}, {4, 6, FS_CIRCUIT_NONE, 100}};
    assert_int_equal(fs_circuit_run(c, beside, 1), 2 * RAMP + 2 + 100 + 1);
    assert_int_equal(fs_circuit_run(c, beside, 2), 2 * RAMP + 2 + 100 + 1);
    assert_int_equal(fs_circuit_run(c, together, 2), 2 * RAMP + 1 + 2 + 200 + 1);
}

RUN_TESTS(NULL, NULL)
