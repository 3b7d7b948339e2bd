/* The command line: main, options, and one descriptor for each subcommand. sim/cli knows subcommands,
 * sections and workloads only through the descriptors that registry/registry.c lists.
 */
#ifndef FOAMSIM_SIM_CLI_CLI_H
#define FOAMSIM_SIM_CLI_CLI_H

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/base/version.h"
#include "sim/config/config.h"
#include "sim/results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- subcommands ---- */

typedef struct fs_command {
    const char *name;    /* "run"; second words ("scene generate") are the command's own matter */
    const char *summary; /* one line for --help; NULL: not for people, and not listed */
    /* argv[0] is the command's name. Returns FS_OK or a filled error. `--help` prints to stdout and is FS_OK.
     */
    fs_status (*run)(int argc, char **argv, fs_error *err);
} fs_command;

/* ---- options of subcommands: one table gives parsing, --help and error messages ---- */

typedef struct fs_option {
    const char *name;  /* long name without dashes: "out" */
    char letter;       /* short name or 0 */
    const char *value; /* name of the value in --help ("DIR"); NULL: a flag */
    const char *doc;
    const char **text; /* receives the last value; NULL if unused */
    bool *flag;        /* receives true; NULL if unused */
    const char **list; /* receives every value, up to list_max; NULL if unused */
    size_t *list_count;
    size_t list_max;
} fs_option;

/* Parses argv[1 ... argc - 1] by the habits of GNU: `--out DIR`, `--out=DIR`, unambiguous beginnings of long
 * names,
 * `-o DIR`, `-oDIR`, `-qf`, options and arguments mixed, `--` ends the options, `-` is an argument. The
 * arguments are collected in place to argv[0 ... *args - 1]. Unknown options, missing values and wrong counts
 * (max_args < 0: no bound) are FS_INPUT with the nearest valid option. `--help` (`-h`) prints usage to stdout
 * and sets *help; the caller then returns FS_OK. usage: what follows "usage: foamsim "; further lines of it
 * are printed below. */
fs_status fs_options_parse(const char *usage, const fs_option *options, size_t count, int argc, char **argv,
                           int min_args, int max_args, int *args, bool *help, fs_error *err);

/* Integer and real values of options, with the option's name in the error. */
fs_status fs_option_int(const char *name, const char *text, int64_t min, int64_t max, int64_t *out,
                        fs_error *err);
fs_status fs_option_real(const char *name, const char *text, double min, double max, double *out,
                         fs_error *err);

/* ---- host matters: never configuration ---- */

typedef struct fs_host_options {
    int threads;             /* OpenMP threads; default all cores */
    const char *cache_dir;   /* $XDG_CACHE_HOME/foamsim or ~/.cache/foamsim; --cache DIR; NULL: --no-cache */
    const char *trace;       /* file of the timeline (sim/trace), --trace; NULL: none */
    const char *trace_tiles; /* --trace-tiles: the workload's list of tiles, NULL: its own choice */
    const char *record;      /* --record FILE: write an itinerary recording beside the run; NULL: none */
    const char *record_activity; /* --record-activity FILE: the same of an activity recording */
    const char *replay;          /* --replay FILE: go on from a recording of this configuration */
    bool check_only; /* stop after elaboration: the workload's `results` is NULL and nothing is written */
} fs_host_options;

/* Static texts, found at the first call; not for concurrent first calls. */
const char *
fs_configs_dir(void); /* configs/: $FOAMSIM_CONFIGS, else beside the program's build folder, else ./configs */
const char *fs_program_dir(void); /* folder of the running program, to find foamsim-delaunay beside it */
const char *fs_default_cache_dir(void); /* NULL when neither $XDG_CACHE_HOME nor $HOME is set */

/* ---- workloads ---- */

/* Rows of a workload's table that a view set fills; NULL all: no camera, so no views. */
typedef struct fs_camera_keys {
    const char *position, *look_at; /* points [x, y, z] */
    const char *instead; /* a row that fixes the camera in another way and can't be moved; may be NULL */
} fs_camera_keys;

/* What `foamsim run` does with a checked experiment. The descriptor's ABI version guards against a stale
 * object. */
enum { FS_ABI = 1 };
typedef struct fs_workload {
    int abi;
    const char *kind; /* "foam": the `kind` of the workload section */
    const char *summary;
    /* Elaborates, runs and writes every file of the run folder (resolved.yaml and manifest.json are the
     * caller's). On success the figures of one line for the person are in `line` (printed to stderr by the
     * caller). */
    fs_status (*run)(const fs_config *config, const fs_host_options *host, fs_results *results, char *line,
                     size_t line_size, fs_error *err);
    /* Loads an activity recording once and prices `count` configurations of its traffic: one call of `result`
     * each, in their order, with the figures of their summary.json (borrowed, as if they had been run), or
     * with what is wrong with that one. Fails when the recording can't be read, or when interrupted; results
     * given until then stand. NULL: the workload has none. */
    fs_status (*price)(const fs_config *const *configs, size_t count, const char *activity_file,
                       void (*result)(void *self, size_t point, const json_t *summary, const fs_error *err),
                       void *self, fs_error *err);
    fs_camera_keys camera;
    bool traces;                /* knows --trace */
    bool records;               /* knows --record, --record-activity and --replay */
    const fs_stat_table *stats; /* the figures of its summary.json; NULL only without a camera */
    /* Names in it, each list ended by NULL, a NULL list for none: figures of which less is worse (of the
     * others more is), and figures that name a thing, such as a tile's number, and have no mean. */
    const char *const *good;
    const char *const *labels;
} fs_workload;

/* ---- the registry (registry/registry.c): the one place where everything is listed ---- */

extern const fs_command *const fs_registry_commands[];   /* NULL-terminated */
extern const fs_workload *const fs_registry_workloads[]; /* NULL-terminated */
extern const fs_section fs_registry_sections[];          /* [fs_registry_section_count] */
extern const size_t fs_registry_section_count;
extern const fs_stat_table *const fs_registry_stats[]; /* NULL-terminated, for docs/statistics.md */

/* What `foamsim list WHAT` prints: the rows that `row` gives, or the *.yaml files of configs/<folder>/, each
 * with its first comment line as summary. */
typedef struct fs_listing {
    const char *what;   /* "overlays" */
    const char *folder; /* NULL: rows come from `row` */
    /* Row i from 0; false past the end. Unused when there is a folder. */
    bool (*row)(size_t i, const char **name, const char **summary);
} fs_listing;
extern const fs_listing fs_registry_listings[]; /* [fs_registry_listing_count] */
extern const size_t fs_registry_listing_count;

/* Runs the subcommand that argv names: what main() does. Returns the exit status of the process. */
int fs_cli_main(int argc, char **argv);

#endif
