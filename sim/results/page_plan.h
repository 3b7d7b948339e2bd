/* What a page about a run shows: a list of sections, written into the run folder as page.json.
 *
 * A workload points to constant data: cards, parts, and sections by kind, each with file, columns and words.
 * Reports and comparisons know the kinds (docs/run-folder.md lists them) and read all names from this plan,
 * so that a new workload has its page, its pictures and its comparison without a line in reports/. Texts hold
 * figures in braces:
 * "{device.cycles} cycles", with a form after a bar: "{load.accepted|.2}" (docs/run-folder.md). Any text may
 * be NULL.
 *
 *     static const fs_plan_column held[] = {FS_PAGE_COLUMN("i0", "held", .unit = "cars")};
 *     static const fs_plan_section cars =
 *         FS_PAGE_ONE("matrix", "cars", "Cars", "cars.csv", NULL, NULL, held, .title = "Where cars queue");
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/arith.h"
#include "sim/results/results.h"

#include <stddef.h>

enum { FS_PAGE_SCHEMA = 1, FS_PAGE_PANELS = 64 }; /* the most panels of a plan */

/* A setting that places the run, on top of the page: "overlay", "overlay.kind". */
typedef struct fs_plan_setting {
    const char *label, *key;
} fs_plan_setting;

/* A figure on top of the summary; without one of the figures of `value` the card is left out. */
typedef struct fs_plan_card {
    const char *label;     /* NULL: that of the figure's row */
    const char *value;     /* "{device.seconds}" */
    const char *more;      /* the line below it */
    const char *otherwise; /* that line when a figure of `more` is missing */
    const char *when;      /* a flag or number that must not be 0: the figure's name */
} fs_plan_card;

/* A part of the run: parts follow each other and make the whole. */
typedef struct fs_plan_part {
    const char *name; /* as tables call it, "steady" */
    const char *label, *hint;
    const char *figure; /* how many iterations it has */
    const char *mark;   /* what pictures write where it ends */
    const char *cycles; /* figure: how many cycles it takes; NULL: a comparison says nothing of it */
    const char *said;   /* in a sentence, "filling the pipeline"; NULL: the label */
} fs_plan_part;

/* A role of tiles; roles that tables name beyond these follow, under their own names. */
typedef struct fs_plan_role {
    const char *name, *label; /* as in tiles.csv; of many: "tracers" */
    const char *mark;         /* on its tiles in a map of the chip; "level": the tile's level; NULL: none */
} fs_plan_role;

/* What a comparison says of a cause that a table of levels counts: columns part, role, level, tiles, and the
 * one named here, of whose rows those of part "all" are read. */
typedef struct fs_plan_reason {
    const char *file, *column;
    const char
        *most; /* "Cars stand mostly before {where}.": where most of them are, in the run and the base */
    const char *none; /* of two runs that count none, said when settings of section `when` differ */
    const char *when;
    /* Of two runs that count differently and take the same time while `figure`, a share, is above a half in
     * both: "{More} queues hardly change the time, as gates are shut in {new} and {old} of it." */
    const char *bound, *figure;
} fs_plan_reason;

/* A line, a map, a bar, a column of a table. */
typedef struct fs_plan_column {
    const char *column; /* of the file; of several with blanks between them the sum, of a stack the parts */
    const char *of;     /* the value as a share of the sum of these columns */
    const char
        *by; /* a column of words: the value is split by them (compute by the role that set the pace) */
    const char *label, *unit, *hint;
    const char
        *form; /* of a cell: "whole", "short", "percent", "bar", "share", "stack", "place", "level", "text" */
    const char *colour; /* a name of page.css; NULL: by role or order */
    double scale;       /* of what is shown to what the file holds; 0: 1 */
} fs_plan_column;

