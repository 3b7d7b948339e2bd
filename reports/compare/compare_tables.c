/* Tables of a comparison: figures side by side, the matrix and what makes it. */
#include "reports/compare/compare_page.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

const char *fs_compare_head(const fs_compare *c, size_t i) {
    return i == 0 ? fs_arena_printf(c->arena, "%s (base)", fs_compare_label(c, i)) : fs_compare_label(c, i);
}

size_t fs_compare_columns(const fs_compare *c, const char *first, fs_rows_column *columns, size_t count) {
    size_t n = 0;
    columns[n++] = (fs_rows_column){.name = first};
    for (size_t i = 0; i < count; i++) {
        columns[n++] = (fs_rows_column){.name = fs_compare_head(c, i), .number = true};
        if (i > 0)
            columns[n++] = (fs_rows_column){.name = "difference", .number = true};
    }
    return n;
}

/* A difference in per cent, stronger up to 20 %. */
static void shade(fs_rows *to, double percent, bool better) {
    const double value = isnan(percent) ? 0 : percent;
    fs_cell_add(to, (fs_cell_more){.look = better ? "number better" : "number worse",
                                   .value = &value,
                                   .shade = 0.1 + 0.45 * fmin(1, fabs(value) / 20)});
}

void fs_compare_put_difference(const fs_compare *c, fs_rows *to, const fs_compare_figure *f, size_t run) {
    const fs_figure *a = f->values[c->base], *b = f->values[run];
    const double percent =
        a == NULL || b == NULL ? (double)NAN : fs_compare_percent(f->row, a->value, b->value);
    const fs_better better = f->row == NULL ? FS_BETTER_NEITHER : f->row->better;
    const char *text = fs_compare_difference(c, f, run);
    if (b != NULL && fs_compare_within(c, f, run)) {
        fs_cell_say(to, "%s <span class=\"unit\">within the intervals</span>", text);
        return;
    }
    if (isnan(percent) || percent == 0 || better == FS_BETTER_NEITHER) {
        fs_cell_number(to, text, isnan(percent) ? 0 : percent);
        return;
    }
    const bool good = (percent < 0) == (better == FS_BETTER_LESS);
    fs_cell_say(to, "%s <span class=\"unit\">%s</span>", text, good ? "better" : "worse");
    shade(to, percent, good);
}

/* ---- settings ---- */

static const char *description_of(const fs_compare *c, const fs_compare_setting *s) {
    for (size_t i = 0; i < c->count; i++) {
        const fs_compare_run *run = &c->runs[fs_compare_place(c, i)];
        for (size_t k = 0; k < run->setting_count; k++)
            if (strcmp(run->settings[k].key, s->key) == 0 &&
                strcmp(run->settings[k].section, s->section) == 0)
                return run->settings[k].description;
    }
    return "";
}

size_t fs_compare_foreign_settings(const fs_compare *c) {
    size_t count = 0;
    for (size_t k = 0; k < c->setting_count; k++)
        count += fs_compare_foreign(c, &c->settings[k]);
    return count;
}

fs_rows *fs_compare_setting_rows(const fs_compare *c, fs_sheet *sheet, size_t most) {
    const size_t count = c->count < most ? c->count : most;
    fs_rows_column *columns = FS_NEW(c->arena, fs_rows_column, count + 1);
    columns[0].name = "parameter";
    for (size_t i = 0; i < count; i++)
        columns[i + 1].name = fs_compare_head(c, i);
    fs_rows *to = fs_sheet_table_of(
        sheet, c->count > count ? "Only what differs; the first runs." : "Only what differs.", columns,
        count + 1);
    for (size_t k = 0; k < c->setting_count; k++) {
        const fs_compare_setting *s = &c->settings[k];
        if (fs_compare_foreign(c, s))
            continue;
        fs_rows_add(to);
        fs_cell_say(to, "<code>%s.%s</code>", s->section, s->key);
        fs_cell_add(to, (fs_cell_more){.hint = description_of(c, s)});
        for (size_t i = 0; i < count; i++) {
            const char *value = s->values[fs_compare_place(c, i)], *base = s->values[c->base];
            fs_cell(to, value == NULL ? "-" : value);
            if ((value == NULL) != (base == NULL) || (value != NULL && strcmp(value, base) != 0))
                fs_cell_add(to, (fs_cell_more){.look = "changed"});
        }
    }
    return to;
}

