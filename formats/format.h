/* The formats of other tools that foamsim reads: a row and a file each. A format is known by its first bytes, knows no
 * model, and becomes one of three things: an experiment as a user would write it, calls of processors, or tasks. */
#pragma once

#include "formats/calls.h"
#include "formats/notes.h"
#include "formats/tasks.h"

#include "sim/base/alloc.h"

/* What whoever reads a file asks for. */
typedef struct fs_format_asked {
    double clock;         /* Hz of the machine, where times are seconds */
    bool strict, lenient; /* near things are refused; things refused by default become near */
    const char *
        topology; /* of calls on several chips: the file that says how they are joined; "": beside the trace */
    uint64_t from, to; /* of netrace: cycles; to 0: all */
    int64_t region;    /* of netrace; -1: all */
    const char
        *map;  /* of prices: the file that says which is which of foamsim's; "" or NULL: map.yaml beside */
    bool gaps; /* of netrace: what a node did between two packets takes as long as it was recorded */
} fs_format_asked;

/* A file that stands beside an experiment. */
typedef struct fs_format_file {
    const char *name, *text; /* "graph.yaml" */
} fs_format_file;

/* What a file says before it runs. */
typedef struct fs_format_told {
    const char *yaml;    /* the sections of an experiment but `name`; `workload.file` is the caller's */
    const char *part;    /* "machine": yaml is that part of an experiment alone; NULL: an experiment */
    const char *machine; /* a machine of configs/machines, where the sections have none */
    const fs_format_file *file; /* [files] that the sections name, relative to the experiment */
    size_t files;
    uint64_t records; /* events, packets, nodes of a graph: `unit`s */
    const char *unit; /* "events" */
    double published; /* cycles that its author measured or was told; 0: none */
} fs_format_told;

/* Is called with each file. */
typedef void (*fs_format_seen)(void *self, const char *path);

typedef struct fs_format {
    const char *name; /* "noc-trace": of --as */
    const char *what; /* "a recorded trace of a network on chip" */
    /* The first bytes (at most FS_FORMAT_HEAD) leave no doubt. */
    bool (*is)(const uint8_t *head, size_t bytes);
    /* What the file says; notes receives what was taken, set aside, ignored and refused. FS_INPUT as everywhere:
     * "FILE:LINE:COLUMN: what: expected ..., found ...", or with a record in place of line and column. */
    fs_status (*tell)(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_format_told *out,
                      fs_notes *notes, fs_error *err);
    /* One of the two (the other one NULL) where it becomes calls or tasks, which `workload.file` then runs; both NULL: an experiment.
     * span: receives what was read. */
    fs_status (*calls)(fs_arena *arena, const char *path, const fs_format_asked *asked,
                       const fs_calls_taker *taker, fs_recorded_span *span, fs_notes *notes, fs_error *err);
    fs_status (*tasks)(fs_arena *arena, const char *path, const fs_format_asked *asked, fs_task_source *out,
                       fs_notes *notes, fs_error *err);
    /* Calls `seen` with each further file that is read because it stands beside `path`. NULL: there are none. */
    void (*beside)(const char *path, fs_format_seen seen, void *self);
} fs_format;

enum { FS_FORMAT_HEAD = 4096 };

extern const fs_format *const fs_formats[]; /* NULL at the end */

/* The format of a file by its first bytes (of a packed file those of what is in it). NULL: none that leaves no doubt. */
const fs_format *fs_format_of(const char *path);
const fs_format *fs_format_named(const char *name); /* NULL: there is none */
/* fs_format.beside of the format that the file's bytes say. */
void fs_format_beside(const char *path, fs_format_seen seen, void *self);
