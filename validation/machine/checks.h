/* Machines against what others measured or published of them: figures that come out of a model, none that is
 * put in, and of no paper that foamsim predicts. Each kind of machine has a list of its own:
 *
 *     ipu    small programs on a whole GC200, the machine's default parameters (machine/ipu.c)
 *     fpga   rays made by hand through the engine of the default board (machine/fpga.c)
 *
 * A new kind is one file and a line in machine/checks.c. Checks are quick: a tenth of a second of host time
 * in all.
 */
#pragma once

#include "sim/base/error.h"

#include <stddef.h>

/* One figure. Strings are constants. */
typedef struct fs_machine_check {
    const char *name;                     /* "mean exchange latency" */
    const char *unit;                     /* "cycles", "TB/s" */
    double published_low, published_high; /* equal where one number is published */
    double simulated;
    const char *source; /* section of docs/facts and who published it */
    const char *note;   /* the program, and where it differs from what was published, why */
} fs_machine_check;

/* The checks of one kind of machine. */
typedef struct fs_machine_checks {
    const char *kind; /* as `machine.kind` names it */
    size_t count;
    /* Fills out[0 ... count - 1]. FS_RUN when interrupted. */
    fs_status (*simulate)(fs_machine_check *out, fs_error *err);
} fs_machine_checks;

extern const fs_machine_checks fs_machine_checks_ipu;
extern const fs_machine_checks fs_machine_checks_fpga;

/* All kinds, NULL at the end. */
extern const fs_machine_checks *const fs_machine_check_kinds[];

/* Relative error against the nearer end of what is published; 0 inside. */
double fs_measured_error(const fs_machine_check *check);
