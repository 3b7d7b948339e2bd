/* Runs whose congestion tests look at, and their tables as numbers. */
#pragma once

#include "tests/support/pages/run_folder.h"

/* Folders of the runs in bsp. `run`: the experiment of cli_write_experiment as it is; `crowded`: small
 * buffers; `losing`: so small that rays are lost; `stream`: two frames of a stream, dynamic exchange,
 * finished rays kept where they end. Beside them `decoupled`: the experiment with decoupled execution. */
enum { RUN, CROWDED, LOSING, STREAM, FOLDERS };
extern const char *const case_folder[FOLDERS];
enum { CASE_SETTINGS = 4 };
extern const char *const case_setting[FOLDERS][CASE_SETTINGS]; /* over the experiment; NULL: no more */
/* A cmocka group set-up: cli_enter, x.yaml, and all of these runs. */
int congestion_begin(void **state);

/* Parts of a run: "injection", "steady", "drain". */
enum { PARTS = 3 };
extern const char *const case_part[PARTS];
/* The statistic parts.PART_WHAT of a folder. */
int64_t part_figure(const char *folder, const char *part, const char *what);
/* The sum of a column of levels.csv over the rows of a part. */
int64_t sum_of_part(const struct table *levels, const char *part, const char *column);

/* Cells as numbers: NAN for null; the number of a matrix (cycles.csv, occupancy.csv: columns from the fourth
 * on are iterations). */
double table_real(const struct table *t, size_t row, const char *column);
int64_t matrix_cell(const struct table *t, size_t row, size_t iteration);

/* Compute cycles of every tile in use in every iteration, idle calls included: what an idle call costs
 * follows from the tile's sum. */
struct matrix {
    size_t tiles, iterations;
    int64_t *cycles; /* [tiles][iterations] */
    int64_t *idle;   /* [tiles]; -1: the tile was never idle */
    char (*role)[16];
    size_t *tile;
};
struct matrix matrix_read(const char *folder); /* fails the test where tables contradict each other */
void matrix_free(struct matrix *m);

/* Rows of ladder.csv, and cycles of one; fail the test when there is no such rung. */
size_t rung(const struct table *ladder, const char *name);
int64_t rung_cycles(const struct table *ladder, const char *name);

bool about(double a, double b); /* equal but for rounding */
int64_t larger(int64_t a, int64_t b);
