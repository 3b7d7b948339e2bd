/* Inside explore: a session, and what its files do for it. One thread. */
#pragma once

#include "reports/read/run_folder.h"
#include "sim/host/process.h"
#include "sim/host/scratch.h"
#include "sim/robust/robust.h"
#include "sim/workload/recorded.h"
#include "sim/workload/run_request.h"

enum {
    FS_EXPLORE_SETS = 128,  /* settings of a request */
    FS_EXPLORE_PINS = 64,   /* pinned points */
    FS_EXPLORE_RUNS = 64,   /* runs beside the page, in all */
    FS_EXPLORE_AT_ONCE = 2, /* of them under way */
    FS_EXPLORE_SOURCES = 8, /* recordings that are open: the base's, and the last ones of runs */
    FS_EXPLORE_DRAWS = 32,  /* of uncertain parameters */
    FS_EXPLORE_WORDS = 256, /* bytes of a pin's name */
};

/* Settings over the experiment: texts "section.key=value", borrowed. */
typedef struct fs_explore_sets {
    const char *set[FS_EXPLORE_SETS];
    size_t count;
} fs_explore_sets;

/* What is known of an experiment under some settings. */
typedef struct fs_explored {
    json_t *summary; /* as summary.json; the next two are NULL where nothing is known, or nobody asked */
    /* Rows of ladder.csv: {"name", "kind", "cycles", "seconds", "gain_percent", "joules", "detail", "sets"}. */
    json_t *ladder;
    json_t *tiles;  /* columns of tiles.csv: {"role": [...], "column", "row", "sub", "compute"} */
    fs_layer layer; /* that it was made by */
} fs_explored;
void fs_explored_free(fs_explored *known);

/* A configuration that some pricing may look at still. */
typedef struct fs_explore_kept {
    fs_arena *arena;
    const fs_config *config;
} fs_explore_kept;

/* A finished run: its folder, by the key of its results. */
typedef struct fs_explore_folder {
    char key[FS_DIGEST_HEX];
    const char *path;
} fs_explore_folder;

typedef enum fs_explore_state { FS_EXPLORE_RUNNING, FS_EXPLORE_DONE, FS_EXPLORE_FAILED } fs_explore_state;

/* A run beside the page. */
typedef struct fs_explore_run {
    fs_explore_sets sets; /* of the session's arena */
    fs_explore_state state;
    fs_process process;
    FILE *words; /* what it says is wrong */
    int heard;   /* its progress: a pipe that never waits; -1: closed */
    char line[256], task[64];
    size_t used;
    unsigned long long done, total;
    double expected; /* seconds; NAN: not known */
    const char *folder, *activity, *replay,
        *error; /* activity: it records to; replay: it goes on from; NULL */
    int status; /* of its end */
} fs_explore_run;

typedef struct fs_explore_pin {
    char name[FS_EXPLORE_WORDS];
    fs_explore_sets sets;
    json_t *answer; /* of fs_explore_answer */
    json_t *summary;
    fs_layer layer;
} fs_explore_pin;

typedef struct fs_explore {
    const fs_registry *registry;
    fs_arena *arena;
    const char *subject;     /* as the person named it */
    const char *experiment;  /* a file, or a name */
    const char *command;     /* the experiment in a command line of hers */
    fs_explore_sets own;     /* --set of the command line */
    const fs_config *config; /* of the experiment as it is */
    const fs_workload *workload;
    fs_folder *opened;  /* the run that was named, where one was; NULL */
    const char *folder; /* of the experiment's run */
    fs_scratch scratch;
    int64_t threads;
    fs_file_memo memo;
    fs_pricing *source[FS_EXPLORE_SOURCES]; /* [sources] recordings that configurations are priced from */
    size_t sources;
    fs_explore_kept *kept; /* [kept_count] */
    size_t kept_count;
    fs_explore_folder known[FS_EXPLORE_RUNS + 1];
    size_t known_count;
    fs_explore_run run[FS_EXPLORE_RUNS];
    size_t runs;
    fs_explore_pin *pin[FS_EXPLORE_PINS];
    size_t pins;
    const char *store, *export; /* files; export NULL: none is asked for */
    const fs_uncertain *uncertain;
    size_t uncertain_count;
    fs_robust_draws draws; /* a column for each uncertain parameter */
} fs_explore;

/* ---- what is explored (subject.c) ---- */

/* From a run's folder, an experiment or a recording: the experiment is run once, with words to the person, where no run of it
 * and no recording is there. FS_INPUT: it is none of them, or cannot be explored. */
fs_status fs_explore_open(fs_explore *x, const char *subject, fs_error *err);
void fs_explore_close(fs_explore *x);
/* Opens a recording for prices, in place of the oldest of runs when there are too many. */
fs_status fs_explore_add_source(fs_explore *x, const char *activity, fs_error *err);
/* Enters a finished run of these settings. */
void fs_explore_add_folder(fs_explore *x, const fs_explore_sets *sets, const char *path);

