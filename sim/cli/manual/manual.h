/* The manual: pages of man and a completion for bash, made of the tables that --help, docs/parameters.md and
 * `foamsim params` are made of. `foamsim manual DIR` writes them when the program is built; it is no command
 * for people, and stands on top of sim/cli.
 */
#pragma once

#include "sim/cli/cli.h"
#include "sim/cli/options.h"

#include <stdio.h>

extern const fs_command fs_command_manual;

/* What a command, or a second word of one, says of itself. Borrowed from the command while it is told. */
typedef struct fs_manual_entry {
    const char *name;            /* "run", "scene generate" */
    const char *summary;         /* one line */
    const fs_options_told *told; /* first line of its usage: the synopsis */
} fs_manual_entry;

/* Calls `tell` for each command that is for people, in the registry's order, and for each second word that
 * has options of its own. FS_BROKEN when one says nothing of itself. */
fs_status fs_manual_each(const fs_cli *cli, void (*tell)(void *self, const fs_manual_entry *entry),
                         void *self, fs_error *err);

/* ---- man ---- */

/* A page about one entry, in section 1. */
void fs_manual_page(const fs_manual_entry *entry, FILE *out);
/* foamsim(1): commands, files, environment. */
void fs_manual_program(const fs_cli *cli, FILE *out);
/* foamsim-experiment(5): every section, kind and parameter. */
void fs_manual_experiment(const fs_registry *registry, FILE *out);

/* A part of a page: in each text that takes the place of a %s, what roff would take for its own is escaped, so
 * that a dash stays a dash. */
void fs_roff(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* How each page begins: its name in capitals, its section, the version. */
#define FS_ROFF_HEAD                                                                                         \
    ".\\\" Made by `foamsim manual` of the tables in the program.\n.TH %s %s \"\" \"foamsim %s\" "           \
    "\"foamsim manual\"\n.nh\n.ad l\n"
/* "foamsim-scene-generate" of "scene generate". */
const char *fs_manual_name(const char *entry, char *room, size_t size);

/* ---- bash ---- */

fs_status fs_manual_completion(const fs_cli *cli, FILE *out, fs_error *err);
