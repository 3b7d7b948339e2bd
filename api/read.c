/* The library for C: run folders, through the reader that pages are made with. */
#include "api/private.h"
#include "sim/base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct foamsim_table {
    const fs_csv *csv;
    foamsim_table *next;
    char file[]; /* its name */
};

struct foamsim_folder {
    fs_folder *folder;
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

foamsim_folder *fs_api_folder(fs_folder *folder) {
    foamsim_folder *f = fs_calloc(1, sizeof *f);
    f->folder = folder;
    return f;
}

foamsim_folder *foamsim_open(const char *folder, foamsim_error *error) {
    fs_error *err = fs_calloc(1, sizeof *err);
    fs_folder *opened = fs_folder_open(folder, NULL, err);
    fs_api_tell(err, error);
    free(err);
    return opened == NULL ? NULL : fs_api_folder(opened);
}

void foamsim_close(foamsim_folder *folder) {
    if (folder == NULL)
        return;
    for (foamsim_table *t = folder->tables, *next; t != NULL; t = next) {
        next = t->next;
        free(t);
    }
    fs_folder_close(folder->folder);
    free(folder);
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

bool foamsim_get(const foamsim_folder *folder, const char *name, foamsim_figure *out) {
    const fs_figure *figure = fs_folder_figure(folder->folder, name);
    if (figure != NULL)
        copy(figure, out);
    return figure != NULL;
}

bool foamsim_figure_at(const foamsim_folder *folder, size_t i, foamsim_figure *out) {
    size_t count = 0;
    const fs_figure *figures = fs_folder_figures(folder->folder, &count);
    if (i < count)
        copy(&figures[i], out);
    return i < count;
}

/* ---- tables ---- */

const foamsim_table *foamsim_table_of(foamsim_folder *folder, const char *file, foamsim_error *error) {
    fs_api_calm(error);
    for (const foamsim_table *t = folder->tables; t != NULL; t = t->next)
        if (strcmp(t->file, file) == 0)
            return t;
    fs_error *err = fs_calloc(1, sizeof *err);
    const bool folded = fs_folder_path(folder->folder)[0] != '\0';
    const fs_csv *csv = folded ? fs_folder_table(folder->folder, file, err) : NULL;
    if (!folded)
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
    const char *const *files = fs_folder_files(folder->folder, &count);
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
    const char *text = foamsim_text(table, row, column);
    char *end = NULL;
    const double value = strtod(text, &end);
    return end == text || *end != '\0' ? (double)NAN : value;
}
