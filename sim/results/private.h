/* Shared by the files of sim/results only. */
#ifndef FOAMSIM_SIM_RESULTS_PRIVATE_H
#define FOAMSIM_SIM_RESULTS_PRIVATE_H

#include "sim/base/error.h"
#include "sim/host/file.h"
#include "sim/results/results.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Removes what is inside the open directory `fd` but for the name `but` (NULL: all), links themselves and not
 * what they point to. 0 or errno. */
int fs_results_tree_clear(int fd, const char *but);
/* Whether the open directory `fd` holds nothing. 0 or errno. */
int fs_results_tree_is_empty(int fd, bool *empty);

fs_status fs_png_write(FILE *file, const char *path, const fs_picture *picture, fs_error *err);

#endif
