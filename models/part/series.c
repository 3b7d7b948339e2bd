/* Slices of time that double when a run outgrows them. */
#include "models/part/part.h"

#include <string.h>

void fs_series_init(fs_series *series, uint32_t lines) {
    FS_ASSERT(lines > 0 && lines <= FS_SERIES_LINES, "a series of %u lines", lines);
    memset(series, 0, sizeof *series);
    series->lines = lines;
    series->slice = 1;
}

/* Slices in pairs, each twice as long. */
static void fold(fs_series *series) {
    for (uint32_t l = 0; l < series->lines; l++) {
        uint64_t *at = series->at[l];
        for (uint32_t i = 0; i < FS_SERIES_SLICES / 2; i++)
            at[i] = at[2 * i] + at[2 * i + 1];
        memset(at + FS_SERIES_SLICES / 2, 0, FS_SERIES_SLICES / 2 * sizeof *at);
    }
    series->shift++;
    series->slice *= 2;
}

void fs_series_add(fs_series *series, uint32_t line, uint64_t from, uint64_t to) {
    if (from >= to)
        return;
    while ((to - 1) >> series->shift >= FS_SERIES_SLICES)
        fold(series);
    uint64_t *at = series->at[line];
    const uint64_t last = (to - 1) >> series->shift;
    for (uint64_t i = from >> series->shift; i < last; i++) {
        const uint64_t end = (i + 1) << series->shift;
        at[i] += end - from;
        from = end;
    }
    at[last] += to - from;
}

uint32_t fs_series_slices(const fs_series *series, uint64_t cycles) {
    const uint64_t slices = (cycles + series->slice - 1) >> series->shift;
    return slices < FS_SERIES_SLICES ? (uint32_t)slices : FS_SERIES_SLICES;
}
