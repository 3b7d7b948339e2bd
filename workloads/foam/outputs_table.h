/* One table of a run folder at a time. Private to the files outputs*.c. */
#ifndef FOAMSIM_WORKLOADS_FOAM_OUTPUTS_TABLE_H
#define FOAMSIM_WORKLOADS_FOAM_OUTPUTS_TABLE_H

#include "sim/results/results.h"
#include "sim/results/row.h"
#include "workloads/foam/outputs.h"

#define COLUMNS(array) (sizeof(array) / sizeof((array)[0]))

/* A row buffer and the file under it. */
typedef struct table {
    fs_results *results;
    FILE *file;
    fs_row row;
} table;

static inline fs_status table_open(table *t, fs_results *results, const char *name,
                                   const char *const *columns, const char *const *units, size_t count,
                                   fs_error *err) {
    t->results = results;
    t->file = fs_results_create(results, name, columns, units, count, err);
    if (t->file == NULL)
        return err->status;
    fs_row_begin(&t->row, t->file);
    return FS_OK;
}

static inline fs_status table_close(table *t, fs_error *err) {
    fs_row_flush(&t->row);
    return fs_results_close(t->results, t->file, err);
}

static inline void table_ints(table *t, const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        fs_row_int(&t->row, (int64_t)values[i]);
}

static inline void table_real(table *t, double value) {
    char text[FS_REAL_TEXT];
    fs_row_word(&t->row, fs_real_text(value, text));
}

/* cycles.csv, levels.csv, distributions.csv: run.statistics full. */
fs_status fs_outputs_write_congestion(const fs_outputs *o, fs_results *results, fs_error *err);
/* ladder.csv, findings.json: the same. */
fs_status fs_outputs_write_conclusions(const fs_outputs *o, fs_results *results, fs_error *err);
/* Tile by iteration, of 16-bit or of 32-bit numbers ([iterations][used], the other NULL). */
fs_status fs_outputs_write_matrix(const fs_outputs *o, const char *name, const uint16_t *small,
                                  const uint32_t *large, fs_results *results, fs_error *err);
/* lanes.csv. */
fs_status fs_outputs_write_lanes(const fs_outputs *o, fs_results *results, fs_error *err);

#endif
