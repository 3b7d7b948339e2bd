/* Findings as they were written down: lines of a shell, the program in $PROGRAM. */
#pragma once

/* Behind cli_enter: $PROGRAM is the program, and every $PROGRAM of a line is ended after some seconds. */
void shell_begin(void);

/* Runs a line; its exit status, 124 when it took longer than 25 s, 128 and more when a signal ended it. What
 * it says is in the file `said`. */
int shell(const char *line);
/* The same; the test fails, with what was said, unless it ends with 0. */
void shell_must(const char *line);
