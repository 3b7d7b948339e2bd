/* Processes: this program started again, or another one.
 *
 * A process ends with this one unless its plan says otherwise. To run a program to its end, a minute at most,
 * and read what it wrote:
 *
 *     fs_process p;
 *     const char *const words[] = {"-e", "print 1", NULL};
 *     const fs_process_plan plan = {.program = "gnuplot", .words = words, .heard = true};
 *     if (fs_process_start(&p, &plan, err))
 *         return err->status;
 *     const fs_process_end end = fs_process_wait(&p, 60);
 *     const char *said = fs_file_text(arena, p.err, 4096);
 *     fs_process_close(&p);
 *
 * Thread rule: start from the main thread; the host ends a process with the THREAD that started it.
 */
#pragma once

#include "sim/base/alloc.h"
#include "sim/base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct fs_process_plan {
    const char *program;            /* a path, or a name to be found in PATH; NULL: this program */
    const char *const *words;       /* its command line after the program's name, NULL at the end */
    const char *const *environment; /* NULL at the end: "NAME=value" sets, "NAME" removes; NULL: as here */
    const char *folder;             /* it starts in; NULL: where this process is */
    int in, out, err;               /* descriptors of its three; 0: /dev/null */
    bool heard;                     /* out and err are files without names instead, for this one to read */
    bool own_group;                 /* ctrl-C does not reach it, and its children end with it */
    bool outlives;                  /* it goes on when this process ends; else it is killed */
    double cpu_seconds;             /* the host ends it after so much computing; 0: no limit */
    double memory_bytes;            /* its address space is limited to so much; 0: no limit */
    bool alone;                     /* it starts no process: what it reads may come from somebody else */
} fs_process_plan;

typedef struct fs_process {
    pid_t id; /* 0: not started, or ended and waited for */
    bool own_group;
    double started;  /* fs_host_wall_seconds */
    FILE *out, *err; /* what a process that is heard writes; NULL: it is not */
} fs_process;

typedef struct fs_process_end {
    int status;       /* exit status; -1: it was ended by a signal */
    int signal;       /* the signal that ended it, else 0 */
    bool out_of_time; /* it was ended here, as it took longer than allowed */
} fs_process_end;

/* Starts a process. Everything buffered in this process is written first. Errors: FS_RUN when the host has no
 * process left, or when the program cannot be run (it does not exist, it is no program, no such folder);
 * FS_IO when the files of one that is heard cannot be made. */
fs_status fs_process_start(fs_process *process, const fs_process_plan *plan, fs_error *err);

/* True when the process has ended, which is then written to `end`; never waits. What is left of a group of
 * its own is killed. */
bool fs_process_ended(fs_process *process, fs_process_end *end);

/* Waits for the end. A process that is older than `most_seconds` (0: no limit) is stopped. */
fs_process_end fs_process_wait(fs_process *process, double most_seconds);

/* Asks the process to end (SIGTERM, its group with it if it has one), kills it after `patience_seconds`, and
 * waits. Nothing is done for one that is not started. */
fs_process_end fs_process_stop(fs_process *process, double patience_seconds);

/* Sends a signal to the process, with its group if it has one. */
void fs_process_signal(const fs_process *process, int number);

/* Closes the files of a process that was heard. */
void fs_process_close(fs_process *process);

/* True when a program of that name is in PATH. */
bool fs_process_in_path(const char *program);

/* What this program, as another process, wrote to its standard error: at most so many bytes, without its name before the lines
 * and without the last line's end. */
const char *fs_process_said(fs_arena *arena, FILE *from, size_t most);

/* ---- a call in a copy of this process ---- */

/* For a library that may end its process at what it did not expect, or that catches signals. No signal reaches the copy but its own
 * faults and the one that no process catches, and it ends with this process; what it finds goes through memory that both map.
 * Waits for its end, at most so many seconds (0: no limit). FS_RUN "WHAT: ...", when the host has no process left, or "interrupted". */
fs_status fs_process_aside(const char *what, void (*call)(void *self), void *self, double most_seconds,
                           fs_process_end *end, fs_error *err);

/* ---- a command line that is put together ---- */

/* Begins as {.arena = arena}; NULL stands behind the last word. */
typedef struct fs_process_words {
    fs_arena *arena;
    const char **word;
    size_t count;
} fs_process_words;
/* Words, up to a NULL. */
void fs_process_add(fs_process_words *words, const char *word, ...) __attribute__((sentinel));
/* An option and its value; nothing where the value is NULL. */
void fs_process_option(fs_process_words *words, const char *option, const char *value);
/* --set and a setting, for each of them. */
void fs_process_sets(fs_process_words *words, const char *const *sets, size_t count);
