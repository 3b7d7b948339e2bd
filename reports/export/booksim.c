/* Curves of latency against load with the columns of BookSim 2's results: which figure each is says
 * configs/exports/booksim.csv. What a run does not measure is nan. */
#include "reports/export/export.h"
#include "sim/base/csv.h"
#include "sim/host/file.h"
#include "sim/host/places.h"

#include <math.h>
#include <string.h>

enum { COLUMN, FIGURE, SETTING, TEXT, CURVE, FIELDS, MOST_COLUMNS = 64 };

/* Columns of the file, [count][FIELDS]. */
typedef struct columns {
    char *of[MOST_COLUMNS][FIELDS];
    size_t count;
} columns;

static fs_status read_columns(fs_arena *arena, columns *out, fs_error *err) {
    const char *path = fs_arena_printf(arena, "%s/exports/booksim.csv", fs_configs_dir());
    char *text = fs_file_table(arena, path, err), *cell[FIELDS];
    fs_csv_lines lines = fs_csv_begin(text);
    *out = (columns){.count = 0};
    for (size_t cells; text != NULL && (cells = fs_csv_record(&lines, cell, FIELDS)) > 0;)
        if (cells == FIELDS && cell[COLUMN][0] != '#' && strcmp(cell[COLUMN], "column") != 0 &&
            out->count < MOST_COLUMNS)
            memcpy(out->of[out->count++], cell, sizeof cell);
    return text == NULL || out->count > 0 ? err->status
                                          : fs_fail(err, FS_INPUT, "%s: expected columns, found none", path);
}

static void put_number(FILE *out, double value) {
    if (isnan(value))
        fputs("nan", out);
    else
        fprintf(out, "%.9g", value);
}

/* A row: of the run as it is, or of a load that it tried, a row of its curve. */
static void put_row(FILE *out, const columns *c, const fs_folder *run, const fs_csv *curve, size_t row) {
    for (size_t i = 0; i < c->count; i++) {
        char *const *of = c->of[i];
        fputs(i == 0 ? "" : ",", out);
        if (of[TEXT][0] != '\0')
            fputs(of[TEXT], out);
        else if (of[SETTING][0] != '\0')
            fputs(fs_folder_setting(run, of[SETTING]), out);
        else if (curve == NULL)
            put_number(out, of[FIGURE][0] == '\0' ? (double)NAN : fs_folder_number(run, of[FIGURE]));
        else
            put_number(out, of[CURVE][0] == '\0' ? (double)NAN : fs_csv_number(curve, row, of[CURVE]));
    }
    fputc('\n', out);
}

/* Every setting is the run's, and a figure with a place in the curve has a value. */
static fs_status check(const columns *c, fs_folder *run, fs_error *err) {
    size_t settings;
    if (fs_folder_settings(run, &settings, err) == NULL)
        return err->status;
    for (size_t i = 0; i < c->count; i++) {
        char *const *of = c->of[i];
        const bool there = of[SETTING][0] != '\0'
                               ? fs_folder_setting(run, of[SETTING]) != NULL
                               : of[CURVE][0] == '\0' || !isnan(fs_folder_number(run, of[FIGURE]));
        if (!there)
            return fs_fail(err, FS_INPUT,
                           "%s: expected a run of packets at a load (workload fabric, source open), found "
                           "one without %s",
                           fs_folder_path(run), of[SETTING][0] != '\0' ? of[SETTING] : of[FIGURE]);
    }
    return FS_OK;
}

static fs_status put_run(FILE *out, const columns *c, fs_folder *run, fs_error *err) {
    if (check(c, run, err))
        return err->status;
    if (!fs_folder_has(run, "curve.csv")) {
        put_row(out, c, run, NULL, 0);
        return FS_OK;
    }
    const fs_csv *curve = fs_folder_table(run, "curve.csv", err);
    for (size_t i = 0; curve != NULL && i < fs_csv_rows(curve); i++)
        put_row(out, c, run, curve, i);
    return err->status;
}

fs_status fs_export_booksim(fs_folder *const *runs, size_t count, fs_export_files *files, fs_error *err) {
    columns c;
    if (read_columns(files->arena, &c, err))
        return err->status;
    fs_memory memory;
    FILE *out = fs_memory_open(&memory);
    for (size_t i = 0; i < c.count; i++)
        fprintf(out, "%s%s", i == 0 ? "" : ",", c.of[i][COLUMN]);
    fputc('\n', out);
    for (size_t i = 0; i < count && err->status == FS_OK; i++)
        put_run(out, &c, runs[i], err);
    fs_export_add(files, "booksim.csv", &memory);
    return err->status;
}
