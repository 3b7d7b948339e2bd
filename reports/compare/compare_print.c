/* A comparison on the terminal. */
#include "reports/compare/compare.h"
#include "reports/compare/compare_verdict.h"
#include "sim/base/numbers.h"

#include <math.h>
#include <string.h>

enum { WIDE = 100, MOST_SIDE_BY_SIDE = 5, LONGEST_LABEL = 40 };

/* Columns of a text: the rest may be cut with "...". Counts bytes; labels are ASCII as a rule. */
static const char *cut(const fs_compare *c, const char *text, size_t most) {
    return strlen(text) <= most ? text : fs_arena_printf(c->arena, "%.*s...", (int)most - 3, text);
}

/* For a column of `width`: characters of several bytes take one place. */
static int column(const char *text, size_t width) {
    size_t more = 0;
    for (const char *at = text; *at != '\0'; at++)
        more += ((unsigned char)*at & 0xc0) == 0x80;
    return (int)(width + more);
}

/* A sentence, wrapped at spaces, further lines indented. */
static void wrap(FILE *out, const char *first, const char *text) {
    size_t at = (size_t)fprintf(out, "%s", first), indent = at;
    for (const char *word = text; *word != '\0';) {
        size_t n = strcspn(word, " ");
        if (strncmp(word + n, " %", 2) == 0) /* stays with its number */
            n += 2 + strcspn(word + n + 2, " ");
        if (at > indent && at + 1 + n > WIDE) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", (int)n, word);
        at += n;
        word += n + (word[n] == ' ');
    }
    fputc('\n', out);
}

/* ---- settings ---- */

static size_t distinct(const fs_compare *c, const fs_compare_setting *s, const char **values, size_t most) {
    size_t n = 0;
    for (size_t r = 0; r < c->count; r++) {
        const char *value = s->values[r] == NULL ? "(none)" : s->values[r];
        size_t k = 0;
        while (k < n && strcmp(values[k], value) != 0)
            k++;
        if (k == n && n < most)
            values[n++] = value;
        else if (k == n)
            return most + 1;
    }
    return n;
}

static void print_settings(const fs_compare *c, FILE *out) {
    if (c->setting_count == 0) {
        fputs("configuration: the same in every parameter\n", out);
        return;
    }
    size_t left_out = 0;
    fputs("configuration:\n", out);
    for (size_t i = 0; i < c->setting_count; i++) {
        const fs_compare_setting *s = &c->settings[i];
        const char *values[9], *text = "";
        if (fs_compare_foreign(c, s)) {
            left_out++;
            continue;
        }
        size_t n = distinct(c, s, values, 8);
        if (c->count == 2)
            text = fs_arena_printf(c->arena, "%s -> %s", s->values[c->base] ? s->values[c->base] : "(none)",
                                   s->values[!c->base] ? s->values[!c->base] : "(none)");
        else if (c->count <= MOST_SIDE_BY_SIDE)
            for (size_t r = 0; r < c->count; r++) {
                const char *value = s->values[fs_compare_place(c, r)];
                text =
                    fs_arena_printf(c->arena, "%s%s%s", text, r > 0 ? " | " : "", value ? value : "(none)");
            }
        else if (n > 8)
            text = "more than 8 values";
        else
            for (size_t r = 0; r < n; r++)
                text = fs_arena_printf(c->arena, "%s%s%s", text, r > 0 ? " | " : "", values[r]);
        const char *key = fs_arena_printf(c->arena, "%s.%s", s->section, s->key);
        wrap(out, fs_arena_printf(c->arena, "  %-34s ", key), text);
    }
    if (left_out > 0)
        fprintf(out, "  and %zu parameters that not all of the workloads and machines have\n", left_out);
}

/* ---- figures ---- */

static void print_figures(const fs_compare *c, FILE *out) {
    size_t width[MOST_SIDE_BY_SIDE], widest = 29;
    for (size_t k = 0; k < c->main_count; k++)
        widest = strlen(c->main[k]->label) > widest ? strlen(c->main[k]->label) : widest;
    fprintf(out, "\n%-*s", (int)widest, "figure");
    for (size_t i = 0; i < c->count; i++) {
        size_t r = fs_compare_place(c, i), n = strlen(c->runs[r].label);
        width[i] = i == 0 ? (n > 16 ? n : 16) : (n > 30 ? n : 30);
        fprintf(out, "  %*s", (int)width[i], c->runs[r].label);
    }
    fputc('\n', out);
    for (size_t k = 0; k < c->main_count; k++) {
        const fs_compare_figure *f = c->main[k];
        if (!fs_compare_known(c, f))
            continue;
        fprintf(out, "%-*s", (int)widest, f->label);
        for (size_t i = 0; i < c->count; i++) {
            size_t r = fs_compare_place(c, i);
            if (i == 0)
                fprintf(out, "  %*s", column(fs_compare_cell(c, f, r), width[i]), fs_compare_cell(c, f, r));
            else
                fprintf(out, "  %*s %13s", column(fs_compare_cell(c, f, r), width[i] - 14),
                        fs_compare_cell(c, f, r), fs_compare_difference(c, f, r));
        }
        fputc('\n', out);
    }
}

