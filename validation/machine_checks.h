/* The machine against what others measured or published of it: figures that come out of the model, none that
 * is put in. Each is what a small program does on a whole GC200 (the machine's default parameters), in closed
 * forms: a tenth of a second of host time in all. */
#ifndef FOAMSIM_VALIDATION_MACHINE_CHECKS_H
#define FOAMSIM_VALIDATION_MACHINE_CHECKS_H

#include "sim/base/error.h"

#include <stddef.h>

enum { FS_MACHINE_CHECKS = 11 };

/* One figure. Strings are constants. */
typedef struct fs_machine_check {
    const char *name;                     /* "mean exchange latency" */
    const char *unit;                     /* "cycles", "TB/s" */
    double published_low, published_high; /* equal where one number is published */
    double simulated;
    const char *source; /* row of facts/ipu.md and who published it */
    const char *note;   /* the program, and where it differs from what was published, why */
} fs_machine_check;

/* Fills checks[0 ... FS_MACHINE_CHECKS - 1]; room: elements that fit, at least as many. FS_RUN when
 * interrupted. */
fs_status fs_machine_checks(fs_machine_check *checks, size_t room, size_t *count, fs_error *err);

/* Relative error against the nearer end of what is published; 0 inside. */
double fs_machine_check_error(const fs_machine_check *check);

#endif