/* ---- prices (price.c) ---- */

/* The configuration of the experiment under settings. NULL with FS_INPUT, in the words of the command line. */
const fs_config *fs_explore_load(const fs_explore *x, fs_arena *arena, const fs_explore_sets *sets,
                                 fs_error *err);
/* Prices it from a recording, or takes it from a finished run. `more`: ladder and tiles, too. *knows: it holds, and what it
 * comes to is only not known without a run. */
fs_status fs_explore_price(fs_explore *x, const fs_explore_sets *sets, bool more, fs_explored *out,
                           bool *knows, fs_error *err);

/* ---- what the page is told (answer.c, model.c) ---- */

/* {"figures", "pace", "ladder", "parts", "cards", "wrong", "tiles", "layer"}, of "wrong" each {"figure", "text", "held"}: held, the machine
 * is beyond a limit and not the answer wrong. Owner: the caller, json_decref. `only`: names of
 * figures with commas between them, then they alone; NULL: all. */
json_t *fs_explore_answer(const fs_explore *x, const fs_explored *known, const char *only);
/* A text, in which '?' stands for what is no UTF-8; a list of settings. Owner: the caller. */
json_t *fs_explore_text(const char *text);
json_t *fs_explore_set_texts(const fs_explore_sets *sets);
/* Parameters and figures of the experiment under settings, and what the session is. NULL with FS_INPUT. */
json_t *fs_explore_model(fs_explore *x, const fs_explore_sets *sets, fs_error *err);
/* The settings of a draw of the uncertain parameters, under `sets`, which keep what they set. Texts of the arena. */
fs_explore_sets fs_explore_draw(const fs_explore *x, size_t draw, const fs_explore_sets *sets,
                                fs_arena *arena);
/* What the session's parameters leave uncertain: fills uncertain and draws. */
fs_status fs_explore_uncertain(fs_explore *x, fs_error *err);

/* ---- runs beside the page (beside.c) ---- */

/* Starts one. FS_INPUT: too many. *number: which. */
fs_status fs_explore_run_start(fs_explore *x, const fs_explore_sets *sets, size_t *number, fs_error *err);
/* Starts the process of a run that has settings and files. */
fs_status fs_explore_run_launch(fs_explore *x, fs_explore_run *run, fs_error *err);
/* Hears its progress; true when it has ended, and then its state is known. */
bool fs_explore_run_ended(fs_explore *x, fs_explore_run *run);
/* Listens to all that are under way, and enters those that ended. */
void fs_explore_run_look(fs_explore *x);
void fs_explore_run_stop(fs_explore *x, size_t number);
json_t *fs_explore_runs(const fs_explore *x);
/* Host seconds that a run or a price of the configuration takes, about; NAN: not known, a price that it does not have. */
double fs_explore_seconds(const fs_config *config, fs_layer layer);

/* ---- pins (pins.c, export.c) ---- */

/* FS_INPUT: too many, or what fs_explore_price says. */
fs_status fs_explore_pin_add(fs_explore *x, const char *name, const fs_explore_sets *sets, fs_error *err);
void fs_explore_pin_remove(fs_explore *x, size_t number);
json_t *fs_explore_pins(const fs_explore *x);
/* Enters all pins into the store as the sweep "explored NAME"; what has returned FS_OK survives a kill. */
fs_status fs_explore_save(fs_explore *x, fs_error *err);
/* The experiment and all pins as a page at x->export; nothing where none is asked for. */
fs_status fs_explore_export(fs_explore *x, fs_error *err);

/* ---- the server (serve.c, routes.c) ---- */

/* An answer of the server: status, type and body, which it frees. */
typedef struct fs_explore_reply {
    unsigned status;
    const char *type, *file; /* file: it is to be saved under that name; NULL */
    char *body;
    bool enters, leaves; /* a page is there from now on, or no more */
} fs_explore_reply;

/* A request that was let in. */
typedef struct fs_explore_asked {
    const char *method, *path;
    fs_explore_sets sets;                      /* all keys with a value but those that follow */
    const char *figures, *draw, *pin, *number; /* NULL: not there */
    const char *wrong;                         /* a key without a value, or one too many; NULL */
} fs_explore_asked;

void fs_explore_route(fs_explore *x, const fs_explore_asked *asked, fs_explore_reply *reply);

typedef struct fs_explore_door {
    int64_t port; /* 0: any */
    bool browser; /* opens it */
} fs_explore_door;

/* Serves until it is told to end, the page is closed, or nobody has asked for an hour. Prints the address. FS_IO: no such
 * port. */
fs_status fs_explore_serve(fs_explore *x, fs_explore_door door, fs_error *err);