/* ---- figures ---- */

static void put_figure(const fs_compare *c, fs_rows *to, const fs_compare_figure *f, const char *label,
                       size_t count) {
    enum { LONG = 24 };
    fs_rows_add(to);
    fs_cell(to, label);
    fs_cell_add(to, (fs_cell_more){.hint = fs_arena_printf(c->arena, "%s: %s", f->name, f->description)});
    for (size_t i = 0; i < count; i++) {
        const size_t run = fs_compare_place(c, i);
        const double number = f->values[run] == NULL ? (double)NAN : f->values[run]->value;
        const char *text = fs_compare_cell(c, f, run);
        fs_cell_number(to, text, isnan(number) && strcmp(text, "-") != 0 ? 0 : number);
        if (strlen(text) > LONG) /* a digest, a list of names */
            fs_cell_add(to, (fs_cell_more){.look = "wrap"});
        if (i > 0)
            fs_compare_put_difference(c, to, f, run);
    }
}

static size_t beside(const fs_compare *c) {
    return c->count < FS_COMPARE_BESIDE ? c->count : FS_COMPARE_BESIDE;
}

fs_rows *fs_compare_main_rows(const fs_compare *c, fs_sheet *sheet) {
    fs_rows_column columns[2 * FS_COMPARE_BESIDE + 1];
    const size_t n = fs_compare_columns(c, "figure", columns, beside(c));
    fs_rows *to = fs_sheet_table_of(
        sheet,
        "The main figures. Differences are against the base, in per cent of its value where it is not "
        "said otherwise; pointing at a name says what is counted.",
        columns, n);
    for (size_t k = 0; k < c->main_count; k++)
        if (fs_compare_known(c, c->main[k]))
            put_figure(c, to, c->main[k], c->main[k]->label, beside(c));
    return to;
}

fs_rows *fs_compare_all_rows(const fs_compare *c, fs_sheet *sheet, const char *caption) {
    fs_rows_column columns[2 * FS_COMPARE_BESIDE + 1];
    const size_t n = fs_compare_columns(c, "figure", columns, beside(c));
    fs_rows *to = fs_sheet_table_of(sheet, caption, columns, n);
    for (size_t k = 0; k < c->figure_count; k++)
        put_figure(c, to, &c->figures[k], c->figures[k].name, beside(c));
    return to;
}

/* ---- the matrix ---- */

static void put_cell(const fs_compare *c, fs_rows *to, const fs_matrix_cell *cell, bool base) {
    if (cell->run == SIZE_MAX) {
        fs_cell_number(to, "", (double)NAN);
        return;
    }
    const double value = isnan(cell->value) ? 0 : cell->value;
    const char *text =
        fs_arena_printf(c->arena, "%s%s", fs_compare_decided(c, cell->value), cell->whole ? "" : " *");
    if (base || isnan(cell->percent))
        fs_cell_say(to, "%s", text);
    else
        fs_cell_say(to, "%s <span class=\"unit\">%s</span>", text, fs_number_change(cell->percent / 100));
    if (!base && !isnan(cell->percent) && cell->percent != 0)
        shade(to, cell->percent, fs_compare_beats(c, cell->percent, 0));
    else
        fs_cell_add(to, (fs_cell_more){.look = "number"});
    fs_cell_add(to, (fs_cell_more){.hint = c->runs[cell->run].label, .value = &value});
}