/* A line across a picture or up it, at a figure of the run: a bound, what would be without load. */
typedef struct fs_plan_line {
    const char *way;    /* "across", at a height; "up" */
    const char *figure; /* "latency.zero_load"; a run without it has no line */
    const char *text;   /* "a packet alone" */
    double scale;       /* of the line to the figure; 0: 1 */
} fs_plan_line;

/* A picture, a panel of one, or a table, by the section's kind. */
typedef struct fs_plan_panel {
    const char *name;  /* of the picture's file, or of the panel in it */
    const char *label; /* in a choice; at an axis */
    const char *file;  /* NULL: the section's */
    const char *title, *caption;
    const char *otherwise; /* the title when the first column has nothing but 0, or a figure is missing */
    const char *key;       /* of a table of the greatest: by which column */
    const char *over;      /* and divided by which */
    const char *form;      /* "stacked", "lines"; "log": a logarithmic scale, "linear", "auto" */
    const char *compared;  /* title of the picture in a comparison; NULL: comparisons leave it out */
    const fs_plan_column *columns;
    size_t column_count;
    const fs_plan_line *lines;
    size_t line_count;
} fs_plan_panel;

typedef struct fs_plan_section {
    /* "series", "matrix", "chip", "pixels", "counts", "distribution", "table", "most", ... */
    const char *kind;
    const char *id, *title;
    const char *file;
    const char *words;            /* above all else in the section */
    const char *note, *note_when; /* a remark, for runs with that setting: "machine.execution=decoupled" */
    const char *findings;         /* keys of findings that it shows, with blanks between them */
    /* Of runs with that setting alone, "machine.exchange.kind=noc" or "machine.chips!=1"; others leave it out of
     * page.json. */
    const char *when;
    const fs_plan_panel *panels;
    size_t panel_count;
} fs_plan_section;

/* A clause of the verdict that heads the page: said when its figures are known and the figure `when`, if
 * there is one, is at least `from`. */
typedef struct fs_plan_clause {
    const char *text; /* "{device.seconds} a frame" */
    const char *when;
    double from;
} fs_plan_clause;

/* A rung of the ladder in few words, before "would save 20 %". Of one that no setting makes: what comes near it and can
 * be set, as texts for --set with blanks between (NULL: nothing), and what would have to be built. Several rows of a name
 * are for runs with other settings: `when` as in a section. */
typedef struct fs_plan_rung {
    const char *name, *said;  /* "free_host", "host visits for free" */
    const char *near, *build; /* "machine.execution=decoupled"; "barriers that take no time" */
    const char *when;         /* of runs with these settings alone, with blanks between them; NULL: of all */
} fs_plan_rung;

typedef struct fs_page_plan {
    const char *workload;
    const char *subject; /* what is waited for: "the frame", "the rays" */
    const char *warning; /* said of a run that is not complete */
    const char *const
        *questions;        /* settings that make a row when runs are compared, NULL-terminated; may be NULL */
    const char *thumbnail; /* a picture of each view */
    const fs_plan_setting *settings;
    size_t setting_count;
    const fs_plan_card *cards;
    size_t card_count;
    const fs_plan_part *parts;
    size_t part_count;
    const fs_plan_role *roles;
    size_t role_count;
    const fs_plan_reason *reasons;
    size_t reason_count;
    const fs_plan_clause
        *verdict; /* the first: what came out; of the others the first that can be said: what limits */
    size_t verdict_count;
    const fs_plan_rung *rungs;
    size_t rung_count;
    const fs_plan_column
        *chart; /* figures that are shares of the time, the chart on top; without: cycles by phase */
    size_t chart_count;
    const fs_plan_column *views; /* figures in the table of views; column: the figure's name */
    size_t view_count;
    const fs_plan_section *const *sections; /* in the order of the page */
    size_t section_count;
} fs_page_plan;

/* Rows of a plan in few words; what is after the named members is designated, `.unit = "cycles"`. Columns, panels
 * and lists are arrays, whose length is taken. */
#define FS_PAGE_CARD(label_, value_, ...)                                                                    \
    { .label = label_, .value = value_, __VA_ARGS__ }
