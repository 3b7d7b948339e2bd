/* The library for C: run folders, through the reader that pages are made with. */
#include "api/private.h"
#include "sim/base/alloc.h"
#include "sim/results/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct foamsim_table {
    const fs_csv *csv;
    foamsim_table *next;
    char file[]; /* its name */
};

struct foamsim_folder {
    fs_folder *folder; /* NULL: of a price, whose figures are its own */
    fs_figure *priced; /* [count], texts of its own, those of reals when they are asked for; else NULL */
    char **text;       /* [texts] of `priced` */
    size_t count, texts;
    foamsim_table *tables; /* those that were asked for */
};

foamsim_status fs_api_tell(const fs_error *from, foamsim_error *to) {
    const size_t room = sizeof to->text - 1, length = strlen(from->text);
    to->status = fs_exit_status(from->status) == 2 ? FOAMSIM_WRONG
                 : from->status == FS_OK           ? FOAMSIM_OK
                                                   : FOAMSIM_FAILED;
    memcpy(to->text, from->text, length < room ? length : room);
    to->text[length < room ? length : room] = '\0';
    return to->status;
}

void fs_api_calm(foamsim_error *error) {
    error->status = FOAMSIM_OK;
    error->text[0] = '\0';
}

foamsim_folder *foamsim_open(const char *folder, foamsim_error *error) {
    FS_API_ENTER;
    fs_error *err = fs_calloc(1, sizeof *err);
    fs_folder *opened = fs_folder_open(folder, NULL, err);
    fs_api_tell(err, error);
    free(err);
    if (opened == NULL)
        return NULL;
    foamsim_folder *f = fs_calloc(1, sizeof *f);
    f->folder = opened;
    return f;
}

void foamsim_close(foamsim_folder *folder) {
    if (folder == NULL)
        return;
    for (foamsim_table *t = folder->tables, *next; t != NULL; t = next) {
        next = t->next;
        free(t);
    }
    for (size_t i = 0; i < folder->texts; i++)
        free(folder->text[i]);
    free(folder->text);
    free(folder->priced);
    fs_folder_close(folder->folder);
    free(folder);
}

/* ---- figures ---- */

static const char *keep(foamsim_folder *f, const char *text) {
    f->text = fs_grow(f->text, f->texts, sizeof *f->text);
    return f->text[f->texts++] = fs_strdup(text);
}

typedef struct pricing {
    foamsim_folder *folder;
    const fs_stat_table *table;
    size_t rows, likely; /* figures stand in the order of the table */
} pricing;

static fs_status add_figure(void *self, const char *name, const json_t *value, fs_error *err) {
    (void)err;
    pricing *p = self;
    fs_figure figure = fs_folder_figure_of(value);
    for (size_t k = 0; k < p->rows && figure.name[0] == '\0'; k++) {
        const size_t i = (p->likely + k) % p->rows;
        const fs_stat row = fs_stats_row(p->table, i);
        if (strcmp(row.name, name) != 0)
            continue;
        figure.name = row.name;
        figure.unit = row.unit == NULL ? "" : row.unit;
        figure.description = row.doc;
        p->likely = i + 1;
    }
    if (figure.name[0] == '\0')
        figure.name = keep(p->folder, name);
    if (figure.kind == FS_FIGURE_WORD)
        figure.text = keep(p->folder, figure.text);
    if (figure.whole) {
        char text[FS_REAL_TEXT];
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        figure.text = keep(p->folder, text);
    }
    p->folder->priced = fs_grow(p->folder->priced, p->folder->count, sizeof figure);
    p->folder->priced[p->folder->count++] = figure;
    return FS_OK;
}

foamsim_folder *fs_api_priced(const json_t *summary, const fs_stat_table *table) {
    foamsim_folder *f = fs_calloc(1, sizeof *f);
    pricing p = {.folder = f, .table = table, .rows = table == NULL ? 0 : fs_stats_count(table)};
    fs_error none = {0}; /* adding never fails */
    fs_results_json_each(summary, add_figure, &p, &none);
    return f;
}

