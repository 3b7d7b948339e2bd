/* The command line: one descriptor for each subcommand, and what `foamsim list` prints. sim/cli knows
 * subcommands only through an fs_cli, which main hands down; it stands on top of all of sim, and no other folder
 * of sim includes it.
 */
#pragma once

#include "sim/base/error.h"
#include "sim/workload/workload.h"

#include <stdbool.h>
#include <stddef.h>

/* A command as it was called. */
typedef struct fs_command_line {
    const struct fs_cli *cli;
    fs_arena *arena; /* until the command has ended */
    int argc;
    char *
        *argv; /* [0]: the command's name; once options are parsed (sim/cli/options.h) the arguments alone */
} fs_command_line;

typedef struct fs_command {
    const char *name;    /* "run"; second words ("scene generate") are the command's own matter */
    const char *summary; /* one line for --help; NULL: not for people, and not listed */
    /* FS_OK or a filled error. `--help` prints to stdout and is FS_OK. */
    fs_status (*run)(fs_command_line *call, fs_error *err);
} fs_command;

/* What `foamsim list WHAT` prints: the rows that `row` gives, or the *.yaml files of configs/<folder>/, each
 * with its first comment line as summary. */
typedef struct fs_listing {
    const char *what;   /* "overlays" */
    const char *folder; /* NULL: rows come from `row` */
    /* The name of row i from 0, NULL past the end, and its summary. Unused when there is a folder. */
    const char *(*row)(size_t i, const char **summary);
} fs_listing;

/* The second words of a command: what the manual and completions know of them. */
typedef struct fs_command_words {
    const char *command; /* NULL: the end of a list */
    /* Word i from 0, NULL past the end; `summary` (may be NULL) receives its line, NULL where it has none. */
    const char *(*word)(size_t i, const char **summary);
    int at;     /* place of such a word after the command: 1, or 2 after a file */
    bool apart; /* each has options and a page of its own: "scene generate" */
} fs_command_words;

/* How plug-ins are loaded (registry/plugin.h): one that the person names, and those of $FOAMSIM_PLUGINS. Both
 * are called before anything is read. FS_INPUT: it is none, or of another foamsim. */
typedef struct fs_plugins {
    fs_status (*load)(const char *file, fs_error *err);
    fs_status (*load_named)(fs_error *err);
} fs_plugins;

struct fs_options_told;

/* All that the command line knows of the program. */
typedef struct fs_cli {
    const fs_registry *registry;
    const fs_command *const *commands; /* NULL-terminated */
    const fs_command_words *words;     /* up to one without a command */
    const fs_listing *listings;        /* [listing_count] */
    size_t listing_count;
    fs_plugins plugins;
    /* Makes an experiment of a file of another tool, in a folder, which is made: its path, or NULL where the file is of no kind
     * that its bytes leave certain. With *err: it is, and something in it is wrong. */
    const char *(*foreign)(fs_arena *arena, const char *file, const char *folder, fs_error *err);
    /* Draws TARGET/NAME.png with the script NAME.gp of reports/plot, from what `write` puts into the folder that
     * it is given; data and script move to TARGET, too. FS_INPUT without gnuplot, FS_IO. */
    fs_status (*draw)(const char *target, const char *name,
                      fs_status (*write)(void *self, const char *folder, fs_error *err), void *self,
                      fs_error *err);
    /* Is told what --help would print; NULL: the person is. The manual is made so. */
    void (*hear)(void *self, const struct fs_options_told *told);
    void *self; /* of `hear` */
} fs_cli;

/* Runs a command with its words: argv[0] is its name. */
fs_status fs_cli_call(const fs_cli *cli, const fs_command *command, int argc, char **argv, fs_error *err);

/* Runs the subcommand that argv names: what main() does. Returns the exit status of the process. */
int fs_cli_main(const fs_cli *cli, int argc, char **argv);
