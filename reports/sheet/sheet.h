/* A page as data: an ordered list of sentences, cards, tables, charts and pictures in sections, made once and
 * written by one writer each: HTML, a terminal, CSV, Markdown, pictures by gnuplot.
 *
 * A text that comes with a format is *marked*: by printf rules (c, d, i, u, x, f, e, g, s and %% with flags, width,
 * precision and the lengths l, ll, z), the format is the author's and may hold <b>, <code>, <br>, <a href="...">,
 * <span class="...">, <i class="key role-0"></i>; what %s brings is escaped, so that no name, role or title of a
 * run turns into markup. Other writers leave the marks out or write their own. Texts without a format are plain.
 *
 * The sheet copies texts, and keeps numbers and lists of words by their address: they live until the sheet is
 * written. Ids are words of [a-z0-9-], unique in a sheet (the caller's matter).
 *
 *     fs_sheet *s = fs_sheet_create("a run");
 *     fs_sheet_section(s, "summary", "Summary", NULL);
 *     fs_sheet_say(s, "<b>%.3f ms</b> of %s", milliseconds, name);
 *     fs_rows *t = fs_sheet_table(s, "By role.", "role", "#tiles", "#busy [%]|of all cycles", NULL);
 *     fs_rows_add(t);
 *     fs_cell(t, "router"), fs_cell_number(t, "12", 12), fs_cell_bar(t, "40.1", 40.1, 100, "role-1");
 *     status = fs_sheet_write(s, "report.html", err);
 *     fs_sheet_free(s);
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include "reports/plot/plot.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct fs_sheet fs_sheet;

/* Owner: caller; ends with fs_sheet_free (NULL is allowed). */
fs_sheet *fs_sheet_create(const char *title);
void fs_sheet_free(fs_sheet *s);
/* What lives as long as the sheet. */
fs_arena *fs_sheet_arena(fs_sheet *s);
/* The verdict, in the place of the title, which then stands above it, small. */
void fs_sheet_headline(fs_sheet *s, const char *verdict);
/* The page reads itself again every so many seconds; 0: never. */
void fs_sheet_reload(fs_sheet *s, unsigned seconds);

/* Writes the sheet as one HTML file that needs no network, under a temporary name that is renamed at the end, making the
 * folders above it. The same sheet gives the same bytes. FS_IO with the path. */
fs_status fs_sheet_write(fs_sheet *s, const char *path, fs_error *err);

/* ---- structure ---- */

/* Begins a section (ends the one before, and all that is open in it) with a line in the contents. `inside`: its
 * content is folded away, and this says what a click opens; NULL: nothing is folded. */
void fs_sheet_section(fs_sheet *s, const char *id, const char *title, const char *inside);
/* Each of these holds what follows until its fs_sheet_end. */
void fs_sheet_fold(fs_sheet *s, bool open, const char *title, ...) __attribute__((format(printf, 3, 4)));
/* A box of page.css: "cards", "first", "sight", "ledgers", "beside", "pictures", "thumbnails", "figures-2 small",
 * "hbars", "legend", "sheet"; id: NULL for none. */
void fs_sheet_box(fs_sheet *s, const char *look, const char *id);
/* A list, whose items are fs_sheet_item; look: "findings", "files" or "". */
void fs_sheet_list(fs_sheet *s, bool numbered, const char *look);
/* A choice among the panels in it, the first is shown at first. Print shows the chosen one. Not nested. Of a single
 * panel there is nothing to choose: its contents stand as they are. */
void fs_sheet_choice(fs_sheet *s, const char *id, const char *what);
void fs_sheet_panel(fs_sheet *s, const char *label);
void fs_sheet_end(fs_sheet *s);

/* ---- sentences ---- */

