/* A part's cycles over time: slices of equal length, which double when a run outgrows their number, so that a
 * table of any run has FS_SERIES_SLICES rows at most. What was added does not depend on the order of adding.
 */
#ifndef FOAMSIM_MODELS_PART_SERIES_H
#define FOAMSIM_MODELS_PART_SERIES_H

#include <stdint.h>

enum { FS_SERIES_SLICES = 512, FS_SERIES_LINES = 8 };

typedef struct fs_series {
    uint64_t slice; /* cycles of a slice: a power of two */
    uint32_t shift; /* of it */
    uint32_t lines;
    uint64_t at[FS_SERIES_LINES][FS_SERIES_SLICES];
} fs_series;

/* lines: up to FS_SERIES_LINES. */
void fs_series_init(fs_series *series, uint32_t lines);
/* A line holds for the cycles from `from` to `to`, the last one not among them. */
void fs_series_add(fs_series *series, uint32_t line, uint64_t from, uint64_t to);
/* Slices that a run of so many cycles has. */
uint32_t fs_series_slices(const fs_series *series, uint64_t cycles);

#endif
