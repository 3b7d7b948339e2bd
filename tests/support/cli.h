/* foamsim as a user runs it: a process with its words caught, in a temporary folder.
 *
 * cli_enter and cli_leave are cmocka's group set-up and tear-down. Between them the current folder is a fresh
 * one, the scene cache is in it (shared by the tests of a program), and machines are found by name. The
 * program is $FOAMSIM, or `foamsim` beside the folder `tests` that the test program is in.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

int cli_enter(void **state);
int cli_leave(void **state);
const char *cli_program(void); /* absolute path */

typedef struct cli_result {
    int status;                 /* exit status; -1: ended by a signal */
    int signal;                 /* that signal, or 0 */
    char out[8192], err[20000]; /* what it printed, cut to these sizes */
} cli_result;

/* Runs `foamsim WORD...`; the last word is NULL. */
cli_result cli(const char *word, ...) __attribute__((sentinel));
/* The same from a list that ends in NULL. file_limit: bytes that a file may have (RLIMIT_FSIZE), 0: no limit. */
cli_result cli_words(const char *const *words, uint64_t file_limit);

/* Starts without waiting; one process at a time. */
pid_t cli_start(const char *const *words, uint64_t file_limit);
bool cli_ended(pid_t process); /* has it? without waiting; cli_finish is still due */
cli_result cli_finish(pid_t process);
bool cli_said(const char *words); /* has the process that was started written this on standard error yet? */

/* cli_words, but the test fails, with the program's words, unless the exit status is 0. */
void cli_must(const char *word, ...) __attribute__((sentinel));
void cli_must_words(const char *const *words);

/* Runs it, and the test fails, with the command, unless it is refused: exit status 2, with these words on standard error. */
void cli_refuses(const char *wanted, const char *word, ...) __attribute__((sentinel));
/* It was refused: exit status 2, with these words on standard error. */
#define cli_refused(result, words)                                                                           \
    do {                                                                                                     \
        assert_int_equal((result)->status, 2);                                                               \
        assert_says((result)->err, words);                                                                   \
    } while (0)

/* Lanes narrow enough that rays wait and spill: words of a command. */
#define CLI_NARROW                                                                                           \
    "--set", "machine.exchange.mode=dynamic", "--set", "overlay.router_buffer=16 kB", "--set",               \
        "overlay.tracer_buffer=4 kB"

/* Writes a text file. */
void cli_write(const char *path, const char *text);

/* The experiment that the system tests vary with --set: a garden of 8,000 cells on 64 shards of a
 * gc200-small, 80 x 60 pixels, two rows a batch. Written to `path`. */
void cli_write_experiment(const char *path);
/* cli_enter with that experiment in x.yaml: a group's set-up. */
int cli_enter_experiment(void **state);
