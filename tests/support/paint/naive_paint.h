/* A second path tracer for the tests, by the rules of workloads/smallpaint/walk/paths.h alone: recursive, in
 * double precision, light worked out on the way back. Only the random numbers are the program's. */
#pragma once

#include "workloads/smallpaint/walk/paths.h"

typedef struct naive_path {
    double light[3];
    int bounces, numbers, entries;
} naive_path;

naive_path naive_paint(const fs_paint_rules *rules, uint32_t column, uint32_t row, uint64_t sample);