#define FS_PAGE_COLUMN(column_, label_, ...)                                                                 \
    { .column = column_, .label = label_, __VA_ARGS__ }
#define FS_PAGE_RUNG(name_, said_, near_, build_)                                                            \
    { .name = name_, .said = said_, .near = near_, .build = build_ }
#define FS_PAGE_PANEL(name_, columns_, ...)                                                                  \
    { .name = name_, FS_PAGE_LIST(columns, column_count, columns_), __VA_ARGS__ }
#define FS_PAGE_LIST(list_, count_, array_) .list_ = array_, .count_ = FS_COUNT(array_)
/* A panel that is a file's picture. */
#define FS_PAGE_PICTURE(name_, label_, file_, ...)                                                           \
    { .name = name_, .label = label_, .file = file_, __VA_ARGS__ }
/* A section of several panels. */
#define FS_PAGE_SECTION(kind_, id_, title_, file_, words_, findings_, panels_)                               \
    {                                                                                                        \
        .kind = kind_, .id = id_, .title = title_, .file = file_, .words = words_, .findings = findings_,    \
        FS_PAGE_LIST(panels, panel_count, panels_)                                                           \
    }
/* A section of one panel, which has the section's id as its name and these columns: a table, a picture. `when_`: of
 * runs with that setting alone. */
#define FS_PAGE_ONE_WHEN(when_, kind_, id_, title_, file_, words_, findings_, columns_, ...)                 \
    {                                                                                                        \
        .kind = kind_, .id = id_, .title = title_, .file = file_, .words = words_, .findings = findings_,    \
        .when = when_, .panels = (const fs_plan_panel[]){FS_PAGE_PANEL(id_, columns_, __VA_ARGS__)},         \
        .panel_count = 1                                                                                     \
    }
#define FS_PAGE_ONE(...) FS_PAGE_ONE_WHEN(NULL, __VA_ARGS__)
/* The lists that every plan has. */
#define FS_PAGE_LISTS(settings_, cards_, verdict_, rungs_, sections_)                                        \
    FS_PAGE_LIST(settings, setting_count, settings_), FS_PAGE_LIST(cards, card_count, cards_),               \
        FS_PAGE_LIST(verdict, verdict_count, verdict_), FS_PAGE_LIST(rungs, rung_count, rungs_),             \
        FS_PAGE_LIST(sections, section_count, sections_)

/* Sections that every workload has: what was found, the figures, what was set, the files; and the ones of
 * tables that look alike whatever runs: ladder.csv and memory.csv. */
extern const fs_plan_section fs_page_findings, fs_page_summary, fs_page_settings, fs_page_files,
    fs_page_ladder, fs_page_memory;
/* The sections of a page that has all of them, with its own between. */
#define FS_PAGE_SECTIONS(...)                                                                                \
    {                                                                                                        \
        &fs_page_findings, &fs_page_summary, __VA_ARGS__, &fs_page_ladder, &fs_page_memory,                  \
            &fs_page_settings, &fs_page_files                                                                \
    }

/* Writes page.json, with the sections that go with the settings: lines "section.key: value" (fs_config_write_key);
 * nothing for a workload without a plan (NULL). FS_IO. */
fs_status fs_page_plan_write(const fs_page_plan *plan, const char *settings, fs_results *results,
                             fs_error *err);

/* The plan as JSON, with all sections where settings is NULL; owner: caller, json_decref. */
json_t *fs_page_plan_json(const fs_page_plan *plan, const char *settings);
/* And back, all of the arena. NULL with FS_INPUT, `path` in front: another schema, or a value of another kind
 * than expected, with its place. Unknown
 * keys are passed over. What has a name in a plan has one; a column's
 * missing label is its name, and a unit and a form that are missing are "". */
const fs_page_plan *fs_page_plan_read(const json_t *root, const char *path, fs_arena *arena, fs_error *err);
