/* All errors of a configuration: collected with their places, handed over in the order of file and line. */
#ifndef FOAMSIM_SIM_YAML_REPORT_H
#define FOAMSIM_SIM_YAML_REPORT_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"

/* A text that was read: a file, or one --set. */
typedef struct fs_source {
    const char *name; /* as shown: "configs/x.yaml", "--set a.b=v" */
    const char *dir;  /* what relative paths in it start from; "" is the current folder */
    const char *real; /* canonical path, "" for a --set */
    int order;        /* of first reading: the experiment is 0 */
} fs_source;

typedef struct fs_mark {
    const fs_source *source;
    int line, column;   /* from 1; line 0: the whole source */
    const char *stated; /* "[P] a source": what the line states after the value, `8 B # [P] a source`; NULL */
} fs_mark;

typedef struct fs_report fs_report;

fs_report *fs_report_create(fs_arena *arena);

/* Adds "source:line:column: key: sentence"; key "" is left out. */
void fs_report_add(fs_report *report, fs_mark mark, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for a file that the host failed to read: FS_IO, not the user's fault. */
void fs_report_add_io(fs_report *report, fs_mark mark, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A sentence that has its place in front already; `mark` gives its rank among the others. */
void fs_report_add_placed(fs_report *report, fs_mark mark, const char *text);

size_t fs_report_count(const fs_report *report);

/* FS_OK when nothing was added; else err gets one line for each error, sorted by source, line and column,
 * some dozens of them and then how many more there are. */
fs_status fs_report_finish(fs_report *report, fs_error *err);

/* "file:12:7", "file", or "--set a.b=v". */
const char *fs_mark_text(fs_arena *arena, fs_mark mark);

/* Text of a user as it may stand in a message: control characters replaced, cut when long. */
const char *fs_shown(fs_arena *arena, const char *text);
/* The same in quotes. */
const char *fs_quoted(fs_arena *arena, const char *text);

#endif
