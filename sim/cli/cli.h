/* The command line: one descriptor for each subcommand, and what `foamsim list` prints. sim/cli knows
 * subcommands only through the descriptors that registry/registry.c lists; it stands on top of all of sim,
 * and no other folder of sim includes it.
 */
#ifndef FOAMSIM_SIM_CLI_CLI_H
#define FOAMSIM_SIM_CLI_CLI_H

#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fs_command {
    const char *name;    /* "run"; second words ("scene generate") are the command's own matter */
    const char *summary; /* one line for --help; NULL: not for people, and not listed */
    /* argv[0] is the command's name. Returns FS_OK or a filled error. `--help` prints to stdout and is FS_OK. */
    fs_status (*run)(int argc, char **argv, fs_error *err);
} fs_command;

/* What `foamsim list WHAT` prints: the rows that `row` gives, or the *.yaml files of configs/<folder>/, each
 * with its first comment line as summary. */
typedef struct fs_listing {
    const char *what;   /* "overlays" */
    const char *folder; /* NULL: rows come from `row` */
    /* Row i from 0; false past the end. Unused when there is a folder. */
    bool (*row)(size_t i, const char **name, const char **summary);
} fs_listing;

/* The second words of a command: what the manual and completions know of them. */
typedef struct fs_command_words {
    const char *command; /* NULL: the end of a list */
    /* Word i from 0, NULL past the end; `summary` (may be NULL) receives its line, NULL where it has none. */
    const char *(*word)(size_t i, const char **summary);
    int at;     /* place of such a word behind the command: 1, or 2 behind a file */
    bool apart; /* each has options and a page of its own: "scene generate" */
} fs_command_words;

/* How plug-ins are loaded (registry/plugin.h): one that the person names, and those of $FOAMSIM_PLUGINS. Both
 * are called before anything is read. FS_INPUT: it is none, or of another foamsim. */
typedef struct fs_plugins {
    fs_status (*load)(const char *file, fs_error *err);
    fs_status (*load_named)(fs_error *err);
} fs_plugins;

/* ---- the registry (registry/registry.c) ---- */

extern const fs_plugins fs_registry_plugins;
extern const fs_command *const fs_registry_commands[]; /* NULL-terminated */
extern const fs_command_words fs_registry_command_words[];
extern const fs_listing fs_registry_listings[]; /* [fs_registry_listing_count] */
extern const size_t fs_registry_listing_count;

/* Runs the subcommand that argv names: what main() does. Returns the exit status of the process. */
int fs_cli_main(int argc, char **argv);

#endif
