/* foamsim for C: check an experiment, run it in a process of its own, read what came of it; price what a run
 * has recorded, a thousand times in this process.
 *
 *     foamsim_error error;
 *     const char *const sets[] = {"overlay=fat-tree", NULL};
 *     foamsim_experiment *e = foamsim_load("demo", sets, &error);          // a file or a name
 *     if (e == NULL || foamsim_run(e, "runs/fat", NULL, &error))
 *         return fprintf(stderr, "%s\n", error.text), 1;
 *     foamsim_folder *run = foamsim_open("runs/fat", &error);
 *     foamsim_figure seconds;
 *     if (run != NULL && foamsim_get(run, "device.seconds", &seconds))
 *         printf("%g %s\n", seconds.number, seconds.unit);
 *     foamsim_close(run);
 *     foamsim_forget(e);
 *
 * Compile with `pkg-config --cflags --libs foamsim`. Errors are values: a call that fails fills `error`
 * (never NULL) and leaves nothing half-made. What is handed out belongs to what it was asked of.
 *
 * Threads: one at a time to an object. Objects do not know of each other, so that several threads may load,
 * price (each from a recording that it opened) and read at once; each run is a process, so runs may go on side
 * by side. Only foamsim_run starts a process, and foamsim_load where $FOAMSIM_PLUGINS names plug-ins, which
 * are the program's. The library installs no handler of signals and changes no setting of the process. A host
 * without memory for a few kilobytes ends the process.
 *
 * Data and program are those that were installed with the library; $FOAMSIM_DATA and $FOAMSIM name others.
 *
 * These declarations stay as they are within FOAMSIM_API; what is added leaves them alone.
 */
#ifndef FOAMSIM_H
#define FOAMSIM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FOAMSIM_API 1

typedef enum foamsim_status {
    FOAMSIM_OK = 0,
    FOAMSIM_FAILED = 1, /* a file, the host, the run itself */
    FOAMSIM_WRONG = 2,  /* the input: its text says file, line, key, what was found and what is allowed */
} foamsim_status;

typedef struct foamsim_error {
    foamsim_status status;
    char text[8192]; /* one sentence, or a line for each error; "" while all is well */
} foamsim_error;

/* ---- experiments ---- */

typedef struct foamsim_experiment foamsim_experiment;

/* Reads and checks an experiment file, or one by a name of `foamsim list experiments`, under overrides
 * ("section.key=value", NULL at the end; NULL: none). NULL: error says what is wrong. Owner: caller, who ends
 * it with foamsim_forget (NULL is allowed). */
foamsim_experiment *foamsim_load(const char *experiment, const char *const *sets, foamsim_error *error);
/* The same again, under further overrides that come after those it has. */
foamsim_experiment *foamsim_change(const foamsim_experiment *experiment, const char *const *sets,
                                   foamsim_error *error);
void foamsim_forget(foamsim_experiment *experiment);
/* With every parameter filled in: YAML that gives the same run again. */
const char *foamsim_resolved(const foamsim_experiment *experiment);

/* ---- runs ---- */

typedef struct foamsim_run_options {
    bool replace; /* a run folder of that name is replaced; else it is an error */
    int threads;  /* of the host; 0: all cores */
    /* Called from foamsim_run while the process runs: `task` ("iterations", ...) has done `done` of `total`
     * steps (0: unknown), once at its beginning, now and then, and at its end. Returning false ends the run,
     * which then leaves nothing. NULL: not called. */
    bool (*progress)(void *self, const char *task, unsigned long long done, unsigned long long total);
    void *self;
    /* The file of an activity recording that is written beside the results, for foamsim_open_recording; NULL:
     * none. */
    const char *record;
    int jobs; /* views at a time, sharing the threads; 0: one */
} foamsim_run_options;

/* Runs the experiment into `folder`, which appears whole when the run is done, or not at all. options NULL:
 * all zero; name its members, as later ones are added behind. What the caller's folder or $FOAMSIM_PLUGINS mean at this moment counts for the process. */
foamsim_status foamsim_run(const foamsim_experiment *experiment, const char *folder,
                           const foamsim_run_options *options, foamsim_error *error);

/* ---- run folders ---- */

typedef struct foamsim_folder foamsim_folder;

/* A run folder, or one file of `foamsim pack`, of this process or anybody's: what it says is checked. NULL: error says why. Owner: caller,
 * who ends it with foamsim_close (NULL is allowed). */
foamsim_folder *foamsim_open(const char *folder, foamsim_error *error);
void foamsim_close(foamsim_folder *folder);

typedef enum foamsim_kind { FOAMSIM_NUMBER, FOAMSIM_FLAG, FOAMSIM_WORD } foamsim_kind;

typedef struct foamsim_figure {
    const char *name;        /* "device.seconds" */
    const char *unit;        /* "s", "cycles"; "" where it has none */
    const char *description; /* one line; may be "" */
    foamsim_kind kind;
    double number;    /* NAN where the figure does not apply, and for a word; a flag is 0 or 1 */
    const char *text; /* as it stands in the folder */
} foamsim_figure;

/* The figure of that name; false when the run has none. */
bool foamsim_get(const foamsim_folder *folder, const char *name, foamsim_figure *out);
/* Figure i from 0, in their order; false past the last. */
bool foamsim_figure_at(const foamsim_folder *folder, size_t i, foamsim_figure *out);

/* ---- prices ---- */

/* An activity recording: what every tile did in a run (`foamsim run --record-activity`). Experiments that
 * differ from that run in prices alone (clock, costs, exchange, sync, host, energy) are priced from it in
 * about a millisecond each, with the figures that their run would have, to the bit. */
typedef struct foamsim_recording foamsim_recording;

/* NULL: error says why it is none. Owner: caller, who ends it with foamsim_close_recording (NULL is allowed). */
foamsim_recording *foamsim_open_recording(const char *file, foamsim_error *error);
void foamsim_close_recording(foamsim_recording *recording);

/* The figures that the experiment's run would have, to be read as a run's (it has neither tables nor files). NULL:
 * error says in which parameter the experiment is of another traffic, or what is wrong with it. The experiment may
 * be forgotten at once. Owner: caller, foamsim_close. */
foamsim_folder *foamsim_price(foamsim_recording *recording, const foamsim_experiment *experiment,
                              foamsim_error *error);

/* ---- tables ---- */

typedef struct foamsim_table foamsim_table;

/* A table of the folder: "iterations.csv". The same again is free; it lives as long as its folder. NULL:
 * error says why. */
const foamsim_table *foamsim_table_of(foamsim_folder *folder, const char *file, foamsim_error *error);
/* File i of the folder from 0 (tables end in ".csv"); NULL past the last. */
const char *foamsim_file_at(foamsim_folder *folder, size_t i);
size_t foamsim_rows(const foamsim_table *table);
size_t foamsim_columns(const foamsim_table *table);
const char *foamsim_column(const foamsim_table *table, size_t column); /* its name; NULL past the last */
const char *foamsim_unit(const foamsim_table *table,
                         size_t column); /* "" where it has none; NULL past the last */
/* A cell: its number (NAN: none, or past the ends), its text ("" past the ends). */
double foamsim_number(const foamsim_table *table, size_t row, size_t column);
const char *foamsim_text(const foamsim_table *table, size_t row, size_t column);

#ifdef __cplusplus
}
#endif

#endif