/* Many runs: a line each, with the first figures of the main table that are not the same in all. */
static void print_lines(const fs_compare *c, FILE *out) {
    enum { COLUMNS = 6 };
    const fs_compare_figure *shown[COLUMNS];
    int width[COLUMNS];
    size_t columns = 0, widest = 4;
    for (size_t k = 0; k < c->main_count && columns < COLUMNS; k++)
        if (k == 0 || !c->main[k]->equal)
            shown[columns++] = c->main[k];
    for (size_t r = 0; r < c->count; r++)
        widest = strlen(c->runs[r].label) > widest ? strlen(c->runs[r].label) : widest;
    widest = widest > LONGEST_LABEL ? LONGEST_LABEL : widest;
    fprintf(out, "\n%-*s", (int)widest, "run");
    for (size_t k = 0; k < columns; k++) {
        width[k] = (int)strlen(shown[k]->label) > 12 ? (int)strlen(shown[k]->label) : 12;
        fprintf(out, k == 0 ? "  %*s         " : "  %*s", width[k], shown[k]->label);
    }
    fputc('\n', out);
    for (size_t i = 0; i < c->count; i++) {
        size_t r = fs_compare_place(c, i);
        fprintf(out, "%-*s", (int)widest, cut(c, c->runs[r].label, widest));
        for (size_t k = 0; k < columns; k++) {
            const char *text = fs_compare_cell(c, shown[k], r);
            fprintf(out, "  %*s", column(text, (size_t)width[k]), text);
            if (k == 0)
                fprintf(out, " %8s", fs_compare_difference(c, shown[k], r));
        }
        fputc('\n', out);
    }
}

/* ---- matrix ---- */

static void print_matrix(const fs_compare *c, FILE *out) {
    const fs_matrix *m = c->matrix;
    size_t widest = 3, column_width[64];
    size_t shown = m->columns < 64 ? m->columns : 64;
    for (size_t r = 0; r < m->rows; r++)
        widest = strlen(m->row[r].label) > widest ? strlen(m->row[r].label) : widest;
    widest = widest > LONGEST_LABEL ? LONGEST_LABEL : widest;
    for (size_t k = 0; k < shown; k++) {
        size_t n = strlen(m->column[k].label), least = k == m->base ? 9 : 18;
        column_width[k] = n > 24 ? 24 : n > least ? n : least;
    }
    fprintf(out, "\n%-*s", (int)widest, "row");
    for (size_t k = 0; k < shown; k++)
        fprintf(out, "  %*s", (int)column_width[k], cut(c, m->column[k].label, column_width[k]));
    fputc('\n', out);
    for (size_t r = 0; r < m->rows; r++) {
        fprintf(out, "%-*s", (int)widest, cut(c, m->row[r].label, widest));
        for (size_t k = 0; k < shown; k++) {
            const fs_matrix_cell *cell = fs_compare_matrix_at(m, r, k);
            const char *text = cell->run == SIZE_MAX ? "-" : fs_compare_decided(c, cell->value);
            text = cell->whole ? text : fs_arena_printf(c->arena, "%s *", text);
            if (k != m->base)
                text = fs_arena_printf(c->arena, "%s %8s", text,
                                       isnan(cell->percent) ? "" : fs_number_change(cell->percent / 100));
            fprintf(out, "  %*s", column(text, column_width[k]), text);
        }
        fputc('\n', out);
    }
    fprintf(out, "%-*s", (int)widest, "geometric mean");
    for (size_t k = 0; k < shown; k++)
        fprintf(out, "  %*s", (int)column_width[k],
                k == m->base || isnan(m->column[k].ratio) ? "" : fs_number_change(m->column[k].ratio - 1));
    fprintf(out, "\n%-*s", (int)widest, "faster in");
    for (size_t k = 0; k < shown; k++)
        fprintf(out, "  %*s", (int)column_width[k],
                k == m->base
                    ? ""
                    : fs_arena_printf(c->arena, "%zu of %zu", m->column[k].wins, m->column[k].compared));
    fputc('\n', out);
    if (shown < m->columns)
        fprintf(out, "(%zu further columns: --csv)\n", m->columns - shown);
}

void fs_compare_print(const fs_compare *c, FILE *out) {
    fprintf(out, "base: %s\n", c->runs[c->base].label);
    for (size_t r = 0; r < c->count && c->count <= MOST_SIDE_BY_SIDE; r++)
        if (r != c->base)
            fprintf(out, "run:  %s\n", c->runs[r].label);
    if (c->count > MOST_SIDE_BY_SIDE)
        fprintf(out, "runs: %zu\n", c->count);
    fs_compare_print_named(c, out);
    print_settings(c, out);
    if (c->matrix != NULL)
        print_matrix(c, out);
    else if (c->count <= MOST_SIDE_BY_SIDE)
        print_figures(c, out);
    else
        print_lines(c, out);
    fputc('\n', out);
    const fs_verdict *all = &c->verdicts[c->base];
    for (size_t i = 0; i < all->count; i++)
        wrap(out, i == 0 ? "" : "  ", all->sentences[i].text);
    for (size_t r = 0; r < c->count && c->count <= MOST_SIDE_BY_SIDE; r++)
        for (size_t i = 0; i < c->verdicts[r].count && r != c->base; i++)
            wrap(out, i == 0 ? "" : "  ", c->verdicts[r].sentences[i].text);
}
