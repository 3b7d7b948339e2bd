/* Where logical tiles are: known places, uniqueness, exchange pairs, the serpentine, the folded columns. */
#include "models/chip/geometry.h"
#include "tests/support/test.h"

static const fs_geometry_params chips[] = {{16, 23, 4}, {4, 6, 4}, {2, 1, 4}, {16, 24, 4}, {6, 5, 4}};
enum { CHIPS = sizeof chips / sizeof chips[0] };

static uint32_t physical_id(const fs_position *p) { /* ipu.md 1: row*64 + col*4 + sub */
    return p->row * 64 + p->column * 4 + p->sub;
}

TEST(tiles_of_a_gc200) {
    assert_int_equal(fs_geometry_tiles(&chips[0]), 1472);
    assert_int_equal(fs_geometry_tiles(&chips[1]), 96);
}

/* Worked out by hand from the mapping of ipu.md 1. */
TEST(known_places_of_a_gc200) {
    static const struct {
        uint32_t tile, column, row, sub, folded, half;
    } known[] = {
        {0, 0, 0, 0, 0, 0},   {1, 0, 0, 2, 0, 0},     {2, 0, 1, 0, 0, 0},     {45, 0, 22, 2, 0, 0},
        {46, 0, 22, 1, 0, 0}, {91, 0, 0, 3, 0, 0},    {92, 1, 0, 0, 1, 0},    {735, 7, 0, 3, 7, 0},
        {736, 8, 0, 0, 7, 1}, {1460, 15, 5, 1, 0, 1}, {1471, 15, 0, 3, 0, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        fs_position p = fs_geometry_position(&chips[0], known[i].tile);
        assert_int_equal(p.column, known[i].column);
        assert_int_equal(p.row, known[i].row);
        assert_int_equal(p.sub, known[i].sub);
        assert_int_equal(p.folded, known[i].folded);
        assert_int_equal(p.half, known[i].half);
    }
}

TEST(every_place_is_taken_once) {
    for (size_t c = 0; c < CHIPS; c++) {
        bool *taken = test_keep(calloc(64 * 64, sizeof *taken));
        for (uint32_t t = 0; t < fs_geometry_tiles(&chips[c]); t++) {
            fs_position p = fs_geometry_position(&chips[c], t);
            assert_true(p.column < chips[c].columns && p.row < chips[c].rows && p.sub < 4);
            assert_false(taken[physical_id(&p)]);
            taken[physical_id(&p)] = true;
        }
    }
}

TEST(pairs_are_physical_id_xor_2) {
    for (size_t c = 0; c < CHIPS; c++)
        for (uint32_t t = 0; t < fs_geometry_tiles(&chips[c]); t++) {
            fs_position a = fs_geometry_position(&chips[c], t), b = fs_geometry_position(&chips[c], t ^ 1);
            assert_int_equal(physical_id(&a) ^ 2, physical_id(&b));
        }
}

/* Pairs that follow each other are one row apart, or turn into the next block on the same row. */
TEST(pairs_run_in_a_serpentine) {
    for (size_t c = 0; c < CHIPS; c++) {
        uint32_t turns = 0;
        for (uint32_t t = 2; t < fs_geometry_tiles(&chips[c]); t += 2) {
            fs_position a = fs_geometry_position(&chips[c], t - 2), b = fs_geometry_position(&chips[c], t);
            int step = (int)b.row - (int)a.row;
            if (a.column == b.column && a.sub == b.sub) {
                assert_int_equal(step, a.sub & 1 ? -1 : 1);
            } else {
                assert_int_equal(step, 0);
                assert_int_equal(b.column, a.column + (a.sub & 1));
                turns++;
            }
        }
        assert_int_equal(turns, 2 * chips[c].columns - 1);
    }
}

TEST(columns_fold_about_the_spine) {
    for (size_t c = 0; c < CHIPS; c++) {
        uint32_t columns = (uint32_t)chips[c].columns;
        for (uint32_t t = 0; t < fs_geometry_tiles(&chips[c]); t++) {
            fs_position p = fs_geometry_position(&chips[c], t);
            assert_true(p.folded < columns / 2);
            assert_int_equal(p.half ? columns - 1 - p.folded : p.folded, p.column);
        }
    }
}

RUN_TESTS(NULL, NULL)
