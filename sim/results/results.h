/* The run folder: everything is written into DIR.partial and renamed to DIR once at the end.
 *
 * SIGKILL at any moment leaves at most a DIR.partial, which the next run of the same DIR takes over; DIR
 * itself is either whole or not there. A DIR that --force replaces stands aside as DIR.old.partial between
 * the two renames, and the next run puts it back if the second never came. A file .foamsim-partial marks
 * both; a folder of either name without it belongs to somebody else and is left alone. Every write is
 * checked: a full disk is FS_IO with the path, never a short file. CSV: header line, comma, '.' decimals, LF.
 * JSON: two-space indent, lists of scalars on one line, keys in the order of writing, reals as fs_real_text.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/stats/stats.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct fs_results fs_results;

/* Opens DIR.partial, making DIR's parents. An existing DIR is FS_INPUT unless `force`; then it is replaced at
 * the final rename, but only when it is empty or holds a manifest.json that names the foamsim that wrote it:
 * other folders are never removed. A DIR that another process is writing is FS_INPUT, and so is a DIR.partial
 * that no run has left, and a name that ends in .partial. Owner: caller; ends with fs_results_commit or
 * fs_results_discard, both of which free it. NULL with an error. */
fs_results *fs_results_open(const char *dir, bool force, fs_error *err);

/* One file of the folder. `columns` and `units` (both [count], NULL for files that are not tables) go into
 * manifest.json; for a name that ends in .csv the header line is written from `columns`. Both arrays are read
 * at once. NULL with an error. Close with fs_results_close. */
FILE *fs_results_create(fs_results *results, const char *name, const char *const *columns,
                        const char *const *units, size_t count, fs_error *err);
/* Checks that everything reached the disk, takes the digest, lists the file in the manifest. On an error the
 * results remain the caller's, who discards them. */
fs_status fs_results_close(fs_results *results, FILE *file, fs_error *err);

/* A picture: 8-bit RGB, or 16-bit grey. */
typedef struct fs_picture {
    uint32_t width, height;
    const uint8_t *rgb;   /* [height][width][3], or NULL */
    const uint16_t *grey; /* [height][width], when rgb is NULL */
} fs_picture;
/* The two as arguments. */
#define FS_PICTURE_RGB(rgb_, width_, height_) (&(fs_picture){.width = width_, .height = height_, .rgb = rgb_})
#define FS_PICTURE_GREY(grey_, width_, height_)                                                              \
    (&(fs_picture){.width = width_, .height = height_, .grey = grey_})

/* Whole files at once. JSON: `root` is borrowed. PNG: by libpng, without a time stamp. */
fs_status fs_results_json(fs_results *results, const char *name, const json_t *root, fs_error *err);
fs_status fs_results_png(fs_results *results, const char *name, const fs_picture *picture, fs_error *err);

/* The path of a file inside the partial folder, for writers that need one; valid as long as the results. What
 * such a writer leaves there is listed at commit: a file, or a whole run folder by its manifest. */
const char *fs_results_path(fs_results *results, const char *name);
/* Removes what stands under that name in the partial folder, a folder with all that is in it. */
fs_status fs_results_remove(fs_results *results, const char *name, fs_error *err);

/* A further text entry at the head of manifest.json, after foamsim's version ("config_sha256"); copied. */
void fs_results_note(fs_results *results, const char *key, const char *text);

/* Writes manifest.json (file, bytes, sha256, columns, units, in order of name), syncs, renames DIR.partial to
 * DIR. host.json and manifest.json itself are left out, and so are bytes and sha256 of resolved.yaml and
 * parameters.csv, as the origins that they tell may differ between runs of one configuration. On error the
 * partial folder is removed. */
fs_status fs_results_commit(fs_results *results, fs_error *err);
void fs_results_discard(fs_results *results); /* removes the partial folder; NULL is allowed */

/* JSON in the style of the folder's files. A number that is not finite is null. */
void fs_json_write(const json_t *root, FILE *out);
json_t *fs_json_number(double value);
/* The text and the number at a key of an object; "" and NAN where there is none. */
const char *fs_json_text(const json_t *object, const char *key);
double fs_json_real(const json_t *object, const char *key);

/* Fills a JSON object from a statistics table: dotted names become nested objects. `root` is borrowed. */
void fs_results_stats_json(const fs_stat_table *table, const void *values, json_t *root);

/* stats.csv and summary.json: the figures of a run, by the one table of its workload. */
fs_status fs_results_figures(fs_results *results, const fs_stat_table *table, const void *values,
                             fs_error *err);

/* Puts one value under a dotted name. `root` is borrowed, `value` is taken. */
void fs_results_json_set(json_t *root, const char *name, json_t *value);
/* The value under a dotted name; NULL when there is none. Borrowed. */
const json_t *fs_results_json_get(const json_t *root, const char *name);
/* Calls `each` for every number, flag, text and null below `root` in the order of writing, by its dotted
 * name, places of a list being numbers: "worst.0". The name holds during the call. Ends with the first call
 * that does not return FS_OK, and returns what that did. */
typedef fs_status fs_results_figure_fn(void *self, const char *name, const json_t *value, fs_error *err);
fs_status fs_results_json_each(const json_t *root, fs_results_figure_fn *each, void *self, fs_error *err);

/* A PNG of any kind as 8-bit RGB [height][width][3]. Owner: caller, free(). NULL with FS_INPUT when it is damaged. */
uint8_t *fs_png_read_rgb(const char *path, uint32_t *width, uint32_t *height, fs_error *err);

/* The same PNG at any path (scene render): atomically, by a temporary name and a rename. */
fs_status fs_png_write_alone(const char *path, const fs_picture *picture, fs_error *err);
