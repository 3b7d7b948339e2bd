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

fs_status fs_png_write(FILE *file, const char *path, const fs_picture *picture, fs_error *err);

#endif