fs_rows *fs_compare_matrix_rows(const fs_compare *c, fs_sheet *sheet) {
    const fs_matrix *m = c->matrix;
    fs_rows_column *columns = FS_NEW(c->arena, fs_rows_column, m->columns + 1);
    columns[0] = (fs_rows_column){.name = "row"};
    for (size_t k = 0; k < m->columns; k++) {
        const char *label = m->column[k].label;
        columns[k + 1] = (fs_rows_column){
            .name = k == m->base ? fs_arena_printf(c->arena, "%s (base)", label) : label, .number = true};
    }
    fs_rows *to = fs_sheet_table_of(
        sheet,
        "Time on the device, and its difference to the base's in the same row. Blue: faster, orange: "
        "slower, full at 20 %. A click on a head sorts.",
        columns, m->columns + 1);
    for (size_t r = 0; r < m->rows; r++) {
        fs_rows_add(to);
        fs_cell(to, m->row[r].label);
        for (size_t k = 0; k < m->columns; k++)
            put_cell(c, to, fs_compare_matrix_at(m, r, k), k == m->base);
    }
    return to;
}

/* Tiles with a role of which there are several. */
static double tiles_in_use(const fs_compare *c, size_t run) {
    double sum = 0;
    for (size_t k = 0; k + 1 < c->runs[run].more_count; k++) /* the last ones have none */
        sum += c->runs[run].more[k].value;
    return sum;
}

fs_rows *fs_compare_column_rows(const fs_compare *c, fs_sheet *sheet) {
    static const fs_rows_column columns[] = {
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
    const fs_matrix *m = c->matrix;
    fs_rows *to = fs_sheet_table_of(sheet, "All rows of a column together, against the base's.", columns,
                                    FS_COUNT(columns));
    for (size_t k = 0; k < m->columns; k++) {
        const fs_matrix_column *column = &m->column[k];
        if (k == m->base || column->compared == 0)
            continue;
        const double ratios[] = {column->ratio, column->iterations, column->cycles};
        const size_t counts[] = {column->wins, column->ties, column->losses};
        const size_t rows[] = {column->best_row, column->worst_row};
        const double tiles = tiles_in_use(c, column->run);
        fs_rows_add(to);
        fs_cell(to, column->label);
        for (size_t i = 0; i < 3; i++)
            fs_cell_number(to, fs_number_change(ratios[i] - 1), ratios[i]);
        for (size_t i = 0; i < 3; i++)
            fs_cell_number(to, fs_arena_printf(c->arena, "%zu", counts[i]), (double)counts[i]);
        fs_cell_number(to, fs_text_count(c->arena, tiles), tiles);
        for (size_t i = 0; i < 2; i++)
            fs_cell_say(to, "%s, %s", fs_number_change(fs_compare_matrix_at(m, rows[i], k)->percent / 100),
                        m->row[rows[i]].label);
    }
    return to;
}

fs_rows *fs_compare_class_rows(const fs_compare *c, fs_sheet *sheet, bool rows) {
    const fs_matrix *m = c->matrix;
    fs_rows_column *columns = FS_NEW(c->arena, fs_rows_column, c->setting_count + 1);
    size_t n = 0;
    columns[n++] = (fs_rows_column){.name = rows ? "row" : "column"};
    for (size_t s = 0; s < c->setting_count; s++)
        if (m->asked[s] == rows)
            columns[n++] = (fs_rows_column){
                .name = fs_arena_printf(c->arena, "%s.%s", c->settings[s].section, c->settings[s].key)};
    fs_rows *to = fs_sheet_table_of(sheet,
                                    rows ? "What was asked: the settings that make the rows."
                                         : "What it ran on: the settings that make the columns.",
                                    columns, n);
    for (size_t i = 0; i < (rows ? m->rows : m->columns); i++) {
        const size_t run = rows ? m->row[i].run : m->column[i].run;
        fs_rows_add(to);
        fs_cell(to, rows ? m->row[i].label : m->column[i].label);
        for (size_t s = 0; s < c->setting_count; s++)
            if (m->asked[s] == rows)
                fs_cell(to, c->settings[s].values[run] == NULL ? "-" : c->settings[s].values[run]);
    }
    return to;
}
