/* CSV cells: what is written reads back, whatever stands in it. */
#include "sim/base/csv.h"
#include "sim/base/rng.h"
#include "tests/support/test.h"

TEST(quotes_only_where_needed) {
    static const char *const cells[][2] = {
        {"", ""},
        {"plain words", "plain words"},
        {"a,b", "\"a,b\""},
        {"say \"a\"", "\"say \"\"a\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {" blanks count", "\" blanks count\""},
        {"a return\r", "\"a return\r\""},
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

TEST(records_end_where_they_end) {
    char text[] = "a,\"b,\"\"c\"\"\",\n,\nlast";
    char *cell[2];
    fs_csv_lines t = fs_csv_begin(text);
    assert_int_equal(fs_csv_record(&t, cell, 2), 2); /* the third is passed over */
    assert_string_equal(cell[0], "a");
    assert_string_equal(cell[1], "b,\"c\"");
    assert_int_equal(fs_csv_record(&t, cell, 2), 2);
    assert_string_equal(cell[0], "");
    assert_string_equal(cell[1], "");
    assert_int_equal(fs_csv_record(&t, cell, 2), 1); /* without a line end */
    assert_string_equal(cell[0], "last");
    assert_int_equal(fs_csv_record(&t, cell, 2), 0);
    char open[] = "\"never closed,\n";
    t = fs_csv_begin(open);
    assert_int_equal(fs_csv_record(&t, cell, 2), 1);
    assert_string_equal(cell[0], "never closed,\n");
}

/* What spreadsheets, other systems and editors write. */
TEST(tables_of_others_read_as_they_are_meant) {
    static const char *const tables[] = {
        "node,goal\n0,3\n1,2\n",                                /* plain */
        "node,goal\r\n0,3\r\n1,2\r\n",                          /* Windows, Python's csv.writer */
        "\xEF\xBB\xBFnode,goal\n0,3\n1,2\n",                    /* a spreadsheet's mark */
        "node,goal\n0,3\n1,2\n\n \r\n\n",                       /* empty lines at the end */
        "\n\r\nnode, goal\n 0,\t3 \n1 , 2",                     /* blanks, no line end */
        "\"node\",\"goal\"\r\n\"0\", \"3\"\r\n\"1\",\"2\"\r\n", /* quotes */
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char text[64], *cell[3];
        snprintf(text, sizeof text, "%s", tables[i]);
        fs_csv_lines t = fs_csv_begin(text);
        static const char *const want[][2] = {{"node", "goal"}, {"0", "3"}, {"1", "2"}};
        for (size_t r = 0; r < 3; r++) {
            assert_int_equal(fs_csv_record(&t, cell, 3), 2);
            assert_string_equal(cell[0], want[r][0]);
            assert_string_equal(cell[1], want[r][1]);
            assert_int_equal(t.line, r + 1 + (i == 4 ? 2 : 0));
        }
        assert_int_equal(fs_csv_record(&t, cell, 3), 0);
    }
}

TEST(places_are_those_of_the_file) {
    char text[] = "a,\"two\nlines\",b\n\n  c, \"d\"\n", *cell[3];
    fs_csv_lines t = fs_csv_begin(text);
    assert_int_equal(fs_csv_record(&t, cell, 3), 3);
    assert_int_equal(t.line, 1);
    assert_int_equal(fs_csv_column_of(&t, cell[1]), 3);
    assert_int_equal(fs_csv_record(&t, cell, 3), 2);
    assert_int_equal(t.line, 4);
    assert_int_equal(fs_csv_column_of(&t, cell[0]), 3);
    assert_int_equal(fs_csv_column_of(&t, cell[1]), 6);
}

TEST(any_table_reads_back) {
    enum { TABLES = 300, ROWS = 5, COLUMNS = 4, LONGEST = 12 };
    static const char alphabet[] = "ab ,\"\n\r\t'\\";
    const uint64_t seed = 17;
    print_message("seed %llu\n", (unsigned long long)seed);
    fs_rng rng = fs_rng_stream(seed, "test/csv");
    for (int n = 0; n < TABLES; n++) {
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
        char *cell[COLUMNS];
        fs_csv_lines t = fs_csv_begin(text);
        for (int r = 0; r < ROWS; r++) {
            assert_int_equal(fs_csv_record(&t, cell, COLUMNS), COLUMNS);
            for (int c = 0; c < COLUMNS; c++)
                assert_string_equal(cell[c], cells[r][c]);
        }
        assert_int_equal(fs_csv_record(&t, cell, COLUMNS), 0);
        free(text);
    }
}

RUN_TESTS(NULL, NULL)
