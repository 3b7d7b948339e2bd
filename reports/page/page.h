/* Building a page: one HTML file that holds all it shows, opens from a disk without a network, and is the
 * same bits for the same content. Look and behaviour are files (reports/page/page.css, page.js); C writes
 * structure and values.
 *
 * Text can never turn into markup: in fs_page_put the format is the page author's markup and every %s is
 * escaped. Sections make the table of contents. Ids are words of [a-z0-9-], unique in a page (the caller's
 * matter).
 *
 *     fs_page *page = fs_page_create("a run");
 *     fs_page_section(page, "summary", "Summary");
 *     fs_page_put(page, "<p>%s took <b>%.3f ms</b></p>", name, milliseconds);
 *     status = fs_page_write(page, "report.html", err);
 *     fs_page_free(page);
 */
#ifndef FOAMSIM_REPORTS_PAGE_PAGE_H
#define FOAMSIM_REPORTS_PAGE_PAGE_H

#include "sim/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fs_page fs_page;

/* An empty page. Owner: caller; ends with fs_page_free (NULL is allowed). */
fs_page *fs_page_create(const char *title);
void fs_page_free(fs_page *page);
/* The verdict, in the place of the title, which then stands above it, small. */
void fs_page_headline(fs_page *page, const char *verdict);

/* The page reads itself again every so many seconds; 0: never. */
void fs_page_reload(fs_page *page, unsigned seconds);

/* Ends the open section, adds head, contents, style and script, and writes the file under a temporary name
 * that is renamed at the end, making the folders above it. FS_IO with the path. The page may be written once.
 */
fs_status fs_page_write(fs_page *page, const char *path, fs_error *err);

/* ---- text ---- */

/* Markup by printf rules: c, d, i, u, x, f, e, g, s and %% with flags, width, precision and the lengths l,
 * ll, z; what %s brings is escaped, the format is not. */
