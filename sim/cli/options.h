/* Options of subcommands: one table gives parsing, --help and error messages. */
#pragma once

#include "sim/base/arith.h"
#include "sim/cli/cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fs_option {
    const char *name;  /* long name without dashes: "out" */
    char letter;       /* short name or 0 */
    const char *value; /* name of the value in --help ("DIR"); NULL: a flag */
    const char *doc;
    int64_t *integer, from, to; /* receives the last value, which is one of from ... to; NULL if unused */
    double *real, least, most;  /* the same */
    const char **text;          /* receives the last value; NULL if unused */
    bool *flag;                 /* receives true; NULL if unused */
    const char **list;          /* receives every value, up to list_max; NULL if unused */
    size_t *list_count;
    size_t list_max;
} fs_option;

/* Rows: long name, letter or 0, name of the value, one line, and what takes it (of a number: and its limits). */
#define FS_OPTION(n, l, v, d, to)                                                                            \
    { .name = n, .letter = l, .value = v, .doc = d, .text = to }
#define FS_FLAG(n, l, d, to)                                                                                 \
    { .name = n, .letter = l, .doc = d, .flag = to }
#define FS_OPTION_INT(n, l, v, d, at, a, b)                                                                  \
    { .name = n, .letter = l, .value = v, .doc = d, .integer = at, .from = a, .to = b }
#define FS_OPTION_REAL(n, l, v, d, at, a, b)                                                                 \
    { .name = n, .letter = l, .value = v, .doc = d, .real = at, .least = a, .most = b }
/* Of one that may be repeated: the values, their number, and how many at most. */
#define FS_OPTION_LIST(n, l, v, d, to, counted, most)                                                        \
    { .name = n, .letter = l, .value = v, .doc = d, .list = to, .list_count = counted, .list_max = most }

/* Of a request `r` with `cache` and `no_cache`; where they put scenes, NULL: nowhere. */
#define FS_OPTIONS_CACHE(r)                                                                                  \
    FS_OPTION("cache", 0, "DIR", "folder of cached scenes ($XDG_CACHE_HOME/foamsim)", &(r)->cache),          \
        FS_FLAG("no-cache", 0, "read and write no cached scenes", &(r)->no_cache)
#define FS_CACHE_DIR(r) ((r)->no_cache ? NULL : (r)->cache != NULL ? (r)->cache : fs_default_cache_dir())

/* Parses the words of a call by the habits of GNU: `--out DIR`, `--out=DIR`, unambiguous beginnings of long
 * names, `-o DIR`, `-oDIR`, `-qf`, options and arguments mixed, `--` ends the options, `-` is an argument.
 * The arguments are collected in place to argv[0 ... argc - 1]. Unknown options, missing values and wrong
 * counts (max_args < 0: no bound) are FS_INPUT with the nearest valid option. `--help` (`-h`) prints usage to
 * stdout. usage: what follows "usage: foamsim "; further lines of it are printed below. Whether there is
 * something to do: else the command returns err->status. */
bool fs_options_parse(fs_command_line *call, const char *usage, const fs_option *options, size_t count,
                      int min_args, int max_args, fs_error *err);

/* What --help tells (fs_cli.hear): `options` [count] are the command's own, `common` what every command has beside them. */
typedef struct fs_options_told {
    const char *usage;
    const fs_option *options, *common;
    size_t count, common_count;
} fs_options_told;

/* Integer and real values of options, with the option's name in the error. text NULL: it was not given, and
 * *out stays. */
fs_status fs_option_int(const char *name, const char *text, int64_t min, int64_t max, int64_t *out,
                        fs_error *err);
fs_status fs_option_real(const char *name, const char *text, double min, double max, double *out,
                         fs_error *err);
