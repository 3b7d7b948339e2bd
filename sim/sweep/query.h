/* Answers of `foamsim query`: tables of texts and numbers. */
#ifndef FOAMSIM_SIM_SWEEP_QUERY_H
#define FOAMSIM_SIM_SWEEP_QUERY_H

#include "sim/store/store.h"

typedef enum fs_query_form { FS_QUERY_TEXT, FS_QUERY_CSV, FS_QUERY_JSON } fs_query_form;

typedef struct fs_query_table {
    fs_arena *arena;
    json_t *columns; /* list of texts */
    json_t *rows;    /* list of lists; null: nothing */
} fs_query_table;

fs_query_table fs_query_begin(fs_arena *arena);
void fs_query_end(fs_query_table *table);
void fs_query_column(fs_query_table *table, const char *name);
void fs_query_row(fs_query_table *table);                    /* a new row; then its cells in turn */
void fs_query_text(fs_query_table *table, const char *text); /* NULL: nothing */
void fs_query_number(fs_query_table *table, double number);  /* NAN: nothing */
void fs_query_print(const fs_query_table *table, fs_query_form form, FILE *out);

/* The `top` best feasible points of each objective, or of `by` alone. FS_INPUT when that is none. */
fs_status fs_query_best(fs_query_table *table, const fs_store_sweep *sweep, const char *by, size_t top,
                        fs_error *err);
/* figures: names with commas between; NULL: those of objectives and constraints. */
void fs_query_table_of(fs_query_table *table, fs_arena *arena, const fs_store_sweep *sweep,
                       const char *figures);
void fs_query_points(fs_query_table *table, const fs_store_sweep *sweep, bool failed_only);
void fs_query_diff(fs_query_table *table, const fs_store_sweep *sweep, const fs_store_point *a,
                   const fs_store_point *b);

#endif
