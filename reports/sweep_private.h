/* Shared by the files of reports/sweep_*.c that analyse. */
#ifndef FOAMSIM_REPORTS_SWEEP_PRIVATE_H
#define FOAMSIM_REPORTS_SWEEP_PRIVATE_H

#include "reports/sweep.h"

/* Whether item a must stand before item b. */
typedef bool fs_sweep_before(const void *self, size_t a, size_t b);
/* Sorts numbers [count]; equal ones keep their order. */
void fs_sweep_sort(const fs_sweep *s, size_t *item, size_t count, fs_sweep_before *before, const void *self);

/* How points compare in all axes but one (FS_SWEEP_NONE: in all): below, 0 or above 0. */
int fs_sweep_compare_but(const fs_sweep *s, size_t axis, size_t p, size_t q);

#endif
