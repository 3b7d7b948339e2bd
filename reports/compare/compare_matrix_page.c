/* The matrix of a comparison on its page. */
#include "reports/compare/compare_page.h"

#include <math.h>

static void put_matrix_cell(const fs_compare *c, fs_page *page, const fs_matrix_cell *cell, bool base) {
    if (cell->run == SIZE_MAX) {
        fs_page_put(page, "<td class=\"number\">-</td>");
        return;
    }
    fs_page_put(page, "<td class=\"number\" data-value=\"%.17g\" title=\"%s\"",
                isnan(cell->value) ? 0 : cell->value, c->runs[cell->run].label);
    if (!base && !isnan(cell->percent) && cell->percent != 0)
        fs_page_put(page, " style=\"background:rgba(%s,%.2f)\"",
                    cell->percent < 0 ? "86,150,220" : "230,130,20",
                    0.1 + 0.45 * fmin(1, fabs(cell->percent) / 20));
    fs_page_put(page, ">%s%s", fs_compare_decided(c, cell->value), cell->whole ? "" : " *");
    if (!base && !isnan(cell->percent))
        fs_page_put(page, " <span class=\"unit\">%s</span>", fs_text_change(c->arena, cell->percent));
    fs_page_put(page, "</td>");
}

void fs_compare_put_classes(const fs_compare *c, fs_page *page, bool rows) {
    const fs_matrix *m = c->matrix;
    fs_page_column *columns = FS_NEW(c->arena, fs_page_column, c->setting_count + 1);
    size_t n = 0;
    columns[n++] = (fs_page_column){.name = rows ? "row" : "column"};
    for (size_t s = 0; s < c->setting_count; s++)
        if (m->asked[s] == rows)
            columns[n++] = (fs_page_column){
                .name = fs_arena_printf(c->arena, "%s.%s", c->settings[s].section, c->settings[s].key)};
    fs_page_table(page,
                  rows ? "What was asked: the settings that make the rows."
                       : "What it ran on: the settings that make the columns.",
                  columns, n);
    for (size_t i = 0; i < (rows ? m->rows : m->columns); i++) {
        size_t run = rows ? m->row[i].run : m->column[i].run;
        fs_page_row(page);
        fs_page_cell(page, rows ? m->row[i].label : m->column[i].label);
        for (size_t s = 0; s < c->setting_count; s++)
            if (m->asked[s] == rows)
                fs_page_cell(page, c->settings[s].values[run] == NULL ? "-" : c->settings[s].values[run]);
    }
    fs_page_table_end(page);
}

/* Tiles with a role of which there are several. */
static double tiles_in_use(const fs_compare *c, size_t run) {
    double sum = 0;
    for (size_t k = 0; k + 1 < c->runs[run].more_count; k++) /* the last ones have none */
        sum += c->runs[run].more[k].value;
    return sum;
}

void fs_compare_put_matrix(const fs_compare *c, fs_page *page) {
    const fs_matrix *m = c->matrix;
    fs_page_section(page, "matrix", "Row by row");
    fs_page_column *columns = FS_NEW(c->arena, fs_page_column, m->columns + 1);
    columns[0] = (fs_page_column){.name = "row"};
    for (size_t k = 0; k < m->columns; k++)
        columns[k + 1] =
            (fs_page_column){.name = k == m->base ? fs_arena_printf(c->arena, "%s (base)", m->column[k].label)
                                                  : m->column[k].label,
                             .number = true};
    fs_page_table(
        page,
        "Time on the device, and its difference to the base's in the same row. Blue: faster, orange: "
        "slower, full at 20 %. A click on a head sorts.",
        columns, m->columns + 1);
    for (size_t r = 0; r < m->rows; r++) {
        fs_page_row(page);
        fs_page_cell(page, m->row[r].label);
        for (size_t k = 0; k < m->columns; k++)
            put_matrix_cell(c, page, fs_compare_matrix_at(m, r, k), k == m->base);
    }
    fs_page_table_end(page);

    static const fs_page_column sums[] = {
        {.name = "column"},
        {.name = "time", .number = true, .hint = "geometric mean over the rows"},
        {.name = "iterations", .number = true, .hint = "geometric mean"},
        {.name = "cycles an iteration", .number = true, .hint = "geometric mean"},
        {.name = "faster in", .number = true},
        {.name = "equal in", .number = true},
        {.name = "slower in", .number = true},
        {.name = "tiles", .number = true, .hint = "with a role"},
        {.name = "best row"},
        {.name = "worst row"}};
    fs_page_table(page, "All rows of a column together, against the base's.", sums,
                  sizeof sums / sizeof *sums);
    for (size_t k = 0; k < m->columns; k++) {
        const fs_matrix_column *column = &m->column[k];
        if (k == m->base || column->compared == 0)
            continue;
        const double ratios[] = {column->ratio, column->iterations, column->cycles};
        const size_t counts[] = {column->wins, column->ties, column->losses};
        const size_t rows[] = {column->best_row, column->worst_row};
        const double tiles = tiles_in_use(c, column->run);
        fs_page_row(page);
        fs_page_cell(page, column->label);
        for (size_t i = 0; i < 3; i++)
            fs_page_cell_number(page,
                                isnan(ratios[i]) ? "-" : fs_text_change(c->arena, 100 * (ratios[i] - 1)),
                                isnan(ratios[i]) ? 0 : ratios[i]);
        for (size_t i = 0; i < 3; i++)
            fs_page_cell_number(page, fs_arena_printf(c->arena, "%zu", counts[i]), (double)counts[i]);
        fs_page_cell_number(page, fs_text_count(c->arena, tiles), tiles);
        for (size_t i = 0; i < 2; i++)
            fs_page_put(page, "<td>%s, %s</td>",
                        fs_text_change(c->arena, fs_compare_matrix_at(m, rows[i], k)->percent),
                        m->row[rows[i]].label);
    }
    fs_page_table_end(page);
}
