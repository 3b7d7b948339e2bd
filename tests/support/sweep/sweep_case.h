/* Sweeps made by formulas, for tests of what is said about them. */
#pragma once

#include "sim/store/store.h"

/* A full cross of axes in memory: levels[a] values "0", "1", ... of axis a ("x.a", "x.b", ...; numbers), all
 * points done and feasible; figure(self, at) of the levels `at` [axes] is each objective's value, "f0", "f1",
 * ... Arena-owned, to be changed at will. */
typedef double sweep_case_figure(const size_t *at);
typedef struct sweep_case {
    fs_store_sweep sweep;
    fs_store_point *point; /* [sweep.point_count] those of the sweep */
    fs_store_setting *setting;
    fs_store_figure *figure; /* [point][objectives] */
} sweep_case;
sweep_case *sweep_case_cross(fs_arena *arena, const size_t *levels, size_t axes,
                             sweep_case_figure *const *figures, size_t objectives);

/* A store at `path` with a sweep "overlays" of 5 x 4 x 2 x 5 x `idles` points as an architect makes them:
 * overlay x widths x payload x batch x idle, with times, bytes, points that do not fit in SRAM and points
 * whose configuration is wrong. The last `open` points are
 * pending. resolved: the experiment of all points. */
fs_status sweep_case_store(const char *path, const char *resolved, size_t idles, size_t open, fs_error *err);