void fs_page_put(fs_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Escapes & < > " ' into `out` (room for 6 bytes for each of text and one more): its length. */
size_t fs_page_escape(const char *text, char *out);
/* Base64 (RFC 4648, padded) into `out` (room for 4 * ((bytes + 2) / 3) + 1), with a final NUL: its length. */
size_t fs_page_base64(const void *bytes, size_t count, char *out);

/* ---- structure ---- */

/* Begins a section (ends the one before) with a heading and a line in the table of contents. */
void fs_page_section(fs_page *page, const char *id, const char *title);
/* The same with its content folded away under the heading: `inside` says what a click opens (NULL: nothing is folded). Print and links
 * to what it holds open it. */
void fs_page_folded(fs_page *page, const char *id, const char *title, const char *inside);
/* A closed part that a click opens; fs_page_fold_end ends it. */
void fs_page_fold(fs_page *page, const char *title);
void fs_page_fold_end(fs_page *page);
/* A line in the muted colour, for what is missing and why. Same rules as fs_page_put. */
void fs_page_note(fs_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A choice among panels, of which the first is shown at first; labels [count]. Each panel begins with
 * fs_page_panel and ends with the next one or fs_page_choice_end. Print shows the chosen one. Not nested. Of a
 * single panel there is nothing to choose: its contents stand as they are. */
void fs_page_choice(fs_page *page, const char *id, const char *what, const char *const *labels, size_t count);
void fs_page_panel(fs_page *page, const char *label);
void fs_page_choice_end(fs_page *page);

/* ---- tables ---- */

typedef struct fs_page_column {
    const char *name, *unit; /* unit: NULL or "" for none */
    bool number;             /* right-aligned digits of equal width; a click on the head sorts by it */
    const char *hint;        /* tooltip of the head, or NULL */
} fs_page_column;

/* caption: what to see, or NULL. Rows of cells follow; every cell begins with one of the calls below. */
void fs_page_table(fs_page *page, const char *caption, const fs_page_column *columns, size_t count);
/* The same with heads that are texts of the program, to a NULL: "name", "#name" of numbers, "name [unit]", each with
 * "|hint". What a folder calls something goes through fs_page_table. */
void fs_page_heads(fs_page *page, const char *caption, ...) __attribute__((sentinel));
void fs_page_row(fs_page *page); /* begins a row (ends the one before) */
/* A row that names the rows below it, across `columns`; a table with such rows does not sort. */
void fs_page_group(fs_page *page, const char *title, size_t columns);
void fs_page_cell(fs_page *page, const char *text); /* a text */
/* A number as written, and its value to sort by; NAN: "–", whatever the text. */
void fs_page_cell_number(fs_page *page, const char *text, double value);
/* The same with a bar of value / full of the cell's width behind it; colour: a class of page.css ("role-0",
 * "role-1", "compute", "sync", "exchange", "host", "plain", "bad", "good"). */
void fs_page_cell_bar(fs_page *page, const char *text, double value, double full, const char *colour);
/* Parts of a whole side by side: shares [count] (their sum is at most 1) in the given colours, names in the
 * tooltip. */
void fs_page_cell_stack(fs_page *page, const double *shares, const char *const *names,
                        const char *const *colours, size_t count);
/* What follows are rows over all others: they stay below when the table is sorted. */
void fs_page_table_foot(fs_page *page);
void fs_page_table_end(fs_page *page);

/* ---- figures ---- */

/* A figure with a title; its pictures follow; fs_page_figure_end gives the caption (same rules as
 * fs_page_put) and ends it. wide: takes the page's width; else two stand side by side where there is room. */
void fs_page_figure(fs_page *page, const char *id, const char *title, bool wide);
void fs_page_figure_end(fs_page *page, const char *caption, ...) __attribute__((format(printf, 2, 3)));

/* A PNG file, embedded, a large one with 256 colours and at most half a million pixels; whole: where the file itself stands,
 * from the page on, for a link that the reduced one has; "": in the run's folder, which is said; NULL: nothing is. FS_IO
 * when it cannot be read. */
fs_status fs_page_png(fs_page *page, const char *path, const char *alt, const char *whole, fs_error *err);
/* The same in at most 320 x 240 pixels, to be known by. */
fs_status fs_page_thumbnail(fs_page *page, const char *path, const char *alt, fs_error *err);
/* An SVG file of gnuplot, inline: black becomes the text colour, its ids are made unique with `id`. FS_IO
 * when it cannot be read. */
fs_status fs_page_svg(fs_page *page, const char *path, const char *id, const char *alt, fs_error *err);

/* Shows the dots of the picture `id` as squares, however large they are. */
void fs_page_cells(fs_page *page, const char *id);

/* ---- values to hover ---- */

typedef enum fs_page_kind { FS_PAGE_U8, FS_PAGE_U16, FS_PAGE_I32, FS_PAGE_F32 } fs_page_kind;

/* Values [count] for the script, deflated, in base64: an element with this id that page.js reads. */
void fs_page_values(fs_page *page, const char *id, fs_page_kind kind, const void *values, size_t count);
/* A JSON value, which is freed, for the script under this id, real numbers with `digits`. Under "PLOT-hover" it says what the inline picture PLOT shows
 * under the pointer (and to arrow keys):
 *   {"panels": [{"box": [left, top, right, bottom], "x": [at left, at right], "y": [at top, at bottom],
 * "logx": false, "logy": false, "show": SHOW}, ...]}          box in pixels of the picture SHOW by kind; a
 * layer is {"what": name, "unit": text, "values": id of fs_page_values or a list, "scale": factor, "none":
 * value that means nothing}:
 *   {"kind": "series", "x": name, "first": x of the first value, "step": 1, "layers": [...], "words": id of a
 * list}
 *   {"kind": "bars", "x": name, "at": [x of each value], "layers": [...]}
 *   {"kind": "matrix", "x": name, "y": name, "cols": n, "rows": n, "row": first, "step": columns that one
 * stands for, "last": last column, "labels": names of the rows (a list or the id of one), "layers": [...]}
 *   {"kind": "points", "half": [width, height], "data": id of {"x": [], "y": [], "labels": [], "layers":
 * [...]}}
 *   {"kind": "dots", "own": true, "data": id of the same}      the nearest one
 */
void fs_page_json(fs_page *page, const char *id, int digits, json_t *value);

#endif
