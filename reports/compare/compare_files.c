/* A comparison as files: CSV and JSON. */
#include "reports/compare/compare.h"
#include "reports/sheet/sheet.h"
#include "sim/host/file.h"
#include "sim/results/results.h"
#include "sim/stats/stats.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

/* One row a run of the matrix: what it was asked, what it ran on, its time and the differing settings. */
static fs_rows *matrix_rows(const fs_compare *c, fs_sheet *sheet) {
    enum { FIRST = 6 };
    const fs_matrix *m = c->matrix;
    fs_rows_column *columns = FS_NEW(c->arena, fs_rows_column, FIRST + c->setting_count);
    const fs_rows_column first[FIRST] = {{.name = "row"},
                                         {.name = "column"},
                                         {.name = "run"},
                                         {.name = "complete"},
                                         {.name = fs_compare_decides(c)->name, .number = true},
                                         {.name = "percent", .number = true}};
    memcpy(columns, first, sizeof first);
    for (size_t s = 0; s < c->setting_count; s++)
        columns[FIRST + s].name =
            fs_arena_printf(c->arena, "%s.%s", c->settings[s].section, c->settings[s].key);
    fs_rows *to = fs_sheet_table_of(sheet, NULL, columns, FIRST + c->setting_count);
    for (size_t r = 0; r < m->rows; r++)
        for (size_t k = 0; k < m->columns; k++) {
            const fs_matrix_cell *at = fs_compare_matrix_at(m, r, k);
            if (at->run == SIZE_MAX)
                continue;
            fs_rows_add(to);
            fs_cell(to, m->row[r].label);
            fs_cell(to, m->column[k].label);
            fs_cell(to, c->runs[at->run].label);
            fs_cell(to, at->whole ? "true" : "false");
            fs_cell_number(to, "", at->value);
            fs_cell_number(to, "", at->percent);
            for (size_t s = 0; s < c->setting_count; s++)
                fs_cell(to, c->settings[s].values[at->run] ? c->settings[s].values[at->run] : "");
        }
    return to;
}

static double percent_of(const fs_compare *c, const fs_compare_figure *f, size_t run) {
    return f->values[run] == NULL || f->values[c->base] == NULL
               ? (double)NAN
               : fs_compare_percent(f->row, f->values[c->base]->value, f->values[run]->value);
}

/* One row a figure, a column a run, as its summary has it, and its difference in per cent of the base. */
static fs_rows *figure_rows(const fs_compare *c, fs_sheet *sheet) {
    fs_rows_column *columns = FS_NEW(c->arena, fs_rows_column, 2 * c->count + 2);
    size_t n = 0;
    columns[n++].name = "figure";
    columns[n++].name = "unit";
    for (size_t r = 0; r < c->count; r++)
        columns[n++].name = c->runs[r].label;
    for (size_t r = 0; r < c->count; r++)
        if (r != c->base)
            columns[n++] = (fs_rows_column){.name = fs_arena_printf(c->arena, "%s percent", c->runs[r].label),
                                            .number = true};
    fs_rows *to = fs_sheet_table_of(sheet, NULL, columns, n);
    for (size_t i = 0; i < c->figure_count; i++) {
        const fs_compare_figure *f = &c->figures[i];
        fs_rows_add(to);
        fs_cell(to, f->name);
        fs_cell(to, f->unit);
        for (size_t r = 0; r < c->count; r++)
            fs_cell(to, f->values[r] == NULL ? "" : f->values[r]->text);
        for (size_t r = 0; r < c->count; r++)
            if (r != c->base)
                fs_cell_number(to, "", percent_of(c, f, r));
    }
    return to;
}

fs_status fs_compare_write_csv(const fs_compare *c, const char *path, fs_error *err) {
    fs_memory memory;
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows_csv(c->matrix != NULL ? matrix_rows(c, sheet) : figure_rows(c, sheet), fs_memory_open(&memory));
    fs_sheet_free(sheet);
    return fs_file_put(path, &memory, err);
}

/* ---- JSON ---- */

static json_t *figure_json(const fs_figure *f) {
    if (f == NULL || (f->kind == FS_FIGURE_NUMBER && isnan(f->value)))
        return json_null();
    if (f->kind == FS_FIGURE_WORD)
        return json_string(f->text);
    if (f->kind == FS_FIGURE_FLAG)
        return json_boolean(f->value != 0);
    return f->whole ? json_integer((json_int_t)strtoll(f->text, NULL, 10)) : json_real(f->value);
}

