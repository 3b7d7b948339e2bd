/* Private to the files of reports/sheet: what a sheet holds. */
#pragma once

#include "reports/page/page_file.h"
#include "reports/sheet/sheet.h"

#include "sim/base/arith.h"

#include <stdarg.h>

typedef enum fs_item_kind {                  /* those up to a panel hold what follows until they end */
                            FS_ITEM_SECTION, /* id, text, more: inside */
                            FS_ITEM_FOLD,    /* text, open */
                            FS_ITEM_BOX,     /* look, id */
                            FS_ITEM_LIST,    /* look, open: numbered */
                            FS_ITEM_CHOICE,  /* id, text */
                            FS_ITEM_PANEL,   /* text */
                            FS_ITEM_SAY,     /* look, id, text */
                            FS_ITEM_MARKDOWN,
                            FS_ITEM_CARD,  /* text, more, last */
                            FS_ITEM_SHARE, /* text, share, look, more */
                            FS_ITEM_KEY,   /* look, text */
                            FS_ITEM_JSON,  /* id, json */
                            FS_ITEM_TABLE,
                            FS_ITEM_CHART,
                            FS_ITEM_SMALL, /* id, text, panel */
                            FS_ITEM_PICTURE,
                            FS_ITEM_AGAIN /* id, text */
} fs_item_kind;

typedef struct fs_item {
    fs_item_kind kind;
    const char *id, *look, *text, *more, *last; /* `text` of what is said is marked, the others are plain */
    double share;
    bool open;
    json_t *json; /* owner: the item */
    fs_rows *table;
    fs_chart *chart;
    const fs_panel *panel;
    fs_sheet_picture picture;
    const char *png;                         /* base64; NULL: there is none */
    bool reduced;                            /* it has fewer pixels than its file */
    struct fs_item *next, *up, *first, *end; /* first to end: what it holds */
} fs_item;

struct fs_sheet {
    fs_arena *arena;
    const char *title, *headline; /* headline: NULL, the title is it */
    unsigned reload;              /* seconds; 0: never */
    fs_item root, *open;          /* open: where the next item goes */
    fs_values *values;            /* all, the last one first */
    size_t value_count;
    fs_chart_points *points;
};

typedef enum fs_cell_kind {
    FS_CELL_TEXT,
    FS_CELL_NUMBER,
    FS_CELL_BAR,
    FS_CELL_STACK,
    FS_CELL_STRIP,
    FS_CELL_PICTURE
} fs_cell_kind;

typedef struct fs_cell_one {
    fs_cell_kind kind;
    bool head;
    const char *text; /* marked; of a picture its words */
    double value;     /* NAN: none */
    const char *look, *hint;
    size_t span;
    double shade;
    const char *colour, *png; /* png: base64; NULL: it cannot be read */
    const double
        *part; /* of a bar its share; of a stack its shares; of a strip least, most, from, to, mean */
    const char *const *name, *const *colours;
    size_t parts;
    struct fs_cell_one *next;
} fs_cell_one;

typedef struct fs_rows_row {
    const char *group, *look; /* group: marked; NULL: a row of cells */
    bool foot;
    fs_cell_one *first, *end;
    struct fs_rows_row *next;
} fs_rows_row;

struct fs_rows {
    fs_sheet *sheet;
    const char *caption;
    fs_rows_column *column;
    size_t columns;
    const char *filter, *noun; /* filter: its id; NULL: it has no fields */
    size_t selectable, state;
    bool in_foot;
    fs_rows_row *first, *end;
};

typedef enum fs_values_kind {
    FS_VALUES_REAL,
    FS_VALUES_WHOLE,
    FS_VALUES_STEPS,
    FS_VALUES_WORDS
} fs_values_kind;

struct fs_values {
    fs_values_kind kind;
    size_t count;
    const double *real;
    const int64_t *whole;
    const char *const *word;
    double first, step, scale; /* scale: of whole numbers, what one stands for */
    /* Others in another way: `of` is set, and what it is is not held here. */
    const fs_values *of, *less, *where;
    const char *is;
    size_t place; /* what a page calls it: 1 and on; 0: not yet written */
    fs_values *before;
};

struct fs_chart_points {
    const char *id;
    const fs_values *names;
    fs_panel *panel;
    fs_chart_points *before;
};

/* At the end of what is open; opened where it holds others. Texts are kept as they are. */
fs_item *fs_item_add(fs_sheet *s, fs_item_kind kind, const char *id, const char *look, const char *text);

/* A PNG file in base64, of the sheet's arena: a large one with 256 colours and fewer pixels (*reduced). NULL and
 * FS_IO when it cannot be read. */
const char *fs_sheet_png(fs_sheet *s, const char *path, bool small, bool *reduced, fs_error *err);

/* The value at i as it is shown; NAN: none. */
double fs_values_at(const fs_values *v, size_t i);
/* The word at i; "": none. */
const char *fs_values_word(const fs_values *v, size_t i);

void fs_marked_add(fs_text *text, const char *format, va_list args);
/* A text marked by its format, of the arena. */
const char *fs_marked(fs_arena *arena, const char *format, va_list args);
/* "&lt;" for "<", of the arena. */
const char *fs_marked_plain(fs_arena *arena, const char *text);
/* A marked text without its marks, of the arena: "<br>" is a space. */
const char *fs_marked_text(fs_arena *arena, const char *marked);

/* ---- the HTML writer's parts ---- */

typedef struct fs_html {
    const fs_sheet *sheet;
    fs_text out;
    fs_text *written; /* values that are in it, as they stand there [values]; owner: the writer */
    size_t values, charts;
    fs_error *err;
} fs_html;

void fs_html_put(fs_html *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fs_html_table(fs_html *h, const fs_rows *t);
void fs_html_chart(fs_html *h, const fs_chart *chart);
void fs_html_small(fs_html *h, const fs_item *item);
/* Points of charts, after all charts. */
void fs_html_points(fs_html *h, const fs_chart_points *points);
void fs_html_png(fs_html *h, const char *png, const char *alt);
void fs_html_json(fs_html *h, const char *id, const char *class, int digits, json_t *value);

/* ---- a chart while it becomes a script of gnuplot (plots.c, plots_series.c) ---- */

typedef struct fs_plotting {
    fs_arena *arena;
    const char *folder; /* of scripts and data */
    const fs_chart *chart;
    fs_text script, clauses, data;
    size_t panel, series; /* whose file is being written */
    size_t points;        /* of that series, which have all their numbers */
} fs_plotting;

/* Saves the data of all series of a panel and leaves what plots them in `clauses`; nothing there: they have no
 * values. FS_IO. */
fs_status fs_plotting_series(fs_plotting *p, const fs_panel *panel, fs_error *err);
/* Where the rows or columns of a matrix begin, and how wide each is (NULL: around 0, 1, ...). */
double fs_plotting_first(const fs_values *v);
double fs_plotting_step(const fs_values *v);
