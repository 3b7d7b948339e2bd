/* Files that somebody else made: a run folder with texts and numbers that no run writes, and what may not
 * come of them. */
#pragma once

#include <stddef.h>

/* The folder FROM and all that is in it as TO; links stay links. */
void foreign_copy(const char *from, const char *to);
void foreign_remove(const char *path); /* with all that is in it */

/* Every `old` of a file becomes `new` (in a quoted CSV cell a double quote of `new` stands twice). The test
 * fails unless there is one. */
void foreign_change(const char *path, const char *old, const char *new);

/* Takes sizes and digests out of RUN/manifest.json, as somebody who changes files would. */
void foreign_unseal(const char *run);

/* Texts that a shell, gnuplot, awk, printf or a page may take for something else; each would leave the file
 * `canary` (its absolute path) if a command were run. [*count]; free() the texts and the list. */
char **foreign_texts(const char *canary, size_t *count);

/* Fails the test unless every script in `folder` that is not one of reports/ holds assignments, loads, tics
 * and numbers alone: no text but in single quotes, and none of ` " \ or a control character there. */
void foreign_scripts_are_plain(const char *folder);

/* How many processes work in this folder or below it. */
int foreign_processes(void);
