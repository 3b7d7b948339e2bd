/* Reading a run folder in tests: its tables, figures and pictures, and whether two folders are the same run. What is read is
 * freed behind the test (test_arena). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- CSV ---- */

struct table {
    char *text;  /* the file, its cells ended by NUL */
    char **cell; /* [rows + 1][columns], the header first */
    size_t rows, columns;
};

struct table table_read(const char *dir, const char *file); /* fails the test unless rows are equally long */
size_t table_column(const struct table *t, const char *name); /* fails the test if there is none */
const char *table_text(const struct table *t, size_t row, const char *column);
int64_t table_int(const struct table *t, size_t row,
                  const char *column); /* fails the test if it is no integer */
int64_t table_sum(const struct table *t, const char *column);

/* ---- JSON ---- */

json_t *run_json(const char *dir, const char *file);
/* Is released behind the test as well; the same. */
json_t *json_keep(json_t *root);
/* A number of summary.json by its dotted name, e.g. "device.cycles"; fails the test if it is none (null
 * included). */
double figure(const json_t *summary, const char *name);
int64_t figure_int(const json_t *summary, const char *name);
const json_t *figure_json(const json_t *summary, const char *name); /* any value */
/* One number of DIR/summary.json. */
double run_figure(const char *dir, const char *name);

/* ---- whole folders ---- */

/* Bytes of a file, NUL-ended. Fails the test if it can't be read. */
char *file_read(const char *path, size_t *size);
bool files_equal(const char *a, const char *b);
/* Fails the test where file NAME of two folders differs. */
void same_file(const char *a, const char *b, const char *name);
void sha256_of(const char *path, char hex[65]);

enum { SAME_SETTINGS, OTHER_SETTINGS };
/* Two folders have the same files with the same bytes, but for host.json, pictures/ and the comments of
 * resolved.yaml and the origins in parameters.csv; OTHER_SETTINGS: but for all of these two. Fails the test
 * at a difference, naming the file and its first one. */
void assert_same_run(const char *a, const char *b, int settings);
/* Every file that the manifest lists is there with that digest and size, and no other but host.json. */
void assert_whole_run(const char *dir);

/* ---- pictures ---- */

/* An 8-bit RGB PNG: [height][width][3]. */
uint8_t *picture_read(const char *path, uint32_t *width, uint32_t *height);
