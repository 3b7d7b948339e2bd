/* Errors: one status code, one sentence, one owner.
 *
 * A function that can fail takes an `fs_error *` last and returns an fs_status. FS_OK is 0, so
 * `if (status)` reads "if it failed". The callee fills the sentence once, at the place where it knows most;
 * callers pass it on unchanged. The command line turns the status into the exit status and prints the text.
 *
 * Memory: the checked calls of alloc.h end the process with one line and status 1 when the host has none
 * left, as nobody could go on. FS_MEMORY is for blocks that only some inputs want, where the sentence can say
 * which.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

/* name, exit status of the process, meaning */
#define FS_STATUS_TABLE(X)                                                                                   \
    X(FS_OK, 0, "done")                                                                                      \
    X(FS_INPUT, 2, "the user's input is wrong: command line, YAML, scene file")                              \
    X(FS_IO, 1, "a file could not be read or written")                                                       \
    X(FS_MEMORY, 1, "the host has not enough memory")                                                        \
    X(FS_RUN, 1, "the simulation could not finish")                                                          \
    X(FS_BROKEN, 1, "an identity that must hold does not: a defect of foamsim")

typedef enum fs_status {
#define X(name, code, text) name,
    FS_STATUS_TABLE(X)
#undef X
} fs_status;

/* Filled by the function that failed; text is empty while all is well. Lives where the caller put it.
 * Multi-line texts are allowed (all errors of a YAML file, a ledger): lines end in '\n' but the last. */
typedef struct fs_error {
    fs_status status;
    char text[16384];
} fs_error;

/* No error, in a place whose 16 KiB are not written. */
static inline void fs_error_clear(fs_error *err) {
    err->status = FS_OK;
    err->text[0] = '\0';
}

/* Sets status and text (printf rules) and returns status, so that a failing line reads
 * `return fs_fail(err, FS_INPUT, "...")`. If err already holds an error the first one is kept. err is
 * never NULL, here and in every function that takes one: who does not want the sentence has a place for it.
 */
fs_status fs_fail(fs_error *err, fs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same in a function that returns a pointer: NULL. */
#define FS_FAIL_NULL(...) ((void)fs_fail(__VA_ARGS__), NULL)

/* Appends a further line to an error of the same status (used for "all errors of a file at once"). */
fs_status fs_fail_also(fs_error *err, fs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* In a variadic function: the statement, with what it was given behind its parameter `last` as `args`. */
#define FS_VARIADIC(args, last, ...)                                                                         \
    do {                                                                                                     \
        va_list args;                                                                                        \
        va_start(args, last);                                                                                \
        __VA_ARGS__;                                                                                         \
        va_end(args);                                                                                        \
    } while (0)

/* What a status means, in general. */
const char *fs_status_text(fs_status status);

/* The exit status of a process that ends with `status`. */
int fs_exit_status(fs_status status);

/* A defect of foamsim itself: prints file, line and sentence and aborts. Never for wrong input. */
_Noreturn void fs_panic(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define FS_ASSERT(condition, ...)                                                                            \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fs_panic(__FILE__, __LINE__, __VA_ARGS__);                                                       \
    } while (0)
