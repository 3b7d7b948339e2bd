/* SIGINT and SIGTERM: the process is asked to end. Loops look at it between iterations and return FS_RUN. */
#pragma once

#include <stdbool.h>

/* From here on the first such signal is noted; a second one of its kind ends the process at once. */
void fs_catch_signals(void);
bool fs_interrupted(void); /* any thread */
