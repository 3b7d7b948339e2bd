/* Where what belongs to the program lies: the folders that it reads, the programs that it starts.
 *
 * Data are one folder with configs/, reports/ and validation/ in it, laid out as in the repository: the one
 * that $FOAMSIM_DATA names, else, seen from the folder of the running program (of the library for C, one
 * folder higher, too), ../share/foamsim (installed) or .. (a build folder). Never one of the current folder, which may be somebody else's, and of those that
 * nobody named only one of root, of this program's owner or of who runs it.
 */
#pragma once

#include "sim/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Texts last as long as the thread that asked; $FOAMSIM_DATA is looked at in each call. */
const char *fs_executable_dir(void); /* of the running program, or of the library that this is in */
const char *fs_configs_dir(void);    /* experiments, machines, overlays, scenes, ... */
const char *fs_reports_dir(void);    /* what pages are made of and plots' scripts, which are run */

/* The folder of caches; NULL when neither $XDG_CACHE_HOME nor $HOME is set. */
const char *fs_default_cache_dir(void);

/* FS_INPUT with what was looked for where, when there are no data. */
fs_status fs_data_check(fs_error *err);

/* The path of a program that comes with this one: beside it, in ../libexec/foamsim, above it or in the bin there (programs of
 * tests lie below the build folder) by the rule of owners. False when it is in none of them. */
bool fs_helper_find(const char *name, char *path, size_t size);
