/* A comparison on the terminal. */
#include "reports/compare/compare_page.h"

enum { MOST_SIDE_BY_SIDE = 5, LONGEST_LABEL = 40 };

static void print_settings(const fs_compare *c, fs_sheet *sheet, FILE *out) {
    if (c->setting_count == 0)
        fputs("configuration: the same in every parameter\n", out);
    else if (c->matrix == NULL)
        fs_rows_print(fs_compare_setting_rows(c, sheet, MOST_SIDE_BY_SIDE), LONGEST_LABEL, out);
    for (int rows = 0; rows < 2 && c->matrix != NULL; rows++) {
        fputs(rows > 0 ? "\n" : "", out);
        fs_rows_print(fs_compare_class_rows(c, sheet, rows > 0), LONGEST_LABEL, out);
    }
    if (fs_compare_foreign_settings(c) > 0)
        fprintf(out, "and %zu parameters that not all of the workloads and machines have\n",
                fs_compare_foreign_settings(c));
}

/* Many runs: a line each, with the first figures of the main table that are not the same in all. */
static fs_rows *line_rows(const fs_compare *c, fs_sheet *sheet) {
    enum { FIGURES = 6 };
    const fs_compare_figure *shown[FIGURES];
    fs_rows_column columns[FIGURES + 2] = {{.name = "run"}};
    size_t count = 0, n = 1;
    for (size_t k = 0; k < c->main_count && count < FIGURES; k++) {
        if (k > 0 && c->main[k]->equal)
            continue;
        columns[n++] = (fs_rows_column){.name = c->main[k]->label, .number = true};
        if (count == 0)
            columns[n++] = (fs_rows_column){.name = "change", .number = true};
        shown[count++] = c->main[k];
    }
    fs_rows *to = fs_sheet_table_of(sheet, NULL, columns, n);
    for (size_t i = 0; i < c->count; i++) {
        const size_t run = fs_compare_place(c, i);
        fs_rows_add(to);
        fs_cell(to, c->runs[run].label);
        for (size_t k = 0; k < count; k++) {
            fs_cell(to, fs_compare_cell(c, shown[k], run));
            if (k == 0)
                fs_cell(to, fs_compare_difference(c, shown[k], run));
        }
    }
    return to;
}

static void print_tables(const fs_compare *c, fs_sheet *sheet, FILE *out) {
    fputc('\n', out);
    if (c->matrix == NULL) {
        fs_rows_print(c->count <= MOST_SIDE_BY_SIDE ? fs_compare_main_rows(c, sheet) : line_rows(c, sheet),
                      LONGEST_LABEL, out);
        return;
    }
    fs_rows_print(fs_compare_matrix_rows(c, sheet), LONGEST_LABEL, out);
    fputc('\n', out);
    fs_rows_print(fs_compare_column_rows(c, sheet), LONGEST_LABEL, out);
}

static void print_verdict(const fs_verdict *verdict, FILE *out) {
    for (size_t i = 0; i < verdict->count; i++)
        fs_sheet_wrap(out, i == 0 ? "" : "  ", verdict->sentences[i].text);
}

void fs_compare_print(const fs_compare *c, FILE *out) {
    fs_sheet *sheet = fs_sheet_create("");
    fs_rows *named = fs_compare_named_rows(c, sheet);
    fprintf(out, "base: %s\n", c->runs[c->base].label);
    for (size_t r = 0; r < c->count && c->count <= MOST_SIDE_BY_SIDE; r++)
        if (r != c->base)
            fprintf(out, "run:  %s\n", c->runs[r].label);
    if (c->count > MOST_SIDE_BY_SIDE)
        fprintf(out, "runs: %zu\n", c->count);
    if (named != NULL) {
        fprintf(out, "\nThey do the same work: %s\n", c->work);
        fs_rows_print(named, 0, out);
        fputc('\n', out);
    }
    fputc('\n', out);
    print_settings(c, sheet, out);
    print_tables(c, sheet, out);
    fputc('\n', out);
    print_verdict(&c->verdicts[c->base], out);
    for (size_t r = 0; r < c->count && c->count <= MOST_SIDE_BY_SIDE; r++)
        if (r != c->base)
            print_verdict(&c->verdicts[r], out);
    fs_sheet_free(sheet);
}
