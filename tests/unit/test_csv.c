/* CSV cells: what is written reads back, whatever stands in it. */
#include "sim/base/csv.h"
#include "sim/base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void quotes_only_where_needed(void **state) {
    (void)state;
    static const char *const cells[][2] = {
        {"", ""},
        {"plain words", "plain words"},
        {"a,b", "\"a,b\""},
        {"say \"a\"", "\"say \"\"a\"\"\""},
        {"two\nlines", "\"two\nlines\""},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char text[64] = "";
        FILE *file = fmemopen(text, sizeof text, "w");
        assert_non_null(file);
        fs_csv_field(cells[i][0], file);
        fclose(file);
        assert_string_equal(text, cells[i][1]);
    }
}

static void records_end_where_they_end(void **state) {
    (void)state;
    char text[] = "a,\"b,\"\"c\"\"\",\n,\nlast";
    char *at = text, *cell[2];
    assert_int_equal(fs_csv_record(&at, cell, 2), 2); /* the third is passed over */
    assert_string_equal(cell[0], "a");
    assert_string_equal(cell[1], "b,\"c\"");
    assert_int_equal(fs_csv_record(&at, cell, 2), 2);
    assert_string_equal(cell[0], "");
    assert_string_equal(cell[1], "");
    assert_int_equal(fs_csv_record(&at, cell, 2), 1); /* without a line end */
    assert_string_equal(cell[0], "last");
    assert_int_equal(fs_csv_record(&at, cell, 2), 0);
    char open[] = "\"never closed,\n";
    at = open;
    assert_int_equal(fs_csv_record(&at, cell, 2), 1);
    assert_string_equal(cell[0], "never closed,\n");
}

static void any_table_reads_back(void **state) {
    (void)state;
    enum { TABLES = 300, ROWS = 5, COLUMNS = 4, LONGEST = 12 };
    static const char alphabet[] = "ab ,\"\n'\\";
    const uint64_t seed = 17;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/csv");
    for (int t = 0; t < TABLES; t++) {
        char cells[ROWS][COLUMNS][LONGEST + 1], *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        assert_non_null(file);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            char *cell = cells[i / COLUMNS][i % COLUMNS];
            uint32_t length = fs_rng_below(&rng, LONGEST + 1);
            for (uint32_t c = 0; c < length; c++)
                cell[c] = alphabet[fs_rng_below(&rng, sizeof alphabet - 1)];
            cell[length] = '\0';
            fs_csv_field(cell, file);
            fputc(i % COLUMNS + 1 < COLUMNS ? ',' : '\n', file);
        }
        fclose(file);
        char *at = text, *cell[COLUMNS];
        for (int r = 0; r < ROWS; r++) {
            assert_int_equal(fs_csv_record(&at, cell, COLUMNS), COLUMNS);
            for (int c = 0; c < COLUMNS; c++)
                assert_string_equal(cell[c], cells[r][c]);
        }
        assert_int_equal(fs_csv_record(&at, cell, COLUMNS), 0);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotes_only_where_needed),
        cmocka_unit_test(records_end_where_they_end),
        cmocka_unit_test(any_table_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