static json_t *runs_json(const fs_compare *c) {
    json_t *list = json_array();
    for (size_t r = 0; r < c->count; r++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "label", c->runs[r].label, "folder",
                                              fs_folder_path(c->runs[r].folder), "name",
                                              fs_folder_name(c->runs[r].folder), "config_sha256",
                                              fs_folder_note(c->runs[r].folder, "config_sha256")));
    return list;
}

static json_t *settings_json(const fs_compare *c) {
    json_t *list = json_array();
    for (size_t s = 0; s < c->setting_count; s++) {
        json_t *values = json_array();
        for (size_t r = 0; r < c->count; r++)
            json_array_append_new(values, c->settings[s].values[r] ? json_string(c->settings[s].values[r])
                                                                   : json_null());
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "section", c->settings[s].section, "key",
                                              c->settings[s].key, "values", values));
    }
    return list;
}

static json_t *figures_json(const fs_compare *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->figure_count; i++) {
        const fs_compare_figure *f = &c->figures[i];
        json_t *values = json_array(), *percent = json_array();
        for (size_t r = 0; r < c->count; r++) {
            json_array_append_new(values, figure_json(f->values[r]));
            json_array_append_new(percent, f->values[r] == NULL || f->values[c->base] == NULL
                                               ? json_null()
                                               : fs_json_number(percent_of(c, f, r)));
        }
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:o, s:o}", "name", f->name, "unit", f->unit,
                                        "better", f->row == NULL ? "unknown" : fs_better_word(f->row->better),
                                        "values", values, "percent", percent));
    }
    return list;
}

static json_t *verdict_json(const fs_compare *c) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; i++) {
        size_t r = fs_compare_place(c, i);
        for (size_t k = 0; k < c->verdicts[r].count; k++)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s}", "run", r == c->base ? "" : c->runs[r].label, "key",
                                c->verdicts[r].sentences[k].key, "text", c->verdicts[r].sentences[k].text));
    }
    return list;
}

static json_t *thresholds_json(const fs_compare *c, const fs_threshold *thresholds, size_t count) {
    json_t *list = json_array();
    for (size_t t = 0; t < count; t++)
        for (size_t r = 0; r < c->count; r++) {
            if (r == c->base)
                continue;
            double worse = fs_compare_worse(c, fs_compare_find(c, thresholds[t].name), r);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:f, s:o, s:b}", "run", c->runs[r].label, "figure",
                                thresholds[t].name, "percent", thresholds[t].percent, "worse_percent",
                                fs_json_number(worse), "exceeded", !(worse <= thresholds[t].percent)));
        }
    return list;
}

static json_t *matrix_json(const fs_compare *c) {
    const fs_matrix *m = c->matrix;
    if (m == NULL)
        return json_null();
    json_t *rows = json_array(), *columns = json_array();
    for (size_t k = 0; k < m->columns; k++) {
        const fs_matrix_column *column = &m->column[k];
        json_array_append_new(columns,
                              json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "label", column->label,
                                        "compared", (json_int_t)column->compared, "faster",
                                        (json_int_t)column->wins, "equal", (json_int_t)column->ties, "slower",
                                        (json_int_t)column->losses, "ratio", fs_json_number(column->ratio),
                                        "iterations_ratio", fs_json_number(column->iterations),
                                        "cycles_per_iteration_ratio", fs_json_number(column->cycles)));
    }
    for (size_t r = 0; r < m->rows; r++) {
        json_t *values = json_array(), *percent = json_array();
        for (size_t k = 0; k < m->columns; k++) {
            json_array_append_new(values, fs_json_number(fs_compare_matrix_at(m, r, k)->value));
            json_array_append_new(percent, fs_json_number(fs_compare_matrix_at(m, r, k)->percent));
        }
        json_array_append_new(rows, json_pack("{s:s, s:o, s:o}", "label", m->row[r].label, "values", values,
                                              "percent", percent));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "figure", fs_compare_decides(c)->name, "base",
                     m->column[m->base].label, "columns", columns, "rows", rows);
}

fs_status fs_compare_write_json(const fs_compare *c, const fs_threshold *thresholds, size_t count,
                                const char *path, fs_error *err) {
    fs_memory memory;
    FILE *file = fs_memory_open(&memory);
    json_t *root =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "base", c->runs[c->base].label, "runs", runs_json(c),
                  "settings", settings_json(c), "figures", figures_json(c), "verdict", verdict_json(c),
                  "thresholds", thresholds_json(c, thresholds, count), "matrix", matrix_json(c));
    if (root == NULL || json_dumpf(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0)
        fs_fail(err, FS_IO, "%s: cannot write all of it", path); /* no UTF-8 */
    fputc('\n', file);
    json_decref(root);
    return fs_file_put(path, &memory, err);
}
