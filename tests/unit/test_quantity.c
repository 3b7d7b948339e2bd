/* Quantities with units: read exactly, printed in the nicest exact unit, read back the same; nearest words. */
#include "sim/base/rng.h"
#include "sim/yaml/quantity.h"
#include "sim/yaml/words.h"
#include "tests/support/config_tables.h"
#include "tests/support/test.h"

TEST(units_are_exact) {
    static const struct {
        const char *text;
        fs_unit unit;
        double value;
    } rows[] = {
        {"624 KiB", FS_UNIT_BYTES, 638976},
        {"624KiB", FS_UNIT_BYTES, 638976},
        {"1.5 kB", FS_UNIT_BYTES, 1500},
        {"1.1 GB", FS_UNIT_BYTES, 1100000000},
        {"0.5 MiB", FS_UNIT_BYTES, 524288},
        {"2 GiB", FS_UNIT_BYTES, 2147483648.0},
        {"1.33 GHz", FS_UNIT_HZ, 1330000000.0},
        {"0.001 kHz", FS_UNIT_HZ, 1},
        {"3e2 MHz", FS_UNIT_HZ, 3e8},
        {"7 B/cycle", FS_UNIT_BYTES_PER_CYCLE, 7},
        {"7 GB/s", FS_UNIT_BYTES_PER_SECOND, 7e9},
        {"1 MiB/s", FS_UNIT_BYTES_PER_SECOND, 1048576},
        {"60 %", FS_UNIT_PERCENT, 60},
        {"-3 cycles", FS_UNIT_CYCLES, -3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double real;
        int64_t integer;
        assert_int_equal(fs_quantity_real(rows[i].text, rows[i].unit, &real), FS_QUANTITY_OK);
        assert_int_equal(fs_quantity_int(rows[i].text, rows[i].unit, &integer), FS_QUANTITY_OK);
        assert_real(real, rows[i].value);
        assert_int_equal(integer, (int64_t)rows[i].value);
    }
    double x;
    /* decimal prefixes are part of the decimal number: one rounding */
    assert_int_equal(fs_quantity_real("5.3 us", FS_UNIT_SECONDS, &x), FS_QUANTITY_OK);
    assert_real(x, 5.3e-6);
    assert_int_equal(fs_quantity_real("7 ns", FS_UNIT_SECONDS, &x), FS_QUANTITY_OK);
    assert_real(x, 7e-9);
    assert_int_equal(fs_quantity_real("3.141592653589793 rad", FS_UNIT_DEGREES, &x), FS_QUANTITY_OK);
    assert_true(x > 180 - 1e-12 && x < 180 + 1e-12);
}

TEST(quantities_print_the_nicest_exact_unit) {
    static const struct {
        fs_unit unit;
        int64_t value;
        const char *text;
    } integers[] = {
        {FS_UNIT_BYTES, 638976, "624 KiB"},
        {FS_UNIT_BYTES, 1000, "1 kB"},
        {FS_UNIT_BYTES, 1023, "1023 B"},
        {FS_UNIT_BYTES, 0, "0 B"},
        {FS_UNIT_CYCLES, 200, "200 cycles"},
        {FS_UNIT_NONE, -7, "-7"},
        {FS_UNIT_NONE, INT64_MIN, "-9223372036854775808"},
    };
    static const struct {
        fs_unit unit;
        double value;
        const char *text;
    } reals[] = {
        {FS_UNIT_HZ, 1.33e9, "1.33 GHz"},     {FS_UNIT_SECONDS, 5e-6, "5 us"},
        {FS_UNIT_SECONDS, 0, "0 s"},          {FS_UNIT_NONE, 0.1, "0.1"},
        {FS_UNIT_NONE, 1e-7, "1e-7"},         {FS_UNIT_NONE, 20, "20"},
        {FS_UNIT_NONE, -0.0, "-0"},           {FS_UNIT_DEGREES, 50, "50 deg"},
        {FS_UNIT_NONE, 1.25e300, "1.25e300"},
    };
    char text[FS_QUANTITY_TEXT];
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        fs_quantity_print_int(text, integers[i].unit, integers[i].value);
        assert_string_equal(text, integers[i].text);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        fs_quantity_print_real(text, reals[i].unit, reals[i].value);
        assert_string_equal(text, reals[i].text);
    }
}

TEST(printed_quantities_read_back_the_same) {
    const uint64_t seed = 20;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/quantity");
    char text[FS_QUANTITY_TEXT];
    for (int i = 0; i < 50000; i++) {
        fs_unit unit = (fs_unit)fs_rng_below(&rng, FS_UNIT_PERCENT + 1);
        double x = any_real(&rng), y;
        if (i % 2 == 0) /* the sizes that people write */
            x = (double)fs_rng_below(&rng, 100000) / (i % 4 == 0 ? 1 : 1e6);
        fs_quantity_print_real(text, unit, x);
        assert_int_equal(fs_quantity_real(text, unit, &y), FS_QUANTITY_OK);
        assert_real(x, y);
        int64_t n = (int64_t)(fs_rng_u64(&rng) >> fs_rng_below(&rng, 64)), m;
        fs_quantity_print_int(text, unit, n);
        assert_int_equal(fs_quantity_int(text, unit, &m), FS_QUANTITY_OK);
        assert_int_equal(n, m);
    }
}

TEST(nearest_words) {
    static const char *const words[] = {"quadtree", "fat_tree", "mesh", "direct", "tree", NULL};
    assert_string_equal(fs_nearest_word("quad_tree", words), "quadtree");
    assert_string_equal(fs_nearest_word("fattree", words), "fat_tree");
    assert_string_equal(fs_nearest_word("mseh", words), "mesh");
    assert_string_equal(fs_nearest_word("Direct", words), "direct");
    assert_null(fs_nearest_word("photon", words));
    assert_null(fs_nearest_word("", words));
}

RUN_TESTS(NULL, NULL)
