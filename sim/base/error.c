/* Errors: the first sentence is kept, further lines are appended; statuses by the table. */
#include "sim/base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(fs_error *err, const char *format, va_list args) {
    size_t used = strlen(err->text);
    if (used + 1 < sizeof err->text)
        vsnprintf(err->text + used, sizeof err->text - used, format, args);
}

fs_status fs_fail(fs_error *err, fs_status status, const char *format, ...) {
    if (err->status != FS_OK)
        return err->status;
    va_list args;
    va_start(args, format);
    err->status = status;
    err->text[0] = '\0';
    append(err, format, args);
    va_end(args);
    return status;
}

fs_status fs_fail_also(fs_error *err, fs_status status, const char *format, ...) {
    if (err->status == FS_OK) {
        err->status = status;
        err->text[0] = '\0';
    } else {
        size_t used = strlen(err->text);
        if (used + 2 < sizeof err->text)
            memcpy(err->text + used, "\n", 2);
    }
    va_list args;
    va_start(args, format);
    append(err, format, args);
    va_end(args);
    return err->status;
}

const char *fs_status_text(fs_status status) {
    switch (status) {
#define X(name, code, text)                                                                                  \
    case name:                                                                                               \
        return text;
        FS_STATUS_TABLE(X)
#undef X
    }
    return "";
}

int fs_exit_status(fs_status status) {
    switch (status) {
#define X(name, code, text)                                                                                  \
    case name:                                                                                               \
        return code;
        FS_STATUS_TABLE(X)
#undef X
    }
    return 1;
}

_Noreturn void fs_panic(const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "foamsim: defect at %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}
