/* Shared by the files of reports/study_*.c that analyse. */
#ifndef FOAMSIM_REPORTS_STUDY_STUDY_PRIVATE_H
#define FOAMSIM_REPORTS_STUDY_STUDY_PRIVATE_H

#include "reports/study/study.h"

/* Whether item a must stand before item b. */
typedef bool fs_study_before(const void *self, size_t a, size_t b);
/* Sorts numbers [count]; equal ones keep their order. */
void fs_study_sort(const fs_study *s, size_t *item, size_t count, fs_study_before *before, const void *self);

/* How points compare in all axes but one (FS_STUDY_NONE: in all): below, 0 or above 0. */
int fs_study_compare_but(const fs_study *s, size_t axis, size_t p, size_t q);

/* Sorts points [count] so that those that differ in this axis alone stand together. */
void fs_study_group(const fs_study *s, size_t axis, size_t *item, size_t count);

/* The sentence with `words` wherever it has `place`, such as "{value}". */
const char *fs_study_fill(const fs_study *s, const char *sentence, const char *place, const char *words);

/* What is wrong at the finished point that breaks a constraint most, or least (*point), in the words of the
 * figure's row; NULL: none breaks it, or the figure does not tell whether the answer is right. */
const char *fs_study_wrong(const fs_study *s, const fs_store_constraint *c, bool most, size_t *point);

/* Whether p, which has the axis, agrees with q in all others; one that p or q does not have does not count,
 * as it cannot be equal. */
bool fs_study_agree_but(const fs_study *s, size_t axis, size_t p, size_t q);

#endif