void fs_sheet_say(fs_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* In the muted colour: what is missing and why, what a mark means. */
void fs_sheet_note(fs_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Of another look: "warning", "pre" (as it is written, line ends too), "h3" (a heading). */
void fs_sheet_say_as(fs_sheet *s, const char *look, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An item of the open list; id: NULL for none. */
void fs_sheet_item(fs_sheet *s, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A text that is marked already, by fs_sheet_marked and what is printed together from such (fs_arena_printf); look:
 * as above, "" for a sentence, "note", "item" for an item of the open list. */
void fs_sheet_put(fs_sheet *s, const char *look, const char *id, const char *marked);
/* A marked text of the sheet's arena. */
const char *fs_sheet_marked(fs_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A text that is Markdown already (notes of a paper): on a page it stands as plain text. */
void fs_sheet_markdown(fs_sheet *s, const char *text);

/* A figure in a box "cards": what it is, its value, a line below it ("" for none). */
void fs_sheet_card(fs_sheet *s, const char *label, const char *value, const char *more);
/* A share [0, 1] as a bar in a box "hbars", with its words before and after. */
void fs_sheet_share(fs_sheet *s, const char *what, double share, const char *colour, const char *figure);
/* What a colour means, in a box "legend". */
void fs_sheet_key(fs_sheet *s, const char *colour, const char *words);
/* A value for page.js under this id, numbers with 6 digits; takes `value`. */
void fs_sheet_json(fs_sheet *s, const char *id, json_t *value);

/* ---- tables ---- */

typedef struct fs_rows fs_rows;

typedef struct fs_rows_column {
    const char *name, *unit; /* name: a page may break it after its dots; unit: NULL or "" for none */
    bool number;             /* right-aligned; sorts by the cells' values */
    const char *hint;        /* tooltip of the head, or NULL */
} fs_rows_column;

/* caption: what to see, or NULL. Heads are texts of the program, to a NULL: "name", "#name" of numbers, "name
 * [unit]", each with "|hint". */
fs_rows *fs_sheet_table(fs_sheet *s, const char *caption, ...) __attribute__((sentinel));
/* The same with heads that a folder names. */
fs_rows *fs_sheet_table_of(fs_sheet *s, const char *caption, const fs_rows_column *columns, size_t count);
/* One more column, before the first row; hint: NULL for none. */
void fs_rows_head(fs_rows *t, const char *name, bool number, const char *hint);
/* Fields above the table filter it, every head sorts: `id`, what a row is in the plural, by which of the first
 * columns and by which one more its rows are chosen. */
void fs_rows_filter(fs_rows *t, const char *id, const char *noun, size_t selectable, size_t state);

/* Begins a row; every cell begins with one of the calls below. */
void fs_rows_add(fs_rows *t);
/* A class of the row in page.css: "changed". */
void fs_rows_look(fs_rows *t, const char *look);
/* A row that names those below it, across all columns; a table with such rows does not sort. */
void fs_rows_group(fs_rows *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What follows are rows over all others: they stay below when the table is sorted. */
void fs_rows_foot(fs_rows *t);

void fs_cell(fs_rows *t, const char *text);
void fs_cell_say(fs_rows *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fs_cell_put(fs_rows *t, const char *marked);
/* The head of its row. */
void fs_cell_head(fs_rows *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A number as written and its value; NAN: "–", whatever the text. */
void fs_cell_number(fs_rows *t, const char *text, double value);
/* The same with a bar of value / full of the cell's width; colour: a class of page.css ("role-0", "compute",
 * "plain", "good"). */
void fs_cell_bar(fs_rows *t, const char *text, double value, double full, const char *colour);
/* Parts of a whole side by side: shares [count], their sum at most 1. */
void fs_cell_stack(fs_rows *t, const double *shares, const char *const *names, const char *const *colours,
                   size_t count);
/* A range with its middle, all as parts [0, 1] of the column's: from least to most, one deviation each way, the mean. */
void fs_cell_strip(fs_rows *t, double least, double most, double from, double to, double mean);
/* A PNG file, small; of one that cannot be read the cell stays empty. */
void fs_cell_picture(fs_rows *t, const char *path, const char *alt);
/* A small word of a look ("worse", "equal", "hollow", "gone", "") behind what the cell just begun holds, or of
 * several; hint, strong: or NULL. */
void fs_cell_chip(fs_rows *t, const char *look, const char *hint, const char *text, const char *strong);
/* A button that picks a point of fs_sheet_points, by its place. */
void fs_cell_pick(fs_rows *t, size_t point, const char *text);
/* More of the cell just begun; NULL or 0 leaves one as it is. look: classes of page.css ("wrap", "words", "place", "better",
 * "worse", "changed", "thumb"); value: to sort by; span: columns that it takes; shade: strength of its background, [0, 1]. */
typedef struct fs_cell_more {
    const char *look, *hint;
    const double *value;
    size_t span;
    double shade;
} fs_cell_more;
void fs_cell_add(fs_rows *t, fs_cell_more more);

/* ---- values: numbers of charts, which stand in the page once, however many series show them ---- */

typedef struct fs_values fs_values;

/* [count]; NAN: no value. */
fs_values *fs_values_reals(fs_sheet *s, const double *at, size_t count);
/* Whole numbers [count], shown times `scale`; below 0: no value. */
fs_values *fs_values_whole(fs_sheet *s, const int64_t *at, size_t count, double scale);
/* first, first + step, ... */
fs_values *fs_values_steps(fs_sheet *s, double first, double step, size_t count);
/* Words [count]; NULL: none. */
fs_values *fs_values_words(fs_sheet *s, const char *const *at, size_t count);
/* What others hold, in another way: less those of another; those at which `words` has `word`, 0 elsewhere. */
fs_values *fs_values_less(fs_sheet *s, const fs_values *of, const fs_values *less);
fs_values *fs_values_where(fs_sheet *s, const fs_values *of, const fs_values *words, const char *word);

/* ---- charts ---- */

/* How a series is drawn, which is the kind of a chart; a panel may hold several. */
typedef enum fs_draw {
    FS_DRAW_LINE,  /* through (x, y) */
    FS_DRAW_STEPS, /* y held around each x, for half a step to each side; of long ones the mean of a dot */
    FS_DRAW_STACK, /* the same as areas on top of each other, the first at the bottom */
    FS_DRAW_BAND,  /* an area from low to high over x */
    FS_DRAW_DOTS,  /* marks at (x, y) */
    FS_DRAW_RANGE, /* thin bars from low to high, upright at x or lying at y, whichever is there */
    FS_DRAW_BARS,  /* boxes from the axis to y at each x */
    FS_DRAW_SPANS, /* lying boxes from low to high at row y; texts beyond `high` */
    FS_DRAW_TAIL,  /* of values x that occur y times: per cent of all that are at least x, as steps */
    FS_DRAW_MATRIX, /* value by colour in rows of `cols`; x, y (NULL: 0, 1, ...): what a column, a row begins with */
    FS_DRAW_CELLS, /* value by colour in cells of 1 x 1 around (x, y) */
    FS_DRAW_LINKS, /* value by colour in lines from (x, y) to (x2, y2) */
    FS_DRAW_TOLD   /* nowhere: value, or texts, under the pointer beside the others */
} fs_draw;

typedef struct fs_chart_points fs_chart_points;

/* A map that plays: its cells show, in place of their own values, a column of the matrix that is the only series
 * of `of`, in the colours of `of`, whose x says what a column is. */
typedef struct fs_chart_frames {
    const struct fs_panel *of;
    const fs_values *row;               /* of the matrix, for each cell; below 0: none */
    const struct fs_chart_frames *next; /* another matrix to choose; NULL: none */
} fs_chart_frames;

typedef struct fs_chart_series {
    fs_draw as;
    const char *label, *unit; /* label: also in the legend, NULL: not there; unit: NULL or "" for none */
    const char
        *colour; /* a name of page.css ("role-0", "compute", "series-2") or "#rrggbb"; NULL: by its place */
    unsigned shade, shades; /* the shade-th of so many shades of it, dark to bright; 0 of 0: it as it is */
    double width;           /* of a line, in dots; 0: 1.5 */
    unsigned dash;          /* 0: whole, 1: dashed, 2: dotted */
    unsigned form;          /* of dots: 0 disc, 1 square, 2 triangle, 3 diamond */
    double size;            /* of dots: radius in dots; 0: 3 */
    const fs_values *x, *y, *x2, *y2, *low, *high, *value;
    const fs_values *hollow; /* of dots: not 0, then hollow; NULL: all are full */
    const fs_values *texts;  /* words that are drawn at the marks or in the cells */
    const fs_values *names;  /* words under the pointer, one for each mark; of a matrix one for each row */
    size_t cols, row, rows;  /* of a matrix: rows row to row + rows of y */
    const fs_chart_points *points; /* marks stand for some of these: which, in `at` */
    const fs_values *at;
    const fs_chart_frames *frames; /* of cells; NULL: they stand still */
    bool ends;                     /* its label stands where it ends, and not in the legend */
} fs_chart_series;

typedef struct fs_axis {
    const char *label;      /* "cycles, million"; NULL: no axis is drawn */
    double low, high;       /* equal: as wide as the data */
    bool log;               /* logarithmic */
    double scale;           /* tics show a value divided by this; 0: 1 */
    const fs_values *names; /* words that stand at 0, 1, 2, ... in place of numbers; or at `tics` */
    const fs_values *tics;  /* where tics stand; NULL: by the range */
    bool down;              /* y grows downwards */
} fs_axis;

typedef enum fs_colours {
    FS_COLOURS_VALUE,     /* dark violet to yellow: more is brighter */
    FS_COLOURS_REVERSE,   /* less is brighter */
    FS_COLOURS_DIFFERENCE /* blue below 0, white, orange above */
} fs_colours;

typedef enum fs_mark_kind {
    FS_MARK_ACROSS, /* a line at y */
    FS_MARK_UP,     /* a line at x */
    FS_MARK_LINE,   /* from (x, y) to (x2, y2) */
    FS_MARK_BOX,    /* an outline between the corners */
    FS_MARK_GROUND, /* the same as a grey area behind all */
    FS_MARK_RING,   /* at (x, y) */
    FS_MARK_TEXT    /* text at (x, y) */
} fs_mark_kind;

typedef struct fs_chart_mark {
    fs_mark_kind kind;
    double x, y, x2, y2;
    const char *text, *colour; /* NULL: none; the muted one */
    unsigned dash;
    int side; /* of a text: -1 it ends there, 0 its middle, 1 it begins there */
} fs_chart_mark;

enum { FS_PANEL_SERIES = 64 };

typedef struct fs_panel {
    const char *title, *note; /* above it, and beside that, muted; of groups of a matrix to the left */
    const char *corner;       /* in its upper right corner: "cut: up to 8 million", "median 3, mean 4" */
    fs_axis x, y, colour;     /* colour: the label beside the colours; equal ones of a chart are drawn once */
    fs_colours colours;
    bool dark;   /* the ground of a map of links */
    double tall; /* height in dots; 0: 230 */
    double flat; /* height for each of width, of maps; then `tall` is the most */
    fs_chart_series *series[FS_PANEL_SERIES];
    size_t count;
    fs_chart_mark *mark;
    size_t marks;
} fs_panel;

typedef struct fs_chart {
    const char *id, *title, *caption; /* plain; title: what to see, caption: what is drawn */
    size_t columns;                   /* panels side by side where there is room; 0: 1 */
    bool half;                        /* takes half of the page's width where there is room */
    bool beside; /* titles of panels stand to the left, as groups of a matrix have them */
    bool linked; /* panels share the range of x */
    fs_panel **panel;
    size_t panels;
} fs_chart;

/* Fill in what the returned one holds; pointers stay the sheet's. */
fs_chart *fs_sheet_chart(fs_sheet *s, const char *id, const char *title, const char *caption);
/* A small one without words, which leads to `id`, with its title below: the same panel as another chart's. */
void fs_sheet_small(fs_sheet *s, const char *id, const char *title, const fs_panel *panel);
fs_panel *fs_chart_panel(fs_sheet *s, fs_chart *chart, const char *title);
fs_chart_series *fs_panel_series(fs_sheet *s, fs_panel *panel, fs_draw as, const char *label,
                                 const char *unit);
void fs_panel_mark(fs_sheet *s, fs_panel *panel, fs_chart_mark mark);

/* A parameter between two values, and what each does to a figure: 0.1 is 10 % more; NAN: not known. */
typedef struct fs_lever {
    const char *key, *end[2]; /* low, high */
    double change[2];
} fs_lever;
double fs_lever_reach(const fs_lever *lever); /* the larger of its changes */
/* A panel of a chart that shows the `most` widest of them [count], which are sorted, as bars; what: "the time". (tornado.c) */
fs_panel *fs_sheet_levers(fs_sheet *s, fs_chart *chart, const char *what, fs_lever *lever, size_t count,
                          size_t most);

/* A list of things that marks of several charts stand for: names [count], and figures of each under the pointer,
 * which are added as series of FS_DRAW_TOLD to its panel. A click on one picks it (a point's command, in a page
 * that has them). */
fs_chart_points *fs_sheet_points(fs_sheet *s, const char *id, const fs_values *names, fs_panel **told);

/* ---- pictures ---- */

typedef struct fs_sheet_picture {
    /* A PNG file; a large one is embedded with 256 colours and at most half a million pixels. NULL: there is none. */
    const char *path, *alt;
    const char *id, *title; /* of a figure; title NULL: it has none */
    const char *caption;    /* marked, of fs_sheet_marked; NULL: none */
    /* Where the file itself stands, from the page on, for a link that a reduced one has; "": in the run's folder, which is said;
     * NULL: nothing is. */
    const char *whole;
    const char *link; /* id that it leads to; NULL: nowhere */
    bool small;       /* in at most 320 x 240 pixels, to be known by */
} fs_sheet_picture;

/* FS_IO when it cannot be read. */
fs_status fs_sheet_picture_add(fs_sheet *s, fs_sheet_picture picture, fs_error *err);
/* The picture that stands in the page under `id`, once more and not held twice. */
void fs_sheet_picture_again(fs_sheet *s, const char *id, const char *alt);

/* ---- on a terminal, as CSV, as Markdown ---- */

/* One table: columns as wide as their cells, texts of more than `longest` characters cut with "..." (0: none is),
 * numbers right. */
void fs_rows_print(const fs_rows *t, size_t longest, FILE *out);
/* A sentence, wrapped at 100 columns after `first`, further lines indented to its end. */
void fs_sheet_wrap(FILE *out, const char *first, const char *text);

/* A head and a line a row, fields in quotes where they need them: a cell's value where its column is one of numbers, in full
 * (FS_REAL_WORD; nothing where it has none), else its text. */
void fs_rows_csv(const fs_rows *t, FILE *out);

/* The sheet as Markdown: headings, lists, tables, pictures as ![](folder/id.png) (folder: NULL for charts by their
 * words alone). Owner: caller, free(). */
char *fs_sheet_as_markdown(const fs_sheet *s, const char *folder);

/* ---- charts by gnuplot, as files for documents (plots.c) ---- */

enum { FS_PLOT_BARE = 4 }; /* beside FS_PLOT_PNG, FS_PLOT_SVG */

/* Each chart of the sheet as TARGET/ID.png, ID.svg or both, with the script and the data that draw it again;
 * FS_PLOT_BARE: without title and caption, 256 colours, for a document that says them. `only`: charts of these ids
 * [count]; NULL: all. FS_INPUT without gnuplot or where `target` is a link or a file; FS_RUN with gnuplot's words;
 * FS_IO. */
fs_status fs_sheet_plot(const fs_sheet *s, const char *target, unsigned forms, const char *const *only,
                        size_t count, fs_error *err);
