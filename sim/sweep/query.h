/* Answers of `foamsim query`: tables of texts and numbers. */
#pragma once

#include "sim/store/store.h"

typedef enum fs_query_form { FS_QUERY_TEXT, FS_QUERY_CSV, FS_QUERY_JSON } fs_query_form;

/* A condition on the points that are answered about. */
typedef enum fs_query_test {
    FS_QUERY_IS,
    FS_QUERY_IS_NOT,
    FS_QUERY_AT_MOST,
    FS_QUERY_AT_LEAST,
    FS_QUERY_BELOW,
    FS_QUERY_ABOVE
} fs_query_test;
typedef struct fs_query_term {
    const char *name; /* an axis, a parameter, a figure, "status", "layer", "feasible" */
    fs_query_test test;
    const char *text;
    double number; /* the text in its base unit; NAN: it is none */
} fs_query_term;

typedef struct fs_query_table {
    const fs_stat_table *const *known; /* figures; their rows say what a number is */
    fs_arena *arena;
    json_t *columns;            /* list of texts */
    json_t *heads;              /* the same for people: "device.seconds [s]" */
    json_t *units;              /* list of texts, "" where a column has none */
    json_t *rows;               /* list of lists; null: nothing */
    const fs_query_term *terms; /* [term_count] all of them hold of the points */
    size_t term_count;
} fs_query_table;

fs_query_table fs_query_begin(fs_arena *arena, const fs_stat_table *const *known);
void fs_query_end(fs_query_table *table);
void fs_query_column(fs_query_table *table, const char *name);
/* A column of numbers in a unit: `NAME [UNIT]` on a terminal and in CSV; in JSON the name alone, and the unit
 * among `units`. */
void fs_query_column_in(fs_query_table *table, const char *name, const char *unit);
/* The same of values that show their own units to people. */
void fs_query_column_of_values(fs_query_table *table, const char *name, const char *unit);
void fs_query_row(fs_query_table *table);                    /* a new row; then its cells in turn */
void fs_query_text(fs_query_table *table, const char *text); /* NULL: nothing */
void fs_query_number(fs_query_table *table, double number);  /* NAN: nothing */
/* A value that a terminal shows as it was written and JSON as a number in the base unit (NAN: as a text too);
 * and one that is "yes" or "no", in JSON true or false. */
void fs_query_value(fs_query_table *table, const char *text, double number);
void fs_query_flag(fs_query_table *table, bool flag);
void fs_query_print(const fs_query_table *table, fs_query_form form, FILE *out);

/* Takes the conditions texts [count], such as "overlay.kind=mesh" and "device.seconds<50 ms". FS_INPUT with
 * the nearest name that the sweep knows. */
fs_status fs_query_where(fs_query_table *table, const fs_store_sweep *sweep, const char *const *texts,
                         size_t count, fs_error *err);
/* Whether all conditions of the table hold of a point. */
bool fs_query_keeps(const fs_query_table *table, const fs_store_sweep *sweep, const fs_store_point *point);

/* The `top` best places among the feasible points by each objective, or by `by` alone, any numeric figure
 * (the least is best where its row does not say more is). Equal points share a place. FS_INPUT when no point
 * has that figure. */
fs_status fs_query_best(fs_query_table *table, const fs_store_sweep *sweep, const char *by, size_t top,
                        fs_error *err);
/* figures: names with commas between; NULL: those of objectives and constraints. FS_INPUT: a name that no
 * point and no table of figures has. */
fs_status fs_query_table_of(fs_query_table *table, const fs_store_sweep *sweep, const char *figures,
                            fs_error *err);
/* The points that no other beats in both of two objectives, from the best in the first to the best in the second: the first two of
 * the sweep, or any two figures, with a comma between. FS_INPUT when there are no two, or none has a number. */
fs_status fs_query_front(fs_query_table *table, const fs_store_sweep *sweep, const char *by, fs_error *err);
void fs_query_points(fs_query_table *table, const fs_store_sweep *sweep, bool failed_only);
void fs_query_diff(fs_query_table *table, const fs_store_point *a, const fs_store_point *b);