static void copy(const fs_figure *from, foamsim_figure *to) {
    static const foamsim_kind kinds[] = {[FS_FIGURE_NUMBER] = FOAMSIM_NUMBER,
                                         [FS_FIGURE_FLAG] = FOAMSIM_FLAG,
                                         [FS_FIGURE_WORD] = FOAMSIM_WORD};
    *to = (foamsim_figure){.name = from->name,
                           .unit = from->unit,
                           .description = from->description,
                           .kind = kinds[from->kind],
                           .number = from->kind == FS_FIGURE_WORD ? (double)NAN : from->value,
                           .text = from->text};
}

bool foamsim_figure_at(const foamsim_folder *folder, size_t i, foamsim_figure *out) {
    FS_API_ENTER;
    size_t count = folder->count;
    const fs_figure *figures =
        folder->folder == NULL ? folder->priced : fs_folder_figures(folder->folder, &count);
    if (i >= count)
        return false;
    if (folder->folder == NULL && folder->priced[i].kind == FS_FIGURE_NUMBER &&
        folder->priced[i].text[0] == '\0')
        folder->priced[i].text = keep((foamsim_folder *)folder, FS_REAL_WORD(figures[i].value));
    copy(&figures[i], out);
    return true;
}

bool foamsim_get(const foamsim_folder *folder, const char *name, foamsim_figure *out) {
    size_t count = folder->count;
    const fs_figure *figures =
        folder->folder == NULL ? folder->priced : fs_folder_figures(folder->folder, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(figures[i].name, name) == 0)
            return foamsim_figure_at(folder, i, out);
    return false;
}

/* ---- tables ---- */

const foamsim_table *foamsim_table_of(foamsim_folder *folder, const char *file, foamsim_error *error) {
    FS_API_ENTER;
    fs_api_calm(error);
    for (const foamsim_table *t = folder->tables; t != NULL; t = t->next)
        if (strcmp(t->file, file) == 0)
            return t;
    fs_error *err = fs_calloc(1, sizeof *err);
    const fs_csv *csv = folder->folder == NULL ? NULL : fs_folder_table(folder->folder, file, err);
    if (folder->folder == NULL)
        fs_fail(err, FS_INPUT, "%s: what was priced has figures alone: its tables are a run's", file);
    fs_api_tell(err, error);
    free(err);
    if (csv == NULL)
        return NULL;
    foamsim_table *t = fs_calloc(1, sizeof *t + strlen(file) + 1);
    t->csv = csv;
    strcpy(t->file, file);
    t->next = folder->tables;
    folder->tables = t;
    return t;
}

const char *foamsim_file_at(foamsim_folder *folder, size_t i) {
    size_t count = 0;
    const char *const *files = folder->folder == NULL ? NULL : fs_folder_files(folder->folder, &count);
    return i < count ? files[i] : NULL;
}

size_t foamsim_rows(const foamsim_table *table) {
    return fs_csv_rows(table->csv);
}

size_t foamsim_columns(const foamsim_table *table) {
    return fs_csv_columns(table->csv);
}

const char *foamsim_column(const foamsim_table *table, size_t column) {
    return column < fs_csv_columns(table->csv) ? fs_csv_column(table->csv, column) : NULL;
}

const char *foamsim_unit(const foamsim_table *table, size_t column) {
    return column < fs_csv_columns(table->csv) ? fs_csv_unit(table->csv, column) : NULL;
}

const char *foamsim_text(const foamsim_table *table, size_t row, size_t column) {
    if (row >= fs_csv_rows(table->csv) || column >= fs_csv_columns(table->csv))
        return "";
    return fs_csv_text(table->csv, row, fs_csv_column(table->csv, column));
}

double foamsim_number(const foamsim_table *table, size_t row, size_t column) {
    FS_API_ENTER;
    const char *text = foamsim_text(table, row, column);
    char *end = NULL;
    const double value = strtod(text, &end);
    return end == text || *end != '\0' ? (double)NAN : value;
}
